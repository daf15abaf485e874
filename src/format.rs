//! Binary formats: a [`Format`] is a [`Dialect`] and a [`Version`].
//!
//! A vISA file states its version, but not the reader that it was written for, and readers of the
//! same version differ. A [`Format`] specifies both. Every [`Reader`](crate::wire::Reader) and
//! [`Writer`](crate::wire::Writer) has one.

use alloc::string::ToString;
use core::fmt;
use core::str::FromStr;

/// The specification or implementation of vISA that defines the bytes.
///
/// [A table](crate::docs::formats) lists the instructions that differ between dialects.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "lowercase"))]
pub enum Dialect {
    /// The five instruction documents (INFO, MEDIA_LD, RT_WRITE, GATHER4_TYPED, 3D_SAMPLE) to the
    /// letter. It has no other instructions, and its layouts do not depend on the version.
    ///
    /// # Decisions where the documents are incomplete
    ///
    /// Some bits have no meaning in the documents, although only some of them are called reserved
    /// or must be zero. If one of them is set, this crate returns [`ErrorKind::ReservedBits`](crate::ErrorKind::ReservedBits):
    ///
    /// - INFO, operation: bits 8 to 15 (not mentioned);
    /// - MEDIA_LD, modifiers: bits 3 to 7 (not mentioned);
    /// - RT_WRITE, mode: bits 0 and 1 (must be zero) and 13 to 15 (not mentioned);
    /// - GATHER4_TYPED and 3D_SAMPLE, channels: bits 4 to 7 (not mentioned);
    /// - 3D_SAMPLE, aoffimmi: bits 12 to 15 of an immediate (must be zero). The contents of a
    ///   variable are unknown.
    ///
    /// Operands are encoded as in the chapter on operands, which all instructions share. RT_WRITE's
    /// NumParams, "number of operands in to RT Write", is interpreted as the number of raw operands
    /// after it: [`RtWriteMode::num_params`](crate::isa::RtWriteMode::num_params).
    ///
    /// In this dialect, the verifier reports every violation of the documents as an error, also
    /// those that are warnings in the others:
    /// `verify::Rule::severity_in`.
    Manual,
    /// The reader of GenX_IR 1.0.12504.6, and the files of its time. This is the right choice for
    /// all known `.isa` files.
    #[default]
    Igc2022,
    /// The reader of IGC in the driver, where it differs. It is known from its source only: there is
    /// no tool to test against.
    Igc2026,
}

impl Dialect {
    /// Every dialect.
    pub const ALL: [Dialect; 3] = [Dialect::Manual, Dialect::Igc2022, Dialect::Igc2026];

    /// Returns the name that the command line uses.
    pub const fn name(self) -> &'static str {
        match self {
            Dialect::Manual => "manual",
            Dialect::Igc2022 => "igc2022",
            Dialect::Igc2026 => "igc2026",
        }
    }
}

impl fmt::Display for Dialect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The error for text that is not the name of a dialect or a version.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected {expected}")]
#[non_exhaustive]
pub struct ParseFormatError {
    /// The valid names.
    pub expected: &'static str,
}

impl FromStr for Dialect {
    type Err = ParseFormatError;

    fn from_str(s: &str) -> Result<Self, ParseFormatError> {
        Dialect::ALL
            .into_iter()
            .find(|d| d.name() == s)
            .ok_or(ParseFormatError { expected: "manual, igc2022 or igc2026" })
    }
}

/// A vISA version: 3.0 to 3.8, 4.0, 4.1 and 4.8, which have a binary form, or 4.2, which has text
/// only.
///
/// Versions are ordered by the major, then by the minor number.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Version {
    major: u8,
    minor: u8,
}

macro_rules! versions {
    ($($(#[$doc:meta])* $name:ident = $major:literal . $minor:literal;)*) => {
        impl Version {
            $($(#[$doc])* pub const $name: Version = Version { major: $major, minor: $minor };)*

            /// Every version in ascending order.
            pub const ALL: &'static [Version] = &[$(Version::$name),*];

            /// Every version with a binary form, in ascending order.
            pub const BINARY: &'static [Version] = &{
                let mut versions = [Version::V3_0; Version::ALL.len() - 1];
                let (mut from, mut to) = (0, 0);
                while from < Version::ALL.len() {
                    if Version::ALL[from].has_binary_form() {
                        versions[to] = Version::ALL[from];
                        to += 1;
                    }
                    from += 1;
                }
                versions
            };
        }
    };
}

versions! {
    /// The oldest version that readers accept. The masks in the exec byte have other codes.
    V3_0 = 3 . 0;
    /// Adds the operand of WAIT and the sixteen masks of the exec byte.
    V3_1 = 3 . 1;
    /// Adds the predicate and the LOD of GATHER4_TYPED and SCATTER4_TYPED.
    V3_2 = 3 . 2;
    /// No change in the bytes.
    V3_3 = 3 . 3;
    /// Widens variable and string ids to four bytes, and makes aoffimmi an operand.
    V3_4 = 3 . 4;
    /// Widens the number of inputs to four bytes.
    V3_5 = 3 . 5;
    /// Adds `sfid` to RAW_SENDS. The version of most files.
    V3_6 = 3 . 6;
    /// Widens the length of routine names to two bytes.
    V3_7 = 3 . 7;
    /// Adds the paired surface of sampler messages, in `Igc2026` only.
    V3_8 = 3 . 8;
    /// Widens the sampler operation to two bytes.
    V4_0 = 4 . 0;
    /// The newest version with a binary form.
    V4_1 = 4 . 1;
    /// The text of IGC. It has no binary form: a module of this version can be parsed,
    /// built, verified and printed, but not written to a file. Use it as [`Format::V4_2`].
    V4_2 = 4 . 2;
    /// The version in files of a few releases of early 2022; the layouts equal 4.0.
    V4_8 = 4 . 8;
}

impl Version {
    /// Returns the version `major.minor`, or `None` if it is unknown.
    pub const fn new(major: u8, minor: u8) -> Option<Version> {
        let mut all = Version::ALL;
        while let [version, rest @ ..] = all {
            if version.major == major && version.minor == minor {
                return Some(*version);
            }
            all = rest;
        }
        None
    }

    /// Returns whether the version has a binary form: 4.2 has text only.
    pub const fn has_binary_form(self) -> bool {
        !matches!((self.major, self.minor), (4, 2))
    }

    /// Returns the major number.
    pub const fn major(self) -> u8 {
        self.major
    }

    /// Returns the minor number.
    pub const fn minor(self) -> u8 {
        self.minor
    }
}

impl Default for Version {
    /// Returns 3.6, the version of most files, which all readers of `.isa` decode alike.
    fn default() -> Self {
        Version::V3_6
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.major, self.minor)
    }
}

impl fmt::Debug for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for Version {
    type Err = ParseFormatError;

    fn from_str(s: &str) -> Result<Self, ParseFormatError> {
        let version = Version::ALL.iter().copied().find(|version| version.to_string() == s);
        version.ok_or(ParseFormatError { expected: "a version: 3.0 to 3.8, 4.0 to 4.2 or 4.8" })
    }
}

#[cfg(feature = "serde")]
impl serde::Serialize for Version {
    fn serialize<S: serde::Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        s.collect_str(self)
    }
}

#[cfg(feature = "serde")]
impl<'de> serde::Deserialize<'de> for Version {
    fn deserialize<D: serde::Deserializer<'de>>(d: D) -> Result<Version, D::Error> {
        let text = <alloc::string::String as serde::Deserialize>::deserialize(d)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

/// A dialect and a version, which determine how bytes are decoded and encoded.
///
/// The default is [`Dialect::Igc2022`] in version 3.6.
///
/// ```
/// use genvisa::{Dialect, Format, Version};
///
/// let format = Format::default();
/// assert_eq!(format, Format::new(Dialect::Igc2022, Version::V3_6));
/// assert!(format.since(Version::V3_4) && !format.since(Version::V4_0));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct Format {
    /// The specification or implementation that the bytes follow.
    pub dialect: Dialect,
    /// The version that the file states. [`Dialect::Manual`] ignores it.
    pub version: Version,
}

impl Format {
    /// [`Dialect::Manual`], whose version has no effect.
    pub const MANUAL: Format = Format::new(Dialect::Manual, Version::V3_6);

    /// The text of IGC: [`Dialect::Igc2026`] in version 4.2, which has no binary form.
    pub const V4_2: Format = Format::igc2026(Version::V4_2);

    /// Returns the format of a dialect and a version.
    pub const fn new(dialect: Dialect, version: Version) -> Format {
        Format { dialect, version }
    }

    /// Returns the format of [`Dialect::Igc2022`] and a version: the usual choice for files.
    pub const fn igc2022(version: Version) -> Format {
        Format::new(Dialect::Igc2022, version)
    }

    /// Returns the format of [`Dialect::Igc2026`] and a version.
    pub const fn igc2026(version: Version) -> Format {
        Format::new(Dialect::Igc2026, version)
    }

    /// Returns whether the version is `version` or newer. [`Dialect::Manual`] counts as newer than
    /// every version, and 4.8, which has the layouts of 4.0, as older than 4.2.
    pub fn since(self, version: Version) -> bool {
        let is_later =
            self.version >= version && (version < Version::V4_2 || self.version != Version::V4_8);
        self.is_manual() || is_later
    }

    /// Returns whether files can have the format. The text of version 4.2 has no binary form.
    pub fn has_binary_form(self) -> bool {
        self.is_manual() || self.version.has_binary_form()
    }

    /// Returns whether the dialect has the version: [`Dialect::Igc2022`] has no 4.2.
    pub fn exists(self) -> bool {
        self.has_binary_form() || self.dialect == Dialect::Igc2026
    }

    /// Returns whether the dialect is [`Dialect::Manual`].
    pub fn is_manual(self) -> bool {
        self.dialect == Dialect::Manual
    }

    /// Returns whether variable and string ids have four bytes rather than two (`vid` in the
    /// documents).
    pub fn wide_ids(self) -> bool {
        self.since(Version::V3_4)
    }

    /// Returns whether the masks of the exec byte have the codes of 3.0.
    pub fn old_masks(self) -> bool {
        !self.since(Version::V3_1)
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.dialect {
            Dialect::Manual => f.write_str("dialect manual"),
            dialect => write!(f, "dialect {dialect}, version {}", self.version),
        }
    }
}
