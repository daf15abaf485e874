//! Integer expressions, which the grammar of IGC accepts in place of most numbers.

use alloc::format;
use alloc::vec::Vec;

use super::{Cursor, Failed, Integer, Parsed};
use crate::platform::RegisterSize;
use crate::text::diagnostic::cut;
use crate::text::words::RegisterSizes;

/// The largest number of nested parentheses and signs.
const MAX_DEPTH: u32 = 100;

/// The binary operators by increasing precedence. All are left-associative. As in the grammar of IGC,
/// `&` binds less tightly than `|`.
const LEVELS: [&[&str]; 8] = [
    &["&"],
    &["^"],
    &["|"],
    &["==", "!="],
    &["<=", ">=", "<", ">"],
    &["<<", ">>>", ">>"],
    &["+", "-"],
    &["*", "/", "%"],
];

/// The first level without `>`.
const SHIFTS: usize = 5;

/// The levels of comparisons and shifts. The grammar does not allow two of a level in a row.
const UNCHAINED: core::ops::RangeInclusive<usize> = 3..=SHIFTS;

/// The levels of sums and products.
const SUMS: usize = 6;
const PRODUCTS: usize = 7;

/// The values of `%sizeof` and `%DispatchSimd` in a routine.
#[derive(Default)]
pub(in crate::text) struct Builtins<'t> {
    /// The sizes in bytes of the general and address variables that have been declared.
    sizes: Vec<(&'t str, u64)>,
    /// The numbers of sizes before each open scope.
    scopes: Vec<usize>,
    /// The value of the attribute `SimdSize`.
    pub(in crate::text) simd_size: Option<i32>,
    /// The sizes of the registers of the platforms that comments state.
    register_sizes: RegisterSizes,
}

impl<'t> Builtins<'t> {
    /// Clears the values at the start of a routine.
    pub(in crate::text) fn clear(&mut self) {
        self.sizes.clear();
        self.scopes.clear();
        self.simd_size = None;
    }

    pub(in crate::text) fn declare(&mut self, name: &'t str, size: u64) {
        self.sizes.push((name, size));
    }

    pub(in crate::text) fn open_scope(&mut self) {
        self.scopes.push(self.sizes.len());
    }

    pub(in crate::text) fn close_scope(&mut self) {
        self.sizes.truncate(self.scopes.pop().unwrap_or_default());
    }

    fn size_of(&self, name: &str) -> Option<u64> {
        self.sizes.iter().rev().find(|(other, _)| *other == name).map(|(_, size)| *size)
    }
}

const SIZEOF: &str = "%sizeof";
const DISPATCH_SIMD: &str = "%DispatchSimd";

impl Cursor<'_> {
    /// Returns whether `%sizeof` or `%DispatchSimd` comes next.
    pub(in crate::text) fn is_at_builtin(&self) -> bool {
        let rest = self.rest();
        rest.starts_with(SIZEOF.as_bytes()) || rest.starts_with(DISPATCH_SIMD.as_bytes())
    }

    /// Parses `%sizeof X`, `%sizeof(X)` or `%DispatchSimd`.
    fn builtin(&mut self) -> Parsed<i128> {
        let start = self.at;
        if self.eat_word_here(DISPATCH_SIMD) {
            return self.builtins.simd_size.map(i128::from).ok_or_else(|| {
                let message = "`%DispatchSimd` requires the attribute `SimdSize` before it";
                self.fail(start..self.at, message)
            });
        }
        if !self.eat_word_here(SIZEOF) {
            return Err(self.expected("an integer"));
        }
        let is_in_parentheses = self.eat("(");
        self.skip_blanks();
        let (name_start, name) = (self.at, self.identifier_here());
        let span = name_start..self.at;
        if name.is_empty() {
            return Err(self.expected("the name of a variable, or `GRF`"));
        }
        let size = match self.builtins.size_of(name) {
            Some(size) => size,
            None if name == "GRF" => self.register_size(start)?,
            None => {
                let message =
                    format!("`{}` is not a declared general or address variable", cut(name));
                return Err(self.fail(span, &message));
            }
        };
        if is_in_parentheses {
            self.expect(")")?;
        }
        Ok(size.into())
    }

    /// Returns the size of a register on the platform that the next comment about a platform
    /// states, or else the default.
    pub(in crate::text) fn stated_register_size(&mut self) -> RegisterSize {
        self.find_register_size().unwrap_or_default()
    }

    fn find_register_size(&mut self) -> Option<RegisterSize> {
        self.builtins.register_sizes.next_after(self.text, self.at)
    }

    /// Returns the size of a register on the platform that a comment at the end of the text states.
    fn register_size(&mut self, start: usize) -> Parsed<u64> {
        if let Some(size) = self.find_register_size() {
            return Ok(size.bytes().into());
        }
        let message =
            "the size of a register depends on the platform, which the text does not state";
        let help =
            "write the number, or add a line such as `//Platform: XE2` to the end of the text";
        Err(self.fail_with_help(start..self.at, message, Some(help.into())))
    }

    /// Parses an expression, and returns its value if it fits in the type.
    pub(in crate::text) fn calculated<N: Integer>(&mut self, what: &str) -> Parsed<N> {
        // Fast path: most expressions are a number.
        let is_delimiter = |rest: &[u8]| match rest {
            [b')' | b',' | b']' | b'\n', ..] => true,
            [b' ', next, ..] => next.is_ascii_alphabetic(),
            _ => false,
        };
        let number = self.number_before(is_delimiter);
        number.map_or_else(|| self.number_by(what, |cursor| cursor.expression(MAX_DEPTH)), Ok)
    }

    /// Parses an expression before `>`, which is not an operator then.
    pub(in crate::text) fn calculated_before_angle<N: Integer>(&mut self, what: &str) -> Parsed<N> {
        let is_delimiter = |rest: &[u8]| match rest {
            [b',' | b';', ..] => true,
            // `>>` is an operator.
            [b'>', next, ..] => *next != b'>',
            _ => false,
        };
        let number = self.number_before(is_delimiter);
        number.map_or_else(|| self.number_by(what, |cursor| cursor.level(SHIFTS, MAX_DEPTH)), Ok)
    }

    /// Parses a sum, which may contain products.
    pub(in crate::text) fn sum<N: Integer>(&mut self, what: &str) -> Parsed<N> {
        self.number_by(what, |cursor| cursor.level(SUMS, MAX_DEPTH))
    }

    /// Parses a product.
    pub(in crate::text) fn product<N: Integer>(&mut self, what: &str) -> Parsed<N> {
        self.number_by(what, |cursor| cursor.level(PRODUCTS, MAX_DEPTH))
    }

    fn expression(&mut self, depth: u32) -> Parsed<i128> {
        self.skip_blanks();
        let start = self.at;
        let condition = self.level(0, depth)?;
        if !self.eat("?") {
            return Ok(condition);
        }
        self.require_short_decimals(start)?;
        let then = self.level(0, depth)?;
        self.expect(":")?;
        let depth = self.decrease_depth(depth)?;
        let otherwise = self.expression(depth)?;
        Ok(if condition != 0 { then } else { otherwise })
    }

    /// Parses operands, and operators of a level or of a higher precedence.
    fn level(&mut self, least: usize, depth: u32) -> Parsed<i128> {
        self.skip_blanks();
        let start = self.at;
        let mut value = self.operand(depth)?;
        let mut last = None;
        while let Some((level, operator)) = self.operator(least) {
            if last == Some(level) && UNCHAINED.contains(&level) {
                let span = self.at - operator.len()..self.at;
                let message = "operators of this kind cannot be chained";
                let help = Some("write parentheses".into());
                return Err(self.fail_with_help(span, message, help));
            }
            last = Some(level);
            let right = self.level(level + 1, depth)?;
            self.require_short_decimals(start)?;
            value = self.in_range(start, apply(operator, value, right))?;
        }
        Ok(value)
    }

    fn operator(&mut self, least: usize) -> Option<(usize, &'static str)> {
        self.skip_blanks();
        // Fast path: most numbers have no operator.
        if !matches!(self.peek()?, b'!'..=b'/' | b'<'..=b'>' | b'^' | b'|') {
            return None;
        }
        let rest = self.rest();
        if rest.starts_with(b"//") {
            return None;
        }
        let operators =
            LEVELS.iter().zip(0..).flat_map(|(level, at)| level.iter().map(move |o| (at, *o)));
        let begins = |(_, operator): &(usize, &str)| rest.starts_with(operator.as_bytes());
        // Prefer the longest operator: `<<` is not `<`.
        let (level, operator) =
            operators.filter(begins).max_by_key(|(_, operator)| operator.len())?;
        (level >= least && self.eat_here(operator)).then_some((level, operator))
    }

    /// Parses a number, with or without signs and parentheses.
    fn operand(&mut self, depth: u32) -> Parsed<i128> {
        self.skip_blanks();
        let start = self.at;
        let Some(sign @ (b'-' | b'~' | b'!' | b'(')) = self.peek() else {
            if self.peek() == Some(b'%') {
                return self.builtin();
            }
            let Some((value, hexadecimal)) = self.unsigned_here() else {
                return Err(self.expected("an integer"));
            };
            // The compilers read -1, not the lowest bits.
            if !hexadecimal && i64::try_from(value).is_err() {
                self.require_short_decimals(start)?;
            }
            return Ok(value.into());
        };
        self.at += 1;
        let depth = self.decrease_depth(depth)?;
        let value = match sign {
            b'(' => {
                let value = self.expression(depth)?;
                self.expect(")")?;
                Some(value)
            }
            b'-' => self.operand(depth)?.checked_neg(),
            b'~' => Some((!self.operand(depth)? as i64).into()),
            _ => {
                let value = self.operand(depth)?;
                self.require_short_decimals(start)?;
                Some((value == 0).into())
            }
        };
        self.in_range(start, value)
    }

    /// Parses an integer, with or without signs and parentheses.
    pub(in crate::text) fn integer(&mut self) -> Parsed<i128> {
        self.operand(MAX_DEPTH)
    }

    fn decrease_depth(&mut self, depth: u32) -> Parsed<u32> {
        let here = self.at;
        depth
            .checked_sub(1)
            .ok_or_else(|| self.fail(here..here, "this expression is nested too deeply"))
    }

    /// Returns the value, or the signed number of its lowest 64 bits if it has more, as in compilers.
    fn in_range(&mut self, start: usize, value: Option<i128>) -> Result<i128, Failed> {
        const BOUNDS: core::ops::RangeInclusive<i128> = -(u64::MAX as i128)..=u64::MAX as i128;
        match value {
            Some(value) if BOUNDS.contains(&value) => Ok(value),
            Some(value) => {
                self.overflow = start..self.at;
                Ok((value as i64).into())
            }
            None => {
                let message = "this expression has no value: it divides by zero, or a shift or \
                               quotient is undefined";
                Err(self.fail(start..self.at, message))
            }
        }
    }
}

/// Returns the value of an operator, or `None` if it is undefined, as for a division by zero.
/// Values from 2^63 are signed, as in the compilers: the lowest 64 bits of sums and products do not
/// depend on the sign.
fn apply(operator: &str, left: i128, right: i128) -> Option<i128> {
    let by = || u32::try_from(right).ok().filter(|by| *by < 64);
    let signed = (left as i64, right as i64);
    match operator {
        "&" => Some((signed.0 & signed.1).into()),
        "^" => Some((signed.0 ^ signed.1).into()),
        "|" => Some((signed.0 | signed.1).into()),
        "==" => Some((signed.0 == signed.1).into()),
        "!=" => Some((signed.0 != signed.1).into()),
        "<=" => Some((signed.0 <= signed.1).into()),
        ">=" => Some((signed.0 >= signed.1).into()),
        "<" => Some((signed.0 < signed.1).into()),
        ">" => Some((signed.0 > signed.1).into()),
        "<<" => Some(i128::from(signed.0) << by()?),
        ">>" => Some((signed.0 >> by()?).into()),
        // A logical shift of 64 bits.
        ">>>" => Some(((left as u64) >> by()?).into()),
        // Both are in the range of 65 bits.
        "+" => left.checked_add(right),
        "-" => left.checked_sub(right),
        "*" => Some(i128::from(signed.0) * i128::from(signed.1)),
        "/" => signed.0.checked_div(signed.1).map(Into::into),
        _ => signed.0.checked_rem(signed.1).map(Into::into),
    }
}
