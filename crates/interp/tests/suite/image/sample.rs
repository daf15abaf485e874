//! Samplers: 3D_SAMPLE, 3D_LOAD and 3D_GATHER4.
//!
//! The expectations are computed from the formulas of OpenCL (specification, 8.2), as they are printed.

use genvisa_interp::{
    AddressMode, Compare, Dimensions, Filter, Image, PixelFormat, Program, Sampler,
};

use super::{Setup, dwords, floats, image_program, noise, raw};

const PARAMS: [(&str, &str, u32); 3] = [("u", "f", 16), ("v", "f", 16), ("r", "f", 16)];

fn sampling(others: &[(&str, &str, u32)], statements: &str) -> Program {
    image_program(&[&PARAMS[..], others].concat(), statements)
}

/// Returns sixteen coordinates inside and outside of an image; a multiple of 1/64 plus 1/1000 is at no border
/// of texels of images with few texels.
fn coordinates(seed: u32, extent: f32) -> Vec<f32> {
    let place = |byte: u8| (f32::from(byte) - 128.0) / 64.0 * extent + 0.001;
    noise(16, seed).into_iter().map(place).collect()
}

const NORMALIZED_MODES: [AddressMode; 4] = AddressMode::ALL;
const OTHER_MODES: [AddressMode; 2] = [AddressMode::ClampToEdge, AddressMode::ClampToBorder];

/// The formulas for a nearest filter: the index of a texel, or one outside of the image for the border.
fn nearest(s: f64, size: f64, mode: AddressMode, normalized: bool) -> f64 {
    match mode {
        AddressMode::ClampToEdge => {
            let u = if normalized { s * size } else { s };
            u.floor().clamp(0.0, size - 1.0)
        }
        AddressMode::ClampToBorder => {
            let u = if normalized { s * size } else { s };
            u.floor().clamp(-1.0, size)
        }
        AddressMode::Repeat => {
            let u = (s - s.floor()) * size;
            let i = u.floor();
            if i > size - 1.0 { i - size } else { i }
        }
        AddressMode::MirroredRepeat => {
            let s = (s - 2.0 * (0.5 * s).round_ties_even()).abs();
            (s * size).floor().min(size - 1.0)
        }
    }
}

/// The indices of two texels for the first of them.
type Indices = fn(f64, f64) -> [f64; 2];

/// The formulas for a linear filter: the indices of two texels, and the weight of the second.
fn linear(s: f64, size: f64, mode: AddressMode, normalized: bool) -> ([f64; 2], f64) {
    let clamp = |i: f64| i.clamp(0.0, size - 1.0);
    let (u, indices): (f64, Indices) = match mode {
        AddressMode::ClampToEdge | AddressMode::ClampToBorder => {
            (if normalized { s * size } else { s }, |i, _| [i, i + 1.0])
        }
        AddressMode::Repeat => ((s - s.floor()) * size, |i, size| {
            let (first, second) = (i, i + 1.0);
            [
                if first < 0.0 { first + size } else { first },
                if second > size - 1.0 { second - size } else { second },
            ]
        }),
        AddressMode::MirroredRepeat => {
            let s = (s - 2.0 * (0.5 * s).round_ties_even()).abs();
            (s * size, |i, size| [i.max(0.0), (i + 1.0).min(size - 1.0)])
        }
    };
    let first = (u - 0.5).floor();
    let indices = indices(first, size);
    let weight = (u - 0.5) - first;
    match mode {
        AddressMode::ClampToEdge => (indices.map(clamp), weight),
        AddressMode::ClampToBorder => (indices.map(|i| i.clamp(-1.0, size)), weight),
        _ => (indices, weight),
    }
}

/// Texels of 5 x 3 with four channels, and a border.
struct Reference {
    texels: Vec<u8>,
    border: [f32; 4],
}

const WIDTH: usize = 5;
const HEIGHT: usize = 3;

impl Reference {
    fn new(seed: u32) -> Reference {
        Reference { texels: noise(WIDTH * HEIGHT * 4, seed), border: [0.25, 0.5, 0.75, 0.125] }
    }

    fn texel(&self, x: f64, y: f64, channel: usize) -> f64 {
        if !(0.0..WIDTH as f64).contains(&x) || !(0.0..HEIGHT as f64).contains(&y) {
            return self.border[channel].into();
        }
        f64::from(self.texels[(y as usize * WIDTH + x as usize) * 4 + channel]) / 255.0
    }

    fn setup<'p>(&self, program: &'p Program, u: &[f32], v: &[f32], sampler: Sampler) -> Setup<'p> {
        let mut setup = Setup::new(program).floats("u", u).floats("v", v);
        let size = [WIDTH as u32, HEIGHT as u32, 1];
        setup.image(5, Dimensions::D2, PixelFormat::Rgba8Unorm, size, &self.texels);
        setup.machine.surfaces().set_sampler(2, Sampler { border: self.border, ..sampler });
        setup
    }
}

/// Compares 2D samples of every address mode with a formula.
fn compare_2d(
    filter: Filter,
    expected: impl Fn(&Reference, [f64; 2], AddressMode, bool, usize) -> f64,
) {
    let program =
        sampling(&[("d", "f", 64)], "    sample_lz.RGBA (M1, 16) 0x0:uw S0 T6 d.0 %null.0 u.0 v.0");
    for seed in 1..20 {
        let reference = Reference::new(seed);
        let normalized = NORMALIZED_MODES.map(|mode| (mode, true));
        let others = OTHER_MODES.map(|mode| (mode, false));
        for (mode, normalized) in normalized.into_iter().chain(others) {
            let scale = |size: usize| if normalized { 1.0 } else { size as f32 };
            let u = coordinates(seed * 2, scale(WIDTH));
            let v = coordinates(seed * 2 + 1, scale(HEIGHT));
            let sampler = Sampler::new(filter, mode, normalized);
            let group = reference.setup(&program, &u, &v, sampler).run();
            let result = floats(&program, &group, "d");
            for (at, sample) in result.into_iter().enumerate() {
                let (channel, lane) = (at / 16, at % 16);
                let place = [u[lane].into(), v[lane].into()];
                let expected = expected(&reference, place, mode, normalized, channel);
                // The result is rounded once, to type F.
                assert!(
                    (f64::from(sample) - expected).abs() < 1e-7,
                    "{} at {place:?}, normalized: {normalized}, channel {channel}: {sample}, not {expected}",
                    mode.name()
                );
            }
        }
    }
}

#[test]
fn nearest_samples_follow_the_formulas_of_opencl() {
    compare_2d(Filter::Nearest, |reference, [s, t], mode, normalized, channel| {
        let x = nearest(s, WIDTH as f64, mode, normalized);
        let y = nearest(t, HEIGHT as f64, mode, normalized);
        reference.texel(x, y, channel)
    });
}

#[test]
fn linear_samples_follow_the_formulas_of_opencl() {
    compare_2d(Filter::Linear, |reference, [s, t], mode, normalized, channel| {
        let ([x0, x1], a) = linear(s, WIDTH as f64, mode, normalized);
        let ([y0, y1], b) = linear(t, HEIGHT as f64, mode, normalized);
        let texel = |x, y| reference.texel(x, y, channel);
        (1.0 - a) * (1.0 - b) * texel(x0, y0)
            + a * (1.0 - b) * texel(x1, y0)
            + (1.0 - a) * b * texel(x0, y1)
            + a * b * texel(x1, y1)
    });
}

#[test]
fn linear_samples_of_3d_images_combine_eight_texels() {
    let program = sampling(
        &[("d", "f", 16)],
        "    sample_lz.R (M1, 16) 0x0:uw S0 T6 d.0 %null.0 u.0 v.0 r.0",
    );
    let mut setup = Setup::new(&program)
        .floats("u", &[0.5; 16])
        .floats("v", &[0.75; 16])
        .floats("r", &(0..16).map(|lane| lane as f32 / 16.0).collect::<Vec<f32>>());
    // x + 10 y + 100 z
    let texels: Vec<u8> = [0, 1, 10, 11, 100, 101, 110, 111u8]
        .iter()
        .flat_map(|texel| f32::from(*texel).to_le_bytes())
        .collect();
    setup.image(5, Dimensions::D3, PixelFormat::R32Float, [2, 2, 2], &texels);
    let sampler = Sampler::new(Filter::Linear, AddressMode::ClampToEdge, true);
    setup.machine.surfaces().set_sampler(2, sampler);
    let result = floats(&program, &setup.run(), "d");
    for (lane, sample) in result.into_iter().enumerate() {
        let z = (lane as f32 / 8.0 - 0.5).clamp(0.0, 1.0);
        // x is between the texels; y is in the middle of the second row.
        assert_eq!(sample, 0.5 + 10.0 + 100.0 * z, "lane {lane}");
    }
}

#[test]
fn indices_in_arrays_are_rounded_and_clamped() {
    let cases = [
        (Dimensions::D1Array, [2, 1, 4], "u.0 v.0"),
        (Dimensions::D2Array, [2, 1, 4], "u.0 u.0 v.0"),
    ];
    for (dimensions, size, params) in cases {
        let statement = format!("    sample_lz.R (M1, 16) 0x0:uw S0 T6 d.0 %null.0 {params}");
        let program = sampling(&[("d", "f", 16)], &statement);
        let layers =
            [-3.0, -0.5, 0.0, 0.5, 0.51, 1.0, 1.49, 1.5, 2.0, 2.5, 2.75, 3.0, 3.49, 3.5, 9.0, 1e30];
        let mut setup = Setup::new(&program).floats("u", &[0.25; 16]).floats("v", &layers);
        let texels = [0, 99, 1, 99, 2, 99, 3, 99];
        setup.image(5, dimensions, PixelFormat::R8Uint, size, &texels);
        let sampler = Sampler::new(Filter::Nearest, AddressMode::Repeat, true);
        setup.machine.surfaces().set_sampler(2, sampler);
        let expected = [0, 0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3, 3, 3, 3];
        assert_eq!(dwords(&program, &setup.run(), "d"), expected, "{}", dimensions.name());
    }
}

#[test]
fn offsets_move_texels_before_the_address_mode() {
    // U 3, V -2.
    let program =
        sampling(&[("d", "f", 16)], "    sample_lz.G (M1, 16) 0x3e0:uw S0 T6 d.0 %null.0 u.0 v.0");
    let reference = Reference::new(7);
    let u: Vec<f32> = (0..16).map(|lane| (lane % 5) as f32 / 5.0 + 0.05).collect();
    let v: Vec<f32> = (0..16).map(|lane| (lane % 3) as f32 / 3.0 + 0.05).collect();
    for (mode, wrap) in [
        (AddressMode::Repeat, (|i, size| (i + size) % size) as fn(i32, i32) -> i32),
        (AddressMode::ClampToEdge, |i, size| i.clamp(0, size - 1)),
        (
            AddressMode::MirroredRepeat,
            |i, size| if i < 0 { -1 - i } else { i.min(2 * size - 1 - i) },
        ),
    ] {
        let sampler = Sampler::new(Filter::Nearest, mode, true);
        let group = reference.setup(&program, &u, &v, sampler).run();
        for (lane, sample) in floats(&program, &group, "d").into_iter().enumerate() {
            let lane = lane as i32;
            let (x, y) = (wrap(lane % 5 + 3, 5), wrap(lane % 3 - 2, 3));
            let expected = reference.texel(x.into(), y.into(), 1);
            assert!((f64::from(sample) - expected).abs() < 1e-7, "{}, lane {lane}", mode.name());
        }
    }
}

#[test]
fn levels_of_detail_are_clamped_to_the_only_one() {
    let program = sampling(
        &[("l", "f", 16), ("a", "f", 16), ("b", "f", 16), ("c", "f", 16), ("d", "f", 16)],
        "    sample_lz.R (M1, 16) 0x0:uw S0 T6 a.0 %null.0 u.0 v.0
    sample_l.R (M1, 16) 0x0:uw S0 T6 b.0 %null.0 l.0 u.0 v.0
    sample_b.R (M1, 16) 0x0:uw S0 T6 c.0 %null.0 l.0 u.0 v.0
    sample_d.R (M1, 16) 0x0:uw S0 T6 d.0 %null.0 u.0 l.0 l.0 v.0",
    );
    let reference = Reference::new(3);
    let (u, v) = (coordinates(1, 1.0), coordinates(2, 1.0));
    let levels: Vec<f32> = (0..16).map(|lane| lane as f32 - 5.5).collect();
    let sampler = Sampler::new(Filter::Linear, AddressMode::ClampToEdge, true);
    let setup = reference.setup(&program, &u, &v, sampler).floats("l", &levels);
    let group = setup.run();
    let first = floats(&program, &group, "a");
    assert!(first.windows(2).any(|pair| pair[0] != pair[1]));
    for other in ["b", "c", "d"] {
        assert_eq!(floats(&program, &group, other), first, "{other}");
    }
    // Without the level, it is not defined which texels the message reads.
    assert_eq!(reference.setup(&program, &u, &v, sampler).fault().0, "undefined-value");
}

#[test]
fn missing_coordinates_are_zero() {
    let program =
        sampling(&[("d", "f", 16)], "    sample_lz.R (M1, 16) 0x0:uw S0 T6 d.0 %null.0 u.0");
    let reference = Reference::new(5);
    let u: Vec<f32> = (0..16).map(|lane| (lane % 5) as f32).collect();
    let sampler = Sampler::new(Filter::Nearest, AddressMode::ClampToEdge, false);
    let result = floats(&program, &reference.setup(&program, &u, &u, sampler).run(), "d");
    for (lane, sample) in result.into_iter().enumerate() {
        assert_eq!(f64::from(sample) as f32, reference.texel((lane % 5) as f64, 0.0, 0) as f32);
    }
}

#[test]
fn half_parameters_give_half_results() {
    let program = image_program(
        &[("u", "hf", 16), ("d", "hf", 64)],
        "    sample_lz.RA (M1, 16) 0x0:uw S0 T6 d.0 %null.0 u.0",
    );
    // 0.25 and 1/3: the result is rounded to a half.
    let mut setup = Setup::new(&program).bytes("u", &[0, 0x34].repeat(16));
    setup.image(5, Dimensions::D1, PixelFormat::R8Unorm, [2, 1, 1], &[85, 0]);
    let sampler = Sampler::new(Filter::Nearest, AddressMode::ClampToEdge, true);
    setup.machine.surfaces().set_sampler(2, sampler);
    let (bytes, undefined) = raw(&program, &setup.run(), "d");
    // Each channel begins at a register of 64 bytes.
    assert_eq!(&bytes[..32], [0x55, 0x35].repeat(16));
    assert_eq!(&bytes[64..96], [0, 0x3c].repeat(16));
    assert_eq!(&undefined[32..64], [0xff; 32]);
}

#[test]
fn the_border_has_the_channels_of_the_format() {
    let program =
        sampling(&[("d", "f", 64)], "    sample_lz.RGBA (M1, 16) 0x0:uw S0 T6 d.0 %null.0 u.0 v.0");
    // A border without color is opaque if the format has no alpha (OpenCL, 8.1).
    let cases: [(PixelFormat, [f32; 4], [f32; 4]); 4] = [
        (PixelFormat::R8Unorm, [0.0; 4], [0.0, 0.0, 0.0, 1.0]),
        (PixelFormat::Rg8Unorm, [0.5; 4], [0.5, 0.5, 0.0, 1.0]),
        (PixelFormat::Rgba8Unorm, [0.0; 4], [0.0; 4]),
        (PixelFormat::Bgra8Unorm, [0.25, 0.5, 0.75, 1.0], [0.25, 0.5, 0.75, 1.0]),
    ];
    for (format, border, expected) in cases {
        let mut setup = Setup::new(&program).floats("u", &[-3.0; 16]).floats("v", &[0.5; 16]);
        setup.image(5, Dimensions::D2, format, [1, 1, 1], &vec![0xff; format.bytes() as usize]);
        let sampler = Sampler::new(Filter::Linear, AddressMode::ClampToBorder, true);
        setup.machine.surfaces().set_sampler(2, Sampler { border, ..sampler });
        let expected: Vec<f32> = expected.iter().flat_map(|channel| [*channel; 16]).collect();
        assert_eq!(floats(&program, &setup.run(), "d"), expected, "{format}");
    }
}

#[test]
fn comparisons_are_filtered() {
    let program = sampling(
        &[("ref", "f", 16), ("d", "f", 16)],
        "    sample_c_lz.R (M1, 16) 0x0:uw S0 T6 d.0 %null.0 ref.0 u.0",
    );
    let lanes = |f: fn(usize) -> f32| (0..16).map(f).collect::<Vec<f32>>();
    let references = lanes(|lane| [0.0, 0.25, 0.5, 1.0][lane % 4]);
    let at = lanes(|lane| 1.0 + (lane / 4) as f32 / 4.0);
    let mut setup = Setup::new(&program).floats("ref", &references).floats("u", &at);
    let texels = [0.25f32, 0.5].map(f32::to_le_bytes).concat();
    setup.image(5, Dimensions::D1, PixelFormat::R32Float, [2, 1, 1], &texels);
    let sampler = Sampler::new(Filter::Linear, AddressMode::ClampToEdge, false);
    type Holds = fn(f32, f32) -> bool;
    let cases: [(Compare, Holds); 8] = [
        (Compare::Never, |_, _| false),
        (Compare::Less, |reference, texel| reference < texel),
        (Compare::LessEqual, |reference, texel| reference <= texel),
        (Compare::Equal, |reference, texel| reference == texel),
        (Compare::NotEqual, |reference, texel| reference != texel),
        (Compare::GreaterEqual, |reference, texel| reference >= texel),
        (Compare::Greater, |reference, texel| reference > texel),
        (Compare::Always, |_, _| true),
    ];
    for (compare, holds) in cases {
        setup.machine.surfaces().set_sampler(2, Sampler { compare: Some(compare), ..sampler });
        let result = floats(&program, &setup.run(), "d");
        for (lane, sample) in result.into_iter().enumerate() {
            let second = (at[lane] - 0.5).clamp(0.0, 1.0);
            let [a, b] =
                [0.25, 0.5].map(|texel| f32::from(u8::from(holds(references[lane], texel))));
            assert_eq!(sample, a * (1.0 - second) + b * second, "{compare:?}, lane {lane}");
        }
    }
    setup.machine.surfaces().set_sampler(2, sampler);
    assert_eq!(setup.fault().0, "not-defined");
}

#[test]
fn other_channels_than_the_first_of_a_comparison_are_undefined() {
    let program = sampling(
        &[("ref", "f", 16), ("d", "f", 32)],
        "    sample_c_lz.RG (M1, 16) 0x0:uw S0 T6 d.0 %null.0 ref.0 u.0",
    );
    let mut setup = Setup::new(&program).floats("ref", &[0.5; 16]).floats("u", &[0.5; 16]);
    setup.image(5, Dimensions::D1, PixelFormat::R32Float, [1, 1, 1], &0.25f32.to_le_bytes());
    let sampler = Sampler::new(Filter::Nearest, AddressMode::ClampToEdge, false);
    let sampler = Sampler { compare: Some(Compare::Greater), ..sampler };
    setup.machine.surfaces().set_sampler(2, sampler);
    let (bytes, undefined) = raw(&program, &setup.run(), "d");
    assert_eq!(bytes[..64], [1f32.to_le_bytes(); 16].concat());
    assert_eq!(undefined, [[0; 64], [0xff; 64]].concat());
}

#[test]
fn texels_are_loaded_by_their_coordinates() {
    let program = image_program(
        &[("u", "d", 16), ("v", "d", 16), ("l", "d", 16), ("d", "ud", 32), ("e", "ud", 16)],
        "    load_lz.RA (M1, 16) 0x0:uw T6 d.0 %null.0 u.0 v.0
    load_3d.R (M1, 16) 0xf10:uw T6 e.0 %null.0 u.0 v.0 l.0",
    );
    let lanes = |f: fn(i32) -> i32| (0..16).map(f).collect::<Vec<i32>>();
    let (u, v) = (lanes(|lane| 1 + lane % 4), lanes(|lane| lane / 4));
    let texels = noise(25, 9);
    let mut setup = Setup::new(&program).dwords("u", &u).dwords("v", &v).dwords("l", &[0; 16]);
    setup.image(5, Dimensions::D2, PixelFormat::R8Uint, [5, 5, 1], &texels);
    let group = setup.run();
    let texel = |x: i32, y: i32| u32::from(texels[(y * 5 + x) as usize]);
    let mut expected: Vec<u32> = (0..16).map(|lane| texel(u[lane], v[lane])).collect();
    expected.extend([1; 16]);
    assert_eq!(dwords(&program, &group, "d"), expected);
    // U -1, V 1.
    let expected: Vec<u32> = (0..16).map(|lane| texel(u[lane] - 1, v[lane] + 1)).collect();
    assert_eq!(dwords(&program, &group, "e"), expected);

    // The last four lanes are below the image.
    let below = lanes(|lane| lane / 4 + 2);
    let program_without_offsets = image_program(
        &[("u", "d", 16), ("v", "d", 16), ("d", "ud", 32)],
        "    load_lz.RA (M1, 16) 0x0:uw T6 d.0 %null.0 u.0 v.0",
    );
    let mut outside =
        Setup::new(&program_without_offsets).dwords("u", &[0; 16]).dwords("v", &below);
    outside.image(5, Dimensions::D2, PixelFormat::R8Uint, [5, 5, 1], &texels);
    let result = dwords(&program_without_offsets, &outside.run(), "d");
    let mut expected: Vec<u32> = (0..12).map(|lane| texel(0, below[lane])).collect();
    expected.extend([0; 4]);
    // The format has no alpha.
    expected.extend([1; 16]);
    assert_eq!(result, expected);
    let setup = setup.dwords("v", &v).dwords("u", &u).dwords("l", &[2; 16]);
    assert_eq!(dwords(&program, &setup.run(), "e"), [0; 16]);
}

#[test]
fn gathers_return_the_texels_of_a_linear_filter() {
    let program =
        sampling(&[("d", "ud", 64)], "    sample4.G (M1, 16) 0x0:uw S0 T6 d.0 %null.0 u.0 v.0");
    let mut setup = Setup::new(&program).floats("u", &[1.75; 16]).floats("v", &[2.25; 16]);
    // The green channel of texel (x, y) is x + 10 y.
    let texels: Vec<u8> =
        (0..4).flat_map(|y| (0..4).flat_map(move |x| [77, x + 10 * y, 77, 77])).collect();
    setup.image(5, Dimensions::D2, PixelFormat::Rgba8Uint, [4, 4, 1], &texels);
    let sampler = Sampler::new(Filter::Nearest, AddressMode::ClampToEdge, false);
    setup.machine.surfaces().set_sampler(2, sampler);
    // The footprint is columns 1 and 2 of rows 1 and 2.
    let expected: Vec<u32> = [21, 22, 12, 11].iter().flat_map(|texel| [*texel; 16]).collect();
    assert_eq!(dwords(&program, &setup.run(), "d"), expected);
}

#[test]
fn the_pixel_null_mask_has_a_bit_per_lane() {
    let program = sampling(
        &[("d", "f", 32)],
        "    sample_lz.pixel_null_mask.R (M1, 16) 0x0:uw S0 T6 d.0 %null.0 u.0 v.0",
    );
    let reference = Reference::new(1);
    let sampler = Sampler::new(Filter::Nearest, AddressMode::ClampToEdge, true);
    let setup = reference.setup(&program, &[0.5; 16], &[0.5; 16], sampler);
    let group = setup.run_lanes(0xf0ff).unwrap_or_else(|fault| panic!("{fault}"));
    let (bytes, undefined) = raw(&program, &group, "d");
    assert_eq!((bytes[64], bytes[65]), (0xff, 0xf0));
    assert_eq!(undefined[64..68], [0, 0x0f, 0, 0]);
}

#[test]
fn bindless_states_are_named_by_handles() {
    let program = sampling(
        &[("d", "f", 16)],
        "    movs (M1_NM, 1) %bss(0) 0x1240:ud
    movs (M1_NM, 1) S31(0) 0x4561:ud
    sample_lz.R (M1, 16) 0x0:uw S31 %bss d.0 %null.0 u.0",
    );
    let mut setup = Setup::new(&program).floats("u", &[0.0; 16]);
    let texels = 2.5f32.to_le_bytes();
    setup.image(0x1240, Dimensions::D1, PixelFormat::R32Float, [1, 1, 1], &texels);
    let sampler = Sampler::new(Filter::Nearest, AddressMode::ClampToEdge, true);
    setup.machine.surfaces().set_sampler(0x4560, sampler);
    assert_eq!(floats(&program, &setup.run(), "d"), [2.5; 16]);
}

#[test]
fn second_halves_have_their_own_registers() {
    let program =
        sampling(&[("d", "f", 8)], "    sample_lz.R (M3, 8) 0x0:uw S0 T6 d.0 %null.0 u.0");
    let mut setup =
        Setup::new(&program).floats("u", &(0..16).map(|i| i as f32).collect::<Vec<f32>>());
    let texels: Vec<u8> = (0..16).collect();
    setup.image(5, Dimensions::D1, PixelFormat::R8Uint, [16, 1, 1], &texels);
    let sampler = Sampler::new(Filter::Nearest, AddressMode::ClampToEdge, false);
    setup.machine.surfaces().set_sampler(2, sampler);
    // Lanes 8 to 15 of the thread use the first elements.
    let group = setup.run_lanes(0x0500).unwrap_or_else(|fault| panic!("{fault}"));
    let (bytes, undefined) = raw(&program, &group, "d");
    assert_eq!((bytes[0], bytes[8]), (0, 2));
    assert_eq!(undefined.iter().filter(|byte| **byte == 0).count(), 8);
}

#[test]
fn undefined_texels_are_undefined_samples() {
    let program =
        sampling(&[("d", "f", 16)], "    sample_lz.R (M1, 16) 0x0:uw S0 T6 d.0 %null.0 u.0");
    let mut setup = Setup::new(&program).floats("u", &[1.0; 16]);
    let address = setup.machine.memory().allocate_undefined("the image", 2).expect("room");
    let image = Image::new(Dimensions::D1, PixelFormat::R8Unorm, [2, 1, 1], address);
    setup.machine.surfaces().set(5, image);
    let sampler = Sampler::new(Filter::Linear, AddressMode::ClampToEdge, false);
    setup.machine.surfaces().set_sampler(2, sampler);
    assert_eq!(raw(&program, &setup.run(), "d").1, [0xff; 64]);
}

#[test]
fn what_samplers_do_not_define_is_a_fault() {
    let good = Sampler::new(Filter::Nearest, AddressMode::ClampToEdge, false);
    let repeat = Sampler::new(Filter::Nearest, AddressMode::Repeat, false);
    let linear = Sampler { filter: Filter::Linear, ..good };
    let lz = "sample_lz.R (M1, 16) 0x0:uw S0 T6 d.0 %null.0 u.0";
    let unorm = PixelFormat::R8Unorm;
    let cases: [(&str, Sampler, PixelFormat, f32, &str, &str); 8] = [
        (lz, good, unorm, f32::NAN, "not-defined", "a sample at coordinate NaN"),
        (lz, good, unorm, f32::INFINITY, "not-defined", "a sample at coordinate inf"),
        (lz, repeat, unorm, 0.0, "not-defined", "repeat"),
        (lz, linear, PixelFormat::R8Uint, 1.0, "not-defined", "r8-uint"),
        (
            "sample_mlod.R (M1, 16) 0x0:uw S0 T6 d.0 %null.0 u.0 u.0",
            good,
            unorm,
            0.0,
            "not-modelled",
            "mlod",
        ),
        (
            "sample_lz.R (M1, 16) 0x10:uw S0 T6 d.0 %null.0 u.0",
            good,
            unorm,
            0.0,
            "not-modelled",
            "an offset in a coordinate",
        ),
        (
            "sample_lz.R (M1, 16) 0x0:uw S0 T6 d.0 u.0 u.0",
            good,
            unorm,
            0.0,
            "not-modelled",
            "a paired surface",
        ),
        ("sample4.R (M1, 16) 0x0:uw S0 T6 d.0 %null.0 u.0", good, unorm, 0.0, "not-modelled", "1d"),
    ];
    for (statement, sampler, format, u, name, text) in cases {
        let program = sampling(&[("d", "f", 64)], &format!("    {statement}"));
        let mut setup = Setup::new(&program).floats("u", &[u; 16]);
        setup.image(5, Dimensions::D1, format, [2, 1, 1], &[0; 2]);
        setup.machine.surfaces().set_sampler(2, sampler);
        let fault = setup.fault();
        assert_eq!(fault.0, name, "{statement}: {}", fault.1);
        assert!(fault.1.contains(text), "{}", fault.1);
    }
}

#[test]
fn undefined_coordinates_unset_samplers_and_buffers_are_faults() {
    let program =
        sampling(&[("d", "f", 16)], "    sample_lz.R (M1, 16) 0x0:uw S0 T6 d.0 %null.0 u.0 v.0");
    let sampler = Sampler::new(Filter::Nearest, AddressMode::ClampToEdge, true);
    let mut setup = Setup::new(&program).floats("u", &[0.0; 16]);
    setup.image(5, Dimensions::D2, PixelFormat::R8Uint, [1, 1, 1], &[3]);
    let (name, text) = setup.fault();
    assert_eq!(name, "not-given");
    assert!(text.contains("sampler 0x2"), "{text}");
    setup.machine.surfaces().set_sampler(2, sampler);
    let (name, text) = setup.fault();
    assert_eq!(name, "undefined-value");
    assert!(text.starts_with("lane 0, v: a coordinate"), "{text}");
    // A 1D image has no v.
    setup.image(5, Dimensions::D1, PixelFormat::R8Uint, [1, 1, 1], &[3]);
    assert_eq!(dwords(&program, &setup.run(), "d"), [3; 16]);
    setup.buffer(5);
    assert_eq!(setup.fault().0, "malformed");
    setup.machine.surfaces().set(5, Image::nv12(2, 2, 2, 0x1000));
    assert_eq!(setup.fault().0, "not-modelled");
    let empty = Image::new(Dimensions::D2, PixelFormat::R8Uint, [0, 1, 1], 0x1000);
    setup.machine.surfaces().set(5, empty);
    assert_eq!(setup.fault().0, "malformed");
}

#[test]
fn only_enabled_lanes_are_written_and_the_rest_of_a_register_is_undefined() {
    let program = sampling(
        &[("d", "hf", 64), ("p", "ud", 1)],
        ".decl P1 v_type=P num_elts=8
    setp (M1_NM, 8) P1 0x7e:ud
    (P1) sample_lz.RG (M1, 8) 0x0:uw S0 T6 d.0 %null.0 u.0",
    );
    let mut setup = Setup::new(&program).floats("u", &[1.0; 16]).bytes("d", &[0xab; 128]);
    setup.image(5, Dimensions::D1, PixelFormat::Rg8Unorm, [2, 1, 1], &[255; 4]);
    let sampler = Sampler::new(Filter::Nearest, AddressMode::ClampToEdge, false);
    setup.machine.surfaces().set_sampler(2, sampler);
    let group = setup.run_lanes(0xb7).unwrap_or_else(|fault| panic!("{fault}"));
    let (bytes, undefined) = raw(&program, &group, "d");
    for channel in [0, 64] {
        for lane in 0..8 {
            let at = channel + 2 * lane;
            let expected = if (0xb7 & 0x7e) >> lane & 1 == 1 { [0, 0x3c] } else { [0xab; 2] };
            assert_eq!(bytes[at..at + 2], expected, "lane {lane}");
            assert_eq!(undefined[at..at + 2], [0; 2], "lane {lane}");
        }
        assert_eq!(undefined[channel + 16..channel + 64], [0xff; 48]);
    }
}
