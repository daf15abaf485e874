//! VA_SKL_PLUS, 0x4d: video analytics since Skylake (format-facts 5.6).

use super::family::family;
use crate::operand::va::{FilterExecMode, HdcPixelSize, LbpMode, MinMaxEnable};
use crate::operand::{Raw, SamplerId, Scalar, SurfaceId};

family! {
    /// VA_SKL_PLUS, 0x4d: video analytics since Skylake. The `Hdc` operations write to a surface.
    VaSklPlus "video analytics operation" {
        /// 1D convolution, vertical. The reference prints it as horizontal.
        0x08 Convolve1dVertical "convolve_1d_v" {
            sampler: SamplerId, surface: SurfaceId, u_offset: Scalar, v_offset: Scalar,
            mode: FilterExecMode, dst: Raw,
        }
        /// 1D convolution, horizontal.
        0x09 Convolve1dHorizontal "convolve_1d_h" {
            sampler: SamplerId, surface: SurfaceId, u_offset: Scalar, v_offset: Scalar,
            mode: FilterExecMode, dst: Raw,
        }
        /// Convolution of single pixels.
        0x0a Convolve1Pixel "convolve_1pixel" {
            sampler: SamplerId, surface: SurfaceId, u_offset: Scalar, v_offset: Scalar,
            mode: FilterExecMode, offsets: Raw, dst: Raw,
        }
        /// Flood fill.
        0x0b FloodFill "floodfill" {
            is_8_connect: u8, pixel_mask_h_direction: Raw, pixel_mask_v_direction_left: Scalar,
            pixel_mask_v_direction_right: Scalar, loop_count: Scalar, dst: Raw,
        }
        /// Creation of local binary patterns.
        0x0c LbpCreation "lbpcreation" {
            surface: SurfaceId, u_offset: Scalar, v_offset: Scalar, mode: LbpMode, dst: Raw,
        }
        /// Correlation of local binary patterns.
        0x0d LbpCorrelation "lbpcorrelation" {
            surface: SurfaceId, u_offset: Scalar, v_offset: Scalar, disparity: Scalar, dst: Raw,
        }
        /// Correlation search.
        0x0f CorrelationSearch "correlationsearch" {
            surface: SurfaceId, u_offset: Scalar, v_offset: Scalar, vertical_origin: Scalar,
            horizontal_origin: Scalar, x_direction_size: Scalar, y_direction_size: Scalar,
            x_direction_search_size: Scalar, y_direction_search_size: Scalar, dst: Raw,
        }
        /// 2D convolution. `properties`: bits 0 to 3 the pixel size, 4 to 7 the size of the region.
        0x10 HdcConvolve "hdc_convolve_2d" {
            sampler: SamplerId, surface: SurfaceId, u_offset: Scalar, v_offset: Scalar,
            properties: u8, dst_surface: SurfaceId, x_offset: Scalar, y_offset: Scalar,
        }
        /// Minimum and maximum filter.
        0x11 HdcMinMaxFilter "hdc_minmaxfilter" {
            sampler: SamplerId, surface: SurfaceId, u_offset: Scalar, v_offset: Scalar,
            pixel_size: HdcPixelSize, mode: MinMaxEnable, dst_surface: SurfaceId,
            x_offset: Scalar, y_offset: Scalar,
        }
        /// Erosion.
        0x12 HdcErode "hdc_erode" {
            sampler: SamplerId, surface: SurfaceId, u_offset: Scalar, v_offset: Scalar,
            dst_surface: SurfaceId, x_offset: Scalar, y_offset: Scalar,
        }
        /// Dilation.
        0x13 HdcDilate "hdc_dilate" {
            sampler: SamplerId, surface: SurfaceId, u_offset: Scalar, v_offset: Scalar,
            dst_surface: SurfaceId, x_offset: Scalar, y_offset: Scalar,
        }
        /// Correlation of local binary patterns.
        0x14 HdcLbpCorrelation "hdc_lbpcorrelation" {
            surface: SurfaceId, u_offset: Scalar, v_offset: Scalar, disparity: Scalar,
            dst_surface: SurfaceId, x_offset: Scalar, y_offset: Scalar,
        }
        /// Creation of local binary patterns.
        0x15 HdcLbpCreation "hdc_lbpcreation" {
            surface: SurfaceId, u_offset: Scalar, v_offset: Scalar, mode: LbpMode,
            dst_surface: SurfaceId, x_offset: Scalar, y_offset: Scalar,
        }
        /// 1D convolution, horizontal.
        0x16 HdcConvolve1dHorizontal "hdc_convolve_1d_h" {
            sampler: SamplerId, surface: SurfaceId, u_offset: Scalar, v_offset: Scalar,
            pixel_size: HdcPixelSize, dst_surface: SurfaceId, x_offset: Scalar, y_offset: Scalar,
        }
        /// 1D convolution, vertical.
        0x17 HdcConvolve1dVertical "hdc_convolve_1d_v" {
            sampler: SamplerId, surface: SurfaceId, u_offset: Scalar, v_offset: Scalar,
            pixel_size: HdcPixelSize, dst_surface: SurfaceId, x_offset: Scalar, y_offset: Scalar,
        }
        /// Convolution of single pixels.
        0x18 HdcConvolve1Pixel "hdc_convolve_1pixel" {
            sampler: SamplerId, surface: SurfaceId, u_offset: Scalar, v_offset: Scalar,
            pixel_size: HdcPixelSize, offsets: Raw, dst_surface: SurfaceId, x_offset: Scalar,
            y_offset: Scalar,
        }
    }
}
