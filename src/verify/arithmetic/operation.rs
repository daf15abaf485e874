//! An instruction as the rules see it, and which instructions need no closer look.

use super::profile::{self as p, Profile};
use super::set::*;
use crate::isa::Instruction;
use crate::operand::{DataType, Exec, Modifier, Pred, Vector, VectorKind};
use crate::verify::context::{At, Cx};
use crate::verify::kind::Kind;

/// Up to four of something, one for each source.
pub(super) type Found<T> = core::iter::Flatten<core::array::IntoIter<Option<T>, 4>>;

/// The operands of an instruction, and what it takes.
pub(super) struct Operation<'o> {
    pub(super) profile: &'static Profile,
    pub(super) exec: Exec,
    pub(super) pred: Pred,
    pub(super) dst: &'o Vector,
    /// Only the first `count` are sources.
    src: [&'o Vector; 4],
    count: usize,
    /// Whether something beside the operands needs a closer look.
    is_odd: bool,
}

impl<'o> Operation<'o> {
    /// An instruction's operands; `None` for messages and control flow.
    #[inline(always)]
    pub(super) fn of(instruction: &'o Instruction) -> Option<Operation<'o>> {
        macro_rules! pred {
            ($i:ident) => {
                Pred::NONE
            };
            ($i:ident $pred:ident) => {
                $i.$pred
            };
        }
        /// Arms of layouts `exec, pred?, dst, sources`.
        macro_rules! rows {
            ($(
                $variant:ident($($src:ident)*) $($pred:ident)? => $profile:ident
                $(if |$i:ident| $odd:expr)?;
            )*) => {
                match instruction {
                    $(Instruction::$variant(i) => {
                        let sources = [$(&i.$src),*];
                        let mut src = [&i.dst.0; 4];
                        let count = sources.len();
                        for (to, from) in src.iter_mut().zip(sources) {
                            *to = from;
                        }
                        let pred = pred!(i $($pred)?);
                        let (dst, profile) = (&i.dst.0, &p::$profile);
                        let is_odd = false $(|| { let $i = i; $odd })?;
                        Operation { profile, exec: i.exec, pred, dst, src, count, is_odd }
                    })*
                    Instruction::AddrAdd(i) => {
                        let src = [&i.src0.0, &i.src1, &i.src1, &i.src1];
                        let profile = &p::ADDR_ADD;
                        Operation {
                            profile, exec: i.exec, pred: Pred::NONE, dst: &i.dst.0, src, count: 2,
                            is_odd: true,
                        }
                    }
                    _ => return None,
                }
            };
        }
        #[rustfmt::skip]
        let operation = rows! {
            Mov(src0) pred => MOV;
            Sel(src0 src1) pred => SEL if |i| i.pred.is_none();
            Fminmax(src0 src1) => FMINMAX if |i| i.op.name().is_none();
            Setp(src0) => SETP;
            Movs(src0) => MOVS;
            Fcvt(src0) => FCVT;
            Cmp(src0 src1) => CMP if |i| i.rel_op.op().name().is_none();
            Add(src0 src1) pred => ADD;
            Avg(src0 src1) pred => AVG;
            Div(src0 src1) pred => DIV;
            Dp2(src0 src1) pred => DOT;
            Dp3(src0 src1) pred => DOT;
            Dp4(src0 src1) pred => DOT;
            Dph(src0 src1) pred => DOT;
            Exp(src0) pred => FUNCTION;
            Frc(src0) pred => FRC;
            Line(src0 src1) pred => LINE;
            Log(src0) pred => FUNCTION;
            Mad(src0 src1 src2) pred => MAD;
            Mulh(src0 src1) pred => MULH;
            Lrp(src0 src1 src2) pred => LRP;
            Mod(src0 src1) pred => MOD;
            Mul(src0 src1) pred => MUL;
            Pow(src0 src1) pred => FUNCTION;
            Rndd(src0) pred => ROUND;
            Rndu(src0) pred => ROUND;
            Rnde(src0) pred => ROUND;
            Rndz(src0) pred => ROUND;
            Sad2(src0 src1) pred => SAD;
            Sin(src0) pred => FUNCTION;
            Cos(src0) pred => FUNCTION;
            Sqrt(src0) pred => SQRT;
            Rsqrt(src0) pred => RSQRT;
            Inv(src0) pred => INV;
            Lzd(src0) pred => LZD;
            Addc(src0 src1) pred => ADDC;
            Subb(src0 src1) pred => SUBB;
            Sad2add(src0 src1 src2) pred => SAD;
            Plane(src0 src1) pred => PLANE;
            Sqrtm(src0) pred => IEEE;
            Divm(src0 src1) pred => IEEE;
            Dp4a(src0 src1 src2) pred => DP4A;
            Add3(src0 src1 src2) pred => ADD3;
            Add3o(src0 src1 src2) pred => ADD3O if |i| i.pred.is_none();
            Madw(src0 src1 src2) pred => MADW;
            Srnd(src0 src1) => SRND;
            Tanh(src0) pred => FUNCTION;
            Sigm(src0) pred => FUNCTION;
            And(src0 src1) pred => LOGIC;
            Or(src0 src1) pred => LOGIC;
            Xor(src0 src1) pred => LOGIC;
            Not(src0) pred => LOGIC;
            Shl(src0 src1) pred => SHL;
            Shr(src0 src1) pred => SHR;
            Asr(src0 src1) pred => ASR;
            Cbit(src0) pred => CBIT;
            Fbl(src0) pred => FBL;
            Fbh(src0) pred => FBH;
            Bfe(src0 src1 src2) pred => BFE;
            Bfi(src0 src1 src2 src3) pred => BFI;
            Bfrev(src0) pred => BFREV;
            Rol(src0 src1) pred => ROTATE;
            Ror(src0 src1) pred => ROTATE;
            Bfn(src0 src1 src2) pred => BFN;
        };
        Some(operation)
    }

    /// Whether all operands are of classes, types and modifiers that no rule objects to.
    pub(super) fn is_plain(&self, cx: &Cx<'_>) -> bool {
        let what = |operand| cx.ty(operand).map_or(ODD, |ty| Set::of(operand, ty));
        let src = self.sources().fold(Set::EMPTY, |all, operand| all.or(what(operand)));
        self.takes(what(self.dst), src)
    }

    /// The same by what the destination is, and by what the sources are together.
    #[inline(always)]
    pub(super) fn takes(&self, dst: Set, src: Set) -> bool {
        self.profile.takes(dst, src) && !self.is_odd || self.is_logic_of_predicates(dst, src)
    }

    /// AND, OR, XOR, NOT of predicates alone.
    fn is_logic_of_predicates(&self, dst: Set, src: Set) -> bool {
        self.profile.predicates
            && self.pred.is_none()
            && PREDICATE.or(BOOL).or(NONE).holds(dst.or(src))
    }

    #[inline(always)]
    pub(super) fn sources(&self) -> impl Iterator<Item = &'o Vector> + use<'o, '_> {
        self.src.iter().take(self.count).copied()
    }

    /// The sources with the names of their fields.
    pub(super) fn named_sources(&self) -> impl Iterator<Item = (&'static str, &'o Vector)> {
        ["src0", "src1", "src2", "src3"].into_iter().zip(self.sources())
    }

    /// All operands with the names of their fields, and whether they are written.
    pub(super) fn operands(&self) -> impl Iterator<Item = (&'static str, &'o Vector, bool)> {
        let sources = self.named_sources().map(|(name, operand)| (name, operand, false));
        core::iter::once(("dst", self.dst, true)).chain(sources)
    }

    /// Whether an operand is of type BF.
    pub(super) fn has_bf(&self, cx: &Cx<'_>) -> bool {
        self.operands().any(|(_, operand, _)| cx.ty(operand) == Some(DataType::BF))
    }

    /// The type of the destination, where no rule for its class objects.
    pub(super) fn dst_ty(&self, c: &At<'_, '_>) -> Option<DataType> {
        let is_class = self.profile.dst.holds(Set::class(self.dst));
        c.ty(self.dst).filter(|ty| is_class && !self.is_refused(*ty, self.dst))
    }

    /// The type of a source, where no rule for its class objects.
    pub(super) fn src_ty(&self, operand: &Vector, c: &At<'_, '_>) -> Option<DataType> {
        let is_class = self.profile.src.holds(Set::class(operand));
        c.ty(operand).filter(|ty| is_class && !self.is_refused(*ty, operand))
    }

    /// The types of the sources that can be judged, with the names of their fields.
    pub(super) fn src_types(&self, c: &At<'_, '_>) -> Found<(&'static str, &'o Vector, DataType)> {
        let mut all = [None; 4];
        for (to, (name, operand)) in all.iter_mut().zip(self.named_sources()) {
            *to = self.src_ty(operand, c).map(|ty| (name, operand, ty));
        }
        all.into_iter().flatten()
    }

    /// Whether a more specific rule refuses the type: DF, a constant of type BOOL, or a packed vector
    /// that is no constant.
    fn is_refused(&self, ty: DataType, operand: &Vector) -> bool {
        let is_constant = matches!(operand.kind, VectorKind::Immediate(_));
        ty == DataType::DF && self.is_without_doubles()
            || ty == DataType::BOOL && is_constant
            || PACKED.or(VF).has(ty) && !is_constant
    }

    /// Whether it is arithmetic that is not for DF.
    pub(super) fn is_without_doubles(&self) -> bool {
        self.profile.kind == Kind::Arith && !self.profile.doubles
    }

    /// What the reference takes, and what the page lists, for the destination or for sources.
    pub(super) fn taken_and_listed(&self, is_dst: bool) -> (Set, Set) {
        let profile = self.profile;
        if is_dst { (profile.dst, profile.listed_dst) } else { (profile.src, profile.listed_src) }
    }

    /// Whether an operand is a predicate, or of type BOOL.
    pub(super) fn has_bool(&self, c: &At<'_, '_>) -> bool {
        self.dst_ty(c) == Some(DataType::BOOL)
            || self.src_types(c).any(|(_, _, ty)| ty == DataType::BOOL)
    }

    pub(super) fn saturates(&self) -> bool {
        let class = Set::class(self.dst);
        self.dst.modifier == Modifier::SAT && GENERAL.or(INDIRECT).holds(class)
    }

    /// Whether the destination is among types that saturate, or among those that newer platforms
    /// add, of which a platform that is not known may be one.
    pub(super) fn may_saturate(&self, types: Set, c: &At<'_, '_>) -> bool {
        let Some(ty) = c.ty(self.dst) else { return types != Set::EMPTY };
        let is_newer = self.profile.newer_sat.is_some_and(|(newer, since)| {
            newer.has(ty) && c.platform().is_none_or(|platform| platform >= since)
        });
        types.has(ty) || is_newer
    }
}
