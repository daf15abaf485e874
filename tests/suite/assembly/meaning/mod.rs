//! No token of the text is ignored, and no instruction prints as another.

use genvisa::build::{Builder, ErrorKind, Operand};
use genvisa::isa::lsc::{Access, Block2d, TypedAccess};
use genvisa::isa::*;
use genvisa::object::{Align, Code, Kernel};
use genvisa::operand::lsc::{LscOp, LscSfid};
use genvisa::operand::*;
use genvisa::text::{Errors, Listing, Style, parse};
use genvisa::{Format, Instruction, Module, Version};

pub mod expressions;
mod messages;
mod parts;
mod spellings;
mod values;

const HEAD: &str = "\
.version 3.6
.kernel \"k\"
.decl D v_type=G type=d num_elts=64 align=GRF
.decl F v_type=G type=f num_elts=64 align=GRF
.decl U v_type=G type=uq num_elts=32 align=GRF
.decl X v_type=G type=ub num_elts=64 align=GRF
.decl AD v_type=A num_elts=16
.decl P v_type=P num_elts=16
.decl S0 v_type=S num_elts=1
.decl T6 v_type=T num_elts=1
";

fn formats() -> [Format; 2] {
    [Format::igc2022(Version::V3_6), Format::igc2026(Version::V4_1)]
}

fn parsed(lines: &str, format: Format) -> Result<Module<'static>, Errors> {
    parse(format!("{HEAD}{lines}\n"), format)
}

fn printed(module: &Module<'_>) -> String {
    let mut text = String::new();
    let routine = module.routines().next().expect("a routine");
    Listing::new(routine).write_to(&mut text).expect("legal code");
    text
}

/// Returns the text of an instruction after parsing and printing it.
fn reprint(line: &str, format: Format) -> String {
    let module = parsed(line, format).unwrap_or_else(|found| panic!("{line}: {}", found[0]));
    let text = printed(&module);
    let last = text.lines().rfind(|line| !line.is_empty() && !line.starts_with("//@"));
    let last = last.expect("an instruction");
    last.split("///").next().unwrap_or_default().trim().to_owned()
}

/// Checks the text that lines are printed as after parsing.
fn check_accepted(cases: &[(&str, &str)]) {
    for (line, expected) in cases {
        assert_eq!(reprint(line, formats()[1]), *expected, "{line}");
    }
}

/// Checks the message about each line.
fn check_rejected(cases: &[(&str, &str)]) {
    for (line, expected) in cases {
        match parsed(line, formats()[1]) {
            Ok(module) => panic!("{line} is parsed as\n{}", printed(&module)),
            Err(found) => assert_eq!(found[0].to_string(), *expected, "{line}"),
        }
    }
}
