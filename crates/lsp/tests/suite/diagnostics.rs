//! Diagnostics, and the fixes of problems.

use genvisa::text::Document;
use genvisa::text::{self, LineIndex};
use genvisa::verify::{self, Verifier};
use genvisa_test_support::corpus;
use lsp_types::request::CodeActionRequest;
use lsp_types::{
    CodeActionContext, CodeActionOrCommand, CodeActionParams, Diagnostic, DiagnosticSeverity,
    NumberOrString, Range, TextDocumentIdentifier,
};
use serde_json::json;

use crate::client::{Client, TEXT, apply, find, uri};

/// Returns the titles and results of the fixes for a range.
fn fixes(client: &mut Client, name: &str, text: &str, range: Range) -> Vec<(String, String)> {
    let params = CodeActionParams {
        text_document: TextDocumentIdentifier::new(uri(name)),
        range,
        context: CodeActionContext::default(),
        work_done_progress_params: Default::default(),
        partial_result_params: Default::default(),
    };
    let actions = client.request::<CodeActionRequest>(params).expect("an answer");
    let fixes = actions.unwrap_or_default().into_iter().map(|action| {
        let CodeActionOrCommand::CodeAction(action) = action else { panic!("a command") };
        // `Uri` caches its parts, but its hash depends on the text only.
        #[allow(clippy::mutable_key_type)]
        let edits = action.edit.and_then(|edit| edit.changes).expect("edits");
        (action.title, apply(text, &edits[&uri(name)]))
    });
    fixes.collect()
}

#[test]
fn a_mistake_is_reported_and_fixed() {
    let mut client = Client::new(json!({"platform": "TGLLP"}));
    for (right, wrong) in [
        ("mov (", "movv ("),
        ("x(0,0)<1> 0x2a:d", "x(0,0)<1> 0x2a:int"),
        ("y(0,0)<8;8,1>", "yy(0,0)<8;8,1>"),
        (".input", ".inputt"),
        ("align=GRF", "align=GFR"),
    ] {
        let text = TEXT.replacen(right, wrong, 1);
        let name = wrong.split(['(', ' ']).next().unwrap_or_default();
        let found = client.open(name, "visaasm", &text);
        let error = found.iter().find(|it| it.severity == Some(DiagnosticSeverity::ERROR));
        let error = error.unwrap_or_else(|| panic!("no error about {wrong}: {found:?}"));
        assert!(error.message.contains("help: did you mean"), "{}", error.message);
        let fixes = fixes(&mut client, name, &text, error.range);
        assert!(fixes.iter().any(|(_, fixed)| fixed == TEXT), "{wrong}: {fixes:?}");
    }
}

#[test]
fn an_alignment_that_a_rule_requires_is_declared() {
    let mut client = Client::new(json!({"platform": "Xe2"}));
    let dpas = "\
.version 4.2
.kernel \"k\"
.decl f v_type=G type=f num_elts=128 align=GRF
.decl d v_type=G type=d num_elts=128 align=GRF
.decl s v_type=G type=d num_elts=128 ALIGN
.decl a v_type=G type=d num_elts=128 align=GRF alias=<s, 0>
    dpas.hf.hf.8.1 (M1, 16) f.0 f.0 d.0 a(0,0)
    ret (M1, 1)
";
    let alias = "\
.version 3.6
.kernel \"k\"
.decl s v_type=G type=uw num_elts=8 ALIGN
.decl a v_type=G type=q num_elts=2 alias=<s, 0>
    ret (M1, 1)
";
    for (name, source, rule, wrong, right) in [
        ("a", dpas, "dpas-base-aligned", "align=dword // text", "align=hword // text"),
        ("b", dpas, "dpas-base-aligned", "// text", "align=hword // text"),
        ("c", dpas, "dpas-base-aligned", "align = 4", "align = hword"),
        ("d", dpas, "dpas-base-aligned", "align=byte /* text */", "align=hword /* text */"),
        ("e", alias, "var-alias-align", "align=word", "align=qword"),
        ("f", alias, "var-alias-align", "", "align=qword"),
    ] {
        let text = source.replace("ALIGN", wrong);
        let found = client.open(name, "visaasm", &text);
        let code = Some(NumberOrString::String(rule.into()));
        let finding = found.iter().find(|it| it.code == code);
        let finding = finding.unwrap_or_else(|| panic!("no {rule} for {wrong}: {found:?}"));
        let fixes = fixes(&mut client, name, &text, finding.range);
        let fixed = source.replace("ALIGN", right);
        let fixed_word = |text: &str| text.split_whitespace().map(str::to_owned).collect();
        let expected: Vec<String> = fixed_word(&fixed);
        let found = fixes.iter().find(|(_, text)| fixed_word(text) == expected);
        let (title, fixed) = found.unwrap_or_else(|| panic!("{rule}, {wrong}: {fixes:?}"));
        assert!(title.starts_with("Declare with"), "{title}");
        let found = client.open(&format!("{name}.fixed"), "visaasm", fixed);
        assert!(found.iter().all(|it| it.code != code), "{fixed}: {found:?}");
    }
    // The edit replaces words only.
    let text = dpas.replace("ALIGN", "align=(2*2)");
    let found = client.open("g", "visaasm", &text);
    assert!(!found.is_empty());
    let whole = Range::new(find(&text, ".version", ""), find(&text, "ret", "ret"));
    let fixes = fixes(&mut client, "g", &text, whole);
    assert!(fixes.iter().all(|(title, _)| !title.starts_with("Declare")), "{fixes:?}");
}

#[test]
fn a_finding_has_the_page_of_its_rule() {
    let mut client = Client::new(json!({"platform": "TGLLP"}));
    let text = TEXT.replace("x(0,0)<1> 0x2a:d", "x(1,0)<1> 0x2a:d");
    let found = client.open("a.visaasm", "visaasm", &text);
    let finding = found.iter().find(|it| it.code_description.is_some()).expect("a finding");
    assert_eq!(finding.code, Some(NumberOrString::String("operand-bounds".into())));
    let page = finding.code_description.as_ref().map(|page| page.href.as_str().to_owned());
    assert_eq!(page, Some(genvisa::verify::rule_url("operand-bounds")));
    assert_eq!(finding.range.start, find(&text, "mov (M1", "x(1,0)"));
}

#[test]
fn a_missing_platform_can_be_stated() {
    let mut client = Client::new(json!({}));
    let source = TEXT.replace("3.6", "4.2");
    let found = client.open("a.visaasm", "visaasm", &source);
    let [note] = &found[..] else { panic!("{found:?}") };
    assert_eq!(note.severity, Some(DiagnosticSeverity::INFORMATION));
    let fixes = fixes(&mut client, "a.visaasm", &source, note.range);
    let (_, fixed) = fixes.iter().find(|(title, _)| title.ends_with(" TGLLP")).expect("a fix");
    assert_eq!(
        text::stated_platform(fixed).and_then(|it| it.platform()),
        Some(genvisa::Platform::Tgllp)
    );
    assert_eq!(client.open("b.visaasm", "visaasm", fixed), []);
}

#[test]
fn settings_change_the_findings() {
    let mut client = Client::new(json!({"genvisa": {"platform": "TGLLP"}}));
    let text = TEXT.replace("x(0,0)<1> 0x2a:d", "x(1,0)<1> 0x2a:d");
    assert_eq!(client.open("a.visaasm", "visaasm", &text).len(), 1);
    let settings = json!({"genvisa": {"platform": "TGLLP", "allow": ["operand-bounds"]}});
    client.notify("workspace/didChangeConfiguration", json!({"settings": settings}));
    assert_eq!(client.diagnostics("a.visaasm", 1), []);
}

/// Compares the diagnostics of real texts with the verifier.
#[test]
fn diagnostics_of_real_texts_are_those_of_the_verifier() {
    let files = corpus::texts(&[""]);
    assert!(files.len() > 5);
    let mut client = Client::new(json!({}));
    for (index, path) in files.iter().enumerate() {
        let Ok(text) = std::fs::read_to_string(path) else { continue };
        let format = text::format_of(&text);
        let Ok(assembly) = Document::parse(&text, format).into_result() else { continue };
        let mut verifier = Verifier::new();
        if let Some(platform) = text::stated_platform(&text).and_then(|it| it.platform()) {
            verifier = verifier.with_platform(platform);
        }
        let lines = LineIndex::new(text.as_bytes());
        let findings = verifier.check_module(&assembly.module);
        let mut expected: Vec<_> = verify::diagnostics(&findings, &assembly.source_map, &text)
            .iter()
            .chain(&assembly.warnings)
            .map(|it| (lines.line_and_column(it.span.start).0 - 1, it.to_string()))
            .collect();
        expected.sort();
        let found = client.open(&format!("{index}.visaasm"), "visaasm", &text);
        let is_finding = |it: &&Diagnostic| it.severity != Some(DiagnosticSeverity::INFORMATION);
        let message = |it: &Diagnostic| match it.message.split_once("\nhelp: ") {
            Some((message, _)) => message.to_owned(),
            None => it.message.clone(),
        };
        let found = found.iter().filter(is_finding);
        let mut found: Vec<_> =
            found.map(|it| (it.range.start.line as usize, message(it))).collect();
        found.sort();
        assert_eq!(found, expected, "{}", path.display());
    }
}
