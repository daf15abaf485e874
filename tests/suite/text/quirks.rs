//! Tests of the quirks of the style of GenX_IR. Each has a small kernel that shows it only in the
//! style `Reference`; if GenX_IR is installed, its text is compared too.

mod header;
mod instructions;
mod messages;
mod rare;

use std::fmt::Debug;

use genvisa::isa::{Fret, Ret};
use genvisa::object::{Align, Attribute, Code, Function, Kernel, Module};
use genvisa::operand::{DataType, ExecSize, Pred, SamplerId, SurfaceId, VarId};
use genvisa::text::{Quirk, Style};
use genvisa::{Format, Instruction, Version};
use genvisa_test_support::corpus::first_difference;
use genvisa_test_support::genx_ir;

use super::listing;

/// A kernel that shows a quirk.
struct Case {
    quirk: Quirk,
    version: Version,
    platform: &'static str,
    /// Adds declarations to an empty kernel, and returns its instructions without the last RET.
    build: fn(&mut Kernel<'static>) -> Vec<Instruction>,
    /// A part of the text that only the style `Reference` has.
    reference: String,
    /// A part of the text that only the style `Faithful` has.
    complete: String,
    /// The name of a function in the same file.
    function: Option<&'static str>,
    /// The reason why GenX_IR itself is not run.
    skip_reason: Option<&'static str>,
}

impl Case {
    fn new(
        quirk: Quirk,
        build: fn(&mut Kernel<'static>) -> Vec<Instruction>,
        reference: impl Into<String>,
        complete: impl Into<String>,
    ) -> Case {
        let (reference, complete) = (reference.into(), complete.into());
        let (version, platform) = (Version::V3_6, "SKL");
        let (function, skip_reason) = (None, None);
        Case { quirk, version, platform, build, reference, complete, function, skip_reason }
    }

    fn since(self, version: Version) -> Case {
        Case { version, ..self }
    }

    fn on(self, platform: &'static str) -> Case {
        Case { platform, ..self }
    }

    fn with_function(self, name: &'static str) -> Case {
        Case { function: Some(name), ..self }
    }

    fn without_reference(self, reason: &'static str) -> Case {
        Case { skip_reason: Some(reason), ..self }
    }

    fn module(&self) -> Module<'static> {
        let format = Format::igc2022(self.version);
        let mut kernel = Kernel::new("kernel");
        let mut instructions = (self.build)(&mut kernel);
        instructions.push(Ret { exec: ExecSize::S1.into(), pred: Pred::NONE }.into());
        kernel.body.code = Code::from_instructions(&instructions, format).expect("a legal case");
        let asm_name = kernel.body.intern("AsmName");
        kernel.body.attributes.push(Attribute::string(asm_name, genx_ir::ASM_NAME));
        let mut module = Module::new(format);
        module.kernels.push(kernel);
        module.functions.extend(self.function.map(|name| {
            let mut function = Function::new(name);
            let ret = Fret { exec: ExecSize::S1.into(), pred: Pred::NONE };
            let code = Code::from_instructions(&[ret.into()], format).expect("a legal function");
            if let Some(definition) = &mut function.definition {
                definition.body.code = code;
            }
            function
        }));
        module
    }
}

fn cases() -> Vec<Case> {
    let mut cases = header::cases();
    cases.extend(instructions::cases());
    cases.extend(messages::cases());
    cases.extend(rare::cases());
    cases
}

/// Returns the line of an instruction with its number.
fn line(text: &str, number: u32) -> String {
    format!("{:<80} /// ${number}\n", format!("    {text}"))
}

/// Declares a variable of 64 dwords.
fn variable(kernel: &mut Kernel<'static>, name: &str) -> VarId {
    kernel.body.add_variable(name, DataType::UD, 64, Align::GRF)
}

/// Declares `S0`.
fn sampler(kernel: &mut Kernel<'static>) -> SamplerId {
    kernel.body.add_sampler("").expect("space for a sampler")
}

/// Declares `T6`.
fn surface(kernel: &mut Kernel<'static>) -> SurfaceId {
    kernel.body.add_surface("").expect("space for a surface")
}

fn describe_error(quirk: Quirk, what: &str, part: impl Debug, text: &str) -> String {
    format!("{quirk:?}, {what}:\n{part:?}\nThe text:\n{text}")
}

#[test]
fn every_quirk_has_a_case() {
    let cases = cases();
    let has_no_case = |quirk: &&Quirk| cases.iter().all(|case| case.quirk != **quirk);
    let missing: Vec<_> = Quirk::ALL.iter().filter(has_no_case).collect();
    assert!(missing.is_empty(), "without a case: {missing:?}");
}

#[test]
fn only_the_style_of_genx_ir_has_quirks() {
    let mut errors = Vec::new();
    for case in cases() {
        let module = case.module();
        let [reference, complete] = [Style::GenXIr, Style::Complete]
            .map(|style| listing(&module, style).expect("legal code"));
        let (quirk, part, other) = (case.quirk, &case.reference, &case.complete);
        let checks = [
            (reference.contains(part), "not in the style of GenX_IR", part, &reference),
            (complete.contains(other), "not in the complete style", other, &complete),
            (!complete.contains(part), "in both styles", part, &complete),
            (!reference.contains(other), "in both styles", other, &reference),
        ];
        let failed = checks.into_iter().filter(|(is_ok, ..)| !is_ok);
        errors.extend(failed.map(|(_, what, part, text)| describe_error(quirk, what, part, text)));
    }
    assert!(errors.is_empty(), "{}", errors.join("\n\n"));
}

#[test]
#[ignore = "needs GenX_IR 12504"]
fn genx_ir_has_every_quirk() {
    let mut errors = Vec::new();
    for case in cases() {
        let module = case.module();
        let file = module.to_bytes().expect("a small module");
        let own = listing(&module, Style::GenXIr).expect("legal code");
        if let Some(reason) = case.skip_reason {
            eprintln!("{:?}: skipped one case: {reason}", case.quirk);
            continue;
        }
        match genx_ir::disassemble(&file, case.platform) {
            Ok(printed) => {
                // The tool writes functions to files of their own.
                let own = own.split_inclusive(".version").take(2).collect::<String>();
                let own = own.strip_suffix(".version").unwrap_or(&own);
                let difference = first_difference(own, &printed);
                let message = |d| format!("{:?}, {}: {d}", case.quirk, case.version);
                errors.extend(difference.map(message));
            }
            Err(why) => errors.push(format!("{:?}, {}: {why}", case.quirk, case.version)),
        }
    }
    assert!(errors.is_empty(), "{}", errors.join("\n\n"));
}
