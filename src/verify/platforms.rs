//! Ranges of platforms that rules apply to.

use core::fmt;

use crate::platform::Platform;

/// A range of platforms.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Platforms {
    /// The first platform of the range; `None` for no lower bound.
    pub since: Option<Platform>,
    /// The first platform after the range; `None` for no upper bound.
    pub before: Option<Platform>,
}

/// All platforms.
pub(super) const ANY: Platforms = Platforms { since: None, before: None };

/// Returns a platform and all newer ones.
pub(super) const fn since(platform: Platform) -> Platforms {
    Platforms { since: Some(platform), before: None }
}

/// Returns all platforms older than a platform.
pub(super) const fn before(platform: Platform) -> Platforms {
    Platforms { since: None, before: Some(platform) }
}

impl Platforms {
    /// Returns whether the range contains a platform. Only the range of all platforms contains an
    /// unknown platform, `None`.
    pub fn contains(self, platform: Option<Platform>) -> bool {
        match platform {
            None => self == ANY,
            Some(platform) => {
                self.since.is_none_or(|since| platform >= since)
                    && self.before.is_none_or(|before| platform < before)
            }
        }
    }
}

impl fmt::Display for Platforms {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.since, self.before) {
            (None, None) => f.pad("any"),
            (Some(since), None) => write!(f, "{since}+"),
            (None, Some(before)) => write!(f, "pre-{before}"),
            (Some(since), Some(before)) => write!(f, "{since}+ pre-{before}"),
        }
    }
}
