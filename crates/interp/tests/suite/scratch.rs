//! Scratch memory of threads, which `%r0.5` refers to.

use genvisa::Platform;
use genvisa_interp::binary::DeviceBinary;
use genvisa_interp::dispatch::{Argument, DispatchError, Grid, Launch, Options};
use genvisa_interp::{Fault, FaultKind, Machine, Program};

const INFO: &str = "\
kernels:
  - name: k
    execution_env:
      simd_size: 8
      private_size: 64
    payload_arguments:
      - arg_type: arg_bypointer
        offset: 0
        size: 8
        arg_index: 0
        addrmode: stateless
        addrspace: global
    per_thread_payload_arguments:
      - arg_type: local_id
        offset: 0
        size: REGISTER
    per_thread_memory_buffers:
      - type: scratch
        usage: single_space
        size: 64
";

/// A kernel whose items store their local id and the id of the group to scratch memory unless `stores` is
/// unset, wait for all threads, and copy it to their element of the argument.
fn text(platform: &str, register: u32, stores: bool, offset: u32) -> String {
    let has_surface = platform != "TGLLP";
    let (scratch, store, load, out) = match has_surface {
        true => (
            "shr (M1_NM, 1) h(0,0)<1> %r0(0,5)<0;1,0> 0x4:ud".to_owned(),
            "lsc_store.ugm (M1, 8) ss(h)[o]:a32 v:d32",
            "lsc_load.ugm (M1, 8) w:d32 ss(h)[o]:a32",
            "lsc_store.ugm (M1, 8) flat[q]:a64 w:d32",
        ),
        false => (
            "and (M1_NM, 1) h(0,0)<1> %r0(0,5)<0;1,0> 0xfffffc00:ud
    add (M1, 8) o(0,0)<1> o(0,0)<1;1,0> h(0,0)<0;1,0>"
                .to_owned(),
            "scatter4_scaled.R (M1, 8) %scratch 0x0:ud o.0 v.0",
            "gather4_scaled.R (M1, 8) %scratch 0x0:ud o.0 w.0",
            "svm_scatter.4.1 (M1, 8) q.0 w.0",
        ),
    };
    let store = if stores { store } else { "" };
    format!(
        ".version 4.2
.kernel \"k\"
.decl id v_type=G type=uw num_elts=8 align=GRF
.decl p v_type=G type=uq num_elts=1 align=qword
.decl q v_type=G type=uq num_elts=8 align=GRF
.decl v v_type=G type=ud num_elts=8 align=GRF
.decl w v_type=G type=ud num_elts=8 align=GRF
.decl o v_type=G type=ud num_elts=8 align=GRF
.decl h v_type=G type=ud num_elts=1 align=dword
.input id offset={register} size=16
.input p offset={} size=8
    mul (M1_NM, 1) h(0,0)<1> %r0(0,1)<0;1,0> 0x10:ud
    add (M1, 8) v(0,0)<1> id(0,0)<1;1,0> h(0,0)<0;1,0>
    mov (M1, 8) q(0,0)<1> v(0,0)<1;1,0>
    shl (M1, 8) q(0,0)<1> q(0,0)<1;1,0> 0x2:ud
    add (M1, 8) q(0,0)<1> q(0,0)<1;1,0> p(0,0)<0;1,0>
    mov (M1, 8) o(0,0)<1> 0x76543210:v
    shl (M1, 8) o(0,0)<1> o(0,0)<1;1,0> 0x2:ud
    add (M1, 8) o(0,0)<1> o(0,0)<1;1,0> {offset:#x}:ud
    {scratch}
    {store}
    barrier
    {load}
    {out}
    ret (M1, 1)
//Platform: {platform}
",
        register * 2
    )
}

/// The contents of the argument and the undefined stores, or the fault.
type Outcome = Result<(Vec<u8>, Vec<Fault>), Fault>;

fn run(platform: &str, stores: bool, offset: u32, workers: u32) -> Outcome {
    let named: Platform = platform.parse().expect("a platform");
    let register = named.register_size().bytes();
    let info = INFO.replace("REGISTER", &register.to_string());
    let text = text(platform, register, stores, offset).into_bytes();
    let binary = DeviceBinary::from_texts(&info, [text]).expect("a kernel");
    let program = Program::of_kernel(&binary, "k", named).expect("a program");
    let mut machine = Machine::new(&program);
    let grid = Grid::new(&[64], &[16]).expect("a grid");
    let options = Options { platform: named, workers };
    let argument = vec![Argument::Buffer(vec![0xff; 256])];
    let launch = Launch::new(&mut machine, &binary, "k", options, grid, argument);
    let launch = launch.unwrap_or_else(|error| panic!("{platform}: {error}"));
    launch.run(&machine, workers)?;
    let reports = machine.undefined_stores();
    let address = launch.buffer(0).expect("a buffer");
    Ok((machine.memory().bytes(address).expect("its contents").to_vec(), reports))
}

/// TGLLP has addresses in scratch memory, the others have a surface for each thread.
const PLATFORMS: [&str; 5] = ["TGLLP", "DG2", "PVC", "XE2", "XE3"];

#[test]
fn each_thread_has_its_own_scratch_memory() {
    let expected: Vec<u8> = (0..64u32).flat_map(u32::to_le_bytes).collect();
    for platform in PLATFORMS {
        for workers in [1, 3] {
            let found = run(platform, true, 0, workers);
            let (found, reports) = found.unwrap_or_else(|fault| panic!("{platform}: {fault}"));
            assert_eq!(found, expected, "{platform}, {workers}");
            assert_eq!(reports, [], "{platform}");
        }
    }
}

#[test]
fn scratch_memory_is_undefined_for_each_group() {
    for platform in PLATFORMS {
        let (_, reports) = run(platform, false, 0, 1).expect("a run");
        let [report] = &reports[..] else { panic!("{platform}: {reports:?}") };
        assert!(report.to_string().contains("byte 0 of w, which $"), "{report}");
    }
}

#[test]
fn scratch_surfaces_have_the_stated_size() {
    for platform in &PLATFORMS[1..] {
        assert!(run(platform, true, 32, 1).is_ok(), "{platform}");
        let fault = run(platform, true, 36, 1).expect_err("a fault").to_string();
        assert!(fault.contains("outside of its surface, which has 64 bytes"), "{fault}");
    }
}

#[test]
fn scratch_memory_is_bounded() {
    for platform in PLATFORMS {
        let named: Platform = platform.parse().expect("a platform");
        let info = INFO.replace("REGISTER", &named.register_size().bytes().to_string());
        let text = text(platform, named.register_size().bytes(), true, 0).into_bytes();
        let binary = DeviceBinary::from_texts(&info, [text]).expect("a kernel");
        let program = Program::of_kernel(&binary, "k", named).expect("a program");
        let mut machine = Machine::new(&program).with_memory_limit(1000);
        let grid = Grid::new(&[64], &[16]).expect("a grid");
        let options = Options { platform: named, workers: 1 };
        let argument = vec![Argument::Buffer(vec![0xff; 256])];
        let error = Launch::new(&mut machine, &binary, "k", options, grid, argument);
        match error.err() {
            Some(DispatchError::Program(Fault {
                kind: FaultKind::TooLarge { limit, .. }, ..
            })) => {
                assert_eq!(limit, 1000, "{platform}");
            }
            other => panic!("{platform}: {other:?}"),
        }
    }
}
