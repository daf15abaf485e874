//! INFO.

use genvisa::isa::Info;
use genvisa::object::{Align, Code, Kernel};
use genvisa::operand::{ChannelMask, DataType, ExecSize, SurfaceId};
use genvisa::{Format, Module};
use genvisa_interp::{Dimensions, Image, PixelFormat, Program, ThreadStart};

use super::{Setup, dwords, image_program, raw};
use crate::support::XE2;

#[test]
fn resinfo_returns_the_size_of_each_kind_of_image() {
    let program = image_program(
        &[("level", "ud", 16), ("d", "ud", 64)],
        "    resinfo.RGBA (M1, 16) T6 level.0 d.0",
    );
    // INFO.md, the table of resinfo.
    let cases = [
        (Dimensions::D1, [7, 1, 1], [7, 0, 0, 1]),
        (Dimensions::D1Array, [7, 1, 3], [7, 3, 0, 1]),
        (Dimensions::D2, [7, 5, 1], [7, 5, 0, 1]),
        (Dimensions::D2Array, [7, 5, 3], [7, 5, 3, 1]),
        (Dimensions::D3, [7, 5, 3], [7, 5, 3, 1]),
    ];
    for (dimensions, size, expected) in cases {
        let mut setup = Setup::new(&program).dwords("level", &[0; 16]);
        let texels = vec![0; (size[0] * size[1] * size[2]) as usize];
        setup.image(5, dimensions, PixelFormat::R8Uint, size, &texels);
        let result = dwords(&program, &setup.run(), "d");
        let channels: Vec<_> = expected.iter().flat_map(|number| [*number; 16]).collect();
        assert_eq!(result, channels, "{}", dimensions.name());
    }
}

#[test]
fn resinfo_returns_the_channels_of_its_mask_for_enabled_lanes() {
    let program = image_program(
        &[("level", "ud", 16), ("d", "ud", 32)],
        "    resinfo.GA (M1, 16) T6 level.0 d.0",
    );
    let mut setup = Setup::new(&program).dwords("level", &[0; 16]);
    setup.image(5, Dimensions::D2, PixelFormat::R8Uint, [7, 5, 1], &[0; 35]);
    let group = setup.run_lanes(0x5).unwrap_or_else(|fault| panic!("{fault}"));
    let (bytes, undefined) = raw(&program, &group, "d");
    assert_eq!((bytes[0], bytes[8], bytes[64], bytes[72]), (5, 5, 1, 1));
    let written: Vec<_> = (0..128).filter(|at| undefined[*at] == 0).collect();
    assert_eq!(written, [0, 1, 2, 3, 8, 9, 10, 11, 64, 65, 66, 67, 72, 73, 74, 75]);
}

#[test]
fn sampleinfo_returns_the_number_of_samples() {
    let program = image_program(&[("d", "ud", 16)], "    sampleinfo.R (M1, 16) T6 d.0");
    let mut setup = Setup::new(&program);
    setup.image(5, Dimensions::D2, PixelFormat::R8Uint, [7, 5, 1], &[0; 35]);
    assert_eq!(dwords(&program, &setup.run(), "d"), [1; 16]);
    let image = Image::new(Dimensions::D2, PixelFormat::R8Uint, [7, 5, 1], 0).with_samples(8);
    setup.machine.surfaces().set(5, image);
    assert_eq!(dwords(&program, &setup.run(), "d"), [8; 16]);
    setup.image(5, Dimensions::D3, PixelFormat::R8Uint, [7, 5, 1], &[0; 35]);
    assert_eq!(setup.fault().0, "not-defined");
}

#[test]
fn other_surfaces_and_undefined_levels_are_faults() {
    let program = image_program(
        &[("level", "ud", 16), ("d", "ud", 16)],
        "    resinfo.R (M1, 16) T6 level.0 d.0",
    );
    let mut setup = Setup::new(&program).dwords("level", &[0, 0, 0, 1]);
    let (name, text) = setup.fault();
    assert_eq!(name, "not-given");
    assert!(text.contains("surface 0x5 was not given"), "{text}");
    setup.buffer(5);
    let (name, text) = setup.fault();
    assert_eq!(name, "malformed");
    assert!(text.contains("the surface is a buffer, not an image"), "{text}");
    setup.image(5, Dimensions::D2, PixelFormat::R8Uint, [7, 5, 1], &[0; 35]);
    let (name, text) = setup.fault();
    assert_eq!(name, "undefined-value");
    assert!(text.starts_with("lane 4, lod"), "{text}");
    let mut setup = Setup::new(&program);
    setup.image(5, Dimensions::D2, PixelFormat::R8Uint, [7, 5, 1], &[0; 35]);
    assert_eq!(setup.fault().0, "undefined-value");
}

#[test]
fn info_has_the_same_result_in_each_dialect() {
    for format in [Format::MANUAL, Format::default(), Format::V4_2] {
        let mut kernel = Kernel::new("k");
        let body = &mut kernel.body;
        let mut variable = |count| body.add_variable("", DataType::UD, count, Align::default());
        let (lod, dst) = (variable(16), variable(64));
        let info = Info {
            exec: ExecSize::S16.into(),
            channels: ChannelMask::RGBA,
            // A predefined variable, whose value is its number.
            surface: SurfaceId(1).into(),
            lod: Some(lod.into()),
            dst: dst.into(),
        };
        kernel.body.code = Code::from_instructions([&info.into()], format)
            .unwrap_or_else(|error| panic!("{format:?}: {error}"));
        let mut module = Module::new(format);
        module.kernels.push(kernel);
        let program = Program::new([&module], XE2).unwrap_or_else(|fault| panic!("{fault}"));
        let mut setup = Setup::new(&program);
        setup.image(1, Dimensions::D3, PixelFormat::R8Uint, [7, 5, 3], &[0; 105]);
        let start = ThreadStart { mask: 0xffff, ..ThreadStart::default() };
        let mut group = setup.machine.group("k", [0; 3], 0, 0, [start]).expect("a kernel");
        let thread = group.thread_mut(0).expect("a thread");
        assert!(thread.set_variable(&program, lod, 0, &[0; 64]));
        // The manual has no instruction to end with.
        let is_running = setup.machine.step(&mut group).unwrap_or_else(|fault| panic!("{fault}"));
        assert!(is_running);
        let (bytes, _) = group.threads()[0].variable(&program, dst).expect("a variable");
        assert_eq!([0, 64, 128, 192].map(|at| bytes[at]), [7, 5, 3, 1], "{format:?}");
    }
}
