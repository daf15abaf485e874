//! Attributes of declarations and of the routine, such as `Target="cm"`.

use alloc::vec::Vec;

use super::Parser;
use crate::object::Attribute;
use crate::operand::StringId;
use crate::text::parse::cursor::Parsed;
use crate::text::parse::routine::AttributeText;

impl<'t> Parser<'t> {
    /// Parses `attrs={A, B=1}`, which is optional.
    pub(super) fn attributes(&mut self) -> Parsed<Vec<AttributeText<'t>>> {
        if !self.eat_key("attrs") {
            return Ok(Vec::new());
        }
        self.c.expect("{")?;
        self.attribute_list()
    }

    /// Parses attributes up to `}`.
    pub(in crate::text::parse) fn attribute_list(&mut self) -> Parsed<Vec<AttributeText<'t>>> {
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
    pub(super) fn attribute(&mut self) -> Parsed<AttributeText<'t>> {
        let Some(name) = self.c.string_or_name()? else {
            return Err(self.c.expected("an attribute"));
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
}
