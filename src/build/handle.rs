//! Handles of what a routine declares, and the operands that are made of them.

use core::ops::{Neg, Not};
use core::sync::atomic::{AtomicUsize, Ordering};

use crate::object::InputClass;
use crate::operand::{
    AddrId, AddrWidth, AddressOf, CmpDst, DataType, Dst, Exec, ExecMask, ExecSize, Imm, LabelId,
    Modifier, Pred, PredControl, PredId, Raw, Region, SamplerId, Stride, SurfaceId, VarId, Vector,
    VectorKind,
};

/// The builder that a handle comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Owner(usize);

impl Owner {
    pub(super) fn new() -> Owner {
        static NEXT: AtomicUsize = AtomicUsize::new(0);
        Owner(NEXT.fetch_add(1, Ordering::Relaxed))
    }
}

/// An operand, with the routine that its handle belongs to, if it is made of one.
///
/// Whatever the operand's methods find wrong is an error of the instruction that it is given to.
#[derive(Clone, Copy, Debug)]
pub struct Operand<T> {
    pub(super) value: T,
    pub(super) owner: Option<Owner>,
    pub(super) fault: Option<&'static str>,
}

impl<T> Operand<T> {
    fn of(owner: Owner, value: T) -> Operand<T> {
        Operand { value, owner: Some(owner), fault: None }
    }

    /// An operand that no routine declares.
    fn free(value: T) -> Operand<T> {
        Operand { value, owner: None, fault: None }
    }

    /// An operand by its id, which must be predefined: others have handles.
    fn predefined(value: T, is_predefined: bool) -> Operand<T> {
        let fault = "an id that is not predefined; its handle is needed";
        Operand { value, owner: None, fault: (!is_predefined).then_some(fault) }
    }

    fn map<U>(self, f: impl FnOnce(T) -> U) -> Operand<U> {
        Operand { value: f(self.value), owner: self.owner, fault: self.fault }
    }

    fn check(mut self, is_right: bool, fault: &'static str) -> Operand<T> {
        if !is_right {
            self.fault.get_or_insert(fault);
        }
        self
    }
}

macro_rules! handles {
    ($($(#[$doc:meta])* $name:ident($id:ident $(, $more:ident: $ty:ident)*))*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug)]
        pub struct $name {
            pub(super) id: $id,
            pub(super) owner: Owner,
            $(pub(super) $more: $ty,)*
        }

        impl $name {
            /// Its id in the routine's table, as operands hold it.
            pub fn id(self) -> $id {
                self.id
            }
        }

        impl From<$name> for Operand<$id> {
            fn from(handle: $name) -> Self {
                Operand::of(handle.owner, handle.id)
            }
        }
    )*};
}

handles! {
    /// A general variable.
    VarHandle(VarId, ty: DataType, size: u32)
    /// An address variable.
    AddressHandle(AddrId)
    /// A predicate.
    ///
    /// As an operand that lanes run by, it lets those run whose bit is set; `!flag` those whose bit
    /// is clear.
    PredicateHandle(PredId)
    /// A surface.
    SurfaceHandle(SurfaceId)
    /// A sampler.
    SamplerHandle(SamplerId)
    /// A label.
    LabelHandle(LabelId)
}

/// A handle that [`Builder::input`](super::Builder::input) accepts: [`VarHandle`], [`SurfaceHandle`] or
/// [`SamplerHandle`].
pub trait InputHandle: sealed::Input {}

mod sealed {
    /// The methods of [`InputHandle`](super::InputHandle), which only this crate implements.
    pub trait Input: Copy {
        /// Returns the entry of the input table, without its offset.
        fn input(self) -> super::InputSpec;
    }
}

/// An entry of the input table, without its offset.
#[derive(Clone, Copy, Debug)]
pub struct InputSpec {
    pub(super) class: InputClass,
    pub(super) index: u32,
    /// The size in bytes.
    pub(super) size: u32,
    pub(super) owner: Owner,
}

macro_rules! inputs {
    ($($name:ident $class:ident, $handle:ident => $size:expr;)*) => {$(
        impl InputHandle for $name {}

        impl sealed::Input for $name {
            fn input(self) -> InputSpec {
                let $handle = self;
                InputSpec {
                    class: InputClass::$class,
                    index: self.id.0.into(),
                    size: $size,
                    owner: self.owner,
                }
            }
        }
    )*};
}

/// The size in bytes of a surface or sampler in the payload.
const STATE_SIZE: u32 = 4;

inputs! {
    VarHandle GENERAL, var => var.size;
    SurfaceHandle SURFACE, _state => STATE_SIZE;
    SamplerHandle SAMPLER, _state => STATE_SIZE;
}

const NO_STRIDE: &str = "strides and widths are 0, 1, 2, 4, 8, 16 or 32";

/// The source region `<v;w,h>`, and whether it can be said.
fn region(v: u8, w: u8, h: u8) -> (Region, bool) {
    let code = |elements: u8| Stride::from_elements(elements.into());
    match (code(v), code(w), code(h)) {
        (Some(v), Some(w), Some(h)) => (Region::new(v, w, h), true),
        _ => (Region::SCALAR, false),
    }
}

fn dst_region(h: u8) -> (Region, bool) {
    match Stride::from_elements(h.into()) {
        Some(h) => (Region::dst(h), true),
        None => (Region::SCALAR, false),
    }
}

impl VarHandle {
    /// The type of its elements.
    pub fn ty(self) -> DataType {
        self.ty
    }

    /// The first element, for all lanes: `<0;1,0>`.
    pub fn scalar(self) -> Operand<Vector> {
        Operand::of(self.owner, Vector::scalar(self.id))
    }

    /// The source region `<v;w,h>`, in elements: rows of `w` elements that are `h` apart, each row
    /// `v` after the last.
    pub fn region(self, v: u8, w: u8, h: u8) -> Operand<Vector> {
        let (region, is_right) = region(v, w, h);
        Operand::of(self.owner, Vector::general(self.id, region)).check(is_right, NO_STRIDE)
    }

    /// The destination, `h` elements from lane to lane.
    pub fn dst(self, h: u8) -> Operand<Dst> {
        let (region, is_right) = dst_region(h);
        let vector = Vector::general(self.id, region);
        Operand::of(self.owner, Dst(vector)).check(is_right, NO_STRIDE)
    }

    /// A raw operand: the variable from `offset` bytes on.
    pub fn raw(self, offset: u16) -> Operand<Raw> {
        let is_inside = u32::from(offset) < self.size.max(1);
        let operand = Operand::of(self.owner, Raw::new(self.id, offset));
        operand.check(is_inside, "the offset is behind the variable's end")
    }
}

impl From<VarHandle> for Operand<Dst> {
    /// Consecutive elements from the first on.
    fn from(var: VarHandle) -> Self {
        var.dst(1)
    }
}

impl From<VarHandle> for Operand<CmpDst> {
    fn from(var: VarHandle) -> Self {
        var.dst(1).map(|dst| CmpDst(dst.0))
    }
}

impl From<Operand<Dst>> for Operand<CmpDst> {
    fn from(dst: Operand<Dst>) -> Self {
        dst.map(|dst| CmpDst(dst.0))
    }
}

impl From<VarHandle> for Operand<Raw> {
    fn from(var: VarHandle) -> Self {
        var.raw(0)
    }
}

impl From<VarHandle> for Operand<AddressOf> {
    fn from(var: VarHandle) -> Self {
        var.scalar().map(AddressOf)
    }
}

impl From<Operand<Vector>> for Operand<AddressOf> {
    fn from(operand: Operand<Vector>) -> Self {
        operand.map(AddressOf)
    }
}

impl From<VarId> for Operand<Raw> {
    /// For predefined variables, [`VarId::NULL`] among them.
    fn from(id: VarId) -> Self {
        Operand::predefined(Raw::new(id, 0), id < VarId::FIRST_DECLARED)
    }
}

impl From<VarId> for Operand<Dst> {
    /// For predefined variables, [`VarId::NULL`] among them.
    fn from(id: VarId) -> Self {
        Operand::predefined(Dst::new(id), id < VarId::FIRST_DECLARED)
    }
}

impl From<VarId> for Operand<Vector> {
    /// The first element, for all lanes, of a predefined variable.
    fn from(id: VarId) -> Self {
        Operand::predefined(Vector::scalar(id), id < VarId::FIRST_DECLARED)
    }
}

fn place_at(vector: &mut Vector, new_row: u8, new_col: u8) -> bool {
    match &mut vector.kind {
        VectorKind::General { row, col, .. } => {
            (*row, *col) = (new_row, new_col);
            true
        }
        _ => false,
    }
}

const NO_ROW: &str = "only an element of a general variable has a row and a column";

impl Operand<Vector> {
    /// The same from another row (of 32 bytes) and column (in elements) on.
    #[must_use]
    pub fn at(mut self, row: u8, col: u8) -> Self {
        let is_right = place_at(&mut self.value, row, col);
        self.check(is_right, NO_ROW)
    }

    /// The same with a modifier in place of the one it has. Only an element of a general variable
    /// and an indirect element have modifiers; for anything else, this is an error of the builder.
    #[must_use]
    pub fn with_modifier(self, modifier: Modifier) -> Self {
        let has_modifier =
            matches!(self.value.kind, VectorKind::General { .. } | VectorKind::Indirect { .. });
        let is_right = has_modifier || modifier == Modifier::NONE;
        self.map(|vector| vector.with_modifier(modifier)).check(is_right, NO_MODIFIER)
    }

    /// The absolute value: `(abs)`, or of a constant the constant.
    #[must_use]
    pub fn abs(self) -> Self {
        match (self.value.kind, self.value.modifier) {
            (VectorKind::Immediate(imm), _) => self.constant(absolute(imm)),
            (_, Modifier::NOT) => self.check(false, NO_ARITHMETIC),
            _ => self.with_modifier(Modifier::ABS),
        }
    }

    /// A constant that was calculated from the one it is.
    fn constant(self, imm: Option<Imm>) -> Self {
        match imm {
            Some(imm) => self.map(|_| imm.into()),
            None => self.check(false, "the type of this constant cannot represent its negation"),
        }
    }
}

const NO_MODIFIER: &str = "only an element of a variable has a modifier";

const NO_ARITHMETIC: &str = "the complement of an operand is neither negated nor made absolute";

/// The negation of a constant, or `None` if its type cannot represent it.
fn negated(imm: Imm) -> Option<Imm> {
    let integer = imm.as_integer().and_then(i64::checked_neg);
    match imm.ty() {
        DataType::F => imm.as_f32().map(|value| Imm::f(-value)),
        DataType::DF => imm.as_f64().map(|value| Imm::df(-value)),
        DataType::HF => imm.as_half_bits().map(|bits| Imm::hf(bits ^ 0x8000)),
        DataType::BF => imm.as_half_bits().map(|bits| Imm::bf(bits ^ 0x8000)),
        DataType::D => integer?.try_into().ok().map(Imm::d),
        DataType::W => integer?.try_into().ok().map(Imm::w),
        DataType::B => integer?.try_into().ok().map(Imm::b),
        DataType::Q => integer.map(Imm::q),
        // Zero is the only value of these that has a negation.
        DataType::UD | DataType::UW | DataType::UB | DataType::UQ => {
            (imm.as_integer() == Some(0)).then_some(imm)
        }
        DataType::V => imm.as_packed_integers().and_then(|elements| Imm::v(elements.map(|e| -e))),
        DataType::VF => imm.as_packed_floats().map(|elements| Imm::vf(elements.map(|e| e ^ 0x80))),
        _ => None,
    }
}

/// The absolute value of a constant, or `None` if its type cannot represent it.
fn absolute(imm: Imm) -> Option<Imm> {
    match imm.ty() {
        DataType::F => imm.as_f32().map(|value| Imm::f(value.abs())),
        DataType::DF => imm.as_f64().map(|value| Imm::df(value.abs())),
        DataType::HF => imm.as_half_bits().map(|bits| Imm::hf(bits & 0x7fff)),
        DataType::BF => imm.as_half_bits().map(|bits| Imm::bf(bits & 0x7fff)),
        DataType::UD | DataType::UW | DataType::UB | DataType::UQ => Some(imm),
        _ if imm.as_integer().is_some_and(|value| value >= 0) => Some(imm),
        _ if imm.as_integer().is_some() => negated(imm),
        _ => None,
    }
}

impl Neg for Operand<Vector> {
    type Output = Operand<Vector>;

    /// The operand with its sign inverted: `(-)` is added to the modifier it has, or taken away, and
    /// a constant becomes the negated constant. What has no sign is an error of the builder: the
    /// negation of an unsigned constant, an address, a predicate or a state.
    fn neg(self) -> Self {
        let modifier = match (self.value.kind, self.value.modifier) {
            (VectorKind::Immediate(imm), _) => return self.constant(negated(imm)),
            (_, Modifier::NONE) => Modifier::NEG,
            (_, Modifier::NEG) => Modifier::NONE,
            (_, Modifier::ABS) => Modifier::NEG_ABS,
            (_, Modifier::NEG_ABS) => Modifier::ABS,
            _ => return self.check(false, NO_ARITHMETIC),
        };
        self.with_modifier(modifier)
    }
}

impl Operand<Dst> {
    /// The same from another row (of 32 bytes) and column (in elements) on.
    #[must_use]
    pub fn at(mut self, row: u8, col: u8) -> Self {
        let is_right = place_at(&mut self.value.0, row, col);
        self.check(is_right, NO_ROW)
    }

    /// Saturated: `.sat`.
    #[must_use]
    pub fn sat(self) -> Self {
        self.map(|dst| Dst(dst.0.with_modifier(Modifier::SAT)))
    }
}

macro_rules! constants {
    ($($ty:ident $make:ident),*) => {$(
        impl From<$ty> for Operand<Vector> {
            #[doc = concat!("The constant, of the type that [`Imm::", stringify!($make), "`] gives it.")]
            fn from(value: $ty) -> Self {
                Operand::free(Imm::$make(value).into())
            }
        }
    )*};
}

constants!(u8 ub, i8 b, u16 uw, i16 w, u32 ud, i32 d, u64 uq, i64 q, f32 f, f64 df);

impl From<Imm> for Operand<Vector> {
    fn from(imm: Imm) -> Self {
        Operand::free(imm.into())
    }
}

impl AddressHandle {
    /// Elements of the variable, from `first` on.
    pub fn elements(self, first: u8, width: AddrWidth) -> Operand<Vector> {
        Operand::of(self.owner, Vector::address(self.id, first, width))
    }

    /// The elements that its element `first` points to, `offset` bytes further on, as a source
    /// region `<v;w,h>` of a type.
    pub fn indirect(
        self,
        first: u8,
        offset: i16,
        ty: DataType,
        (v, w, h): (u8, u8, u8),
    ) -> Operand<Vector> {
        let (region, is_right) = region(v, w, h);
        let vector = Vector::indirect(self.id, first, offset, ty, region);
        Operand::of(self.owner, vector).check(is_right, NO_STRIDE)
    }

    /// The destination that its element `first` points to, `offset` bytes further on, with `h`
    /// elements from lane to lane.
    pub fn indirect_dst(self, first: u8, offset: i16, ty: DataType, h: u8) -> Operand<Dst> {
        let (region, is_right) = dst_region(h);
        let vector = Vector::indirect(self.id, first, offset, ty, region);
        Operand::of(self.owner, Dst(vector)).check(is_right, NO_STRIDE)
    }
}

impl From<Operand<Vector>> for Operand<Dst> {
    /// For the elements of an address variable, which are read and written alike.
    fn from(operand: Operand<Vector>) -> Self {
        let is_address = matches!(operand.value.kind, VectorKind::Address { .. });
        operand.map(Dst).check(is_address, "a source; `dst` makes a destination of a variable")
    }
}

impl From<AddressHandle> for Operand<Dst> {
    /// The first element.
    fn from(address: AddressHandle) -> Self {
        address.elements(0, AddrWidth::W1).into()
    }
}

impl From<PredicateHandle> for Operand<Pred> {
    fn from(predicate: PredicateHandle) -> Self {
        // The routine's table holds no more predicates than there are ids for operands.
        let pred = Pred::new(predicate.id).unwrap_or(Pred::NONE);
        Operand::of(predicate.owner, pred)
    }
}

impl From<Pred> for Operand<Pred> {
    /// For [`Pred::NONE`].
    fn from(pred: Pred) -> Self {
        Operand::predefined(pred, pred.is_none())
    }
}

impl Not for PredicateHandle {
    type Output = Operand<Pred>;

    fn not(self) -> Operand<Pred> {
        !Operand::<Pred>::from(self)
    }
}

impl Not for Operand<Pred> {
    type Output = Operand<Pred>;

    fn not(self) -> Operand<Pred> {
        self.map(Pred::inverted)
    }
}

impl PredicateHandle {
    /// All lanes, if any bit is set.
    pub fn any(self) -> Operand<Pred> {
        Operand::from(self).map(|pred: Pred| pred.with_control(PredControl::ANY))
    }

    /// All lanes, if all bits are set.
    pub fn all(self) -> Operand<Pred> {
        Operand::from(self).map(|pred: Pred| pred.with_control(PredControl::ALL))
    }
}

impl From<PredicateHandle> for Operand<Vector> {
    fn from(predicate: PredicateHandle) -> Self {
        Operand::<Pred>::from(predicate).map(Vector::predicate)
    }
}

impl From<Operand<Pred>> for Operand<Vector> {
    fn from(pred: Operand<Pred>) -> Self {
        pred.map(Vector::predicate)
    }
}

impl From<PredicateHandle> for Operand<Dst> {
    fn from(predicate: PredicateHandle) -> Self {
        Operand::<Vector>::from(predicate).map(Dst)
    }
}

impl From<PredicateHandle> for Operand<CmpDst> {
    fn from(predicate: PredicateHandle) -> Self {
        Operand::<Vector>::from(predicate).map(CmpDst)
    }
}

impl From<SurfaceId> for Operand<SurfaceId> {
    /// For predefined surfaces, such as the stateless one.
    fn from(id: SurfaceId) -> Self {
        Operand::predefined(id, id < SurfaceId::FIRST_DECLARED)
    }
}

impl From<SamplerId> for Operand<SamplerId> {
    /// For [`SamplerId::BINDLESS`].
    fn from(id: SamplerId) -> Self {
        Operand::predefined(id, id == SamplerId::BINDLESS)
    }
}

macro_rules! states {
    ($($name:ident $make:ident),*) => {$(
        impl From<$name> for Operand<Vector> {
            fn from(state: $name) -> Self {
                Operand::of(state.owner, Vector::$make(state.id, 0))
            }
        }

        impl From<$name> for Operand<AddressOf> {
            fn from(state: $name) -> Self {
                Operand::<Vector>::from(state).map(AddressOf)
            }
        }

        impl From<$name> for Operand<Dst> {
            fn from(state: $name) -> Self {
                Operand::<Vector>::from(state).map(Dst)
            }
        }
    )*};
}

states!(SurfaceHandle surface, SamplerHandle sampler);

/// Which lanes an instruction runs: execution size, mask and predicate.
#[derive(Clone, Copy, Debug)]
pub struct Lanes {
    pub(super) exec: Exec,
    pub(super) pred: Operand<Pred>,
}

impl Lanes {
    /// The first lanes, as many as `size` says.
    pub fn new(size: ExecSize) -> Lanes {
        Lanes { exec: size.into(), pred: Operand::free(Pred::NONE) }
    }

    /// The same number of lanes at another place.
    #[must_use]
    pub fn with_mask(self, mask: ExecMask) -> Lanes {
        Lanes { exec: Exec::new(self.exec.size, mask), ..self }
    }

    /// Of these lanes, those that a predicate lets run.
    #[must_use]
    pub fn when(self, pred: impl Into<Operand<Pred>>) -> Lanes {
        Lanes { pred: pred.into(), ..self }
    }
}

impl From<ExecSize> for Lanes {
    fn from(size: ExecSize) -> Lanes {
        Lanes::new(size)
    }
}

impl From<Exec> for Lanes {
    fn from(exec: Exec) -> Lanes {
        Lanes { exec, ..Lanes::new(exec.size) }
    }
}
