//! Modules survive their text.

use std::fs;

use genvisa::object::{Align, Code, FileScopeVar, Function, GenBinary, Kernel, Linkage, Reloc};
use genvisa::operand::DataType;
use genvisa::strategy::Generate;
use genvisa::text::{FileListing, Style, parse, stated_versions};
use genvisa::{Dialect, Format, Module, Version};
use genvisa_test_support::random::{cases, runner};
use genvisa_test_support::{corpus, formats};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::test_runner::TestCaseError;

use super::explained;

/// Returns the complete text of a module.
fn file_text(module: &Module<'_>) -> String {
    let mut text = String::new();
    FileListing::new(module).write_to(&mut text).expect("legal code");
    text
}

fn assembled(source: &str, format: Format, place: &str) -> Module<'static> {
    parse(source, format)
        .unwrap_or_else(|diagnostics| panic!("{place}:\n{}", explained(source, &diagnostics)))
}

/// GEN binaries are copied from the file; everything else is in the text.
#[test]
#[ignore = "needs the corpus"]
fn files_survive_text_byte_for_byte() {
    let mut bytes = 0;
    let files = corpus::required_files();
    for path in &files {
        let file = fs::read(path).expect("a readable file");
        let module = Module::from_bytes(&file, Dialect::Igc2022).expect("a vISA object");
        let source = file_text(&module);
        let (stated, place) = (module.format.version, path.display().to_string());
        assert_eq!(stated_versions(&source)[0].binary(), Some(stated), "{place}");
        let again = assembled(&source, module.format, &place);
        assert!(again.kernels.iter().all(|kernel| kernel.gen_binaries.is_empty()), "{place}");
        let again = again.with_gen_binaries_of(&module);
        for (again, routine) in again.routines().zip(module.routines()) {
            let place = format!("{place}, {}", routine.name);
            assert_eq!(again.body.strings, routine.body.strings, "{place}");
            assert_eq!(again.body, routine.body, "{place}");
            assert_eq!(again.inputs, routine.inputs, "{place}");
        }
        assert!(again == module, "{place}: the module differs");
        assert!(again.to_bytes().as_ref() == Ok(&file), "{place}: the bytes differ");
        // The text does not change when it is printed again.
        assert!(file_text(&again) == source, "{place}: the text differs");
        bytes += source.len();
    }
    eprintln!("{} files, {bytes} bytes of text", files.len());
}

/// Prints and parses a module.
fn reparse(module: &Module<'_>) -> Result<Module<'static>, TestCaseError> {
    let source = file_text(module);
    let again = parse(&source, module.format).map_err(|diagnostics| {
        TestCaseError::fail(format!("{}\n{source}", explained(&source, &diagnostics)))
    })?;
    prop_assert_eq!(again.format, module.format);
    Ok(again)
}

#[test]
fn generated_modules_survive_text() {
    let mut failures = Vec::new();
    for (salt, format) in formats::all().into_iter().enumerate() {
        let result =
            runner(cases(30) as u32, salt).run(&<Module<'static>>::strategy(format), |module| {
                let again = reparse(&module)?;
                let again = again.with_gen_binaries_of(&module);
                prop_assert!(again == module, "{}", file_text(&module));
                Ok(())
            });
        if let Err(error) = result {
            failures.push(format!("{format}: {error}"));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// Bytes after the last section, and sections in reverse order.
#[test]
fn section_order_and_padding_survive_text() {
    for (salt, format) in formats::all().into_iter().enumerate() {
        let strategy = (<Module<'static>>::strategy(format), vec(any::<u8>(), 0..4), any::<bool>());
        let result =
            runner(cases(15) as u32, salt).run(&strategy, |(mut module, padding, reversed)| {
                for body in module.bodies_mut() {
                    body.code = Code::default();
                }
                let Ok(mut file) = module.to_bytes() else { return Ok(()) };
                file.extend(padding);
                let read = Module::from_bytes(&file, format.dialect).expect("it was written");
                let source = file_text(&read);
                if reversed {
                    let (kernels, functions) = (module.kernels.len(), &module.functions);
                    let functions = functions.iter().enumerate().rev();
                    let functions = functions.filter(|(_, function)| function.definition.is_some());
                    let order: String = functions.map(|(i, _)| format!(" function {i}")).collect();
                    let order: String =
                        (0..kernels).rev().map(|i| format!(" kernel {i}")).collect::<String>()
                            + &order;
                    let source: String = source
                        .lines()
                        .filter(|line| !line.starts_with("//@ sections"))
                        .map(|line| format!("{line}\n"))
                        .collect();
                    let source = format!("//@ sections{order} padding = 01 02\n{source}");
                    let module = assembled(&source, format, "reversed");
                    let file = module.to_bytes().expect("as before");
                    let read = Module::from_bytes(&file, format.dialect).expect("it was written");
                    prop_assert!(read.padding().eq([&[1, 2]]));
                    prop_assert_eq!(reparse(&read)?.to_bytes(), Ok(file));
                } else {
                    let again = reparse(&read)?.with_gen_binaries_of(&read);
                    prop_assert!(again.to_bytes().as_ref() == Ok(&file), "{}", source);
                }
                Ok(())
            });
        result.unwrap_or_else(|error| panic!("{format}: {error}"));
    }
}

/// The functions are not in the order that follows from the text.
#[test]
fn annotations_of_the_file_are_printed_as_documented() {
    let format = Format::igc2022(Version::V3_2);
    let mut module = Module::new(format);
    let mut kernel = Kernel::new("k");
    kernel.variable_relocs = vec![Reloc { symbolic_index: 3, resolved_index: 4 }; 2];
    kernel.function_relocs = vec![Reloc { symbolic_index: 0, resolved_index: 1 }];
    kernel.gen_binaries = vec![GenBinary::new(5, vec![1, 2, 3])];
    module.kernels.push(kernel);
    let declared = Function { definition: None, ..Function::new("f") };
    let defined = Function { linkage: Linkage::STATIC, ..Function::new("g") };
    module.functions = vec![declared, defined];
    module.file_scope_vars.push(FileScopeVar {
        linkage: Linkage::GLOBAL,
        name: "v".into(),
        ty: DataType::D,
        align: Align::GRF,
        num_elements: 8,
        attributes: Vec::new(),
    });
    let mut file = module.to_bytes().expect("a small module");
    file.push(0);
    let module = Module::from_bytes(&file, Dialect::Igc2022).expect("just written");
    let source = file_text(&module);
    let head = "\
//@ extern \"f\" at=0
//@ file_variable = 02 01 00 76 51 08 00 00
//@ sections function 1 kernel 0 binary 0 0 padding = 00

.version 3.2
.kernel \"k\"
.funcdecl \"f\"
.funcdecl \"g\"
//@ relocs variable 3:4 3:4
//@ relocs function 0:1=\"g\"
";
    assert!(source.starts_with(head), "{source}");
    assert!(source.contains("\n.global_function \"g\" //@ linkage=1\n"), "{source}");
    let again = assembled(&source, format, "the head");
    assert_eq!(again.kernels[0].gen_binaries, []);
    assert_eq!(again.with_gen_binaries_of(&module).to_bytes(), Ok(file.clone()));
    // GenX_IR style has no annotations.
    let mut text = String::new();
    let listing = FileListing::new(&module).with_style(Style::GenXIr);
    listing.write_to(&mut text).expect("legal code");
    assert!(text.starts_with(".version 3.2\n") && !text.contains("//@"), "{text}");
}

#[test]
fn rejects_annotations_of_the_file_without_effect() {
    let cases = [
        ("//@ extern f", "expected a string in quotes, found `f`"),
        ("//@ extern \"f\" name=1", "expected `at` or `linkage`, found `name`"),
        ("//@ file_variable 1 = 00", "expected `=` and bytes, found `1`"),
        ("//@ relocs variable 0:0", "`//@ relocs` must follow the start of a routine"),
        (
            "//@ extern \"f\"\n//@ relocs label 0:0",
            "expected `variable` or `function`, found `label`",
        ),
        ("//@ sections kernel 0 kernel 0", "this section is specified more than once"),
        (
            "//@ sections label 0",
            "expected `kernel`, `function`, `binary` or `padding`, found `label`",
        ),
        ("//@ unnamed", "`//@ unnamed` must follow the start of a routine"),
        (
            ".version 3.6\n.kernel \"j\"\n//@ sections",
            "`//@ sections` must precede the first routine",
        ),
    ];
    for (head, expected) in cases {
        let source = format!("{head}\n.version 3.6\n.kernel \"k\"\n    ret (M1, 1)\n");
        let diagnostics = parse(&source, Format::default()).expect_err(head);
        assert_eq!(diagnostics[0].to_string(), expected, "{head}");
    }
}

/// Kernels are matched by name.
#[test]
fn gen_binaries_are_copied_by_kernel_name() {
    let with = |names: &[(&str, u8)]| {
        let mut module = Module::new(Format::default());
        for (name, byte) in names {
            let mut kernel = Kernel::new(name);
            kernel.gen_binaries.push(GenBinary::new(5, vec![*byte]));
            module.kernels.push(kernel);
        }
        module
    };
    let taken = with(&[("b", 0), ("a", 0), ("a", 0), ("c", 0)]).with_gen_binaries_of(&with(&[
        ("a", 1),
        ("b", 2),
        ("a", 3),
        ("d", 4),
    ]));
    let binaries: Vec<_> =
        taken.kernels.iter().map(|k| k.gen_binaries.first().map(|b| b.bytes[0])).collect();
    assert_eq!(binaries, [Some(2), Some(1), Some(3), None]);
}
