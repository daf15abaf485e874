//! The grammars for highlighting without a server, and the dictionary for fuzzing, which are generated from the words
//! of the library.
//!
//! `GENVISA_BLESS=1 cargo test -p genvisa-lsp` writes them.

use std::collections::BTreeSet;

use fancy_regex::Regex;
use genvisa::text::{self, TokenKind, words_of};
use genvisa::text::{FileListing, Recorded};
use genvisa::{Dialect, Module};
use genvisa_test_support::{corpus, repository};
use serde_json::{Value, json};

const TEXTMATE: &str = "editors/vscode/syntaxes/visaasm.tmLanguage.json";
const VIM: &str = "editors/nvim/syntax/visaasm.vim";
const HIGHLIGHTS: &str = "editors/tree-sitter-visaasm/queries/highlights.scm";
const DICTIONARY: &str = "fuzz/visaasm.dict";

/// The characters of names.
const NAME: &str = "[A-Za-z_$@?%][0-9A-Za-z_$@?%]*";
/// Not followed by a character of names.
const END: &str = "(?![0-9A-Za-z_$@?%])";

/// Returns the words of a kind as alternatives, the longest first.
fn alternatives(kind: TokenKind) -> String {
    let mut words = words_of(kind);
    words.sort_by_key(|word| std::cmp::Reverse(word.len()));
    words.iter().map(|word| word.replace('.', "\\.")).collect::<Vec<_>>().join("|")
}

/// Returns the masks and the other words.
fn masks_and_models() -> (String, String) {
    let all = words_of(TokenKind::Word);
    let (masks, models): (Vec<_>, Vec<_>) = all
        .into_iter()
        .partition(|word| word.starts_with(|first: char| first.is_ascii_uppercase()));
    (masks.join("|"), models.join("|"))
}

/// Returns the rules of the TextMate grammar: regular expressions, and the scope of each group.
fn rules() -> Vec<(String, Vec<(usize, &'static str)>)> {
    let mnemonics = alternatives(TokenKind::Mnemonic);
    let types = alternatives(TokenKind::Type);
    let (masks, models) = masks_and_models();
    let directives = alternatives(TokenKind::Directive);
    vec![
        (r"//@.*$".into(), vec![(0, "annotation")]),
        (r"//.*$".into(), vec![(0, "comment")]),
        (r#""(?:\\.|[^"\\])*""#.into(), vec![(0, "string")]),
        (format!(r"^\s*({directives}){END}"), vec![(1, "directive")]),
        (
            format!(
                r"^\s*(?:\(\s*!?\s*({NAME})\s*(?:\.\s*(\w+))?\s*\)\s*)?({mnemonics}){END}(?!\s*:)"
            ),
            vec![(1, "name"), (2, "word"), (3, "mnemonic")],
        ),
        (format!(r"(?<=:)\s*({types}){END}"), vec![(1, "type")]),
        (r"(?<=:)[A-Za-z_]\w*".into(), vec![(0, "word")]),
        (
            r"(?<=\.)(\d+)(x)(\d+)(?:(x)(\d+))?(t|n)?(t|n)?".into(),
            vec![
                (1, "number"),
                (2, "word"),
                (3, "number"),
                (4, "word"),
                (5, "number"),
                (6, "word"),
                (7, "word"),
            ],
        ),
        (r"(?<=:)(\d+)(x)(\d+)".into(), vec![(1, "number"), (2, "word"), (3, "number")]),
        (r"(?<=\.)[A-Za-z_]\w*".into(), vec![(0, "word")]),
        (format!(r"(?<==)\s*({types}){END}"), vec![(1, "type")]),
        (r"(?<==)\w*[A-Za-z_]\w*(?!\s*[=(])".into(), vec![(0, "word")]),
        (r"[A-Za-z_]\w*(?=\s*=(?!=))".into(), vec![(0, "key")]),
        (format!(r"(?<=\()\s*({masks})(?=\s*[,)])"), vec![(1, "word")]),
        (format!(r"({models})(?=\s*[\[(])"), vec![(1, "word")]),
        (r"r(?=\[)".into(), vec![(0, "word")]),
        (r"(?<=\()-?(abs)(?=\))".into(), vec![(1, "word")]),
        (
            r"0[xX][0-9A-Fa-f]+|\d+(?:\.\d+(?:[eE][-+]\d+)?|[eE][-+]\d+)?".into(),
            vec![(0, "number")],
        ),
        (NAME.into(), vec![(0, "name")]),
    ]
}

/// Returns the scope of TextMate themes for a class.
fn scope(class: &str) -> Option<&'static str> {
    Some(match class {
        "annotation" => "comment.line.annotation.visaasm",
        "comment" => "comment.line.double-slash.visaasm",
        "string" => "string.quoted.double.visaasm",
        "directive" => "keyword.other.directive.visaasm",
        "mnemonic" => "keyword.mnemonic.visaasm",
        "word" => "storage.modifier.visaasm",
        "type" => "storage.type.visaasm",
        "key" => "entity.other.attribute-name.visaasm",
        "number" => "constant.numeric.visaasm",
        _ => return None,
    })
}

fn textmate() -> String {
    let mut patterns = vec![json!({
        "name": "comment.block.visaasm", "begin": r"/\*", "end": r"\*/",
    })];
    for (rule, groups) in rules() {
        let mut pattern = json!({"match": rule});
        match &groups[..] {
            [(0, class)] => {
                if let Some(scope) = scope(class) {
                    pattern["name"] = scope.into();
                }
            }
            groups => {
                for (group, class) in groups {
                    if let Some(scope) = scope(class) {
                        pattern["captures"][group.to_string()] = json!({"name": scope});
                    }
                }
            }
        }
        patterns.push(pattern);
    }
    let grammar = json!({
        "name": "visaasm",
        "scopeName": "source.visaasm",
        "fileTypes": ["visaasm"],
        "patterns": patterns,
    });
    format!("{:#}\n", grammar)
}

fn vim() -> String {
    // In Vim's very magic expressions, these characters are operators.
    let words = |kind| alternatives(kind).replace("\\.", ".").replace('.', "\\.");
    let (mnemonics, types) = (words(TokenKind::Mnemonic), words(TokenKind::Type));
    let directives = words(TokenKind::Directive);
    let (masks, models) = masks_and_models();
    let end = r"[0-9A-Za-z_$\@?%]@!";
    format!(
        r#"" Highlighting of vISA. Generated by GENVISA_BLESS=1 cargo test -p genvisa-lsp: do not edit.
if exists("b:current_syntax")
  finish
endif
syntax case match
syntax sync minlines=50

" Of the matches that begin at a position, the last takes precedence.
syntax match visaasmName "\v[A-Za-z_$\@?%][0-9A-Za-z_$\@?%]*"
syntax match visaasmNumber "\v(0[xX][0-9A-Fa-f]+|[0-9]+(\.[0-9]+([eE][-+][0-9]+)?|[eE][-+][0-9]+)?)"
syntax match visaasmWord "\v\(@1<=-?abs\)@="
syntax match visaasmWord "\vr\[@="
syntax match visaasmWord "\v({models})(\s*[\[\(])@="
syntax match visaasmWord "\v(\(\s*)@3<=({masks})(\s*[,\)])@="
syntax match visaasmKey "\v[A-Za-z_][0-9A-Za-z_]*(\s*\=\=@!)@="
syntax match visaasmWord "\v\=@1<=[0-9A-Za-z_]*[A-Za-z_][0-9A-Za-z_]*(\s*[\=\(])@!"
syntax match visaasmType "\v\=@1<=({types}){end}"
syntax match visaasmWord "\v\.@1<=[A-Za-z_][0-9A-Za-z_]*"
syntax match visaasmNumber "\v[.:]@1<=[0-9]+x@="
syntax match visaasmWord "\v([.:][0-9]+|[.:][0-9]+x[0-9]+)@9<=x[0-9]@="
syntax match visaasmWord "\v([.:][0-9]+x[0-9x]+)@12<=[tn]{{1,2}}{end}"
syntax match visaasmWord "\v:@1<=[A-Za-z_][0-9A-Za-z_]*"
syntax match visaasmType "\v:@1<=({types}){end}"
syntax match visaasmMnemonic "\v(^\s*(\([^\)]*\)\s*)?)@<=({mnemonics}){end}(\s*:)@!"
syntax match visaasmDirective "\v(^\s*)@<=({directives}){end}"
syntax match visaasmString +\v"(\\.|[^"\\])*"+
syntax match visaasmComment "\v//.*$"
syntax match visaasmAnnotation "\v//\@.*$"
syntax region visaasmComment start="/\*" end="\*/"

highlight default link visaasmComment Comment
highlight default link visaasmAnnotation SpecialComment
highlight default link visaasmString String
highlight default link visaasmDirective PreProc
highlight default link visaasmMnemonic Statement
highlight default link visaasmWord StorageClass
highlight default link visaasmType Type
highlight default link visaasmKey Identifier
highlight default link visaasmNumber Number

let b:current_syntax = "visaasm"
"#
    )
}

/// Returns the query for highlighting with tree-sitter. Types in declarations are the only words that do not differ from
/// others by their positions.
fn highlights() -> String {
    let types =
        words_of(TokenKind::Type).iter().map(|word| format!("{word:?}")).collect::<Vec<_>>();
    format!(
        r#"; Generated by GENVISA_BLESS=1 cargo test -p genvisa-lsp: do not edit.
; Of the patterns that match a node, the last takes precedence.

(comment) @comment
(annotation) @comment.documentation
(string) @string
(number) @number

(directive_name) @keyword.directive
(key) @property
(attribute key: (string) @property)
(value) @constant
((value) @type
  (#any-of? @type {}))

(mnemonic) @keyword
[(modifier) (mask) (space) (word)] @keyword.modifier
(source_modifier "abs" @keyword.modifier)
(type) @type

(name) @variable
((name) @variable.builtin
  (#match? @variable.builtin "^[%]"))
(label name: (name) @label)

"%sizeof" @keyword.operator
[
  "-" "~" "!" "&" "=" "?" "+" "*" "/" "%" "^" "|" "<<" ">>" ">>>" "==" "!=" "<=" ">="
] @operator
["(" ")" "[" "]" "{{" "}}" "<" ">"] @punctuation.bracket
["," ";" ":" "."] @punctuation.delimiter
"#,
        types.join(" ")
    )
}

/// Returns the dictionary of libFuzzer: the words, the names of values, the words of examples, and annotations.
fn dictionary() -> String {
    let kinds = [TokenKind::Mnemonic, TokenKind::Directive, TokenKind::Type, TokenKind::Word];
    let mut words: BTreeSet<String> = kinds.into_iter().flat_map(words_of).collect();
    for row in genvisa_isa::rows() {
        let values = row.fields().iter().flat_map(|field| field.values);
        words.extend(values.map(|value| value.name.to_owned()));
        let Some(example) = genvisa_isa::example(&row, None) else { continue };
        for line in example.declarations.iter().chain([&example.text]) {
            words.extend(line.split_ascii_whitespace().map(String::from));
        }
    }
    let bytes = std::fs::read(repository("tests/data/tour.isa")).expect("the file");
    let module = Module::from_bytes(&bytes, Dialect::Igc2022).expect("a module");
    let mut text = String::new();
    FileListing::new(&module).write_to(&mut text).expect("text");
    let annotations = text.lines().filter_map(|line| line.find("//@").map(|at| &line[at..]));
    words.extend(annotations.filter(|it| it.len() < 40).map(String::from));
    let quoted = words.iter().map(|word| format!("{:?}\n", word));
    format!(
        "# Generated by GENVISA_BLESS=1 cargo test -p genvisa-lsp: do not edit.\n{}",
        quoted.collect::<String>()
    )
}

#[test]
fn the_grammars_are_current() {
    let files = [
        (TEXTMATE, textmate()),
        (VIM, vim()),
        (HIGHLIGHTS, highlights()),
        (DICTIONARY, dictionary()),
    ];
    for (path, text) in files {
        let path = repository(path);
        if std::env::var_os("GENVISA_BLESS").is_some() {
            std::fs::write(&path, &text).expect("the grammar is written");
        }
        let found = std::fs::read_to_string(&path).unwrap_or_default();
        assert!(found == text, "{} is not current: set GENVISA_BLESS=1", path.display());
    }
}

/// Returns the class of each byte by the TextMate grammar.
fn classes(source: &str, rules: &[(Regex, Vec<(usize, &'static str)>)]) -> Vec<&'static str> {
    let mut classes = vec![""; source.len()];
    let (mut start, mut in_comment) = (0, false);
    for line in source.split_inclusive('\n') {
        let text = line.trim_end_matches(['\n', '\r']);
        let mut at = 0;
        while at < text.len() {
            if in_comment {
                let len = text[at..].find("*/").map_or(text.len() - at, |len| len + 2);
                in_comment = !text[at..at + len].ends_with("*/");
                classes[start + at..start + at + len].fill("comment");
                at += len;
                continue;
            }
            let comment = text[at..].find("/*").map_or(usize::MAX, |len| at + len);
            let found = rules.iter().filter_map(|(rule, groups)| {
                let found = rule.captures_from_pos(text, at).expect("a match")?;
                let start = found.get(0).expect("a match").start();
                // A rule for the start of a line cannot match later.
                Some((start, found, groups))
            });
            let first = found.min_by_key(|(start, ..)| *start);
            match first {
                Some((found_at, found, groups)) if found_at < comment => {
                    for (group, class) in groups {
                        if let Some(part) = found.get(*group) {
                            classes[start + part.start()..start + part.end()].fill(class);
                        }
                    }
                    at = found.get(0).expect("a match").end().max(at + 1);
                    while !text.is_char_boundary(at) {
                        at += 1;
                    }
                }
                _ if comment < text.len() => {
                    in_comment = true;
                    classes[start + comment..start + comment + 2].fill("comment");
                    at = comment + 2;
                }
                _ => break,
            }
        }
        start += line.len();
    }
    classes
}

#[test]
fn tokens_of_the_grammar_agree_with_the_parser() {
    let files = corpus::texts(&["dg2", "pvc"]);
    assert!(!files.is_empty());
    let grammar: Value = serde_json::from_str(&textmate()).expect("JSON");
    assert_eq!(grammar["patterns"].as_array().map(Vec::len), Some(rules().len() + 1));
    let rules: Vec<_> = rules()
        .into_iter()
        .map(|(rule, groups)| (Regex::new(&rule).expect("a regular expression"), groups))
        .collect();
    let (mut count, mut differences) = (0, Vec::new());
    for path in files {
        let Ok(source) = std::fs::read_to_string(&path) else { continue };
        // The engine is slow.
        let source: String = source.split_inclusive('\n').take(400).collect();
        let recorded = Recorded::parse(&source, text::format_of(&source));
        let has_errors = recorded.document.errors.len() > 1;
        if has_errors {
            continue;
        }
        let classes = classes(&source, &rules);
        for token in &recorded.tokens {
            let expected: &[&str] = match token.kind {
                TokenKind::Comment => &["comment"],
                TokenKind::Annotation => &["annotation"],
                TokenKind::Directive => &["directive"],
                // Attributes without a value look like names.
                TokenKind::Key => &["key", "name"],
                TokenKind::Mnemonic => &["mnemonic"],
                TokenKind::Word => &["word"],
                TokenKind::Type => &["type"],
                TokenKind::Number => &["number"],
                // `v_name=x` has no quotes.
                TokenKind::String => &["string", "word"],
                TokenKind::Definition(_) | TokenKind::Reference(_) => {
                    &["name", "string", "annotation"]
                }
                _ => continue,
            };
            count += 1;
            let class = classes[token.span.start];
            if !expected.contains(&class) {
                let start = source[..token.span.start].rfind('\n').map_or(0, |end| end + 1);
                let line = source[start..].lines().next().unwrap_or_default();
                let shown = &source[token.span.clone()];
                differences.push(format!("`{shown}` {:?} is {class:?}: {line}", token.kind));
            }
        }
    }
    assert!(
        differences.is_empty(),
        "{} of {count}: {:#?}",
        differences.len(),
        &differences[..differences.len().min(40)]
    );
    println!("{count} tokens");
}
