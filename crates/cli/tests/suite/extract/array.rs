//! Objects in arrays of C and C++ sources.

use std::fs;

use tempfile::tempdir;

use super::{extracted, list, object, packed, stderr, tool};

/// Returns bytes as the items of a list.
fn hex(bytes: &[u8]) -> String {
    let item = |byte: &u8| format!("0x{byte:02x}");
    let lines = bytes.chunks(12).map(|line| line.iter().map(item).collect::<Vec<_>>().join(", "));
    lines.collect::<Vec<_>>().join(",\n    ")
}

/// Returns bytes as the items of a list of larger elements.
fn words<const N: usize>(bytes: &[u8]) -> String {
    let item = |word: &[u8]| {
        let digits: String =
            (0..N).rev().map(|at| format!("{:02x}", word.get(at).unwrap_or(&0))).collect();
        format!("0x{digits}")
    };
    bytes.chunks(N).map(item).collect::<Vec<_>>().join(", ")
}

#[test]
fn objects_are_found_in_arrays_of_every_size_and_offset() {
    let folder = tempdir().expect("a folder");
    let object = object("kernel");
    for offset in 0..9 {
        let bytes = [&vec![b'C'; offset][..], &object, b"CISA"].concat();
        let signed = bytes.iter().map(|byte| (*byte as i8).to_string()).collect::<Vec<_>>();
        let source = format!(
            "/* it's */\n#include \"x.h\"\nextern const int bytes_size = {};\n\
             const unsigned char bytes[] = {{\n    {}\n}};\n\
             static const short halves[] = {{ {} }};\nunsigned words[]={{{}}};\n\
             const unsigned long long longs[] = {{{}}};\nsigned char decimal[2][{}] = {{ {{ {} }}, {{0}} }};\n",
            bytes.len(),
            hex(&bytes),
            words::<2>(&bytes),
            words::<4>(&bytes),
            words::<8>(&bytes),
            bytes.len(),
            signed.join(","),
        );
        let path = folder.path().join("a.c");
        fs::write(&path, source).expect("a file");
        let names = ["bytes", "halves", "words", "longs", "decimal"];
        let expected = names.map(|name| (Some(name.to_string()), object.clone()));
        assert_eq!(extracted(&path), expected, "at {offset}");
    }
}

#[test]
fn packing_changes_only_the_literals_that_differ() {
    let folder = tempdir().expect("a folder");
    let path = folder.path().join("a.c");
    let (old, second) = (object("kernel_1"), object("other"));
    let source = |first: &[u8]| {
        format!(
            "// It's\nchar pair[] = {{\n    {}, // end\n    {}\n}};\n",
            hex(first),
            hex(&second)
        )
    };
    fs::write(&path, source(&old)).expect("a file");
    let new = object("kernel_2");
    assert_eq!(packed(&path, &[(1, &new)]), Ok(source(&new).into_bytes()));

    // A smaller object is followed by zeros.
    let small = object("k");
    let padded = [&small[..], &vec![0; old.len() - small.len()]].concat();
    assert_eq!(packed(&path, &[(1, &small)]), Ok(source(&padded).into_bytes()));

    let large = object("kernel_01");
    let messages = packed(&path, &[(1, &large)]).expect_err("no room");
    let expected =
        format!("the new object has {} bytes; the place has room for {}", large.len(), old.len());
    assert!(messages.contains(&expected), "{messages}");
}

#[test]
fn broken_objects_have_the_offset_of_their_array() {
    let folder = tempdir().expect("a folder");
    let path = folder.path().join("a.c");
    let bytes = &object("kernel")[..40];
    let source = format!("int unused[] = {{1}};\nchar broken[] = {{{}}};\n", hex(bytes));
    fs::write(&path, &source).expect("a file");
    let output = tool(&["extract", "--list"], &path);
    let offset = source.find("{0x43").expect("the array") + 1;
    let expected = format!("a.c: the object at {offset:#x}: ");
    assert!(stderr(&output).contains(&expected), "{}", stderr(&output));
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(list(&path)["broken"][0]["offset"], offset);
}
