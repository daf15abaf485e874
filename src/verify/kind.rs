//! The kinds of instruction that the operand rules tell apart.

use crate::isa::Instruction;

/// What an instruction does, as the reference's table sorts them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Moves and selections.
    Mov,
    /// Arithmetic.
    Arith,
    /// Logic, shifts, bit fields.
    Logic,
    /// CMP.
    Compare,
    /// ADDR_ADD.
    Address,
    /// Jumps, calls, labels.
    Flow,
    /// Messages to the data port.
    DataPort,
    /// Messages to the sampler and the video units.
    Sampler,
    /// Shared virtual memory.
    Svm,
    /// The load-store cache.
    Lsc,
    /// Barriers and fences.
    Sync,
    /// The rest.
    Misc,
}

impl Kind {
    /// The kind of an instruction.
    #[inline]
    pub(super) fn of(instruction: &Instruction) -> Kind {
        use Instruction::*;
        match instruction {
            Mov(_) | Sel(_) | Fminmax(_) | Setp(_) | Movs(_) | Fcvt(_) => Kind::Mov,
            Add(_) | Avg(_) | Div(_) | Dp2(_) | Dp3(_) | Dp4(_) | Dph(_) | Exp(_) | Frc(_)
            | Line(_) | Log(_) | Mad(_) | Mulh(_) | Lrp(_) | Mod(_) | Mul(_) | Pow(_) | Rndd(_)
            | Rndu(_) | Rnde(_) | Rndz(_) | Sad2(_) | Sin(_) | Cos(_) | Sqrt(_) | Rsqrt(_)
            | Inv(_) | Lzd(_) | Addc(_) | Subb(_) | Sad2add(_) | Plane(_) | Sqrtm(_) | Divm(_)
            | Dp4a(_) | Add3(_) | Add3o(_) | Madw(_) | Srnd(_) | Tanh(_) | Sigm(_) => Kind::Arith,
            And(_) | Or(_) | Xor(_) | Not(_) | Shl(_) | Shr(_) | Asr(_) | Cbit(_) | Fbl(_)
            | Fbh(_) | Bfe(_) | Bfi(_) | Bfrev(_) | Rol(_) | Ror(_) | Bfn(_) => Kind::Logic,
            Cmp(_) => Kind::Compare,
            AddrAdd(_) => Kind::Address,
            Subroutine(_) | Label(_) | Jmp(_) | Call(_) | Ret(_) | Ifcall(_) | Faddr(_)
            | Fcall(_) | Fret(_) | SwitchJmp(_) | Goto(_) => Kind::Flow,
            OwordLd(_) | OwordSt(_) | MediaLd(_) | MediaSt(_) | Gather(_) | Scatter(_)
            | OwordLdUnaligned(_) | Gather4Typed(_) | Scatter4Typed(_) | RtWrite(_)
            | TypedAtomic(_) | Gather4Scaled(_) | Scatter4Scaled(_) | GatherScaled(_)
            | ScatterScaled(_) | DwordAtomic(_) | QwGather(_) | QwScatter(_) => Kind::DataPort,
            Sample(_) | SampleUnorm(_) | Load(_) | Avs(_) | Va(_) | VaSklPlus(_) | Sample3d(_)
            | Load3d(_) | Gather4(_) | Info(_) => Kind::Sampler,
            Svm(_) => Kind::Svm,
            LscUntyped(_) | LscTyped(_) | LscFence(_) => Kind::Lsc,
            Barrier(_) | SamplerCacheFlush(_) | Wait(_) | Fence(_) | Yield(_) | Nbarrier(_)
            | Sbarrier(_) => Kind::Sync,
            Dpas(_) | Dpasw(_) | File(_) | Loc(_) | VmeIme(_) | VmeSic(_) | VmeFbr(_)
            | VmeIdm(_) | RawSend(_) | UrbWrite(_) | RawSends(_) | Lifetime(_) | RawSendg(_) => {
                Kind::Misc
            }
        }
    }

    /// Whether it computes, moves or compares, rather than sends a message or jumps.
    pub(super) fn is_arithmetic(self) -> bool {
        use Kind::{Address, Arith, Compare, Logic, Mov};
        matches!(self, Mov | Arith | Logic | Compare | Address)
    }
}
