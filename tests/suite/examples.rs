//! Tests of the examples: they work, the verifier has no findings in the modules that they build,
//! and the files that they build are up to date.

use std::cell::Cell;
use std::collections::BTreeSet;
use std::fs;

use genvisa::object::{Align, Code, Kernel, Routine, RoutineKind};
use genvisa::operand::{DataType, SurfaceId, VarId};
use genvisa::text::{Listing, parse};
use genvisa::verify::{Finding, Verifier};
use genvisa::{Boundaries, Dialect, Format, Instruction, Module};
use genvisa_test_support::corpus::files;
use genvisa_test_support::formats;
use genvisa_test_support::genx_ir_today::Compiler;
use genvisa_test_support::repository;

use crate::{arithmetic, manual, shader, tour};

#[path = "../../examples/edit.rs"]
mod edit;
#[path = "../../examples/instrument.rs"]
mod instrument;
#[path = "../../examples/peephole.rs"]
mod peephole;
#[path = "../../examples/read.rs"]
mod read;
#[path = "../../examples/rename.rs"]
mod rename;
#[path = "../../examples/roundtrip.rs"]
mod roundtrip;
#[path = "../../examples/saxpy.rs"]
pub mod saxpy;
#[path = "../../examples/verify.rs"]
mod verify;

/// A file with one kernel, which has a GEN binary.
const TOUR: &[u8] = include_bytes!("../data/tour.isa");

#[test]
fn read_prints_routines_and_instructions() {
    let mut out = Vec::new();
    read::print(TOUR, &mut out).expect("a file");
    let text = String::from_utf8(out).expect("UTF-8");
    assert!(text.starts_with("kernel tour\n0x0001d4  .function"), "{text}");
    assert!(text.contains("\n0x0001fb  sampleinfo.RGBA (M1, 8)  T8 V34.0\n"), "{text}");
    assert_eq!(text.matches("\n0x").count(), 14, "{text}");
}

#[test]
fn verify_prints_findings_with_their_lines() {
    let findings = verify::verify(verify::SOURCE).expect("correct text");
    let rules: Vec<_> = findings.iter().filter_map(|finding| finding.rule).collect();
    assert_eq!(rules, ["media-ld-block-width", "operand-bounds"]);
    let printed = findings.to_string();
    assert!(printed.contains("6 |     mov (M1, 16) x(0,0)<1> 0x1:d"), "{printed}");
    let errors = verify::verify("mov (M1, 8)").expect_err("no kernel");
    assert!(errors.to_string().contains("1 | mov (M1, 8)"), "{errors}");
}

#[test]
fn roundtrip_accepts_any_data() {
    assert!(Module::from_bytes(TOUR, Dialect::Igc2022).is_ok());
    let barrier = [0x59];
    assert!(Instruction::from_bytes(&barrier, Format::default()).is_ok());
    for data in [TOUR, &TOUR[..100], &barrier, &[]] {
        roundtrip::round_trip(data);
    }
}

#[test]
fn edit_changes_only_the_edited_line() {
    let [from, to] = ["level(0,0)<1> 0x0:ud", "level(0,0)<1> 0x2:ud"];
    let edited = edit::edit(TOUR, from, to).expect("correct text");
    assert_eq!(edited.len(), TOUR.len());
    let changed: Vec<usize> = (0..TOUR.len()).filter(|i| edited[*i] != TOUR[*i]).collect();
    assert_eq!(changed.len(), 1);
    assert_eq!((TOUR[changed[0]], edited[changed[0]]), (0, 2));
    assert_eq!(edit::edit(&edited, to, from).expect("correct text"), TOUR);
}

/// A kernel with multiplications of floats by one and two, and others.
const FLOATS: &str = "\
.version 3.6
.kernel \"floats\"
.decl x v_type=G type=f num_elts=8 align=GRF
.decl h v_type=G type=hf num_elts=16 align=GRF
.input x offset=32 size=32
    mul (M1, 8) x(0,0)<1> (-)x(0,0)<8;8,1> 0x3f800000:f
    mul.sat (M1, 8) x(0,0)<1> x(0,0)<8;8,1> 0x40000000:f
    mul (M1, 8) x(0,0)<1> x(0,0)<8;8,1> 0x40400000:f
    mul (M1, 8) h(0,0)<1> h(0,0)<8;8,1> 0x40000000:f
    ret (M1, 1)
";

/// Edits real files, and compares each old routine with the new one. The verifier has no new findings, and
/// IGC accepts the kernels as before.
fn check_edits(
    edit: impl Fn(&[u8]) -> Vec<u8>,
    compare: impl Fn(Routine<'_, '_>, Routine<'_, '_>),
) {
    let compiler = Compiler::find().filter(|compiler| compiler.is_tested);
    let real = files().into_iter().map(|path| fs::read(path).expect("a readable file"));
    let real = real.filter(|file| file.len() < 60_000);
    let mut compiled = 0;
    let format = Format::default();
    let floats = parse(FLOATS, format).expect("correct text").to_bytes();
    for file in [TOUR.to_vec(), floats.expect("a small file")].into_iter().chain(real) {
        let old = Module::from_bytes(&file, Dialect::Igc2022).expect("a vISA object");
        let edited = edit(&file);
        let new = Module::from_bytes(&edited, Dialect::Igc2022).expect("a vISA object");
        let findings = |module: &Module<'_>| Verifier::new().check_module(module).len();
        assert_eq!(findings(&old), findings(&new));
        for (old, new) in old.routines().zip(new.routines()) {
            compare(old, new);
            let Some(compiler) = &compiler else { continue };
            // The attribute is the name of the output.
            let text = |routine| -> String {
                let text = Listing::new(routine).to_text().expect("legal code");
                text.lines()
                    .filter(|l| !l.contains(" AsmName="))
                    .map(|l| format!("{l}\n"))
                    .collect()
            };
            if compiler.compile(&text(old), "TGLLP").is_ok() {
                let result = compiler.compile(&text(new), "TGLLP");
                assert!(result.is_ok(), "{}: {result:?}", old.name);
                compiled += 1;
            }
        }
    }
    assert!(compiler.is_none() || compiled > 0, "no kernel was compiled");
    eprintln!("{compiled} kernels were compiled");
}

/// Returns the bytes of each instruction.
fn bytes(routine: Routine<'_, '_>) -> Vec<Vec<u8>> {
    let code = routine.body.code.bytes();
    let boundaries = Boundaries::new(code, routine.format());
    let one = |b: genvisa::isa::Boundary| code[b.offset..b.offset + b.len].to_vec();
    boundaries.map(|boundary| one(boundary.expect("legal code"))).collect()
}

/// What was there keeps its bytes.
#[test]
fn instrument_adds_a_counter_to_each_block() {
    let edit = |file: &[u8]| instrument::instrument(file).expect("room in the tables");
    check_edits(edit, |old, new| {
        let (old_code, new_code) = (bytes(old), bytes(new));
        let mut rest = new_code.iter();
        assert!(old_code.iter().all(|one| rest.any(|other| other == one)), "{}", old.name);
        let is_atomic = |one: &&Vec<u8>| one[0] == 0x7d;
        let is_label = |one: &&Vec<u8>| one[0] == 0x31;
        let added = new_code.iter().filter(is_atomic).count();
        let blocks = old_code.iter().filter(is_label).count();
        assert!(old.kind != RoutineKind::Kernel || added > blocks, "{}", old.name);
    });
}

/// Only multiplications change.
#[test]
fn peephole_replaces_multiplications() {
    let replaced = Cell::new(0);
    let edit = |file: &[u8]| {
        let (edited, count) = peephole::peephole(file).expect("legal code");
        replaced.set(replaced.get() + count);
        edited
    };
    let changed = Cell::new(0);
    check_edits(edit, |old, new| {
        let (old_code, new_code) = (bytes(old), bytes(new));
        assert_eq!(old_code.len(), new_code.len(), "{}", old.name);
        for (old, new) in old_code.iter().zip(&new_code).filter(|(old, new)| old != new) {
            let is_new = [0x01, 0x29].contains(&new[0]);
            assert!(old[0] == 0x10 && is_new, "{old:x?} {new:x?}");
            changed.set(changed.get() + 1);
        }
        assert_eq!((old.inputs, &old.body.variables), (new.inputs, &new.body.variables));
    });
    assert_eq!(replaced, changed);
    assert_eq!(changed.get(), 2);
}

/// Apart from names and ids, nothing changes: a name has the type of its variable, and instructions without
/// ids keep their bytes.
#[test]
fn rename_packs_ids_and_names() {
    check_edits(
        |file| rename::renamed(file).expect("legal code"),
        |old, new| {
            assert!(new.body.variables.len() <= old.body.variables.len());
            assert!(
                new.body.strings.len() <= old.body.strings.len().max(2 + new.body.variables.len())
            );
            for (variable, id) in new.body.variables.iter().zip(32..) {
                let name = &new.body.strings[variable.name.0 as usize];
                assert_eq!(*name, *format!("{}_{id}", variable.ty));
            }
            let (old_code, new_code) = (bytes(old), bytes(new));
            assert_eq!(old_code.len(), new_code.len());
            let instructions = old.instructions().zip(new.instructions());
            for (pair, (old, new)) in old_code.iter().zip(&new_code).zip(instructions) {
                let (_, mut old) = old.expect("legal code");
                let (_, mut new) = new.expect("legal code");
                let mut has_ids = false;
                for one in [&mut old, &mut new] {
                    one.replace_ids(|id| {
                        has_ids = true;
                        id.class.first_declared().min(id.number)
                    })
                    .expect("smaller ids");
                }
                assert_eq!(old, new);
                assert!(has_ids || pair.0 == pair.1, "{}", old.mnemonic());
            }
        },
    );
}

#[test]
fn verifier_has_no_findings_in_the_examples() {
    type Make = fn(Format) -> Result<Module<'static>, Box<dyn std::error::Error>>;
    let examples: [(&str, Make); 5] = [
        ("saxpy", saxpy::module),
        ("shader", shader::module),
        ("arithmetic", arithmetic::module),
        ("tour", tour::module),
        ("manual", manual::module),
    ];
    for format in formats::all() {
        for (name, make) in examples {
            if format.is_manual() && name != "manual" {
                continue;
            }
            let module = make(format).expect("a module");
            let mut findings = Verifier::new().check_module(&module);
            // Of the operands of RT_WRITE that the example shows, text of 4.2 loses one.
            findings.retain(|finding| finding.rule.name != "rt-write-sample-index");
            assert!(findings.is_empty(), "{name} in {format}: {}", lines(&findings));
        }
    }
}

/// Returns the findings as lines.
fn lines(findings: &[Finding]) -> String {
    findings.iter().map(|finding| format!("\n{finding}")).collect()
}

/// Declares the operands of the INFO that the guide of the library encodes.
#[test]
fn verifier_has_no_findings_in_the_info_of_the_guide() {
    let guide = include_str!("../../docs/library.md");
    let (_, rest) = guide.split_once("assert_eq!(bytes, [").expect("the bytes of INFO");
    let (bytes, _) = rest.split_once("]);").expect("their end");
    let code = bytes.lines().map(|line| line.split("//").next().unwrap_or_default());
    let bytes: Vec<u8> = (code.flat_map(|line| line.split(',')).map(str::trim))
        .filter(|number| !number.is_empty())
        .map(|number| match number.strip_prefix("0x") {
            Some(hex) => u8::from_str_radix(hex, 16).expect("a byte"),
            None => number.parse().expect("a byte"),
        })
        .collect();
    let format = Format::default();
    let info = Instruction::from_bytes(&bytes, format).expect("one instruction");

    let mut kernel = Kernel::new("guide");
    let body = &mut kernel.body;
    assert_eq!(body.add_variable("lod", DataType::UD, 8, Align::GRF), VarId(32));
    assert_eq!(body.add_variable("dst", DataType::UD, 32, Align::GRF), VarId(33));
    assert_eq!(body.add_surface("t6"), Ok(SurfaceId(6)));
    body.code = Code::from_instructions(&[info], format).expect("it was decoded");
    let mut module = Module::new(format);
    module.kernels.push(kernel);
    let findings = Verifier::new().check_module(&module);
    assert!(findings.is_empty(), "{}", lines(&findings));
}

#[test]
fn manual_file_matches_the_example() {
    let built = manual::module(Format::MANUAL).expect("a module").to_bytes();
    let path = repository("tests/data/manual.isa");
    assert_eq!(built, Ok(std::fs::read(path).expect("it is in the repository")));
}

#[test]
fn manual_example_has_every_field_of_the_five_instructions() {
    for format in formats::all() {
        let module = manual::module(format).expect("a module");
        let mut mnemonics = BTreeSet::new();
        let mut complete = false;
        for routine in module.routines() {
            for item in routine.instructions() {
                let (_, instruction) = item.expect("it was encoded");
                mnemonics.insert(instruction.mnemonic());
                if let Instruction::RtWrite(write) = instruction {
                    complete |= write.sample_index.is_some()
                        && write.cps_counter.is_some()
                        && write.rt_index.is_some()
                        && write.s0a.is_some()
                        && write.omask.is_some()
                        && write.depth.is_some()
                        && write.stencil.is_some();
                }
            }
        }
        let five = ["gather4_typed", "info_3d", "media_ld", "rt_write_3d", "sample_3d"];
        assert_eq!(mnemonics.into_iter().collect::<Vec<_>>(), five);
        assert!(complete, "{format}: no RT_WRITE has all optional operands");
    }
}
