//! The routines of a file, in the order of the text.

use alloc::boxed::Box;
use alloc::format;
use core::ops::Range;

use super::parser::{FileParser, ReadRoutine};
use crate::object::{Name, RoutineKind};
use crate::text::diagnostic::{Diagnostic, cut};
use crate::text::routines::LoweredRoutine;

impl FileParser<'_> {
    /// Ends the current routine at a position: lowers it, and collects its errors.
    pub(super) fn end_routine(&mut self, end: usize) {
        if let Some(routine) = &mut self.routine {
            self.p.place_function(routine);
        }
        let (kind, name, start, lowered) = match self.routine.take() {
            Some(mut routine) => {
                let name = routine.name.take().map(|name| Name::from(&name[..]));
                let (kind, start) = (routine.kind, routine.start);
                if let Some(name) = &name {
                    let header = routine.source_map.header();
                    self.check_routine_name(kind, name, routine.annotations.is_again, &header);
                }
                let lowered = self.p.lower_routine(routine, name.as_ref());
                (Some(kind), name, start, lowered)
            }
            None if self.p.c.diagnostics.is_empty() => return,
            None if self.routines.is_empty() => {
                self.open_version = None;
                return self.add_errors_outside();
            }
            None => (None, None, self.open_version.take().unwrap_or(end), None),
        };
        let has_errors = !self.p.c.diagnostics.is_empty() || self.is_version_wrong;
        self.add_errors();
        let warnings = core::mem::take(&mut self.p.warnings.0);
        let lowered = lowered.filter(|_| !has_errors);
        let lowered = lowered.map(|lowered| Box::new(LoweredRoutine { warnings, ..lowered }));
        self.routines.push(ReadRoutine { kind, name, span: start..end, has_errors, lowered });
    }

    /// Reports a routine that has the name of an earlier one, unless its annotation states that.
    fn check_routine_name(
        &mut self,
        kind: RoutineKind,
        name: &Name,
        is_again: bool,
        header: &Range<usize>,
    ) {
        let is_new = self.routine_names.insert((kind, name.clone()));
        match (is_new, is_again) {
            (false, false) => {
                let name = name.to_string_lossy();
                let message = format!("{kind} `{}` is already defined", cut(&name));
                self.duplicates.push(Diagnostic::warning(header.clone(), message));
            }
            (true, true) => {
                let message = format!("`again` is ignored: no earlier {kind} has this name");
                self.p.warn(header, message);
            }
            _ => {}
        }
    }
}
