//! Large routines: the time is almost linear in their size.

use genvisa::Format;
use genvisa::RegisterSize;
use genvisa::analysis::Analysis;
use genvisa::text::parse;

fn analyse(declarations: &str, lines: &str) -> Analysis {
    let module = parse(text(declarations, lines), Format::V4_2)
        .unwrap_or_else(|errors| panic!("{}", errors[0]));
    let routine = module.routines().next().expect("a routine");
    Analysis::new(&routine, RegisterSize::Bytes32).expect("legal code")
}

fn text(declarations: &str, lines: &str) -> String {
    format!(
        ".version 4.2\n.kernel \"k\"\n{declarations}.decl p v_type=P num_elts=16\n\
         .function \"main\"\nmain:\n{lines}ret (M1, 1)\n"
    )
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
    assert_eq!(analysis.liveness.peak().expect("instructions").1.bytes, 16 * 8);
}

/// Each address variable may contain the addresses of all variables.
#[test]
fn many_indirect_writes_to_many_variables() {
    const COUNT: usize = 4000;
    let analysis = analyse(
        &(variables(COUNT) + ".decl a0 v_type=A num_elts=1\n"),
        &(lines(COUNT, |n| format!("addr_add (M1, 1) a0(0)<1> &x{n} 0x0:uw\n"))
            + &lines(COUNT, |_| "mov (M1, 1) r[a0(0),0]<1>:d 0x1:d\n".to_owned())
            + &lines(COUNT, |n| format!("mov (M1, 1) x0(0,0)<1> x{n}(0,0)<0;1,0>\n"))),
    );
    // Every variable may have a value from the first indirect write.
    let bytes = |at: usize| analysis.liveness.pressure()[at].bytes as usize;
    assert_eq!([bytes(1 + COUNT), bytes(2 + COUNT)], [0, 4 * COUNT]);
}

#[test]
fn indirect_accesses_to_many_variables_in_many_blocks() {
    const COUNT: usize = 3000;
    let analysis = analyse(
        &(variables(COUNT) + ".decl a0 v_type=A num_elts=1\n"),
        &(lines(COUNT, |n| format!("addr_add (M1, 1) a0(0)<1> &x{n} 0x0:uw\n"))
            + &lines(COUNT, |n| {
                format!(
                    "mov (M1, 1) r[a0(0),0]<1>:d 0x1:d\n\
                     mov (M1, 1) x0(0,0)<1> r[a0(0),0]<0;1,0>:d\nl{n}:\n"
                )
            })),
    );
    // Every variable may have a value from the first indirect write up to the last indirect read.
    let bytes = |at: usize| analysis.liveness.pressure()[at].bytes as usize;
    let last_read = 1 + COUNT + 3 * COUNT - 2;
    assert_eq!([bytes(1 + COUNT), bytes(2 + COUNT)], [0, 4 * COUNT]);
    assert_eq!([bytes(last_read), bytes(last_read + 1)], [4 * COUNT, 0]);
}

/// The definitions, if some variables are accessed in more than 64 parts.
#[test]
fn direct_and_indirect_accesses_to_many_elements() {
    let declarations = lines(20, |n| {
        format!(
            ".decl x{n} v_type=G type=d num_elts={} align=wordx32\n",
            if n == 7 { 80 } else { 8 }
        )
    }) + &lines(2, |n| format!(".decl a{n} v_type=A num_elts=1\n"));
    let element = |n: usize, of: usize| format!("x{n}({},{})", of / 8, of % 8);
    let code = lines(20, |n| format!("addr_add (M1, 1) a{}(0)<1> &x{n} 0x0:uw\n", n % 3 / 2))
        + &lines(6, |n| {
            let writes = lines(24, |of| {
                let (x, of) =
                    if of < 12 { (7, (of * 7 + n * 13) % 80) } else { (of - 6, (of + n) % 8) };
                format!("mov (M1, 1) {}<1> 0x1:d\n", element(x, of))
            });
            let reads = lines(24, |of| {
                let (x, of) =
                    if of < 12 { (7, (of * 5 + n * 11) % 80) } else { (of - 8, (of + n) % 8) };
                format!("mov (M1, 1) x19(0,0)<1> {}<0;1,0>\n", element(x, of))
            });
            format!(
                "l{n}:\n{writes}mov (M1, 1) r[a{}(0),0]<1>:d 0x1:d\nlifetime.end x{}\n{reads}\
                 mov (M1, 1) x18(0,1)<1> r[a{}(0),0]<0;1,0>:d\n(p) goto (M1, 16) l{}\n",
                n % 2,
                n + 2,
                n / 2 % 2,
                n * 2 / 3,
            )
        });
    let module = parse(text(&declarations, &code), Format::V4_2);
    let module = module.unwrap_or_else(|errors| panic!("{}", errors[0]));
    let routine = module.routines().next().expect("a routine");
    let analysis = super::check(&routine, RegisterSize::Bytes32, &code);
    assert!(analysis.liveness.ranges(variable(7)).count() > 0);
}

/// A variable of 512 KB is analysed in parts of 32 bytes.
#[test]
fn parts_of_a_large_variable() {
    let analysis = analyse(
        ".decl x0 v_type=G type=uq num_elts=65535 align=wordx32
         .decl x1 v_type=G type=d num_elts=16 align=wordx32
         .decl x2 v_type=G type=d num_elts=16 align=wordx32 alias=<x0, 20000>
         .decl x3 v_type=G type=d num_elts=2 align=wordx32 alias=<x0, 20028>
",
        "mov (M1, 16) x2(0,0)<1> 0x1:d
mov (M1, 2) x3(0,0)<1> 0x2:d
mov (M1, 1) x1(0,0)<1> x2(0,15)<0;1,0>
mov (M1, 1) x2(0,0)<1> 0x3:d
mov (M1, 8) x2(0,8)<1> 0x4:d
mov (M1, 1) x1(0,1)<1> x2(0,9)<0;1,0>
mov (M1, 1) x1(0,2)<1> x2(0,1)<0;1,0>
mov (M1, 16) x1(0,0)<1> x1(0,0)<1;1,0>
",
    );
    let live = (1..9).map(|at| {
        let units = analysis.liveness.live_units(variable(0), at);
        units.map(|units| format!("{}..{}", units.start, units.end)).collect::<Vec<_>>().join(" ")
    });
    let expected = [
        "",
        // The eight bytes of `x3` are in two parts, and other bytes of these may be read later.
        "20000..20064",
        "20000..20064",
        // The second part is written again.
        "20000..20032",
        "20000..20032",
        "20000..20064",
        "20000..20032",
        "",
    ];
    assert_eq!(live.collect::<Vec<_>>(), expected);
    let registers = analysis.liveness.pressure().iter().map(|pressure| pressure.registers);
    assert_eq!(registers.collect::<Vec<_>>()[..6], [0, 0, 2, 2, 2, 2]);
}

#[test]
fn a_variable_with_many_parts_in_many_blocks() {
    const BYTES: usize = 4096;
    const BLOCKS: usize = 17_000;
    let analysis = analyse(
        ".decl x0 v_type=G type=ub num_elts=4096 align=wordx32
         .decl x1 v_type=G type=ub num_elts=1 align=wordx32
",
        &(lines(BYTES, |n| format!("mov (M1, 1) x0({},{})<1> 0x1:ub\n", n / 32, n % 32))
            + &lines(BLOCKS, |n| format!("l{n}:\n"))
            + "mov (M1, 1) x1(0,0)<1> x0(1,0)<0;1,0>\n"),
    );
    // It is live as a whole from the first write.
    let pressure = analysis.liveness.pressure();
    let bytes = [1, 2, BYTES, BYTES + BLOCKS, BYTES + BLOCKS + 2].map(|at| pressure[at].bytes);
    assert_eq!(bytes, [0, 4096, 4096, 4096, 0]);
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
    // It is analysed in parts of 64 KB.
    assert_eq!(bytes, [0, 0, 0, 65536, 0]);
}

fn variable(number: u32) -> genvisa::isa::Id {
    genvisa::operand::VarId(genvisa::operand::VarId::FIRST_DECLARED.0 + number).into()
}
