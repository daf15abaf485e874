//! The source lines that declared the entries of a routine's tables.

use alloc::vec::Vec;
use core::panic::Location;

use super::error::{Error, ErrorKind, Errors};
use crate::error::PathSegment;
use crate::object::{Body, Input, Module};

type Caller = &'static Location<'static>;

/// The source line that declared each entry.
#[derive(Debug)]
pub(super) struct Callers {
    /// The line that made the builder.
    start: Caller,
    /// For each table, the lines of its entries.
    tables: [Vec<Caller>; 9],
}

/// Returns the tables by the names that they have in the paths of errors, with their lengths.
fn tables(body: &Body<'_>, inputs: &[Input]) -> [(&'static str, usize); 9] {
    [
        ("string", body.strings.len()),
        ("variable", body.variables.len()),
        ("address", body.addresses.len()),
        ("predicate", body.predicates.len()),
        ("label", body.labels.len()),
        ("sampler", body.samplers.len()),
        ("surface", body.surfaces.len()),
        ("input", inputs.len()),
        ("attribute", body.attributes.len()),
    ]
}

impl Callers {
    pub(super) fn new(start: Caller) -> Callers {
        Callers { start, tables: Default::default() }
    }

    /// Records the line that declared the entries which are new.
    pub(super) fn record(&mut self, body: &Body<'_>, inputs: &[Input], caller: Caller) {
        for (callers, (_, len)) in self.tables.iter_mut().zip(tables(body, inputs)) {
            callers.resize(len, caller);
        }
    }

    /// Returns the lines that declared the inputs.
    pub(super) fn of_inputs(&self) -> &[Caller] {
        let tables = tables(&Body::default(), &[]);
        let place = tables.iter().position(|(table, _)| *table == "input");
        place.map_or(&[], |place| &self.tables[place])
    }

    /// Checks that the format can express the declarations of a module with the routine.
    ///
    /// # Errors
    /// Returns the first error, with the line that declared what it refers to.
    pub(super) fn check_encoding(&self, module: &Module<'_>) -> Result<(), Errors> {
        if !module.format.version.has_binary_form() {
            return Ok(());
        }
        let Err(error) = module.to_bytes() else { return Ok(()) };
        let is_inside = |segment: &&PathSegment| !matches!(segment, PathSegment::Routine { .. });
        let path: Vec<PathSegment> = error.path().filter(is_inside).cloned().collect();
        let caller = self.of(&path);
        Err(Errors([Error { path, kind: ErrorKind::Encoding(error), caller }].into()))
    }

    /// Returns the line that declared what an error refers to: an entry, the last entry of a table with
    /// too many, or the routine.
    fn of(&self, path: &[PathSegment]) -> Caller {
        let found = path.iter().find_map(|segment| {
            let (name, index) = match segment {
                PathSegment::Entry { table, index } => (*table, Some(*index)),
                PathSegment::Field(field) => (field.strip_suffix("_count")?, None),
                _ => return None,
            };
            let place =
                tables(&Body::default(), &[]).iter().position(|(table, _)| *table == name)?;
            let callers = &self.tables[place];
            index.map_or(callers.last(), |index| callers.get(index))
        });
        found.copied().unwrap_or(self.start)
    }
}
