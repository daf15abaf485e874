//! The result of `genvisa extract` as JSON.

use serde_json::{Value, json};

use crate::input::container::{Found, Kind, MachineCode};
use super::{Searched, file_name};

/// Returns what a file contains.
pub fn file(searched: &Searched) -> Value {
    let container = &searched.container;
    let objects = searched.objects();
    let broken = container
        .broken
        .first()
        .iter()
        .map(|broken| json!({ "offset": broken.offset, "error": broken.error }));
    let MachineCode { binaries, patch_tokens, kernels } = container.machine_code;
    json!({
        "file": searched.path.to_string_lossy(),
        "size": container.bytes.len(),
        "objects": objects.map(|(number, found)| object(searched, number, found)).collect::<Vec<_>>(),
        "broken": broken.collect::<Vec<_>>(),
        "other_broken": container.broken.others(),
        "chance": container.chance,
        "machine_code": { "binaries": binaries, "patch_tokens": patch_tokens, "kernels": kernels },
        "damage": container.damage.first(),
        "other_damage": container.damage.others(),
    })
}

fn object(searched: &Searched, number: usize, found: &Found) -> Value {
    json!({
        "number": number,
        "name": file_name(&searched.path, number, found),
        "kind": match found.kind {
            Kind::Object => "object",
            Kind::Text => "text",
        },
        "offset": found.place.offset(),
        "size": found.bytes.len(),
        "version": found.version.map(|version| version.to_string()),
        "routines": found.routines,
        "error": found.error,
        "sha256": searched.hashes[number - 1],
        "same_as": searched.same_as[number - 1],
        "path": found.path,
        "section": found.section,
        "symbol": found.symbol,
    })
}
