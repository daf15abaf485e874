//! The type of rules, and the macro that defines them.

use super::platform::Platforms;
use crate::error::Severity;
use crate::format::Dialect;

/// A rule of legal vISA.
#[derive(Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Rule {
    /// The name, such as `info-lod-type`. Names are stable.
    pub name: &'static str,
    /// The requirement, in one sentence.
    pub statement: &'static str,
    /// The severity of findings in the Igc dialects.
    pub severity: Severity,
    /// The severity of findings in dialect [`Manual`](Dialect::Manual), where every requirement of
    /// a page is an error, even if shipped kernels violate it.
    pub severity_in_manual: Severity,
    /// The platforms that the rule applies to.
    pub platforms: Platforms,
    /// The origin of the rule: a page or section of the manual, or `reference` if only the
    /// reference's verifier requires it.
    pub source: &'static str,
}

impl Rule {
    /// Returns the severity of findings in a dialect.
    pub const fn severity_in(&self, dialect: Dialect) -> Severity {
        match dialect {
            Dialect::Manual => self.severity_in_manual,
            Dialect::Igc2022 | Dialect::Igc2026 => self.severity,
        }
    }
}

/// Returns the statement of a rule from its doc comment, whose lines begin with a space.
pub(super) const fn statement(doc: &'static str) -> &'static str {
    match doc.as_bytes() {
        [b' ', rest @ ..] => match core::str::from_utf8(rest) {
            Ok(statement) => statement,
            Err(_) => doc,
        },
        _ => doc,
    }
}

/// Defines a group of rules about one type of subject.
///
/// ```text
/// rules! { channels for Info;
///     /// INFO returns at least one channel.
///     fn no_channel "info-channels" (Error, ANY, "INFO.md") |i, c| {
///         if i.channels.is_empty() {
///             c.fail("channels", "none", "at least one channel");
///         }
///     }
/// }
/// ```
///
/// This defines `channels::RULES`, and `channels::check(&Info, &mut Context)`, which applies the
/// rules in order. `c` is a [`RuleContext`](super::context::RuleContext): it provides the routine's
/// tables and the platform, and records findings.
///
/// `(Warning (Error in Manual), ANY, "INFO.md")` is a warning that is an error in dialect `Manual`.
macro_rules! rules {
    ($group:ident for $subject:ty; $(
        $(#[doc = $statement:literal])+
        fn $rule:ident $name:literal
        ($severity:ident $(($in_manual:ident in Manual))?, $platforms:expr, $source:literal)
        |$s:ident, $c:ident| $body:block
    )*) => {
        pub(in $crate::verify) mod $group {
            #[allow(unused_imports)]
            use super::*;
            use $crate::verify::context::{RuleContext, Context};
            #[allow(unused_imports)]
            use $crate::verify::platform::{ANY, Platform::*, before, since};
            use $crate::error::Severity;
            use $crate::verify::rule::{Rule, statement};

            pub(in $crate::verify) static RULES: &[&Rule] = &[$(&$rule::RULE),*];

            $(
                mod $rule {
                    #[allow(unused_imports)]
                    use super::*;

                    pub(super) static RULE: Rule = Rule {
                        name: $name,
                        statement: statement(concat!($($statement),+)),
                        severity: Severity::$severity,
                        severity_in_manual: $crate::verify::rule::in_manual!(
                            $severity $($in_manual)?
                        ),
                        platforms: $platforms,
                        source: $source,
                    };
                }

                #[inline(always)]
                fn $rule($s: &$subject, $c: &mut RuleContext<'_, '_>) $body
            )*

            #[inline]
            pub(in $crate::verify) fn check(subject: &$subject, cx: &mut Context<'_>) {
                $($rule(subject, &mut RuleContext { rule: &$rule::RULE, cx });)*
            }
        }
    };
}

/// The severity in dialect `Manual`: as in the other dialects, unless the rule has its own.
macro_rules! in_manual {
    ($severity:ident) => {
        Severity::$severity
    };
    ($severity:ident $in_manual:ident) => {
        Severity::$in_manual
    };
}

pub(super) use {in_manual, rules};
