//! Runs that something observes: a trace or a debugger.

use std::io::{self, BufReader};

use anyhow::bail;
use genvisa_dap::Debugger;
use genvisa_interp::{Counts, Fault, Group, Machine, Program};

use super::Run;
use super::trace::{Sink, Trace, Traced};
use crate::output::Output;
use crate::source_files::SourceFiles;

/// What looks at each instruction of a run.
pub trait Observer {
    /// Looks at an instruction before a thread executes it. Returns whether the run ends here.
    fn before(&mut self, machine: &Machine<'_>, group: &Group, thread: usize) -> io::Result<bool>;

    /// Looks at a group after its last instruction, or after a fault.
    fn after(
        &mut self,
        machine: &Machine<'_>,
        group: &Group,
        fault: Option<&Fault>,
    ) -> io::Result<()>;

    /// Looks at the result of the run.
    fn finish(&mut self, _result: &Result<Counts, Fault>) {}

    /// Returns the trace, if it is kept.
    fn traced(&mut self) -> Option<Vec<Traced>> {
        None
    }
}

impl Observer for Debugger<'_> {
    fn before(&mut self, machine: &Machine<'_>, group: &Group, thread: usize) -> io::Result<bool> {
        Ok(Debugger::before(self, machine, group, thread))
    }

    fn after(
        &mut self,
        machine: &Machine<'_>,
        group: &Group,
        fault: Option<&Fault>,
    ) -> io::Result<()> {
        if let Some(fault) = fault {
            self.stopped(machine, group, fault);
        }
        Ok(())
    }

    fn finish(&mut self, result: &Result<Counts, Fault>) {
        Debugger::finish(self, result);
    }
}

/// Returns what observes a run, as options ask for.
pub fn observer<'o>(
    args: &Run,
    program: &'o Program,
    out: &'o mut Output,
) -> anyhow::Result<Option<Box<dyn Observer + 'o>>> {
    if args.debug {
        let sources = SourceFiles::new(args.source_root.as_ref(), [&args.file]);
        let find = move |file: &str| sources.find(file)?.canonicalize().ok();
        let input = BufReader::new(io::stdin());
        let debugger = Debugger::start(program, Box::new(find), input, io::stdout());
        return Ok(Some(Box::new(debugger)));
    }
    Ok(match &args.trace {
        Some(variable) => {
            let sink = if args.json { Sink::Kept(Vec::new()) } else { Sink::Text(out) };
            Some(Box::new(Trace::new(program, variable, sink)?))
        }
        None => None,
    })
}

/// Runs groups one after the other.
pub fn run(
    machine: &Machine<'_>,
    groups: impl Iterator<Item = Result<Group, Fault>>,
    observer: &mut dyn Observer,
) -> anyhow::Result<Result<Counts, Fault>> {
    let result = run_groups(machine, groups, observer)?;
    observer.finish(&result);
    Ok(result)
}

fn run_groups(
    machine: &Machine<'_>,
    groups: impl Iterator<Item = Result<Group, Fault>>,
    observer: &mut dyn Observer,
) -> anyhow::Result<Result<Counts, Fault>> {
    let mut total = Counts::default();
    for group in groups {
        let mut group = match group {
            Ok(group) => group,
            Err(fault) => return Ok(Err(fault)),
        };
        let mut ends = Ok(false);
        let result = machine.run_until(&mut group, |group, thread| {
            ends = observer.before(machine, group, thread);
            !matches!(ends, Ok(false))
        });
        total += group.counts();
        if ends? {
            bail!("the debugger ended the run");
        }
        observer.after(machine, &group, result.as_ref().err())?;
        if let Err(fault) = result {
            return Ok(Err(fault));
        }
    }
    Ok(Ok(total))
}
