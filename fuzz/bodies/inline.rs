//! The functions of the fuzz targets for the checker of inline assembly.

use genvisa::verify::Platform;
use genvisa_inline::source::{self, Content, Language};
use genvisa_inline::{
    Checker, Element, Form, Lanes, Path, Place, Statement, Type, parse_constraints,
};

/// The function of a target.
type Body = fn(&[u8]);

/// The targets of this file: the name, the folder in `fuzz/seeds`, and the function.
pub const TARGETS: &[(&str, &str, Body)] = &[
    ("inline_template", "template", inline_template),
    ("inline_c", "c", inline_c),
    ("inline_llvm", "llvm", inline_llvm),
    ("inline_mlir", "mlir", inline_mlir),
    ("inline_spirv", "spirv", inline_spirv),
];

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

/// The inline assembly of a file in C can be found and checked.
pub fn inline_c(data: &[u8]) {
    inline_source(data, Language::C);
}

/// The inline assembly of a file in LLVM IR can be found and checked.
pub fn inline_llvm(data: &[u8]) {
    inline_source(data, Language::Llvm);
}

/// The inline assembly of a file in MLIR can be found and checked.
pub fn inline_mlir(data: &[u8]) {
    inline_source(data, Language::Mlir);
}

/// The inline assembly of a file in SPIR-V can be found and checked.
pub fn inline_spirv(data: &[u8]) {
    inline_source(data, Language::Spirv);
}

fn inline_source(data: &[u8], language: Language) {
    for block in source::find(data, language).blocks {
        assert!(block.span.start <= block.span.end && block.span.end <= data.len());
        let Content::Visa(statement) = &block.content else { continue };
        let map = &block.template_map;
        assert!(map.is_empty() || map.len() == statement.template.len());
        assert!(map.iter().all(|span| span.start <= span.end && span.end as usize <= data.len()));
        assert!(block.constraint_spans.len() <= statement.operands.len());
        check_statement(&Checker::new(), statement);
    }
}
