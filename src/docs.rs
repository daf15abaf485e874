//! Documents about vISA: the binary format, and the conformance of this crate to the manual.

pub mod format {
    #![doc = include_str!("../docs/format.md")]
}

pub mod conformance {
    #![doc = include_str!("../docs/conformance.md")]
}
