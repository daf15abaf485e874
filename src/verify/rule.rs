//! The type of rules, and the macro that defines them.

use alloc::string::String;
use core::fmt;
use core::str::FromStr;

use super::compiler::{self, Compiler, Compilers};
use super::platforms::Platforms;
use crate::error::{ErrorKind, Severity};
use crate::format::Dialect;

/// A rule of legal vISA.
#[derive(Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Rule {
    /// The name, such as `info-lod-type`. Names are stable.
    pub name: &'static str,
    /// The requirement, in one or a few sentences.
    pub statement: &'static str,
    /// The response of the compiler to code that violates the rule.
    pub response: Response,
    /// The versions of the compiler that enforce the rule; `None` if [`response`](Self::response) is
    /// not known to differ between versions. Versions other than the default one were not asked: the
    /// range is taken from their source.
    pub enforced_by: Option<Compilers>,
    /// The response of the versions that [`enforced_by`](Self::enforced_by) does not contain.
    pub otherwise: Response,
    /// The severity of findings in the Igc dialects.
    pub severity: Severity,
    /// The severity of findings in dialect [`Manual`](Dialect::Manual).
    pub severity_in_manual: Severity,
    /// The platforms that the rule applies to.
    pub platforms: Platforms,
    /// The origin of the rule: a page or section of the manual, or `reference` if only the
    /// reference's verifier requires it.
    pub source: &'static str,
}

impl Rule {
    /// Returns a rule for [`Verifier::with_rules`](super::Verifier::with_rules). Its severity follows
    /// from the response, and it applies to all platforms.
    pub const fn new(name: &'static str, statement: &'static str, response: Response) -> Rule {
        Rule {
            name,
            statement,
            response,
            enforced_by: None,
            otherwise: response,
            severity: response.severity(),
            severity_in_manual: response.severity(),
            platforms: Platforms { since: None, before: None },
            source: "",
        }
    }

    /// Sets the severity in all dialects.
    #[must_use]
    pub const fn with_severity(self, severity: Severity) -> Rule {
        Rule { severity, severity_in_manual: severity, ..self }
    }

    /// Sets the first version of the compiler that enforces the rule, and the response of older ones.
    #[must_use]
    pub const fn enforced_since(self, version: Compiler, otherwise: Response) -> Rule {
        Rule { enforced_by: Some(compiler::since(version)), otherwise, ..self }
    }

    /// Sets the first version of the compiler that does not enforce the rule any more.
    #[must_use]
    pub const fn enforced_before(self, version: Compiler) -> Rule {
        Rule { enforced_by: Some(compiler::before(version)), ..self }
    }

    /// Sets the origin of the rule.
    #[must_use]
    pub const fn with_source(self, source: &'static str) -> Rule {
        Rule { source, ..self }
    }

    /// Returns the group.
    pub const fn group(&self) -> Group {
        self.response.group()
    }

    /// Returns the severity of findings in a dialect.
    pub const fn severity_in(&self, dialect: Dialect) -> Severity {
        match dialect {
            Dialect::Manual => self.severity_in_manual,
            Dialect::Igc2022 | Dialect::Igc2026 => self.severity,
        }
    }
}

/// Returns the address of the page about a rule of this crate, of its tool or of inline assembly.
///
/// ```
/// let url = genvisa::verify::rule_url("media-ld-plane");
/// assert!(url.ends_with("/docs/rules.md#media-ld-plane"));
/// ```
pub fn rule_url(name: &str) -> String {
    alloc::format!("{}/blob/main/docs/rules.md#{name}", env!("CARGO_PKG_REPOSITORY"))
}

/// Returns the document about all rules in Markdown, `docs/rules.md`. A section has what the compiler and the
/// verifier say about code that violates a rule, and examples.
///
/// ```
/// let document = genvisa::verify::explanations();
/// let section = document.split("\n## ").find(|section| section.starts_with("media-ld-plane\n"));
/// assert!(section.is_some_and(|section| section.contains("This text satisfies it:")));
/// ```
#[cfg(feature = "explanations")]
pub fn explanations() -> &'static str {
    include_str!("../../docs/rules.md")
}

/// The response of the compiler to code that violates a rule.
///
/// `Display` prints one word, such as `refuses`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Response {
    /// IGC 2.40.14 reports an error.
    Refuses,
    /// IGC 2.40.14 ends abnormally.
    Crashes,
    /// IGC 2.40.14 accepts the code, which then reads or writes registers of other variables
    /// or returns wrong results.
    Miscompiles,
    /// IGC 2.40.14 accepts the code and ignores a part of it, such as a modifier, or compiles
    /// another part instead. The message states what it compiles.
    Changes,
    /// GenX_IR 12504 reports an error or ends abnormally. IGC 2.40.14 cannot be
    /// tested: its text does not express the code, or it no longer has the instruction.
    RefusedIn2022,
    /// IGC 2.40.14 accepts the code. The manual or the source of the compiler states the rule.
    Accepts,
}

impl Response {
    /// Every response.
    pub const ALL: &'static [Response] = &[
        Response::Refuses,
        Response::Crashes,
        Response::Miscompiles,
        Response::Changes,
        Response::RefusedIn2022,
        Response::Accepts,
    ];

    /// Returns the name.
    pub const fn name(self) -> &'static str {
        match self {
            Response::Refuses => "refuses",
            Response::Crashes => "crashes",
            Response::Miscompiles => "miscompiles",
            Response::Changes => "changes",
            Response::RefusedIn2022 => "refused-in-2022",
            Response::Accepts => "accepts",
        }
    }

    /// Returns whether IGC compiles something else than the code states, without a message.
    pub const fn is_silent_change(self) -> bool {
        matches!(self, Response::Miscompiles | Response::Changes)
    }

    /// Returns the response of versions that do not enforce a rule, if no other one is known: the default
    /// version either enforces the rule, or it is one of them.
    pub(super) const fn otherwise(self) -> Response {
        match self {
            Response::Refuses | Response::Crashes => Response::Accepts,
            response => response,
        }
    }

    /// Returns the group of rules with the response.
    #[inline(always)]
    pub(super) const fn group(self) -> Group {
        match self {
            Response::Accepts => Group::Manual,
            _ => Group::Igc,
        }
    }

    /// Returns the severity of findings in the Igc dialects.
    pub(super) const fn severity(self) -> Severity {
        match self {
            Response::Changes | Response::Accepts => Severity::Warning,
            _ => Severity::Error,
        }
    }
}

impl fmt::Display for Response {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A group of rules.
///
/// A [`Verifier`](super::Verifier) applies the rules of group `Igc`, and of both groups in dialect
/// [`Manual`](Dialect::Manual).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Group {
    /// The rules that the compiler enforces, or whose violations it compiles to other code than the
    /// text states.
    Igc,
    /// The rules that the compiler does not enforce.
    Manual,
}

impl Group {
    /// Every group.
    pub const ALL: [Group; 2] = [Group::Igc, Group::Manual];

    /// Returns the name.
    pub const fn name(self) -> &'static str {
        match self {
            Group::Igc => "igc",
            Group::Manual => "manual",
        }
    }
}

impl fmt::Display for Group {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Group {
    type Err = ErrorKind;

    /// Parses a group's name, ignoring case.
    fn from_str(s: &str) -> Result<Group, ErrorKind> {
        let mut all = Group::ALL.iter().copied();
        all.find(|group| group.name().eq_ignore_ascii_case(s))
            .ok_or(ErrorKind::Unparsable { expected: "a group: igc or manual" })
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
///     fn no_channel "info-channels" (Refuses, ANY, "INFO.md") |i, c| {
///         if i.channels.is_empty() {
///             c.fail("channels", "none", "at least one channel");
///         }
///     }
/// }
/// ```
///
/// This defines `channels::RULES`, and `channels::check(&Info, &mut Context)`, which applies the
/// rules in order, and skips groups without findings. `c` is a
/// [`RuleContext`](super::context::RuleContext): it provides the routine's tables and the platform, and
/// records findings.
///
/// The first word in parentheses is the [`Response`] of the compiler. In dialect `Manual`, findings
/// are errors; `(Accepts (Warning in Manual), ANY, "INFO.md")` is an exception. `[since(IGC_2_41)]`
/// before the first comma states the versions of the compiler that enforce the rule, and
/// `[since(IGC_2_41), else Changes]` the response of other versions, unless it is `Accepts` or the
/// first word. `(Miscompiles: Warning, ANY, "IGC")` sets the severity of findings in other dialects.
macro_rules! rules {
    ($group:ident for $subject:ty; $(
        $(#[doc = $statement:literal])+
        fn $rule:ident $name:literal
        ($response:ident $(: $severity:ident)? $(($in_manual:ident in Manual))?
         $([$compilers:expr $(, else $otherwise:ident)?])?,
         $platforms:expr, $source:literal)
        |$s:ident, $c:ident| $body:block
    )*) => {
        pub(in $crate::verify) mod $group {
            #[allow(unused_imports)]
            use super::*;
            use $crate::verify::context::{RuleContext, Context};
            #[allow(unused_imports)]
            use $crate::verify::platforms::{ANY, before, since};
            #[allow(unused_imports)]
            use $crate::platform::Platform::*;
            #[allow(unused_imports)]
            use $crate::verify::compiler::{IGC_2_38, IGC_2_40, IGC_2_40_6, IGC_2_41};
            use $crate::verify::rule::{Response, Rule, statement};

            pub(in $crate::verify) static RULES: &[&Rule] = &[$(&$rule::RULE),*];

            $(
                mod $rule {
                    #[allow(unused_imports)]
                    use super::*;

                    pub(super) static RULE: Rule = Rule {
                        name: $name,
                        statement: statement(concat!($($statement),+)),
                        response: Response::$response,
                        enforced_by: $crate::verify::rule::compilers!($($compilers)?),
                        otherwise: $crate::verify::rule::otherwise!(
                            $response $($compilers $(, $otherwise)?)?
                        ),
                        severity: $crate::verify::rule::severity!($response $(: $severity)?),
                        severity_in_manual: $crate::verify::rule::in_manual!($($in_manual)?),
                        platforms: $platforms,
                        source: $source,
                    };
                }

                #[inline(always)]
                fn $rule($s: &$subject, $c: &mut RuleContext<'_, '_>) $body
            )*

            #[inline]
            pub(in $crate::verify) fn check(subject: &$subject, cx: &mut Context<'_>) {
                $(if cx.applies(Response::$response.group()) {
                    $rule(subject, &mut RuleContext { rule: &$rule::RULE, cx });
                })*
            }
        }
    };
}

/// The severity in dialect `Manual`: an error, unless the row has an exception.
macro_rules! in_manual {
    () => {
        $crate::error::Severity::Error
    };
    ($severity:ident) => {
        $crate::error::Severity::$severity
    };
}

/// The severity in other dialects: that of the response, unless the row has an exception.
macro_rules! severity {
    ($response:ident) => {
        Response::$response.severity()
    };
    ($response:ident: $severity:ident) => {
        $crate::error::Severity::$severity
    };
}

/// The response of the versions of the compiler that do not enforce a rule.
macro_rules! otherwise {
    ($response:ident) => {
        Response::$response
    };
    ($response:ident $compilers:expr) => {
        Response::$response.otherwise()
    };
    ($response:ident $compilers:expr, $otherwise:ident) => {
        Response::$otherwise
    };
}

/// An optional range of versions of the compiler.
macro_rules! compilers {
    () => {
        None
    };
    ($range:expr) => {{
        #[allow(unused_imports)]
        use $crate::verify::compiler::{between, since};
        Some($range)
    }};
}

/// Copies the common fields of instructions to the subject of their rules.
///
/// ```text
/// subject! { Qwords: QwGather dst, QwScatter src => |i, data| Qwords { exec: i.exec, data, .. } }
/// ```
///
/// implements `From<&QwGather>` and `From<&QwScatter>` for `Qwords`. The field after the name of each
/// instruction is its `data`, with its name.
macro_rules! subject {
    ($subject:ty: $($name:ident $data:ident),+ => |$i:ident, $field:ident| $value:expr) => {$(
        impl<'i> From<&'i $name> for $subject {
            #[inline(always)]
            fn from($i: &'i $name) -> $subject {
                let $field = ($crate::verify::field::Field::of_row(stringify!($data)), $i.$data);
                $value
            }
        }
    )+};
}

pub(super) use {compilers, in_manual, otherwise, rules, severity, subject};
