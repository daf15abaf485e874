//! `docs/format.md` and the instruction table agree, and citations name existing sections.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use genvisa::isa::{Dialects, FieldSpec, RtWriteMode, SPEC, SampleOp, SubSpec};
use genvisa::object::{AliasScope, Align, InputClass, LabelKind, Linkage};
use genvisa::operand::lsc::{
    LscAddrSize, LscAddrType, LscCache, LscCacheOp, LscCacheSize, LscDataElems, LscDataOrder,
    LscDataSize, LscFenceOp, LscOp, LscScope, LscSfid,
};
use genvisa::operand::va::{
    AvsExecMode, ErodeDilateMode, FilterExecMode, HdcPixelSize, LbpMode, MinMaxEnable, OutputFormat,
};
use genvisa::operand::{
    AtomicOp, BarrierMode, BlockNum, BlockType, DataType, DnsclConversion, DnsclMode,
    DnsclRounding, ElementSize, LfsrOp, LifetimeClass, MediaModifier, MinMaxOp, Modifier, OwordNum,
    Precision, PredControl, RelOp, StateClass, Stride,
};
use genvisa::{ErrorKind, Format, Instruction, Version};
use genvisa_test_support::repository;

/// The document.
struct Doc {
    lines: Vec<Line>,
    /// The text with single spaces for line breaks.
    flat: String,
}

/// A line outside of code blocks.
struct Line {
    section: String,
    text: String,
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Returns the number of a heading `## N. Title` or `### N.M Title`.
fn section_number(line: &str) -> Option<&str> {
    let number = match line.strip_prefix("### ") {
        Some(heading) => heading.split(' ').next()?,
        None => line.strip_prefix("## ")?.split_once(". ")?.0,
    };
    number.starts_with(|ch: char| ch.is_ascii_digit()).then_some(number)
}

impl Doc {
    fn read() -> Doc {
        let text = read(&repository("docs/format.md"));
        let mut doc = Doc { lines: Vec::new(), flat: String::new() };
        let (mut section, mut is_code) = (String::new(), false);
        for line in text.lines() {
            if line.starts_with("```") {
                is_code = !is_code;
            } else if !is_code {
                section = section_number(line).map_or(section, str::to_owned);
                doc.flat += line.trim();
                doc.flat.push(' ');
                doc.lines.push(Line { section: section.clone(), text: line.to_owned() });
            }
        }
        assert!(!is_code, "a code block is not closed");
        doc
    }

    fn sections(&self) -> BTreeSet<&str> {
        self.lines.iter().filter_map(|line| section_number(&line.text)).collect()
    }

    /// Returns the tables with a head of these cells.
    fn tables(&self, head: &[&str]) -> Vec<Table> {
        let mut tables = Vec::new();
        for (i, line) in self.lines.iter().enumerate() {
            if cells(&line.text) != head {
                continue;
            }
            let before = self.lines[..i].iter().rev();
            let caption = before.map(|line| &line.text).find(|text| !text.is_empty());
            let rows = self.lines[i + 2..].iter().map(|line| &line.text);
            let rows = rows.take_while(|text| text.starts_with('|'));
            tables.push(Table {
                section: line.section.clone(),
                caption: caption.cloned().unwrap_or_default(),
                rows: rows.map(|text| cells(text)).collect(),
            });
        }
        tables
    }

    fn assert_states(&self, text: &str) {
        assert!(self.flat.contains(text), "docs/format.md does not state: {text}");
    }
}

struct Table {
    section: String,
    /// The last line before the table that is not empty.
    caption: String,
    rows: Vec<Vec<String>>,
}

fn cells(line: &str) -> Vec<String> {
    let inner = line.strip_prefix('|').and_then(|rest| rest.strip_suffix('|'));
    let cells = inner.map(|inner| inner.split('|').map(|cell| cell.trim().to_owned()).collect());
    cells.unwrap_or_default()
}

/// Returns the text between backticks.
fn codes(text: &str) -> Vec<&str> {
    text.split('`').skip(1).step_by(2).collect()
}

/// Returns the type of a field in the notation of the document: without parameters.
fn type_name(field: &FieldSpec) -> &str {
    match field.ty.split_once('<') {
        Some((generic, _)) => generic.trim_end().trim_end_matches("Of"),
        None => field.ty,
    }
}

/// Returns the condition of a field in the notation of the document: versions as `3.2`, and without
/// the default for an absent field.
fn condition(field: &FieldSpec) -> Option<String> {
    let when = field.when?;
    let when = when.split(',').next().unwrap_or(when);
    let when = when.split_once(" named ").map_or(when, |(when, _)| when);
    let words = when.split(' ').map(|word| {
        let version = word.strip_prefix('V').filter(|rest| rest.starts_with(char::is_numeric));
        version.map_or(word.to_owned(), |version| version.replace('_', "."))
    });
    Some(words.collect::<Vec<_>>().join(" "))
}

/// Returns a layout in the notation of the document.
fn layout(fields: &[FieldSpec]) -> String {
    let fields = fields.iter().map(|field| {
        let condition = condition(field).map(|when| format!(" [{when}]")).unwrap_or_default();
        format!("{}: {}{condition}", field.name, type_name(field))
    });
    fields.collect::<Vec<_>>().join(", ")
}

/// Returns the rows of a table of layouts: numbers, their names, and the layout.
fn layouts(table: &Table) -> impl Iterator<Item = (u8, String, String)> {
    table.rows.iter().flat_map(|row| {
        let [names, layout] = row.as_slice() else { panic!("{row:?}") };
        let layout = match layout.as_str() {
            "nothing" => String::new(),
            layout => layout.trim_matches('`').to_owned(),
        };
        let names = codes(names);
        assert!(names.len() >= 2 && names.len() % 2 == 0, "{row:?}");
        let pairs = names.chunks(2).map(|pair| (number(pair[0]), pair[1].to_owned()));
        pairs.map(|(code, name)| (code, name, layout.clone())).collect::<Vec<_>>()
    })
}

fn number(code: &str) -> u8 {
    let digits = code.strip_prefix("0x").unwrap_or_else(|| panic!("{code} is not an opcode"));
    u8::from_str_radix(digits, 16).expect("hexadecimal digits")
}

/// An opcode of the document: its mnemonic, layout and section.
type Opcodes = BTreeMap<u8, (String, String, String)>;

fn opcodes(doc: &Doc) -> Opcodes {
    let mut opcodes = Opcodes::new();
    let mut add = |opcode, name, layout, section: &str| {
        let before = opcodes.insert(opcode, (name, layout, section.to_owned()));
        assert_eq!(before, None, "{opcode:#04x} has two layouts");
    };
    for head in ["Opcode", "Opcodes"] {
        for table in doc.tables(&[head, "Layout"]) {
            layouts(&table).for_each(|(op, name, layout)| add(op, name, layout, &table.section));
        }
    }
    for table in doc.tables(&["Order", "Field", "Type", "Present", "Contents"]) {
        let [opcode, name] = codes(&table.caption)[..] else { panic!("{}", table.caption) };
        let fields = table.rows.iter().enumerate().map(|(i, row)| {
            assert_eq!(row[0], (i + 1).to_string(), "order of {name}");
            let condition = match row[3].as_str() {
                "always" => String::new(),
                when => format!(" [{when}]"),
            };
            format!("{}: {}{condition}", row[1].trim_matches('`'), row[2])
        });
        let layout = fields.collect::<Vec<_>>().join(", ");
        add(number(opcode), name.to_owned(), layout, &table.section);
    }
    opcodes
}

#[test]
fn every_opcode_has_its_layout() {
    let doc = Doc::read();
    let opcodes = opcodes(&doc);
    for spec in SPEC {
        let found = opcodes.get(&spec.opcode);
        let (name, found, section) =
            found.unwrap_or_else(|| panic!("{} is missing", spec.mnemonic));
        assert_eq!(name, spec.mnemonic);
        let expected = match spec.family {
            [] => layout(spec.fields),
            _ => "family".to_owned(),
        };
        assert_eq!(*found, expected, "{name}");
        assert!(section.starts_with(['4', '5']), "{name} is in section {section}");
    }
    assert_eq!(opcodes.len(), SPEC.len(), "an opcode is not in the instruction table");
}

#[test]
fn every_sub_opcode_has_its_layout() {
    let doc = Doc::read();
    let mut families = BTreeMap::new();
    for table in doc.tables(&["Sub-opcode", "Layout"]) {
        let rows =
            layouts(&table).map(|(op, name, layout)| ([vec![op], vec![], vec![]], name, layout));
        families.insert(number(codes(&table.caption)[0]), rows.collect::<Vec<_>>());
    }
    for table in doc.tables(&["Sub-opcodes", "Mnemonic", "Layout"]) {
        let rows = table.rows.iter().map(|row| {
            let (ops, newest) = row[0].split_once("[since 4.2]").unwrap_or((&row[0], ""));
            let (old, newer) = ops.split_once("[igc2026]").unwrap_or((ops, ""));
            let numbers = |text| codes(text).into_iter().map(number).collect::<Vec<_>>();
            let [name, layout] = [&row[1], &row[2]].map(|cell| cell.trim_matches('`').to_owned());
            ([old, newer, newest].map(numbers), name, layout)
        });
        families.insert(number(codes(&table.caption)[0]), rows.collect());
    }
    for spec in SPEC.iter().filter(|spec| !spec.family.is_empty()) {
        let expected: Vec<_> = spec.family.iter().map(sub_layout).collect();
        assert_eq!(families.remove(&spec.opcode), Some(expected), "{}", spec.mnemonic);
    }
    assert!(families.is_empty(), "{families:?}");
}

/// Returns a layout of a family in the notation of the document.
fn sub_layout(sub: &SubSpec) -> ([Vec<u8>; 3], String, String) {
    let ops = [sub.sub_opcodes, sub.newer_sub_opcodes, sub.newest_sub_opcodes];
    (ops.map(<[u8]>::to_vec), sub.mnemonic.to_owned(), layout(sub.fields))
}

#[test]
fn the_index_lists_every_opcode() {
    let doc = Doc::read();
    let opcodes = opcodes(&doc);
    let tables = doc.tables(&["Opcode", "Mnemonic", "Section", "Readers", "Meaning"]);
    let [index] = &tables[..] else { panic!("{} tables", tables.len()) };
    let expected = SPEC.iter().map(|spec| {
        let readers = match spec.dialects {
            Dialects::Everywhere => "all",
            Dialects::Igc => "igc2022, igc2026",
            Dialects::Igc2026 => "igc2026",
            Dialects::Text4_2 => "text of 4.2",
            other => panic!("{other:?}"),
        };
        let section = opcodes[&spec.opcode].2.clone();
        let opcode = format!("`{:#04x}`", spec.opcode);
        vec![opcode, format!("`{}`", spec.mnemonic), section, readers.to_owned()]
    });
    let rows: Vec<&[String]> = index.rows.iter().map(|row| &row[..4]).collect();
    assert_eq!(rows, expected.collect::<Vec<_>>());
}

#[test]
fn every_type_of_a_layout_is_defined() {
    let doc = Doc::read();
    let heads = [&["Type", "Bytes", "Contents"][..], &["Type", "Values"]];
    let tables = heads.into_iter().flat_map(|head| doc.tables(head));
    let rows = tables.filter(|table| table.section == "5.1").flat_map(|table| table.rows);
    let cells: Vec<String> = rows.map(|row| row[0].clone()).collect();
    let defined: BTreeSet<&str> = cells.iter().flat_map(|cell| codes(cell)).collect();
    let families = SPEC.iter().flat_map(|spec| spec.family).map(|sub| sub.fields);
    let layouts = SPEC.iter().map(|spec| spec.fields).chain(families);
    let used: BTreeSet<&str> = layouts.flatten().map(type_name).collect();
    assert_eq!(defined, used);
}

/// Checks that the document lists all values of coded fields that have a name.
macro_rules! assert_lists {
    ($doc:ident: $($name:ident)*) => {$(
        let values = $name::NAMED.iter().map(|value| {
            format!("{} `{}`", value.bits(), value.name().expect("a name"))
        });
        let values = values.collect::<Vec<_>>().join(", ");
        $doc.assert_states(&values);
    )*};
    ($doc:ident, in_rows: $($name:ident)*) => {$(
        let values = $name::NAMED.iter().map(|value| {
            format!("{} `{}`", value.bits(), value.name().expect("a name"))
        });
        let values = values.collect::<Vec<_>>().join(", ");
        $doc.assert_states(&format!("| `{}` | {values} |", stringify!($name)));
    )*};
    ($doc:ident, in_hex: $($name:ident)*) => {$(
        let values = $name::NAMED.iter().map(|value| {
            format!("{:#04x} `{}`", value.bits(), value.name().expect("a name"))
        });
        $doc.assert_states(&values.collect::<Vec<_>>().join(", "));
    )*};
}

#[test]
fn coded_values_have_their_names() {
    use genvisa::isa::SamplerOp;
    let doc = Doc::read();
    assert_lists!(doc: Align AliasScope DataType InputClass LabelKind LifetimeClass Linkage Modifier
        PredControl RelOp StateClass Stride);
    assert_lists!(doc, in_rows: AvsExecMode BarrierMode BlockNum BlockType ElementSize ErodeDilateMode
        FilterExecMode HdcPixelSize LbpMode LscAddrSize LscAddrType LscCache LscCacheOp LscCacheSize
        LscDataElems LscDataOrder LscDataSize LscFenceOp LscScope LscSfid MediaModifier MinMaxEnable
        MinMaxOp OutputFormat OwordNum Precision LfsrOp DnsclConversion DnsclMode
        DnsclRounding);
    assert_lists!(doc, in_hex: AtomicOp LscOp SamplerOp);
    for (name, flag) in RtWriteMode::all().iter_names() {
        doc.assert_states(&format!("| {} | `{name}` |", flag.bits().trailing_zeros()));
    }
    for op in SampleOp::NAMED {
        let params: Vec<&str> = op.params().iter().map(|param| param.name()).collect();
        doc.assert_states(&format!("| {:#04x} | `{op}` | {} |", op.bits(), params.join(", ")));
    }
}

#[test]
fn numbers_without_an_instruction_have_their_names() {
    let doc = Doc::read();
    let format = Format::igc2026(Version::V4_1);
    for opcode in 0..=u8::MAX {
        let error = Instruction::from_bytes(&[opcode], format).err();
        if let Some(ErrorKind::RetiredOpcode { name, .. } | ErrorKind::NoBinaryForm { name, .. }) =
            error.map(|error| error.kind().clone())
        {
            doc.assert_states(&format!("`{opcode:#04x}` `{name}`"));
        }
    }
}

/// Collects the source files in a folder and its subfolders.
fn sources(folder: PathBuf, files: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(&folder).expect("a folder of the repository") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            sources(path, files);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
}

/// Returns the sections that a text cites: the numbers after each `docs/format.md`, in lists such
/// as `4.1, 4.2 and 5.1 to 5.3`.
fn citations(text: &str) -> Vec<String> {
    // A citation may continue in the next line of a comment.
    let lines = text.lines().map(|line| line.trim().trim_start_matches(['/', '!']).trim());
    let text = lines.collect::<Vec<_>>().join(" ");
    let mut cited = Vec::new();
    for (at, name) in text.match_indices("docs/format.md") {
        let mut rest = &text[at + name.len()..];
        loop {
            let words = [", ", " and ", " to ", "section ", "sections ", " "];
            while let Some(next) = words.iter().find_map(|word| rest.strip_prefix(word)) {
                rest = next;
            }
            let end = rest.find(|ch: char| !ch.is_ascii_digit() && ch != '.');
            let (number, next) = rest.split_at(end.unwrap_or(rest.len()));
            let number = number.trim_end_matches('.');
            if number.is_empty() {
                break;
            }
            cited.push(number.to_owned());
            rest = next;
        }
    }
    cited
}

#[test]
fn citations_are_found() {
    let cited = |text: &str| citations(text).join(" ");
    assert_eq!(cited("(docs/format.md, 4.1 and 4.2)."), "4.1 4.2");
    assert_eq!(cited("//! docs/format.md,\n//! 2.1 to 2.4): more of it"), "2.1 2.4");
    assert_eq!(cited("docs/format.md, 6. docs/format.md, sections 1, 3 and 4."), "6 1 3 4");
    assert_eq!(cited("`docs/format.md` and others"), "");
}

#[test]
fn citations_name_sections() {
    let doc = Doc::read();
    let sections = doc.sections();
    let mut files = Vec::new();
    for folder in ["src", "tests", "examples", "benches", "crates"] {
        sources(repository(folder), &mut files);
    }
    // The text of the test above is not a citation.
    files.retain(|path| !path.ends_with("tests/suite/format_doc.rs"));
    for path in files {
        for section in citations(&read(&path)) {
            let known = sections.contains(section.as_str());
            assert!(known, "{} cites section {section}", path.display());
        }
    }
}

#[test]
fn sections_are_numbered_in_order() {
    let doc = Doc::read();
    let numbers = doc.lines.iter().filter_map(|line| section_number(&line.text));
    let mut before = (0, 0);
    for number in numbers {
        let next = match number.split_once('.') {
            Some((section, part)) => (section.parse(), part.parse()),
            None => (number.parse(), Ok(0)),
        };
        let next: (u32, u32) = (next.0.expect("a number"), next.1.expect("a number"));
        let follows = next == (before.0 + 1, 0) || next == (before.0, before.1 + 1);
        assert!(follows, "{number} follows {before:?}");
        before = next;
    }
}
