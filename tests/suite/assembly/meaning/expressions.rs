//! Constant expressions have the value that compilers compute: they have signed integers of 64 bits,
//! and keep 32 bits of decimal literals.

use std::fmt::{self, Display, Formatter};

use genvisa_test_support::random::{cases, seed};
use genvisa_test_support::rng::Rng;

use super::*;

/// The precedence of unary operators and of literals.
const UNARY: u8 = 9;
const PRIMARY: u8 = 10;

/// The binary operators with their precedence, and those that their operands require.
const OPERATORS: [(&str, u8, u8, u8); 17] = [
    ("&", 1, 1, 2),
    ("^", 2, 2, 3),
    ("|", 3, 3, 4),
    ("==", 4, 5, 5),
    ("!=", 4, 5, 5),
    ("<", 5, 6, 6),
    (">", 5, 6, 6),
    ("<=", 5, 6, 6),
    (">=", 5, 6, 6),
    ("<<", 6, 7, 7),
    (">>", 6, 7, 7),
    (">>>", 6, 7, 7),
    ("+", 7, 7, 8),
    ("-", 7, 7, 8),
    ("*", 8, 8, 9),
    ("/", 8, 8, 9),
    ("%", 8, 8, 9),
];

/// A constant expression: its text, its precedence, and its value, which is `None` if the compiler
/// crashes or does something undefined.
#[derive(Clone)]
pub struct Expression {
    text: String,
    precedence: u8,
    value: Option<i64>,
}

impl Display for Expression {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl Expression {
    /// Returns the text as an operand that requires a precedence.
    fn with_precedence(&self, required: u8) -> String {
        if self.precedence < required { format!("({self})") } else { self.text.clone() }
    }

    fn literal(rng: &mut Rng) -> Expression {
        let special = [0, 1, 2, 3, 7, 31, 63, 0x7fff_ffff, 0xffff_ffff];
        let large = [1 << 31, 1 << 32, 1 << 63, (1 << 63) - 1, u64::MAX, u64::MAX - 1];
        let bits = match rng.below(6) {
            0 => rng.pick(&large),
            1 => rng.bits() >> rng.below(64),
            _ => rng.pick(&special),
        };
        let (text, value) = if rng.one_in(2) {
            (format!("{bits:#x}"), bits as i64)
        } else {
            // `atoi` truncates a number that fits in 64 bits.
            let value = i64::try_from(bits).unwrap_or(i64::MAX);
            (bits.to_string(), i64::from(value as i32))
        };
        Expression { text, precedence: PRIMARY, value: Some(value) }
    }

    /// Returns a random expression of at most `depth` nested operators.
    pub fn random(rng: &mut Rng, depth: u32) -> Expression {
        if depth == 0 {
            return Expression::literal(rng);
        }
        let mut operand = || Expression::random(&mut rng.fork(), depth - 1);
        let [a, b, c] = [operand(), operand(), operand()];
        match rng.below(8) {
            0 => Expression::literal(rng),
            1 => {
                let operator = rng.pick(&['-', '~', '!']);
                let value = a.value.map(|value| match operator {
                    '-' => value.wrapping_neg(),
                    '~' => !value,
                    _ => i64::from(value == 0),
                });
                let text = format!("{operator}{}", a.with_precedence(UNARY));
                Expression { text, precedence: UNARY, value }
            }
            2 => {
                let [then, condition] = [&b, &a].map(|operand| operand.with_precedence(1));
                let text = format!("{condition}?{then}:{c}");
                let value = a.value.and_then(|a| if a != 0 { b.value } else { c.value });
                // An undefined branch may crash the compiler, even if it is not selected.
                let value = value.filter(|_| b.value.is_some() && c.value.is_some());
                Expression { text, precedence: 0, value }
            }
            _ => {
                let (operator, precedence, left, right) = rng.pick(&OPERATORS);
                let text =
                    format!("{}{operator}{}", a.with_precedence(left), b.with_precedence(right));
                let value = a.value.zip(b.value).and_then(|(a, b)| apply(operator, a, b));
                Expression { text, precedence, value }
            }
        }
    }
}

/// Applies an operator to integers that wrap.
fn apply(operator: &str, a: i64, b: i64) -> Option<i64> {
    let by = u32::try_from(b).ok().filter(|by| *by < 64);
    Some(match operator {
        "&" => a & b,
        "^" => a ^ b,
        "|" => a | b,
        "==" => (a == b).into(),
        "!=" => (a != b).into(),
        "<" => (a < b).into(),
        ">" => (a > b).into(),
        "<=" => (a <= b).into(),
        ">=" => (a >= b).into(),
        "<<" => a << by?,
        ">>" => a >> by?,
        ">>>" => (a as u64 >> by?) as i64,
        "+" => a.wrapping_add(b),
        "-" => a.wrapping_sub(b),
        "*" => a.wrapping_mul(b),
        "/" => a.checked_div(b)?,
        "%" => a.checked_rem(b)?,
        _ => panic!("{operator}"),
    })
}

pub const TYPES: [(&str, DataType); 8] = [
    ("uq", DataType::UQ),
    ("q", DataType::Q),
    ("ud", DataType::UD),
    ("d", DataType::D),
    ("uw", DataType::UW),
    ("w", DataType::W),
    ("ub", DataType::UB),
    ("b", DataType::B),
];

/// Returns the bits of an immediate.
fn bits(immediate: &str, format: Format) -> Result<u64, String> {
    let line = format!("mov (M1, 1) D(0,0)<1> {immediate}");
    let module = parsed(&line, format).map_err(|errors| errors[0].to_string())?;
    let routine = module.routines().next().expect("a routine");
    let (_, mov) = routine.instructions().next().expect("a mov").expect("legal code");
    let Instruction::Mov(Mov { src0: Vector { kind: VectorKind::Immediate(imm), .. }, .. }) = mov
    else {
        panic!("{line}: {mov}")
    };
    Ok(imm.bits())
}

/// The error about an expression for which compilers crash or do something undefined.
const NO_VALUE: &str =
    "this expression has no value: it divides by zero, or a shift or quotient is undefined";

/// The reasons why an expression is rejected.
const REJECTED: [&str; 4] = [
    NO_VALUE,
    "is out of range for type",
    "compilers read decimal numbers up to 2147483647 here",
    "version 4.2 has decimal numbers up to 2147483647",
];

#[test]
fn expressions_have_the_value_of_the_model() {
    let mut rng = Rng::new(seed(), 4);
    let formats = [formats()[0], formats()[1], Format::V4_2];
    let (mut accepted, count) = (0, cases(2000));
    for number in 0..count {
        let depth = 1 + rng.below(4) as u32;
        let expression = Expression::random(&mut rng, depth);
        let (name, ty) = rng.pick(&TYPES[..if number % 2 == 0 { 2 } else { TYPES.len() }]);
        let immediate = format!("({expression}):{name}");
        match bits(&immediate, rng.pick(&formats)) {
            Ok(bits) => {
                let value = expression.value.unwrap_or_else(|| panic!("{immediate}: undefined"));
                let shift = 64 - 8 * ty.size();
                assert_eq!(bits << shift, (value as u64) << shift, "{immediate}: {bits:#x}");
                accepted += 1;
            }
            Err(error) => {
                assert!(
                    REJECTED.iter().any(|reason| error.contains(reason)),
                    "{immediate}: {error}"
                );
            }
        }
    }
    assert!(accepted * 4 > count, "{accepted} of {count} accepted");
}

#[test]
fn literals_from_2_to_the_63_are_signed_in_expressions() {
    let format = formats()[1];
    for (expression, value) in [
        ("(0x8000000000000000>>1):uq", 0xc000_0000_0000_0000),
        ("(0x8000000000000000>>>1):uq", 0x4000_0000_0000_0000),
        ("(0x8000000000000000<0):uq", 1),
        ("(0xffffffffffffffff>=0):uq", 0),
        ("(0xffffffffffffffff==-1):uq", 1),
        ("(0xfffffffffffffffe/2):uq", u64::MAX),
        ("(0xffffffffffffffff%2):uq", u64::MAX),
        ("(0x8000000000000000>0?1:2):uq", 2),
        ("(0x7fffffffffffffff+1):uq", 1 << 63),
        ("(0xffffffffffffffff^-1):uq", 0),
        ("(~0xffffffffffffffff):uq", 0),
        ("(0xffffffffffffffff&-1):d", 0xffff_ffff),
        ("(0xffffffffffffffff):uq", u64::MAX),
    ] {
        assert_eq!(bits(expression, format), Ok(value), "{expression}");
    }
    for expression in ["(-0x7fffffffffffffff-1)/-1", "0x8000000000000000/-1", "1/0", "1%0"] {
        let found = bits(&format!("({expression}):q"), format);
        assert_eq!(found, Err(NO_VALUE.into()), "{expression}");
    }
}

/// The compilers read the decimal number as a signed integer of 32 bits.
#[test]
fn decimal_numbers_of_more_than_31_bits_are_rejected_where_compilers_read_another_number() {
    for format in formats() {
        for immediate in [
            "4294967295:uq",
            "-4294967295:uq",
            "2147483648:q",
            "-2147483648:df",
            "2147483648:df",
            "(4294967295):uq",
            "-(2147483648):q",
            "(4294967295>>1):ud",
            "(4294967296?1:2):d",
            "!4294967296:d",
            "(1+4294967295):d",
            "(~18446744073709551614):ub",
            "(-9223372036854775808):d",
        ] {
            let error = "compilers read decimal numbers up to 2147483647 here";
            assert_eq!(bits(immediate, format), Err(error.into()), "{immediate}");
        }
        for (immediate, value) in [
            ("2147483647:uq", 0x7fff_ffff),
            ("0xffffffff:uq", 0xffff_ffff),
            ("-2147483647:df", 0x8000_0000_7fff_ffff),
            ("4294967295:ud", 0xffff_ffff),
            ("-2147483648:d", 0x8000_0000),
            ("(4294967295):ud", 0xffff_ffff),
            ("4294967296.5:df", 4_294_967_296.5f64.to_bits()),
        ] {
            assert_eq!(bits(immediate, format), Ok(value), "{immediate}");
        }
    }
    // Where a field has 32 bits, the number is the same.
    for (line, expected) in [
        ("LOC 4294967295", "LOC 4294967295"),
        (
            "lsc_load.ugm (M1, 16) D:d32 surf(0xffffffffffffffff|1)[D]:a32",
            "lsc_load.ugm (M1, 16)  D:d32  surf(0xFFFFFFFFFFFFFFFF)[D]:a32",
        ),
    ] {
        assert_eq!(reprint(line, formats()[1]), expected);
    }
    let line = "lsc_load.ugm (M1, 16) D:d32 surf(4294967295)[D]:a32";
    check_rejected(&[(line, "compilers read decimal numbers up to 2147483647 here")]);
}

/// `1.0000000596046447753906251` is above the middle of two numbers of 32 bits, but the nearest number
/// of 64 bits is the middle.
#[test]
fn fractions_are_rounded_to_a_double_first() {
    for format in [formats()[0], formats()[1], Format::V4_2] {
        for (immediate, value) in [
            ("1.0000000596046447753906251:f", 0x3f80_0000),
            ("-1.0000000596046447753906251:f", 0xbf80_0000),
            ("1.0000001788139343261718749:f", 0x3f80_0002),
            ("1.0000000596046449974352299:f", 0x3f80_0001),
            ("1.0000000596046447753906251:df", 0x3ff0_0000_1000_0000),
            ("1e+39:f", 0x7f80_0000),
            ("1e-46:f", 0),
            ("-0.0:f", 0x8000_0000),
        ] {
            assert_eq!(bits(immediate, format), Ok(value), "{immediate}");
        }
    }
}
