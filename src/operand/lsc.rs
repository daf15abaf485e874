//! Coded fields of messages to the load-store cache (LSC; docs/format.md, 5.8).

use super::code;
use crate::format::Dialect;

code! {
    /// The operation of an LSC message: the first byte after the opcode, which selects its layout.
    pub struct LscOp(max 255) {
        /// Load vectors.
        LOAD = 0x00 "load",
        /// Load from one address and a pitch.
        LOAD_STRIDED = 0x01 "load_strided",
        /// Load by channel mask.
        LOAD_QUAD = 0x02 "load_quad",
        /// Load a 2D block.
        LOAD_BLOCK2D = 0x03 "load_block2d",
        /// Store vectors.
        STORE = 0x04 "store",
        /// Store to one address and a pitch.
        STORE_STRIDED = 0x05 "store_strided",
        /// Store by channel mask.
        STORE_QUAD = 0x06 "store_quad",
        /// Store a 2D block.
        STORE_BLOCK2D = 0x07 "store_block2d",
        /// Atomic increment.
        ATOMIC_IINC = 0x08 "atomic_iinc",
        /// Atomic decrement.
        ATOMIC_IDEC = 0x09 "atomic_idec",
        /// Atomic load.
        ATOMIC_LOAD = 0x0a "atomic_load",
        /// Atomic store.
        ATOMIC_STORE = 0x0b "atomic_store",
        /// Atomic addition.
        ATOMIC_IADD = 0x0c "atomic_iadd",
        /// Atomic subtraction.
        ATOMIC_ISUB = 0x0d "atomic_isub",
        /// Atomic signed minimum.
        ATOMIC_SMIN = 0x0e "atomic_smin",
        /// Atomic signed maximum.
        ATOMIC_SMAX = 0x0f "atomic_smax",
        /// Atomic unsigned minimum.
        ATOMIC_UMIN = 0x10 "atomic_umin",
        /// Atomic unsigned maximum.
        ATOMIC_UMAX = 0x11 "atomic_umax",
        /// Atomic integer compare and swap.
        ATOMIC_ICAS = 0x12 "atomic_icas",
        /// Atomic float addition.
        ATOMIC_FADD = 0x13 "atomic_fadd",
        /// Atomic float subtraction.
        ATOMIC_FSUB = 0x14 "atomic_fsub",
        /// Atomic float minimum.
        ATOMIC_FMIN = 0x15 "atomic_fmin",
        /// Atomic float maximum.
        ATOMIC_FMAX = 0x16 "atomic_fmax",
        /// Atomic float compare and swap.
        ATOMIC_FCAS = 0x17 "atomic_fcas",
        /// Atomic and.
        ATOMIC_AND = 0x18 "atomic_and",
        /// Atomic or.
        ATOMIC_OR = 0x19 "atomic_or",
        /// Atomic exclusive or.
        ATOMIC_XOR = 0x1a "atomic_xor",
        /// Load, and report which pages were resident.
        LOAD_STATUS = 0x1b "load_status",
        /// Store without compression.
        STORE_UNCOMPRESSED = 0x1c "store_uncompressed",
        /// Update compression control.
        CCS_UPDATE = 0x1d "ccs_update",
        /// Read information from the surface state.
        READ_STATE_INFO = 0x1e "read_state_info",
        /// Atomic bf16 addition.
        ATOMIC_BFADD = 0x21 "atomic_bfadd",
        /// Atomic bf16 subtraction.
        ATOMIC_BFSUB = 0x22 "atomic_bfsub",
        /// Atomic bf16 minimum.
        ATOMIC_BFMIN = 0x23 "atomic_bfmin",
        /// Atomic bf16 maximum.
        ATOMIC_BFMAX = 0x24 "atomic_bfmax",
        /// Atomic bf16 compare and swap.
        ATOMIC_BFCAS = 0x25 "atomic_bfcas",
        /// Append counter: add.
        APNDCTR_ATOMIC_ADD = 0x28 "apndctr_atomic_add",
        /// Append counter: subtract.
        APNDCTR_ATOMIC_SUB = 0x29 "apndctr_atomic_sub",
        /// Append counter: store.
        APNDCTR_ATOMIC_STORE = 0x2a "apndctr_atomic_store",
        /// Load by channel mask from a multisampled target.
        LOAD_QUAD_MSRT = 0x31 "load_quad_msrt",
        /// Store by channel mask to a multisampled target.
        STORE_QUAD_MSRT = 0x32 "store_quad_msrt",
        /// Cache control.
        EXTENDED_CACHE_CTRL = 0x33 "extended_cache_ctrl",
        /// Load by channel mask, and report which pages were resident.
        LOAD_QUAD_STATUS = 0x36 "load_quad_status",
    }
}

/// The class of an LSC operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum LscOpClass {
    /// It reads memory into `dst`.
    Load,
    /// It writes `src1` to memory.
    Store,
    /// It reads and writes memory atomically.
    Atomic {
        /// The number of data sources, 0 to 2.
        sources: u8,
    },
    /// It neither reads nor writes data.
    Other,
}

impl LscOp {
    /// Returns the class of the operation.
    pub const fn class(self) -> LscOpClass {
        match self {
            LscOp::LOAD
            | LscOp::LOAD_STRIDED
            | LscOp::LOAD_QUAD
            | LscOp::LOAD_BLOCK2D
            | LscOp::LOAD_STATUS
            | LscOp::READ_STATE_INFO
            | LscOp::LOAD_QUAD_MSRT
            | LscOp::EXTENDED_CACHE_CTRL
            | LscOp::LOAD_QUAD_STATUS => LscOpClass::Load,
            LscOp::STORE
            | LscOp::STORE_STRIDED
            | LscOp::STORE_QUAD
            | LscOp::STORE_BLOCK2D
            | LscOp::STORE_UNCOMPRESSED
            | LscOp::STORE_QUAD_MSRT => LscOpClass::Store,
            LscOp::CCS_UPDATE => LscOpClass::Other,
            LscOp::ATOMIC_IINC | LscOp::ATOMIC_IDEC | LscOp::ATOMIC_LOAD => {
                LscOpClass::Atomic { sources: 0 }
            }
            LscOp::ATOMIC_ICAS | LscOp::ATOMIC_FCAS | LscOp::ATOMIC_BFCAS => {
                LscOpClass::Atomic { sources: 2 }
            }
            _ => LscOpClass::Atomic { sources: 1 },
        }
    }

    /// Returns whether the message has a channel mask rather than a number of elements.
    pub const fn has_channels(self) -> bool {
        matches!(
            self,
            LscOp::LOAD_QUAD
                | LscOp::STORE_QUAD
                | LscOp::LOAD_QUAD_MSRT
                | LscOp::STORE_QUAD_MSRT
                | LscOp::LOAD_QUAD_STATUS
        )
    }
}

code! {
    /// The shared function that receives an LSC message.
    pub struct LscSfid(max 255) {
        /// Untyped global memory.
        UGM = 0 "ugm",
        /// Untyped global memory, local to the tile.
        UGML = 1 "ugml",
        /// Typed global memory.
        TGM = 2 "tgm",
        /// Shared local memory.
        SLM = 3 "slm",
        /// Unified return buffer.
        URB = 4 "urb",
    }
}

code! {
    /// The policy of a cache level for an LSC message.
    pub struct LscCache(max 255) {
        /// The policy of the platform's state (MOCS).
        DEFAULT = 0 "df",
        /// Uncached.
        UNCACHED = 1 "uc",
        /// Cached.
        CACHED = 2 "ca",
        /// Write back.
        WRITEBACK = 3 "wb",
        /// Write through.
        WRITETHROUGH = 4 "wt",
        /// Streaming.
        STREAMING = 5 "st",
        /// Invalidate after read.
        READINVALIDATE = 6 "ri",
        /// Cached constant.
        CONSTCACHED = 7 "cc",
    }
}

code! {
    /// The base that the addresses of an LSC message are relative to.
    pub struct LscAddrType(max 255) {
        /// Stateless.
        FLAT = 1 "flat",
        /// An offset into the bindless surface states.
        BSS = 2 "bss",
        /// An offset into the surface states.
        SS = 3 "ss",
        /// The binding table.
        BTI = 4 "bti",
        /// The kernel's arguments.
        ARG = 5 "arg",
        /// A pointer to the surface state.
        SURF = 6 "surf",
    }
}

code! {
    /// The size of an address.
    pub struct LscAddrSize(max 255) {
        /// 16 bits.
        A16 = 1 "a16",
        /// 32 bits.
        A32 = 2 "a32",
        /// 64 bits.
        A64 = 3 "a64",
        /// 32 bits, zero-extended.
        A32U = 4 "a32u",
        /// 32 bits, sign-extended.
        A32S = 5 "a32s",
    }
}

code! {
    /// The size of a data element in memory and in registers.
    pub struct LscDataSize(max 255) {
        /// 8 bits.
        D8 = 1 "d8",
        /// 16 bits.
        D16 = 2 "d16",
        /// 32 bits.
        D32 = 3 "d32",
        /// 64 bits.
        D64 = 4 "d64",
        /// 8 bits in 32.
        D8C32 = 5 "d8c32",
        /// 16 bits in 32.
        D16C32 = 6 "d16c32",
        /// 16 bits in the high half of 32.
        D16C32H = 7 "d16c32h",
    }
}

code! {
    /// Whether the data is transposed.
    pub struct LscDataOrder(max 255) {
        /// Not transposed.
        NONTRANSPOSE = 1 "nontranspose",
        /// Transposed.
        TRANSPOSE = 2 "transpose",
    }
}

code! {
    /// The number of data elements per address.
    pub struct LscDataElems(max 255) {
        /// One.
        X1 = 1 "x1",
        /// Two.
        X2 = 2 "x2",
        /// Three.
        X3 = 3 "x3",
        /// Four.
        X4 = 4 "x4",
        /// Eight.
        X8 = 5 "x8",
        /// Sixteen.
        X16 = 6 "x16",
        /// Thirty-two.
        X32 = 7 "x32",
        /// Sixty-four.
        X64 = 8 "x64",
    }
}

impl LscDataSize {
    /// Returns the name with `u` instead of `c` that newer compilers print, such as `d8u32`.
    pub const fn newer_name(self) -> Option<&'static str> {
        match self {
            LscDataSize::D8C32 => Some("d8u32"),
            LscDataSize::D16C32 => Some("d16u32"),
            LscDataSize::D16C32H => Some("d16u32h"),
            _ => None,
        }
    }

    /// Returns the name in the text of a dialect.
    pub fn name_in(self, dialect: Dialect) -> Option<&'static str> {
        let newer = self.newer_name().filter(|_| dialect == Dialect::Igc2026);
        newer.or_else(|| self.name())
    }

    /// Returns the number of bytes of an element in registers; `None` for codes without a meaning.
    pub const fn bytes(self) -> Option<u32> {
        match self {
            LscDataSize::D8 => Some(1),
            LscDataSize::D16 => Some(2),
            LscDataSize::D32 | LscDataSize::D8C32 | LscDataSize::D16C32 | LscDataSize::D16C32H => {
                Some(4)
            }
            LscDataSize::D64 => Some(8),
            _ => None,
        }
    }

    /// Returns the number of bytes of an element in memory; `None` for codes without a meaning.
    pub const fn memory_bytes(self) -> Option<u32> {
        match self {
            LscDataSize::D8C32 => Some(1),
            LscDataSize::D16C32 | LscDataSize::D16C32H => Some(2),
            size => size.bytes(),
        }
    }
}

impl LscDataElems {
    /// Returns the number of elements; `None` for codes without a meaning.
    pub const fn count(self) -> Option<u32> {
        match self.0 {
            bits @ 1..=4 => Some(bits as u32),
            bits @ 5..=8 => Some(8 << (bits - 5)),
            _ => None,
        }
    }
}

impl LscAddrSize {
    /// Returns the number of bytes of an address in registers; `None` for codes without a meaning.
    pub const fn bytes(self) -> Option<u32> {
        match self {
            LscAddrSize::A16 => Some(2),
            LscAddrSize::A32 | LscAddrSize::A32U | LscAddrSize::A32S => Some(4),
            LscAddrSize::A64 => Some(8),
            _ => None,
        }
    }
}

bitflags::bitflags! {
    /// Modifiers of LSC messages since 4.2.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub struct LscFlags: u8 {
        /// `.ov`: the load may fetch more than it needs.
        const OVERFETCH = 1;
        /// `.msaa`: the fourth coordinate is the index of a sample.
        const MSAA = 1 << 1;
    }
}

impl LscFlags {
    /// Returns the modifiers that an operation can have.
    pub const fn of(op: LscOp, sfid: LscSfid) -> LscFlags {
        match (op, sfid) {
            (LscOp::LOAD | LscOp::LOAD_QUAD | LscOp::LOAD_STATUS, LscSfid::UGM) => {
                LscFlags::OVERFETCH
            }
            (LscOp(op), LscSfid::TGM)
                if op >= LscOp::ATOMIC_IINC.0 && op <= LscOp::ATOMIC_XOR.0 =>
            {
                LscFlags::MSAA
            }
            _ => LscFlags::empty(),
        }
    }
}

code! {
    /// The effect of EXTENDED_CACHE_CTRL on cache lines.
    pub struct LscCacheOp(max 255) {
        /// Reset their state.
        RESET = 0 "reset",
        /// Set their state. The compiler treats it as a reset.
        SET = 1 "set",
    }
}

code! {
    /// The number of bytes that EXTENDED_CACHE_CTRL changes per lane. The compiler always uses 64.
    pub struct LscCacheSize(max 255) {
        /// 64 bytes.
        B64 = 0 "64B",
        /// 128 bytes.
        B128 = 1 "128B",
        /// 192 bytes.
        B192 = 2 "192B",
        /// 256 bytes.
        B256 = 3 "256B",
    }
}

code! {
    /// The effect of LSC_FENCE on the caches.
    pub struct LscFenceOp(max 255) {
        /// Nothing.
        NONE = 0 "none",
        /// Write back dirty lines, then invalidate all.
        EVICT = 1 "evict",
        /// Invalidate clean lines.
        INVALIDATE = 2 "invalidate",
        /// Discard all lines.
        DISCARD = 3 "discard",
        /// Write back dirty lines and keep them.
        CLEAN = 4 "clean",
        /// Flush L3 only.
        FLUSHL3 = 5 "flushl3",
        /// Flush type 6.
        TYPE6 = 6 "type6",
    }
}

code! {
    /// The scope of LSC_FENCE.
    pub struct LscScope(max 255) {
        /// The thread group.
        GROUP = 0 "group",
        /// The sub-slice.
        LOCAL = 1 "local",
        /// The tile.
        TILE = 2 "tile",
        /// The GPU.
        GPU = 3 "gpu",
        /// All GPUs.
        GPUS = 4 "gpus",
        /// The system, release.
        SYSREL = 5 "sysrel",
        /// The system, acquire.
        SYSACQ = 6 "sysacq",
    }
}
