//! VA, 0x44: video analytics (docs/format.md, 5.6).

use super::family::family;
use crate::operand::va::{ErodeDilateMode, FilterExecMode, OutputFormat};
use crate::operand::{RawDst, SamplerId, Scalar, SurfaceId};

/// Passes the family to a macro, as `instruction_table` does.
#[rustfmt::skip]
macro_rules! va_table { ($callback:ident) => { $crate::isa::normalize_family! { $callback va
    /// VA, 0x44: video analytics.
    Va "video analytics operation" {
        /// 2D convolution. `properties`: bits 0 and 1 the mode, bit 4 a big kernel.
        [0x01] Convolve va_convolve "convolve" {
            sampler: SamplerId, surface: SurfaceId, u_offset: Scalar, v_offset: Scalar,
            properties: u8, dst: RawDst,
        }
            moves [_: convolved_by(properties)]
            as [@ surface sampler u_offset v_offset {ConvolveProperties properties} dst]
        /// Minimum and maximum of a block.
        [0x02] MinMax va_minmax "minmax" {
            surface: SurfaceId, u_offset: Scalar, v_offset: Scalar, mmf_mode: Scalar, dst: RawDst,
        }
            moves [_: block(32)]
            as [@ surface u_offset v_offset {MinMaxMode mmf_mode} dst]
        /// Minimum and maximum filter.
        [0x03] MinMaxFilter va_minmaxfilter "minmaxfilter" {
            sampler: SamplerId, surface: SurfaceId, u_offset: Scalar, v_offset: Scalar,
            cntrl: OutputFormat, exec_mode: FilterExecMode, mmf_mode: Scalar, dst: RawDst,
        }
            moves [_: filtered(cntrl, exec_mode)]
            as [@ surface sampler u_offset v_offset cntrl {FilterMode exec_mode} mmf_mode dst]
        /// Erosion.
        [0x04] Erode va_erode "erode" {
            sampler: SamplerId, surface: SurfaceId, u_offset: Scalar, v_offset: Scalar,
            exec_mode: ErodeDilateMode, dst: RawDst,
        }
            moves [_: bit_image(exec_mode)]
            as [@ surface sampler u_offset v_offset exec_mode dst]
        /// Dilation.
        [0x05] Dilate va_dilate "dilate" {
            sampler: SamplerId, surface: SurfaceId, u_offset: Scalar, v_offset: Scalar,
            exec_mode: ErodeDilateMode, dst: RawDst,
        }
            moves [_: bit_image(exec_mode)]
            as [@ surface sampler u_offset v_offset exec_mode dst]
        /// Centroid of a bit image.
        [0x06] BoolCentroid va_boolcentroid "boolcentroid" {
            surface: SurfaceId, u_offset: Scalar, v_offset: Scalar, v_size: Scalar, h_size: Scalar,
            dst: RawDst,
        }
            moves [_: elements(16)]
            as [@ surface u_offset v_offset v_size h_size dst]
        /// Centroid.
        [0x07] Centroid va_centroid "centroid" {
            surface: SurfaceId, u_offset: Scalar, v_offset: Scalar, v_size: Scalar, dst: RawDst,
        }
            moves [_: elements(32)]
            as [@ surface u_offset v_offset v_size dst]
    }
} } }

#[cfg(any(feature = "analysis", feature = "build", feature = "text", feature = "verify"))]
pub(crate) use va_table;

va_table!(family);
