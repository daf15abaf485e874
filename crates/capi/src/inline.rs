//! Checks of templates of inline assembly.

use genvisa_inline::{Checker, Lanes, Place, Statement};
use visa::verify::{Severity, rule_url};

use crate::abi::{call, genvisa_bytes, give, required};
use crate::error::{genvisa_error, genvisa_status};
use crate::verify::{Finding, genvisa_findings, platform_of};
use genvisa_status::GENVISA_OK;

/// A template of inline assembly, as in a call of `asm` in LLVM IR. For example, a function adds a constant to a float
/// in each of 16 lanes:
///
///     text         "add (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0> 0x3f800000:f"
///     constraints  "=rw,rw"
///     types        {"float", "float"}
///     lanes        16
///     platform     "bmg"
///
/// IGC replaces `$0` and `$1` by the names of variables with 16 elements of type F.
#[repr(C)]
pub struct genvisa_template {
    /// The text. Operands are `$0`, `$1` and so on, as in LLVM IR, not `%0` or `%[name]` as in C.
    pub text: genvisa_bytes,
    /// The constraints of the operands in their order, separated by commas: outputs (`=rw`), then inputs (`rw`; `rw.u` if
    /// all lanes have one value; `i` or `P` for a constant; `0` for an input in the variable of output 0, which is an
    /// operand with a number of its own). Clobbers such as `~{memory}` may follow; they are no operands.
    pub constraints: genvisa_bytes,
    /// The types of the operands in the order of the constraints. Each is the type of the value of one lane, in LLVM IR
    /// or in C: "i32", "float", "<2 x float>", "ptr addrspace(1)". The variable of an operand has an element of the type
    /// for each lane. May be null if `type_count` is 0.
    pub types: *const genvisa_bytes,
    /// The number of types, at most the number of operands. The type of an operand is unknown if its text is empty, or
    /// if it is missing at the end.
    pub type_count: usize,
    /// The number of lanes of the function that contains the template, also called subgroup size: 8, 16 or 32; 0 if it
    /// is unknown.
    pub lanes: u32,
    /// A name that `genvisa_platform_name` returns; empty if it is unknown.
    pub platform: genvisa_bytes,
}

/// Checks a template of inline assembly before it is given to IGC.
///
/// On success, `*findings` are new findings, which the caller frees; their number may be 0. Mistakes in the text or in
/// the constraints are findings, not errors. Rules that need something unknown are not applied.
#[unsafe(no_mangle)]
pub extern "C" fn genvisa_check_template(
    assembly: Option<&genvisa_template>,
    findings: Option<&mut *mut genvisa_findings>,
    error: Option<&mut *mut genvisa_error>,
) -> genvisa_status {
    call(error, || {
        let (template, findings) =
            (required(assembly, "assembly")?, required(findings, "findings")?);
        // SAFETY: the caller promises that the bytes are readable.
        let (text, constraints) = unsafe { (template.text.text()?, template.constraints.text()?) };
        let mut checker = Checker::new().or_platform(platform_of(template.platform)?);
        if template.lanes != 0 {
            let lanes = Lanes::from_count(template.lanes);
            let wrong = || genvisa_error::argument("`lanes` is not 0, 8, 16 or 32");
            checker = checker.with_lanes(lanes.ok_or_else(wrong)?);
        }
        let mut statement = Statement::llvm(text, constraints);
        if template.type_count > statement.operands.len() {
            return Err(genvisa_error::argument("there are more types than operands"));
        }
        let types = match (template.types.is_null(), template.type_count) {
            (_, 0) => &[][..],
            (true, _) => return Err(genvisa_error::argument("`types` is null")),
            // SAFETY: the caller promises that there are so many types.
            (false, count) => unsafe { std::slice::from_raw_parts(template.types, count) },
        };
        for (operand, ty) in statement.operands.iter_mut().zip(types) {
            // SAFETY: the caller promises that the bytes are readable.
            let ty = unsafe { ty.text() }?;
            if !ty.is_empty() {
                let parsed = ty
                    .parse()
                    .map_err(|_| genvisa_error::argument(format!("`{ty}` is not a type")))?;
                operand.ty = Some(parsed);
            }
        }
        let report = checker.check(&statement);
        let position = |start: usize| {
            let before = text.get(..start).unwrap_or_default();
            let line = before.rsplit('\n').next().unwrap_or_default();
            (1 + before.matches('\n').count(), 1 + line.chars().count())
        };
        let found = report.findings.iter().map(|finding| Finding {
            rule: finding.rule.into(),
            url: genvisa_inline::rule(finding.rule)
                .map_or(String::new(), |rule| rule_url(rule.name)),
            message: match &finding.help {
                Some(help) => format!("{} ({help})", finding.message),
                None => finding.message.clone(),
            },
            is_error: finding.severity == Severity::Error,
            routine: None,
            instruction: None,
            position: match &finding.place {
                Place::Template(span) => Some(position(span.start)),
                _ => None,
            },
        });
        give(findings, genvisa_findings { list: found.collect() });
        Ok(GENVISA_OK)
    })
}
