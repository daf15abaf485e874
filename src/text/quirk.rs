//! Where the reference's text is not what the file says: the list of all of them.

macro_rules! quirks {
    ($(#[$doc:meta])* { $($(#[$quirk_doc:meta])* $quirk:ident,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[non_exhaustive]
        pub enum Quirk {
            $($(#[$quirk_doc])* $quirk,)*
        }

        impl Quirk {
            /// All of them.
            pub const ALL: &'static [Quirk] = &[$(Quirk::$quirk),*];
        }
    };
}

quirks! {
    /// A peculiarity of the text that GenX_IR 1.0.12504.6 prints. [`Style::Reference`] has them all,
    /// [`Style::Faithful`] has none; whatever prints differently asks for its quirk by name.
    ///
    /// The tool reads a file into its builder, and prints what the builder made of it. Most quirks are
    /// what got lost on the way.
    ///
    /// [`Style::Reference`]: super::Style::Reference
    /// [`Style::Faithful`]: super::Style::Faithful
    {
        /// Header lines are separated, not ended, by line breaks, so that the first instruction stands
        /// in the line of the last attribute.
        JoinedAttributeLine,
        /// The line before `.function` is indented like an instruction, and otherwise empty.
        SubroutineIndented,
        /// The header lists the predefined variables in comments, though they cannot be declared.
        PredefinedListing,
        /// The attribute that names the tool's output file is taken for a setting and left out.
        AsmNameOmitted,
        /// Where a function's name needs a hexadecimal escape, the numbers of the predefined variables are
        /// hexadecimal as well.
        EscapeTurnsHexadecimal,
        /// A missing `Target` is taken from the tool's settings, and printed last. They say `3d`, or what
        /// an earlier routine of the file said.
        TargetAdded,
        /// An alignment without a name is printed as nothing after `align=`.
        UnnamedAlignment,
        /// Booleans are printed without their value, integers of no bytes as 1.
        AttributeValueOmitted,
        /// The implicit input kind 4 is printed as kind 16 is.
        PseudoInputTwice,
        /// A dot in a routine's name becomes a space.
        DotInRoutineName,
        /// The empty string is printed as the first string of the builder's pool: the routine's name, or
        /// `%null` where that is empty.
        EmptyStringIsFirst,
        /// Variables without a name are called `V0032` and so on by a counter of their own, not by id.
        AnonymousByCounter,
        /// Names are cleaned up: a leading digit gets `_`, other bytes than letters and digits become
        /// `_`, words of the language get `_` at the end, repetitions `_0`, `_1` ...
        NamesCleaned,
        /// Predicates and addresses are called by their index, whatever their name.
        IndexedNames,
        /// Labels get the index of their string as a suffix, subroutines that of the label as well.
        LabelSuffixes,
        /// GOTO and SWITCHJMP print their labels' names before `.` and `$` are replaced, so that they
        /// may name labels that are not there.
        RawJumpNames,
        /// Immediates narrower than 32 bits are extended to 32, and those of types that the builder's
        /// constructor does not know (`bool`, `bf`) become all ones.
        ImmediatesExtended,
        /// The offset of a state operand whose address is taken is scaled when read, and again when
        /// printed.
        StateAddressScaledTwice,
        /// The width of an address operand of 32 elements is lost, and printed as 0.
        AddressWidthForgotten,
        /// ADDC and SUBB do not saturate: the builder has no place for it.
        CarrySaturationForgotten,
        /// The exec byte of JMP and SWITCHJMP is read, but the builder knows only `(M1, 1)`.
        JumpExecForgotten,
        /// WAIT has no operand in 3.0; the builder's zero is printed.
        WaitOperandAdded,
        /// RAW_SENDS has no function id before 3.6; zero is printed.
        FunctionIdAdded,
        /// The `modified` flag of OWORD_LD and GATHER is skipped when read.
        ModifiedForgotten,
        /// The width of a 64-bit DWORD_ATOMIC or TYPED_ATOMIC is lost in the builder.
        AtomicWidthForgotten,
        /// The decrement before reading has no name.
        PredecUnnamed,
        /// SVM blocks are marked as unaligned in a bit that is not looked at.
        UnalignedForgotten,
        /// The predicate of GATHER4_TYPED and SCATTER4_TYPED is read but not printed.
        TypedPredicateOmitted,
        /// The flags of sampler messages are written where only major version 4 looks for them, and the
        /// non-uniform sampler is written by nobody.
        SamplerFlagsForgotten,
        /// An unknown sampler operation is printed as `sampler_unknown`.
        UnknownSamplerOperation,
        /// A channel mask without a channel is printed as nothing by sampler and SVM messages, but for
        /// INFO.
        NoChannelNoText,
        /// A local fence without other flags has a dot with nothing behind it.
        EmptyFenceOptions,
        /// The block of 8 by 4 is called invalid by AVS.
        AvsModeInvalid,
        /// VME_IDM is rebuilt with the opcode of VME_SIC.
        IdmAsSic,
        /// The two directions of VA_SKL_PLUS's 1D convolutions are exchanged in the table of names.
        ConvolveDirectionSwapped,
        /// The size of VA's convolution kernel is looked for in a bit that the builder never sets.
        ConvolveAlwaysSmall,
        /// The names of the modes of LBP creation stand in the reverse order.
        LbpModesReversed,
        /// Codes of LSC messages that came later (`urb`, `cc`, `surf`, `a32u`, `a32s`) are printed as
        /// numbers: a cache's without the dot before it, `surf` without the surface behind it.
        NewerLscCodes,
        /// The coordinates of typed LSC messages are printed without the offsets of their registers.
        LscOffsetsOmitted,
        /// All four coordinates of a typed LSC message are printed, also those that are null.
        NullCoordinatesPrinted,
        /// READ_STATE_INFO is printed without its address.
        StateInfoAddressOmitted,
        /// Unknown operations and scopes of LSC_FENCE are printed as `???`.
        UnknownFenceCodes,
        /// Once an LSC message printed an immediate or a code's number, its other hexadecimal digits are
        /// in upper case.
        LscUpperCaseSticks,
}
}
