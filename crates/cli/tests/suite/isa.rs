//! `genvisa isa`: its examples are text that the tool reads and verifies.

use std::collections::BTreeMap;

use serde_json::Value;

use super::run;

/// Returns the data of a part of the instructions. The tests of the Python package read all of them.
fn instructions() -> Vec<Value> {
    const STEP: usize = 5;
    let list = run(&["isa"], b"").stdout;
    let list = String::from_utf8(list).expect("UTF-8");
    let mnemonics = list.lines().filter_map(|line| line.get(6..)?.split_whitespace().next());
    let mut all = Vec::new();
    for mnemonic in mnemonics.step_by(STEP) {
        let output = run(&["isa", mnemonic, "--json"], b"");
        assert_eq!(output.status.code(), Some(0), "{mnemonic}");
        let rows: Vec<Value> = serde_json::from_slice(&output.stdout).expect("JSON");
        all.extend(rows);
    }
    assert!(all.len() > 40, "{}", all.len());
    all
}

fn text<'v>(value: &'v Value, name: &str) -> &'v str {
    value[name].as_str().expect(name)
}

fn list<'v>(value: &'v Value, name: &str) -> &'v [Value] {
    value[name].as_array().expect(name)
}

/// Examples without names of strings and labels, which are those of a routine.
fn is_whole(example: &str) -> bool {
    !example.contains('#') && !example.contains("L0")
}

#[test]
fn examples_are_text_that_verifies() {
    let mut groups: BTreeMap<(String, String), Vec<String>> = BTreeMap::new();
    let mut without = Vec::new();
    for instruction in instructions() {
        let mnemonic = text(&instruction, "mnemonic");
        let example = &instruction["example"];
        if example.is_null() {
            without.push(mnemonic.to_owned());
            continue;
        }
        let declarations: Vec<&str> =
            list(example, "declarations").iter().filter_map(Value::as_str).collect();
        let line = text(example, "text");
        if is_whole(line) {
            let key = (text(example, "platform").to_owned(), text(example, "format").to_owned());
            let kernel = format!("{}\n    {line}\n    ret (M1, 1)\n", declarations.join("\n"));
            groups.entry(key).or_default().push(kernel);
        }
    }
    assert!(without.len() <= 4, "no example: {without:?}");
    for ((platform, format), kernels) in groups {
        let (dialect, version) = format.split_once(' ').expect("a dialect and a version");
        let mut source = format!(".version {version}\n");
        for (number, kernel) in kernels.iter().enumerate() {
            source += &format!(".kernel \"k{number}\"\n{kernel}");
        }
        let options = ["--platform", &platform, "--dialect", dialect, "--isa-version", version];
        let output = run(&[&["verify"], &options[..], &["-"]].concat(), source.as_bytes());
        let shown = String::from_utf8_lossy(&output.stdout);
        let routines = if kernels.len() == 1 { "routine" } else { "routines" };
        let expected = format!("1 file, {} {routines}: 0 errors, 0 warnings\n", kernels.len());
        assert_eq!(
            shown,
            expected,
            "{platform} {format}: {}",
            String::from_utf8_lossy(&output.stderr)
        );
    }
}

#[test]
fn the_five_instructions_have_pages() {
    for (mnemonic, field) in [
        ("resinfo", "channels"),
        ("media_ld", "block_width"),
        ("RT_WRITE", "mode"),
        ("gather4_typed", "channels"),
        ("sample_3d", "aoffimmi"),
    ] {
        let output = run(&["isa", mnemonic], b"");
        let page = String::from_utf8_lossy(&output.stdout);
        assert_eq!(output.status.code(), Some(0), "{mnemonic}");
        for part in ["Fields\n", "Example for ", "Platforms\n", &format!("  {field} ")] {
            assert!(page.contains(part), "{mnemonic}: {part}: {page}");
        }
        assert!(page.lines().all(|line| line.len() <= 160), "{page}");
    }
}

#[test]
fn unknown_mnemonics_have_suggestions() {
    let output = run(&["isa", "gather4_tpyed"], b"");
    assert_eq!(output.status.code(), Some(1));
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(errors.contains("did you mean `gather4_typed`?"), "{errors}");
}

#[test]
fn the_page_of_all_instructions_is_one_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("isa.html");
    let file = path.to_str().expect("UTF-8");
    let output = run(&["isa", "--html", file, "--platform", "TGLLP"], b"");
    assert_eq!(output.status.code(), Some(0));
    let page = std::fs::read_to_string(&path).expect("the page");
    for part in ["Content-Security-Policy", "gather4_typed", "<title>GEN vISA"] {
        assert!(page.contains(part), "{part}");
    }
    assert!(!page.contains("http://") && !page.contains("https://"), "it loads nothing");
    let both = run(&["isa", "add", "--html", file], b"");
    assert_eq!(both.status.code(), Some(2));
}

/// The length of a vector operand is in its first byte; other types state theirs for each format.
#[test]
fn types_have_their_bytes_in_each_format() {
    for (mnemonic, field, expected) in [
        ("mov", "exec", Some([1, 1])),
        ("mov", "pred", Some([2, 2])),
        ("file", "file_name", Some([2, 4])),
        ("oword_ld", "dst", Some([4, 6])),
        ("mov", "dst", None),
        ("mov", "src0", None),
    ] {
        let rows = genvisa_isa::find(mnemonic);
        let row = rows.first().expect("an instruction");
        let spec = row.fields().iter().find(|spec| spec.name == field).expect("a field");
        let ty = serde_json::to_value(genvisa_isa::Type::observe(row, spec)).expect("JSON");
        let bytes = ["igc2022 3.3", "igc2022 3.4"].map(|format| ty["bytes"][format].as_u64());
        assert_eq!(bytes, expected.map_or([None; 2], |it| it.map(Some)), "{mnemonic}, {field}");
    }
}
