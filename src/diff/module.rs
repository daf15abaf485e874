//! The comparison of two modules.

use alloc::collections::{BTreeMap, VecDeque};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::{self, Write};

use super::Differ;
use super::declarations::{self, DeclarationChange, Item, differences};
use super::routine::RoutineDiff;
use super::side::FileNames;
use crate::error::Result;
use crate::format::Format;
use crate::object::{FileScopeVar, Module, Name, Routine, RoutineKind};

/// The differences between two modules.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ModuleDiff {
    /// The format of A.
    pub format_a: Format,
    /// The format of B. A different version is not a difference of the modules.
    pub format_b: Format,
    /// The differences between variables and functions of the files.
    pub declarations: Vec<DeclarationChange>,
    /// The routines of A in their order, each with its counterpart, then those that only B has.
    pub routines: Vec<RoutinePair>,
}

/// Two routines that are compared, or a routine without a counterpart.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct RoutinePair {
    /// Whether it is a kernel or a function.
    pub kind: RoutineKind,
    /// The position among the [routines](Module::routines) of A, and the name there.
    pub a: Option<(usize, Name)>,
    /// The position among the [routines](Module::routines) of B, and the name there.
    pub b: Option<(usize, Name)>,
    /// The differences, or the error of an instruction that cannot be decoded; `None` without a
    /// counterpart.
    pub diff: Option<Result<RoutineDiff>>,
}

impl ModuleDiff {
    /// Returns whether all routines have been compared and are equal, and nothing else differs.
    pub fn is_empty(&self) -> bool {
        let is_equal = |pair: &RoutinePair| match &pair.diff {
            Some(Ok(diff)) => diff.is_empty(),
            _ => false,
        };
        self.declarations.is_empty() && self.routines.iter().all(is_equal)
    }

    /// Writes the differences between variables and functions of the files as a unified diff;
    /// nothing if there are none. `a` and `b` name the files in the first two lines.
    ///
    /// # Errors
    /// Returns the errors of `out`.
    pub fn write_declarations<W: Write>(&self, out: &mut W, a: &str, b: &str) -> fmt::Result {
        if self.declarations.is_empty() {
            return Ok(());
        }
        declarations::write(out, a, b, &self.declarations)
    }
}

pub(super) fn compare(differ: &Differ, a: &Module<'_>, b: &Module<'_>) -> ModuleDiff {
    let (names_of_a, names_of_b) = (FileNames::new(a), FileNames::new(b));
    let others: Vec<Routine<'_, '_>> = b.routines().collect();
    let have_one_kernel = !differ.matches_by_name && a.kernels.len() == 1 && b.kernels.len() == 1;
    let mut by_name: BTreeMap<(bool, Option<&Name>), VecDeque<usize>> = BTreeMap::new();
    let key = |routine: &Routine<'_, '_>| routine.kind == RoutineKind::Kernel;
    // The only kernels match whatever their names are.
    for (index, routine) in others.iter().enumerate() {
        let name = Some(routine.name).filter(|_| !(have_one_kernel && key(routine)));
        by_name.entry((key(routine), name)).or_default().push_back(index);
    }
    let mut is_matched = alloc::vec![false; others.len()];
    let mut routines = Vec::new();
    for (index, routine) in a.routines().enumerate() {
        let name = Some(routine.name).filter(|_| !(have_one_kernel && key(&routine)));
        let other = by_name.get_mut(&(key(&routine), name)).and_then(VecDeque::pop_front);
        let diff = other.map(|other| {
            is_matched[other] = true;
            differ.routines_of_files((&routine, &names_of_a), (&others[other], &names_of_b))
        });
        let b = other.map(|other| (other, others[other].name.clone()));
        let a = Some((index, routine.name.clone()));
        routines.push(RoutinePair { kind: routine.kind, a, b, diff });
    }
    for (index, routine) in others.iter().enumerate().filter(|(index, _)| !is_matched[*index]) {
        let b = Some((index, routine.name.clone()));
        routines.push(RoutinePair { kind: routine.kind, a: None, b, diff: None });
    }
    let mut declarations = differences(variables(a), variables(b));
    declarations.extend(differences(functions(a), functions(b)));
    ModuleDiff { format_a: a.format, format_b: b.format, declarations, routines }
}

fn variables<'m>(module: &'m Module<'_>) -> Vec<Item<&'m Name, &'m FileScopeVar>> {
    let item = |variable: &'m FileScopeVar| {
        let FileScopeVar { linkage, name, ty, align, num_elements, attributes } = variable;
        let mut line = format!(
            "//@ file_variable {name:?} type={ty} num_elts={num_elements} align={align} linkage={}",
            linkage.bits()
        );
        for attribute in attributes {
            // Files have no string pool that these could refer to.
            line +=
                &format!(" attribute={}:\"{}\"", attribute.name.0, attribute.value.escape_ascii());
        }
        Item { subject: name, value: variable, line }
    };
    module.file_scope_vars.iter().map(item).collect()
}

/// Returns the functions that are defined in other files.
fn functions<'m>(module: &'m Module<'_>) -> Vec<Item<&'m Name, u8>> {
    let declared = module.functions.iter().filter(|function| function.definition.is_none());
    let item = |function: &'m crate::object::Function<'_>| {
        let (name, linkage) = (&function.name, function.linkage.bits());
        let line: String = format!("//@ extern {name:?} linkage={linkage}");
        Item { subject: name, value: linkage, line }
    };
    declared.map(item).collect()
}
