//! The fuzz targets of files that contain vISA.

use std::ops::Range;

use genvisa::Dialect;
use genvisa_container::Container;
use genvisa_test_support::rng::Rng;
use object::Endianness;

use crate::extract::elf::builder::{Elf, archive};

genvisa_test_support::fuzz_targets! {
    containers: "seeds/containers",
    containers_built: "seeds/choices",
}

const OBJECT: &[u8] = include_bytes!("../seeds/isa/arithmetic.isa");
const TEXT: &[u8] = b".version 4.2\n.kernel \"k\"\n    ret (M1, 1)\n";
const INFO: &[u8] = b"---\nkernels:\n  - name: k\n    execution_env:\n      simd_size: 16\n...\n";
/// The type of sections with text.
const VISAASM: u32 = 0xff00_0013;

/// Any file can be searched: what is found is in the file.
pub fn containers(data: &[u8]) {
    search(data);
}

/// Returns the places of what is found.
fn search(bytes: &[u8]) -> Vec<Range<usize>> {
    let objects = Container::read(bytes, Dialect::default()).objects.into_iter();
    let places: Vec<Range<usize>> = objects.map(|found| found.place.range()).collect();
    for place in &places {
        assert!(place.start <= place.end && place.end <= bytes.len(), "{place:?}");
    }
    places
}

/// Objects are found in nested files of all kinds, although bytes around them are damaged.
pub fn containers_built(data: &[u8]) {
    let mut rng = Rng::from_data(data);
    let mut bytes = build(&mut rng, 3);
    check(&bytes);
    for _ in 0..rng.below(6) {
        damage(&mut bytes, &mut rng);
    }
    check(&bytes);
}

/// Checks that each object is found, or a larger one that contains it by chance.
fn check(bytes: &[u8]) {
    let found = search(bytes);
    for object in objects(bytes) {
        let contains =
            |found: &Range<usize>| found.start <= object.start && object.end <= found.end;
        assert!(found.iter().any(contains), "no object at {object:?}: {found:?}");
    }
}

/// Returns where the bytes contain [`OBJECT`].
fn objects(bytes: &[u8]) -> Vec<Range<usize>> {
    let len = OBJECT.len();
    let starts = bytes.windows(len).enumerate().filter(|(_, window)| *window == OBJECT);
    starts.map(|(at, _)| at..at + len).collect()
}

/// Replaces, removes or inserts bytes outside of objects. Values break sums and indices.
fn damage(bytes: &mut Vec<u8>, rng: &mut Rng) {
    let taken = objects(bytes);
    let at = rng.below(bytes.len() + 1);
    let (len, value) = rng.pick(&[
        (8, u64::MAX),
        (8, u64::MAX - 63),
        (8, 1 << 63),
        (8, 4 << 30),
        (4, 0xffff_fff0),
        (2, 0xffff),
        (1, 0),
    ]);
    let end = (at + len).min(bytes.len());
    if taken.iter().any(|taken| taken.start < end && at < taken.end) {
        return;
    }
    match rng.below(4) {
        0 => drop(bytes.drain(at..end)),
        1 => drop(bytes.splice(at..at, value.to_le_bytes())),
        2 => bytes[at..end].copy_from_slice(&value.to_le_bytes()[..end - at]),
        _ => bytes[at..end].iter_mut().for_each(|byte| *byte = rng.below(256) as u8),
    }
}

/// Returns a file that contains others to a depth.
fn build(rng: &mut Rng, depth: usize) -> Vec<u8> {
    if depth == 0 {
        return rng.pick(&[OBJECT, OBJECT, TEXT, b"", b"CISA\x03\x06", b"CTNI"]).to_vec();
    }
    let mut parts: Vec<Vec<u8>> = (0..1 + rng.below(3)).map(|_| build(rng, depth - 1)).collect();
    match rng.below(5) {
        0 => {
            // Objects are not aligned.
            let padding = || vec![1; 1];
            let mut bytes: Vec<u8> = padding();
            for part in parts {
                bytes.extend(part);
                bytes.extend(padding());
            }
            bytes
        }
        1 => {
            let names = ["a.isa", "a name of more than fifteen bytes.o", "b"];
            let members: Vec<(&str, &[u8])> =
                parts.iter().map(|part| (rng.pick(&names), &part[..])).collect();
            archive(&members)
        }
        2 => {
            let device = parts.iter().fold(Elf::device(), |elf, part| {
                let name =
                    rng.pick(&[".visaasm", ".visaasm.k", ".text.k", ".ze_info", ".data.const"]);
                let kind = if name.starts_with(".visaasm") { VISAASM } else { 1 };
                elf.section_of_kind(name, kind, part)
            });
            device.section(".ze_info", INFO).bytes()
        }
        3 => {
            let library = Elf {
                is_64: rng.one_in(2),
                endian: rng.pick(&[Endianness::Little, Endianness::Big]),
                ..Elf::library()
            };
            let library = parts.iter().fold(library, |elf, part| {
                let name = rng.pick(&[".rodata", ".data", "__openmp_offload", ""]);
                let size = part.len() as u64;
                let (offset, size) = rng.pick(&[(0, size), (0, 0), (1, size), (0, u64::MAX)]);
                elf.section(name, part).symbol(
                    rng.pick(&["k", "_binary_k_start", ""]),
                    offset,
                    size,
                )
            });
            library.bytes()
        }
        _ => parts.swap_remove(0),
    }
}
