//! Text: `.visaasm`, as Intel's tools exchange it (format-facts 6).
//!
//! [`Listing`] prints a routine of a module and [`FileListing`] all of them, in one of two
//! [styles](Style):
//!
//! - [`Style::Faithful`] says all that the file says, in the words of today's grammar where it has
//!   words for it. What the grammar cannot say stands in comments that begin with `//@`.
//! - [`Style::Reference`] is byte for byte what GenX_IR 1.0.12504.6 prints, with every
//!   [`Quirk`] it has.
//!
//! A single [`Instruction`](crate::Instruction) prints by `Display`, with ids for names:
//!
//! ```
//! use genvisa::{Format, Instruction};
//!
//! let bytes = [0x37, 0x02, 0x06, 0x00, 0x20, 0x08, 0x05, 0x00, 0x10, 0x00, 0x00, 0x00, 0x00, 0x21,
//!              0x00, 0x00, 0x00, 0x00, 0x00, 0x21, 0x01, 0x22, 0x00, 0x00, 0x00, 0x00, 0x00];
//! let load = Instruction::from_bytes(&bytes, Format::default())?;
//! assert_eq!(load.to_string(), "media_ld.top (32,8) T6 0 0x10:ud V33(0,0)<0;1,0> V34.0");
//! # Ok::<(), genvisa::Error>(())
//! ```
//!
//! # What `//@` says
//!
//! At the end of an instruction's line, `//@` and bytes: the instruction says something that its
//! text does not (a bit that readers ignore, a code without a name). Behind the last instruction:
//!
//! | Comment | Meaning |
//! |---|---|
//! | `//@ strings "a" "b"` | the string pool, if it is not the names of the text in their order |
//! | `//@ name 5` | the string that is the routine's own name, if not the first one like it |
//! | `//@ unnamed` | what is called like `V33`, `A0` or `P1` has no name in the pool |
//! | `//@ function 2 1` | the sizes of a function's arguments and result |
//! | `//@ label a 0 = 05 00 00 00 00 00` | the label `a` has the id 0 and these bytes in its table |
//! | `//@ variable 32 = ..` | the bytes of a declaration that says more than its text |
//! | `//@ stripped 1000 200` | there is no code, only a size and an entry |
//!
//! Before the first routine, what the file says of itself, where routines do not imply it:
//!
//! | Comment | Meaning |
//! |---|---|
//! | `//@ file_function 2 1` | the function 2, counted from 0, has the [linkage](crate::object::Linkage) 1; without this, functions defined in the file have 2 and others have 0 |
//! | `//@ file_function 0 0 "f"` | the same, and the function 0 is `f` and stands in another file; without this, those that `.funcdecl` alone names follow all others |
//! | `//@ file_variable 0 = ..` | the bytes of a variable of the file |
//! | `//@ relocs kernel 0 variable 3:4` | in the kernel 0 (or the `function` 0) the index 3 stands for the variable (or `function`) 4 of the file |
//! | `//@ sections kernel 0 binary 0 0 padding = 00` | the order in which sections lie in the file (`binary 0 1` is the GEN binary 1 of the kernel 0) and the bytes between them |
//! | `//@ no_routines` | there are none |
//!
//! Without `sections`, functions come first, then each kernel with its GEN binaries, and there is no
//! padding. With it or without, [`parse`](fn@parse) gives back the module that a [`FileListing`] was
//! printed from, equal to it and with the same bytes, but for one thing: GEN binaries are not in the
//! text, not even how many there are. [`Module::with_gen_binaries_of`](crate::Module::with_gen_binaries_of)
//! gives them back. The text states the version and not the dialect: whoever parses it knows.

mod charset;
mod cleaned;
mod codes;
mod display;
mod file;
mod header;
mod irregular;
mod line;
mod listing;
mod names;
mod parse;
mod pool;
mod print;
mod quirk;
mod reprint;
mod reserved;
mod tokens;
mod trailer;
mod words;

pub use file::FileListing;
pub use listing::{Listing, PrintError};
pub use parse::{Assembly, Diagnostic, Lines, Places, assemble, line_and_column, parse};
pub use quirk::Quirk;
pub use reprint::{Reprinted, Reprinter, StatedVersion, reprint, version, versions};

use irregular::{Does as LscDoes, RT_WRITE_MODES, does as lsc_does};

/// How text is printed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Style {
    /// Everything that the file says, so that its bytes can be had back.
    #[default]
    Faithful,
    /// What GenX_IR 1.0.12504.6 prints, byte for byte.
    Reference,
}
