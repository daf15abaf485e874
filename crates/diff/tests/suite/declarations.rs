//! Declarations, inputs, attributes and properties that differ.

use genvisa::object::{
    AliasScope, Align, Attribute, FileScopeVar, Function, GenBinary, Input, InputClass, InputKind,
    Kernel, LabelKind, Linkage, Module, Reloc, Variable,
};
use genvisa::operand::{DataType, VarId};
use genvisa::{Dialect, Format, Instruction, Version, text};
use genvisa_diff::Differ;
use genvisa_test_support::rng::Rng;

use super::permute::permute;
use super::{module_of, with_real_modules};

/// Returns a module whose kernel has an alias, inputs and attributes. No instruction uses them.
fn module() -> Module<'static> {
    let mut module = module_of(&[], Format::default());
    let kernel = &mut module.kernels[0];
    let variable = |index: u32| Input {
        kind: InputKind::explicit(InputClass::GENERAL),
        index: 32 + index,
        offset: 32 * index as i16,
        size: 32,
    };
    kernel.inputs = (1..4).map(variable).collect();
    let name = kernel.body.intern("SimdSize");
    kernel.body.attributes.push(Attribute::integer(name, 16));
    kernel.body.variables[0].alias = VarId(33);
    let binary = kernel.body.intern("Output");
    kernel.body.variables[1].attributes.push(Attribute::flag(binary));
    kernel.function_relocs.push(Reloc { symbolic_index: 1, resolved_index: 0 });
    module.functions.push(Function::new("f"));
    module.file_scope_vars.push(FileScopeVar { name: "file".into(), ..FileScopeVar::default() });
    module
}

fn kernel(change: impl Fn(&mut Kernel<'_>) + 'static) -> Box<dyn Fn(&mut Module<'_>)> {
    Box::new(move |module| change(&mut module.kernels[0]))
}

fn variable(change: impl Fn(&mut Variable) + 'static) -> Box<dyn Fn(&mut Module<'_>)> {
    kernel(move |kernel| change(&mut kernel.body.variables[0]))
}

/// What is changed, and the change.
type Change = (&'static str, Box<dyn Fn(&mut Module<'_>)>);

#[test]
fn every_change_of_a_declaration_is_reported() {
    let changes: Vec<Change> = vec![
        ("type", variable(|v| v.ty = DataType::F)),
        ("alignment", variable(|v| v.align = Align::DWORD)),
        ("elements", variable(|v| v.num_elements += 1)),
        ("alias", variable(|v| v.alias = VarId(34))),
        ("no alias", variable(|v| v.alias = VarId::NULL)),
        ("alias of %null", variable(|v| (v.alias, v.is_null) = (VarId::NULL, true))),
        ("predefined alias", variable(|v| v.alias = VarId(7))),
        ("undeclared alias", variable(|v| v.alias = VarId(700))),
        ("alias offset", variable(|v| v.alias_offset = 4)),
        ("alias scope", variable(|v| v.alias_scope = AliasScope::FILE)),
        ("new attribute", variable(|v| v.attributes.push(Attribute::flag(Default::default())))),
        ("no attribute", kernel(|k| k.body.variables[1].attributes.clear())),
        ("value", kernel(|k| k.body.variables[1].attributes[0].value.push(0))),
        (
            "other attribute",
            kernel(|k| {
                k.body.variables[1].attributes[0].name = k.body.intern("Input");
            }),
        ),
        ("new variable", kernel(|k| k.body.variables.push(Variable::default()))),
        ("one variable less", kernel(|k| drop(k.body.variables.pop()))),
        ("address", kernel(|k| k.body.addresses[0].num_elements += 1)),
        ("predicate", kernel(|k| k.body.predicates[0].num_elements += 1)),
        ("surface", kernel(|k| drop(k.body.surfaces.pop()))),
        ("sampler", kernel(|k| drop(k.body.samplers.pop()))),
        ("kind of a label", kernel(|k| k.body.labels[0].kind = LabelKind::SUBROUTINE)),
        ("input offset", kernel(|k| k.inputs[0].offset = 8)),
        ("input size", kernel(|k| k.inputs[0].size = 4)),
        ("input kind", kernel(|k| k.inputs[0].kind = InputKind::from_bits(8))),
        ("undeclared input", kernel(|k| k.inputs[0].index = 700)),
        ("one input less", kernel(|k| k.inputs.truncate(2))),
        (
            "routine attribute",
            kernel(|k| {
                k.body.attributes[0] = Attribute::integer(k.body.attributes[0].name, 32);
            }),
        ),
        ("no routine attribute", kernel(|k| k.body.attributes.clear())),
        ("name of the kernel", kernel(|k| k.name = "other".into())),
        ("name in the tables", kernel(|k| k.body.name = k.body.intern("other"))),
        ("relocation", kernel(|k| k.function_relocs[0].symbolic_index = 2)),
        ("no relocation", kernel(|k| k.function_relocs.clear())),
        ("addressing", kernel(|k| k.body.efficient_64bit = true)),
        ("linkage", Box::new(|m| m.functions[0].linkage = Linkage::GLOBAL)),
        (
            "stack",
            Box::new(|m| {
                m.functions[0].definition.as_mut().expect("defined").input_size = 3;
            }),
        ),
        ("no definition", Box::new(|m| m.functions[0].definition = None)),
        (
            "no function",
            Box::new(|m| {
                m.functions.clear();
                m.kernels[0].function_relocs.clear();
            }),
        ),
        ("variable of the file", Box::new(|m| m.file_scope_vars[0].num_elements = 7)),
        ("no variable of the file", Box::new(|m| m.file_scope_vars.clear())),
        ("another kernel", Box::new(|m| m.kernels.push(Kernel::new("another")))),
    ];
    let (original, mut rng) = (module(), Rng::new(4, 0));
    assert!(Differ::new().modules(&original, &original).is_empty());
    for (what, change) in changes {
        let mut changed = original.clone();
        change(&mut changed);
        assert_ne!(original, changed, "{what}");
        for (a, b) in [(&original, &changed), (&changed, &original)] {
            // Other names and orders neither hide a difference nor add one.
            for b in [b.clone(), permute(b, &mut rng)] {
                let diff = Differ::new().modules(a, &b);
                assert!(!diff.is_empty(), "{what}");
                let routines = diff.routines.iter().filter_map(|pair| pair.diff.as_ref());
                let mut changes = diff.declarations.clone();
                for routine in routines {
                    let routine = routine.as_ref().expect("legal code");
                    changes.extend(routine.declarations.iter().cloned());
                }
                assert!(changes.len() <= 4, "{what}: {changes:#?}");
                for change in changes {
                    assert_ne!(change.a, change.b, "{what}");
                }
            }
        }
    }
}

#[test]
fn machine_code_and_versions_do_not_matter() {
    let (a, mut b) = (module(), module());
    b.kernels[0].gen_binaries.push(GenBinary::new(5, &b"machine code"[..]));
    b.format = Format::new(Dialect::Igc2022, Version::V3_1);
    assert!(Differ::new().modules(&a, &b).is_empty());
}

#[test]
fn the_only_kernels_are_compared_unless_names_matter() {
    let (a, mut b) = (module(), module());
    b.kernels[0].name = "other".into();
    assert_eq!(Differ::new().modules(&a, &b).routines.len(), 2);
    let diff = Differ::new().match_by_name(true).modules(&a, &b);
    let is_unmatched = |name: &str| {
        let pair = diff.routines.iter().find(|pair| {
            let (_, own) = pair.a.as_ref().or(pair.b.as_ref()).expect("one of the two");
            *own == *name
        });
        pair.expect("a routine of this name").diff.is_none()
    };
    assert!(is_unmatched("k") && is_unmatched("other") && !is_unmatched("f"));
}

/// The type of a variable changes in a real kernel: one declaration, and no instruction.
#[test]
#[ignore = "needs the corpus"]
fn changed_declarations_of_real_routines_are_the_only_difference() {
    let mut rng = Rng::new(5, 0);
    let mut count = 0;
    with_real_modules(|name, module| {
        let mut changed = module.clone();
        let Some(kernel) = changed.kernels.first_mut() else { return };
        if kernel.body.variables.is_empty() {
            return;
        }
        let index = rng.below(kernel.body.variables.len());
        kernel.body.variables[index].num_elements ^= 0x400;
        let diff = Differ::new().modules(module, &permute(&changed, &mut rng));
        let routine = diff.routines[0].diff.as_ref().expect("a counterpart");
        let routine = routine.as_ref().expect("legal code");
        assert!(routine.segments.iter().all(|segment| segment.is_equal), "{name}");
        // An unused variable has no name in common with its counterpart.
        assert!(
            (1..=2).contains(&routine.declarations.len()),
            "{name}: {:#?}",
            routine.declarations
        );
        count += 1;
    });
    eprintln!("{count} modules");
}

#[test]
fn locations_can_be_ignored() {
    let loc = |line_number| Instruction::from(genvisa::isa::Loc { line_number });
    let barrier = Instruction::from(genvisa::isa::Barrier {});
    let a = module_of(&[loc(1), barrier, loc(2), barrier], Format::default());
    let b = module_of(&[barrier, loc(3), barrier], Format::default());
    assert!(!Differ::new().modules(&a, &b).is_empty());
    assert!(Differ::new().ignore_locations(true).modules(&a, &b).is_empty());
    // Positions leave them out; the number of the first instruction is that in the listing.
    let c = module_of(&[loc(1), barrier, loc(2)], Format::default());
    let diff = Differ::new().ignore_locations(true).modules(&a, &c);
    let routine = diff.routines[0].diff.as_ref().expect("a counterpart").as_ref().expect("legal");
    let hunks = routine.hunks(0);
    assert_eq!((hunks.len(), hunks[0].a.clone(), hunks[0].index), (1, 1..2, 3));
}

/// Each use of a variable may be one of the other, and both are declared alike.
#[test]
fn variables_that_are_used_alike_have_their_names() {
    let module = |sources: [&str; 2]| {
        let [src0, src1] = sources.map(|name| format!("{name}(0,0)<1;1,0>"));
        let declare = |name| format!(".decl {name} v_type=G type=d num_elts=16 align=GRF\n");
        let add = format!("add (M1, 16) b(0,0)<1> {src0} {src1}\n");
        let source = [".version 4.2\n.kernel \"k\"\n", &declare("a"), &declare("b"), &add].concat();
        text::parse(source, Format::V4_2).expect("legal text").into_owned()
    };
    let (a, b) = (module(["a", "b"]), module(["b", "a"]));
    let diff = Differ::new().modules(&a, &b).routines.remove(0).diff.expect("in both");
    let unified = diff.expect("legal code").to_unified("a", "b", 0);
    let added: Vec<&str> = unified.lines().filter(|line| line.starts_with("+ ")).collect();
    let expected = "+    add (M1, 16) b(0,0)<1> b(0,0)<1;1,0> a(0,0)<1;1,0>";
    assert_eq!(added, [expected], "{unified}");
}
