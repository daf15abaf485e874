//! The number of the hardware thread, from which kernels compute the place of their private memory.

use genvisa::Platform;
use genvisa::operand::VarId;

use super::error::DispatchError;

/// How the state registers of a device contain the number of the hardware thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ThreadNumbering {
    /// `%hw_id` is the number.
    HardwareId,
    /// Bits of `%sr0` contain it: those above bit 5 begin at this bit.
    State {
        /// The bit.
        high: u32,
    },
    /// The number is that of the execution unit times its threads, plus the number in the unit.
    /// `%sr0` contains the latter, and from bit 4 on 3 bits of the number of the unit; `%msg0` contains
    /// its other bits.
    Message {
        /// The threads of a unit.
        unit_threads: u32,
    },
}

const HW_ID: VarId = VarId(12);
const SR0: VarId = VarId(13);
const MSG0: VarId = VarId(20);

impl ThreadNumbering {
    /// Returns the numbering of a platform, if it is known.
    pub fn of(platform: Platform) -> Option<ThreadNumbering> {
        Some(match platform {
            Platform::Xe2 | Platform::Xe3pCri => ThreadNumbering::Message { unit_threads: 8 },
            Platform::Xe3 | Platform::Xe3p => ThreadNumbering::Message { unit_threads: 10 },
            Platform::PvcSdv | Platform::PvcXt => ThreadNumbering::State { high: 8 },
            Platform::Dg2 | Platform::Mtl | Platform::Arl => ThreadNumbering::State { high: 7 },
            platform if platform < Platform::XeHpSdv => ThreadNumbering::HardwareId,
            _ => return None,
        })
    }

    /// Returns the greatest number of threads at a time.
    pub fn limit(self) -> u32 {
        match self {
            ThreadNumbering::HardwareId => 1 << 16,
            ThreadNumbering::State { .. } => 1 << 12,
            ThreadNumbering::Message { unit_threads } => unit_threads.saturating_mul(1 << 11),
        }
    }

    /// Returns the values of the state registers of a thread, with the lanes that it runs.
    pub fn registers(self, thread: u32, mask: u32) -> Vec<(VarId, Vec<u8>)> {
        // Bit 3 of `%sr0` is not part of the number.
        let spread = |number: u32| (number & 7) | ((number >> 3) << 4);
        let (state, other) = match self {
            ThreadNumbering::HardwareId => (0, Some((HW_ID, thread))),
            ThreadNumbering::State { high } => {
                let number = spread(thread);
                let upper = (number >> 6).checked_shl(high).unwrap_or_default();
                ((number & 63) | upper, None)
            }
            ThreadNumbering::Message { unit_threads } => {
                let unit_threads = unit_threads.max(1);
                let unit = thread / unit_threads;
                ((thread % unit_threads) | ((unit & 7) << 4), Some((MSG0, unit >> 3)))
            }
        };
        let state = [state, 0, mask].map(u32::to_le_bytes).concat();
        let other = other.map(|(var, value)| (var, value.to_le_bytes().to_vec()));
        [(SR0, state)].into_iter().chain(other).collect()
    }
}

impl ThreadNumbering {
    /// Checks that so many threads have numbers.
    pub(super) fn check(self, threads: u32) -> Result<(), DispatchError> {
        match threads <= self.limit() {
            true => Ok(()),
            false => Err(DispatchError::NotModelled(format!("{threads} threads at a time"))),
        }
    }
}
