//! The comparison of two modules.

use std::collections::{BTreeMap, VecDeque};
use std::fmt::{self, Write};

use genvisa::error::Result;
use genvisa::format::Format;
use genvisa::object::{FileScopeVar, Module, Name, Routine, RoutineKind};

use super::Differ;
use super::declarations::{self, DeclarationChange, Item, differences};
use super::routine::RoutineDiff;
use super::side::FileNames;

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
        writeln!(out, "--- {a}\n+++ {b}")?;
        declarations::write(out, &self.declarations, None)
    }
}

/// Two modules with their routines, which are matched but not compared yet.
///
/// [`Differ::modules`] compares all routines at once. This compares one pair at a time, for programs
/// that print a result and drop it, or that compare pairs in several threads.
pub struct ModulePair<'m, 'a, 'b> {
    differ: Differ,
    modules: (&'m Module<'a>, &'m Module<'b>),
    names: (FileNames, FileNames),
    a: Vec<Routine<'m, 'a>>,
    b: Vec<Routine<'m, 'b>>,
    /// The positions of counterparts.
    pairs: Vec<(Option<usize>, Option<usize>)>,
}

impl<'m, 'a, 'b> ModulePair<'m, 'a, 'b> {
    pub(super) fn new(differ: Differ, a: &'m Module<'a>, b: &'m Module<'b>) -> Self {
        let mut pair = ModulePair {
            differ,
            modules: (a, b),
            names: (FileNames::new(a), FileNames::new(b)),
            a: a.routines().collect(),
            b: b.routines().collect(),
            pairs: Vec::new(),
        };
        let have_one_kernel =
            !differ.matches_by_name && a.kernels.len() == 1 && b.kernels.len() == 1;
        pair.pairs = match_routines(&pair.a, &pair.b, have_one_kernel);
        pair
    }

    /// Returns the number of pairs, and of routines without a counterpart.
    pub fn len(&self) -> usize {
        self.pairs.len()
    }

    /// Returns whether both modules have no routines.
    pub fn is_empty(&self) -> bool {
        self.pairs.is_empty()
    }

    /// Returns the routines of a pair, or the one without a counterpart.
    pub fn routines(&self, index: usize) -> (Option<Routine<'m, 'a>>, Option<Routine<'m, 'b>>) {
        let (a, b) = self.pairs.get(index).copied().unwrap_or_default();
        (a.and_then(|a| self.a.get(a).copied()), b.and_then(|b| self.b.get(b).copied()))
    }

    /// Compares the routines of a pair. Pairs are in the order of [`ModuleDiff::routines`].
    ///
    /// Returns `None` after the last.
    pub fn compare(&self, index: usize) -> Option<RoutinePair> {
        let (a, b) = *self.pairs.get(index)?;
        let (of_a, of_b) = self.routines(index);
        let kind = of_a.map(|a| a.kind).or(of_b.map(|b| b.kind))?;
        let diff = of_a
            .zip(of_b)
            .map(|(a, b)| self.differ.routines_of_files((&a, &self.names.0), (&b, &self.names.1)));
        let a = a.zip(of_a.map(|a| a.name.clone()));
        let b = b.zip(of_b.map(|b| b.name.clone()));
        Some(RoutinePair { kind, a, b, diff })
    }

    /// Compares everything else: the result contains no routines.
    pub fn compare_declarations(&self) -> ModuleDiff {
        let (a, b) = self.modules;
        let mut declarations = differences(variables(a), variables(b));
        declarations.extend(differences(functions(a), functions(b)));
        ModuleDiff { format_a: a.format, format_b: b.format, declarations, routines: Vec::new() }
    }

    /// Compares everything.
    pub(super) fn compare_all(&self) -> ModuleDiff {
        let routines = (0..self.len()).filter_map(|index| self.compare(index)).collect();
        ModuleDiff { routines, ..self.compare_declarations() }
    }
}

/// Returns index pairs of counterparts in A's order, then the routines that are only in B.
fn match_routines(
    a: &[Routine<'_, '_>],
    b: &[Routine<'_, '_>],
    have_one_kernel: bool,
) -> Vec<(Option<usize>, Option<usize>)> {
    // The only kernels match whatever their names are.
    let key = |kind: RoutineKind, name| {
        let is_kernel = kind == RoutineKind::Kernel;
        (is_kernel, Some(name).filter(|_| !(have_one_kernel && is_kernel)))
    };
    let mut by_name: BTreeMap<(bool, Option<&Name>), VecDeque<usize>> = BTreeMap::new();
    for (index, routine) in b.iter().enumerate() {
        by_name.entry(key(routine.kind, routine.name)).or_default().push_back(index);
    }
    let mut is_matched = vec![false; b.len()];
    let mut pairs = Vec::with_capacity(a.len());
    for (index, routine) in a.iter().enumerate() {
        let others = by_name.get_mut(&key(routine.kind, routine.name));
        let other = others.and_then(VecDeque::pop_front);
        if let Some(other) = other {
            is_matched[other] = true;
        }
        pairs.push((Some(index), other));
    }
    pairs.extend((0..b.len()).filter(|other| !is_matched[*other]).map(|other| (None, Some(other))));
    pairs
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
    let item = |function: &'m genvisa::object::Function<'_>| {
        let (name, linkage) = (&function.name, function.linkage.bits());
        let line: String = format!("//@ extern {name:?} linkage={linkage}");
        Item { subject: name, value: linkage, line }
    };
    declared.map(item).collect()
}
