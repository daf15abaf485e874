//! The fuzz targets: the functions in `bodies`, and the parts of the packages' tests that they use.
//!
//! The modules have the same paths as in the tests of the packages.

#![allow(dead_code, unused_imports)]

#[path = "bodies"]
mod bodies {
    pub mod containers;
    pub mod diff;
    pub mod edits;
    pub mod inline;
    pub mod interp;
    pub mod language_server;
    pub mod library;
}

#[path = "../tests/suite/edit"]
mod edit {
    pub mod random;
}

#[path = "../crates/diff/tests/suite"]
mod diff {
    pub mod applied;
    pub mod permute;
    #[path = "seeded/edits.rs"]
    pub mod text_edits;
}
use diff::{applied, permute, text_edits};

#[path = "../crates/inline/tests/suite"]
mod inline {
    pub mod catalogue;
    pub mod insertions;
}
use inline::{catalogue, insertions};

#[path = "../crates/interp/tests/suite"]
mod interp {
    pub mod generated;
    pub mod support;
}
use interp::{generated, support};

#[path = "../crates/lsp/tests/suite"]
mod lsp {
    pub mod requests;
}
use lsp::requests;

#[path = "../crates/cli/tests/suite/extract"]
mod extract {
    pub mod elf {
        pub mod builder;
    }
}

/// Returns the function of a target.
///
/// # Panics
/// Panics if there is no such target.
pub fn body(name: &str) -> fn(&[u8]) {
    use bodies::{containers, diff, edits, inline, interp, language_server, library};
    let all = [
        containers::TARGETS,
        diff::TARGETS,
        edits::TARGETS,
        inline::TARGETS,
        interp::TARGETS,
        language_server::TARGETS,
        library::TARGETS,
    ];
    let mut targets = all.into_iter().flatten();
    let target = targets.find(|(target, ..)| *target == name);
    target.unwrap_or_else(|| panic!("no target `{name}`")).2
}
