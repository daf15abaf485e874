//! The macro that defines [`Instruction`](super::Instruction) and [`SPEC`](super::SPEC) from the
//! instruction table.

/// Passes rows to a macro, with each column as a token tree. A column that a row does not have is `[]`.
///
/// ```text
/// /// Remainder.
/// 0x0f Mod "mod" mod_ { exec: Exec, .. } is Arith(MOD)
/// ```
///
/// becomes
///
/// ```text
/// { [#[doc = "Remainder."]] 0x0f [] Mod ["mod" mod_] { exec: Exec, .. } [Arith(MOD)] [] [] [] [] }
/// ```
///
/// Before the opcode, `#[page = ".."]` names a file of documentation.
///
/// After the kind, the columns are `on`, `moves`, `as` and `manual`.
macro_rules! normalize_rows {
    ($callback:ident $(
        $(#[doc = $doc:literal])*
        $(#[page = $page:literal])?
        $op:literal $([$($dialects:ident)+])? $name:ident $($mnemonic:literal)? $method:ident $body:tt
        is $kind:ident $(($signature:ident))?
        $(on $on:tt)?
        $(moves $moves:tt)?
        $(as $text:tt)?
        $(manual $manual:tt)?
    )*) => {
        $callback! { $({
            [$(#[doc = $doc])*] $op [$($($dialects)+)?] $name [$($mnemonic)? $method $($page)?] $body
            [$kind $(($signature))?] [$($on)?] [$($moves)?] [$($text)?] [$($manual)?]
        })* }
    };
}

/// Defines the struct of a row. A family has its own structs.
macro_rules! row_struct {
    ([$($doc:tt)*] $name:ident [$($mnemonic:literal)? $method:ident $($page:literal)?] { $($body:tt)* }) => {
        $crate::isa::record::record! {
            $($doc)* $(#[cfg_attr(doc, doc = include_str!($page))])? $name { $($body)* }
        }
    };
    ([$($doc:tt)*] $name:ident $words:tt (family)) => {};
}

macro_rules! row_fields {
    ($name:ident { $($body:tt)* }) => {
        <$name as $crate::isa::Layout>::FIELDS
    };
    ($name:ident (family)) => {
        &[]
    };
}

macro_rules! row_family {
    ($name:ident (family)) => {
        $name::SPEC
    };
    ($name:ident $body:tt) => {
        &[]
    };
}

/// Returns the mnemonic of a row: the name of its method, unless the row specifies another.
macro_rules! mnemonic {
    ($method:ident $($page:literal)?) => {
        stringify!($method)
    };
    ($mnemonic:literal $method:ident $($page:literal)?) => {
        $mnemonic
    };
}

pub(crate) use mnemonic;

/// Returns what text prints before the operation of a family.
#[cfg(any(feature = "analysis", feature = "text"))]
#[rustfmt::skip]
macro_rules! prefix {
    (Svm) => { "svm_" };
    (Va) => { "va." };
    (VaSklPlus) => { "va_skl_plus." };
    (Lsc) => { "lsc_" };
}

#[cfg(any(feature = "analysis", feature = "text"))]
pub(crate) use prefix;

macro_rules! row_dialects {
    () => {
        $crate::isa::Dialects::Igc
    };
    (manual) => {
        $crate::isa::Dialects::Everywhere
    };
    (igc2026) => {
        $crate::isa::Dialects::Igc2026
    };
    (igc2026 since V4_2) => {
        $crate::isa::Dialects::Text4_2
    };
}

macro_rules! instructions {
    ($({
        [$($doc:tt)*] $op:literal [$($dialects:ident)*] $name:ident $words:tt $body:tt
        [$kind:ident $($signature:tt)?] $on:tt $moves:tt $text:tt $manual:tt
    })*) => {
        $($crate::isa::rows::row_struct! { [$($doc)*] $name $words $body })*

        /// A vISA instruction.
        ///
        /// ```
        /// use genvisa::isa::Barrier;
        /// use genvisa::{Format, Instruction};
        ///
        /// let barrier = Instruction::from_bytes(&[0x59], Format::default())?;
        /// assert_eq!(barrier, Instruction::Barrier(Barrier {}));
        /// assert_eq!(barrier.to_bytes(Format::default())?, [0x59]);
        /// # Ok::<(), genvisa::Error>(())
        /// ```
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
        #[non_exhaustive]
        #[allow(missing_docs)]
        pub enum Instruction {
            $($($doc)* $name($name),)*
        }

        $(
            impl From<$name> for Instruction {
                fn from(inner: $name) -> Instruction {
                    Instruction::$name(inner)
                }
            }

            /// Fails for other instructions, and returns them.
            impl TryFrom<Instruction> for $name {
                type Error = Instruction;

                fn try_from(instruction: Instruction) -> core::result::Result<$name, Instruction> {
                    match instruction {
                        Instruction::$name(inner) => Ok(inner),
                        other => Err(other),
                    }
                }
            }
        )*

        /// The instruction table, sorted by opcode.
        pub static SPEC: &[Spec] = &[$(Spec {
            opcode: $op,
            name: stringify!($name),
            mnemonic: $crate::isa::rows::mnemonic! $words,
            kind: Kind::$kind,
            dialects: $crate::isa::rows::row_dialects!($($dialects)*),
            fields: $crate::isa::rows::row_fields!($name $body),
            family: $crate::isa::rows::row_family!($name $body),
        }),*];

        impl Instruction {
            /// Returns the opcode: the first byte.
            #[inline]
            pub const fn opcode(&self) -> u8 {
                match self {
                    $(Instruction::$name(_) => $op,)*
                }
            }

            /// Returns the mnemonic: the name in the table of GenX_IR, such as `add` or
            /// `info_3d`.
            pub const fn mnemonic(&self) -> &'static str {
                match self {
                    $(Instruction::$name(_) => $crate::isa::rows::mnemonic! $words,)*
                }
            }

            /// Returns the row of the instruction table.
            pub fn spec(&self) -> &'static Spec {
                static ROWS: [usize; 256] = {
                    let mut rows = [0; 256];
                    let mut row = 0;
                    while row < SPEC.len() {
                        rows[SPEC[row].opcode as usize] = row;
                        row += 1;
                    }
                    rows
                };
                &SPEC[ROWS[usize::from(self.opcode())]]
            }

            /// Returns the kind of the instruction, which has methods such as
            /// [`is_arithmetic`](Kind::is_arithmetic).
            #[inline]
            pub const fn kind(&self) -> Kind {
                match self {
                    $(Instruction::$name(_) => Kind::$kind,)*
                }
            }

            /// Returns the mnemonic of an opcode; `None` if it is unknown or retired.
            pub const fn mnemonic_of(opcode: u8) -> Option<&'static str> {
                match opcode {
                    $($op => Some($crate::isa::rows::mnemonic! $words),)*
                    _ => None,
                }
            }

            /// Decodes the fields after the opcode.
            pub(super) fn decode_body<T: Trace>(
                &mut self,
                opcode: u8,
                r: &mut Reader<'_, T>,
            ) -> Result<()> {
                match opcode {
                    $($op => {
                        *self = Instruction::$name($name::default());
                        match self {
                            Instruction::$name(inner) => inner.decode_into(r),
                            _ => Ok(()),
                        }
                    })*
                    _ => Err(unknown_opcode(opcode, r)),
                }
            }

            /// Encodes the fields after the opcode.
            #[inline]
            pub(super) fn encode_body(&self, w: &mut Writer) -> Result<()> {
                match self {
                    $(Instruction::$name(inner) => inner.encode(w),)*
                }
            }

            /// Passes the operands to a visitor, in the order of their bytes.
            pub fn visit(&self, visitor: &mut dyn $crate::operand::Visitor) {
                match self {
                    $(Instruction::$name(inner) => $crate::isa::Operands::operands(inner, visitor),)*
                }
            }

            /// Passes mutable references to the operands to a visitor, in the order of their bytes.
            pub fn visit_mut(&mut self, visitor: &mut dyn $crate::operand::VisitorMut) {
                match self {
                    $(Instruction::$name(inner) => {
                        $crate::isa::Operands::operands_mut(inner, visitor)
                    })*
                }
            }

            /// Returns a strategy for each row that exists in a format, with its opcode.
            #[cfg(feature = "proptest")]
            pub(crate) fn row_strategies(
                format: $crate::format::Format,
            ) -> alloc::vec::Vec<(u8, proptest::strategy::BoxedStrategy<Instruction>)> {
                use proptest::strategy::Strategy;
                use $crate::generate::Generate;
                let mut rows = alloc::vec::Vec::new();
                $(if $crate::isa::rows::row_dialects!($($dialects)*).includes(format) {
                    rows.push(($op, $name::strategy(format).prop_map(Instruction::$name).boxed()));
                })*
                rows
            }
        }
    };
}

pub(super) use {instructions, row_dialects, row_family, row_fields, row_struct};

pub(crate) use normalize_rows;
