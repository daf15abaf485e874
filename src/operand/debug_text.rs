//! The text of operands without feature `text`, for traces.

use alloc::format;
use alloc::string::String;

use super::{AddressOf, Aoffimmi, CmpDst, Dst, Raw, Vector};
use crate::wire::AsText;

macro_rules! by_debug {
    ($($name:ident),*) => {$(
        impl AsText for $name {
            fn as_text(&self) -> String {
                format!("{self:?}")
            }
        }
    )*};
}

by_debug!(Vector, Dst, CmpDst, AddressOf, Raw, Aoffimmi);
