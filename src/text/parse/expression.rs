//! Integer expressions, which today's grammar accepts in place of most numbers.

use super::cursor::{Cursor, Failed, Parsed};

/// The largest number of nested parentheses and signs.
const MAX_DEPTH: u32 = 100;

/// The binary operators by increasing precedence. All are left-associative. As in today's grammar,
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

/// The levels of sums and products.
const SUMS: usize = 6;
const PRODUCTS: usize = 7;

impl Cursor<'_> {
    /// Parses an expression, and returns its value if it fits in the type.
    pub(in crate::text) fn calculated<N: TryFrom<i128>>(&mut self, what: &str) -> Parsed<N> {
        self.number_by(what, |cursor| cursor.expression(MAX_DEPTH))
    }

    /// Parses an expression before `>`, which is not an operator then.
    pub(in crate::text) fn calculated_before_angle<N: TryFrom<i128>>(
        &mut self,
        what: &str,
    ) -> Parsed<N> {
        self.number_by(what, |cursor| cursor.level(SHIFTS, MAX_DEPTH))
    }

    /// Parses a sum, which may contain products.
    pub(in crate::text) fn sum<N: TryFrom<i128>>(&mut self, what: &str) -> Parsed<N> {
        self.number_by(what, |cursor| cursor.level(SUMS, MAX_DEPTH))
    }

    /// Parses a product.
    pub(in crate::text) fn product<N: TryFrom<i128>>(&mut self, what: &str) -> Parsed<N> {
        self.number_by(what, |cursor| cursor.level(PRODUCTS, MAX_DEPTH))
    }

    fn expression(&mut self, depth: u32) -> Parsed<i128> {
        let condition = self.level(0, depth)?;
        if !self.eat("?") {
            return Ok(condition);
        }
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
        while let Some((level, operator)) = self.operator(least) {
            let right = self.level(level + 1, depth)?;
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
    pub(super) fn operand(&mut self, depth: u32) -> Parsed<i128> {
        self.skip_blanks();
        let start = self.at;
        let Some(sign @ (b'-' | b'~' | b'!' | b'(')) = self.peek() else {
            let number = self.unsigned_here();
            return number
                .map(|(value, _)| value.into())
                .ok_or_else(|| self.expected("an integer"));
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
            b'~' => Some(!self.operand(depth)?),
            _ => Some(i128::from(self.operand(depth)? == 0)),
        };
        self.in_range(start, value)
    }

    /// Parses an integer, with or without signs and parentheses.
    pub(super) fn integer(&mut self) -> Parsed<i128> {
        self.operand(MAX_DEPTH)
    }

    fn decrease_depth(&mut self, depth: u32) -> Parsed<u32> {
        let here = self.at;
        depth
            .checked_sub(1)
            .ok_or_else(|| self.fail(here..here, "this expression is nested too deeply"))
    }

    /// Returns the value if its magnitude fits in 64 bits, and else reports an error.
    fn in_range(&mut self, start: usize, value: Option<i128>) -> Result<i128, Failed> {
        let bounds = -i128::from(u64::MAX)..=i128::from(u64::MAX);
        value.filter(|value| bounds.contains(value)).ok_or_else(|| {
            self.fail(start..self.at, "this expression overflows 64 bits or divides by zero")
        })
    }
}

fn apply(operator: &str, left: i128, right: i128) -> Option<i128> {
    let by = || u32::try_from(right).ok().filter(|by| *by < 64);
    match operator {
        "&" => Some(left & right),
        "^" => Some(left ^ right),
        "|" => Some(left | right),
        "==" => Some((left == right).into()),
        "!=" => Some((left != right).into()),
        "<=" => Some((left <= right).into()),
        ">=" => Some((left >= right).into()),
        "<" => Some((left < right).into()),
        ">" => Some((left > right).into()),
        // Both are in the range of 65 bits.
        "<<" => left.checked_mul(1 << by()?),
        ">>" => Some(left >> by()?),
        // A logical shift of 64 bits.
        ">>>" => Some(((left as u64) >> by()?).into()),
        "+" => left.checked_add(right),
        "-" => left.checked_sub(right),
        "*" => left.checked_mul(right),
        "/" => left.checked_div(right),
        _ => left.checked_rem(right),
    }
}
