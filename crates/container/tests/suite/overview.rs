//! What device binaries state about their kernels.

use std::fs;

use genvisa::Platform;
use genvisa_container::device::{Entry, KernelOverview, Overview};
use genvisa_container::{EmbeddedBinaries, EmbeddedBinary};
use genvisa_test_support::repository;

fn facts() -> Vec<u8> {
    fs::read(repository("crates/container/tests/data/facts-dg2.bin")).expect("a fixture")
}

fn fixtures() -> impl Iterator<Item = Vec<u8>> {
    let fixture = |device| repository(&format!("crates/interp/tests/data/scale-{device}.bin"));
    let fixtures = ["bmg", "dg2", "pvc", "tgllp"].map(fixture);
    fixtures.into_iter().map(|path| fs::read(path).expect("a fixture")).chain([facts()])
}

fn overview(bytes: &[u8]) -> Overview {
    Overview::from_bytes(bytes).expect("a device binary")
}

/// The facts are in the source, `facts.cl`, and in the messages of ocloc.
#[test]
fn kernels_have_the_facts_of_their_source() {
    let overview = overview(&facts());
    assert_eq!(overview.target.device(), Some((Platform::Dg2, "acm-g10")));
    assert_eq!(overview.missing_kernels, [""; 0]);
    let kernel = |name: &str| overview.kernels.iter().find(|it| it.name == name).expect(name);
    let measures = |name: &str| {
        ["simd", "slm", "barriers", "private_size", "spills", "registers"]
            .map(|measure| kernel(name).measure(measure).expect("a number"))
    };
    assert_eq!(measures("reversed"), [16, 1024, 1, 0, 0, 128]);
    // 64 floats of each lane.
    assert_eq!(measures("sorted"), [32, 0, 0, 64 * 4 * 32, 0, 128]);
    // 298 registers of 32 bytes.
    assert_eq!(measures("spilled"), [32, 0, 0, 0, 298 * 32, 128]);
    let sizes = [64, 1, 1].map(Entry::Integer).to_vec();
    assert_eq!(kernel("reversed").execution["required_work_group_size"], Entry::List(sizes));
    let arguments = |name: &str| {
        let arguments = kernel(name).arguments.iter();
        arguments.map(|it| format!("{} {}", it.type_name(), it.name())).collect::<Vec<_>>()
    };
    assert_eq!(arguments("reversed"), ["int* out", "int* in", "int* scratch"]);
    assert_eq!(
        arguments("sorted"),
        ["float* data", "image2d_t picture", "sampler_t filter", "float4 scale"]
    );
    let scale = &kernel("sorted").arguments[3];
    let sizes: i64 = scale.payload.iter().filter_map(|value| integer(&value["size"])).sum();
    assert_eq!(sizes, 16);
    let access = |index: usize| kernel("reversed").arguments[index].payload("access_type").cloned();
    assert_eq!(access(0), Some(Entry::Text("readwrite".into())));
    assert_eq!(access(1), Some(Entry::Text("readonly".into())));
}

fn integer(entry: &Entry) -> Option<i64> {
    match entry {
        Entry::Integer(number) => Some(*number),
        _ => None,
    }
}

/// Reads the lines of the document one by one.
#[test]
fn every_member_of_the_document_is_kept() {
    for bytes in fixtures() {
        let start = bytes.windows(4).rposition(|it| it == b"---\n").expect("the document");
        let document = String::from_utf8_lossy(&bytes[start..]);
        let overview = overview(&bytes);
        let (mut kernel, mut section, mut count) = (None, "", 0);
        for line in document.lines().take_while(|line| *line != "kernels_misc_info:") {
            if let Some(name) = line.strip_prefix("  - name:") {
                kernel = overview.kernels.iter().find(|it| it.name == name.trim());
            } else if let Some(name) = line.strip_prefix("    ").filter(|it| !it.starts_with(' ')) {
                section = name.trim_end_matches(':');
            }
            let member = line.strip_prefix("      ").filter(|it| !it.starts_with([' ', '-']));
            let (Some(kernel), Some((member, value))) =
                (kernel, member.and_then(|it| it.split_once(':')))
            else {
                continue;
            };
            let found = match section {
                "execution_env" => kernel.execution.get(member),
                "user_attributes" => kernel.members["user_attributes"].get(member),
                _ => continue,
            };
            let value = value.trim();
            let expected = match (value, value.parse()) {
                ("true", _) => Entry::Flag(true),
                (_, Ok(number)) => Entry::Integer(number),
                _ => {
                    let numbers = value.trim_matches(['[', ']']).split(',');
                    let numbers =
                        numbers.map(|it| Entry::Integer(it.trim().parse().expect("a number")));
                    Entry::List(numbers.collect())
                }
            };
            assert_eq!(found, Some(&expected), "{}: {member}", kernel.name);
            count += 1;
        }
        assert!(count >= 5, "{document}");
        let sections: u64 = overview.kernels.iter().filter_map(|kernel| kernel.code_size).sum();
        assert!(sections > 0);
    }
}

/// The compiler does not write members that have their defaults.
#[test]
fn defaults_have_the_kinds_of_the_members() {
    let names: Vec<&str> = KernelOverview::EXECUTION.iter().map(|(name, _)| *name).collect();
    assert!(names.is_sorted(), "{names:?}");
    for measure in KernelOverview::MEASURES {
        assert!(names.contains(&measure.member), "{}", measure.member);
        assert!(KernelOverview::is_measure(measure.name));
    }
    assert!(!KernelOverview::is_measure("has_dpas"));
    for bytes in fixtures() {
        for kernel in overview(&bytes).kernels {
            for (name, default) in KernelOverview::EXECUTION {
                let found = &kernel.execution[*name];
                assert_eq!(
                    std::mem::discriminant(found),
                    std::mem::discriminant(default),
                    "{name}: {found:?}"
                );
            }
        }
    }
}

/// Replaces a text by another of the same length.
fn edited(bytes: &[u8], old: &str, new: &str) -> Vec<u8> {
    assert_eq!(old.len(), new.len());
    let at = bytes.windows(old.len()).rposition(|it| it == old.as_bytes()).expect("the text");
    let mut bytes = bytes.to_vec();
    bytes[at..at + new.len()].copy_from_slice(new.as_bytes());
    bytes
}

#[test]
fn kernels_that_were_not_compiled_are_named() {
    let bytes = edited(&facts(), "sorted\n    user_attributes", "sortex\n    user_attributes");
    let overview = overview(&bytes);
    assert_eq!(overview.missing_kernels, ["sorted"]);
}

#[test]
fn what_is_wrong_with_a_binary_is_said() {
    let bytes = facts();
    let error = |bytes: &[u8]| Overview::from_bytes(bytes).expect_err("an error").to_string();
    assert_eq!(
        error(&edited(&bytes, ".ze_info\0", ".ze_inf0\0")),
        "there is no section `.ze_info`"
    );
    // The name of another section becomes `.ze_info`: both names are in the string table.
    let two = edited(&bytes, ".symtab\0.", ".ze_info\0");
    assert_eq!(error(&two[..bytes.len()]), "there are several sections `.ze_info`");
    assert!(
        error(&bytes[..bytes.len() / 2]).starts_with("not an ELF file"),
        "{}",
        error(&bytes[..bytes.len() / 2])
    );
    assert_eq!(
        error(&edited(&bytes, "    execution_env:", "    execution_en_:")),
        ".ze_info: kernels[2]: has no `execution_env`"
    );
    assert!(error(b"").starts_with("not an ELF file of 64 bits"));
}

#[test]
fn device_binaries_are_found_in_other_files() {
    let bytes = facts();
    let mut program = b"MZ and other bytes ".repeat(100);
    let first = program.len();
    program.extend_from_slice(&bytes);
    program.extend_from_slice(b"between");
    let second = program.len();
    program.extend_from_slice(&bytes);
    let found = EmbeddedBinaries::read(&program).binaries;
    let starts: Vec<usize> = found.iter().map(|binary| binary.offset).collect();
    assert_eq!(starts, [first, second]);
    for binary in found {
        assert_eq!(binary.path, [format!("ELF at {:#x}", binary.offset)]);
        assert_eq!(overview(&binary.bytes), overview(&bytes));
    }
    let whole = EmbeddedBinaries::read(&bytes).binaries;
    assert_eq!((whole[0].offset, &whole[0].path[..]), (0, &[][..]));
}

/// A file that zstd, zlib or Python's `zipfile` has compressed, with the device binary [`facts`].
fn compressed(name: &str) -> Vec<u8> {
    std::fs::read(format!("{}/tests/compressed/{name}", env!("CARGO_MANIFEST_DIR"))).expect(name)
}

#[track_caller]
fn assert_has_facts(file: &[u8], path: &str) {
    let EmbeddedBinaries { binaries, damage, .. } = EmbeddedBinaries::read(file);
    let [EmbeddedBinary { bytes, offset: 0, path: found, .. }] = &binaries[..] else {
        panic!("{path}: {} binaries", binaries.len());
    };
    assert_eq!(damage.len(), 0);
    assert_eq!(**found, [path]);
    assert_eq!(**bytes, facts());
}

#[test]
fn device_binaries_are_found_in_compressed_files() {
    assert_has_facts(&compressed("facts.whl"), "member kernels/facts.bin");
    let bundle = compressed("facts.ccob");
    assert_has_facts(&bundle, "compressed bundle at 0x0");
    // SYCL's compiler stores a frame without a header.
    const HEADER: usize = 24;
    let program = [b"MZ and other bytes", &bundle[HEADER..], b"and more"].concat();
    assert_has_facts(&program, "Zstandard data at 0x12");

    let binary = facts();
    let deflated = miniz_oxide::deflate::compress_to_vec_zlib(&binary, 6);
    let sizes = [deflated.len(), binary.len()].map(|size| size as u64);
    let narrow = (sizes[1] as u32).to_le_bytes();
    let wide = [(32 + sizes[0]).to_le_bytes(), sizes[1].to_le_bytes()].concat();
    for (version, sizes) in [(1u16, &narrow[..]), (3, &wide)] {
        let head = [b"CCOB", &version.to_le_bytes()[..], &[0, 0], sizes, &[7; 8]].concat();
        assert_has_facts(&[&head[..], &deflated].concat(), "compressed bundle at 0x0");
    }
}

#[test]
fn damaged_and_large_compressed_data_are_reported() {
    let bundle = compressed("facts.ccob");
    for len in (30..bundle.len() - 1).step_by(397) {
        let mut damaged = bundle[..len].to_vec();
        damaged[8..12].copy_from_slice(&u32::MAX.to_le_bytes());
        let found = EmbeddedBinaries::read(&damaged);
        assert_eq!(found.binaries, []);
        assert!(found.damage.first()[0].ends_with("the compressed data are damaged"), "{len}");
    }
    // What is not there is not damaged.
    let wheel = compressed("facts.whl");
    const NAME: &[u8] = b"kernels/facts.bin";
    let header = 30 + NAME.len();
    let start = wheel.windows(NAME.len()).position(|it| it == NAME).expect("a name") - 30;
    for (len, damaged) in [(header - 1, 0), (header, 0), (header + 1, 1), (header + 100, 1)] {
        let found = EmbeddedBinaries::read(&wheel[start..start + len]);
        assert_eq!((found.binaries.len(), found.damage.first().len()), (0, damaged), "{len}");
    }
    let zeros = miniz_oxide::deflate::compress_to_vec_zlib(&vec![0; 65 << 20], 1);
    let bomb = [b"CCOB", &[1, 0, 0, 0][..], &[0; 12], &zeros].concat();
    let found = EmbeddedBinaries::read(&bomb);
    assert_eq!(
        found.damage.first()[0],
        "compressed bundle at 0x0: unpacked, it has more than 67108864 bytes"
    );
}
