//! Runs the bodies of the fuzz targets.

#[path = "../../../../fuzz/bodies/inline.rs"]
mod bodies;

genvisa_test_support::fuzz_tests!(
    bodies::TARGETS;
    inline_template,
    inline_c,
    inline_llvm,
    inline_mlir,
    inline_spirv
);
