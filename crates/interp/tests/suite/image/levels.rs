//! Levels of detail: their places in memory, and how messages choose them.

use genvisa_interp::{AddressMode, Dimensions, Filter, Image, PixelFormat, Program, Sampler};
use proptest::prelude::*;

use super::{Setup, dwords, floats, image_program};

/// The number of levels of an image of 16 x 8 texels.
const LEVELS: u32 = 5;

/// Sets an image of 16 x 8 texels, whose texels have the number of their level.
fn with_levels<'p>(program: &'p Program, level_filter: Filter) -> Setup<'p> {
    let mut setup = Setup::new(program);
    let sizes = [16 * 8, 8 * 4, 4 * 2, 2, 1];
    let texels = (0u8..).zip(sizes).flat_map(|(level, size)| vec![f32::from(level); size]);
    let bytes: Vec<u8> = texels.flat_map(f32::to_le_bytes).collect();
    let image = Image::new(Dimensions::D2, PixelFormat::R32Float, [16, 8, 1], 0);
    let image = image.with_levels(LEVELS);
    assert_eq!(image.bytes(), bytes.len() as u64);
    let address = setup.machine.memory().allocate("the image", bytes);
    setup.machine.surfaces().set(5, image.at(address));
    let sampler = Sampler::new(Filter::Linear, AddressMode::Repeat, true);
    setup.machine.surfaces().set_sampler(2, Sampler { level_filter, ..sampler });
    setup
}

const PARAMS: [(&str, &str, u32); 4] =
    [("u", "f", 16), ("v", "f", 16), ("l", "f", 16), ("d", "f", 16)];

/// The level that a filter gives for a level of detail.
fn level_of(lod: f32, filter: Filter) -> f32 {
    let last = (LEVELS - 1) as f32;
    match filter {
        Filter::Nearest => (lod + 0.5).floor().clamp(0.0, last),
        Filter::Linear => lod.clamp(0.0, last),
    }
}

fn check(found: &[f32], lods: &[f32], filter: Filter) {
    for (found, lod) in found.iter().zip(lods) {
        let expected = level_of(*lod, filter);
        assert!((found - expected).abs() < 1e-5, "{lod}: {found}, not {expected}");
    }
}

#[test]
fn samples_are_of_the_levels_that_the_message_states() {
    let program =
        image_program(&PARAMS, "    sample_l.R (M1, 16) 0x0:uw S0 T6 d.0 %null.0 l.0 u.0 v.0");
    let lods: Vec<f32> = (0..16).map(|lane| lane as f32 * 0.45 - 1.2).collect();
    for filter in Filter::ALL {
        let setup = with_levels(&program, filter).floats("u", &[0.3; 16]).floats("v", &[0.6; 16]);
        let group = setup.floats("l", &lods).run();
        check(&floats(&program, &group, "d")[..16], &lods, filter);
    }
}

/// Coordinates of subspans whose pixels have a distance of `x` and `y` texels.
fn subspans(distances: &[[f32; 2]; 4]) -> [Vec<f32>; 2] {
    let pixels = distances.iter().flat_map(|[x, y]| {
        [[0.0, 0.0], [*x, 0.0], [0.0, *y], [*x, *y]].map(|[x, y]| [0.25 + x / 16.0, 0.5 + y / 8.0])
    });
    let pixels: Vec<[f32; 2]> = pixels.collect();
    [0, 1].map(|axis| pixels.iter().map(|pixel| pixel[axis]).collect())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// The level of detail is the base-2 logarithm of the longer distance of pixels in texels, with the bias.
    #[test]
    fn levels_are_computed_from_the_distances_of_pixels(
        exponents in prop::array::uniform4(prop::array::uniform2(-2.0f32..5.0)),
        bias in -3.0f32..3.0,
        is_linear: bool,
    ) {
        let program = image_program(
            &[&PARAMS[..], &[("e", "f", 16), ("f", "f", 32), ("g", "f", 16)]].concat(),
            "    sample_3d.R (M1, 16) 0x0:uw S0 T6 d.0 %null.0 u.0 v.0
    sample_b.R (M1, 16) 0x0:uw S0 T6 e.0 %null.0 l.0 u.0 v.0
    lod.RG (M1, 16) 0x0:uw S0 T6 f.0 %null.0 u.0 v.0
    sample_lz.R (M1, 16) 0x0:uw S0 T6 g.0 %null.0 u.0 v.0",
        );
        let filter = if is_linear { Filter::Linear } else { Filter::Nearest };
        let distances = exponents.map(|pair| pair.map(f32::exp2));
        let [u, v] = subspans(&distances);
        let setup = with_levels(&program, filter).floats("u", &u).floats("v", &v);
        let group = setup.floats("l", &[bias; 16]).run();
        let lods: Vec<f32> = exponents.iter().flat_map(|[x, y]| [x.max(*y); 4]).collect();
        // Near the middle between two levels, rounding decides.
        let is_clear = |lod: f32| is_linear || ((lod - 0.5).fract().abs() - 0.5).abs() < 0.499;
        for (message, lods) in [("d", lods.clone()), ("e", lods.iter().map(|lod| lod + bias).collect())] {
            if lods.iter().all(|lod| is_clear(*lod)) {
                check(&floats(&program, &group, message)[..16], &lods, filter);
            }
        }
        let found = floats(&program, &group, "f");
        check(&found[..16], &lods, Filter::Linear);
        for (found, lod) in found[16..].iter().zip(&lods) {
            prop_assert!((found - lod).abs() < 1e-4, "{} {}", found, lod);
        }
        prop_assert_eq!(floats(&program, &group, "g"), vec![0.0; 16]);
    }
}

#[test]
fn a_bias_is_within_its_range() {
    let program =
        image_program(&PARAMS, "    sample_b.R (M1, 16) 0x0:uw S0 T6 d.0 %null.0 l.0 u.0 v.0");
    let setup = |bias: f32| {
        let setup = with_levels(&program, Filter::Nearest);
        setup.floats("u", &[0.5; 16]).floats("v", &[0.5; 16]).floats("l", &[bias; 16])
    };
    setup(16.0).run();
    setup(-16.0).run();
    for bias in [16.5, -17.0] {
        let (name, text) = setup(bias).fault();
        assert_eq!(name, "not-defined");
        assert!(text.contains(&format!("a bias of {bias}, which is not from -16 to 16")), "{text}");
    }
}

#[test]
fn gradients_are_lengths_in_all_axes() {
    let gradients = ["ux", "uy", "vx", "vy"].map(|name| (name, "f", 16));
    let program = image_program(
        &[&PARAMS[..], &gradients].concat(),
        "    sample_d.R (M1, 16) 0x0:uw S0 T6 d.0 %null.0 u.0 ux.0 uy.0 v.0 vx.0 vy.0",
    );
    // 3 and 4 texels: the length is 5. In y, it is 8 texels in every second lane.
    let every_second: Vec<f32> = (0..16).map(|lane| (lane % 2) as f32).collect();
    let setup = with_levels(&program, Filter::Linear).floats("u", &[0.5; 16]);
    let setup = setup.floats("v", &[0.5; 16]).floats("ux", &[3.0 / 16.0; 16]);
    let setup = setup.floats("vx", &[4.0 / 8.0; 16]).floats("uy", &[0.0; 16]);
    let group = setup.floats("vy", &every_second).run();
    let lods: Vec<f32> = (0..16).map(|lane| [5f32.log2(), 3.0][lane % 2]).collect();
    check(&floats(&program, &group, "d"), &lods, Filter::Linear);
}

/// Helper pixels are not enabled, but their coordinates count.
#[test]
fn the_coordinates_of_disabled_lanes_count() {
    let program =
        image_program(&PARAMS, "    sample_3d.R (M1, 16) 0x0:uw S0 T6 d.0 %null.0 u.0 v.0");
    let [u, v] = subspans(&[[4.0, 1.0], [1.0, 2.0], [8.0, 8.0], [1.0, 1.0]]);
    let setup = with_levels(&program, Filter::Linear).floats("u", &u).floats("v", &v);
    let group = setup.run_lanes(0x0018).expect("the kernel runs");
    let found = super::raw(&program, &group, "d").0;
    assert_eq!(found[12..20], [2f32.to_le_bytes(), 1f32.to_le_bytes()].concat());
    let setup = with_levels(&program, Filter::Linear).floats("u", &u[..5]).floats("v", &v);
    let fault = setup.run_lanes(0x0010).expect_err("the next pixels have no coordinates");
    assert_eq!(fault.kind.name(), "undefined-value");
}

#[test]
fn messages_without_a_sampler_state_the_level() {
    let program = image_program(
        &[
            ("x", "d", 16),
            ("l", "ud", 16),
            ("loaded", "f", 16),
            ("typed", "f", 32),
            ("size", "ud", 64),
        ],
        "    load_3d.R (M1, 16) 0x0:uw T6 loaded.0 %null.0 x.0 x.0 l.0
    gather4_typed.RA (M1, 16) T6 x.0 x.0 %null.0 l.0 typed.0
    resinfo.RGBA (M1, 16) T6 l.0 size.0",
    );
    let lanes: Vec<i32> = (0..16).collect();
    let setup = with_levels(&program, Filter::Nearest).dwords("x", &[1; 16]);
    let group = setup.dwords("l", &lanes).run();
    // Level 3 has one row, and level 5 does not exist.
    let expected: Vec<f32> = (0..16).map(|lane| if lane < 3 { lane as f32 } else { 0.0 }).collect();
    assert_eq!(floats(&program, &group, "loaded"), expected);
    let typed = floats(&program, &group, "typed");
    assert_eq!((&typed[..16], &typed[16..]), (&expected[..], &[1.0; 16][..]));
    let size = dwords(&program, &group, "size");
    let pad = |sizes: [u32; 5]| [&sizes[..], &[0; 11]].concat();
    assert_eq!(size[..16], pad([16, 8, 4, 2, 1]));
    assert_eq!(size[16..32], pad([8, 4, 2, 1, 1]));
    assert_eq!(size[32..], [[0; 16], [LEVELS; 16]].concat());
}

#[test]
fn a_level_is_written_by_its_number() {
    let program = image_program(
        &[("x", "d", 16), ("l", "ud", 16), ("s", "f", 16), ("d", "f", 16)],
        "    scatter4_typed.R (M1, 16) T6 x.0 %null.0 %null.0 l.0 s.0
    gather4_typed.R (M1, 16) T6 x.0 %null.0 %null.0 l.0 d.0",
    );
    // The first half writes to several levels, and the second to other texels of level 0.
    let x: Vec<i32> = [0, 1, 0, 1, 0, 3, 3, 3].into_iter().chain(8..16).collect();
    let levels: Vec<i32> = [0, 1, 2, 3, 4, 1, 2, 5].into_iter().chain([0; 8]).collect();
    let stored: Vec<f32> = (0..16).map(|lane| 100.0 + lane as f32).collect();
    let setup = with_levels(&program, Filter::Nearest).dwords("x", &x).dwords("l", &levels);
    let group = setup.floats("s", &stored).run();
    let mut expected = stored.clone();
    // Level 5 does not exist.
    expected[7] = 0.0;
    assert_eq!(floats(&program, &group, "d"), expected);
}

#[test]
fn several_levels_need_normalized_coordinates() {
    let program =
        image_program(&PARAMS, "    sample_l.R (M1, 16) 0x0:uw S0 T6 d.0 %null.0 l.0 u.0 v.0");
    let setup = with_levels(&program, Filter::Nearest).floats("u", &[0.0; 16]);
    let mut setup = setup.floats("v", &[0.0; 16]).floats("l", &[f32::NAN; 16]);
    assert_eq!(setup.fault().0, "not-defined");
    let sampler = Sampler::new(Filter::Linear, AddressMode::ClampToEdge, false);
    setup.machine.surfaces().set_sampler(2, sampler);
    let (name, text) = setup.fault();
    assert_eq!(name, "not-defined");
    assert!(text.contains("several levels at coordinates in texels"), "{text}");
}

#[test]
fn levels_of_arrays_and_of_3d_images_have_their_sizes() {
    let levels = |dimensions, size| {
        let image = Image::new(dimensions, PixelFormat::R8Uint, size, 0).with_levels(3);
        [1, 2].map(|level| {
            let level = image.level(level).expect("3 levels");
            ([level.width, level.height, level.depth], level.address)
        })
    };
    assert_eq!(levels(Dimensions::D1, [9, 1, 1]), [([4, 1, 1], 9), ([2, 1, 1], 13)]);
    assert_eq!(levels(Dimensions::D1Array, [8, 1, 3]), [([4, 1, 3], 24), ([2, 1, 3], 36)]);
    assert_eq!(levels(Dimensions::D2Array, [8, 4, 3]), [([4, 2, 3], 96), ([2, 1, 3], 120)]);
    assert_eq!(levels(Dimensions::D3, [8, 4, 2]), [([4, 2, 1], 64), ([2, 1, 1], 72)]);
    let image = Image::new(Dimensions::D2, PixelFormat::R8Uint, [4, 4, 1], 0);
    assert_eq!(image.level(1), None);
    assert_eq!(image.with_levels(u32::MAX).level(Image::MAX_LEVELS), None);
}
