//! Names of types, and the types after operands.

use alloc::format;
use alloc::string::String;

use crate::operand::{DataType, TypeByte};
use crate::text::context::{Parser, Printer};
use crate::text::cursor::Parsed;
use crate::text::recorder::{CompletionKind, TokenKind};
use crate::text::words::{Words, code_map};

impl Printer<'_> {
    pub(super) fn ty(&mut self, ty: TypeByte) {
        self.line.ch(':');
        self.type_name(ty.ty());
        self.omit_if(ty.bits() != ty.ty().bits());
    }

    #[inline]
    pub(in crate::text) fn type_name(&mut self, ty: DataType) {
        const COUNT: usize = DataType::NAMED.len();
        static TYPES: Words<COUNT> = Words::new({
            let mut names = [""; COUNT];
            let mut code = 0;
            while code < names.len() {
                if let Some(name) = DataType::from_low_bits(code as u8).name() {
                    names[code] = name;
                }
                code += 1;
            }
            names
        });
        self.line.word(&TYPES, ty.bits());
    }
}

impl Parser<'_> {
    /// Parses a type after a colon, such as `:ud`.
    pub(in crate::text) fn ty(&mut self) -> Parsed<DataType> {
        self.ty_such_as(DataType::UD)
    }

    /// Parses a type after a colon, with an example for the diagnostic.
    pub(super) fn ty_such_as(&mut self, example: DataType) -> Parsed<DataType> {
        if !self.c.eat(":") {
            return Err(self.c.expected(&format!("a type, such as `:{example}`")));
        }
        let start = self.c.at;
        let ty = self.type_name()?;
        if !ty.has_binary_form() {
            let message = format!("only variables can have type `{ty}`");
            return Err(self.c.fail(start..self.c.at, &message));
        }
        Ok(ty)
    }

    pub(in crate::text) fn type_name(&mut self) -> Parsed<DataType> {
        let start = self.c.at;
        let word = self.c.word_here();
        code_map!(TYPES: DataType, 64);
        self.c.record(start, TokenKind::Type);
        if let Some(ty) = TYPES.get(word) {
            self.c.record_meaning(start, || ty.meaning());
            return Ok(ty);
        }
        let has_name = |ty: &&DataType| ty.name().is_some_and(|n| n.eq_ignore_ascii_case(word));
        let found = DataType::NAMED.iter().find(has_name);
        // Names are in lower or in upper case, except `Bool`.
        let is_mixed = || word != "Bool" && word.bytes().any(|byte| byte.is_ascii_lowercase());
        if let Some(ty) = found.filter(|_| !is_mixed()) {
            return Ok(*ty);
        }
        self.c.at = start;
        let names = DataType::NAMED.iter().filter_map(|ty| ty.name());
        self.c.complete_words(CompletionKind::Type, names.clone());
        let failed = self.expected_word("a type", names);
        let foreign = FOREIGN_TYPES.iter().find(|(name, _)| *name == word);
        self.c.diagnostics.suggest(foreign.map(|(_, ty)| String::from(*ty)));
        Err(failed)
    }
}

/// Types of other languages, and the types to suggest instead.
const FOREIGN_TYPES: [(&str, &str); 20] = [
    ("i", "d"),
    ("u", "ud"),
    ("int", "d"),
    ("i32", "d"),
    ("s32", "d"),
    ("uint", "ud"),
    ("u32", "ud"),
    ("short", "w"),
    ("i16", "w"),
    ("ushort", "uw"),
    ("u16", "uw"),
    ("char", "b"),
    ("i8", "b"),
    ("uchar", "ub"),
    ("u8", "ub"),
    ("long", "q"),
    ("ulong", "uq"),
    ("float", "f"),
    ("double", "df"),
    ("half", "hf"),
];
