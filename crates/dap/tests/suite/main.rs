//! The tests of the package.

mod session;
