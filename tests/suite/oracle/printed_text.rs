//! Text whose meaning is easily lost: compilers make the same machine code of it and of what this
//! crate prints or assembles.

use genvisa::text::{FileListing, format_of, parse};
use genvisa::{Dialect, Format, Module, Version};
use genvisa_test_support::genx_ir;
use genvisa_test_support::genx_ir_today::Compiler;
use genvisa_test_support::parallel::parallel;

const DECLARATIONS: &str = "\
.decl A v_type=G type=f num_elts=64 align=wordx32
.decl B v_type=G type=ub num_elts=64 align=wordx32
.decl D v_type=G type=d num_elts=256 align=wordx32
.decl U v_type=G type=uq num_elts=64 align=wordx32
.decl AD v_type=A num_elts=16
.decl P v_type=P num_elts=16
.decl S v_type=S num_elts=1
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
    ("XE2", "cmp (M1, 16) D(0,0)<1> D(0,0)<1;1,0> D(1,0)<1;1,0>"),
    ("XE2", "lifetime.start V7"),
    ("MTL", "gather4_typed.R (M1, 16) T D.0 D.0 D.0 D.0 D.0"),
    ("MTL", "svm_block_ld (4) U(0,0)<0;1,0> D.0"),
    ("MTL", "svm_block_ld.aligned (4) U(0,0)<0;1,0> D.0"),
    ("XE2", "svm_block_ld.aligned (4) U(0,0)<0;1,0> D.0"),
    ("XE2", "svm_block_st.unaligned (4) U(0,0)<0;1,0> D.0"),
    ("TGLLP", "svm_block_st (4) U(0,0)<0;1,0> D.0"),
    ("TGLLP", "svm_block_st.aligned (4) U(0,0)<0;1,0> D.0"),
    (
        "XE2",
        ".decl N v_type=G type=ud num_elts=2 align=dword alias=<%null, 0>\n\
             mov (M1, 2) N(0,0)<1> %tsc(0,0)<2;2,1>\nmov (M1, 1) D(0,0)<1> N(0,0)<0;1,0>\n\
             lsc_store.ugm (M1, 16) flat[U]:a64 D:d32",
    ),
    // Subroutines start at `.function`.
    (
        "XE2",
        "call (M1, 16) f\nret (M1, 1)\n.function \"f\"\nf:\n\
             lsc_store.ugm (M1, 16) flat[U]:a64 D:d32",
    ),
    (
        "XE2",
        "call (M1, 16) f\nret (M1, 1)\n.function \"f\"\n\
             lsc_store.ugm (M1, 16) flat[U]:a64 D:d32\nf:",
    ),
    (
        "XE2",
        "call (M1, 16) f\nret (M1, 1)\n.function \"f\"\ng:\n\
             lsc_store.ugm (M1, 16) flat[U]:a64 D:d32\nf:",
    ),
    (
        "XE2",
        "call (M1, 16) f\nret (M1, 1)\n.function \"f\"\nf:\n\
             lsc_store.ugm (M1, 16) flat[U]:a64 D:d32\nf:",
    ),
    (
        "XE2",
        "call (M1, 16) f\nret (M1, 1)\n.function f\n\
             lsc_store.ugm (M1, 16) flat[U]:a64 D:d32",
    ),
    // Blanks precede suffixes.
    ("XE2", "mov .sat (M1, 16) A(0,0)<1> 0x1:d"),
    ("XE2", "min .sat (M1, 16) A(0,0)<1> A(0,0)<1;1,0> A(0,0)<1;1,0>"),
    ("XE2", "cmp .eq (M1, 16) P D(0,0)<1;1,0> 0x1:d"),
    ("XE2", "(!P .all) mov (M1, 16) D(0,0)<1> 0x1:d"),
    ("MTL", "resinfo .RGBA (M1, 16) T D.0 D.0"),
    ("MTL", "media_ld .nomod (2*2, 4) T 0x0:ud 0x0:ud D.0"),
    ("MTL", "raw_sends .3 .1.0.1 (M1, 16) 0x0:ud 0x02000000:ud D.0 D.64 D.128"),
    ("MTL", "svm_block_ld .aligned (4) U(0,0)<0;1,0> D.0"),
    ("MTL", "svm_gather .4 .1 (M1, 16) U.0 D.0"),
    ("MTL", "svm_atomic.add .16 (M1, 16) U.0 D.0 %null.0 D.0"),
    ("MTL", "fence_global .IR"),
    ("MTL", "oword_ld (4) T 0x0:ud D .(32+32)"),
    // Expressions.
    ("XE2", "addr_add (M1, 4) AD(0)<1> &D[4+4] 0x8:uw"),
    ("XE2", "mov (M1, 16) D(0,0)<1> (%sizeof D?7:8):d"),
    ("XE2", "mov (M1, 16) U(0,0)<1> (0xffffffffffffffff*2):uq"),
    ("XE2", "mov (M1, 16) U(0,0)<1> (0x7fffffffffffffff*4):uq"),
    ("XE2", "mov (M1, 16) U(0,0)<1> -(0xffffffffffffffff):q"),
    ("XE2", ".loc 4294967295\nbarrier"),
    ("XE2", "lsc_load.ugm.ca.cc (M1, 16) D:d32 flat[U]:a64"),
    ("XE2", "goto (M1, 16) \"add\"\nbarrier\nadd:"),
    ("TGLLP", "raw_sends_eot.7.1.0.0 (M1_NM, 8) 0x27:ud 0x2000010:ud %r0.0 %null.0 %null.0"),
    ("TGLLP", "raw_sendsc_eot.1.0.0 (M1_NM, 8) 0x27:ud 0x2000010:ud %r0.0 %null.0 %null.0"),
    ("TGLLP", "raw_sendsc.1.0.1 (M1, 16) 0x0:ud 0x4200580:ud D.0 %null.0 D.64"),
    ("TGLLP", "sample_3d.RGBA (M1, 8) 0x0:uw S T D.0 %null.0 D.64 D.128"),
    ("TGLLP", "load_lz.RG (M1, 16) 0x0:uw T D.0 %null.0 D.64 D.128"),
    ("XE2", "sample_3d.RGBA (M1, 8) 0x0:uw S T D.0 %null.0 D.64 D.128"),
    ("XE2", "sample_3d.RGBA (M1, 8) 0x0:uw S T D.0 %null.0 %null.0 D.128"),
    ("TGLLP", "vme_sic %bss D.0 D.0 D.0"),
    ("TGLLP", "vme_sic T D.0 D.0 D.0"),
    ("TGLLP", "mov (M1, 1) D(0,0)<1> 0x1:d\nret (M1, 1)\n.kernel \"other\"\nbarrier"),
];

/// Statements that the compiler and this crate reject.
const REJECTED: &[&str] = &[
    "sbarrier. signal",
    "sbarrier .signal",
    "bfn .x6a (M1, 16) D(0,0)<1> D(0,0)<1;1,0> D(0,0)<1;1,0> D(0,0)<1;1,0>",
    "mov (M1, 16) D(0,0)<1> (1<2<3):d",
    "mov (M1, 16) D(0,0)<1> (1<<2<<3):d",
    "mov (M1, 16) D(0,0)<1> (1==2==0):d",
    "mov (M1, 16) A(0,0)<1> 1.5 :f",
    "mov (M1, (8+8)) D(0,0)<1> 0x1:d",
    "mov (M1, 0x10) D(0,0)<1> 0x1:d",
    "oword_ld (4) T 0x0:ud D.!5",
    "oword_ld (4) T 0x0:ud D.0x40",
    "\\\nbarrier",
    "barrier\n \\\nbarrier",
    "mov (M1, 16)\rD(0,0)<1> 0x1:d",
    ".function \"f\"\n.function \"f\"",
    ".decl V v_type=G type=ud num_elts=2 alias=<%null, 4>",
    ".decl V v_type=G type=ud num_elts=2 alias=<V, 0>",
];

/// Statements that the compiler rejects, and this crate in version 4.2 only.
const REJECTED_IN_4_2: &[&str] = &[
    "oword_st (4) T 0x0:ud %null.33",
    "lsc_load.ugm (M1, 16) %null.33:d32 flat[U]:a64",
    "oword_ld (4) T0 0x0:ud D.0",
    "oword_ld (4) T3 0x0:ud D.0",
    "oword_ld (4) T4 0x0:ud D.0",
    "oword_ld (4) T5 0x0:ud D.0",
    "goto (M1, 16) add\nadd:",
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
#[ignore = "needs GenX_IR of IGC 2.40.14"]
fn printed_text_compiles_to_the_code_of_the_original() {
    let compiler = Compiler::required();
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

#[test]
#[ignore = "needs GenX_IR of IGC 2.40.14"]
fn rejected_text_is_rejected_by_the_compiler() {
    let compiler = Compiler::required();
    let cases: Vec<_> = VERSIONS
        .iter()
        .flat_map(|version| REJECTED.iter().chain(REJECTED_IN_4_2).map(move |line| (version, line)))
        .collect();
    let results = parallel(&cases, |(version, lines)| {
        let text =
            format!(".version {version}\n.kernel \"k\"\n{DECLARATIONS}{lines}\nret (M1, 1)\n");
        let is_rejected = parse(&text, format_of(&text)).is_err();
        let is_expected = **version == "4.2" || REJECTED.contains(lines);
        assert_eq!(is_rejected, is_expected, "{version}: {lines}");
        match compiler.compile(&text, "MTL") {
            Ok(_) => Err(format!("{version}: the compiler accepts {lines}")),
            Err(_) => Ok(()),
        }
    });
    let errors: Vec<String> = results.into_iter().filter_map(Result::err).collect();
    assert!(errors.is_empty() || !compiler.is_tested, "{}", errors.join("\n"));
}

/// Sampler messages as GenX_IR writes them, and the same messages in the grammar of today's
/// compiler.
const WITHOUT_PAIR: &[(&str, &str)] = &[
    (
        "sample_3d.RGBA (M1, 8) 0x0:uw S T D.0 D.64 D.128",
        "sample_3d.RGBA (M1, 8) 0x0:uw S T D.0 %null.0 D.64 D.128",
    ),
    (
        "load_lz.RG (M1, 8) 0x0:uw T D.0 D.64 D.128",
        "load_lz.RG (M1, 8) 0x0:uw T D.0 %null.0 D.64 D.128",
    ),
    (
        "sample4.R (M1, 8) 0x0:uw S T D.0 %null.0 D.128",
        "sample4.R (M1, 8) 0x0:uw S T D.0 %null.0 %null.0 D.128",
    ),
];

#[test]
#[ignore = "needs GenX_IR of IGC 2.40.14"]
fn messages_of_older_files_compile_today() {
    let compiler = Compiler::required();
    let versions = ["3.6", "4.0"];
    let cases: Vec<_> =
        versions.iter().flat_map(|v| WITHOUT_PAIR.iter().map(move |c| (v, c))).collect();
    let results = parallel(&cases, |(version, (older, today))| {
        let text = |lines: &str| {
            format!(".version {version}\n.kernel \"k\"\n{DECLARATIONS}{lines}\nret (M1, 1)\n")
        };
        let code = compiler.compile(&text(today), "TGLLP")?;
        let older = text(older);
        let module = parse(&older, format_of(&older)).map_err(|errors| errors[0].to_string())?;
        let file = module.to_bytes().expect("a small module");
        let file = Module::from_bytes(&file, Dialect::Igc2022).expect("a module just written");
        let printed = FileListing::new(&file).to_text().expect("legal code");
        match compiler.compile(&printed, "TGLLP") {
            Ok(other) if other == code => Ok(()),
            Ok(_) => Err(format!("the code differs:\n{printed}")),
            Err(why) => Err(format!("{why}\n{printed}")),
        }
    });
    let errors: Vec<String> = results.into_iter().filter_map(Result::err).collect();
    assert!(errors.is_empty() || !compiler.is_tested, "{}", errors.join("\n\n"));
}

/// Statements, which GenX_IR accepts, and their platform. Their text is of a version before 4.1.
const OLDER_CASES: &[(&str, &str)] = &[
    ("TGLLP", "svm_block_ld (4) U(0,0)<0;1,0> D.0"),
    ("SKL", "svm_block_st (4) U(0,0)<0;1,0> D.0"),
    ("SKL", "sample_3d.RGBA (M1, 8) 0x0:uw S T D.0 D.64 D.128"),
    ("SKL", "sample_3d.RGBA (M1, 8) 0x0:uw S T D.0 %null.0 D.64 D.128"),
];

#[test]
#[ignore = "needs GenX_IR 12504"]
fn older_text_is_assembled_to_what_genx_ir_makes_of_it() {
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
