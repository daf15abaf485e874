//! Printing of instructions: the printer of names and ids, and the loop over the items of a row.

mod operands;

pub(super) use operands::{GRF, is_immediate};

use super::Style;
use super::items::{self, Item, Suffix, Word};
use super::line::Line;
use super::mnemonics::prefix;
use super::names::{Names, Spelling, StateName};
use super::quirk::Quirk;
use crate::format::Format;
use crate::isa::lsc::{LscTyped, LscUntyped, lsc_typed_table, lsc_untyped_table};
use crate::isa::svm::{Svm, svm_table};
use crate::isa::va::{Va, va_table};
use crate::isa::va_skl_plus::{VaSklPlus, va_skl_plus_table};
use crate::isa::{Instruction, instruction_table, mnemonic};
use crate::operand::{AddrId, DataType, LabelId, PredId, SamplerId, StringId, SurfaceId, VarId};

/// A printer of instructions.
pub(super) struct Printer<'n> {
    pub(super) line: Line,
    /// Whether the text omits part of the instruction, so that the line needs its bytes.
    pub(super) is_incomplete: bool,
    /// Whether `.sat` was printed and belongs to the next destination.
    pub(super) has_pending_sat: bool,
    /// Whether the current LSC message has digits in upper case.
    pub(super) is_upper_case: bool,
    /// Whether an annotation refers to the string pool by index.
    pub(super) needs_string_pool: bool,
    pub(super) style: Style,
    pub(super) format: Format,
    /// The names of the routine. Without them, ids are printed.
    pub(super) names: Option<&'n Names<'n>>,
}

/// A field that can be printed.
pub(super) trait Print {
    /// Prints the field.
    fn print(&self, p: &mut Printer<'_>);

    /// Prints a space and the field.
    #[inline]
    fn operand(&self, p: &mut Printer<'_>) {
        p.line.ch(' ');
        self.print(p);
    }

    /// Returns whether this is a destination that saturates.
    fn saturates(&self) -> bool {
        false
    }
}

/// An absent field prints nothing.
impl<T: Print> Print for Option<T> {
    fn print(&self, p: &mut Printer<'_>) {
        if let Some(field) = self {
            field.print(p);
        }
    }

    fn operand(&self, p: &mut Printer<'_>) {
        if let Some(field) = self {
            field.operand(p);
        }
    }
}

impl<'n> Printer<'n> {
    pub(super) fn new(style: Style, format: Format, names: Option<&'n Names<'n>>) -> Self {
        Printer {
            line: Line::default(),
            is_incomplete: false,
            has_pending_sat: false,
            is_upper_case: false,
            needs_string_pool: false,
            style,
            format,
            names,
        }
    }

    /// Returns whether the style has a quirk.
    #[inline]
    pub(super) fn has(&self, _: Quirk) -> bool {
        self.style == Style::Reference
    }

    /// Returns whether the text is that of version 4.2.
    pub(super) fn is_v4_2(&self) -> bool {
        self.format == Format::V4_2
    }

    /// Marks the text as incomplete if it omits part of the instruction.
    #[inline]
    pub(super) fn omit_if(&mut self, is_omitted: bool) {
        self.is_incomplete |= is_omitted;
    }

    #[inline]
    pub(super) fn var(&mut self, id: VarId) {
        if let Some(name) = id.predefined_name() {
            return self.line.push(name);
        }
        match self.names.and_then(|names| names.variable(id)) {
            Some(name) => self.name(name),
            None => self.undeclared('V', id.0),
        }
    }

    /// Prints a name.
    #[inline]
    pub(super) fn name(&mut self, name: Spelling) {
        if let Some(names) = self.names {
            names.string_index.print(name.text, &mut self.line);
        }
        self.suffix(name);
    }

    /// Prints a name with the escapes of a quoted string.
    pub(super) fn quoted_name(&mut self, name: Spelling) {
        if let Some(names) = self.names {
            self.line.escaped(names.string_index.text(name.text));
        }
        self.suffix(name);
    }

    #[inline]
    fn suffix(&mut self, name: Spelling) {
        if let Some(suffix) = name.suffix {
            self.id('_', suffix);
        }
    }

    /// Returns a string of the pool, and whether no earlier string is equal to it.
    pub(super) fn string(&self, index: u32) -> Option<(&'n [u8], bool)> {
        let names = self.names?;
        let (bytes, is_first) = names.string_index.get(StringId(index))?;
        if bytes.is_empty() && self.has(Quirk::EmptyStringIsFirst) {
            return Some((names.first_of_builder(), is_first));
        }
        Some((bytes, is_first))
    }

    pub(super) fn addr(&mut self, id: AddrId) {
        match self.names {
            Some(names) if usize::from(id.0) < names.body().addresses.len() => {
                match names.address(id) {
                    Some(name) => self.name(name),
                    None => self.id('A', id.0),
                }
            }
            _ => self.undeclared('A', id.0.into()),
        }
    }

    pub(super) fn pred_name(&mut self, id: PredId) {
        match self.names {
            Some(names) if names.has_predicate(id) => match names.predicate(id) {
                Some(name) => self.name(name),
                None => self.id('P', id.0),
            },
            _ => self.undeclared('P', id.0.into()),
        }
    }

    pub(super) fn surface(&mut self, id: u16) {
        match u8::try_from(id).ok().and_then(|id| SurfaceId(id).predefined_name()) {
            Some(name) => self.line.push(name),
            None => self.surface_number(id),
        }
    }

    /// Prints a surface by its name or its number, even if it is predefined.
    pub(super) fn surface_number(&mut self, id: u16) {
        let name = self.names.and_then(|names| names.surface(id));
        self.state_name('T', id, name, id < SurfaceId::FIRST_DECLARED.0.into());
    }

    pub(super) fn sampler(&mut self, id: u16) {
        let name = self.names.and_then(|names| names.sampler(id));
        self.state_name('S', id, name, id == SamplerId::BINDLESS.0.into());
    }

    fn state_name(&mut self, class: char, id: u16, name: Option<StateName>, is_predefined: bool) {
        match name {
            Some(StateName { symbol: Some(symbol), .. }) => self.name(symbol),
            None if !is_predefined => self.undeclared(class, id.into()),
            _ => self.id(class, id),
        }
    }

    /// Prints an id that the routine does not declare, so that the text has no name for it.
    pub(super) fn undeclared(&mut self, prefix: char, id: u32) {
        self.id(prefix, id);
        if let Some(names) = self.names {
            (0..names.underscores(prefix, id)).for_each(|_| self.line.ch('_'));
            self.is_incomplete = true;
        }
    }

    pub(super) fn id(&mut self, prefix: char, id: impl Into<u64>) {
        self.line.ch(prefix);
        self.line.dec(id);
    }

    /// Prints the name of an id, whose class is given by its letter.
    pub(super) fn reference(&mut self, class: char, id: u32) {
        let short = u16::try_from(id).unwrap_or(u16::MAX);
        match class {
            'V' => self.var(VarId(id)),
            'A' => self.addr(AddrId(short)),
            'P' => self.pred_name(PredId(short)),
            'L' => self.label(LabelId(short), Suffix::Never),
            'S' if id == short.into() => self.sampler(short),
            'T' if id == short.into() => self.surface_number(short),
            _ => self.id(class, id),
        }
    }

    /// Returns the type of a variable, if it is known.
    pub(super) fn type_of(&self, id: VarId) -> Option<DataType> {
        id.predefined_type().or_else(|| self.names?.type_of(id))
    }
}

/// Turns the fields of a row without `as [..]` into items, and passes them to the macro `$items`.
#[rustfmt::skip]
macro_rules! usual_items {
    ($items:ident ($($args:tt)*) [$($pred:tt)?] [$($sat:tt)?] [$($exec:tt)?] [$($rest:tt)*]) => {
        $items!($($args)*; $($pred)? @ $($sat)? $($exec)? $($rest)*);
    };
    ($items:ident $args:tt [] $sat:tt $exec:tt $rest:tt pred $($more:tt)*) => {
        usual_items!($items $args [pred] $sat $exec $rest $($more)*);
    };
    ($items:ident $args:tt $pred:tt $sat:tt [] $rest:tt exec $($more:tt)*) => {
        usual_items!($items $args $pred $sat [exec] $rest $($more)*);
    };
    ($items:ident $args:tt $pred:tt [] $exec:tt [$($rest:tt)*] dst $($more:tt)*) => {
        usual_items!($items $args $pred [sat] $exec [$($rest)* dst] $($more)*);
    };
    ($items:ident $args:tt $pred:tt $sat:tt $exec:tt [$($rest:tt)*] $field:ident $($more:tt)*) => {
        usual_items!($items $args $pred $sat $exec [$($rest)* $field] $($more)*);
    };
}

pub(super) use usual_items;

/// Prints the items of an `as [..]`. The comment of the instruction table describes each of them.
macro_rules! items {
    ($p:ident, $i:ident, $mnemonic:expr;) => {};
    ($p:ident, $i:ident, $mnemonic:expr; pred $($rest:tt)*) => {
        $p.pred_prefix(&$i.pred);
        items!($p, $i, $mnemonic; $($rest)*);
    };
    ($p:ident, $i:ident, $mnemonic:expr; @ $($rest:tt)*) => {
        $p.line.push($mnemonic);
        items!($p, $i, $mnemonic; $($rest)*);
    };
    ($p:ident, $i:ident, $mnemonic:expr; sat $($rest:tt)*) => {
        if $i.dst.saturates() {
            $p.line.push(".sat");
            $p.has_pending_sat = true;
        }
        items!($p, $i, $mnemonic; $($rest)*);
    };
    ($p:ident, $i:ident, $mnemonic:expr; . $field:ident $($rest:tt)*) => {
        $p.line.ch('.');
        $i.$field.print($p);
        items!($p, $i, $mnemonic; $($rest)*);
    };
    ($p:ident, $i:ident, $mnemonic:expr; ($field:ident) $($rest:tt)*) => {
        $i.$field.print($p);
        items!($p, $i, $mnemonic; $($rest)*);
    };
    ($p:ident, $i:ident, $mnemonic:expr; {@ $word:ident $($field:ident)?} $($rest:tt)*) => {
        <items::$word as Word<_>>::print($p, &(*$i)$(.$field)?);
        items!($p, $i, $mnemonic; $($rest)*);
    };
    ($p:ident, $i:ident, $mnemonic:expr; {$item:ident $($field:ident)?} $($rest:tt)*) => {
        <items::$item as Item<_>>::print($p, &(*$i)$(.$field)?);
        items!($p, $i, $mnemonic; $($rest)*);
    };
    ($p:ident, $i:ident, $mnemonic:expr; {$item:ident $($field:ident)+} $($rest:tt)*) => {
        <items::$item as Item<_>>::print($p, &($($i.$field),+));
        items!($p, $i, $mnemonic; $($rest)*);
    };
    ($p:ident, $i:ident, $mnemonic:expr; $text:literal $($rest:tt)*) => {
        $p.line.push($text);
        items!($p, $i, $mnemonic; $($rest)*);
    };
    ($p:ident, $i:ident, $mnemonic:expr; $field:ident $($rest:tt)*) => {
        $i.$field.operand($p);
        items!($p, $i, $mnemonic; $($rest)*);
    };
}

macro_rules! print_row {
    ($p:ident, $i:ident, $mnemonic:expr, $body:tt, [$($items:tt)*]) => {{
        items!($p, $i, $mnemonic; $($items)*);
    }};
    ($p:ident, $i:ident, $mnemonic:expr, (family)) => {
        $i.print($p)
    };
    ($p:ident, $i:ident, $mnemonic:expr, {
        $($field:ident: $ty:ty $([$($gate:tt)+])?),* $(,)?
    }) => {{
        usual_items!(items ($p, $i, $mnemonic) [] [] [] [] $($field)*);
        let _ = $i;
    }};
}

macro_rules! instruction_printer {
    ($(
        $(#[$doc:meta])*
        $op:literal $([$($dialects:ident)+])? $name:ident $($mnemonic:literal)? $method:ident $body:tt
        is $kind:ident $(($signature:ident))?
        $(as $text:tt)?
        $(manual $manual:tt)?
    )*) => {
        impl Print for Instruction {
            fn print(&self, p: &mut Printer<'_>) {
                match self {
                    $(Instruction::$name(inner) => {
                        $(if p.format.is_manual() {
                            print_row!(p, inner, "", $body, $manual);
                            return;
                        })?
                        print_row!(p, inner, mnemonic!($($mnemonic)? $method), $body $(, $text)?)
                    })*
                }
            }
        }
    };
}

instruction_table!(instruction_printer);

macro_rules! family_printer {
    (
        $(#[$doc:meta])*
        $family:ident $what:literal {
            $(
                $(#[$row_doc:meta])*
                $op:literal $name:ident $method:ident $mnemonic:literal $body:tt $(as $text:tt)?
            )*
        }
    ) => {
        impl Print for $family {
            fn print(&self, p: &mut Printer<'_>) {
                match self {
                    $($family::$name(inner) => print_row!(
                        p, inner, concat!(prefix!($family), $mnemonic), $body $(, $text)?
                    ),)*
                }
            }
        }
    };
}

svm_table!(family_printer);
va_table!(family_printer);
va_skl_plus_table!(family_printer);

macro_rules! layout_printer {
    (
        $(#[$doc:meta])*
        $family:ident $what:literal {
            $(
                $(#[$row_doc:meta])*
                $name:ident $mnemonic:literal $ops:tt $newer_ops:tt $newest_ops:tt as $text:tt
            )*
        }
    ) => {
        impl Print for $family {
            fn print(&self, p: &mut Printer<'_>) {
                match self {
                    $($family::$name(inner) => print_row!(p, inner, "", {}, $text),)*
                }
            }
        }
    };
}

lsc_untyped_table!(layout_printer);
lsc_typed_table!(layout_printer);
