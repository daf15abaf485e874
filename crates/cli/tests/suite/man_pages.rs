//! Completions and man pages.

use std::fs;
use std::process::{Command, Output};

use super::commands::commands;
use super::run;

/// Runs a script in a shell. `$0` is the tool.
fn in_shell(shell: &str, script: &str) -> String {
    let output = Command::new(shell)
        .args(["-c", script, env!("CARGO_BIN_EXE_genvisa")])
        .output()
        .expect("a shell");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && errors.is_empty(), "{shell}: {errors}");
    String::from_utf8(output.stdout).expect("UTF-8")
}

#[test]
fn bash_completes_commands_and_options() {
    let complete = |words: &str, index: usize| {
        let script = format!(
            "source <(\"$0\" completions bash)
            complete -p genvisa >/dev/null || exit 1
            COMP_WORDS=({words}) COMP_CWORD={index}
            _genvisa genvisa \"${{COMP_WORDS[$COMP_CWORD]}}\" \"${{COMP_WORDS[$COMP_CWORD-1]}}\"
            printf '%s\\n' \"${{COMPREPLY[@]}}\""
        );
        let mut words: Vec<String> = in_shell("bash", &script).lines().map(String::from).collect();
        words.sort();
        words
    };
    assert_eq!(complete("genvisa di", 1), ["diff", "dis"]);
    assert_eq!(complete("genvisa dis --sty", 2), ["--style"]);
    assert_eq!(complete("genvisa cfg --format ''", 3), ["dot", "json", "tree"]);
}

#[test]
#[ignore = "needs zsh"]
fn zsh_loads_the_completion() {
    let script = "autoload -U compinit && compinit -D -u
        source <(\"$0\" completions zsh)
        print $_comps[genvisa] $+functions[_genvisa]";
    assert_eq!(in_shell("zsh", script), "_genvisa 1\n");
}

#[test]
fn every_shell_has_a_completion_with_all_commands() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let output = run(&["completions", shell], b"");
        let script = String::from_utf8(output.stdout).expect("UTF-8");
        for command in commands() {
            assert!(script.contains(&command), "{shell}: {command}");
        }
    }
}

#[test]
fn man_pages_are_complete() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("man1");
    let output = run(&["man", "-o", &path.to_string_lossy()], b"");
    assert!(output.status.success(), "{output:?}");
    let pages = fs::read_dir(&path).expect("a folder").map(|entry| entry.expect("a page"));
    let mut pages: Vec<_> =
        pages.map(|entry| entry.file_name().into_string().expect("UTF-8")).collect();
    pages.sort();
    let mut expected: Vec<_> =
        commands().iter().map(|command| format!("genvisa-{command}.1")).collect();
    expected.push("genvisa.1".into());
    expected.sort();
    assert_eq!(pages, expected);
    let main = fs::read(path.join("genvisa.1")).expect("a page");
    assert_eq!(run(&["man"], b"").stdout, main);
}

#[test]
#[ignore = "needs groff"]
fn groff_reads_the_man_pages() {
    let folder = tempfile::tempdir().expect("a folder");
    let output = run(&["man", "-o", &folder.path().to_string_lossy()], b"");
    assert!(output.status.success(), "{output:?}");
    for page in fs::read_dir(folder.path()).expect("a folder") {
        let page = page.expect("a page").path();
        let output = Command::new("groff").args(["-man", "-Tutf8", "-ww"]).arg(&page).output();
        let Output { status, stdout, stderr } = output.expect("groff runs");
        let (text, warnings) = (String::from_utf8_lossy(&stdout), String::from_utf8_lossy(&stderr));
        assert!(status.success() && warnings.is_empty(), "{}: {warnings}", page.display());
        assert!(text.contains("Exit codes:"), "{text}");
    }
}
