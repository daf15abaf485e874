//! Streams of vISA instructions, and what the benchmarks do with them.
//!
//! The generated streams have a mix of instructions similar to media kernels.

#![allow(dead_code)] // each benchmark uses some of this

use std::hint::black_box;

use genvisa::isa::{
    Add, AddrAdd, Asr, Cmp, Gather4Typed, Jmp, Loc, Mad, MediaLd, Mov, Mul, OwordLd, Sel, Shl,
};
use genvisa::object::Code;
use genvisa::operand::{
    AddrId, AddrWidth, Dst, Exec, ExecSize, Imm, LabelId, MediaModifier, Modifier, OwordNum, Pred,
    PredId, Raw, Region, RelOp, Stride, SurfaceId, TypeByte, VarId, Vector, VectorKind,
};
use genvisa::wire::{Wire, Writer};
use genvisa::{Boundaries, Dialect, Format, Instruction, Instructions, Module, Version};

/// Code, and its format.
pub type Stream = (Format, Vec<u8>);

/// The instructions of a stream, and their format.
pub type Decoded = (Format, Vec<Instruction>);

/// The format of the generated streams.
const FORMAT: Format = Format::igc2022(Version::V3_6);

/// A pseudorandom generator, with the same numbers in every run.
pub struct Numbers(pub u64);

impl Numbers {
    fn below(&mut self, bound: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % bound
    }
}

/// Returns a random instruction of the mix.
fn instruction(n: &mut Numbers) -> Instruction {
    let exec = Exec::from(ExecSize::ALL[n.below(6)]);
    let var = VarId(32 + n.below(500) as u32);
    let region = Region::new(Stride::S8, Stride::S8, Stride::S1);
    let general = Vector::general(var, region).with_modifier(if n.below(8) == 0 {
        Modifier::NEG
    } else {
        Modifier::NONE
    });
    let other = match n.below(10) {
        0..=4 => Vector::scalar(VarId(32 + n.below(500) as u32)),
        5..=7 => Imm::d(n.below(1000) as i32).into(),
        8 => Vector {
            modifier: Modifier::NONE,
            kind: VectorKind::Indirect {
                addr: AddrId(n.below(8) as u16),
                addr_offset: 0,
                offset: n.below(512) as i16,
                ty: TypeByte::from_bits(3),
                region,
            },
        },
        _ => general,
    };
    let pred = match (n.below(12), Pred::new(PredId(1))) {
        (0, Some(pred)) => pred,
        _ => Pred::NONE,
    };
    let (dst, src0, src1) = (Dst::new(var), general, other);
    let raw = Raw::new(var, 32);
    let surface = SurfaceId(6);
    match n.below(32) {
        0..=9 => Mov { exec, pred, dst, src0: other }.into(),
        10..=16 => Add { exec, pred, dst, src0, src1 }.into(),
        17..=18 => Mul { exec, pred, dst, src0, src1 }.into(),
        19 => Shl { exec, pred, dst, src0, src1 }.into(),
        20 => Asr { exec, pred, dst, src0, src1 }.into(),
        21 => Mad { exec, pred, dst, src0, src1, src2: general }.into(),
        22 => Sel { exec, pred, dst, src0, src1 }.into(),
        23 => Cmp { exec, rel_op: RelOp::GT.into(), dst: dst.0.into(), src0, src1 }.into(),
        24..=26 => Loc { line_number: n.below(5000) as u32 }.into(),
        27 => Jmp { exec, pred, label: LabelId(n.below(40) as u16) }.into(),
        28 => {
            let address = Vector::address(AddrId(0), 0, AddrWidth::W1);
            AddrAdd { exec, dst: Dst(address), src0: general.into(), src1: other }.into()
        }
        29 => MediaLd {
            modifiers: MediaModifier::NOMOD,
            surface,
            plane: 0,
            block_width: 16,
            block_height: 8,
            x_offset: other,
            y_offset: other,
            dst: raw,
        }
        .into(),
        30 => {
            OwordLd { size: OwordNum::N4, is_modified: 0, surface, offset: other, dst: raw }.into()
        }
        _ => Gather4Typed { exec, pred, surface, u: raw, v: raw, dst: raw, ..Default::default() }
            .into(),
    }
}

fn encoded(instructions: &[Instruction]) -> Stream {
    let code = Code::from_instructions(instructions, FORMAT).expect("the mix is legal");
    (FORMAT, code.bytes().to_vec())
}

/// Returns a stream that repeats 200 instructions in their order, and one that draws them.
pub fn generated(n: &mut Numbers) -> [Stream; 2] {
    let period: Vec<Instruction> = (0..200).map(|_| instruction(n)).collect();
    let repeated: Vec<Instruction> = period.iter().copied().cycle().take(20_000).collect();
    let drawn: Vec<Instruction> = (0..20_000).map(|_| period[n.below(200)]).collect();
    [encoded(&repeated), encoded(&drawn)]
}

/// Returns the code of each file with its format.
pub fn code_of(files: &[Vec<u8>]) -> Vec<Stream> {
    let code = |file: &Vec<u8>| {
        let module = Module::from_bytes(file, Dialect::Igc2022).expect("a vISA object");
        let code = module.routines().flat_map(|r| r.body.code.bytes().to_vec()).collect();
        (module.format, code)
    };
    files.iter().map(code).collect()
}

/// Returns streams with the same instructions in random order.
pub fn shuffled(streams: &[Stream], n: &mut Numbers) -> Vec<Stream> {
    let shuffle = |(format, code): &Stream| {
        let boundaries = Boundaries::new(code, *format).map(|boundary| boundary.expect("legal"));
        let mut boundaries: Vec<_> = boundaries.collect();
        for i in (1..boundaries.len()).rev() {
            boundaries.swap(i, n.below(i + 1));
        }
        let bytes = boundaries.iter().flat_map(|b| &code[b.offset..b.offset + b.len]);
        (*format, bytes.copied().collect())
    };
    streams.iter().map(shuffle).collect()
}

/// Returns the instructions of streams.
pub fn decoded(streams: &[Stream]) -> Vec<Decoded> {
    let decoded = |(format, code): &Stream| {
        let instructions = Instructions::new(code, *format).map(|item| item.expect("legal").1);
        (*format, instructions.collect())
    };
    streams.iter().map(decoded).collect()
}

/// Decodes streams.
pub fn decode(streams: &[Stream]) {
    for (format, code) in streams {
        let mut instruction = Instruction::default();
        let mut instructions = Instructions::new(black_box(code), *format);
        while instructions.next_into(&mut instruction).expect("legal").is_some() {
            black_box(&instruction);
        }
    }
}

/// Skips the instructions of streams.
pub fn skip(streams: &[Stream]) {
    for (format, code) in streams {
        for boundary in Boundaries::new(black_box(code), *format) {
            black_box(boundary.expect("legal"));
        }
    }
}

/// Encodes instructions into a buffer.
pub fn encode(decoded: &[Decoded], buffer: &mut Vec<u8>) {
    for (format, instructions) in decoded {
        buffer.clear();
        let mut w = Writer::append_to(std::mem::take(buffer), *format);
        for instruction in black_box(instructions) {
            instruction.encode(&mut w).expect("legal");
        }
        *buffer = w.into_bytes();
    }
    black_box(buffer);
}
