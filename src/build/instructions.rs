//! The methods that add an instruction. Each row of the table without words has one.

use super::Builder;
use super::handle::{Lanes, Operand};
use crate::isa::record::gate_open;
use crate::isa::svm::{self, svm_table};
use crate::isa::va::{self, va_table};
use crate::isa::va_skl_plus::{self, va_skl_plus_table};
use crate::isa::{self, instruction_table};
use crate::operand::lsc::{LscFenceOp, LscScope, LscSfid};
use crate::operand::va::*;
use crate::operand::*;

/// The type of the argument for a field.
macro_rules! argument {
    (Exec) => { impl Into<Exec> };
    (Vector) => { impl Into<Operand<Vector>> };
    (Scalar) => { impl Into<Operand<Scalar>> };
    (Dst) => { impl Into<Operand<Dst>> };
    (CmpDst) => { impl Into<Operand<CmpDst>> };
    (AddressOf) => { impl Into<Operand<AddressOf>> };
    (Raw) => { impl Into<Operand<Raw>> };
    (RawDst) => { impl Into<Operand<RawDst>> };
    (Pred) => { impl Into<Operand<Pred>> };
    (SurfaceId) => { impl Into<Operand<SurfaceId>> };
    (SamplerId) => { impl Into<Operand<SamplerId>> };
    (LabelId) => { impl Into<Operand<LabelId>> };
    (StringId) => { &str };
    (ShortStringId) => { &str };
    (Relation) => { impl Into<Relation> };
    ($other:ident) => { $other };
}

/// The value of a field, from the argument.
macro_rules! field {
    ($k:ident, $arg:ident, Exec) => { $arg.into() };
    ($k:ident, $arg:ident, Relation) => { $arg.into() };
    ($k:ident, $arg:ident, Vector) => { field!(@ $k, $arg) };
    ($k:ident, $arg:ident, Scalar) => { field!(@ $k, $arg) };
    ($k:ident, $arg:ident, Dst) => { field!(@ $k, $arg) };
    ($k:ident, $arg:ident, CmpDst) => { field!(@ $k, $arg) };
    ($k:ident, $arg:ident, AddressOf) => { field!(@ $k, $arg) };
    ($k:ident, $arg:ident, Raw) => { field!(@ $k, $arg) };
    ($k:ident, $arg:ident, RawDst) => { field!(@ $k, $arg) };
    ($k:ident, $arg:ident, Pred) => { field!(@ $k, $arg) };
    ($k:ident, $arg:ident, SurfaceId) => { field!(@ $k, $arg) };
    ($k:ident, $arg:ident, SamplerId) => { field!(@ $k, $arg) };
    ($k:ident, $arg:ident, LabelId) => { field!(@ $k, $arg) };
    ($k:ident, $arg:ident, StringId) => { $k.body.intern($arg) };
    ($k:ident, $arg:ident, ShortStringId) => { $k.short_string($arg) };
    ($k:ident, $arg:ident, $other:ident) => { $arg };
    (@ $k:ident, $arg:ident) => { $k.field(stringify!($arg), $arg.into()) };
}

/// The value of a field, which may have a condition.
macro_rules! gate {
    ($k:ident, $value:expr) => { $value };
    ($k:ident, $value:expr, $($gate:tt)+) => {{
        let value = $value;
        $k.gated(gate_open!($k.format(), $($gate)+), value)
    }};
}

macro_rules! method {
    // `messages.rs` has the methods for LIFETIME, whose variable may be in three tables.
    ([$($doc:tt)*] $module:ident $name:ident, $method:ident { $properties:ident: LifetimeProperties, $($rest:tt)* }) => {};
    // It also has the methods for MEDIA_LD and MEDIA_ST, which have many fields.
    ([$($doc:tt)*] $module:ident $name:ident, $method:ident {
        $(#[$field_doc:meta])* modifiers: MediaModifier, $($rest:tt)*
    }) => {};
    ([$($doc:tt)*] $module:ident $name:ident, $method:ident { exec: Exec, pred: Pred $([$($gate:tt)+])? $(, $($rest:tt)*)? }) => {
        method! { @ [$($doc)*] $module $name, $method [] [$($($gate)+)?] { $($($rest)*)? } }
    };
    ([$($doc:tt)*] $module:ident $name:ident, $method:ident {
        $first:ident: $ty:ident, exec: Exec, pred: Pred $(, $($rest:tt)*)?
    }) => {
        method! { @ [$($doc)*] $module $name, $method [$first: $ty] [] { $($($rest)*)? } }
    };
    // Instructions with a predicate: exec and predicate are one argument.
    (@ [$($doc:tt)*] $module:ident $name:ident, $method:ident [$($first:ident: $first_ty:ident)?] [$($pred_gate:tt)*] {
        $($field:ident: $ty:ident $([$($gate:tt)+])?),* $(,)?
    }) => {
        #[doc = concat!(
            "Adds the instruction [`", stringify!($name), "`](", stringify!($module), "::",
            stringify!($name), ").",
        )]
        ///
        $($doc)*
        #[track_caller]
        pub fn $method(
            &mut self,
            $($first: argument!($first_ty),)?
            lanes: impl Into<Lanes>,
            $($field: argument!($ty)),*
        ) -> &mut Self {
            let k = self;
            let lanes = lanes.into();
            let pred = method!(@pred k, k.field("pred", lanes.pred), $($pred_gate)*);
            let instruction = $module::$name {
                $($first: field!(k, $first, $first_ty),)?
                exec: lanes.exec,
                pred,
                $($field: gate!(k, field!(k, $field, $ty) $(, $($gate)+)?)),*
            };
            k.push(instruction)
        }
    };
    (@pred $k:ident, $pred:expr,) => { $pred };
    (@pred $k:ident, $pred:expr, $($gate:tt)+) => { gate!($k, $pred, $($gate)+) };
    // Others: an argument per field.
    ([$($doc:tt)*] $module:ident $name:ident, $method:ident {
        $($(#[$field_doc:meta])* $field:ident: $ty:ident $([$($gate:tt)+])?),* $(,)?
    }) => {
        #[doc = concat!(
            "Adds the instruction [`", stringify!($name), "`](", stringify!($module), "::",
            stringify!($name), ").",
        )]
        ///
        $($doc)*
        #[track_caller]
        pub fn $method(&mut self, $($field: argument!($ty)),*) -> &mut Self {
            let k = self;
            let instruction =
                $module::$name { $($field: gate!(k, field!(k, $field, $ty) $(, $($gate)+)?)),* };
            k.push(instruction)
        }
    };
    ([$($doc:tt)*] $module:ident $name:ident, $method:ident $words_or_family:tt) => {};
}

macro_rules! instruction_methods {
    ($({
        [$($doc:tt)*] $op:literal $dialects:tt $name:ident [$($mnemonic:literal)? $method:ident $($page:literal)?] $body:tt
        $kind:tt $on:tt $moves:tt $text:tt $manual:tt
    })*) => {
        /// Methods that add instructions, in the order of the opcodes.
        #[allow(clippy::too_many_arguments)]
        impl Builder {
            $(method! { [$($doc)*] isa $name, $method $body })*
        }
    };
}

instruction_table!(instruction_methods);

macro_rules! family_methods {
    ($module:ident [$($doc:tt)*] $family:ident $what:literal $({
        [$($row_doc:tt)*] $op:tt $name:ident [$method:ident] $mnemonic:literal $body:tt $moves:tt $text:tt
    })*) => {
        $($doc)*
        #[allow(clippy::too_many_arguments)]
        impl Builder {
            $(method! { [$($row_doc)*] $module $name, $method $body })*
        }
    };
}

svm_table!(family_methods);
va_table!(family_methods);
va_skl_plus_table!(family_methods);
