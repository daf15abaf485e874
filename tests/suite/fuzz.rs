//! Runs the bodies of the fuzz targets.

#[path = "../../fuzz/bodies/library.rs"]
mod bodies;

genvisa_test_support::fuzz_tests!(
    bodies::TARGETS;
    decode,
    object,
    text,
    verify,
    binary_text_binary,
    module_text_module,
    analysis,
    analysis_of_text
);
