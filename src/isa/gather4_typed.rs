//! Words of GATHER4_TYPED and SCATTER4_TYPED before 3.2 (docs/format.md, 4.4).

use alloc::string::String;
use core::fmt;

use crate::error::{ErrorKind, Result};
use crate::format::Format;
use crate::operand::{ChannelMask, Exec, ExecSize};
use crate::wire::{Describe, Reader, Trace, Wire, Writer};

/// A channel mask in bits 0 to 3 of a byte, where a set bit disables the channel.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Inverted(ChannelMask);

/// An exec byte whose size is encoded as 0 and means 8 lanes.
#[derive(Clone, Copy, Debug)]
pub(super) struct ExecOf8(Exec);

macro_rules! words {
    ($($word:ident: $field:ident),*) => {$(
        impl From<$field> for $word {
            fn from(field: $field) -> $word {
                $word(field)
            }
        }

        impl From<$word> for $field {
            fn from(word: $word) -> $field {
                word.0
            }
        }

        impl fmt::Display for $word {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }
    )*};
}

words!(Inverted: ChannelMask, ExecOf8: Exec);

impl Describe for Inverted {
    fn meaning(&self, _: Format) -> String {
        "a set bit disables".into()
    }
}

impl Describe for ExecOf8 {
    fn meaning(&self, format: Format) -> String {
        self.0.meaning(format)
    }
}

impl Default for ExecOf8 {
    fn default() -> Self {
        ExecOf8(ExecSize::S8.into())
    }
}

impl Wire for Inverted {
    fn decode_into<T: Trace>(&mut self, r: &mut Reader<'_, T>) -> Result<()> {
        self.0.decode_into(r)?;
        self.0 = self.0.complement();
        Ok(())
    }

    fn encode(&self, w: &mut Writer) -> Result<()> {
        self.0.complement().encode(w)
    }
}

impl Wire for ExecOf8 {
    fn decode_into<T: Trace>(&mut self, r: &mut Reader<'_, T>) -> Result<()> {
        self.0.decode_into(r)?;
        if self.0.size != ExecSize::S1 {
            let value = self.0.size as u32;
            let expected = "size code 0, the only one before 3.2";
            return Err(r.error_back(1, ErrorKind::InvalidValue { value, expected }));
        }
        self.0.size = ExecSize::S8;
        Ok(())
    }

    fn encode(&self, w: &mut Writer) -> Result<()> {
        match self.0.size {
            ExecSize::S8 => Exec::new(ExecSize::S1, self.0.mask).encode(w),
            _ => Err(w.inexpressible("an execution size other than 8")),
        }
    }
}

#[cfg(feature = "proptest")]
impl crate::generate::Generate for Inverted {
    fn strategy(format: Format) -> proptest::strategy::BoxedStrategy<Self> {
        use proptest::strategy::Strategy;
        ChannelMask::strategy(format).prop_map(Inverted).boxed()
    }
}

#[cfg(feature = "proptest")]
impl crate::generate::Generate for ExecOf8 {
    fn strategy(format: Format) -> proptest::strategy::BoxedStrategy<Self> {
        use proptest::strategy::Strategy;
        let exec = Exec::strategy(format);
        exec.prop_map(|exec| ExecOf8(Exec { size: ExecSize::S8, ..exec })).boxed()
    }
}
