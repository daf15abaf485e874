//! Dispatch of kernels: the payload of their threads, and the buffers that they access.
//!
//! A [`Launch`] prepares a kernel of a [`DeviceBinary`](crate::binary::DeviceBinary) on a machine, as the
//! driver does on a device, and runs all groups of a [`Grid`].

mod argument;
mod element;
mod error;
mod grid;
mod handles;
mod hardware;
mod implicit;
mod launch;
mod local_ids;
mod payload;
mod printf;
mod program;

pub use argument::{Argument, Parameter};
pub use element::element;
pub use error::DispatchError;
pub use grid::Grid;
pub use hardware::ThreadNumbering;
pub use launch::{Launch, Options};
pub use local_ids::LocalIds;
pub use payload::{ArgumentValue, DataBase, Payload, Scratch, Values};
pub use printf::Printed;
