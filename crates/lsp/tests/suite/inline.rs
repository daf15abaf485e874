//! Inline assembly.

use genvisa::Platform;
use genvisa_inline::source::{self, Language};
use genvisa_inline::{Checker, Place};
use lsp_types::request::{Completion, GotoDefinition, HoverRequest, References};
use lsp_types::{
    CompletionParams, CompletionResponse, GotoDefinitionParams, GotoDefinitionResponse,
    HoverContents, HoverParams, ReferenceContext, ReferenceParams,
};
use serde_json::json;

use crate::client::{Client, at, find, position};

const SOURCE: &str = r#"// é 𝒳
kernel void k(global int *out, int x) {
    int y;
    __asm__("add (M1, 16) %0(0,0)<1> %1(0,0)<1;1,0> 1:d\n"
            "mul (M1, 16) %0(0,0)<1> %0(0,0)<1;1,0> 2:d"
            : "=rw"(y) : "rw"(x));
    out[0] = y;
}
"#;

#[test]
fn findings_have_the_positions_of_the_checker() {
    let mut client = Client::new(json!({}));
    let source = SOURCE.replace("2:d", "2:dd").replace("\"rw\"(x)", "\"zz\"(x)");
    let found = client.open("a.cl", "opencl", &source);
    let checker = Checker::new().with_platform(Platform::Xe2);
    let blocks = source::find(source.as_bytes(), Language::OpenCl).blocks;
    let block = &blocks[0];
    let report = block.check(&checker).expect("a statement of vISA");
    let mut expected: Vec<_> = report
        .findings
        .iter()
        .map(|finding| {
            let start = match &finding.place {
                Place::Template(span) => block.template_map[span.start].start as usize,
                Place::Operand(number) => block.constraint_spans[*number].start,
                Place::Clobber(index) => block.clobber_spans[*index].start,
            };
            (position(&source, start), finding.message.clone())
        })
        .collect();
    assert!(!expected.is_empty());
    let mut found: Vec<_> = found
        .iter()
        .map(|it| {
            let message = it.message.split("\nhelp: ").next().unwrap_or_default();
            (it.range.start, message.to_owned())
        })
        .collect();
    expected.sort();
    found.sort();
    assert_eq!(found, expected);
}

#[test]
fn operands_of_templates_have_definitions_references_and_hover() {
    let mut client = Client::new(json!({}));
    assert_eq!(client.open("a.cl", "opencl", SOURCE), []);
    let use_of_1 = find(SOURCE, "%1(", "1(");
    let params = GotoDefinitionParams {
        text_document_position_params: at("a.cl", use_of_1),
        work_done_progress_params: Default::default(),
        partial_result_params: Default::default(),
    };
    let Some(GotoDefinitionResponse::Scalar(to)) =
        client.request::<GotoDefinition>(params).expect("an answer")
    else {
        panic!("no definition");
    };
    assert_eq!(to.range.start, find(SOURCE, ": \"rw\"", "rw"));
    let params = ReferenceParams {
        text_document_position: at("a.cl", find(SOURCE, "mul", "%0")),
        context: ReferenceContext { include_declaration: false },
        work_done_progress_params: Default::default(),
        partial_result_params: Default::default(),
    };
    let found = client.request::<References>(params).expect("an answer").expect("references");
    assert_eq!(found.len(), 3);
    let params = HoverParams {
        text_document_position_params: at("a.cl", use_of_1),
        work_done_progress_params: Default::default(),
    };
    let hover = client.request::<HoverRequest>(params).expect("an answer").expect("a hover");
    let HoverContents::Markup(markup) = hover.contents else { panic!("no text") };
    assert!(markup.value.contains("input operand 1, constraint `rw`"), "{}", markup.value);
}

#[test]
fn mnemonics_of_templates_have_hover_and_completion() {
    let mut client = Client::new(json!({}));
    client.open("a.cl", "opencl", SOURCE);
    let params = HoverParams {
        text_document_position_params: at("a.cl", find(SOURCE, "mul", "mul")),
        work_done_progress_params: Default::default(),
    };
    let hover = client.request::<HoverRequest>(params).expect("an answer").expect("a hover");
    let HoverContents::Markup(markup) = hover.contents else { panic!("no text") };
    assert!(markup.value.contains("Multiplication."), "{}", markup.value);
    assert_eq!(hover.range.map(|range| range.start), Some(find(SOURCE, "mul", "mul")));
    let params = CompletionParams {
        text_document_position: at("a.cl", find(SOURCE, "2:d", "d\"")),
        work_done_progress_params: Default::default(),
        partial_result_params: Default::default(),
        context: None,
    };
    let Some(CompletionResponse::Array(items)) =
        client.request::<Completion>(params).expect("an answer")
    else {
        panic!("no list");
    };
    assert!(items.iter().any(|item| item.label == "ud"), "{items:?}");
}

#[test]
fn completion_and_hover_have_the_names_of_the_template() {
    let mut client = Client::new(json!({}));
    let source = SOURCE.replace("mul (M1, 16) %0(0,0)<1> %0", "mul (M1, 16) %0(0,0)<1> ");
    client.open("a.cl", "opencl", &source);
    let cursor = source.find("mul (M1, 16) %0(0,0)<1> ").expect("the line") + 24;
    let params = CompletionParams {
        text_document_position: at("a.cl", position(&source, cursor)),
        work_done_progress_params: Default::default(),
        partial_result_params: Default::default(),
        context: None,
    };
    let Some(CompletionResponse::Array(items)) =
        client.request::<Completion>(params).expect("an answer")
    else {
        panic!("no list");
    };
    let labels: Vec<&str> = items.iter().map(|item| item.label.as_str()).collect();
    assert!(labels.contains(&"%0") && labels.contains(&"%1"), "{labels:?}");
    assert!(!labels.contains(&"%2"), "{labels:?}");
    let text = serde_json::to_string(&items).expect("JSON");
    assert!(!text.contains("OPERAND"), "{text}");

    client.open("b.cl", "opencl", SOURCE);
    for word in ["%0(", "%1(", "(0,0)<1> %1", "add", "<1;1,0>"] {
        let place = at("b.cl", position(SOURCE, SOURCE.find(word).expect("a word") + 1));
        let params = HoverParams {
            text_document_position_params: place,
            work_done_progress_params: Default::default(),
        };
        let hover = client.request::<HoverRequest>(params).expect("an answer");
        let text = serde_json::to_string(&hover).expect("JSON");
        assert!(!text.contains("OPERAND"), "{text}");
    }
}
