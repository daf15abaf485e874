//! Tests of the checker of inline assembly.

mod c;
mod catalogue;
mod compiled;
mod explanations;
mod insertions;
mod kernels;
mod llvm;
mod long;
mod machines;
mod mlir;
mod oracle;
#[cfg(feature = "python")]
mod python;
mod rules;
mod spirv;
mod substitutes;
mod targets;

#[path = "../../../../fuzz/bodies/inline.rs"]
mod fuzz;

use genvisa_inline::Statement;
use genvisa_inline::source::{Block, Content, Source};

/// Returns the only block of a source.
fn only_block(source: &Source) -> &Block {
    assert_eq!(source.error, None);
    match &source.blocks[..] {
        [block] => block,
        blocks => panic!("{} blocks", blocks.len()),
    }
}

/// Returns the statement of a block of vISA.
fn statement(block: &Block) -> &Statement {
    match &block.content {
        Content::Visa(statement) => statement,
        content => panic!("{content:?}"),
    }
}

fn template(block: &Block) -> &str {
    core::str::from_utf8(&statement(block).template).expect("UTF-8")
}

/// A body that needs another feature would do nothing in its target.
#[test]
fn the_package_of_fuzz_targets_has_the_features_of_their_bodies() {
    let features = genvisa_test_support::fuzz::features();
    assert!(!features.is_empty());
    for (feature, is_default) in features {
        assert!(is_default, "{feature}");
    }
}
