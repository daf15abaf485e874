//! Constant expressions and literals: compilers make the same machine code of a text with them and of
//! the text that this crate prints, which has their values.

use genvisa::text::{FileListing, format_of, parse};
use genvisa_test_support::genx_ir;
use genvisa_test_support::genx_ir_today::Compiler;
use genvisa_test_support::parallel::parallel;
use genvisa_test_support::random::{cases, seed};
use genvisa_test_support::rng::Rng;

use crate::assembly::meaning::expressions::{Expression, TYPES};

/// The number of constants in a text.
const PER_TEXT: usize = 20;

/// Returns a text that moves constants to variables.
fn text(version: &str, constants: &[String]) -> String {
    let mut text = format!(".version {version}\n.kernel \"k\"\n");
    for (at, constant) in constants.iter().enumerate() {
        let (_, ty) = constant.rsplit_once(':').expect("a type");
        text += &format!(".decl D{at} v_type=G type={ty} num_elts=2 align=GRF\n");
    }
    text += &format!(".kernel_attr AsmName=\"{}\"\n", genx_ir::ASM_NAME);
    for (at, constant) in constants.iter().enumerate() {
        text += &format!("mov (M1_NM, 1) D{at}(0,0)<1> {constant}\n");
    }
    text + "ret (M1, 1)\n"
}

/// Returns a random number with a fraction or an exponent.
fn fraction(rng: &mut Rng) -> String {
    let ty = rng.pick(&["f", "df"]);
    let sign = rng.pick(&["", "-"]);
    // Near the middle of two numbers of 32 bits, rounding twice is different.
    let middle =
        f64::from(f32::from_bits(0x3f80_0000 + rng.below(1 << 23) as u32)) + 2f64.powi(-24);
    let nearby = rng.pick(&["", "0000000000001", "49999999999999"]);
    let exponent = rng.below(60) as i32 - 30;
    let number = match rng.below(4) {
        0 => format!("{middle:.30}{nearby}"),
        1 => format!("{:e}", f64::from_bits(rng.bits() >> 2)).replace('e', "e+").replace("+-", "-"),
        2 => format!("{}.{}", rng.bits() >> rng.below(64), rng.bits()),
        _ => format!("{}e{exponent:+}", rng.below(100_000)),
    };
    format!("{sign}{number}:{ty}")
}

/// Returns a constant that this crate accepts in a version.
fn constant(version: &str, rng: &mut Rng) -> String {
    loop {
        let constant = match rng.below(4) {
            0 => fraction(rng),
            _ => {
                let (ty, _) = rng.pick(&TYPES);
                let depth = 1 + rng.below(4) as u32;
                format!("({}):{ty}", Expression::random(rng, depth))
            }
        };
        let text = text(version, std::slice::from_ref(&constant));
        if parse(&text, format_of(&text)).is_ok() {
            return constant;
        }
    }
}

/// The compilers, and the versions of their text.
#[derive(Clone, Copy, Debug)]
enum Oracle {
    Today,
    Reference,
}

#[test]
fn constants_compile_to_the_code_of_their_printed_values() {
    let today = Compiler::find();
    let mut oracles = vec![];
    oracles.extend(today.iter().flat_map(|_| [(Oracle::Today, "4.1"), (Oracle::Today, "4.2")]));
    if genx_ir::is_installed() {
        oracles.push((Oracle::Reference, "3.6"));
    }
    let mut rng = Rng::new(seed(), 5);
    let mut texts = Vec::new();
    for (oracle, version) in oracles {
        for _ in 0..cases(100).div_ceil(PER_TEXT as u64) {
            let constants: Vec<String> =
                (0..PER_TEXT).map(|_| constant(version, &mut rng)).collect();
            texts.push((oracle, text(version, &constants)));
        }
    }
    let compile = |oracle, text: &str| match (oracle, &today) {
        (Oracle::Today, Some(compiler)) => {
            compiler.compile(&text.replace(".kernel_attr AsmName=\"oracle\"\n", ""), "PVCXT")
        }
        _ => genx_ir::compile_text(text, "PVC"),
    };
    let results = parallel(&texts, |(oracle, text)| {
        let module = parse(text, format_of(text)).map_err(|errors| errors[0].to_string())?;
        let printed = FileListing::new(&module).to_text().expect("legal code");
        let (theirs, ours) = (compile(*oracle, text)?, compile(*oracle, &printed)?);
        if theirs == ours { Ok(()) } else { Err(format!("{oracle:?}: the code differs:\n{text}")) }
    });
    let errors: Vec<String> = results.into_iter().filter_map(Result::err).collect();
    let is_tested = today.as_ref().is_none_or(|compiler| compiler.is_tested);
    assert!(errors.is_empty() || !is_tested, "{}", errors.join("\n\n"));
    eprintln!("{} texts of {PER_TEXT} constants compared", texts.len());
}
