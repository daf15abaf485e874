//! The types of the elements of arguments.

use genvisa::operand::DataType;
use genvisa_interp::dispatch::{Argument, element};

/// The types of the elements of arguments.
pub(crate) struct Elements(Vec<Option<DataType>>);

impl Elements {
    /// Returns the types that the source states, if it states them: the name of a type that the source defines says
    /// nothing.
    pub(crate) fn stated(types: &[&str]) -> Elements {
        Elements(types.iter().map(|name| element(name).map(|(ty, _)| ty)).collect())
    }

    /// Adds the type that instructions access the elements of an argument with, unless there is a type.
    pub(crate) fn observe(&mut self, argument: usize, ty: impl FnOnce() -> Option<DataType>) {
        if let Some(known @ None) = self.0.get_mut(argument) {
            *known = ty();
        }
    }

    /// Returns the type, if it is known.
    pub(crate) fn get(&self, argument: usize) -> Option<DataType> {
        self.0.get(argument).copied().flatten()
    }

    /// Returns the type of the elements of a value.
    pub(crate) fn of(&self, argument: usize, value: &Argument) -> DataType {
        match value {
            Argument::Image { format, .. } => format.channel_type(),
            _ => self.get(argument).unwrap_or(DataType::UD),
        }
    }
}
