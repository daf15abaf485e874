//! The types that the data state, compared with what IGC compiles.

use std::collections::{BTreeMap, BTreeSet};

use genvisa::operand::DataType;
use genvisa::verify::{Response, Verifier};
use genvisa::{Format, Platform, text};
use genvisa_isa::{InstructionData, instruction, rows};
use genvisa_test_support::genx_ir_today::Compiler;
use genvisa_test_support::parallel::parallel;

use crate::platforms;

/// IGC compiles MIN and MAX whose second source alone has type BF, which their operand type maps do not list.
const NOT_LISTED: &str = "min src1:bf";

/// GenX_IR refuses the pitch of all strided messages of texts, which ocloc accepts.
const PITCH: &str = "Src0AddrStride: expected vISA vector operand";

/// The bytes of each variable. ADDR_ADD of a variable that fills the registers of TGLLP is an error of IGC.
const SIZE: usize = 2048;

/// Returns a kernel with the example of an instruction, in which an operand or all of them have a type.
fn kernel(data: &InstructionData, operand: Option<usize>, ty: DataType) -> Option<String> {
    let example = data.example.as_ref()?;
    let is_changed = |line: &str| match operand {
        Some(operand) => line.starts_with(&format!(".decl V{} ", 32 + operand)),
        None => true,
    };
    let declarations = example.declarations.iter().map(|line| {
        match line.split_once(" type=").filter(|_| is_changed(line)) {
            Some((head, tail)) => {
                let count = SIZE / ty.size().max(1);
                let (_, tail) = tail.split_once(" align=").unwrap_or(("", tail));
                format!("{head} type={ty} num_elts={count} align={tail}")
            }
            None => line.clone(),
        }
    });
    let declarations: Vec<String> = declarations.collect();
    let (declarations, line) = (declarations.join("\n"), &example.text);
    Some(format!(".version 4.2\n.kernel \"k\"\n{declarations}\n{line}\nret (M1, 1)\n"))
}

/// A type of an operand of an instruction.
struct Case {
    name: String,
    platform: (Platform, &'static str),
    /// Whether the data state the type.
    is_stated: bool,
    /// The kernels: the operand has the type, and all operands have it.
    kernels: Vec<String>,
}

fn cases(row: &genvisa_isa::Row, platform: (Platform, &'static str)) -> Vec<Case> {
    let data = instruction(row, Some(platform.0));
    let operands = data.fields.iter().filter(|field| field.role.is_some());
    let operands = operands.enumerate().filter(|(_, field)| !field.types.is_empty());
    let mut cases = Vec::new();
    for (index, field) in operands {
        for &ty in DataType::NAMED {
            let kernels = [Some(index), None].map(|operand| kernel(&data, operand, ty));
            cases.push(Case {
                name: format!("{} {}:{ty} on {}", data.mnemonic, field.name, platform.1),
                platform,
                is_stated: ty.name().is_some_and(|ty| field.types.contains(&ty)),
                kernels: kernels.into_iter().flatten().collect(),
            });
        }
    }
    cases
}

/// Returns whether the compiler has refused what a text breaks; `None` if it is no text of 4.2.
fn is_refused(text: &str, platform: Platform) -> Option<bool> {
    let module = text::parse(text, Format::V4_2).ok()?;
    let refuses = |response| matches!(response, Response::Refuses | Response::Crashes);
    let findings = Verifier::new().with_platform(platform).check_module(&module);
    Some(findings.iter().any(|finding| refuses(finding.rule.response)))
}

#[test]
#[ignore = "needs GenX_IR of IGC"]
fn the_compiler_accepts_the_types_that_the_data_state() {
    let compiler = Compiler::required();
    let rows = rows();
    let of_row = |(index, row)| platforms::of_row(index).iter().flat_map(move |it| cases(row, *it));
    let all: Vec<Case> = rows.iter().enumerate().flat_map(of_row).collect();
    let results = parallel(&all, |case| {
        let (platform, name) = case.platform;
        let verdicts = case.kernels.iter().filter_map(|kernel| {
            let is_refused = is_refused(kernel, platform)?;
            let is_accepted = match compiler.compile(kernel, name) {
                Ok(_) => true,
                // Its grammar does not have some instructions of binary files.
                Err(message) if message.contains("syntax error") => return None,
                Err(message) if message.contains(PITCH) => return None,
                // The variables are large enough for every message, and some kernels have more than fit the registers.
                Err(message) => message.contains("Spill memory used"),
            };
            Some((is_refused, is_accepted))
        });
        let verdicts: Vec<(bool, bool)> = verdicts.collect();
        let is_accepted = verdicts.iter().any(|(_, is_accepted)| *is_accepted);
        // The format of the example may have what 4.2 has not any more. Some rules are about code that the compiler
        // accepts and changes.
        let is_right = match case.is_stated {
            true => is_accepted || verdicts.iter().all(|(is_refused, _)| *is_refused),
            false => !verdicts.contains(&(true, true)),
        };
        (!verdicts.is_empty()).then_some((is_accepted, is_right))
    });
    let mut counts: BTreeMap<(bool, bool), usize> = BTreeMap::new();
    let mut wrong = BTreeSet::new();
    for (case, result) in all.iter().zip(results) {
        let Some((is_accepted, is_right)) = result else { continue };
        *counts.entry((case.is_stated, is_accepted)).or_default() += 1;
        if !is_right && !case.name.starts_with(NOT_LISTED) {
            wrong.insert(format!("{} (stated: {})", case.name, case.is_stated));
        }
    }
    println!("(stated, accepted): {counts:?}");
    assert!(wrong.is_empty() || !compiler.is_tested, "{}: {wrong:#?}", wrong.len());
    assert!(counts[&(true, true)] > 100 && counts[&(false, false)] > 100, "{counts:?}");
}
