//! The sampler, motion estimation and video analytics.

use genvisa::Version;
use genvisa::isa::va::*;
use genvisa::isa::va_skl_plus::*;
use genvisa::isa::*;
use genvisa::operand::va::*;
use genvisa::operand::{Aoffimmi, ChannelMask, ChannelsMode, ExecMask, ExecSize, SampleMode};

use super::fixture::*;

pub fn rows(_: Version) -> Vec<Row> {
    let mut rows = messages();
    rows.extend(motion_estimation());
    rows.extend(analytics());
    rows.extend(analytics_since_skylake());
    rows.extend(analytics_to_surfaces());
    rows
}

fn messages() -> Vec<Row> {
    let exec = exec(ExecMask::M2, ExecSize::S8);
    let pred = when(P2);
    let mode = |channels, mode| ChannelsMode { channels, mode };
    let (rg, rba) = (ChannelMask::R | ChannelMask::G, ChannelMask::RGBA - ChannelMask::G);
    let aoffimmi = Aoffimmi::from_bits(0x123);
    let flags = SampleFlags::empty();
    rows![
        Sample { channels: mode(rg, SampleMode::MODE1), sampler: S1, surface: T7, u: raw(33, 4),
                 v: raw(34, 5), r: raw(35, 6), dst: raw(36, 7) }
            => "sample.RG (16) S1 T7 V33.4 V34.5 V35.6 V36.7",
        Load { channels: mode(rba, SampleMode::MODE0), surface: T7, u: raw(33, 4), v: raw(34, 5),
               r: raw(35, 6), dst: raw(36, 7) }
            => "load.RBA (8) T7 V33.4 V34.5 V35.6 V36.7",
        // All modes except the first have 16 lanes.
        Sample { channels: mode(rg, SampleMode::MODE2), sampler: S1, surface: T7, u: raw(33, 4),
                 v: raw(34, 5), r: raw(35, 6), dst: raw(36, 7) }
            => "sample.RG (16) S1 T7 V33.4 V34.5 V35.6 V36.7",
        Load { channels: mode(rba, SampleMode::MODE3), surface: T7, u: raw(33, 4), v: raw(34, 5),
               r: raw(35, 6), dst: raw(36, 7) }
            => "load.RBA (16) T7 V33.4 V34.5 V35.6 V36.7",
        SampleUnorm { channels: mode(rg, SampleMode::MODE2), sampler: S1, surface: T7,
                      u_offset: scalar(33, 1, 2), v_offset: scalar(34, 2, 3),
                      delta_u: scalar(35, 3, 4), delta_v: scalar(36, 4, 5), dst: raw(37, 6) }
            => "sample_unorm.RG.8-full S1 T7 V33(1,2)<0;1,0> V34(2,3)<0;1,0> V35(3,4)<0;1,0> \
                V36(4,5)<0;1,0> V37.6",
        Avs { channels: rba, sampler: S2, surface: T8, u_offset: scalar(33, 1, 2),
              v_offset: scalar(34, 2, 3), delta_u: scalar(35, 3, 4), delta_v: scalar(36, 4, 5),
              u2d: scalar(37, 5, 6), group_id: scalar(38, 6, 7),
              vertical_block_number: scalar(39, 7, 0), cntrl: OutputFormat::DOWN_SAMPLE_16,
              v2d: scalar(40, 0, 1), exec_mode: AvsExecMode::B16X8, ief_bypass: scalar(41, 1, 2),
              dst: raw(42, 3) }
            => "avs.RBA T8 S2 V33(1,2)<0;1,0> V34(2,3)<0;1,0> V35(3,4)<0;1,0> V36(4,5)<0;1,0> \
                V37(5,6)<0;1,0> V38(6,7)<0;1,0> V39(7,0)<0;1,0> AVS_16_DOWN_SAMPLE \
                V40(0,1)<0;1,0> AVS_16x8 V41(1,2)<0;1,0> V42.3",
        Load3d { op: SamplerOp::LOAD_LZ, flags, exec, pred, channels: rba, aoffimmi, surface: T7.into(),
                 dst: raw(33, 4), paired_surface: None,
                 params: Params::new(&[raw(34, 5), raw(35, 6)]).expect("few parameters") }
            => "(P2) load_lz.RBA (M2, 8) 0x123:uw T7 V33.4 V34.5 V35.6",
        Gather4 { op: SamplerOp::GATHER4_PO, flags, exec, pred, channel: 2, aoffimmi, sampler: S1.into(),
                  surface: T7.into(), dst: raw(33, 4), paired_surface: None,
                  params: Params::new(&[raw(34, 5), raw(35, 6)]).expect("few parameters") }
            => "(P2) sample4_po.B (M2, 8) 0x123:uw S1 T7 V33.4 V34.5 V35.6",
    ]
}

fn motion_estimation() -> Vec<Row> {
    rows![
        VmeIme { stream_mode: 1, search_ctrl: 2, uni_input: raw(33, 4), ime_input: raw(34, 5),
                 surface: T7, ref0: raw(35, 6), ref1: raw(36, 7), cost_center: raw(37, 8),
                 output: raw(38, 9) }
            => "vme_ime(1,2) T7 V33.4 V34.5 V35.6 V36.7 V37.8 V38.9",
        VmeSic { uni_input: raw(33, 4), sic_input: raw(34, 5), surface: T7, output: raw(35, 6) }
            => "vme_sic T7 V33.4 V34.5 V35.6",
        VmeFbr { uni_input: raw(33, 4), fbr_input: raw(34, 5), surface: T7,
                 fbr_mb_mode: scalar(35, 1, 2), fbr_sub_mb_shape: scalar(36, 2, 3),
                 fbr_sub_pred_mode: scalar(37, 3, 4), output: raw(38, 6) }
            => "vme_fbr ( V35(1,2)<0;1,0>, V36(2,3)<0;1,0>, V37(3,4)<0;1,0>) T7 V33.4 V34.5 V38.6",
        // GenX_IR prints it as VME_SIC.
        VmeIdm { uni_input: raw(33, 4), idm_input: raw(34, 5), surface: T7, output: raw(35, 6) }
            => "vme_sic T7 V33.4 V34.5 V35.6",
    ]
}

fn analytics() -> Vec<Row> {
    let (u_offset, v_offset) = (scalar(33, 1, 2), scalar(34, 2, 3));
    rows![
        // GenX_IR always prints the small kernel.
        Convolve { sampler: S1, surface: T7, u_offset, v_offset, properties: 0x12, dst: raw(35, 6) }
            => "va.convolve T7 S1 V33(1,2)<0;1,0> V34(2,3)<0;1,0> VA_CONV_16x1 15x15 V35.6",
        MinMax { surface: T7, u_offset, v_offset, mmf_mode: scalar(35, 3, 4), dst: raw(36, 7) }
            => "va.minmax T7 V33(1,2)<0;1,0> V34(2,3)<0;1,0> V35(3,4)<0;1,0> V36.7",
        MinMaxFilter { sampler: S1, surface: T7, u_offset, v_offset,
                       cntrl: OutputFormat::FULL_8, exec_mode: FilterExecMode::B16X1,
                       mmf_mode: scalar(35, 3, 4), dst: raw(36, 7) }
            => "va.minmaxfilter T7 S1 V33(1,2)<0;1,0> V34(2,3)<0;1,0> AVS_8_FULL \
                VA_MMF_16x1 V35(3,4)<0;1,0> V36.7",
        Erode { sampler: S1, surface: T7, u_offset, v_offset, exec_mode: ErodeDilateMode::B32X4,
                dst: raw(35, 6) }
            => "va.erode T7 S1 V33(1,2)<0;1,0> V34(2,3)<0;1,0> VA_ED_32x4 V35.6",
        Dilate { sampler: S1, surface: T7, u_offset, v_offset, exec_mode: ErodeDilateMode::B64X1,
                 dst: raw(35, 6) }
            => "va.dilate T7 S1 V33(1,2)<0;1,0> V34(2,3)<0;1,0> VA_ED_64x1 V35.6",
        BoolCentroid { surface: T7, u_offset, v_offset, v_size: scalar(35, 3, 4),
                       h_size: scalar(36, 4, 5), dst: raw(37, 8) }
            => "va.boolcentroid T7 V33(1,2)<0;1,0> V34(2,3)<0;1,0> V35(3,4)<0;1,0> \
                V36(4,5)<0;1,0> V37.8",
        Centroid { surface: T7, u_offset, v_offset, v_size: scalar(35, 3, 4), dst: raw(36, 7) }
            => "va.centroid T7 V33(1,2)<0;1,0> V34(2,3)<0;1,0> V35(3,4)<0;1,0> V36.7",
    ]
}

fn analytics_since_skylake() -> Vec<Row> {
    let (u_offset, v_offset) = (scalar(33, 1, 2), scalar(34, 2, 3));
    rows![
        // GenX_IR swaps the names of the two directions.
        Convolve1dVertical { sampler: S1, surface: T7, u_offset, v_offset,
                             mode: FilterExecMode::B16X4, dst: raw(35, 6) }
            => "va_skl_plus.CONV_1D_HORIZONTAL T7 S1 V33(1,2)<0;1,0> V34(2,3)<0;1,0> 4x16 V35.6",
        Convolve1dHorizontal { sampler: S1, surface: T7, u_offset, v_offset,
                               mode: FilterExecMode::B16X1, dst: raw(35, 6) }
            => "va_skl_plus.CONV_1D_VERTICAL T7 S1 V33(1,2)<0;1,0> V34(2,3)<0;1,0> 1x16 V35.6",
        Convolve1Pixel { sampler: S1, surface: T7, u_offset, v_offset, mode: FilterExecMode::B1X1,
                         offsets: raw(35, 6), dst: raw(36, 7) }
            => "va_skl_plus.CONV_1PIXEL T7 S1 V33(1,2)<0;1,0> V34(2,3)<0;1,0> 1x1 V35.6 V36.7",
        FloodFill { is_8_connect: 1, pixel_mask_h_direction: raw(33, 4),
                    pixel_mask_v_direction_left: scalar(34, 1, 2),
                    pixel_mask_v_direction_right: scalar(35, 2, 3), loop_count: scalar(36, 3, 4),
                    dst: raw(37, 5) }
            => "va_skl_plus.FLOOD_FILL 8_connect V33.4 V34(1,2)<0;1,0> V35(2,3)<0;1,0> \
                V36(3,4)<0;1,0> V37.5",
        LbpCreation { surface: T7, u_offset, v_offset, mode: LbpMode::B3X3, dst: raw(35, 6) }
            => "va_skl_plus.LBP_CREATION T7 V33(1,2)<0;1,0> V34(2,3)<0;1,0> VA_3x3_mode V35.6",
        LbpCorrelation { surface: T7, u_offset, v_offset, disparity: scalar(35, 3, 4),
                         dst: raw(36, 7) }
            => "va_skl_plus.LBP_CORRELATION T7 V33(1,2)<0;1,0> V34(2,3)<0;1,0> V35(3,4)<0;1,0> \
                V36.7",
        CorrelationSearch { surface: T7, u_offset, v_offset, vertical_origin: scalar(35, 3, 4),
                            horizontal_origin: scalar(36, 4, 5), x_direction_size: scalar(37, 5, 6),
                            y_direction_size: scalar(38, 6, 7),
                            x_direction_search_size: scalar(39, 7, 0),
                            y_direction_search_size: scalar(40, 0, 1), dst: raw(41, 12) }
            => "va_skl_plus.CORRELATION_SEARCH T7 V33(1,2)<0;1,0> V34(2,3)<0;1,0> \
                V35(3,4)<0;1,0> V36(4,5)<0;1,0> V37(5,6)<0;1,0> V38(6,7)<0;1,0> V39(7,0)<0;1,0> \
                V40(0,1)<0;1,0> V41.12",
    ]
}

fn analytics_to_surfaces() -> Vec<Row> {
    let (u_offset, v_offset) = (scalar(33, 1, 2), scalar(34, 2, 3));
    let (x_offset, y_offset) = (scalar(36, 4, 5), scalar(37, 5, 6));
    let hdc = |text: &str| format!("va_skl_plus.HDC_{text} T8 V36(4,5)<0;1,0> V37(5,6)<0;1,0>");
    rows![
        HdcConvolve { sampler: S1, surface: T7, u_offset, v_offset, properties: 0x11,
                      dst_surface: T8, x_offset, y_offset }
            => hdc("CONVOLVE_2D T7 S1 V33(1,2)<0;1,0> V34(2,3)<0;1,0> VA_Y8_FORMAT 31x31"),
        HdcMinMaxFilter { sampler: S1, surface: T7, u_offset, v_offset,
                          pixel_size: HdcPixelSize::Y16, mode: MinMaxEnable::MIN, dst_surface: T8,
                          x_offset, y_offset }
            => hdc("MIN_MAX_FILTER T7 S1 V33(1,2)<0;1,0> V34(2,3)<0;1,0> VA_Y16_FORMAT \
                    VA_MIN_ENABLE"),
        HdcErode { sampler: S1, surface: T7, u_offset, v_offset, dst_surface: T8, x_offset,
                   y_offset }
            => hdc("ERODE T7 S1 V33(1,2)<0;1,0> V34(2,3)<0;1,0>"),
        HdcDilate { sampler: S1, surface: T7, u_offset, v_offset, dst_surface: T8, x_offset,
                    y_offset }
            => hdc("DILATE T7 S1 V33(1,2)<0;1,0> V34(2,3)<0;1,0>"),
        HdcLbpCorrelation { surface: T7, u_offset, v_offset, disparity: scalar(35, 3, 4),
                            dst_surface: T8, x_offset, y_offset }
            => hdc("LBP_CORRELATION T7 V33(1,2)<0;1,0> V34(2,3)<0;1,0> V35(3,4)<0;1,0>"),
        HdcLbpCreation { surface: T7, u_offset, v_offset, mode: LbpMode::B3X3, dst_surface: T8,
                         x_offset, y_offset }
            => hdc("LBP_CREATION T7 V33(1,2)<0;1,0> V34(2,3)<0;1,0> VA_3x3_mode"),
        HdcConvolve1dHorizontal { sampler: S1, surface: T7, u_offset, v_offset,
                                  pixel_size: HdcPixelSize::Y8, dst_surface: T8, x_offset,
                                  y_offset }
            => hdc("CONVOLVE_1D_H T7 S1 V33(1,2)<0;1,0> V34(2,3)<0;1,0> VA_Y8_FORMAT"),
        HdcConvolve1dVertical { sampler: S1, surface: T7, u_offset, v_offset,
                                pixel_size: HdcPixelSize::Y16, dst_surface: T8, x_offset,
                                y_offset }
            => hdc("CONVOLVE_1D_V T7 S1 V33(1,2)<0;1,0> V34(2,3)<0;1,0> VA_Y16_FORMAT"),
        HdcConvolve1Pixel { sampler: S1, surface: T7, u_offset, v_offset,
                            pixel_size: HdcPixelSize::Y8, offsets: raw(35, 6), dst_surface: T8,
                            x_offset, y_offset }
            => hdc("CONVOLVE_1P T7 S1 V33(1,2)<0;1,0> V34(2,3)<0;1,0> VA_Y8_FORMAT V35.6"),
    ]
}
