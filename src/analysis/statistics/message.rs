//! Operations of instructions, and the targets of messages.

use core::cmp::Ordering;
use core::fmt;

use crate::isa::lsc::{LscTyped, LscUntyped};
use crate::isa::{Instruction, prefix};
use crate::operand::lsc::{LscAddrType, LscOp, LscSfid};
use crate::operand::{Slot, SurfaceId, VarId, Vector, Visitor};

/// An operation: an opcode, or an operation of a family of instructions.
///
/// [`Display`](fmt::Display) prints the [mnemonic](Instruction::mnemonic), and of families the name
/// in text, such as `lsc_load` and `svm_gather`. They are in the order of these names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Operation {
    prefix: &'static str,
    name: Name,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Name {
    Text(&'static str),
    Lsc(LscOp),
}

impl Operation {
    /// Returns the operation of an instruction.
    ///
    /// ```
    /// use genvisa::Instruction;
    /// use genvisa::analysis::Operation;
    /// use genvisa::isa::{Info, lsc};
    /// use genvisa::operand::lsc::LscOp;
    ///
    /// let store = Instruction::from(lsc::Access { op: LscOp::STORE, ..lsc::Access::default() });
    /// assert_eq!(Operation::of(&store).to_string(), "lsc_store");
    /// assert_eq!(Operation::of(&Info::default().into()).to_string(), "info_3d");
    /// ```
    pub const fn of(instruction: &Instruction) -> Operation {
        let (prefix, name) = match instruction {
            Instruction::Svm(inner) => (prefix!(Svm), Name::Text(inner.mnemonic())),
            Instruction::Va(inner) => (prefix!(Va), Name::Text(inner.mnemonic())),
            Instruction::VaSklPlus(inner) => (prefix!(VaSklPlus), Name::Text(inner.mnemonic())),
            Instruction::LscUntyped(inner) => (prefix!(Lsc), Name::Lsc(inner.op())),
            Instruction::LscTyped(inner) => (prefix!(Lsc), Name::Lsc(inner.op())),
            other => ("", Name::Text(other.mnemonic())),
        };
        Operation { prefix, name }
    }
}

impl Ord for Operation {
    fn cmp(&self, other: &Self) -> Ordering {
        /// Returns the name in two parts, and the code of an operation that has none.
        fn key(operation: &Operation) -> (impl Iterator<Item = u8>, u8) {
            let (name, code) = match operation.name {
                Name::Text(name) => (name, 0),
                Name::Lsc(op) => (op.name().unwrap_or_default(), op.bits()),
            };
            (operation.prefix.bytes().chain(name.bytes()), code)
        }
        let ((name, code), (other_name, other_code)) = (key(self), key(other));
        name.cmp(other_name).then(code.cmp(&other_code))
    }
}

impl PartialOrd for Operation {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for Operation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.name {
            Name::Text(name) => write!(f, "{}{name}", self.prefix),
            Name::Lsc(op) => write!(f, "{}{op}", self.prefix),
        }
    }
}

/// An operation that sends a message, and the target of the message.
///
/// [`Display`](fmt::Display) prints both with a space between them: `lsc_load ugm.flat`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub struct Message {
    /// The operation.
    pub operation: Operation,
    /// The surface or shared function.
    pub target: Target,
}

impl Message {
    /// Returns the message of an instruction; `None` if it [is no message](Instruction::is_message).
    pub fn of(instruction: &Instruction) -> Option<Message> {
        let target = Target::of(instruction)?;
        Some(Message { operation: Operation::of(instruction), target })
    }
}

impl fmt::Display for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.operation, self.target)
    }
}

/// The surface or shared function that a message accesses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Target {
    /// A surface of the routine, or a predefined surface; `T6`, `T0:slm`.
    ///
    /// [`T3`](Self::SCRATCH) is the scratch surface, T4 is bindless, and T5 is stateless memory.
    Surface(SurfaceId),
    /// A surface state in memory, with efficient 64-bit addressing; `state`.
    SurfaceState,
    /// Memory through the load-store cache; `ugm.flat`, `slm.flat`, `ugm.bti(2)`, `tgm.bss`.
    Lsc {
        /// The shared function.
        sfid: LscSfid,
        /// The base of the addresses.
        address: LscAddrType,
        /// The index in the binding table, if it is a constant.
        index: Option<u32>,
    },
    /// Shared virtual memory, which has no surface; `svm`.
    Svm,
    /// The unified return buffer; `urb`.
    Urb,
    /// The shared function of a raw send; `sfid 0xd`. Its number depends on the platform.
    SharedFunction(u32),
    /// No surface: for example, the sampler instructions that name none; `none`.
    None,
}

impl Target {
    /// The surface that contains scratch memory.
    pub const SCRATCH: Target = Target::Surface(SurfaceId(3));

    /// Returns the target of an instruction; `None` if it [is no message](Instruction::is_message).
    pub fn of(instruction: &Instruction) -> Option<Target> {
        /// The bits of a shared function in the first word of a raw send.
        const SFID: u32 = 0xf;
        if !instruction.is_message() {
            return None;
        }
        Some(match instruction {
            Instruction::LscUntyped(inner) => of_untyped(inner),
            Instruction::LscTyped(inner) => of_typed(inner),
            Instruction::Svm(_) => Target::Svm,
            Instruction::UrbWrite(_) => Target::Urb,
            Instruction::RawSend(send) => Target::SharedFunction(send.ex_msg_desc & SFID),
            Instruction::RawSends(send) => match send.sfid {
                Some(sfid) => Target::SharedFunction(u32::from(sfid) & SFID),
                None => Target::None,
            },
            Instruction::RawSendg(send) => Target::SharedFunction(send.sfid),
            _ => {
                let mut surfaces = FirstSurface(Target::None);
                instruction.visit(&mut surfaces);
                surfaces.0
            }
        })
    }

    /// Returns whether the target is scratch memory, the memory that belongs to a thread: surface T3
    /// and address model `ss`. Compilers also use `ss` for bindless surfaces of some shaders.
    pub const fn is_scratch(self) -> bool {
        match self {
            Target::Surface(SurfaceId(3)) => true,
            Target::Lsc { address, .. } => address.bits() == LscAddrType::SS.bits(),
            _ => false,
        }
    }
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Target::Surface(surface) => {
                let meaning = match surface.0 {
                    0 => ":slm",
                    3 => ":scratch",
                    4 => ":bindless",
                    5 => ":stateless",
                    _ => "",
                };
                write!(f, "T{}{meaning}", surface.0)
            }
            Target::SurfaceState => f.write_str("state"),
            Target::Lsc { sfid, address, index: None } => write!(f, "{sfid}.{address}"),
            Target::Lsc { sfid, address, index: Some(index) } => {
                write!(f, "{sfid}.{address}({index})")
            }
            Target::Svm => f.write_str("svm"),
            Target::Urb => f.write_str("urb"),
            Target::SharedFunction(sfid) => write!(f, "sfid {sfid:#x}"),
            Target::None => f.write_str("none"),
        }
    }
}

fn of_untyped(message: &LscUntyped) -> Target {
    match message {
        LscUntyped::Access(m) => lsc(m.sfid, m.addr_type, &m.surface),
        LscUntyped::Strided(m) => lsc(m.sfid, m.addr_type, &m.surface),
        LscUntyped::AppendCounter(m) => lsc(m.sfid, m.addr_type, &m.surface),
        LscUntyped::CacheControl(m) => lsc(m.sfid, m.addr_type, &m.surface),
        // The address of the surface is an operand.
        LscUntyped::Block2d(m) => {
            Target::Lsc { sfid: m.sfid, address: LscAddrType::FLAT, index: None }
        }
    }
}

fn of_typed(message: &LscTyped) -> Target {
    match message {
        LscTyped::TypedAccess(m) => lsc(LscSfid::TGM, m.addr_type, &m.surface),
        LscTyped::TypedBlock2d(m) => lsc(LscSfid::TGM, m.addr_type, &m.surface),
    }
}

fn lsc(sfid: LscSfid, address: LscAddrType, surface: &Vector) -> Target {
    let index = match (address, surface.as_imm()) {
        (LscAddrType::BTI, Some(imm)) => u32::try_from(imm.bits()).ok(),
        _ => None,
    };
    Target::Lsc { sfid, address, index }
}

/// Finds the first surface among the operands that it visits.
struct FirstSurface(Target);

impl FirstSurface {
    fn found(&mut self, target: Target) {
        if self.0 == Target::None {
            self.0 = target;
        }
    }
}

impl Visitor for FirstSurface {
    fn surface(&mut self, _: Slot, surface: SurfaceId) {
        self.found(Target::Surface(surface));
    }

    fn state_address(&mut self, slot: Slot, _: VarId) {
        // The other states are samplers.
        if slot.field == "surface" {
            self.found(Target::SurfaceState);
        }
    }
}
