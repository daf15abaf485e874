//! The five documented instructions.

use super::{Case, case};

pub fn cases() -> Vec<Case> {
    vec![
        case(
            "info-exec-size",
            "sampleinfo.R (M1, 4) T6 ud_32.0",
            "sampleinfo.R (M1, 32) T6 ud_32.0",
        ),
        case(
            "info-lod-type",
            "resinfo.R (M1, 8) T6 f_8.0 ud_8.0",
            "resinfo.R (M1, 8) T6 ud_8.0 ud_8.0",
        ),
        case("info-dst-type", "sampleinfo.R (M1, 8) T6 d_8.0", "sampleinfo.R (M1, 8) T6 ud_8.0"),
    ]
}
