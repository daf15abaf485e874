//! Edited lines of every message and operation.

use genvisa::Format;
use genvisa::strategy::legal;
use genvisa::text::reformat;
use genvisa_test_support::genx_ir_today::Compiler;
use genvisa_test_support::legal_lines::{divide, legal_line, module, text_of};
use genvisa_test_support::parallel::parallel;
use genvisa_test_support::random::{cases, runner, seed};
use genvisa_test_support::rng::Rng;
use genvisa_test_support::same_code::{Case, PLATFORMS, VERSIONS, check};
use genvisa_test_support::tokens::Pool;
use proptest::strategy::{Strategy, ValueTree};

use super::classes::LINES;

/// Lines of instructions whose operands are not random, because they name labels and functions.
const FLOW: &[&str] = &[
    "jmp (M1, 1) after",
    "(predicate_0) jmp (M1, 1) before",
    "(!predicate_0.any) goto (M1, 16) after",
    "call (M1, 16) f",
    "(predicate_1) call (M1, 1) f",
    "ret (M1, 1)",
    "(predicate_2) ret (M1, 16)",
    "fret (M1, 16)",
    "switchjmp (M1, 1) ud_0(0,0)<0;1,0> (before, after)",
    "subroutine",
    "before2:",
    "lifetime.start ud_0",
    "lifetime.end ud_0",
    ".file \"a.cl\"",
    ".loc 3",
];

/// Three of four lines are edited this often, until this crate reads the line.
const TRIES: usize = 12;

/// Returns a text with a line, the labels `before` and `after` and the function `f`.
fn text(version: &str, declarations: &str, line: &str) -> String {
    format!(
        ".version {version}\n.kernel \"k\"\n{declarations}\n.kernel_attr Target=\"cm\"\n\
         before:\n{line}\nafter:\nret (M1, 1)\n\
         .function \"f\"\nf:\nadd (M1, 16) d_0(0,0)<1> d_0(0,0)<1;1,0> 0x1:d\nret (M1, 1)\n"
    )
}

/// Returns the declarations for a platform, and about `count` legal lines.
fn lines(platform: usize, count: usize) -> (String, Vec<String>) {
    let legal = legal(Format::V4_2, PLATFORMS[platform].1);
    let (body, instructions) = (legal.declarations(), legal.instructions());
    let mut runner = runner(256, seed() as usize + platform);
    let mut instruction = || instructions.new_tree(&mut runner).expect("an instruction").current();
    let lines = std::iter::repeat_with(|| legal_line(body, &instruction())).flatten();
    let lines = lines.take(count).chain(FLOW.iter().map(|line| (*line).into())).collect();
    (divide(&text_of(&module(body, &[]))).0, lines)
}

#[test]
#[ignore = "needs GenX_IR of IGC 2.40.14"]
fn edited_lines_have_the_code_of_what_is_printed() {
    let compiler = Compiler::required();
    let (seed, count) = (seed(), cases(300) as usize);
    let platforms: Vec<usize> = (0..PLATFORMS.len()).collect();
    let lines = parallel(&platforms, |platform| lines(*platform, count / PLATFORMS.len()));
    let pool = Pool::new(lines.iter().flat_map(|(_, lines)| lines).map(String::as_str));
    let numbers: Vec<usize> = (0..count).collect();
    let cases = parallel(&numbers, |number| {
        let mut rng = Rng::new(seed, *number as u64);
        let platform = number % PLATFORMS.len();
        let (declarations, lines) = &lines[platform];
        let line = &lines[number / PLATFORMS.len() % lines.len()];
        let version = rng.pick(&VERSIONS);
        let text = |line: &str| text(version, declarations, line);
        let mut edited = pool.edit(line, &mut rng);
        if !rng.one_in(4) {
            let is_read = |line: &str| reformat(text(line)).is_ok();
            let others = (0..TRIES).map(|_| pool.edit(line, &mut rng));
            edited = others.into_iter().find(|line| is_read(line)).unwrap_or(edited);
        }
        let what = format!("{version}: `{edited}`, which was `{line}`");
        Case { what, text: text(&edited), platform: PLATFORMS[platform] }
    });
    check(&compiler, &cases, &LINES);
}
