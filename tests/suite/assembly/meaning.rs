//! No token of the text is ignored, and no instruction prints as another.

use genvisa::build::{Builder, ErrorKind, Operand};
use genvisa::isa::lsc::{Access, Block2d, TypedAccess};
use genvisa::isa::*;
use genvisa::object::{Align, Code, Kernel};
use genvisa::operand::lsc::{LscOp, LscSfid};
use genvisa::operand::*;
use genvisa::text::{Errors, Listing, Style, parse};
use genvisa::{Format, Instruction, Module, Version};

const HEAD: &str = "\
.version 3.6
.kernel \"k\"
.decl D v_type=G type=d num_elts=64 align=GRF
.decl F v_type=G type=f num_elts=64 align=GRF
.decl U v_type=G type=uq num_elts=32 align=GRF
.decl X v_type=G type=ub num_elts=64 align=GRF
.decl AD v_type=A num_elts=16
.decl P v_type=P num_elts=16
.decl S0 v_type=S num_elts=1
.decl T6 v_type=T num_elts=1
";

fn formats() -> [Format; 2] {
    [Format::igc2022(Version::V3_6), Format::igc2026(Version::V4_1)]
}

fn parsed(lines: &str, format: Format) -> Result<Module<'static>, Errors> {
    parse(format!("{HEAD}{lines}\n"), format)
}

fn printed(module: &Module<'_>) -> String {
    let mut text = String::new();
    let routine = module.routines().next().expect("a routine");
    Listing::new(routine).write_to(&mut text).expect("legal code");
    text
}

/// Returns the text of an instruction after parsing and printing it.
fn reprint(line: &str, format: Format) -> String {
    let module = parsed(line, format).unwrap_or_else(|found| panic!("{line}: {}", found[0]));
    let text = printed(&module);
    let last = text.lines().rfind(|line| !line.is_empty() && !line.starts_with("//@"));
    let last = last.expect("an instruction");
    last.split("///").next().unwrap_or_default().trim().to_owned()
}

/// Checks the text that lines are printed as after parsing.
fn check_accepted(cases: &[(&str, &str)]) {
    for (line, expected) in cases {
        assert_eq!(reprint(line, formats()[1]), *expected, "{line}");
    }
}

/// Checks the message about each line.
fn check_rejected(cases: &[(&str, &str)]) {
    for (line, expected) in cases {
        match parsed(line, formats()[1]) {
            Ok(module) => panic!("{line} is parsed as\n{}", printed(&module)),
            Err(found) => assert_eq!(found[0].to_string(), *expected, "{line}"),
        }
    }
}

#[test]
fn rejects_modifiers_of_other_operands_than_variables() {
    check_rejected(&[
        (
            "mov (M1, 8) D(0,0)<1> (-)0x2a:d",
            "expected a variable after the modifier `(-)`, found `0x2a`",
        ),
        (
            "mov (M1, 8) F(0,0)<1> (abs)-1.5:f",
            "expected a variable after the modifier `(abs)`, found `-`",
        ),
        (
            "and (M1, 8) D(0,0)<1> D(0,0)<1;1,0> (~)(1+2):d",
            "expected a variable after the modifier `(~)`, found `(`",
        ),
        (
            "mov (M1, 8) D(0,0)<1> (-)P",
            "expected an operand that takes a modifier, found predicate `P`",
        ),
        (
            "mov (M1, 8) AD(0)<1> (-)AD(0)<1>",
            "expected an operand that takes a modifier, found address variable `AD`",
        ),
        (
            "movs (M1, 1) T6(0) (-)S0(0)",
            "expected an operand that takes a modifier, found sampler `S0`",
        ),
        ("addr_add (M1, 1) AD(0)<1> (-)&D 0x0:uw", "expected an operand, found `&`"),
        ("mov (M1, 8) (-)D(0,0)<1> 0x0:d", "expected a destination, found `(`"),
        (
            "dpas.s8.s8.8.8 (M1, 8) D.0 %null.0 D.0 (-)D(0,0)",
            "expected a general variable, found `(`",
        ),
    ]);
    check_accepted(&[(
        "mov (M1, 8) D(0,0)<1> (-) D(0,0)<0;1,0>",
        "mov (M1, 8) D(0,0)<1> (-)D(0,0)<0;1,0>",
    )]);
}

#[test]
fn builder_negates_constants() {
    let format = formats()[0];
    let mut k = Builder::new("k", format);
    let x = k.add_variable("x", DataType::F, 16, Align::GRF);
    let of = |value: Operand<Vector>| value;
    k.mov(ExecSize::S8, x, -of(42i32.into()));
    k.mov(ExecSize::S8, x, -of(1.5f32.into()));
    k.mov(ExecSize::S8, x, -of(Imm::hf(0x3c00).into()));
    k.mov(ExecSize::S8, x, of((-3i8).into()).abs());
    k.mov(ExecSize::S8, x, -x.scalar().abs());
    k.mov(ExecSize::S8, x, -(-x.scalar()));
    let kernel = k.into_kernel().expect("a kernel without errors");
    let decoded = kernel.body.code.instructions(format);
    let sources: Vec<String> = decoded
        .map(|item| item.expect("legal code").1.to_string())
        .map(|text| text.rsplit(' ').next().unwrap_or_default().to_owned())
        .collect();
    let expected = [
        "0xffffffd6:d",
        "0xbfc00000:f",
        "0xbc00:hf",
        "0x3:b",
        "(-abs)V32(0,0)<0;1,0>",
        "V32(0,0)<0;1,0>",
    ];
    assert_eq!(sources, expected);
    let faults: [fn(&mut Builder) -> Operand<Vector>; 6] = [
        |_| -Operand::from(42u32),
        |_| -Operand::from(i32::MIN),
        |_| Operand::from(1i32).with_modifier(Modifier::NEG),
        |k| -Operand::from(k.add_predicate("p", 8)),
        |k| -k.add_address("a", 1).elements(0, AddrWidth::W1),
        |k| -k.add_variable("y", DataType::D, 8, Align::GRF).scalar().with_modifier(Modifier::NOT),
    ];
    for (at, fault) in faults.into_iter().enumerate() {
        let mut k = Builder::new("k", format);
        let x = k.add_variable("x", DataType::D, 16, Align::GRF);
        let source = fault(&mut k);
        k.mov(ExecSize::S8, x, source);
        let errors = k.into_kernel().expect_err("a fault");
        let kind = &errors.iter().next().expect("an error").kind;
        assert!(matches!(kind, ErrorKind::Operand { .. }), "{at}: {kind:?}");
    }
}

#[test]
fn numeric_alignments_are_bytes() {
    let align = |text: &str| {
        let line = format!(".decl V v_type=G type=d num_elts=8 align={text}");
        parsed(&line, formats()[0])
            .map(|module| module.kernels[0].body.variables.last().expect("a variable").align)
            .map_err(|found| found[0].to_string())
    };
    let expected = [
        (1, Align::BYTE),
        (2, Align::WORD),
        (4, Align::DWORD),
        (8, Align::QWORD),
        (16, Align::OWORD),
        (32, Align::HWORD),
        (64, Align::WORDX32),
        (128, Align::WORDX64),
    ];
    for (bytes, code) in expected {
        assert_eq!(align(&bytes.to_string()), Ok(code));
    }
    assert_eq!(align("0x10"), Ok(Align::OWORD));
    assert_eq!(align("(8*4)"), Ok(Align::HWORD));
    assert_eq!(align("8*4"), Ok(Align::HWORD));
    assert_eq!(align("2GRF"), Ok(Align::GRFX2));
    for bytes in [0, 3, 10, 256] {
        let message = format!("expected 1, 2, 4, 8, 16, 32, 64 or 128 bytes, found `{bytes}`");
        assert_eq!(align(&bytes.to_string()), Err(message));
    }
    assert_eq!(align("4word"), Err("expected the end of the line, found `word`".to_owned()));
    assert_eq!(align("dwrod"), Err("expected an alignment, found `dwrod`".to_owned()));
}

/// An alignment without a name survives text.
#[test]
fn unnamed_alignments_are_annotated() {
    for bits in 10..16 {
        let mut module = Module::new(formats()[0]);
        let mut kernel = Kernel::new("k");
        let align = Align::from_bits(bits).expect("four bits");
        kernel.body.add_variable("v", DataType::D, 8, align);
        module.kernels.push(kernel);
        let text = printed(&module);
        assert!(text.contains(&format!(" num_elts=8 //@ align={bits}\n")), "{text}");
        assert_eq!(parse(&text, module.format).as_ref(), Ok(&module), "{text}");
    }
}

#[test]
fn integers_of_float_types_are_bits() {
    let read = |number: &str| reprint(&format!("mov (M1, 8) F(0,0)<1> {number}"), formats()[0]);
    for (number, expected) in [
        ("1:f", "0x1:f"),
        ("0x1:f", "0x1:f"),
        ("-1:f", "0x80000001:f"),
        ("-0x1:f", "0x80000001:f"),
        ("- 0x80000001:f", "0x1:f"),
        ("-0:f", "0x80000000:f"),
        ("1.0:f", "0x3f800000:f"),
        ("-1.5:f", "0xbfc00000:f"),
        ("1e-3:f", "0x3a83126f:f"),
        ("1:df", "0x1:df"),
        ("-1:df", "0x8000000000000001:df"),
        ("1.5:df", "0x3ff8000000000000:df"),
        ("0x3c00:hf", "0x3c00:hf"),
    ] {
        assert_eq!(read(number), format!("mov (M1, 8) F(0,0)<1> {expected}"), "{number}");
    }
    let hf = "expected hexadecimal bits of type `hf`, such as `0x3c00:hf`";
    for (number, expected) in [
        ("1:hf", format!("{hf}, found `1`")),
        ("-0x3c00:hf", format!("{hf}, found `-`")),
        ("0x3c000:hf", "`0x3c000` is out of range for type `hf`".into()),
        ("1.5:hf", "expected type `f` or `df` after a fraction, found `hf`".into()),
        ("1.5:d", "expected type `f` or `df` after a fraction, found `d`".into()),
        ("1.5e3:f", "expected a type, such as `:f`, found `e3`".into()),
        ("(1-2):f", "expected an integer type after an expression, found `f`".into()),
        ("~1:df", "expected an integer type after an expression, found `df`".into()),
        ("0x100000000:f", "`0x100000000` is out of range for type `f`".into()),
        ("4294967296:f", "`4294967296` is out of range for type `f`".into()),
    ] {
        check_rejected(&[(&format!("mov (M1, 8) F(0,0)<1> {number}"), &expected)]);
    }
}

#[test]
fn rejects_integers_out_of_the_range_of_their_width() {
    let read = |number: &str| reprint(&format!("mov (M1, 8) D(0,0)<1> {number}"), formats()[0]);
    for (number, expected) in [
        ("-1:ud", "0xffffffff:ud"),
        ("4294967295:d", "0xffffffff:d"),
        ("-2147483648:ud", "0x80000000:ud"),
        ("65535:w", "0xffff:w"),
        ("-1:w", "0xffffffff:w"),
        ("-1:uw", "0xffffffff:uw"),
        ("255:b", "0xff:b"),
        ("-128:b", "0xffffff80:b"),
        ("-1:uq", "0xffffffffffffffff:uq"),
        ("0xffffffff:w", "0xffffffff:w"),
        ("0xffffff80:b", "0xffffff80:b"),
        ("0xffff:w", "0xffff:w"),
        ("0xffffffff:bf", "0xffffffff:bf"),
        ("0xffffffff:bool", "0xffffffff:bool"),
        ("-5:uv", "0xfffffffb:uv"),
    ] {
        assert_eq!(read(number), format!("mov (M1, 8) D(0,0)<1> {expected}"), "{number}");
    }
    for (number, ty) in [
        ("0x107", "ub"),
        ("0x1ff", "ub"),
        ("0x10000", "uw"),
        ("0xffff7fff", "w"),
        ("0xffff0000", "w"),
        ("0xffffff7f", "b"),
        ("65536", "w"),
        ("-32769", "w"),
        ("256", "ub"),
        ("300", "ub"),
        ("4294967296", "ud"),
        ("-2147483649", "d"),
        ("0x100000000", "d"),
        ("-0x8000000000000001", "q"),
    ] {
        let expected = format!("`{number}` is out of range for type `{ty}`");
        check_rejected(&[(&format!("mov (M1, 8) D(0,0)<1> {number}:{ty}"), &expected)]);
    }
}

#[test]
fn rejects_repeated_and_missing_parts() {
    check_rejected(&[
        (
            "rt_write_3d. (M1, 8) T6 %null.0 F.0 F.0 F.0 F.0",
            "expected a mode of RT_WRITE, such as `<RTI>`, found `(`",
        ),
        (
            "rt_write_3d.<RTI><RTI> (M1, 8) T6 %null.0 0x0:ud F.0 F.0 F.0 F.0",
            "`RTI` is specified more than once",
        ),
        ("fence_global.EE", "expected fence options in the order `EISCRL1`, found `EE`"),
        ("fence_global.IE", "expected fence options in the order `EISCRL1`, found `IE`"),
        (
            "fence_global.",
            "expected fence options in the order `EISCRL1`, found the end of the line",
        ),
        ("fence_sw.E", "expected the end of the line, found `.`"),
        (
            "raw_sends.2.eot.eot.1.1.1 (M1, 8) 0x0:ud 0x0:ud D.0 D.0 D.0",
            "expected a number, found `eot`",
        ),
        (
            "raw_sends.2.1.eot.1.1 (M1, 8) 0x0:ud 0x0:ud D.0 D.0 D.0",
            "`.eot` must precede the three lengths",
        ),
        (
            "raw_sends.2.1.1.1.1 (M1, 8) 0x0:ud 0x0:ud D.0 D.0 D.0",
            "expected an execution size, found `1`",
        ),
        (
            "raw_sends.2.1 (M1, 8) 0x0:ud 0x0:ud D.0 D.0 D.0",
            "expected 4 numbers (a function id and three lengths), found 2",
        ),
        ("switchjmp (M1, 1) 0x0:ud ()", "expected a label, found `)`"),
        (
            &format!("switchjmp (M1, 1) 0x0:ud ({})", ["l"; 33].join(", ")),
            "expected at most 32 labels, found 33",
        ),
        (
            &format!("sample_b.R (M1, 8) 0x0:uw S0 T6 F.0 %null.0{}", " F.0".repeat(16)),
            "expected at most 15 parameters, found 16",
        ),
        (
            "cmp.le.le (M1, 8) P D(0,0)<1;1,0> 0x0:d",
            "expected an execution size, such as `(M1, 8)`, found `.`",
        ),
        (
            "add.sat.sat (M1, 8) D(0,0)<1> D(0,0)<1;1,0> 0x0:d",
            "expected an execution size, such as `(M1, 8)`, found `.`",
        ),
        (
            "sample_b.cps.cps.R (M1, 8) 0x0:uw S0 T6 F.0 %null.0 F.0",
            "expected channels, such as `RGBA`, found `cps`",
        ),
        (
            "sample_b.RR (M1, 8) 0x0:uw S0 T6 F.0 %null.0 F.0",
            "expected channels, such as `RGBA`, found `RR`",
        ),
    ]);
    check_accepted(&[
        ("fence_local.", "fence_local"),
        ("fence_global.EISCRL1", "fence_global.EISCRL1"),
        (
            "raw_sends_eot.2.1.1.1 (M1, 8) 0x0:ud 0x0:ud D.0 D.0 D.0",
            "raw_sends.2.eot.1.1.1 (M1, 8)  0x0:ud 0x0:ud D.0 D.0 D.0",
        ),
        (
            "rt_write_3d.<A><RTI> (M1, 8) T6 %null.0 0x0:ud F.0 F.0 F.0 F.0 F.0",
            "rt_write_3d.<RTI><A> (M1, 8) T6 %null.0 0x0:ud F.0 F.0 F.0 F.0 F.0",
        ),
    ]);
}

#[test]
fn rejects_extra_parts_of_lsc_messages() {
    check_rejected(&[
        ("lsc_load.ugm (M1, 8) D:d32 flat[D,0x4]:a32", "expected `]`, found `,`"),
        ("lsc_load.ugm (M1, 8) D:d32 flat[D,D]:a32", "expected `]`, found `,`"),
        ("lsc_load.ugm (M1, 8) D:d32.x flat[D]:a32", "expected an address model, found `.`"),
        (
            "lsc_load_quad.ugm (M1, 8) D:d32 flat[D]:a32",
            "expected `.` and channels, such as `.xyzw`, found `flat`",
        ),
        (
            "lsc_load_quad.ugm (M1, 8) D:d32x4 flat[D]:a32",
            "expected `.` and channels, such as `.xyzw`, found `x4`",
        ),
        (
            "lsc_load_quad.ugm (M1, 8) D:d32. flat[D]:a32",
            "expected channels in the order `xyzw`, found `flat`",
        ),
        (
            "lsc_load_quad.ugm (M1, 8) D:d32.yx flat[D]:a32",
            "expected channels in the order `xyzw`, found `yx`",
        ),
        (
            "lsc_load_quad.ugm (M1, 8) D:d32.xx flat[D]:a32",
            "expected channels in the order `xyzw`, found `xx`",
        ),
        (
            "lsc_load.ugm.ca.ca.ca.ca (M1, 8) D:d32 flat[D]:a32",
            "expected an execution size, such as `(M1, 8)`, found `.`",
        ),
        (
            "lsc_load.ugm.ca.ca.ca (M1, 8) D:d32 flat[D]:a32",
            "l2: this field cannot be expressed in dialect igc2026, version 4.1",
        ),
        (
            "lsc_apndctr_atomic_add.ugm (M1, 8) D:d32 bti(0x1) D:d64",
            "the source and the destination must have the same data size",
        ),
        (
            "lsc_apndctr_atomic_add.ugm (M1, 8) D:d32 bti(0x1) D:d32x2",
            "the source and the destination must have the same data size",
        ),
        (
            "lsc_load.ugm (M1, 8) D:d32x5 flat[D]:a32",
            "expected an element count of 1, 2, 3, 4, 8, 16, 32 or 64, such as `x4`, found `x5`",
        ),
        (
            "lsc_load.ugm (M1, 8) D:d32 flat[D+0x80000000]:a32",
            "`2147483648` is out of range for an offset",
        ),
        (
            "lsc_load.ugm (M1, 8) D:d32 flat[D--9223372036854775808]:a32",
            "`9223372036854775808` is out of range for an offset",
        ),
        ("lsc_load_quad.tgm (M1, 8) D:d32.x bti(0x1)[D,D,D,D+0x4]:a32", "a LOD takes no offset"),
        ("lsc_read_state_info.ugm D bti(0x1)[D]", "expected `tgm`, found `ugm`"),
        ("lsc_read_state_info.slm D bti(0x1)[D]", "expected `tgm`, found `slm`"),
    ]);
    check_accepted(&[
        (
            "lsc_load_strided.ugm (M1, 8) D:d32 flat[D,0x4]:a32",
            "lsc_load_strided.ugm (M1, 8)  D:d32  flat[D, 0x4]:a32",
        ),
        (
            "lsc_load_quad.ugm (M1, 8) D:d32.xw flat[D]:a32",
            "lsc_load_quad.ugm (M1, 8)  D:d32.xw  flat[D]:a32",
        ),
        ("lsc_read_state_info.tgm D bti(0x1)[D]", "lsc_read_state_info.tgm  D  bti(0x1)[D]"),
        (
            "lsc_apndctr_atomic_add.ugm (M1, 8) D:d32 bti(0x1) D:d32",
            "lsc_apndctr_atomic_add.ugm (M1, 8)  D:d32  bti(0x1)  D:d32",
        ),
    ]);
}

/// Returns the line of an instruction in a listing.
fn line(instruction: Instruction, format: Format, style: Style) -> String {
    let mut module = parsed("", format).expect("declarations");
    module.kernels[0].body.code =
        Code::from_instructions(&[instruction], format).expect("encodable");
    let mut text = String::new();
    let routine = module.routines().next().expect("a routine");
    Listing::new(routine).with_style(style).write_to(&mut text).expect("legal code");
    text.lines().find(|line| line.contains("/// $0")).expect("an instruction").to_owned()
}

#[test]
fn instructions_with_the_text_of_others_are_annotated() {
    let format = formats()[1];
    let d = Raw::new(VarId(32), 0);
    let channels = ChannelMask::R;
    let quad = |op| Access { op, channels, dst: d, addrs: d, ..Access::default() };
    let sampled = Sample3d { channels, paired_surface: None, ..Sample3d::default() };
    let loaded = Load3d { channels, ..Load3d::default() };
    let gathered = Gather4::default();
    let mov = |dst: Vector| Mov { dst: Dst(dst), src0: Imm::d(1).into(), ..Mov::default() };
    let annotated: Vec<Instruction> = vec![
        Gather4 { op: SamplerOp::from_bits(1).expect("a byte"), ..gathered }.into(),
        Gather4 { op: SamplerOp::LOAD, ..gathered }.into(),
        Sample3d { op: SampleOp::from_bits(8).expect("a byte"), ..sampled }.into(),
        Load3d { op: SamplerOp::from_bits(0).expect("a byte"), ..loaded }.into(),
        Load3d { op: SamplerOp::GATHER4, ..loaded }.into(),
        Access { sfid: LscSfid::TGM, ..Access::default() }.into(),
        Access { op: LscOp::LOAD_QUAD, sfid: LscSfid::TGM, ..quad(LscOp::LOAD_QUAD) }.into(),
        Block2d { sfid: LscSfid::TGM, ..Block2d::default() }.into(),
        Access { channels: ChannelMask::empty(), ..quad(LscOp::LOAD_QUAD) }.into(),
        TypedAccess { channels: ChannelMask::empty(), dst: d, u: d, ..TypedAccess::default() }
            .into(),
        mov(Imm::d(1).into()).into(),
        Mov {
            src0: Vector::imm(Imm::new(DataType::UB, 0x107).expect("four bytes")),
            ..mov(Vector::scalar(VarId(32)))
        }
        .into(),
        Mov {
            src0: Vector::imm(Imm::d(1)).with_modifier(Modifier::NEG),
            ..mov(Vector::scalar(VarId(32)))
        }
        .into(),
    ];
    for instruction in annotated {
        let instruction = with_paired(instruction);
        let line = line(instruction, format, Style::Faithful);
        assert!(line.contains("//@"), "{line}");
        let (text, _) = line.split_once("///").expect("a number");
        if let Ok(module) = parsed(text, format) {
            let read = module.kernels[0].body.code.instructions(format).next();
            assert_ne!(read.expect("one").expect("legal").1, instruction, "{line}");
        }
    }
}

/// Adds the fields of Igc2026, such as the paired surface of sampler messages.
fn with_paired(mut instruction: Instruction) -> Instruction {
    let null = Some(Raw::NULL);
    match &mut instruction {
        Instruction::Sample3d(i) => i.paired_surface = null,
        Instruction::Load3d(i) => i.paired_surface = null,
        Instruction::Gather4(i) => i.paired_surface = null,
        Instruction::LscUntyped(genvisa::isa::LscUntyped::Access(i)) => i.surface_index = Some(0),
        Instruction::LscTyped(genvisa::isa::LscTyped::TypedAccess(i)) => {
            i.surface_index = Some(0);
            (i.u_offset, i.v_offset, i.r_offset) = (Some(0), Some(0), Some(0));
        }
        _ => {}
    }
    instruction
}

/// Also in the text of the reference.
#[test]
fn messages_without_channels_are_parsed() {
    let format = formats()[0];
    let cases = [
        "sample_b. (M1, 8)  0x0:uw S0 T6 F.0 F.0 F.0",
        "load_lz. (M1, 8)  0x0:uw T6 F.0 F.0",
        "sample_unorm..16-full S0 T6 F(0,0)<0;1,0> F(0,0)<0;1,0> F(0,0)<0;1,0> F(0,0)<0;1,0> F.0",
        "sample. (8) S0 T6 F.0 F.0 F.0 F.0",
    ];
    for case in cases {
        let text = reprint(case, format);
        assert!(text.contains(".0000"), "{text}");
        assert_eq!(reprint(&text, format), text);
        let module = parsed(case, format).expect("it was read");
        let instruction = module.kernels[0].body.code.instructions(format).next();
        let instruction = instruction.expect("one").expect("legal").1;
        let line = line(instruction, format, Style::Reference);
        assert!(line.contains(case), "{line}");
    }
    check_rejected(&[
        (
            "sample4. (M1, 8) 0x0:uw S0 T6 F.0 %null.0 F.0",
            "expected channels, such as `RGBA`, found `(`",
        ),
        ("resinfo. (M1, 8) T6 F.0 F.0", "expected channels, such as `RGBA`, found `(`"),
        (
            "sample_b.(M1, 8) 0x0:uw S0 T6 F.0 %null.0 F.0",
            "expected channels, such as `RGBA`, found `(`",
        ),
    ]);
}

#[test]
fn other_spellings_of_compilers_are_parsed() {
    check_accepted(&[
        ("mov (NoMask, 8) D(0,0)<1> 0x0:d", "mov (M1_NM, 8) D(0,0)<1> 0x0:d"),
        ("mov (NoMask,8) D(0,0)<1> 0x0:d", "mov (M1_NM, 8) D(0,0)<1> 0x0:d"),
        (
            "sample_lz.rg (M1, 8) 0x0:uw S0 T6 F.0 %null.0 F.0",
            "sample_lz.RG (M1, 8)  0x0:uw S0 T6 F.0 %null.0 F.0",
        ),
        (
            "gather4_typed.r (M1, 8) T6 D.0 D.0 %null.0 %null.0 D.0",
            "gather4_typed.R (M1, 8) T6 D.0 D.0 %null.0 %null.0 D.0",
        ),
        ("addr_add (M1, 1) AD(0)<1> &X[3] 0x0:uw", "addr_add (M1, 1) AD(0)<1> &X[3] 0x0:uw"),
        ("addr_add (M1, 1) AD(0)<1> &D[(2+2)] 0x0:uw", "addr_add (M1, 1) AD(0)<1> &D[4] 0x0:uw"),
    ]);
    check_rejected(&[
        (
            "addr_add (M1, 1) AD(0)<1> &D[3] 0x0:uw",
            "the offset 3 is not a multiple of the size of type `d`",
        ),
        (
            "addr_add (M1, 1) AD(0)<1> &D[8192] 0x0:uw",
            "expected an offset below 8192, found `8192`",
        ),
    ]);
}

#[test]
fn mistyped_words_get_suggestions() {
    let cases = [
        (".implicit_LOCAL_IDD D", ".implicit_LOCAL_ID"),
        ("fence_globall", "fence_global"),
        ("fccal (M1, 1) f", "fccall"),
        ("kernel \"k\"", ".kernel"),
        (".kernal \"k\"", ".kernel"),
        (".decl V v_type=G type=int num_elts=8", "d"),
        (".decl V v_type=G type=float num_elts=8", "f"),
        ("lsc_laod.ugm (M1, 8) D:d32 flat[D]:a32", "lsc_load"),
        ("svm_gathr.4.1 (M1, 8) U.0 D.0", "svm_gather"),
        ("sample4_cc.R (M1, 8) 0x0:uw S0 T6 F.0 %null.0 F.0", "sample4_c"),
        ("load_mc.R (M1, 8) 0x0:uw T6 F.0 %null.0 F.0", "load_mcs"),
        ("raw_sendgc_eo.1", "raw_sendgc_eot"),
        ("sample_lzz.R (M1, 8) 0x0:uw S0 T6 F.0 %null.0 F.0", "sample_lz"),
        ("va.conolve", "convolve"),
    ];
    for (text, expected) in cases {
        let found = parsed(text, formats()[1]).expect_err(text);
        let expected = format!("did you mean `{expected}`?");
        assert_eq!(found[0].help.as_deref(), Some(&*expected), "{text}: {}", found[0]);
    }
    let found = parse(".kernal \"k\"\nbarrier\n", formats()[0]).expect_err("no kernel");
    assert_eq!(found[0].to_string(), "unknown directive `.kernal`");
    assert_eq!(found[0].help.as_deref(), Some("did you mean `.kernel`?"));
    assert_eq!(found.len(), 1);
}

#[test]
fn diagnostics_cut_long_tokens() {
    let long = "x".repeat(100_000);
    let digits = "9".repeat(100_000);
    let lines = [
        format!("{long} (M1, 8)"),
        format!(".{long}"),
        format!("mov (M1, 8) {long}(0,0)<1> 0x0:d"),
        format!("mov (M1, 8) D(0,0)<1> 0x0:{long}"),
        format!("mov (M1, 8) D(0,0)<1> {digits}:d"),
        format!("mov (M1, 8) D(0,0)<1> 1.{digits}:d"),
        format!("mov (M1, 8) D(0,0)<1> 0x0:d {long}"),
        format!("mov ({long}, 8) D(0,0)<1> 0x0:d"),
        format!("(P) {long} (M1, 8)"),
        format!(".decl V v_type=G type={long} num_elts=8"),
        format!(".decl {long} v_type=P num_elts=8\n.decl {long} v_type=P num_elts=8"),
        format!(".decl {long} v_type=P num_elts=8\nadd (M1, 8) D.0 {long}.0 D.0"),
        format!(".decl V v_type=G type=d num_elts=8 align={long}"),
        format!("jmp (M1, 1) {long}"),
        format!("{long}:\n{long}:"),
        format!("bfn.x{long} (M1, 8)"),
        format!("lsc_{long}.ugm (M1, 8)"),
        format!("rt_write_3d.<{long}> (M1, 8)"),
        format!("FILE \"\\{long}\""),
        format!(".function \"{long}\""),
        format!(".input {long}"),
        format!(".kernel_attr {long} {long}"),
        format!("va.{long}"),
    ];
    for text in &lines {
        let found = parsed(text, formats()[1]).expect_err("wrong");
        for diagnostic in &found {
            let shown = diagnostic.to_string();
            assert!(shown.len() < 300, "{:.60}: {:.100}", text, shown);
            assert!(diagnostic.found.len() < 50, "{text:.60}");
            assert!(diagnostic.help.as_ref().is_none_or(|help| help.len() < 300), "{text:.60}");
        }
    }
}
