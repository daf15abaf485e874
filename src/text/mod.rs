//! Printing and parsing of vISA text, `.visaasm`.
//!
//! Section 6 of [`docs::format`](crate::docs::format) describes the text of GenX_IR.
//!
//! - [`FileListing`] prints a module, and [`Listing`] prints one of its routines.
//! - [`parse`](fn@parse) returns the module that a text describes, or a list of [`Diagnostic`]s.
//!   A [`Document`] has the routines without errors, the diagnostics, a [`SourceMap`], and what the text states.
//!   [`Recorded`] also has the words of the text and what they refer to.
//! - [`reformat`](fn@reformat) prints a text again in the layout of the printer.
//!
//! ```
//! use genvisa::text::{self, FileListing};
//! use genvisa::Format;
//!
//! let source = "\
//! .version 3.6
//! .kernel \"k\"
//! .decl x v_type=G type=d num_elts=8 align=GRF
//!     mov (M1, 8) x(0,0)<1> 0x2a:d
//!     ret (M1, 1)
//! ";
//! let module = text::parse(source, Format::default())?;
//! let printed = FileListing::new(&module).to_text()?;
//! assert_eq!(text::parse(printed, Format::default())?, module);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Text is printed in one of two [styles](Style):
//!
//! - [`Style::Complete`], the default, follows the grammar of the current assembler. Information
//!   that this grammar cannot express is in [annotations](#annotations), so the text has everything
//!   that the file has except GEN binaries.
//! - [`Style::GenXIr`] is byte for byte what GenX_IR 1.0.12504.6 prints, with all of its
//!   [`Quirk`]s.
//!
//! [`Instruction::display`](crate::Instruction::display) displays a single instruction with ids instead
//! of names, and [`parse_instruction`] is the inverse. [`Instruction`](crate::Instruction) also implements `Display`, without the bytes of
//! incomplete text:
//!
//! ```
//! use genvisa::{Format, Instruction, text};
//!
//! let bytes = [0x37, 0x02, 0x06, 0x00, 0x20, 0x08, 0x05, 0x00, 0x10, 0x00, 0x00, 0x00, 0x00, 0x21,
//!              0x00, 0x00, 0x00, 0x00, 0x00, 0x21, 0x01, 0x22, 0x00, 0x00, 0x00, 0x00, 0x00];
//! let load = Instruction::from_bytes(&bytes, Format::default())?;
//! assert_eq!(load.to_string(), "media_ld.top (32,8) T6 0 0x10:ud V33(0,0)<0;1,0> V34.0");
//! let displayed = load.display(Format::default()).to_string();
//! assert_eq!(text::parse_instruction(displayed, Format::default())?, load);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Annotations
//!
//! Comments that begin with `//@` are annotations. They contain the parts of a file that the
//! grammar cannot express. An annotation at the end of a line belongs to that line and only adds to
//! it, so text with annotations can be edited like any other: declarations, labels and instructions
//! can be added, removed, moved and renamed. If an annotation does not match its line, the line
//! takes precedence: a [`Document`] has a warning, or an error if the line alone is incomplete.
//!
//! Annotations at the end of a line:
//!
//! | Annotation | Line | Meaning |
//! |---|---|---|
//! | `//@ 59 00` | an instruction | The bytes of the instruction, if its text is incomplete (a bit that readers ignore, a code without a name). Ids of variables and labels are taken from the text |
//! | `//@ 89 .. ; V40=x` | an instruction | As above. `x` is the variable that the bytes call V40 and that the text does not show |
//! | `//@ paired` | a sampler message before 4.2 | The operand after the destination is the [paired surface](#versions-of-the-text) |
//! | `//@ name=5` | a declaration, a routine | The name is string 5 of the string pool, but the text cannot contain it: it is a word of the language such as `lod`, no identifier, not unique, or not the first string with this text. The text calls the variable by its id |
//! | `//@ attribute=5` | a declaration, `.kernel_attr` | The name of an attribute in this line is string 5 |
//! | `//@ alias=<x, 4>` | `.decl` | The variable is an alias of a variable that is declared later |
//! | `//@ alias=<#40, 4>` | `.decl` | The variable is an alias of an undeclared id |
//! | `//@ scope=1` | `.decl` | The [scope](crate::object::AliasScope) of the alias. In file scope, the number after `#` is the index of a file-scope variable |
//! | `//@ align=12` | `.decl` | The code of an alignment that has no name |
//! | `//@ body_name=5` | `.kernel`, `.global_function` | The name in the tables of the routine is string 5, not the name in the file header |
//! | `//@ stripped=1000:200` | `.kernel` | The kernel has no code, only the size 1000 and the entry 200 |
//! | `//@ stack=2:1` | `.global_function` | The sizes of the arguments and of the result |
//! | `//@ linkage=1` | `.global_function` | The [linkage](crate::object::Linkage), if it is not 2 |
//! | `//@ again` | `.kernel`, `.global_function` | An earlier routine has the same name |
//!
//! Annotations on a line of their own, in a routine:
//!
//! | Annotation | Meaning |
//! |---|---|
//! | `//@ input kind=0 index=40 offset=32 size=4` | An input whose variable is not declared |
//! | `//@ relocs variable 3:4` | Symbolic index 3 is file-scope variable 4 |
//! | `//@ relocs function 3:4="f"` | Symbolic index 3 is the function `f` of the file, which was function 4 |
//! | `//@ unnamed` | Variables called `V33`, `A0`, `P1` and so on have no name in the string pool |
//! | `//@ label l kind=0:4` | The label has [kind](crate::object::LabelKind) 4; the text alone implies kind 0 |
//! | `//@ label l undefined` | The label is in the label table, but the text does not define it |
//! | `//@ label l attrs={A}` | The attributes of the label |
//! | `//@ labels a b c` | The labels in the order of their ids, if that is not the order of their first appearance |
//! | `//@ strings "a" "b"` | The string pool, if it differs from the names of the text in their order |
//!
//! Annotations before the first routine, about the file:
//!
//! | Annotation | Meaning |
//! |---|---|
//! | `//@ extern "f" at=0 linkage=1` | Function 0 is `f`, is defined in another file and has linkage 1. Its `relocs` follow |
//! | `//@ file_variable = ..` | The bytes of a file-scope variable |
//! | `//@ sections kernel 0 binary 0 0 padding = 00` | The order of the sections in the file (`binary 0 1` is GEN binary 1 of kernel 0) and the bytes between them |
//! | `//@ no_routines` | The file has no routines |
//!
//! Without `sections`, the functions come first, then each kernel with its GEN binaries, without
//! padding.
//!
//! [`parse`](fn@parse) returns a module that is equal to the one that a [`FileListing`] was printed
//! from, except for the GEN binaries: the text does not contain them, nor their number.
//! [`Module::with_gen_binaries_of`](crate::Module::with_gen_binaries_of) adds them; then the module
//! also has the same bytes. The text states the version but not the [`Dialect`](crate::Dialect),
//! which the caller of `parse` provides.
//!
//! # Versions of the text
//!
//! IGC reads the printed text of all versions. In [`Format::V4_2`], the parser also
//! rejects constructs that only older text has; see [`docs::text`](crate::docs::text). The printer
//! adds the bytes of an instruction that the compiler cannot read.
//!
//! In 3D_SAMPLE, 3D_LOAD and 3D_GATHER4, IGC requires a paired surface after the
//! destination, usually `%null.0`. In GenX_IR 1.0.12504.6, the parameters follow the destination. The
//! printed text always has the paired surface, and before version 4.2 the annotation `//@ paired`
//! says so. Without it, text before 4.2 has no paired surface, except for a null operand in text of
//! version 4.1, which IGC may have printed; a [`Document`] has a warning of the two readings. In
//! [`Dialect::Igc2026`](crate::Dialect::Igc2026), text of all versions has the paired surface.
//!
//! [`Format::V4_2`]: crate::Format::V4_2
//!
//! # Text in dialect `Manual`
//!
//! In [`Dialect::Manual`](crate::Dialect::Manual), the five instructions have the syntax of the
//! Text sections of their manual pages, in both styles. Everything else is the same in all
//! dialects.
//!
//! ```text
//! RESINFO (8) T6 u.0 dst.0
//! MEDIA_LD.2 (32, 8) T6 0 x(0,0)<0;1,0> y(0,0)<0;1,0> dst.0
//! (P1) GATHER4_TYPED.RGBA (8) T6 u.0 v.0 r.0 lod.0 dst.0
//! (P1) SAMPLE_B.pixel_null_mask.cps.divS.RGBA (M2, 8) 0x0:uw S0 T6 dst.0 bias.0 u.0 v.0
//! (P1) RT_WRITE.<A><LRTW><RTI> (16) T6 0x1:ub s0a.0 r.0 g.0 b.0 a.0
//! ```
//!
//! Words are printed in the case that the pages use and parsed in any case. A form that only other
//! dialects have is an error that names them. Where a page is ambiguous or incomplete, the crate
//! implements this reading:
//!
//! | Page | Reading |
//! |---|---|
//! | all with `(exec_size)` | The pages have no text for the mask. M1 is not printed, any other mask is: `(M2, 8)`. `(M1, 8)` and `(NoMask, 8)` are accepted |
//! | MEDIA_LD, `<mods>` | The three bits as a decimal number, after a dot that is never omitted: `MEDIA_LD.0`. The names `top_field`, `bottom_field` and the names of the other dialects are accepted |
//! | RT_WRITE, `<Mode>` | The brackets `<` and `>` belong to the text, the square brackets do not. The words are printed in the order of the page, and accepted in any order, each at most once |
//! | RT_WRITE, header | The page omits it. A null header is not printed. Any other header follows the surface: it is the raw operand that the mode does not account for |
//! | RT_WRITE, SI | The page omits the operand. It precedes the CPS counter, as in the bytes |
//! | 3D_SAMPLE, `.divS` | It is allowed once for all operations, including `SAMPLE_3d`, where the page has it twice |
//! | 3D_SAMPLE, parameters | Trailing parameters can be missing, and up to 15 are accepted, as in the bytes |
//! | GATHER4_TYPED, `<channels>` | Also the masks that are missing in the page's list, and `0000` for none |

mod context;
mod cursor;
mod diagnostic;
mod files;
mod formatting;
mod items;
mod line;
mod names;
mod operands;
mod options;
mod recorder;
mod routines;
mod rows;
mod stated;
mod statements;
mod words;

pub use diagnostic::{Diagnostic, Diagnostics, Errors, LineIndex, line_and_column, nearest};
pub use files::{
    Completions, Document, FileListing, OmittedRoutine, Recorded, completions,
    newer_version_warning, parse,
};
pub use formatting::{ReformatError, Reformatted, Reformatter, reformat, split_dump};
pub use options::{Chosen, Formats, ParseOptions};
pub use recorder::{
    Completion, CompletionKind, RecordedInstruction, RecordedOperand, RecordedRoutine, Referent,
    RowText, Syntax, SyntaxPart, Token, TokenKind,
};
pub use routines::{LineNames, LinePrinter, Listing, PrintError, complete_text};
pub use rows::{as_igc_writes, parse_instruction, row_text, row_texts, words_of};
pub use stated::{
    StatedPlatform, StatedVersion, begins_text, format_of, stated_platform, stated_versions,
};
pub use statements::SourceMap;
pub use words::{Quirk, Style};
