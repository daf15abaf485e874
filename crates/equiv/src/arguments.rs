//! Arguments that are generated from what the kernels expect.

use fastrand::Rng;
use genvisa::operand::DataType;
use genvisa_interp::dispatch::{Argument, Parameter};
use genvisa_interp::{AddressMode, Dimensions, Filter, Image, PixelFormat, Sampler, nearest};

use crate::case::Case;
use crate::elements::Elements;

/// The sizes of the dimensions, and what integers are.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Setting {
    pub global: Vec<u32>,
    pub local: Vec<u32>,
    /// The value of integers, which are often sizes.
    pub integer: u32,
    /// Whether some integers have other values, which may be modes or indices.
    pub varies: bool,
    /// The format of images.
    pub format: PixelFormat,
}

/// The numbers in buffers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Numbers {
    /// Small ones, which can be indices.
    Small,
    /// Integers of some thousands, and floats of both signs, some of them large or small.
    Wide,
    /// The limits of the types, zeros, NaN and infinities among small numbers.
    Edges,
    /// Any bits.
    Any,
}

impl Numbers {
    /// The numbers of the rounds. Limits and any bits often make all results NaN, so they are rare.
    pub(crate) const ROUNDS: [Numbers; 6] = [
        Numbers::Wide,
        Numbers::Small,
        Numbers::Edges,
        Numbers::Wide,
        Numbers::Small,
        Numbers::Any,
    ];
}

/// The values of integers that are tried: the number of work-items, then smaller and larger ones.
const INTEGERS: [u32; 8] = [64, 16, 4, 1, 3, 100, 256, 0];
/// Other values of integers.
const VARIED: [u32; 8] = [0, 1, 2, 3, 4, 7, 12, u32::MAX];
/// The formats of images that are tried.
const FORMATS: [PixelFormat; 3] =
    [PixelFormat::Rgba32Float, PixelFormat::Rgba32Uint, PixelFormat::Rgba8Unorm];
/// The global and the local sizes that are tried.
const SHAPES: [(&[u32], &[u32]); 3] =
    [(&[64], &[32]), (&[16, 8], &[8, 4]), (&[8, 4, 4], &[4, 2, 2])];

const BUFFER_BYTES: usize = 1 << 16;
const LOCAL_BYTES: u32 = 1 << 14;
const IMAGE_SIZE: u32 = 16;

/// Returns the settings to try, the most likely first. `stated` are global and local sizes that are given.
pub(crate) fn settings(
    kernel: &[Parameter],
    required: Option<[u32; 3]>,
    stated: Option<&(Vec<u32>, Vec<u32>)>,
) -> Vec<Setting> {
    let shapes: Vec<(Vec<u32>, Vec<u32>)> = match (stated, required) {
        (Some(stated), _) => vec![stated.clone()],
        (None, Some(required)) => {
            // Two groups of the first dimension, then of each that groups have, then one group.
            let used = required.iter().rposition(|size| *size > 1).map_or(1, |last| last + 1);
            let local = required[..used].to_vec();
            let with_groups = |dimensions: usize| {
                let sizes = local.iter().enumerate();
                let sizes =
                    sizes.map(|(at, size)| size.saturating_mul(1 + u32::from(at < dimensions)));
                (sizes.collect(), local.clone())
            };
            vec![with_groups(1), with_groups(used), with_groups(0)]
        }
        _ => SHAPES.map(|(global, local)| (global.to_vec(), local.to_vec())).to_vec(),
    };
    let has_values = kernel.iter().any(|it| matches!(it, Parameter::Value(_)));
    let has_images = kernel.contains(&Parameter::Image);
    let integers = if has_values { &INTEGERS[..] } else { &INTEGERS[..1] };
    let formats = if has_images { &FORMATS[..] } else { &FORMATS[..1] };
    let mut settings = Vec::new();
    for format in formats {
        for integer in integers {
            for (global, local) in &shapes {
                settings.push(Setting {
                    global: global.clone(),
                    local: local.clone(),
                    integer: *integer,
                    varies: false,
                    format: *format,
                });
            }
        }
    }
    settings
}

/// Returns the case of a setting. `types` are the types of the parameters, `elements` those of their elements, and
/// `given` the arguments that are not generated.
pub(crate) fn case(
    setting: &Setting,
    parameters: &[Parameter],
    types: &[&str],
    elements: &Elements,
    given: &[Option<Argument>],
    numbers: Numbers,
    rng: &mut Rng,
) -> Case {
    let arguments = parameters.iter().enumerate().map(|(index, parameter)| {
        match given.get(index).cloned().flatten() {
            Some(argument) => argument,
            None => {
                let declared = elements.get(index);
                argument(setting, *parameter, types[index], declared, numbers, rng)
            }
        }
    });
    let arguments = arguments.collect();
    Case { global: setting.global.clone(), local: setting.local.clone(), arguments }
}

fn argument(
    setting: &Setting,
    parameter: Parameter,
    type_name: &str,
    declared: Option<DataType>,
    numbers: Numbers,
    rng: &mut Rng,
) -> Argument {
    match parameter {
        Parameter::Value(size) => {
            let size = size as usize;
            let ty = declared.unwrap_or(if size % 4 == 0 { DataType::D } else { DataType::UB });
            let count = size / ty.size().max(1);
            let integer = match setting.varies && rng.bool() {
                true => rng.choice(VARIED).unwrap_or_default(),
                false => setting.integer,
            };
            let mut bytes = match ty.is_integer() {
                true => u64::from(integer).to_le_bytes()[..ty.size()].repeat(count),
                false => fill(ty, count, numbers, rng),
            };
            bytes.resize(size, 0);
            Argument::Value(bytes)
        }
        Parameter::Buffer => {
            let ty = declared.unwrap_or(DataType::D);
            Argument::Buffer(fill(ty, BUFFER_BYTES / ty.size(), numbers, rng))
        }
        Parameter::Image => {
            let (dimensions, size) = match type_name {
                "image1d_t" => (Dimensions::D1, [IMAGE_SIZE, 1, 1]),
                "image1d_array_t" => (Dimensions::D1Array, [IMAGE_SIZE, 1, 4]),
                "image2d_array_t" => (Dimensions::D2Array, [IMAGE_SIZE, IMAGE_SIZE, 4]),
                "image3d_t" => (Dimensions::D3, [IMAGE_SIZE, IMAGE_SIZE, 4]),
                _ => (Dimensions::D2, [IMAGE_SIZE, IMAGE_SIZE, 1]),
            };
            let format = setting.format;
            let bytes = Image::new(dimensions, format, size, 0).bytes() as usize;
            let ty = format.channel_type();
            let texels = fill(ty, bytes / ty.size(), numbers, rng);
            Argument::Image { dimensions, format, size, texels }
        }
        Parameter::Sampler => {
            Argument::Sampler(Sampler::new(Filter::Nearest, AddressMode::ClampToEdge, false))
        }
        Parameter::Local => Argument::Local(LOCAL_BYTES),
        _ => Argument::Value(Vec::new()),
    }
}

/// Returns the bytes of random numbers.
fn fill(ty: DataType, count: usize, numbers: Numbers, rng: &mut Rng) -> Vec<u8> {
    let size = ty.size();
    // Some buffers have large or small floats, for which code may differ.
    let scale = if rng.u8(0..3) == 0 { f64::powi(2.0, rng.i32(-30..30)) } else { 200.0 };
    let mut bytes = Vec::with_capacity(count * size);
    for _ in 0..count {
        let bits = if ty.is_integer() {
            integer(size, numbers, rng)
        } else {
            float(ty, numbers, scale, rng)
        };
        bytes.extend_from_slice(&bits.to_le_bytes()[..size]);
    }
    bytes
}

fn integer(size: usize, numbers: Numbers, rng: &mut Rng) -> u64 {
    let top = 1u64 << (size * 8 - 1);
    let edges = [0, 1, u64::MAX, top, top - 1, 2, u64::MAX - 1];
    match numbers {
        Numbers::Small => rng.u64(0..16),
        Numbers::Wide => (rng.i64(-4096..4096)) as u64,
        Numbers::Edges if rng.bool() => rng.choice(edges).unwrap_or_default(),
        Numbers::Edges => rng.u64(0..16),
        Numbers::Any => rng.u64(..),
    }
}

fn float(ty: DataType, numbers: Numbers, scale: f64, rng: &mut Rng) -> u64 {
    let fraction = |rng: &mut Rng| f64::from(rng.u32(..)) / 4_294_967_296.0;
    let value = match numbers {
        Numbers::Small => fraction(rng),
        Numbers::Wide => (fraction(rng) - 0.5) * scale,
        Numbers::Edges if rng.bool() => {
            let edges =
                [0.0, -0.0, 1.0, -1.0, f64::INFINITY, f64::NEG_INFINITY, f64::NAN, 1e-40, 1e30];
            rng.choice(edges).unwrap_or_default()
        }
        Numbers::Edges => fraction(rng),
        Numbers::Any => return rng.u64(..),
    };
    nearest(ty, value).unwrap_or_default()
}
