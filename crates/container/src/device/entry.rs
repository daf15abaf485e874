//! Values of `.ze_info` of any kind.

use std::collections::BTreeMap;

use super::node::Yaml;

/// A value of `.ze_info`.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Entry {
    /// `true` or `false`.
    Flag(bool),
    /// An integer.
    Integer(i64),
    /// Anything else that is not a collection.
    Text(String),
    /// A sequence.
    List(Vec<Entry>),
    /// A mapping.
    Members(Members),
}

/// The members of a mapping.
pub type Members = BTreeMap<String, Entry>;

impl Entry {
    pub(super) fn new(yaml: &Yaml) -> Entry {
        match yaml {
            Yaml::Scalar(text, false) if text == "true" => Entry::Flag(true),
            Yaml::Scalar(text, false) if text == "false" => Entry::Flag(false),
            Yaml::Scalar(text, is_quoted) => match text.parse() {
                Ok(number) if !is_quoted => Entry::Integer(number),
                _ => Entry::Text(text.clone()),
            },
            Yaml::Sequence(elements) => Entry::List(elements.iter().map(Entry::new).collect()),
            Yaml::Mapping(entries) => {
                let entries = entries.iter();
                Entry::Members(entries.map(|(key, it)| (key.clone(), Entry::new(it))).collect())
            }
        }
    }

    /// Returns the text.
    pub fn text(&self) -> Option<&str> {
        match self {
            Entry::Text(text) => Some(text),
            _ => None,
        }
    }

    /// Returns the elements of a sequence.
    pub fn list(&self) -> Option<&[Entry]> {
        match self {
            Entry::List(list) => Some(list),
            _ => None,
        }
    }

    /// Returns the members of a mapping.
    pub fn members(&self) -> Option<&Members> {
        match self {
            Entry::Members(members) => Some(members),
            _ => None,
        }
    }

    /// Returns a member of a mapping.
    pub fn get(&self, member: &str) -> Option<&Entry> {
        self.members()?.get(member)
    }
}
