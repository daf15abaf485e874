//! The operations of 3D_SAMPLE, 3D_LOAD and 3D_GATHER4 (3D_SAMPLE.md; docs/format.md, 4.5).

use core::fmt;

use super::param::Param;
#[cfg(feature = "verify")]
use crate::format::{Dialect, Format};
use crate::operand::code;
use crate::wire::Wire;

/// A row of the table of operations.
// Each feature uses some of the fields.
#[allow(dead_code)]
pub(crate) struct OperationRow {
    pub(crate) code: u8,
    pub(crate) message: Message,
    /// The word of text.
    pub(crate) word: &'static str,
    /// The word in the Text section of 3D_SAMPLE.md, if dialect `Manual` has the operation.
    pub(crate) page_word: Option<&'static str>,
    /// The parameters that the page of the message lists, if they do not depend on anything else.
    pub(crate) params: &'static [Param],
    pub(crate) since: Since,
    /// Whether platforms before Xe2 lack the operation.
    pub(crate) since_xe2: bool,
    /// Whether the message computes the LOD from the coordinates of neighbouring lanes, also of
    /// inactive ones.
    pub(crate) has_implicit_lod: bool,
    /// The code that compilers use from Xe2 on, which text does not distinguish.
    pub(crate) xe2_code: Option<u8>,
    /// Whether offsets are parameters of the message.
    pub(crate) has_offsets: bool,
}

/// The message that has an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Message {
    Sample,
    Load,
    Gather,
}

/// The formats that have an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Since {
    /// All formats. Text of GenX_IR has a word for it.
    Always,
    /// All formats, but text of GenX_IR has no word for it.
    AlwaysUnnamed,
    /// Dialect `Igc2026`.
    Igc2026,
    /// Version 4.2.
    V4_2,
}

impl OperationRow {
    const DEFAULT: OperationRow = OperationRow {
        code: 0,
        message: Message::Sample,
        word: "",
        page_word: None,
        params: &[],
        since: Since::Always,
        since_xe2: false,
        has_implicit_lod: false,
        xe2_code: None,
        has_offsets: false,
    };

    /// Returns whether readers of a format accept the operation.
    #[cfg(feature = "verify")]
    pub(crate) fn is_in(&self, format: Format) -> bool {
        match self.since {
            Since::Always | Since::AlwaysUnnamed => true,
            Since::Igc2026 => format.dialect == Dialect::Igc2026,
            Since::V4_2 => format == Format::V4_2,
        }
    }
}

/// Sets the fields of an [`OperationRow`] that a column states.
#[rustfmt::skip]
macro_rules! operation_column {
    ($row:ident, page $word:literal [$($param:ident)*]) => {
        $row.page_word = Some($word);
        $row.params = &[$(Param::$param),*];
    };
    ($row:ident, params [$($param:ident)*]) => { $row.params = &[$(Param::$param),*]; };
    ($row:ident, unnamed) => { $row.since = Since::AlwaysUnnamed; };
    ($row:ident, igc2026) => { $row.since = Since::Igc2026; };
    ($row:ident, v4_2) => { $row.since = Since::V4_2; };
    ($row:ident, xe2) => { $row.since_xe2 = true; };
    ($row:ident, xe2_code $code:literal) => { $row.xe2_code = Some($code); };
    ($row:ident, implicit_lod) => { $row.has_implicit_lod = true; };
    ($row:ident, offsets) => { $row.has_offsets = true; };
}

/// Defines a type of operations with its table.
///
/// ```text
/// Load LOAD_WORDS {
///     /// Load.
///     0x07 LOAD "load_3d";
/// }
/// ```
///
/// defines the constant `LOAD` of the type, its row in `ROWS`, and the list `LOAD_WORDS` of the words of
/// all loads. After the word of a row are its columns, as in `0x0d GATHER4_L "sample4_l", unnamed;`.
macro_rules! operation_table {
    (
        $(#[$doc:meta])*
        pub struct $name:ident {
            $($message:ident $words:ident {
                $(
                    $(#[doc = $row_doc:literal])*
                    $code:literal $item:ident $word:literal
                    $(, $column:ident $($arg:literal)? $([$($param:ident)*])?)*;
                )*
            })*
        }
    ) => {
        code! {
            $(#[$doc])*
            pub struct $name(max 255) {
                $($($(#[doc = $row_doc])* $item = $code $word,)*)*
            }
        }

        impl $name {
            pub(crate) const ROWS: &'static [OperationRow] = &[$($({
                #[allow(unused_mut)]
                let mut row = OperationRow {
                    code: $code,
                    message: Message::$message,
                    word: $word,
                    ..OperationRow::DEFAULT
                };
                $(operation_column!(row, $column $($arg)? $([$($param)*])?);)*
                row
            },)*)*];

            /// Returns the row; `None` if the code is unknown.
            #[inline]
            pub(crate) const fn row(self) -> Option<&'static OperationRow> {
                static INDEX: [u8; 256] = index($name::ROWS);
                match INDEX[self.bits() as usize] {
                    0 => None,
                    place => Some(&$name::ROWS[place as usize - 1]),
                }
            }
        }

        $(
            #[cfg(feature = "text")]
            pub(crate) const $words: &[&str] = &[$($word),*];
        )*
    };
}

/// Returns the place of the row of each code, from 1; 0 for an unknown code.
const fn index(rows: &[OperationRow]) -> [u8; 256] {
    let mut index = [0; 256];
    let mut i = 0;
    while i < rows.len() {
        index[rows[i].code as usize] = i as u8 + 1;
        if let Some(code) = rows[i].xe2_code {
            index[code as usize] = i as u8 + 1;
        }
        i += 1;
    }
    index
}

operation_table! {
    /// The operation of [`Sample3d`](crate::isa::Sample3d). Five bits in dialect `Manual` and in 3.x,
    /// eight in 4.x.
    ///
    /// The eleven operations of the manual have [parameters](Self::params); dialect `Manual`
    /// rejects others. The Igc dialects accept all values, as readers do. The other names are those
    /// of text of 4.2.
    pub struct SampleOp {
        Sample SAMPLE_WORDS {
            /// Without modification.
            0x00 SAMPLE "sample_3d", page "SAMPLE_3d" [U V R Ai], implicit_lod;
            /// With a bias on the LOD.
            0x01 SAMPLE_B "sample_b", page "SAMPLE_B" [Bias U V R Ai], implicit_lod;
            /// With an explicit LOD.
            0x02 SAMPLE_L "sample_l", page "SAMPLE_L" [Lod U V R Ai];
            /// With comparison.
            0x03 SAMPLE_C "sample_c", page "SAMPLE_C" [Ref U V R Ai], implicit_lod;
            /// With explicit gradients.
            0x04 SAMPLE_D "sample_d", page "SAMPLE_D"
                [U Dudx Dudy V Dvdx Dvdy R Drdx Drdy Ai];
            /// With a bias and comparison.
            0x05 SAMPLE_B_C "sample_b_c", page "SAMPLE_B_C" [Ref Bias U V R Ai], implicit_lod;
            /// With an explicit LOD and comparison.
            0x06 SAMPLE_L_C "sample_l_c", page "SAMPLE_L_C" [Ref Lod U V R Ai];
            /// Returns the LOD instead of a sample.
            0x09 LOD "lod", page "LOD" [U V R Ai], implicit_lod;
            /// With explicit gradients, comparison and a minimum LOD.
            0x11 SAMPLE_D_C_MLOD "sample_d_c_mlod", v4_2, xe2;
            /// With a minimum LOD.
            0x12 SAMPLE_MLOD "sample_mlod", v4_2, xe2, implicit_lod;
            /// With comparison and a minimum LOD.
            0x13 SAMPLE_C_MLOD "sample_c_mlod", v4_2, implicit_lod;
            /// With explicit gradients and comparison.
            0x14 SAMPLE_D_C "sample_d_c", page "SAMPLE_D_C"
                [Ref U Dudx Dudy V Dvdx Dvdy R Drdx Drdy Ai];
            /// With a LOD of zero.
            0x18 SAMPLE_LZ "sample_lz", page "SAMPLE_LZ" [U V R Ai];
            /// With a LOD of zero and comparison.
            0x19 SAMPLE_C_LZ "sample_c_lz", page "SAMPLE_C_LZ" [Ref U V R Ai];
            /// With offsets per pixel.
            0x20 SAMPLE_PO "sample_po", igc2026, implicit_lod, offsets;
            /// With offsets per pixel and a bias on the LOD.
            0x21 SAMPLE_PO_B "sample_po_b", igc2026, implicit_lod, offsets;
            /// With offsets per pixel and an explicit LOD.
            0x22 SAMPLE_PO_L "sample_po_l", igc2026, offsets;
            /// With offsets per pixel and comparison.
            0x23 SAMPLE_PO_C "sample_po_c", igc2026, implicit_lod, offsets;
            /// With offsets per pixel and explicit gradients.
            0x24 SAMPLE_PO_D "sample_po_d", igc2026, offsets;
            /// With offsets per pixel, an explicit LOD and comparison.
            0x26 SAMPLE_PO_L_C "sample_po_l_c", igc2026, offsets;
            /// With offsets per pixel and a LOD of zero.
            0x38 SAMPLE_PO_LZ "sample_po_lz", v4_2, offsets;
            /// With offsets per pixel, a LOD of zero and comparison.
            0x39 SAMPLE_PO_C_LZ "sample_po_c_lz", v4_2, offsets;
            /// With offsets per pixel, a bias on the LOD and comparison.
            0x3a SAMPLE_PO_B_C "sample_po_b_c", v4_2, implicit_lod, offsets;
            /// With offsets per pixel, explicit gradients and comparison.
            0x3b SAMPLE_PO_D_C "sample_po_d_c", v4_2, offsets;
        }
    }
}

operation_table! {
    /// The operation of [`Load3d`](crate::isa::Load3d) and [`Gather4`](crate::isa::Gather4). Five bits
    /// in 3.x, eight in 4.x. All values are accepted, as readers do.
    pub struct SamplerOp {
        Load LOAD_WORDS {
            /// Load.
            0x07 LOAD "load_3d", params [U V Lod R];
            /// Load with a LOD of zero.
            0x1a LOAD_LZ "load_lz", params [U V R];
            /// Load with an explicit LOD.
            0x1b LOAD_L "load_l", v4_2;
            /// Load from a multisampled surface.
            0x1c LOAD_2DMS_W "load_2dms_w";
            /// Load from the multisample control surface.
            0x1d LOAD_MCS "load_mcs", params [U V R Lod];
        }
        Gather GATHER_WORDS {
            /// Gather.
            0x08 GATHER4 "sample4", params [U V R Ai];
            /// Gather with an explicit LOD.
            0x0d GATHER4_L "sample4_l", unnamed, params [Lod U V R Ai];
            /// Gather with a bias on the LOD.
            0x0e GATHER4_B "sample4_b", unnamed, implicit_lod, params [Bias U V R Ai];
            /// Gather with an implicit LOD.
            0x0f GATHER4_I "sample4_i", unnamed, implicit_lod, params [U V R Ai];
            /// Gather with comparison.
            0x10 GATHER4_C "sample4_c", params [Ref U V R Ai];
            /// Gather with offsets. From Xe2 on, compilers encode it as 0x28, which text does not
            /// distinguish.
            0x11 GATHER4_PO "sample4_po", offsets, xe2_code 0x28;
            /// Gather with offsets and comparison. From Xe2 on, compilers encode it as 0x30, which
            /// text does not distinguish.
            0x12 GATHER4_PO_C "sample4_po_c", offsets, xe2_code 0x30;
            /// Gather with an implicit LOD and comparison.
            0x15 GATHER4_I_C "sample4_i_c", unnamed, implicit_lod, params [Ref U V R];
            /// Gather with an explicit LOD and comparison.
            0x17 GATHER4_L_C "sample4_l_c", v4_2;
            /// Gather with offsets and an explicit LOD.
            0x2d GATHER4_PO_L "sample4_po_l", unnamed, offsets;
            /// Gather with offsets and a bias on the LOD.
            0x2e GATHER4_PO_B "sample4_po_b", unnamed, implicit_lod, offsets;
            /// Gather with offsets and an implicit LOD.
            0x2f GATHER4_PO_I "sample4_po_i", unnamed, implicit_lod, offsets;
            /// Gather with offsets, an implicit LOD and comparison.
            0x35 GATHER4_PO_I_C "sample4_po_i_c", unnamed, implicit_lod, offsets;
            /// Gather with offsets, an explicit LOD and comparison.
            0x37 GATHER4_PO_L_C "sample4_po_l_c", unnamed, offsets;
        }
    }
}

impl SampleOp {
    /// Returns the parameters in the order of the table in 3D_SAMPLE.md. The result is empty for
    /// operations that are not in this table.
    pub const fn params(self) -> &'static [Param] {
        match self.row() {
            Some(row) => row.params,
            None => &[],
        }
    }
}

impl SamplerOp {
    /// Returns the parameters in the order of the tables in 3D_LOAD.md and 3D_SAMPLE4.md. The result is
    /// empty if they depend on the platform or on types, or if the operation is not in these tables.
    pub const fn params(self) -> &'static [Param] {
        match self.row() {
            Some(row) => row.params,
            None => &[],
        }
    }

    /// Returns whether the operation is a load rather than a gather.
    pub const fn is_load(self) -> bool {
        matches!(self.row(), Some(OperationRow { message: Message::Load, .. }))
    }
}

/// A type of operations.
pub(crate) trait Operation: Copy + Default + fmt::Debug + fmt::Display + Wire {
    fn from_low_bits(bits: u8) -> Self;
    fn bits(self) -> u8;
    fn row(self) -> Option<&'static OperationRow>;

    /// Returns whether 3D_SAMPLE.md lists the operation.
    fn is_in_manual(self) -> bool {
        self.row().is_some_and(|row| row.page_word.is_some())
    }
}

macro_rules! impl_operation {
    ($($name:ident),*) => {$(
        impl Operation for $name {
            fn from_low_bits(bits: u8) -> $name {
                $name::from_low_bits(bits)
            }

            fn bits(self) -> u8 {
                self.bits()
            }

            fn row(self) -> Option<&'static OperationRow> {
                self.row()
            }
        }
    )*};
}

impl_operation!(SampleOp, SamplerOp);
