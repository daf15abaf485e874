//! Explanations of values in traces.

use genvisa::isa::FieldSpec;
use genvisa::strategy::rows;
use genvisa::text::parse;
use genvisa::wire::{FieldRecorder, Reader, Wire};
use genvisa::{Format, Instruction, Version};
use genvisa_test_support::formats;
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::TestRunner;

/// Returns the explanations of the fields of an instruction: `field value: explanation`.
fn explanations(bytes: &[u8], format: Format) -> Vec<String> {
    let mut recorder = FieldRecorder::default();
    Instruction::decode(&mut Reader::traced(bytes, 0, format, &mut recorder))
        .expect("an instruction");
    let fields = recorder.take().into_iter().filter(|field| !field.meaning.is_empty());
    fields.map(|field| format!("{} {}: {}", field.name, field.value, field.meaning)).collect()
}

/// Returns the bytes of an instruction in a text.
fn bytes(line: &str, format: Format) -> Vec<u8> {
    let source = format!(
        ".version {}\n.kernel \"k\"\n.decl A v_type=G type=d num_elts=64 align=GRF\n\
         .decl P v_type=P num_elts=32\n.decl AD v_type=A num_elts=8\n\
         .decl T v_type=T num_elts=1\n.decl S v_type=S num_elts=1\n    {line}\n    ret (M1, 1)\n",
        format.version
    );
    let module = parse(&source, format).expect("a text");
    let routine = module.routines().next().expect("a kernel");
    let (_, instruction) = routine.instructions().next().expect("an instruction").expect("valid");
    instruction.to_bytes(format).expect("encodable")
}

fn check(line: &str, format: Format, expected: &[&str]) {
    let found = explanations(&bytes(line, format), format);
    for line in expected {
        assert!(found.iter().any(|found| found == line), "{line:?} is not in {found:#?}");
    }
}

const FORMAT: Format = Format::igc2022(Version::V3_6);

#[test]
fn predicates_and_masks_are_explained() {
    for (pred, exec, expected) in [
        ("(P)", "(M1, 16)", ["pred (P1): lanes whose bit is set", "exec (M1, 16): lanes 0 to 15"]),
        (
            "(!P)",
            "(M5, 8)",
            ["pred (!P1): lanes whose bit is clear", "exec (M5, 8): lanes 16 to 23"],
        ),
        (
            "(P.any)",
            "(M1_NM, 16)",
            [
                "pred (P1.any): all lanes, if any bit is set",
                "exec (M1_NM, 16): lanes 0 to 15, active or not",
            ],
        ),
        (
            "(!P.any)",
            "(M1, 1)",
            ["pred (!P1.any): all lanes, if no bit is set", "exec (M1, 1): lane 0"],
        ),
        (
            "(P.all)",
            "(M1, 1)",
            ["pred (P1.all): all lanes, if all bits are set", "exec (M1, 1): lane 0"],
        ),
        (
            "(!P.all)",
            "(M1, 1)",
            ["pred (!P1.all): all lanes, unless all bits are set", "exec (M1, 1): lane 0"],
        ),
    ] {
        check(&format!("{pred} mov {exec} A(0,0)<1> 0x0:d"), FORMAT, &expected);
    }
}

#[test]
fn operands_are_explained() {
    for (src, expected) in [
        ("A(0,0)<0;1,0>", "src0 V32(0,0)<0;1,0>: one element"),
        ("0x3f800000:f", "bits 0x3f800000: 1"),
        ("0x4000000000000000:df", "bits 0x4000000000000000: 2"),
        ("0xffff:w", "bits 0xffff: -1"),
        ("0xf6543210:v", "bits 0xf6543210: [0, 1, 2, 3, 4, 5, 6, -1]"),
        ("0xf6543210:uv", "bits 0xf6543210: [0, 1, 2, 3, 4, 5, 6, 15]"),
    ] {
        check(&format!("mov (M1, 1) A(0,0)<1> {src}"), FORMAT, &[expected]);
    }
    check("mov (M1, 1) A(0,0)<1> 0x0:d", FORMAT, &["pred -: no predicate"]);
    let sample = "sample_3d.pixel_null_mask.RG (M1, 16) 0x21:uw S T A.0 %null.0 A.0";
    let expected = [
        "op sample_3d: flags: pixel_null_mask",
        "aoffimmi 0x21:uw: u +0, v +2, r +1",
        "u %null.0: null",
    ];
    check(sample, FORMAT, &expected);
    let saturated = "mov.sat (M1, 1) A(0,0)<1> 0x0:d";
    check(saturated, FORMAT, &["dst V32(0,0)<1>: saturated", "tag general: modifier sat"]);
}

/// Readers ignore the modifiers of immediates.
#[test]
fn modifiers_of_immediates_are_explained() {
    let mut code = bytes("mov (M1, 1) A(0,0)<1> 0x7:d", FORMAT);
    let tag = code.len() - 6;
    for (modifier, expected) in [
        (1, "7, ignored modifier abs"),
        (2, "7, ignored modifier neg"),
        (3, "7, ignored modifier neg_abs"),
        (4, "7, saturated"),
        (5, "7, ignored modifier not"),
        (6, "7, unknown modifier"),
    ] {
        code[tag] = 5 | modifier << 3;
        let found = explanations(&code, FORMAT);
        let is_src = |line: &&String| line.starts_with("src0 ");
        let line = found.iter().find(is_src).expect("an explanation of the source");
        assert!(line.ends_with(&format!(": {expected}")), "{line}");
    }
}

/// The fields of the table that a format has are those that the decoder reads, in this order. The conditions on
/// other fields are not checked.
#[test]
fn fields_of_a_format_are_those_that_are_decoded() {
    let mut runner = TestRunner::deterministic();
    let mut checked = 0;
    for format in formats::all() {
        for (_, row) in rows(format).iter() {
            let instruction = row.new_tree(&mut runner).expect("a value").current();
            let Ok(bytes) = instruction.to_bytes(format) else { continue };
            let spec = Instruction::spec_of(instruction.opcode()).expect("a row");
            if !spec.family.is_empty() {
                continue;
            }
            let mut recorder = FieldRecorder::default();
            let mut r = Reader::traced(&bytes, 0, format, &mut recorder);
            Instruction::decode(&mut r).expect("it was encoded");
            let traced = recorder.take();
            let depth = traced[0].depth;
            let decoded: Vec<&str> = traced
                .iter()
                .filter(|field| field.depth == depth && field.name != "opcode")
                .map(|field| field.name.as_str())
                .collect();
            let is_conditional = |when: &str| when.starts_with("if") || when.starts_with("times");
            let fields = spec.fields.iter().filter(|field| field.is_in(format));
            let (certain, possible): (Vec<&FieldSpec>, Vec<&FieldSpec>) =
                fields.partition(|field| !field.when.is_some_and(is_conditional));
            for field in &certain {
                assert!(decoded.contains(&field.name), "{format}: {} {}", spec.name, field.name);
            }
            // The operation of a sampler message names the parameters.
            let is_list = |field: &&FieldSpec| field.when.is_some_and(|it| it.starts_with("times"));
            for name in decoded.iter().filter(|_| !possible.iter().any(is_list)) {
                let mut all = certain.iter().chain(&possible);
                assert!(all.any(|field| field.name == *name), "{format}: {} {name}", spec.name);
            }
            checked += 1;
        }
    }
    assert!(checked > 1000, "{checked}");
}
