//! The fuzz targets of the interpreter.

use genvisa::Format;
use genvisa::Platform;
use genvisa::strategy::legal;
use genvisa::text::{self, format_of};
use genvisa_interp::binary::DeviceBinary;
use genvisa_interp::dispatch::{Argument, Grid, Launch, Options, Parameter};
use genvisa_interp::{AddressMode, Dimensions, Filter, Machine, PixelFormat, Program, Sampler};
use genvisa_test_support::random::runner_from_data;
use genvisa_test_support::rng::Rng;
use proptest::strategy::{BoxedStrategy, Strategy, ValueTree};

use crate::{generated, messages};

genvisa_test_support::fuzz_targets! {
    device_binary: "../crates/interp/tests/data",
    device_info: "seeds/device_info",
    run_text: "seeds/visaasm",
    run_legal: "seeds/choices",
    run_messages: "seeds/choices",
}

/// The maximum number of active lanes of the instructions of a thread.
const LIMIT: u64 = 300 * 32;

/// A device binary can be read and run, or has an error.
pub fn device_binary(data: &[u8]) {
    if let Ok(binary) = DeviceBinary::from_bytes(data) {
        run_binary(&binary);
    }
}

/// The same for a document like `.ze_info`, and a text after a NUL.
pub fn device_info(data: &[u8]) {
    let end = data.iter().position(|byte| *byte == 0).unwrap_or(data.len());
    let Ok(info) = std::str::from_utf8(&data[..end]) else { return };
    let text = data.get(end + 1..).unwrap_or_default().to_vec();
    if let Ok(binary) = DeviceBinary::from_texts(info, [text]) {
        run_binary(&binary);
    }
}

fn run_binary(binary: &DeviceBinary) {
    let platform = binary.platform().unwrap_or(Platform::Xe2);
    for kernel in binary.kernels.iter().take(2) {
        let Ok(program) = Program::of_kernel(binary, &kernel.name, platform) else { continue };
        let mut machine = Machine::new(&program).with_limit(LIMIT);
        let arguments = Parameter::of_kernel(kernel).into_iter().map(argument).collect();
        let local = kernel.execution.required_group_size.unwrap_or([16, 1, 1]);
        let Ok(grid) = Grid::new(&local, &local) else { continue };
        let options = Options { platform, workers: 1 };
        let launch = Launch::new(&mut machine, binary, &kernel.name, options, grid, arguments);
        // A fault is a result as well.
        if let Ok(launch) = launch {
            let _ = launch.run(&machine, 1);
            launch.printed(&mut machine);
        }
    }
}

/// Returns an argument that a kernel accepts.
fn argument(parameter: Parameter) -> Argument {
    match parameter {
        // Larger values are errors.
        Parameter::Value(size) => Argument::Value(vec![1; size.min(4096) as usize]),
        Parameter::Buffer => Argument::Buffer(vec![0; 256]),
        Parameter::Local => Argument::Local(64),
        Parameter::Image => Argument::Image {
            dimensions: Dimensions::D2,
            format: PixelFormat::Rgba8Unorm,
            size: [2, 2, 1],
            texels: vec![0; 16],
        },
        Parameter::Sampler => {
            Argument::Sampler(Sampler::new(Filter::Linear, AddressMode::ClampToEdge, true))
        }
        _ => Argument::Null,
    }
}

/// A text without errors can be run, with the same result twice.
pub fn run_text(data: &[u8]) {
    // The first byte of a seed is the number of a format.
    let source = data.get(1..).unwrap_or_default();
    let Ok(module) = text::parse(source, format_of(source)) else { return };
    if module.kernels.is_empty() {
        return;
    }
    let seed = data[0].into();
    assert_eq!(generated::run(&module, seed), generated::run(&module, seed), "two runs differ");
}

thread_local! {
    static MODULES: [BoxedStrategy<genvisa::Module<'static>>; 3] =
        [Platform::Skl, Platform::Tgllp, Platform::Xe2]
            .map(|platform| legal(Format::default(), platform).modules());
}

/// Legal programs run alike as bytes and text.
pub fn run_legal(data: &[u8]) {
    let mut rng = Rng::from_data(data);
    let (index, seed) = (rng.below(3), rng.below(256) as u64);
    let mut runner = runner_from_data(&rng.rest());
    let module = MODULES.with(|modules| modules[index].new_tree(&mut runner));
    let Ok(module) = module.map(|tree| tree.current()) else { return };
    let module = generated::without_faults(&module, seed);
    generated::check(&module, seed).unwrap_or_else(|error| panic!("{error}"));
}

/// Nearly legal messages end within the limits of the machine.
pub fn run_messages(data: &[u8]) {
    let messages = &*messages::MESSAGES_OF_XE2;
    let case = messages.cases().new_tree(&mut runner_from_data(data));
    let Ok(case) = case.map(|tree| tree.current()) else { return };
    messages.check(&case).unwrap_or_else(|error| panic!("{error}: {case:?}"));
}
