//! MEDIA_LD (MEDIA_LD.md).

use super::rule::rules;
use crate::isa::MediaLd;

rules! { media_ld for MediaLd;
}
