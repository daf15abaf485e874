//! Names with characters that control how a terminal, an editor or a page shows others.

use std::fs;

use genvisa::Format;
use genvisa::object::{Attribute, Name};
use genvisa_test_support::tour;

use super::commands::CASES;
use super::run;

/// C1 controls, a delete, marks and controls of the direction, and separators of lines.
const ODD: &str = "\u{7f}\u{80}\u{85}\u{9b}31m\u{9f}\u{61c}\u{200e}\u{200f}\u{2028}\u{2029}\u{202a}\u{202e}\u{2066}\u{2069}";

/// The characters of [`ODD`] and their neighbours, by their blocks.
fn is_odd(c: char) -> bool {
    matches!(u32::from(c), 0x7f..=0x9f | 0x61c | 0x200e..=0x200f | 0x2028..=0x202e | 0x2066..=0x2069)
}

/// Returns a `.isa` file with the characters in the names of its kernels, variables and strings.
fn object() -> Vec<u8> {
    let mut module = tour::module(Format::default()).expect("a module");
    for (index, kernel) in module.kernels.iter_mut().enumerate() {
        kernel.name = format!("k{index}{ODD}").as_str().into();
        for string in kernel.body.strings.iter_mut() {
            *string = Name::from(&[string.as_bytes(), ODD.as_bytes()].concat()[..]);
        }
        let attribute = Attribute { value: ODD.as_bytes().into(), ..Attribute::default() };
        kernel.body.attributes.push(attribute);
    }
    module.to_bytes().expect("bytes")
}

/// Files of the kinds that commands read, with the characters in what is printed.
fn files() -> Vec<(&'static str, Vec<u8>)> {
    let declaration = ".decl x v_type=G type=d num_elts=16 align=GRF\n";
    let text = format!(
        ".version 4.2\n.kernel \"k{ODD}\"\n{declaration}FILE \"{ODD}.cl\"\nLOC 1\n\
         mov (M1, 16) x(0,0)<1> y{ODD}(0,0)<1;1,0>\nret (M1, 1)\n"
    );
    let source = format!("void f() {{ __asm__(\"mov (M1, 16) x{ODD}(0,0)<1> 0x0:d\\n\"); }}\n");
    let correct =
        text.lines().filter(|line| !line.starts_with("mov")).map(|line| format!("{line}\n"));
    vec![
        ("isa", object()),
        ("visaasm", correct.collect::<String>().into()),
        ("visaasm", text.into()),
        ("cl", source.into()),
    ]
}

#[test]
fn odd_names_are_escaped_in_all_output() {
    let folder = tempfile::tempdir().expect("a folder");
    let more: [&[&str]; 12] = [
        &["dis", "{}", "--style", "genx-ir"],
        &["dis", "{}", "--source"],
        &["cfg", "{}", "--format", "dot"],
        &["cfg", "{}", "--format", "json"],
        &["verify", "{}", "--json"],
        &["verify", "{}", "--format", "sarif"],
        &["check", "{}", "--json"],
        &["stats", "{}", "--json", "--by-line"],
        &["explain", "{}", "--html", "-"],
        &["report", "{}", "-o", "-"],
        &["extract", "{}", "--list"],
        &["diff", "{}", "tests/data/tour.isa", "--json"],
    ];
    let of_cases = CASES
        .iter()
        .flat_map(|case| case.inputs.iter().map(|(_, args)| [&[case.command], *args].concat()));
    let calls: Vec<Vec<&str>> = of_cases.chain(more.iter().map(|call| call.to_vec())).collect();
    let mut escaped = 0;
    for (index, (suffix, bytes)) in files().into_iter().enumerate() {
        let path = folder.path().join(format!("{index}{ODD}.{suffix}"));
        fs::write(&path, bytes).expect("a file");
        let path = path.to_str().expect("UTF-8");
        for call in &calls {
            let args: Vec<String> = call.iter().map(|arg| arg.replace("{}", path)).collect();
            let args: Vec<&str> = args.iter().map(String::as_str).collect();
            let output = run(&args, b"");
            for stream in [output.stdout, output.stderr] {
                // `asm` and others write bytes.
                let Ok(text) = String::from_utf8(stream) else { continue };
                let odd = text.lines().find(|line| line.contains(is_odd));
                assert_eq!(odd, None, "{call:?} of .{suffix}");
                escaped += usize::from(text.contains("\\u202e") || text.contains("\\u{202e}"));
            }
        }
    }
    assert!(escaped > 40, "{escaped}");
}
