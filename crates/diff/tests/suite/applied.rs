//! A difference, applied to the text of A, gives the text of a routine that is equal to B.

use genvisa::Module;
use genvisa::text::{self, FileListing};
use genvisa_diff::{DeclarationChange, Differ, LineChange, RoutineDiff};

/// Returns the lines of a text with one kernel without blank ones and comments: the head, and the
/// instructions.
fn lines(module: &Module<'_>, instructions: usize) -> (Vec<String>, Vec<String>) {
    let listing = FileListing::new(module).with_numbers(false);
    let text = listing.to_text().expect("printable");
    let (mut lines, mut comments) = (Vec::<String>::new(), Vec::new());
    for line in text.lines().map(str::trim_end).filter(|line| !is_omitted(line)) {
        if line.starts_with("//") {
            // The last ones state options of the compiler.
            comments.push(line.to_string());
        } else if lines.last().and_then(|last| label_of(last)).is_none_or(|label| label != line) {
            // A subroutine is one instruction, and two lines.
            lines.push(line.into());
        }
    }
    let code = lines.split_off(lines.len() - instructions);
    for line in &mut lines {
        line.truncate(line.find(" //@").unwrap_or(line.len()));
    }
    lines.extend(comments);
    (lines, code)
}

/// Returns whether a line is blank, or states what the text need not contain.
fn is_omitted(line: &str) -> bool {
    line.is_empty() || line.starts_with("//@")
}

/// Returns the line with the label of a subroutine, which follows its first line in a text.
fn label_of(line: &str) -> Option<String> {
    let name = line.strip_prefix(".function \"")?.strip_suffix('"')?;
    Some(format!("{name}:"))
}

/// Returns a text with the labels of subroutines.
fn with_labels(lines: &[String]) -> String {
    let lines = lines.iter().flat_map(|line| std::iter::once(line.clone()).chain(label_of(line)));
    lines.collect::<Vec<_>>().join("\n")
}

/// Returns how many variables the one of a declaration is an alias of.
fn depth(declarations: &[String], line: &str) -> usize {
    let Some((_, alias)) = line.split_once(" alias=<") else { return 0 };
    let root = format!(".decl {} ", alias.split(',').next().unwrap_or_default());
    let root = declarations.iter().find(|line| line.starts_with(&root));
    1 + root.map_or(0, |root| depth(declarations, root))
}

/// Applies changes to the head of a text.
fn apply(head: &mut Vec<String>, changes: &[DeclarationChange]) {
    let is_in_text = |change: &&DeclarationChange| {
        !change.a.iter().chain(&change.b).any(|line| is_omitted(line))
    };
    for change in changes.iter().filter(is_in_text) {
        let at = change.a.as_ref().map(|line| {
            let at = head
                .iter()
                .position(|other| other == line || other.starts_with(&format!("{line} v_name=")));
            at.unwrap_or_else(|| panic!("`{line}` is not in\n{}", head.join("\n")))
        });
        match (at, &change.b) {
            (Some(at), Some(line)) => head[at].clone_from(line),
            (Some(at), None) => drop(head.remove(at)),
            (None, Some(line)) => head.push(line.clone()),
            (None, None) => {}
        }
    }
    // Aliases refer to declarations before them, and inputs and attributes to all.
    let all = head.clone();
    head.sort_by_key(|line| match line.split_whitespace().next() {
        Some(".version" | ".kernel" | ".global_function") => 0,
        Some(".decl") => 1 + depth(&all, line),
        _ => usize::MAX,
    });
}

/// Applies the difference of two modules with one kernel each to the text of A.
fn applied(a: &Module<'_>, b: &Module<'_>) -> Option<String> {
    let has_one = |module: &Module<'_>| {
        let is_alone = module.functions.is_empty() && module.file_scope_vars.is_empty();
        module.kernels.len() == 1 && is_alone
    };
    if !has_one(a) || !has_one(b) {
        return None;
    }
    let mut diff = Differ::new().modules(a, b);
    let routine: RoutineDiff = diff.routines.pop()?.diff?.expect("valid");
    // In text, an option of the compiler at the end states it.
    let mut changes =
        routine.declarations.iter().flat_map(|change| change.a.iter().chain(&change.b));
    if changes.any(|line| line == "// efficient 64-bit addressing") {
        return None;
    }
    let hunks = routine.hunks(usize::MAX);
    let all = || hunks.iter().flat_map(|hunk| &hunk.lines);
    let of = |without: LineChange| all().filter(move |line| line.change != without);
    let (mut head, code) = lines(a, a.kernels[0].body.code.instructions(a.format).count());
    if hunks.is_empty() {
        apply(&mut head, &routine.declarations);
        return Some(with_labels(&[head, code].concat()));
    }
    let of_a: Vec<&str> = of(LineChange::Added).map(|line| line.text.trim_end()).collect();
    let first = of_a.iter().zip(&code).position(|(line, other)| line != other);
    assert_eq!(first, None, "the lines of A: {of_a:#?}\n{code:#?}");
    apply(&mut head, &routine.declarations);
    head.extend(of(LineChange::Removed).map(|line| line.text.clone()));
    Some(with_labels(&head))
}

/// Checks a pair; returns whether a text can show it.
pub fn check(what: &str, a: &Module<'_>, b: &Module<'_>) -> bool {
    let Some(applied) = applied(a, b) else { return false };
    let result = text::parse(&applied, b.format)
        .unwrap_or_else(|error| panic!("{what}: {error}\n{applied}"))
        .into_owned();
    let diff = Differ::new().modules(&result, b);
    let shown = || match diff.routines[0].diff.as_ref() {
        Some(Ok(diff)) => diff.to_unified("applied", "b", 1),
        other => format!("{other:?}"),
    };
    assert!(diff.is_empty(), "{what}\n{}", shown());
    true
}
