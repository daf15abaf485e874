//! Printing of instructions: the printer of names and ids, and the loop over the items of a row.

use super::row_items::row_items;
use crate::isa::lsc::{LscTyped, LscUntyped, lsc_typed_table, lsc_untyped_table};
use crate::isa::prefix;
use crate::isa::svm::{Svm, svm_table};
use crate::isa::va::{Va, va_table};
use crate::isa::va_skl_plus::{VaSklPlus, va_skl_plus_table};
use crate::isa::{Instruction, instruction_table, mnemonic};
use crate::text::context::{Print, Printer};
use crate::text::items::{self, Item, Word};

macro_rules! print_items {
    ([$p:ident $i:ident $mnemonic:expr] $($item:tt)*) => {
        $(print_item!($p, $i, $mnemonic, $item);)*
    };
}

macro_rules! print_item {
    ($p:ident, $i:ident, $mnemonic:expr, [pred]) => {
        $p.pred_prefix(&$i.pred)
    };
    ($p:ident, $i:ident, $mnemonic:expr, [mnemonic $(!)?]) => {
        $p.line.push($mnemonic)
    };
    ($p:ident, $i:ident, $mnemonic:expr, [word_of $word:ident $($field:ident)?]) => {
        <items::$word as Word<_>>::print($p, &(*$i)$(.$field)?)
    };
    ($p:ident, $i:ident, $mnemonic:expr, [sat]) => {
        if $i.dst.saturates() {
            $p.line.push(".sat");
            $p.has_pending_sat = true;
        }
    };
    ($p:ident, $i:ident, $mnemonic:expr, [operand $field:ident]) => {
        $i.$field.operand($p)
    };
    ($p:ident, $i:ident, $mnemonic:expr, [suffix $field:ident]) => {
        $p.line.ch('.');
        $i.$field.print($p)
    };
    ($p:ident, $i:ident, $mnemonic:expr, [joined $field:ident]) => {
        $i.$field.print($p)
    };
    ($p:ident, $i:ident, $mnemonic:expr, [item $item:ident $($field:ident)?]) => {
        <items::$item as Item<_>>::print($p, &(*$i)$(.$field)?)
    };
    ($p:ident, $i:ident, $mnemonic:expr, [item $item:ident $($field:ident)+]) => {
        <items::$item as Item<_>>::print($p, &($($i.$field),+))
    };
    // A text, also one that replaces the mnemonic.
    ($p:ident, $i:ident, $mnemonic:expr, [$kind:ident $text:literal]) => {
        $p.line.push($text)
    };
}

macro_rules! print_row {
    ($p:ident, $i:ident, $mnemonic:expr, (family)) => {
        $i.print($p)
    };
    ($p:ident, $i:ident, $mnemonic:expr, $body:tt $(, $text:tt)?) => {{
        row_items!(print_items [$p $i $mnemonic] $body $($text)?);
        let _ = $i;
    }};
}

macro_rules! instruction_printer {
    ($({
        $doc:tt $op:literal $dialects:tt $name:ident $words:tt $body:tt
        $kind:tt $on:tt $moves:tt [$($text:tt)?] [$($manual:tt)?]
    })*) => {
        impl Print for Instruction {
            fn print(&self, p: &mut Printer<'_>) {
                match self {
                    $(Instruction::$name(inner) => {
                        $(if p.format.is_manual() {
                            print_row!(p, inner, "", $body, $manual);
                            return;
                        })?
                        print_row!(p, inner, mnemonic! $words, $body $(, $text)?)
                    })*
                }
            }
        }
    };
}

instruction_table!(instruction_printer);

macro_rules! family_printer {
    ($module:ident $doc:tt $family:ident $what:literal $({
        $row_doc:tt $op:tt $name:ident $method:tt $mnemonic:literal $body:tt $moves:tt
        [$($text:tt)?]
    })*) => {
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
lsc_untyped_table!(family_printer);
lsc_typed_table!(family_printer);
