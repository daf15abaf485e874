//! The names of the faithful style.

use alloc::collections::BTreeSet;
use alloc::vec;
use alloc::vec::Vec;

use super::string_index::{Span, StringIndex};
use super::{Spelling, StateName, default_name, id_and_underscores, symbol_number};
use crate::isa::{Id, IdClass};
use crate::object::{Body, SimpleVariable};
use crate::operand::{SamplerId, StringId, SurfaceId, VarId};
use crate::text::words::{Reserved, is_identifier, is_label};

/// Returns whether a name refers to a sampler, a surface or a predefined variable, so that no
/// variable can have it.
fn is_id_or_predefined(name: &[u8]) -> bool {
    match name {
        [b'S' | b'T', digits @ ..] if digits.iter().all(u8::is_ascii_digit) => !digits.is_empty(),
        [b'T', ..] => {
            let mut surfaces = (0..SurfaceId::FIRST_DECLARED.0).map(SurfaceId);
            surfaces.any(|id| id.predefined_name().is_some_and(|word| word.as_bytes() == name))
        }
        [b'V', digits @ ..] if !digits.is_empty() && digits.len() <= 2 => {
            let next =
                |id, byte: &u8| byte.is_ascii_digit().then(|| 10 * id + u32::from(byte - b'0'));
            digits.iter().try_fold(0, next).is_some_and(|id| id < VarId::FIRST_DECLARED.0)
        }
        _ => false,
    }
}

/// The names of the faithful style: strings of the pool if the text can contain them, otherwise
/// default names.
pub(in crate::text) struct UniqueNames<'p, 'b> {
    string_index: &'p mut StringIndex<'b>,
    reserved: &'static Reserved,
    /// Whether a name is in use, by the index of the first equal string.
    used: Vec<bool>,
}

impl<'p, 'b> UniqueNames<'p, 'b> {
    pub(in crate::text) fn new(
        string_index: &'p mut StringIndex<'b>,
        reserved: &'static Reserved,
    ) -> Self {
        let used = vec![false; string_index.strings.len()];
        UniqueNames { string_index, reserved, used }
    }

    /// Marks names as used, and returns those that the text can contain.
    pub(super) fn claim(&mut self, names: impl Iterator<Item = StringId>) -> Vec<Option<Span>> {
        names.map(|name| self.claim_name(name)).collect()
    }

    pub(super) fn claim_name(&mut self, string: StringId) -> Option<Span> {
        let first = self.string_index.first(string)?;
        let span = self.string_index.identifier(string)?;
        let name = self.string_index.text(span);
        let used = self.used.get_mut(first as usize)?;
        // Mark rejected names too: a long name that many variables share is checked once.
        if core::mem::replace(used, true)
            || is_id_or_predefined(name)
            || self.reserved.is_in_igc(name)
        {
            return None;
        }
        Some(span)
    }

    /// Returns the names of the samplers and surfaces. Their symbols differ from the names of variables
    /// and from each other.
    pub(in crate::text) fn states(&mut self, body: &Body<'_>) -> [Vec<StateName>; 2] {
        let samplers = body.samplers.iter().zip(body.ids(IdClass::Sampler));
        let surfaces = body.surfaces.iter().zip(body.ids(IdClass::Surface));
        let states = samplers.chain(surfaces);
        let mut used = BTreeSet::new();
        let symbols: Vec<Option<&str>> = states
            .clone()
            .map(|(state, _)| {
                let symbol = state.symbol.as_deref();
                symbol.filter(|symbol| self.can_be_symbol(symbol, state) && used.insert(*symbol))
            })
            .collect();
        // Symbols such as `T9` must not be the number of another one: the text has all or none.
        let number = |symbol: &str| symbol_number(symbol.as_bytes());
        let has_numbers = symbols.iter().flatten().any(|symbol| number(symbol).is_some());
        let is_number_taken = has_numbers && {
            let predefined = (0..SurfaceId::FIRST_DECLARED.0).map(SurfaceId);
            let mut taken: BTreeSet<Id> = predefined.map(Id::from).collect();
            taken.insert(SamplerId::BINDLESS.into());
            let by_number =
                symbols.iter().zip(states.clone()).filter(|(symbol, _)| symbol.is_none());
            taken.extend(by_number.map(|(_, (_, own))| own));
            symbols
                .iter()
                .flatten()
                .any(|symbol| number(symbol).is_some_and(|n| taken.contains(&n)))
        };
        let names = symbols.into_iter().zip(states).map(|(symbol, (state, _))| {
            let symbol = symbol.filter(|symbol| !is_number_taken || number(symbol).is_none());
            let symbol = symbol.map(|symbol| self.string_index.add(symbol).into());
            let v_name = self.string_index.identifier(state.name).unwrap_or_default().into();
            StateName { symbol, v_name }
        });
        let mut samplers: Vec<StateName> = names.collect();
        let surfaces = samplers.split_off(body.samplers.len());
        [samplers, surfaces]
    }

    /// Returns whether text can call a sampler or surface by a symbol, unless another one has it.
    fn can_be_symbol(&self, symbol: &str, state: &SimpleVariable) -> bool {
        let bytes = symbol.as_bytes();
        // The printer may have to choose this name.
        let is_variable_id = id_and_underscores(bytes).is_some_and(|(id, _)| {
            matches!(id.class, IdClass::Variable | IdClass::Address | IdClass::Predicate)
        });
        let is_free = symbol_number(bytes).is_some()
            || !is_variable_id && !is_id_or_predefined(bytes) && !self.reserved.is_in_igc(bytes);
        // Otherwise, the name for the string pool is in `v_name`.
        let is_name = self.string_index.bytes(state.name) == bytes;
        let has_v_name = self.string_index.identifier(state.name).is_some();
        is_free && is_identifier(bytes) && !self.is_used(bytes) && (is_name || has_v_name)
    }

    /// Marks the name of a label that is not an identifier as used. Returns `None` if the text
    /// cannot contain it.
    pub(super) fn claim_label(&mut self, string: StringId) -> Option<Span> {
        let first = self.string_index.first(string)?;
        let span = self.string_index.unescaped(string)?;
        let name = self.string_index.text(span);
        let used = self.used.get_mut(first as usize)?;
        if !is_label(name) || is_identifier(name) || core::mem::replace(used, true) {
            return None;
        }
        Some(span)
    }

    fn is_used(&self, name: &[u8]) -> bool {
        let first = self.string_index.find(name);
        first.and_then(|first| self.used.get(first as usize)).copied().unwrap_or(false)
    }

    /// Returns the names, with a default name for each `None`.
    pub(super) fn fill(
        &mut self,
        names: Vec<Option<Span>>,
        prefix: char,
        first: u32,
    ) -> Vec<Spelling> {
        let name = |(name, id): (Option<Span>, u32)| {
            let name = name.unwrap_or_else(|| {
                let mut default = default_name(prefix, id);
                while self.is_used(default.bytes()) {
                    default.ch('_');
                }
                self.string_index.add(&default.as_str())
            });
            name.into()
        };
        names.into_iter().zip(first..).map(name).collect()
    }
}
