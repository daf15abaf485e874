//! A kernel that is ready to run.

use genvisa::Platform;
use genvisa::text::{self, ParseOptions};
use genvisa_diff::Differ;
use genvisa_interp::binary::{DeviceBinary, Kernel};
use genvisa_interp::dispatch::{DispatchError, Launch, Options, Parameter};
use genvisa_interp::{Fault, FaultKind, Machine, Program};

use crate::case::Case;
use crate::ran::Ran;

/// A kernel of a device binary.
#[derive(Debug)]
pub struct Side<'b> {
    binary: &'b DeviceBinary,
    kernel: &'b Kernel,
    platform: Platform,
    program: Program,
}

/// How much a run may take.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    /// The lanes of all instructions of a thread.
    pub lanes: u64,
    /// The bytes of memory.
    pub memory: u64,
}

impl<'b> Side<'b> {
    /// Prepares a kernel for its platform, or for the one that the texts of the binary state.
    ///
    /// # Errors
    /// There is no such kernel or no text of it, the text has errors, or it states no platform.
    pub fn new(
        binary: &'b DeviceBinary,
        kernel: &str,
        platform: Option<Platform>,
    ) -> Result<Side<'b>, DispatchError> {
        let stated = || binary.platform().map_err(|error| DispatchError::Text(error.to_string()));
        let platform = platform.map_or_else(stated, Ok)?;
        let program = Program::of_kernel(binary, kernel, platform)?;
        // Otherwise, there is no program of it.
        let no_kernel = || DispatchError::NoText(kernel.into());
        let kernel = binary.kernel(kernel).ok_or_else(no_kernel)?;
        Ok(Side { binary, kernel, platform, program })
    }

    /// Returns what the binary states about the kernel.
    pub fn kernel(&self) -> &'b Kernel {
        self.kernel
    }

    /// Returns the platform.
    pub fn platform(&self) -> Platform {
        self.platform
    }

    pub(crate) fn parameters(&self) -> Vec<Parameter> {
        Parameter::of_kernel(self.kernel)
    }

    /// Returns whether another kernel has the same code, except for names and numbers, the same data and the
    /// same description.
    pub fn has_same_code(&self, other: &Side<'_>) -> bool {
        let Kernel {
            name: _, execution, payload, per_thread_size, binding_table, samplers, ..
        } = self.kernel;
        let of_other = other.kernel;
        let is_described_alike = *execution == of_other.execution
            && *payload == of_other.payload
            && *per_thread_size == of_other.per_thread_size
            && *binding_table == of_other.binding_table
            && *samplers == of_other.samplers
            && self.kernel.thread_memory == of_other.thread_memory;
        self.platform == other.platform
            && is_described_alike
            && self.binary.data == other.binary.data
            && self.binary.symbols == other.binary.symbols
            && self.binary.functions().eq(other.binary.functions())
            && self.text_is_equal(other)
    }

    fn text_is_equal(&self, other: &Side<'_>) -> bool {
        let texts = [self, other].map(|side| side.binary.text(&side.kernel.name));
        let [Some(a), Some(b)] = texts else { return false };
        if a == b {
            return true;
        }
        let parse = |source| text::parse(source, ParseOptions::new()).ok();
        let (Some(a), Some(b)) = (parse(a), parse(b)) else { return false };
        let differ =
            Differ::new().ignore_locations(true).with_register_size(self.platform.register_size());
        differ.modules(&a, &b).is_empty()
    }

    /// Runs the kernel.
    pub(crate) fn run(&self, case: &Case, limits: Limits) -> Result<Ran<'_>, DispatchError> {
        let mut machine =
            Machine::new(&self.program).with_limit(limits.lanes).with_memory_limit(limits.memory);
        let options = Options { platform: self.platform, workers: 1 };
        let (name, grid) = (&self.kernel.name, case.grid()?);
        // Another kernel may have more.
        let arguments = case.arguments.iter().take(self.parameters().len()).cloned().collect();
        let launch = Launch::new(&mut machine, self.binary, name, options, grid, arguments)?;
        let counts = launch.run(&machine, 1).map_err(DispatchError::Program)?;
        Ok(Ran::Machine {
            machine: Box::new(machine),
            launch: Box::new(launch),
            lanes: counts.lanes,
        })
    }
}

/// Returns whether a kernel was stopped because it runs for too long.
pub(crate) fn is_too_long(error: &DispatchError) -> bool {
    matches!(error, DispatchError::Program(Fault { kind: FaultKind::TooLong(_), .. }))
}

/// Returns the fault of a kernel that does what is not defined. Other errors are about the interpreter, or
/// about arguments that do not fit the kernel.
pub(crate) fn undefined_behaviour(error: &DispatchError) -> Option<&Fault> {
    let DispatchError::Program(fault) = error else { return None };
    match fault.kind {
        FaultKind::InstructionNotModelled(_)
        | FaultKind::NotModelled(_)
        | FaultKind::NotGiven(_)
        | FaultKind::Malformed(_)
        | FaultKind::TooLong(_)
        | FaultKind::TooLarge { .. } => None,
        _ => Some(fault),
    }
}
