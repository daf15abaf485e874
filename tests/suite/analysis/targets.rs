//! The variables that indirect operands may access.

use genvisa::RegisterSize;
use genvisa::analysis::Analysis;
use genvisa::isa::{Id, IdClass};
use genvisa::object::RoutineKind;
use genvisa::operand::AddrId;
use genvisa::{Format, text};

/// Returns the names of the targets of address variables A to D after some instructions.
fn targets(code: &str) -> [String; 4] {
    let addresses = ["A", "B", "C", "D"];
    let mut source = String::from(".version 4.2\n.kernel \"k\"\n");
    for name in ["x", "y", "z"] {
        source += &format!(".decl {name} v_type=G type=uw num_elts=64 align=GRF\n");
    }
    source += ".decl tail v_type=G type=uw num_elts=8 align=GRF alias=<z, 64>\n";
    source += ".decl P v_type=P num_elts=8\n";
    for name in addresses {
        source += &format!(".decl {name} v_type=A num_elts=8\n");
    }
    source += &format!("{}\nret (M1, 1)\n", code.replace("; ", "\n"));
    let module = text::parse(&source, Format::V4_2).unwrap_or_else(|e| panic!("{e}\n{source}"));
    let routine = module.routines().find(|r| r.kind == RoutineKind::Kernel).expect("a kernel");
    let analysis = Analysis::new(&routine, RegisterSize::Bytes32).expect("valid code");
    [0, 1, 2, 3].map(|number| {
        let names = analysis.targets.of(Id::from(AddrId(number))).map(|root| {
            assert_eq!(root.class, IdClass::Variable);
            routine.body.name_of(root).expect("a name").to_string()
        });
        names.collect::<Vec<_>>().join(" ")
    })
}

#[test]
fn addresses_of_variables_and_their_sums() {
    let code = "addr_add (M1, 1) A(0)<1> &x 0x0:uw; addr_add (M1, 1) A(1)<1> &y y(0,0)<0;1,0>";
    assert_eq!(targets(code), ["x y", "", "", ""]);
    // The root of an alias, and an offset that is read through an address.
    let code =
        "addr_add (M1, 1) A(0)<1> &tail 0x0:uw; addr_add (M1, 1) B(0)<1> &x r[A(0),0]<0;1,0>:uw";
    assert_eq!(targets(code), ["z", "x", "", ""]);
    let code = "addr_add (M1, 1) A(0)<1> &x 0x0:uw; addr_add (M1, 1) B(0)<1> A(0)<1> y(0,0)<0;1,0>";
    assert_eq!(targets(code), ["x", "x", "", ""]);
}

#[test]
fn copies_share_their_targets() {
    let code = "mov (M1, 1) B(0)<1> A(0)<1>; mov (M1, 1) C(0)<1> B(0)<1>; \
                addr_add (M1, 1) A(0)<1> &x 0x0:uw; addr_add (M1, 1) D(0)<1> &y 0x0:uw";
    assert_eq!(targets(code), ["x", "x", "x", "y"]);
}

/// An address of another origin may be that of each variable whose address is taken.
#[test]
fn other_values_may_be_every_address() {
    let taken = "addr_add (M1, 1) A(0)<1> &x 0x0:uw; addr_add (M1, 1) B(0)<1> &y 0x0:uw; ";
    for other in [
        "mov (M1, 1) C(0)<1> z(0,0)<0;1,0>",
        "mov (M1, 1) C(0)<1> 0x20:uw",
        "mov (M1, 1) C(0)<1> r[A(0),0]<0;1,0>:uw",
        "(P) sel (M1, 1) C(0)<1> A(0)<1> z(0,0)<0;1,0>",
        "addr_add (M1, 1) A(0)<1> A(0)<1> r[B(0),0]<0;1,0>:uw; mov (M1, 1) C(0)<1> z(0,0)<0;1,0>",
    ] {
        assert_eq!(targets(&format!("{taken}{other}"))[2], "x y", "{other}");
    }
    // The copy of such an address as well, but not others.
    let code = format!("{taken}mov (M1, 1) C(0)<1> z(0,0)<0;1,0>; mov (M1, 1) D(0)<1> C(0)<1>");
    assert_eq!(targets(&code), ["x", "y", "x y", "x y"]);
}
