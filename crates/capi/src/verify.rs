//! Verification, and checks of inline assembly.

use std::iter;

use visa::Platform;
use visa::text::Diagnostic;
use visa::verify::{self, Group, Severity, Verifier, rule_url};

use crate::abi::{call, genvisa_bytes, give, required};
use crate::error::{Fallible, genvisa_error, genvisa_status};
use crate::module::genvisa_module;
use genvisa_status::{GENVISA_END, GENVISA_OK};

/// Broken rules. They do not refer to the module. The caller frees them with `genvisa_findings_free`.
pub struct genvisa_findings {
    pub(crate) list: Vec<Finding>,
}

/// A broken rule with its texts.
pub struct Finding {
    pub(crate) rule: String,
    pub(crate) url: String,
    pub(crate) message: String,
    pub(crate) is_error: bool,
    pub(crate) routine: Option<usize>,
    pub(crate) instruction: Option<usize>,
    pub(crate) position: Option<(usize, usize)>,
}

/// A broken rule. All bytes are valid until the findings are freed.
#[repr(C)]
pub struct genvisa_finding {
    /// The name of the rule.
    pub rule: genvisa_bytes,
    /// The web address of the documentation of the rule; empty if there is none.
    pub url: genvisa_bytes,
    /// The message.
    pub message: genvisa_bytes,
    /// Whether it is an error: IGC refuses the code, or compiles it wrongly. Otherwise it is a warning: the code breaks a
    /// rule of the manual. In dialect "manual", these are errors too.
    pub is_error: bool,
    /// The index of the routine; `SIZE_MAX` if there is none.
    pub routine: usize,
    /// The index of the instruction in the routine; `SIZE_MAX` if there is none.
    pub instruction: usize,
    /// The line in the text of the module or in the template, from 1. It is 0 if there is none, as in a module that was
    /// read from a file or that has new code.
    pub line: usize,
    /// The column in the line, in characters from 1; 0 if there is none.
    pub column: usize,
}

impl Finding {
    fn new(finding: &verify::Finding, position: Option<(usize, usize)>) -> Finding {
        Finding {
            rule: finding.rule.name.into(),
            url: rule_url(finding.rule.name),
            message: finding.message.clone(),
            is_error: finding.severity == Severity::Error,
            routine: finding.routine,
            instruction: finding.instruction,
            position,
        }
    }
}

/// Returns a platform by its name; none for an empty name.
pub fn platform_of(name: genvisa_bytes) -> Fallible<Option<Platform>> {
    // SAFETY: the caller of the interface promises that arguments are readable.
    let name = unsafe { name.text() }?;
    let parse =
        |name: &str| name.parse().map_err(|error| genvisa_error::argument(format!("{error}")));
    if name.is_empty() { Ok(None) } else { parse(name).map(Some) }
}

/// Returns the name of a platform or of a device, such as "SKL" or "bmg", by an index in a list of all names. The
/// list has each platform, oldest first, with its devices after it. Returns no bytes after the last one. Names are
/// valid forever.
///
/// Case is ignored in platform names that are arguments.
#[unsafe(no_mangle)]
pub extern "C" fn genvisa_platform_name(index: usize) -> genvisa_bytes {
    let names =
        |platform: &Platform| iter::once(platform.name()).chain(platform.devices().iter().copied());
    let mut names = Platform::ALL.iter().flat_map(names);
    names.nth(index).map_or(genvisa_bytes::NONE, genvisa_bytes::of)
}

/// Verifies a module.
///
/// `platform` is a name that `genvisa_platform_name` returns. If it is empty, and the module comes from a text with a
/// comment such as `//Platform: XE2`, that platform is used. Otherwise the platform is unknown, and only the rules for
/// all platforms are applied. `manual` adds the rules of the manual that IGC does not enforce. On success,
/// `*findings` are new findings, which the caller frees; their number may be 0.
#[unsafe(no_mangle)]
pub extern "C" fn genvisa_verify(
    module: Option<&genvisa_module>,
    platform: genvisa_bytes,
    manual: bool,
    findings: Option<&mut *mut genvisa_findings>,
    error: Option<&mut *mut genvisa_error>,
) -> genvisa_status {
    call(error, || {
        let (module, findings) = (required(module, "module")?, required(findings, "findings")?);
        let text = module.shared.text.as_ref();
        let platform = platform_of(platform)?.or(module.shared.platform);
        let mut verifier = Verifier::new().or_platform(platform);
        if manual {
            verifier = verifier.with_groups([Group::Igc, Group::Manual]);
        }
        let found = verifier.check_module(&module.shared.module);
        let mut places = vec![None; found.len()];
        if let Some(text) = text {
            let diagnostics = verify::diagnostics(&found, &text.source_map, &text.source);
            places = diagnostics.iter().map(Diagnostic::line_and_column).collect();
        }
        let findings_with_places = found.iter().zip(places);
        let list =
            findings_with_places.map(|(finding, place)| Finding::new(finding, place)).collect();
        give(findings, genvisa_findings { list });
        Ok(GENVISA_OK)
    })
}

/// Returns the number of findings; 0 for null.
#[unsafe(no_mangle)]
pub extern "C" fn genvisa_findings_count(findings: Option<&genvisa_findings>) -> usize {
    findings.map_or(0, |findings| findings.list.len())
}

/// Describes the finding with an index. If there is none, the status is `GENVISA_END`.
#[unsafe(no_mangle)]
pub extern "C" fn genvisa_findings_get(
    findings: Option<&genvisa_findings>,
    index: usize,
    finding: Option<&mut genvisa_finding>,
) -> genvisa_status {
    call(None, || {
        let (findings, out) = (required(findings, "findings")?, required(finding, "finding")?);
        let Some(finding) = findings.list.get(index) else { return Ok(GENVISA_END) };
        let (line, column) = finding.position.unwrap_or_default();
        *out = genvisa_finding {
            rule: genvisa_bytes::of(&finding.rule),
            url: genvisa_bytes::of(&finding.url),
            message: genvisa_bytes::of(&finding.message),
            is_error: finding.is_error,
            routine: finding.routine.unwrap_or(usize::MAX),
            instruction: finding.instruction.unwrap_or(usize::MAX),
            line,
            column,
        };
        Ok(GENVISA_OK)
    })
}

/// Frees findings. Does nothing for null.
#[unsafe(no_mangle)]
pub extern "C" fn genvisa_findings_free(findings: Option<Box<genvisa_findings>>) {
    drop(findings);
}
