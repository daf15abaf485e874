//! The rules that apply to inline assembly only.

use genvisa::verify::{Compiler, Response, Rule, Severity};

/// The name of the rule of syntax errors.
pub(super) const SYNTAX: &str = "syntax";

/// The first version that reports constraints which it cannot validate. Older ones dropped the template.
const IGC_2_22: Compiler = Compiler { major: 2, minor: 22, patch: 0 };

/// The first version that declares variables for outputs without a use.
const IGC_2_36: Compiler = Compiler { major: 2, minor: 36, patch: 0 };

macro_rules! rules {
    ($(
        $constant:ident $name:literal $severity:ident $response:ident
        $(since $version:ident before $otherwise:ident)? $(until $end:ident)? $statement:literal;
    )*) => {
        $(
            pub(super) static $constant: Rule =
                Rule::new($name, $statement, Response::$response)
                    .with_severity(Severity::$severity)
                    $(.enforced_since($version, Response::$otherwise))?
                    $(.enforced_before($end))?
                    .with_source("inline assembly");
        )*

        /// The rules, errors before warnings.
        pub(super) static RULES: &[&Rule] = &[$(&$constant),*];

        /// Returns the rules that apply to inline assembly only, errors before warnings.
        ///
        /// The findings of a rule are warnings if they are not always mistakes: for example, if they
        /// matter only if the compiler repeats the template. The rules of
        /// [`verify`](genvisa::verify::rules) apply to inline assembly too.
        pub fn rules() -> impl Iterator<Item = &'static Rule> {
            RULES.iter().copied()
        }

        /// Returns the rule of a name: of this crate or of [`verify`](genvisa::verify).
        pub fn rule(name: &str) -> Option<&'static Rule> {
            rules().find(|rule| rule.name == name).or_else(|| genvisa::verify::rule(name))
        }
    };
}

rules! {
    DOLLAR "dollar-drop" Error Miscompiles
        "In LLVM IR, every $ of a template is an operand, and in C, a template has no $ and no operand with a modifier such as %c1: otherwise, the compiler drops the whole template without a message.";
    FOREIGN "foreign-assembly" Error Refuses since IGC_2_22 before Miscompiles
        "Inline assembly for an Intel GPU is vISA: its compiler refuses PTX, GCN assembly and others, and older versions dropped it without a message.";
    OPERAND_NUMBER "operand-number" Error Refuses "A template refers only to operands that exist.";
    PERCENT "percent-escape" Error Refuses
        "In C, a percent sign that is not an operand is written twice.";
    CONSTRAINT "constraint" Error Refuses since IGC_2_22 before Miscompiles
        "Operands have constraints that the compiler supports.";
    UNIFORM "uniform-input" Error Refuses since IGC_2_22 before Miscompiles
        "The value of an input with constraint `rw.u` is the same in all lanes of a subgroup.";
    CLOBBER "clobber" Error Refuses "Clobbers are `cc` and, except for the vector compiler, `memory`.";
    DIRECTIVE "directive" Error Refuses
        "The only directives of a template are .decl, .loc, .file and .implicit_PSEUDO_INPUT.";
    BRACE "brace" Error Refuses "The braces of a template are balanced.";
    TYPED_TWICE "typed-twice" Error Refuses
        "No type follows an operand with constraint `i`, because the compiler writes it with its type, for example as 0x7:d.";
    UNTYPED_P "untyped-p" Error Refuses
        "The type of a source, such as :d, follows an operand with constraint `P`, because the compiler writes only the number.";
    REGION_TWICE "vc-region-twice" Error Refuses
        "For the vector compiler, no region follows an operand with constraint `r` or `rw`, because the compiler writes it with its region.";
    HALF_OF_SIMD32 "half-of-simd32" Error Miscompiles
        "On platforms with registers of 32 bytes, templates are in kernels with 8 or 16 lanes: with 32, they reach only the first 16.";
    SUBGROUP_SIZE "subgroup-size" Error Refuses
        "On platforms with registers of 64 bytes, a subgroup has 16 or 32 lanes.";
    FILE_SCOPE "file-scope-asm" Error Miscompiles
        "Inline assembly is inside a function: elsewhere, the compiler drops it without a message.";
    UNUSED_OUTPUT "unused-output" Warning Accepts until IGC_2_36
        "Code after a statement with several outputs uses each output that the template names: for the others, older versions of the compiler write `null`, and refuse it.";
    COMPILER_VARIABLE "compiler-variable" Warning Miscompiles
        "A template does not use the variables of the compiler, whose numbers change.";
    LABEL "label-without-uid" Warning Refuses
        "A label contains %=, or ${:uid} in LLVM IR, because labels are unique in a kernel, and the compiler may repeat the template by inlining or unrolling.";
    DECL "decl-without-scope" Warning Refuses
        "Declarations are within braces, because names are unique in a scope, and the compiler may repeat the template by inlining or unrolling.";
    INPUT_WRITTEN "input-written" Warning Miscompiles "A template does not write operands that are inputs only.";
    OUTPUT_AS_INPUT "output-as-input" Warning Miscompiles
        "Operands that are written are in the list of outputs: the new value of an input is lost.";
    OUTPUT_READ "output-read" Warning Miscompiles
        "A template reads an output only after it writes it, unless its constraint is `+rw`: before, its value is undefined.";
    OUTPUT_UNWRITTEN "output-unwritten" Warning Miscompiles
        "A template writes its outputs, unless their constraint is `+rw`: otherwise, their values are undefined.";
    UNDEFINED "variable-undefined" Warning Miscompiles
        "A template reads a variable that it declares only after it writes it: before, its value is undefined.";
    UNREAD "variable-unread" Warning Changes
        "A template reads the variables that it writes: the compiler removes what computes a value that nothing reads.";
    PSEUDO_INPUT "pseudo-input-payload" Warning Miscompiles
        "A pseudo input is in registers after the arguments of the kernel, which begin in r1: writing it changes them.";
    PARTIAL_OUTPUT "partial-output" Warning Miscompiles
        "A template writes all bytes of an output, unless its constraint is `+rw`: the other bytes are undefined.";
    LANES "lanes-mismatch" Warning Miscompiles "A template writes its outputs for all lanes.";
}
