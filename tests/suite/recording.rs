//! Recordings of texts: what the parser has read, and what it accepts.

use genvisa::text::Document;
use genvisa::text::Recorded;
use std::path::PathBuf;

use genvisa::text::{self, CompletionKind, Referent, TokenKind, row_texts};
use genvisa::{Dialect, Format};
use genvisa_test_support::corpus;
use genvisa_test_support::repository;

/// Returns real texts, with and without errors.
fn texts() -> Vec<PathBuf> {
    let texts = corpus::texts(&["dg2", "cri"]);
    assert!(texts.len() > 5);
    texts
}

#[test]
fn a_recording_does_not_change_the_result() {
    for path in texts() {
        let source = std::fs::read(&path).expect("a text");
        let format = text::format_of(&source);
        let recorded = Recorded::parse(&source, format).document;
        let plain = Document::parse(&source, format);
        assert_eq!(plain.errors, recorded.errors, "{}", path.display());
        assert_eq!(plain.warnings, recorded.warnings, "{}", path.display());
        assert_eq!(plain.omitted, recorded.omitted, "{}", path.display());
        assert!(plain.module == recorded.module, "{}", path.display());
    }
}

#[test]
fn tokens_contain_every_word_once() {
    for path in texts() {
        let source = std::fs::read(&path).expect("a text");
        let recorded = Recorded::parse(&source, text::format_of(&source));
        let document = &recorded.document;
        let mut end = 0;
        for token in &recorded.tokens {
            assert!(token.span.start >= end && !token.span.is_empty(), "{}", path.display());
            let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
            let gap = &source[end..token.span.start];
            let is_skipped =
                document.errors.iter().any(|error| error.span.start < token.span.start);
            assert!(is_skipped || !gap.iter().any(is_word), "{}: {end}", path.display());
            end = token.span.end;
        }
    }
}

#[test]
fn names_of_correct_texts_have_definitions() {
    for path in texts() {
        let source = std::fs::read_to_string(&path).unwrap_or_default();
        let recorded = Recorded::parse(&source, text::format_of(&source));
        if !recorded.document.errors.is_empty() {
            continue;
        }
        for token in &recorded.tokens {
            let Some(referent @ (Referent::Declared { .. } | Referent::Unknown)) = token.referent()
            else {
                continue;
            };
            let is_definition =
                |other: &&text::Token| other.is_definition() && other.referent() == Some(referent);
            let name = &source[token.span.clone()];
            let definition = recorded.tokens.iter().find(is_definition);
            let definition = definition.unwrap_or_else(|| panic!("{}: {name}", path.display()));
            assert_eq!(&source[definition.span.clone()], name, "{}", path.display());
        }
    }
}

#[test]
fn operands_have_the_fields_of_the_table() {
    for path in texts() {
        let source = std::fs::read(&path).expect("a text");
        let recorded = Recorded::parse(&source, text::format_of(&source));
        for instruction in &recorded.instructions {
            let Some(row) = instruction.row else { continue };
            for operand in &recorded.operands[instruction.operands.clone()] {
                for name in operand.fields.split_ascii_whitespace() {
                    // The flags of sampler messages are in the bytes of the operation.
                    let is_flags = name == "flags" && row.fields.iter().any(|it| it.name == "op");
                    assert!(
                        is_flags || row.fields.iter().any(|field| field.name == name),
                        "{}: {name}",
                        row.name
                    );
                }
            }
        }
    }
}

#[test]
fn every_mnemonic_has_a_documented_row() {
    for dialect in [Dialect::Manual, Dialect::Igc2022] {
        for word in text::words_of(TokenKind::Mnemonic) {
            let rows: Vec<_> = row_texts(&word, dialect).collect();
            assert!(rows.iter().all(|row| !row.doc.trim().is_empty()), "{word}");
        }
    }
    for spec in genvisa::isa::SPEC.iter().filter(|spec| spec.family.is_empty()) {
        let rows: Vec<_> = row_texts(spec.mnemonic, Dialect::Igc2022).collect();
        // Some rows have other words than their mnemonic.
        assert!(rows.iter().all(|row| row.fields == spec.fields), "{}", spec.mnemonic);
    }
}

/// Wherever a correct text continues, the parser accepts what the text has there.
#[test]
fn completions_contain_the_word_that_follows() {
    let path = repository("tests/data/collatz.visaasm");
    let source = std::fs::read_to_string(path).expect("a text");
    let recorded = Recorded::parse(&source, Format::V4_2);
    let mut tested = 0;
    for token in &recorded.tokens {
        let word = &source[token.span.clone()];
        let completions = text::completions(&source, Format::V4_2, token.span.start);
        let found = completions.items.iter().any(|item| match token.kind {
            TokenKind::Reference(Referent::Label { .. }) => item.kind == CompletionKind::Label,
            _ => item.text.starts_with(word) || word.starts_with(&item.text),
        });
        // Attributes, labels of `.function` and numbers are not completed.
        let is_completed = match token.kind {
            TokenKind::Mnemonic | TokenKind::Type | TokenKind::Directive => true,
            TokenKind::Word => !word.starts_with(['d', 'a']) || word == "dword",
            TokenKind::Key => !source[..token.span.start].ends_with(".kernel_attr "),
            TokenKind::Reference(Referent::Declared { .. }) => true,
            _ => false,
        };
        if is_completed {
            tested += 1;
            assert!(found, "{word} at {}: {:?}", token.span.start, completions.items);
        }
    }
    assert!(tested > 100);
}

/// The innermost scope first, and not in the order of a hash map.
#[test]
fn completions_have_the_order_of_declarations() {
    let declared: Vec<String> = (0..20).map(|number| format!("v{}", 7 * number % 20)).collect();
    let declaration = |name: &String| format!(".decl {name} v_type=G type=d num_elts=8\n");
    let (outer, inner) = declared.split_at(12);
    let declarations = |names: &[String]| names.iter().map(declaration).collect::<String>();
    let source = format!(
        ".version 4.2\n.kernel \"k\"\n{}{{\n{}    mov (M1, 8) ",
        declarations(outer),
        declarations(inner)
    );
    let completions = text::completions(&source, Format::V4_2, source.len());
    let names = completions.items.iter().map(|item| &item.text);
    let names: Vec<&String> = names.filter(|name| declared.contains(name)).collect();
    assert_eq!(names, inner.iter().chain(outer).collect::<Vec<_>>());
}
