//! Operands of variables, addresses and constants.

use crate::platform::RegisterSize;
use core::ops::Neg;

use super::{AddressHandle, Operand, VarHandle};
use crate::format::Format;
use crate::operand::{
    AddrWidth, AddressOf, CmpDst, DataType, Dst, Imm, Modifier, Raw, Region, Stride, VarId, Vector,
    VectorKind, number_types,
};

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

    /// Returns the address of the byte at `offset` of the variable, in a format and on a platform with
    /// registers of this size. Fails if the format cannot express it, as
    /// [`AddressOf::at_offset`] says.
    ///
    /// ```
    /// # use genvisa::build::Builder;
    /// # use genvisa::object::Align;
    /// # use genvisa::operand::{DataType, ExecSize::*};
    /// # use genvisa::{Format, RegisterSize};
    /// let mut k = Builder::new("indirect", Format::V4_2);
    /// let table = k.add_variable("table", DataType::D, 64, Align::GRF);
    /// let a = k.add_address("a", 1);
    /// k.addr_add(S1, a, table.address_at(128, k.format(), RegisterSize::Bytes32), 0u16);
    /// # k.into_kernel()?;
    /// # Ok::<(), genvisa::build::Errors>(())
    /// ```
    pub fn address_at(
        self,
        offset: u32,
        format: Format,
        registers: RegisterSize,
    ) -> Operand<AddressOf> {
        let address = AddressOf::at_offset(self.id, offset, self.ty, format, registers);
        let operand = Operand::owned(self.owner, address.unwrap_or_default());
        operand.check(address.is_some(), "the format cannot express this offset of an address")
    }
}

/// Packed elements, the source region `<1;1,0>`, or the element of a variable that has only one for all
/// lanes, `<0;1,0>`.
impl From<VarHandle> for Operand<Vector> {
    fn from(var: VarHandle) -> Self {
        let is_scalar = var.size <= var.ty.size() as u32;
        if is_scalar { var.scalar() } else { var.region(1, 1, 0) }
    }
}

impl Neg for VarHandle {
    type Output = Operand<Vector>;

    /// Returns the packed elements, negated.
    fn neg(self) -> Operand<Vector> {
        -Operand::<Vector>::from(self)
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
    /// Fails for a row and a column, whose meaning in an address depends on the format and the platform:
    /// use [`VarHandle::address_at`].
    fn from(operand: Operand<Vector>) -> Self {
        let is_start = match operand.value.kind {
            VectorKind::General { row, col, .. } => (row, col) == (0, 0),
            _ => true,
        };
        operand
            .map(AddressOf)
            .check(is_start, "use `address_at` for the address of another element")
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
                Operand::unowned(value.into())
            }
        }
    )*};
}

number_types!(constants);

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
