//! Races of lanes, and the order that atomic operations and barriers establish.

use genvisa_interp::binary::DeviceBinary;
use genvisa_interp::dispatch::{Argument, Grid, Launch, Options};
use genvisa_interp::{Fault, FaultKind, Machine, Program, ThreadStart};

use genvisa_test_support::repository;

use crate::support::{kernel, program, variable};

/// What a kernel of `races.cl` does.
#[derive(Debug, PartialEq)]
enum Report {
    Nothing,
    /// Lanes of a thread race.
    Lanes,
    /// Threads race, and the earlier access is this.
    Threads(&'static str),
}

const KERNELS: [(&str, u32, Report); 14] = [
    ("barrier_of_one_thread", 16, Report::Nothing),
    ("sub_group_barrier_between", 16, Report::Nothing),
    ("no_barrier", 16, Report::Lanes),
    ("neighbor_is_overwritten", 16, Report::Lanes),
    ("last_lane_overwrites", 16, Report::Lanes),
    ("same_value", 16, Report::Nothing),
    ("increment_without_atomic", 128, Report::Threads("written by thread 0 of group 0")),
    ("read_without_atomic", 128, Report::Threads("read by thread 0 of group 0")),
    ("histogram", 128, Report::Nothing),
    ("histogram_without_barrier", 128, Report::Threads("written by thread 0 of group 0")),
    ("last_group_adds", 128, Report::Nothing),
    ("all_groups_add", 128, Report::Threads("read by thread 0 of group 0")),
    ("lock", 128, Report::Nothing),
    ("unlock_only", 128, Report::Threads("written by thread 0 of group 0")),
];

/// Runs a kernel, and returns the races of lanes and what stopped the run.
fn run(kernel: &str, size: u32, workers: u32, denied: bool) -> (Vec<Fault>, Option<Fault>) {
    const ELEMENTS: u32 = 512;
    let file =
        std::fs::read(repository("crates/interp/tests/races/races-bmg.bin")).expect("a file");
    let binary = DeviceBinary::from_bytes(&file).expect("a device binary");
    let platform = binary.platform().expect("a platform");
    let program = Program::of_kernel(&binary, kernel, platform).expect("the text");
    let mut machine = Machine::new(&program)
        .with_work_items(true)
        .deny_races_of_lanes(denied)
        .with_limit(1 << 20);
    let grid = Grid::new(&[size], &[size.min(64)]).expect("a grid");
    // The locks and counters are in the first element.
    let numbers = (0..ELEMENTS).map(|index| index % 256).flat_map(u32::to_le_bytes);
    let arguments = vec![Argument::Buffer(numbers.collect()), Argument::Local(256)];
    let options = Options { platform, workers };
    let launch = Launch::new(&mut machine, &binary, kernel, options, grid, arguments);
    let result = launch.expect("the arguments fit").run(&machine, workers);
    (machine.races_of_lanes(), result.err())
}

#[test]
fn races_are_reported_and_ordered_accesses_are_not() {
    for (kernel, size, expected) in KERNELS {
        let (lanes, fault) = run(kernel, size, 1, false);
        let found = match fault.as_ref().map(|fault| &fault.kind) {
            None if lanes.is_empty() => Report::Nothing,
            None => Report::Lanes,
            Some(FaultKind::Race { other, .. }) => match &expected {
                Report::Threads(expected) if other == expected => Report::Threads(expected),
                _ => panic!("{kernel}: {other}"),
            },
            Some(other) => panic!("{kernel}: {other}"),
        };
        assert_eq!(found, expected, "{kernel}: {fault:?}");
        for race in lanes {
            let text = race.to_string();
            assert!(
                text.contains("of the same thread") && text.contains("earlier access"),
                "{text}"
            );
        }
    }
}

/// The order of groups differs.
#[test]
fn ordered_accesses_are_no_races_with_several_workers() {
    for (kernel, size, expected) in KERNELS {
        if expected == Report::Nothing {
            let (lanes, fault) = run(kernel, size, 4, false);
            assert!(fault.is_none() && lanes.is_empty(), "{kernel}: {fault:?} {lanes:?}");
        }
    }
}

#[test]
fn races_of_lanes_can_stop_a_run() {
    let (lanes, fault) = run("no_barrier", 16, 1, true);
    assert!(lanes.is_empty());
    let fault = fault.expect("a race").to_string();
    assert!(fault.contains("written by lane 15 of the same thread"), "{fault}");
}

#[test]
fn an_argument_in_shared_local_memory_ends() {
    let file =
        std::fs::read(repository("crates/interp/tests/races/races-bmg.bin")).expect("a file");
    let binary = DeviceBinary::from_bytes(&file).expect("a device binary");
    let platform = binary.platform().expect("a platform");
    let kernel = "end_of_local_argument";
    let program = Program::of_kernel(&binary, kernel, platform).expect("the text");
    for (bytes, expected) in
        [(68, None), (64, Some("0 bytes after the end of argument 1 (t) (64 bytes)"))]
    {
        let mut machine = Machine::new(&program);
        let grid = Grid::new(&[16], &[16]).expect("a grid");
        let arguments =
            vec![Argument::Buffer(vec![0; 64]), Argument::Local(bytes), Argument::Local(64)];
        let options = Options { platform, workers: 1 };
        let launch = Launch::new(&mut machine, &binary, kernel, options, grid, arguments);
        let result = launch.expect("the arguments fit").run(&machine, 1);
        match (result, expected) {
            // The last element was not written.
            (Ok(_), None) => {}
            (Err(fault), Some(expected)) => {
                assert!(fault.to_string().contains(expected), "{fault}");
            }
            (other, _) => panic!("{other:?}"),
        }
    }
}

#[test]
fn the_last_write_of_a_byte_names_its_lane() {
    let program = program(&kernel(
        "    lsc_store.ugm (M1, 16) flat[p]:a64 a:d32
    lsc_store.ugm (M3, 8) flat[q]:a64 a:d32
    lsc_store.ugm (M1, 1) flat[q+0x40]:a64 a:d32x8t",
    ));
    let mut machine = Machine::new(&program);
    let start = machine.memory().allocate("y", vec![0; 256]);
    // The lanes of the second store write elements in descending order.
    let [ascending, descending] = [0, 1].map(|reversed| {
        let address = |lane: u64| start + if reversed == 1 { 4 * (15 - lane) } else { 4 * lane };
        (0..16).flat_map(|lane| u64::to_le_bytes(address(lane))).collect::<Vec<u8>>()
    });
    let variables = [("a", vec![1; 64]), ("p", ascending), ("q", descending)]
        .map(|(name, bytes)| (variable(&program, name), bytes));
    let lanes =
        ThreadStart { mask: 0xffff, variables: variables.to_vec(), ..ThreadStart::default() };
    let mut group = machine.group("k", [0; 3], 0, 0, [lanes]).expect("a kernel");
    machine.run(&mut group).expect("nothing is wrong");
    let lane = |byte| machine.last_write(start + byte).expect("a write").lane;
    // Those of the first store, and those of the second, whose first lane is lane 8 of the thread.
    let of_elements: Vec<_> = (0..16).map(|index| lane(4 * index)).collect();
    let expected = (0..8).chain((8..16).rev()).map(Some).collect::<Vec<_>>();
    assert_eq!(of_elements, expected);
    // A block is written for all lanes.
    assert_eq!(lane(15 * 4 + 0x40), None);
}

/// Lanes share a buffer that nobody has written, unlike their private memory.
#[test]
fn lanes_race_in_undefined_buffers() {
    let program = program(&kernel(
        "    lsc_store.ugm (M1, 16) flat[p]:a64 a:d32\n    lsc_load.ugm (M1, 16) b:d32 flat[q]:a64",
    ));
    let mut machine = Machine::new(&program).with_work_items(true);
    let start = machine.memory().allocate_undefined("y", 64).expect("room");
    // Each lane reads what another wrote.
    let [own, next] = [0, 1].map(|offset| {
        let address = |lane: u64| start + 4 * ((lane + offset) % 16);
        (0..16).flat_map(|lane| u64::to_le_bytes(address(lane))).collect::<Vec<u8>>()
    });
    let variables = [("a", vec![1; 64]), ("p", own), ("q", next)]
        .map(|(name, bytes)| (variable(&program, name), bytes));
    let lanes =
        ThreadStart { mask: 0xffff, variables: variables.to_vec(), ..ThreadStart::default() };
    let mut group = machine.group("k", [0; 3], 0, 0, [lanes]).expect("a kernel");
    machine.run(&mut group).expect("a report");
    assert_eq!(machine.races_of_lanes().len(), 1);
}
