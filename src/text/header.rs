//! Printing of the lines before the first instruction: version, name, declarations, inputs and
//! attributes (docs/format.md, 6.1 and 6.2).

use core::fmt::{self, Write};

use super::charset::is_identifier;
use super::directives::{Directive, IMPLICIT, IMPLICIT_KINDS, UNDEFINED};
use super::line::Line;
use super::names::{Names, Spelling, StateName};
use super::print::Printer;
use super::quirk::Quirk;
use super::{Style, annotations};
use crate::object::{
    Align, Attribute, AttributeKind, Body, Input, InputClass, Module, Routine, RoutineKind,
    SimpleVariable, Variable,
};
use crate::operand::{AddrId, PredId, SurfaceId, VarId};

/// Prints the header. In the reference style, its last line has no line break.
pub(super) fn print<W: Write>(
    p: &mut Printer<'_>,
    module: &Module<'_>,
    routine: &Routine<'_, '_>,
    version: (u8, u8),
    target_before: Option<i32>,
    has_repeated_name: bool,
    out: &mut W,
) -> fmt::Result {
    let mut header = Header { p, out };
    header.version(version)?;
    header.routine(module, routine, has_repeated_name)?;
    let body = routine.body;
    for (variable, id) in body.variables.iter().zip(VarId::FIRST_DECLARED.0..) {
        header.variable(VarId(id), variable)?;
    }
    for (variable, id) in body.addresses.iter().zip(0..) {
        header.simple('A', variable, |p| p.addr(AddrId(id)), |_| {});
        header.end_annotated(|p, names| {
            annotations::address_or_predicate(p, variable, names.address(AddrId(id)), 'A');
        })?;
    }
    for (variable, id) in body.predicates.iter().zip(PredId::FIRST_DECLARED.0..=u16::MAX) {
        let id = PredId(id);
        header.simple('P', variable, |p| p.pred_name(id), |_| {});
        header.end_annotated(|p, names| {
            annotations::address_or_predicate(p, variable, names.predicate(id), 'P')
        })?;
    }
    for (variable, id) in body.samplers.iter().zip(0u16..) {
        let v_name = |p: &mut Printer<'_>| {
            print_v_name(p, p.names.and_then(|names| names.sampler(id)));
        };
        header.simple('S', variable, |p| p.sampler(id), v_name);
        header.end_annotated(|p, names| {
            annotations::sampler_or_surface(p, variable, names.sampler(id))
        })?;
    }
    for (variable, id) in body.surfaces.iter().zip(SurfaceId::FIRST_DECLARED.0.into()..) {
        let v_name = |p: &mut Printer<'_>| {
            print_v_name(p, p.names.and_then(|names| names.surface(id)));
        };
        header.simple('T', variable, |p| p.surface(id), v_name);
        header.end_annotated(|p, names| {
            annotations::sampler_or_surface(p, variable, names.surface(id))
        })?;
    }
    for input in routine.inputs {
        if header.p.style == Style::Reference || annotations::is_declared(input, body) {
            header.input(input)?;
        } else {
            annotations::input(header.p, input);
            header.end_line()?;
        }
    }
    header.attributes(routine, target_before)?;
    if p.has(Quirk::JoinedAttributeLine) {
        p.line.truncate(p.line.len() - 1);
    }
    Ok(())
}

/// Returns the name of an attribute, which is empty if the pool does not have it.
fn name_of<'n>(p: &Printer<'n>, attribute: &Attribute) -> &'n [u8] {
    p.names.map_or(b"", |names| names.string_index.bytes(attribute.name))
}

/// Returns the last `Target` of the routines before the one with this body.
pub(super) fn target_before(module: &Module<'_>, body: &Body<'_>) -> Option<i32> {
    let before = module.routines().take_while(|other| !core::ptr::eq(other.body, body));
    before.fold(None, |target, routine| target_after(target, routine.body))
}

/// Returns the last `Target` of the routines up to the one with this body. `before` is the last one
/// before it.
pub(super) fn target_after(before: Option<i32>, body: &Body<'_>) -> Option<i32> {
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

struct Header<'p, 'n, W> {
    p: &'p mut Printer<'n>,
    out: &'p mut W,
}

impl<W: Write> Header<'_, '_, W> {
    /// Ends the line. The line break stays in the buffer, because [`print`] removes the last one.
    fn end_line(&mut self) -> fmt::Result {
        self.p.line.flush_if_large(self.out)?;
        self.p.line.ch('\n');
        Ok(())
    }

    fn version(&mut self, (major, minor): (u8, u8)) -> fmt::Result {
        self.p.directive(Directive::Version);
        self.p.line.dec(major);
        self.p.id('.', minor);
        self.end_line()
    }

    /// Ends the line, after an annotation in the faithful style.
    fn end_annotated(
        &mut self,
        annotate: impl FnOnce(&mut Printer<'_>, &Names<'_>),
    ) -> fmt::Result {
        if let (Style::Faithful, Some(names)) = (self.p.style, self.p.names) {
            annotate(self.p, names);
        }
        self.end_line()
    }

    /// Prints the name of the routine, and the functions that a kernel declares.
    fn routine(
        &mut self,
        module: &Module<'_>,
        routine: &Routine<'_, '_>,
        has_repeated_name: bool,
    ) -> fmt::Result {
        let is_kernel = routine.kind == RoutineKind::Kernel;
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
        if self.p.style == Style::Faithful {
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
            Style::Reference => variable.alias != VarId::NULL,
            Style::Faithful => annotations::has_alias(variable, id),
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

    fn input(&mut self, input: &Input) -> fmt::Result {
        self.p.input(input);
        self.end_line()
    }

    fn attributes(&mut self, routine: &Routine<'_, '_>, target_before: Option<i32>) -> fmt::Result {
        let mut has_target = false;
        for attribute in &routine.body.attributes {
            let name = name_of(self.p, attribute);
            let is_file_name = AttributeKind::of(name) == Some(AttributeKind::String);
            if is_file_name && self.p.has(Quirk::AsmNameOmitted) {
                continue;
            }
            has_target |= name == b"Target";
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

impl Printer<'_> {
    /// Prints the declaration of a general variable, without annotations.
    pub(super) fn variable_declaration(&mut self, id: VarId, variable: &Variable, has_alias: bool) {
        self.directive(Directive::Decl);
        self.var(id);
        self.line.push(" v_type=G type=");
        self.type_name(variable.ty);
        self.line.push(" num_elts=");
        match self.is_v4_2() && i32::try_from(variable.num_elements).is_err() {
            true => self.line.hex(variable.num_elements),
            false => self.line.dec(variable.num_elements),
        }
        match variable.align.name() {
            _ if variable.align == Align::BYTE => {}
            Some(name) => {
                self.line.push(" align=");
                self.line.push(name);
            }
            None if self.has(Quirk::UnnamedAlignment) => self.line.push(" align="),
            None => {}
        }
        if has_alias {
            self.line.push(" alias=<");
            self.var(variable.alias);
            self.line.push(", ");
            self.line.dec(variable.alias_offset);
            self.line.ch('>');
        }
        self.declared_attributes(&variable.attributes);
    }

    /// Prints the declaration of a variable that is not a general variable, without annotations.
    pub(super) fn simple_declaration(
        &mut self,
        class: char,
        variable: &SimpleVariable,
        name: impl Fn(&mut Printer<'_>),
        v_name: impl Fn(&mut Printer<'_>),
    ) {
        self.directive(Directive::Decl);
        name(self);
        self.line.push(" v_type=");
        self.line.ch(class);
        self.line.push(" num_elts=");
        self.line.dec(variable.num_elements);
        v_name(self);
        self.declared_attributes(&variable.attributes);
    }

    /// Prints the attributes of a declaration.
    pub(super) fn declared_attributes(&mut self, attributes: &[Attribute]) {
        for (i, attribute) in attributes.iter().enumerate() {
            self.line.push(if i == 0 { " attrs={" } else { ", " });
            self.attribute(attribute);
        }
        if !attributes.is_empty() {
            self.line.ch('}');
        }
    }

    /// Prints the line of an input.
    pub(super) fn input(&mut self, input: &Input) {
        match input.kind.implicit() {
            0 => self.directive(Directive::Input),
            kind => {
                let shown = if kind == 4 && self.has(Quirk::PseudoInputTwice) { 16 } else { kind };
                self.line.ch('.');
                self.line.push(IMPLICIT);
                match IMPLICIT_KINDS.iter().find(|(_, other)| *other == shown) {
                    Some((name, _)) => self.line.push(name),
                    None => {
                        self.line.push(UNDEFINED);
                        self.line.dec(kind);
                    }
                }
                self.line.ch(' ');
            }
        }
        match input.kind.class() {
            InputClass::SAMPLER => self.reference('S', input.index),
            InputClass::SURFACE => self.reference('T', input.index),
            _ => self.var(VarId(input.index)),
        }
        self.line.push(" offset=");
        self.line.signed(input.offset);
        self.line.push(" size=");
        self.line.dec(input.size);
    }

    /// Prints `Name`, `Name=1` or `Name="text"`.
    pub(super) fn attribute(&mut self, attribute: &Attribute) {
        let name = name_of(self, attribute);
        match core::str::from_utf8(name) {
            Ok(text) if is_identifier(name) || self.has(Quirk::NamesCleaned) => {
                self.line.push(text);
            }
            _ => self.line.quoted(name),
        }
        match (AttributeKind::of(name), attribute.as_integer()) {
            (Some(AttributeKind::Bool), _) if self.has(Quirk::AttributeValueOmitted) => {}
            (Some(AttributeKind::Bool | AttributeKind::Integer), Some(value)) => {
                self.integer_attribute(name, value, attribute);
            }
            _ if attribute.value.is_empty() => {}
            _ => {
                self.line.ch('=');
                self.line.quoted(&attribute.value);
            }
        }
    }

    fn integer_attribute(&mut self, name: &[u8], value: i32, attribute: &Attribute) {
        let is_reference = self.has(Quirk::AttributeValueOmitted);
        if attribute.value.is_empty() && !is_reference {
            return;
        }
        self.line.ch('=');
        match value {
            // The bytes of an integer that is wider than necessary, as a string.
            _ if !is_reference && *attribute != Attribute::integer(attribute.name, value) => {
                self.line.quoted(&attribute.value);
            }
            0 if name == b"Target" => self.line.push("\"cm\""),
            1 if name == b"Target" => self.line.push("\"3d\""),
            // The compiler reads decimal numbers of up to 31 bits.
            i32::MIN if self.is_v4_2() => self.line.push("-0x80000000"),
            value => self.line.signed(value),
        }
    }
}
