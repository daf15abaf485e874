//! Documents: the format that is chosen for a text, its platform, and what is assumed.

use genvisa::text::{Document, ParseOptions, format_of};
use genvisa::{Dialect, Format, Platform, RegisterSize, Version};
use genvisa_test_support::corpus;

fn document(source: &str) -> Document {
    Document::parse(source, ParseOptions::new())
}

/// Returns a text that states a version. Its last line is `line`.
fn text(version: &str, line: &str) -> String {
    format!(
        ".version {version}\n.kernel \"k\"\n.decl x v_type=G type=ud num_elts=16 align=GRF\n\
             ret (M1, 1)\n{line}\n"
    )
}

#[test]
fn the_stated_version_is_the_format() {
    for version in Version::ALL {
        let found = document(&text(&version.to_string(), "")).format;
        let expected = match version.has_binary_form() {
            true => Format::igc2022(*version),
            false => Format::V4_2,
        };
        assert_eq!(found, expected);
    }
    let options = ParseOptions::new().with_dialect(Dialect::Igc2026).with_version(Version::V3_8);
    let found = Document::parse(text("3.2", ""), options).format;
    assert_eq!(found, Format::igc2026(Version::V3_8));
}

#[test]
fn a_format_that_does_not_exist_is_an_error() {
    let found = Document::parse(text("4.2", ""), Format::igc2022(Version::V4_2));
    assert!(!found.is_readable);
    assert_eq!(found.errors[0].to_string(), "version 4.2 does not exist in dialect igc2022");
}

#[test]
fn a_newer_version_is_chosen_if_it_has_fewer_errors() {
    // WAIT has an operand since 3.1.
    let found = document(&text("3.0", "wait 0x1:ud"));
    assert_eq!(found.format, Format::igc2022(Version::V3_6));
    let warning = found.newer_version_warning().expect("a warning");
    assert_eq!(
        (warning.to_string().as_str(), warning.line_and_column()),
        ("version 3.0 cannot encode this text; it is read as version 3.6", Some((5, 1)))
    );
    let help = "mask: this field cannot be expressed in dialect igc2022, version 3.0";
    assert_eq!(warning.help.as_deref(), Some(help));
    let (stated, errors) = found.outdated.expect("the errors in 3.0");
    assert_eq!((stated, errors.len()), (Version::V3_0, 1));
    assert!(found.errors.is_empty(), "{}", found.errors);
    // No version helps.
    let found = document(&text("3.2", "movv"));
    assert_eq!(found.format, Format::igc2022(Version::V3_2));
    assert_eq!((found.errors.len(), found.outdated.is_none()), (1, true));
}

#[test]
fn the_platform_and_the_size_of_a_register_are_stated_or_assumed() {
    let size = |source: &str, platform| document(source).assumed_register_size(platform);
    let unknown = text("4.2", "");
    assert_eq!(size(&unknown, None), Some(RegisterSize::Bytes32));
    assert_eq!(size(&unknown, Some(Platform::Xe2)), None);
    assert_eq!(size(&text("3.6", ""), None), None, "a module of files is for one platform");
    let efficient = text("4.2", "\n//Build option: \"-enableEfficient64b\"");
    assert_eq!(size(&efficient, None), Some(RegisterSize::Bytes64));
    let stated = text("4.2", "\n//Platform: XE2");
    assert_eq!(size(&stated, None), None);
    assert_eq!(document(&stated).platform, Some(Platform::Xe2));
}

#[test]
fn an_unknown_platform_is_a_warning() {
    let source = text("4.2", "\n//Platform: XE33 \n");
    let found = document(&source);
    assert_eq!(found.platform, None);
    assert_eq!(found.warnings[0].to_string(), "unknown platform `XE33`");
    assert_eq!(&source[found.warnings[0].span.clone()], "XE33");
    assert_eq!(found.warnings[0].help.as_deref(), Some("did you mean `Xe3`?"));
    assert_eq!(found.warnings.len(), 1);
    assert!(found.into_result().is_ok());
}

/// Real texts are read in the format that they state.
#[test]
fn real_texts_are_not_outdated() {
    let texts = corpus::texts(&["dg2", "cri"]);
    assert!(texts.len() > 5);
    for path in texts {
        let source = std::fs::read(&path).expect("a text");
        let found = Document::parse(&source, ParseOptions::new());
        assert_eq!(found.format, format_of(&source), "{}", path.display());
        assert!(found.outdated.is_none() || !found.errors.is_empty(), "{}", path.display());
        let states_platform = source.windows(11).any(|window| window == b"//Platform:");
        assert_eq!(found.platform.is_some(), states_platform, "{}", path.display());
    }
}
