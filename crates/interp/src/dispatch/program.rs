//! Programs of device binaries.

use genvisa::Platform;
use genvisa::text::{self, ParseOptions};

use super::error::DispatchError;
use crate::binary::DeviceBinary;
use crate::device::Device;
use crate::program::Program;

impl DeviceBinary {
    /// Returns the platform that the texts state.
    ///
    /// # Errors
    /// They state none, or one that is unknown.
    pub fn platform(&self) -> Result<Platform, DispatchError> {
        let stated = self.stated_platform().ok_or_else(|| {
            DispatchError::Text("no platform is stated; give it with the kernel".into())
        })?;
        let unknown = || DispatchError::Text(format!("platform `{}` is unknown", stated.name));
        stated.platform().ok_or_else(unknown)
    }

    /// Returns whether there is a text of a kernel.
    pub fn has_text(&self, kernel: &str) -> bool {
        self.texts.iter().any(|text| defines_kernel(text, Some(kernel)))
    }

    /// Returns the program of a kernel, with all functions of the binary.
    ///
    /// # Errors
    /// There is no text of the kernel, or a text has errors.
    pub fn program(&self, kernel: &str, platform: Platform) -> Result<Program, DispatchError> {
        if self.kernel(kernel).is_none() {
            let kernels = self.kernels.iter().map(|kernel| kernel.name.clone()).collect();
            return Err(DispatchError::NoKernel { name: kernel.into(), kernels });
        }
        let own = self.texts.iter().find(|text| defines_kernel(text, Some(kernel)));
        let own = own.ok_or_else(|| DispatchError::NoText(kernel.into()))?;
        let functions = self.texts.iter().filter(|text| !defines_kernel(text, None));
        let modules: Result<Vec<_>, _> =
            [own].into_iter().chain(functions).map(|text| module(text)).collect();
        let device = Device { registers: platform.register_size() };
        Program::new(&modules?, device).map_err(DispatchError::Program)
    }
}

/// Returns whether a text defines a kernel, of a name or of any.
fn defines_kernel(text: &[u8], name: Option<&str>) -> bool {
    let mut lines = text.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii);
    lines.any(|line| {
        let rest = line.strip_prefix(b".kernel \"").and_then(|rest| rest.strip_suffix(b"\""));
        rest.is_some_and(|found| name.is_none_or(|name| found == name.as_bytes()))
    })
}

fn module(source: &[u8]) -> Result<genvisa::Module<'static>, DispatchError> {
    text::parse(source, ParseOptions::new())
        .map_err(|errors| DispatchError::Text(errors.to_string()))
}
