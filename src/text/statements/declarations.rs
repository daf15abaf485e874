//! Declarations of variables, samplers and surfaces, which `.decl` introduces.

use alloc::boxed::Box;
use alloc::format;
use alloc::string::ToString;
use core::ops::Range;

use super::annotations::Subject;
use super::routine::{Declared, ParsedRoutine};
use crate::object::{Align, SimpleVariable, Variable};
use crate::operand::{AddrId, PredId, SamplerId, SurfaceId, VarId};
use crate::text::context::{Parser, Printer};
use crate::text::cursor::Parsed;
use crate::text::diagnostic::cut;
use crate::text::names::Symbol;
use crate::text::recorder::{CompletionKind, TokenKind};
use crate::text::words::{Directive, Key, Quirk, code_map, is_identifier};

impl Printer<'_> {
    /// Prints the declaration of a general variable, without annotations.
    pub(in crate::text) fn variable_declaration(
        &mut self,
        id: VarId,
        variable: &Variable,
        has_alias: bool,
    ) {
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
        if has_alias || variable.is_null {
            self.line.push(" alias=<");
            self.var(if variable.is_null { VarId::NULL } else { variable.alias });
            self.line.push(", ");
            self.line.dec(variable.alias_offset);
            self.line.ch('>');
        }
        self.declared_attributes(&variable.attributes);
    }

    /// Prints the declaration of a variable that is not a general variable, without annotations.
    pub(in crate::text) fn simple_declaration(
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
}

impl<'t> Parser<'t> {
    pub(in crate::text) fn declaration(
        &mut self,
        routine: &mut ParsedRoutine<'t>,
    ) -> Parsed<Subject> {
        let Some((name, span)) = self.c.name() else {
            return Err(self.c.expected("a name"));
        };
        if self.is_strict() {
            self.check_name(name, &span);
        }
        let symbol = match self.declared(routine, name) {
            Ok(symbol) => symbol,
            Err(failed) => {
                self.symbols.declare_unknown(name);
                return Err(failed);
            }
        };
        let Some(symbol) = symbol else {
            return Err(self.c.fail(span, "too many variables of this class"));
        };
        self.record_symbol(&span, symbol, TokenKind::Definition);
        // The bindless sampler is predefined, and may still be declared.
        let bindless = symbol == Symbol::Sampler(SamplerId::BINDLESS.0.into());
        if !self.symbols.declare(name, symbol) && !bindless {
            let message = format!("`{}` is already declared", cut(name));
            return Err(self.c.fail(span, &message));
        }
        Ok(match symbol {
            Symbol::Variable(..) => Subject::Variable,
            Symbol::Address(_) => Subject::Address,
            Symbol::Predicate(_) => Subject::Predicate,
            Symbol::Sampler(_) => Subject::Sampler,
            _ => Subject::Surface,
        })
    }

    /// Reports a name that variables cannot have in version 4.2.
    fn check_name(&mut self, name: &str, span: &Range<usize>) {
        let message = match name.strip_prefix('%') {
            Some(_) => format!("`{}` is the name of a predefined variable", cut(name)),
            None if self.reserved.is_rejected_in_igc(name.as_bytes()) => {
                format!("`{name}` is a reserved word")
            }
            None if !is_identifier(name.as_bytes()) => {
                format!("`{}` is not a name: names have letters, digits and `_`", cut(name))
            }
            None => return,
        };
        self.c.report(span.clone(), &message);
    }

    /// Parses the rest of a declaration after its name. Returns `None` if there are too many.
    fn declared(
        &mut self,
        routine: &mut ParsedRoutine<'t>,
        name: &'t str,
    ) -> Parsed<Option<Symbol>> {
        self.expect_key(&Key::V_TYPE)?;
        self.c.skip_blanks();
        let start = self.c.at;
        match self.c.word_here() {
            "G" => self.variable(routine, name),
            class @ ("A" | "P" | "S" | "T") => self.simple(routine, name, class),
            _ => {
                self.c.at = start;
                self.c.complete_words(CompletionKind::Word, ["G", "A", "P", "S", "T"]);
                Err(self.c.expected("the class `G`, `A`, `P`, `S` or `T`"))
            }
        }
    }

    fn variable(
        &mut self,
        routine: &mut ParsedRoutine<'t>,
        name: &'t str,
    ) -> Parsed<Option<Symbol>> {
        self.expect_key(&Key::TYPE)?;
        self.c.skip_blanks();
        let start = self.c.at;
        let ty = self.type_name()?;
        if !ty.has_binary_form() && !self.is_strict() {
            let message = format!("type `{ty}` cannot be encoded");
            let help = Some("version 4.2 has this type, but only as text".into());
            return Err(self.c.fail_with_help(start..self.c.at, &message, help));
        }
        self.expect_key(&Key::NUM_ELTS)?;
        let mut variable = Variable {
            ty,
            num_elements: self.c.calculated("a number of elements")?,
            ..Variable::default()
        };
        if self.eat_key(&Key::ALIGN) {
            variable.align = self.align()?;
        }
        if self.eat_key(&Key::ALIAS) {
            self.c.expect("<")?;
            variable.alias = self.var()?.0;
            variable.is_null = variable.alias == VarId::NULL;
            self.c.expect(",")?;
            self.c.skip_blanks();
            let offset_start = self.c.at;
            variable.alias_offset = self.c.calculated_before_angle("an offset in bytes")?;
            if variable.is_null && variable.alias_offset != 0 {
                let message = "the offset of an alias of `%null` is 0";
                return Err(self.c.fail(offset_start..self.c.at, message));
            }
            self.c.expect(">")?;
        }
        let attributes = self.attributes()?;
        self.c.builtins.declare(name, ty.size() as u64 * u64::from(variable.num_elements));
        let id = VarId(VarId::FIRST_DECLARED.0 + routine.variables.len() as u32);
        routine.variables.push(Declared {
            name: Some(name),
            symbol: name,
            entry: variable,
            attributes,
            annotations: None,
        });
        Ok(Some(Symbol::Variable(id, Some(ty))))
    }

    /// Parses an alignment: its name or a number of bytes.
    fn align(&mut self) -> Parsed<Align> {
        const WHAT: &str = "an alignment";
        self.c.skip_blanks();
        let start = self.c.at;
        let word = self.c.word_here();
        code_map!(ALIGNS: Align, 32);
        let older = || match word {
            "2GRF" => Some(Align::GRFX2),
            "32word" => Some(Align::WORDX32),
            "64word" => Some(Align::WORDX64),
            _ => None,
        };
        if let Some(align) = ALIGNS.get(word).or_else(older) {
            self.c.record_meaning(start, || align.meaning());
            return Ok(align);
        }
        self.c.at = start;
        if !matches!(self.c.peek(), Some(b'0'..=b'9' | b'(' | b'-' | b'~' | b'!' | b'%')) {
            let names = Align::NAMED.iter().filter_map(|align| align.name());
            return Err(self.expected_word(WHAT, names));
        }
        let bytes = self.c.calculated(WHAT)?;
        let align = ALIGNMENTS.iter().find(|(size, _)| *size == bytes);
        align.map(|(_, align)| *align).ok_or_else(|| {
            let message = format!("expected 1, 2, 4, 8, 16, 32, 64 or 128 bytes, found `{bytes}`");
            self.c.fail(start..self.c.at, &message)
        })
    }

    /// Parses the rest of a declaration that is not of a general variable.
    fn simple(
        &mut self,
        routine: &mut ParsedRoutine<'t>,
        name: &'t str,
        class: &str,
    ) -> Parsed<Option<Symbol>> {
        self.expect_key(&Key::NUM_ELTS)?;
        let num_elements = self.c.calculated("a number of elements up to 65535")?;
        if class == "A" {
            self.c.builtins.declare(name, 2 * u64::from(num_elements));
        }
        let is_state = matches!(class, "S" | "T");
        let mut v_name = None;
        if is_state && self.eat_key(&Key::V_NAME) {
            v_name = match self.c.name() {
                Some((name, span)) => {
                    self.c.classify(&span, TokenKind::String);
                    Some(name)
                }
                None => return Err(self.c.expected("a name")),
            };
        }
        let attributes = self.attributes()?;
        let symbol = Some(name).filter(|_| is_state && !is_own_number(routine, name, class));
        // As in compilers, a sampler or surface without `v_name` is called as in text.
        let string = if is_state { v_name.or(symbol) } else { Some(name) };
        let symbol = symbol.map(Box::from);
        let entry = SimpleVariable { num_elements, symbol, ..SimpleVariable::default() };
        let table = match class {
            "A" => &mut routine.addresses,
            "P" => &mut routine.predicates,
            "S" => &mut routine.samplers,
            _ => &mut routine.surfaces,
        };
        let index = table.len();
        table.push(Declared { name: string, symbol: name, entry, attributes, annotations: None });
        Ok(match class {
            "A" => u16::try_from(index).ok().map(|id| Symbol::Address(AddrId(id))),
            "P" => {
                let id = u16::try_from(index + usize::from(PredId::FIRST_DECLARED.0)).ok();
                id.map(|id| Symbol::Predicate(PredId(id)))
            }
            "S" => u8::try_from(index).ok().map(|id| Symbol::Sampler(id.into())),
            _ => {
                // The last ids are too large for operands of one byte.
                let index = u8::try_from(index).ok().filter(|index| *index < u8::MAX);
                let first = u16::from(SurfaceId::FIRST_DECLARED.0);
                index.map(|index| Symbol::Surface(u16::from(index) + first))
            }
        })
    }
}

/// Returns whether the name of the next sampler or surface is its number, such as `T6`.
fn is_own_number(routine: &ParsedRoutine<'_>, name: &str, class: &str) -> bool {
    let number = match class {
        "S" => routine.samplers.len(),
        _ => usize::from(SurfaceId::FIRST_DECLARED.0) + routine.surfaces.len(),
    };
    name.strip_prefix(class).is_some_and(|digits| digits == number.to_string())
}

/// Alignments and their numbers of bytes.
const ALIGNMENTS: [(i128, Align); 8] = [
    (1, Align::BYTE),
    (2, Align::WORD),
    (4, Align::DWORD),
    (8, Align::QWORD),
    (16, Align::OWORD),
    (32, Align::HWORD),
    (64, Align::WORDX32),
    (128, Align::WORDX64),
];
