//! VA_SKL_PLUS, 0x4d: video analytics since Skylake (docs/format.md, 5.6).

use super::family::family;
use crate::operand::va::{FilterExecMode, HdcPixelSize, LbpMode, MinMaxEnable};
use crate::operand::{Raw, RawDst, SamplerId, Scalar, SurfaceId};

/// Passes the family to a macro, as `instruction_table` does.
#[rustfmt::skip]
macro_rules! va_skl_plus_table { ($callback:ident) => { $crate::isa::normalize_family! { $callback va_skl_plus
    /// VA_SKL_PLUS, 0x4d: video analytics since Skylake. The `Hdc` operations write to a surface.
    VaSklPlus "video analytics operation" {
        /// 1D convolution, vertical. GenX_IR prints it as horizontal.
        [0x08] Convolve1dVertical va_conv_1d_vertical "CONV_1D_VERTICAL" {
            sampler: SamplerId, surface: SurfaceId, u_offset: Scalar, v_offset: Scalar,
            mode: FilterExecMode, dst: RawDst,
        }
            moves [_: convolved(mode)]
            as [{@DirectionWord} surface sampler u_offset v_offset {LineMode mode} dst]
        /// 1D convolution, horizontal.
        [0x09] Convolve1dHorizontal va_conv_1d_horizontal "CONV_1D_HORIZONTAL" {
            sampler: SamplerId, surface: SurfaceId, u_offset: Scalar, v_offset: Scalar,
            mode: FilterExecMode, dst: RawDst,
        }
            moves [_: convolved(mode)]
            as [{@DirectionWord} surface sampler u_offset v_offset {LineMode mode} dst]
        /// Convolution of single pixels.
        [0x0a] Convolve1Pixel va_conv_1pixel "CONV_1PIXEL" {
            sampler: SamplerId, surface: SurfaceId, u_offset: Scalar, v_offset: Scalar,
            mode: FilterExecMode, offsets: Raw, dst: RawDst,
        }
            moves [offsets: pixel_offsets(mode), _: convolved(mode)]
            as [@ surface sampler u_offset v_offset {LineMode mode} offsets dst]
        /// Flood fill.
        [0x0b] FloodFill va_flood_fill "FLOOD_FILL" {
            is_8_connect: u8, pixel_mask_h_direction: Raw, pixel_mask_v_direction_left: Scalar,
            pixel_mask_v_direction_right: Scalar, loop_count: Scalar, dst: RawDst,
        }
            moves [pixel_mask_h_direction: block(20), _: elements(8)]
            as [@ {Connectivity is_8_connect} pixel_mask_h_direction pixel_mask_v_direction_left
               pixel_mask_v_direction_right loop_count dst]
        /// Creation of local binary patterns.
        [0x0c] LbpCreation va_lbp_creation "LBP_CREATION" {
            surface: SurfaceId, u_offset: Scalar, v_offset: Scalar, mode: LbpMode, dst: RawDst,
        }
            moves [_: binary_patterns(mode)]
        /// Correlation of local binary patterns.
        [0x0d] LbpCorrelation va_lbp_correlation "LBP_CORRELATION" {
            surface: SurfaceId, u_offset: Scalar, v_offset: Scalar, disparity: Scalar, dst: RawDst,
        }
            moves [_: elements(64)]
        /// Correlation search.
        [0x0f] CorrelationSearch va_correlation_search "CORRELATION_SEARCH" {
            surface: SurfaceId, u_offset: Scalar, v_offset: Scalar, vertical_origin: Scalar,
            horizontal_origin: Scalar, x_direction_size: Scalar, y_direction_size: Scalar,
            x_direction_search_size: Scalar, y_direction_search_size: Scalar, dst: RawDst,
        }
        /// 2D convolution. `properties`: bits 0 to 3 the pixel size, 4 to 7 the size of the region.
        [0x10] HdcConvolve va_hdc_convolve_2d "HDC_CONVOLVE_2D" {
            sampler: SamplerId, surface: SurfaceId, u_offset: Scalar, v_offset: Scalar,
            properties: u8, dst_surface: SurfaceId, x_offset: Scalar, y_offset: Scalar,
        }
            as [@ surface sampler u_offset v_offset {HdcConvolveProperties properties} dst_surface x_offset y_offset]
        /// Minimum and maximum filter.
        [0x11] HdcMinMaxFilter va_hdc_min_max_filter "HDC_MIN_MAX_FILTER" {
            sampler: SamplerId, surface: SurfaceId, u_offset: Scalar, v_offset: Scalar,
            pixel_size: HdcPixelSize, mode: MinMaxEnable, dst_surface: SurfaceId,
            x_offset: Scalar, y_offset: Scalar,
        }
            as [@ surface sampler u_offset v_offset pixel_size mode dst_surface x_offset y_offset]
        /// Erosion.
        [0x12] HdcErode va_hdc_erode "HDC_ERODE" {
            sampler: SamplerId, surface: SurfaceId, u_offset: Scalar, v_offset: Scalar,
            dst_surface: SurfaceId, x_offset: Scalar, y_offset: Scalar,
        }
            as [@ surface sampler u_offset v_offset dst_surface x_offset y_offset]
        /// Dilation.
        [0x13] HdcDilate va_hdc_dilate "HDC_DILATE" {
            sampler: SamplerId, surface: SurfaceId, u_offset: Scalar, v_offset: Scalar,
            dst_surface: SurfaceId, x_offset: Scalar, y_offset: Scalar,
        }
            as [@ surface sampler u_offset v_offset dst_surface x_offset y_offset]
        /// Correlation of local binary patterns.
        [0x14] HdcLbpCorrelation va_hdc_lbp_correlation "HDC_LBP_CORRELATION" {
            surface: SurfaceId, u_offset: Scalar, v_offset: Scalar, disparity: Scalar,
            dst_surface: SurfaceId, x_offset: Scalar, y_offset: Scalar,
        }
        /// Creation of local binary patterns.
        [0x15] HdcLbpCreation va_hdc_lbp_creation "HDC_LBP_CREATION" {
            surface: SurfaceId, u_offset: Scalar, v_offset: Scalar, mode: LbpMode,
            dst_surface: SurfaceId, x_offset: Scalar, y_offset: Scalar,
        }
        /// 1D convolution, horizontal.
        [0x16] HdcConvolve1dHorizontal va_hdc_convolve_1d_h "HDC_CONVOLVE_1D_H" {
            sampler: SamplerId, surface: SurfaceId, u_offset: Scalar, v_offset: Scalar,
            pixel_size: HdcPixelSize, dst_surface: SurfaceId, x_offset: Scalar, y_offset: Scalar,
        }
            as [@ surface sampler u_offset v_offset pixel_size dst_surface x_offset y_offset]
        /// 1D convolution, vertical.
        [0x17] HdcConvolve1dVertical va_hdc_convolve_1d_v "HDC_CONVOLVE_1D_V" {
            sampler: SamplerId, surface: SurfaceId, u_offset: Scalar, v_offset: Scalar,
            pixel_size: HdcPixelSize, dst_surface: SurfaceId, x_offset: Scalar, y_offset: Scalar,
        }
            as [@ surface sampler u_offset v_offset pixel_size dst_surface x_offset y_offset]
        /// Convolution of single pixels.
        [0x18] HdcConvolve1Pixel va_hdc_convolve_1p "HDC_CONVOLVE_1P" {
            sampler: SamplerId, surface: SurfaceId, u_offset: Scalar, v_offset: Scalar,
            pixel_size: HdcPixelSize, offsets: Raw, dst_surface: SurfaceId, x_offset: Scalar,
            y_offset: Scalar,
        }
            moves [_: block(64)]
            as [@ surface sampler u_offset v_offset pixel_size offsets dst_surface x_offset
               y_offset]
    }
} } }

#[cfg(any(feature = "analysis", feature = "build", feature = "text", feature = "verify"))]
pub(crate) use va_skl_plus_table;

va_skl_plus_table!(family);
