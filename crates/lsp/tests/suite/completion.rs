//! Completion by position.

use lsp_types::request::Completion;
use lsp_types::{CompletionParams, CompletionResponse, CompletionTextEdit};
use serde_json::json;

use crate::client::{Client, TEXT, apply, at, position};

/// Returns the labels of the completions at the end of a line that is added to the text, and the texts
/// after them.
fn complete(client: &mut Client, line: &str) -> Vec<(String, String)> {
    let text = TEXT.replace("    ret", &format!("{line}\n    ret"));
    let start = text.rfind(&format!("{line}\n    ret")).expect("the line");
    let cursor = start + line.len();
    client.open("a", "visaasm", &text);
    let params = CompletionParams {
        text_document_position: at("a", position(&text, cursor)),
        work_done_progress_params: Default::default(),
        partial_result_params: Default::default(),
        context: None,
    };
    let Some(CompletionResponse::Array(items)) =
        client.request::<Completion>(params).expect("an answer")
    else {
        panic!("no list");
    };
    let items = items.into_iter().map(|item| {
        let Some(CompletionTextEdit::Edit(edit)) = item.text_edit else { panic!("no edit") };
        let applied = apply(&text, &[edit]);
        let line = applied[start..].lines().next().unwrap_or_default();
        (item.label, line.to_owned())
    });
    items.collect()
}

#[test]
fn completions_are_what_the_parser_accepts() {
    let mut client = Client::new(json!({"platform": "TGLLP"}));
    for (line, expected, others) in [
        ("    a", &["add", "and", "addc", ".decl"][..], &["GRF", "x"][..]),
        ("    (", &["p"], &["x", "y"]),
        ("    (p) ", &["goto", "mov"], &[".decl"]),
        ("    add.s", &["sat"], &["x", "lt"]),
        ("    cmp.", &["lt", "ne"], &["sat"]),
        ("    mov (", &["M1", "M5_NM", "16)"], &["x"]),
        ("    mov (M1, ", &["8)", "32)"], &["M1"]),
        ("    mov (M1, 16) ", &["x", "y", "p"], &["d", "lt"]),
        ("    mov (M1, 16) x(0,0)", &["<1>"], &["<0;1,0>"]),
        ("    mov (M1, 8) x(0,0)<1> y(0,0)", &["<0;1,0>", "<8;8,1>"], &["<1>"]),
        ("    mov (M1, 16) x(0,0)<1> 0x1:u", &["ud", "uw"], &["x"]),
        ("    goto (M1, 16) l", &["loop"], &["x"]),
        ("    lifetime.", &["start", "end"], &["x"]),
        (".decl z v_type=", &["G", "P", "T"], &["x"]),
        (".decl z v_type=G ", &["type="], &["align="]),
        (".decl z v_type=G type=d num_elts=8 ", &["align=", "alias=", "attrs="], &["type="]),
        (".decl z v_type=G type=d num_elts=8 align=", &["GRF", "dword"], &["x"]),
        (".de", &["decl"], &["mov"]),
        ("    svm_block_ld", &["svm_block_ld"], &[]),
        ("    resinfo.", &["R", "RG"], &["cps"]),
        ("    media_ld.", &["top", "bottom"], &["R"]),
        ("    gather4_typed.", &["R", "RGBA"], &["top"]),
        ("    sample_", &["sample_b", "sample_l", "sample_d_c"], &[]),
        ("    sample_3d.", &["cps", "pixel_null_mask", "RGBA"], &["top"]),
        ("    rt_write_3d.", &["<RTI>", "<Z>"], &["R"]),
        ("    rt_write_3d.<RTI>", &["<Z>", "<LRTW>"], &["R"]),
    ] {
        let items = complete(&mut client, line);
        for label in expected {
            let found = items.iter().any(|(found, _)| found == label);
            assert!(
                found,
                "`{line}`: no `{label}` in {:?}",
                items.iter().take(40).collect::<Vec<_>>()
            );
        }
        for label in others {
            assert!(!items.iter().any(|(found, _)| found == label), "`{line}`: `{label}`");
        }
        // A completion replaces the word before the cursor, and adds itself.
        for (label, applied) in &items {
            assert!(
                applied.ends_with(label.as_str()) || label.contains('-'),
                "`{line}`: `{label}`, `{applied}`"
            );
        }
    }
}

#[test]
fn a_completed_dot_is_not_repeated() {
    let mut client = Client::new(json!({}));
    let items = complete(&mut client, "    .de");
    let (_, line) = items.iter().find(|(label, _)| label.contains("decl")).expect("a directive");
    assert_eq!(line, "    .decl");
}
