//! Checks of templates of inline assembly.

use genvisa_inline::{Checker, Lanes, Place, Statement};
use visa::verify::{Severity, rule_url};

use crate::abi::{call, genvisa_bytes, give, required};
use crate::error::{genvisa_error, genvisa_status};
use crate::verify::{Finding, genvisa_findings, platform_of};
use genvisa_status::GENVISA_OK;

/// A template of inline assembly, as a frontend gives it to LLVM.
#[repr(C)]
pub struct genvisa_template {
    /// The template.
    pub text: genvisa_bytes,
    /// The constraints, such as "=rw,rw".
    pub constraints: genvisa_bytes,
    /// The types of the operands in LLVM IR, such as "<16 x float>", or in C. May be null if there are none.
    pub types: *const genvisa_bytes,
    /// The number of types, at most the number of operands. The type of an operand is unknown if it is empty,
    /// or if there are fewer types.
    pub type_count: usize,
    /// The number of lanes: 8, 16 or 32; 0 if it is unknown.
    pub lanes: u32,
    /// The name of a platform or of a device, such as "bmg"; empty if it is unknown.
    pub platform: genvisa_bytes,
}

/// Checks a template of inline assembly before it is given to the compiler.
///
/// On success, `*findings` are new findings, which the caller frees; there may be none. Their lines and
/// columns are those in the template. If `error` is not null, `*error` is a new error, or null on
/// success.
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
        let mut checker = Checker::new();
        if let Some(platform) = platform_of(template.platform)? {
            checker = checker.with_platform(platform);
        }
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
