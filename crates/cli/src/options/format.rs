//! The format of the output of commands with findings.

use clap::{Args, ValueEnum};

#[derive(Args)]
pub struct FormatArgs {
    /// Format of the output
    #[arg(long, value_name = "FORMAT", default_value = "text", conflicts_with = "json")]
    format: ReportFormat,
    /// Print as JSON: short for --format json
    #[arg(long)]
    json: bool,
}

impl FormatArgs {
    /// Returns the format.
    pub fn get(&self) -> ReportFormat {
        if self.json { ReportFormat::Json } else { self.format }
    }

    /// Checks that the format exists for output other than findings, which an option requests.
    pub fn check_without_findings(&self, option: &str) -> Result<(), String> {
        match self.get() {
            ReportFormat::Sarif => Err(format!("{option} prints text or JSON")),
            ReportFormat::Text | ReportFormat::Json => Ok(()),
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ReportFormat {
    /// Text with the lines that findings refer to
    Text,
    /// JSON: a list of files
    Json,
    /// SARIF 2.1.0, for code scanning services
    Sarif,
}
