//! Formatting.

use genvisa::text;
use genvisa_test_support::{corpus, repository};
use lsp_types::request::Formatting;
use lsp_types::{DocumentFormattingParams, FormattingOptions, TextDocumentIdentifier};
use serde_json::json;

use crate::client::{Client, TEXT, apply, uri};

fn format(client: &mut Client, name: &str) -> Result<Vec<lsp_types::TextEdit>, String> {
    let params = DocumentFormattingParams {
        text_document: TextDocumentIdentifier::new(uri(name)),
        options: FormattingOptions::default(),
        work_done_progress_params: Default::default(),
    };
    Ok(client.request::<Formatting>(params)?.unwrap_or_default())
}

#[test]
fn a_formatted_text_is_that_of_fmt() {
    let mut client = Client::new(json!({}));
    let mut sources = vec![TEXT.to_owned(), TEXT.replace("    ", "\t")];
    let files = [repository("tests/data/plain.visaasm")].into_iter().chain(corpus::some_texts());
    sources.extend(files.map(|file| std::fs::read_to_string(file).expect("a text")));
    for (index, source) in sources.iter().enumerate() {
        let name = index.to_string();
        client.open(&name, "visaasm", source);
        let formatted = apply(source, &format(&mut client, &name).expect("edits"));
        assert_eq!(formatted, text::reformat(source).expect("a correct text"));
        let again = format!("{name}again");
        client.open(&again, "visaasm", &formatted);
        assert_eq!(format(&mut client, &again), Ok(vec![]));
    }
}

#[test]
fn a_text_with_errors_is_not_formatted() {
    let mut client = Client::new(json!({}));
    client.open("a", "visaasm", &TEXT.replace("mov", "movv"));
    let error = format(&mut client, "a").expect_err("an error");
    assert!(error.contains("unknown instruction `movv`"), "{error}");
}
