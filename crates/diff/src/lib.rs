//! Comparison of routines and modules, indifferent to names and numbers.
//!
//! [`Differ::modules`] compares two modules, and [`Differ::routines`] two routines. The instructions
//! of both are aligned, and the variables, surfaces, samplers and labels of B are matched with those
//! of A. What remains is what a person would call a change:
//!
//! ```
//! use genvisa_diff::Differ;
//! use genvisa::{Format, text};
//!
//! let parse = |text| text::parse(text, Format::default());
//! let a = parse("\
//! .version 3.6
//! .kernel \"k\"
//! .decl x v_type=G type=d num_elts=8 align=GRF
//! .decl y v_type=G type=d num_elts=8 align=GRF
//!     mov (M1, 8) x(0,0)<1> 0x2a:d
//!     add (M1, 8) y(0,0)<1> x(0,0)<1;1,0> 0x1:d
//! ")?;
//! // Other names, another order, another type and another immediate.
//! let b = parse("\
//! .version 3.6
//! .kernel \"k\"
//! .decl sum v_type=G type=ud num_elts=8 align=GRF
//! .decl start v_type=G type=d num_elts=8 align=GRF
//!     mov (M1, 8) start(0,0)<1> 0x2a:d
//!     add (M1, 8) sum(0,0)<1> start(0,0)<1;1,0> 0x2:d
//! ")?;
//! let diff = Differ::new().modules(&a, &b);
//! let routine = diff.routines[0].diff.as_ref().expect("in both").as_ref().expect("valid");
//! assert_eq!(routine.to_unified("a", "b", 3), "\
//! --- a
//! +++ b
//! @@ -1,2 +1,2 @@ $0
//!      mov (M1, 8) x(0,0)<1> 0x2a:d
//! -    add (M1, 8) y(0,0)<1> x(0,0)<1;1,0> 0x1:d
//! +    add (M1, 8) y(0,0)<1> x(0,0)<1;1,0> 0x2:d
//! @@ declarations @@
//! -.decl y v_type=G type=d num_elts=8 align=GRF
//! +.decl y v_type=G type=ud num_elts=8 align=GRF
//! ");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # What is compared
//!
//! | Compared | Ignored |
//! |---|---|
//! | every instruction, with all operands, regions, types and modifiers; LOC and FILE unless [`Differ::ignore_locations`] | ids and names of variables, surfaces, samplers and labels; comments |
//! | declarations, used or not: types, sizes, alignments, aliases, attributes, kinds of labels | their order |
//! | inputs, by the variable that they set | their order |
//! | names of routines, their attributes (values as readers interpret them), stack sizes, linkage, relocations (by name) | GEN binaries, padding, the order of sections |
//! | variables and functions of the file, by name | the version: routines of 3.x and of 4.2 are equal if their instructions are |
//! | texts of strings in FILE, FCALL and FADDR | the string pool |
//!
//! If two routines are equal except for what is ignored, the result is empty. If they are not, it is
//! never empty: two instructions are equal only if they are the same after the ids of B have been
//! replaced one to one.
//!
//! # How it works
//!
//! If all instructions are equal except for their ids, each determines the counterparts of its ids.
//! Otherwise, instructions are aligned by keys that do not depend on ids: first with where else the
//! variables are used, then with their types and sizes, then without them, then by opcode only. The
//! aligned instructions vote for pairs of ids. Inputs with the same types and sizes are paired in their
//! order, then the pairs with most votes are accepted. Unused
//! entries are matched by their declarations and aliases, others by inputs and names. Whole
//! instructions are then aligned after replacement, and what this confirms improves the next round,
//! until it does not make more instructions equal.
//!
//! If the formats differ, instructions are compared by their complete text: fields that only one
//! version has are not in the text if they have their usual value.
//!
//! Time grows with n√n at worst, where the sequences have little in common but many instructions that
//! occur often, and is close to linear otherwise.

#![forbid(unsafe_code)]

mod align;
mod counterparts;
mod declarations;
mod inputs;
mod matching;
mod merged;
mod module;
mod routine;
mod side;
mod unused;

use genvisa::RegisterSize;
use genvisa::error::Result;
use genvisa::format::Format;
use genvisa::isa::Instruction;
use genvisa::object::{Module, Routine};

pub use align::Segment;
pub use declarations::DeclarationChange;
pub use module::{ModuleDiff, ModulePair, RoutinePair};
pub use routine::{Hunk, HunkLine, LineChange, RoutineDiff};
use side::{Common, FileNames, Interners, Side};

/// Compares routines.
#[derive(Clone, Copy, Debug, Default)]
pub struct Differ {
    ignores_locations: bool,
    matches_by_name: bool,
    registers: RegisterSize,
}

impl Differ {
    /// Returns a differ that compares all instructions.
    pub fn new() -> Differ {
        Differ::default()
    }

    /// Ignores LOC and FILE, the debug information in the instructions.
    #[must_use]
    pub fn ignore_locations(self, ignores_locations: bool) -> Differ {
        Differ { ignores_locations, ..self }
    }

    /// Matches the only kernels of two modules by their names, too.
    #[must_use]
    pub fn match_by_name(self, matches_by_name: bool) -> Differ {
        Differ { matches_by_name, ..self }
    }

    /// Sets the size of a register. The default is 32. It determines whether addresses in a text
    /// of version 4.2, which has bytes, and in a file, which has rows of registers, are equal.
    #[must_use]
    pub fn with_register_size(self, registers: RegisterSize) -> Differ {
        Differ { registers, ..self }
    }

    /// Compares two routines.
    ///
    /// # Errors
    /// Returns the error of the first instruction that cannot be decoded.
    pub fn routines(&self, a: &Routine<'_, '_>, b: &Routine<'_, '_>) -> Result<RoutineDiff> {
        let (of_a, of_b) = (FileNames::new(a.module()), FileNames::new(b.module()));
        self.routines_of_files((a, &of_a), (b, &of_b))
    }

    /// Compares two modules: their routines, which are matched by name, and the variables and
    /// functions of the file.
    ///
    /// Routines of the same name are matched in order. If both modules have one kernel only, these
    /// are compared even if their names differ, unless [`match_by_name`](Self::match_by_name) is set.
    pub fn modules(&self, a: &Module<'_>, b: &Module<'_>) -> ModuleDiff {
        self.match_routines(a, b).compare_all()
    }

    /// Matches the routines of two modules as [`modules`](Self::modules) does, without comparing them.
    pub fn match_routines<'m, 'a, 'b>(
        &self,
        a: &'m Module<'a>,
        b: &'m Module<'b>,
    ) -> ModulePair<'m, 'a, 'b> {
        ModulePair::new(*self, a, b)
    }

    fn routines_of_files(
        &self,
        (a, names_of_a): (&Routine<'_, '_>, &FileNames),
        (b, names_of_b): (&Routine<'_, '_>, &FileNames),
    ) -> Result<RoutineDiff> {
        let mut interners = Interners::default();
        let is_compared = |instruction: &Instruction| {
            let is_location = matches!(instruction, Instruction::Loc(_) | Instruction::File(_));
            !(self.ignores_locations && is_location)
        };
        let (of_a, of_b) = (a.format(), b.format());
        let formats = match of_a.is_manual() == of_b.is_manual() {
            _ if of_a == of_b => None,
            // The older of the two first: the other may have more fields, and newer words for the same
            // codes.
            true => Some(by_age(of_a, of_b)),
            // The two have different syntax.
            false => Some([Format::default(); 2]),
        };
        let common = formats.map(|formats| Common { formats, registers: self.registers });
        let a = Side::new(*a, names_of_a, &mut interners, common, is_compared)?;
        let b = Side::new(*b, names_of_b, &mut interners, common, is_compared)?;
        Ok(RoutineDiff::new(a, b))
    }
}

/// Returns two formats, the older one first. Text of 4.2 is newer than every file.
fn by_age(a: Format, b: Format) -> [Format; 2] {
    let age = |format: Format| (!format.version.has_binary_form(), format.version, format.dialect);
    if age(b) < age(a) { [b, a] } else { [a, b] }
}

/// The example of the README is tested.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
