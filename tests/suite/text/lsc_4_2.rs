//! LSC messages in the text of 4.2.

use std::fs;

use genvisa::text::{Listing, Style};
use genvisa::{Format, text};

const DECLARATIONS: &str = "\
.version 4.2
.kernel \"k\"
.decl A v_type=G type=d num_elts=64 align=GRF
.decl B v_type=G type=d num_elts=64 align=GRF
.decl C v_type=G type=ud num_elts=128 align=GRF
.decl D v_type=G type=ud num_elts=1024 align=GRF
.decl U v_type=G type=uq num_elts=64 align=GRF
.decl S v_type=G type=uq num_elts=8 align=qword
.decl I v_type=G type=d num_elts=8 align=dword
.kernel_attr Target=\"cm\"
";

/// Returns the text of an instruction after it was parsed, or the first error.
fn printed(line: &str) -> Result<String, String> {
    let source = format!("{DECLARATIONS}{line}\n");
    let module = match text::parse(&source, Format::V4_2) {
        Ok(module) => module,
        Err(errors) => return Err(errors[0].to_string()),
    };
    let mut text = String::new();
    let routine = module.routines().next().expect("a kernel");
    Listing::new(routine).with_style(Style::Complete).write_to(&mut text).expect("printable");
    let last = text.lines().rfind(|line| line.contains("lsc_")).expect("an instruction");
    Ok(instruction(last).expect("an LSC message").to_owned())
}

#[track_caller]
fn assert_printed(line: &str, expected: &str) {
    assert_eq!(printed(line).as_deref(), Ok(expected), "{line}");
    assert_eq!(printed(expected).as_deref(), Ok(expected), "{line}");
}

/// Checks that texts are printed as they are.
#[track_caller]
fn assert_same(lines: &[&str]) {
    for line in lines {
        assert_printed(line, line);
    }
}

#[track_caller]
fn assert_refused(line: &str, expected: &str) {
    let error = printed(line).expect_err(line);
    assert!(error.contains(expected), "{line}: {error}");
}

#[test]
fn suffixes() {
    assert_same(&[
        "lsc_load.ugm.ca.ca (M1, 16)  A:d32  flat[U]:a64",
        "lsc_load.ugm.ca.uc.ca (M1, 16)  A:d32  flat[U]:a64",
        "lsc_load.ugm.ri.ri.ri (M1, 16)  A:d32  flat[U]:a64",
        "lsc_load.ugm.ov (M1_NM, 1)  A:d32x16t  flat[U]:a64",
        "lsc_load.ugm.ca.ca.ca.ov (M1_NM, 1)  A:d32x16t  flat[U]:a64",
        "lsc_load_quad.ugm.ov (M1, 16)  D:d32.x  flat[U]:a64",
        "lsc_atomic_iadd.tgm.msaa (M1, 16)  A:d32  surf(S)[A,B,C,A]:a32u  B  %null",
        "lsc_store_quad.tgm.uc.uc.uc (M1, 16)  bti(0x1)[A]:a32  D:d32.xy",
    ]);
    let plain = "lsc_load.ugm (M1, 16)  A:d32  flat[U]:a64";
    assert_printed("lsc_load.ugm.df.df.df (M1,16) A:d32 flat[U]:a64", plain);
    assert_printed("lsc_load.ugm.df.df (16) A:d32 [U]:a64", plain);
    assert_printed(
        "lsc_load .ugm .ca .ca .uc (M1,16) A:d32 flat[U]:a64",
        "lsc_load.ugm.ca.ca.uc (M1, 16)  A:d32  flat[U]:a64",
    );
    for (head, error) in [
        ("lsc_load.ugm.ca", "expected a cache control of L3"),
        ("lsc_load.ugm.ca.df.ca", "all must be"),
        ("lsc_load.ugm.ov.ca.ca.ca", "expected an execution size"),
        ("lsc_load.slm.ov", "can have the suffix `.ov`"),
        ("lsc_load.ugm.msaa", "can have the suffix `.msaa`"),
        ("lsc_load.tgm", "expected `ugm`, `ugml` or `slm`, found `tgm`"),
        ("lsc_read_state_info.ugm", "expected `tgm`, found `ugm`"),
    ] {
        assert_refused(&format!("{head} (M1,16) A:d32 flat[U]:a64"), error);
    }
}

#[test]
fn bases_and_surfaces() {
    let load = |address: &str| format!("lsc_load.ugm (M1, 16)  A:d32  {address}");
    for (address, expected) in [
        ("flat(S)[A]:a32s", "flat(S)[A]:a32s"),
        ("flat(S)[4*A]:a32u", "flat(S)[0x4*A]:a32u"),
        ("flat(S)[(2+2)*A+(8*2)]:a32s", "flat(S)[0x4*A+0x10]:a32s"),
        ("flat(S)[3*A-16*4]:a32s", "flat(S)[0x3*A-0x40]:a32s"),
        ("flat[U+4*4-2]:a64", "flat[U+0xe]:a64"),
        ("flat(S.1)[A]:a32s", "flat(S(0,1))[A]:a32s"),
        ("flat(S(0,1))[A]:a32s", "flat(S(0,1))[A]:a32s"),
        ("flat(0x123456789a)[A]:a32s", "flat(0x123456789A)[A]:a32s"),
        ("flat(0x0)[U]:a64", "flat[U]:a64"),
        ("flat(S)[%null]", "flat(S)[%null]"),
        ("flat(S)[%null]:a32u", "flat(S)[%null]"),
        ("flat(S)[0*A]:a32u", "flat(S)[0x0*A]:a32u"),
        ("surf(S,0x1f)[A]:a32u", "surf(S,0x1F)[A]:a32u"),
        ("surf(S(0,1),3)[4*A+8]:a32u", "surf(S(0,1),0x3)[0x4*A+0x8]:a32u"),
        ("surf(0x1DEADBEEF,1+1)[A]:a32u", "surf(0x1DEADBEEF,0x2)[A]:a32u"),
        ("surf(-1)[A]:a32u", "surf(0xFFFFFFFFFFFFFFFF)[A]:a32u"),
        ("surf(0xf000000000000000|1)[A]:a32u", "surf(0xF000000000000001)[A]:a32u"),
        ("bti(1+1)[A]:a32", "bti(0x2)[A]:a32"),
        ("flat[U+4+%sizeof(S)]:a64", "flat[U+0x44]:a64"),
        ("flat(S)[%sizeof(A)*A]:a32s", "flat(S)[0x100*A]:a32s"),
        ("bss(I.2)[A+0x100]:a32", "bss(I(0,2))[A+0x100]:a32"),
        ("arg[A]:a32", "arg[A]:a32"),
    ] {
        assert_printed(&load(address), &load(expected));
    }
    for (address, error) in [
        ("flat(S,3)[A]:a32s", "expected `)`"),
        ("ss(0x123456789A)[A]:a32", "out of range for a 32-bit number"),
        ("surf(-0xffffffffffffffff)[A]:a32u", "out of range for a 64-bit number"),
        ("flat(S)[4*2*A]:a32u", "expected a general variable"),
        ("flat(S)[A]", "expected an address size"),
    ] {
        assert_refused(&load(address), error);
    }
}

#[test]
fn data() {
    let load = |data: &str| format!("lsc_load.ugm (M1, 16)  A:{data}  flat[U]:a64");
    for (data, expected) in [
        ("u32x2", "d32x2"),
        ("u64", "d64"),
        ("u8c32", "d8u32"),
        ("d16c32h", "d16u32h"),
        ("u16c32", "d16u32"),
        ("d32x1", "d32"),
    ] {
        assert_printed(&load(data), &load(expected));
    }
    assert_refused(&load("u16u32"), "expected an element count");
    assert_refused(&load("d32x5"), "expected an element count");
    let quad = |data: &str| format!("lsc_load_quad.ugm (M1, 16)  D:{data}  flat[U]:a64");
    assert_printed(&quad("d8u32.x"), &quad("d8c32.x"));
    assert_printed(&quad("u32.xz"), &quad("d32.xz"));
    assert_refused(&quad("d32.yx"), "channels in the order");
    assert_same(&["lsc_load_quad_status.ugm (M1, 16)  D:d32.xyzw  flat[U]:a64"]);
}

#[test]
fn blocks() {
    let load =
        |address: &str| format!("lsc_load_block2d.ugm (M1, 1)  D:d16.16x8nn  flat[{address}]");
    for (address, expected) in [
        ("S,I,I,I,I+4,I-8", "S,I,I,I,I+4,I-8"),
        ("S(0,1),I(0,1),I.2,I(0,3),0x4+2,-8", "S(0,1),I(0,1),I(0,2),I(0,3),0x6,0xFFFFFFF8"),
        ("S,0x8,1+1,I,I+4*2-1,I+0", "S,0x8,0x2,I,I+7,I"),
        ("C+(16,-8)", "C + (16,-8)"),
        ("C.8 + ((1+1),~4)", "C(0,8) + (2,-5)"),
    ] {
        assert_printed(&load(address), &load(expected));
    }
    for (address, error) in [
        ("C", "expected `,`"),
        ("C+16", "expected `(`"),
        ("C-(16,8)", "expected `,`"),
        ("C+(1+1,4)", "expected `,`"),
    ] {
        assert_refused(&load(address), error);
    }
    assert_same(&[
        "lsc_load_block2d.ugm (M1, 1)  %null:d32.2x16x8nt  flat[C + (0,0)]",
        "lsc_store_block2d.ugm (M1, 1)  flat[C + (4,4)]  D:d32.16x8nn",
        "lsc_load_block2d.tgm  D.256:32x8  bss(I)[I+4,I-1]",
        "lsc_store_block2d.tgm  surf(S)[I,I]  D:32x8",
    ]);
    assert_printed(
        "lsc_load_block2d.ugm (M1,1) D:u32.1x8x8 flat[S,I,I,I,I,I]",
        "lsc_load_block2d.ugm (M1, 1)  D:d32.8x8nn  flat[S,I,I,I,I,I]",
    );
}

#[test]
fn typed() {
    let load = |address: &str| format!("lsc_load_quad.tgm (M1, 16)  D:d32.xyzw  {address}");
    assert_printed(&load("surf(S)[A-2*3,B.64+14]:a32u"), &load("surf(S)[A-6,B.64+14]:a32u"));
    assert_printed(&load("bti(1)[A,%null,%null]:a32"), &load("bti(0x1)[A]:a32"));
    assert_refused(&load("surf(S)[A,B,C,A+1]:a32u"), "a LOD takes no offset");
    assert_refused(&load("surf(S)[A+2*3-1]:a32u"), "expected `]`");
    assert_same(&[
        "lsc_load_quad_msrt.tgm (M1, 16)  D:d32.x  bti(0x1)[A,B,C,A]:a32",
        "lsc_store_quad_msrt.tgm (M1, 16)  bti(0x1)[A,B,C,A]:a32  D:d32.xz",
        "lsc_read_state_info.tgm  A  surf(0x1DEADBEEF,0x3)[B]",
    ]);
}

#[test]
fn atomics_and_cache_control() {
    assert_same(&[
        "lsc_atomic_bfmax.slm (M1, 16)  A:d16u32  flat(I)[C]:a32  B  %null",
        "lsc_atomic_bfcas.ugm.uc.uc.wb (M1, 16)  %null:d16u32  flat[U]:a64  B  B",
        "lsc_apndctr_atomic_add.ugm (M1, 16)  A:d32  surf(S,0x2)[%null]  B  %null",
        "lsc_apndctr_atomic_store.ugm (M1, 16)  A:d32  bti(0xA0)  B:d32",
        "lsc_extended_cache_ctrl.ugm.reset.64B (M1, 16) flat[U]:a64",
        "lsc_extended_cache_ctrl.ugm.ca.ca.ca.set.256B (M1, 16) flat[U+0x10]:a64",
        "lsc_fence.slm.none.group",
        "lsc_fence.ugm.flushl3.gpus",
    ]);
    let counter = "lsc_apndctr_atomic_sub.ugm (M1, 16)  A:d32  surf(S)[%null]  B  %null";
    assert_printed(
        "lsc_apndctr_atomic_sub.ugm (M1,16) A:d32 surf(S)[%null]:a32u B %null.0",
        counter,
    );
    for (line, error) in [
        ("lsc_apndctr_atomic_inc.ugm (M1,16) A:d32 surf(S)[%null] B %null", "unknown instruction"),
        ("lsc_apndctr_atomic_add.ugm (M1,16) A:d32 surf(S)[%null] B B", "use `%null`"),
        ("lsc_apndctr_atomic_add.ugm (M1,16) A:d32 surf(S)[%null]:a64 B %null", "is `a32u`"),
        ("lsc_apndctr_atomic_add.ugm (M1,16) A:d32 surf(S)[%null.0] B %null", "expected `]`"),
        ("lsc_extended_cache_ctrl.ugm (M1,16) flat[U]:a64", "expected `.`"),
        ("lsc_extended_cache_ctrl.ugm.reset.32B (M1,16) flat[U]:a64", "such as `64B`"),
        ("lsc_fence.ugm.flush.gpu", "expected a fence operation"),
    ] {
        assert_refused(line, error);
    }
}

#[test]
fn blanks_may_precede_the_suffixes_of_fences() {
    let fence = |text: &str| text::parse_instruction(text, Format::V4_2).expect(text);
    assert_eq!(fence("lsc_fence .ugm .evict .gpu"), fence("lsc_fence.ugm.evict.gpu"));
}

/// A hint names the version that can encode what a binary format cannot.
#[test]
fn hints_at_4_2() {
    for line in [
        "lsc_load.ugm.ov (M1_NM, 1) A:d32x16t flat[U]:a64",
        "lsc_load.ugm.ca.ca.ca (M1, 16) A:d32 flat[U]:a64",
        "lsc_load_block2d.ugm (M1, 1) D:d16.16x8nn flat[C + (0,0)]",
        "lsc_load_block2d.ugm (M1, 1) D:d16.16x8nn flat[S,I,I,I,I+4,I]",
        "lsc_apndctr_atomic_add.ugm (M1, 16) A:d32 surf(S)[%null] B %null",
    ] {
        let source = format!("{DECLARATIONS}{line}\n");
        let errors = text::parse(&source, Format::igc2026(genvisa::Version::V4_1));
        let errors = errors.expect_err("a binary format");
        let help = errors[0].help.as_deref();
        assert!(
            help.is_some_and(|help| help.contains("only version 4.2 has it")),
            "{line}: {help:?}"
        );
    }
}

/// Returns a text without the instructions that are not LSC messages.
fn only_lsc(source: &str) -> String {
    let is_kept = |line: &&str| {
        let line = line.trim_start();
        let is_other = line.starts_with(|c: char| c.is_ascii_lowercase() || c == '(');
        let is_lsc = line.starts_with("lsc_") || line.contains(" lsc_");
        is_lsc || !is_other && !line.starts_with(".function")
    };
    source.lines().filter(is_kept).map(|line| format!("{line}\n")).collect()
}

/// Returns the instruction in a line, without the spaces at its end and the comment.
fn instruction(line: &str) -> Option<&str> {
    let line = line.split("///").next().unwrap_or_default().trim();
    (line.starts_with("lsc_") || line.starts_with('(') && line.contains(" lsc_")).then_some(line)
}

#[test]
#[ignore = "needs the corpus"]
fn messages_of_the_compiler_are_printed_as_they_are() {
    let folder = genvisa_test_support::corpus::required_visaasm();
    let mut count = 0;
    for platform in ["cri", "nvl-p", "ptl", "bmg", "pvc"] {
        for entry in fs::read_dir(folder.join(platform)).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.extension().is_none_or(|extension| extension != "visaasm") {
                continue;
            }
            let source = fs::read_to_string(&path).expect("a text");
            let module = match text::parse(only_lsc(&source), Format::V4_2) {
                Ok(module) => module,
                Err(errors) => panic!("{}: {errors}", path.display()),
            };
            let routine = module.routines().next().expect("a kernel");
            let mut text = String::new();
            let listing = Listing::new(routine).with_style(Style::Complete);
            listing.write_to(&mut text).expect("printable");
            let expected: Vec<&str> = source.lines().filter_map(instruction).collect();
            let found: Vec<&str> = text.lines().filter_map(instruction).collect();
            assert_eq!(found, expected, "{}", path.display());
            count += expected.len();
        }
    }
    assert!(count > 300, "{count}");
}
