//! Chains of definitions and uses.

use genvisa::RegisterSize;
use genvisa::analysis::{AccessKind, Analysis};
use genvisa::build::{Builder, VarHandle};
use genvisa::object::Align;
use genvisa::operand::{DataType, ExecSize::*, RelOp};
use genvisa::{Dialect, Format, Module};
use genvisa_test_support::{corpus, repository};

fn analyse(build: impl FnOnce(&mut Builder)) -> Analysis {
    let mut k = Builder::new("k", Format::default());
    build(&mut k);
    let mut module = Module::new(Format::default());
    module.kernels.push(k.into_kernel().unwrap());
    let routine = module.routines().next().unwrap();
    Analysis::new(&routine, RegisterSize::default()).unwrap()
}

fn int(k: &mut Builder, name: &str, elements: u16) -> VarHandle {
    k.add_variable(name, DataType::D, elements, Align::GRF)
}

#[test]
fn loops_bring_definitions_back() {
    let mut x = None;
    let analysis = analyse(|k| {
        let i = int(k, "i", 1);
        let more = k.add_predicate("more", 1);
        let head = k.add_label("head");
        k.mov(S1, i, 0); // 0
        k.label(head); // 1
        k.add(S1, i, i.scalar(), 1); // 2
        k.cmp(S1, RelOp::LT, more, i.scalar(), 4); // 3
        k.jmp(S1.when(more), head); // 4
        k.ret(S1);
        x = Some((i, more));
    });
    let (i, more) = x.unwrap();
    let chains = analysis.chains();
    let of_add = chains.definitions(2, i.id());
    assert_eq!((of_add.instructions, of_add.is_from_start), (vec![0, 2], false));
    assert_eq!(chains.definitions(3, i.id()).instructions, [2]);
    assert_eq!(chains.definitions(4, more.id()).instructions, [3]);
    assert_eq!(chains.uses(0, i.id()), [2]);
    assert_eq!(chains.uses(2, i.id()), [2, 3]);
}

#[test]
fn predicated_writes_keep_the_value_before() {
    let mut x = None;
    let analysis = analyse(|k| {
        let (a, b) = (int(k, "a", 8), int(k, "b", 8));
        let p = k.add_predicate("p", 8);
        k.add_input(b, 32);
        k.cmp(S8, RelOp::LT, p, b, 4); // 0
        k.mov(S8, a, 1); // 1
        k.mov(S8.when(p), a, 2); // 2
        k.add(S8, b, a, b); // 3
        k.ret(S1);
        x = Some((a, b));
    });
    let (a, b) = x.unwrap();
    let chains = analysis.chains();
    assert_eq!(chains.definitions(3, a.id()).instructions, [1, 2]);
    let input = chains.definitions(3, b.id());
    assert!(input.instructions.is_empty() && input.is_from_start);
    // It writes `b` and does not read it afterwards.
    assert!(chains.uses(3, b.id()).is_empty());
}

#[test]
fn parts_of_a_variable_have_their_own_definitions() {
    let mut x = None;
    let analysis = analyse(|k| {
        let (a, b) = (int(k, "a", 16), int(k, "b", 8));
        k.mov(S8, a, 1); // 0: bytes 0 to 31
        k.mov(S8, a.dst(1).at(1, 0), 2); // 1: bytes 32 to 63
        k.mov(S8, b, a.region(8, 8, 1).at(1, 0)); // 2
        k.mov(S16, a, a); // 3
        k.ret(S1);
        x = Some(a);
    });
    let a = x.unwrap();
    let chains = analysis.chains();
    assert_eq!(chains.definitions(2, a.id()).instructions, [1]);
    assert_eq!(chains.definitions(3, a.id()).instructions, [0, 1]);
    assert_eq!(chains.uses(0, a.id()), [3]);
    assert_eq!(chains.uses(1, a.id()), [2, 3]);
}

/// Returns the modules of the repository, and those of the corpus if it is there.
fn modules() -> Vec<Module<'static>> {
    let mut files = corpus::files();
    files.push(repository("tests/data/tour.isa"));
    let module = |file: &std::path::PathBuf| {
        let bytes = std::fs::read(file).unwrap();
        Module::from_bytes(&bytes, Dialect::Igc2022).map(Module::into_owned).ok()
    };
    files.iter().filter_map(module).collect()
}

#[test]
fn definitions_and_uses_agree() {
    let mut checked = 0;
    for module in modules() {
        for routine in module.routines() {
            let Ok(analysis) = Analysis::new(&routine, RegisterSize::default()) else { continue };
            if analysis.instructions.len() > 400 {
                continue;
            }
            let chains = analysis.chains();
            for (at, instruction) in analysis.instructions.iter().enumerate() {
                let mut accesses = Vec::new();
                analysis.storage.visit_accesses(instruction, |access| accesses.push(access));
                for access in accesses {
                    match access.kind {
                        AccessKind::Read => {
                            for definition in chains.definitions(at, access.root).instructions {
                                let uses = chains.uses(definition, access.root);
                                assert!(uses.contains(&at), "{definition} -> {at}: {access:?}");
                                checked += 1;
                            }
                        }
                        AccessKind::Write => {
                            for used in chains.uses(at, access.root) {
                                let found = chains.definitions(used, access.root).instructions;
                                assert!(found.contains(&at), "{at} -> {used}: {access:?}");
                            }
                        }
                        _ => {}
                    }
                }
            }
        }
    }
    assert!(checked > 10, "{checked}");
}
