//! Examples, and what is found with them.

use genvisa::Platform;
use genvisa_isa::{example, find, instruction, rows};

/// A part of the rows, which differs from those of the tests of other packages.
const STEP: usize = 9;

#[test]
fn platforms_are_those_that_have_an_example() {
    for row in rows().iter().step_by(STEP) {
        let data = instruction(row, None);
        for platform in Platform::ALL {
            let has_example = example(row, Some(*platform)).is_some();
            let is_listed = data.platforms.contains(&platform.name());
            assert_eq!(has_example, is_listed, "{} on {platform}", data.mnemonic);
        }
    }
}

#[test]
fn messages_of_older_platforms_are_listed_for_them() {
    for (mnemonic, present, absent) in [
        ("lsc_load", Platform::Dg2, Platform::Tgllp),
        ("lsc_store_quad", Platform::Xe2, Platform::Tgllp),
        ("dp4", Platform::Skl, Platform::Dg2),
        ("add3", Platform::Dg2, Platform::Skl),
    ] {
        let row = find(mnemonic).remove(0);
        let platforms = instruction(&row, None).platforms;
        assert!(platforms.contains(&present.name()), "{mnemonic}: {platforms:?}");
        assert!(!platforms.contains(&absent.name()), "{mnemonic}: {platforms:?}");
    }
}
