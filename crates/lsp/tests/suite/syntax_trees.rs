//! The grammar of `editors/tree-sitter-visaasm`, compared with the parser of the library.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::process::Command;

use genvisa::Platform;
use genvisa::text::{self, Recorded, Token, TokenKind, words_of};
use genvisa_test_support::random::cases;
use genvisa_test_support::{corpus, legal_lines, repository};
use tree_sitter::{Node, Parser, Query, QueryCursor, StreamingIterator, Tree};
use tree_sitter_visaasm::{HIGHLIGHTS_QUERY, LANGUAGE, LOCALS_QUERY};

fn parse(source: &str) -> Tree {
    let mut parser = Parser::new();
    parser.set_language(&LANGUAGE.into()).expect("a supported version of the interface");
    parser.parse(source, None).expect("a tree")
}

/// Returns the nodes of a tree, each before its children.
fn nodes(tree: &Tree) -> Vec<Node<'_>> {
    let (mut nodes, mut todo) = (Vec::new(), vec![tree.root_node()]);
    while let Some(node) = todo.pop() {
        nodes.push(node);
        todo.extend((0..node.child_count() as u32).rev().filter_map(|index| node.child(index)));
    }
    nodes
}

/// Returns the places of errors in a tree.
fn errors(source: &str) -> Vec<String> {
    let tree = parse(source);
    if !tree.root_node().has_error() {
        return Vec::new();
    }
    let wrong = nodes(&tree).into_iter().filter(|node| node.is_error() || node.is_missing());
    let places = wrong.map(|node| {
        let place = node.start_position();
        let line = source.lines().nth(place.row).unwrap_or_default();
        format!("{}:{}: {line}", place.row + 1, place.column + 1)
    });
    places.collect()
}

/// Returns what the library reads if it accepts the text.
fn accepted(source: &str) -> Option<Recorded> {
    let recorded = Recorded::parse(source, text::format_of(source));
    recorded.document.errors.is_empty().then_some(recorded)
}

/// Returns the texts of the repository that the library accepts: files, statements whose verdict is known, and an example
/// of each instruction.
fn texts() -> Vec<(String, Recorded)> {
    let folders = ["crates", "examples", "fuzz/seeds", "tests/data"].map(repository);
    let files = folders.iter().flat_map(|folder| corpus::texts_under(folder));
    let mut texts: Vec<String> =
        files.map(|path| fs::read_to_string(path).expect("a text")).collect();
    let cases = fs::read_to_string(repository("tests/data/text-4.2.txt")).expect("the cases");
    let mut declarations = String::new();
    for line in cases.lines().filter(|line| !line.starts_with('#')) {
        match line.splitn(3, " | ").collect::<Vec<_>>()[..] {
            [_, _, case] => {
                let statements = case.split(" ## ").next().unwrap_or_default().replace(";;", "\n");
                texts.push(format!(
                    ".version 4.2\n.kernel \"k\"\n.kernel_attr SimdSize=16\n{declarations}\n\
                     {statements}\nret (M1, 1)\n\n//Platform: XE3P_CRI\n"
                ));
            }
            _ => declarations = line.trim_start_matches("= ").replace(";;", "\n"),
        }
    }
    for row in genvisa_isa::rows() {
        let Some(example) = genvisa_isa::example(&row, None) else { continue };
        let version = row.format().version;
        let declarations = example.declarations.join("\n");
        texts
            .push(format!(".version {version}\n.kernel \"k\"\n{declarations}\n{}\n", example.text));
    }
    let accepted = |source: String| accepted(&source).map(|recorded| (source, recorded));
    texts.into_iter().filter_map(accepted).collect()
}

/// Returns the kinds of leaves for a token.
fn kinds(source: &str, token: &Token, leaf: Node<'_>) -> &'static [&'static str] {
    let text = &source[token.span.clone()];
    let parent = leaf.parent().map_or("", |parent| parent.kind());
    match token.kind {
        TokenKind::Comment => &["comment"],
        TokenKind::Annotation => &["annotation"],
        TokenKind::Directive => &["directive_name"],
        // Attributes without a value look like names.
        TokenKind::Key => &["key", "string", "name"],
        // The part after the dot of `va.erode`.
        TokenKind::Mnemonic if source[..token.span.start].ends_with('.') => &["modifier"],
        TokenKind::Mnemonic => &["mnemonic"],
        // Words that are operands look like names.
        TokenKind::Word if text.starts_with('%') => &["name", "%sizeof"],
        TokenKind::Word if matches!(parent, "operand" | "register") => {
            &["name", "word", "type", "modifier"]
        }
        // The size of a block is a word, too.
        TokenKind::Word => &["modifier", "mask", "space", "type", "value", "abs", "number"],
        TokenKind::Type => &["type", "value"],
        // The numbers in `dpas.s8.s8.8.8` and `d:32x8`.
        TokenKind::Number => &["number", "modifier", "type"],
        // `v_name=x` has no quotes.
        TokenKind::String => &["string", "value"],
        TokenKind::Definition(_) | TokenKind::Reference(_) => &["name", "string", "annotation"],
        _ => &[],
    }
}

/// Returns the tokens that are not leaves. A leaf can have several tokens, such as `d16.16x8nn`.
fn differences(source: &str, recorded: &Recorded) -> Vec<String> {
    let tree = parse(source);
    let starts: BTreeSet<usize> = recorded.tokens.iter().map(|token| token.span.start).collect();
    let ends: BTreeSet<usize> = recorded.tokens.iter().map(|token| token.span.end).collect();
    let mut differences = Vec::new();
    for token in &recorded.tokens {
        let (start, end) = (token.span.start, token.span.end);
        let leaf = tree.root_node().descendant_for_byte_range(start, end).expect("a node");
        let is_kind = kinds(source, token, leaf).contains(&leaf.kind()) && leaf.child_count() == 0;
        let is_whole = match leaf.kind() {
            // The words in an annotation are tokens.
            "annotation" => true,
            // The names of labels are tokens without their quotes.
            "string" if source[..start].ends_with('"') => {
                (leaf.start_byte(), leaf.end_byte()) == (start - 1, end + 1)
            }
            _ => starts.contains(&leaf.start_byte()) && ends.contains(&leaf.end_byte()),
        };
        if !is_kind || !is_whole {
            let line = source[..start].rfind('\n').map_or(0, |end| end + 1);
            let line = source[line..].lines().next().unwrap_or_default();
            let (leaf, found) = (&source[leaf.byte_range()], leaf.kind());
            differences.push(format!(
                "`{}` {:?} is {found} `{leaf}`: {line}",
                &source[start..end],
                token.kind
            ));
        }
    }
    differences
}

/// Fails if a text has errors or other leaves than the library has tokens.
fn compare<'t>(texts: impl IntoIterator<Item = (&'t str, &'t Recorded)>) {
    let (mut count, mut lines, mut tokens) = (0, 0, 0);
    let (mut wrong, mut different) = (Vec::new(), Vec::new());
    for (source, recorded) in texts {
        count += 1;
        lines += source.lines().count();
        tokens += recorded.tokens.len();
        wrong.extend(errors(source));
        different.extend(differences(source, recorded));
    }
    assert!(wrong.is_empty(), "{} errors: {:#?}", wrong.len(), &wrong[..wrong.len().min(40)]);
    let shown = &different[..different.len().min(40)];
    assert!(different.is_empty(), "{} of {tokens} tokens: {shown:#?}", different.len());
    println!("{count} texts, {lines} lines, {tokens} tokens");
    assert!(count > 0);
}

#[test]
fn legal_texts_have_the_tokens_of_the_library() {
    let texts = texts();
    compare(texts.iter().map(|(source, recorded)| (&**source, recorded)));
    let texts: Vec<(String, Recorded)> = texts
        .iter()
        .map(|(source, _)| source.replace('\n', "\r\n"))
        .filter_map(|source| accepted(&source).map(|recorded| (source, recorded)))
        .collect();
    compare(texts.iter().map(|(source, recorded)| (&**source, recorded)));
}

#[test]
fn edited_lines_that_the_library_accepts_have_no_errors() {
    let (declarations, lines) = legal_lines::edited_lines(Platform::Dg2, 0);
    let (mut count, mut wrong) = (0, Vec::new());
    for line in lines.take(cases(4000) as usize) {
        let source = format!(".version 4.2\n.kernel \"k\"\n{declarations}\n{line}\n");
        if accepted(&source).is_some() {
            count += 1;
            wrong.extend(errors(&source));
        }
    }
    // The library accepts a few operands without a blank between them, such as `6x.0`.
    assert!(wrong.len() * 200 <= count, "{} errors in {count} lines: {wrong:#?}", wrong.len());
    println!("{count} lines");
    assert!(count > 0);
}

#[test]
#[ignore = "needs the corpus"]
fn real_texts_have_the_tokens_of_the_library() {
    let folders = [corpus::required(), corpus::required_visaasm()];
    let mut texts = Vec::new();
    for path in folders.iter().flat_map(|folder| corpus::texts_under(folder)) {
        let source = String::from_utf8_lossy(&fs::read(path).expect("a text")).into_owned();
        texts.extend(accepted(&source).map(|recorded| (source, recorded)));
    }
    compare(texts.iter().map(|(source, recorded)| (&**source, recorded)));
}

#[test]
fn every_word_is_a_leaf() {
    let check = |before: &str, word: &str, after: &str, kind: &str| {
        let source = format!("{before}{word}{after}\n");
        let tree = parse(&source);
        let (start, end) = (before.len(), before.len() + word.len());
        let leaf = tree.root_node().descendant_for_byte_range(start, end).expect("a node");
        assert!(!tree.root_node().has_error(), "{source}");
        assert_eq!((leaf.kind(), leaf.byte_range()), (kind, start..end), "{source}");
    };
    for word in words_of(TokenKind::Mnemonic) {
        // `o` in `add3.o` is a modifier.
        let word = word.split('.').next().expect("a word");
        check("(P1) ", word, ".sat (M1, 16) x.0", "mnemonic");
    }
    for word in words_of(TokenKind::Directive) {
        check("", &word, " x size=1", "directive_name");
    }
    for word in words_of(TokenKind::Type) {
        check("mov (M1, 16) x(0,0)<1> 0x1:", &word, "", "type");
        check(".decl x v_type=G type=", &word, " num_elts=1", "value");
    }
    for word in words_of(TokenKind::Word) {
        match word.starts_with(|first: char| first.is_ascii_uppercase()) {
            true => check("mov (", &word, ", 16) x(0,0)<1> 0x1:d", "mask"),
            false => check("lsc_load.ugm (M1, 16) x:d32 ", &word, "(y)[x]:a32", "space"),
        }
    }
}

/// Returns the statements of a text with their lines, except for a line.
fn statements(source: &str, except: usize) -> Vec<(usize, String)> {
    let tree = parse(source);
    let root = tree.root_node();
    let nodes = (0..root.named_child_count() as u32).filter_map(|index| root.named_child(index));
    let statements = nodes.map(|node| (node.start_position().row, node.to_sexp()));
    statements.filter(|(row, _)| *row != except).collect()
}

#[test]
fn statements_have_their_structure() {
    for (source, expected) in [
        (
            ".decl A v_type=G num_elts=%sizeof(GRF)/4 alias=<%r0, 64> attrs={Output, \"B C\"=1}",
            "(directive name: (directive_name) (name) \
             (attribute key: (key) value: (value)) \
             (attribute key: (key) value: (binary_expression left: (sizeof (name)) right: (number))) \
             (attribute key: (key) value: (alias target: (name) offset: (number))) \
             (attribute key: (key) value: (attributes (key) \
             (attribute key: (string) value: (number)))))",
        ),
        ("L-1:", "(label name: (name))"),
        (
            "(!P.any) mad.o.sat (M1_NM, 16) x(0,0)<1> (-abs)r[A0(0),4]<0;1,0>:d 1.5e+3:f",
            "(instruction (predicate name: (name) (modifier)) \
             mnemonic: (mnemonic) (modifier) (modifier) \
             (execution mask: (mask) size: (exec_size (number))) \
             (operand (register name: (name) (index (number) (number))) (region (number))) \
             (operand (source_modifier) (address space: (space) \
             (register name: (name) (index (number))) (number)) \
             (region (number) (number) (number)) (type)) \
             (operand (immediate (number) (type))))",
        ),
        (
            "lsc_load_block2d.ugm D.64:d16.16x8nn flat(S,0x3)[C + (16,-8)]",
            "(instruction mnemonic: (mnemonic) (modifier) \
             (operand (register name: (name) offset: (number)) (type) (modifier)) \
             (operand (address space: (space) (index (name) (number)) \
             (binary_expression left: (name) right: (group (number) (unary_expression (number)))))))",
        ),
        (
            "raw_sendg D.0/(32*2)",
            "(instruction mnemonic: (mnemonic) (operand (register name: (name) offset: (number)) \
             (length (group (binary_expression left: (number) right: (number))))))",
        ),
        (
            "load_lz (8) V(0,0)<0;1,0>[1] (SM, 2) &x[64]",
            "(instruction mnemonic: (mnemonic) (execution size: (exec_size (number))) \
             (operand (register name: (name) (index (number) (number))) \
             (region (number) (number) (number)) (element (number))) \
             (operand (group (name) (number))) (operand (address_of (name) offset: (number))))",
        ),
        (
            "switchjmp D.0 (L1 \"L-2\",, ) (1<2&3?~3:4):ud",
            "(instruction mnemonic: (mnemonic) (operand (register name: (name) offset: (number))) \
             (operand (group (name) (string))) (operand (immediate (group \
             (conditional_expression condition: (binary_expression \
             left: (binary_expression left: (number) right: (number)) right: (number)) \
             then: (unary_expression (number)) else: (number))) (type))))",
        ),
        (
            "vme_fbr (V(0,0)<0;1,0>, 0x1:ub) 4x16",
            "(instruction mnemonic: (mnemonic) (operand_list \
             (operand (register name: (name) (index (number) (number))) \
             (region (number) (number) (number))) (operand (immediate (number) (type)))) \
             (operand (word)))",
        ),
        (
            "{ rt_write_3d.<RTI><Z> (32, 8) T6 }",
            "(scope (instruction mnemonic: (mnemonic) (modifier) (modifier) \
             (block_size width: (number) height: (number)) (operand (name))))",
        ),
    ] {
        let tree = parse(source);
        assert_eq!(tree.root_node().to_sexp(), format!("(source_file {expected})"), "{source}");
    }
}

#[test]
fn an_unfinished_line_does_not_change_other_statements() {
    let source = fs::read_to_string(repository("fuzz/seeds/visaasm/tour.visaasm")).expect("a text");
    let lines: Vec<&str> = source.lines().collect();
    let (mut count, mut changed) = (0, Vec::new());
    for (number, line) in lines.iter().enumerate() {
        let expected = statements(&source, number);
        // Not within words.
        let is_word = |at: usize| line.as_bytes().get(at).is_some_and(u8::is_ascii_alphanumeric);
        for end in (1..line.len()).filter(|end| !is_word(*end) || !is_word(end - 1)) {
            let mut edited = lines.clone();
            edited[number] = &line[..end];
            count += 1;
            if statements(&(edited.join("\n") + "\n"), number) != expected {
                changed.push(&line[..end]);
            }
        }
    }
    println!("{count} unfinished lines, {} with an effect on others", changed.len());
    // Rarely, it costs tree-sitter less to skip the end of the line.
    assert!(changed.len() * 200 <= count, "{changed:#?}");
}

/// Returns the captures of a query in a text. Of several captures of a node, the last is returned.
fn captures(query: &str, source: &str) -> Vec<(String, String)> {
    let query = Query::new(&LANGUAGE.into(), query).expect("a query");
    let tree = parse(source);
    let mut cursor = QueryCursor::new();
    let mut captures = cursor.captures(&query, tree.root_node(), source.as_bytes());
    let mut found = BTreeMap::new();
    while let Some((matched, index)) = captures.next() {
        let capture = matched.captures[*index];
        let name = query.capture_names()[capture.index as usize];
        let range = capture.node.byte_range();
        found.insert((range.start, range.end), name.to_owned());
    }
    found.into_iter().map(|((start, end), name)| (source[start..end].into(), name)).collect()
}

#[test]
fn highlights_have_standard_names() {
    let source = "\
.decl x v_type=G type=ud num_elts=%sizeof(GRF)/4 align=GRF // comment
loop: //@ label
    (!P1.any) add.sat (M1, 16) x(0,0)<1> (abs)%r0(0,0)<8;8,1> 0x2a:ud
    lsc_load.ugm.ca (M1, 16) x.0:d32x2 flat[4*x-8]:a64
    FILE \"a.cl\"
";
    let found = captures(HIGHLIGHTS_QUERY, source);
    for (text, name) in [
        (".decl", "keyword.directive"),
        ("x", "variable"),
        ("v_type", "property"),
        ("G", "constant"),
        ("ud", "type"),
        ("%sizeof", "keyword.operator"),
        ("// comment", "comment"),
        ("loop", "label"),
        ("//@ label", "comment.documentation"),
        ("!", "operator"),
        ("any", "keyword.modifier"),
        ("add", "keyword"),
        ("sat", "keyword.modifier"),
        ("M1", "keyword.modifier"),
        ("16", "number"),
        ("abs", "keyword.modifier"),
        ("%r0", "variable.builtin"),
        (";", "punctuation.delimiter"),
        ("<", "punctuation.bracket"),
        ("0x2a", "number"),
        ("flat", "keyword.modifier"),
        ("d32x2", "type"),
        ("a64", "type"),
        ("\"a.cl\"", "string"),
    ] {
        assert!(found.contains(&(text.into(), name.into())), "{text} {name}: {found:#?}");
    }
    let is_captured = |node: &Node<'_>| {
        let text = &source[node.byte_range()];
        found.iter().any(|(captured, _)| captured == text)
    };
    let tree = parse(source);
    for leaf in nodes(&tree).iter().filter(|node| node.child_count() == 0 && node.kind() != "\n") {
        assert!(is_captured(leaf), "{} has no color", leaf.kind());
    }
}

#[test]
fn labels_are_local_definitions() {
    let found = captures(LOCALS_QUERY, "loop:\n    jmp (M1, 1) loop\n");
    for (text, name) in [("loop", "local.definition"), ("loop", "local.reference")] {
        assert!(found.contains(&(text.into(), name.into())), "{found:?}");
    }
}

/// Returns the block of code in a language of the README of the grammar.
fn readme(language: &str) -> String {
    let path = repository("editors/tree-sitter-visaasm/README.md");
    let text = fs::read_to_string(path).expect("the README");
    let start = format!("```{language}\n");
    let (_, rest) = text.split_once(&start).expect("the block");
    rest.split("```").next().expect("the end of the block").into()
}

#[test]
#[ignore = "needs nvim"]
fn nvim_highlights_as_the_readme_says() {
    let home = tempfile::tempdir().expect("a temporary folder");
    let run = |command: &mut Command, folder: &Path| {
        let output = command
            .env("HOME", home.path())
            .env_remove("XDG_CONFIG_HOME")
            .current_dir(folder)
            .output()
            .expect("a program");
        let shown = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "{shown}");
    };
    let grammar = repository("editors/tree-sitter-visaasm");
    run(Command::new("sh").args(["-e", "-c", &readme("sh")]), &grammar);
    fs::write(home.path().join("readme.lua"), readme("lua")).expect("a file");
    fs::copy(repository("tests/data/collatz.visaasm"), home.path().join("collatz.visaasm"))
        .expect("a copy");
    let session = repository("crates/lsp/tests/nvim/highlights.lua");
    run(
        Command::new("nvim")
            .args(["--headless", "-n", "-i", "NONE", "-u", "NONE", "-c"])
            .arg(format!("luafile {}", session.display())),
        home.path(),
    );
    let record = fs::read_to_string(home.path().join("record")).expect("the record");
    let found: BTreeSet<&str> = record.lines().collect();
    for line in [
        "keyword.directive .decl",
        "property num_elts",
        "type uq",
        "label next",
        "keyword goto",
        "keyword.modifier M1",
        "number 0x1",
        "comment //Platform: DG2",
    ] {
        assert!(found.contains(line), "{line}: {record}");
    }
}
