//! Attributes of declarations and of the routine, such as `Target="cm"`.

use alloc::format;
use alloc::vec::Vec;

use super::routine::AttributeText;
use crate::object::{Attribute, AttributeKind};
use crate::operand::StringId;
use crate::text::context::{Parser, Printer};
use crate::text::cursor::Parsed;
use crate::text::recorder::TokenKind;
use crate::text::words::{Key, Quirk, is_identifier};

/// The largest number of attributes of a declaration in an object file.
const MAX_ATTRIBUTES: usize = 255;

impl Printer<'_> {
    /// Prints the attributes of a declaration.
    pub(in crate::text) fn declared_attributes(&mut self, attributes: &[Attribute]) {
        for (i, attribute) in attributes.iter().enumerate() {
            self.line.push(if i == 0 { " attrs={" } else { ", " });
            self.attribute(attribute);
        }
        if !attributes.is_empty() {
            self.line.ch('}');
        }
    }

    /// Prints `Name`, `Name=1` or `Name="text"`.
    pub(in crate::text) fn attribute(&mut self, attribute: &Attribute) {
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
        let is_genx_ir = self.has(Quirk::AttributeValueOmitted);
        if attribute.value.is_empty() && !is_genx_ir {
            return;
        }
        self.line.ch('=');
        match value {
            // The bytes of an integer that is wider than necessary, as a string.
            _ if !is_genx_ir && *attribute != Attribute::integer(attribute.name, value) => {
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

/// Returns the name of an attribute, which is empty if the pool does not have it.
pub(super) fn name_of<'n>(p: &Printer<'n>, attribute: &Attribute) -> &'n [u8] {
    p.names.map_or(b"", |names| names.string_index.bytes(attribute.name))
}

impl<'t> Parser<'t> {
    /// Parses `attrs={A, B=1}`, which is optional.
    pub(in crate::text) fn attributes(&mut self) -> Parsed<Vec<AttributeText<'t>>> {
        if !self.eat_key(&Key::ATTRS) {
            return Ok(Vec::new());
        }
        self.c.expect("{")?;
        self.attribute_list()
    }

    /// Parses attributes up to `}`.
    pub(super) fn attribute_list(&mut self) -> Parsed<Vec<AttributeText<'t>>> {
        let mut attributes = Vec::new();
        loop {
            self.c.skip_blanks();
            let start = self.c.at;
            let attribute = self.attribute()?;
            if attributes.len() == MAX_ATTRIBUTES {
                let message = format!("a declaration has at most {MAX_ATTRIBUTES} attributes");
                return Err(self.c.fail(start..self.c.at, &message));
            }
            attributes.push(attribute);
            if !self.c.eat(",") {
                break;
            }
        }
        self.c.expect("}")?;
        Ok(attributes)
    }

    /// Parses an attribute: `Name`, `Name=1` or `Name="text"`.
    pub(in crate::text) fn attribute(&mut self) -> Parsed<AttributeText<'t>> {
        self.c.skip_blanks();
        let start = self.c.at;
        let Some(name) = self.c.string_or_name()? else {
            return Err(self.c.expected("an attribute"));
        };
        self.c.classify(&(start..self.c.at), TokenKind::Key);
        self.c.record_meaning(start, || AttributeKind::meaning(&name).unwrap_or_default());
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
}
