//! Names and numbers of device binaries (zebin).

/// The machine of device binaries, which `object` does not know.
pub const EM_INTELGT: u16 = 205;

/// A kernel of this name, which nobody calls, owns the symbol table of a program. There may be others with a
/// suffix.
#[cfg(any(feature = "device", feature = "find"))]
pub const SYMBOL_TABLE_KERNEL: &str = "Intel_Symbol_Table_Void_Program";

/// Returns whether a section has the text of a kernel or module by its name: `.visaasm` or `.visaasm.NAME`.
#[cfg(any(feature = "device", feature = "find"))]
pub fn is_text_section(section: &[u8]) -> bool {
    matches!(section.strip_prefix(b".visaasm"), Some([] | [b'.', ..]))
}
