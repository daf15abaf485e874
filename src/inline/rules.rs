//! The rules that apply to inline assembly only.

use crate::error::Severity;
use crate::verify::{Platforms, Response, Rule};

macro_rules! rules {
    ($($constant:ident $name:literal $severity:ident $response:ident $statement:literal;)*) => {
        $(
            pub(super) static $constant: Rule = Rule {
                name: $name,
                statement: $statement,
                response: Response::$response,
                severity: Severity::$severity,
                severity_in_manual: Severity::$severity,
                platforms: Platforms { since: None, before: None },
                source: "inline assembly",
            };
        )*

        /// Returns the rules that apply to inline assembly only, the most severe first.
        ///
        /// The rules of [`verify`](crate::verify::rules) apply too.
        pub fn rules() -> impl Iterator<Item = &'static Rule> {
            [$(&$constant),*].into_iter()
        }
    };
}

rules! {
    DOLLAR "dollar-drop" Error Miscompiles
        "Every $ of a template is an operand: otherwise, the compiler drops the whole template without a message.";
    OPERAND_NUMBER "operand-number" Error Refuses "A template refers to operands that the statement has.";
    PERCENT "percent-escape" Error Refuses
        "In C, a percent sign that is not an operand is written twice.";
    CONSTRAINT "constraint" Error Refuses "The compiler knows the constraints of the operands.";
    CLOBBER "clobber" Error Refuses "The compiler knows the clobbers.";
    DIRECTIVE "directive" Error Refuses
        "The only directives of a template are .decl and .implicit_PSEUDO_INPUT.";
    BRACE "brace" Error Refuses "The braces of a template are balanced.";
    TYPED_TWICE "typed-twice" Error Refuses
        "An operand with constraint `i` has a type already: it is written as 0x7:d, for example.";
    UNTYPED_P "untyped-p" Error Refuses
        "An operand with constraint `P` is a number without a type.";
    REGION_TWICE "vc-region-twice" Error Refuses
        "For the vector compiler, an operand with constraint `r` or `rw` includes its region.";
    HALF_OF_SIMD32 "half-of-simd32" Error Miscompiles
        "On platforms with registers of 32 bytes, a template reaches only 16 of 32 lanes.";
    FILE_SCOPE "file-scope-asm" Error Miscompiles
        "Inline assembly is in a function: elsewhere, the compiler drops it without a message.";
    COMPILER_VARIABLE "compiler-variable" Warning Miscompiles
        "A template does not use the variables of the compiler, whose numbers change.";
    LABEL "label-without-uid" Warning Refuses
        "A label contains %=, or ${:uid} in LLVM IR, since labels are unique in a kernel, and the compiler may inline or unroll the template.";
    DECL "decl-without-scope" Warning Refuses
        "Declarations are within braces, since names are unique in a scope, and the compiler may inline or unroll the template.";
    INPUT_WRITTEN "input-written" Warning Miscompiles "A template does not write operands that are inputs only.";
    OUTPUT_AS_INPUT "output-as-input" Warning Miscompiles
        "Operands that are written are in the list of outputs: the new value of an input is lost.";
    PARTIAL_OUTPUT "partial-output" Warning Miscompiles
        "A template writes the whole of an output whose constraint is not `+rw`: the rest is undefined.";
    LANES "lanes-mismatch" Warning Miscompiles "A template processes all lanes.";
}
