//! Running the bodies of the fuzz targets with seeds, regressions, and random mutants of the seeds.
//!
//! `GENVISA_FUZZ_ROUNDS` is the number of mutants of each seed.

use std::fs;
use std::panic::{self, AssertUnwindSafe};
use std::path::Path;

use super::random::{cases, number_from};
use super::repository;
use super::rng::Rng;

/// The name of a target, the folder of its seeds in `fuzz`, and its function.
pub type Target = (&'static str, &'static str, fn(&[u8]));

/// Reads the files of a folder of `fuzz/`.
fn inputs(folder: &str) -> Vec<(String, Vec<u8>)> {
    let root = repository("fuzz").join(folder);
    let Ok(entries) = root.read_dir() else { return Vec::new() };
    let mut paths: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    let read = |path: &Path| fs::read(path).expect("a readable seed");
    paths.iter().map(|path| (path.display().to_string(), read(path))).collect()
}

fn run(body: fn(&[u8]), data: &[u8], name: &str) {
    let result = panic::catch_unwind(AssertUnwindSafe(|| body(data)));
    assert!(result.is_ok(), "{name}: {}", data.escape_ascii());
}

/// Changes, inserts, removes or repeats bytes, one to four times.
fn mutate(data: &mut Vec<u8>, rng: &mut Rng) {
    for _ in 0..=rng.below(4) {
        let at = rng.below(data.len().max(1));
        match rng.below(6) {
            0 if at < data.len() => data[at] ^= 1 << rng.below(8),
            1 if at < data.len() => data[at] = rng.pick(&[0, 1, 0x7f, 0xff]),
            2 if at < data.len() => data[at] = rng.bits() as u8,
            3 => data.insert(at, rng.bits() as u8),
            4 => {
                let end = (at + rng.below(8)).min(data.len());
                data.drain(at..end);
            }
            _ => {
                let end = (at + rng.below(32)).min(data.len());
                let piece = data[at..end].to_vec();
                let to = rng.below(data.len() + 1);
                data.splice(to..to, piece);
            }
        }
    }
}

/// Runs a target with its regressions, its corpus and its seeds, and with mutants of its seeds.
pub fn run_target(targets: &[Target], name: &str) {
    let (_, folder, body) = *targets.iter().find(|(target, ..)| *target == name).expect("a target");
    for folder in ["regressions", "corpora"] {
        for (path, input) in inputs(&format!("{folder}/{name}")) {
            run(body, &input, &path);
        }
    }
    let seeds = inputs(folder);
    assert!(!seeds.is_empty(), "{folder} has no seeds");
    // Targets that generate their input are slower.
    let rounds = cases(if folder == "seeds/choices" { 20 } else { 150 });
    let rounds = number_from("GENVISA_FUZZ_ROUNDS", rounds);
    let mut rng = Rng::new(7, 0);
    for (path, seed) in seeds {
        run(body, &seed, &path);
        for round in 0..rounds {
            let mut data = seed.clone();
            mutate(&mut data, &mut rng);
            run(body, &data, &format!("{path}, round {round}"));
        }
    }
}

/// Returns the function of a target.
///
/// # Panics
/// Panics if no list has the target.
pub fn body(name: &str, lists: &[&[Target]]) -> fn(&[u8]) {
    let mut targets = lists.iter().copied().flatten();
    let target = targets.find(|(target, ..)| *target == name);
    target.unwrap_or_else(|| panic!("no target `{name}`")).2
}

/// Returns whether `fuzz/Cargo.toml` has a binary for a target.
pub fn has_binary(name: &str) -> bool {
    let manifest = fs::read_to_string(repository("fuzz/Cargo.toml")).expect("a manifest");
    manifest.contains(&format!("{{ name = \"{name}\", path = \"targets/"))
}

/// Defines the list `TARGETS`: the name of each target, which is its function, and the folder of its seeds in
/// `fuzz`. In tests, also defines a test for each target.
#[macro_export]
macro_rules! fuzz_targets {
    ($($name:ident: $folder:literal,)*) => {
        /// The targets of this file.
        pub const TARGETS: &[$crate::fuzz::Target] = &[$((stringify!($name), $folder, $name),)*];

        #[cfg(test)]
        mod tests {
            $(#[test] fn $name() { $crate::fuzz::run_target(super::TARGETS, stringify!($name)); })*

            #[test]
            fn every_target_has_a_binary() {
                for (name, ..) in super::TARGETS {
                    assert!($crate::fuzz::has_binary(name), "{name}");
                }
            }
        }
    };
}

/// Returns the features that the bodies of targets mention, and whether the package of the targets has each by default.
pub fn features() -> Vec<(String, bool)> {
    let manifest = fs::read_to_string(repository("fuzz/Cargo.toml")).expect("a manifest");
    let default = manifest.lines().find_map(|line| line.strip_prefix("default = "));
    let bodies = fs::read_dir(repository("fuzz/bodies")).expect("a folder");
    let mut features = Vec::new();
    for body in bodies.flatten() {
        let text = fs::read_to_string(body.path()).expect("a source");
        for rest in text.split("feature = \"").skip(1) {
            let name = rest.split('"').next().unwrap_or_default();
            let is_default = default.is_some_and(|list| list.contains(&format!("\"{name}\"")));
            features.push((name.to_owned(), is_default));
        }
    }
    features
}
