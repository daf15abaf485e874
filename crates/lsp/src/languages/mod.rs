//! The languages of documents, and their parsing.

mod inline;
mod visaasm;

use std::cell::OnceCell;
use std::ops::Range;

use genvisa::error::Severity;
use genvisa_inline::source;

use crate::program::Program;
use crate::settings::Settings;

/// The language of a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// Text of vISA.
    Visaasm,
    /// A language with inline assembly.
    Inline(source::Language),
}

impl Language {
    /// Returns the language by the name that the client states, or else by the suffix of the file.
    pub fn of(id: &str, uri: &str) -> Language {
        let suffix = match id {
            "opencl" => "cl",
            "llvm" => "ll",
            "python" => "py",
            "visaasm" | "mlir" => id,
            _ => uri.rsplit_once('.').map_or("", |(_, suffix)| suffix),
        };
        match suffix {
            "visaasm" | "golden" => Language::Visaasm,
            suffix => {
                let language = source::Language::of_suffix(suffix);
                // A binary file is no document.
                let language = language.filter(|it| *it != source::Language::Spirv);
                Language::Inline(language.unwrap_or(source::Language::C))
            }
        }
    }
}

/// A document that has been parsed.
#[derive(Debug, Default)]
pub struct Parsed {
    /// The texts of vISA in the document.
    pub programs: Vec<Program>,
    /// The problems, in the order of the document.
    problems: OnceCell<Vec<Problem>>,
    /// The operands of templates.
    pub operands: Vec<TemplateOperand>,
}

impl Parsed {
    /// Returns the problems, in the order of the document. They are found when they are first requested.
    pub fn problems(&self, settings: &Settings) -> &[Problem] {
        self.problems.get_or_init(|| {
            self.programs.first().map_or_else(Vec::new, |it| visaasm::problems(it, settings))
        })
    }
}

/// An error or a warning about a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The bytes of the document.
    pub span: Range<usize>,
    /// Whether it is an error or a warning. `None` for information.
    pub severity: Option<Severity>,
    /// The name of the rule, unless the text cannot be parsed.
    pub rule: Option<String>,
    /// What is wrong.
    pub message: String,
    /// A hint.
    pub help: Option<String>,
    /// The edits that follow the hint, each with a title.
    pub fixes: Vec<Fix>,
}

/// An edit that fixes a problem.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fix {
    /// What it does.
    pub title: String,
    /// The bytes of the document that it replaces.
    pub span: Range<usize>,
    /// The new text.
    pub text: String,
}

/// An operand of a template: `%0`, `%[name]` or `$0`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TemplateOperand {
    /// The bytes of its constraint in the document.
    pub constraint: Range<usize>,
    /// What it is.
    pub description: String,
    /// Its name, such as `dst` in `[dst] "=rw"(x)`.
    pub name: Option<String>,
    /// The bytes of the template in the document.
    pub template: Range<usize>,
    /// Its uses in the template.
    pub uses: Vec<Range<usize>>,
}

/// Parses a document.
pub fn parse(text: &str, language: Language, settings: &Settings) -> Parsed {
    match language {
        Language::Visaasm => visaasm::parse(text, settings),
        Language::Inline(language) => inline::parse(text, language, settings),
    }
}
