//! Colors of the output.

use std::process::Output;

use crate::commands::CASES;
use crate::repository;

/// Returns the calls of all commands that read a file.
fn calls() -> Vec<Vec<String>> {
    let call = |case: &crate::commands::Case| {
        let (file, args) = case.inputs.first()?;
        let args = args.iter().map(|arg| arg.replace("{}", file));
        Some([case.command.to_owned()].into_iter().chain(args).collect())
    };
    CASES.iter().filter_map(call).collect()
}

fn output(call: &[String], options: &[&str], variables: &[(&str, &str)]) -> Output {
    let mut tool = crate::tool();
    tool.args(options).args(call).current_dir(repository(""));
    for variable in ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE"] {
        tool.env_remove(variable);
    }
    tool.envs(variables.iter().copied()).output().expect("the tool runs")
}

/// Returns a text without the sequences that set styles.
fn without_styles(text: &str) -> String {
    let mut parts = text.split("\x1b[");
    let first = parts.next().unwrap_or_default().to_owned();
    let rest = parts.map(|part| part.split_once('m').expect("a style").1);
    first + &rest.collect::<String>()
}

#[test]
fn colors_change_nothing_but_styles() {
    let mut styled = 0;
    for call in calls() {
        let plain = output(&call, &[], &[]);
        let colored = output(&call, &["--color", "always"], &[]);
        for (plain, colored) in [(plain.stdout, colored.stdout), (plain.stderr, colored.stderr)] {
            assert!(!plain.contains(&0x1b), "{call:?}");
            let (Ok(plain), Ok(colored)) = (String::from_utf8(plain), String::from_utf8(colored))
            else {
                continue;
            };
            assert_eq!(without_styles(&colored), plain, "{call:?}");
            styled += usize::from(colored != plain);
        }
    }
    assert!(styled > 3, "{styled}");
}

#[test]
fn the_environment_chooses_colors() {
    let call = ["info", "tests/data/tour.isa"].map(String::from);
    let has_colors = |options: &[&str], variables: &[(&str, &str)]| {
        output(&call, options, variables).stdout.contains(&0x1b)
    };
    let force = ("CLICOLOR_FORCE", "1");
    assert!(!has_colors(&[], &[]));
    assert!(has_colors(&[], &[force]));
    assert!(!has_colors(&[], &[("CLICOLOR_FORCE", "0")]));
    assert!(!has_colors(&[], &[force, ("NO_COLOR", "1")]));
    assert!(has_colors(&["--color", "always"], &[("NO_COLOR", "1")]));
    assert!(!has_colors(&["--color", "never"], &[force]));
}
