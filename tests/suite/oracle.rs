//! Tests with GenX_IR as oracle: GenX_IR reads and prints files that this crate writes.
//!
//! Each topic is a table of instructions with the text that GenX_IR must print, written by
//! hand and compared up to white space. A topic runs in all [`VERSIONS`](fixture::VERSIONS), and
//! the [`coverage`] test checks that the topics contain every row of the instruction table.
//!
//! GenX_IR is release 1.0.12504.6, the reader that dialect `Igc2022` is named after. Today's
//! compiler is another oracle, of text: its GenX_IR in [`today`], its ocloc in [`cases_4_2`] and
//! [`generated`].

mod address_of;
mod allocation;
mod arithmetic;
mod assembled;
mod block_counts;
mod built;
mod cases_4_2;
mod constants;
mod control;
mod control_flow;
mod core;
mod coverage;
pub mod differential;
pub mod fixture;
mod generated;
mod lsc;
mod memory;
mod operands;
mod payloads;
mod predicates;
mod pressure;
mod printed_text;
mod real_text;
mod sampler;
mod seeded;
mod today;
pub mod verdicts;
mod verification;

/// Defines two tests for each topic, and a function that returns the rows of all topics.
macro_rules! topics {
    ($($topic:ident on $platform:literal,)*) => {
        mod this_crate_prints {
            $(
                #[test]
                fn $topic() {
                    super::fixture::check_own_text(super::$topic::rows);
                }
            )*
        }

        mod genx_ir_prints {
            $(
                #[test]
                #[ignore = "needs GenX_IR 12504"]
                fn $topic() {
                    super::fixture::check_genx_ir($platform, super::$topic::rows);
                }
            )*
        }

        pub fn all_rows(version: genvisa::Version) -> Vec<fixture::Row> {
            [$($topic::rows(version)),*].into_iter().flatten().collect()
        }
    };
}

topics! {
    core on "SKL",
    operands on "SKL",
    arithmetic on "SKL",
    control on "SKL",
    memory on "SKL",
    sampler on "SKL",
    lsc on "PVC",
}
