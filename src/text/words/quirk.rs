//! The list of quirks of the style of GenX_IR.

macro_rules! quirks {

    ($(#[$doc:meta])* { $($(#[$quirk_doc:meta])* $quirk:ident,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[non_exhaustive]
        pub enum Quirk {
            $($(#[$quirk_doc])* $quirk,)*
        }

        impl Quirk {
            /// All quirks.
            pub const ALL: &'static [Quirk] = &[$(Quirk::$quirk),*];
        }
    };
}

quirks! {
    /// A difference between the text that GenX_IR 1.0.12504.6 prints and the contents of the file.
    ///
    /// [`Style::GenXIr`] has all quirks, [`Style::Complete`] has none. Most quirks exist because
    /// the tool reads a file into its builder, loses information there, and prints the builder's
    /// state.
    ///
    /// [`Style::GenXIr`]: super::Style::GenXIr
    /// [`Style::Complete`]: super::Style::Complete
    {
        /// Line breaks separate header lines and do not end the last one, so the first instruction
        /// is on the line of the last attribute.
        JoinedAttributeLine,
        /// The empty line before `.function` has the indentation of an instruction.
        SubroutineIndented,
        /// The header lists the predefined variables in comments.
        PredefinedListing,
        /// The attribute with the name of the tool's output file is treated as a setting and
        /// omitted.
        AsmNameOmitted,
        /// If the name of a function needs a hexadecimal escape, the numbers of the predefined
        /// variables are hexadecimal too.
        EscapeTurnsHexadecimal,
        /// A missing `Target` is printed after the other attributes, with the value of an earlier
        /// routine of the file or `3d`.
        TargetAdded,
        /// An alignment without a name is printed as nothing after `align=`.
        UnnamedAlignment,
        /// Booleans are printed without their value, and integers of no bytes as 1.
        AttributeValueOmitted,
        /// The implicit input kind 4 is printed like kind 16.
        PseudoInputTwice,
        /// A dot in a routine's name becomes a space.
        DotInRoutineName,
        /// The empty string is printed as the first string of the builder: the name of the routine,
        /// or `%null` if that is empty.
        EmptyStringIsFirst,
        /// Variables without a name are called `V0032`, `V0033` and so on. The number is a count of
        /// such variables, not the id.
        AnonymousByCounter,
        /// Names become unique identifiers: `_` is added before a leading digit and after a
        /// reserved word, and replaces bytes other than letters and digits; repeated names get
        /// `_0`, `_1` and so on.
        NamesCleaned,
        /// Predicates and addresses are printed by index, even if they have a name.
        IndexedNames,
        /// Labels have the index of their string as a suffix; subroutines also have the index of
        /// the label.
        LabelSuffixes,
        /// GOTO and SWITCHJMP print the names of their labels before `.` and `$` are replaced, so
        /// they may refer to labels that the text does not define.
        RawJumpNames,
        /// Immediates narrower than 32 bits are extended to 32. Immediates of types that the builder
        /// does not support (`bool`, `bf`) become all ones.
        ImmediatesExtended,
        /// The offset of a state operand whose address is taken is scaled twice: when it is read
        /// and when it is printed.
        StateAddressScaledTwice,
        /// The width of an address operand of 32 elements is printed as 0.
        AddressWidthForgotten,
        /// `.sat` of ADDC and SUBB is omitted: the builder has no field for it.
        CarrySaturationForgotten,
        /// JMP and SWITCHJMP are printed with `(M1, 1)`, the only value that the builder supports.
        JumpExecForgotten,
        /// WAIT, which has no operand in 3.0, is printed with a zero.
        WaitOperandAdded,
        /// RAW_SENDSC is printed with a function id, which no compiler reads.
        FunctionIdAdded,
        /// The end of the thread in RAW_SENDS is printed as `.eot` after the function id. Compilers
        /// read it as part of the mnemonic, `raw_sends_eot`.
        EotAfterFunctionId,
        /// The `modified` flag of OWORD_LD and GATHER is omitted.
        ModifiedForgotten,
        /// The width of a 64-bit DWORD_ATOMIC or TYPED_ATOMIC is omitted.
        AtomicWidthForgotten,
        /// The atomic operation `predec` is printed as nothing.
        PredecUnnamed,
        /// `.unaligned` of SVM blocks is omitted.
        UnalignedForgotten,
        /// The predicate of GATHER4_TYPED and SCATTER4_TYPED is omitted.
        TypedPredicateOmitted,
        /// The flags of sampler messages are omitted before 4.0; the flag for a non-uniform sampler
        /// is always omitted.
        SamplerFlagsForgotten,
        /// Sampler messages are printed without the paired surface, which IGC requires.
        PairedSurfaceOmitted,
        /// An unknown sampler operation is printed as `sampler_unknown`.
        UnknownSamplerOperation,
        /// Sampler and SVM messages except INFO print a channel mask without channels as nothing.
        NoChannelNoText,
        /// A local fence without other flags ends with a dot.
        EmptyFenceOptions,
        /// The 8 by 4 blocks of AVS are printed as invalid.
        AvsModeInvalid,
        /// The predefined surfaces of motion estimation are printed as `T0` to `T5`, which no compiler
        /// reads.
        VmeSurfaceNumbered,
        /// VME_IDM is printed as VME_SIC.
        IdmAsSic,
        /// The names of the vertical and the horizontal 1D convolution of VA_SKL_PLUS are swapped.
        ConvolveDirectionSwapped,
        /// The convolution kernel of VA is always printed as 15x15.
        ConvolveAlwaysSmall,
        /// The names of the modes of LBP creation are in reverse order.
        LbpModesReversed,
        /// Newer codes of LSC messages (`urb`, `cc`, `surf`, `a32u`, `a32s`) are printed as
        /// numbers, `cc` without the dot before it and `surf` without the surface after it.
        NewerLscCodes,
        /// The precisions `hf8` and `e2m1` of DPAS are printed as `?`.
        NewerPrecisions,
        /// The coordinates of typed LSC messages are printed without register offsets.
        LscOffsetsOmitted,
        /// All four coordinates of a typed LSC message are printed, even if they are null.
        NullCoordinatesPrinted,
        /// READ_STATE_INFO is printed without its address.
        StateInfoAddressOmitted,
        /// Unknown operations and scopes of LSC_FENCE are printed as `???`.
        UnknownFenceCodes,
        /// After an immediate or the number of a code, the other hexadecimal digits of an LSC
        /// message are in upper case.
        LscUpperCaseSticks,
}
}
