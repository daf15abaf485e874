//! Entries of `.ze_info`, each with its path for errors.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use saphyr_parser::{Event, Parser, ScalarStyle};

use super::error::BinaryError;

/// The maximum nesting: the destructor of the tree recurses.
const MAX_DEPTH: usize = 64;

/// A YAML document, as far as `.ze_info` uses YAML.
#[derive(Debug)]
pub enum Yaml {
    /// A scalar, and whether it is a text in quotes.
    Scalar(String, bool),
    Sequence(Vec<Yaml>),
    Mapping(BTreeMap<String, Yaml>),
}

/// An entry, with its path.
pub struct Node<'y> {
    yaml: &'y Yaml,
    path: String,
}

/// Parses a text with one document.
pub fn parse(text: &str) -> Result<Yaml, BinaryError> {
    let error = |message: String| BinaryError::new(SECTION, message);
    // The sequences and mappings that have not ended, each with the key whose value is next.
    let mut open: Vec<(Yaml, Option<String>)> = Vec::new();
    let mut document = None;
    for event in Parser::new_from_str(text) {
        let (event, span) = event.map_err(|problem| error(problem.to_string()))?;
        let line = span.start.line();
        let complete = match event {
            Event::Scalar(text, style, ..) => {
                Yaml::Scalar(text.into_owned(), style != ScalarStyle::Plain)
            }
            Event::SequenceStart(..) | Event::MappingStart(..) if open.len() == MAX_DEPTH => {
                return Err(error(format!("line {line} is nested too deeply")));
            }
            Event::SequenceStart(..) => {
                open.push((Yaml::Sequence(Vec::new()), None));
                continue;
            }
            Event::MappingStart(..) => {
                open.push((Yaml::Mapping(BTreeMap::new()), None));
                continue;
            }
            Event::SequenceEnd | Event::MappingEnd => match open.pop() {
                Some((yaml, _)) => yaml,
                None => continue,
            },
            Event::DocumentStart(_) if document.is_some() => {
                return Err(error(format!("line {line}: another document begins")));
            }
            Event::Alias(_) => return Err(error(format!("line {line}: aliases are not read"))),
            _ => continue,
        };
        match (open.last_mut(), complete) {
            (None, complete) => document = Some(complete),
            (Some((Yaml::Sequence(elements), _)), element) => elements.push(element),
            (Some((Yaml::Mapping(entries), key)), element) => match (key.take(), element) {
                (Some(key), value) => match entries.entry(key) {
                    Entry::Vacant(entry) => {
                        entry.insert(value);
                    }
                    Entry::Occupied(entry) => {
                        let key = entry.key();
                        return Err(error(format!("line {line}: `{key}` occurs twice")));
                    }
                },
                (None, Yaml::Scalar(name, _)) => *key = Some(name),
                (None, _) => return Err(error(format!("line {line}: the key is not a text"))),
            },
            // A scalar is never open.
            (Some((Yaml::Scalar(..), _)), _) => {}
        }
    }
    document.ok_or_else(|| error("is empty".into()))
}

/// The name of the section.
pub const SECTION: &str = ".ze_info";

impl<'y> Node<'y> {
    /// Returns the document.
    pub fn root(yaml: &'y Yaml) -> Node<'y> {
        Node { yaml, path: String::new() }
    }

    /// Returns an error about the entry.
    pub fn error(&self, message: impl Into<String>) -> BinaryError {
        BinaryError::new(format!("{SECTION}: {}", self.path), message)
    }

    /// Returns the entry with a key; `None` if there is none.
    pub fn get(&self, key: &str) -> Result<Option<Node<'y>>, BinaryError> {
        let Yaml::Mapping(entries) = self.yaml else {
            return Err(self.error("expected a mapping"));
        };
        let path =
            if self.path.is_empty() { key.to_owned() } else { format!("{}.{key}", self.path) };
        Ok(entries.get(key).map(|yaml| Node { yaml, path }))
    }

    /// Returns the entry with a key.
    pub fn require(&self, key: &str) -> Result<Node<'y>, BinaryError> {
        self.get(key)?.ok_or_else(|| self.error(format!("has no `{key}`")))
    }

    /// Returns the elements of the sequence with a key; none if there is no such entry.
    pub fn list(&self, key: &str) -> Result<Vec<Node<'y>>, BinaryError> {
        self.get(key)?.map_or(Ok(Vec::new()), |node| node.elements())
    }

    fn elements(&self) -> Result<Vec<Node<'y>>, BinaryError> {
        let Yaml::Sequence(elements) = self.yaml else {
            return Err(self.error("expected a sequence"));
        };
        let element = |(index, yaml)| Node { yaml, path: format!("{}[{index}]", self.path) };
        Ok(elements.iter().enumerate().map(element).collect())
    }

    /// Returns the text.
    pub fn text(&self) -> Result<&'y str, BinaryError> {
        match self.yaml {
            Yaml::Scalar(text, _) => Ok(text),
            _ => Err(self.error("expected a text")),
        }
    }

    /// Returns a scalar without quotes.
    fn plain(&self) -> Option<&'y str> {
        match self.yaml {
            Yaml::Scalar(text, false) => Some(text),
            _ => None,
        }
    }

    /// Returns the number.
    pub fn number<T: TryFrom<i64>>(&self) -> Result<T, BinaryError> {
        let number = self.plain().and_then(|text| match text.strip_prefix("0x") {
            Some(digits) => i64::from_str_radix(digits, 16).ok(),
            None => text.parse::<i64>().ok(),
        });
        let number = number.ok_or_else(|| self.error("expected an integer"))?;
        number.try_into().map_err(|_| self.error(format!("{number} is out of range")))
    }

    /// Returns the number with a key; `None` if there is none.
    pub fn optional<T: TryFrom<i64>>(&self, key: &str) -> Result<Option<T>, BinaryError> {
        self.get(key)?.map(|node| node.number()).transpose()
    }

    /// Returns the truth value with a key; `false` if there is none.
    pub fn flag(&self, key: &str) -> Result<bool, BinaryError> {
        let Some(node) = self.get(key)? else { return Ok(false) };
        match node.plain() {
            Some("true") => Ok(true),
            Some("false") => Ok(false),
            _ => Err(node.error("expected true or false")),
        }
    }

    /// Returns the three numbers with a key; `None` if there is no such entry.
    pub fn three<T: TryFrom<i64>>(&self, key: &str) -> Result<Option<[T; 3]>, BinaryError> {
        let Some(node) = self.get(key)? else { return Ok(None) };
        match &node.elements()?[..] {
            [x, y, z] => Ok(Some([x.number()?, y.number()?, z.number()?])),
            _ => Err(node.error("expected three numbers")),
        }
    }
}
