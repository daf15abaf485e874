//! Sets of the classes, types and modifiers of operands.

use core::fmt;

use crate::operand::{DataType, Modifier, Vector, VectorKind};

/// A set of types, classes and modifiers of operands, with one bit per element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct OperandSet(u64);

/// The lowest bits of the classes and of the modifiers. The types have the lowest bits of all.
const CLASSES: u32 = 32;
const MODIFIERS: u32 = 38;

/// All types.
pub(super) const TYPES: OperandSet = OperandSet(u32::MAX as u64);
pub(super) const UD: OperandSet = OperandSet::ty(DataType::UD);
pub(super) const D: OperandSet = OperandSet::ty(DataType::D);
pub(super) const UW: OperandSet = OperandSet::ty(DataType::UW);
pub(super) const W: OperandSet = OperandSet::ty(DataType::W);
pub(super) const UB: OperandSet = OperandSet::ty(DataType::UB);
pub(super) const B: OperandSet = OperandSet::ty(DataType::B);
pub(super) const UQ: OperandSet = OperandSet::ty(DataType::UQ);
pub(super) const Q: OperandSet = OperandSet::ty(DataType::Q);
pub(super) const HF: OperandSet = OperandSet::ty(DataType::HF);
pub(super) const F: OperandSet = OperandSet::ty(DataType::F);
pub(super) const DF: OperandSet = OperandSet::ty(DataType::DF);
pub(super) const BF: OperandSet = OperandSet::ty(DataType::BF);
pub(super) const BOOL: OperandSet = OperandSet::ty(DataType::BOOL);
pub(super) const UV: OperandSet = OperandSet::ty(DataType::UV);
pub(super) const VF: OperandSet = OperandSet::ty(DataType::VF);
/// The float types without a binary form.
pub(super) const NEWER: OperandSet = OperandSet::ty(DataType::TF32)
    .or(OperandSet::ty(DataType::HF8))
    .or(OperandSet::ty(DataType::BF8))
    .or(OperandSet::ty(DataType::E2M1));
/// Packed vectors of integers.
pub(super) const PACKED: OperandSet = OperandSet::ty(DataType::V).or(UV);
/// Integers up to 32 bits.
pub(super) const INT: OperandSet = UD.or(D).or(UW).or(W).or(UB).or(B);
/// Integers of 64 bits.
pub(super) const LONG: OperandSet = UQ.or(Q);
/// All integers.
pub(super) const INTS: OperandSet = INT.or(LONG);
/// The float types except BF.
pub(super) const FLOATS: OperandSet = F.or(HF).or(DF);
/// The types of arithmetic.
pub(super) const NUMBERS: OperandSet = INTS.or(FLOATS);

pub(super) const GENERAL: OperandSet = OperandSet(1 << CLASSES);
pub(super) const ADDRESS: OperandSet = OperandSet(2 << CLASSES);
pub(super) const PREDICATE: OperandSet = OperandSet(4 << CLASSES);
pub(super) const INDIRECT: OperandSet = OperandSet(8 << CLASSES);
pub(super) const IMMEDIATE: OperandSet = OperandSet(16 << CLASSES);
pub(super) const STATE: OperandSet = OperandSet(32 << CLASSES);
/// All classes.
pub(super) const ANY_CLASS: OperandSet = OperandSet(0x3f << CLASSES);

pub(super) const NONE: OperandSet = OperandSet::modifier(Modifier::NONE);
pub(super) const SAT: OperandSet = OperandSet::modifier(Modifier::SAT);
pub(super) const NOT: OperandSet = OperandSet::modifier(Modifier::NOT);
/// `abs`, `neg` and both.
pub(super) const SIGNS: OperandSet = OperandSet::modifier(Modifier::ABS)
    .or(OperandSet::modifier(Modifier::NEG))
    .or(OperandSet::modifier(Modifier::NEG_ABS));
/// All modifiers.
pub(super) const MODIFIER: OperandSet = OperandSet(0xff << MODIFIERS);

impl OperandSet {
    pub(super) const EMPTY: OperandSet = OperandSet(0);
    pub(super) const ALL: OperandSet = OperandSet(u64::MAX);

    #[inline(always)]
    pub(super) const fn ty(ty: DataType) -> OperandSet {
        OperandSet(1 << (ty.bits() & 31))
    }

    pub(super) const fn modifier(modifier: Modifier) -> OperandSet {
        OperandSet(1 << (MODIFIERS + modifier.bits() as u32))
    }

    #[inline(always)]
    pub(super) const fn class(operand: &Vector) -> OperandSet {
        match operand.kind {
            VectorKind::General { .. } => GENERAL,
            VectorKind::Address { .. } => ADDRESS,
            VectorKind::Predicate(_) => PREDICATE,
            VectorKind::Indirect { .. } => INDIRECT,
            VectorKind::Immediate(_) => IMMEDIATE,
            VectorKind::State { .. } => STATE,
        }
    }

    pub(super) const fn or(self, other: OperandSet) -> OperandSet {
        OperandSet(self.0 | other.0)
    }

    pub(super) const fn and(self, other: OperandSet) -> OperandSet {
        OperandSet(self.0 & other.0)
    }

    pub(super) const fn without(self, other: OperandSet) -> OperandSet {
        OperandSet(self.0 & !other.0)
    }

    /// Replaces the types.
    pub(super) const fn with_types(self, types: OperandSet) -> OperandSet {
        self.without(TYPES).or(types)
    }

    /// Replaces the classes.
    pub(super) const fn with_classes(self, classes: OperandSet) -> OperandSet {
        self.without(ANY_CLASS).or(classes)
    }

    /// Replaces the modifiers.
    pub(super) const fn with_modifiers(self, modifiers: OperandSet) -> OperandSet {
        self.without(MODIFIER).or(modifiers)
    }

    /// Returns whether the other set is a subset of this one.
    pub(super) const fn contains(self, other: OperandSet) -> bool {
        other.0 & !self.0 == 0
    }

    /// Returns whether the sets have a common element.
    pub(super) const fn intersects(self, other: OperandSet) -> bool {
        self.0 & other.0 != 0
    }

    /// Returns whether the set contains a type.
    pub(super) const fn has(self, ty: DataType) -> bool {
        self.intersects(OperandSet::ty(ty))
    }
}

/// Prints the types and the classes, such as `ud, d or uw`.
impl fmt::Display for OperandSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const CLASS_NAMES: [(OperandSet, &str); 6] = [
            (GENERAL, "general"),
            (INDIRECT, "indirect"),
            (IMMEDIATE, "immediate"),
            (PREDICATE, "predicate"),
            (ADDRESS, "address"),
            (STATE, "state"),
        ];
        let types = DataType::NAMED.iter().filter(|ty| self.has(**ty)).filter_map(|ty| ty.name());
        let classes = CLASS_NAMES.iter().filter(|(class, _)| self.intersects(*class));
        let mut names = types.chain(classes.map(|(_, name)| *name)).peekable();
        let mut is_first = true;
        while let Some(name) = names.next() {
            let separator = match (is_first, names.peek()) {
                (true, _) => "",
                (_, Some(_)) => ", ",
                (_, None) => " or ",
            };
            write!(f, "{separator}{name}")?;
            is_first = false;
        }
        Ok(())
    }
}
