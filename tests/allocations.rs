//! No instruction costs an allocation. (A binary of its own, because it counts all of them.)

use allocation_counter::measure;
use genvisa::object::{
    Attribute, Code, FileScopeVar, Function, GenBinary, Input, Kernel, LabelInfo, Name,
    SimpleVariable, Variable,
};
use genvisa::strategy::Generate;
use genvisa::text::{Listing, Style};
use genvisa::wire::{Wire, Writer};
use genvisa::{Boundaries, Dialect, Format, Instruction, Instructions, Module, Version};
use proptest::prelude::RngCore;
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::{RngAlgorithm, TestRng, TestRunner};

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
        let listing = Listing::new(routine).with_style(style);
        measure(|| listing.write_to(&mut Nowhere).expect("legal")).count_total
    };
    for style in [Style::Faithful, Style::Reference] {
        assert_eq!(allocations(1, style), allocations(10, style), "{style:?}");
    }
}

/// Names of the reference style differ by numbers and share the rest, however long it is.
#[test]
fn names_that_are_wanted_again_take_little_memory() {
    const COUNT: usize = 1000;
    let mut module = Module::new(Format::igc2022(Version::V3_6));
    let mut kernel = Kernel::new("kernel");
    let name = kernel.body.intern(&"name".repeat(10_000));
    kernel.body.variables = vec![Variable { name, ..Variable::default() }; COUNT];
    kernel.body.predicates = vec![SimpleVariable { name, ..SimpleVariable::default() }; COUNT];
    kernel.body.labels = vec![LabelInfo { name, ..LabelInfo::default() }; COUNT];
    module.kernels.push(kernel);
    let file = module.to_bytes().expect("legal");
    for style in [Style::Faithful, Style::Reference] {
        let routine = module.routines().next().expect("a kernel");
        let listing = Listing::new(routine).with_style(style);
        let taken = measure(|| listing.write_to(&mut Nowhere).expect("legal"));
        assert!(taken.bytes_max <= MOST.0 * file.len() as u64, "{style:?}: {}", taken.bytes_max);
    }
}

/// A file whose every byte is decoded, down to the last instruction.
fn decode_all(file: &[u8]) -> Option<usize> {
    let module = Module::from_bytes(file, Dialect::Igc2022).ok()?;
    let mut instruction = Instruction::default();
    let mut count = 0;
    for routine in module.routines() {
        let mut instructions = routine.body.code.instructions(routine.format());
        while let Ok(Some(_)) = instructions.next_into(&mut instruction) {
            count += 1;
        }
    }
    Some(count)
}

/// The most that reading a file takes, in multiples of its size and in bytes: an entry of a table
/// takes more room than its bytes. The README says so.
const MOST: (u64, u64) = (32, 4096);

/// The files whose entries take the most room for their bytes.
#[test]
fn tables_of_the_smallest_entries_take_little_memory() {
    for version in Version::ALL {
        check_smallest_entries(Format::igc2022(*version));
    }
}

fn check_smallest_entries(format: Format) {
    let file = |fill: &dyn Fn(&mut Module<'static>)| {
        let mut module = Module::new(format);
        fill(&mut module);
        module.to_bytes().expect("a module that the format can say")
    };
    let kernel = |fill: &dyn Fn(&mut Kernel<'static>)| {
        file(&|module| {
            let mut kernel = Kernel::new("");
            fill(&mut kernel);
            module.kernels.push(kernel);
        })
    };
    const COUNT: usize = 250; // in old versions, a count is a byte
    let files = [
        ("kernels", file(&|m| m.kernels = vec![Kernel::new(""); 5000])),
        ("functions", file(&|m| m.functions = vec![Function::new(""); 5000])),
        ("declared functions", file(&|m| m.functions = vec![Function::default(); 5000])),
        (
            "variables of the file",
            file(&|m| m.file_scope_vars = vec![FileScopeVar::default(); 5000]),
        ),
        ("strings", kernel(&|k| k.body.strings = vec![Name::default(); COUNT])),
        ("names", kernel(&|k| k.body.strings = vec!["a".into(); COUNT])),
        ("variables", kernel(&|k| k.body.variables = vec![Variable::default(); COUNT])),
        ("addresses", kernel(&|k| k.body.addresses = vec![SimpleVariable::default(); COUNT])),
        ("labels", kernel(&|k| k.body.labels = vec![LabelInfo::default(); COUNT])),
        ("attributes", kernel(&|k| k.body.attributes = vec![Attribute::default(); COUNT])),
        (
            "values",
            kernel(&|k| {
                let value = vec![0];
                k.body.attributes = vec![Attribute { value, ..Attribute::default() }; COUNT];
            }),
        ),
        ("binaries", kernel(&|k| k.gen_binaries = vec![GenBinary::new(5, Vec::new()); 200])),
        ("inputs", kernel(&|k| k.inputs = vec![Input::default(); COUNT])),
    ];
    for (what, file) in files {
        let taken = measure(|| assert!(decode_all(&file).is_some(), "{what}"));
        eprintln!(
            "{what}: {:.1} times {} bytes",
            taken.bytes_max as f64 / file.len() as f64,
            file.len()
        );
        assert!(
            taken.bytes_max <= MOST.0 * file.len() as u64 + MOST.1,
            "{what}: {}",
            taken.bytes_max
        );
    }
}

/// One byte is wrong, wherever it is: no panic, no hang, and memory in proportion to the file.
#[test]
fn files_with_a_wrong_byte_take_little_memory() {
    const POSITIONS: usize = 2000;
    let Some(folder) = std::env::var_os("GENVISA_CORPUS") else {
        assert!(std::env::var_os("GENVISA_REQUIRE_CORPUS").is_none(), "GENVISA_CORPUS is not set");
        eprintln!("skipped: GENVISA_CORPUS is not set");
        return;
    };
    let entries = std::fs::read_dir(folder).expect("GENVISA_CORPUS is a folder").flatten();
    let mut paths: Vec<_> = entries.map(|entry| entry.path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "isa"));
    paths.sort();
    let check = |paths: &[std::path::PathBuf]| {
        let mut rng = TestRng::from_seed(RngAlgorithm::XorShift, &[3; 16]);
        let (mut readable, mut most) = (0, 0.0_f64);
        for path in paths {
            let mut file = std::fs::read(path).expect("a readable file");
            let limit = MOST.0 * file.len() as u64 + MOST.1;
            for _ in 0..POSITIONS {
                let at = rng.next_u64() as usize % file.len();
                let byte = file[at];
                file[at] ^= (rng.next_u32() as u8).max(1);
                let taken = measure(|| readable += usize::from(decode_all(&file).is_some()));
                most = most.max(taken.bytes_max as f64 / file.len() as f64);
                let place = format!("{}, offset {at:#x}", path.display());
                assert!(taken.bytes_max <= limit, "{place}: {} bytes", taken.bytes_max);
                file[at] = byte;
            }
        }
        eprintln!(
            "{readable} of {} mutants parse; at most {most:.1} times the file",
            paths.len() * POSITIONS
        );
    };
    let (first, second) = paths.split_at(paths.len() / 2);
    std::thread::scope(|scope| {
        scope.spawn(|| check(first));
        check(second);
    });
}
