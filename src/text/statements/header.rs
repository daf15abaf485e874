//! Printing of the lines before the first instruction: version, name, declarations, inputs and
//! attributes (docs/format.md, 6.1 and 6.2).

use core::fmt::{self, Write};

use super::annotations;
use super::attributes::name_of;
use super::comments::Comments;
use super::source_map::{Place, Table};
use crate::object::{
    Attribute, AttributeKind, Body, Module, Routine, RoutineKind, SimpleVariable, Variable,
};
use crate::operand::{AddrId, PredId, SurfaceId, VarId};
use crate::text::context::Printer;
use crate::text::line::Line;
use crate::text::names::{Names, Spelling, StateName};
use crate::text::words::{Directive, Quirk, Style};

/// Prints the header. In the style of GenX_IR, its last line has no line break.
pub(in crate::text) fn print<W: Write>(
    p: &mut Printer<'_>,
    routine: &Routine<'_, '_>,
    version: Option<(u8, u8)>,
    target_before: Option<i32>,
    has_repeated_name: bool,
    comments: &mut Comments<'_>,
    out: &mut W,
) -> fmt::Result {
    let mut header = Header { p, comments, place: Place::Lead, start: 0, out };
    if let Some(version) = version {
        header.version(version)?;
    }
    header.routine(routine.module(), routine, has_repeated_name)?;
    let body = routine.body;
    for (index, variable) in body.variables.iter().enumerate() {
        header.begin(Table::Variable.entry(index));
        header.variable(VarId(VarId::FIRST_DECLARED.0 + index as u32), variable)?;
    }
    for (index, (variable, id)) in body.addresses.iter().zip(0..).enumerate() {
        header.begin(Table::Address.entry(index));
        header.simple('A', variable, |p| p.addr(AddrId(id)), |_| {});
        header.end_annotated(|p, names| {
            annotations::address_or_predicate(p, variable, names.address(AddrId(id)), 'A');
        })?;
    }
    let predicates = body.predicates.iter().zip(PredId::FIRST_DECLARED.0..=u16::MAX);
    for (index, (variable, id)) in predicates.enumerate() {
        let id = PredId(id);
        header.begin(Table::Predicate.entry(index));
        header.simple('P', variable, |p| p.pred_name(id), |_| {});
        header.end_annotated(|p, names| {
            annotations::address_or_predicate(p, variable, names.predicate(id), 'P')
        })?;
    }
    for (index, (variable, id)) in body.samplers.iter().zip(0u16..).enumerate() {
        let v_name = |p: &mut Printer<'_>| {
            print_v_name(p, p.names.and_then(|names| names.sampler(id)));
        };
        header.begin(Table::Sampler.entry(index));
        header.simple('S', variable, |p| p.sampler(id), v_name);
        header.end_annotated(|p, names| {
            annotations::sampler_or_surface(p, variable, names.sampler(id))
        })?;
    }
    let surfaces = body.surfaces.iter().zip(SurfaceId::FIRST_DECLARED.0.into()..);
    for (index, (variable, id)) in surfaces.enumerate() {
        let v_name = |p: &mut Printer<'_>| {
            print_v_name(p, p.names.and_then(|names| names.surface(id)));
        };
        header.begin(Table::Surface.entry(index));
        header.simple('T', variable, |p| p.surface(id), v_name);
        header.end_annotated(|p, names| {
            annotations::sampler_or_surface(p, variable, names.surface(id))
        })?;
    }
    for (index, input) in routine.inputs.iter().enumerate() {
        header.begin(Table::Input.entry(index));
        let is_declared = header.p.style == Style::GenXIr || annotations::is_declared(input, body);
        match is_declared {
            true => header.p.input(input),
            false => annotations::input(header.p, input),
        }
        header.end_statement(!is_declared)?;
    }
    header.attributes(routine, target_before)?;
    if p.has(Quirk::JoinedAttributeLine) {
        p.line.truncate(p.line.len() - 1);
    }
    Ok(())
}

/// Returns the last `Target` of the routines before the one with this body.
pub(in crate::text) fn target_before(module: &Module<'_>, body: &Body<'_>) -> Option<i32> {
    let before = module.routines().take_while(|other| !core::ptr::eq(other.body, body));
    before.fold(None, |target, routine| target_after(target, routine.body))
}

/// Returns the last `Target` of the routines up to the one with this body. `before` is the last one
/// before it.
pub(in crate::text) fn target_after(before: Option<i32>, body: &Body<'_>) -> Option<i32> {
    let is_target = |attribute: &&Attribute| {
        let name = body.strings.get(attribute.name.0 as usize);
        name.is_some_and(|name| *name == "Target")
    };
    match body.attributes.iter().rfind(is_target) {
        Some(attribute) => attribute.as_integer(),
        None => before,
    }
}

fn print_v_name(p: &mut Printer<'_>, name: Option<StateName>) {
    let (Some(names), Some(StateName { symbol, v_name })) = (p.names, name) else { return };
    let text = |name: Spelling| names.string_index.text(name.text);
    let is_implied = symbol.is_some_and(|symbol| text(symbol) == text(v_name));
    if !v_name.text.is_empty() && !is_implied {
        p.line.push(" v_name=");
        p.name(v_name);
    }
}

struct Header<'p, 'n, 'c, W> {
    p: &'p mut Printer<'n>,
    comments: &'p mut Comments<'c>,
    /// The current statement.
    place: Place,
    /// Its start in the buffer.
    start: usize,
    out: &'p mut W,
}

impl<W: Write> Header<'_, '_, '_, W> {
    /// Prints the comments before a statement.
    fn begin(&mut self, place: Place) {
        self.comments.print_before(place, &mut self.p.line, false);
        (self.place, self.start) = (place, self.p.line.len());
    }

    /// Prints the comments in the line of a statement, and ends the line.
    fn end_statement(&mut self, has_annotation: bool) -> fmt::Result {
        let in_line = self.comments.in_line(self.place);
        if has_annotation {
            in_line.insert(&mut self.p.line, self.start);
        } else {
            in_line.push_blocks(&mut self.p.line);
            in_line.push_line_end(&mut self.p.line);
        }
        self.end_line()
    }

    /// Ends the line. The line break stays in the buffer, because [`print`] removes the last one.
    fn end_line(&mut self) -> fmt::Result {
        self.p.line.flush_if_large(self.out)?;
        self.p.line.ch('\n');
        Ok(())
    }

    fn version(&mut self, (major, minor): (u8, u8)) -> fmt::Result {
        self.begin(Place::Version);
        self.p.directive(Directive::Version);
        self.p.line.dec(major);
        self.p.id('.', minor);
        self.end_statement(false)
    }

    /// Ends the line, after an annotation in the complete style.
    fn end_annotated(
        &mut self,
        annotate: impl FnOnce(&mut Printer<'_>, &Names<'_>),
    ) -> fmt::Result {
        let len = self.p.line.len();
        if let (Style::Complete, Some(names)) = (self.p.style, self.p.names) {
            annotate(self.p, names);
        }
        self.end_statement(self.p.line.len() > len)
    }

    /// Prints the name of the routine, and the functions that a kernel declares.
    fn routine(
        &mut self,
        module: &Module<'_>,
        routine: &Routine<'_, '_>,
        has_repeated_name: bool,
    ) -> fmt::Result {
        let is_kernel = routine.kind == RoutineKind::Kernel;
        self.begin(Place::Header);
        self.p.directive(if is_kernel { Directive::Kernel } else { Directive::GlobalFunction });
        let name = routine.name.as_bytes();
        if name.is_empty() && self.p.has(Quirk::EmptyStringIsFirst) {
            self.p.line.push("\"%null\"");
        } else if self.p.has(Quirk::DotInRoutineName) {
            self.p.line.ch('"');
            for (i, part) in name.split(|byte| *byte == b'.').enumerate() {
                if i > 0 {
                    self.p.line.ch(' ');
                }
                self.p.line.escaped(part);
            }
            self.p.line.ch('"');
        } else {
            self.p.line.quoted(name);
        }
        self.end_annotated(|p, _| annotations::routine(p, routine, has_repeated_name))?;
        for function in module.functions.iter().filter(|_| is_kernel) {
            self.p.directive(Directive::Funcdecl);
            self.p.line.quoted(function.name.as_bytes());
            self.end_line()?;
        }
        if self.p.style == Style::Complete {
            let relocs = [routine.variable_relocs, routine.function_relocs];
            annotations::relocs(&mut self.p.line, module, relocs, self.out)?;
        }
        self.end_line()?;
        if self.p.has(Quirk::PredefinedListing) {
            let functions = module.functions.iter().filter(|_| is_kernel);
            let mut bytes = functions.flat_map(|function| function.name.as_bytes());
            let is_hex = bytes.any(|byte| Line::is_escaped_in_hex(*byte));
            self.predefined(is_hex && self.p.has(Quirk::EscapeTurnsHexadecimal))?;
        }
        Ok(())
    }

    /// Prints the predefined variables in comments.
    fn predefined(&mut self, is_hex: bool) -> fmt::Result {
        self.p.line.push("/// VISA Predefined Variables");
        self.end_line()?;
        for id in 0..VarId::PREDEFINED_IN_2022 {
            self.p.line.push("// .decl V");
            if is_hex {
                self.p.line.hex_digits(id.into(), 1);
            } else {
                self.p.line.dec(id);
            }
            self.p.line.push(" v_type=G v_name=");
            self.p.line.push(VarId(id).predefined_name().unwrap_or_default());
            self.end_line()?;
        }
        for id in 0..SurfaceId::FIRST_DECLARED.0 {
            self.p.line.push("// .decl T");
            self.p.line.dec(id);
            self.p.line.push(" v_type=T v_name=");
            self.p.line.push(SurfaceId(id).predefined_name().unwrap_or_default());
            self.end_line()?;
        }
        self.end_line()
    }

    fn variable(&mut self, id: VarId, variable: &Variable) -> fmt::Result {
        let has_alias = match self.p.style {
            Style::GenXIr => variable.alias != VarId::NULL,
            Style::Complete => annotations::has_alias(variable, id),
        };
        self.p.variable_declaration(id, variable, has_alias);
        self.end_annotated(|p, _| annotations::variable(p, id, variable))
    }

    /// Prints the declaration of a variable that is not a general variable.
    fn simple(
        &mut self,
        class: char,
        variable: &SimpleVariable,
        name: impl Fn(&mut Printer<'_>),
        v_name: impl Fn(&mut Printer<'_>),
    ) {
        self.p.simple_declaration(class, variable, name, v_name);
    }

    fn attributes(&mut self, routine: &Routine<'_, '_>, target_before: Option<i32>) -> fmt::Result {
        let mut has_target = false;
        for (index, attribute) in routine.body.attributes.iter().enumerate() {
            let name = name_of(self.p, attribute);
            let is_file_name = AttributeKind::of(name) == Some(AttributeKind::String);
            if is_file_name && self.p.has(Quirk::AsmNameOmitted) {
                continue;
            }
            has_target |= name == b"Target";
            self.begin(Table::Attribute.entry(index));
            self.p.directive(Directive::KernelAttr);
            self.p.attribute(attribute);
            self.end_annotated(|p, _| annotations::attribute(p, attribute))?;
        }
        if !has_target && self.p.has(Quirk::TargetAdded) {
            let is_cm = target_before == Some(0);
            self.p.directive(Directive::KernelAttr);
            self.p.line.push("Target=");
            self.p.line.push(if is_cm { "\"cm\"" } else { "\"3d\"" });
            self.end_line()?;
        }
        Ok(())
    }
}
