//! The builder: the instructions that it builds, and its errors.
//!
//! `examples/tour.rs` also tests its methods, because its file was first written by hand; and the
//! reference reads all three examples.

use genvisa::RegisterSize;
use genvisa::build::{self, Builder, Errors, Lanes, MediaBlock, Operand, RtWriteArgs, TexelArgs};
use genvisa::isa::{SampleFlags, SampleOp, SamplerOp};
use genvisa::object::{Align, InputClass, Name};
use genvisa::operand::{
    AddrWidth, ChannelMask, DataType, ExecSize::*, LabelId, Precision, Pred, PredId, Raw, RelOp,
    SamplerId, SurfaceId, VarId, Vector,
};
use genvisa::text::Listing;
use genvisa::{ErrorKind, Format, Instruction, Module, Version};

fn builder() -> Builder {
    Builder::new("k", Format::igc2022(Version::V3_6))
}

/// Returns the text of the instructions, with ids instead of names.
fn instructions(k: Builder) -> Vec<String> {
    let format = k.format();
    let kernel = k.into_kernel().expect("a kernel without errors");
    let decoded = kernel.body.code.instructions(format);
    decoded.map(|item| item.expect("legal code").1.to_string()).collect()
}

fn error_kinds(k: Builder) -> Vec<build::ErrorKind> {
    let errors = k.into_kernel().expect_err("errors");
    errors.iter().map(|error| error.kind.clone()).collect()
}

#[test]
fn handles_convert_to_operands() {
    let mut k = builder();
    let x = k.add_variable("x", DataType::F, 16, Align::GRF);
    let a = k.add_address("a", 4);
    let p = k.add_predicate("p", 16);
    let (s, t) = (k.add_sampler("s"), k.add_surface("t"));
    k.mov(S8, x.dst(2).at(1, 3).sat(), -x.region(16, 8, 2).at(0, 1));
    k.mov(Lanes::new(S8).when(!p), x, x.scalar().abs());
    k.mov(Lanes::new(S8).when(p.any()), x, 1u16);
    k.mov(Lanes::new(S8).when(!p.all()), x, -1i8);
    k.addr_add(S1, a, x, 64u16);
    k.addr_add(S1, a.elements(1, AddrWidth::W2), t, a.elements(0, AddrWidth::W1));
    k.mov(S8, a.indirect_dst(0, 32, DataType::F, 1), a.indirect(1, -4, DataType::F, (8, 8, 1)));
    k.cmp(S8, RelOp::LE, p, x.region(8, 8, 1), 2.5f32);
    k.cmp(S8, RelOp::LE, x, x.region(8, 8, 1), 2.5f32);
    k.setp(S8, p, x.region(8, 8, 1));
    k.movs(S1, s, s);
    k.lifetime_start(x).lifetime_end(a).lifetime_end(p);
    let text = instructions(k);
    let expected = [
        "mov.sat (M1, 8) V32(1,3)<2> (-)V32(0,1)<16;8,2>",
        "(!P1) mov (M1, 8) V32(0,0)<1> (abs)V32(0,0)<0;1,0>",
        "(P1.any) mov (M1, 8) V32(0,0)<1> 0x1:uw",
        "(!P1.all) mov (M1, 8) V32(0,0)<1> 0xffffffff:b",
        "addr_add (M1, 1) A0(0)<1> &V32(0,0) 0x40:uw",
        "addr_add (M1, 1) A0(1)<2> &T6 A0(0)<1>",
        "mov (M1, 8) r[A0(0),32]<1>:f r[A0(1),-4]<8;8,1>:f",
        "cmp.le (M1, 8) P1 V32(0,0)<8;8,1> 0x40200000:f",
        "cmp.le (M1, 8) V32(0,0)<1> V32(0,0)<8;8,1> 0x40200000:f",
        "setp (M1, 8) P1 V32(0,0)<8;8,1>",
        "movs (M1, 1) S0(0) S0(0)",
        "lifetime.start V32",
        "lifetime.end A0",
        "lifetime.end P1",
    ];
    for (text, expected) in text.iter().zip(expected) {
        assert_eq!(text, expected);
    }
    assert_eq!(text.len(), expected.len());
}

/// Text states the offset of an address in bytes, in all versions and for both sizes of registers.
#[test]
fn addresses_are_offsets_in_bytes() {
    for (format, registers) in [
        (Format::igc2022(Version::V3_6), RegisterSize::Bytes32),
        (Format::igc2022(Version::V3_6), RegisterSize::Bytes64),
        (Format::V4_2, RegisterSize::Bytes64),
    ] {
        let mut k = Builder::new("k", format);
        let x = k.add_variable("x", DataType::D, 256, Align::GRF);
        let a = k.add_address("a", 1);
        k.addr_add(S1, a, x.address_at(196, format, registers), 0u16);
        let mut module = Module::new(format);
        module.kernels.push(k.into_kernel().expect("a legal kernel"));
        let routine = module.routines().next().expect("the kernel");
        let listing = Listing::new(routine).with_register_size(registers);
        let text = listing.to_text().expect("text");
        assert!(text.contains("&x[196] "), "{format:?}, {registers}: {text}");
    }
}

/// The meaning of a row depends on the platform, and only 4.2 has offsets within an element.
#[test]
fn rejects_rows_in_addresses_and_inexpressible_offsets() {
    for format in [Format::igc2022(Version::V3_6), Format::V4_2] {
        let mut k = Builder::new("k", format);
        let x = k.add_variable("x", DataType::D, 256, Align::GRF);
        let a = k.add_address("a", 1);
        k.addr_add(S1, a, x.scalar().at(2, 0), 0u16);
        k.addr_add(S1, a, x.address_at(617, format, RegisterSize::Bytes32), 0u16);
        let errors = k.into_kernel().expect_err("errors");
        let messages: Vec<String> = errors.iter().map(ToString::to_string).collect();
        assert!(messages[0].contains("use `address_at`"), "{messages:?}");
        assert_eq!(messages.len(), if format == Format::V4_2 { 1 } else { 2 }, "{messages:?}");
    }
}

/// Errors are reported for all kinds of handles, with their fields.
#[test]
fn rejects_handles_of_another_builder() {
    let mut other = builder();
    let x = other.add_variable("x", DataType::F, 16, Align::GRF);
    let a = other.add_address("a", 4);
    let p = other.add_predicate("p", 16);
    let (s, t) = (other.add_sampler("s"), other.add_surface("t"));
    let label = other.add_label("l");

    let mut k = builder();
    let own = k.add_variable("x", DataType::F, 16, Align::GRF);
    let own_t = k.add_surface("t");
    k.mov(S8, x, own.scalar());
    k.mov(S8, own, x.scalar());
    k.mov(Lanes::new(S8).when(p), own, own.scalar());
    k.mov(S8, own, a.indirect(0, 0, DataType::F, (8, 8, 1)));
    k.cmp(S8, RelOp::EQ, p, own.scalar(), 1.0f32);
    k.jmp(S1, label);
    k.label(label);
    k.media_ld(t, MediaBlock::new(4, 4), own);
    k.gather4_typed(S8, own_t, x, TexelArgs::new().u(own));
    k.movs(S1, s, 0u32);
    k.lifetime_end(x);
    k.rt_write_3d(S8, own_t, RtWriteArgs::new().depth(x));
    k.add_alias("y", DataType::UD, 4, x, 0).id();
    k.add_input(x, 32);
    let errors = k.into_kernel().expect_err("errors");
    let found: Vec<String> = errors
        .iter()
        .map(|error| {
            assert_eq!(error.kind, build::ErrorKind::ForeignHandle);
            error.path.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
        })
        .collect();
    let expected = [
        "instruction 0 mov, dst",
        "instruction 1 mov, src0",
        "instruction 2 mov, pred",
        "instruction 3 mov, src0",
        "instruction 4 cmp, dst",
        "instruction 5 jmp, label",
        "instruction 6 label, label",
        "instruction 7 media_ld, surface",
        "instruction 8 gather4_typed, dst",
        "instruction 9 movs, dst",
        "instruction 10 lifetime, variable",
        "instruction 11 rt_write_3d, depth",
        "alias",
        "input",
    ];
    assert_eq!(found, expected);
    assert!(errors.iter().all(|error| error.caller.file().ends_with("build.rs")));
}

#[test]
fn rejects_ids_that_are_not_predefined() {
    let mut k = builder();
    let x = k.add_variable("x", DataType::UD, 16, Align::GRF);
    k.oword_st(genvisa::operand::OwordNum::N2, SurfaceId(5), 0u32, x);
    k.mov(S1, x, VarId(7));
    let text = instructions(k);
    assert_eq!(text[0], "oword_st (2) %scratch 0x0:ud V32.0");
    assert_eq!(text[1], "mov (M1, 1) V32(0,0)<1> %r0(0,0)<0;1,0>");

    let mut k = builder();
    let x = k.add_variable("x", DataType::UD, 16, Align::GRF);
    k.oword_st(genvisa::operand::OwordNum::N2, SurfaceId(6), 0u32, x);
    k.mov(S1, x, VarId(32));
    k.mov(Lanes::new(S1).when(Pred::new(genvisa::operand::PredId(1)).unwrap()), x, 1u32);
    let at = TexelArgs::new().u(x);
    k.sample_3d(S8, SampleOp::SAMPLE, SamplerId(0), SurfaceId(1), x, at);
    let kinds = error_kinds(k);
    assert_eq!(kinds.len(), 4);
    assert!(
        kinds.iter().all(
            |kind| matches!(kind, build::ErrorKind::Operand(fault) if fault.contains("handle"))
        )
    );
}

#[test]
fn rejects_invalid_operands() {
    let mut k = builder();
    let x = k.add_variable("x", DataType::UD, 8, Align::GRF);
    k.mov(S8, x, x.region(3, 1, 0));
    k.mov(S8, x.dst(64), x.scalar());
    k.mov(S8, x, Operand::<Vector>::from(1u32).at(0, 1));
    k.oword_st(genvisa::operand::OwordNum::N2, SurfaceId(5), 0u32, x.raw(32));
    k.switchjmp(S1, x.scalar(), &[]);
    let sixteen = TexelArgs::new().in_order([x.into(); 16]);
    let (s, t) = (SamplerId::BINDLESS, SurfaceId(1));
    k.sample_3d(S8, SampleOp::SAMPLE_PO, s, t, x, sixteen);
    let big = k.add_variable("big", DataType::UD, 65535, Align::GRF);
    k.add_input(big, 32);
    let kinds = error_kinds(k);
    assert_eq!(kinds.len(), 7);
    assert!(kinds.iter().all(|kind| matches!(kind, build::ErrorKind::Operand(_))), "{kinds:?}");
}

#[test]
fn rejects_labels_that_are_not_placed_exactly_once() {
    let mut k = builder();
    let (nowhere, twice, unused) = (k.add_label("nowhere"), k.add_label("twice"), k.add_label("u"));
    k.jmp(S1, nowhere).label(twice).label(twice).jmp(S1, nowhere);
    let _ = unused;
    let errors = k.into_kernel().expect_err("errors");
    let texts: Vec<String> = errors.iter().map(|error| error.kind.to_string()).collect();
    assert_eq!(
        texts,
        ["label `twice` is defined twice", "label `nowhere` is used but never defined"]
    );
    assert_eq!(errors.len(), 2);
    assert_eq!(errors[1].path[0].to_string(), "instruction 0 jmp", "the first use");
    let paths: Vec<String> = (&errors).into_iter().map(|error| error.path[0].to_string()).collect();
    assert_eq!(paths, ["instruction 2 label", "instruction 0 jmp"]);
    let owned: Vec<build::Error> = errors.into_iter().collect();
    assert!(matches!(owned[0].kind, build::ErrorKind::DuplicateLabel { .. }));
}

#[test]
fn rejects_attribute_values_of_the_wrong_kind() {
    let mut k = builder();
    let x = k.add_variable("x", DataType::UD, 8, Align::GRF);
    k.add_attribute("Target", 1).add_attribute("AsmName", "k").add_attribute("NoBarrier", ());
    k.add_attribute("InventedByUs", 7).add_variable_attribute(x, "Output", ());
    let kernel = k.into_kernel().expect("a kernel");
    assert_eq!(kernel.body.attributes.len(), 4);
    assert_eq!(kernel.body.variables[0].attributes.len(), 1);

    let mut k = builder();
    k.add_attribute("Target", "cm").add_attribute("AsmName", 1).add_attribute("NoBarrier", 1);
    let texts: Vec<String> = error_kinds(k).iter().map(ToString::to_string).collect();
    assert_eq!(
        texts,
        [
            "attribute `Target`: expected an integer",
            "attribute `AsmName`: expected a string",
            "attribute `NoBarrier`: expected no value"
        ]
    );
}

/// Fields that only some formats have are set in these formats. In others, only the default is
/// accepted.
#[test]
fn fields_depend_on_the_format() {
    let dpas = |format, predicated: bool| -> Result<Vec<u8>, Errors> {
        let mut k = Builder::new("k", format);
        let x = k.add_variable("x", DataType::UD, 64, Align::GRF);
        let p = k.add_predicate("p", 8);
        let lanes = Lanes::new(S8);
        let lanes = if predicated { lanes.when(p) } else { lanes };
        let (s8, null) = (Precision::S8, VarId::NULL);
        k.dpas(lanes, x, null, x, x.region(8, 8, 1), s8, s8, 8, 1);
        Ok(k.into_kernel()?.body.code.bytes().to_vec())
    };
    let (old, new) = (Format::igc2022(Version::V4_1), Format::igc2026(Version::V4_1));
    let unpredicated = dpas(old, false).expect("code").len();
    assert_eq!(dpas(new, false).expect("code").len(), unpredicated + 2);
    assert_eq!(dpas(new, true).expect("code").len(), unpredicated + 2);
    let errors = dpas(old, true).expect_err("dpas has no predicate in this dialect");
    let kind = &errors[0].kind;
    assert!(
        matches!(kind, build::ErrorKind::Encoding(e) if matches!(e.kind(), ErrorKind::Inexpressible { .. }))
    );
}

#[test]
fn rejects_samplers_of_a_full_table() {
    let mut k = builder();
    for i in 0..31 {
        k.add_sampler(&format!("s{i}"));
    }
    k.add_sampler("one too many");
    let kinds = error_kinds(k);
    assert!(
        matches!(&kinds[..], [build::ErrorKind::Encoding(e)] if matches!(e.kind(), ErrorKind::TableFull { .. }))
    );
}

/// For instructions without a method.
#[test]
fn structs_can_be_pushed_with_handles() {
    use genvisa::isa::lsc::Access;
    let format = Format::igc2022(Version::V4_1);
    let mut k = Builder::new("k", format);
    let (x, y) = (
        k.add_variable("x", DataType::UD, 16, Align::GRF),
        k.add_variable("y", DataType::UQ, 16, Align::GRF),
    );
    let access = Access { dst: k.operand(x), addrs: k.operand(y), ..Access::default() };
    k.push(access);
    let kernel = k.into_kernel().expect("a kernel");
    let (_, instruction) = kernel.body.code.instructions(format).next().unwrap().unwrap();
    assert_eq!(instruction, Instruction::from(access));

    let mut other = Builder::new("other", format);
    let foreign: Raw = other.operand(x);
    other.push(Access { dst: foreign, ..Access::default() });
    assert_eq!(error_kinds(other), [build::ErrorKind::ForeignHandle]);
}

#[test]
fn rejects_inputs_of_functions() {
    let mut k = builder();
    let x = k.add_variable("x", DataType::D, 8, Align::GRF);
    k.add_input(x, 32).ret(S1);
    let errors = k.into_function(1, 1).expect_err("an input");
    let texts: Vec<String> = errors.iter().map(ToString::to_string).collect();
    assert_eq!(texts.len(), 1, "{texts:?}");
    assert!(texts[0].contains("input: a function has no inputs"), "{texts:?}");
}

/// Declarations, attributes and instructions share the strings of the pool.
#[test]
fn strings_are_unique() {
    let mut k = builder();
    k.add_variable("x", DataType::D, 8, Align::GRF);
    k.file("x").file("y").add_attribute("y", 1).file("x").file("k").file("").ret(S1);
    let kernel = k.into_kernel().expect("a kernel");
    assert_eq!(kernel.body.strings, ["", "k", "x", "y"].map(Name::from));
}

#[test]
fn builds_functions() {
    let mut k = builder();
    let inner = k.add_subroutine("inner");
    k.call(S1, inner).fret(S1).func(inner).ret(S1);
    let mut module = Module::new(k.format());
    module.functions.push(k.into_function(2, 1).expect("a function"));
    let file = module.to_bytes().expect("bytes");
    let read = Module::from_bytes(&file, module.format.dialect).expect("a module");
    assert_eq!(read, module);
    let mut text = String::new();
    Listing::new(read.routines().next().unwrap()).write_to(&mut text).unwrap();
    assert!(text.contains("call (M1, 1) inner"), "{text}");
}

#[test]
fn builds_inputs_of_variables_surfaces_and_samplers() {
    let mut k = builder();
    let x = k.add_variable("x", DataType::F, 8, Align::GRF);
    let (s, t) = (k.add_sampler("s"), k.add_surface("t"));
    k.add_input(x, 32).add_input(t, 64).add_input(s, 68).ret(S1);
    let kernel = k.into_kernel().expect("a kernel");
    let inputs = kernel.inputs.iter().map(|i| (i.kind.class(), i.index, i.offset, i.size));
    let expected = [
        (InputClass::GENERAL, x.id().0, 32, 32),
        (InputClass::SURFACE, t.id().0.into(), 64, 4),
        (InputClass::SAMPLER, s.id().0.into(), 68, 4),
    ];
    assert!(inputs.eq(expected), "{:?}", kernel.inputs);
    let mut module = Module::new(Format::igc2022(Version::V3_6));
    module.kernels.push(kernel);
    let mut text = String::new();
    Listing::new(module.routines().next().unwrap()).write_to(&mut text).unwrap();
    for line in
        [".input x offset=32 size=32", ".input T6 offset=64 size=4", ".input S0 offset=68 size=4"]
    {
        assert!(text.contains(line), "{text}");
    }

    let mut other = builder();
    other.add_input(s, 32).add_input(t, 36);
    let foreign = build::ErrorKind::ForeignHandle;
    assert_eq!(error_kinds(other), [foreign.clone(), foreign]);
}

/// Returns the errors of a kernel, which all have a line of this file.
fn errors_at(k: Builder, line: u32) -> Vec<String> {
    let errors = k.into_kernel().expect_err("errors");
    for error in &errors {
        let (file, found) = (error.caller.file(), error.caller.line());
        assert!(file.ends_with("build.rs") && found == line, "{file}:{found}: {error}");
    }
    errors.iter().map(|error| error.to_string().split_once(": ").unwrap().1.into()).collect()
}

#[test]
fn errors_have_the_line_that_declared_or_passed_the_operand() {
    let mut k = builder();
    let mut line = 0;
    for n in 0..32 {
        line = line!() + 1;
        k.add_sampler(&n.to_string());
    }
    assert_eq!(errors_at(k, line), ["sampler: the table is full: it can have at most 31 entries"]);

    let foreign = builder().add_variable("x", DataType::UD, 16, Align::GRF);
    let mut k = builder();
    let line = line!() + 1;
    let _ = k.operand::<Vector>(foreign.scalar());
    assert_eq!(errors_at(k, line), ["operand: the handle belongs to another routine"]);

    let mut k = builder();
    let line = line!() + 1;
    let src = k.operand(foreign.scalar());
    k.push(genvisa::isa::Mov { src0: src, ..Default::default() });
    assert_eq!(errors_at(k, line).len(), 1);

    let mut k = builder();
    let (op, s, t) = (SampleOp::SAMPLE, SamplerId::BINDLESS, SurfaceId(1));
    let line = line!() + 1;
    k.sample_3d(S8, op, s, t, VarId::NULL, TexelArgs::new().u(foreign));
    assert_eq!(errors_at(k, line).len(), 1);

    let mut k = builder();
    let line = line!() + 1;
    k.rt_write_3d(S8, t, RtWriteArgs::new().omask(foreign));
    assert_eq!(errors_at(k, line).len(), 1);

    let mut k = builder();
    let line = line!() + 1;
    k.switchjmp(S1, 0u32, &[]);
    assert_eq!(errors_at(k, line), ["instruction 0 switchjmp: labels: expected 1 to 32 labels"]);
}

#[test]
fn declarations_that_the_format_lacks_have_their_lines() {
    let old = Format::igc2022(Version::V3_0);
    let mut k = Builder::new("k", old);
    k.add_variable("a", DataType::UD, 16, Align::GRF);
    let line = line!() + 1;
    k.add_variable("b", DataType::TF32, 16, Align::GRF);
    k.add_variable("c", DataType::UD, 16, Align::GRF);
    let errors = errors_at(k, line);
    assert!(errors[0].starts_with("variable 1: "), "{errors:?}");

    let mut k = Builder::new("k", old);
    let line = line!() + 1;
    k.add_predicate("with\0nul", 8);
    let errors = errors_at(k, line);
    assert!(errors[0].contains("a NUL in a string"), "{errors:?}");

    let mut k = Builder::new("k", old);
    let line = line!() + 2;
    for n in 0..70_000 {
        k.add_variable(if n % 2 == 0 { "x" } else { "y" }, DataType::UD, 1, Align::DWORD);
    }
    let errors = errors_at(k, line);
    assert!(errors[0].contains("out of range"), "{errors:?}");

    let line = line!() + 1;
    let k = Builder::new(&"k".repeat(300), old);
    assert_eq!(errors_at(k, line).len(), 1);
    assert!(Builder::new(&"k".repeat(300), Format::V4_2).into_kernel().is_ok());
}

#[test]
fn contradictory_declarations_are_errors() {
    let mut k = builder();
    let (block, subroutine) = (k.add_label("block"), k.add_subroutine("subroutine"));
    k.call(S1, block).func(block).label(subroutine);
    let x = k.add_variable("x", DataType::UD, 4, Align::GRF);
    k.add_alias("inside", DataType::UW, 2, x, 12);
    k.add_alias("outside", DataType::UD, 2, x, 12);
    k.add_attribute("Target", 0).add_attribute("Target", 0);
    k.add_variable_attribute(x, "Output", ()).add_variable_attribute(x, "Output", ());
    let errors = k.into_kernel().expect_err("errors");
    let expected = [
        "instruction 0 call: `block` is not a subroutine label",
        "instruction 1 func: `block` is not a subroutine label",
        "instruction 2 label: `subroutine` is not a block label",
        "alias: the alias ends after the variable whose storage it shares",
        "attribute: attribute `Target` is specified twice",
        "attribute: attribute `Output` is specified twice",
    ];
    let found: Vec<String> = errors.iter().map(ToString::to_string).collect();
    let found: Vec<&str> =
        found.iter().map(|error| error.split_once(": ").map_or("", |e| e.1)).collect();
    assert_eq!(found, expected);
}

#[test]
fn a_variable_is_a_packed_source_or_its_only_element() {
    let mut k = builder();
    let x = k.add_variable("x", DataType::F, 16, Align::GRF);
    let one = k.add_variable("one", DataType::F, 1, Align::DWORD);
    k.mad(S16, x, x, one, -x);
    assert_eq!(
        instructions(k),
        ["mad (M1, 16) V32(0,0)<1> V32(0,0)<1;1,0> V33(0,0)<0;1,0> (-)V32(0,0)<1;1,0>"]
    );
}

/// Calls a message with parameters in any order, and returns its text or its errors.
fn texel_message(call: impl FnOnce(&mut Builder, TexelArgs, [Operand<Raw>; 6])) -> Vec<String> {
    let mut k = Builder::new("k", Format::igc2026(Version::V4_1));
    let vars = ["a", "b", "c", "d", "e", "f"]
        .map(|name| k.add_variable(name, DataType::F, 8, Align::GRF).into());
    call(&mut k, TexelArgs::new(), vars);
    let format = k.format();
    match k.into_kernel() {
        Ok(kernel) => {
            let decoded = kernel.body.code.instructions(format);
            decoded.map(|item| item.expect("legal code").1.to_string()).collect()
        }
        Err(errors) => errors.iter().map(|error| error.kind.to_string()).collect(),
    }
}

#[test]
fn parameters_of_messages_are_in_any_order() {
    let (s, t) = (SamplerId::BINDLESS, SurfaceId(1));
    let text = texel_message(|k, args, [dst, u, v, _, lod, reference]| {
        let args = args.v(v).lod(lod).reference(reference).u(u);
        k.sample_3d(S8, SampleOp::SAMPLE_L_C, s, t, dst, args);
    });
    let expected = "sample_l_c.RGBA (M1, 8)  0x0:uw S31 T1 V32.0 %null.0 V37.0 V36.0 V33.0 V34.0";
    assert_eq!(text, [expected]);
    // A one-dimensional surface has a LOD, but no V.
    let text = texel_message(|k, args, [dst, u, _, _, lod, _]| {
        k.load_3d(S8, SamplerOp::LOAD, t, dst, args.lod(lod).u(u).channels(ChannelMask::G));
    });
    assert_eq!(text, ["load_3d.G (M1, 8)  0x0:uw T1 V32.0 %null.0 V33.0 %null.0 V36.0"]);
    let text = texel_message(|k, args, [dst, u, _, _, lod, _]| {
        k.gather4_typed(S8, t, dst, args.lod(lod).u(u).channels(ChannelMask::R));
    });
    assert_eq!(text, ["gather4_typed.R (M1, 8) T1 V33.0 %null.0 %null.0 V36.0 V32.0"]);
    let text = texel_message(|k, args, [dst, u, v, r, ..]| {
        k.gather4_3d(S8, SamplerOp::GATHER4_PO, s, t, dst, args.in_order([u, v, r]));
    });
    assert!(text[0].ends_with(" V33.0 V34.0 V35.0"), "{text:?}");
}

#[test]
fn wrong_parameters_of_messages_are_errors() {
    let (s, t) = (SamplerId::BINDLESS, SurfaceId(1));
    let sample = |op, args: fn(TexelArgs, [Operand<Raw>; 6]) -> TexelArgs| {
        texel_message(|k, new, vars| _ = k.sample_3d(S8, op, s, t, vars[0], args(new, vars)))
    };
    let twice = "the parameter is specified twice";
    assert_eq!(
        sample(SampleOp::SAMPLE_L, |args, [_, u, v, ..]| args.u(u).v(v).bias(v).v(u)),
        ["`sample_l` has no parameter `bias`", twice, "`sample_l` requires the parameter `lod`"]
    );
    assert_eq!(
        sample(SampleOp::SAMPLE_D, |args, [_, u, v, ..]| args.u(u).dudx(v).dudy(v).dvdx(v)),
        ["`sample_d` requires the parameter `v`", "`sample_d` requires the parameter `dvdy`"]
    );
    assert_eq!(
        sample(SampleOp::SAMPLE, |args, vars| args.u(vars[1]).in_order(vars)),
        ["set the parameters by their names"]
    );
    assert_eq!(
        sample(SampleOp::SAMPLE_PO, |args, [_, u, ..]| args.u(u)),
        ["set the parameters with `in_order`"]
    );
    assert_eq!(sample(SampleOp::SAMPLE_PO, |args, _| args), ["expected at least one parameter"]);
    assert_eq!(
        sample(SampleOp::SAMPLE, |args, [_, u, ..]| args.u(u).offsets(0, 8, 0)),
        ["expected texel offsets from -8 to 7"]
    );
    let errors = texel_message(|k, args, [dst, u, ..]| {
        let rg = args.u(u).channels(ChannelMask::R | ChannelMask::G);
        k.gather4_3d(S8, SamplerOp::GATHER4, s, t, dst, rg.clone());
        k.gather4_typed(S8, t, dst, rg.flags(SampleFlags::CPS));
    });
    assert_eq!(
        errors,
        ["expected one channel", "only messages to the sampler have flags and texel offsets"]
    );
}

#[test]
fn instructions_are_inserted_at_the_position() {
    let mut k = builder();
    let x = k.add_variable("x", DataType::UD, 16, Align::GRF);
    let mut model = Vec::new();
    for n in 0..200u32 {
        let at = (n as usize * 7919) % (model.len() + 1);
        k.set_position(at).mov(S1, x, n);
        model.insert(at, format!("mov (M1, 1) V32(0,0)<1> {n:#x}:ud"));
        assert_eq!(k.position(), at + 1);
    }
    let lines: Vec<u32> =
        k.callers().iter().map(|caller| caller.expect("a caller").line()).collect();
    assert_eq!(lines.len(), 200);
    assert!(lines.iter().all(|line| *line == lines[0]));
    assert_eq!(instructions(k), model);
}

/// Labels may be defined before or after what refers to them, in any order of insertion.
#[test]
fn errors_of_inserted_instructions_have_their_lines() {
    let mut k = builder();
    let x = k.add_variable("x", DataType::UD, 16, Align::GRF);
    let end = k.add_label("end");
    k.label(end).ret(S1);
    k.set_position(0).jmp(S1, end);
    let line = line!() + 1;
    k.mov(S1, x.dst(3), x);
    assert_eq!(errors_at(k, line).len(), 1);
    let mut k = builder();
    let line = line!() + 1;
    k.push(genvisa::isa::Bdpas::default());
    k.set_position(0).ret(S1);
    let errors = errors_at(k, line);
    assert!(errors[0].starts_with("instruction 1 bdpas: "), "{errors:?}");
}

fn edited(write: impl FnOnce(&mut Builder)) -> Result<Module<'static>, Errors> {
    let mut module = Module::new(Format::igc2022(Version::V3_6));
    let mut k = builder();
    let x = k.add_variable("x", DataType::F, 16, Align::GRF);
    let p = k.add_predicate("p", 16);
    let again = k.add_label("again");
    k.add_input(x, 32).label(again).cmp(S16, RelOp::LT, p, x, 1.0f32);
    k.jmp(S1.when(p.any()), again).ret(S1);
    let mut kernel = k.into_kernel()?;
    kernel.function_relocs.push(genvisa::object::Reloc { symbolic_index: 1, resolved_index: 2 });
    kernel.gen_binaries.push(genvisa::object::GenBinary::new(5, vec![0xee; 16]));
    module.kernels.push(kernel);
    let mut editor = module.edit(0).expect("legal code");
    editor.build(write)?;
    editor.finish().expect("legal code");
    Ok(module)
}

/// The handles of a kernel that exists are usable, and the kernel keeps its relocations.
#[test]
fn a_kernel_that_exists_is_continued() {
    let module = edited(|k| {
        let x = k.find::<VarId>("x").expect("a variable");
        let p = k.handle(PredId(1)).expect("a predicate");
        let again = k.find::<LabelId>("again").expect("a label");
        assert!(k.find::<VarId>("y").is_none() && k.handle(VarId(33)).is_none());
        assert!(k.handle(VarId(1)).is_none() && k.find::<LabelId>("p").is_none());
        let y = k.add_variable("y", x.ty(), 16, Align::GRF);
        k.set_position(1).add(S16.when(!p), y, x, 1.0f32);
        k.set_position(k.instructions().count() - 1).jmp(S1, again);
        let callers = k.callers();
        let is_new: Vec<bool> = callers.iter().map(Option::is_some).collect();
        assert_eq!(is_new, [false, true, false, false, true, false]);
    });
    let module = module.expect("legal code");
    let kernel = &module.kernels[0];
    assert_eq!((kernel.function_relocs.len(), kernel.gen_binaries.len()), (1, 0));
    let text = Listing::new(module.routines().next().unwrap()).to_text().unwrap();
    for line in
        ["(!p) add (M1, 16) y(0,0)<1> x(0,0)<1;1,0>", "jmp (M1, 1) again", ".input x offset=32"]
    {
        assert!(text.contains(line), "{text}");
    }
    let unchanged = edited(|_| ()).expect("legal code");
    assert_eq!(unchanged.kernels[0].gen_binaries.len(), 1);
}

#[test]
fn errors_in_a_kernel_that_exists_have_the_lines_of_what_was_added() {
    let mut line = 0;
    let errors = edited(|k| {
        let again = k.find::<LabelId>("again").expect("a label");
        line = line!() + 1;
        k.label(again);
    });
    let errors = errors.expect_err("a label that is defined twice");
    assert_eq!((errors.len(), errors[0].caller.line()), (1, line));
    let errors = edited(|k| {
        line = line!() + 1;
        k.add_variable("t", DataType::TF32, 16, Align::GRF);
    });
    let errors = errors.expect_err("a type that 3.6 lacks");
    assert_eq!((errors.len(), errors[0].caller.line()), (1, line));
}

/// Many strings take time in proportion to their number, also if declarations are between them.
#[test]
fn strings_are_indexed() {
    let mut body = genvisa::object::Body::new("k");
    for n in 0..200_000 {
        let id = body.intern(&format!("s{n}"));
        assert_eq!(body.intern(&format!("s{}", n / 2)).0, n / 2 + 2);
        assert_eq!(id.0, n + 2);
    }
    body.strings[5] = "other".into();
    assert_eq!(body.intern("other").0, 5);
    assert_eq!(body.intern("s3").0, 200_002);
}
