//! The text of each instruction is unambiguous, and other spellings are parsed.

use super::*;

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
        let line = line(instruction, format, Style::Complete);
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

/// Also in the text of GenX_IR.
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
        let annotation = if text.contains("%null.0") { " //@ paired" } else { "" };
        assert_eq!(reprint(&format!("{text}{annotation}"), format), text);
        let module = parsed(case, format).expect("it was read");
        let instruction = module.kernels[0].body.code.instructions(format).next();
        let instruction = instruction.expect("one").expect("legal").1;
        let line = line(instruction, format, Style::GenXIr);
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
