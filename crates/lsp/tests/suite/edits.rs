//! Random edits: the state of the server equals the state after a fresh open, and nothing panics.

use genvisa_lsp::{Encoding, Lines};
use genvisa_test_support::random::runner;
use lsp_types::{Position, Range};
use proptest::collection::vec;
use proptest::prelude::*;
use serde_json::json;

use crate::client::Client;
use crate::requests::{Edit, TEXT, edited, naive};

/// Texts that edits insert.
fn inserted() -> impl Strategy<Value = String> {
    prop_oneof![
        Just("\r".to_owned()),
        Just("\r\n".to_owned()),
        Just("\n".to_owned()),
        Just("𝒳".to_owned()),
        Just("é\u{301}".to_owned()),
        Just("\u{feff}".to_owned()),
        Just("//@ ".to_owned()),
        Just("/*".to_owned()),
        Just("*/".to_owned()),
        Just("\"".to_owned()),
        Just("\\\n".to_owned()),
        Just("{".to_owned()),
        Just("}".to_owned()),
        Just(".kernel \"z\"\n".to_owned()),
        Just(".decl x v_type=G type=d num_elts=8\n".to_owned()),
        Just("    add (M1, 8) x(0,0)<1> y(0,0)<1;1,0> ".to_owned()),
        "[ -~]{0,12}",
        any::<String>().prop_map(|text| text.chars().take(8).collect()),
        // The end of the text is a routine with names and labels.
        Just(TEXT.lines().skip(2).collect::<Vec<_>>().join("\r\n")),
    ]
}

/// A position that may be after the end of its line or of the text, or within a character.
fn positions() -> impl Strategy<Value = Position> {
    prop_oneof![
        8 => (0..20u32, 0..70u32),
        1 => (0..2000u32, 0..70u32),
        1 => (0..20u32, any::<u32>()),
    ]
    .prop_map(|(line, column)| Position::new(line, column))
}

fn edits() -> impl Strategy<Value = Vec<Edit>> {
    vec((positions(), positions(), inserted()), 1..12)
}

#[test]
fn positions_are_as_defined() {
    let strategy = (edits(), positions());
    let run = runner(200, 1).run(&strategy, |(edits, at)| {
        let text = edited(TEXT, &edits);
        let lines = Lines::new(&text, Encoding::Utf16);
        let offset = lines.offset(&text, at);
        prop_assert_eq!(offset, naive(&text, at));
        prop_assert_eq!(lines.offset(&text, lines.position(&text, offset)), offset);
        Ok(())
    });
    run.unwrap_or_else(|error| panic!("{error}"));
}

/// An editor may ask about the second half of a surrogate pair.
#[test]
fn a_position_within_a_character_is_its_start() {
    let text = "a𝒳𝒳b\r\n𝒳\né𝒳";
    let lines = Lines::new(text, Encoding::Utf16);
    assert_eq!(lines.offset(text, Position::new(0, 2)), 1);
    assert_eq!(lines.offset(text, Position::new(0, 4)), 5);
    for (line, column) in (0..4).flat_map(|line| (0..9).map(move |column| (line, column))) {
        let at = Position::new(line, column);
        assert_eq!(lines.offset(text, at), naive(text, at), "{line}:{column}");
    }
}

#[test]
fn the_state_after_edits_is_the_state_of_a_fresh_open() {
    let language = prop_oneof![3 => Just("visaasm"), 1 => Just("opencl")];
    let strategy = (edits(), positions(), language);
    let run = runner(48, 2).run(&strategy, |(edits, at, language)| {
        let settings = json!({"liveRegisters": true, "platform": "TGLLP"});
        let mut client = Client::new(settings.clone());
        client.open("a", language, TEXT);
        for (index, (start, end, new)) in edits.iter().enumerate() {
            let change = (Some(Range::new(*start, *end)), new.clone());
            client.change("a", 2 + index as i32, vec![change]);
            if index % 3 == 0 {
                client.state("a", at);
            }
        }
        let state = client.state("a", at);
        let version = 1 + edits.len() as i32;
        let text = edited(TEXT, &edits);
        let mut fresh = Client::new(settings);
        let expected = fresh.open("a", language, &text);
        prop_assert_eq!(&state, &fresh.state("a", at));
        // The diagnostics of the last version may have been published before.
        client.change("a", version + 1, vec![]);
        prop_assert_eq!(client.diagnostics("a", version + 1), expected);
        Ok(())
    });
    run.unwrap_or_else(|error| panic!("{error}"));
}
