//! Typed messages of the data port and of the load-store cache.

use genvisa_interp::{AddressMode, Dimensions, Filter, PixelFormat, Sampler};

use super::{Setup, dwords, floats, image_program, raw};

const COORDINATES: [(&str, &str, u32); 3] = [("u", "ud", 16), ("v", "ud", 16), ("r", "ud", 16)];

fn with_coordinates<'a>(others: &[(&'a str, &'a str, u32)]) -> Vec<(&'a str, &'a str, u32)> {
    [&COORDINATES[..], others].concat()
}

/// Returns sixteen coordinates in an image of 4 x 3 texels.
fn columns_and_rows() -> (Vec<i32>, Vec<i32>) {
    ((0..16).map(|lane| lane % 4).collect(), (0..16).map(|lane| lane / 4 % 3).collect())
}

#[test]
fn channels_are_converted_from_each_kind_of_format() {
    let program = image_program(
        &with_coordinates(&[("d", "f", 64)]),
        "    gather4_typed.RGBA (M1, 16) T6 u.0 v.0 %null.0 %null.0 d.0",
    );
    let one = 1.0f32.to_bits();
    let f = |value: f32| value.to_bits();
    let cases: [(PixelFormat, &[u8], [u32; 4]); 12] = [
        (PixelFormat::R8Unorm, &[51], [f(0.2), 0, 0, one]),
        (PixelFormat::Rgba8Unorm, &[255, 0, 1, 128], [one, 0, f(1.0 / 255.0), f(128.0 / 255.0)]),
        (PixelFormat::Bgra8Unorm, &[255, 0, 1, 128], [f(1.0 / 255.0), 0, one, f(128.0 / 255.0)]),
        (PixelFormat::Rg8Snorm, &[0x80, 0x7f], [f(-1.0), one, 0, one]),
        (PixelFormat::R16Unorm, &[0xff, 0xff], [one, 0, 0, one]),
        (PixelFormat::Rg8Uint, &[200, 7], [200, 7, 0, 1]),
        (PixelFormat::R8Sint, &[0xfe], [-2i32 as u32, 0, 0, 1]),
        (PixelFormat::R16Sint, &[0x00, 0x80], [-32768i32 as u32, 0, 0, 1]),
        (PixelFormat::R16Float, &[0x00, 0xc2], [f(-3.0), 0, 0, one]),
        // A NaN with a payload is copied.
        (PixelFormat::R32Float, &[1, 0, 0x80, 0x7f], [0x7f80_0001, 0, 0, one]),
        (PixelFormat::R32Uint, &[0xff, 0xff, 0xff, 0xff], [u32::MAX, 0, 0, 1]),
        (PixelFormat::Rg32Sint, &[1, 0, 0, 0, 2, 0, 0, 0], [1, 2, 0, 1]),
    ];
    let (u, v) = columns_and_rows();
    for (format, texel, expected) in cases {
        let mut setup = Setup::new(&program).dwords("u", &u).dwords("v", &v);
        setup.image(5, Dimensions::D2, format, [4, 3, 1], &texel.repeat(12));
        let result = dwords(&program, &setup.run(), "d");
        let expected: Vec<_> = expected.iter().flat_map(|channel| [*channel; 16]).collect();
        assert_eq!(result, expected, "{format}");
    }
}

#[test]
fn fixed_point_channels_are_quotients() {
    let program = image_program(
        &with_coordinates(&[("d", "f", 16)]),
        "    gather4_typed.R (M1, 16) T6 u.0 %null.0 %null.0 %null.0 d.0",
    );
    for first in (0..256).step_by(16) {
        let lanes: Vec<i32> = (first..first + 16).collect();
        let mut setup = Setup::new(&program).dwords("u", &lanes);
        let texels: Vec<u8> = (0..=255).collect();
        setup.image(5, Dimensions::D1, PixelFormat::R8Unorm, [256, 1, 1], &texels);
        let expected: Vec<f32> = lanes.iter().map(|lane| *lane as f32 / 255.0).collect();
        assert_eq!(floats(&program, &setup.run(), "d"), expected);
    }
}

#[test]
fn each_coordinate_selects_its_dimension() {
    let program = image_program(
        &with_coordinates(&[("d", "ud", 16)]),
        "    gather4_typed.R (M1, 16) T6 u.0 v.0 r.0 %null.0 d.0",
    );
    let texels: Vec<u8> = (0..24).collect();
    let lanes = |f: fn(i32) -> i32| (0..16).map(f).collect::<Vec<i32>>();
    let (u, v, r) = (lanes(|lane| lane % 4), lanes(|lane| lane / 4 % 3), lanes(|lane| lane / 8));
    let index = |x: i32, y: i32, z: i32| (x + 4 * y + 12 * z) as u32;
    let each = |f: &dyn Fn(usize) -> u32| (0..16).map(f).collect::<Vec<u32>>();
    let cases = [
        (Dimensions::D1, [24, 1, 1], each(&|i| u[i] as u32)),
        (Dimensions::D1Array, [4, 1, 6], each(&|i| index(u[i], v[i], 0))),
        (Dimensions::D2, [4, 6, 1], each(&|i| index(u[i], v[i], 0))),
        (Dimensions::D2Array, [4, 3, 2], each(&|i| index(u[i], v[i], r[i]))),
        (Dimensions::D3, [4, 3, 2], each(&|i| index(u[i], v[i], r[i]))),
    ];
    for (dimensions, size, expected) in cases {
        let mut setup = Setup::new(&program).dwords("u", &u).dwords("v", &v).dwords("r", &r);
        setup.image(5, dimensions, PixelFormat::R8Uint, size, &texels);
        assert_eq!(dwords(&program, &setup.run(), "d"), expected, "{}", dimensions.name());
    }
}

#[test]
fn typed_reads_outside_are_zero_and_one_in_alpha() {
    let program = image_program(
        &with_coordinates(&[("d", "f", 32)]),
        "    gather4_typed.GA (M1, 16) T6 u.0 v.0 %null.0 %null.0 d.0",
    );
    let mut u = [1; 16];
    let mut v = [1; 16];
    (u[0], v[1], u[2]) = (4, 3, -1);
    let mut setup = Setup::new(&program).dwords("u", &u).dwords("v", &v);
    setup.image(5, Dimensions::D2, PixelFormat::Rgba8Unorm, [4, 3, 1], &[102; 48]);
    let mut expected = [0.4; 32];
    expected[..3].fill(0.0);
    expected[16..19].fill(1.0);
    assert_eq!(floats(&program, &setup.run(), "d"), expected);
}

#[test]
fn typed_writes_convert_and_clamp() {
    let program = image_program(
        &with_coordinates(&[("s", "f", 64)]),
        "    scatter4_typed.RGBA (M1, 16) T6 u.0 %null.0 %null.0 %null.0 s.0",
    );
    let u: Vec<i32> = (0..16).collect();
    let f = |value: f32| value.to_bits() as i32;
    // SCATTER4_TYPED.md, the table of conversions. A half rounds to even: 0.5 * 255 is 127.5.
    let floats = [f(0.5), f(126.4 / 255.0), f(-1.0), f(f32::NAN)];
    let cases: [(PixelFormat, [i32; 4], &[u8]); 9] = [
        (PixelFormat::Rgba8Unorm, floats, &[128, 126, 0, 0]),
        (PixelFormat::Bgra8Unorm, floats, &[0, 126, 128, 0]),
        (PixelFormat::Rgba8Snorm, [f(-2.0), f(1.5), f(-0.5), f(0.0)], &[0x81, 0x7f, 0xc0, 0]),
        (PixelFormat::Rgba8Uint, [300, -1, 7, 0], &[255, 255, 7, 0]),
        (PixelFormat::Rgba8Sint, [300, -300, -1, 0], &[127, 0x80, 0xff, 0]),
        (PixelFormat::R16Uint, [70000, 0, 0, 0], &[255, 255]),
        (PixelFormat::R16Float, [f(1.0 + 1.0 / 2048.0), 0, 0, 0], &[0, 0x3c]),
        (PixelFormat::Rg16Float, [f(1.0 + 3.0 / 2048.0), f(65536.0), 0, 0], &[2, 0x3c, 0, 0x7c]),
        (PixelFormat::R32Float, [0x7f80_0001, 0, 0, 0], &[1, 0, 0x80, 0x7f]),
    ];
    for (format, source, expected) in cases {
        let values: Vec<i32> = source.iter().flat_map(|channel| [*channel; 16]).collect();
        let mut setup = Setup::new(&program).dwords("u", &u).dwords("s", &values);
        let bytes = format.bytes() as usize;
        let address = setup.image(5, Dimensions::D1, format, [16, 1, 1], &vec![0xaa; 16 * bytes]);
        setup.run();
        let written = setup.machine.memory().bytes(address).expect("the image").to_vec();
        assert_eq!(written, expected.repeat(16), "{format}");
    }
}

#[test]
fn typed_writes_keep_other_channels_and_drop_what_is_outside() {
    let program = image_program(
        &with_coordinates(&[("s", "ud", 16)]),
        "    scatter4_typed.G (M1, 16) T6 u.0 %null.0 %null.0 %null.0 s.0",
    );
    let u: Vec<i32> = (-1..15).collect();
    let mut setup = Setup::new(&program).dwords("u", &u).dwords("s", &[9; 16]);
    let address = setup.image(5, Dimensions::D1, PixelFormat::Rg8Uint, [4, 1, 1], &[1; 8]);
    setup.run();
    assert_eq!(setup.machine.memory().bytes(address), Some(&[1, 9, 1, 9, 1, 9, 1, 9][..]));
}

#[test]
fn lanes_that_write_different_values_to_a_texel_conflict() {
    let program = image_program(
        &with_coordinates(&[("s", "ud", 16)]),
        "    scatter4_typed.R (M1, 16) T6 u.0 %null.0 %null.0 %null.0 s.0",
    );
    let mut setup =
        Setup::new(&program).dwords("u", &[0; 16]).dwords("s", &(0..16).collect::<Vec<i32>>());
    setup.image(5, Dimensions::D1, PixelFormat::R8Uint, [4, 1, 1], &[1; 4]);
    assert_eq!(setup.fault().0, "conflicting-lanes");
}

#[test]
fn undefined_texels_are_undefined_and_undefined_coordinates_are_faults() {
    let program = image_program(
        &with_coordinates(&[("d", "f", 16)]),
        "    gather4_typed.R (M1, 16) T6 u.0 %null.0 %null.0 %null.0 d.0",
    );
    let mut setup = Setup::new(&program).dwords("u", &[0; 16]);
    let address = setup.machine.memory().allocate_undefined("the image", 4).expect("room");
    let image =
        genvisa_interp::Image::new(Dimensions::D1, PixelFormat::R8Unorm, [4, 1, 1], address);
    setup.machine.surfaces().set(5, image);
    let group = setup.run();
    assert_eq!(raw(&program, &group, "d").1, [0xff; 64]);

    let mut setup = Setup::new(&program).dwords("u", &[0; 15]);
    setup.image(5, Dimensions::D1, PixelFormat::R8Unorm, [4, 1, 1], &[0; 4]);
    let (name, text) = setup.fault();
    assert_eq!(name, "undefined-value");
    assert!(text.starts_with("lane 15, u: a coordinate"), "{text}");
    // The lane is not enabled.
    setup.run_lanes(0x7fff).unwrap_or_else(|fault| panic!("{fault}"));
}

#[test]
fn a_buffer_is_no_typed_surface() {
    let program = image_program(
        &with_coordinates(&[("d", "f", 16)]),
        "    gather4_typed.R (M1, 16) T6 u.0 %null.0 %null.0 %null.0 d.0",
    );
    let mut setup = Setup::new(&program).dwords("u", &[0; 16]);
    setup.buffer(5);
    let (name, text) = setup.fault();
    assert_eq!(name, "malformed");
    assert!(text.contains("the surface is a buffer, not an image"), "{text}");
}

#[test]
fn atomics_follow_each_other_and_return_what_was() {
    let program = image_program(
        &with_coordinates(&[("s", "ud", 16), ("d", "ud", 16)]),
        "    typed_atomic.add (M1, 16) T6 u.0 v.0 %null.0 %null.0 s.0 %null.0 d.0",
    );
    let u: Vec<i32> = (0..16).map(|lane| lane % 2).collect();
    let mut v = vec![1; 16];
    v[15] = 7;
    let mut setup = Setup::new(&program).dwords("u", &u).dwords("v", &v).dwords("s", &[3; 16]);
    let address = setup.image(5, Dimensions::D2, PixelFormat::R32Uint, [2, 2, 1], &[0; 16]);
    let group = setup.run();
    let mut expected: Vec<u32> = (0..16).map(|lane| lane / 2 * 3).collect();
    // Outside.
    expected[15] = 0;
    assert_eq!(dwords(&program, &group, "d"), expected);
    let memory = setup.machine.memory().bytes(address).expect("the image").to_vec();
    assert_eq!((memory[8], memory[12]), (24, 21));
}

#[test]
fn the_new_value_of_cmpxchg_is_the_first_operand() {
    let program = image_program(
        &with_coordinates(&[("new", "ud", 16), ("old", "ud", 16), ("d", "ud", 16)]),
        "    typed_atomic.cmpxchg (M1, 16) T6 u.0 %null.0 %null.0 %null.0 new.0 old.0 d.0",
    );
    let lanes: Vec<i32> = (0..16).collect();
    let mut setup = Setup::new(&program)
        .dwords("u", &lanes)
        .dwords("new", &[0x55; 16])
        .dwords("old", &lanes.iter().map(|lane| lane & !1).collect::<Vec<i32>>());
    let texels: Vec<u8> = (0..16).flat_map(|lane| [lane, 0, 0, 0]).collect();
    let address = setup.image(5, Dimensions::D1, PixelFormat::R32Uint, [16, 1, 1], &texels);
    assert_eq!(dwords(&program, &setup.run(), "d"), (0..16).collect::<Vec<u32>>());
    let memory = setup.machine.memory().bytes(address).expect("the image").to_vec();
    for (lane, texel) in memory.chunks(4).enumerate() {
        let expected = if lane % 2 == 0 { 0x55 } else { lane as u8 };
        assert_eq!(texel, [expected, 0, 0, 0], "lane {lane}");
    }
}

#[test]
fn atomics_on_other_formats_are_refused() {
    let program = image_program(
        &with_coordinates(&[("s", "ud", 16)]),
        "    typed_atomic.add (M1, 16) T6 u.0 %null.0 %null.0 %null.0 s.0 %null.0 %null.0",
    );
    for format in [PixelFormat::R32Float, PixelFormat::Rgba8Uint, PixelFormat::R16Uint] {
        let mut setup = Setup::new(&program).dwords("u", &[0; 16]).dwords("s", &[3; 16]);
        let texels = vec![0; 4 * format.bytes() as usize];
        setup.image(5, Dimensions::D1, format, [4, 1, 1], &texels);
        let (name, text) = setup.fault();
        assert_eq!(name, "not-modelled", "{format}");
        assert!(text.contains(format.name()), "{text}");
    }
}

#[test]
fn quads_are_stored_and_loaded() {
    let program = image_program(
        &with_coordinates(&[("s", "f", 64), ("d", "f", 32), ("h", "ud", 1)]),
        "    lsc_store_quad.tgm (M1, 16)  bti(0x5)[u,v]:a32  s:d32.xyzw
    mov (M1_NM, 1) h(0,0)<1> 0x5:ud
    lsc_load_quad.tgm (M1, 16)  d:d32.xz  bss(h)[u,v]:a32",
    );
    let (u, v) = ((0..16).map(|lane| lane % 4).collect::<Vec<i32>>(), (0..16).map(|lane| lane / 4));
    let s: Vec<f32> = (0..64).map(|element| element as f32 / 255.0).collect();
    let mut setup =
        Setup::new(&program).dwords("u", &u).dwords("v", &v.collect::<Vec<i32>>()).floats("s", &s);
    let address = setup.image(5, Dimensions::D2, PixelFormat::Bgra8Unorm, [4, 4, 1], &[0; 64]);
    let group = setup.run();
    let memory = setup.machine.memory().bytes(address).expect("the image").to_vec();
    for (lane, texel) in memory.chunks(4).enumerate() {
        let lane = lane as u8;
        assert_eq!(texel, [32 + lane, 16 + lane, lane, 48 + lane]);
    }
    let expected = [&s[..16], &s[32..48]].concat();
    assert_eq!(floats(&program, &group, "d"), expected);
}

#[test]
fn quads_outside_of_the_image_are_faults() {
    for (statement, verb) in [
        ("lsc_store_quad.tgm (M1, 16)  bti(0x5)[u]:a32  s:d32.x", "writes"),
        ("lsc_load_quad.tgm (M1, 16)  s:d32.x  bti(0x5)[u]:a32", "reads"),
    ] {
        let program =
            image_program(&with_coordinates(&[("s", "ud", 16)]), &format!("    {statement}"));
        let u: Vec<i32> = (0..16).collect();
        let mut setup = Setup::new(&program).dwords("u", &u).dwords("s", &[3; 16]);
        setup.image(5, Dimensions::D1, PixelFormat::R8Uint, [15, 1, 1], &[0; 15]);
        let (name, text) = setup.fault();
        assert_eq!(name, "outside-memory");
        let expected = format!("lane 15: {verb} 1 bytes");
        assert!(text.starts_with(&expected), "{text}");
        assert!(text.contains("texel (15, 0, 0) of an image of 15 x 1 x 1 texels"), "{text}");
        setup.buffer(5);
        assert_eq!(setup.fault().0, "malformed");
    }
}

#[test]
fn typed_lsc_atomics_compare_the_first_source() {
    let program = image_program(
        &with_coordinates(&[("old", "ud", 16), ("new", "ud", 16), ("d", "ud", 16)]),
        "    lsc_atomic_icas.tgm (M1, 16)  d:d32  bti(0x5)[u]:a32  old  new",
    );
    let lanes: Vec<i32> = (0..16).collect();
    let mut setup =
        Setup::new(&program).dwords("u", &lanes).dwords("old", &[1; 16]).dwords("new", &[0x55; 16]);
    let texels: Vec<u8> = (0..16).flat_map(|lane| [lane % 2, 0, 0, 0]).collect();
    let address = setup.image(5, Dimensions::D1, PixelFormat::R32Sint, [16, 1, 1], &texels);
    let before: Vec<u32> = (0..16).map(|lane| lane % 2).collect();
    assert_eq!(dwords(&program, &setup.run(), "d"), before);
    let expected: Vec<u8> = (0..16).flat_map(|lane| [lane % 2 * 0x55, 0, 0, 0]).collect();
    assert_eq!(setup.machine.memory().bytes(address), Some(&expected[..]));
}

#[test]
fn an_image_that_is_larger_than_its_memory_is_a_fault() {
    let program = image_program(
        &with_coordinates(&[("d", "ud", 16)]),
        "    gather4_typed.R (M1, 16) T6 u.0 %null.0 %null.0 %null.0 d.0",
    );
    let mut setup = Setup::new(&program).dwords("u", &(0..16).collect::<Vec<i32>>());
    let address = setup.machine.memory().allocate("half an image", vec![0; 8]);
    let image =
        genvisa_interp::Image::new(Dimensions::D1, PixelFormat::R8Uint, [16, 1, 1], address);
    setup.machine.surfaces().set(5, image);
    let (name, text) = setup.fault();
    assert_eq!(name, "outside-memory");
    assert!(text.contains("after the end of half an image"), "{text}");
}

/// The compiler writes null for trailing coordinates that are 0.
#[test]
fn null_coordinates_are_zero() {
    for statement in [
        "gather4_typed.R (M1, 16) T6 u.0 %null.0 %null.0 %null.0 d.0",
        "sample_lz.R (M1, 16) 0x0:uw S0 T6 d.0 %null.0 u.0 %null.0",
    ] {
        let program =
            image_program(&with_coordinates(&[("d", "f", 16)]), &format!("    {statement}"));
        let mut setup = Setup::new(&program).dwords("u", &[0; 16]);
        setup.image(5, Dimensions::D2, PixelFormat::R8Unorm, [3, 2, 1], &[255, 1, 2, 3, 4, 5]);
        let sampler = Sampler::new(Filter::Nearest, AddressMode::ClampToEdge, false);
        setup.machine.surfaces().set_sampler(2, sampler);
        assert_eq!(floats(&program, &setup.run(), "d"), [1.0; 16], "{statement}");
    }
}

#[test]
fn only_enabled_lanes_are_written_and_the_rest_of_a_register_is_undefined() {
    let program = image_program(
        &with_coordinates(&[("d", "ub", 128), ("p", "ud", 1)]),
        ".decl P1 v_type=P num_elts=8
    setp (M1_NM, 8) P1 0x7e:ud
    (P1) gather4_typed.RG (M1, 8) T6 u.0 %null.0 %null.0 %null.0 d.0",
    );
    let lanes: Vec<i32> = (0..16).collect();
    let mut setup = Setup::new(&program).dwords("u", &lanes).bytes("d", &[0xab; 128]);
    let texels: Vec<u8> = (0..32).collect();
    setup.image(5, Dimensions::D1, PixelFormat::Rg8Uint, [16, 1, 1], &texels);
    let group = setup.run_lanes(0xb7).unwrap_or_else(|fault| panic!("{fault}"));
    let (bytes, undefined) = raw(&program, &group, "d");
    for channel in 0..2usize {
        for lane in 0..8usize {
            let at = 64 * channel + 4 * lane;
            let expected = match (0xb7 & 0x7e) >> lane & 1 {
                1 => [(2 * lane + channel) as u8, 0, 0, 0],
                _ => [0xab; 4],
            };
            assert_eq!(bytes[at..at + 4], expected, "channel {channel}, lane {lane}");
            assert_eq!(undefined[at..at + 4], [0; 4], "channel {channel}, lane {lane}");
        }
        assert_eq!(undefined[64 * channel + 32..64 * channel + 64], [0xff; 32]);
    }
}
