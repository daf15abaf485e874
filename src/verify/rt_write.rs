//! RT_WRITE (RT_WRITE.md).

use super::rule::rules;
use crate::isa::RtWrite;

rules! { rt_write for RtWrite;
}
