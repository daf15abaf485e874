//! Instructions and values while a kernel runs.

use std::io::{self, Write};

use anyhow::bail;
use genvisa::isa::{Id, IdClass};
use genvisa::operand::{DataType, VarId};
use genvisa_interp::{Fault, Group, Machine, Program, Site, elements};

use super::observe::Observer;
use crate::modules::names;
use crate::output::Output;
use crate::words::printable;

/// An instruction of a trace.
pub struct Traced {
    pub group: [u32; 3],
    pub thread: usize,
    pub site: Site,
    /// The lanes that execute it.
    pub lanes: u32,
    /// The elements of the variable after it, of which some may be undefined; `None` if the trace is about no variable.
    pub values: Option<Vec<Option<String>>>,
}

/// Where a trace goes.
pub enum Sink<'o> {
    Text(&'o mut Output),
    Kept(Vec<Traced>),
}

/// The most instructions of a trace that is kept.
const MAX_KEPT: usize = 1 << 18;

/// What is traced.
pub struct Trace<'p, 'o> {
    program: &'p Program,
    sink: Sink<'o>,
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
    lanes: u32,
    value: Option<(Vec<u8>, Vec<u8>)>,
}

impl<'p, 'o> Trace<'p, 'o> {
    /// Returns a trace of the variable of a name, or of all instructions if it is empty.
    pub fn new(program: &'p Program, name: &str, sink: Sink<'o>) -> anyhow::Result<Trace<'p, 'o>> {
        if name.is_empty() {
            let (variables, name) = (Vec::new(), String::new());
            return Ok(Trace { program, sink, variables, name, before: None });
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
        Ok(Trace { program, sink, variables, name: name.into(), before: None })
    }

    fn value(&self, group: &Group, thread: usize, routine: usize) -> Option<(Vec<u8>, Vec<u8>)> {
        let (variable, _) = (*self.variables.get(routine)?)?;
        group.threads().get(thread)?.variable(self.program, variable)
    }

    /// Prints or keeps an instruction.
    fn add(&mut self, traced: Traced) -> io::Result<()> {
        let out = match &mut self.sink {
            Sink::Text(out) => out,
            Sink::Kept(all) if all.len() == MAX_KEPT => {
                let what = format!("the trace has more than {MAX_KEPT} entries");
                return Err(io::Error::other(what));
            }
            Sink::Kept(all) => {
                all.push(traced);
                return Ok(());
            }
        };
        let Traced { group: [x, y, z], thread, site, lanes, values } = traced;
        let Site { routine, instruction, line, .. } = site;
        write!(
            out,
            "({x}, {y}, {z}) thread {thread}, {} ${instruction}: {line}",
            printable(&routine)
        )?;
        match values {
            None => writeln!(out, "  [lanes {lanes:#x}]"),
            Some(values) => {
                let values: Vec<&str> =
                    values.iter().map(|value| value.as_deref().unwrap_or("?")).collect();
                writeln!(out, "\n    {} = {}", printable(&self.name), values.join(" "))
            }
        }
    }

    /// Adds the instruction that follows.
    fn add_instruction(&mut self, group: &Group, thread: usize) -> io::Result<()> {
        let Some((routine, instruction, lanes)) = group.threads()[thread].next() else {
            return Ok(());
        };
        let site = self.program.routines()[routine].site(instruction);
        self.add(Traced { group: group.id(), thread, site, lanes, values: None })
    }

    /// Adds an instruction if it has changed the variable.
    fn add_change(&mut self, group: &Group, before: &Before) -> io::Result<()> {
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
        let &Before { thread, routine, instruction, lanes, .. } = before;
        let site = self.program.routines()[routine].site(instruction);
        let values = Some(elements(ty, &bytes, &undefined));
        self.add(Traced { group: group.id(), thread, site, lanes, values })
    }
}

impl Observer for Trace<'_, '_> {
    fn before(&mut self, _: &Machine<'_>, group: &Group, thread: usize) -> io::Result<bool> {
        if self.variables.is_empty() {
            return self.add_instruction(group, thread).map(|()| false);
        }
        if let Some(before) = self.before.take() {
            self.add_change(group, &before)?;
        }
        if let Some((routine, instruction, lanes)) = group.threads()[thread].next() {
            let value = self.value(group, thread, routine);
            self.before = Some(Before { thread, routine, instruction, lanes, value });
        }
        Ok(false)
    }

    fn after(&mut self, _: &Machine<'_>, group: &Group, fault: Option<&Fault>) -> io::Result<()> {
        match self.before.take() {
            Some(before) if fault.is_none() => self.add_change(group, &before),
            _ => Ok(()),
        }
    }

    fn traced(&mut self) -> Option<Vec<Traced>> {
        match &mut self.sink {
            Sink::Text(_) => None,
            Sink::Kept(all) => Some(std::mem::take(all)),
        }
    }
}
