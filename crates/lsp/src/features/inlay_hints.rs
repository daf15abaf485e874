//! Inlay hints: the live registers at each instruction, if the settings request them.

use lsp_types::{InlayHint, InlayHintLabel, Range as LspRange};

use super::Context;

/// Returns the hints in a range.
pub fn hints(context: Context<'_>, range: LspRange) -> Vec<InlayHint> {
    let mut hints = Vec::new();
    if !context.settings.live_registers {
        return hints;
    }
    let (start, end) = (context.offset(range.start), context.offset(range.end));
    for program in &context.parsed().programs {
        for instruction in &program.recorded.instructions {
            let Some(span) = program.to_document(&instruction.span) else { continue };
            if span.start < start || span.start > end {
                continue;
            }
            let Some(routine) = program.analysis_at(instruction.mnemonic.start) else { continue };
            let Some(index) = program.index_of(&routine, instruction.mnemonic.start) else {
                continue;
            };
            let pressure = routine.analysis.liveness.pressure().get(index);
            let Some(pressure) = pressure else { continue };
            hints.push(InlayHint {
                position: context.range(&span).end,
                label: InlayHintLabel::String(format!("{} live", pressure.registers)),
                kind: None,
                text_edits: None,
                tooltip: None,
                padding_left: Some(true),
                padding_right: None,
                data: None,
            });
        }
    }
    hints
}
