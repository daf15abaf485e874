//! The options that choose rules and their severities, for `verify` and `check`.

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{ArgMatches, Args, FromArgMatches};
use genvisa::verify::{Compiler, Group, Response, Rule, Severity, UnknownRule, Verifier};
use genvisa_inline::Checker;

/// The rule about barriers, which needs the analysis of control flow.
pub static BARRIER_DIVERGENCE: Rule = Rule::new(
    "barrier-divergence",
    "No lanes wait for others at a barrier: in divergent control flow, its behavior is undefined.",
    Response::Accepts,
)
.with_severity(Severity::Warning)
.with_source("BARRIER.md, Description");

/// The rules that only the tool applies, in `verify`.
pub static TOOL_RULES: &[&Rule] = &[&BARRIER_DIVERGENCE];

/// The options.
#[derive(Args)]
struct Options {
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
    /// Apply the rules of this version of the compiler [default: 2.40.14, the newest that the rules were
    /// tested with]
    #[arg(long, value_name = "VERSION", value_parser = parse_compiler)]
    compiler: Option<Compiler>,
}

/// The values of the options.
pub struct RuleArgs {
    groups: Vec<Group>,
    /// The values of --allow, --warn and --deny, in the order of the command line.
    levels: Vec<(Level, String)>,
    compiler: Option<Compiler>,
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
    /// Applies the options to a verifier.
    pub fn verifier(&self, mut verifier: Verifier) -> Result<Verifier, UnknownRule> {
        if !self.groups.is_empty() {
            verifier = verifier.with_groups(self.groups.iter().copied());
        }
        if let Some(compiler) = self.compiler {
            verifier = verifier.with_compiler(compiler);
        }
        self.apply(verifier, [Verifier::allow, Verifier::warn, Verifier::deny])
    }

    /// Applies the options to a checker.
    pub fn checker(&self, mut checker: Checker) -> Result<Checker, UnknownRule> {
        if !self.groups.is_empty() {
            checker = checker.with_groups(self.groups.iter().copied());
        }
        if let Some(compiler) = self.compiler {
            checker = checker.with_compiler(compiler);
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

impl Args for RuleArgs {
    fn augment_args(command: clap::Command) -> clap::Command {
        Options::augment_args(command)
    }

    fn augment_args_for_update(command: clap::Command) -> clap::Command {
        Options::augment_args_for_update(command)
    }
}

impl FromArgMatches for RuleArgs {
    /// Takes the values in the order of the command line, which derived code does not keep.
    fn from_arg_matches(matches: &ArgMatches) -> Result<RuleArgs, clap::Error> {
        let Options { group, allow, warn, deny, compiler } = Options::from_arg_matches(matches)?;
        let mut levels = Vec::new();
        for (level, option, names) in [
            (Level::Allow, "allow", allow),
            (Level::Warn, "warn", warn),
            (Level::Deny, "deny", deny),
        ] {
            let indices = matches.indices_of(option).into_iter().flatten();
            levels.extend(indices.zip(names).map(|(index, name)| (index, level, name)));
        }
        levels.sort_by_key(|(index, ..)| *index);
        let levels = levels.into_iter().map(|(_, level, name)| (level, name)).collect();
        Ok(RuleArgs { groups: group, levels, compiler })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = RuleArgs::from_arg_matches(matches)?;
        Ok(())
    }
}

fn group_parser() -> impl TypedValueParser<Value = Group> {
    let names = Group::ALL.iter().map(|group| group.name());
    PossibleValuesParser::new(names).try_map(|name| name.parse::<Group>())
}

fn parse_rule_or_group(name: &str) -> Result<String, String> {
    let is_group = Group::ALL.iter().any(|group| group.name() == name);
    let is_of_tool = TOOL_RULES.iter().any(|rule| rule.name == name);
    match is_group || is_of_tool || genvisa_inline::rule(name).is_some() {
        true => Ok(name.into()),
        false => Err("unknown rule; --list prints all rules".into()),
    }
}

/// Parses a version whose rules are known: no newer one than the newest that was read.
fn parse_compiler(version: &str) -> Result<Compiler, String> {
    let compiler = version.parse::<Compiler>().map_err(|error| error.to_string())?;
    let newest = Compiler::NEWEST;
    if (compiler.major, compiler.minor) > (newest.major, newest.minor) {
        let (default, newest) = (Compiler::default(), format!("{}.{}", newest.major, newest.minor));
        return Err(format!(
            "the rules of this version are not known; {default} is the newest that they were tested \
             with, and {newest} the newest whose source was read"
        ));
    }
    Ok(compiler)
}

fn parse_denied(name: &str) -> Result<String, String> {
    if name == "warnings" { Ok(name.into()) } else { parse_rule_or_group(name) }
}
