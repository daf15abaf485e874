//! Messages about the objects and texts in a file.

use std::io;
use std::path::Path;

use genvisa::text::nearest;
use genvisa_container::{Broken, Container, Limited, is_visa_text};

use crate::output::Output;
use crate::words::{count, is_standard, printable, shortened};

/// Returns the error message for a number or a routine that a file does not contain.
pub fn no_object(container: &Container<'_>, file: &str, choice: &str) -> String {
    let objects = &container.objects;
    if is_visa_text(container.bytes) && objects.is_empty() {
        return format!("`{file}` is one text; `!` chooses an object in a file with others");
    }
    let routines = objects.iter().flat_map(|found| &found.routines).map(String::as_str);
    let has = match (objects.len(), nearest(choice, routines)) {
        (0, _) => reason_for_none(container).unwrap_or_else(|| "it contains no vISA".into()),
        (_, Some(routine)) if choice.parse::<u64>().is_err() => {
            format!("did you mean `{}`?", printable(routine))
        }
        (objects, _) => {
            let objects = count(objects, "object");
            format!("it contains {objects}, which `genvisa extract --list` lists")
        }
    };
    format!("`{file}` contains no object or routine `{}`; {has}", printable(choice))
}

/// Warns of the parts of a file that cannot be read.
pub fn warn_of_damage(file: &str, damage: &Limited<String>, out: &mut Output) -> io::Result<()> {
    for problem in damage.first() {
        out.warn(format_args!("{file}: {}", printable(problem)))?;
    }
    match damage.others() {
        0 => Ok(()),
        others => {
            let others = count(others, "other problem");
            out.warn(format_args!("{file}: {others}"))
        }
    }
}

/// Returns why a file contains no objects, if this is known.
pub fn reason_for_none(container: &Container<'_>) -> Option<String> {
    let machine_code = container.machine_code;
    match container.broken.first().first() {
        Some(broken) => Some(format!("the object at {:#x}: {}", broken.offset, problem(broken))),
        None if machine_code.binaries > 0 => {
            let kernels = count(machine_code.kernels, "kernel");
            Some(match machine_code.patch_tokens {
                0 => format!("only machine code ({kernels}); `genvisa info` describes it"),
                _ => format!("only machine code ({kernels})"),
            })
        }
        None => None,
    }
}

/// Returns why an object cannot be read. The error may contain a long name.
pub fn problem(broken: &Broken) -> String {
    shortened(&printable(&broken.error.to_string()), 400)
}

/// Returns the name of the file for an object, without the suffix, from the path of its container.
pub fn file_stem(container: &Path, number: usize) -> String {
    let name = match container.file_name() {
        Some(name) if !is_standard(container) => name.to_string_lossy().into_owned(),
        _ => "stdin".into(),
    };
    format!("{name}-{number}")
}
