//! Items of LSC messages.
//!
//! The rows of `isa::lsc` list them, and so define the order of operands. Some print or parse
//! nothing for some operations.

mod address;
mod data;
mod head;

pub(in crate::text) use address::*;
pub(in crate::text) use data::*;
pub(in crate::text) use head::*;

use crate::format::Dialect;
use crate::text::context::Printer;
use crate::text::words::Quirk;

/// Returns the new value of a field that some formats do not have: `None` if it is absent and would
/// be the default. Encoding reports any other value in such a format.
fn gated<T: Default + PartialEq>(old: Option<T>, new: T) -> Option<T> {
    (old.is_some() || new != T::default()).then_some(new)
}

/// A field that some layouts or formats do not have.
pub(in crate::text) trait Gated<T>: Copy {
    fn get(self) -> T;
    fn set(&mut self, value: T);
}

impl<T: Copy> Gated<T> for T {
    fn get(self) -> T {
        self
    }

    fn set(&mut self, value: T) {
        *self = value;
    }
}

impl<T: Copy + Default + PartialEq> Gated<T> for Option<T> {
    fn get(self) -> T {
        self.unwrap_or_default()
    }

    fn set(&mut self, value: T) {
        *self = gated(*self, value);
    }
}

impl Printer<'_> {
    /// Returns the name of a code, unless it is too new for GenX_IR.
    fn supported_name<'t>(&self, name: Option<&'t str>, is_newer: bool) -> Option<&'t str> {
        name.filter(|_| !(is_newer && self.has(Quirk::NewerLscCodes)))
    }

    /// Prints the name of a code, or a number as GenX_IR prints it.
    fn lsc_code(&mut self, name: Option<&str>, bits: u8) {
        match name {
            Some(name) => self.line.push(name),
            None => {
                self.line.push("<<");
                self.upper_hex(bits);
                self.line.push("?>>");
                self.is_incomplete = true;
            }
        }
    }

    fn upper_hex(&mut self, value: impl Into<u64>) {
        self.is_upper_case = true;
        self.line.hex_digits_upper(value.into());
    }

    /// Prints digits in lower case, or in upper case if an earlier number has left GenX_IR's
    /// stream in that state.
    fn lower_hex(&mut self, value: impl Into<u64>) {
        if self.is_upper_case && self.has(Quirk::LscUpperCaseSticks) {
            self.line.hex_digits_upper(value.into());
        } else {
            self.line.hex_digits(value.into(), 1);
        }
    }

    /// Prints the separator of the parts of an address. The current compiler prints no blank.
    fn lsc_separator(&mut self) {
        self.line.push(if self.format.dialect == Dialect::Igc2026 { "," } else { ", " });
    }
}
