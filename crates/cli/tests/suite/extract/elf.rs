//! Objects and texts in ELF files and archives.

pub mod builder;
mod compiled;
mod hostile;

use std::fs;

use object::Endianness;
use object::elf::{ET_REL, STT_FUNC, STT_NOTYPE};
use serde_json::{Value, json};

use super::{stderr, tool};
use builder::{Elf, archive};

/// The type of sections with text.
const VISAASM: u32 = 0xff00_0013;

/// Returns the `.isa` file that the tests look for.
fn tour() -> Vec<u8> {
    data("tour.isa")
}

fn data(name: &str) -> Vec<u8> {
    let folder = crate::repository("tests/data");
    fs::read(folder.join(name)).expect("a file of the repository")
}

/// Returns what each of several files contains, which `extract --json` prints.
fn list_all(files: &[Vec<u8>]) -> Vec<Value> {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for (index, bytes) in files.iter().enumerate() {
        fs::write(folder.path().join(format!("{index:05}")), bytes).expect("a file");
    }
    let output = tool(&["extract", "--list", "--json"], folder.path());
    let stderr = stderr(&output);
    assert!(matches!(output.status.code(), Some(0 | 1)), "{stderr}");
    let listed: Vec<Value> = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(listed.len(), files.len(), "{stderr}");
    listed
}

/// Returns what a file contains.
fn list(bytes: &[u8]) -> Value {
    list_all(&[bytes.to_vec()]).remove(0)
}

/// Returns the places of the objects: the path, section and symbol.
fn places(listed: &Value) -> Vec<Value> {
    let objects = listed["objects"].as_array().expect("objects");
    objects.iter().map(|found| json!([found["path"], found["section"], found["symbol"]])).collect()
}

/// Returns the sentences about damage.
fn damage(listed: &Value) -> Vec<&str> {
    let damage = listed["damage"].as_array().expect("damage");
    damage.iter().map(|sentence| sentence.as_str().expect("text")).collect()
}

/// Returns bytes with others around them, so that they are not aligned.
fn inside(before: usize, bytes: &[u8]) -> Vec<u8> {
    [&vec![1; before], bytes, &[2; 5]].concat()
}

#[test]
fn finds_the_section_and_symbol_in_libraries_of_all_kinds() {
    let object = tour();
    for (is_64, endian) in [
        (true, Endianness::Little),
        (true, Endianness::Big),
        (false, Endianness::Little),
        (false, Endianness::Big),
    ] {
        let library = Elf { is_64, endian, ..Elf::library() }
            .section(".text", &[0x90; 100])
            .section(".rodata", &inside(7, &object))
            .symbol("other", 0, 7)
            .symbol("whole", 0, 12 + object.len() as u64)
            .symbol("kernels", 7, object.len() as u64);
        let listed = list(&library.bytes());
        assert_eq!(places(&listed), [json!([[], ".rodata", "kernels"])], "{is_64} {endian:?}");
        assert_eq!(damage(&listed), [""; 0]);
    }
}

#[test]
fn only_symbols_of_data_are_names_of_objects() {
    let object = tour();
    let library = Elf::library().section(".rodata", &inside(7, &object));
    let size = object.len() as u64;
    let symbol = |kind, offset, size| library.clone().symbol_of_kind("x", kind, offset, size);
    let function = symbol(STT_FUNC, 7, size);
    let short = symbol(STT_NOTYPE, 7, size - 1);
    let before = symbol(STT_NOTYPE, 6, 0);
    let too_large = symbol(STT_NOTYPE, 7, size + 6);
    for elf in [function, short, before, too_large, library.clone()] {
        assert_eq!(places(&list(&elf.bytes())), [json!([[], ".rodata", null])]);
    }
}

#[test]
fn a_symbol_without_size_names_the_object_that_it_begins() {
    let object = tour();
    let mark = |elf: Elf, name: &str| elf.symbol_of_kind(name, STT_NOTYPE, 7, 0);
    let elf = Elf::library().section(".rodata", &inside(7, &object));
    let elf = ["$d", "_binary_a_isa_end", "_binary_b_isa_start"].into_iter().fold(elf, mark);
    let found = places(&list(&elf.bytes()));
    assert_eq!(found, [json!([[], ".rodata", "_binary_b_isa_start"])]);
    // A symbol with a size is better.
    let found = places(&list(&elf.symbol("array", 0, 7 + object.len() as u64).bytes()));
    assert_eq!(found, [json!([[], ".rodata", "array"])]);
}

#[test]
fn symbols_of_dynamic_linking_are_read_if_there_are_no_others() {
    let object = tour();
    let size = object.len() as u64;
    let elf = Elf::library().section(".rodata", &object).symbol("exported", 0, size);
    let mut bytes = elf.bytes();
    // The types of the headers of the sections, of which the second last but one is `.symtab`.
    let kind = bytes.len() - 3 * 64 + 4;
    assert_eq!(bytes[kind], 2);
    bytes[kind] = 11;
    assert_eq!(places(&list(&bytes)), [json!([[], ".rodata", "exported"])]);
}

/// Indices of sections that do not fit 16 bits are in tables of their own.
#[test]
fn files_may_have_very_many_sections() {
    let object = tour();
    let many = (0..0xff10).fold(Elf::library(), |elf, _| elf.section(".text", &[]));
    let elf = many.section(".rodata", &object).symbol("kernels", 0, object.len() as u64);
    let listed = list(&elf.bytes());
    assert_eq!(places(&listed), [json!([[], ".rodata", "kernels"])]);
    assert_eq!(damage(&listed), [""; 0]);
}

#[test]
fn finds_members_of_archives() {
    let object = tour();
    let relocatable = |symbol: &str| {
        let elf = Elf { kind: ET_REL, ..Elf::library() }.section(".text", &[0x90; 9]);
        elf.section(".rodata", &inside(3, &object)).symbol(symbol, 3, object.len() as u64).bytes()
    };
    let (first, second) = (relocatable("a"), relocatable("b"));
    let library = archive(&[
        ("short.o", &first),
        ("odd", b"odd"),
        ("a name that is longer than the header.o", &second),
        ("plain.isa", &object),
    ]);
    let expected = [
        json!([["member short.o"], ".rodata", "a"]),
        json!([["member a name that is longer than the header.o"], ".rodata", "b"]),
        json!([["member plain.isa"], null, null]),
    ];
    let listed = list(&library);
    assert_eq!(places(&listed), expected);
    assert_eq!(damage(&listed), [""; 0]);

    // The archive ends before the section that contains it.
    let host = Elf::library().section(".data", &inside(3, &library));
    let host = host.section(".rodata", &object).symbol("c", 0, object.len() as u64).bytes();
    let archive_label = "archive at 0x43";
    let expected = [
        json!([[archive_label, "member short.o"], ".rodata", "a"]),
        json!([[archive_label, "member a name that is longer than the header.o"], ".rodata", "b"]),
        json!([[archive_label, "member plain.isa"], ".data", null]),
        json!([[], ".rodata", "c"]),
    ];
    assert_eq!(places(&list(&host)), expected);
}

#[test]
fn names_of_archives_of_bsd_precede_the_data() {
    let object = tour();
    let header = |name: &str, size: usize| {
        format!("{name:16}{:12}{:6}{:6}{:8}{size:<10}`\n", 0, 0, 0, 644).into_bytes()
    };
    let name = b"a name.isa\0\0";
    let size = name.len() + object.len();
    let bytes = [b"!<arch>\n".as_slice(), &header("#1/12", size), name, &object].concat();
    assert_eq!(places(&list(&bytes)), [json!([["member a name.isa"], null, null])]);
}

#[test]
fn members_of_thin_archives_are_other_files() {
    let bytes = b"!<thin>\n//                                              4         `\na.o/\n";
    let listed = list(bytes.as_slice());
    assert_eq!(places(&listed), [json!(null); 0]);
    // A text would be searched for arrays instead.
    let listed = list(&[bytes.as_slice(), &[0]].concat());
    assert_eq!(damage(&listed), ["the archive is thin: its members are other files"]);
}

#[test]
fn reads_texts_of_device_binaries() {
    let (first, second) = (data("plain.visaasm"), data("efficient64.visaasm"));
    let device = Elf::device()
        .section_of_kind(".visaasm", VISAASM, &first)
        // Other tools may write other types and the NUL of a string in C.
        .section(".visaasm.blur", &[&second[..], b"\0\0"].concat())
        .section(".visaasmx", &first);
    let bytes = device.bytes();
    let listed = list(&bytes);
    assert_eq!(
        places(&listed),
        [json!([[], ".visaasm", null]), json!([[], ".visaasm.blur", null])]
    );
    for (index, (text, routine, version)) in
        [(&first, "plain", "3.6"), (&second, "blur", "4.2")].into_iter().enumerate()
    {
        let found = &listed["objects"][index];
        assert_eq!(found["kind"], "text");
        assert_eq!(found["routines"], json!([routine]));
        assert_eq!(found["version"], version);
        assert_eq!(found["error"], Value::Null);
        assert_eq!(found["size"], text.len());
        let offset = usize::try_from(found["offset"].as_u64().expect("a number")).expect("small");
        assert_eq!(&bytes[offset..offset + text.len()], text);
    }
    assert_eq!(listed["machine_code"]["binaries"], 0);

    // Other ELF files may contain a section of this name by chance.
    let other = Elf { machine: object::elf::EM_X86_64, ..device.clone() };
    assert_eq!(places(&list(&other.bytes())), [json!(null); 0]);

    // In another ELF file, at an odd offset.
    let host = Elf::library().section(".rodata", &inside(2, &bytes));
    let expected = [
        json!([["ELF at 0x42"], ".visaasm", null]),
        json!([["ELF at 0x42"], ".visaasm.blur", null]),
    ];
    assert_eq!(places(&list(&host.bytes())), expected);
}

#[test]
fn a_text_with_errors_is_found() {
    let device =
        Elf::device().section_of_kind(".visaasm", VISAASM, b".version 3.6\n.kernel k\nmovv\n");
    let listed = list(&device.bytes());
    let found = &listed["objects"][0];
    assert_eq!(found["error"], "line 3: unknown instruction `movv`");
    assert_eq!((&found["version"], &found["section"]), (&Value::Null, &json!(".visaasm")));
    assert_eq!(listed["machine_code"]["binaries"], 0);
}

#[test]
fn counts_kernels_of_device_binaries_without_visa() {
    let device = Elf::device()
        .section(".text.second", &[0x90; 32])
        .section(".text", &[0x90; 32])
        .section(".text.Intel_Symbol_Table_Void_Program", &[0x90; 32]);
    let host = Elf::library().section(".rodata", &inside(1, &device.bytes()));
    for bytes in [device.bytes(), host.bytes()] {
        let expected = json!({ "binaries": 1, "kernels": 2, "patch_tokens": 0 });
        assert_eq!(list(&bytes)["machine_code"], expected);
    }
    let with_object = device.section(".misc", &tour());
    assert_eq!(list(&with_object.bytes())["machine_code"]["binaries"], 0);
    let without_kernels = Elf { sections: Vec::new(), ..Elf::device() }.section(".data", &[0]);
    assert_eq!(list(&without_kernels.bytes())["machine_code"]["binaries"], 0);
}

/// Returns a device binary in the format with patch tokens. The sizes of each kernel are those of
/// its name, patch list, code, three heaps, and code without padding.
fn patch_tokens(version: u32, pointer_size: u32, kernels: &[[u32; 7]]) -> Vec<u8> {
    let header = [version, 12, pointer_size, kernels.len() as u32, 0, 8];
    let mut bytes = b"CTNI".to_vec();
    bytes.extend(header.iter().flat_map(|number| number.to_le_bytes()));
    bytes.extend([0; 8]);
    for sizes in kernels {
        bytes.extend([0; 12]);
        bytes.extend(sizes.iter().flat_map(|number| number.to_le_bytes()));
        bytes.resize(bytes.len() + sizes[..6].iter().sum::<u32>() as usize, 0);
    }
    bytes
}

#[test]
fn counts_kernels_of_device_binaries_with_patch_tokens() {
    let kernels = [[4, 20, 64, 0, 32, 16, 60], [8, 12, 128, 4, 0, 0, 128]];
    let binary = patch_tokens(1081, 8, &kernels);
    let host = Elf::library().section(".rodata", &[&binary[..], &binary].concat()).bytes();
    for (bytes, count) in [(&binary, 1), (&host, 2)] {
        let expected = json!({ "binaries": count, "kernels": 2 * count, "patch_tokens": count });
        assert_eq!(list(bytes)["machine_code"], expected);
    }
    let mut template = patch_tokens(1081, 0, &[]);
    // The compiler contains a header that it fills in later.
    template[16] = 16;
    let wrong = [
        template,
        patch_tokens(999, 8, &kernels),
        patch_tokens(2000, 8, &kernels),
        patch_tokens(1081, 5, &kernels),
        patch_tokens(1081, 8, &[]),
        patch_tokens(1081, 8, &[[4, 20, 64, 0, 32, 16, 65]]),
        patch_tokens(1081, 8, &[[0, 20, 64, 0, 32, 16, 64]]),
        binary[..binary.len() - 1].to_vec(),
    ];
    for (index, listed) in list_all(&wrong).iter().enumerate() {
        assert_eq!(listed["machine_code"]["binaries"], 0, "{index}");
    }
}
