//! The checker of statements.

use alloc::format;

use genvisa::Platform;
use genvisa::format::Format;
use genvisa::verify::{Compiler, Group, UnknownRule, Verifier};

use super::finding::Finding;
use super::rules;
use super::statement::{Lanes, Path};

/// A checker of inline assembly statements. See the [module](super).
#[derive(Clone, Debug)]
pub struct Checker {
    pub(super) verifier: Verifier,
    pub(super) platform: Option<Platform>,
    pub(super) lanes: Option<Lanes>,
    pub(super) path: Option<Path>,
}

impl Default for Checker {
    fn default() -> Checker {
        Checker::new()
    }
}

impl Checker {
    /// The platform that programs assume if their user states none.
    pub const DEFAULT_PLATFORM: Platform = Platform::Xe2;

    /// Returns a checker that assumes no platform and no number of lanes.
    pub fn new() -> Checker {
        let verifier = Verifier::new().with_rules(rules::RULES);
        Checker { verifier, platform: None, lanes: None, path: None }
    }

    /// Sets the platform. Without one, rules for some platforms only are skipped, and registers have
    /// 32 bytes.
    #[must_use]
    pub fn with_platform(self, platform: Platform) -> Checker {
        Checker { platform: Some(platform), ..self }
    }

    /// Sets the platform, unless it is set.
    #[must_use]
    pub fn or_platform(self, platform: Option<Platform>) -> Checker {
        Checker { platform: self.platform.or(platform), ..self }
    }

    /// Sets the number of lanes. Without it, the sizes of operands that have a value for each lane
    /// are not known.
    #[must_use]
    pub fn with_lanes(self, lanes: Lanes) -> Checker {
        Checker { lanes: Some(lanes), ..self }
    }

    /// Sets the part of the compiler. By default, it is derived from the constraints.
    #[must_use]
    pub fn with_path(self, path: Path) -> Checker {
        Checker { path: Some(path), ..self }
    }

    /// Chooses the groups of rules, as [`Verifier::with_groups`] does. Without it, the group is
    /// [`Igc`](Group::Igc), to which the rules of this crate belong.
    #[must_use]
    pub fn with_groups(self, groups: impl IntoIterator<Item = Group>) -> Checker {
        Checker { verifier: self.verifier.with_groups(groups), ..self }
    }

    /// Sets the version of the compiler, as [`Verifier::with_compiler`] does.
    #[must_use]
    pub fn with_compiler(self, compiler: Compiler) -> Checker {
        Checker { verifier: self.verifier.with_compiler(compiler), ..self }
    }

    /// Disables a rule, or the rules of a group.
    ///
    /// ```
    /// use genvisa_inline::{Checker, Statement};
    ///
    /// let checker = Checker::new().allow("label-without-uid")?.deny("warnings")?;
    /// assert_eq!(checker.check(&Statement::basic("L:\nbarrier")).findings, []);
    /// # Ok::<(), genvisa::verify::UnknownRule>(())
    /// ```
    ///
    /// # Errors
    /// [`UnknownRule`] if neither a rule of this crate, nor a rule of [`verify`](genvisa::verify), nor
    /// a group has this name.
    pub fn allow(self, name: &str) -> Result<Checker, UnknownRule> {
        Ok(Checker { verifier: self.verifier.allow(name)?, ..self })
    }

    /// Enables a rule, or the rules of a group. Their findings are warnings.
    ///
    /// # Errors
    /// Those of [`allow`](Checker::allow).
    pub fn warn(self, name: &str) -> Result<Checker, UnknownRule> {
        Ok(Checker { verifier: self.verifier.warn(name)?, ..self })
    }

    /// Enables a rule, or the rules of a group. Their findings are errors. `deny("warnings")` turns
    /// all warnings into errors.
    ///
    /// # Errors
    /// Those of [`allow`](Checker::allow).
    pub fn deny(self, name: &str) -> Result<Checker, UnknownRule> {
        Ok(Checker { verifier: self.verifier.deny(name)?, ..self })
    }

    /// Sets the severity of a finding about a rule of this crate. Returns `None` if the rule is
    /// disabled.
    pub(super) fn with_severity(&self, finding: Finding) -> Option<Finding> {
        let Some(rule) = rules::rules().find(|rule| rule.name == finding.rule) else {
            return Some(finding);
        };
        let severity = self.verifier.severity(rule, Format::V4_2.dialect)?;
        let mut message = finding.message;
        if let Some(since) = rule.enforced_by.and_then(|enforced| enforced.since) {
            if self.verifier.compiler() < since {
                message += &format!("; IGC before {since} drops the block without a message");
            }
        }
        if let Some(enforced) = rule.enforced_by.filter(|enforced| enforced.before.is_some()) {
            message += &format!(" (enforced by {enforced})");
        }
        Some(Finding { severity, message, ..finding })
    }
}
