//! The entries of the tables of a routine.

use genvisa::Platform;
use genvisa::isa::IdClass;
use genvisa::object::{self, AliasScope, AttributeKind, Body};
use genvisa::operand::{SurfaceId, VarId};
use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyTuple};

use crate::decoded::string;

/// An entry of the tables of a routine, by its id.
#[pyclass(frozen, eq, hash, module = "genvisa")]
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Id {
    /// `None` for variables of the file.
    class: Option<IdClass>,
    #[pyo3(get)]
    table: &'static str,
    #[pyo3(get)]
    number: u32,
    #[pyo3(get)]
    name: String,
}

impl Id {
    pub fn new(id: genvisa::isa::Id, body: &Body<'_>) -> Id {
        let number = id.number;
        let (table, predefined) = match id.class {
            IdClass::Variable => ("variable", VarId(number).predefined_name()),
            IdClass::Address => ("address", None),
            IdClass::Predicate => ("predicate", None),
            IdClass::Surface => {
                let surface = u8::try_from(number).ok();
                ("surface", surface.and_then(|number| SurfaceId(number).predefined_name()))
            }
            IdClass::Sampler => ("sampler", None),
            IdClass::Label => ("label", None),
            IdClass::String => ("string", None),
            _ => ("unknown", None),
        };
        let name = match (body.name_of(id), predefined) {
            (Some(name), _) => name.to_string_lossy(),
            (None, Some(name)) => name.into(),
            (None, None) => format!("{}{number}", id.class.letter()),
        };
        Id { class: Some(id.class), table, number, name }
    }

    /// Returns the id in the crate; `None` for a variable of the file.
    pub fn get(&self) -> Option<genvisa::isa::Id> {
        Some(genvisa::isa::Id { class: self.class?, number: self.number })
    }

    pub fn name(&self) -> &str {
        &self.name
    }
}

#[pymethods]
impl Id {
    fn __str__(&self) -> &str {
        &self.name
    }

    fn __repr__(&self) -> String {
        format!("<Id {} {} `{}`>", self.table, self.number, self.name)
    }
}

/// A general variable.
#[pyclass(frozen, module = "genvisa")]
pub struct Variable {
    id: Id,
    variable: object::Variable,
    alias: Option<Id>,
    attributes: Vec<Attribute>,
}

impl Variable {
    pub fn new(
        number: u32,
        variable: &object::Variable,
        routine: &object::Routine<'_, '_>,
    ) -> Variable {
        let (body, alias) = (routine.body, variable.alias);
        let alias = match variable.alias_scope {
            AliasScope::FILE => {
                let variables = &routine.module().file_scope_vars;
                let name = variables.get(alias.0 as usize).map(|file| file.name.to_string_lossy());
                let name = name.unwrap_or_default();
                Some(Id { class: None, table: "file_variable", number: alias.0, name })
            }
            _ if alias == VarId::NULL && !variable.is_null => None,
            _ => Some(Id::new(alias.into(), body)),
        };
        Variable {
            id: Id::new(VarId(number).into(), body),
            variable: variable.clone(),
            alias,
            attributes: Attribute::all(&variable.attributes, body),
        }
    }
}

#[pymethods]
impl Variable {
    #[getter]
    fn id(&self) -> Id {
        self.id.clone()
    }

    #[getter]
    fn name(&self) -> &str {
        &self.id.name
    }

    #[getter]
    fn r#type(&self) -> String {
        self.variable.ty.to_string()
    }

    #[getter]
    fn num_elements(&self) -> u32 {
        self.variable.num_elements
    }

    #[getter]
    fn size(&self) -> u64 {
        u64::from(self.variable.num_elements) * self.variable.ty.size() as u64
    }

    #[getter]
    fn align(&self) -> String {
        self.variable.align.to_string()
    }

    #[getter]
    fn alias(&self) -> Option<Id> {
        self.alias.clone()
    }

    #[getter]
    fn alias_offset(&self) -> u16 {
        self.variable.alias_offset
    }

    #[getter]
    fn attributes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.attributes.clone())
    }

    fn __repr__(&self) -> String {
        let object::Variable { ty, num_elements, .. } = self.variable;
        format!("<Variable `{}` {num_elements} x {ty}>", self.id.name)
    }
}

/// An address variable, a predicate, a surface or a sampler.
#[pyclass(frozen, module = "genvisa")]
pub struct SimpleVariable {
    id: Id,
    num_elements: u16,
    attributes: Vec<Attribute>,
}

impl SimpleVariable {
    pub fn new(
        class: IdClass,
        number: u32,
        variable: &object::SimpleVariable,
        body: &Body<'_>,
    ) -> SimpleVariable {
        SimpleVariable {
            id: Id::new(genvisa::isa::Id { class, number }, body),
            num_elements: variable.num_elements,
            attributes: Attribute::all(&variable.attributes, body),
        }
    }
}

#[pymethods]
impl SimpleVariable {
    #[getter]
    fn id(&self) -> Id {
        self.id.clone()
    }

    #[getter]
    fn name(&self) -> &str {
        &self.id.name
    }

    #[getter]
    fn num_elements(&self) -> u16 {
        self.num_elements
    }

    #[getter]
    fn attributes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.attributes.clone())
    }

    fn __repr__(&self) -> String {
        format!("<SimpleVariable {} `{}`>", self.id.table, self.id.name)
    }
}

/// A label.
#[pyclass(frozen, get_all, module = "genvisa")]
pub struct Label {
    id: Id,
    kind: String,
}

impl Label {
    pub fn new(number: u32, label: &object::LabelInfo, body: &Body<'_>) -> Label {
        let id = genvisa::isa::Id { class: IdClass::Label, number };
        Label { id: Id::new(id, body), kind: label.kind.to_string() }
    }
}

#[pymethods]
impl Label {
    #[getter]
    fn name(&self) -> &str {
        &self.id.name
    }

    fn __repr__(&self) -> String {
        format!("<Label `{}` {}>", self.id.name, self.kind)
    }
}

/// A variable, surface or sampler that is set when a kernel starts.
#[pyclass(frozen, get_all, module = "genvisa")]
pub struct Input {
    pub id: Id,
    pub kind: String,
    pub offset: i16,
    pub size: u16,
}

#[pymethods]
impl Input {
    #[getter]
    fn name(&self) -> &str {
        &self.id.name
    }

    fn __repr__(&self) -> String {
        format!("<Input `{}`, {} bytes at {}>", self.id.name, self.size, self.offset)
    }
}

/// An attribute of a routine or a variable.
#[pyclass(frozen, module = "genvisa")]
#[derive(Clone)]
pub struct Attribute {
    name: String,
    /// `None` if the name is unknown.
    kind: Option<AttributeKind>,
    attribute: object::Attribute,
}

impl Attribute {
    pub fn all(attributes: &[object::Attribute], body: &Body<'_>) -> Vec<Attribute> {
        let attributes = attributes.iter().map(|attribute| {
            let name = string(body, attribute.name.0);
            let kind = AttributeKind::of(name.as_bytes());
            Attribute { name, kind, attribute: attribute.clone() }
        });
        attributes.collect()
    }
}

#[pymethods]
impl Attribute {
    #[getter]
    fn name(&self) -> &str {
        &self.name
    }

    #[getter]
    fn value<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let bytes = &self.attribute.value;
        match (self.kind, self.attribute.as_integer()) {
            (Some(AttributeKind::Bool), _) => true.into_bound_py_any(py),
            (Some(AttributeKind::Integer), Some(integer)) => integer.into_bound_py_any(py),
            (Some(AttributeKind::String), _) => {
                String::from_utf8_lossy(bytes).into_bound_py_any(py)
            }
            _ => Ok(PyBytes::new(py, bytes).into_any()),
        }
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        Ok(format!("<Attribute {}={}>", self.name, self.value(py)?.repr()?))
    }
}

/// Machine code of a kernel.
#[pyclass(frozen, module = "genvisa")]
pub struct GenBinary {
    binary: object::GenBinary<'static>,
}

impl GenBinary {
    pub fn new(binary: &object::GenBinary<'_>) -> GenBinary {
        let binary = object::GenBinary::new(binary.platform, binary.bytes.to_vec());
        GenBinary { binary }
    }
}

#[pymethods]
impl GenBinary {
    #[getter]
    fn platform(&self) -> u8 {
        self.binary.platform
    }

    #[getter]
    fn platform_name(&self) -> Option<&'static str> {
        self.binary.known_platform().map(Platform::name)
    }

    #[getter]
    fn bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.binary.bytes)
    }

    fn __repr__(&self) -> String {
        let name = self.platform_name().unwrap_or("unknown");
        format!("<GenBinary {} ({name}), {} bytes>", self.binary.platform, self.binary.bytes.len())
    }
}
