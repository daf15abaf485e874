//! The kernels: files with comments that state how each kernel runs.
//!
//! A comment `// run NAME --global SIZES --local SIZES` precedes a kernel, with a line for each argument:
//!
//! - `NAME TYPE COUNT [out]`: a buffer of random elements. A range `LOW..HIGH` limits them, `integers` makes
//!   them integral, `bits` takes any bits, `ramp STEP` makes them multiples of a number, and `of NUMBERS`
//!   repeats numbers. `out` compares the buffer.
//! - `NAME KIND FORMAT WIDTH,HEIGHT,DEPTH [out]`: an image, such as `2d rgba8-unorm 16,8,1`, of random texels,
//!   with the options of buffers.
//! - `NAME sampler FILTER MODE normalized` (or `texels`): a sampler.
//! - `NAME local BYTES`: shared local memory.
//! - `NAME VALUES`: a value, such as `7`, `2.5f`, `250uc` or several of them.
//!
//! `--ulp N` and `--absolute X` are the tolerances of floats. Lines `// devices`, `// widths` and `// options`
//! at the start of a file apply to all of its kernels.

use std::fs;

use genvisa_interp::{AddressMode, Dimensions, Filter, PixelFormat, Sampler};
use genvisa_test_support::repository;

use super::data::{Buffer, Type, value_bytes};
use super::device::{Build, DEVICES};

/// A file of kernels.
pub struct Source {
    pub name: String,
    pub text: String,
    pub runs: Vec<Run>,
    pub options: String,
    devices: Vec<String>,
    widths: Vec<u32>,
}

/// A kernel, and how it runs.
pub struct Run {
    pub kernel: String,
    pub global: Vec<u32>,
    pub local: Vec<u32>,
    pub arguments: Vec<(String, Argument)>,
    pub tolerance: Tolerance,
}

pub enum Argument {
    Buffer(Buffer),
    Image(Image),
    Sampler(Sampler),
    Local(u32),
    Value(Vec<u8>),
}

impl Argument {
    /// Returns the argument as the interpreter takes it.
    pub fn value(&self) -> genvisa_interp::dispatch::Argument {
        use genvisa_interp::dispatch::Argument as Value;
        match self {
            Argument::Buffer(buffer) => Value::Buffer(buffer.bytes.clone()),
            Argument::Image(image) => Value::Image {
                dimensions: image.dimensions,
                format: image.format,
                size: image.size,
                texels: image.texels.bytes.clone(),
            },
            Argument::Sampler(sampler) => Value::Sampler(*sampler),
            Argument::Local(bytes) => Value::Local(*bytes),
            Argument::Value(bytes) => Value::Value(bytes.clone()),
        }
    }

    /// Returns the contents of a buffer or an image.
    pub fn buffer(&self) -> Option<&Buffer> {
        match self {
            Argument::Buffer(buffer) => Some(buffer),
            Argument::Image(image) => Some(&image.texels),
            _ => None,
        }
    }
}

/// An image.
pub struct Image {
    pub dimensions: Dimensions,
    pub format: PixelFormat,
    pub size: [u32; 3],
    pub texels: Buffer,
}

/// Returns the type of the channels of a format.
fn channel_type(format: PixelFormat) -> &'static str {
    let (channels, kind) = format.name().split_once('-').expect("a kind");
    let bits = channels.trim_start_matches(|c: char| c.is_ascii_alphabetic());
    match (bits, kind) {
        ("8", "uint" | "unorm") => "uchar",
        ("8", "sint" | "snorm") => "char",
        ("16", "uint" | "unorm") => "ushort",
        ("16", "sint" | "snorm") => "short",
        ("16", "float") => "half",
        ("32", "uint") => "uint",
        ("32", "sint") => "int",
        ("32", "float") => "float",
        other => panic!("{other:?}"),
    }
}

fn image(name: &str, dimensions: Dimensions, words: &[&str]) -> Image {
    let format = PixelFormat::from_name(words[0]).unwrap_or_else(|| panic!("{name}: {words:?}"));
    let numbers: Vec<u32> = words[1].split(',').map(|n| n.parse().expect("a size")).collect();
    let size: [u32; 3] = numbers.try_into().expect("three sizes");
    let ty = Type::from_name(channel_type(format)).expect("a type");
    let channels = format.bytes() as usize / ty.size;
    let count = size.iter().product::<u32>() as usize * channels;
    Image { dimensions, format, size, texels: Buffer::parse(name, ty, count, &words[2..]) }
}

fn sampler(words: &[&str]) -> Sampler {
    let filter = Filter::ALL.into_iter().find(|filter| filter.name() == words[0]);
    let mode = AddressMode::ALL.into_iter().find(|mode| mode.name() == words[1]);
    Sampler::new(filter.expect("a filter"), mode.expect("a mode"), words[2] == "normalized")
}

/// How floats may differ: by so many units in the last place, or by an absolute value.
#[derive(Clone, Copy, Default)]
pub struct Tolerance {
    pub ulp: u64,
    pub absolute: f64,
}

/// Reads all files.
pub fn sources() -> Vec<Source> {
    let folder = repository("crates/interp/tests/kernels");
    let prelude = fs::read_to_string(folder.join("prelude.cl")).expect("the prelude");
    let entries = fs::read_dir(&folder).expect("the folder of kernels");
    let mut names: Vec<String> = entries
        .filter_map(|entry| Some(entry.ok()?.file_name().to_str()?.strip_suffix(".cl")?.to_owned()))
        .filter(|name| name != "prelude")
        .collect();
    names.sort();
    let read =
        |name: &String| fs::read_to_string(folder.join(format!("{name}.cl"))).expect("a file");
    names.iter().map(|name| source(name, &prelude, &read(name))).collect()
}

impl Source {
    /// Returns the widths of the reference.
    pub fn widths(&self) -> impl Iterator<Item = u32> + '_ {
        [8, 16, 32].into_iter().filter(|width| self.builds().any(|build| build.width == *width))
    }

    /// Returns the builds for all devices.
    pub fn builds(&self) -> impl Iterator<Item = Build> + '_ {
        let has_device =
            |name: &&str| self.devices.is_empty() || self.devices.iter().any(|it| it == name);
        let devices = DEVICES.iter().filter(move |device| has_device(&device.name));
        devices.flat_map(move |device| {
            let widths = device
                .widths
                .iter()
                .filter(|width| self.widths.is_empty() || self.widths.contains(width));
            // Matrices have one width on each device.
            let widths = widths.take(if self.name == "dpas" { 1 } else { 3 });
            widths.flat_map(move |width| {
                [true, false].map(|is_optimized| Build { device, width: *width, is_optimized })
            })
        })
    }
}

fn source(name: &str, prelude: &str, text: &str) -> Source {
    let mut lines = text.lines().filter_map(|line| line.strip_prefix("//")).peekable();
    let mut source = Source {
        name: name.into(),
        text: format!("{prelude}{text}"),
        runs: Vec::new(),
        options: String::new(),
        devices: Vec::new(),
        widths: Vec::new(),
    };
    while let Some(line) = lines.next() {
        let words: Vec<&str> = line.split_whitespace().collect();
        match &words[..] {
            ["options", options @ ..] => source.options = options.join(" "),
            ["devices", devices @ ..] => {
                source.devices = devices.iter().map(ToString::to_string).collect()
            }
            ["widths", widths @ ..] => {
                source.widths =
                    widths.iter().map(|width| width.parse().expect("a width")).collect();
            }
            ["run", kernel, options @ ..] => {
                let mut run = run(kernel, options);
                while let Some(line) = lines.next_if(|line| line.starts_with("   ")) {
                    run.arguments.push(argument(kernel, line));
                }
                source.runs.push(run);
            }
            _ => {}
        }
    }
    source
}

pub fn run(kernel: &str, options: &[&str]) -> Run {
    let mut run = Run {
        kernel: kernel.into(),
        global: Vec::new(),
        local: Vec::new(),
        arguments: Vec::new(),
        tolerance: Tolerance::default(),
    };
    let sizes = |text: &str| text.split(',').map(|size| size.parse().expect("a size")).collect();
    for option in options.chunks(2) {
        match option {
            ["--global", value] => run.global = sizes(value),
            ["--local", value] => run.local = sizes(value),
            ["--ulp", value] => run.tolerance.ulp = value.parse().expect("a number"),
            ["--absolute", value] => run.tolerance.absolute = value.parse().expect("a number"),
            _ => panic!("{kernel}: {option:?}"),
        }
    }
    run
}

pub fn argument(kernel: &str, line: &str) -> (String, Argument) {
    let words: Vec<&str> = line.split_whitespace().collect();
    let kind = Dimensions::ALL.into_iter().find(|kind| Some(&kind.name()) == words.get(1));
    let argument = match &words[1..] {
        [_, rest @ ..] if kind.is_some() => {
            let name = format!("{kernel}.{}", words[0]);
            Argument::Image(image(&name, kind.expect("a kind"), rest))
        }
        ["sampler", rest @ ..] => Argument::Sampler(sampler(rest)),
        ["local", bytes] => Argument::Local(bytes.parse().expect("a size")),
        [ty, count, options @ ..] => {
            let ty = Type::from_name(ty).unwrap_or_else(|| panic!("{kernel}: {line}"));
            let count = count.parse().expect("a count");
            Argument::Buffer(Buffer::parse(&format!("{kernel}.{}", words[0]), ty, count, options))
        }
        [values] => {
            Argument::Value(value_bytes(values).unwrap_or_else(|| panic!("{kernel}: {line}")))
        }
        _ => panic!("{kernel}: {line}"),
    };
    (words[0].into(), argument)
}
