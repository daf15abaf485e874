//! The methods that declare variables, inputs, labels, surfaces, samplers and attributes, and that return
//! handles of what is declared.

use alloc::string::String;

use super::Builder;
use super::error::ErrorKind;
use super::handle::{
    AddressHandle, HandleId, InputHandle, InputSpec, LabelHandle, PredicateHandle, SamplerHandle,
    SurfaceHandle, VarHandle,
};
use super::labels::LabelState;
use crate::object::{AliasScope, Align, Attribute, AttributeKind, Input, InputKind, LabelKind};
use crate::operand::{DataType, LabelId, PredId, SamplerId, SurfaceId, VarId};

/// Methods that declare the entries of tables.
impl Builder {
    /// Returns the handle of an entry that is declared already, such as one of a routine that is
    /// [edited](crate::object::RoutineEditor::build).
    pub fn handle<I: HandleId>(&self, id: I) -> Option<I::Handle> {
        id.handle(&self.body, self.owner)
    }

    /// Returns the handle of the first entry with a name, as in `k.find::<LabelId>("loop")`. The time is
    /// linear in the size of its table.
    pub fn find<I: HandleId>(&self, name: &str) -> Option<I::Handle> {
        self.handle(I::new(self.body.find(I::CLASS, name)?.number)?)
    }

    /// Declares a general variable of `num_elements` elements.
    ///
    /// Text cannot contain every name: a variable called `lod`, which is a word of the language, is
    /// printed as `V32` with an annotation.
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
    /// [`Body::efficient_64bit`](crate::object::Body::efficient_64bit). Other versions than 4.2 do not have it.
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
    /// # assert_eq!(genvisa::verify::Verifier::new().with_platform(genvisa::Platform::Xe3p)
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
        let name = self.body.intern(name);
        match value {
            AttributeValue::Flag => Attribute::flag(name),
            AttributeValue::Integer(value) => Attribute::integer(name, value),
            AttributeValue::String(value) => Attribute::string(name, &value),
        }
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
