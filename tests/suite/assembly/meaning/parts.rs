//! Missing, repeated and extra parts of statements are rejected, and words have suggestions.

use super::*;

#[test]
fn rejects_repeated_and_missing_parts() {
    check_rejected(&[
        (
            "rt_write_3d. (M1, 8) T6 %null.0 F.0 F.0 F.0 F.0",
            "expected a mode of RT_WRITE, such as `<RTI>`, found `(`",
        ),
        (
            "rt_write_3d.<RTI><RTI> (M1, 8) T6 %null.0 0x0:ud F.0 F.0 F.0 F.0",
            "`RTI` is specified more than once",
        ),
        ("fence_global.EE", "expected fence options in the order `EISCRL1`, found `EE`"),
        ("fence_global.IE", "expected fence options in the order `EISCRL1`, found `IE`"),
        (
            "fence_global.",
            "expected fence options in the order `EISCRL1`, found the end of the line",
        ),
        ("fence_sw.E", "expected the end of the line, found `.`"),
        (
            "raw_sends.2.eot.eot.1.1.1 (M1, 8) 0x0:ud 0x0:ud D.0 D.0 D.0",
            "expected a number, found `eot`",
        ),
        (
            "raw_sends.2.1.eot.1.1 (M1, 8) 0x0:ud 0x0:ud D.0 D.0 D.0",
            "`.eot` must precede the three lengths",
        ),
        (
            "raw_sends.2.1.1.1.1 (M1, 8) 0x0:ud 0x0:ud D.0 D.0 D.0",
            "expected an execution size, found `1`",
        ),
        (
            "raw_sends.2.1 (M1, 8) 0x0:ud 0x0:ud D.0 D.0 D.0",
            "expected 4 numbers (a function id and three lengths), found 2",
        ),
        ("switchjmp (M1, 1) 0x0:ud ()", "expected a label, found `)`"),
        (
            &format!("switchjmp (M1, 1) 0x0:ud ({})", ["l"; 33].join(", ")),
            "expected at most 32 labels, found 33",
        ),
        (
            &format!("sample_b.R (M1, 8) 0x0:uw S0 T6 F.0 %null.0{}", " F.0".repeat(16)),
            "expected at most 15 parameters, found 16",
        ),
        (
            "cmp.le.le (M1, 8) P D(0,0)<1;1,0> 0x0:d",
            "expected an execution size, such as `(M1, 8)`, found `.`",
        ),
        (
            "add.sat.sat (M1, 8) D(0,0)<1> D(0,0)<1;1,0> 0x0:d",
            "expected an execution size, such as `(M1, 8)`, found `.`",
        ),
        (
            "sample_b.cps.cps.R (M1, 8) 0x0:uw S0 T6 F.0 %null.0 F.0",
            "expected channels, such as `RGBA`, found `cps`",
        ),
        (
            "sample_b.RR (M1, 8) 0x0:uw S0 T6 F.0 %null.0 F.0",
            "expected channels, such as `RGBA`, found `RR`",
        ),
    ]);
    check_accepted(&[
        ("fence_local.", "fence_local"),
        ("fence_global.EISCRL1", "fence_global.EISCRL1"),
        (
            "raw_sends_eot.2.1.1.1 (M1, 8) 0x0:ud 0x0:ud D.0 D.0 D.0",
            "raw_sends_eot.2.1.1.1 (M1, 8)  0x0:ud 0x0:ud D.0 D.0 D.0",
        ),
        (
            "raw_sends.2.eot.1.1.1 (M1, 8) 0x0:ud 0x0:ud D.0 D.0 D.0",
            "raw_sends_eot.2.1.1.1 (M1, 8)  0x0:ud 0x0:ud D.0 D.0 D.0",
        ),
        (
            "raw_sendsc.1.1.1 (M1, 8) 0x0:ud 0x0:ud D.0 D.0 D.0",
            "raw_sendsc.1.1.1 (M1, 8)  0x0:ud 0x0:ud D.0 D.0 D.0",
        ),
        (
            "rt_write_3d.<A><RTI> (M1, 8) T6 %null.0 0x0:ud F.0 F.0 F.0 F.0 F.0",
            "rt_write_3d.<RTI><A> (M1, 8) T6 %null.0 0x0:ud F.0 F.0 F.0 F.0 F.0",
        ),
    ]);
}

#[test]
fn rejects_extra_parts_of_lsc_messages() {
    check_rejected(&[
        ("lsc_load.ugm (M1, 8) D:d32 flat[D,0x4]:a32", "expected `]`, found `,`"),
        ("lsc_load.ugm (M1, 8) D:d32 flat[D,D]:a32", "expected `]`, found `,`"),
        ("lsc_load.ugm (M1, 8) D:d32.x flat[D]:a32", "expected an address model, found `.`"),
        (
            "lsc_load_quad.ugm (M1, 8) D:d32 flat[D]:a32",
            "expected `.` and channels, such as `.xyzw`, found `flat`",
        ),
        (
            "lsc_load_quad.ugm (M1, 8) D:d32x4 flat[D]:a32",
            "expected channels, such as `.xyzw` (IGC miscompiles `x4`: it would become `.z`), found `x4`",
        ),
        (
            "lsc_load_quad.ugm (M1, 8) D:d32. flat[D]:a32",
            "expected channels in the order `xyzw`, found `flat`",
        ),
        (
            "lsc_load_quad.ugm (M1, 8) D:d32.yx flat[D]:a32",
            "expected channels in the order `xyzw`, found `yx`",
        ),
        (
            "lsc_load_quad.ugm (M1, 8) D:d32.xx flat[D]:a32",
            "expected channels in the order `xyzw`, found `xx`",
        ),
        (
            "lsc_load.ugm.ca.ca.ca.ca (M1, 8) D:d32 flat[D]:a32",
            "expected an execution size, such as `(M1, 8)`, found `.`",
        ),
        (
            "lsc_load.ugm.ca.ca.ca (M1, 8) D:d32 flat[D]:a32",
            "l2: this field cannot be expressed in dialect igc2026, version 4.1",
        ),
        (
            "lsc_apndctr_atomic_add.ugm (M1, 8) D:d32 bti(0x1) D:d64",
            "the source and the destination must have the same data size",
        ),
        (
            "lsc_apndctr_atomic_add.ugm (M1, 8) D:d32 bti(0x1) D:d32x2",
            "the source and the destination must have the same data size",
        ),
        (
            "lsc_load.ugm (M1, 8) D:d32x5 flat[D]:a32",
            "expected an element count of 1, 2, 3, 4, 8, 16, 32 or 64, such as `x4`, found `x5`",
        ),
        (
            "lsc_load.ugm (M1, 8) D:d32 flat[D+0x80000000]:a32",
            "`2147483648` is out of range for an offset",
        ),
        (
            "lsc_load.ugm (M1, 8) D:d32 flat[D--0x8000000000000000]:a32",
            "`9223372036854775808` is out of range for an offset",
        ),
        (
            "lsc_load.ugm (M1, 8) D:d32 flat[D--9223372036854775808]:a32",
            "compilers read decimal numbers up to 2147483647 here",
        ),
        ("lsc_load_quad.tgm (M1, 8) D:d32.x bti(0x1)[D,D,D,D+0x4]:a32", "a LOD takes no offset"),
        ("lsc_read_state_info.ugm D bti(0x1)[D]", "expected `tgm`, found `ugm`"),
        ("lsc_read_state_info.slm D bti(0x1)[D]", "expected `tgm`, found `slm`"),
    ]);
    check_accepted(&[
        (
            "lsc_load_strided.ugm (M1, 8) D:d32 flat[D,0x4]:a32",
            "lsc_load_strided.ugm (M1, 8)  D:d32  flat[D, 0x4]:a32",
        ),
        (
            "lsc_load_quad.ugm (M1, 8) D:d32.xw flat[D]:a32",
            "lsc_load_quad.ugm (M1, 8)  D:d32.xw  flat[D]:a32",
        ),
        ("lsc_read_state_info.tgm D bti(0x1)[D]", "lsc_read_state_info.tgm  D  bti(0x1)[D]"),
        (
            "lsc_apndctr_atomic_add.ugm (M1, 8) D:d32 bti(0x1) D:d32",
            "lsc_apndctr_atomic_add.ugm (M1, 8)  D:d32  bti(0x1)  D:d32",
        ),
    ]);
}

#[test]
fn mistyped_words_get_suggestions() {
    let cases = [
        (".implicit_LOCAL_IDD D", ".implicit_LOCAL_ID"),
        ("fence_globall", "fence_global"),
        ("fccal (M1, 1) f", "fccall"),
        ("kernel \"k\"", ".kernel"),
        (".kernal \"k\"", ".kernel"),
        (".decl V v_type=G type=int num_elts=8", "d"),
        (".decl V v_type=G type=float num_elts=8", "f"),
        ("lsc_laod.ugm (M1, 8) D:d32 flat[D]:a32", "lsc_load"),
        ("svm_gathr.4.1 (M1, 8) U.0 D.0", "svm_gather"),
        ("sample4_cc.R (M1, 8) 0x0:uw S0 T6 F.0 %null.0 F.0", "sample4_c"),
        ("load_mc.R (M1, 8) 0x0:uw T6 F.0 %null.0 F.0", "load_mcs"),
        ("raw_sendgc_eo.1", "raw_sendgc_eot"),
        ("sample_lzz.R (M1, 8) 0x0:uw S0 T6 F.0 %null.0 F.0", "sample_lz"),
        ("va.conolve", "convolve"),
    ];
    for (text, expected) in cases {
        let found = parsed(text, formats()[1]).expect_err(text);
        let expected = format!("did you mean `{expected}`?");
        assert_eq!(found[0].help.as_deref(), Some(&*expected), "{text}: {}", found[0]);
    }
    let found = parse(".kernal \"k\"\nbarrier\n", formats()[0]).expect_err("no kernel");
    assert_eq!(found[0].to_string(), "unknown directive `.kernal`");
    assert_eq!(found[0].help.as_deref(), Some("did you mean `.kernel`?"));
    assert_eq!(found.len(), 1);
}

#[test]
fn diagnostics_cut_long_tokens() {
    let long = "x".repeat(100_000);
    let digits = "9".repeat(100_000);
    let lines = [
        format!("{long} (M1, 8)"),
        format!(".{long}"),
        format!("mov (M1, 8) {long}(0,0)<1> 0x0:d"),
        format!("mov (M1, 8) D(0,0)<1> 0x0:{long}"),
        format!("mov (M1, 8) D(0,0)<1> {digits}:d"),
        format!("mov (M1, 8) D(0,0)<1> 1.{digits}:d"),
        format!("mov (M1, 8) D(0,0)<1> 0x0:d {long}"),
        format!("mov ({long}, 8) D(0,0)<1> 0x0:d"),
        format!("(P) {long} (M1, 8)"),
        format!(".decl V v_type=G type={long} num_elts=8"),
        format!(".decl {long} v_type=P num_elts=8\n.decl {long} v_type=P num_elts=8"),
        format!(".decl {long} v_type=P num_elts=8\nadd (M1, 8) D.0 {long}.0 D.0"),
        format!(".decl V v_type=G type=d num_elts=8 align={long}"),
        format!("jmp (M1, 1) {long}"),
        format!("{long}:\n{long}:"),
        format!("bfn.x{long} (M1, 8)"),
        format!("lsc_{long}.ugm (M1, 8)"),
        format!("rt_write_3d.<{long}> (M1, 8)"),
        format!("FILE \"\\{long}\""),
        format!(".function \"{long}\"\n.function \"{long}\""),
        format!(".input {long}"),
        format!(".kernel_attr {long} {long}"),
        format!("va.{long}"),
    ];
    for text in &lines {
        let found = parsed(text, formats()[1]).expect_err("wrong");
        for diagnostic in &found {
            let shown = diagnostic.to_string();
            assert!(shown.len() < 300, "{:.60}: {:.100}", text, shown);
            assert!(diagnostic.found.len() < 50, "{text:.60}");
            assert!(diagnostic.help.as_ref().is_none_or(|help| help.len() < 300), "{text:.60}");
        }
    }
}
