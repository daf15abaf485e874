//! Benchmarks of decoding, skipping and encoding vISA, compared with iced-x86 on x86 code.
//!
//! The streams have a mix of instructions similar to that of media kernels, once repeating and once
//! shuffled, because the branch predictor learns an order that repeats. With `GENVISA_CORPUS`, the
//! code of the `.isa` files in that folder is measured too, in its order and shuffled.

#![allow(missing_docs)] // criterion_group! makes a public function

mod corpus;

use std::hint::black_box;

use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, Criterion, Throughput, criterion_group, criterion_main};
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

const FORMAT: Format = Format::igc2022(Version::V3_6);

/// A pseudorandom generator, with the same numbers in every run.
struct Numbers(u64);

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

fn encoded(instructions: &[Instruction]) -> Vec<u8> {
    Code::from_instructions(instructions, FORMAT).expect("the mix is legal").bytes().to_vec()
}

/// Returns the code of each file with its format.
fn code_of(files: &[Vec<u8>]) -> Vec<(Format, Vec<u8>)> {
    let code = |file: &Vec<u8>| {
        let module = Module::from_bytes(file, Dialect::Igc2022).expect("a vISA object");
        let code = module.routines().flat_map(|r| r.body.code.bytes().to_vec()).collect();
        (module.format, code)
    };
    files.iter().map(code).collect()
}

/// Returns streams with the same instructions in random order.
fn shuffled(streams: &[(Format, Vec<u8>)], n: &mut Numbers) -> Vec<(Format, Vec<u8>)> {
    let shuffle = |(format, code): &(Format, Vec<u8>)| {
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

/// Measures a function applied to all streams.
fn measure(
    group: &mut BenchmarkGroup<'_, WallTime>,
    name: &str,
    streams: &[(Format, Vec<u8>)],
    mut work: impl FnMut(Format, &[u8]),
) {
    group.bench_function(name, |b| {
        b.iter(|| streams.iter().for_each(|(format, code)| work(*format, black_box(code))))
    });
}

fn visa(c: &mut Criterion, stream: &str, streams: &[(Format, Vec<u8>)]) {
    let decoded: Vec<(Format, Vec<Instruction>)> = (streams.iter())
        .map(|(format, code)| {
            let instructions = Instructions::new(code, *format).map(|item| item.expect("legal").1);
            (*format, instructions.collect())
        })
        .collect();
    let count: usize = decoded.iter().map(|(_, instructions)| instructions.len()).sum();
    let bytes: usize = streams.iter().map(|(_, code)| code.len()).sum();
    println!("{stream}: {count} instructions, {:.1} bytes each", bytes as f64 / count as f64);
    let mut group = c.benchmark_group(format!("visa/{stream}"));
    group.throughput(Throughput::Elements(count as u64));
    measure(&mut group, "decode", streams, |format, code| {
        let mut instruction = Instruction::default();
        let mut instructions = Instructions::new(code, format);
        while instructions.next_into(&mut instruction).expect("legal").is_some() {
            black_box(&instruction);
        }
    });
    measure(&mut group, "skip", streams, |format, code| {
        for boundary in Boundaries::new(code, format) {
            black_box(boundary.expect("legal"));
        }
    });
    let mut buffer = Vec::with_capacity(bytes + 1);
    group.bench_function("encode", |b| {
        b.iter(|| {
            for (format, instructions) in &decoded {
                buffer.clear();
                let mut w = Writer::append_to(std::mem::take(&mut buffer), *format);
                for instruction in black_box(instructions) {
                    instruction.encode(&mut w).expect("legal");
                }
                buffer = w.into_bytes();
            }
            black_box(&buffer);
        })
    });
    group.finish();
}

/// Measures iced-x86 on the code of this program.
fn x86(c: &mut Criterion) {
    use object::{Object, ObjectSection};
    let exe = std::env::current_exe().and_then(std::fs::read).expect("this program's file");
    let exe = object::File::parse(&*exe).expect("an object file");
    let text = exe.section_by_name(".text").and_then(|s| s.data().ok()).expect("a text section");
    let text = &text[..text.len().min(1 << 20)];
    let decoder = || iced_x86::Decoder::new(64, text, iced_x86::DecoderOptions::NONE);
    let decoded: Vec<iced_x86::Instruction> =
        decoder().iter().filter(|i| !i.is_invalid()).collect();
    println!("x86: {} instructions", decoded.len());
    let mut group = c.benchmark_group("iced-x86");
    group.throughput(Throughput::Elements(decoded.len() as u64));
    group.bench_function("decode", |b| {
        let mut instruction = iced_x86::Instruction::default();
        b.iter(|| {
            let mut decoder = iced_x86::Decoder::new(64, black_box(text), 0);
            while decoder.can_decode() {
                decoder.decode_out(&mut instruction);
                black_box(&instruction);
            }
        })
    });
    let mut buffer = Vec::with_capacity(text.len() * 2);
    group.bench_function("encode", |b| {
        b.iter(|| {
            buffer.clear();
            let mut encoder = iced_x86::Encoder::new(64);
            encoder.set_buffer(std::mem::take(&mut buffer));
            for instruction in black_box(&decoded) {
                let _ = encoder.encode(instruction, instruction.ip());
            }
            buffer = encoder.take_buffer();
        })
    });
    group.finish();
}

fn all(c: &mut Criterion) {
    let mut n = Numbers(7);
    let period: Vec<Instruction> = (0..200).map(|_| instruction(&mut n)).collect();
    let repeated: Vec<Instruction> = period.iter().copied().cycle().take(20_000).collect();
    let drawn: Vec<Instruction> = (0..20_000).map(|_| period[n.below(200)]).collect();
    x86(c);
    visa(c, "repeating", &[(FORMAT, encoded(&repeated))]);
    visa(c, "shuffled", &[(FORMAT, encoded(&drawn))]);
    match corpus::real_files() {
        Some(files) => {
            let streams = code_of(&files);
            visa(c, "corpus", &streams);
            visa(c, "corpus, shuffled", &shuffled(&streams, &mut n));
        }
        None => println!("visa/corpus: skipped, GENVISA_CORPUS is not set"),
    }
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(30).measurement_time(std::time::Duration::from_secs(2))
        .warm_up_time(std::time::Duration::from_millis(500));
    targets = all
}
criterion_main!(benches);
