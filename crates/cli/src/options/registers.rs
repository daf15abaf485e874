//! The options that determine the size of a register.

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use genvisa::Module;
use genvisa::analysis::RegisterSize;
use genvisa::object::Body;
use genvisa::verify::{Platform, assumed_register_bytes};

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
        let of_platform = |platform: Platform| RegisterSize::from_bytes(platform.grf());
        self.registers
            .or_else(|| self.platform.or(stated).and_then(of_platform))
            .unwrap_or_else(|| RegisterSize::of(body))
    }

    /// Warns if the size of a register is assumed.
    pub fn warn_of_assumption(
        &self,
        name: &str,
        module: &Module<'_>,
        stated: Option<Platform>,
        out: &mut Output,
    ) -> std::io::Result<()> {
        let assumed = assumed_register_bytes(module, self.platform.or(stated));
        match assumed.filter(|_| self.registers.is_none()) {
            Some(bytes) => out.warn(format_args!(
                "{name}: no `//Platform:` and no --platform: registers of {bytes} bytes are assumed"
            )),
            None => Ok(()),
        }
    }
}

fn size_parser() -> impl TypedValueParser<Value = RegisterSize> {
    PossibleValuesParser::new(["32", "64"]).map(|size| match size.as_str() {
        "64" => RegisterSize::Bytes64,
        _ => RegisterSize::Bytes32,
    })
}
