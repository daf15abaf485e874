//! Runs kernels of OpenCL C on a CPU, to compare with what the interpreter of vISA computes.
//!
//! A [`Program`] is a process of Python, in which [pyopencl](https://pypi.org/project/pyopencl/) runs kernels on the
//! first OpenCL device that is a CPU. Without pyopencl or such a device, there is an error.

#![forbid(unsafe_code)]

mod message;

use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use genvisa_interp::dispatch::Argument;
use thiserror::Error;

use message::{Answer, Hex, Request, Value};

/// The example of the README is tested.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

/// What is compiled.
#[derive(Clone, Copy, Debug)]
pub enum Source<'s> {
    /// A text in OpenCL C.
    C(&'s str),
    /// A SPIR-V module.
    SpirV(&'s [u8]),
}

/// A program that is ready to run.
#[derive(Debug)]
pub struct Program {
    process: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    device: String,
}

/// What the arguments of a kernel contain: the bytes of buffers and images, and `None` for others.
pub type Memory = Vec<Option<Vec<u8>>>;

/// Why a program or a kernel does not run.
#[derive(Clone, Debug, Error, PartialEq)]
#[non_exhaustive]
pub enum Error {
    /// There is no Python with pyopencl, or no device that is a CPU.
    #[error("OpenCL cannot be used: {0}")]
    Unavailable(String),
    /// The compiler refuses the source, or the device a kernel or its arguments.
    #[error("OpenCL refuses it: {0}")]
    Refused(String),
    /// The process stopped, as it does if a kernel crashes.
    #[error("the process of OpenCL stopped")]
    Stopped,
}

const SERVER: &str = include_str!("server.py");

impl Program {
    /// Compiles a program with options of OpenCL, such as `-cl-std=CL3.0`. `python` is the interpreter of Python.
    ///
    /// # Errors
    /// OpenCL cannot be used, or the compiler refuses the source.
    pub fn build(python: &Path, source: Source<'_>, options: &str) -> Result<Program, Error> {
        let mut process = Command::new(python)
            .args(["-c", SERVER])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(|error| Error::Unavailable(format!("`{}`: {error}", python.display())))?;
        let (Some(input), Some(output)) = (process.stdin.take(), process.stdout.take()) else {
            return Err(Error::Stopped);
        };
        let output = BufReader::new(output);
        let mut program = Program { process, input, output, device: String::new() };
        match program.ask(&Request::build(source, options)) {
            Ok(Answer::Device(device)) => {
                program.device = device;
                Ok(program)
            }
            Err(Error::Stopped) => Err(Error::Unavailable(program.last_words())),
            Ok(_) => Err(Error::Stopped),
            Err(error) => Err(error),
        }
    }

    /// Returns the name and the version of the device.
    pub fn device(&self) -> &str {
        &self.device
    }

    /// Runs a kernel, and returns what its arguments contain after it.
    ///
    /// # Errors
    /// There is no such kernel, the arguments or the sizes are none of it, or the kernel crashes.
    pub fn run(
        &mut self,
        kernel: &str,
        global: &[u32],
        local: &[u32],
        arguments: &[Argument],
    ) -> Result<Memory, Error> {
        Ok(self.run_times(kernel, global, local, arguments, 1)?.0)
    }

    /// Runs a kernel several times with the same memory. Returns what its arguments contain in the end, and the
    /// nanoseconds of each run.
    ///
    /// # Errors
    /// As for [`run`](Program::run).
    pub fn run_times(
        &mut self,
        kernel: &str,
        global: &[u32],
        local: &[u32],
        arguments: &[Argument],
        runs: u32,
    ) -> Result<(Memory, Vec<u64>), Error> {
        let value = |(index, argument)| {
            let refused = || Error::Refused(format!("the value of argument {index} is unknown"));
            Value::new(argument).ok_or_else(refused)
        };
        let arguments = arguments.iter().enumerate().map(value).collect::<Result<_, _>>()?;
        match self.ask(&Request::Run { kernel, global, local, arguments, runs })? {
            Answer::Ran { memory, nanoseconds } => {
                let bytes = |hex: Option<Hex>| hex.map(|Hex(bytes)| bytes);
                Ok((memory.into_iter().map(bytes).collect(), nanoseconds))
            }
            _ => Err(Error::Stopped),
        }
    }

    /// Writes a request, and reads the answer.
    fn ask(&mut self, request: &Request<'_>) -> Result<Answer, Error> {
        let stopped = |_| Error::Stopped;
        let request = serde_json::to_string(request).map_err(|_| Error::Stopped)?;
        writeln!(self.input, "{request}").map_err(stopped)?;
        let mut line = String::new();
        self.output.read_line(&mut line).map_err(stopped)?;
        match serde_json::from_str(&line).map_err(|_| Error::Stopped)? {
            Answer::Error(why) => Err(Error::Refused(why)),
            answer => Ok(answer),
        }
    }

    /// Returns the last line that a process which stopped wrote to its standard error.
    fn last_words(&mut self) -> String {
        let mut text = String::new();
        if let Some(errors) = &mut self.process.stderr {
            // What cannot be read says nothing.
            let _ = errors.read_to_string(&mut text);
        }
        text.trim_end().lines().next_back().unwrap_or("Python stopped").into()
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        // It may have stopped already.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
