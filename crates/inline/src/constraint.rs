//! The constraints of operands.

use alloc::borrow::ToOwned;
use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::finding::{Finding, Place};
use super::operand::Operand;
use super::rules::{CLOBBER, CONSTRAINT, OUTPUT_AS_INPUT, UNIFORM};
use super::statement::{Form, Path, Statement};

/// The kind of text with which the compiler replaces an operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// The name of a variable.
    Variable,
    /// The name of a variable with a region.
    Region,
    /// The name of a predicate.
    Predicate,
    /// A constant with its type, such as `0x7:d`.
    Literal,
    /// The bits of a constant as a decimal number.
    Number,
    /// A signed decimal number.
    SignedNumber,
    /// The constraint is illegal.
    Unknown,
}

/// The meaning of an operand's constraint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Resolved {
    pub(super) kind: Kind,
    /// Whether it has one value for all lanes.
    pub(super) is_uniform: bool,
    /// Whether its value is defined at the start of the template.
    pub(super) is_read: bool,
    /// Whether its value is used after the template.
    pub(super) is_written: bool,
    /// The number of the output whose variable it shares.
    pub(super) tied_to: Option<usize>,
}

impl Resolved {
    const fn new(kind: Kind, is_written: bool) -> Resolved {
        Resolved { kind, is_uniform: false, is_read: !is_written, is_written, tied_to: None }
    }
}

/// Returns the part of the compiler for which a statement is written.
///
/// Only the vector compiler accepts constraints such as `r`, and only the SIMT compiler accepts
/// `rw.u` and `P`. Both accept `rw`, but code for the vector compiler uses `r` with the same
/// meaning.
pub(super) fn path(statement: &Statement) -> Path {
    let has = |names: &[&str]| {
        let mut operands = statement.operands.iter();
        operands.any(|operand| names.contains(&name(&operand.constraint)))
    };
    let is_vc = has(&VC_ONLY) || has(&VC_SHARED) && !has(&SIMT_ONLY);
    if is_vc { Path::Vc } else { Path::Simt }
}

/// Constraints of the vector compiler that no other machine has. LLVM writes `^rw` or `@2rw`.
const VC_ONLY: [&str; 4] = ["^rw", "@2rw", "^cr", "@2cr"];
/// Constraints of the SIMT compiler that no other machine has.
const SIMT_ONLY: [&str; 3] = ["rw", "rw.u", "P"];
/// Constraints of the vector compiler that other machines have too.
const VC_SHARED: [&str; 5] = ["r", "cr", "a", "n", "F"];

/// Writes a constraint of CM as in LLVM IR, where a constraint of two letters begins with `^`.
pub(super) fn of_cm(operand: &mut Operand) {
    let name = name(&operand.constraint);
    if let "rw" | "cr" = name {
        let at = operand.constraint.len() - name.len();
        operand.constraint.insert(at, '^');
    }
}

/// Returns a constraint without the characters that state how the operand is used.
fn name(constraint: &str) -> &str {
    constraint.trim_start_matches(['=', '+', '&'])
}

/// Returns whether only vISA has a constraint.
pub(super) fn is_visa(constraint: &str) -> bool {
    VC_ONLY.iter().chain(&SIMT_ONLY).any(|of_visa| *of_visa == name(constraint))
}

/// The numbers of operands by their names.
type Names<'s> = BTreeMap<&'s str, usize>;

/// Returns the meaning of each constraint, and records findings about constraints and clobbers.
pub(super) fn resolve(
    statement: &Statement,
    path: Path,
    findings: &mut Vec<Finding>,
) -> Vec<Resolved> {
    let names = statement.names();
    let mut resolved: Vec<Resolved> = Vec::with_capacity(statement.operands.len());
    for (number, operand) in statement.operands.iter().enumerate() {
        let found = match path {
            Path::Simt => simt(statement, &names, operand),
            Path::Vc => vc(statement, &names, operand),
        };
        let meaning = found.unwrap_or_else(|| {
            findings.push(refused(operand, number, path));
            Resolved::new(Kind::Unknown, operand.is_output)
        });
        if meaning.is_written && !operand.is_output {
            let message = format!(
                "`{}` is in the list of inputs: the compiler reads it as `rw`",
                operand.constraint
            );
            let finding = Finding::new(&OUTPUT_AS_INPUT, Place::Operand(number), message);
            findings.push(finding.with_help("move the operand to the list of outputs"));
            resolved.push(Resolved::new(Kind::Variable, false));
            continue;
        }
        if meaning.is_uniform && operand.is_varying {
            let message = "the value differs between lanes; the compiler refuses it as `rw.u`";
            let finding = Finding::new(&UNIFORM, Place::Operand(number), message);
            findings.push(finding.with_help("write constraint `rw`, and the region of a vector"));
        }
        resolved.push(meaning);
    }
    // The output of a tied input is defined at the start.
    for number in 0..resolved.len() {
        let output = resolved[number].tied_to.and_then(|output| resolved.get_mut(output));
        if let Some(output) = output {
            output.is_read = true;
        }
    }
    for (index, clobber) in statement.clobbers.iter().enumerate() {
        if let Some(message) = refused_clobber(clobber, statement.form, path) {
            findings.push(Finding::new(&CLOBBER, Place::Clobber(index), message));
        }
    }
    resolved
}

/// Returns the finding about a constraint that the compiler refuses.
fn refused(operand: &Operand, number: usize, path: Path) -> Finding {
    let constraint = &operand.constraint;
    let known = match (path, operand.is_output) {
        (Path::Simt, true) => "`=rw` and `+rw`",
        (Path::Simt, false) => "`rw`, `rw.u`, `i`, `P` and the numbers of outputs",
        (Path::Vc, true) => "`=r`, `=^rw`, `=^cr` and `=a`",
        (Path::Vc, false) => "`r`, `^rw`, `^cr`, `a`, `i`, `n`, `F` and the numbers of outputs",
    };
    let is_spaced = constraint.contains(|c: char| c.is_ascii_whitespace());
    let without: String = constraint.chars().filter(|c| !c.is_ascii_whitespace()).collect();
    let list = if operand.is_output { "outputs" } else { "inputs" };
    let message = format!("the compiler refuses constraint `{constraint}`");
    Finding::new(&CONSTRAINT, Place::Operand(number), message).with_help(match is_spaced {
        true => format!("a constraint has no blanks: write `{without}`"),
        false => format!("the constraints of {list} are {known}"),
    })
}

/// Returns the meaning of a constraint for the SIMT compiler. Returns `None` if it refuses it.
fn simt(statement: &Statement, names: &Names<'_>, operand: &Operand) -> Option<Resolved> {
    let constraint = operand.constraint.as_str();
    let is_c = statement.form != Form::Llvm;
    if operand.is_output {
        return match constraint {
            "=rw" => Some(Resolved::new(Kind::Variable, true)),
            // Clang removes the asterisk.
            "=*rw" | "=rw*" => Some(Resolved::new(Kind::Variable, true)),
            "+rw" if is_c => {
                Some(Resolved { is_read: true, ..Resolved::new(Kind::Variable, true) })
            }
            _ => None,
        };
    }
    match constraint {
        "rw" => Some(Resolved::new(Kind::Variable, false)),
        "rw.u" => Some(Resolved { is_uniform: true, ..Resolved::new(Kind::Variable, false) }),
        "i" => Some(Resolved::new(Kind::Literal, false)),
        "P" => Some(Resolved::new(Kind::Number, false)),
        "=rw" | "+rw" if is_c => Some(Resolved::new(Kind::Variable, true)),
        _ => tied(statement, names, constraint),
    }
}

/// Returns the meaning of a constraint for the vector compiler. Returns `None` if it refuses it.
fn vc(statement: &Statement, names: &Names<'_>, operand: &Operand) -> Option<Resolved> {
    let constraint = operand.constraint.as_str();
    if !operand.is_output {
        if let Some(tied) = tied(statement, names, constraint) {
            return Some(Resolved { kind: Kind::Region, ..tied });
        }
    }
    let (is_tied, name) = match (operand.is_output, constraint) {
        (true, output) => {
            let name = output.strip_prefix(['=', '+'])?;
            (output.starts_with('+'), name.strip_prefix('&').unwrap_or(name))
        }
        (false, input) => (false, input),
    };
    let kind = match name {
        "r" | "rw" | "rw.u" | "a" => Kind::Region,
        // LLVM writes a constraint of two letters as `^rw` or `@2rw`.
        "^rw" | "@2rw" => Kind::Variable,
        "^cr" | "@2cr" => Kind::Predicate,
        "i" | "F" if !operand.is_output => Kind::Literal,
        "n" if !operand.is_output => Kind::SignedNumber,
        _ => return None,
    };
    let resolved = Resolved::new(kind, operand.is_output);
    Some(Resolved { is_read: resolved.is_read || is_tied, ..resolved })
}

/// Returns the meaning of a constraint that is the number or the name of an output.
fn tied(statement: &Statement, names: &Names<'_>, constraint: &str) -> Option<Resolved> {
    let name = constraint.strip_prefix('[').and_then(|name| name.strip_suffix(']'));
    let output = match name {
        Some(name) => *names.get(name)?,
        None if constraint.bytes().all(|byte| byte.is_ascii_digit()) => constraint.parse().ok()?,
        None => return None,
    };
    statement.operands.get(output).filter(|operand| operand.is_output)?;
    Some(Resolved { tied_to: Some(output), ..Resolved::new(Kind::Variable, false) })
}

/// Returns the message about a clobber that the compiler refuses.
fn refused_clobber(clobber: &str, form: Form, path: Path) -> Option<String> {
    match (path, clobber) {
        (Path::Vc, "memory") => Some("the vector compiler refuses clobber `memory`".to_owned()),
        (_, "memory" | "cc") => None,
        // The compiler does not read the clobbers of LLVM IR.
        (Path::Simt, _) if form == Form::Llvm => None,
        _ => Some(format!("the compiler refuses clobber `{clobber}`")),
    }
}
