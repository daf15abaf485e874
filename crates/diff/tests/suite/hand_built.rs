//! Modules whose public fields have any values: the comparison has a result or an error with the routine.

use genvisa::error::PathSegment;
use genvisa_diff::Differ;
use genvisa_test_support::random::{cases, runner, seed};
use genvisa_test_support::rng::Rng;
use genvisa_test_support::{formats, hand_built};

#[test]
fn hand_built_modules_are_compared() {
    for (salt, format) in formats::all().into_iter().enumerate() {
        let (mut rng, mut runner) = (Rng::new(seed(), salt as u64), runner(256, salt));
        for _ in 0..cases(4) {
            let mut module = || hand_built::module(&mut rng, &mut runner, format);
            let (a, b) = (module(), module());
            for differ in [Differ::new(), Differ::new().match_by_name(true)] {
                let same = differ.modules(&a, &a);
                let other = differ.modules(&a, &b);
                let pairs = same.routines.iter().chain(&other.routines);
                for result in pairs.filter_map(|pair| pair.diff.as_ref()) {
                    match result {
                        Ok(diff) => drop(diff.to_unified("a", "b", 3)),
                        Err(error) => {
                            let segment = error.path().next();
                            assert!(
                                matches!(segment, Some(PathSegment::Routine { .. })),
                                "{error}"
                            );
                        }
                    }
                }
                for pair in &same.routines {
                    let diff = pair.diff.as_ref().and_then(|diff| diff.as_ref().ok());
                    assert!(diff.is_none_or(|diff| diff.is_empty()), "{diff:?}");
                }
                other.write_declarations(&mut String::new(), "a", "b").expect("a string");
            }
        }
    }
}
