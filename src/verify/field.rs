//! The names of the fields that findings are about.

use crate::operand::Slot;

/// The name of a field of an instruction, or of a property of a declaration.
///
/// [`field!`] and the slots of operands are the only names of fields of instructions, so that a finding
/// refers to a field that exists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Field(&'static str);

impl Field {
    /// No field: the finding is about the whole instruction or declaration.
    pub(super) const WHOLE: Field = Field("");

    /// Returns the field of a row whose name was checked by [`field!`].
    pub(super) const fn of_row(name: &'static str) -> Field {
        Field(name)
    }

    /// Returns a property of a declaration, as in the text.
    pub(super) const fn of_declaration(name: &'static str) -> Field {
        Field(name)
    }

    /// Returns a parameter of a sampler message, by the name that its operation defines.
    pub(super) const fn of_param(name: &'static str) -> Field {
        Field(name)
    }

    /// Returns the name of the field; empty for no field.
    pub(super) const fn name(self) -> &'static str {
        self.0
    }
}

impl From<Slot> for Field {
    fn from(slot: Slot) -> Field {
        Field(slot.field)
    }
}

/// Returns a [`Field`] of a row of the instruction table, such as `field!(Add.dst)`. A field that the row
/// does not have does not compile.
macro_rules! field {
    ($($row:ident)::+ . $field:ident) => {
        $crate::verify::field::Field::of_row({
            #[allow(unused_imports)]
            use $crate::isa::*;
            $crate::isa::field_name!($($row)::+ . $field)
        })
    };
}

pub(super) use field;
