//! What the tests share.

use genvisa::RegisterSize;
use genvisa::isa::IdClass;
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

/// Returns the statements of a kernel as a text. They can use these variables, and P1 and P2:
///
/// | Names | Elements |
/// |---|---|
/// | `a`, `b`, `c` | 16 of type `ud` |
/// | `f`, `g`, `h` | 16 of type `f` |
/// | `p`, `q` | 16 of type `uq` |
pub fn kernel(statements: &str) -> String {
    let mut text = String::from(".version 4.2\n.kernel \"k\"\n");
    for (names, ty) in [("abc", "ud"), ("fgh", "f"), ("pq", "uq")] {
        for name in names.chars() {
            text += &format!(".decl {name} v_type=G type={ty} num_elts=16 align=GRF\n");
        }
    }
    text += ".decl P1 v_type=P num_elts=16\n.decl P2 v_type=P num_elts=16\n";
    format!("{text}{statements}\n    ret (M1, 1)\n")
}

/// Runs a kernel in one thread with 16 lanes, after variables were set.
pub fn run_with(program: &Program, variables: &[(&str, &[u8])]) -> Result<Group, Fault> {
    let machine = Machine::new(program);
    let start = ThreadStart { image: vec![0; 64], mask: 0xffff, ..ThreadStart::default() };
    let mut group = machine.group("k", [0; 3], 0, 64, [start])?;
    let thread = group.thread_mut(0).expect("a thread");
    for (name, bytes) in variables {
        assert!(thread.set_variable(program, variable(program, name), 0, bytes), "{name}");
    }
    machine.run(&mut group)?;
    Ok(group)
}

/// Runs a kernel in one thread with 16 lanes.
pub fn run(program: &Program) -> Result<Group, Fault> {
    run_with(program, &[])
}

/// Returns the fault of the statements of a kernel.
pub fn fault(statements: &str) -> Fault {
    let program = program(&kernel(statements));
    run(&program).err().unwrap_or_else(|| panic!("{statements} has no fault"))
}

pub fn variable(program: &Program, name: &str) -> VarId {
    let body = program.routines()[0].body();
    let id = body.find(IdClass::Variable, name);
    VarId(id.unwrap_or_else(|| panic!("{name} is not declared")).number)
}

/// Returns the bytes of a variable, all of which must be defined.
pub fn bytes(program: &Program, thread: &Thread, name: &str) -> Vec<u8> {
    let value = thread.variable(program, variable(program, name));
    let (bytes, undefined) = value.expect("a variable");
    assert!(undefined.iter().all(|byte| *byte == 0), "{name} has undefined bits: {undefined:x?}");
    bytes
}

/// Runs statements with values of variables, and returns the bytes of one.
pub fn result(statements: &str, variables: &[(&str, &[u8])], name: &str) -> Vec<u8> {
    let program = program(&kernel(statements));
    let group = run_with(&program, variables).unwrap_or_else(|fault| panic!("{fault}"));
    bytes(&program, &group.threads()[0], name)
}

/// Returns the dwords of bytes.
pub fn dwords(bytes: &[u8]) -> Vec<u32> {
    bytes.chunks(4).map(|dword| u32::from_le_bytes(dword.try_into().expect("four bytes"))).collect()
}

/// Returns the bytes of dwords.
pub fn of_dwords(dwords: impl IntoIterator<Item = u32>) -> Vec<u8> {
    dwords.into_iter().flat_map(u32::to_le_bytes).collect()
}
