//! Addresses of variables and states, such as `&V32[4]`.

use alloc::format;
use core::ops::Range;

use super::vector::state;
use crate::format::Format;
use crate::operand::{
    AddressOf, DataType, Modifier, Region, StateClass, VarId, Vector, VectorKind,
};
use crate::platform::RegisterSize;
use crate::text::context::{Parse, Parser, Print, Printer};
use crate::text::cursor::Parsed;
use crate::text::names::Symbol;
use crate::text::words::Quirk;

impl Print for AddressOf {
    fn print(&self, p: &mut Printer<'_>) {
        let is_modified = self.0.modifier != Modifier::NONE;
        let offset = match self.0.kind {
            VectorKind::General { var, row, col, region } => {
                p.line.ch('&');
                p.var(var);
                // The text has no region, and an offset in bytes without row and column.
                p.omit_if(region != Region::SCALAR || is_modified);
                let ty = match p.type_of(var) {
                    Some(ty) => ty,
                    // In 4.2, the offset does not depend on the type.
                    None if p.is_v4_2() => DataType::default(),
                    None => return p.row_and_column(row, col),
                };
                let registers = p.registers;
                let offset = self.offset(ty, p.format, registers).unwrap_or_default();
                let parsed = AddressOf::at_offset(var, offset, ty, p.format, registers);
                p.omit_if(
                    parsed != Some(AddressOf(Vector::general_at(var, row, col, Region::SCALAR))),
                );
                offset as usize
            }
            VectorKind::State { class, index, offset } => {
                p.line.ch('&');
                p.state(class, index);
                p.omit_if(is_modified);
                let scale = if p.has(Quirk::StateAddressScaledTwice) { 8 } else { 2 };
                usize::from(offset) * scale
            }
            _ => return self.0.print(p),
        };
        if offset != 0 {
            p.line.ch('[');
            p.line.dec(offset as u64);
            p.line.ch(']');
        }
    }
}

impl Parse for AddressOf {
    fn parse(&mut self, p: &mut Parser<'_>) -> Parsed<()> {
        if !p.c.eat("&") {
            self.0 = p.source()?;
            return Ok(());
        }
        let (symbol, span) = p.symbol("a variable")?;
        p.c.skip_blanks();
        if let (Symbol::Variable(var, None), Some(b'(')) = (symbol, p.c.peek()) {
            // `Display` prints the row and the column, since it has no size of an element.
            let (row, col) = p.row_and_column()?;
            self.0 = Vector::general_at(var, row, col, Region::SCALAR);
            return Ok(());
        }
        let mut bytes: u32 = 0;
        if p.c.eat("[") {
            bytes = p.c.calculated("an offset in bytes")?;
            p.c.expect("]")?;
        }
        let span = span.start..p.c.at;
        self.0 = match symbol {
            Symbol::Variable(var, ty) => p.variable_address(var, ty, bytes, span)?,
            Symbol::Surface(id) => state(StateClass::SURFACE, id, p.state_address(bytes, span)?),
            Symbol::Sampler(id) => state(StateClass::SAMPLER, id, p.state_address(bytes, span)?),
            other => {
                return Err(p.wrong_kind(
                    other,
                    span,
                    "a general variable, a sampler or a surface",
                ));
            }
        };
        Ok(())
    }
}

impl Parser<'_> {
    /// Returns the address of a byte of a variable.
    fn variable_address(
        &mut self,
        var: VarId,
        ty: Option<DataType>,
        bytes: u32,
        span: Range<usize>,
    ) -> Parsed<Vector> {
        let is_v4_2 = self.format == Format::V4_2;
        if ty.is_none() && bytes > 0 && !is_v4_2 {
            let name = format!("V{}", var.0);
            let message = format!("the type of `{name}` is unknown");
            let help = format!("write a row and a column, such as `&{name}(1,0)`");
            return Err(self.c.fail_with_help(span, &message, Some(help)));
        }
        let ty = ty.unwrap_or_default();
        // In 4.2, the platform does not matter.
        let registers =
            if is_v4_2 { RegisterSize::default() } else { self.c.stated_register_size() };
        match AddressOf::at_offset(var, bytes, ty, self.format, registers) {
            Some(AddressOf(vector)) => Ok(vector),
            None => {
                let least = if is_v4_2 { 1 << 16 } else { registers.bytes() << 8 };
                let message = if bytes >= least {
                    format!("expected an offset below {least}, found `{bytes}`")
                } else {
                    format!("the offset {bytes} is not a multiple of the size of type `{ty}`")
                };
                Err(self.c.fail(span, &message))
            }
        }
    }

    fn state_address(&mut self, bytes: u32, span: Range<usize>) -> Parsed<u8> {
        match u8::try_from(bytes / 2) {
            Ok(offset) if bytes % 2 == 0 => Ok(offset),
            _ => {
                let message = format!("expected an even offset below 512, found `{bytes}`");
                Err(self.c.fail(span, &message))
            }
        }
    }
}
