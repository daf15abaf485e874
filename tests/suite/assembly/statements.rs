//! Lines, statements and annotations of text.

use genvisa::isa::Mov;
use genvisa::object::{Align, Code, Kernel};
use genvisa::operand::{DataType, Dst, ExecSize, Imm};
use genvisa::text::Document;
use genvisa::text::{Style, format_of, parse, reformat};
use genvisa::{Format, Instruction, Module, Version};

use super::{explained, kernel, text};

fn first_message(source: &[u8]) -> String {
    parse(source, Format::default()).expect_err("an error")[0].to_string()
}

#[test]
fn byte_order_marks_and_other_encodings() {
    let source = kernel("barrier");
    let module = parse(&source, Format::default()).expect("correct text");
    let marked = format!("\u{feff}{source}");
    assert_eq!(parse(&marked, Format::default()), Ok(module.clone()));
    assert_eq!(genvisa::text::stated_versions(&marked)[0].binary(), Some(Version::V3_6));
    // Latin-1 in a comment.
    let mut latin = source.clone().into_bytes();
    latin.extend(b"// gr\xfc\xdfe\n");
    assert_eq!(parse(&latin, Format::default()), Ok(module));
    assert_eq!(first_message(b"\xff\xfe.\0v\0"), "expected UTF-8, found UTF-16");
    assert_eq!(first_message(b"CISA\x03\x06"), "expected text, found an object file");
}

#[test]
fn a_text_needs_a_version() {
    let source = kernel("barrier");
    let without = source.strip_prefix(".version 3.6\n").expect("it begins with it");
    let diagnostics = parse(without, Format::default()).expect_err("no version");
    assert_eq!(diagnostics[0].to_string(), "the text has no `.version`");
    assert_eq!(diagnostics.len(), 1);
    assert!(diagnostics[0].help.is_some());
    // Each routine may have one, and they may differ.
    let both = format!("{source}{}", source.replace("3.6", "3.5").replace("\"k\"", "\"l\""));
    assert_eq!(parse(&both, Format::default()).map(|module| module.kernels.len()), Ok(2));
}

#[test]
fn braces_can_share_a_line_with_a_statement() {
    let lines = "{ .decl e v_type=G type=f num_elts=8\n{ barrier }\nl: }\n{}\njmp (M1, 1) l";
    let module = parse(kernel(lines), Format::default());
    let module = module.unwrap_or_else(|wrong| panic!("{}", explained(&kernel(lines), &wrong)));
    assert_eq!(module.kernels[0].body.code.instructions(module.format).count(), 3);
    assert_eq!(first_message(kernel("barrier }").as_bytes()), "unexpected `}`: no scope is open");
    assert_eq!(
        first_message(kernel("{ barrier").as_bytes()),
        "this `{` is not closed in the routine"
    );
}

/// GenX_IR prints no line break after the last attribute.
#[test]
fn an_instruction_can_follow_the_last_attribute_in_its_line() {
    let mut module = Module::new(Format::default());
    let mut kernel = Kernel::new("k");
    let x = kernel.body.add_variable("x", DataType::D, 8, Align::GRF);
    let mov = Mov {
        exec: ExecSize::S8.into(),
        dst: Dst::new(x),
        src0: Imm::d(42).into(),
        ..Mov::default()
    };
    let code = Code::from_instructions(&[Instruction::from(mov)], module.format);
    kernel.body.code = code.expect("a legal instruction");
    module.kernels.push(kernel);
    let source = text(module.routines().next().expect("one"), Style::GenXIr);
    assert!(source.contains(".kernel_attr Target=\"3d\"    mov (M1, 8)"), "{source}");
    let again = parse(&source, module.format).expect("text of GenX_IR");
    assert_eq!(again.kernels[0].body.code.bytes(), module.kernels[0].body.code.bytes());
    assert_eq!(again.kernels[0].body.attributes.len(), 1);
}

#[test]
fn many_attributes_in_a_line_need_no_stack() {
    let attributes = ".kernel_attr A=\"x\"    ".repeat(100_000);
    let module = parse(kernel(&format!("{attributes}barrier")), Format::default());
    let body = &module.expect("correct text").kernels[0].body;
    assert_eq!(body.attributes.len(), 100_000);
    assert_eq!(body.code.instructions(Format::default()).count(), 1);
}

#[test]
fn text_can_have_more_elements_than_the_format() {
    let input = kernel(".decl e v_type=G type=d num_elts=70000\n.input e offset=32");
    let message = "an input has at most 65535 bytes, but this one has 280000";
    assert_eq!(first_message(input.as_bytes()), message);
    let source = kernel(".decl e v_type=G type=d num_elts=70000");
    let printed = reformat(&source).expect("correct text");
    assert!(printed.contains("num_elts=70000"), "{printed}");
    let module = parse(&source, Format::default()).expect("correct text");
    let error = module.to_bytes().expect_err("16 bits");
    let expected = "num_elements: 70000 is out of range";
    assert!(error.to_string().contains(expected), "{error}");
}

/// An annotation that does not match its line is ignored with a warning, or an error if the line
/// alone is incomplete.
#[test]
fn text_takes_precedence_over_annotations() {
    let cases = [
        (".decl e v_type=G type=d num_elts=8 //@ name=1", "does not list its strings"),
        (".kernel_attr A //@ attribute=3", "does not list its strings"),
        (".decl e v_type=G type=d num_elts=8 align=GRF //@ align=12", "has an alignment"),
        (".decl e v_type=G type=d num_elts=8 alias=<d, 0> //@ scope=1", "has an alias"),
        ("l:\n//@ label l undefined", "the label `l` is defined"),
        ("l:\n//@ label l kind=1:4", "the kind of `l` has changed"),
        ("//@ label m kind=0:4", "`m` is ignored: there is no such label"),
        ("//@ labels m", "`m` is ignored: there is no such label"),
        ("barrier //@ 59; V40=d", "the bytes of the annotation do not match the text"),
        ("barrier //@ 5a", "the bytes of the annotation do not match the text"),
    ];
    for (lines, expected) in cases {
        let source = kernel(lines);
        let assembly = Document::parse(&source, Format::default()).into_result();
        let assembly = assembly.unwrap_or_else(|wrong| panic!("{}", explained(&source, &wrong)));
        let warnings: Vec<String> = assembly.warnings.iter().map(ToString::to_string).collect();
        assert_eq!(warnings.len(), 1, "{lines}: {warnings:?}");
        assert!(warnings[0].contains(expected), "{lines}: {warnings:?}");
        // The text without the annotation has the same meaning.
        let without_annotations: String = source
            .lines()
            .map(|line| line.split("//@").next().unwrap_or_default())
            .flat_map(|line| [line, "\n"])
            .collect();
        assert_eq!(
            parse(without_annotations, Format::default()).as_ref(),
            Ok(&assembly.module),
            "{lines}"
        );
    }
    let rejected = [
        (".decl e v_type=G type=d num_elts=8 //@ alias=<x, 0>", "`x` is not a variable"),
        (".decl e v_type=G type=d num_elts=8 //@ alias=<#33, 0>", "variable 33 is declared"),
        ("//@ input kind=0 index=32 offset=32 size=32", "the variable of this input is declared"),
        ("barier //@ 59", "do not match the text"),
    ];
    for (lines, expected) in rejected {
        let message = first_message(kernel(lines).as_bytes());
        assert!(message.contains(expected), "{lines}: {message}");
    }
}

/// The compiler does not look at the version.
#[test]
fn unknown_versions_are_accepted_with_a_warning() {
    for version in ["3.9", "4.3", "5.2", "6.2", "255.255"] {
        let source = kernel("barrier").replace(".version 3.6", &format!(".version {version}"));
        let format = format_of(&source);
        let assembly = Document::parse(&source, format).into_result().expect("legal text");
        let warnings: Vec<String> = assembly.warnings.iter().map(ToString::to_string).collect();
        let read_as = format.version;
        let expected =
            format!("version {version} is unknown; the text is read as version {read_as}");
        assert_eq!(warnings, [expected]);
        assert_eq!(&source[assembly.warnings[0].span.clone()], version);
    }
    for version in Version::ALL {
        let source = kernel("barrier").replace(".version 3.6", &format!(".version {version}"));
        assert_eq!(
            Document::parse(&source, Format::V4_2).into_result().expect("legal text").warnings[..],
            []
        );
    }
    let errors = Document::parse(".version 2.9\n.kernel \"k\"\n", Format::default())
        .into_result()
        .unwrap_err();
    assert_eq!(errors[0].to_string(), "versions before 3.0 are not supported");
}
