//! Diagnostics about text that is not of the dialect.

use genvisa::{Dialect, Format, Version};

use super::{parsed, printed};

/// Checks the first diagnostic about each line.
fn check_message(format: Format, cases: &[(&str, &str)]) {
    for (line, expected) in cases {
        match parsed(line, format) {
            Ok(module) => panic!("{line} is parsed as {}", printed(&module)),
            Err(found) => assert_eq!(found[0].to_string(), *expected, "{line}"),
        }
    }
}

/// Checks the first diagnostic about each line, and its hint.
fn check_help(format: Format, cases: &[(&str, &str, &str)]) {
    for (line, expected, help) in cases {
        check_message(format, &[(line, expected)]);
        let found = parsed(line, format).expect_err("it was rejected");
        assert_eq!(found[0].help.as_deref(), Some(*help), "{line}");
    }
}

#[test]
fn rejects_igc_text_in_dialect_manual() {
    check_help(
        Format::MANUAL,
        &[
            (
                "resinfo.RGBA (M1, 8) T6 level.0 dst.0",
                "expected an execution size, such as `(8)`, found `.`",
                "INFO has channels in dialects igc2022 and igc2026",
            ),
            (
                "rt_write_3d (M1, 8) T6 %null.0 r.0 g.0 b.0 a.0",
                "unknown instruction `rt_write_3d`",
                "dialects igc2022 and igc2026 have this word; in dialect manual the word is \
                 `RT_WRITE`",
            ),
        ],
    );
}

#[test]
fn rejects_manual_text_in_other_dialects() {
    for dialect in [Dialect::Igc2022, Dialect::Igc2026] {
        let format = Format::new(dialect, Version::V3_6);
        check_help(
            format,
            &[
                (
                    "resinfo (8) T6 level.0 dst.0",
                    "expected `.`, found `(`",
                    "INFO has no channels in dialect manual",
                ),
                (
                    "media_ld.2 (32,8) T6 0 0x0:ud 0x0:ud dst.0",
                    "expected a media modifier, found `2`",
                    "the modifiers are a number in dialect manual, a name such as `top` in others",
                ),
            ],
        );
        let words = [
            ("RESINFO (8) T6 level.0 dst.0", "resinfo"),
            ("SAMPLEINFO (8) T6 dst.0", "sampleinfo"),
            ("MEDIA_LD.2 (32, 8) T6 0 0x0:ud 0x0:ud dst.0", "media_ld"),
            ("GATHER4_TYPED.R (8) T6 u.0 v.0 r.0 level.0 dst.0", "gather4_typed"),
            ("SAMPLE_3d.R (8) 0x0:uw S0 T6 dst.0 u.0", "sample_3d"),
            ("(P) LOD.R (8) 0x0:uw S0 T6 dst.0 u.0", "lod"),
            ("RT_WRITE (8) T6 r.0 g.0 b.0 a.0", "rt_write_3d"),
            ("rt_write (8) T6 r.0 g.0 b.0 a.0", "rt_write_3d"),
        ];
        for (line, here) in words {
            let word = line.strip_prefix("(P) ").unwrap_or(line);
            let word = word.split(['.', ' ']).next().unwrap_or_default();
            check_help(
                format,
                &[(
                    line,
                    &format!("unknown instruction `{word}`"),
                    &format!(
                        "dialect manual has this word; in dialect {dialect} the word is `{here}`"
                    ),
                )],
            );
        }
    }
}

#[test]
fn rejects_wrong_info_and_media_ld() {
    check_help(
        Format::MANUAL,
        &[(
            "MEDIA_LD.010 (1, 1) T6 0 0x0:ud 0x0:ud dst.0",
            "expected the modifiers as a decimal number, found `010`",
            "write `.2`",
        )],
    );
    check_message(
        Format::MANUAL,
        &[
            ("(P) RESINFO (8) T6 level.0 dst.0", "`RESINFO` takes no predicate"),
            ("RESINFO T6 level.0 dst.0", "expected an execution size, such as `(8)`, found `T6`"),
            (
                "RESINFO (7) T6 level.0 dst.0",
                "expected an execution size of 1, 2, 4, 8, 16 or 32, found `7`",
            ),
            ("RESINFO (8) T6 dst.0", "expected a general variable, found the end of the line"),
            ("SAMPLEINFO (8) T6 level.0 dst.0", "expected the end of the line, found `dst`"),
            ("RESINF (8) T6 level.0 dst.0", "unknown instruction `RESINF`"),
            ("(P) MEDIA_LD.0 (1, 1) T6 0 0x0:ud 0x0:ud dst.0", "`MEDIA_LD` takes no predicate"),
            ("MEDIA_LD (1, 1) T6 0 0x0:ud 0x0:ud dst.0", "expected `.`, found `(`"),
            (
                "MEDIA_LD.8 (1, 1) T6 0 0x0:ud 0x0:ud dst.0",
                "expected a number from 0 to 7, found `8`",
            ),
            (
                "MEDIA_LD.300 (1, 1) T6 0 0x0:ud 0x0:ud dst.0",
                "`300` is out of range for the bits of the modifiers",
            ),
            ("MEDIA_LD.02 (1, 1) T6 0 0x0:ud 0x0:ud dst.0", "leading zeros are not allowed here"),
            (
                "MEDIA_LD.topp (1, 1) T6 0 0x0:ud 0x0:ud dst.0",
                "expected the bits of the modifiers, such as `0`, found `topp`",
            ),
            ("MEDIA_LD.0 (1) T6 0 0x0:ud 0x0:ud dst.0", "expected `,`, found `)`"),
            (
                "MEDIA_LD.0 (1, 1) T6 0 0x0:ud 0x0:ud",
                "expected a general variable, found the end of the line",
            ),
        ],
    );
}

#[test]
fn rejects_wrong_gather4_typed_and_3d_sample() {
    check_message(
        Format::MANUAL,
        &[
            ("GATHER4_TYPED (8) T6 u.0 v.0 r.0 level.0 dst.0", "expected `.`, found `(`"),
            (
                "GATHER4_TYPED.RGBX (8) T6 u.0 v.0 r.0 level.0 dst.0",
                "expected channels, such as `RGBA`, found `RGBX`",
            ),
            (
                "GATHER4_TYPED.R (8) T6 u.0 v.0 r.0 level.0",
                "expected a general variable, found the end of the line",
            ),
            ("SAMPLE_3d (8) 0x0:uw S0 T6 dst.0 u.0", "expected `.`, found `(`"),
            (
                "SAMPLE_3d.divS.divS.divS.R (8) 0x0:uw S0 T6 dst.0 u.0",
                "expected channels, such as `RGBA`, found `divS`",
            ),
            (
                "SAMPLE_L.divS.divS.R (8) 0x0:uw S0 T6 dst.0 lod.0 u.0",
                "expected channels, such as `RGBA`, found `divS`",
            ),
            (
                "SAMPLE_3d.cps.pixel_null_mask.R (8) 0x0:uw S0 T6 dst.0 u.0",
                "expected channels, such as `RGBA`, found `pixel_null_mask`",
            ),
            (
                "SAMPLE_3d.R.cps (8) 0x0:uw S0 T6 dst.0 u.0",
                "expected an execution size, such as `(8)`, found `.`",
            ),
            ("SAMPLE_X.R (8) 0x0:uw S0 T6 dst.0 u.0", "unknown instruction `SAMPLE_X`"),
            ("SAMPLE_3d.R (8) S0 T6 dst.0 u.0", "expected `(`, found `T6`"),
        ],
    );
    // The binary form has at least one parameter.
    assert!(parsed("SAMPLE_3d.R (8) 0x0:uw S0 T6 dst.0", Format::MANUAL).is_err());
}

#[test]
fn rejects_wrong_rt_write() {
    const MISSING: &str = "expected a general variable, found the end of the line";
    check_message(
        Format::MANUAL,
        &[
            ("RT_WRITE.<A><A> (8) T6 s0a.0 r.0 g.0 b.0 a.0", "`A` is specified more than once"),
            ("RT_WRITE.<A><Z><a> (8) T6 s0a.0 r.0 g.0 b.0 a.0", "`a` is specified more than once"),
            ("RT_WRITE.<AB> (8) T6 r.0 g.0 b.0 a.0", "expected a mode of RT_WRITE, found `AB`"),
            (
                "RT_WRITE. (8) T6 r.0 g.0 b.0 a.0",
                "expected a mode of RT_WRITE, such as `<RTI>`, found `(`",
            ),
            (
                "RT_WRITE.RTI (8) T6 0x0:ub r.0 g.0 b.0 a.0",
                "expected a mode of RT_WRITE, such as `<RTI>`, found `RTI`",
            ),
            ("RT_WRITE (8) T6 r.0 g.0 b.0", MISSING),
            ("RT_WRITE (8) T6", MISSING),
            ("RT_WRITE.<Z> (8) T6 r.0 g.0 b.0 a.0", MISSING),
            ("RT_WRITE.<A><O><Z><ST> (8) T6 s0a.0 om.0 r.0 g.0 b.0 a.0 depth.0", MISSING),
            ("RT_WRITE.<RTI> (8) T6 0x0:ub r.0 g.0 b.0", MISSING),
            (
                "RT_WRITE.<RTI> (8) T6 r.0 g.0 b.0 a.0",
                "expected a row and a column, such as `(0,0)`, found `.`",
            ),
            (
                "RT_WRITE (8) T6 header.0 r.0 g.0 b.0 a.0 depth.0",
                "expected the end of the line, found `depth`",
            ),
            ("RT_WRITE (8) T6 r.0 g.0 b.0 c.0", "`c` is not declared"),
            ("RT_WRITE (8) r.0 g.0 b.0 a.0", "expected a surface, found general variable `r`"),
        ],
    );
}
