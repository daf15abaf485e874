//! Lowering of a parsed routine to tables and bytes. Strings and labels get their ids.

mod final_ids;
mod labels;
mod pool;
mod variables;

pub(super) use final_ids::{FinalIds, has_late_ids};

use alloc::boxed::Box;
use alloc::format;
use alloc::vec::Vec;
use core::ops::Range;

use super::Parser;
use super::cursor::Parsed;
use super::diagnostic::{Diagnostic, cut};
use super::instruction_bytes::RoutineTables;
use super::routine::{Annotations, InputText, LoweredRoutine, ParsedRoutine, ReadRoutine};
use crate::format::Format;
use crate::object::{Body, Code, Input, Linkage, Name, RoutineKind};
use crate::operand::{LabelId, StringId};
use crate::text::Style;
use crate::text::annotations::is_declared;
use crate::text::names::Names;
use crate::wire::{Wire, Writer};
use pool::Pool;

impl<'t> Parser<'t> {
    /// Ends the current routine at a position: lowers it, and collects its errors.
    pub(in crate::text::parse) fn end_routine(&mut self, end: usize) {
        let (kind, name, start, lowered) = match self.routine.take() {
            Some(mut routine) => {
                let name = routine.name.take().map(|name| Name::from(&name[..]));
                let (kind, start) = (routine.kind, routine.start);
                let lowered = self.lower_routine(routine, name.as_ref());
                (Some(kind), name, start, lowered)
            }
            None if self.c.diagnostics.is_empty() => return,
            None if self.routines.is_empty() => {
                self.open_version = None;
                return self.add_errors_outside();
            }
            None => (None, None, self.open_version.take().unwrap_or(end), None),
        };
        let has_errors = !self.c.diagnostics.is_empty() || self.is_version_wrong;
        self.add_errors();
        let warnings = core::mem::take(&mut self.warnings.0);
        let lowered = lowered.filter(|_| !has_errors);
        let lowered = lowered.map(|lowered| Box::new(LoweredRoutine { warnings, ..lowered }));
        self.routines.push(ReadRoutine { kind, name, span: start..end, has_errors, lowered });
    }

    /// Reports a routine that has the name of an earlier one, unless its annotation states that.
    fn check_routine_name(
        &mut self,
        kind: RoutineKind,
        name: &Name,
        is_again: bool,
        header: &Range<usize>,
    ) {
        let is_new = self.routine_names.insert((kind, name.clone()));
        match (is_new, is_again) {
            (false, false) => {
                let name = name.to_string_lossy();
                let message = format!("{kind} `{}` is already defined", cut(&name));
                self.duplicates.push(Diagnostic::warning(header.clone(), message));
            }
            (true, true) => {
                let message = format!("`again` is ignored: no earlier {kind} has this name");
                self.warn(header, message);
            }
            _ => {}
        }
    }

    /// Returns `None` if the routine has errors, which have been reported.
    fn lower_routine(
        &mut self,
        mut routine: ParsedRoutine<'t>,
        name: Option<&Name>,
    ) -> Option<LoweredRoutine> {
        if let Some(brace) = self.symbols.last_brace() {
            self.c.report(brace..brace + 1, "this `{` is not closed in the routine");
        }
        if let Some((name, span)) = &routine.function {
            self.expected_label_of(name, span.clone(), "the end of the routine");
        }
        let places = core::mem::take(&mut routine.source_map);
        if let Some(name) = name {
            self.check_routine_name(
                routine.kind,
                name,
                routine.annotations.is_again,
                &places.header(),
            );
        }
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
        let (body, inputs) = self.lower(routine, name, has_code).ok()?;
        let warnings = Vec::new();
        Some(LoweredRoutine { body, inputs, stack, linkage, relocs, places, warnings })
    }

    fn lower(
        &mut self,
        mut routine: ParsedRoutine<'t>,
        name: &[u8],
        has_code: bool,
    ) -> Parsed<(Body<'static>, Vec<Input>)> {
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
        body.strings = pool.strings.into_strings();
        self.resolve_symbols(&mut body);
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
        Ok((body, inputs))
    }

    /// Clears the symbols of samplers and surfaces that the printer has to call by number.
    fn resolve_symbols(&self, body: &mut Body<'_>) {
        let states = [&body.samplers, &body.surfaces];
        if !states.into_iter().flatten().any(|state| state.symbol.is_some()) {
            return;
        }
        let [samplers, surfaces] =
            Names::new(body, b"", Style::Faithful, self.format).have_symbols();
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

    /// Encodes the late instructions, and returns the bytes of all.
    fn lower_code(
        &mut self,
        strings: &[StringId],
        labels: &[Option<LabelId>],
        routine: &mut ParsedRoutine<'t>,
        body: &Body<'_>,
    ) -> Vec<u8> {
        let late = core::mem::take(&mut routine.code.late);
        let encoded = core::mem::replace(&mut routine.code.encoded, Writer::new(self.format));
        if late.is_empty() {
            return encoded.into_bytes();
        }
        let mut final_ids = FinalIds::new(strings, labels);
        let tables = RoutineTables::new(body, routine);
        let mut w = Writer::new(self.format);
        let mut copied = 0;
        for late in late {
            w.put(&encoded.bytes()[copied..late.position]);
            copied = late.position;
            let (start, span) = (w.len(), late.span.clone());
            let lowered = if late.annotation.is_some() {
                self.lower_with_bytes(late, &mut final_ids, &tables)
            } else {
                let lowered = final_ids.apply(late.instruction);
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
