//! The functions of a file in their order, and the relocations that refer to them.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::vec::Vec;

use super::parser::{Extern, FileParser, ReadRoutine};
use crate::object::{Linkage, Name, RoutineKind};
use crate::text::statements::{FunctionReloc, Relocs};

/// A function of the file.
pub(in crate::text) struct FunctionEntry {
    pub(in crate::text) name: Name,
    /// The index of its definition in the routines of the text, if the text defines it.
    pub(in crate::text) routine: Option<usize>,
    /// The linkage and the relocations of a function that the text does not define.
    pub(in crate::text) linkage: Linkage,
    pub(in crate::text) relocs: Relocs,
}

impl FunctionEntry {
    fn declared(name: &[u8], linkage: Linkage, relocs: Relocs) -> FunctionEntry {
        FunctionEntry { name: name.into(), routine: None, linkage, relocs }
    }
}

/// The names of the functions of a file.
struct FunctionNames {
    names: Vec<Name>,
    /// The index of the first function of each name.
    first: BTreeMap<Name, u16>,
    /// Whether there may be others, because of errors.
    is_incomplete: bool,
}

impl FunctionNames {
    /// Returns the index of the function that a relocation refers to.
    fn resolve(&self, reloc: &FunctionReloc) -> Result<u16, &'static str> {
        let index = reloc.reloc.resolved_index;
        let function = self.names.get(usize::from(index));
        match &reloc.name {
            Some(name) if function.is_some_and(|function| function.as_bytes() == &name[..]) => {
                Ok(index)
            }
            Some(name) => match self.first.get(&Name::from(&name[..])) {
                Some(index) => Ok(*index),
                None if self.is_incomplete => Ok(index),
                None => Err("there is no function of this name"),
            },
            // An index without a function must not refer to a function that is added later.
            None if function.is_some() => Err("a function has this index: add its name"),
            None => Ok(index),
        }
    }
}

impl FileParser<'_> {
    /// Sets the indices of the functions that relocations refer to. Omits routines with relocations
    /// to unknown functions.
    pub(super) fn resolve_relocs(&mut self, functions: &mut [FunctionEntry]) {
        let of_routines = self.routines.iter().flat_map(|routine| &routine.lowered);
        let of_routines = of_routines.map(|lowered| &lowered.relocs);
        let mut relocs = of_routines.chain(functions.iter().map(|function| &function.relocs));
        // Fast path: few files have relocations.
        if relocs.all(|relocs| relocs.functions.is_empty()) {
            return;
        }
        let names = FunctionNames {
            names: functions.iter().map(|function| function.name.clone()).collect(),
            first: functions.iter().map(|f| f.name.clone()).zip(0..=u16::MAX).rev().collect(),
            is_incomplete: self.routines.iter().any(|routine| routine.lowered.is_none()),
        };
        for index in 0..self.routines.len() {
            let Some(mut lowered) = self.routines[index].lowered.take() else { continue };
            self.resolve(&mut lowered.relocs, &names);
            if self.p.c.diagnostics.is_empty() {
                self.routines[index].lowered = Some(lowered);
            } else {
                self.routines[index].has_errors = true;
                self.add_errors();
            }
        }
        for function in functions {
            self.resolve(&mut function.relocs, &names);
        }
    }

    fn resolve(&mut self, relocs: &mut Relocs, names: &FunctionNames) {
        for reloc in &mut relocs.functions {
            match names.resolve(reloc) {
                Ok(index) => reloc.reloc.resolved_index = index,
                Err(message) => self.p.c.report(reloc.span.clone(), message),
            }
        }
    }

    /// Returns the functions in their order: those that the text defines precede those that are only
    /// declared, except where an annotation states the index.
    pub(super) fn order_functions(&mut self, externs: Vec<Extern>) -> Vec<FunctionEntry> {
        let defined = |(index, routine): (usize, &ReadRoutine)| {
            let name = routine.name.clone().filter(|_| routine.kind == Some(RoutineKind::Function));
            let linkage = Linkage::EXTERN;
            Some(FunctionEntry {
                name: name?,
                routine: Some(index),
                linkage,
                relocs: Relocs::default(),
            })
        };
        let defined: Vec<FunctionEntry> =
            self.routines.iter().enumerate().filter_map(defined).collect();
        let mut seen: BTreeSet<Vec<u8>> =
            defined.iter().map(|function| function.name.as_bytes().to_vec()).collect();
        let (mut given, others): (Vec<Extern>, Vec<Extern>) =
            externs.into_iter().partition(|function| function.at.is_some());
        seen.extend(given.iter().map(|function| function.name.clone()));
        let mut others: BTreeMap<Vec<u8>, Extern> =
            others.into_iter().map(|function| (function.name.clone(), function)).collect();
        let mut declared = Vec::new();
        for name in core::mem::take(&mut self.declared_functions) {
            if seen.insert(name.clone()) {
                let (linkage, relocs) = match others.remove(&name) {
                    Some(other) => (other.linkage, other.relocs),
                    None => (Linkage::EXTERN, Relocs::default()),
                };
                declared.push(FunctionEntry::declared(&name, linkage, relocs));
            }
        }
        for other in others.into_values() {
            let message =
                "`extern` is ignored: no kernel declares this function, or the text defines it";
            self.p.warn(&other.span, message.into());
        }
        given.sort_by_key(|function| function.at);
        let mut given = given.into_iter().peekable();
        let mut unplaced = defined.into_iter().chain(declared);
        let mut functions = Vec::new();
        let placed =
            |given: Extern| FunctionEntry::declared(&given.name, given.linkage, given.relocs);
        loop {
            let is_next = |given: &Extern| given.at.is_some_and(|at| at <= functions.len());
            let function = if let Some(given) = given.next_if(is_next) {
                placed(given)
            } else if let Some(next) = unplaced.next() {
                next
            } else if let Some(given) = given.next() {
                placed(given)
            } else {
                return functions;
            };
            functions.push(function);
        }
    }
}
