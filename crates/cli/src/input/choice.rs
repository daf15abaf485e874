//! Paths that choose an object in a file: `FILE!N` and `FILE!NAME`.

use std::path::{Path, PathBuf};

/// Returns the file of a path, and the object in it that the path chooses: `a.so!2` is the second
/// object of `a.so`, unless there is a file of this name.
pub fn split_choice(path: &Path) -> (PathBuf, Option<String>) {
    let is_container = |file: &Path| !file.as_os_str().is_empty() && !file.is_dir();
    match split_last(path) {
        Some((file, choice)) if !choice.is_empty() && is_container(&file) && !path.exists() => {
            (file, Some(choice))
        }
        _ => (path.into(), None),
    }
}

/// Splits a path at its last `!`. The rest must be UTF-8; on Unix, the file may have any name.
fn split_last(path: &Path) -> Option<(PathBuf, String)> {
    #[cfg(unix)]
    {
        use std::os::unix::ffi::OsStrExt;
        let bytes = path.as_os_str().as_bytes();
        let (file, choice) = bytes.split_at(memchr::memrchr(b'!', bytes)?);
        let choice = std::str::from_utf8(&choice[1..]).ok()?;
        Some((std::ffi::OsStr::from_bytes(file).into(), choice.into()))
    }
    #[cfg(not(unix))]
    {
        let (file, choice) = path.to_str()?.rsplit_once('!')?;
        Some((file.into(), choice.into()))
    }
}
