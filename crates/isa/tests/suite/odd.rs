//! Odd arguments.

use genvisa_isa::{find, names, summary};

#[test]
fn names_that_no_instruction_has_are_not_found() {
    for name in ["", " ", "ad", "add ", "add.sat", "\u{e9}", "\0", "ADDÄ"] {
        assert!(find(name).is_empty(), "{name:?}");
    }
}

#[test]
fn all_names_are_found() {
    for name in names() {
        assert!(!find(&name).is_empty(), "{name}");
        assert!(!find(&name.to_uppercase()).is_empty(), "{name}");
    }
}

#[test]
fn summaries_are_one_line() {
    for text in ["", "\n", " a\n b\n\n c", "[`a`] b", "\u{2028}"] {
        assert!(!summary(text).contains('\n'), "{text:?}");
    }
}
