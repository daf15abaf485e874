//! Every public function with odd arguments: a result or an error, but no panic.

use std::sync::LazyLock;

use genvisa::Dialect;
use genvisa_container::device::{DeviceBinary, Entry, Kernel, Overview};
use genvisa_container::{Array, Container, Edits, Place, Section, arrays};
use genvisa_test_support::odd::{self, Call, Draw};
use genvisa_test_support::{odd_calls, repository};

const SOURCES: &str = "crates/container/src";

const CALLS: &[Call] = odd_calls! { genvisa_container, o =>
    Array::replace(&array(o), o.any(), o.any(), o.any());
    Array::value(&array(o), o.any());
    Container::choose(&container(o), o.any());
    Container::read(bytes(o), Dialect::default());
    Container::with_routine(&container(o), o.any());
    Edits::new(o.any());
    Edits::replace(&mut Edits::new(bytes(o)), &place(o), o.any());
    EmbeddedBinaries::read(bytes(o));
    FileKind::of(o.any());
    arrays(o.any()).count();
    device::DeviceBinary::from_bytes(o.any());
    device::DeviceBinary::from_texts(o.any(), o.few(Draw::any));
    device::DeviceBinary::kernel(&binary(), o.any());
    device::DeviceBinary::text(&binary(), o.any());
    device::Entry::get(&entry(o), o.any());
    device::Kernel::argument_name(&kernel(), o.any());
    device::Kernel::argument_type(&kernel(), o.any());
    device::KernelArgument::payload(&overview(o).kernels[0].arguments[0], o.any());
    device::KernelOverview::execution(&overview(o).kernels[0], o.any());
    device::KernelOverview::is_measure(o.any());
    device::KernelOverview::measure(&overview(o).kernels[0], o.any());
    device::Overview::from_bytes(damaged(o).as_slice());
    device::machine_code(damaged(o).as_slice());
    is_text(o.any());
    is_visa_text(o.any());
};

#[test]
fn every_public_function_is_called() {
    odd::check_list(SOURCES, CALLS);
}

#[test]
fn odd_arguments_cause_no_panic() {
    odd::check_calls(SOURCES, CALLS);
}

/// Edits of places that are not in the file are errors.
#[test]
fn odd_places_cause_no_panic() {
    odd::check_calls(
        SOURCES,
        &[Call {
            path: "Edits::apply",
            call: |o| {
                let mut edits = Edits::new(bytes(o));
                for _ in 0..o.rng.below(4) {
                    let _ = edits.replace(&place(o), o.any());
                }
                let _ = edits.apply();
            },
        }],
    );
}

/// A device binary with the data of a text and of kernels.
static BINARY: LazyLock<Vec<u8>> = LazyLock::new(|| {
    std::fs::read(repository("crates/interp/tests/data/scale-bmg.bin")).expect("a file")
});

fn binary() -> DeviceBinary {
    DeviceBinary::from_bytes(&BINARY).expect("a binary")
}

fn kernel() -> Kernel {
    binary().kernels.swap_remove(0)
}

/// Returns bytes, often of a device binary.
fn bytes(o: &mut Draw) -> &'static [u8] {
    if o.any() { &BINARY } else { o.any() }
}

fn container(o: &mut Draw) -> Container<'static> {
    Container::read(bytes(o), Dialect::default())
}

fn array(o: &mut Draw) -> Array {
    let sources = ["{1}", "{-1, 2}", "x[] = {0x12345678, 'a'}", "{1, 0xffffffffffffffff}"];
    arrays(o.pick(&sources).as_bytes()).next().expect("an array")
}

/// Returns a place, which is often in no file, or a part of another.
fn place(o: &mut Draw) -> Place {
    let mut found = Container::read(&BINARY, Dialect::default());
    let Place::Section(section) = found.objects.swap_remove(0).place else { panic!("no text") };
    match o.rng.below(6) {
        0 => Place::Bytes(o.any()..o.any()),
        1 => Place::Lines(o.any()..o.any()),
        2 => Place::Array(array(o), o.any()..o.any()),
        3 => Place::Section(Section {
            data: o.any()..o.any(),
            elf: o.any()..o.any(),
            header: o.any(),
        }),
        4 => Place::Section(Section { header: o.any(), ..section }),
        _ => Place::Section(Section { data: section.data.start..o.any(), ..section }),
    }
}

fn facts() -> Vec<u8> {
    let path = repository("crates/container/tests/data/facts-dg2.bin");
    std::fs::read(path).expect("a fixture")
}

fn overview(_: &mut Draw) -> Overview {
    Overview::from_bytes(&facts()).expect("a device binary")
}

fn entry(o: &mut Draw) -> Entry {
    let kernels = overview(o).kernels;
    let members = kernels.iter().flat_map(|kernel| kernel.members.values().cloned());
    let all: Vec<Entry> = members.chain([Entry::Flag(true), Entry::Integer(1)]).collect();
    all[o.rng.below(all.len())].clone()
}

/// Returns a device binary with some other bytes.
fn damaged(o: &mut Draw) -> Vec<u8> {
    let mut bytes = facts();
    for _ in 0..o.rng.below(8) {
        let at = o.rng.below(bytes.len());
        bytes[at] = o.any();
    }
    let rest = if o.rng.one_in(4) { o.rng.below(bytes.len()) } else { bytes.len() };
    bytes.truncate(rest);
    bytes
}
