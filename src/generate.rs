//! The trait of types whose values `proptest` can generate.

use proptest::arbitrary::any;
use proptest::strategy::{BoxedStrategy, Just, Strategy};

use crate::format::Format;

/// A type whose values can be generated for a format. All generated values can be encoded in it.
pub trait Generate: Sized {
    /// Returns a strategy for the values that the format can express.
    fn strategy(format: Format) -> BoxedStrategy<Self>;
}

/// Nests any number of expressions in tuples: `(a, (b, (c, ())))`.
macro_rules! nest {
    () => { proptest::strategy::Just(()) };
    ($first:expr $(, $rest:expr)*) => { ($first, $crate::generate::nest!($($rest),*)) };
}

/// The pattern that matches [`nest`].
macro_rules! nest_pattern {
    () => { () };
    ($first:ident $(, $rest:ident)*) => { ($first, $crate::generate::nest_pattern!($($rest),*)) };
}

pub(crate) use {nest, nest_pattern};

/// Returns a strategy for a field with a condition.
pub(crate) fn optional<V: Generate + core::fmt::Debug + Clone + 'static>(
    open: bool,
    format: Format,
) -> BoxedStrategy<Option<V>> {
    if open { V::strategy(format).prop_map(Some).boxed() } else { Just(None).boxed() }
}

macro_rules! integers {
    ($($ty:ty),*) => {$(
        impl Generate for $ty {
            fn strategy(_: Format) -> BoxedStrategy<Self> {
                any::<$ty>().boxed()
            }
        }
    )*};
}

integers!(u8, u16, u32, i16, i32);
