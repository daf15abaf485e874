//! The HTML file: the template, with the data as JSON.

use std::fmt::Write;

use genvisa::Format;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::{Group, Page};

const TEMPLATE: &str = include_str!("../page/page.html");
const STYLE: &str = include_str!("../page/page.css");
/// The files of the script, in their order.
const SCRIPTS: [&str; 5] = [
    include_str!("../page/model.js"),
    include_str!("../page/list.js"),
    include_str!("../page/bytes.js"),
    include_str!("../page/tree.js"),
    include_str!("../page/page.js"),
];

/// Returns the page.
pub fn print(page: &Page<'_>) -> String {
    let script = format!("'use strict';\n(() => {{\n{}}})();\n", SCRIPTS.concat());
    let mut document = String::new();
    let mut parts = TEMPLATE.split("{{");
    document.push_str(parts.next().unwrap_or_default());
    // A single pass: the contents may contain the names of placeholders.
    for (placeholder, rest) in parts.filter_map(|part| part.split_once("}}")) {
        match placeholder {
            "title" => document.push_str(&escaped(&page.name)),
            "policy" => document.push_str(&policy(&script)),
            "style" => document.push_str(STYLE),
            "script" => document.push_str(&script),
            "data" => push_data(page, &mut document),
            _ => {}
        }
        document.push_str(rest);
    }
    document
}

/// Returns the Content-Security-Policy: nothing is loaded, and only the script and the style of the
/// template are applied.
fn policy(script: &str) -> String {
    let hash = |text: &str| format!("'sha256-{}'", base64(&Sha256::digest(text)));
    format!(
        "default-src 'none'; script-src {}; style-src {}; img-src data:; base-uri 'none'; \
         form-action 'none'",
        hash(script),
        hash(STYLE)
    )
}

/// Adds the elements with the data.
fn push_data(page: &Page<'_>, document: &mut String) {
    // Lists of numbers and strings can always be JSON.
    let value = |list: serde_json::Result<String>| list.unwrap_or_default();
    push_json(document, "data", &file(page).to_string());
    push_json(document, "strings", &value(serde_json::to_string(&strings(page))));
    push_json(document, "facts", &value(serde_json::to_string(facts(page).as_flattened())));
    for (index, group) in page.groups.iter().enumerate() {
        if !group.fields.is_empty() || !group.code.is_empty() {
            let json = format!(
                r#"{{"fields":{},"code":{},"texts":{}}}"#,
                value(serde_json::to_string(&group.fields)),
                value(serde_json::to_string(&group.code)),
                value(serde_json::to_string(&group.texts)),
            );
            push_json(document, &format!("group-{index}"), &json);
        }
    }
}

/// Returns the strings in the order of their indices.
fn strings<'p>(page: &'p Page<'_>) -> Vec<&'p str> {
    let mut strings = vec![""; page.strings.0.len()];
    for (text, index) in &page.strings.0 {
        strings[*index as usize] = text;
    }
    strings
}

/// Returns the facts in the order of their indices.
fn facts(page: &Page<'_>) -> Vec<[i64; 6]> {
    let mut facts = vec![[0; 6]; page.facts.len()];
    for (fact, index) in &page.facts {
        let len = fact.len.map_or(0, |len| i64::from(len) + 1);
        let [name, value, meaning, depth] =
            [fact.name, fact.value, fact.meaning, fact.depth].map(i64::from);
        facts[*index as usize] = [name, value, meaning, depth, len, fact.gap];
    }
    facts
}

/// Adds an element with JSON. The characters that HTML or JavaScript treat differently from JSON occur
/// only in its strings, and are escaped.
fn push_json(document: &mut String, id: &str, json: &str) {
    // Writing to a string never fails.
    let _ = write!(document, "<script type=\"application/json\" id=\"{id}\">");
    for c in json.chars() {
        match c {
            '<' | '>' | '&' | '\u{2028}' | '\u{2029}' => {
                let _ = write!(document, "\\u{:04x}", u32::from(c));
            }
            _ => document.push(c),
        }
    }
    document.push_str("</script>\n");
}

/// Returns the data about the file.
fn file(page: &Page<'_>) -> Value {
    let bytes = |(start, end): (usize, usize)| {
        json!([start, base64(page.file.get(start..end).unwrap_or_default())])
    };
    json!({
        "format": page.format.map(name_of),
        "size": page.file.len(),
        "errors": page.errors.iter().map(|error| crate::words::printable(error)).collect::<Vec<_>>(),
        "groups": page.groups.iter().map(group).collect::<Vec<_>>(),
        "bytes": page.ranges().into_iter().map(bytes).collect::<Vec<_>>(),
    })
}

fn group(group: &Group) -> Value {
    json!({
        "title": group.title,
        "kind": group.kind.name(),
        "offset": group.offset,
        "len": group.end - group.offset,
        "fields": group.fields.len(),
        "code": group.code.len(),
        "instructions": group.texts.len(),
    })
}

fn name_of(format: Format) -> String {
    format!("vISA {}, dialect {}", format.version, format.dialect)
}

/// Escapes a text for HTML.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let byte = |i: usize| u32::from(chunk.get(i).copied().unwrap_or_default());
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        for i in 0..4 {
            let digit = DIGITS[(bits >> (18 - 6 * i)) as usize & 63];
            text.push(if i <= chunk.len() { digit.into() } else { '=' });
        }
    }
    text
}
