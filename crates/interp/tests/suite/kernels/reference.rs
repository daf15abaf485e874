//! The expected results: pocl compiles the kernels for the CPU.

use std::path::PathBuf;

use genvisa_opencl::{Error, Program, Source as Text};
use genvisa_test_support::python_with_opencl;

use super::manifest::{Run, Source};

/// The CPU, which pocl compiles kernels for.
pub struct Pocl {
    python: PathBuf,
}

/// The contents of the buffers of each run, in the order of its arguments.
pub type Results = Vec<Vec<Vec<u8>>>;

impl Pocl {
    /// # Panics
    /// There is no pocl, or no Python with pyopencl.
    pub fn required() -> Pocl {
        let python = python_with_opencl();
        match Program::build(&python, Text::C("kernel void f() {}"), "") {
            Ok(_) => Pocl { python },
            Err(error) => panic!("{error}"),
        }
    }

    /// Returns the results of all kernels of a file.
    pub fn results(&self, source: &Source, width: u32) -> Results {
        let text = format!("#define REFERENCE\n#define SG {width}\n{}", source.text);
        // No part of a multiplication and an addition is fused unless the kernel asks for it.
        self.try_results(&text, "-cl-std=CL1.2", &source.runs)
            .unwrap_or_else(|problem| panic!("{}: {problem}", source.name))
    }

    /// Returns the results of runs of kernels of a text.
    pub fn try_results(&self, text: &str, options: &str, runs: &[Run]) -> Result<Results, String> {
        let text_of = |error: Error| error.to_string();
        let mut program = Program::build(&self.python, Text::C(text), options).map_err(text_of)?;
        let results = runs.iter().map(|run| {
            let arguments: Vec<_> = run.arguments.iter().map(|(_, it)| it.value()).collect();
            let all = program.run(&run.kernel, &run.global, &run.local, &arguments);
            Ok(all.map_err(text_of)?.into_iter().flatten().collect())
        });
        results.collect()
    }
}
