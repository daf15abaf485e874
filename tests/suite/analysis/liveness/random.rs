//! The liveness of random routines equals the definitions, applied to each unit.

use genvisa::Format;
use genvisa::RegisterSize;
use genvisa::text::parse;
use genvisa_test_support::random::{cases, seed};
use genvisa_test_support::rng::Rng;

use super::check;
use super::kernels::Generator;

#[test]
fn random_routines_satisfy_the_definitions() {
    let seed = seed();
    let cases = cases(750);
    let mut rng = Rng::new(seed, 20);
    for case in 0..cases {
        let text = Generator::routine(&mut rng);
        let context = format!("seed {seed}, case {case}:\n{text}");
        let module =
            parse(&text, Format::V4_2).unwrap_or_else(|errors| panic!("{}\n{context}", errors[0]));
        let routine = module.routines().next().expect("a routine");
        let registers = match rng.one_in(2) {
            true => RegisterSize::Bytes64,
            false => RegisterSize::Bytes32,
        };
        check(&routine, registers, &format!("{registers:?}, {context}"));
    }
}
