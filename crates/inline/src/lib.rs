//! Checking of inline vISA assembly.
//!
//! OpenCL C, SYCL, ESIMD, LLVM IR, MLIR and Triton kernels can contain vISA as inline assembly: a template, in
//! which the compiler substitutes operands, and a constraint for each operand. A [`Statement`] represents
//! it, and a [`Checker`] checks it without a compiler or a GPU:
//!
//! ```
//! use genvisa_inline::{Checker, Element, Form, Lanes, Operand, Place, Statement, Type};
//! use genvisa::Platform;
//!
//! // asm("add (M1, 32) %0(0,0)<1> %1(0,0)<1;1,0> 1:d" : "=rw"(y) : "rw"(x));
//! let int = Type::scalar(Element::I32);
//! let statement = Statement::gnu("add (M1, 32) %0(0,0)<1> %1(0,0)<1;1,0> 1:d", [
//!     Operand::output("=rw").with_type(int),
//!     Operand::input("rw").with_type(int),
//! ]);
//!
//! let report = Checker::new().with_platform(Platform::Xe2).with_lanes(Lanes::L16).check(&statement);
//! let finding = &report.findings[0];
//! assert_eq!(
//!     finding.message,
//!     "the template is for 32 lanes, but the kernel has 16, which causes 2 findings",
//! );
//! assert_eq!(
//!     finding.help.as_deref(),
//!     Some("the first is: add, dst: accesses bytes 0 to 127 of `%0`, which has 64 bytes"),
//! );
//! assert_eq!(finding.place, Place::Template(13..23));
//! ```
//!
//! The checker substitutes the operands as the compiler does, declares a variable for each of them,
//! and applies the parser of [`text`](genvisa::text) and the verifier of [`verify`](genvisa::verify).
//! It reports findings about bytes of the template, in which operands have the names of the
//! template. The [`rules`] of this module are about mistakes that are possible only in inline
//! assembly. The compiler does not report several of them: for example, it drops the whole template
//! if a dollar sign in it is not an operand.
//!
//! # Unknown facts
//!
//! If a type, a constant, the number of lanes or a part of the template is unknown, the rules that need
//! it are skipped, and [`Report::unknown`] lists it. For unknown numbers, several values are tried, and
//! findings that do not depend on the value are reported. Other facts are never known: whether a value is
//! uniform, as `rw.u` requires (only that [some are not](Operand::is_varying)), whether the compiler repeats
//! a template by inlining or unrolling, and the values of registers. A report without findings therefore
//! does not mean that the compiler accepts the statement.
//!
//! # Source files
//!
//! Module [`source`] finds the statements in LLVM IR, MLIR, SPIR-V, Python, and C with its dialects, and
//! connects those of a function, which share variables and labels. The command `genvisa check` checks such files.

#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;

mod assumption;
mod check;
mod checker;
mod compiled;
mod constraint;
mod constraint_string;
mod context;
mod finding;
mod foreign;
mod locals;
mod operand;
mod outputs;
mod report;
mod rules;
mod scan;
mod standin;
mod statement;
mod substitutes;
mod template;
mod ty;

pub mod source;

pub use checker::Checker;
pub use compiled::inlined_at;
pub use constraint_string::{Constraints, parse_constraints};
pub use finding::{Finding, Place, Unknown};
pub use operand::Operand;
pub use report::Report;
pub use rules::{rule, rules};
pub use statement::{Form, Lanes, Path, Statement};
pub use substitutes::Substitutes;
pub use ty::{AddressSpace, Element, Type};

/// The example of the README is tested.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

/// The examples of the guide are tested.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/inline.md")]
struct Guide;
