//! Writes that change inputs in the same registers.

use genvisa::RegisterSize;
use genvisa::analysis::Analysis;
use genvisa::text;

/// Returns the overwrites of a kernel: the instruction, and the names of the variables with the bytes of the
/// changed one. `x` has bytes 64 to 127 of the payload, and `a`, an alias of byte 8 on of `clobber`, bytes
/// 96 to 127. `clobber` has two registers from byte 88 on, and `far` none of these.
fn overwrites(statements: &str) -> Vec<(usize, String)> {
    let source = format!(
        ".version 4.2\n.kernel \"k\"
.decl x v_type=G type=ud num_elts=16 align=GRF
.decl y v_type=G type=ud num_elts=16 align=GRF
.decl far v_type=G type=ud num_elts=16 align=GRF
.decl clobber v_type=G type=ud num_elts=32 align=GRF
.decl a v_type=G type=ud num_elts=8 alias=<clobber, 8>
.decl A0 v_type=A num_elts=1
.decl P1 v_type=P num_elts=16
.implicit_PSEUDO_INPUT clobber offset=88 size=128
.input x offset=64 size=64
.input far offset=512 size=64
{statements}
    ret (M1, 1)\n"
    );
    let module =
        text::parse(&source, text::format_of(&source)).unwrap_or_else(|errors| panic!("{errors}"));
    let routine = module.routines().next().expect("a kernel");
    let analysis = Analysis::new(&routine, RegisterSize::Bytes64).expect("code");
    let found = analysis.overwrites(routine.inputs).into_iter().map(|one| {
        let name = |id| routine.body.name_of(id).expect("a name").to_string();
        let text = format!("{} {} {:?}", name(one.written), name(one.changed), one.bytes);
        (one.instruction, text)
    });
    found.collect()
}

#[test]
fn a_write_that_reaches_a_read_is_found() {
    let write = "    mov (M1, 8) clobber(0,0)<1> 0x1:ud";
    for (statements, expected) in [
        // Bytes 88 to 119 of the payload are bytes 24 to 55 of `x`.
        (
            format!("{write}\n    mov (M1, 16) y(0,0)<1> x(0,0)<1;1,0>"),
            vec![(0, "clobber x 24..56")],
        ),
        (
            format!("{write}\n    mov (M1, 1) y(0,0)<1> x(0,13)<0;1,0>"),
            vec![(0, "clobber x 52..56")],
        ),
        (format!("{write}\n    mov (M1, 1) y(0,0)<1> x(0,14)<0;1,0>"), vec![]),
        (format!("{write}\n    mov (M1, 1) y(0,0)<1> far(0,0)<0;1,0>"), vec![]),
        (format!("    mov (M1, 16) y(0,0)<1> x(0,0)<1;1,0>\n{write}"), vec![]),
        // The value is replaced before it is read.
        (
            format!(
                "{write}\n    mov (M1, 16) x(0,0)<1> 0x2:ud\n    mov (M1, 16) y(0,0)<1> x(0,0)<1;1,0>"
            ),
            vec![],
        ),
        // The other direction: then, `x` is written where `clobber` is read.
        (
            "    mov (M1, 16) x(0,0)<1> 0x2:ud\n    mov (M1, 8) y(0,0)<1> a(0,0)<1;1,0>".into(),
            vec![(0, "x clobber 8..40")],
        ),
        (
            "    mov (M1, 8) a(0,0)<1> 0x2:ud\n    mov (M1, 16) y(0,0)<1> x(0,0)<1;1,0>".into(),
            vec![(0, "clobber x 32..64")],
        ),
        // One for each pair.
        (
            format!("{write}\n{write}\n    mov (M1, 16) y(0,0)<1> x(0,0)<1;1,0>"),
            vec![(0, "clobber x 24..56")],
        ),
    ] {
        let found = overwrites(&statements);
        let found: Vec<_> = found.iter().map(|(at, text)| (*at, text.as_str())).collect();
        assert_eq!(found, expected, "{statements}");
    }
}

#[test]
fn paths_are_followed() {
    let (read, write) =
        ("    mov (M1, 16) y(0,0)<1> x(0,0)<1;1,0>", "    mov (M1, 8) clobber(0,0)<1> 0x1:ud");
    let in_loop = format!("again:\n{read}\n{write}\n    (P1) jmp (M1, 1) again");
    assert_eq!(overwrites(&in_loop), [(2, "clobber x 24..56".into())]);
    let elsewhere = format!("    (P1) jmp (M1, 1) other\n{write}\n    ret (M1, 1)\nother:\n{read}");
    assert_eq!(overwrites(&elsewhere), []);
    let joined = format!("    (P1) jmp (M1, 1) other\n{write}\nother:\n{read}");
    assert_eq!(overwrites(&joined), [(1, "clobber x 24..56".into())]);
}
