//! The result of `genvisa extract` as JSON.

use genvisa_container::{Found, Kind};
use serde::Serialize;
use serde_json::{Value, json};

use super::{Searched, file_name};
use crate::input::container::problem;
use crate::output::definitions::{File, Offset, RoutineName, Size, Version};

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(inline))]
pub struct SearchedFile<'s> {
    file: File<'s>,
    size: Size,
    objects: Vec<Object<'s>>,
    broken: Vec<Broken>,
    /// The number of other objects that cannot be read: `broken` has the first ones.
    other_broken: usize,
    /// The number of places with the letters CISA by chance.
    chance: usize,
    machine_code: MachineCode,
    /// Headers that cannot be read.
    damage: &'s [String],
    /// The number of other problems: `damage` has the first ones.
    other_damage: usize,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(inline))]
struct Object<'s> {
    /// The number in `FILE!N`.
    #[cfg_attr(test, schemars(range(min = 1)))]
    number: usize,
    /// The name of the file that `extract` writes.
    name: String,
    #[cfg_attr(test, schemars(extend("enum" = ["object", "text"])))]
    kind: &'static str,
    offset: Offset,
    size: Size,
    version: Option<Version>,
    routines: Vec<RoutineName>,
    /// Why a text cannot be read.
    error: Option<&'s str>,
    #[cfg_attr(test, schemars(regex(pattern = "^[0-9a-f]{64}$")))]
    sha256: &'s str,
    /// The number of the first object with the same bytes, if it is another.
    #[cfg_attr(test, schemars(range(min = 1)))]
    same_as: Option<usize>,
    /// The archive members and embedded files that contain it, the outermost first.
    path: &'s [String],
    section: Option<&'s str>,
    symbol: Option<&'s str>,
}

/// An object that cannot be read.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(inline))]
struct Broken {
    offset: Offset,
    error: String,
}

/// Device binaries that contain only machine code.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(inline))]
struct MachineCode {
    binaries: usize,
    patch_tokens: usize,
    kernels: usize,
}

/// Returns what a file contains.
pub(super) fn file(searched: &Searched<'_>) -> Value {
    let container = &searched.container;
    let objects = searched.objects();
    let broken = container.broken.first().iter();
    json!(SearchedFile {
        file: File(&searched.path.to_string_lossy()),
        size: Size(container.bytes.len() as u64),
        objects: objects.map(|(number, found)| object(searched, number, found)).collect(),
        broken: broken
            .map(|broken| Broken { offset: Offset(broken.offset), error: problem(broken) })
            .collect(),
        other_broken: container.broken.others(),
        chance: container.chance,
        machine_code: MachineCode {
            binaries: container.machine_code.binaries,
            patch_tokens: container.machine_code.patch_tokens,
            kernels: container.machine_code.kernels,
        },
        damage: container.damage.first(),
        other_damage: container.damage.others(),
    })
}

fn object<'s>(searched: &'s Searched<'_>, number: usize, found: &'s Found<'_>) -> Object<'s> {
    Object {
        number,
        name: file_name(&searched.path, number, found),
        kind: match found.kind {
            Kind::Object => "object",
            Kind::Text => "text",
        },
        offset: Offset(found.place.offset()),
        size: Size(found.bytes.len() as u64),
        version: found.version.map(|version| Version(version.to_string())),
        routines: found.routines.iter().cloned().map(RoutineName).collect(),
        error: found.error.as_deref(),
        sha256: &searched.hashes[number - 1],
        same_as: searched.same_as[number - 1],
        path: &found.path,
        section: found.section.as_deref(),
        symbol: found.symbol.as_deref(),
    }
}
