//! The expected results: pocl compiles the kernels for the CPU.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use genvisa_interp::{AddressMode, Dimensions, Filter, PixelFormat, Sampler};
use genvisa_test_support::repository;

use super::manifest::{Argument, Run, Source};

/// The program that runs kernels with pocl.
pub struct Pocl {
    program: PathBuf,
    _folder: tempfile::TempDir,
}

/// The contents of the buffers of each run, in the order of its arguments.
pub type Results = Vec<Vec<Vec<u8>>>;

impl Pocl {
    /// Compiles the program.
    ///
    /// # Panics
    /// It cannot run: there is no pocl, or there are no headers of OpenCL.
    pub fn required() -> Pocl {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let program = folder.path().join("pocl");
        let compiler = Command::new("cc")
            .arg(repository("crates/interp/tests/kernels/pocl.c"))
            .args(["-Wall", "-Wextra", "-Werror", "-lOpenCL", "-o"])
            .arg(&program)
            .output();
        let pocl = Pocl { program, _folder: folder };
        let problem = match compiler {
            Ok(output) if output.status.success() => pocl.run(Path::new("/dev/null"), "", "").err(),
            Ok(output) => Some(String::from_utf8_lossy(&output.stderr).into_owned()),
            Err(error) => Some(error.to_string()),
        };
        match problem {
            None => pocl,
            Some(problem) => panic!("pocl cannot run: {problem}"),
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
        let folder = tempfile::tempdir().expect("a temporary folder");
        let file = folder.path().join("a.cl");
        fs::write(&file, text).expect("a file");
        let mut commands = String::new();
        let mut files = Vec::new();
        for (run, index) in runs.iter().zip(0..) {
            files.push(commands_of(run, folder.path(), index, &mut commands));
        }
        self.run(&file, options, &commands)?;
        let read = |files: Vec<PathBuf>| {
            files.iter().map(|file| fs::read(file).expect("a buffer")).collect()
        };
        Ok(files.into_iter().map(read).collect())
    }

    fn run(&self, file: &Path, options: &str, commands: &str) -> Result<(), String> {
        let child = Command::new(&self.program)
            .arg(file)
            .arg(options)
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn();
        let mut child = child.map_err(|error| error.to_string())?;
        let written = child.stdin.take().expect("a pipe").write_all(commands.as_bytes());
        let output = child.wait_with_output().map_err(|error| error.to_string())?;
        match output.status.success() && written.is_ok() {
            true => Ok(()),
            false => Err(String::from_utf8_lossy(&output.stderr).into_owned()),
        }
    }
}

/// Adds the commands of a run, and returns the files of its buffers.
fn commands_of(run: &Run, folder: &Path, index: usize, commands: &mut String) -> Vec<PathBuf> {
    let size = |sizes: &[u32], dimension: usize| sizes.get(dimension).copied().unwrap_or(1);
    let sizes = [&run.global, &run.local]
        .map(|sizes| [0, 1, 2].map(|it| size(sizes, it).to_string()).join(" "));
    commands.push_str(&format!("kernel {} {} {}\n", run.kernel, run.global.len(), sizes.join(" ")));
    let mut files = Vec::new();
    for (_, argument) in &run.arguments {
        match argument {
            Argument::Buffer(buffer) => {
                let file = folder.join(format!("{index}-{}", files.len()));
                fs::write(&file, &buffer.bytes).expect("a file");
                commands.push_str(&format!("buffer {}\n", file.display()));
                files.push(file);
            }
            Argument::Image(image) => {
                let file = folder.join(format!("{index}-{}", files.len()));
                fs::write(&file, &image.texels.bytes).expect("a file");
                let [width, height, depth] = image.size;
                commands.push_str(&format!(
                    "image {} {} {} {width} {height} {depth}\n",
                    file.display(),
                    kind(image.dimensions),
                    format(image.format)
                ));
                files.push(file);
            }
            Argument::Sampler(sampler) => commands.push_str(&sampler_command(sampler)),
            Argument::Local(bytes) => commands.push_str(&format!("local {bytes}\n")),
            Argument::Value(bytes) => {
                let digits: Vec<String> = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
                commands.push_str(&format!("value {}\n", digits.concat()));
            }
        }
    }
    commands.push_str("run\n");
    files
}

/// Returns the number of `cl_mem_object_type`.
fn kind(dimensions: Dimensions) -> u32 {
    match dimensions {
        Dimensions::D2 => 0x10f1,
        Dimensions::D3 => 0x10f2,
        Dimensions::D2Array => 0x10f3,
        Dimensions::D1 => 0x10f4,
        Dimensions::D1Array => 0x10f5,
    }
}

/// Returns the numbers of `cl_channel_order` and `cl_channel_type`.
fn format(format: PixelFormat) -> String {
    let (channels, kind) = format.name().split_once('-').expect("a kind");
    let order = channels.trim_end_matches(|c: char| c.is_ascii_digit());
    let orders = [("r", 0x10b0), ("rg", 0x10b2), ("rgba", 0x10b5), ("bgra", 0x10b6)];
    let order = orders.iter().find(|(name, _)| *name == order).expect("an order").1;
    let types = [
        ("8-snorm", 0x10d0),
        ("16-snorm", 0x10d1),
        ("8-unorm", 0x10d2),
        ("16-unorm", 0x10d3),
        ("8-sint", 0x10d7),
        ("16-sint", 0x10d8),
        ("32-sint", 0x10d9),
        ("8-uint", 0x10da),
        ("16-uint", 0x10db),
        ("32-uint", 0x10dc),
        ("16-float", 0x10dd),
        ("32-float", 0x10de),
    ];
    let bits = channels.trim_start_matches(|c: char| c.is_ascii_alphabetic());
    let ty = format!("{bits}-{kind}");
    let ty = types.iter().find(|(name, _)| *name == ty).expect("a type").1;
    format!("{order} {ty}")
}

fn sampler_command(sampler: &Sampler) -> String {
    let address = match sampler.address[0] {
        AddressMode::ClampToEdge => 0x1131,
        AddressMode::ClampToBorder => 0x1132,
        AddressMode::Repeat => 0x1133,
        AddressMode::MirroredRepeat => 0x1134,
    };
    let filter = match sampler.filter {
        Filter::Nearest => 0x1140,
        Filter::Linear => 0x1141,
    };
    format!("sampler {} {address} {filter}\n", u32::from(sampler.normalized))
}
