//! Damaged and hostile files: objects are found, and the tool neither panics nor reads tables again
//! and again.

use serde_json::{Value, json};

use super::builder::{Elf, archive};
use super::{VISAASM, damage, data, inside, list, list_all, places, tour};

/// Returns whether an object is listed for each that the bytes contain.
fn has_all_objects(listed: &Value, bytes: &[u8], object: &[u8]) -> bool {
    let count = bytes.windows(object.len()).filter(|window| *window == object).count();
    let objects = listed["objects"].as_array().expect("objects");
    objects.iter().filter(|found| found["kind"] == "object").count() == count
}

/// Returns a library with an object, a device binary and an archive.
fn sample() -> (Vec<u8>, Vec<u8>) {
    let object = tour();
    let text = data("plain.visaasm");
    let device = Elf::device().section_of_kind(".visaasm", VISAASM, &text).bytes();
    let members = archive(&[("a.isa", &object), ("device", &device)]);
    let library = Elf::library()
        .section(".rodata", &inside(7, &object))
        .symbol("kernels", 7, object.len() as u64)
        .section(".data", &device)
        .section(".archive", &members);
    (library.bytes(), object)
}

#[test]
fn truncated_files_are_read_as_far_as_possible() {
    let (bytes, object) = sample();
    assert_eq!(damage(&list(&bytes)), [""; 0]);
    let files: Vec<Vec<u8>> =
        (1..bytes.len()).step_by(64).map(|len| bytes[..len].to_vec()).collect();
    let start =
        bytes.windows(object.len()).position(|window| window == object).expect("it is there");
    for (file, listed) in files.iter().zip(list_all(&files)) {
        let len = file.len();
        if len >= start + object.len() {
            assert_eq!(listed["objects"][0]["offset"], start, "{len}");
        }
        // A single byte could be any file.
        let is_elf = len >= 4;
        assert_eq!(!damage(&listed).is_empty(), is_elf, "{len}: {listed}");
    }
}

#[test]
fn a_truncated_archive_contains_its_first_members() {
    let object = tour();
    let bytes = archive(&[("a.isa", &object), ("b.isa", &object)]);
    let listed = list(&bytes[..bytes.len() - 100]);
    assert_eq!(places(&listed), [json!([["member a.isa"], null, null])]);
    let at = 8 + 60 + object.len().next_multiple_of(2);
    assert_eq!(
        damage(&listed),
        [format!("the archive at 0x0 ends before its member at {at:#x} does")]
    );
    let listed = list(&bytes[..at + 20]);
    assert_eq!(places(&listed), [json!([["member a.isa"], null, null])]);
    assert_eq!(damage(&listed), [format!("the archive at 0x0 has no readable member at {at:#x}")]);
}

#[test]
fn damaged_device_binaries_are_reported_and_other_magics_are_chance() {
    let device = Elf::device().bytes();
    let library = Elf::library().section(".rodata", &tour()).bytes();
    let with = |part: &[u8]| list(&[&library, part].concat());
    let reported = with(&device[..device.len() - 1]);
    let start = format!("the ELF file at {:#x} has no readable section headers: ", library.len());
    let [sentence] = damage(&reported)[..] else { panic!("{reported}") };
    assert!(sentence.starts_with(&start), "{sentence}");
    let other = Elf::library().bytes();
    for part in
        [&other[..other.len() - 1], b"\x7fELF\x02\x01\x01 is a magic", b"\x7fELF", b"!<arch>\n"]
    {
        let listed = with(part);
        assert_eq!(damage(&listed), [""; 0]);
        assert_eq!(places(&listed), [json!([[], ".rodata", null])]);
    }
}

/// Every field of every header and symbol, with values that break sums and indices.
#[test]
fn fields_may_have_any_value() {
    let (bytes, object) = sample();
    let read = |at: usize| u64::from_le_bytes(bytes[at..at + 8].try_into().expect("8 bytes"));
    let headers = usize::try_from(read(0x28)).expect("small");
    let symbols = usize::try_from(read(headers + 4 * 64 + 0x18)).expect("small");
    let fields = (0..64).chain(headers..bytes.len()).chain(symbols..symbols + 2 * 24);
    let values: [(usize, u64); 7] = [
        (8, u64::MAX),
        (8, u64::MAX - 63),
        (8, 1 << 63),
        (8, 4 << 30),
        (4, 0xffff_fff0),
        (2, 0xffff),
        (1, 0),
    ];
    let mut files = Vec::new();
    for at in fields {
        for (size, value) in values.iter().filter(|(size, _)| at % size == 0) {
            let mut bytes = bytes.clone();
            let end = bytes.len().min(at + size);
            bytes[at..end].copy_from_slice(&value.to_le_bytes()[..end - at]);
            files.push(bytes);
        }
    }
    for (bytes, listed) in files.iter().zip(list_all(&files)) {
        assert!(has_all_objects(&listed, bytes, &object), "{listed}");
    }
}

#[test]
fn sections_beyond_the_end_are_reported() {
    let object = tour();
    let library = Elf::library().section(".rodata", &object).section(".data", &[0; 8]);
    let mut bytes = library.bytes();
    let headers = bytes.len() - 6 * 64;
    bytes[headers + 2 * 64 + 0x20 + 3] = 0xff;
    let listed = list(&bytes);
    assert_eq!(damage(&listed), ["the ELF file at 0x0 ends before its section `.data` does"]);
    assert_eq!(places(&listed), [json!([[], ".rodata", null])]);
}

#[test]
fn the_innermost_of_overlapping_sections_contains_an_object() {
    let object = tour();
    let library = Elf::library().section(".rodata", &inside(7, &object)).section(".all", &[0; 8]);
    let mut bytes = library.bytes();
    let headers = bytes.len() - 6 * 64;
    let len = bytes.len() as u64;
    bytes[headers + 2 * 64 + 0x18..][..8].fill(0);
    bytes[headers + 2 * 64 + 0x20..][..8].copy_from_slice(&len.to_le_bytes());
    assert_eq!(places(&list(&bytes)), [json!([[], ".rodata", null])]);
}

#[test]
fn overlapping_texts_are_parsed_once() {
    let text = data("plain.visaasm");
    let mut device = Elf::device();
    for _ in 0..50 {
        device = device.section_of_kind(".visaasm", VISAASM, &text);
    }
    let mut bytes = device.bytes();
    let headers = bytes.len() - 55 * 64;
    let first: [u8; 8] = bytes[headers + 2 * 64 + 0x18..][..8].try_into().expect("8 bytes");
    for section in 3..52 {
        bytes[headers + section * 64 + 0x18..][..8].copy_from_slice(&first);
    }
    let listed = list(&bytes);
    assert_eq!(places(&listed), [json!([[], ".visaasm", null])]);
    assert_eq!(damage(&listed).len(), 1, "{listed}");
}

#[test]
fn nested_files_are_read_eight_levels_deep() {
    let object = tour();
    let nested = |levels: usize| {
        (0..levels).fold(object.clone(), |inner, _| Elf::library().section(".data", &inner).bytes())
    };
    let listed = list(&nested(8));
    assert_eq!(listed["objects"][0]["path"].as_array().expect("a path").len(), 7);
    assert_eq!(damage(&listed), [""; 0]);
    let listed = list(&nested(9));
    assert_eq!(listed["objects"][0]["path"].as_array().expect("a path").len(), 7);
    let expected = "ELF files and archives that are nested more than 8 levels deep were not read";
    assert_eq!(damage(&listed), [expected]);
    let listed = list(&nested(500));
    assert_eq!((listed["objects"].as_array().map(Vec::len), damage(&listed).len()), (Some(1), 1));
    let archives = (0..500).fold(object, |inner, _| archive(&[("a", &inner)]));
    let listed = list(&archives);
    assert_eq!((listed["objects"].as_array().map(Vec::len), damage(&listed).len()), (Some(1), 1));
}

/// Headers that claim the same large table of sections.
#[test]
fn shared_tables_are_read_a_few_times() {
    const TABLE: usize = 60_000;
    let object = tour();
    let mut header = [0; 64];
    header[..20].copy_from_slice(b"\x7fELF\x02\x01\x01\0\0\0\0\0\0\0\0\0\x03\0\x3e\0");
    header[58] = 64;
    header[60..62].copy_from_slice(&(TABLE as u16).to_le_bytes());
    for count in [8, 20_000] {
        let mut bytes = Vec::new();
        for index in 0..count {
            let table = 64 * (count - index) + object.len();
            header[40..48].copy_from_slice(&(table as u64).to_le_bytes());
            bytes.extend(header);
        }
        bytes.extend(&object);
        bytes.resize(bytes.len() + 64 * TABLE, 0);
        let listed = list(&bytes);
        assert_eq!(listed["objects"].as_array().map(Vec::len), Some(1));
        assert_eq!(damage(&listed).last().map(|sentence| sentence.contains("overlap")), Some(true));
    }
}
