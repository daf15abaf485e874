//! The order of declarations in a text, which determines the registers that a compiler assigns.

use std::collections::BTreeMap;

/// Sorts the declarations of a text that are not in scopes.
pub fn sort_declarations<K: Ord>(text: &str, key: impl Fn(&str) -> K) -> String {
    let mut lines: Vec<&str> = text.split('\n').collect();
    let mut depth = 0;
    let mut places = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        match line.trim() {
            "{" => depth += 1,
            "}" => depth -= 1,
            line if depth == 0 && line.starts_with(".decl ") => places.push(at),
            _ => {}
        }
    }
    let mut sorted: Vec<&str> = places.iter().map(|at| lines[*at]).collect();
    sorted.sort_by_key(|line| key(line));
    for (at, line) in places.into_iter().zip(sorted) {
        lines[at] = line;
    }
    lines.join("\n")
}

/// Returns a text with its declarations in the order of a printed text, which has no scopes and
/// declares one class of variables after the other.
pub fn in_printed_order(text: &str) -> String {
    sort_declarations(&without_scopes(text), |declaration| {
        ["v_type=G", "v_type=A", "v_type=P", "v_type=S", "v_type=T"]
            .iter()
            .position(|class| declaration.split_whitespace().any(|word| word == *class))
    })
}

/// Returns a text with the declarations of scopes after the others, with names of their own.
fn without_scopes(text: &str) -> String {
    // The new names of the variables of each open scope.
    let mut scopes: Vec<BTreeMap<String, String>> = Vec::new();
    let (mut lines, mut declarations): (Vec<String>, Vec<String>) = (Vec::new(), Vec::new());
    let mut last_declaration = 0;
    for line in text.split('\n') {
        let words: Vec<&str> = line.split_whitespace().collect();
        match (&words[..], scopes.last_mut()) {
            (["{"], _) => scopes.push(BTreeMap::new()),
            (["}"], _) => _ = scopes.pop(),
            ([".decl", name, ..], Some(scope)) => {
                scope.insert((*name).into(), format!("scope_{}_{name}", declarations.len()));
                declarations.push(renamed(line, &scopes));
            }
            (words, None) => {
                lines.push(line.into());
                if words.first() == Some(&".decl") {
                    last_declaration = lines.len();
                }
            }
            _ => lines.push(renamed(line, &scopes)),
        }
    }
    lines.splice(last_declaration..last_declaration, declarations);
    lines.join("\n")
}

/// Returns a line with the new names of variables of the innermost scopes.
fn renamed(line: &str, scopes: &[BTreeMap<String, String>]) -> String {
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let mut renamed = String::new();
    let mut rest = line;
    while !rest.is_empty() {
        let start = rest.find(is_word).unwrap_or(rest.len());
        let end = rest[start..].find(|c| !is_word(c)).map_or(rest.len(), |len| start + len);
        let word = &rest[start..end];
        let name = scopes.iter().rev().find_map(|scope| scope.get(word));
        renamed += &rest[..start];
        renamed += name.map_or(word, String::as_str);
        rest = &rest[end..];
    }
    renamed
}
