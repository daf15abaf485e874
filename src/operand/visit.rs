//! Visitors of the operands of instructions.

use super::{
    AddressOf, Aoffimmi, CmpDst, Dst, Exec, LabelId, Pred, Raw, SamplerId, ShortStringId, StringId,
    SurfaceId, VarId, Vector,
};

/// The field of an operand in its instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Slot {
    /// The name of the field.
    pub field: &'static str,
    /// Whether the documents require a scalar.
    pub is_scalar: bool,
    /// Whether the instruction writes the operand rather than reads it.
    pub is_written: bool,
}

/// Returns the slot of a field with a name and a type in the instruction table.
macro_rules! slot {
    ($field:ident: Scalar) => { $crate::operand::slot!(@ $field, true, false) };
    ($field:ident: Dst) => { $crate::operand::slot!(@ $field, false, true) };
    ($field:ident: CmpDst) => { $crate::operand::slot!(@ $field, false, true) };
    ($field:ident: RawDst) => { $crate::operand::slot!(@ $field, false, true) };
    ($field:ident $(: $ty:ident)?) => { $crate::operand::slot!(@ $field, false, false) };
    (@ $field:ident, $is_scalar:literal, $is_written:literal) => {
        $crate::operand::Slot {
            field: stringify!($field), is_scalar: $is_scalar, is_written: $is_written,
        }
    };
}

pub(crate) use slot;

/// Visits the operands of an instruction, in the order of their bytes. The default methods do
/// nothing.
///
/// [`Instruction::visit`](crate::Instruction::visit) calls a method for each operand. For ids only,
/// [`visit_ids`](crate::Instruction::visit_ids) and
/// [`visit_accesses`](crate::Instruction::visit_accesses) are simpler. The variable of LIFETIME is
/// not an operand.
///
/// ```
/// use genvisa::Instruction;
/// use genvisa::isa::Mov;
/// use genvisa::operand::{Dst, ExecSize, Imm, Slot, VarId, Vector, Visitor};
///
/// /// Counts the constants.
/// struct Constants(usize);
///
/// impl Visitor for Constants {
///     fn vector(&mut self, _: Slot, operand: &Vector) {
///         self.0 += usize::from(operand.as_imm().is_some());
///     }
/// }
///
/// let mut constants = Constants(0);
/// let mov = Mov { exec: ExecSize::S8.into(), src0: Imm::ud(7).into(), ..Mov::default() };
/// # #[cfg(feature = "verify")]
/// # assert_eq!(genvisa::verify::Verifier::new().check_instruction(&mov.into(), Default::default()), []);
/// Instruction::from(mov).visit(&mut constants);
/// assert_eq!(constants.0, 1);
/// ```
pub trait Visitor {
    /// Visits the execution size and mask.
    fn exec(&mut self, _: Slot, _: Exec) {}
    /// Visits the predicate of the instruction, which may be [none](Pred::is_none).
    fn pred(&mut self, _: Slot, _: Pred) {}
    /// Visits a vector operand that is read.
    fn vector(&mut self, _: Slot, _: &Vector) {}
    /// Visits a vector operand that is written.
    fn dst(&mut self, _: Slot, _: &Vector) {}
    /// Visits the destination of a comparison.
    fn cmp_dst(&mut self, _: Slot, _: &Vector) {}
    /// Visits an operand whose address is taken.
    fn address_of(&mut self, _: Slot, _: &Vector) {}
    /// Visits a raw operand; [`Slot::is_written`] distinguishes sources and destinations.
    fn raw(&mut self, _: Slot, _: Raw) {}
    /// Visits texel offsets.
    fn aoffimmi(&mut self, _: Slot, _: Aoffimmi) {}
    /// Visits a surface.
    fn surface(&mut self, _: Slot, _: SurfaceId) {}
    /// Visits a sampler.
    fn sampler(&mut self, _: Slot, _: SamplerId) {}
    /// Visits the variable that contains the address of a sampler or surface.
    fn state_address(&mut self, _: Slot, _: VarId) {}
    /// Visits a label.
    fn label(&mut self, _: Slot, _: LabelId) {}
    /// Visits a string of the string pool.
    fn string(&mut self, _: Slot, _: StringId) {}
}

/// Visits and changes the operands of an instruction, in the order of their bytes. The default
/// methods do nothing.
///
/// To rename or renumber variables and other entries, use
/// [`Instruction::replace_ids`](crate::Instruction::replace_ids): ids are in operands of most methods
/// here, and the variable of LIFETIME is not an operand. In a whole routine,
/// [`RoutineEditor`](crate::object::RoutineEditor) does it in the tables, too.
///
/// [`Instruction::visit_mut`](crate::Instruction::visit_mut) calls a method for each operand.
///
/// ```
/// use genvisa::Instruction;
/// use genvisa::isa::Mov;
/// use genvisa::operand::{Exec, ExecMask, ExecSize, Slot, VisitorMut};
///
/// /// Runs instructions in all lanes.
/// struct AllLanes;
///
/// impl VisitorMut for AllLanes {
///     fn exec(&mut self, _: Slot, exec: &mut Exec) {
///         exec.mask = ExecMask::M1_NM;
///     }
/// }
///
/// let mut mov = Instruction::from(Mov { exec: ExecSize::S8.into(), ..Mov::default() });
/// mov.visit_mut(&mut AllLanes);
/// let exec = Exec::new(ExecSize::S8, ExecMask::M1_NM);
/// assert_eq!(mov, Mov { exec, ..Mov::default() }.into());
/// ```
pub trait VisitorMut {
    /// Visits the execution size and mask.
    fn exec(&mut self, _: Slot, _: &mut Exec) {}
    /// Visits the predicate of the instruction, which may be [none](Pred::is_none).
    fn pred(&mut self, _: Slot, _: &mut Pred) {}
    /// Visits a vector operand that is read.
    fn vector(&mut self, _: Slot, _: &mut Vector) {}
    /// Visits a vector operand that is written.
    fn dst(&mut self, _: Slot, _: &mut Vector) {}
    /// Visits the destination of a comparison.
    fn cmp_dst(&mut self, _: Slot, _: &mut Vector) {}
    /// Visits an operand whose address is taken.
    fn address_of(&mut self, _: Slot, _: &mut Vector) {}
    /// Visits a raw operand; [`Slot::is_written`] distinguishes sources and destinations.
    fn raw(&mut self, _: Slot, _: &mut Raw) {}
    /// Visits texel offsets.
    fn aoffimmi(&mut self, _: Slot, _: &mut Aoffimmi) {}
    /// Visits a surface.
    fn surface(&mut self, _: Slot, _: &mut SurfaceId) {}
    /// Visits a sampler.
    fn sampler(&mut self, _: Slot, _: &mut SamplerId) {}
    /// Visits the variable that contains the address of a sampler or surface.
    fn state_address(&mut self, _: Slot, _: &mut VarId) {}
    /// Visits a label.
    fn label(&mut self, _: Slot, _: &mut LabelId) {}
    /// Visits a string of the string pool.
    fn string(&mut self, _: Slot, _: &mut StringId) {}
    /// Visits a string of the string pool whose id has two bytes in every version.
    fn short_string(&mut self, _: Slot, _: &mut ShortStringId) {}
}

/// A type that is an operand or contains operands.
pub(crate) trait Visit {
    #[inline(always)]
    fn visit(&self, _: Slot, _: &mut dyn Visitor) {}

    #[inline(always)]
    fn visit_mut(&mut self, _: Slot, _: &mut dyn VisitorMut) {}
}

macro_rules! visit_as {
    ($(
        $ty:ident => $method:ident, |$operand:ident| $value:expr;
        $method_mut:ident, |$operand_mut:ident| $value_mut:expr;
    )*) => {$(
        impl Visit for $ty {
            #[inline(always)]
            fn visit(&self, slot: Slot, visitor: &mut dyn Visitor) {
                let $operand = self;
                visitor.$method(slot, $value);
            }

            #[inline(always)]
            fn visit_mut(&mut self, slot: Slot, visitor: &mut dyn VisitorMut) {
                let $operand_mut = self;
                visitor.$method_mut(slot, $value_mut);
            }
        }
    )*};
}

visit_as! {
    Exec => exec, |o| *o; exec, |o| o;
    Pred => pred, |o| *o; pred, |o| o;
    Vector => vector, |o| o; vector, |o| o;
    Dst => dst, |o| &o.0; dst, |o| &mut o.0;
    CmpDst => cmp_dst, |o| &o.0; cmp_dst, |o| &mut o.0;
    AddressOf => address_of, |o| &o.0; address_of, |o| &mut o.0;
    Raw => raw, |o| *o; raw, |o| o;
    // Not visited as a vector operand, because it is none before 3.4.
    Aoffimmi => aoffimmi, |o| *o; aoffimmi, |o| o;
    SurfaceId => surface, |o| *o; surface, |o| o;
    SamplerId => sampler, |o| *o; sampler, |o| o;
    LabelId => label, |o| *o; label, |o| o;
    StringId => string, |o| *o; string, |o| o;
    ShortStringId => string, |o| StringId(o.0.into()); short_string, |o| o;
}

impl<T: Visit> Visit for Option<T> {
    #[inline(always)]
    fn visit(&self, slot: Slot, visitor: &mut dyn Visitor) {
        if let Some(operand) = self {
            operand.visit(slot, visitor);
        }
    }

    #[inline(always)]
    fn visit_mut(&mut self, slot: Slot, visitor: &mut dyn VisitorMut) {
        if let Some(operand) = self {
            operand.visit_mut(slot, visitor);
        }
    }
}

impl<T: Visit> Visit for &mut T {
    #[inline(always)]
    fn visit(&self, slot: Slot, visitor: &mut dyn Visitor) {
        T::visit(self, slot, visitor);
    }

    #[inline(always)]
    fn visit_mut(&mut self, slot: Slot, visitor: &mut dyn VisitorMut) {
        T::visit_mut(self, slot, visitor);
    }
}

/// Implements [`Visit`] for fields that are not operands.
macro_rules! not_operands {
    ($($ty:ty),* $(,)?) => { $(impl Visit for $ty {})* };
}

not_operands!(
    u8,
    u16,
    u32,
    i32,
    VarId,
    super::AddrId,
    super::PredId,
    super::ChannelMask,
    super::FenceFlags,
    super::IfcallFlags,
    super::SendFlags,
    super::lsc::LscFlags,
    super::NumElts,
    super::ChannelsMode,
    super::LifetimeProperties,
    super::Atomic,
    super::Relation,
    super::SvmBlock,
);
