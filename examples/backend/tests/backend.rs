//! What the backend generates, and what its pass does to any legal code.

use genvisa::strategy::legal;
use genvisa::text::{FileListing, ParseOptions, parse};
use genvisa::verify::Verifier;
use genvisa::{Format, Module, Platform};
use proptest::prelude::*;
use shader_backend::{Colour, compile, remove_moves};

const PLATFORM: Platform = Platform::Skl;

fn colour() -> impl Strategy<Value = Colour> {
    let leaf = prop_oneof![any::<f32>().prop_map(Colour::Constant), Just(Colour::Texture)];
    leaf.prop_recursive(4, 16, 2, |inner| {
        (any::<bool>(), inner.clone(), inner).prop_map(|(is_sum, a, b)| {
            let (a, b) = (Box::new(a), Box::new(b));
            if is_sum { Colour::Sum(a, b) } else { Colour::Product(a, b) }
        })
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn shaders_are_legal_and_keep_their_bytes(colour in colour()) {
        let module = compile(&colour, Format::default()).expect("a shader");
        let verifier = Verifier::new().with_platform(PLATFORM);
        prop_assert_eq!(verifier.check_module(&module), []);
        let bytes = module.to_bytes().expect("an object file");
        let read = Module::from_bytes(&bytes, module.format.dialect).expect("the same file");
        prop_assert_eq!(read.to_bytes().expect("the same bytes"), bytes);
    }

    #[test]
    fn the_pass_keeps_code_legal(mut module in legal(Format::default(), PLATFORM).modules()) {
        remove_moves(&mut module).expect("legal code");
        let verifier = Verifier::new().with_platform(PLATFORM);
        prop_assert_eq!(verifier.check_module(&module), []);
        // The text parses to the same bytes.
        let text = FileListing::new(&module).to_text().expect("a text");
        let parsed = parse(&text, ParseOptions::default()).expect("what was printed");
        prop_assert_eq!(parsed.to_bytes(), module.to_bytes());
    }
}
