//! 3D_SAMPLE (3D_SAMPLE.md).

use super::rule::rules;
use crate::isa::Sample3d;

rules! { sample_3d for Sample3d;
}
