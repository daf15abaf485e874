//! Platforms, and ranges of platforms that rules apply to.

use core::fmt;
use core::str::FromStr;

use crate::error::ErrorKind;
use crate::format::Format;
use crate::object::Module;

macro_rules! platforms {
    ($($(#[$doc:meta])* $name:ident $text:literal [$($device:literal)*],)*) => {
        /// A graphics platform. Newer platforms are greater.
        ///
        /// The names are the values of GenX_IR's option `-platform`.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum Platform {
            $($(#[$doc])* $name,)*
        }

        impl Platform {
            /// Every platform, oldest first.
            pub const ALL: &'static [Platform] = &[$(Platform::$name),*];

            /// Returns the name.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Platform::$name => $text,)*
                }
            }

            /// Returns the names of the platform's devices: those of option `-device` of ocloc,
            /// as IGC 2.40 knows them.
            pub const fn devices(self) -> &'static [&'static str] {
                match self {
                    $(Platform::$name => &[$($device),*],)*
                }
            }
        }
    };
}

platforms! {
    /// Broadwell, Gen8.
    Bdw "BDW" [],
    /// Cherryview, Gen8.
    Chv "CHV" [],
    /// Skylake, Gen9.
    Skl "SKL" [],
    /// Broxton, Gen9.
    Bxt "BXT" [],
    /// Cannon Lake, Gen10.
    Cnl "CNL" [],
    /// Ice Lake, Gen11.
    Icllp "ICLLP" [],
    /// Tiger Lake, Xe.
    Tgllp "TGLLP" ["tgllp" "tgl" "rkl" "adl-s" "adls" "adl-p" "adlp" "adl-n" "adln" "rpl-s" "rpls" "rpl-p" "dg1"],
    /// Xe HP.
    XeHpSdv "XeHP_SDV" [],
    /// DG2, Alchemist.
    Dg2 "DG2" ["dg2" "acm-g10" "acm-g11" "acm-g12" "dg2-g10" "xe-hpg"],
    /// Meteor Lake.
    Mtl "MTL" ["mtl" "mtl-u" "mtl-h" "arl-s" "arl-u" "xe-lpg"],
    /// Arrow Lake.
    Arl "ARL" ["arl" "arl-h"],
    /// Ponte Vecchio, Xe HPC.
    Pvc "PVC" ["pvc-sdv"],
    /// Ponte Vecchio XT.
    PvcXt "PVCXT" ["pvc" "pvc-vg" "xe-hpc"],
    /// Lunar Lake and Battlemage.
    Xe2 "Xe2" ["bmg" "bmg-g21" "bmg-g31" "lnl" "lnl-m"],
    /// Panther Lake.
    Xe3 "Xe3" ["ptl" "ptl-h" "ptl-u" "wcl" "nvl-s" "nvl-u"],
    /// Crescent Island.
    Xe3pCri "XE3P_CRI" ["cri"],
    /// Nova Lake P.
    Xe3p "Xe3P" ["nvl-p"],
}

impl Platform {
    /// Returns whether the compiler uses efficient 64-bit addressing on the platform by default; see
    /// [`Body::efficient_64bit`](crate::object::Body::efficient_64bit).
    pub const fn has_efficient_64bit(self) -> bool {
        self as u8 >= Platform::Xe3pCri as u8
    }

    /// Returns the size of a register in bytes.
    pub const fn grf(self) -> u32 {
        if self as u8 >= Platform::Pvc as u8 { 64 } else { 32 }
    }
}

impl fmt::Display for Platform {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Platform {
    type Err = ErrorKind;

    /// Parses the name of a platform or of one of its [`devices`](Platform::devices). `NVL` is the
    /// name of Xe3P in the compiler's text.
    ///
    /// Case is ignored, except that `pvc` is the device, which is a [`PvcXt`](Platform::PvcXt), and
    /// `PVC` the platform.
    ///
    /// ```
    /// use genvisa::verify::Platform;
    ///
    /// assert_eq!("bmg".parse::<Platform>()?, Platform::Xe2);
    /// assert_eq!("pvc".parse::<Platform>()?, Platform::PvcXt);
    /// assert_eq!("PVC".parse::<Platform>()?, Platform::Pvc);
    /// # Ok::<(), genvisa::ErrorKind>(())
    /// ```
    fn from_str(s: &str) -> Result<Platform, ErrorKind> {
        let expected = "a platform such as SKL, TGLLP or Xe2, or a device such as bmg";
        let find = |has_name: &dyn Fn(&Platform) -> bool| {
            Platform::ALL.iter().copied().find(|platform| has_name(platform))
        };
        if s.eq_ignore_ascii_case("NVL") {
            return Ok(Platform::Xe3p);
        }
        find(&|platform| platform.devices().contains(&s))
            .or_else(|| find(&|platform| platform.name().eq_ignore_ascii_case(s)))
            .or_else(|| {
                find(&|platform| platform.devices().iter().any(|name| name.eq_ignore_ascii_case(s)))
            })
            .ok_or(ErrorKind::Unparsable { expected })
    }
}

/// Returns the size of a register in bytes that is assumed for a module whose platform is `platform`.
/// Returns `None` if nothing is assumed: the platform is known, or the format is not 4.2, whose modules
/// are for one platform.
pub fn assumed_register_bytes(module: &Module<'_>, platform: Option<Platform>) -> Option<u32> {
    let is_unknown = module.format == Format::V4_2 && platform.is_none();
    let is_efficient_64bit = || module.routines().any(|routine| routine.body.efficient_64bit);
    is_unknown.then(|| if is_efficient_64bit() { 64 } else { 32 })
}

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
