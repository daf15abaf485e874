//! Object files: reading, writing and round trips of unusual files.

use genvisa::isa::{Fret, Mov, Ret};
use genvisa::object::{
    AliasScope, Align, Attribute, Body, Code, FileScopeVar, Function, GenBinary, Input, InputClass,
    InputKind, Kernel, LabelInfo, LabelKind, Linkage, Module, Name, Reloc, SimpleVariable,
    Variable,
};
use genvisa::operand::{DataType, Dst, ExecSize, Imm, Pred, StringId, SurfaceId, VarId};
use genvisa::text::{FileListing, parse};
use genvisa::wire::FieldRecorder;
use genvisa::{Dialect, ErrorKind, Format, Instruction, Version};

use crate::tour;

fn ret() -> Instruction {
    Ret { exec: ExecSize::S1.into(), pred: Pred::NONE }.into()
}

/// Returns a module that uses every table.
fn module_with_every_table(format: Format) -> Module<'static> {
    let mut kernel = Kernel::new("everything");
    let body = &mut kernel.body;
    let base = body.add_variable("base", DataType::UD, 64, Align::GRFX2);
    let alias = body.add_variable("", DataType::HF, 8, Align::BYTE);
    let name = body.intern("Note");
    body.variables[1] = Variable {
        alias: base,
        alias_offset: 12,
        alias_scope: AliasScope::FILE,
        attributes: vec![
            Attribute::flag(name),
            Attribute::integer(name, 5),
            Attribute::integer(name, -300),
            Attribute::integer(name, 70_000),
            Attribute::string(name, "twelve bytes"),
        ],
        ..body.variables[1].clone()
    };
    body.add_address("a", 4).expect("an id");
    body.add_predicate("p", 16).expect("an id");
    body.add_sampler("s").expect("an id");
    body.add_surface("t").expect("an id");
    body.add_label("l", LabelKind::SUBROUTINE).expect("an id");
    body.add_label("m", LabelKind::DIVERGENT_RESOURCE_LOOP).expect("an id");
    body.attributes.push(Attribute::string(name, "asm"));
    kernel.inputs = vec![
        Input {
            kind: InputKind::explicit(InputClass::GENERAL),
            index: alias.0,
            offset: 64,
            size: 16,
        },
        // A surface with an implicit kind that has no name, as in real files.
        Input { kind: InputKind::from_bits(42), index: 6, offset: -4, size: 4 },
    ];
    kernel.body.code = Code::from_instructions(
        &[
            Mov {
                exec: ExecSize::S8.into(),
                pred: Pred::NONE,
                dst: Dst::new(base),
                src0: Imm::ud(7).into(),
            }
            .into(),
            ret(),
        ],
        format,
    )
    .expect("legal");
    kernel.variable_relocs = vec![Reloc { symbolic_index: 3, resolved_index: 3 }];
    kernel.function_relocs = vec![Reloc { symbolic_index: 0, resolved_index: 1 }; 2];
    kernel.gen_binaries = vec![GenBinary::new(5, vec![1, 2, 3]), GenBinary::new(12, Vec::new())];

    let mut function = Function::new("helper");
    function.linkage = Linkage::GLOBAL;
    let definition = function.definition.as_mut().expect("a new function has one");
    definition.input_size = 3;
    definition.return_value_size = 1;
    let fret = Fret { exec: ExecSize::S16.into(), pred: Pred::NONE }.into();
    definition.body.code = Code::from_instructions(&[fret], format).expect("legal");
    let mut elsewhere = Function::new("elsewhere");
    elsewhere.definition = None;

    let mut module = Module::new(format);
    module.kernels = vec![kernel, Kernel::new("empty")];
    module.functions = vec![function, elsewhere];
    module.file_scope_vars = vec![FileScopeVar {
        linkage: Linkage::GLOBAL,
        name: Name::from("table"),
        ty: DataType::W,
        align: Align::GRF,
        num_elements: 32,
        attributes: vec![Attribute::flag(name)],
    }];
    module
}

#[test]
fn every_table_round_trips_in_every_version() {
    for &version in Version::BINARY {
        let format = Format::igc2022(version);
        let built = module_with_every_table(format);
        let file = built.to_bytes().unwrap_or_else(|error| panic!("{version}: {error}"));
        let read = Module::from_bytes(&file, Dialect::Igc2022)
            .unwrap_or_else(|error| panic!("{version}: {error}"));
        assert_eq!(read.to_bytes().as_ref(), Ok(&file), "{version}");
        assert_eq!(read, built, "{version}");
        let names: Vec<String> = read.routines().map(|r| r.name.to_string()).collect();
        assert_eq!(names, ["everything", "empty", "helper"]);
    }
}

/// The bytes are written by hand after docs/format.md, 2.1, 2.2 and 2.5.
#[test]
#[rustfmt::skip]
fn small_module_has_the_documented_bytes() {
    let format = Format::igc2022(Version::V3_6);
    let mut kernel = Kernel::new("k");
    kernel.body.add_variable("", DataType::F, 8, Align::GRF);
    kernel.body.code = Code::from_instructions(&[ret()], format).expect("legal");
    let mut module = Module::new(format);
    module.kernels.push(kernel);
    let expected = [
        b'C', b'I', b'S', b'A', 3, 6, // magic, version
        1, 0, // num_kernels
        1, b'k', // name_len is a byte before 3.7
        31, 0, 0, 0, // offset
        63, 0, 0, 0, // size: 59 bytes of tables, 4 of code
        73, 0, 0, 0, // input_offset: 31 + 42
        0, 0, 0, 0, 0, // relocs, GEN binaries
        0, 0, 0, 0, // file-scope variables, functions
        // the body
        2, 0, 0, 0, 0, b'k', 0, // two strings
        1, 0, 0, 0, // its name
        1, 0, 0, 0, // one variable
        0, 0, 0, 0, 0x57, 8, 0, 0, 0, 0, 0, 0, 0, 0, 0, // no name, f and GRF, 8, no alias
        0, 0, 0, 0, 0, 0, // addresses, predicates, labels
        0, 0, 0, // samplers, surfaces, VMEs
        0, 0, 0, 0, // inputs, counted in four bytes since 3.5
        4, 0, 0, 0, // size of the code
        53, 0, 0, 0, // entry
        0, 0, // attributes
        0x34, 0x00, 0, 0, // ret (M1, 1)
    ];
    let mut expected = expected.to_vec();
    let tables = expected.len() - 31 - 4;
    // The three fields that depend on the sizes above.
    expected[14] = (tables + 4) as u8;
    expected[18] = (expected.len() - 4 - 2 - 8 - 4) as u8;
    let entry = expected.len() - 10;
    expected[entry] = tables as u8;
    assert_eq!(module.to_bytes(), Ok(expected));
}

#[test]
fn rejects_names_that_are_too_long_for_the_version() {
    let long = "n".repeat(300);
    for (version, fits) in [(Version::V3_6, false), (Version::V3_7, true), (Version::V4_1, true)] {
        let mut module = Module::new(Format::igc2022(version));
        module.kernels.push(Kernel::new(&long));
        let file = module.to_bytes();
        assert_eq!(file.is_ok(), fits, "{version}");
        match file {
            Ok(file) => {
                let read = Module::from_bytes(&file, Dialect::Igc2022).expect("just written");
                assert_eq!(read.kernels[0].name, *long);
            }
            Err(error) => {
                assert!(matches!(error.kind(), ErrorKind::OutOfRange { value: 300, max: 255, .. }));
            }
        }
    }
}

#[test]
fn rejects_ids_of_four_bytes_before_3_4() {
    let mut module = Module::new(Format::igc2022(Version::V3_3));
    module.kernels.push(Kernel::new("k"));
    module.kernels[0].body.variables.push(Variable { alias: VarId(70_000), ..Variable::default() });
    let error = module.to_bytes().unwrap_err();
    assert_eq!(
        error.to_string(),
        "kernel `k`, variable 0, alias: 70000 is out of range: the maximum in dialect igc2022, \
         version 3.3 is 65535 (offset 0x2d)"
    );
}

/// Errors of writing name the fields that traces name.
#[test]
fn errors_of_writing_name_the_fields_of_traces() {
    let format = Format::igc2022(Version::V3_3);
    type Change = fn(&mut Kernel<'static>);
    const NAME: StringId = StringId(70_000);
    let changes: [(&str, Change); 3] = [
        ("predicate 0, name", |kernel| {
            let predicate = SimpleVariable { name: NAME, ..SimpleVariable::default() };
            kernel.body.predicates.push(predicate);
        }),
        ("label 0, name", |kernel| {
            kernel.body.labels.push(LabelInfo { name: NAME, ..LabelInfo::default() });
        }),
        ("input 0, index", |kernel| {
            kernel.inputs.push(Input { index: 70_000, ..Input::default() });
        }),
    ];
    for (field, change) in changes {
        let mut module = Module::new(format);
        module.kernels.push(Kernel::new("k"));
        change(&mut module.kernels[0]);
        let error = module.to_bytes().unwrap_err().to_string();
        assert!(error.starts_with(&format!("kernel `k`, {field}: 70000 is")), "{error}");
    }
    let file = module_with_every_table(format).to_bytes().expect("legal");
    let mut recorder = FieldRecorder::default();
    Module::from_bytes_traced(&file, Dialect::Igc2022, &mut recorder).expect("just written");
    let fields = recorder.take();
    let has = |name: &str, parts: [&str; 3]| {
        let at = fields.iter().position(|field| field.name == name).expect("an entry");
        let names = fields[at + 1..].iter().map(|field| &*field.name);
        assert!(names.take(3).eq(parts), "{:#?}", &fields[at..at + 5]);
    };
    has("predicate 0", ["name", "num_elements", "attribute_count"]);
    has("label 0", ["name", "kind", "attribute_count"]);
    has("input 0", ["kind", "index", "offset"]);
}

#[test]
fn stripped_kernels_keep_their_size_and_entry() {
    let format = Format::igc2022(Version::V3_2);
    let mut module = Module::new(format);
    let mut kernel = Kernel::new("stripped");
    kernel.body.code = Code::Stripped { size: 5000, entry: 700 };
    module.kernels.push(kernel);
    let file = module.to_bytes().expect("legal");
    let read = Module::from_bytes(&file, Dialect::Igc2022).expect("just written");
    assert_eq!(read.kernels[0].body.code, Code::Stripped { size: 5000, entry: 700 });
    assert_eq!(read.routines().next().expect("a kernel").instructions().count(), 0);
    assert_eq!(read.to_bytes(), Ok(file));
}

#[test]
fn padding_between_and_after_sections_is_preserved() {
    let format = Format::default();
    let file = tour::module(format).expect("a module").to_bytes().expect("legal");
    let parsed = Module::from_bytes(&file, Dialect::Igc2022).expect("just written");
    // Four bytes of padding at the end, and four more between the kernel and its binary.
    let mut padded = file.clone();
    padded.extend([0xaa; 4]);
    let binary = file.len() - parsed.kernels[0].gen_binaries[0].bytes.len();
    padded.splice(binary..binary, [0xbb; 4]);
    let offset_at = 4 + 2 + 2 + (1 + 4) + 12 + 4 + 1 + 1;
    padded[offset_at..offset_at + 4].copy_from_slice(&(binary as u32 + 4).to_le_bytes());
    let read = Module::from_bytes(&padded, Dialect::Igc2022).expect("padding is valid");
    assert_eq!(read, parsed);
    assert_eq!(read.padding().collect::<Vec<_>>(), [[0xbb; 4], [0xaa; 4]]);
    assert!(read.has_unusual_sections() && !parsed.has_unusual_sections());
    assert_eq!(read.to_bytes(), Ok(padded));
}

#[test]
fn rejects_layouts_that_writing_would_change() {
    let file = tour::module(Format::default()).expect("a module").to_bytes().expect("legal");
    // The offset of the inputs.
    let mut changed = file.clone();
    changed[21] ^= 1;
    let error = Module::from_bytes(&changed, Dialect::Igc2022).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Layout { .. }), "{error}");
    assert_eq!(error.offset(), 21);
    // The size of the kernel, one byte short.
    let mut changed = file;
    changed[17] -= 1;
    let error = Module::from_bytes(&changed, Dialect::Igc2022).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Layout { .. }), "{error}");
}

#[test]
fn sections_can_be_added_to_and_removed_from_a_file() {
    let file = tour::module(Format::default()).expect("a module").to_bytes().expect("legal");
    let mut module = Module::from_bytes(&file, Dialect::Igc2022).expect("just written");
    let mut kernel = Kernel::new("another");
    kernel.body.code = Code::from_instructions(&[ret()], module.format).expect("legal");
    module.kernels.push(kernel);
    let grown = module.to_bytes().expect("legal");
    let read = Module::from_bytes(&grown, Dialect::Igc2022).expect("just written");
    assert_eq!(read.kernels[1].name, "another");
    assert_eq!(read.kernels[0].body.code.bytes(), module.kernels[0].body.code.bytes());
    // Removed kernels are neither in the bytes nor in the text.
    let mut read = Module::from_bytes(&grown, Dialect::Igc2022).expect("just written");
    read.kernels.pop();
    let mut text = String::new();
    FileListing::new(&read).write_to(&mut text).expect("good code");
    assert!(!text.contains("kernel 1"), "{text}");
    assert!(parse(&text, read.format).is_ok(), "{text}");
    module.kernels.clear();
    assert!(Module::from_bytes(&module.to_bytes().expect("legal"), Dialect::Igc2022).is_ok());
}

/// Time must be linear in the number of kernels.
#[test]
fn the_maximum_number_of_kernels_round_trips() {
    let mut module = Module::new(Format::default());
    module.kernels = vec![Kernel::new("k"); 65_535];
    let file = module.to_bytes().expect("legal");
    let read = Module::from_bytes(&file, Dialect::Igc2022).expect("just written");
    assert_eq!(read.kernels.len(), 65_535);
    assert_eq!(read.to_bytes(), Ok(file));
    module.kernels.push(Kernel::new("one too many"));
    let error = module.to_bytes().unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::OutOfRange { value: 65_536, max: 65_535, .. }));
}

#[test]
fn rejects_more_entries_than_ids() {
    let mut body = Kernel::new("k").body;
    for id in 6..=255 {
        assert_eq!(body.add_surface(""), Ok(SurfaceId(id)));
    }
    let error = body.add_surface("one too many").unwrap_err();
    assert_eq!(*error.kind(), ErrorKind::TableFull { max: 250 });
    assert_eq!(body.surfaces.len(), 250);
    // 31 is the bindless sampler.
    assert_eq!((0..40).filter(|_| body.add_sampler("").is_ok()).count(), 31);
    assert_eq!((0..5000).filter(|_| body.add_predicate("", 1).is_ok()).count(), 4095);
}

#[test]
fn the_empty_name_is_string_0_in_every_pool() {
    let mut body = Body::default();
    assert_eq!(body.intern("x"), StringId(1));
    assert_eq!(body.intern(""), StringId(0));
    assert_eq!(body.intern("x"), StringId(1));
    body.add_variable("", DataType::F, 1, Align::BYTE);
    assert_eq!(body.variables[0].name, StringId(0));
    // A pool whose first string is not empty, as in a real file.
    let mut body = Body { strings: vec![Name::from("k")].into(), ..Body::default() };
    body.add_variable("", DataType::F, 1, Align::BYTE);
    assert_eq!(body.variables[0].name, StringId(0));
    assert_eq!(body.intern("k"), StringId(1));
}

#[test]
fn rejects_stripped_kernels_whose_code_would_fit() {
    let mut module = Module::new(Format::default());
    let mut kernel = Kernel::new("k");
    kernel.body.code = Code::Stripped { size: 3, entry: 5 };
    module.kernels.push(kernel);
    let error = module.to_bytes().unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Inexpressible { .. }), "{error}");
}

#[test]
fn errors_in_the_header_contain_the_routine() {
    let mut module = Module::new(Format::igc2022(Version::V3_6));
    module.kernels.push(Kernel::new("short"));
    module.kernels.push(Kernel::new(&"k".repeat(300)));
    let error = module.to_bytes().unwrap_err().to_string();
    assert!(error.starts_with("kernel `kkk") && error.contains("`, name: "), "{error}");
    module.kernels.pop();
    module.functions.push(Function::new("f"));
    module.functions[0].function_relocs = vec![Reloc::default(); 70_000];
    let error = module.to_bytes().unwrap_err().to_string();
    assert!(error.starts_with("function `f`, num_syms_function: "), "{error}");
}
