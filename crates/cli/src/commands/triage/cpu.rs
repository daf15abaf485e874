//! The source on the CPU of this machine, by OpenCL.

use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use genvisa_equiv::{Case, Runner};
use genvisa_opencl::{Error, Program, Source};

/// A source that OpenCL runs on the CPU.
pub struct Cpu {
    python: PathBuf,
    source: Vec<u8>,
    is_spirv: bool,
    options: String,
    device: String,
    /// `None` after a kernel that crashed.
    program: Mutex<Option<Program>>,
}

/// A kernel of the source.
pub struct CpuKernel<'c> {
    pub cpu: &'c Cpu,
    pub kernel: &'c str,
}

impl Cpu {
    /// The name among those of the builds.
    pub const NAME: &'static str = "cpu";

    /// Compiles a source.
    pub fn new(
        python: PathBuf,
        source: Vec<u8>,
        is_spirv: bool,
        options: String,
    ) -> Result<Cpu, Error> {
        let (program, device) = (Mutex::new(None), String::new());
        let cpu = Cpu { python, source, is_spirv, options, device, program };
        let program = cpu.build()?;
        Ok(Cpu { device: program.device().into(), program: Mutex::new(Some(program)), ..cpu })
    }

    /// Returns the name and the version of the device.
    pub fn device(&self) -> &str {
        &self.device
    }

    fn build(&self) -> Result<Program, Error> {
        let text = String::from_utf8_lossy(&self.source);
        let source = if self.is_spirv { Source::SpirV(&self.source) } else { Source::C(&text) };
        Program::build(&self.python, source, &self.options)
    }
}

impl Runner for CpuKernel<'_> {
    fn run(&mut self, case: &Case) -> Result<Vec<Option<Vec<u8>>>, String> {
        let Case { global, local, arguments } = case;
        // One kernel at a time: it uses all cores.
        let mut program = self.cpu.program.lock().unwrap_or_else(PoisonError::into_inner);
        let mut ready = match program.take() {
            Some(ready) => ready,
            None => self.cpu.build().map_err(|error| error.to_string())?,
        };
        let result = ready.run(self.kernel, global, local, arguments);
        if result != Err(Error::Stopped) {
            *program = Some(ready);
        }
        result.map_err(|error| error.to_string())
    }
}
