//! Kernels of texts and `.isa` files, which do not state where arguments go.

use anyhow::{Context, bail};
use genvisa::object::{Routine, RoutineKind};
use genvisa_interp::dispatch::Printed;
use genvisa_interp::{Device, Machine, Program, ThreadStart};

use super::arguments::Sizes;
use super::inputs::Inputs;
use super::{Buffer, Denied, Run, Summary, observe, outputs};
use crate::input::{open_one, read};
use crate::modules::load::load;
use crate::output::Output;
use crate::words::{printable, shown};

pub fn run(args: &Run, out: &mut Output) -> anyhow::Result<(Summary, Vec<Buffer>)> {
    let name = shown(&args.file);
    if let Some(option) = args.option_of_device_binaries() {
        bail!(
            "{option} is for kernels with `.ze_info`, and `{name}` has none: give --info with the .zeinfo file \
             of the compiler, or registers with --input or --payload, and groups with --thread-space"
        );
    }
    let input = open_one(&args.file, args.kernel.as_ref(), &args.dialect)?;
    let loaded = load(&input, &args.dialect, out)?;
    let loaded = loaded.filter(|loaded| loaded.omitted.is_empty());
    let loaded = loaded.with_context(|| format!("`{name}` has errors and is not run"))?;
    let kernels: Vec<Routine<'_, '_>> =
        loaded.module.routines().filter(|it| it.kind == RoutineKind::Kernel).collect();
    let kernel = choose(&kernels, args.kernel.as_deref())?;
    let platform = args.registers.platform.or(loaded.platform);
    args.registers.warn_of_assumption(&name, &loaded.module, loaded.platform, out)?;
    let registers = args.registers.size(loaded.platform, kernel.body);
    let program = Program::new([&loaded.module], Device { registers })?;
    let mut machine = Machine::new(&program)
        .with_limit(args.limit)
        .with_memory_limit(args.memory_limit)
        .with_strict_alignment(args.strict_alignment)
        .with_coverage(args.coverage)
        .deny_undefined_stores(args.deny.contains(&Denied::Undefined));

    let mut inputs = Inputs::default();
    for input in &args.input {
        inputs.add(input, kernel, &mut machine)?;
    }
    outputs::check(&args.out, inputs.buffers.iter().map(|(_, buffer)| buffer))?;

    let image = args.payload.as_ref().map(|path| read(path)).transpose()?.unwrap_or_default();
    let stated = kernel.body.simd_size().and_then(|lanes| u32::try_from(lanes).ok());
    let lanes = args.lanes.or(stated.filter(|lanes| (1..=32).contains(lanes))).unwrap_or(32);
    let start = ThreadStart {
        image,
        mask: u32::MAX >> (32 - lanes),
        states: inputs.states(),
        variables: inputs.variables,
        pixels: Vec::new(),
    };
    let local = args.slm.unwrap_or(1 << 16) as usize;
    let name = kernel.name.to_string();
    let space = args.thread_space.as_ref().map(Sizes::all);
    let [width, height, depth] = space.unwrap_or([1; 3]);
    let threads = u64::from(width) * u64::from(height);
    let (Ok(threads @ 1..), 1) = (u32::try_from(threads), depth) else {
        bail!("--thread-space has two numbers, which are not 0");
    };
    machine.memory().check_races(threads > 1);
    let group = |number: u32| {
        let place = [number % width, number / width];
        let start = match space {
            Some(_) => start.clone().in_space(place),
            None => start.clone(),
        };
        machine.group(&name, [place[0], place[1], 0], number, local, [start])
    };
    let mut traced = None;
    let result = match observe::observer(args, &program, out)? {
        None => machine.run_groups(threads, args.threads, |number, _| group(number)),
        Some(mut observer) => {
            let result = observe::run(&machine, (0..threads).map(group), &mut *observer)?;
            traced = observer.traced();
            result
        }
    };
    let undefined_stores = machine.undefined_stores();
    let memory = machine.memory();
    let buffers = inputs.buffers.into_iter().filter_map(|(address, buffer)| {
        let bytes = memory.bytes(address)?.to_vec();
        Some(Buffer { bytes, first_undefined: memory.first_undefined(address), ..buffer })
    });
    let buffers = buffers.collect();
    let summary = Summary {
        kernel: name.clone(),
        platform,
        groups: threads,
        threads: threads.into(),
        result,
        printed: Printed::default(),
        undefined_stores,
        races_of_lanes: Vec::new(),
        coverage: args.coverage.then(|| machine.coverage()),
        traced,
    };
    Ok((summary, buffers))
}

fn choose<'k, 'm, 'a>(
    kernels: &'k [Routine<'m, 'a>],
    name: Option<&str>,
) -> anyhow::Result<&'k Routine<'m, 'a>> {
    let names: Vec<String> =
        kernels.iter().map(|kernel| printable(&kernel.name.to_string())).collect();
    match (name, kernels) {
        (Some(name), _) => {
            let found = kernels.iter().find(|kernel| *kernel.name == *name);
            found.with_context(|| {
                format!("there is no kernel `{}`; there is {}", printable(name), names.join(", "))
            })
        }
        (None, [kernel]) => Ok(kernel),
        (None, []) => bail!("there is no kernel"),
        (None, _) => bail!("choose a kernel with --kernel: {}", names.join(", ")),
    }
}
