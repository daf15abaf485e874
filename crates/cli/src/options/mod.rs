//! Options that several commands have.

mod asm;
mod format;
mod registers;
mod rules;

use std::ffi::OsStr;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::error::{ContextKind, ContextValue};
use clap::{Arg, Args, Command};
use genvisa::Platform;
use genvisa::text::{ParseOptions, nearest};
use genvisa::{Dialect, Version};

pub use asm::{AsmArgs, AsmFile};
pub use format::{FormatArgs, ReportFormat};
pub use registers::{RegisterArgs, warn_of_assumption};
pub use rules::{BARRIER_DIVERGENCE, RuleArgs, TOOL_RULES};

#[derive(Args)]
pub struct DialectArg {
    /// Dialect of the format: manual (the five instruction documents), igc2022 (the 2022 compiler)
    /// or igc2026 (IGC 2.40.14) [default: igc2022; for text of version 4.2, igc2026]
    #[arg(long, value_name = "DIALECT")]
    pub dialect: Option<Dialect>,
}

impl DialectArg {
    /// Returns the dialect of files.
    pub fn of_files(&self) -> Dialect {
        self.dialect.unwrap_or_default()
    }

    /// Returns how texts are parsed.
    pub fn of_texts(&self) -> ParseOptions {
        ParseOptions::new().with_dialect(self.dialect)
    }
}

/// Parses a version with a binary form.
pub fn version_of_files(version: &str) -> Result<Version, String> {
    let version: Version =
        version.parse().map_err(|error: genvisa::format::ParseFormatError| error.to_string())?;
    match version.has_binary_form() {
        true => Ok(version),
        false => Err(genvisa::ErrorKind::TextOnly { version }.to_string()),
    }
}

pub fn platform_parser() -> impl TypedValueParser<Value = Platform> {
    PlatformParser
}

/// Parses a platform. The error suggests also the names of devices.
#[derive(Clone)]
struct PlatformParser;

impl TypedValueParser for PlatformParser {
    type Value = Platform;

    fn parse_ref(
        &self,
        command: &Command,
        argument: Option<&Arg>,
        value: &OsStr,
    ) -> Result<Platform, clap::Error> {
        let parsed = platforms().parse_ref(command, argument, value);
        parsed.map_err(|mut error| {
            let name = value.to_string_lossy().to_lowercase();
            let devices = || Platform::ALL.iter().flat_map(|it| it.devices()).copied();
            let named = Platform::ALL.iter().map(|it| it.name());
            let is_near = |known: &str| nearest(&name, [&*known.to_lowercase()]).is_some();
            let near: Vec<String> =
                named.chain(devices()).filter(|known| is_near(known)).map(String::from).collect();
            if !near.is_empty() {
                error.insert(ContextKind::SuggestedValue, ContextValue::String(near.join("', '")));
            }
            error
        })
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(platforms().possible_values()?.collect::<Vec<_>>().into_iter()))
    }
}

fn platforms() -> impl TypedValueParser<Value = Platform> {
    let names = Platform::ALL.iter().map(|platform| {
        let value = PossibleValue::new(platform.name());
        match platform.devices() {
            [] => value,
            devices => value.aliases(devices.iter().copied()).help(devices.join(", ")),
        }
    });
    PossibleValuesParser::new(names).try_map(|name| name.parse::<Platform>())
}
