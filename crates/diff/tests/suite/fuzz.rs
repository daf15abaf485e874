//! Runs the bodies of the fuzz targets.

#[path = "../../../../fuzz/bodies/diff.rs"]
mod bodies;

genvisa_test_support::fuzz_tests!(
    bodies::TARGETS;
    diff,
    diff_of_text
);
