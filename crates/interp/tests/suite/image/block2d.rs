//! 2D blocks of untyped memory, and of images.
//!
//! The layouts of blocks with a transform or transposed are written as the examples of dwords that DPAS
//! consumes, and not as the formula that the interpreter has.

use genvisa_interp::{Dimensions, PixelFormat, Program};

use super::{Setup, image_program, noise, raw};

const SCALARS: [(&str, &str, u32); 2] = [("base", "uq", 1), ("n", "d", 5)];
const ADDRESS: &str = "flat[base(0,0),n(0,0),n(0,1),n(0,2),n(0,3),n(0,4)]";

/// A surface with a width, a height and a pitch in bytes, and the start of a block.
#[derive(Clone, Copy)]
struct Place {
    size: [i32; 3],
    start: [i32; 2],
}

fn block(elements: u32, ty: &str, shape: &str) -> Program {
    let statement = format!("    lsc_load_block2d.ugm (M1, 1)  d:{shape}  {ADDRESS}");
    image_program(&[&SCALARS[..], &[("d", ty, elements)]].concat(), &statement)
}

fn setup<'p>(program: &'p Program, bytes: &[u8], place: Place) -> (Setup<'p>, u64) {
    let [width, height, pitch] = place.size.map(|size| size - 1);
    let [x, y] = place.start;
    let mut setup = Setup::new(program);
    let address = setup.machine.memory().allocate("the surface", bytes.to_vec());
    let base: &'static [u8] = address.to_le_bytes().to_vec().leak();
    (setup.bytes("base", base).dwords("n", &[width, height, pitch, x, y]), address)
}

/// Returns the bytes of a block, which are all defined.
fn load(program: &Program, bytes: &[u8], place: Place) -> Vec<u8> {
    let (setup, _) = setup(program, bytes, place);
    let (bytes, undefined) = raw(program, &setup.run(), "d");
    assert!(undefined.iter().all(|byte| *byte == 0), "{undefined:x?}");
    bytes
}

#[test]
fn rows_have_a_power_of_two_of_elements_and_blocks_whole_registers() {
    // Two blocks of 3 x 5 words: rows of 4 words, blocks of 20 words in a register of 32.
    let program = block(64, "uw", "d16.2x3x5nn");
    let bytes = noise(64 * 8, 1);
    let place = Place { size: [40, 8, 64], start: [2, 1] };
    let result = load(&program, &bytes, place);
    let mut expected = [0; 128];
    for block in 0..2 {
        for row in 0..5 {
            for column in 0..3 {
                let from = (1 + row) * 64 + (2 + 3 * block + column) * 2;
                let to = block * 64 + row * 8 + column * 2;
                expected[to..to + 2].copy_from_slice(&bytes[from..from + 2]);
            }
        }
    }
    assert_eq!(result, expected);
}

#[test]
fn the_transform_packs_the_rows_of_a_column_into_a_dword() {
    // Row r, column c is 16 r + c.
    let bytes: Vec<u8> =
        (0..8).flat_map(|row| (0..16).map(move |column| 16 * row + column)).collect();
    let place = Place { size: [16, 8, 16], start: [0, 0] };
    let result = load(&block(64, "ub", "d8.4x8nt"), &bytes, place);
    // Four bytes of four rows, column by column.
    assert_eq!(result[..8], [0, 16, 32, 48, 1, 17, 33, 49]);
    assert_eq!(result[16..20], [64, 80, 96, 112]);
    assert_eq!(result[32..], [0; 32]);

    // Words: two rows.
    let words: Vec<u8> =
        (0..4).flat_map(|row| (0..8).flat_map(move |c| [16 * row + c, 0])).collect();
    let place = Place { size: [16, 4, 16], start: [0, 0] };
    let result = load(&block(32, "uw", "d16.4x4nt"), &words, place);
    let words: Vec<u8> = result.chunks(2).map(|word| word[0]).collect();
    assert_eq!(words[..8], [0, 16, 1, 17, 2, 18, 3, 19]);
    assert_eq!(words[8..16], [32, 48, 33, 49, 34, 50, 35, 51]);
}

#[test]
fn transposed_blocks_have_their_columns_as_rows() {
    let dwords: Vec<u8> =
        (0..4u8).flat_map(|row| (0..4).flat_map(move |column| [row, column, 0, 0])).collect();
    let place = Place { size: [16, 4, 16], start: [0, 0] };
    // 2 columns of 3 rows: columns of 4 dwords, the last of which is 0.
    let result = load(&block(16, "ud", "d32.2x3tn"), &dwords, place);
    let pairs: Vec<[u8; 2]> = result.chunks(4).map(|dword| [dword[0], dword[1]]).collect();
    assert_eq!(pairs[..3], [[0, 0], [1, 0], [2, 0]]);
    assert_eq!(pairs[4..7], [[0, 1], [1, 1], [2, 1]]);
    assert!(pairs[7..].iter().all(|pair| *pair == [0, 0]));
}

#[test]
fn elements_outside_are_zero_on_each_side() {
    let program = block(64, "ub", "d8.8x8nn");
    // The pitch is larger than the width.
    let bytes = [0x11; 16 * 6];
    for (start, is_inside) in [
        ([-3, -2], (|x, y| x >= 3 && y >= 2) as fn(i32, i32) -> bool),
        ([7, 1], |x, y| x < 5 && y < 5),
        ([100, 0], |_, _| false),
        ([0, 6], |_, _| false),
    ] {
        let place = Place { size: [12, 6, 16], start };
        let result = load(&program, &bytes, place);
        for (at, byte) in (0..64).zip(result) {
            let expected = if is_inside(at % 8, at / 8) { 0x11 } else { 0 };
            assert_eq!(byte, expected, "{start:?}, column {}, row {}", at % 8, at / 8);
        }
    }
}

#[test]
fn stores_drop_what_is_outside() {
    let statement = format!("    lsc_store_block2d.ugm (M1, 1)  {ADDRESS}  s:d16.4x3nn");
    let program = image_program(&[&SCALARS[..], &[("s", "uw", 32)]].concat(), &statement);
    let place = Place { size: [10, 4, 16], start: [3, 2] };
    let (setup, address) = setup(&program, &[0xaa; 64], place);
    let data = noise(64, 3);
    let mut setup = setup.bytes("s", &data);
    setup.run();
    let mut expected = [0xaa; 64];
    for row in 0..2 {
        for column in 0..2 {
            let (from, to) = (row * 8 + column * 2, (2 + row) * 16 + (3 + column) * 2);
            expected[to..to + 2].copy_from_slice(&data[from..from + 2]);
        }
    }
    assert_eq!(setup.machine.memory().bytes(address), Some(&expected[..]));
}

#[test]
fn prefetches_have_no_effect_and_inactive_lanes_load_nothing() {
    let statement = format!("    lsc_load_block2d.ugm.ca.ca (M1, 1)  %null:d8.8x8nn  {ADDRESS}");
    let program = image_program(&SCALARS, &statement);
    let place = Place { size: [1000, 1000, 1000], start: [0, 0] };
    setup(&program, &[0; 64], place).0.run();

    let program = block(64, "ub", "d8.8x8nn");
    let place = Place { size: [8, 8, 8], start: [0, 0] };
    let group = setup(&program, &[0; 64], place).0.run_lanes(0xfffe);
    let group = group.unwrap_or_else(|fault| panic!("{fault}"));
    assert_eq!(raw(&program, &group, "d").1, [0xff; 64]);
}

#[test]
fn surfaces_that_are_larger_than_their_memory_are_faults() {
    let program = block(64, "ub", "d8.8x8nn");
    let place = Place { size: [8, 9, 8], start: [0, 1] };
    let (name, text) = setup(&program, &[0; 64], place).0.fault();
    assert_eq!(name, "outside-memory");
    assert!(text.contains("after the end of the surface"), "{text}");
    // The pitch is less than the width; a row is no whole number of elements.
    let place = Place { size: [8, 8, 7], start: [0, 0] };
    assert_eq!(setup(&program, &[0; 64], place).0.fault().0, "not-defined");
    let program = block(32, "uw", "d16.4x8nn");
    let place = Place { size: [7, 8, 8], start: [0, 0] };
    assert_eq!(setup(&program, &[0; 64], place).0.fault().0, "not-defined");
    let program = block(64, "ub", "d8.4x6nt");
    let place = Place { size: [8, 8, 8], start: [0, 0] };
    assert_eq!(setup(&program, &[0; 64], place).0.fault().0, "not-modelled");
}

#[test]
fn scalars_in_a_register_have_offsets() {
    let statement = "    lsc_load_block2d.ugm (M1, 1)  d:d8.2x8x4nn  flat[p + (4,-3)]";
    let program = image_program(&[("p", "d", 16), ("d", "ub", 128)], statement);
    let bytes = noise(32 * 16, 8);
    for (shape, is_legal) in [(0x1_0307, true), (0x1_0407, false)] {
        let mut setup = Setup::new(&program);
        let address = setup.machine.memory().allocate("the surface", bytes.clone());
        let [low, high] = [address as i32, (address >> 32) as i32];
        let setup = setup.dwords("p", &[low, high, 27, 15, 31, 2, 5, shape]);
        if !is_legal {
            let (name, text) = setup.fault();
            assert_eq!(name, "not-defined");
            assert!(text.contains("0x10407"), "{text}");
            continue;
        }
        let (result, _) = raw(&program, &setup.run(), "d");
        let mut expected = [0; 128];
        for (block, row) in (0..2).flat_map(|block| (0..4).map(move |row| (block, row))) {
            let from = (5 - 3 + row) * 32 + 2 + 4 + block * 8;
            let to = block * 64 + row * 8;
            expected[to..to + 8].copy_from_slice(&bytes[from..from + 8]);
        }
        assert_eq!(result, expected);
    }
}

#[test]
fn undefined_scalars_are_faults() {
    let program = block(64, "ub", "d8.8x8nn");
    let setup = Setup::new(&program).dwords("n", &[7, 7, 7, 0, 0]);
    let (name, text) = setup.fault();
    assert_eq!(name, "undefined-value");
    assert!(text.contains("surface_base"), "{text}");
}

#[test]
fn blocks_of_images_are_loaded_and_stored() {
    let scalars = [("x", "d", 2), ("d", "ub", 64), ("s", "ub", 64)];
    let program = image_program(
        &scalars,
        "    lsc_load_block2d.tgm  d:6x4  bti(0x5)[x(0,0),x(0,1)]
    lsc_store_block2d.tgm  bti(0x5)[x(0,1),x(0,0)]  s:6x4",
    );
    let texels = noise(12 * 8 * 2, 5);
    let data = noise(64, 6);
    let mut setup = Setup::new(&program).dwords("x", &[3, 1]).bytes("s", &data);
    let address = setup.image(5, Dimensions::D2, PixelFormat::Rg8Uint, [12, 8, 1], &texels);
    let (bytes, _) = raw(&program, &setup.run(), "d");
    let mut expected = texels.clone();
    for row in 0..4 {
        let from = (1 + row) * 24 + 3;
        assert_eq!(bytes[row * 8..row * 8 + 6], texels[from..from + 6]);
        let to = (3 + row) * 24 + 1;
        expected[to..to + 6].copy_from_slice(&data[row * 8..row * 8 + 6]);
    }
    assert_eq!(setup.machine.memory().bytes(address), Some(&expected[..]));

    let setup = setup.dwords("x", &[19, 0]);
    let (name, text) = setup.fault();
    assert_eq!(name, "not-modelled");
    assert!(text.contains("byte 24 of row 0"), "{text}");
}
