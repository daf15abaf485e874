//! What a rule is, and the macro that rules are written in.

use super::platform::Platforms;
use crate::error::Severity;
use crate::format::Dialect;

/// A rule of legal vISA: what it demands, where that is written, and how severe breaking it is.
#[derive(Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Rule {
    /// The name, which stays: `info-lod-type`.
    pub name: &'static str,
    /// What is demanded, in a sentence.
    pub statement: &'static str,
    /// How severe breaking it is in the dialects of compilers.
    pub severity: Severity,
    /// How severe breaking it is in dialect [`Manual`](Dialect::Manual). There everything that a page
    /// demands is an error, even if shipped kernels do otherwise.
    pub severity_in_manual: Severity,
    /// Where it holds.
    pub platforms: Platforms,
    /// Where it is written: a page or section of the manual, or `reference` for what only the
    /// reference's verifier demands.
    pub source: &'static str,
}

impl Rule {
    /// Returns how severe breaking the rule is in a dialect.
    pub const fn severity_in(&self, dialect: Dialect) -> Severity {
        match dialect {
            Dialect::Manual => self.severity_in_manual,
            Dialect::Igc2022 | Dialect::Igc2026 => self.severity,
        }
    }
}

/// The statement of a rule from its doc comment, whose lines begin with a space.
pub(super) const fn statement(doc: &'static str) -> &'static str {
    match doc.as_bytes() {
        [b' ', rest @ ..] => match core::str::from_utf8(rest) {
            Ok(statement) => statement,
            Err(_) => doc,
        },
        _ => doc,
    }
}

/// Rules about one kind of subject.
///
/// ```text
/// rules! { channels for Info;
///     /// INFO returns at least one channel.
///     fn no_channel "info-channels" (Error, ANY, "INFO.md") |i, c| {
///         if i.channels.is_empty() {
///             c.fail("channels", i.channels, "at least one");
///         }
///     }
/// }
/// ```
///
/// makes `channels::RULES` and `channels::check(&Info, &mut Context)`, which applies them in their order.
/// `c` is an [`At`](super::context::At), which knows the rule, the routine's tables and the platform.
///
/// `(Warning (Error in Manual), ANY, "INFO.md")` has another severity in dialect `Manual`.
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

/// The severity in dialect `Manual`: the same as in the others, unless a rule names another.
macro_rules! in_manual {
    ($severity:ident) => {
        Severity::$severity
    };
    ($severity:ident $in_manual:ident) => {
        Severity::$in_manual
    };
}

pub(super) use {in_manual, rules};
