//! `parse_instruction`, the inverse of `display`.

use std::fs;

use genvisa::isa::{Fcall, File, Lifetime, LscUntyped, Mov, Ret, Subroutine, lsc};
use genvisa::object::{Align, Code, Kernel};
use genvisa::operand::{
    AddrId, AddrWidth, DataType, Dst, ExecSize, LabelId, LifetimeClass, LifetimeProperties, Pred,
    PredId, ShortStringId, StateClass, StringId, VarId, Vector, VectorKind,
};
use genvisa::strategy::rows;
use genvisa::text::{FileListing, parse, parse_instruction};
use genvisa::{Dialect, Format, Instruction, Module, Version};
use genvisa_test_support::random::runner;
use genvisa_test_support::{corpus, formats};
use proptest::prelude::*;
use proptest::sample::Index;
use proptest::strategy::ValueTree;

use super::complete::complete_text::instructions_with_complete_text;
use super::has_bytes;

/// Checks that an instruction is the one that its text displays. Returns whether its text is complete
/// without its bytes.
fn check(instruction: &Instruction, format: Format) -> bool {
    let text = instruction.display(format).to_string();
    match parse_instruction(&text, format) {
        Ok(parsed) => assert_eq!(&parsed, instruction, "{format}: {text}"),
        Err(errors) => panic!("{format}: {text}\n{errors}"),
    }
    !has_bytes(&text)
}

fn flipped(bytes: &[u8], bit: usize) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    bytes[bit / 8] ^= 1 << (bit % 8);
    bytes
}

#[test]
fn is_the_inverse_of_display() {
    let (mut complete, mut with_bytes) = (0, 0);
    let mut check = |instruction: &Instruction, format: Format| {
        let is_complete = check(instruction, format);
        *(if is_complete { &mut complete } else { &mut with_bytes }) += 1;
    };
    for (salt, format) in formats::all().into_iter().enumerate() {
        let mut runner = runner(4, salt);
        for (_, row) in rows(format) {
            for _ in 0..runner.config().cases {
                check(&row.new_tree(&mut runner).expect("a case").current(), format);
            }
        }
        // Most generated operands have no complete text. These have, and most changes keep it.
        for instruction in instructions_with_complete_text(format) {
            check(&instruction, format);
            let bytes = instruction.to_bytes(format).expect("it can be encoded");
            for _ in 0..runner.config().cases {
                let bit = any::<Index>().new_tree(&mut runner).expect("an index").current();
                let bytes = flipped(&bytes, bit.index(8 * bytes.len()));
                if let Ok(mutant) = Instruction::from_bytes(&bytes, format) {
                    check(&mutant, format);
                }
            }
        }
    }
    eprintln!("{complete} instructions with complete text, {with_bytes} with bytes");
    assert!(complete > 1_000, "only {complete} instructions: a useless strategy");
}

#[test]
#[ignore = "needs the corpus"]
fn instructions_of_the_corpus_are_parsed() {
    let (mut count, mut complete) = (0, 0);
    for path in corpus::required_files() {
        let file = fs::read(&path).expect("a readable file");
        let module = Module::from_bytes(&file, Dialect::Igc2022).expect("a vISA object");
        for routine in module.routines() {
            for item in routine.instructions() {
                count += 1;
                complete += u32::from(check(&item.expect("legal code").1, module.format));
            }
        }
    }
    eprintln!("{count} instructions, {complete} of them with complete text");
}

/// An annotation with bytes completes the text, which determines the ids.
#[test]
fn bytes_follow_the_text() {
    let format = Format::default();
    let pred = |id: u16| Pred::from_bits(0x6000 | id).expect("a control without a name");
    let predicated: Instruction = Ret { pred: pred(1), exec: ExecSize::S1.into() }.into();
    let text = predicated.display(format).to_string();
    let (start, bytes) = text.split_once(" //@ ").expect("bytes");
    assert_eq!(parse_instruction(&text, format).as_ref(), Ok(&predicated));
    let renamed = parse_instruction(format!("{} //@ {bytes}", start.replace("P1", "P2")), format);
    assert_eq!(renamed, Ok(Ret { pred: pred(2), exec: ExecSize::S1.into() }.into()));
    for (source, expected) in [
        (format!("barrier //@ {bytes}"), "the bytes of the annotation do not match the text"),
        (format!("{start} //@ {bytes} 00"), "invalid instruction bytes"),
        (format!("{start} //@ x"), "expected"),
    ] {
        let errors = parse_instruction(&source, format).expect_err(&source);
        assert!(errors[0].to_string().starts_with(expected), "{source}: {}", errors[0]);
    }
}

/// The paired surface of a sampler message is in the text of all formats, and the pages' text of
/// `Manual` has none.
#[test]
fn sampler_messages_have_a_paired_surface() {
    let source = "sample_3d.RGBA (M1, 8)  0x0:uw S0 T6 V32.0 %null.0 V33.0";
    for format in formats::all().into_iter().filter(|format| !format.is_manual()) {
        for text in [source.into(), format!("{source} //@ paired")] {
            let sample = parse_instruction(text, format).expect("correct text");
            assert_eq!(sample.display(format).to_string(), source, "{format}");
        }
    }
    let page = "SAMPLE_3d.RGBA (8) 0x0:uw S0 T6 V32.0 V33.0";
    let sample = parse_instruction(page, Format::MANUAL).expect("text of the page");
    assert_eq!(sample.display(Format::MANUAL).to_string(), page);
    assert_eq!(sample.to_string(), source);
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
    assert_eq!(manual.display(Format::MANUAL).to_string(), source);
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
        ("//@ strings", "annotations are allowed only in routines"),
        ("jmp (M1, 1) loop", "`loop` is not the id of a label"),
        ("jmp (M1, 1) L65536", "`L65536` is not the id of a label"),
        ("loop:", "`loop` is not the id of a label"),
        (".function \"L1\"\nL2:", "the label of `.function \"L1\"` must follow it"),
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

/// The names of ids that only the bytes contain are beside them, so that new declarations do not change
/// what the bytes refer to.
#[test]
fn hidden_names_follow_declarations() {
    let format = Format::default();
    let mut kernel = Kernel::new("k");
    let body = &mut kernel.body;
    let v = body.add_variable("v", DataType::UD, 1, Align::DWORD);
    let a = body.add_address("a", 1).expect("a small table");
    let p = body.add_predicate("p", 1).expect("a small table");
    let predicate = |id| VectorKind::Predicate(Pred::new(id).expect("a small id"));
    let address = |addr| VectorKind::Address { addr, offset: 0, width: AddrWidth::default() };
    let load = "lsc_load.ugm (M1, 1) %null:d32 flat[%null]:a32";
    let Ok(Instruction::LscUntyped(LscUntyped::Access(load))) = parse_instruction(load, format)
    else {
        panic!("correct text")
    };
    // The text of an access to memory has no surface.
    let access = |kind| {
        let surface = Vector { kind, ..Vector::default() };
        Instruction::from(lsc::Access { surface, ..load })
    };
    let of_v = |v| access(Vector::scalar(v).kind);
    let code = [of_v(v), access(address(a)), access(predicate(p))];
    body.code = Code::from_instructions(&code, format).expect("small operands");
    let mut module = Module::new(format);
    module.kernels.push(kernel);
    let text = FileListing::new(&module).to_text().expect("legal code");
    for name in ["; V32=v", "; A0=a", "; P1=p"] {
        assert!(text.contains(name), "{name}: {text}");
    }
    assert_eq!(parse(&text, format).as_ref(), Ok(&module), "{text}");

    let mut edited = String::new();
    for line in text.lines() {
        for (name, ty) in [("v", "G type=ud"), ("a", "A"), ("p", "P")] {
            if line.starts_with(&format!(".decl {name} ")) {
                edited += &format!(".decl new_{name} v_type={ty} num_elts=1\n");
            }
        }
        edited += line;
        edited.push('\n');
    }
    let edited = parse(&edited, format).expect("correct text");
    let code: Vec<_> =
        edited.routines().flat_map(|one| one.instructions()).map(|item| item.unwrap().1).collect();
    let expected = [
        of_v(VarId(v.0 + 1)),
        access(address(AddrId(a.0 + 1))),
        access(predicate(PredId(p.0 + 1))),
    ];
    assert_eq!(code, expected);
}
