//! Where values come from that nobody wrote.

use genvisa::operand::{Raw, Vector};

use super::Context;
use crate::fault::{FaultKind, Result};
use crate::state::START;

/// Where a value that nobody wrote comes from.
pub(crate) enum Origin {
    /// From the program, or from what it was given.
    Program(String),
    /// From this register of the hardware, which is not modelled on the device.
    Hardware(String),
}

impl From<String> for Origin {
    fn from(origin: String) -> Origin {
        Origin::Program(origin)
    }
}

impl From<&str> for Origin {
    fn from(origin: &str) -> Origin {
        Origin::Program(origin.into())
    }
}

impl Context<'_> {
    /// Returns the fault of a use of a value that nobody wrote.
    pub fn undefined(&self, use_: &'static str, origin: impl Into<Origin>) -> FaultKind {
        match origin.into() {
            Origin::Program(origin) => FaultKind::Undefined { use_, origin },
            Origin::Hardware(name) => FaultKind::not_modelled(format!("the value of {name}")),
        }
    }

    /// Describes where the undefined bits of a raw operand come from.
    pub fn origin_of_raw(&self, operand: Raw, offset: u32, size: u32) -> Result<Origin> {
        Ok(self.origin_at(self.raw_place(operand, offset, size)?, size as usize))
    }

    /// Describes where the undefined bits of an operand come from.
    pub fn origin_of(&self, operand: &Vector) -> Origin {
        match self.places(operand, 1, false) {
            Ok((ty, places)) => self.origin_at(places.first(), ty.size()),
            Err(_) => Origin::Program("its operand".into()),
        }
    }

    /// Describes where undefined bytes come from: the variable that nobody wrote, and the instruction
    /// that read it.
    pub fn origin_at(&self, at: usize, size: usize) -> Origin {
        let undefined = (at..at + size).find(|at| !self.registers.get(*at, 1).is_defined());
        let mut at = undefined.unwrap_or(at);
        let line = |index: u32| self.code.line(index as usize);
        let mut end = String::new();
        match self.registers.writer(at) {
            None => {}
            Some(START) => end = ", which is undefined from the start".into(),
            Some(writer) => match self.registers.root(at) {
                Some(root) => {
                    at = root.at as usize;
                    end = format!(", which ${} reads: {}", root.reader, line(root.reader));
                }
                None => end = format!(", which ${writer} computed: {}", line(writer)),
            },
        }
        let Some((id, variable)) = self.code.variable_at(at) else {
            return Origin::Program(format!("a byte of no variable{end}"));
        };
        let name = self.code.name_of(id);
        let is_unwritten = self.registers.writer(at).is_none();
        Origin::Program(match id {
            _ if is_unwritten && self.code.is_hardware_state(id) => return Origin::Hardware(name),
            _ if is_unwritten && self.code.is_input(id) => {
                format!("input `{name}` was not given{end}")
            }
            _ => format!("byte {} of {name}{end}", at - variable.start),
        })
    }
}
