//! The options that determine the size of a register.

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use genvisa::Module;
use genvisa::Platform;
use genvisa::RegisterSize;
use genvisa::object::Body;

use super::platform_parser;
use crate::output::Output;

#[derive(Args)]
pub struct RegisterArgs {
    /// The platform, which determines the size of a register [default: the platform that a comment
    /// of a text states]
    #[arg(long, value_name = "PLATFORM", value_parser = platform_parser(), ignore_case = true)]
    pub platform: Option<Platform>,
    /// The size of a register in bytes: 32 or 64 [default: the platform's; if it is unknown,
    /// 64 with efficient 64-bit addressing and otherwise 32]
    #[arg(long, value_name = "BYTES", conflicts_with = "platform", value_parser = size_parser())]
    pub registers: Option<RegisterSize>,
}

impl RegisterArgs {
    /// Returns the size of a register for a routine. `stated` is the platform that its file states.
    pub fn size(&self, stated: Option<Platform>, body: &Body<'_>) -> RegisterSize {
        self.registers.unwrap_or_else(|| body.register_size(self.platform.or(stated)))
    }

    /// Warns if the size of a register is assumed.
    pub fn warn_of_assumption(
        &self,
        name: &str,
        module: &Module<'_>,
        stated: Option<Platform>,
        out: &mut Output,
    ) -> std::io::Result<()> {
        let assumed = module.assumed_register_size(self.platform.or(stated));
        match assumed.filter(|_| self.registers.is_none()) {
            Some(size) => warn_of_assumption(name, size, "", out),
            None => Ok(()),
        }
    }
}

/// Warns that the size of a register is assumed for a text, and what else follows from an unknown platform.
pub fn warn_of_assumption(
    name: &str,
    size: RegisterSize,
    more: &str,
    out: &mut Output,
) -> std::io::Result<()> {
    out.warn_of_assumption(format_args!(
        "{name}: no known `//Platform:` and no --platform: registers of {size} bytes are assumed{more}"
    ))
}

fn size_parser() -> impl TypedValueParser<Value = RegisterSize> {
    let parse = |name: String| RegisterSize::ALL.into_iter().find(|size| size.name() == name);
    PossibleValuesParser::new(RegisterSize::ALL.map(RegisterSize::name))
        .map(move |name| parse(name).unwrap_or_default())
}
