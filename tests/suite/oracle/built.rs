//! GenX_IR reads and compiles the modules of the examples.

use genvisa::object::Attribute;
use genvisa::text::{Listing, Style};
use genvisa::{Format, Module, Version};
use genvisa_test_support::corpus::first_difference;
use genvisa_test_support::genx_ir;

use crate::examples::saxpy;
use crate::{arithmetic, shader, tour};

#[test]
#[ignore = "needs GenX_IR 12504"]
fn genx_ir_compiles_the_examples() {
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
            // The example has dummy machine code, which the tool would link.
            module.kernels[0].gen_binaries.clear();
            let body = &mut module.kernels[0].body;
            let asm_name = body.intern("AsmName");
            body.attributes.push(Attribute::string(asm_name, genx_ir::ASM_NAME));
            let file = module.to_bytes().expect("an encodable module");
            let read = Module::from_bytes(&file, format.dialect).expect("a module just written");
            let listing = Listing::new(read.routines().next().expect("a kernel"));
            let own = listing.with_style(Style::GenXIr).to_text().expect("legal code");
            let printed = genx_ir::disassemble(&file, "SKL").expect("text");
            assert_eq!(first_difference(&own, &printed), None, "{name} in {version}");
            let code = genx_ir::compile(&file, "SKL").expect("machine code");
            assert!(code.len() >= 16, "{name} in {version}: {} bytes", code.len());
        }
    }
}
