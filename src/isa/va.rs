//! VA, 0x44: video analytics (format-facts 5.6).

use super::family::family;
use crate::operand::va::{ErodeDilateMode, FilterExecMode, OutputFormat};
use crate::operand::{Raw, SamplerId, Scalar, SurfaceId};

family! {
    /// VA, 0x44: video analytics.
    Va "video analytics operation" {
        /// 2D convolution. `properties`: bits 0 and 1 the mode, bit 4 a big kernel.
        0x01 Convolve "convolve" {
            sampler: SamplerId, surface: SurfaceId, u_offset: Scalar, v_offset: Scalar,
            properties: u8, dst: Raw,
        }
        /// Minimum and maximum of a block.
        0x02 MinMax "minmax" {
            surface: SurfaceId, u_offset: Scalar, v_offset: Scalar, mmf_mode: Scalar, dst: Raw,
        }
        /// Minimum and maximum filter.
        0x03 MinMaxFilter "minmaxfilter" {
            sampler: SamplerId, surface: SurfaceId, u_offset: Scalar, v_offset: Scalar,
            cntrl: OutputFormat, exec_mode: FilterExecMode, mmf_mode: Scalar, dst: Raw,
        }
        /// Erosion.
        0x04 Erode "erode" {
            sampler: SamplerId, surface: SurfaceId, u_offset: Scalar, v_offset: Scalar,
            exec_mode: ErodeDilateMode, dst: Raw,
        }
        /// Dilation.
        0x05 Dilate "dilate" {
            sampler: SamplerId, surface: SurfaceId, u_offset: Scalar, v_offset: Scalar,
            exec_mode: ErodeDilateMode, dst: Raw,
        }
        /// Centroid of a bit image.
        0x06 BoolCentroid "boolcentroid" {
            surface: SurfaceId, u_offset: Scalar, v_offset: Scalar, v_size: Scalar, h_size: Scalar,
            dst: Raw,
        }
        /// Centroid.
        0x07 Centroid "centroid" {
            surface: SurfaceId, u_offset: Scalar, v_offset: Scalar, v_size: Scalar, dst: Raw,
        }
    }
}
