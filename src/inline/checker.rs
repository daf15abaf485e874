//! The checker of statements.

use alloc::string::String;
use alloc::vec::Vec;

use super::report::Report;
use super::statement::{Lanes, Path, Statement};
use crate::verify::{Platform, Verifier};

/// A checker of inline assembly statements.
#[derive(Clone, Debug, Default)]
pub struct Checker {
    verifier: Verifier,
    platform: Option<Platform>,
    lanes: Option<Lanes>,
    path: Option<Path>,
}

impl Checker {
    /// Returns a checker that assumes no platform and no number of lanes.
    pub fn new() -> Checker {
        Checker::default()
    }

    /// Sets the platform.
    #[must_use]
    pub fn with_platform(self, platform: Platform) -> Checker {
        Checker { platform: Some(platform), ..self }
    }

    /// Sets the number of lanes.
    #[must_use]
    pub fn with_lanes(self, lanes: Lanes) -> Checker {
        Checker { lanes: Some(lanes), ..self }
    }

    /// Sets the part of the compiler. Without it, it follows from the constraints.
    #[must_use]
    pub fn with_path(self, path: Path) -> Checker {
        Checker { path: Some(path), ..self }
    }

    /// Sets the verifier, with its groups of rules and its levels.
    #[must_use]
    pub fn with_verifier(self, verifier: Verifier) -> Checker {
        Checker { verifier, ..self }
    }

    /// Checks a statement.
    pub fn check(&self, _statement: &Statement) -> Report {
        let _ = (&self.verifier, self.platform, self.lanes);
        Report {
            findings: Vec::new(),
            unknown: Vec::new(),
            path: self.path.unwrap_or(Path::Simt),
            text: String::new(),
        }
    }
}
