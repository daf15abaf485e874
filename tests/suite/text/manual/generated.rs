//! Round trips of the text of generated instructions.

use std::cell::RefCell;
use std::collections::BTreeMap;

use genvisa::object::{Align, Code, Kernel};
use genvisa::operand::{DataType, Imm, PredId, SurfaceId, VarId, Vector};
use genvisa::strategy::rows;
use genvisa::text::{Style, parse};
use genvisa::{Format, Instruction, Module};
use genvisa_test_support::random::{cases, runner};
use proptest::prelude::*;

use super::{CASES, change_case, first_line, listing};

/// The number of variables of each class.
const PER_CLASS: u32 = 3;

fn tables(format: Format) -> Module<'static> {
    let mut kernel = Kernel::new("kernel");
    for i in 0..PER_CLASS {
        let body = &mut kernel.body;
        body.add_variable(&format!("v{i}"), DataType::F, 64, Align::GRF);
        body.add_predicate(&format!("p{i}"), 32).expect("few predicates");
        body.add_address(&format!("a{i}"), 16).expect("few addresses");
        body.add_sampler(&format!("s{i}")).expect("few samplers");
        body.add_surface(&format!("t{i}")).expect("few surfaces");
    }
    let mut module = Module::new(format);
    module.kernels.push(kernel);
    module
}

/// Replaces the ids of an instruction by ids that [`tables`] declares.
fn declared(mut instruction: Instruction) -> Instruction {
    let replaced = instruction.replace_ids(|id| {
        let index = id.number % PER_CLASS;
        match id.class.letter() {
            'V' if index == 0 => VarId::NULL.0,
            'V' => VarId::FIRST_DECLARED.0 + index,
            'P' if id.number == 0 => 0,
            'P' => u32::from(PredId::FIRST_DECLARED.0) + index,
            'T' => u32::from(SurfaceId::FIRST_DECLARED.0) + index,
            _ => index,
        }
    });
    replaced.expect("small ids");
    // The text of a random operand is rarely complete, and the text of two operands hardly ever.
    if let Instruction::MediaLd(load) = &mut instruction {
        load.x_offset = Vector::imm(Imm::ud(load.dst.offset.into()));
        load.y_offset = Vector::scalar(load.dst.var);
    }
    instruction
}

/// Checks that the line means something else, or is an error, without any of its tokens.
fn check_that_no_token_is_ignored(
    text: &str,
    line: &str,
    module: &Module,
) -> Result<(), TestCaseError> {
    let is_word = |ch: char| ch.is_ascii_alphanumeric() || ch == '_' || ch == '%';
    let mut at = 0;
    while let Some(first) = line[at..].chars().next() {
        let rest = &line[at..];
        let len = rest.find(|ch| !is_word(ch)).unwrap_or(rest.len()).max(first.len_utf8());
        if !first.is_whitespace() {
            let other = format!("{}{}", &line[..at], &line[at + len..]);
            let again = parse(text.replace(line, &other), module.format);
            prop_assert_ne!(again.as_ref(), Ok(module), "{} means {}", other, line);
        }
        at += len;
    }
    Ok(())
}

#[test]
fn parses_generated_text() {
    let format = Format::MANUAL;
    let complete_texts = RefCell::new(BTreeMap::<u8, u32>::new());
    for (opcode, row) in rows(format) {
        let result = runner(cases(300) as u32, opcode.into()).run(
            &(row, any::<bool>()),
            |(instruction, keep)| {
                let instruction = if keep { instruction } else { declared(instruction) };
                let mut module = tables(format);
                module.kernels[0].body.code =
                    Code::from_instructions(&[instruction], format).expect("it was generated");
                let text = listing(&module, Style::Complete).expect("legal code");
                let again = parse(&text, format);
                prop_assert_eq!(again.as_ref(), Ok(&module), "{}", text);
                let line = first_line(&text);
                if line.contains("//@") {
                    return Ok(());
                }
                *complete_texts.borrow_mut().entry(opcode).or_default() += 1;
                check_that_no_token_is_ignored(&text, &line, &module)?;
                for change in CASES {
                    let other = text.replace(&line, &change_case(&line, change));
                    let again = parse(&other, format);
                    prop_assert_eq!(again.as_ref(), Ok(&module), "{}", other);
                }
                Ok(())
            },
        );
        result.unwrap_or_else(|error| panic!("opcode {opcode:#04x}: {error}"));
    }
    let complete_texts = complete_texts.into_inner();
    eprintln!("texts without bytes: {complete_texts:02x?}");
    assert_eq!(complete_texts.len(), 5, "{complete_texts:02x?}");
    assert!(complete_texts.values().all(|count| *count >= 5), "{complete_texts:02x?}");
}
