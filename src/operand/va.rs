//! Coded fields of video analytics and AVS (docs/format.md, 5.6).

use super::code;

code! {
    /// The format of the pixels that AVS or a video analytics message returns.
    pub struct OutputFormat(max 255) {
        /// 16 bits full.
        FULL_16 = 0 "16_full",
        /// 16 bits, chrominance downsampled.
        DOWN_SAMPLE_16 = 1 "16_down_sample",
        /// 8 bits full.
        FULL_8 = 2 "8_full",
        /// 8 bits, chrominance downsampled.
        DOWN_SAMPLE_8 = 3 "8_down_sample",
    }
}

code! {
    /// The size of the block that AVS processes, in pixels.
    pub struct AvsExecMode(max 255) {
        /// 16 by 4.
        B16X4 = 0 "16x4",
        /// 8 by 4.
        B8X4 = 1 "8x4",
        /// 16 by 8.
        B16X8 = 2 "16x8",
        /// 4 by 4.
        B4X4 = 3 "4x4",
    }
}

code! {
    /// The size of the block that a convolution or a min-max filter processes, in pixels.
    pub struct FilterExecMode(max 255) {
        /// 16 by 4.
        B16X4 = 0 "16x4",
        /// 16 by 1.
        B16X1 = 2 "16x1",
        /// 1 by 1.
        B1X1 = 3 "1x1",
    }
}

code! {
    /// The size of the block that erosion and dilation process, in pixels.
    pub struct ErodeDilateMode(max 255) {
        /// 64 by 4.
        B64X4 = 0 "64x4",
        /// 32 by 4.
        B32X4 = 1 "32x4",
        /// 64 by 1.
        B64X1 = 2 "64x1",
        /// 32 by 1.
        B32X1 = 3 "32x1",
    }
}

code! {
    /// The results of a min-max filter.
    pub struct MinMaxEnable(max 255) {
        /// Both.
        MIN_MAX = 0 "min_max",
        /// The maximum.
        MAX = 1 "max",
        /// The minimum.
        MIN = 2 "min",
    }
}

code! {
    /// The sizes of the neighbourhoods of a local binary pattern.
    pub struct LbpMode(max 255) {
        /// 3 by 3 and 5 by 5.
        BOTH = 0 "both",
        /// 3 by 3.
        B3X3 = 1 "3x3",
        /// 5 by 5.
        B5X5 = 2 "5x5",
    }
}

code! {
    /// The size of the pixels that an HDC operation writes.
    pub struct HdcPixelSize(max 255) {
        /// 16 bits.
        Y16 = 0 "y16",
        /// 8 bits.
        Y8 = 1 "y8",
    }
}
