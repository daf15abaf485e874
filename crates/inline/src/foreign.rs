//! Assembly for other machines.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;

use genvisa::error::Severity;
use memchr::memmem;

use super::checker::Checker;
use super::finding::{Finding, Place};
use super::operand::Operand;
use super::rules::FOREIGN;
use super::statement::{Form, Lanes, Statement};

/// Assembly for another machine.
pub(super) struct Foreign {
    /// Why a statement with it is not vISA: its name.
    pub(super) reason: &'static str,
    /// The bytes of the first instruction that shows it.
    span: Range<usize>,
}

/// Returns whether a text contains a part that only vISA has.
pub(super) fn is_visa(text: &[u8]) -> bool {
    let contains = |part: &[u8]| memmem::find(text, part).is_some();
    let is_mask = |bytes: &[u8]| matches!(bytes, [b'(', b'M', b'1'..=b'8']);
    [&b".decl"[..], b"v_type=", b"(NoMask"].into_iter().any(contains)
        || text.windows(3).any(is_mask)
}

/// Returns the machine of a text that is certainly not vISA.
pub(super) fn find(text: &[u8]) -> Option<Foreign> {
    if is_visa(text) {
        return None;
    }
    instructions(text).find_map(|span| {
        let instruction = &text[span.clone()];
        let foreign = |reason| Some(Foreign { reason, span });
        match () {
            () if is_ptx(instruction) => foreign("this is PTX"),
            () if is_gcn(instruction) => foreign("this is AMD GCN assembly"),
            () => None,
        }
    })
}

/// Returns the instructions of a text in which lines and semicolons end them.
fn instructions(text: &[u8]) -> impl Iterator<Item = Range<usize>> + '_ {
    let mut start = 0;
    let parts = text.split(|byte| matches!(byte, b'\n' | b';' | b'{' | b'}'));
    parts.filter_map(move |part| {
        let first = start + (part.len() - part.trim_ascii_start().len());
        start += part.len() + 1;
        let code = memmem::find(part, b"//").map_or(part, |end| &part[..end]).trim_ascii();
        (!code.is_empty()).then(|| first..first + code.len())
    })
}

/// Returns the first word of an instruction.
fn mnemonic(instruction: &[u8]) -> &[u8] {
    let end = instruction.iter().position(u8::is_ascii_whitespace);
    &instruction[..end.unwrap_or(instruction.len())]
}

/// Returns whether an instruction is PTX: its name ends with a type such as `.f32`, or it declares registers.
fn is_ptx(instruction: &[u8]) -> bool {
    let words = instruction.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
    // `@p` and `@!p` are predicates.
    let mut words = words.skip_while(|word| word.starts_with(b"@"));
    let name = words.next().unwrap_or_default();
    let is_type = |part: &[u8]| {
        // The precisions of `dpas` include `u8` and `s8`.
        matches!(part, b"pred" | b"f16" | b"f16x2" | b"f32" | b"f64" | b"b16" | b"b32" | b"b64")
            || matches!(part, b"u16" | b"u32" | b"u64" | b"s16" | b"s32" | b"s64")
    };
    name == b".reg" || name.split(|byte| *byte == b'.').skip(1).any(is_type)
}

/// Returns whether an instruction is for AMD: its name begins with its unit, such as `v_` for vectors.
fn is_gcn(instruction: &[u8]) -> bool {
    const UNITS: [&[u8]; 7] = [b"v_", b"s_", b"ds_", b"global_", b"buffer_", b"flat_", b"scratch_"];
    let name = mnemonic(instruction);
    let rest = UNITS.iter().find_map(|unit| name.strip_prefix(*unit)).unwrap_or_default();
    let is_name = |byte: &u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || *byte == b'_';
    rest.first().is_some_and(u8::is_ascii_lowercase) && rest.iter().all(is_name)
}

impl Checker {
    /// Returns the finding about a statement that is for another machine.
    pub(super) fn foreign(&self, statement: &Statement) -> Option<Finding> {
        let Foreign { reason, span } = find(&statement.template)?;
        let instruction = &statement.template[span.clone()];
        let finding = Finding::new(&FOREIGN, Place::Template(span), format!("{reason}, not vISA"));
        self.with_severity(finding.with_help(self.visa_form(statement, instruction)))
    }

    /// Returns an instruction of vISA for the operands of an instruction of another machine: that of
    /// the same name, or a move.
    fn visa_form(&self, statement: &Statement, instruction: &[u8]) -> String {
        const MOVE: &str = "mov";
        let base = mnemonic(instruction).split(|byte| *byte == b'.').next().unwrap_or_default();
        let is_word = base.iter().all(u8::is_ascii_lowercase);
        let base = core::str::from_utf8(base).ok().filter(|base| is_word && !base.is_empty());
        let sources = statement.operands.iter().filter(|operand| !operand.is_output).count();
        let similar = base.map(|base| (base, sources.max(1)));
        let form = similar.into_iter().chain([(MOVE, 1)]).find_map(|(name, sources)| {
            let form = self.form(statement, name, sources);
            let findings = self.check(&form).findings;
            let is_legal = findings.iter().all(|finding| finding.severity != Severity::Error);
            is_legal.then_some(form)
        });
        let form = form.unwrap_or_else(|| self.form(statement, MOVE, 1));
        let constraints: Vec<&str> =
            form.operands.iter().map(|operand| &*operand.constraint).collect();
        format!(
            "vISA is written `{}`, for operands with constraints `{}`",
            String::from_utf8_lossy(&form.template),
            constraints.join("`, `")
        )
    }

    /// Returns a statement with one instruction.
    fn form(&self, statement: &Statement, name: &str, sources: usize) -> Statement {
        let mark = if statement.form == Form::Llvm { '$' } else { '%' };
        let lanes = self.lanes.unwrap_or(Lanes::L16);
        let mut text = format!("{name} (M1, {lanes}) {mark}0(0,0)<1>");
        for source in 1..=sources {
            text += &format!(" {mark}{source}(0,0)<1;1,0>");
        }
        let mut operands: Vec<Operand> = Vec::from([Operand::output("=rw")]);
        operands.extend((0..sources).map(|_| Operand::input("rw")));
        let outputs = statement.operands.iter().filter(|operand| operand.is_output);
        let inputs = statement.operands.iter().filter(|operand| !operand.is_output);
        for (operand, of) in operands.iter_mut().zip(outputs.take(1).chain(inputs)) {
            operand.ty = of.ty;
        }
        let form = if statement.form == Form::Llvm { Form::Llvm } else { Form::Gnu };
        Statement { form, ..Statement::gnu(text, operands) }
    }
}
