//! Kernels: instructions in loops, branches and subroutines.

use alloc::format;
use alloc::vec::Vec;

use proptest::arbitrary::any;
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::prop_oneof;
use proptest::sample::{Index, subsequence};
use proptest::strategy::{BoxedStrategy, Just, Strategy};

use super::operands::PREDICATES;
use super::search::Search;
use crate::format::Format;
use crate::isa::{Call, Goto, Instruction, Jmp, Label, Labels, Ret, Subroutine, SwitchJmp};
use crate::object::{
    Attribute, Body, Code, Input, InputClass, InputKind, Kernel, LabelKind, Module,
};
use crate::operand::{Exec, ExecMask, ExecSize, Imm, LabelId, Pred, PredId, SurfaceId, VarId};

/// The number of statements in a kernel or a block, and the depth of blocks.
const STATEMENTS: usize = 24;
const STATEMENTS_OF_BLOCK: usize = 4;
const DEPTH: u32 = 3;

/// The number of subroutines, which all exist, but are only in the code if a statement calls them.
const SUBROUTINES: usize = 2;

/// The first register of inputs, in bytes, and their end: a kernel without the attribute NumGRF has 128
/// registers, of at least 32 bytes.
const FIRST_INPUT: i64 = 1024;
const END_OF_INPUTS: i64 = 128 * 32;

type Block = Vec<Statement>;

/// A part of a kernel. Every list of statements is legal in every block.
#[derive(Clone, Debug)]
pub(super) enum Statement {
    Instruction(Instruction),
    /// A block that is repeated while the predicate is set.
    Loop {
        jump: Jump,
        block: Block,
    },
    /// A block that is skipped if the predicate is set, and another for this case.
    If {
        jump: Jump,
        block: Block,
        otherwise: Option<Block>,
    },
    /// A call of a subroutine.
    Call {
        pred: Pred,
        subroutine: Index,
    },
    /// A jump to the start of one of the blocks. Each block continues with the next one.
    Switch {
        index: u8,
        blocks: Vec<Block>,
    },
}

/// A jump of the thread, or of its active lanes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Jump {
    pred: Pred,
    is_goto: bool,
}

/// The execution sizes of jumps.
const THREAD: Exec = Exec::new(ExecSize::S1, ExecMask::M1_NM);
const LANES: Exec = Exec::new(ExecSize::S16, ExecMask::M1);

impl Jump {
    fn to(self, label: LabelId) -> Instruction {
        let Jump { pred, is_goto } = self;
        match is_goto {
            true => Goto { exec: LANES, pred, label }.into(),
            false => Jmp { exec: THREAD, pred, label }.into(),
        }
    }
}

fn predicates() -> impl Strategy<Value = Pred> + Clone {
    (0..PREDICATES, any::<bool>()).prop_map(|(index, is_inverted)| {
        let id = PredId(PredId::FIRST_DECLARED.0 + index);
        let pred = Pred::new(id).unwrap_or(Pred::NONE);
        if is_inverted { pred.inverted() } else { pred }
    })
}

fn jumps() -> impl Strategy<Value = Jump> + Clone {
    (predicates(), any::<bool>()).prop_map(|(pred, is_goto)| Jump { pred, is_goto })
}

/// Returns the statements of a format on a platform: instructions, and blocks of statements.
fn statements(
    search: &Search,
    instructions: BoxedStrategy<Instruction>,
) -> BoxedStrategy<Statement> {
    let exists = |statement: Statement| {
        let kernel = KernelParts { code: Vec::from([statement]), ..KernelParts::default() };
        let module = module(&[kernel], search);
        module.is_some_and(|module| search.is_legal(&module))
    };
    let leaf = instructions.prop_map(Statement::Instruction).boxed();
    let pred = Pred::new(PredId::FIRST_DECLARED).unwrap_or(Pred::NONE);
    let jump = Jump { pred, is_goto: false };
    // Dialect `Manual` has no jumps.
    if !exists(Statement::Loop { jump, block: Vec::new() }) {
        return leaf;
    }
    let has_switch = exists(Statement::Switch { index: 0, blocks: Vec::from([Vec::new()]) });
    leaf.prop_recursive(DEPTH, STATEMENTS as u32, STATEMENTS_OF_BLOCK as u32, move |inner| {
        let block = vec(inner.clone(), 0..=STATEMENTS_OF_BLOCK).boxed();
        let pred = prop_oneof![Just(Pred::NONE), predicates()];
        let switch = match has_switch {
            true => (0..3u8, vec(block.clone(), 1..=3))
                .prop_map(|(index, blocks)| Statement::Switch { index, blocks })
                .boxed(),
            false => inner.clone(),
        };
        prop_oneof![
            12 => inner,
            1 => (pred, any::<Index>())
                .prop_map(|(pred, subroutine)| Statement::Call { pred, subroutine }),
            2 => (jumps(), block.clone())
                .prop_map(|(jump, block)| Statement::Loop { jump, block }),
            2 => (jumps(), block.clone(), option::of(block))
                .prop_map(|(jump, block, otherwise)| Statement::If { jump, block, otherwise }),
            1 => switch,
        ]
        .boxed()
    })
    .boxed()
}

/// What a kernel is made of.
#[derive(Clone, Debug, Default)]
struct KernelParts {
    code: Block,
    subroutines: Vec<Block>,
    /// Indices of variables and surfaces in their tables.
    inputs: Vec<InputOf>,
    attributes: Vec<(&'static str, i32)>,
    /// Whether the kernel keeps declarations that nothing refers to.
    keeps_unused: bool,
}

#[derive(Clone, Copy, Debug)]
enum InputOf {
    Variable(usize),
    Surface(usize),
    Sampler,
}

fn kernels(
    search: &Search,
    statement: &BoxedStrategy<Statement>,
) -> impl Strategy<Value = KernelParts> + use<> {
    let body = search.declarations();
    let is_variable = |index: &usize| body.variables[*index].alias == VarId::NULL;
    let variables = (0..body.variables.len()).filter(is_variable).map(InputOf::Variable);
    let surfaces = (0..body.surfaces.len()).map(InputOf::Surface);
    let inputs: Vec<InputOf> = variables.chain(surfaces).chain([InputOf::Sampler]).collect();
    let attribute = prop_oneof![
        (0..=1).prop_map(|value| ("Target", value)),
        proptest::sample::select(&[8, 16, 32][..]).prop_map(|value| ("SimdSize", value)),
        (0..=64).prop_map(|value| ("SLMSize", value)),
    ];
    let subroutine = vec(statement.clone(), 0..=STATEMENTS_OF_BLOCK);
    (
        vec(statement.clone(), 1..=STATEMENTS),
        vec(subroutine, SUBROUTINES),
        subsequence(inputs, 0..=6),
        vec(attribute, 0..=3),
        any::<bool>(),
    )
        .prop_map(|(code, subroutines, inputs, mut attributes, keeps_unused)| {
            attributes.sort_unstable();
            attributes.dedup_by_key(|(name, _)| *name);
            KernelParts { code, subroutines, inputs, attributes, keeps_unused }
        })
}

/// Returns a strategy for modules of one or two kernels.
pub(super) fn modules(
    search: alloc::rc::Rc<Search>,
    instructions: BoxedStrategy<Instruction>,
) -> BoxedStrategy<Module<'static>> {
    let statement = statements(&search, instructions);
    let kernel = kernels(&search, &statement).boxed();
    let two = vec(kernel.clone(), 2);
    prop_oneof![3 => vec(kernel, 1), 1 => two]
        .prop_filter_map("kernels of legal statements are encodable", move |kernels| {
            module(&kernels, &search)
        })
        .boxed()
}

/// Returns a module of kernels; `None` if the format lacks one of their instructions.
fn module(kernels: &[KernelParts], search: &Search) -> Option<Module<'static>> {
    let mut module = Module::new(search.format);
    for (index, parts) in kernels.iter().enumerate() {
        let name = format!("kernel_{}", index + 1);
        let mut kernel = Kernel::new(&name);
        kernel.body = search.declarations().clone();
        kernel.body.name = kernel.body.intern(&name);
        kernel.inputs = inputs(&parts.inputs, &kernel.body);
        for (name, value) in &parts.attributes {
            let name = kernel.body.intern(name);
            kernel.body.attributes.push(Attribute::integer(name, *value));
        }
        let mut code = Lowering { body: &mut kernel.body, code: Vec::new(), calls: Vec::new() };
        code.kernel(parts, search.format)?;
        let code = Code::from_instructions(&code.code, search.format).ok()?;
        kernel.body.code = code;
        module.kernels.push(kernel);
        if !parts.keeps_unused {
            let mut editor = module.edit(index).ok()?;
            editor.retain_used();
            editor.finish().ok()?;
        }
    }
    Some(module)
}

/// Returns the inputs that fit in the registers, one after another.
fn inputs(chosen: &[InputOf], body: &Body<'_>) -> Vec<Input> {
    let mut offset = FIRST_INPUT;
    let inputs = chosen.iter().filter_map(|chosen| {
        let (class, index, size) = match *chosen {
            InputOf::Variable(index) => {
                let variable = &body.variables[index];
                let size = variable.num_elements as usize * variable.ty.size();
                (InputClass::GENERAL, VarId::FIRST_DECLARED.0 as usize + index, size)
            }
            InputOf::Surface(index) => {
                (InputClass::SURFACE, usize::from(SurfaceId::FIRST_DECLARED.0) + index, 4)
            }
            InputOf::Sampler => (InputClass::SAMPLER, 0, 4),
        };
        // A multiple of the size is aligned as every instruction requires.
        let start = (offset as usize).next_multiple_of(size.max(4)) as i64;
        let end = start + size as i64;
        if end > END_OF_INPUTS {
            return None;
        }
        offset = end;
        let (index, start, size) = (index as u32, start as i16, size as u16);
        Some(Input { kind: InputKind::explicit(class), index, offset: start, size })
    });
    inputs.collect()
}

/// The code of a kernel, whose statements are lowered to instructions.
struct Lowering<'b> {
    body: &'b mut Body<'static>,
    code: Vec<Instruction>,
    /// The subroutines that are called, with their labels.
    calls: Vec<(usize, LabelId)>,
}

impl Lowering<'_> {
    fn kernel(&mut self, parts: &KernelParts, format: Format) -> Option<()> {
        let ret = Ret { exec: ExecSize::S1.into(), pred: Pred::NONE };
        let ret = Instruction::from(ret);
        // Dialect `Manual` has no RET.
        let has_ret = ret.spec().dialects.includes(format);
        self.block(&parts.code, &parts.subroutines, 0)?;
        self.code.extend(has_ret.then_some(ret));
        let mut done = 0;
        while let Some((subroutine, label)) = self.calls.get(done).copied() {
            done += 1;
            self.code.push(Subroutine { label }.into());
            // A subroutine calls those after it, so that no call is recursive.
            self.block(&parts.subroutines[subroutine], &parts.subroutines, subroutine + 1)?;
            self.code.push(ret);
        }
        Some(())
    }

    fn label(&mut self, kind: LabelKind) -> Option<LabelId> {
        let name = format!("label_{}", self.body.labels.len());
        self.body.add_label(&name, kind).ok()
    }

    fn place(&mut self, label: LabelId) {
        self.code.push(Label { label }.into());
    }

    /// Lowers a block, which calls subroutines from a number on.
    fn block(&mut self, block: &[Statement], subroutines: &[Block], first: usize) -> Option<()> {
        for statement in block {
            match statement {
                Statement::Instruction(instruction) => self.code.push(*instruction),
                Statement::Loop { jump, block } => {
                    let start = self.label(LabelKind::BLOCK)?;
                    self.place(start);
                    self.block(block, subroutines, first)?;
                    self.code.push(jump.to(start));
                }
                Statement::If { jump, block, otherwise } => {
                    let mut end = self.label(LabelKind::BLOCK)?;
                    self.code.push(jump.to(end));
                    self.block(block, subroutines, first)?;
                    if let Some(otherwise) = otherwise {
                        let next = core::mem::replace(&mut end, self.label(LabelKind::BLOCK)?);
                        self.code.push(Jump { pred: Pred::NONE, ..*jump }.to(end));
                        self.place(next);
                        self.block(otherwise, subroutines, first)?;
                    }
                    self.place(end);
                }
                Statement::Call { pred, subroutine } => {
                    let callable = subroutines.len().saturating_sub(first);
                    if callable == 0 {
                        continue;
                    }
                    let called = first + subroutine.index(callable);
                    let label = self.subroutine(called)?;
                    self.code.push(Call { exec: THREAD, pred: *pred, label }.into());
                }
                Statement::Switch { index, blocks } => {
                    let labels = blocks.iter().map(|_| self.label(LabelKind::BLOCK));
                    let labels = labels.collect::<Option<Vec<LabelId>>>()?;
                    let index = Imm::ud((*index).into()).into();
                    let exec = ExecSize::S1.into();
                    let list = Labels::new(&labels)?;
                    self.code.push(SwitchJmp { exec, index, labels: list }.into());
                    for (label, block) in labels.into_iter().zip(blocks) {
                        self.place(label);
                        self.block(block, subroutines, first)?;
                    }
                }
            }
        }
        Some(())
    }

    /// Returns the label of a subroutine, which is called.
    fn subroutine(&mut self, subroutine: usize) -> Option<LabelId> {
        if let Some((_, label)) = self.calls.iter().find(|(called, _)| *called == subroutine) {
            return Some(*label);
        }
        let label = self.label(LabelKind::SUBROUTINE)?;
        self.calls.push((subroutine, label));
        Some(label)
    }
}
