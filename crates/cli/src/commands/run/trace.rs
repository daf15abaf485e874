//! Printing of instructions and values while a kernel runs.

use std::io::{self, Write};

use anyhow::bail;
use genvisa::isa::{Id, IdClass};
use genvisa::operand::{DataType, VarId};
use genvisa_interp::{Fault, Group, Machine, Program, elements};

use super::observe::Observer;
use crate::modules::names;
use crate::output::Output;
use crate::words::printable;

/// What is printed.
pub struct Trace<'p, 'o> {
    program: &'p Program,
    out: &'o mut Output,
    /// The variable of each routine that is shown. Instructions are shown if there is none.
    variables: Vec<Option<(VarId, DataType)>>,
    name: String,
    before: Option<Before>,
}

/// The variable before an instruction.
struct Before {
    thread: usize,
    routine: usize,
    instruction: usize,
    value: Option<(Vec<u8>, Vec<u8>)>,
}

impl<'p, 'o> Trace<'p, 'o> {
    /// Returns a trace of the variable of a name, or of all instructions if it is empty.
    pub fn new(
        program: &'p Program,
        name: &str,
        out: &'o mut Output,
    ) -> anyhow::Result<Trace<'p, 'o>> {
        if name.is_empty() {
            let (variables, name) = (Vec::new(), String::new());
            return Ok(Trace { program, out, variables, name, before: None });
        }
        let variable = |code: &genvisa_interp::Code| {
            let Some(Id { class: IdClass::Variable, number }) = names::find(name, code.body())
            else {
                return None;
            };
            let variable = VarId(number);
            let declared = number.checked_sub(VarId::FIRST_DECLARED.0);
            let declared = declared.and_then(|index| code.body().variables.get(index as usize));
            let ty = declared.map(|declared| declared.ty).or(variable.predefined_type());
            Some((variable, ty.unwrap_or_default()))
        };
        let variables: Vec<_> = program.routines().iter().map(variable).collect();
        if variables.iter().all(Option::is_none) {
            bail!("no routine has a general variable `{}`", printable(name));
        }
        Ok(Trace { program, out, variables, name: name.into(), before: None })
    }

    fn value(&self, group: &Group, thread: usize, routine: usize) -> Option<(Vec<u8>, Vec<u8>)> {
        let (variable, _) = (*self.variables.get(routine)?)?;
        group.threads().get(thread)?.variable(self.program, variable)
    }

    fn line(&self, group: &Group, thread: usize, routine: usize, instruction: usize) -> String {
        let [x, y, z] = group.id();
        let code = &self.program.routines()[routine];
        let line = code.line(instruction);
        format!(
            "({x}, {y}, {z}) thread {thread}, {} ${instruction}: {line}",
            printable(code.name())
        )
    }

    /// Prints the instruction that follows.
    fn print_instruction(&mut self, group: &Group, thread: usize) -> io::Result<()> {
        let Some((routine, instruction, lanes)) = group.threads()[thread].next() else {
            return Ok(());
        };
        let line = self.line(group, thread, routine, instruction);
        writeln!(self.out, "{line}  [lanes {lanes:#x}]")
    }

    /// Prints the variable if an instruction has changed it.
    fn print_change(&mut self, group: &Group, before: &Before) -> io::Result<()> {
        let Some((_, ty)) = self.variables.get(before.routine).copied().flatten() else {
            return Ok(());
        };
        // After a return, the variable is that of the caller.
        let is_same =
            group.threads()[before.thread].next().is_none_or(|next| next.0 == before.routine);
        let after = self.value(group, before.thread, before.routine).filter(|_| is_same);
        let Some((bytes, undefined)) = after.filter(|after| before.value.as_ref() != Some(after))
        else {
            return Ok(());
        };
        let line = self.line(group, before.thread, before.routine, before.instruction);
        writeln!(self.out, "{line}")?;
        let elements = elements(ty, &bytes, &undefined).join(" ");
        writeln!(self.out, "    {} = {elements}", printable(&self.name))
    }
}

impl Observer for Trace<'_, '_> {
    fn before(&mut self, _: &Machine<'_>, group: &Group, thread: usize) -> io::Result<bool> {
        if self.variables.is_empty() {
            return self.print_instruction(group, thread).map(|()| false);
        }
        if let Some(before) = self.before.take() {
            self.print_change(group, &before)?;
        }
        if let Some((routine, instruction, _)) = group.threads()[thread].next() {
            let value = self.value(group, thread, routine);
            self.before = Some(Before { thread, routine, instruction, value });
        }
        Ok(false)
    }

    fn after(&mut self, _: &Machine<'_>, group: &Group, fault: Option<&Fault>) -> io::Result<()> {
        match self.before.take() {
            Some(before) if fault.is_none() => self.print_change(group, &before),
            _ => Ok(()),
        }
    }
}
