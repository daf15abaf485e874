//! Signature help: the syntax of the row of an instruction, and the operand at the cursor.

use genvisa::isa::FieldSpec;
use genvisa::text::{RowText, SyntaxPart};
use lsp_types::{
    Documentation, MarkupContent, MarkupKind, ParameterInformation, ParameterLabel, Position,
    SignatureHelp, SignatureInformation,
};

use super::Context;

/// The text of a row, and the ranges of its operands in it.
pub struct Syntax {
    /// The text, such as `mov.sat (exec) dst src0`.
    pub text: String,
    /// The parts that are operands, with their bytes.
    pub operands: Vec<(SyntaxPart, std::ops::Range<usize>)>,
}

/// Returns the syntax of a row. Optional parts are in brackets.
pub fn syntax(row: &RowText, mnemonic: &str) -> Syntax {
    let mut text = String::new();
    let mut operands = Vec::new();
    for part in row.parts {
        let names = || part.fields().collect::<Vec<_>>().join(",");
        let (before, name) = match part {
            SyntaxPart::Predicate => ("", "[(pred)] ".to_owned()),
            SyntaxPart::Mnemonic => ("", mnemonic.to_owned()),
            SyntaxPart::Saturation => ("", "[.sat]".to_owned()),
            SyntaxPart::Text(fixed) => ("", (*fixed).to_owned()),
            SyntaxPart::Suffix(_) => (".", names()),
            SyntaxPart::Joined(_) => ("", names()),
            SyntaxPart::Operand("exec") => (" ", "(exec)".to_owned()),
            SyntaxPart::Operand(_) => (" ", names()),
            SyntaxPart::Item(_) => (" ", format!("<{}>", names())),
            _ => continue,
        };
        // Items of the whole instruction have no fields.
        let name = if name == "<>" { "<..>".to_owned() } else { name };
        text += before;
        let start = text.len();
        text += &name;
        let is_operand = matches!(
            part,
            SyntaxPart::Suffix(_)
                | SyntaxPart::Joined(_)
                | SyntaxPart::Operand(_)
                | SyntaxPart::Item(_)
        );
        if is_operand {
            operands.push((*part, start..text.len()));
        }
    }
    Syntax { text, operands }
}

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
    let syntax = syntax(row, program.str(&instruction.mnemonic));
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
        documentation: Some(markdown(row.doc.trim().into())),
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
