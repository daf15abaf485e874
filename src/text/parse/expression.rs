//! Integers that are calculated: today's grammar takes an expression where a number stands alone.

use super::cursor::{Cursor, Failed, Parsed};

/// How deeply parentheses and signs may be nested.
const DEEPEST: u32 = 100;

/// The operators of two operands, those that bind least first, each level from left to right. That
/// `&` binds less than `|` is so on purpose: today's grammar has it so.
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

/// The first level that does not end at `>`.
const SHIFTS: usize = 5;

impl Cursor<'_> {
    /// An integer that the type holds, or an expression that gives one.
    pub(in crate::text) fn calculated<N: TryFrom<i128>>(&mut self, what: &str) -> Parsed<N> {
        self.number_by(what, |cursor| cursor.expression(DEEPEST))
    }

    /// The same where `>` ends what the expression stands in.
    pub(in crate::text) fn calculated_before_angle<N: TryFrom<i128>>(
        &mut self,
        what: &str,
    ) -> Parsed<N> {
        self.number_by(what, |cursor| cursor.level(SHIFTS, DEEPEST))
    }

    fn expression(&mut self, depth: u32) -> Parsed<i128> {
        let condition = self.level(0, depth)?;
        if !self.eat("?") {
            return Ok(condition);
        }
        let then = self.level(0, depth)?;
        self.expect(":")?;
        let depth = self.deeper(depth)?;
        let otherwise = self.expression(depth)?;
        Ok(if condition != 0 { then } else { otherwise })
    }

    /// Operands, and between them operators of a level or of those that bind more.
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
        // Most numbers stand alone.
        if !matches!(self.peek()?, b'!'..=b'/' | b'<'..=b'>' | b'^' | b'|') {
            return None;
        }
        let rest = self.rest();
        if rest.starts_with(b"//") {
            return None;
        }
        let all =
            LEVELS.iter().zip(0..).flat_map(|(level, at)| level.iter().map(move |o| (at, *o)));
        let begins = |(_, operator): &(usize, &str)| rest.starts_with(operator.as_bytes());
        // A longer operator is not a shorter one and something else.
        let (level, operator) = all.filter(begins).max_by_key(|(_, operator)| operator.len())?;
        (level >= least && self.eat_here(operator)).then_some((level, operator))
    }

    /// A number, or one with signs before it or parentheses around.
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
        let depth = self.deeper(depth)?;
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

    /// An integer with signs before it or parentheses around.
    pub(super) fn integer(&mut self) -> Parsed<i128> {
        self.operand(DEEPEST)
    }

    fn deeper(&mut self, depth: u32) -> Parsed<u32> {
        let here = self.at;
        depth.checked_sub(1).ok_or_else(|| self.fail(here..here, "this is nested too deeply"))
    }

    /// A value that 64 bits hold, with or without a sign.
    fn in_range(&mut self, start: usize, value: Option<i128>) -> Result<i128, Failed> {
        let bounds = -i128::from(u64::MAX)..=i128::from(u64::MAX);
        value.filter(|value| bounds.contains(value)).ok_or_else(|| {
            self.fail(start..self.at, "this has no value, or none that fits into 64 bits")
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
        // Both are of 64 bits and one more: this does not overflow.
        "<<" => left.checked_mul(1 << by()?),
        ">>" => Some(left >> by()?),
        // Zeros come in where 64 bits end.
        ">>>" => Some(((left as u64) >> by()?).into()),
        "+" => left.checked_add(right),
        "-" => left.checked_sub(right),
        "*" => left.checked_mul(right),
        "/" => left.checked_div(right),
        _ => left.checked_rem(right),
    }
}
