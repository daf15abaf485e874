//! Two routines of different names.

use genvisa::object::Routine;
use genvisa_diff::Differ;

use super::{Pair, Printer, Sides};
use crate::modules::load::Loaded;
use crate::modules::routines::no_routine;

impl Printer<'_> {
    /// Compares the routine of one name in A with the routine of another name in B.
    pub fn named(
        &mut self,
        sides: &Sides<'_>,
        differ: Differ,
        (a, b): (&str, &str),
    ) -> anyhow::Result<()> {
        self.has_routine = true;
        let routines =
            (self.find(sides.names.0, sides.a, a)?, self.find(sides.names.1, sides.b, b)?);
        let (Some(a), Some(b)) = routines else { return Ok(()) };
        let pair = Pair { a: Some(a), b: Some(b), omitted: None };
        self.pair(sides, &pair, || Some(differ.routines(&a, &b)))
    }

    /// Returns a routine, or reports that there is none.
    fn find<'s>(
        &mut self,
        file: &str,
        loaded: &'s Loaded<'_>,
        name: &str,
    ) -> anyhow::Result<Option<Routine<'s, 's>>> {
        let routine = loaded.module.routines().find(|routine| *routine.name == *name);
        if routine.is_none() {
            let names = loaded.module.routines().map(|routine| routine.name.to_string());
            self.trouble(no_routine(file, name, names))?;
        }
        Ok(routine)
    }
}
