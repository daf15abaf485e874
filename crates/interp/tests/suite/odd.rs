//! Every public function with odd arguments: a result or an error, but no panic.

use std::sync::LazyLock;

use genvisa::RegisterSize;
use genvisa_interp::binary::{
    AddressMode as ArgumentMode, AddressPart, AddressSpace, ArgumentInfo, DataSection,
    DeviceBinary, Execution, InlineSampler, Kernel, MemoryUsage, PayloadArgument, PayloadKind,
    Relocation, Symbol, ThreadMemory, ThreadMemoryKind,
};
use genvisa_interp::dispatch::{
    Argument, ArgumentValue, DataBase, Grid, Launch, LocalIds, Options, Parameter, Payload,
    Scratch, ThreadNumbering, Values,
};
use genvisa_interp::{
    AddressMode, Device, Dimensions, Filter, Group, Image, Layout, Machine, Memory, PixelFormat,
    Program, RenderTargets, Sampler, Surface, ThreadStart,
};
use genvisa_test_support::odd::{self, Call, Draw};
use genvisa_test_support::{odd_calls, repository};

use crate::support;

const SOURCES: &str = "crates/interp/src";

const CALLS: &[Call] = odd_calls! { genvisa_interp, o =>
    Code::line(&routine(o), o.any());
    Code::name_of_variable(&routine(o), o.any());
    Code::site(&routine(o), o.any());
    Code::source(&routine(o), o.any());
    elements(o.any(), &o.any::<[u8; 16]>(), &o.any::<[u8; 16]>());
    nearest(o.any(), o.any());
    number(o.any(), o.any());
    to_f64(o.any(), o.any());
    Group::set_first_thread(&mut group(o), o.any());
    Group::thread_mut(&mut group(o), o.any());
    Image::at(image(o), o.any());
    Image::level(&image(o), o.any());
    Image::new(o.pick(&Dimensions::ALL), o.pick(PixelFormat::ALL), o.any(), o.any());
    Image::nv12(o.any(), o.any(), o.any(), o.any());
    Image::p010(o.any(), o.any(), o.any(), o.any());
    Image::with_levels(image(o), o.any());
    Image::with_samples(image(o), o.any());
    Layout::from_name(o.any());
    Layout::image(layout(o), o.pick(&Dimensions::ALL), o.any(), o.any());
    Machine::deny_races_of_lanes(machine(o), o.any());
    Machine::float_type(&machine(o), o.any());
    Machine::deny_undefined_stores(machine(o), o.any());
    Machine::with_coverage(machine(o), o.any());
    Machine::with_strict_alignment(machine(o), o.any());
    Machine::with_work_items(machine(o), o.any());
    Machine::group(&machine(o), o.any(), o.any(), o.any(), size(o), o.few(start));
    Machine::last_write(&machine(o), address(o));
    Machine::new(program(o));
    Machine::read_memory(&machine(o), address(o), o.any());
    Machine::reset_memory(&machine(o), address(o), o.any());
    Machine::run(&machine(o), &mut group(o));
    Machine::run_groups(&machine, o.pick(&[0, 1, 5]), o.any(), |number, _| machine.group("k", [0; 3], number, 0, [start.clone()])) where (machine, start) = (machine(o), start(o));
    Machine::run_in_turns(&machine, o.pick(&[0, 1, 5]), o.any(), o.any(), |number, _| machine.group("k", [0; 3], number, 0, [start.clone()])) where (machine, start) = (machine(o), start(o));
    Machine::run_until(&machine(o), &mut group(o), |_, _| o.any());
    Machine::set_symbol(&mut machine(o), o.any(), o.any());
    Machine::step(&machine(o), &mut group(o));
    Machine::symbol(&machine(o), o.any());
    Machine::with_limit(machine(o), o.any());
    Machine::with_memory_limit(machine(o), o.any());
    Memory::allocate(&mut memory(o), o.any(), o.any());
    Memory::allocate_low(&mut memory(o), o.any(), o.any());
    Memory::allocate_undefined(&mut memory(o), o.any(), size(o));
    Memory::bytes(&memory(o), address(o));
    Memory::check_races(&mut memory(o), o.any());
    Memory::first_undefined(&memory(o), address(o));
    Memory::set_bytes(&mut memory(o), address(o), o.any());
    Memory::undefined_bits(&memory(o), address(o));
    PixelFormat::from_name(o.any());
    Program::kernel(program(o), o.any());
    Program::of_kernel(&binary(o), name(o), o.any());
    Program::new(o.few(Draw::any), device(o));
    Sampler::new(o.pick(&Filter::ALL), o.pick(&AddressMode::ALL), o.any());
    Surfaces::get(machine(o).surfaces(), o.any());
    Surfaces::sampler(machine(o).surfaces(), o.any());
    Surfaces::set(machine(o).surfaces(), o.any(), surface(o));
    Surfaces::set_sampler(machine(o).surfaces(), o.any(), sampler(o));
    Thread::lane(&group(o).threads()[0], o.any());
    Thread::set_pixels(group(o).thread_mut(0).expect("a thread"), o.any());
    Thread::set_variable(group(o).thread_mut(0).expect("a thread"), program(o), o.any(), o.any(), o.any());
    Thread::variable(&group(o).threads()[0], program(o), o.any());
    ThreadStart::in_space(start(o), o.any());
    dispatch::Grid::group_id(&grid(o), o.any());
    dispatch::Grid::group_size(&grid(o), o.any());
    dispatch::Grid::new(&o.any::<Vec<_>>(), &o.any::<Vec<_>>());
    dispatch::Grid::with_offset(grid(o), o.any());
    dispatch::Launch::buffer(&launch(o).1, o.any());
    dispatch::Launch::group(&launch, &machine, o.any(), o.any()) where (machine, launch) = launch(o);
    dispatch::Launch::printed(&launch, &mut machine) where (mut machine, launch) = launch(o);
    dispatch::Launch::new(&mut machine(o).with_memory_limit(o.pick(&[0, 1 << 10, 1 << 24])), &binary(o), name(o), options(o), grid(o), o.few(argument));
    dispatch::Launch::run_in_turns(&launch, &machine, o.any()) where (machine, launch) = launch(o);
    dispatch::Launch::run(&launch, &machine, o.any()) where (machine, launch) = launch(o);
    dispatch::LocalIds::id(&local_ids(o), o.any(), o.any(), o.any());
    dispatch::LocalIds::mask(&local_ids(o), o.any(), o.any());
    dispatch::LocalIds::new(&kernel(o), o.any());
    dispatch::LocalIds::threads(&local_ids(o), o.any());
    dispatch::LocalIds::write(&local_ids(o), o.any(), o.any(), &mut o.any::<Vec<_>>());
    dispatch::Parameter::of_kernel(&kernel(o));
    dispatch::element(o.any());
    dispatch::Payload::group(&payload(o), o.any(), o.any()).count();
    dispatch::Payload::new(&kernel(o), o.any(), o.few(numbering).pop(), grid(o), &values(o));
    dispatch::ThreadNumbering::of(o.any());
    dispatch::ThreadNumbering::registers(numbering(o), o.any(), o.any());
};

#[test]
fn every_public_function_is_called() {
    odd::check_list(SOURCES, CALLS);
}

#[test]
fn odd_arguments_cause_no_panic() {
    odd::check_calls(SOURCES, CALLS);
}

fn device(o: &mut Draw) -> Device {
    Device { registers: o.pick(&[RegisterSize::Bytes32, RegisterSize::Bytes64]) }
}

/// Returns a program: with a barrier, a call or a load, without a routine, or with unusual tables.
fn program(o: &mut Draw) -> &'static Program {
    static PROGRAMS: LazyLock<Vec<Program>> = LazyLock::new(|| {
        let texts = [
            "",
            "    barrier",
            "    goto (M1, 16) L\nL:\n    lsc_load.slm (M1, 16) a:d32 flat[b]:a32",
            "    call (M1, 16) S\n    ret (M1, 16)\nS:\n    add (M1, 16) a(0,0)<1> b(0,0)<1;1,0> 0x1:ud",
        ];
        let mut programs: Vec<_> =
            texts.iter().map(|text| support::program(&support::kernel(text))).collect();
        programs.extend(Program::new([], support::XE2));
        programs
    });
    &PROGRAMS[o.rng.below(PROGRAMS.len())]
}

/// Returns a routine, also one with unusual tables.
fn routine(o: &mut Draw) -> genvisa_interp::Code {
    let found = (0..20).find_map(|_| {
        let program = Program::new([o.any()], device(o)).ok()?;
        program.routines().first().cloned()
    });
    found.unwrap_or_else(|| program(o).routines()[0].clone())
}

/// Returns a number of bytes: few, or more than there are.
fn size(o: &mut Draw) -> usize {
    o.pick(&[0, 1, 64, 70_000, 1 << 50, usize::MAX / 2, usize::MAX - 1, usize::MAX])
}

/// Returns an address, often one near a buffer.
fn address(o: &mut Draw) -> u64 {
    let first = Memory::new().allocate("first", Vec::new());
    let low = Memory::new().allocate_low("low", Vec::new()).unwrap_or_default();
    match o.rng.below(3) {
        0 => o.any(),
        1 => first.wrapping_add(o.any::<i8>() as u64),
        _ => low.wrapping_add(o.any::<i8>() as u64),
    }
}

fn memory(o: &mut Draw) -> Memory {
    let mut memory = Memory::new();
    for _ in 0..o.rng.below(3) {
        memory.allocate(o.any(), o.any());
        memory.allocate_low(o.any(), o.any());
    }
    memory
}

fn machine(o: &mut Draw) -> Machine<'static> {
    let program = program(o);
    machine_of(program, o)
}

fn machine_of(program: &'static Program, o: &mut Draw) -> Machine<'static> {
    let machine = Machine::new(program);
    let mut machine = machine.with_limit(o.pick(&[0, 1, 100])).with_memory_limit(memory_limit(o));
    *machine.memory() = memory(o);
    for index in 0..8 {
        let surface = surface(o);
        machine.surfaces().set(index, surface);
    }
    machine
}

/// The sizes of [`size`] are below or above all of them.
fn memory_limit(o: &mut Draw) -> u64 {
    o.pick(&[0, 1 << 10, 1 << 24, 1 << 24, u64::MAX])
}

fn start(o: &mut Draw) -> ThreadStart {
    ThreadStart {
        image: o.any(),
        mask: o.any(),
        variables: o.any(),
        states: o.any(),
        pixels: o.any(),
    }
}

/// Returns a group of one of the programs with at least one thread, which may have been run.
fn group(o: &mut Draw) -> Group {
    loop {
        let machine = machine(o).with_memory_limit(1 << 24);
        let mut starts = o.few(start);
        starts.push(start(o));
        let group = machine.group("k", o.any(), o.any(), o.pick(&[0, 1, 64]), starts);
        if let Ok(mut group) = group {
            for _ in 0..o.rng.below(4) {
                // A group can be used after a fault.
                let _ = machine.step(&mut group);
            }
            return group;
        }
    }
}

fn image(o: &mut Draw) -> Image {
    let image = Image::new(o.pick(&Dimensions::ALL), o.pick(PixelFormat::ALL), o.any(), address(o));
    Image {
        row_pitch: o.any(),
        slice_pitch: o.any(),
        levels: o.pick(&[0, 1, 1, 3, u32::MAX]),
        samples: o.pick(&[0, 1, 1, 4, u32::MAX]),
        ..image
    }
}

fn layout(o: &mut Draw) -> Layout {
    let layouts: Vec<Layout> = Layout::all().collect();
    o.pick(&layouts)
}

fn surface(o: &mut Draw) -> Surface {
    match o.rng.below(3) {
        0 => Surface::Buffer { address: address(o), size: o.any() },
        1 => image(o).into(),
        _ => {
            let [depth, stencil] = [(); 2].map(|()| o.few(image).pop());
            RenderTargets { colors: o.few(image), depth, stencil }.into()
        }
    }
}

fn sampler(o: &mut Draw) -> Sampler {
    let address = [0; 3].map(|_| o.pick(&AddressMode::ALL));
    let sampler = Sampler::new(o.pick(&Filter::ALL), address[0], o.any());
    Sampler { address, border: o.any(), ..sampler }
}

/// Returns a name, often one of a kernel of a binary.
fn name(o: &mut Draw) -> &'static str {
    if o.rng.one_in(4) { o.any() } else { "scale" }
}

/// Device binaries with their programs.
static BINARIES: LazyLock<Vec<(DeviceBinary, Program)>> = LazyLock::new(|| {
    let names = ["bmg", "dg2", "pvc", "tgllp"];
    let binaries = names.map(|name| {
        let path = repository(&format!("crates/interp/tests/data/scale-{name}.bin"));
        let binary = DeviceBinary::from_bytes(&std::fs::read(path).expect("a file"));
        let binary = binary.expect("a binary");
        let platform = binary.platform().expect("a platform");
        let program = Program::of_kernel(&binary, "scale", platform).expect("a program");
        (binary, program)
    });
    binaries.into()
});

fn binary(o: &mut Draw) -> DeviceBinary {
    let index = o.rng.below(BINARIES.len());
    changed(&BINARIES[index].0, o)
}

/// Returns a binary with anything in its public fields.
fn changed(binary: &DeviceBinary, o: &mut Draw) -> DeviceBinary {
    let mut binary = binary.clone();
    if o.any() {
        binary.kernels.iter_mut().for_each(|kernel| change_kernel(kernel, o));
    }
    if o.any() {
        binary.data.extend(o.few(data_section));
        let symbol = |o: &mut Draw| (o.any(), Symbol { section: o.any(), offset: o.any() });
        binary.symbols.extend(o.few(symbol));
    }
    if o.rng.one_in(8) {
        binary.texts.push(o.any::<&[u8]>().into());
    }
    binary
}

fn data_section(o: &mut Draw) -> DataSection {
    let names = [".data.const", ".data.global", ".data.const.string", ""];
    let relocation = |o: &mut Draw| Relocation {
        offset: o.any(),
        symbol: o.any(),
        addend: o.any(),
        part: o.pick(&[AddressPart::Whole, AddressPart::Low, AddressPart::High]),
    };
    DataSection { name: o.pick(&names).into(), bytes: o.any(), relocations: o.few(relocation) }
}

/// Changes a part of a kernel.
fn change_kernel(kernel: &mut Kernel, o: &mut Draw) {
    for _ in 0..o.rng.below(3) {
        match o.rng.below(9) {
            0 => kernel.execution = execution(o),
            1 => kernel.payload.extend(o.few(payload_argument)),
            2 => kernel.per_thread_size = o.any(),
            3 => kernel.binding_table = o.any(),
            4 => kernel.samplers = o.few(inline_sampler),
            5 => kernel.thread_memory = o.few(thread_memory),
            6 => kernel.arguments = o.few(argument_info),
            7 => kernel.execution.private_size = o.any(),
            _ => kernel.execution.slm_size = o.any(),
        }
    }
}

fn kernel(o: &mut Draw) -> Kernel {
    let mut kernel = Kernel {
        name: o.any(),
        execution: Execution { simd_size: 16, walk_order: [0, 1, 2], ..Execution::default() },
        per_thread_size: o.pick(&[0, 96, 192]),
        ..Kernel::default()
    };
    for _ in 0..4 {
        change_kernel(&mut kernel, o);
    }
    kernel
}

fn execution(o: &mut Draw) -> Execution {
    Execution {
        simd_size: o.pick(&[1, 8, 16, 32, u32::MAX]),
        slm_size: o.any(),
        private_size: o.any(),
        inline_data_size: o.any(),
        walk_order: if o.any() { [2, 0, 1] } else { o.any() },
        required_group_size: if o.any() { None } else { o.any() },
    }
}

fn payload_argument(o: &mut Draw) -> PayloadArgument {
    use PayloadKind::*;
    const KINDS: &[PayloadKind] = &[
        GlobalIdOffset,
        EnqueuedLocalSize,
        LocalSize,
        GlobalSize,
        GroupCount,
        WorkDimensions,
        Value,
        Pointer,
        BufferAddress,
        BufferOffset,
        BufferSize,
        ConstBase,
        GlobalBase,
        PrivateBase,
        ImplicitArguments,
        PrintfBuffer,
        InlineSampler,
        ImageWidth,
        ImageHeight,
        ImageDepth,
        ImageArraySize,
        SamplerSnap,
        SamplerNormalized,
        SamplerAddress,
        Other(String::new()),
    ];
    let modes = [
        ArgumentMode::Stateless,
        ArgumentMode::Stateful,
        ArgumentMode::Bindless,
        ArgumentMode::Slm,
    ];
    let spaces = [
        AddressSpace::Global,
        AddressSpace::Local,
        AddressSpace::Constant,
        AddressSpace::Image,
        AddressSpace::Sampler,
    ];
    PayloadArgument {
        kind: KINDS[o.rng.below(KINDS.len())].clone(),
        offset: if o.any() { o.any::<u8>().into() } else { o.any() },
        size: if o.any() { o.pick(&[4, 8, 12]) } else { o.any() },
        argument: if o.any() { Some(o.rng.below(4) as u32) } else { o.any() },
        sampler: o.any(),
        mode: modes.get(o.rng.below(5)).cloned(),
        space: spaces.get(o.rng.below(6)).cloned(),
        source_offset: if o.any() { 0 } else { o.any() },
        slm_alignment: o.any(),
        table_index: o.any(),
    }
}

fn inline_sampler(o: &mut Draw) -> InlineSampler {
    InlineSampler {
        index: o.any(),
        address_mode: o.pick(&["none", "repeat", "", "\0"]).into(),
        filter_mode: o.pick(&["nearest", "linear", "\n"]).into(),
        is_normalized: o.any(),
    }
}

fn thread_memory(o: &mut Draw) -> ThreadMemory {
    let kinds = [ThreadMemoryKind::Global, ThreadMemoryKind::Scratch, ThreadMemoryKind::Slm];
    let usages = [MemoryUsage::Private, MemoryUsage::Spill, MemoryUsage::Single];
    ThreadMemory {
        kind: kinds[o.rng.below(3)].clone(),
        usage: usages[o.rng.below(3)].clone(),
        size: o.any(),
    }
}

fn argument_info(o: &mut Draw) -> ArgumentInfo {
    let types = ["float*;8", "int;4", "int;99999999999", ";", "x;", "", "image2d_t;8"];
    ArgumentInfo { index: o.any(), name: o.any(), type_name: o.pick(&types).into() }
}

fn grid(o: &mut Draw) -> Grid {
    grid_of(o, u32::MAX)
}

/// Returns a grid of at most so many work-items in each dimension.
fn grid_of(o: &mut Draw, most: u32) -> Grid {
    loop {
        let dimensions = 1 + o.rng.below(3);
        let global: Vec<u32> = (0..dimensions).map(|_| o.any::<u32>().min(most)).collect();
        let local: Vec<u32> = (0..dimensions).map(|_| o.any()).collect();
        if let Ok(grid) = Grid::new(&global, &local) {
            return grid.with_offset(o.any());
        }
    }
}

fn options(o: &mut Draw) -> Options {
    Options { platform: o.any(), workers: o.any() }
}

fn argument(o: &mut Draw) -> Argument {
    match o.rng.below(6) {
        0 => Argument::Value(o.any()),
        1 => Argument::Buffer(o.any()),
        2 => Argument::Image {
            dimensions: o.pick(&Dimensions::ALL),
            format: o.pick(PixelFormat::ALL),
            size: o.any(),
            texels: o.any(),
        },
        3 => Argument::Sampler(sampler(o)),
        4 => Argument::Local(o.any()),
        _ => Argument::Null,
    }
}

/// Returns a machine with a launch of its program, of few groups, because it may run all of them.
fn launch(o: &mut Draw) -> (Machine<'static>, Launch) {
    loop {
        let (binary, program) = &BINARIES[o.rng.below(BINARIES.len())];
        let mut machine = machine_of(program, o).with_memory_limit(1 << 24);
        let binary = changed(binary, o);
        let kernel = binary.kernel("scale").expect("a kernel");
        let arguments = Parameter::of_kernel(kernel).into_iter().map(|parameter| match parameter {
            Parameter::Value(size) => Argument::Value(vec![1; size.min(4096) as usize]),
            Parameter::Buffer => Argument::Buffer(o.any()),
            _ => argument(o),
        });
        let arguments = arguments.collect();
        let (options, grid) = (options(o), grid_of(o, 100));
        if let Ok(launch) = Launch::new(&mut machine, &binary, "scale", options, grid, arguments) {
            return (machine, launch);
        }
    }
}

fn local_ids(o: &mut Draw) -> LocalIds {
    loop {
        if let Ok(ids) = LocalIds::new(&kernel(o), o.any()) {
            return ids;
        }
    }
}

fn numbering(o: &mut Draw) -> ThreadNumbering {
    match o.rng.below(3) {
        0 => ThreadNumbering::HardwareId,
        1 => ThreadNumbering::State { high: o.any() },
        _ => ThreadNumbering::Message { unit_threads: o.any() },
    }
}

fn values(o: &mut Draw) -> Values {
    let value = |o: &mut Draw| match o.rng.below(6) {
        0 => ArgumentValue::Unused,
        1 => ArgumentValue::Bytes(o.any()),
        2 => ArgumentValue::Buffer { address: o.any(), handle: o.any(), size: o.any() },
        3 => ArgumentValue::Image { image: image(o), handle: o.any() },
        4 => ArgumentValue::Sampler { sampler: sampler(o), handle: o.any() },
        _ => ArgumentValue::Local(o.any()),
    };
    let base = |o: &mut Draw| DataBase { address: o.any(), handle: o.any() };
    Values {
        arguments: o.few(value),
        constants: base(o),
        globals: base(o),
        private: o.any(),
        printf: o.any(),
        implicit: o.any(),
        scratch: Scratch { first: o.any(), step: o.any() },
    }
}

fn payload(o: &mut Draw) -> Payload {
    loop {
        let numbering = o.few(numbering).pop();
        let payload =
            Payload::new(&kernel(o), o.pick(&[32, 64, 1]), numbering, grid(o), &values(o));
        if let Ok(payload) = payload {
            return payload;
        }
    }
}
