//! What the tests share.

use genvisa::analysis::RegisterSize;
use genvisa::operand::VarId;
use genvisa::text;
use genvisa_interp::{Device, Fault, Group, Machine, Program, Thread, ThreadStart};

/// A device with registers of 64 bytes.
pub const XE2: Device = Device { registers: RegisterSize::Bytes64 };

/// Returns the program of a text.
pub fn program(source: &str) -> Program {
    let module =
        text::parse(source, text::format_of(source)).unwrap_or_else(|errors| panic!("{errors}"));
    Program::new([&module], XE2).unwrap_or_else(|fault| panic!("{fault}"))
}

/// Returns the statements of a kernel as a text.
pub fn kernel(statements: &str) -> String {
    format!(".version 4.2\n.kernel \"k\"\n{statements}\n    ret (M1, 1)\n")
}

/// Runs a kernel in one thread with 16 lanes.
pub fn run(program: &Program) -> Result<Group, Fault> {
    let machine = Machine::new(program);
    let start = ThreadStart { image: vec![0; 64], mask: 0xffff, variables: Vec::new() };
    let mut group = machine.group("k", [0; 3], 0, 0, [start])?;
    machine.run(&mut group)?;
    Ok(group)
}

/// Returns the bytes of a variable, all of which must be defined.
pub fn bytes(program: &Program, thread: &Thread, name: &str) -> Vec<u8> {
    let body = program.routines()[0].body();
    let id = body.find(genvisa::isa::IdClass::Variable, name).expect("a declared variable");
    let (bytes, undefined) = thread.variable(program, VarId(id.number)).expect("a variable");
    assert!(undefined.iter().all(|byte| *byte == 0), "{name} has undefined bits: {undefined:x?}");
    bytes
}
