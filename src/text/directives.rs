//! Directives and their words.

use super::print::Printer;

macro_rules! directives {
    ($($name:ident $word:literal,)*) => {
        /// A directive, except for implicit inputs.
        #[derive(Clone, Copy, PartialEq, Eq)]
        pub(super) enum Directive {
            $($name,)*
        }

        impl Directive {
            pub(super) const ALL: &'static [Directive] = &[$(Directive::$name),*];

            /// Returns the word with its dot.
            pub(super) const fn text(self) -> &'static str {
                match self {
                    $(Directive::$name => concat!(".", $word),)*
                }
            }

            /// Returns the directive of a word without its dot.
            pub(super) fn of(word: &str) -> Option<Directive> {
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
    pub(super) fn word(self) -> &'static str {
        &self.text()[1..]
    }

    /// Returns whether it must follow the start of a routine.
    pub(super) fn needs_routine(self) -> bool {
        use Directive::{Funcdecl, GlobalFunction, Kernel, Version};
        !matches!(self, Version | Kernel | GlobalFunction | Funcdecl)
    }
}

/// The prefix of the directive of an implicit input, which the driver supplies.
pub(super) const IMPLICIT: &str = "implicit_";
/// The prefix of the number of a kind without a name, after [`IMPLICIT`].
pub(super) const UNDEFINED: &str = "UNDEFINED_";

/// The names of the kinds of implicit inputs.
pub(super) const IMPLICIT_KINDS: [(&str, u8); 4] =
    [("LOCAL_SIZE", 1), ("GROUP_COUNT", 2), ("LOCAL_ID", 3), ("PSEUDO_INPUT", 16)];

impl Printer<'_> {
    /// Prints a directive and a space.
    #[inline]
    pub(super) fn directive(&mut self, directive: Directive) {
        self.line.push(directive.text());
        self.line.ch(' ');
    }
}
