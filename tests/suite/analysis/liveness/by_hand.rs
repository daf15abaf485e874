//! Small kernels whose live units were found by hand.

use genvisa::Format;
use genvisa::RegisterSize;
use genvisa::analysis::Analysis;
use genvisa::isa::{Id, IdClass};
use genvisa::text::parse;

use super::check;

/// The variables of the kernels. `W` and `H` are parts of `D`.
const DECLARATIONS: &str = "\
.decl D v_type=G type=d num_elts=16 align=wordx32
.decl E v_type=G type=d num_elts=16 align=wordx32
.decl W v_type=G type=w num_elts=32 align=wordx32 alias=<D, 0>
.decl H v_type=G type=d num_elts=8 align=wordx32 alias=<D, 32>
.decl S v_type=G type=d num_elts=1 align=wordx32
.decl Q v_type=G type=uq num_elts=16 align=wordx32
.decl O v_type=G type=d num_elts=16 align=wordx32 attrs={Output}
.decl N v_type=G type=d num_elts=16 align=wordx32 attrs={Input}
.decl ARG v_type=G type=d num_elts=8 align=wordx32 alias=<%arg, 0>
.decl RETVAL v_type=G type=d num_elts=8 align=wordx32 alias=<%retval, 0>
.decl A v_type=A num_elts=16
.decl P v_type=P num_elts=16
.decl R v_type=P num_elts=32
";

const NAMES: [&str; 10] = ["D", "E", "W", "H", "S", "Q", "O", "N", "ARG", "RETVAL"];

fn analyse(head: &str, lines: &str, registers: RegisterSize) -> Analysis {
    let lines = lines.lines().map(str::trim).collect::<Vec<_>>().join("\n");
    let text = format!(".version 4.2\n{head}\n{DECLARATIONS}.function \"main\"\nmain:\n{lines}\n");
    let module = parse(&text, Format::V4_2).unwrap_or_else(|errors| panic!("{text}{}", errors[0]));
    let routine = module.routines().next().expect("a routine");
    check(&routine, registers, &text)
}

fn kernel(lines: &str) -> Analysis {
    analyse(".kernel \"k\"", lines, RegisterSize::Bytes32)
}

/// Compares the live units of a root before each instruction after `main:`; an empty string means
/// none.
#[track_caller]
fn assert_live(analysis: &Analysis, root: &str, expected: &[&str]) {
    let variable = |number| Id { class: IdClass::Variable, number };
    let id = match root {
        "%arg" => variable(8),
        "%retval" => variable(9),
        "A" => Id { class: IdClass::Address, number: 0 },
        "P" => Id { class: IdClass::Predicate, number: 1 },
        "R" => Id { class: IdClass::Predicate, number: 2 },
        _ => {
            let index = NAMES.iter().position(|name| *name == root).expect("it is declared");
            variable(32 + index as u32)
        }
    };
    let found = (1..analysis.instructions.len()).map(|at| {
        let units = analysis.liveness.live_units(id, at);
        units.map(|units| format!("{}..{}", units.start, units.end)).collect::<Vec<_>>().join(" ")
    });
    assert_eq!(found.collect::<Vec<_>>(), expected, "{root}");
}

#[test]
fn values_live_from_their_definition_to_their_last_read() {
    let analysis = kernel(
        "mov (M1,16) D(0,0)<1> 0x1:d
         mov (M1,16) E(0,0)<1> D(0,0)<1;1,0>
         mov (M1,16) E(0,0)<1> D(0,0)<0;1,0>
         mov (M1,16) E(0,0)<1> N(0,0)<1;1,0>
         ret (M1,1)",
    );
    assert_live(&analysis, "D", &["", "0..64", "0..4", "", ""]);
    // It is never read.
    assert_live(&analysis, "E", &["", "", "", "", ""]);
    // An input has a value at the entry.
    assert_live(&analysis, "N", &["0..64", "0..64", "0..64", "0..64", ""]);
}

#[test]
fn undefined_variables_are_not_live() {
    let analysis = kernel(
        "mov (M1,8) D(0,0)<1> 0x1:d
         mov (M1,16) E(0,0)<1> D(0,0)<1;1,0>
         mov (M1,1) E(0,0)<1> S(0,0)<0;1,0>
         ret (M1,1)",
    );
    assert_live(&analysis, "D", &["", "0..32", "", ""]);
    assert_live(&analysis, "S", &["", "", "", ""]);
}

#[test]
fn elements_and_aliases_define_parts() {
    let analysis = kernel(
        "mov (M1,8) D(0,0)<1> 0x1:d
         mov (M1,1) D(1,7)<1> 0x2:d
         mov (M1,16) W(0,1)<2> 0x3:w
         mov (M1,8) E(0,0)<1> H(0,0)<1;1,0>
         ret (M1,1)",
    );
    let words = "34..36 38..40 42..44 46..48 50..52 54..56 58..64";
    assert_live(&analysis, "D", &["", "", "60..62", words, ""]);
}

#[test]
fn predicated_writes_kill_nothing() {
    let analysis = kernel(
        "cmp.lt (M1,16) P N(0,0)<1;1,0> 0x1:d
         mov (M1,16) D(0,0)<1> 0x1:d
         (P) mov (M1,16) D(0,0)<1> 0x2:d
         mov (M1,16) E(0,0)<1> D(0,0)<1;1,0>
         ret (M1,1)",
    );
    assert_live(&analysis, "D", &["", "", "0..64", "0..64", ""]);
    assert_live(&analysis, "P", &["", "0..16", "0..16", "", ""]);
}

#[test]
fn selections_kill() {
    let analysis = kernel(
        "cmp.lt (M1,16) P N(0,0)<1;1,0> 0x1:d
         mov (M1,16) D(0,0)<1> 0x1:d
         (P) sel (M1,16) D(0,0)<1> N(0,0)<1;1,0> 0x2:d
         mov (M1,16) E(0,0)<1> D(0,0)<1;1,0>
         ret (M1,1)",
    );
    assert_live(&analysis, "D", &["", "", "", "0..64", ""]);
    assert_live(&analysis, "P", &["", "0..16", "0..16", "", ""]);
}

#[test]
fn values_live_around_loops() {
    let analysis = kernel(
        "mov (M1,16) D(0,0)<1> 0x0:d
         head:
         add (M1,16) D(0,0)<1> D(0,0)<1;1,0> 0x1:d
         cmp.lt (M1,16) P D(0,0)<1;1,0> N(0,0)<1;1,0>
         (P) jmp (M1,1) head
         mov (M1,16) E(0,0)<1> D(0,0)<1;1,0>
         ret (M1,1)",
    );
    assert_live(&analysis, "D", &["", "0..64", "0..64", "0..64", "0..64", "0..64", ""]);
    assert_live(&analysis, "N", &["0..64", "0..64", "0..64", "0..64", "0..64", "", ""]);
    assert_live(&analysis, "P", &["", "", "", "", "0..1", "", ""]);
}

#[test]
fn the_value_of_one_branch_lives_while_others_execute_the_other() {
    let analysis = kernel(
        "mov (M1,16) D(0,0)<1> 0x0:d
         cmp.lt (M1,16) P N(0,0)<1;1,0> 0x1:d
         (P) goto (M1,16) then
         mov (M1,16) D(0,0)<1> 0x1:d
         goto (M1,16) join
         then:
         mov (M1,16) D(0,0)<1> 0x2:d
         join:
         mov (M1,16) E(0,0)<1> D(0,0)<1;1,0>
         ret (M1,1)",
    );
    // Each lane overwrites the first value. The second value is needed by the lanes that wait at
    // `join` while the others execute the instructions 5 and 6.
    let all = "0..64";
    assert_live(&analysis, "D", &["", "", "", "", all, all, all, all, all, ""]);
}

#[test]
fn the_value_of_lanes_that_left_a_loop_lives_in_the_loop() {
    let analysis = kernel(
        "head:
         mov (M1,16) D(0,0)<1> N(0,0)<1;1,0>
         cmp.lt (M1,16) P N(0,0)<1;1,0> 0x1:d
         (P) goto (M1,16) head
         mov (M1,16) E(0,0)<1> D(0,0)<1;1,0>
         ret (M1,1)",
    );
    let all = "0..64";
    assert_live(&analysis, "D", &[all, all, all, all, all, ""]);
}

#[test]
fn writes_without_mask_kill_in_branches() {
    let analysis = kernel(
        "mov (M1,16) D(0,0)<1> 0x0:d
         cmp.lt (M1,16) P N(0,0)<1;1,0> 0x1:d
         (P) goto (M1,16) skip
         mov (M1_NM,16) D(0,0)<1> 0x2:d
         skip:
         mov (M1,16) E(0,0)<1> D(0,0)<1;1,0>
         ret (M1,1)",
    );
    assert_live(&analysis, "D", &["", "0..64", "0..64", "", "0..64", "0..64", ""]);
}

#[test]
fn reads_of_other_lanes_need_values_of_the_other_branch() {
    let lines = |read: &str| {
        format!(
            "cmp.lt (M1,16) P N(0,0)<1;1,0> 0x1:d
             (P) goto (M1,16) then
             mov (M1,16) D(0,0)<1> 0x1:d
             goto (M1,16) join
             then:
             mov (M1,16) D(0,0)<1> 0x2:d
             {read}
             join:
             ret (M1,1)"
        )
    };
    // Of inactive lanes, without mask.
    let analysis = kernel(&lines("mov (M1_NM,16) E(0,0)<1> D(0,0)<1;1,0>"));
    assert_live(&analysis, "D", &["", "", "", "0..64", "0..64", "0..64", "0..64", "", ""]);
    // Of the first lane, by all active lanes.
    let analysis = kernel(&lines("mov (M1,16) E(0,0)<1> D(0,0)<0;1,0>"));
    assert_live(&analysis, "D", &["", "", "", "0..4", "0..4", "0..4", "0..4", "", ""]);
    // Of each lane: the lanes that execute `then` overwrite their values.
    let analysis = kernel(&lines("mov (M1,16) E(0,0)<1> D(0,0)<1;1,0>"));
    assert_live(&analysis, "D", &["", "", "", "", "", "", "0..64", "", ""]);
}

#[test]
fn lifetimes_discard_values() {
    let analysis = kernel(
        "mov (M1,16) D(0,0)<1> 0x1:d
         lifetime.end D
         lifetime.start D
         mov (M1,8) D(0,0)<1> 0x2:d
         mov (M1,16) E(0,0)<1> D(0,0)<1;1,0>
         ret (M1,1)",
    );
    assert_live(&analysis, "D", &["", "", "", "", "0..32", ""]);
    // The start of a life does not define the variable.
    let analysis = kernel(
        "lifetime.start D
         mov (M1,16) E(0,0)<1> D(0,0)<1;1,0>
         ret (M1,1)",
    );
    assert_live(&analysis, "D", &["", "", ""]);
}

#[test]
fn outputs_live_to_the_end() {
    let analysis = kernel(
        "mov (M1,16) O(0,0)<1> 0x1:d
         mov (M1,16) O(0,0)<1> N(0,0)<1;1,0>
         ret (M1,1)",
    );
    assert_live(&analysis, "O", &["", "", "0..64"]);
}

#[test]
fn outputs_live_to_predicated_returns() {
    let analysis = kernel(
        "cmp.lt (M1,16) P N(0,0)<1;1,0> 0x1:d
         mov (M1,16) O(0,0)<1> 0x1:d
         (P) ret (M1,16)
         mov (M1_NM,16) O(0,0)<1> 0x2:d
         ret (M1,1)",
    );
    assert_live(&analysis, "O", &["", "", "0..64", "", "0..64"]);
}

#[test]
fn writes_without_mask_kill_outputs_in_branches() {
    let analysis = kernel(
        "cmp.lt (M1,16) P N(0,0)<1;1,0> 0x1:d
         mov (M1,16) O(0,0)<1> 0x1:d
         (P) goto (M1,16) end
         mov (M1,16) O(0,0)<1> 0x2:d
         mov (M1_NM,16) O(0,0)<1> 0x3:d
         end:
         ret (M1,1)",
    );
    assert_live(&analysis, "O", &["", "", "0..64", "", "", "0..64", "0..64"]);
}

#[test]
fn functions_receive_arguments_and_return_values() {
    let lines = "add (M1,8) RETVAL(0,0)<1> ARG(0,0)<1;1,0> 0x1:d\nfret (M1,8)";
    let analysis = analyse(".global_function \"f\" //@ stack=1:1", lines, RegisterSize::Bytes32);
    assert_live(&analysis, "%arg", &["0..32", ""]);
    // A function may be called by some lanes, so the write does not kill.
    assert_live(&analysis, "%retval", &["0..32", "0..32"]);
    let analysis = kernel(
        "mov (M1,8) ARG(0,0)<1> N(0,0)<1;1,0>
         fcall (M1,16) f 1 1
         mov (M1,8) E(0,0)<1> RETVAL(0,0)<1;1,0>
         mov (M1,8) E(0,0)<1> ARG(0,0)<1;1,0>
         ret (M1,1)",
    );
    assert_live(&analysis, "%arg", &["", "0..32", "0..32", "0..32", ""]);
    assert_live(&analysis, "%retval", &["", "", "0..32", "", ""]);
}

#[test]
fn functions_of_text_state_the_size_of_the_result() {
    let lines = ".kernel_attr RetValSize=1\nmov (M1,8) RETVAL(0,0)<1> 0x1:d\nfret (M1,8)";
    let analysis = analyse(".global_function \"f\"", lines, RegisterSize::Bytes32);
    assert_live(&analysis, "%retval", &["0..32", "0..32"]);
}

#[test]
fn paths_pass_subroutines() {
    let analysis = kernel(
        "mov (M1,16) D(0,0)<1> 0x1:d
         call (M1,16) sub
         mov (M1,16) E(0,0)<1> D(0,0)<1;1,0>
         call (M1,16) sub
         ret (M1,1)
         .function \"sub\"
         sub:
         mov (M1,16) E(0,0)<1> N(0,0)<1;1,0>
         ret (M1,16)",
    );
    // A path leads from the second call to the instruction after the first one.
    let all = "0..64";
    assert_live(&analysis, "D", &["", all, all, all, "", all, all, all]);
}

#[test]
fn indirect_operands_access_whole_variables() {
    let analysis = kernel(
        "mov (M1,16) D(0,0)<1> 0x1:d
         addr_add (M1,1) A(0)<1> &D 0x0:uw
         mov (M1,1) r[A(0),0]<1>:d 0x1:d
         mov (M1,16) E(0,0)<1> r[A(0),0]<1;1,0>:d
         ret (M1,1)",
    );
    assert_live(&analysis, "D", &["", "0..64", "0..64", "0..64", ""]);
    assert_live(&analysis, "A", &["", "", "0..2", "0..2", ""]);
    let analysis = kernel(
        "addr_add (M1,1) A(0)<1> &H 0x0:uw
         mov (M1,1) r[A(0),0]<1>:d 0x1:d
         mov (M1,16) E(0,0)<1> D(0,0)<1;1,0>
         ret (M1,1)",
    );
    // The write defines every byte.
    assert_live(&analysis, "D", &["", "", "0..64", ""]);
}

#[test]
fn unreachable_reads_need_nothing() {
    let analysis = kernel(
        "mov (M1,16) D(0,0)<1> 0x1:d
         jmp (M1,1) end
         mov (M1,16) E(0,0)<1> D(0,0)<1;1,0>
         end:
         ret (M1,1)",
    );
    assert_live(&analysis, "D", &["", "", "", "", ""]);
}

#[test]
fn predicates_live_in_the_bits_of_their_lanes() {
    let analysis = kernel(
        "cmp.lt (M1,16) R N(0,0)<1;1,0> 0x1:d
         cmp.lt (M5,16) R N(0,0)<1;1,0> 0x1:d
         (R) mov (M5,16) E(0,0)<1> 0x1:d
         (R) mov (M1,16) E(0,0)<1> 0x2:d
         ret (M1,1)",
    );
    assert_live(&analysis, "R", &["", "0..16", "0..32", "0..16", ""]);
    let pressure = &analysis.liveness.pressure()[1..];
    assert_eq!(pressure.iter().map(|at| at.predicate_bits).collect::<Vec<_>>(), [0, 16, 32, 16, 0]);
}

#[test]
fn payloads_live_by_their_length() {
    let lines = "mov (M1,16) D(0,0)<1> 0x1:d
                 mov (M1,16) Q(0,0)<1> 0x1:d
                 lsc_store.ugm (M1,16) flat[Q]:a64 D:d32
                 raw_sends.2.1.2.1 (M1, 8) 0x0:ud 0x0:ud D.0 Q.32 E.0
                 mov (M1,16) D(0,0)<1> E(0,0)<1;1,0>
                 ret (M1,1)";
    let analysis = kernel(lines);
    assert_live(&analysis, "D", &["", "0..64", "0..64", "0..32", "", ""]);
    assert_live(&analysis, "Q", &["", "", "0..128", "32..96", "", ""]);
    assert_live(&analysis, "E", &["", "", "", "", "0..32", ""]);
    let analysis = analyse(".kernel \"k\"", lines, RegisterSize::Bytes64);
    assert_live(&analysis, "D", &["", "0..64", "0..64", "0..64", "", ""]);
    assert_live(&analysis, "Q", &["", "", "0..128", "32..128", "", ""]);
    assert_live(&analysis, "E", &["", "", "", "", "0..64", ""]);
}

#[test]
fn pressure_counts_registers_and_packs_small_variables() {
    let lines = "mov (M1,1) S(0,0)<1> 0x1:d
                 mov (M1,8) H(0,0)<1> N(0,0)<1;1,0>
                 mov (M1,1) D(0,0)<1> S(0,0)<0;1,0>
                 mov (M1,16) E(0,0)<1> D(0,0)<1;1,0>
                 ret (M1,1)";
    for (registers, expected, peak) in
        [(RegisterSize::Bytes32, [1, 2, 2, 2, 0], 1), (RegisterSize::Bytes64, [1, 2, 2, 1, 0], 1)]
    {
        let analysis = analyse(".kernel \"k\"", lines, registers);
        let pressure = &analysis.liveness.pressure()[1..];
        assert_eq!(pressure.iter().map(|at| at.bytes).collect::<Vec<_>>(), [32, 36, 36, 36, 0]);
        assert_eq!(pressure.iter().map(|at| at.registers).collect::<Vec<_>>(), expected);
        assert_eq!(analysis.liveness.peak().map(|(at, _)| at), Some(peak + 1));
    }
}
