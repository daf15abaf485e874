//! Checks of templates of inline assembly.

use genvisa::Platform;
use genvisa::verify::rule_url;
use genvisa_inline::{Checker, Finding, Lanes, Path, Place, Report, Statement, Type};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use crate::error;

/// Checks a template in the form of LLVM IR.
#[pyfunction]
#[pyo3(signature = (template, constraints, *, types = None, lanes = None, platform = None, path = None))]
pub fn check_template(
    template: String,
    constraints: &str,
    types: Option<Vec<Option<String>>>,
    lanes: Option<u32>,
    platform: Option<&str>,
    path: Option<&str>,
) -> PyResult<TemplateReport> {
    let platform = platform.map(str::parse::<Platform>).transpose().map_err(error::value)?;
    let mut checker = Checker::new().or_platform(platform);
    if let Some(lanes) = lanes {
        let lanes = Lanes::from_count(lanes);
        checker = checker.with_lanes(lanes.ok_or_else(|| error("lanes must be 8, 16 or 32"))?);
    }
    match path {
        None => {}
        Some("simt") => checker = checker.with_path(Path::Simt),
        Some("vc") => checker = checker.with_path(Path::Vc),
        Some(_) => return Err(error("path must be 'simt' or 'vc'")),
    }
    let mut statement = Statement::llvm(template.as_str(), constraints);
    let types = types.unwrap_or_default();
    if types.len() > statement.operands.len() {
        return Err(error("there are more types than operands"));
    }
    for (operand, ty) in statement.operands.iter_mut().zip(types) {
        if let Some(ty) = ty {
            operand.ty = Some(ty.parse::<Type>().map_err(error::value)?);
        }
    }
    Ok(TemplateReport { report: checker.check(&statement), template })
}

fn error(message: &'static str) -> PyErr {
    PyValueError::new_err(message)
}

/// The result of a check of a template.
#[pyclass(frozen, module = "genvisa")]
pub struct TemplateReport {
    report: Report,
    template: String,
}

#[pymethods]
impl TemplateReport {
    #[getter]
    fn findings(&self) -> Vec<TemplateFinding> {
        let finding = |finding: &Finding| {
            let span = match &finding.place {
                Place::Template(span) => {
                    // Offsets in Python are those of characters.
                    let before = |end: usize| {
                        String::from_utf8_lossy(&self.template.as_bytes()[..end]).chars().count()
                    };
                    Some((before(span.start), before(span.end)))
                }
                Place::Operand(_) | Place::Clobber(_) => None,
            };
            let lines: Option<Vec<char>> =
                span.map(|(start, _)| self.template.chars().take(start).collect());
            let position = lines.map(|before| {
                let line = before.iter().rev().take_while(|c| **c != '\n').count();
                (1 + before.iter().filter(|c| **c == '\n').count(), 1 + line)
            });
            TemplateFinding { finding: finding.clone(), span, position }
        };
        self.report.findings.iter().map(finding).collect()
    }

    #[getter]
    fn unknown<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.report.unknown.iter().map(ToString::to_string))
    }

    #[getter]
    fn path(&self) -> &'static str {
        match self.report.path {
            Path::Simt => "simt",
            Path::Vc => "vc",
        }
    }

    #[getter]
    fn text(&self) -> &str {
        &self.report.text
    }

    fn __repr__(&self) -> String {
        let (findings, unknown) = (self.report.findings.len(), self.report.unknown.len());
        format!("<TemplateReport: {findings} findings, {unknown} unknown>")
    }
}

/// A finding about a template.
#[pyclass(frozen, module = "genvisa")]
pub struct TemplateFinding {
    finding: Finding,
    /// The characters of the template.
    span: Option<(usize, usize)>,
    /// The line and the column in the template.
    position: Option<(usize, usize)>,
}

#[pymethods]
impl TemplateFinding {
    #[getter]
    fn rule(&self) -> &'static str {
        self.finding.rule
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
    fn help(&self) -> Option<&str> {
        self.finding.help.as_deref()
    }

    #[getter]
    fn span(&self) -> Option<(usize, usize)> {
        self.span
    }

    #[getter]
    fn line(&self) -> Option<usize> {
        self.position.map(|(line, _)| line)
    }

    #[getter]
    fn column(&self) -> Option<usize> {
        self.position.map(|(_, column)| column)
    }

    #[getter]
    fn operand(&self) -> Option<usize> {
        match self.finding.place {
            Place::Operand(number) => Some(number),
            Place::Template(_) | Place::Clobber(_) => None,
        }
    }

    #[getter]
    fn url(&self) -> Option<String> {
        genvisa_inline::rule(self.finding.rule).map(|rule| rule_url(rule.name))
    }

    fn __str__(&self) -> String {
        let Finding { severity, rule, message, .. } = &self.finding;
        match self.position {
            Some((line, column)) => format!("{line}:{column}: {severity}[{rule}]: {message}"),
            None => format!("{severity}[{rule}]: {message}"),
        }
    }

    fn __repr__(&self) -> String {
        format!("<TemplateFinding {}>", self.__str__())
    }
}
