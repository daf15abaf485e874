//! What the tool explains about rules: examples, the words of the compiler and findings. They are
//! taken from the cases of the rules and from the typical templates.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::Path;
use std::{env, fs};

use genvisa_inline::{Form, Operand, Statement, rules};

use super::catalogue;
use super::rules::cases;

const FILE: &str = "../cli/src/explanations/inline.txt";

const HEAD: &str = "\
# Facts about the rules of inline assembly. `crates/inline/tests/suite/explanations.rs` generates this file.
# `verify.txt` explains its lines.
";

/// Returns the lines of a statement in C or LLVM IR.
fn lines(statement: &Statement) -> Vec<String> {
    let template = String::from_utf8_lossy(&statement.template).into_owned();
    let quoted = |parts: Vec<String>| parts.join(", ");
    let constraint = |operand: &Operand| format!("\"{}\"(x)", operand.constraint);
    if statement.form == Form::Llvm {
        let constraints = statement.operands.iter().map(|operand| operand.constraint.clone());
        let clobbers = statement.clobbers.iter().map(|clobber| format!("~{{{clobber}}}"));
        let constraints = constraints.chain(clobbers).collect::<Vec<_>>().join(",");
        let template = template.replace('\n', "\\0A");
        return vec![format!("asm \"{template}\", \"{constraints}\"")];
    }
    let mut lines: Vec<String> =
        template.lines().map(|line| format!("    \"{line}\\n\"")).collect();
    let (outputs, inputs): (Vec<_>, Vec<_>) =
        statement.operands.iter().partition(|operand| operand.is_output);
    lines.insert(0, "asm(".into());
    lines.push(format!("    : {}", quoted(outputs.into_iter().map(constraint).collect())));
    lines.push(format!("    : {}", quoted(inputs.into_iter().map(constraint).collect())));
    if !statement.clobbers.is_empty() {
        let clobbers = statement.clobbers.iter().map(|clobber| format!("{clobber:?}")).collect();
        lines.push(format!("    : {}", quoted(clobbers)));
    }
    lines.push(");".into());
    lines
}

/// `GENVISA_BLESS=1` updates the file.
#[test]
fn the_facts_of_explanations_are_current() {
    let (cases, catalogue) = (cases(), catalogue::cases());
    let mut text = String::from(HEAD);
    for rule in rules() {
        writeln!(text, "\nrule {}", rule.name).expect("a string");
        let mut of_rule = cases.iter().filter(|case| case.rule == rule.name).peekable();
        if let Some(case) = of_rule.peek() {
            text += "options\n";
            for (key, statement) in [("breaks", &case.violating), ("satisfies", &case.legal)] {
                for line in lines(statement) {
                    writeln!(text, "{key} {line}").expect("a string");
                }
            }
        }
        let words: BTreeSet<&str> =
            catalogue.iter().filter_map(|case| case.words(rule.name)).collect();
        for words in words {
            writeln!(text, "words bmg {words}").expect("a string");
        }
        let findings: Vec<_> = of_rule.map(|case| case.checker.check(&case.violating)).collect();
        let messages: BTreeSet<&str> =
            findings.iter().flat_map(|it| &it.findings).map(|it| it.message.as_str()).collect();
        for message in messages {
            writeln!(text, "finding {message}").expect("a string");
        }
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(FILE);
    if env::var_os("GENVISA_BLESS").is_some() {
        fs::write(&path, &text).expect("a file that can be written");
    }
    let present = fs::read_to_string(&path).unwrap_or_default();
    assert!(present == text, "run the test again with GENVISA_BLESS=1 and commit {FILE}");
}
