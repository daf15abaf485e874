//! Lanes do not depend on each other: a lane whose source was never written changes no other lane.
//!
//! Sources that are defined are computed in loops that are compiled for their types, and others one by one, so this compares
//! the two.

use std::cell::Cell;

use genvisa_interp::{FaultKind, Machine, ThreadStart};
use genvisa_test_support::random::{cases, runner};
use proptest::prelude::*;
use proptest::sample::select;

use crate::support::{program, variable};

const ELEMENTS: usize = 32;

/// Statements with the sources A, B and C, and the destination D.
const STATEMENTS: [&str; 24] = [
    "add{sat} (M1, 16) D A B",
    "mul{sat} (M1, 16) D A B",
    "mad{sat} (M1, 16) D A B C",
    "(P1) add (M1, 16) D A B",
    "(!P1) mad (M1, 16) D A B C",
    "add3 (M1, 16) D A B C",
    "avg (M1, 16) D A B",
    "max (M1, 16) D A B",
    "min{sat} (M1, 16) D A B",
    "and (M1, 16) D A B",
    "or (M1, 16) D A B",
    "xor (M1, 16) D A B",
    "not (M1, 16) D A",
    "bfn.x1e (M1, 16) D A B C",
    "bfn.xca (M1, 16) D A B C",
    "shl{sat} (M1, 16) D A B",
    "shr (M1, 16) D A B",
    "asr (M1, 16) D A B",
    "rol (M1, 16) D A B",
    "mov{sat} (M1, 16) D A",
    "(P1) sel{sat} (M1, 16) D A B",
    "cmp.lt (M1, 16) D A B",
    "cmp.ne (M1, 16) D A B",
    "frc (M1, 16) D A",
];

const TYPES: [(&str, usize); 12] = [
    ("b", 1),
    ("ub", 1),
    ("w", 2),
    ("uw", 2),
    ("d", 4),
    ("ud", 4),
    ("q", 8),
    ("uq", 8),
    ("hf", 2),
    ("bf", 2),
    ("f", 4),
    ("df", 8),
];

const REGIONS: [&str; 7] = ["1;1,0", "0;1,0", "2;1,0", "8;8,1", "4;4,1", "8;4,2", "2;4,0"];

/// A statement, the types of A, B, C and D, and the bytes of the sources.
#[derive(Clone, Debug)]
struct Case {
    statement: &'static str,
    /// Whether all variables have the type of A.
    is_uniform: bool,
    types: [(&'static str, usize); 4],
    regions: [&'static str; 3],
    modifiers: [&'static str; 3],
    saturates: bool,
    bytes: Vec<u8>,
    predicate: u16,
    /// The element of A that one of two runs leaves undefined.
    element: usize,
}

fn case() -> impl Strategy<Value = Case> {
    let types = || select(TYPES.to_vec());
    let regions = || select(REGIONS.to_vec());
    let modifiers = || select(vec!["", "", "", "(-)", "(abs)", "(-abs)", "(~)"]);
    // Extreme values are as frequent as others.
    let byte = prop_oneof![Just(0), Just(0xff), Just(0x80), Just(0x7f), any::<u8>()];
    let operands = ([regions(), regions(), regions()], [modifiers(), modifiers(), modifiers()]);
    let shape = (select(STATEMENTS.to_vec()), any::<bool>(), prop::bool::weighted(0.2));
    let types = [types(), types(), types(), types()];
    let bytes = prop::collection::vec(byte, 3 * 8 * ELEMENTS);
    (shape, types, operands, bytes, any::<u16>(), 0..16usize).prop_map(
        |(shape, types, (regions, modifiers), bytes, predicate, element)| Case {
            statement: shape.0,
            is_uniform: shape.1,
            saturates: shape.2,
            types,
            regions,
            modifiers,
            bytes,
            predicate,
            element,
        },
    )
}

impl Case {
    fn types(&self) -> [(&'static str, usize); 4] {
        if self.is_uniform { [self.types[0]; 4] } else { self.types }
    }

    fn text(&self) -> String {
        let mut text = String::from(".version 4.2\n.kernel \"k\"\n");
        for (name, (ty, _)) in ["A", "B", "C", "D"].into_iter().zip(self.types()) {
            text += &format!(".decl {name} v_type=G type={ty} num_elts={ELEMENTS} align=GRF\n");
        }
        text += ".decl P1 v_type=P num_elts=16\n";
        text += &format!("    setp (M1, 16) P1 {:#x}:ud\n", self.predicate);
        text += "    or (M1_NM, 1) %cr0(0,0)<1> %cr0(0,0)<0;1,0> 0x4c0:ud\n";
        let mut statement =
            self.statement.replace("{sat}", if self.saturates { ".sat" } else { "" });
        statement = statement.replace(" D", " D(0,0)<1>");
        for (index, name) in ["A", "B", "C"].into_iter().enumerate() {
            let operand = format!(" {}{name}(0,0)<{}>", self.modifiers[index], self.regions[index]);
            statement = statement.replace(&format!(" {name}"), &operand);
        }
        format!("{text}    {statement}\n    ret (M1, 1)\n")
    }

    /// Returns the bytes of D, and which are defined.
    fn run(&self, leaves_undefined: bool) -> Result<(Vec<u8>, Vec<u8>), FaultKind> {
        let program = program(&self.text());
        let machine = Machine::new(&program);
        let start = ThreadStart { mask: 0xffff, ..ThreadStart::default() };
        let mut group = machine.group("k", [0; 3], 0, 0, [start]).expect("a kernel");
        let thread = group.thread_mut(0).expect("a thread");
        for (index, (name, (_, size))) in ["A", "B", "C"].into_iter().zip(self.types()).enumerate()
        {
            let all = &self.bytes[index * 8 * ELEMENTS..][..size * ELEMENTS];
            let var = variable(&program, name);
            for (element, bytes) in all.chunks(size).enumerate() {
                if !(leaves_undefined && name == "A" && element == self.element) {
                    assert!(thread.set_variable(&program, var, element * size, bytes), "{name}");
                }
            }
        }
        machine.run(&mut group).map_err(|fault| fault.kind)?;
        let value = group.threads()[0].variable(&program, variable(&program, "D"));
        Ok(value.expect("a variable"))
    }
}

#[test]
fn undefined_lanes_change_no_others() {
    let compared = Cell::new(0);
    runner(10 * cases(100) as u32, 0)
        .run(&case(), |case| {
            // What is not modelled is found at a lane that is defined.
            let Ok(all) = case.run(false) else { return Ok(()) };
            let some = case.run(true);
            prop_assert!(some.is_ok(), "{:?}: {}", some, case.text());
            let some = some.unwrap_or_default();
            for (index, undefined) in some.1.iter().enumerate() {
                let differs = (some.0[index] ^ all.0[index]) & !undefined;
                prop_assert_eq!(differs, 0, "byte {}: {}", index, case.text());
            }
            compared.set(compared.get() + 1);
            Ok(())
        })
        .unwrap_or_else(|error| panic!("{error}"));
    assert!(compared.get() > 200, "{}", compared.get());
}

/// Messages that store, with the bytes of an element in registers.
const STORES: [(&str, usize); 9] = [
    ("lsc_store.ugm (M1, 16) flat[p]:a64 v:d32", 4),
    ("lsc_store.ugm (M1, 16) flat[p]:a64 v:d32x2", 4),
    ("lsc_store.ugm (M1, 16) flat[p]:a64 v:d32x4", 4),
    ("lsc_store.ugm (M1, 16) flat[p]:a64 v:d8u32", 4),
    ("lsc_store.ugm (M1, 16) flat[p]:a64 v:d16u32", 4),
    ("lsc_store.ugm (M1, 16) flat[p]:a64 v:d64", 8),
    ("lsc_store.ugm (M1, 16) flat[p+0x10]:a64 v:d64x2", 8),
    ("lsc_store.ugm (M1, 1) flat[p]:a64 v:d32x64t", 4),
    ("(P1) lsc_store_quad.ugm (M1, 16) flat[p]:a64 v:d32.xz", 4),
];

/// Stores data, but not those of a lane, which nobody wrote. Returns the memory, and its bits that are not defined.
fn store(
    statement: &str,
    addresses: &[u64; 16],
    data: &[u8],
    omitted: Option<std::ops::Range<usize>>,
) -> Result<(Vec<u8>, Vec<u8>), FaultKind> {
    const SIZE: usize = 2048;
    let program = program(&format!(
        ".version 4.2
.kernel \"k\"
.decl p v_type=G type=uq num_elts=16 align=GRF
.decl v v_type=G type=ud num_elts=256 align=GRF
.decl P1 v_type=P num_elts=16
    setp (M1, 16) P1 0xa5f3:ud
    {statement}
    ret (M1, 1)
"
    ));
    let mut machine = Machine::new(&program);
    let buffer = machine.memory().allocate("buffer", vec![0; SIZE]);
    let start = ThreadStart { mask: 0xffff, ..ThreadStart::default() };
    let mut group = machine.group("k", [0; 3], 0, 0, [start]).expect("a kernel");
    let thread = group.thread_mut(0).expect("a thread");
    let bytes: Vec<u8> =
        addresses.iter().flat_map(|offset| (buffer + offset).to_le_bytes()).collect();
    assert!(thread.set_variable(&program, variable(&program, "p"), 0, &bytes));
    let v = variable(&program, "v");
    for (at, byte) in data.iter().enumerate() {
        if omitted.as_ref().is_none_or(|omitted| !omitted.contains(&at)) {
            assert!(thread.set_variable(&program, v, at, &[*byte]));
        }
    }
    machine.run(&mut group).map_err(|fault| fault.kind)?;
    let memory = machine.memory();
    let bytes = memory.bytes(buffer).expect("a buffer").to_vec();
    Ok((bytes, memory.undefined_bits(buffer).expect("a buffer").to_vec()))
}

#[test]
fn undefined_data_change_no_others_in_memory() {
    let offsets = prop_oneof![
        // Ascending, descending, and in any order.
        (0..8u64).prop_map(|gap| std::array::from_fn(|lane| (16 + gap) * lane as u64)),
        (0..8u64).prop_map(|gap| std::array::from_fn(|lane| (16 + gap) * (15 - lane as u64))),
        prop::array::uniform16(0..256u64).prop_map(|offsets| offsets.map(|offset| 4 * offset)),
    ];
    let data = prop::collection::vec(1..=255u8, 1024);
    let case = (select(STORES.to_vec()), offsets, data, 0..16usize);
    let (compared, changed) = (Cell::new(0), Cell::new(0));
    runner(2 * cases(100) as u32, 1)
        .run(&case, |((statement, size), offsets, data, lane)| {
            let all = store(statement, &offsets, &data, None);
            let some = store(statement, &offsets, &data, Some(lane * size..(lane + 1) * size));
            // Lanes that write different values to the same byte. With undefined bits, equal values differ, too.
            let (Ok(all), Ok(some)) = (&all, &some) else {
                let is_conflict = matches!(some, Err(FaultKind::ConflictingLanes { .. }));
                let is_same = all.is_err() && all == some;
                prop_assert!(is_conflict || is_same, "{statement}: {offsets:?}: {all:?}, {some:?}");
                return Ok(());
            };
            for (index, undefined) in some.1.iter().enumerate() {
                let differs = (some.0[index] ^ all.0[index]) & !undefined;
                prop_assert_eq!(differs, 0, "{}: byte {}: {:?}", statement, index, offsets);
            }
            compared.set(compared.get() + 1);
            changed.set(changed.get() + i32::from(all.0.iter().any(|byte| *byte != 0)));
            Ok(())
        })
        .unwrap_or_else(|error| panic!("{error}"));
    assert!(
        compared.get() as u64 > cases(100) && changed.get() == compared.get(),
        "{}",
        compared.get()
    );
}
