//! What each instruction takes: its row of section "Properties" and of "Operand type maps" on its
//! page, and what the reference makes of it.

use super::set::*;
use crate::operand::DataType;
use crate::verify::kind::Kind;
use crate::verify::platform::Platform;

/// What an instruction takes.
///
/// `dst` and `src` are what the reference's verifier lets pass, `listed_dst` and `listed_src` what
/// the page lists; where there is no page, that is everything.
#[derive(Clone, Copy)]
pub(super) struct Profile {
    pub(super) kind: Kind,
    /// Classes, types and modifiers of the destination. Saturation is apart.
    pub(super) dst: Set,
    /// Classes, types and modifiers of the sources.
    pub(super) src: Set,
    pub(super) listed_dst: Set,
    pub(super) listed_src: Set,
    /// How the types of sources and destination depend on each other.
    pub(super) agree: Agree,
    /// Whether it is arithmetic on DF.
    pub(super) doubles: bool,
    /// Whether BF is among its types.
    pub(super) bf: Bf,
    /// Whether all types are the same.
    pub(super) same: bool,
    /// Whether it makes no sense without a predicate.
    pub(super) predicated: bool,
    /// Whether it rotates.
    pub(super) rotates: bool,
    /// Whether `src0` is unsigned.
    pub(super) unsigned_src0: bool,
    /// The execution sizes that the page lists: a bit for each code.
    pub(super) lanes: u8,
    /// Whether it works on predicates.
    pub(super) predicates: bool,
    /// The types that saturate.
    pub(super) sat: Set,
    /// Those that the page lets saturate.
    pub(super) listed_sat: Set,
    /// Those that saturate from a platform on.
    pub(super) newer_sat: Option<(Set, Platform)>,
    /// The types of the destination that need IEEE macros.
    pub(super) ieee: Set,
    /// The types of the destination that make it a division of integers.
    pub(super) int_div: Set,
    /// The types of the destination that need arithmetic of 64-bit integers.
    pub(super) long: Set,
    /// Operands that rules of their own look at.
    pub(super) careful: Set,
    /// Made of all these: what no rule can be against.
    plain: Plain,
}

/// What no rule can be against.
#[derive(Clone, Copy)]
struct Plain {
    dst: Set,
    src: Set,
    /// Types of the destination that saturate.
    sat: Set,
    /// The types of sources that go with a type of destination.
    sources: [Set; 16],
}

/// Whether an instruction takes BF.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Bf {
    /// Never.
    No,
    /// With F, where BF exists.
    Mixed,
    /// The same, and with all types where newer references are asked.
    Moved,
    /// On platforms newer than those that have names here.
    Newer,
    /// As rules of its own say.
    Own,
}

/// How the types of sources and destination depend on each other.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Agree {
    /// Not at all, or as rules of the instruction's own say.
    No,
    /// Integers with integers, floats with their own kind, F with HF.
    Mixed,
    /// The same, but the page does not list F with HF.
    Strict,
    /// Sources with each other, and a destination that is general.
    Compared,
}

/// The types of sources that go with a type of destination.
const MIXED: [Set; 16] = sources(F.or(HF), F.or(HF));
/// The same without F and HF together.
const STRICT: [Set; 16] = sources(F, HF);

/// The types that can be compared into a type of destination, each alone.
const COMPARED: [Set; 16] = {
    let mut table = sources(F, Set::EMPTY);
    table[DataType::DF.bits() as usize] = Set::EMPTY;
    table[DataType::BOOL.bits() as usize] = INTS.or(PACKED).or(F).or(VF);
    table
};

const fn sources(with_f: Set, with_hf: Set) -> [Set; 16] {
    let mut table = [Set::EMPTY; 16];
    let mut ty = 0;
    while ty < table.len() {
        let Some(code) = DataType::from_bits(ty as u8) else { return table };
        table[ty] = match code {
            ty if INTS.has(ty) => INTS.or(PACKED),
            ty if F.has(ty) => with_f.or(VF),
            ty if HF.has(ty) => with_hf,
            ty if DF.has(ty) => DF,
            _ => Set::EMPTY,
        };
        ty += 1;
    }
    table
}

impl Agree {
    /// The same as far as the reference goes.
    pub(super) fn mixed(self) -> Agree {
        if self == Agree::Strict { Agree::Mixed } else { self }
    }

    /// The types of sources that go with a type of destination.
    #[inline]
    pub(super) fn sources(self, dst: DataType) -> Set {
        let table = match self {
            Agree::No | Agree::Compared => return TYPES,
            Agree::Mixed => &MIXED,
            Agree::Strict => &STRICT,
        };
        table.get(usize::from(dst.bits())).copied().unwrap_or(TYPES)
    }
}

/// General, indirect.
const GI: Set = GENERAL.or(INDIRECT);
/// General, indirect, immediate.
const GIK: Set = GI.or(IMMEDIATE);

impl Profile {
    const ANY: Profile = Profile {
        kind: Kind::Mov,
        dst: Set::ALL,
        src: Set::ALL,
        listed_dst: Set::ALL,
        listed_src: Set::ALL,
        agree: Agree::No,
        doubles: false,
        bf: Bf::No,
        same: false,
        predicated: false,
        rotates: false,
        unsigned_src0: false,
        lanes: 0x3f,
        predicates: false,
        sat: TYPES,
        listed_sat: TYPES,
        newer_sat: None,
        ieee: Set::EMPTY,
        int_div: Set::EMPTY,
        long: Set::EMPTY,
        careful: BF,
        plain: Plain {
            dst: Set::EMPTY,
            src: Set::EMPTY,
            sat: Set::EMPTY,
            sources: [Set::EMPTY; 16],
        },
    };

    /// Arithmetic with destinations of these types.
    const fn arith(dst: Set) -> Profile {
        Profile {
            kind: Kind::Arith,
            dst: GI.or(dst).or(NONE).or(SAT),
            src: GIK.or(TYPES).or(NONE).or(SIGNS),
            agree: Agree::Mixed,
            ..Profile::ANY
        }
    }

    /// Logic on these types. What bits they are is not asked.
    const fn logic(types: Set) -> Profile {
        let dst = ANY_CLASS.without(ADDRESS).or(types).or(NONE).or(SAT);
        // Signs, except where bits are shifted, are refused as operands of logic.
        let src = dst.with_modifiers(NONE.or(NOT));
        Profile { kind: Kind::Logic, dst, src, careful: BOOL, ..Profile::ANY }.classes(GI, GIK)
    }

    /// A move between operands of these classes.
    const fn moving(dst: Set, src: Set) -> Profile {
        Profile { dst: Set::ALL.with_classes(dst), src: Set::ALL.with_classes(src), ..Profile::ANY }
    }

    /// With sources that can have a sign.
    const fn with_signs(self) -> Profile {
        Profile { src: self.src.with_modifiers(MODIFIER), ..self }
    }

    /// With sources of these types only.
    const fn src(self, types: Set) -> Profile {
        Profile { src: self.src.with_types(types), ..self }
    }

    /// The page lists these types. Packed vectors are on no page, but are constants of them.
    const fn lists(self, types: Set) -> Profile {
        self.lists_for_dst(types).lists_for_src(types)
    }

    const fn lists_for_dst(self, types: Set) -> Profile {
        Profile { listed_dst: self.listed_dst.with_types(types), ..self }
    }

    const fn lists_for_src(self, types: Set) -> Profile {
        Profile { listed_src: self.listed_src.with_types(types.or(PACKED).or(VF)), ..self }
    }

    /// The page lists these classes.
    const fn classes(self, dst: Set, src: Set) -> Profile {
        Profile {
            listed_dst: self.listed_dst.with_classes(dst),
            listed_src: self.listed_src.with_classes(src),
            ..self
        }
    }

    /// No type saturates but these.
    const fn saturates(self, sat: Set) -> Profile {
        Profile { sat, ..self }
    }

    /// The page lets no type saturate but these.
    const fn lists_saturation(self, listed_sat: Set) -> Profile {
        Profile { listed_sat, ..self }
    }

    /// The page lists these modifiers for sources.
    const fn modifiers(self, modifiers: Set) -> Profile {
        Profile { listed_src: self.listed_src.with_modifiers(NONE.or(modifiers)), ..self }
    }

    const fn agree(self, agree: Agree) -> Profile {
        Profile { agree, ..self }
    }

    const fn bf(self, bf: Bf) -> Profile {
        Profile { bf, ..self }
    }

    const fn careful(self, careful: Set) -> Profile {
        Profile { careful: careful.or(BF), ..self }
    }

    /// Whether no rule can be against a destination and sources.
    #[inline(always)]
    pub(super) fn takes(&self, dst: Set, src: Set) -> bool {
        let plain = &self.plain;
        let alike = self.agree != Agree::Compared
            || INTS.or(PACKED).holds(src.and(TYPES))
            || F.or(VF).holds(src.and(TYPES));
        plain.dst.holds(dst)
            && plain.src.holds(src)
            && plain.sources[dst.bits_of_type()].holds(src.and(TYPES))
            && (!dst.meets(SAT) || plain.sat.holds(dst.and(TYPES)))
            && alike
    }

    /// The same, with what no rule can be against.
    const fn with_plain(self) -> Profile {
        // Of all the instructions of a kind these modifiers are legal.
        let modifiers = match self.kind {
            Kind::Logic => NONE.or(NOT),
            _ => NONE.or(SIGNS).or(SAT),
        };
        let legal = Set::ALL.without(self.careful).without(ODD);
        let legal = legal.and(Set::ALL.with_modifiers(modifiers));
        let sources = match self.agree {
            Agree::No => [TYPES; 16],
            Agree::Mixed => MIXED,
            Agree::Strict => STRICT,
            Agree::Compared => COMPARED,
        };
        let plain = Plain {
            dst: self.dst.and(self.listed_dst).and(legal),
            src: self.src.and(self.listed_src).and(legal),
            sat: self.sat.and(self.listed_sat),
            sources,
        };
        Profile { plain, ..self }
    }
}

macro_rules! profiles {
    ($($(#[$doc:meta])* $name:ident = $profile:expr;)*) => {
        $($(#[$doc])* pub(super) static $name: Profile = $profile.with_plain();)*
    };
}

/// Integers and floats, DF among them.
const REAL: Profile = Profile { doubles: true, ..Profile::arith(NUMBERS) };
/// The functions of the math unit.
const MATH: Profile = Profile::arith(F.or(HF)).lists(F.or(HF)).bf(Bf::Newer);
/// Single precision alone.
const SINGLE: Profile = Profile::arith(F).lists(F).agree(Agree::Strict);
/// Dwords and words.
const SUM: Set = UD.or(D).or(UW).or(W);
/// What logic works on.
pub(super) const LOGICAL: Set = INTS.or(PACKED).or(BOOL);
const ADD3_ROW: Profile = Profile::arith(SUM).src(SUM).lists(SUM);
/// Bit fields, of any number of lanes but 2.
const FIELDS: Profile = Profile { lanes: 0b11_1101, ..BITS.lists(UD.or(D)) }.careful(Set::ALL);
/// Logic on integers and predicates.
const BITWISE: Profile = Profile {
    predicates: true,
    ..BITS.classes(GI.or(PREDICATE), GIK.or(PREDICATE)).modifiers(NOT)
};
const SHIFT: Profile = Profile::logic(LOGICAL).with_signs().modifiers(SIGNS);
/// Counting and moving bits: no modifiers.
const BITS: Profile = Profile::logic(LOGICAL).modifiers(Set::EMPTY);
const NO_LONG: Set = INT.or(PACKED).or(BOOL);

profiles! {
    ADD = REAL.lists(NUMBERS).agree(Agree::Strict).bf(Bf::Mixed);
    AVG = Profile::arith(INT).lists(INT);
    DIV = Profile {
        newer_sat: Some((DF, Platform::Xe2)),
        ieee: DF,
        int_div: INTS,
        ..REAL.src(TYPES.without(LONG)).saturates(F.or(HF)).lists(INT.or(FLOATS))
    }
    .bf(Bf::Newer)
    .careful(INTS.or(DF));
    /// DP2, DP3, DP4, DPH, which have no pages.
    DOT = Profile::arith(F);
    /// COS, EXP, LOG, POW, SIN; TANH and SIGM too.
    FUNCTION = MATH;
    FRC = SINGLE.saturates(Set::EMPTY);
    /// LINE has no page.
    LINE = Profile::arith(F.or(INTS));
    MAD = REAL.lists(INT.or(FLOATS)).lists_saturation(FLOATS).bf(Bf::Mixed);
    MULH = Profile { same: true, ..Profile::arith(UD.or(D)).lists(UD.or(D)) }
        .saturates(Set::EMPTY)
        .careful(TYPES);
    LRP = SINGLE.classes(GENERAL, GENERAL.or(IMMEDIATE));
    MOD = Profile { int_div: INTS, ..Profile::arith(INT).lists(INT).saturates(Set::EMPTY) }
        .careful(INTS);
    MUL = Profile { long: LONG, ..REAL.src(TYPES.without(LONG)).lists(NUMBERS) }
        .lists_saturation(FLOATS)
        .bf(Bf::Mixed)
        .careful(LONG);
    /// RNDD, RNDU, RNDE, RNDZ.
    ROUND = SINGLE;
    /// SAD2, SAD2ADD: rules of their own.
    SAD = Profile::arith(TYPES).agree(Agree::No).careful(Set::ALL);
    SQRT = Profile { ieee: DF, ..REAL.lists(F.or(HF)).bf(Bf::Newer) }.careful(DF);
    RSQRT = Profile::arith(NUMBERS).lists(F.or(HF)).bf(Bf::Newer).careful(DF);
    INV = Profile { ieee: DF, ..REAL.lists(FLOATS).bf(Bf::Newer) }.careful(DF);
    LZD = Profile::arith(UD).saturates(Set::EMPTY).lists(UD).modifiers(Set::EMPTY);
    ADDC = Profile::arith(UD)
        .src(UD.or(UV))
        .lists_saturation(Set::EMPTY)
        .modifiers(Set::EMPTY)
        .careful(Set::ALL);
    SUBB = Profile::arith(UD).src(UD.or(UV)).modifiers(Set::EMPTY).careful(Set::ALL);
    DP4A = Profile::arith(UD.or(D)).src(UD.or(D)).modifiers(Set::EMPTY);
    /// 8 or 16 lanes.
    PLANE = Profile { lanes: 0b01_1000, ..SINGLE.classes(GI, GI) }.careful(Set::ALL);
    /// SQRTM, DIVM.
    IEEE = Profile { ieee: F.or(DF), ..REAL.src(F.or(DF).or(VF)).lists(F.or(DF)) }
        .careful(F.or(DF));
    ADD3 = ADD3_ROW;
    ADD3O = Profile { predicated: true, ..ADD3_ROW.lists_saturation(Set::EMPTY) };
    /// Up to 16 lanes.
    MADW = Profile { lanes: 0b01_1111, ..Profile::arith(UD.or(D)).lists(UD.or(D)) }
        .saturates(Set::EMPTY)
        .careful(Set::ALL);
    SRND = Profile {
        dst: Set::ALL.with_classes(GENERAL).with_modifiers(NONE.or(SAT)),
        src: Set::ALL.with_classes(GENERAL.or(IMMEDIATE)).with_modifiers(NONE),
        ..Profile::arith(TYPES)
    }
    .agree(Agree::No)
    .bf(Bf::Own)
    .saturates(Set::EMPTY)
    .careful(Set::ALL);

    /// AND, OR, XOR, NOT.
    LOGIC = BITWISE;
    SHL = Profile { long: LONG, ..SHIFT }.careful(BOOL.or(LONG));
    SHR = Profile { long: UQ, unsigned_src0: true, ..SHIFT }
        .lists_for_dst(UD.or(UW).or(UB).or(UQ))
        .careful(BOOL.or(LONG).or(D).or(W).or(B));
    ASR = SHIFT.lists_saturation(Set::EMPTY);
    CBIT = Profile::logic(NO_LONG)
        .lists_for_dst(UD)
        .lists_for_src(UD.or(UW).or(UB))
        .modifiers(Set::EMPTY);
    FBL = Profile::logic(NO_LONG).lists(UD).modifiers(Set::EMPTY);
    FBH = Profile::logic(NO_LONG)
        .lists_for_dst(UD)
        .lists_for_src(UD.or(D))
        .modifiers(Set::EMPTY);
    BFE = Profile { same: true, ..FIELDS };
    BFI = FIELDS;
    BFREV = BITS.lists(UD);
    /// ROL, ROR.
    ROTATE = Profile { rotates: true, ..Profile::logic(SUM.or(LONG).or(PACKED).or(BOOL)).with_signs() }
        .lists(SUM.or(LONG))
        .modifiers(Set::EMPTY)
        .careful(LONG.or(BOOL));
    BFN = BITS.lists(SUM);

    MOV = Profile::ANY.classes(GI, GIK.or(PREDICATE)).bf(Bf::Moved).careful(PREDICATE);
    SEL = Profile { long: LONG, predicated: true, ..Profile::moving(GI, GIK) }
        .lists(NUMBERS)
        .bf(Bf::Mixed)
        .agree(Agree::Mixed)
        .careful(LONG);
    FMINMAX = Profile::moving(GI, GIK).lists(NUMBERS).bf(Bf::Newer);
    SETP = Profile::moving(PREDICATE, GIK).lists_for_src(UD.or(UW).or(UB)).careful(Set::ALL);
    MOVS = Profile::moving(GENERAL.or(STATE), GIK.or(STATE))
        .lists(UD)
        .lists_saturation(Set::EMPTY)
        .careful(Set::ALL);
    FCVT = Profile {
        dst: Set::ALL.with_classes(GENERAL).with_modifiers(NONE.or(SAT)),
        src: Set::ALL.with_classes(GENERAL).with_modifiers(NONE),
        newer_sat: Some((TYPES, Platform::Xe3)),
        ..Profile::ANY
    }
    .bf(Bf::Own)
    .saturates(Set::EMPTY)
    .careful(Set::ALL);
    CMP = Profile {
        kind: Kind::Compare,
        ..Profile::moving(GENERAL.or(PREDICATE), GIK.or(STATE))
            .classes(GENERAL.or(PREDICATE), GIK)
    }
    .agree(Agree::Compared)
    .bf(Bf::Mixed);
    ADDR_ADD = Profile {
        kind: Kind::Address,
        ..Profile::moving(ADDRESS, ANY_CLASS.without(PREDICATE))
    }
    .careful(Set::ALL);
}
