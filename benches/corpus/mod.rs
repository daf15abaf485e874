//! The files that are measured.

use std::path::Path;

/// The `.isa` files of the folder that `GENVISA_CORPUS` names, or that of the tests, many times over.
pub fn files() -> Vec<Vec<u8>> {
    let Some(folder) = std::env::var_os("GENVISA_CORPUS") else {
        println!("GENVISA_CORPUS is not set: the tests' own file stands in");
        return vec![include_bytes!("../../tests/data/tour.isa").to_vec(); 200];
    };
    let entries = Path::new(&folder).read_dir().expect("GENVISA_CORPUS is a folder").flatten();
    let paths = entries.map(|entry| entry.path());
    let paths = paths.filter(|path| path.extension().is_some_and(|extension| extension == "isa"));
    paths.map(|path| std::fs::read(path).expect("a readable file")).collect()
}
