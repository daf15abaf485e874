//! Benchmarks of the checker of inline assembly on a header of 10,000 lines, compared with `grep`.
//!
//! The throughput is in bytes of the header.

#![allow(missing_docs)] // criterion_group! makes a public function

use std::fmt::Write;
use std::hint::black_box;
use std::process::Command;
use std::time::Duration;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use genvisa::Platform;
use genvisa_inline::source::{self, Language};
use genvisa_inline::{Checker, Lanes};

/// The lines of a function with a statement of three instructions.
const LINES_PER_FUNCTION: usize = 16;

/// Returns a header with a macro and many functions.
fn header(lines: usize) -> String {
    let mut text = String::from(
        "#pragma once\n#define ADD(dst, src) \"add (M1, 16) \" #dst \"(0,0)<1> \" #dst \"(0,0)<1;1,0> \" #src \"\\n\"\n",
    );
    for index in 0..lines / LINES_PER_FUNCTION {
        write!(
            text,
            "/// Adds three to {index} values, and stores the sum.\n\
             __attribute__((intel_reqd_sub_group_size(16)))\n\
             kernel void add_{index}(global int *p, global const int *q, int n) {{\n\
             \x20 int x = q[get_global_id(0)];\n\
             \x20 int y = 0;\n\
             \x20 if (n > {index}) {{\n\
             \x20   __asm__ volatile(\n\
             \x20     \"{{\\n\"\n\
             \x20     \".decl t v_type=G type=d num_elts=16 align=GRF\\n\" // a comment\n\
             \x20     \"mov (M1, 16) t(0,0)<1> %1(0,0)<1;1,0>\\n\"\n\
             \x20     ADD(t, {index}:d)\n\
             \x20     \"mul (M1, 16) %0(0,0)<1> t(0,0)<1;1,0> 0x3:d\\n}}\"\n\
             \x20     : \"=rw\"(y) : \"rw\"(x));\n\
             \x20 }}\n\
             \x20 p[get_global_id(0)] = y;\n\
             }}\n"
        )
        .expect("writing to a string");
    }
    text
}

/// Returns a header with 200 templates that use macros and template parameters, whose values are unknown.
fn generic_header(lines: usize) -> String {
    let mut text = String::from(
        "#pragma once\n#define NL \"\\n\"\n\
         #define MOVE(dst) \"mov (M1_NM, 16) \" dst \"(%3,0)<1> %1(0,0)<1;1,0>\" NL\n",
    );
    for index in 0..200 {
        write!(
            text,
            "template <typename T, int Width, int Row>\n\
             inline void move_{index}(T &x, long y) {{\n\
             \x20 asm volatile(\n\
             \x20   \"{{\" NL\n\
             \x20   \".decl A v_type=G type=d num_elts=64 align=GRF\" NL\n\
             \x20   \"lsc_load.ugm (M1, 1) A:d32x%2t flat[%1]:a64\" NL\n\
             \x20   MOVE(\"A\")\n\
             \x20   MOVE(\"%0\")\n\
             \x20   \"}}\" NL\n\
             \x20   : \"+rw\"(x) : \"rw\"(y), \"P\"(Width), \"P\"(Row));\n\
             }}\n"
        )
        .expect("writing to a string");
        for line in 11..lines / 200 {
            writeln!(text, "constexpr int constant_{index}_{line} = {line};")
                .expect("writing to a string");
        }
    }
    text
}

/// Checks the blocks of a file and returns the numbers of blocks and findings.
fn check(header: &str) -> (usize, usize) {
    let found = source::find(header.as_bytes(), Language::C);
    let checker = Checker::new().with_platform(Platform::Xe2).with_lanes(Lanes::L16);
    let reports = found
        .blocks
        .iter()
        .map(|block| block.check(&checker).unwrap_or_else(|| panic!("{:?}", block.content)));
    let (mut blocks, mut findings) = (0, 0);
    for report in reports {
        blocks += 1;
        findings += report.findings.len();
    }
    (blocks, findings)
}

fn inline(c: &mut Criterion) {
    let header = header(10_000);
    assert_eq!(check(&header), (10_000 / LINES_PER_FUNCTION, 0));
    let generic = generic_header(10_000);
    assert_eq!(check(&generic).0, 200);
    let file = tempfile::NamedTempFile::with_suffix(".cl").expect("a temporary file");
    std::fs::write(file.path(), &header).expect("writing the header");
    let mut group = c.benchmark_group("inline, 10,000 lines");
    group.throughput(Throughput::Bytes(header.len() as u64));
    group.bench_function("find", |b| {
        b.iter(|| source::find(black_box(header.as_bytes()), Language::C).blocks.len());
    });
    group.bench_function("find and check", |b| b.iter(|| check(black_box(&header))));
    group.bench_function("find and check, unknown constants", |b| {
        b.iter(|| check(black_box(&generic)));
    });
    // This includes the start of a process.
    group.bench_function("baseline: grep -c asm", |b| {
        b.iter(|| {
            Command::new("grep").args(["-c", "asm"]).arg(file.path()).output().map(|o| o.stdout)
        });
    });
    group.finish();
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(20).measurement_time(Duration::from_secs(2))
        .warm_up_time(Duration::from_millis(500));
    targets = inline
}
criterion_main!(benches);
