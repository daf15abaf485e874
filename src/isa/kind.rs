//! The kinds of instructions, and questions that their kind and opcode answer.

use core::fmt;

use super::{Ifcall, Instruction, RawSend, RawSendg, RawSends};
use crate::operand::{IfcallFlags, Pred, SendFlags};

/// The kind of an instruction, as in the table of GenX_IR.
///
/// ```
/// use genvisa::isa::{Add, Kind};
/// use genvisa::Instruction;
///
/// assert_eq!(Instruction::from(Add::default()).kind(), Kind::Arith);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Kind {
    /// A move, a selection, a conversion, a minimum or a maximum.
    Mov,
    /// Arithmetic.
    Arith,
    /// A bitwise operation, a shift or a bit field.
    Logic,
    /// A comparison: CMP.
    Compare,
    /// Address arithmetic: ADDR_ADD.
    Address,
    /// A jump, a call, a return, a label, or FADDR.
    Flow,
    /// A message to the data port.
    DataPort,
    /// A message to the sampler or to a video unit.
    Sampler,
    /// A message that accesses shared virtual memory.
    Svm,
    /// A message to the load-store cache.
    Lsc,
    /// A barrier, a fence, a wait or a yield.
    Sync,
    /// Any other instruction: raw sends, motion estimation, systolic arithmetic, URB writes, debug
    /// information.
    Misc,
}

impl Kind {
    /// Returns the name: the name of the variant in lower case, with `_` between words.
    pub const fn name(self) -> &'static str {
        match self {
            Kind::Mov => "mov",
            Kind::Arith => "arith",
            Kind::Logic => "logic",
            Kind::Compare => "compare",
            Kind::Address => "address",
            Kind::Flow => "flow",
            Kind::DataPort => "data_port",
            Kind::Sampler => "sampler",
            Kind::Svm => "svm",
            Kind::Lsc => "lsc",
            Kind::Sync => "sync",
            Kind::Misc => "misc",
        }
    }

    /// Returns whether the instruction computes, moves or compares, rather than sends a message or
    /// jumps: `Mov`, `Arith`, `Logic`, `Compare` and `Address`. DPAS and DPASW are [`Kind::Misc`].
    pub const fn is_arithmetic(self) -> bool {
        use Kind::{Address, Arith, Compare, Logic, Mov};
        matches!(self, Mov | Arith | Logic | Compare | Address)
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl Instruction {
    /// Returns whether the instruction is a message to a shared function that transfers data.
    ///
    /// These are the instructions of the kinds [`DataPort`](Kind::DataPort),
    /// [`Sampler`](Kind::Sampler), [`Svm`](Kind::Svm) and [`Lsc`](Kind::Lsc) except LSC_FENCE; and
    /// of [`Misc`](Kind::Misc) the raw sends (RAW_SEND, RAW_SENDS, RAW_SENDG), motion estimation
    /// (VME_IME, VME_SIC, VME_FBR, VME_IDM) and URB_WRITE. Barriers and fences transfer no data.
    ///
    /// ```
    /// use genvisa::isa::{Barrier, Dpas, Info, LscFence, RawSend};
    /// use genvisa::Instruction;
    ///
    /// assert!(Instruction::from(Info::default()).is_message());
    /// assert!(Instruction::from(RawSend::default()).is_message());
    /// assert!(!Instruction::from(Dpas::default()).is_message());
    /// assert!(!Instruction::from(Barrier {}).is_message());
    /// assert!(!Instruction::from(LscFence::default()).is_message());
    /// ```
    pub const fn is_message(&self) -> bool {
        match self.kind() {
            Kind::DataPort | Kind::Sampler | Kind::Svm => true,
            Kind::Lsc => !matches!(self, Instruction::LscFence(_)),
            Kind::Misc => matches!(
                self,
                Instruction::RawSend(_)
                    | Instruction::RawSends(_)
                    | Instruction::RawSendg(_)
                    | Instruction::VmeIme(_)
                    | Instruction::VmeSic(_)
                    | Instruction::VmeFbr(_)
                    | Instruction::VmeIdm(_)
                    | Instruction::UrbWrite(_)
            ),
            _ => false,
        }
    }

    /// Returns whether the instruction ends a basic block, because control may continue elsewhere
    /// than at the next instruction.
    ///
    /// These are JMP, GOTO, SWITCHJMP, RET, FRET, raw sends with [`SendFlags::EOT`] and IFCALL with
    /// [`IfcallFlags::NO_RETURN`], with or without a predicate. Other calls (CALL, FCALL, IFCALL)
    /// return to the next instruction and do not end a block; the blocks of
    /// `analysis::Cfg` end there as well, because calls have edges. Blocks begin at
    /// [`Label`](super::Label) and [`Subroutine`](super::Subroutine).
    ///
    /// ```
    /// use genvisa::isa::{Call, Jmp};
    /// use genvisa::Instruction;
    ///
    /// assert!(Instruction::from(Jmp::default()).ends_block());
    /// assert!(!Instruction::from(Call::default()).ends_block());
    /// ```
    pub const fn ends_block(&self) -> bool {
        self.block_end().is_some()
    }

    /// Returns whether control may continue with the next instruction. An instruction that
    /// [ends a block](Self::ends_block) falls through only if it has a predicate; SWITCHJMP never
    /// does.
    ///
    /// ```
    /// use genvisa::isa::Goto;
    /// use genvisa::operand::{Pred, PredId};
    /// use genvisa::Instruction;
    ///
    /// let pred = Pred::new(PredId(1)).expect("a small id");
    /// assert!(!Instruction::from(Goto::default()).falls_through());
    /// assert!(Instruction::from(Goto { pred, ..Goto::default() }).falls_through());
    /// ```
    pub const fn falls_through(&self) -> bool {
        match self.block_end() {
            Some(pred) => !pred.is_none(),
            None => true,
        }
    }

    /// Returns the predicate of an instruction that ends a basic block.
    const fn block_end(&self) -> Option<Pred> {
        match self {
            Instruction::Jmp(jump) => Some(jump.pred),
            Instruction::Goto(jump) => Some(jump.pred),
            Instruction::SwitchJmp(_) => Some(Pred::NONE),
            Instruction::Ret(ret) => Some(ret.pred),
            Instruction::Fret(ret) => Some(ret.pred),
            Instruction::RawSend(RawSend { modifiers, pred, .. })
            | Instruction::RawSends(RawSends { modifiers, pred, .. })
            | Instruction::RawSendg(RawSendg { modifiers, pred, .. })
                if modifiers.contains(SendFlags::EOT) =>
            {
                Some(*pred)
            }
            Instruction::Ifcall(Ifcall { modifiers: Some(modifiers), pred, .. })
                if modifiers.contains(IfcallFlags::NO_RETURN) =>
            {
                Some(*pred)
            }
            _ => None,
        }
    }
}
