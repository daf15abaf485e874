//! Text: `.visaasm`, as Intel's tools exchange it (format-facts 6).
//!
//! [`Listing`] prints a routine of a module and [`FileListing`] all of them, in one of two
//! [styles](Style):
//!
//! - [`Style::Faithful`] says all that the file says, in the words of today's grammar where it has
//!   words for it. What the grammar cannot say is in [annotations](#annotations).
//! - [`Style::Reference`] is byte for byte what GenX_IR 1.0.12504.6 prints, with every
//!   [`Quirk`] it has.
//!
//! A single [`Instruction`](crate::Instruction) prints by `Display`, with ids for names, and
//! [`parse_instruction`] is the inverse:
//!
//! ```
//! use genvisa::{Format, Instruction, text};
//!
//! let bytes = [0x37, 0x02, 0x06, 0x00, 0x20, 0x08, 0x05, 0x00, 0x10, 0x00, 0x00, 0x00, 0x00, 0x21,
//!              0x00, 0x00, 0x00, 0x00, 0x00, 0x21, 0x01, 0x22, 0x00, 0x00, 0x00, 0x00, 0x00];
//! let load = Instruction::from_bytes(&bytes, Format::default())?;
//! assert_eq!(load.to_string(), "media_ld.top (32,8) T6 0 0x10:ud V33(0,0)<0;1,0> V34.0");
//! assert_eq!(text::parse_instruction(load.to_string(), Format::default())?, load);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Text in dialect `Manual`
//!
//! In [`Dialect::Manual`](crate::Dialect::Manual), the five instructions follow the Text sections of
//! their pages, in both styles. Everything else in a text is the same in all dialects.
//!
//! ```text
//! RESINFO (8) T6 u.0 dst.0
//! MEDIA_LD.2 (32, 8) T6 0 x(0,0)<0;1,0> y(0,0)<0;1,0> dst.0
//! (P1) GATHER4_TYPED.RGBA (8) T6 u.0 v.0 r.0 lod.0 dst.0
//! (P1) SAMPLE_B.pixel_null_mask.cps.divS.RGBA (M2, 8) 0x0:uw S0 T6 dst.0 bias.0 u.0 v.0
//! (P1) RT_WRITE.<A><LRTW><RTI> (16) T6 0x1:ub s0a.0 r.0 g.0 b.0 a.0
//! ```
//!
//! Words are printed in the case of the pages and parsed in any case. A form that only other dialects have
//! is an error that names them. Where a page is ambiguous or incomplete, this reading is used:
//!
//! | Page | Reading |
//! |---|---|
//! | all with `(exec_size)` | The pages have no text for the mask. M1 is not printed, any other mask is: `(M2, 8)`. `(M1, 8)` and `(NoMask, 8)` are accepted |
//! | MEDIA_LD, `<mods>` | The three bits as a decimal number, after a dot that is always there: `MEDIA_LD.0`. The names `top_field`, `bottom_field` and those of the other dialects are accepted |
//! | RT_WRITE, `<Mode>` | The brackets `<` and `>` belong to the text, and the square brackets do not. The words are printed in the order of the page, and accepted in any order, each at most once |
//! | RT_WRITE, header | The page leaves it out. A null header is not printed. Another header follows the surface: it is the raw operand that the mode does not account for |
//! | RT_WRITE, SI | The page leaves out the operand. It precedes the CPS counter, as in the bytes |
//! | 3D_SAMPLE, `.divS` | It is allowed once, as for all operations but `SAMPLE_3d`, where the page has it twice |
//! | 3D_SAMPLE, parameters | Trailing parameters can be missing, and up to 15 are accepted, as in the bytes |
//! | GATHER4_TYPED, `<channels>` | Also the masks that the page's list lacks, and `0000` for none |
//!
//! # Annotations
//!
//! Comments that begin with `//@` are annotations: what the file says and the grammar has no words
//! for. An annotation at the end of a line belongs to that line, and only adds what the line leaves
//! open, so text with annotations can be edited like any other: declarations, labels and instructions
//! can be added, removed, moved and renamed. Where an annotation does not match the text that it
//! belongs to, the text wins; [`assemble`] returns a warning, or an error if the text alone is
//! incomplete.
//!
//! | Annotation | At the end of | Meaning |
//! |---|---|---|
//! | `//@ 59 00` | an instruction | its bytes, where the text does not say all of them (a bit that readers ignore, a code without a name). The ids of variables and labels are those of the text |
//! | `//@ 89 .. ; V40=x` | an instruction | the same; what the bytes call V40, and the text does not show, is `x` |
//! | `//@ name=5` | a declaration, a routine | the name is the string 5 of the pool: an unusual name, or not the first such string |
//! | `//@ attribute=5` | a declaration, `.kernel_attr` | the name of an attribute in this line is the string 5 |
//! | `//@ alias=<x, 4>` | `.decl` | an alias of a variable that is declared later |
//! | `//@ alias=<#40, 4>` | `.decl` | an alias of an id that is not declared |
//! | `//@ scope=1` | `.decl` | the [scope](crate::object::AliasScope) of the alias; in the scope of the file, its `#` counts the variables of the file |
//! | `//@ align=12` | `.decl` | the code of an alignment that has no name |
//! | `//@ body_name=5` | `.kernel`, `.global_function` | the tables of the routine name it differently: the string 5 |
//! | `//@ stripped=1000:200` | `.kernel` | there is no code, only a size and an entry |
//! | `//@ stack=2:1` | `.global_function` | the sizes of the arguments and the result |
//! | `//@ linkage=1` | `.global_function` | the [linkage](crate::object::Linkage), if it is not 2 |
//! | `//@ again` | `.kernel`, `.global_function` | an earlier routine has the same name |
//!
//! LineIndex of their own, in a routine:
//!
//! | Annotation | Meaning |
//! |---|---|
//! | `//@ input kind=0 index=40 offset=32 size=4` | an input whose variable is not declared |
//! | `//@ relocs variable 3:4` | the index 3 stands for the variable 4 of the file |
//! | `//@ relocs function 3:4="f"` | the index 3 stands for the function `f` of the file, which was the function 4 |
//! | `//@ unnamed` | variables called like `V33`, `A0` or `P1` have no name in the pool |
//! | `//@ label l kind=0:4` | the label has the [kind](crate::object::LabelKind) 4, where the text alone makes it 0 |
//! | `//@ label l undefined` | the label is in the table, but not in the text |
//! | `//@ label l attrs={A}` | the attributes of the label |
//! | `//@ labels a b c` | the labels in the order of their ids, if they are not numbered by first appearance |
//! | `//@ strings "a" "b"` | the string pool, if it is not the names of the text in their order |
//!
//! Before the first routine, about the file, where the routines do not imply it:
//!
//! | Annotation | Meaning |
//! |---|---|
//! | `//@ extern "f" at=0 linkage=1` | the function 0 is `f`, is defined in another file and has the linkage 1; its `relocs` follow |
//! | `//@ file_variable = ..` | the bytes of a variable of the file |
//! | `//@ sections kernel 0 binary 0 0 padding = 00` | the order of the sections in the file (`binary 0 1` is the GEN binary 1 of the kernel 0) and the bytes between them |
//! | `//@ no_routines` | there are none |
//!
//! Without `sections`, functions come first, then each kernel with its GEN binaries, and there is no
//! padding. With it or without, [`parse`](fn@parse) gives back the module that a [`FileListing`] was
//! printed from, equal to it and with the same bytes, but for one thing: GEN binaries are not in the
//! text, not even how many there are. [`Module::with_gen_binaries_of`](crate::Module::with_gen_binaries_of)
//! gives them back. The text states the version and not the dialect: whoever parses it knows.

mod annotations;
mod charset;
mod codes;
mod directives;
mod display;
mod file;
mod header;
mod items;
mod line;
mod listing;
mod mnemonics;
mod names;
mod parse;
mod print;
mod quirk;
mod reference_names;
mod reformat;
mod reserved;
mod string_index;
mod words;

pub use file::FileListing;
pub use listing::{Listing, PrintError};
pub use parse::{
    Assembly, Diagnostic, Diagnostics, Errors, LineIndex, SourceMap, assemble, line_and_column,
    parse, parse_instruction,
};
pub use quirk::Quirk;
pub use reformat::{
    Reformatted, Reformatter, StatedVersion, reformat, stated_version, stated_versions,
};

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
