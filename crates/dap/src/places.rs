//! Instructions, by their addresses and by their places in sources and listings.

use std::path::{Path, PathBuf};

use genvisa_interp::{Code, Program, Source};
use serde_json::{Value, json};

/// The most instructions of an answer to `disassemble`.
const MAX_INSTRUCTIONS: i64 = 1 << 12;

/// Finds the path of a file that a program names.
pub type FindSource = Box<dyn Fn(&str) -> Option<PathBuf>>;

/// The instructions of a program. The address of an instruction is its index among those of all routines.
pub(crate) struct Places<'p> {
    program: &'p Program,
    find_source: FindSource,
}

impl<'p> Places<'p> {
    pub fn new(program: &'p Program, find_source: FindSource) -> Places<'p> {
        Places { program, find_source }
    }

    fn routines(&self) -> impl Iterator<Item = (usize, &'p Code)> {
        let first = |first: &mut usize, code: &'p Code| {
            let start = *first;
            *first += code.instructions().len();
            Some((start, code))
        };
        self.program.routines().iter().scan(0, first)
    }

    /// Returns the address of an instruction of a routine.
    pub fn address(&self, routine: usize, instruction: usize) -> usize {
        self.routines().nth(routine).map_or(0, |(first, _)| first) + instruction
    }

    /// Returns the address that a client got from [`reference`].
    pub fn parse(&self, reference: &Value, offset: &Value) -> Option<i64> {
        let digits = reference.as_str()?.strip_prefix("0x")?;
        let address = u64::from_str_radix(digits, 16).ok()? as i64;
        address.checked_add(offset.as_i64().unwrap_or_default())
    }

    /// Returns an instruction: its routine, and its index in it.
    pub fn instruction(&self, address: usize) -> Option<(usize, &'p Code, usize)> {
        let mut all = self.routines().enumerate();
        all.find_map(|(routine, (first, code))| {
            let index = address.checked_sub(first)?;
            (index < code.instructions().len()).then_some((routine, code, index))
        })
    }

    /// Returns the source line of an instruction, if it is known.
    pub fn line(&self, address: usize) -> Option<Source> {
        let (_, code, index) = self.instruction(address)?;
        code.source(index)
    }

    /// Returns the source and the line of an instruction for the client: those of the source language, or else those of
    /// the listing.
    pub fn shown(&self, address: usize) -> Value {
        let Some((routine, code, index)) = self.instruction(address) else {
            return json!({ "line": 0, "column": 0 });
        };
        let source = code.source(index);
        let found =
            source.and_then(|source| Some(((self.find_source)(&source.file)?, source.line)));
        match found {
            Some((path, line)) => {
                let name = path.file_name().unwrap_or_default().to_string_lossy();
                json!({ "source": { "name": name, "path": path }, "line": line, "column": 0 })
            }
            None => {
                let listing = json!({
                    "name": format!("{}.visaasm", code.name()),
                    "sourceReference": routine + 1,
                });
                json!({ "source": listing, "line": index + 1, "column": 0 })
            }
        }
    }

    /// Returns the listing that a source of [`shown`](Self::shown) refers to: an instruction in each line.
    pub fn listing(&self, source: &Value) -> Option<String> {
        let code = self.program.routines().get(routine(source)?)?;
        let lines = (0..code.instructions().len()).map(|index| code.line(index) + "\n");
        Some(lines.collect())
    }

    /// Returns the instructions at which a breakpoint of a line stops: where code of the line begins.
    pub fn of_line(&self, source: &Value, line: u32) -> Vec<usize> {
        if let Some(routine) = routine(source) {
            let code = self.program.routines().get(routine);
            let index = (line as usize).checked_sub(1);
            let index = index.filter(|it| code.is_some_and(|code| *it < code.instructions().len()));
            return index.map(|index| self.address(routine, index)).into_iter().collect();
        }
        let Some(path) = source["path"].as_str().map(Path::new) else { return Vec::new() };
        let path = path.canonicalize().unwrap_or_else(|_| path.to_owned());
        let is_line = |source: Source| {
            source.line == line && (self.find_source)(&source.file).is_some_and(|it| it == path)
        };
        let mut found = Vec::new();
        for (first, code) in self.routines() {
            let mut before = false;
            for index in 0..code.instructions().len() {
                let is_here = code.source(index).is_some_and(is_line);
                if is_here && !before {
                    found.push(first + index);
                }
                before = is_here;
            }
        }
        found
    }

    /// Returns instructions from an address on, for `disassemble`.
    pub fn disassembly(&self, first: i64, count: i64) -> Value {
        let instruction = |address: i64| {
            let place =
                usize::try_from(address).ok().and_then(|it| Some((it, self.instruction(it)?)));
            let Some((at, (_, code, index))) = place else {
                return json!({ "address": reference(address), "instruction": "" });
            };
            let shown = self.shown(at);
            json!({
                "address": reference(address),
                "instruction": code.line(index),
                "symbol": code.name(),
                "location": shown["source"],
                "line": shown["line"],
            })
        };
        let count = count.clamp(0, MAX_INSTRUCTIONS);
        (first..first.saturating_add(count)).map(instruction).collect()
    }
}

/// Returns the address of an instruction as the client gets it. Clients also ask for those before the first.
pub(crate) fn reference(address: i64) -> String {
    format!("{:#x}", address as u64)
}

/// Returns the index of the routine whose listing is a source.
fn routine(source: &Value) -> Option<usize> {
    let reference = source["sourceReference"].as_u64()?;
    usize::try_from(reference.checked_sub(1)?).ok()
}
