//! Errors about instructions that the format cannot encode.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::ops::Range;

use crate::error::{ErrorKind, PathSegment};
use crate::format::{Dialect, Format, Version};
use crate::isa::Instruction;
use crate::text::context::Parser;
use crate::text::cursor::Failed;
use crate::text::diagnostic::cut;

impl Parser<'_> {
    /// Reports an instruction that the format cannot encode.
    pub(in crate::text) fn not_encodable(
        &mut self,
        instruction: &Instruction,
        error: &crate::Error,
        span: Range<usize>,
    ) -> Failed {
        let help = first_format(instruction, error, self.format);
        let message = match error.kind() {
            ErrorKind::UnknownSubOpcode { .. } => {
                let word = self.c.str(self.state.word.start..span.end);
                let word = word.split_ascii_whitespace().next().unwrap_or_default();
                format!("{} has no `{}`", self.format, cut(word))
            }
            _ => without_offset(error),
        };
        self.c.fail_with_help(span, &message, help)
    }
}

/// Returns the message of an error without the offset, which is not final yet.
fn without_offset(error: &crate::Error) -> String {
    let fields: Vec<String> = error.path().map(|place| place.to_string()).collect();
    match fields.is_empty() {
        true => error.kind().to_string(),
        false => format!("{}: {}", fields.join(", "), error.kind()),
    }
}

/// Returns a hint with the first version, or else the dialect, that can encode an instruction.
fn first_format(instruction: &Instruction, error: &crate::Error, format: Format) -> Option<String> {
    let can_encode = |format: &Format| instruction.to_bytes(*format).is_ok();
    let versions =
        |dialect| Version::BINARY.iter().map(move |version| Format::new(dialect, *version));
    if let Some(format) = versions(format.dialect).find(can_encode) {
        return Some(format!("version {} can encode it", format.version));
    }
    // Prefer the default dialect: the user need not name it.
    let dialects = [Dialect::default(), Dialect::Igc2026];
    match dialects.into_iter().flat_map(versions).find(can_encode) {
        Some(Format { dialect, version }) => {
            Some(format!("dialect {dialect} can encode it, from version {version} on"))
        }
        None => (can_encode(&Format::V4_2) || is_only_in_4_2(instruction, error))
            .then(|| "only version 4.2 has it, which exists as text only".into()),
    }
}

/// Returns whether an error is about a field or a value that only 4.2 has. The instruction may lack
/// other fields of 4.2, so that 4.2 cannot encode it either.
fn is_only_in_4_2(instruction: &Instruction, error: &crate::Error) -> bool {
    let (spec, path) = (instruction.spec(), error.path());
    let fields: Vec<&str> = path
        .filter_map(|segment| match segment {
            PathSegment::Field(field) => Some(*field),
            _ => None,
        })
        .collect();
    let layouts = spec.family.iter().flat_map(|layout| layout.fields);
    // Other formats have fields of these types, but only with ids.
    let mut newest = (spec.fields.iter().chain(layouts)).filter(|field| {
        field.when == Some("igc2026 since V4_2") || matches!(field.ty, "Sampler" | "Surface")
    });
    newest.any(|field| fields.contains(&field.name))
}
