//! Images and operands of any kind: a run ends, with a result or a fault.

use genvisa_interp::{
    AddressMode, Compare, Dimensions, Filter, Image, PixelFormat, RenderTargets, Sampler,
};
use genvisa_test_support::rng::Rng;

use super::{Setup, image_program};

const MESSAGES: [&str; 22] = [
    "resinfo.RGBA (M1, 16) T6 u.0 d.0",
    "sampleinfo.RGBA (M1, 16) T6 d.0",
    "media_ld.bottom (5,32) T6 1 s(0,0)<0;1,0> s(0,1)<0;1,0> d.0",
    "media_ld.nomod (64,4) T6 0 s(0,0)<0;1,0> s(0,1)<0;1,0> d.0",
    "media_st.top (4,8) T6 0 s(0,0)<0;1,0> s(0,1)<0;1,0> d.0",
    "gather4_typed.RGBA (M1, 16) T6 u.0 v.0 r.0 %null.0 d.0",
    "scatter4_typed.RGBA (M1, 16) T6 u.0 v.0 r.0 %null.0 d.0",
    "typed_atomic.add (M1, 16) T6 u.0 v.0 r.0 %null.0 r.0 %null.0 d.0",
    "typed_atomic.fmax (M1, 16) T6 u.0 v.0 r.0 %null.0 r.0 %null.0 d.0",
    "lsc_load_quad.tgm (M1, 16)  d:d32.xyzw  bti(0x5)[u,v,r]:a32",
    "lsc_store_quad.tgm (M1, 16)  bti(0x5)[u,v,r]:a32  d:d32.xyzw",
    "lsc_atomic_icas.tgm (M1, 16)  d:d32  bti(0x5)[u]:a32  v  r",
    "lsc_load_block2d.tgm  d:30x8  bti(0x5)[s(0,0),s(0,1)]",
    "lsc_store_block2d.tgm  bti(0x5)[s(0,0),s(0,1)]  d:30x8",
    "lsc_load_block2d.ugm (M1, 1)  d:d16.2x3x5nt  flat[b(0,0),s(0,0),s(0,1),s(0,2),s(0,3),s(0,4)]",
    "lsc_store_block2d.ugm (M1, 1)  flat[b(0,0),s(0,0),s(0,1),s(0,2),s(0,3),s(0,4)]  d:d8.16x8nn",
    "lsc_load_block2d.ugm (M1, 1)  d:d8.8x8nn  flat[s + (-5,7)]",
    "sample_l.RGBA (M1, 16) 0x7f8:uw S0 T6 d.0 %null.0 u.0 u.0 v.0 r.0",
    "sample_c_lz.pixel_null_mask.RGBA (M1, 16) 0x0:uw S0 T6 d.0 %null.0 r.0 u.0 v.0",
    "load_3d.RGBA (M1, 16) 0x888:uw T6 d.0 %null.0 u.0 v.0 s.0 r.0",
    "sample4.B (M1, 16) 0x120:uw S0 T6 d.0 %null.0 u.0 v.0 r.0",
    "rt_write_3d.<Z> (M1, 16) T6 %null.0 u.0 v.0 r.0 u.0 v.0",
];

const SIZES: [u32; 7] = [0, 1, 2, 7, 64, 1 << 31, u32::MAX];

fn pick<T: Copy>(rng: &mut Rng, all: &[T]) -> T {
    all[rng.bits() as usize % all.len()]
}

/// Returns bytes of an operand: any, or small numbers, or floats near 1.
fn operand(rng: &mut Rng, size: usize) -> Vec<u8> {
    let kind = rng.bits() % 4;
    let dword = |bits: u64| match kind {
        0 => bits as u32,
        1 => (bits % 8) as u32,
        2 => 0,
        _ => (bits as f32 / u64::MAX as f32 * 4.0 - 1.0).to_bits(),
    };
    (0..size / 4).flat_map(|_| dword(rng.bits()).to_le_bytes()).collect()
}

fn image(rng: &mut Rng, address: u64) -> Image {
    let mut size = [pick(rng, &SIZES), pick(rng, &SIZES), pick(rng, &SIZES)];
    let dimensions = pick(rng, &Dimensions::ALL);
    if dimensions == Dimensions::Cube && rng.bits() % 4 > 0 {
        size = [size[0], size[0], pick(rng, &[6, 12, 0xffff_fffc])];
    }
    match rng.bits() % 4 {
        0 => Image::nv12(size[0], size[1], size[2], address),
        1 => Image {
            row_pitch: pick(rng, &SIZES),
            slice_pitch: pick(rng, &SIZES),
            address: rng.bits(),
            ..Image::new(dimensions, pick(rng, PixelFormat::ALL), size, address)
        },
        _ => Image::new(dimensions, pick(rng, PixelFormat::ALL), size, address),
    }
}

#[test]
fn every_message_ends() {
    let variables = [
        ("u", "f", 16),
        ("v", "f", 16),
        ("r", "f", 16),
        ("s", "d", 16),
        ("b", "uq", 8),
        ("d", "f", 128),
    ];
    let (mut results, mut faults) = ([0; MESSAGES.len()], 0);
    for (message, result) in MESSAGES.iter().zip(&mut results) {
        let program = image_program(&variables, &format!("    {message}"));
        for seed in 0..1000 {
            let mut rng = Rng::new(seed, 3);
            let mut setup = Setup::new(&program).pixels(vec![[1, 0]; 16]);
            for (name, _, count) in variables {
                let bytes = if name == "b" { 8 } else { 4 } * count as usize;
                setup = setup.bytes(name, &operand(&mut rng, bytes));
            }
            let address = setup.machine.memory().allocate("memory", vec![0x5a; 1 << 13]);
            if rng.bits() % 2 == 0 {
                setup = setup.bytes("b", &address.to_le_bytes());
            }
            let first = image(&mut rng, address);
            let depth = rng.bits() % 2 == 0;
            match message.starts_with("rt_write") {
                true => {
                    let [depth, stencil] =
                        [(); 2].map(|()| depth.then(|| image(&mut rng, address)));
                    setup
                        .machine
                        .surfaces()
                        .set(5, RenderTargets { colors: vec![first], depth, stencil });
                }
                false => setup.machine.surfaces().set(5, first),
            }
            let modes = [pick(&mut rng, &AddressMode::ALL), pick(&mut rng, &AddressMode::ALL)];
            let sampler = Sampler {
                address: [modes[0], modes[1], modes[0]],
                compare: Some(Compare::Less),
                border: [f32::NAN, f32::INFINITY, -1.0, 1e30],
                ..Sampler::new(pick(&mut rng, &Filter::ALL), modes[0], depth)
            };
            setup.machine.surfaces().set_sampler(2, sampler);
            match setup.run_lanes(0xffff) {
                Ok(_) => *result += 1,
                Err(_) => faults += 1,
            }
        }
    }
    // Most messages have both.
    let run = results.iter().filter(|count| **count > 0).count();
    assert!(faults > 1000 && run >= MESSAGES.len() - 3, "{results:?}, {faults} faults");
}
