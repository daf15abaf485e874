//! Verification.

use std::ffi::CString;

use genvisa::Platform;
use genvisa::text::LineIndex;
use genvisa::verify::{self, Group, Verifier};
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use crate::decoded::{Decoded, Source};
use crate::error::{self, AssumptionWarning};

/// Returns a verifier for a platform and groups of rules by their names.
pub fn verifier(platform: Option<Platform>, groups: Option<Vec<String>>) -> PyResult<Verifier> {
    let mut verifier = Verifier::new().or_platform(platform);
    if let Some(groups) = groups {
        let groups = groups.iter().map(|group| group.parse::<Group>());
        verifier =
            verifier.with_groups(groups.collect::<Result<Vec<_>, _>>().map_err(error::value)?);
    }
    Ok(verifier)
}

/// Returns the platform that the text of a module states.
pub fn stated_platform(decoded: &Decoded) -> Option<Platform> {
    match decoded.source() {
        Source::File(_) => None,
        Source::Text(text) => text.platform,
        Source::Edited(platform) => *platform,
    }
}

/// Warns if the size of a register is assumed.
pub fn warn_of_assumption(
    py: Python<'_>,
    decoded: &Decoded,
    platform: Option<Platform>,
) -> PyResult<()> {
    let platform = platform.or_else(|| stated_platform(decoded));
    let Some(bytes) = decoded.module().assumed_register_size(platform) else {
        return Ok(());
    };
    let message = CString::new(format!(
        "no known `//Platform:` and no platform: registers of {bytes} bytes are assumed, and rules for some \
         platforms only are not applied"
    ))?;
    PyErr::warn(py, &py.get_type::<AssumptionWarning>(), &message, 1)
}

/// Returns the findings in a module. A text that states its platform is verified for it, unless the
/// verifier has a platform.
pub fn check(decoded: &Decoded, verifier: Verifier) -> Vec<Finding> {
    let text = match decoded.source() {
        Source::File(_) | Source::Edited(_) => None,
        Source::Text(text) => Some(text),
    };
    let verifier = verifier.or_platform(stated_platform(decoded));
    let mut findings = verifier.check_module(decoded.module());
    let mut positions = vec![None; findings.len()];
    if let Some(text) = text {
        let diagnostics = verify::diagnostics(&findings, &text.source_map, &text.bytes);
        let lines = LineIndex::new(&text.bytes);
        let position = |at: usize| lines.line_and_column(at);
        let places =
            diagnostics.iter().map(|one| (position(one.span.start), position(one.span.end)));
        positions = places.map(Some).collect();
        // The offset is the one in the code of a routine, which has no file.
        findings.iter_mut().for_each(|finding| finding.offset = None);
    }
    let findings = findings.into_iter().zip(positions);
    findings.map(|(finding, position)| Finding { finding, position }).collect()
}

/// A broken rule and its place in a module.
#[pyclass(frozen, module = "genvisa")]
pub struct Finding {
    finding: verify::Finding,
    /// The lines and the columns of the start and the end in a text.
    position: Option<((usize, usize), (usize, usize))>,
}

#[pymethods]
impl Finding {
    #[getter]
    fn rule(&self) -> &'static str {
        self.finding.rule.name
    }

    #[getter]
    fn group(&self) -> &'static str {
        self.finding.rule.group().name()
    }

    #[getter]
    fn severity(&self) -> String {
        self.finding.severity.to_string()
    }

    #[getter]
    fn message(&self) -> &str {
        &self.finding.message
    }

    #[getter]
    fn expected(&self) -> Option<&str> {
        self.finding.expected.as_deref()
    }

    #[getter]
    fn found(&self) -> Option<&str> {
        self.finding.found.as_deref()
    }

    #[getter]
    fn path<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let path: Vec<String> = self.finding.path.iter().map(ToString::to_string).collect();
        PyTuple::new(py, path)
    }

    #[getter]
    fn name(&self) -> Option<&str> {
        self.finding.name.as_deref()
    }

    #[getter]
    fn routine(&self) -> Option<usize> {
        self.finding.routine
    }

    #[getter]
    fn instruction(&self) -> Option<usize> {
        self.finding.instruction
    }

    #[getter]
    fn offset(&self) -> Option<usize> {
        self.finding.offset
    }

    #[getter]
    fn line(&self) -> Option<usize> {
        self.position.map(|((line, _), _)| line)
    }

    #[getter]
    fn column(&self) -> Option<usize> {
        self.position.map(|((_, column), _)| column)
    }

    #[getter]
    fn end_line(&self) -> Option<usize> {
        self.position.map(|(_, (line, _))| line)
    }

    #[getter]
    fn end_column(&self) -> Option<usize> {
        self.position.map(|(_, (_, column))| column)
    }

    #[getter]
    fn statement(&self) -> &'static str {
        self.finding.rule.statement
    }

    #[getter]
    fn source(&self) -> &'static str {
        self.finding.rule.source
    }

    #[getter]
    fn url(&self) -> String {
        verify::rule_url(self.finding.rule.name)
    }

    fn __str__(&self) -> String {
        self.finding.to_string()
    }

    fn __repr__(&self) -> String {
        format!("<Finding {}>", self.finding)
    }
}
