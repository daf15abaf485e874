//! Errors in device binaries.

use thiserror::Error;

/// Why a device binary cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{path}{separator}{message}", separator = if path.is_empty() { "" } else { ": " })]
pub struct BinaryError {
    path: String,
    message: String,
}

impl BinaryError {
    pub(super) fn new(path: impl Into<String>, message: impl Into<String>) -> BinaryError {
        BinaryError { path: path.into(), message: message.into() }
    }

    /// Returns what the error is about, such as `.ze_info: kernels[0].execution_env.simd_size`. Empty for
    /// the file as a whole.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// Returns the message without the path.
    pub fn message(&self) -> &str {
        &self.message
    }
}
