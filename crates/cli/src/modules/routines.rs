//! The routines of a module that a user selects.

use anyhow::bail;
use genvisa::Module;
use genvisa::object::Routine;

use super::omitted::Omitted;
use crate::words::printable;

/// Returns the routines of a module with their indices; with a name, only the routines of that name.
/// `omitted` are routines of the file that are not in the module.
pub fn routines<'m, 'a>(
    module: &'m Module<'a>,
    omitted: &[Omitted],
    file: &str,
    name: Option<&String>,
) -> anyhow::Result<Vec<(usize, Routine<'m, 'a>)>> {
    let is_selected = |routine: &Routine<'_, '_>| name.is_none_or(|name| *routine.name == **name);
    let all = || module.routines();
    let found: Vec<_> = all().enumerate().filter(|(_, routine)| is_selected(routine)).collect();
    match name {
        Some(name) if found.is_empty() => {
            if omitted.iter().any(|routine| routine.name == *name) {
                bail!("{file}: routine `{}` has errors", printable(name));
            }
            bail!(no_routine(file, name, all().map(|routine| routine.name.to_string())))
        }
        _ => Ok(found),
    }
}

/// Returns the error message for a routine that a file, or several, do not contain.
pub fn no_routine(files: &str, name: &str, routines: impl Iterator<Item = String>) -> String {
    const MAX_NAMES: usize = 30;
    let mut names: Vec<String> = routines.collect();
    if names.len() > MAX_NAMES {
        let others = names.len() - MAX_NAMES;
        names.truncate(MAX_NAMES);
        names.push(format!("and {others} more"));
    }
    let (name, names) = (printable(name), names.join(", "));
    format!("{files}: no routine `{name}`; the routines are: {names}")
}
