//! Attributes of routines, variables and labels.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::counted::{Entry, encode_count};
use crate::error::Result;
use crate::format::Format;
use crate::operand::StringId;
use crate::wire::{Describe, Reader, Trace, Wire, Writer};

/// An attribute: a name and a value of up to 255 bytes (docs/format.md, 2.7).
///
/// The type of the value depends on the name ([`AttributeKind::of`]). A boolean is true if the
/// attribute is present, and usually has no bytes; an integer has 1, 2 or 4 bytes; a string is not
/// terminated.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Attribute {
    /// The name, in the string pool of the routine.
    pub name: StringId,
    /// The bytes of the value.
    pub value: Vec<u8>,
}

/// The type of an attribute's value, which its name determines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum AttributeKind {
    /// A boolean, which is true if the attribute is present.
    Bool,
    /// An integer.
    Integer,
    /// A string.
    String,
}

impl AttributeKind {
    /// The names that readers support, with what they mean (docs/format.md, 2.7).
    const KNOWN: [(&'static str, AttributeKind, &'static str); 38] = [
        ("Extern", AttributeKind::Bool, "The function is defined in another file."),
        ("NoBarrier", AttributeKind::Bool, "The kernel has no barrier."),
        ("Callable", AttributeKind::Bool, "The routine is a function that kernels call."),
        ("Caller", AttributeKind::Bool, "The kernel calls functions."),
        ("Composable", AttributeKind::Bool, "The kernel is linked with others."),
        ("Entry", AttributeKind::Bool, "The routine is the entry of the linked kernel."),
        ("Input", AttributeKind::Bool, "The variable has a value at the start of the routine."),
        ("Output", AttributeKind::Bool, "The variable is read after the end of the routine."),
        (
            "PayloadLiveOut",
            AttributeKind::Bool,
            "The variable keeps its registers of the payload to the end of the kernel.",
        ),
        (
            "Input_Output",
            AttributeKind::Bool,
            "The variable has a value at the start, and is read after the end.",
        ),
        (
            "NoWidening",
            AttributeKind::Bool,
            "The compiler does not widen the operations on the variable.",
        ),
        ("DoNotSpill", AttributeKind::Bool, "The variable stays in registers."),
        ("ForceSpill", AttributeKind::Bool, "The variable is kept in memory."),
        (
            "SepSpillPvtSS",
            AttributeKind::Bool,
            "Spilled registers and private memory have separate surfaces.",
        ),
        (
            "LTO_InvokeOptTarget",
            AttributeKind::Bool,
            "The function is the target of calls that the linker optimizes.",
        ),
        ("AllLaneActive", AttributeKind::Bool, "All lanes are active when the function is called."),
        (
            "ExclusiveLoad",
            AttributeKind::Bool,
            "The loads of the variable write different channels.",
        ),
        (
            "DisableLoadThreadPayloadWA",
            AttributeKind::Bool,
            "The payload of threads is not loaded in the way that a defect of the hardware requires.",
        ),
        ("Target", AttributeKind::Integer, "The front end: `cm`, `3d` or `cs`."),
        ("SLMSize", AttributeKind::Integer, "The size of the shared local memory."),
        (
            "SpillMemOffset",
            AttributeKind::Integer,
            "The offset of the memory for spilled registers.",
        ),
        ("ArgSize", AttributeKind::Integer, "The size of the arguments of the function."),
        ("RetValSize", AttributeKind::Integer, "The size of the result of the function."),
        (
            "PerThreadInputSize",
            AttributeKind::Integer,
            "The size of the payload that differs between threads, in bytes.",
        ),
        ("perThreadInputSize", AttributeKind::Integer, "The same as `PerThreadInputSize`."),
        ("SimdSize", AttributeKind::Integer, "The number of lanes of the kernel."),
        (
            "NumGRF",
            AttributeKind::Integer,
            "The number of registers of a thread. The compiler chooses it if it is 0.",
        ),
        ("Scope", AttributeKind::Integer, "The scope of the variable."),
        ("SurfaceUsage", AttributeKind::Integer, "How the surface is used."),
        (
            "CrossThreadInputSize",
            AttributeKind::Integer,
            "The size of the payload that threads share, in bytes.",
        ),
        ("crossThreadInputSize", AttributeKind::Integer, "The same as `CrossThreadInputSize`."),
        ("NBarrierCnt", AttributeKind::Integer, "The number of named barriers."),
        (
            "MaxRegThreadDispatch",
            AttributeKind::Integer,
            "The last register of the payload of threads.",
        ),
        (
            "ScratchInlineOffset",
            AttributeKind::Integer,
            "The offset in scratch memory of inline data.",
        ),
        (
            "ScratchIndirectRegOffset",
            AttributeKind::Integer,
            "The register with the address of indirect data in scratch memory.",
        ),
        (
            "ScratchIndirectMemOffset",
            AttributeKind::Integer,
            "The offset in scratch memory of the address of indirect data.",
        ),
        ("OutputAsmPath", AttributeKind::String, "The name of the compiler's output files."),
        (
            "AsmName",
            AttributeKind::String,
            "The name of the compiler's output files, in older files.",
        ),
    ];

    /// Returns the kind of the attribute with a name, or `None` if readers do not support it.
    pub fn of(name: &[u8]) -> Option<AttributeKind> {
        Self::known(name).map(|(_, kind, _)| *kind)
    }

    /// Returns what the attribute with a name means, or `None` if readers do not support it.
    #[cfg(feature = "text")]
    pub(crate) fn meaning(name: &[u8]) -> Option<&'static str> {
        Self::known(name).map(|(_, _, meaning)| *meaning)
    }

    fn known(name: &[u8]) -> Option<&'static (&'static str, AttributeKind, &'static str)> {
        Self::KNOWN.iter().find(|(known, ..)| known.as_bytes() == name)
    }
}

impl Attribute {
    /// Returns a boolean attribute that is true.
    pub fn flag(name: StringId) -> Attribute {
        Attribute { name, value: Vec::new() }
    }

    /// Returns an integer attribute, in the least number of bytes: 1, 2 or 4.
    pub fn integer(name: StringId, value: i32) -> Attribute {
        let value = match (i8::try_from(value), i16::try_from(value)) {
            (Ok(byte), _) => byte.to_le_bytes().into(),
            (_, Ok(word)) => word.to_le_bytes().into(),
            _ => value.to_le_bytes().into(),
        };
        Attribute { name, value }
    }

    /// Returns a string attribute.
    pub fn string(name: StringId, value: &str) -> Attribute {
        Attribute { name, value: value.into() }
    }

    /// Returns the value as an integer, as readers interpret it: sign-extended, and 1 if there are
    /// no bytes. Returns `None` if the size is not 0, 1, 2 or 4.
    pub fn as_integer(&self) -> Option<i32> {
        integer(&self.value)
    }
}

fn integer(value: &[u8]) -> Option<i32> {
    match *value {
        [] => Some(1),
        [a] => Some(i32::from(a as i8)),
        [a, b] => Some(i32::from(i16::from_le_bytes([a, b]))),
        [a, b, c, d] => Some(i32::from_le_bytes([a, b, c, d])),
        _ => None,
    }
}

/// The bytes of a value, as a field of a trace. Without the name it is unknown whether they are an
/// integer or a string, so both interpretations are printed.
#[derive(Default)]
struct Value(Vec<u8>);

impl core::fmt::Display for Value {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match integer(&self.0) {
            Some(integer) if !self.0.is_empty() => write!(f, "{integer}"),
            Some(_) => f.write_str("true"),
            None => write!(f, "\"{}\"", self.0.escape_ascii()),
        }
    }
}

impl Describe for Value {
    fn meaning(&self, _: Format) -> String {
        match self.0.len() {
            1 | 2 | 4 => format!("or \"{}\"", self.0.escape_ascii()),
            _ => String::new(),
        }
    }
}

/// One byte for the size, and the bytes.
impl Wire for Value {
    fn decode_into<T: Trace>(&mut self, r: &mut Reader<'_, T>) -> Result<()> {
        let size = r.u8()?;
        self.0 = r.bytes(size.into())?.into();
        Ok(())
    }

    fn encode(&self, w: &mut Writer) -> Result<()> {
        encode_value(w, &self.0)
    }
}

fn encode_value(w: &mut Writer, value: &[u8]) -> Result<()> {
    encode_count::<u8>(w, "value", value.len())?;
    w.put(value);
    Ok(())
}

impl Wire for Attribute {
    fn decode_into<T: Trace>(&mut self, r: &mut Reader<'_, T>) -> Result<()> {
        r.field("name", &mut self.name)?;
        let mut value = Value::default();
        r.field("value", &mut value)?;
        self.value = value.0;
        Ok(())
    }

    fn encode(&self, w: &mut Writer) -> Result<()> {
        w.field("name", &self.name)?;
        encode_value(w, &self.value)
    }
}

impl Entry for Attribute {
    const LEAST: usize = 3;
}
