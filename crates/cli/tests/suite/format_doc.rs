//! The examples in `docs/format.md` are output of `genvisa explain`.

use genvisa::{Dialect, Module};
use genvisa_test_support::repository;

/// A block of the output of `genvisa explain`.
struct Explained {
    /// The text after `explain` in the line that opens the block.
    options: String,
    text: String,
}

/// Returns the blocks of the document.
fn explained() -> Vec<Explained> {
    let doc = std::fs::read_to_string(repository("docs/format.md")).expect("a document");
    let blocks = doc.split("\n```explain").skip(1).map(|rest| {
        let (options, rest) = rest.split_once('\n').expect("the end of the line");
        let (text, _) = rest.split_once("```").expect("the end of the block");
        Explained { options: options.trim().into(), text: text.into() }
    });
    blocks.collect()
}

/// Returns the bytes of a block, which fill a file without a gap.
fn bytes_of(explained: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    for line in explained.lines().filter(|line| line.starts_with("  0x")) {
        let (offset, rest) = line.trim_start().split_at("0x000000".len());
        let offset = usize::from_str_radix(&offset[2..], 16).expect("an offset");
        assert_eq!(offset, bytes.len(), "{line}");
        let rest = rest.strip_prefix("  ").expect("two spaces");
        let digits = rest.split(' ').take_while(|word| {
            word.len() == 2 && word.bytes().all(|byte| byte.is_ascii_hexdigit())
        });
        bytes.extend(digits.map(|word| u8::from_str_radix(word, 16).expect("two digits")));
    }
    bytes
}

#[test]
fn examples_equal_the_output_of_explain() {
    let blocks = explained();
    assert!(blocks.iter().any(|block| block.options.is_empty()), "no file is explained");
    for block in &blocks {
        let bytes = bytes_of(&block.text);
        let mut tool = crate::tool();
        tool.arg("explain");
        let folder = tempfile::tempdir().expect("a temporary folder");
        if block.options.is_empty() {
            let module =
                Module::from_bytes(&bytes, Dialect::Igc2022).expect("the example is a file");
            assert_eq!(module.to_bytes().expect("it can be written"), bytes);
            let path = folder.path().join("example.isa");
            std::fs::write(&path, &bytes).expect("a temporary file");
            tool.arg(path);
        } else {
            let digits: Vec<String> = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
            tool.args(block.options.split(' ')).arg(digits.join(" "));
        }
        let output = tool.output().expect("the tool runs");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let text = String::from_utf8_lossy(&output.stdout);
        assert_eq!(text.trim_end(), block.text.trim_end());
    }
}
