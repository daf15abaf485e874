//! The links of the documents name files and headings that exist, and so do the paths that documents
//! mention in code.

use genvisa_test_support::repository;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use super::read;

/// The folders at the top of the repository that paths begin with.
const FOLDERS: [&str; 7] = ["src", "tests", "docs", "crates", "benches", "fuzz", "examples"];

/// A Markdown file.
struct Document {
    path: String,
    /// The text without blocks of code.
    text: String,
    /// The text, with `x` for each byte in code. Positions are the same.
    masked: String,
    /// The blocks of code in the language `sh`.
    shell: String,
}

/// A link to a target, or with a label that is defined elsewhere.
enum Link<'a> {
    Inline(&'a str),
    Reference(&'a str),
}

impl Document {
    fn read(path: &str) -> Document {
        Document::new(path, &read(path))
    }

    fn new(path: &str, source: &str) -> Document {
        let (mut text, mut shell, mut fence) = (String::new(), String::new(), None);
        for line in source.lines() {
            match (fence, line.trim_start().strip_prefix("```")) {
                (None, Some(language)) => fence = Some(language == "sh"),
                (Some(_), Some(_)) => fence = None,
                (Some(true), None) => shell.extend([line, "\n"]),
                (Some(false), None) => {}
                (None, None) => text.extend([line, "\n"]),
            }
        }
        assert!(fence.is_none(), "{path}: a block of code is not closed");
        let mut masked = text.clone().into_bytes();
        for (start, code) in codes(&text) {
            masked[start..start + code.len()].fill(b'x');
        }
        let masked = String::from_utf8(masked).expect("code consists of whole characters");
        Document { path: path.into(), text, masked, shell }
    }

    /// Returns the labels of links with their targets.
    fn definitions(&self) -> impl Iterator<Item = (&str, &str)> {
        self.text.lines().filter_map(|line| line.strip_prefix('[')?.split_once("]: "))
    }

    /// Returns all links. A label in brackets without a definition is only a link if it is code.
    fn links(&self) -> Vec<Link<'_>> {
        let defined: BTreeSet<&str> = self.definitions().map(|(label, _)| label).collect();
        let mut links = Vec::new();
        for (start, _) in self.masked.match_indices('[') {
            let Some(end) = closing(&self.masked, start, '[', ']') else { continue };
            let text = &self.text[start + 1..end];
            // The contents of brackets that follow at once.
            let argument = |open, close| {
                let last = closing(&self.masked, end + 1, open, close)?;
                Some(&self.text[end + 2..last])
            };
            let begins_line = start == 0 || self.masked[..start].ends_with('\n');
            if let Some(target) = argument('(', ')') {
                links.push(Link::Inline(target));
            } else if let Some(label) = argument('[', ']') {
                links.push(Link::Reference(label));
            } else if begins_line && self.masked[end..].starts_with("]: ") {
                // A definition.
            } else if defined.contains(text) || text.starts_with('`') {
                links.push(Link::Reference(text));
            }
        }
        links
    }

    /// Returns the fragments of the headings, as GitHub computes them.
    fn fragments(&self) -> BTreeSet<String> {
        let mut counts = BTreeMap::new();
        let is_heading = |line: &&str| line.trim_start_matches('#').starts_with(' ');
        let lines = self.text.lines().filter(|line| line.starts_with('#')).filter(is_heading);
        let fragment = |line: &str| {
            let heading = line.trim_start_matches('#').trim().to_lowercase();
            let is_kept = |c: &char| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_');
            let slug = heading.chars().filter(is_kept).collect::<String>().replace(' ', "-");
            let count = counts.entry(slug.clone()).or_insert(0);
            *count += 1;
            if *count == 1 { slug } else { format!("{slug}-{}", *count - 1) }
        };
        lines.map(fragment).collect()
    }
}

/// Returns the spans of code in a text, with their positions.
fn codes(text: &str) -> Vec<(usize, &str)> {
    let ticks = |at: usize| text[at..].len() - text[at..].trim_start_matches('`').len();
    let (mut codes, mut at) = (Vec::new(), 0);
    while let Some(start) = text[at..].find('`').map(|offset| at + offset) {
        let (fence, mut end) = (ticks(start), start + ticks(start));
        at = end;
        let paragraph = text[at..].find("\n\n").map_or(text.len(), |length| at + length);
        while let Some(tick) = text[end..paragraph].find('`').map(|offset| end + offset) {
            end = tick + ticks(tick);
            if ticks(tick) == fence {
                codes.push((at, &text[at..tick]));
                at = end;
                break;
            }
        }
    }
    codes
}

/// Returns the position of the bracket that closes the one at `start`, in the same paragraph. Returns
/// `None` if there is none at `start`.
fn closing(text: &str, start: usize, open: char, close: char) -> Option<usize> {
    let paragraph = text[start..].split("\n\n").next()?;
    let mut depth = 0;
    for (offset, c) in paragraph.char_indices() {
        depth += i32::from(c == open) - i32::from(c == close);
        if depth <= 0 {
            return (depth == 0 && c == close).then_some(start + offset);
        }
    }
    None
}

/// Returns the paths of the documents that people read as files.
fn documents() -> Vec<String> {
    let names = |folder: &str| -> Vec<String> {
        let entries = fs::read_dir(repository(folder)).expect("a folder");
        let names = entries.map(|entry| entry.expect("an entry").file_name());
        names.map(|name| format!("{folder}/{}", name.to_string_lossy())).collect()
    };
    let top = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md", "benches/README.md"];
    let mut paths: Vec<String> = top.map(String::from).into();
    let others = ["crates/cli/tests/transcripts", "editors/vscode"];
    paths.extend(others.map(|folder| format!("{folder}/README.md")));
    let pages = ["docs", "docs/evidence"].into_iter().flat_map(names);
    paths.extend(pages.filter(|path| path.ends_with(".md")));
    paths.extend(names("crates").into_iter().map(|path| path + "/README.md"));
    paths.sort();
    paths
}

/// Resolves the path of a link in a document: `docs/../README.md` is `README.md`.
fn resolve(document: &str, path: &str) -> Option<String> {
    let mut parts: Vec<&str> = document.split('/').collect();
    parts.pop();
    for part in path.split('/') {
        match part {
            ".." => drop(parts.pop()?),
            "." | "" => {}
            name => parts.push(name),
        }
    }
    Some(parts.join("/"))
}

/// Returns what is wrong with the target of a link.
fn check_target(document: &Document, target: &str) -> Result<(), String> {
    if target.starts_with("https://") {
        return Ok(());
    }
    if target.contains(':') {
        return Err(format!("`{target}` is neither https nor a path"));
    }
    let (path, fragment) = target.split_once('#').unwrap_or((target, ""));
    let other = match path {
        "" => None,
        _ => Some(resolve(&document.path, path).ok_or_else(|| format!("`{path}` is outside"))?),
    };
    if let Some(path) = other.as_ref().filter(|path| !repository(path).exists()) {
        return Err(format!("`{target}`: there is no {path}"));
    }
    let other = other.filter(|_| !fragment.is_empty()).map(|path| Document::read(&path));
    let document = other.as_ref().unwrap_or(document);
    if !fragment.is_empty() && !document.fragments().contains(fragment) {
        return Err(format!("`{target}`: {} has no such heading", document.path));
    }
    Ok(())
}

/// Checks a link with a label such as `` `Info::dst` `` to a source file, which must contain the last name.
/// Returns what is wrong.
fn check_item(document: &Document, label: &str, target: &str) -> Option<String> {
    let item = label.strip_prefix('`')?.strip_suffix('`')?;
    let path = resolve(&document.path, target).filter(|path| path.ends_with(".rs"))?;
    let source = fs::read_to_string(repository(&path)).ok()?;
    let name = item.rsplit("::").next()?;
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let is_named = source.split(|c| !is_part(c)).any(|word| word == name);
    // The module of `text/mod.rs` is `text`.
    let is_module = path.trim_end_matches("/mod.rs").ends_with(&format!("/{name}"));
    (!is_named && !is_module).then(|| format!("[{label}]: {path} has no `{name}`"))
}

fn problems_of(document: &Document) -> Vec<String> {
    let (mut targets, mut problems) = (Vec::new(), Vec::new());
    let mut definitions = BTreeSet::new();
    for (label, target) in document.definitions() {
        targets.push(target);
        if !definitions.insert(label) {
            problems.push(format!("[{label}] is defined twice"));
        }
    }
    let mut used = BTreeSet::new();
    for link in document.links() {
        match link {
            Link::Inline(target) => targets.push(target),
            Link::Reference(label) => {
                used.insert(label);
            }
        }
    }
    let undefined = used.difference(&definitions);
    problems.extend(undefined.map(|label| format!("[{label}] has no definition")));
    let unused = definitions.difference(&used);
    problems.extend(unused.map(|label| format!("[{label}] is not used")));
    problems.extend(targets.iter().filter_map(|target| check_target(document, target).err()));
    let definitions = document.definitions();
    problems.extend(definitions.filter_map(|(label, target)| check_item(document, label, target)));
    // A plain URL is a link, too.
    if document.masked.contains("http://") {
        problems.push("a link with http instead of https".into());
    }
    problems
}

#[test]
fn every_link_of_the_documents_leads_somewhere() {
    let documents = documents();
    assert!(documents.len() > 15, "{documents:?}");
    let problems: Vec<String> = (documents.iter().map(|path| Document::read(path)))
        .flat_map(|document| {
            let problems = problems_of(&document).into_iter();
            problems.map(|problem| format!("{}: {problem}", document.path)).collect::<Vec<_>>()
        })
        .collect();
    assert!(problems.is_empty(), "{problems:#?}");
}

/// Returns whether a file or folder matches a path, in which `*` is a part of a name.
fn exists(folder: &Path, path: &str) -> bool {
    let (name, rest) = path.split_once('/').unwrap_or((path, ""));
    let Some((start, end)) = name.split_once('*') else {
        let path = folder.join(name);
        return if rest.is_empty() { path.exists() } else { exists(&path, rest) };
    };
    fs::read_dir(folder).into_iter().flatten().flatten().any(|entry| {
        let name = entry.file_name().into_string().unwrap_or_default();
        let matches = name.strip_prefix(start).is_some_and(|rest| rest.ends_with(end));
        matches && (rest.is_empty() || exists(&entry.path(), rest))
    })
}

/// Returns the paths of the repository in code, such as `tests/data/lib.so` in `tests/data/lib.so!2`.
fn paths(code: &str) -> impl Iterator<Item = &str> {
    let words = code.split(|c: char| c.is_whitespace() || "\"'(),;".contains(c));
    words.filter_map(|word| {
        let path = word.strip_prefix("./").unwrap_or(word).split('!').next()?;
        let (folder, _) = path.split_once('/')?;
        FOLDERS.contains(&folder).then_some(path)
    })
}

/// Paths with placeholders, such as `fuzz/regressions/<target>` or `docs/NAME.md`, need not exist.
#[test]
fn every_path_in_the_documents_exists() {
    let (mut missing, mut count) = (Vec::new(), 0);
    for document in documents().iter().map(|path| Document::read(path)) {
        let spans = codes(&document.text);
        let codes = spans.iter().map(|(_, code)| *code).chain([document.shell.as_str()]);
        for path in codes.flat_map(paths) {
            if path.contains('<') || path.contains("NAME") {
                continue;
            }
            count += 1;
            if !exists(&repository(""), path.trim_end_matches('/')) {
                missing.push(format!("{}: {path}", document.path));
            }
        }
    }
    assert!(count > 50, "{count}");
    assert!(missing.is_empty(), "{missing:#?}");
}

/// Documents that rustdoc includes define their links as paths, and `src/docs.rs` defines them as items
/// before it includes the document.
#[test]
fn rustdoc_replaces_every_path_of_the_documents() {
    let source = read("src/docs.rs");
    let (mut problems, mut count) = (Vec::new(), 0);
    for module in source.split("pub mod ").skip(1) {
        let (head, rest) = module.split_once("include_str!(\"../").expect("a document");
        let (path, _) = rest.split_once('"').expect("the end of its path");
        let document = Document::read(path);
        let replaced = |label: &str| head.contains(&format!("[{label}]: "));
        for (label, target) in document.definitions() {
            count += 1;
            if !target.starts_with("https:") && !replaced(label) {
                problems.push(format!("{path}: [{label}] is not defined in src/docs.rs"));
            }
        }
        for link in document.links() {
            match link {
                Link::Inline(target)
                    if !target.starts_with("https:") && !target.starts_with('#') =>
                {
                    problems.push(format!("{path}: `{target}` is not a reference link"));
                }
                _ => {}
            }
        }
    }
    assert!(count > 30, "{count}");
    assert!(problems.is_empty(), "{problems:#?}");
}

#[test]
fn broken_links_are_found() {
    for (text, problem) in [
        ("[a](text.md)", None),
        ("[a](../README.md#the-tool)", None),
        ("# One\n\n# One\n\n[a](#one-1)", None),
        ("![a picture](cfg.svg)", None),
        ("[`a`] and [a][`a`]\n\n[`a`]: ../src/lib.rs\n", None),
        ("[a](https://example.org/#none)", None),
        ("[Unreleased]", None),
        ("`[a](none.md)` ``[`a`]``\n```text\n[a](none.md)\n```\n", None),
        ("[a](tests.md)", Some("`tests.md`: there is no docs/tests.md")),
        ("[a\nb](../src)[c](nowhere)", Some("`nowhere`: there is no docs/nowhere")),
        ("![a](a.svg)", Some("`a.svg`: there is no docs/a.svg")),
        ("[a](../../README.md)", Some("`../../README.md` is outside")),
        ("[`a::Format`]\n\n[`a::Format`]: ../src/format.rs\n", None),
        (
            "[`Format::none`]\n\n[`Format::none`]: ../src/format.rs\n",
            Some("[`Format::none`]: src/format.rs has no `none`"),
        ),
        ("# One\n[a](#two)", Some("`#two`: docs/text.md has no such heading")),
        ("[a](../README.md#none)", Some("`../README.md#none`: README.md has no such heading")),
        ("[`a`](crate::text)", Some("`crate::text` is neither https nor a path")),
        ("[a](http://example.org)", Some("`http://example.org` is neither https nor a path")),
        ("[`a`]", Some("[`a`] has no definition")),
        ("[a][b]", Some("[b] has no definition")),
        ("http://example.org", Some("a link with http instead of https")),
        ("[a]: text.md\n", Some("[a] is not used")),
        ("[a]\n\n[a]: text.md\n[a]: text.md\n", Some("[a] is defined twice")),
        ("[a]\n\n[a]: none.md\n", Some("`none.md`: there is no docs/none.md")),
    ] {
        let found = problems_of(&Document::new("docs/text.md", text));
        assert_eq!(found.first().map(String::as_str), problem, "{text}");
    }
}
