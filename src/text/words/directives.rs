//! Directives and their words.

macro_rules! directives {

    ($($name:ident $word:literal: $meaning:literal,)*) => {
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

            /// Returns what the directive does.
            pub(in crate::text) const fn meaning(self) -> &'static str {
                match self {
                    $(Directive::$name => $meaning,)*
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
    Version "version": "The version of the format, which decides how the text is read.",
    Kernel "kernel": "Starts a kernel. Its declarations, inputs, attributes and instructions follow.",
    GlobalFunction "global_function": "Starts a function, which FCALL and IFCALL call.",
    Decl "decl": "Declares a variable, a sampler or a surface.",
    Input "input": "An argument of the kernel: a variable that has a value at the start.",
    Parameter "parameter": "The same as `.input`, before 4.2.",
    KernelAttr "kernel_attr": "An attribute of the routine.",
    Funcdecl "funcdecl": "Declares a function of the file.",
    Function "function": "Starts a subroutine, which CALL calls.",
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
