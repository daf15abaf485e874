//! The public API of each library, compared with `tests/data/public-api.txt` of its package.
//!
//! The items are read from the HTML of `cargo doc --workspace --all-features --no-deps`, since only
//! nightly Rust lists them in another form. `GENVISA_DOC` is its folder, `target/doc`. If `GENVISA_BLESS`
//! is set, the tests rewrite the snapshots.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use genvisa_test_support::repository;

/// Traits that are usually derived. Their implementations are left out.
const DERIVED: &[&str] = &[
    "Clone",
    "Copy",
    "Debug",
    "Default",
    "Deserialize",
    "Eq",
    "Hash",
    "Ord",
    "PartialEq",
    "PartialOrd",
    "Serialize",
    "StructuralPartialEq",
];

#[test]
fn the_public_api_is_the_snapshot() {
    check("genvisa", "tests/data/public-api.txt");
}

#[test]
fn the_public_api_of_inline_is_the_snapshot() {
    check("genvisa_inline", "crates/inline/tests/data/public-api.txt");
}

#[test]
fn the_public_api_of_diff_is_the_snapshot() {
    check("genvisa_diff", "crates/diff/tests/data/public-api.txt");
}

#[test]
fn the_public_api_of_lsp_is_the_snapshot() {
    check("genvisa_lsp", "crates/lsp/tests/data/public-api.txt");
}

fn check(name: &str, snapshot: &str) {
    let Some(folder) = std::env::var_os("GENVISA_DOC") else {
        eprintln!("skipped: GENVISA_DOC is not set");
        return;
    };
    let (version, items) = read(name, &Path::new(&folder).join(name));
    let path = repository(snapshot);
    if std::env::var_os("GENVISA_BLESS").is_some() {
        let lines: String = items.iter().map(|item| format!("{item}\n")).collect();
        fs::write(path, format!("{version}\n{lines}")).expect("the snapshot is written");
        return;
    }
    let text = fs::read_to_string(path).expect("the snapshot is in the repository");
    let mut lines = text.lines();
    let written_by = lines.next().unwrap_or_default();
    if version != written_by {
        eprintln!(
            "skipped: the HTML of {version} may differ from that of {written_by}, in the snapshot"
        );
        return;
    }
    let expected: BTreeSet<String> = lines.map(String::from).collect();
    let gone = expected.difference(&items).map(|item| format!("- {item}\n"));
    let new = items.difference(&expected).map(|item| format!("+ {item}\n"));
    let changes: String = gone.chain(new).collect();
    assert!(
        changes.is_empty(),
        "the public API has changed:\n{changes}\
         If this is meant, run the test again with GENVISA_BLESS=1 and commit {snapshot}"
    );
}

/// Returns rustdoc's version and all items, each as `path: signature`.
fn read(name: &str, folder: &Path) -> (String, BTreeSet<String>) {
    // Not every file: rustdoc leaves the files of deleted items.
    let all = page(folder, "all.html");
    let version = between(&all, "data-rustdoc-version=\"", "\"").expect("a version").0;
    let mut items = BTreeSet::new();
    let mut modules = BTreeSet::from([String::new()]);
    for file in split(&all, "<li><a href=\"", "\"").filter(|file| !file.starts_with('#')) {
        let (module, name) = file.rsplit_once('/').unwrap_or(("", file));
        modules.insert(format!("{module}/").trim_start_matches('/').to_string());
        let mut parts = name.split('.');
        let kind = parts.next().unwrap_or_default();
        let path = format!("{module}/{}", parts.next().unwrap_or_default()).replace('/', "::");
        item(path.trim_start_matches("::"), kind, &page(folder, file), &mut items);
    }
    for module in modules {
        let path = module.trim_end_matches('/').replace('/', "::");
        let index = page(folder, &format!("{module}index.html"));
        for reexport in split(&index, "<dt id=\"reexport.", "</dt>") {
            let code = between(reexport, "<code>", "</code>").expect("code").0;
            let link = code.rfind("<a ").map_or(code, |at| &code[at..]);
            items.insert(format!(
                "{}: pub use {}",
                if path.is_empty() { name } else { &path },
                signature(link)
            ));
        }
        items.extend((!path.is_empty()).then(|| format!("{path}: pub mod")));
    }
    (format!("rustdoc {version}"), items)
}

fn page(folder: &Path, name: &str) -> String {
    let page = fs::read_to_string(folder.join(name));
    let page = page.unwrap_or_else(|error| panic!("{name}: {error}"));
    // Whether there are links to other packages depends on the order in which rustdoc runs.
    let others = ["genvisa", "genvisa_diff", "genvisa_inline", "genvisa_interp", "genvisa_lsp"];
    let others = others.iter().filter(|other| !folder.ends_with(other));
    others.fold(page, |page, other| page.replace(&format!(" {other}::"), " other "))
}

/// Adds the lines of an item's page.
fn item(path: &str, kind: &str, html: &str, items: &mut BTreeSet<String>) {
    let decl = between(html, "<pre class=\"rust item-decl\"><code>", "</code></pre>");
    let (decl, rest) = decl.unwrap_or_else(|| panic!("{path} has a declaration"));
    let has_members = ["struct", "enum", "trait", "union"].contains(&kind);
    for line in if has_members { members(decl) } else { vec![signature(decl)] } {
        items.insert(format!("{path}: {line}"));
    }
    let end = ["id=\"synthetic-implementations\"", "id=\"blanket-implementations\""];
    let end = end.iter().filter_map(|id| rest.find(id)).min().unwrap_or(rest.len());
    let mut own = rest[..end].to_string();
    while let Some((methods, after)) = own.split_once("<h2 id=\"deref-methods-") {
        let after = after.find("<h2 id=\"trait-implementations\"").map_or("", |at| &after[at..]);
        own = format!("{methods}{after}");
    }
    for section in split(&own, "<section id=\"", "</section>") {
        let Some((class, _)) = between(section, "class=\"", "\"") else { continue };
        let Some((header, _)) = between(section, "class=\"code-header\">", "</h") else { continue };
        match class {
            "impl" => items.extend(implementation(header)),
            "method" | "associatedconstant" | "associatedtype" if kind != "trait" => {
                items.insert(format!("{path}: {}", signature(header)));
            }
            _ => {}
        }
    }
}

/// Returns the line of a trait's implementation that is not a derived one.
fn implementation(header: &str) -> Option<String> {
    let line = signature(header);
    let (left, _) = line.split_once(" for ")?;
    let name = left.rsplit(' ').find(|word| word.starts_with(char::is_alphabetic))?;
    (!DERIVED.contains(&name.trim_end_matches("<'de>"))).then_some(line)
}

/// Splits a declaration into its attributes, its first line and its members.
fn members(decl: &str) -> Vec<String> {
    let mut members: Vec<String> = Vec::new();
    for line in text(decl).lines() {
        let inner = line.strip_prefix("    ");
        if line == "}" || line.trim_start().starts_with("//") {
            continue;
        }
        let is_new = match inner.unwrap_or(line).chars().next() {
            Some(first) => !first.is_whitespace() && !"{})".contains(first),
            None => continue,
        };
        match members.last_mut() {
            Some(last) if !is_new => *last = format!("{last} {}", line.trim()),
            _ => members.push(line.trim().to_string()),
        }
    }
    members.iter().map(|member| normalize(member)).collect()
}

/// Returns a signature on one line.
fn signature(html: &str) -> String {
    normalize(&text(html))
}

/// Joins lines and removes the spaces and symbols that rustdoc adds.
fn normalize(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    line.replace("( ", "(").replace(", )", ")").replace(" ⓘ", "").replace('ⓘ', "")
}

/// Removes tags and entities. Links to items of the crate become their paths.
fn text(html: &str) -> String {
    let mut text = String::new();
    let mut rest = html;
    while let Some((before, after)) = rest.split_once('<') {
        text += before;
        let (tag, after) = after.split_once('>').expect("a tag has an end");
        rest = after;
        if tag.starts_with("summary") {
            rest = after.split_once("</summary>").expect("a summary has an end").1;
        } else if tag == "/div" {
            text += "\n";
        } else if tag.starts_with("div") {
            text += " ";
        } else if let Some((_, path)) = between(tag, "title=\"", "\"")
            .and_then(|(title, _)| title.split_once(" genvisa"))
            .and_then(|(_, path)| path.split_once("::"))
        {
            text += path;
            rest = after.split_once("</a>").expect("a link has an end").1;
        }
    }
    text += rest;
    for (entity, character) in [
        ("&lt;", "<"),
        ("&gt;", ">"),
        ("&quot;", "\""),
        ("&#39;", "'"),
        ("&nbsp;", " "),
        ("&amp;", "&"),
    ] {
        text = text.replace(entity, character);
    }
    text
}

/// Returns the text after `start` up to `end`, and the rest.
fn between<'a>(text: &'a str, start: &str, end: &str) -> Option<(&'a str, &'a str)> {
    text.split_once(start)?.1.split_once(end)
}

/// Returns everything between a `start` and the next `end`.
fn split<'a>(text: &'a str, start: &'a str, end: &'a str) -> impl Iterator<Item = &'a str> {
    text.split(start).skip(1).filter_map(move |part| Some(part.split_once(end)?.0))
}
