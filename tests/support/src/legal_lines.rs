//! Lines of legal instructions, and edits of them.

use genvisa::object::{Body, Kernel};
use genvisa::platform::Platform;
use genvisa::strategy::legal;
use genvisa::text::Listing;
use genvisa::{Format, Instruction, Module};
use proptest::strategy::{Strategy, ValueTree};

use super::random::{runner, seed};
use super::rng::Rng;
use super::tokens::Pool;

/// Returns the reason why an instruction is not compiled.
fn excluded(instruction: &Instruction, text: &str) -> Option<&'static str> {
    match instruction.mnemonic() {
        "file" | "loc" | "lifetime" => Some("it is not an instruction of the machine"),
        "va" | "va_skl_plus" | "vme_idm" => Some("the compiler's text has no word for it"),
        _ if text.contains("//@") => Some("one of its codes has no word"),
        _ => None,
    }
}

/// Returns a module whose kernel contains instructions without control flow, with tables.
pub fn module(body: &Body<'static>, code: &[Instruction]) -> Module<'static> {
    let mut module = Module::new(Format::V4_2);
    let mut kernel = Kernel::new("k");
    kernel.body = body.clone();
    module.kernels.push(kernel);
    let mut editor = module.edit(0).expect("legal code");
    editor.instructions = code.to_vec();
    editor.finish().expect("legal code");
    module
}

/// Returns the text of a kernel.
pub fn text_of(module: &Module<'_>) -> String {
    let routine = module.routines().next().expect("a kernel");
    Listing::new(routine).with_numbers(false).to_text().expect("legal code")
}

/// Returns the declarations and the instructions of a text.
pub fn divide(text: &str) -> (String, String) {
    let lines = text.lines().filter(|line| !line.trim().is_empty() && !line.starts_with("//"));
    let (statements, code): (Vec<&str>, Vec<&str>) = lines.partition(|line| line.starts_with('.'));
    let declarations = statements.into_iter().filter(|line| line.starts_with(".decl"));
    (declarations.collect::<Vec<_>>().join("\n"), code.join("\n"))
}

/// Returns the line of an instruction that refers to tables, if the compiler can compile it.
pub fn legal_line(body: &Body<'static>, instruction: &Instruction) -> Option<String> {
    let line = divide(&text_of(&module(body, &[*instruction]))).1;
    excluded(instruction, &line).is_none().then(|| line.trim().to_owned())
}

/// Returns the declarations for a platform, and edited lines without end. Different streams have different
/// lines.
pub fn edited_lines(platform: Platform, stream: u64) -> (String, impl Iterator<Item = String>) {
    const LINES: usize = 400;
    let legal = legal(Format::V4_2, platform);
    let (body, instructions) = (legal.declarations(), legal.instructions());
    let mut runner = runner(256, (seed() + stream) as usize);
    let mut instruction = || instructions.new_tree(&mut runner).expect("an instruction").current();
    let lines = std::iter::repeat_with(|| legal_line(body, &instruction())).flatten();
    let lines: Vec<String> = lines.take(LINES).collect();
    let pool = Pool::new(lines.iter().map(String::as_str));
    let mut rng = Rng::new(seed(), stream);
    let edited = (0..).map(move |number: usize| pool.edit(&lines[number % LINES], &mut rng));
    (divide(&text_of(&module(body, &[]))).0, edited)
}
