//! Signature help: the syntax of the row of an instruction, and the operand at the cursor.

use genvisa::isa::FieldSpec;
use genvisa_isa::summary;
use lsp_types::{
    Documentation, MarkupContent, MarkupKind, ParameterInformation, ParameterLabel, Position,
    SignatureHelp, SignatureInformation,
};

use super::Context;

/// Returns the name of a field and what it means.
pub fn described(field: &FieldSpec) -> String {
    match field.doc.trim() {
        "" => format!("`{}`", field.name),
        doc => format!("`{}`: {doc}", field.name),
    }
}

/// Returns the signature of the instruction at a position.
pub fn signature_help(context: Context<'_>, position: Position) -> Option<SignatureHelp> {
    let (program, at) = context.program_at(position)?;
    let instruction = program.instruction_at(at).filter(|found| found.mnemonic.end < at)?;
    let row = instruction.row?;
    let syntax = row.syntax(program.str(&instruction.mnemonic));
    let started = program.operands(instruction).iter().filter(|operand| operand.span.start <= at);
    let started: Vec<_> = started.collect();
    let is_after = |span: &std::ops::Range<usize>| span.end < at && !span.is_empty();
    let active = match started.last() {
        Some(last) if is_after(&last.span) => started.len(),
        Some(_) => started.len() - 1,
        None => 0,
    };
    let parameters = syntax.operands.iter().map(|(part, span)| {
        let fields = part.fields().filter_map(|name| {
            let field = row.fields.iter().find(|field| field.name == name)?;
            Some(described(field))
        });
        ParameterInformation {
            label: ParameterLabel::LabelOffsets([span.start as u32, span.end as u32]),
            documentation: Some(markdown(fields.collect::<Vec<_>>().join("  \n"))),
        }
    });
    let information = SignatureInformation {
        parameters: Some(parameters.collect()),
        documentation: Some(markdown(summary(row.doc))),
        active_parameter: Some(active as u32),
        label: syntax.text,
    };
    Some(SignatureHelp {
        signatures: vec![information],
        active_signature: Some(0),
        active_parameter: Some(active as u32),
    })
}

fn markdown(value: String) -> Documentation {
    Documentation::MarkupContent(MarkupContent { kind: MarkupKind::Markdown, value })
}
