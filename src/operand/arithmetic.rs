//! Coded fields of arithmetic (docs/format.md, 5.1).

use super::code::code;

code! {
    /// The operation of FMINMAX.
    pub struct MinMaxOp(max 255) {
        /// Minimum.
        MIN = 0 "min",
        /// Maximum.
        MAX = 1 "max",
    }
}

code! {
    /// The precision of a source of DPAS and DPASW.
    pub struct Precision(max 255) {
        /// 1-bit unsigned.
        U1 = 1 "u1",
        /// 1-bit signed.
        S1 = 2 "s1",
        /// 2-bit unsigned.
        U2 = 3 "u2",
        /// 2-bit signed.
        S2 = 4 "s2",
        /// 4-bit unsigned.
        U4 = 5 "u4",
        /// 4-bit signed.
        S4 = 6 "s4",
        /// 8-bit unsigned.
        U8 = 7 "u8",
        /// 8-bit signed.
        S8 = 8 "s8",
        /// 16-bit float with the exponent of `f`.
        BF16 = 9 "bf",
        /// 16-bit float.
        FP16 = 10 "hf",
        /// 8-bit float with a 5-bit exponent.
        BF8 = 11 "bf8",
        /// 19-bit float in 32 bits.
        TF32 = 12 "tf32",
        /// 8-bit float with a 4-bit exponent.
        HF8 = 14 "hf8",
        /// 4-bit float with a 2-bit exponent.
        E2M1 = 15 "e2m1",
    }
}

code! {
    /// The operation of LFSR: the number and the width of the sequences in a dword.
    pub struct LfsrOp(max 255) {
        /// One sequence of 32 bits.
        B32 = 0 "b32",
        /// Two sequences of 16 bits.
        B16V2 = 1 "b16v2",
        /// Four sequences of 8 bits.
        B8V4 = 2 "b8v4",
    }
}

code! {
    /// The types that DNSCL converts from and to.
    pub struct DnsclConversion(max 255) {
        /// BF to E2M1.
        BF_TO_E2M1 = 1 "bftoe2m1",
        /// BF to 4-bit integers.
        BF_TO_INT4 = 2 "bftoint4",
        /// HF to E2M1.
        HF_TO_E2M1 = 4 "hftoe2m1",
        /// HF to 4-bit integers.
        HF_TO_INT4 = 5 "hftoint4",
    }
}

code! {
    /// The positions of the results of DNSCL in a dword.
    pub struct DnsclMode(max 255) {
        /// Mode 0.
        MODE0 = 0 "mode0",
        /// Mode 1.
        MODE1 = 1 "mode1",
        /// Mode 2.
        MODE2 = 2 "mode2",
        /// Mode 3.
        MODE3 = 3 "mode3",
    }
}

code! {
    /// The rounding of DNSCL.
    pub struct DnsclRounding(max 255) {
        /// Stochastic.
        SRND = 0 "srnd",
        /// To the nearest, ties to even.
        RNE = 1 "rne",
    }
}
