//! Rules for cache controls, and for messages that change cache lines.

use crate::format::{Dialect, Format};
use crate::isa::Instruction;
use crate::isa::lsc::{CacheControl, LscTyped, LscUntyped};
use crate::operand::VectorKind;
use crate::operand::lsc::{
    LscAddrSize, LscAddrType, LscCache, LscCacheOp, LscCacheSize, LscOp, LscOpClass, LscSfid,
};
use crate::platform::Platform;
use crate::verify::context::RuleContext;
use crate::verify::field::field;
use crate::verify::platforms::before;
use crate::verify::rule::rules;

/// The cache controls of a message.
pub(in crate::verify) struct CacheFields {
    pub(super) op: LscOp,
    pub(super) sfid: LscSfid,
    pub(super) l1: LscCache,
    pub(super) l2: Option<LscCache>,
    pub(super) l3: LscCache,
}

/// What applies to the cache controls of an instruction on a platform.
///
/// ```
/// use genvisa::Format;
/// use genvisa::text;
/// use genvisa::verify::CacheControls;
/// use genvisa::Platform;
///
/// let source = ".version 4.2
/// .kernel \"k\"
/// .decl x v_type=G type=d num_elts=8 align=GRF
/// .decl a v_type=G type=uq num_elts=8 align=GRF
///     lsc_load.ugm.wt.uc (M1, 8) x:d32 flat[a]:a64
/// ";
/// let module = text::parse(source, Format::V4_2)?;
/// let routine = module.routines().next().expect("a kernel");
/// let (_, load) = routine.instructions().next().expect("a load")?;
/// let controls = CacheControls::of(&load, Format::V4_2, Some(Platform::Xe2), false);
/// let controls = controls.expect("a message with cache controls");
/// assert_eq!(controls.levels, ["L1", "L3"]);
/// assert!(!controls.is_legal, "a load does not write through");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct CacheControls {
    /// The levels that messages control.
    pub levels: &'static [&'static str],
    /// Whether rule `lsc-cache` allows the controls.
    pub is_legal: bool,
}

impl CacheControls {
    /// Returns what applies to an instruction. Returns `None` if it has no cache controls. Routines
    /// that do not state efficient 64-bit addressing have it on platforms whose default it is.
    pub fn of(
        instruction: &Instruction,
        format: Format,
        platform: Option<Platform>,
        efficient_64bit: bool,
    ) -> Option<CacheControls> {
        let fields = CacheFields::of(instruction)?;
        let efficient_64bit =
            efficient_64bit || platform.is_some_and(Platform::has_efficient_64bit);
        let mode = Mode { format, platform, efficient_64bit };
        let levels: &[&str] = match efficient_64bit {
            true => &["L1", "L2", "L3"],
            false => &["L1", "L3"],
        };
        let is_legal = fields.are_default() || !fields.must_be_default(mode) && fields.exists(mode);
        Some(CacheControls { levels, is_legal })
    }
}

/// What the legal controls depend on.
#[derive(Clone, Copy)]
struct Mode {
    format: Format,
    platform: Option<Platform>,
    efficient_64bit: bool,
}

impl Mode {
    fn of(c: &RuleContext<'_, '_>) -> Mode {
        let (format, platform) = (c.format(), c.platform());
        Mode { format, platform, efficient_64bit: c.is_efficient_64bit() }
    }
}

impl CacheFields {
    /// Returns the cache controls of an instruction that has some.
    fn of(instruction: &Instruction) -> Option<CacheFields> {
        macro_rules! fields {
            ($i:ident, $sfid:expr) => {
                CacheFields { op: $i.op, sfid: $sfid, l1: $i.l1, l2: $i.l2.into(), l3: $i.l3 }
            };
        }
        Some(match instruction {
            Instruction::LscUntyped(LscUntyped::Access(i)) => fields!(i, i.sfid),
            Instruction::LscUntyped(LscUntyped::Strided(i)) => fields!(i, i.sfid),
            Instruction::LscUntyped(LscUntyped::Block2d(i)) => fields!(i, i.sfid),
            Instruction::LscUntyped(LscUntyped::AppendCounter(i)) => fields!(i, i.sfid),
            Instruction::LscUntyped(LscUntyped::CacheControl(i)) => fields!(i, i.sfid),
            Instruction::LscTyped(LscTyped::TypedAccess(i)) => fields!(i, LscSfid::TGM),
            Instruction::LscTyped(LscTyped::TypedBlock2d(i)) => fields!(i, LscSfid::TGM),
            _ => return None,
        })
    }

    /// Returns whether every control is the default.
    fn are_default(&self) -> bool {
        (self.l1, self.l2.unwrap_or_default(), self.l3) == Default::default()
    }

    /// Returns whether the memory has no other controls than the default.
    fn must_be_default(&self, mode: Mode) -> bool {
        let fixed = matches!(self.sfid, LscSfid::TGM | LscSfid::UGML);
        fixed && before(Platform::Xe2).contains(mode.platform)
    }

    /// Returns whether the controls of L1, L2 and L3 are legal, with efficient 64-bit addressing.
    fn is_legal_triple(&self, l2: LscCache) -> bool {
        use LscOpClass::*;
        type C = LscCache;
        let is_read = |cache| matches!(cache, C::UNCACHED | C::CACHED);
        let is_written = |cache| matches!(cache, C::UNCACHED | C::WRITEBACK);
        match (self.op.class(), self.l1, l2, self.l3) {
            (_, C::DEFAULT, C::DEFAULT, C::DEFAULT)
            | (_, C::UNCACHED, C::UNCACHED, C::UNCACHED) => true,
            (Load, C::UNCACHED | C::CACHED | C::STREAMING, l2, l3) => is_read(l2) && is_read(l3),
            (Load, C::READINVALIDATE, C::READINVALIDATE, C::READINVALIDATE) => true,
            (Load, ..) => false,
            (_, C::UNCACHED, C::UNCACHED, C::WRITEBACK)
            | (_, C::UNCACHED, C::WRITEBACK, C::UNCACHED) => true,
            (Atomic { .. }, ..) => false,
            (_, C::UNCACHED, C::WRITEBACK, C::WRITEBACK) => true,
            (_, C::STREAMING | C::WRITEBACK, C::WRITEBACK, C::WRITEBACK) => false,
            (_, C::WRITETHROUGH | C::STREAMING | C::WRITEBACK, l2, l3) => {
                is_written(l2) && is_written(l3)
            }
            _ => false,
        }
    }

    /// Returns whether the controls of L1 and L3 are legal with efficient 64-bit addressing, where
    /// the compiler derives the control of L2.
    fn is_legal_pair(&self) -> bool {
        let invalidates = self.l1 == LscCache::READINVALIDATE;
        self.is_legal(false) && !invalidates
    }

    /// Returns the control of L2, unless it is the default.
    fn stated_l2(&self) -> Option<LscCache> {
        self.l2.filter(|l2| *l2 != LscCache::DEFAULT)
    }

    /// Returns whether the controls exist for the operation.
    fn exists(&self, mode: Mode) -> bool {
        let has_newer = match mode.platform {
            None => mode.format.dialect == Dialect::Igc2026,
            Some(platform) => platform >= Platform::Xe2,
        };
        match self.stated_l2() {
            Some(l2) if mode.efficient_64bit => self.is_legal_triple(l2),
            None if mode.efficient_64bit => self.is_legal_pair(),
            // The compiler ignores the control of L2.
            _ => self.is_legal(has_newer),
        }
    }

    /// Returns whether the controls of L1 and L3 are legal. Only dialect Igc2026 has the newer
    /// ones, and only from Xe2 on.
    fn is_legal(&self, has_newer: bool) -> bool {
        use LscOpClass::*;
        type C = LscCache;
        match (self.op.class(), self.l1, self.l3) {
            (_, C::DEFAULT, C::DEFAULT) | (_, C::UNCACHED, C::UNCACHED) => true,
            (Load, C::UNCACHED, C::CACHED)
            | (Load, C::CACHED, C::UNCACHED)
            | (Load, C::CACHED, C::CACHED)
            | (Load, C::STREAMING, C::UNCACHED)
            | (Load, C::STREAMING, C::CACHED)
            | (Load, C::READINVALIDATE, C::CACHED) => true,
            (Load, C::READINVALIDATE, C::READINVALIDATE)
            | (Load, C::UNCACHED, C::CONSTCACHED)
            | (Load, C::CACHED, C::CONSTCACHED) => has_newer,
            (Load, ..) => false,
            (_, C::UNCACHED, C::WRITEBACK) => true,
            (Atomic { .. }, ..) => false,
            (_, C::WRITETHROUGH, C::UNCACHED)
            | (_, C::WRITETHROUGH, C::WRITEBACK)
            | (_, C::STREAMING, C::UNCACHED)
            | (_, C::STREAMING, C::WRITEBACK)
            | (_, C::WRITEBACK, C::WRITEBACK) => true,
            _ => false,
        }
    }
}

rules! { fields for CacheFields;
    /// The cache controls exist for the operation; without efficient 64-bit addressing, those of L1
    /// and L3. Before Xe2, they are the default for typed and tile-local memory.
    fn cache "lsc-cache" (Refuses, ANY, "IGC") |i, c| {
        if i.are_default() {
            return;
        }
        let controls = || {
            let middle = i.stated_l2().map(|l2| alloc::format!(".{l2}")).unwrap_or_default();
            alloc::format!("{}{middle}.{}", i.l1, i.l3)
        };
        if i.must_be_default(Mode::of(c)) {
            c.fail(field!(lsc::Access.l1), controls(), "default cache controls");
        } else if !i.exists(Mode::of(c)) {
            let kind = match i.op.class() {
                LscOpClass::Load => "loads",
                LscOpClass::Atomic { .. } => "atomics",
                _ => "stores",
            };
            c.report(field!(lsc::Access.l1), format_args!("{} is not available for {kind}", controls()));
        }
    }

    // In a file of its own, such a text is a syntax error. In inline assembly, the error is lost.
    /// A message has cache controls for L1, L2 and L3 with efficient 64-bit addressing, and for L1
    /// and L3 without.
    fn count "lsc-cache-count" (Changes, ANY, "IGC") |i, c| {
        let has_l2 = match i.l2 {
            // `lsc-cache` is about other controls.
            _ if !i.exists(Mode::of(c)) => return,
            None => return,
            Some(LscCache::DEFAULT) if (i.l1, i.l3) == Default::default() => return,
            Some(l2) => l2 != LscCache::DEFAULT,
        };
        match (has_l2, c.is_efficient_64bit()) {
            // The second one is that of L2.
            (false, true) => {
                let becomes = alloc::format!("`.{}.{}.{}`", i.l1, i.l3, LscCache::UNCACHED);
                c.fail_changed(field!(lsc::Access.l2), "two", "three cache controls", becomes);
            }
            (true, false) => {
                let becomes = alloc::format!("`.{}.{}`", i.l1, i.l3);
                c.fail_changed(field!(lsc::Access.l2), "three", "two cache controls", becomes);
            }
            _ => {}
        }
    }
}

rules! { cache_control for CacheControl;
    /// A change of cache lines is a message to ugm with efficient 64-bit addressing. Its addresses
    /// are flat and have 64 bits.
    fn address "lsc-cache-control" (Refuses, ANY, "IGC") |i, c| {
        if !c.is_efficient_64bit() {
            let message = alloc::format!("{} requires efficient 64-bit addressing", i.op);
            return c.report(field!(lsc::CacheControl.op), message);
        }
        if i.sfid != LscSfid::UGM {
            c.fail(field!(lsc::CacheControl.sfid), i.sfid, LscSfid::UGM);
        }
        if i.addr_type != LscAddrType::FLAT {
            c.fail(field!(lsc::CacheControl.addr_type), i.addr_type, LscAddrType::FLAT);
        }
        if i.addr_size != LscAddrSize::A64 {
            c.fail(field!(lsc::CacheControl.addr_size), i.addr_size, LscAddrSize::A64);
        }
    }

    /// The addresses of a change of cache lines have no base, scale or offset.
    fn base "lsc-cache-control-base" (Miscompiles, ANY, "IGC") |i, c| {
        if i.addr_scale > 1 {
            c.fail_changed(field!(lsc::CacheControl.addr_scale), i.addr_scale, 1, "no scale");
        }
        if i.addr_offset != 0 {
            c.fail_changed(field!(lsc::CacheControl.addr_offset), i.addr_offset, 0, "no offset");
        }
        if !matches!(i.surface.kind, VectorKind::Immediate(imm) if imm.bits() == 0) {
            c.fail_changed(field!(lsc::CacheControl.surface), "a base", "none", "no base");
        }
    }

    /// A change of cache lines resets 64 bytes per lane. The compiler ignores other operations and
    /// sizes.
    fn change "lsc-cache-control-op" (Changes (Warning in Manual), ANY, "IGC") |i, c| {
        if i.cache_op != LscCacheOp::RESET {
            let (found, reset) = (i.cache_op, LscCacheOp::RESET);
            c.fail_changed(field!(lsc::CacheControl.cache_op), found, reset, reset);
        }
        if i.cache_size != LscCacheSize::B64 {
            let (found, only) = (i.cache_size, LscCacheSize::B64);
            c.fail_changed(field!(lsc::CacheControl.cache_size), found, only, only);
        }
    }
}
