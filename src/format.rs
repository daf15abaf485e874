//! Which bytes: a [`Format`] is a [`Dialect`] and a [`Version`].
//!
//! A vISA file names its version but not the reader it was written for, and readers of one version
//! differ. A [`Format`] says both, and [`Reader`](crate::wire::Reader) and
//! [`Writer`](crate::wire::Writer) carry it.

use core::fmt;
use core::str::FromStr;

use crate::error::ErrorKind;

/// Whose reading of the format the bytes follow.
///
/// [A table](crate#which-bytes) says which instructions differ, and how.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "lowercase"))]
pub enum Dialect {
    /// The five instruction documents (INFO, MEDIA_LD, RT_WRITE, GATHER4_TYPED, 3D_SAMPLE) to the
    /// letter. It knows no version gates, and no instruction besides those five.
    ///
    /// # What the documents leave open
    ///
    /// Some bits have no meaning in the documents, although only some of them are called reserved or
    /// must be zero. This crate refuses all of them with
    /// [`ErrorKind::ReservedBits`] if they are set:
    ///
    /// - INFO, operation: bits 8 to 15 (not mentioned);
    /// - MEDIA_LD, modifiers: bits 3 to 7 (not mentioned);
    /// - RT_WRITE, mode: bits 0 and 1 (must be zero) and 13 to 15 (not mentioned);
    /// - GATHER4_TYPED and 3D_SAMPLE, channels: bits 4 to 7 (not mentioned);
    /// - 3D_SAMPLE, aoffimmi: bits 12 to 15 of an immediate (must be zero). What a variable contains
    ///   is not known.
    ///
    /// Operands follow the chapter on operands, which all instructions share. RT_WRITE's NumParams,
    /// "number of operands in to RT Write", is taken to count the raw operands after it:
    /// [`RtWriteMode::num_params`](crate::isa::RtWriteMode::num_params).
    ///
    /// The verifier reports whatever breaks a demand of the documents as an error in this dialect, even
    /// where it is a warning in the others: [`Rule::severity_in`](crate::verify::Rule::severity_in).
    Manual,
    /// The reader of GenX_IR 1.0.12504.6 and the files of its time. The right choice for every
    /// `.isa` file known to exist.
    #[default]
    Igc2022,
    /// Today's in-driver reader where it differs. No tool that writes this dialect could be run
    /// against it: it rests on reading the reader's source alone.
    Igc2026,
}

impl Dialect {
    /// Every dialect.
    pub const ALL: [Dialect; 3] = [Dialect::Manual, Dialect::Igc2022, Dialect::Igc2026];

    /// The name used on the command line.
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

impl FromStr for Dialect {
    type Err = ErrorKind;

    fn from_str(s: &str) -> Result<Self, ErrorKind> {
        Dialect::ALL
            .into_iter()
            .find(|d| d.name() == s)
            .ok_or(ErrorKind::Unparsable { expected: "manual, igc2022 or igc2026" })
    }
}

/// A vISA version with a known binary form: 3.0 to 3.8, 4.0, 4.1, and the stamp 4.8.
///
/// Versions order as the format compares them, major before minor. 4.2 has no binary form and is
/// refused by [`Version::new`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Version {
    major: u8,
    minor: u8,
}

macro_rules! versions {
    ($($(#[$doc:meta])* $name:ident = $major:literal . $minor:literal;)*) => {
        impl Version {
            $($(#[$doc])* pub const $name: Version = Version { major: $major, minor: $minor };)*

            /// Every version, oldest first.
            pub const ALL: &'static [Version] = &[$(Version::$name),*];
        }
    };
}

versions! {
    /// The oldest that readers accept. The mask in the exec byte is an older enumeration.
    V3_0 = 3 . 0;
    /// WAIT gains its operand, the exec byte its sixteen masks.
    V3_1 = 3 . 1;
    /// GATHER4_TYPED and SCATTER4_TYPED gain predicate and LOD.
    V3_2 = 3 . 2;
    /// No change in the bytes.
    V3_3 = 3 . 3;
    /// Variable and string ids widen to four bytes; aoffimmi becomes an operand.
    V3_4 = 3 . 4;
    /// The input count widens to four bytes.
    V3_5 = 3 . 5;
    /// RAW_SENDS gains `sfid`. The version of most files.
    V3_6 = 3 . 6;
    /// The length of routine names widens to two bytes.
    V3_7 = 3 . 7;
    /// Igc2026 reads a paired surface in sampler messages.
    V3_8 = 3 . 8;
    /// The sampler operation widens to two bytes.
    V4_0 = 4 . 0;
    /// The newest version that has a binary form.
    V4_1 = 4 . 1;
    /// Stamped by a short period of releases early in 2022; the bytes are those of 4.0.
    V4_8 = 4 . 8;
}

impl Version {
    /// The version `major.minor`.
    ///
    /// # Errors
    /// [`ErrorKind::UnsupportedVersion`] where no binary form is known, 4.2 among them.
    pub const fn new(major: u8, minor: u8) -> Result<Version, ErrorKind> {
        match (major, minor) {
            (3, 0..=8) | (4, 0 | 1 | 8) => Ok(Version { major, minor }),
            _ => Err(ErrorKind::UnsupportedVersion { major, minor }),
        }
    }

    /// The major number.
    pub const fn major(self) -> u8 {
        self.major
    }

    /// The minor number.
    pub const fn minor(self) -> u8 {
        self.minor
    }
}

impl Default for Version {
    /// 3.6: the version of most files, and one that every reader agrees on.
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
    type Err = ErrorKind;

    fn from_str(s: &str) -> Result<Self, ErrorKind> {
        const EXPECTED: ErrorKind = ErrorKind::Unparsable { expected: "a version such as 3.6" };
        let (major, minor) = s.split_once('.').ok_or(EXPECTED)?;
        match (major.parse(), minor.parse()) {
            (Ok(major), Ok(minor)) => Version::new(major, minor),
            _ => Err(EXPECTED),
        }
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

/// Dialect and version: all that decides the layout of bytes besides the bytes themselves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct Format {
    /// Whose reading the bytes follow.
    pub dialect: Dialect,
    /// The version that the file states. [`Dialect::Manual`] does not look at it.
    pub version: Version,
}

impl Format {
    /// The five documents as printed.
    pub const MANUAL: Format = Format::new(Dialect::Manual, Version::V3_6);

    /// A dialect in a version.
    pub const fn new(dialect: Dialect, version: Version) -> Format {
        Format { dialect, version }
    }

    /// [`Dialect::Igc2022`] in a version: the usual choice for files.
    pub const fn igc2022(version: Version) -> Format {
        Format::new(Dialect::Igc2022, version)
    }

    /// [`Dialect::Igc2026`] in a version.
    pub const fn igc2026(version: Version) -> Format {
        Format::new(Dialect::Igc2026, version)
    }

    /// Whether the version is `gate` or newer. The manual has no gates: it is as new as any.
    pub fn since(self, gate: Version) -> bool {
        self.is_manual() || self.version >= gate
    }

    /// Whether the bytes follow the five documents.
    pub fn is_manual(self) -> bool {
        self.dialect == Dialect::Manual
    }

    /// Variable and string ids take four bytes rather than two (`vid` in the docs).
    pub fn wide_ids(self) -> bool {
        self.since(Version::V3_4)
    }

    /// 3.0 numbers the masks of the exec byte in a way of its own.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_without_a_binary_form_are_refused() {
        for (major, minor) in [(2, 9), (3, 9), (4, 2), (4, 7), (5, 0), (0, 0)] {
            assert_eq!(
                Version::new(major, minor),
                Err(ErrorKind::UnsupportedVersion { major, minor })
            );
        }
        for &v in Version::ALL {
            assert_eq!(Version::new(v.major(), v.minor()), Ok(v));
        }
    }

    #[test]
    fn all_is_in_the_order_of_the_gates() {
        assert!(Version::ALL.is_sorted());
    }
}
