//! Symbols and folding.

use lsp_types::request::{DocumentSymbolRequest, FoldingRangeRequest};
use lsp_types::{
    DocumentSymbolParams, DocumentSymbolResponse, FoldingRangeParams, TextDocumentIdentifier,
};
use serde_json::json;

use crate::client::{Client, TEXT, find, uri};

#[test]
fn routines_contain_their_variables_and_labels() {
    let mut client = Client::new(json!({}));
    client.open("a", "visaasm", &format!("{TEXT}{}", TEXT.replace("\"k\"", "\"other\"")));
    let params = DocumentSymbolParams {
        text_document: TextDocumentIdentifier::new(uri("a")),
        work_done_progress_params: Default::default(),
        partial_result_params: Default::default(),
    };
    let Some(DocumentSymbolResponse::Nested(symbols)) =
        client.request::<DocumentSymbolRequest>(params).expect("an answer")
    else {
        panic!("no symbols");
    };
    let names: Vec<&str> = symbols.iter().map(|symbol| &*symbol.name).collect();
    assert_eq!(names, ["k", "other"]);
    for symbol in &symbols {
        let children = symbol.children.as_ref().expect("children");
        let names: Vec<&str> = children.iter().map(|child| &*child.name).collect();
        assert_eq!(names, ["x", "y", "p", "loop"]);
    }
    let x = &symbols[0].children.as_ref().expect("children")[0];
    assert_eq!(x.selection_range.start, find(TEXT, ".decl x", "x"));
}

#[test]
fn routines_and_declarations_fold() {
    let mut client = Client::new(json!({}));
    client.open("a", "visaasm", TEXT);
    let params = FoldingRangeParams {
        text_document: TextDocumentIdentifier::new(uri("a")),
        work_done_progress_params: Default::default(),
        partial_result_params: Default::default(),
    };
    let ranges = client.request::<FoldingRangeRequest>(params).expect("an answer").expect("ranges");
    let lines: Vec<_> = ranges.iter().map(|range| (range.start_line, range.end_line)).collect();
    assert!(lines.contains(&(1, 13)), "{lines:?}");
    assert!(lines.contains(&(3, 7)), "{lines:?}");
}
