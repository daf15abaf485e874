//! Tests of `genvisa extract` and `genvisa pack`: vISA inside other files.

mod elf;
