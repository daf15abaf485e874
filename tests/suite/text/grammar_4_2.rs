//! Tests of the grammar of version 4.2: text that the compiler accepts, and text that it rejects.

use genvisa::object::{Align, InputKind};
use genvisa::text::Document;
use genvisa::text::{FileListing, parse};
use genvisa::{Format, Module, Version};

const DECLARATIONS: &str = "\
.decl A v_type=G type=f num_elts=64 align=wordx32
.decl D v_type=G type=d num_elts=256 align=wordx32
.decl I v_type=G type=ud num_elts=128 align=wordx32
.decl U v_type=G type=uq num_elts=64 align=wordx32
.decl H v_type=G type=hf num_elts=64 align=wordx32
.decl AD v_type=A num_elts=16
.decl P v_type=P num_elts=16
.decl S0 v_type=S num_elts=1
.decl T6 v_type=T num_elts=1
";

pub(super) fn source(lines: &str) -> String {
    format!(".version 4.2\n.kernel \"k\"\n{DECLARATIONS}{lines}\n")
}

/// Parses lines in version 4.2, and checks that the printed module parses to an equal one.
fn parsed(lines: &str) -> Module<'static> {
    let module = parse(source(lines), Format::V4_2).unwrap_or_else(|errors| {
        panic!("{lines}\n{}", errors[0]);
    });
    let text = FileListing::new(&module).to_text().expect("legal code");
    match parse(&text, Format::V4_2) {
        Ok(again) => assert_eq!(again, module, "{text}"),
        Err(errors) => panic!("{text}\n{}", errors[0]),
    }
    module
}

/// Returns the printed lines after the declarations, without numbers.
pub(super) fn printed(lines: &str) -> String {
    let module = parsed(lines);
    let text = FileListing::new(&module).with_numbers(false).to_text().expect("legal code");
    let after = text.split_once(".decl T6 v_type=T num_elts=1\n").expect("declarations").1;
    let lines = after.lines().map(str::trim).filter(|line| !line.is_empty());
    lines.collect::<Vec<_>>().join("\n")
}

pub(super) fn error(lines: &str) -> String {
    match parse(source(lines), Format::V4_2) {
        Ok(_) => panic!("accepted: {lines}"),
        Err(errors) => errors[0].to_string(),
    }
}

/// Checks that lines mean the same as others.
#[track_caller]
pub(super) fn assert_same(lines: &str, other: &str) {
    assert_eq!(printed(lines), printed(other), "{lines}");
}

#[test]
fn lines_may_be_continued() {
    let whole = "add (M1,16) D(0,0)<1> D(0,0)<1;1,0> D(0,0)<1;1,0>";
    assert_same("add (M1,16) D(0,0)<1> D(0,0)<1;1,0> \\\nD(0,0)<1;1,0>", whole);
    assert_same("add (M1,16) \\\r\n D(0,0)<1> \\\n D(0,0)<1;1,0> D(0,0)<1;1,0>", whole);
    assert_eq!(error("mov (M1,16) D(0,0)<1>\\\n 0x1:d"), r"expected an operand, found `\`");
    for wrong in ["\\\nbarrier", " \\\nbarrier", "barrier\n \\\nbarrier", "\n\\\n\nbarrier"] {
        assert_eq!(error(wrong), r"expected an instruction, found `\`");
    }
    assert_same("barrier \\\n \\\n", "barrier");
    // The rest of a wrong statement is not a statement.
    let errors = parse(source("mov (M1,16) X(0,0)<1> \\\n 0x1:d"), Format::V4_2).unwrap_err();
    assert_eq!(errors.len(), 1);
    assert_eq!(errors[0].to_string(), "`X` is not declared");
    // The bytes of an annotation belong to the whole statement.
    let bytes = "fence_global.R \\\n //@ 5c 10";
    assert_eq!(parsed(bytes).kernels[0].body.code.bytes(), [0x5c, 0x10]);
}

#[test]
fn scopes_may_share_a_line_with_a_statement() {
    assert_same("{ barrier }", "{\nbarrier\n}");
    assert_eq!(printed("{}"), "");
    assert_eq!(printed("{{ barrier\n} }"), "barrier");
    assert_same(
        "{ .decl D v_type=G type=uw num_elts=4 }\nmov (M1,16) D(0,0)<1> 0x1:d",
        "{\n.decl D v_type=G type=uw num_elts=4\n}\nmov (M1,16) D(0,0)<1> 0x1:d",
    );
    let nested = |depth: usize| "{".repeat(depth) + "barrier" + &"}".repeat(depth);
    assert_same(&nested(1000), "barrier");
    assert_eq!(error(&nested(1001)), "at most 1000 scopes can be nested");
    for wrong in ["{ barrier } barrier", "{ barrier barrier }", "barrier {\n}", "} {", "{} {}"] {
        error(wrong);
    }
}

#[test]
fn labels_may_need_quotes() {
    let text =
        printed("(P) goto (M1,16) \"L-1\"\nL-1:\njmp (M1,1) \"a$b?\"\na$b?:\njmp (M1,1) \"x\"\nx:");
    assert_eq!(
        text,
        "(P) goto (M1, 16) \"L-1\"\nL-1:\njmp (M1, 1) \"a$b?\"\na$b?:\njmp (M1, 1) x\nx:"
    );
    let text = printed("switchjmp (M1,1) D(0,0)<0;1,0> (L1 \"L-2\",, )\nL1:\nL-2:");
    assert_eq!(text, "switchjmp (M1, 1) D(0,0)<0;1,0> (L1, \"L-2\")\nL1:\nL-2:");
    let text = printed("call (M1,16) \"F-1\"\nret (M1,1)\n.function \"F-1\"\nF-1:\nret (M1,1)");
    assert!(text.contains(".function \"F-1\"\nF-1:\n"), "{text}");
    // The labels are declared in another order than they are used.
    let text = printed("//@ labels \"b-\" a\njmp (M1,1) a\na:\nb-:");
    assert_eq!(text, "jmp (M1, 1) a\na:\nb-:\n//@ labels \"b-\" a");
    error("goto (M1,16) L-1\nL-1:");
    assert_eq!(error("goto (M1,16) L$1\nL$1:"), "the label `L$1` must be in quotes here");
    error("L0 :");
    error("L0: barrier");
    error("goto (M1,16) \"-L\"");
    // Older text has no such labels.
    let older = source("L-1:").replace("4.2", "4.1");
    let module = parse(older, Format::igc2026(Version::V4_1)).expect("correct text");
    let text = FileListing::new(&module).to_text().expect("legal code");
    assert!(text.contains("\nL0:\n"), "{text}");
}

#[test]
fn subroutines_start_at_function() {
    let text = printed("call (M1,16) f\nret (M1,1)\n.function \"f\"\nbarrier\nf:\nret (M1,1)");
    let placed = "call (M1, 16) f\nret (M1, 1)\n.function \"f\"\nf:\nbarrier\nret (M1, 1)";
    assert_eq!(text, placed);
    assert_eq!(printed("call (M1,16) f\nret (M1,1)\n.function f\nbarrier\nret (M1,1)"), placed);
    // A block label and debug information may precede the label.
    let text = printed(".function \"f\"\n.loc 1\ng:\nbarrier\nf:\nret (M1,1)");
    assert_eq!(text, ".function \"f\"\nf:\nLOC 1\ng:\nbarrier\nret (M1, 1)");
    assert_eq!(printed(".function \"f\"\nf:\nbarrier\nf:"), ".function \"f\"\nf:\nbarrier");
    assert_eq!(
        printed(".function \"f\"\n.function \"g\""),
        ".function \"f\"\nf:\n.function \"g\"\ng:"
    );
    let lines = source(".function \"f\"\nbarrier\nf:");
    let warnings =
        Document::parse(&lines, Format::V4_2).into_result().expect("legal text").warnings;
    assert_eq!(warnings[0].to_string(), "this label is ignored: `.function` has placed `f`");
    assert_eq!(error("f:\n.function \"f\""), "label `f` is already defined");
    assert_eq!(error(".function \"f\"\n.function \"f\""), "label `f` is already defined");
}

#[test]
fn variables_may_be_aliases_of_null() {
    let declaration = ".decl N v_type=G type=ud num_elts=2 align=dword alias=<%null, 0>";
    let text = format!("{declaration}\nmov (M1, 2) N(0,0)<1> %tsc(0,0)<2;2,1>");
    let module = parsed(&text.replace("<%null, 0>", "<V0,0>"));
    let listing = FileListing::new(&module).to_text().expect("legal code");
    assert!(listing.contains(&format!("{declaration}\n")), "{listing}");
    let variable = module.kernels[0].body.variables.last().expect("a declaration");
    assert!(variable.is_null);
    // Files cannot express it.
    let older = source(&text).replace("4.2", "4.1");
    let error_of = |format| match parse(&older, format).map(|module| module.to_bytes()) {
        Ok(Err(error)) => error.to_string(),
        _ => panic!("an alias of %null is not an error"),
    };
    let message = error_of(Format::igc2026(Version::V4_1));
    assert!(message.contains("alias: an alias of %null cannot be expressed"), "{message}");
    let offset = declaration.replace("0>", "4>");
    assert_eq!(error(&offset), "the offset of an alias of `%null` is 0");
}

#[test]
fn strings_have_escapes() {
    assert_eq!(printed(r#"FILE "a\x41\101\7\0012\e\'\".cl""#), r#"FILE "aAA\a\x012\e\'\".cl""#);
    assert_eq!(error(r#"FILE "a\q""#), r"unknown escape `\q`");
    assert_eq!(error(r#"FILE "a\8""#), r"unknown escape `\8`");
    // The compiler reads this as one byte.
    assert_eq!(error(r#"FILE "a\18""#), r"unknown escape `\18`");
}

#[test]
fn debug_info_may_be_directives() {
    assert_same(".file \"a.cl\"\n.loc 12", "FILE \"a.cl\"\nLOC 12");
    error("LOC 0x12");
    error(".loc -1");
    assert_same(".loc 4294967295", "LOC 4294967295");
    error(".loc 4294967296");
    error(".file a");
}

#[test]
fn names_must_not_be_reserved() {
    for name in
        ["flat", "ss", "surf", "add", "%A", "a$b", "load", "lod", "wait", "line", "LOC", "asin"]
    {
        error(&format!(".decl {name} v_type=G type=ud num_elts=16"));
    }
    assert_eq!(error(".decl add v_type=P num_elts=16"), "`add` is a reserved word");
    for name in ["added", "fence", "va_erode", "dpas", "lifetime", "file"] {
        parsed(&format!(".decl {name} v_type=G type=ud num_elts=16"));
    }
}

#[test]
fn types_are_in_one_case() {
    for ty in ["tf32", "hf8", "bf8", "e2m1", "E2M1", "TF32", "HF8", "BF8", "UD", "bf", "HF"] {
        let declaration = format!(".decl X v_type=G type={ty} num_elts=16");
        let text = printed(&declaration);
        assert_eq!(text, "", "the declaration precedes the last one");
    }
    error(".decl X v_type=G type=Ud num_elts=16");
    error("mov (M1,16) D(0,0)<1> 0x1:Ud");
    error("mov (M1,16) D(0,0)<1> 0x1:tf32");
    error("mov (M1,16) D(0,0)<1> 0x1:hf8");
    error("mov (M1,16) D(0,0)<1> r[AD(0),4]<0;1,0>:hf8");
    // Files have no such types.
    let older = source(".decl X v_type=G type=hf8 num_elts=16").replace("4.2", "4.1");
    let errors = parse(older, Format::igc2026(Version::V4_1)).unwrap_err();
    assert_eq!(errors[0].to_string(), "type `hf8` cannot be encoded");
    assert_eq!(errors[0].help.as_deref(), Some("version 4.2 has this type, but only as text"));
}

#[test]
fn alignments_are_names_or_bytes() {
    for (text, align) in [
        ("oword", Align::OWORD),
        ("4", Align::DWORD),
        ("16", Align::OWORD),
        ("32", Align::HWORD),
        ("(8*4)", Align::HWORD),
        ("64", Align::WORDX32),
        ("0x80", Align::WORDX64),
        ("32word", Align::WORDX32),
        ("2GRF", Align::GRFX2),
        ("%sizeof(SMALL)", Align::DWORD),
    ] {
        let lines = format!(
            ".decl SMALL v_type=G type=ub num_elts=4\n\
             .decl X v_type=G type=ud num_elts=4 align={text}"
        );
        let variables = &parsed(&lines).kernels[0].body.variables;
        assert_eq!(variables.last().expect("one").align, align, "{text}");
    }
    for text in ["3", "256", "-1", "0", "dwords"] {
        error(&format!(".decl X v_type=G type=ud num_elts=4 align={text}"));
    }
    error(".decl X v_type=G type=ud num_elts=4 alias=<D,4> align=4");
    parsed(".decl X v_type=G type=uw num_elts=4 align=4 alias=<D, 4+4>");
    error(".decl X v_type=G type=uw num_elts=4 alias=<D,4>2>");
}

#[test]
fn expressions_may_use_sizes() {
    let value = |text: &str| {
        let text = printed(text);
        let value = text.lines().find(|line| line.starts_with("mov"));
        value.unwrap_or_default().to_string()
    };
    assert_eq!(value("mov (M1,16) D(0,0)<1> %sizeof(A):d"), "mov (M1, 16) D(0,0)<1> 0x100:d");
    assert_eq!(value("mov (M1,16) D(0,0)<1> %sizeof A:d"), "mov (M1, 16) D(0,0)<1> 0x100:d");
    assert_eq!(value("mov (M1,16) D(0,0)<1> (%sizeof(AD)/2):d"), "mov (M1, 16) D(0,0)<1> 0x10:d");
    assert_eq!(value("mov (M1,16) D(0,0)<1> (6&3^2|1):d"), "mov (M1, 16) D(0,0)<1> 0x0:d");
    let simd = ".kernel_attr SimdSize=16\nmov (M1,16) D(0,0)<1> %DispatchSimd:d";
    assert_eq!(value(simd), "mov (M1, 16) D(0,0)<1> 0x10:d");
    for (platform, size) in [("XE3P_CRI", "0x40"), ("PVC", "0x40"), ("DG2", "0x20")] {
        let line = format!("mov (M1,16) D(0,0)<1> %sizeof GRF:d\n//Platform: {platform}");
        assert!(printed(&line).contains(&format!("<1> {size}:d")), "{platform}");
    }
    // A variable shadows the register.
    let variable = ".decl GRF v_type=G type=ud num_elts=4\nmov (M1,16) D(0,0)<1> %sizeof(GRF):d";
    assert_eq!(value(variable), "mov (M1, 16) D(0,0)<1> 0x10:d");
    let scope = "{ .decl A v_type=G type=ub num_elts=1 }\nmov (M1,16) D(0,0)<1> %sizeof(A):d";
    assert_eq!(value(scope), "mov (M1, 16) D(0,0)<1> 0x100:d");
    let unknown = "the size of a register depends on the platform, which the text does not state";
    assert_eq!(error("mov (M1,16) D(0,0)<1> %sizeof(GRF):d"), unknown);
    assert_eq!(error("mov (M1,16) D(0,0)<1> %sizeof(GRF):d\n//Platform: ABC"), unknown);
    error("mov (M1,16) D(0,0)<1> %DispatchSimd:d");
    error("mov (M1,16) D(0,0)<1> %sizeof(P):d");
    error("mov (M1,16) D(0,0)<1> %sizeof(%r0):d");
    error("mov (M1,16) D(0,0)<1> %sizeof(A:d");
    error("mov (M1,16) D(0,0)<1> (1+2)*4:d");
}

#[test]
fn decimal_numbers_have_31_bits() {
    assert_same("mov (M1,16) D(0,0)<1> 2147483648:ud", "mov (M1,16) D(0,0)<1> 0x80000000:ud");
    assert_same("mov (M1,16) D(0,0)<1> 4294967293:d", "mov (M1,16) D(0,0)<1> -3:d");
    assert_same("mov (M1,16) D(0,0)<1> 4294967293:w", "mov (M1,16) D(0,0)<1> 0xfffffffd:w");
    assert_same("mov (M1,16) A(0,0)<1> 3217031168:f", "mov (M1,16) A(0,0)<1> -1.5:f");
    parsed("mov (M1,16) D(0,0)<1> 2147483647:d");
    parsed("mov (M1,16) D(0,0)<1> 0xffffffff:d");
    parsed("mov (M1,16) A(0,0)<1> 4294967296.5:f");
    parsed("mov (M1,8) U(0,0)<1> 0x123456789abcdef0:uq");
    let message = "version 4.2 has decimal numbers up to 2147483647";
    assert_eq!(error("mov (M1,16) U(0,0)<1> 2147483648:q"), message);
    assert_eq!(error(".decl B v_type=G type=d num_elts=2147483648"), message);
    assert_eq!(error("mov (M1,16) D(0,0)<1> 4294967296:uq"), message);
    parsed(".kernel_attr SLMSize=-0x80000000");
}

/// IGC reads the lowest bits, also of numbers that fit in 64 bits only.
#[test]
fn numbers_that_are_out_of_range_are_truncated() {
    for (number, bits) in [
        ("0x1ffffffff:d", "0xffffffff:d"),
        ("4294967298:ud", "0x2:ud"),
        ("-2147483649:d", "0x7fffffff:d"),
        ("70000:w", "0x1170:w"),
        ("0x12345:uw", "0x2345:uw"),
        ("300:b", "0x2c:b"),
    ] {
        let line = format!("mov (M1,16) D(0,0)<1> {number}");
        assert_same(&line, &format!("mov (M1,16) D(0,0)<1> {bits}"));
        let assembly =
            Document::parse(source(&line), Format::V4_2).into_result().expect("legal text");
        let (_, ty) = number.split_once(':').expect("a type");
        let message =
            format!("`{number}` is out of range for type `{ty}`: its lowest bits are used");
        assert_eq!(assembly.warnings[0].to_string(), message);
        let older = source(&line).replace(".version 4.2", ".version 3.6");
        parse(older, Format::igc2022(Version::V3_6)).expect_err("only 4.2 truncates numbers");
    }
    error("mov (M1,16) D(0,0)<1> 9223372036854775808:d");
    error("mov (M1,16) D(0,0)<1> 0x10000000000000000:d");
    error("mov (M1,16) H(0,0)<1> 0x13c00:hf");
}

#[test]
fn labels_are_at_the_start_of_a_line() {
    parsed("l:\n  jmp (M1,1) l");
    parsed("{\nl: }\njmp (M1,1) l");
    let message = "in version 4.2, a label is at the start of a line";
    for label in ["  l:", "\tl:", "{ l: }", "/* a comment */ l:"] {
        assert_eq!(error(&format!("barrier\n{label}\njmp (M1,1) l")), message, "{label}");
    }
}

#[test]
fn inputs_have_defaults() {
    let inputs = |lines: &str| parsed(lines).kernels[0].inputs.clone();
    let [input] = inputs(".input D")[..] else { panic!("one input") };
    assert_eq!((input.offset, input.size), (0, 1024));
    let [input] = inputs(".implicit_EXPLICIT D size=64")[..] else { panic!("one input") };
    assert_eq!(input.kind, InputKind::from_bits(0));
    let [input] = inputs(".implicit_UNDEFINED_9 D offset=4 size=64")[..] else { panic!("one") };
    assert_eq!((input.kind.implicit(), input.offset), (9, 4));
    assert_eq!(error(".parameter D size=64"), "version 4.2 has no `.parameter`");
    assert_eq!(error(".implicit_FOO D size=64"), "unknown directive `.implicit_FOO`");
    error(".implicit_LOCAL_ID D");
}

#[test]
fn attributes_have_values_of_their_kind() {
    let text = printed(
        ".kernel_attr NoBarrier=\n.kernel_attr NBarrierCnt=1+1\n.kernel_attr Target=\"3d\"\n\
         .kernel_attr Callable\n.kernel_attr OutputAsmPath=\"a b\"\n.kernel_attr SimdSize=0x10",
    );
    assert_eq!(
        text,
        ".kernel_attr NoBarrier\n.kernel_attr NBarrierCnt=2\n.kernel_attr Target=\"3d\"\n\
         .kernel_attr Callable\n.kernel_attr OutputAsmPath=\"a b\"\n.kernel_attr SimdSize=16"
    );
    error(".decl X v_type=G type=ud num_elts=4 attrs={}");
    parsed(".decl X v_type=G type=ud num_elts=4 attrs={NoWidening, DoNotSpill, Scope=1+1}");
}

#[test]
fn operands_have_more_forms() {
    assert_same("mov (NoMask,16) D(0,0)<1> 0x0:d", "mov (M1_NM,16) D(0,0)<1> 0x0:d");
    assert_same("mov (16) D<1> 0x0:d", "mov (M1,16) D(0,0)<1> 0x0:d");
    assert_eq!(
        printed("mov (M1,16) D(0,0)<1> r[AD(0),4]<1>:d"),
        "mov (M1, 16) D(0,0)<1> r[AD(0),4]<1>:d"
    );
    assert_eq!(
        printed("mov (M1,16) D(0,0)<1> %scratchloc(0,0)<0;1,0>"),
        "mov (M1, 16) D(0,0)<1> %scratchloc(0,0)<0;1,0>"
    );
    assert_eq!(
        error("mov (M1_NM,1) AD(0)<1> &D"),
        "only `addr_add` takes an address, as its first source"
    );
    assert_eq!(
        error("mov (M1,16) D(0,0)<1> D(0,300)<1;1,0>"),
        "`300` is out of range for a column"
    );
    assert_eq!(
        error("mov (M1,16) H(0,0)<1> 0x3f80:bf"),
        "version 4.2 has no immediates of type `bf`"
    );
    for wrong in [
        "mov (M1,16) A(0,0)<1> 1.5:F",
        "mov (M1,16) A(0,0)<1> .5:f",
        "mov (M1,16) A(0,0)<1> 1.5e3:f",
        "mov (M1,16) A(0,0)<1> 1.5:hf",
        "mov (M1,16) H(0,0)<1> 0x3c000:hf",
        "lifetime.start %r0",
    ] {
        error(wrong);
    }
    parsed("mov (M1,16) A(0,0)<1> -1.5e+3:f");
}

#[test]
fn instructions_differ_from_older_text() {
    assert_eq!(printed("cmp (M1,16) P D(0,0)<1;1,0> 0x0:d"), "cmp (M1, 16) P D(0,0)<1;1,0> 0x0:d");
    error("cmp.EQ (M1,16) P D(0,0)<1;1,0> 0x0:d");
    error("cmp. (M1,16) P D(0,0)<1;1,0> 0x0:d");
    let plane = "media_ld.nomod (4,4) T6 0 0x0:ud 0x0:ud D.0";
    assert_eq!(printed(plane), plane);
    assert_same("media_ld.nomod (4,4) T6 0x0:ud 0x0:ud D.0", plane);
    assert_same(
        "media_st.nomod (4,4) T6 I(0,0)<0;1,0> 0x0:ud D.0",
        "media_st.nomod (4,4) T6 0 I(0,0)<0;1,0> 0x0:ud D.0",
    );
    assert_eq!(error("fence_global.R"), "`.R` alone is a channel mask in version 4.2");
    error("fence_local.");
    parsed("fence_global.ER");
    parsed("fence_global.R //@ 5c 10");
    let sends = "(M1, 16)  0x0:ud 0x4200580:ud D.0 %null.0 D.64";
    for (word, other) in [
        ("raw_sends.15.1.0.1", "raw_sends.1.0.1"),
        ("raw_sends_eot.15.1.0.1", "raw_sends.15.eot.1.0.1"),
        ("raw_sendsc.1.0.1", "raw_sendsc.15.1.0.1"),
        ("raw_sendsc_eot.1.0.1", "raw_sendsc_eot.0.1.0.1"),
    ] {
        assert_eq!(printed(&format!("{word} {sends}")), format!("{word} {sends}"));
        error(&format!("{other} {sends}"));
    }
    error("fcall (M1,16) \"foo\" 1 1");
    parsed("fcall (M1,16) foo 1 1");
    assert_eq!(printed("faddr \".str\" U(0,0)<1>"), "faddr \".str\" U(0,0)<1>");
    assert_same(
        "switchjmp (M1,1) D(0,0)<0;1,0> (,L1 L2,, )\nL1:\nL2:",
        "switchjmp (M1,1) D(0,0)<0;1,0> (L1, L2)\nL1:\nL2:",
    );
    error("switchjmp (M1,1) D(0,0)<0;1,0> (,)");
    error("bfn.x1d8 (M1,16) D(0,0)<1> D(0,0)<1;1,0> D(0,0)<1;1,0> D(0,0)<1;1,0>");
}
