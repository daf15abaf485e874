//! Handles of declarations, and operands that are made of them.

use core::ops::{Neg, Not};
use core::sync::atomic::{AtomicUsize, Ordering};

use crate::object::InputClass;
use crate::operand::{
    AddrId, AddrWidth, AddressOf, CmpDst, DataType, Dst, Exec, ExecMask, ExecSize, Imm, LabelId,
    Modifier, Pred, PredControl, PredId, Raw, Region, Sampler, SamplerId, StateAddress, Stride,
    Surface, SurfaceId, VarId, Vector, VectorKind,
};

/// The builder that a handle belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct BuilderId(usize);

impl BuilderId {
    pub(super) fn new() -> BuilderId {
        static NEXT: AtomicUsize = AtomicUsize::new(0);
        BuilderId(NEXT.fetch_add(1, Ordering::Relaxed))
    }
}

/// An operand. `T` is the type of the field.
///
/// Handles, constants and predefined ids convert to it. If a method or a conversion fails, the
/// instruction that the operand is passed to has an error.
#[derive(Clone, Copy, Debug)]
pub struct Operand<T> {
    pub(super) value: T,
    pub(super) owner: Option<BuilderId>,
    pub(super) fault: Option<&'static str>,
}

impl<T> Operand<T> {
    /// Returns an operand that is made of a handle.
    fn owned(owner: BuilderId, value: T) -> Operand<T> {
        Operand { value, owner: Some(owner), fault: None }
    }

    /// Returns an operand without a handle.
    fn unowned(value: T) -> Operand<T> {
        Operand { value, owner: None, fault: None }
    }

    /// Returns an operand with an id, which must be predefined: others have handles.
    fn predefined(value: T, is_predefined: bool) -> Operand<T> {
        let fault = "the id is not predefined; use its handle";
        Operand { value, owner: None, fault: (!is_predefined).then_some(fault) }
    }

    fn map<U>(self, f: impl FnOnce(T) -> U) -> Operand<U> {
        Operand { value: f(self.value), owner: self.owner, fault: self.fault }
    }

    fn check(mut self, is_valid: bool, fault: &'static str) -> Operand<T> {
        if !is_valid {
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
            pub(super) owner: BuilderId,
            $(pub(super) $more: $ty,)*
        }

        impl $name {
            /// Returns the id, as in operands.
            pub fn id(self) -> $id {
                self.id
            }
        }

        impl From<$name> for Operand<$id> {
            fn from(handle: $name) -> Self {
                Operand::owned(handle.owner, handle.id)
            }
        }
    )*};
}

handles! {
    /// A handle of a general variable.
    ///
    /// [`scalar`](Self::scalar) and [`region`](Self::region) return a source. As a destination, the
    /// handle is consecutive elements from the first on; as a raw operand, the whole variable.
    VarHandle(VarId, ty: DataType, size: u32)
    /// A handle of an address variable.
    AddressHandle(AddrId)
    /// A handle of a predicate.
    ///
    /// As the predicate of an instruction, lanes run if their bit is set. `!predicate` inverts
    /// this.
    PredicateHandle(PredId)
    /// A handle of a surface.
    SurfaceHandle(SurfaceId)
    /// A handle of a sampler.
    SamplerHandle(SamplerId)
    /// A handle of a label.
    LabelHandle(LabelId)
}

/// A handle that [`Builder::add_input`](super::Builder::add_input) accepts: [`VarHandle`],
/// [`SurfaceHandle`] or [`SamplerHandle`].
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
    pub(super) owner: BuilderId,
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

const INVALID_STRIDE: &str = "expected a stride or width of 0, 1, 2, 4, 8, 16 or 32";

/// Returns the source region `<v;w,h>`, and whether it is valid.
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
    /// Returns the type of the elements.
    pub fn ty(self) -> DataType {
        self.ty
    }

    /// Returns the first element for all lanes, the source region `<0;1,0>`.
    pub fn scalar(self) -> Operand<Vector> {
        Operand::owned(self.owner, Vector::scalar(self.id))
    }

    /// Returns the source region `<v;w,h>`, in elements: rows of `w` elements that are `h` apart;
    /// rows are `v` apart.
    pub fn region(self, v: u8, w: u8, h: u8) -> Operand<Vector> {
        let (region, is_valid) = region(v, w, h);
        Operand::owned(self.owner, Vector::general(self.id, region)).check(is_valid, INVALID_STRIDE)
    }

    /// Returns a destination whose elements are `h` elements apart.
    pub fn dst(self, h: u8) -> Operand<Dst> {
        let (region, is_valid) = dst_region(h);
        let vector = Vector::general(self.id, region);
        Operand::owned(self.owner, Dst(vector)).check(is_valid, INVALID_STRIDE)
    }

    /// Returns a raw operand: the variable from `offset` bytes on.
    pub fn raw(self, offset: u16) -> Operand<Raw> {
        let is_inside = u32::from(offset) < self.size.max(1);
        let operand = Operand::owned(self.owner, Raw::new(self.id, offset));
        operand.check(is_inside, "the offset is past the end of the variable")
    }
}

impl From<VarHandle> for Operand<Dst> {
    /// Returns consecutive elements from the first on.
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
    /// Accepts predefined variables, such as [`VarId::NULL`].
    fn from(id: VarId) -> Self {
        Operand::predefined(Raw::new(id, 0), id < VarId::FIRST_DECLARED)
    }
}

impl From<VarId> for Operand<Dst> {
    /// Accepts predefined variables, such as [`VarId::NULL`].
    fn from(id: VarId) -> Self {
        Operand::predefined(Dst::new(id), id < VarId::FIRST_DECLARED)
    }
}

impl From<VarId> for Operand<Vector> {
    /// Returns the first element of a predefined variable for all lanes.
    fn from(id: VarId) -> Self {
        Operand::predefined(Vector::scalar(id), id < VarId::FIRST_DECLARED)
    }
}

/// Sets the row and column of a general operand. Returns whether the operand has them.
fn set_row_and_column(vector: &mut Vector, new_row: u8, new_col: u8) -> bool {
    match &mut vector.kind {
        VectorKind::General { row, col, .. } => {
            (*row, *col) = (new_row, new_col);
            true
        }
        _ => false,
    }
}

const NO_ROW: &str = "only elements of a general variable have a row and a column";

impl Operand<Vector> {
    /// Sets the row (of 32 bytes) and the column (in elements) of the first element.
    #[must_use]
    pub fn at(mut self, row: u8, col: u8) -> Self {
        let is_valid = set_row_and_column(&mut self.value, row, col);
        self.check(is_valid, NO_ROW)
    }

    /// Sets the modifier. This is an error unless the operand is an element of a general variable
    /// or an indirect element.
    #[must_use]
    pub fn with_modifier(self, modifier: Modifier) -> Self {
        let has_modifier =
            matches!(self.value.kind, VectorKind::General { .. } | VectorKind::Indirect { .. });
        let is_valid = has_modifier || modifier == Modifier::NONE;
        self.map(|vector| vector.with_modifier(modifier)).check(is_valid, NO_MODIFIER)
    }

    /// Sets the modifier to `(abs)`; for a constant, returns its absolute value.
    #[must_use]
    pub fn abs(self) -> Self {
        match (self.value.kind, self.value.modifier) {
            (VectorKind::Immediate(imm), _) => self.constant(absolute(imm)),
            (_, Modifier::NOT) => self.check(false, NO_ARITHMETIC),
            _ => self.with_modifier(Modifier::ABS),
        }
    }

    /// Replaces a constant with a computed one. `None` is an error.
    fn constant(self, imm: Option<Imm>) -> Self {
        match imm {
            Some(imm) => self.map(|_| imm.into()),
            None => self.check(false, "the type of the constant cannot represent its negation"),
        }
    }
}

const NO_MODIFIER: &str = "only elements of a variable have a modifier";

const NO_ARITHMETIC: &str = "an operand with the modifier `not` cannot have another one";

/// Returns the negation of a constant, or `None` if its type cannot represent it.
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
        // Only zero has a negation.
        DataType::UD | DataType::UW | DataType::UB | DataType::UQ => {
            (imm.as_integer() == Some(0)).then_some(imm)
        }
        DataType::V => imm.as_packed_integers().and_then(|elements| Imm::v(elements.map(|e| -e))),
        DataType::VF => imm.as_packed_floats().map(|elements| Imm::vf(elements.map(|e| e ^ 0x80))),
        _ => None,
    }
}

/// Returns the absolute value of a constant, or `None` if its type cannot represent it.
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

    /// Negates the operand: adds or removes the modifier `(-)`; for a constant, returns the negated
    /// constant. For an unsigned constant, an address, a predicate, a surface or a sampler, this is
    /// an error.
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
    /// Sets the row (of 32 bytes) and the column (in elements) of the first element.
    #[must_use]
    pub fn at(mut self, row: u8, col: u8) -> Self {
        let is_valid = set_row_and_column(&mut self.value.0, row, col);
        self.check(is_valid, NO_ROW)
    }

    /// Saturates the values: `.sat`.
    #[must_use]
    pub fn sat(self) -> Self {
        self.map(|dst| Dst(dst.0.with_modifier(Modifier::SAT)))
    }
}

macro_rules! constants {
    ($($ty:ident $make:ident),*) => {$(
        impl From<$ty> for Operand<Vector> {
            #[doc = concat!("Returns the constant of [`Imm::", stringify!($make), "`].")]
            fn from(value: $ty) -> Self {
                Operand::unowned(Imm::$make(value).into())
            }
        }
    )*};
}

constants!(u8 ub, i8 b, u16 uw, i16 w, u32 ud, i32 d, u64 uq, i64 q, f32 f, f64 df);

impl From<Imm> for Operand<Vector> {
    fn from(imm: Imm) -> Self {
        Operand::unowned(imm.into())
    }
}

impl AddressHandle {
    /// Returns `width` elements of the variable, from `first` on.
    pub fn elements(self, first: u8, width: AddrWidth) -> Operand<Vector> {
        Operand::owned(self.owner, Vector::address(self.id, first, width))
    }

    /// Returns the indirect source region `<v;w,h>` of a type, at the address in the element
    /// `first` plus `offset` bytes.
    pub fn indirect(
        self,
        first: u8,
        offset: i16,
        ty: DataType,
        (v, w, h): (u8, u8, u8),
    ) -> Operand<Vector> {
        let (region, is_valid) = region(v, w, h);
        let vector = Vector::indirect(self.id, first, offset, ty, region);
        Operand::owned(self.owner, vector).check(is_valid, INVALID_STRIDE)
    }

    /// Returns an indirect destination at the address in the element `first` plus `offset` bytes,
    /// whose elements are `h` elements apart.
    pub fn indirect_dst(self, first: u8, offset: i16, ty: DataType, h: u8) -> Operand<Dst> {
        let (region, is_valid) = dst_region(h);
        let vector = Vector::indirect(self.id, first, offset, ty, region);
        Operand::owned(self.owner, Dst(vector)).check(is_valid, INVALID_STRIDE)
    }
}

impl From<Operand<Vector>> for Operand<Dst> {
    /// Accepts elements of an address variable, which are sources and destinations.
    fn from(operand: Operand<Vector>) -> Self {
        let is_address = matches!(operand.value.kind, VectorKind::Address { .. });
        operand.map(Dst).check(is_address, "expected a destination, found a source; use `dst`")
    }
}

impl From<AddressHandle> for Operand<Dst> {
    /// Returns the first element.
    fn from(address: AddressHandle) -> Self {
        address.elements(0, AddrWidth::W1).into()
    }
}

impl From<PredicateHandle> for Operand<Pred> {
    fn from(predicate: PredicateHandle) -> Self {
        // This cannot fail: the table has at most as many predicates as there are ids in operands.
        let pred = Pred::new(predicate.id).unwrap_or(Pred::NONE);
        Operand::owned(predicate.owner, pred)
    }
}

impl From<Pred> for Operand<Pred> {
    /// Accepts [`Pred::NONE`].
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
    /// Runs all lanes if any bit is set.
    pub fn any(self) -> Operand<Pred> {
        Operand::from(self).map(|pred: Pred| pred.with_control(PredControl::ANY))
    }

    /// Runs all lanes if all bits are set.
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
    /// Accepts predefined surfaces, such as the stateless one.
    fn from(id: SurfaceId) -> Self {
        Operand::predefined(id, id < SurfaceId::FIRST_DECLARED)
    }
}

impl From<SamplerId> for Operand<SamplerId> {
    /// Accepts [`SamplerId::BINDLESS`].
    fn from(id: SamplerId) -> Self {
        Operand::predefined(id, id == SamplerId::BINDLESS)
    }
}

macro_rules! message_states {
    ($($state:ident $id:ident $handle:ident;)*) => {$(
        impl From<$id> for Operand<$state> {
            fn from(id: $id) -> Self {
                Operand::<$id>::from(id).map($state::from)
            }
        }

        impl From<$handle> for Operand<$state> {
            fn from(handle: $handle) -> Self {
                Operand::<$id>::from(handle).map($state::from)
            }
        }

        impl From<VarHandle> for Operand<$state> {
            /// Uses the state at the address in the variable.
            fn from(handle: VarHandle) -> Self {
                handle.state(0).into()
            }
        }

        impl From<Operand<StateAddress>> for Operand<$state> {
            fn from(address: Operand<StateAddress>) -> Self {
                address.map($state::from)
            }
        }
    )*};
}

message_states! {
    Surface SurfaceId SurfaceHandle;
    Sampler SamplerId SamplerHandle;
}

impl VarHandle {
    /// Returns the sampler or surface state in memory with an index. The first element of the
    /// variable is the address of the states. Only messages of 4.2 support this, with [efficient
    /// 64-bit addressing](super::Builder::set_efficient_64bit).
    pub fn state(self, index: u16) -> Operand<StateAddress> {
        Operand::<VarId>::from(self).map(|var| StateAddress { var, index })
    }
}

macro_rules! states {
    ($($name:ident $make:ident),*) => {$(
        impl From<$name> for Operand<Vector> {
            fn from(state: $name) -> Self {
                Operand::owned(state.owner, Vector::$make(state.id, 0))
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

/// The lanes of an instruction: execution size, mask and predicate.
///
/// An [`ExecSize`] converts to it: the first lanes without a predicate.
///
/// ```
/// use genvisa::build::{Builder, Lanes};
/// use genvisa::operand::ExecMask;
/// use genvisa::operand::ExecSize::S8;
/// use genvisa::Format;
///
/// let mut k = Builder::new("k", Format::default());
/// let flag = k.add_predicate("flag", 16);
/// // Lanes 8 to 15 whose bit of `flag` is clear.
/// let lanes = Lanes::new(S8).with_mask(ExecMask::M3).when(!flag);
/// # let _ = lanes;
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Lanes {
    pub(super) exec: Exec,
    pub(super) pred: Operand<Pred>,
}

impl Lanes {
    /// Returns the first `size` lanes, without a predicate.
    pub fn new(size: ExecSize) -> Lanes {
        Lanes { exec: size.into(), pred: Operand::unowned(Pred::NONE) }
    }

    /// Sets the mask.
    #[must_use]
    pub fn with_mask(self, mask: ExecMask) -> Lanes {
        Lanes { exec: Exec::new(self.exec.size, mask), ..self }
    }

    /// Sets the predicate.
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
