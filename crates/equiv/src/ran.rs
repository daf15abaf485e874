//! What a run of a kernel leaves.

use std::borrow::Cow;

use genvisa::operand::DataType;
use genvisa_interp::dispatch::Launch;
use genvisa_interp::{Machine, Write};

/// What wrote an element.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Author {
    /// An instruction.
    Store(Write),
    /// Nothing, or only an atomic operation.
    Nobody,
    /// It is not known, because the kernel did not run in the interpreter.
    Unknown,
}

/// What a run of a kernel leaves.
pub(crate) enum Ran<'s> {
    /// In the interpreter.
    Machine {
        machine: Box<Machine<'s>>,
        launch: Box<Launch>,
        /// The lanes of all instructions.
        lanes: u64,
    },
    /// Elsewhere: the bytes of the arguments that are memory.
    Bytes(Vec<Option<Vec<u8>>>),
}

/// The bytes of an argument, and the bits of them that nobody wrote.
pub(crate) type Contents<'r> = (&'r [u8], Cow<'r, [u8]>);

impl Ran<'_> {
    pub(crate) fn lanes(&self) -> u64 {
        match self {
            Ran::Machine { lanes, .. } => *lanes,
            Ran::Bytes(_) => 0,
        }
    }

    /// Returns the contents of an argument, if it is memory.
    pub(crate) fn contents(&mut self, argument: usize) -> Option<Contents<'_>> {
        match self {
            Ran::Machine { machine, launch, .. } => {
                let address = launch.buffer(argument)?;
                let memory = machine.memory();
                Some((memory.bytes(address)?, memory.undefined_bits(address)?.into()))
            }
            Ran::Bytes(all) => {
                let bytes = all.get(argument)?.as_ref()?;
                Some((bytes, vec![0; bytes.len()].into()))
            }
        }
    }

    /// Returns the type of floats that instructions access the elements of an argument with.
    pub(crate) fn float_type(&self, argument: usize) -> Option<DataType> {
        match self {
            Ran::Machine { machine, launch, .. } => machine.float_type(launch.buffer(argument)?),
            Ran::Bytes(_) => None,
        }
    }

    /// Returns what wrote a byte of an argument.
    pub(crate) fn author(&self, argument: usize, offset: u64) -> Author {
        match self {
            Ran::Machine { machine, launch, .. } => {
                let address = launch.buffer(argument).unwrap_or_default() + offset;
                machine.last_write(address).map_or(Author::Nobody, Author::Store)
            }
            Ran::Bytes(_) => Author::Unknown,
        }
    }
}
