//! What the examples and the documentation build is legal, and the files made by examples are up to
//! date.

use std::collections::BTreeSet;

use genvisa::object::{Align, Code, Kernel};
use genvisa::operand::{DataType, SurfaceId, VarId};
use genvisa::verify::{Finding, Verifier};
use genvisa::{Format, Instruction, Module};

use crate::{arithmetic, formats, manual, shader, tour};

#[test]
fn the_verifier_has_no_finding_in_the_examples() {
    type Make = fn(Format) -> Result<Module<'static>, Box<dyn std::error::Error>>;
    let examples: [(&str, Make); 4] = [
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
            let findings = Verifier::new().check_module(&module);
            assert!(findings.is_empty(), "{name} in {format}: {}", lines(&findings));
        }
    }
}

fn lines(findings: &[Finding]) -> String {
    findings.iter().map(|finding| format!("\n{finding}")).collect()
}

/// The bytes that the README's first example encodes, in a kernel that declares their operands.
#[test]
fn the_verifier_has_no_finding_in_the_info_of_the_readme() {
    let readme = include_str!("../../README.md");
    let (_, rest) = readme.split_once("assert_eq!(bytes, [").expect("the bytes of INFO");
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

    let mut kernel = Kernel::new("readme");
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
fn the_file_of_the_manual_is_what_the_example_builds() {
    let built = manual::module(Format::MANUAL).expect("a module").to_bytes();
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/manual.isa");
    assert_eq!(built, Ok(std::fs::read(path).expect("it is in the repository")));
}

/// `tests/data/manual.isa` has the five instructions and each of their fields, and so has the module
/// in the other dialects.
#[test]
fn the_manual_example_has_every_field_of_the_five_instructions() {
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
