//! Versions of the compiler, which refuse different code.

use core::fmt;
use core::str::FromStr;

use crate::error::ErrorKind;

/// A version of IGC, Intel's compiler. Newer versions are greater.
///
/// ```
/// use genvisa::verify::Compiler;
///
/// assert!("2.41".parse::<Compiler>()? > Compiler::default());
/// assert_eq!(Compiler::default().to_string(), "2.40.14");
/// # Ok::<(), genvisa::ErrorKind>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Compiler {
    /// The major version.
    pub major: u16,
    /// The minor version.
    pub minor: u16,
    /// The patch level.
    pub patch: u16,
}

/// The first version that refuses MAD with saturation of integers.
pub(super) const IGC_2_38: Compiler = Compiler { major: 2, minor: 38, patch: 0 };

/// The first version whose source checks the alignment of the operands of DPAS and BDPAS.
pub(super) const IGC_2_40: Compiler = Compiler { major: 2, minor: 40, patch: 0 };

/// The first version whose source checks the offset of an input instead of its declaration.
pub(super) const IGC_2_40_6: Compiler = Compiler { major: 2, minor: 40, patch: 6 };

/// The first version that contains the source of the rules for MOV of newer floats.
pub(super) const IGC_2_41: Compiler = Compiler { major: 2, minor: 41, patch: 0 };

impl Compiler {
    /// The first patch level of the newest version whose rules are known.
    pub const NEWEST: Compiler = IGC_2_41;
}

/// A range of versions of the compiler.
///
/// `Display` prints it in words, such as `IGC 2.40.6 and later`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Compilers {
    /// The first version of the range; `None` for no lower bound.
    pub since: Option<Compiler>,
    /// The first version after the range; `None` for no upper bound.
    pub before: Option<Compiler>,
}

impl Compilers {
    /// Returns whether the range contains a version.
    pub fn contains(self, version: Compiler) -> bool {
        self.since.is_none_or(|since| version >= since)
            && self.before.is_none_or(|before| version < before)
    }
}

impl fmt::Display for Compilers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.since, self.before) {
            (None, None) => f.pad("any IGC"),
            (Some(since), None) => write!(f, "IGC {since} and later"),
            (None, Some(before)) => write!(f, "IGC before {before}"),
            (Some(since), Some(before)) => write!(f, "IGC {since} to before {before}"),
        }
    }
}

/// Returns a version and all newer ones.
pub(super) const fn since(version: Compiler) -> Compilers {
    Compilers { since: Some(version), before: None }
}

/// Returns the versions before one.
pub(super) const fn before(version: Compiler) -> Compilers {
    Compilers { since: None, before: Some(version) }
}

/// Returns a version and the newer ones before another one.
pub(super) const fn between(version: Compiler, before: Compiler) -> Compilers {
    Compilers { since: Some(version), before: Some(before) }
}

impl Default for Compiler {
    /// Returns the newest version that was asked about the rules.
    fn default() -> Compiler {
        Compiler { major: 2, minor: 40, patch: 14 }
    }
}

impl fmt::Display for Compiler {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}.{}", self.major, self.minor, self.patch)
    }
}

impl FromStr for Compiler {
    type Err = ErrorKind;

    /// Parses a version such as `2.40.14`, or `2.41` for its first patch level.
    fn from_str(s: &str) -> Result<Compiler, ErrorKind> {
        let error = || ErrorKind::Unparsable { expected: "a version of IGC such as 2.40.14" };
        let mut parts = s.split('.').map(|part| part.parse::<u16>().map_err(|_| error()));
        let mut next = || parts.next().transpose();
        let (major, minor, patch) = (next()?, next()?, next()?);
        match (major, minor, parts.next()) {
            (Some(major), Some(minor), None) => {
                Ok(Compiler { major, minor, patch: patch.unwrap_or_default() })
            }
            _ => Err(error()),
        }
    }
}
