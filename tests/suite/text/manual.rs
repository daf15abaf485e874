//! Tests of text in dialect `Manual`, which follows the Text sections of the five manual pages.
//!
//! The texts in `vectors` are written by hand from the pages.

mod generated;
mod rejected;
mod vectors;

use genvisa::text::{Errors, Reformatter, Style, parse};
use genvisa::{Dialect, Format, Instruction, Module, Version};

use super::listing;

/// Returns a text with one line of code. The names are the operands of the pages, except for `lod`,
/// which is a reserved word.
fn source(line: &str) -> String {
    const OPERANDS: &str = "u v r level dst ref bias ai dudx dudy dvdx dvdy drdx drdy x y header si cps \
                            s0a om g b a depth stencil";
    let mut source = String::from(".version 3.6\n.kernel \"k\"\n");
    for name in OPERANDS.split_whitespace() {
        source += &format!(".decl {name} v_type=G type=f num_elts=64 align=GRF\n");
    }
    source += ".decl P v_type=P num_elts=16\n.decl A v_type=A num_elts=16\n";
    source += ".decl S0 v_type=S num_elts=1\n.decl T6 v_type=T num_elts=1\n";
    source + line + "\n"
}

fn parsed(line: &str, format: Format) -> Result<Module<'static>, Errors> {
    parse(source(line), format)
}

/// Returns the module of a line.
fn assembled(line: &str, format: Format) -> Module<'static> {
    parsed(line, format).unwrap_or_else(|found| {
        panic!("{line} in {format}: {} (help: {:?})", found[0], found[0].help)
    })
}

fn first_instruction(module: &Module<'_>) -> Instruction {
    let mut code = module.kernels[0].body.code.instructions(module.format);
    code.next().expect("an instruction").expect("legal code").1
}

/// Returns the line of the first instruction, with its bytes if it has some.
fn first_line(text: &str) -> String {
    let line = text.lines().find(|line| line.contains("/// $0")).expect("a numbered line");
    match line.split_once("/// $0") {
        Some((words, rest)) => format!("{}{rest}", words.trim()),
        None => line.into(),
    }
}

fn printed(module: &Module<'_>) -> String {
    first_line(&listing(module, Style::Complete).expect("legal code"))
}

/// Formats with the syntax of the readers, and the same fields as dialect `Manual`.
const READERS: [Format; 3] = [
    Format::igc2022(Version::V3_6),
    Format::igc2022(Version::V4_1),
    Format::igc2026(Version::V3_6),
];

/// Changes the case of the mnemonic, its suffixes and the execution size.
fn change_case(line: &str, change: fn(&str) -> String) -> String {
    let start = if line.starts_with('(') { line.find(' ').expect("a word") } else { 0 };
    let end = start + line[start..].find(')').expect("an execution size");
    format!("{}{}{}", &line[..start], change(&line[start..end]), &line[end..])
}

/// Conversions to lower and upper case.
const CASES: [fn(&str) -> String; 2] = [|text| text.to_lowercase(), |text| text.to_uppercase()];

/// The dialect that is asked for is used whatever version the text states.
#[test]
fn text_of_every_version_is_formatted_in_the_dialect() {
    for version in ["3.6", "4.1", "4.2"] {
        let text = source("MEDIA_LD.2 (4, 4) T6 0 0x0:ud 0x0:ud dst.0");
        let text = text.replace(".version 3.6", &format!(".version {version}"));
        let reformatter = Reformatter::new().with_dialect(Dialect::Manual);
        let formatted = reformatter.reformat(&text).expect("text of the dialect").text;
        assert!(formatted.contains("MEDIA_LD.2 (4, 4) T6 0 0x0:ud"), "{formatted}");
        assert!(Reformatter::new().reformat(&text).is_err(), "{version}");
    }
}
