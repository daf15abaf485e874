//! What a rule is, and the macro that rules are written in.

use core::fmt;

use super::platform::Platforms;

/// A rule of legal vISA: what it demands, where that is written, and how severe breaking it is.
#[derive(Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Rule {
    /// The name, which stays: `info-lod-type`.
    pub name: &'static str,
    /// What is demanded, in a sentence.
    pub statement: &'static str,
    /// How severe breaking it is.
    pub severity: Severity,
    /// Where it holds.
    pub platforms: Platforms,
    /// Where it is written: a page or section of the manual, or `reference` for what only the
    /// reference's verifier demands.
    pub source: &'static str,
}

/// How severe a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "lowercase"))]
pub enum Severity {
    /// The manual demands it, but readers, or kernels that ship, do without.
    Warning,
    /// It is not legal vISA.
    Error,
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Severity::Warning => "warning",
            Severity::Error => "error",
        })
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
/// makes `channels::RULES` and `channels::check(&Info, &mut Cx)`, which applies them in their order.
/// `c` is an [`At`](super::context::At), which knows the rule, the routine's tables and the platform.
macro_rules! rules {
    ($group:ident for $subject:ty; $(
        $(#[doc = $statement:literal])+
        fn $rule:ident $name:literal ($severity:ident, $platforms:expr, $source:literal)
        |$s:ident, $c:ident| $body:block
    )*) => {
        pub(in $crate::verify) mod $group {
            #[allow(unused_imports)]
            use super::*;
            use $crate::verify::context::{At, Cx};
            #[allow(unused_imports)]
            use $crate::verify::platform::{ANY, Platform::*, before, since};
            use $crate::verify::rule::{Rule, Severity, statement};

            pub(in $crate::verify) static RULES: &[&Rule] = &[$(&$rule::RULE),*];

            $(
                mod $rule {
                    #[allow(unused_imports)]
                    use super::*;

                    pub(super) static RULE: Rule = Rule {
                        name: $name,
                        statement: statement(concat!($($statement),+)),
                        severity: Severity::$severity,
                        platforms: $platforms,
                        source: $source,
                    };
                }

                #[inline(always)]
                fn $rule($s: &$subject, $c: &mut At<'_, '_>) $body
            )*

            #[inline]
            pub(in $crate::verify) fn check(subject: &$subject, cx: &mut Cx<'_>) {
                $($rule(subject, &mut At { rule: &$rule::RULE, cx });)*
            }
        }
    };
}

pub(super) use rules;
