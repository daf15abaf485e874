//! The words of the language, for tools that highlight text without parsing it.

use alloc::string::String;
use alloc::vec::Vec;

use super::mnemonics;
use crate::format::Dialect;
use crate::isa::prefix;
use crate::operand::lsc::LscAddrType;
use crate::operand::{DataType, ExecMask};
use crate::text::recorder::TokenKind;
use crate::text::words::{Directive, IMPLICIT, IMPLICIT_KINDS};

/// Returns the words of a kind in all dialects, each once: directives with their dots, mnemonics,
/// types, and of the other words those that precede parentheses or brackets, or are in parentheses.
/// Other kinds have none.
///
/// ```
/// use genvisa::text::{TokenKind, words_of};
///
/// assert!(words_of(TokenKind::Mnemonic).iter().any(|word| word == "lsc_load"));
/// assert!(words_of(TokenKind::Directive).iter().any(|word| word == ".decl"));
/// ```
pub fn words_of(kind: TokenKind) -> Vec<String> {
    let mut words: Vec<String> = match kind {
        TokenKind::Mnemonic => {
            let families = [prefix!(Va), prefix!(VaSklPlus)];
            let families = families.iter().map(|prefix| String::from(prefix.trim_end_matches('.')));
            let manual = mnemonics::all(Dialect::Manual);
            families.chain(mnemonics::all(Dialect::Igc2026)).chain(manual).collect()
        }
        TokenKind::Directive => {
            let implicit =
                IMPLICIT_KINDS.iter().map(|(kind, _)| String::from(".") + IMPLICIT + kind);
            let directives = Directive::ALL.iter().map(|directive| directive.text().into());
            directives.chain(implicit).chain([".file", ".loc"].map(String::from)).collect()
        }
        TokenKind::Type => {
            let names = || DataType::NAMED.iter().filter_map(|ty| ty.name());
            let upper = names().map(str::to_uppercase);
            names().map(String::from).chain(upper).collect()
        }
        TokenKind::Word => {
            let models = LscAddrType::NAMED.iter().filter_map(|model| model.name());
            models.chain(ExecMask::NAMES).map(String::from).collect()
        }
        _ => Vec::new(),
    };
    words.sort_unstable();
    words.dedup();
    words
}
