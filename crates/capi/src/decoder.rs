//! Decoding of instructions one by one.

use std::sync::Arc;

use self_cell::self_cell;
use visa::object::Code;
use visa::wire::{FieldRecorder, Reader, TracedField, Wire};
use visa::{Format, Instruction, Instructions, Module};

use crate::abi::{call, genvisa_bytes, give, required};
use crate::error::{Fallible, genvisa_error, genvisa_status};
use crate::module::{Shared, genvisa_module};
use genvisa_status::{GENVISA_END, GENVISA_OK};

self_cell!(
    struct Stream {
        owner: Arc<Shared>,
        #[covariant]
        dependent: Position,
    }
);

/// A position in the code of a routine.
struct Position<'a> {
    instructions: Instructions<'a>,
    code: &'a [u8],
    /// The offset of the code in the file.
    base: usize,
    format: Format,
}

impl<'a> Position<'a> {
    fn new(module: &'a Module<'static>, routine: usize) -> Position<'a> {
        let routine = module.routines().nth(routine);
        let code = routine.map(|routine| &routine.body.code);
        let (code, base) = match code {
            Some(Code::Present { bytes, offset }) => (&**bytes, *offset),
            _ => (&[][..], 0),
        };
        let format = module.format;
        Position { instructions: Instructions::with_base(code, base, format), code, base, format }
    }

    /// Returns the bytes between two offsets in the file.
    fn bytes(&self, start: usize, end: usize) -> &'a [u8] {
        self.code.get(start - self.base..end - self.base).unwrap_or_default()
    }
}

/// Decodes the instructions of a routine in their order. It keeps its module alive.
///
/// Only one thread may use a decoder at a time. The caller frees it with `genvisa_decoder_free`.
pub struct genvisa_decoder {
    stream: Stream,
    index: usize,
    /// The offsets of the current instruction and of the next one; equal before the first.
    start: usize,
    end: usize,
    instruction: Instruction,
    /// An error that follows the instructions of the last call.
    error: Option<Box<genvisa_error>>,
    text: String,
    fields: Vec<TracedField>,
}

/// An instruction. All bytes are valid until the decoder is freed.
#[repr(C)]
pub struct genvisa_instruction {
    /// The number of the instruction in the routine, from 0.
    pub index: usize,
    /// The offset in the file.
    pub offset: usize,
    /// The bytes.
    pub bytes: genvisa_bytes,
    /// The mnemonic.
    pub mnemonic: genvisa_bytes,
    /// The opcode.
    pub opcode: u8,
}

/// A field of an instruction, as `genvisa explain` prints it. All bytes are valid until the next call
/// with the decoder.
#[repr(C)]
pub struct genvisa_field {
    /// The name in the specification, such as "exec_size".
    pub name: genvisa_bytes,
    /// The value as text.
    pub value: genvisa_bytes,
    /// What the value means; empty if it is obvious.
    pub meaning: genvisa_bytes,
    /// The offset in the file of the integer that contains the field.
    pub offset: usize,
    /// The number of fields that contain it: the parts of a field follow it, one level deeper.
    pub depth: usize,
}

/// Starts to decode a routine by its number.
///
/// On success, `*decoder` is a new decoder. If there is no such routine, the status is `GENVISA_END`. If
/// `error` is not null, `*error` is an error, or null.
#[unsafe(no_mangle)]
pub extern "C" fn genvisa_decoder_new(
    module: Option<&genvisa_module>,
    routine: usize,
    decoder: Option<&mut *mut genvisa_decoder>,
    error: Option<&mut *mut genvisa_error>,
) -> genvisa_status {
    call(error, || {
        let (module, decoder) = (required(module, "module")?, required(decoder, "decoder")?);
        if module.shared.module.routines().nth(routine).is_none() {
            return Ok(GENVISA_END);
        }
        let stream =
            Stream::new(module.shared.clone(), |shared| Position::new(&shared.module, routine));
        give(
            decoder,
            genvisa_decoder {
                stream,
                index: 0,
                start: 0,
                end: 0,
                instruction: Instruction::default(),
                error: None,
                text: String::new(),
                fields: Vec::new(),
            },
        );
        Ok(GENVISA_OK)
    })
}

/// Decodes the next instruction.
///
/// On success, `*instruction` describes it. At the end of the routine, the status is `GENVISA_END`. If
/// `error` is not null, `*error` is an error, or null. After an error, the next status is `GENVISA_END`,
/// because the start of the next instruction is unknown.
#[unsafe(no_mangle)]
pub extern "C" fn genvisa_decoder_next(
    decoder: Option<&mut genvisa_decoder>,
    instruction: Option<&mut genvisa_instruction>,
    error: Option<&mut *mut genvisa_error>,
) -> genvisa_status {
    call(error, || {
        let (decoder, out) = (required(decoder, "decoder")?, required(instruction, "instruction")?);
        decoder.decode(std::slice::from_mut(out)).map(|count| match count {
            0 => GENVISA_END,
            _ => GENVISA_OK,
        })
    })
}

/// Decodes the next instructions, at most `capacity`, which is faster than one by one.
///
/// `*count` is their number, and the current instruction is the last one. It is less than `capacity` only at
/// the end of the routine and before an error, which the next call returns; the status is `GENVISA_END`
/// if there are none. If `error` is not null, `*error` is an error, or null.
///
/// `instructions` points to an array of `capacity` elements, which need not be initialized.
#[unsafe(no_mangle)]
pub extern "C" fn genvisa_decoder_next_many(
    decoder: Option<&mut genvisa_decoder>,
    instructions: *mut genvisa_instruction,
    capacity: usize,
    count: Option<&mut usize>,
    error: Option<&mut *mut genvisa_error>,
) -> genvisa_status {
    call(error, || {
        let (decoder, count) = (required(decoder, "decoder")?, required(count, "count")?);
        *count = 0;
        if instructions.is_null() {
            return Err(genvisa_error::argument("`instructions` is null"));
        }
        for at in 0..capacity {
            // SAFETY: the caller promises an array of `capacity` elements.
            unsafe { instructions.add(at).write(genvisa_instruction::NONE) };
        }
        // SAFETY: all elements were just written.
        let out = unsafe { std::slice::from_raw_parts_mut(instructions, capacity) };
        *count = decoder.decode(out)?;
        Ok(if *count == 0 && capacity != 0 { GENVISA_END } else { GENVISA_OK })
    })
}

impl genvisa_instruction {
    const NONE: genvisa_instruction = genvisa_instruction {
        index: 0,
        offset: 0,
        bytes: genvisa_bytes::NONE,
        mnemonic: genvisa_bytes::NONE,
        opcode: 0,
    };
}

impl genvisa_decoder {
    /// Decodes the next instructions, and returns their number. An error follows the instructions before it.
    fn decode(&mut self, out: &mut [genvisa_instruction]) -> Fallible<usize> {
        let genvisa_decoder { stream, instruction, error, .. } = self;
        if let Some(error) = error.take() {
            return Err(error);
        }
        let (mut index, mut start, mut end) = (self.index, self.start, self.end);
        let mut count = 0;
        stream.with_dependent_mut(|_, position| {
            for out in out {
                match position.instructions.next_into(instruction) {
                    Ok(Some(offset)) => (start, end) = (offset, position.instructions.offset()),
                    Ok(None) => break,
                    Err(found) => {
                        *error = Some(found.into());
                        break;
                    }
                }
                *out = genvisa_instruction {
                    index,
                    offset: start,
                    bytes: genvisa_bytes::of(position.bytes(start, end)),
                    mnemonic: genvisa_bytes::of(instruction.mnemonic()),
                    opcode: instruction.opcode(),
                };
                (index, count) = (index + 1, count + 1);
            }
        });
        (self.index, self.start, self.end) = (index, start, end);
        match self.error.take() {
            Some(error) if count == 0 => Err(error),
            error => {
                self.error = error;
                Ok(count)
            }
        }
    }
}

/// Returns the text of the current instruction, which `genvisa_decoder_next` has decoded, in ids instead of
/// names. It is valid until the next call with the decoder.
#[unsafe(no_mangle)]
pub extern "C" fn genvisa_decoder_text(decoder: Option<&mut genvisa_decoder>) -> genvisa_bytes {
    let Some(decoder) = decoder else { return genvisa_bytes::NONE };
    let format = decoder.stream.borrow_dependent().format;
    decoder.text = decoder.instruction.display(format).to_string();
    genvisa_bytes::of(&decoder.text)
}

/// Finds the fields of the current instruction, which `genvisa_decoder_next` has decoded, and returns
/// their number. `genvisa_decoder_field` returns each.
#[unsafe(no_mangle)]
pub extern "C" fn genvisa_decoder_fields(decoder: Option<&mut genvisa_decoder>) -> usize {
    let Some(decoder) = decoder else { return 0 };
    let position = decoder.stream.borrow_dependent();
    let bytes = position.bytes(decoder.start, decoder.end);
    let mut recorder = FieldRecorder::default();
    let mut r = Reader::traced(bytes, decoder.start, position.format, &mut recorder);
    // The instruction was decoded before.
    let _ = Instruction::decode(&mut r);
    decoder.fields = recorder.take();
    decoder.fields.len()
}

/// Describes a field that `genvisa_decoder_fields` found by its number. If there is no such field, the
/// status is `GENVISA_END`.
#[unsafe(no_mangle)]
pub extern "C" fn genvisa_decoder_field(
    decoder: Option<&genvisa_decoder>,
    number: usize,
    field: Option<&mut genvisa_field>,
) -> genvisa_status {
    call(None, || {
        let (decoder, out) = (required(decoder, "decoder")?, required(field, "field")?);
        let Some(field) = decoder.fields.get(number) else { return Ok(GENVISA_END) };
        *out = genvisa_field {
            name: genvisa_bytes::of(&*field.name),
            value: genvisa_bytes::of(&*field.value),
            meaning: genvisa_bytes::of(&*field.meaning),
            offset: field.offset,
            depth: field.depth,
        };
        Ok(GENVISA_OK)
    })
}

/// Frees a decoder. Does nothing for null.
#[unsafe(no_mangle)]
pub extern "C" fn genvisa_decoder_free(decoder: Option<Box<genvisa_decoder>>) {
    drop(decoder);
}
