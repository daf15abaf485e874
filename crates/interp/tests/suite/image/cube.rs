//! Cubes: faces, filters across their edges, arrays and levels of detail.

use genvisa_interp::{AddressMode, Dimensions, Filter, Image, PixelFormat, Program, Sampler};
use proptest::prelude::*;

use super::{Setup, dwords, floats, image_program, noise};

const PARAMS: [(&str, &str, u32); 5] =
    [("u", "f", 16), ("v", "f", 16), ("r", "f", 16), ("ai", "f", 16), ("d", "f", 16)];
const SAMPLE: &str = "    sample_lz.R (M1, 16) 0x0:uw S0 T6 d.0 %null.0 u.0 v.0 r.0 ai.0";

/// The face and the texel that a direction meets, by the table of Vulkan ("Cube Map Face Selection and Transformations").
fn selected([x, y, z]: [f32; 3], size: u32) -> [u32; 3] {
    let (ax, ay, az) = (x.abs(), y.abs(), z.abs());
    let (face, sc, tc, rc) = if az >= ax && az >= ay {
        if z > 0.0 { (4, x, -y, az) } else { (5, -x, -y, az) }
    } else if ay >= ax {
        if y > 0.0 { (2, x, z, ay) } else { (3, x, -z, ay) }
    } else if x > 0.0 {
        (0, -z, -y, ax)
    } else {
        (1, z, -y, ax)
    };
    let texel = |c: f32| ((0.5 * c / rc + 0.5) * size as f32).min(size as f32 - 1.0) as u32;
    [texel(sc), texel(tc), face]
}

/// Sets a cube, and a sampler with an address mode that would read other texels.
fn cube<'p>(
    program: &'p Program,
    filter: Filter,
    format: PixelFormat,
    size: [u32; 3],
    texels: &[u8],
) -> Setup<'p> {
    let mut setup = Setup::new(program);
    setup.image(5, Dimensions::Cube, format, size, texels);
    let sampler = Sampler::new(filter, AddressMode::ClampToBorder, true);
    setup.machine.surfaces().set_sampler(2, sampler);
    setup.floats("ai", &[0.0; 16])
}

/// Sets u, v and r of the lanes.
fn towards<'p>(setup: Setup<'p>, directions: &[[f32; 3]]) -> Setup<'p> {
    let [u, v, r] =
        [0, 1, 2].map(|axis| directions.iter().map(|it| it[axis]).collect::<Vec<f32>>());
    setup.floats("u", &u).floats("v", &v).floats("r", &r)
}

fn direction() -> impl Strategy<Value = [f32; 3]> {
    prop::array::uniform3(-8.0f32..8.0)
        .prop_filter("a direction", |it| it.iter().any(|c| c.abs() > 0.5))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn a_direction_meets_the_face_of_its_longest_axis(
        directions in prop::collection::vec(direction(), 16),
        size in 1u32..6,
    ) {
        let program = image_program(&PARAMS, SAMPLE);
        let texels: Vec<u8> = (0..6 * size * size).map(|texel| texel as u8).collect();
        let setup = cube(&program, Filter::Nearest, PixelFormat::R8Uint, [size, size, 6], &texels);
        let found = dwords(&program, &towards(setup, &directions).run(), "d");
        let expected: Vec<u32> = directions
            .iter()
            .map(|direction| selected(*direction, size))
            .map(|[x, y, face]| (face * size + y) * size + x)
            .collect();
        prop_assert_eq!(found, expected);
    }

    /// Directions that are close have samples that are close, also on both sides of an edge or a corner.
    #[test]
    fn filters_have_no_seams(
        edges in prop::collection::vec((0usize..3, any::<[bool; 3]>(), -1.0f32..=1.0, any::<bool>()), 8),
        size in 1u32..5,
        seed: u32,
    ) {
        let program = image_program(&PARAMS, SAMPLE);
        let texels = noise((6 * size * size) as usize, seed);
        let setup = cube(&program, Filter::Linear, PixelFormat::R8Unorm, [size, size, 6], &texels);
        let pairs = edges.iter().flat_map(|(along, signs, place, is_corner)| {
            let mut middle = signs.map(|sign| if sign { 1.0 } else { -1.0f32 });
            if !is_corner {
                middle[*along] = *place;
            }
            let (one, other) = ((along + 1) % 3, (along + 2) % 3);
            let nearer = |axis: usize| {
                let mut near = middle;
                near[axis] *= 1.0 + 1e-4;
                near
            };
            [nearer(one), nearer(other)]
        });
        let group = towards(setup, &pairs.collect::<Vec<_>>()).run();
        for pair in floats(&program, &group, "d").chunks(2) {
            prop_assert!((pair[0] - pair[1]).abs() < 2e-3, "{pair:?}");
        }
    }
}

/// Vulkan: z has priority over y, and y over x. The last texel includes the edge.
#[test]
fn on_an_edge_one_face_is_met() {
    let program = image_program(&PARAMS, SAMPLE);
    let texels: Vec<u8> = (0..24).collect();
    let setup = cube(&program, Filter::Nearest, PixelFormat::R8Uint, [2, 2, 6], &texels);
    let directions = [
        ([1.0, 1.0, 1.0], [1, 0, 4]),
        ([-1.0, -1.0, -1.0], [1, 1, 5]),
        ([2.0, 2.0, 1.0], [1, 1, 2]),
        ([-2.0, -2.0, 1.0], [0, 0, 3]),
        ([3.0, 0.5, -3.0], [0, 0, 5]),
        ([3.0, 0.5, 2.0], [0, 0, 0]),
    ];
    let mut towards_each = directions.map(|(direction, _)| direction).to_vec();
    towards_each.resize(16, [1.0, 0.0, 0.0]);
    let found = dwords(&program, &towards(setup, &towards_each).run(), "d");
    for (found, (direction, [x, y, face])) in found.into_iter().zip(directions) {
        assert_eq!(found, (face * 2 + y) * 2 + x, "{direction:?}");
    }
}

#[test]
fn a_linear_filter_uses_the_mean_of_three_texels_at_a_corner() {
    let program = image_program(&PARAMS, SAMPLE);
    let texels: Vec<u8> = [0.0f32, 10.0, 20.0, 30.0, 40.0, 50.0].map(f32::to_le_bytes).concat();
    let setup = cube(&program, Filter::Linear, PixelFormat::R32Float, [1, 1, 6], &texels);
    let mut directions =
        vec![[1.0, 1.0, 1.0], [-1.0, -1.0, -1.0], [1.0, 0.0, 1.0], [0.0, -3.0, 0.0]];
    directions.resize(16, [0.0, 0.0, 1.0]);
    let found = floats(&program, &towards(setup, &directions).run(), "d");
    let corner = |faces: [f32; 3]| faces.iter().sum::<f32>() / 3.0;
    let expected = [corner([0.0, 20.0, 40.0]), corner([10.0, 30.0, 50.0]), 20.0, 30.0, 40.0];
    for (found, expected) in found.iter().zip(expected) {
        assert!((found - expected).abs() < 1e-4, "{found}, not {expected}");
    }
}

#[test]
fn the_index_of_a_cube_is_rounded_and_clamped() {
    let program = image_program(&PARAMS, SAMPLE);
    let texels: Vec<u8> = (0..18).collect();
    let setup = cube(&program, Filter::Linear, PixelFormat::R8Uint, [1, 1, 18], &texels);
    let indices = [-3.0, 0.4, 0.5, 0.6, 1.4, 1.5, 2.0, 9.0];
    let setup = towards(setup, &[[0.0, 0.0, -1.0]; 16]).floats("ai", &indices.repeat(2));
    let expected = [0, 0, 0, 1, 1, 2, 2, 2].map(|cube| cube * 6 + 5);
    assert_eq!(dwords(&program, &setup.run(), "d"), expected.repeat(2));
}

/// On face +z, s is (x / z + 1) / 2, and t is (1 - y / z) / 2.
#[test]
fn the_level_of_detail_is_that_of_the_coordinates_in_the_face() {
    let gradients = ["ux", "uy", "vx", "vy", "rx", "ry"].map(|name| (name, "f", 16));
    let program = image_program(
        &[&PARAMS[..], &gradients, &[("e", "f", 32)]].concat(),
        "    sample_d.R (M1, 16) 0x0:uw S0 T6 d.0 %null.0 u.0 ux.0 uy.0 v.0 vx.0 vy.0 r.0 rx.0 ry.0 ai.0
    lod.RG (M1, 16) 0x0:uw S0 T6 e.0 %null.0 u.0 v.0 r.0 ai.0",
    );
    let sizes = [16u32, 8, 4, 2, 1];
    let texels = (0u8..)
        .zip(sizes)
        .flat_map(|(level, size)| vec![f32::from(level); (6 * size * size) as usize]);
    let bytes: Vec<u8> = texels.flat_map(f32::to_le_bytes).collect();
    let mut setup = cube(&program, Filter::Linear, PixelFormat::R32Float, [1, 1, 6], &[0; 24]);
    let image = Image::new(Dimensions::Cube, PixelFormat::R32Float, [16, 16, 6], 0).with_levels(5);
    assert_eq!(image.bytes(), bytes.len() as u64);
    let address = setup.machine.memory().allocate("the cube", bytes);
    setup.machine.surfaces().set(5, image.at(address));
    let sampler = Sampler::new(Filter::Linear, AddressMode::Repeat, true);
    setup.machine.surfaces().set_sampler(2, Sampler { level_filter: Filter::Linear, ..sampler });
    // Pixels at a distance of 6 texels in s and 3 in t, in the middle of the face at z = 2.
    let step = 2.0 * 2.0 / 16.0;
    let subspan = [[0.0, 0.0], [6.0, 0.0], [0.0, 3.0], [6.0, 3.0]];
    let directions = subspan.map(|[x, y]: [f32; 2]| [x * step, -y * step, 2.0]).repeat(4);
    // The direction comes nearer to the eye: x / z changes although x does not.
    let zeros = ["uy", "vx", "vy", "ry"];
    let setup =
        zeros.into_iter().fold(towards(setup, &directions), |it, name| it.floats(name, &[0.0; 16]));
    let group = setup.floats("ux", &[0.0; 16]).floats("rx", &[0.5; 16]).run();
    for lod in &floats(&program, &group, "e")[..16] {
        assert!((lod - 6f32.log2()).abs() < 1e-4, "{lod}");
    }
    for (found, [x, y, z]) in floats(&program, &group, "d").iter().zip(directions) {
        let [s, t] = [x, y].map(|c| -c * 0.5 / (z * z) / 2.0 * 16.0);
        let lod = s.hypot(t).log2().clamp(0.0, 4.0);
        assert!((found - lod).abs() < 1e-4, "{found}, not {lod}");
    }
}

#[test]
fn resinfo_returns_the_size_of_a_face_and_the_number_of_cubes() {
    let program = image_program(
        &[("level", "ud", 16), ("d", "ud", 64)],
        "    resinfo.RGBA (M1, 16) T6 level.0 d.0",
    );
    let mut setup = Setup::new(&program).dwords("level", &[0; 16]);
    setup.image(5, Dimensions::Cube, PixelFormat::R8Uint, [4, 4, 12], &[0; 192]);
    let expected: Vec<u32> = [4, 4, 2, 1].iter().flat_map(|number| [*number; 16]).collect();
    assert_eq!(dwords(&program, &setup.run(), "d"), expected);
}

/// Typed messages have the index of a face as their third coordinate.
#[test]
fn typed_messages_access_the_faces_as_an_array() {
    let program = image_program(
        &[("x", "d", 16), ("f", "d", 16), ("d", "ud", 16)],
        "    gather4_typed.R (M1, 16) T6 x.0 x.0 f.0 %null.0 d.0",
    );
    let faces: Vec<i32> = (0..16).map(|lane| lane % 7).collect();
    let mut setup = Setup::new(&program).dwords("x", &[1; 16]).dwords("f", &faces);
    let texels: Vec<u8> = (0..24).collect();
    setup.image(5, Dimensions::Cube, PixelFormat::R8Uint, [2, 2, 6], &texels);
    // Face 6 does not exist.
    let expected: Vec<u32> = (0..16).map(|lane| [3, 7, 11, 15, 19, 23, 0][lane % 7]).collect();
    assert_eq!(dwords(&program, &setup.run(), "d"), expected);
}

#[test]
fn what_a_cube_does_not_define_is_refused() {
    let check =
        |statement: &str, size: [u32; 3], direction: [f32; 3], normalized: bool, expected| {
            let program = image_program(&[&PARAMS[..], &[("x", "d", 16)]].concat(), statement);
            let texels = vec![0; size.iter().product::<u32>() as usize];
            let mut setup = cube(&program, Filter::Nearest, PixelFormat::R8Unorm, size, &texels);
            let sampler = Sampler::new(Filter::Nearest, AddressMode::ClampToEdge, normalized);
            setup.machine.surfaces().set_sampler(2, sampler);
            let (name, text) = towards(setup, &[direction; 16]).dwords("x", &[0; 16]).fault();
            assert!(format!("{name}: {text}").contains(expected), "{name}: {text}");
        };
    let forward = [0.0, 0.0, 1.0];
    check(SAMPLE, [2, 2, 6], [0.0; 3], true, "direction (0, 0, 0)");
    check(SAMPLE, [2, 2, 6], [0.0, f32::INFINITY, 0.0], true, "direction (0, inf, 0)");
    check(SAMPLE, [2, 2, 6], forward, false, "a cube at coordinates in texels");
    check(SAMPLE, [2, 4, 6], forward, true, "malformed: ");
    check(SAMPLE, [2, 2, 5], forward, true, "a cube has 6 faces");
    let offset = SAMPLE.replace("0x0:uw", "0x100:uw");
    check(&offset, [2, 2, 6], forward, true, "an offset in a coordinate that a cube image has not");
    let load = "    load_3d.R (M1, 16) 0x0:uw T6 d.0 %null.0 x.0 x.0 x.0";
    check(load, [2, 2, 6], forward, true, "not-modelled: ");
    let gather = "    sample4.R (M1, 16) 0x0:uw S0 T6 d.0 %null.0 u.0 v.0 r.0";
    check(gather, [2, 2, 6], forward, true, "a gather from a cube image");
}
