//! Building in a routine that exists.

use alloc::vec::Vec;
use core::panic::Location;

use super::Builder;
use super::callers::Callers;
use super::code::InstructionBuffer;
use super::error::Errors;
use super::handle::BuilderId;
use super::labels::LabelState;
use crate::object::RoutineEditor;

impl RoutineEditor<'_, '_> {
    /// Writes instructions with a builder, which contains the tables and the instructions of the routine.
    /// Its [position](Builder::set_position) is the end. [`Builder::find`] and [`Builder::handle`] return
    /// the handles of what is declared. Only with the feature `build`.
    ///
    /// The time is linear in the size of the routine, so insert everything in one call.
    ///
    /// ```
    /// use genvisa::object::Align;
    /// use genvisa::operand::{DataType, ExecSize::*, VarId};
    /// use genvisa::{Dialect, Module};
    ///
    /// let file = std::fs::read("tests/data/tour.isa")?;
    /// let mut module = Module::from_bytes(&file, Dialect::Igc2022)?;
    /// let mut editor = module.edit(0)?;
    /// editor.build(|k| {
    ///     let level = k.find::<VarId>("level").expect("a variable");
    ///     let old = k.add_variable("old_level", DataType::UD, 8, Align::GRF);
    ///     // After the label of the kernel.
    ///     k.set_position(1).mov(S8, old, level);
    /// })?;
    /// editor.finish()?;
    /// # let text = genvisa::text::FileListing::new(&module).to_text()?;
    /// # assert!(text.contains("mov (M1, 8) old_level(0,0)<1> level(0,0)<1;1,0>"), "{text}");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Returns all errors in what was declared and inserted, as [`Builder::into_kernel`] does. The routine
    /// does not change in this case. The instructions that it had are not checked.
    #[track_caller]
    pub fn build<R>(&mut self, write: impl FnOnce(&mut Builder) -> R) -> Result<R, Errors> {
        let mut k = Builder::of(self, Location::caller());
        let result = write(&mut k);
        if self.inputs_mut().is_none() {
            k.reject_inputs();
        }
        let instructions: Vec<_> = k.instructions().copied().collect();
        let (kernel, _) = k.finish()?;
        *self.body_mut() = kernel.body;
        if let Some(inputs) = self.inputs_mut() {
            *inputs = kernel.inputs;
        }
        self.instructions = instructions;
        Ok(result)
    }
}

impl Builder {
    /// Returns a builder of a routine that exists.
    fn of(editor: &RoutineEditor<'_, '_>, caller: &'static Location<'static>) -> Builder {
        let (routine, body) = (editor.routine(), editor.body().clone());
        let inputs = routine.inputs.to_vec();
        let mut callers = Callers::new(caller);
        callers.record(&body, &inputs, caller);
        Builder {
            owner: BuilderId::new(),
            format: editor.format(),
            name: routine.name.clone(),
            labels: LabelState::of(&editor.instructions, body.labels.len()),
            body,
            inputs,
            code: InstructionBuffer::new(&editor.instructions),
            pending: Vec::new(),
            errors: Vec::new(),
            callers,
        }
    }
}
