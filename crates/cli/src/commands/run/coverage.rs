//! Which instructions and source lines ran.

use std::collections::BTreeMap;
use std::io::Write;

use genvisa_interp::Executed;

use crate::output::Output;
use crate::source_files::SourceFiles;
use crate::words::printable;

/// Prints how many instructions and source lines ran, and the instructions that did not.
pub fn print(executed: &[Executed], sources: &SourceFiles, out: &mut Output) -> anyhow::Result<()> {
    let mut lines = BTreeMap::new();
    for Executed { site, times } in executed {
        if let Some(source) = &site.source {
            *lines.entry((&source.file, source.line)).or_insert(false) |= *times > 0;
        }
    }
    let ran = executed.iter().filter(|one| one.times > 0).count();
    write!(out, "{ran} of {} instructions ran", executed.len())?;
    if !lines.is_empty() {
        let ran = lines.values().filter(|ran| **ran).count();
        write!(out, ", from {ran} of {} source lines", lines.len())?;
    }
    writeln!(out)?;
    for Executed { site, .. } in executed.iter().filter(|one| one.times == 0) {
        writeln!(out, "  {} ${}: {}", printable(&site.routine), site.instruction, site.line)?;
        let Some(source) = &site.source else { continue };
        // Each line of a source once.
        if lines.remove(&(&source.file, source.line)) == Some(false) {
            match sources.text(&source.file, source.line) {
                Some(text) => writeln!(out, "    {source}: {text}")?,
                None => writeln!(out, "    {source}")?,
            }
        }
    }
    Ok(())
}
