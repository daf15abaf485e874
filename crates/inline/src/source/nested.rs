//! Source code in strings, such as an OpenCL program that a C++ or Python program compiles.

use core::ops::Range;

use memchr::memmem;

use super::text::Text;
use super::{Content, Language, Search, Source};

/// Returns whether a string may contain a part of source code with inline assembly.
pub(super) fn may_contain_assembly(string: &[u8]) -> bool {
    memmem::find(string, b"asm").is_some()
}

/// Finds inline assembly in the strings of a file.
pub(super) struct Nested<'s> {
    search: &'s Search,
    /// The number of functions of the file, and of the strings that were read.
    function_count: u32,
}

impl<'s> Nested<'s> {
    /// Returns a reader of the strings of a file in which blocks have been found.
    pub fn new(search: &'s Search, found: &Source) -> Nested<'s> {
        let indices = found.blocks.iter().filter_map(|block| block.function_index);
        Nested { search, function_count: indices.max().map_or(0, |last| last + 1) }
    }

    /// Adds what is in a string to the blocks of the file.
    pub fn find(&mut self, text: &Text, found: &mut Source) {
        let language = language(&text.bytes);
        let mut inner = self.search.with_language(language).find_nested(&text.bytes);
        let first = self.function_count;
        for block in &mut inner.blocks {
            // Functions have other numbers than those of the file.
            block.function_index = block.function_index.map(|index| index + first);
            self.function_count =
                self.function_count.max(block.function_index.map_or(0, |last| last + 1));
        }
        add(text, inner, found);
    }
}

/// Returns the language of source code that contains inline assembly.
fn language(text: &[u8]) -> Language {
    let contains = |word: &str| memmem::find(text, word.as_bytes()).is_some();
    match () {
        () if super::mlir::OPERATIONS.iter().any(|name| contains(name)) => Language::Mlir,
        #[cfg(feature = "python")]
        () if contains(super::python::FUNCTION) => Language::Python,
        () if contains("define ") && contains(" asm ") => Language::Llvm,
        () => Language::C,
    }
}

/// Adds what was found in a text, with places in the file.
fn add(text: &Text, inner: Source, found: &mut Source) {
    let outer = |range: &Range<usize>| text.file_span(range);
    for mut block in inner.blocks {
        if let Content::Other(_) = block.content {
            continue;
        }
        block.span = outer(&block.span);
        block.expansion = block.expansion.as_ref().map(outer);
        for range in &mut block.template_map {
            let place = outer(&(range.start as usize..range.end as usize));
            *range = place.start as u32..place.end as u32;
        }
        for span in block.constraint_spans.iter_mut().chain(&mut block.clobber_spans) {
            *span = outer(span);
        }
        found.blocks.push(block);
    }
    for (span, problem) in inner.hint_errors {
        found.hint_errors.push((outer(&span), problem));
    }
    if let (None, Some(mut error)) = (&found.error, inner.error) {
        error.offset = outer(&(error.offset..error.offset)).start;
        found.error = Some(error);
    }
}
