//! Sets of what operands can be: classes, types and modifiers, a bit for each.

use core::fmt;

use crate::operand::{DataType, Modifier, Vector, VectorKind};

/// Types, classes and modifiers of operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Set(u32);

/// Where the bits of the classes and of the modifiers begin; those of the types are the lowest.
const CLASSES: u32 = 16;
const MODIFIERS: u32 = 22;

/// All types.
pub(super) const TYPES: Set = Set(0xffff);
pub(super) const UD: Set = Set::ty(DataType::UD);
pub(super) const D: Set = Set::ty(DataType::D);
pub(super) const UW: Set = Set::ty(DataType::UW);
pub(super) const W: Set = Set::ty(DataType::W);
pub(super) const UB: Set = Set::ty(DataType::UB);
pub(super) const B: Set = Set::ty(DataType::B);
pub(super) const UQ: Set = Set::ty(DataType::UQ);
pub(super) const Q: Set = Set::ty(DataType::Q);
pub(super) const HF: Set = Set::ty(DataType::HF);
pub(super) const F: Set = Set::ty(DataType::F);
pub(super) const DF: Set = Set::ty(DataType::DF);
pub(super) const BF: Set = Set::ty(DataType::BF);
pub(super) const BOOL: Set = Set::ty(DataType::BOOL);
pub(super) const UV: Set = Set::ty(DataType::UV);
pub(super) const VF: Set = Set::ty(DataType::VF);
/// Packed vectors of integers.
pub(super) const PACKED: Set = Set::ty(DataType::V).or(UV);
/// Integers up to 32 bits.
pub(super) const INT: Set = UD.or(D).or(UW).or(W).or(UB).or(B);
/// Integers of 64 bits.
pub(super) const LONG: Set = UQ.or(Q);
/// All integers.
pub(super) const INTS: Set = INT.or(LONG);
/// The floats of old.
pub(super) const FLOATS: Set = F.or(HF).or(DF);
/// What arithmetic is for.
pub(super) const NUMBERS: Set = INTS.or(FLOATS);

pub(super) const GENERAL: Set = Set(1 << CLASSES);
pub(super) const ADDRESS: Set = Set(2 << CLASSES);
pub(super) const PREDICATE: Set = Set(4 << CLASSES);
pub(super) const INDIRECT: Set = Set(8 << CLASSES);
pub(super) const IMMEDIATE: Set = Set(16 << CLASSES);
pub(super) const STATE: Set = Set(32 << CLASSES);
/// All classes.
pub(super) const ANY_CLASS: Set = Set(0x3f << CLASSES);

pub(super) const NONE: Set = Set::modifier(Modifier::NONE);
pub(super) const SAT: Set = Set::modifier(Modifier::SAT);
pub(super) const NOT: Set = Set::modifier(Modifier::NOT);
/// `abs`, `neg` and both.
pub(super) const SIGNS: Set = Set::modifier(Modifier::ABS)
    .or(Set::modifier(Modifier::NEG))
    .or(Set::modifier(Modifier::NEG_ABS));
/// All modifiers.
pub(super) const MODIFIER: Set = Set(0xff << MODIFIERS);

/// An operand that no row takes without a closer look.
pub(super) const ODD: Set = Set(1 << 31);

impl Set {
    pub(super) const EMPTY: Set = Set(0);
    pub(super) const ALL: Set = Set(u32::MAX);

    pub(super) const fn ty(ty: DataType) -> Set {
        Set(1 << ty.bits())
    }

    pub(super) const fn modifier(modifier: Modifier) -> Set {
        Set(1 << (MODIFIERS + modifier.bits() as u32))
    }

    #[inline(always)]
    pub(super) const fn class(operand: &Vector) -> Set {
        match operand.kind {
            VectorKind::General { .. } => GENERAL,
            VectorKind::Address { .. } => ADDRESS,
            VectorKind::Predicate(_) => PREDICATE,
            VectorKind::Indirect { .. } => INDIRECT,
            VectorKind::Immediate(_) => IMMEDIATE,
            VectorKind::State { .. } => STATE,
        }
    }

    /// The bits of the type, of a set with one.
    #[inline(always)]
    pub(super) const fn bits_of_type(self) -> usize {
        self.0.trailing_zeros() as usize & 15
    }

    /// Class, modifier and type of an operand.
    pub(super) fn of(operand: &Vector, ty: DataType) -> Set {
        let (class, ty) = (Set::class(operand), Set::ty(ty));
        // Packed vectors are constants only.
        let is_odd = ty.meets(PACKED.or(VF)) && class != IMMEDIATE;
        let odd = if is_odd { ODD } else { Set::EMPTY };
        class.or(Set::modifier(operand.modifier)).or(ty).or(odd)
    }

    pub(super) const fn or(self, other: Set) -> Set {
        Set(self.0 | other.0)
    }

    pub(super) const fn and(self, other: Set) -> Set {
        Set(self.0 & other.0)
    }

    pub(super) const fn without(self, other: Set) -> Set {
        Set(self.0 & !other.0)
    }

    /// The same with other types.
    pub(super) const fn with_types(self, types: Set) -> Set {
        self.without(TYPES).or(types)
    }

    /// The same with other classes.
    pub(super) const fn with_classes(self, classes: Set) -> Set {
        self.without(ANY_CLASS).or(classes)
    }

    /// The same with other modifiers.
    pub(super) const fn with_modifiers(self, modifiers: Set) -> Set {
        self.without(MODIFIER).or(modifiers)
    }

    /// Whether all of the other is in this one.
    pub(super) const fn holds(self, other: Set) -> bool {
        other.0 & !self.0 == 0
    }

    /// Whether they have something in common.
    pub(super) const fn meets(self, other: Set) -> bool {
        self.0 & other.0 != 0
    }

    /// Whether a type is in it.
    pub(super) const fn has(self, ty: DataType) -> bool {
        self.meets(Set::ty(ty))
    }
}

/// The types, or else the classes: `ud, d or uw`.
impl fmt::Display for Set {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const CLASS_NAMES: [(Set, &str); 6] = [
            (GENERAL, "general"),
            (INDIRECT, "indirect"),
            (IMMEDIATE, "immediate"),
            (PREDICATE, "predicate"),
            (ADDRESS, "address"),
            (STATE, "state"),
        ];
        let types = DataType::NAMED.iter().filter(|ty| self.has(**ty)).filter_map(|ty| ty.name());
        let classes = CLASS_NAMES.iter().filter(|(class, _)| self.meets(*class));
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
