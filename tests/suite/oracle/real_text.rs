//! Real text of version 4.2: what IGC emits is parsed, printed as it was, and parsed to
//! the same module again.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use genvisa::Format;
use genvisa::text::{FileListing, format_of, parse};
use genvisa_test_support::corpus;
use genvisa_test_support::corpus::texts_under;

/// Returns the instructions and labels of a text, without comments and with single blanks.
fn instructions(text: &str) -> Vec<String> {
    let without_comment = |line: &str| {
        let mut is_string = false;
        let mut last = '\0';
        let end = line.char_indices().find(|(_, c)| {
            is_string ^= *c == '"' && last != '\\';
            let is_comment = !is_string && *c == '/' && last == '/';
            last = *c;
            is_comment
        });
        line[..end.map_or(line.len(), |(at, _)| at - 1)].to_owned()
    };
    let lines = text.lines().map(without_comment);
    let lines = lines.map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "));
    // The compiler does not read its own text of the surface of a load.
    let lines = lines.map(|line| line.replace("(0,0)<0;1,0>[0] ", " "));
    lines.filter(|line| !line.is_empty() && !line.starts_with('.')).collect()
}

/// The problems of all texts, by description, with the first text and its line.
#[derive(Default)]
struct Problems(BTreeMap<String, (usize, String)>);

impl Problems {
    fn add(&mut self, description: String, example: String) {
        self.0.entry(description).or_insert((0, example)).0 += 1;
    }
}

/// Checks a text, and returns the number of its instructions and labels.
fn check(name: &str, source: &str) -> Result<usize, (String, String)> {
    let example = |line: &str| format!("{name}: {line}");
    if format_of(source) != Format::V4_2 {
        return Err(("another format".into(), example("")));
    }
    let module = parse(source, Format::V4_2).map_err(|errors| {
        let (line, _) = errors[0].line_and_column().expect("the source is attached");
        (format!("rejected: {}", errors[0]), example(source.lines().nth(line - 1).unwrap_or("")))
    })?;
    let printed = FileListing::new(&module).to_text().expect("legal code");
    let again = parse(&printed, Format::V4_2)
        .map_err(|errors| (format!("the printed text is rejected: {}", errors[0]), example("")))?;
    if again != module {
        return Err(("the printed text has another meaning".into(), example("")));
    }
    let bare = FileListing::new(&module).with_numbers(false).to_text().expect("legal code");
    if parse(&bare, Format::V4_2).as_ref() != Ok(&module) {
        return Err(("the text without numbers has another meaning".into(), example("")));
    }
    let (theirs, ours) = (instructions(source), instructions(&printed));
    for (theirs, ours) in theirs.iter().zip(&ours) {
        if theirs != ours {
            let mnemonic = theirs.split(['.', ' ']).next().unwrap_or_default();
            return Err((
                format!("{mnemonic} is printed otherwise"),
                example(&format!("{theirs}\n    now {ours}")),
            ));
        }
    }
    if theirs.len() != ours.len() {
        return Err(("another number of lines".into(), example("")));
    }
    Ok(theirs.len())
}

#[test]
#[ignore = "needs the corpus"]
fn real_text_is_printed_as_it_was() {
    let visaasm = corpus::required_visaasm();
    let mut problems = Problems::default();
    let mut total = 0;
    for device in ["tgllp", "dg2", "pvc", "bmg", "ptl", "cri", "nvl-p"] {
        let (mut texts, mut lines, mut wrong) = (0, 0, 0);
        for path in texts_under(&visaasm.join(device)) {
            let source = fs::read_to_string(&path).expect("a readable text");
            texts += 1;
            match check(&name_of(&path), &source) {
                Ok(count) => lines += count,
                Err((description, example)) => {
                    wrong += 1;
                    problems.add(description, example);
                }
            }
        }
        eprintln!("{device}: {texts} texts, {lines} instructions and labels, {wrong} texts wrong");
        assert!(texts > 0, "no texts of {device}");
        total += texts;
    }
    let problems: Vec<String> = (problems.0.iter())
        .map(|(description, (count, example))| format!("{count:4} {description}\n    {example}"))
        .collect();
    assert!(problems.is_empty(), "of {total} texts:\n{}", problems.join("\n"));
}

fn name_of(path: &Path) -> String {
    let names: Vec<_> = path.iter().rev().take(2).map(|name| name.to_string_lossy()).collect();
    format!("{}/{}", names[1], names[0])
}
