//! The handles of surfaces and samplers.

/// Handles of surfaces are multiples of this, which no index of a binding table reaches.
pub(super) const HANDLE: u32 = 0x1_0000;
pub(super) const CONSTANTS_HANDLE: u32 = 0x8000;
pub(super) const GLOBALS_HANDLE: u32 = 0x8040;
/// The handle of the scratch memory of the first thread. Arguments have handles below.
pub(super) const SCRATCH_HANDLE: u32 = 0x20_0000;
/// The handle of the first sampler that the program defines. Arguments have handles below.
const INLINE_SAMPLERS: u32 = 0x100_0000;

/// Returns the handle of a sampler that the program defines.
pub(super) fn inline_handle(index: u32) -> u32 {
    INLINE_SAMPLERS.wrapping_add(index.wrapping_mul(64))
}
