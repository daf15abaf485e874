//! Which builds of a kernel agree.

use std::fs;

use genvisa_test_support::ocloc::Ocloc;
use genvisa_test_support::python_with_opencl;

use super::{repository, run};

fn triage(args: &[&str]) -> (Option<i32>, String) {
    let output = run(&[&["triage"], args].concat(), b"");
    let text = [output.stdout, output.stderr].concat();
    (output.status.code(), String::from_utf8(text).expect("UTF-8"))
}

/// A compiler that copies the binary of the device, and refuses other devices.
#[test]
#[cfg(unix)]
fn builds_are_compiled_with_and_without_optimization() {
    use std::os::unix::fs::PermissionsExt;

    let folder = tempfile::tempdir().expect("a folder");
    let compiler = folder.path().join("ocloc");
    let binaries = repository("crates/interp/tests/data");
    let script = format!(
        "#!/bin/sh\necho \"$@\" >>{0}/log\ntest -f \"$5\" || exit 3\n\
         if test $3 = bmg; then cp {2}/copy*.visaasm .; fi\n\
         cp {1}/scale-$3.bin program.bin 2>/dev/null || {{ echo no such device; exit 4; }}\n",
        folder.path().display(),
        binaries.display(),
        repository("tests/data/dumps").display()
    );
    fs::write(&compiler, script).expect("a script");
    fs::set_permissions(&compiler, fs::Permissions::from_mode(0o755)).expect("a script");
    let source = folder.path().join("scale.cl");
    fs::write(&source, "kernel void scale() {}").expect("a file");
    let (compiler, source) = (compiler.display().to_string(), source.display().to_string());
    let builds = folder.path().join("builds").display().to_string();
    let call = [&*source, "--ocloc", &compiler, "--options=-DN=1", "-o", &builds];
    let devices = ["--device", "bmg", "--device", "tgllp"];
    let (code, text) = triage(&[&call[..], &devices].concat());
    assert_eq!(code, Some(0), "{text}");
    for kernel in ["scale", "rotate"] {
        let agree = format!("{kernel}\n  agree: bmg -O0, tgllp -O0, bmg, tgllp\n");
        assert!(text.contains(&agree), "{text}");
    }
    assert_eq!(text.matches("  =  4 builds compute the same.").count(), 2, "{text}");
    assert!(text.contains("bmg: 0 errors in the texts, 2 changes by the compiler\n"), "{text}");
    // Python may have pyopencl or not; the source has other kernels than the builds.
    assert!(text.contains("tgllp: 0 errors in the texts\ncpu: "), "{text}");
    let log = fs::read_to_string(folder.path().join("log")).expect("a log");
    let options: Vec<&str> =
        log.lines().map(|line| line.split("-options ").nth(1).expect("options")).collect();
    let rest = " -internal_options -ze-emit-zebin-visa-sections -output_no_suffix -output program";
    assert_eq!(options[0], format!("-DN=1 -cl-opt-disable{rest}"));
    assert_eq!(options[2], format!("-DN=1{rest}"));
    // Dumps of another run would be counted.
    let (code, text) = triage(&[&call[..], &devices].concat());
    assert!(code == Some(1) && text.contains("is not empty"), "{text}");
    // The others are compared if a device is refused.
    let devices = ["--device", "bmg", "--device", "none"];
    let (code, text) = triage(&[&call[..4], &devices].concat());
    assert_eq!(code, Some(1), "{text}");
    assert!(text.contains("  agree: bmg -O0, bmg\n") && text.contains("no such device"), "{text}");
}

#[test]
fn builds_that_exist_are_compared() {
    let name = |device: &str| format!("crates/interp/tests/data/scale-{device}.bin");
    let (bmg, dg2) = (name("bmg"), name("dg2"));
    let (code, text) = triage(&[&bmg, &dg2, "--runs", "4"]);
    assert_eq!(code, Some(0), "{text}");
    assert!(text.starts_with(&format!("scale\n  agree: {bmg}, {dg2}\n")), "{text}");
    let (code, text) = triage(&[&bmg, &dg2, "--kernel", "rotate"]);
    assert_eq!(code, Some(1));
    assert!(text.contains("there is no kernel `rotate`; there is scale"), "{text}");
}

#[test]
fn errors_in_the_text_of_a_build_are_counted() {
    let folder = tempfile::tempdir().expect("a folder");
    let bmg = repository("crates/interp/tests/data/scale-bmg.bin");
    let mut bytes = fs::read(&bmg).expect("a file of the repository");
    let source = b"V0069(0,0)<1> V0068(0,0)<1;1,0>";
    let at = bytes.windows(source.len()).position(|it| it == source).expect("a copy");
    // The row is after the end of the variable.
    bytes[at + source.len() - 11] = b'9';
    let illegal = folder.path().join("illegal.bin");
    fs::write(&illegal, bytes).expect("a file");
    let [bmg, illegal] = [bmg, illegal].map(|path| path.display().to_string());
    let (_, text) = triage(&[&bmg, &illegal, "--kernel", "scale"]);
    assert!(text.contains(&format!("{bmg}: 0 errors in the texts\n")), "{text}");
    assert!(text.contains(&format!("{illegal}: 1 error in the texts\n")), "{text}");
}

/// IGC makes one division of a signed and an unsigned one.
#[test]
#[ignore = "needs ocloc of IGC 2.40.14 and pocl"]
fn a_bug_of_the_optimizer_is_found() {
    let ocloc = Ocloc::required();
    let folder = tempfile::tempdir().expect("a folder");
    let source = folder.path().join("sdiv-udiv.cl");
    let text = "kernel void s(global int *o1, global uint *o, global const int *a, global const int *b) {\n\
        int g = get_global_id(0);\n int x = a[g], y = b[g];\n o1[g] = x / y ^ x % y;\n\
        o[g] = (uint)x / (uint)y + (uint)x % (uint)y;\n}\n\
        kernel void q(global int *o, global const int *a) { o[get_global_id(0)] = a[get_global_id(0)] * 3; }\n\
        #ifdef POCL_DEVICE_ADDRESS_BITS\n#define N 2\n#else\n#define N 3\n#endif\n\
        kernel void p(global int *o) { o[get_global_id(0)] = N; }\n";
    fs::write(&source, text).expect("a file");
    let [source, program, python] =
        [&source, ocloc.program(), &*python_with_opencl()].map(|path| path.display().to_string());
    let (code, text) =
        triage(&[&*source, "--ocloc", &program, "--options=-cl-std=CL3.0", "--python", &python]);
    assert_eq!(code, Some(1), "{text}");
    assert!(text.contains("s\n  agree: bmg -O0, dg2 -O0, cpu\n  agree: bmg, dg2\n"), "{text}");
    assert!(text.contains("OpenCL on the CPU agrees with bmg -O0 and dg2 -O0\n"), "{text}");
    assert!(
        text.contains("the optimized builds for bmg and dg2 differ. The optimizer of"),
        "{text}"
    );
    assert!(text.contains("argument 1, `o`: element "), "{text}");
    assert!(text.contains("q\n  agree: bmg -O0, dg2 -O0, bmg, dg2, cpu\n"), "{text}");
    assert!(text.contains("p\n  agree: bmg -O0, dg2 -O0, bmg, dg2\n  agree: cpu\n"), "{text}");
    assert!(text.contains("All builds compute the same, and OpenCL on the CPU"), "{text}");
}
