//! iced-x86 on the code of this program.

#![allow(dead_code)] // each benchmark uses some of this

use std::hint::black_box;

use iced_x86::{Decoder, DecoderOptions, Encoder, FastFormatter, Instruction};
use object::{Object, ObjectSection};

/// Returns code of this program, at most a megabyte.
pub fn code() -> Vec<u8> {
    let exe = std::env::current_exe().and_then(std::fs::read).expect("this program's file");
    let exe = object::File::parse(&*exe).expect("an object file");
    let text = exe.section_by_name(".text").and_then(|s| s.data().ok()).expect("a text section");
    text[..text.len().min(1 << 20)].to_vec()
}

/// Returns the instructions of code.
pub fn decoded(code: &[u8]) -> Vec<Instruction> {
    let decoder = Decoder::new(64, code, DecoderOptions::NONE);
    decoder.into_iter().filter(|instruction| !instruction.is_invalid()).collect()
}

/// Decodes code.
pub fn decode(code: &[u8]) {
    let mut instruction = Instruction::default();
    let mut decoder = Decoder::new(64, black_box(code), DecoderOptions::NONE);
    while decoder.can_decode() {
        decoder.decode_out(&mut instruction);
        black_box(&instruction);
    }
}

/// Encodes instructions into a buffer.
pub fn encode(decoded: &[Instruction], buffer: &mut Vec<u8>) {
    buffer.clear();
    let mut encoder = Encoder::new(64);
    encoder.set_buffer(std::mem::take(buffer));
    for instruction in black_box(decoded) {
        let _ = encoder.encode(instruction, instruction.ip());
    }
    *buffer = encoder.take_buffer();
}

/// Decodes and prints code, and returns the number of bytes of text.
pub fn print(code: &[u8], formatter: &mut FastFormatter) -> usize {
    let (mut instruction, mut line, mut bytes) = (Instruction::default(), String::new(), 0);
    let mut decoder = Decoder::new(64, black_box(code), DecoderOptions::NONE);
    while decoder.can_decode() {
        decoder.decode_out(&mut instruction);
        line.clear();
        formatter.format(&instruction, &mut line);
        bytes += black_box(&line).len();
    }
    bytes
}
