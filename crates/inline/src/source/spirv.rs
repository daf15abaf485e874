//! Inline assembly in SPIR-V: the extension `SPV_INTEL_inline_assembly`.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::ops::Range;
use core::slice;

use super::constraints::{self, Role};
use super::evidence::{Target, content};
use super::results::Results;
use super::varying::SpirvValues;
use super::{Block, Content, Search, Source, SourceError};
use crate::constraint_string::split;
use crate::operand::Operand;
use crate::statement::{Lanes, Path, Statement};
use crate::ty::{AddressSpace, Element, Type};

const MAGIC: u32 = 0x0723_0203;
const HEADER_WORDS: usize = 5;

/// The opcodes that are read.
mod op {
    pub const NAME: u32 = 5;
    pub const ENTRY_POINT: u32 = 15;
    pub const EXECUTION_MODE: u32 = 16;
    pub const TYPE_VOID: u32 = 19;
    pub const TYPE_BOOL: u32 = 20;
    pub const TYPE_INT: u32 = 21;
    pub const TYPE_FLOAT: u32 = 22;
    pub const TYPE_VECTOR: u32 = 23;
    pub const TYPE_STRUCT: u32 = 30;
    pub const TYPE_POINTER: u32 = 32;
    pub const TYPE_FUNCTION: u32 = 33;
    pub const CONSTANT_TRUE: u32 = 41;
    pub const CONSTANT_FALSE: u32 = 42;
    pub const CONSTANT: u32 = 43;
    pub const CONSTANT_NULL: u32 = 46;
    pub const FUNCTION: u32 = 54;
    pub const FUNCTION_END: u32 = 56;
    pub const FUNCTION_CALL: u32 = 57;
    pub const DECORATE: u32 = 71;
    pub const COMPOSITE_EXTRACT: u32 = 81;
    pub const TYPE_UNTYPED_POINTER: u32 = 4417;
    pub const ASM_TARGET: u32 = 5609;
    pub const ASM: u32 = 5610;
    pub const ASM_CALL: u32 = 5611;
}

const EXECUTION_MODE_SUBGROUP_SIZE: u32 = 35;
const DECORATION_BUILT_IN: u32 = 11;
const DECORATION_VECTOR_COMPUTE_FUNCTION: u32 = 5626;

/// The templates of all blocks together are at most this many times as large as the file. A template
/// is repeated for each of its calls.
const MAX_EXPANSION: usize = 64;

/// Operands of definitions after so many are not read.
const MAX_OPERANDS: usize = 16;

/// Finds the inline assembly in a file.
pub(super) fn find(source: &[u8], search: &Search) -> Source {
    let mut module = Module::default();
    let error = module.read(source).err();
    if error.is_some() {
        // Uses may follow the end of what was read.
        module.results = Results::default();
    }
    let limit = source.len().saturating_mul(MAX_EXPANSION);
    let (blocks, too_large) = module.blocks(limit, search.default_target());
    Source { blocks, error: error.or(too_large), ..Source::default() }
}

/// The parts of a module that describe its inline assembly.
#[derive(Default)]
struct Module {
    names: BTreeMap<u32, Arc<str>>,
    entry_point_names: BTreeMap<u32, Arc<str>>,
    subgroup_sizes: BTreeMap<u32, u32>,
    vc_functions: Vec<u32>,
    types: BTreeMap<u32, SpirvType>,
    constants: BTreeMap<u32, u64>,
    /// The type of each value that may be an argument.
    value_types: BTreeMap<u32, u32>,
    varying: SpirvValues,
    targets: BTreeMap<u32, String>,
    templates: BTreeMap<u32, Template>,
    calls: Vec<Call>,
    /// The results of the calls.
    results: Results<u32>,
    /// The functions that each function calls.
    callees: BTreeMap<u32, Vec<u32>>,
    functions: Vec<u32>,
}

/// A type of SPIR-V.
enum SpirvType {
    Operand(Type),
    Struct(Vec<u32>),
    /// A function type: the result and the parameters.
    Function(u32, Vec<u32>),
}

/// An `OpAsmINTEL`.
struct Template {
    span: Range<usize>,
    function_type: u32,
    target: Target,
    text: Vec<u8>,
    constraints: Vec<u8>,
}

/// An `OpAsmCallINTEL`.
struct Call {
    span: Range<usize>,
    template: u32,
    result: u32,
    arguments: Vec<u32>,
    function: Option<u32>,
}

/// An instruction.
struct Instruction<'s> {
    opcode: u32,
    span: Range<usize>,
    words: Words<'s>,
}

/// The operands of an instruction.
#[derive(Clone, Copy)]
struct Words<'s> {
    bytes: &'s [u8],
    is_big_endian: bool,
}

impl<'s> Words<'s> {
    fn get(self, index: usize) -> Option<u32> {
        let bytes = self.bytes.get(index.checked_mul(4)?..)?.first_chunk()?;
        let word = if self.is_big_endian { u32::from_be_bytes } else { u32::from_le_bytes };
        Some(word(*bytes))
    }

    fn from(self, index: usize) -> Words<'s> {
        let bytes = self.bytes.get(index.saturating_mul(4)..).unwrap_or_default();
        Words { bytes, ..self }
    }

    fn iter(self) -> impl Iterator<Item = u32> + 's {
        (0..self.bytes.len() / 4).filter_map(move |index| self.get(index))
    }

    /// Returns the string at the start and the words after it, or `None` if it does not end.
    fn string(self) -> Option<(Vec<u8>, Words<'s>)> {
        let mut string = Vec::new();
        for (index, word) in self.iter().enumerate() {
            let bytes = word.to_le_bytes();
            match bytes.iter().position(|byte| *byte == 0) {
                Some(end) => {
                    string.extend_from_slice(&bytes[..end]);
                    return Some((string, self.from(index + 1)));
                }
                None => string.extend_from_slice(&bytes),
            }
        }
        None
    }
}

/// Returns the instructions of a file after the header.
fn instructions(
    source: &[u8],
    is_big_endian: bool,
) -> impl Iterator<Item = Result<Instruction<'_>, SourceError>> {
    let mut offset = HEADER_WORDS * 4;
    core::iter::from_fn(move || {
        let start = offset;
        let words = Words { bytes: source.get(start..)?, is_big_endian };
        if words.bytes.is_empty() {
            return None;
        }
        // Nothing follows an error.
        offset = source.len();
        let Some(first) = words.get(0) else {
            return Some(Err(SourceError::new(start, "the file ends inside an instruction")));
        };
        let (opcode, count) = (first & 0xffff, (first >> 16) as usize);
        if count == 0 {
            return Some(Err(SourceError::new(start, "an instruction has no words")));
        }
        let Some(bytes) = words.bytes.get(4..count * 4) else {
            return Some(Err(SourceError::new(start, "the file ends inside an instruction")));
        };
        offset = start + count * 4;
        let words = Words { bytes, is_big_endian };
        Some(Ok(Instruction { opcode, span: start..offset, words }))
    })
}

impl Module {
    fn read(&mut self, source: &[u8]) -> Result<(), SourceError> {
        let magic = source.first_chunk().copied().unwrap_or_default();
        let is_big_endian = u32::from_be_bytes(magic) == MAGIC;
        if !is_big_endian && u32::from_le_bytes(magic) != MAGIC {
            return Err(SourceError::new(0, "the file is not SPIR-V: it has another magic number"));
        }
        if source.len() < HEADER_WORDS * 4 {
            return Err(SourceError::new(source.len(), "the file ends inside the header"));
        }
        let mut function = None;
        for instruction in instructions(source, is_big_endian) {
            let instruction = instruction?;
            let start = instruction.span.start;
            self.read_instruction(instruction, &mut function).ok_or_else(|| {
                SourceError::new(start, "an operand of an instruction is missing")
            })?;
        }
        Ok(())
    }

    /// Records an instruction. Returns `None` if it has too few words.
    fn read_instruction(
        &mut self,
        instruction: Instruction<'_>,
        function: &mut Option<u32>,
    ) -> Option<()> {
        let Instruction { opcode, span, words } = instruction;
        match opcode {
            op::COMPOSITE_EXTRACT if words.get(3).is_some() => {
                self.results.add(&words.get(2)?, words.get(3));
            }
            _ if function.is_some() => {
                words.iter().for_each(|word| self.results.add(&word, None));
            }
            _ => {}
        }
        match opcode {
            op::NAME => {
                let name = constraints::text(&words.from(1).string()?.0);
                self.names.insert(words.get(0)?, name.into());
            }
            op::ENTRY_POINT => {
                let name = constraints::text(&words.from(2).string()?.0);
                self.entry_point_names.insert(words.get(1)?, name.into());
            }
            op::EXECUTION_MODE if words.get(1)? == EXECUTION_MODE_SUBGROUP_SIZE => {
                self.subgroup_sizes.insert(words.get(0)?, words.get(2)?);
            }
            op::DECORATE if words.get(1)? == DECORATION_VECTOR_COMPUTE_FUNCTION => {
                self.vc_functions.push(words.get(0)?);
            }
            op::DECORATE if words.get(1)? == DECORATION_BUILT_IN => {
                self.varying.decorate(words.get(0)?, words.get(2)?);
            }
            op::TYPE_VOID..=op::TYPE_VECTOR
            | op::TYPE_STRUCT
            | op::TYPE_POINTER
            | op::TYPE_FUNCTION
            | op::TYPE_UNTYPED_POINTER => {
                if let Some(ty) = self.read_type(opcode, words)? {
                    self.types.insert(words.get(0)?, ty);
                }
            }
            op::CONSTANT_TRUE | op::CONSTANT_FALSE | op::CONSTANT | op::CONSTANT_NULL => {
                let (ty, id) = (words.get(0)?, words.get(1)?);
                self.value_types.insert(id, ty);
                if let Some(value) = self.constant(opcode, ty, words.from(2))? {
                    self.constants.insert(id, value);
                }
            }
            op::FUNCTION => {
                let id = words.get(1)?;
                self.functions.push(id);
                *function = Some(id);
            }
            op::FUNCTION_END => *function = None,
            op::FUNCTION_CALL => {
                if let Some(function) = *function {
                    self.callees.entry(function).or_default().push(words.get(2)?);
                }
            }
            op::ASM_TARGET => {
                self.targets.insert(words.get(0)?, constraints::text(&words.from(1).string()?.0));
            }
            op::ASM => {
                let (id, function_type, target) = (words.get(1)?, words.get(2)?, words.get(3)?);
                let (text, rest) = words.from(4).string()?;
                let (constraints, _) = rest.string()?;
                let target = self.targets.get(&target);
                let target = target.map(|target| Target::of_triple(target.as_bytes()));
                let target = target.unwrap_or_default();
                let template = Template { span, function_type, target, text, constraints };
                self.templates.insert(id, template);
            }
            op::ASM_CALL => {
                let (result, template) = (words.get(1)?, words.get(2)?);
                self.results.define(result);
                let arguments = words.from(3).iter().collect();
                self.calls.push(Call { span, template, result, arguments, function: *function });
            }
            _ if function.is_some() => {
                let operands: Vec<u32> = words.from(2).iter().take(MAX_OPERANDS).collect();
                if let Some(result) = words.get(1) {
                    self.varying.define(opcode, result, &operands);
                }
            }
            _ => {}
        }
        Some(())
    }

    /// Returns the type that an instruction declares, or `Some(None)` if it cannot be the type of an
    /// operand.
    fn read_type(&self, opcode: u32, words: Words<'_>) -> Option<Option<SpirvType>> {
        let scalar = |element| Some(SpirvType::Operand(Type { element, components: 1 }));
        let pointer = |storage_class| {
            let space = match storage_class {
                0 => AddressSpace::Constant,
                4 => AddressSpace::Local,
                5 => AddressSpace::Global,
                7 => AddressSpace::Private,
                8 => AddressSpace::Generic,
                _ => return None,
            };
            scalar(Element::Pointer(space))
        };
        Some(match opcode {
            op::TYPE_BOOL => scalar(Element::I1),
            op::TYPE_INT => match words.get(1)? {
                1 => scalar(Element::I1),
                8 => scalar(Element::I8),
                16 => scalar(Element::I16),
                32 => scalar(Element::I32),
                64 => scalar(Element::I64),
                _ => None,
            },
            // A third operand is an encoding: 0 is bfloat.
            op::TYPE_FLOAT => match (words.get(1)?, words.get(2)) {
                (16, None) => scalar(Element::Half),
                (16, Some(0)) => scalar(Element::BFloat),
                (32, None) => scalar(Element::Float),
                (64, None) => scalar(Element::Double),
                _ => None,
            },
            op::TYPE_VECTOR => match self.types.get(&words.get(1)?) {
                Some(SpirvType::Operand(Type { element, components: 1 })) => {
                    let (element, components) = (*element, words.get(2)?);
                    Some(SpirvType::Operand(Type { element, components }))
                }
                _ => None,
            },
            op::TYPE_STRUCT => Some(SpirvType::Struct(words.from(1).iter().collect())),
            op::TYPE_POINTER | op::TYPE_UNTYPED_POINTER => pointer(words.get(1)?),
            op::TYPE_FUNCTION => {
                Some(SpirvType::Function(words.get(1)?, words.from(2).iter().collect()))
            }
            _ => None,
        })
    }

    /// Returns the bits of a constant, or `Some(None)` if it is not a scalar.
    fn constant(&self, opcode: u32, ty: u32, words: Words<'_>) -> Option<Option<u64>> {
        let Some(SpirvType::Operand(Type { element, components: 1 })) = self.types.get(&ty) else {
            return Some(None);
        };
        let width = match (opcode, element) {
            (op::CONSTANT_TRUE, _) => return Some(Some(1)),
            (op::CONSTANT_FALSE | op::CONSTANT_NULL, _) => return Some(Some(0)),
            (_, Element::I1) => 1,
            (_, Element::I8) => 8,
            (_, Element::I16 | Element::Half | Element::BFloat) => 16,
            (_, Element::I32 | Element::Float) => 32,
            (_, Element::I64 | Element::Double) => {
                let (low, high) = (words.get(0)?, words.get(1)?);
                return Some(Some(u64::from(high) << 32 | u64::from(low)));
            }
            (_, Element::Pointer(_)) => return Some(None),
        };
        // Narrow signed integers are extended with their sign.
        Some(Some(u64::from(words.get(0)?) & (u64::MAX >> (64 - width))))
    }

    fn operand_type(&self, id: u32) -> Option<Type> {
        match self.types.get(&id)? {
            SpirvType::Operand(ty) => Some(*ty),
            _ => None,
        }
    }

    /// Returns the number of lanes of each function, if all entry points that call it agree.
    fn lanes_by_function(&self) -> BTreeMap<u32, Option<Lanes>> {
        let mut lanes: BTreeMap<u32, Option<Lanes>> = BTreeMap::new();
        let of_entry_point =
            |id: &u32| self.subgroup_sizes.get(id).copied().and_then(Lanes::from_count);
        let mut pending: Vec<(u32, Option<Lanes>)> =
            self.entry_point_names.keys().map(|id| (*id, of_entry_point(id))).collect();
        // The lanes of a function change at most once, to unknown, so each function is visited at
        // most twice.
        while let Some((function, found)) = pending.pop() {
            let known = lanes.get(&function).copied();
            let joined = match known {
                Some(known) if known != found => None,
                _ => found,
            };
            if known != Some(joined) {
                lanes.insert(function, joined);
                let callees = self.callees.get(&function).into_iter().flatten();
                pending.extend(callees.map(|callee| (*callee, joined)));
            }
        }
        lanes
    }

    /// Returns one block for each call, and for each template without calls. Stops with an error if
    /// the templates have more than `limit` bytes.
    fn blocks(self, limit: usize, default_target: Target) -> (Vec<Block>, Option<SourceError>) {
        let lanes = self.lanes_by_function();
        let vc_functions: BTreeSet<u32> = self.vc_functions.iter().copied().collect();
        let mut blocks = Vec::new();
        let mut size = 0usize;
        let called: BTreeSet<u32> = self.calls.iter().map(|call| call.template).collect();
        let uses = self.calls.iter().map(|call| (call.template, Some(call)));
        let unused = self.templates.keys().filter(|id| !called.contains(id));
        for (id, call) in uses.chain(unused.map(|id| (*id, None))) {
            let template = self.templates.get(&id);
            let Some(span) = template.map(|it| &it.span).or(call.map(|it| &it.span)) else {
                continue;
            };
            size += template.map_or(0, |template| template.text.len() + template.constraints.len());
            if size > limit {
                let message = "templates are used too often to check all uses";
                return (blocks, Some(SourceError::new(span.start, message)));
            }
            let function = call.and_then(|call| call.function);
            let content = match template {
                Some(template) => {
                    let statement = self.statement(template, call);
                    content(statement, template.target.or(default_target))
                }
                None => Content::Unreadable("its template is not defined".into()),
            };
            let name = function.and_then(|id| {
                self.names.get(&id).or_else(|| self.entry_point_names.get(&id)).cloned()
            });
            blocks.push(Block {
                function: name,
                function_index: function,
                lanes: function.and_then(|id| lanes.get(&id).copied().flatten()),
                path: function.filter(|id| vc_functions.contains(id)).map(|_| Path::Vc),
                content,
                ..Block::new(span.clone())
            });
        }
        blocks.sort_by_key(|block| block.span.start);
        (blocks, None)
    }

    fn statement(&self, template: &Template, call: Option<&Call>) -> Statement {
        let string = &template.constraints;
        let split = split(string);
        let (result, parameters) = match self.types.get(&template.function_type) {
            Some(SpirvType::Function(result, parameters)) => (Some(result), &parameters[..]),
            _ => (None, &[][..]),
        };
        let roles = split.operands.iter().map(|span| constraints::role(&string[span.clone()]));
        let output_count = roles.filter(|role| *role == Role::Result).count();
        let results = match result.and_then(|result| Some((result, self.types.get(result)?))) {
            Some((_, SpirvType::Struct(members))) if output_count > 1 => &members[..],
            Some((result, _)) => slice::from_ref(result),
            None => &[],
        };
        let mut results = results.iter();
        let mut arguments = 0..;
        let operand = |span: Range<usize>| {
            let constraint = &string[span];
            let mut is_varying = false;
            let (ty, value) = match constraints::role(constraint) {
                Role::Result => (results.next().copied(), None),
                Role::Argument => {
                    let index: usize = arguments.next().unwrap_or_default();
                    let id = call.and_then(|call| call.arguments.get(index));
                    is_varying = id.is_some_and(|id| self.varying.contains(*id));
                    let ty = parameters.get(index).or_else(|| self.value_types.get(id?));
                    (ty.copied(), id.and_then(|id| self.constants.get(id)).copied())
                }
                Role::Label => (None, None),
            };
            let ty = ty.and_then(|ty| self.operand_type(ty));
            Operand { is_varying, ..constraints::operand(constraint, ty, value) }
        };
        let operands = split.operands.into_iter().map(operand).collect();
        let clobbers = split.clobbers.into_iter();
        let mut statement = Statement {
            template: template.text.clone(),
            operands,
            clobbers: clobbers.map(|span| constraints::text(&string[span])).collect(),
            ..Statement::default()
        };
        if let Some(used) = call.and_then(|call| self.results.get(&call.result)) {
            used.mark_unused(&mut statement);
        }
        statement
    }
}
