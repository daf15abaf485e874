//! A text of vISA in a document: a whole file, or a template of inline assembly.

use std::cell::{OnceCell, RefCell};
use std::collections::{BTreeMap, HashMap};
use std::ops::Range;
use std::rc::Rc;

use genvisa::Format;
use genvisa::Platform;
use genvisa::analysis::Analysis;
use genvisa::isa::Instruction;
use genvisa::text::{
    ParseOptions, Recorded, RecordedInstruction, RecordedOperand, Referent, Token, TokenKind,
};
use genvisa_inline::Substitutes;

/// A text that has been parsed.
#[derive(Debug)]
pub struct Program {
    /// The text. Offsets of the recording refer to it.
    pub text: String,
    /// What the parser has read.
    pub recorded: Recorded,
    /// The platform.
    pub platform: Option<Platform>,
    /// Where the text is in the document.
    pub place: Place,
    /// The analyses of routines that have been requested.
    analyses: RefCell<BTreeMap<usize, Option<Rc<RoutineAnalysis>>>>,
    /// The index in the module of each routine without errors, by its header.
    indices: OnceCell<HashMap<Range<usize>, usize>>,
}

/// Where a text is in its document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// It is the document.
    Document,
    /// It is a template, for which a header was added.
    Template {
        /// The bytes of the document that contain the template.
        span: Range<usize>,
        /// The length of the header.
        header: usize,
        /// For each byte after the header, the bytes of the document.
        origins: Vec<Range<usize>>,
        /// The names in the text that the document writes in another way.
        substitutes: Substitutes,
    },
}

/// The analysis of a routine.
#[derive(Debug)]
pub struct RoutineAnalysis {
    /// The index of the routine in the module.
    pub routine: usize,
    /// The analysis.
    pub analysis: Analysis,
}

impl Program {
    /// Parses a text. Without a comment that states its platform, it is for `platform`.
    pub fn new(
        text: &str,
        options: ParseOptions,
        platform: Option<Platform>,
        place: Place,
    ) -> Program {
        let recorded = Recorded::parse(text, options);
        let platform = recorded.document.platform.or(platform);
        let (analyses, indices) = (RefCell::default(), OnceCell::new());
        Program { text: text.into(), recorded, platform, place, analyses, indices }
    }

    /// Returns the format in which the text was read.
    pub fn format(&self) -> Format {
        self.recorded.document.format
    }

    /// Returns the bytes of the document that bytes of the text come from. Returns `None` if they
    /// are not in the document.
    pub fn to_document(&self, span: &Range<usize>) -> Option<Range<usize>> {
        let Place::Template { header, origins, .. } = &self.place else {
            return Some(span.clone());
        };
        let start = span.start.checked_sub(*header)?;
        let end = span.end.checked_sub(*header)?;
        let first = origins.get(start);
        if start == end {
            let at = first.map(|origin| origin.start).or_else(|| Some(origins.last()?.end))?;
            return Some(at..at);
        }
        Some(first?.start..origins.get(end - 1)?.end)
    }

    /// Returns the offset in the text for an offset of the document, if the document has the text
    /// there.
    pub fn offset_of(&self, at: usize) -> Option<usize> {
        let Place::Template { span, header, origins, .. } = &self.place else { return Some(at) };
        if !(span.start..=span.end).contains(&at) {
            return None;
        }
        // Within the text of an operand, it is the start.
        let next = origins.partition_point(|origin| origin.end <= at);
        let next = match origins.get(next) {
            Some(origin) if origin.start < at => {
                // The first byte with this origin.
                origins.partition_point(|other| other.start < origin.start)
            }
            _ => next,
        };
        Some(header + next)
    }

    /// Returns a part of the text as the document writes it.
    pub fn written(&self, text: &str) -> String {
        match &self.place {
            Place::Document => text.into(),
            Place::Template { substitutes, .. } => substitutes.restore(text),
        }
    }

    /// Returns whether a name is declared for an operand number that the template does not have.
    pub fn is_unwritable(&self, name: &str) -> bool {
        let Place::Template { substitutes, .. } = &self.place else { return false };
        substitutes.operand(name).is_some_and(|number| number >= substitutes.operand_count())
    }

    /// Returns the token at an offset.
    pub fn token_at(&self, at: usize) -> Option<&Token> {
        self.recorded.token_at(at)
    }

    /// Returns the bytes of a token.
    pub fn str(&self, span: &Range<usize>) -> &str {
        self.text.get(span.clone()).unwrap_or_default()
    }

    /// Returns the name of a token, without quotes.
    pub fn name(&self, token: &Token) -> &str {
        self.str(&token.name(self.text.as_bytes()))
    }

    /// Returns whether two tokens are the same name.
    pub fn is_same(&self, token: &Token, other: &Token) -> bool {
        match (token.referent(), other.referent()) {
            (Some(Referent::Unknown), _) | (_, None) => false,
            (Some(a), Some(b)) if a == b => match a {
                Referent::Label { .. } | Referent::Function | Referent::Kernel => {
                    self.name(token) == self.name(other)
                }
                _ => true,
            },
            _ => false,
        }
    }

    /// Returns the tokens that are the same name as a token, in the order of the text.
    pub fn uses<'p, 't>(
        &'p self,
        token: &'t Token,
    ) -> impl Iterator<Item = &'p Token> + use<'p, 't> {
        let range = match token.referent() {
            Some(Referent::Declared { routine, .. } | Referent::Label { routine }) => {
                let routine = self.recorded.routines.get(routine as usize);
                routine.map(|routine| self.recorded.tokens_in(&routine.span))
            }
            _ => None,
        };
        let tokens = match range {
            Some(range) => &self.recorded.tokens[range],
            None => &self.recorded.tokens,
        };
        tokens.iter().filter(move |other| self.is_same(token, other))
    }

    /// Returns the token that declares a name.
    pub fn definition<'p>(&'p self, token: &Token) -> Option<&'p Token> {
        self.uses(token).find(|token| token.is_definition())
    }

    /// Returns the line that contains an offset, without its comment and blanks.
    pub fn statement(&self, at: usize) -> &str {
        let start = self.text[..at].rfind('\n').map_or(0, |end| end + 1);
        let end = self.text[at..].find('\n').map_or(self.text.len(), |len| at + len);
        let tokens = &self.recorded.tokens[self.recorded.tokens_in(&(start..end))];
        let is_comment =
            |token: &&Token| matches!(token.kind, TokenKind::Comment | TokenKind::Annotation);
        let end = tokens.iter().find(is_comment).map_or(end, |comment| comment.span.start);
        self.text[start..end].trim()
    }

    /// Returns the instruction whose line contains an offset at or after its mnemonic.
    pub fn instruction_at(&self, at: usize) -> Option<&RecordedInstruction> {
        self.recorded.instruction_at(self.text.as_bytes(), at)
    }

    /// Returns the operands of an instruction.
    pub fn operands(&self, instruction: &RecordedInstruction) -> &[RecordedOperand] {
        self.recorded.operands.get(instruction.operands.clone()).unwrap_or_default()
    }

    /// Returns the analysis of the routine at an offset, unless the routine has errors.
    pub fn analysis_at(&self, at: usize) -> Option<Rc<RoutineAnalysis>> {
        let recorded = self.recorded.routine_at(at)?;
        let mut analyses = self.analyses.borrow_mut();
        analyses.entry(recorded).or_insert_with(|| self.analyze(recorded).map(Rc::new)).clone()
    }

    fn analyze(&self, recorded: usize) -> Option<RoutineAnalysis> {
        let document = &self.recorded.document;
        let header = &self.recorded.routines.get(recorded)?.header;
        let indices = self.indices.get_or_init(|| {
            let headers = (0..).map_while(|index| document.source_map.routine(index));
            headers.zip(0..).collect()
        });
        let index = *indices.get(header)?;
        let routine = document.module.routine(index)?;
        let registers = routine.body.register_size(self.platform);
        let analysis = Analysis::new(&routine, registers).ok()?;
        Some(RoutineAnalysis { routine: index, analysis })
    }

    /// Returns the index of the instruction that contains an offset.
    pub fn index_of(&self, routine: &RoutineAnalysis, at: usize) -> Option<usize> {
        let document = &self.recorded.document;
        let count = routine.analysis.instructions.len();
        let span = |index| document.source_map.instruction(routine.routine, index);
        let (mut low, mut high) = (0, count);
        while low < high {
            let middle = low.midpoint(high);
            match span(middle)?.start <= at {
                true => low = middle + 1,
                false => high = middle,
            }
        }
        let index = low.checked_sub(1)?;
        let span = span(index)?;
        (at <= span.end).then_some(index)
    }

    /// Returns the span of an instruction.
    pub fn span_of(&self, routine: &RoutineAnalysis, index: usize) -> Option<Range<usize>> {
        self.recorded.document.source_map.instruction(routine.routine, index)
    }

    /// Returns the instruction of an index.
    pub fn instruction<'a>(
        &self,
        routine: &'a RoutineAnalysis,
        index: usize,
    ) -> Option<&'a Instruction> {
        routine.analysis.instructions.get(index)
    }
}
