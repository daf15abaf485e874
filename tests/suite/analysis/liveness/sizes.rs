//! Large routines: the time is almost linear in their size.

use genvisa::Format;
use genvisa::analysis::{Analysis, RegisterSize};
use genvisa::text::parse;

fn analyse(declarations: &str, lines: &str) -> Analysis {
    let text = format!(
        ".version 4.2\n.kernel \"k\"\n{declarations}.decl p v_type=P num_elts=16\n\
         .function \"main\"\nmain:\n{lines}ret (M1, 1)\n"
    );
    let module = parse(&text, Format::V4_2).unwrap_or_else(|errors| panic!("{}", errors[0]));
    let routine = module.routines().next().expect("a routine");
    Analysis::new(&routine, RegisterSize::Bytes32).expect("legal code")
}

fn lines(count: usize, line: impl Fn(usize) -> String) -> String {
    (0..count).map(line).collect()
}

fn variables(count: usize) -> String {
    lines(count, |n| format!(".decl x{n} v_type=G type=d num_elts=1 align=dword\n"))
}

#[test]
fn many_variables_live_through_many_blocks() {
    const COUNT: usize = 3000;
    let analysis = analyse(
        &variables(COUNT),
        &(lines(COUNT, |n| format!("mov (M1, 1) x{n}(0,0)<1> 0x1:d\n"))
            + &lines(3000, |n| format!("l{n}:\n"))
            + &lines(COUNT, |n| format!("mov (M1, 1) x0(0,0)<1> x{n}(0,0)<0;1,0>\n"))),
    );
    assert_eq!(analysis.liveness.pressure()[1 + COUNT].bytes as usize, 4 * COUNT);
}

#[test]
fn nested_loops() {
    const DEPTH: usize = 5000;
    let analysis = analyse(
        &variables(2),
        &("mov (M1, 1) x0(0,0)<1> 0x1:d\n".to_owned()
            + &lines(DEPTH, |n| format!("l{n}:\n"))
            + "mov (M1, 1) x1(0,0)<1> x0(0,0)<0;1,0>\n"
            + &lines(DEPTH, |n| format!("(p) goto (M1, 16) l{}\n", DEPTH - 1 - n))),
    );
    // The value is read again in the next iteration of each loop.
    let count = analysis.instructions.len();
    let ranges: Vec<_> = analysis.liveness.ranges(variable(0)).collect();
    assert_eq!((ranges.len(), &ranges[0]), (1, &(2..count - 1)));
}

#[test]
fn nested_branches() {
    const DEPTH: usize = 5000;
    let analysis = analyse(
        &variables(2),
        &("mov (M1, 1) x0(0,0)<1> 0x1:d\n".to_owned()
            + &lines(DEPTH, |n| format!("(p) goto (M1, 16) l{n}\n"))
            + "mov (M1, 1) x1(0,0)<1> 0x2:d\n"
            + &lines(DEPTH, |n| format!("l{}:\n", DEPTH - 1 - n))
            + "mov (M1, 1) x1(0,0)<1> x0(0,0)<0;1,0>\n"),
    );
    let count = analysis.instructions.len();
    let ranges: Vec<_> = analysis.liveness.ranges(variable(0)).collect();
    assert_eq!((ranges.len(), &ranges[0]), (1, &(2..count - 1)));
}

#[test]
fn a_variable_with_many_accesses() {
    const ACCESSES: usize = 10_000;
    let analysis = analyse(
        ".decl x0 v_type=G type=d num_elts=256 align=wordx32\n",
        &lines(ACCESSES, |n| {
            let (row, column) = (n / 8 % 32, n % 8);
            format!("add (M1, 1) x0({row},{column})<1> x0({row},{column})<0;1,0> 0x1:d\nl{n}:\n")
        }),
    );
    // Each element is read again after 512 instructions.
    let pressure = analysis.liveness.pressure();
    assert_eq!((pressure[1].bytes, pressure[ACCESSES].bytes), (0, 1024));
}

#[test]
fn the_largest_variable() {
    let analysis = analyse(
        ".decl x0 v_type=G type=uq num_elts=65535 align=wordx32\n",
        &lines(1000, |n| {
            format!("add (M1, 16) x0({},0)<1> x0(0,0)<1;1,0> 0x1:d\nl{n}:\n", n % 250)
        }),
    );
    assert!(analysis.liveness.peak().expect("instructions").1.bytes <= 16384);
}

/// Text may state sizes that no file can have.
#[test]
fn an_alias_of_a_variable_of_gigabytes() {
    let analysis = analyse(
        ".decl x0 v_type=G type=uq num_elts=2147483647 align=wordx32
         .decl x1 v_type=G type=uq num_elts=2147483647 align=wordx32 alias=<x0, 8>
",
        "lifetime.start x1
mov (M1, 1) x1(0,0)<1> 0x1:d
mov (M1, 1) x1(0,1)<1> x1(0,0)<0;1,0>
",
    );
    let pressure = analysis.liveness.pressure();
    let bytes: Vec<u32> = pressure.iter().map(|pressure| pressure.bytes).collect();
    assert!(bytes.contains(&8), "{bytes:?}");
}

fn variable(number: u32) -> genvisa::isa::Id {
    genvisa::operand::VarId(genvisa::operand::VarId::FIRST_DECLARED.0 + number).into()
}
