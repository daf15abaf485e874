//! Where the reference's verifier and this crate's disagree: the side taken, and why.

/// Whose side is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Side {
    /// The manual's: it demands what the reference does not check.
    Manual,
    /// That of kernels in the field, or of the manual, which allow what the reference refuses: here it
    /// is a warning.
    Field,
    /// The reference refuses what just keeps the rule, for another reason than the rule's.
    Stricter,
}

/// Side, reason and rules.
#[rustfmt::skip]
pub const SIDES: &[(Side, &str, &[&str])] = &[
    (Side::Manual,
     "INFO and RT_WRITE: the reference looks at nothing but the execution size's code and the operands.", &[
         "info-dst-size", "info-dst-type", "info-exec-size", "info-lod-size",
         "rt-write-color-type", "rt-write-depth-type", "rt-write-exec-size", "rt-write-omask-type",
         "rt-write-rt-index-range", "rt-write-rt-index-type", "rt-write-same-type",
         "rt-write-source-size", "rt-write-stencil-type",
    ]),
    (Side::Manual,
     "3D_SAMPLE, 3D_LOAD and 3D_GATHER4: it looks at the CPS flag and the null mask, not at operation, channels, parameters, types and sizes.", &[
         "gather4-3d-channel", "gather4-3d-op", "gather4-3d-param-type", "gather4-3d-params",
         "load-3d-aoffimmi-reserved", "load-3d-aoffimmi-type", "load-3d-channels",
         "load-3d-dst-type", "load-3d-exec-size", "load-3d-param-types", "load-3d-params",
         "sample-3d-aoffimmi-reserved", "sample-3d-aoffimmi-type", "sample-3d-channels-empty",
         "sample-3d-cps-platform", "sample-3d-dst-size", "sample-3d-dst-type",
         "sample-3d-exec-size", "sample-3d-operation", "sample-3d-param-count",
         "sample-3d-param-size", "sample-3d-param-type-f", "sample-3d-param-types",
    ]),
    (Side::Manual,
     "The data port: it looks at surfaces, channels and block sizes, not at the types and sizes of payloads and offsets; T5 it lets pass for media blocks.", &[
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
    (Side::Manual,
     "Shared virtual memory: its switch over the operations has no conditions.", &[
         "svm-atomic-address-type", "svm-atomic-exec-size", "svm-atomic-op", "svm-atomic-sources",
         "svm-atomic-width", "svm-block-address-type", "svm-block-size", "svm-gather-address-type",
         "svm-gather-blocks", "svm-gather-blocks-8", "svm-gather-exec-size", "svm-gather-type",
         "svm-gather4-address-type", "svm-gather4-channels", "svm-gather4-exec-size",
         "svm-gather4-type",
    ]),
    (Side::Manual,
     "The old sampler messages, video analytics, motion estimation, URB: it looks at classes of operands, surfaces and some modes, not at types and sizes.", &[
         "avs-type", "sample-mode", "sample-unorm-dst-size", "sample-unorm-dst-type",
         "sample-unorm-offset-type", "urb-type", "vme-mode", "vme-mode-type", "vme-size",
         "vme-type",
    ]),
    (Side::Manual,
     "Regions, modifiers and places: its reader takes codes without a meaning for others before it verifies, and elements behind a variable's end are warnings on its output.", &[
         "address-bounds", "dst-modifier", "exec-mask-aligned", "indirect-offset", "indirect-type",
         "modifier-known", "operand-bounds", "operand-column", "operand-modifier-class",
         "predicate-combine", "raw-bounds", "region-code", "region-general-vxh",
    ]),
    (Side::Manual,
     "Aliases: its reader has resolved them, forward ones to none, before it verifies.", &[
         "var-alias-cycle", "var-alias-index", "var-alias-offset-zero", "var-alias-order",
         "var-alias-predefined", "var-alias-scope",
    ]),
    (Side::Manual,
     "Labels: of their kinds and subroutines it knows nothing.", &[
         "label-kind", "label-same-subroutine",
    ]),
    (Side::Manual,
     "What the header chapter says of tables, inputs and functions beyond overlaps and sizes.", &[
         "addr-elements", "counts", "function-sizes", "input-alias", "input-aligned",
         "input-bounds", "input-count", "string-count", "surface-elements",
    ]),
    (Side::Manual,
     "Control flow, barriers, sends: their pages, which it has no check for.", &[
         "barrier-mode", "code-decodes", "dpas-depth", "dpas-precision", "faddr-type",
         "fcall-sizes", "ifcall-address-type", "jmp-exec-size", "nbarrier-count", "nbarrier-id",
         "nbarrier-id-type", "send-descriptor-type", "switchjmp-exec-size", "switchjmp-index-type",
         "wait-mask-type",
    ]),
    (Side::Field,
     "The pages list less than kernels in the field and readers take, so these are warnings; of their
      cases the reference refuses those that break what it checks, or does not survive them.", &[
         "listed-modifier", "predicate-needed", "predicate-zero",
    ]),
    (Side::Stricter,
     "It demands one type of both sources of SRND, and so refuses what the page demands.", &[
         "src-class", "srnd-types", "srnd-random-type", "srnd-random-listed", "srnd-no-mask",
    ]),
    (Side::Stricter,
     "It lets DIV saturate F and HF only; today's reference and the page add DF.", &[
         "saturation",
    ]),
];
