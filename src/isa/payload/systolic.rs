//! Payloads of systolic instructions.

use super::{Payload, Sizes, lanes};
use crate::isa::{Bdpas, Dpas, Dpasw, field_name};
use crate::operand::{Exec, Precision};

/// Returns the number of bits of a precision.
pub(crate) fn bits_of(precision: Precision) -> Option<u32> {
    Some(match precision.bits() {
        1 | 2 => 1,
        3 | 4 => 2,
        5 | 6 | 15 => 4,
        7 | 8 | 11 | 14 => 8,
        9 | 10 => 16,
        12 => 32,
        _ => return None,
    })
}

/// The fields that determine the sizes of the operands of a systolic instruction.
pub(crate) struct Systolic {
    exec: Exec,
    w: Precision,
    a: Precision,
    depth: u8,
    repeat_count: u8,
    /// Whether two threads provide source 2 together.
    is_shared: bool,
}

macro_rules! systolic {
    ($($name:ident $is_shared:literal),*) => {$(
        impl From<&$name> for Systolic {
            fn from(i: &$name) -> Systolic {
                let (depth, repeat_count) = (i.systolic_depth, i.repeat_count);
                let is_shared = $is_shared;
                Systolic { exec: i.exec, w: i.w, a: i.a, depth, repeat_count, is_shared }
            }
        }
    )*};
}

systolic!(Dpas false, Dpasw true, Bdpas false);

impl Systolic {
    /// Returns the number of products per channel and step; `None` for an unknown precision.
    fn products(&self) -> Option<u32> {
        Some(match bits_of(self.w)?.max(bits_of(self.a)?) {
            32 => 1,
            16 => 2,
            8 => 4,
            _ => 8,
        })
    }

    /// Returns the number of bytes that a channel uses of a source with a precision, in all steps.
    fn steps(&self, precision: Precision) -> Option<u32> {
        Some(u32::from(self.depth) * bits_of(precision)? * self.products()? / 8)
    }

    /// Returns the number of bytes that a repetition reads from source 2.
    pub(crate) fn src2_step(&self) -> Option<u32> {
        self.steps(self.a)
    }

    /// Returns source 2: the elements of all repetitions, which the channels share.
    fn src2(&self, sizes: Sizes) -> Option<Payload> {
        let bytes = u32::from(self.repeat_count) * self.src2_step()?;
        // Of an odd number of registers, one of the threads provides one more.
        let half = bytes.div_ceil(sizes.register).div_ceil(2) * sizes.register;
        Some(Payload::block(if self.is_shared { bytes.min(half) } else { bytes }))
    }

    /// Returns the scales of a source of BDPAS: `count` bytes for each 32 elements of a channel.
    fn scales(&self, count: u32) -> Option<Payload> {
        let elements = u32::from(self.depth) * self.products()?;
        Some(Payload::rows(elements.div_ceil(32), count, 32))
    }
}

impl super::Payloads for Systolic {
    fn payload(&self, field: &str, sizes: Sizes) -> Option<Payload> {
        let (lanes, repeat_count) = (lanes(self.exec), u32::from(self.repeat_count));
        const DST: &str = field_name!(Bdpas.dst);
        const SRC0: &str = field_name!(Bdpas.src0);
        const SRC1: &str = field_name!(Bdpas.src1);
        const SRC2: &str = field_name!(Bdpas.src2);
        const SRC3: &str = field_name!(Bdpas.src3);
        match field {
            DST | SRC0 => Some(Payload::lanes(lanes, sizes.element).repeated(repeat_count)),
            // Each channel has at least one dword.
            SRC1 => Some(Payload::block(lanes * self.steps(self.w)?.next_multiple_of(4))),
            SRC2 => self.src2(sizes),
            SRC3 => self.scales(lanes),
            _ => self.scales(repeat_count),
        }
    }
}
