//! MEDIA_LD and MEDIA_ST, and typed blocks.

use genvisa_interp::{Dimensions, Image, PixelFormat};

use super::{Setup, image_program, noise, raw};

/// The rows of the table in MEDIA_LD.md: width, height and pitch.
const SHAPES: [(u32, u32, usize); 10] = [
    (1, 64, 4),
    (4, 64, 4),
    (5, 32, 8),
    (8, 32, 8),
    (9, 16, 16),
    (16, 16, 16),
    (17, 8, 32),
    (32, 8, 32),
    (33, 4, 64),
    (64, 4, 64),
];

#[test]
fn rectangles_are_read_with_the_pitch_of_their_width() {
    let texels = noise(100 * 80, 1);
    for (width, height, pitch) in SHAPES {
        let statements = format!("    media_ld.nomod ({width},{height}) T6 0 0x3:ud 0x7:ud d.0");
        let program = image_program(&[("d", "ub", 256)], &statements);
        let mut setup = Setup::new(&program);
        setup.image(5, Dimensions::D2, PixelFormat::R8Uint, [100, 80, 1], &texels);
        let (bytes, undefined) = raw(&program, &setup.run(), "d");
        for row in 0..height as usize {
            let from = (7 + row) * 100 + 3;
            let expected = &texels[from..from + width as usize];
            let (start, end) = (row * pitch, row * pitch + width as usize);
            assert_eq!(&bytes[start..end], expected, "{width} x {height}, row {row}");
            assert!(undefined[start..end].iter().all(|byte| *byte == 0));
            assert!(undefined[end..(row + 1) * pitch].iter().all(|byte| *byte == 0xff));
        }
    }
}

#[test]
fn offsets_are_in_bytes_whatever_the_format() {
    let texels = noise(8 * 4 * 4, 2);
    let program =
        image_program(&[("d", "ub", 8)], "    media_ld.modified (4,2) T6 0 0x5:ud 0x1:ud d.0");
    let mut setup = Setup::new(&program);
    setup.image(5, Dimensions::D2, PixelFormat::Rgba8Unorm, [8, 4, 1], &texels);
    let (bytes, _) = raw(&program, &setup.run(), "d");
    assert_eq!(bytes, [&texels[32 + 5..32 + 9], &texels[64 + 5..64 + 9]].concat());
}

#[test]
fn fields_are_every_second_row() {
    let texels: Vec<u8> = (0..8).flat_map(|row| [row; 4]).collect();
    for (field, rows) in [("top", [2, 4, 6]), ("bottom", [3, 5, 7])] {
        let statements = format!("    media_ld.{field} (4,3) T6 0 0x0:ud 0x1:ud d.0");
        let program = image_program(&[("d", "ub", 12)], &statements);
        let mut setup = Setup::new(&program);
        setup.image(5, Dimensions::D2, PixelFormat::R8Uint, [4, 8, 1], &texels);
        let (bytes, _) = raw(&program, &setup.run(), "d");
        assert_eq!(bytes, rows.map(|row| [row; 4]).concat(), "{field}");
    }
}

#[test]
fn planes_of_nv12_have_luminance_and_chrominance() {
    let texels = noise(16 * 8 + 16 * 4, 3);
    let program = image_program(
        &[("a", "ub", 8), ("b", "ub", 8), ("c", "ub", 4)],
        "    media_ld.nomod (4,2) T6 0 0x4:ud 0x6:ud a.0
    media_ld.nomod (4,2) T6 1 0x4:ud 0x2:ud b.0",
    );
    let mut setup = Setup::new(&program);
    let address = setup.machine.memory().allocate("the image", texels.clone());
    setup.machine.surfaces().set(5, Image::nv12(12, 8, 16, address));
    let group = setup.run();
    let rows = |row: usize| {
        let from = row * 16 + 4;
        [&texels[from..from + 4], &texels[from + 16..from + 20]].concat()
    };
    assert_eq!(raw(&program, &group, "a").0, rows(6));
    assert_eq!(raw(&program, &group, "b").0, rows(8 + 2));

    // Plane 1 has four rows of six pairs of bytes, and the pitch is not a part of a row.
    for (block, row, columns) in
        [("1 0x0:ud 0x3:ud", 3, [0, 1, 2, 3]), ("1 0xb:ud 0x0:ud", 1, [11, 10, 11, 10])]
    {
        let statements = format!("    media_ld.nomod (4,2) T6 {block} d.0");
        let program = image_program(&[("d", "ub", 8)], &statements);
        let mut setup = Setup::new(&program);
        let address = setup.machine.memory().allocate("the image", texels.clone());
        setup.machine.surfaces().set(5, Image::nv12(12, 8, 16, address));
        let row = &texels[16 * (8 + row)..][..16];
        let row: Vec<u8> = columns.map(|column| row[column]).to_vec();
        assert_eq!(raw(&program, &setup.run(), "d").0[4..], row);
    }
}

/// Returns the byte that the border of an image repeats at a place.
fn repeated(texels: &[u8], [width, height]: [i64; 2], texel: i64, [x, y]: [i64; 2]) -> u8 {
    let nearest = x.div_euclid(texel).clamp(0, width / texel - 1) * texel + x.rem_euclid(texel);
    texels[(y.clamp(0, height - 1) * width + nearest) as usize]
}

/// Hardware repeats the texels at the border, of the size of the format.
#[test]
fn reads_outside_repeat_the_border_on_each_side() {
    let formats =
        [(PixelFormat::R8Uint, 1), (PixelFormat::Rg8Uint, 2), (PixelFormat::Rgba8Unorm, 4)];
    for (format, texel) in formats {
        let (width, height) = (12 / texel, 5);
        let texels = noise(12 * height as usize, 7);
        let program = image_program(
            &[("d", "ub", 64), ("x", "d", 1), ("y", "d", 1)],
            "    media_ld.nomod (7,8) T6 0 x(0,0)<0;1,0> y(0,0)<0;1,0> d.0",
        );
        for (x, y) in [(-3, -2), (-40, 1), (2, 2), (9, -9), (10, 3), (30, 30), (0, -1), (-1, 0)] {
            let mut setup = Setup::new(&program).dwords("x", &[x]).dwords("y", &[y]);
            let size = [width as u32, height, 1];
            setup.image(5, Dimensions::D2, format, size, &texels);
            let (bytes, _) = raw(&program, &setup.run(), "d");
            for row in 0..8 {
                for column in 0..7 {
                    let place = [i64::from(x) + column, i64::from(y) + row];
                    let expected = repeated(&texels, [12, height.into()], texel, place);
                    let found = bytes[(row * 8 + column) as usize];
                    assert_eq!(found, expected, "{format}, ({x}, {y}), ({column}, {row})");
                }
            }
        }
    }
}

#[test]
fn writes_outside_are_dropped_on_each_side() {
    let data = noise(32, 8);
    let program = image_program(
        &[("s", "ub", 32)],
        "    media_st.nomod (8,4) T6 0 0xfffffffc:ud 0xfffffffe:ud s.0",
    );
    let mut setup = Setup::new(&program).bytes("s", &data);
    let address = setup.image(5, Dimensions::D2, PixelFormat::R8Uint, [11, 9, 1], &[0xaa; 99]);
    setup.run();
    let mut expected = [0xaa; 99];
    for row in 0..2 {
        expected[row * 11..row * 11 + 4].copy_from_slice(&data[(row + 2) * 8 + 4..][..4]);
    }
    assert_eq!(setup.machine.memory().bytes(address), Some(&expected[..]));
}

#[test]
fn rectangles_are_written_and_cut_at_the_edges() {
    let data = noise(64, 4);
    let program =
        image_program(&[("s", "ub", 64)], "    media_st.nomod (5,8) T6 0 0x8:ud 0x6:ud s.0");
    let mut setup = Setup::new(&program).bytes("s", &data);
    let address = setup.image(5, Dimensions::D2, PixelFormat::R8Uint, [11, 9, 1], &[0xaa; 99]);
    setup.run();
    let mut expected = [0xaa; 99];
    for row in 0..3 {
        for column in 0..3 {
            expected[(6 + row) * 11 + 8 + column] = data[row * 8 + column];
        }
    }
    assert_eq!(setup.machine.memory().bytes(address), Some(&expected[..]));
}

#[test]
fn writes_of_rectangles_are_aligned() {
    let program =
        image_program(&[("s", "ub", 64)], "    media_st.nomod (4,1) T6 0 0x2:ud 0x0:ud s.0");
    let mut setup = Setup::new(&program).bytes("s", &[0; 64]);
    setup.image(5, Dimensions::D2, PixelFormat::R8Uint, [11, 9, 1], &[0; 99]);
    assert_eq!(setup.fault().0, "misaligned");
}

#[test]
fn reads_of_other_images_and_with_undefined_offsets_are_faults() {
    let outside = "    media_ld.nomod (4,2) T6 0 0x8:ud 0x0:ud d.0";
    let cases = [
        (Dimensions::D3, outside, "not-modelled"),
        (Dimensions::D2, "    media_ld.nomod (4,2) T6 1 0x0:ud 0x0:ud d.0", "not-given"),
        (
            Dimensions::D2,
            "    media_ld.nomod (4,2) T6 0 x(0,0)<0;1,0> 0x0:ud d.0",
            "undefined-value",
        ),
    ];
    for (dimensions, statements, expected) in cases {
        let program = image_program(&[("d", "ub", 8), ("x", "ud", 1)], statements);
        let mut setup = Setup::new(&program);
        setup.image(5, dimensions, PixelFormat::R8Uint, [11, 9, 1], &[0; 99]);
        assert_eq!(setup.fault().0, expected, "{statements}");
    }
}
