//! What kernels compute, beside a few lines that say what their names promise.

use super::{Input, Picture, run};

fn number(value: u32) -> Input {
    Input::Bytes(value.to_le_bytes().to_vec())
}

fn word(value: u16) -> Input {
    Input::Bytes(value.to_le_bytes().to_vec())
}

/// Runs a kernel, and returns one of its pictures afterwards.
fn picture(
    (file, kernel): (&str, &str),
    space: [u32; 2],
    inputs: &[Input],
    index: usize,
) -> Picture {
    let after = run(file, kernel, space, inputs).unwrap_or_else(|fault| panic!("{fault}"));
    let pictures = inputs.iter().filter(|input| !matches!(input, Input::Bytes(_)));
    match pictures.zip(after).nth(index) {
        Some((Input::Picture(before), bytes)) => Picture { bytes, ..before.clone() },
        _ => panic!("input {index} of {kernel} is not a picture"),
    }
}

/// Checks each byte of a plane.
fn check(
    name: &str,
    found: &Picture,
    plane: usize,
    [width, height]: [usize; 2],
    expected: impl Fn(usize, usize) -> u8,
) {
    for y in 0..height {
        for x in 0..width {
            let (found, expected) = (found.at(plane, x, y), expected(x, y));
            assert_eq!(found, expected, "{name}: plane {plane}, byte {x} of row {y}");
        }
    }
}

/// The modes 0 to 3 copy a field of one picture to a field of another, 4 and 5 a picture of half the height to
/// a field, and 6 and 7 a field to a picture of half the height.
#[test]
#[ignore = "needs the corpus, in GENVISA_CORPUS"]
fn fields_are_copied() {
    for file in ["mediasdk-genx-fcopy-gen9", "mediasdk-genx-fcopy-gen11"] {
        for mode in 0..8u32 {
            let (from, to) = match mode {
                0..4 => ([64, 32], [64, 32]),
                4 | 5 => ([64, 32], [64, 64]),
                _ => ([64, 64], [64, 32]),
            };
            let source = Picture::noise("nv12", from, 1 + mode);
            let target = Picture::noise("nv12", to, 100 + mode);
            let inputs =
                [Input::Picture(source.clone()), Input::Picture(target.clone()), number(mode)];
            let found = picture((file, "MbCopyFieLd"), [4, 2], &inputs, 1);
            for (plane, rows) in [(0, to[1] as usize), (1, to[1] as usize / 2)] {
                check(&format!("mode {mode}"), &found, plane, [64, rows], |x, y| match mode {
                    // From the top or bottom field to the top or bottom field.
                    0..4 if y % 2 == [0, 1, 0, 1][mode as usize] => {
                        source.at(plane, x, y - y % 2 + [0, 0, 1, 1][mode as usize])
                    }
                    4 | 5 if y % 2 == mode as usize - 4 => source.at(plane, x, y / 2),
                    6 | 7 => source.at(plane, x, 2 * y + mode as usize - 6),
                    _ => target.at(plane, x, y),
                });
            }
        }
    }
}

#[test]
#[ignore = "needs the corpus, in GENVISA_CORPUS"]
fn surfaces_are_filled() {
    for file in ["mediadriver-pgpuinit-kernel-isa-gen9", "mediadriver-pgpuinit-kernel-isa-gen11lp"]
    {
        let value = 0x1122_3344_u32.to_le_bytes();
        let black = Picture::black("nv12", [256, 16]);
        let inputs = [number(u32::from_le_bytes(value)), Input::Picture(black)];
        let found = picture((file, "surfaceCopy_set"), [2, 2], &inputs, 0);
        check(file, &found, 0, [256, 16], |x, _| value[x % 4]);
        check(file, &found, 1, [256, 8], |_, _| 0);
        let found = picture((file, "surfaceCopy_set_NV12"), [2, 2], &inputs, 0);
        check(file, &found, 0, [256, 16], |x, _| value[x % 4]);
        check(file, &found, 1, [256, 8], |x, _| value[x % 4]);
    }
}

/// The samples of P010 are in the high bits of words.
#[test]
#[ignore = "needs the corpus, in GENVISA_CORPUS"]
fn nv12_becomes_p010() {
    let source = Picture::noise("nv12", [48, 32], 7);
    let target = Picture::noise("p010", [48, 32], 8);
    let inputs = [Input::Picture(source.clone()), Input::Picture(target)];
    let kernel = ("mediadriver-pnv12top010kernelbinarygen9", "NV12ToP010");
    let found = picture(kernel, [6, 2], &inputs, 1);
    for (plane, rows) in [(0, 32), (1, 16)] {
        check("P010", &found, plane, [96, rows], |x, y| match x % 2 {
            0 => 0,
            _ => source.at(plane, x / 2, y),
        });
    }
}

/// Returns a picture whose texels are the means of `n` x `n` texels, rounded.
fn reduced(source: &Picture, n: u32) -> Picture {
    let [width, height] = [source.image.width / n, source.image.height / n];
    let mut picture = Picture::black("r8-unorm", [width, height]);
    for (index, byte) in (0u32..).zip(&mut picture.bytes) {
        let [left, top] = [index % width * n, index / width * n];
        let texels = (0..n * n).map(|it| [left + it % n, top + it / n]);
        let sum: u32 = texels.map(|[x, y]| u32::from(source.at(0, x as usize, y as usize))).sum();
        *byte = ((sum + n * n / 2) / (n * n)) as u8;
    }
    picture
}

/// Returns a picture of half the width and height.
fn half(source: &Picture) -> Picture {
    reduced(source, 2)
}

#[test]
#[ignore = "needs the corpus, in GENVISA_CORPUS"]
fn pictures_are_scaled_down_for_motion_estimation() {
    let source = Picture::noise("r8-unorm", [128, 128], 9);
    for file in ["mediasdk-genx-simple-me-gen9", "mediasdk-genx-simple-me-gen12lp"] {
        let target = |size| Input::Picture(Picture::black("r8-unorm", [size, size]));
        let found = picture(
            (file, "DownSampleMB2X"),
            [4, 4],
            &[Input::Picture(source.clone()), target(64)],
            1,
        );
        assert_eq!(found, half(&source), "{file}");
        let found = picture(
            (file, "DownSampleMB4X"),
            [2, 2],
            &[Input::Picture(source.clone()), target(32)],
            1,
        );
        assert_eq!(found, half(&half(&source)), "{file}");
    }
}

#[test]
#[ignore = "needs the corpus, in GENVISA_CORPUS"]
fn frames_are_scaled_down_for_hierarchical_motion_estimation() {
    const FILE: &str = "mediadriver-hme-downscale-gen9";
    let source = Picture::noise("r8-unorm", [128, 64], 10);
    let target = |size| Input::Picture(Picture::black("r8-unorm", size));
    let inputs = [
        word(128),
        word(64),
        Input::Bytes(vec![0; 28]),
        Input::Picture(source.clone()),
        target([64, 32]),
    ];
    let found = picture((FILE, "hme_frame_downscale2"), [4, 2], &inputs, 1);
    assert_eq!(found, half(&source));
    let inputs = [
        word(128),
        word(64),
        Input::Picture(source.clone()),
        target([32, 16]),
        Input::Bytes(vec![0; 8]),
        number(0),
        number(0),
        number(0),
        Input::Buffer(vec![0; 4096]),
    ];
    let found = picture((FILE, "hme_frame_downscale"), [4, 2], &inputs, 1);
    assert_eq!(found, half(&half(&source)));
}

/// The fields are pictures of their own.
#[test]
#[ignore = "needs the corpus, in GENVISA_CORPUS"]
fn fields_are_scaled_down_for_hierarchical_motion_estimation() {
    const FILE: &str = "mediadriver-hme-downscale-gen9";
    let [top, bottom] = [13, 14].map(|seed| Picture::noise("r8-unorm", [128, 64], seed));
    let target = |size| Input::Picture(Picture::black("r8-unorm", size));
    let inputs = |size, rest: Vec<Input>| {
        let pictures = [
            Input::Picture(top.clone()),
            target(size),
            Input::Picture(bottom.clone()),
            target(size),
        ];
        [word(128), word(128)].into_iter().chain(rest).chain(pictures).collect::<Vec<_>>()
    };
    let twice = inputs([64, 32], vec![Input::Bytes(vec![0; 28])]);
    let mut four_times = inputs([32, 16], Vec::new());
    four_times.extend([number(0), number(0), number(0)]);
    four_times.extend([Input::Buffer(vec![0; 4096]), Input::Buffer(vec![0; 4096])]);
    for (index, field) in [(1, &top), (3, &bottom)] {
        let found = picture((FILE, "hme_field_downscale2"), [4, 4], &twice, index);
        assert_eq!(found, half(field));
        let found = picture((FILE, "hme_field_downscale"), [4, 4], &four_times, index);
        assert_eq!(found, reduced(field, 4));
    }
}

/// Scene-change detection takes single texels of each row, of both fields in turns, or of one of them.
#[test]
#[ignore = "needs the corpus, in GENVISA_CORPUS"]
fn texels_are_chosen_for_the_detection_of_scene_changes() {
    for file in ["mediasdk-genx-scd-gen9", "mediasdk-genx-scd-gen12lp"] {
        for [width, height] in [[128u32, 64u32], [160, 40], [96, 48]] {
            let source = Picture::noise("r8-unorm", [width, height], width);
            let target = Picture::black("r8-unorm", [32, 8]);
            let inputs = [
                Input::Picture(source.clone()),
                Input::Picture(target),
                number(width),
                number(height),
                number(32),
                number(8),
            ];
            let [dx, dy] = [width as usize / 32, height as usize / 8];
            for kernel in ["SubSamplePoint_p", "SubSamplePoint_t", "SubSamplePoint_b"] {
                let found = picture((file, kernel), [2, 8], &inputs, 1);
                check(kernel, &found, 0, [32, 8], |x, y| {
                    let row = match kernel {
                        "SubSamplePoint_t" => (dy * y).next_multiple_of(2),
                        "SubSamplePoint_b" => dy * y / 2 * 2 + 1,
                        _ if dy % 2 == 0 => dy * y + y % 2,
                        _ => dy * y,
                    };
                    source.at(0, dx * x, row)
                });
            }
            let target = Input::Picture(Picture::black("r8-unorm", [width, height]));
            let inputs =
                [Input::Picture(source.clone()), target, number(width), number(height), number(0)];
            let space = [width / 32, height / 8];
            let found = picture((file, "surfaceCopy_Y"), space, &inputs, 1);
            assert_eq!(found.bytes, source.bytes);
        }
    }
}

/// The variance of each macroblock, and how much its rows and columns differ from those before them.
#[test]
#[ignore = "needs the corpus, in GENVISA_CORPUS"]
fn macroblocks_are_measured() {
    for file in ["mediasdk-genx-mc-gen8", "mediasdk-genx-mc-gen12lp"] {
        // Sums of brighter macroblocks do not fit the words of the kernel.
        let mut source = Picture::noise("r8-unorm", [64, 48], 15);
        source.bytes.iter_mut().for_each(|byte| *byte /= 3);
        let results = Picture::black("r8-unorm", [16, 3]);
        let inputs = [Input::Picture(source.clone()), Input::Picture(results), number(0)];
        let found = picture((file, "MC_VAR_SC_CALC"), [2, 3], &inputs, 1);
        for (left, top) in [(0, 0), (16, 0), (0, 16), (16, 16), (0, 32), (16, 32)] {
            let at = |x: usize, y: usize| f64::from(source.at(0, left + x, top + y));
            let texels = || (0..16).flat_map(|y| (0..16).map(move |x| (x, y)));
            let mean = texels().map(|(x, y)| at(x, y)).sum::<f64>() / 256.0;
            let square = texels().map(|(x, y)| at(x, y).powi(2)).sum::<f64>() / 256.0;
            // Of each block of 4 x 4 texels, the sum of squares is divided by 16 and rounded down.
            let blocks = |distance: &dyn Fn(usize, usize) -> f64| {
                let sum = |bx: usize, by: usize| {
                    let inside = (0..4).flat_map(|y| (0..4).map(move |x| (x, y)));
                    inside.map(|(x, y)| distance(4 * bx + x, 4 * by + y).powi(2)).sum::<f64>()
                };
                let all = (0..4).flat_map(|y| (0..4).map(move |x| (x, y)));
                all.map(|(x, y)| (sum(x, y) / 16.0).floor()).sum::<f64>()
            };
            let before = |x: usize, y: usize, dx: usize, dy: usize| {
                let clamped = |place: usize, step: usize| (place + 1).saturating_sub(1 + step);
                f64::from(source.at(0, clamped(left + x, dx), clamped(top + y, dy)))
            };
            let rows = blocks(&|x, y| before(x, y, 0, 1) - at(x, y));
            let columns = blocks(&|x, y| before(x, y, 1, 0) - at(x, y));
            let start = (top / 16) * 16 + left / 16 * 8;
            let float = |at: usize| {
                let bytes = [0, 1, 2, 3].map(|byte| found.bytes[start + at + byte]);
                f64::from(f32::from_le_bytes(bytes))
            };
            let variance = square - mean * mean;
            assert!((float(0) - variance).abs() < 0.01, "{} is not {variance}", float(0));
            assert_eq!(float(4), (rows + columns) / 16.0, "rows and columns");
        }
    }
}

#[test]
#[ignore = "needs the corpus, in GENVISA_CORPUS"]
fn two_predictions_are_merged() {
    for file in ["mediasdk-genx-mc-gen8", "mediasdk-genx-mc-gen12lp"] {
        let [a, b] = [11, 12].map(|seed| Picture::noise("r8-unorm", [48, 32], seed));
        let inputs = [Input::Picture(a.clone()), Input::Picture(b.clone()), number(0)];
        let found = picture((file, "MC_MERGE4"), [3, 2], &inputs, 0);
        check(file, &found, 0, [48, 32], |x, y| {
            (u32::from(a.at(0, x, y)) + u32::from(b.at(0, x, y))).div_ceil(2) as u8
        });
    }
}
