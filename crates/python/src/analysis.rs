//! Control flow, liveness and register pressure of a routine.

use std::sync::Arc;

use genvisa::Platform;
use genvisa::RegisterSize;
use genvisa::analysis::{self, BlockId, Loops};
use genvisa::isa::IdClass;
use pyo3::exceptions::{PyIndexError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyList, PyRange, PyTuple};

use crate::error;
use crate::routine::Routine;
use crate::tables::Id;
use crate::verify;

/// The analysis of a routine, with its loops.
struct Facts {
    analysis: analysis::Analysis,
    loops: Loops,
}

/// What is known about the code of a routine.
#[pyclass(frozen, module = "genvisa")]
pub struct Analysis {
    routine: Routine,
    facts: Arc<Facts>,
}

impl Analysis {
    pub fn new(
        py: Python<'_>,
        routine: &Routine,
        platform: Option<&str>,
        registers: Option<u32>,
    ) -> PyResult<Analysis> {
        let platform = platform.map(str::parse::<Platform>).transpose().map_err(error::value)?;
        let size = match registers {
            Some(bytes) => Some(RegisterSize::from_bytes(bytes).ok_or_else(|| {
                PyValueError::new_err("registers must be 32 or 64: the size in bytes")
            })?),
            None => {
                verify::warn_of_assumption(py, &routine.decoded, platform)?;
                let platform = platform.or_else(|| verify::stated_platform(&routine.decoded));
                platform.map(Platform::register_size)
            }
        };
        let facts = py.detach(|| {
            let inner = routine.get();
            let size = size.unwrap_or_else(|| inner.body.register_size(None));
            let analysis = analysis::Analysis::new(inner, size)?;
            let loops = analysis.cfg.loops(&analysis.cfg.dominators());
            Ok(Facts { analysis, loops })
        });
        let facts = facts.map_err(|error| error::decoding(py, &error))?;
        Ok(Analysis { routine: routine.clone(), facts: Arc::new(facts) })
    }

    /// Returns the numbers of live registers in a range of instructions.
    fn registers(&self) -> impl Iterator<Item = u32> + '_ {
        self.facts.analysis.liveness.pressure().iter().map(|pressure| pressure.registers)
    }

    fn check(&self, instruction: usize) -> PyResult<()> {
        match instruction < self.facts.analysis.instructions.len() {
            true => Ok(()),
            false => Err(PyIndexError::new_err("instruction index out of range")),
        }
    }
}

#[pymethods]
impl Analysis {
    #[getter]
    fn routine(&self) -> Routine {
        self.routine.clone()
    }

    #[getter]
    fn register_bytes(&self) -> u32 {
        self.facts.analysis.storage.registers().bytes()
    }

    #[getter]
    fn blocks<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let count = self.facts.analysis.cfg.blocks().len();
        PyTuple::new(py, (0..count).map(|index| self.block(index)).collect::<Vec<_>>())
    }

    #[getter]
    fn loops<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let loops = &self.facts.loops;
        let of = |(id, one): (u32, &analysis::Loop)| Loop {
            header: one.header.index(),
            depth: one.depth,
            parent: one.parent.map(|parent| parent.index()),
            blocks: {
                let mut blocks: Vec<usize> =
                    loops.blocks(analysis::LoopId(id)).iter().map(|block| block.index()).collect();
                blocks.sort_unstable();
                blocks
            },
        };
        PyTuple::new(py, (0..).zip(loops.loops()).map(of).collect::<Vec<_>>())
    }

    #[getter]
    fn pressure<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        PyList::new(py, self.registers().collect::<Vec<_>>())
    }

    #[getter]
    fn peak(&self) -> Option<(usize, u32)> {
        self.facts.analysis.liveness.peak().map(|(at, pressure)| (at, pressure.registers))
    }

    fn live(&self, instruction: usize) -> PyResult<Vec<(Id, u32)>> {
        self.check(instruction)?;
        let body = self.routine.get().body;
        let live = self.facts.analysis.liveness.live_at(instruction);
        Ok(live.map(|live| (Id::new(live.root, body), live.units)).collect())
    }

    fn definitions(&self, py: Python<'_>, instruction: usize, id: &Id) -> PyResult<Vec<usize>> {
        self.check(instruction)?;
        let Some(id) = id.get() else { return Ok(Vec::new()) };
        Ok(py.detach(|| self.facts.analysis.chains().definitions(instruction, id).instructions))
    }

    fn uses(&self, py: Python<'_>, instruction: usize, id: &Id) -> PyResult<Vec<usize>> {
        self.check(instruction)?;
        let Some(id) = id.get() else { return Ok(Vec::new()) };
        Ok(py.detach(|| self.facts.analysis.chains().uses(instruction, id)))
    }

    fn accesses(&self, instruction: usize) -> PyResult<Vec<Access>> {
        self.check(instruction)?;
        let (facts, body) = (&self.facts.analysis, self.routine.get().body);
        let mut accesses = Vec::new();
        facts.storage.visit_accesses(&facts.instructions[instruction], |access| {
            accesses.push(Access {
                root: Id::new(access.root, body),
                kind: name(access.kind),
                condition: name(access.condition),
                ranges: access.footprint.ranges().map(|range| (range.start, range.end)).collect(),
            });
        });
        Ok(accesses)
    }

    fn __repr__(&self) -> String {
        let (blocks, loops) =
            (self.facts.analysis.cfg.blocks().len(), self.facts.loops.loops().len());
        let peak = self.facts.analysis.liveness.peak().map_or(0, |(_, peak)| peak.registers);
        format!("<Analysis: {blocks} blocks, {loops} loops, peak of {peak} registers>")
    }
}

impl Analysis {
    fn block(&self, index: usize) -> Block {
        let (cfg, id) = (&self.facts.analysis.cfg, BlockId(index as u32));
        let block = &cfg.blocks()[index];
        let label = block.label.map(|label| {
            let id = genvisa::isa::Id { class: IdClass::Label, number: label.0.into() };
            Id::new(id, self.routine.get().body)
        });
        Block {
            index,
            start: block.instructions.start,
            end: block.instructions.end,
            label,
            successors: cfg.successors(id).iter().map(|edge| edge.to.index()).collect(),
            predecessors: cfg.predecessors(id).iter().map(|edge| edge.from.index()).collect(),
            loop_depth: self.facts.loops.depth(id),
            is_divergent: self.facts.analysis.divergence.is_divergent(id),
            is_reachable: cfg.is_reachable(id),
            peak: {
                let pressure = self.facts.analysis.liveness.pressure();
                let range = pressure.get(block.instructions.clone()).unwrap_or_default();
                range.iter().map(|pressure| pressure.registers).max().unwrap_or(0)
            },
        }
    }
}

/// Returns the name of a variant as Python has it: in lower case, with `_` between words.
fn name(variant: impl std::fmt::Debug) -> String {
    let mut name = String::new();
    for letter in format!("{variant:?}").chars() {
        if letter.is_uppercase() && !name.is_empty() {
            name.push('_');
        }
        name.extend(letter.to_lowercase());
    }
    name
}

/// A basic block.
#[pyclass(frozen, module = "genvisa")]
pub struct Block {
    #[pyo3(get)]
    index: usize,
    start: usize,
    end: usize,
    #[pyo3(get)]
    label: Option<Id>,
    #[pyo3(get)]
    successors: Vec<usize>,
    #[pyo3(get)]
    predecessors: Vec<usize>,
    #[pyo3(get)]
    loop_depth: u32,
    #[pyo3(get)]
    is_divergent: bool,
    #[pyo3(get)]
    is_reachable: bool,
    #[pyo3(get)]
    peak: u32,
}

#[pymethods]
impl Block {
    #[getter]
    fn instructions<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyRange>> {
        PyRange::new(py, self.start as isize, self.end as isize)
    }

    fn __repr__(&self) -> String {
        let Block { index, start, end, .. } = self;
        format!("<Block {index}: instructions {start} to {}>", end.saturating_sub(1))
    }
}

/// A natural loop.
#[pyclass(frozen, get_all, module = "genvisa")]
pub struct Loop {
    header: usize,
    depth: u32,
    parent: Option<usize>,
    blocks: Vec<usize>,
}

#[pymethods]
impl Loop {
    fn __repr__(&self) -> String {
        format!("<Loop at block {}: {} blocks>", self.header, self.blocks.len())
    }
}

/// An access of an instruction to the storage of a variable.
#[pyclass(frozen, get_all, module = "genvisa")]
pub struct Access {
    root: Id,
    kind: String,
    condition: String,
    ranges: Vec<(u32, u32)>,
}

#[pymethods]
impl Access {
    fn __repr__(&self) -> String {
        format!("<Access: {} of `{}`>", self.kind, self.root.name())
    }
}
