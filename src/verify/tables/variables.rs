//! Rules for general variables and for those that share the storage of others.

use alloc::vec;
use alloc::vec::Vec;

use super::attributes::{self, Holder};
use super::names::{self, StringUse};
use crate::object::{AliasScope, Align, Body, Variable};
use crate::operand::{DataType, VarId};
use crate::verify::context::{Context, Location, RuleContext, size_of_variable};
use crate::verify::rule::rules;
use crate::verify::variable_info::{Root, VariableInfo};

/// An alias, and what it is one of.
pub(super) struct Alias<'b> {
    variable: &'b Variable,
    /// Where it stands in the table.
    index: usize,
    /// Whether it is, by way of others, an alias of itself.
    is_cyclic: bool,
}

/// The position of a declared variable in the table.
fn position(var: VarId) -> Option<usize> {
    var.0.checked_sub(VarId::FIRST_DECLARED.0).map(|index| index as usize)
}

/// Whether two variables share storage of the routine's own.
fn is_local(variable: &Variable) -> bool {
    variable.alias >= VarId::FIRST_DECLARED && variable.alias_scope == AliasScope::LOCAL
}

rules! { variables for Variable;
    /// A variable has any type but V, VF, UV and BOOL.
    fn ty "var-type" (Error, ANY, "4_visa_header, var_info") |v, c| {
        use DataType as T;
        if matches!(v.ty, T::V | T::VF | T::UV | T::BOOL) {
            c.fail("type", v.ty, "a type that a variable can have");
        }
    }

    /// A variable has at least one element and at most 256 for each byte of a register.
    fn elements "var-elements" (Error, ANY, "reference") |v, c| {
        let most = 256 * c.grf();
        if v.num_elements == 0 || i64::from(v.num_elements) > most {
            c.fail("num_elements", v.num_elements, format_args!("1 to {most}"));
        }
    }

    /// An alignment is one of the ten that have a meaning.
    fn align "var-align" (Error, ANY, "4_visa_header, var_info") |v, c| {
        if v.align > Align::WORDX64 {
            c.fail("type", format_args!("alignment {}", v.align), "0 to 9");
        }
    }

    /// A variable that is no alias has no offset.
    fn offset_zero "var-alias-offset-zero" (Error, ANY, "4_visa_header, var_info") |v, c| {
        if v.alias == VarId::NULL && v.alias_offset != 0 {
            c.fail("alias_offset", v.alias_offset, "0, for it is no alias");
        }
    }

    /// Variables share the storage of the routine's own, not of the file's.
    fn scope "var-alias-scope" (Error, ANY, "reference") |v, c| {
        if v.alias_scope != AliasScope::LOCAL {
            c.fail("alias_scope", v.alias_scope, AliasScope::LOCAL);
        }
    }

    /// Of the predefined variables only %r0, %arg, %retval, V18 and V19 have aliases.
    fn predefined "var-alias-predefined" (Error, ANY, "4_visa_header, General Variables") |v, c| {
        let is_predefined = v.alias != VarId::NULL && v.alias < VarId::FIRST_DECLARED;
        if is_predefined && !matches!(v.alias.0, 7..=9 | 18 | 19) {
            c.fail("alias", v.alias, "a variable that can have aliases");
        }
    }
}

rules! { aliases for Alias<'_>;
    /// An alias is one of a variable that is declared.
    fn index "var-alias-index" (Error, ANY, "4_visa_header, var_info") |a, c| {
        if c.variable(a.variable.alias).is_none() {
            c.fail("alias", a.variable.alias, "a variable that is declared");
        }
    }

    /// An alias is not, by way of others, one of itself.
    fn cycle "var-alias-cycle" (Error, ANY, "reference") |a, c| {
        if a.is_cyclic {
            c.fail("alias", format_args!("{}, an alias of itself", a.variable.alias), "of another");
        }
    }

    /// An alias is one of an earlier variable.
    fn order "var-alias-order" (Error, ANY, "reference") |a, c| {
        let is_later = position(a.variable.alias).is_some_and(|of| of >= a.index);
        if is_later && !a.is_cyclic && c.variable(a.variable.alias).is_some() {
            c.fail("alias", a.variable.alias, "an earlier variable");
        }
    }

    /// An alias begins within the variable whose storage it shares.
    fn bounds "var-alias-bounds" (Error, ANY, "reference") |a, c| {
        let Some((root, offset)) = root(a, c) else { return };
        let size = size_of_variable(root);
        if offset >= size {
            c.fail("alias_offset", format_args!("byte {offset}"), format_args!("one of {size}"));
        }
    }

    /// The variable whose storage an alias shares is aligned at least as the alias must be.
    fn align "var-alias-align" (Error, ANY, "reference") |a, c| {
        let Some((root, _)) = root(a, c) else { return };
        let grf = c.cx.grf;
        let (has, wants) = (VariableInfo::of(root).align(grf), VariableInfo::of(a.variable).natural_align(grf));
        // The reference compares the codes, whatever they stand for.
        if has < wants {
            c.fail("alias", format_args!("of alignment {has}"), wants);
        }
    }
}

/// The variable whose storage an alias shares, and where it begins there.
fn root<'v>(a: &Alias<'_>, c: &RuleContext<'_, 'v>) -> Option<(&'v Variable, i64)> {
    c.root(VarId(a.index as u32 + VarId::FIRST_DECLARED.0)).filter(|(root, _)| !is_local(root))
}

/// Applies the rules to the table of variables, and notes what operands must know of each.
#[inline(never)]
pub(super) fn check(body: &Body<'_>, cx: &mut Context<'_>) {
    let most = 256 * cx.grf;
    let mut cyclic = None;
    cx.variables.truncate(VarId::FIRST_DECLARED.0 as usize);
    cx.variables.reserve(body.variables.len());
    cx.roots.clear();
    cx.roots.reserve(body.variables.len());
    for (index, variable) in body.variables.iter().enumerate() {
        let info = VariableInfo::of(variable);
        let root = root_of(variable, index, &cx.roots);
        cx.variables.push(info);
        cx.roots.push(root);
        // Fast path: skip variables that provably satisfy every rule.
        if cx.fast_path
            && is_provably_legal(variable, body, most)
            && (variable.alias == VarId::NULL || is_provably_legal_alias(info, index, root, cx))
        {
            continue;
        }
        let is_cyclic = is_local(variable)
            && position(variable.alias).is_some_and(|of| of >= index)
            && cyclic.get_or_insert_with(|| cycles(&body.variables)).get(index) == Some(&true);
        check_closely(variable, index, is_cyclic, body, cx);
    }
}

#[inline(never)]
fn check_closely(
    variable: &Variable,
    index: usize,
    is_cyclic: bool,
    body: &Body<'_>,
    cx: &mut Context<'_>,
) {
    cx.location = Location::Entry { table: "variable", index };
    names::check(&StringUse { field: "name", id: variable.name, most: LONGEST_NAME }, cx);
    variables::check(variable, cx);
    if is_local(variable) {
        aliases::check(&Alias { variable, index, is_cyclic }, cx);
    }
    attributes::check(&variable.attributes, body, Holder::Entry, cx);
}

/// The most bytes of a variable's name.
const LONGEST_NAME: usize = 64;

/// Whether a variable satisfies every rule. `false` if that is not certain.
#[inline(always)]
fn is_provably_legal(variable: &Variable, body: &Body<'_>, most: u32) -> bool {
    use DataType as T;
    let name = body.strings.get(variable.name.0 as usize);
    (variable.alias == VarId::NULL && variable.alias_offset == 0 || is_local(variable))
        && variable.alias_scope == AliasScope::LOCAL
        && variable.attributes.is_empty()
        && variable.align <= Align::WORDX64
        && variable.num_elements != 0
        && variable.num_elements <= most
        && !matches!(variable.ty, T::V | T::VF | T::UV | T::BOOL)
        && name.is_some_and(|name| name.len() <= LONGEST_NAME)
}

/// The same for the variable whose info an alias shares.
#[inline(always)]
fn is_provably_legal_alias(info: VariableInfo, index: usize, root: Root, cx: &Context<'_>) -> bool {
    let of = cx.variables.get(VarId::FIRST_DECLARED.0 as usize + root.index as usize);
    // The root of what is no alias of an earlier variable is itself.
    root.index as usize != index
        && of.is_some_and(|of| {
            root.offset < of.bytes() && of.align(cx.grf) >= info.natural_align(cx.grf)
        })
}

/// The root of a variable by those of the earlier ones. An alias that is not one of an earlier
/// variable counts as its own.
#[inline(always)]
fn root_of(variable: &Variable, index: usize, earlier: &[Root]) -> Root {
    let of = position(variable.alias).filter(|_| is_local(variable));
    match of.and_then(|of| earlier.get(of)) {
        Some(of) => {
            let offset = of.offset.saturating_add(variable.alias_offset.into());
            Root { offset, ..*of }
        }
        None => Root { index: index as u32, offset: 0 },
    }
}

/// Which variables are aliases of themselves. Every chain is followed up to where an earlier one
/// came by.
fn cycles(variables: &[Variable]) -> Vec<bool> {
    let next = |index: usize| {
        let variable = variables.get(index).filter(|variable| is_local(variable))?;
        position(variable.alias).filter(|of| *of < variables.len())
    };
    let mut seen = vec![0usize; variables.len()];
    let mut cyclic = vec![false; variables.len()];
    for start in 0..variables.len() {
        let mut at = Some(start);
        // Chains are numbered from 1.
        while let Some(index) = at {
            match seen.get_mut(index) {
                Some(chain) if *chain == 0 => *chain = start + 1,
                Some(chain) if *chain == start + 1 => break,
                _ => at = None,
            }
            at = at.and_then(next);
        }
        // The chain came by here again: all that follow are in the cycle.
        while let Some(index) = at {
            match cyclic.get_mut(index) {
                Some(cyclic) if !*cyclic => *cyclic = true,
                _ => break,
            }
            at = next(index);
        }
    }
    cyclic
}
