//! Signatures: the operands that arithmetic instructions accept, according to the sections
//! "Properties" and "Operand type maps" of their pages and to GenX_IR's verifier.

use super::operand_set::*;
use crate::isa::Kind;
use crate::operand::{DataType, Modifier, Pred};
use crate::platform::Platform;

/// The operands that an instruction accepts.
///
/// `dst` and `src` contain the operands that GenX_IR's verifier accepts, `dst_on_page` and
/// `src_on_page` those that the page lists. If there is no page, the latter contain all operands.
#[derive(Clone, Copy)]
pub(super) struct Signature {
    pub(super) kind: Kind,
    /// Classes, types and modifiers of the destination. `sat` restricts the types that can be
    /// saturated.
    pub(super) dst: OperandSet,
    /// Classes, types and modifiers of the sources.
    pub(super) src: OperandSet,
    pub(super) dst_on_page: OperandSet,
    pub(super) src_on_page: OperandSet,
    /// The legal combinations of the types of sources and destination.
    pub(super) agree: Agree,
    /// Whether the instruction is arithmetic that accepts DF.
    pub(super) doubles: bool,
    /// The operands of type BF that the instruction accepts.
    pub(super) bf: Bf,
    /// Whether all operands must have the same type.
    pub(super) same: bool,
    /// Whether the instruction requires a predicate.
    pub(super) predicated: bool,
    /// Whether the instruction is a rotation.
    pub(super) rotates: bool,
    /// Whether `src0` must be unsigned.
    pub(super) unsigned_src0: bool,
    /// The execution sizes that the page lists, with one bit per code.
    pub(super) lanes: u8,
    /// The types that can be saturated.
    pub(super) sat: OperandSet,
    /// The types that can be saturated according to the page.
    pub(super) sat_on_page: OperandSet,
    /// The modifiers that the compiler accepts and does not compile: of the sources, and SAT of the
    /// destination.
    pub(super) lost: OperandSet,
    /// The types whose saturation has further rules.
    pub(super) sat_rules: OperandSet,
    /// Types that can also be saturated on this and later platforms.
    pub(super) newer_sat: Option<(OperandSet, Platform)>,
    /// The types of the destination that require IEEE macros.
    pub(super) ieee: OperandSet,
    /// The types of the destination for which the instruction is an integer division.
    pub(super) int_div: OperandSet,
    /// The types of the destination that require 64-bit integer arithmetic.
    pub(super) long: OperandSet,
    /// The operands that have further rules, so that the fast path cannot accept them.
    pub(super) needs_rules: OperandSet,
    /// The operands that the fast path accepts, computed from the other fields: those that no rule
    /// of group `Igc` rejects, and those that no rule rejects.
    known: [Known; 2],
}

/// The operands that certainly satisfy every rule.
#[derive(Clone, Copy)]
struct Known {
    /// The legal sources, indexed by whether the destination is saturated and by its type; empty
    /// for an illegal destination.
    sources: [[OperandSet; 32]; 2],
    /// Other legal sources of a destination that is a predicate, if the instruction has no
    /// predicate.
    of_predicate: OperandSet,
    /// The legal classes of a destination.
    dst: OperandSet,
}

/// The operands of type BF that an instruction accepts.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Bf {
    /// None.
    No,
    /// BF combined with F, on platforms that have BF.
    Mixed,
    /// BF combined with F; since Xe2, with all types.
    Moved,
    /// BF since Xe3P.
    Newer,
    /// The instruction has its own rules.
    Own,
}

/// The legal combinations of the types of sources and destination.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Agree {
    /// All, or the instruction has its own rules.
    No,
    /// Integers with integers, floats with the same type, and F with HF.
    Mixed,
    /// Like `Mixed`, but the page does not list F with HF.
    Strict,
    /// The rules for comparisons: the types of the sources are comparable, and a destination that
    /// is not a predicate has the type of float sources.
    Compared,
}

/// The legal types of sources, indexed by the type of the destination, for [`Agree::Mixed`].
const MIXED: [OperandSet; 32] = sources(F.or(HF), F.or(HF));
/// The legal types of sources, indexed by the type of the destination, for [`Agree::Strict`].
const STRICT: [OperandSet; 32] = sources(F, HF);

/// The types that the fast path accepts for the sources of a comparison, indexed by the type of the
/// destination. If it is a predicate, the sources may also be [`COMPARED_FLOATS`].
const COMPARED: [OperandSet; 32] = {
    let mut table = sources(F, OperandSet::EMPTY);
    table[DataType::DF.bits() as usize] = OperandSet::EMPTY;
    table[DataType::BOOL.bits() as usize] = INTS.or(PACKED);
    table
};
const COMPARED_FLOATS: OperandSet = F.or(VF);

/// Returns the legal types of sources, indexed by the type of the destination, given the floats
/// that can be combined with F and with HF.
const fn sources(with_f: OperandSet, with_hf: OperandSet) -> [OperandSet; 32] {
    let mut table = [OperandSet::EMPTY; 32];
    let mut ty = 0;
    while ty < table.len() {
        let Some(code) = DataType::from_bits(ty as u8) else { return table };
        table[ty] = match code {
            ty if INTS.has(ty) => INTS.or(PACKED),
            ty if F.has(ty) => with_f.or(VF),
            ty if HF.has(ty) => with_hf,
            ty if DF.has(ty) => DF,
            _ => OperandSet::EMPTY,
        };
        ty += 1;
    }
    table
}

impl Agree {
    /// Returns the combinations that GenX_IR accepts: `Mixed` instead of `Strict`.
    pub(super) const fn mixed(self) -> Agree {
        if matches!(self, Agree::Strict) { Agree::Mixed } else { self }
    }

    /// Returns the legal types of sources for a type of the destination.
    #[inline]
    pub(super) fn sources(self, dst: DataType) -> OperandSet {
        let table = match self {
            Agree::No | Agree::Compared => return TYPES,
            Agree::Mixed => &MIXED,
            Agree::Strict => &STRICT,
        };
        table.get(usize::from(dst.bits())).copied().unwrap_or(TYPES)
    }
}

/// General and indirect operands.
const GI: OperandSet = GENERAL.or(INDIRECT);
/// General, indirect and immediate operands.
const GIK: OperandSet = GI.or(IMMEDIATE);

impl Signature {
    const ANY: Signature = Signature {
        kind: Kind::Mov,
        dst: OperandSet::ALL,
        src: OperandSet::ALL,
        dst_on_page: OperandSet::ALL,
        src_on_page: OperandSet::ALL,
        agree: Agree::No,
        doubles: false,
        bf: Bf::No,
        same: false,
        predicated: false,
        rotates: false,
        unsigned_src0: false,
        lanes: 0x3f,
        sat: TYPES,
        sat_on_page: TYPES,
        lost: OperandSet::EMPTY,
        sat_rules: OperandSet::EMPTY,
        newer_sat: None,
        ieee: OperandSet::EMPTY,
        int_div: OperandSet::EMPTY,
        long: OperandSet::EMPTY,
        needs_rules: BF.or(NEWER),
        known: [Known {
            sources: [[OperandSet::EMPTY; 32]; 2],
            of_predicate: OperandSet::EMPTY,
            dst: OperandSet::EMPTY,
        }; 2],
    };

    /// Returns the signature of arithmetic with destinations of these types.
    const fn arith(dst: OperandSet) -> Signature {
        Signature {
            kind: Kind::Arith,
            dst: GI.or(dst).or(NONE).or(SAT),
            src: GIK.or(TYPES).or(NONE).or(SIGNS),
            agree: Agree::Mixed,
            ..Signature::ANY
        }
    }

    /// Returns the signature of logic on these types, whose modifiers the compiler does not compile.
    const fn logic(types: OperandSet) -> Signature {
        let dst = ANY_CLASS.without(ADDRESS).or(types).or(NONE).or(SAT);
        // Except in shifts, `src-modifier-arith` rejects signs.
        let src = dst.with_modifiers(NONE.or(NOT));
        Signature { kind: Kind::Logic, dst, src, needs_rules: BOOL, ..Signature::ANY }
            .loses(NOT.or(SAT))
            .classes(GI, GIK)
    }

    /// Returns the signature of a move between operands of these classes.
    const fn moving(dst: OperandSet, src: OperandSet) -> Signature {
        Signature {
            dst: OperandSet::ALL.with_classes(dst),
            src: OperandSet::ALL.with_classes(src),
            ..Signature::ANY
        }
    }

    /// Accepts all modifiers on sources.
    const fn with_signs(self) -> Signature {
        Signature { src: self.src.with_modifiers(MODIFIER), ..self }
    }

    /// Sets the types of sources.
    const fn src(self, types: OperandSet) -> Signature {
        Signature { src: self.src.with_types(types), ..self }
    }

    /// Sets the types that the page lists. Packed vectors are added for sources: no page lists them,
    /// but constants can have them.
    const fn lists(self, types: OperandSet) -> Signature {
        self.lists_for_dst(types).lists_for_src(types)
    }

    const fn lists_for_dst(self, types: OperandSet) -> Signature {
        Signature { dst_on_page: self.dst_on_page.with_types(types), ..self }
    }

    const fn lists_for_src(self, types: OperandSet) -> Signature {
        Signature { src_on_page: self.src_on_page.with_types(types.or(PACKED).or(VF)), ..self }
    }

    /// Sets the classes that the page lists.
    const fn classes(self, dst: OperandSet, src: OperandSet) -> Signature {
        Signature {
            dst_on_page: self.dst_on_page.with_classes(dst),
            src_on_page: self.src_on_page.with_classes(src),
            ..self
        }
    }

    /// Sets the types that can be saturated.
    const fn saturates(self, sat: OperandSet) -> Signature {
        Signature { sat, ..self }
    }

    /// Sets the types that can be saturated according to the page.
    const fn lists_saturation(self, sat_on_page: OperandSet) -> Signature {
        Signature { sat_on_page, ..self }
    }

    /// Sets the modifiers that the compiler accepts and does not compile.
    const fn loses(self, lost: OperandSet) -> Signature {
        Signature { lost, ..self }
    }

    /// Sets the modifiers of sources that the page lists.
    const fn modifiers(self, modifiers: OperandSet) -> Signature {
        Signature { src_on_page: self.src_on_page.with_modifiers(NONE.or(modifiers)), ..self }
    }

    const fn agree(self, agree: Agree) -> Signature {
        Signature { agree, ..self }
    }

    const fn bf(self, bf: Bf) -> Signature {
        Signature { bf, ..self }
    }

    const fn needs_rules(self, needs_rules: OperandSet) -> Signature {
        Signature { needs_rules: needs_rules.or(BF).or(NEWER), ..self }
    }

    /// Returns whether a destination of this class, type and modifier and at least one source
    /// certainly satisfy every rule. Rules of group `Manual` count only if they have findings.
    #[inline(always)]
    pub(super) fn accepts(
        &self,
        (class, ty, modifier): (OperandSet, DataType, Modifier),
        src: OperandSet,
        pred: Pred,
        has_manual_rules: bool,
    ) -> bool {
        let known = &self.known[usize::from(has_manual_rules)];
        let saturates = match modifier {
            Modifier::NONE => 0,
            Modifier::SAT => 1,
            _ => return false,
        };
        let is_legal = known.sources[saturates][usize::from(ty.bits() & 31)].contains(src)
            || class == PREDICATE && pred.is_none() && known.of_predicate.contains(src);
        // The tables assume one of the other classes.
        is_legal && (class != INDIRECT || known.dst.contains(class))
    }

    /// Sets the operands that certainly satisfy every rule.
    const fn with_known(self) -> Signature {
        Signature { known: [self.known(false), self.known(true)], ..self }
    }

    /// Returns the operands that certainly satisfy every rule. Rules of group `Manual` count only if
    /// they have findings.
    const fn known(&self, has_manual_rules: bool) -> Known {
        let (mut dst, mut src, mut sat) = (self.dst, self.src, self.sat);
        let mut agree = self.agree;
        if has_manual_rules {
            dst = dst.and(self.dst_on_page);
            src = src.and(self.src_on_page);
            sat = sat.and(self.sat_on_page);
        } else {
            agree = agree.mixed();
        }
        // The legal modifiers of this kind of instruction.
        let modifiers = match self.kind {
            Kind::Logic => NONE.or(NOT),
            _ => NONE.or(SIGNS).or(SAT),
        };
        let legal = OperandSet::ALL.without(self.needs_rules);
        dst = dst.and(legal).and(OperandSet::ALL.with_modifiers(modifiers.or(SAT)));
        src = src.and(legal).and(OperandSet::ALL.with_modifiers(modifiers));
        dst = dst.without(self.lost.and(SAT));
        src = src.without(self.lost.and(MODIFIER));
        sat = sat.without(self.sat_rules);
        let types = match agree {
            Agree::No => [TYPES; 32],
            Agree::Mixed => MIXED,
            Agree::Strict => STRICT,
            Agree::Compared => COMPARED,
        };
        let mut sources = [[OperandSet::EMPTY; 32]; 2];
        let mut bits = 0;
        while let Some(ty) = DataType::from_bits(bits) {
            let class = if matches!(ty, DataType::BOOL) { PREDICATE } else { GENERAL };
            if dst.contains(class.or(OperandSet::ty(ty))) {
                let legal = src.with_types(src.and(types[bits as usize]).and(TYPES));
                if dst.contains(NONE) {
                    sources[0][bits as usize] = legal;
                }
                if dst.contains(SAT) && sat.has(ty) {
                    sources[1][bits as usize] = legal;
                }
            }
            bits += 1;
        }
        let of_predicate = match agree {
            Agree::Compared => src.with_types(src.and(COMPARED_FLOATS)),
            _ if matches!(self.kind, Kind::Logic) && self.dst_on_page.contains(PREDICATE) => {
                PREDICATE.or(BOOL).or(NONE)
            }
            _ => OperandSet::EMPTY,
        };
        Known { sources, of_predicate, dst }
    }
}

macro_rules! signatures {
    ($($(#[$doc:meta])* $name:ident = $signature:expr;)*) => {
        $($(#[$doc])* pub(super) static $name: Signature = $signature.with_known();)*
    };
}

/// Arithmetic on integers and floats, including DF.
const REAL: Signature = Signature { doubles: true, ..Signature::arith(NUMBERS) };
/// Functions of the math unit.
const MATH: Signature = Signature::arith(F.or(HF)).lists(F.or(HF)).bf(Bf::Newer);
/// Arithmetic on F only.
const SINGLE: Signature = Signature::arith(F).lists(F).agree(Agree::Strict);
/// The types of ADD3 and BFN: dwords and words.
const SUM: OperandSet = UD.or(D).or(UW).or(W);
/// The types that logic accepts.
pub(super) const LOGICAL: OperandSet = INTS.or(PACKED).or(BOOL);
const ADD3_ROW: Signature = Signature::arith(SUM).src(SUM).lists(SUM);
/// BFE and BFI, with any execution size except 2.
const FIELDS: Signature =
    Signature { lanes: 0b11_1101, ..BITS.lists(UD.or(D)) }.needs_rules(OperandSet::ALL);
/// NOT becomes a negation.
const SHIFT: Signature = Signature::logic(LOGICAL).with_signs().modifiers(SIGNS).loses(NOT);
/// Logic without modifiers, such as CBIT and BFREV.
const BITS: Signature = Signature::logic(LOGICAL).modifiers(OperandSet::EMPTY);
const NO_LONG: OperandSet = INT.or(PACKED).or(BOOL);

signatures! {
    ADD = REAL.lists(NUMBERS).agree(Agree::Strict).bf(Bf::Mixed);
    AVG = Signature::arith(INT).lists(INT);
    DIV = Signature {
        newer_sat: Some((DF, Platform::Xe2)),
        ieee: DF,
        int_div: INTS,
        ..REAL.src(TYPES.without(LONG)).saturates(F.or(HF)).lists(INT.or(FLOATS))
    }
    .bf(Bf::Newer)
    .needs_rules(INTS.or(DF));
    /// DP2, DP3, DP4 and DPH, which have no pages.
    DOT = Signature::arith(F);
    /// COS, EXP, LOG, POW, SIN, TANH and SIGM.
    FUNCTION = MATH;
    FRC = SINGLE.saturates(OperandSet::EMPTY);
    /// LINE, which has no page.
    LINE = Signature::arith(F.or(INTS)).needs_rules(IMMEDIATE);
    MAD = REAL.lists(INT.or(FLOATS)).bf(Bf::Mixed).needs_rules(SAT);
    MULH = Signature { same: true, ..Signature::arith(UD.or(D)).lists(UD.or(D)) }
        .saturates(OperandSet::EMPTY)
        .needs_rules(TYPES);
    LRP = SINGLE.classes(GENERAL, GENERAL.or(IMMEDIATE));
    MOD = Signature { int_div: INTS, ..Signature::arith(INT).lists(INT) }
        .saturates(OperandSet::EMPTY)
        .needs_rules(INTS);
    MUL = Signature { long: LONG, sat_rules: INTS, ..REAL.src(TYPES.without(LONG)).lists(NUMBERS) }
        .lists_saturation(FLOATS)
        .bf(Bf::Mixed)
        .needs_rules(LONG);
    /// RNDD, RNDU, RNDE and RNDZ.
    ROUND = SINGLE;
    /// SAD2 and SAD2ADD, which have their own rules.
    SAD = Signature::arith(TYPES).agree(Agree::No).needs_rules(OperandSet::ALL);
    SQRT = Signature { ieee: DF, ..REAL.lists(F.or(HF)).bf(Bf::Newer) }.needs_rules(DF);
    RSQRT = Signature::arith(NUMBERS).lists(F.or(HF)).bf(Bf::Newer).needs_rules(DF);
    INV = Signature { ieee: DF, ..REAL.lists(FLOATS).bf(Bf::Newer) }.needs_rules(DF);
    LZD = Signature::arith(UD).saturates(OperandSet::EMPTY).lists(UD).modifiers(OperandSet::EMPTY);
    ADDC = Signature::arith(UD)
        .src(UD.or(UV))
        .lists_saturation(OperandSet::EMPTY)
        .modifiers(OperandSet::EMPTY)
        .loses(SIGNS)
        .needs_rules(OperandSet::ALL);
    SUBB = Signature::arith(UD)
        .src(UD.or(UV))
        .modifiers(OperandSet::EMPTY)
        .loses(SIGNS)
        .needs_rules(OperandSet::ALL);
    DP4A =
        Signature::arith(UD.or(D)).src(UD.or(D)).modifiers(OperandSet::EMPTY).loses(SIGNS);
    PLANE = SINGLE.classes(GI, GI).needs_rules(OperandSet::ALL);
    /// SQRTM and DIVM.
    IEEE = Signature { ieee: FLOATS, ..REAL.src(F.or(DF).or(VF)).lists(F.or(DF)) }
        .needs_rules(F.or(DF));
    /// INVM and RSQTM.
    MACRO = Signature { ieee: FLOATS, doubles: true, ..Signature::arith(FLOATS) }
        .lists(F.or(DF))
        .src(F.or(DF))
        .saturates(OperandSet::EMPTY)
        .needs_rules(OperandSet::ALL);
    ADD3 = ADD3_ROW;
    ADD3O = Signature { predicated: true, ..ADD3_ROW.lists_saturation(OperandSet::EMPTY) };
    /// Up to 16 lanes.
    MADW = Signature { lanes: 0b01_1111, ..Signature::arith(UD.or(D)).lists(UD.or(D)) }
        .saturates(OperandSet::EMPTY)
        .needs_rules(OperandSet::ALL);
    SRND = Signature {
        dst: OperandSet::ALL.with_classes(GENERAL).with_modifiers(NONE.or(SAT)),
        src: OperandSet::ALL.with_classes(GENERAL.or(IMMEDIATE)).with_modifiers(NONE),
        doubles: true,
        newer_sat: Some((TYPES, Platform::PvcSdv)),
        ..Signature::arith(TYPES)
    }
    .agree(Agree::No)
    .bf(Bf::Own)
    .saturates(OperandSet::EMPTY)
    .needs_rules(OperandSet::ALL);

    /// AND, OR, XOR and NOT.
    LOGIC = BITS.classes(GI.or(PREDICATE), GIK.or(PREDICATE)).modifiers(NOT).loses(SAT);
    SHL = Signature { long: LONG, ..SHIFT }.needs_rules(BOOL.or(LONG));
    SHR = Signature { long: UQ, unsigned_src0: true, ..SHIFT }
        .lists_for_dst(UD.or(UW).or(UB).or(UQ))
        .needs_rules(BOOL.or(LONG).or(D).or(W).or(B));
    ASR = SHIFT.lists_saturation(OperandSet::EMPTY);
    CBIT = Signature::logic(NO_LONG)
        .lists_for_dst(UD)
        .lists_for_src(UD.or(UW).or(UB))
        .modifiers(OperandSet::EMPTY);
    FBL = Signature::logic(NO_LONG).lists(UD).modifiers(OperandSet::EMPTY);
    FBH = Signature::logic(NO_LONG)
        .lists_for_dst(UD)
        .lists_for_src(UD.or(D))
        .modifiers(OperandSet::EMPTY);
    BFE = Signature { same: true, ..FIELDS };
    BFI = FIELDS;
    BFREV = BITS.lists(UD);
    /// ROL and ROR.
    ROTATE = Signature { rotates: true, ..Signature::logic(SUM.or(LONG).or(PACKED).or(BOOL)) }
        .with_signs()
        .lists(SUM.or(LONG))
        .modifiers(OperandSet::EMPTY)
        .loses(SIGNS.or(NOT).or(SAT))
        .needs_rules(LONG.or(BOOL));
    BFN = BITS.lists(SUM).saturates(OperandSet::EMPTY);

    MOV = Signature::ANY.classes(GI, GIK.or(PREDICATE)).bf(Bf::Moved).needs_rules(PREDICATE);
    SEL = Signature { long: LONG, predicated: true, ..Signature::moving(GI, GIK) }
        .lists(NUMBERS)
        .bf(Bf::Mixed)
        .agree(Agree::Mixed)
        .needs_rules(LONG);
    FMINMAX = Signature::moving(GI, GIK).lists(NUMBERS).bf(Bf::Newer);
    SETP = Signature::moving(PREDICATE, GIK)
        .lists_for_src(UD.or(UW).or(UB))
        .needs_rules(OperandSet::ALL);
    MOVS = Signature::moving(GENERAL.or(STATE), GIK.or(STATE))
        .lists(UD)
        .lists_saturation(OperandSet::EMPTY)
        .needs_rules(OperandSet::ALL);
    FCVT = Signature {
        dst: OperandSet::ALL.with_classes(GENERAL).with_modifiers(NONE.or(SAT)),
        src: OperandSet::ALL.with_classes(GENERAL).with_modifiers(NONE),
        newer_sat: Some((TYPES, Platform::Xe3)),
        ..Signature::ANY
    }
    .bf(Bf::Own)
    .saturates(OperandSet::EMPTY)
    .needs_rules(OperandSet::ALL);
    CMP = Signature {
        kind: Kind::Compare,
        ..Signature::moving(GENERAL.or(PREDICATE), GIK.or(STATE))
            .classes(GENERAL.or(PREDICATE), GIK)
    }
    .agree(Agree::Compared)
    .bf(Bf::Mixed)
    .saturates(OperandSet::EMPTY);
    ADDR_ADD = Signature {
        kind: Kind::Address,
        ..Signature::moving(ADDRESS, ANY_CLASS.without(PREDICATE))
    }
    // The elements of the variable whose address is taken are not read.
    .bf(Bf::Own)
    .needs_rules(OperandSet::ALL);
}
