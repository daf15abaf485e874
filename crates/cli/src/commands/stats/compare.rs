//! The tables of `genvisa stats` for two files: the routines of the same name side by side.

use std::collections::{BTreeMap, VecDeque};
use std::io::{self, Write};

use anstyle::Style;
use genvisa::analysis::{Change, Section};
use genvisa::object::RoutineKind;

use super::table::described;
use super::{Entry, FileEntries, cell};
use crate::modules::omitted::{Omitted, Unmatched, kernels};
use crate::words::{count, printable};

const BOLD: Style = Style::new().bold();
const DIM: Style = Style::new().dimmed();

/// Prints the routines of two files side by side.
pub fn print(before: &FileEntries, after: &FileEntries, out: &mut impl Write) -> io::Result<()> {
    if before.entries.is_empty() && after.entries.is_empty() {
        return Ok(());
    }
    writeln!(out, "before: {}\nafter:  {}", before.name, after.name)?;
    // As in `diff`: compilers name the only kernel of a dump differently.
    let kernels = |file: &FileEntries| {
        let entries = file.entries.iter().filter(|entry| entry.kind == RoutineKind::Kernel);
        entries.count() + kernels(&file.omitted)
    };
    let have_one_kernel = kernels(before) == 1 && kernels(after) == 1;
    let is_named = |entry: &Entry| !(have_one_kernel && entry.kind == RoutineKind::Kernel);
    let mut others: BTreeMap<_, VecDeque<&Entry>> = BTreeMap::new();
    for entry in &after.entries {
        let name = Some(&entry.name).filter(|_| is_named(entry));
        others.entry((entry.kind, name)).or_default().push_back(entry);
    }
    let mut pairs = Vec::new();
    let mut only_before = Vec::new();
    for entry in &before.entries {
        let name = Some(&entry.name).filter(|_| is_named(entry));
        match others.get_mut(&(entry.kind, name)).and_then(VecDeque::pop_front) {
            Some(other) => pairs.push((entry, other)),
            None => only_before.push(entry),
        }
    }
    let only_after: Vec<&Entry> = others.into_values().flatten().collect();
    for (entry, other) in pairs {
        compare(entry, other, out)?;
    }
    let mut omitted_before = Unmatched::new(&before.omitted, have_one_kernel);
    let mut omitted_after = Unmatched::new(&after.omitted, have_one_kernel);
    for (entries, omitted, file, other) in [
        (only_before, &mut omitted_after, before, after),
        (only_after, &mut omitted_before, after, before),
    ] {
        for Entry { kind, name, .. } in entries {
            match omitted.take(*kind, name) {
                Some(omitted) => not_compared(omitted, other, out)?,
                None => writeln!(out, "\n{kind} {}: only in {}", printable(name), file.name)?,
            }
        }
    }
    for omitted in omitted_before.rest() {
        not_compared(omitted, before, out)?;
    }
    for omitted in omitted_after.rest() {
        not_compared(omitted, after, out)?;
    }
    Ok(())
}

/// Prints a routine of a file that is not compared.
fn not_compared(omitted: &Omitted, file: &FileEntries, out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "\n{omitted}: not compared; {} in {}", omitted.reason(), file.name)
}

/// Prints two routines side by side: numbers that differ, and the most important ones that do not.
fn compare(before: &Entry, after: &Entry, out: &mut impl Write) -> io::Result<()> {
    let name = match before.name == after.name {
        true => printable(&before.name),
        false => format!("{} and {}", printable(&before.name), printable(&after.name)),
    };
    let facts = match (described(before), described(after)) {
        (before, after) if before == after => before,
        (before, after) => format!("{before}; after: {after}"),
    };
    writeln!(out, "\n{BOLD}{} {name}{BOLD:#}: {facts}", before.kind)?;
    let changes = before.statistics.changes(&after.statistics);
    for changes in changes.chunk_by(|a, b| a.section == b.section) {
        section(changes, out)?;
    }
    stated(before, after, out)?;
    let (Some(before), Some(after)) = (&before.machine_code, &after.machine_code) else {
        return Ok(());
    };
    head("Machine code", out)?;
    for change in before.changes(after) {
        row(
            change.name,
            [change.before, change.after],
            change.difference(),
            change.percent(),
            out,
        )?;
    }
    Ok(())
}

/// Prints the numbers that device binaries state about both.
fn stated(before: &Entry, after: &Entry, out: &mut impl Write) -> io::Result<()> {
    let (before, after) = (before.stated_numbers(), after.stated_numbers());
    let pairs = before.iter().filter_map(|(name, before)| {
        let (_, after) = after.iter().find(|(other, _)| other == name)?;
        Some((*name, u64::try_from(*before).ok()?, u64::try_from(*after).ok()?))
    });
    let changed: Vec<_> = pairs.filter(|(_, before, after)| before != after).collect();
    if !changed.is_empty() {
        head("Device binary", out)?;
    }
    for (name, before, after) in changed {
        let difference = after.wrapping_sub(before) as i64;
        let percent = (before > 0).then(|| 100.0 * difference as f64 / before as f64);
        row(name, [before, after], difference, percent, out)?;
    }
    Ok(())
}

fn head(title: &str, out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "\n{BOLD}{title:<42}{:>9}{:>9}{:>9}{BOLD:#}", "before", "after", "change")
}

fn row(
    name: &str,
    [before, after]: [u64; 2],
    difference: i64,
    percent: Option<f64>,
    out: &mut impl Write,
) -> io::Result<()> {
    write!(out, "  {:<40}{before:>9}{after:>9}", cell(name, 39))?;
    match (difference, percent) {
        (0, _) => writeln!(out, "{:>9}", "="),
        (difference, Some(percent)) => writeln!(out, "{difference:>+9}{percent:>+8.1} %"),
        (difference, None) => writeln!(out, "{difference:>+9}"),
    }
}

/// Prints the changes of a section, the largest first if it lists operations or messages.
fn section(changes: &[Change], out: &mut impl Write) -> io::Result<()> {
    let Some(first) = changes.first() else { return Ok(()) };
    let is_shown = |change: &&Change| change.difference() != 0 || is_important(change);
    let mut shown: Vec<&Change> = changes.iter().filter(is_shown).collect();
    if matches!(first.section, Section::Operations | Section::Kinds | Section::Messages) {
        shown.sort_by_key(|change| std::cmp::Reverse(change.difference().unsigned_abs()));
    }
    if shown.is_empty() {
        return Ok(());
    }
    head(&title(first.section), out)?;
    for change in &shown {
        let numbers = [change.before, change.after];
        row(&change.name, numbers, change.difference(), change.percent(), out)?;
    }
    let hidden: Vec<_> =
        changes.iter().filter(|change| !is_shown(change) && change.before > 0).collect();
    if !hidden.is_empty() {
        writeln!(out, "  {DIM}{} without change{DIM:#}", count(hidden.len(), "other number"))?;
    }
    Ok(())
}

fn title(section: Section) -> String {
    let name = section.name();
    name[..1].to_uppercase() + &name[1..]
}

/// Returns whether a number is shown if it does not differ.
fn is_important(change: &Change) -> bool {
    matches!(
        (change.section, &*change.name),
        (Section::Totals, "instructions" | "messages")
            | (Section::ControlFlow, "blocks" | "branches")
            | (Section::Pressure, "peak registers" | "peak bytes")
    )
}
