//! The result of `genvisa extract` as tables.

use std::io::{self, Write};

use anstyle::Style;
use genvisa_container::{Found, MachineCode};

use super::{Searched, Totals};
use crate::words::{count, printable, shortened, shown};

const BOLD: Style = Style::new().bold();

/// The longest name of a section and symbol in the table.
const MOST: usize = 30;

/// Prints what a file contains; nothing for a file without vISA. Returns whether anything was
/// printed.
pub fn print(searched: &Searched<'_>, out: &mut impl Write) -> io::Result<bool> {
    let container = &searched.container;
    let MachineCode { binaries, kernels, .. } = container.machine_code;
    if searched.chosen.is_empty() && binaries == 0 {
        return Ok(false);
    }
    let found = match searched.chosen.len() {
        0 => "no vISA".into(),
        objects if objects < container.objects.len() => {
            format!("{objects} of {}", count(container.objects.len(), "object"))
        }
        objects => count(objects, "object"),
    };
    write!(out, "{BOLD}{}{BOLD:#}: {found}", shown(&searched.path))?;
    if binaries > 0 {
        write!(out, ", {} with machine code of {}", files(binaries), count(kernels, "kernel"))?;
    }
    writeln!(out)?;
    if searched.chosen.is_empty() {
        return Ok(true);
    }
    let places: Vec<String> = searched.objects().map(|(_, found)| place(found)).collect();
    let width = places.iter().map(|place| place.chars().count()).max().unwrap_or(0).max(5);
    writeln!(
        out,
        "{BOLD}{:>5} {:>10} {:>8} {:>4}  {:8}  {:width$}  ROUTINES{BOLD:#}",
        "N", "OFFSET", "BYTES", "VISA", "SHA-256", "PLACE"
    )?;
    for (index, (number, found)) in searched.objects().enumerate() {
        let name = format!("!{number}");
        let version = found.version.map_or("-".into(), |version| version.to_string());
        let same = searched.same_as[number - 1].map(|number| format!("same as !{number}: "));
        writeln!(
            out,
            "{name:>5} {:#10x} {:>8} {version:>4}  {}  {:width$}  {}{}",
            found.place.offset(),
            found.bytes.len(),
            &searched.hashes[number - 1][..8],
            places[index],
            same.unwrap_or_default(),
            routines(found),
        )?;
    }
    Ok(true)
}

/// Returns the section and symbol of an object, and the files that contain it.
fn place(found: &Found<'_>) -> String {
    let names = found.path.iter().chain(&found.section).chain(&found.symbol);
    let names: Vec<String> = names.map(|name| printable(name)).collect();
    shortened(&names.join(" "), MOST)
}

/// Returns the first names of the routines, or the error of a text.
fn routines(found: &Found<'_>) -> String {
    if let Some(error) = &found.error {
        return printable(error);
    }
    let first: Vec<String> = found.routines.iter().take(2).map(|name| printable(name)).collect();
    let more = match found.routines.len() - first.len() {
        0 => String::new(),
        more => format!(", and {more} more"),
    };
    format!("{}{more}", first.join(", "))
}

/// Prints the sums over all files.
pub fn totals(totals: &Totals, out: &mut impl Write) -> io::Result<()> {
    let mut parts = vec![count(totals.files, "file"), count(totals.objects, "object")];
    if totals.broken > 0 {
        parts.push(format!("{} that cannot be read", count(totals.broken, "object")));
    }
    if totals.binaries > 0 {
        let kernels = count(totals.kernels, "kernel");
        parts.push(format!("{} with machine code only ({kernels})", files(totals.binaries)));
    }
    if totals.chance > 0 {
        parts.push(format!("{} with the letters CISA by chance", count(totals.chance, "place")));
    }
    writeln!(out, "{}", parts.join(", "))
}

fn files(binaries: usize) -> String {
    match binaries {
        1 => "1 device binary".into(),
        _ => format!("{binaries} device binaries"),
    }
}
