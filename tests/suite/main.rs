//! The integration tests, one module per topic.
//!
//! `tests/support` describes the environment variables that refer to files and tools outside of the
//! repository.

mod accesses;
mod allocations;
mod analysis;
mod assembly;
mod build;
mod codec;
mod corpus;
mod docs;
mod edit;
mod examples;
mod format_doc;
mod layers;
mod malformed;
mod object;
mod odd;
mod oracle;
mod properties;
mod recording;
mod serde;
mod text;
mod traces;
mod values;
mod vectors;
mod verify;

#[path = "../../fuzz/bodies/library.rs"]
mod fuzz;
#[path = "../../fuzz/bodies/edits.rs"]
mod fuzz_edits;

#[path = "../../examples/arithmetic.rs"]
mod arithmetic;
#[path = "../../examples/manual.rs"]
mod manual;
#[path = "../../examples/shader.rs"]
mod shader;
#[path = "../../examples/tour.rs"]
mod tour;
