//! Kernels changed as a whole, with today's compiler as oracle: it makes the same machine code of a
//! text and of what this crate prints for it, and texts with different code are different.

pub mod edits;

use std::collections::BTreeMap;
use std::fs;

use genvisa::text::{format_of, parse, reformat};
use genvisa::verify::Platform;
use genvisa_diff::Differ;
use genvisa_test_support::corpus::{texts_under, visaasm};
use genvisa_test_support::declarations::sort_declarations;
use genvisa_test_support::genx_ir_today::Compiler;
use genvisa_test_support::parallel::parallel;
use genvisa_test_support::random::{cases, seed};
use genvisa_test_support::rng::Rng;
use genvisa_test_support::same_code::{
    Case, Classes, Outcome, PLATFORMS, Statistics, VERSIONS, compare,
};

/// The folders of real texts, and their platforms.
const DEVICES: [(&str, (&str, Platform)); 4] = [
    ("tgllp", ("TGLLP", Platform::Tgllp)),
    ("dg2", ("DG2", Platform::Dg2)),
    ("pvc", ("PVCXT", Platform::PvcXt)),
    ("bmg", ("XE2", Platform::Xe2)),
];

/// Texts with what real texts rarely have. Scopes, addresses and branches, and subroutines.
pub const SMALL: [&str; 3] = [
    r#".kernel "scopes"
.decl A v_type=G type=d num_elts=32 align=GRF
.decl B v_type=G type=ud num_elts=16 align=GRF alias=<A, 64>
.decl C v_type=G type=d num_elts=32 align=dword
.decl P v_type=P num_elts=16
.decl AD v_type=A num_elts=8
.decl T v_type=T num_elts=1
.decl S v_type=S num_elts=1
.input A offset=256 size=128
.input C offset=128 size=128
.input T offset=32 size=4
.kernel_attr Target="cm"
.kernel_attr NoBarrier
start:
    add (M1, 16) A(0,0)<1> A(0,0)<1;1,0> C(0,0)<0;1,0>
loop:
    cmp.lt (M1, 16) P A(0,0)<1;1,0> 0x20:d
    (P) goto (M1, 16) loop
{
    .decl A v_type=G type=d num_elts=32 align=GRF
    .decl D v_type=G type=d num_elts=16 align=GRF alias=<A, 0>
    mov (M1, 16) A(0,0)<1> C(0,0)<1;1,0>
    {
        .decl C v_type=G type=d num_elts=8 align=GRF
        mov (M1, 8) C(0,0)<1> 0x7:d
        add (M1, 8) D(0,0)<1> C(0,0)<1;1,0> A(1,0)<1;1,0>
    }
    oword_st (2) T 0x0:ud D.0
}
    addr_add (M1, 1) AD(0)<1> &C 0x4:uw
    mov (M1, 1) r[AD(0),0]<1>:d B(0,0)<0;1,0>
    (!P) jmp (M1, 1) end
    not (M1, 16) B(0,0)<1> B(0,0)<1;1,0>
end:
    oword_st (4) T 0x10:ud C.0
    ret (M1, 1)
"#,
    r#".kernel "subroutines"
.decl A v_type=G type=d num_elts=32 align=GRF
.decl C v_type=G type=d num_elts=32 align=GRF
.decl P v_type=P num_elts=16
.decl T v_type=T num_elts=1
.input A offset=256 size=128
.kernel_attr Target="cm"
.kernel_attr SLMSize=16
    add (M1, 16) C(0,0)<1> A(0,0)<1;1,0> 0x3:d
    call (M1, 16) f
    oword_st (4) T 0x10:ud C.0
    ret (M1, 1)
.function "f"
f:
    not (M1, 16) A(0,0)<1> A(0,0)<1;1,0>
    cmp.lt (M1, 16) P A(0,0)<1;1,0> 0x20:d
    (P) jmp (M1, 1) out
    call (M1, 16) g
out:
    ret (M1, 1)
.function "g"
g:
    shl (M1, 16) C(0,0)<1> A(0,0)<1;1,0> 0x2:ud
    ret (M1, 1)
.function "h"
h:
    mul (M1, 16) C(0,0)<1> A(0,0)<1;1,0> C(0,0)<1;1,0>
    ret (M1, 1)
"#,
    r#".kernel "branches"
.decl V40 v_type=G type=d num_elts=16 align=GRF
.decl X v_type=G type=d num_elts=16 align=GRF
.decl Y v_type=G type=w num_elts=32 align=GRF alias=<X, 0>
.decl Z v_type=G type=d num_elts=2 align=dword alias=<%arg, 0>
.decl P2 v_type=P num_elts=32
.decl Q v_type=P num_elts=16
.decl T7 v_type=T num_elts=1
.decl T v_type=T num_elts=1
.input V40 offset=64 size=64
.input X offset=128 size=64
.input T7 offset=32 size=4
.input T offset=36 size=4
.kernel_attr Target="cm"
L1:
    mov (M1, 16) V40(0,0)<1> 0x1:d
L0:
    cmp.eq (M1, 16) Q V40(0,0)<1;1,0> X(0,0)<1;1,0>
    (Q.any) jmp (M1, 1) L2
    (!Q) sel (M1, 16) V40(0,0)<1> X(0,0)<1;1,0> 0x5:d
    add (M1, 16) X(0,0)<1> X(0,0)<1;1,0> Y(0,1)<2;1,0>
    jmp (M1, 1) L1
L2:
    setp (M1, 16) P2 0x5:ud
    (P2) add (M1, 16) X(0,0)<1> X(0,0)<1;1,0> V40(0,0)<1;1,0>
    oword_st (4) T7 0x0:ud X.0
    oword_st (4) T 0x10:ud V40.0
    ret (M1, 1)
"#,
];

/// The largest source in bytes: a large text takes longer, and says no more.
const MAX_LEN: usize = 14_000;

/// A text that the compiler accepts.
struct Source {
    name: String,
    text: String,
    platform: (&'static str, Platform),
    /// Its machine code.
    code: Vec<u8>,
}

/// Returns small texts, and real texts.
fn sources(compiler: &Compiler) -> Vec<Source> {
    let mut texts = Vec::new();
    for (index, text) in SMALL.iter().enumerate() {
        for platform in PLATFORMS {
            for version in VERSIONS {
                let name = format!("small text {index}, {version}, {}", platform.0);
                texts.push((name, format!(".version {version}\n{text}"), platform));
            }
        }
    }
    for (device, platform) in DEVICES {
        let paths = visaasm().map(|folder| texts_under(&folder.join(device)));
        for path in paths.unwrap_or_default() {
            let text = fs::read_to_string(&path).expect("a readable text");
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            texts.push((format!("{device}/{name}"), text, platform));
        }
    }
    texts.retain(|(_, text, _)| text.len() < MAX_LEN);
    // The compiler does not accept all texts that it writes.
    let codes = parallel(&texts, |(_, text, platform)| compiler.compile(text, platform.0).ok());
    let sources = texts.into_iter().zip(codes).filter_map(|((name, text, platform), code)| {
        Some(Source { name, text, platform, code: code? })
    });
    sources.collect()
}

/// Returns whether a changed text with the declarations in the order of the original has its code.
fn has_code_in_order(compiler: &Compiler, source: &Source, case: &Case) -> bool {
    let order = |declaration: &str| source.text.lines().position(|line| line == declaration);
    let sorted = sort_declarations(&case.text, order);
    compiler.compile(&sorted, case.platform.0).as_ref() == Ok(&source.code)
}

/// Returns whether the comparison finds no difference between two texts.
fn is_equal(a: &str, b: &str) -> bool {
    let [a, b] = [a, b].map(|text| parse(text, format_of(text)).expect("accepted text"));
    Differ::new().modules(&a, &b).is_empty()
}

/// Kernels that only the compiler or only this crate rejects, and the reasons.
const CLASSES: Classes = Classes {
    compiler_rejects: &[
        ("signal: 11", "the compiler crashes"),
        ("signal: 6", "the compiler crashes"),
        ("still running", "the compiler hangs"),
        ("no message", "the compiler ends without a message"),
        ("Spill memory used", "the compiler has too few registers"),
    ],
    crate_rejects: &[("is already defined", "a label has one place, and one kind")],
};

#[test]
fn changed_kernels_have_the_code_of_what_is_printed() {
    let Some(compiler) = Compiler::find() else { return };
    let sources = sources(&compiler);
    eprintln!("{} sources", sources.len());
    // The small texts are a third of the cases.
    let is_small = |source: &&Source| source.name.starts_with("small");
    let (small, real): (Vec<&Source>, Vec<&Source>) = sources.iter().partition(is_small);
    let mut rng = Rng::new(seed(), 11);
    let mut changed = Vec::new();
    while changed.len() < cases(60) as usize {
        let from = if rng.one_in(3) || real.is_empty() { &small } else { &real };
        let source = rng.pick(from);
        if let Some(edit) = edits::edit(&source.text, &mut rng) {
            let what = format!("{}: {}", source.name, edit.what);
            changed.push((source, Case { what, text: edit.text, platform: source.platform }));
        }
    }
    let outcomes = parallel(&changed, |(_, case)| compare(&compiler, case));
    let mut statistics = Statistics::default();
    let mut comparisons: BTreeMap<&str, usize> = BTreeMap::new();
    for ((source, case), outcome) in changed.iter().zip(&outcomes) {
        statistics.add(case, outcome, &CLASSES);
        let Outcome::Same(code) = outcome else { continue };
        let formatted = reformat(&case.text).expect("it was printed");
        if !is_equal(&case.text, &formatted) {
            statistics.wrong.push(format!("diff of the text and its fmt: {}", case.what));
        }
        let result = match (is_equal(&source.text, &case.text), *code == source.code) {
            (true, true) => "equal, same code",
            (false, true) => "different, same code",
            (false, false) => "different, other code",
            // The compiler assigns registers in the order of declarations.
            (true, false) if has_code_in_order(&compiler, source, case) => {
                "equal except for the order of declarations, other code"
            }
            (true, false) => {
                statistics.wrong.push(format!("equal in spite of other code: {}", case.what));
                "equal, other code"
            }
        };
        *comparisons.entry(result).or_default() += 1;
    }
    for (result, count) in comparisons {
        eprintln!("{count:6} original and changed text: {result}");
    }
    statistics.check(&compiler);
}
