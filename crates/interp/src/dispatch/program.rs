//! Programs of device binaries.

use genvisa::Platform;
use genvisa::text::{self, ParseOptions};
use genvisa_container::device::DeviceBinary;

use super::error::DispatchError;
use crate::device::Device;
use crate::program::Program;

impl Program {
    /// Returns the program of a kernel of a device binary, with all functions of the binary.
    ///
    /// # Errors
    /// There is no text of the kernel, or a text has errors.
    pub fn of_kernel(
        binary: &DeviceBinary,
        kernel: &str,
        platform: Platform,
    ) -> Result<Program, DispatchError> {
        if binary.kernel(kernel).is_none() {
            return Err(DispatchError::no_kernel(binary, kernel));
        }
        let own = binary.text(kernel).ok_or_else(|| DispatchError::NoText(kernel.into()))?;
        let modules: Result<Vec<_>, _> =
            [own].into_iter().chain(binary.functions()).map(module).collect();
        let device = Device { registers: platform.register_size() };
        Program::new(&modules?, device).map_err(DispatchError::Program)
    }
}

fn module(source: &[u8]) -> Result<genvisa::Module<'static>, DispatchError> {
    text::parse(source, ParseOptions::new())
        .map_err(|errors| DispatchError::Text(errors.to_string()))
}
