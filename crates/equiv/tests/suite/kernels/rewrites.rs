//! Texts with the same meaning.

use genvisa::Module;
use genvisa::object::RoutineEditor;
use genvisa::text::{self, FileListing, ParseOptions};

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
