//! Kernels and functions.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use genvisa::isa::IdClass;
use genvisa::object;
use genvisa::operand::{PredId, SurfaceId, VarId};
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use crate::analysis::Analysis;
use crate::decoded::Decoded;
use crate::edit;
use crate::error;
use crate::instruction::Instructions;
use crate::module::{Module, listing_html, parse_style};
use crate::tables::{Attribute, GenBinary, Id, Input, Label, SimpleVariable, Variable};

/// A kernel or a function.
#[pyclass(frozen, module = "genvisa")]
#[derive(Clone)]
pub struct Routine {
    pub decoded: Arc<Decoded>,
    pub index: usize,
}

impl PartialEq for Routine {
    fn eq(&self, other: &Routine) -> bool {
        Arc::ptr_eq(&self.decoded, &other.decoded) && self.index == other.index
    }
}

impl Hash for Routine {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (Arc::as_ptr(&self.decoded), self.index).hash(state);
    }
}

/// Returns the hash of a value, for Python.
pub fn hash_of(value: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

impl Routine {
    pub fn new(decoded: &Arc<Decoded>, index: usize) -> Routine {
        Routine { decoded: decoded.clone(), index }
    }

    pub fn get(&self) -> &object::Routine<'_, '_> {
        &self.decoded.routines()[self.index]
    }

    fn simple(
        &self,
        class: IdClass,
        first: u32,
        table: &[object::SimpleVariable],
    ) -> Vec<SimpleVariable> {
        let body = self.get().body;
        let numbered = (first..).zip(table);
        numbered
            .map(|(number, variable)| SimpleVariable::new(class, number, variable, body))
            .collect()
    }
}

#[pymethods]
impl Routine {
    #[getter]
    fn name(&self) -> String {
        self.get().name.to_string_lossy()
    }

    #[getter]
    fn kind(&self) -> String {
        self.get().kind.to_string()
    }

    #[getter]
    fn index(&self) -> usize {
        self.index
    }

    #[getter]
    fn instructions(&self) -> Instructions {
        Instructions::new(self.clone())
    }

    #[getter]
    fn strings<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let strings: Vec<String> =
            self.get().body.strings.iter().map(|string| string.to_string_lossy()).collect();
        PyTuple::new(py, strings)
    }

    #[getter]
    fn variables<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let routine = self.get();
        let numbered = (VarId::FIRST_DECLARED.0..).zip(&routine.body.variables);
        let variables: Vec<Variable> =
            numbered.map(|(number, variable)| Variable::new(number, variable, routine)).collect();
        PyTuple::new(py, variables)
    }

    #[getter]
    fn addresses<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.simple(IdClass::Address, 0, &self.get().body.addresses))
    }

    #[getter]
    fn predicates<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let first = PredId::FIRST_DECLARED.0.into();
        PyTuple::new(py, self.simple(IdClass::Predicate, first, &self.get().body.predicates))
    }

    #[getter]
    fn surfaces<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let first = SurfaceId::FIRST_DECLARED.0.into();
        PyTuple::new(py, self.simple(IdClass::Surface, first, &self.get().body.surfaces))
    }

    #[getter]
    fn samplers<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.simple(IdClass::Sampler, 0, &self.get().body.samplers))
    }

    #[getter]
    fn labels<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let body = self.get().body;
        let labels: Vec<Label> = (0..)
            .zip(&body.labels)
            .map(|(number, label)| Label::new(number, label, body))
            .collect();
        PyTuple::new(py, labels)
    }

    #[getter]
    fn inputs<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let routine = self.get();
        let inputs = routine.inputs.iter().map(|input| Input {
            id: Id::new(input.id().unwrap_or(VarId(input.index).into()), routine.body),
            kind: input.kind.to_string(),
            offset: input.offset,
            size: input.size,
        });
        PyTuple::new(py, inputs.collect::<Vec<_>>())
    }

    #[getter]
    fn attributes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let body = self.get().body;
        PyTuple::new(py, Attribute::all(&body.attributes, body))
    }

    #[getter]
    fn gen_binaries<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        // The kernels are the first routines.
        let kernel = self.decoded.module().kernels.get(self.index);
        let binaries = kernel.map(|kernel| kernel.gen_binaries.as_slice()).unwrap_or_default();
        PyTuple::new(py, binaries.iter().map(GenBinary::new).collect::<Vec<_>>())
    }

    #[pyo3(signature = (*, style = "complete", offsets = false, numbers = true))]
    fn text(&self, py: Python<'_>, style: &str, offsets: bool, numbers: bool) -> PyResult<String> {
        let style = parse_style(style)?;
        let listing = self.decoded.listing(self.index).with_style(style);
        let listing = listing.with_offsets(offsets).with_numbers(numbers);
        py.detach(|| listing.to_text()).map_err(|error| error::printing(py, &error))
    }

    #[pyo3(signature = (platform = None, *, registers = None))]
    fn analysis(
        &self,
        py: Python<'_>,
        platform: Option<&str>,
        registers: Option<u32>,
    ) -> PyResult<Analysis> {
        Analysis::new(py, self, platform, registers)
    }

    fn with_instructions(&self, instructions: &Bound<'_, PyAny>) -> PyResult<Module> {
        edit::with_instructions(self, instructions)
    }

    fn _repr_html_(&self, py: Python<'_>) -> PyResult<String> {
        Ok(listing_html(&self.text(py, "complete", false, true)?))
    }

    fn __eq__(&self, other: &Routine) -> bool {
        self == other
    }

    fn __hash__(&self) -> u64 {
        hash_of(self)
    }

    fn __repr__(&self) -> String {
        let routine = self.get();
        format!("<Routine {} `{}`>", routine.kind, routine.name)
    }
}
