//! Exceptions.

use genvisa::text::{self, Errors, PrintError};
use pyo3::exceptions::{PyException, PyUserWarning, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyTuple;

pyo3::create_exception!(
    genvisa,
    Error,
    PyException,
    "Bytes or a text that cannot be decoded, or a module that cannot be encoded."
);
pyo3::create_exception!(genvisa, TextError, Error, "A text with errors.");
pyo3::create_exception!(
    genvisa,
    AssumptionWarning,
    PyUserWarning,
    "A result depends on an assumption, such as the size of a register."
);

/// Adds the exceptions to the module. Their attributes have defaults in the classes.
pub fn add_to(m: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = m.py();
    let (error, text_error) = (py.get_type::<Error>(), py.get_type::<TextError>());
    error.setattr("file", py.None())?;
    error.setattr("offset", py.None())?;
    error.setattr("path", PyTuple::empty(py))?;
    text_error.setattr("line", 1)?;
    text_error.setattr("column", 1)?;
    text_error.setattr("diagnostics", PyTuple::empty(py))?;
    m.add("AssumptionWarning", py.get_type::<AssumptionWarning>())?;
    m.add("Error", error)?;
    m.add("TextError", text_error)
}

/// Returns the exception for an error of decoding or encoding.
pub fn decoding(py: Python<'_>, error: &genvisa::Error) -> PyErr {
    reading(py, error, None, None)
}

/// Returns the exception for an error of decoding a file, with what to do about it.
pub fn reading(
    py: Python<'_>,
    error: &genvisa::Error,
    file: Option<Bound<'_, PyAny>>,
    hint: Option<&str>,
) -> PyErr {
    let file_name = file.as_ref().map_or(String::new(), |file| format!("{file}: "));
    let hint = hint.map_or(String::new(), |hint| format!("; {hint}"));
    let exception = Error::new_err(format!("{file_name}{error}{hint}"));
    let set_attributes = || {
        let value = exception.value(py);
        value.setattr("file", file)?;
        let path = error.path().map(ToString::to_string).collect::<Vec<_>>();
        value.setattr("path", PyTuple::new(py, path)?)?;
        value.setattr("offset", error.offset())
    };
    match set_attributes() {
        Ok(()) => exception,
        Err(other) => other,
    }
}

/// Returns the exception for an error of printing.
pub fn printing(py: Python<'_>, error: &PrintError) -> PyErr {
    match error {
        PrintError::Code(error) => decoding(py, error),
        _ => Error::new_err(error.to_string()),
    }
}

/// Returns the exception for the errors in a text.
pub fn parsing(py: Python<'_>, errors: Errors) -> PyErr {
    let exception = TextError::new_err(errors.to_string());
    let diagnostics: Vec<Diagnostic> = errors.iter().map(Diagnostic::new).collect();
    let set_attributes = || {
        let value = exception.value(py);
        if let Some(first) = diagnostics.first() {
            value.setattr("line", first.line)?;
            value.setattr("column", first.column)?;
        }
        value.setattr("diagnostics", PyTuple::new(py, diagnostics)?)
    };
    match set_attributes() {
        Ok(()) => exception,
        Err(other) => other,
    }
}

/// Returns the exception for a name that is not one of a set.
pub fn value(error: impl ToString) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// An error or a warning about a text.
#[pyclass(frozen, module = "genvisa")]
pub struct Diagnostic {
    #[pyo3(get)]
    severity: String,
    #[pyo3(get)]
    message: String,
    #[pyo3(get)]
    help: Option<String>,
    #[pyo3(get)]
    line: usize,
    #[pyo3(get)]
    column: usize,
    excerpt: String,
}

impl Diagnostic {
    pub fn new(diagnostic: &text::Diagnostic) -> Diagnostic {
        let (line, column) = diagnostic.line_and_column().unwrap_or((1, 1));
        Diagnostic {
            severity: diagnostic.severity.to_string(),
            message: diagnostic.to_string(),
            help: diagnostic.help.clone(),
            line,
            column,
            excerpt: format!("{diagnostic:#}"),
        }
    }
}

#[pymethods]
impl Diagnostic {
    fn __str__(&self) -> &str {
        &self.excerpt
    }

    fn __repr__(&self) -> String {
        let Diagnostic { severity, message, line, column, .. } = self;
        format!("<Diagnostic {line}:{column}: {severity}: {message}>")
    }
}
