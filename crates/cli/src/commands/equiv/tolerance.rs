//! Values of options that hold for all arguments or for one.

use std::fmt;
use std::str::FromStr;

use anyhow::bail;

use crate::commands::run::arguments::index_of;
use crate::words::printable;

/// A value, for all arguments or for one.
#[derive(Clone, Debug)]
pub struct OfArgument<T> {
    /// The name or the index of the argument.
    pub argument: Option<String>,
    pub value: T,
}

/// Returns the value of an option for all arguments, and those for single ones by their index.
pub fn by_argument<T: Copy>(
    option: &str,
    given: &[OfArgument<T>],
    names: &[&str],
) -> anyhow::Result<(Option<T>, Vec<Option<T>>)> {
    let (mut all, mut own) = (None, vec![None; names.len()]);
    for OfArgument { argument, value } in given {
        let place = match argument {
            None => &mut all,
            Some(name) => &mut own[index_of(name, names)?],
        };
        if place.replace(*value).is_some() {
            bail!(
                "{option} is given twice{}",
                match argument {
                    None => String::new(),
                    Some(name) => format!(" for argument `{}`", printable(name)),
                }
            );
        }
    }
    Ok((all, own))
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
