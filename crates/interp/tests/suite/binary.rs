//! Device binaries: what kernels expect as arguments, and damaged binaries.

use genvisa::Platform;
use std::fs;

use genvisa_interp::binary::{AddressMode, DeviceBinary, PayloadKind};
use genvisa_interp::dispatch::{Argument, Grid, Launch, Options, Parameter};
use genvisa_interp::{Machine, Program};
use genvisa_test_support::repository;
use genvisa_test_support::rng::Rng;

/// Returns the bytes of the device binary for a device.
pub fn fixture(device: &str) -> Vec<u8> {
    let path = repository(&format!("crates/interp/tests/data/scale-{device}.bin"));
    fs::read(path).expect("a fixture")
}

pub const DEVICES: [&str; 4] = ["tgllp", "dg2", "pvc", "bmg"];

#[test]
fn kernels_have_the_facts_of_their_binary() {
    let binary = DeviceBinary::from_bytes(&fixture("tgllp")).expect("a device binary");
    assert_eq!(binary.platform().ok(), Some(Platform::Tgllp));
    let names: Vec<&str> = binary.kernels.iter().map(|kernel| &*kernel.name).collect();
    assert_eq!(names, ["scale", "rotate"]);
    let scale = binary.kernel("scale").expect("the kernel");
    assert_eq!(
        Parameter::of_kernel(scale),
        [Parameter::Buffer, Parameter::Buffer, Parameter::Value(4), Parameter::Value(4)]
    );
    assert_eq!((scale.argument_name(2), scale.argument_type(2)), ("a", "float"));
    assert_eq!(scale.execution.inline_data_size, 0);
    assert_eq!(scale.binding_table, [(0, 0), (1, 1)]);
    let rotate = binary.kernel("rotate").expect("the kernel");
    assert_eq!(rotate.execution.required_group_size, Some([8, 2, 1]));
    assert_eq!(
        Parameter::of_kernel(rotate),
        [Parameter::Buffer, Parameter::Local, Parameter::Value(1)]
    );

    let binary = DeviceBinary::from_bytes(&fixture("bmg")).expect("a device binary");
    let scale = binary.kernel("scale").expect("the kernel");
    assert_eq!(scale.execution.inline_data_size, 32);
    let mut pointers = scale.payload.iter().filter(|entry| entry.kind == PayloadKind::Pointer);
    assert!(pointers.all(|entry| entry.mode == Some(AddressMode::Stateless) && entry.size == 8));
    let constants = binary.data.iter().find(|section| section.name == ".data.const");
    let expected: Vec<u8> = [1i32, -2, 3, -4].iter().flat_map(|it| it.to_le_bytes()).collect();
    assert_eq!(constants.map(|section| &section.bytes[..16]), Some(&*expected));
}

/// Returns where `.ze_info` starts.
fn info(bytes: &[u8]) -> usize {
    bytes.windows(4).rposition(|window| window == b"---\n").expect("the document")
}

#[test]
fn damaged_binaries_are_errors_or_run() {
    let mut rng = Rng::new(7, 0);
    let (mut refused, mut ran) = (0, 0);
    for device in DEVICES {
        let bytes = fixture(device);
        let info = info(&bytes);
        for round in 0..150 {
            let mut damaged = bytes.clone();
            for _ in 0..=rng.below(3) {
                // Half of the damages are in `.ze_info`, which is a small part.
                let at =
                    if round % 2 == 0 { rng.below(bytes.len()) } else { info + rng.below(3000) };
                let digit = rng.pick(b"0123456789-:[{x\n ");
                let Some(byte) = damaged.get_mut(at) else { continue };
                *byte = if round % 4 < 2 { digit } else { rng.bits() as u8 };
            }
            match run_scale(&damaged) {
                Some(()) => ran += 1,
                None => refused += 1,
            }
        }
    }
    assert!(refused > 50 && ran > 50, "{refused} refused, {ran} ran");
}

/// Runs `scale` if the binary is readable.
fn run_scale(bytes: &[u8]) -> Option<()> {
    let binary = DeviceBinary::from_bytes(bytes).ok()?;
    let platform = binary.platform().ok()?;
    let program = Program::of_kernel(&binary, "scale", platform).ok()?;
    let mut machine = Machine::new(&program).with_limit(10_000 * 32);
    let grid = Grid::new(&[32], &[32]).expect("a grid");
    let arguments = vec![
        Argument::Buffer(vec![0; 128]),
        Argument::Buffer(vec![0; 128]),
        Argument::Value(vec![0; 4]),
        Argument::Value(32i32.to_le_bytes().to_vec()),
    ];
    let options = Options { platform, workers: 1 };
    let launch = Launch::new(&mut machine, &binary, "scale", options, grid, arguments).ok()?;
    // A fault is a result as well.
    let _ = launch.run(&machine, 1);
    Some(())
}
