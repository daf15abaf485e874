//! Tests that today's compiler repeats its verdicts on the templates of
//! `tests/data/inline-cases.txt`, that the files that it writes for a statement in OpenCL C have the same
//! findings, and that it refuses statements with inserted mistakes if and only if this crate does.

use std::fs;
use std::path::{Path, PathBuf};

use genvisa::verify::Response;
use genvisa_inline::source::{self, Content, Language};
use genvisa_inline::{Finding, Form, rule};
use genvisa_test_support::ocloc::{Ocloc, Verdict};
use genvisa_test_support::parallel::parallel;
use genvisa_test_support::random::{cases as number_of_cases, seed};
use genvisa_test_support::rng::Rng;

use crate::catalogue::{Case, cases};
use crate::insertions::{Insertion, errors, insertions};

fn sample(count: u64, stream: u64) -> Vec<Case> {
    let seed = seed();
    let count = number_of_cases(count);
    let mut cases = cases();
    Rng::new(seed, stream).shuffle(&mut cases);
    cases.truncate(count as usize);
    cases
}

#[test]
#[ignore = "needs ocloc of IGC 2.40.14"]
fn the_compiler_repeats_its_verdicts_on_templates() {
    let compiler = Ocloc::required();
    let cases = sample(24, 5);
    let verdicts = parallel(&cases, |case| compiler.compile(&case.kernel(), case.device));
    let differing = cases
        .iter()
        .zip(verdicts)
        .filter(|(case, new)| new.name() != case.verdict.split(':').next().unwrap_or_default());
    let differing: Vec<String> = differing
        .map(|(case, new)| format!("{}: {}, now {new}", case.name, case.verdict))
        .collect();
    eprintln!("{} templates\n{}", cases.len(), differing.join("\n"));
    assert!(differing.is_empty() || !compiler.is_tested, "{}", differing.join("\n"));
}

/// Returns the findings in the only block of a file, in words that do not depend on the form.
fn findings(file: &[u8], language: Language, case: &Case) -> Result<Vec<String>, String> {
    let found = source::find(file, language);
    let blocks: Vec<_> = found.blocks.iter().collect();
    let [block] = blocks[..] else { return Err(format!("{} blocks", blocks.len())) };
    let Content::Visa(statement) = &block.content else {
        return Err(format!("{:?}", block.content));
    };
    let checker = match (block.lanes, language) {
        (Some(lanes), _) => case.checker().with_lanes(lanes),
        // The attribute is not in the file of every case.
        (None, Language::C) => return Err("no lanes".into()),
        (None, _) => case.checker().with_lanes(case.lanes),
    };
    let line = |finding: &Finding| {
        let text = format!("{}[{}] {}", finding.severity, finding.rule, finding.message);
        match statement.form {
            Form::Llvm => text.replace("${:uid}", "%=").replace('$', "%"),
            _ => text.replace("%%", "%"),
        }
    };
    Ok(checker.check(statement).findings.iter().map(line).collect())
}

fn file_with_end(folder: &Path, end: &str) -> Option<PathBuf> {
    let entries = fs::read_dir(folder).ok()?.flatten().map(|entry| entry.path());
    entries.into_iter().find(|path| path.to_string_lossy().ends_with(end))
}

#[test]
#[ignore = "needs ocloc of IGC 2.40.14"]
fn files_of_the_compiler_have_the_same_findings() {
    let compiler = Ocloc::required();
    let cases = sample(16, 6);
    let results = parallel(&cases, |case| {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let source = case.kernel();
        compiler.compile_in(folder.path(), &source, case.device);
        let expected = findings(source.as_bytes(), Language::C, case);
        let mut files = Vec::new();
        for (end, language) in
            [(".spv", Language::Spirv), ("_beforeUnification.ll", Language::Llvm)]
        {
            // The front end may have refused the program.
            let Some(path) = file_with_end(folder.path(), end) else { continue };
            let file = fs::read(path).expect("a readable file");
            files.push((language, findings(&file, language, case)));
        }
        (expected, files)
    });
    let mut compared = 0;
    for (case, (expected, files)) in cases.iter().zip(results) {
        for (language, found) in files {
            compared += 1;
            assert_eq!(found, expected, "{} as {language:?}", case.name);
        }
    }
    eprintln!("{compared} files");
    assert!(compared > 0);
}

/// Returns what is wrong if a verdict and the errors differ.
fn disagreement(verdict: &Verdict, errors: &[Finding]) -> Option<&'static str> {
    let is_miscompiled = |error: &Finding| {
        rule(error.rule).is_some_and(|rule| rule.response == Response::Miscompiles)
    };
    match verdict {
        Verdict::Accepted if errors.iter().any(|error| !is_miscompiled(error)) => Some("false"),
        Verdict::Refused(_) | Verdict::Crashed if errors.is_empty() => Some("missed"),
        _ => None,
    }
}

/// For 1,000 insertions: `GENVISA_PROPERTY_CASES=6250`.
#[test]
#[ignore = "needs ocloc of IGC 2.40.14"]
fn the_compiler_refuses_inserted_mistakes() {
    let compiler = Ocloc::required();
    let mut insertions = insertions(seed());
    insertions.truncate(number_of_cases(16) as usize);
    let verdicts =
        parallel(&insertions, |one| compiler.compile(&one.case.kernel(), one.case.device));
    let mut wrong = Vec::new();
    for (Insertion { mistake, case, .. }, verdict) in insertions.iter().zip(&verdicts) {
        let found = source::find(case.kernel().as_bytes(), Language::C);
        let errors: Vec<Finding> = found.blocks.iter().flat_map(errors).collect();
        if let Some(kind) = disagreement(verdict, &errors) {
            let messages: Vec<&str> = errors.iter().map(|one| one.message.as_str()).collect();
            let messages = messages.join("; ");
            wrong.push(format!("{kind}, {mistake}: {verdict}; {messages}\n{}", case.template));
        }
    }
    eprintln!("{} insertions\n{}", insertions.len(), wrong.join("\n"));
    assert!(wrong.is_empty() || !compiler.is_tested, "{}", wrong.join("\n"));
}

/// Declarations of OpenCL C, and expressions with them.
const DECLARATIONS: &str = "
struct P { float x; global int *q; short a[4]; struct { uchar c; } in; union { int a2; float b2; }; global struct P *next; };
typedef struct { half h; long l; uint4 v; } S;
typedef float real;
enum { COUNT = 3 };
";
const LOCALS: &str = "
  struct P p = *pp, two[2] = {*pp, *pp};
  S s = *ss;
  real r = 1, *pr = &r;
  local int l[4];
  float f[2][3] = {{0}};
  private uint *u = (private uint *)pr;
";
const EXPRESSIONS: [&str; 37] = [
    "p.x",
    "pp->x",
    "(*pp).x",
    "pp[1].x",
    "p.q",
    "*p.q",
    "p.q[3]",
    "p.a[1]",
    "p.in.c",
    "pp->in.c",
    "p.b2",
    "pp->next->x",
    "pp->next->next->a[0]",
    "two[1].x",
    "two[i].a[2]",
    "s.h",
    "s.l",
    "s.v",
    "s.v.x",
    "s.v.xy",
    "s.v.hi",
    "ss->v.s3",
    "r",
    "*pr",
    "l[i]",
    "f[1][i]",
    "*f[1]",
    "u[0]",
    "(short)i",
    "COUNT",
    "v",
    "v.lo",
    "b[i]",
    "&b[i]",
    "b + 1",
    "as_float(i)",
    "(char)COUNT",
];

/// The front end of the compiler writes the types of operands to SPIR-V.
#[test]
#[ignore = "needs ocloc of IGC 2.40.14"]
fn types_are_those_of_the_front_end() {
    let compiler = Ocloc::required();
    let types = |file: &[u8], language| {
        let found = source::find(file, language);
        // The statements have numbers.
        let types = found.blocks.iter().map(|block| match &block.content {
            Content::Visa(statement) => (statement.template.clone(), statement.operands[0].ty),
            content => panic!("{content:?}"),
        });
        let mut types: Vec<_> = types.collect();
        types.sort_by_key(|(template, _)| template.clone());
        types.into_iter().map(|(_, ty)| ty).collect::<Vec<_>>()
    };
    let statement = |(index, expression): (usize, &&str)| {
        format!("  __asm__(\"barrier // {index:02}\" :: \"rw\"({expression}));\n")
    };
    let statements: String = EXPRESSIONS.iter().enumerate().map(statement).collect();
    let text = format!(
        "{DECLARATIONS}__attribute__((intel_reqd_sub_group_size(16)))\n\
         kernel void k(global struct P *pp, global S *ss, int8 v, global double *b, int i) {{{LOCALS}{statements}}}\n"
    );
    let folder = tempfile::tempdir().expect("a temporary folder");
    let verdict = compiler.compile_in(folder.path(), &text, "pvc");
    let path = file_with_end(folder.path(), ".spv").unwrap_or_else(|| panic!("{verdict}"));
    let expected = types(&fs::read(path).expect("a readable file"), Language::Spirv);
    let found = types(text.as_bytes(), Language::OpenCl);
    assert_eq!(expected.len(), EXPRESSIONS.len());
    let mut unknown = Vec::new();
    for ((expression, found), expected) in EXPRESSIONS.iter().zip(found).zip(expected) {
        match found {
            Some(ty) => assert_eq!(Some(ty), expected, "{expression}"),
            None => unknown.push(*expression),
        }
    }
    assert_eq!(unknown, [""; 0]);
}
