//! `genvisa isa`: the instruction set as pages and as data.

mod html;

use std::io::Write;
use std::path::PathBuf;

use anstyle::Style;
use anyhow::bail;
use clap::Args;
use genvisa::Platform;
use genvisa::text::nearest;
use genvisa_isa::{Field, InstructionData, find, instruction, instruction_set, names, rows};
use serde_json::json;

use super::{CommandLine, Run};
use crate::options::platform_parser;
use crate::output::Output;
use crate::page;
use crate::words::printable;

/// Print the page of an instruction, or the instruction set as data
///
/// A page has the syntax, the fields in the order of their bytes, an example with its bytes, and the types
/// that operands may have. Examples and types are found by the verifier. Without MNEMONIC, all instructions
/// are listed.
#[derive(Args)]
#[command(after_long_help = "\
Examples:
  genvisa isa                          List all instructions
  genvisa isa gather4_typed
  genvisa isa lsc_load --platform PVC
  genvisa isa --html isa.html
  genvisa isa --json | jq '.[0].instructions[] | {mnemonic, opcode, sub_opcode}'")]
pub struct Isa {
    /// A mnemonic of IGC or of the manual, or the name of a struct, in any case
    #[arg(value_name = "MNEMONIC")]
    pub mnemonic: Option<String>,
    /// Find examples for this platform [default: the newest that has the instruction]
    #[arg(long, value_name = "PLATFORM", value_parser = platform_parser(), ignore_case = true)]
    pub platform: Option<Platform>,
    /// Print as JSON: with a mnemonic, its instructions, and otherwise all, with the types of fields
    #[arg(long)]
    pub json: bool,
    /// Write a page with all instructions and a search: one HTML file, or - for standard output
    #[arg(long, value_name = "FILE", conflicts_with_all = ["json", "mnemonic"])]
    pub html: Option<PathBuf>,
}

const BOLD: Style = Style::new().bold();

impl Run for Isa {
    fn run(&self, out: &mut Output, _: CommandLine) -> anyhow::Result<()> {
        if let Some(path) = &self.html {
            return page::write(&html::print(&instruction_set(self.platform)), path, out);
        }
        let Some(mnemonic) = &self.mnemonic else {
            return match self.json {
                true => out.write_json(&[json!(instruction_set(self.platform))]),
                false => list(out),
            };
        };
        let found = find(mnemonic);
        if found.is_empty() {
            let lower = mnemonic.to_lowercase();
            let known = names();
            let near = nearest(&lower, known.iter().map(String::as_str));
            let near = near.map(|near| format!("; did you mean `{near}`?"));
            let hint = near.unwrap_or_else(|| "; `genvisa isa` lists all".into());
            bail!("there is no instruction `{}`{hint}", printable(mnemonic));
        }
        let all: Vec<InstructionData> =
            found.iter().map(|row| instruction(row, self.platform)).collect();
        if self.json {
            return out.write_json(&all.iter().map(|it| json!(it)).collect::<Vec<_>>());
        }
        for (index, instruction) in all.iter().enumerate() {
            if index > 0 {
                writeln!(out)?;
            }
            print_page(instruction, self.platform, out)?;
        }
        Ok(())
    }

    fn output(&self) -> Option<PathBuf> {
        Some(self.html.clone().unwrap_or_else(|| "-".into()))
    }

    fn check(&self) -> Result<(), String> {
        let is_list = self.mnemonic.is_none() && !self.json && self.html.is_none();
        match self.platform.is_some() && is_list {
            true => Err("--platform has no effect on the list of instructions".into()),
            false => Ok(()),
        }
    }
}

fn list(out: &mut Output) -> anyhow::Result<()> {
    for row in rows() {
        let code: Vec<String> = row.start().iter().map(|byte| format!("{byte:02x}")).collect();
        let summary = row.text().map_or("", |text| text.doc.trim().lines().next().unwrap_or(""));
        writeln!(out, "{:<6}{:<28} {summary}", code.join(" "), row.mnemonic(row.format()))?;
    }
    Ok(())
}

fn print_page(
    instruction: &InstructionData,
    platform: Option<Platform>,
    out: &mut Output,
) -> anyhow::Result<()> {
    writeln!(out, "{BOLD}{}{BOLD:#}", instruction.mnemonic)?;
    paragraph(&instruction.summary, 2, out)?;
    writeln!(out, "\n  {}", instruction.syntax)?;
    writeln!(out, "\n{BOLD}Fields{BOLD:#}")?;
    let fields = instruction.fields.iter().filter(|field| instruction.has_in_example(field));
    for field in fields {
        let Field { name, ty, meaning, when, role, types, .. } = field;
        let role = role.map_or("", |role| if role == "written" { ", written" } else { ", read" });
        let when = when.map_or(String::new(), |when| format!(" [{when}]"));
        writeln!(out, "  {name:<16}{ty}{role}{when}")?;
        let types = types.join(", ");
        let types = if types.is_empty() { types } else { format!("types: {types}") };
        paragraph(meaning, 18, out)?;
        paragraph(&values_of(field), 18, out)?;
        paragraph(&types, 18, out)?;
    }
    if let Some(example) = &instruction.example {
        writeln!(out, "\n{BOLD}Example for {}{BOLD:#}", example.platform)?;
        for line in &example.declarations {
            writeln!(out, "  {line}")?;
        }
        writeln!(out, "  {}", example.text)?;
        if let Some(bytes) = &example.bytes {
            writeln!(out, "  // {bytes}")?;
        }
    } else {
        let platform = platform.map_or(String::new(), |platform| format!(" for {platform}"));
        writeln!(out, "\nNone of the examples that were tried{platform} verifies.")?;
    }
    let sizes: Vec<String> = instruction.exec_sizes.iter().map(usize::to_string).collect();
    let has_exec = instruction.fields.iter().any(|field| field.name == "exec");
    if has_exec && !sizes.is_empty() {
        writeln!(out, "\n{BOLD}Lanes{BOLD:#}")?;
        paragraph(&sizes.join(", "), 2, out)?;
    }
    let lists =
        [("Platforms", instruction.platforms.join(", ")), ("Rules", instruction.rules.join(", "))];
    for (title, list) in lists {
        if !list.is_empty() {
            writeln!(out, "\n{BOLD}{title}{BOLD:#}")?;
            paragraph(&list, 2, out)?;
        }
    }
    Ok(())
}

/// Returns the names of a field's values, with what they mean if it is not in the name.
fn values_of(field: &Field) -> String {
    let words: Vec<String> = field
        .values
        .iter()
        .map(|value| match &*value.meaning {
            "" => value.name.into(),
            meaning => format!("{} ({meaning})", value.name),
        })
        .collect();
    match words.len() {
        0 => String::new(),
        _ => format!("values: {}", words.join(", ")),
    }
}

/// Prints a text in lines that fit a terminal.
fn paragraph(text: &str, indent: usize, out: &mut Output) -> anyhow::Result<()> {
    const WIDTH: usize = 100;
    let mut line = String::new();
    for word in text.split_ascii_whitespace() {
        if !line.is_empty() && indent + line.len() + 1 + word.len() > WIDTH {
            writeln!(out, "{:indent$}{line}", "")?;
            line.clear();
        }
        if !line.is_empty() {
            line.push(' ');
        }
        line += word;
    }
    if !line.is_empty() {
        writeln!(out, "{:indent$}{line}", "")?;
    }
    Ok(())
}
