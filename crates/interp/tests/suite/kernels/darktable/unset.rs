//! Elements that depend on variables which the source leaves unset.

use std::fs;
use std::path::Path;

/// Copies the sources of a folder. In the copies, vectors without an initializer are initialized with `UNSET`.
///
/// For each value of `UNSET`, the copies compute what the original may compute. If two values lead to different
/// elements, the source does not determine these elements.
pub fn initialize_vectors(folder: &Path, copies: &Path) {
    for entry in fs::read_dir(folder).expect("the folder of kernels").flatten() {
        let Ok(text) = fs::read_to_string(entry.path()) else { continue };
        let lines: Vec<String> = text.lines().map(initialize).collect();
        fs::write(copies.join(entry.file_name()), lines.join("\n") + "\n").expect("a copy");
    }
}

fn initialize(line: &str) -> String {
    let declaration = || {
        let (declaration, rest) = line.split_once(';')?;
        let (ty, names) = declaration.trim_start().split_once(' ')?;
        let is_name = |name: &str| {
            !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
        };
        let names: Vec<&str> = names.split(',').map(str::trim).collect();
        let is_vector = ["float2", "float3", "float4"].contains(&ty);
        if !is_vector || !names.iter().all(|name| is_name(name)) {
            return None;
        }
        let names: Vec<String> = names.iter().map(|name| format!("{name} = UNSET")).collect();
        Some(format!("{ty} {};{rest}", names.join(", ")))
    };
    declaration().unwrap_or_else(|| line.to_owned())
}
