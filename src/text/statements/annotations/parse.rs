//! Parsing of annotations; `print` prints them.

use alloc::boxed::Box;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use crate::object::{AliasScope, Align, Input, InputKind, LabelKind, Linkage, Name, Reloc};
use crate::text::context::Parser;
use crate::text::cursor::{Integer, Parsed};
use crate::text::diagnostic::nearest;
use crate::text::recorder::{Referent, TokenKind};
use crate::text::statements::routine::{
    AliasTarget, Annotations, FunctionReloc, InputText, LabelAnnotations, ParsedRoutine, Relocs,
    Spanned,
};
use crate::text::words::annotations::{item, line};

/// The subject of an annotation: what the statement in its line declares.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(in crate::text) enum Subject {
    Nothing,
    Routine,
    Variable,
    Address,
    Predicate,
    Sampler,
    Surface,
    Attribute,
    Label,
    Extern,
}

impl Subject {
    /// Returns the items that its annotation can have.
    fn items(self) -> &'static [&'static str] {
        match self {
            Subject::Nothing => &[],
            Subject::Routine => &[
                item::NAME,
                item::BODY_NAME,
                item::STACK,
                item::LINKAGE,
                item::STRIPPED,
                item::AGAIN,
            ],
            Subject::Variable => {
                &[item::NAME, item::ALIGN, item::ALIAS, item::SCOPE, item::ATTRIBUTE]
            }
            Subject::Address | Subject::Predicate | Subject::Sampler | Subject::Surface => {
                &[item::NAME, item::ATTRIBUTE]
            }
            Subject::Attribute => &[item::ATTRIBUTE],
            Subject::Label => {
                &[item::UNDEFINED, item::KIND, item::NAME, item::ATTRS, item::ATTRIBUTE]
            }
            Subject::Extern => &[item::AT, item::LINKAGE],
        }
    }
}

impl<'t> Parser<'t> {
    /// Parses the annotation of a statement that is not an instruction.
    pub(in crate::text) fn annotate(
        &mut self,
        routine: Option<&mut ParsedRoutine<'t>>,
        subject: Subject,
    ) -> Parsed<()> {
        let start = self.c.at;
        self.c.at += 3;
        self.c.record(start, TokenKind::Annotation);
        let Some(routine) = routine.filter(|_| subject != Subject::Nothing) else {
            let message = "this statement takes no annotation";
            return Err(self.c.fail(start..start + 3, message));
        };
        let annotations = self.annotation_items(subject)?;
        let slot = match subject {
            Subject::Routine => {
                routine.annotations = annotations;
                return Ok(());
            }
            Subject::Variable => routine.variables.last_mut().map(|v| &mut v.annotations),
            Subject::Address => routine.addresses.last_mut().map(|v| &mut v.annotations),
            Subject::Predicate => routine.predicates.last_mut().map(|v| &mut v.annotations),
            Subject::Sampler => routine.samplers.last_mut().map(|v| &mut v.annotations),
            Subject::Surface => routine.surfaces.last_mut().map(|v| &mut v.annotations),
            _ => routine.attributes.last_mut().map(|(_, annotations)| annotations),
        };
        if let Some(slot) = slot {
            *slot = Some(Box::new(annotations));
        }
        Ok(())
    }

    /// Parses the end of an annotation that is a line of its own.
    pub(in crate::text) fn expect_annotation_end(&mut self) -> Parsed<()> {
        match self.c.skip_spaces() {
            None | Some(b'\n') => Ok(()),
            Some(_) => Err(self.c.expected("the end of the line")),
        }
    }

    /// Parses an annotation of a routine after its first word.
    pub(in crate::text) fn routine_annotation(
        &mut self,
        routine: &mut ParsedRoutine<'t>,
        word: &str,
    ) -> Parsed<()> {
        match word {
            line::STRINGS => self.strings_annotation(routine),
            line::UNNAMED => {
                routine.unnamed = true;
                Ok(())
            }
            line::LABELS => {
                while !matches!(self.c.skip_spaces(), None | Some(b'\n')) {
                    let Some((name, span)) = self.c.label_name() else {
                        return Err(self.c.expected("a label"));
                    };
                    self.record_label(&span, TokenKind::Reference);
                    routine.label_order.push((name, span));
                }
                Ok(())
            }
            line::LABEL => {
                let Some((name, span)) = self.c.label_name() else {
                    return Err(self.c.expected("a label"));
                };
                self.record_label(&span, TokenKind::Reference);
                let annotations = self.annotation_items(Subject::Label)?;
                routine.labels.push(LabelAnnotations { name, span, annotations });
                Ok(())
            }
            line::INPUT => self.input_annotation(routine),
            _ => {
                routine.relocs.extend(self.relocs_annotation()?);
                Ok(())
            }
        }
    }

    /// Parses items up to the end of the line.
    pub(in crate::text) fn annotation_items(
        &mut self,
        subject: Subject,
    ) -> Parsed<Annotations<'t>> {
        let mut annotations = Annotations::default();
        let mut seen = Vec::new();
        while !matches!(self.c.skip_spaces(), None | Some(b'\n')) {
            let start = self.c.at;
            let key = self.c.word_here();
            let Some(key) = subject.items().iter().find(|item| **item == key) else {
                self.c.at = start;
                let help = nearest(key, subject.items().iter().copied());
                let items: Vec<String> =
                    subject.items().iter().map(|item| format!("`{item}`")).collect();
                let expected = match items.len() {
                    0..=2 => items.join(" or "),
                    _ => format!("one of {}", items.join(", ")),
                };
                let failed = self.c.expected(&expected);
                self.c.diagnostics.suggest(help.map(String::from));
                return Err(failed);
            };
            if *key != item::ATTRIBUTE && seen.contains(key) {
                let message = format!("`{key}` is specified more than once");
                return Err(self.c.fail(start..self.c.at, &message));
            }
            seen.push(key);
            self.annotation_item(key, start, &mut annotations)?;
        }
        Ok(annotations)
    }

    fn annotation_item(
        &mut self,
        key: &str,
        start: usize,
        annotations: &mut Annotations<'t>,
    ) -> Parsed<()> {
        match key {
            item::AGAIN => {
                annotations.is_again = true;
                return Ok(());
            }
            item::UNDEFINED => {
                annotations.is_undefined = true;
                return Ok(());
            }
            _ => {}
        }
        if !self.c.eat_here("=") {
            return Err(self.c.expected("`=`"));
        }
        macro_rules! spanned {
            ($value:expr) => {{
                let value = $value;
                Spanned { value, span: start..self.c.at }
            }};
        }
        match key {
            item::NAME => annotations.name = Some(spanned!(self.annotation_number()?)),
            item::BODY_NAME => annotations.body_name = Some(spanned!(self.annotation_number()?)),
            item::ATTRIBUTE => annotations.attributes.push(spanned!(self.annotation_number()?)),
            item::ALIGN => {
                annotations.align = Some(spanned!(self.annotation_code(Align::from_bits)?))
            }
            item::SCOPE => {
                annotations.scope = Some(spanned!(self.annotation_code(AliasScope::from_bits)?))
            }
            item::LINKAGE => {
                annotations.linkage = Some(spanned!(self.annotation_code(Linkage::from_bits)?))
            }
            item::AT => annotations.at = Some(spanned!(self.annotation_number()?)),
            item::STACK => annotations.stack = Some(spanned!(self.pair()?)),
            item::STRIPPED => annotations.stripped = Some(spanned!(self.pair()?)),
            item::KIND => {
                let from = self.annotation_code(LabelKind::from_bits)?;
                self.colon()?;
                annotations.kind =
                    Some(spanned!((from, self.annotation_code(LabelKind::from_bits)?)));
            }
            item::ALIAS => annotations.alias = Some(spanned!(self.alias_target()?)),
            _ => {
                self.c.expect("{")?;
                annotations.attrs = self.attribute_list()?;
            }
        }
        Ok(())
    }

    /// Parses a pair of numbers, such as `2:1`.
    fn pair<N: Integer>(&mut self) -> Parsed<(N, N)> {
        let first = self.annotation_number()?;
        self.colon()?;
        Ok((first, self.annotation_number()?))
    }

    fn colon(&mut self) -> Parsed<()> {
        if self.c.eat_here(":") { Ok(()) } else { Err(self.c.expected("`:`")) }
    }

    fn annotation_code<C>(&mut self, from_bits: fn(u8) -> Option<C>) -> Parsed<C> {
        self.c.skip_spaces();
        let start = self.c.at;
        let bits = self.annotation_number()?;
        from_bits(bits).ok_or_else(|| {
            let message = format!("`{bits}` is not a valid code");
            self.c.fail(start..self.c.at, &message)
        })
    }

    /// Parses `<x, 4>` or `<#40, 4>`.
    fn alias_target(&mut self) -> Parsed<(AliasTarget<'t>, u16)> {
        self.c.expect("<")?;
        let target = if self.c.eat("#") {
            AliasTarget::Id(self.long_number("an id")?)
        } else {
            match self.c.name() {
                Some((name, _)) => AliasTarget::Name(name),
                None => return Err(self.c.expected("a variable, or `#` and an id")),
            }
        };
        self.c.expect(",")?;
        let offset = self.c.number("an offset in bytes")?;
        self.c.expect(">")?;
        Ok((target, offset))
    }

    fn strings_annotation(&mut self, routine: &mut ParsedRoutine<'t>) -> Parsed<()> {
        // An empty pool is valid.
        routine.strings.get_or_insert_with(Vec::new);
        while self.c.skip_spaces() == Some(b'"') {
            let name = Name::from(&*self.c.string()?);
            routine.strings.get_or_insert_with(Vec::new).push(name);
        }
        if matches!(self.c.peek(), None | Some(b'\n')) {
            Ok(())
        } else {
            Err(self.c.expected("a string in quotes"))
        }
    }

    /// Parses `kind=0 index=40 offset=32 size=4` after `input`.
    fn input_annotation(&mut self, routine: &mut ParsedRoutine<'t>) -> Parsed<()> {
        let start = self.c.at;
        let input = Input {
            kind: InputKind::from_bits(self.input_field("kind")?),
            index: self.input_field("index")?,
            offset: self.input_field("offset")?,
            size: self.input_field("size")?,
        };
        let span = start..self.c.at;
        routine.inputs.push(InputText { input, undeclared: Some(span.clone()) });
        let counts = routine.counts();
        routine.source_map.record_declarations(counts, &span);
        Ok(())
    }

    fn input_field<N: Integer>(&mut self, key: &str) -> Parsed<N> {
        self.c.skip_spaces();
        if self.c.eat_word_here(key) && self.c.eat_here("=") {
            return self.annotation_number();
        }
        Err(self.c.expected(&format!("`{key}=`")))
    }

    /// Parses `variable SYMBOLIC:RESOLVED ..` or `function SYMBOLIC:RESOLVED="name" ..` after
    /// `relocs`.
    pub(in crate::text) fn relocs_annotation(&mut self) -> Parsed<Relocs> {
        self.c.skip_spaces();
        let to_functions = self.c.eat_word_here("function");
        if !to_functions && !self.c.eat_word_here("variable") {
            return Err(self.c.expected("`variable` or `function`"));
        }
        let mut relocs = Relocs::default();
        while !matches!(self.c.skip_spaces(), None | Some(b'\n')) {
            let start = self.c.at;
            let (symbolic_index, resolved_index) = self.pair()?;
            let reloc = Reloc { symbolic_index, resolved_index };
            if !to_functions {
                relocs.variables.push(reloc);
                continue;
            }
            let has_name = self.c.eat_here("=");
            let name_start = self.c.at;
            let name = if has_name { Some(self.c.string()?.into_owned()) } else { None };
            let function = TokenKind::Reference(Referent::Function);
            self.c.classify(&(name_start..self.c.at), function);
            let span = start..self.c.at;
            relocs.functions.push(FunctionReloc { reloc, name, span });
        }
        Ok(relocs)
    }

    pub(in crate::text) fn annotation_number<N: Integer>(&mut self) -> Parsed<N> {
        self.c.skip_spaces();
        self.long_number("a number")
    }

    /// Parses a number, which may be any decimal number in all versions.
    fn long_number<N: Integer>(&mut self, what: &str) -> Parsed<N> {
        self.c.with_long_decimals(|cursor| cursor.number(what))
    }

    pub(in crate::text) fn annotation_bytes(&mut self) -> Parsed<Vec<u8>> {
        self.c.skip_spaces();
        if !self.c.eat_here("=") {
            return Err(self.c.expected("`=` and bytes"));
        }
        self.c.hex_bytes()
    }
}
