//! The layers of the packages: a module uses only the modules before it.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use genvisa_test_support::repository;

/// The modules of the library that do not use each other, and the exceptions.
const CONSUMERS: [&str; 4] = ["text", "build", "verify", "analysis"];
const EXCEPTIONS: [(&str, &str); 2] = [("verify", "text"), ("verify", "analysis")];

/// The modules of each folder. A module uses only those before it.
const LAYERS: &[(&str, &[&str])] = &[
    (
        "src",
        &[
            "format",
            "error",
            "platform",
            "serde_impls",
            "generate",
            "docs",
            "wire",
            "operand",
            "isa",
            "object",
            "text",
            "build",
            "analysis",
            "verify",
            "strategy",
        ],
    ),
    (
        "src/text",
        &[
            "words",
            "diagnostic",
            "recorder",
            "cursor",
            "line",
            "names",
            "context",
            "operands",
            "items",
            "rows",
            "statements",
            "routines",
            "stated",
            "options",
            "files",
            "formatting",
        ],
    ),
    (
        "crates/container/src",
        &[
            "zebin",
            "kind",
            "budget",
            "compressed",
            "array",
            "place",
            "edit",
            "archive",
            "elf",
            "patch_tokens",
            "find",
            "device",
        ],
    ),
    (
        "crates/cli/src",
        &[
            "bytes",
            "words",
            "output",
            "options",
            "input",
            "modules",
            "page",
            "rule_list",
            "sarif",
            "finalizer_asm",
            "source_files",
            "explanations",
            "ocloc",
            "commands",
            "cli",
        ],
    ),
    (
        "crates/interp/src",
        &[
            "fault",
            "coverage",
            "device",
            "value",
            "number",
            "surface",
            "memory",
            "program",
            "state",
            "reports",
            "shared",
            "context",
            "message",
            "semantics",
            "machine",
            "dispatch",
        ],
    ),
    (
        "crates/equiv/src",
        &[
            "case",
            "ran",
            "side",
            "elements",
            "difference",
            "arguments",
            "reduction",
            "other",
            "comparison",
        ],
    ),
    ("crates/isa/src", &["row", "observed", "example", "data"]),
    ("crates/dap/src", &["client", "places", "view"]),
    ("crates/opencl/src", &["message"]),
    (
        "crates/lsp/src",
        &[
            "position",
            "settings",
            "program",
            "languages",
            "document",
            "features",
            "server",
            "transport",
        ],
    ),
];

fn files(path: &Path, found: &mut Vec<PathBuf>) {
    if path.is_dir() {
        for entry in fs::read_dir(path).expect("a folder").flatten() {
            files(&entry.path(), found);
        }
    } else if path.extension().is_some_and(|extension| extension == "rs") {
        found.push(path.into());
    }
}

/// Returns the names in a module of the package that code uses: the identifiers after the path of
/// that module, such as `crate::` or a number of `super::`, with those in braces. Links of
/// documentation, in comments and strings, are not uses.
fn used(source: &str, paths: &[String; 2]) -> Vec<String> {
    let code: String = source
        .lines()
        .map(|line| line.split('"').step_by(2).collect::<String>())
        .map(|code| code.split("//").next().unwrap_or_default().to_owned())
        .collect::<Vec<_>>()
        .join("\n");
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let word = |text: &str| text.chars().take_while(|c| is_word(*c)).collect::<String>();
    let mut names = Vec::new();
    let uses = paths.iter().flat_map(|path| code.match_indices(path.as_str()));
    for (at, path) in uses {
        let rest = &code[at + path.len()..];
        if rest.starts_with("super::") || code[..at].ends_with("super::") {
            continue;
        }
        match rest.strip_prefix('{').and_then(|rest| rest.split_once('}')) {
            Some((list, _)) => names.extend(list.split(',').map(|name| word(name.trim()))),
            None => names.push(word(rest)),
        }
    }
    names
}

/// Returns the two paths with which a file names the modules of a folder that contains it.
fn paths_to(folder: &str, file: &str) -> [String; 2] {
    let absolute = folder.split('/').skip_while(|part| *part != "src").skip(1);
    let absolute = absolute.fold(String::from("crate::"), |path, part| path + part + "::");
    let is_root = file.ends_with("/mod.rs");
    let depth = file.split('/').count() - usize::from(is_root);
    [absolute, "super::".repeat(depth)]
}

/// Returns the uses of modules that are not above the module that uses them.
fn upward(source: &str, root: &str) -> Vec<String> {
    let (_, order) = LAYERS.iter().find(|(folder, _)| *folder == source).expect("a list");
    let order: Vec<String> = order.iter().map(|module| String::from(*module)).collect();
    let rank: BTreeMap<&str, usize> = order.iter().map(String::as_str).zip(0..).collect();
    let folder = repository(source);
    let root = fs::read_to_string(folder.join(root)).expect("the root of the package");
    let declared = root.lines().filter_map(|line| {
        line.trim_start_matches("pub ").strip_prefix("mod ")?.strip_suffix(';').map(String::from)
    });
    let mut declared: Vec<String> = declared.collect();
    // What the root exports is in these modules.
    let exports: BTreeMap<String, String> = (root.split(';'))
        .filter_map(|statement| statement.split_once("\npub use ")?.1.split_once("::"))
        .flat_map(|(module, names)| {
            let names = names.trim_matches(['{', '}']).split(',').map(str::trim);
            let names = names.filter(|name| !name.is_empty()).map(String::from);
            names.map(|name| (name, module.to_owned())).collect::<Vec<_>>()
        })
        .collect();
    let mut listed = order.clone();
    declared.sort();
    listed.sort();
    assert_eq!(declared, listed, "the list for {source}");
    let mut wrong = Vec::new();
    for module in &order {
        let mut paths = Vec::new();
        files(&folder.join(format!("{module}.rs")), &mut paths);
        if folder.join(module).is_dir() {
            files(&folder.join(module), &mut paths);
        }
        assert!(!paths.is_empty(), "{module}");
        for path in paths.into_iter().filter(|path| path.exists()) {
            let file = path.strip_prefix(&folder).expect("a file of the package");
            let paths_to_modules = paths_to(source, &file.to_string_lossy());
            for name in used(&fs::read_to_string(&path).expect("a source file"), &paths_to_modules)
            {
                let name = exports.get(&name).unwrap_or(&name);
                let Some(other) = rank.get(name.as_str()) else { continue };
                let are_consumers =
                    [module, name].iter().all(|it| CONSUMERS.contains(&it.as_str()));
                let is_exception = EXCEPTIONS.contains(&(module.as_str(), name.as_str()));
                let is_wrong = are_consumers && module != name && !is_exception;
                if *other > rank[module.as_str()] || is_wrong && source == "src" {
                    wrong.push(format!("{}: {name}", path.display()));
                }
            }
        }
    }
    wrong
}

#[test]
fn modules_of_the_library_use_only_those_above_them() {
    assert_eq!(upward("src", "lib.rs"), Vec::<String>::new());
}

#[test]
fn modules_of_the_containers_use_only_those_above_them() {
    assert_eq!(upward("crates/container/src", "lib.rs"), Vec::<String>::new());
}

#[test]
fn modules_of_the_tool_use_only_those_above_them() {
    assert_eq!(upward("crates/cli/src", "lib.rs"), Vec::<String>::new());
}

#[test]
fn modules_of_the_language_server_use_only_those_above_them() {
    assert_eq!(upward("crates/lsp/src", "lib.rs"), Vec::<String>::new());
}

#[test]
fn modules_of_the_interpreter_use_only_those_above_them() {
    assert_eq!(upward("crates/interp/src", "lib.rs"), Vec::<String>::new());
}

#[test]
fn modules_of_the_text_use_only_those_above_them() {
    assert_eq!(upward("src/text", "mod.rs"), Vec::<String>::new());
}
