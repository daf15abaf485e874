//! Inline assembly in Python.

use std::ops::Range;

use genvisa_inline::source::{Block, Content, Language, Search, Source, find};
use genvisa_inline::{Checker, Form, Lanes, Path, Place, Unknown};
use proptest::collection::vec;
use proptest::prelude::{ProptestConfig, any};
use proptest::sample::select;
use proptest::{prop_assert, proptest};

use super::{only_block, statement, template};

fn find_python(source: &str) -> Source {
    find(source.as_bytes(), Language::Python)
}

/// Returns a kernel that calls the function with these arguments.
fn kernel(arguments: &str) -> String {
    format!(
        "import triton.language as tl\n\n@triton.jit\ndef k(x, y):\n    \
         return tl.inline_asm_elementwise({arguments})\n"
    )
}

/// Returns the types of the operands of a call with these arguments.
fn types(arguments: &str) -> Vec<String> {
    let source = kernel(arguments);
    let found = find_python(&source);
    let operands = &statement(only_block(&found)).operands;
    operands.iter().map(|it| it.ty.map_or("?".into(), |ty| ty.to_string())).collect()
}

/// Expressions, and their values in CPython.
const VALUES: [(&str, &str); 12] = [
    (
        "\"mov\\n\\t\\\"x\\\" \\'y\\' \\\\ \\x41\\u0042\\U00000043\\103\\0\"",
        "mov\n\t\"x\" 'y' \\ ABCC\x00",
    ),
    ("r\"mov\\n $0\"", "mov\\n $0"),
    ("\"\"\"mov\n  add\\\n sub\"\"\"", "mov\n  add sub"),
    ("'a' \"b\" '''c'''", "abc"),
    ("(\"a\"\n  # a comment\n  \"b\" 'c')", "abc"),
    ("\"a\" + \"b\" + (\"c\" + r\"\\d\")", "abc\\d"),
    ("\"é\\u20ac\"", "é€"),
    ("\"\\q\\8\"", "\\q\\8"),
    ("\"a{{}}%%\"", "a{{}}%%"),
    ("f\"a{{b}}%%\"", "a{b}%%"),
    ("f\"x{'y'}z{1}\"", "xyz1"),
    ("' '.join(['a', \"b\" 'c'])", "a bc"),
];

#[test]
fn reads_strings_as_python_does() {
    for (expression, value) in VALUES {
        let source = kernel(&format!("\"(M1\" + ({expression}), \"=rw\", [], tl.int32, True, 1"));
        let found = find_python(&source);
        assert_eq!(template(only_block(&found)), format!("(M1{value}"), "{expression}");
    }
}

#[test]
fn maps_bytes_to_the_file() {
    let source = kernel(
        "\"\"\"{\n  mov (M1, 16) \\x240(0,0)<1> \\\n$1\\n}\"\"\" f'{\"}\"}', '=rw,' 'rw,~{cc}', [x], tl.int32, True, 1",
    );
    let found = find_python(&source);
    let block = only_block(&found);
    let text = "{\n  mov (M1, 16) $0(0,0)<1> $1\n}}";
    assert_eq!(template(block), text);
    let written = |part: &str| {
        let at = text.find(part).expect("the part");
        let spans = &block.template_map[at..at + part.len()];
        let spans: Vec<&str> =
            spans.iter().map(|span| &source[span.start as usize..span.end as usize]).collect();
        spans
    };
    assert_eq!(written("$0("), ["\\x24", "0", "("]);
    assert_eq!(written("$1\n}}"), ["$", "1", "\\n", "}", "{\"}\"}"]);
    let spans = |spans: &[Range<usize>]| -> Vec<String> {
        spans.iter().map(|span| source[span.clone()].to_owned()).collect()
    };
    assert_eq!(spans(&block.constraint_spans), ["=rw", "rw"]);
    assert_eq!(spans(&block.clobber_spans), ["cc"]);
    assert_eq!((block.function.as_deref(), block.path), (Some("k"), Some(Path::Simt)));
    assert!(source[block.span.clone()].starts_with("tl.inline_asm_elementwise("));
    assert!(source[block.span.clone()].ends_with(", 1)"));
}

#[test]
fn reads_arguments_by_position_and_by_name() {
    let expected = ["float", "i32", "?"];
    let positional = "\"(M1\", \"=rw,rw,rw\", [x.to(tl.int32), y], tl.float32, True, 1";
    assert_eq!(types(positional), expected);
    let named =
        "args=(x.to(dtype=tl.int32), y), pack=tl.constexpr(1), dtype=tl.float32, is_pure=True,
        constraints=(\"=rw,\"  # the output
                     \"rw,rw\"), asm='''(M1'''";
    assert_eq!(types(named), expected);
    // PyTorch's function.
    let torch = "x, y, asm_str=\"(M1\", constraints=\"=rw,rw,rw\", dtype=torch.float32, pack=1";
    assert_eq!(types(torch), ["float", "?", "?"]);
    // Arguments are missing.
    for arguments in ["", "\"(M1\"", "constraints=\"=rw\"", "x, y, constraints=\"=rw\", asm_str=z"]
    {
        let source = find_python(&kernel(arguments));
        assert!(source.blocks.iter().all(|block| !matches!(block.content, Content::Visa(_))));
    }
}

/// The example of Triton's documentation.
#[test]
fn packs_elements_as_triton_does() {
    let arguments = "'(M1', '=rw,=rw,=rw,=rw,=rw,=rw,=rw,=rw,rw,rw,rw,rw,rw',
        [a.to(tl.uint8), b.to(tl.float32)], (tl.int32, tl.float32), True, PACK";
    let source = format!("PACK = 4\n{}", kernel(arguments));
    let found = find_python(&source);
    let operands = &statement(only_block(&found)).operands;
    let types: Vec<String> = operands.iter().map(|it| it.ty.expect("a type").to_string()).collect();
    let expected = [["i32"; 4].as_slice(), &["float"; 4], &["<4 x i8>"], &["float"; 4]].concat();
    assert_eq!(types, expected);
    // The number of operands is not known.
    assert_eq!(self::types("'(M1', '=rw,rw', [x], tl.bfloat16, True, 2"), ["<2 x bfloat>", "?"]);
    assert_eq!(self::types("'(M1', '=rw,rw', [x], tl.float8e5, True, P"), ["?", "?"]);
}

#[test]
fn reads_names_and_alternatives() {
    let source = "
LANES = 16
CODE: tl.constexpr = tl.constexpr(f'mov (M1, {LANES}) $0(0,0)<1> $1(0,0)<1;1,0>')

def a(x, fast):
    return inline_asm_elementwise(CODE, '=rw,rw', [x], tl.int32, True, 1)

def b(x, fast):
    CODE = 'add (M1' if fast else 'mul (M1'
    return inline_asm_elementwise(CODE, '=rw', [], tl.int32, True, 1)

def c(x, CODE):
    return inline_asm_elementwise(CODE, '=rw', [], tl.int32, True, 1)

def d(x):
    code = textwrap.dedent('''(M1''').strip()
    if x:
        code = '(M2'
    return inline_asm_elementwise(code, '=rw', [], tl.int32, True, 1)

def e():
    for code in CODES:
        inline_asm_elementwise(code, '=rw', [], tl.int32, True, 1)

def f():
    code = other
    other = code
    return inline_asm_elementwise(code, '=rw', [], tl.int32, True, 1)
";
    let found = find_python(source);
    let templates: Vec<(&str, &str)> = found
        .blocks
        .iter()
        .map(|block| {
            let template = match &block.content {
                Content::Visa(statement) => {
                    core::str::from_utf8(&statement.template).expect("text")
                }
                Content::Unreadable(reason) => reason.split(';').next().expect("a reason"),
                Content::Other(reason) => reason,
            };
            (block.function.as_deref().expect("a function"), template)
        })
        .collect();
    let expected = [
        ("a", "mov (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0>"),
        ("b", "add (M1"),
        ("b", "mul (M1"),
        ("c", "the template `CODE` is built at run time"),
        ("d", "(M1"),
        ("d", "(M2"),
        ("e", "the template `code` is built at run time"),
        ("f", "the template `code` is built at run time"),
    ];
    assert_eq!(templates, expected);
}

/// Statements that give `CODE` a value that is not a string of the file.
const BINDINGS: [&str; 21] = [
    "a, CODE = f()",
    "(a, [CODE, b]) = f()",
    "a, *CODE = f()",
    "CODE += 'x'",
    "if (CODE := f()): pass",
    "for CODE in f(): pass",
    "for a, CODE in f(): pass",
    "with f() as CODE: pass",
    "with f() as (a, CODE): pass",
    "try:\n        pass\n    except E as CODE:\n        pass",
    "import CODE",
    "import a.b as CODE",
    "from a import b, CODE",
    "from a import b as CODE",
    "def CODE(): pass",
    "class CODE: pass",
    "match x:\n        case [a, CODE]: pass",
    "match x:\n        case A(b=CODE): pass",
    "match x:\n        case {'a': 1, **CODE}: pass",
    "match x:\n        case [1, *CODE] | (2 as CODE): pass",
    "global CODE",
];

#[test]
fn reads_no_name_whose_value_is_not_known() {
    let parameters =
        ["CODE", "CODE=1", "CODE: str", "CODE: str = 1", "*CODE", "**CODE", "*CODE: str"];
    let many: Vec<String> = (0..9).map(|index| format!("CODE = '(M{index}'")).collect();
    let with_name = |statement: &str, name: &str| statement.replace("CODE", name);
    let body = |parameter: &str, statement: &str| {
        format!(
            "CODE = '(M0'\nOTHER = '(M1'\ndef f({parameter}):\n    {statement}\n    \
             inline_asm_elementwise(CODE, '=rw', [], tl.int32, True, 1)\n"
        )
    };
    let in_functions = BINDINGS.iter().map(|statement| ("x", (*statement).to_owned()));
    let in_parameters = parameters.iter().map(|parameter| (*parameter, "pass".to_owned()));
    let too_many = [("x", many.join("\n    "))];
    for (parameter, statement) in in_functions.chain(in_parameters).chain(too_many) {
        let found = find_python(&body(parameter, &statement));
        let is_unreadable = matches!(only_block(&found).content, Content::Unreadable(_));
        assert!(is_unreadable, "{parameter}: {statement}");
        // Another name has no influence.
        let found = find_python(&body(&with_name(parameter, "x"), &with_name(&statement, "OTHER")));
        assert_eq!(template(only_block(&found)), "(M0", "{parameter}: {statement}");
    }
    // A function assigns to the name of the file.
    let source = "
CODE = '(M0'
def f():
    global CODE
    CODE = '(M1'
def g():
    inline_asm_elementwise(CODE, '=rw', [], tl.int32, True, 1)
";
    let content = &only_block(&find_python(source)).content.clone();
    assert!(matches!(content, Content::Unreadable(_)), "{content:?}");
}

/// Findings that do not depend on the parts of a template that are not known.
#[test]
fn checks_templates_with_unknown_parts() {
    let checker = Checker::new().with_platform(genvisa::Platform::Xe2).with_lanes(Lanes::L16);
    let check = |template: &str| {
        let source = kernel(&format!("{template}, '=rw,rw', [x.to(tl.int32)], tl.int32, True, 1"));
        let found = find_python(&source);
        let block = only_block(&found);
        let report = block.check(&checker).expect("vISA");
        assert!(report.unknown.contains(&Unknown::Text), "{template}");
        let spans: Vec<String> = report
            .findings
            .iter()
            .map(|finding| match &finding.place {
                Place::Template(span) => {
                    let map = &block.template_map[span.clone()];
                    let (first, last) = (map.first().expect("text"), map.last().expect("text"));
                    source[first.start as usize..last.end as usize].to_owned()
                }
                place => panic!("{place:?}"),
            })
            .collect();
        spans
    };
    for template in [
        "f'{op} (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0>\\nmvo (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0>'",
        "'{} (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0>\\nmvo (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0>'.format(op)",
        "'%s (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0>\\nmvo (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0>' % op",
        "op + ' (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0>\\nmvo (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0>'",
        "'%s (M1, 16) $0(0,0)<1> ' '$1(0,0)<1;1,0>\\nmvo (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0>' % op",
    ] {
        assert_eq!(check(template), ["mvo"], "{template}");
    }
    assert_eq!(check("f'mov (M1, {n}) $0(0,0)<1> $1(0,0)<1;1,0>'"), [""; 0]);
    assert_eq!(check("'\\N{DIGIT ONE} (M1, 16)'"), [""; 0]);
}

#[test]
fn reads_source_code_in_strings() {
    let source = r#"
"""asm("mvo (M1, 16)");"""

KERNEL = f'''
__attribute__((intel_reqd_sub_group_size({LANES})))
kernel void f(global float *p) {{
    float x;
    __asm__("mov (M1, {LANES}) %0(0,0)<1> %1(0,0)<1;1,0>\\n" : "=rw"(x) : "rw"(p[0]));
}}'''
program = cl.Program(context, """
kernel void g(int a) {
    asm("(M1" : "=rw"(a)); // genvisa: lanes=16
}""").build()
MLIR = """
module attributes {ttg.target = "xpu"} {
  tt.func @h(%x: i32) {
    %r = tt.elementwise_inline_asm "mov" {constraints = "=r"} %x : i32 -> i32
  }
}"""
INNER = '''
@triton.jit
def i(x):
    return tl.inline_asm_elementwise("(M1", "=rw", [x], tl.int32, True, 1)
'''
LLVM = """define void @j() { call void asm "(M1", ""()
ret void }"""
other = "asm('nothing')"
"#;
    let found = find_python(source);
    assert_eq!((found.error, found.hint_errors), (None, vec![]));
    let facts = |block: &Block| {
        let function = block.function.clone().expect("a function").to_string();
        let text = &source[block.span.clone()];
        let word = text.split(['(', ' ']).next().expect("a word").to_owned();
        (function, word, statement(block).form, block.lanes)
    };
    let found: Vec<_> = found.blocks.iter().map(facts).collect();
    let expected = [
        ("f", "__asm__", Form::Gnu, None),
        ("g", "asm", Form::Gnu, Some(Lanes::L16)),
        ("h", "tt.elementwise_inline_asm", Form::Llvm, None),
        ("i", "tl.inline_asm_elementwise", Form::Llvm, None),
        ("j", "asm", Form::Llvm, None),
    ];
    let expected = expected
        .map(|(function, word, form, lanes)| (function.to_owned(), word.to_owned(), form, lanes));
    assert_eq!(found, expected);
}

#[test]
fn skips_assembly_of_other_machines_unless_visa_is_required() {
    let cases = [
        ("'tanh.approx.f32 $0, $1;', '=r, r'", "this is PTX"),
        ("'''s_memrealtime $0\ns_waitcnt vmcnt(0)''', '=r'", "this is AMD GCN assembly"),
        ("'rdtsc', '=a'", "its constraints are not constraints of vISA"),
    ];
    for (arguments, reason) in cases {
        let source = kernel(&format!("{arguments}, [x], tl.float32, True, 1"));
        let found = find_python(&source);
        assert_eq!(only_block(&found).content, Content::Other(reason), "{arguments}");
        let found = Search::new(Language::Python).require_visa().find(source.as_bytes());
        let report = only_block(&found).check(&Checker::new()).expect("vISA");
        let rule = report.findings[0].rule;
        assert_eq!(
            rule == "foreign-assembly",
            reason.starts_with("this is"),
            "{arguments}: {rule}"
        );
    }
}

/// Names that repeat strings make neither the time nor the memory grow with the square of the file.
#[test]
fn limits_the_values_of_names() {
    let large = "a".repeat(900_000);
    let source = format!("B = '{large}'\n{}", "x = f'asm {B}'\n".repeat(3000));
    assert_eq!(find_python(&source), Source::default());
    let source = format!(
        "{}y = inline_asm_elementwise(x, '=rw', [], tl.int32, True, 1)\n",
        "x = 'asm'\n".repeat(50_000)
    );
    assert!(find_python(&source).blocks.len() <= 8);
}

/// Parts of files.
const PIECES: &[&str] = &[
    "tl.inline_asm_elementwise(",
    "f'{",
    "}'",
    "'''",
    "\"",
    "asm",
    "(M1",
    "constraints=",
    "x",
    ",",
    ")",
    "(",
    "\n",
    "    ",
    "def f(",
    "):",
    "=",
    "+",
    "%",
    ".format(",
    "\\",
    "[",
    "]",
    "{",
    "if",
    " else ",
    "lambda ",
    "\0",
    "é",
    "x = ",
    "r'",
    "' ",
    "asm=",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn accepts_any_bytes(bytes in vec(any::<u8>(), 0..200)) {
        let text = [b"asm\n", &bytes[..]].concat();
        let found = find(&text, Language::Python);
        for block in found.blocks {
            prop_assert!(block.span.end <= text.len());
        }
    }

    #[test]
    fn accepts_any_tokens(pieces in vec(select(PIECES), 0..60)) {
        let text = pieces.concat();
        for search in [Search::new(Language::Python), Search::new(Language::Python).require_visa()] {
            for block in search.find(text.as_bytes()).blocks {
                prop_assert!(text.get(block.span.clone()).is_some());
                block.check(&Checker::new());
            }
        }
    }
}
