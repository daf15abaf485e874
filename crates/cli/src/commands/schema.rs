//! `genvisa schema`: the JSON Schema of what `--json` prints.

use std::io::Write;

use clap::Args;

use super::{CommandLine, Run};
use crate::output::Output;

/// Print the JSON Schema of the output of all commands with --json
///
/// The definition of a command has its name: `genvisa stats --json` prints `#/$defs/stats`.
#[derive(Args)]
#[command(after_long_help = "\
Examples:
  genvisa schema > genvisa.schema.json
  genvisa schema | jq '.[\"$defs\"].stats'            What `genvisa stats --json` prints")]
pub struct Schema {}

impl Run for Schema {
    fn run(&self, out: &mut Output, _: CommandLine) -> anyhow::Result<()> {
        schema(out)
    }
}

/// Prints the JSON Schema of the outputs of `--json`.
fn schema(out: &mut Output) -> anyhow::Result<()> {
    Ok(out.write_all(include_bytes!("../../output.schema.json"))?)
}

#[cfg(test)]
mod tests {
    //! The schema is generated from the types that the commands print.

    use std::fs;

    use schemars::JsonSchema;
    use schemars::generate::SchemaSettings;
    use serde_json::{Map, Value, json};

    use crate::commands::{
        cfg, check, diff, equiv, explain, extract, info, pack, roundtrip, run, stats, triage,
        verify,
    };
    use crate::rule_list::ListedRule;

    /// Defines the outputs: lists with the names of their definitions.
    macro_rules! outputs {
        ($(#[doc = $doc:literal] $definition:literal $name:ident($item:ty);)*) => {
            $(
                #[derive(JsonSchema)]
                #[schemars(rename = $definition)]
                #[doc = $doc]
                #[expect(dead_code, reason = "it is in the schema")]
                struct $name(Vec<$item>);
            )*

            fn definitions() -> Map<String, Value> {
                let mut generator = SchemaSettings::draft2020_12().for_serialize().into_generator();
                $(generator.subschema_for::<$name>();)*
                generator.take_definitions(true)
            }
        };
    }

    outputs! {
        /// `verify --list --json` and `check --list --json`: the rules.
        "rules" Rules(ListedRule);
        /// `info --json`: a list of files and device binaries, without texts that have errors.
        "info" Info(info::json::Info<'static>);
        /// `verify --json`: a list of findings.
        "verify" Verify(verify::json::Finding<'static>);
        /// `stats --json`: a list of routines.
        "stats" Stats(stats::json::Routine<'static>);
        /// `run --json`: a list with one run.
        "run" Run(run::json::RunKernel<'static>);
        /// `equiv --json`: a list of compared kernels.
        "equiv" Equiv(equiv::json::ComparedKernel<'static>);
        /// `triage --json`: a list of kernels.
        "triage" Triage(triage::TriagedKernel);
        /// `cfg --format json`: a list of routines.
        "cfg" Cfg(cfg::json::Routine<'static>);
        /// `check --json`: a list of files.
        "check" Check(check::json::CheckedFile<'static>);
        /// `check --dumps --json`: a list of changed instructions.
        "checkDumps" CheckDumps(check::dumps::Change<'static>);
        /// `diff --json`: a list of differences.
        "diff" Diff(Difference<'static>);
        /// `extract --json`: a list of files.
        "extract" Extract(extract::json::SearchedFile<'static>);
        /// `roundtrip --json`: a list of files.
        "roundtrip" Roundtrip(roundtrip::FileResult<'static>);
        /// `explain --json`: a list with one file.
        "explain" Explain(explain::json::ExplainedFile<'static>);
        /// `isa --json`: a list with the instruction set; with a mnemonic, a list of instructions.
        "isa" Isa(IsaItem);
        /// `pack --json`: a list with one file.
        "pack" Pack(pack::PackedFile<'static>);
    }

    #[derive(JsonSchema)]
    #[schemars(inline, untagged)]
    #[expect(dead_code, reason = "it is in the schema")]
    enum IsaItem {
        Set(genvisa_isa::InstructionSet),
        Instruction(Box<genvisa_isa::InstructionData>),
    }

    #[derive(JsonSchema)]
    #[schemars(inline, untagged)]
    #[expect(dead_code, reason = "it is in the schema")]
    enum Difference<'d> {
        Routine(diff::json::Routine<'d>),
        Declarations(diff::json::Declarations<'d>),
        OnlyIn(diff::json::OnlyIn<'d>),
        Error(diff::json::Error<'d>),
    }

    /// Closes objects, and removes the sizes of integers and the line breaks of descriptions.
    fn simplify(value: &mut Value) {
        match value {
            Value::Array(values) => values.iter_mut().for_each(simplify),
            Value::Object(members) => {
                if members.contains_key("properties") {
                    // Types with members of other tools have others.
                    members.entry("additionalProperties").or_insert_with(|| false.into());
                }
                if members.get("format").is_some_and(Value::is_string) {
                    members.remove("format");
                }
                if let Some(Value::String(description)) = members.get_mut("description") {
                    *description = description.replace('\n', " ");
                }
                members.values_mut().for_each(simplify);
            }
            _ => {}
        }
    }

    /// Adds a value, in one line if it is short.
    fn print(value: &Value, indent: usize, text: &mut String) {
        let line = value.to_string();
        let (brackets, mut elements): (_, Vec<_>) = match value {
            Value::Object(members) if line.len() > 80 => {
                ("{}", members.iter().map(|(name, value)| (Some(name), value)).collect())
            }
            Value::Array(values) if line.len() > 80 => {
                ("[]", values.iter().map(|value| (None, value)).collect())
            }
            _ => return text.push_str(&line),
        };
        // Descriptions come before properties.
        elements.sort_by_key(|(_, value)| value.is_object() || value.is_array());
        text.push_str(&brackets[..1]);
        let mut separator = "";
        for (name, value) in elements {
            text.push_str(&format!("{separator}\n{:indent$}  ", ""));
            if let Some(name) = name {
                text.push_str(&format!("{name:?}: "));
            }
            print(value, indent + 2, text);
            separator = ",";
        }
        text.push_str(&format!("\n{:indent$}{}", "", &brackets[1..]));
    }

    /// `GENVISA_BLESS=1` updates the file.
    #[test]
    fn the_schema_describes_the_types() {
        let mut definitions = Value::Object(definitions());
        simplify(&mut definitions);
        let schema = json!({
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "title": "The output of genvisa with --json",
            "description": "Each command has a definition with its name. The output of every command is a \
                            list of objects with the member `file`, except lists of rules (`--list`).",
            "$defs": definitions,
        });
        let mut text = String::new();
        print(&schema, 0, &mut text);
        text.push('\n');
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/output.schema.json");
        if std::env::var_os("GENVISA_BLESS").is_some() {
            fs::write(path, &text).expect("a file that can be written");
        }
        let present = fs::read_to_string(path).expect("the schema");
        assert!(present == text, "run the test again with GENVISA_BLESS=1 and commit {path}");
    }
}
