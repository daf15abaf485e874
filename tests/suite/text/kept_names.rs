//! The formatter keeps the names of declarations and labels.

use genvisa::isa::SPEC;
use genvisa::text::{self, Reformatter, format_of, reformat};
use proptest::prelude::*;
use proptest::sample::select;

/// Names that mean something else elsewhere: numbers of ids, predefined names, words of the grammar.
const WORDS: &[&str] = &[
    "V0",
    "V5",
    "V32",
    "V33",
    "V34",
    "V032",
    "V33_",
    "A0",
    "A1",
    "A1_",
    "P0",
    "P1",
    "P2",
    "S0",
    "S1",
    "S31",
    "T0",
    "T3",
    "T5",
    "T6",
    "T7",
    "T252",
    "L0",
    "L1",
    "L2",
    "lod",
    "file",
    "surf",
    "flat",
    "asin",
    "FILE",
    "va_erode",
    "lsc_load",
    "svm_gather",
    "reserved_3B",
    "r",
    "f",
    "k",
    "x",
    "v_type",
    "align",
    "GRF",
];

fn name() -> impl Strategy<Value = String> {
    let mnemonics: Vec<&str> = SPEC.iter().map(|spec| spec.mnemonic).collect();
    prop_oneof![3 => select(WORDS), 1 => select(mnemonics)].prop_map(str::to_owned)
}

/// Returns a declaration and an instruction that uses it, or a label and a jump.
fn statements(class: char, name: &str) -> (String, String) {
    let declaration = match class {
        'G' => format!(".decl {name} v_type=G type=d num_elts=16 align=GRF\n"),
        'L' => String::new(),
        _ => format!(".decl {name} v_type={class} num_elts=16\n"),
    };
    let code = match class {
        'G' => format!("mov (M1, 16) {name}(0,0)<1> 0x1:d\n"),
        'A' => format!("addr_add (M1, 1) {name}(0)<1> &first 0x1:uw\n"),
        'P' => format!("({name}) mov (M1, 16) first(0,0)<1> 0x1:d\n"),
        'S' => format!("sample_3d.RGBA (M1, 16) {name} T252 first.0 first.0\n"),
        'T' => format!("oword_ld (4) {name} 0x0:ud first.0\n"),
        _ => format!("{name}:\njmp (M1, 1) \"{name}\"\n"),
    };
    (declaration, code)
}

fn declared(text: &str) -> Vec<&str> {
    let words = text.lines().filter_map(|line| {
        let declared = line.strip_prefix(".decl ").and_then(|rest| rest.split(' ').next());
        declared.or_else(|| line.strip_suffix(':'))
    });
    let mut words: Vec<&str> = words.collect();
    words.sort_unstable();
    words
}

proptest! {
    #[test]
    fn names_are_kept(
        version in select(&["3.0", "3.6", "4.1", "4.2"][..]),
        items in prop::collection::vec((select(&['G', 'A', 'P', 'S', 'T', 'L'][..]), name()), 1..5),
    ) {
        let (declarations, code): (String, String) =
            items.iter().map(|(class, name)| statements(*class, name)).unzip();
        let first = ".decl first v_type=G type=d num_elts=64 align=GRF\n";
        let source = format!(".version {version}\n.kernel \"k\"\n{first}{declarations}{code}ret (M1, 1)\n");
        // Some names are errors.
        if let Ok(module) = text::parse(&source, format_of(&source)) {
            let formatted = reformat(&source).expect("a correct text");
            prop_assert_eq!(declared(&formatted), declared(&source), "{}\n{}", source, formatted);
            let again = text::parse(&formatted, format_of(&source));
            prop_assert_eq!(again.map_err(|error| error.to_string()), Ok(module), "{}\n{}", source, formatted);
        }
    }
}

/// The printer has no scopes.
#[test]
fn repeated_names_of_scopes_change_with_a_warning() {
    let declaration = ".decl x v_type=G type=d num_elts=16 align=GRF\n";
    let source = format!(
        ".version 4.2\n.kernel \"k\"\n{declaration}{{\n{declaration}mov (M1, 16) x(0,0)<1> 0x1:d\n}}\n\
         mov (M1, 16) x(0,0)<1> 0x2:d\nret (M1, 1)\n"
    );
    let reformatted = Reformatter::new().reformat(&source).expect("a correct text");
    assert_eq!(declared(&reformatted.text), ["V33", "x"]);
    let second = source.rfind(declaration).expect("the second declaration");
    let places: Vec<usize> =
        reformatted.warnings.iter().map(|warning| warning.span.start).collect();
    assert_eq!(places, [second]);
}
