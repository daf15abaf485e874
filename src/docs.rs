//! Documents about vISA: the binary format, the text of version 4.2, what the analysis computes, and
//! the conformance of this crate to the manual.

pub mod format {
    // Conditions in brackets are not links.
    #![allow(rustdoc::broken_intra_doc_links)]
    #![doc = include_str!("../docs/format.md")]
}

pub mod conformance {
    #![doc = include_str!("../docs/conformance.md")]
}

pub mod text {
    #![doc = include_str!("../docs/text.md")]
}

#[cfg(feature = "analysis")]
pub mod analysis {
    #![doc = include_str!("../docs/analysis.md")]
}
