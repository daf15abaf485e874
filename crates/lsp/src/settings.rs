//! The settings of the server, which the client sends.

use genvisa::Platform;
use genvisa::text::ParseOptions;
use genvisa::verify::{Compiler, Group, UnknownRule, Verifier};
use genvisa::{Dialect, Version};
use genvisa_inline::{Checker, Lanes};
use serde::Deserialize;
use serde_json::Value;

/// The name of the section of the settings.
pub const SECTION: &str = "genvisa";

/// The settings as the client sends them. All are optional.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default, rename_all = "camelCase", deny_unknown_fields)]
struct Raw {
    platform: Option<String>,
    compiler: Option<String>,
    groups: Vec<String>,
    allow: Vec<String>,
    warn: Vec<String>,
    deny: Vec<String>,
    dialect: Option<String>,
    isa_version: Option<String>,
    lanes: Option<u32>,
    live_registers: bool,
}

/// The settings.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Settings {
    /// The platform, unless a comment of the text states one.
    pub platform: Option<Platform>,
    /// How texts are parsed.
    pub options: ParseOptions,
    /// Whether inlay hints show the live registers.
    pub live_registers: bool,
    compiler: Option<Compiler>,
    groups: Vec<Group>,
    levels: Vec<(Level, String)>,
    lanes: Option<Lanes>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Level {
    Allow,
    Warn,
    Deny,
}

impl Settings {
    /// Reads settings. `null` means that there are none.
    ///
    /// # Errors
    /// The problems with the values. The other values are used.
    pub fn read(value: &Value) -> (Settings, Vec<String>) {
        let value = value.get(SECTION).unwrap_or(value);
        let raw = match value {
            Value::Null => Raw::default(),
            value => match Raw::deserialize(value) {
                Ok(raw) => raw,
                Err(error) => return (Settings::default(), vec![error.to_string()]),
            },
        };
        let mut problems = Vec::new();
        let mut settings = Settings {
            platform: parsed(raw.platform, "platform", &mut problems),
            options: ParseOptions::new()
                .with_dialect(parsed::<Dialect>(raw.dialect, "dialect", &mut problems))
                .with_version(parsed::<Version>(raw.isa_version, "isaVersion", &mut problems)),
            compiler: parsed(raw.compiler, "compiler", &mut problems),
            live_registers: raw.live_registers,
            ..Settings::default()
        };
        if let Some(count) = raw.lanes {
            settings.lanes = Lanes::from_count(count);
            if settings.lanes.is_none() {
                problems.push(format!("lanes: expected 8, 16 or 32, found {count}"));
            }
        }
        for name in raw.groups {
            match Group::ALL.into_iter().find(|group| group.name() == name) {
                Some(group) => settings.groups.push(group),
                None => problems.push(format!("groups: unknown group `{name}`")),
            }
        }
        let levels = [(Level::Allow, raw.allow), (Level::Warn, raw.warn), (Level::Deny, raw.deny)];
        for (level, names) in levels {
            for name in names {
                match apply(Verifier::new(), &(level, name.clone())) {
                    Ok(_) => settings.levels.push((level, name)),
                    Err(error) => problems.push(error.to_string()),
                }
            }
        }
        (settings, problems)
    }

    /// Returns the verifier of texts for a platform.
    pub fn verifier(&self, platform: Option<Platform>) -> Verifier {
        let mut verifier = Verifier::new().or_platform(platform);
        if !self.groups.is_empty() {
            verifier = verifier.with_groups(self.groups.iter().copied());
        }
        if let Some(compiler) = self.compiler {
            verifier = verifier.with_compiler(compiler);
        }
        // Unknown names have been reported.
        self.levels
            .iter()
            .fold(verifier, |verifier, level| apply(verifier.clone(), level).unwrap_or(verifier))
    }

    /// Returns the checker of inline assembly.
    pub fn checker(&self) -> Checker {
        let mut checker = Checker::new().with_platform(self.inline_platform());
        if let Some(lanes) = self.lanes {
            checker = checker.with_lanes(lanes);
        }
        if !self.groups.is_empty() {
            checker = checker.with_groups(self.groups.iter().copied());
        }
        if let Some(compiler) = self.compiler {
            checker = checker.with_compiler(compiler);
        }
        self.levels.iter().fold(checker, |checker, (level, name)| {
            let set = match level {
                Level::Allow => Checker::allow,
                Level::Warn => Checker::warn,
                Level::Deny => Checker::deny,
            };
            set(checker.clone(), name).unwrap_or(checker)
        })
    }

    /// Returns the platform of inline assembly.
    pub fn inline_platform(&self) -> Platform {
        self.platform.unwrap_or(Checker::DEFAULT_PLATFORM)
    }
}

fn apply(verifier: Verifier, (level, name): &(Level, String)) -> Result<Verifier, UnknownRule> {
    match level {
        Level::Allow => verifier.allow(name),
        Level::Warn => verifier.warn(name),
        Level::Deny => verifier.deny(name),
    }
}

fn parsed<T: std::str::FromStr>(
    value: Option<String>,
    key: &str,
    problems: &mut Vec<String>,
) -> Option<T>
where
    T::Err: std::fmt::Display,
{
    match value.filter(|value| !value.is_empty())?.parse() {
        Ok(value) => Some(value),
        Err(error) => {
            problems.push(format!("{key}: {error}"));
            None
        }
    }
}
