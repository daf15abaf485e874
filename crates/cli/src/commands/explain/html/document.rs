//! The HTML file: the template, with the data as JSON.

use genvisa::Format;
use serde_json::{Value, json};

use super::{Group, Page};
use crate::page::{self, Data, Template, base64};

const TEMPLATE: Template = Template {
    command: "explain",
    html: include_str!("../page/page.html"),
    style: include_str!("../page/page.css"),
    scripts: &[
        include_str!("../page/model.js"),
        page::LIST,
        include_str!("../page/bytes.js"),
        include_str!("../page/tree.js"),
        include_str!("../page/page.js"),
    ],
    hashes: [
        "gXG1d4Db4/Eu/AZzttlMc0KGPltN2NNXO+eZF6F9N3s=",
        "e4f9FCj8n9qXdqbpgvoIjpEFU38ilTx5B5OHdHMUFOA=",
    ],
};

#[test]
fn the_hashes_are_those_of_the_style_and_the_script() {
    TEMPLATE.check_hashes();
}

/// Returns the page.
pub fn print(page: &Page<'_>) -> String {
    let mut data = Data::default();
    push_data(page, &mut data);
    TEMPLATE.print(&page.name, &data)
}

/// Adds the elements with the data.
fn push_data(page: &Page<'_>, data: &mut Data) {
    // Lists of numbers and strings can always be JSON.
    let value = |list: serde_json::Result<String>| list.unwrap_or_default();
    data.push("data", &file(page).to_string());
    data.push("strings", &value(serde_json::to_string(&strings(page))));
    data.push("facts", &value(serde_json::to_string(facts(page).as_flattened())));
    for (index, group) in page.groups.iter().enumerate() {
        if !group.fields.is_empty() || !group.code.is_empty() {
            let json = format!(
                r#"{{"fields":{},"code":{},"texts":{}}}"#,
                value(serde_json::to_string(&group.fields)),
                value(serde_json::to_string(&group.code)),
                value(serde_json::to_string(&group.texts)),
            );
            data.push(&format!("group-{index}"), &json);
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
