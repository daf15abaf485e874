//! The operands of instructions.

use genvisa::isa::IdClass;
use genvisa::object::Body;
use genvisa::operand::{
    Aoffimmi, Exec, Imm, LabelId, Pred, Raw, SamplerId, Slot, StateClass, StringId, SurfaceId,
    VarId, Vector, VectorKind, Visitor,
};
use genvisa::wire::AsText;
use pyo3::prelude::*;

use crate::tables::Id;

/// An operand of an instruction.
#[pyclass(frozen, get_all, module = "genvisa")]
#[derive(Clone)]
pub struct Operand {
    pub field: &'static str,
    kind: &'static str,
    text: String,
    id: Option<Id>,
    value: Option<Value>,
    is_written: bool,
}

/// The value of a constant.
#[derive(Clone, Copy, IntoPyObject, IntoPyObjectRef)]
enum Value {
    Integer(i64),
    Float(f64),
}

impl Value {
    fn new(imm: Imm) -> Option<Value> {
        let float = || imm.as_f64().or(imm.as_f32().map(f64::from));
        imm.as_integer().map(Value::Integer).or_else(|| float().map(Value::Float))
    }
}

#[pymethods]
impl Operand {
    /// The name of what `id` refers to, or else the text.
    #[getter]
    fn name(&self) -> &str {
        self.id.as_ref().map_or(&self.text, Id::name)
    }

    fn __str__(&self) -> &str {
        &self.text
    }

    fn __repr__(&self) -> String {
        format!("<Operand {} {} `{}`>", self.field, self.kind, self.name())
    }
}

/// Returns the operands of an instruction, in the order of their bytes.
pub fn operands(instruction: &genvisa::Instruction, body: &Body<'_>) -> Vec<Operand> {
    let mut collector = Collector { body, operands: Vec::new() };
    instruction.visit(&mut collector);
    collector.operands
}

struct Collector<'b, 'a> {
    body: &'b Body<'a>,
    operands: Vec<Operand>,
}

impl Collector<'_, '_> {
    fn push(
        &mut self,
        slot: Slot,
        kind: &'static str,
        text: &impl AsText,
        id: Option<genvisa::isa::Id>,
    ) {
        self.operands.push(Operand {
            field: slot.field,
            kind,
            text: text.as_text(),
            id: id.map(|id| Id::new(id, self.body)),
            value: None,
            is_written: slot.is_written,
        });
    }

    fn push_vector(&mut self, slot: Slot, operand: &Vector) {
        let (kind, id) = match operand.kind {
            VectorKind::General { var, .. } => ("variable", Some(var.into())),
            VectorKind::Address { addr, .. } => ("address", Some(addr.into())),
            VectorKind::Indirect { addr, .. } => ("indirect", Some(addr.into())),
            VectorKind::Predicate(pred) => ("predicate", Some(pred.id().into())),
            VectorKind::Immediate(_) => ("immediate", None),
            VectorKind::State { class, index, .. } => {
                let number = index.into();
                match class {
                    StateClass::SURFACE => {
                        ("surface", Some(genvisa::isa::Id { class: IdClass::Surface, number }))
                    }
                    StateClass::SAMPLER => {
                        ("sampler", Some(genvisa::isa::Id { class: IdClass::Sampler, number }))
                    }
                    _ => ("state", None),
                }
            }
        };
        self.push(slot, kind, operand, id);
        if let (Some(last), Some(imm)) = (self.operands.last_mut(), operand.as_imm()) {
            last.value = Value::new(imm);
        }
    }
}

impl Visitor for Collector<'_, '_> {
    fn exec(&mut self, slot: Slot, exec: Exec) {
        self.push(slot, "exec", &exec, None);
    }

    fn pred(&mut self, slot: Slot, pred: Pred) {
        if !pred.is_none() {
            self.push(slot, "predicate", &pred, Some(pred.id().into()));
        }
    }

    fn vector(&mut self, slot: Slot, operand: &Vector) {
        self.push_vector(slot, operand);
    }

    fn dst(&mut self, slot: Slot, operand: &Vector) {
        self.push_vector(slot, operand);
    }

    fn cmp_dst(&mut self, slot: Slot, operand: &Vector) {
        self.push_vector(slot, operand);
    }

    fn address_of(&mut self, slot: Slot, operand: &Vector) {
        self.push_vector(slot, operand);
    }

    fn raw(&mut self, slot: Slot, operand: Raw) {
        self.push(slot, "raw", &operand, Some(operand.var.into()));
    }

    fn aoffimmi(&mut self, slot: Slot, Aoffimmi(operand): Aoffimmi) {
        self.push_vector(slot, &operand);
    }

    fn surface(&mut self, slot: Slot, surface: SurfaceId) {
        self.push(slot, "surface", &surface, Some(surface.into()));
    }

    fn sampler(&mut self, slot: Slot, sampler: SamplerId) {
        self.push(slot, "sampler", &sampler, Some(sampler.into()));
    }

    fn state_address(&mut self, slot: Slot, var: VarId) {
        self.push(slot, "variable", &var, Some(var.into()));
    }

    fn label(&mut self, slot: Slot, label: LabelId) {
        self.push(slot, "label", &label, Some(label.into()));
    }

    fn string(&mut self, slot: Slot, string: StringId) {
        self.push(slot, "string", &string, Some(string.into()));
    }
}
