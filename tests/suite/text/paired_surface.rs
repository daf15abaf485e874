//! The paired surface of sampler messages, which compilers read differently before version 4.2.

use genvisa::isa::{Load3d, Sample3d};
use genvisa::operand::{Raw, VarId};
use genvisa::text::Document;
use genvisa::text::{FileListing, Reformatter, format_of, parse, reformat};
use genvisa::{Dialect, Format, Instruction, Module, Version};

fn source(version: &str, line: &str) -> String {
    format!(
        ".version {version}\n.kernel \"k\"\n.decl F v_type=G type=f num_elts=256 align=GRF\n\
         .decl S v_type=S num_elts=1\n.decl T v_type=T num_elts=1\n{line}\n"
    )
}

fn first(module: &Module<'_>) -> Instruction {
    let routine = module.routines().next().expect("a kernel");
    routine.instructions().next().expect("an instruction").expect("legal code").1
}

/// Returns the paired surface and the parameters of a sampler message.
fn operands(instruction: Instruction) -> (Option<Raw>, Vec<Raw>) {
    match instruction {
        Instruction::Sample3d(Sample3d { paired_surface, params, .. })
        | Instruction::Load3d(Load3d { paired_surface, params, .. }) => {
            (paired_surface, params.to_vec())
        }
        other => panic!("{other}"),
    }
}

const F: VarId = VarId::FIRST_DECLARED;
const U: Raw = Raw { var: F, offset: 32 };
const V: Raw = Raw { var: F, offset: 64 };

/// A dialect, a version of the text, operands, the number of parameters, and a part of the warning.
type Reading = (Dialect, &'static str, &'static str, usize, &'static str);

const AS_PARAMETER: &str =
    "is read as the first parameter of `sample_3d`, as by GenX_IR 1.0.12504.6; IGC 2.40.14";
const AS_PAIR: &str =
    "is read as the paired surface of `sample_3d`, as by IGC 2.40.14; GenX_IR 1.0.12504.6";

const READINGS: &[Reading] = &[
    (Dialect::Igc2022, "3.6", "F.32 F.64", 2, AS_PARAMETER),
    (Dialect::Igc2022, "3.6", "%null.0 F.32 F.64", 3, AS_PARAMETER),
    (Dialect::Igc2022, "3.6", "%null.0 F.32 F.64 //@ paired", 2, ""),
    (Dialect::Igc2022, "3.6", "", 0, ""),
    (Dialect::Igc2022, "4.0", "%null.0 F.32 F.64", 3, AS_PARAMETER),
    (Dialect::Igc2022, "4.1", "F.32 F.64", 2, AS_PARAMETER),
    (Dialect::Igc2022, "4.1", "%null.0 F.32 F.64", 2, AS_PAIR),
    (Dialect::Igc2022, "4.1", "%null.0 F.32 F.64 /// $0 //@ paired", 2, ""),
    (Dialect::Igc2022, "4.1", "%null.0 %null.0 F.64 //@ paired", 2, ""),
    (Dialect::Igc2026, "3.6", "%null.0 F.32 F.64", 2, ""),
    (Dialect::Igc2026, "4.1", "F.32 F.64", 1, ""),
    (Dialect::Igc2026, "4.1", "F.32 F.64 //@ paired", 1, ""),
    (Dialect::Igc2026, "4.2", "F.32 F.64", 1, ""),
    (Dialect::Igc2026, "4.2", "%null.0 F.32 F.64", 2, ""),
];

/// A text is read as the compiler of its time reads it, with a warning if it does not say which. What
/// is printed says so, and is read as the same message in all dialects that can encode it.
#[test]
fn the_version_the_dialect_and_an_annotation_determine_the_reading() {
    for (dialect, version, line, count, warning) in READINGS {
        let format = Format { dialect: *dialect, ..format_of(format!(".version {version}")) };
        let text = source(version, &format!("sample_3d.RGBA (M1, 8) 0x0:uw S T F.0 {line}"));
        let assembly = Document::parse(&text, format)
            .into_result()
            .unwrap_or_else(|errors| panic!("{text}{errors}"));
        let (paired, params) = operands(first(&assembly.module));
        assert_eq!(params.len(), *count, "{format}: {line}");
        assert_eq!(params.last().is_some_and(|last| *last == V), *count > 0, "{format}: {line}");
        let is_pair = paired.is_some_and(|pair| !pair.is_null());
        assert_eq!(is_pair, *dialect == Dialect::Igc2026 && *count == 1, "{format}: {line}");
        match assembly.warnings.first() {
            Some(found) => {
                assert!(!warning.is_empty(), "{format}: {line}: {found}");
                assert!(found.to_string().contains(warning), "{format}: {line}: {found}");
                assert!(found.help.as_deref().unwrap_or_default().contains("`//@ paired`"));
            }
            None => assert_eq!(*warning, "", "{format}: {line}"),
        }
        let printed = FileListing::new(&assembly.module).to_text().expect("legal code");
        for dialect in [*dialect, Dialect::Igc2026] {
            let again = Document::parse(&printed, Format { dialect, ..format })
                .into_result()
                .expect("printed text");
            assert_eq!(again.warnings.len(), 0, "{dialect:?}: {printed}");
            let (again_paired, again_params) = operands(first(&again.module));
            assert_eq!(again_params, params, "{dialect:?}: {printed}");
            let pair = |pair: Option<Raw>| pair.unwrap_or(Raw::NULL);
            assert_eq!(pair(again_paired), pair(paired), "{dialect:?}: {printed}");
        }
    }
}

#[test]
fn printed_messages_have_a_paired_surface() {
    let line = "load_lz.RG (M1, 8)  0x0:uw T F.0 F.32 F.64";
    let paired = "    load_lz.RG (M1, 8)  0x0:uw T F.0 %null.0 F.32 F.64 //@ paired\n";
    let module = parse(source("3.6", line), Format::default()).expect("correct text");
    assert_eq!(operands(first(&module)), (None, vec![U, V]));
    let printed = FileListing::new(&module).with_numbers(false).to_text().expect("legal code");
    assert!(printed.ends_with(paired), "{printed}");
    // A file of 3.6 that is printed in 4.2, and text of 4.2, need no annotation.
    let text = source("4.2", &line.replace("F.32", "%null.0 F.32"));
    let reformatted = reformat(text).expect("correct text");
    assert!(reformatted.contains(" F.0 %null.0 F.32 F.64 ") && !reformatted.contains("//@"));
}

/// In a format without the field, a paired surface is an error.
#[test]
fn a_paired_surface_needs_a_format_with_the_field() {
    let text = source("4.1", "sample_3d.R (M1, 8) 0x0:uw S T F.0 F.32 F.64 //@ paired");
    let errors = parse(&text, Format::igc2022(Version::V4_1)).expect_err("no such field");
    let help = errors[0].help.as_deref().unwrap_or_default();
    assert!(help.contains("igc2026"), "{errors}");
    assert!(parse(&text, Format::igc2026(Version::V4_1)).is_ok());
    let reformatter = Reformatter::new().with_dialect(Dialect::Igc2026);
    let reformatted = reformatter.reformat(&text).expect("a dialect with the field").text;
    assert!(reformatted.contains(" F.0 F.32 F.64 "), "{reformatted}");
    let again = reformatter.reformat(&reformatted).expect("formatted text").text;
    assert_eq!(again, reformatted);
}

#[test]
fn only_sampler_messages_take_the_annotation() {
    for (line, expected) in [
        ("barrier //@ paired", "only sampler messages have a paired surface"),
        ("sample_3d.R (M1, 8) 0x0:uw S T F.0 F.32 //@ pair", "expected"),
        ("sample_3d.R (M1, 8) 0x0:uw S T F.0 //@ paired", "expected"),
        (".kernel_attr Target=\"cm\" //@ paired", "expected `attribute`, found `paired`"),
    ] {
        let errors = parse(source("3.6", line), Format::default()).expect_err(line);
        assert!(errors[0].to_string().starts_with(expected), "{line}: {}", errors[0]);
    }
}

/// A routine with many messages has one warning.
#[test]
fn a_routine_has_one_warning() {
    let lines = ["sample_3d.R (M1, 8) 0x0:uw S T F.0 F.32"; 3].join("\n");
    let text = source("3.6", &lines);
    let text = format!("{text}{}", text.replace(".version 3.6\n", "").replace("\"k\"", "\"l\""));
    let assembly = Document::parse(text, Format::default()).into_result().expect("correct text");
    assert_eq!(assembly.warnings.len(), 2, "{}", assembly.warnings);
}
