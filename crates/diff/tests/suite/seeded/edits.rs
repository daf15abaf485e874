//! Edits of kernels as a whole.

use std::ops::Range;

use genvisa_test_support::rng::Rng;

/// A changed text.
pub struct Edit {
    /// What was changed.
    pub what: String,
    pub text: String,
}

/// A kind of line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Declaration,
    Input,
    Attribute,
    Function,
    Label,
    Scope,
    Instruction,
    /// An empty line, a comment or a version.
    Other,
}

fn kind(line: &str) -> Kind {
    let line = line.trim();
    match line.split_whitespace().next().unwrap_or("//") {
        ".decl" => Kind::Declaration,
        ".input" => Kind::Input,
        ".kernel_attr" => Kind::Attribute,
        ".function" => Kind::Function,
        "{" | "}" => Kind::Scope,
        word if word.starts_with("//") || word.starts_with('.') => Kind::Other,
        word if word.ends_with(':') && word == line => Kind::Label,
        _ => Kind::Instruction,
    }
}

/// The kinds of lines, the frequent ones of small texts more often.
const KINDS: [Kind; 10] = [
    Kind::Declaration,
    Kind::Declaration,
    Kind::Input,
    Kind::Attribute,
    Kind::Function,
    Kind::Label,
    Kind::Scope,
    Kind::Instruction,
    Kind::Instruction,
    Kind::Instruction,
];

/// Changes a text in one to three places. Returns `None` if an edit does not apply.
pub fn edit(text: &str, rng: &mut Rng) -> Option<Edit> {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let count = rng.pick(&[1, 1, 1, 2, 3]);
    let what: Option<Vec<String>> = (0..count).map(|_| edit_once(&mut lines, rng)).collect();
    Some(Edit { what: what?.join(", then "), text: lines.join("\n") + "\n" })
}

fn edit_once(lines: &mut Vec<String>, rng: &mut Rng) -> Option<String> {
    match rng.below(12) {
        0 => return edit_function(lines, rng),
        1 => return add_scope(lines, rng),
        2 => return add_label(lines, rng),
        3 => return edit_number(lines, rng),
        _ => {}
    }
    let chosen = rng.pick(&KINDS);
    let of_kind: Vec<usize> = (0..lines.len()).filter(|at| kind(&lines[*at]) == chosen).collect();
    let at = *of_kind.get(rng.below(of_kind.len().max(1)))?;
    let line = lines[at].trim().to_owned();
    match rng.below(6) {
        0 => {
            lines.remove(at);
            Some(format!("`{line}` deleted"))
        }
        1 => {
            lines.insert(at, lines[at].clone());
            Some(format!("`{line}` doubled"))
        }
        2 => {
            let to = anywhere(lines, rng);
            lines.insert(to, lines[at].clone());
            Some(format!("`{line}` copied to line {}", to + 1))
        }
        3 => {
            let to = anywhere(lines, rng);
            let moved = lines.remove(at);
            let to = to.min(lines.len());
            lines.insert(to, moved);
            Some(format!("`{line}` moved to line {}", to + 1))
        }
        4 => {
            let by = 1 + rng.below(3);
            let to = (at + by).min(lines.len() - 1);
            let moved = lines.remove(at);
            lines.insert(to, moved);
            Some(format!("`{line}` moved down to line {}", to + 1))
        }
        _ => {
            let other = rng.pick(&of_kind);
            lines.swap(at, other);
            Some(format!("`{line}` and `{}` swapped", lines[at].trim()))
        }
    }
}

/// Returns a line after the name of the kernel.
fn anywhere(lines: &[String], rng: &mut Rng) -> usize {
    let kernel = lines.iter().position(|line| line.starts_with(".kernel ")).unwrap_or(0);
    kernel + 1 + rng.below(lines.len() - kernel)
}

/// Moves, doubles or deletes a function with its code.
fn edit_function(lines: &mut Vec<String>, rng: &mut Rng) -> Option<String> {
    let starts: Vec<usize> =
        (0..lines.len()).filter(|at| kind(&lines[*at]) == Kind::Function).collect();
    let index = rng.below(starts.len().max(1));
    let start = *starts.get(index)?;
    let end = starts.get(index + 1).copied().unwrap_or(lines.len());
    let name = lines[start].trim().to_owned();
    let function: Vec<String> = lines[start..end].to_vec();
    if rng.one_in(5) {
        lines.extend(function);
        return Some(format!("`{name}` doubled with its code"));
    }
    lines.drain(start..end);
    if rng.one_in(4) {
        return Some(format!("`{name}` deleted with its code"));
    }
    let others = (0..lines.len()).filter(|at| kind(&lines[*at]) == Kind::Function);
    let places: Vec<usize> = others.chain([lines.len()]).collect();
    let to = if rng.one_in(4) { anywhere(lines, rng) } else { rng.pick(&places) };
    lines.splice(to..to, function);
    Some(format!("`{name}` moved with its code to line {}", to + 1))
}

/// Returns a few consecutive instructions.
fn some_instructions(lines: &[String], rng: &mut Rng) -> Option<Range<usize>> {
    let is_code = |at: &usize| kind(&lines[*at]) == Kind::Instruction;
    let code: Vec<usize> = (0..lines.len()).filter(is_code).collect();
    let start = *code.get(rng.below(code.len().max(1)))?;
    Some(start..(start + 1 + rng.below(6)).min(lines.len()))
}

/// Adds a scope, with a declaration that hides another one in half of the cases.
fn add_scope(lines: &mut Vec<String>, rng: &mut Rng) -> Option<String> {
    let Range { start, end } = some_instructions(lines, rng)?;
    let declarations: Vec<String> =
        lines.iter().filter(|line| kind(line) == Kind::Declaration).cloned().collect();
    lines.insert(end, "}".into());
    lines.insert(start, "{".into());
    let mut what = format!("a scope of lines {} to {end}", start + 1);
    if !declarations.is_empty() && rng.one_in(2) {
        let declaration = declarations[rng.below(declarations.len())].clone();
        what += &format!(" with `{}`", declaration.trim());
        lines.insert(start + 1, declaration);
    }
    Some(what)
}

/// Adds a label, whose name may exist, and a jump to it in half of the cases.
fn add_label(lines: &mut Vec<String>, rng: &mut Rng) -> Option<String> {
    let at = some_instructions(lines, rng)?.start;
    let labels: Vec<String> = (lines.iter())
        .filter(|line| kind(line) == Kind::Label)
        .map(|line| line.trim().trim_end_matches(':').to_owned())
        .collect();
    let name = match labels.is_empty() || !rng.one_in(4) {
        true => rng.pick(&["L1", "L0", "label", "V40", "f", "new_label"]).to_owned(),
        false => labels[rng.below(labels.len())].clone(),
    };
    lines.insert(at, format!("{name}:"));
    let mut what = format!("label `{name}` added in line {}", at + 1);
    if rng.one_in(2) {
        let jump = some_instructions(lines, rng)?.start;
        lines.insert(jump, format!("    jmp (M1, 1) {name}"));
        what += &format!(" with a jump in line {}", jump + 1);
    }
    Some(what)
}

/// Replaces a number of a declaration or an input.
fn edit_number(lines: &mut [String], rng: &mut Rng) -> Option<String> {
    let is_statement =
        |at: &usize| matches!(kind(&lines[*at]), Kind::Declaration | Kind::Input | Kind::Attribute);
    let statements: Vec<usize> = (0..lines.len()).filter(is_statement).collect();
    let at = *statements.get(rng.below(statements.len().max(1)))?;
    let line = lines[at].clone();
    let is_start = |index: &usize| {
        line[*index..].starts_with(|c: char| c.is_ascii_digit())
            && line[..*index].ends_with(['=', ' '])
    };
    let starts: Vec<usize> = (0..line.len()).filter(is_start).collect();
    let start = *starts.get(rng.below(starts.len().max(1)))?;
    let end = line[start..].find(|c: char| !c.is_ascii_digit()).map_or(line.len(), |at| start + at);
    let number = rng.pick(&["0", "1", "2", "4", "8", "16", "32", "64", "96", "128", "4096"]);
    lines[at] = format!("{}{number}{}", &line[..start], &line[end..]);
    Some(format!("`{}` -> `{}`", line.trim(), lines[at].trim()))
}
