//! Texts with the same meaning.

use genvisa::Module;
use genvisa::object::RoutineEditor;
use genvisa::text::{self, FileListing, ParseOptions};
use genvisa_equiv::interp::binary::{
    AddressMode, AddressSpace, DeviceBinary, PayloadArgument, PayloadKind,
};
use genvisa_equiv::interp::dispatch::Parameter;

#[allow(dead_code)]
#[path = "../../../../../examples/instrument.rs"]
mod instrument;
#[path = "../../../../../examples/peephole.rs"]
mod peephole;
#[path = "../../../../../examples/rename.rs"]
mod rename;

/// Returns the rewritten texts of a kernel.
pub fn of(source: &str) -> Vec<(&'static str, String)> {
    let Ok(module) = text::parse(source, ParseOptions::new()) else { return Vec::new() };
    let mut all = vec![("printed", module.clone()), ("example `rename`", renamed(module.clone()))];
    let mut optimized = module;
    if edit(&mut optimized, |editor| peephole::optimize(editor)) > 0 {
        all.push(("example `peephole`", optimized));
    }
    let print = |(name, module): (&'static str, Module<'static>)| {
        Some((name, FileListing::new(&module).to_text().ok()?))
    };
    all.into_iter().filter_map(print).collect()
}

/// Returns a binary whose kernel counts how often its blocks are executed, and the index of the argument with the
/// counters.
pub fn instrumented(binary: &DeviceBinary, name: &str) -> Option<(DeviceBinary, u32)> {
    let mut binary = binary.clone();
    let kernel = binary.kernels.iter_mut().find(|kernel| kernel.name == name)?;
    let argument = Parameter::of_kernel(kernel).len() as u32;
    let end = kernel.payload.iter().map(|it| it.offset + it.size).max().unwrap_or(0);
    let offset = end.next_multiple_of(64).max(64);
    kernel.payload.push(PayloadArgument {
        kind: PayloadKind::Pointer,
        offset,
        size: 4,
        argument: Some(argument),
        sampler: None,
        mode: Some(AddressMode::Bindless),
        space: Some(AddressSpace::Global),
        source_offset: 0,
        slm_alignment: 0,
        table_index: None,
    });
    // The inline data is in a register of its own.
    let inline = kernel.execution.inline_data_size;
    let register = binary.platform().ok()?.register_size() as u32;
    let kernel = binary.kernel(name)?;
    let first = register + kernel.per_thread_size;
    let place = first + inline.next_multiple_of(register) + offset - inline;
    let at = binary.texts.iter().position(|text| binary.text(name) == Some(text))?;
    let mut module = text::parse(&binary.texts[at], ParseOptions::new()).ok()?.into_owned();
    edit(&mut module, |editor| {
        instrument::count_blocks(editor).expect("a kernel");
        let inputs = editor.inputs_mut().expect("a kernel");
        inputs.last_mut().expect("the counters").offset = place as i16;
        1
    });
    let text = FileListing::new(&module).to_text().ok()?;
    binary.texts[at] = text.into_bytes();
    Some((binary, argument))
}

fn renamed(mut module: Module<'static>) -> Module<'static> {
    edit(&mut module, |editor| {
        rename::rename(editor);
        0
    });
    module
}

fn edit(
    module: &mut Module<'static>,
    mut change: impl FnMut(&mut RoutineEditor<'_, 'static>) -> usize,
) -> usize {
    let mut changes = 0;
    for routine in 0..module.routines().count() {
        let mut editor = module.edit(routine).expect("a routine");
        changes += change(&mut editor);
        editor.finish().expect("a changed routine");
    }
    changes
}
