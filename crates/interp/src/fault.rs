//! What stops a run: behaviour that is not defined, and operations that are not modelled.

use std::fmt;

/// What stopped a run.
///
/// [`Display`](fmt::Display) prints what happened and where, with the line of the instruction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// What happened.
    pub kind: FaultKind,
    /// The instruction; `None` if the fault is about the start or the end of a group.
    pub place: Option<Box<Place>>,
    /// The earlier instruction of a race.
    pub earlier: Option<Box<Site>>,
}

/// An instruction of a program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Site {
    /// The name of the routine.
    pub routine: String,
    /// The index of the instruction in the routine, as in `$n` of listings.
    pub instruction: usize,
    /// The instruction as text.
    pub line: String,
    /// The source line that FILE and LOC state.
    pub source: Option<Source>,
}

/// A source line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Source {
    /// The name of the file; empty if there is no FILE.
    pub file: String,
    /// The number of the line, from 1.
    pub line: u32,
}

/// The instruction that a fault is about, and what it was doing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// The instruction.
    pub site: Site,
    /// The group of the thread.
    pub group: [u32; 3],
    /// The index of the thread in its group.
    pub thread: u32,
    /// The lane of the thread, if the fault is about one.
    pub lane: Option<u32>,
    /// The operand, if the fault is about one: the name of the field, such as `src0`.
    pub operand: Option<&'static str>,
}

/// The kind of a fault, with the values that explain it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FaultKind {
    /// No form of the instruction, or of the operation of the message, is modelled.
    InstructionNotModelled(String),
    /// The operand, the form of the instruction, or the state is not modelled.
    NotModelled(String),
    /// A value that nobody wrote determines an address, a branch, or what a lane stores.
    Undefined {
        /// What depends on the value.
        use_: &'static str,
        /// Where the value comes from.
        origin: String,
    },
    /// An operand is outside of its variable.
    OutsideVariable {
        /// The variable.
        variable: String,
        /// The first byte of the access, from the start of the variable.
        start: i64,
        /// The number of bytes of the access.
        size: u32,
        /// The number of bytes of the variable.
        variable_size: u32,
    },
    /// An element is outside of its predicate or address variable.
    OutsideElements {
        /// The variable.
        variable: String,
        /// The element.
        element: u32,
        /// The number of elements of the variable.
        elements: u32,
    },
    /// Something that the user of the interpreter gives to the kernel, such as a surface, was not given.
    NotGiven(String),
    /// A memory access is outside of all buffers, or of its surface.
    OutsideMemory {
        /// Whether the access reads, writes or does both.
        access: &'static str,
        /// The address, or the offset in the surface.
        address: u64,
        /// The number of bytes of the access.
        size: u32,
        /// What is near, such as "4 bytes after the end of argument 0 (4096 bytes)".
        near: String,
    },
    /// An address has not the alignment that the message requires.
    Misaligned {
        /// The address or the offset.
        address: u64,
        /// The required alignment in bytes.
        alignment: u32,
    },
    /// Two threads access the same memory, one of them writes, and nothing orders them.
    Race {
        /// The address.
        address: u64,
        /// The place, such as "byte 64 of argument 0".
        place: String,
        /// The earlier access, such as "written by thread 3 of group 0".
        other: String,
        /// The index of the earlier instruction among those of all routines of the program.
        instruction: usize,
    },
    /// Lanes write different values to the same byte with one instruction.
    ConflictingLanes {
        /// The address.
        address: u64,
        /// The other lane.
        other: u32,
    },
    /// A barrier that not all lanes of the thread reach together.
    DivergentBarrier {
        /// The lanes that are elsewhere.
        elsewhere: u32,
    },
    /// A barrier that a thread never reaches.
    MissedBarrier {
        /// The threads that ended, or wait for something else.
        others: Vec<u32>,
    },
    /// Any other behaviour that is not defined.
    NotDefined(String),
    /// The program itself is wrong: a label without a place, an operand of the wrong kind.
    Malformed(String),
    /// A thread executed more lanes of instructions than allowed.
    TooLong(u64),
    /// The run needs more memory than allowed.
    TooLarge {
        /// What needs the memory.
        what: String,
        /// The number of bytes that it needs.
        needed: u64,
        /// The number of bytes that are allowed.
        limit: u64,
    },
}

impl FaultKind {
    /// Returns a name for programs, such as `outside-memory`.
    pub fn name(&self) -> &'static str {
        match self {
            FaultKind::InstructionNotModelled(_) | FaultKind::NotModelled(_) => "not-modelled",
            FaultKind::Undefined { .. } => "undefined-value",
            FaultKind::OutsideVariable { .. } | FaultKind::OutsideElements { .. } => {
                "outside-variable"
            }
            FaultKind::NotGiven(_) => "not-given",
            FaultKind::OutsideMemory { .. } => "outside-memory",
            FaultKind::Misaligned { .. } => "misaligned",
            FaultKind::Race { .. } => "race",
            FaultKind::ConflictingLanes { .. } => "conflicting-lanes",
            FaultKind::DivergentBarrier { .. } => "divergent-barrier",
            FaultKind::MissedBarrier { .. } => "missed-barrier",
            FaultKind::NotDefined(_) => "not-defined",
            FaultKind::Malformed(_) => "malformed",
            FaultKind::TooLong(_) => "too-long",
            FaultKind::TooLarge { .. } => "too-large",
        }
    }

    /// Fails if something needs more bytes of memory than allowed.
    pub(crate) fn check_memory(
        what: impl FnOnce() -> String,
        needed: u64,
        limit: u64,
    ) -> Result<(), FaultKind> {
        match needed <= limit {
            true => Ok(()),
            false => Err(FaultKind::TooLarge { what: what(), needed, limit }),
        }
    }

    /// Returns the fault of something that is not modelled.
    pub(crate) fn not_modelled(what: impl Into<String>) -> FaultKind {
        FaultKind::NotModelled(what.into())
    }
}

impl fmt::Display for FaultKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FaultKind::InstructionNotModelled(what) | FaultKind::NotModelled(what) => {
                write!(f, "{what} is not modelled")
            }
            FaultKind::Undefined { use_, origin } => {
                write!(f, "{use_} depends on a value that was never written: {origin}")
            }
            FaultKind::OutsideVariable { variable, start, size, variable_size } => write!(
                f,
                "accesses bytes {start} to {} of {variable}, which has {variable_size} bytes",
                start + i64::from(*size) - 1
            ),
            FaultKind::OutsideElements { variable, element, elements } => {
                write!(f, "accesses element {element} of {variable}, which has {elements} elements")
            }
            FaultKind::NotGiven(what) => write!(f, "{what} was not given"),
            FaultKind::OutsideMemory { access, address, size, near } => {
                write!(f, "{access} {size} bytes at {address:#x}, {near}")
            }
            FaultKind::Misaligned { address, alignment } => {
                write!(f, "{address:#x} is not aligned to {alignment} bytes")
            }
            FaultKind::Race { address, place, other, .. } => write!(
                f,
                "races at {address:#x}, {place}, which was {other}, and nothing orders them"
            ),
            FaultKind::ConflictingLanes { address, other } => {
                write!(f, "writes another value to {address:#x} than lane {other} does")
            }
            FaultKind::DivergentBarrier { elsewhere } => {
                write!(f, "barrier in divergent control flow: lanes {elsewhere:#x} are elsewhere")
            }
            FaultKind::MissedBarrier { others } => {
                write!(f, "waits at a barrier that threads {others:?} of the group do not reach")
            }
            FaultKind::NotDefined(what) => write!(f, "{what} is not defined"),
            FaultKind::Malformed(what) => f.write_str(what),
            FaultKind::TooLong(limit) => {
                write!(f, "the executed instructions have more than {limit} active lanes")
            }
            FaultKind::TooLarge { what, needed, limit } => {
                write!(f, "{needed} bytes of memory are needed for {what}; the limit is {limit}")
            }
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(place) = &self.place else { return write!(f, "{}", self.kind) };
        if let Some(lane) = place.lane {
            write!(f, "lane {lane}")?;
        }
        match (place.lane, place.operand) {
            (Some(_), Some(operand)) => write!(f, ", {operand}: ")?,
            (None, Some(operand)) => write!(f, "{operand}: ")?,
            (Some(_), None) => write!(f, ": ")?,
            (None, None) => {}
        }
        let [x, y, z] = place.group;
        write!(
            f,
            "{}\n  --> {}, group ({x}, {y}, {z}), thread {}\n  |  {}",
            self.kind, place.site, place.thread, place.site.line
        )?;
        match &self.earlier {
            Some(earlier) => {
                write!(f, "\n  --> {earlier}, the earlier access\n  |  {}", earlier.line)
            }
            None => Ok(()),
        }
    }
}

impl fmt::Display for Site {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ${}", self.routine, self.instruction)?;
        match &self.source {
            Some(source) => write!(f, ", {source}"),
            None => Ok(()),
        }
    }
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &*self.file {
            "" => write!(f, "line {}", self.line),
            file => write!(f, "{file}:{}", self.line),
        }
    }
}

impl From<FaultKind> for Fault {
    fn from(kind: FaultKind) -> Fault {
        Fault { kind, place: None, earlier: None }
    }
}

impl std::error::Error for Fault {}

/// The result of a step of the interpreter below the machine, which adds the place.
pub(crate) type Result<T, E = Problem> = std::result::Result<T, E>;

/// A fault without its instruction, which the machine adds.
#[derive(Debug)]
pub(crate) struct Problem {
    /// In a box, because results without a problem are moved often.
    pub kind: Box<FaultKind>,
    pub lane: Option<u32>,
    pub operand: Option<&'static str>,
}

impl From<FaultKind> for Problem {
    #[cold]
    fn from(kind: FaultKind) -> Problem {
        Problem { kind: Box::new(kind), lane: None, operand: None }
    }
}

impl Problem {
    /// Adds the lane, unless there is one.
    pub fn lane(mut self, lane: u32) -> Problem {
        self.lane.get_or_insert(lane);
        self
    }

    /// Adds the operand, unless there is one.
    pub fn operand(mut self, operand: &'static str) -> Problem {
        self.operand.get_or_insert(operand);
        self
    }
}
