//! The directives and their words.

use super::print::Printer;

macro_rules! directives {
    ($($name:ident $word:literal,)*) => {
        /// A directive, but for the inputs that the driver supplies.
        #[derive(Clone, Copy, PartialEq, Eq)]
        pub(super) enum Directive {
            $($name,)*
        }

        impl Directive {
            pub(super) const ALL: &'static [Directive] = &[$(Directive::$name),*];

            /// The word, with its dot.
            pub(super) const fn text(self) -> &'static str {
                match self {
                    $(Directive::$name => concat!(".", $word),)*
                }
            }

            /// The directive of a word without its dot.
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
    /// The word without its dot.
    pub(super) fn word(self) -> &'static str {
        &self.text()[1..]
    }

    /// Whether it belongs to the routine before it.
    pub(super) fn needs_routine(self) -> bool {
        use Directive::{Funcdecl, GlobalFunction, Kernel, Version};
        !matches!(self, Version | Kernel | GlobalFunction | Funcdecl)
    }
}

/// What precedes the name of an input that the driver supplies, or [`UNDEFINED`] and its number.
pub(super) const IMPLICIT: &str = "implicit_";
pub(super) const UNDEFINED: &str = "UNDEFINED_";

/// The kinds of such inputs.
pub(super) const IMPLICIT_KINDS: [(&str, u8); 4] =
    [("LOCAL_SIZE", 1), ("GROUP_COUNT", 2), ("LOCAL_ID", 3), ("PSEUDO_INPUT", 16)];

impl Printer<'_> {
    /// A directive and a space.
    #[inline]
    pub(super) fn directive(&mut self, directive: Directive) {
        self.line.push(directive.text());
        self.line.ch(' ');
    }
}
