//! `asm`: what it writes and rejects.

use genvisa::{Dialect, Module};
use genvisa_test_support::corpus;

use super::{dis, run};

/// Output that is not a terminal loses control sequences, but not if it is a `.isa` file.
#[test]
fn asm_writes_the_same_bytes_to_standard_output() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("plain.isa");
    let asm = |output: &std::path::Path| {
        crate::tool()
            .args(["asm", "tests/data/plain.visaasm", "-o"])
            .arg(output)
            .output()
            .expect("the tool runs")
    };
    assert!(asm(&file).status.success());
    let written = std::fs::read(&file).expect("it was written");
    assert_eq!(asm("-".as_ref()).stdout, written);
    assert!(genvisa::Module::from_bytes(&written, genvisa::Dialect::Igc2022).is_ok());
}

#[test]
fn asm_rejects_the_same_routine_in_two_texts() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = |name: &str| folder.path().join(name).to_str().expect("UTF-8").to_owned();
    let (a, b, out) = (path("a.visaasm"), path("b.visaasm"), path("out.isa"));
    for text in [&a, &b] {
        std::fs::write(text, ".version 3.6\n.kernel \"k\"\nret (M1, 1)\n")
            .expect("a writable file");
    }
    let result = run(&["asm", &a, &b, "-o", &out], b"");
    assert_eq!(result.status.code(), Some(1));
    let message = String::from_utf8_lossy(&result.stderr).into_owned();
    assert!(message.contains("that an earlier text defines"), "{message}");
    assert!(!std::path::Path::new(&out).exists());
}

/// Text can have larger numbers than the tables of a file.
#[test]
fn encoding_errors_have_a_snippet() {
    let source = ".version 3.6\n.kernel \"k\"\n.decl v v_type=G type=d num_elts=70000\n";
    let result = run(&["asm", "-", "-o", "-"], source.as_bytes());
    assert_eq!(result.status.code(), Some(1));
    let message = String::from_utf8_lossy(&result.stderr).into_owned();
    assert!(message.contains("num_elements: 70000 is out of range"), "{message}");
    assert!(message.contains("-:3:1") && message.contains(".decl v v_type=G"), "{message}");
}

/// `//@ sections` gives the order and padding of one file, which does not fit other texts.
#[test]
fn asm_rejects_section_order_with_several_texts() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (text, file) = (folder.path().join("laid-out.visaasm"), folder.path().join("both.isa"));
    let asm = |sections: &str, texts: &[&str]| {
        let kernels = ["a", "b"]
            .map(|name| format!(".version 3.6\n.kernel \"{name}\"\nret (M1, 1)\n"))
            .concat();
        let source = format!("//@ sections {sections}\n{kernels}");
        std::fs::write(&text, source).expect("a writable file");
        let mut tool = crate::tool();
        let output = tool.arg("asm").arg(&text).args(texts).arg("-o").arg(&file).output();
        let output = output.expect("the tool runs");
        (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    for sections in ["kernel 0 kernel 1 padding = 01 02", "kernel 1 kernel 0"] {
        let (code, stderr) = asm(sections, &["tests/data/plain.visaasm"]);
        assert_eq!(code, Some(1));
        let message = "cannot assemble this with other texts: it specifies the order or padding of the \
                       sections of its file";
        assert!(stderr.ends_with(&format!("laid-out.visaasm: {message}\n")), "{stderr}");
        assert!(!file.exists());
    }
    assert_eq!(asm("kernel 1 kernel 0", &[]), (Some(0), String::new()));
    let usual = asm("kernel 0 kernel 1", &["tests/data/plain.visaasm"]);
    assert_eq!(usual, (Some(0), String::new()));
    let bytes = std::fs::read(&file).expect("it was written");
    let module = Module::from_bytes(&bytes, Dialect::Igc2022).expect("an object");
    assert_eq!(module.kernels.len(), 3);
}

/// `dis F | asm - -o G --gen-binaries-of F` makes G equal to F, in every version.
#[test]
fn asm_restores_the_file_from_the_output_of_dis() {
    let tour = crate::repository("tests/data/tour.isa");
    for path in std::iter::once(tour).chain(corpus::files()) {
        let bytes = std::fs::read(&path).expect("a readable file");
        let name = path.to_str().expect("UTF-8");
        for numbers in [&[][..], &["--no-numbers"]] {
            let text = dis(numbers, &bytes);
            assert!(text.status.success(), "{name}");
            let file = run(&["asm", "-", "-o", "-", "--gen-binaries-of", name], &text.stdout);
            let stderr = String::from_utf8_lossy(&file.stderr);
            assert!(file.status.success() && stderr.is_empty(), "{name}: {stderr}");
            assert!(file.stdout == bytes, "{name}");
        }
    }
}

#[test]
fn asm_warns_about_gen_binaries_of_changed_kernels() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("tour.isa");
    std::fs::copy(crate::repository("tests/data/tour.isa"), &file)
        .expect("a file of the repository");
    let file = file.to_str().expect("UTF-8");
    let text = dis(&[], &std::fs::read(file).expect("a file")).stdout;
    let text = String::from_utf8(text).expect("UTF-8");
    let asm = |text: &str, options: &[&str]| {
        let args = [&["asm", "-", "-o", "-", "--gen-binaries-of", file], options].concat();
        let output = run(&args, text.as_bytes());
        (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    let success = (Some(0), String::new());
    assert_eq!(asm(&text, &[]), success);
    // The same instructions in another version.
    assert_eq!(asm(&text, &["--isa-version", "4.1"]), success);
    let (code, stderr) = asm(&text.replace("0x4:ud", "0x8:ud"), &[]);
    let expected = format!(
        "genvisa: warning: kernel `tour`: the GEN binaries in `{file}` were compiled from different \
         vISA code\n"
    );
    assert_eq!((code, stderr), (Some(0), expected));
}
