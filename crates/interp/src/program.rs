//! Programs: modules that are ready to run.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicU64, Ordering};

use genvisa::analysis::{Location, SourceLine, Storage};
use genvisa::error::RoutineKind;
use genvisa::isa::{Id, IdClass};
use genvisa::object::{Body, Input, InputClass, Routine};
use genvisa::operand::{AddrId, DataType, LabelId, PredId, Raw, Slot, VarId, Visitor};
use genvisa::text::{LineNames, LinePrinter};
use genvisa::{Format, Instruction, Module};

use crate::device::Device;
use crate::fault::{Fault, FaultKind, Site, Source};
use crate::memory::FUNCTIONS;

/// The routines of modules, decoded, with the places of their labels and variables.
///
/// The kernels and functions of a device binary are in several texts; [`Program::new`] takes all of
/// their modules, and connects them by name.
#[derive(Clone, Debug)]
pub struct Program {
    id: ProgramId,
    routines: Vec<Code>,
    functions: BTreeMap<String, usize>,
    device: Device,
}

/// What distinguishes programs and their clones from others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ProgramId(u64);

impl ProgramId {
    fn new() -> ProgramId {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        ProgramId(NEXT.fetch_add(1, Ordering::Relaxed))
    }
}

/// The types of numbers in memory that are no integers.
const FLOATS: [DataType; 3] = [DataType::HF, DataType::F, DataType::DF];

/// A search for a raw operand whose variable has a floating-point type: addresses have none.
struct Data<'b> {
    body: &'b Body<'static>,
    found: Option<DataType>,
}

impl Visitor for Data<'_> {
    fn raw(&mut self, _: Slot, operand: Raw) {
        let index = operand.var.0.checked_sub(VarId::FIRST_DECLARED.0);
        let variable = index.and_then(|index| self.body.variables.get(index as usize));
        let ty = variable.map(|variable| variable.ty).filter(|ty| FLOATS.contains(ty));
        self.found = self.found.or(ty);
    }
}

/// A routine that is ready to run.
#[derive(Clone, Debug)]
pub struct Code {
    name: String,
    kind: RoutineKind,
    format: Format,
    body: Body<'static>,
    inputs: Vec<Input>,
    instructions: Vec<Instruction>,
    /// The number of instructions of the routines before it.
    first_instruction: u32,
    /// The source line of each instruction.
    sources: Vec<Option<SourceLine>>,
    /// The index of the instruction that defines each label.
    labels: Vec<Option<usize>>,
    variables: Vec<Variable>,
    /// The number of bytes of all variables.
    size: usize,
}

/// Where the bytes of a variable are.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Variable {
    /// The position in the bytes of all variables.
    pub start: usize,
    /// The number of bytes.
    pub size: u32,
    /// The number of bytes up to the end of the variable that has the storage.
    pub storage: u32,
    /// The number of bytes up to the end of the last register that contains the storage.
    pub registers: u32,
    /// The type of the elements.
    pub ty: DataType,
}

/// The distance of the addresses of routines.
const FUNCTION_SIZE: u64 = 64;

/// Returns whether an instruction does nothing but mark a place.
pub(crate) fn is_marker(instruction: &Instruction) -> bool {
    matches!(
        instruction,
        Instruction::Label(_)
            | Instruction::Subroutine(_)
            | Instruction::Loc(_)
            | Instruction::File(_)
            | Instruction::Lifetime(_)
    )
}

impl Program {
    pub(crate) fn id(&self) -> ProgramId {
        self.id
    }

    /// Prepares the routines of modules for a device.
    ///
    /// # Errors
    /// A routine cannot be decoded, or has no code.
    pub fn new<'m>(
        modules: impl IntoIterator<Item = &'m Module<'m>>,
        device: Device,
    ) -> Result<Program, Fault> {
        let (id, routines, functions) = (ProgramId::new(), Vec::new(), BTreeMap::new());
        let mut program = Program { id, routines, functions, device };
        let mut next = 0u32;
        for module in modules {
            for routine in module.routines() {
                let mut code = Code::new(&routine, device)?;
                code.first_instruction = next;
                next = next.saturating_add(code.instructions.len() as u32);
                if code.kind == RoutineKind::Function {
                    program.functions.insert(code.name.clone(), program.routines.len());
                }
                program.routines.push(code);
            }
        }
        Ok(program)
    }

    /// Returns the device.
    pub fn device(&self) -> Device {
        self.device
    }

    /// Returns the routines.
    pub fn routines(&self) -> &[Code] {
        &self.routines
    }

    /// Returns an instruction by its index among those of all routines.
    pub(crate) fn site(&self, index: usize) -> Option<Site> {
        let (code, index) = self.place(index)?;
        Some(code.site(index))
    }

    /// Returns the number of instructions of all routines.
    pub(crate) fn instruction_count(&self) -> usize {
        self.routines.iter().map(|code| code.instructions.len()).sum()
    }

    /// Returns whether an instruction, by its index among those of all routines, only marks a place.
    pub(crate) fn is_marker(&self, index: usize) -> bool {
        self.place(index).is_some_and(|(code, index)| is_marker(&code.instructions[index]))
    }

    /// Returns the routine and the index in it of an instruction by its index among those of all routines.
    fn place(&self, index: usize) -> Option<(&Code, usize)> {
        let has_it = |code: &&Code| {
            let first = code.first_instruction as usize;
            (first..first + code.instructions.len()).contains(&index)
        };
        let code = self.routines.iter().find(has_it)?;
        Some((code, index - code.first_instruction as usize))
    }

    /// Returns the floating-point type of the data of a message, as the variables are declared.
    pub(crate) fn float_type(&self, index: usize) -> Option<DataType> {
        let (code, index) = self.place(index)?;
        let mut data = Data { body: &code.body, found: None };
        code.instructions[index].visit(&mut data);
        data.found
    }

    /// Returns the index of a kernel.
    pub fn kernel(&self, name: &str) -> Option<usize> {
        let is_kernel = |code: &Code| code.kind == RoutineKind::Kernel && code.name == name;
        self.routines.iter().position(is_kernel)
    }

    /// Returns the function that FADDR gave an address.
    pub(crate) fn function_at(&self, address: u64) -> Option<usize> {
        let index = usize::try_from(address.checked_sub(FUNCTIONS)?).ok()? / FUNCTION_SIZE as usize;
        self.functions.values().copied().find(|function| *function == index)
    }

    /// Returns the address of a function. Nothing can be read there.
    pub(crate) fn address_of(&self, function: usize) -> u64 {
        FUNCTIONS + function as u64 * FUNCTION_SIZE
    }

    /// Returns the index of a function.
    pub(crate) fn function(&self, name: &str) -> Option<usize> {
        self.functions.get(name).copied()
    }
}

impl Code {
    /// Returns the format of the instructions.
    pub(crate) fn format(&self) -> Format {
        self.format
    }

    fn new(routine: &Routine<'_, '_>, device: Device) -> Result<Code, Fault> {
        let malformed = |what: String| Fault::from(FaultKind::Malformed(what));
        let instructions =
            routine.instructions().map(|item| item.map(|(_, instruction)| instruction));
        let instructions: Result<Vec<_>, _> = instructions.collect();
        let instructions = instructions.map_err(|error| malformed(error.to_string()))?;
        let body = routine.body.clone().into_owned();
        let mut labels = vec![None; body.labels.len()];
        for (index, instruction) in instructions.iter().enumerate() {
            if let Instruction::Label(genvisa::isa::Label { label })
            | Instruction::Subroutine(genvisa::isa::Subroutine { label }) = instruction
            {
                if let Some(place) = labels.get_mut(usize::from(label.0)) {
                    *place = Some(index);
                }
            }
        }
        let storage = Storage::new(routine, device.registers);
        let (variables, size) = variables(&storage, &body, routine.inputs, device);
        Ok(Code {
            name: routine.name.to_string(),
            kind: routine.kind,
            format: routine.format(),
            inputs: routine.inputs.to_vec(),
            body,
            sources: SourceLine::of_instructions(&instructions),
            instructions,
            first_instruction: 0,
            labels,
            variables,
            size,
        })
    }

    /// Returns the name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns whether the routine is a kernel or a function.
    pub fn kind(&self) -> RoutineKind {
        self.kind
    }

    /// Returns the tables.
    pub fn body(&self) -> &Body<'static> {
        &self.body
    }

    /// Returns the inputs.
    pub fn inputs(&self) -> &[Input] {
        &self.inputs
    }

    /// Returns the instructions.
    pub fn instructions(&self) -> &[Instruction] {
        &self.instructions
    }

    /// Returns the index of the instruction that defines a label.
    pub(crate) fn label(&self, label: LabelId) -> Result<usize, FaultKind> {
        self.labels.get(usize::from(label.0)).copied().flatten().ok_or_else(|| {
            FaultKind::Malformed(format!("label `{}` is not defined", self.name_of(label)))
        })
    }

    /// Returns where a variable is.
    pub(crate) fn variable(&self, var: VarId) -> Result<&Variable, FaultKind> {
        self.variables
            .get(var.0 as usize)
            .ok_or_else(|| FaultKind::Malformed(format!("variable V{} is not declared", var.0)))
    }

    /// Returns the number of bytes of all variables.
    pub(crate) fn size(&self) -> usize {
        self.size
    }

    /// Returns the name of an entry, or its id if it has none.
    pub(crate) fn name_of(&self, id: impl Into<Id>) -> String {
        let id = id.into();
        let predefined = match id.class {
            IdClass::Variable => VarId(id.number).predefined_name(),
            _ => None,
        };
        match (predefined, self.body.name_of(id)) {
            (Some(name), _) => name.into(),
            (None, Some(name)) => name.to_string(),
            (None, None) => format!("{}{}", id.class.letter(), id.number),
        }
    }

    /// Returns an instruction as text, with the names of the routine.
    pub fn line(&self, index: usize) -> String {
        let Some(instruction) = self.instructions.get(index) else { return String::new() };
        let names = LineNames::new(&self.body, self.format);
        LinePrinter::new(&names, self.format)
            .instruction(instruction, self.format)
            .trim()
            .to_owned()
    }

    /// Returns the number of instructions of the routines before it.
    pub(crate) fn first_instruction(&self) -> u32 {
        self.first_instruction
    }

    /// Returns the source line of an instruction that FILE and LOC state.
    pub fn source(&self, index: usize) -> Option<Source> {
        let line = self.sources.get(index).copied().flatten()?;
        let file = line.file.and_then(|file| self.body.strings.get(file.0 as usize));
        Some(Source { file: file.map(ToString::to_string).unwrap_or_default(), line: line.line })
    }

    /// Returns the name of a general variable, or its id if it has none.
    pub fn name_of_variable(&self, var: VarId) -> String {
        self.name_of(var)
    }

    /// Returns an instruction with its source line.
    pub fn site(&self, index: usize) -> Site {
        let source = self.source(index);
        Site { routine: self.name.clone(), instruction: index, line: self.line(index), source }
    }

    /// Returns the variable whose storage begins at a position, with its name.
    pub(crate) fn variable_at(&self, position: usize) -> Option<(VarId, &Variable)> {
        let all = self.variables.iter().enumerate();
        let mut found = all.filter(|(_, place)| {
            (place.start..place.start + place.size as usize).contains(&position)
        });
        found.next().map(|(index, place)| (VarId(index as u32), place))
    }

    /// Returns whether a variable is an input of the kernel.
    pub(crate) fn is_input(&self, var: VarId) -> bool {
        let is_general = |input: &Input| input.kind.class() == InputClass::GENERAL;
        self.inputs.iter().any(|input| is_general(input) && input.index == var.0)
    }

    /// Returns whether a variable is a register that the hardware sets: a predefined variable, except those
    /// of calls, which the program sets.
    pub(crate) fn is_hardware_state(&self, var: VarId) -> bool {
        let is_of_calls = |name| matches!(name, "%null" | "%arg" | "%retval" | "%sp" | "%fp");
        var.predefined_name().is_some_and(|name| !is_of_calls(name))
    }

    /// Returns the number of elements of a predicate.
    pub(crate) fn predicate_size(&self, id: PredId) -> Option<u16> {
        let index = id.0.checked_sub(PredId::FIRST_DECLARED.0)?;
        self.body.predicates.get(usize::from(index)).map(|variable| variable.num_elements)
    }

    /// Returns the number of elements of an address variable.
    pub(crate) fn address_size(&self, id: AddrId) -> Option<u16> {
        self.body.addresses.get(usize::from(id.0)).map(|variable| variable.num_elements)
    }
}

/// Places the variables one after the other, each at a multiple of the size of a register. Inputs that share
/// bytes of the payload share bytes here.
fn variables(
    storage: &Storage,
    body: &Body<'_>,
    inputs: &[Input],
    device: Device,
) -> (Vec<Variable>, usize) {
    let register = device.registers.bytes();
    let declared = VarId::FIRST_DECLARED.0;
    let count = declared + body.variables.len() as u32;
    let location = |number: u32| storage.location(Id { class: IdClass::Variable, number });
    // Aliases of predefined variables state how large these are on the device.
    let mut sizes: BTreeMap<u32, u32> = BTreeMap::new();
    for place in (0..count).filter_map(location) {
        let size = sizes.entry(place.root.number).or_default();
        *size = (*size).max(place.offset + place.size);
    }
    let mut starts: BTreeMap<u32, usize> = BTreeMap::new();
    let mut end = 0usize;
    for group in shared_inputs(inputs, location) {
        // The group begins as far from the start of a register as in the payload.
        let first = group.first().map_or(0, |(position, _)| *position);
        let start = end + first.rem_euclid(register.into()) as usize;
        for (position, root) in group {
            let root_start = start + (position - first) as usize;
            starts.insert(root, root_start);
            let size = sizes.get(&root).map_or(0, |size| size.next_multiple_of(register) as usize);
            end = end.max((root_start + size).next_multiple_of(register as usize));
        }
    }
    for (root, size) in &sizes {
        if starts.contains_key(root) {
            continue;
        }
        starts.insert(*root, end);
        end += size.next_multiple_of(register) as usize;
    }
    let variable = |number: u32| {
        let place = location(number);
        let ty = match number.checked_sub(declared) {
            Some(index) => body.variables[index as usize].ty,
            None => VarId(number).predefined_type().unwrap_or_default(),
        };
        let Some(place) = place else {
            return Variable { start: 0, size: 0, storage: 0, registers: 0, ty };
        };
        let storage = sizes.get(&place.root.number).copied().unwrap_or_default();
        Variable {
            start: starts.get(&place.root.number).copied().unwrap_or_default()
                + place.offset as usize,
            size: place.size,
            storage: storage.saturating_sub(place.offset),
            registers: storage.next_multiple_of(register).saturating_sub(place.offset),
            ty,
        }
    };
    ((0..count).map(variable).collect(), end)
}

/// Returns the groups of variables that are inputs and share bytes of the payload: of each, its position in
/// the payload and its number, in the order of the positions.
fn shared_inputs(
    inputs: &[Input],
    location: impl Fn(u32) -> Option<Location>,
) -> Vec<Vec<(i64, u32)>> {
    let is_variable = |input: &&Input| input.kind.class() == InputClass::GENERAL && input.size > 0;
    let mut inputs: Vec<&Input> = inputs.iter().filter(is_variable).collect();
    inputs.sort_by_key(|input| input.offset);
    let mut groups: Vec<Vec<(i64, u32)>> = Vec::new();
    let mut placed = BTreeSet::new();
    let mut end = i64::MIN;
    for input in inputs {
        let Some(place) = location(input.index) else { continue };
        // A variable that is an input twice has its first place.
        if !placed.insert(place.root.number) {
            continue;
        }
        let start = i64::from(input.offset);
        let member = (start - i64::from(place.offset), place.root.number);
        match groups.last_mut() {
            Some(group) if start < end => group.push(member),
            _ => groups.push(vec![member]),
        }
        end = end.max(start + i64::from(input.size));
    }
    groups.retain(|group| group.len() > 1);
    groups.iter_mut().for_each(|group| group.sort_unstable());
    groups
}
