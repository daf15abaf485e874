//! Rules for general variables and aliases.

use alloc::vec;
use alloc::vec::Vec;

use super::attributes::{self, AttributeOwner};
use super::names::{self, NAME, StringUse};
use crate::format::Format;
use crate::isa::IdClass;
use crate::object::{AliasScope, Align, Body, Variable};
use crate::operand::VarId;
use crate::verify::RequiredAlignment;
use crate::verify::context::{Context, Location, RuleContext, size_of_variable};
use crate::verify::field::Field;
use crate::verify::rule::rules;
use crate::verify::variable_info::{Root, VariableInfo};

/// A variable that is an alias.
pub(super) struct Alias<'b> {
    variable: &'b Variable,
    /// Its index in the table.
    index: usize,
    /// Whether it is part of a cycle of aliases.
    is_cyclic: bool,
}

/// Returns the index of a declared variable in the table.
fn index_of(var: VarId) -> Option<usize> {
    var.0.checked_sub(VarId::FIRST_DECLARED.0).map(|index| index as usize)
}

/// Returns whether a variable is an alias of a declared variable.
fn is_local_alias(variable: &Variable) -> bool {
    variable.alias >= VarId::FIRST_DECLARED && variable.alias_scope == AliasScope::LOCAL
}

rules! { variables for Variable;
    /// A variable has any type except V, VF, UV and BOOL.
    fn ty "var-type" (Refuses, ANY, "4_visa_header, var_info") |v, c| {
        if !v.ty.can_be_declared() {
            c.report(Field::of_declaration("type"), format_args!("a variable cannot have type {}", v.ty));
        }
    }

    /// The number of elements of a variable is 1 to 256 times the size of a register in bytes.
    fn elements "var-elements" (Refuses, ANY, "IGC") |v, c| {
        let most = 256 * c.grf();
        if v.num_elements == 0 || i64::from(v.num_elements) > most {
            c.fail(Field::of_declaration("num_elements"), v.num_elements, format_args!("1 to {most}"));
        }
    }

    /// The alignment of a variable is encoded as 0 to 9.
    fn align "var-align" (RefusedIn2022, ANY, "4_visa_header, var_info") |v, c| {
        if v.align > Align::WORDX64 {
            c.fail(Field::of_declaration("type"), v.align, "an alignment of 0 to 9");
        }
    }

    /// In 4.2, a variable that is smaller than a register of 32 bytes is not aligned to 128 bytes.
    fn align_small "var-align-small" (Crashes, before(PvcSdv), "IGC") |v, c| {
        let is_small = size_of_variable(v) < c.grf() && v.num_elements != 0;
        if c.format() == Format::V4_2 && v.align == Align::WORDX64 && is_small {
            let alignment = c.entry_variable().map(|variable| RequiredAlignment {
                variable,
                align: Align::WORDX32,
            });
            c.fail_alignment(Field::of_declaration("type"), v.align, "an alignment of at most 64 bytes", alignment);
        }
    }

    /// The alias offset of a variable that is not an alias is 0.
    fn offset_zero "var-alias-offset-zero" (Accepts, ANY, "4_visa_header, var_info") |v, c| {
        let is_alias = v.alias != VarId::NULL || v.alias_scope == AliasScope::FILE;
        if !is_alias && v.alias_offset != 0 {
            c.fail(Field::of_declaration("alias_offset"), v.alias_offset, "0 for a variable that is not an alias");
        }
    }

    /// Aliases refer to variables of the routine or of the file.
    fn scope "var-alias-scope" (Accepts, ANY, "IGC") |v, c| {
        if !matches!(v.alias_scope, AliasScope::LOCAL | AliasScope::FILE) {
            c.fail(Field::of_declaration("alias_scope"), v.alias_scope, "local or file");
        }
    }

    /// Of the predefined variables, only %r0, %arg, %retval, V18 and V19 have aliases, in 4.2 also
    /// %null, %sp and %fp.
    fn predefined "var-alias-predefined" (Accepts, ANY, "4_visa_header, General Variables") |v, c| {
        let is_local = v.alias_scope == AliasScope::LOCAL;
        let is_alias = v.is_null || v.alias != VarId::NULL;
        let is_predefined = is_local && is_alias && v.alias < VarId::FIRST_DECLARED;
        let is_of_text = matches!(v.alias.0, 0 | 10 | 11) && c.format() == Format::V4_2;
        if is_predefined && !matches!(v.alias.0, 7..=9 | 18 | 19) && !is_of_text {
            let name = c.name(v.alias);
            c.report(Field::of_declaration("alias"), format_args!("{name} cannot have aliases"));
        }
    }
}

rules! { aliases for Alias<'_>;
    /// The variable of an alias is declared.
    fn index "var-alias-index" (Refuses, ANY, "4_visa_header, var_info") |a, c| {
        if a.variable.alias_scope == AliasScope::FILE {
            if !may_be_declared(a.variable.alias, c) {
                let index = a.variable.alias.0;
                c.report(Field::of_declaration("alias"), format_args!("file-scope variable {index} is not declared"));
            }
        } else if !c.is_declared(a.variable.alias) {
            let name = c.name(a.variable.alias);
            c.report(Field::of_declaration("alias"), format_args!("variable {name} is not declared"));
        }
    }

    /// Aliases do not form cycles.
    fn cycle "var-alias-cycle" (Refuses, ANY, "IGC") |a, c| {
        if a.is_cyclic {
            let name = c.name(a.variable.alias);
            c.report(Field::of_declaration("alias"), format_args!("{name} is itself an alias of this variable"));
        }
    }

    /// The variable of an alias is declared before the alias.
    fn order "var-alias-order" (Refuses, ANY, "IGC") |a, c| {
        let is_later = is_local_alias(a.variable)
            && index_of(a.variable.alias).is_some_and(|of| of >= a.index);
        if is_later && !a.is_cyclic && c.is_declared(a.variable.alias) {
            let name = c.name(a.variable.alias);
            c.report(Field::of_declaration("alias"), format_args!("{name} is declared after its alias"));
        }
    }

    /// An alias begins within the variable whose storage it shares.
    fn bounds "var-alias-bounds" (Refuses, ANY, "IGC") |a, c| {
        let Some((root, offset)) = root(a, c) else { return };
        let size = size_of_variable(root);
        if offset >= size {
            c.fail(Field::of_declaration("alias_offset"), offset, format_args!("an offset of less than {size}"));
        }
    }

    /// An alias ends within the variable whose storage it shares.
    fn end "var-alias-end" (Miscompiles, ANY, "5_operands, General Operands") |a, c| {
        let Some((root, offset)) = root(a, c) else { return };
        let (size, left) = (size_of_variable(a.variable), size_of_variable(root) - offset);
        if left > 0 && size > left {
            c.fail(Field::of_declaration("num_elements"), size, format_args!("at most {left} bytes"));
        }
    }

    /// The alignment of an alias is at most the alignment of the variable whose storage it shares.
    fn align "var-alias-align" (Refuses, ANY, "IGC") |a, c| {
        let Some((root, _)) = root(a, c) else { return };
        let grf = c.cx.registers.bytes();
        let align = VariableInfo::of(root, grf).align();
        let required = VariableInfo::of(a.variable, grf).natural_align();
        // IGC compares the codes, not the alignments that they represent.
        if align < required {
            let expected = alloc::format!("a variable of alignment {required}");
            let alignment = c
                .root_id(id_of(a.index))
                .map(|(variable, _)| RequiredAlignment { variable, align: required });
            c.fail_alignment(Field::of_declaration("alias"), align, expected, alignment);
        }
    }
}

/// Returns whether the file may declare the file-scope variable of an alias. The relocations of the
/// routine contain its index.
fn may_be_declared(alias: VarId, c: &RuleContext<'_, '_>) -> bool {
    let Some(routine) = c.cx.routine else { return true };
    let count = routine.module().file_scope_vars.len();
    let mut relocs = routine.variable_relocs.iter();
    match relocs.find(|reloc| u32::from(reloc.symbolic_index) == alias.0) {
        Some(reloc) => usize::from(reloc.resolved_index) < count,
        None => count > 0,
    }
}

/// Returns the id of the variable at an index of the table.
fn id_of(index: usize) -> VarId {
    VarId(index as u32 + VarId::FIRST_DECLARED.0)
}

/// Returns the variable whose storage an alias shares, and the offset of the alias in it.
fn root<'v>(a: &Alias<'_>, c: &RuleContext<'_, 'v>) -> Option<(&'v Variable, i64)> {
    c.root(id_of(a.index)).filter(|(root, _)| !is_local_alias(root))
}

/// Applies the rules to the table of variables, and collects the facts that rules for operands
/// need.
#[inline(never)]
pub(super) fn check(body: &Body<'_>, cx: &mut Context<'_>) {
    // Two loops, one of them only for aliases, are faster than one.
    let mut suspects = collect(body, cx);
    suspects.extend(resolve_aliases(&body.variables, cx));
    suspects.sort_unstable();
    suspects.dedup();
    let mut cyclic = None;
    for index in suspects {
        let Some(variable) = body.variables.get(index) else { continue };
        let is_cyclic = is_local_alias(variable)
            && index_of(variable.alias).is_some_and(|of| of >= index)
            && cyclic.get_or_insert_with(|| cycles(&body.variables)).get(index) == Some(&true);
        check_variable(variable, index, is_cyclic, body, cx);
    }
}

/// Collects the facts about variables. Returns those that may break a rule other than those for
/// aliases: the fast path skips the others.
#[inline(never)]
fn collect(body: &Body<'_>, cx: &mut Context<'_>) -> Vec<usize> {
    let (grf, fast_path, has_manual_rules) =
        (cx.registers.bytes(), cx.fast_path, cx.has_manual_rules);
    let mut suspects = Vec::new();
    cx.variables.truncate(VarId::FIRST_DECLARED.0 as usize);
    cx.variables.extend(body.variables.iter().enumerate().map(|(index, variable)| {
        let info = VariableInfo::of(variable, grf);
        let is_known = fast_path
            && is_known_legal(variable, info, grf)
            && names::is_known_legal(variable.name, LONGEST_NAME, body, has_manual_rules);
        if !is_known {
            suspects.push(index);
        }
        info
    }));
    suspects
}

/// Collects the roots of variables. Returns the aliases that may break a rule.
#[inline(never)]
fn resolve_aliases(variables: &[Variable], cx: &mut Context<'_>) -> Vec<usize> {
    let infos = cx.variables.get(VarId::FIRST_DECLARED.0 as usize..).unwrap_or_default();
    let mut suspects = Vec::new();
    cx.roots.clear();
    cx.roots.extend((0..variables.len() as u32).map(|index| Root { index, offset: 0 }));
    let roots = cx.roots.as_mut_slice();
    for (index, variable) in variables.iter().enumerate() {
        if variable.alias == VarId::NULL {
            continue;
        }
        let root = root_of(variable, index, roots);
        if let Some(entry) = roots.get_mut(index) {
            *entry = root;
        }
        if !is_known_legal_alias(index, root, infos) {
            suspects.push(index);
        }
    }
    suspects
}

#[inline(never)]
fn check_variable(
    variable: &Variable,
    index: usize,
    is_cyclic: bool,
    body: &Body<'_>,
    cx: &mut Context<'_>,
) {
    cx.location = Location::Entry { table: IdClass::Variable.name(), index };
    names::check(&StringUse { field: NAME, id: variable.name, most: LONGEST_NAME }, cx);
    variables::check(variable, cx);
    if is_local_alias(variable) || variable.alias_scope == AliasScope::FILE {
        aliases::check(&Alias { variable, index, is_cyclic }, cx);
    }
    attributes::check(&variable.attributes, body, AttributeOwner::Entry, cx);
}

/// The maximum length of a variable's name in bytes.
const LONGEST_NAME: usize = 64;

/// Returns whether a variable certainly satisfies every rule for variables, except those for names
/// and aliases.
#[inline(always)]
fn is_known_legal(variable: &Variable, info: VariableInfo, grf: u32) -> bool {
    // Variables of illegal types have no elements here.
    info.num_elements() != 0
        && u32::from(info.num_elements()) <= 256 * grf
        && variable.align < Align::WORDX64
        && variable.alias_scope == AliasScope::LOCAL
        && !variable.is_null
        && (variable.alias != VarId::NULL || variable.alias_offset == 0)
        && variable.attributes.is_empty()
}

/// Returns whether an alias certainly satisfies every rule for aliases.
#[inline(always)]
fn is_known_legal_alias(index: usize, root: Root, infos: &[VariableInfo]) -> bool {
    // A variable that is not an alias of an earlier variable is its own root.
    if root.index as usize == index {
        return false;
    }
    let (Some(alias), Some(of)) = (infos.get(index), infos.get(root.index as usize)) else {
        return false;
    };
    root.offset < of.bytes()
        && of.bytes() - root.offset >= alias.bytes()
        && of.align() >= alias.natural_align()
}

/// Returns the root of a variable, given the roots of earlier variables. An alias of a later
/// variable is its own root.
#[inline(always)]
fn root_of(variable: &Variable, index: usize, roots: &[Root]) -> Root {
    let of = index_of(variable.alias).filter(|of| *of < index && is_local_alias(variable));
    match of.and_then(|of| roots.get(of)) {
        Some(of) => {
            let offset = of.offset.saturating_add(variable.alias_offset.into());
            Root { offset, ..*of }
        }
        None => Root { index: index as u32, offset: 0 },
    }
}

/// Returns for each variable whether it is part of a cycle of aliases. Every chain of aliases is
/// followed up to a variable of an earlier chain.
fn cycles(variables: &[Variable]) -> Vec<bool> {
    let next = |index: usize| {
        let variable = variables.get(index).filter(|variable| is_local_alias(variable))?;
        index_of(variable.alias).filter(|of| *of < variables.len())
    };
    // The chain that reached each variable first, numbered from 1.
    let mut chains = vec![0usize; variables.len()];
    let mut cyclic = vec![false; variables.len()];
    for start in 0..variables.len() {
        let mut current = Some(start);
        while let Some(index) = current {
            match chains.get_mut(index) {
                Some(chain) if *chain == 0 => *chain = start + 1,
                Some(chain) if *chain == start + 1 => break,
                _ => current = None,
            }
            current = current.and_then(next);
        }
        // The chain has returned to this variable: all variables that follow are in the cycle.
        while let Some(index) = current {
            match cyclic.get_mut(index) {
                Some(cyclic) if !*cyclic => *cyclic = true,
                _ => break,
            }
            current = next(index);
        }
    }
    cyclic
}
