//! Estimated registers, compared with those that the finalizer allocates.
//!
//! The head of the machine code lists the registers of each variable, the name of the allocator and the
//! bytes that it spills. Only allocators that colour a graph take few registers; the others, which run
//! first, use all of them in turn.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::fs;

use genvisa::RegisterSize;
use genvisa::analysis::Analysis;
use genvisa::text::{format_of, parse};
use genvisa_test_support::ocloc::{Ocloc, Verdict};
use genvisa_test_support::parallel::parallel;

use super::pressure::correlation;

/// The registers of a thread. No device here has more without an option.
const REGISTERS: u32 = 128;

struct Job {
    name: String,
    source: String,
    device: &'static str,
    registers: RegisterSize,
}

/// What the finalizer did with a kernel, and the estimate.
struct Allocation {
    colours_graph: bool,
    /// The registers that have variables; with spills, those that it lacked, too.
    needed: u32,
    spills: bool,
    estimated: u32,
}

/// Returns a product of matrices that computes a block of a number of rows and columns.
fn product(rows: usize, columns: usize) -> String {
    let mut body = String::from("int i = get_global_id(0), j = get_global_id(1);\n");
    let all = || (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column)));
    for (row, column) in all() {
        let _ = writeln!(body, "float c{row}_{column} = 0;");
    }
    body += "for (int k = 0; k < n; k++) {\n";
    for row in 0..rows {
        let _ = writeln!(body, "float a{row} = a[(i * {rows} + {row}) * n + k];");
    }
    for column in 0..columns {
        let _ = writeln!(body, "float b{column} = b[k * n + j * {columns} + {column}];");
    }
    for (row, column) in all() {
        let _ = writeln!(body, "c{row}_{column} = fma(a{row}, b{column}, c{row}_{column});");
    }
    body += "}\n";
    for (row, column) in all() {
        let _ = writeln!(body, "c[(i * {rows} + {row}) * n + j + {column}] = c{row}_{column};");
    }
    format!("(global float *a, global float *b, global float *c, int n) {{\n{body}}}\n")
}

/// Returns a loop that passes a number of values on in a ring.
fn ring(count: usize) -> String {
    let mut body = String::from("int i = get_global_id(0);\n");
    for at in 0..count {
        let _ = writeln!(body, "float x{at} = a[i * {count} + {at}];");
    }
    body += "for (int k = 0; k < n; k++) {\nfloat first = x0;\n";
    for at in 0..count {
        let next = if at + 1 < count { format!("x{}", at + 1) } else { "first".into() };
        let _ = writeln!(body, "x{at} = fma(x{at}, {next}, b[k]);");
    }
    body += "}\n";
    for at in 0..count {
        let _ = writeln!(body, "c[i * {count} + {at}] = x{at};");
    }
    format!("(global float *a, global float *b, global float *c, int n) {{\n{body}}}\n")
}

fn jobs() -> Vec<Job> {
    let shapes = [(2, 2), (3, 3), (4, 4), (4, 6), (5, 6), (6, 6), (6, 8), (7, 8), (8, 8), (8, 10)];
    let products = shapes.map(|(m, n)| (format!("product {m} x {n}"), product(m, n)));
    let rings = [8, 16, 24, 32, 40, 44, 48, 52, 56, 60, 64, 72, 80, 96, 112]
        .map(|count| (format!("ring of {count}"), ring(count)));
    let kernels: Vec<_> = products.into_iter().chain(rings).collect();
    let machines = [
        ("bmg", RegisterSize::Bytes64, 16),
        ("bmg", RegisterSize::Bytes64, 32),
        ("dg2", RegisterSize::Bytes32, 8),
        ("dg2", RegisterSize::Bytes32, 16),
    ];
    let on = |(device, registers, lanes)| {
        kernels.iter().map(move |(name, rest)| Job {
            name: format!("{name}, {device}, {lanes} lanes"),
            source: format!(
                "__attribute__((intel_reqd_sub_group_size({lanes}))) kernel void k{rest}"
            ),
            device,
            registers,
        })
    };
    machines.into_iter().flat_map(on).collect()
}

/// Returns the number after a word of the machine code.
fn number(code: &str, word: &str) -> Option<u32> {
    let (_, rest) = code.split_once(word)?;
    rest.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok()
}

/// Returns the registers that have declared variables.
fn allocated(code: &str, register: u32) -> BTreeSet<u32> {
    let mut registers = BTreeSet::new();
    for line in code.lines().filter(|line| line.starts_with("//.declare ")) {
        let is_other = ["Builtin", "alias=", "%"].iter().any(|word| line.contains(word));
        let place = line.split_once("(r").and_then(|(_, place)| place.split('.').next());
        let first: Option<u32> = place.and_then(|first| first.parse().ok());
        if let (false, Some(first), Some(size)) = (is_other, first, number(line, "size=")) {
            registers.extend(first..first + size.div_ceil(register));
        }
    }
    registers
}

fn allocation(compiler: &Ocloc, job: &Job) -> Option<Allocation> {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let verdict = compiler.compile_with(folder.path(), &job.source, job.device, "");
    assert_eq!(verdict, Verdict::Accepted, "{}", job.name);
    // With spills, the compiler tries again, and the last name is that of the result.
    let files = fs::read_dir(folder.path()).expect("a folder").flatten().map(|file| file.path());
    let mut files: Vec<_> =
        files.filter(|path| path.extension().is_some_and(|e| e == "asm")).collect();
    files.sort();
    let file = files.pop()?;
    let code = fs::read_to_string(&file).expect("text");
    let text = fs::read_to_string(file.with_extension("visaasm")).expect("a text beside it");
    let module = parse(&text, format_of(&text)).expect("legal text");
    let analysis = Analysis::new(&module.routines().next()?, job.registers).expect("valid");
    let (_, peak) = analysis.liveness.peak()?;
    let spilled = number(&code, "//.spill size ").unwrap_or(0);
    let needed = match spilled {
        0 => allocated(&code, job.registers.bytes()).len() as u32,
        _ => REGISTERS + spilled.div_ceil(job.registers.bytes()),
    };
    let (_, allocator) = code.split_once("//.RA type")?;
    Some(Allocation {
        colours_graph: allocator.lines().next()?.contains("GRAPH_COLORING"),
        needed,
        spills: spilled != 0,
        estimated: peak.estimated_registers(),
    })
}

#[test]
#[ignore = "needs ocloc of IGC 2.40.14"]
fn the_finalizer_needs_the_estimated_registers() {
    let compiler = Ocloc::required();
    let jobs = jobs();
    let all: Vec<Allocation> =
        parallel(&jobs, |job| allocation(&compiler, job)).into_iter().flatten().collect();
    assert_eq!(all.len(), jobs.len());
    let coloured: Vec<&Allocation> = all.iter().filter(|kernel| kernel.colours_graph).collect();
    let error = |kernel: &&Allocation| {
        f64::from(kernel.needed.abs_diff(kernel.estimated)) / f64::from(kernel.needed)
    };
    let mut errors: Vec<f64> = coloured.iter().map(error).collect();
    errors.sort_by(f64::total_cmp);
    let median = errors[errors.len() / 2];
    let (needed, estimated): (Vec<u32>, Vec<u32>) =
        coloured.iter().map(|kernel| (kernel.needed, kernel.estimated)).unzip();
    let correlation = correlation(&needed, &estimated);
    let signs: Vec<&Allocation> =
        all.iter().filter(|kernel| kernel.estimated > REGISTERS).collect();
    let right = signs.iter().filter(|kernel| kernel.spills).count();
    let spills = all.iter().filter(|kernel| kernel.spills).count();
    eprintln!(
        "{} of {} kernels are coloured: median error {median:.3}, rank correlation {correlation:.3}; \
         {right} of {} with a sign of spills spill; {spills} spill",
        coloured.len(),
        all.len(),
        signs.len()
    );
    assert!(coloured.len() > 20);
    assert!(median < 0.15, "{median}");
    assert!(correlation > 0.85, "{correlation}");
    assert!(right * 10 >= signs.len() * 9, "{right} of {}", signs.len());
    assert!(right * 10 >= spills * 8, "{right} of {spills}");
}
