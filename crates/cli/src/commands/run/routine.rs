//! Kernels of texts and `.isa` files, which do not state where arguments go.

use anyhow::{Context, anyhow, bail};
use genvisa::isa::{Id, IdClass};
use genvisa::object::{Routine, RoutineKind};
use genvisa::operand::{DataType, VarId};
use genvisa_interp::{Device, Machine, Program, Surface, ThreadStart};

use super::arguments::Contents;
use super::trace::Trace;
use super::{Buffer, Denied, Run, Summary, outputs, trace, values};
use crate::input::{open_one, read};
use crate::modules::load::load;
use crate::modules::names;
use crate::output::Output;
use crate::words::{printable, shown};

pub fn run(args: &Run, out: &mut Output) -> anyhow::Result<(Summary, Vec<Buffer>)> {
    let name = shown(&args.file);
    if args.global.is_some() || args.local.is_some() || !args.arg.is_empty() {
        bail!("`{name}` is not a device binary; give its inputs with --input or --payload");
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
        .deny_undefined_stores(args.deny.contains(&Denied::Undefined));

    let mut variables = Vec::new();
    let mut buffers = Vec::new();
    for input in &args.input {
        let buffer = input.contents.buffer()?;
        let size = buffer.as_ref().map(Vec::len);
        let address = buffer.map(|bytes| machine.memory().allocate(&input.name, bytes));
        if let (Some(address), Some(_)) = (address, size) {
            buffers.push((input.name.clone(), address));
        }
        if let Some(index) = input.name.strip_prefix("bti:") {
            let index = index.parse().with_context(|| format!("`{index}` is not an index"))?;
            let (Some(address), Some(size)) = (address, size) else {
                bail!("`{}` is a surface, and needs a buffer", printable(&input.name));
            };
            machine.surfaces().set(index, Surface::Buffer { address, size: size as u64 });
            continue;
        }
        let variable = variable(&input.name, kernel)?;
        let (ty, elements) = type_of(kernel, variable);
        let bytes = match (&input.contents, address) {
            (Contents::Lanes(stride, _), Some(address)) => {
                let addresses =
                    (0..elements as u64).map(|lane| address + lane * u64::from(*stride));
                addresses.flat_map(u64::to_le_bytes).collect()
            }
            (_, Some(address)) => address.to_le_bytes().to_vec(),
            (Contents::Numbers(text), None) => {
                let problem = |problem| anyhow!("`{}`: {problem}", printable(&input.name));
                let bytes = values::bytes_of(text, None, ty).map_err(problem)?;
                // One number is for all elements.
                if text.contains(',') { bytes } else { bytes.repeat(elements) }
            }
            (_, None) => vec![0; 8],
        };
        variables.push((variable, bytes));
    }
    let names: Vec<Vec<String>> = buffers.iter().map(|(name, _)| vec![name.clone()]).collect();
    outputs::check(&args.out, &names)?;

    let image = args.payload.as_ref().map(|path| read(path)).transpose()?.unwrap_or_default();
    let stated = kernel.body.simd_size().and_then(|lanes| u32::try_from(lanes).ok());
    let lanes = args.lanes.or(stated.filter(|lanes| (1..=32).contains(lanes))).unwrap_or(32);
    let start = ThreadStart { image, mask: u32::MAX >> (32 - lanes), variables };
    let local = args.slm.unwrap_or(1 << 16) as usize;
    let name = kernel.name.to_string();
    let group = machine.group(&name, [0; 3], 0, local, [start]);
    let result = match &args.trace {
        None => group.and_then(|mut group| machine.run(&mut group)),
        Some(variable) => {
            let mut trace = Trace::new(&program, variable)?;
            trace::run(&machine, [group].into_iter(), &mut trace, out)?
        }
    };
    let undefined_stores = machine.undefined_stores();
    let memory = machine.memory();
    let buffers = buffers.into_iter().filter_map(|(name, address)| {
        let bytes = memory.bytes(address)?.to_vec();
        Some(Buffer { names: vec![name], bytes, first_undefined: memory.first_undefined(address) })
    });
    let buffers = buffers.collect();
    let summary =
        Summary { kernel: name, platform, groups: 1, threads: 1, result, undefined_stores };
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

fn variable(name: &str, kernel: &Routine<'_, '_>) -> anyhow::Result<VarId> {
    match names::find(name, kernel.body) {
        Some(Id { class: IdClass::Variable, number }) => Ok(VarId(number)),
        Some(_) => bail!("`{}` is not a general variable", printable(name)),
        None => bail!("kernel `{}` has no variable `{}`", kernel.name, printable(name)),
    }
}

/// Returns the name of the type of a variable in OpenCL C, as far as numbers have it, and the number of
/// elements.
fn type_of(kernel: &Routine<'_, '_>, variable: VarId) -> (&'static str, usize) {
    let index = variable.0.checked_sub(VarId::FIRST_DECLARED.0);
    let declared = index.and_then(|index| kernel.body.variables.get(index as usize));
    let name = match declared.map(|declared| declared.ty) {
        Some(DataType::HF) => "half",
        Some(DataType::F) => "float",
        Some(DataType::DF) => "double",
        Some(DataType::B | DataType::UB) => "char",
        Some(DataType::W | DataType::UW) => "short",
        Some(DataType::Q | DataType::UQ) => "long",
        _ => "int",
    };
    (name, declared.map_or(1, |declared| declared.num_elements as usize))
}
