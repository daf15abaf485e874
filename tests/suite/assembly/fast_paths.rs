//! Texts that the fast paths of the parser read, and texts of the same meaning that they do not.

use genvisa::strategy::Generate;
use genvisa::text::{parse, parse_instruction, stated_versions};
use genvisa::{Format, Instruction, Version};
use proptest::prelude::*;

use super::kernel;

/// Returns the text of an instruction with blanks between the parts of its operands, without its
/// prefixes.
fn with_blanks(text: &str) -> String {
    let Some((head, operands)) = text.split_once(") ") else { return text.into() };
    let blanks = |text: &str, parts: &[&str]| {
        parts.iter().fold(text.to_string(), |text, part| text.replace(part, &format!(" {part} ")))
    };
    format!("{head} )  {}", blanks(operands, &["(", ")", ",", ";", "<", ">"]))
}

proptest! {
    // Most instructions have a part whose blanks matter.
    #![proptest_config(ProptestConfig { max_global_rejects: 1 << 20, ..ProptestConfig::default() })]

    /// Numbers and regions without blanks have their own code.
    #[test]
    fn blanks_in_operands_do_not_change_an_instruction(
        instruction in Instruction::strategy(Format::igc2022(Version::V3_6)),
    ) {
        let format = Format::igc2022(Version::V3_6);
        let text = instruction.to_string();
        // A comma also separates the parts of a string or a comment. Modifiers and the operands of
        // memory messages are words with punctuation.
        prop_assume!(!text.contains(['"', '[', '/', '?']) && !text.contains("(-") && !text.contains("(abs")
            && !text.contains("(~") && !text.starts_with('('));
        let parsed = parse_instruction(&text, format);
        prop_assume!(parsed.is_ok());
        let blanks = with_blanks(&text);
        prop_assert_eq!(parse_instruction(&blanks, format), parsed, "{}", blanks);
    }

    /// Short decimal numbers have their own code.
    #[test]
    fn a_number_is_its_sum_with_zero(row in 0..300u32, col in 0..300u32, stride in 0..40u32) {
        let number = |text: &dyn Fn(u32) -> String| {
            let line = format!(
                ".decl x v_type=G type=d num_elts=64 align=GRF\n    mov (M1, 1) x({},{})<{}> 0x1:d",
                text(row), text(col), text(stride)
            );
            parse(kernel(&line), Format::default()).ok()
        };
        let plain = number(&|number| number.to_string());
        prop_assert_eq!(&plain, &number(&|number| format!("{number}+0")));
        prop_assert_eq!(&plain, &number(&|number| format!("{number:#x}")));
        prop_assert_eq!(&plain, &number(&|number| format!("{number:012}")));
        let is_legal = row < 256 && col < 256 && matches!(stride, 0 | 1 | 2 | 4 | 8 | 16 | 32);
        prop_assert_eq!(plain.is_some(), is_legal);
    }

    /// The search for versions reads only the starts of statements.
    #[test]
    fn versions_are_found_between_other_statements(
        parts in prop::collection::vec((0..9usize, 0..9u8), 0..12),
    ) {
        let (mut text, mut expected) = (String::new(), Vec::new());
        for (part, minor) in parts {
            let version = format!(".version 3.{minor}");
            match part {
                0 => text += &format!("// {version}\n"),
                1 => text += &format!("/* \n{version}\n */\n"),
                2 => text += &format!(".kernel \"a\\\"\\\\{version}\"\n"),
                3 => text += &format!("mov / {version}\n"),
                4 => text += &format!("x: {version}\n"),
                5 => text += ".decl V32 v_type=G\n",
                6 => text += "\n\"\n",
                _ => {
                    let indent = " ".repeat(part - 7);
                    let at = text.len() + indent.len();
                    expected.push((at..at + version.len(), 3, minor));
                    text += &format!("{indent}{version} // {version}\n");
                }
            }
        }
        let found = stated_versions(&text).into_iter();
        let found: Vec<_> = found.map(|v| (v.span.start..v.span.start + 12, v.major, v.minor)).collect();
        prop_assert_eq!(found, expected, "{}", text);
    }
}

/// Suggestions do not depend on the order of a hash table.
#[test]
fn the_alphabetically_first_of_equally_similar_names_is_suggested() {
    let names = ["namc", "namb", "name0", "nama", "namd"];
    let declarations: Vec<String> =
        names.iter().map(|n| format!(".decl {n} v_type=G type=d num_elts=8 align=GRF\n")).collect();
    let text = kernel(&format!("{}    mov (M1, 8) namx(0,0)<1> 0x1:d", declarations.concat()));
    for _ in 0..20 {
        let errors = parse(&text, Format::default()).expect_err("an unknown name");
        assert_eq!(errors[0].help.as_deref(), Some("did you mean `nama`?"));
    }
}

/// Annotations are searched for in the whole text, and most lines have none.
#[test]
fn annotations_are_found_after_lines_without_any() {
    let bytes = "//@ 29 08 00 21 00 00 00 00 00 00 02 00 05 00 00 00 01 00 00 00";
    let line = ".decl x v_type=G type=d num_elts=64 align=GRF\n    mov (M1, 1) x(0,0)<1> 0x1:d";
    for before in ["", "a@b:\n", "// @\n", "    mov (M1, 1) \\\n  x(0,0)<1> 0x1:d\n"] {
        let text =
            |end: &str| kernel(&format!("{line}\n{before}    mov (M1, 1) x(0,0)<1> 0x1:d{end}"));
        assert!(parse(text(""), Format::default()).is_ok(), "{}", text(""));
        // The bytes are of another instruction, so that they are an error if they are read.
        let wrong = text(&format!(" {bytes}"));
        assert!(parse(&wrong, Format::default()).is_err(), "{wrong}");
    }
}
