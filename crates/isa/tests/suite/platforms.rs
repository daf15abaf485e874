//! The platforms that instructions are compiled for.

use genvisa::Platform;

/// The platforms, with their names for GenX_IR.
const ALL: [(Platform, &str); 4] = [
    (Platform::Tgllp, "TGLLP"),
    (Platform::Dg2, "DG2"),
    (Platform::PvcXt, "PVCXT"),
    (Platform::Xe2, "XE2"),
];

/// Returns the platforms that the instruction of a row is compiled for, with their names: one of them, which the next
/// row does not have, or all if `GENVISA_PLATFORMS` says so.
pub fn of_row(index: usize) -> &'static [(Platform, &'static str)] {
    match std::env::var("GENVISA_PLATFORMS") {
        Ok(platforms) if platforms == "all" => &ALL,
        _ => std::slice::from_ref(&ALL[index % ALL.len()]),
    }
}
