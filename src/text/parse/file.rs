//! `//@` lines that speak of the file rather than of a routine.

use alloc::collections::BTreeSet;
use alloc::format;
use alloc::vec::Vec;
use core::ops::Range;

use super::Parser;
use super::build::entry;
use super::cursor::Parsed;
use crate::object::{FileScopeVar, Function, Linkage, Name, Reloc, Section};

/// Whose references, and to what.
#[derive(Clone, Copy)]
pub(super) struct RelocsOf {
    is_kernel: bool,
    index: usize,
    to_variables: bool,
}

/// What was said of the file so far.
#[derive(Default)]
pub(super) struct FileFacts {
    pub(super) has_no_routines: bool,
    variables: Vec<FileScopeVar>,
    functions: Vec<FunctionFact>,
    relocs: Vec<(RelocsOf, Vec<Reloc>, Range<usize>)>,
    sections: Vec<(Section<'static>, Range<usize>)>,
}

struct FunctionFact {
    index: usize,
    linkage: Linkage,
    /// The name of one that stands in another file.
    name: Option<Name>,
    span: Range<usize>,
}

impl Parser<'_> {
    /// A `//@` line outside of routines, whose first word is known.
    pub(super) fn file_annotation(&mut self, key: &str, start: usize) -> Parsed<()> {
        match key {
            "no_routines" => {
                self.file.has_no_routines = true;
                Ok(())
            }
            "file_function" => self.given_function(start),
            "file_variable" => self.given_file_variable(start),
            "relocs" => self.given_relocs(start),
            _ => self.given_sections(),
        }
    }

    /// `file_function INDEX LINKAGE ["NAME"]`
    fn given_function(&mut self, start: usize) -> Parsed<()> {
        let index: u16 = self.given_number()?;
        let linkage = Linkage::from_low_bits(self.given_number()?);
        let name = match self.c.skip_spaces() {
            Some(b'"') => Some(Name::from(&self.c.string()?[..])),
            _ => None,
        };
        let (index, span) = (index.into(), start..self.c.at);
        self.file.functions.push(FunctionFact { index, linkage, name, span });
        Ok(())
    }

    /// `file_variable INDEX = BYTES`
    fn given_file_variable(&mut self, start: usize) -> Parsed<()> {
        let index: usize = self.given_number()?;
        let bytes = self.given_bytes()?;
        let span = start..self.c.at;
        if index != self.file.variables.len() {
            return Err(self.c.fail(span, "variables of the file are numbered one by one"));
        }
        match entry(&bytes, self.format) {
            Ok(variable) => {
                self.file.variables.push(variable);
                Ok(())
            }
            Err(error) => {
                let message = format!("these bytes are no variable of the file: {error}");
                Err(self.c.fail(span, &message))
            }
        }
    }

    /// `relocs kernel|function INDEX variable|function SYMBOLIC:RESOLVED ..`
    fn given_relocs(&mut self, start: usize) -> Parsed<()> {
        let is_kernel = self.one_of("kernel", "function")?;
        let index: u16 = self.given_number()?;
        let to_variables = self.one_of("variable", "function")?;
        let mut relocs = Vec::new();
        while !matches!(self.c.skip_spaces(), None | Some(b'\n')) {
            let symbolic_index = self.given_number()?;
            if !self.c.eat_here(":") {
                return Err(self.c.expected("`:` and an index in the file"));
            }
            relocs.push(Reloc { symbolic_index, resolved_index: self.given_number()? });
        }
        let of = RelocsOf { is_kernel, index: index.into(), to_variables };
        self.file.relocs.push((of, relocs, start..self.c.at));
        Ok(())
    }

    /// Whether the first of two words comes next; the second must, else.
    fn one_of(&mut self, first: &str, second: &str) -> Parsed<bool> {
        self.c.skip_spaces();
        if self.c.eat_word_here(first) {
            return Ok(true);
        }
        if self.c.eat_word_here(second) {
            return Ok(false);
        }
        Err(self.c.expected(&format!("`{first}` or `{second}`")))
    }

    /// `sections (kernel INDEX | function INDEX | binary KERNEL INDEX)* [padding = BYTES]`
    fn given_sections(&mut self) -> Parsed<()> {
        while !matches!(self.c.skip_spaces(), None | Some(b'\n')) {
            let start = self.c.at;
            let section = match self.c.word_here() {
                "kernel" => Section::Kernel(self.given_index()?),
                "function" => Section::Function(self.given_index()?),
                "binary" => {
                    Section::GenBinary { kernel: self.given_index()?, index: self.given_index()? }
                }
                "padding" => Section::Gap(self.given_bytes()?.into()),
                _ => {
                    self.c.at = start;
                    return Err(self.c.expected("`kernel`, `function`, `binary` or `padding`"));
                }
            };
            self.file.sections.push((section, start..self.c.at));
        }
        Ok(())
    }

    fn given_index(&mut self) -> Parsed<usize> {
        self.given_number::<u16>().map(usize::from)
    }

    /// Gives the file what was said of it, when all its routines are there.
    pub(super) fn end_file(&mut self) {
        let mut facts = core::mem::take(&mut self.file);
        self.module.file_scope_vars = core::mem::take(&mut facts.variables);
        self.order_functions(&mut facts.functions);
        for fact in &facts.functions {
            match self.module.functions.get_mut(fact.index) {
                Some(function) => function.linkage = fact.linkage,
                None => self.c.complain(fact.span.clone(), NO_SUCH_ROUTINE),
            }
        }
        for (of, relocs, span) in facts.relocs {
            let (kernels, functions) = (&mut self.module.kernels, &mut self.module.functions);
            let (kernel, function) = (kernels.get_mut(of.index), functions.get_mut(of.index));
            let table = match (of.is_kernel, of.to_variables) {
                (true, true) => kernel.map(|kernel| &mut kernel.variable_relocs),
                (true, false) => kernel.map(|kernel| &mut kernel.function_relocs),
                (false, true) => function.map(|function| &mut function.variable_relocs),
                (false, false) => function.map(|function| &mut function.function_relocs),
            };
            match table {
                Some(table) => table.extend(relocs),
                None => self.c.complain(span, NO_SUCH_ROUTINE),
            }
        }
        self.order_sections(facts.sections);
    }

    /// Functions that are declared and not defined stand in other files: behind those that are
    /// defined, unless their index is given.
    fn order_functions(&mut self, facts: &mut [FunctionFact]) {
        facts.sort_by_key(|fact| fact.index);
        let defined = core::mem::take(&mut self.module.functions);
        let given = facts.iter().filter_map(|fact| fact.name.as_ref());
        let mut known: BTreeSet<Vec<u8>> = (defined.iter().map(|function| &function.name))
            .chain(given)
            .map(|name| name.as_bytes().to_vec())
            .collect();
        let elsewhere = |name: Name| Function { name, ..Function::default() };
        let mut declared = Vec::new();
        for name in core::mem::take(&mut self.declared_functions) {
            if known.insert(name.clone()) {
                declared.push(elsewhere((&name[..]).into()));
            }
        }
        let mut others = defined.into_iter().chain(declared);
        let mut functions = Vec::new();
        let mut given = facts.iter().filter_map(|fact| Some((fact, fact.name.clone()?))).peekable();
        loop {
            if let Some((_, name)) = given.next_if(|(fact, _)| fact.index == functions.len()) {
                functions.push(elsewhere(name));
            } else if let Some(function) = others.next() {
                functions.push(function);
            } else {
                break;
            }
        }
        if let Some((fact, _)) = given.next() {
            let message = "functions before this one are missing, or it is given twice";
            self.c.complain(fact.span.clone(), message);
        }
        self.module.functions = functions;
    }

    fn order_sections(&mut self, given: Vec<(Section<'static>, Range<usize>)>) {
        let mut seen = BTreeSet::new();
        let mut sections = Vec::with_capacity(given.len());
        for (section, span) in given {
            let exists = match &section {
                Section::Kernel(kernel) | Section::GenBinary { kernel, .. } => {
                    *kernel < self.module.kernels.len()
                }
                Section::Function(index) => {
                    let function = self.module.functions.get(*index);
                    function.is_some_and(|function| function.definition.is_some())
                }
                Section::Gap(_) => true,
            };
            if !exists {
                self.c.complain(span, NO_SUCH_ROUTINE);
            } else if section.key().is_some_and(|key| !seen.insert(key)) {
                self.c.complain(span, "this section is given twice");
            } else {
                sections.push(section);
            }
        }
        self.module.set_sections(sections);
    }
}

const NO_SUCH_ROUTINE: &str = "there is no such routine in this text";
