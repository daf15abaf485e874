//! The macros that a field or a word of a row expands to. Each has an arm per kind of word and
//! condition.

/// The part of a condition that is about the format.
macro_rules! gate {
    () => {
        $crate::isa::Gate::Always
    };
    (if $($gate:tt)+) => {
        $crate::isa::Gate::Always
    };
    (times $($list:tt)+) => {
        $crate::isa::Gate::Always
    };
    (since $version:ident $(, else $($value:tt)+)?) => {
        $crate::isa::Gate::Since($crate::format::Version::$version)
    };
    (before $version:ident $(, else $($value:tt)+)?) => {
        $crate::isa::Gate::Before($crate::format::Version::$version)
    };
    (manual $(, else $($value:tt)+)?) => {
        $crate::isa::Gate::Manual
    };
    (not manual $(, else $($value:tt)+)?) => {
        $crate::isa::Gate::NotManual
    };
    (igc2026 $(, else $($value:tt)+)?) => {
        $crate::isa::Gate::Igc2026
    };
    (igc2026 since $version:ident $(, else $($value:tt)+)?) => {
        $crate::isa::Gate::Igc2026Since($crate::format::Version::$version)
    };
}

/// Evaluates a condition. For `is` and `has`, the word is a variable in scope, and its type an
/// alias of the same name.
macro_rules! gate_open {
    ($format:expr, if $word:ident has $flag:ident) => {
        $word.contains($word::$flag)
    };
    ($format:expr, if $word:ident is $value:ident) => {
        $word == $word::$value
    };
    ($format:expr, $($gate:ident)+) => {
        $crate::isa::record::gate!($($gate)+).is_open($format)
    };
}

/// The type of a field in the struct: the type in the row, or an `Option` of it.
macro_rules! field_type {
    ($ty:ident []) => { $ty };
    ($ty:ident [times $($list:tt)+]) => { $ty };
    ($ty:ident [$($gate:ident)+, else $($value:tt)+]) => { $ty };
    ($ty:ident [$($gate:tt)+]) => { Option<$ty> };
}

/// The name of the type of a field or word.
macro_rules! coding_name {
    (($ty:ty => $($part:ident),+)) => {
        stringify!($ty)
    };
    (($ty:ty = $value:expr)) => {
        stringify!($ty)
    };
    (($ty:ty)) => {
        stringify!($ty)
    };
    ($ty:ident) => {
        stringify!($ty)
    };
}

/// The type of a field or word in the documentation, with a link if it is public.
macro_rules! coding_doc {
    ($ty:ident) => {
        concat!("[`", stringify!($ty), "`]")
    };
    ($word:tt) => {
        concat!("`", $crate::isa::record::coding_name!($word), "`")
    };
}

macro_rules! when_doc {
    () => { "always" };
    ($($gate:tt)+) => { stringify!($($gate)+) };
}

/// The named values of a field.
#[cfg(feature = "text")]
macro_rules! values {
    ($coding:tt [times $($list:tt)+]) => {
        &[]
    };
    ($ty:ident $gate:tt) => {
        <$ty as $crate::wire::Wire>::VALUES
    };
    (($ty:ty $(=> $($part:ident),+)?) $gate:tt) => {
        <$ty as $crate::wire::Wire>::VALUES
    };
    (($ty:ty = $value:expr) $gate:tt) => {
        <$ty as $crate::wire::Wire>::VALUES
    };
}

/// The length of a field.
macro_rules! length {
    ($ty:ident []) => {
        <$ty as $crate::wire::Wire>::LENGTH
    };
    ($coding:tt $gate:tt) => {
        $crate::wire::Length::Other
    };
}

macro_rules! decode {
    ($self:ident, $r:ident, $word:ident: ($ty:ty => $($part:ident),+) []) => {
        $crate::isa::record::decode!($self, $r, $word: ($ty) []);
        ($($self.$part),+) = $word.into();
    };
    ($self:ident, $r:ident, $word:ident: ($ty:ty => $($part:ident),+) [$($gate:tt)+]) => {
        if $crate::isa::record::gate_open!($r.format(), $($gate)+) {
            $crate::isa::record::decode!($self, $r, $word: ($ty => $($part),+) []);
        }
    };
    ($self:ident, $r:ident, $word:ident: ($ty:ty = $value:expr) [$($gate:tt)+]) => {
        if $crate::isa::record::gate_open!($r.format(), $($gate)+) {
            $crate::isa::record::decode_count($r, stringify!($word), $value)?;
        }
    };
    ($self:ident, $r:ident, $word:ident: ($ty:ty) []) => {
        type $word = $ty;
        let mut $word = <$ty>::default();
        $r.field(stringify!($word), &mut $word)?;
    };
    ($self:ident, $r:ident, $field:ident: $ty:ident []) => {
        $r.field(stringify!($field), &mut $self.$field)?;
    };
    ($self:ident, $r:ident, $field:ident: $ty:ident [times $count:ident $(named $op:ident)?]) => {
        let names = $crate::isa::NO_NAMES;
        $(let names = $self.$op.params();)?
        $self.$field.decode_items($r, $count, names)?;
    };
    ($self:ident, $r:ident, $field:ident: $ty:ident [$($gate:ident)+, else as $word:ident]) => {
        if $crate::isa::record::gate_open!($r.format(), $($gate)+) {
            $r.field(stringify!($field), &mut $self.$field)?;
        }
    };
    ($self:ident, $r:ident, $field:ident: $ty:ident [$($gate:ident)+, else $value:ident]) => {
        if $crate::isa::record::gate_open!($r.format(), $($gate)+) {
            $r.field(stringify!($field), &mut $self.$field)?;
        } else {
            $self.$field = <$ty>::$value;
        }
    };
    ($self:ident, $r:ident, $field:ident: $ty:ident [$($gate:tt)+]) => {
        $self.$field = None;
        if $crate::isa::record::gate_open!($r.format(), $($gate)+) {
            $r.field(stringify!($field), $self.$field.insert(<$ty>::default()))?;
        }
    };
}

/// Declares a variable for a word, with the fields that it contains.
macro_rules! declare {
    ($self:ident, $word:ident: ($ty:ty => $($part:ident),+) []) => {
        type $word = $ty;
        let mut $word = <$ty>::from(($($self.$part),+));
    };
    ($self:ident, $word:ident: ($ty:ty) []) => {
        type $word = $ty;
        let mut $word = $crate::isa::record::closed_default::<$ty>();
    };
    ($self:ident, $part:ident: $coding:tt $gate:tt) => {};
}

/// Sets the part of a word that states whether a field is present, or how often.
macro_rules! reflect {
    ($self:ident, $field:ident: $ty:ident [if $word:ident has $flag:ident]) => {
        $word.set($word::$flag, $self.$field.is_some());
    };
    ($self:ident, $field:ident: $ty:ident [if $word:ident is $value:ident]) => {
        if $self.$field.is_some() {
            $word = $word::$value;
        }
    };
    ($self:ident, $field:ident: $ty:ident [times $word:ident $($named:ident)*]) => {
        $word = $self.$field.count();
    };
    ($self:ident, $part:ident: $coding:tt $gate:tt) => {};
}

/// Sets a field to `Some` or `None`, as the word states: the inverse of `reflect`.
#[cfg(feature = "text")]
macro_rules! unfold {
    ($self:ident, $field:ident: $ty:ident [if $($gate:tt)+]) => {
        let is_present = $crate::isa::record::gate_open!((), if $($gate)+);
        $self.$field = is_present.then(<$ty>::default);
    };
    ($self:ident, $part:ident: $coding:tt $gate:tt) => {};
}

macro_rules! encode {
    ($self:ident, $w:ident, $word:ident: ($ty:ty => $($part:ident),+) [$($gate:tt)+]) => {
        if $crate::isa::record::gate_open!($w.format(), $($gate)+) {
            $w.field(stringify!($word), &<$ty>::from(($($self.$part),+)))?;
        }
    };
    ($self:ident, $w:ident, $word:ident: ($ty:ty = $value:expr) [$($gate:tt)+]) => {
        if $crate::isa::record::gate_open!($w.format(), $($gate)+) {
            $w.field(stringify!($word), &<$ty>::from($value))?;
        }
    };
    ($self:ident, $w:ident, $word:ident: ($($coding:tt)+) []) => {
        $w.field(stringify!($word), &$word)?;
    };
    ($self:ident, $w:ident, $field:ident: $ty:ident []) => {
        $w.field(stringify!($field), &$self.$field)?;
    };
    ($self:ident, $w:ident, $field:ident: $ty:ident [times $count:ident $(named $op:ident)?]) => {
        let names = $crate::isa::NO_NAMES;
        $(let names = $self.$op.params();)?
        $self.$field.encode_items($w, names)?;
    };
    ($self:ident, $w:ident, $field:ident: $ty:ident [$($gate:ident)+, else as $word:ident]) => {
        if $crate::isa::record::gate_open!($w.format(), $($gate)+) {
            $w.field(stringify!($field), &$self.$field)?;
        }
    };
    ($self:ident, $w:ident, $field:ident: $ty:ident [$($gate:ident)+, else $value:ident]) => {
        if $crate::isa::record::gate_open!($w.format(), $($gate)+) {
            $w.field(stringify!($field), &$self.$field)?;
        } else if $self.$field != <$ty>::$value {
            let what = concat!("a value other than ", stringify!($value));
            let segment = $crate::error::PathSegment::Field(stringify!($field));
            return Err($w.inexpressible(what).within(segment));
        }
    };
    ($self:ident, $w:ident, $field:ident: $ty:ident [if $($gate:tt)+]) => {
        if let Some(value) = &$self.$field {
            $w.field(stringify!($field), value)?;
        }
    };
    ($self:ident, $w:ident, $field:ident: $ty:ident [$($gate:tt)+]) => {
        $crate::isa::record::encode_gated(
            $w,
            stringify!($field),
            $crate::isa::record::gate_open!($w.format(), $($gate)+),
            $self.$field.as_ref(),
        )?;
    };
}

/// Passes a field to a visitor.
macro_rules! visit {
    ($self:ident, visit, $visitor:ident, $field:ident: $ty:ident [times $count:ident named $op:ident]) => {
        $self.$field.visit_named($crate::operand::slot!($field: $ty), $self.$op.params(), $visitor)
    };
    ($self:ident, visit_mut, $visitor:ident, $field:ident: $ty:ident [times $count:ident named $op:ident]) => {
        let names = $self.$op.params();
        $self.$field.visit_named_mut($crate::operand::slot!($field: $ty), names, $visitor)
    };
    ($self:ident, visit, $visitor:ident, $field:ident: $ty:ident $gate:tt) => {
        $crate::operand::Visit::visit(&$self.$field, $crate::operand::slot!($field: $ty), $visitor)
    };
    ($self:ident, visit_mut, $visitor:ident, $field:ident: $ty:ident $gate:tt) => {
        $crate::operand::Visit::visit_mut(&mut $self.$field, $crate::operand::slot!($field: $ty), $visitor)
    };
}

/// Sets a field to its default for a format.
macro_rules! for_format {
    ($format:ident, $self:ident.$field:ident: $ty:ident []) => {};
    ($format:ident, $self:ident.$field:ident: $ty:ident [if $($gate:tt)+]) => {};
    ($format:ident, $self:ident.$field:ident: $ty:ident [times $($list:tt)+]) => {};
    ($format:ident, $self:ident.$field:ident: $ty:ident [$($gate:ident)+, else $($value:tt)+]) => {};
    ($format:ident, $self:ident.$field:ident: $ty:ident [$($gate:tt)+]) => {
        let is_present = $crate::isa::record::gate_open!($format, $($gate)+);
        $self.$field = is_present.then(<$ty>::default);
    };
}

#[cfg(feature = "proptest")]
macro_rules! strategy {
    ($format:ident, ($ty:ty => $($part:ident),+) []) => {
        <$ty as $crate::generate::Generate>::strategy($format)
    };
    ($format:ident, $ty:ident []) => {
        <$ty as $crate::generate::Generate>::strategy($format)
    };
    ($format:ident, $ty:ident [times $($list:tt)+]) => {
        <$ty as $crate::generate::Generate>::strategy($format)
    };
    ($format:ident, $ty:ident [if $($gate:tt)+]) => {
        proptest::option::of(<$ty as $crate::generate::Generate>::strategy($format))
    };
    ($format:ident, $ty:ident [$($gate:ident)+, else as $word:ident]) => {
        if $crate::isa::record::gate_open!($format, $($gate)+) {
            <$ty as $crate::generate::Generate>::strategy($format)
        } else {
            let word = <$word as $crate::generate::Generate>::strategy($format);
            word.prop_map(<$ty>::from).boxed()
        }
    };
    ($format:ident, $ty:ident [$($gate:ident)+, else $value:ident]) => {
        if $crate::isa::record::gate_open!($format, $($gate)+) {
            <$ty as $crate::generate::Generate>::strategy($format)
        } else {
            proptest::strategy::Just(<$ty>::$value).boxed()
        }
    };
    ($format:ident, $ty:ident [$($gate:tt)+]) => {
        $crate::generate::optional::<$ty>(
            $crate::isa::record::gate_open!($format, $($gate)+), $format,
        )
    };
}

/// Declares the fields that a generated word contains.
#[cfg(feature = "proptest")]
macro_rules! generated {
    ($word:ident: ($ty:ty => $($part:ident),+)) => {
        let ($($part),+) = $word.into();
    };
    ($field:ident: $ty:ident) => {};
}

/// Implements [`Packed`](super::Packed) for a word without a condition.
macro_rules! word {
    ($name:ident, $word:ident: ($ty:ty = $value:expr) $gate:tt $layout:tt) => {};
    ($name:ident, $word:ident: ($ty:ty $(=> $($own:ident),+)?) [] {
        $($part:ident: $coding:tt $gate:tt $text:tt;)*
    }) => {
        #[allow(non_camel_case_types, unused)]
        impl $crate::isa::record::Packed<$ty> for $name {
            #[inline]
            fn packed(&self) -> $ty {
                $($crate::isa::record::declare!(self, $part: $coding $gate);)*
                $($crate::isa::record::reflect!(self, $part: $coding $gate);)*
                $word
            }

            #[cfg(feature = "text")]
            fn unpack(&mut self, $word: $ty) {
                type $word = $ty;
                $(($(self.$own),+) = $word.into();)?
                $($crate::isa::record::unfold!(self, $part: $coding $gate);)*
            }
        }
    };
    ($name:ident, $part:ident: $coding:tt $gate:tt $layout:tt) => {};
}

pub(in crate::isa) use {
    coding_doc, coding_name, declare, decode, encode, field_type, for_format, length, reflect,
    visit, when_doc, word,
};

pub(crate) use {gate, gate_open};

#[cfg(feature = "text")]
pub(in crate::isa) use {unfold, values};

#[cfg(feature = "proptest")]
pub(in crate::isa) use {generated, strategy};
