//! The fuzz targets for editing of routines. The input chooses the module and the edits.

use genvisa::Platform;
use genvisa::isa::{IdClass, Kind, Mov};
use genvisa::object::{Align, RoutineEditor};
use genvisa::operand::{DataType, Dst, Imm};
use genvisa::strategy::{Legal, legal};
use genvisa::text::{FileListing, parse};
use genvisa::verify::Verifier;
use genvisa::{Format, Instruction, Module};
use genvisa_test_support::random::runner_from_data;
use genvisa_test_support::rng::Rng;
use proptest::strategy::{BoxedStrategy, Strategy, ValueTree};
use proptest::test_runner::TestRunner;

use crate::edit::random;

genvisa_test_support::fuzz_targets! {
    edits: "seeds/choices",
    legal_edits: "seeds/choices",
}

const FILES: [&[u8]; 3] = [
    include_bytes!("../seeds/isa/arithmetic.isa"),
    include_bytes!("../seeds/isa/shader.isa"),
    include_bytes!("../seeds/isa/tour.isa"),
];

const PLATFORMS: [Platform; 3] = [Platform::Skl, Platform::Tgllp, Platform::Xe2];

/// What generates legal modules and instructions for a platform. The search for the first ones is slow.
struct Generator {
    legal: Legal,
    modules: BoxedStrategy<Module<'static>>,
    instructions: BoxedStrategy<Instruction>,
}

thread_local! {
    static GENERATORS: [Generator; 3] = PLATFORMS.map(|platform| {
        let legal = legal(Format::default(), platform);
        let (modules, instructions) = (legal.modules(), legal.instructions());
        Generator { legal, modules, instructions }
    });
}

/// Searches for the first legal instructions, with which later ones begin.
#[cfg(not(test))]
pub fn search() {
    GENERATORS.with(|generators| {
        for generator in generators {
            let mut runner = runner_from_data(&[]);
            for _ in 0..400 {
                new_instruction(generator, &mut runner);
            }
        }
    });
}

/// Edits change what they say and nothing else, as a list of lines shows.
pub fn edits(data: &[u8]) {
    let mut rng = Rng::from_data(data);
    if rng.one_in(2) {
        random::check(FILES[rng.below(FILES.len())], &mut rng, "a file");
        return;
    }
    // The number of modules is small, so that the edits matter more.
    let seed = [rng.below(64) as u8];
    GENERATORS.with(|generators| {
        let mut runner = runner_from_data(&seed);
        let module = generators[0].modules.new_tree(&mut runner).expect("a module").current();
        let file = module.to_bytes().expect("a legal module");
        random::check(&file, &mut rng, "a generated module");
    });
}

/// Legal edits of legal modules are legal, and change one routine only.
pub fn legal_edits(data: &[u8]) {
    let mut rng = Rng::from_data(data);
    let index = rng.below(PLATFORMS.len());
    GENERATORS.with(|generators| {
        let generator = &generators[index];
        let seed = [rng.below(64) as u8];
        let mut runner = runner_from_data(&seed);
        let old = generator.modules.new_tree(&mut runner).expect("a module").current();
        let mut module = old.clone();
        let routine = rng.below(module.routines().count());
        let mut editor = module.edit(routine).expect("legal code");
        let mut done = Vec::new();
        for number in 0..1 + rng.below(8) {
            done.push(legal_edit(&mut editor, number, generator, &mut rng));
        }
        let instructions = editor.instructions.clone();
        editor.finish().unwrap_or_else(|error| panic!("{error} after {done:?}"));
        let verifier = Verifier::new().with_platform(PLATFORMS[index]);
        assert_eq!(verifier.check_module(&module), [], "{done:?}");
        for (number, (new, old)) in module.routines().zip(old.routines()).enumerate() {
            assert!(number == routine || new.body == old.body, "{done:?}");
        }
        let edited = module.routines().nth(routine).expect("the routine");
        let read = edited.instructions().map(|item| item.expect("legal code").1);
        assert!(read.eq(instructions), "{done:?}");
        let bytes = module.to_bytes().expect("a legal module");
        assert_eq!(Module::from_bytes(&bytes, module.format.dialect).as_ref(), Ok(&module));
        let text = FileListing::new(&module).to_text().expect("a legal module");
        assert!(parse(&text, module.format).as_ref() == Ok(&module), "{done:?}\n{text}");
    });
}

/// Returns whether an instruction may be anywhere and more than once.
fn is_plain(instruction: &Instruction) -> bool {
    let mut is_plain = !instruction.ends_block() && instruction.kind() != Kind::Flow;
    instruction.visit_ids(|id| is_plain &= id.class != IdClass::Label);
    is_plain
}

fn legal_edit(
    editor: &mut RoutineEditor<'_, '_>,
    number: usize,
    generator: &Generator,
    rng: &mut Rng,
) -> String {
    let count = editor.instructions.len();
    let plain: Vec<usize> = (0..count).filter(|at| is_plain(&editor.instructions[*at])).collect();
    let Some(from) = plain.get(rng.below(plain.len().max(1))).copied() else {
        return "nothing".into();
    };
    match rng.below(7) {
        0 => {
            editor.instructions.remove(from);
            format!("remove {from}")
        }
        1 => {
            let copied = editor.instructions[from];
            editor.instructions.insert(from, copied);
            format!("copy {from}")
        }
        2 => {
            let mut runner = runner_from_data(&rng.bits().to_le_bytes());
            let new = new_instruction(generator, &mut runner);
            match editor.import(generator.legal.declarations(), &[new]) {
                Ok(new) => drop(editor.instructions.splice(from..from, new)),
                Err(error) => return error.to_string(),
            }
            format!("import {new} before {from}")
        }
        3 => {
            let mut runner = runner_from_data(&rng.bits().to_le_bytes());
            let new = new_instruction(generator, &mut runner);
            match editor.import(generator.legal.declarations(), &[new]) {
                Ok(new) => editor.instructions[from] = new[0],
                Err(error) => return error.to_string(),
            }
            format!("replace {from} by {new}")
        }
        4 => {
            let name = format!("new{number}");
            let new = editor.body_mut().add_variable(&name, DataType::UD, 8, Align::DWORD);
            let mov = Mov { dst: Dst::new(new), src0: Imm::ud(7).into(), ..Mov::default() };
            editor.instructions.insert(from, mov.into());
            format!("add a variable before {from}")
        }
        5 => {
            editor.retain_used();
            "retain what is used".into()
        }
        _ => {
            let ids = random::entries(editor.body());
            let Some(id) = ids.get(rng.below(ids.len().max(1))) else { return "nothing".into() };
            let name = rng.pick(&["renamed", "a.b", "_", "x1"]);
            editor.rename(*id, &format!("{name}{number}"));
            format!("rename {id:?}")
        }
    }
}

fn new_instruction(generator: &Generator, runner: &mut TestRunner) -> Instruction {
    generator.instructions.new_tree(runner).expect("an instruction").current()
}
