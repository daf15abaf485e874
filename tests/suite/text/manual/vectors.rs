//! The same instructions in the syntax of the pages and of the readers.

use genvisa::Format;

use super::{CASES, READERS, assembled, change_case, first_instruction, printed};

/// Checks that text in the syntax of a page is printed unchanged, and means the same as the text in
/// the syntax of the readers.
fn check(page: &str, readers: &str) {
    let module = assembled(page, Format::MANUAL);
    assert_eq!(printed(&module), page);
    for format in READERS {
        let other = assembled(readers, format);
        assert_eq!(
            first_instruction(&other),
            first_instruction(&module),
            "{page}: {readers} in {format}"
        );
        assert_eq!(printed(&other), readers, "{format}");
    }
    for change in CASES {
        check_alternative(&change_case(page, change), page);
    }
}

/// Checks that another form means the same as the form on the page.
fn check_alternative(other: &str, page: &str) {
    let module = assembled(other, Format::MANUAL);
    assert_eq!(module, assembled(page, Format::MANUAL), "{other}");
}

#[test]
fn parses_and_prints_info() {
    check("RESINFO (8) T6 level.0 dst.0", "resinfo.RGBA (M1, 8)  T6 level.0 dst.0");
    check("RESINFO (32) T6 level.4 dst.32", "resinfo.RGBA (M1, 32)  T6 level.4 dst.32");
    check("SAMPLEINFO (16) T6 dst.0", "sampleinfo.RGBA (M1, 16)  T6 dst.0");
    check_alternative("RESINFO(8)T6 level.0 dst.0", "RESINFO (8) T6 level.0 dst.0");
}

#[test]
fn parses_and_prints_execution_masks() {
    const MASKS: [&str; 15] = [
        "M2", "M3", "M4", "M5", "M6", "M7", "M8", "M1_NM", "M2_NM", "M3_NM", "M4_NM", "M5_NM",
        "M6_NM", "M7_NM", "M8_NM",
    ];
    for mask in MASKS {
        check(
            &format!("SAMPLEINFO ({mask}, 8) T6 dst.0"),
            &format!("sampleinfo.RGBA ({mask}, 8)  T6 dst.0"),
        );
    }
    check_alternative("SAMPLEINFO (M1, 8) T6 dst.0", "SAMPLEINFO (8) T6 dst.0");
    check_alternative("SAMPLEINFO (NoMask, 8) T6 dst.0", "SAMPLEINFO (M1_NM, 8) T6 dst.0");
    check_alternative("SAMPLEINFO (nomask, 8) T6 dst.0", "SAMPLEINFO (M1_NM, 8) T6 dst.0");
}

#[test]
fn parses_and_prints_media_ld() {
    const NAMES: [&str; 6] = ["nomod", "modified", "top", "bottom", "top_mod", "bottom_mod"];
    for (bits, name) in NAMES.into_iter().enumerate() {
        let operands = "T6 0 0x10:ud y(0,0)<0;1,0> dst.0";
        let page = format!("MEDIA_LD.{bits} (32, 8) {operands}");
        let readers = format!("media_ld.{name} (32,8) {operands}");
        check(&page, &readers);
        // Names are accepted.
        check_alternative(&readers, &page);
    }
    check(
        "MEDIA_LD.0 (64, 4) T6 3 x(1,2)<0;1,0> 0xffffffff:ud dst.32",
        "media_ld.nomod (64,4) T6 3 x(1,2)<0;1,0> 0xffffffff:ud dst.32",
    );
    let operands = "(1, 1) T6 0 0x0:ud 0x0:ud dst.0";
    for (other, bits) in [("top_field", 2), ("bottom_field", 3), ("TOP_FIELD", 2), ("Nomod", 0)] {
        check_alternative(
            &format!("MEDIA_LD.{other} {operands}"),
            &format!("MEDIA_LD.{bits} {operands}"),
        );
    }
    // Codes that neither the pages nor the readers define, but that fit in three bits.
    for bits in [6, 7] {
        let page = format!("MEDIA_LD.{bits} {operands}");
        assert_eq!(printed(&assembled(&page, Format::MANUAL)), page);
    }
}

#[test]
fn parses_and_prints_gather4_typed() {
    // The list of the page, and the masks that are missing from it.
    const CHANNELS: [&str; 16] = [
        "R", "G", "B", "A", "RG", "RB", "RA", "RGB", "RGBA", "GB", "GA", "GBA", "BA", "RGA", "RBA",
        "0000",
    ];
    for channels in CHANNELS {
        check(
            &format!("GATHER4_TYPED.{channels} (8) T6 u.0 v.0 r.0 level.0 dst.0"),
            &format!("gather4_typed.{channels} (M1, 8) T6 u.0 v.0 r.0 level.0 dst.0"),
        );
    }
    for pred in ["(P)", "(!P)", "(P.any)", "(!P.all)"] {
        check(
            &format!("{pred} GATHER4_TYPED.R (M5_NM, 8) T6 u.0 %null.0 %null.0 level.4 dst.32"),
            &format!("{pred} gather4_typed.R (M5_NM, 8) T6 u.0 %null.0 %null.0 level.4 dst.32"),
        );
    }
}

/// Operations of 3D_SAMPLE.md and their parameters.
const SAMPLES: [(&str, &str, &str); 11] = [
    ("SAMPLE_3d", "sample_3d", "u v r ai"),
    ("SAMPLE_B", "sample_b", "bias u v r ai"),
    ("SAMPLE_L", "sample_l", "level u v r ai"),
    ("SAMPLE_C", "sample_c", "ref u v r ai"),
    ("SAMPLE_D", "sample_d", "u dudx dudy v dvdx dvdy r drdx drdy ai"),
    ("SAMPLE_B_C", "sample_b_c", "ref bias u v r ai"),
    ("SAMPLE_L_C", "sample_l_c", "ref level u v r ai"),
    ("LOD", "lod", "u v r ai"),
    ("SAMPLE_D_C", "sample_d_c", "ref u dudx dudy v dvdx dvdy r drdx drdy ai"),
    ("SAMPLE_LZ", "sample_lz", "u v r ai"),
    ("SAMPLE_C_LZ", "sample_c_lz", "ref u v r ai"),
];

#[test]
fn parses_and_prints_sample_3d() {
    for (word, readers, params) in SAMPLES {
        let params: Vec<String> = params.split(' ').map(|name| format!("{name}.0")).collect();
        // Trailing parameters may be missing.
        for count in 1..=params.len() {
            let params = params[..count].join(" ");
            check(
                &format!("{word}.RGBA (8) 0x0:uw S0 T6 dst.0 {params}"),
                &format!("{readers}.RGBA (M1, 8)  0x0:uw S0 T6 dst.0 %null.0 {params} //@ paired"),
            );
        }
        let params = params.join(" ");
        for flags in 0..8 {
            let suffixes: String = [".pixel_null_mask", ".cps", ".divS"]
                .into_iter()
                .enumerate()
                .filter(|(bit, _)| flags >> bit & 1 != 0)
                .map(|(_, suffix)| suffix)
                .collect();
            check(
                &format!("(!P) {word}{suffixes}.GA (M2, 16) 0x87f:uw S0 T6 dst.32 {params}"),
                &format!(
                    "(!P) {readers}{suffixes}.GA (M2, 16)  0x87f:uw S0 T6 dst.32 %null.0 {params} //@ paired"
                ),
            );
        }
    }
    let sample = "SAMPLE_3d.cps.divS.R (8) 0x0:uw S0 T6 dst.0 u.0";
    check_alternative(&sample.replace(".divS", ".divS.divS"), sample);
    // The maximum number of parameters, and an offset that is an operand.
    let params = ["u.0"; 15].join(" ");
    check(
        &format!("LOD.R (8) x(0,0)<0;1,0> S0 T6 dst.0 {params}"),
        &format!("lod.R (M1, 8)  x(0,0)<0;1,0> S0 T6 dst.0 %null.0 {params} //@ paired"),
    );
}

#[test]
fn parses_and_prints_rt_write() {
    // The modes in the order of the page, and their operands.
    const MODES: [(&str, &str); 11] = [
        ("A", "s0a.0 r.0 g.0 b.0 a.0"),
        ("O", "om.0 r.0 g.0 b.0 a.0"),
        ("CPS", "cps(0,0)<0;1,0> r.0 g.0 b.0 a.0"),
        ("PS", "r.0 g.0 b.0 a.0"),
        ("CM", "r.0 g.0 b.0 a.0"),
        ("SI", "si(0,0)<0;1,0> r.0 g.0 b.0 a.0"),
        ("ST", "r.0 g.0 b.0 a.0 stencil.0"),
        ("LRTW", "r.0 g.0 b.0 a.0"),
        ("RTI", "0x7:ub r.0 g.0 b.0 a.0"),
        ("Z", "r.0 g.0 b.0 a.0 depth.0"),
        ("NULLRT", "r.0 g.0 b.0 a.0"),
    ];
    let check_mode = |mode: &str, readers: &str, operands: &str| {
        check(
            &format!("RT_WRITE{mode} (8) T6 {operands}"),
            &format!("rt_write_3d{readers} (M1, 8) T6 %null.0 {operands}"),
        );
        // An explicit null header is the same.
        check_alternative(
            &format!("RT_WRITE{mode} (8) T6 %null.0 {operands}"),
            &format!("RT_WRITE{mode} (8) T6 {operands}"),
        );
        for header in ["header.0", "header.64", "%null.4"] {
            check(
                &format!("(P.any) RT_WRITE{mode} (M2, 16) T6 {header} {operands}"),
                &format!("(P.any) rt_write_3d{readers} (M2, 16) T6 {header} {operands}"),
            );
        }
    };
    check_mode("", "", "r.0 g.0 b.0 a.64");
    for (mode, operands) in MODES {
        let mode = format!(".<{mode}>");
        check_mode(&mode, &mode, operands);
    }
    check_mode(
        ".<A><O><CPS><PS><CM><SI><ST><LRTW><RTI><Z><NULLRT>",
        ".<RTI><A><O><Z><ST><LRTW><CPS><PS><CM><SI><NULLRT>",
        "(-)si(1,2)<0;1,0> A(2)<8> 0x7:ub s0a.0 om.2 r.0 g.0 b.0 a.0 depth.0 stencil.0",
    );
    check_mode(".<A><O><ST><Z>", ".<A><O><Z><ST>", "s0a.0 om.0 r.0 g.0 b.0 a.0 depth.0 stencil.0");
    // Any order, and any operand where a vector or a scalar is expected.
    check_mode(".<CPS><RTI>", ".<RTI><CPS>", "P r[A(1),2]<0;1,0>:ub r.0 g.0 b.0 a.0");
    check_mode(".<SI><RTI>", ".<RTI><SI>", "T6(0) S0(0) r.0 g.0 b.0 a.0");
    for mode in ["<Z><LRTW><A>", "<LRTW><A><Z>", "<lrtw><z><a>"] {
        check_alternative(
            &format!("RT_WRITE.{mode} (8) T6 s0a.0 r.0 g.0 b.0 a.0 depth.0"),
            "RT_WRITE.<A><LRTW><Z> (8) T6 s0a.0 r.0 g.0 b.0 a.0 depth.0",
        );
    }
}
