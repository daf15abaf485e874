//! The fuzz targets of the library. They panic if a guarantee of the crate does not hold.
//!
//! `cargo test` runs them on stable Rust, with the seeds and with random data.

use genvisa::Platform;
use genvisa::RegisterSize;
use genvisa::analysis::{Analysis, Statistics};
use genvisa::strategy::Generate;
use genvisa::text::Document;
use genvisa::text::{self, Errors, FileListing};
use genvisa::verify::Verifier;
use genvisa::wire::{FieldRecorder, Reader, Wire, Writer};
use genvisa::{Boundaries, Dialect, Format, Instruction, Instructions, Module, Version};
use genvisa_test_support::random::runner_from_data;
use proptest::strategy::{Strategy, ValueTree};

const DIALECTS: [Dialect; 3] = [Dialect::Manual, Dialect::Igc2022, Dialect::Igc2026];

genvisa_test_support::fuzz_targets! {
    decode: "seeds/code",
    object: "seeds/isa",
    text: "seeds/visaasm",
    verify: "seeds/isa",
    binary_text_binary: "seeds/isa",
    module_text_module: "seeds/choices",
    analysis: "seeds/isa",
    analysis_of_text: "seeds/visaasm",
}

/// Every routine of a file that can be decoded can be analysed.
pub fn analysis(data: &[u8]) {
    if let Ok(module) = Module::from_bytes(data, Dialect::Igc2022) {
        analyse(&module);
    }
}

/// The same for text.
pub fn analysis_of_text(data: &[u8]) {
    let Some((format, source)) = split_format(data) else { return };
    if let Ok(module) = text::parse(source, format) {
        analyse(&module);
    }
}

fn analyse(module: &Module<'_>) {
    for routine in module.routines() {
        for registers in [RegisterSize::Bytes32, RegisterSize::Bytes64] {
            let Ok(analysis) = Analysis::new(&routine, registers) else { continue };
            let statistics = Statistics::new(&routine, &analysis);
            assert_eq!(statistics.instructions as usize, analysis.instructions.len());
            let pressure = analysis.liveness.pressure();
            assert_eq!(pressure.len(), analysis.instructions.len());
            for (at, pressure) in pressure.iter().enumerate().take(8) {
                let live = analysis.liveness.live_at(at);
                assert!(live.map(|live| live.registers).sum::<u32>() <= pressure.registers);
            }
        }
    }
}

/// Returns all formats. That of text without a binary form is the last.
fn formats() -> impl Iterator<Item = Format> {
    let versions = Version::BINARY.iter().copied();
    let with_files =
        versions.flat_map(|version| DIALECTS.map(|dialect| Format::new(dialect, version)));
    with_files.chain([Format::V4_2])
}

/// Returns the format that the first byte selects, and the other bytes.
fn split_format(data: &[u8]) -> Option<(Format, &[u8])> {
    let (first, rest) = data.split_first()?;
    let count = formats().count();
    Some((formats().nth(usize::from(*first) % count)?, rest))
}

/// Instructions that can be decoded are encoded to the same bytes. Boundaries and traces agree with
/// decoding.
pub fn decode(data: &[u8]) {
    let Some((format, code)) = split_format(data) else { return };
    let mut w = Writer::new(format);
    let mut end = 0;
    let mut instructions = Instructions::new(code, format);
    let mut boundaries = Boundaries::new(code, format);
    while let Some(Ok((offset, instruction))) = instructions.next() {
        w.clear();
        instruction.encode(&mut w).expect("a decoded instruction can be encoded");
        end = offset + w.len();
        assert_eq!(w.bytes(), &code[offset..end], "{instruction:?}");
        let boundary =
            boundaries.next().expect("a boundary").expect("a decodable instruction can be skipped");
        assert_eq!((boundary.offset, boundary.len), (offset, w.len()), "{instruction:?}");
        let _ = instruction.to_string();
    }
    assert!(end <= code.len());
    // A trace does not change the result.
    let mut recorder = FieldRecorder::default();
    let mut reader = Reader::traced(code, 0, format, &mut recorder);
    let traced = Instruction::decode(&mut reader).map(|_| ());
    let untraced = Instruction::decode(&mut Reader::new(code, format)).map(|_| ());
    assert_eq!(traced, untraced);
}

/// Files that can be read are written back exactly. A file with other bytes after it is read the same.
pub fn object(data: &[u8]) {
    for dialect in DIALECTS {
        if let Ok((module, size)) = Module::from_prefix(data, dialect) {
            assert_eq!(Module::from_bytes(&data[..size], dialect), Ok(module));
        }
        let Ok(module) = Module::from_bytes(data, dialect) else { continue };
        let again = module.to_bytes().expect("a module that was read can be written");
        assert!(again == data, "the file changed");
        for routine in module.routines() {
            let mut instructions = routine.instructions();
            while let Some(Ok(_)) = instructions.next() {}
        }
        let traced = Module::from_bytes_traced(data, dialect, &mut FieldRecorder::default());
        assert_eq!(traced.as_ref(), Ok(&module));
    }
}

/// Diagnostics of any text have spans within it. A module from text survives printing and parsing.
pub fn text(data: &[u8]) {
    for format in [Format::igc2022(Version::V3_6), Format::igc2026(Version::V4_1), Format::V4_2] {
        let parsed = text::parse(data, format);
        partial_agrees(data, format, &parsed);
        match parsed {
            Ok(module) => {
                let bytes = module.to_bytes();
                assert!(bytes.is_err() || format != Format::V4_2, "4.2 has no binary form");
                survives_text(&module);
                verify_on_all_platforms(&module);
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

/// The routines without errors are those of the whole text, or errors are in the omitted routines.
fn partial_agrees(data: &[u8], format: Format, parsed: &Result<Module<'_>, Errors>) {
    let partial = Document::parse(data, format);
    let errors = match parsed {
        Ok(module) => {
            assert!(partial.module == *module && partial.omitted.is_empty() && partial.is_readable);
            assert!(partial.errors.is_empty() && partial.duplicates.is_empty());
            return;
        }
        Err(errors) => errors,
    };
    assert_eq!(errors.len(), (partial.errors.len() + partial.duplicates.len()).min(100));
    if !partial.is_readable {
        return;
    }
    let mut end = 0;
    for routine in &partial.omitted {
        assert!(end <= routine.span.start && routine.span.end <= data.len(), "{routine:?}");
        end = routine.span.end;
    }
    let mut wrong = partial.omitted.iter().filter(|routine| routine.has_errors).peekable();
    for error in &partial.errors {
        while wrong.next_if(|routine| routine.span.end < error.span.end).is_some() {}
        let routine = wrong.peek().expect("an error is in an omitted routine");
        assert!(routine.span.start <= error.span.start, "{error:?}");
    }
    survives_text(&partial.module);
}

/// The verifier accepts any file, with and without a platform.
pub fn verify(data: &[u8]) {
    let Ok(module) = Module::from_bytes(data, Dialect::Igc2022) else { return };
    verify_on_all_platforms(&module);
}

fn verify_on_all_platforms(module: &Module<'_>) {
    let findings = Verifier::new().check_module(module);
    for finding in &findings {
        let _ = finding.to_string();
    }
    for platform in Platform::ALL {
        let _ = Verifier::new().with_platform(*platform).check_module(module);
    }
}

/// Files converted to text and back have the same bytes, with the GEN binaries of the original.
pub fn binary_text_binary(data: &[u8]) {
    for dialect in DIALECTS {
        let Ok(module) = Module::from_bytes(data, dialect) else { continue };
        if survives_text(&module) {
            let text = printed(&module).unwrap_or_default();
            let Ok(again) = text::parse(&text, module.format) else { continue };
            let again = again.with_gen_binaries_of(&module).to_bytes();
            assert!(again.as_deref() == Ok(data), "the bytes changed:\n{text}");
        }
    }
}

/// Random modules, generated from the bytes, survive text and bytes.
pub fn module_text_module(data: &[u8]) {
    let Some((format, entropy)) = split_format(data) else { return };
    let mut runner = runner_from_data(entropy);
    let Ok(tree) = <Module<'static>>::strategy(format).new_tree(&mut runner) else { return };
    let module = tree.current();
    assert!(survives_text(&module), "a generated module can be printed");
    if let Ok(file) = module.to_bytes() {
        let read = Module::from_bytes(&file, format.dialect).expect("a written file can be read");
        assert_eq!(read, module);
    }
}

/// Returns the text of a file, unless it contains code that cannot be printed.
fn printed(module: &Module<'_>) -> Option<String> {
    let mut text = String::new();
    FileListing::new(module).write_to(&mut text).ok()?;
    Some(text)
}

/// Returns whether the module can be printed. Panics if its text is not parsed to the same module.
fn survives_text(module: &Module<'_>) -> bool {
    let Some(text) = printed(module) else { return false };
    let again = text::parse(&text, module.format)
        .unwrap_or_else(|diagnostics| panic!("{}\n{text}", diagnostics[0]));
    let again = again.with_gen_binaries_of(module);
    assert!(again == *module, "the module changed:\n{text}");
    true
}
