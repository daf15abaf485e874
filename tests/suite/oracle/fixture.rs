//! A kernel for the instructions under test, and constructors of operands that resemble the
//! reference's text.

use genvisa::isa::{Loc, Ret, Subroutine};
use genvisa::object::{Align, Attribute, Body, Code, Kernel, LabelKind, Module};
use genvisa::operand::{
    AddrId, DataType, Dst, Exec, ExecMask, ExecSize, LabelId, Pred, PredId, Raw, Region, SamplerId,
    ShortStringId, Stride, SurfaceId, VarId, Vector,
};
use genvisa::text::{Listing, Style};
use genvisa::{Dialect, Format, Instruction, Result, Version};
use genvisa_test_support::genx_ir;

/// Versions on both sides of every change of an instruction's bytes.
pub const VERSIONS: [Version; 5] =
    [Version::V3_0, Version::V3_2, Version::V3_4, Version::V3_6, Version::V4_1];

/// An instruction and the text that GenX_IR must print for it.
pub struct Row {
    pub instruction: Instruction,
    pub text: String,
}

impl Row {
    pub fn new(instruction: impl Into<Instruction>, text: impl Into<String>) -> Row {
        Row { instruction: instruction.into(), text: text.into() }
    }
}

/// Creates rows from `instruction => text`.
macro_rules! rows {
    ($($instruction:expr => $text:expr,)*) => {
        vec![$($crate::oracle::fixture::Row::new($instruction, $text)),*]
    };
}
pub(super) use rows;

pub const P1: PredId = PredId(1);
pub const P2: PredId = PredId(2);
pub const P3: PredId = PredId(3);
pub const A1: AddrId = AddrId(1);
pub const S1: SamplerId = SamplerId(1);
pub const S2: SamplerId = SamplerId(2);
pub const T6: SurfaceId = SurfaceId(6);
pub const T7: SurfaceId = SurfaceId(7);
pub const T8: SurfaceId = SurfaceId(8);
/// The start of the kernel.
const START: LabelId = LabelId(0);
/// A label that is printed as `block_3`.
pub const BLOCK: LabelId = LabelId(1);
/// A label that is printed as `other_4`.
pub const OTHER: LabelId = LabelId(2);
/// A label that is printed as `routine_5`, or as `routine_5_3` with its id.
pub const ROUTINE: LabelId = LabelId(3);
/// The string `callee`.
pub const CALLEE: ShortStringId = ShortStringId(6);

const REGION: Region = Region::new(Stride::S8, Stride::S8, Stride::S1);

/// `V{id}.{offset}`
pub fn raw(id: u32, offset: u16) -> Raw {
    Raw::new(VarId(id), offset)
}

/// `V{id}({row},{col})<8;8,1>`
pub fn src(id: u32, row: u8, col: u8) -> Vector {
    Vector::general_at(VarId(id), row, col, REGION)
}

/// `V{id}({row},{col})<0;1,0>`
pub fn scalar(id: u32, row: u8, col: u8) -> Vector {
    Vector::general_at(VarId(id), row, col, Region::SCALAR)
}

/// `V{id}({row},{col})<1>`
pub fn dst(id: u32, row: u8, col: u8) -> Dst {
    Dst(Vector::general_at(VarId(id), row, col, Region::dst(Stride::S1)))
}

/// `({mask}, {lanes})`
pub fn exec(mask: ExecMask, size: ExecSize) -> Exec {
    Exec::new(size, mask)
}

/// `(P{id})`
pub fn when(id: PredId) -> Pred {
    Pred::new(id).expect("a small id")
}

/// Compares the text of this crate with the rows of a topic in every version.
pub fn check_own_text(rows: fn(Version) -> Vec<Row>) {
    for version in VERSIONS {
        let rows = rows(version);
        let errors = differences(&own_text(&module(version, &rows)), &rows);
        assert!(errors.is_empty(), "version {version}, our text:\n{}", errors.join("\n"));
    }
}

/// Compares the text of GenX_IR with the rows of a topic in every version.
pub fn check_genx_ir(platform: &str, rows: fn(Version) -> Vec<Row>) {
    for version in VERSIONS {
        check(platform, version, &rows(version));
    }
}

/// Returns this crate's text in the style of GenX_IR.
fn own_text(file: &[u8]) -> String {
    let module = Module::from_bytes(file, Dialect::Igc2022).expect("a module just written");
    let routine = module.routines().next().expect("a kernel");
    Listing::new(routine).with_style(Style::GenXIr).to_text().expect("legal code")
}

/// Checks that GenX_IR prints the text of each row.
fn check(platform: &str, version: Version, rows: &[Row]) {
    let errors = match compare(platform, version, rows) {
        Ok(errors) => errors,
        // GenX_IR prints nothing if one instruction is bad: find it.
        Err(why) => {
            let lengths: Vec<usize> = (1..=rows.len()).collect();
            let is_printed = |len: &usize| compare(platform, version, &rows[..*len]).is_ok();
            let bad =
                rows.get(lengths.partition_point(is_printed)).map_or("any row", |row| &row.text);
            vec![format!("expected: {bad}\n but {why}")]
        }
    };
    assert!(errors.is_empty(), "version {version} on {platform}:\n{}", errors.join("\n"));
}

/// Returns the rows whose text differs, and the first difference between the whole text and this
/// crate's. Returns an error if GenX_IR prints nothing.
fn compare(platform: &str, version: Version, rows: &[Row]) -> Result<Vec<String>, String> {
    let file = module(version, rows);
    let printed = genx_ir::disassemble(&file, platform)?;
    let mut errors = differences(&printed, rows);
    let own = own_text(&file);
    if let Some(difference) = genvisa_test_support::corpus::first_difference(&own, &printed) {
        errors.push(difference);
    }
    Ok(errors)
}

/// Returns the rows whose text differs from the expected text.
fn differences(listing: &str, rows: &[Row]) -> Vec<String> {
    let printed = row_texts(listing);
    let difference = |(index, row): (usize, &Row)| {
        let found = printed.get(index + 1).map_or("nothing", String::as_str);
        let expected = normalized(&row.text);
        (found != expected).then(|| format!("expected: {expected}\n printed: {found}"))
    };
    rows.iter().enumerate().filter_map(difference).collect()
}

/// Returns a file with one kernel of all rows. A LOC precedes each row, because labels, LOC and
/// FILE have no number in the text.
fn module(version: Version, rows: &[Row]) -> Vec<u8> {
    let format = Format::igc2022(version);
    let mut kernel = Kernel::new("kernel");
    declare(&mut kernel.body).expect("space in every table");
    // The header of the text has no line break at its end, but a subroutine begins with one.
    let mut instructions = vec![Subroutine { label: START }.into()];
    for (number, row) in rows.iter().enumerate() {
        instructions.push(loc(number));
        instructions.push(row.instruction);
    }
    instructions.push(loc(rows.len()));
    instructions.push(Ret { exec: ExecSize::S1.into(), pred: Pred::NONE }.into());
    kernel.body.code = Code::from_instructions(&instructions, format).expect("encodable rows");
    let mut module = Module::new(format);
    module.kernels.push(kernel);
    module.to_bytes().expect("an encodable module")
}

/// Declares the operands of the rows.
fn declare(body: &mut Body<'_>) -> Result<()> {
    // Declare labels first: their text ends with the number of their string.
    body.add_label("start", LabelKind::SUBROUTINE)?;
    body.add_label("block", LabelKind::BLOCK)?;
    body.add_label("other", LabelKind::BLOCK)?;
    body.add_label("routine", LabelKind::SUBROUTINE)?;
    body.intern("callee");
    for id in VarId::FIRST_DECLARED.0..64 {
        body.add_variable(&format!("V{id}"), DataType::UD, 256, Align::GRF);
    }
    for _ in 0..4 {
        body.add_address("", 16)?;
        body.add_predicate("", 32)?;
        body.add_sampler("")?;
        body.add_surface("")?;
    }
    let asm_name = body.intern("AsmName");
    body.attributes.push(Attribute::string(asm_name, genx_ir::ASM_NAME));
    Ok(())
}

fn loc(number: usize) -> Instruction {
    Loc { line_number: number as u32 }.into()
}

/// Returns the text between the numbered LOCs: first the header, then the text of each row.
fn row_texts(listing: &str) -> Vec<String> {
    let mut texts = Vec::new();
    let mut lines = Vec::new();
    for line in listing.lines() {
        if line.trim() == format!("LOC {}", texts.len()) {
            texts.push(normalized(&lines.join(" ")));
            lines.clear();
        } else {
            lines.push(line.rsplit_once(" /// $").map_or(line, |(text, _number)| text));
        }
    }
    texts
}

fn normalized(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
