//! Dispatch of kernels: payloads, grids and arguments.

use genvisa::Platform;
use genvisa::operand::VarId;
use genvisa_interp::binary::{DeviceBinary, Execution, Kernel, PayloadArgument, PayloadKind};
use genvisa_interp::dispatch::{
    Argument, DispatchError, Grid, Launch, LocalIds, Options, Payload, ThreadNumbering, Values,
};
use genvisa_interp::{FaultKind, Machine, Program, ThreadStart};

use crate::binary::{DEVICES, fixture};

fn floats(values: impl IntoIterator<Item = f32>) -> Vec<u8> {
    values.into_iter().flat_map(f32::to_le_bytes).collect()
}

fn ints(values: impl IntoIterator<Item = i32>) -> Vec<u8> {
    values.into_iter().flat_map(i32::to_le_bytes).collect()
}

/// Runs a kernel of a fixture, and returns the contents of its first argument.
fn run(
    device: &str,
    kernel: &str,
    sizes: (&[u32], &[u32]),
    arguments: Vec<Argument>,
    workers: u32,
) -> Result<Vec<u8>, String> {
    let binary = DeviceBinary::from_bytes(&fixture(device)).expect("a fixture");
    let platform = binary.platform().expect("a platform");
    let program = Program::of_kernel(&binary, kernel, platform).expect("the text");
    let mut machine = Machine::new(&program);
    let grid = Grid::new(sizes.0, sizes.1).map_err(|error| error.to_string())?;
    let options = Options { platform, workers };
    let launch = Launch::new(&mut machine, &binary, kernel, options, grid, arguments)
        .map_err(|error| error.to_string())?;
    launch.run(&machine, workers).map_err(|fault| fault.to_string())?;
    let address = launch.buffer(0).expect("a buffer");
    Ok(machine.memory().bytes(address).expect("its contents").to_vec())
}

fn scale_arguments(count: i32, size: usize) -> Vec<Argument> {
    vec![
        Argument::Buffer(vec![0; size * 4]),
        Argument::Buffer(floats((0..size).map(|it| it as f32))),
        Argument::Value(floats([2.5])),
        Argument::Value(ints([count])),
    ]
}

#[test]
fn kernels_of_all_devices_run() {
    let offsets = [1.0, -2.0, 3.0, -4.0];
    let expected =
        |index: usize| if index < 95 { 2.5 * index as f32 + offsets[index & 3] } else { 0.0 };
    for device in DEVICES {
        for (local, workers) in [(32, 1), (50, 1), (20, 3)] {
            let found = run(device, "scale", (&[100], &[local]), scale_arguments(95, 100), workers);
            let found = found.unwrap_or_else(|problem| panic!("{device}: {problem}"));
            assert_eq!(found, floats((0..100).map(expected)), "{device}, groups of {local}");
        }
    }
}

#[test]
fn private_and_local_memory_belong_to_their_threads_and_groups() {
    for device in ["tgllp", "bmg"] {
        for workers in [1, 4] {
            let arguments = || {
                let bytes = vec![0; 16 * 3 * 4];
                vec![Argument::Buffer(bytes), Argument::Local(64), Argument::Value(vec![1])]
            };
            let found = run(device, "rotate", (&[24, 2], &[8, 2]), arguments(), workers);
            let found = found.unwrap_or_else(|problem| panic!("{device}: {problem}"));
            // `mine[by & 3]` is the element that was written for 0.
            let row = |_| (0..16).map(|item| ((item + 1) & 15) * 10);
            assert_eq!(found, ints((0..3).flat_map(row)), "{device}");
        }
    }
}

#[test]
fn faults_name_the_argument() {
    let problem = run("pvc", "scale", (&[128], &[32]), scale_arguments(128, 100), 1);
    let problem = problem.expect_err("an access outside of the buffer");
    assert!(problem.contains("0 bytes after the end of argument 1 (x) (400 bytes)"), "{problem}");
}

#[test]
fn wrong_arguments_and_sizes_are_refused() {
    let with = |sizes: (&[u32], &[u32]), kernel: &str, arguments: Vec<Argument>| {
        run("bmg", kernel, sizes, arguments, 1).expect_err("an error")
    };
    let sizes: (&[u32], &[u32]) = (&[32], &[32]);
    let mut arguments = scale_arguments(1, 32);
    arguments.pop();
    assert_eq!(with(sizes, "scale", arguments), "the kernel has 4 arguments, but 3 are given");
    let mut arguments = scale_arguments(1, 32);
    arguments.swap(1, 2);
    assert_eq!(
        with(sizes, "scale", arguments),
        "argument 1, `x`: expected a buffer, found a value"
    );
    let mut arguments = scale_arguments(1, 32);
    arguments[3] = Argument::Value(vec![0; 8]);
    assert_eq!(with(sizes, "scale", arguments), "argument 3, `n`: expected 4 bytes, found 8");
    let rotate =
        || vec![Argument::Buffer(vec![0; 64]), Argument::Local(64), Argument::Value(vec![1])];
    assert_eq!(
        with((&[32], &[32]), "rotate", rotate()),
        "the kernel requires groups of [8, 2, 1], not [32, 1, 1]"
    );
    for (global, local, expected) in [
        (&[32][..], &[0][..], "a size is 0"),
        (&[32], &[32, 1], "the grid has 1 dimensions, but its groups have 2"),
        (&[4096], &[2048], "a group has 2048 work-items, more than 1024"),
        (&[], &[], "the grid has 0 dimensions, not 1, 2 or 3"),
        (&[65536, 65536], &[1, 1], "the grid has 4294967296 groups, more than 32 bits can count"),
    ] {
        let error = Grid::new(global, local).expect_err("an error");
        assert_eq!(error.to_string(), expected);
    }
    let binary = DeviceBinary::from_bytes(&fixture("pvc")).expect("a fixture");
    let error = Program::of_kernel(&binary, "rotate", Platform::PvcXt).expect_err("no such kernel");
    assert_eq!(error.to_string(), "there is no kernel `rotate`; the binary has `scale`");
}

#[test]
fn null_pointers_fault_when_they_are_read() {
    let mut arguments = scale_arguments(1, 32);
    arguments[1] = Argument::Null;
    let problem = run("bmg", "scale", (&[32], &[32]), arguments, 1).expect_err("a fault");
    assert!(problem.contains("reads 4 bytes at 0x0, which no buffer contains"), "{problem}");
}

fn kernel(lanes: u32, per_thread_size: u32, walk_order: [u8; 3]) -> Kernel {
    Kernel {
        execution: Execution { simd_size: lanes, walk_order, ..Execution::default() },
        per_thread_size,
        ..Kernel::default()
    }
}

#[test]
fn local_ids_fill_whole_registers() {
    // Registers of 32 bytes and 8 lanes: 16 of 32 bytes are used.
    let ids = LocalIds::new(&kernel(8, 96, [0, 1, 2]), 32).expect("a layout");
    let mut payload = vec![0xff; 96];
    // The third thread of a group of 5 x 3 x 2: the items from 16 on.
    ids.write([5, 3, 2], 2, &mut payload);
    let words = |at: usize, count: usize| -> Vec<u8> {
        payload[at..at + count * 2].chunks(2).map(|word| word[0]).collect()
    };
    assert_eq!(words(0, 8), [1, 2, 3, 4, 0, 1, 2, 3]);
    assert_eq!(words(32, 8), [0, 0, 0, 0, 1, 1, 1, 1]);
    assert_eq!(words(64, 8), [1; 8]);
    assert_eq!(ids.threads([5, 3, 2]), 4);
    assert_eq!([0, 3].map(|thread| ids.mask([5, 3, 2], thread)), [0xff, 0x3f]);

    let ids = LocalIds::new(&kernel(32, 64, [1, 0, 2]), 64).expect("a layout");
    assert_eq!(ids.id([4, 3, 1], 0, 4), [1, 1, 0]);
    for (kernel, register) in [
        (kernel(32, 96, [0, 1, 2]), 64),
        (kernel(8, 32, [0, 0, 2]), 32),
        (kernel(8, 128, [0, 1, 2]), 32),
    ] {
        assert!(matches!(LocalIds::new(&kernel, register), Err(DispatchError::NotModelled(_))));
    }
}

#[test]
fn inline_arguments_precede_the_others() {
    let argument = |offset| PayloadArgument {
        kind: PayloadKind::WorkDimensions,
        offset,
        size: 4,
        ..PayloadArgument::default()
    };
    for (register, inline, places) in [
        (64, 0, [128, 156, 160]),
        // A hole follows the 32 inline bytes.
        (64, 32, [128, 156, 192]),
        (32, 32, [96, 124, 128]),
    ] {
        let mut kernel = kernel(16, register, [0, 1, 2]);
        kernel.execution.inline_data_size = inline;
        kernel.payload = [0, 28, 32].map(argument).to_vec();
        let grid = Grid::new(&[16, 2, 2], &[16, 1, 1]).expect("a grid");
        let payload = Payload::new(&kernel, register, None, grid, &Values::default());
        let payload = payload.expect("a payload");
        let ThreadStart { image, mask, .. } = payload.group([0, 1, 1], 0).next().expect("a thread");
        // The first local id is 0, and the others are in the register of local ids.
        let first = if register == 64 { 128 } else { 64 };
        let places = places.map(|place: usize| if register == 64 { place } else { place - 32 });
        assert_eq!(places[0], first);
        for place in places {
            assert_eq!(image[place..place + 4], 3u32.to_le_bytes(), "{register} {inline} {place}");
        }
        let dword =
            |index: usize| u32::from_le_bytes(image[index * 4..][..4].try_into().expect("4"));
        assert_eq!([dword(1), dword(2), dword(6), dword(7)], [0, 0, 1, 1]);
        assert_eq!(mask, 0xffff);
    }
}

#[test]
fn unknown_payload_arguments_are_refused_by_name() {
    let mut kernel = kernel(16, 0, [0, 1, 2]);
    kernel.payload = vec![PayloadArgument {
        kind: PayloadKind::Other("rt_global_buffer".into()),
        size: 8,
        ..PayloadArgument::default()
    }];
    let grid = Grid::new(&[16], &[16]).expect("a grid");
    let error = Payload::new(&kernel, 64, None, grid, &Values::default()).expect_err("an error");
    assert_eq!(error.to_string(), "payload argument `rt_global_buffer` of 8 bytes is not modelled");
}

/// The formulas with which kernels compute the number of their hardware thread.
#[test]
fn state_registers_contain_the_number_of_the_thread() {
    let spread = |s: u32| ((s >> 1) & !7) | (s & 7);
    for (platform, number) in [
        (Platform::Tgllp, (|_, _, hw_id| hw_id) as fn(u32, u32, u32) -> u32),
        (Platform::Dg2, |sr0, _, _| sr0 & 0x3fff),
        (Platform::PvcXt, |sr0, _, _| sr0 & 0x7fff),
        (Platform::Xe2, |sr0, _, _| sr0 & 0x7f),
        (Platform::Xe3, |sr0, _, _| sr0 & 0x7f),
        (Platform::Xe3pCri, |sr0, msg0, _| ((msg0 & 0xff) << 7) | (sr0 & 0x7f)),
        (Platform::Xe3p, |sr0, _, _| sr0 & 0x7f),
    ] {
        let numbering = ThreadNumbering::of(platform).expect("a numbering");
        for thread in (0..numbering.limit()).step_by(7) {
            let registers = numbering.registers(thread, 0xffff);
            let dword = |var: u32, index: usize| {
                let found = registers.iter().find(|(id, _)| *id == VarId(var));
                found.map_or(0, |(_, bytes)| {
                    u32::from_le_bytes(bytes[index * 4..][..4].try_into().expect("4 bytes"))
                })
            };
            let (sr0, msg0, hw_id) = (dword(13, 0), dword(20, 0), dword(12, 0));
            let s = number(sr0, msg0, hw_id);
            let found = match platform {
                Platform::Tgllp => s,
                Platform::Dg2 => spread(((s >> 1) & !63) | (s & 63)),
                Platform::PvcXt => spread(((s >> 2) & !63) | (s & 63)),
                Platform::Xe2 => ((msg0 & 0xff) << 6) | spread(s),
                Platform::Xe3pCri => spread(s),
                _ => (((msg0 & 0xff) << 3) | (s >> 4)) * 10 + (sr0 & 15),
            };
            assert_eq!(found, thread, "{platform}");
            assert_eq!(dword(13, 2), 0xffff);
        }
    }
}

#[test]
fn a_fault_of_a_group_stops_the_others() {
    let binary = DeviceBinary::from_bytes(&fixture("bmg")).expect("a fixture");
    let platform = binary.platform().expect("a platform");
    let program = Program::of_kernel(&binary, "scale", platform).expect("the text");
    for workers in [1, 4] {
        let mut machine = Machine::new(&program);
        let grid = Grid::new(&[320], &[32]).expect("a grid");
        let options = Options { platform, workers };
        let arguments = scale_arguments(320, 32);
        let launch = Launch::new(&mut machine, &binary, "scale", options, grid, arguments);
        let fault = launch.expect("a launch").run(&machine, workers).expect_err("a fault");
        assert!(matches!(fault.kind, FaultKind::OutsideMemory { .. }), "{fault}");
        let group = fault.place.expect("a place").group;
        assert!(workers > 1 || group == [1, 0, 0], "{group:?}");
    }
}

/// Sizes and numbers that no dispatch has.
#[test]
fn layouts_accept_any_sizes() {
    const ODD: [u32; 5] = [0, 1, 5, u32::MAX - 1, u32::MAX];
    for (lanes, register) in [(0, 32), (33, 32), (u32::MAX, 32), (16, 0)] {
        let kernel = kernel(lanes, 96, [0, 1, 2]);
        assert!(LocalIds::new(&kernel, register).is_err(), "{lanes} {register}");
        let grid = Grid::new(&[8], &[8]).expect("a grid");
        assert!(Payload::new(&kernel, register, None, grid, &Values::default()).is_err());
    }
    let ids = LocalIds::new(&kernel(16, 96, [0, 1, 2]), 32).expect("a layout");
    for x in ODD {
        for thread in ODD {
            let size = [x, 3, u32::MAX];
            let id = ids.id(size, thread, u32::MAX);
            assert!(id.iter().zip(size).all(|(id, size)| *id < size.max(1)));
            assert!(ids.threads(size) > 0 || x == 0);
            ids.mask(size, thread);
            ids.write(size, thread, &mut [0; 7]);
        }
    }
    let grid = Grid::new(&[5, 7], &[2, 3]).expect("a grid").with_offset([u32::MAX; 3]);
    for number in ODD {
        let [x, y, _] = grid.group_id(number);
        assert!(x < 3 && y < 3);
        assert!(
            grid.group_size([number; 3]).iter().zip([2, 3, 1]).all(|(size, most)| *size <= most)
        );
    }
}
