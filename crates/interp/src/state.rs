//! The state of a thread that instructions read and write: variables, addresses, predicates, surfaces
//! and samplers.

use std::ops::Range;
use std::sync::OnceLock;

use genvisa::operand::{AddrId, DataType, PredId, SamplerId, SurfaceId, VarId};

use crate::fault::FaultKind;
use crate::program::Code;
use crate::value::{Lanes, Value, first_lanes, set_bits, set_word, up_to_last, word};

/// The variables of an activation of a routine.
#[derive(Clone, Debug)]
pub(crate) struct Registers {
    bytes: Vec<u8>,
    /// The bits that depend on what nobody wrote.
    undefined: Vec<u8>,
    /// The index of the instruction that wrote each byte last, or [`NEVER`].
    writers: Vec<u32>,
    /// Where undefined bytes come from that instructions wrote; empty until one does.
    roots: Vec<Option<Root>>,
    /// What the current instruction read.
    read: Read,
    addresses: Vec<Vec<Option<Pointer>>>,
    predicates: Vec<Predicate>,
    surfaces: Vec<Vec<Value>>,
    samplers: Vec<Vec<Value>>,
}

const NEVER: u32 = u32::MAX;

/// The writer of what a thread starts with.
pub(crate) const START: u32 = u32::MAX - 1;

/// Where an undefined value comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Root {
    /// The position of a byte that nobody wrote.
    pub at: u32,
    /// The index of the instruction that read it.
    pub reader: u32,
}

/// The first undefined value that the current instruction read, from which its undefined results come.
#[derive(Clone, Debug, Default)]
struct Read {
    instruction: u32,
    /// Set once: the first undefined value counts.
    root: OnceLock<Option<Root>>,
}

/// Elements with the same distances in the bytes of all variables.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Strided {
    /// The position of the first.
    pub start: usize,
    /// The distance in bytes.
    pub stride: usize,
    /// The number of bytes of an element.
    pub size: usize,
}

/// The address of a variable, plus an offset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Pointer {
    pub variable: VarId,
    /// The offset in bytes from the start of the variable.
    pub offset: i64,
}

/// The elements of a predicate.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Predicate {
    pub bits: u32,
    /// The elements that depend on what nobody wrote.
    pub undefined: u32,
}

impl Registers {
    /// Returns the number of bytes of memory that the variables of a routine take at most.
    pub fn memory(code: &Code) -> u64 {
        /// A byte with its undefined bits, its writer and its root.
        const OF_BYTE: usize = 2 + size_of::<u32>() + size_of::<Option<Root>>();
        let body = code.body();
        let addresses: usize = body.addresses.iter().map(|it| usize::from(it.num_elements)).sum();
        let states = body.surfaces.iter().chain(&body.samplers);
        let states: usize = states.map(|it| usize::from(it.num_elements)).sum();
        let all = code.size() * OF_BYTE
            + addresses * size_of::<Option<Pointer>>()
            + states * size_of::<Value>()
            + body.predicates.len() * size_of::<Predicate>();
        all as u64
    }

    /// Returns the variables of a routine, none of which is written.
    pub fn new(code: &Code) -> Registers {
        let body = code.body();
        let sized = |count: u16| vec![Value { bits: 0, undefined: u64::MAX }; count.max(1).into()];
        let declared = body.surfaces.iter().map(|surface| sized(surface.num_elements));
        let predefined = (0..SurfaceId::FIRST_DECLARED.0).map(|id| {
            // A predefined surface names itself until it is set.
            vec![Value::defined(id.into())]
        });
        let samplers = body.samplers.iter().map(|sampler| sized(sampler.num_elements));
        let mut samplers: Vec<_> = samplers.collect();
        // The bindless sampler is not in the table. Between are samplers without elements.
        let bindless = usize::from(SamplerId::BINDLESS.0);
        if samplers.len() <= bindless {
            samplers.resize(bindless, Vec::new());
            samplers.push(sized(1));
        }
        Registers {
            bytes: vec![0; code.size()],
            undefined: vec![0xff; code.size()],
            writers: vec![NEVER; code.size()],
            roots: Vec::new(),
            read: Read::default(),
            addresses: body.addresses.iter().map(|a| vec![None; a.num_elements.into()]).collect(),
            predicates: vec![
                Predicate { bits: 0, undefined: u32::MAX };
                body.predicates.len() + usize::from(PredId::FIRST_DECLARED.0)
            ],
            surfaces: predefined.chain(declared).collect(),
            samplers,
        }
    }

    /// Reads an element at a position in the bytes of all variables.
    #[inline]
    pub fn get(&self, at: usize, size: usize) -> Value {
        let value = Value {
            bits: word(&self.bytes[at..at + size]),
            undefined: word(&self.undefined[at..at + size]),
        };
        if !value.is_defined() {
            self.note_read(at, size);
        }
        value
    }

    /// Reads the elements of lanes to zeros, and perhaps those between them; all elements up to the last lane are in
    /// the bytes of all variables. Signed integers are extended to 64 bits.
    pub fn get_lanes(&self, elements: Strided, lanes: u32, is_signed: bool, values: &mut Lanes) {
        match (elements.size, is_signed) {
            (1, false) => self.gather::<1>(elements, lanes, values, |bits| bits),
            (1, true) => self.gather::<1>(elements, lanes, values, |bits| bits as i8 as u64),
            (2, false) => self.gather::<2>(elements, lanes, values, |bits| bits),
            (2, true) => self.gather::<2>(elements, lanes, values, |bits| bits as i16 as u64),
            (4, false) => self.gather::<4>(elements, lanes, values, |bits| bits),
            (4, true) => self.gather::<4>(elements, lanes, values, |bits| bits as i32 as u64),
            _ => self.gather::<8>(elements, lanes, values, |bits| bits),
        }
    }

    #[inline]
    fn gather<const SIZE: usize>(
        &self,
        elements: Strided,
        lanes: u32,
        values: &mut Lanes,
        extend: impl Fn(u64) -> u64,
    ) {
        let Strided { start, stride, .. } = elements;
        let get = |at| {
            let Value { bits, undefined } = self.get(at, SIZE);
            Value { bits: extend(bits), undefined: extend(undefined) }
        };
        if stride == 0 {
            return values.fill(get(start));
        }
        // The usual elements are a slice.
        if let Some(range) = elements.range(up_to_last(lanes)) {
            let undefined = self.undefined[range.clone()].iter().fold(0, |all, byte| all | byte);
            if undefined == 0 {
                let bytes = self.bytes[range].chunks_exact(SIZE);
                for (bits, bytes) in values.bits_mut().iter_mut().zip(bytes) {
                    *bits = extend(word(bytes));
                }
                return;
            }
        }
        for lane in set_bits(lanes) {
            values.set(lane, get(start + lane * stride));
        }
    }

    /// Writes the elements of lanes; all elements up to the last lane are in the bytes of all variables.
    pub fn set_lanes(&mut self, elements: Strided, lanes: u32, values: &Lanes, writer: u32) {
        match elements.size {
            1 => self.scatter::<1>(elements, lanes, values, writer),
            2 => self.scatter::<2>(elements, lanes, values, writer),
            4 => self.scatter::<4>(elements, lanes, values, writer),
            _ => self.scatter::<8>(elements, lanes, values, writer),
        }
    }

    #[inline]
    fn scatter<const SIZE: usize>(
        &mut self,
        elements: Strided,
        lanes: u32,
        values: &Lanes,
        writer: u32,
    ) {
        let count = first_lanes(lanes).filter(|_| values.are_defined());
        if let Some(range) = count.and_then(|count| elements.range(count)) {
            let bytes = self.bytes[range.clone()].chunks_exact_mut(SIZE);
            for (bytes, bits) in bytes.zip(values.bits()) {
                bytes.copy_from_slice(&bits.to_le_bytes()[..SIZE]);
            }
            self.undefined[range.clone()].fill(0);
            self.writers[range].fill(writer);
            return;
        }
        for lane in set_bits(lanes) {
            let at = elements.start + lane * elements.stride;
            self.set(at, SIZE, values.get(lane), writer);
        }
    }

    /// Starts an instruction.
    #[inline]
    pub fn begin(&mut self, instruction: u32) {
        self.read.instruction = instruction;
        if self.read.root.get().is_some() {
            self.read.root = OnceLock::new();
        }
    }

    #[cold]
    fn note_read(&self, at: usize, size: usize) {
        self.read.root.get_or_init(|| {
            let at = (at..at + size).find(|at| self.undefined[*at] != 0)?;
            match self.writers[at] {
                NEVER => Some(Root { at: at as u32, reader: self.read.instruction }),
                _ => self.root(at),
            }
        });
    }

    #[cold]
    fn note_write(&mut self, at: usize, size: usize) {
        self.roots.resize(self.bytes.len(), None);
        let root = self.read.root.get().copied().flatten();
        self.roots[at..at + size].fill(root);
    }

    /// Returns where the undefined bits of a byte come from that an instruction wrote, if it is known.
    pub fn root(&self, at: usize) -> Option<Root> {
        self.roots.get(at).copied().flatten()
    }

    /// Writes an element.
    #[inline]
    pub fn set(&mut self, at: usize, size: usize, value: Value, writer: u32) {
        set_word(&mut self.bytes[at..at + size], value.bits);
        set_word(&mut self.undefined[at..at + size], value.undefined);
        self.writers[at..at + size].fill(writer);
        if !value.is_defined() {
            self.note_write(at, size);
        }
    }

    /// Writes bytes that are defined.
    pub fn fill(&mut self, at: usize, bytes: &[u8], writer: u32) {
        self.bytes[at..at + bytes.len()].copy_from_slice(bytes);
        self.undefined[at..at + bytes.len()].fill(0);
        self.writers[at..at + bytes.len()].fill(writer);
    }

    /// Copies bytes of another activation.
    pub fn copy_from(&mut self, at: usize, other: &Registers, from: usize, size: usize) {
        self.bytes[at..at + size].copy_from_slice(&other.bytes[from..from + size]);
        self.undefined[at..at + size].copy_from_slice(&other.undefined[from..from + size]);
        self.writers[at..at + size].fill(START);
    }

    /// Returns the instruction that wrote a byte last; `None` if none did.
    pub fn writer(&self, at: usize) -> Option<u32> {
        self.writers.get(at).copied().filter(|writer| *writer != NEVER)
    }

    /// Returns an element of an address variable.
    pub fn address(&self, code: &Code, id: AddrId, element: usize) -> Result<Pointer, FaultKind> {
        let elements = self.addresses.get(usize::from(id.0));
        let pointer = elements.and_then(|elements| elements.get(element)).ok_or_else(|| {
            outside(code.name_of(id), element, code.address_size(id).unwrap_or_default())
        })?;
        pointer.ok_or_else(|| FaultKind::Undefined {
            use_: "an address",
            origin: format!("element {element} of {} was never written", code.name_of(id)),
        })
    }

    /// Sets an element of an address variable; `None` if it is the address of no variable.
    pub fn set_address(
        &mut self,
        code: &Code,
        id: AddrId,
        element: usize,
        pointer: Option<Pointer>,
    ) -> Result<(), FaultKind> {
        let elements = self.addresses.get_mut(usize::from(id.0));
        match elements.and_then(|elements| elements.get_mut(element)) {
            Some(place) => *place = pointer,
            None => {
                let size = code.address_size(id).unwrap_or_default();
                return Err(outside(code.name_of(id), element, size));
            }
        }
        Ok(())
    }

    /// Returns a predicate.
    pub fn predicate(&self, code: &Code, id: PredId) -> Result<Predicate, FaultKind> {
        self.predicates.get(usize::from(id.0)).copied().ok_or_else(|| undeclared(code.name_of(id)))
    }

    /// Sets the elements of a predicate that are in a mask.
    pub fn set_predicate(
        &mut self,
        code: &Code,
        id: PredId,
        mask: u32,
        value: Predicate,
    ) -> Result<(), FaultKind> {
        let predicate = self.predicates.get_mut(usize::from(id.0));
        let predicate = predicate.ok_or_else(|| undeclared(code.name_of(id)))?;
        let size = code.predicate_size(id).unwrap_or(32);
        if u64::from(mask) >> size != 0 {
            let element = 31 - mask.leading_zeros();
            return Err(outside(code.name_of(id), element as usize, size));
        }
        predicate.bits = predicate.bits & !mask | value.bits & mask;
        predicate.undefined = predicate.undefined & !mask | value.undefined & mask;
        Ok(())
    }

    /// Returns an element of a surface variable.
    pub fn surface(&self, code: &Code, id: SurfaceId, element: usize) -> Result<Value, FaultKind> {
        let elements = self.surfaces.get(usize::from(id.0));
        elements
            .and_then(|elements| elements.get(element))
            .copied()
            .ok_or_else(|| undeclared(code.name_of(id)))
    }

    /// Sets an element of a surface variable.
    pub fn set_surface(
        &mut self,
        code: &Code,
        id: SurfaceId,
        element: usize,
        value: Value,
    ) -> Result<(), FaultKind> {
        let elements = self.surfaces.get_mut(usize::from(id.0));
        let place = elements.and_then(|elements| elements.get_mut(element));
        *place.ok_or_else(|| undeclared(code.name_of(id)))? = value;
        Ok(())
    }

    /// Returns an element of a sampler variable.
    pub fn sampler(&self, code: &Code, id: SamplerId, element: usize) -> Result<Value, FaultKind> {
        let elements = self.samplers.get(usize::from(id.0));
        elements
            .and_then(|elements| elements.get(element))
            .copied()
            .ok_or_else(|| undeclared(code.name_of(id)))
    }

    /// Sets an element of a sampler variable.
    pub fn set_sampler(
        &mut self,
        code: &Code,
        id: SamplerId,
        element: usize,
        value: Value,
    ) -> Result<(), FaultKind> {
        let elements = self.samplers.get_mut(usize::from(id.0));
        let place = elements.and_then(|elements| elements.get_mut(element));
        *place.ok_or_else(|| undeclared(code.name_of(id)))? = value;
        Ok(())
    }

    /// Returns the first dword of the control register.
    pub fn control(&self, code: &Code) -> Result<Value, FaultKind> {
        let control = code.variable(CONTROL)?;
        Ok(self.get(control.start, DataType::UD.size()))
    }
}

impl Strided {
    /// Returns the bytes of the first elements, if nothing is between them.
    #[inline]
    fn range(self, count: usize) -> Option<Range<usize>> {
        (self.stride == self.size).then(|| self.start..self.start + count * self.size)
    }
}

/// `%cr0`.
pub(crate) const CONTROL: VarId = VarId(14);

/// `%r0`.
pub(crate) const R0: VarId = VarId(7);

/// `%group_id_x`, `%group_id_y` and `%group_id_z`.
pub(crate) const GROUP_ID: [VarId; 3] = [VarId(3), VarId(4), VarId(5)];

/// `%thread_x`.
pub(crate) const THREAD_X: VarId = VarId(1);

/// `%thread_y`.
pub(crate) const THREAD_Y: VarId = VarId(2);

fn undeclared(name: String) -> FaultKind {
    FaultKind::Malformed(format!("{name} is not declared"))
}

/// Returns the fault of an element of an address variable or a predicate.
pub(crate) fn outside(variable: String, element: usize, elements: u16) -> FaultKind {
    FaultKind::OutsideElements { variable, element: element as u32, elements: elements.into() }
}
