//! Programs of OpenCL C on the CPU.

use std::path::Path;

use genvisa_interp::dispatch::Argument;
use genvisa_opencl::{Error, Program, Source};
use genvisa_test_support::python_with_opencl;

const SOURCE: &str = "
kernel void twice(global int *data) {
    printf(\"{}\\n\");
    data[get_global_id(0)] *= 2;
}
kernel void crash(global int *data, ulong address) {
    *(global int *)address = 1;
}
";

fn build(source: &str) -> Result<Program, Error> {
    Program::build(&python_with_opencl(), Source::C(source), "")
}

fn data() -> Argument {
    Argument::Buffer(vec![1, 0, 0, 0, 2, 0, 0, 0])
}

#[test]
fn a_python_that_is_missing_is_named() {
    let error = Program::build(Path::new("no-such-python"), Source::C(SOURCE), "").err();
    let Some(Error::Unavailable(why)) = error else { panic!("{error:?}") };
    assert!(why.starts_with("`no-such-python`: "), "{why}");
}

/// What a kernel prints is no answer.
#[test]
#[ignore = "needs pocl"]
fn kernels_change_their_memory() {
    let mut program = build(SOURCE).expect("a program");
    assert!(!program.device().is_empty());
    for _ in 0..2 {
        let memory = program.run("twice", &[2], &[1], &[data()]).expect("a run");
        assert_eq!(memory, [Some(vec![2, 0, 0, 0, 4, 0, 0, 0])]);
    }
    let (memory, times) = program.run_times("twice", &[2], &[2], &[data()], 3).expect("three runs");
    assert_eq!(memory, [Some(vec![8, 0, 0, 0, 16, 0, 0, 0])]);
    assert_eq!(times.len(), 3);
}

#[test]
#[ignore = "needs pocl"]
fn what_opencl_refuses_is_an_error() {
    let refused = |error: Option<Error>| match error {
        Some(Error::Refused(why)) => why,
        other => panic!("{other:?}"),
    };
    assert!(refused(build("kernel void f(int x").err()).contains("error: "));
    let mut program = build(SOURCE).expect("a program");
    let value = Argument::Value(Vec::new());
    let mut run = |kernel: &str, local: u32, argument: Argument| {
        refused(program.run(kernel, &[2], &[local], &[argument]).err())
    };
    assert!(run("no_such_kernel", 1, data()).contains("KERNEL_NAME"));
    assert!(run("twice", 3, data()).contains("WORK_GROUP_SIZE"));
    assert_eq!(run("twice", 1, value), "the value of argument 0 is unknown");
    // The program still runs.
    assert!(program.run("twice", &[2], &[1], &[data()]).is_ok());
}

#[test]
#[ignore = "needs pocl"]
fn a_crash_stops_only_the_process() {
    let mut program = build(SOURCE).expect("a program");
    let arguments = [data(), Argument::Value(vec![8, 0, 0, 0, 0, 0, 0, 0])];
    assert_eq!(program.run("crash", &[1], &[1], &arguments), Err(Error::Stopped));
    assert_eq!(program.run("twice", &[2], &[1], &[data()]), Err(Error::Stopped));
}
