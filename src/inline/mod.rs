//! Checking of inline vISA assembly.

mod checker;
mod constraint;
mod expand;
mod outputs;
mod report;
mod rules;
mod scan;
mod standin;
mod statement;
mod ty;

pub mod source;

pub use checker::Checker;
pub use constraint::{Constraints, parse_constraints};
pub use report::{Finding, Place, Report, Unknown};
pub use rules::rules;
pub use statement::{Form, Lanes, Operand, Path, Statement};
pub use ty::{AddressSpace, Element, Type};
