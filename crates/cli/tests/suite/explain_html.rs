//! The page that `genvisa explain --html` writes: its data, and what hostile files can do to it.
//! `crates/cli/tests/browser` tests the page in a browser.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Output;

use genvisa::Format;
use genvisa::object::{Code, Module};
use genvisa_test_support::tour;
use serde_json::Value;

/// Runs the tool.
fn run(args: &[&str]) -> Output {
    crate::tool().args(args).output().expect("the tool runs")
}

fn stdout(args: &[&str]) -> String {
    String::from_utf8(run(args).stdout).expect("UTF-8")
}

/// Returns the JSON in an element of a page.
fn json(page: &str, id: &str) -> Option<Value> {
    let start = format!("<script type=\"application/json\" id=\"{id}\">");
    let text = &page[page.find(&start)? + start.len()..];
    let text = &text[..text.find("</script>").expect("an end")];
    Some(serde_json::from_str(text).expect("JSON"))
}

fn number(value: &Value) -> usize {
    usize::try_from(value.as_u64().expect("a number")).expect("a small number")
}

fn list(value: &Value) -> &[Value] {
    value.as_array().expect("a list")
}

fn text(value: &Value) -> &str {
    value.as_str().expect("a string")
}

/// A field or instruction of a page.
#[derive(Debug, PartialEq)]
struct Field {
    name: String,
    value: String,
    depth: usize,
    offset: usize,
    /// `None` if an error ended it.
    len: Option<usize>,
    is_leaf: bool,
    /// The line, if it is an instruction.
    line: Option<String>,
}

/// A part of the file on a page.
struct Group {
    title: String,
    kind: String,
    offset: usize,
    len: usize,
    fields: Vec<Field>,
}

/// Decodes the data of a page, as `html.rs` describes it.
fn groups(page: &str) -> Vec<Group> {
    let data = json(page, "data").expect("data");
    let strings = json(page, "strings").expect("strings");
    let strings: Vec<&str> = list(&strings).iter().map(text).collect();
    let facts = json(page, "facts").expect("facts");
    let facts = list(&facts);
    let read = |(index, group): (usize, &Value)| {
        let offset = number(&group["offset"]);
        let mut fields: Vec<Field> = Vec::new();
        let mut position = offset;
        if let Some(chunk) = json(page, &format!("group-{index}")) {
            let mut lines = list(&chunk["texts"]).iter().map(|line| text(line).to_owned());
            for (name, is_code) in [("fields", false), ("code", true)] {
                let start = fields.len();
                let rows: Vec<usize> = list(&chunk[name]).iter().map(number).collect();
                let depth = |row: usize| number(&facts[row * 6 + 3]);
                for (i, &row) in rows.iter().enumerate() {
                    let fact = &facts[row * 6..][..6];
                    let gap = fact[5].as_i64().expect("a number");
                    let offset = position.checked_add_signed(gap as isize).expect("an offset");
                    let len = number(&fact[4]).checked_sub(1);
                    let is_leaf = rows.get(i + 1).is_none_or(|&next| depth(next) <= depth(row));
                    position = if is_leaf { offset + len.unwrap_or(0) } else { offset };
                    fields.push(Field {
                        name: strings[number(&fact[0])].into(),
                        value: strings[number(&fact[1])].into(),
                        depth: depth(row),
                        offset,
                        len,
                        is_leaf,
                        line: (is_code && depth(row) == 0).then(|| lines.next().expect("a line")),
                    });
                }
                assert_eq!(fields.len() - start, number(&group[name]));
            }
            assert_eq!(lines.next(), None);
        }
        let len = number(&group["len"]);
        let (title, kind) = (text(&group["title"]).into(), text(&group["kind"]).into());
        Group { title, kind, offset, len, fields }
    };
    list(&data["groups"]).iter().enumerate().map(read).collect()
}

/// Returns the bytes that a page contains, by their offsets.
fn bytes(page: &str) -> BTreeMap<usize, u8> {
    let digit = |c: u8| match c {
        b'A'..=b'Z' => c - b'A',
        b'a'..=b'z' => c - b'a' + 26,
        b'0'..=b'9' => c - b'0' + 52,
        b'+' => 62,
        _ => 63,
    };
    let mut all = BTreeMap::new();
    for segment in list(&json(page, "data").expect("data")["bytes"]) {
        let digits = text(&segment[1]).trim_end_matches('=').bytes().map(digit);
        let bits: Vec<u8> = digits.flat_map(|d| (0..6).rev().map(move |i| d >> i & 1)).collect();
        let bytes =
            bits.chunks_exact(8).map(|byte| byte.iter().fold(0, |byte, bit| byte << 1 | bit));
        all.extend((number(&segment[0])..).zip(bytes));
    }
    all
}

/// Returns offset, bytes, name and the start of the value of the fields with bytes that the text form
/// prints, by the columns of its lines.
fn printed_fields(text: &str) -> Vec<(usize, Vec<u8>, String, String)> {
    const NAME: usize = 43;
    const VALUE: usize = 67;
    let hex = |text: &str| -> Vec<u8> {
        let pairs = text.split_whitespace();
        pairs.map(|pair| u8::from_str_radix(pair, 16).expect("a byte")).collect()
    };
    let mut fields: Vec<(usize, Vec<u8>, String, String)> = Vec::new();
    for line in text.lines() {
        if let Some(rest) = line.strip_prefix("  0x") {
            let offset = usize::from_str_radix(&rest[..6], 16).expect("an offset");
            let bytes = hex(&line[12..NAME - 2]);
            // The value of a long name is on the next line.
            let is_long = line.as_bytes().get(VALUE - 1).is_some_and(|byte| *byte != b' ');
            let end = if is_long { line.len() } else { line.len().min(VALUE - 1) };
            let name = line[NAME..end].trim().to_owned();
            let value = if is_long { "" } else { line.get(VALUE..).unwrap_or_default() };
            fields.push((offset, bytes, name, value.to_owned()));
        } else if line.starts_with(&" ".repeat(12)) && line.as_bytes().get(12) != Some(&b' ') {
            fields.last_mut().expect("a field").1.extend(hex(line));
        }
    }
    fields.retain(|(_, bytes, ..)| !bytes.is_empty());
    fields
}

/// Checks a page against the text form and the file: the same fields with the same bytes, and every byte
/// of the file exactly once.
fn check(path: &str) {
    let file = std::fs::read(crate::repository(path)).expect("a readable file");
    let page = stdout(&["explain", path, "--html", "-"]);
    let groups = groups(&page);
    assert!(bytes(&page).into_values().eq(file.iter().copied()), "{path}");

    let leaves = || groups.iter().flat_map(|group| &group.fields).filter(|field| field.is_leaf);
    let mut shown = leaves().filter(|field| field.len.is_some_and(|len| len > 0));
    let mut printed = printed_fields(&stdout(&["explain", path, "--parts"]));
    // The text form has the header first, but sections may have any order.
    printed.sort_by_key(|(offset, ..)| *offset);
    for (offset, bytes, name, value) in printed {
        let field = shown.next().expect("as many fields");
        let found = (field.offset, field.len, &*field.name);
        assert_eq!(found, (offset, Some(bytes.len()), &*name), "{path}");
        assert_eq!(file[offset..offset + bytes.len()], bytes, "{path}: {field:?}");
        let start: String = field.value.chars().take(33).collect();
        assert!(value.is_empty() || value.starts_with(&start), "{path}: {value} {field:?}");
    }
    assert_eq!(shown.next(), None, "{path}");

    let mut count = vec![0; file.len()];
    let opaque = groups.iter().filter(|group| group.fields.is_empty());
    let ranges = leaves().map(|field| (field.offset, field.len.unwrap_or(0)));
    for (offset, len) in ranges.chain(opaque.map(|group| (group.offset, group.len))) {
        count[offset..offset + len].iter_mut().for_each(|count| *count += 1);
    }
    assert!(
        count.iter().all(|count| *count == 1),
        "{path}: {:?}",
        count.iter().position(|n| *n != 1)
    );

    // Offsets ascend, and parents contain their parts: the page searches and draws by them.
    for group in &groups {
        let end = group.offset + group.len;
        let mut parents: Vec<&Field> = Vec::new();
        assert!(group.fields.is_sorted_by_key(|field| field.offset), "{path}");
        for field in &group.fields {
            parents.truncate(field.depth);
            let limit = parents.iter().rev().find_map(|field| Some(field.offset + field.len?));
            let limit = limit.unwrap_or(end);
            assert!(field.offset + field.len.unwrap_or(0) <= limit, "{path}: {field:?}");
            parents.push(field);
        }
    }
}

/// Returns the lines of the instructions of a page, by their offsets.
fn lines(page: &str) -> BTreeMap<usize, String> {
    let fields = groups(page).into_iter().flat_map(|group| group.fields);
    fields.filter_map(|field| Some((field.offset, field.line?))).collect()
}

fn temporary(name: &str, bytes: &[u8]) -> (tempfile::TempDir, String) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join(name);
    std::fs::write(&path, bytes).expect("a writable file");
    let path = path.to_str().expect("UTF-8").to_owned();
    (folder, path)
}

/// Returns a module with two kernels and a GEN binary.
fn two_kernels(first: &str) -> Module<'static> {
    let mut module = tour::module(Format::default()).expect("a module");
    let mut kernel = module.kernels[0].clone();
    kernel.name = first.into();
    module.kernels.insert(0, kernel);
    module
}

#[test]
fn pages_have_the_fields_of_the_text_form() {
    check("tests/data/tour.isa");
    check("tests/data/manual.isa");
    let mut file = two_kernels("first").to_bytes().expect("bytes");
    file.extend([0; 5]);
    let (_folder, path) = temporary("two.isa", &file);
    check(&path);
}

#[test]
#[ignore = "needs the corpus"]
fn pages_of_the_corpus_have_the_fields_of_the_text_form() {
    let folder = genvisa_test_support::corpus::required();
    let mut files = 0;
    for entry in std::fs::read_dir(folder).expect("the corpus") {
        let path = entry.expect("an entry").path();
        // Large files take long without optimization, and have the same fields.
        let is_small = path.metadata().is_ok_and(|file| file.len() < 120_000);
        if is_small && path.extension().is_some_and(|suffix| suffix == "isa") {
            check(path.to_str().expect("UTF-8"));
            files += 1;
        }
    }
    assert!(files > 10, "{files}");
}

#[test]
fn lines_are_those_of_dis() {
    let page = stdout(&["explain", "tests/data/tour.isa", "--html", "-"]);
    let text = stdout(&["dis", "tests/data/tour.isa", "--offsets", "--no-numbers"]);
    let printed: BTreeMap<usize, String> = (text.lines())
        .filter_map(|line| {
            let (offset, rest) = line.strip_prefix("0x")?.split_once(' ')?;
            let (_, line) = rest.trim_start().split_once("  ")?;
            let offset = usize::from_str_radix(offset.trim_end_matches(':'), 16).ok()?;
            Some((offset, line.trim().to_owned()))
        })
        .collect();
    assert_eq!(lines(&page), printed);
    assert_eq!(printed.len(), 14);
}

/// Names with control characters would separate lines wrongly. Ids are printed instead.
#[test]
fn lines_have_ids_if_names_have_control_characters() {
    let mut module = tour::module(Format::default()).expect("a module");
    for name in &mut module.kernels[0].body.strings {
        let hostile = ["\u{1}mov", &name.to_string_lossy()].concat();
        *name = hostile[..].into();
    }
    let (_folder, path) = temporary("names.isa", &module.to_bytes().expect("bytes"));
    let page = stdout(&["explain", &path, "--html", "-"]);
    let lines = lines(&page);
    assert_eq!(lines.len(), 14);
    assert!(lines.values().all(|line| !line.contains(char::is_control)), "{lines:?}");
    assert!(lines.values().any(|line| line.starts_with("mov (M1, 8) ")), "{lines:?}");
}

#[test]
fn names_cannot_add_elements() {
    const NAME: &str = "</script><script>alert(1)</script><!--\"'&{{data}}{{script}}\u{2028}\u{1b}";
    let mut module = two_kernels(NAME);
    module.kernels[1].body.strings.push(NAME.into());
    let bytes = module.to_bytes().expect("bytes");
    let (_folder, path) = temporary("<!--<script>{{data}}&\"'\u{2028}\u{2029}\u{7}.isa", &bytes);
    let page = stdout(&["explain", &path, "--html", "-"]);
    let (_folder, path) = temporary("plain.isa", &two_kernels("plain").to_bytes().expect("bytes"));
    let plain = stdout(&["explain", &path, "--html", "-"]);
    for markup in ["<", ">", "<script", "</script", "<!--", "</title"] {
        assert_eq!(page.matches(markup).count(), plain.matches(markup).count(), "{markup}");
    }
    assert!(!page.contains(|c: char| c.is_control() && c != '\n'));
    // In HTML these are harmless, but not in scripts.
    let data = &page[page.find("id=\"data\"").expect("data")..];
    assert!(!data.contains(['\u{2028}', '\u{2029}']));
    let first = groups(&page).into_iter().find(|group| group.kind == "routine").expect("a kernel");
    let escaped = NAME.replace('\u{2028}', "\\xe2\\x80\\xa8").replace('\u{1b}', "\\x1b");
    assert!(first.title.contains("</script><script>alert(1)</script><!--"), "{}", first.title);
    assert!(first.title.len() <= escaped.len() + 40, "{}", first.title);
}

/// Returns the relative luminance of a color (WCAG 2.2).
fn luminance(color: &str) -> f64 {
    let digits: String = match color.len() {
        4 => color[1..].chars().flat_map(|digit| [digit, digit]).collect(),
        _ => color[1..].into(),
    };
    let channel = |at: usize| {
        let value =
            f64::from(u8::from_str_radix(&digits[at..at + 2], 16).expect("a color")) / 255.0;
        if value <= 0.04045 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
    };
    0.2126 * channel(0) + 0.7152 * channel(2) + 0.0722 * channel(4)
}

/// Text has a contrast of at least 4.5, as WCAG 2.2 requires (level AA), on every background.
#[test]
fn text_has_enough_contrast() {
    let page = stdout(&["explain", "tests/data/tour.isa", "--html", "-"]);
    let mut schemes = 0;
    for rule in page.split('{').filter(|rule| rule.contains("--page:")) {
        let rule = rule.split('}').next().unwrap_or_default();
        let colors: BTreeMap<&str, f64> = rule
            .split(';')
            .filter_map(|line| line.trim().strip_prefix("--")?.split_once(": #"))
            .map(|(name, digits)| (name, luminance(&format!("#{digits}"))))
            .collect();
        // The scheme for printing replaces only some colors.
        if !colors.contains_key("selected") {
            continue;
        }
        schemes += 1;
        for text in
            ["text", "dim", "zero", "opaque", "header", "table", "opcode", "value", "meaning"]
        {
            for background in ["page", "pane", "hover", "lit", "outer", "selected"] {
                let (a, b) = (colors[text], colors[background]);
                let contrast = (a.max(b) + 0.05) / (a.min(b) + 0.05);
                assert!(contrast >= 4.5, "{text} on {background}: {contrast:.2}");
            }
        }
    }
    assert_eq!(schemes, 3, "light, dark, and dark by the preference of the system");
}

#[test]
fn policy_allows_nothing_from_elsewhere() {
    let page = stdout(&["explain", "tests/data/tour.isa", "--html", "-"]);
    let policy = page.split("Content-Security-Policy\" content=\"").nth(1).expect("a policy");
    let policy = &policy[..policy.find('"').expect("an end")];
    assert!(policy.starts_with("default-src 'none'; script-src 'sha256-"), "{policy}");
    assert!(!policy.contains("unsafe") && !policy.contains('*'), "{policy}");
    for reference in ["http:", "https:", "src=", "@import", "url("] {
        assert!(!page.contains(reference), "{reference}");
    }
}

/// Checks a page of a file with an error: the error, and the bytes after it.
fn check_error(file: &[u8], instructions: usize, message: &str) {
    let (_folder, path) = temporary("broken.isa", file);
    let output = run(&["explain", &path, "--html", "-"]);
    assert_eq!(output.status.code(), Some(1));
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(stderr.contains(message), "{stderr}");
    let page = String::from_utf8(output.stdout).expect("UTF-8");
    let errors = json(&page, "data").expect("data")["errors"].clone();
    assert_eq!(list(&errors).len(), 1, "{errors}");
    assert!(stderr.contains(text(&errors[0])), "{stderr}");
    let groups = groups(&page);
    let fields = || groups.iter().flat_map(|group| &group.fields);
    assert!(fields().any(|field| field.len.is_none()));
    assert_eq!(fields().filter(|field| field.line.is_some()).count(), instructions);
    let unread = groups.iter().filter(|group| group.kind == "unread");
    let unread: usize = unread.map(|group| group.len).sum();
    let opaque = groups.iter().filter(|group| group.kind == "opaque").map(|group| group.len);
    let read: usize = fields().filter(|field| field.is_leaf).filter_map(|field| field.len).sum();
    assert_eq!(unread + read + opaque.sum::<usize>(), file.len());
    assert!(unread > 0);
}

#[test]
fn pages_of_wrong_files_have_the_fields_before_the_error() {
    let mut module = two_kernels("broken");
    let code = &module.kernels[0].body.code;
    let fourth = code.boundaries(module.format).nth(3).expect("many").expect("an instruction");
    let mut bytes = code.bytes().to_vec();
    bytes[fourth.offset] = 0x3b;
    module.kernels[0].body.code = Code::Present { bytes: bytes.into(), offset: 0 };
    let file = module.to_bytes().expect("bytes");
    check_error(&file, 4 + 14, "instruction 3: opcode 0x3b (scatter_atomic) is retired");
    let cut = &std::fs::read(crate::repository("tests/data/tour.isa")).expect("a file")[..37];
    check_error(cut, 0, "unexpected end of input");
}

#[test]
fn page_of_a_routine_has_nothing_else() {
    let (_folder, path) = temporary("two.isa", &two_kernels("first").to_bytes().expect("bytes"));
    let whole = groups(&stdout(&["explain", &path, "--html", "-"]));
    let page = stdout(&["explain", &path, "--routine", "first", "--html", "-"]);
    let [group] = &groups(&page)[..] else { panic!("one group") };
    let same = whole.iter().find(|other| other.title == group.title).expect("the kernel");
    assert_eq!(group.title, "kernel `first`");
    assert_eq!(group.fields, same.fields);
    assert!(bytes(&page).into_keys().eq(group.offset..group.offset + group.len));
}

#[test]
fn page_of_an_object_in_another_file_is_that_of_the_object() {
    let object = two_kernels("inner").to_bytes().expect("bytes");
    let tour = std::fs::read(crate::repository("tests/data/tour.isa")).expect("a file");
    let file = [b"\x7f\0junk", &tour[..], &object].concat();
    let (_folder, path) = temporary("library", &file);
    let page = stdout(&["explain", &format!("{path}!2"), "--html", "-"]);
    assert!(bytes(&page).into_values().eq(object.iter().copied()));
    assert!(groups(&page).iter().any(|group| group.title == "kernel `inner`"));
}

#[test]
fn page_of_bare_instructions() {
    let page = stdout(&["explain", "--hex", "59 52 07 00 00 00", "--html", "-"]);
    let lines: Vec<String> = lines(&page).into_values().collect();
    assert_eq!(lines, ["barrier", "LOC 7"]);
    assert_eq!(bytes(&page).len(), 6);
}

#[test]
fn pages_are_written_to_files_but_not_to_inputs() {
    let tour = std::fs::read(crate::repository("tests/data/tour.isa")).expect("a file");
    let (folder, path) = temporary("tour.isa", &tour);
    let output = run(&["explain", &path, "--html", &path]);
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(std::fs::read(&path).expect("the input"), tour);
    let folder_name = folder.path().to_str().expect("UTF-8");
    assert_eq!(run(&["explain", &path, "--html", folder_name]).status.code(), Some(1));
    let page = folder.path().join("tour.html");
    let output = run(&["explain", &path, "--html", page.to_str().expect("UTF-8")]);
    assert!(output.status.success() && output.stdout.is_empty());
    let written = std::fs::read_to_string(&page).expect("a page");
    assert!(written == stdout(&["explain", &path, "--html", "-"]));
    assert!(Path::new(&page).exists() && written.ends_with("</html>\n"));
}
