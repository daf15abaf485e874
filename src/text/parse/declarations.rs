//! Parsing of directives: versions, routines, declarations, inputs and attributes.

use alloc::format;
use alloc::vec::Vec;
use core::ops::Range;

use super::Parser;
use super::annotations::Subject;
use super::cursor::{Failed, Parsed};
use super::diagnostic::{cut, nearest};
use super::routine::{AttributeText, Declared, InputText, ParsedRoutine};
use super::symbols::Symbol;
use crate::format::Version;
use crate::object::{
    Align, Attribute, Input, InputClass, InputKind, RoutineKind, SimpleVariable, Variable,
};
use crate::operand::{AddrId, DataType, PredId, SamplerId, StringId, SurfaceId, VarId};
use crate::text::charset::is_identifier;
use crate::text::directives::{Directive, IMPLICIT, IMPLICIT_KINDS, UNDEFINED};
use crate::text::reserved;
use crate::text::words::code_map;

impl<'t> Parser<'t> {
    /// Parses a statement that begins with a dot. Returns the subject of an annotation after it.
    pub(super) fn directive(&mut self) -> Parsed<Subject> {
        let start = self.c.at;
        self.c.at += 1;
        let word = self.c.word_here();
        if let Some(word) = debug_info(word) {
            return self.debug_info(word, start);
        }
        let implicit = word.strip_prefix(IMPLICIT).and_then(implicit_kind);
        let directive = Directive::of(word);
        let is_known = directive.is_some() || implicit.is_some();
        if self.routine.is_none() && is_known && directive.is_none_or(Directive::needs_routine) {
            self.c.at = start;
            let message =
                format!("expected `.kernel` or `.global_function`, found `.{}`", cut(word));
            let failed = self.c.fail(start..start + 1 + word.len(), &message);
            self.c.at = self.c.text.len();
            return Err(failed);
        }
        match directive {
            Some(Directive::Version) => self.version(start)?,
            Some(Directive::Kernel) => {
                self.start(RoutineKind::Kernel, start)?;
                return Ok(Subject::Routine);
            }
            Some(Directive::GlobalFunction) => {
                self.start(RoutineKind::Function, start)?;
                return Ok(Subject::Routine);
            }
            Some(Directive::Funcdecl) => {
                let name = self.c.string()?.into_owned();
                self.declared_functions.push(name);
            }
            Some(Directive::Decl) => return self.declaration(),
            Some(Directive::Parameter) if self.is_strict() => {
                let message = "version 4.2 has no `.parameter`";
                let help = Some("write `.input`".into());
                return Err(self.c.fail_with_help(start..self.c.at, message, help));
            }
            Some(Directive::Input | Directive::Parameter) => self.input(0)?,
            Some(Directive::Function) => self.function(start)?,
            Some(Directive::KernelAttr) => {
                let attribute = self.attribute()?;
                self.routine().attributes.push((attribute, None));
                return Ok(Subject::Attribute);
            }
            None => match implicit {
                Some(kind) => self.input(kind)?,
                None => return Err(self.unknown_directive(word, start)),
            },
        }
        Ok(Subject::Nothing)
    }

    /// Parses the rest of `.file` or `.loc`, which are instructions.
    fn debug_info(&mut self, word: &str, start: usize) -> Parsed<Subject> {
        if self.routine.is_none() {
            let message = format!("`{word}` must follow `.kernel` or `.global_function`");
            return Err(self.c.fail(start..self.c.at, &message));
        }
        let instruction = self.by_word(word, start)?;
        self.push(&instruction, start..self.c.at);
        Ok(Subject::Nothing)
    }

    fn unknown_directive(&mut self, word: &str, start: usize) -> Failed {
        let near = match word.strip_prefix(IMPLICIT) {
            Some(kind) => nearest(kind, IMPLICIT_KINDS.map(|(name, _)| name))
                .map(|near| format!("did you mean `.{IMPLICIT}{near}`?")),
            None => nearest(word, Directive::ALL.iter().map(|directive| directive.word()))
                .map(|near| format!("did you mean `.{near}`?")),
        };
        let message = format!("unknown directive `.{}`", cut(word));
        let failed = self.c.fail_with_help(start..self.c.at, &message, near);
        if self.routine.is_none() {
            // Every statement up to the first routine would have the same error.
            self.c.at = self.c.text.len();
        }
        failed
    }

    /// Returns the current routine. Directives that need one are rejected before the first.
    pub(super) fn routine(&mut self) -> &mut ParsedRoutine<'t> {
        let new = || ParsedRoutine::new(RoutineKind::Kernel, Vec::new(), 0..0, self.format);
        self.routine.get_or_insert_with(new)
    }

    /// Parses `.version 3.6`, which applies to the whole text or to the next routine.
    fn version(&mut self, line_start: usize) -> Parsed<()> {
        self.end_routine();
        self.c.skip_blanks();
        let start = self.c.at;
        let major = self.c.number("a version, such as 3.6")?;
        if !self.c.eat_here(".") {
            return Err(self.c.expected("`.` and a minor version"));
        }
        let minor = self.c.number("a minor version")?;
        let span = line_start..self.c.at;
        if self.is_version_open {
            return Err(self.c.fail(span, "this routine already has a `.version`"));
        }
        self.is_version_open = true;
        self.text_version = Some((major, minor));
        if major < 3 {
            let message = "versions before 3.0 are not supported";
            return Err(self.c.fail(start..self.c.at, message));
        }
        if Version::new(major, minor).is_err() {
            // The compiler accepts every version.
            let read_as = self.format.version;
            let message = format!(
                "version {major}.{minor} is unknown; the text is read as version {read_as}"
            );
            self.warn(&(start..self.c.at), message);
        }
        Ok(())
    }

    /// Parses the name after `.kernel` or `.global_function`, and starts the routine.
    fn start(&mut self, kind: RoutineKind, start: usize) -> Parsed<()> {
        self.end_routine();
        self.is_version_open = false;
        if self.text_version.is_none() {
            let span = start..self.c.at;
            let help = Some("add a line such as `.version 3.6` before it".into());
            self.c.fail_with_help(span, "the text has no `.version`", help);
            // Do not report this again.
            self.text_version = Some((self.format.version.major(), 0));
        }
        self.c.skip_blanks();
        let name = match self.c.peek() {
            Some(b'"') => self.c.string()?.into_owned(),
            _ => match self.c.name() {
                Some((name, _)) => name.into(),
                None => {
                    self.c.expected("a name");
                    Vec::new()
                }
            },
        };
        self.symbols.start_routine();
        self.c.builtins.clear();
        self.strings.clear();
        self.routine = Some(ParsedRoutine::new(kind, name, start..self.c.at, self.format));
        Ok(())
    }

    /// Parses the name after `.function`. The label that follows is a subroutine.
    pub(super) fn function(&mut self, line_start: usize) -> Parsed<()> {
        self.c.skip_blanks();
        let quoted = self.c.eat_here("\"");
        let start = self.c.at;
        let name = if quoted { self.c.label_here() } else { self.c.word_here() };
        if name.is_empty() || quoted && !self.c.eat_here("\"") {
            self.c.at = start;
            return Err(self.c.expected("the name of a subroutine"));
        }
        let span = start..start + name.len();
        if let Some((before, _)) = self.routine().function.replace((name, span)) {
            let before = cut(before);
            let message = format!(
                "expected the label of `.function \"{before}\"`, found another `.function`"
            );
            return Err(self.c.fail(line_start..self.c.at, &message));
        }
        Ok(())
    }

    /// Skips `key=` if it comes next. Returns whether it does.
    #[inline(always)] // so that the comparison is with a constant
    fn eat_key(&mut self, key: &str) -> bool {
        let start = self.c.at;
        self.c.skip_blanks();
        if self.c.eat_word_here(key) && self.c.eat("=") {
            return true;
        }
        self.c.at = start;
        false
    }

    #[inline]
    fn expect_key(&mut self, key: &str) -> Parsed<()> {
        if self.eat_key(key) { Ok(()) } else { Err(self.expected_key(key)) }
    }

    #[cold]
    fn expected_key(&mut self, key: &str) -> Failed {
        self.c.expected(&format!("`{key}=`"))
    }

    fn declaration(&mut self) -> Parsed<Subject> {
        let Some((name, span)) = self.c.name() else {
            return Err(self.c.expected("a name"));
        };
        if self.is_strict() {
            self.check_name(name, &span);
        }
        let symbol = match self.declared(name) {
            Ok(symbol) => symbol,
            Err(failed) => {
                self.symbols.declare_unknown(name);
                return Err(failed);
            }
        };
        let Some(symbol) = symbol else {
            return Err(self.c.fail(span, "too many variables of this class"));
        };
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
            None if reserved::is_rejected_today(name.as_bytes()) => {
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
    fn declared(&mut self, name: &'t str) -> Parsed<Option<Symbol>> {
        self.expect_key("v_type")?;
        self.c.skip_blanks();
        let start = self.c.at;
        match self.c.word_here() {
            "G" => self.variable(name),
            class @ ("A" | "P" | "S" | "T") => self.simple(name, class),
            _ => {
                self.c.at = start;
                Err(self.c.expected("the class `G`, `A`, `P`, `S` or `T`"))
            }
        }
    }

    fn variable(&mut self, name: &'t str) -> Parsed<Option<Symbol>> {
        self.expect_key("type")?;
        self.c.skip_blanks();
        let start = self.c.at;
        let ty = self.type_name()?;
        if !ty.has_binary_form() && !self.is_strict() {
            let message = format!("type `{ty}` cannot be encoded");
            let help = Some("version 4.2 has this type, but only as text".into());
            return Err(self.c.fail_with_help(start..self.c.at, &message, help));
        }
        self.expect_key("num_elts")?;
        let mut variable = Variable {
            ty,
            num_elements: self.c.calculated("a number of elements")?,
            ..Variable::default()
        };
        if self.eat_key("align") {
            variable.align = self.align()?;
        }
        if self.eat_key("alias") {
            self.c.expect("<")?;
            variable.alias = self.var()?.0;
            self.c.expect(",")?;
            variable.alias_offset = self.c.calculated_before_angle("an offset in bytes")?;
            self.c.expect(">")?;
        }
        let attributes = self.attributes()?;
        self.c.builtins.declare(name, ty.size() as u64 * u64::from(variable.num_elements));
        let routine = self.routine();
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
    fn simple(&mut self, name: &'t str, class: &str) -> Parsed<Option<Symbol>> {
        self.expect_key("num_elts")?;
        let num_elements = self.c.calculated("a number of elements up to 65535")?;
        if class == "A" {
            self.c.builtins.declare(name, 2 * u64::from(num_elements));
        }
        let is_state = matches!(class, "S" | "T");
        let mut v_name = (!is_state).then_some(name);
        if is_state && self.eat_key("v_name") {
            v_name = match self.c.name() {
                Some((name, _)) => Some(name),
                None => return Err(self.c.expected("a name")),
            };
        }
        let attributes = self.attributes()?;
        let entry = SimpleVariable { num_elements, ..SimpleVariable::default() };
        let routine = self.routine();
        let table = match class {
            "A" => &mut routine.addresses,
            "P" => &mut routine.predicates,
            "S" => &mut routine.samplers,
            _ => &mut routine.surfaces,
        };
        let index = table.len();
        table.push(Declared { name: v_name, symbol: name, entry, attributes, annotations: None });
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

    /// Parses `attrs={A, B=1}`, which is optional.
    fn attributes(&mut self) -> Parsed<Vec<AttributeText<'t>>> {
        if !self.eat_key("attrs") {
            return Ok(Vec::new());
        }
        self.c.expect("{")?;
        self.attribute_list()
    }

    /// Parses attributes up to `}`.
    pub(super) fn attribute_list(&mut self) -> Parsed<Vec<AttributeText<'t>>> {
        let mut attributes = Vec::new();
        loop {
            attributes.push(self.attribute()?);
            if !self.c.eat(",") {
                break;
            }
        }
        self.c.expect("}")?;
        Ok(attributes)
    }

    /// Parses an attribute: `Name`, `Name=1` or `Name="text"`.
    fn attribute(&mut self) -> Parsed<AttributeText<'t>> {
        self.c.skip_blanks();
        let name = match self.c.peek() {
            Some(b'"') => self.c.string()?,
            _ => match self.c.name() {
                Some((name, _)) => name.as_bytes().into(),
                None => return Err(self.c.expected("an attribute")),
            },
        };
        if !self.c.eat("=") || self.c.is_at_line_end() {
            return Ok(AttributeText { name, value: Vec::new() });
        }
        if self.c.peek() != Some(b'"') {
            let value = self.c.calculated("a number of 32 bits or a string")?;
            if *name == *b"SimdSize" {
                self.c.builtins.simd_size = Some(value);
            }
            let value = Attribute::integer(StringId(0), value).value;
            return Ok(AttributeText { name, value });
        }
        let value = self.c.string()?;
        let is_target = *name == *b"Target";
        let value = match &*value {
            b"cm" if is_target => [0].into(),
            b"3d" if is_target => [1].into(),
            b"cs" if is_target => [2].into(),
            _ => value.into_owned(),
        };
        Ok(AttributeText { name, value })
    }

    fn input(&mut self, implicit: u8) -> Parsed<()> {
        const WHAT: &str = "a general variable, a sampler or a surface";
        let Some((name, span)) = self.c.name() else {
            return Err(self.c.expected(WHAT));
        };
        let (class, index) = match self.symbols.find(name) {
            Some(Symbol::Variable(id, _)) => (InputClass::GENERAL, id.0),
            Some(Symbol::Sampler(id)) => (InputClass::SAMPLER, id.into()),
            Some(Symbol::Surface(id)) => (InputClass::SURFACE, id.into()),
            Some(Symbol::Unknown) => return Err(Failed),
            Some(other) => return Err(self.wrong_kind(other, span, WHAT)),
            None => return Err(self.undeclared(name, span)),
        };
        let offset =
            if self.eat_key("offset") { self.c.calculated("an offset of 16 bits")? } else { 0 };
        let size = match self.eat_key("size") {
            // The compiler takes an implicit input without a size for an explicit one.
            false if implicit != 0 => return Err(self.c.expected("`size=`")),
            true => self.c.calculated("a size in bytes up to 65535")?,
            false => self.size_of(class, index).map_err(|size| {
                let message = format!("an input has at most 65535 bytes, but this one has {size}");
                self.c.fail(span.clone(), &message)
            })?,
        };
        let kind = InputKind::from_bits(class.bits() | implicit << 3);
        let input = Input { kind, index, offset, size };
        self.routine().inputs.push(InputText { input, undeclared: None });
        Ok(())
    }

    /// Returns the size of an input without `size=`: that of the variable, or four bytes for a
    /// sampler or surface.
    ///
    /// # Errors
    /// The size, if it is too large for an input.
    fn size_of(&mut self, class: InputClass, index: u32) -> Result<u16, usize> {
        let index = index.checked_sub(VarId::FIRST_DECLARED.0);
        let variable = index.and_then(|index| self.routine().variables.get(index as usize));
        match variable {
            Some(Declared { entry, .. }) if class == InputClass::GENERAL => {
                let size = entry.ty.size() * entry.num_elements as usize;
                u16::try_from(size).map_err(|_| size)
            }
            _ => Ok(DataType::UD.size() as u16),
        }
    }
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

/// Returns the mnemonic of `.file` and `.loc`, which are instructions.
fn debug_info(directive: &str) -> Option<&'static str> {
    match directive {
        "file" => Some("FILE"),
        "loc" => Some("LOC"),
        _ => None,
    }
}

/// Returns the kind of an implicit input by its name or number.
fn implicit_kind(name: &str) -> Option<u8> {
    match IMPLICIT_KINDS.iter().find(|(known, _)| *known == name) {
        Some((_, kind)) => Some(*kind),
        None if name == "EXPLICIT" => Some(0),
        None => name.strip_prefix(UNDEFINED)?.parse().ok().filter(|kind| *kind < 32),
    }
}
