//! `genvisa check`: checks of the inline assembly in source files.

mod files;
mod json;
mod position;
mod report;
mod sarif;
mod text;

use std::collections::hash_map::Entry;
use std::collections::{BTreeSet, HashMap};

use genvisa::verify::{Platform, rules as verify_rules};
use genvisa_inline::source::{self, Block, Content, Language};
use genvisa_inline::{Checker, Finding, Place};

use crate::args::{Check, ReportFormat};
use crate::input::read;
use crate::output::Output;
use crate::{parallel, printable, shown, verify};
use files::Input;
use position::Positions;
use report::{BlockReport, FileReport, Lines, Located, Parts, Status, Summary};

/// The platform if none is requested.
const DEFAULT_PLATFORM: Platform = Platform::Xe2;

pub fn run(args: &Check, out: &mut Output) -> anyhow::Result<()> {
    if args.list {
        let rules: Vec<_> = genvisa_inline::rules().chain(verify_rules()).collect();
        return verify::list(&rules, args.json, out);
    }
    let checkers = Checkers::new(args)?;
    let mut summary = Summary::default();
    let mut reports = Vec::new();
    let inputs = files::inputs(args, out)?;
    let check = |input: &Input, out: &mut Output| checkers.check_file(input, out);
    parallel::for_each(&inputs, Input::path, out, check, |(of_file, report)| {
        summary.add(&of_file);
        reports.extend(report);
    })?;
    for (number, _) in &args.operand {
        if !summary.used_operands.contains(number) {
            out.warn(format_args!("--operand {number}: no block has this operand"))?;
        }
    }
    match args.report_format() {
        ReportFormat::Text => text::print_summary(&summary, args, out)?,
        ReportFormat::Json => json::print(&reports, out)?,
        ReportFormat::Sarif => sarif::print(&reports, out)?,
    }
    let is_incomplete = summary.partial + summary.not_read > 0;
    if summary.errors > 0 || args.strict && is_incomplete {
        out.set_failed();
    }
    Ok(())
}

/// One checker for each platform.
struct Checkers<'a> {
    args: &'a Check,
    checkers: Vec<(Platform, Checker)>,
}

impl<'a> Checkers<'a> {
    fn new(args: &'a Check) -> anyhow::Result<Checkers<'a>> {
        let mut platforms = Vec::new();
        for platform in &args.platform {
            if !platforms.contains(platform) {
                platforms.push(*platform);
            }
        }
        if platforms.is_empty() {
            platforms.push(DEFAULT_PLATFORM);
        }
        let checker = |platform| {
            let mut checker = args.rules.checker(Checker::new().with_platform(platform))?;
            if let Some(lanes) = args.lanes {
                checker = checker.with_lanes(lanes);
            }
            if let Some(path) = args.path {
                checker = checker.with_path(path.into());
            }
            Ok((platform, checker))
        };
        let checkers: anyhow::Result<_> = platforms.into_iter().map(checker).collect();
        Ok(Checkers { args, checkers: checkers? })
    }

    /// Reads and checks a file. Prints the report as text or returns it.
    fn check_file(
        &self,
        input: &Input,
        out: &mut Output,
    ) -> anyhow::Result<(Summary, Option<FileReport>)> {
        let mut summary = Summary::default();
        let read = read(&input.path).and_then(|bytes| Ok((input.language(&bytes)?, bytes)));
        let (language, bytes) = match read {
            Ok(read) => read,
            Err(error) => {
                out.report_error(format_args!("{error:#}"))?;
                out.set_unreadable_input();
                return Ok((summary, None));
            }
        };
        let report = self.check(input, &bytes, language, &mut summary.used_operands);
        summary.add_report(&report, input);
        for error in &report.errors {
            out.report_error(error)?;
        }
        if report.is_damaged {
            out.set_unreadable_input();
        }
        match self.args.report_format() {
            ReportFormat::Text => text::print(&report, input, self.args, out)?,
            ReportFormat::Json | ReportFormat::Sarif => return Ok((summary, Some(report))),
        }
        Ok((summary, None))
    }

    /// Checks the contents of a file. Adds the values of `--operand` that some block has to a set.
    fn check(
        &self,
        input: &Input,
        bytes: &[u8],
        language: Language,
        used_operands: &mut BTreeSet<usize>,
    ) -> FileReport {
        let file = shown(&input.path);
        let found = source::find(bytes, language);
        let positions = match language {
            Language::Spirv => Positions::binary(&file, bytes),
            _ => Positions::new(&file, bytes, &found.markers),
        };
        let mut blocks = Vec::with_capacity(found.blocks.len());
        for mut block in found.blocks {
            if self.args.path.is_none() {
                block.path = block.path.or(input.compiler_path());
            }
            blocks.push(self.check_block(block, &positions, used_operands));
        }
        let hints = found.hint_errors.iter().map(|(span, problem)| {
            format!("{}: hint: {}", positions.locate(span.start), printable(problem))
        });
        let mut errors: Vec<String> = hints.collect();
        let is_damaged = found.error.is_some();
        if let Some(error) = found.error {
            let place = match error.offset {
                0 => file.clone(),
                offset => positions.locate(offset).to_string(),
            };
            let help = error.help.map(|help| format!("; {help}")).unwrap_or_default();
            errors.push(format!("{place}: {}{help}", printable(&error.message)));
        }
        FileReport { file, blocks, errors, is_damaged }
    }

    /// Checks a block for all platforms.
    fn check_block(
        &self,
        mut block: Block,
        positions: &Positions<'_>,
        used_operands: &mut BTreeSet<usize>,
    ) -> BlockReport {
        if let Content::Visa(statement) = &mut block.content {
            for (number, ty) in &self.args.operand {
                if let Some(operand) = statement.operands.get_mut(*number) {
                    operand.ty = operand.ty.or(Some(*ty));
                    used_operands.insert(*number);
                }
            }
        }
        let mut findings: Vec<(Finding, Vec<Platform>)> = Vec::new();
        let mut indices: HashMap<String, usize> = HashMap::new();
        let mut unknown = Vec::new();
        let mut path = block.path;
        for (platform, checker) in &self.checkers {
            let Some(report) = block.check(checker) else { break };
            path = Some(report.path);
            unknown.extend(report.unknown);
            for finding in report.findings {
                match indices.entry(format!("{finding:?}")) {
                    Entry::Occupied(index) => findings[*index.get()].1.push(*platform),
                    Entry::Vacant(entry) => {
                        entry.insert(findings.len());
                        findings.push((finding, vec![*platform]));
                    }
                }
            }
        }
        findings.sort_by_key(|(finding, _)| match &finding.place {
            Place::Operand(number) => (0, *number),
            Place::Clobber(index) => (1, *index),
            Place::Template(span) => (2, span.start),
        });
        unknown.sort();
        unknown.dedup();
        let status = match &block.content {
            Content::Visa(_) if unknown.is_empty() => Status::Checked,
            Content::Visa(_) => Status::Partial,
            Content::Other => Status::NotVisa,
            Content::Unreadable(reason) => Status::NotRead(reason.clone()),
        };
        let parts = positions.is_binary().then(|| Parts::new(&block));
        let lines = parts.as_ref().map_or(Lines::File(positions), Lines::of_parts);
        let findings = findings.into_iter().map(|(finding, platforms)| {
            let is_everywhere = platforms.len() == self.checkers.len();
            let located = Located::new(finding, platforms, &block, positions, &lines);
            Located { is_everywhere, ..located }
        });
        let findings: Vec<Located> = findings.collect();
        let place = positions.locate(block.span.start);
        let lanes = block.lanes.or(self.args.lanes);
        let template = match &block.content {
            Content::Visa(statement) => {
                Some(String::from_utf8_lossy(&statement.template).into_owned())
            }
            _ => None,
        };
        let function = block.function;
        BlockReport { place, function, path, lanes, status, template, unknown, findings }
    }
}
