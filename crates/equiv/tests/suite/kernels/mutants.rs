//! One change of meaning in a text.

use genvisa::text::{self, ParseOptions};
use genvisa_test_support::rng::Rng;

pub struct Mutant {
    pub kind: &'static str,
    pub text: String,
    /// The line before and after.
    pub change: String,
}

/// Operations that are replaced by each other.
const OPERATIONS: [(&str, &str); 16] = [
    ("add (", "mul ("),
    ("mul (", "add ("),
    ("and (", "or ("),
    ("or (", "and ("),
    ("xor (", "or ("),
    ("shl (", "shr ("),
    ("shr (", "shl ("),
    ("asr (", "shl ("),
    ("min (", "max ("),
    ("max (", "min ("),
    ("cmp.lt ", "cmp.ge "),
    ("cmp.ge ", "cmp.lt "),
    ("cmp.gt ", "cmp.le "),
    ("cmp.le ", "cmp.gt "),
    ("cmp.eq ", "cmp.ne "),
    ("cmp.ne ", "cmp.eq "),
];

/// Returns a mutant that the parser accepts.
pub fn mutant(text: &str, rng: &mut Rng) -> Option<Mutant> {
    let lines: Vec<&str> = text.lines().collect();
    let mut all: Vec<(usize, &'static str, String)> = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        // The mode of floats.
        if line.contains("%cr0") {
            continue;
        }
        let code = line.split("///").next().unwrap_or_default().trim_end();
        all.extend(changes(code).into_iter().map(|(kind, line)| (at, kind, line)));
    }
    // The kinds are equally likely.
    let mut kinds: Vec<&str> = all.iter().map(|it| it.1).collect();
    kinds.sort_unstable();
    kinds.dedup();
    for _ in 0..20 {
        let kind = kinds.get((rng.bits() % kinds.len().max(1) as u64) as usize)?;
        let of_kind: Vec<_> = all.iter().filter(|it| it.1 == *kind).collect();
        let (at, kind, line) = of_kind[(rng.bits() % of_kind.len() as u64) as usize];
        let mut changed = lines.clone();
        changed[*at] = line;
        let text = changed.join("\n") + "\n";
        if text::parse(text.as_str(), ParseOptions::new()).is_ok() {
            let change = format!("{} -> {}", lines[*at].trim(), line.trim());
            return Some(Mutant { kind, text, change });
        }
    }
    None
}

fn changes(line: &str) -> Vec<(&'static str, String)> {
    let mut found = Vec::new();
    let code = line.trim_start();
    if code.starts_with('.') {
        for (old, new) in [("type=f ", "type=d "), ("type=d ", "type=f "), ("type=w ", "type=hf ")]
        {
            if code.starts_with(".decl V") && line.contains(old) && !line.contains("alias") {
                found.push(("type", line.replacen(old, new, 1)));
            }
        }
        return found;
    }
    for (old, new) in OPERATIONS {
        let starts = code.starts_with(old) || code.contains(&format!(") {old}"));
        if starts {
            found.push(("operator", line.replacen(old, new, 1)));
        }
    }
    if code.starts_with("(P") {
        found.push(("predicate", line.replacen("(P", "(!P", 1)));
    } else if code.starts_with("(!P") {
        found.push(("predicate", line.replacen("(!P", "(P", 1)));
    }
    let words: Vec<&str> = code.split_whitespace().collect();
    let operands: Vec<&str> =
        words.iter().copied().filter(|word| word.starts_with('V') && word.ends_with('>')).collect();
    if let [_, src0, src1] = operands[..] {
        if src0 != src1 && !code.starts_with("addr") {
            let at = line.rfind(src1).unwrap_or_default();
            found.push(("operand", format!("{}{src0}{}", &line[..at], &line[at + src1.len()..])));
        }
    }
    if let Some(at) = line.find(" 0x") {
        let rest = &line[at + 3..];
        let digits = rest.find(':').map_or("", |end| &rest[..end]);
        if let Ok(value) = u64::from_str_radix(digits, 16) {
            let ty = rest[digits.len() + 1..].split(|c: char| !c.is_ascii_alphanumeric()).next();
            let value = match ty {
                Some("f") => value ^ 0x0040_0000,
                Some("hf") => value ^ 0x0200,
                Some("df") => value ^ 1 << 51,
                Some("v" | "uv" | "vf") | None => return found,
                _ => value ^ 1,
            };
            found.push((
                "immediate",
                format!("{} 0x{value:x}{}", &line[..at], &rest[digits.len()..]),
            ));
        }
    }
    found
}
