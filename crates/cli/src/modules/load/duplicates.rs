//! Routines of a text that have the name of an earlier one.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use genvisa::object::RoutineKind;

use crate::modules::omitted::Omitted;

/// Names of routines that occur several times, with the number of the first duplicate.
pub type Duplicates = BTreeMap<(RoutineKind, String), usize>;

/// Returns the text with the annotation `again` for each routine that has the name of an earlier one,
/// and these names. `lines` are the first lines of the routines, without line ends.
///
/// Two routines of the same name are an error in a text, whose author must choose one. The text of a
/// `.isa` file that contains two has the annotation.
pub fn annotate(text: &[u8], lines: &[Range<usize>]) -> Option<(Vec<u8>, Duplicates)> {
    let mut annotated = Vec::with_capacity(text.len());
    let (mut seen, mut found) = (BTreeSet::new(), Duplicates::new());
    let mut copied = 0;
    for (index, line) in lines.iter().enumerate() {
        let routine = Omitted::from_text(&text[line.clone()]);
        let key = (routine.kind, routine.name);
        if key.1.is_empty() || seen.insert(key.clone()) {
            continue;
        }
        if let Some(with_annotation) = annotated_line(&text[line.clone()], &key.1) {
            annotated.extend(&text[copied..line.start]);
            annotated.extend(with_annotation);
            copied = line.end;
            found.entry(key).or_insert(index);
        }
    }
    annotated.extend(&text[copied..]);
    (!found.is_empty()).then_some((annotated, found))
}

/// Returns the first line of a routine of this name with the annotation, unless it has it.
fn annotated_line(line: &[u8], name: &str) -> Option<Vec<u8>> {
    let comment = |marker: &[u8]| line.windows(marker.len()).position(|part| part == marker);
    let ends = [comment(b"//@"), comment(b"//"), Some(line.len())];
    if let Some(start) = ends[0] {
        let words = line[start..].split(|byte| byte.is_ascii_whitespace());
        if words.into_iter().any(|word| word == b"again") {
            return None;
        }
    }
    let candidates = ends.into_iter().flatten().map(|end| {
        let (before, comment) = line.split_at(end);
        // Other annotations are kept, other comments are not.
        let others = comment.strip_prefix(b"//@").unwrap_or_default();
        [before, b" //@ again ", others].concat()
    });
    // A name may contain `//`.
    candidates.into_iter().find(|line| Omitted::from_text(line).name == name)
}
