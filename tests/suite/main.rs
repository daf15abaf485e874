//! The integration tests, one module a topic.
//!
//! Environment variables reach out of the repository:
//!
//! - `GENVISA_CORPUS` names a folder of real `.isa` files, each `NAME.isa` with the reference's
//!   disassembly in `NAME.golden/*.visaasm` where there is one. The folder `visaasm` beside it contains
//!   texts that today's compiler emits. Without them the tests that need them report that they were
//!   skipped.
//! - `GENVISA_MANUAL` names a folder with the five pages of the vISA manual, `INFO.md` and so on. Without
//!   it the tests that compare the crate with the pages report that they were skipped.
//! - `GENVISA_REQUIRE_CORPUS`, set to anything, makes these tests fail rather than skip when one of the
//!   two folders is missing.
//! - `GENVISA_REQUIRE_ORACLE`, set to anything, makes the oracle tests fail rather than skip when
//!   `GenX_IR` (Debian's `libigc-tools`) is not installed.
//! - `GENVISA_DIFFERENTIAL_SEED` and `GENVISA_DIFFERENTIAL_CASES` are numbers: the seed of the random
//!   modules that are compared with `GenX_IR`'s text, and how many there are. A failure says its seed.
//! - `GENVISA_GENX_IR_TODAY` is the path of today's `GenX_IR`, with a file `version` beside it. Without it
//!   the tests that compile text report that they were skipped. What another version than the one that
//!   they are written for says is only reported.
//! - `GENVISA_PROPERTY_SEED` and `GENVISA_PROPERTY_CASES` are numbers: the seed of the random edits in
//!   `properties` and `oracle::today`, and how many there are, in percent of the usual number.

mod accesses;
mod assembly;
mod build;
mod cli;
mod codec;
mod corpus;
mod examples;
mod formats;
mod fuzz;
mod malformed;
mod object;
mod oracle;
mod properties;
mod text;
mod vectors;
mod verify;

#[path = "../../examples/arithmetic.rs"]
mod arithmetic;
#[path = "../../examples/manual.rs"]
mod manual;
#[path = "../../examples/shader.rs"]
mod shader;
#[path = "../../examples/tour.rs"]
mod tour;
