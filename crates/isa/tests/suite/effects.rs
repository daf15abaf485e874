//! What fields change in the machine code that IGC compiles: a value that the compiler ignores is a finding.

use std::collections::{BTreeMap, BTreeSet};

use genvisa::verify::Verifier;
use genvisa::wire::{FieldRecorder, Reader, TracedField, Wire};
use genvisa::{Format, Instruction, Platform, text};
use genvisa_isa::{Row, instruction, rows};
use genvisa_test_support::genx_ir_today::Compiler;
use genvisa_test_support::parallel::parallel;

use crate::platforms;

/// Returns the declaration of an example, whose variable has a quarter of its size: all of them fit the registers.
fn smaller(declaration: &str) -> String {
    let Some((head, tail)) = declaration.split_once(" num_elts=") else {
        return declaration.to_owned();
    };
    let (count, tail) = tail.split_once(' ').unwrap_or((tail, ""));
    let count: usize = count.parse().expect("a number");
    format!("{head} num_elts={} {tail}", if head.contains("v_type=G") { count / 4 } else { count })
}

/// The most values of a field that are compiled.
const MOST_VALUES: usize = 24;

/// Fields whose values may have the same code: the row, the field and the reason.
#[rustfmt::skip]
const SAME: &[(&str, &str, &str)] = &[
    ("", "addr_size", "an address in a surface has 32 bits, with a sign or without"),
    ("", "aoffimmi", "the type of an immediate and bits after the three offsets mean nothing"),
    ("", "paired_surface", "these predefined variables have the same register"),
    ("", "surface", "these predefined surfaces are variables without a value here"),
    ("BlockLd", "block", "on newer platforms, a message does not depend on the alignment"),
    ("BlockSt", "block", "on newer platforms, a message does not depend on the alignment"),
    ("Fence", "mask", "`fence-flush` is about caches; since DG2, writes are observable when a fence completes, with `E` or without"),
    ("Ifcall", "", "the sizes only reserve registers, and one address is called"),
    ("Label", "", "no jump leads to it"),
    ("Lifetime", "", "the code does not contain it"),
    ("Loc", "", "the code does not contain it"),
    ("MediaLd", "modifiers", "whether other messages modify the surface is a hint; shipped kernels have it"),
    ("RawSend", "", "the lengths are in the descriptor, which is a variable"),
    ("RawSends", "", "the lengths are in the descriptor, which is a variable; shipped kernels have functions above 15, whose rule is off"),
    ("Ret", "exec", "the lanes of a subroutine return together"),
    ("Sample3d", "op", "`.divS` changes indices of samplers, and this one is a constant"),
];

/// Decodes an instruction of version 4.2 with its fields.
fn decode(bytes: &[u8]) -> Option<(Instruction, Vec<TracedField>)> {
    let mut recorder = FieldRecorder::default();
    let decoded =
        Instruction::decode(&mut Reader::traced(bytes, 0, Format::V4_2, &mut recorder)).ok()?;
    Some((decoded, recorder.take()))
}

/// An example whose field takes other values.
struct Case {
    row: Row,
    field: &'static str,
    platform: (Platform, &'static str),
}

impl Case {
    /// Returns kernels that differ in the value of the field: the lines with the kernels, which the verifier accepts.
    fn kernels(&self) -> Option<BTreeMap<String, String>> {
        let data = instruction(&self.row, Some(self.platform.0));
        let example = data.example?;
        let declarations: Vec<String> =
            example.declarations.iter().map(|line| smaller(line)).collect();
        let kernel = |line: &str| {
            let declarations = declarations.join("\n");
            format!(".version 4.2\n.kernel \"k\"\n{declarations}\n{line}\nret (M1, 1)\n")
        };
        let is_accepted = |kernel: &str| {
            let module = text::parse(kernel, Format::V4_2).ok()?;
            let verifier = Verifier::new().with_platform(self.platform.0);
            verifier.check_module(&module).is_empty().then_some(module)
        };
        let module = is_accepted(&kernel(&example.text))?;
        let first = module.kernels[0].body.code.instructions(Format::V4_2).next()?.ok()?.1;
        let bytes = first.to_bytes(Format::V4_2).ok()?;
        let (_, fields) = decode(&bytes)?;
        let field = fields.iter().find(|it| it.depth == 0 && it.name == self.field)?;
        let len = field.len?;
        let mut found = BTreeMap::new();
        let changes: Vec<Vec<u8>> = match len {
            1 => (0..=u8::MAX).map(|value| vec![value]).collect(),
            _ => {
                let base = field.bytes_of(&bytes).to_vec();
                let flipped = (0..8 * len).map(|bit| {
                    let mut changed = base.clone();
                    changed[bit / 8] ^= 1 << (bit % 8);
                    changed
                });
                flipped.chain([base.clone()]).collect()
            }
        };
        for change in changes {
            let mut bytes = bytes.clone();
            bytes[field.offset..field.offset + len].copy_from_slice(&change);
            let Some((changed, _)) = decode(&bytes) else { continue };
            let line = changed.display(Format::V4_2).to_string();
            let kernel = kernel(&line);
            if !line.contains("//") && is_accepted(&kernel).is_some() {
                found.insert(line, kernel);
            }
        }
        // The first and last values, and those between them in equal steps.
        let step = found.len().div_ceil(MOST_VALUES).max(1);
        Some(found.into_iter().step_by(step).collect())
    }
}

#[test]
#[ignore = "needs GenX_IR of IGC"]
fn the_compiler_ignores_no_field_without_a_finding() {
    let compiler = Compiler::required();
    let mut cases = Vec::new();
    for (index, row) in rows().iter().enumerate() {
        for &platform in platforms::of_row(index) {
            let data = instruction(row, Some(platform.0));
            for field in data.fields.iter().filter(|field| field.role.is_none()) {
                cases.push(Case { row: *row, field: field.name, platform });
            }
        }
    }
    let results = parallel(&cases, |case| {
        let mut lines: BTreeMap<Vec<u8>, Vec<String>> = BTreeMap::new();
        let mut refused = Vec::new();
        for (line, kernel) in case.kernels().unwrap_or_default() {
            match compiler.compile(&kernel, case.platform.1) {
                Ok(code) => lines.entry(code).or_default().push(line),
                Err(message) => refused.push(format!("{line}: {message}")),
            }
        }
        (lines, refused)
    });
    let (mut ignored, mut count) = (BTreeSet::new(), 0);
    for (case, (lines, refused)) in cases.iter().zip(results) {
        let name = format!("{}.{} on {}", case.row.name(), case.field, case.platform.1);
        for line in refused {
            println!("refused: {name}: {line}");
        }
        let is_same = |(row, field, _): &(&str, &str, &str)| {
            [case.row.name(), ""].contains(row) && [case.field, ""].contains(field)
        };
        for same in lines.into_values() {
            count += 1;
            // All lanes run, whatever the first one is.
            let is_no_mask = same.iter().all(|line| line.contains("_NM, "));
            if same.len() > 1 && !is_no_mask && !SAME.iter().any(is_same) {
                ignored.insert(format!("{name}: {}", same.join(" | ")));
            }
        }
    }
    assert!(ignored.is_empty() || !compiler.is_tested, "{}: {ignored:#?}", ignored.len());
    assert!(count > 2000, "{count} kinds of code");
}
