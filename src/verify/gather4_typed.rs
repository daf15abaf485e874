//! GATHER4_TYPED (GATHER4_TYPED.md).

use super::rule::rules;
use crate::isa::Gather4Typed;

rules! { gather4_typed for Gather4Typed;
}
