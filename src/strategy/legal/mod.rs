//! Strategies for instructions and modules that the verifier accepts.

mod kernel;
mod operands;
mod random;
mod search;

use alloc::rc::Rc;
use alloc::vec::Vec;

use proptest::arbitrary::any;
use proptest::num::usize::BinarySearch;
use proptest::sample::select;
use proptest::strategy::{BoxedStrategy, NewTree, Strategy, ValueTree};
use proptest::test_runner::TestRunner;

use crate::format::Format;
use crate::isa::Instruction;
use crate::object::{Body, Module};
use crate::platform::Platform;
use random::Choices;
use search::{Layouts, Search};

/// Returns strategies for instructions and modules of a format that are legal on a platform: a
/// [`Verifier`](crate::verify::Verifier) with all groups of rules reports neither errors nor warnings
/// about them. Without a platform, rules that apply to some platforms only are skipped.
///
/// This tests a pass of a compiler on modules that its input may be:
///
/// ```
/// use genvisa::strategy::legal;
/// use genvisa::verify::Verifier;
/// use genvisa::Platform;
/// use genvisa::{Format, Instruction, Module};
/// use proptest::prelude::*;
///
/// /// A pass: removes moves that do nothing.
/// fn remove_moves(module: &mut Module<'_>) -> genvisa::Result<()> {
///     for routine in 0..module.routines().count() {
///         let mut editor = module.edit(routine)?;
///         editor.instructions.retain(|one| match one {
///             Instruction::Mov(mov) => mov.dst.0 != mov.src0,
///             _ => true,
///         });
///         editor.finish()?;
///     }
///     Ok(())
/// }
///
/// let legal = legal(Format::default(), Platform::Skl);
/// proptest!(ProptestConfig::with_cases(8), |(mut module in legal.modules())| {
///     remove_moves(&mut module).expect("legal code");
///     let verifier = Verifier::new().with_platform(Platform::Skl);
///     prop_assert_eq!(verifier.check_module(&module), []);
/// });
/// ```
///
/// # Contents
///
/// Modules have one or two kernels. Their declarations are variables of every type of the platform,
/// aliases, inputs, addresses, predicates, labels, surfaces, samplers and attributes. Control flow
/// consists of loops, branches, switches, and subroutines that are called: JMP, GOTO, SWITCHJMP,
/// CALL and RET. All other instructions are in any order.
///
/// Instructions have every opcode of the format, except calls of other routines (FCALL, IFCALL, FADDR
/// and FRET), BDPAS, and opcodes that the platform does not have. [`rows`](Legal::rows) lists the opcodes:
/// arithmetic, MEDIA_LD, INFO, RT_WRITE, GATHER4_TYPED, 3D_SAMPLE and the other messages to the
/// samplers, the data ports, the load-store cache and the video engine, raw sends, and barriers. The
/// contents of raw sends are random, because the verifier does not know the messages.
///
/// Programs are legal, but not meaningful: variables are read before they are written, addresses are
/// random, and loops may not end.
///
/// # Shrinking
///
/// Shrinking removes statements, declarations and kernels, and replaces an instruction by simpler ones
/// of the same opcode. All results are legal, too.
///
/// # Speed
///
/// The first instruction of an opcode takes the longest: few random instructions are legal, so a search
/// replaces their fields until the verifier accepts one. LSC messages have so many layouts that the
/// search takes seconds without optimization. Later instructions begin with the result, which the
/// threads of a process share.
pub fn legal(format: Format, platform: impl Into<Option<Platform>>) -> Legal {
    Legal { search: Rc::new(Search::new(format, platform.into())) }
}

/// Strategies for legal instructions and modules; see [`legal`].
#[derive(Clone, Debug)]
pub struct Legal {
    search: Rc<Search>,
}

impl Legal {
    /// Returns a strategy for modules.
    pub fn modules(&self) -> BoxedStrategy<Module<'static>> {
        kernel::modules(self.search.clone(), self.instructions())
    }

    /// Returns a strategy for instructions that refer to the tables of
    /// [`declarations`](Self::declarations). They are neither labels nor control flow.
    ///
    /// ```
    /// use genvisa::object::{Code, Kernel};
    /// use genvisa::verify::Verifier;
    /// use genvisa::Platform;
    /// use genvisa::{Format, Module, strategy};
    /// use proptest::prelude::*;
    ///
    /// let format = Format::default();
    /// let legal = strategy::legal(format, Platform::Skl);
    /// let mut kernel = Kernel::new("k");
    /// kernel.body = legal.declarations().clone();
    /// let mut module = Module::new(format);
    /// module.kernels.push(kernel);
    /// proptest!(|(instruction in legal.instructions())| {
    ///     let mut module = module.clone();
    ///     module.kernels[0].body.code = Code::from_instructions([&instruction], format).unwrap();
    ///     let verifier = Verifier::new().with_platform(Platform::Skl);
    ///     prop_assert_eq!(verifier.check_module(&module), []);
    /// });
    /// ```
    pub fn instructions(&self) -> BoxedStrategy<Instruction> {
        let opcodes = self.search.opcodes().flat_map(|opcode| {
            // The layouts of a family share an opcode.
            let family = Instruction::spec_of(opcode).map_or(0, |spec| spec.family.len());
            core::iter::repeat_n(opcode, family.clamp(1, 8))
        });
        LegalInstruction { search: self.search.clone(), opcodes: opcodes.collect() }.boxed()
    }

    /// Returns the opcodes that have legal instructions, except control flow, with their strategies.
    /// This searches legal instructions of every opcode, which takes seconds.
    ///
    /// ```
    /// use genvisa::{Dialect, Format, Instruction, Version, strategy};
    ///
    /// let rows = strategy::legal(Format::new(Dialect::Manual, Version::V3_6), None).rows();
    /// let mnemonics = rows.iter().map(|(opcode, _)| Instruction::mnemonic_of(*opcode).unwrap());
    /// assert_eq!(
    ///     mnemonics.collect::<Vec<_>>(),
    ///     ["media_ld", "gather4_typed", "sample_3d", "info_3d", "rt_write_3d"]
    /// );
    /// ```
    pub fn rows(&self) -> Vec<(u8, BoxedStrategy<Instruction>)> {
        let opcodes = self.search.opcodes();
        let legal = opcodes.filter(|opcode| !self.search.with_layouts(*opcode, Layouts::is_empty));
        legal
            .map(|opcode| {
                let opcodes = Vec::from([opcode]);
                let search = self.search.clone();
                (opcode, LegalInstruction { search, opcodes }.boxed())
            })
            .collect()
    }

    /// Returns the tables that the [`instructions`](Self::instructions) refer to.
    pub fn declarations(&self) -> &Body<'static> {
        self.search.declarations()
    }
}

/// A strategy for legal instructions of some opcodes.
#[derive(Clone, Debug)]
struct LegalInstruction {
    search: Rc<Search>,
    opcodes: Vec<u8>,
}

impl Strategy for LegalInstruction {
    type Tree = InstructionTree;
    type Value = Instruction;

    fn new_tree(&self, runner: &mut TestRunner) -> NewTree<Self> {
        // Some opcodes have no legal instructions on the platform.
        for _ in 0..100 {
            let opcode = select(self.opcodes.clone()).new_tree(runner)?.current();
            let random = &mut Choices::new(any::<u64>().new_tree(runner)?.current());
            let walk = |layouts: &Layouts| self.search.walk(layouts, random);
            let steps = self.search.with_layouts(opcode, walk);
            if let Some(last) = steps.len().checked_sub(1) {
                return Ok(InstructionTree { steps, at: BinarySearch::new(last) });
            }
        }
        Err("no instruction is legal".into())
    }
}

/// Legal instructions of the same layout, of which the first is the simplest.
#[derive(Clone, Debug)]
struct InstructionTree {
    steps: Vec<Instruction>,
    at: BinarySearch,
}

impl ValueTree for InstructionTree {
    type Value = Instruction;

    fn current(&self) -> Instruction {
        self.steps[self.at.current()]
    }

    fn simplify(&mut self) -> bool {
        self.at.simplify()
    }

    fn complicate(&mut self) -> bool {
        self.at.complicate()
    }
}
