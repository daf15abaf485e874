//! Constant expressions and literals: compilers make the same machine code of a text with them and of
//! the text that this crate prints, which has their values.

use genvisa::text::{FileListing, format_of, parse};
use genvisa_test_support::genx_ir;
use genvisa_test_support::genx_ir_today::Compiler;
use genvisa_test_support::parallel::parallel;
use genvisa_test_support::random::{cases, seed};
use genvisa_test_support::rng::Rng;
use genvisa_test_support::same_code::{Case, Classes, PLATFORMS, VERSIONS, check};

use crate::assembly::meaning::expressions::{Expression, TYPES};

/// The number of constants in a text of GenX_IR.
const PER_TEXT: usize = 20;

/// The attribute after which GenX_IR names its output.
const NAME: &str = ".kernel_attr AsmName=\"oracle\"\n";

/// Returns a text that moves constants to variables.
fn text(version: &str, attribute: &str, constants: &[String]) -> String {
    let mut text = format!(".version {version}\n.kernel \"k\"\n");
    for (at, constant) in constants.iter().enumerate() {
        let (_, ty) = constant.rsplit_once(':').expect("a type");
        // Packed immediates have eight elements.
        let ty = match ty {
            "v" => "w",
            "uv" => "uw",
            "vf" => "f",
            ty => ty,
        };
        text += &format!(".decl D{at} v_type=G type={ty} num_elts=8 align=GRF\n");
    }
    text += attribute;
    for (at, constant) in constants.iter().enumerate() {
        let size = if constant.contains('v') { 8 } else { 1 };
        text += &format!("mov (M1_NM, {size}) D{at}(0,0)<1> {constant}\n");
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

/// Returns a literal of any type, often at the limit of an integer type.
fn literal(rng: &mut Rng) -> String {
    let types =
        ["b", "ub", "w", "uw", "d", "ud", "q", "uq", "f", "df", "hf", "bf", "v", "uv", "vf"];
    let power = 1u128 << rng.pick(&[3, 7, 8, 15, 16, 31, 32, 63, 64]);
    let number = match rng.below(5) {
        0 => u128::from(rng.bits() >> rng.below(64)),
        1 => power - 1,
        2 => power,
        3 => power + 1,
        _ => rng.below(20) as u128,
    };
    let sign = rng.pick(&["", "", "-"]);
    let number = if rng.one_in(2) { format!("{number:#x}") } else { number.to_string() };
    format!("{sign}{number}:{}", rng.pick(&types))
}

/// Returns a random constant.
fn constant(rng: &mut Rng) -> String {
    match rng.below(6) {
        0 => fraction(rng),
        1 | 2 => literal(rng),
        _ => {
            let (ty, _) = rng.pick(&TYPES);
            let depth = 1 + rng.below(4) as u32;
            format!("({}):{ty}", Expression::random(rng, depth))
        }
    }
}

/// Constants that only the compiler or only this crate rejects, and the reasons.
const CLASSES: Classes = Classes {
    compiler_rejects: &[
        ("unexpected BFTYPE", "text before 4.2 may have immediates of type bf"),
        ("saturation is not supported on this op", "only files may saturate results of logic"),
    ],
    crate_rejects: &[
        ("this expression has no value", "the value is undefined in the compiler's own language"),
        ("does not fit in 64 bits", "the compiler reads another number"),
        ("is out of range for type", "the compiler truncates numbers silently"),
        ("read decimal numbers up to 2147483647 here", "the compiler reads another number"),
        ("has decimal numbers up to 2147483647", "the compiler reads another number"),
    ],
};

#[test]
#[ignore = "needs GenX_IR of IGC 2.40.14"]
fn constants_have_the_code_of_their_printed_values() {
    let compiler = Compiler::required();
    let mut rng = Rng::new(seed(), 5);
    let case = |_| {
        let (version, constant) = (rng.pick(&VERSIONS), constant(&mut rng));
        let what = format!("{version}: {constant}");
        // This platform has numbers of 64 bits.
        Case { what, text: text(version, "", &[constant]), platform: PLATFORMS[0] }
    };
    let cases: Vec<Case> = (0..cases(100)).map(case).collect();
    check(&compiler, &cases, &CLASSES);
}

/// Returns a text that computes with a literal, which may be out of range for its type.
fn arithmetic(rng: &mut Rng, version: &str) -> String {
    let types = ["b", "ub", "w", "uw", "d", "ud"];
    let (dst, (src, size)) =
        (rng.pick(&["d", "ud"]), rng.pick(&[("w", 2), ("uw", 2), ("d", 4), ("ud", 4)]));
    let literal = loop {
        let literal = literal(rng);
        if types.iter().any(|ty| literal.ends_with(&format!(":{ty}"))) {
            break literal;
        }
    };
    let op =
        rng.pick(&["add", "mul", "and", "or", "xor", "shl", "shr", "asr", "min", "max", "avg"]);
    let sat = rng.pick(&["", "", ".sat"]);
    let (source, literal) = ("x(0,0)<1;1,0>", literal.as_str());
    let sources = if rng.one_in(4) { [literal, source] } else { [source, literal] }.join(" ");
    format!(
        ".version {version}\n.kernel \"k\"\n\
         .decl x v_type=G type={src} num_elts=16 align=GRF\n\
         .decl y v_type=G type={dst} num_elts=16 align=GRF\n\
         .decl a v_type=G type=uq num_elts=16 align=GRF\n\
         .input a offset=64 size=128\n.input x offset=192 size={}\n\
         {op}{sat} (M1, 16) y(0,0)<1> {sources}\n\
         lsc_store.ugm (M1, 16) flat[a]:a64 y:d32\nret (M1, 1)\n",
        16 * size
    )
}

/// Numbers that are out of range keep their low bits, as in machine code.
#[test]
#[ignore = "needs GenX_IR of IGC 2.40.14"]
fn literals_in_arithmetic_have_the_code_of_their_printed_values() {
    let compiler = Compiler::required();
    let mut rng = Rng::new(seed(), 7);
    let case = |_| {
        let text = arithmetic(&mut rng, "4.2");
        Case { what: text.clone(), text, platform: rng.pick(&PLATFORMS) }
    };
    let cases: Vec<Case> = (0..cases(200)).map(case).collect();
    check(&compiler, &cases, &CLASSES);
}

/// GenX_IR crashes on some constants that this crate rejects.
#[test]
#[ignore = "needs GenX_IR 12504"]
fn genx_ir_reads_constants_like_this_crate() {
    let mut rng = Rng::new(seed(), 6);
    let mut constants = || loop {
        let constant = constant(&mut rng);
        // It does not move packed numbers and `bf`.
        let is_moved =
            !["v", "uv", "vf", "bf"].iter().any(|ty| constant.ends_with(&format!(":{ty}")));
        let text = text("3.6", NAME, std::slice::from_ref(&constant));
        if is_moved && parse(&text, format_of(&text)).is_ok() {
            break constant;
        }
    };
    let texts: Vec<String> = (0..cases(100).div_ceil(PER_TEXT as u64))
        .map(|_| text("3.6", NAME, &(0..PER_TEXT).map(|_| constants()).collect::<Vec<_>>()))
        .collect();
    let results = parallel(&texts, |text| {
        let module = parse(text, format_of(text)).map_err(|errors| errors[0].to_string())?;
        let printed = FileListing::new(&module).to_text().expect("legal code");
        let theirs = genx_ir::compile_text(text, "PVC")?;
        let ours = genx_ir::compile_text(&printed, "PVC")?;
        if theirs == ours { Ok(()) } else { Err(format!("the code differs:\n{text}")) }
    });
    let errors: Vec<String> = results.into_iter().filter_map(Result::err).collect();
    assert!(errors.is_empty(), "{}", errors.join("\n\n"));
}
