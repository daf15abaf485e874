//! Samplers and surfaces are printed under the names that the text has for them.

use genvisa::isa::Scatter4Scaled;
use genvisa::object::Code;
use genvisa::text::{FileListing, parse};
use genvisa::{Format, Instruction, Module, Version};
use genvisa_test_support::random::{cases, seed};
use genvisa_test_support::rng::Rng;

const FORMATS: [Format; 3] =
    [Format::igc2022(Version::V3_6), Format::igc2026(Version::V4_1), Format::V4_2];

fn source(format: Format, lines: &str) -> String {
    let version = format.version;
    format!(".version {version}\n.kernel \"k\"\n\n.decl D v_type=G type=ud num_elts=64\n{lines}")
}

/// Returns the text of a module, which must parse to an equal module.
fn printed(module: &Module<'_>) -> String {
    let text = FileListing::new(module).with_numbers(false).to_text().expect("legal code");
    match parse(&text, module.format) {
        Ok(again) => assert_eq!(&again, module, "{text}"),
        Err(errors) => panic!("{}\n{text}", errors[0]),
    }
    text
}

/// Checks what a text is printed as.
#[track_caller]
fn check(lines: &str, expected: &str) {
    for format in FORMATS {
        let text = source(format, lines);
        let module = parse(&text, format).unwrap_or_else(|errors| panic!("{}\n{text}", errors[0]));
        assert_eq!(printed(&module), source(format, expected), "{format:?}");
    }
}

#[test]
fn samplers_and_surfaces_keep_their_names() {
    for lines in [
        ".decl S0 v_type=S num_elts=1\n.decl XS0 v_type=S num_elts=1\n\
         .decl MyT v_type=T num_elts=1\n.input XS0 offset=32 size=4\n.input MyT offset=36 size=4\n\
         \x20   movs (M1, 1) MyT(0) XS0(0)\n    media_ld.nomod (4,4) MyT 0 0x0:ud 0x0:ud D.0\n",
        // Numbers that differ from the ids.
        ".decl T7 v_type=T num_elts=1\n.decl T6 v_type=T num_elts=1\n.decl T40 v_type=T num_elts=1\n\
         \x20   movs (M1, 1) T7(0) T6(0)\n    movs (M1, 1) T40(0) T7(0)\n",
        // The names of the string pool.
        ".decl XS0 v_type=S num_elts=1 v_name=foo\n.decl T6 v_type=T num_elts=1 v_name=bar\n\
         \x20   movs (M1, 1) T6(0) XS0(0)\n",
    ] {
        check(lines, lines);
    }
}

#[test]
fn samplers_and_surfaces_whose_name_is_taken_have_a_number() {
    check(
        ".decl T7 v_type=T num_elts=1\n{\n.decl T6 v_type=T num_elts=1\nmovs (M1, 1) T6(0) T7(0)\n}\n\
         {\n.decl T6 v_type=T num_elts=1\nmovs (M1, 1) T6(0) T7(0)\n}\n",
        ".decl T7 v_type=T num_elts=1\n.decl T6 v_type=T num_elts=1\n\
         .decl T8 v_type=T num_elts=1 v_name=T6\n\
         \x20   movs (M1, 1) T6(0) T7(0)\n    movs (M1, 1) T8(0) T7(0)\n",
    );
    // The number of the third surface is the name of the first.
    check(
        ".decl T8 v_type=T num_elts=1\n.decl D_ v_type=T num_elts=1\n\
         {\n.decl D v_type=T num_elts=1\nmovs (M1, 1) D(0) T8(0)\nmovs (M1, 1) D_(0) T8(0)\n}\n",
        ".decl T6 v_type=T num_elts=1 v_name=T8\n.decl D_ v_type=T num_elts=1\n\
         .decl T8 v_type=T num_elts=1 v_name=D\n\
         \x20   movs (M1, 1) T8(0) T6(0)\n    movs (M1, 1) D_(0) T6(0)\n",
    );
}

/// As in compilers, a declaration has its name in the string pool.
#[test]
fn names_of_samplers_and_surfaces_are_in_the_string_pool() {
    let text = source(FORMATS[0], ".decl XS v_type=S num_elts=1\n.decl T6 v_type=T num_elts=1\n");
    let module = parse(text, FORMATS[0]).expect("correct text");
    let file = module.to_bytes().expect("a small module");
    let read = Module::from_bytes(&file, FORMATS[0].dialect).expect("a module just written");
    let body = &read.kernels[0].body;
    assert_eq!(body.strings[body.samplers[0].name.0 as usize], "XS");
    assert_eq!(body.surfaces[0].name.0, 0);
    let text = printed(&read);
    assert!(text.contains(".decl S0 v_type=S num_elts=1 v_name=XS\n"), "{text}");
}

/// The bytes have a scale, which text does not have.
#[test]
fn annotations_with_bytes_refer_to_named_surfaces() {
    let lines = ".decl A v_type=T num_elts=1\n.decl B v_type=T num_elts=1\n\
                 \x20   scatter4_scaled.R (M1, 16) B 0x0:ud D.0 D.0\n";
    let format = FORMATS[0];
    let mut module = parse(source(format, lines), format).expect("correct text");
    let code = module.kernels[0].body.code.clone();
    let (_, scatter) = code.instructions(format).next().expect("one").expect("legal code");
    let Instruction::Scatter4Scaled(scatter) = scatter else { panic!("{scatter}") };
    let scaled = Scatter4Scaled { scale: 1, ..scatter };
    module.kernels[0].body.code =
        Code::from_instructions(&[scaled.into()], format).expect("encodable");
    let text = printed(&module);
    assert!(text.contains("(M1, 16) B 0x0:ud D.0 D.0 //@ 75 "), "{text}");
    // The text states the ids.
    let swapped =
        text.replace(" A v_", " X v_").replace(" B v_", " A v_").replace(" X v_", " B v_");
    let module = parse(&swapped, format).expect("correct text");
    let code = &module.kernels[0].body.code;
    let (_, scatter) = code.instructions(format).next().expect("one").expect("legal code");
    let Instruction::Scatter4Scaled(scatter) = scatter else { panic!("{scatter}") };
    assert_eq!((scatter.surface.0, scatter.scale), (6, 1));
}

/// Names of declarations of all classes are different, as in text without scopes.
#[test]
fn declarations_of_samplers_and_surfaces_are_printed_as_written() {
    let names = [
        "x", "y", "XS0", "S0", "S1", "S2", "S5", "T6", "T7", "T8", "T9", "T40", "s0", "T_6", "S",
        "surface", "bar", "T06_", "L1", "k",
    ];
    let mut rng = Rng::new(seed(), 7);
    for _ in 0..cases(500) {
        let mut names = names;
        rng.shuffle(&mut names);
        let (samplers, surfaces) = (rng.below(4), rng.below(5));
        let mut lines = String::new();
        for (at, name) in names[..samplers + surfaces].iter().enumerate() {
            let class = if at < samplers { 'S' } else { 'T' };
            let v_name = match rng.below(4) {
                0 => format!(" v_name={}", names[names.len() - 1 - at]),
                _ => String::new(),
            };
            lines += &format!(".decl {name} v_type={class} num_elts=1{v_name}\n");
        }
        for name in &names[..samplers + surfaces] {
            lines += &format!("    movs (M1, 1) {name}(0) {name}(1)\n");
        }
        check(&lines, &lines);
    }
}
