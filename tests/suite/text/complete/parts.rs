//! Text of a part of a module, and modules that text cannot express.

use genvisa::build::Builder;
use genvisa::object::{Function, Kernel, Reloc};
use genvisa::text::{FileListing, Listing, parse};
use genvisa::{Format, Module, Version};

/// The functions that relocations refer to are declared, so that the text of one routine stands alone.
#[test]
fn text_of_one_function_with_relocations_parses() {
    let format = Format::igc2022(Version::V3_6);
    let mut module = Module::new(format);
    for name in ["first", "second", "caller"] {
        let k = Builder::new(name, format);
        module.functions.push(k.into_function(1, 1).expect("an empty function"));
    }
    let relocs = [0, 2, 1, 1].map(|index| Reloc { symbolic_index: 7, resolved_index: index });
    module.functions[2].function_relocs = relocs.to_vec();
    let caller = module.routines().nth(2).expect("three functions");
    let text = Listing::new(caller).to_text().expect("legal code");
    let parsed = parse(&text, format).unwrap_or_else(|errors| panic!("{errors}\n{text}"));
    let name = |function: &Function<'_>| function.name.to_string_lossy();
    let relocs = &parsed.functions[0].function_relocs;
    let called =
        relocs.iter().map(|reloc| name(&parsed.functions[usize::from(reloc.resolved_index)]));
    assert_eq!(called.collect::<Vec<_>>(), ["first", "caller", "second", "second"]);
    assert!(parsed.functions[1..].iter().all(|function| function.definition.is_none()));
}

/// Only version 4.2 has it.
#[test]
fn efficient_64bit_is_an_error_elsewhere() {
    for format in [Format::igc2022(Version::V3_6), Format::igc2026(Version::V4_1), Format::V4_2] {
        let mut k = Builder::new("k", format);
        k.set_efficient_64bit(true);
        let has_it = format == Format::V4_2;
        assert_eq!(k.into_kernel().is_ok(), has_it);
        let mut module = Module::new(format);
        module.kernels.push(Kernel::new("k"));
        module.kernels[0].body.efficient_64bit = true;
        assert_eq!(FileListing::new(&module).to_text().is_ok(), has_it, "{format}");
    }
}
