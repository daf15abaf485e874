//! Tests of the tokens of version 4.2: suffixes, numbers, expressions, names and line breaks.

use genvisa::text::Document;
use genvisa::text::parse;
use genvisa::{Format, Version};

use super::grammar_4_2::{assert_same, error, printed, source};

#[test]
fn blanks_may_precede_suffixes() {
    for line in [
        "mov.sat (M1,16) A(0,0)<1> 0x1:d",
        "min.sat (M1,16) A(0,0)<1> A(0,0)<1;1,0> A(0,0)<1;1,0>",
        "cmp.eq (M1,16) P D(0,0)<1;1,0> 0x1:d",
        "(P.any) mov (M1,16) D(0,0)<1> 0x1:d",
        "sample_3d.pixel_null_mask.RGBA (M1,16) 0x0:uw S0 T6 %null.0 A.0 A.0 A.0 A.0",
        "rt_write_3d.<A> (M1,16) T6 A.0 A.0 A.0 A.0 A.0 A.0",
        "raw_sends.3.1.0.1 (M1,16) 0x0:ud 0x02000000:ud D.0 D.64 D.128",
        "media_ld.nomod (4,4) T6 0x0:ud 0x0:ud D.0",
        "svm_block_ld.aligned (4) U(0,0)<0;1,0> D.0",
        "svm_gather.4.1 (M1,16) U.0 D.0",
        "fence_global.IR",
    ] {
        assert_same(&line.replacen('.', " .", 1), line);
    }
    assert_same("oword_ld (4) T6 0x0:ud D .64", "oword_ld (4) T6 0x0:ud D.64");
    for line in
        ["sbarrier. signal", "sbarrier .signal", "lifetime .start D", "nbarrier. wait 0x1:ub"]
    {
        let (word, _) = line.split_once(['.', ' ']).expect("a suffix");
        let message = format!("blanks cannot separate `{word}` from its suffix");
        assert_eq!(error(line), message, "{line}");
    }
}

#[test]
fn expressions_have_64_bits() {
    let assert_value = |expression: &str, value: &str| {
        assert_same(&format!("mov (M1,16) {expression}"), &format!("mov (M1,16) {value}"));
    };
    assert_value("U(0,0)<1> (0xffffffffffffffff*2):uq", "U(0,0)<1> 0xfffffffffffffffe:uq");
    assert_value("U(0,0)<1> (0x7fffffffffffffff+1):q", "U(0,0)<1> 0x8000000000000000:q");
    assert_value("U(0,0)<1> -(0xffffffffffffffff):uq", "U(0,0)<1> 0x1:uq");
    assert_value("D(0,0)<1> (0xffffffff+1):d", "D(0,0)<1> 0x0:d");
    assert_value("D(0,0)<1> (1<<40):d", "D(0,0)<1> 0x0:d");
    assert_value("H(0,0)<1> (200+100):ub", "H(0,0)<1> 0x2c:ub");
    assert_value("D(0,0)<1> (%sizeof I?7:8):d", "D(0,0)<1> 0x7:d");
    let warnings = |line: &str| {
        let assembly =
            Document::parse(source(line), Format::V4_2).into_result().expect("legal text");
        assembly.warnings.iter().map(ToString::to_string).collect::<Vec<_>>()
    };
    assert_eq!(
        warnings("mov (M1,16) U(0,0)<1> (0xffffffffffffffff*2):uq"),
        [] as [&str; 0],
        "these are the bits of -2"
    );
    assert_eq!(
        warnings("mov (M1,16) U(0,0)<1> (0x7fffffffffffffff*4):uq"),
        ["this expression overflows 64 bits: its lowest bits are used"]
    );
    assert_eq!(
        warnings("mov (M1,16) D(0,0)<1> (0xffffffff+1):d"),
        ["`(0xffffffff+1):d` is out of range for type `d`: its lowest bits are used"]
    );
    for wrong in ["(1/0)", "(1%0)", "(1<<64)", "(1>>-1)"] {
        let message =
            "this expression has no value: it divides by zero, or a shift or quotient is undefined";
        assert_eq!(error(&format!("mov (M1,16) D(0,0)<1> {wrong}:d")), message);
    }
    for wrong in ["(1<2<3)", "(1<<2<<3)", "(1>>2>>>3)", "(1==2==0)", "(1!=2==0)"] {
        let message = "operators of this kind cannot be chained";
        assert_eq!(error(&format!("mov (M1,16) D(0,0)<1> {wrong}:d")), message);
    }
    assert_value("D(0,0)<1> ((1<2)<3):d", "D(0,0)<1> 0x1:d");
    assert_value("D(0,0)<1> (1<2==1):d", "D(0,0)<1> 0x1:d");
    assert_same("addr_add (M1,4) AD(0)<1> &D[4+4] 0x8:uw", "addr_add (M1,4) AD(0)<1> &D[8] 0x8:uw");
    assert_same(
        "media_ld.nomod (2*2,4) T6 0x0:ud 0x0:ud D.0",
        "media_ld.nomod (4,4) T6 0x0:ud 0x0:ud D.0",
    );
}

#[test]
fn numbers_without_expressions() {
    for line in ["mov (M1,(8+8)) D(0,0)<1> 0x1:d", "mov (M1,0x10) D(0,0)<1> 0x1:d"] {
        assert!(error(line).starts_with("expected an execution size"), "{line}");
    }
    for offset in ["!5", "-0", "0x40", "~0"] {
        let line = format!("oword_ld (4) T6 0x0:ud D.{offset}");
        assert!(error(&line).starts_with("expected an offset in bytes"), "{line}");
    }
    assert_same("oword_ld (4) T6 0x0:ud D.(32+32)", "oword_ld (4) T6 0x0:ud D.64");
    assert_eq!(error("mov (M1,16) A(0,0)<1> 1.5 :f"), "the type must follow the fraction directly");
}

#[test]
fn names_that_only_older_text_has() {
    assert_eq!(error("oword_st (4) T6 0x0:ud %null.33"), "the offset of `%null` is 0");
    assert_eq!(
        error("lsc_load.ugm (M1, 16) %null.33:d32 flat[U]:a64"),
        "the offset of `%null` is 0"
    );
    for (number, name) in [("T0", "%slm"), ("T3", "TSS"), ("T4", "%bss"), ("T5", "%scratch")] {
        let line = format!("oword_ld (4) {number} 0x0:ud D.0");
        assert_eq!(error(&line), format!("`{number}` is not declared"));
        printed(&line.replace(number, name));
        let older = source(&line).replace("4.2", "4.1");
        assert!(parse(older, Format::igc2026(Version::V4_1)).is_ok(), "{line}");
    }
    let message = "the label `add` must be in quotes here: it is a reserved word";
    assert_eq!(error("goto (M1,16) add\nadd:"), message);
    printed("goto (M1,16) \"add\"\nadd:");
}

#[test]
fn carriage_returns_are_parts_of_line_breaks() {
    assert_same("barrier\r\nbarrier\r", "barrier\nbarrier");
    error("mov (M1,16)\rD(0,0)<1> 0x1:d");
    error("barrier\rbarrier");
    error("\rbarrier");
}
