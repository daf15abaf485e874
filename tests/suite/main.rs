//! The integration tests, one module a topic.
//!
//! Environment variables reach out of the repository:
//!
//! - `GENVISA_CORPUS` names a folder of real `.isa` files, each `NAME.isa` with the reference's
//!   disassembly in `NAME.golden/*.visaasm` where there is one. Without it the corpus tests say
//!   that they were skipped.
//! - `GENVISA_REQUIRE_ORACLE`, set to anything, makes the oracle tests fail rather than skip when
//!   `GenX_IR` (Debian's `libigc-tools`) is not installed.
//! - `GENVISA_DIFFERENTIAL_SEED` and `GENVISA_DIFFERENTIAL_CASES` are numbers: the seed of the random
//!   modules that are compared with `GenX_IR`'s text, and how many there are. A failure says its seed.

mod assembly;
mod build;
mod cli;
mod codec;
mod corpus;
mod formats;
mod fuzz;
mod malformed;
mod object;
mod oracle;
mod text;
mod vectors;
mod verify;

#[path = "../../examples/arithmetic.rs"]
mod arithmetic;
#[path = "../../examples/shader.rs"]
mod shader;
#[path = "../../examples/tour.rs"]
mod tour;
