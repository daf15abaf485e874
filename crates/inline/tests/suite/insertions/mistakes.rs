//! Mistakes in a line of a template.

/// A mistake that can be made in some lines.
pub struct Mistake {
    pub name: &'static str,
    /// Returns the line with the mistake, if it can be made there.
    pub edit: fn(&str) -> Option<String>,
}

pub const MISTAKES: &[Mistake] = &[
    Mistake { name: "unknown mnemonic", edit: unknown_mnemonic },
    Mistake { name: "unknown modifier", edit: |line| insert_before(line, " (M", ".foo") },
    Mistake { name: "missing region", edit: missing_region },
    Mistake { name: "undeclared variable", edit: undeclared_variable },
    Mistake { name: "extra comma", edit: |line| replace_last(line, "<1> ", "<1>, ") },
    Mistake {
        name: "row beyond the operand",
        edit: |line| replace_last(line, "(0,0)<", "(200,0)<"),
    },
    Mistake { name: "column beyond it", edit: |line| replace_last(line, "(0,0)<", "(0,200)<") },
    Mistake { name: "missing destination", edit: missing_destination },
    Mistake { name: "undeclared predicate", edit: undeclared_predicate },
    Mistake { name: "execution size", edit: execution_size },
    Mistake { name: "missing execution size", edit: missing_execution_size },
    Mistake { name: "unknown mask", edit: |line| replace_last(line, "(M", "(W") },
    Mistake { name: "semicolon", edit: |line| is_code(line).then(|| format!("{line};")) },
    Mistake { name: "unknown type", edit: unknown_type },
    Mistake { name: "missing source", edit: missing_source },
    Mistake { name: "extra source", edit: extra_source },
    Mistake { name: "dollar", edit: |line| is_code(line).then(|| format!("{line} // $")) },
    Mistake { name: "operand that does not exist", edit: |line| replace_last(line, "%1", "%7") },
    Mistake { name: "unclosed parenthesis", edit: |line| replace_last(line, ")", "") },
    Mistake { name: "width of a region", edit: |line| replace_last(line, "<1;1,0>", "<1;3,0>") },
    Mistake { name: "kind of a variable", edit: |line| replace_last(line, "v_type=G", "v_type=K") },
    Mistake {
        name: "empty variable",
        edit: |line| replace_last(line, "num_elts=16", "num_elts=0"),
    },
    Mistake { name: "unknown attribute", edit: |line| replace_last(line, "num_elts", "numelts") },
];

/// Returns whether a line contains an instruction or a declaration.
fn is_code(line: &str) -> bool {
    !matches!(line, "{" | "}")
}

fn is_instruction(line: &str) -> bool {
    is_code(line) && !line.starts_with('.')
}

fn replace_last(line: &str, old: &str, new: &str) -> Option<String> {
    let at = line.rfind(old)?;
    Some(format!("{}{new}{}", &line[..at], &line[at + old.len()..]))
}

fn insert_before(line: &str, place: &str, new: &str) -> Option<String> {
    replace_last(line, place, &format!("{new}{place}"))
}

/// Returns the end of the word that begins at an offset.
fn word_end(line: &str, start: usize) -> usize {
    let is_end = |one: char| !one.is_ascii_alphanumeric() && one != '_';
    line[start..].find(is_end).map_or(line.len(), |len| start + len)
}

fn unknown_mnemonic(line: &str) -> Option<String> {
    let after_predicate = line.find("(P1) ").map_or(0, |at| at + "(P1) ".len());
    let start = after_predicate + usize::from(line[after_predicate..].starts_with('.'));
    let end = word_end(line, start);
    // Another name of a label is no mistake.
    let is_label = line.trim_end().ends_with(':');
    (is_code(line) && !is_label).then(|| format!("{}zz{}", &line[..end], &line[end..]))
}

/// Removes the last region.
fn missing_region(line: &str) -> Option<String> {
    let start = line.rfind("<1").filter(|_| is_instruction(line))?;
    let end = start + line[start..].find('>')?;
    Some(format!("{}{}", &line[..start], &line[end + 1..]))
}

/// Replaces the name before the last region.
fn undeclared_variable(line: &str) -> Option<String> {
    let end = line.rfind("(0,0)<")?;
    let is_other = |one: char| !one.is_ascii_alphanumeric() && one != '%';
    let start = line[..end].rfind(is_other)? + 1;
    Some(format!("{}UNDECLARED{}", &line[..start], &line[end..]))
}

/// Removes the operand after the execution size.
fn missing_destination(line: &str) -> Option<String> {
    let start = line.find("1) ").or_else(|| line.find("16) ")).filter(|_| line.contains("<1> "))?;
    let start = start + line[start..].find(' ')? + 1;
    let end = start + line[start..].find(' ')? + 1;
    Some(format!("{}{}", &line[..start], &line[end..]))
}

fn execution_size(line: &str) -> Option<String> {
    replace_last(line, ",16) ", ",15) ").or_else(|| replace_last(line, ",1) ", ",3) "))
}

fn undeclared_predicate(line: &str) -> Option<String> {
    line.starts_with(|one: char| one.is_ascii_lowercase()).then(|| format!("(P9) {line}"))
}

/// Removes the execution size of an instruction with a destination.
fn missing_execution_size(line: &str) -> Option<String> {
    let start = line.find("(M")?;
    let end = start + line[start..].find(") ")? + ") ".len();
    Some(format!("{}{}", &line[..start], &line[end..]))
}

/// Extends the type of a constant, of a message or of a declaration.
fn unknown_type(line: &str) -> Option<String> {
    let is_type = |at: &usize| line[*at..].starts_with(|one: char| one.is_ascii_lowercase());
    let after_colon = line.rfind(':').map(|at| at + 1).filter(is_type);
    let start = after_colon.or_else(|| Some(line.find(" type=")? + " type=".len()))?;
    let end = word_end(line, start);
    Some(format!("{}zz{}", &line[..end], &line[end..]))
}

/// Removes the last source.
fn missing_source(line: &str) -> Option<String> {
    let has_destination = line.contains("<1> ") || line.starts_with("dpas");
    Some(line.rsplit_once(' ').filter(|_| has_destination)?.0.to_owned())
}

fn extra_source(line: &str) -> Option<String> {
    line.contains("<1> ").then(|| format!("{line} 0x1:d"))
}
