//! Kernels of device binaries.

use std::path::Path;

use anyhow::{Context, anyhow, bail};
use genvisa_container::FileKind;
use genvisa_interp::binary::{DeviceBinary, Kernel};
use genvisa_interp::dispatch::{Argument, Grid, Launch, Options, Parameter};
use genvisa_interp::{Machine, Program};

use super::arguments::{Contents, in_order};
use super::{Buffer, Denied, Run, Summary, observe, outputs, picture, values};
use crate::input::kind::of_file;
use crate::input::{read_text, read_utf8};
use crate::output::Output;
use crate::words::{printable, shown};

/// Returns whether a file is a device binary, or an archive that may contain one. Standard input and pipes can be read only once.
pub fn is_device_binary(path: &Path) -> anyhow::Result<bool> {
    let kind = of_file(path).with_context(|| format!("cannot read `{}`", shown(path)))?;
    Ok(matches!(kind, Some(FileKind::DeviceBinary | FileKind::Archive)))
}

/// Reads a device binary.
pub fn read_binary(args: &Run, bytes: &[u8]) -> anyhow::Result<DeviceBinary> {
    let name = shown(&args.file);
    if args.info.is_some() {
        bail!("--info is for texts, but `{name}` is a device binary");
    }
    for (option, is_given) in [
        ("--input", !args.input.is_empty()),
        ("--payload", args.payload.is_some()),
        ("--lanes", args.lanes.is_some()),
        ("--thread-space", args.thread_space.is_some()),
        ("--slm", args.slm.is_some()),
        ("--registers", args.registers.registers.is_some()),
    ] {
        if is_given {
            bail!("{option} is for text and .isa files, but `{name}` is a device binary");
        }
    }
    DeviceBinary::from_bytes(bytes).map_err(|error| anyhow!("`{name}`: {error}"))
}

/// Reads the texts of a kernel and its functions, with a `.zeinfo` file.
pub fn read_texts(args: &Run, info: &Path) -> anyhow::Result<DeviceBinary> {
    let files = [&args.file].into_iter().chain(&args.functions);
    let texts: anyhow::Result<Vec<Vec<u8>>> =
        files.map(|file| Ok(read_text(file, &args.dialect)?.bytes.into())).collect();
    let document = read_utf8(info)?;
    let document = String::from_utf8_lossy(&document);
    DeviceBinary::from_texts(&document, texts?)
        .map_err(|error| anyhow!("`{}`: {error}", shown(info)))
}

/// The most groups that run in turns. Each has its own private memory.
const MAX_IN_TURNS: u32 = 256;

pub fn run(
    args: &Run,
    binary: DeviceBinary,
    out: &mut Output,
) -> anyhow::Result<(Summary, Vec<Buffer>)> {
    let name = shown(&args.file);
    let kernel = choose(&binary, args.kernel.as_deref())?;
    let platform = match args.registers.platform {
        Some(platform) => platform,
        None => binary.platform().map_err(|error| anyhow!("`{name}`: {error}"))?,
    };
    let grid = grid(args, kernel)?;
    let names: Vec<&str> = (0..)
        .zip(Parameter::of_kernel(kernel))
        .map(|(index, _)| kernel.argument_name(index))
        .collect();
    let contents = in_order(&args.arg, &names)?;
    let mut buffers: Vec<(u32, Buffer)> = Vec::new();
    let arguments: anyhow::Result<Vec<Argument>> = (0..)
        .zip(contents)
        .zip(Parameter::of_kernel(kernel))
        .map(|((index, contents), parameter)| {
            let argument = argument(kernel, index, contents, parameter)?;
            let image = match contents {
                Contents::Image(image, _) => Some((**image).clone()),
                _ => None,
            };
            if image.is_some() || matches!(argument, Argument::Buffer(_)) {
                let name = kernel.argument_name(index);
                let names = [name.to_owned(), index.to_string()];
                let names = names.into_iter().filter(|name| !name.is_empty()).collect();
                buffers.push((index, Buffer { names, image, ..Buffer::default() }));
            }
            Ok(argument)
        })
        .collect();
    outputs::check(&args.out, buffers.iter().map(|(_, buffer)| buffer))?;

    let program = Program::of_kernel(&binary, &kernel.name, platform)?;
    let mut machine = Machine::new(&program)
        .with_limit(args.limit)
        .with_memory_limit(args.memory_limit)
        .with_strict_alignment(args.strict_alignment)
        .with_coverage(args.coverage)
        .deny_undefined_stores(args.deny.contains(&Denied::Undefined))
        .with_work_items(kernel.execution.simd_size > 1)
        .deny_races_of_lanes(args.deny.contains(&Denied::Races));
    let in_turns = grid.group_count().min(MAX_IN_TURNS);
    let workers = args.schedule.map_or(args.threads, |_| in_turns);
    let options = Options { platform, workers };
    let launch = Launch::new(&mut machine, &binary, &kernel.name, options, grid, arguments?)?;
    let mut traced = None;
    let result = match (observe::observer(args, &program, out)?, args.schedule) {
        (None, None) => launch.run(&machine, args.threads),
        (None, Some(seed)) => launch.run_in_turns(&machine, seed),
        (Some(mut observer), _) => {
            let groups = (0..grid.group_count()).map(|number| launch.group(&machine, number, 0));
            let result = observe::run(&machine, groups, &mut *observer)?;
            traced = observer.traced();
            result
        }
    };
    let (undefined_stores, races_of_lanes) = (machine.undefined_stores(), machine.races_of_lanes());
    let printed = launch.printed(&mut machine);
    let memory = machine.memory();
    let buffers = buffers.into_iter().filter_map(|(index, buffer)| {
        let address = launch.buffer(index as usize)?;
        let bytes = memory.bytes(address)?.to_vec();
        Some(Buffer { bytes, first_undefined: memory.first_undefined(address), ..buffer })
    });
    let buffers = buffers.collect();
    let summary = Summary {
        kernel: kernel.name.clone(),
        platform: Some(platform),
        groups: grid.group_count(),
        threads: launch.threads(),
        result,
        printed,
        undefined_stores,
        races_of_lanes,
        coverage: args.coverage.then(|| machine.coverage()),
        traced,
    };
    Ok((summary, buffers))
}

/// Returns the kernel of a name, or the only one.
fn choose<'b>(binary: &'b DeviceBinary, name: Option<&str>) -> anyhow::Result<&'b Kernel> {
    // A dump has one text, but the description of all kernels.
    let has_text = |kernel: &&Kernel| binary.text(&kernel.name).is_some();
    let kernels: Vec<&Kernel> = binary.kernels.iter().filter(has_text).collect();
    let names: Vec<String> = kernels.iter().map(|kernel| printable(&kernel.name)).collect();
    if names.is_empty() {
        bail!(
            "there is no text of a kernel; ocloc adds the texts with -internal_options \
             \"-ze-emit-zebin-visa-sections\""
        );
    }
    match (name, &kernels[..]) {
        (Some(name), _) => {
            let found = kernels.iter().copied().find(|kernel| kernel.name == name);
            found.with_context(|| {
                format!("there is no kernel `{}`; there is {}", printable(name), names.join(", "))
            })
        }
        (None, [kernel]) => Ok(kernel),
        (None, _) => bail!("choose a kernel with --kernel: {}", names.join(", ")),
    }
}

fn grid(args: &Run, kernel: &Kernel) -> anyhow::Result<Grid> {
    let global = args.global.as_ref().context("give the number of work-items with --global")?;
    let required = kernel.execution.required_group_size;
    let local = match (&args.local, required) {
        (Some(local), _) => local.0.clone(),
        (None, Some(required)) => required.into_iter().take(global.0.len()).collect(),
        (None, None) => bail!("give the number of work-items of a group with --local"),
    };
    let mut offset = [0; 3];
    for (place, given) in offset.iter_mut().zip(args.offset.iter().flat_map(|it| &it.0)) {
        *place = *given;
    }
    Ok(Grid::new(&global.0, &local)?.with_offset(offset))
}

/// Returns the error of an argument.
fn named(kernel: &Kernel, index: u32, problem: &str) -> anyhow::Error {
    match kernel.argument_name(index) {
        "" => anyhow!("argument {index}: {problem}"),
        name => anyhow!("argument {index}, `{name}`: {problem}"),
    }
}

/// Returns an argument of a kernel.
pub fn argument(
    kernel: &Kernel,
    index: u32,
    contents: &Contents,
    parameter: Parameter,
) -> anyhow::Result<Argument> {
    if let Contents::Image(image, texels) = contents {
        let name = format!("argument {index}");
        if !image.planes.is_empty() {
            bail!("{name}: an image with several planes is no argument of a device binary");
        }
        for (count, what) in [(image.levels, "levels"), (image.samples, "samples")] {
            if count > 1 {
                bail!("{name}: an image with several {what} is no argument of a device binary");
            }
        }
        let texels = texels.buffer()?.unwrap_or_default();
        return Ok(Argument::Image {
            dimensions: image.dimensions,
            format: image.format,
            size: [image.width, image.height, image.depth],
            texels: picture::texels(image, texels).context(name)?,
        });
    }
    if let Contents::Elements(text) = contents {
        let bytes = values::bytes_of(text, None, kernel.argument_type(index));
        return Ok(Argument::Buffer(bytes.map_err(|problem| named(kernel, index, &problem))?));
    }
    if let Some(bytes) = contents.buffer()? {
        return Ok(match parameter {
            // The bytes of a structure.
            Parameter::Value(_) => Argument::Value(bytes),
            _ => Argument::Buffer(bytes),
        });
    }
    Ok(match contents {
        Contents::Local(bytes) => Argument::Local(*bytes),
        Contents::Null => Argument::Null,
        Contents::Numbers(text) => {
            let size = match parameter {
                Parameter::Value(size) => Some(size as usize),
                _ => None,
            };
            let ty = kernel.argument_type(index);
            let bytes = values::bytes_of(text, size, ty);
            Argument::Value(bytes.map_err(|problem| named(kernel, index, &problem))?)
        }
        Contents::Sampler(sampler) => Argument::Sampler(*sampler),
        Contents::File(_)
        | Contents::Zeros(_)
        | Contents::Elements(_)
        | Contents::Lanes(..)
        | Contents::Image(..) => {
            bail!("argument {index} has no contents")
        }
    })
}
