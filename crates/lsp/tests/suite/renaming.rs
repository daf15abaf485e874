//! Definitions, references and renaming.

use genvisa::text::Recorded;
use std::collections::BTreeMap;

use genvisa::text::{self, Referent};
use genvisa_test_support::corpus;
use lsp_types::request::{GotoDefinition, References, Rename};
use lsp_types::{
    GotoDefinitionParams, GotoDefinitionResponse, Location, Position, ReferenceContext,
    ReferenceParams, RenameParams,
};
use serde_json::json;

use crate::client::{Client, TEXT, apply, at, find, position, uri};

fn rename(
    client: &mut Client,
    name: &str,
    position: Position,
    new: &str,
) -> Result<Vec<lsp_types::TextEdit>, String> {
    let params = RenameParams {
        text_document_position: at(name, position),
        new_name: new.into(),
        work_done_progress_params: Default::default(),
    };
    let edit = client.request::<Rename>(params)?.expect("an edit");
    Ok(edit.changes.expect("changes").remove(&uri(name)).unwrap_or_default())
}

fn references(client: &mut Client, name: &str, position: Position, context: bool) -> Vec<Location> {
    let params = ReferenceParams {
        text_document_position: at(name, position),
        context: ReferenceContext { include_declaration: context },
        work_done_progress_params: Default::default(),
        partial_result_params: Default::default(),
    };
    client.request::<References>(params).expect("an answer").unwrap_or_default()
}

fn definition(client: &mut Client, name: &str, position: Position) -> Option<Position> {
    let params = GotoDefinitionParams {
        text_document_position_params: at(name, position),
        work_done_progress_params: Default::default(),
        partial_result_params: Default::default(),
    };
    match client.request::<GotoDefinition>(params).expect("an answer")? {
        GotoDefinitionResponse::Scalar(location) => Some(location.range.start),
        other => panic!("{other:?}"),
    }
}

#[test]
fn names_of_a_text_with_errors_are_found() {
    let mut client = Client::new(json!({}));
    // The statement with the second `y` has an error before it.
    let source = TEXT.replace("cmp.lt (M1, 16)", "cmp.lt (M1, 17)");
    client.open("a", "visaasm", &source);
    let found = references(&mut client, "a", find(&source, ".decl y", "y"), true);
    assert_eq!(found.len(), 3);
    let to = definition(&mut client, "a", find(&source, "cmp", "y(0"));
    assert_eq!(to, Some(find(&source, ".decl y", "y")));
}

#[test]
fn renaming_changes_every_use_and_nothing_else() {
    let mut client = Client::new(json!({}));
    client.open("a", "visaasm", TEXT);
    let edits = rename(&mut client, "a", find(TEXT, "loop:", "x(0"), "first").expect("edits");
    let renamed = apply(TEXT, &edits);
    assert_eq!(
        renamed,
        TEXT.replace("x(0", "first(0")
            .replace(".decl x", ".decl first")
            .replace("<x,", "<first,")
            .replace(".input x", ".input first")
    );
    let edits = rename(&mut client, "a", find(TEXT, "loop:", "loop"), "again").expect("edits");
    assert_eq!(apply(TEXT, &edits), TEXT.replace("loop", "again"));
}

#[test]
fn conflicting_names_are_refused() {
    let mut client = Client::new(json!({}));
    client.open("a", "visaasm", TEXT);
    let x = find(TEXT, ".decl x", "x");
    for new in ["y", "p", "%null", "", "a b", "V0", "1a", "x\ny", "\"", "//", "𝒳"] {
        rename(&mut client, "a", x, new).expect_err(new);
    }
    // Labels have a namespace of their own.
    rename(&mut client, "a", x, "loop").expect("edits");
    // The message is about the name, not about an error that the text had before.
    let source = TEXT.replace("cmp.lt (M1, 16)", "cmp.lt (M1, 17)");
    client.open("c", "visaasm", &source);
    let message = rename(&mut client, "c", x, "y").expect_err("a conflict");
    assert!(message.contains("`y`"), "{message}");
    // Reserved words of the text of 4.2 are refused there.
    let source = TEXT.replace("3.6", "4.2").replace("/* 𝒳 */ ", "");
    client.open("b", "visaasm", &source);
    rename(&mut client, "b", find(&source, ".decl x", "x"), "add").expect_err("a reserved word");
    rename(&mut client, "a", find(TEXT, "num_elts", "num_elts"), "z").expect_err("a word");
    rename(&mut client, "a", find(TEXT, "mov", "mov"), "z").expect_err("a mnemonic");
}

#[test]
fn names_in_annotations_are_renamed() {
    let source = "\
.version 3.6
.kernel \"k\"
.decl early v_type=G type=d num_elts=8 align=GRF //@ alias=<late, 0>
.decl late v_type=G type=d num_elts=8 align=GRF
//@ label end attrs={A}
//@ labels end
    mov (M1, 8) early(0,0)<1> 0x2a:d
end:
    ret (M1, 1)
";
    let mut client = Client::new(json!({}));
    client.open("a", "visaasm", source);
    let edits = rename(&mut client, "a", find(source, ".decl late", "late"), "z").expect("edits");
    assert_eq!(apply(source, &edits), source.replace("late", "z"));
    let edits = rename(&mut client, "a", find(source, "end:", "end"), "z").expect("edits");
    assert_eq!(apply(source, &edits), source.replace("end", "z"));
}

/// Renames names of real texts and back: the text and the module are the same again, and every
/// definition is found from every reference.
#[test]
fn renaming_back_restores_real_texts() {
    let mut client = Client::new(json!({}));
    let mut tested = 0;
    for path in corpus::some_texts() {
        let source = std::fs::read_to_string(&path).expect("a text");
        let file = &*path.to_string_lossy();
        let format = text::format_of(&source);
        let recorded = Recorded::parse(&source, format);
        let mut names: BTreeMap<(String, String), Vec<usize>> = BTreeMap::new();
        for token in &recorded.tokens {
            if let Some(referent @ (Referent::Declared { .. } | Referent::Label { .. })) =
                token.referent()
            {
                let name = source[token.name(source.as_bytes())].to_owned();
                names.entry((format!("{referent:?}"), name)).or_default().push(token.span.start);
            }
        }
        let module = text::parse(&source, format);
        client.open(file, "visaasm", &source);
        for (index, ((_, name), uses)) in names.iter().enumerate().step_by(1 + names.len() / 25) {
            let start = position(&source, uses[0]);
            let found = references(&mut client, file, start, true);
            let starts: Vec<_> = found.iter().map(|it| it.range.start).collect();
            let expected: Vec<_> = uses.iter().map(|it| position(&source, *it)).collect();
            assert_eq!(starts, expected, "{name}");
            let to = definition(&mut client, file, start).expect("a definition");
            assert!(starts.contains(&to));
            assert_eq!(definition(&mut client, file, *starts.last().expect("a use")), Some(to));
            let new = format!("renamed_{index}");
            let edits = rename(&mut client, file, start, &new).expect("edits");
            let renamed = apply(&source, &edits);
            assert_ne!(renamed, source);
            let other = format!("{file}.{index}");
            client.open(&other, "visaasm", &renamed);
            let edits = rename(&mut client, &other, edits[0].range.start, name).expect("edits");
            assert_eq!(apply(&renamed, &edits), source, "{name}");
            assert_eq!(text::parse(&renamed, format).is_ok(), module.is_ok());
            tested += 1;
        }
    }
    assert!(tested > 5);
}

const INLINE: &str = r#"// é 𝒳
kernel void k(global int *out, int x) {
    int y, z;
    __asm__("{\n"
            ".decl tmp v_type=G type=d num_elts=16 align=GRF\n"
            ".decl other v_type=G type=d num_elts=16 align=GRF\n"
            "mov (M1, 16) other(0,0)<1> 1:d\n"
            "add (M1, 16) tmp(0,0)<1> %[in](0,0)<1;1,0> other(0,0)<1;1,0>\n"
            "mov (M1, 16) %[dst](0,0)<1> tmp(0,0)<1;1,0>\n"
            "}"
            : [dst] "=rw"(y) : [in] "rw"(x));
    __asm__("mov (M1, 16) %[dst](0,0)<1> %1(0,0)<1;1,0>"
            : [dst] "=rw"(z) : "rw"(x));
    out[0] = y + z;
}
"#;

#[test]
fn operands_of_templates_are_renamed_where_they_are_used() {
    let mut client = Client::new(json!({}));
    assert_eq!(client.open("a.cl", "opencl", INLINE), []);
    let other = INLINE.rfind("__asm__").expect("two statements");
    let expected = INLINE[..other].replace("[dst]", "[result]") + &INLINE[other..];
    for at in [find(INLINE, "%[dst]", "dst"), find(INLINE, ": [dst]", "dst")] {
        let edits = rename(&mut client, "a.cl", at, "result").expect("edits");
        assert_eq!(apply(INLINE, &edits), expected);
    }
    let at = find(INLINE, ": [dst]", "dst");
    for new in ["in", "", "1a", "a]", "a\"", "%"] {
        rename(&mut client, "a.cl", at, new).expect_err(new);
    }
    let error = rename(&mut client, "a.cl", find(INLINE, "%1(", "1("), "z").expect_err("no name");
    assert_eq!(error, "the operand has no name");
}

#[test]
fn names_that_templates_declare_are_renamed() {
    let mut client = Client::new(json!({}));
    client.open("a.cl", "opencl", INLINE);
    let at = find(INLINE, "add", "tmp");
    let edits = rename(&mut client, "a.cl", at, "sum").expect("edits");
    assert_eq!(apply(INLINE, &edits), INLINE.replace("tmp", "sum"));
    for new in ["other", "%null", "a b", "a\\n", "x\"", "add"] {
        rename(&mut client, "a.cl", at, new).expect_err(new);
    }
    rename(&mut client, "a.cl", find(INLINE, "add", "add"), "z").expect_err("a mnemonic");
    // Without braces, the statement after it refers to the same variable.
    let source = INLINE.replace("{\\n", "").replace("\"}\"", "\"\"").replace("%1(", "other(");
    client.open("b.cl", "opencl", &source);
    let at = find(&source, ".decl other", "other");
    let error = rename(&mut client, "b.cl", at, "z").expect_err("another template");
    assert_eq!(error, "another template refers to `other`");
}

#[test]
fn macros_that_templates_share_keep_their_names() {
    let mut client = Client::new(json!({}));
    let source = "\
#define DECL \".decl tmp v_type=G type=d num_elts=16 align=GRF\\n\"
void f(int x) {
    int y, z;
    __asm__(\"{\\n\" DECL \"mov (M1, 16) tmp(0,0)<1> 1:d\\n}\" : \"=rw\"(y));
    __asm__(\"{\\n\" DECL \"mov (M1, 16) tmp(0,0)<1> 1:d\\n}\" : \"=rw\"(z));
}
";
    client.open("a.c", "c", source);
    let at = find(source, "mov", "tmp");
    rename(&mut client, "a.c", at, "sum").expect_err("the macro has other uses");
}
