//! Errors of a dispatch.

use std::fmt;

use genvisa_container::device::DeviceBinary;

use crate::fault::Fault;

/// Why a kernel cannot be started.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DispatchError {
    /// The binary has no such kernel; it has these.
    NoKernel {
        /// The name that was requested.
        name: String,
        /// The names of all kernels.
        kernels: Vec<String>,
    },
    /// The binary has no text of the kernel.
    NoText(String),
    /// The text has errors.
    Text(String),
    /// The size of the grid or of its groups is wrong.
    Grid(String),
    /// An argument is wrong.
    Argument {
        /// The index of the argument.
        index: u32,
        /// Its name in the source; empty if it is unknown.
        name: String,
        /// What is wrong.
        problem: String,
    },
    /// The number of arguments is wrong.
    ArgumentCount {
        /// The number that the kernel has.
        expected: usize,
        /// The number that was given.
        found: usize,
    },
    /// The kernel needs something that is not modelled.
    NotModelled(String),
    /// The program cannot be prepared, or needs more memory than allowed.
    Program(Fault),
}

impl DispatchError {
    pub(super) fn no_kernel(binary: &DeviceBinary, name: &str) -> DispatchError {
        let kernels = binary.kernels.iter().map(|kernel| kernel.name.clone()).collect();
        DispatchError::NoKernel { name: name.into(), kernels }
    }
}

impl fmt::Display for DispatchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DispatchError::NoKernel { name, kernels } if kernels.is_empty() => {
                write!(f, "there is no kernel `{name}`: the binary has none")
            }
            DispatchError::NoKernel { name, kernels } => {
                write!(f, "there is no kernel `{name}`; the binary has `{}`", kernels.join("`, `"))
            }
            DispatchError::NoText(name) => write!(
                f,
                "the binary has no text of kernel `{name}`; compile it with -internal_options \
                 \"-ze-emit-zebin-visa-sections\""
            ),
            DispatchError::Text(problem) => write!(f, "the text in the binary: {problem}"),
            DispatchError::Grid(problem) => f.write_str(problem),
            DispatchError::Argument { index, name, problem } if name.is_empty() => {
                write!(f, "argument {index}: {problem}")
            }
            DispatchError::Argument { index, name, problem } => {
                write!(f, "argument {index}, `{name}`: {problem}")
            }
            DispatchError::ArgumentCount { expected, found } => {
                write!(f, "the kernel has {expected} arguments, but {found} are given")
            }
            DispatchError::NotModelled(what) => write!(f, "{what} is not modelled"),
            DispatchError::Program(fault) => fault.fmt(f),
        }
    }
}

impl std::error::Error for DispatchError {}
