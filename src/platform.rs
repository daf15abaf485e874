//! The platforms, and what depends on them alone.

use core::fmt;
use core::str::FromStr;

use crate::error::ErrorKind;

macro_rules! platforms {
    ($($(#[$doc:meta])* $name:ident $text:literal $(= $igc:literal)* [$($device:literal $architecture:literal $release:literal),*] $(iga $iga:literal)? $(binary $binary:literal)?,)*) => {
        /// A graphics platform. Newer platforms are greater.
        ///
        /// The names are the values of GenX_IR's option `-platform`, except that its `PVC` is
        /// [`PvcSdv`](Platform::PvcSdv) here, because the device `pvc` of ocloc is the platform that GenX_IR calls
        /// `PVCXT`.
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

            /// Returns the platform and the first of its devices that has a version of graphics IP, which ocloc
            /// stores in device binaries: the architecture and the release, such as 20 and 1 for `bmg`.
            ///
            /// ```
            /// use genvisa::Platform;
            ///
            /// assert_eq!(Platform::of_ip_version(20, 4), Some((Platform::Xe2, "lnl")));
            /// assert_eq!(Platform::of_ip_version(20, 200), None);
            /// ```
            pub fn of_ip_version(
                architecture: u16,
                release: u8,
            ) -> Option<(Platform, &'static str)> {
                const DEVICES: &[(Platform, &str, u16, u8)] = &[
                    $($((Platform::$name, $device, $architecture, $release),)*)*
                ];
                let is_it = |device: &&(Platform, &str, u16, u8)| {
                    (device.2, device.3) == (architecture, release)
                };
                DEVICES.iter().find(is_it).map(|device| (device.0, device.1))
            }

            /// Returns the names that IGC has for the platform, the usual one first; empty if there is only
            /// [`name`](Self::name).
            const fn igc_names(self) -> &'static [&'static str] {
                match self {
                    $(Platform::$name => &[$($igc),*],)*
                }
            }

            /// Returns the platform with a number in [GEN binaries](crate::object::GenBinary::platform), if the
            /// documents list it.
            pub const fn of_gen_binary(number: u8) -> Option<Platform> {
                match number {
                    $($($binary => Some(Platform::$name),)?)*
                    _ => None,
                }
            }

            /// Returns the name of the platform's machine code for option `-p` of Intel's disassembler `iga64`, as
            /// IGC 2.40 knows it; `None` if it has none.
            pub const fn iga_name(self) -> Option<&'static str> {
                match self {
                    $($(Platform::$name => Some($iga),)?)*
                    _ => None,
                }
            }
        }
    };
}

platforms! {
    /// Broadwell, Gen8.
    Bdw "BDW" [] iga "8" binary 3,
    /// Cherryview, Gen8.
    Chv "CHV" [] iga "8",
    /// Skylake, Gen9.
    Skl "SKL" [] iga "9" binary 5,
    /// Broxton, Gen9.
    Bxt "BXT" [] iga "9" binary 6,
    /// Cannon Lake, Gen10.
    Cnl "CNL" [] iga "10",
    /// Ice Lake, Gen11.
    Icllp "ICLLP" [] iga "11" binary 10,
    /// Tiger Lake, Xe.
    Tgllp "TGLLP" ["tgl" 12 0, "rkl" 12 1, "adl-s" 12 2, "adls" 12 2, "adl-p" 12 3, "adlp" 12 3, "adl-n" 12 4, "adln" 12 4, "rpl-s" 12 2, "rpls" 12 2, "rpl-p" 12 3, "dg1" 12 10] iga "12p1" binary 12,
    /// Xe HP.
    XeHpSdv "XeHP_SDV" [] iga "12p5",
    /// DG2, Alchemist.
    Dg2 "DG2" ["acm-g10" 12 55, "acm-g11" 12 56, "acm-g12" 12 57, "dg2-g10" 12 55, "xe-hpg" 12 55] iga "12p71",
    /// Meteor Lake.
    Mtl "MTL" ["mtl-u" 12 70, "mtl-h" 12 71, "arl-s" 12 70, "arl-u" 12 70, "xe-lpg" 12 70] iga "12p71",
    /// Arrow Lake.
    Arl "ARL" ["arl-h" 12 74] iga "12p71",
    /// Ponte Vecchio before XT, which IGC calls `PVC`.
    PvcSdv "PVC-SDV" = "PVC" [] iga "12p72",
    /// Ponte Vecchio XT: the devices that are called `pvc`.
    PvcXt "PVCXT" ["pvc" 12 60, "pvc-vg" 12 61, "xe-hpc" 12 60] iga "12p72",
    /// Lunar Lake and Battlemage.
    Xe2 "Xe2" ["bmg" 20 1, "bmg-g21" 20 1, "bmg-g31" 20 2, "lnl" 20 4, "lnl-m" 20 4] iga "2",
    /// Panther Lake.
    Xe3 "Xe3" ["ptl" 30 0, "ptl-h" 30 0, "ptl-u" 30 1, "wcl" 30 3, "nvl-s" 30 4, "nvl-u" 30 5] iga "3",
    /// Crescent Island.
    Xe3pCri "XE3P_CRI" ["cri" 35 11] iga "3pxpc",
    /// Nova Lake P.
    Xe3p "Xe3P" = "XE3P" = "NVL" ["nvl-p" 35 10],
}

impl Platform {
    /// Returns the name that IGC uses: in the comment `//Platform:`, and as a value of GenX_IR's option
    /// `-platform`. Neither depends on case.
    pub const fn igc_name(self) -> &'static str {
        match self.igc_names() {
            [first, ..] => first,
            [] => self.name(),
        }
    }

    /// Returns the platform that IGC calls `name`, for example in the comment `//Platform:`, in any case. Also
    /// accepts the names that [`FromStr`] accepts; `PVC` is [`PvcSdv`](Platform::PvcSdv).
    ///
    /// ```
    /// use genvisa::Platform;
    ///
    /// assert_eq!(Platform::from_igc_name("NVL"), Some(Platform::Xe3p));
    /// assert_eq!(Platform::from_igc_name("PVC"), Some(Platform::PvcSdv));
    /// ```
    pub fn from_igc_name(name: &str) -> Option<Platform> {
        Platform::with_name(name, Platform::igc_names).or_else(|| name.parse().ok())
    }

    /// Returns whether the compiler uses efficient 64-bit addressing on the platform by default; see
    /// [`Body::efficient_64bit`](crate::object::Body::efficient_64bit).
    pub const fn has_efficient_64bit(self) -> bool {
        self as u8 >= Platform::Xe3pCri as u8
    }

    /// Returns the size of a register.
    pub const fn register_size(self) -> RegisterSize {
        if self as u8 >= Platform::PvcSdv as u8 {
            RegisterSize::Bytes64
        } else {
            RegisterSize::Bytes32
        }
    }

    fn with_name(
        name: &str,
        names: impl Fn(Platform) -> &'static [&'static str],
    ) -> Option<Platform> {
        let has_name =
            |platform: &Platform| names(*platform).iter().any(|it| it.eq_ignore_ascii_case(name));
        Platform::ALL.iter().copied().find(has_name)
    }
}

impl fmt::Display for Platform {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Platform {
    type Err = ErrorKind;

    /// Parses the name of a platform or of one of its [`devices`](Platform::devices), in any case. `NVL`, the
    /// name of Xe3P in the compiler's text, is accepted, too.
    ///
    /// ```
    /// use genvisa::Platform;
    ///
    /// assert_eq!("bmg".parse::<Platform>()?, Platform::Xe2);
    /// assert_eq!("pvc".parse::<Platform>()?, Platform::PvcXt);
    /// assert_eq!("PVC".parse::<Platform>()?, Platform::PvcXt);
    /// assert_eq!("pvc-sdv".parse::<Platform>()?, Platform::PvcSdv);
    /// # Ok::<(), genvisa::ErrorKind>(())
    /// ```
    fn from_str(s: &str) -> Result<Platform, ErrorKind> {
        let expected = "a platform such as SKL, TGLLP or Xe2, or a device such as bmg";
        let by_name = || Platform::ALL.iter().find(|it| it.name().eq_ignore_ascii_case(s)).copied();
        by_name()
            .or_else(|| Platform::with_name(s, Platform::devices))
            .or_else(|| Platform::with_name(s, Platform::igc_names))
            .ok_or(ErrorKind::Unparsable { expected })
    }
}

/// The size of a register, which depends on the platform. The rows of operands are registers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum RegisterSize {
    /// 32 bytes: platforms before [`PvcSdv`](Platform::PvcSdv).
    #[default]
    Bytes32 = 32,
    /// 64 bytes: [`PvcSdv`](Platform::PvcSdv) and newer platforms.
    Bytes64 = 64,
}

impl RegisterSize {
    /// Every size.
    pub const ALL: [RegisterSize; 2] = [RegisterSize::Bytes32, RegisterSize::Bytes64];

    /// Returns the number of bytes.
    pub const fn bytes(self) -> u32 {
        self as u32
    }

    /// Returns the number of bytes as text.
    pub const fn name(self) -> &'static str {
        match self {
            RegisterSize::Bytes32 => "32",
            RegisterSize::Bytes64 => "64",
        }
    }

    /// Returns the size of a number of bytes: 32 or 64.
    pub fn from_bytes(bytes: u32) -> Option<RegisterSize> {
        RegisterSize::ALL.into_iter().find(|size| size.bytes() == bytes)
    }
}

impl fmt::Display for RegisterSize {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
