//! Attributes: names with values, on routines, variables and labels.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::tables::encode_count;
use crate::error::Result;
use crate::format::Format;
use crate::operand::StringId;
use crate::wire::{Describe, Reader, Trace, Wire, Writer};

/// A name and up to 255 bytes (format-facts 2.7).
///
/// What the bytes mean depends on the name: integers and booleans take 0, 1, 2 or 4 (none for
/// true), strings have no NUL.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Attribute {
    /// The name, in the routine's pool.
    pub name: StringId,
    /// The value's bytes.
    pub value: Vec<u8>,
}

/// What the value of an attribute is, which only its name tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum AttributeKind {
    /// True if it is there.
    Bool,
    /// An integer.
    Integer,
    /// A string.
    String,
}

impl AttributeKind {
    /// The names that readers know, by kind (format-facts 2.7).
    const NAMES: [(AttributeKind, &'static [&'static str]); 3] = [
        (
            AttributeKind::Bool,
            &[
                "Extern",
                "NoBarrier",
                "Callable",
                "Caller",
                "Composable",
                "Entry",
                "Input",
                "Output",
                "PayloadLiveOut",
                "Input_Output",
                "NoWidening",
                "DoNotSpill",
                "ForceSpill",
                "SepSpillPvtSS",
                "LTO_InvokeOptTarget",
                "AllLaneActive",
                "ExclusiveLoad",
                "DisableLoadThreadPayloadWA",
            ],
        ),
        (
            AttributeKind::Integer,
            &[
                "Target",
                "SLMSize",
                "SpillMemOffset",
                "ArgSize",
                "RetValSize",
                "PerThreadInputSize",
                "perThreadInputSize",
                "SimdSize",
                "NumGRF",
                "Scope",
                "SurfaceUsage",
                "CrossThreadInputSize",
                "crossThreadInputSize",
                "NBarrierCnt",
                "MaxRegThreadDispatch",
                "ScratchInlineOffset",
                "ScratchIndirectRegOffset",
                "ScratchIndirectMemOffset",
            ],
        ),
        (AttributeKind::String, &["OutputAsmPath", "AsmName"]),
    ];

    /// The kind of the attribute of a name, if readers know it.
    pub fn of(name: &[u8]) -> Option<AttributeKind> {
        let knows = |names: &[&str]| names.iter().any(|known| known.as_bytes() == name);
        Self::NAMES.iter().find(|(_, names)| knows(names)).map(|(kind, _)| *kind)
    }
}

impl Attribute {
    /// A boolean that is true.
    pub fn flag(name: StringId) -> Attribute {
        Attribute { name, value: Vec::new() }
    }

    /// An integer in the fewest of 1, 2 or 4 bytes.
    pub fn integer(name: StringId, value: i32) -> Attribute {
        let value = match (i8::try_from(value), i16::try_from(value)) {
            (Ok(byte), _) => byte.to_le_bytes().into(),
            (_, Ok(word)) => word.to_le_bytes().into(),
            _ => value.to_le_bytes().into(),
        };
        Attribute { name, value }
    }

    /// A string.
    pub fn string(name: StringId, value: &str) -> Attribute {
        Attribute { name, value: value.into() }
    }

    /// The value as readers take an integer: 1 for no bytes, else sign-extended; `None` for other
    /// sizes than 0, 1, 2 and 4.
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

/// The value's bytes, as one field. Whether they are an integer or a string only the name tells, so
/// where both can be, both are shown.
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

/// A byte of size and that many bytes.
impl Wire for Value {
    fn decode_into<T: Trace>(&mut self, r: &mut Reader<'_, T>) -> Result<()> {
        let size = r.u8()?;
        self.0 = r.bytes(size.into())?.into();
        Ok(())
    }

    fn encode(&self, w: &mut Writer) -> Result<()> {
        put_value(w, &self.0)
    }
}

fn put_value(w: &mut Writer, value: &[u8]) -> Result<()> {
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
        put_value(w, &self.value)
    }
}
