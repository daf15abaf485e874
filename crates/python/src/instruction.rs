//! Instructions, and the sequences of them.

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use genvisa::error::PathSegment;
use genvisa::isa::AccessKind;
use genvisa::object::{Code, Kernel};
use genvisa::text;
use genvisa::wire::{FieldRecorder, Reader, Wire};
use genvisa::{Dialect, Format, Version};
use genvisa_isa::decode_recorded;
use pyo3::exceptions::{PyIndexError, PyKeyError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList, PySlice, PyTuple};

use crate::decoded::Decoded;
use crate::error;
use crate::explain;
use crate::module::{buffer, bytes_of};
use crate::operand::{self, Operand};
use crate::routine::{Routine, hash_of};
use crate::tables::Id;

/// The instructions of a routine.
#[pyclass(frozen, module = "genvisa")]
pub struct Instructions {
    routine: Routine,
}

impl Instructions {
    pub fn new(routine: Routine) -> Instructions {
        Instructions { routine }
    }

    fn starts(&self, py: Python<'_>) -> PyResult<&[usize]> {
        let starts = py.detach(|| self.routine.decoded.starts(self.routine.index));
        starts.map_err(|error| error::decoding(py, error))
    }
}

#[pymethods]
impl Instructions {
    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        Ok(self.starts(py)?.len())
    }

    fn __getitem__<'py>(&self, index: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let py = index.py();
        let starts = self.starts(py)?;
        let decode = |index: usize, start: usize| {
            decode(&self.routine, index, start).map_err(|error| error::decoding(py, &error))
        };
        if let Ok(slice) = index.cast::<PySlice>() {
            let range = slice.indices(starts.len() as isize)?;
            let list = PyList::empty(py);
            let mut at = range.start;
            for _ in 0..range.slicelength {
                let index = at as usize;
                let start = starts.get(index).ok_or_else(out_of_range)?;
                list.append(decode(index, *start)?)?;
                at += range.step;
            }
            return Ok(list.into_any());
        }
        let index: isize = index.extract()?;
        let from_end = starts.len().checked_add_signed(index);
        let index = usize::try_from(index).ok().or(from_end).ok_or_else(out_of_range)?;
        let start = starts.get(index).ok_or_else(out_of_range)?;
        Ok(Bound::new(py, decode(index, *start)?)?.into_any())
    }

    fn __iter__(&self) -> InstructionIterator {
        let start = match &self.routine.get().body.code {
            Code::Present { offset, .. } => *offset,
            Code::Stripped { .. } => 0,
        };
        InstructionIterator { routine: self.routine.clone(), index: 0, start, is_done: false }
    }

    fn __repr__(&self) -> String {
        let routine = self.routine.get();
        format!("<Instructions of {} `{}`>", routine.kind, routine.name)
    }
}

fn out_of_range() -> PyErr {
    PyIndexError::new_err("instruction index out of range")
}

/// An iterator over the instructions of a routine.
#[pyclass(module = "genvisa")]
pub struct InstructionIterator {
    routine: Routine,
    /// The index and the offset of the next instruction.
    index: usize,
    start: usize,
    is_done: bool,
}

#[pymethods]
impl InstructionIterator {
    fn __iter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    fn __next__(&mut self, py: Python<'_>) -> PyResult<Option<Instruction>> {
        if self.is_done || bytes_at(&self.routine, self.start).is_empty() {
            self.is_done = true;
            return Ok(None);
        }
        match decode(&self.routine, self.index, self.start) {
            Ok(instruction) => {
                self.index += 1;
                self.start += instruction.len;
                Ok(Some(instruction))
            }
            Err(error) => {
                // The start of the next instruction is unknown.
                self.is_done = true;
                Err(error::decoding(py, &error))
            }
        }
    }
}

/// Returns the code of a routine from an offset on.
fn bytes_at(routine: &Routine, start: usize) -> &[u8] {
    match &routine.get().body.code {
        Code::Present { bytes, offset } => {
            start.checked_sub(*offset).and_then(|at| bytes.get(at..)).unwrap_or_default()
        }
        Code::Stripped { .. } => &[],
    }
}

/// Decodes the instruction at an offset.
fn decode(routine: &Routine, index: usize, start: usize) -> Result<Instruction, genvisa::Error> {
    let bytes = bytes_at(routine, start);
    let mut r = Reader::with_base(bytes, start, routine.get().format());
    match genvisa::Instruction::decode(&mut r) {
        Ok(inner) => Ok(Instruction {
            routine: routine.clone(),
            index,
            start,
            len: r.offset() - start,
            inner,
        }),
        Err(error) => {
            let opcode = bytes.first().copied();
            let mnemonic = opcode.and_then(genvisa::Instruction::mnemonic_of).unwrap_or_default();
            let error = error.within(PathSegment::Instruction { index, mnemonic });
            Err(error.within(routine.get().path_segment()))
        }
    }
}

/// An instruction.
#[pyclass(frozen, module = "genvisa")]
pub struct Instruction {
    routine: Routine,
    index: usize,
    start: usize,
    len: usize,
    inner: genvisa::Instruction,
}

impl PartialEq for Instruction {
    fn eq(&self, other: &Instruction) -> bool {
        self.routine == other.routine && self.index == other.index
    }
}

impl Hash for Instruction {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (&self.routine, self.index).hash(state);
    }
}

impl Instruction {
    pub fn get(&self) -> (&Routine, &genvisa::Instruction) {
        (&self.routine, &self.inner)
    }

    fn code(&self) -> &[u8] {
        bytes_at(&self.routine, self.start).get(..self.len).unwrap_or_default()
    }

    fn line(&self) -> &str {
        self.routine.decoded.lines(self.routine.index).get(self.index)
    }

    fn visit_operands(&self) -> Vec<Operand> {
        operand::operands(&self.inner, self.routine.get().body)
    }

    /// Returns the variables, surfaces and samplers with a kind of access, without repetitions.
    fn accesses(&self, kind: AccessKind) -> Vec<Id> {
        let mut ids = Vec::new();
        self.inner.visit_accesses(|access| {
            if access.kind == kind && !ids.contains(&access.id) {
                ids.push(access.id);
            }
        });
        let body = self.routine.get().body;
        ids.into_iter().map(|id| Id::new(id, body)).collect()
    }
}

/// Returns an instruction that is alone in a routine without declarations.
fn alone(
    py: Python<'_>,
    format: Format,
    instruction: genvisa::Instruction,
) -> PyResult<Instruction> {
    let failed = |error| error::decoding(py, &error);
    let mut kernel = Kernel::new("instruction");
    kernel.body.code = Code::from_instructions(&[instruction], format).map_err(failed)?;
    let mut module = genvisa::Module::new(format);
    module.kernels.push(kernel);
    let routine = Routine::new(&Arc::new(Decoded::edited(module, None)), 0);
    decode(&routine, 0, 0).map_err(failed)
}

/// Returns a format with bytes.
fn format_of(dialect: &str, version: &str) -> PyResult<Format> {
    let dialect = dialect.parse::<Dialect>().map_err(error::value)?;
    let version = version.parse::<Version>().map_err(error::value)?;
    let format = Format::new(dialect, version);
    match format.has_binary_form() {
        true => Ok(format),
        false => Err(error::value(format!("version {version} has no binary form"))),
    }
}

#[pymethods]
impl Instruction {
    #[staticmethod]
    #[pyo3(signature = (data, dialect = "igc2022", version = "3.6"))]
    fn from_bytes(data: &Bound<'_, PyAny>, dialect: &str, version: &str) -> PyResult<Instruction> {
        let (py, format) = (data.py(), format_of(dialect, version)?);
        let message = "an instruction is bytes, or an object with a buffer";
        let bytes = buffer(data).ok_or_else(|| PyTypeError::new_err(message))?;
        let instruction = genvisa::Instruction::from_bytes(&bytes, format);
        alone(py, format, instruction.map_err(|error| error::decoding(py, &error))?)
    }

    #[staticmethod]
    #[pyo3(signature = (text, dialect = "igc2022", version = "3.6"))]
    fn parse(text: &Bound<'_, PyAny>, dialect: &str, version: &str) -> PyResult<Instruction> {
        let (py, format) = (text.py(), format_of(dialect, version)?);
        let instruction = text::parse_instruction(bytes_of(text)?, format);
        alone(py, format, instruction.map_err(|errors| error::parsing(py, errors))?)
    }

    #[getter]
    fn routine(&self) -> Routine {
        self.routine.clone()
    }

    #[getter]
    fn index(&self) -> usize {
        self.index
    }

    #[getter]
    fn offset(&self) -> usize {
        self.start
    }

    #[getter]
    fn size(&self) -> usize {
        self.len
    }

    #[getter]
    fn bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, self.code())
    }

    #[getter]
    fn opcode(&self) -> u8 {
        self.inner.opcode()
    }

    #[getter]
    fn mnemonic(&self) -> &'static str {
        self.inner.mnemonic()
    }

    #[getter]
    fn kind(&self) -> &'static str {
        self.inner.kind().name()
    }

    #[getter]
    fn text(&self, py: Python<'_>) -> &str {
        py.detach(|| self.line())
    }

    #[getter]
    fn operands<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.visit_operands())
    }

    fn operand(&self, field: &str) -> PyResult<Operand> {
        let mut operands = self.visit_operands().into_iter();
        let operand = operands.find(|operand| operand.field == field);
        operand.ok_or_else(|| {
            PyKeyError::new_err(format!("{} has no operand `{field}`", self.inner.mnemonic()))
        })
    }

    #[getter]
    fn reads<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.accesses(AccessKind::Read))
    }

    #[getter]
    fn writes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.accesses(AccessKind::Write))
    }

    fn fields<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let (routine, mut recorder) = (self.routine.get(), FieldRecorder::default());
        let mut r = Reader::traced(self.code(), self.start, routine.format(), &mut recorder);
        let mut instruction = genvisa::Instruction::default();
        decode_recorded(&mut instruction, &mut r).map_err(|error| error::decoding(py, &error))?;
        explain::tree(py, &recorder.take(), Some(routine.body))
    }

    fn __eq__(&self, other: &Instruction) -> bool {
        self == other
    }

    fn __hash__(&self) -> u64 {
        hash_of(self)
    }

    fn __str__(&self, py: Python<'_>) -> &str {
        self.text(py)
    }

    fn __repr__(&self) -> String {
        let Instruction { index, start, .. } = self;
        format!("<Instruction {index} {} at {start:#x}>", self.inner.mnemonic())
    }
}
