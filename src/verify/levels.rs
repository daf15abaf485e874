//! The rules that a verifier applies, and the severities of their findings.

use alloc::vec::Vec;

use super::compiler::Compiler;
use super::rule::{Group, Rule};
use crate::error::Severity;
use crate::format::Dialect;

/// The user's choice of rules and severities.
#[derive(Clone, Debug, Default)]
pub(super) struct Levels {
    /// The enabled groups; `None` for the dialect's default.
    groups: Option<Vec<Group>>,
    /// The changes of single rules, in the order of the calls.
    rules: Vec<(&'static str, Level)>,
    /// The changes of groups, in the order of the calls.
    changed_groups: Vec<(Group, Level)>,
    /// The version of the compiler whose rules apply.
    compiler: Compiler,
    /// Whether warnings are errors.
    warnings_are_errors: bool,
}

/// A level that the user sets.
#[derive(Clone, Copy, Debug)]
pub(super) enum Level {
    /// No findings.
    Allow,
    Warn,
    Deny,
}

impl Level {
    fn severity(self) -> Option<Severity> {
        match self {
            Level::Allow => None,
            Level::Warn => Some(Severity::Warning),
            Level::Deny => Some(Severity::Error),
        }
    }
}

impl Levels {
    pub(super) fn set_groups(&mut self, groups: Vec<Group>) {
        self.groups = Some(groups);
    }

    pub(super) fn set_rule(&mut self, rule: &'static Rule, level: Level) {
        self.rules.push((rule.name, level));
    }

    pub(super) fn set_group(&mut self, group: Group, level: Level) {
        self.changed_groups.push((group, level));
    }

    pub(super) fn set_compiler(&mut self, compiler: Compiler) {
        self.compiler = compiler;
    }

    pub(super) fn compiler(&self) -> Compiler {
        self.compiler
    }

    /// Returns the group of a rule for the version of the compiler.
    fn group(&self, rule: &Rule) -> Group {
        match rule.enforced_by {
            Some(compilers) if compilers.contains(self.compiler) => Group::Igc,
            Some(_) => rule.otherwise.group(),
            None => rule.group(),
        }
    }

    pub(super) fn deny_warnings(&mut self) {
        self.warnings_are_errors = true;
    }

    /// Returns the severity of a rule's findings; `None` if the rule is disabled.
    ///
    /// The last change of the rule has precedence, then the last change of its group.
    pub(super) fn severity(&self, rule: &Rule, dialect: Dialect) -> Option<Severity> {
        let of_rule = self.rules.iter().rfind(|(name, _)| *name == rule.name);
        let of_group = || self.changed_groups.iter().rfind(|(group, _)| *group == self.group(rule));
        let level =
            of_rule.map(|(_, level)| *level).or_else(|| of_group().map(|(_, level)| *level));
        let severity = match level {
            Some(level) => level.severity(),
            None => self.is_enabled(self.group(rule), dialect).then(|| match rule.enforced_by {
                Some(compilers) if compilers.contains(self.compiler) => Severity::Error,
                Some(_) if rule.otherwise != rule.response => rule.otherwise.severity(),
                _ => rule.severity_in(dialect),
            }),
        };
        severity.map(|severity| match severity {
            Severity::Warning if self.warnings_are_errors => Severity::Error,
            severity => severity,
        })
    }

    /// Returns whether a rule of a group may have findings.
    pub(super) fn may_apply(&self, group: Group, dialect: Dialect) -> bool {
        // If any level was changed, a rule of the group may be enabled. Levels are rarely changed.
        let is_changed = !self.rules.is_empty() || !self.changed_groups.is_empty();
        // Another compiler may refuse what the default one accepts.
        let is_other = self.compiler != Compiler::default();
        is_changed || is_other || self.is_enabled(group, dialect)
    }

    fn is_enabled(&self, group: Group, dialect: Dialect) -> bool {
        match &self.groups {
            Some(groups) => groups.contains(&group),
            None => group == Group::Igc || dialect == Dialect::Manual,
        }
    }
}
