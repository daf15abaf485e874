//! Seeds, numbers of cases, and runners of properties.

use std::env;

use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

/// Returns a deterministic runner. Each salt has its own cases; `PROPTEST_CASES` sets their number.
pub fn runner(cases: u32, salt: usize) -> TestRunner {
    let requested = std::env::var("PROPTEST_CASES").ok().and_then(|cases| cases.parse().ok());
    let config = Config {
        cases: requested.unwrap_or(cases),
        failure_persistence: None,
        ..Config::default()
    };
    let rng = TestRng::from_seed(config.rng_algorithm, &[salt as u8; 32]);
    TestRunner::new_with_rng(config, rng)
}

/// Returns a runner that an input seeds. The input cannot be the random numbers themselves: `proptest` gives half
/// of the rest to each alternative of a union, and strategies that reject values do not end on the zeros
/// after the last byte.
pub fn runner_from_data(data: &[u8]) -> TestRunner {
    let mut seed = [0u8; 32];
    for (i, byte) in data.iter().enumerate() {
        let target = &mut seed[i % 32];
        *target = target.rotate_left(3) ^ byte;
    }
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &seed);
    TestRunner::new_with_rng(Config { failure_persistence: None, ..Config::default() }, rng)
}

/// Returns the value of an environment variable, or the default.
pub fn number_from(variable: &str, default: u64) -> u64 {
    let Ok(value) = env::var(variable) else { return default };
    value.parse().unwrap_or_else(|_| panic!("{variable} is not a number"))
}

/// Returns the seed of all random edits in these tests.
pub fn seed() -> u64 {
    number_from("GENVISA_PROPERTY_SEED", 0x5eed)
}

/// Returns the number of random cases, given that of 100 percent. A default run has half of them.
pub fn cases(all: u64) -> u64 {
    (all * number_from("GENVISA_PROPERTY_CASES", 50)).div_ceil(100)
}
