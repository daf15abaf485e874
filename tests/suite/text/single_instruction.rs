//! `parse_instruction`, the inverse of `Display`.

use std::borrow::Cow;
use std::fs;

use genvisa::isa::{Fcall, File, Lifetime, Mov, Subroutine};
use genvisa::object::{Align, Code, Kernel, LabelKind};
use genvisa::operand::{
    DataType, Dst, ExecSize, LabelId, LifetimeClass, LifetimeProperties, Pred, ShortStringId,
    StateClass, StringId, VarId, Vector, VectorKind,
};
use genvisa::strategy::rows;
use genvisa::text::{Style, parse_instruction};
use genvisa::{Dialect, Format, Instruction, Module, Version};
use genvisa_test_support::corpus;
use genvisa_test_support::random::runner;
use proptest::prelude::*;
use proptest::sample::Index;
use proptest::strategy::ValueTree;

use super::faithful::complete_text::instructions_with_complete_text;
use super::listing;

const FORMATS: [Format; 5] = [
    Format::MANUAL,
    Format::igc2022(Version::V3_0),
    Format::igc2022(Version::V3_6),
    Format::igc2022(Version::V4_1),
    Format::igc2026(Version::V4_1),
];

/// A kernel whose declarations have no names, so that its text calls them by their ids.
fn tables(format: Format) -> Module<'static> {
    let mut kernel = Kernel::new("kernel");
    let body = &mut kernel.body;
    for _ in 0..24 {
        body.add_variable("", DataType::UD, 64, Align::GRF);
    }
    for _ in 0..4 {
        body.add_label("", LabelKind::BLOCK).expect("few labels");
        body.add_predicate("", 32).expect("few predicates");
        body.add_address("", 16).expect("few addresses");
        body.add_sampler("").expect("few samplers");
        body.add_surface("").expect("few surfaces");
    }
    let mut module = Module::new(format);
    module.kernels.push(kernel);
    module
}

/// The faithful text of a kernel with this code. An instruction whose text is incomplete has its
/// bytes in an annotation.
fn text_of(module: &mut Module<'static>, code: Vec<u8>) -> String {
    module.kernels[0].body.code = Code::Present { bytes: Cow::Owned(code), offset: 0 };
    listing(module, Style::Faithful).expect("legal code")
}

fn is_incomplete(text: &str) -> bool {
    text.lines().any(|line| line.contains(" //@") && !line.starts_with('.'))
}

/// Checks an instruction. Returns whether its text is complete.
fn check(module: &mut Module<'static>, instruction: &Instruction) -> Result<bool, TestCaseError> {
    let format = module.format;
    let bytes = instruction.to_bytes(format).map_err(|e| TestCaseError::fail(e.to_string()))?;
    let full_text = text_of(module, bytes.clone());
    let is_complete = !is_incomplete(&full_text);
    let text = if format.is_manual() {
        // `Display` prints the text of the other dialects.
        let line = full_text.lines().rfind(|line| line.contains("/// $")).unwrap_or_default();
        line.split(" //@").next().unwrap_or_default().to_owned()
    } else {
        instruction.to_string()
    };
    match parse_instruction(&text, format) {
        Ok(parsed) => {
            let parsed_bytes = parsed.to_bytes(format);
            prop_assert!(parsed_bytes.is_ok(), "{}", text);
            if is_complete {
                prop_assert_eq!(parsed_bytes, Ok(bytes), "{}", text);
                prop_assert_eq!(&parsed, instruction, "{}", text);
            }
        }
        Err(errors) => prop_assert!(!is_complete, "{}\n{}", text, errors),
    }
    Ok(is_complete)
}

fn flipped(bytes: &[u8], bit: usize) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    bytes[bit / 8] ^= 1 << (bit % 8);
    bytes
}

#[test]
fn is_the_inverse_of_display() {
    let mut complete = 0;
    for (salt, format) in FORMATS.into_iter().enumerate() {
        let mut module = tables(format);
        let mut runner = runner(4, salt);
        for (_, row) in rows(format) {
            for _ in 0..runner.config().cases {
                let generated = row.new_tree(&mut runner).expect("a case").current();
                complete += u32::from(check(&mut module, &generated).expect("an inverse"));
            }
        }
        // Most generated operands have no complete text. These have, and most changes keep it.
        for instruction in instructions_with_complete_text(format) {
            complete += u32::from(check(&mut module, &instruction).expect("an inverse"));
            let bytes = instruction.to_bytes(format).expect("it can be encoded");
            for _ in 0..runner.config().cases {
                let bit = any::<Index>().new_tree(&mut runner).expect("an index").current();
                let bytes = flipped(&bytes, bit.index(8 * bytes.len()));
                if let Ok(mutant) = Instruction::from_bytes(&bytes, format) {
                    complete += u32::from(check(&mut module, &mutant).expect("an inverse"));
                }
            }
        }
    }
    eprintln!("{complete} instructions with complete text");
    assert!(complete > 1_000, "only {complete} instructions: a useless strategy");
}

#[test]
fn instructions_of_the_corpus_are_parsed() {
    let (mut count, mut incomplete) = (0, 0);
    for path in corpus::files() {
        let file = fs::read(&path).expect("a readable file");
        let module = Module::from_bytes(&file, Dialect::Igc2022).expect("a vISA object");
        let format = module.format;
        for routine in module.routines() {
            let mut faithful = None;
            for item in routine.instructions() {
                let (_, instruction) = item.expect("legal code");
                let bytes = instruction.to_bytes(format).expect("it was decoded");
                let text = instruction.to_string();
                count += 1;
                let parsed = parse_instruction(&text, format);
                if parsed.as_ref().is_ok_and(|parsed| *parsed == instruction) {
                    continue;
                }
                incomplete += 1;
                let hex: String = bytes.iter().map(|byte| format!(" {byte:02x}")).collect();
                let faithful = faithful.get_or_insert_with(|| {
                    let mut text = String::new();
                    let listing = genvisa::text::Listing::new(routine);
                    listing.write_to(&mut text).expect("legal code");
                    text
                });
                let is_annotated = faithful.contains(&format!("//@{hex}"));
                assert!(is_annotated, "{}: {text}\n{parsed:?}", path.display());
            }
        }
    }
    eprintln!("{count} instructions, {incomplete} of them with incomplete text");
}

#[test]
fn ids_need_no_declaration() {
    let format = Format::default();
    let exec = ExecSize::S1.into();
    let surface = VectorKind::State { class: StateClass::SURFACE, index: 300, offset: 2 };
    let mov = Mov {
        exec,
        pred: Pred::NONE,
        dst: Dst::new(VarId(u32::MAX)),
        src0: Vector { kind: surface, ..Vector::scalar(VarId(0)) },
    };
    let fcall = Fcall {
        exec,
        pred: Pred::NONE,
        func_id: ShortStringId(u16::MAX),
        arg_size: 0,
        return_size: 0,
    };
    let lifetime = |class| Lifetime {
        properties: LifetimeProperties { end: true, class },
        variable: VarId(70_000),
    };
    let cases: [Instruction; 6] = [
        mov.into(),
        fcall.into(),
        File { file_name: StringId(u32::MAX) }.into(),
        Subroutine { label: LabelId(u16::MAX) }.into(),
        lifetime(LifetimeClass::ADDRESS).into(),
        lifetime(LifetimeClass::PREDICATE).into(),
    ];
    for instruction in cases {
        let text = instruction.to_string();
        assert_eq!(parse_instruction(&text, format).as_ref(), Ok(&instruction), "{text}");
    }
    // An address is printed in bytes if the type is known, and else as row and column.
    for text in ["&V40(1,2)", "&V40(0,0)", "&%tsc[40]", "&%tsc", "&T6[4]", "&S1"] {
        let source = format!("addr_add (M1, 8) A0(1)<4> {text} 0x8:uw");
        let parsed = parse_instruction(&source, format).expect("correct text");
        assert_eq!(parsed.to_string(), source);
    }
}

#[test]
fn blank_lines_and_comments_are_skipped() {
    let format = Format::default();
    let ret = parse_instruction("ret (M1, 1)", format).expect("correct text");
    let sources = [
        "\n\n  // a comment\n\tret (M1,1) /// $5\n\n/* another\n */  \n",
        "\u{feff}ret (M1, 1)\r\n",
    ];
    for source in sources {
        assert_eq!(parse_instruction(source, format).as_ref(), Ok(&ret), "{source:?}");
    }
}

#[test]
fn manual_text_is_read_in_dialect_manual() {
    let source = "MEDIA_LD.2 (32, 8) T6 0 V33(0,0)<0;1,0> 0x10:ud V34.0";
    let manual = parse_instruction(source, Format::MANUAL).expect("correct text");
    assert_eq!(manual.to_string(), "media_ld.top (32,8) T6 0 V33(0,0)<0;1,0> 0x10:ud V34.0");
    let errors = parse_instruction(source, Format::default()).expect_err("another dialect");
    assert_eq!(errors[0].to_string(), "unknown instruction `MEDIA_LD`");
}

#[test]
fn rejects_other_text() {
    let cases = [
        ("", "expected an instruction, found the end of the text"),
        ("\n// ret (M1, 1)\n", "expected an instruction, found the end of the text"),
        ("ret (M1, 1)\nret (M1, 1)", "expected the end of the text, found `ret`"),
        ("ret (M1, 1) ret", "expected the end of the line, found `ret`"),
        ("ret (M1, 1) }", "expected the end of the line, found `}`"),
        ("{ ret (M1, 1)", "expected an instruction, found `{`"),
        (".decl x v_type=G type=d num_elts=8", "expected an instruction, found `.decl`"),
        ("ret (M1, 1) //@ 00", "annotations are allowed only in routines"),
        ("//@ strings", "annotations are allowed only in routines"),
        ("jmp (M1, 1) loop", "`loop` is not the id of a label"),
        ("jmp (M1, 1) L65536", "`L65536` is not the id of a label"),
        ("loop:", "`loop` is not the id of a label"),
        (".function \"L1\"\nL2:", "expected the label of `.function \"L1\"`, found another label"),
        (".function \"L1\"\n\n", "expected the label of the subroutine, found the end of the line"),
        ("mov (M1, 1) V99999999999(0,0)<1> 0x0:d", "`V99999999999` is not declared"),
        ("mov (M1, 1) V033(0,0)<1> 0x0:d", "`V033` is not declared"),
        ("mov (M1, 1) x(0,0)<1> 0x0:d", "`x` is not declared"),
        ("FILE \"a.c\"", "expected the id of a string, such as `#5`, found `\"`"),
        ("addr_add (M1, 8) A0(1)<4> &V40[4] 0x8:uw", "the type of `V40` is unknown"),
        ("oword_ld (2) T300 0x0:ud V34.0", "expected a surface with an id up to 255, found `T300`"),
        ("CISA", "expected text, found an object file"),
    ];
    for (source, expected) in cases {
        let errors = parse_instruction(source, Format::default()).expect_err(source);
        assert_eq!(errors[0].to_string(), expected, "{source}");
        assert_eq!(errors.len(), 1, "{source}: {errors}");
        assert!(errors[0].line_and_column().is_some(), "{source}");
    }
}

#[test]
fn instructions_of_newer_formats_are_rejected() {
    let format = Format::igc2022(Version::V3_0);
    let source = "(P1) jmp (M1, 1) L3";
    assert!(parse_instruction(source, format).is_ok());
    let wait = "wait 0x1:uw";
    let errors = parse_instruction(wait, format).expect_err("no operand in 3.0");
    let help = errors[0].help.as_deref().unwrap_or_default();
    assert!(help.starts_with("version 3."), "{errors}");
}
