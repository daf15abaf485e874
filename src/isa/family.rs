//! The macro that defines a family: an opcode whose next byte, the sub-opcode, selects a layout.

/// Passes a family to a macro: the name of its module, and the columns of each layout as token trees, as
/// `normalize_rows` does.
///
/// ```text
/// va
/// /// VA, 0x44: video analytics.
/// Va "video analytics operation" {
///     /// Centroid.
///     0x07 Centroid va_centroid "centroid" { surface: SurfaceId, .. } as [..]
/// }
/// ```
///
/// becomes
///
/// ```text
/// va [#[doc = "VA, 0x44: video analytics."]] Va "video analytics operation"
/// { [#[doc = "Centroid."]] 0x07 Centroid va_centroid "centroid" { surface: SurfaceId, .. } [] [[..]] }
/// ```
///
/// After the fields, the columns are `moves` and `as`.
macro_rules! normalize_family {
    (
        $callback:ident $module:ident
        $(#[$doc:meta])*
        $family:ident $what:literal {
            $(
                $(#[$row_doc:meta])*
                $op:literal $name:ident $method:ident $mnemonic:literal $body:tt
                $(moves $moves:tt)? $(as $text:tt)?
            )*
        }
    ) => {
        $callback! { $module [$(#[$doc])*] $family $what $({
            [$(#[$row_doc])*] $op $name $method $mnemonic $body [$($moves)?] [$($text)?]
        })* }
    };
}

/// Defines a family: an enum, a struct per layout, their codecs, and the table.
macro_rules! family {
    ($module:ident [$($doc:tt)*] $family:ident $what:literal $({
        [$($row_doc:tt)*] $op:literal $name:ident $method:ident $mnemonic:literal { $($body:tt)* }
        $moves:tt $text:tt
    })*) => {
        $($crate::isa::record::record! { $($row_doc)* $name { $($body)* } })*

        $($doc)*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
        #[non_exhaustive]
        pub enum $family {
            $(
                #[doc = concat!("`", $mnemonic, "`, sub-opcode ", stringify!($op), ".")]
                $name($name),
            )*
        }

        impl $family {
            /// The layouts, by sub-opcode.
            pub const SPEC: &'static [$crate::isa::SubSpec] = &[
                $($crate::isa::SubSpec {
                    sub_opcodes: &[$op],
                    newer_sub_opcodes: &[],
                    newest_sub_opcodes: &[],
                    name: stringify!($name),
                    mnemonic: $mnemonic,
                    fields: $name::FIELDS,
                }),*
            ];

            /// Returns the sub-opcode.
            pub const fn sub_opcode(&self) -> u8 {
                match self {
                    $($family::$name(_) => $op,)*
                }
            }

            /// Returns the mnemonic of the operation.
            pub const fn mnemonic(&self) -> &'static str {
                match self {
                    $($family::$name(_) => $mnemonic,)*
                }
            }

            fn unknown_sub_opcode<T: $crate::wire::Trace>(
                op: u8,
                r: &$crate::wire::Reader<'_, T>,
            ) -> $crate::error::Error {
                let value = op.into();
                r.error_back(1, $crate::error::ErrorKind::UnknownSubOpcode { what: $what, value })
            }
        }

        $crate::isa::family::first_is_default!($family: $($name)*);

        $(
            impl From<$name> for $family {
                fn from(inner: $name) -> $family {
                    $family::$name(inner)
                }
            }

            impl From<$name> for $crate::isa::Instruction {
                fn from(inner: $name) -> $crate::isa::Instruction {
                    $family::$name(inner).into()
                }
            }
        )*

        impl $crate::isa::Operands for $family {
            fn operands<V: $crate::operand::Visitor + ?Sized>(&self, visitor: &mut V) {
                match self {
                    $($family::$name(inner) => $crate::isa::Operands::operands(inner, visitor),)*
                }
            }

            fn operands_mut<V: $crate::operand::VisitorMut + ?Sized>(&mut self, visitor: &mut V) {
                match self {
                    $($family::$name(inner) => {
                        $crate::isa::Operands::operands_mut(inner, visitor)
                    })*
                }
            }
        }

        impl $crate::wire::Wire for $family {
            fn decode_into<T: $crate::wire::Trace>(
                &mut self,
                r: &mut $crate::wire::Reader<'_, T>,
            ) -> $crate::error::Result<()> {
                let start = r.offset();
                let op = r.u8()?;
                match op {
                    $($op => {
                        r.part(
                            "sub_opcode", start, start + 1, &$crate::isa::NamedOpcode($mnemonic),
                        );
                        *self = $family::$name($name::default());
                        match self {
                            $family::$name(inner) => inner.decode_into(r),
                            #[allow(unreachable_patterns)]
                            _ => Ok(()),
                        }
                    })*
                    _ => Err(Self::unknown_sub_opcode(op, r)),
                }
            }

            fn encode(&self, w: &mut $crate::wire::Writer) -> $crate::error::Result<()> {
                w.u8(self.sub_opcode());
                match self {
                    $($family::$name(inner) => inner.encode(w),)*
                }
            }

            fn skip(r: &mut $crate::wire::Reader<'_>) -> $crate::error::Result<()> {
                let op = r.u8()?;
                match op {
                    $($op => $name::skip(r),)*
                    _ => Err(Self::unknown_sub_opcode(op, r)),
                }
            }
        }

        #[cfg(feature = "proptest")]
        impl $crate::generate::Generate for $family {
            fn strategy(
                format: $crate::format::Format,
            ) -> proptest::strategy::BoxedStrategy<Self> {
                use proptest::strategy::Strategy;
                proptest::strategy::Union::new([
                    $($name::strategy(format).prop_map($family::$name).boxed()),*
                ])
                .boxed()
            }
        }
    };
}

/// Implements `Default` for a family, with the first layout.
macro_rules! first_is_default {
    ($family:ident: $first:ident $($rest:ident)*) => {
        impl Default for $family {
            fn default() -> Self {
                $family::$first($first::default())
            }
        }
    };
}

pub(crate) use normalize_family;
pub(super) use {family, first_is_default};
