//! Edits of texts as users make them.

use genvisa_test_support::rng::Rng;

/// An edited text.
pub struct Edit {
    /// The line before and after the edit.
    pub what: String,
    pub text: String,
}

/// A kind of edit.
pub struct EditKind {
    pub name: &'static str,
    /// Edits a text, unless it contains nothing to edit.
    pub edit: fn(&str, &mut Rng) -> Option<Edit>,
}

/// Every kind of edit.
pub static KINDS: &[EditKind] = &[
    kind("an immediate", immediate),
    kind("two operands swapped", swap_operands),
    kind("a mov inserted", insert_mov),
    kind("a variable renamed", rename),
    kind("an execution size", exec_size),
    kind("a mask", mask),
    kind("a region", region),
    kind("an offset in a variable", row_and_column),
    kind("a modifier", modifier),
    kind("saturation", saturate),
    kind("a predicate", predicate),
    kind("a relation", relation),
    kind("a mnemonic", mnemonic),
    kind("caching", caching),
    kind("a declaration", declaration),
    kind("spaces and comments", spaces),
];

/// Diagnostics of texts that the compiler accepts, and the reason why this crate rejects them.
pub static REJECTED_BY_CRATE: &[(&str, &str)] = &[
    ("`min` takes no predicate", "the compiler ignores the predicate, and bytes have none"),
    ("`max` takes no predicate", "the compiler ignores the predicate, and bytes have none"),
];

const fn kind(name: &'static str, edit: fn(&str, &mut Rng) -> Option<Edit>) -> EditKind {
    EditKind { name, edit }
}

/// Replaces a line with others.
fn with_line(text: &str, number: usize, new: &[String]) -> Edit {
    let mut lines: Vec<&str> = text.lines().collect();
    let old = lines[number].trim();
    let old = old.split("///").next().unwrap_or_default().trim();
    let trimmed: Vec<&str> = new.iter().map(|line| line.trim()).collect();
    let what = format!("`{old}` -> `{}`", trimmed.join("; "));
    lines.splice(number..=number, new.iter().map(String::as_str));
    Edit { what, text: lines.join("\n") }
}

/// Edits a random line for which the edit returns a different line.
fn edit_line(
    text: &str,
    rng: &mut Rng,
    mut edit: impl FnMut(&str, &mut Rng) -> Option<Vec<String>>,
) -> Option<Edit> {
    let lines: Vec<&str> = text.lines().collect();
    (0..40).find_map(|_| {
        let number = rng.below(lines.len());
        let line = lines[number];
        if line.starts_with("//") || line.is_empty() {
            return None;
        }
        let line = line.split("///").next().unwrap_or_default().trim_end();
        let new = edit(line, rng)?;
        (new.len() != 1 || new[0] != line).then(|| with_line(text, number, &new))
    })
}

fn is_instruction(line: &str) -> bool {
    line.starts_with("    ")
}

/// Returns the offsets of a text in a line.
fn offsets(line: &str, what: &str) -> Vec<usize> {
    line.match_indices(what).map(|(at, _)| at).collect()
}

/// Replaces an occurrence of one of the texts by another of the texts.
fn exchange(line: &str, texts: &[&str], rng: &mut Rng) -> Option<Vec<String>> {
    let found: Vec<(usize, &str)> = texts
        .iter()
        .flat_map(|text| offsets(line, text).into_iter().map(move |at| (at, *text)))
        .collect();
    let (at, old) = *found.get(rng.below(found.len().max(1)))?;
    Some(vec![format!("{}{}{}", &line[..at], rng.pick(texts), &line[at + old.len()..])])
}

fn immediate(text: &str, rng: &mut Rng) -> Option<Edit> {
    edit_line(text, rng, |line, rng| {
        if !is_instruction(line) {
            return None;
        }
        let start = *offsets(line, "0x").last()?;
        let end = start + line[start..].find(':')?;
        let bits = rng.pick(&[1u32, 2, 4, 8, 16, 32, 64]);
        let mask = u64::MAX >> (64 - bits);
        let ty = line[end + 1..].split(' ').next().unwrap_or_default();
        // The bits beyond the type have no meaning.
        let mask = match ty {
            "w" | "uw" | "hf" | "bf" => mask & 0xffff,
            "b" | "ub" => mask & 0xff,
            "q" | "uq" | "df" => mask,
            _ => mask & 0xffff_ffff,
        };
        Some(vec![format!("{}{:#x}{}", &line[..start], rng.bits() & mask, &line[end..])])
    })
}

/// Returns the text before the operands of an instruction in the usual notation, and the operands.
fn operands(line: &str) -> Option<(&str, Vec<&str>)> {
    let head = line.find("(M")?;
    let head = head + line[head..].find(") ")? + 2;
    let (head, rest) = line.split_at(head);
    // LSC and sampler messages have spaces in operands.
    (!rest.contains('[') && !rest.contains("  ")).then(|| (head, rest.split(' ').collect()))
}

fn swap_operands(text: &str, rng: &mut Rng) -> Option<Edit> {
    edit_line(text, rng, |line, rng| {
        let (head, mut operands) = operands(line).filter(|_| is_instruction(line))?;
        let count = operands.len();
        if count < 2 {
            return None;
        }
        operands.swap(rng.below(count), rng.below(count));
        Some(vec![format!("{head}{}", operands.join(" "))])
    })
}

/// Returns the declared variables whose declaration contains a text.
fn declared<'t>(text: &'t str, kind: &str) -> Vec<&'t str> {
    let names = text.lines().filter_map(|line| line.strip_prefix(".decl "));
    names.filter(|line| line.contains(kind)).filter_map(|line| line.split(' ').next()).collect()
}

fn insert_mov(text: &str, rng: &mut Rng) -> Option<Edit> {
    let integers = declared(text, "v_type=G type=d ");
    if integers.is_empty() {
        return None;
    }
    let (dst, src) = (rng.pick(&integers), rng.pick(&integers));
    let source = match rng.below(3) {
        0 => format!("{:#x}:d", rng.bits() as u32),
        1 => format!("{src}(0,0)<0;1,0>"),
        _ => format!("(-){src}(0,0)<0;1,0>"),
    };
    edit_line(text, rng, |line, _| {
        let mov = format!("    mov (M1_NM, 1) {dst}(0,0)<1> {source}");
        is_instruction(line).then(|| vec![mov, line.into()])
    })
}

fn rename(text: &str, rng: &mut Rng) -> Option<Edit> {
    let names = declared(text, "v_type=");
    let states = [declared(text, "v_type=S"), declared(text, "v_type=T")].concat();
    let names: Vec<&str> = names.into_iter().filter(|name| !states.contains(name)).collect();
    if names.is_empty() {
        return None;
    }
    let (old, new) = (rng.pick(&names), rng.pick(&["renamed", "V99999", "_x", "Tmp_1", "A1000"]));
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let mut renamed = String::new();
    let mut rest = text;
    while let Some(start) = rest.find(old) {
        let (before, after) = (&rest[..start], &rest[start + old.len()..]);
        let is_whole = !before.ends_with(|c| is_word(c) || c == '%') && !after.starts_with(is_word);
        renamed += before;
        renamed += if is_whole { new } else { old };
        rest = after;
    }
    renamed += rest;
    Some(Edit { what: format!("`{old}` renamed to `{new}`"), text: renamed })
}

fn exec_size(text: &str, rng: &mut Rng) -> Option<Edit> {
    let sizes = [", 1)", ", 2)", ", 4)", ", 8)", ", 16)", ", 32)"];
    edit_line(text, rng, |line, rng| exchange(line, &sizes, rng).filter(|_| is_instruction(line)))
}

fn mask(text: &str, rng: &mut Rng) -> Option<Edit> {
    let masks = ["(M1,", "(M1_NM,", "(M2,", "(M3,", "(M5,", "(M5_NM,", "("];
    edit_line(text, rng, |line, rng| {
        if !is_instruction(line) || !line.contains("(M") {
            return None;
        }
        let at = line.find("(M")?;
        let end = at + line[at..].find(',')? + 1;
        Some(vec![format!("{}{}{}", &line[..at], rng.pick(&masks), &line[end..])])
    })
}

fn region(text: &str, rng: &mut Rng) -> Option<Edit> {
    edit_line(text, rng, |line, rng| {
        if !is_instruction(line) {
            return None;
        }
        let sources =
            ["<0;1,0>", "<1;1,0>", "<2;1,0>", "<8;8,1>", "<4;4,1>", "<2;2,1>", "<16;8,2>"];
        match rng.below(3) {
            0 => exchange(line, &["<1>", "<2>", "<4>"], rng),
            _ => exchange(line, &sources, rng),
        }
    })
}

fn row_and_column(text: &str, rng: &mut Rng) -> Option<Edit> {
    let positions = ["(0,0)<", "(1,0)<", "(0,1)<", "(0,4)<", "(0,8)<", "(2,0)<", "(0x1,1-1)<"];
    edit_line(text, rng, |line, rng| {
        exchange(line, &positions, rng).filter(|_| is_instruction(line))
    })
}

fn modifier(text: &str, rng: &mut Rng) -> Option<Edit> {
    let modifiers = ["(-)", "(abs)", "(-abs)", "(~)", ""];
    edit_line(text, rng, |line, rng| {
        let (head, operands) = operands(line).filter(|_| is_instruction(line))?;
        let which = 1 + rng.below(operands.len().max(2) - 1);
        let new = operands.iter().enumerate().map(|(i, operand)| {
            let bare =
                modifiers[..4].iter().find_map(|m| operand.strip_prefix(m)).unwrap_or(operand);
            if i == which { format!("{}{bare}", rng.pick(&modifiers)) } else { (*operand).into() }
        });
        Some(vec![format!("{head}{}", new.collect::<Vec<_>>().join(" "))])
    })
}

fn saturate(text: &str, rng: &mut Rng) -> Option<Edit> {
    edit_line(text, rng, |line, _| {
        if !is_instruction(line) {
            return None;
        }
        match line.contains(".sat ") {
            true => Some(vec![line.replace(".sat ", " ")]),
            false => Some(vec![line.replacen(" (M", ".sat (M", 1)]),
        }
    })
}

fn predicate(text: &str, rng: &mut Rng) -> Option<Edit> {
    let predicates = declared(text, "v_type=P");
    if predicates.is_empty() {
        return None;
    }
    edit_line(text, rng, |line, rng| {
        if !is_instruction(line) {
            return None;
        }
        let code = match line.trim_start().strip_prefix('(') {
            Some(rest) => rest.split_once(") ")?.1,
            None => line.trim_start(),
        };
        let (not, end) = (rng.pick(&["", "!"]), rng.pick(&["", "", ".any", ".all"]));
        Some(vec![match rng.below(4) {
            0 => format!("    {code}"),
            _ => format!("    ({not}{}{end}) {code}", rng.pick(&predicates)),
        }])
    })
}

fn relation(text: &str, rng: &mut Rng) -> Option<Edit> {
    let relations = [".eq ", ".ne ", ".gt ", ".ge ", ".lt ", ".le "];
    edit_line(text, rng, |line, rng| exchange(line, &relations, rng))
}

fn mnemonic(text: &str, rng: &mut Rng) -> Option<Edit> {
    let groups: [&[&str]; 6] = [
        &[" add (", " mul (", " avg (", " min (", " max (", " mulh ("],
        &[" and (", " or (", " xor ("],
        &[" shl (", " shr (", " asr (", " rol (", " ror ("],
        &[" mov (", " not (", " cbit (", " fbl (", " bfrev (", " lzd ("],
        &[" rndd (", " rndu (", " rnde (", " rndz (", " frc (", " sqrt (", " inv ("],
        &["lsc_load.", "lsc_load_quad.", "lsc_load_strided.", "lsc_store.", "lsc_store_quad."],
    ];
    edit_line(text, rng, |line, rng| {
        groups.iter().find_map(|group| exchange(line, group, rng)).filter(|_| is_instruction(line))
    })
}

fn caching(text: &str, rng: &mut Rng) -> Option<Edit> {
    let caching =
        ["", ".df.df", ".uc.uc", ".ca.ca", ".uc.ca", ".ca.uc", ".st.ca", ".wb.wb", ".wt.uc"];
    edit_line(text, rng, |line, rng| {
        let at = offsets(line, ".ugm").into_iter().chain(offsets(line, ".slm")).next()? + 4;
        let end = at + line[at..].find(' ')?;
        Some(vec![format!("{}{}{}", &line[..at], rng.pick(&caching), &line[end..])])
    })
}

fn declaration(text: &str, rng: &mut Rng) -> Option<Edit> {
    edit_line(text, rng, |line, rng| {
        if !line.starts_with(".decl") {
            return None;
        }
        match rng.below(3) {
            0 => exchange(
                line,
                &["type=d ", "type=ud ", "type=f ", "type=uq ", "type=q ", "type=w "],
                rng,
            ),
            1 => exchange(
                line,
                &[
                    "align=dword",
                    "align=qword",
                    "align=wordx32",
                    "align=hword",
                    "align=GRF",
                    "align=64",
                    "align=word",
                ],
                rng,
            ),
            _ => {
                let at = line.find("num_elts=")? + 9;
                let end = line[at..].find(' ').map_or(line.len(), |end| at + end);
                let count = rng.pick(&["1", "8", "0x10", "16*2", "64", "(4+4)*4", "33"]);
                Some(vec![format!("{}{count}{}", &line[..at], &line[end..])])
            }
        }
    })
}

fn spaces(text: &str, rng: &mut Rng) -> Option<Edit> {
    edit_line(text, rng, |line, rng| {
        let separators = ["  ", "\t", " /* a comment */ "];
        let offsets = offsets(line, " ");
        let at = *offsets.get(rng.below(offsets.len().max(1)))?;
        let comment = rng.pick(&["", " // ret (M1, 1)", " /* \n */"]);
        (at >= 4).then(|| {
            vec![format!("{}{}{}{comment}", &line[..at], rng.pick(&separators), &line[at + 1..])]
        })
    })
}
