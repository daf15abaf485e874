//! A builder of kernels and functions, for compiler backends.
//!
//! Start with a [`Builder`]. Its `add_*` methods declare variables, inputs, labels, surfaces,
//! samplers and predicates, and return a handle for each ([`VarHandle`] and so on). Its other
//! methods add instructions: they have the names of the mnemonics, and take handles, or operands
//! that are made of them, in the order of the fields of the instruction. The first argument is
//! usually [`Lanes`]: execution size, mask and predicate. Messages with many operands take
//! [`TexelArgs`], [`RtWriteArgs`] or [`MediaBlock`], which set them by name. The builder assigns ids,
//! and computes the string pool and all sizes.
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
//! Instructions are appended, or inserted elsewhere after [`Builder::set_position`].
//! [`RoutineEditor::build`](crate::object::RoutineEditor::build) builds in a kernel or function that
//! exists. [`Builder::callers`] returns the line of your program that added each instruction, for the
//! findings of the verifier.
//!
//! Messages to the load-store cache have too many fields for the arguments of a method. They are
//! structs of [`isa`](crate::isa): [`Builder::operand`] converts handles to their operands, and
//! [`Builder::push`] adds them.

mod arguments;
mod callers;
mod code;
mod declarations;
mod edit;
mod error;
mod handle;
mod instructions;
mod labels;
mod messages;

pub use arguments::{MediaBlock, RtWriteArgs, TexelArgs};
pub use declarations::AttributeValue;
pub use error::{Error, ErrorKind, Errors};
pub use handle::{
    AddressHandle, HandleId, InputHandle, LabelHandle, Lanes, Operand, PredicateHandle,
    SamplerHandle, SurfaceHandle, VarHandle,
};
pub use messages::LifetimeVariable;

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;
use core::panic::Location;

use crate::error::PathSegment;
use crate::format::Format;
use crate::isa::Instruction;
use crate::object::{
    Body, Code, Function, FunctionDefinition, Input, Kernel, Linkage, Module, Name,
};
use crate::operand::{ShortStringId, StringId};
use callers::Callers;
use code::{Entry, InstructionBuffer};
use handle::BuilderId;
use labels::LabelState;

/// A builder of a kernel or a function. See the [module](self).
#[derive(Debug)]
pub struct Builder {
    owner: BuilderId,
    format: Format,
    name: Name,
    /// The tables, without code.
    body: Body<'static>,
    inputs: Vec<Input>,
    labels: Vec<LabelState>,
    code: InstructionBuffer,
    /// The errors in operands of the next instruction, by field, with the callers that passed them.
    pending: Vec<(&'static str, ErrorKind, &'static Location<'static>)>,
    errors: Vec<Error>,
    callers: Callers,
}

impl Builder {
    /// Returns a builder of an empty routine, for files of a format.
    #[track_caller]
    pub fn new(name: &str, format: Format) -> Builder {
        Builder {
            owner: BuilderId::new(),
            format,
            name: name.into(),
            body: Body::new(name),
            inputs: Vec::new(),
            labels: Vec::new(),
            code: InstructionBuffer::default(),
            pending: Vec::new(),
            errors: Vec::new(),
            callers: Callers::new(Location::caller()),
        }
    }

    /// Returns the format that instructions are encoded in.
    pub fn format(&self) -> Format {
        self.format
    }

    /// Returns the index of the next instruction.
    pub fn position(&self) -> usize {
        self.code.position()
    }

    /// Sets the index of the next instruction: it is inserted before the instruction that has this index
    /// now, and the ones after it follow it. At first, instructions are appended.
    ///
    /// Moving the position takes time in proportion to its distance.
    ///
    /// ```
    /// use genvisa::build::Builder;
    /// use genvisa::object::Align;
    /// use genvisa::operand::{DataType, ExecSize::*};
    /// use genvisa::Format;
    ///
    /// let mut k = Builder::new("k", Format::default());
    /// let x = k.add_variable("x", DataType::UD, 16, Align::GRF);
    /// k.add(S16, x, x, 1u32);
    /// let loop_start = k.position();
    /// k.mul(S16, x, x, x).ret(S1);
    /// k.set_position(loop_start).mov(S16, x, 3u32).add(S16, x, x, 2u32);
    /// let mnemonics: Vec<_> = k.instructions().map(|one| one.mnemonic()).collect();
    /// assert_eq!(mnemonics, ["add", "mov", "add", "mul", "ret"]);
    /// ```
    ///
    /// # Panics
    /// Panics if there are fewer instructions.
    pub fn set_position(&mut self, index: usize) -> &mut Self {
        assert!(index <= self.code.len(), "there are {} instructions", self.code.len());
        self.code.set_position(index);
        self
    }

    /// Returns the instructions.
    pub fn instructions(&self) -> impl DoubleEndedIterator<Item = &Instruction> {
        self.code.entries().map(|entry| &entry.instruction)
    }

    /// Returns for each instruction the line of your program that added it; `None` if it was in the
    /// routine [before](crate::object::RoutineEditor::build). With these, findings of the verifier refer
    /// to your program:
    ///
    /// ```
    /// # #[cfg(feature = "verify")] {
    /// use genvisa::build::Builder;
    /// use genvisa::object::Align;
    /// use genvisa::operand::{DataType, ExecSize::*};
    /// use genvisa::verify::Verifier;
    /// use genvisa::{Format, Module};
    ///
    /// let mut k = Builder::new("k", Format::default());
    /// let x = k.add_variable("x", DataType::UD, 8, Align::GRF);
    /// let line = line!() + 1;
    /// k.mov(S16, x, 3u32);
    /// k.ret(S1);
    /// let callers = k.callers();
    /// let mut module = Module::new(k.format());
    /// module.kernels.push(k.into_kernel()?);
    /// for finding in Verifier::new().check_module(&module) {
    ///     let caller = finding.instruction.and_then(|index| callers[index]).unwrap();
    ///     println!("{}:{}: {finding}", caller.file(), caller.line());
    ///     # assert_eq!(caller.line(), line);
    /// }
    /// # }
    /// # Ok::<(), genvisa::build::Errors>(())
    /// ```
    pub fn callers(&self) -> Vec<Option<&'static Location<'static>>> {
        self.code.entries().map(|entry| entry.caller).collect()
    }

    /// Converts a handle or an operand to the value that a struct of [`isa`](crate::isa) contains,
    /// for [`push`](Self::push). If it is not valid, this is an error of the next instruction.
    #[track_caller]
    pub fn operand<T>(&mut self, operand: impl Into<Operand<T>>) -> T {
        self.field("operand", operand.into())
    }

    /// Inserts an instruction at the [position](Self::position), which moves after it. Its ids are not
    /// checked; [`operand`](Self::operand) checks them.
    #[track_caller]
    pub fn push(&mut self, instruction: impl Into<Instruction>) -> &mut Self {
        let caller = Location::caller();
        let instruction = instruction.into();
        let segment = self.code.segment(&instruction);
        self.record_declarations();
        let has_error = !self.pending.is_empty();
        self.code.insert(Entry { instruction, caller: Some(caller), has_error });
        if !has_error {
            self.record_labels(&instruction, &segment, caller);
        }
        for (field, kind, caller) in self.pending.drain(..) {
            let path = [segment.clone(), PathSegment::Field(field)].into();
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
        let (mut kernel, code) = self.finish()?;
        kernel.body.code = Code::Present { bytes: code.into(), offset: 0 };
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
        self.reject_inputs();
        let Kernel { name, body, .. } = self.into_kernel()?;
        let definition = Some(Box::new(FunctionDefinition { input_size, return_value_size, body }));
        Ok(Function { linkage: Linkage::GLOBAL, name, definition, ..Function::default() })
    }

    /// Reports the inputs of a function.
    fn reject_inputs(&mut self) {
        for caller in self.callers.of_inputs() {
            let path = [PathSegment::Field("input")].into();
            let kind = ErrorKind::Operand("a function has no inputs");
            self.errors.push(Error { path, kind, caller });
        }
    }

    /// Returns a kernel without code, and the bytes of the instructions that callers added.
    fn finish(mut self) -> Result<(Kernel<'static>, Vec<u8>), Errors> {
        self.check_labels();
        // Operands without an instruction.
        for (field, kind, caller) in self.pending {
            self.errors.push(Error { path: [PathSegment::Field(field)].into(), kind, caller });
        }
        let code = self.code.encode(self.format, &mut self.errors);
        if !self.errors.is_empty() {
            return Err(Errors(self.errors));
        }
        let (name, inputs) = (self.name, self.inputs);
        let mut module = Module::new(self.format);
        module.kernels.push(Kernel { name, inputs, body: self.body, ..Kernel::default() });
        self.callers.check_encoding(&module)?;
        Ok((module.kernels.remove(0), code))
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

    /// Returns the id of a function name, which has two bytes in every version.
    #[track_caller]
    fn short_string(&mut self, string: &str) -> ShortStringId {
        let id = self.body.intern(string);
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
}

fn name_of(body: &Body<'_>, string: StringId) -> String {
    use alloc::string::ToString;
    body.strings.get(string.0 as usize).map(ToString::to_string).unwrap_or_default()
}
