//! The texts of the benchmarks, and printing of modules.

#![allow(dead_code)] // each benchmark uses some of this

use std::fmt;
use std::hint::black_box;
use std::path::{Path, PathBuf};

use genvisa::text::{self, FileListing, Listing, Style};
use genvisa::{Dialect, Format, Module};

/// A text, and the format to parse it in.
pub type Text = (String, Format);

/// Several texts.
pub type Texts = Vec<Text>;

/// Returns the text of a module in the complete style.
pub fn text_of(module: &Module<'_>) -> Text {
    let mut text = String::new();
    FileListing::new(module).write_to(&mut text).expect("legal code");
    (text, module.format)
}

/// Returns the texts of files in the complete style.
pub fn complete(files: &[Vec<u8>]) -> Texts {
    let module = |file| Module::from_bytes(file, Dialect::Igc2022).expect("an object");
    files.iter().map(|file| text_of(&module(file))).collect()
}

/// Returns the `.visaasm` files in the folder `GENVISA_DUMPS` and the folders in it, or `None` if it
/// is not set.
pub fn dumps() -> Option<Texts> {
    let mut paths = Vec::new();
    find_dumps(Path::new(&std::env::var_os("GENVISA_DUMPS")?), &mut paths);
    let read = |path: &PathBuf| {
        let text = std::fs::read_to_string(path).expect("a readable text");
        let format = text::format_of(&text);
        (text, format)
    };
    Some(paths.iter().map(read).collect())
}

fn find_dumps(folder: &Path, paths: &mut Vec<PathBuf>) {
    for path in folder.read_dir().expect("a folder").flatten().map(|entry| entry.path()) {
        if path.is_dir() {
            find_dumps(&path, paths);
        } else if path.extension().is_some_and(|extension| extension == "visaasm") {
            paths.push(path);
        }
    }
}

/// A writer that only counts bytes.
#[derive(Default)]
struct Count(usize);

impl fmt::Write for Count {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.0 += black_box(text).len();
        Ok(())
    }
}

/// Prints modules and returns the number of bytes.
pub fn print(modules: &[Module<'_>], style: Style) -> usize {
    let mut count = Count::default();
    for module in modules {
        for routine in module.routines() {
            let listing = Listing::new(routine).with_style(style);
            listing.write_to(&mut count).expect("legal code");
        }
    }
    count.0
}
