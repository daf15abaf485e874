//! The arguments of a kernel.

use genvisa_container::device::{AddressMode, AddressSpace, Kernel, PayloadKind};

use super::error::DispatchError;
use crate::surface::{Dimensions, Image, PixelFormat, Sampler};

/// The value of an argument.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Argument {
    /// The bytes of a value.
    Value(Vec<u8>),
    /// The contents of a buffer.
    Buffer(Vec<u8>),
    /// An image.
    Image {
        /// What its coordinates are.
        dimensions: Dimensions,
        /// The format of its texels.
        format: PixelFormat,
        /// The width, the height, and the depth or the number of images of an array.
        size: [u32; 3],
        /// The texels, without gaps.
        texels: Vec<u8>,
    },
    /// A sampler.
    Sampler(Sampler),
    /// The number of bytes in shared local memory.
    Local(u32),
    /// A null pointer.
    Null,
}

impl Argument {
    fn kind(&self) -> &'static str {
        match self {
            Argument::Value(_) => "a value",
            Argument::Buffer(_) => "a buffer",
            Argument::Image { .. } => "an image",
            Argument::Sampler(_) => "a sampler",
            Argument::Local(_) => "local memory",
            Argument::Null => "a null pointer",
        }
    }
}

/// What a kernel expects as an argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Parameter {
    /// A value of a number of bytes.
    Value(u32),
    /// A buffer.
    Buffer,
    /// Shared local memory.
    Local,
    /// An image.
    Image,
    /// A sampler.
    Sampler,
    /// Anything: the payload does not contain the argument.
    Unused,
}

impl Parameter {
    /// Returns what a kernel expects as its arguments.
    pub fn of_kernel(kernel: &Kernel) -> Vec<Parameter> {
        let named = kernel.arguments.iter().map(|info| info.index);
        let used = kernel.payload.iter().filter_map(|argument| argument.argument);
        // An argument list has at most a few hundred entries.
        let count =
            named.chain(used).max().map_or(0, |last| last.saturating_add(1)).min(MAX_PARAMETERS);
        (0..count).map(|index| Parameter::of_argument(kernel, index)).collect()
    }

    fn of_argument(kernel: &Kernel, index: u32) -> Parameter {
        let declared = kernel.arguments.iter().find(|info| info.index == index);
        // The size is after the name of the type.
        let declared_size = declared
            .filter(|info| !info.type_name.contains('*'))
            .and_then(|info| info.type_name.rsplit_once(';')?.1.parse::<u32>().ok());
        let mut parameter = Parameter::Unused;
        for entry in kernel.payload.iter().filter(|entry| entry.argument == Some(index)) {
            match (&entry.kind, &entry.space, &entry.mode) {
                (PayloadKind::Value, ..) => {
                    let end = entry.source_offset.saturating_add(entry.size);
                    let end = match parameter {
                        Parameter::Value(size) => size.max(end),
                        _ => end,
                    };
                    // A structure ends with padding that is not in the payload.
                    parameter = Parameter::Value(declared_size.map_or(end, |size| size.max(end)));
                }
                (PayloadKind::Pointer, Some(AddressSpace::Image), _) => {
                    parameter = Parameter::Image
                }
                (PayloadKind::Pointer, Some(AddressSpace::Sampler), _) => {
                    parameter = Parameter::Sampler
                }
                (PayloadKind::Pointer, Some(AddressSpace::Local), _)
                | (PayloadKind::Pointer, _, Some(AddressMode::Slm)) => parameter = Parameter::Local,
                (PayloadKind::Pointer, ..) => parameter = Parameter::Buffer,
                _ => {}
            }
        }
        parameter
    }
}

/// Checks that the arguments are what a kernel expects.
pub fn check_arguments(kernel: &Kernel, arguments: &[Argument]) -> Result<(), DispatchError> {
    let parameters = Parameter::of_kernel(kernel);
    if parameters.len() != arguments.len() {
        return Err(DispatchError::ArgumentCount {
            expected: parameters.len(),
            found: arguments.len(),
        });
    }
    for ((parameter, argument), index) in parameters.iter().zip(arguments).zip(0..) {
        let expected = match (parameter, argument) {
            (Parameter::Value(size), Argument::Value(bytes))
                if bytes.len() as u64 == u64::from(*size) =>
            {
                continue;
            }
            (Parameter::Buffer, Argument::Buffer(_) | Argument::Null)
            | (Parameter::Local, Argument::Local(_))
            | (Parameter::Sampler, Argument::Sampler(_))
            | (Parameter::Unused, _) => continue,
            (Parameter::Image, Argument::Image { dimensions, format, size, texels }) => {
                let bytes = Image::new(*dimensions, *format, *size, 0).bytes();
                if bytes == texels.len() as u64 {
                    continue;
                }
                let problem = format!("expected {bytes} bytes, found {}", texels.len());
                return Err(argument_error(kernel, index, problem));
            }
            (Parameter::Value(size), Argument::Value(bytes)) => {
                let problem = format!("expected {size} bytes, found {}", bytes.len());
                return Err(argument_error(kernel, index, problem));
            }
            (Parameter::Value(size), _) => &*format!("a value of {size} bytes"),
            (Parameter::Buffer, _) => "a buffer",
            (Parameter::Local, _) => "local memory",
            (Parameter::Image, _) => "an image",
            (Parameter::Sampler, _) => "a sampler",
        };
        let problem = format!("expected {expected}, found {}", argument.kind());
        return Err(argument_error(kernel, index, problem));
    }
    Ok(())
}

/// Returns the error of an argument of a kernel.
pub fn argument_error(kernel: &Kernel, index: u32, problem: impl Into<String>) -> DispatchError {
    DispatchError::Argument {
        index,
        name: kernel.argument_name(index).into(),
        problem: problem.into(),
    }
}

/// Far more than kernels have.
const MAX_PARAMETERS: u32 = 4096;
