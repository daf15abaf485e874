//! No instruction costs an allocation. (A binary of its own, because it counts all of them.)

use allocation_counter::measure;
use genvisa::object::{Code, Kernel};
use genvisa::strategy::Generate;
use genvisa::text::{Listing, Style};
use genvisa::wire::{Wire, Writer};
use genvisa::{Boundaries, Format, Instruction, Instructions, Module, Version};
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::TestRunner;

fn instructions(format: Format) -> Vec<Instruction> {
    let strategy = Instruction::strategy(format);
    let mut runner = TestRunner::deterministic();
    (0..2000).map(|_| strategy.new_tree(&mut runner).expect("a value").current()).collect()
}

#[test]
fn decoding_skipping_and_encoding_allocate_nothing() {
    for format in [Format::igc2022(Version::V3_2), Format::igc2026(Version::V4_1), Format::MANUAL] {
        let instructions = instructions(format);
        let mut w = Writer::append_to(Vec::with_capacity(1 << 20), format);
        let encoded = measure(|| {
            instructions.iter().for_each(|instruction| instruction.encode(&mut w).expect("legal"));
        });
        assert_eq!(encoded.count_total, 0, "encoding in {format}");
        let code = w.into_bytes();

        let mut count = 0;
        let in_place = measure(|| {
            let mut decoder = Instructions::new(&code, format);
            let mut instruction = Instruction::default();
            while decoder.next_into(&mut instruction).expect("legal").is_some() {
                count += 1;
            }
        });
        assert_eq!(count, instructions.len());
        assert_eq!(in_place.count_total, 0, "decoding in place in {format}");
        let by_value = measure(|| {
            assert!(Instructions::new(&code, format).all(|item| item.is_ok()));
        });
        assert_eq!(by_value.count_total, 0, "decoding in {format}");
        let skipped = measure(|| {
            assert!(Boundaries::new(&code, format).all(|item| item.is_ok()));
        });
        assert_eq!(skipped.count_total, 0, "skipping in {format}");
    }
}

/// A sink that keeps nothing.
struct Nowhere;

impl std::fmt::Write for Nowhere {
    fn write_str(&mut self, _: &str) -> std::fmt::Result {
        Ok(())
    }
}

/// Names and buffers are made once for a routine, however long it is.
#[test]
fn printing_allocates_nothing_for_an_instruction() {
    let format = Format::igc2022(Version::V3_6);
    let once = instructions(format);
    let allocations = |times: usize, style| {
        let mut kernel = Kernel::new("kernel");
        let many: Vec<Instruction> =
            once.iter().copied().cycle().take(times * once.len()).collect();
        kernel.body.code = Code::from_instructions(&many, format).expect("legal");
        let mut module = Module::new(format);
        module.kernels.push(kernel);
        let routine = module.routines().next().expect("a kernel");
        let listing = Listing::new(&module, routine).with_style(style);
        measure(|| listing.write_to(&mut Nowhere).expect("legal")).count_total
    };
    for style in [Style::Faithful, Style::Reference] {
        assert_eq!(allocations(1, style), allocations(10, style), "{style:?}");
    }
}
