//! Predicates, and the lanes of an instruction.

use core::ops::Not;

use super::{Operand, PredicateHandle};
use crate::operand::{CmpDst, Dst, Exec, ExecMask, ExecSize, Pred, PredControl, Vector};

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
    pub(in crate::build) exec: Exec,
    pub(in crate::build) pred: Operand<Pred>,
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

impl ExecSize {
    /// Returns the first lanes, with a predicate. Only with the feature `build`.
    ///
    /// ```
    /// use genvisa::build::Builder;
    /// use genvisa::object::Align;
    /// use genvisa::operand::{DataType, ExecSize::*, RelOp};
    /// use genvisa::Format;
    ///
    /// let mut k = Builder::new("k", Format::default());
    /// let x = k.add_variable("x", DataType::F, 8, Align::GRF);
    /// let below = k.add_predicate("below", 8);
    /// k.cmp(S8, RelOp::LT, below, x, 0.0f32);
    /// k.mov(S8.when(below), x, 0.0f32);
    /// # assert!(k.into_kernel().is_ok());
    /// ```
    #[must_use]
    pub fn when(self, pred: impl Into<Operand<Pred>>) -> Lanes {
        Lanes::new(self).when(pred)
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
