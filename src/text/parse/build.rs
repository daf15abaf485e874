//! From what a routine's text says to its tables and bytes: strings and labels get their numbers.

use alloc::boxed::Box;
use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::Parser;
use super::cursor::Parsed;
use super::routine::{
    AttributeText, Declared, Kind, NumberedLabel, Override, Routine, Statement, Table,
};
use crate::error::{ErrorKind, Result};
use crate::format::{Dialect, Format, Version};
use crate::isa::{Instruction, Labels};
use crate::object::{
    Attribute, Body, Code, Function, FunctionDefinition, Input, Kernel, Label, Linkage, Name,
    SimpleVariable, Variable,
};
use crate::operand::{LabelId, PredId, ShortStringId, StringId, SurfaceId, VarId};
use crate::text::Style;
use crate::text::names::{Names, is_default_name};
use crate::text::print::{Printer, Token};
use crate::wire::{Reader, Wire, Writer};

/// The words of `//@` lines that speak of the file.
const FILE_WORDS: [&str; 5] =
    ["file_function", "file_variable", "relocs", "sections", "no_routines"];

/// The string pool under way.
struct Interner {
    strings: Vec<Name>,
    /// The first string of these bytes.
    first: BTreeMap<Vec<u8>, u32>,
}

impl Interner {
    /// From the pool that the text gives, or from none.
    fn new(given: Option<Vec<Name>>) -> Interner {
        let strings = given.unwrap_or_else(|| [Name::default()].into());
        let mut first = BTreeMap::new();
        for (string, index) in strings.iter().zip(0..) {
            first.entry(string.as_bytes().to_vec()).or_insert(index);
        }
        Interner { strings, first }
    }

    fn intern(&mut self, bytes: &[u8]) -> StringId {
        if let Some(index) = self.first.get(bytes) {
            return StringId(*index);
        }
        let index = self.strings.len() as u32;
        self.strings.push(bytes.into());
        self.first.insert(bytes.into(), index);
        StringId(index)
    }

    fn attributes(&mut self, attributes: Vec<AttributeText>) -> Vec<Attribute> {
        let attribute =
            |AttributeText { name, value }| Attribute { name: self.intern(&name), value };
        attributes.into_iter().map(attribute).collect()
    }
}

/// An entry of a table by its bytes, all of them.
pub(super) fn entry<E: Wire>(bytes: &[u8], format: Format) -> Result<E> {
    let mut r = Reader::new(bytes, format);
    let entry = E::decode(&mut r)?;
    match r.rest().len() {
        0 => Ok(entry),
        count => Err(r.error(ErrorKind::TrailingBytes { count })),
    }
}

impl<'t> Parser<'t> {
    /// A `//@` line.
    pub(super) fn annotation(&mut self) -> Parsed<()> {
        self.annotated()?;
        match self.c.skip_spaces() {
            None | Some(b'\n') => Ok(()),
            Some(_) => Err(self.c.expected("the end of the line")),
        }
    }

    fn annotated(&mut self) -> Parsed<()> {
        self.c.at += 3;
        self.c.skip_spaces();
        let start = self.c.at;
        let key = self.c.word_here();
        let speaks_of_file = FILE_WORDS.contains(&key);
        match &self.routine {
            None if speaks_of_file => return self.file_annotation(key, start),
            Some(_) if speaks_of_file => {
                let message = "this speaks of the file: it stands before the first routine";
                return Err(self.c.fail(start..self.c.at, message));
            }
            None => {
                return Err(self.c.fail(start..self.c.at, "this says something of no routine"));
            }
            Some(_) => {}
        }
        let table = match key {
            "strings" => return self.given_strings(),
            "name" => {
                let id = self.given_number()?;
                self.routine().name_id = Some(id);
                return Ok(());
            }
            "unnamed" => {
                self.routine().unnamed = true;
                return Ok(());
            }
            "function" => {
                let sizes = (self.given_number()?, self.given_number()?);
                self.routine().stack_sizes = sizes;
                return Ok(());
            }
            "stripped" => {
                let extent = (self.given_number()?, self.given_number()?);
                self.routine().stripped = Some(extent);
                return Ok(());
            }
            "label" => return self.given_label(start),
            "variable" => Table::Variable,
            "address" => Table::Address,
            "predicate" => Table::Predicate,
            "sampler" => Table::Sampler,
            "surface" => Table::Surface,
            "input" => Table::Input,
            "attribute" => Table::Attribute,
            _ => {
                self.c.at = start;
                return Err(self.c.expected("a word that `//@` knows, such as `strings`"));
            }
        };
        let id = self.given_number()?;
        let bytes = self.given_bytes()?;
        let span = start..self.c.at;
        self.routine().overrides.push(Override { table, id, bytes, span });
        Ok(())
    }

    fn given_strings(&mut self) -> Parsed<()> {
        // None at all is a pool as well.
        self.routine().strings.get_or_insert_with(Vec::new);
        while self.c.skip_spaces() == Some(b'"') {
            let string = self.c.string()?;
            let name = Name::from(&string[..]);
            self.routine().strings.get_or_insert_with(Vec::new).push(name);
        }
        if matches!(self.c.peek(), None | Some(b'\n')) {
            Ok(())
        } else {
            Err(self.c.expected("a string in quotes"))
        }
    }

    pub(super) fn given_number<N: TryFrom<i128>>(&mut self) -> Parsed<N> {
        self.c.skip_spaces();
        self.c.number("a number")
    }

    pub(super) fn given_bytes(&mut self) -> Parsed<Vec<u8>> {
        self.c.skip_spaces();
        if !self.c.eat_here("=") {
            return Err(self.c.expected("`=` and bytes"));
        }
        self.c.hex_bytes()
    }

    fn given_label(&mut self, start: usize) -> Parsed<()> {
        let Some((name, _)) = self.c.name() else {
            return Err(self.c.expected("a label"));
        };
        let id = self.given_number()?;
        let bytes = self.given_bytes()?;
        let span = start..self.c.at;
        self.routine().labels.push(NumberedLabel { name, id, bytes, span });
        Ok(())
    }

    /// Builds the routine that is under way, if one is.
    pub(super) fn end_routine(&mut self) {
        let Some(mut routine) = self.routine.take() else { return };
        if self.symbols.depth() > 0 {
            let end = self.c.at.min(self.c.text.len());
            self.c.complain(end..end, "a scope is not closed");
        }
        if let Some((_, span)) = &routine.function {
            self.c.complain(span.clone(), "no label follows");
        }
        let sizes = routine.stack_sizes;
        let (kind, name) = (routine.kind, Name::from(&routine.name[..]));
        let places = core::mem::take(&mut routine.places);
        let code = routine.code.iter().map(|statement| statement.span.clone()).collect();
        let places = places.with_code(code);
        // What is wrong was said.
        let Ok((body, inputs)) = self.build(routine) else { return };
        match kind {
            Kind::Kernel => {
                self.places.kernels.push(places);
                self.module.kernels.push(Kernel { name, inputs, body, ..Kernel::default() });
            }
            Kind::Function => {
                self.places.functions.push(places);
                self.module.functions.push(Function {
                    linkage: Linkage::GLOBAL,
                    name,
                    definition: Some(Box::new(FunctionDefinition {
                        input_size: sizes.0,
                        return_value_size: sizes.1,
                        body,
                    })),
                    ..Function::default()
                })
            }
        }
    }

    fn build(&mut self, mut routine: Routine<'t>) -> Parsed<(Body<'static>, Vec<Input>)> {
        let format = self.format;
        let mut pool = Interner::new(routine.strings.take());
        let name = match routine.name_id {
            Some(id) => StringId(id),
            None => pool.intern(&routine.name),
        };
        let mut body = Body { name, ..Body::default() };
        let overrides = core::mem::take(&mut routine.overrides);
        let mut overridden: BTreeMap<(Table, u32), &Override> = BTreeMap::new();
        for given in &overrides {
            if overridden.insert((given.table, given.id), given).is_some() {
                return Err(self.c.fail(given.span.clone(), "this entry is given twice"));
            }
        }
        let unnamed = routine.unnamed;
        let mut failed = Ok(());
        // Each table: what is given by its bytes is taken from there, and the rest from the text.
        macro_rules! table {
            ($field:ident, $table:ident, $first:expr, $prefix:expr) => {
                for (declared, id) in routine.$field.into_iter().zip($first..) {
                    let given = overridden.remove(&(Table::$table, id));
                    let built = match given {
                        Some(given) => self.given_entry(given),
                        None => Ok(declared.build(&mut pool, unnamed, $prefix, id)),
                    };
                    match built {
                        Ok(built) => body.$field.push(built),
                        Err(error) => failed = Err(error),
                    }
                }
            };
        }
        table!(variables, Variable, VarId::FIRST_DECLARED.0, Some('V'));
        table!(addresses, Address, 0, Some('A'));
        table!(predicates, Predicate, PredId::FIRST_DECLARED.0.into(), Some('P'));
        table!(samplers, Sampler, 0, None);
        table!(surfaces, Surface, u32::from(SurfaceId::FIRST_DECLARED.0), None);
        // Inputs that are given by their bytes are not declared, and stand between those that are.
        let mut declared = routine.inputs.into_iter();
        let mut inputs = Vec::new();
        for index in 0.. {
            match overridden.remove(&(Table::Input, index)) {
                Some(given) => inputs.push(self.given_entry(given)?),
                None => match declared.next() {
                    Some(input) => inputs.push(input),
                    None => break,
                },
            }
        }
        if let (Some(_), Some(first)) = (routine.stripped, routine.code.first()) {
            let message = "a stripped kernel has no instructions";
            return Err(self.c.fail(first.span.clone(), message));
        }
        let label_ids = self.number_labels(&routine.labels, &mut pool, &mut body)?;
        for (attribute, index) in routine.attributes.into_iter().zip(0..) {
            let attribute = match overridden.remove(&(Table::Attribute, index)) {
                Some(given) => self.given_entry(given)?,
                None => Attribute { name: pool.intern(&attribute.name), value: attribute.value },
            };
            body.attributes.push(attribute);
        }
        failed?;
        if let Some(given) = overridden.values().next() {
            return Err(self.c.fail(given.span.clone(), "there is no such entry in this routine"));
        }
        let strings: Vec<StringId> =
            self.strings.iter().map(|string| pool.intern(string)).collect();
        body.strings = pool.strings;
        let numbers = Numbers { strings: &strings, labels: &label_ids };
        let mut w = Writer::new(format);
        let mut exact = Vec::new();
        for Statement { instruction, span, exact: is_exact } in routine.code {
            let start = w.len();
            let encoded = if is_exact {
                exact.push((instruction, span.clone()));
                instruction.encode(&mut w)
            } else if let Some(numbered) = numbers.apply(instruction) {
                numbered.encode(&mut w)
            } else {
                let message = "the symbol's string is not among the pool's first 65536";
                self.c.complain(span, message);
                continue;
            };
            if let Err(error) = encoded {
                w.truncate(start);
                let help = first_version(&instruction, format);
                self.c.fail_with_help(span, &without_offset(&error), help);
            }
        }
        self.check_exact(&exact, &body);
        body.code = match routine.stripped {
            Some((size, entry)) => Code::Stripped { size, entry },
            None => Code::Present { bytes: w.into_bytes().into(), offset: 0 },
        };
        Ok((body, inputs))
    }

    fn given_entry<E: Wire>(&mut self, given: &Override) -> Parsed<E> {
        entry(&given.bytes, self.format).map_err(|error| {
            let message = format!("these bytes are no entry of that table: {error}");
            self.c.fail(given.span.clone(), &message)
        })
    }

    /// The labels in their order: as they appear, or as they are numbered. Returns the final id of
    /// each label by its first appearance.
    fn number_labels(
        &mut self,
        numbered: &[NumberedLabel<'t>],
        pool: &mut Interner,
        body: &mut Body<'static>,
    ) -> Parsed<Vec<LabelId>> {
        let labels = core::mem::take(&mut self.symbols.labels);
        if numbered.is_empty() {
            for label in &labels {
                if !label.defined && !matches!(label.kind, crate::object::LabelKind::FC) {
                    let message = format!("the label `{}` is not defined", label.name);
                    self.c.complain(label.span.clone(), &message);
                }
                let name = pool.intern(label.name.as_bytes());
                body.labels.push(Label { name, kind: label.kind, attributes: Vec::new() });
            }
            return Ok((0..labels.len() as u16).map(LabelId).collect());
        }
        for (given, index) in numbered.iter().zip(0u32..) {
            if u32::from(given.id) != index {
                return Err(self.c.fail(given.span.clone(), "labels are numbered one by one"));
            }
            let label = entry(&given.bytes, self.format).map_err(|error| {
                let message = format!("these bytes are no label: {error}");
                self.c.fail(given.span.clone(), &message)
            })?;
            body.labels.push(label);
        }
        let by_name: BTreeMap<&str, u16> =
            numbered.iter().map(|given| (given.name, given.id)).collect();
        let mut ids = Vec::with_capacity(labels.len());
        for label in &labels {
            match by_name.get(label.name) {
                Some(id) => ids.push(LabelId(*id)),
                None => {
                    let message = format!("`//@ label` lines do not number `{}`", label.name);
                    return Err(self.c.fail(label.span.clone(), &message));
                }
            }
        }
        Ok(ids)
    }

    /// What is given by its bytes must read as they do: else one of the two was edited.
    fn check_exact(&mut self, exact: &[(Instruction, core::ops::Range<usize>)], body: &Body<'_>) {
        if exact.is_empty() {
            return;
        }
        let names = Names::new(body, b"", Style::Faithful);
        let mut printer = Printer::new(Style::Faithful, self.format, Some(&names));
        for (instruction, span) in exact {
            printer.line.clear();
            instruction.print(&mut printer);
            let text = String::from_utf8_lossy(&self.c.text[span.clone()]);
            // Of a subroutine, the label's line is what carries the bytes.
            let printed = printer.line.as_str();
            let printed = printed.rsplit('\n').next().unwrap_or_default();
            if !text.split_whitespace().eq(printed.split_whitespace()) {
                let help = Some(format!(
                    "they say `{printed}`; without the comment the text is assembled"
                ));
                let message = "the bytes behind `//@` say something else than this text";
                self.c.fail_with_help(span.clone(), message, help);
            }
        }
    }
}

/// An error about bytes that have no place yet.
fn without_offset(error: &crate::Error) -> String {
    let fields: Vec<String> = error.path().map(|place| place.to_string()).collect();
    match fields.is_empty() {
        true => error.kind().to_string(),
        false => format!("{}: {}", fields.join(", "), error.kind()),
    }
}

/// Which version, or else which dialect, could say what the format cannot.
fn first_version(instruction: &Instruction, format: Format) -> Option<String> {
    let can = |format: &Format| instruction.to_bytes(*format).is_ok();
    let versions = |dialect| Version::ALL.iter().map(move |version| Format::new(dialect, *version));
    if let Some(format) = versions(format.dialect).find(can) {
        return Some(format!("version {} can say it", format.version));
    }
    let newer = versions(Dialect::Igc2026).find(can)?;
    Some(format!("dialect {} can say it, from version {} on", newer.dialect, newer.version))
}

impl Declared<'_, Variable> {
    fn build(self, pool: &mut Interner, unnamed: bool, prefix: Option<char>, id: u32) -> Variable {
        let name = name_of(self.name, pool, unnamed, prefix, id);
        Variable { name, attributes: pool.attributes(self.attributes), ..self.entry }
    }
}

impl Declared<'_, SimpleVariable> {
    fn build(
        self,
        pool: &mut Interner,
        unnamed: bool,
        prefix: Option<char>,
        id: u32,
    ) -> SimpleVariable {
        let name = name_of(self.name, pool, unnamed, prefix, id);
        SimpleVariable { name, attributes: pool.attributes(self.attributes), ..self.entry }
    }
}

fn name_of(
    name: Option<&str>,
    pool: &mut Interner,
    unnamed: bool,
    prefix: Option<char>,
    id: u32,
) -> StringId {
    match (name, prefix) {
        (None, _) => StringId(0),
        (Some(name), Some(prefix)) if unnamed && is_default_name(name, prefix, id) => StringId(0),
        (Some(name), _) => pool.intern(name.as_bytes()),
    }
}

/// The final numbers of strings and labels.
struct Numbers<'n> {
    strings: &'n [StringId],
    labels: &'n [LabelId],
}

impl Numbers<'_> {
    fn string(&self, id: u32) -> StringId {
        self.strings.get(id as usize).copied().unwrap_or_default()
    }

    /// `None` where the pool is larger than a symbol's number.
    fn short(&self, id: ShortStringId) -> Option<ShortStringId> {
        u16::try_from(self.string(id.0.into()).0).ok().map(ShortStringId)
    }

    fn label(&self, id: LabelId) -> LabelId {
        self.labels.get(usize::from(id.0)).copied().unwrap_or(id)
    }

    fn apply(&self, mut instruction: Instruction) -> Option<Instruction> {
        match &mut instruction {
            Instruction::Label(i) => i.label = self.label(i.label),
            Instruction::Subroutine(i) => i.label = self.label(i.label),
            Instruction::Jmp(i) => i.label = self.label(i.label),
            Instruction::Goto(i) => i.label = self.label(i.label),
            Instruction::Call(i) => i.label = self.label(i.label),
            Instruction::SwitchJmp(i) => {
                let mut labels = [LabelId(0); Labels::MAX];
                labels
                    .iter_mut()
                    .zip(i.labels.iter())
                    .for_each(|(to, from)| *to = self.label(*from));
                i.labels = Labels::new(&labels[..i.labels.len()]).unwrap_or(i.labels);
            }
            Instruction::File(i) => i.file_name = self.string(i.file_name.0),
            Instruction::Fcall(i) => i.func_id = self.short(i.func_id)?,
            Instruction::Faddr(i) => i.func_id = self.short(i.func_id)?,
            _ => {}
        }
        Some(instruction)
    }
}
