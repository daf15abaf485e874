//! Structs of five instructions, and their encoding: INFO, MEDIA_LD, RT_WRITE, GATHER4_TYPED and
//! 3D_SAMPLE.

mod constants;
mod operands;
mod structs;

use visa::{Dialect, Format, Instruction, Version};

use crate::abi::{call, genvisa_buffer, genvisa_bytes, give, required};
use crate::error::{Fallible, genvisa_error, genvisa_status};
use crate::module::dialect_of;
use genvisa_status::GENVISA_OK;
use structs::{
    Core, genvisa_gather4_typed, genvisa_info, genvisa_media_ld, genvisa_rt_write,
    genvisa_sample_3d,
};

/// A binary format. `genvisa_module_format` returns that of a module.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct genvisa_format {
    /// The name of the dialect; "igc2022" if it is empty.
    pub dialect: genvisa_bytes,
    /// The major version. Versions of files are 3.0 to 3.8, 4.0, 4.1 and 4.8. If both numbers are 0, the version is 3.6 in
    /// all dialects, not that of a module. Dialect "manual" ignores the version.
    pub major: u8,
    /// The minor version.
    pub minor: u8,
}

impl genvisa_format {
    pub(crate) fn of(format: Format) -> genvisa_format {
        let dialect = genvisa_bytes::of(format.dialect.name());
        genvisa_format { dialect, major: format.version.major(), minor: format.version.minor() }
    }

    fn get(self) -> Fallible<Format> {
        let dialect = dialect_of(self.dialect)?.unwrap_or(Dialect::Igc2022);
        let version = match (self.major, self.minor) {
            (0, 0) => Some(Format::default().version),
            (major, minor) => Version::new(major, minor),
        };
        let format = version.map(|version| Format::new(dialect, version));
        format.filter(|format| format.has_binary_form()).ok_or_else(|| {
            let (major, minor) = (self.major, self.minor);
            genvisa_error::argument(format!(
                "{major}.{minor} of dialect {dialect} has no binary form"
            ))
        })
    }
}

/// Encodes an instruction of the caller.
fn encode<T: Core>(
    instruction: Option<&T>,
    format: genvisa_format,
    bytes: Option<&mut *mut genvisa_buffer>,
    error: Option<&mut *mut genvisa_error>,
) -> genvisa_status {
    call(error, || {
        let (instruction, out) = (required(instruction, "instruction")?, required(bytes, "bytes")?);
        let encoded = instruction.to_instruction()?.to_bytes(format.get()?)?;
        give(out, genvisa_buffer::new(encoded));
        Ok(GENVISA_OK)
    })
}

/// Decodes the bytes of one instruction.
fn decode<T: Core>(
    bytes: genvisa_bytes,
    format: genvisa_format,
    instruction: Option<&mut T>,
    error: Option<&mut *mut genvisa_error>,
) -> genvisa_status {
    call(error, || {
        let out = required(instruction, "instruction")?;
        // SAFETY: the caller promises that the bytes are readable.
        let decoded = Instruction::from_bytes(unsafe { bytes.get() }?, format.get()?)?;
        *out = T::of_instruction(&decoded).ok_or_else(|| {
            let found = decoded.mnemonic();
            genvisa_error::argument(format!("expected {}, found {found}", T::NAME))
        })?;
        Ok(GENVISA_OK)
    })
}

/// Prints the bytes of one instruction, with ids such as `V32` instead of names. On success, `*text` is a new buffer,
/// which the caller frees.
#[unsafe(no_mangle)]
pub extern "C" fn genvisa_instruction_print(
    bytes: genvisa_bytes,
    format: genvisa_format,
    text: Option<&mut *mut genvisa_buffer>,
    error: Option<&mut *mut genvisa_error>,
) -> genvisa_status {
    call(error, || {
        let (out, format) = (required(text, "text")?, format.get()?);
        // SAFETY: the caller promises that the bytes are readable.
        let instruction = Instruction::from_bytes(unsafe { bytes.get() }?, format)?;
        give(out, genvisa_buffer::new(instruction.display(format).to_string()));
        Ok(GENVISA_OK)
    })
}

/// Parses one instruction, whose names are ids: `V32`, `A0`, `P1`, `S0`, `T6` and `L3`. On success, `*bytes` is a new
/// buffer, which the caller frees, with the bytes of the instruction.
#[unsafe(no_mangle)]
pub extern "C" fn genvisa_instruction_parse(
    text: genvisa_bytes,
    format: genvisa_format,
    bytes: Option<&mut *mut genvisa_buffer>,
    error: Option<&mut *mut genvisa_error>,
) -> genvisa_status {
    call(error, || {
        let (out, format) = (required(bytes, "bytes")?, format.get()?);
        // SAFETY: the caller promises that the bytes are readable.
        let instruction = visa::text::parse_instruction(unsafe { text.get() }?, format)?;
        give(out, genvisa_buffer::new(instruction.to_bytes(format)?));
        Ok(GENVISA_OK)
    })
}

/// Decodes the bytes of an INFO, such as `genvisa_instruction.bytes`, in the format of their module.
///
/// On success, `*instruction` is the struct. Bytes of another instruction are `GENVISA_ERROR_ARGUMENT`:
/// compare `genvisa_instruction.opcode` before.
#[unsafe(no_mangle)]
pub extern "C" fn genvisa_info_decode(
    bytes: genvisa_bytes,
    format: genvisa_format,
    instruction: Option<&mut genvisa_info>,
    error: Option<&mut *mut genvisa_error>,
) -> genvisa_status {
    decode(bytes, format, instruction, error)
}

/// Encodes an INFO. For code of a module, `format` must be `genvisa_module_format`.
///
/// On success, `*bytes` is a new buffer, which the caller frees, with the bytes of the instruction. If a field has a
/// value without a meaning, or a value although the instruction does not have the field, the status is
/// `GENVISA_ERROR_ARGUMENT` and the path of the error is the name of the field. A value that the format cannot express is
/// `GENVISA_ERROR_BINARY`, and a format without a binary form, such as version 4.2, `GENVISA_ERROR_ARGUMENT`. Whether the
/// instruction is legal is a question for `genvisa_verify`.
#[unsafe(no_mangle)]
pub extern "C" fn genvisa_info_encode(
    instruction: Option<&genvisa_info>,
    format: genvisa_format,
    bytes: Option<&mut *mut genvisa_buffer>,
    error: Option<&mut *mut genvisa_error>,
) -> genvisa_status {
    encode(instruction, format, bytes, error)
}

/// Decodes the bytes of a MEDIA_LD, as `genvisa_info_decode` does.
#[unsafe(no_mangle)]
pub extern "C" fn genvisa_media_ld_decode(
    bytes: genvisa_bytes,
    format: genvisa_format,
    instruction: Option<&mut genvisa_media_ld>,
    error: Option<&mut *mut genvisa_error>,
) -> genvisa_status {
    decode(bytes, format, instruction, error)
}

/// Encodes a MEDIA_LD, as `genvisa_info_encode` does.
#[unsafe(no_mangle)]
pub extern "C" fn genvisa_media_ld_encode(
    instruction: Option<&genvisa_media_ld>,
    format: genvisa_format,
    bytes: Option<&mut *mut genvisa_buffer>,
    error: Option<&mut *mut genvisa_error>,
) -> genvisa_status {
    encode(instruction, format, bytes, error)
}

/// Decodes the bytes of an RT_WRITE, as `genvisa_info_decode` does.
#[unsafe(no_mangle)]
pub extern "C" fn genvisa_rt_write_decode(
    bytes: genvisa_bytes,
    format: genvisa_format,
    instruction: Option<&mut genvisa_rt_write>,
    error: Option<&mut *mut genvisa_error>,
) -> genvisa_status {
    decode(bytes, format, instruction, error)
}

/// Encodes an RT_WRITE, as `genvisa_info_encode` does.
#[unsafe(no_mangle)]
pub extern "C" fn genvisa_rt_write_encode(
    instruction: Option<&genvisa_rt_write>,
    format: genvisa_format,
    bytes: Option<&mut *mut genvisa_buffer>,
    error: Option<&mut *mut genvisa_error>,
) -> genvisa_status {
    encode(instruction, format, bytes, error)
}

/// Decodes the bytes of a GATHER4_TYPED, as `genvisa_info_decode` does.
#[unsafe(no_mangle)]
pub extern "C" fn genvisa_gather4_typed_decode(
    bytes: genvisa_bytes,
    format: genvisa_format,
    instruction: Option<&mut genvisa_gather4_typed>,
    error: Option<&mut *mut genvisa_error>,
) -> genvisa_status {
    decode(bytes, format, instruction, error)
}

/// Encodes a GATHER4_TYPED, as `genvisa_info_encode` does.
#[unsafe(no_mangle)]
pub extern "C" fn genvisa_gather4_typed_encode(
    instruction: Option<&genvisa_gather4_typed>,
    format: genvisa_format,
    bytes: Option<&mut *mut genvisa_buffer>,
    error: Option<&mut *mut genvisa_error>,
) -> genvisa_status {
    encode(instruction, format, bytes, error)
}

/// Decodes the bytes of a 3D_SAMPLE, as `genvisa_info_decode` does.
#[unsafe(no_mangle)]
pub extern "C" fn genvisa_sample_3d_decode(
    bytes: genvisa_bytes,
    format: genvisa_format,
    instruction: Option<&mut genvisa_sample_3d>,
    error: Option<&mut *mut genvisa_error>,
) -> genvisa_status {
    decode(bytes, format, instruction, error)
}

/// Encodes a 3D_SAMPLE, as `genvisa_info_encode` does.
#[unsafe(no_mangle)]
pub extern "C" fn genvisa_sample_3d_encode(
    instruction: Option<&genvisa_sample_3d>,
    format: genvisa_format,
    bytes: Option<&mut *mut genvisa_buffer>,
    error: Option<&mut *mut genvisa_error>,
) -> genvisa_status {
    encode(instruction, format, bytes, error)
}
