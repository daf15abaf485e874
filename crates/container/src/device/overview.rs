//! What a device binary states about itself and its kernels, with the names of `.ze_info`.

use std::collections::{BTreeMap, HashSet};

use object::{Object, ObjectSection};

use super::elf::ze_info;
use super::entry::{Entry, Members};
use super::error::BinaryError;
use super::node::{SECTION, parse};
use super::target::Target;
use super::{defined_kernels, elf, spirv};
use crate::zebin::{SYMBOL_TABLE_KERNEL, is_text_section};

/// What a device binary states about itself and its kernels. It has all members of `.ze_info`, also those that
/// [`DeviceBinary`](super::DeviceBinary) does not read.
///
/// ```
/// use genvisa_container::device::Overview;
///
/// # let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../interp/tests/data/scale-bmg.bin");
/// let bytes = std::fs::read(path).expect("a device binary");
/// let overview = Overview::from_bytes(&bytes)?;
/// let kernel = &overview.kernels[0];
/// assert_eq!(kernel.name, "scale");
/// assert_eq!((kernel.execution("simd_size"), kernel.execution("spill_size")), (32, 0));
/// # Ok::<(), genvisa_container::device::BinaryError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Overview {
    /// What the binary is for.
    pub target: Target,
    /// The options of the build, if the compiler stored them.
    pub build_options: Option<String>,
    /// The kernels, without the one that only owns symbols.
    pub kernels: Vec<KernelOverview>,
    /// The kernels that the SPIR-V module in the binary has and `.ze_info` has not.
    pub missing_kernels: Vec<String>,
    /// The members of `.ze_info` beside the kernels and their arguments, such as `version`.
    pub members: Members,
}

/// What a device binary states about a kernel.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct KernelOverview {
    /// The name.
    pub name: String,
    /// The members of `execution_env`: those of [`EXECUTION`](KernelOverview::EXECUTION), with a default if the
    /// kernel does not have them, and others.
    pub execution: Members,
    /// The other members of the kernel, such as `payload_arguments`.
    pub members: Members,
    /// The arguments in the source, in their order.
    pub arguments: Vec<KernelArgument>,
    /// The number of bytes of the machine code; `None` if there is no section with it.
    pub code_size: Option<u64>,
    /// Whether the binary has the text of the kernel.
    pub has_text: bool,
}

/// A number that `execution_env` states about a kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Measure {
    /// A short name.
    pub name: &'static str,
    /// The name in `execution_env`.
    pub member: &'static str,
    /// The unit, `byte` or empty.
    pub unit: &'static str,
    /// Whether it is memory of a thread, of which each lane has a part.
    pub of_thread: bool,
}

/// An argument of a kernel.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct KernelArgument {
    /// The index.
    pub index: i64,
    /// What `kernels_misc_info` states, if the compiler stored it: `name`, `type_name` and so on.
    pub source: Members,
    /// The values of the payload that belong to it.
    pub payload: Vec<Members>,
}

impl Overview {
    /// Reads an ELF file.
    ///
    /// # Errors
    /// The file is not a device binary, or has no `.ze_info`, or one that is no YAML with kernels.
    pub fn from_bytes(bytes: &[u8]) -> Result<Overview, BinaryError> {
        let elf = elf::open(bytes)?;
        let Entry::Members(mut document) = Entry::new(&parse(ze_info(&elf)?)?) else {
            return Err(BinaryError::new(SECTION, "expected a mapping"));
        };
        let mut overview = Overview { target: Target::read(&elf), ..Overview::default() };
        let mut texts = HashSet::new();
        let mut code = BTreeMap::new();
        let mut declared = Vec::new();
        for section in elf.sections() {
            let name = section.name().unwrap_or_default();
            if let Some(kernel) = name.strip_prefix(".text.") {
                code.insert(kernel, section.size());
            } else if is_text_section(name.as_bytes()) {
                texts.extend(defined_kernels(section.data().unwrap_or_default()));
            } else if name == ".misc.buildOptions" {
                let options = String::from_utf8_lossy(section.data().unwrap_or_default());
                overview.build_options = Some(options.trim_matches(['\0', ' ']).into());
            } else if name.starts_with(".spv") {
                declared.extend(spirv::kernels(section.data().unwrap_or_default()));
            }
        }
        for (index, kernel) in take_list(&mut document, "kernels")?.into_iter().enumerate() {
            let error = |message| BinaryError::new(format!("{SECTION}: kernels[{index}]"), message);
            let Entry::Members(mut members) = kernel else {
                return Err(error("expected a mapping"));
            };
            let Some(Entry::Text(name)) = members.remove("name") else {
                return Err(error("has no `name`"));
            };
            if name.starts_with(SYMBOL_TABLE_KERNEL) {
                continue;
            }
            let Some(Entry::Members(mut execution)) = members.remove("execution_env") else {
                return Err(error("has no `execution_env`"));
            };
            for (member, default) in KernelOverview::EXECUTION {
                execution.entry((*member).into()).or_insert_with(|| default.clone());
            }
            let code_size = code.get(&*name).copied();
            let has_text = texts.contains(name.as_bytes());
            let arguments = payload_of_arguments(&members);
            overview.kernels.push(KernelOverview {
                name,
                execution,
                members,
                arguments,
                code_size,
                has_text,
            });
        }
        for misc in take_list(&mut document, "kernels_misc_info")? {
            overview.add_arguments(&misc);
        }
        declared.retain(|name| !overview.kernels.iter().any(|kernel| kernel.name == *name));
        overview.missing_kernels = declared;
        overview.members = document;
        Ok(overview)
    }

    /// Adds the names and types of arguments.
    fn add_arguments(&mut self, misc: &Entry) {
        let kernel = misc.get("name").and_then(Entry::text);
        let kernel = self.kernels.iter_mut().find(|it| kernel == Some(&it.name));
        let infos = misc.get("args_info").and_then(Entry::list);
        let (Some(kernel), Some(infos)) = (kernel, infos) else { return };
        for info in infos.iter().filter_map(Entry::members) {
            let mut source = info.clone();
            if let Some(Entry::Integer(index)) = source.remove("index") {
                argument(&mut kernel.arguments, index).source = source;
            }
        }
    }
}

impl KernelOverview {
    /// The members of `execution_env` that IGC 2.40 (version 1.73) writes unless they have their defaults.
    pub const EXECUTION: &'static [(&'static str, Entry)] = &[
        ("barrier_count", Entry::Integer(0)),
        ("disable_mid_thread_preemption", Entry::Flag(false)),
        ("eu_thread_count", Entry::Integer(0)),
        ("generate_local_id", Entry::Flag(false)),
        ("grf_count", Entry::Integer(0)),
        ("has_4gb_buffers", Entry::Flag(false)),
        ("has_bindless_image_read", Entry::Flag(false)),
        ("has_device_enqueue", Entry::Flag(false)),
        ("has_dpas", Entry::Flag(false)),
        ("has_fence_for_image_access", Entry::Flag(false)),
        ("has_global_atomics", Entry::Flag(false)),
        ("has_indirect_calls", Entry::Flag(false)),
        ("has_lsc_stores_with_non_default_l1_cache_controls", Entry::Flag(false)),
        ("has_multi_scratch_spaces", Entry::Flag(false)),
        ("has_no_stateless_write", Entry::Flag(false)),
        ("has_printf_calls", Entry::Flag(false)),
        ("has_rtcalls", Entry::Flag(false)),
        ("has_sample", Entry::Flag(false)),
        ("has_stack_calls", Entry::Flag(false)),
        ("indirect_stateless_count", Entry::Integer(0)),
        ("inline_data_payload_size", Entry::Integer(0)),
        ("offset_to_skip_per_thread_data_load", Entry::Integer(0)),
        ("offset_to_skip_set_ffid_gp", Entry::Integer(0)),
        ("private_size", Entry::Integer(0)),
        ("quantum_partition_dimension", Entry::Integer(0)),
        ("quantum_size", Entry::Integer(0)),
        ("quantum_walk_order", Entry::Integer(0)),
        ("require_assert_buffer", Entry::Flag(false)),
        ("require_disable_eufusion", Entry::Flag(false)),
        ("require_iab", Entry::Flag(false)),
        ("require_sync_buffer", Entry::Flag(false)),
        ("required_sub_group_size", Entry::Integer(0)),
        ("simd_size", Entry::Integer(0)),
        ("slm_alloc_mode", Entry::Integer(0)),
        ("slm_size", Entry::Integer(0)),
        ("spill_size", Entry::Integer(0)),
        ("subgroup_independent_forward_progress", Entry::Flag(false)),
    ];

    /// What users compare.
    pub const MEASURES: &'static [Measure] = &[
        Measure { name: "simd", member: "simd_size", unit: "", of_thread: false },
        Measure { name: "registers", member: "grf_count", unit: "", of_thread: false },
        Measure { name: "threads", member: "eu_thread_count", unit: "", of_thread: false },
        Measure { name: "spills", member: "spill_size", unit: "byte", of_thread: true },
        Measure { name: "private", member: "private_size", unit: "byte", of_thread: true },
        Measure { name: "slm", member: "slm_size", unit: "byte", of_thread: false },
        Measure { name: "barriers", member: "barrier_count", unit: "", of_thread: false },
    ];

    /// Returns whether a name is one of a number of every kernel; see [`measure`](Self::measure).
    pub fn is_measure(name: &str) -> bool {
        let is_number = |(member, default): &(&str, Entry)| {
            *member == name && matches!(default, Entry::Integer(_))
        };
        name == "code_size"
            || KernelOverview::MEASURES.iter().any(|measure| measure.name == name)
            || KernelOverview::EXECUTION.iter().any(is_number)
    }

    /// Returns a number by one of the short names, or by its name in `execution_env`; `code_size` is the number of
    /// bytes of machine code. Returns `None` if there is no such number.
    pub fn measure(&self, name: &str) -> Option<i64> {
        if name == "code_size" {
            return self.code_size.map(|size| i64::try_from(size).unwrap_or(i64::MAX));
        }
        let mut measures = KernelOverview::MEASURES.iter();
        let member = measures.find(|measure| measure.name == name).map_or(name, |it| it.member);
        match self.execution.get(member) {
            Some(Entry::Integer(number)) => Some(*number),
            _ => None,
        }
    }

    /// Returns a number of `execution_env`, which is 0 if the kernel does not have it.
    pub fn execution(&self, member: &str) -> i64 {
        match self.execution.get(member) {
            Some(Entry::Integer(number)) => *number,
            _ => 0,
        }
    }

    /// Returns the memory that each thread or lane has beside its registers: `per_thread_memory_buffers`.
    pub fn memory(&self) -> &[Entry] {
        self.members.get("per_thread_memory_buffers").and_then(Entry::list).unwrap_or_default()
    }
}

impl KernelArgument {
    /// Returns the name in the source; empty if it is unknown.
    pub fn name(&self) -> &str {
        self.source.get("name").and_then(Entry::text).unwrap_or_default()
    }

    /// Returns the type in the source, without its size; empty if it is unknown.
    pub fn type_name(&self) -> &str {
        let name = self.source.get("type_name").and_then(Entry::text).unwrap_or_default();
        name.split(';').next().unwrap_or_default()
    }

    /// Returns a member of the first value of the payload that has it, such as `addrspace`.
    pub fn payload(&self, member: &str) -> Option<&Entry> {
        self.payload.iter().find_map(|value| value.get(member))
    }
}

/// Removes a list from a document; empty if there is none.
fn take_list(document: &mut Members, member: &str) -> Result<Vec<Entry>, BinaryError> {
    match document.remove(member) {
        None => Ok(Vec::new()),
        Some(Entry::List(list)) => Ok(list),
        Some(_) => Err(BinaryError::new(format!("{SECTION}: {member}"), "expected a sequence")),
    }
}

/// Returns the arguments that the values in a payload belong to.
fn payload_of_arguments(kernel: &Members) -> Vec<KernelArgument> {
    let mut arguments = Vec::new();
    let payload = kernel.get("payload_arguments").and_then(Entry::list).unwrap_or_default();
    for value in payload.iter().filter_map(Entry::members) {
        if let Some(Entry::Integer(index)) = value.get("arg_index") {
            argument(&mut arguments, *index).payload.push(value.clone());
        }
    }
    arguments
}

/// Returns the argument with an index, which is added if there is none.
fn argument(arguments: &mut Vec<KernelArgument>, index: i64) -> &mut KernelArgument {
    let at = match arguments.binary_search_by_key(&index, |argument| argument.index) {
        Ok(at) => at,
        Err(at) => {
            arguments.insert(at, KernelArgument { index, ..KernelArgument::default() });
            at
        }
    };
    &mut arguments[at]
}
