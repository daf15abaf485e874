//! GenX_IR reads real text that this crate has assembled.

use genvisa::Platform;
use std::fs;
use std::path::Path;

use genvisa::object::Attribute;
use genvisa::text::{Listing, Style, parse};
use genvisa::{Dialect, Format, Version};
use genvisa_test_support::corpus::texts_under;
use genvisa_test_support::corpus::{self, first_difference};
use genvisa_test_support::genx_ir;

/// Checks that GenX_IR and this crate disassemble assembled text to the same text. Returns an
/// error if GenX_IR prints nothing.
fn check(path: &Path, format: Format, platform: &str) -> Result<(), String> {
    let source = fs::read_to_string(path).expect("a readable text");
    let mut module = parse(&source, format).map_err(|errors| errors[0].to_string())?;
    let body = &mut module.kernels[0].body;
    let asm_name = body.intern("AsmName");
    body.attributes.push(Attribute::string(asm_name, genx_ir::ASM_NAME));
    let file = module.to_bytes().expect("an encodable module");
    let again =
        genvisa::Module::from_bytes(&file, Dialect::Igc2022).expect("a module just written");
    let routine = again.routines().next().expect("a kernel");
    let known = Platform::from_igc_name(platform).expect("a known platform");
    let listing = Listing::new(routine).with_style(Style::GenXIr);
    let listing = listing.with_register_size(known.register_size());
    let own = listing.to_text().expect("legal code");
    let printed = genx_ir::disassemble(&file, platform)?;
    assert_eq!(first_difference(&own, &printed), None, "{}", path.display());
    Ok(())
}

#[test]
#[ignore = "needs GenX_IR 12504 and the corpus"]
fn genx_ir_reads_its_assembled_text() {
    let folder = corpus::required();
    let texts = texts_under(&folder);
    for path in &texts {
        let checked = check(path, Format::igc2022(Version::V3_6), "SKL");
        assert_eq!(checked, Ok(()), "{}", path.display());
    }
    eprintln!("{} texts assembled and read by GenX_IR", texts.len());
}

/// GenX_IR 12504 does not support the typed 2D blocks of the current compiler.
#[test]
#[ignore = "needs GenX_IR 12504 and the corpus"]
fn genx_ir_reads_assembled_text_of_the_current_compiler() {
    let folder = corpus::required_visaasm();
    let (mut read, mut rejected) = (0, Vec::new());
    for (device, platform) in [("tgllp", "TGLLP"), ("dg2", "DG2"), ("bmg", "PVC")] {
        for path in texts_under(&folder.join(device)) {
            match check(&path, Format::igc2022(Version::V4_1), platform) {
                Ok(()) => read += 1,
                Err(why) => rejected.push(format!("{}: {why}", path.display())),
            }
        }
    }
    eprintln!(
        "{read} texts of the current compiler assembled and read, {} rejected",
        rejected.len()
    );
    rejected.retain(|why| !why.contains("has no `lsc_"));
    assert!(rejected.is_empty(), "{}", rejected.join("\n"));
}
