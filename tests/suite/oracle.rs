//! The reference as oracle: GenX_IR reads what this crate writes, and prints what was meant.
//!
//! Each topic is a table of instructions, each with the text that the reference must print for it,
//! written by hand. A topic runs in all [`VERSIONS`](fixture::VERSIONS), and the
//! [`coverage`] test sees to it that the topics forget no row of the instruction table.
//!
//! The text is that of release 1.0.12504.6, the reader that dialect `Igc2022` is named for. Text is
//! compared up to white space.

mod arithmetic;
mod assembled;
mod built;
mod control;
mod core;
mod coverage;
pub mod differential;
mod disagreements;
pub mod fixture;
pub mod genx_ir;
mod lsc;
mod memory;
mod operands;
mod sampler;
mod today;
mod verification;

/// A test for each topic, and a function that collects all topics' rows.
macro_rules! topics {
    ($($topic:ident on $platform:literal,)*) => {
        mod the_reference_prints {
            $(
                #[test]
                fn $topic() {
                    super::fixture::check_versions($platform, super::$topic::rows);
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
