//! Documents about vISA: the binary format, the text of version 4.2, what the analysis computes, the
//! rules of the verifier, and the conformance of this crate to the manual. [`library`], [`formats`] and
//! [`limits`] are about this crate.
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
    //! [conformance]: crate::docs::conformance
    //! [formats]: crate::docs::formats
    //! [limits]: crate::docs::limits
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

pub mod manual_coverage {
    //! [conformance]: crate::docs::conformance
    //! [rules]: crate::docs::rules
    //!
    #![doc = include_str!("../docs/manual-coverage.md")]
}

pub mod rules {
    #![doc = include_str!("../docs/rules.md")]
}

#[cfg(feature = "analysis")]
pub mod analysis {
    #![doc = include_str!("../docs/analysis.md")]
}

pub mod conformance {
    #![cfg_attr(feature = "text", doc = "[`text`]: crate::text")]
    #![cfg_attr(feature = "verify", doc = "[verifier]: crate::verify")]
    //! [`text`]: crate::docs::library#features
    //! [coverage]: crate::docs::manual_coverage
    //! [verifier]: crate::docs::library#features
    //!
    //! [`Aoffimmi`]: crate::operand::Aoffimmi
    //! [`ChannelMask`]: crate::operand::ChannelMask
    //! [`ErrorKind::BadCount`]: crate::ErrorKind::BadCount
    //! [`ErrorKind::ReservedBits`]: crate::ErrorKind::ReservedBits
    //! [`ErrorKind::UnknownSubOpcode`]: crate::ErrorKind::UnknownSubOpcode
    //! [`Exec`]: crate::operand::Exec
    //! [`ExecMask`]: crate::operand::ExecMask
    //! [`ExecSize`]: crate::operand::ExecSize
    //! [`Gather4Typed::FIELDS`]: crate::isa::Gather4Typed
    //! [`Info`]: crate::isa::Info
    //! [`Info::FIELDS`]: crate::isa::Info
    //! [`Info::dst`]: crate::isa::Info::dst
    //! [`InfoOp`]: crate::isa::InfoOp
    //! [`InfoOp::ResInfo`]: crate::isa::InfoOp::ResInfo
    //! [`Info::lod`]: crate::isa::Info::lod
    //! [`Instruction::Gather4Typed`]: crate::Instruction::Gather4Typed
    //! [`Instruction::Info`]: crate::Instruction::Info
    //! [`Instruction::MediaLd`]: crate::Instruction::MediaLd
    //! [`Instruction::RtWrite`]: crate::Instruction::RtWrite
    //! [`Instruction::Sample3d`]: crate::Instruction::Sample3d
    //! [`MediaLd::FIELDS`]: crate::isa::MediaLd
    //! [`MediaLd::dst`]: crate::isa::MediaLd::dst
    //! [`MediaModifier`]: crate::operand::MediaModifier
    //! [`Params`]: crate::isa::Params
    //! [`Params::MAX`]: crate::isa::Params::MAX
    //! [`Pred`]: crate::operand::Pred
    //! [`RawDst`]: crate::operand::RawDst
    //! [`RtWrite`]: crate::isa::RtWrite
    //! [`RtWrite::FIELDS`]: crate::isa::RtWrite
    //! [`RtWrite::cps_counter`]: crate::isa::RtWrite::cps_counter
    //! [`RtWrite::depth`]: crate::isa::RtWrite::depth
    //! [`RtWrite::header`]: crate::isa::RtWrite::header
    //! [`RtWrite::omask`]: crate::isa::RtWrite::omask
    //! [`RtWrite::rt_index`]: crate::isa::RtWrite::rt_index
    //! [`RtWrite::s0a`]: crate::isa::RtWrite::s0a
    //! [`RtWrite::sample_index`]: crate::isa::RtWrite::sample_index
    //! [`RtWrite::stencil`]: crate::isa::RtWrite::stencil
    //! [`RtWriteFlags::CM`]: crate::isa::RtWriteFlags::CM
    //! [`RtWriteFlags::LRTW`]: crate::isa::RtWriteFlags::LRTW
    //! [`RtWriteFlags::NULL_RT`]: crate::isa::RtWriteFlags::NULL_RT
    //! [`RtWriteFlags::PS`]: crate::isa::RtWriteFlags::PS
    //! [`RtWriteMode`]: crate::isa::RtWriteMode
    //! [`RtWriteMode::num_params`]: crate::isa::RtWriteMode::num_params
    //! [`Sample3d`]: crate::isa::Sample3d
    //! [`Sample3d::FIELDS`]: crate::isa::Sample3d
    //! [`Sample3d::param`]: crate::isa::Sample3d::param
    //! [`Sample3d::params`]: crate::isa::Sample3d::params
    //! [`SampleFlags::CPS`]: crate::isa::SampleFlags::CPS
    //! [`SampleFlags::NON_UNIFORM_SAMPLER`]: crate::isa::SampleFlags::NON_UNIFORM_SAMPLER
    //! [`SampleFlags::PIXEL_NULL_MASK`]: crate::isa::SampleFlags::PIXEL_NULL_MASK
    //! [`SampleOp::params`]: crate::isa::SampleOp::params
    //! [`Vector`]: crate::operand::Vector
    //!
    #![doc = include_str!("../docs/conformance.md")]
}
