//! The builds that are compared.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow, bail};
use genvisa::text::{self, ParseOptions};
use genvisa::verify::{Severity, Verifier};
use genvisa_interp::binary::DeviceBinary;
use genvisa_opencl::Error;
use tempfile::TempDir;

use super::Triage;
use super::cpu::Cpu;
use crate::commands::run::device::is_device_binary;
use crate::input::read;
use crate::ocloc::Ocloc;
use crate::output::Output;
use crate::words::{printable, shown};

/// A build of a program.
pub struct Build {
    /// The device and the options, or the path.
    pub name: String,
    /// Whether it is optimized, if that is known.
    pub is_optimized: Option<bool>,
    pub binary: DeviceBinary,
    /// The number of errors in its texts.
    pub errors: usize,
    /// The number of changes that the compiler made to texts with inline assembly.
    pub changes: usize,
    pub path: PathBuf,
}

/// All builds, and the folder that they are in.
pub struct Builds {
    pub all: Vec<Build>,
    /// The source on the CPU, or why it does not run there; `None` without a source.
    pub cpu: Option<Result<Cpu, Error>>,
    /// Removed in the end.
    folder: Option<TempDir>,
}

const DEVICES: [&str; 2] = ["bmg", "dg2"];
const WITHOUT_OPTIMIZATION: &str = "-cl-opt-disable";

impl Builds {
    /// Compiles the source, or reads the builds that exist.
    pub fn new(args: &Triage, out: &mut Output) -> anyhow::Result<Builds> {
        let [source] = &args.files[..] else {
            let all: anyhow::Result<Vec<Build>> =
                args.files.iter().map(|path| exists(path)).collect();
            return Ok(Builds { all: all?, cpu: None, folder: None });
        };
        if is_device_binary(source)? {
            bail!("`{}` is one build: give the source, or several builds", shown(source));
        }
        let (folder, temporary) = match &args.output {
            Some(folder) => {
                // Dumps of other runs would be counted.
                if folder.read_dir().is_ok_and(|mut entries| entries.next().is_some()) {
                    bail!("`{}` is not empty: state another folder for the builds", shown(folder));
                }
                (folder.clone(), None)
            }
            None => {
                let temporary = TempDir::with_prefix("genvisa-triage-")?;
                (temporary.path().to_path_buf(), Some(temporary))
            }
        };
        let compiler = Ocloc::new(args.ocloc.as_deref().unwrap_or(Path::new("ocloc")))?;
        let devices: Vec<&str> = match &args.device[..] {
            [] => DEVICES.to_vec(),
            devices => devices.iter().map(|device| &**device).collect(),
        };
        let is_spirv = source.extension().is_some_and(|suffix| suffix == "spv");
        let python = args.python.clone().unwrap_or_else(|| "python3".into());
        let cpu = Cpu::new(python, read(source)?, is_spirv, args.options.clone());
        // A source that only OpenCL refuses has builds.
        if let (Err(error @ Error::Unavailable(_)), Some(_)) = (&cpu, &args.python) {
            bail!("{error}");
        }
        let mut all = Vec::new();
        for is_optimized in [false, true] {
            for device in &devices {
                let name =
                    if is_optimized { (*device).to_owned() } else { format!("{device} -O0") };
                let folder = folder.join(name.replace(' ', ""));
                fs::create_dir_all(&folder)
                    .with_context(|| format!("cannot create `{}`", shown(&folder)))?;
                let options = match is_optimized {
                    true => args.options.clone(),
                    false => format!("{} {WITHOUT_OPTIMIZATION}", args.options),
                };
                let options = [
                    "-options",
                    options.trim(),
                    "-internal_options",
                    "-ze-emit-zebin-visa-sections",
                    "-output_no_suffix",
                    "-output",
                    "program",
                ];
                let options = options.into_iter().chain(is_spirv.then_some("-spirv_input"));
                if let Err(refused) = compiler.compile(&folder, source, device, options)? {
                    out.report_error(refused)?;
                    continue;
                }
                let path = folder.join("program.bin");
                let build = exists(&path)?;
                let changes = changes(&folder, out)?;
                all.push(Build { name, is_optimized: Some(is_optimized), changes, path, ..build });
            }
        }
        if all.len() < 2 {
            bail!("there are no two builds of `{}`", shown(source));
        }
        Ok(Builds { all, cpu: Some(cpu), folder: temporary })
    }

    /// Returns the name of a build by its index; the index after the last is that of the CPU.
    pub fn name(&self, at: usize) -> &str {
        self.all.get(at).map_or(Cpu::NAME, |build| &build.name)
    }

    /// Returns whether the files of the builds are left.
    pub fn are_kept(&self) -> bool {
        self.folder.is_none()
    }

    /// Returns the names of the kernels that all builds have, in the order of the first. Warns of the others.
    pub fn kernels(&self, routine: Option<&str>, out: &mut Output) -> anyhow::Result<Vec<String>> {
        let has = |build: &Build, name: &str| {
            build.binary.kernel(name).is_some() && build.binary.text(name).is_some()
        };
        let first = self.all[0].binary.kernels.iter().map(|kernel| kernel.name.clone());
        let mut kernels: Vec<String> =
            first.filter(|name| self.all.iter().all(|build| has(build, name))).collect();
        for build in &self.all {
            let names = build.binary.kernels.iter().map(|kernel| &kernel.name);
            for name in names.filter(|name| !kernels.contains(name)) {
                let (name, build) = (printable(name), &build.name);
                out.warn(format_args!("not all builds have a text of kernel `{name}` of {build}"))?;
            }
        }
        if let Some(routine) = routine {
            let names: Vec<String> = kernels.iter().map(|name| printable(name)).collect();
            kernels.retain(|name| name == routine);
            if kernels.is_empty() {
                bail!("there is no kernel `{}`; there is {}", printable(routine), names.join(", "));
            }
        }
        match kernels.is_empty() {
            true => bail!("the builds have no kernel in common whose text they contain"),
            false => Ok(kernels),
        }
    }
}

/// Reads a build.
fn exists(path: &Path) -> anyhow::Result<Build> {
    let name = shown(path);
    let binary =
        DeviceBinary::from_bytes(&read(path)?).map_err(|error| anyhow!("`{name}`: {error}"))?;
    let errors = binary.texts.iter().map(|text| errors(text, &binary)).sum();
    Ok(Build { name, path: path.into(), is_optimized: None, binary, errors, changes: 0 })
}

/// Returns the number of changes that the compiler made to the texts with inline assembly in a folder of dumps.
#[cfg(feature = "inline")]
fn changes(folder: &Path, out: &mut Output) -> anyhow::Result<usize> {
    crate::commands::check::dumps::count_changes(folder, out)
}

#[cfg(not(feature = "inline"))]
fn changes(_: &Path, _: &mut Output) -> anyhow::Result<usize> {
    Ok(0)
}

/// Returns the number of errors in a text.
fn errors(text: &[u8], binary: &DeviceBinary) -> usize {
    match text::parse(text, ParseOptions::new()) {
        Ok(module) => {
            let verifier = Verifier::new().or_platform(binary.platform().ok());
            let findings = verifier.check_module(&module);
            findings.iter().filter(|finding| finding.severity == Severity::Error).count()
        }
        Err(errors) => errors.len(),
    }
}
