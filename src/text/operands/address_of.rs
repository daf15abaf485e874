//! Addresses of variables and states, such as `&V32[4]`.

use alloc::format;
use core::ops::Range;

use super::vector::state;
use crate::operand::{AddressOf, DataType, Modifier, Region, StateClass, Vector, VectorKind};
use crate::text::context::{Parse, Parser, Print, Printer};
use crate::text::cursor::Parsed;
use crate::text::names::Symbol;
use crate::text::words::Quirk;

/// The size of a register, the unit of rows, in bytes.
pub(in crate::text) const GRF: usize = 32;

impl Print for AddressOf {
    fn print(&self, p: &mut Printer<'_>) {
        let is_modified = self.0.modifier != Modifier::NONE;
        let offset = match self.0.kind {
            VectorKind::General { var, row, col, region } => {
                p.line.ch('&');
                p.var(var);
                // The text has no region, and an offset in bytes without row and column.
                p.omit_if(region != Region::SCALAR || is_modified);
                let Some(size) = p.type_of(var).map(DataType::size) else {
                    return p.row_and_column(row, col);
                };
                p.omit_if(usize::from(col) * size >= GRF);
                usize::from(row) * GRF + usize::from(col) * size
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
            Symbol::Variable(var, None) if bytes > 0 => {
                let name = format!("V{}", var.0);
                let message = format!("the type of `{name}` is unknown");
                let help = format!("write a row and a column, such as `&{name}(1,0)`");
                return Err(p.c.fail_with_help(span, &message, Some(help)));
            }
            Symbol::Variable(var, ty) => {
                let ty = ty.unwrap_or_default();
                let size = ty.size() as u32;
                let (row, col) = (bytes / GRF as u32, bytes % GRF as u32 / size);
                match u8::try_from(row) {
                    Ok(row) if bytes % size == 0 => {
                        Vector::general_at(var, row, col as u8, Region::SCALAR)
                    }
                    Ok(_) => {
                        let message = format!(
                            "the offset {bytes} is not a multiple of the size of type `{ty}`"
                        );
                        return Err(p.c.fail(span, &message));
                    }
                    Err(_) => {
                        let message = format!("expected an offset below 8192, found `{bytes}`");
                        return Err(p.c.fail(span, &message));
                    }
                }
            }
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
