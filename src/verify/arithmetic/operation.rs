//! The operands and the signature of an instruction, which the rules for arithmetic check.

use super::fast_path::{accepts, with_1_source, with_2_sources, with_3_sources};
use super::operand_set::*;
use super::signature::{self, Signature};
use crate::format::Format;
use crate::isa::{Instruction, Kind, instruction_table};
use crate::operand::{DataType, Exec, Modifier, Pred, Vector, VectorKind};
use crate::platform::Platform;
use crate::verify::availability;
use crate::verify::context::{Context, RuleContext};
use crate::verify::field::{Field, field};
use crate::verify::operands::is_legal_control;

/// An iterator over at most one item per source.
pub(super) type PerSource<T> = core::iter::Flatten<core::array::IntoIter<Option<T>, 4>>;

/// The operands and the signature of an instruction.
pub(super) struct Operation<'o> {
    pub(super) signature: &'static Signature,
    pub(super) exec: Exec,
    pub(super) pred: Pred,
    pub(super) dst: &'o Vector,
    /// Only the first `count` are sources.
    pub(super) src: [&'o Vector; 4],
    pub(super) count: usize,
    /// Whether a rule about something other than the operands may apply: not all platforms have the
    /// instruction, or another field breaks a rule.
    pub(super) needs_rules: bool,
}

/// Copies a field of an instruction to its [`Operation`].
macro_rules! set_field {
    ($o:ident, $i:ident, pred: Pred) => {
        $o.pred = $i.pred;
        $o.needs_rules |= $o.signature.predicated && $i.pred.is_none();
    };
    ($o:ident, $i:ident, op: MinMaxOp) => { $o.needs_rules |= $i.op.name().is_none(); };
    ($o:ident, $i:ident, rel_op: Relation) => {
        $o.needs_rules |= $i.rel_op.op().name().is_none();
    };
    ($o:ident, $i:ident, src0: Vector) => { set_field!(@ $o, 0, &$i.src0) };
    ($o:ident, $i:ident, src0: AddressOf) => { set_field!(@ $o, 0, &$i.src0.0) };
    ($o:ident, $i:ident, src1: Vector) => { set_field!(@ $o, 1, &$i.src1) };
    ($o:ident, $i:ident, src2: Vector) => { set_field!(@ $o, 2, &$i.src2) };
    ($o:ident, $i:ident, src3: Vector) => { set_field!(@ $o, 3, &$i.src3) };
    ($o:ident, $i:ident, $field:ident: $ty:ident) => {};
    (@ $o:ident, $index:literal, $operand:expr) => {
        $o.src[$index] = $operand;
        $o.count = $index + 1;
    };
}

/// Returns the operation of an instruction, given the signature and the fields of its row.
macro_rules! operation {
    ($instruction:ident, $i:ident, $signature:ident, { $($field:ident: $ty:ident),* $(,)? }) => {{
        let (signature, dst) = (&signature::$signature, &$i.dst.0);
        let (exec, pred, src) = ($i.exec, Pred::NONE, [dst; 4]);
        // The compiler evaluates this for each row.
        let needs_rules = availability::of($instruction).is_some();
        let mut o = Operation { signature, exec, pred, dst, src, count: 0, needs_rules };
        $(set_field!(o, $i, $field: $ty);)*
        o
    }};
}

macro_rules! signed_operations {
    ($({
        $doc:tt $op:literal $dialects:tt $name:ident $words:tt $body:tt
        [$kind:ident $(($signature:ident))?] $on:tt $moves:tt $text:tt $manual:tt
    })*) => {
        impl<'o> Operation<'o> {
            /// Returns the operands of an instruction; `None` if its row has no signature.
            #[inline(always)]
            pub(super) fn of(instruction: &'o Instruction) -> Option<Operation<'o>> {
                match instruction {
                    $($(Instruction::$name(i) => Some(operation!(instruction, i, $signature, $body)),)?)*
                    _ => None,
                }
            }
        }

        /// Returns whether an instruction has a signature and certainly satisfies every rule.
        #[inline(always)]
        pub(in crate::verify) fn is_known_legal(instruction: &Instruction, cx: &Context<'_>) -> bool {
            match instruction {
                $($(Instruction::$name(i) => {
                    operation!(instruction, i, $signature, $body).is_known_legal(cx)
                })?)*
                _ => false,
            }
        }

        const _: () = {
            $($(assert!(
                Kind::$kind as u8 == signature::$signature.kind as u8,
                "a row and its signature have different kinds"
            );)?)*
        };
    };
}

instruction_table!(signed_operations);

impl<'o> Operation<'o> {
    /// Returns whether the instruction certainly satisfies every rule.
    #[inline(always)]
    fn is_known_legal(&self, cx: &Context<'_>) -> bool {
        let (signature, exec, pred, dst) = (self.signature, self.exec, self.pred, self.dst);
        let [src0, src1, src2, _] = self.src;
        !self.needs_rules
            && is_legal_control(exec, pred, cx)
            && match self.count {
                1 => with_1_source(signature, exec, pred, dst, src0, cx),
                2 => with_2_sources(signature, exec, pred, dst, src0, src1, cx),
                3 => with_3_sources(signature, exec, pred, dst, src0, src1, src2, cx),
                _ => false,
            }
    }

    /// Returns whether the instruction certainly satisfies every rule for arithmetic. Its operands
    /// may break rules for operands.
    pub(super) fn obeys_signature(&self, cx: &Context<'_>) -> bool {
        let (signature, exec, pred, dst) = (self.signature, self.exec, self.pred, self.dst);
        let [src0, src1, src2, _] = self.src;
        !self.needs_rules
            && match self.count {
                1 => accepts::<false, 1>(signature, exec, pred, dst, [src0], cx),
                2 => accepts::<false, 2>(signature, exec, pred, dst, [src0, src1], cx),
                3 => accepts::<false, 3>(signature, exec, pred, dst, [src0, src1, src2], cx),
                _ => false,
            }
    }

    #[inline(always)]
    pub(super) fn sources(&self) -> impl Iterator<Item = &'o Vector> + use<'o, '_> {
        self.src.iter().take(self.count).copied()
    }

    /// Returns the sources with the names of their fields.
    pub(super) fn named_sources(&self) -> impl Iterator<Item = (Field, &'o Vector)> {
        [field!(Add.src0), field!(Add.src1), field!(Mad.src2), field!(Bfi.src3)]
            .into_iter()
            .zip(self.sources())
    }

    /// Returns all operands with the names of their fields. The flag is set for the destination.
    pub(super) fn operands(&self) -> impl Iterator<Item = (Field, &'o Vector, bool)> {
        let sources = self.named_sources().map(|(name, operand)| (name, operand, false));
        core::iter::once((field!(Add.dst), self.dst, true)).chain(sources)
    }

    /// Returns whether an operand has type BF.
    pub(super) fn has_bf(&self, cx: &Context<'_>) -> bool {
        self.operands().any(|(_, operand, _)| cx.ty(operand) == Some(DataType::BF))
    }

    /// Returns the type of the destination, unless its class breaks a rule.
    pub(super) fn dst_ty(&self, c: &RuleContext<'_, '_>) -> Option<DataType> {
        let is_class = self.signature.dst.contains(OperandSet::class(self.dst));
        c.ty(self.dst).filter(|ty| is_class && !self.is_rejected_elsewhere(*ty, self.dst))
    }

    /// Returns the type of a source, unless its class breaks a rule.
    pub(super) fn src_ty(&self, operand: &Vector, c: &RuleContext<'_, '_>) -> Option<DataType> {
        let is_class = self.signature.src.contains(OperandSet::class(operand));
        c.ty(operand).filter(|ty| is_class && !self.is_rejected_elsewhere(*ty, operand))
    }

    /// Returns the sources whose class breaks no rule, with the names of their fields and their
    /// types.
    pub(super) fn src_types(
        &self,
        c: &RuleContext<'_, '_>,
    ) -> PerSource<(Field, &'o Vector, DataType)> {
        let mut all = [None; 4];
        for (item, (name, operand)) in all.iter_mut().zip(self.named_sources()) {
            *item = self.src_ty(operand, c).map(|ty| (name, operand, ty));
        }
        all.into_iter().flatten()
    }

    /// Returns whether a more specific rule rejects the type: DF, BOOL for a constant, or a packed
    /// vector for an operand that is not a constant.
    fn is_rejected_elsewhere(&self, ty: DataType, operand: &Vector) -> bool {
        let is_constant = matches!(operand.kind, VectorKind::Immediate(_));
        ty == DataType::DF && self.is_without_doubles()
            || ty == DataType::BOOL && is_constant
            || PACKED.or(VF).has(ty) && !is_constant
    }

    /// Returns whether the instruction is arithmetic that does not accept DF.
    pub(super) fn is_without_doubles(&self) -> bool {
        self.signature.kind == Kind::Arith && !self.signature.doubles
    }

    /// Returns the operands that GenX_IR accepts and those that the page lists, for the
    /// destination or for sources.
    pub(super) fn accepted_and_on_page(&self, is_dst: bool) -> (OperandSet, OperandSet) {
        let signature = self.signature;
        if is_dst {
            (signature.dst, signature.dst_on_page)
        } else {
            (signature.src, signature.src_on_page)
        }
    }

    /// Returns whether an operand is a predicate or has type BOOL.
    pub(super) fn has_bool(&self, c: &RuleContext<'_, '_>) -> bool {
        self.dst_ty(c) == Some(DataType::BOOL)
            || self.src_types(c).any(|(_, _, ty)| ty == DataType::BOOL)
    }

    /// Returns whether the compiler does not compile the modifier of a source.
    pub(super) fn loses(&self, operand: &Vector) -> bool {
        let is_variable = GENERAL.or(INDIRECT).contains(OperandSet::class(operand));
        let modifier = OperandSet::modifier(operand.modifier);
        is_variable && operand.modifier != Modifier::NONE && self.signature.lost.contains(modifier)
    }

    /// Returns whether the instruction is a MUL of dwords that saturates an integer.
    pub(super) fn is_saturated_product(&self, c: &RuleContext<'_, '_>) -> bool {
        let has_rules = |ty| self.signature.sat_rules.has(ty);
        self.saturates()
            && c.ty(self.dst).is_some_and(has_rules)
            && self.sources().all(|src| c.ty(src).is_some_and(|ty| UD.or(D).has(ty)))
    }

    /// Returns whether the destination is saturated.
    pub(super) fn saturates(&self) -> bool {
        let class = OperandSet::class(self.dst);
        self.dst.modifier == Modifier::SAT && GENERAL.or(INDIRECT).contains(class)
    }

    /// Returns whether the destination has one of these types, or a type that newer platforms can
    /// saturate. An unknown platform may be a newer one.
    pub(super) fn may_saturate(&self, types: OperandSet, c: &RuleContext<'_, '_>) -> bool {
        let Some(ty) = c.ty(self.dst) else { return types != OperandSet::EMPTY };
        let is_newer = self.signature.newer_sat.is_some_and(|(newer, since)| {
            // Only 4.2 has text for Xe3P.
            let is_unknown = since < Platform::Xe3pCri || c.format() == Format::V4_2;
            newer.has(ty) && c.platform().map_or(is_unknown, |platform| platform >= since)
        });
        types.has(ty) || is_newer
    }
}
