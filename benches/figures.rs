//! The figures of `benches/README.md`, beside their yardsticks, as a table.
//!
//! Each figure and its yardstick run alternately on one thread. The table has the medians of the
//! rounds. The input is the `.isa` files in the folder `GENVISA_CORPUS`, or copies of a test file if
//! that is not set, and the `.visaasm` files in the folder `GENVISA_DUMPS`. Arguments:
//!
//! - `--rows parse,decode` measures only the rows whose names begin with one of these words.
//! - `--tsv` prints the rows separated by tabs.
//! - `--merge` measures nothing. It reads rows that `--tsv` printed, with `before` or `after` and a
//!   tab before each, and prints a table of their medians.

mod corpus;
mod streams;
mod texts;
mod wat;
mod x86;

use std::collections::BTreeMap;
use std::hint::black_box;
use std::time::{Duration, Instant};

use genvisa::Platform;
use genvisa::build::Builder;
use genvisa::isa::Mov;
use genvisa::object::{Code, RoutineEditor};
use genvisa::operand::Imm;
use genvisa::text::{self, Style};
use genvisa::verify::Verifier;
use genvisa::{Dialect, Instruction, Module};
use streams::Numbers;
use texts::{Text, Texts};

const MEGABYTE: usize = 1_000_000;
const ROUNDS: usize = 11;
/// Texts of this size or more are measured in fewer rounds.
const LARGE: usize = 50 * MEGABYTE;
const ROUNDS_OF_LARGE: usize = 3;
/// The shortest time of a round. A function that is faster runs several times.
const SLICE: Duration = Duration::from_millis(20);

/// The pass over the text that is nearest to lexing: the parser has no separate lexer. This one
/// finds comments, strings and the starts of statements.
fn lex(text: &str) {
    black_box(text::format_of(black_box(text)));
}

/// Returns the median of some numbers.
fn median(mut numbers: Vec<f64>) -> f64 {
    numbers.sort_by(f64::total_cmp);
    numbers[numbers.len() / 2]
}

/// Measures two functions alternately and returns their median times in nanoseconds.
fn alternate(rounds: usize, mut figure: impl FnMut(), mut yardstick: impl FnMut()) -> [f64; 2] {
    let functions: [&mut dyn FnMut(); 2] = [&mut figure, &mut yardstick];
    let mut measured = functions.map(|function| {
        let start = Instant::now();
        function();
        let repeats = SLICE.as_nanos() / start.elapsed().as_nanos().max(1) + 1;
        (function, repeats, Vec::new())
    });
    for _ in 0..rounds {
        for (function, repeats, times) in &mut measured {
            let start = Instant::now();
            (0..*repeats).for_each(|_| function());
            times.push(start.elapsed().as_nanos() as f64 / *repeats as f64);
        }
    }
    measured.map(|(_, _, times)| median(times))
}

/// The arguments.
struct Options {
    /// Beginnings of the names of rows; all rows if there are none.
    rows: Vec<String>,
    tsv: bool,
}

impl Options {
    fn selects(&self, name: &str) -> bool {
        self.rows.is_empty() || self.rows.iter().any(|row| name.starts_with(&**row))
    }

    /// Prints a row. The values are nanoseconds per unit.
    fn print(&self, name: &str, unit: &str, yardstick: &str, values: [f64; 2], target: &str) {
        let [value, other] = values;
        if self.tsv {
            println!("{name}\t{unit}\t{value}\t{yardstick}\t{other}\t{target}");
        } else {
            let ratio = value / other;
            println!(
                "| {name} | ns/{unit} | {value:.2} | {yardstick} | {other:.2} | {ratio:.2} | {target} |"
            );
        }
    }
}

/// Measures parsing to a module. `wast` encodes its module, because parsing encodes instructions.
fn parse(options: &Options, name: &str, texts: &Texts) {
    let bytes: usize = texts.iter().map(|(text, _)| text.len()).sum();
    let wat = wat::text(bytes);
    let rounds = if bytes < LARGE { ROUNDS } else { ROUNDS_OF_LARGE };
    let parse = |(text, format): &Text| {
        black_box(text::parse(black_box(text), *format).expect("correct text"));
    };
    let times = alternate(
        rounds,
        || texts.iter().for_each(parse),
        || {
            black_box(wat::assemble(&wat));
        },
    );
    let values = [times[0] / bytes as f64, times[1] / wat.len() as f64];
    options.print(name, "byte", "`wast`", values, "7 ns, 0.33");
}

/// Measures a pass over texts, compared with counting their newlines.
fn scan(options: &Options, name: &str, texts: &Texts, function: fn(&str)) {
    let bytes: usize = texts.iter().map(|(text, _)| text.len()).sum();
    let times = alternate(
        ROUNDS,
        || texts.iter().for_each(|(text, _)| function(text)),
        || {
            for (text, _) in texts {
                black_box(memchr::memchr_iter(b'\n', black_box(text.as_bytes())).count());
            }
        },
    );
    options.print(name, "byte", "`memchr`", times.map(|time| time / bytes as f64), "");
}

fn text_rows(options: &Options, files: &[Vec<u8>]) {
    let complete = texts::complete(files);
    if options.selects("parse corpus") {
        parse(options, "parse corpus", &complete);
    }
    if options.selects("parse dumps") {
        match texts::dumps() {
            Some(dumps) => parse(options, "parse dumps", &dumps),
            None => eprintln!("parse dumps: skipped, GENVISA_DUMPS is not set"),
        }
    }
    let file = corpus::small_file();
    let one = Module::from_bytes(&file, Dialect::Igc2022).expect("an object");
    for size in [1, 10, 100] {
        let name = format!("parse {size} MB");
        if options.selects(&name) {
            let copies = (size * MEGABYTE).div_ceil(texts::text_of(&one).0.len());
            parse(options, &name, &vec![texts::text_of(&corpus::copies(&one, copies))]);
        }
    }
    if options.selects("lex") {
        scan(options, "lex (`format_of`)", &complete, lex);
    }
}

/// Measures verifying without decoding.
fn verify(options: &Options, modules: &[Module<'_>]) {
    let count: u64 = modules.iter().map(corpus::decode).sum();
    // The verifier decodes the instructions.
    let verifier = Verifier::new().with_platform(Platform::Skl);
    let [both, decode] = alternate(
        ROUNDS,
        || modules.iter().for_each(|module| drop(black_box(verifier.check_module(module)))),
        || {
            black_box(modules.iter().map(corpus::decode).sum::<u64>());
        },
    );
    let values = [both - decode, decode].map(|time| time / count as f64);
    options.print("verify", "instruction", "decode", values, "1.0");
}

/// Measures the codec. The yardstick is iced-x86 on the code of this program.
fn codec_rows(options: &Options) {
    let mut n = Numbers(7);
    let (in_order, shuffled) = match corpus::real_files() {
        Some(files) => {
            let streams = streams::code_of(&files);
            let shuffled = streams::shuffled(&streams, &mut n);
            (streams, shuffled)
        }
        None => {
            let [repeating, drawn] = streams::generated(&mut n);
            (vec![repeating], vec![drawn])
        }
    };
    let code = x86::code();
    let x86_decoded = x86::decoded(&code);
    let (mut buffer, mut x86_buffer) = (Vec::new(), Vec::new());
    for (order, streams) in [("", &in_order), (" shuffled", &shuffled)] {
        let decoded = streams::decoded(streams);
        let count: usize = decoded.iter().map(|(_, instructions)| instructions.len()).sum();
        let row = |name: &str, yardstick, target, functions: [&mut dyn FnMut(); 2]| {
            let name = format!("{name}{order}");
            if options.selects(&name) {
                let [figure, other] = functions;
                let [figure, other] = alternate(ROUNDS, figure, other);
                let values = [figure / count as f64, other / x86_decoded.len() as f64];
                options.print(&name, "instruction", yardstick, values, target);
            }
        };
        row(
            "decode",
            "iced-x86 decode",
            "1.0",
            [&mut || streams::decode(streams), &mut || x86::decode(&code)],
        );
        row(
            "skip",
            "iced-x86 decode",
            "0.6",
            [&mut || streams::skip(streams), &mut || x86::decode(&code)],
        );
        let encode = &mut || streams::encode(&decoded, &mut buffer);
        let x86_encode = &mut || x86::encode(&x86_decoded, &mut x86_buffer);
        row("encode", "iced-x86 encode", "0.5", [encode, x86_encode]);
    }
}

/// Measures editing of each routine: reading it into an editor, inserting an instruction at the start of
/// each block, and writing it back; then writing the file. The yardstick is decoding and encoding.
fn edit(options: &Options, modules: &[Module<'_>]) {
    let count: u64 = modules.iter().map(corpus::decode).sum();
    let inserted = Mov { src0: Imm::ud(7).into(), ..Mov::default() };
    let with_editors = |insert: fn(&mut RoutineEditor<'_, '_>, Mov)| {
        for module in modules {
            let mut module = module.clone();
            for routine in 0..module.routines().count() {
                let mut editor = module.edit(routine).expect("legal code");
                insert(&mut editor, inserted);
                editor.finish().expect("legal code");
            }
            black_box(module.to_bytes().expect("legal code"));
        }
    };
    let decode_and_encode = || {
        for routine in modules.iter().flat_map(Module::routines) {
            let instructions = routine.instructions().map(|item| item.expect("legal code").1);
            let instructions: Vec<Instruction> = instructions.collect();
            black_box(Code::from_instructions(&instructions, routine.format()).expect("legal"));
        }
    };
    type Insert = fn(&mut RoutineEditor<'_, '_>, Mov);
    let rows: [(&str, Insert); 3] = [
        ("edit nothing", |_, _| {}),
        ("edit, `Vec`", |editor, inserted| {
            editor.rewrite(|one, out| {
                out.push(one);
                if matches!(one, Instruction::Label(_)) {
                    out.push(inserted.into());
                }
            });
        }),
        ("edit, `build`", |editor, inserted| {
            let labels = editor.instructions.iter().enumerate();
            let labels = labels.filter(|(_, one)| matches!(one, Instruction::Label(_)));
            let places: Vec<usize> = labels.map(|(index, _)| index + 1).collect();
            let build = |k: &mut Builder| {
                for (before, place) in places.into_iter().enumerate() {
                    k.set_position(place + before).push(inserted);
                }
            };
            editor.build(build).expect("legal code");
        }),
    ];
    for (name, insert) in rows {
        if options.selects(name) {
            let times = alternate(ROUNDS, || with_editors(insert), decode_and_encode);
            let values = times.map(|time| time / count as f64);
            options.print(name, "instruction", "decode and encode", values, "");
        }
    }
}

/// Measures printing in the complete style.
fn print(options: &Options, modules: &[Module<'_>]) {
    let code = x86::code();
    let mut formatter = iced_x86::FastFormatter::new();
    let bytes = texts::print(modules, Style::Complete);
    let x86_bytes = x86::print(&code, &mut formatter);
    let times = alternate(
        ROUNDS,
        || {
            black_box(texts::print(modules, Style::Complete));
        },
        || {
            black_box(x86::print(&code, &mut formatter));
        },
    );
    let values = [times[0] / bytes as f64, times[1] / x86_bytes as f64];
    options.print("print complete", "byte", "iced-x86 fast formatter", values, "2 ns");
}

/// Rows with the same name.
#[derive(Default)]
struct Merged<'a> {
    fields: Vec<&'a str>,
    /// The values of the figure and of the yardstick, and their ratios, of `before` and `after`.
    values: [[Vec<f64>; 3]; 2],
}

/// Prints the table of before and after.
fn merge(input: &str) {
    let (mut names, mut rows) = (Vec::new(), BTreeMap::<&str, Merged<'_>>::new());
    for line in input.lines() {
        let fields: Vec<&str> = line.split('\t').collect();
        let [side, name, _, value, _, other, _] = fields[..] else { panic!("{line}") };
        let row = rows.entry(name).or_insert_with(|| {
            names.push(name);
            Merged::default()
        });
        let number = |text: &str| text.parse::<f64>().expect("a number");
        let (value, other) = (number(value), number(other));
        let values = &mut row.values[usize::from(side == "after")];
        values.iter_mut().zip([value, other, value / other]).for_each(|(v, n)| v.push(n));
        row.fields = fields;
    }
    println!(
        "| Figure | Unit | Before | After | Yardstick | Before | After | Ratio before | Ratio after | Target |"
    );
    println!("|---|---|---|---|---|---|---|---|---|---|");
    for name in names {
        let Merged { fields, values } = rows.remove(name).expect("a row");
        let [unit, yardstick, target] = [fields[2], fields[4], fields[6]];
        // A row that one side does not have is empty there.
        let text = |numbers: Vec<f64>| match numbers.is_empty() {
            true => String::new(),
            false => format!("{:.2}", median(numbers)),
        };
        let [[before, other_before, ratio_before], [after, other_after, ratio_after]] =
            values.map(|side| side.map(text));
        println!(
            "| {name} | ns/{unit} | {before} | {after} | {yardstick} | {other_before} | {other_after} | {ratio_before} | {ratio_after} | {target} |"
        );
    }
}

fn main() {
    let mut options = Options { rows: Vec::new(), tsv: false };
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match &*argument {
            "--rows" => {
                let rows = arguments.next().expect("names of rows, separated by commas");
                options.rows = rows.split(',').map(String::from).collect();
            }
            "--tsv" => options.tsv = true,
            "--merge" => {
                return merge(&std::io::read_to_string(std::io::stdin()).expect("UTF-8"));
            }
            "--bench" => {} // from `cargo bench`
            _ => panic!("unknown argument `{argument}`"),
        }
    }
    if !options.tsv {
        println!("| Figure | Unit | Value | Yardstick | Its value | Ratio | Target |");
        println!("|---|---|---|---|---|---|---|");
    }
    let files = corpus::files();
    text_rows(&options, &files);
    let module = |file| Module::from_bytes(file, Dialect::Igc2022).expect("an object");
    let modules: Vec<Module<'_>> = files.iter().map(|file| module(file)).collect();
    if options.selects("verify") {
        verify(&options, &modules);
    }
    codec_rows(&options);
    edit(&options, &modules);
    if options.selects("print") {
        print(&options, &modules);
    }
}
