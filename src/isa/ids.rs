//! The ids in an instruction, which refer to the tables of its routine.

use super::{Instruction, Lifetime};
use crate::operand::{
    AddrId, Aoffimmi, LabelId, LifetimeClass, Pred, PredId, Raw, SamplerId, ShortStringId, Slot,
    StateClass, StringId, SurfaceId, VarId, Vector, VectorKind, VisitorMut,
};

/// An entry of the tables of a routine, by its id.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Id {
    /// The table.
    pub class: IdClass,
    /// The id as in operands. The first general variable that a routine declares is 32.
    pub number: u32,
}

/// A table of a routine, as the class of an id.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum IdClass {
    /// General variables.
    Variable,
    /// Address variables.
    Address,
    /// Predicate variables.
    Predicate,
    /// Surfaces.
    Surface,
    /// Samplers.
    Sampler,
    /// Labels.
    Label,
    /// The string pool.
    String,
}

macro_rules! ids_of_classes {
    ($($id:ident => $class:ident,)*) => {$(
        impl From<$id> for Id {
            fn from(id: $id) -> Id {
                Id { class: IdClass::$class, number: id.0.into() }
            }
        }
    )*};
}

impl Id {
    /// Returns whether the id has a meaning without a declaration: numbers before those of
    /// [declarations](IdClass::first_declared), and the [bindless sampler](SamplerId::BINDLESS).
    pub fn is_predefined(self) -> bool {
        self.number < self.class.first_declared() || self == SamplerId::BINDLESS.into()
    }
}

ids_of_classes! {
    VarId => Variable,
    AddrId => Address,
    PredId => Predicate,
    SurfaceId => Surface,
    SamplerId => Sampler,
    LabelId => Label,
    StringId => String,
}

impl IdClass {
    /// The classes whose entries have names.
    pub const NAMED: [IdClass; 6] = [
        IdClass::Variable,
        IdClass::Address,
        IdClass::Predicate,
        IdClass::Surface,
        IdClass::Sampler,
        IdClass::Label,
    ];

    /// Returns the name of an entry of the table in paths of errors, such as `variable`.
    pub const fn name(self) -> &'static str {
        match self {
            IdClass::Variable => "variable",
            IdClass::Address => "address",
            IdClass::Predicate => "predicate",
            IdClass::Surface => "surface",
            IdClass::Sampler => "sampler",
            IdClass::Label => "label",
            IdClass::String => "string",
        }
    }

    /// Returns the class with a [name](Self::name), if its entries have names.
    pub fn from_name(name: &str) -> Option<IdClass> {
        Self::NAMED.into_iter().find(|class| class.name() == name)
    }

    /// Returns the number of the first entry that a routine declares; smaller numbers are predefined.
    pub const fn first_declared(self) -> u32 {
        match self {
            IdClass::Variable => VarId::FIRST_DECLARED.0,
            IdClass::Predicate => PredId::FIRST_DECLARED.0 as u32,
            IdClass::Surface => SurfaceId::FIRST_DECLARED.0 as u32,
            IdClass::Address | IdClass::Sampler | IdClass::Label | IdClass::String => 0,
        }
    }

    /// Returns the letter before an id in text if the entry has no name: V, A, P, T, S or L; `#`
    /// for strings.
    pub const fn letter(self) -> char {
        match self {
            IdClass::Variable => 'V',
            IdClass::Address => 'A',
            IdClass::Predicate => 'P',
            IdClass::Surface => 'T',
            IdClass::Sampler => 'S',
            IdClass::Label => 'L',
            IdClass::String => '#',
        }
    }

    /// Returns the class with a [letter](Self::letter), if its entries have names.
    pub fn from_letter(letter: char) -> Option<IdClass> {
        Self::NAMED.into_iter().find(|class| class.letter() == letter)
    }
}

impl Instruction {
    /// Calls a function with each id, in the order of the bytes.
    ///
    /// Null operands are V0. An absent predicate is omitted.
    /// [`visit_accesses`](Self::visit_accesses) also distinguishes reads and writes.
    ///
    /// ```
    /// use genvisa::isa::{Goto, Id, IdClass};
    /// use genvisa::operand::LabelId;
    /// use genvisa::Instruction;
    ///
    /// let goto = Instruction::from(Goto { label: LabelId(3), ..Goto::default() });
    /// let mut ids = Vec::new();
    /// goto.visit_ids(|id| ids.push(id));
    /// assert_eq!(ids, [Id { class: IdClass::Label, number: 3 }]);
    /// ```
    pub fn visit_ids(&self, mut visit: impl FnMut(Id)) {
        let mut copy = *self;
        // This cannot fail: the ids do not change.
        let _ = copy.replace_ids(|id| {
            visit(id);
            id.number
        });
    }

    /// Replaces each id with the result of a function.
    ///
    /// ```
    /// use genvisa::isa::{IdClass, Mov};
    /// use genvisa::operand::{Dst, VarId, Vector};
    /// use genvisa::Instruction;
    ///
    /// let mov = |dst, src| Mov {
    ///     dst: Dst::new(VarId(dst)),
    ///     src0: Vector::scalar(VarId(src)),
    ///     ..Mov::default()
    /// };
    /// // Rename V32 to V40.
    /// let mut instruction = Instruction::from(mov(33, 32));
    /// instruction
    ///     .replace_ids(|id| match (id.class, id.number) {
    ///         (IdClass::Variable, 32) => 40,
    ///         (_, number) => number,
    ///     })
    ///     .expect("V40 fits");
    /// assert_eq!(instruction, mov(33, 40).into());
    /// ```
    ///
    /// # Errors
    /// Returns the first new id that is too large for its field in every format. The instruction is
    /// not changed in this case.
    pub fn replace_ids(&mut self, mut replace: impl FnMut(Id) -> u32) -> Result<(), Id> {
        // Not generic: otherwise each caller would instantiate the visitors of all layouts.
        self.replace_each(&mut replace)
    }

    fn replace_each(&mut self, replace: &mut dyn FnMut(Id) -> u32) -> Result<(), Id> {
        let (mut new, mut replacer) = (*self, Replacer { replace, too_large: None });
        // The variable of LIFETIME is not an operand: its class is another field.
        if let Instruction::Lifetime(lifetime) = &mut new {
            let class = lifetime.id().class;
            replacer.replace_number(class, &mut lifetime.variable.0);
        }
        new.visit_mut(&mut replacer);
        match replacer.too_large {
            Some(id) => Err(id),
            None => {
                *self = new;
                Ok(())
            }
        }
    }
}

impl Lifetime {
    /// Returns the variable. If its class is unknown, this is a general variable.
    pub fn id(&self) -> Id {
        let class = match self.properties.class {
            LifetimeClass::ADDRESS => IdClass::Address,
            LifetimeClass::PREDICATE => IdClass::Predicate,
            _ => IdClass::Variable,
        };
        Id { class, number: self.variable.0 }
    }
}

/// Replaces the ids of the operands that it visits.
struct Replacer<'f> {
    replace: &'f mut dyn FnMut(Id) -> u32,
    too_large: Option<Id>,
}

impl Replacer<'_> {
    fn replace_number<N: Copy + Into<u32> + TryFrom<u32>>(
        &mut self,
        class: IdClass,
        field: &mut N,
    ) {
        let number = (self.replace)(Id { class, number: (*field).into() });
        match N::try_from(number) {
            Ok(new) => *field = new,
            Err(_) => self.fail(Id { class, number }),
        }
    }

    fn fail(&mut self, id: Id) {
        self.too_large.get_or_insert(id);
    }

    fn replace_predicate(&mut self, pred: &mut Pred) {
        if pred.is_none() {
            return;
        }
        let mut id = pred.id();
        self.replace_number(IdClass::Predicate, &mut id.0);
        match Pred::new(id) {
            Some(new) => {
                let new = new.with_control(pred.control());
                *pred = if pred.is_inverted() { new.inverted() } else { new };
            }
            None => self.fail(Id { class: IdClass::Predicate, number: id.0.into() }),
        }
    }

    fn replace_in_operand(&mut self, operand: &mut Vector) {
        match &mut operand.kind {
            VectorKind::General { var: VarId(id), .. } => {
                self.replace_number(IdClass::Variable, id)
            }
            VectorKind::Address { addr, .. } | VectorKind::Indirect { addr, .. } => {
                self.replace_number(IdClass::Address, &mut addr.0);
            }
            VectorKind::Predicate(pred) => self.replace_predicate(pred),
            VectorKind::Immediate(_) => {}
            VectorKind::State { class, index, .. } => match *class {
                StateClass::SURFACE => self.replace_number(IdClass::Surface, index),
                StateClass::SAMPLER => self.replace_number(IdClass::Sampler, index),
                _ => {}
            },
        }
    }
}

impl VisitorMut for Replacer<'_> {
    fn pred(&mut self, _: Slot, pred: &mut Pred) {
        self.replace_predicate(pred);
    }

    fn vector(&mut self, _: Slot, operand: &mut Vector) {
        self.replace_in_operand(operand);
    }

    fn dst(&mut self, _: Slot, operand: &mut Vector) {
        self.replace_in_operand(operand);
    }

    fn cmp_dst(&mut self, _: Slot, operand: &mut Vector) {
        self.replace_in_operand(operand);
    }

    fn address_of(&mut self, _: Slot, operand: &mut Vector) {
        self.replace_in_operand(operand);
    }

    fn raw(&mut self, _: Slot, Raw { var: VarId(id), .. }: &mut Raw) {
        self.replace_number(IdClass::Variable, id);
    }

    fn aoffimmi(&mut self, _: Slot, Aoffimmi(operand): &mut Aoffimmi) {
        self.replace_in_operand(operand);
    }

    fn surface(&mut self, _: Slot, SurfaceId(id): &mut SurfaceId) {
        self.replace_number(IdClass::Surface, id);
    }

    fn sampler(&mut self, _: Slot, SamplerId(id): &mut SamplerId) {
        self.replace_number(IdClass::Sampler, id);
    }

    fn state_address(&mut self, _: Slot, VarId(id): &mut VarId) {
        self.replace_number(IdClass::Variable, id);
    }

    fn label(&mut self, _: Slot, LabelId(id): &mut LabelId) {
        self.replace_number(IdClass::Label, id);
    }

    fn string(&mut self, _: Slot, StringId(id): &mut StringId) {
        self.replace_number(IdClass::String, id);
    }

    fn short_string(&mut self, _: Slot, ShortStringId(id): &mut ShortStringId) {
        self.replace_number(IdClass::String, id);
    }
}
