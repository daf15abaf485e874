//! The drivers in Debian's packages.

use std::fs;
use std::path::{Path, PathBuf};

use super::{list, stderr, tool};

/// The libraries with the number of their objects: places with the magic and the version 3.6. A script
/// that reads only the headers of these places finds the same offsets and sizes.
const LIBRARIES: [(&str, usize); 4] = [
    ("libmfxhw64.so.1.35", 39),
    ("mfx/libmfx_h264la_hw64.so", 34),
    ("libmfx-gen.so.1.2.8", 8),
    ("dri/iHD_drv_video.so", 0),
];

/// Returns the number of places with the magic and a version of files.
fn places(bytes: &[u8]) -> usize {
    bytes.windows(6).filter(|window| *window == b"CISA\x03\x06").count()
}

#[test]
#[ignore = "needs drivers of Debian"]
fn all_objects_of_the_drivers_are_found() {
    let folder = PathBuf::from(std::env::var_os("GENVISA_PACKAGES").expect("GENVISA_PACKAGES"));
    let scratch = tempfile::tempdir().expect("a folder");
    for (name, expected) in LIBRARIES {
        let path = folder.join("usr/lib/x86_64-linux-gnu").join(name);
        let bytes = fs::read(&path).expect("a file of the package");
        let found = list(&path);
        let objects = found["objects"].as_array().expect("a list");
        assert_eq!((objects.len(), places(&bytes)), (expected, expected), "{name}");
        assert_eq!(found["broken"].as_array().map(Vec::len), Some(0), "{name}");
        for object in objects {
            assert_eq!(object["section"], ".rodata", "{object}");
        }
        if expected > 0 {
            check(&path, expected, scratch.path(), &bytes);
        }
    }
}

/// Checks that the objects of a library are decoded and encoded to the same bytes, have a text, and
/// can be put back.
fn check(path: &Path, expected: usize, scratch: &Path, bytes: &[u8]) {
    let output = tool(&["roundtrip"], path);
    let text = String::from_utf8_lossy(&output.stdout);
    assert_eq!(text.matches(", identical\n").count(), expected, "{text}");
    // All would take minutes in a debug build.
    for number in (1..=expected).step_by(7) {
        let object = format!("{}!{number}", path.display());
        let output = tool(&["dis"], Path::new(&object));
        assert!(output.status.success(), "{object}: {}", stderr(&output));
    }
    let (out, packed) = (scratch.join("out"), scratch.join("packed"));
    let (out_name, packed_name) = (out.to_str().expect("UTF-8"), packed.to_str().expect("UTF-8"));
    let output = tool(&["extract", "--out-dir", out_name], path);
    assert!(output.status.success(), "{}", stderr(&output));
    let path = path.to_str().expect("UTF-8");
    let output = tool(&["pack", path, out_name, "-o"], Path::new(packed_name));
    assert!(output.status.success(), "{}", stderr(&output));
    assert!(fs::read(packed).expect("a file") == bytes, "{path} has changed");
}
