//! Modes of barriers (docs/format.md, 5.1).

use super::code::code;

code! {
    /// Whether SBARRIER and NBARRIER wait or signal. Readers interpret other values as a signal, except
    /// that the reader of 2022 tests only the lowest bit for NBARRIER.
    pub struct BarrierMode(max 255) {
        /// Wait.
        WAIT = 0 "wait",
        /// Signal.
        SIGNAL = 1 "signal",
    }
}
