//! Stores of values that nobody wrote, and where these come from.

use genvisa_interp::{Fault, Machine, Surface, ThreadStart};

use crate::support::{bytes, program, variable};

/// Runs statements with a buffer: surface 5 and the addresses in `p`, 4 bytes for each lane. `b` is defined.
fn run(statements: &str, denies: bool) -> (Result<(), Fault>, Vec<Fault>) {
    let text = format!(
        ".version 4.2\n.kernel \"k\"
.decl a v_type=G type=ud num_elts=16 align=GRF
.decl b v_type=G type=ud num_elts=16 align=GRF
.decl c v_type=G type=ud num_elts=16 align=GRF
.decl o v_type=G type=ud num_elts=16 align=GRF
.decl p v_type=G type=uq num_elts=16 align=GRF
.decl missing v_type=G type=uq num_elts=16 align=GRF
.decl T6 v_type=T num_elts=1 v_name=T006
.input p offset=64 size=128
.input b offset=192 size=64
.input o offset=256 size=64
.input missing offset=1024 size=128
    movs (M1_NM, 1) T6(0) 0x5:ud
{statements}
    ret (M1, 1)\n"
    );
    let program = program(&text);
    let mut machine = Machine::new(&program).deny_undefined_stores(denies);
    let address = machine.memory().allocate("the buffer", vec![0; 4096]);
    machine.surfaces().set(5, Surface::Buffer { address, size: 4096 });
    let mut image = vec![0; 64];
    image.extend((0..16).flat_map(|lane| (address + lane * 4).to_le_bytes()));
    image.extend((0..16u32).flat_map(|lane| (lane * 3).to_le_bytes()));
    image.extend((0..16u32).flat_map(|lane| (lane * 4).to_le_bytes()));
    let start = ThreadStart { image, mask: 0xffff, ..ThreadStart::default() };
    let group = machine.group("k", [0; 3], 0, 1024, [start]);
    let result = group.and_then(|mut group| machine.run(&mut group).map(drop));
    (result, machine.undefined_stores())
}

/// Messages that store `DATA`, each with the name of its field.
const STORES: [(&str, &str); 10] = [
    ("lsc_store.ugm (M1, 16) flat[p]:a64 DATA:d32", "src1"),
    ("lsc_store.ugm (M1, 16) flat[p]:a64 DATA:d8u32", "src1"),
    ("lsc_atomic_iadd.ugm (M1, 16) %null:d32 flat[p]:a64 DATA %null", "src1"),
    ("lsc_atomic_icas.ugm (M1, 16) %null:d32 flat[p]:a64 b DATA", "src2"),
    ("scatter4_scaled.R (M1, 16) T6 0x0:ud o.0 DATA.0", "src"),
    ("svm_scatter.4.1 (M1, 16) p.0 DATA.0", "src"),
    ("svm_block_st (4) p(0,0)<0;1,0> DATA.0", "src"),
    ("oword_st (4) T6 0x0:ud DATA.0", "src"),
    ("svm_atomic.add (M1, 16) p.0 %null.0 DATA.0 %null.0", "src0"),
    ("dword_atomic.add (M1, 16) T6 o.0 DATA.0 %null.0 %null.0", "src0"),
];

#[test]
fn every_store_reports_the_variable_and_the_instruction_that_reads_it() {
    for (store, field) in STORES {
        let with = |data: &str| format!("    {}", store.replace("DATA", data));
        assert_eq!(run(&with("b"), true), (Ok(()), Vec::new()), "{store}");
        let direct = with("a");
        let moved = format!(
            "    mul (M1, 16) c(0,0)<1> a(0,0)<1;1,0> 0x2:ud
    add (M1, 16) c(0,0)<1> c(0,0)<1;1,0> b(0,0)<1;1,0>\n{}",
            with("c")
        );
        let reads = "byte 0 of a, which $1 reads: mul (M1, 16) c(0,0)<1> a(0,0)<1;1,0> 0x2:ud";
        for (statements, origin, index) in [(direct, "byte 0 of a", 1), (moved, reads, 3)] {
            let (result, reports) = run(&statements, false);
            assert_eq!(result, Ok(()), "{store}");
            let [report] = &reports[..] else { panic!("{store}: {reports:?}") };
            let expected = format!(
                "{field}: the stored value depends on a value that was never written: {origin}\n  \
                 --> k ${index}, group (0, 0, 0), thread 0"
            );
            assert!(report.to_string().contains(&expected), "{report}");
            let (result, _) = run(&statements, true);
            assert_eq!(result.map_err(|fault| fault.kind), Err(report.kind.clone()), "{store}");
        }
    }
}

/// No block is smaller than an oword: IGC stores 8 bytes so.
#[test]
fn the_rest_of_an_oword_after_its_variable_is_undefined() {
    let text = ".decl s v_type=G type=uq num_elts=1 align=GRF
.decl P1 v_type=P num_elts=1
    mov (M1, 1) s(0,0)<1> 0x12345678:ud
    svm_block_st.unaligned (1) p(0,0)<0;1,0> s.0
    lsc_load.ugm (M1, 1) c:d32 flat[p]:a64
    cmp.eq (M1, 1) P1 c(0,0)<0;1,0> 0x12345678:ud
    (P1) lsc_load.ugm (M1, 1) c:d32 flat[p+0x8]:a64
    lsc_store.slm (M1, 1) flat[c]:a32 c:d32";
    let (result, reports) = run(text, false);
    let fault = result.expect_err("an undefined address").to_string();
    assert!(fault.contains("the address depends on a value that was never written"), "{fault}");
    assert_eq!(reports.len(), 1, "{reports:?}");
}

#[test]
fn copies_to_local_memory_are_not_reported() {
    let statements = "    lsc_store.slm (M1, 16) flat[o]:a32 a:d32
    lsc_load.slm (M1, 16) c:d32 flat[o]:a32";
    assert_eq!(run(statements, true), (Ok(()), Vec::new()));
    let (result, _) =
        run(&format!("{statements}\n    lsc_store.ugm (M1, 16) flat[p]:a64 c:d32"), true);
    let fault = result.expect_err("a fault").to_string();
    assert!(fault.contains("byte 0 of c, which $2 computed: lsc_load.slm"), "{fault}");
}

#[test]
fn an_input_that_is_missing_was_not_given() {
    for statements in [
        "    lsc_load.ugm (M1, 16) c:d32 flat[missing]:a64",
        "    add (M1, 16) p(0,0)<1> missing(0,0)<1;1,0> 0x4:ud
    lsc_load.ugm (M1, 16) c:d32 flat[p]:a64",
    ] {
        let fault = run(statements, false).0.expect_err("a fault").to_string();
        assert!(fault.contains("never written: input `missing` was not given"), "{fault}");
    }
}

/// The registers of the hardware that nobody sets are a gap of the interpreter, not a fault of the program.
#[test]
fn registers_of_the_hardware_are_not_modelled() {
    for register in ["%tsc", "%sr0", "%hw_id", "%msg0"] {
        let read = format!("    mov (M1, 1) c(0,0)<1> {register}(0,0)<0;1,0>");
        for user in
            ["lsc_store.ugm (M1, 1) flat[p]:a64 c:d32", "lsc_load.slm (M1, 1) o:d32 flat[c]:a32"]
        {
            let fault = run(&format!("{read}\n    {user}"), false).0;
            let fault = fault.expect_err(register).kind.to_string();
            assert_eq!(fault, format!("the value of {register} is not modelled"));
        }
    }
}

/// IGC reads six floats with a block of eight.
#[test]
fn the_end_of_a_block_outside_of_its_surface_is_undefined() {
    for block in [
        "oword_ld (4) T6 0xff:ud c.0",
        "oword_ld_unaligned (4) T6 0xff0:ud c.0",
        "lsc_load.ugm (M1_NM, 1) c:d32x16t bti(0x5)[o+0xff0]:a32",
        "lsc_load.ugm (M1_NM, 1) c:d64x8t bti(0x5)[o+0xff0]:a32",
    ] {
        let store =
            |lanes| format!("    {block}\n    lsc_store.ugm (M1, {lanes}) flat[p]:a64 c:d32");
        assert_eq!(run(&store(4), true), (Ok(()), Vec::new()), "{block}");
        let (result, _) = run(&store(16), true);
        let fault = result.expect_err(block).to_string();
        assert!(
            fault.contains("the stored value depends on a value that was never written"),
            "{fault}"
        );
        let outside = block.replace("0xff", "0x100");
        let (result, _) = run(&format!("    {outside}"), true);
        let fault = result.expect_err(&outside).to_string();
        assert!(fault.contains("outside of its surface, which has 4096 bytes"), "{fault}");
    }
    for load in [
        "lsc_load.ugm (M1_NM, 1) c:d32x16t flat[p+0xff0]:a64",
        "lsc_load.ugm (M1, 16) c:d32 bti(0x5)[o+0xff0]:a32",
    ] {
        let (result, _) = run(&format!("    {load}"), true);
        let fault = result.expect_err(load).to_string();
        assert!(fault.contains("outside") || fault.contains("after the end"), "{fault}");
    }
}

/// As on the hardware, where a pseudo input and an argument are in the same registers.
#[test]
fn inputs_that_share_bytes_of_the_payload_share_registers() {
    let program = program(
        ".version 4.2\n.kernel \"k\"
.decl clobber v_type=G type=ud num_elts=64 align=GRF
.decl ids v_type=G type=uw num_elts=16 align=GRF
.decl x v_type=G type=ud num_elts=3 align=dword
.decl y v_type=G type=ud num_elts=3 align=dword
.decl before v_type=G type=ud num_elts=3 align=dword
.decl after v_type=G type=ud num_elts=3 align=dword
.implicit_PSEUDO_INPUT clobber offset=64 size=256
.input ids offset=64 size=32
.input x offset=140 size=12
.input y offset=400 size=12
    mov (M1_NM, 2) before(0,0)<1> x(0,0)<1;1,0>
    mov (M1_NM, 1) before(0,2)<1> clobber(1,5)<0;1,0>
    mov (M1_NM, 16) clobber(0,8)<1> 0x7:ud
    mov (M1_NM, 2) after(0,0)<1> x(0,0)<1;1,0>
    mov (M1_NM, 1) after(0,2)<1> y(0,1)<0;1,0>
    ret (M1, 1)\n",
    );
    let machine = Machine::new(&program);
    let image = (0..128u32).flat_map(u32::to_le_bytes).collect();
    let start = ThreadStart { image, mask: 0xffff, ..ThreadStart::default() };
    let mut group = machine.group("k", [0; 3], 0, 64, [start]).expect("a group");
    machine.run(&mut group).expect("a run");
    let words = |name| {
        let bytes = bytes(&program, &group.threads()[0], name);
        let words: Vec<u32> = bytes
            .chunks_exact(4)
            .map(|word| u32::from_le_bytes(word.try_into().unwrap()))
            .collect();
        words
    };
    // Dword 5 of the second register is at byte 64 + 64 + 20 = 148 of the payload.
    assert_eq!(words("before"), [35, 36, 37]);
    // Bytes 96 to 159 are written, which contain all of `x` at byte 140.
    assert_eq!(words("after"), [7, 7, 101]);

    let [clobber, x] = ["clobber", "x"].map(|name| variable(&program, name));
    let start = |x_bytes: [u8; 4]| {
        let variables = vec![(clobber, vec![3; 256]), (x, x_bytes.to_vec())];
        machine.group("k", [0; 3], 0, 64, [ThreadStart { variables, ..ThreadStart::default() }])
    };
    assert!(start([3; 4]).is_ok());
    let fault = start([3, 3, 4, 3]).expect_err("two values").to_string();
    assert!(fault.contains("byte 78 of clobber has two values: other inputs share it"), "{fault}");
}
