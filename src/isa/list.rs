//! Lists: the parameters of sampler messages, and the labels of SWITCHJMP.

use core::fmt;
use core::ops::{Deref, DerefMut};

use super::record::Closed;
use crate::error::{ErrorKind, Expected, Result};
use crate::format::Format;
use crate::operand::{LabelId, Raw, Slot, Visit, Visitor, VisitorMut};
use crate::wire::{Describe, Reader, Trace, Wire, Writer};

/// A list of `MIN` to `MAX` items, stored without allocation. It dereferences to a slice.
///
/// ```
/// use genvisa::isa::Params;
/// use genvisa::operand::VarId;
///
/// let params = Params::from([VarId(32).into(), VarId(33).into()]);
/// assert_eq!(params.len(), 2);
/// assert_eq!(params[1].var, VarId(33));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct List<T, const MIN: usize, const MAX: usize> {
    len: u8,
    /// Items from `len` on are fillers, so that equality can be derived.
    items: [T; MAX],
}

/// The parameters of a sampler message: up to 15 raw operands.
pub type Params = List<Raw, 0, 15>;

/// The labels of SWITCHJMP: 1 to 32.
pub type Labels = List<LabelId, 1, 32>;

/// An item of a list.
pub(crate) trait Item: Wire + Describe + Visit + Copy + fmt::Debug {
    /// The name of an item that has no other name.
    const NAME: &'static str;

    /// The item that fills the rest of the list.
    const FILLER: Self;
}

impl Item for Raw {
    const NAME: &'static str = "param";
    const FILLER: Raw = Raw::NULL;
}

impl Item for LabelId {
    const NAME: &'static str = "label";
    const FILLER: LabelId = LabelId(0);
}

#[allow(private_bounds)]
impl<T: Item, const MIN: usize, const MAX: usize> List<T, MIN, MAX> {
    /// The maximum number of items.
    pub const MAX: usize = MAX;

    /// The name of an item that has no other name.
    #[cfg(feature = "text")]
    pub(crate) const ITEM: &'static str = T::NAME;

    /// A list of `MIN` fillers.
    const SHORTEST: Self = List { len: MIN as u8, items: [T::FILLER; MAX] };

    /// Returns a list of items, or `None` if there are too few or too many.
    pub fn new(items: &[T]) -> Option<Self> {
        let mut new = Self::SHORTEST;
        new.items.get_mut(..items.len())?.copy_from_slice(items);
        new.len = items.len() as u8;
        (items.len() >= MIN).then_some(new)
    }

    pub(crate) fn count(&self) -> Count<MIN, MAX> {
        Count(self.len)
    }

    pub(super) fn decode_items<R: Trace, N: Name>(
        &mut self,
        r: &mut Reader<'_, R>,
        count: Count<MIN, MAX>,
        names: &[N],
    ) -> Result<()> {
        *self = Self::SHORTEST;
        self.len = count.0;
        let items = self.items.iter_mut().take(usize::from(count.0));
        items.enumerate().try_for_each(|(i, item)| r.field(name_at::<T, N>(names, i), item))
    }

    pub(super) fn encode_items<N: Name>(&self, w: &mut Writer, names: &[N]) -> Result<()> {
        self.named(names).try_for_each(|(name, item)| w.field(name, &item))
    }

    /// Returns the items with names. `names` may be shorter than the list.
    pub(crate) fn named<N: Name>(&self, names: &[N]) -> impl Iterator<Item = (&'static str, T)> {
        self.iter().enumerate().map(|(i, item)| (name_at::<T, N>(names, i), *item))
    }

    pub(super) fn visit_named<N: Name>(&self, slot: Slot, names: &[N], visitor: &mut dyn Visitor) {
        self.named(names).for_each(|(field, item)| item.visit(Slot { field, ..slot }, visitor));
    }

    pub(super) fn visit_named_mut<N: Name>(
        &mut self,
        slot: Slot,
        names: &[N],
        visitor: &mut dyn VisitorMut,
    ) {
        for (i, item) in self.iter_mut().enumerate() {
            item.visit_mut(Slot { field: name_at::<T, N>(names, i), ..slot }, visitor);
        }
    }
}

/// Lists of at most `MAX` items, which the compiler checks.
impl<const N: usize, const MAX: usize> From<[Raw; N]> for List<Raw, 0, MAX> {
    fn from(items: [Raw; N]) -> Self {
        const { assert!(N <= MAX, "too many items") };
        let mut new = Self::SHORTEST;
        new.items[..N].copy_from_slice(&items);
        new.len = N as u8;
        new
    }
}

impl<const MAX: usize> List<Raw, 0, MAX> {
    /// A list without items.
    pub const EMPTY: Self = Self::SHORTEST;
}

#[allow(private_bounds)]
impl<T: Item, const MIN: usize, const MAX: usize> Default for List<T, MIN, MAX> {
    fn default() -> Self {
        Self::SHORTEST
    }
}

impl<T, const MIN: usize, const MAX: usize> Deref for List<T, MIN, MAX> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        self.items.get(..usize::from(self.len)).unwrap_or_default()
    }
}

impl<T, const MIN: usize, const MAX: usize> DerefMut for List<T, MIN, MAX> {
    fn deref_mut(&mut self) -> &mut [T] {
        self.items.get_mut(..usize::from(self.len)).unwrap_or_default()
    }
}

impl<T: fmt::Debug, const MIN: usize, const MAX: usize> fmt::Debug for List<T, MIN, MAX> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

#[cfg(feature = "serde")]
crate::serde_impls::as_list!(Params of Raw, "at most 15 parameters");

#[cfg(feature = "serde")]
crate::serde_impls::as_list!(Labels of LabelId, "1 to 32 labels");

#[allow(private_bounds)]
impl<T: Item, const MIN: usize, const MAX: usize> Visit for List<T, MIN, MAX> {
    fn visit(&self, slot: Slot, visitor: &mut dyn Visitor) {
        self.visit_named::<&str>(slot, &[], visitor);
    }

    fn visit_mut(&mut self, slot: Slot, visitor: &mut dyn VisitorMut) {
        self.visit_named_mut::<&str>(slot, &[], visitor);
    }
}

/// The name of an item.
pub(crate) trait Name: Copy {
    fn name(self) -> &'static str;
}

impl Name for &'static str {
    fn name(self) -> &'static str {
        self
    }
}

/// Returns the name of the item at a position, for errors and traces.
#[inline]
fn name_at<T: Item, N: Name>(names: &[N], position: usize) -> &'static str {
    names.get(position).map_or(T::NAME, |name| name.name())
}

/// The number of items of a list: one byte. In dialect `Manual` it is at least 1.
#[derive(Clone, Copy)]
pub(crate) struct Count<const MIN: usize, const MAX: usize>(u8);

/// The [`Count`] of a list type.
pub(crate) type CountOf<L> = <L as Counted>::Count;

/// A list type, for [`CountOf`].
pub(crate) trait Counted {
    type Count;
}

impl<T, const MIN: usize, const MAX: usize> Counted for List<T, MIN, MAX> {
    type Count = Count<MIN, MAX>;
}

impl<const MIN: usize, const MAX: usize> Count<MIN, MAX> {
    fn check(self, format: Format) -> Result<(), ErrorKind> {
        let least = MIN.max(usize::from(format.is_manual()));
        let found = usize::from(self.0);
        if (least..=MAX).contains(&found) {
            return Ok(());
        }
        Err(ErrorKind::BadCount { found, expected: Expected::Between(least, MAX) })
    }
}

impl<const MIN: usize, const MAX: usize> Default for Count<MIN, MAX> {
    fn default() -> Self {
        Count(MIN as u8)
    }
}

impl<const MIN: usize, const MAX: usize> fmt::Display for Count<MIN, MAX> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

impl<const MIN: usize, const MAX: usize> Describe for Count<MIN, MAX> {}

impl<const MIN: usize, const MAX: usize> Closed for Count<MIN, MAX> {}

impl<const MIN: usize, const MAX: usize> Wire for Count<MIN, MAX> {
    fn decode_into<T: Trace>(&mut self, r: &mut Reader<'_, T>) -> Result<()> {
        self.0 = r.u8()?;
        self.check(r.format()).map_err(|kind| r.error_back(1, kind))
    }

    fn encode(&self, w: &mut Writer) -> Result<()> {
        self.check(w.format()).map_err(|kind| w.error(kind))?;
        w.u8(self.0);
        Ok(())
    }
}

#[cfg(feature = "proptest")]
#[allow(private_bounds)]
impl<T, const MIN: usize, const MAX: usize> crate::generate::Generate for List<T, MIN, MAX>
where
    T: Item + crate::generate::Generate + 'static,
{
    fn strategy(format: Format) -> proptest::strategy::BoxedStrategy<Self> {
        use proptest::strategy::Strategy;
        let least = MIN.max(usize::from(format.is_manual()));
        proptest::collection::vec(T::strategy(format), least..=MAX)
            .prop_filter_map("a valid number of items", |items| List::new(&items))
            .boxed()
    }
}
