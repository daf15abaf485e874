//! SWITCHJMP, 0x69 (format-facts 5.3).

use core::ops::{Deref, DerefMut};

use super::{FieldSpec, operands};
use crate::error::{ErrorKind, Expected, Place, Result};
use crate::operand::{Exec, LabelId, Scalar, Slot, Visit, Visitor, VisitorMut};
use crate::wire::{Reader, Trace, Wire, Writer};

/// SWITCHJMP, 0x69: jumps to one of up to 32 labels.
///
/// The count of labels stands before the index, the labels behind it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct SwitchJmp {
    /// Size and mask.
    pub exec: Exec,
    /// Which label.
    pub index: Scalar,
    /// The labels, at least one.
    pub labels: Labels,
}

/// The labels of [`SwitchJmp`]: 1 to 32, in place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Labels {
    len: u8,
    /// Those behind `len` are 0, so that equality can be derived.
    items: [LabelId; Labels::MAX],
}

impl Labels {
    /// The most that there can be.
    pub const MAX: usize = 32;

    /// The labels in their order, or `None` for none at all or more than 32.
    pub fn new(labels: &[LabelId]) -> Option<Labels> {
        let mut new = Labels { len: labels.len() as u8, items: [LabelId(0); Labels::MAX] };
        new.items.get_mut(..labels.len())?.copy_from_slice(labels);
        if labels.is_empty() { None } else { Some(new) }
    }

    fn check(len: u8) -> Result<(), ErrorKind> {
        let found = usize::from(len);
        if (1..=Labels::MAX).contains(&found) {
            return Ok(());
        }
        Err(ErrorKind::BadCount { found, expected: Expected::Between(1, Labels::MAX) })
    }
}

#[cfg(feature = "serde")]
crate::serial::as_list!(Labels of LabelId, "1 to 32 labels");

impl Default for Labels {
    fn default() -> Self {
        Labels { len: 1, items: [LabelId(0); Labels::MAX] }
    }
}

impl Deref for Labels {
    type Target = [LabelId];

    fn deref(&self) -> &[LabelId] {
        self.items.get(..usize::from(self.len)).unwrap_or_default()
    }
}

impl DerefMut for Labels {
    fn deref_mut(&mut self) -> &mut [LabelId] {
        self.items.get_mut(..usize::from(self.len)).unwrap_or_default()
    }
}

impl SwitchJmp {
    /// The fields in the order of their bytes.
    pub const FIELDS: &'static [FieldSpec] = &[
        FieldSpec::always("exec", "Exec"),
        FieldSpec::always("num_labels", "u8"),
        FieldSpec::always("index", "Scalar"),
        FieldSpec::when("label", "LabelId", "num_labels times"),
    ];

    fn decode_count<T: Trace>(r: &mut Reader<'_, T>) -> Result<u8> {
        let mut len = 0u8;
        r.field("num_labels", &mut len)?;
        let checked = Labels::check(len);
        checked.map_err(|kind| r.error_back(1, kind).within(Place::Field("num_labels")))?;
        Ok(len)
    }
}

operands!(SwitchJmp, |i| [exec, index: Scalar, labels]);

impl Visit for Labels {
    fn visit<V: Visitor + ?Sized>(&self, slot: Slot, visitor: &mut V) {
        self.iter().for_each(|label| label.visit(slot, visitor));
    }

    fn visit_mut<V: VisitorMut + ?Sized>(&mut self, slot: Slot, visitor: &mut V) {
        self.iter_mut().for_each(|label| label.visit_mut(slot, visitor));
    }
}

impl Wire for SwitchJmp {
    fn decode_into<T: Trace>(&mut self, r: &mut Reader<'_, T>) -> Result<()> {
        r.field("exec", &mut self.exec)?;
        let len = Self::decode_count(r)?;
        r.field("index", &mut self.index)?;
        self.labels = Labels { len, ..Labels::default() };
        for label in self.labels.items.iter_mut().take(usize::from(len)) {
            r.field("label", label)?;
        }
        Ok(())
    }

    fn encode(&self, w: &mut Writer) -> Result<()> {
        w.field("exec", &self.exec)?;
        w.u8(self.labels.len);
        w.field("index", &self.index)?;
        self.labels.iter().try_for_each(|label| w.field("label", label))
    }

    fn skip(r: &mut Reader<'_>) -> Result<()> {
        Exec::skip(r)?;
        let len = Self::decode_count(r)?;
        Scalar::skip(r)?;
        r.advance(2 * usize::from(len))
    }
}
