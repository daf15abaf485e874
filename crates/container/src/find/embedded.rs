//! ELF files and archives, whole files or parts of them: sections and symbols of objects, and the texts in device
//! binaries.

use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::Range;

use genvisa::Dialect;

use super::tree::{Node, Tree};
use super::{Container, EmbeddedBinaries, EmbeddedBinary, Found, Kind};
use crate::budget::Budget;
use crate::compressed;
use crate::elf::{ElfFile, Names};
use crate::patch_tokens;
use crate::place::{Place, Section, Start};

/// Adds the sections and symbols of the objects that have been found, and the texts in device
/// binaries.
pub fn add(container: &mut Container<'_>, dialect: Dialect) {
    let bytes = container.bytes;
    let budget = &Budget::for_file(bytes);
    let tree = Tree::read(bytes, budget, &mut container.damage);
    let texts = texts(&tree.nodes, container, dialect);
    container.objects.extend(texts);
    container.objects.sort_by_key(|found| found.place.offset());
    let has_visa = add_names(bytes, &tree.nodes, &mut container.objects, budget);
    let zebins = tree.nodes.iter().zip(has_visa).filter(|(_, has_visa)| !has_visa);
    for elf in zebins.filter_map(|(node, _)| node.elf.as_ref()) {
        let kernels = elf.kernels(bytes);
        if kernels > 0 {
            container.machine_code.binaries += 1;
            container.machine_code.kernels += kernels;
        }
    }
    for program in patch_tokens::programs(bytes, budget) {
        if first_in(&container.objects, &program.range).is_none() {
            container.machine_code.binaries += 1;
            container.machine_code.patch_tokens += 1;
            container.machine_code.kernels += program.kernels;
        }
    }
    for bundle in compressed::bundles(bytes) {
        container.damage.push(format!("the {} was not searched: unpack it first", bundle.label));
    }
    if budget.is_spent() {
        let problem = "not all ELF files, archives and names were read: their tables overlap";
        container.damage.push(problem.into());
    }
}

/// Returns the first of the objects, which are in the order of their offsets, that begins in a range.
fn first_in<'f, 'b>(objects: &'f [Found<'b>], range: &Range<usize>) -> Option<&'f Found<'b>> {
    let index = objects.partition_point(|found| found.place.offset() < range.start);
    objects.get(index).filter(|found| found.place.offset() < range.end)
}

/// Returns the texts in the device binaries. Overlapping sections are omitted, because each text is
/// parsed.
fn texts<'b>(nodes: &[Node], container: &mut Container<'b>, dialect: Dialect) -> Vec<Found<'b>> {
    let bytes = container.bytes;
    let mut sections: Vec<(Section, String)> = Vec::new();
    for elf in nodes.iter().filter_map(|node| node.elf.as_ref()) {
        for header in elf.visa_texts(bytes) {
            // The compiler writes no NUL, but other tools that write C strings may.
            let len = without_nuls(&bytes[header.data.clone()]).len();
            let data = header.data.start..header.data.start + len;
            let name = elf.name_of(bytes, header).unwrap_or_default();
            let section = Section { data, elf: elf.range.clone(), header: header.offset };
            if len > 0 {
                sections.push((section, name));
            }
        }
    }
    sections.sort_by_key(|(section, _)| section.data.start);
    let mut found = Vec::new();
    let (mut end, mut overlapping) = (0, None);
    for (section, name) in sections {
        if section.data.start < end || first_in(&container.objects, &section.data).is_some() {
            overlapping = overlapping.or(Some(section.data.start));
            continue;
        }
        end = section.data.end;
        let text = Found::text(bytes, Place::Section(section), Start::default(), dialect);
        found.push(Found { section: Some(name).filter(|name| !name.is_empty()), ..text });
    }
    if let Some(start) = overlapping {
        container.damage.push(format!(
            "the section with a text at {start:#x} was not read: it overlaps another text or object"
        ));
    }
    found
}

/// Sets the paths, sections and symbols of objects, which are in the order of their offsets. Returns
/// for each node whether it contains an object.
fn add_names(
    bytes: &[u8],
    nodes: &[Node],
    objects: &mut [Found<'_>],
    budget: &Budget,
) -> Vec<bool> {
    let mut has_visa = vec![false; nodes.len()];
    let mut names: HashMap<usize, Names> = HashMap::new();
    // The nodes that contain an offset, the outermost first.
    let mut open: Vec<usize> = Vec::new();
    let mut next = 0;
    for found in objects {
        let range = found.place.range();
        loop {
            let node = nodes.get(next).filter(|node| node.range.start <= range.start);
            let start = node.map_or(range.start, |node| node.range.start);
            while open.last().is_some_and(|index| nodes[*index].range.end <= start) {
                open.pop();
            }
            if node.is_none() {
                break;
            }
            open.push(next);
            next += 1;
        }
        let containing = open.iter().copied().filter(|index| nodes[*index].range.end >= range.end);
        let mut innermost: Option<(usize, &ElfFile)> = None;
        for index in containing {
            has_visa[index] = true;
            innermost = nodes[index].elf.as_ref().map(|elf| (index, elf)).or(innermost);
            if let Some(label) = nodes[index].label.as_ref().filter(|it| budget.take(it.len())) {
                found.path.push(label.clone());
            }
        }
        if let (Kind::Object, Some((index, elf))) = (found.kind, innermost) {
            let names = names.entry(index).or_insert_with(|| Names::read(bytes, elf, budget));
            found.section = names.section_at(bytes, elf, &range, budget);
            found.symbol = names.symbol_at(bytes, &range, budget);
        }
    }
    has_visa
}

/// Adds the device binaries in a file with their paths, which are shortened if the budget is spent.
pub fn add_device_binaries<'b>(bytes: &'b [u8], all: &mut EmbeddedBinaries<'b>) {
    let budget = &Budget::for_file(bytes);
    let nodes = &Tree::read(bytes, budget, &mut all.damage).nodes;
    let mut open: Vec<&Node> = Vec::new();
    for node in nodes {
        while open.last().is_some_and(|outer| outer.range.end <= node.range.start) {
            open.pop();
        }
        open.push(node);
        if node.elf.as_ref().is_some_and(ElfFile::is_device_binary) {
            let labels = open.iter().filter_map(|node| node.label.as_ref());
            let path = labels.filter(|label| budget.take(label.len())).cloned().collect();
            let (bytes, offset) = (Cow::Borrowed(&bytes[node.range.clone()]), node.range.start);
            all.binaries.push(EmbeddedBinary { bytes, offset, path });
        }
    }
}

/// Returns bytes without the NULs at their end.
fn without_nuls(bytes: &[u8]) -> &[u8] {
    let end = bytes.iter().rposition(|byte| *byte != 0).map_or(0, |last| last + 1);
    &bytes[..end]
}
