//! Routines that are equal except for names and numbers.

use genvisa::strategy::Generate;
use genvisa::{Format, Module, Version, text};
use genvisa_diff::Differ;
use genvisa_test_support::formats;
use genvisa_test_support::random::runner;
use genvisa_test_support::rng::Rng;

use super::permute::permute;
use super::{visaasm_files, with_real_modules};

/// Returns the differences as text, for messages.
fn shown(a: &Module<'_>, b: &Module<'_>) -> String {
    let diff = Differ::new().modules(a, b);
    let mut shown = format!("{:#?}\n", diff.declarations);
    for pair in &diff.routines {
        match &pair.diff {
            Some(Ok(diff)) => shown += &diff.to_unified("a", "b", 1),
            other => shown += &format!("{:?} {:?} {other:?}\n", pair.a, pair.b),
        }
    }
    shown
}

#[test]
fn permuted_real_modules_are_equal() {
    let mut rng = Rng::new(1, 0);
    let count = with_real_modules(|name, module| {
        let diff = Differ::new().modules(module, &permute(module, &mut rng));
        assert!(diff.is_empty(), "{name}\n{}", shown(module, &permute(module, &mut rng)));
    });
    eprintln!("{count} modules");
}

#[test]
fn permuted_generated_modules_are_equal() {
    for (salt, format) in formats::all().into_iter().enumerate() {
        let modules = Module::strategy(format);
        let result = runner(24, salt).run(&modules, |module| {
            let mut rng = Rng::new(2, module.kernels.len() as u64);
            for _ in 0..3 {
                let other = permute(&module, &mut rng);
                let diff = Differ::new().modules(&module, &other);
                proptest::prop_assert!(diff.is_empty(), "{}", shown(&module, &other));
            }
            Ok(())
        });
        result.unwrap_or_else(|error| panic!("{format}: {error}"));
    }
}

/// A text of version 4.2 is equal to the file that is assembled from it.
#[test]
fn versions_do_not_matter() {
    let mut count = 0;
    for path in visaasm_files() {
        let source = std::fs::read(&path).expect("a readable text");
        let today = text::parse(&source, Format::V4_2).expect("valid text");
        let mut older = [Version::V3_6, Version::V4_1].into_iter();
        let older = older.find_map(|version| {
            text::parse(&source, Format::new(genvisa::Dialect::Igc2026, version)).ok()
        });
        // Older text cannot express efficient 64-bit addressing.
        let is_expressible = today.routines().all(|routine| !routine.body.efficient_64bit);
        let Some(older) = older.filter(|_| is_expressible) else { continue };
        let Ok(bytes) = older.to_bytes() else { continue };
        let file = Module::from_bytes(&bytes, genvisa::Dialect::Igc2026).expect("a file");
        let diff = Differ::new().modules(&today, &file);
        assert!(diff.is_empty(), "{}\n{}", path.display(), shown(&today, &file));
        count += 1;
    }
    eprintln!("{count} texts of version 4.2 are equal to files");
    assert!(visaasm_files().is_empty() || count > 20, "{count}");
}
