//! Printing of single lines of a routine.

use alloc::string::String;

use super::listing::print_line;
use crate::format::Format;
use crate::isa::{Id, Instruction};
use crate::object::{AliasScope, Attribute, Body, Input, LabelInfo, SimpleVariable, Variable};
use crate::operand::{LabelId, VarId};
use crate::text::context::{Print, Printer};
use crate::text::names::Names;
use crate::text::operands::Suffix;
use crate::text::rows::{RESERVED, print_instruction_bytes};
use crate::text::statements::annotations;
use crate::text::words::{Directive, Style};

/// Returns the text of an instruction with ids for names, such as `V32`, if the text determines the
/// instruction.
///
/// Returns `None` if the listing of the instruction needs an annotation: for example, if a code has no
/// name.
///
/// ```
/// use genvisa::isa::Loc;
/// use genvisa::text::complete_text;
/// use genvisa::Format;
///
/// let loc = Loc { line_number: 7 }.into();
/// assert_eq!(complete_text(&loc, Format::default()).as_deref(), Some("LOC 7"));
/// ```
pub fn complete_text(instruction: &Instruction, format: Format) -> Option<String> {
    let mut p = Printer::new(Style::Complete, format, None);
    instruction.print(&mut p);
    (!p.is_incomplete).then(|| p.line.as_str().into_owned())
}

/// The names of a routine's variables, labels and surfaces, for a [`LinePrinter`].
pub struct LineNames<'b>(Names<'b>);

impl<'b> LineNames<'b> {
    /// Returns the names that a complete [`Listing`](super::Listing) of a routine prints.
    pub fn new(body: &'b Body<'b>, format: Format) -> Self {
        LineNames(Names::new(body, b"", Style::Complete, format, &RESERVED))
    }
}

/// A printer of single lines of a routine, in the complete style and without line breaks.
///
/// A [`Listing`](super::Listing) prints a whole routine. This prints the parts that a caller selects,
/// which need not be in the tables of the routine:
///
/// ```
/// use genvisa::text::{self, LineNames, LinePrinter};
/// use genvisa::Format;
///
/// let source = "\
/// .version 3.6
/// .kernel \"k\"
/// .decl x v_type=G type=d num_elts=8 align=GRF
///     mov (M1, 8) x(0,0)<1> 0x2a:d
/// ";
/// let module = text::parse(source, Format::default())?;
/// let routine = module.routines().next().expect("a kernel");
/// let names = LineNames::new(routine.body, module.format);
/// let mut lines = LinePrinter::new(&names, module.format);
/// for item in routine.instructions() {
///     let (_, instruction) = item?;
///     assert_eq!(lines.instruction(&instruction, module.format), "    mov (M1, 8) x(0,0)<1> 0x2a:d");
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// Names of the string pool are not annotated.
pub struct LinePrinter<'n> {
    p: Printer<'n>,
}

impl<'n> LinePrinter<'n> {
    /// Returns a printer of a routine's lines.
    pub fn new(names: &'n LineNames<'n>, format: Format) -> Self {
        LinePrinter { p: Printer::new(Style::Complete, format, Some(&names.0)) }
    }

    fn line(&mut self, print: impl FnOnce(&mut Printer<'n>)) -> String {
        self.p.line.clear();
        self.p.is_incomplete = false;
        print(&mut self.p);
        self.p.line.as_str().into_owned()
    }

    /// Returns the line of an instruction, with its bytes if the text is incomplete.
    pub fn instruction(&mut self, instruction: &Instruction, format: Format) -> String {
        self.line(|p| {
            p.format = format;
            print_line(p, instruction);
            // The label of a subroutine follows on another line; the first line names it too.
            if let Some(end) = p.line.bytes().iter().position(|byte| *byte == b'\n') {
                p.line.truncate(end);
            }
            if p.is_incomplete {
                let bytes = instruction.to_bytes(format).unwrap_or_default();
                print_instruction_bytes(p, instruction, &bytes);
            }
        })
    }

    /// Returns the definition of a label.
    pub fn label(&mut self, id: LabelId) -> String {
        self.line(|p| p.label(id, Suffix::Never))
    }

    /// Returns the declaration of a general variable.
    pub fn variable(&mut self, id: VarId, variable: &Variable) -> String {
        self.line(|p| {
            let names = p.names;
            let alias = variable.alias;
            let is_known = alias.predefined_name().is_some()
                || names.is_some_and(|names| names.variable(alias).is_some());
            // The order of declarations does not matter here.
            let has_alias =
                variable.alias_scope == AliasScope::LOCAL && alias != VarId::NULL && is_known;
            p.variable_declaration(id, variable, has_alias);
            annotations::variable_properties(p, variable, has_alias);
        })
    }

    /// Returns the declaration of an address, predicate, sampler or surface variable.
    pub fn simple(&mut self, id: Id, variable: &SimpleVariable) -> String {
        self.line(|p| {
            p.simple_declaration(id.class.letter(), variable, |p| p.reference(id), |_| {});
        })
    }

    /// Returns the properties of a label, as in annotations.
    pub fn label_properties(&mut self, id: LabelId, label: &LabelInfo) -> String {
        self.line(|p| {
            p.line.push("//@ label ");
            p.label(id, Suffix::Never);
            p.line.push(" kind=");
            p.line.dec(label.kind.bits());
            p.declared_attributes(&label.attributes);
        })
    }

    /// Returns the line of an input.
    pub fn input(&mut self, input: &Input, body: &Body<'_>) -> String {
        self.line(|p| match annotations::is_declared(input, body) {
            true => p.input(input),
            false => annotations::input(p, input),
        })
    }

    /// Returns the line of an attribute of the routine.
    pub fn attribute(&mut self, attribute: &Attribute) -> String {
        self.line(|p| {
            p.directive(Directive::KernelAttr);
            p.attribute(attribute);
        })
    }
}
