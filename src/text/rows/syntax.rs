//! The texts of the rows of the instruction table: their documentation, and their parts.

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;

use super::mnemonics;
use super::row_items::row_items;
use crate::format::Dialect;
use crate::isa::lsc::{self, lsc_typed_table, lsc_untyped_table};
use crate::isa::svm::{self, svm_table};
use crate::isa::va::{self, va_table};
use crate::isa::va_skl_plus::{self, va_skl_plus_table};
use crate::isa::{self, Layout, instruction_table, prefix};
use crate::text::items;
use crate::text::recorder::{RowText, Syntax, SyntaxPart};

/// Turns the items of a row into an array of [`SyntaxPart`]s.
#[rustfmt::skip]
macro_rules! syntax_parts {
    ([] $($item:tt)*) => { &[$(syntax_part!($item),)*] };
}

#[rustfmt::skip]
macro_rules! syntax_part {
    ([pred]) => { SyntaxPart::Predicate };
    ([mnemonic $(!)?]) => { SyntaxPart::Mnemonic };
    ([word $word:literal]) => { SyntaxPart::Mnemonic };
    ([word_of $($word:ident)+]) => { SyntaxPart::Mnemonic };
    ([sat]) => { SyntaxPart::Saturation };
    ([operand $field:ident]) => { SyntaxPart::Operand(stringify!($field)) };
    ([suffix $field:ident]) => { SyntaxPart::Suffix(stringify!($field)) };
    ([joined $field:ident]) => { SyntaxPart::Joined(stringify!($field)) };
    ([text $text:literal]) => { SyntaxPart::Text($text) };
    ([item $item:ident $($field:ident)*]) => {
        SyntaxPart::Item {
            fields: concat!("", $(stringify!($field), " "),*),
            syntax: items::$item::SYNTAX,
        }
    };
}

#[rustfmt::skip]
macro_rules! row_parts {
    ((family)) => { &[] };
    ($body:tt $(, $text:tt)?) => { row_items!(syntax_parts [] $body $($text)?) };
}

macro_rules! doc {
    ([$(#[doc = $doc:literal])*]) => {
        concat!($($doc, "\n"),*)
    };
}

macro_rules! row_text {
    ($doc:tt $module:ident $name:ident (family)) => {
        RowText { name: stringify!($name), doc: doc!($doc), parts: &[], fields: &[] }
    };
    ($doc:tt $module:ident $name:ident $body:tt $($text:tt)?) => {
        RowText {
            name: stringify!($name),
            doc: doc!($doc),
            parts: row_parts!($body $(, $text)?),
            fields: <$module::$name as Layout>::FIELDS,
        }
    };
}

macro_rules! instruction_texts {
    ($({
        $doc:tt $op:literal $dialects:tt $name:ident $words:tt $body:tt
        $kind:tt $on:tt $moves:tt [$($text:tt)?] [$($manual:tt)?]
    })*) => {
        static ROWS: &[(u8, RowText)] = &[
            $(($op, row_text!($doc isa $name $body $($text)?)),)*
        ];

        /// The rows that have another text in dialect `Manual`.
        static MANUAL_ROWS: &[(u8, RowText)] = &[
            $($(($op, row_text!($doc isa $name $body $manual)),)?)*
        ];
    };
}

instruction_table!(instruction_texts);

macro_rules! family_texts {
    ($module:ident $doc:tt $family:ident $what:literal $({
        $row_doc:tt $op:tt $name:ident $method:tt $mnemonic:literal $body:tt $moves:tt
        [$($text:tt)?]
    })*) => {
        pub(super) static $family: &[RowText] = &[
            $(row_text!($row_doc $module $name $body $($text)?),)*
        ];
    };
}

/// The layouts of each family.
#[allow(non_upper_case_globals)]
mod families {
    use super::*;

    svm_table!(family_texts);
    va_table!(family_texts);
    va_skl_plus_table!(family_texts);
    lsc_untyped_table!(family_texts);
    lsc_typed_table!(family_texts);
}

/// Returns the text of the row of an opcode.
pub(super) fn of_opcode(opcode: u8, is_manual: bool) -> Option<&'static RowText> {
    let manual = MANUAL_ROWS.iter().filter(|_| is_manual);
    manual.chain(ROWS).find(|(other, _)| *other == opcode).map(|(_, row)| row)
}

/// Returns the text of a layout of a family.
pub(super) fn of_layout(family: &str, name: &str) -> Option<&'static RowText> {
    let rows = match family {
        "Svm" => families::Svm,
        "Va" => families::Va,
        "VaSklPlus" => families::VaSklPlus,
        "LscUntyped" => families::LscUntyped,
        _ => families::LscTyped,
    };
    rows.iter().find(|row| row.name == name)
}

/// Returns the text of the row of an opcode or, in a family of instructions, of the layout of a name
/// ([`SubSpec::name`](isa::SubSpec::name)).
pub fn row_text(opcode: u8, layout: Option<&str>, dialect: Dialect) -> Option<&'static RowText> {
    let row = of_opcode(opcode, dialect == Dialect::Manual)?;
    match layout {
        Some(layout) => of_layout(row.name, layout),
        None => Some(row),
    }
}

/// Returns the texts of the rows that begin with a mnemonic. The mnemonic of a message to the
/// load-store cache can begin several.
pub fn row_texts(mnemonic: &str, dialect: Dialect) -> impl Iterator<Item = &'static RowText> {
    let of_op = |family: &'static str, layouts: &'static [isa::SubSpec], prefix: &'static str| {
        let op = mnemonic.strip_prefix(prefix).map(String::from);
        let code = op.as_deref().and_then(items::lsc_op).filter(|_| prefix == prefix!(Lsc));
        layouts.iter().filter_map(move |layout| {
            let is_layout = match code {
                Some(code) => {
                    let lists =
                        [layout.sub_opcodes, layout.newer_sub_opcodes, layout.newest_sub_opcodes];
                    lists.iter().any(|codes| codes.contains(&code.bits()))
                }
                None => op.as_deref() == Some(layout.mnemonic),
            };
            is_layout.then(|| of_layout(family, layout.name)).flatten()
        })
    };
    let opcode = mnemonics::opcode_of(mnemonic, dialect);
    let row = opcode.and_then(|opcode| of_opcode(opcode, dialect == Dialect::Manual));
    row.into_iter()
        .chain(of_op("Svm", isa::Svm::SPEC, prefix!(Svm)))
        .chain(of_op("LscUntyped", isa::LscUntyped::SPEC, prefix!(Lsc)))
        .chain(of_op("LscTyped", isa::LscTyped::SPEC, prefix!(Lsc)))
}

impl RowText {
    /// Returns the syntax with a mnemonic. Optional parts are in brackets.
    pub fn syntax(&self, mnemonic: &str) -> Syntax {
        let mut text = String::new();
        let mut operands = Vec::new();
        let operation = mnemonic.strip_prefix(prefix!(Lsc)).and_then(items::lsc_op);
        for part in self.parts {
            let names = || part.fields().collect::<Vec<_>>().join(",");
            let (before, name) = match part {
                SyntaxPart::Predicate => ("", "[(pred)] ".to_owned()),
                SyntaxPart::Mnemonic => ("", mnemonic.to_owned()),
                SyntaxPart::Saturation => ("", "[.sat]".to_owned()),
                SyntaxPart::Text(fixed) => ("", (*fixed).to_owned()),
                SyntaxPart::Suffix(_) => (".", names()),
                SyntaxPart::Joined(_) => ("", names()),
                SyntaxPart::Operand("exec") => (" ", "(exec)".to_owned()),
                SyntaxPart::Operand(_) => (" ", names()),
                SyntaxPart::Item { syntax, .. } => {
                    let syntax = operation.map_or(*syntax, |op| items::lsc_syntax(syntax, op));
                    ("", syntax.replace("{}", &part.fields().collect::<Vec<_>>().join("+")))
                }
            };
            // One blank is enough for readers.
            text += if text.ends_with(' ') { before.trim_start() } else { before };
            let start = text.len();
            let is_blank = text.is_empty() || text.ends_with(' ');
            let shown = name.trim_start_matches(' ');
            text += if !is_blank && shown.len() < name.len() { " " } else { "" };
            text += shown;
            let is_operand = matches!(
                part,
                SyntaxPart::Suffix(_)
                    | SyntaxPart::Joined(_)
                    | SyntaxPart::Operand(_)
                    | SyntaxPart::Item { .. }
            );
            if is_operand {
                operands.push((*part, start..text.len()));
            }
        }
        Syntax { text, operands }
    }
}
