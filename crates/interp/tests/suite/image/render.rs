//! RT_WRITE.

use genvisa_interp::{Dimensions, Image, PixelFormat, Program, RenderTargets};

use super::{Setup, image_program};

const COLORS: [(&str, &str, u32); 4] =
    [("r", "f", 16), ("g", "f", 16), ("b", "f", 16), ("a", "f", 16)];

fn drawing(others: &[(&str, &str, u32)], statements: &str) -> Program {
    image_program(&[&COLORS[..], others].concat(), statements)
}

/// A block of 4 x 4 pixels from (1, 2) on.
fn block() -> Vec<[u32; 2]> {
    (0..16).map(|lane| [1 + lane % 4, 2 + lane / 4]).collect()
}

/// Returns images of 6 x 7 pixels.
fn target(setup: &mut Setup<'_>, format: PixelFormat) -> Image {
    let bytes = vec![0xab; 6 * 7 * format.bytes() as usize];
    let address = setup.machine.memory().allocate("the render target", bytes);
    Image::new(Dimensions::D2, format, [6, 7, 1], address)
}

/// Returns the bytes of the pixel of a lane.
fn pixel(setup: &mut Setup<'_>, image: &Image, lane: u32) -> Vec<u8> {
    let at = (((2 + lane / 4) * 6 + 1 + lane % 4) * image.format.bytes()) as usize;
    let memory = setup.machine.memory().bytes(image.address).expect("the image");
    memory[at..at + image.format.bytes() as usize].to_vec()
}

fn written(setup: &mut Setup<'_>, image: &Image) -> usize {
    let memory = setup.machine.memory().bytes(image.address).expect("the image");
    memory.iter().filter(|byte| **byte != 0xab).count()
}

fn setup(program: &Program) -> Setup<'_> {
    let channel =
        |scale: f32| (0..16).map(|lane| lane as f32 * scale / 255.0).collect::<Vec<f32>>();
    Setup::new(program)
        .floats("r", &channel(1.0))
        .floats("g", &channel(2.0))
        .floats("b", &channel(3.0))
        .floats("a", &channel(17.0))
        .pixels(block())
}

#[test]
fn colors_are_written_to_the_pixels_of_the_lanes() {
    let program = drawing(&[], "    rt_write_3d (M1, 16) T6 %null.0 r.0 g.0 b.0 a.0");
    for (format, order) in
        [(PixelFormat::Rgba8Unorm, [0, 1, 2, 3]), (PixelFormat::Bgra8Unorm, [2, 1, 0, 3])]
    {
        let mut setup = setup(&program);
        let image = target(&mut setup, format);
        // An image alone is render target 0.
        if format == PixelFormat::Rgba8Unorm {
            setup.machine.surfaces().set(5, image.clone());
        } else {
            let targets = RenderTargets { colors: vec![image.clone()], ..RenderTargets::default() };
            setup.machine.surfaces().set(5, targets);
        }
        setup.run();
        for lane in 0..16 {
            let color = [lane, 2 * lane, 3 * lane, 17 * lane];
            let expected = order.map(|channel| color[channel] as u8);
            assert_eq!(pixel(&mut setup, &image, lane), expected, "{format}, lane {lane}");
        }
        assert_eq!(written(&mut setup, &image), 64);
    }
}

#[test]
fn the_index_selects_the_target_and_the_predicate_and_the_mask_select_lanes() {
    let program = drawing(
        &[("mask", "uw", 16), ("p", "ud", 1)],
        ".decl P1 v_type=P num_elts=16
    setp (M1_NM, 16) P1 0xff0f:ud
    (P1) rt_write_3d.<RTI><O> (M1, 16) T6 %null.0 0x1:ub mask.0 r.0 g.0 b.0 a.0",
    );
    let masks: Vec<u8> =
        (0..16).flat_map(|lane| [if lane % 2 == 0 { 1 } else { 0xfe }, 0]).collect();
    let mut setup = setup(&program).bytes("mask", &masks);
    let images = [PixelFormat::Rgba8Unorm, PixelFormat::Rgba32Float];
    let images = images.map(|format| target(&mut setup, format));
    setup
        .machine
        .surfaces()
        .set(5, RenderTargets { colors: images.to_vec(), ..RenderTargets::default() });
    setup.run_lanes(0x7fff).unwrap_or_else(|fault| panic!("{fault}"));
    assert_eq!(written(&mut setup, &images[0]), 0);
    for lane in 0..16u32 {
        let result = pixel(&mut setup, &images[1], lane);
        let is_written = lane % 2 == 0 && 0xff0f >> lane & 1 != 0;
        let number = |scale: u32| ((lane as f32 * scale as f32) / 255.0).to_le_bytes();
        let expected = if is_written { [1, 2, 3, 17].map(number).concat() } else { vec![0xab; 16] };
        assert_eq!(result, expected, "lane {lane}");
    }
}

#[test]
fn depth_is_written_beside_colors_and_without_them() {
    let text =
        |mode: &str| format!("    rt_write_3d.{mode} (M1, 16) T6 %null.0 r.0 g.0 b.0 a.0 z.0");
    for (mode, bytes) in [("<Z>", 64), ("<Z><NULLRT>", 0)] {
        let program = drawing(&[("z", "f", 16)], &text(mode));
        let depths: Vec<f32> = (0..16).map(|lane| lane as f32 / 32.0).collect();
        let mut setup = setup(&program).floats("z", &depths);
        let image = target(&mut setup, PixelFormat::Rgba8Unorm);
        let depth = target(&mut setup, PixelFormat::R32Float);
        let targets = RenderTargets {
            colors: vec![image.clone()],
            depth: Some(depth.clone()),
            ..RenderTargets::default()
        };
        setup.machine.surfaces().set(5, targets);
        setup.run();
        assert_eq!(written(&mut setup, &image), bytes, "{mode}");
        for lane in 0..16 {
            assert_eq!(pixel(&mut setup, &depth, lane), depths[lane as usize].to_le_bytes());
        }
    }
}

#[test]
fn halves_are_converted() {
    let program = image_program(
        &[("r", "hf", 16)],
        "    rt_write_3d (M1, 16) T6 %null.0 r.0 %null.0 %null.0 %null.0",
    );
    // 0.5
    let mut setup = Setup::new(&program).bytes("r", &[0, 0x38].repeat(16)).pixels(block());
    let image = target(&mut setup, PixelFormat::Rg16Float);
    setup
        .machine
        .surfaces()
        .set(5, RenderTargets { colors: vec![image.clone()], ..RenderTargets::default() });
    setup.run();
    assert_eq!(pixel(&mut setup, &image, 3)[..2], [0, 0x38]);
    // A channel without a color is undefined.
    assert_eq!(setup.machine.memory().first_undefined(image.address), Some((2 * 6 + 1) * 4 + 2));
}

#[test]
fn the_second_half_of_the_lanes_has_its_own_pixels() {
    let program = drawing(&[], "    rt_write_3d (M3, 8) T6 %null.0 r.0 g.0 b.0 a.0");
    let mut setup = setup(&program);
    let image = target(&mut setup, PixelFormat::R32Float);
    let targets = RenderTargets { colors: vec![image.clone()], ..RenderTargets::default() };
    setup.machine.surfaces().set(5, targets);
    setup.run();
    for lane in 0..8u32 {
        assert_eq!(pixel(&mut setup, &image, lane), [0xab; 4]);
        assert_eq!(pixel(&mut setup, &image, lane + 8), (lane as f32 / 255.0).to_le_bytes());
    }
}

#[test]
fn what_is_missing_or_outside_is_a_fault() {
    let plain = "rt_write_3d (M1, 16) T6 %null.0 r.0 g.0 b.0 a.0";
    let write = |statement: &str, pixels: Vec<[u32; 2]>| {
        let program = drawing(&[("s", "ub", 64)], &format!("    {statement}"));
        let mut setup = setup(&program).pixels(pixels).bytes("s", &[0; 64]);
        let image = target(&mut setup, PixelFormat::Rgba8Unorm);
        setup
            .machine
            .surfaces()
            .set(5, RenderTargets { colors: vec![image], ..RenderTargets::default() });
        setup.fault()
    };
    let (name, text) = write(plain, block()[..9].to_vec());
    assert_eq!(name, "not-given");
    assert!(text.starts_with("lane 9: the pixel of the lane"), "{text}");
    let mut outside = block();
    outside[4] = [6, 0];
    let (name, text) = write(plain, outside);
    assert_eq!(name, "outside-memory");
    assert!(text.starts_with("lane 4: writes 4 bytes"), "{text}");
    let mut same = block();
    same[4] = same[3];
    assert_eq!(write(plain, same).0, "conflicting-lanes");
    for (statement, name) in [
        ("rt_write_3d.<RTI> (M1, 16) T6 %null.0 0x1:ub r.0 g.0 b.0 a.0", "not-given"),
        ("rt_write_3d.<Z> (M1, 16) T6 %null.0 r.0 g.0 b.0 a.0 r.0", "not-given"),
        ("rt_write_3d (M1, 16) T6 s.0 r.0 g.0 b.0 a.0", "not-modelled"),
        ("rt_write_3d.<PS> (M1, 16) T6 %null.0 r.0 g.0 b.0 a.0", "not-given"),
        ("rt_write_3d.<CM> (M1, 16) T6 %null.0 r.0 g.0 b.0 a.0", "not-modelled"),
        ("rt_write_3d.<ST> (M1, 16) T6 %null.0 r.0 g.0 b.0 a.0 s.0", "not-given"),
    ] {
        assert_eq!(write(statement, block()).0, name, "{statement}");
    }
    let program = drawing(&[], &format!("    {plain}"));
    let mut setup = setup(&program);
    setup.buffer(5);
    assert_eq!(setup.fault().0, "malformed");
}

/// The bytes of samples of the pixel of a lane, in an image of one byte.
fn samples(setup: &mut Setup<'_>, image: &Image, lane: u32) -> Vec<u8> {
    let at = ((2 + lane / 4) * 6 + 1 + lane % 4) as usize;
    let memory = setup.machine.memory().bytes(image.address).expect("the image");
    (0..image.samples as usize).map(|sample| memory[sample * 6 * 7 + at]).collect()
}

/// Returns an image of 6 x 7 pixels with four samples.
fn multisampled(setup: &mut Setup<'_>, format: PixelFormat) -> Image {
    let address = setup.machine.memory().allocate("the samples", vec![0xab; 6 * 7 * 4]);
    let image = Image::new(Dimensions::D2, format, [6, 7, 1], address).with_samples(4);
    assert_eq!(image.bytes(), 6 * 7 * 4);
    image
}

#[test]
fn a_color_is_written_to_the_samples_of_the_mask() {
    let mask = |lane: u32| [0xfff1, 0x000a, 0xfff0, 0x000f][lane as usize % 4];
    for with_mask in [false, true] {
        let (mode, operand) = if with_mask { (".<O>", "mask.0 ") } else { ("", "") };
        let statement =
            format!("    rt_write_3d{mode} (M1, 16) T6 %null.0 {operand}r.0 g.0 b.0 a.0");
        let program = drawing(&[("mask", "uw", 16)], &statement);
        let masks: Vec<u8> = (0..16).flat_map(|lane| (mask(lane) as u16).to_le_bytes()).collect();
        let mut setup = setup(&program).bytes("mask", &masks);
        let image = multisampled(&mut setup, PixelFormat::R8Unorm);
        setup.machine.surfaces().set(5, image.clone());
        setup.run();
        for lane in 0..16 {
            let mask = if with_mask { mask(lane) } else { 0xffff };
            let expected = |sample: u32| if mask >> sample & 1 == 1 { lane as u8 } else { 0xab };
            let expected: Vec<u8> = (0..4).map(expected).collect();
            assert_eq!(samples(&mut setup, &image, lane), expected, "lane {lane}");
        }
    }
}

#[test]
fn the_sample_index_selects_the_sample_of_each_lane() {
    let statement = "    rt_write_3d.<PS><SI> (M1, 16) T6 %null.0 i(0,0)<1;1,0> r.0 g.0 b.0 a.0";
    let program = drawing(&[("i", "ud", 16)], statement);
    let indices: Vec<i32> = (0..16).map(|lane| lane * 3 % 4).collect();
    let mut setup = setup(&program).dwords("i", &indices);
    let image = multisampled(&mut setup, PixelFormat::R8Unorm);
    setup.machine.surfaces().set(5, image.clone());
    setup.run();
    for lane in 0..16 {
        let mut expected = vec![0xab; 4];
        expected[indices[lane as usize] as usize] = lane as u8;
        assert_eq!(samples(&mut setup, &image, lane), expected, "lane {lane}");
    }
    for sample in [4, 15, 16, 32] {
        let mut setup = self::setup(&program).dwords("i", &[sample; 16]);
        let image = multisampled(&mut setup, PixelFormat::R8Unorm);
        setup.machine.surfaces().set(5, image);
        let (name, text) = setup.fault();
        assert_eq!(name, "not-defined");
        let expected = format!("lane 0, sample_index: sample {sample} of a render target");
        assert!(text.starts_with(&expected), "{text}");
    }
}

#[test]
fn the_stencil_of_a_lane_is_a_byte() {
    let statement =
        "    rt_write_3d.<ST><NULLRT> (M1, 16) T6 %null.0 %null.0 %null.0 %null.0 %null.0 s.0";
    let program = image_program(&[("s", "ub", 16)], statement);
    let values: Vec<u8> = (0..16).map(|lane| lane * 13 + 1).collect();
    for samples in [1, 4] {
        let mut setup = Setup::new(&program).bytes("s", &values).pixels(block());
        let stencil = Image { samples, ..multisampled(&mut setup, PixelFormat::R8Uint) };
        let targets = RenderTargets { stencil: Some(stencil.clone()), ..RenderTargets::default() };
        setup.machine.surfaces().set(5, targets);
        setup.run();
        for lane in 0..16 {
            let expected = vec![values[lane as usize]; samples as usize];
            assert_eq!(self::samples(&mut setup, &stencil, lane), expected, "lane {lane}");
        }
    }
}

/// A message of one sample does not take the first sample of several in silence.
#[test]
fn other_messages_refuse_several_samples() {
    for statement in [
        "media_ld.nomod (4,4) T6 0 0x0:ud 0x0:ud r.0",
        "gather4_typed.R (M1, 16) T6 i.0 i.0 %null.0 %null.0 r.0",
        "load_lz.R (M1, 16) 0x0:uw T6 r.0 %null.0 i.0 i.0",
    ] {
        let program = drawing(&[("i", "ud", 16)], &format!("    {statement}"));
        let mut setup = setup(&program).dwords("i", &[0; 16]);
        let image = multisampled(&mut setup, PixelFormat::R8Uint);
        setup.machine.surfaces().set(5, image);
        let (name, text) = setup.fault();
        assert_eq!(name, "not-modelled", "{statement}: {text}");
        assert!(text.contains("an image with 4 samples"), "{statement}: {text}");
    }
}
