//! A wrong execution size does not hide that variables are too small for it.

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
