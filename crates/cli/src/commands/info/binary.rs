//! Device binaries as text: details, a table, or the differences between two.

use std::io::{self, Write};

use anstyle::Style;
use genvisa_container::device::{Entry, KernelArgument, KernelOverview, Measure, Overview};

use super::Binary;
use crate::words::{count, printable};

const BOLD: Style = Style::new().bold();

/// Prints all facts about the kernels of device binaries.
pub fn print(binaries: &[Binary], out: &mut impl Write) -> io::Result<()> {
    let described = binaries.iter().filter_map(|it| Some((it, it.overview.as_ref().ok()?)));
    for (index, (binary, overview)) in described.enumerate() {
        if index > 0 {
            writeln!(out)?;
        }
        head(binary, overview, out)?;
        for kernel in &overview.kernels {
            writeln!(out)?;
            details(kernel, out)?;
        }
    }
    Ok(())
}

fn head(binary: &Binary, overview: &Overview, out: &mut impl Write) -> io::Result<()> {
    let mut facts = vec![device(overview)];
    if let Some(Entry::Text(version)) = overview.members.get("version") {
        facts.push(format!(".ze_info {}", printable(version)));
    }
    facts.push(count(overview.kernels.len(), "kernel"));
    facts.push(count(binary.size, "byte"));
    writeln!(out, "{BOLD}{}{BOLD:#}: {}", binary.name(), facts.join(", "))?;
    if let Some(options) = overview.build_options.as_ref().filter(|it| !it.is_empty()) {
        writeln!(out, "build options: {}", printable(options))?;
    }
    if !overview.missing_kernels.is_empty() {
        let names = printable(&overview.missing_kernels.join(", "));
        writeln!(out, "in the SPIR-V module, but not compiled: {names}")?;
    }
    Ok(())
}

/// Returns the device that a binary is for.
fn device(overview: &Overview) -> String {
    let target = &overview.target;
    let version = target.ip_version.map(|(architecture, release, revision)| {
        format!("graphics IP {architecture}.{release}.{revision}")
    });
    match (target.device(), version, target.product_family) {
        (Some((platform, device)), Some(version), _) => format!("{platform} ({device}, {version})"),
        (_, Some(version), _) => version,
        (_, None, Some(family)) => format!("product family {family}"),
        (_, None, None) => "no device stated".into(),
    }
}

fn details(kernel: &KernelOverview, out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "{BOLD}kernel {}{BOLD:#}", printable(&kernel.name))?;
    let measures = KernelOverview::MEASURES;
    let lanes = kernel.execution("simd_size").max(1);
    for Measure { name, member, unit, of_thread, .. } in measures {
        let number = kernel.execution(member);
        if *of_thread && number > 0 {
            let of_lane = number / lanes;
            writeln!(out, "  {name:<12}{number} bytes of each thread, {of_lane} of each lane")?;
            continue;
        }
        match (unit.is_empty(), usize::try_from(number)) {
            (false, Ok(number)) => writeln!(out, "  {name:<12}{}", count(number, unit))?,
            _ => writeln!(out, "  {name:<12}{number}")?,
        }
    }
    let text = if kernel.has_text { ", with text" } else { "" };
    let code = kernel.code_size.map_or("none".into(), |size| count(size as usize, "byte"));
    writeln!(out, "  {:<12}{code}{text}", "code")?;
    for memory in kernel.memory() {
        writeln!(out, "  {:<12}{}", "memory", describe_memory(memory))?;
    }
    for argument in &kernel.arguments {
        writeln!(out, "  {:<12}{}", "argument", printable(&describe(argument)))?;
    }
    let is_measure = |member: &str| measures.iter().any(|measure| measure.member == member);
    let mut flags = Vec::new();
    for (member, value) in &kernel.execution {
        match value {
            Entry::Flag(true) => flags.push(&**member),
            Entry::Flag(false) | Entry::Integer(0) => {}
            _ if is_measure(member) => {}
            value => writeln!(out, "  {} = {}", printable(member), shown(value))?,
        }
    }
    if !flags.is_empty() {
        writeln!(out, "  {:<12}{}", "flags", printable(&flags.join(", ")))?;
    }
    Ok(())
}

/// Returns memory with its size, which is that of a thread or of a lane.
fn describe_memory(memory: &Entry) -> String {
    let size = memory.get("size").map_or("?".into(), shown);
    let owner = match memory.get("is_simt_thread") {
        Some(Entry::Flag(true)) => "lane",
        _ => "thread",
    };
    let kinds = ["type", "usage"].iter().filter_map(|member| memory.get(member));
    let kinds: Vec<String> = kinds.map(shown).collect();
    format!("{size} bytes of each {owner}: {}", kinds.join(", "))
}

/// Returns an argument with its type and how it is passed.
fn describe(argument: &KernelArgument) -> String {
    let mut text = format!("{}", argument.index);
    for word in [argument.type_name(), argument.name()] {
        if !word.is_empty() {
            text += &format!(" {word}");
        }
    }
    let members = ["addrspace", "addrmode", "access_type"];
    let mut facts: Vec<String> =
        members.iter().filter_map(|member| argument.payload(member)).map(shown).collect();
    if facts.is_empty() {
        let sizes = argument.payload.iter().filter_map(|value| match value.get("size") {
            Some(Entry::Integer(size)) => usize::try_from(*size).ok(),
            _ => None,
        });
        facts.extend(Some(sizes.sum()).filter(|size| *size > 0).map(|size| count(size, "byte")));
    }
    if !facts.is_empty() {
        text += &format!(": {}", facts.join(", "));
    }
    text
}

fn members(entry: &Entry) -> String {
    let members = entry.members().into_iter().flatten();
    let members: Vec<String> =
        members.map(|(name, value)| format!("{name} {}", shown(value))).collect();
    printable(&members.join(", "))
}

fn shown(entry: &Entry) -> String {
    match entry {
        Entry::Flag(flag) => flag.to_string(),
        Entry::Integer(number) => number.to_string(),
        Entry::Text(text) => printable(text),
        Entry::List(list) => {
            format!("[{}]", list.iter().map(shown).collect::<Vec<_>>().join(", "))
        }
        entry => format!("{{{}}}", members(entry)),
    }
}

/// Returns a value, or the number of elements of a list of mappings.
fn brief(entry: &Entry) -> String {
    match entry.list() {
        Some(list) if list.iter().any(|element| element.members().is_some()) => {
            count(list.len(), "element")
        }
        _ => shown(entry),
    }
}

/// Prints a line for each kernel.
pub fn table<'b>(
    binaries: impl Iterator<Item = &'b Binary>,
    out: &mut impl Write,
) -> io::Result<()> {
    let measures = KernelOverview::MEASURES;
    let (mut files, mut kernels) = (0, 0);
    write!(out, "{BOLD}")?;
    for measure in measures {
        write!(out, "{:>9} ", measure.name.to_uppercase())?;
    }
    writeln!(out, "{:>9}  KERNEL{BOLD:#}", "CODE")?;
    for binary in binaries {
        let Ok(overview) = &binary.overview else { continue };
        files += 1;
        writeln!(out, "{BOLD}{}{BOLD:#}: {}", binary.name(), device(overview))?;
        for kernel in &overview.kernels {
            kernels += 1;
            for measure in measures {
                write!(out, "{:>9} ", kernel.execution(measure.member))?;
            }
            let code = kernel.code_size.map_or("-".into(), |size| size.to_string());
            writeln!(out, "{code:>9}  {}", printable(&kernel.name))?;
        }
    }
    writeln!(out, "{}, {}", binaries_of(files), count(kernels, "kernel"))
}

fn binaries_of(files: usize) -> String {
    match files {
        1 => "1 device binary".into(),
        _ => format!("{files} device binaries"),
    }
}

/// Prints the differences between the kernels of two files.
pub fn compare(before: &[Binary], after: &[Binary], out: &mut impl Write) -> io::Result<()> {
    let [a, b] = [before, after].map(|binaries| {
        let kernels = binaries.iter().flat_map(Binary::kernels);
        kernels.map(|kernel| (&*kernel.name, kernel)).collect::<std::collections::BTreeMap<_, _>>()
    });
    let [first, second] =
        [before, after].map(|it| it.first().map(|it| it.file.clone()).unwrap_or_default());
    writeln!(out, "{BOLD}A: {first}, B: {second}{BOLD:#}")?;
    let mut equal = 0;
    for (name, kernel) in &a {
        let Some(other) = b.get(name) else {
            writeln!(out, "kernel {}: only in A", printable(name))?;
            continue;
        };
        let differences = differences(kernel, other);
        if differences.is_empty() {
            equal += 1;
            continue;
        }
        writeln!(out, "kernel {}", printable(name))?;
        let width = differences.iter().map(|it| it.0.len()).max().unwrap_or(0);
        for (member, old, new) in differences {
            let change = if old == new { "changed".into() } else { format!("{old} -> {new}") };
            writeln!(out, "  {:<width$}  {change}", printable(member))?;
        }
    }
    for name in b.keys().filter(|name| !a.contains_key(*name)) {
        writeln!(out, "kernel {}: only in B", printable(name))?;
    }
    if equal > 0 {
        let verb = if equal == 1 { "is" } else { "are" };
        writeln!(out, "{} {verb} equal", count(equal, "kernel"))?;
    }
    Ok(())
}

/// Returns the members of two kernels that differ, with their values.
fn differences<'k>(a: &'k KernelOverview, b: &'k KernelOverview) -> Vec<(&'k str, String, String)> {
    let mut found = Vec::new();
    let size =
        |kernel: &KernelOverview| kernel.code_size.map_or("none".into(), |it| it.to_string());
    if a.code_size != b.code_size {
        found.push(("code_size", size(a), size(b)));
    }
    for (old, new) in [(&a.execution, &b.execution), (&a.members, &b.members)] {
        let others = new.keys().filter(|member| !old.contains_key(*member));
        for member in old.keys().chain(others) {
            let (old, new) = (old.get(member), new.get(member));
            if old != new {
                let text = |value: Option<&Entry>| value.map_or("none".into(), brief);
                found.push((&**member, text(old), text(new)));
            }
        }
    }
    found
}
