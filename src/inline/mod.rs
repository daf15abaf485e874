//! Checking of inline vISA assembly.

mod checker;
mod report;
mod statement;
mod ty;

pub mod source;

pub use checker::Checker;
pub use report::{Finding, Place, Report, Unknown};
pub use statement::{Form, Lanes, Operand, Path, Statement};
pub use ty::{AddressSpace, Element, Type};
