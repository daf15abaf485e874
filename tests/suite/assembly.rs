//! Parsing of text to modules.

mod editing;
mod fast_paths;
mod files;
pub mod meaning;
mod partial;
mod statements;

use std::fs;
use std::path::PathBuf;

use genvisa::isa::{File, Ret};
use genvisa::object::{
    Align, Body, Code, Input, InputClass, InputKind, Kernel, LabelKind, Routine, SimpleVariable,
};
use genvisa::operand::{DataType, ExecSize, Pred, StringId, VarId};
use genvisa::text::{
    Diagnostic, LineIndex, Listing, Style, line_and_column, parse, parse_instruction,
    stated_versions,
};
use genvisa::{Dialect, Format, Module, Result, Version, strategy};
use genvisa_test_support::corpus::texts_under;
use genvisa_test_support::{corpus, formats, random::runner};
use proptest::collection::vec;
use proptest::prelude::{ProptestConfig, any};
use proptest::sample::{Index, select};
use proptest::test_runner::TestCaseError;
use proptest::{prop_assert_eq, prop_assume, proptest};

use crate::tour;

fn text(routine: Routine<'_, '_>, style: Style) -> String {
    let mut text = String::new();
    let listing = Listing::new(routine).with_style(style);
    listing.write_to(&mut text).expect("legal code");
    text
}

/// Returns the first diagnostics with their lines of the text.
fn explained(source: &str, diagnostics: &[Diagnostic]) -> String {
    let explain = |diagnostic: &Diagnostic| {
        let (line, column) = diagnostic.line_and_column().expect("the source is attached");
        let text = source.lines().nth(line - 1).unwrap_or_default();
        format!("{line}:{column}: {diagnostic}: {text}")
    };
    diagnostics.iter().take(5).map(explain).collect::<Vec<_>>().join("\n")
}

/// Returns the texts that GenX_IR printed and that IGC emits.
pub fn real_texts() -> Vec<PathBuf> {
    let mut texts = texts_under(&corpus::required());
    texts.extend(texts_under(&corpus::required_visaasm()));
    texts.retain(|path| !uses_efficient_64b(&fs::read_to_string(path).expect("a readable text")));
    texts
}

/// Returns whether a text is for a platform with efficient 64-bit addressing. The operands of its
/// sampler and LSC messages have no binary form, and are not parsed yet.
pub fn uses_efficient_64b(source: &str) -> bool {
    source.contains("-enableEfficient64b")
}

#[test]
#[ignore = "needs the corpus"]
fn real_text_parses() {
    let mut wrong = Vec::new();
    for path in real_texts() {
        let source = fs::read_to_string(&path).expect("a readable text");
        for format in [Format::igc2022(Version::V4_1), Format::igc2026(Version::V4_1)] {
            // This is the only instruction that is newer than 2022.
            let newer =
                source.contains("lsc_load_block2d.tgm") && format.dialect == Dialect::Igc2022;
            if newer {
                assert!(parse(&source, format).is_err());
            } else if let Err(diagnostics) = parse(&source, format) {
                wrong.push(format!(
                    "{} as {format}:\n{}",
                    path.display(),
                    explained(&source, &diagnostics)
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Returns the lines of a text without comments and empty lines.
fn lines(text: &str) -> Vec<&str> {
    let without_comment = |line| match str::find(line, "//") {
        Some(start)
            if !line[..start].contains('"') || line[..start].matches('"').count() % 2 == 0 =>
        {
            &line[..start]
        }
        _ => line,
    };
    text.lines().map(without_comment).map(str::trim).filter(|line| !line.is_empty()).collect()
}

#[test]
#[ignore = "needs the corpus"]
fn real_text_prints_unchanged() {
    for path in real_texts() {
        let source = fs::read_to_string(&path).expect("a readable text");
        let today = source.starts_with(".version 4.2");
        let format =
            if today { Format::igc2026(Version::V4_1) } else { Format::igc2022(Version::V3_6) };
        let module = parse(&source, format).expect("it parses");
        let routine = module.routines().next().expect("a routine");
        let printed = text(routine, Style::Complete);
        let (found, expected) = (lines(&printed), lines(&source));
        let differs =
            found.iter().zip(&expected).skip(1).find(|(found, expected)| found != expected);
        assert_eq!(differs, None, "{}", path.display());
        assert_eq!(found.len(), expected.len(), "{}", path.display());
    }
}

/// Most generated instructions have ids that are not declared.
#[test]
fn instructions_of_every_row_survive_text() {
    for format in formats::all() {
        let mut runner = runner(40, 1);
        for (opcode, row) in strategy::rows(format) {
            let result = runner.run(&row, |instruction| {
                let mut kernel = Kernel::new("kernel");
                declare(&mut kernel.body).expect("space in every table");
                let mut module = Module::new(format);
                let ret = Ret { exec: ExecSize::S1.into(), pred: Pred::NONE };
                // Dialect `Manual` has no RET.
                let code = match Code::from_instructions(&[instruction, ret.into()], format) {
                    Ok(code) => code,
                    Err(_) => Code::from_instructions(&[instruction], format).expect("encodable"),
                };
                kernel.body.code = code;
                module.kernels.push(kernel);
                let source = text(module.routines().next().expect("one"), Style::Complete);
                let again = parse(&source, format);
                let again = again
                    .map_err(|diagnostics| TestCaseError::fail(explained(&source, &diagnostics)))?;
                prop_assert_eq!(&again.kernels[0].body, &module.kernels[0].body, "{}", source);
                Ok(())
            });
            result.unwrap_or_else(|error| panic!("opcode {opcode:#04x} in {format}: {error}"));
        }
    }
}

/// Adds declarations of every class, with and without names.
fn declare(body: &mut Body<'_>) -> Result<()> {
    for id in VarId::FIRST_DECLARED.0..64 {
        let name = if id % 3 == 0 { String::new() } else { format!("v{id}") };
        body.add_variable(&name, DataType::UD, 256, Align::GRF);
    }
    for id in 0..40 {
        body.add_address("", 16)?;
        body.add_predicate(&format!("p{id}"), 32)?;
    }
    for _ in 0..16 {
        body.add_sampler("")?;
        body.add_surface("surface")?;
    }
    for (name, kind) in
        [("a", LabelKind::BLOCK), ("b", LabelKind::SUBROUTINE), ("c", LabelKind::FC)]
    {
        body.add_label(name, kind)?;
    }
    body.intern("a string");
    Ok(())
}

fn kernel(lines: &str) -> String {
    format!(".version 3.6\n.kernel \"k\"\n.decl d v_type=G type=f num_elts=8\n{lines}\n")
}

/// Returns the first message about a kernel.
fn first_message(lines: &str) -> String {
    let source = kernel(lines);
    match parse(&source, Format::default()) {
        Ok(_) => panic!("no error in:\n{source}"),
        Err(diagnostics) => diagnostics[0].to_string(),
    }
}

#[test]
fn rejects_statements_without_effect() {
    let cases = [
        ("//@ unnamed bla", "expected the end of the line, found `bla`"),
        ("//@ variable 99 = 00", "expected an annotation, such as `strings`, found `variable`"),
        (".kernel_attr A //@ unnamed", "expected `attribute`, found `unnamed`"),
        (".funcdecl \"f\" //@ name=1", "this statement takes no annotation"),
        (".decl e v_type=A num_elts=1 //@ name=1 name=1", "`name` is specified more than once"),
        ("//@ extern \"f\"", "`//@ extern` must precede the first routine"),
        ("//@ label l undefined kind=0:256", "`256` is out of range for a number"),
        (".version 3.6\n.version 3.5", "this routine already has a `.version`"),
        (".kernel \"k\"", "kernel `k` is already defined"),
        (".function \"f\"\n.function \"f\"", "label `f` is already defined"),
        ("f:\n.function \"f\"", "label `f` is already defined"),
        (".input d offset=32 attrs={A}", "expected the end of the line, found `attrs`"),
        (
            "mov (M1, 1) d(0,0)<1> 1.5\njmp (M1, 1) g\ng:",
            "expected a type, such as `:f`, found the end of the line",
        ),
        ("/* no end", "unterminated comment"),
        ("FILE \"\u{e9}\\\u{e9}\"", "unknown escape `\\\u{e9}`"),
    ];
    for (lines, expected) in cases {
        assert_eq!(first_message(lines), expected, "{lines}");
    }
}

#[test]
fn numbers_can_be_expressions() {
    let cases = [
        ("(2+3)*4", 20),
        ("2 + 3 * 4", 14),
        ("20 / 3 % 4", 2),
        ("(1 << 4) >> 1", 8),
        ("-(-7)", 7),
        ("~(~5)", 5),
        ("!0 + !5", 1),
        ("1 < 2 ? 10 : 20", 10),
        ("1 >= 2 ? 10 : 0 ? 20 : 30", 30),
        ("3 | 4 & 1", 1),
        ("6 ^ 5 == 5", 7),
        ("-1 >>> 60", 15),
        ("0x10 - 2 /* of them */", 14),
    ];
    for (number, expected) in cases {
        let source = kernel(&format!(".decl e v_type=G type=f num_elts={number} align=GRF"));
        let module = parse(&source, Format::default()).unwrap_or_else(|d| panic!("{}", d[0]));
        assert_eq!(module.kernels[0].body.variables[1].num_elements, expected, "{number}");
    }
    let source =
        kernel("mov (M1, 8) d(1-1,(2+2))<2/2> d(0,0)<2*4;8,(1)>\nmov (M1, 1) d(0,0)<1> (2+3):d");
    let module = parse(&source, Format::default());
    let module = module.unwrap_or_else(|d| panic!("{}", explained(&source, &d)));
    let printed = text(module.routines().next().expect("one"), Style::Complete);
    assert!(printed.contains("d(0,4)<1> d(0,0)<8;8,1>"), "{printed}");
    assert!(printed.contains("0x5:d"), "{printed}");
    let no_value =
        "this expression has no value: it divides by zero, or a shift or quotient is undefined";
    let deep = "(".repeat(100_000);
    let signs = "-".repeat(100_000);
    for (number, expected) in [
        ("1/0", no_value),
        ("1 << 64", no_value),
        ("0xffffffffffffffff * 2", "`-2` is out of range for a number of elements"),
        ("70000*70000", "`4900000000` is out of range for a number of elements"),
        ("(2", "expected `)`, found the end of the line"),
        ("2+", "expected an integer, found the end of the line"),
        (&deep, "this expression is nested too deeply"),
        (&signs, "this expression is nested too deeply"),
    ] {
        let message = first_message(&format!(".decl e v_type=G type=f num_elts={number}"));
        assert_eq!(message, expected, "{:.20}", number);
    }
}

#[test]
fn stated_version_skips_comments_and_strings() {
    let cases = [
        ("/* .version 3.0\n.version 3.1\n*/ .version 3.2", Some((3, 2))),
        ("// .version 3.0\n.version /* 3.1 */ 3.2 // 3.3", Some((3, 2))),
        ("FILE \"/*\"\n.version 3.2\n\"*/\"", Some((3, 2))),
        ("mov /*\n.version 3.0\n*/ \n  .version\t4.2", Some((4, 2))),
        ("\"", None),
        ("/*", None),
        (".version x", None),
        (".version 300.1", None),
        (".version 3", None),
    ];
    for (source, expected) in cases {
        let stated = genvisa::text::stated_versions(source);
        let first = stated.first().map(|it| (it.major, it.minor));
        assert_eq!(first, expected, "{source}");
    }
}

#[test]
fn stated_versions_have_the_spans_of_their_lines() {
    let source = "// .version 3.0\n/* x\n.version 3.1\n*/ .version 3.2 // one\n\
                  .kernel \"a // \\\" /*\"\n.kernel_attr A=\".version 3.3\"\n  .version 4 . 2\n\
                  .version 4.1\r\n.versions 3.4\nmov .version 3.5\n\"open\n.version 3.6";
    let found: Vec<_> = (stated_versions(source).into_iter())
        .map(|v| ((v.major, v.minor), &source[v.span]))
        .collect();
    let expected =
        [((3, 2), ".version 3.2 // one"), ((4, 1), ".version 4.1"), ((3, 6), ".version 3.6")];
    assert_eq!(found, expected);
}

#[test]
fn columns_count_characters() {
    assert_eq!(line_and_column("ab\n\u{e4}\u{f6}xy".as_bytes(), 8), (2, 4));
}

/// The table has up to 255 entries, and their ids begin at 6, so the last do not fit in a byte.
#[test]
fn surfaces_with_ids_above_a_byte_can_be_declared() {
    let mut kernel = Kernel::new("k");
    for _ in 0..255 {
        let surface = SimpleVariable { num_elements: 1, ..SimpleVariable::default() };
        kernel.body.surfaces.push(surface);
    }
    let kind = InputKind::explicit(InputClass::SURFACE);
    kernel.inputs.push(Input { kind, index: 260, offset: 32, size: 4 });
    let mut module = Module::new(Format::default());
    module.kernels.push(kernel);
    let source = text(module.routines().next().expect("one"), Style::Complete);
    assert!(source.contains(".decl T260 ") && source.contains(".input T260 "), "{source}");
    let again =
        parse(&source, module.format).unwrap_or_else(|d| panic!("{}", explained(&source, &d)));
    assert_eq!(again, module);
    // Operands of two bytes can have these ids.
    let moved = source.clone() + "movs (M1, 1) T260(0) T259(1)\n";
    let moved = parse(&moved, module.format).expect("correct text");
    let printed = text(moved.routines().next().expect("one"), Style::Complete);
    assert!(printed.contains("movs (M1, 1) T260(0) T259(1)"), "{printed}");
    assert_eq!(parse(&printed, module.format), Ok(moved));
    let source = source + "media_ld.nomod (1,1) T260 0 0x0:ud 0x0:ud V0.0\n";
    let diagnostics = parse(&source, module.format).expect_err("an id of more than a byte");
    let expected = "expected a surface with an id up to 255, found `T260`";
    assert_eq!(diagnostics[0].to_string(), expected);
}

#[test]
fn numbers_are_rounded_as_by_compilers_and_zeros_keep_their_sign() {
    let bits = |number: &str| {
        let source = kernel(&format!("mov (M1, 1) d(0,0)<1> {number}"));
        let module = parse(&source, Format::default()).expect("correct text");
        let printed = text(module.routines().next().expect("one"), Style::Complete);
        printed.split_once("<1> ").expect("a source").1.split(' ').next().map(str::to_owned)
    };
    let cases = [
        ("-0.0:f", "0x80000000:f"),
        ("9007199791611905.0:f", "0x5a000000:f"),
        ("1.5e+1:f", "0x41700000:f"),
        ("-2.0:df", "0xc000000000000000:df"),
        ("-2:w", "0xfffffffe:w"),
        ("0xfffe:w", "0xfffe:w"),
    ];
    for (number, expected) in cases {
        assert_eq!(bits(number).as_deref(), Some(expected), "{number}");
    }
}

/// The pool has two equal strings with slashes, and does not have the name of the routine.
#[test]
fn unusual_string_pools_survive_text() {
    let format = Format::default();
    let mut kernel = Kernel::new("k");
    kernel.name = "z".into();
    kernel.body.strings.extend([0, 1].map(|_| "a//b".into()));
    let file = File { file_name: StringId(3) }.into();
    kernel.body.code = Code::from_instructions(&[file], format).expect("legal code");
    let mut module = Module::new(format);
    module.kernels.push(kernel);
    let source = text(module.routines().next().expect("one"), Style::Complete);
    let again = parse(&source, format).unwrap_or_else(|d| panic!("{}", explained(&source, &d)));
    assert_eq!(again, module, "{source}");
}

#[test]
fn rejects_symbols_after_the_first_65536_strings() {
    let declarations: String =
        (0..65540).map(|i| format!(".decl v{i} v_type=G type=d num_elts=8\n")).collect();
    let message = first_message(&format!("{declarations}fcall (M1, 1) foo 0 0"));
    assert_eq!(message, "a symbol must be one of the first 65536 strings of the pool");
}

fn tour() -> String {
    let module = tour::module(Format::default()).expect("a module");
    text(module.routines().next().expect("a kernel"), Style::Complete)
}

/// Checks that any bytes are parsed, or have diagnostics with spans in the text.
fn check_any(source: &[u8]) {
    let errors = [
        parse(source, Format::default()).err(),
        parse_instruction(source, Format::default()).err(),
    ];
    for diagnostics in errors.into_iter().flatten() {
        assert!(!diagnostics.is_empty());
        for diagnostic in diagnostics {
            let span = &diagnostic.span;
            assert!(span.start <= span.end && span.end <= source.len(), "{diagnostic:?}");
            diagnostic.line_and_column().expect("the source is attached");
            assert!(!diagnostic.to_string().is_empty());
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_bytes_are_parsed_or_rejected(bytes in vec(any::<u8>(), 0..300)) {
        check_any(&bytes);
    }

    #[test]
    fn any_pieces_of_text_are_parsed_or_rejected(
        pieces in vec(select(PIECES), 0..60),
        start in any::<bool>(),
    ) {
        let head = if start { ".version 3.6\n.kernel \"k\"\n.decl V32 v_type=G type=d num_elts=8\n" } else { "" };
        check_any(format!("{head}{}", pieces.concat()).as_bytes());
    }

    #[test]
    fn text_with_changed_bytes_is_parsed_or_rejected(
        changes in vec((any::<Index>(), any::<u8>(), 0..3u8), 1..6),
    ) {
        let mut source = tour().into_bytes();
        for (at, byte, how) in changes {
            let at = at.index(source.len());
            match how {
                0 => source[at] = byte,
                1 => source.insert(at, byte),
                _ => { source.remove(at); }
            }
        }
        check_any(&source);
    }

    #[test]
    fn line_index_agrees_with_line_and_column(
        bytes in vec(select(b"ab\n\r\xc3\xa4\xf0\x9f".as_slice()), 0..60),
    ) {
        let lines = LineIndex::new(&bytes);
        for at in 0..bytes.len() + 2 {
            prop_assert_eq!(lines.line_and_column(at), line_and_column(&bytes, at), "{}", at);
        }
    }

    /// Replaces a token of an instruction by another. Either the result is parsed, or the first
    /// diagnostic is about this line.
    #[test]
    fn the_first_diagnostic_is_in_the_line_of_the_error(at in any::<Index>(), token in select(PIECES)) {
        let source = tour();
        let start = source.find(":\n").expect("a label") + 2;
        let tokens: Vec<(usize, &str)> = source[start..]
            .split_inclusive([' ', '\n', ','])
            .scan(start, |offset, part| {
                *offset += part.len();
                Some((*offset - part.len(), part))
            })
            .filter(|(_, part)| !part.trim().is_empty() && !part.contains(['/', '$', ':']))
            .collect();
        let (offset, old) = tokens[at.index(tokens.len())];
        let end = offset + old.trim_end().len();
        prop_assume!(!token.contains('\n'));
        let changed = format!("{}{token}{}", &source[..offset], &source[end..]);
        if let Err(diagnostics) = parse(&changed, Format::default()) {
            let (line, _) = diagnostics[0].line_and_column().expect("the source is attached");
            let expected = changed[..offset].matches('\n').count() + 1;
            prop_assert_eq!(line, expected, "{}: {}", &diagnostics[0], changed);
        }
    }
}

/// Pieces of text.
const PIECES: &[&str] = &[
    ".version 3.6\n",
    ".kernel \"k\"\n",
    ".decl ",
    "V32 ",
    "v_type=G ",
    "type=d ",
    "num_elts=8 ",
    "alias=<V32, 0>",
    "attrs={A=1}",
    ".input ",
    ".kernel_attr A\n",
    ".function \"f\"\n",
    "f:\n",
    "{\n",
    "}\n",
    "mov ",
    "(M1, 8) ",
    "(P1) ",
    "V32(0,0)<1> ",
    "V32(0,0)<8;8,1> ",
    "0x1:d ",
    "-1.5:f ",
    "r[A0(0),-4]<1>:d ",
    "%null.0 ",
    "V32.0 ",
    "T6 ",
    "S0 ",
    "barrier",
    "jmp (M1, 1) f",
    "\n",
    "//@",
    "//@ strings \"a\"\n",
    "//@ label f undefined kind=0:4\n",
    "//@ labels f g\n",
    "//@ input kind=0 index=40 offset=0 size=4\n",
    " //@ name=1",
    " //@ alias=<#3, 4> scope=1",
    "//@ 59\n",
    "/*",
    "*/",
    "\"",
    "\\",
    ".sat",
    ".",
    "sample_3d.RGBA ",
    "lsc_load.ugm ",
    "flat[V32]:a32 ",
    "rt_write_3d.<RTI> ",
    "switchjmp ",
    "(f, f)",
    "99999999999999999999 ",
    "\u{e4}",
];
