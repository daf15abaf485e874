//! Values of options that hold for all arguments or for one.

use std::fmt;
use std::str::FromStr;

/// A value, for all arguments or for one.
#[derive(Clone, Debug)]
pub struct OfArgument<T> {
    /// The name or the index of the argument.
    pub argument: Option<String>,
    pub value: T,
}

impl<T: FromStr> FromStr for OfArgument<T> {
    type Err = T::Err;

    fn from_str(text: &str) -> Result<OfArgument<T>, T::Err> {
        let (argument, value) = match text.rsplit_once('=') {
            Some((argument, value)) => (Some(argument.into()), value),
            None => (None, text),
        };
        Ok(OfArgument { argument, value: value.parse()? })
    }
}

impl<T: fmt::Display> fmt::Display for OfArgument<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.argument {
            Some(argument) => write!(f, "{argument}={}", self.value),
            None => self.value.fmt(f),
        }
    }
}
