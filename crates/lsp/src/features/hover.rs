//! Hover: what a mnemonic, a name, an operand, an immediate or another word means.

use std::fmt::Write;
use std::ops::Range;

use genvisa::analysis::{Access, AccessKind, Condition, Footprint};
use genvisa::isa::{Id, IdClass};
use genvisa::operand::{DataType, Imm, Slot, Vector, Visitor};
use genvisa::text::{
    RecordedInstruction, RecordedOperand, Referent, RowText, Token, TokenKind, row_texts,
};
use genvisa::verify::CacheControls;
use lsp_types::{Hover, HoverContents, MarkupContent, MarkupKind, Position};

use super::Context;
use super::signature::{described, syntax};
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
        let mut parts = vec![self.name(), self.meaning(operand)];
        if let Some((instruction, operand)) = operand {
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
        for row in rows {
            let _ =
                write!(text, "```visaasm\n{}\n```\n{}\n", syntax(row, word).text, row.doc.trim());
            for field in row.fields.iter().filter(|field| field.is_in(self.program.format())) {
                let _ = write!(text, "\n- {}", described(field));
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

    /// Describes the word of a coded field, such as a cache control.
    fn meaning(&self, operand: Option<(&RecordedInstruction, &RecordedOperand)>) -> String {
        let meanings = &self.program.recorded.meanings;
        let Range { start, end } = self.token.span;
        let in_range = |range: Range<usize>| {
            let index = |at: usize| meanings.partition_point(|(start, _)| *start < at);
            &meanings[index(range.start)..index(range.end)]
        };
        let Some((_, meaning)) = in_range(start..end).first() else { return String::new() };
        if meaning.trim().is_empty() {
            return String::new();
        }
        let mut text = format!("`{}`:{meaning}", self.program.str(&self.token.span));
        let Some((_, operand)) = operand else { return text };
        let fields: Vec<&str> = operand.fields.split_ascii_whitespace().collect();
        let words = in_range(operand.span.clone());
        let number = words.iter().position(|(at, _)| *at == start);
        // With fewer words than fields, the last word is of the last field, as for L1 and L3.
        let field = number.and_then(|number| match fields.len().checked_sub(words.len()) {
            Some(missing) if number + 1 == words.len() => fields.get(number + missing),
            _ => fields.get(number),
        });
        if let Some(field) = field {
            let _ = write!(text, " Field `{field}`");
            let _ = match self.program.platform {
                Some(platform) => write!(text, ", on {platform}."),
                None => write!(text, "."),
            };
        }
        text
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
        let mut fields =
            Fields { names: operand.fields, immediates: Vec::new(), is_written: false };
        decoded.visit(&mut fields);
        for imm in fields.immediates {
            if !matches!(self.token.referent(), Some(Referent::Declared { .. })) {
                let _ = writeln!(text, "{}\n", value_of(imm));
            }
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
}

impl Fields<'_> {
    fn has(&self, slot: Slot) -> bool {
        self.names.split_ascii_whitespace().any(|name| name == slot.field)
    }
}

impl Visitor for Fields<'_> {
    fn vector(&mut self, slot: Slot, operand: &Vector) {
        if self.has(slot) {
            self.immediates.extend(operand.as_imm());
        }
    }

    fn dst(&mut self, slot: Slot, _: &Vector) {
        self.is_written |= self.has(slot);
    }

    fn cmp_dst(&mut self, slot: Slot, _: &Vector) {
        self.is_written |= self.has(slot);
    }

    fn raw(&mut self, slot: Slot, _: genvisa::operand::Raw) {
        self.is_written |= self.has(slot) && slot.is_written;
    }
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
