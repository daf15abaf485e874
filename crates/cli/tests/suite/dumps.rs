//! Texts in the output of compilers: each is read as if it were a file of its own.

use std::fs;
use std::path::Path;
use std::process::Output;

const OPTIONS: &str = "//Build option: \"-output\"";
/// What the compiler prints before the first text, and after each.
const BEFORE: &str = "Compilation from IR - skipping loading of FCL\n";
const AFTER: [&str; 3] = ["", "Build succeeded for : bmg.\n\n", "Build succeeded.\n"];

/// Returns texts as a compiler prints them.
fn texts() -> [String; 3] {
    ["plain", "illegal", "collatz"].map(|name| {
        let path = crate::repository(&format!("tests/data/{name}.visaasm"));
        let text = fs::read_to_string(path).expect("a text");
        // Comments cannot follow the options of another text in the same line.
        let start = text.find(".version").expect("a version");
        format!("{}\n{OPTIONS}", text[start..].trim_end())
    })
}

/// Returns a folder with `dump.txt`, and the lines and columns in it at which the texts start.
fn dump() -> (tempfile::TempDir, Vec<(usize, usize)>) {
    let folder = tempfile::tempdir().expect("a folder");
    let (mut dump, mut starts) = (String::from(BEFORE), Vec::new());
    for (text, after) in texts().iter().zip(AFTER) {
        let column = dump.rsplit('\n').next().map_or(0, str::len);
        starts.push((dump.matches('\n').count(), column));
        dump += text;
        dump += after;
    }
    fs::write(folder.path().join("dump.txt"), dump).expect("a file");
    (folder, starts)
}

fn run_in(folder: &Path, args: &[&str]) -> Output {
    crate::tool().current_dir(folder).args(args).output().expect("the tool runs")
}

fn printed(output: &Output) -> (String, String) {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (text(&output.stdout), text(&output.stderr))
}

#[test]
fn a_text_of_a_dump_is_read_like_a_file() {
    let (folder, starts) = dump();
    let list = printed(&run_in(folder.path(), &["extract", "--list", "dump.txt"])).0;
    assert!(list.starts_with("dump.txt: 3 objects\n"), "{list}");
    let extracted = run_in(folder.path(), &["extract", "dump.txt", "-o", "."]);
    assert!(extracted.status.success(), "{extracted:?}");
    for (number, text) in (1..).zip(texts()) {
        let (file, choice) = (format!("dump.txt-{number}.visaasm"), format!("dump.txt!{number}"));
        assert_eq!(fs::read_to_string(folder.path().join(&file)).expect("a file"), text);
        for command in [&["fmt"][..], &["stats"], &["info"], &["cfg"], &["asm", "-o", "-"]] {
            let [of_file, of_choice] =
                [&file, &choice].map(|input| run_in(folder.path(), &[command, &[input]].concat()));
            let (output, errors) = printed(&of_file);
            let replaced = (output.replace(&file, &choice), errors.replace(&file, &choice));
            assert_eq!(printed(&of_choice), replaced, "{command:?}");
            assert_eq!(of_choice.status, of_file.status, "{command:?}");
        }
        // The places are those in the dump, and all else is the same.
        let [of_file, of_choice] = [&file, &choice].map(|input| {
            let args = ["verify", "--json", "--warn", "igc", input];
            let json = run_in(folder.path(), &args).stdout;
            serde_json::from_slice::<serde_json::Value>(&json).expect("JSON")
        });
        let (lines, columns) = starts[number - 1];
        let moved = of_file.as_array().expect("findings").iter().cloned().map(|mut finding| {
            finding["file"] = choice.clone().into();
            for (of_line, of_column) in [("line", "column"), ("end_line", "end_column")] {
                let line = finding[of_line].as_u64().expect("a line") as usize;
                let column = finding[of_column].as_u64().expect("a column") as usize;
                finding[of_line] = (line + lines).into();
                finding[of_column] = (column + if line == 1 { columns } else { 0 }).into();
            }
            finding
        });
        assert_eq!(of_choice, moved.collect::<serde_json::Value>());
        // The second text has errors.
        assert!(number != 2 || of_choice.as_array().is_some_and(|all| !all.is_empty()));
    }
    // By name, and all texts.
    let by_name = printed(&run_in(folder.path(), &["fmt", "dump.txt!collatz"])).0;
    assert_eq!(by_name, printed(&run_in(folder.path(), &["fmt", "dump.txt!3"])).0);
    let stats = printed(&run_in(folder.path(), &["stats", "dump.txt"])).0;
    assert!((1..=3).all(|number| stats.contains(&format!("dump.txt!{number}: "))), "{stats}");
}

#[test]
fn asm_and_fmt_require_a_choice() {
    let (folder, _) = dump();
    for command in [&["fmt"][..], &["asm", "-o", "-"], &["info"]] {
        let output = run_in(folder.path(), &[command, &["dump.txt"]].concat());
        assert_eq!(output.status.code(), Some(1));
        let (_, errors) = printed(&output);
        let expected = "contains 3 objects; choose one by its number, such as `dump.txt!1`";
        assert!(errors.contains(expected), "{command:?}: {errors}");
    }
}

#[test]
fn pack_replaces_a_text_of_a_dump() {
    let (folder, _) = dump();
    let [first, second, third] = texts();
    let new = third.replace("collatz", "a_longer_name");
    fs::write(folder.path().join("new.visaasm"), &new).expect("a file");
    let output = run_in(folder.path(), &["pack", "dump.txt!1", "new.visaasm", "-o", "packed.txt"]);
    assert!(output.status.success(), "{output:?}");
    let packed = fs::read_to_string(folder.path().join("packed.txt")).expect("a file");
    let texts = [&*new, &second, &third];
    let expected: String =
        texts.iter().zip(AFTER).flat_map(|(text, after)| [*text, after]).collect();
    assert_eq!(packed, format!("{BEFORE}{expected}"));
    // Without the options, the next text would be a part of this one.
    fs::write(folder.path().join("short.visaasm"), first.replace(OPTIONS, "")).expect("a file");
    let output =
        run_in(folder.path(), &["pack", "dump.txt!1", "short.visaasm", "-o", "packed.txt"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(printed(&output).1.contains("the objects would not be found again"), "{output:?}");
}

/// The vector compiler writes a title, and the finalizer texts of another suffix.
#[test]
fn folders_contain_texts_with_titles_and_other_suffixes() {
    let folder = tempfile::tempdir().expect("a folder");
    let name = "VC_asm0_inline_asm_text.visaasm";
    let text = ".version 4.2\n.kernel \"k\"\n    badasm\n    ret (M1, 1)\n";
    let titled = format!("-------\n{name}\n-------\n{text}");
    fs::write(folder.path().join(name), titled).expect("a file");
    fs::write(folder.path().join("a.isaasm"), text).expect("a file");
    let output = run_in(folder.path(), &["verify", "."]);
    let (_, errors) = printed(&output);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(errors.matches("unknown instruction `badasm`").count(), 2, "{errors}");
    assert!(errors.contains(&format!("{name}:6:5")), "{errors}");
    assert!(errors.contains("a.isaasm:3:5"), "{errors}");
    assert_eq!(errors.matches("error: ").count(), 2, "{errors}");
}
