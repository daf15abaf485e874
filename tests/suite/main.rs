//! The integration tests, one module a topic.
//!
//! Two environment variables reach out of the repository:
//!
//! - `GENVISA_CORPUS` names a folder of real `.isa` files, each `NAME.isa` with the reference's
//!   disassembly in `NAME.golden/*.visaasm` where there is one. Without it the corpus tests say
//!   that they were skipped.
//! - `GENVISA_REQUIRE_ORACLE`, set to anything, makes the oracle tests fail rather than skip when
//!   `GenX_IR` (Debian's `libigc-tools`) is not installed.

mod assembly;
mod cli;
mod codec;
mod corpus;
mod formats;
mod malformed;
mod object;
mod oracle;
mod text;
mod vectors;

#[path = "../../examples/tour.rs"]
mod tour;
