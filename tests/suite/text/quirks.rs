//! The peculiarities of the reference's text: each shows in a small kernel, in the style
//! `Reference` alone, and the reference agrees where it is installed.

mod corners;
mod header;
mod instructions;
mod messages;

use std::fmt::Debug;

use genvisa::isa::{Fret, Ret};
use genvisa::object::{Align, Attribute, Code, Function, Kernel, Module};
use genvisa::operand::{DataType, ExecSize, Pred, SamplerId, SurfaceId, VarId};
use genvisa::text::{Quirk, Style};
use genvisa::{Format, Instruction, Version};

use super::listing;
use crate::corpus::first_difference;
use crate::oracle::genx_ir;

/// A kernel in which a quirk shows.
struct Case {
    quirk: Quirk,
    version: Version,
    platform: &'static str,
    /// Declares what is needed in an empty kernel, and gives its instructions. RET follows.
    build: fn(&mut Kernel<'static>) -> Vec<Instruction>,
    /// A part of the text in the style `Reference`, which is not in the other.
    reference: String,
    /// A part of the text in the style `Faithful`, which is not in the other.
    faithful: String,
    /// The name of a function in the same file.
    function: Option<&'static str>,
    /// Why the reference itself is not asked.
    unasked: Option<&'static str>,
}

impl Case {
    fn new(
        quirk: Quirk,
        build: fn(&mut Kernel<'static>) -> Vec<Instruction>,
        reference: impl Into<String>,
        faithful: impl Into<String>,
    ) -> Case {
        let (reference, faithful) = (reference.into(), faithful.into());
        let (version, platform) = (Version::V3_6, "SKL");
        let (function, unasked) = (None, None);
        Case { quirk, version, platform, build, reference, faithful, function, unasked }
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

    fn unasked(self, reason: &'static str) -> Case {
        Case { unasked: Some(reason), ..self }
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
    cases.extend(corners::cases());
    cases
}

/// The whole line of an instruction.
fn line(text: &str, number: u32) -> String {
    format!("{:<80} /// ${number}\n", format!("    {text}"))
}

/// A register file's worth of dwords.
fn grf(kernel: &mut Kernel<'static>, name: &str) -> VarId {
    kernel.body.add_variable(name, DataType::UD, 64, Align::GRF)
}

/// `S0`
fn sampler(kernel: &mut Kernel<'static>) -> SamplerId {
    kernel.body.add_sampler("").expect("room for a sampler")
}

/// `T6`
fn surface(kernel: &mut Kernel<'static>) -> SurfaceId {
    kernel.body.add_surface("").expect("room for a surface")
}

fn wrong(quirk: Quirk, what: &str, part: impl Debug, text: &str) -> String {
    format!("{quirk:?}, {what}:\n{part:?}\nThe text:\n{text}")
}

#[test]
fn every_quirk_has_a_case() {
    let cases = cases();
    let has_none = |quirk: &&Quirk| cases.iter().all(|case| case.quirk != **quirk);
    let missing: Vec<_> = Quirk::ALL.iter().filter(has_none).collect();
    assert!(missing.is_empty(), "without a case: {missing:?}");
}

#[test]
fn every_quirk_shows_in_the_reference_style_alone() {
    let mut all = Vec::new();
    for case in cases() {
        let module = case.module();
        let [reference, faithful] = [Style::Reference, Style::Faithful]
            .map(|style| listing(&module, style).expect("legal code"));
        let (quirk, part, other) = (case.quirk, &case.reference, &case.faithful);
        let wrongs = [
            (!reference.contains(part)).then(|| wrong(quirk, "not as expected", part, &reference)),
            (!faithful.contains(other)).then(|| wrong(quirk, "not faithful", other, &faithful)),
            faithful.contains(part).then(|| wrong(quirk, "in both styles", part, &faithful)),
            reference.contains(other).then(|| wrong(quirk, "in both styles", other, &reference)),
        ];
        all.extend(wrongs.into_iter().flatten());
    }
    assert!(all.is_empty(), "{}", all.join("\n\n"));
}

#[test]
fn every_quirk_is_one_of_the_reference() {
    if !genx_ir::is_installed() {
        return;
    }
    let mut all = Vec::new();
    for case in cases() {
        let module = case.module();
        let file = module.to_bytes().expect("a small module");
        let own = listing(&module, Style::Reference).expect("legal code");
        if let Some(reason) = case.unasked {
            eprintln!("{:?}: one case is not asked for: {reason}", case.quirk);
            continue;
        }
        match genx_ir::disassemble(&file, case.platform) {
            Ok(printed) => {
                // The tool writes functions into files of their own.
                let own = own.split_inclusive(".version").take(2).collect::<String>();
                let own = own.strip_suffix(".version").unwrap_or(&own);
                let difference = first_difference(own, &printed);
                all.extend(difference.map(|d| format!("{:?}, {}: {d}", case.quirk, case.version)));
            }
            Err(why) => all.push(format!("{:?}, {}: {why}", case.quirk, case.version)),
        }
    }
    assert!(all.is_empty(), "{}", all.join("\n\n"));
}
