//! The reference reads what the builder's examples build, and goes on to finalize it.

use genvisa::object::Attribute;
use genvisa::text::{Listing, Style};
use genvisa::{Format, Module, Version};

use super::genx_ir;
use crate::corpus::first_difference;
use crate::examples::saxpy;
use crate::{arithmetic, shader, tour};

#[test]
fn the_examples_are_finalized_without_complaint() {
    if !genx_ir::is_installed() {
        return;
    }
    type Make = fn(Format) -> Result<Module<'static>, Box<dyn std::error::Error>>;
    let examples: [(&str, Make); 4] = [
        ("saxpy", saxpy::module),
        ("shader", shader::module),
        ("arithmetic", arithmetic::module),
        ("tour", tour::module),
    ];
    for (name, make) in examples {
        for version in [Version::V3_2, Version::V3_6, Version::V4_1] {
            let format = Format::igc2022(version);
            let mut module = make(format).expect("a module");
            // Machine code that is not would be linked.
            module.kernels[0].gen_binaries.clear();
            let body = &mut module.kernels[0].body;
            let asm_name = body.intern("AsmName");
            body.attributes.push(Attribute::string(asm_name, genx_ir::ASM_NAME));
            let file = module.to_bytes().expect("an encodable module");
            let read = Module::from_bytes(&file, format.dialect).expect("a module just written");
            let mut own = String::new();
            let listing = Listing::new(read.routines().next().expect("a kernel"));
            listing.with_style(Style::Reference).write_to(&mut own).expect("legal code");
            let printed = genx_ir::disassemble(&file, "SKL").expect("text");
            assert_eq!(first_difference(&own, &printed), None, "{name} in {version}");
            let code = genx_ir::finalize(&file, "SKL").expect("machine code");
            assert!(code.len() >= 16, "{name} in {version}: {} bytes", code.len());
        }
    }
}
