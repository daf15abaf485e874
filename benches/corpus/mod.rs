//! The files that are measured.

use std::path::Path;

/// [`real_files`], or the file of the tests, many times over.
#[allow(dead_code)] // the codec's bench has instructions of its own to stand in
pub fn files() -> Vec<Vec<u8>> {
    real_files().unwrap_or_else(|| {
        println!("GENVISA_CORPUS is not set: the tests' own file stands in");
        vec![include_bytes!("../../tests/data/tour.isa").to_vec(); 200]
    })
}

/// The `.isa` files of the folder that `GENVISA_CORPUS` names, if it is set.
pub fn real_files() -> Option<Vec<Vec<u8>>> {
    let folder = std::env::var_os("GENVISA_CORPUS")?;
    let entries = Path::new(&folder).read_dir().expect("GENVISA_CORPUS is a folder").flatten();
    let paths = entries.map(|entry| entry.path());
    let paths = paths.filter(|path| path.extension().is_some_and(|extension| extension == "isa"));
    Some(paths.map(|path| std::fs::read(path).expect("a readable file")).collect())
}
