//! Accesses to storage, compared with a model of each lane and byte.

mod model;

use std::fmt::Write;
use std::ops::Range;

use genvisa::RegisterSize;
use genvisa::analysis::{Access, AccessKind, Condition, Footprint, Storage};
use genvisa::isa::{Id, IdClass, Kind};
use genvisa::operand::{
    AddrId, AddrWidth, Exec, ExecMask, ExecSize, Imm, Pred, PredControl, PredId, Region, Slot,
    Stride, VarId, Vector, VisitorMut,
};
use genvisa::strategy::rows;
use genvisa::text::parse;
use genvisa::{Format, Instruction, Module};
use genvisa_test_support::rng::Rng;
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::TestRunner;

use self::model::{
    INDIRECT_READ, INDIRECT_WRITE, Model, Operands, READ, State, TAKEN, UNITS, VARIABLES, WRITE,
};

/// Returns a kernel with the variables of the model.
fn module() -> Module<'static> {
    let mut text = String::from(".version 4.2\n.kernel \"k\"\n");
    for (index, (name, ty, _, alias)) in VARIABLES.iter().enumerate() {
        let elements = model::elements_of(index as u32 + 32);
        write!(text, ".decl {name} v_type=G type={ty} num_elts={elements} align=GRF").unwrap();
        if let Some((of, offset)) = alias {
            write!(text, " alias=<{of}, {offset}>").unwrap();
        }
        text.push('\n');
    }
    for index in 0..model::ADDRESS_VARIABLES {
        writeln!(text, ".decl A{index} v_type=A num_elts={}", model::ADDRESSES).unwrap();
    }
    for index in 0..model::PREDICATES {
        writeln!(text, ".decl P{} v_type=P num_elts={}", index + 1, model::BITS).unwrap();
    }
    parse(text + "ret (M1, 1)\n", Format::V4_2).unwrap_or_else(|errors| panic!("{}", errors[0]))
}

/// Replaces the operands of an instruction with random ones that are legal for the model.
struct Fill<'r> {
    rng: &'r mut Rng,
    /// The opcode.
    name: &'static str,
    lanes: usize,
    /// Whether a logic instruction has predicates as operands.
    has_predicates: bool,
}

impl Fill<'_> {
    fn variable(&mut self) -> VarId {
        VarId(32 + self.rng.below(VARIABLES.len()) as u32)
    }

    fn stride(&mut self, choices: &[usize]) -> Stride {
        Stride::from_elements(self.rng.pick(choices)).expect("a stride")
    }

    fn pred_operand(&mut self) -> Pred {
        let id = PredId(1 + self.rng.below(model::PREDICATES as usize) as u16);
        Pred::new(id).expect("a small id")
    }

    /// Returns a source region. The lanes span less than the size of a variable.
    fn source_region(&mut self) -> Region {
        let widths: Vec<usize> =
            [1, 2, 4, 8, 16].into_iter().filter(|width| *width <= self.lanes).collect();
        let width = self.rng.pick(&widths);
        let verticals: &[usize] =
            if self.lanes / width > 8 { &[0, 1, 2, 4, 8] } else { &[0, 1, 2, 4, 8, 16, 32] };
        let vertical = match self.rng.below(4) {
            // Often a region with one stride.
            0 => Stride::from_elements(width).expect("a stride"),
            _ => self.stride(verticals),
        };
        let horizontal = self.stride(&[0, 1, 2, 4]);
        match self.rng.below(4) {
            0 => Region::SCALAR,
            1 => Region::new(Stride::S1, Stride::S1, Stride::S0),
            _ => Region::new(vertical, Stride::from_elements(width).expect("a width"), horizontal),
        }
    }

    fn general(&mut self, region: Region) -> Vector {
        let (row, col) = match self.name {
            // "Must be GRF aligned" (MADW.md).
            "Madw" => (self.rng.below(3) as u8, 0),
            _ => (self.rng.below(4) as u8, self.rng.below(8) as u8),
        };
        Vector::general_at(self.variable(), row, col, region)
    }

    fn indirect(&mut self, region: Region) -> Vector {
        let addr = AddrId(self.rng.below(model::ADDRESS_VARIABLES as usize) as u16);
        let (offset, ty) = (self.rng.below(16) as u8, genvisa::operand::DataType::D);
        Vector::indirect(addr, offset, 4, ty, region)
    }

    fn address(&mut self) -> Vector {
        let addr = AddrId(self.rng.below(model::ADDRESS_VARIABLES as usize) as u16);
        let widths = [AddrWidth::W1, AddrWidth::W2, AddrWidth::W8, AddrWidth::W16];
        Vector::address(addr, self.rng.below(16) as u8, self.rng.pick(&widths))
    }
}

impl VisitorMut for Fill<'_> {
    fn exec(&mut self, _: Slot, exec: &mut Exec) {
        let sizes: &[ExecSize] = match self.name {
            "Plane" => &[ExecSize::S8, ExecSize::S16],
            "Madw" => &[ExecSize::S1, ExecSize::S8, ExecSize::S16],
            "Dp2" | "Dp3" | "Dp4" | "Dph" | "Sad2" | "Sad2add" => &ExecSize::ALL[2..],
            _ => &ExecSize::ALL,
        };
        let size = self.rng.pick(sizes);
        self.lanes = size.lanes();
        let masks: Vec<ExecMask> = (0..16)
            .filter_map(ExecMask::from_bits)
            .filter(|mask| mask.first_lane() % self.lanes == 0)
            .collect();
        *exec = Exec { size, mask: self.rng.pick(&masks) };
    }

    fn pred(&mut self, _: Slot, pred: &mut Pred) {
        let controls = [PredControl::NONE, PredControl::NONE, PredControl::ANY, PredControl::ALL];
        *pred = match self.rng.below(3) {
            0 => self.pred_operand().with_control(self.rng.pick(&controls)),
            1 => self.pred_operand().inverted(),
            _ => Pred::NONE,
        };
    }

    fn vector(&mut self, _: Slot, operand: &mut Vector) {
        let region = self.source_region();
        *operand = match self.rng.below(8) {
            _ if self.has_predicates => Vector::predicate(self.pred_operand()),
            0 => Imm::ud(self.rng.bits() as u32).into(),
            1 if self.name == "Mov" && self.lanes == 1 => Vector::predicate(self.pred_operand()),
            1 if self.name != "Plane" => {
                let rows = Region::new(Stride::NULL, region.width(), region.horizontal());
                let region = if self.rng.one_in(2) { rows } else { region };
                self.indirect(region)
            }
            _ => self.general(region),
        };
    }

    fn dst(&mut self, slot: Slot, operand: &mut Vector) {
        let region = Region::dst(self.stride(&[1, 2, 4]));
        *operand = match self.rng.below(8) {
            _ if self.name == "AddrAdd" => self.address(),
            _ if self.name == "Setp" || slot.field == "early_out" || self.has_predicates => {
                Vector::predicate(self.pred_operand())
            }
            0 if self.name != "Madw" => self.indirect(region),
            _ => self.general(region),
        };
    }

    fn cmp_dst(&mut self, _: Slot, operand: &mut Vector) {
        let region = Region::dst(self.stride(&[1, 2, 4]));
        *operand = match self.rng.one_in(2) {
            true => Vector::predicate(self.pred_operand()),
            false => self.general(region),
        };
    }

    fn address_of(&mut self, _: Slot, operand: &mut Vector) {
        *operand = match self.rng.one_in(2) {
            true => self.general(Region::SCALAR),
            false => self.address(),
        };
    }
}

/// Returns an instruction of each opcode with vector operands, except MOVS, which moves states.
fn instructions() -> Vec<Instruction> {
    let mut runner = TestRunner::deterministic();
    rows(Format::V4_2)
        .iter()
        .map(|(_, strategy)| strategy.new_tree(&mut runner).expect("a value").current())
        .filter(|instruction| {
            let is_vector = [Kind::Arith, Kind::Logic, Kind::Mov, Kind::Compare, Kind::Address];
            is_vector.contains(&instruction.kind()) && !matches!(instruction, Instruction::Movs(_))
        })
        .collect()
}

/// What an instruction does with each unit.
struct Units {
    reads: Vec<u8>,
    others: Vec<u8>,
}

impl Units {
    fn new() -> Units {
        Units { reads: vec![0; UNITS as usize], others: vec![0; UNITS as usize] }
    }

    fn mark(&mut self, kind: u8, unit: u32) {
        self.reads[unit as usize] |= kind & READ;
        self.others[unit as usize] |= kind & !READ;
    }

    /// Marks the units of an access in the lanes that access them; all of them if the access does not
    /// belong to lanes.
    fn mark_access(&mut self, access: &Access, active: &[bool], enabled: &[bool]) {
        let kind = match access.kind {
            AccessKind::Read => READ,
            AccessKind::Write => WRITE,
            AccessKind::IndirectRead => INDIRECT_READ,
            AccessKind::IndirectWrite => INDIRECT_WRITE,
            AccessKind::AddressTaken => TAKEN,
            _ => panic!("{access:?}"),
        };
        let by_lane = match access.condition {
            Condition::ActiveLanes => Some(active),
            Condition::Predicated => Some(enabled),
            _ => None,
        };
        let by_lane = by_lane.zip(access.lanes);
        let footprint = access.footprint;
        for row in 0..footprint.rows {
            for column in 0..footprint.columns {
                for offset in 0..footprint.element {
                    let in_row = column * footprint.column_stride + offset;
                    let is_accessed = by_lane.is_none_or(|(by_lane, lanes)| {
                        by_lane[(in_row / u32::from(lanes.pitch)) as usize]
                    });
                    if is_accessed {
                        let unit = footprint.start + row * footprint.row_stride + in_row;
                        self.mark(kind, number(access, unit));
                    }
                }
            }
        }
    }
}

/// Returns the number of a unit of the root of an access.
fn number(access: &Access, unit: u32) -> u32 {
    match access.root.class {
        IdClass::Variable => model::byte(access.root.number, unit),
        IdClass::Address => model::address_byte(access.root.number, unit),
        _ => model::bit(access.root.number, unit),
    }
}

/// Compares the accesses of an instruction with the model, in a state of the lanes.
fn check(instruction: &Instruction, storage: &Storage, state: State) -> Result<(), String> {
    let operands = Operands::of(instruction);
    let mut expected = Units::new();
    let mut read = Vec::new();
    let register = storage.registers().bytes();
    let mark = |kind, unit| {
        expected.mark(kind, unit);
        if kind & READ != 0 {
            read.push(unit);
        }
    };
    let mut model = Model { instruction, operands: &operands, register, state, mark };
    model.run();
    let lanes = 0..operands.exec.size.lanes() as u32;
    let active: Vec<bool> = lanes.clone().map(|n| model.is_active(n)).collect();
    let enabled: Vec<bool> = lanes.map(|n| model.is_enabled(n)).collect();
    let mut found = Units::new();
    let mut problem = None;
    storage.visit_accesses(instruction, |access| {
        found.mark_access(&access, &active, &enabled);
        if let Some(lanes) = access.lanes {
            let is_of_exec = usize::from(lanes.first) == operands.exec.mask.first_lane()
                && usize::from(lanes.count) == enabled.len();
            if !is_of_exec {
                problem = Some(format!("{lanes:?}"));
            }
        }
    });
    if let Some(problem) = problem {
        return Err(problem);
    }
    // Lanes read at most what is reported, and write exactly that.
    if let Some(unit) = read.into_iter().find(|unit| found.reads[*unit as usize] == 0) {
        return Err(format!("it reads {unit}"));
    }
    let is_full = enabled.iter().all(|is_enabled| *is_enabled);
    if is_full && found.reads != expected.reads {
        return Err("it does not read all that is reported".into());
    }
    match found.others == expected.others {
        true => Ok(()),
        false => {
            let mut pairs = found.others.iter().zip(&expected.others);
            let unit = pairs.position(|(found, expected)| found != expected);
            Err(format!("another access to {unit:?}"))
        }
    }
}

/// The number of generated instructions.
const CASES: usize = 20_000;

#[test]
fn vector_operands_access_what_the_model_accesses() {
    let module = module();
    let routine = module.routines().next().expect("a kernel");
    let storages = [RegisterSize::Bytes32, RegisterSize::Bytes64]
        .map(|registers| Storage::new(&routine, registers));
    let instructions = instructions();
    let mut rng = Rng::new(0x5eed, 19);
    let mut wrong = Vec::new();
    for case in 0..CASES {
        let mut instruction = instructions[case % instructions.len()];
        let name = instruction.spec().name;
        let has_predicates = matches!(name, "And" | "Or" | "Xor" | "Not") && rng.one_in(4);
        instruction.visit_mut(&mut Fill { rng: &mut rng, name, lanes: 1, has_predicates });
        let states = [
            State::ALL,
            State { active: u32::MAX, predicate: 0 },
            State { active: rng.bits() as u32, predicate: rng.bits() as u32 },
        ];
        let storage = &storages[case % 2];
        for state in states {
            if let Err(why) = check(&instruction, storage, state) {
                wrong.push(format!("{instruction} {:?} {state:x?}: {why}", storage.registers()));
            }
        }
    }
    let count = wrong.len();
    wrong.truncate(20);
    assert!(wrong.is_empty(), "{count} of {CASES}:\n{}", wrong.join("\n"));
}

/// Returns the accesses of the first instruction of a text, as in the tests of payloads.
fn accesses(text: &str) -> Vec<(Id, AccessKind, Range<u32>, Condition)> {
    let module = parse(text, Format::V4_2).unwrap_or_else(|errors| panic!("{}", errors[0]));
    let routine = module.routines().last().expect("a routine");
    let storage = Storage::new(&routine, RegisterSize::Bytes32);
    let mut accesses = Vec::new();
    let (_, instruction) = routine
        .instructions()
        .map(|item| item.expect("valid"))
        .find(|(_, instruction)| !matches!(instruction, Instruction::Label(_)))
        .expect("an instruction");
    storage.visit_accesses(&instruction, |access| {
        let range = access.footprint.span();
        accesses.push((access.root, access.kind, range, access.condition));
    });
    accesses
}

#[test]
fn calls_access_the_arguments_and_the_result() {
    use AccessKind::{Read, Write};
    let (arg, retval) = (Id::from(VarId(8)), Id::from(VarId(9)));
    let kernel = |code: &str| {
        format!(
            ".version 4.2\n.kernel \"k\"\n.decl P1 v_type=P num_elts=16\n\
             .decl V32 v_type=G type=ud num_elts=1\n{code}\nret (M1, 1)\n"
        )
    };
    // FCALL.md: the first arg_size registers of %arg and return_size registers of %retval.
    assert_eq!(
        accesses(&kernel("fcall (M1_NM, 1) f 3 1")),
        [(arg, Read, 0..96, Condition::Always), (retval, Write, 0..32, Condition::Always),]
    );
    // Only if the predicate is true for a lane.
    let called = accesses(&kernel("(P1) ifcall (M1, 16) V32(0,0)<0;1,0> 0 2"));
    assert_eq!(called.last(), Some(&(retval, Write, 0..64, Condition::Predicated)));
    assert_eq!(called[called.len() - 2].0, Id::from(VarId(32)));
    // FRET.md: the value of %retval, whose size the function declares.
    let function = ".version 4.2\n.global_function \"f\" //@ stack=1:2\nfret (M1, 16)\n";
    assert_eq!(accesses(function), [(retval, Read, 0..64, Condition::ActiveLanes)]);
}

#[test]
fn aliases_of_null_have_no_storage() {
    for var in ["V32", "V33"] {
        let text = |alias: &str| {
            format!(
                ".version 4.2\n.kernel \"k\"\n.decl V32 v_type=G type=ud num_elts=2 {alias}\n\
                 .decl V33 v_type=G type=ud num_elts=1 alias=<V32, 4>\n\
                 mov (M1, 1) {var}(0,0)<1> 0x1:ud\nret (M1, 1)\n"
            )
        };
        assert_eq!(accesses(&text("")).len(), 1);
        assert_eq!(accesses(&text("alias=<%null, 0>")), []);
    }
}

#[test]
fn the_life_of_a_variable_is_that_of_its_storage() {
    let text = |end: &str| {
        format!(
            ".version 4.2\n.kernel \"k\"\n.decl V32 v_type=G type=ud num_elts=64\n\
             .decl V33 v_type=G type=uw num_elts=8 alias=<V32, 64>\n\
             .decl A0 v_type=A num_elts=4\n.decl P1 v_type=P num_elts=16\n\
             lifetime.{end}\nret (M1, 1)\n"
        )
    };
    let discard = |id: Id, range| vec![(id, AccessKind::Discard, range, Condition::Always)];
    assert_eq!(accesses(&text("start V32")), discard(VarId(32).into(), 0..256));
    assert_eq!(accesses(&text("end V33")), discard(VarId(32).into(), 64..80));
    assert_eq!(accesses(&text("end A0")), discard(AddrId(0).into(), 0..8));
    assert_eq!(accesses(&text("end P1")), discard(PredId(1).into(), 0..16));
}

/// 4_visa_header.md, Variables: the types and the numbers of elements.
#[test]
fn predefined_variables_have_the_documented_sizes() {
    let module = parse(".version 4.2\n.kernel \"k\"\nret (M1, 1)\n", Format::V4_2).expect("a text");
    let routine = module.routines().next().expect("a kernel");
    for registers in [RegisterSize::Bytes32, RegisterSize::Bytes64] {
        let storage = Storage::new(&routine, registers);
        let in_registers = |name: &str, count: u32| (name.to_owned(), count * registers.bytes());
        let mut expected = vec![in_registers("%arg", 32), in_registers("%retval", 12)];
        for (name, bytes) in [
            ("%thread_x", 2),
            ("%thread_y", 2),
            ("%group_id_x", 4),
            ("%group_id_y", 4),
            ("%group_id_z", 4),
            ("%tsc", 20),
            ("%r0", 32),
            ("%sp", 8),
            ("%fp", 8),
            ("%hw_id", 4),
            ("%sr0", 16),
            ("%cr0", 12),
            ("%ce0", 4),
            ("%dbg0", 8),
            ("%color", 2),
            ("%impl_arg_buf_ptr", 8),
            ("%local_id_buf_ptr", 8),
            ("%msg0", 12),
            ("%scratchloc", 8),
        ] {
            expected.push((name.into(), bytes));
        }
        let name = |id: Id| VarId(id.number).predefined_name().map(str::to_owned);
        let mut found: Vec<(String, u32)> =
            storage.roots().filter_map(|root| Some((name(root.root)?, root.size))).collect();
        found.sort();
        expected.sort();
        assert_eq!(found, expected);
    }
}

#[test]
fn large_footprints_end_at_the_largest_position() {
    let mut footprint = Footprint::strided(8, 4, u32::MAX, u32::MAX);
    assert_eq!(footprint.span(), 8..u32::MAX);
    assert!(footprint.ranges().take(3).eq([8..12, u32::MAX..u32::MAX, u32::MAX..u32::MAX]));
    (footprint.column_stride, footprint.rows, footprint.row_stride) = (4, u32::MAX, 1 << 31);
    assert_eq!(footprint.span(), 8..u32::MAX);
    assert!(footprint.ranges().take(2).eq([8..u32::MAX, (1 << 31) + 8..u32::MAX]));
    assert_eq!(Footprint::contiguous(u32::MAX, 2).span(), u32::MAX..u32::MAX);
}
