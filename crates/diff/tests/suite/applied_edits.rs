//! Differences of edited and of real texts, applied.

use genvisa::{Format, Module, text};
use genvisa_test_support::random::{cases, seed};
use genvisa_test_support::rng::Rng;

use super::applied::check;
use super::seeded::edits;
use super::seeded::edits::SMALL;
use super::{visaasm_files, with_real_modules};

#[test]
fn edited_texts_are_the_difference_applied_to_the_original() {
    let real = visaasm_files();
    let real = real.iter().map(|path| std::fs::read_to_string(path).expect("text"));
    let small = SMALL.iter().map(|text| format!(".version 4.2\n{text}"));
    let texts: Vec<String> = small.chain(real).collect();
    let mut compared = 0;
    for number in 0..cases(300) {
        let mut rng = Rng::new(seed(), number);
        let original = &texts[number as usize % texts.len()];
        let Some(edit) = edits::edit(original, &mut rng) else { continue };
        let parse = |text: &str| text::parse(text, Format::V4_2).ok().map(Module::into_owned);
        if let (Some(a), Some(b)) = (parse(original), parse(&edit.text)) {
            compared += u32::from(check(&edit.what, &a, &b));
            compared += u32::from(check(&format!("{}, undone", edit.what), &b, &a));
        }
    }
    eprintln!("{compared} pairs");
    assert!(compared > 50, "{compared}");
}

/// Texts that have little in common.
#[test]
#[ignore = "needs the corpus"]
fn another_text_is_the_difference_applied_to_a_text() {
    let mut last: Option<(String, Module<'static>)> = None;
    let mut compared = 0;
    with_real_modules(|name, module| {
        let module = module.clone().into_owned();
        if let Some((last, a)) = &last {
            if a.format == module.format {
                compared += u32::from(check(&format!("{last} and {name}"), a, &module));
            }
        }
        last = Some((name.into(), module));
    });
    eprintln!("{compared} pairs");
}
