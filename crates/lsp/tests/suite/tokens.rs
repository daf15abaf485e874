//! Semantic tokens.

use genvisa_lsp::semantic_tokens::legend;
use lsp_types::request::SemanticTokensFullRequest;
use lsp_types::{SemanticTokensParams, SemanticTokensResult, TextDocumentIdentifier};
use serde_json::json;

use crate::client::{Client, TEXT, uri};

/// Returns the texts and types of the tokens.
fn tokens(source: &str) -> Vec<(String, String)> {
    let mut client = Client::new(json!({}));
    client.open("a", "visaasm", source);
    let params = SemanticTokensParams {
        text_document: TextDocumentIdentifier::new(uri("a")),
        work_done_progress_params: Default::default(),
        partial_result_params: Default::default(),
    };
    let result = client.request::<SemanticTokensFullRequest>(params).expect("an answer");
    let Some(SemanticTokensResult::Tokens(tokens)) = result else { panic!("no tokens") };
    let lines: Vec<Vec<u16>> = source
        .replace("\r\n", "\n")
        .split(['\n', '\r'])
        .map(|line| line.encode_utf16().collect())
        .collect();
    let (mut line, mut column) = (0, 0);
    let legend = legend().token_types;
    let tokens = tokens.data.iter().map(|token| {
        if token.delta_line > 0 {
            column = 0;
        }
        line += token.delta_line as usize;
        column += token.delta_start as usize;
        let units = &lines[line][column..column + token.length as usize];
        let text = String::from_utf16(units).expect("whole characters");
        (text, legend[token.token_type as usize].as_str().to_owned())
    });
    tokens.collect()
}

#[test]
fn tokens_have_the_kinds_that_the_parser_reads() {
    let found = tokens(TEXT);
    for (text, kind) in [
        ("// A comment with 𝒳 and é.", "comment"),
        ("/* 𝒳 */", "comment"),
        (".decl", "macro"),
        ("x", "variable"),
        ("v_type", "property"),
        ("d", "type"),
        ("GRF", "modifier"),
        ("\"cm\"", "string"),
        ("mov", "keyword"),
        ("M1", "modifier"),
        ("0x2a", "number"),
        ("lt", "modifier"),
        ("sat", "modifier"),
        ("loop", "enumMember"),
    ] {
        assert!(found.contains(&(text.into(), kind.into())), "{text} {kind}: {found:?}");
    }
    let lines = TEXT.replace('\n', "\r\n");
    assert_eq!(tokens(&lines), found);
}

#[test]
fn a_comment_of_several_lines_is_a_token_in_each() {
    let found = tokens(&TEXT.replace("/* 𝒳 */", "/* 𝒳\n   second */"));
    assert!(found.contains(&("/* 𝒳".into(), "comment".into())), "{found:?}");
    assert!(found.contains(&("   second */".into(), "comment".into())), "{found:?}");
}
