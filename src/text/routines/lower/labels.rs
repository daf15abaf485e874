//! Lowering of labels, which assigns their ids.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;
use alloc::{format, vec};

use super::pool::Pool;
use crate::object::{Body, LabelInfo, LabelKind};
use crate::operand::LabelId;
use crate::text::context::Parser;
use crate::text::diagnostic::cut;
use crate::text::statements::{Annotations, LabelAnnotations, ParsedRoutine, Spanned};

impl<'t> Parser<'t> {
    /// Assigns the ids of labels: first to those in `//@ labels`, in its order, then to the others
    /// in the order of their first use. Returns the id of each label in the order of first use,
    /// `None` for a label that is not in the table.
    pub(super) fn lower_labels(
        &mut self,
        routine: &mut ParsedRoutine<'t>,
        pool: &mut Pool,
        body: &mut Body<'static>,
    ) -> Vec<Option<LabelId>> {
        let mut described: BTreeMap<&str, LabelAnnotations<'t>> = BTreeMap::new();
        for label in core::mem::take(&mut routine.labels) {
            if label.annotations.is_undefined {
                // It fails only if there are too many labels, which has been reported.
                let _ = self.symbols.label(label.name, label.span.clone());
            }
            let (name, span) = (label.name, label.span.clone());
            if described.insert(name, label).is_some() {
                self.c.report(span, "this label is annotated more than once");
            }
        }
        let labels = core::mem::take(&mut self.symbols.labels);
        let by_name: BTreeMap<&str, usize> =
            labels.iter().zip(0..).map(|(label, index)| (label.name, index)).collect();
        let mut ids: Vec<Option<LabelId>> = vec![None; labels.len()];
        let mut order: Vec<usize> = Vec::with_capacity(labels.len());
        for (name, span) in core::mem::take(&mut routine.label_order) {
            match by_name.get(name) {
                Some(index) if ids[*index].is_none() && !labels[*index].is_tentative => {
                    ids[*index] = Some(LabelId(order.len() as u16));
                    order.push(*index);
                }
                Some(index) if ids[*index].is_some() => {
                    self.c.report(span, "this label is listed more than once");
                }
                _ => {
                    self.warn(&span, format!("`{}` is ignored: there is no such label", cut(name)))
                }
            }
        }
        let is_new = |(index, id): &(usize, &mut Option<LabelId>)| {
            id.is_none() && !labels[*index].is_tentative
        };
        for (index, id) in ids.iter_mut().enumerate().filter(is_new) {
            *id = Some(LabelId(order.len() as u16));
            order.push(index);
        }
        for index in order {
            let label = &labels[index];
            let described = described.remove(label.name);
            let (span, mut annotations) = match described {
                Some(LabelAnnotations { span, annotations, .. }) => (span, annotations),
                None => (label.span.clone(), Annotations::default()),
            };
            if annotations.is_undefined && label.defined {
                self.warn(
                    &span,
                    format!("`undefined` is ignored: the label `{}` is defined", cut(label.name)),
                );
            } else if !(label.defined || annotations.is_undefined || label.kind == LabelKind::FC) {
                let message = format!("label `{}` is used but never defined", cut(label.name));
                self.c.report(label.span.clone(), &message);
            }
            let kind = match &annotations.kind {
                Some(Spanned { value: (from, to), .. }) if *from == label.kind => *to,
                Some(Spanned { span, .. }) => {
                    let name = cut(label.name);
                    let message = format!("`kind` is ignored: the kind of `{name}` has changed");
                    self.warn(span, message);
                    label.kind
                }
                None => label.kind,
            };
            let (text, note) = (Some(label.name.as_bytes()), annotations.name.as_ref());
            let name = self.name(pool, text, note, Some('L'), false);
            let (mut attributes, mut texts) = (Vec::new(), core::mem::take(&mut annotations.attrs));
            self.lower_attributes(pool, &mut texts, &annotations, &mut attributes);
            body.labels.push(LabelInfo { name, kind, attributes });
            routine.label_names.push(label.name);
        }
        for label in described.into_values() {
            let message = format!("`{}` is ignored: there is no such label", cut(label.name));
            self.warn(&label.span, message);
        }
        ids
    }
}
