//! Documents about vISA: the binary format, the text of version 4.2, what the analysis computes, and the
//! rules of the verifier. [`library`], [`formats`] and [`limits`] are about this crate. These modules exist
//! in the documentation only.
//!
//! The links of the documents name files of the repository. Here, they name items: the first definition
//! of a link counts. If the feature of an item is off, the link leads to the list of features.

pub mod library {
    #![cfg_attr(feature = "analysis", doc = "[`Analysis`]: crate::analysis::Analysis")]
    #![cfg_attr(feature = "analysis", doc = "[analysis]: crate::docs::analysis")]
    #![cfg_attr(feature = "build", doc = "[`Builder`]: crate::build::Builder")]
    #![cfg_attr(feature = "text", doc = "[`FileListing`]: crate::text::FileListing")]
    #![cfg_attr(feature = "text", doc = "[`Listing`]: crate::text::Listing")]
    #![cfg_attr(feature = "text", doc = "[`Instruction::display`]: crate::Instruction::display")]
    #![cfg_attr(feature = "text", doc = "[`text::Document`]: crate::text::Document")]
    #![cfg_attr(feature = "text", doc = "[`text::parse`]: fn@crate::text::parse")]
    #![cfg_attr(
        feature = "text",
        doc = "[`text::parse_instruction`]: crate::text::parse_instruction"
    )]
    #![cfg_attr(feature = "text", doc = "[quirks]: crate::text::Quirk")]
    #![cfg_attr(feature = "verify", doc = "[`Verifier`]: crate::verify::Verifier")]
    #![cfg_attr(feature = "verify", doc = "[verifier]: crate::verify")]
    //! [`Analysis`]: #features
    //! [`Builder`]: #features
    //! [`FileListing`]: #features
    //! [`Listing`]: #features
    //! [`Verifier`]: #features
    //! [`Instruction::display`]: #features
    //! [`text::parse_instruction`]: #features
    //! [`text::Document`]: #features
    //! [`text::parse`]: #features
    //! [analysis]: #features
    //! [quirks]: #features
    //! [verifier]: #features
    //!
    //! [`Boundaries`]: crate::Boundaries
    //! [`Instruction::from_bytes`]: crate::Instruction::from_bytes
    //! [`Instructions`]: crate::Instructions
    //! [`Module::from_bytes`]: crate::Module::from_bytes
    //! [`Module::edit`]: crate::Module::edit
    //! [`Module::from_prefix`]: crate::Module::from_prefix
    //! [`Module`]: crate::Module
    //! [formats]: crate::docs::formats
    //! [limits]: crate::docs::limits
    //! [rules]: crate::docs::rules
    //! [text]: crate::docs::text
    //!
    #![doc = include_str!("../docs/library.md")]
}

pub mod formats {
    #![cfg_attr(feature = "text", doc = "[`text::format_of`]: crate::text::format_of")]
    //! [`text::format_of`]: crate::docs::library#features
    //!
    //! [`Dialect`]: crate::Dialect
    //! [`Format::V4_2`]: crate::Format::V4_2
    //! [`Format`]: crate::Format
    //! [format]: crate::docs::format
    //! [text]: crate::docs::text
    //!
    #![doc = include_str!("../docs/formats.md")]
}

pub mod limits {
    #![cfg_attr(feature = "build", doc = "[`build::Errors`]: crate::build::Errors")]
    #![cfg_attr(feature = "text", doc = "[`text::Errors`]: crate::text::Errors")]
    //! [`build::Errors`]: crate::docs::library#features
    //! [`text::Errors`]: crate::docs::library#features
    //!
    //! [`Error`]: crate::Error
    //!
    #![doc = include_str!("../docs/limits.md")]
}

pub mod format {
    // Conditions in brackets are not links.
    #![allow(rustdoc::broken_intra_doc_links)]
    #![doc = include_str!("../docs/format.md")]
}

pub mod text {
    #![cfg_attr(feature = "text", doc = "[`text::parse`]: fn@crate::text::parse")]
    #![cfg_attr(feature = "text", doc = "[annotation]: crate::text#annotations")]
    #![cfg_attr(feature = "verify", doc = "[`Verifier`]: crate::verify::Verifier")]
    //! [`Verifier`]: crate::docs::library#features
    //! [`text::parse`]: crate::docs::library#features
    //! [annotation]: crate::docs::library#features
    //!
    //! [`Body::efficient_64bit`]: crate::object::Body::efficient_64bit
    //! [`Format::V4_2`]: crate::Format::V4_2
    //! [`Module::to_bytes`]: crate::Module::to_bytes
    //!
    #![doc = include_str!("../docs/text.md")]
}

pub mod rules {
    #![doc = include_str!("../docs/rules.md")]
}

#[cfg(feature = "analysis")]
pub mod analysis {
    #![doc = include_str!("../docs/analysis.md")]
}
