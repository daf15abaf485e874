//! The requests to the process and its answers.

use genvisa_interp::dispatch::Argument;
use serde::{Deserialize, Serialize};

use crate::Source;

/// A request, in one line.
#[derive(Serialize)]
#[serde(untagged)]
pub(crate) enum Request<'r> {
    Build {
        #[serde(skip_serializing_if = "Option::is_none")]
        source: Option<&'r str>,
        #[serde(skip_serializing_if = "Option::is_none")]
        spirv: Option<String>,
        options: &'r str,
    },
    Run {
        kernel: &'r str,
        global: &'r [u32],
        local: &'r [u32],
        arguments: Vec<Value>,
        runs: u32,
    },
}

impl<'r> Request<'r> {
    pub(crate) fn build(source: Source<'r>, options: &'r str) -> Request<'r> {
        let (source, spirv) = match source {
            Source::C(text) => (Some(text), None),
            Source::SpirV(bytes) => (None, Some(hex(bytes))),
        };
        Request::Build { source, spirv, options }
    }
}

/// An answer to a request.
#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Answer {
    /// The name and the version of the device, for a program that is built.
    Device(String),
    /// What a run of a kernel leaves.
    Ran {
        /// The bytes of the arguments that are memory.
        memory: Vec<Option<Hex>>,
        /// The time of each run.
        nanoseconds: Vec<u64>,
    },
    Error(String),
}

/// The value of an argument.
#[derive(Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Value {
    #[serde(rename = "value")]
    Scalar(String),
    Buffer(String),
    Image {
        dimensions: &'static str,
        format: &'static str,
        size: [u32; 3],
        texels: String,
    },
    Sampler {
        normalized: bool,
        address: &'static str,
        filter: &'static str,
    },
    Local(u32),
    Null(()),
}

impl Value {
    /// Returns the value of an argument, unless OpenCL has no such argument.
    pub(crate) fn new(argument: &Argument) -> Option<Value> {
        Some(match argument {
            // The payload of a kernel does not contain an argument that it does not use.
            Argument::Value(bytes) if bytes.is_empty() => return None,
            Argument::Value(bytes) => Value::Scalar(hex(bytes)),
            Argument::Buffer(bytes) => Value::Buffer(hex(bytes)),
            Argument::Image { dimensions, format, size, texels } => Value::Image {
                dimensions: dimensions.name(),
                format: format.name(),
                size: *size,
                texels: hex(texels),
            },
            Argument::Sampler(sampler) => Value::Sampler {
                normalized: sampler.normalized,
                address: sampler.address[0].name(),
                filter: sampler.filter.name(),
            },
            Argument::Local(bytes) => Value::Local(*bytes),
            Argument::Null => Value::Null(()),
            _ => return None,
        })
    }
}

/// Returns the hexadecimal digits of bytes.
fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Bytes, which are hexadecimal digits in JSON.
#[derive(Deserialize)]
#[serde(try_from = "String")]
pub(crate) struct Hex(pub Vec<u8>);

impl TryFrom<String> for Hex {
    type Error = std::num::ParseIntError;

    fn try_from(text: String) -> Result<Hex, Self::Error> {
        let digits = text.as_bytes().chunks(2).map(String::from_utf8_lossy);
        digits.map(|digits| u8::from_str_radix(&digits, 16)).collect::<Result<_, _>>().map(Hex)
    }
}
