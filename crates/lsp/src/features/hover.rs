//! Hover: what a mnemonic, a name, an operand, an immediate or another word means.

use std::fmt::Write;

use genvisa::analysis::{Access, AccessKind, Condition, Footprint};
use genvisa::isa::{FieldSpec, Id, IdClass};
use genvisa::operand::{
    DataType, Exec, Imm, Modifier, Pred, PredControl, Slot, Vector, VectorKind, Visitor,
};
use genvisa::text::{
    RecordedInstruction, RecordedOperand, Referent, RowText, Token, TokenKind, row_texts,
};
use genvisa::verify::CacheControls;
use genvisa_isa::{example, find, summary, values};
use lsp_types::{Hover, HoverContents, MarkupContent, MarkupKind, Position};

use super::Context;
use super::signature::described;
use crate::program::{Program, RoutineAnalysis};

/// Returns what is known about the text at a position.
pub fn hover(context: Context<'_>, position: Position) -> Option<Hover> {
    let operand = context.operand_at(position);
    let mut value = operand.map(|operand| operand.description.clone()).unwrap_or_default();
    let mut range = None;
    if let Some((program, at)) = context.program_at(position) {
        if let Some(token) = program.token_at(at) {
            range = context.range_in(program, &token.span);
            let subject = Subject { context, program, token };
            let parts = subject.describe();
            for part in parts.into_iter().filter(|part| !part.is_empty()) {
                if !value.is_empty() {
                    value += "\n\n";
                }
                value += &program.written(part.trim_end());
            }
        }
    }
    let contents =
        HoverContents::Markup(MarkupContent { kind: MarkupKind::Markdown, value: value.clone() });
    (!value.is_empty()).then_some(Hover { contents, range })
}

/// A token that is described.
struct Subject<'d> {
    context: Context<'d>,
    program: &'d Program,
    token: &'d Token,
}

impl Subject<'_> {
    /// Returns the paragraphs of the description.
    fn describe(&self) -> Vec<String> {
        let Subject { program, token, .. } = self;
        let instruction = program.instruction_at(token.span.start);
        if token.kind == TokenKind::Mnemonic {
            return vec![self.mnemonic(instruction)];
        }
        let operand = instruction.and_then(|instruction| {
            let mut operands = program.operands(instruction).iter().rev();
            let operand = operands.find(|operand| {
                operand.span.start <= token.span.start && token.span.end <= operand.span.end
            })?;
            Some((instruction, operand))
        });
        let mut parts = vec![self.name(), self.meaning(), self.condition()];
        if let Some((instruction, operand)) = operand {
            parts.push(self.fields(instruction, operand));
            parts.push(self.operand(instruction, operand));
            parts.push(self.cache_controls(instruction, operand));
        }
        parts
    }

    /// Describes the row of a mnemonic.
    fn mnemonic(&self, instruction: Option<&RecordedInstruction>) -> String {
        let word = self.program.str(&self.token.span);
        let row = instruction.and_then(|instruction| instruction.row);
        let rows: Vec<&RowText> = match row {
            Some(row) => vec![row],
            None => row_texts(word, self.program.format().dialect).collect(),
        };
        let mut text = String::new();
        let platform = self.program.platform;
        for row in rows {
            let _ = write!(text, "```visaasm\n{}\n```\n", row.syntax(word).text);
            let _ = writeln!(text, "{}", summary(row.doc));
            for field in row.fields.iter().filter(|field| field.is_in(self.program.format())) {
                let _ = write!(text, "\n- {}{}", described(field), values_of(field));
            }
            let example = find(word)
                .iter()
                .filter(|found| found.name() == row.name)
                .find_map(|found| example(found, platform).or_else(|| example(found, None)));
            if let Some(example) = example {
                let _ = write!(
                    text,
                    "\n\nExample for {}:\n```visaasm\n{}\n{}\n```",
                    example.platform,
                    example.declarations.join("\n"),
                    example.text
                );
            }
            text.push('\n');
        }
        text
    }

    /// Describes what a name refers to.
    fn name(&self) -> String {
        let Subject { program, token, .. } = self;
        let mut text = String::new();
        let Some(referent) = token.referent() else { return text };
        let definition = program.definition(token);
        if let Some(definition) = definition {
            // The declarations of operands are not in the document.
            let statement = program.statement(definition.span.start);
            if program.to_document(&definition.span).is_some() {
                let _ = writeln!(text, "```visaasm\n{statement}\n```");
            }
        }
        match referent {
            Referent::Declared { id, .. } => text += &self.variable(id),
            Referent::Predefined(id) => {
                let _ = writeln!(text, "Predefined {}.", class(id.class));
            }
            Referent::Label { .. } => {
                let count = program.uses(token).filter(|one| !one.is_definition()).count();
                let _ = writeln!(text, "Label, used {}.", times(count));
            }
            _ => {}
        }
        text
    }

    /// Describes the storage of a variable, and where it is live.
    fn variable(&self, id: Id) -> String {
        let mut text = format!("{}.", capitalized(class(id.class)));
        let at = self.token.span.start;
        let Some(routine) = self.program.analysis_at(at) else { return text };
        let analysis = &routine.analysis;
        let Some(location) = analysis.storage.location(id) else { return text };
        let unit = if id.class == IdClass::Predicate { "bit" } else { "byte" };
        let _ = write!(text, " {}", count(location.size, unit));
        if location.root != id {
            let _ = write!(text, ", at offset {} of another variable", location.offset);
        }
        text += ".";
        let lines: Vec<String> = analysis
            .liveness
            .ranges(id)
            .filter_map(|range| {
                let first = self.line_of(&routine, range.start)?;
                let last = self.line_of(&routine, range.end.checked_sub(1)?)?;
                Some(if first == last { format!("{first}") } else { format!("{first} to {last}") })
            })
            .collect();
        let _ = match lines.len() {
            0 => write!(text, "\n\nNever live."),
            1..=8 => write!(text, "\n\nLive in lines {}.", lines.join(", ")),
            many => write!(
                text,
                "\n\nLive in lines {}, and {} more ranges.",
                lines[..8].join(", "),
                many - 8
            ),
        };
        if let Some(index) = self.program.index_of(&routine, at) {
            if let Some(pressure) = analysis.liveness.pressure().get(index) {
                let live: u32 = analysis
                    .liveness
                    .live_units(id, index)
                    .map(|units| units.end - units.start)
                    .sum();
                let _ = write!(
                    text,
                    " Here, {} of it are live, and {} in all.",
                    count(live, unit),
                    count(pressure.registers, "register")
                );
            }
        }
        text
    }

    /// Returns the number of the line of an instruction, counted from 1.
    fn line_of(&self, routine: &RoutineAnalysis, index: usize) -> Option<usize> {
        let span = self.program.span_of(routine, index)?;
        let span = self.program.to_document(&span)?;
        Some(self.context.document.lines.line_of(span.start) + 1)
    }

    /// Describes the word of a coded field, such as a cache control, a directive or a key.
    fn meaning(&self) -> String {
        let meanings = &self.program.recorded.meanings;
        let found = meanings.binary_search_by_key(&self.token.span.start, |(start, _)| *start);
        let meaning = found.map_or("", |index| meanings[index].1.trim());
        match meaning {
            "" => String::new(),
            meaning => format!("`{}`: {meaning}", self.program.str(&self.token.span)),
        }
    }

    /// Describes the lanes that the predicate of an instruction selects, if the token is its name.
    fn condition(&self) -> String {
        let program = self.program;
        let Some(Referent::Declared { id, .. }) = self.token.referent() else {
            return String::new();
        };
        if id.class != IdClass::Predicate || self.token.is_definition() {
            return String::new();
        }
        let at = self.token.span.end;
        let next = program.recorded.instructions.iter().find(|one| one.mnemonic.start >= at);
        let prefixed = next.filter(|one| !program.text[at..one.mnemonic.start].contains('\n'));
        let sentence = prefixed.and_then(|instruction| {
            let routine = program.analysis_at(instruction.mnemonic.start)?;
            let index = program.index_of(&routine, instruction.mnemonic.start)?;
            let mut fields = Fields::new("pred");
            program.instruction(&routine, index)?.visit(&mut fields);
            fields.sentences.pop()
        });
        sentence.unwrap_or_default()
    }

    /// Describes the fields that the token belongs to.
    fn fields(&self, instruction: &RecordedInstruction, operand: &RecordedOperand) -> String {
        let recorded = &self.program.recorded;
        let names = recorded.fields_at(instruction, self.token.span.start);
        let names = names.unwrap_or(operand.fields).split_ascii_whitespace();
        let Some(row) = instruction.row else { return String::new() };
        let described = names.filter_map(|name| {
            let is_field =
                |field: &&FieldSpec| field.name == name && field.is_in(self.program.format());
            row.fields.iter().find(is_field).map(|field| format!("- {}", described(field)))
        });
        described.collect::<Vec<_>>().join("\n")
    }

    /// Describes the levels of caches, and whether the combination of controls is legal.
    fn cache_controls(
        &self,
        instruction: &RecordedInstruction,
        operand: &RecordedOperand,
    ) -> String {
        let program = self.program;
        let is_control = operand.fields.split_ascii_whitespace().any(|field| field == "l1");
        let controls = || {
            let at = instruction.mnemonic.start;
            let routine = program.analysis_at(at)?;
            let decoded = program.instruction(&routine, program.index_of(&routine, at)?)?;
            let module = &program.recorded.document.module;
            let efficient_64bit = module.routine(routine.routine)?.body.efficient_64bit;
            CacheControls::of(decoded, program.format(), program.platform, efficient_64bit)
        };
        let Some(controls) = is_control.then(controls).flatten() else { return String::new() };
        let platform = program.platform.map(|platform| format!(" on {platform}"));
        let platform = platform.unwrap_or_default();
        let legal = if controls.is_legal { "legal" } else { "not legal" };
        format!(
            "Messages control {} here. The combination `{}` is {legal}{platform}.",
            controls.levels.join(", "),
            program.str(&operand.span)
        )
    }

    /// Describes the value of an immediate, or the bytes and lanes that an operand accesses.
    fn operand(&self, instruction: &RecordedInstruction, operand: &RecordedOperand) -> String {
        let mut text = String::new();
        let program = self.program;
        let Some(routine) = program.analysis_at(instruction.mnemonic.start) else { return text };
        let Some(index) = program.index_of(&routine, instruction.mnemonic.start) else {
            return text;
        };
        let Some(decoded) = program.instruction(&routine, index) else { return text };
        let mut fields = Fields::new(operand.fields);
        decoded.visit(&mut fields);
        for sentence in &fields.sentences {
            let _ = writeln!(text, "{sentence}\n");
        }
        let is_number = matches!(self.token.kind, TokenKind::Number | TokenKind::Type);
        for imm in fields.immediates.into_iter().filter(|_| is_number) {
            let _ = writeln!(text, "{}\n", value_of(imm));
        }
        let tokens = program.recorded.tokens_in(&operand.span);
        for token in &program.recorded.tokens[tokens] {
            let Some(Referent::Declared { id, .. } | Referent::Predefined(id)) = token.referent()
            else {
                continue;
            };
            let storage = &routine.analysis.storage;
            let Some(location) = storage.location(id) else { continue };
            storage.visit_accesses(decoded, |access| {
                let is_write = matches!(access.kind, AccessKind::Write | AccessKind::IndirectWrite);
                if access.root == location.root && is_write == fields.is_written {
                    let name = program.name(token);
                    let _ = writeln!(text, "- {}", describe(&access, name, location.offset));
                }
            });
        }
        text
    }
}

/// The operands of fields.
struct Fields<'n> {
    names: &'n str,
    immediates: Vec<Imm>,
    is_written: bool,
    /// What the operands say about lanes and elements.
    sentences: Vec<String>,
}

impl<'n> Fields<'n> {
    fn new(names: &'n str) -> Fields<'n> {
        Fields { names, immediates: Vec::new(), is_written: false, sentences: Vec::new() }
    }

    fn has(&self, slot: Slot) -> bool {
        self.names.split_ascii_whitespace().any(|name| name == slot.field)
    }
}

impl Visitor for Fields<'_> {
    fn exec(&mut self, slot: Slot, exec: Exec) {
        if self.has(slot) {
            self.sentences.push(lanes_of(exec));
        }
    }

    fn pred(&mut self, slot: Slot, pred: Pred) {
        if self.has(slot) && !pred.is_none() {
            self.sentences.push(condition_of(pred));
        }
    }

    fn vector(&mut self, slot: Slot, operand: &Vector) {
        if self.has(slot) {
            self.immediates.extend(operand.as_imm());
            self.sentences.extend(region_of(operand));
            if operand.modifier != Modifier::NONE {
                let meaning = operand.modifier.meaning().trim();
                self.sentences.push(format!("Modifier: {meaning}"));
            }
        }
    }

    fn dst(&mut self, slot: Slot, operand: &Vector) {
        if self.has(slot) {
            self.is_written = true;
            self.sentences.extend(region_of(operand));
        }
    }

    fn cmp_dst(&mut self, slot: Slot, _: &Vector) {
        self.is_written |= self.has(slot);
    }

    fn raw(&mut self, slot: Slot, _: genvisa::operand::Raw) {
        self.is_written |= self.has(slot) && slot.is_written;
    }
}

/// Returns the names of the values of a field.
fn values_of(field: &FieldSpec) -> String {
    let names: Vec<String> =
        values(field).iter().map(|value| format!("`{}`", value.name)).collect();
    match names.len() {
        0 => String::new(),
        _ => format!(" {}.", names.join(", ")),
    }
}

/// Describes the lanes of an instruction.
fn lanes_of(exec: Exec) -> String {
    let first = exec.mask.first_lane();
    let lanes = match exec.size.lanes() {
        1 => format!("Lane {first} runs"),
        count => format!("Lanes {first} to {} run", first + count - 1),
    };
    let condition = match exec.mask.is_no_mask() {
        true => ", also those that control flow has disabled (`NM`, no mask).",
        false => ", except those that control flow has disabled.",
    };
    format!("{lanes}{condition}")
}

/// Describes the lanes that a predicate selects.
fn condition_of(pred: Pred) -> String {
    let value = if pred.is_inverted() { "0" } else { "1" };
    match pred.control() {
        PredControl::ANY => format!("All lanes run if the element of any lane is {value}."),
        PredControl::ALL => format!("All lanes run if the elements of all lanes are {value}."),
        _ => format!("Only lanes whose element is {value} run."),
    }
}

/// Describes the elements of a region.
fn region_of(operand: &Vector) -> Option<String> {
    let (VectorKind::General { region, .. } | VectorKind::Indirect { region, .. }) = operand.kind
    else {
        return None;
    };
    let (width, horizontal) = (region.width().elements(), region.horizontal().elements()?);
    let apart = |stride: usize| match stride {
        0 => "the same".to_owned(),
        1 => "adjacent".to_owned(),
        stride => format!("{stride} apart"),
    };
    let Some(width) = width else {
        return Some(format!("Region: the elements of lanes are {}.", apart(horizontal)));
    };
    let vertical = region.vertical().elements();
    Some(match (vertical, width, horizontal) {
        (Some(0), 1, _) => "Region: all lanes read the same element.".into(),
        (Some(vertical), 1, _) => {
            format!("Region: the elements of lanes are {}.", apart(vertical))
        }
        (Some(vertical), ..) if vertical == width * horizontal => {
            format!("Region: the elements of lanes are {}.", apart(horizontal))
        }
        (Some(vertical), ..) => format!(
            "Region: rows of {width} lanes; the elements of a row are {}, and rows start {vertical} elements \
             apart.",
            apart(horizontal)
        ),
        (None, ..) => format!(
            "Region: rows of {width} lanes, each with an address; the elements of a row are {}.",
            apart(horizontal)
        ),
    })
}

/// Returns the value of an immediate in its type.
fn value_of(imm: Imm) -> String {
    let mut text = format!("`{:#x}:{}`", imm.bits(), imm.ty());
    let bits = imm.bits();
    let _ = if let Some(value) = imm.as_f32() {
        write!(text, " = {value:?}")
    } else if let Some(value) = imm.as_f64() {
        write!(text, " = {value:?}")
    } else if let Some(half) = imm.as_half_bits() {
        write!(text, " = {:?}", half_value(half))
    } else if let Some(elements) = imm.as_packed_integers() {
        write!(text, " = {elements:?}")
    } else if let Some(elements) = imm.as_packed_floats() {
        write!(text, " = {elements:?}, floats of 8 bits")
    } else if let Some(value) = imm.as_integer() {
        write!(
            text,
            " = {value} = {:#b}",
            bits & (u64::MAX >> (64 - 8 * imm.ty().size().clamp(1, 8)))
        )
    } else if imm.ty() == DataType::BF {
        write!(text, " = {:?}", f32::from_bits((bits as u32) << 16))
    } else {
        Ok(())
    };
    text
}

/// Returns the value of a float of 16 bits.
fn half_value(bits: u16) -> f32 {
    let sign = if bits & 0x8000 == 0 { 1.0 } else { -1.0 };
    let (exponent, fraction) = (i32::from(bits >> 10 & 0x1f), f32::from(bits & 0x3ff));
    sign * match exponent {
        0 => fraction * 2f32.powi(-24),
        31 if fraction == 0.0 => f32::INFINITY,
        31 => f32::NAN,
        _ => (1.0 + fraction / 1024.0) * 2f32.powi(exponent - 15),
    }
}

/// Describes an access to a variable at an offset of its root.
fn describe(access: &Access, name: &str, offset: u32) -> String {
    let kind = match access.kind {
        AccessKind::Read => "reads",
        AccessKind::Write => "writes",
        AccessKind::IndirectRead => "may read",
        AccessKind::IndirectWrite => "may write",
        AccessKind::AddressTaken => "takes the address of",
        AccessKind::Discard => "discards",
        _ => "accesses",
    };
    let Footprint { element, columns, column_stride, rows, row_stride, .. } = access.footprint;
    let span = access.footprint.span();
    let unit = if access.root.class == IdClass::Predicate { "bits" } else { "bytes" };
    let (first, last) =
        (i64::from(span.start) - i64::from(offset), i64::from(span.end) - i64::from(offset) - 1);
    let mut text = format!("{kind} {unit} {first} to {last} of `{name}`");
    if rows * columns > 1 && element * columns * rows != span.end - span.start {
        let _ = write!(text, ": {} of {element}", count(rows * columns, "element"));
        let _ = match rows {
            1 => write!(text, ", every {column_stride}"),
            _ => write!(text, ", in rows of {columns}, every {column_stride} and {row_stride}"),
        };
    }
    if let Some(lanes) = access.lanes {
        let last = u32::from(lanes.first) + u32::from(lanes.count).saturating_sub(1);
        let _ = write!(text, ", lanes {} to {last}", lanes.first);
        if !lanes.is_masked {
            text += " without mask";
        }
    }
    match access.condition {
        Condition::Predicated => text += ", if the predicate is set",
        Condition::Possible => text += ", possibly",
        _ => {}
    }
    text
}

fn class(class: IdClass) -> &'static str {
    match class {
        IdClass::Variable => "general variable",
        IdClass::Address => "address variable",
        IdClass::Predicate => "predicate",
        IdClass::Surface => "surface",
        IdClass::Sampler => "sampler",
        IdClass::Label => "label",
        _ => "string",
    }
}

fn capitalized(text: &str) -> String {
    let mut chars = text.chars();
    chars
        .next()
        .map_or_else(String::new, |first| first.to_uppercase().collect::<String>() + chars.as_str())
}

fn count(number: u32, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}

fn times(number: usize) -> String {
    if number == 1 { "once".into() } else { format!("{number} times") }
}
