//! A kernel that is ready to run on a machine.

use std::ops::Range;

use genvisa::Platform;
use genvisa_container::device::{
    AddressMode, AddressPart, DeviceBinary, Kernel, MemoryUsage, PayloadArgument, PayloadKind,
    ThreadMemoryKind,
};

use super::argument::{Argument, argument_error, check_arguments};
use super::error::DispatchError;
use super::grid::Grid;
use super::handles::{CONSTANTS_HANDLE, GLOBALS_HANDLE, HANDLE, SCRATCH_HANDLE, inline_handle};
use super::hardware::ThreadNumbering;
use super::implicit;
use super::local_ids::LocalIds;
use super::payload::{ArgumentValue, DataBase, Payload, Scratch, Values};
use super::printf::{self, Printed};
use crate::fault::{Fault, FaultKind};
use crate::machine::{Counts, Group, Machine};
use crate::memory::Memory;
use crate::surface::{Filter, Image, Sampler, Surface};

/// A kernel that is ready to run on a machine: its buffers are allocated, and its payload is known.
#[derive(Clone, Debug)]
pub struct Launch {
    kernel: String,
    grid: Grid,
    payload: Payload,
    local: LocalMemory,
    /// The addresses of the buffers and images among the arguments.
    buffers: Vec<Option<u64>>,
    /// The address of the output of `printf`; 0 if there is none.
    printf: u64,
    private: Option<Private>,
    scratch: Option<Private>,
    /// The greatest number of threads of a group.
    group_threads: u32,
    /// The greatest number of groups that run at a time.
    workers: u32,
}

/// Private memory: the same number of bytes for each hardware thread.
#[derive(Clone, Copy, Debug)]
struct Private {
    address: u64,
    per_thread: u64,
}

/// How a kernel is launched, besides its arguments.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// The platform of the program.
    pub platform: Platform,
    /// The number of groups that run at a time, from 1 to 1,024. Other numbers mean the nearest of these.
    pub workers: u32,
}

const MAX_WORKERS: u32 = 1024;

const MAX_SLM: u64 = 1 << 24;

impl Launch {
    /// Allocates the buffers of a kernel on a machine, whose program is that of the kernel.
    ///
    /// # Errors
    /// The grid or an argument is wrong, or the kernel needs something that is not modelled.
    pub fn new(
        machine: &mut Machine<'_>,
        binary: &DeviceBinary,
        kernel: &str,
        options: Options,
        grid: Grid,
        arguments: Vec<Argument>,
    ) -> Result<Launch, DispatchError> {
        let info = binary.kernel(kernel).ok_or_else(|| DispatchError::no_kernel(binary, kernel))?;
        check_arguments(info, &arguments)?;
        if let Some(required) =
            info.execution.required_group_size.filter(|size| *size != grid.local)
        {
            let problem =
                format!("the kernel requires groups of {required:?}, not {:?}", grid.local);
            return Err(DispatchError::Grid(problem));
        }
        let register = options.platform.register_size().bytes();
        let local_ids = LocalIds::new(info, register)?;
        let group_threads = local_ids.threads(grid.local);
        let numbering = ThreadNumbering::of(options.platform);
        let workers = options.workers.clamp(1, MAX_WORKERS);
        let threads = group_threads.saturating_mul(workers);

        let local = LocalMemory::new(info, &arguments)?;
        let mut values = Values::default();
        let mut buffers = Vec::new();
        for ((argument, offset), index) in arguments.into_iter().zip(&local.offsets).zip(0..) {
            let value = add_argument(machine, info, index, argument, *offset);
            buffers.push(match &value {
                ArgumentValue::Buffer { address, .. } if *address != 0 => Some(*address),
                ArgumentValue::Image { image, .. } => Some(image.address),
                _ => None,
            });
            values.arguments.push(value);
        }
        add_data(machine, binary, info, &mut values)?;
        add_inline_samplers(machine, info)?;
        // Scratch memory needs no number of the hardware thread: `%r0` refers to it.
        let has_base = |entry: &PayloadArgument| entry.kind == PayloadKind::PrivateBase;
        let private = match info.execution.private_size {
            _ if !info.payload.iter().any(has_base) => None,
            0 => None,
            _ => {
                let numbering = numbering.ok_or_else(|| {
                    let what = format!("private memory on {}", options.platform);
                    DispatchError::NotModelled(what)
                })?;
                numbering.check(threads)?;
                Some(private_memory(machine, info, threads)?)
            }
        };
        values.private = private.map_or(0, |private| private.address);
        let scratch = match scratch_size(info) {
            0 => None,
            size => Some(scratch_memory(machine, options.platform, size, threads, &mut values)?),
        };
        // Functions find the buffer among the implicit arguments.
        let prints = |argument: &PayloadArgument| {
            matches!(argument.kind, PayloadKind::PrintfBuffer | PayloadKind::ImplicitArguments)
        };
        if info.payload.iter().any(prints) {
            values.printf = machine.memory().allocate("the output of printf", printf::buffer());
        }
        add_implicit_arguments(machine.memory(), info, &grid, &local_ids, &mut values);
        let payload = Payload::new(info, register, numbering, grid, &values)?;
        Ok(Launch {
            kernel: kernel.into(),
            grid,
            payload,
            local,
            buffers,
            printf: values.printf,
            private,
            scratch,
            group_threads,
            workers,
        })
    }

    /// Returns the grid.
    pub fn grid(&self) -> Grid {
        self.grid
    }

    /// Returns the number of threads of all groups.
    pub fn threads(&self) -> u64 {
        let groups = (0..self.grid.group_count()).map(|number| self.grid.group_id(number));
        let threads = |id| u64::from(self.payload.local_ids().threads(self.grid.group_size(id)));
        match self.grid.is_uniform() {
            true => u64::from(self.grid.group_count()) * u64::from(self.group_threads),
            false => groups.map(threads).sum(),
        }
    }

    /// Returns the address of an argument that is a buffer or an image.
    pub fn buffer(&self, argument: usize) -> Option<u64> {
        self.buffers.get(argument).copied().flatten()
    }

    /// Returns what the calls of `printf` printed. A lane prints in order; the order of lanes and threads is that in
    /// which they ran.
    pub fn printed(&self, machine: &mut Machine<'_>) -> Printed {
        printf::read(machine.memory(), self.printf)
    }

    /// Returns a group, ready to run as one of the groups that run at a time: `worker` is the number of
    /// that place, from 0.
    ///
    /// # Errors
    /// The payload does not fit the inputs of the kernel, or the launch was made for fewer workers.
    pub fn group(&self, machine: &Machine<'_>, number: u32, worker: u32) -> Result<Group, Fault> {
        if worker >= self.workers {
            let what = format!("the launch has no worker {worker}: it has {}", self.workers);
            return Err(Fault::from(FaultKind::Malformed(what)));
        }
        let id = self.grid.group_id(number);
        let first = worker * self.group_threads;
        for Private { address, per_thread } in self.private.into_iter().chain(self.scratch) {
            let start = address + u64::from(first) * per_thread;
            machine.reset_memory(start, u64::from(self.group_threads) * per_thread);
        }
        let threads = self.payload.group(id, first);
        let mut group = machine.group(&self.kernel, id, number, self.local.size, threads)?;
        group.divide_local_memory(&self.local.parts);
        Ok(group)
    }

    /// Runs all groups, `workers` of them at a time: at most the number that the launch was made for.
    ///
    /// # Errors
    /// The fault that stops the first group that has one, of those that ran.
    pub fn run(&self, machine: &Machine<'_>, workers: u32) -> Result<Counts, Fault> {
        let workers = workers.min(self.workers);
        machine.run_groups(self.grid.group_count(), workers, |number, worker| {
            self.group(machine, number, worker)
        })
    }

    /// Runs all groups in turns, as many as the launch was made for: a thread of one group executes some instructions,
    /// then a thread of another one, in an order that the seed determines.
    ///
    /// # Errors
    /// The first fault.
    pub fn run_in_turns(&self, machine: &Machine<'_>, seed: u64) -> Result<Counts, Fault> {
        machine.run_in_turns(self.grid.group_count(), self.workers, seed, |number, worker| {
            self.group(machine, number, worker)
        })
    }
}

/// The shared local memory of a group.
#[derive(Clone, Debug)]
struct LocalMemory {
    size: usize,
    /// The offset of each argument, without the static variables, whose size the code adds.
    offsets: Vec<u32>,
    /// The static variables and the arguments, with what they are and their bytes.
    parts: Vec<(String, Range<usize>)>,
}

/// The bytes between two arguments in shared local memory, which no access may reach.
const LOCAL_GAP: u64 = 64;

impl LocalMemory {
    fn new(kernel: &Kernel, arguments: &[Argument]) -> Result<LocalMemory, DispatchError> {
        let fixed = u64::from(kernel.execution.slm_size);
        let mut end = 0u64;
        let (mut offsets, mut parts) = (Vec::new(), Vec::new());
        if fixed > 0 {
            parts.push(("the shared local memory".to_owned(), 0..fixed as usize));
        }
        for (argument, index) in arguments.iter().zip(0..) {
            let Argument::Local(size) = argument else {
                offsets.push(0);
                continue;
            };
            let entries = kernel.payload.iter().filter(|entry| entry.argument == Some(index));
            let alignment = entries.map(|entry| entry.slm_alignment).max().unwrap_or_default();
            // The compiler can take the offset of the first argument as 0.
            let gap = if end == 0 { 0 } else { LOCAL_GAP };
            let start = (end + gap).next_multiple_of(alignment.max(1).into());
            end = start + u64::from(*size);
            offsets.push(start as u32);
            if end > MAX_SLM {
                return Err(argument_error(kernel, index, "is larger than shared local memory"));
            }
            let bytes = (fixed + start) as usize..(fixed + end) as usize;
            parts.push((argument_label(kernel, index), bytes));
        }
        let size = end + fixed;
        match size <= MAX_SLM {
            true => Ok(LocalMemory { size: size as usize, offsets, parts }),
            false => {
                Err(DispatchError::NotModelled(format!("{size} bytes of shared local memory")))
            }
        }
    }
}

/// Returns the index of an argument, with its name if it is known.
fn argument_label(kernel: &Kernel, index: u32) -> String {
    match kernel.argument_name(index) {
        "" => format!("argument {index}"),
        name => format!("argument {index} ({name})"),
    }
}

/// Allocates the buffer or the image of an argument, with its surfaces.
fn add_argument(
    machine: &mut Machine<'_>,
    kernel: &Kernel,
    index: u32,
    argument: Argument,
    local_offset: u32,
) -> ArgumentValue {
    let (bytes, shape) = match argument {
        Argument::Value(bytes) => return ArgumentValue::Bytes(bytes),
        Argument::Local(_) => return ArgumentValue::Local(local_offset),
        Argument::Null => return ArgumentValue::Buffer { address: 0, handle: 0, size: 0 },
        Argument::Buffer(bytes) => (bytes, None),
        Argument::Image { dimensions, format, size, texels } => {
            (texels, Some((dimensions, format, size)))
        }
        Argument::Sampler(sampler) => {
            let handle = HANDLE + index * 64;
            machine.surfaces().set_sampler(handle, sampler);
            let entries = kernel.payload.iter().filter(|entry| entry.argument == Some(index));
            let entry = entries.filter(|entry| entry.mode == Some(AddressMode::Stateful));
            for sampler_index in entry.filter_map(|entry| entry.sampler) {
                machine.surfaces().set_sampler(sampler_index, sampler);
            }
            return ArgumentValue::Sampler { sampler, handle };
        }
    };
    let name = argument_label(kernel, index);
    let size = bytes.len() as u64;
    let address = machine.memory().allocate(&name, bytes);
    let image =
        shape.map(|(dimensions, format, size)| Image::new(dimensions, format, size, address));
    let surface = match &image {
        Some(image) => Surface::from(image.clone()),
        None => Surface::Buffer { address, size },
    };
    for (_, entry) in kernel.binding_table.iter().filter(|(argument, _)| *argument == index) {
        machine.surfaces().set(*entry, surface.clone());
    }
    let mut handle = 0;
    let is_bindless = |mode: &Option<AddressMode>| *mode == Some(AddressMode::Bindless);
    let mut entries = kernel.payload.iter().filter(|entry| entry.argument == Some(index));
    if entries.any(|entry| is_bindless(&entry.mode)) {
        handle = HANDLE + index * 64;
        machine.surfaces().set(handle, surface);
    }
    match image {
        Some(image) => ArgumentValue::Image { image, handle },
        None => ArgumentValue::Buffer { address, handle, size },
    }
}

/// Sets the samplers that the program defines.
fn add_inline_samplers(machine: &mut Machine<'_>, kernel: &Kernel) -> Result<(), DispatchError> {
    for inline in &kernel.samplers {
        let not_modelled = |what: &str| {
            DispatchError::NotModelled(format!("a sampler with {what} in the program"))
        };
        let address = match &*inline.address_mode {
            // Coordinates are inside.
            "none" | "clamp_edge" => crate::AddressMode::ClampToEdge,
            "clamp_border" => crate::AddressMode::ClampToBorder,
            "repeat" => crate::AddressMode::Repeat,
            "mirror" => crate::AddressMode::MirroredRepeat,
            other => return Err(not_modelled(&format!("address mode `{other}`"))),
        };
        let filter = match &*inline.filter_mode {
            "nearest" => Filter::Nearest,
            "linear" => Filter::Linear,
            other => return Err(not_modelled(&format!("filter `{other}`"))),
        };
        let sampler = Sampler::new(filter, address, inline.is_normalized);
        let is_bindless = kernel.payload.iter().any(|entry| {
            entry.kind == PayloadKind::InlineSampler && entry.sampler == Some(inline.index)
        });
        let index = if is_bindless { inline_handle(inline.index) } else { inline.index };
        machine.surfaces().set_sampler(index, sampler);
    }
    Ok(())
}

/// Allocates the data of the program, and applies its relocations.
fn add_data(
    machine: &mut Machine<'_>,
    binary: &DeviceBinary,
    kernel: &Kernel,
    values: &mut Values,
) -> Result<(), DispatchError> {
    let mut addresses = Vec::new();
    for section in &binary.data {
        let size = section.bytes.len() as u64;
        let address = machine.memory().allocate(&section.name, section.bytes.clone());
        addresses.push(address);
        let (kind, place, handle) = match &*section.name {
            ".data.const" => (PayloadKind::ConstBase, &mut values.constants, CONSTANTS_HANDLE),
            ".data.global" => (PayloadKind::GlobalBase, &mut values.globals, GLOBALS_HANDLE),
            _ => continue,
        };
        *place = DataBase { address, handle };
        let surface = Surface::Buffer { address, size };
        machine.surfaces().set(handle, surface.clone());
        for entry in kernel.payload.iter().filter(|entry| entry.kind == kind) {
            if let Some(index) = entry.table_index {
                machine.surfaces().set(index, surface.clone());
            }
        }
    }
    for (name, symbol) in &binary.symbols {
        // A symbol of no section has no address.
        if let Some(address) = addresses.get(symbol.section) {
            machine.set_symbol(name, address.wrapping_add(symbol.offset));
        }
    }
    for (section, address) in binary.data.iter().zip(&addresses) {
        for relocation in &section.relocations {
            let target = machine.symbol(&relocation.symbol).ok_or_else(|| {
                let what = format!("the address of `{}` in {}", relocation.symbol, section.name);
                DispatchError::NotModelled(what)
            })?;
            let target = target.wrapping_add_signed(relocation.addend);
            let (bytes, size) = match relocation.part {
                AddressPart::Whole => (target, 8),
                AddressPart::Low => (target, 4),
                AddressPart::High => (target >> 32, 4),
            };
            let place = address.saturating_add(relocation.offset);
            if !machine.memory().set_bytes(place, &bytes.to_le_bytes()[..size]) {
                let what = format!(
                    "a relocation at {:#x}, outside of {}",
                    relocation.offset, section.name
                );
                return Err(DispatchError::NotModelled(what));
            }
        }
    }
    Ok(())
}

fn private_memory(
    machine: &mut Machine<'_>,
    kernel: &Kernel,
    threads: u32,
) -> Result<Private, DispatchError> {
    let per_thread = u64::from(kernel.execution.private_size);
    let size = per_thread * u64::from(threads);
    let address = allocate_for_threads(machine, "private memory", size)?;
    Ok(Private { address, per_thread })
}

/// Fails if memory of threads is larger than the machine allows.
fn check_memory(machine: &mut Machine<'_>, name: &str, needed: u64) -> Result<(), DispatchError> {
    machine.memory().check_limit(&of_threads(name), needed).map_err(too_large)
}

/// Allocates memory of threads. Fails if the machine does not allow it, or there is no room.
fn allocate_for_threads(
    machine: &mut Machine<'_>,
    name: &str,
    needed: u64,
) -> Result<u64, DispatchError> {
    check_memory(machine, name, needed)?;
    let limit = machine.memory_limit();
    let address = machine.memory().allocate_private(name, needed as usize);
    address.ok_or_else(|| too_large(FaultKind::TooLarge { what: of_threads(name), needed, limit }))
}

fn of_threads(name: &str) -> String {
    format!("the {name} of the threads")
}

fn too_large(kind: FaultKind) -> DispatchError {
    DispatchError::Program(Fault::from(kind))
}

/// Returns the number of bytes of scratch memory that the text of a kernel can access: what is only for spilled
/// registers is not in the text.
fn scratch_size(kernel: &Kernel) -> u32 {
    let scratch = kernel.thread_memory.iter().filter(|memory| {
        memory.kind == ThreadMemoryKind::Scratch && memory.usage != MemoryUsage::Spill
    });
    scratch.map(|memory| memory.size).max().unwrap_or_default()
}

/// Allocates the scratch memory of threads, and states where `%r0.5` finds it.
fn scratch_memory(
    machine: &mut Machine<'_>,
    platform: Platform,
    size: u32,
    threads: u32,
    values: &mut Values,
) -> Result<Private, DispatchError> {
    // Bits 0 to 9 of `%r0.5` are not part of the place.
    const UNIT: u64 = 1 << 10;
    const NAME: &str = "scratch memory";
    let not_modelled =
        |all: u64| DispatchError::NotModelled(format!("{all} bytes of scratch memory"));
    let per_thread = u64::from(size).next_multiple_of(UNIT);
    let all = per_thread * u64::from(threads);
    check_memory(machine, NAME, all)?;
    // Xe HP and later have a surface for each thread.
    if platform < Platform::XeHpSdv {
        let address = machine.memory().allocate_private_low(NAME, all as usize);
        let address = address.ok_or_else(|| not_modelled(all))?;
        values.scratch = Scratch { first: address as u32, step: per_thread as u32 };
        return Ok(Private { address, per_thread });
    }
    let address = allocate_for_threads(machine, NAME, all)?;
    for thread in 0..threads {
        let address = address + u64::from(thread) * per_thread;
        let surface = Surface::Buffer { address, size: size.into() };
        machine.surfaces().set(SCRATCH_HANDLE + thread * 64, surface);
    }
    values.scratch = Scratch { first: SCRATCH_HANDLE << 4, step: UNIT as u32 };
    Ok(Private { address, per_thread })
}

fn add_implicit_arguments(
    memory: &mut Memory,
    kernel: &Kernel,
    grid: &Grid,
    local_ids: &LocalIds,
    values: &mut Values,
) {
    let lanes = kernel.execution.simd_size;
    let table = implicit::local_id_table(local_ids, grid.local, lanes);
    let table = memory.allocate("the table of local ids", table);
    let structure = implicit::structure(grid, lanes, table, values.printf);
    // `%r0` has 32 bits for the address.
    values.implicit = memory.allocate_low("the implicit arguments", structure).unwrap_or_default();
}
