//! Files with objects anywhere.

use std::fs;
use std::path::Path;
use std::process::Command;

use proptest::prelude::*;
use serde_json::{Value, json};

use super::{list, object, stderr, tool};

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    /// Objects between other bytes are found, written and put back; the magic and header of an
    /// object without the rest are reported.
    #[test]
    fn objects_between_other_bytes(
        gaps in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..40), 1..5),
        broken in prop::option::of(10..60usize),
    ) {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("library");
        // Not text, so that it is searched for bytes.
        let mut bytes = vec![0];
        let mut offsets = Vec::new();
        for (index, gap) in gaps.iter().enumerate() {
            bytes.extend(gap);
            offsets.push(bytes.len());
            bytes.extend(object(&format!("kernel{index}")));
        }
        let broken_at = broken.map(|length| {
            let at = bytes.len();
            bytes.extend(&object("broken")[..length]);
            at
        });
        fs::write(&path, &bytes).expect("a file");

        let found = list(&path);
        let found_offsets: Vec<_> = found["objects"].as_array().expect("a list").iter()
            .map(|object| object["offset"].as_u64().expect("a number") as usize).collect();
        prop_assert_eq!(&found_offsets, &offsets);
        let reported: Vec<_> = found["broken"].as_array().expect("a list").iter()
            .map(|object| object["offset"].as_u64().expect("a number") as usize).collect();
        prop_assert_eq!(reported, broken_at.into_iter().collect::<Vec<_>>());

        let out = folder.path().join("out");
        tool(&["extract", "--out-dir", out.to_str().expect("UTF-8")], &path);
        for (index, _) in gaps.iter().enumerate() {
            let file = fs::read(out.join(format!("library-{}.isa", index + 1))).expect("a file");
            prop_assert_eq!(file, object(&format!("kernel{index}")));
        }

        // A shorter name makes the last object smaller.
        let last = gaps.len();
        fs::write(out.join(format!("library-{last}.isa")), object("k")).expect("a file");
        let packed = folder.path().join("packed");
        let output = crate::tool()
            .args(["pack".as_ref(), path.as_os_str(), out.as_os_str()])
            .args(["-o".as_ref(), packed.as_os_str()])
            .output().expect("it runs");
        prop_assert!(output.status.success(), "{}", stderr(&output));
        let mut expected = bytes.clone();
        let (old, new) = (object(&format!("kernel{}", last - 1)), object("k"));
        let place = &mut expected[offsets[last - 1]..][..old.len()];
        place.fill(0);
        place[..new.len()].copy_from_slice(&new);
        prop_assert_eq!(fs::read(&packed).expect("a file"), expected);
        prop_assert_eq!(fs::read(&path).expect("a file"), bytes);
    }
}

#[test]
fn letters_by_chance_are_not_reported() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("program");
    fs::write(&path, b"\0CISA\0CISA is the magic\0CISA").expect("a file");
    let output = tool(&["extract", "--list"], &path);
    assert_eq!((output.status.code(), stderr(&output)), (Some(1), String::new()));
    let found = list(&path);
    assert_eq!(found["chance"], json!(3));
    assert_eq!((&found["objects"], &found["broken"]), (&json!([]), &json!([])));
}

/// An object is not searched for others, and headers inside the names of headers take linear time.
#[test]
fn many_broken_headers() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("hostile");
    // A header with a kernel whose name is long, many times.
    let header = b"\0CISA\x03\x06\xff\xff\xff\xff".repeat(200_000);
    fs::write(&path, header).expect("a file");
    let output = tool(&["extract", "--list", "--json"], &path);
    assert_eq!(output.status.code(), Some(1));
}

/// Each header in the name of the kernel of the first shares the other kernels with it. They overlap at
/// the start of the file, which is the offset of the error.
#[test]
fn headers_that_share_their_tables() {
    const HEADERS: u16 = 400;
    const KERNELS: u16 = 3000;
    let mut bytes = Vec::new();
    for index in 1..=HEADERS {
        bytes.extend(b"CISA\x03\x07");
        bytes.extend(KERNELS.to_le_bytes());
        bytes.extend(((HEADERS - index) * 10).to_le_bytes());
    }
    bytes.extend(vec![0; 17 + 19 * (usize::from(KERNELS) - 1) + 4]);
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("hostile");
    fs::write(&path, &bytes).expect("a file");
    let found = list(&path);
    let error = found["broken"][0]["error"].as_str().expect("an error");
    assert!(error.contains("sections overlap") && error.contains("(offset 0x0)"), "{error}");
    let damage = found["damage"][0].as_str().expect("damage");
    assert!(damage.ends_with("were not searched: too many broken objects"), "{damage}");
    let broken = found["broken"].as_array().expect("a list").len();
    assert!((16..100).contains(&broken), "{broken}");
}

#[test]
fn the_first_hundred_broken_objects_are_printed() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("library");
    fs::write(&path, object("broken")[..20].repeat(150)).expect("a file");
    let found = list(&path);
    assert_eq!(found["broken"].as_array().map(Vec::len), Some(100));
    assert_eq!(found["other_broken"], json!(50));
    let output = tool(&["extract", "--list"], &path);
    assert!(stderr(&output).ends_with("library: 50 other objects cannot be read\n"));
    assert!(String::from_utf8_lossy(&output.stdout).contains("150 objects that cannot be read"));
}

#[test]
fn the_first_hundred_problems_of_device_binaries_are_printed() {
    // The header of a device binary of 32 bits, whose section headers are not in the file.
    let mut header = b"\x7fELF\x01\x01\x01".to_vec();
    header.resize(52, 0);
    header[16..20].copy_from_slice(&[1, 0, 205, 0]);
    header[20] = 1;
    header[32..36].fill(0xf0);
    for (at, value) in [(40, 52), (42, 32), (46, 40), (48, 9)] {
        header[at] = value;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("library");
    fs::write(&path, [b"\0".as_slice(), &header.repeat(150)].concat()).expect("a file");
    let found = list(&path);
    assert_eq!(found["damage"].as_array().map(Vec::len), Some(100));
    assert_eq!(found["other_damage"], json!(50));
    let messages = stderr(&tool(&["extract", "--list"], &path));
    assert!(messages.ends_with("library: 50 other problems\n"), "{messages}");
}

#[test]
fn files_that_exist_are_not_overwritten() {
    let folder = tempfile::tempdir().expect("a folder");
    let (path, out) = (folder.path().join("a.bin"), folder.path().join("out"));
    fs::write(&path, [b"\0".as_slice(), &object("a")].concat()).expect("a file");
    fs::create_dir(&out).expect("a folder");
    fs::write(out.join("a.bin-1.isa"), "edited").expect("a file");
    let out_dir = ["extract", "--out-dir", out.to_str().expect("UTF-8")];
    let output = tool(&out_dir, &path);
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).contains("a.bin-1.isa` exists with different contents"));
    assert_eq!(fs::read(out.join("a.bin-1.isa")).expect("a file"), b"edited");
    let output = tool(&[&out_dir[..], &["--force"]].concat(), &path);
    assert!(output.status.success(), "{}", stderr(&output));
    assert_eq!(fs::read(out.join("a.bin-1.isa")).expect("a file"), object("a"));
}

#[test]
fn files_of_the_same_name_are_not_mixed() {
    let folder = tempfile::tempdir().expect("a folder");
    for name in ["one", "two"] {
        fs::create_dir(folder.path().join(name)).expect("a folder");
        let bytes = [b"\0".as_slice(), &object(name)].concat();
        fs::write(folder.path().join(name).join("lib.so"), bytes).expect("a file");
    }
    let out = folder.path().join("out");
    let out_dir = ["extract", "--json", "--out-dir", out.to_str().expect("UTF-8")];
    let output = tool(&out_dir, folder.path());
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).contains("have the same name"), "{}", stderr(&output));
    assert_eq!(fs::read(out.join("lib.so-1.isa")).expect("a file"), object("one"));
    // Both are listed.
    let found: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(found[1]["objects"][0]["routines"], json!(["two"]));
}

/// The files in a folder are inputs too. They are not changed by a second run.
#[test]
fn searched_files_are_not_overwritten() {
    let folder = tempfile::tempdir().expect("a folder");
    let [path, other] = ["a", "a-1.isa"].map(|name| folder.path().join(name));
    fs::write(&path, [b"\0".as_slice(), &object("k")].concat()).expect("a file");
    let out_dir = ["extract", "--force", "--out-dir", folder.path().to_str().expect("UTF-8")];
    for _ in 0..2 {
        assert_eq!(tool(&out_dir, folder.path()).status.code(), Some(0));
        assert_eq!(fs::read(&other).expect("a file"), object("k"));
    }
    fs::write(&other, "edited").expect("a file");
    let output = tool(&out_dir, folder.path());
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    assert!(stderr(&output).contains("a-1.isa` is also an input"), "{}", stderr(&output));
    assert_eq!(fs::read(&other).expect("a file"), b"edited");
}

/// A large file is in memory once.
#[test]
#[cfg(target_os = "linux")]
fn memory_is_a_small_part_more_than_the_file() {
    const MEGABYTES: usize = 64;
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("large");
    let mut bytes = vec![0x90; MEGABYTES << 20];
    let (object, at) = (object("k"), 40 << 20);
    bytes[at..][..object.len()].copy_from_slice(&object);
    fs::write(&path, bytes).expect("a file");
    // The program itself is a part of the address space.
    let program = fs::metadata(env!("CARGO_BIN_EXE_genvisa")).expect("the tool").len() >> 20;
    let limit = (MEGABYTES as u64 + program + 24) << 10;
    let limit = format!("ulimit -v {limit}; exec \"$@\"");
    let output = Command::new("sh")
        .args(["-c", &limit, "sh", env!("CARGO_BIN_EXE_genvisa"), "extract", "--list"])
        .arg::<&Path>(&path)
        .output()
        .expect("a shell");
    assert!(output.status.success(), "{}", stderr(&output));
}
