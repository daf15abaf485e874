//! A test that no token of an annotation is ignored: if a token is deleted, doubled or replaced,
//! the text is rejected, assembled with a warning, or assembled to something else.

use std::collections::BTreeMap;

use genvisa::text::Document;
use genvisa::{Format, Module};

/// A text with all kinds of annotations, which are all required.
const SOURCE: &str = "\
//@ extern \"f\" at=0 linkage=1
//@ relocs variable 1:0
//@ file_variable = 02 01 00 76 51 08 00 00
//@ sections kernel 0 function 1 padding = 01 02

.version 3.6
.kernel \"k\" //@ body_name=4
.funcdecl \"f\"
//@ relocs variable 5:0 6:0
//@ relocs function 7:1=\"g\"

.decl a v_type=G type=d num_elts=8 align=GRF //@ name=3
.decl b v_type=G type=d num_elts=8 //@ name=2 align=12 alias=<c, 4>
.decl c v_type=G type=d num_elts=8 attrs={A=1, A=2} //@ attribute=6 attribute=7
.decl d v_type=G type=d num_elts=8 //@ alias=<#3, 4> scope=1
.decl V37 v_type=G type=d num_elts=8
.decl p v_type=P num_elts=8 //@ name=9
.decl T6 v_type=T num_elts=1 //@ name=10
//@ input kind=0 index=99 offset=32 size=4
.kernel_attr SLMSize=1 //@ attribute=12

l:
    oword_ld.mod (1) T6 0x0:ud a.0 //@ 35 00 03 06 05 00 00 00 00 00 20 00 00 00 00 00
    jmp (M1, 1) m
m:
    ret (M1, 1)
//@ unnamed
//@ label m kind=0:4 name=15 attrs={A=1, A} attribute=7 attribute=6
//@ label n undefined
//@ labels m l n
//@ strings \"\" \"k\" \"b\" \"a\" \"x\" \"c\" \"A\" \"A\" \"p\" \"p\" \"t t\" \"SLMSize\" \"SLMSize\"
//@ strings \"m\" \"l\" \"m\" \"n\" \"d\"

.version 3.6
.kernel \"k\" //@ again
    ret (M1, 1)

.version 3.6
.global_function \"g\" //@ stack=2:1 linkage=1

    fret (M1, 1)
";

/// A test of a line before and after an edit.
type Applies = fn(&str, &str) -> bool;

/// Reasons why an edit may change nothing.
const EXCEPTIONS: [(&str, Applies); 4] = [
    ("a function is found by its name, not by its index", |_, edited| {
        edited.starts_with("//@ relocs function") && edited.ends_with("=\"g\"")
    }),
    ("the ids in the bytes are taken from the text", |line, edited| {
        let surface = line.replace("03 06", "03 5a");
        let raw = line.replace("20 00 00 00 00 00", "");
        let variable = edited.starts_with(&raw) && edited.ends_with(" 00 00");
        line.contains("oword_ld") && (edited == surface || variable)
    }),
    ("the last label of the list is implied", |_, edited| edited == "//@ labels m l "),
    ("the last string of the list is implied", |_, edited| {
        edited == "//@ strings \"m\" \"l\" \"m\" \"n\" "
    }),
];

/// Returns the tokens of an annotation: words, strings and single characters.
fn tokens(annotation: &str) -> Vec<&str> {
    let mut tokens = Vec::new();
    let mut rest = annotation.trim_start();
    while let Some(first) = rest.chars().next() {
        let len = match first {
            '"' => rest[1..].find('"').map_or(rest.len(), |end| end + 2),
            c if c.is_ascii_alphanumeric() || c == '_' => {
                rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).unwrap_or(rest.len())
            }
            c => c.len_utf8(),
        };
        let (token, after) = rest.split_at(len);
        tokens.push(token);
        rest = after.trim_start();
    }
    tokens
}

/// Returns the module of a text and its bytes, or `None` if the text is rejected or has a warning.
fn assembled(source: &str) -> Option<(Module<'static>, Option<Vec<u8>>)> {
    let assembly = Document::parse(source, Format::default()).into_result().ok()?;
    let bytes = assembly.module.to_bytes().ok();
    assembly.warnings.is_empty().then_some((assembly.module, bytes))
}

#[test]
fn no_token_of_an_annotation_is_ignored() {
    let original = match Document::parse(SOURCE, Format::default()).into_result() {
        Ok(assembly) => {
            assert_eq!(assembly.warnings[..], []);
            let bytes = assembly.module.to_bytes().ok();
            (assembly.module, bytes)
        }
        Err(diagnostics) => {
            let line = diagnostics[0].line_and_column().expect("the source is attached").0;
            panic!("line {line}: {}", diagnostics[0]);
        }
    };
    let (mut tried, mut ignored, mut excepted) = (0, Vec::new(), BTreeMap::new());
    for (number, line) in SOURCE.lines().enumerate() {
        let Some(start) = line.find("//@") else { continue };
        let annotation = &line[start + 3..];
        for token in tokens(annotation) {
            // The offset distinguishes equal tokens.
            let start = token.as_ptr() as usize - line.as_ptr() as usize;
            let (before, after) = (&line[..start], &line[start + token.len()..]);
            let words = ["", "7", "0", "name", "undefined", "=", "x", "\"x\"", ":", ",", "5a"];
            let doubled = format!("{token} {token}");
            for new in words.into_iter().chain([doubled.as_str()]).filter(|new| *new != token) {
                let edited = format!("{before}{new}{after}");
                let lines = SOURCE.lines().enumerate();
                let text: String = lines
                    .map(|(index, line)| if index == number { &edited } else { line })
                    .flat_map(|line| [line, "\n"])
                    .collect();
                tried += 1;
                if assembled(&text).as_ref() == Some(&original) {
                    let applies = |(_, applies): &&(_, Applies)| applies(line, &edited);
                    match EXCEPTIONS.iter().find(applies) {
                        Some((reason, _)) => *excepted.entry(reason).or_insert(0) += 1,
                        None => ignored.push(edited),
                    }
                }
            }
        }
    }
    eprintln!("{tried} edits of annotations");
    for (reason, count) in excepted {
        eprintln!("{count:8} excepted: {reason}");
    }
    assert!(ignored.is_empty(), "ignored:\n{}", ignored.join("\n"));
}
