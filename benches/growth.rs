//! Checks that the cost is linear in the size of the input, with files of 1, 10 and 100 MB.
//!
//! The files consist of copies of a file of `GENVISA_CORPUS`, or of a test file. Then, single routines of up to
//! 200,000 instructions are analysed. The benchmark prints tables in which the numbers of a column should be
//! similar.

mod corpus;
mod routines;

use std::hint::black_box;
use std::time::Instant;

use genvisa::RegisterSize;
use genvisa::analysis::Analysis;
use genvisa::operand::StringId;
use genvisa::text::{self, FileListing, ParseOptions};
use genvisa::verify::Verifier;
use genvisa::{Dialect, Module};
use genvisa_diff::Differ;
use routines::Much;

const MEGABYTE: usize = 1 << 20;

/// Returns the time of the best of three runs, in nanoseconds per byte.
fn best(bytes: usize, mut run: impl FnMut()) -> f64 {
    let times = (0..3).map(|_| {
        let start = Instant::now();
        run();
        start.elapsed().as_nanos() as f64 / bytes as f64
    });
    times.fold(f64::INFINITY, f64::min)
}

/// Returns a copy in which every variable has another name.
fn renamed<'a>(module: &Module<'a>) -> Module<'a> {
    let mut module = module.clone();
    for kernel in &mut module.kernels {
        for (index, variable) in kernel.body.variables.iter_mut().enumerate() {
            variable.name = StringId(kernel.body.strings.len() as u32);
            kernel.body.strings.push(format!("renamed{index}").as_str().into());
        }
    }
    module
}

fn main() {
    let source = corpus::small_file();
    let one = Module::from_bytes(&source, Dialect::Igc2022).expect("an object");
    println!("ns per byte, for copies of a file of {} bytes", source.len());
    println!(
        "{:>10} {:>8} {:>8} {:>8} {:>8} {:>8} {:>8} {:>8} {:>8}",
        "MB", "open", "decode", "write", "verify", "analyse", "diff", "print", "assemble"
    );
    for size in [1, 10, 100] {
        let copies = corpus::copies(&one, (size * MEGABYTE).div_ceil(source.len()));
        let file = copies.to_bytes().expect("an encodable module");
        let module = Module::from_bytes(&file, Dialect::Igc2022).expect("an object");
        let per_byte = |run: &mut dyn FnMut()| best(file.len(), run);
        let open = per_byte(&mut || drop(black_box(Module::from_bytes(&file, Dialect::Igc2022))));
        let decoded = per_byte(&mut || {
            black_box(corpus::decode(&module));
        });
        let written = per_byte(&mut || drop(black_box(module.to_bytes())));
        let verified = per_byte(&mut || drop(black_box(Verifier::new().check_module(&module))));
        let analysed = per_byte(&mut || {
            for routine in module.routines() {
                let _ = black_box(Analysis::new(&routine, RegisterSize::Bytes32));
            }
        });
        let renamed = renamed(&module);
        let differ = Differ::new();
        let compared = per_byte(&mut || drop(black_box(differ.modules(&module, &renamed))));
        drop(renamed);
        let mut printed = String::new();
        let printing = per_byte(&mut || {
            printed.clear();
            FileListing::new(&module).write_to(&mut printed).expect("legal code");
        });
        let assembled = per_byte(&mut || drop(black_box(text::parse(&printed, module.format))));
        println!(
            "{:>10.1} {open:>8.2} {decoded:>8.2} {written:>8.2} {verified:>8.2} {analysed:>8.2} {compared:>8.2} {printing:>8.2} {assembled:>8.2}",
            file.len() as f64 / MEGABYTE as f64
        );
    }
    one_routine();
}

/// Analyses single routines that grow.
fn one_routine() {
    println!("\nns per instruction of the analysis, for one routine with much of one thing");
    print!("{:>12}", "instructions");
    Much::ALL.iter().for_each(|much| print!(" {:>11}", format!("{much:?}")));
    println!();
    for size in [2_000, 20_000, 200_000] {
        print!("{size:>12}");
        for much in Much::ALL {
            let module = text::parse(much.text(size), ParseOptions::new()).expect("a legal text");
            let routine = module.routines().next().expect("a routine");
            let count = routine.boundaries().count();
            let time =
                best(count, || drop(black_box(Analysis::new(&routine, RegisterSize::Bytes64))));
            print!(" {time:>11.0}");
        }
        println!();
    }
}
