//! The fuzz targets of the checker of inline assembly.

use std::sync::LazyLock;

use genvisa::Platform;
use genvisa_inline::source::{Content, Language, Search};
use genvisa_inline::{
    Checker, Element, Form, Lanes, Path, Place, Statement, Type, parse_constraints,
};
use genvisa_test_support::rng::Rng;

use crate::catalogue::Case;
use crate::insertions::{self, Insertion};

genvisa_test_support::fuzz_targets! {
    inline_template: "seeds/template",
    inline_c: "seeds/c",
    inline_llvm: "seeds/llvm",
    inline_mlir: "seeds/mlir",
    inline_python: "seeds/python",
    inline_spirv: "seeds/spirv",
    inline_sources: "seeds/choices",
}

/// A statement can be checked, and the findings are within it. The first byte selects the form, the
/// path, the lanes and the types; the constraints are the rest of the first line.
pub fn inline_template(data: &[u8]) {
    let Some((options, rest)) = data.split_first() else { return };
    let line = rest.iter().position(|byte| *byte == b'\n').unwrap_or(rest.len());
    let constraints = parse_constraints(&String::from_utf8_lossy(&rest[..line]));
    let bit = |bit: u8| options >> bit & 1 == 1;
    let ty = Type { element: Element::I32, components: 1 };
    let mut operands = constraints.operands;
    for operand in operands.iter_mut().filter(|_| bit(4)) {
        (operand.ty, operand.value) = (Some(ty), Some(7));
    }
    let statement = Statement {
        template: rest.get(line + 1..).unwrap_or_default().to_vec(),
        form: [Form::Llvm, Form::Gnu, Form::Basic, Form::Gnu][usize::from(options & 3)],
        operands,
        clobbers: constraints.clobbers,
        holes: if bit(5) { vec![line..line / 2 + 7, 3..9] } else { Vec::new() },
    };
    let mut checker = Checker::new();
    if bit(2) {
        checker = checker.with_path(Path::Vc);
    }
    if bit(3) {
        checker = checker.with_lanes(Lanes::L16);
    }
    check_statement(&checker, &statement);
}

/// Checks a statement on some platforms.
fn check_statement(checker: &Checker, statement: &Statement) {
    for platform in [None, Some(Platform::Dg2), Some(Platform::Xe2), Some(Platform::Xe3p)] {
        let checker = match platform {
            Some(platform) => checker.clone().with_platform(platform),
            None => checker.clone(),
        };
        for finding in checker.check(statement).findings {
            match finding.place {
                Place::Template(span) => {
                    assert!(span.start <= span.end && span.end <= statement.template.len());
                }
                Place::Operand(number) => assert!(number < statement.operands.len()),
                Place::Clobber(index) => assert!(index < statement.clobbers.len()),
            }
        }
    }
}

/// The inline assembly of a file in C can be found and checked, also if macros are known.
pub fn inline_c(data: &[u8]) {
    inline_source(data, Language::C);
    let search =
        Search::new(Language::C).require_visa().define("A", "1").define("B", "A").undefine("C");
    inline_search(data, &search);
}

/// The inline assembly of a file in LLVM IR can be found and checked.
pub fn inline_llvm(data: &[u8]) {
    inline_source(data, Language::Llvm);
}

/// The inline assembly of a file in MLIR can be found and checked.
pub fn inline_mlir(data: &[u8]) {
    inline_source(data, Language::Mlir);
}

/// The inline assembly of a file in Python can be found and checked.
pub fn inline_python(data: &[u8]) {
    #[cfg(feature = "python")]
    inline_source(data, Language::Python);
    #[cfg(not(feature = "python"))]
    let _ = data;
}

/// The inline assembly of a file in SPIR-V can be found and checked.
pub fn inline_spirv(data: &[u8]) {
    inline_source(data, Language::Spirv);
}

fn inline_source(data: &[u8], language: Language) {
    inline_search(data, &Search::new(language));
}

fn inline_search(data: &[u8], search: &Search) {
    for block in search.find(data).blocks {
        assert!(block.span.start <= block.span.end && block.span.end <= data.len());
        let Content::Visa(statement) = &block.content else { continue };
        let map = &block.template_map;
        assert!(map.is_empty() || map.len() == statement.template.len());
        assert!(map.iter().all(|span| span.start <= span.end && span.end as usize <= data.len()));
        assert!(block.constraint_spans.len() <= statement.operands.len());
        check_statement(&Checker::new(), statement);
    }
}

static LEGAL: LazyLock<Vec<Case>> = LazyLock::new(insertions::legal_cases);
static WITH_MISTAKE: LazyLock<Vec<Insertion>> = LazyLock::new(|| insertions::insertions(0));

/// Statements in generated sources are found, and mistakes in them are found on their lines. If bytes of
/// the source are changed, all places are within it.
pub fn inline_sources(data: &[u8]) {
    let mut rng = Rng::from_data(data);
    let (case, line) = match rng.one_in(2) {
        true => (&LEGAL[rng.below(LEGAL.len())], None),
        false => {
            let insertion = &WITH_MISTAKE[rng.below(WITH_MISTAKE.len())];
            (&insertion.case, Some(insertion.line))
        }
    };
    let form = &insertions::sources::FORMS[rng.below(insertions::sources::FORMS.len())];
    let written = (form.write)(case, &mut rng);
    if let Err(message) = insertions::check(&written, line) {
        panic!("{message}, {}\n{}", form.name, written.text);
    }
    let mut source = written.text.into_bytes();
    for _ in 0..rng.below(6) {
        let at = rng.below(source.len() + 1);
        let end = at + rng.below((source.len() - at).min(9) + 1);
        let new = rng.pick(PIECES);
        drop(source.splice(at..end, new.bytes()));
    }
    inline_source(&source, written.language);
}

/// What changes the meaning of the text around it.
const PIECES: &[&str] = &[
    "",
    "\"",
    "\\",
    "\\\n",
    "\\x4",
    "\\101",
    "\\u00e9",
    "/*",
    "*/",
    "//",
    "R\"(",
    ")\"",
    "R\"x(",
    ")x\"",
    "L\"",
    "u8\"",
    "'",
    "(",
    ")",
    ",",
    ":",
    "::",
    "{",
    "}",
    "#",
    "##",
    "#define M(x) #x\n",
    "M(",
    "#if 0\n",
    "#endif\n",
    "#undef M\n",
    "\n",
    "\r\n",
    "asm",
    "__asm__ volatile (",
    "\"rw\"(",
    "%0",
    "%%",
    "$0",
    "$$",
    "\\0A",
    "\0",
    "\u{e9}",
    "1",
    "0x",
    "\"+rw\"(y)",
    "template <int N>",
    "#include \"x\"\n",
    "??/",
    "\t",
];
