//! What each fuzz target does with its bytes.
//!
//! The same functions run as tests on stable, with the seeds and a bounded random session
//! (`tests/suite/fuzz.rs`). They panic where a promise is broken, and only there.

use genvisa::strategy::Generate;
use genvisa::text::{self, FileListing};
use genvisa::verify::{Platform, Verifier};
use genvisa::wire::{FieldRecorder, Reader, Wire, Writer};
use genvisa::{Boundaries, Dialect, Format, Instruction, Instructions, Module, Version};
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

const DIALECTS: [Dialect; 3] = [Dialect::Manual, Dialect::Igc2022, Dialect::Igc2026];

/// A target: its name, its folder of seeds, and its body.
pub type Target = (&'static str, &'static str, fn(&[u8]));

/// Every target.
pub const TARGETS: [Target; 6] = [
    ("decode", "code", decode),
    ("object", "isa", object),
    ("text", "visaasm", text),
    ("verify", "isa", verify),
    ("binary_text_binary", "isa", binary_text_binary),
    ("module_text_module", "code", module_text_module),
];

fn formats() -> impl Iterator<Item = Format> {
    let versions = Version::ALL.iter().copied();
    versions.flat_map(|version| DIALECTS.map(|dialect| Format::new(dialect, version)))
}

/// A format by a byte, and the rest of the bytes.
fn split_format(data: &[u8]) -> Option<(Format, &[u8])> {
    let (first, rest) = data.split_first()?;
    let count = formats().count();
    Some((formats().nth(usize::from(*first) % count)?, rest))
}

/// Instructions: what decodes encodes to its bytes, and every way of walking agrees.
pub fn decode(data: &[u8]) {
    let Some((format, code)) = split_format(data) else { return };
    let mut w = Writer::new(format);
    let mut end = 0;
    let mut instructions = Instructions::new(code, format);
    let mut boundaries = Boundaries::new(code, format);
    while let Some(Ok((offset, instruction))) = instructions.next() {
        w.clear();
        instruction.encode(&mut w).expect("what was decoded can be encoded");
        end = offset + w.len();
        assert_eq!(w.bytes(), &code[offset..end], "{instruction:?}");
        let boundary = boundaries.next().expect("a boundary").expect("what decodes can be skipped");
        assert_eq!((boundary.offset, boundary.len), (offset, w.len()), "{instruction:?}");
        let _ = instruction.to_string();
    }
    assert!(end <= code.len());
    // Tracing changes nothing.
    let mut notes = FieldRecorder::default();
    let mut reader = Reader::traced(code, 0, format, &mut notes);
    let traced = Instruction::decode(&mut reader).map(|_| ());
    let plain = Instruction::decode(&mut Reader::new(code, format)).map(|_| ());
    assert_eq!(traced, plain);
}

/// Files: what is read is written back exactly.
pub fn object(data: &[u8]) {
    for dialect in DIALECTS {
        let Ok(module) = Module::from_bytes(data, dialect) else { continue };
        let again = module.to_bytes().expect("what was read can be written");
        assert!(again == data, "the file changed");
        for routine in module.routines() {
            let mut instructions = routine.instructions();
            while let Some(Ok(_)) = instructions.next() {}
        }
        let traced = Module::from_bytes_traced(data, dialect, &mut FieldRecorder::default());
        assert_eq!(traced.as_ref(), Ok(&module));
    }
}

/// Any bytes as text: diagnostics lie within it, and what assembles prints and assembles again.
pub fn text(data: &[u8]) {
    for format in [Format::igc2022(Version::V3_6), Format::igc2026(Version::V4_1)] {
        match text::parse(data, format) {
            Ok(module) => {
                let _ = module.to_bytes();
                same_from_text(&module);
            }
            Err(diagnostics) => {
                assert!(!diagnostics.is_empty());
                for diagnostic in diagnostics {
                    let span = &diagnostic.span;
                    assert!(span.start <= span.end && span.end <= data.len(), "{diagnostic:?}");
                    let _ = (
                        diagnostic.to_string(),
                        diagnostic.line_and_column().expect("the source is attached"),
                    );
                }
            }
        }
    }
    if let Ok(printed) = text::reformat(data) {
        assert_eq!(text::reformat(printed.as_bytes()).as_ref(), Ok(&printed));
    }
}

/// Files through the verifier, on every platform.
pub fn verify(data: &[u8]) {
    let Ok(module) = Module::from_bytes(data, Dialect::Igc2022) else { return };
    let unknown = Verifier::new().check_module(&module);
    for finding in &unknown {
        let _ = finding.to_string();
    }
    for platform in Platform::ALL {
        let _ = Verifier::new().with_platform(*platform).check_module(&module);
    }
}

/// Files through text: the same module, and with its machine code the same bytes.
pub fn binary_text_binary(data: &[u8]) {
    for dialect in DIALECTS {
        let Ok(module) = Module::from_bytes(data, dialect) else { continue };
        if same_from_text(&module) {
            let text = printed(&module).unwrap_or_default();
            let Ok(again) = text::parse(&text, module.format) else { continue };
            let again = again.with_gen_binaries_of(&module).to_bytes();
            assert!(again.as_deref() == Ok(data), "the bytes changed:\n{text}");
        }
    }
}

/// Modules that the bytes choose, through bytes and through text.
pub fn module_text_module(data: &[u8]) {
    let Some((format, entropy)) = split_format(data) else { return };
    // The bytes as they are would run out, and generators that reject values never end on zeros.
    let mut seed = [0u8; 32];
    for (i, byte) in entropy.iter().enumerate() {
        let at = &mut seed[i % 32];
        *at = at.rotate_left(3) ^ byte;
    }
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &seed);
    let mut runner = TestRunner::new_with_rng(Config::default(), rng);
    let Ok(tree) = <Module<'static>>::strategy(format).new_tree(&mut runner) else { return };
    let module = tree.current();
    assert!(same_from_text(&module), "legal code prints");
    if let Ok(file) = module.to_bytes() {
        let read = Module::from_bytes(&file, format.dialect).expect("what was written can be read");
        assert_eq!(read, module);
    }
}

fn printed(module: &Module<'_>) -> Option<String> {
    let mut text = String::new();
    FileListing::new(module).write_to(&mut text).ok()?;
    Some(text)
}

/// Whether the module prints; if it does, it must come back from its text.
fn same_from_text(module: &Module<'_>) -> bool {
    let Some(text) = printed(module) else { return false };
    let again = text::parse(&text, module.format)
        .unwrap_or_else(|diagnostics| panic!("{}\n{text}", diagnostics[0]));
    let again = again.with_gen_binaries_of(module);
    assert!(again == *module, "the module changed:\n{text}");
    true
}
