//! Tests of the statements that texts of the compiler contain.

use std::fmt::Write as _;

use genvisa_inline::{Form, Statement, inlined_at};
use proptest::prelude::*;

/// A part of a line: a literal, or the number of an operand.
type Part = Result<String, usize>;

/// Lines of parts. Literals contain nothing that has a meaning in templates.
fn lines() -> impl Strategy<Value = Vec<Vec<Part>>> {
    let part =
        prop_oneof!["[ a-z(),<>0-9;:.&{}/\"-]{1,8}".prop_map(Ok), (0..3_usize).prop_map(Err),];
    prop::collection::vec(prop::collection::vec(part, 0..6), 1..6)
}

/// Returns the lines with a text for each operand.
fn with_operands(lines: &[Vec<Part>], mut operand: impl FnMut(usize) -> String) -> Vec<String> {
    let line = |line: &Vec<Part>| {
        line.iter().fold(String::new(), |mut text, part| {
            match part {
                Ok(literal) => text += literal,
                // A digit after an operand would be a part of its number.
                Err(number) => write!(text, "{};", operand(*number)).expect("a string"),
            }
            text
        })
    };
    lines.iter().map(line).collect()
}

proptest! {
    #[test]
    fn each_line_comes_from_its_line_of_the_template(lines in lines(), names in any::<[u16; 3]>()) {
        let template = with_operands(&lines, |number| format!("${number}"));
        let text = with_operands(&lines, |number| format!("V{:04}", names[number]));
        let statement = Statement::llvm(template.join("\n"), "=rw,rw,rw");
        let found = statement.lines_of(text.join("\n").as_bytes()).expect("the same statement");
        let shown = |range| String::from_utf8_lossy(&statement.template[range]).into_owned();
        let found: Vec<String> = found.into_iter().map(shown).collect();
        let all = template.join("\n");
        let expected: Vec<&str> = all.trim().split('\n').map(str::trim).collect();
        prop_assert_eq!(found, expected);
    }

    #[test]
    fn a_text_with_other_literals_is_of_another_statement(
        lines in lines(),
        at in any::<prop::sample::Index>(),
    ) {
        let template = with_operands(&lines, |number| format!("${number}")).join("\n");
        let mut text = with_operands(&lines, |_| "V32".into()).join("\n");
        // Nothing in a template is in upper case.
        let literals: Vec<usize> =
            text.char_indices().filter(|(_, it)| it.is_ascii_lowercase()).map(|(at, _)| at).collect();
        prop_assume!(!literals.is_empty());
        let changed = *at.get(&literals);
        text.replace_range(changed..=changed, "\u{7f}");
        prop_assert_eq!(Statement::llvm(template, "=rw,rw,rw").lines_of(text.as_bytes()), None);
    }

    #[test]
    fn any_bytes_have_an_answer(
        template in prop::collection::vec(any::<u8>(), 0..40),
        text in prop::collection::vec(any::<u8>(), 0..40),
        offset in 0..60_usize,
        form in prop_oneof![Just(Form::Llvm), Just(Form::Gnu), Just(Form::Basic)],
        holes in prop::collection::vec((0..40_usize, 0..40_usize), 0..2),
    ) {
        let holes = holes.into_iter().map(|(start, len)| start..start + len).collect();
        let statement = Statement { form, holes, ..Statement::llvm(template, "=rw,rw") };
        let lines = statement.lines_of(&text).unwrap_or_default();
        prop_assert!(lines.iter().all(|line| line.end <= statement.template.len()));
        let wrapped = [b"/// Inlined ASM\n", &text[..], b"/// End Inlined ASM\n"].concat();
        prop_assert!(inlined_at(&wrapped, offset).is_none_or(|it| it.contains(&offset)));
    }
}

#[test]
fn text_outside_of_statements_is_not_inlined() {
    let text = b"mov\n/// Inlined ASM\nadd\n/// End Inlined ASM\nret\n/// Inlined ASM\nsub\n/// End Inlined ASM\n";
    let find = |word: &str| {
        let text = std::str::from_utf8(text).expect("ASCII");
        let found = inlined_at(text.as_bytes(), text.find(word).expect("the word"))?;
        Some(text[found].trim_end().to_string())
    };
    assert_eq!(
        ["mov", "add", "ret", "sub"].map(find),
        [None, Some("add".into()), None, Some("sub".into())]
    );
}
