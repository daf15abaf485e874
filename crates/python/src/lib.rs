//! The Python package `genvisa`.
//!
//! Every class wraps a type of the crate. `lib/genvisa/_genvisa.pyi` has their types and documentation
//! for Python.
//! Objects are immutable and share one [`Decoded`](decoded::Decoded) module.

#![forbid(unsafe_code)]

mod analysis;
mod decoded;
mod edit;
mod error;
mod explain;
mod inline;
mod instruction;
mod module;
mod operand;
mod routine;
mod tables;
mod tool;
mod verify;

use pyo3::prelude::*;

#[pymodule]
#[pyo3(name = "_genvisa")]
fn python_module(m: &Bound<'_, PyModule>) -> PyResult<()> {
    m.add("__version__", env!("CARGO_PKG_VERSION"))?;
    error::add_to(m)?;
    m.add_function(wrap_pyfunction!(module::read, m)?)?;
    m.add_function(wrap_pyfunction!(module::parse, m)?)?;
    m.add_function(wrap_pyfunction!(module::format, m)?)?;
    m.add_class::<module::Module>()?;
    m.add_class::<routine::Routine>()?;
    m.add_class::<analysis::Analysis>()?;
    m.add_class::<analysis::Block>()?;
    m.add_class::<analysis::Loop>()?;
    m.add_class::<analysis::Access>()?;
    m.add_class::<instruction::Instructions>()?;
    m.add_class::<instruction::Instruction>()?;
    m.add_class::<operand::Operand>()?;
    m.add_class::<tables::Id>()?;
    m.add_class::<tables::Variable>()?;
    m.add_class::<tables::SimpleVariable>()?;
    m.add_class::<tables::Label>()?;
    m.add_class::<tables::Input>()?;
    m.add_class::<tables::Attribute>()?;
    m.add_class::<tables::GenBinary>()?;
    m.add_class::<verify::Finding>()?;
    m.add_function(wrap_pyfunction!(inline::check_template, m)?)?;
    // Not in `__all__`.
    m.setattr("_run", wrap_pyfunction!(tool::_run, m)?)?;
    m.setattr("_main", wrap_pyfunction!(tool::_main, m)?)?;
    m.add_class::<inline::TemplateReport>()?;
    m.add_class::<inline::TemplateFinding>()?;
    m.add_class::<error::Diagnostic>()
}
