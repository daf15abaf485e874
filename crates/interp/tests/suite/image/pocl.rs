//! Samples of another implementation: PoCL, on a CPU (`tests/data/pocl-samples.txt`).

use genvisa_interp::{AddressMode, Dimensions, Filter, PixelFormat, Sampler};

use super::{Setup, floats, image_program};

const SAMPLES: &str = include_str!("../../data/pocl-samples.txt");

/// The largest difference: PoCL multiplies texels by the rounded reciprocal of 255, and computes a linear filter
/// in type F.
fn tolerance(filter: Filter) -> f32 {
    if filter == Filter::Nearest { f32::EPSILON / 2.0 } else { 2e-6 }
}

#[test]
fn samples_are_those_of_pocl() {
    let program = image_program(
        &[("u", "f", 16), ("v", "f", 16), ("d", "f", 64)],
        "    sample_lz.RGBA (M1, 16) 0x0:uw S0 T6 d.0 %null.0 u.0 v.0",
    );
    let mut lines = SAMPLES.lines().filter(|line| !line.starts_with('#'));
    let texels = lines.next().and_then(|line| line.strip_prefix("texels ")).expect("texels");
    let byte = |at: usize| u8::from_str_radix(&texels[at..at + 2], 16).expect("a byte");
    let texels: Vec<u8> = (0..texels.len()).step_by(2).map(byte).collect();
    let samples: Vec<Vec<&str>> = lines.map(|line| line.split(' ').collect()).collect();
    let mut compared = 0;
    for samples in samples.chunks(16) {
        let number = |text: &str| f32::from_bits(u32::from_str_radix(text, 16).expect("bits"));
        let column = |at: usize| samples.iter().map(|line| number(line[at])).collect::<Vec<f32>>();
        let [filter, mode, kind] = [samples[0][0], samples[0][1], samples[0][2]];
        let filter =
            Filter::ALL.into_iter().find(|known| known.name() == filter).expect("a filter");
        let mode = AddressMode::ALL.into_iter().find(|known| known.name() == mode).expect("a mode");
        let sampler = Sampler::new(filter, mode, kind == "normalized");
        let mut setup = Setup::new(&program).floats("u", &column(3)).floats("v", &column(4));
        setup.image(5, Dimensions::D2, PixelFormat::Rgba8Unorm, [5, 3, 1], &texels);
        setup.machine.surfaces().set_sampler(2, sampler);
        let result = floats(&program, &setup.run(), "d");
        for channel in 0..4 {
            for (lane, expected) in column(5 + channel).into_iter().enumerate() {
                let sample = result[channel * 16 + lane];
                let difference = (sample - expected).abs();
                let most = tolerance(filter);
                assert!(difference <= most, "{:?}, channel {channel}: {sample}", samples[lane]);
                compared += 1;
            }
        }
    }
    assert_eq!(compared, 384 * 4);
}
