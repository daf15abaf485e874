//! Printing of instructions and values while a kernel runs.

use std::io::{self, Write};

use anyhow::bail;
use genvisa::isa::{Id, IdClass};
use genvisa::operand::{DataType, VarId};
use genvisa_interp::{Counts, Fault, Group, Machine, Program};

use crate::modules::names;
use crate::output::Output;
use crate::words::printable;

/// What is printed.
pub struct Trace<'p> {
    program: &'p Program,
    /// The variable of each routine that is shown. Instructions are shown if there is none.
    variables: Vec<Option<(VarId, DataType)>>,
    name: String,
}

/// The variable before an instruction.
struct Before {
    thread: usize,
    routine: usize,
    instruction: usize,
    value: Option<(Vec<u8>, Vec<u8>)>,
}

impl<'p> Trace<'p> {
    /// Returns a trace of the variable of a name, or of all instructions if it is empty.
    pub fn new(program: &'p Program, name: &str) -> anyhow::Result<Trace<'p>> {
        if name.is_empty() {
            return Ok(Trace { program, variables: Vec::new(), name: String::new() });
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
        Ok(Trace { program, variables, name: name.into() })
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
    fn print_instruction(&self, group: &Group, thread: usize, out: &mut Output) -> io::Result<()> {
        let Some((routine, instruction, lanes)) = group.threads()[thread].next() else {
            return Ok(());
        };
        let line = self.line(group, thread, routine, instruction);
        writeln!(out, "{line}  [lanes {lanes:#x}]")
    }

    /// Prints the variable if an instruction has changed it.
    fn print_change(&self, group: &Group, before: &Before, out: &mut Output) -> io::Result<()> {
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
        writeln!(out, "{}", self.line(group, before.thread, before.routine, before.instruction))?;
        write!(out, "    {} =", printable(&self.name))?;
        for (bytes, undefined) in bytes.chunks(ty.size()).zip(undefined.chunks(ty.size())) {
            match undefined.iter().any(|bits| *bits != 0) {
                true => write!(out, " ?")?,
                false => write!(out, " {}", shown(ty, bytes))?,
            }
        }
        writeln!(out)
    }
}

/// Runs groups one after the other, and prints what happens.
pub fn run(
    machine: &Machine<'_>,
    groups: impl Iterator<Item = Result<Group, Fault>>,
    trace: &mut Trace<'_>,
    out: &mut Output,
) -> anyhow::Result<Result<Counts, Fault>> {
    let mut total = Counts::default();
    for group in groups {
        let mut group = match group {
            Ok(group) => group,
            Err(fault) => return Ok(Err(fault)),
        };
        let mut before: Option<Before> = None;
        let mut printed = Ok(());
        let result = machine.run_until(&mut group, |group, thread| {
            printed = trace.before(group, thread, &mut before, out);
            printed.is_err()
        });
        printed?;
        if let Err(fault) = result {
            return Ok(Err(fault));
        }
        if let Some(before) = &before {
            trace.print_change(&group, before, out)?;
        }
        total += group.counts();
    }
    Ok(Ok(total))
}

impl Trace<'_> {
    /// Prints what the instruction before has changed, and the next.
    fn before(
        &self,
        group: &Group,
        thread: usize,
        before: &mut Option<Before>,
        out: &mut Output,
    ) -> io::Result<()> {
        if self.variables.is_empty() {
            return self.print_instruction(group, thread, out);
        }
        if let Some(before) = before.take() {
            self.print_change(group, &before, out)?;
        }
        if let Some((routine, instruction, _)) = group.threads()[thread].next() {
            let value = self.value(group, thread, routine);
            *before = Some(Before { thread, routine, instruction, value });
        }
        Ok(())
    }
}

/// Returns an element as a number.
fn shown(ty: DataType, bytes: &[u8]) -> String {
    let mut all = [0; 8];
    all[..bytes.len()].copy_from_slice(bytes);
    let bits = u64::from_le_bytes(all);
    let unused = 64 - bytes.len() as u32 * 8;
    match ty {
        DataType::F => format!("{:?}", f32::from_bits(bits as u32)),
        DataType::DF => format!("{:?}", f64::from_bits(bits)),
        DataType::HF | DataType::BF => {
            format!("{:?}", genvisa_interp::to_f64(ty, bits).unwrap_or_default() as f32)
        }
        ty if ty.is_signed_integer() => ((bits << unused) as i64 >> unused).to_string(),
        _ => bits.to_string(),
    }
}
