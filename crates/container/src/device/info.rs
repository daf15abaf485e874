//! What `.ze_info` states about kernels.

use super::error::BinaryError;
use super::node::{Node, parse};

/// A kernel, as `.ze_info` describes it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Kernel {
    /// The name.
    pub name: String,
    /// How its threads run.
    pub execution: Execution,
    /// The values that all threads get.
    pub payload: Vec<PayloadArgument>,
    /// The number of bytes that each thread gets before them: the local ids.
    pub per_thread_size: u32,
    /// The index in the binding table of each argument that has one: pairs of argument and index.
    pub binding_table: Vec<(u32, u32)>,
    /// The samplers that the program defines.
    pub samplers: Vec<InlineSampler>,
    /// The memory that each thread has.
    pub thread_memory: Vec<ThreadMemory>,
    /// The names and types of the arguments in the source, if the compiler stored them.
    pub arguments: Vec<ArgumentInfo>,
}

/// How the threads of a kernel run: `execution_env`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Execution {
    /// The number of lanes of a thread.
    pub simd_size: u32,
    /// The bytes of static shared local memory.
    pub slm_size: u32,
    /// The bytes of private memory of a thread.
    pub private_size: u32,
    /// The bytes of the payload that come before the other arguments.
    pub inline_data_size: u32,
    /// The order in which the dimensions of local ids advance.
    pub walk_order: [u8; 3],
    /// The size of groups that the source requires.
    pub required_group_size: Option<[u32; 3]>,
}

/// A value in the payload of a kernel.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PayloadArgument {
    /// What the value is.
    pub kind: PayloadKind,
    /// The offset in the payload.
    pub offset: u32,
    /// The number of bytes; 0 if the value is not in the payload.
    pub size: u32,
    /// The argument that the value belongs to.
    pub argument: Option<u32>,
    /// The sampler of the program that the value belongs to.
    pub sampler: Option<u32>,
    /// How the argument is addressed.
    pub mode: Option<AddressMode>,
    /// The memory that the argument is in.
    pub space: Option<AddressSpace>,
    /// The offset of the bytes in the argument.
    pub source_offset: u32,
    /// The alignment of an argument in shared local memory.
    pub slm_alignment: u32,
    /// The index in the binding table of a section of data.
    pub table_index: Option<u32>,
}

macro_rules! words {
    ($(#[$doc:meta])* $Name:ident { $($(#[$variant_doc:meta])* $Variant:ident = $word:literal,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Eq)]
        #[non_exhaustive]
        pub enum $Name {
            $($(#[$variant_doc])* $Variant,)*
            /// Another word.
            Other(String),
        }

        impl $Name {
            fn from_word(word: &str) -> $Name {
                match word {
                    $($word => $Name::$Variant,)*
                    other => $Name::Other(other.into()),
                }
            }

            /// Returns the word in `.ze_info`.
            pub fn word(&self) -> &str {
                match self {
                    $($Name::$Variant => $word,)*
                    $Name::Other(word) => word,
                }
            }
        }
    };
}

words! {
    /// What a value in the payload is.
    PayloadKind {
        /// The offset of global ids.
        GlobalIdOffset = "global_id_offset",
        /// The size of full groups.
        EnqueuedLocalSize = "enqueued_local_size",
        /// The size of the group.
        LocalSize = "local_size",
        /// The size of the grid.
        GlobalSize = "global_size",
        /// The number of groups.
        GroupCount = "group_count",
        /// The number of dimensions.
        WorkDimensions = "work_dimensions",
        /// The bytes of an argument, or a piece of them.
        Value = "arg_byvalue",
        /// The address, offset or handle of an argument.
        Pointer = "arg_bypointer",
        /// The address of a buffer that is accessed as a surface.
        BufferAddress = "buffer_address",
        /// The offset of a buffer in its surface.
        BufferOffset = "buffer_offset",
        /// The number of bytes of a buffer.
        BufferSize = "buffer_size",
        /// The address of the constants.
        ConstBase = "const_base",
        /// The address of the variables of the program.
        GlobalBase = "global_base",
        /// The address of private memory.
        PrivateBase = "private_base_stateless",
        /// The address of the implicit arguments.
        ImplicitArguments = "implicit_arg_buffer",
        /// The address of the output of `printf`.
        PrintfBuffer = "printf_buffer",
        /// A sampler that the program defines.
        InlineSampler = "inline_sampler",
        /// The width of an image.
        ImageWidth = "image_width",
        /// The height of an image.
        ImageHeight = "image_height",
        /// The depth of an image.
        ImageDepth = "image_depth",
        /// The number of images of an array.
        ImageArraySize = "image_array_size",
        /// A workaround for samplers that is off.
        SamplerSnap = "sampler_snap_wa",
        /// Whether the coordinates of a sampler are normalized.
        SamplerNormalized = "sampler_normalized",
        /// How a sampler treats coordinates outside of the image.
        SamplerAddress = "sampler_address",
    }
}

words! {
    /// How an argument is addressed.
    AddressMode {
        /// By its address.
        Stateless = "stateless",
        /// By an index of the binding table.
        Stateful = "stateful",
        /// By a handle.
        Bindless = "bindless",
        /// By an offset in shared local memory.
        Slm = "slm",
    }
}

words! {
    /// The memory that an argument is in.
    AddressSpace {
        /// Global memory.
        Global = "global",
        /// Shared local memory.
        Local = "local",
        /// Constant memory.
        Constant = "constant",
        /// An image.
        Image = "image",
        /// A sampler.
        Sampler = "sampler",
    }
}

words! {
    /// Where the memory of a thread is.
    ThreadMemoryKind {
        /// In a buffer, whose address is in the payload.
        Global = "global",
        /// In scratch memory, which `%r0.5` refers to.
        Scratch = "scratch",
        /// In shared local memory.
        Slm = "slm",
    }
}

words! {
    /// What the memory of a thread is for.
    MemoryUsage {
        /// Private variables.
        Private = "private_space",
        /// Registers that the finalizer spills.
        Spill = "spill_fill_space",
        /// Both.
        Single = "single_space",
    }
}

impl Default for PayloadKind {
    fn default() -> PayloadKind {
        PayloadKind::Other(String::new())
    }
}

/// Memory that each thread has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ThreadMemory {
    /// Where it is.
    pub kind: ThreadMemoryKind,
    /// What it is for.
    pub usage: MemoryUsage,
    /// The number of bytes: of a thread, or of a lane.
    pub size: u32,
}

/// A sampler that the program defines.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct InlineSampler {
    /// Its index.
    pub index: u32,
    /// How it treats coordinates outside of the image: `clamp_edge`, `repeat` and so on.
    pub address_mode: String,
    /// How it filters: `nearest` or `linear`.
    pub filter_mode: String,
    /// Whether coordinates are from 0 to 1.
    pub is_normalized: bool,
}

/// An argument in the source.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ArgumentInfo {
    /// Its index.
    pub index: u32,
    /// Its name.
    pub name: String,
    /// Its type with its size, such as `float*;8`.
    pub type_name: String,
}

impl Kernel {
    /// Returns the name of an argument in the source; empty if it is unknown.
    pub fn argument_name(&self, index: u32) -> &str {
        self.arguments.iter().find(|info| info.index == index).map_or("", |info| &info.name)
    }

    /// Returns the type of an argument in the source; empty if it is unknown.
    pub fn argument_type(&self, index: u32) -> &str {
        let info = self.arguments.iter().find(|info| info.index == index);
        info.map_or("", |info| info.type_name.split(';').next().unwrap_or_default())
    }
}

/// Reads the kernels of a document.
pub(super) fn kernels(text: &str) -> Result<Vec<Kernel>, BinaryError> {
    let yaml = parse(text)?;
    let root = Node::root(&yaml);
    let kernels: Result<Vec<Kernel>, BinaryError> =
        root.list("kernels")?.iter().map(kernel).collect();
    let mut kernels = kernels?;
    for misc in root.list("kernels_misc_info")? {
        let name = misc.require("name")?.text()?;
        let infos: Result<Vec<_>, _> = misc.list("args_info")?.iter().map(argument_info).collect();
        let infos = infos?;
        if let Some(kernel) = kernels.iter_mut().find(|kernel| kernel.name == name) {
            kernel.arguments = infos;
        }
    }
    Ok(kernels)
}

fn kernel(node: &Node<'_>) -> Result<Kernel, BinaryError> {
    let payload = node.list("payload_arguments")?;
    let payload: Result<Vec<_>, _> = payload.iter().map(payload_argument).collect();
    let mut per_thread_size = 0u32;
    for argument in node.list("per_thread_payload_arguments")? {
        let kind = argument.require("arg_type")?;
        if !PER_THREAD_KINDS.contains(&kind.text()?) {
            return Err(kind.error(format!("`{}` is not supported", kind.text()?)));
        }
        let size: u32 = argument.require("size")?.number()?;
        per_thread_size = per_thread_size.saturating_add(size);
    }
    let entry = |node: &Node<'_>| -> Result<(u32, u32), BinaryError> {
        Ok((node.require("arg_index")?.number()?, node.require("bti_value")?.number()?))
    };
    let binding_table: Result<Vec<_>, _> =
        node.list("binding_table_indices")?.iter().map(entry).collect();
    let samplers: Result<Vec<_>, _> =
        node.list("inline_samplers")?.iter().map(inline_sampler).collect();
    let thread_memory: Result<Vec<_>, _> =
        node.list("per_thread_memory_buffers")?.iter().map(thread_memory).collect();
    Ok(Kernel {
        name: node.require("name")?.text()?.into(),
        execution: execution(&node.require("execution_env")?)?,
        payload: payload?,
        per_thread_size,
        binding_table: binding_table?,
        samplers: samplers?,
        thread_memory: thread_memory?,
        arguments: Vec::new(),
    })
}

/// The second is the older form, in which the lanes of a thread are together.
const PER_THREAD_KINDS: [&str; 2] = ["local_id", "packed_local_ids"];

fn execution(node: &Node<'_>) -> Result<Execution, BinaryError> {
    let simd_size = node.require("simd_size")?;
    let lanes: u32 = simd_size.number()?;
    if !matches!(lanes, 1 | 8 | 16 | 32) {
        return Err(simd_size.error(format!("expected 1, 8, 16 or 32, found {lanes}")));
    }
    let walk_order = node.three::<u8>("work_group_walk_order_dimensions")?;
    Ok(Execution {
        simd_size: lanes,
        slm_size: node.optional("slm_size")?.unwrap_or_default(),
        private_size: node.optional("private_size")?.unwrap_or_default(),
        inline_data_size: node.optional("inline_data_payload_size")?.unwrap_or_default(),
        // All zero is the default order.
        walk_order: walk_order.filter(|order| *order != [0; 3]).unwrap_or([0, 1, 2]),
        required_group_size: node.three("required_work_group_size")?.filter(|size| *size != [0; 3]),
    })
}

fn payload_argument(node: &Node<'_>) -> Result<PayloadArgument, BinaryError> {
    let word = |key: &str| node.get(key)?.map(|node| node.text()).transpose();
    Ok(PayloadArgument {
        kind: PayloadKind::from_word(node.require("arg_type")?.text()?),
        offset: node.require("offset")?.number()?,
        size: node.require("size")?.number()?,
        argument: node.optional("arg_index")?,
        sampler: node.optional("sampler_index")?,
        mode: word("addrmode")?.map(AddressMode::from_word),
        space: word("addrspace")?.map(AddressSpace::from_word),
        source_offset: node.optional("source_offset")?.unwrap_or_default(),
        slm_alignment: node.optional("slm_alignment")?.unwrap_or_default(),
        table_index: node.optional("bti_value")?,
    })
}

fn thread_memory(node: &Node<'_>) -> Result<ThreadMemory, BinaryError> {
    Ok(ThreadMemory {
        kind: ThreadMemoryKind::from_word(node.require("type")?.text()?),
        usage: MemoryUsage::from_word(node.require("usage")?.text()?),
        size: node.require("size")?.number()?,
    })
}

fn inline_sampler(node: &Node<'_>) -> Result<InlineSampler, BinaryError> {
    Ok(InlineSampler {
        index: node.require("sampler_index")?.number()?,
        address_mode: node.require("addrmode")?.text()?.into(),
        filter_mode: node.require("filtermode")?.text()?.into(),
        is_normalized: node.flag("normalized")?,
    })
}

fn argument_info(node: &Node<'_>) -> Result<ArgumentInfo, BinaryError> {
    let text = |key: &str| -> Result<String, BinaryError> {
        Ok(node.get(key)?.map(|node| node.text()).transpose()?.unwrap_or_default().into())
    };
    Ok(ArgumentInfo {
        index: node.require("index")?.number()?,
        name: text("name")?,
        type_name: text("type_name")?,
    })
}
