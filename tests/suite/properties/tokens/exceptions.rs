//! Edits that may change nothing.

use genvisa::object::Variable;
use genvisa::text::parse;

use super::lines::{number, token_texts};
use super::{Change, Edit};

/// A reason why edits change nothing, and a test for such edits.
type Exception = (&'static str, fn(&Edit<'_>) -> bool);

/// The difference between a line and the edited line, as tokens.
struct Difference<'e> {
    /// The tokens at the start of both lines.
    before: Vec<&'e str>,
    old: Vec<&'e str>,
    new: Vec<&'e str>,
    /// The tokens at the end of both lines.
    after: Vec<&'e str>,
}

impl<'e> Difference<'e> {
    fn of(edit: &'e Edit<'_>) -> Difference<'e> {
        let (mut old, mut new) = (token_texts(&edit.line.text), token_texts(&edit.text));
        let same = old.iter().zip(&new).take_while(|(old, new)| old == new).count();
        let before = old.drain(..same).collect();
        new.drain(..same);
        let same = old.iter().rev().zip(new.iter().rev()).take_while(|(old, new)| old == new);
        let same = same.count();
        let after = old.split_off(old.len() - same);
        new.truncate(new.len() - same);
        Difference { before, old, new, after }
    }

    fn deletes(&self, tokens: &[&str]) -> bool {
        self.old == tokens && self.new.is_empty()
    }

    fn inserts(&self, tokens: &[&str]) -> bool {
        self.old.is_empty() && self.new == tokens
    }

    /// Returns a token before the difference, counted backwards.
    fn before(&self, back: usize) -> &'e str {
        self.before.iter().rev().nth(back).copied().unwrap_or_default()
    }

    /// Returns a token after the difference.
    fn after(&self, index: usize) -> &'e str {
        self.after.get(index).copied().unwrap_or_default()
    }
}

/// Returns whether the mnemonic or directive of an edit starts with one of the words.
fn starts_with(edit: &Edit<'_>, words: &[&str]) -> bool {
    words.iter().any(|word| edit.line.word().starts_with(word))
}

/// Returns the value of a number, or of two numbers with an operator.
fn value(tokens: &[&str]) -> Option<i128> {
    let number = |word| number(word).map(i128::from);
    match *tokens {
        [a] => number(a),
        ["-" | "+", a] => number(a).filter(|a| *a == 0),
        [a, op, b] => {
            let (a, b) = (number(a)?, number(b)?);
            match op {
                "+" => Some(a + b),
                "-" => Some(a - b),
                "*" => a.checked_mul(b),
                "/" => a.checked_div(b),
                "%" => a.checked_rem(b),
                "&" => Some(a & b),
                "|" => Some(a | b),
                "^" => Some(a ^ b),
                "<" => Some((a < b).into()),
                ">" => Some((a > b).into()),
                _ => None,
            }
        }
        _ => None,
    }
}

/// Returns the size of a variable that the text of an edit declares, in bytes.
fn size_of(name: &str, edit: &Edit<'_>) -> Option<u64> {
    let module = parse(edit.line.source(&edit.line.text), edit.line.format).ok()?;
    let body = module.routines().next()?.body;
    let has_name = |variable: &&Variable| {
        let string = body.strings.get(variable.name.0 as usize);
        string.is_some_and(|string| string.as_bytes() == name.as_bytes())
    };
    let variable = body.variables.iter().find(has_name)?;
    Some(u64::from(variable.num_elements) * variable.ty.size() as u64)
}

/// Replaces `%sizeof x` and `%sizeof(x)` by their values.
fn with_sizes(tokens: &[String], edit: &Edit<'_>) -> Vec<String> {
    let (mut all, mut rest) = (Vec::new(), tokens);
    while let Some((first, after)) = rest.split_first() {
        let words: Vec<&str> = after.iter().take(3).map(String::as_str).collect();
        let (size, len) = match words[..] {
            ["(", name, ")"] if first == "%sizeof" => (size_of(name, edit), 4),
            [name, ..] if first == "%sizeof" => (size_of(name, edit), 2),
            _ => (None, 1),
        };
        match size {
            Some(size) => all.push(size.to_string()),
            None => all.extend_from_slice(&rest[..len]),
        }
        rest = &rest[len..];
    }
    all
}

/// Returns whether the edit replaces a number by an expression with the same value, or vice versa.
fn is_same_value(edit: &Edit<'_>) -> bool {
    let d = &Difference::of(edit);
    let (left, right) = (number(d.before(0)).is_some(), number(d.after(0)).is_some());
    let extended = |own: &[&str], left: bool, right: bool| {
        let mut all: Vec<String> = Vec::new();
        all.extend(left.then(|| d.before(0).to_string()));
        all.extend(own.iter().map(|word| word.to_string()));
        all.extend(right.then(|| d.after(0).to_string()));
        let all = with_sizes(&all, edit);
        value(&all.iter().map(String::as_str).collect::<Vec<_>>())
    };
    if d.inserts(&["0"]) && matches!(d.after(0), "-" | "+") {
        return true;
    }
    [(false, false), (left, false), (false, right)].into_iter().any(|(left, right)| {
        let old = extended(&d.old, left, right);
        old.is_some() && old == extended(&d.new, left, right)
    })
}

/// The reasons why edits may change nothing.
pub static EXCEPTIONS: &[Exception] = &[
    ("`.funcdecl` may be repeated", |edit| {
        edit.change == Change::DoubleLine && starts_with(edit, &[".funcdecl"])
    }),
    ("a subroutine starts at `.function`, not at its label", |edit| {
        let d = Difference::of(edit);
        let source = edit.line.source(&edit.line.text);
        d.new.is_empty()
            && matches!(d.old[..], [label, ":"] if source.contains(&format!(".function \"{label}\"")))
    }),
    ("M1 is the default mask", |edit| {
        let d = Difference::of(edit);
        d.deletes(&["M1", ","]) && d.before(0) == "("
    }),
    ("a number with the same value", is_same_value),
    ("a float as a number or by its bits", |edit| {
        let d = Difference::of(edit);
        let is_bits = |word: &[&str]| matches!(word, [word] if word.starts_with("0x"));
        d.after(0) == ":"
            && matches!(d.after(1), "f" | "hf" | "bf" | "df")
            && is_bits(&d.old) != is_bits(&d.new)
    }),
    ("an alignment by its name or in bytes", |edit| {
        let d = Difference::of(edit);
        let bytes = |word: &str| {
            let names = ["byte", "word", "dword", "qword", "oword", "hword", "wordx32", "wordx64"];
            let index = names.iter().position(|name| *name == word);
            index.map(|index| 1u64 << index).or_else(|| number(word))
        };
        matches!((&d.old[..], &d.new[..]), ([old], [new]) if bytes(old) == bytes(new))
            && d.before.ends_with(&["align", "="])
    }),
    ("`flat` is the default kind of LSC address", |edit| {
        let d = Difference::of(edit);
        (d.deletes(&["flat"]) && d.after(0) == "[" || d.inserts(&["flat"]))
            && starts_with(edit, &["lsc_"])
    }),
    ("an indirect operand's offset is 0 by default", |edit| {
        let d = Difference::of(edit);
        d.deletes(&[",", "0"]) && d.before(0) == ")" && d.after(0) == "]"
    }),
    ("an LSC register's offset is 0 by default", |edit| {
        let d = Difference::of(edit);
        d.inserts(&[".", "0"]) && starts_with(edit, &["lsc_"])
    }),
    ("an LSC surface's index is 0 by default", |edit| {
        let d = Difference::of(edit);
        d.inserts(&[",", "0"]) && d.after(0) == ")" && starts_with(edit, &["lsc_"])
    }),
    ("predefined surfaces have two names", |edit| {
        let d = Difference::of(edit);
        let names = [["%slm", "T0"], ["TSS", "T3"], ["%bss", "T4"], ["%scratch", "T5"]];
        matches!((&d.old[..], &d.new[..]), ([old], [new]) if names.iter().any(|name| {
            name.contains(old) && name.contains(new)
        }))
    }),
    ("the size of an input is by default that of its declaration", |edit| {
        let d = Difference::of(edit);
        matches!(d.old[..], ["size", "=", _]) && d.new.is_empty() && starts_with(edit, &[".input"])
    }),
    ("an attribute without a value may end in `=`", |edit| {
        let d = Difference::of(edit);
        let is_attribute = starts_with(edit, &[".kernel_attr"]) && d.after.is_empty();
        is_attribute && (d.inserts(&["="]) || d.deletes(&["="]))
    }),
    ("GenX_IR prints a dot for a local fence without options", |edit| {
        let d = Difference::of(edit);
        starts_with(edit, &["fence_local"]) && (d.inserts(&["."]) || d.deletes(&["."]))
    }),
    ("GenX_IR prints nothing for a sampler message without channels", |edit| {
        let d = Difference::of(edit);
        d.deletes(&["0000"]) && d.before(0) == "." && starts_with(edit, &["sample", "load"])
    }),
    ("commas between the labels of switchjmp are optional, and may repeat", |edit| {
        let d = Difference::of(edit);
        let is_comma = |tokens: &[&str]| tokens.iter().all(|token| *token == ",");
        starts_with(edit, &["switchjmp"]) && is_comma(&d.old) && is_comma(&d.new)
    }),
    ("the plane of a media message is 0 by default", |edit| {
        let d = Difference::of(edit);
        let is_media = starts_with(edit, &["media_"]);
        let is_zero = |tokens: &[&str]| matches!(tokens, [token] if number(token) == Some(0));
        let is_plane = is_zero(&d.old) && d.new.is_empty() || is_zero(&d.new) && d.old.is_empty();
        is_media && is_plane
    }),
    ("a mask with two names", |edit| {
        let d = Difference::of(edit);
        let is_mask = |tokens: &[&str]| matches!(tokens, ["NoMask" | "M1_NM"]);
        is_mask(&d.old) && is_mask(&d.new)
    }),
    ("`v_name` is by default the name in the text", |edit| {
        let d = Difference::of(edit);
        let is_own = |name| d.before.get(2) == Some(name);
        d.new.is_empty() && matches!(&d.old[..], ["v_name", "=", name] if is_own(name))
    }),
    ("the name of an unused sampler or surface", |edit| {
        let d = Difference::of(edit);
        let is_name = matches!(d.before[..], [".", "decl"]);
        is_name && !edit.line.is_used && matches!(d.after[..], ["v_type", "=", "S" | "T", ..])
    }),
];
