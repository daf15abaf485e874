//! Formatting keeps the comments of a text in their places.

use genvisa::strategy::Generate;
use genvisa::text::{Reformatter, format_of, parse, reformat, stated_platform};
use genvisa::{Format, Module, Version};
use genvisa_test_support::random::{cases, runner, seed};
use genvisa_test_support::repository;
use genvisa_test_support::rng::Rng;
use proptest::strategy::{Strategy, ValueTree};

/// Returns formatted texts of this repository and of generated modules, with and without numbers.
fn formatted_texts() -> Vec<String> {
    let folder = repository("tests/data");
    let files = std::fs::read_dir(folder).expect("the folder").flatten();
    let is_text = |path: &std::path::PathBuf| path.extension().is_some_and(|it| it == "visaasm");
    let mut files: Vec<_> = files.map(|file| file.path()).filter(is_text).collect();
    // Random comments depend on the order.
    files.sort();
    let read = |path| std::fs::read_to_string(path).expect("a text");
    let mut texts: Vec<String> = files.into_iter().map(read).collect();
    for (salt, format) in [Format::igc2022(Version::V3_6), Format::V4_2].into_iter().enumerate() {
        let mut runner = runner(1, salt);
        for _ in 0..cases(20) {
            let module = Module::strategy(format).new_tree(&mut runner).expect("a value").current();
            let listing = genvisa::text::FileListing::new(&module);
            texts.push(listing.to_text().expect("legal code"));
        }
    }
    texts.retain(|text| reformat(text).is_ok());
    let format = |text, numbers| {
        let formatter = Reformatter::new().with_numbers(numbers);
        formatter.reformat(text).expect("correct text").text
    };
    texts.iter().flat_map(|text| [format(text, true), format(text, false)]).collect()
}

/// Returns the position of `//` in a line, outside of quotes.
fn comment_start(line: &str) -> Option<usize> {
    let (mut is_quoted, mut is_escaped) = (false, false);
    line.bytes().enumerate().position(|(at, byte)| {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' => is_escaped = true,
            b'"' => is_quoted = !is_quoted,
            _ => return !is_quoted && line[at..].starts_with("//"),
        }
        false
    })
}

/// Returns the positions of blanks in a part of a line, outside of quotes.
fn blanks(code: &str) -> Vec<usize> {
    let is_blank = |at: &usize| code.as_bytes()[*at] == b' ';
    let quotes =
        |at: &usize| code[..*at].replace("\\\\", "").replace("\\\"", "").matches('"').count();
    (0..code.len()).filter(|at| is_blank(at) && quotes(at) % 2 == 0).collect()
}

/// Inserts comments into a text. Returns the text, and the comments in their order.
fn with_comments(text: &str, rng: &mut Rng) -> (String, Vec<String>) {
    let (mut result, mut comments) = (String::new(), Vec::new());
    let mut is_in_comment = false;
    for line in text.lines() {
        // Comments of several lines are kept as they are.
        let ends = line.contains("*/");
        let is_comment = is_in_comment || line.contains("/*");
        is_in_comment = is_comment && !ends;
        if is_comment {
            result += line;
            result.push('\n');
            continue;
        }
        let mut new = |forms: &[&str], rng: &mut Rng| {
            let comment = rng.pick(forms).replace('#', &format!("c{}.", comments.len()));
            comments.push(comment.clone());
            comment
        };
        while rng.one_in(6) {
            let indentation = rng.pick(&["", "    ", "\t"]);
            let comment = new(&["// #", "//#", "/* # */", "/*#\n  */", "/// $#", "// \"#"], rng);
            result += &format!("{indentation}{comment}\n{}", rng.pick(&["", "\n"]));
        }
        let code_end = comment_start(line).unwrap_or(line.len());
        let (code, comment) = line.split_at(code_end);
        // The bytes of an instruction are compared with the text, in its first line.
        let has_bytes = comment.contains("//@") && !line.starts_with('.');
        let mut rest = code;
        for at in blanks(code) {
            if has_bytes || !rng.one_in(20) {
                continue;
            }
            let (before, after) = rest.split_at(at - (code.len() - rest.len()));
            result += before;
            result += &format!(" {}", new(&["/*#*/", "/* # */", "/*\n #\n*/"], rng));
            rest = after;
        }
        result += rest;
        // Of an instruction, this may be a comment that an annotation follows.
        if !comment.contains("//@") && !line.is_empty() && rng.one_in(6) {
            result += comment;
            result += &format!(" {}", new(&["// #", "//#", "/// #"], rng));
        } else {
            result += comment;
        }
        result.push('\n');
    }
    (result, comments)
}

/// A comment: the number of statements before it, and whether it follows code in its line.
type Location = (usize, bool);

/// Returns the locations of comments in a text, and the text without them.
fn locations(text: &str, comments: &[String]) -> (Vec<Location>, String) {
    let (mut rest, mut bare, mut locations) = (text, String::new(), Vec::new());
    for comment in comments {
        let (before, after) = rest.split_once(comment.as_str()).unwrap_or_else(|| {
            panic!("`{comment}` is not in its place:\n{text}");
        });
        bare += before;
        rest = after;
        let (lines, line) = bare.rsplit_once('\n').unwrap_or(("", &bare));
        locations.push((lines.lines().filter(|line| is_statement(line)).count(), !is_blank(line)));
    }
    bare += rest;
    (locations, bare)
}

fn is_blank(line: &str) -> bool {
    line.trim().is_empty()
}

/// Returns whether a line is a statement of its own, to which comments belong.
fn is_statement(line: &str) -> bool {
    let line = line.trim_start();
    let others = ["//@", ".funcdecl", ".function"];
    !is_blank(line) && !others.iter().any(|other| line.starts_with(other))
}

/// Returns the statements of a text with single blanks.
fn statements(text: &str) -> Vec<String> {
    let words = |line: &str| line.split_whitespace().collect::<Vec<_>>().join(" ");
    text.lines().filter(|line| is_statement(line)).map(words).collect()
}

#[test]
fn formatting_keeps_comments_in_their_places() {
    let mut count = 0;
    for (number, text) in formatted_texts().into_iter().enumerate() {
        let mut rng = Rng::new(seed(), number as u64);
        let (source, comments) = with_comments(&text, &mut rng);
        let formatter = Reformatter::new().with_numbers(text.contains("/// $"));
        let formatted = match formatter.reformat(&source) {
            Ok(formatted) => formatted.text,
            Err(errors) => panic!("{errors}\n{source}"),
        };
        let again = formatter.reformat(&formatted).expect("correct text").text;
        let differs = formatted.lines().zip(again.lines()).find(|(a, b)| a != b);
        assert!(again == formatted, "{differs:?}\n{formatted}");
        let format = format_of(&source);
        let module = |text: &str| parse(text, format).expect("correct text");
        assert!(module(&formatted) == module(&source), "{formatted}");

        let (found, bare) = locations(&formatted, &comments);
        assert_eq!(statements(&bare), statements(&text), "{formatted}");
        let lines: Vec<&str> = text.lines().filter(|line| is_statement(line)).collect();
        let (mut expected, _) = locations(&source, &comments);
        for location in &mut expected {
            // An annotation is the end of its line: comments precede it.
            let has_annotation =
                |line: &&str| comment_start(line).is_some_and(|at| line[at..].contains("//@"));
            location.1 &= !lines.get(location.0).is_some_and(has_annotation);
        }
        for (index, (found, mut expected)) in found.into_iter().zip(expected).enumerate() {
            let comment = &comments[index];
            // The line of `.function` and `.funcdecl` is not a statement.
            if found != expected && !found.1 {
                expected.1 = false;
            }
            assert_eq!(found, expected, "`{comment}`\n{source}\n\n{formatted}");
        }
        count += comments.len();
    }
    assert!(count > 500, "{count}");
}

#[test]
fn formatting_keeps_the_platform() {
    let body = "    ret (M1, 1)\n\n//Platform: XE3P\n//Build option: \"-foo\"\n";
    let source = format!(".version 4.2\n.kernel \"k\"\n\n{body}\n.kernel \"l\"\n\n{body}");
    let formatter = Reformatter::new().with_numbers(false);
    assert_eq!(formatter.reformat(&source).expect("correct text").text, source);
    // Comments about the first routine do not become comments about the second one.
    let unread =
        format!("//Platform: XE2\n\n{source}").replace(".kernel", "  //Platform: DG2\n.kernel");
    let formatted = reformat(&unread).expect("correct text");
    let name = |text| stated_platform(text).map(|stated| stated.name);
    assert_eq!(name(&formatted), name(&unread));
    let format = format_of(&source);
    assert_eq!(parse(&formatted, format), parse(&source, format));
}

/// Formatting keeps the order of kernels and functions, although files have kernels first.
#[test]
fn formatting_keeps_the_order_of_routines() {
    let source = "// file\n\n// f\n.version 3.6\n.global_function \"f\"\n\n    fret (M1, 1)\n\n\
                  // k\n.kernel \"k\"\n.funcdecl \"f\"\n\n    ret (M1, 1)\n";
    let formatter = Reformatter::new().with_numbers(false);
    assert_eq!(formatter.reformat(source).expect("correct text").text, source);
}

/// A statement may have several lines, all but the last of which end in a backslash.
#[test]
fn comments_stay_with_statements_of_several_lines() {
    let body = "    add (M1, 16) x(0,0)<1> \\\n        x(0,0)<1;1,0> \\\r\n        0x1:d // after\n    ret (M1, 1)\n";
    let declaration = ".decl x v_type=G type=d num_elts=16 align=GRF\n";
    let source = format!(".version 4.2\n.kernel \"k\"\n\n{declaration}{body}");
    let formatter = Reformatter::new().with_numbers(false);
    let formatted = formatter.reformat(&source).expect("correct text").text;
    let line = "    add (M1, 16) x(0,0)<1> x(0,0)<1;1,0> 0x1:d // after\n";
    assert!(formatted.contains(line), "{formatted}");
}

#[test]
fn comments_that_are_not_utf8_are_reported() {
    let source = b".version 3.6\n.kernel \"k\"\n    ret (M1, 1) // \xe9\n";
    let formatted = Reformatter::new().reformat(source).expect("correct text");
    let expected = "this comment is not UTF-8; the bytes that are not are replaced";
    assert_eq!(formatted.warnings[0].to_string(), expected);
    assert!(formatted.text.ends_with("// \u{fffd}\n"), "{}", formatted.text);
}
