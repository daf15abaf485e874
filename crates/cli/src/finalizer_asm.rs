//! The `.asm` files of the finalizer: the facts in their comments, and the vISA instruction that each
//! machine instruction came from.

use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};

use anyhow::{anyhow, bail};
use genvisa::Module;
use genvisa::Platform;
use genvisa::object::{Routine, RoutineKind};

use crate::input::choice::split_choice;
use crate::input::read_utf8;
use crate::options::{AsmArgs, AsmFile};
use crate::output::Output;
use crate::words::{is_standard, printable, shown};

/// An `.asm` file: a kernel, with the functions that are linked to it.
#[derive(Default)]
pub struct FinalizerAsm {
    /// The name of the file in messages.
    file: String,
    /// `.kernel`.
    kernel: String,
    /// `.platform`.
    platform: Option<String>,
    /// `numGRF` of `.thread_config`.
    registers: Option<u32>,
    /// `.RA type`.
    allocation: Option<String>,
    /// `.spill size`, which is stated only if it is not 0.
    spill_bytes: u32,
    /// `.instCount`: the instructions of the kernel and its functions.
    instructions: Option<usize>,
    /// The kernel, and then its functions.
    routines: Vec<AsmRoutine>,
    /// For each possible name of a function, the index of the first routine that may have it.
    functions: HashMap<String, usize>,
}

/// The machine code of a routine.
#[derive(Default)]
struct AsmRoutine {
    /// The index of a function; `None` for the kernel.
    function: Option<u32>,
    instructions: Vec<MachineInstruction>,
}

/// A line with a machine instruction.
struct MachineInstruction {
    /// The number of the line, from 1.
    line: usize,
    /// The index of the vISA instruction in its routine; `None` for code that the finalizer adds.
    visa: Option<usize>,
}

/// The machine code of a routine of a module.
pub struct MachineCode {
    /// The name of the `.asm` file.
    pub file: String,
    /// The registers that a thread of the kernel has.
    pub registers: Option<u32>,
    /// The bytes that the kernel and its functions spill.
    pub spill_bytes: u32,
    /// The allocator that succeeded, in the finalizer's words.
    pub allocation: Option<String>,
    /// The number of machine instructions of the routine.
    pub instructions: usize,
    /// Those without a vISA instruction, which the finalizer adds.
    pub added: usize,
    /// For each vISA instruction, the lines of its machine instructions.
    pub lines: Vec<Vec<usize>>,
}

impl FinalizerAsm {
    /// Returns the file of an input, whose position among the inputs is `index`. Returns `None` if the
    /// user requests none, or a file of a folder has none.
    pub fn of_input(
        args: &AsmArgs,
        index: usize,
        input: &Path,
        is_in_folder: bool,
    ) -> anyhow::Result<Option<FinalizerAsm>> {
        match args.of_input(index) {
            None => Ok(None),
            Some(AsmFile::Beside) if is_standard(input) => {
                bail!("--asm finds no file beside standard input; name it: --asm=ASM")
            }
            Some(AsmFile::Beside) => {
                let path = beside(input);
                // Functions are in the file of their kernel.
                let is_omitted = is_in_folder && !path.exists();
                if is_omitted { Ok(None) } else { FinalizerAsm::read(&path).map(Some) }
            }
            Some(AsmFile::Named(path)) => FinalizerAsm::read(path).map(Some),
        }
    }

    fn read(path: &Path) -> anyhow::Result<FinalizerAsm> {
        let text = read_utf8(path)?;
        let asm = parse(&String::from_utf8_lossy(&text)).ok_or_else(|| {
            let path = shown(path);
            anyhow!("`{path}` is no .asm file of the finalizer: it has no line `//.kernel NAME`")
        })?;
        Ok(FinalizerAsm { file: shown(path), ..asm })
    }

    /// Fails if the file is of another kernel than those of an input. Warns if its contents contradict
    /// each other or the platform that the input states.
    pub fn check(
        &self,
        input: &str,
        module: &Module<'_>,
        platform: Option<Platform>,
        out: &mut Output,
    ) -> anyhow::Result<()> {
        if !module.routines().any(|routine| self.routine(&routine).is_some()) {
            let names: BTreeSet<String> = module.routines().map(|it| it.name.to_string()).collect();
            let names: Vec<String> = names.iter().take(8).map(|name| format!("`{name}`")).collect();
            let (file, kernel) = (&self.file, printable(&self.kernel));
            let names = printable(&names.join(", "));
            bail!(
                "`{file}` is of kernel `{kernel}`, which {input} does not contain: it has {names}"
            );
        }
        let found: usize = self.routines.iter().map(|routine| routine.instructions.len()).sum();
        if let Some(stated) = self.instructions.filter(|stated| *stated != found) {
            let file = &self.file;
            out.warn(format_args!("{file}: states {stated} instructions, but contains {found}"))?;
        }
        let stated = self.platform.as_ref().and_then(|name| name.parse::<Platform>().ok());
        if let Some((stated, platform)) = stated.zip(platform).filter(|(a, b)| a != b) {
            out.warn(format_args!("{}: is for {stated}, but {input} for {platform}", self.file))?;
        }
        Ok(())
    }

    fn routine(&self, routine: &Routine<'_, '_>) -> Option<&AsmRoutine> {
        match routine.kind {
            RoutineKind::Kernel => self.routines.first().filter(|_| *routine.name == *self.kernel),
            RoutineKind::Function => {
                let name = core::str::from_utf8(routine.name.as_bytes()).ok()?;
                self.routines.get(*self.functions.get(name)?)
            }
        }
    }

    /// Returns the machine code of a routine with so many vISA instructions, if the file contains it.
    ///
    /// # Errors
    /// If the file numbers more vISA instructions.
    pub fn machine_code(
        &self,
        routine: &Routine<'_, '_>,
        count: usize,
    ) -> anyhow::Result<Option<MachineCode>> {
        let Some(code) = self.routine(routine) else { return Ok(None) };
        let mut lines = vec![Vec::new(); count];
        for MachineInstruction { line, visa } in &code.instructions {
            let Some(visa) = *visa else { continue };
            let Some(lines) = lines.get_mut(visa) else {
                let (file, kind, name) = (&self.file, routine.kind, routine.name.to_string());
                bail!(
                    "{file}:{line}: instruction ${visa}, but {kind} `{}` has {count} instructions: the \
                     file is of another compilation",
                    printable(&name)
                );
            };
            lines.push(*line);
        }
        Ok(Some(MachineCode {
            file: self.file.clone(),
            registers: self.registers,
            spill_bytes: self.spill_bytes,
            allocation: self.allocation.clone(),
            instructions: code.instructions.len(),
            added: code.instructions.iter().filter(|it| it.visa.is_none()).count(),
            lines,
        }))
    }
}

/// A number of the machine code of two routines.
pub struct MachineChange {
    pub name: &'static str,
    pub before: u64,
    pub after: u64,
}

impl MachineChange {
    /// Returns how much larger the second number is.
    pub fn difference(&self) -> i64 {
        self.after as i64 - self.before as i64
    }

    /// Returns the difference in percent of the first number, unless that is 0.
    pub fn percent(&self) -> Option<f64> {
        (self.before > 0).then(|| 100.0 * self.difference() as f64 / self.before as f64)
    }
}

impl MachineCode {
    /// Returns the numbers that both files state.
    pub fn changes(&self, after: &MachineCode) -> Vec<MachineChange> {
        let pairs = self.numbers().into_iter().zip(after.numbers());
        let changes = pairs.filter_map(|((name, before), (_, after))| {
            Some(MachineChange { name, before: before?, after: after? })
        });
        changes.collect()
    }

    /// Returns the numbers with their names. The first is unknown if the file does not state it.
    pub fn numbers(&self) -> [(&'static str, Option<u64>); 4] {
        [
            ("registers of a thread", self.registers.map(u64::from)),
            ("spilled bytes", Some(self.spill_bytes.into())),
            ("machine instructions", Some(self.instructions as u64)),
            ("added by the finalizer", Some(self.added as u64)),
        ]
    }
}

/// Returns the `.asm` file beside an input.
pub fn beside(input: &Path) -> PathBuf {
    split_choice(input).0.with_extension("asm")
}

/// Parses the text of a file. Returns `None` if it names no kernel. Unknown lines are ignored.
fn parse(text: &str) -> Option<FinalizerAsm> {
    let mut asm = FinalizerAsm { routines: vec![AsmRoutine::default()], ..Default::default() };
    let mut kernel = None;
    for (line, number) in text.lines().zip(1..) {
        if let Some(fact) = line.strip_prefix("//.") {
            let (name, value) = fact.split_once([' ', '\t']).unwrap_or((fact, ""));
            match (name, value.trim()) {
                // `.kernel ID` is a hash.
                ("kernel", name) if kernel.is_none() && !name.starts_with("ID 0x") => {
                    kernel = Some(name.to_owned());
                }
                ("platform", name) => asm.platform = Some(name.into()),
                ("thread_config", config) => asm.registers = setting(config, "numGRF"),
                ("instCount", count) => asm.instructions = count.parse().ok(),
                ("RA", value) => {
                    let name = value.strip_prefix("type").map(str::trim);
                    asm.allocation = name.map(printable).or(asm.allocation);
                }
                ("spill", value) => {
                    let size = value.strip_prefix("size ").and_then(|size| size.parse().ok());
                    asm.spill_bytes = size.unwrap_or(asm.spill_bytes);
                }
                _ => {}
            }
        } else if let Some((index, names)) = function_of_label(line) {
            let last = asm.routines.last().and_then(|routine| routine.function);
            if last != Some(index) {
                for name in names {
                    asm.functions.entry(name.into()).or_insert(asm.routines.len());
                }
                asm.routines.push(AsmRoutine { function: Some(index), instructions: Vec::new() });
            }
        } else if is_instruction(line) {
            let routine = asm.routines.last_mut()?;
            routine.instructions.push(MachineInstruction { line: number, visa: visa(line) });
        }
    }
    kernel.map(|kernel| FinalizerAsm { kernel, ..asm })
}

/// Returns the value of a setting in `NAME=VALUE, NAME=VALUE`.
fn setting(config: &str, name: &str) -> Option<u32> {
    let mut settings = config.split(',').filter_map(|setting| setting.trim().split_once('='));
    settings.find(|(key, _)| *key == name)?.1.parse().ok()
}

/// Returns the index of the function that a label is in, and the names that the function may have if it
/// begins with the label.
///
/// The finalizer prints labels of function 0 as `L_f0_LABEL`, and its own as `_FUNCTION_f0_1_`. Both are
/// comments if no jump leads to them. Functions begin with a label of their name, to which dumps add
/// a number.
fn function_of_label(line: &str) -> Option<(u32, Vec<&str>)> {
    let label = line.strip_prefix("// ").unwrap_or(line).trim_end().strip_suffix(':')?;
    if let Some((index, label)) = label.strip_prefix("L_f").and_then(|label| label.split_once('_'))
    {
        let shorter = label.rsplit_once('_').filter(|(_, number)| is_number(number));
        let names = [Some(label), shorter.map(|(name, _)| name)];
        return Some((index.parse().ok()?, names.into_iter().flatten().collect()));
    }
    let (label, _) = label.strip_prefix('_')?.strip_suffix('_')?.rsplit_once('_')?;
    let (name, index) = label.rsplit_once("_f")?;
    Some((index.parse().ok()?, vec![name]))
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Returns whether a line contains an instruction: it has a predicate or is indented.
fn is_instruction(line: &str) -> bool {
    let text = line.trim_start();
    line.starts_with(['(', ' ', '\t']) && !text.is_empty() && !text.starts_with("//")
}

/// Returns `n` of an instruction whose comment ends with `$n`.
fn visa(line: &str) -> Option<usize> {
    let (_, comment) = line.rsplit_once("//")?;
    comment.split_whitespace().next_back()?.strip_prefix('$')?.parse().ok()
}
