//! Modules, and the functions that read them.

use std::sync::Arc;

use genvisa::Platform;
use genvisa::error::RoutineKind;
use genvisa::text::{FileListing, ParseOptions, Reformatter, Style};
use genvisa::{Dialect, Format, Version};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::{PyBytes, PyList, PyMemoryView, PyString, PyTuple};

use crate::decoded::{Decoded, Source};
use crate::error::{self, Diagnostic};
use crate::explain;
use crate::routine::Routine;
use crate::verify::{self, Finding};

/// Reads a .isa file, from its path or from its bytes.
#[pyfunction]
#[pyo3(signature = (source, dialect = "igc2022"))]
pub fn read(source: &Bound<'_, PyAny>, dialect: &str) -> PyResult<Module> {
    let py = source.py();
    let dialect = dialect.parse::<Dialect>().map_err(error::value)?;
    let (file, path) = match buffer(source) {
        Some(bytes) => (bytes, None),
        // The exceptions of `pathlib` contain the name of the file.
        None => {
            let path = py.import("pathlib")?.call_method1("Path", (source,))?;
            (path.call_method0("read_bytes")?.extract()?, Some(path))
        }
    };
    let hint = hint(&file);
    let decoded = py.detach(|| Decoded::read(file, dialect));
    decoded.map(Module::new).map_err(|error| error::reading(py, &error, path, hint))
}

/// Returns what to call for bytes that are no .isa file.
fn hint(file: &[u8]) -> Option<&'static str> {
    match file {
        [b'C', b'I', b'S', b'A', ..] => None,
        _ if file.iter().take(4096).all(|byte| !matches!(byte, 0..=8)) => {
            Some("this is text, which `genvisa.parse` reads")
        }
        _ => Some(
            "`genvisa.extract` finds the .isa files in programs, libraries and device binaries",
        ),
    }
}

/// Formats a .visaasm text.
#[pyfunction]
#[pyo3(signature = (text, dialect = None))]
pub fn format(text: &Bound<'_, PyAny>, dialect: Option<&str>) -> PyResult<String> {
    let py = text.py();
    let bytes = bytes_of(text)?;
    let dialect = dialect.map(str::parse::<Dialect>).transpose().map_err(error::value)?;
    let reformatter = Reformatter::new().with_dialect(dialect);
    let formatted = py.detach(|| reformatter.reformat(bytes));
    formatted.map(|formatted| formatted.text).map_err(|errors| error::parsing(py, errors))
}

/// Returns the bytes of a text.
pub fn bytes_of(text: &Bound<'_, PyAny>) -> PyResult<Vec<u8>> {
    match text.cast::<PyString>() {
        Ok(text) => Ok(text.to_cow()?.into_owned().into_bytes()),
        Err(_) => buffer(text)
            .map(|bytes| bytes.to_vec())
            .ok_or_else(|| PyTypeError::new_err("a text is str, or an object with a buffer")),
    }
}

/// Returns the bytes of an object with a buffer, which are copied unless it is `bytes`.
pub fn buffer(source: &Bound<'_, PyAny>) -> Option<PyBackedBytes> {
    let copied = || {
        let view = source.py().get_type::<PyMemoryView>().call1((source,)).ok()?;
        view.call_method0("tobytes").ok()?.extract().ok()
    };
    source.extract().ok().or_else(copied)
}

/// Parses a .visaasm text.
#[pyfunction]
#[pyo3(signature = (text, dialect = None, version = None))]
pub fn parse(
    text: &Bound<'_, PyAny>,
    dialect: Option<&str>,
    version: Option<&str>,
) -> PyResult<Module> {
    let py = text.py();
    let bytes = bytes_of(text)?;
    let dialect = dialect.map(str::parse::<Dialect>).transpose().map_err(error::value)?;
    let version = version.map(str::parse::<Version>).transpose().map_err(error::value)?;
    if let Some((dialect, version)) = dialect.zip(version) {
        if !Format::new(dialect, version).exists() {
            let message = format!("version {version} does not exist in dialect {dialect}");
            return Err(error::value(message));
        }
    }
    let options = ParseOptions::new().with_dialect(dialect).with_version(version);
    let decoded = py.detach(|| Decoded::parse(bytes, options));
    decoded.map(Module::new).map_err(|errors| error::parsing(py, errors))
}

/// A .isa file, or the module that a text describes.
#[pyclass(frozen, module = "genvisa")]
pub struct Module {
    decoded: Arc<Decoded>,
}

impl Module {
    pub fn new(decoded: Decoded) -> Module {
        Module { decoded: Arc::new(decoded) }
    }

    fn routines_of(&self, kind: Option<RoutineKind>) -> Vec<Routine> {
        let routines = self.decoded.routines().iter().enumerate();
        let chosen = routines.filter(|(_, routine)| kind.is_none_or(|kind| kind == routine.kind));
        chosen.map(|(index, _)| Routine::new(&self.decoded, index)).collect()
    }
}

#[pymethods]
impl Module {
    #[getter]
    fn version(&self) -> String {
        self.decoded.module().format.version.to_string()
    }

    #[getter]
    fn dialect(&self) -> &'static str {
        self.decoded.module().format.dialect.name()
    }

    #[getter]
    fn routines<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.routines_of(None))
    }

    #[getter]
    fn kernels<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.routines_of(Some(RoutineKind::Kernel)))
    }

    #[getter]
    fn functions<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.routines_of(Some(RoutineKind::Function)))
    }

    #[getter]
    fn warnings<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let warnings: Vec<Diagnostic> = match self.decoded.source() {
            Source::File(_) | Source::Edited(_) => Vec::new(),
            Source::Text(text) => text.warnings.iter().map(Diagnostic::new).collect(),
        };
        PyTuple::new(py, warnings)
    }

    fn _repr_html_(&self, py: Python<'_>) -> PyResult<String> {
        let listing = FileListing::new(self.decoded.module());
        let text = py.detach(|| listing.to_text()).map_err(|error| error::printing(py, &error))?;
        Ok(listing_html(&text))
    }

    fn to_bytes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let bytes = py.detach(|| self.decoded.module().to_bytes());
        let bytes = bytes.map_err(|error| error::decoding(py, &error))?;
        Ok(PyBytes::new(py, &bytes))
    }

    #[pyo3(signature = (*, style = "complete", offsets = false, numbers = true))]
    fn text(&self, py: Python<'_>, style: &str, offsets: bool, numbers: bool) -> PyResult<String> {
        let style = parse_style(style)?;
        let listing = FileListing::new(self.decoded.module()).with_style(style);
        let listing = listing.with_offsets(offsets).with_numbers(numbers);
        py.detach(|| listing.to_text()).map_err(|error| error::printing(py, &error))
    }

    fn explain<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        explain::module(py, &self.decoded)
    }

    #[pyo3(signature = (platform = None, *, groups = None))]
    fn verify(
        &self,
        py: Python<'_>,
        platform: Option<&str>,
        groups: Option<Vec<String>>,
    ) -> PyResult<Vec<Finding>> {
        let platform = platform.map(str::parse::<Platform>).transpose().map_err(error::value)?;
        let verifier = verify::verifier(platform, groups)?;
        verify::warn_of_assumption(py, &self.decoded, platform)?;
        Ok(py.detach(|| verify::check(&self.decoded, verifier)))
    }

    fn __repr__(&self) -> String {
        let (version, dialect) = (self.version(), self.dialect());
        let count = self.decoded.routines().len();
        format!("<Module {version} {dialect}, routines: {count}>")
    }
}

/// Returns the style of a name.
pub fn parse_style(name: &str) -> PyResult<Style> {
    match name {
        "complete" => Ok(Style::Complete),
        "genx-ir" => Ok(Style::GenXIr),
        _ => Err(error::value("expected complete or genx-ir")),
    }
}

/// Returns the first lines of a listing for a notebook.
pub fn listing_html(text: &str) -> String {
    const MAX_LINES: usize = 400;
    let lines: Vec<&str> = text.lines().take(MAX_LINES).collect();
    let rest = text.lines().count() - lines.len();
    let escaped = lines.join("\n").replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    let rest = if rest > 0 { format!("\n<i>{rest} more lines</i>") } else { String::new() };
    format!("<pre>{escaped}{rest}</pre>")
}
