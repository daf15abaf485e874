//! Printing of annotations: the differences between the tables of a routine and those that the text
//! implies.

use alloc::collections::BTreeSet;
use core::fmt::{self, Write};

use crate::isa::IdClass;
use crate::object::{
    AliasScope, Attribute, Body, Code, Input, Linkage, Module, Name, Reloc, Routine,
    SimpleVariable, Variable,
};
use crate::operand::{StringId, VarId};
use crate::text::context::Printer;
use crate::text::line::Line;
use crate::text::names::{Names, Spelling, StateName, is_default_name};
use crate::text::words::annotations::{item, line};

/// A printer of the items of an annotation. Without items, nothing is printed.
pub(in crate::text) struct AnnotationPrinter<'p, 'n> {
    pub(in crate::text) p: &'p mut Printer<'n>,
    is_open: bool,
}

impl<'p, 'n> AnnotationPrinter<'p, 'n> {
    pub(in crate::text) fn new(p: &'p mut Printer<'n>) -> Self {
        AnnotationPrinter { p, is_open: false }
    }

    /// Continues an annotation on a line of its own.
    pub(in crate::text) fn open(p: &'p mut Printer<'n>) -> Self {
        AnnotationPrinter { p, is_open: true }
    }

    /// Prints the key of an item, and returns the line.
    pub(in crate::text) fn key(&mut self, key: &str) -> &mut Line {
        if !self.is_open {
            self.p.line.push(" //@");
            self.is_open = true;
        }
        self.p.line.ch(' ');
        self.p.line.push(key);
        &mut self.p.line
    }

    fn number(&mut self, key: &str, number: impl Into<u64>) {
        self.key(key).push("=");
        self.p.line.dec(number);
    }

    /// Adds an index of the string pool, which then has to be printed.
    pub(in crate::text) fn index(&mut self, key: &str, index: StringId) {
        self.number(key, index.0);
        self.p.needs_string_pool = true;
    }

    pub(in crate::text) fn pair(
        &mut self,
        key: &str,
        first: impl Into<u64>,
        second: impl Into<u64>,
    ) {
        self.number(key, first);
        self.p.line.ch(':');
        self.p.line.dec(second);
    }

    /// Adds the name of a variable, unless the name that is printed implies it.
    fn name(
        &mut self,
        names: &Names<'_>,
        string: StringId,
        printed: Option<Spelling>,
        prefix: char,
    ) {
        let is_default = |name: Spelling| {
            let text = core::str::from_utf8(names.string_index.text(name.text));
            is_default_name(text.unwrap_or_default(), prefix)
        };
        let is_implied = if names.has_unnamed() && printed.is_some_and(is_default) {
            string == StringId(0) && names.is_unnamed(string)
        } else {
            names.is_first(string, printed)
        };
        if !is_implied {
            self.index(item::NAME, string);
        }
    }

    /// Adds the properties of a general variable that its declaration does not express.
    fn properties(&mut self, names: &Names<'_>, variable: &Variable, has_alias: bool) {
        if variable.align.name().is_none() {
            self.number(item::ALIGN, variable.align.bits());
        }
        let is_alias = variable.alias != VarId::NULL || variable.alias_offset != 0;
        if is_alias && !has_alias {
            self.key(item::ALIAS).push("=<");
            let is_local = variable.alias_scope == AliasScope::LOCAL;
            match names.variable(variable.alias).filter(|_| is_local) {
                Some(name) => self.p.name(name),
                None => self.p.id('#', variable.alias.0),
            }
            self.p.line.push(", ");
            self.p.line.dec(variable.alias_offset);
            self.p.line.ch('>');
        }
        if variable.alias_scope != AliasScope::LOCAL {
            self.number(item::SCOPE, variable.alias_scope.bits());
        }
    }

    /// Adds the names of attributes, unless each is the first of equal strings in the pool.
    pub(in crate::text) fn attributes(&mut self, names: &Names<'_>, attributes: &[Attribute]) {
        let is_first = |attribute: &Attribute| {
            matches!(names.string_index.get(attribute.name), Some((_, true)))
        };
        // If one differs, print all of them: two attributes may have the same name.
        if !attributes.iter().all(is_first) {
            attributes.iter().for_each(|attribute| self.index(item::ATTRIBUTE, attribute.name));
        }
    }
}

/// Prints the annotation of the line that begins a routine.
pub(in crate::text) fn routine(
    p: &mut Printer<'_>,
    routine: &Routine<'_, '_>,
    has_repeated_name: bool,
) {
    let Some(names) = p.names else { return };
    let (body, name) = (routine.body, routine.name.as_bytes());
    let mut annotation = AnnotationPrinter::new(p);
    if has_repeated_name {
        annotation.key(item::AGAIN);
    }
    if names.string_index.get(body.name) != Some((name, true)) {
        let is_same = names.string_index.bytes(body.name) == name;
        annotation.index(if is_same { item::NAME } else { item::BODY_NAME }, body.name);
    }
    if let Some((arguments, result)) = routine.stack_sizes.filter(|sizes| *sizes != (0, 0)) {
        annotation.pair(item::STACK, arguments, result);
    }
    if let Some(linkage) = routine.linkage.filter(|linkage| *linkage != Linkage::GLOBAL) {
        annotation.number(item::LINKAGE, linkage.bits());
    }
    if let Code::Stripped { size, entry } = body.code {
        annotation.pair(item::STRIPPED, size, entry);
    }
}

/// Prints the annotation of the declaration of a general variable.
pub(in crate::text) fn variable(p: &mut Printer<'_>, id: VarId, variable: &Variable) {
    let Some(names) = p.names else { return };
    let mut annotation = AnnotationPrinter::new(p);
    annotation.name(names, variable.name, names.variable(id), 'V');
    annotation.properties(names, variable, has_alias(variable, id));
    annotation.attributes(names, &variable.attributes);
}

/// Prints the annotation of the declaration of a general variable, without names.
pub(in crate::text) fn variable_properties(
    p: &mut Printer<'_>,
    variable: &Variable,
    has_alias: bool,
) {
    let Some(names) = p.names else { return };
    AnnotationPrinter::new(p).properties(names, variable, has_alias);
}

/// Returns whether the declaration can express an alias: the other variable must precede it.
pub(in crate::text) fn has_alias(variable: &Variable, id: VarId) -> bool {
    let alias = variable.alias;
    let is_earlier = alias >= VarId::FIRST_DECLARED && alias < id;
    variable.alias_scope == AliasScope::LOCAL
        && alias != VarId::NULL
        && (is_earlier || alias.predefined_name().is_some())
}

/// Prints the annotation of the declaration of an address variable or a predicate.
pub(in crate::text) fn address_or_predicate(
    p: &mut Printer<'_>,
    variable: &SimpleVariable,
    printed: Option<Spelling>,
    prefix: char,
) {
    let Some(names) = p.names else { return };
    let mut annotation = AnnotationPrinter::new(p);
    annotation.name(names, variable.name, printed, prefix);
    annotation.attributes(names, &variable.attributes);
}

/// Prints the annotation of the declaration of a sampler or surface.
pub(in crate::text) fn sampler_or_surface(
    p: &mut Printer<'_>,
    variable: &SimpleVariable,
    printed: Option<StateName>,
) {
    let Some(names) = p.names else { return };
    let mut annotation = AnnotationPrinter::new(p);
    let v_name = printed.map(|name| name.v_name).filter(|name| !name.text.is_empty());
    let is_implied = match v_name {
        Some(v_name) => names.is_first(variable.name, Some(v_name)),
        None => variable.name == StringId(0) && names.is_unnamed(variable.name),
    };
    if !is_implied {
        annotation.index(item::NAME, variable.name);
    }
    annotation.attributes(names, &variable.attributes);
}

/// Prints the annotation of an attribute of a routine.
pub(in crate::text) fn attribute(p: &mut Printer<'_>, attribute: &Attribute) {
    let Some(names) = p.names else { return };
    AnnotationPrinter::new(p).attributes(names, core::slice::from_ref(attribute));
}

/// Prints an input whose variable is not declared.
pub(in crate::text) fn input(p: &mut Printer<'_>, input: &Input) {
    p.line.push("//@ ");
    p.line.push(line::INPUT);
    p.line.push(" kind=");
    p.line.dec(input.kind.bits());
    p.line.push(" index=");
    p.line.dec(input.index);
    p.line.push(" offset=");
    p.line.signed(input.offset);
    p.line.push(" size=");
    p.line.dec(input.size);
}

/// Returns whether the variable, sampler or surface of an input is declared.
pub(in crate::text) fn is_declared(input: &Input, body: &Body<'_>) -> bool {
    input.id().is_some_and(|id| match id.class {
        IdClass::Variable => VarId(id.number).predefined_name().is_some() || body.declares(id),
        IdClass::Surface => id.is_predefined() || body.declares(id),
        _ => body.declares(id),
    })
}

/// Declares the functions that relocations of a function refer to, so that its text stands alone.
pub(in crate::text) fn called_functions(text: &mut Line, routine: &Routine<'_, '_>) {
    let indices = routine.function_relocs.iter().map(|reloc| usize::from(reloc.resolved_index));
    let indices: BTreeSet<usize> = indices.collect();
    let functions = indices.into_iter().filter_map(|index| routine.module().functions.get(index));
    let mut names: BTreeSet<&Name> = functions.map(|function| &function.name).collect();
    names.remove(routine.name);
    // The routine itself is function 0.
    for (index, name) in (1usize..).zip(names) {
        text.push("//@ ");
        text.push(line::EXTERN);
        text.ch(' ');
        text.quoted(name.as_bytes());
        text.ch(' ');
        text.push(item::AT);
        text.ch('=');
        text.dec(index as u64);
        text.ch('\n');
    }
}

/// Prints the references of a function or kernel to file-scope variables and to functions.
pub(in crate::text) fn relocs<W: Write>(
    text: &mut Line,
    module: &Module<'_>,
    [variables, functions]: [&[Reloc]; 2],
    out: &mut W,
) -> fmt::Result {
    const PER_LINE: usize = 12;
    for (to, relocs, is_named) in [("variable", variables, false), ("function", functions, true)] {
        for relocs in relocs.chunks(PER_LINE) {
            text.push("//@ ");
            text.push(line::RELOCS);
            text.ch(' ');
            text.push(to);
            for reloc in relocs {
                text.ch(' ');
                text.dec(reloc.symbolic_index);
                text.ch(':');
                text.dec(reloc.resolved_index);
                let function = module.functions.get(usize::from(reloc.resolved_index));
                // The name, because editing the text may change the index.
                if let Some(function) = function.filter(|_| is_named) {
                    text.ch('=');
                    text.quoted(function.name.as_bytes());
                }
            }
            text.ch('\n');
            text.flush_if_large(out)?;
        }
    }
    Ok(())
}
