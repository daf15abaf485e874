//! The input files of the benchmarks.

use std::path::Path;

/// Returns [`real_files`], or copies of a test file if there are none.
#[allow(dead_code)] // not used by `codec`
pub fn files() -> Vec<Vec<u8>> {
    real_files().unwrap_or_else(|| {
        println!("GENVISA_CORPUS is not set: using copies of a test file");
        vec![include_bytes!("../../tests/data/tour.isa").to_vec(); 200]
    })
}

/// Returns the `.isa` files in the folder `GENVISA_CORPUS`, or `None` if it is not set.
pub fn real_files() -> Option<Vec<Vec<u8>>> {
    let folder = std::env::var_os("GENVISA_CORPUS")?;
    let entries = Path::new(&folder).read_dir().expect("GENVISA_CORPUS is a folder").flatten();
    let paths = entries.map(|entry| entry.path());
    let paths = paths.filter(|path| path.extension().is_some_and(|extension| extension == "isa"));
    Some(paths.map(|path| std::fs::read(path).expect("a readable file")).collect())
}
