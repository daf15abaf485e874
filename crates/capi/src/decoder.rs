//! Decoding of instructions.

use std::mem;
use std::ptr;
use std::sync::Arc;

use self_cell::self_cell;
use visa::object::{Code, Routine};
use visa::wire::{FieldRecorder, Reader, TracedField, Wire};
use visa::{Format, Instruction};

use crate::abi::{call, genvisa_bytes, give, required};
use crate::error::{Fallible, genvisa_error, genvisa_status};
use crate::module::{Shared, genvisa_module};
use genvisa_status::{GENVISA_END, GENVISA_OK};

self_cell!(
    struct Source {
        owner: Arc<Shared>,
        #[covariant]
        dependent: Selected,
    }
);

/// The routine that is decoded.
struct Selected<'m>(Routine<'m, 'static>);

/// Decodes the instructions of a routine in their order. Only one thread may use a decoder at a time.
///
/// A decoder may be used after its module is freed. The caller frees it with `genvisa_decoder_free`.
pub struct genvisa_decoder {
    source: Source,
    /// The next instructions, decoded together, because a call that stops panics is slow.
    batch: [genvisa_instruction; BATCH],
    /// The position of the next instruction in the batch, and the number of instructions there.
    next: usize,
    len: usize,
    /// The number of bytes until the end of the batch.
    done: usize,
    /// Whether an error follows the batch.
    fails: bool,
    text: String,
    fields: Vec<TracedField>,
}

const BATCH: usize = 128;

/// An instruction.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct genvisa_instruction {
    /// The offset in the file. If the routine comes from a text or has new code, the offset in its code.
    pub offset: usize,
    /// The bytes, in the code of the routine. They are valid until the module and all its decoders are freed.
    pub bytes: genvisa_bytes,
    /// The opcode (`genvisa_opcode`), which is also the first byte; `genvisa_mnemonic` returns its name.
    pub opcode: u8,
}

/// A field of an instruction, as the command `genvisa explain` prints it. All bytes are valid until the next call
/// of `genvisa_decoder_fields` with the decoder, or until the decoder is freed.
#[repr(C)]
pub struct genvisa_field {
    /// The name, such as "exec". docs/format.md lists the fields of each instruction.
    pub name: genvisa_bytes,
    /// The value as text.
    pub value: genvisa_bytes,
    /// What the value means; empty if it is obvious.
    pub meaning: genvisa_bytes,
    /// The offset of the integer that contains the field, as in `genvisa_instruction`.
    pub offset: usize,
    /// How deep the field is nested: 0 for a field of the instruction, 1 for a part of such a field. Parts
    /// follow the field that contains them.
    pub depth: usize,
}

/// Starts to decode the routine with an index.
///
/// On success, `*decoder` is a new decoder, which the caller frees. If there is no such routine, the
/// status is `GENVISA_END`.
#[unsafe(no_mangle)]
pub extern "C" fn genvisa_decoder_new(
    module: Option<&genvisa_module>,
    routine: usize,
    decoder: Option<&mut *mut genvisa_decoder>,
    error: Option<&mut *mut genvisa_error>,
) -> genvisa_status {
    call(error, || {
        let (module, decoder) = (required(module, "module")?, required(decoder, "decoder")?);
        let source = Source::try_new(module.shared.clone(), |shared| {
            shared.module.routine(routine).map(Selected).ok_or(())
        });
        let Ok(source) = source else {
            return Ok(GENVISA_END);
        };
        give(
            decoder,
            genvisa_decoder {
                source,
                batch: [genvisa_instruction::NONE; BATCH],
                next: 0,
                len: 0,
                done: 0,
                fails: false,
                text: String::new(),
                fields: Vec::new(),
            },
        );
        Ok(GENVISA_OK)
    })
}

/// Decodes the next instruction.
///
/// On success, `*instruction` describes it. At the end of the routine, the status is `GENVISA_END`. If the
/// instruction cannot be decoded, the status is `GENVISA_ERROR_BINARY`, and after that `GENVISA_END`, because the start
/// of the instruction after it is unknown.
#[unsafe(no_mangle)]
pub extern "C" fn genvisa_decoder_next(
    decoder: Option<&mut genvisa_decoder>,
    instruction: Option<&mut genvisa_instruction>,
    error: Option<&mut *mut genvisa_error>,
) -> genvisa_status {
    match (decoder, instruction) {
        // Nothing here panics.
        (Some(decoder), Some(out)) if decoder.next < decoder.len.min(BATCH) => {
            *out = decoder.batch[decoder.next];
            decoder.next += 1;
            if let Some(error) = error {
                *error = ptr::null_mut();
            }
            GENVISA_OK
        }
        (decoder, instruction) => first_of_batch(decoder, instruction, error),
    }
}

/// Decodes a batch, and returns its first instruction.
#[inline(never)]
fn first_of_batch(
    decoder: Option<&mut genvisa_decoder>,
    instruction: Option<&mut genvisa_instruction>,
    error: Option<&mut *mut genvisa_error>,
) -> genvisa_status {
    call(error, || {
        let (decoder, out) = (required(decoder, "decoder")?, required(instruction, "instruction")?);
        decoder.decode_batch()?;
        let Some(first) = decoder.batch[..decoder.len].first() else { return Ok(GENVISA_END) };
        (*out, decoder.next) = (*first, 1);
        Ok(GENVISA_OK)
    })
}

/// Decodes the next instructions together, which is faster than one by one.
///
/// On success, `*instructions` points to an array of the decoder with `*count` instructions, at least
/// one. It is valid until the next call of this function or of `genvisa_decoder_next` with the decoder, or until the
/// decoder is freed. Both functions move the same position. The statuses are those of `genvisa_decoder_next`; with
/// others than `GENVISA_OK`, `*instructions` is null and `*count` is 0. If an instruction cannot be decoded, one call
/// returns the instructions before it, and the next call returns the error.
#[unsafe(no_mangle)]
pub extern "C" fn genvisa_decoder_next_many(
    decoder: Option<&mut genvisa_decoder>,
    instructions: Option<&mut *const genvisa_instruction>,
    count: Option<&mut usize>,
    error: Option<&mut *mut genvisa_error>,
) -> genvisa_status {
    call(error, || {
        let (instructions, count) =
            (required(instructions, "instructions")?, required(count, "count")?);
        (*instructions, *count) = (ptr::null(), 0);
        let decoder = required(decoder, "decoder")?;
        if decoder.next == decoder.len {
            decoder.decode_batch()?;
        }
        let rest = &decoder.batch[decoder.next..decoder.len];
        if rest.is_empty() {
            return Ok(GENVISA_END);
        }
        (*instructions, *count) = (rest.as_ptr(), rest.len());
        decoder.next = decoder.len;
        Ok(GENVISA_OK)
    })
}

impl genvisa_instruction {
    const NONE: genvisa_instruction =
        genvisa_instruction { offset: 0, bytes: genvisa_bytes::NONE, opcode: 0 };
}

impl genvisa_decoder {
    fn format(&self) -> Format {
        self.source.borrow_dependent().0.format()
    }

    /// Decodes a batch, which is empty at the end. An error follows the instructions before it.
    fn decode_batch(&mut self) -> Fallible<()> {
        (self.next, self.len) = (0, 0);
        let routine = &self.source.borrow_dependent().0;
        let (code, base) = match &routine.body.code {
            Code::Present { bytes, offset } => (&**bytes, *offset),
            _ => (&[][..], 0),
        };
        if mem::take(&mut self.fails) {
            self.done = code.len();
            // This error contains the path.
            let error = routine.instructions().find_map(Result::err);
            return error.map_or(Ok(()), |error| Err(error.into()));
        }
        let rest = code.get(self.done..).unwrap_or_default();
        let mut r = Reader::with_base(rest, base + self.done, routine.format());
        let mut instruction = Instruction::default();
        let (mut len, mut end) = (0, r.offset());
        for out in &mut self.batch {
            let (offset, rest) = (end, r.rest());
            let Some(&opcode) = rest.first() else { break };
            if instruction.decode_into(&mut r).is_err() {
                self.fails = true;
                break;
            }
            end = r.offset();
            let bytes = genvisa_bytes { data: rest.as_ptr(), len: end - offset };
            *out = genvisa_instruction { offset, bytes, opcode };
            len += 1;
        }
        self.done = end - base;
        self.len = len;
        if len == 0 && self.fails { self.decode_batch() } else { Ok(()) }
    }
}

/// Returns the mnemonic of an opcode, such as "ret" or "rt_write_3d", which is valid forever. It is in lower case, as
/// in the tables of docs/format.md; text has other words for some instructions. Returns no bytes for an
/// unknown opcode.
#[unsafe(no_mangle)]
pub extern "C" fn genvisa_mnemonic(opcode: u8) -> genvisa_bytes {
    Instruction::mnemonic_of(opcode).map_or(genvisa_bytes::NONE, genvisa_bytes::of)
}

/// Returns the text of an instruction, with ids such as `V32` instead of names.
///
/// The instruction comes from this decoder or from another one of the same module. The text is valid until the next call
/// of this function with the decoder, or until the decoder is freed. Returns no bytes if an argument is null, or if the
/// bytes cannot be decoded in the format of the module.
#[unsafe(no_mangle)]
pub extern "C" fn genvisa_decoder_text(
    decoder: Option<&mut genvisa_decoder>,
    instruction: Option<&genvisa_instruction>,
) -> genvisa_bytes {
    let mut text = genvisa_bytes::NONE;
    call(None, || {
        let (decoder, instruction) =
            (required(decoder, "decoder")?, required(instruction, "instruction")?);
        let format = decoder.format();
        // SAFETY: the bytes are those of the decoder, or the caller promises that they are readable.
        let decoded = Instruction::from_bytes(unsafe { instruction.bytes.get() }?, format)?;
        decoder.text = decoded.display(format).to_string();
        text = genvisa_bytes::of(&decoder.text);
        Ok(GENVISA_OK)
    });
    text
}

/// Finds the fields of an instruction, and returns how many there are. `genvisa_decoder_field` describes each.
///
/// The instruction comes from this decoder or from another one of the same module. Returns 0 if an argument is null, or
/// if the bytes cannot be decoded in the format of the module.
#[unsafe(no_mangle)]
pub extern "C" fn genvisa_decoder_fields(
    decoder: Option<&mut genvisa_decoder>,
    instruction: Option<&genvisa_instruction>,
) -> usize {
    let mut count = 0;
    call(None, || {
        let decoder = required(decoder, "decoder")?;
        decoder.fields.clear();
        let instruction = required(instruction, "instruction")?;
        let format = decoder.format();
        let mut recorder = FieldRecorder::default();
        // SAFETY: the bytes are those of the decoder, or the caller promises that they are readable.
        let bytes = unsafe { instruction.bytes.get() }?;
        let mut r = Reader::traced(bytes, instruction.offset, format, &mut recorder);
        Instruction::decode(&mut r)?;
        decoder.fields = recorder.take();
        count = decoder.fields.len();
        Ok(GENVISA_OK)
    });
    count
}

/// Describes the field with an index, of those that the last call of `genvisa_decoder_fields` found. If there is none,
/// the status is `GENVISA_END`.
#[unsafe(no_mangle)]
pub extern "C" fn genvisa_decoder_field(
    decoder: Option<&genvisa_decoder>,
    index: usize,
    field: Option<&mut genvisa_field>,
) -> genvisa_status {
    call(None, || {
        let (decoder, out) = (required(decoder, "decoder")?, required(field, "field")?);
        let Some(field) = decoder.fields.get(index) else { return Ok(GENVISA_END) };
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
