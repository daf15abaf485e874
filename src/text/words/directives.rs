//! Directives and their words.

macro_rules! directives {

    ($($name:ident $word:literal,)*) => {
        /// A directive, except for implicit inputs.
        #[derive(Clone, Copy, PartialEq, Eq)]
        pub(in crate::text) enum Directive {
            $($name,)*
        }

        impl Directive {
            pub(in crate::text) const ALL: &'static [Directive] = &[$(Directive::$name),*];

            /// Returns the word with its dot.
            pub(in crate::text) const fn text(self) -> &'static str {
                match self {
                    $(Directive::$name => concat!(".", $word),)*
                }
            }

            /// Returns the directive of a word without its dot.
            pub(in crate::text) fn of(word: &str) -> Option<Directive> {
                match word {
                    $($word => Some(Directive::$name),)*
                    _ => None,
                }
            }
        }
    };
}

directives! {
    Version "version",
    Kernel "kernel",
    GlobalFunction "global_function",
    Decl "decl",
    Input "input",
    Parameter "parameter",
    KernelAttr "kernel_attr",
    Funcdecl "funcdecl",
    Function "function",
}

impl Directive {
    /// Returns the word without its dot.
    pub(in crate::text) fn word(self) -> &'static str {
        &self.text()[1..]
    }
}

/// The prefix of the directive of an implicit input, which the driver supplies.
pub(in crate::text) const IMPLICIT: &str = "implicit_";
/// The prefix of the number of a kind without a name, after [`IMPLICIT`].
pub(in crate::text) const UNDEFINED: &str = "UNDEFINED_";

/// The names of the kinds of implicit inputs.
pub(in crate::text) const IMPLICIT_KINDS: [(&str, u8); 4] =
    [("LOCAL_SIZE", 1), ("GROUP_COUNT", 2), ("LOCAL_ID", 3), ("PSEUDO_INPUT", 16)];
