//! Running the bodies of the fuzz targets with seeds, regressions, and random mutants of the seeds.
//!
//! `GENVISA_FUZZ_ROUNDS` is the number of mutants of each seed.

use std::panic::{self, AssertUnwindSafe};
use std::path::Path;
use std::{env, fs};

use proptest::prelude::RngCore;
use proptest::test_runner::{RngAlgorithm, TestRng};

use super::repository;

/// The name of a target, its folder in `fuzz/seeds`, and its function.
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
fn mutate(data: &mut Vec<u8>, rng: &mut TestRng) {
    let mut random_below = |limit: usize| rng.next_u32() as usize % limit.max(1);
    for _ in 0..=random_below(4) {
        let at = random_below(data.len());
        match random_below(6) {
            0 if at < data.len() => data[at] ^= 1 << random_below(8),
            1 if at < data.len() => data[at] = [0, 1, 0x7f, 0xff][random_below(4)],
            2 if at < data.len() => data[at] = random_below(256) as u8,
            3 => data.insert(at, random_below(256) as u8),
            4 => {
                let end = (at + random_below(8)).min(data.len());
                data.drain(at..end);
            }
            _ => {
                let end = (at + random_below(32)).min(data.len());
                let piece = data[at..end].to_vec();
                let to = random_below(data.len() + 1);
                data.splice(to..to, piece);
            }
        }
    }
}

/// Runs a target with its regressions and seeds, and with mutants of its seeds.
pub fn run_target(targets: &[Target], name: &str) {
    let (_, folder, body) = *targets.iter().find(|(target, ..)| *target == name).expect("a target");
    for (path, regression) in inputs(&format!("regressions/{name}")) {
        run(body, &regression, &path);
    }
    let seeds = inputs(&format!("seeds/{folder}"));
    assert!(!seeds.is_empty(), "{folder} has no seeds");
    let rounds = env::var("GENVISA_FUZZ_ROUNDS").ok().and_then(|rounds| rounds.parse().ok());
    let rounds = rounds.unwrap_or(150);
    let mut rng = TestRng::from_seed(RngAlgorithm::XorShift, &[7; 16]);
    for (path, seed) in seeds {
        run(body, &seed, &path);
        for round in 0..rounds {
            let mut data = seed.clone();
            mutate(&mut data, &mut rng);
            run(body, &data, &format!("{path}, round {round}"));
        }
    }
}

/// Defines a test for each target of a list, and one that the list is complete.
#[macro_export]
macro_rules! fuzz_tests {
    ($targets:expr; $($name:ident),*) => {
        $(#[test] fn $name() { $crate::fuzz::run_target($targets, stringify!($name)); })*

        #[test]
        fn every_target_has_a_test_and_a_binary() {
            let names: Vec<&str> = $targets.iter().map(|(name, ..)| *name).collect();
            assert_eq!(names, [$(stringify!($name)),*]);
            let manifest = $crate::repository("fuzz/Cargo.toml");
            let manifest = std::fs::read_to_string(manifest).expect("a manifest");
            for name in names {
                assert!(manifest.contains(&format!("name = \"{name}\"")), "{name}");
            }
        }
    };
}
