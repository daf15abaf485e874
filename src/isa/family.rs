//! The macro that defines a family: an opcode whose next byte, the sub-opcode, selects a layout.

/// Passes a family to a macro: the name of its module, and the columns of each layout as token trees, as
/// `normalize_rows` does.
///
/// ```text
/// va
/// /// VA, 0x44: video analytics.
/// Va "video analytics operation" {
///     /// Centroid.
///     [0x07] Centroid va_centroid "centroid" { surface: SurfaceId, .. } as [..]
/// }
/// ```
///
/// becomes
///
/// ```text
/// va [#[doc = "VA, 0x44: video analytics."]] Va "video analytics operation"
/// { [#[doc = "Centroid."]] [0x07] Centroid [va_centroid] "centroid" { surface: SurfaceId, .. } [] [[..]] }
/// ```
///
/// After the fields, the columns are `moves` and `as`. Layouts of LSC have several
/// operations in place of the sub-opcode, and no method.
macro_rules! normalize_family {
    (
        $callback:ident $module:ident
        $(#[$doc:meta])*
        $family:ident $what:literal {
            $(
                $(#[doc = $row_doc:literal])*
                [$($ops:tt)+] $name:ident $($method:ident)? $mnemonic:literal $body:tt
                $(moves $moves:tt)? $(as $text:tt)?
            )*
        }
    ) => {
        $callback! { $module [$(#[$doc])*] $family $what $({
            [$(#[doc = $row_doc])*] [$($ops)+] $name [$($method)?] $mnemonic $body [$($moves)?] [$($text)?]
        })* }
    };
}

/// Defines the enum of a family, with its structs, conversions and operands.
///
/// ```text
/// [#[doc = ".."]] Va { [#[doc = ".."]] Centroid { surface: SurfaceId, .. } }
/// ```
///
/// defines `enum Va { Centroid(Centroid) }` and `struct Centroid`. The default is the first layout.
macro_rules! family_enum {
    (
        [$($doc:tt)*] $family:ident {
            [$($first_doc:tt)*] $first:ident $first_body:tt
            $([$($row_doc:tt)*] $name:ident $body:tt)*
        }
    ) => {
        $crate::isa::record::record! { $($first_doc)* $first $first_body }
        $($crate::isa::record::record! { $($row_doc)* $name $body })*

        $($doc)*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
        #[non_exhaustive]
        pub enum $family {
            $($first_doc)*
            $first($first),
            $($($row_doc)* $name($name),)*
        }

        impl Default for $family {
            fn default() -> Self {
                $family::$first($first::default())
            }
        }

        impl $crate::isa::Operands for $family {
            fn operands(&self, visitor: &mut dyn $crate::operand::Visitor) {
                match self {
                    $family::$first(inner) => $crate::isa::Operands::operands(inner, visitor),
                    $($family::$name(inner) => $crate::isa::Operands::operands(inner, visitor),)*
                }
            }

            fn operands_mut(&mut self, visitor: &mut dyn $crate::operand::VisitorMut) {
                match self {
                    $family::$first(inner) => {
                        $crate::isa::Operands::operands_mut(inner, visitor)
                    }
                    $($family::$name(inner) => {
                        $crate::isa::Operands::operands_mut(inner, visitor)
                    })*
                }
            }
        }

        $crate::isa::family::layout_of! { $family $first }
        $($crate::isa::family::layout_of! { $family $name })*
    };
}

/// Implements the conversions from the struct of a layout.
macro_rules! layout_of {
    ($family:ident $name:ident) => {
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
    };
}

/// Defines a family whose layouts have a sub-opcode each: its types, their codecs, and the table.
macro_rules! family {
    ($module:ident $doc:tt $family:ident $what:literal $({
        $row_doc:tt [$op:literal] $name:ident [$method:ident] $mnemonic:literal $body:tt
        $moves:tt $text:tt
    })*) => {
        $crate::isa::family::family_enum! { $doc $family { $($row_doc $name $body)* } }

        impl $family {
            /// The layouts, by sub-opcode.
            pub const SPEC: &'static [$crate::isa::SubSpec] = &[
                $($crate::isa::SubSpec {
                    sub_opcodes: &[$op],
                    newer_sub_opcodes: &[],
                    newest_sub_opcodes: &[],
                    name: stringify!($name),
                    mnemonic: $mnemonic,
                    fields: <$name as $crate::isa::Layout>::FIELDS,
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

pub(crate) use normalize_family;
pub(super) use {family, family_enum, layout_of};
