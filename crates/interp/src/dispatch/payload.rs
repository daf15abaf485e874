//! The payload of threads: the registers that they start with.

use genvisa_container::device::{AddressMode, Kernel, PayloadArgument, PayloadKind};

use super::argument::argument_error;
use super::error::DispatchError;
use super::grid::Grid;
use super::handles::inline_handle;
use super::hardware::ThreadNumbering;
use super::local_ids::LocalIds;
use crate::machine::ThreadStart;
use crate::surface::{Image, Sampler};

/// The values of a payload that are addresses, handles and bytes of arguments.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Values {
    /// The arguments, by their index.
    pub arguments: Vec<ArgumentValue>,
    /// The constants of the program.
    pub constants: DataBase,
    /// The variables of the program.
    pub globals: DataBase,
    /// The address of private memory.
    pub private: u64,
    /// The address of the output of `printf`.
    pub printf: u64,
    /// The address of the implicit arguments.
    pub implicit: u64,
    /// The scratch memory of the threads.
    pub scratch: Scratch,
}

/// How `%r0.5` refers to the scratch memory of a thread: by an address in 32 bits, or by the handle of a
/// surface, shifted left by four bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Scratch {
    /// The value in the first hardware thread.
    pub first: u32,
    /// What each further thread adds.
    pub step: u32,
}

/// A section of data of the program.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DataBase {
    /// Its address.
    pub address: u64,
    /// The handle of its surface.
    pub handle: u32,
}

/// The value of an argument in a payload.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum ArgumentValue {
    /// The argument is not in the payload.
    #[default]
    Unused,
    /// The bytes of a value.
    Bytes(Vec<u8>),
    /// The address, the handle and the size of a buffer.
    Buffer {
        /// The address; 0 for a null pointer.
        address: u64,
        /// The handle of the surface.
        handle: u32,
        /// The number of bytes.
        size: u64,
    },
    /// An image and its handle.
    Image {
        /// The image.
        image: Image,
        /// The handle of the surface.
        handle: u32,
    },
    /// A sampler and its handle.
    Sampler {
        /// The sampler.
        sampler: Sampler,
        /// The handle.
        handle: u32,
    },
    /// The offset in shared local memory.
    Local(u32),
}

/// The payload of all threads of a kernel.
#[derive(Clone, Debug)]
pub struct Payload {
    register: u32,
    /// The registers before the arguments: `%r0` and the local ids.
    base: u32,
    local_ids: LocalIds,
    /// The image of a thread with the values that all threads of a full group share.
    image: Vec<u8>,
    /// Where the size of the group is, if the payload contains it, and the number of its bytes.
    local_size: Option<(usize, usize)>,
    numbering: Option<ThreadNumbering>,
    scratch: Scratch,
    grid: Grid,
}

/// More than the registers of a thread.
const MAX_IMAGE: u64 = 1 << 16;

/// The bytes of `%r0` that have a meaning here.
const R0_SIZE: u32 = 32;

impl Payload {
    /// Returns the payload of a kernel.
    ///
    /// # Errors
    /// The payload contains something that is not modelled, or is too large.
    pub fn new(
        kernel: &Kernel,
        register: u32,
        numbering: Option<ThreadNumbering>,
        grid: Grid,
        values: &Values,
    ) -> Result<Payload, DispatchError> {
        let local_ids = LocalIds::new(kernel, register)?;
        let base = register.saturating_add(kernel.per_thread_size);
        if register < R0_SIZE || u64::from(base) > MAX_IMAGE {
            let what = format!("a payload that begins with {base} bytes");
            return Err(DispatchError::NotModelled(what));
        }
        let layout = Layout { base, register, inline: kernel.execution.inline_data_size };
        let mut payload = Payload {
            register,
            base,
            local_ids,
            image: vec![0; base as usize],
            local_size: None,
            numbering,
            scratch: values.scratch,
            grid,
        };
        for argument in kernel.payload.iter().filter(|argument| argument.size != 0) {
            let bytes = bytes_of(kernel, argument, &grid, values)?;
            let at = layout.place(argument.offset.into());
            let end = at + u64::from(argument.size);
            if end > MAX_IMAGE {
                let what = format!("a payload of {end} bytes");
                return Err(DispatchError::NotModelled(what));
            }
            let (at, end) = (at as usize, end as usize);
            if payload.image.len() < end {
                payload.image.resize(end.next_multiple_of(register as usize), 0);
            }
            payload.image[at..end].copy_from_slice(&bytes);
            if argument.kind == PayloadKind::LocalSize {
                payload.local_size = Some((at, end - at));
            }
        }
        // Inputs are whole registers if they do not fit the arguments.
        payload.image.resize(payload.image.len() + register as usize, 0);
        // The pointer to the arguments that threads load.
        payload.image[..4].copy_from_slice(&((values.implicit as u32) & !63).to_le_bytes());
        Ok(payload)
    }

    /// Returns the layout of the local ids.
    pub fn local_ids(&self) -> &LocalIds {
        &self.local_ids
    }

    /// Returns the threads of a group. The numbers of their hardware threads begin at `first`.
    pub fn group(&self, id: [u32; 3], first: u32) -> impl Iterator<Item = ThreadStart> + '_ {
        let size = self.grid.group_size(id);
        let threads = self.local_ids.threads(size);
        (0..threads).map(move |thread| self.thread(id, size, thread, first.wrapping_add(thread)))
    }

    fn thread(
        &self,
        id: [u32; 3],
        size: [u32; 3],
        thread: u32,
        hardware_thread: u32,
    ) -> ThreadStart {
        let mut image = self.image.clone();
        let mut set = |dword: usize, value: u32| {
            image[dword * 4..dword * 4 + 4].copy_from_slice(&value.to_le_bytes());
        };
        set(1, id[0]);
        set(2, thread & 0xff);
        let Scratch { first, step } = self.scratch;
        set(5, first.wrapping_add(step.wrapping_mul(hardware_thread)));
        set(6, id[1]);
        set(7, id[2]);
        let (register, base) = (self.register as usize, self.base as usize);
        self.local_ids.write(size, thread, &mut image[register..base]);
        if let Some((at, bytes)) = self.local_size {
            image[at..at + bytes].copy_from_slice(&three(size)[..bytes]);
        }
        let mask = self.local_ids.mask(size, thread);
        let variables = self.numbering.map(|numbering| numbering.registers(hardware_thread, mask));
        let variables = variables.unwrap_or_default();
        ThreadStart { image, mask, variables, ..ThreadStart::default() }
    }
}

/// Where the arguments are in the image of a thread.
struct Layout {
    base: u32,
    register: u32,
    /// The bytes that the hardware puts before the other arguments.
    inline: u32,
}

impl Layout {
    fn place(&self, offset: u64) -> u64 {
        let (base, inline) = (u64::from(self.base), u64::from(self.inline));
        if inline == 0 || offset < inline {
            return base + offset;
        }
        // The inline arguments take whole registers.
        base + inline.max(self.register.into()) + (offset - inline)
    }
}

/// Returns the twelve bytes of three sizes.
fn three(sizes: [u32; 3]) -> Vec<u8> {
    sizes.map(u32::to_le_bytes).concat()
}

/// Returns the bytes of a value of the payload.
fn bytes_of(
    kernel: &Kernel,
    entry: &PayloadArgument,
    grid: &Grid,
    values: &Values,
) -> Result<Vec<u8>, DispatchError> {
    let size = entry.size as usize;
    let not_modelled = || {
        let mode = entry.mode.as_ref().map_or(String::new(), |mode| format!(", {}", mode.word()));
        DispatchError::NotModelled(format!(
            "payload argument `{}`{mode} of {size} bytes",
            entry.kind.word()
        ))
    };
    let argument = || entry.argument.and_then(|index| values.arguments.get(index as usize));
    // Null pointers and handles of what the kernel does not access are zero.
    let number = |value: u64| value.to_le_bytes().to_vec();
    let bytes = match &entry.kind {
        PayloadKind::GlobalIdOffset => three(grid.offset),
        PayloadKind::EnqueuedLocalSize | PayloadKind::LocalSize => three(grid.local),
        PayloadKind::GlobalSize => three(grid.global),
        PayloadKind::GroupCount => three(grid.groups()),
        PayloadKind::WorkDimensions => number(grid.dimensions.into()),
        PayloadKind::Value => {
            let start = entry.source_offset as usize;
            let Some(ArgumentValue::Bytes(bytes)) = argument() else { return Err(not_modelled()) };
            let piece = start.checked_add(size).and_then(|end| bytes.get(start..end));
            let piece = piece.ok_or_else(|| {
                let problem = format!("has {} bytes, less than the kernel reads", bytes.len());
                argument_error(kernel, entry.argument.unwrap_or_default(), problem)
            });
            piece?.to_vec()
        }
        PayloadKind::Pointer => match (argument(), &entry.mode) {
            (Some(ArgumentValue::Buffer { address, .. }), Some(AddressMode::Stateless)) => {
                number(*address)
            }
            (
                Some(
                    ArgumentValue::Buffer { handle, .. }
                    | ArgumentValue::Image { handle, .. }
                    | ArgumentValue::Sampler { handle, .. },
                ),
                Some(AddressMode::Bindless),
            ) => number((*handle).into()),
            (Some(ArgumentValue::Local(offset)), _) => number((*offset).into()),
            _ => return Err(not_modelled()),
        },
        PayloadKind::BufferAddress => match argument() {
            Some(ArgumentValue::Buffer { address, .. }) => number(*address),
            _ => return Err(not_modelled()),
        },
        PayloadKind::BufferSize => match argument() {
            Some(ArgumentValue::Buffer { size, .. }) => number(*size),
            _ => return Err(not_modelled()),
        },
        // Surfaces begin at their buffers.
        PayloadKind::BufferOffset => number(0),
        PayloadKind::SamplerSnap => number(0),
        PayloadKind::InlineSampler => {
            number(inline_handle(entry.sampler.unwrap_or_default()).into())
        }
        PayloadKind::ImageWidth
        | PayloadKind::ImageHeight
        | PayloadKind::ImageDepth
        | PayloadKind::ImageArraySize => match (argument(), &entry.kind) {
            (Some(ArgumentValue::Image { image, .. }), PayloadKind::ImageWidth) => {
                number(image.width.into())
            }
            (Some(ArgumentValue::Image { image, .. }), PayloadKind::ImageHeight) => {
                number(image.height.into())
            }
            (Some(ArgumentValue::Image { image, .. }), _) => number(image.depth.into()),
            _ => return Err(not_modelled()),
        },
        // The numbers of the compiler's library for OpenCL C.
        PayloadKind::SamplerNormalized => match argument() {
            Some(ArgumentValue::Sampler { sampler, .. }) => {
                number(if sampler.normalized { 8 } else { 0 })
            }
            _ => return Err(not_modelled()),
        },
        PayloadKind::SamplerAddress => match argument() {
            Some(ArgumentValue::Sampler { sampler, .. }) => number(match sampler.address[0] {
                crate::AddressMode::ClampToBorder => 1,
                crate::AddressMode::ClampToEdge => 2,
                crate::AddressMode::Repeat => 3,
                crate::AddressMode::MirroredRepeat => 4,
            }),
            _ => return Err(not_modelled()),
        },
        PayloadKind::ConstBase | PayloadKind::GlobalBase => {
            let is_constant = entry.kind == PayloadKind::ConstBase;
            let base = if is_constant { values.constants } else { values.globals };
            let is_bindless = entry.mode == Some(AddressMode::Bindless);
            number(if is_bindless { base.handle.into() } else { base.address })
        }
        PayloadKind::PrivateBase => number(values.private),
        PayloadKind::PrintfBuffer => number(values.printf),
        PayloadKind::ImplicitArguments => number(values.implicit),
        _ => return Err(not_modelled()),
    };
    match bytes.get(..size) {
        Some(bytes) => Ok(bytes.to_vec()),
        None => Err(not_modelled()),
    }
}
