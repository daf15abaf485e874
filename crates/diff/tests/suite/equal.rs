//! Routines that are equal except for names and numbers.

use genvisa::strategy::Generate;
use genvisa::{Format, Module, text};
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
#[ignore = "needs the corpus"]
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

/// Compares a text of version 4.2 with each file that can be assembled from it. Returns the number of
/// files.
fn compare_with_files(name: &str, source: &[u8]) -> usize {
    let today = text::parse(source, Format::V4_2).expect("valid text");
    let platform = text::stated_platform(source).and_then(|stated| stated.platform());
    let differ = match platform {
        Some(platform) => Differ::new().with_register_size(platform.register_size()),
        None => Differ::new(),
    };
    let mut count = 0;
    for format in formats::all().into_iter().filter(|format| !format.is_manual()) {
        let file = text::parse(source, format).ok().and_then(|module| module.to_bytes().ok());
        let Some(bytes) = file.filter(|_| format.version.has_binary_form()) else { continue };
        let file = Module::from_bytes(&bytes, format.dialect).expect("a file");
        for (a, b) in [(&today, &file), (&file, &today)] {
            assert!(differ.modules(a, b).is_empty(), "{name}, {format}\n{}", shown(a, b));
        }
        count += 1;
    }
    count
}

#[test]
#[ignore = "needs the corpus"]
fn texts_are_equal_to_their_files() {
    let mut count = 0;
    for path in visaasm_files() {
        let source = std::fs::read(&path).expect("a readable text");
        count += compare_with_files(&path.display().to_string(), &source);
    }
    eprintln!("{count} files are equal to their texts");
    assert!(count > 20, "{count}");
}

/// What has other words or other bytes in files: sizes of data, addresses and the kind of addressing.
#[test]
fn spellings_are_no_differences() {
    let source = "\
.version 4.2
.kernel \"k\"
.decl a v_type=G type=uq num_elts=16 align=GRF
.decl d v_type=G type=ud num_elts=64 align=GRF
.decl z v_type=G type=uw num_elts=16 align=GRF
.decl p v_type=A num_elts=16
    lsc_load.ugm (M1, 16) d:d8u32 flat[a]:a64
    lsc_load.ugm (M1, 16) d:d16u32 flat[a]:a64
    lsc_load.ugm (M1, 16) d:d16u32h flat[a]:a64
    lsc_store.ugm (M1, 16) flat[a]:a64 d:d16u32
    addr_add (M1, 16) p(0)<1> &d[100] z(0,0)<1;1,0>
    ret (M1, 1)
";
    let options = "//Build option: \"-enableEfficient64b\"\n";
    for platform in ["DG2", "XE2"] {
        for options in ["", options] {
            let source = format!("{source}{options}//Platform: {platform}\n");
            assert!(compare_with_files(platform, source.as_bytes()) > 0, "{source}");
        }
    }
}
