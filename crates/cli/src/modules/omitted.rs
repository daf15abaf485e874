//! Routines that are omitted because of errors.

use std::collections::{BTreeMap, VecDeque};
use std::fmt;
use std::path::Path;

use anyhow::bail;
use genvisa::object::RoutineKind;
use genvisa::text::OmittedRoutine;

use crate::words::{is_standard, printable, shown};

/// A routine that is omitted because it, or another routine of the same name, has errors, which have
/// been reported.
pub struct Omitted {
    pub kind: RoutineKind,
    /// The name, which is empty if it has an error too.
    pub name: String,
    /// Whether the routine itself has errors.
    pub has_errors: bool,
}

impl Omitted {
    /// Returns why the routine is omitted.
    pub fn reason(&self) -> &'static str {
        match self.has_errors {
            true => "it has errors",
            false => "another routine of this name has errors",
        }
    }
}

impl From<OmittedRoutine> for Omitted {
    fn from(routine: OmittedRoutine) -> Omitted {
        let OmittedRoutine { kind, name, has_errors, .. } = routine;
        Omitted {
            // A misspelled directive is most likely `.kernel`.
            kind: kind.unwrap_or(RoutineKind::Kernel),
            name: name.map(|name| name.to_string_lossy()).unwrap_or_default(),
            has_errors,
        }
    }
}

impl fmt::Display for Omitted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.kind, printable(&self.name))
    }
}

/// The omitted routines of a file that are not matched with routines of another file.
pub struct Unmatched<'o> {
    have_one_kernel: bool,
    routines: BTreeMap<(RoutineKind, Option<String>), VecDeque<&'o Omitted>>,
}

impl<'o> Unmatched<'o> {
    /// Returns all of these routines. If both files have one kernel only, these match whatever
    /// their names are.
    pub fn new(omitted: &'o [Omitted], have_one_kernel: bool) -> Unmatched<'o> {
        let mut unmatched = Unmatched { have_one_kernel, routines: BTreeMap::new() };
        for routine in omitted {
            let key = unmatched.key(routine.kind, &routine.name);
            unmatched.routines.entry(key).or_default().push_back(routine);
        }
        unmatched
    }

    fn key(&self, kind: RoutineKind, name: &str) -> (RoutineKind, Option<String>) {
        let is_named = !(self.have_one_kernel && kind == RoutineKind::Kernel);
        (kind, is_named.then(|| name.into()))
    }

    /// Removes the first routine that matches a kind and a name.
    pub fn take(&mut self, kind: RoutineKind, name: &str) -> Option<&'o Omitted> {
        self.routines.get_mut(&self.key(kind, name))?.pop_front()
    }

    /// Returns the other routines, except those whose names are unknown.
    pub fn rest(self) -> impl Iterator<Item = &'o Omitted> {
        self.routines.into_values().flatten().filter(|routine| !routine.name.is_empty())
    }
}

/// Returns the number of kernels among omitted routines.
pub fn kernels(omitted: &[Omitted]) -> usize {
    omitted.iter().filter(|routine| routine.kind == RoutineKind::Kernel).count()
}

/// Fails if routines are omitted and the output is a file, which is written whole or not at all.
pub fn check_output(
    input: &str,
    output: Option<&Path>,
    has_omitted_routines: bool,
) -> anyhow::Result<()> {
    match output {
        Some(path) if has_omitted_routines && !is_standard(path) => {
            bail!("{input}: `{}` was not written, because routines have errors", shown(path))
        }
        _ => Ok(()),
    }
}
