//! The facts about a file as JSON.

use std::collections::BTreeMap;

use genvisa::object::Module;
use genvisa_container::device::{Entry, KernelOverview, Members};
use serde::Serialize;
use serde_json::{Map, Value, json};

use super::Binary;
use super::module::{Summary, attribute_name, attribute_value};
use crate::output::definitions::{
    Dialect, File, Offset, Platform, RoutineKind, RoutineName, Size, Version,
};

/// An element of the output.
#[derive(Serialize)]
#[serde(untagged)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(inline))]
pub enum Info<'m> {
    Module(FileInfo<'m>),
    DeviceBinary(BinaryInfo<'m>),
}

/// A device binary.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(inline))]
pub struct BinaryInfo<'m> {
    file: File<'m>,
    /// The offset in the file, or in the unpacked part that `path` names.
    offset: Offset,
    size: Size,
    /// The archive members, compressed parts and files that contain it, the outermost first.
    path: &'m [String],
    /// The platform of `ip_version`; null if it is unknown.
    platform: Option<Platform>,
    /// The name of the first device of `ip_version` for ocloc.
    device: Option<&'static str>,
    /// The version of the graphics IP: architecture, release and revision.
    ip_version: Option<[u16; 3]>,
    product_family: Option<u32>,
    gfxcore_family: Option<u32>,
    build_options: Option<&'m str>,
    /// The kernels of the SPIR-V module in the binary that were not compiled.
    missing_kernels: &'m [String],
    /// The members of `.ze_info` beside the kernels.
    ze_info: Map<String, Value>,
    kernels: Vec<Kernel<'m>>,
    /// Why the binary cannot be read.
    error: Option<String>,
}

/// A kernel, which also has the members of `.ze_info`: those of `execution_env`, with their defaults, and others.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(inline))]
struct Kernel<'m> {
    name: &'m str,
    /// The number of bytes of the machine code.
    code_size: Option<u64>,
    /// Whether the binary has the text of the kernel.
    has_text: bool,
    arguments: Vec<Argument>,
    #[serde(flatten)]
    members: Map<String, Value>,
}

/// An argument of a kernel, which also has the members of `args_info`.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(inline))]
struct Argument {
    index: i64,
    /// The values in `payload_arguments` that belong to it.
    payload: Vec<Value>,
    #[serde(flatten)]
    members: Map<String, Value>,
}

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
    json!(Info::Module(FileInfo {
        file: File(name),
        size: Size(size as u64),
        version: Version(module.format.version.to_string()),
        dialect: Dialect(module.format.dialect.name()),
        padding: Size(module.padding().map(|bytes| bytes.len() as u64).sum()),
        file_scope_variables: variables.collect(),
        undefined_functions: undefined.map(|it| RoutineName(it.name.to_string_lossy())).collect(),
        routines: summaries.iter().map(|summary| routine(summary, has_file)).collect(),
    }))
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

/// Returns what a device binary states.
pub(super) fn binary(binary: &Binary) -> Value {
    let overview = binary.overview.as_ref().ok();
    let target = overview.map(|overview| &overview.target);
    let device = target.and_then(|target| target.device());
    let ip_version = target.and_then(|target| target.ip_version);
    json!(Info::DeviceBinary(BinaryInfo {
        file: File(&binary.file),
        offset: Offset(binary.offset),
        size: Size(binary.size as u64),
        path: &binary.path,
        platform: device.map(|(platform, _)| Platform(platform.name())),
        device: device.map(|(_, device)| device),
        ip_version: ip_version.map(|(architecture, release, revision)| [
            architecture,
            release.into(),
            revision.into()
        ]),
        product_family: target.and_then(|target| target.product_family),
        gfxcore_family: target.and_then(|target| target.gfxcore_family),
        build_options: overview.and_then(|overview| overview.build_options.as_deref()),
        missing_kernels: overview.map_or(&[], |overview| &overview.missing_kernels),
        ze_info: overview.map(|overview| object(&overview.members)).unwrap_or_default(),
        kernels: binary.kernels().iter().map(kernel).collect(),
        error: binary.overview.as_ref().err().map(ToString::to_string),
    }))
}

fn kernel(kernel: &KernelOverview) -> Kernel<'_> {
    let mut members = object(&kernel.execution);
    members.extend(object(&kernel.members));
    let arguments = kernel.arguments.iter().map(|argument| Argument {
        index: argument.index,
        payload: argument.payload.iter().map(|value| Value::Object(object(value))).collect(),
        members: object(&argument.source),
    });
    Kernel {
        name: &kernel.name,
        code_size: kernel.code_size,
        has_text: kernel.has_text,
        arguments: arguments.collect(),
        members,
    }
}

fn object(members: &Members) -> Map<String, Value> {
    members.iter().map(|(name, entry)| (name.clone(), value(entry))).collect()
}

fn value(entry: &Entry) -> Value {
    match entry {
        Entry::Flag(flag) => json!(flag),
        Entry::Integer(number) => json!(number),
        Entry::Text(text) => json!(text),
        Entry::List(list) => list.iter().map(value).collect(),
        Entry::Members(members) => Value::Object(object(members)),
        _ => Value::Null,
    }
}
