//! Text whose meaning is easily lost: compilers make the same machine code of it and of what this
//! crate prints or assembles.

use genvisa::text::{FileListing, format_of, parse};
use genvisa::{Format, Module, Version};
use genvisa_test_support::genx_ir;
use genvisa_test_support::genx_ir_today::Compiler;
use genvisa_test_support::parallel::parallel;

const DECLARATIONS: &str = "\
.decl A v_type=G type=f num_elts=64 align=wordx32
.decl B v_type=G type=ub num_elts=64 align=wordx32
.decl D v_type=G type=d num_elts=256 align=wordx32
.decl U v_type=G type=uq num_elts=64 align=wordx32
.decl T v_type=T num_elts=1
.kernel_attr Target=\"cm\"
.kernel_attr NBarrierCnt=4
";

/// Statements, and the platform for which they are compiled. The compiler accepts each of them.
const CASES: &[(&str, &str)] = &[
    ("XE2", "nbarrier.signal 0x1:ub 0x4:ub"),
    ("XE2", "nbarrier.signal B(0,0)<0;1,0> B(0,1)<0;1,0>"),
    ("PVCXT", "nbarrier.signal 0x1:ub 0x4:ub"),
    ("PVCXT", "nbarrier.wait 0x1:ub"),
    ("MTL", "gather4_typed.R (M1, 16) T D.0 D.0 D.0 D.0 D.0"),
    ("MTL", "svm_block_ld (4) U(0,0)<0;1,0> D.0"),
    ("MTL", "svm_block_ld.aligned (4) U(0,0)<0;1,0> D.0"),
    ("XE2", "svm_block_ld.aligned (4) U(0,0)<0;1,0> D.0"),
    ("XE2", "svm_block_st.unaligned (4) U(0,0)<0;1,0> D.0"),
    ("TGLLP", "svm_block_st (4) U(0,0)<0;1,0> D.0"),
    ("TGLLP", "svm_block_st.aligned (4) U(0,0)<0;1,0> D.0"),
];

/// The versions that a text of the cases states.
const VERSIONS: [&str; 2] = ["4.1", "4.2"];

/// Returns a text as this crate prints it: directly, and through files of both dialects. Each states
/// the version of the original.
fn printed(text: &str, version: &str) -> Result<Vec<String>, String> {
    let parsed = |format| parse(text, format).map_err(|errors| errors[0].to_string());
    let print = |module: &Module<'_>| {
        let text = FileListing::new(module).to_text().expect("legal code");
        let (_, rest) = text.split_once('\n').expect("a version");
        format!(".version {version}\n{rest}")
    };
    let mut texts = vec![print(&parsed(format_of(text))?)];
    for format in [Format::igc2022(Version::V4_1), Format::igc2026(Version::V4_1)] {
        // A format that lacks a field reports it.
        let Ok(Ok(file)) = parsed(format).map(|module| module.to_bytes()) else { continue };
        let read = Module::from_bytes(&file, format.dialect).expect("a module just written");
        texts.push(print(&read));
    }
    texts.dedup();
    Ok(texts)
}

/// Compares the machine code of a text and of what this crate prints.
fn check(compiler: &Compiler, platform: &str, version: &str, lines: &str) -> Result<(), String> {
    let text = format!(".version {version}\n.kernel \"k\"\n{DECLARATIONS}{lines}\nret (M1, 1)\n");
    let code = compiler.compile(&text, platform)?;
    for printed in printed(&text, version)? {
        match compiler.compile(&printed, platform) {
            Ok(other) if other == code => {}
            Ok(_) => return Err(format!("the code differs:\n{printed}")),
            Err(why) => return Err(format!("{why}\n{printed}")),
        }
    }
    Ok(())
}

#[test]
fn printed_text_compiles_to_the_code_of_the_original() {
    let Some(compiler) = Compiler::find() else { return };
    let cases: Vec<_> = VERSIONS
        .iter()
        .flat_map(|version| CASES.iter().map(move |(platform, lines)| (version, platform, lines)))
        .collect();
    let results = parallel(&cases, |(version, platform, lines)| {
        check(&compiler, platform, version, lines)
            .map_err(|why| format!("{version}, {platform}: {lines}\n{why}"))
    });
    let errors: Vec<String> = results.into_iter().filter_map(Result::err).collect();
    let errors = errors.join("\n\n");
    assert!(errors.is_empty() || !compiler.is_tested, "{errors}");
    eprintln!("{} texts compared{}", cases.len(), errors);
}

/// Statements, which the reference accepts, and their platform. Their text is of a version before 4.1.
const OLDER_CASES: &[(&str, &str)] = &[
    ("TGLLP", "svm_block_ld (4) U(0,0)<0;1,0> D.0"),
    ("SKL", "svm_block_st (4) U(0,0)<0;1,0> D.0"),
];

#[test]
fn older_text_is_assembled_to_what_the_reference_makes_of_it() {
    if !genx_ir::is_installed() {
        return;
    }
    let results = parallel(OLDER_CASES, |(platform, lines)| {
        let text = format!(
            ".version 3.6\n.kernel \"k\"\n{}.kernel_attr AsmName=\"{}\"\n{lines}\nret (M1, 1)\n",
            DECLARATIONS.replace("wordx32", "GRF"),
            genx_ir::ASM_NAME,
        );
        let code = genx_ir::compile_text(&text, platform)?;
        let module = parse(&text, format_of(&text)).map_err(|errors| errors[0].to_string())?;
        let assembled = genx_ir::compile(&module.to_bytes().expect("a small module"), platform)?;
        if assembled == code { Ok(()) } else { Err(format!("{lines}: the code differs")) }
    });
    let errors: Vec<String> = results.into_iter().filter_map(Result::err).collect();
    assert!(errors.is_empty(), "{}", errors.join("\n\n"));
}
