//! Version 4.2 has text, but no binary form.

use genvisa::strategy::Generate;
use genvisa::text::{FileListing, parse};
use genvisa::{Dialect, ErrorKind, Format, Module, Version};
use genvisa_test_support::random::cases;
use genvisa_test_support::random::runner;
use proptest::test_runner::TestCaseError;

#[test]
fn modules_of_4_2_have_text_and_no_bytes() {
    let strategy = Module::strategy(Format::V4_2);
    let result = runner(cases(60) as u32, 0).run(&strategy, |module| {
        let error = module.to_bytes().expect_err("an error");
        let expected = ErrorKind::TextOnly { version: Version::V4_2 };
        proptest::prop_assert_eq!(error.kind(), &expected);
        let text = FileListing::new(&module).to_text().expect("legal code");
        let again = parse(&text, Format::V4_2)
            .map_err(|errors| TestCaseError::fail(errors[0].to_string()))?;
        proptest::prop_assert!(again.with_gen_binaries_of(&module) == module, "{}", text);
        Ok(())
    });
    result.unwrap_or_else(|error| panic!("{error}"));
}

#[test]
fn files_of_4_2_are_rejected() {
    let mut module = Module::new(Format::igc2026(Version::V4_1));
    module.kernels.push(genvisa::object::Kernel::new("k"));
    let mut file = module.to_bytes().expect("an encodable module");
    assert_eq!(file[4..6], [4, 1]);
    file[5] = 2;
    let error = Module::from_bytes(&file, Dialect::Igc2026).expect_err("an error");
    assert_eq!(*error.kind(), ErrorKind::TextOnly { version: Version::V4_2 });
}
