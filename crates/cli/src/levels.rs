//! The options that choose rules and their severities, for `verify` and `check`.

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{ArgMatches, Args};
use genvisa::verify::{self, Group, UnknownRule, Verifier};
use genvisa_inline::Checker;

#[derive(Args)]
pub struct RuleArgs {
    /// Apply the rules of these groups [default: igc; for files in dialect manual, both]
    #[arg(long, value_name = "GROUPS", value_delimiter = ',', value_parser = group_parser())]
    group: Vec<Group>,
    /// Do not apply a rule or a group (can be repeated; the last of --allow, --warn and --deny for a
    /// rule has precedence)
    #[arg(long, value_name = "NAME", value_parser = parse_rule_or_group)]
    allow: Vec<String>,
    /// Report a rule or a group as warnings (can be repeated)
    #[arg(long, value_name = "NAME", value_parser = parse_rule_or_group)]
    warn: Vec<String>,
    /// Report a rule, a group, or all `warnings` as errors (can be repeated)
    #[arg(long, value_name = "NAME", value_parser = parse_denied)]
    deny: Vec<String>,
    /// The values of --allow, --warn and --deny, in the order of the command line
    #[arg(skip)]
    levels: Vec<(Level, String)>,
}

/// The option that sets the level of a rule or a group.
#[derive(Clone, Copy)]
enum Level {
    Allow,
    Warn,
    Deny,
}

/// A method that sets the level of a rule or a group.
type SetLevel<T> = fn(T, &str) -> Result<T, UnknownRule>;

impl RuleArgs {
    /// Sets [`levels`](RuleArgs::levels).
    pub fn sort_levels(&mut self, matches: &ArgMatches) {
        let options = [
            (Level::Allow, "allow", &self.allow),
            (Level::Warn, "warn", &self.warn),
            (Level::Deny, "deny", &self.deny),
        ];
        let mut levels = Vec::new();
        for (level, option, names) in options {
            let indices = matches.indices_of(option).into_iter().flatten();
            levels.extend(indices.zip(names).map(|(index, name)| (index, level, name.clone())));
        }
        levels.sort_by_key(|(index, ..)| *index);
        self.levels = levels.into_iter().map(|(_, level, name)| (level, name)).collect();
    }

    /// Applies the options to a verifier.
    pub fn verifier(&self, mut verifier: Verifier) -> Result<Verifier, UnknownRule> {
        if !self.group.is_empty() {
            verifier = verifier.with_groups(self.group.iter().copied());
        }
        self.apply(verifier, [Verifier::allow, Verifier::warn, Verifier::deny])
    }

    /// Applies the options to a checker.
    pub fn checker(&self, mut checker: Checker) -> Result<Checker, UnknownRule> {
        if !self.group.is_empty() {
            checker = checker.with_groups(self.group.iter().copied());
        }
        self.apply(checker, [Checker::allow, Checker::warn, Checker::deny])
    }

    /// Calls a method for each level, in the order of the command line.
    fn apply<T>(&self, target: T, [allow, warn, deny]: [SetLevel<T>; 3]) -> Result<T, UnknownRule> {
        self.levels.iter().try_fold(target, |target, (level, name)| match level {
            Level::Allow => allow(target, name),
            Level::Warn => warn(target, name),
            Level::Deny => deny(target, name),
        })
    }
}

fn group_parser() -> impl TypedValueParser<Value = Group> {
    let names = Group::ALL.iter().map(|group| group.name());
    PossibleValuesParser::new(names).try_map(|name| name.parse::<Group>())
}

fn parse_rule_or_group(name: &str) -> Result<String, String> {
    let is_rule =
        verify::rule(name).is_some() || genvisa_inline::rules().any(|rule| rule.name == name);
    match is_rule || Group::ALL.iter().any(|group| group.name() == name) {
        true => Ok(name.into()),
        false => Err("unknown rule; --list prints all rules".into()),
    }
}

fn parse_denied(name: &str) -> Result<String, String> {
    if name == "warnings" { Ok(name.into()) } else { parse_rule_or_group(name) }
}
