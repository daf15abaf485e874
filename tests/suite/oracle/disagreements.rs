//! The rules about which the verifiers of the reference and of this crate disagree, with reasons.

/// The reason for a disagreement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Cause {
    /// The manual has a requirement that the reference does not check.
    Manual,
    /// Shipped kernels or the manual allow a construct that the reference rejects. This crate
    /// reports a warning.
    Lenient,
    /// The reference rejects a kernel that just satisfies the rule, for another reason.
    Stricter,
}

/// Cause, explanation and rules.
#[rustfmt::skip]
pub const DISAGREEMENTS: &[(Cause, &str, &[&str])] = &[
    (Cause::Manual,
     "INFO and RT_WRITE: the reference checks only the code of the execution size and the operands.", &[
         "info-dst-size", "info-dst-type", "info-exec-size", "info-lod-size",
         "rt-write-color-type", "rt-write-depth-type", "rt-write-exec-size", "rt-write-omask-type",
         "rt-write-rt-index-range", "rt-write-rt-index-type", "rt-write-same-type",
         "rt-write-source-size", "rt-write-stencil-type",
    ]),
    (Cause::Manual,
     "3D_SAMPLE, 3D_LOAD and 3D_GATHER4: it checks the CPS flag and the null mask, but not operation, channels, parameters, types and sizes.", &[
         "gather4-3d-channel", "gather4-3d-op", "gather4-3d-param-type", "gather4-3d-params",
         "load-3d-aoffimmi-reserved", "load-3d-aoffimmi-type", "load-3d-channels",
         "load-3d-dst-type", "load-3d-exec-size", "load-3d-param-types", "load-3d-params",
         "sample-3d-aoffimmi-reserved", "sample-3d-aoffimmi-type", "sample-3d-channels-empty",
         "sample-3d-cps-platform", "sample-3d-dst-size", "sample-3d-dst-type",
         "sample-3d-exec-size", "sample-3d-operation", "sample-3d-param-count",
         "sample-3d-param-size", "sample-3d-param-type-f", "sample-3d-param-types",
    ]),
    (Cause::Manual,
     "The data port: it checks surfaces, channels and block sizes, but not the types and sizes of payloads and offsets; it accepts T5 for media blocks.", &[
         "dword-atomic-exec-size", "dword-atomic-width", "gather-count", "gather-offset-type",
         "gather-scaled-blocks", "gather-scaled-offset-type", "gather-scaled-type",
         "gather4-scaled-channels", "gather4-scaled-exec-size", "gather4-typed-dst-size",
         "gather4-typed-dst-type", "gather4-typed-exec-size", "gather4-typed-offset-type",
         "gather4-typed-source-size", "media-ld-dst-size", "media-ld-offset-type",
         "media-ld-surface", "media-st-offset-alignment", "media-st-src-size", "media-st-surface",
         "oword-offset-type", "oword-size-16", "qw-gather-blocks", "qw-gather-exec-size",
         "qw-gather-offset-type", "qw-gather-type", "scatter4-typed-exec-size",
         "scatter4-typed-offset-type", "scatter4-typed-src-type", "typed-atomic-offset-type",
         "typed-atomic-sources", "typed-atomic-type", "typed-atomic-width",
    ]),
    (Cause::Manual,
     "Shared virtual memory: it checks nothing.", &[
         "svm-atomic-address-type", "svm-atomic-exec-size", "svm-atomic-op", "svm-atomic-sources",
         "svm-atomic-width", "svm-block-address-type", "svm-block-size", "svm-gather-address-type",
         "svm-gather-blocks", "svm-gather-blocks-8", "svm-gather-exec-size", "svm-gather-type",
         "svm-gather4-address-type", "svm-gather4-channels", "svm-gather4-exec-size",
         "svm-gather4-type",
    ]),
    (Cause::Manual,
     "The older sampler messages, video analytics, motion estimation, URB: it checks classes of operands, surfaces and some modes, but not types and sizes.", &[
         "avs-type", "sample-mode", "sample-unorm-dst-size", "sample-unorm-dst-type",
         "sample-unorm-offset-type", "urb-type", "vme-mode", "vme-mode-type", "vme-size",
         "vme-type",
    ]),
    (Cause::Manual,
     "Regions, modifiers and offsets: its reader replaces undefined codes before it verifies, and elements after the end of a variable are warnings on its output.", &[
         "address-bounds", "dst-modifier", "exec-mask-aligned", "indirect-offset", "indirect-type",
         "modifier-known", "operand-bounds", "operand-column", "operand-modifier-class",
         "dpas-bounds", "predicate-combine", "raw-bounds", "region-code", "region-general-vxh",
    ]),
    (Cause::Manual,
     "Aliases: its reader resolves them before it verifies, and ignores forward aliases.", &[
         "var-alias-cycle", "var-alias-end", "var-alias-index", "var-alias-offset-zero",
         "var-alias-order", "var-alias-predefined", "var-alias-scope",
    ]),
    (Cause::Manual,
     "Labels: it does not check their kinds and subroutines.", &[
         "label-kind", "label-same-subroutine",
    ]),
    (Cause::Manual,
     "Tables, inputs and functions: it checks only overlaps and sizes.", &[
         "addr-elements", "counts", "function-sizes", "input-alias", "input-aligned",
         "input-bounds", "input-count", "string-count", "surface-elements",
    ]),
    (Cause::Manual,
     "Control flow, barriers, sends: it does not check the rules of their pages.", &[
         "barrier-mode", "code-decodes", "dpas-depth", "dpas-precision", "faddr-type",
         "fcall-sizes", "ifcall-address-type", "jmp-exec-size", "nbarrier-count", "nbarrier-id",
         "nbarrier-id-type", "send-descriptor-type", "switchjmp-exec-size", "switchjmp-index-type",
         "wait-mask-type",
    ]),
    (Cause::Lenient,
     "Shipped kernels and readers accept more than the pages, so these are warnings; the reference
      rejects cases that break rules that it checks, and crashes on others.", &[
         "listed-modifier", "predicate-needed", "predicate-zero",
    ]),
    (Cause::Stricter,
     "It requires one type for both sources of SRND, and so rejects what the page requires.", &[
         "src-class", "srnd-types", "srnd-random-type", "srnd-random-listed", "srnd-no-mask",
    ]),
    (Cause::Stricter,
     "It allows saturation of DIV for F and HF only; the current reference and the page also allow DF.", &[
         "saturation",
    ]),
];
