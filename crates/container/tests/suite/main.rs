//! Tests of the package. The tests of `genvisa extract` and `genvisa pack` search files of all kinds.

mod archive;
mod array;
mod device;
mod odd;
mod overview;
