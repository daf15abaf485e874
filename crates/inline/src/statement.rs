//! Inline assembly statements.

use alloc::borrow::Cow;
use alloc::collections::BTreeMap;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;
use core::ops::Range;
use core::str::FromStr;

use genvisa::error::ErrorKind;

use super::constraint_string::{Constraints, parse_constraints};
use super::operand::Operand;

/// An inline assembly statement: a template, its operands and its clobbers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Statement {
    /// The text of the template, without the escapes of the language that contains it.
    pub template: Vec<u8>,
    /// How the template refers to operands.
    pub form: Form,
    /// The operands in the order of their numbers: outputs, then inputs. In C, each output with `+` has
    /// another number, after those of the inputs, for its initial value; these are not listed.
    pub operands: Vec<Operand>,
    /// The clobbers, such as `memory`.
    pub clobbers: Vec<String>,
    /// The parts of the template whose text is not known, as ranges of bytes in ascending order. The
    /// rules that need them are skipped. What a range contains has no meaning.
    pub holes: Vec<Range<usize>>,
}

impl Statement {
    /// Returns a statement in C with operands, and without clobbers.
    pub fn gnu(
        template: impl Into<Vec<u8>>,
        operands: impl IntoIterator<Item = Operand>,
    ) -> Statement {
        let operands = operands.into_iter().collect();
        Statement { template: template.into(), form: Form::Gnu, operands, ..Statement::default() }
    }

    /// Returns a statement in LLVM IR or SPIR-V with constraints such as `=rw,rw,~{memory}`.
    ///
    /// ```
    /// use genvisa_inline::{Checker, Statement};
    ///
    /// let statement = Statement::llvm("mov (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0> /// $14", "=rw,rw");
    /// let report = Checker::new().check(&statement);
    /// assert_eq!(report.findings[0].rule, "dollar-drop");
    /// ```
    pub fn llvm(template: impl Into<Vec<u8>>, constraints: &str) -> Statement {
        let Constraints { operands, clobbers } = parse_constraints(constraints);
        Statement {
            template: template.into(),
            form: Form::Llvm,
            operands,
            clobbers,
            holes: Vec::new(),
        }
    }

    /// Returns the number of the first operand of each name.
    pub(super) fn names(&self) -> BTreeMap<&str, usize> {
        let mut names = BTreeMap::new();
        for (number, operand) in self.operands.iter().enumerate() {
            if let Some(name) = &operand.name {
                names.entry(&**name).or_insert(number);
            }
        }
        names
    }

    /// Returns the statement with the inputs that the compiler adds: in C, a tied input for each output
    /// with `+`, after all other inputs.
    pub(super) fn with_tied_inputs(&self) -> Cow<'_, Statement> {
        let outputs = self.operands.iter().enumerate();
        let is_read = |(_, operand): &(usize, &Operand)| {
            operand.is_output && operand.constraint.starts_with('+')
        };
        let tied = outputs.filter(is_read).map(|(number, operand)| Operand {
            constraint: number.to_string(),
            ty: operand.ty,
            ..Operand::default()
        });
        let tied: Vec<Operand> = if self.form == Form::Gnu { tied.collect() } else { Vec::new() };
        if tied.is_empty() {
            return Cow::Borrowed(self);
        }
        let mut statement = self.clone();
        statement.operands.extend(tied);
        Cow::Owned(statement)
    }

    /// Returns a statement in C without operands and without a colon.
    pub fn basic(template: impl Into<Vec<u8>>) -> Statement {
        Statement { template: template.into(), form: Form::Basic, ..Statement::default() }
    }
}

/// How a template refers to its operands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Form {
    /// As in LLVM IR, MLIR and SPIR-V: `$0` is operand 0.
    #[default]
    Llvm,
    /// As in C with operands: `%0` and `%[name]` are operands, `%%` is a percent sign.
    Gnu,
    /// As in C without operands and without a colon: `%` has no meaning.
    Basic,
}

/// The number of lanes (work-items) for which the compiler compiles a kernel at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Lanes {
    /// SIMD8.
    L8 = 8,
    /// SIMD16.
    L16 = 16,
    /// SIMD32.
    L32 = 32,
}

impl Lanes {
    /// Returns the number of lanes.
    pub const fn count(self) -> u32 {
        self as u32
    }

    /// Returns the variant of a number. Returns `None` if it is not 8, 16 or 32.
    pub const fn from_count(count: u32) -> Option<Lanes> {
        match count {
            8 => Some(Lanes::L8),
            16 => Some(Lanes::L16),
            32 => Some(Lanes::L32),
            _ => None,
        }
    }
}

impl fmt::Display for Lanes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.count(), f)
    }
}

impl FromStr for Lanes {
    type Err = ErrorKind;

    fn from_str(s: &str) -> Result<Lanes, ErrorKind> {
        let expected = "8, 16 or 32";
        let count = s.parse().ok().and_then(Lanes::from_count);
        count.ok_or(ErrorKind::Unparsable { expected })
    }
}

/// The part of the compiler that reads a template.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Path {
    /// The compiler of OpenCL C and SYCL, in which a kernel is the program of one work-item.
    Simt,
    /// The vector compiler (VC) of ESIMD and CM.
    Vc,
}
