//! Variables and predicates that are too small for an execution size, also for a wrong one.

use genvisa::text::parse;
use genvisa::verify::{Severity, Verifier};
use genvisa::{Format, Version};

#[test]
fn small_variables_are_errors_for_all_execution_sizes() {
    let messages = [
        "resinfo.R (M1, N) img x.0 x.0",
        "sampleinfo.R (M1, N) img x.0",
        "gather4_typed.R (M1, N) img x.0 x.0 %null.0 %null.0 x.0",
        "scatter4_typed.R (M1, N) img x.0 x.0 %null.0 %null.0 x.0",
        "rt_write_3d (M1, N) img %null.0 x.0 x.0 x.0 x.0",
        "sample_3d.R (M1, N) 0x0:uw smp img x.0 x.0",
        "sample_3d.R (M1, N) 0x0:uw smp img large.0 x.0",
        "load_3d.R (M1, N) 0x0:uw img x.0 x.0",
    ];
    let mut missing = Vec::new();
    for message in messages {
        for lanes in [2, 4, 8, 16, 32] {
            let text = format!(
                "\
.version 3.6
.kernel \"k\"
.decl x v_type=G type=f num_elts=1 align=GRF
.decl large v_type=G type=f num_elts=256 align=GRF
.decl img v_type=T num_elts=1
.decl smp v_type=S num_elts=1
.kernel_attr Target=\"3d\"
    {}
",
                message.replace('N', &lanes.to_string())
            );
            let module = parse(&text, Format::igc2022(Version::V3_6)).expect(message);
            let findings = Verifier::new().check_module(&module);
            let is_size = |name: &str| {
                name.ends_with("-size") && !name.ends_with("exec-size") || name == "message-payload"
            };
            let has_error =
                findings.iter().any(|it| it.severity == Severity::Error && is_size(it.rule.name));
            if !has_error {
                missing.push(format!("{message}, {lanes} lanes: {findings:?}"));
            }
        }
    }
    assert!(missing.is_empty(), "{}", missing.join("\n"));
}

/// Uses of the predicate `p` for each lane, with `E` for the execution mask and size. `q` has 32 elements.
const USES: [&str; 11] = [
    "(p) mov E x(0,0)<1> y(0,0)<1;1,0>",
    "(!p.all) add E x(0,0)<1> x(0,0)<1;1,0> y(0,0)<1;1,0>",
    "(p) sel E x(0,0)<1> x(0,0)<1;1,0> y(0,0)<1;1,0>",
    "(p.any) lsc_load.ugm E x:d32 flat[y]:a32",
    "(p) goto E end",
    "cmp.lt E p x(0,0)<1;1,0> y(0,0)<1;1,0>",
    "setp E p x(0,0)<1;1,0>",
    "not E p q",
    "not E q p",
    "and E q p q",
    "xor E q q p",
];

#[test]
fn predicates_have_an_element_for_each_lane_that_is_used() {
    for elements in [1, 2, 4, 8, 16, 32] {
        for (lanes, mask) in
            [1, 2, 4, 8, 16, 32].into_iter().flat_map(|n| (0..8).map(move |m| (n, m)))
        {
            let end = 4 * mask + lanes;
            if end > 32 || 4 * mask % lanes != 0 {
                continue;
            }
            for used in USES.into_iter().chain(["mov (M1_NM, 1) x(0,0)<1> p"]) {
                let exec = format!("(M{}, {lanes})", mask + 1);
                let text = format!(
                    "\
.version 4.2
.kernel \"k\"
.decl x v_type=G type=d num_elts=32 align=GRF
.decl y v_type=G type=d num_elts=32 align=GRF
.decl p v_type=P num_elts={elements}
.decl q v_type=P num_elts=32
    {}
end:
    ret (M1, 1)
",
                    used.replace('E', &exec)
                );
                let module = parse(&text, Format::V4_2).expect(used);
                let findings = Verifier::new().check_module(&module);
                let rules: Vec<&str> = findings.iter().map(|finding| finding.rule.name).collect();
                let is_whole = used.starts_with("mov (M1_NM, 1)");
                let expected: &[&str] = match elements < end && !is_whole {
                    true if end > 16 && elements <= 16 => &["predicate-width"],
                    true if end <= 16 => &["predicate-lanes"],
                    _ => &[],
                };
                assert_eq!(rules, expected, "{text}");
            }
        }
    }
}
