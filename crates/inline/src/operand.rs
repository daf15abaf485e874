//! Operands of statements.

use alloc::string::String;

use super::ty::Type;

/// An operand of a statement.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Operand {
    /// The constraint as it is written, such as `=rw`, `+rw`, `rw.u` or `0`.
    pub constraint: String,
    /// Whether it is in the list of outputs.
    pub is_output: bool,
    /// The name, such as `dst` in `[dst] "=rw"(x)`.
    pub name: Option<String>,
    /// The type of the value, if it is known.
    pub ty: Option<Type>,
    /// The bits of the value if it is a known constant, extended with zeros.
    pub value: Option<u64>,
    /// Whether the value certainly differs between the lanes of a subgroup, so that it is not uniform.
    pub is_varying: bool,
    /// Whether nothing uses the value of the output. Only known of statements with several outputs in LLVM IR and
    /// SPIR-V.
    pub is_unused: bool,
}

impl Operand {
    /// Returns an output with a constraint such as `=rw`.
    pub fn output(constraint: impl Into<String>) -> Operand {
        Operand { constraint: constraint.into(), is_output: true, ..Operand::default() }
    }

    /// Returns an input with a constraint such as `rw`.
    pub fn input(constraint: impl Into<String>) -> Operand {
        Operand { constraint: constraint.into(), ..Operand::default() }
    }

    /// Sets the type of the value.
    #[must_use]
    pub fn with_type(self, ty: Type) -> Operand {
        Operand { ty: Some(ty), ..self }
    }

    /// Sets the bits of a constant, extended with zeros.
    #[must_use]
    pub fn with_value(self, bits: u64) -> Operand {
        Operand { value: Some(bits), ..self }
    }

    /// States that the value differs between the lanes of a subgroup.
    #[must_use]
    pub fn varying(self) -> Operand {
        Operand { is_varying: true, ..self }
    }

    /// States that nothing uses the value of the output.
    #[must_use]
    pub fn unused(self) -> Operand {
        Operand { is_unused: true, ..self }
    }
}
