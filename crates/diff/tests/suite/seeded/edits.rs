//! Edits of kernels as a whole.

use std::ops::Range;

use genvisa_test_support::rng::Rng;

/// Texts with what real texts rarely have. Scopes, addresses and branches, and subroutines.
pub const SMALL: [&str; 3] = [
    r#".kernel "scopes"
.decl A v_type=G type=d num_elts=32 align=GRF
.decl B v_type=G type=ud num_elts=16 align=GRF alias=<A, 64>
.decl C v_type=G type=d num_elts=32 align=dword
.decl P v_type=P num_elts=16
.decl AD v_type=A num_elts=8
.decl T v_type=T num_elts=1
.decl S v_type=S num_elts=1
.input A offset=256 size=128
.input C offset=128 size=128
.input T offset=32 size=4
.kernel_attr Target="cm"
.kernel_attr NoBarrier
start:
    add (M1, 16) A(0,0)<1> A(0,0)<1;1,0> C(0,0)<0;1,0>
loop:
    cmp.lt (M1, 16) P A(0,0)<1;1,0> 0x20:d
    (P) goto (M1, 16) loop
{
    .decl A v_type=G type=d num_elts=32 align=GRF
    .decl D v_type=G type=d num_elts=16 align=GRF alias=<A, 0>
    mov (M1, 16) A(0,0)<1> C(0,0)<1;1,0>
    {
        .decl C v_type=G type=d num_elts=8 align=GRF
        mov (M1, 8) C(0,0)<1> 0x7:d
        add (M1, 8) D(0,0)<1> C(0,0)<1;1,0> A(1,0)<1;1,0>
    }
    oword_st (2) T 0x0:ud D.0
}
    addr_add (M1, 1) AD(0)<1> &C 0x4:uw
    mov (M1, 1) r[AD(0),0]<1>:d B(0,0)<0;1,0>
    (!P) jmp (M1, 1) end
    not (M1, 16) B(0,0)<1> B(0,0)<1;1,0>
end:
    oword_st (4) T 0x10:ud C.0
    ret (M1, 1)
"#,
    r#".kernel "subroutines"
.decl A v_type=G type=d num_elts=32 align=GRF
.decl C v_type=G type=d num_elts=32 align=GRF
.decl P v_type=P num_elts=16
.decl T v_type=T num_elts=1
.input A offset=256 size=128
.kernel_attr Target="cm"
.kernel_attr SLMSize=16
    add (M1, 16) C(0,0)<1> A(0,0)<1;1,0> 0x3:d
    call (M1, 16) f
    oword_st (4) T 0x10:ud C.0
    ret (M1, 1)
.function "f"
f:
    not (M1, 16) A(0,0)<1> A(0,0)<1;1,0>
    cmp.lt (M1, 16) P A(0,0)<1;1,0> 0x20:d
    (P) jmp (M1, 1) out
    call (M1, 16) g
out:
    ret (M1, 1)
.function "g"
g:
    shl (M1, 16) C(0,0)<1> A(0,0)<1;1,0> 0x2:ud
    ret (M1, 1)
.function "h"
h:
    mul (M1, 16) C(0,0)<1> A(0,0)<1;1,0> C(0,0)<1;1,0>
    ret (M1, 1)
"#,
    r#".kernel "branches"
.decl V40 v_type=G type=d num_elts=16 align=GRF
.decl X v_type=G type=d num_elts=16 align=GRF
.decl Y v_type=G type=w num_elts=32 align=GRF alias=<X, 0>
.decl Z v_type=G type=d num_elts=2 align=dword alias=<%arg, 0>
.decl P2 v_type=P num_elts=32
.decl Q v_type=P num_elts=16
.decl T7 v_type=T num_elts=1
.decl T v_type=T num_elts=1
.input V40 offset=64 size=64
.input X offset=128 size=64
.input T7 offset=32 size=4
.input T offset=36 size=4
.kernel_attr Target="cm"
L1:
    mov (M1, 16) V40(0,0)<1> 0x1:d
L0:
    cmp.eq (M1, 16) Q V40(0,0)<1;1,0> X(0,0)<1;1,0>
    (Q.any) jmp (M1, 1) L2
    (!Q) sel (M1, 16) V40(0,0)<1> X(0,0)<1;1,0> 0x5:d
    add (M1, 16) X(0,0)<1> X(0,0)<1;1,0> Y(0,1)<2;1,0>
    jmp (M1, 1) L1
L2:
    setp (M1, 16) P2 0x5:ud
    (P2) add (M1, 16) X(0,0)<1> X(0,0)<1;1,0> V40(0,0)<1;1,0>
    oword_st (4) T7 0x0:ud X.0
    oword_st (4) T 0x10:ud V40.0
    ret (M1, 1)
"#,
];

/// A changed text.
pub struct Edit {
    /// What was changed.
    pub what: String,
    pub text: String,
}

/// A kind of line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Declaration,
    Input,
    Attribute,
    Function,
    Label,
    Scope,
    Instruction,
    /// An empty line, a comment or a version.
    Other,
}

fn kind(line: &str) -> Kind {
    let line = line.trim();
    match line.split_whitespace().next().unwrap_or("//") {
        ".decl" => Kind::Declaration,
        ".input" => Kind::Input,
        ".kernel_attr" => Kind::Attribute,
        ".function" => Kind::Function,
        "{" | "}" => Kind::Scope,
        word if word.starts_with("//") || word.starts_with('.') => Kind::Other,
        word if word.ends_with(':') && word == line => Kind::Label,
        _ => Kind::Instruction,
    }
}

/// The kinds of lines, the frequent ones of small texts more often.
const KINDS: [Kind; 10] = [
    Kind::Declaration,
    Kind::Declaration,
    Kind::Input,
    Kind::Attribute,
    Kind::Function,
    Kind::Label,
    Kind::Scope,
    Kind::Instruction,
    Kind::Instruction,
    Kind::Instruction,
];

/// Changes a text in one to three places. Returns `None` if an edit does not apply.
pub fn edit(text: &str, rng: &mut Rng) -> Option<Edit> {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let count = rng.pick(&[1, 1, 1, 2, 3]);
    let what: Option<Vec<String>> = (0..count).map(|_| edit_once(&mut lines, rng)).collect();
    Some(Edit { what: what?.join(", then "), text: lines.join("\n") + "\n" })
}

fn edit_once(lines: &mut Vec<String>, rng: &mut Rng) -> Option<String> {
    match rng.below(12) {
        0 => return edit_function(lines, rng),
        1 => return add_scope(lines, rng),
        2 => return add_label(lines, rng),
        3 => return edit_number(lines, rng),
        _ => {}
    }
    let chosen = rng.pick(&KINDS);
    let of_kind: Vec<usize> = (0..lines.len()).filter(|at| kind(&lines[*at]) == chosen).collect();
    let at = *of_kind.get(rng.below(of_kind.len().max(1)))?;
    let line = lines[at].trim().to_owned();
    match rng.below(6) {
        0 => {
            lines.remove(at);
            Some(format!("`{line}` deleted"))
        }
        1 => {
            lines.insert(at, lines[at].clone());
            Some(format!("`{line}` doubled"))
        }
        2 => {
            let to = anywhere(lines, rng);
            lines.insert(to, lines[at].clone());
            Some(format!("`{line}` copied to line {}", to + 1))
        }
        3 => {
            let to = anywhere(lines, rng);
            let moved = lines.remove(at);
            let to = to.min(lines.len());
            lines.insert(to, moved);
            Some(format!("`{line}` moved to line {}", to + 1))
        }
        4 => {
            let by = 1 + rng.below(3);
            let to = (at + by).min(lines.len() - 1);
            let moved = lines.remove(at);
            lines.insert(to, moved);
            Some(format!("`{line}` moved down to line {}", to + 1))
        }
        _ => {
            let other = rng.pick(&of_kind);
            lines.swap(at, other);
            Some(format!("`{line}` and `{}` swapped", lines[at].trim()))
        }
    }
}

/// Returns a line after the name of the kernel.
fn anywhere(lines: &[String], rng: &mut Rng) -> usize {
    let kernel = lines.iter().position(|line| line.starts_with(".kernel ")).unwrap_or(0);
    kernel + 1 + rng.below(lines.len() - kernel)
}

/// Moves, doubles or deletes a function with its code.
fn edit_function(lines: &mut Vec<String>, rng: &mut Rng) -> Option<String> {
    let starts: Vec<usize> =
        (0..lines.len()).filter(|at| kind(&lines[*at]) == Kind::Function).collect();
    let index = rng.below(starts.len().max(1));
    let start = *starts.get(index)?;
    let end = starts.get(index + 1).copied().unwrap_or(lines.len());
    let name = lines[start].trim().to_owned();
    let function: Vec<String> = lines[start..end].to_vec();
    if rng.one_in(5) {
        lines.extend(function);
        return Some(format!("`{name}` doubled with its code"));
    }
    lines.drain(start..end);
    if rng.one_in(4) {
        return Some(format!("`{name}` deleted with its code"));
    }
    let others = (0..lines.len()).filter(|at| kind(&lines[*at]) == Kind::Function);
    let places: Vec<usize> = others.chain([lines.len()]).collect();
    let to = if rng.one_in(4) { anywhere(lines, rng) } else { rng.pick(&places) };
    lines.splice(to..to, function);
    Some(format!("`{name}` moved with its code to line {}", to + 1))
}

/// Returns a few consecutive instructions.
fn some_instructions(lines: &[String], rng: &mut Rng) -> Option<Range<usize>> {
    let is_code = |at: &usize| kind(&lines[*at]) == Kind::Instruction;
    let code: Vec<usize> = (0..lines.len()).filter(is_code).collect();
    let start = *code.get(rng.below(code.len().max(1)))?;
    Some(start..(start + 1 + rng.below(6)).min(lines.len()))
}

/// Adds a scope, with a declaration that hides another one in half of the cases.
fn add_scope(lines: &mut Vec<String>, rng: &mut Rng) -> Option<String> {
    let Range { start, end } = some_instructions(lines, rng)?;
    let declarations: Vec<String> =
        lines.iter().filter(|line| kind(line) == Kind::Declaration).cloned().collect();
    lines.insert(end, "}".into());
    lines.insert(start, "{".into());
    let mut what = format!("a scope of lines {} to {end}", start + 1);
    if !declarations.is_empty() && rng.one_in(2) {
        let declaration = declarations[rng.below(declarations.len())].clone();
        what += &format!(" with `{}`", declaration.trim());
        lines.insert(start + 1, declaration);
    }
    Some(what)
}

/// Adds a label, whose name may exist, and a jump to it in half of the cases.
fn add_label(lines: &mut Vec<String>, rng: &mut Rng) -> Option<String> {
    let at = some_instructions(lines, rng)?.start;
    let labels: Vec<String> = (lines.iter())
        .filter(|line| kind(line) == Kind::Label)
        .map(|line| line.trim().trim_end_matches(':').to_owned())
        .collect();
    let name = match labels.is_empty() || !rng.one_in(4) {
        true => rng.pick(&["L1", "L0", "label", "V40", "f", "new_label"]).to_owned(),
        false => labels[rng.below(labels.len())].clone(),
    };
    lines.insert(at, format!("{name}:"));
    let mut what = format!("label `{name}` added in line {}", at + 1);
    if rng.one_in(2) {
        let jump = some_instructions(lines, rng)?.start;
        lines.insert(jump, format!("    jmp (M1, 1) {name}"));
        what += &format!(" with a jump in line {}", jump + 1);
    }
    Some(what)
}

/// Replaces a number of a declaration or an input.
fn edit_number(lines: &mut [String], rng: &mut Rng) -> Option<String> {
    let is_statement =
        |at: &usize| matches!(kind(&lines[*at]), Kind::Declaration | Kind::Input | Kind::Attribute);
    let statements: Vec<usize> = (0..lines.len()).filter(is_statement).collect();
    let at = *statements.get(rng.below(statements.len().max(1)))?;
    let line = lines[at].clone();
    let is_start = |index: &usize| {
        line[*index..].starts_with(|c: char| c.is_ascii_digit())
            && line[..*index].ends_with(['=', ' '])
    };
    let starts: Vec<usize> = (0..line.len()).filter(is_start).collect();
    let start = *starts.get(rng.below(starts.len().max(1)))?;
    let end = line[start..].find(|c: char| !c.is_ascii_digit()).map_or(line.len(), |at| start + at);
    let number = rng.pick(&["0", "1", "2", "4", "8", "16", "32", "64", "96", "128", "4096"]);
    lines[at] = format!("{}{number}{}", &line[..start], &line[end..]);
    Some(format!("`{}` -> `{}`", line.trim(), lines[at].trim()))
}
