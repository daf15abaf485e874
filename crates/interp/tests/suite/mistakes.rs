//! Typical mistakes in kernels, and what a run reports about each: the table of `docs/evidence/run-mistakes.md`.
//!
//! The kernels are texts of today's compiler in `tests/mistakes`, from `tests/kernels` for bmg.

use std::env;
use std::fmt::Write;
use std::fs;

use genvisa_interp::binary::DeviceBinary;
use genvisa_interp::dispatch::{Grid, Launch, Options};
use genvisa_interp::{Machine, Program};
use genvisa_test_support::repository;

use crate::kernels::manifest::{Argument, Run, sources};

/// A mistake: its description, the kernel, and the lines that replace others.
struct Mistake {
    what: &'static str,
    kernel: &'static str,
    old: &'static str,
    new: &'static str,
}

macro_rules! mistakes {
    ($($kernel:ident: $what:literal, $old:literal => $new:literal;)*) => {
        const MISTAKES: &[Mistake] = &[
            $(Mistake { what: $what, kernel: stringify!($kernel), old: $old, new: $new },)*
        ];
    };
}

mistakes! {
    saxpy: "The bound is compared with `<=`",
        "cmp.lt (M1, 16) P1 V0054" => "cmp.le (M1, 16) P1 V0054";
    saxpy: "The branch around the body is missing", "(!P1) goto (M1, 16) _0_004" => "";
    saxpy: "The branch has the wrong sense", "(!P1) goto" => "(P1) goto";
    saxpy: "The predicate is never set", "cmp.lt (M1, 16) P1 V0054(0,0)<1;1,0> V0037(0,0)<0;1,0>" => "";
    saxpy: "Elements of four bytes are addressed as eight",
        "shl (M1, 16) V0057(0,0)<1> V0055(0,0)<1;1,0> 0x2:q" => "shl (M1, 16) V0057(0,0)<1> V0055(0,0)<1;1,0> 0x3:q";
    saxpy: "The address is one element too large",
        "V0060:d32  flat[V0059]" => "V0060:d32  flat[V0059+0x4]";
    saxpy: "The address is one byte too large",
        "V0064:d32  flat[V0063]" => "V0064:d32  flat[V0063+0x1]";
    saxpy: "Eight bytes are loaded instead of four", "V0060:d32  flat" => "V0060:d64  flat";
    saxpy: "A load is missing", "lsc_load.ugm (M1, 16)  V0060:d32  flat[V0059]:a64" => "";
    saxpy: "A source has the wrong stride",
        "V0060(0,0)<1;1,0> V0064" => "V0060(0,0)<2;1,0> V0064";
    saxpy: "A source begins a register too late",
        "V0060(0,0)<1;1,0> V0064" => "V0060(1,0)<1;1,0> V0064";
    saxpy: "A vector is read as a scalar", "V0064(0,0)<1;1,0>" => "V0064(0,0)<0;1,0>";
    saxpy: "The group id is read from the wrong element of r0",
        "V0041(0,0)<0;1,0> V0039(0,1)" => "V0041(0,0)<0;1,0> V0039(0,7)";
    saxpy: "The store ignores the execution mask",
        "lsc_store.ugm (M1, 16)" => "lsc_store.ugm (M1_NM, 16)";
    saxpy: "The address is computed for half of the lanes",
        "add (M1, 16) V0062" => "add (M1, 8) V0062";
    saxpy: "Addresses of 64 bits are used as 32 bits", "flat[V0059]:a64" => "flat[V0059]:a32";
    saxpy: "A pointer is added as its lower half",
        "V0056 v_type=G type=q num_elts=1 align=qword alias=<V0035, 0>" => "V0056 v_type=G type=ud num_elts=1 align=qword alias=<V0035, 0>";
    sum_tree: "The barrier after the first store is missing", "    barrier\n    cmp.lt" => "    cmp.lt";
    sum_tree: "The barrier in the loop is missing", "    barrier\n    cmp.lt (M1_NM, 16) P3" => "    cmp.lt (M1_NM, 16) P3";
    sum_tree: "The barrier is in the branch", "V0083:d32\n" => "V0083:d32\n    barrier\n";
    sum_tree: "Items without work return before the barrier", "(!P2) goto (M1, 16) _0_016" => "(!P2) goto (M1, 16) _0_019";
    sum_tree: "The number of items is not halved in the loop", "mov (M1_NM, 1) V0075(0,0)<1> V0076(0,0)<0;1,0>" => "";
    sum_tree: "The offset in shared local memory is not scaled",
        "shl (M1, 16) V0072(0,0)<1> V0071(0,0)<1;1,0> 0x2:d" => "mov (M1, 16) V0072(0,0)<1> V0071(0,0)<1;1,0>";
    sum_tree: "The offset in shared local memory is scaled by eight",
        "shl (M1, 16) V0080(0,0)<1> V0080(0,0)<1;1,0> 0x2:d" => "shl (M1, 16) V0080(0,0)<1> V0080(0,0)<1;1,0> 0x3:d";
    sum_tree: "The bound in the loop is compared with `>=`", "cmp.gt (M1, 16) P2" => "cmp.ge (M1, 16) P2";
    sum_tree: "Shared local memory is not initialized",
        "lsc_store.slm (M1, 16)  flat[V0073]:a32  V0070:d32" => "";
    sum_tree: "All groups store to the first element",
        "mov (M1_NM, 1) V0087(0,0)<1> V0053(0,1)<0;1,0>" => "mov (M1_NM, 1) V0087(0,0)<1> 0x0:ud";
    sum_tree: "A fence is missing", "    lsc_fence.slm.none.group\n    barrier\n    cmp.lt (M1_NM, 16) P3" => "    barrier\n    cmp.lt (M1_NM, 16) P3";
    transpose_tiled: "The pitch of the tile differs between store and load",
        "0x24:w V0059(0,0)" => "0x20:w V0059(0,0)";
    transpose_tiled: "The dimensions of the tile are not exchanged",
        "0x24:w V0075(0,0)<1;1,0> V0088" => "0x24:w V0059(0,0)<1;1,0> V0088";
    transpose_tiled: "The barrier is missing", "    barrier\n" => "";
    transpose_tiled: "The group ids are not exchanged",
        "mov (M1_NM, 1) V0095(0,0)<1> V0051(0,6)<0;1,0>" => "mov (M1_NM, 1) V0095(0,0)<1> V0051(0,1)<0;1,0>";
    collatz: "A move in the loop ignores the execution mask",
        "mov (M1, 16) V0058(0,0)<1> V0060" => "mov (M1_NM, 16) V0058(0,0)<1> V0060";
    collatz: "The first lane decides for all", "(!P2) goto (M1, 16)" => "(!P2) goto (M1, 1)";
    collatz: "The counter obeys the execution mask, but is read by all lanes",
        "add (M1_NM, 1) V0060" => "add (M1, 1) V0060";
    histogram: "An atomic increment is a load and a store",
        "lsc_atomic_iinc.slm (M1, 16)  %null:d32  flat[V0079]:a32  %null  %null" =>
        "lsc_load.slm (M1, 16)  V0085:d32  flat[V0079]:a32\n    add (M1, 16) V0085(0,0)<1> V0085(0,0)<1;1,0> 0x1:d\n    lsc_store.slm (M1, 16)  flat[V0079]:a32  V0085:d32";
    histogram: "Half of the counters are not initialized",
        "P1 V0047(0,0)<1;1,0> 0x10:uw" => "P1 V0047(0,0)<1;1,0> 0x8:uw";
    histogram: "The atomic addition to global memory is a store",
        "lsc_atomic_iadd.ugm (M1, 16)  %null:d32  flat[V0084]:a64  V0087  %null" => "lsc_store.ugm (M1, 16)  flat[V0084]:a64  V0087:d32";
    dpas_s8: "The accumulator has half of its registers", "V0070 v_type=G type=d num_elts=128" => "V0070 v_type=G type=d num_elts=64";
    dpas_s8: "The precision of the weights has no sign", "dpas.s8.s8" => "dpas.u8.s8";
    dpas_s8: "The number of rows is halved", "s8.8.8 (M1, 16)" => "s8.8.4 (M1, 16)";
    subgroup_shuffle: "The index of the lane is not wrapped",
        "and (M1, 16) V0059(0,0)<1> V0059(0,0)<1;1,0> 0xf:w" => "";
    subgroup_shuffle: "The addresses are set for half of the lanes",
        "addr_add (M1, 16) A0" => "addr_add (M1, 8) A0";
    subroutines: "An argument of a subroutine is not set",
        "mov (M1, 16) V0060(0,0)<1> V0035(0,0)<0;1,0>" => "";
}

const PATH: &str = "docs/evidence/run-mistakes.md";
const HEAD: &str = "\
# What a run reports about mistakes

Typical mistakes in eight kernels of `crates/interp/tests/mistakes`, which IGC 2.40 made for Battlemage: each
replaces a few words or lines of the text. The last column is the fault that stops the run. If there is none, it
states whether the results differ from the results of the correct kernel, as a run on hardware would show, and whether
`genvisa run` warns about undefined results.

`GENVISA_BLESS=1 cargo test -p genvisa-interp --test suite -- mistakes` writes this page.

";

/// What a run reports.
enum Report {
    Fault(String),
    Undefined(String),
    Wrong(String),
    Nothing,
}

#[test]
fn mistakes_are_reported() {
    let runs: Vec<Run> = sources().into_iter().flat_map(|source| source.runs).collect();
    let run = |name: &str| runs.iter().find(|run| run.kernel == name).expect("a kernel");
    let mut page = HEAD.to_owned();
    let mut rows = String::new();
    let mut counts = [0; 4];
    for Mistake { what, kernel, old, new } in MISTAKES {
        let folder = repository("crates/interp/tests/mistakes");
        let read = |kind: &str| fs::read_to_string(folder.join(format!("{kernel}.{kind}")));
        let (text, info) = (read("visaasm").expect("a text"), read("zeinfo").expect("a document"));
        assert!(text.contains(old), "{kernel}: {old}");
        let correct = results(run(kernel), &info, &text);
        let correct = correct.unwrap_or_else(|fault| panic!("{kernel}: {fault}"));
        let report =
            report(run(kernel), &correct, results(run(kernel), &info, &text.replacen(old, new, 1)));
        let (index, cell) = match report {
            Report::Fault(fault) => (0, lines(&fault)),
            Report::Undefined(store) => (1, format!("warning: {}", lines(&store))),
            Report::Wrong(what) => (2, format!("no fault; {what}")),
            Report::Nothing => (3, "no fault, and the same results".into()),
        };
        counts[index] += 1;
        // Writing to a string never fails.
        let _ = writeln!(rows, "| {what} | {kernel} | {cell} |");
    }
    let [faults, undefined, wrong, nothing] = counts;
    let _ = writeln!(
        page,
        "{} mistakes: {faults} faults, {undefined} warnings of undefined results, {wrong} wrong results without a \
         message, {nothing} without an effect.\n\n| Mistake | Kernel | Report |\n|---|---|---|",
        MISTAKES.len()
    );
    page += &rows;
    let path = repository(PATH);
    if env::var_os("GENVISA_BLESS").is_some() {
        fs::write(path, page).expect("writing the table");
        return;
    }
    assert_eq!(fs::read_to_string(path).unwrap_or_default(), page, "{PATH} is not up to date");
}

/// Returns a message as a cell of a table.
fn lines(message: &str) -> String {
    format!("`{}`", message.replace('|', "\\|").replace('\n', "` <br> `"))
}

/// The contents of the buffers, and the stores of values that nobody wrote.
type Contents = (Vec<Vec<u8>>, Vec<String>);

/// Returns the contents of the buffers after a run, or what stops it.
fn results(run: &Run, info: &str, text: &str) -> Result<Contents, String> {
    let binary = DeviceBinary::from_texts(info, [text.as_bytes().to_vec()]);
    let binary = binary.map_err(|error| error.to_string())?;
    let platform = binary.platform().map_err(|error| error.to_string())?;
    let program =
        Program::of_kernel(&binary, &run.kernel, platform).map_err(|error| error.to_string())?;
    let mut machine = Machine::new(&program).with_limit(20_000 * 16);
    let grid = Grid::new(&run.global, &run.local).map_err(|error| error.to_string())?;
    let arguments = run.arguments.iter().map(|(_, argument)| argument.value()).collect();
    let options = Options { platform, workers: 1 };
    let launch = Launch::new(&mut machine, &binary, &run.kernel, options, grid, arguments)
        .map_err(|error| error.to_string())?;
    launch.run(&machine, 1).map_err(|fault| fault.to_string())?;
    let undefined = machine.undefined_stores().iter().map(ToString::to_string).collect();
    let memory = machine.memory();
    let contents = (0..run.arguments.len())
        .filter_map(|index| Some(memory.bytes(launch.buffer(index)?)?.to_vec()));
    Ok((contents.collect(), undefined))
}

fn report(run: &Run, correct: &Contents, found: Result<Contents, String>) -> Report {
    let (found, undefined) = match found {
        Ok(found) => found,
        Err(fault) => return Report::Fault(fault),
    };
    if let Some(store) = undefined.into_iter().next() {
        return Report::Undefined(store);
    }
    let is_buffer = |(_, argument): &&(String, Argument)| matches!(argument, Argument::Buffer(_));
    let names = run.arguments.iter().filter(is_buffer).map(|(name, _)| name);
    let mut wrong = None;
    for ((name, found), correct) in names.zip(&found).zip(&correct.0) {
        let differences = found.iter().zip(correct).filter(|(a, b)| a != b).count();
        if differences > 0 {
            wrong.get_or_insert(format!("{differences} bytes of `{name}` differ"));
        }
    }
    wrong.map_or(Report::Nothing, Report::Wrong)
}
