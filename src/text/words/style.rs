//! The styles of text.

/// The style in which text is printed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Style {
    /// Text from which the same file can be assembled.
    #[default]
    Complete,
    /// Exactly the text that GenX_IR 1.0.12504.6 prints.
    GenXIr,
}
