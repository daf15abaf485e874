//! Lowering of the declarations of variables, samplers and surfaces.

use alloc::collections::BTreeMap;
use alloc::format;
use alloc::vec::Vec;

use super::pool::Pool;
use crate::object::{AliasScope, Align, Body, SimpleVariable};
use crate::operand::VarId;
use crate::text::context::Parser;
use crate::text::cursor::Parsed;
use crate::text::diagnostic::cut;
use crate::text::statements::{AliasTarget, Annotations, Declared, ParsedRoutine, Spanned};

impl<'t> Parser<'t> {
    pub(super) fn lower_variables(
        &mut self,
        routine: &mut ParsedRoutine<'t>,
        pool: &mut Pool,
        body: &mut Body<'static>,
    ) -> Parsed<()> {
        let first = VarId::FIRST_DECLARED.0;
        let mut ids: Option<BTreeMap<&str, u32>> = None;
        let symbols: Vec<&'t str> = routine.variables.iter().map(|v| v.symbol).collect();
        let mut failed = Ok(());
        body.variables.reserve_exact(routine.variables.len());
        let none = Annotations::default();
        for declared in &mut routine.variables {
            let annotations = declared.annotations.take();
            let annotations = annotations.as_deref().unwrap_or(&none);
            let mut variable = core::mem::take(&mut declared.entry);
            let (text, note) = (declared.name.map(str::as_bytes), annotations.name.as_ref());
            variable.name = self.name(pool, text, note, Some('V'), routine.unnamed);
            let texts = &mut declared.attributes;
            self.lower_attributes(pool, texts, annotations, &mut variable.attributes);
            if let Some(Spanned { value, span }) = &annotations.align {
                if variable.align == Align::BYTE {
                    variable.align = *value;
                } else {
                    self.warn(span, "`align` is ignored: the declaration has an alignment".into());
                }
            }
            let has_alias = variable.is_null || variable.alias != VarId::NULL;
            let scope = annotations.scope.as_ref().map_or(AliasScope::LOCAL, |scope| scope.value);
            match (&annotations.alias, &annotations.scope) {
                (Some(Spanned { span, .. }), _) | (_, Some(Spanned { span, .. })) if has_alias => {
                    self.warn(span, "this alias is ignored: the declaration has an alias".into());
                }
                (Some(Spanned { value: (target, offset), span }), _) => {
                    variable.alias_scope = scope;
                    variable.alias_offset = *offset;
                    let id = match *target {
                        AliasTarget::Name(name) if scope == AliasScope::LOCAL => {
                            let ids = ids.get_or_insert_with(|| {
                                symbols.iter().copied().zip(first..).collect()
                            });
                            ids.get(name).copied().ok_or_else(|| {
                                format!("`{}` is not a variable of this routine", cut(name))
                            })
                        }
                        AliasTarget::Name(_) => {
                            Err("expected `#` and an id for an alias in another scope".into())
                        }
                        // An id without a variable must not refer to a variable that is added
                        // later.
                        AliasTarget::Id(id)
                            if scope == AliasScope::LOCAL
                                && (first..first + symbols.len() as u32).contains(&id) =>
                        {
                            Err(format!("variable {id} is declared: use its name"))
                        }
                        AliasTarget::Id(id) => Ok(id),
                    };
                    match id {
                        Ok(id) => variable.alias = VarId(id),
                        Err(message) => failed = Err(self.c.fail(span.clone(), &message)),
                    }
                }
                (None, Some(_)) => variable.alias_scope = scope,
                (None, None) => {}
            }
            body.variables.push(variable);
        }
        failed
    }

    /// Lowers the declarations of a class other than general variables. Default names begin with
    /// the prefix; if the routine is unnamed, their string is empty.
    pub(super) fn lower_simple_variables(
        &mut self,
        table: &mut [Declared<'t, SimpleVariable>],
        prefix: Option<char>,
        unnamed: bool,
        pool: &mut Pool,
    ) -> Vec<SimpleVariable> {
        let none = Annotations::default();
        let mut variables = Vec::with_capacity(table.len());
        for declared in table {
            let annotations = declared.annotations.take();
            let annotations = annotations.as_deref().unwrap_or(&none);
            let (text, note) = (declared.name.map(str::as_bytes), annotations.name.as_ref());
            let name = self.name(pool, text, note, prefix, unnamed);
            let mut attributes = Vec::new();
            let texts = &mut declared.attributes;
            self.lower_attributes(pool, texts, annotations, &mut attributes);
            let entry = core::mem::take(&mut declared.entry);
            variables.push(SimpleVariable { name, attributes, ..entry });
        }
        variables
    }
}
