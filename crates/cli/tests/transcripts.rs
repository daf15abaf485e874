//! Runs the commands of the transcripts, the README and the documents, and compares their output. See
//! `transcripts/README.md`.

use genvisa_test_support::repository;

#[test]
fn transcripts() {
    // This is the only test of the process.
    std::env::set_current_dir(repository("")).expect("the root of the repository");
    trycmd::TestCases::new()
        .case("crates/cli/tests/transcripts/*.trycmd")
        .case("docs/inline.md")
        .case("docs/equiv.md")
        .case("docs/run.md")
        .case("docs/tool.md")
        .case("README.md");
}
