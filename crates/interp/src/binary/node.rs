//! Entries of `.ze_info`, each with its path for errors.

use saphyr::{LoadableYamlNode, Yaml};

use super::error::BinaryError;

/// The number of blanks and markers at the start of a line up to which nesting is read. The parser and the
/// destructor of its tree recurse.
const MAX_INDENT: usize = 64;

/// An entry, with its path.
pub struct Node<'y> {
    yaml: &'y Yaml<'y>,
    path: String,
}

/// Parses the document.
pub fn parse(text: &str) -> Result<Yaml<'_>, BinaryError> {
    let indent =
        |line: &str| line.len() - line.trim_start_matches([' ', '\t', '-', '?', ':']).len();
    if let Some(line) = text.lines().position(|line| indent(line) > MAX_INDENT) {
        return Err(BinaryError::new(SECTION, format!("line {} is nested too deeply", line + 1)));
    }
    let documents =
        Yaml::load_from_str(text).map_err(|error| BinaryError::new(SECTION, error.to_string()))?;
    documents.into_iter().next().ok_or_else(|| BinaryError::new(SECTION, "is empty"))
}

/// The name of the section.
pub const SECTION: &str = ".ze_info";

impl<'y> Node<'y> {
    /// Returns the document.
    pub fn root(yaml: &'y Yaml<'y>) -> Node<'y> {
        Node { yaml, path: String::new() }
    }

    /// Returns an error about the entry.
    pub fn error(&self, message: impl Into<String>) -> BinaryError {
        BinaryError::new(format!("{SECTION}: {}", self.path), message)
    }

    /// Returns the entry with a key; `None` if there is none.
    pub fn get(&self, key: &str) -> Result<Option<Node<'y>>, BinaryError> {
        if !self.yaml.is_mapping() {
            return Err(self.error("expected a mapping"));
        }
        let path =
            if self.path.is_empty() { key.to_owned() } else { format!("{}.{key}", self.path) };
        Ok(self.yaml.as_mapping_get(key).map(|yaml| Node { yaml, path }))
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
        let elements = self.yaml.as_sequence().ok_or_else(|| self.error("expected a sequence"))?;
        let element = |(index, yaml)| Node { yaml, path: format!("{}[{index}]", self.path) };
        Ok(elements.iter().enumerate().map(element).collect())
    }

    /// Returns the text.
    pub fn text(&self) -> Result<&'y str, BinaryError> {
        self.yaml.as_str().ok_or_else(|| self.error("expected a text"))
    }

    /// Returns the number.
    pub fn number<T: TryFrom<i64>>(&self) -> Result<T, BinaryError> {
        let number = self.yaml.as_integer().ok_or_else(|| self.error("expected an integer"))?;
        number.try_into().map_err(|_| self.error(format!("{number} is out of range")))
    }

    /// Returns the number with a key; `None` if there is none.
    pub fn optional<T: TryFrom<i64>>(&self, key: &str) -> Result<Option<T>, BinaryError> {
        self.get(key)?.map(|node| node.number()).transpose()
    }

    /// Returns the truth value with a key; `false` if there is none.
    pub fn flag(&self, key: &str) -> Result<bool, BinaryError> {
        let Some(node) = self.get(key)? else { return Ok(false) };
        node.yaml.as_bool().ok_or_else(|| node.error("expected true or false"))
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
