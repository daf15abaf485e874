//! Searches for inline assembly.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::evidence::Target;
use super::{Language, Source, c, kernels, llvm, mlir, spirv};

/// A search for inline assembly in a source file, and what is known of the file besides its text.
///
/// ```
/// use genvisa_inline::source::{Content, Language, Search};
///
/// let source = br#"
///     void f(int x) {
///     #ifdef USE_VISA
///         asm("mov (M1, 16) %0(0,0)<1> 1:d" : "=rw"(x));
///     #else
///         asm("mov.b32 %0, 1;" : "=r"(x));
///     #endif
///     }"#;
///
/// let blocks = Search::new(Language::C).find(source).blocks;
/// assert_eq!(blocks.len(), 2);
/// assert_eq!(blocks[1].content, Content::Other("this is PTX"));
///
/// let blocks = Search::new(Language::C).define("USE_VISA", "1").find(source).blocks;
/// assert_eq!(blocks.len(), 1);
/// ```
#[derive(Clone, Debug)]
pub struct Search {
    language: Language,
    requires_visa: bool,
    pub(super) macros: Vec<(String, Option<String>)>,
    /// The text of files that are read before the file.
    included: Vec<u8>,
}

/// The macros that are defined in code that a SYCL compiler compiles for an Intel GPU.
const DEFINED_FOR_VISA: [&str; 2] = ["__SYCL_DEVICE_ONLY__", "__SPIR__"];

/// Macros that are not defined there.
const UNDEFINED_FOR_VISA: [&str; 9] = [
    "__CUDA__",
    "__CUDA_ARCH__",
    "__NVPTX__",
    "__SYCL_CUDA_ARCH__",
    "__HIP__",
    "__HIP_DEVICE_COMPILE__",
    "__AMDGCN__",
    "__x86_64__",
    "__aarch64__",
];

const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

impl Search {
    /// Returns a search in a file of a language.
    pub fn new(language: Language) -> Search {
        Search { language, requires_visa: false, macros: Vec::new(), included: Vec::new() }
    }

    /// Requires that all inline assembly is vISA, unless the file states another target: assembly for
    /// other machines is then a finding of rule `foreign-assembly`.
    ///
    /// In C and its dialects, the macros of the device compilers for Intel GPUs are defined, and
    /// those of other targets are not.
    #[must_use]
    pub fn require_visa(mut self) -> Search {
        self.requires_visa = true;
        let defined = DEFINED_FOR_VISA.iter().map(|name| (*name, Some("1")));
        let undefined = UNDEFINED_FOR_VISA.iter().map(|name| (*name, None));
        let all = defined.chain(undefined);
        let macros = all.map(|(name, value)| (name.into(), value.map(String::from)));
        // What the user states has precedence.
        self.macros.splice(0..0, macros);
        self
    }

    /// Defines a macro of C, as the option `-D` of compilers does. Code in branches of preprocessor
    /// conditionals that are then certainly not compiled is skipped.
    #[must_use]
    pub fn define(mut self, name: &str, value: &str) -> Search {
        self.macros.push((name.into(), Some(value.into())));
        self
    }

    /// States that a macro of C is not defined, as the option `-U` of compilers does.
    #[must_use]
    pub fn undefine(mut self, name: &str) -> Search {
        self.macros.push((name.into(), None));
        self
    }

    /// Adds a header of C whose macros and declarations are known in the file, as the option `-include` of
    /// compilers does. Inline assembly in it is not found, except that of macros which the file uses.
    ///
    /// ```
    /// use genvisa_inline::source::{Content, Language, Search};
    ///
    /// let header = b"template <class T, int N> using vector_t = T __attribute__((ext_vector_type(N)));";
    /// let source = br#"void f(vector_t<float, 4> x) { asm("barrier" :: "rw"(x)); }"#;
    /// let found = Search::new(Language::C).include(header).find(source);
    /// let Content::Visa(statement) = &found.blocks[0].content else { unreachable!() };
    /// assert_eq!(statement.operands[0].ty, Some("float4".parse()?));
    /// # Ok::<(), genvisa::error::ErrorKind>(())
    /// ```
    #[must_use]
    pub fn include(mut self, header: &[u8]) -> Search {
        self.included.extend_from_slice(header);
        self.included.push(b'\n');
        self
    }

    /// Returns this search in a file of another language.
    pub(super) fn with_language(&self, language: Language) -> Search {
        Search { language, ..self.clone() }
    }

    pub(super) fn language(&self) -> Language {
        self.language
    }

    /// The machine of code that does not state it.
    pub(super) fn default_target(&self) -> Target {
        if self.requires_visa { Target::Visa } else { Target::Unknown }
    }

    /// Finds the inline assembly in a file.
    ///
    /// If the file cannot be read to its end, [`Source::error`] contains the reason, and the blocks
    /// before the error are returned.
    pub fn find(&self, source: &[u8]) -> Source {
        let mut found = self.find_in(source, false);
        kernels::connect(&mut found.blocks);
        found
    }

    /// Finds the inline assembly in the value of a string of a file.
    pub(super) fn find_nested(&self, text: &[u8]) -> Source {
        self.find_in(text, true)
    }

    fn find_in(&self, source: &[u8], is_nested: bool) -> Source {
        match self.language {
            Language::C | Language::OpenCl | Language::Cm => {
                let prefix = [self.directives().as_bytes(), &self.included].concat();
                if prefix.is_empty() {
                    return c::find(source, self, is_nested);
                }
                let mut text = [&prefix, source].concat();
                // A byte order mark is at the start of a file only.
                if source.starts_with(BYTE_ORDER_MARK) {
                    text[prefix.len()..][..BYTE_ORDER_MARK.len()].fill(b' ');
                }
                let mut found = c::find(&text, self, is_nested);
                found.remove_prefix(prefix.len());
                found
            }
            Language::Llvm => llvm::find(source, self),
            Language::Mlir => mlir::find(source, self),
            #[cfg(feature = "python")]
            Language::Python => super::python::find(source, self, is_nested),
            Language::Spirv => spirv::find(source, self),
        }
    }

    /// Returns the directives that define the macros.
    fn directives(&self) -> String {
        let mut text = String::new();
        for (name, value) in &self.macros {
            let directive = match value {
                Some(value) => format!("#define {name} {value}"),
                None => format!("#undef {name}"),
            };
            text += &directive.replace(['\n', '\r'], " ");
            text.push('\n');
        }
        text
    }
}
