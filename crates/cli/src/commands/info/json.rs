//! The facts about a file as JSON.

use std::collections::BTreeMap;

use genvisa::object::Module;
use serde::Serialize;
use serde_json::{Value, json};

use super::{Summary, attribute_name, attribute_value};
use crate::output::definitions::{Dialect, File, Offset, RoutineKind, RoutineName, Size, Version};

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(inline))]
pub struct FileInfo<'m> {
    file: File<'m>,
    size: Size,
    version: Version,
    dialect: Dialect,
    /// The number of bytes between the parts of the file.
    padding: Size,
    file_scope_variables: Vec<FileScopeVariable>,
    /// The functions that are declared and not defined.
    undefined_functions: Vec<RoutineName>,
    routines: Vec<Routine<'m>>,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(inline))]
struct FileScopeVariable {
    name: String,
    linkage: u8,
    r#type: String,
    num_elements: u16,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(inline))]
struct Routine<'m> {
    kind: RoutineKind,
    name: RoutineName,
    /// Where the code is; null for a text.
    code: Option<Code>,
    instructions: usize,
    /// The number of uses of each mnemonic.
    opcodes: &'m BTreeMap<&'static str, usize>,
    /// The number of entries of each table that is not empty.
    #[cfg_attr(test, schemars(extend("propertyNames" = {"enum": [
        "strings", "variables", "address_variables", "predicates", "labels", "samplers", "surfaces",
        "inputs"
    ]})))]
    tables: BTreeMap<String, usize>,
    attributes: Vec<Attribute>,
    gen_binaries: Vec<GenBinary>,
    /// The error after which instructions are not counted.
    error: Option<String>,
}

#[derive(Serialize)]
#[serde(untagged)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(inline))]
enum Code {
    Present {
        offset: Offset,
        size: Size,
    },
    /// The code was removed from the file.
    Stripped {
        stripped: Stripped,
    },
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(inline))]
struct Stripped {
    size: Size,
    entry: u32,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(inline))]
struct Attribute {
    name: String,
    #[cfg_attr(test, schemars(extend("type" = ["boolean", "integer", "string"])))]
    value: Value,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(inline))]
struct GenBinary {
    /// The number of the platform.
    platform: u8,
    size: Size,
}

/// Returns the facts about a file or a text, of which `has_file` is false.
pub(super) fn file(
    name: &str,
    size: usize,
    has_file: bool,
    module: &Module<'_>,
    summaries: &[Summary<'_>],
) -> Value {
    let variables = module.file_scope_vars.iter().map(|variable| FileScopeVariable {
        name: variable.name.to_string_lossy(),
        linkage: variable.linkage.bits(),
        r#type: variable.ty.to_string(),
        num_elements: variable.num_elements,
    });
    let undefined = module.functions.iter().filter(|function| function.definition.is_none());
    json!(FileInfo {
        file: File(name),
        size: Size(size as u64),
        version: Version(module.format.version.to_string()),
        dialect: Dialect(module.format.dialect.name()),
        padding: Size(module.padding().map(|bytes| bytes.len() as u64).sum()),
        file_scope_variables: variables.collect(),
        undefined_functions: undefined.map(|it| RoutineName(it.name.to_string_lossy())).collect(),
        routines: summaries.iter().map(|summary| routine(summary, has_file)).collect(),
    })
}

fn routine<'m>(summary: &'m Summary<'_>, has_file: bool) -> Routine<'m> {
    let Summary { routine, kernel, opcodes, error } = summary;
    let code = match &routine.body.code {
        genvisa::object::Code::Present { .. } if !has_file => None,
        genvisa::object::Code::Present { bytes, offset } => {
            Some(Code::Present { offset: Offset(*offset), size: Size(bytes.len() as u64) })
        }
        genvisa::object::Code::Stripped { size, entry } => {
            let (size, entry) = (Size((*size).into()), *entry);
            Some(Code::Stripped { stripped: Stripped { size, entry } })
        }
    };
    let attributes = routine.body.attributes.iter().map(|attribute| Attribute {
        name: attribute_name(routine.body, attribute),
        value: attribute_value(attribute),
    });
    let binaries = kernel.iter().flat_map(|kernel| &kernel.gen_binaries);
    let binaries = binaries.map(|binary| GenBinary {
        platform: binary.platform,
        size: Size(binary.bytes.len() as u64),
    });
    let tables = summary.tables().into_iter();
    Routine {
        kind: RoutineKind(routine.kind.to_string()),
        name: RoutineName(routine.name.to_string_lossy()),
        code,
        instructions: summary.instructions(),
        opcodes,
        tables: tables.map(|(name, n)| (format!("{}s", name.replace(' ', "_")), n)).collect(),
        attributes: attributes.collect(),
        gen_binaries: binaries.collect(),
        error: error.as_ref().map(ToString::to_string),
    }
}
