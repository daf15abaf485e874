//! Tests of the diagnostics about common mistakes in text of version 4.2: their words, their spans,
//! and their hints.

use genvisa::Format;
use genvisa::text::parse;

const DECLARATIONS: &str = "\
.version 4.2
.kernel \"k\"
.decl D v_type=G type=d num_elts=16 align=wordx32
.decl F v_type=G type=f num_elts=16 align=wordx32
.decl H v_type=G type=hf num_elts=16 align=wordx32
.decl U v_type=G type=uq num_elts=16 align=wordx32
.decl P v_type=P num_elts=16
.decl A v_type=A num_elts=1
";

/// Checks the first error of a line: its message, its hint, and the text before its span and in it.
#[track_caller]
fn check(line: &str, (before, marked): (&str, &str), message: &str, help: Option<&str>) {
    let source = format!("{DECLARATIONS}barrier\n{line}\nbarrier\n");
    let errors = parse(&source, Format::V4_2).expect_err(line);
    assert_eq!((&*errors[0].to_string(), errors[0].help.as_deref()), (message, help), "{line}");
    let start = source.rfind(line).expect("the line");
    let span = errors[0].span.clone();
    assert_eq!((&source[start..span.start], &source[span]), (before, marked), "{line}");
}

#[test]
fn regions() {
    let stride = Some("the region of a destination is one stride, as in `<1>`");
    check(
        "mov (M1,16) D(0,0)<1;1,0> D(0,0)<1;1,0>",
        ("mov (M1,16) D(0,0)<1", ";"),
        "expected `>`, found `;`",
        stride,
    );
    let strides = Some("the region of a source is a stride, a width and a stride, as in `<1;1,0>`");
    check(
        "mov (M1,16) D(0,0)<1> D(0,0)<1>",
        ("mov (M1,16) D(0,0)<1> D(0,0)<1", ">"),
        "expected `;`, found `>`",
        strides,
    );
    check(
        "mov (M1,16) D(0,0)<1> D(0,0)",
        ("mov (M1,16) D(0,0)<1> D(0,0)", ""),
        "expected the region of a source, such as `<1;1,0>`, found the end of the line",
        None,
    );
    check(
        "mov (M1,16) D D",
        ("mov (M1,16) D ", "D"),
        "expected the region of a destination, such as `<1>`, found `D`",
        None,
    );
    check(
        "mov (M1,16) D<1> D<1;1,0>",
        ("mov (M1,16) D<1> D", "<"),
        "expected a row and a column, such as `(0,0)`, found `<`",
        None,
    );
    check(
        "mov (M1,16) D(0)<1> D(0)<1;1,0>",
        ("mov (M1,16) D(0", ")"),
        "expected `,` and a column, as in `(0,0)`, found `)`",
        None,
    );
}

#[test]
fn separators() {
    check(
        "add (M1,16) D(0,0)<1>, D(0,0)<1;1,0>, 1:d",
        ("add (M1,16) D(0,0)<1>", ","),
        "expected an operand, found `,`",
        Some("operands are separated by blanks"),
    );
    let help = Some("instructions end at the end of a line, and comments begin with `//`");
    let message = "expected the end of the line, found `;`";
    check("mov (M1,16) D(0,0)<1> 1:d;", ("mov (M1,16) D(0,0)<1> 1:d", ";"), message, help);
    check("; a comment", ("", ";"), "expected an instruction, found `;`", help);
    let help = Some("comments begin with `//`");
    check("# a comment", ("", "#"), "expected an instruction, found `#`", help);
    check("barrier # all", ("barrier ", "#"), "expected the end of the line, found `#`", help);
}

#[test]
fn immediates() {
    check(
        "add (M1,16) D(0,0)<1> D(0,0)<1;1,0> 3",
        ("add (M1,16) D(0,0)<1> D(0,0)<1;1,0> 3", ""),
        "expected a type, such as `:ud`, found the end of the line",
        None,
    );
    check(
        "mov (M1,16) D(0,0)<1> 3:i",
        ("mov (M1,16) D(0,0)<1> 3:", "i"),
        "expected a type, found `i`",
        Some("did you mean `d`?"),
    );
    check(
        "mov (M1,16) F(0,0)<1> 1.5",
        ("mov (M1,16) F(0,0)<1> 1.5", ""),
        "expected a type, such as `:f`, found the end of the line",
        None,
    );
    check(
        "mov (M1,16) F(0,0)<1> 1.:f",
        ("mov (M1,16) F(0,0)<1> 1.", ":"),
        "expected a digit after `.`, found `:`",
        None,
    );
    check(
        "mov (M1,16) H(0,0)<1> 1.0:hf",
        ("mov (M1,16) H(0,0)<1> 1.0:", "hf"),
        "expected type `f` or `df` after a fraction, found `hf`",
        Some("write the bits of a half, such as `0x3c00:hf` for 1"),
    );
    check(
        "mov (M1,16) D(0,0)<1> r[A(0),0]<1;1,0>",
        ("mov (M1,16) D(0,0)<1> r[A(0),0]<1;1,0>", ""),
        "expected a type, such as `:ud`, found the end of the line",
        None,
    );
}

#[test]
fn modifiers() {
    for (sign, modifier) in [("-", "(-)"), ("~", "(~)"), ("|", "(abs)")] {
        check(
            &format!("mov (M1,16) D(0,0)<1> {sign}D(0,0)<1;1,0>"),
            ("mov (M1,16) D(0,0)<1> ", sign),
            &format!("expected an operand, found `{sign}`"),
            Some(&format!("modifiers are in parentheses: write `{modifier}`")),
        );
    }
}

/// `(16|M8)` are the lanes and the first channel in the assembly that the finalizer writes.
#[test]
fn channels_of_final_assembly() {
    for (written, visa) in
        [("16|M0", "M1, 16"), ("8|M8", "M3, 8"), ("4 | M28", "M8, 4"), ("16|M16", "M5, 16")]
    {
        check(
            &format!("mov ({written}) D(0,0)<1> 1:d"),
            ("mov (", written),
            &format!("`({written})` is assembly of the hardware, not vISA"),
            Some(&format!("vISA writes `({visa})`")),
        );
    }
    for other in ["16|M2", "16|M32", "16|P0", "16|"] {
        let line = format!("mov ({other}) D(0,0)<1> 1:d");
        check(&line, ("mov (16", "|"), "expected `)`, found `|`", None);
    }
}

#[test]
fn names() {
    check(
        "mov (M1,16) null(0,0)<1> 1:d",
        ("mov (M1,16) ", "null"),
        "`null` is not declared",
        Some("did you mean `%null`?"),
    );
    check(
        ".decl add v_type=G type=d num_elts=16",
        (".decl ", "add"),
        "`add` is a reserved word",
        None,
    );
    check(
        "1:",
        ("", "1"),
        "unknown instruction `1`",
        Some("names of labels begin with a letter or `_`"),
    );
    check("L1", ("", "L1"), "unknown instruction `L1`", Some("a label has a colon: `L1:`"));
    check("{ mov (M1,16) D(0,0)<1> 1:d", ("", "{"), "this `{` is not closed in the routine", None);
    check(
        "bfn.0xd8 (M1,16) D<1> 1:d 1:d 1:d",
        ("bfn.", "0xd8"),
        "expected a truth table, such as `xd8`, found `0xd8`",
        None,
    );
}

/// The order of the operands of messages.
#[test]
fn addresses_of_messages() {
    let order = Some(
        "the address, such as `flat[V32]:a64`, follows the destination of a load, and precedes the \
         data of a store",
    );
    check(
        "lsc_store.ugm (M1,16) D:d32 flat[U]:a64",
        ("lsc_store.ugm (M1,16) ", "D"),
        "expected an address model, found `D`",
        order,
    );
    check(
        "lsc_load.ugm (M1,16) flat[U]:a64 D:d32",
        ("lsc_load.ugm (M1,16) ", "flat"),
        "`flat` is not declared",
        order,
    );
}

#[test]
fn lsc() {
    let raw = Some("a raw operand is a name, or a name and an offset in bytes, as in `V32.64`");
    check(
        "lsc_load.ugm (M1,16) D(0,0)<1>:d32 flat[U]:a64",
        ("lsc_load.ugm (M1,16) D", "("),
        "expected `:`, found `(`",
        raw,
    );
    check(
        "lsc_load (M1,16) D:d32 flat[U]:a64",
        ("lsc_load ", "("),
        "expected a shared function, such as `.ugm`, found `(`",
        None,
    );
    check(
        "lsc_load.ugm (M1,16) D:d32 flat[U]",
        ("lsc_load.ugm (M1,16) D:d32 flat[U]", ""),
        "expected an address size, such as `:a64`, found the end of the line",
        None,
    );
    check(
        "lsc_load.ugm.ca (M1,16) D:d32 flat[U]:a64",
        ("lsc_load.ugm.ca ", "("),
        "expected a cache control of L3, found `(`",
        Some("write the cache controls of all levels, or none"),
    );
    check(
        "lsc_load.ugm.ca.xx (M1,16) D:d32 flat[U]:a64",
        ("lsc_load.ugm.ca.", "xx"),
        "expected a cache control (`df`, `uc`, `ca`, `wb`, `wt`, `st`, `ri` or `cc`), found `xx`",
        None,
    );
}

/// A hint names the default dialect if it can encode the instruction.
#[test]
fn dialect_manual_lacks_instructions() {
    let source = ".version 3.6\n.kernel \"k\"\n    ret (M1, 1)\n";
    let errors = parse(source, Format::MANUAL).expect_err("no such instruction");
    let help = "dialect igc2022 can encode it, from version 3.0 on";
    assert_eq!(errors[0].help.as_deref(), Some(help), "{errors}");
}

/// Comparing all names takes minutes.
#[test]
fn only_the_first_unknown_names_are_compared_with_many_names() {
    const DECLARED: usize = 20_000;
    let declaration = |number| format!(".decl name{number} v_type=G type=d num_elts=1\n");
    let declarations: String = (0..DECLARED).map(declaration).collect();
    let instruction = |number| format!("mov (M1, 1) nmae{number}(0,0)<1> 0x0:d\n");
    let code: String = (0..200).map(instruction).collect();
    let source = format!(".version 4.2\n.kernel \"k\"\n{declarations}{code}ret (M1, 1)\n");
    let errors = parse(&source, Format::V4_2).expect_err("errors");
    assert_eq!(errors[0].help.as_deref(), Some("did you mean `name0`?"));
    let hints = errors.iter().filter(|error| error.help.is_some()).count();
    assert_eq!((errors.len(), hints), (100, (1 << 20) / DECLARED));
}
