//! A builder of kernels and functions, for compiler backends.
//!
//! Start with a [`Builder`]. Its `add_*` methods declare variables, inputs, labels, surfaces,
//! samplers and predicates, and return a handle for each ([`VarHandle`] and so on). Its other
//! methods append instructions: they have the names of the mnemonics, and take handles, or operands
//! that are made of them, in the order of the fields of the instruction. The first argument is
//! usually [`Lanes`]: execution size, mask and predicate. The builder assigns ids, and computes the
//! string pool and all sizes.
//!
//! ```
//! use genvisa::build::Builder;
//! use genvisa::object::Align;
//! use genvisa::operand::{DataType, ExecSize::*, RelOp};
//! use genvisa::{Format, Module, Version};
//!
//! let format = Format::igc2022(Version::V3_6);
//! let mut k = Builder::new("clamp", format);
//! let limit = k.add_variable("limit", DataType::F, 1, Align::DWORD);
//! let x = k.add_variable("x", DataType::F, 8, Align::GRF);
//! let above = k.add_predicate("above", 8);
//! k.add_input(limit, 32).add_input(x, 64);
//! k.mul(S8, x, x, 0.5f32);
//! k.cmp(S8, RelOp::GT, above, x, limit);
//! k.mov(S8.when(above), x, limit);
//! k.ret(S1);
//!
//! let mut module = Module::new(format);
//! module.kernels.push(k.into_kernel()?);
//! let file = module.to_bytes()?;
//! # #[cfg(feature = "verify")]
//! # assert_eq!(genvisa::verify::Verifier::new().check_module(&module), []);
//! # #[cfg(feature = "text")] {
//! # let read = Module::from_bytes(&file, format.dialect)?;
//! # let routine = read.routines().next().unwrap();
//! # let mut text = String::new();
//! # genvisa::text::Listing::new(routine).write_to(&mut text)?;
//! # assert!(text.contains("(above) mov (M1, 8) x(0,0)<1> limit(0,0)<0;1,0>"), "{text}");
//! # }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Errors do not interrupt building: [`Builder::into_kernel`] returns all [`Errors`], each with the
//! source line of the call. Using a handle of another builder is such an error.
//!
//! ```
//! # use genvisa::build::Builder;
//! # use genvisa::object::Align;
//! # use genvisa::operand::{DataType, ExecSize::*};
//! # use genvisa::Format;
//! let mut a = Builder::new("a", Format::default());
//! let mut b = Builder::new("b", Format::default());
//! let x = a.add_variable("x", DataType::D, 8, Align::GRF);
//! b.mov(S8, x, 42);
//! let errors = b.into_kernel().unwrap_err();
//! assert_eq!(errors.len(), 1);
//! let message = errors[0].to_string();
//! assert!(message.ends_with("instruction 0 mov: dst: the handle belongs to another routine"));
//! ```
//!
//! Messages to the load-store cache have too many fields for the arguments of a method. They are
//! structs of [`isa`](crate::isa): [`Builder::operand`] converts handles to their operands, and
//! [`Builder::push`] appends them.

mod callers;
mod error;
mod handle;
mod instructions;
mod messages;

pub use error::{Error, ErrorKind, Errors};
pub use handle::{
    AddressHandle, InputHandle, LabelHandle, Lanes, Operand, PredicateHandle, SamplerHandle,
    SurfaceHandle, VarHandle,
};
pub use messages::{LifetimeVariable, RtWriteOperands};

use alloc::boxed::Box;
use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;
use core::panic::Location;

use crate::error::PathSegment;
use crate::format::Format;
use crate::isa::Instruction;
use crate::object::{
    AliasScope, Align, Attribute, AttributeKind, Body, Code, Function, FunctionDefinition, Input,
    InputKind, Kernel, LabelKind, Linkage, Module, Name,
};
use crate::operand::{
    DataType, LabelId, PredId, SamplerId, ShortStringId, Slot, StringId, SurfaceId, VarId, Visitor,
};
use crate::wire::{Wire, Writer};
use callers::Callers;
use handle::{BuilderId, InputSpec};

/// A builder of a kernel or a function. See the [module](self).
#[derive(Debug)]
pub struct Builder {
    owner: BuilderId,
    name: String,
    body: Body<'static>,
    inputs: Vec<Input>,
    /// The callers that declared the inputs.
    input_callers: Vec<&'static Location<'static>>,
    /// The ids of the first [`indexed`](Self::indexed) strings of the pool. Of equal strings, the
    /// first.
    string_ids: BTreeMap<Name, StringId>,
    indexed: usize,
    labels: Vec<LabelState>,
    code: Writer,
    /// The number of instructions that were appended, including those with errors.
    count: usize,
    /// The errors in operands of the next instruction, by field, with the callers that passed them.
    pending: Vec<(&'static str, ErrorKind, &'static Location<'static>)>,
    errors: Vec<Error>,
    callers: Callers,
}

/// The state of a label.
#[derive(Debug, Default)]
struct LabelState {
    is_defined: bool,
    /// The first instruction that refers to it, with its caller.
    first_use: Option<(PathSegment, &'static Location<'static>)>,
}

impl Builder {
    /// Returns a builder of an empty routine, for files of a format.
    #[track_caller]
    pub fn new(name: &str, format: Format) -> Builder {
        Builder {
            owner: BuilderId::new(),
            name: name.into(),
            body: Body::new(name),
            inputs: Vec::new(),
            input_callers: Vec::new(),
            string_ids: BTreeMap::new(),
            indexed: 0,
            labels: Vec::new(),
            code: Writer::new(format),
            count: 0,
            pending: Vec::new(),
            errors: Vec::new(),
            callers: Callers::new(Location::caller()),
        }
    }

    /// Returns the format that instructions are encoded in.
    pub fn format(&self) -> Format {
        self.code.format()
    }

    /// Declares a general variable of `num_elements` elements.
    #[track_caller]
    pub fn add_variable(
        &mut self,
        name: &str,
        ty: DataType,
        num_elements: u16,
        align: Align,
    ) -> VarHandle {
        let id = self.body.add_variable(name, ty, num_elements, align);
        self.record_declarations();
        let size = u32::from(num_elements) * ty.size() as u32;
        VarHandle { id, owner: self.owner, ty, size }
    }

    /// Declares a general variable that shares the storage of `of`, from `offset` bytes on.
    #[track_caller]
    pub fn add_alias(
        &mut self,
        name: &str,
        ty: DataType,
        num_elements: u16,
        of: VarHandle,
        offset: u16,
    ) -> VarHandle {
        let alias = self.declared(of, "alias");
        let var = self.add_variable(name, ty, num_elements, Align::BYTE);
        if u32::from(offset) + var.size > of.size {
            let fault = "the alias ends after the variable whose storage it shares";
            self.push_error("alias", ErrorKind::Operand(fault));
        }
        if let Some(variable) = self.body.variables.last_mut() {
            (variable.alias, variable.alias_offset) = (alias, offset);
            variable.alias_scope = AliasScope::LOCAL;
        }
        var
    }

    /// Declares an address variable of `num_elements` elements.
    #[track_caller]
    pub fn add_address(&mut self, name: &str, num_elements: u16) -> AddressHandle {
        let id = self.body.add_address(name, num_elements);
        AddressHandle { id: self.checked_id(id, "address"), owner: self.owner }
    }

    /// Declares a predicate of `num_elements` bits, one per lane.
    #[track_caller]
    pub fn add_predicate(&mut self, name: &str, num_elements: u16) -> PredicateHandle {
        let id = self.body.add_predicate(name, num_elements);
        let id: PredId = self.checked_id(id, "predicate");
        PredicateHandle { id, owner: self.owner }
    }

    /// Declares a sampler.
    #[track_caller]
    pub fn add_sampler(&mut self, name: &str) -> SamplerHandle {
        let id = self.body.add_sampler(name);
        let id: SamplerId = self.checked_id(id, "sampler");
        SamplerHandle { id, owner: self.owner }
    }

    /// Declares a surface.
    #[track_caller]
    pub fn add_surface(&mut self, name: &str) -> SurfaceHandle {
        let id = self.body.add_surface(name);
        let id: SurfaceId = self.checked_id(id, "surface");
        SurfaceHandle { id, owner: self.owner }
    }

    /// Declares a label to jump to. [`label`](Self::label) defines it.
    #[track_caller]
    pub fn add_label(&mut self, name: &str) -> LabelHandle {
        self.declare_label(name, LabelKind::BLOCK)
    }

    /// Declares a subroutine to call. [`func`](Self::func) defines it.
    #[track_caller]
    pub fn add_subroutine(&mut self, name: &str) -> LabelHandle {
        self.declare_label(name, LabelKind::SUBROUTINE)
    }

    #[track_caller]
    fn declare_label(&mut self, name: &str, kind: LabelKind) -> LabelHandle {
        let id = self.body.add_label(name, kind);
        let id: LabelId = self.checked_id(id, "label");
        self.labels.resize_with(self.body.labels.len(), LabelState::default);
        LabelHandle { id, owner: self.owner }
    }

    /// Declares an input: a variable, surface or sampler that is set when the kernel starts.
    /// `offset` is its offset in the payload of the thread, in bytes.
    ///
    /// The size of a variable is the size of its elements, the size of a surface or sampler is four
    /// bytes. The first register (32 bytes) of the payload is the header of the thread.
    #[track_caller]
    pub fn add_input(&mut self, handle: impl InputHandle, offset: i16) -> &mut Self {
        let InputSpec { class, index, size, owner } = handle.input();
        if owner != self.owner {
            self.push_error("input", ErrorKind::ForeignHandle);
        }
        let kind = InputKind::explicit(class);
        match u16::try_from(size) {
            Ok(size) => {
                self.inputs.push(Input { kind, index, offset, size });
                self.input_callers.push(Location::caller());
                self.record_declarations();
            }
            Err(_) => {
                let fault = "the variable is larger than 65535 bytes";
                self.push_error("input", ErrorKind::Operand(fault));
            }
        }
        self
    }

    /// Sets whether the compiler uses efficient 64-bit addressing; see
    /// [`Body::efficient_64bit`].
    ///
    /// ```
    /// use genvisa::build::Builder;
    /// use genvisa::object::Align;
    /// use genvisa::operand::ExecSize::{S1, S16};
    /// use genvisa::operand::{ChannelMask, DataType};
    /// use genvisa::{Format, Module};
    ///
    /// let mut k = Builder::new("size", Format::V4_2);
    /// k.set_efficient_64bit(true);
    /// let images = k.add_variable("images", DataType::UQ, 1, Align::QWORD);
    /// let level = k.add_variable("level", DataType::UD, 16, Align::WORDX32);
    /// let size = k.add_variable("size", DataType::UD, 32, Align::WORDX32);
    /// let channels = ChannelMask::R | ChannelMask::G;
    /// // The surface is the state with index 3 at the address in `images`.
    /// k.add_input(images, 64).add_input(level, 128);
    /// k.resinfo(S16, channels, images.state(3), level, size).ret(S1);
    ///
    /// let mut module = Module::new(k.format());
    /// module.kernels.push(k.into_kernel()?);
    /// # #[cfg(feature = "text")] {
    /// let text = genvisa::text::FileListing::new(&module).to_text()?;
    /// assert!(text.contains("resinfo.RG (M1, 16)  (images, 3) level.0 size.0"));
    /// assert!(text.ends_with("\n//Build option: \"-enableEfficient64b\"\n"));
    /// # }
    /// # #[cfg(feature = "verify")]
    /// # assert_eq!(genvisa::verify::Verifier::new().with_platform(genvisa::verify::Platform::Xe3p)
    /// #     .check_module(&module), []);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn set_efficient_64bit(&mut self, efficient_64bit: bool) -> &mut Self {
        self.body.efficient_64bit = efficient_64bit;
        self
    }

    /// Adds an attribute of the routine, such as `Target` or `SLMSize`.
    #[track_caller]
    pub fn add_attribute(&mut self, name: &str, value: impl Into<AttributeValue>) -> &mut Self {
        let attribute = self.new_attribute(name, value.into());
        if self.body.attributes.iter().any(|other| other.name == attribute.name) {
            self.push_error("attribute", ErrorKind::DuplicateAttribute { name: name.into() });
        }
        self.body.attributes.push(attribute);
        self.record_declarations();
        self
    }

    /// Adds an attribute of a variable, such as `Output`.
    #[track_caller]
    pub fn add_variable_attribute(
        &mut self,
        var: VarHandle,
        name: &str,
        value: impl Into<AttributeValue>,
    ) -> &mut Self {
        let id = self.declared(var, "variable");
        let attribute = self.new_attribute(name, value.into());
        let index = id.0.wrapping_sub(VarId::FIRST_DECLARED.0) as usize;
        if let Some(variable) = self.body.variables.get_mut(index) {
            let is_twice = variable.attributes.iter().any(|other| other.name == attribute.name);
            variable.attributes.push(attribute);
            if is_twice {
                self.push_error("attribute", ErrorKind::DuplicateAttribute { name: name.into() });
            }
        }
        self.record_declarations();
        self
    }

    #[track_caller]
    fn new_attribute(&mut self, name: &str, value: AttributeValue) -> Attribute {
        let expected = match (AttributeKind::of(name.as_bytes()), &value) {
            (Some(AttributeKind::Bool), AttributeValue::Integer(_) | AttributeValue::String(_)) => {
                Some("no value")
            }
            (Some(AttributeKind::Integer), AttributeValue::Flag | AttributeValue::String(_)) => {
                Some("an integer")
            }
            (Some(AttributeKind::String), AttributeValue::Flag | AttributeValue::Integer(_)) => {
                Some("a string")
            }
            _ => None,
        };
        if let Some(expected) = expected {
            let kind = ErrorKind::AttributeValue { name: name.into(), expected };
            self.push_error("attribute", kind);
        }
        let name = self.string(name);
        match value {
            AttributeValue::Flag => Attribute::flag(name),
            AttributeValue::Integer(value) => Attribute::integer(name, value),
            AttributeValue::String(value) => Attribute::string(name, &value),
        }
    }

    /// Converts a handle or an operand to the value that a struct of [`isa`](crate::isa) contains,
    /// for [`push`](Self::push). If it is not valid, this is an error of the next instruction.
    #[track_caller]
    pub fn operand<T>(&mut self, operand: impl Into<Operand<T>>) -> T {
        self.field("operand", operand.into())
    }

    /// Appends an instruction. Its ids are not checked; [`operand`](Self::operand) checks them.
    #[track_caller]
    pub fn push(&mut self, instruction: impl Into<Instruction>) -> &mut Self {
        let caller = Location::caller();
        let instruction = instruction.into();
        let index = self.count;
        self.count += 1;
        let segment = PathSegment::Instruction { index, mnemonic: instruction.mnemonic() };
        if !self.pending.is_empty() {
            for (field, kind, caller) in self.pending.drain(..) {
                let path = [segment.clone(), PathSegment::Field(field)].into();
                self.errors.push(Error { path, kind, caller });
            }
            return self;
        }
        self.record_declarations();
        self.record_labels(&instruction, &segment, caller);
        let start = self.code.len();
        if let Err(error) = instruction.encode(&mut self.code) {
            self.code.truncate(start);
            let path = core::iter::once(segment).chain(error.path().cloned()).collect();
            let kind = ErrorKind::Encoding(error);
            self.errors.push(Error { path, kind, caller });
        }
        self
    }

    /// Returns the kernel.
    ///
    /// # Errors
    /// Returns all errors in declarations and instructions; if there are none, the first declaration
    /// that the format cannot express.
    pub fn into_kernel(self) -> Result<Kernel<'static>, Errors> {
        let built = self.finish()?;
        let (name, inputs) = (built.name.as_str().into(), built.inputs);
        let kernel = Kernel { name, inputs, body: built.body, ..Kernel::default() };
        let mut module = Module::new(built.format);
        module.kernels.push(kernel);
        built.callers.check_encoding(&module)?;
        let mut kernel = module.kernels.remove(0);
        kernel.body.code = built.code;
        Ok(kernel)
    }

    /// Returns the routine as a function that is visible in other files. `input_size` and
    /// `return_value_size` are the sizes of its arguments and of its return value, in registers.
    ///
    /// # Errors
    /// Returns all errors in declarations and instructions. Inputs are errors: functions have none.
    pub fn into_function(
        mut self,
        input_size: u8,
        return_value_size: u8,
    ) -> Result<Function<'static>, Errors> {
        for caller in core::mem::take(&mut self.input_callers) {
            let path = [PathSegment::Field("input")].into();
            let kind = ErrorKind::Operand("a function has no inputs");
            self.errors.push(Error { path, kind, caller });
        }
        let built = self.finish()?;
        let definition = FunctionDefinition { input_size, return_value_size, body: built.body };
        let (name, definition) = (built.name.as_str().into(), Some(Box::new(definition)));
        let function =
            Function { linkage: Linkage::GLOBAL, name, definition, ..Function::default() };
        let mut module = Module::new(built.format);
        module.functions.push(function);
        built.callers.check_encoding(&module)?;
        let mut function = module.functions.remove(0);
        if let Some(definition) = &mut function.definition {
            definition.body.code = built.code;
        }
        Ok(function)
    }

    fn finish(mut self) -> Result<Finished, Errors> {
        for (state, label) in self.labels.iter_mut().zip(&self.body.labels) {
            if let (false, Some((segment, caller))) = (state.is_defined, state.first_use.take()) {
                let name = name_of(&self.body, label.name);
                let kind = ErrorKind::UndefinedLabel { name };
                self.errors.push(Error { path: [segment].into(), kind, caller });
            }
        }
        // Operands without an instruction.
        for (field, kind, caller) in self.pending {
            self.errors.push(Error { path: [PathSegment::Field(field)].into(), kind, caller });
        }
        if !self.errors.is_empty() {
            return Err(Errors(self.errors));
        }
        Ok(Finished {
            name: self.name,
            inputs: self.inputs,
            body: self.body,
            format: self.code.format(),
            code: Code::Present { bytes: self.code.into_bytes().into(), offset: 0 },
            callers: self.callers,
        })
    }

    /// Checks the operand of a field of the next instruction, and returns its value.
    #[track_caller]
    fn field<T>(&mut self, field: &'static str, operand: Operand<T>) -> T {
        if operand.owner.is_some_and(|owner| owner != self.owner) {
            self.pending.push((field, ErrorKind::ForeignHandle, Location::caller()));
        } else if let Some(fault) = operand.fault {
            self.pending.push((field, ErrorKind::Operand(fault), Location::caller()));
        }
        operand.value
    }

    /// Returns the value of a field that only some formats have. The default is omitted if the
    /// format does not have the field; other values are errors of encoding.
    fn gated<T: Default + PartialEq>(&self, has_field: bool, value: T) -> Option<T> {
        (has_field || value != T::default()).then_some(value)
    }

    fn string(&mut self, string: &str) -> StringId {
        // Declarations add strings without updating the index.
        for (name, id) in self.body.strings[self.indexed..].iter().zip(self.indexed as u32..) {
            self.string_ids.entry(name.clone()).or_insert(StringId(id));
        }
        self.indexed = self.body.strings.len();
        match self.string_ids.get(&Name::from(string)) {
            Some(id) => *id,
            None => self.body.add_string(string),
        }
    }

    /// Returns the id of a function name, which has two bytes in every version.
    #[track_caller]
    fn short_string(&mut self, string: &str) -> ShortStringId {
        let id = self.string(string);
        let Ok(id) = u16::try_from(id.0) else {
            let fault = "the id of the function name is more than 65535";
            self.pending.push(("func_id", ErrorKind::Operand(fault), Location::caller()));
            return ShortStringId(0);
        };
        ShortStringId(id)
    }

    /// Records the line of the caller for the entries that it declared.
    #[track_caller]
    fn record_declarations(&mut self) {
        self.callers.record(&self.body, &self.inputs, Location::caller());
    }

    #[track_caller]
    fn push_error(&mut self, field: &'static str, kind: ErrorKind) {
        let (path, caller) = ([PathSegment::Field(field)].into(), Location::caller());
        self.errors.push(Error { path, kind, caller });
    }

    /// Checks the variable of a declaration, and returns its id.
    #[track_caller]
    fn declared(&mut self, var: VarHandle, field: &'static str) -> VarId {
        if var.owner != self.owner {
            self.push_error(field, ErrorKind::ForeignHandle);
        }
        var.id
    }

    /// Returns the id of a new entry of a table. If there is none, this is an error.
    #[track_caller]
    fn checked_id<I: Default>(&mut self, id: crate::Result<I>, table: &'static str) -> I {
        // Not a closure, in which the caller would be this line.
        match id {
            Ok(id) => {
                self.record_declarations();
                id
            }
            Err(error) => {
                self.push_error(table, ErrorKind::Encoding(error));
                I::default()
            }
        }
    }

    /// Records the labels that an instruction defines or refers to.
    fn record_labels(
        &mut self,
        instruction: &Instruction,
        segment: &PathSegment,
        caller: &'static Location<'static>,
    ) {
        let (label, kind) = match instruction {
            Instruction::Label(one) => (one.label, LabelKind::BLOCK),
            Instruction::Subroutine(one) => (one.label, LabelKind::SUBROUTINE),
            Instruction::Call(one) => (one.label, LabelKind::SUBROUTINE),
            _ => {
                return instruction.visit(&mut LabelUses {
                    labels: &mut self.labels,
                    segment,
                    caller,
                });
            }
        };
        let place = usize::from(label.0);
        let (Some(state), Some(info)) = (self.labels.get_mut(place), self.body.labels.get(place))
        else {
            return;
        };
        let name = || name_of(&self.body, info.name);
        let path = || [segment.clone()].into();
        if info.kind != kind {
            let kind = ErrorKind::LabelKind { name: name(), expected: kind };
            self.errors.push(Error { path: path(), kind, caller });
        }
        if let Instruction::Call(_) = instruction {
            state.first_use.get_or_insert_with(|| (segment.clone(), caller));
        } else if core::mem::replace(&mut state.is_defined, true) {
            let kind = ErrorKind::DuplicateLabel { name: name() };
            self.errors.push(Error { path: path(), kind, caller });
        }
    }
}

/// The parts of a kernel or function.
struct Finished {
    name: String,
    inputs: Vec<Input>,
    /// The tables, without code.
    body: Body<'static>,
    format: Format,
    code: Code<'static>,
    callers: Callers,
}

fn name_of(body: &Body<'_>, string: StringId) -> String {
    use alloc::string::ToString;
    body.strings.get(string.0 as usize).map(ToString::to_string).unwrap_or_default()
}

/// Records the labels that an instruction refers to.
struct LabelUses<'b> {
    labels: &'b mut [LabelState],
    segment: &'b PathSegment,
    caller: &'static Location<'static>,
}

impl Visitor for LabelUses<'_> {
    fn label(&mut self, _: Slot, label: LabelId) {
        if let Some(state) = self.labels.get_mut(usize::from(label.0)) {
            state.first_use.get_or_insert_with(|| (self.segment.clone(), self.caller));
        }
    }
}

/// The value of an attribute. `()`, `i32` and `&str` convert to it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum AttributeValue {
    /// A boolean, which is true if the attribute is present.
    Flag,
    /// An integer.
    Integer(i32),
    /// A string.
    String(String),
}

impl From<()> for AttributeValue {
    fn from((): ()) -> Self {
        AttributeValue::Flag
    }
}

impl From<i32> for AttributeValue {
    fn from(value: i32) -> Self {
        AttributeValue::Integer(value)
    }
}

impl From<&str> for AttributeValue {
    fn from(value: &str) -> Self {
        AttributeValue::String(value.into())
    }
}
