//! Lowering of a parsed routine to tables and bytes. Strings and labels get their ids.

mod bytes;
mod final_ids;
mod labels;
mod pool;
mod variables;

use alloc::vec::Vec;

use crate::format::Format;
use crate::object::{Body, Code, Input, Linkage, Name, RoutineKind};
use crate::operand::{LabelId, StringId};
use crate::text::context::Parser;
use crate::text::cursor::Parsed;
use crate::text::diagnostic::Diagnostic;
use crate::text::names::{Names, TextNames};
use crate::text::statements::annotations::is_declared;
use crate::text::statements::{Annotations, InputText, ParsedRoutine, Relocs, RoutineMap};
use crate::text::words::Style;
use crate::wire::{Wire, Writer};
use bytes::RoutineTables;
use final_ids::FinalIds;
use pool::Pool;

/// A kernel or function, before the indices of functions are final.
pub(in crate::text) struct LoweredRoutine {
    pub(in crate::text) body: Body<'static>,
    pub(in crate::text) inputs: Vec<Input>,
    pub(in crate::text) stack: (u8, u8),
    pub(in crate::text) linkage: Linkage,
    pub(in crate::text) relocs: Relocs,
    pub(in crate::text) places: RoutineMap,
    pub(in crate::text) warnings: Vec<Diagnostic>,
}

impl<'t> Parser<'t> {
    /// Lowers a routine. Returns `None` if it has errors, which have been reported.
    pub(in crate::text) fn lower_routine(
        &mut self,
        mut routine: ParsedRoutine<'t>,
        name: Option<&Name>,
    ) -> Option<LoweredRoutine> {
        if let Some(brace) = self.symbols.last_brace() {
            self.c.report(brace..brace + 1, "this `{` is not closed in the routine");
        }
        let places = core::mem::take(&mut routine.source_map);
        let of_functions =
            routine.annotations.stack.is_some() || routine.annotations.linkage.is_some();
        if routine.kind == RoutineKind::Kernel && of_functions {
            self.c.report(places.header(), "`stack` and `linkage` are not allowed for kernels");
        }
        let places = places.with_code(core::mem::take(&mut routine.code.spans));
        let has_code = places.has_code();
        let relocs = core::mem::take(&mut routine.relocs);
        let stack = routine.annotations.stack.as_ref().map_or((0, 0), |stack| stack.value);
        let linkage = routine.annotations.linkage.as_ref();
        let linkage = linkage.map_or(Linkage::GLOBAL, |linkage| linkage.value);
        let name = name.map_or(&b""[..], Name::as_bytes);
        let (body, inputs, names) = self.lower(routine, name, has_code).ok()?;
        let places = places.with_names(names);
        let warnings = Vec::new();
        Some(LoweredRoutine { body, inputs, stack, linkage, relocs, places, warnings })
    }

    fn lower(
        &mut self,
        mut routine: ParsedRoutine<'t>,
        name: &[u8],
        has_code: bool,
    ) -> Parsed<(Body<'static>, Vec<Input>, TextNames)> {
        let mut pool = Pool::new(routine.strings.take());
        let unnamed = routine.unnamed;
        let name = match (&routine.annotations.body_name, &routine.annotations.name) {
            (Some(note), _) if pool.is_given => StringId(note.value),
            (_, note) => self.name(&mut pool, Some(name), note.as_ref(), None, false),
        };
        let efficient_64bit = routine.efficient_64bit && self.format == Format::V4_2;
        let mut body = Body { name, efficient_64bit, ..Body::default() };
        let none = Annotations::default();
        self.lower_variables(&mut routine, &mut pool, &mut body)?;
        body.addresses =
            self.lower_simple_variables(&mut routine.addresses, Some('A'), unnamed, &mut pool);
        body.predicates =
            self.lower_simple_variables(&mut routine.predicates, Some('P'), unnamed, &mut pool);
        body.samplers =
            self.lower_simple_variables(&mut routine.samplers, None, unnamed, &mut pool);
        body.surfaces =
            self.lower_simple_variables(&mut routine.surfaces, None, unnamed, &mut pool);
        let inputs = self.lower_inputs(core::mem::take(&mut routine.inputs), &body)?;
        let label_ids = self.lower_labels(&mut routine, &mut pool, &mut body);
        for (mut attribute, annotations) in core::mem::take(&mut routine.attributes) {
            let annotations = annotations.as_deref().unwrap_or(&none);
            let texts = core::slice::from_mut(&mut attribute);
            self.lower_attributes(&mut pool, texts, annotations, &mut body.attributes);
        }
        let strings: Vec<StringId> =
            self.strings.iter().map(|string| pool.intern(string.as_bytes())).collect();
        body.strings = pool.strings.into_strings().into();
        self.resolve_symbols(&mut body);
        let names = routine.names();
        let bytes = self.lower_code(&strings, &label_ids, &mut routine, &body);
        body.code = match routine.annotations.stripped {
            Some(stripped) if !has_code => {
                let (size, entry) = stripped.value;
                Code::Stripped { size, entry }
            }
            stripped => {
                if let Some(stripped) = stripped {
                    let message = "`stripped` is ignored: the kernel has instructions";
                    self.warn(&stripped.span, message.into());
                }
                Code::Present { bytes: bytes.into(), offset: 0 }
            }
        };
        Ok((body, inputs, names))
    }

    /// Clears the symbols of samplers and surfaces that the printer has to call by number.
    fn resolve_symbols(&self, body: &mut Body<'_>) {
        let states = [&body.samplers, &body.surfaces];
        if !states.into_iter().flatten().any(|state| state.symbol.is_some()) {
            return;
        }
        let [samplers, surfaces] =
            Names::new(body, b"", Style::Complete, self.format, self.reserved).have_symbols();
        for (states, have) in [(&mut body.samplers, samplers), (&mut body.surfaces, surfaces)] {
            for (state, _) in states.iter_mut().zip(have).filter(|(_, has_symbol)| !has_symbol) {
                state.symbol = None;
            }
        }
    }

    fn lower_inputs(&mut self, inputs: Vec<InputText>, body: &Body<'_>) -> Parsed<Vec<Input>> {
        let mut failed = Ok(());
        for InputText { input, undeclared } in &inputs {
            if let Some(span) = undeclared.as_ref().filter(|_| is_declared(input, body)) {
                let message = "the variable of this input is declared: use `.input` and its name";
                failed = Err(self.c.fail(span.clone(), message));
            }
        }
        failed.map(|()| inputs.into_iter().map(|text| text.input).collect())
    }

    /// Encodes the deferred instructions, and returns the bytes of all.
    fn lower_code(
        &mut self,
        strings: &[StringId],
        labels: &[Option<LabelId>],
        routine: &mut ParsedRoutine<'t>,
        body: &Body<'_>,
    ) -> Vec<u8> {
        let deferred = core::mem::take(&mut routine.code.deferred);
        let encoded = core::mem::replace(&mut routine.code.encoded, Writer::new(self.format));
        if deferred.is_empty() {
            return encoded.into_bytes();
        }
        let mut final_ids = FinalIds::new(strings, labels);
        let tables = RoutineTables::new(body, routine);
        let mut w = Writer::new(self.format);
        let mut copied = 0;
        for next in deferred {
            w.put(&encoded.bytes()[copied..next.position]);
            copied = next.position;
            let (start, span) = (w.len(), next.span.clone());
            let lowered = if next.annotation.is_some() {
                self.lower_with_bytes(next, &mut final_ids, &tables)
            } else {
                let lowered = final_ids.apply(next.instruction);
                lowered.map_err(|message| self.c.fail(span.clone(), message))
            };
            let Ok(instruction) = lowered else { continue };
            if let Err(error) = instruction.encode(&mut w) {
                w.truncate(start);
                self.not_encodable(&instruction, &error, span);
            }
        }
        w.put(&encoded.bytes()[copied..]);
        w.into_bytes()
    }
}
