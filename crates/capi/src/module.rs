//! Modules: files and texts.

use std::sync::Arc;

use visa::Platform;
use visa::text::{Document, FileListing, ParseOptions, SourceMap, Style};
use visa::{Dialect, Module};

use crate::abi::{call, genvisa_buffer, genvisa_bytes, give, required};
use crate::error::{Fallible, genvisa_error, genvisa_status};
use genvisa_status::GENVISA_OK;

/// A module: the contents of a .isa file or of a text. It does not change.
///
/// The caller frees it with `genvisa_module_free`.
pub struct genvisa_module {
    pub(crate) shared: Arc<Shared>,
}

/// What the handles of a module share.
pub struct Shared {
    pub(crate) module: Module<'static>,
    pub(crate) text: Option<Text>,
    /// The platform that the text states.
    pub(crate) platform: Option<Platform>,
}

/// What is known about a text besides its module.
pub struct Text {
    pub(crate) source: Vec<u8>,
    pub(crate) source_map: SourceMap,
}

/// A routine of a module.
#[repr(C)]
pub struct genvisa_routine {
    /// The name. It is valid until the module and all its decoders are freed.
    pub name: genvisa_bytes,
    /// Whether it is a kernel; otherwise it is a function.
    pub is_kernel: bool,
    /// The bytes of its instructions, one after another. They are valid as long as the name.
    pub code: genvisa_bytes,
}

pub(crate) fn dialect_of(name: genvisa_bytes) -> Fallible<Option<Dialect>> {
    // SAFETY: the caller of the interface promises that arguments are readable.
    let name = unsafe { name.text() }?;
    let parse =
        |name: &str| name.parse().map_err(|error| genvisa_error::argument(format!("{error}")));
    if name.is_empty() { Ok(None) } else { parse(name).map(Some) }
}

fn read(file: &[u8], dialect: Option<Dialect>) -> Fallible<Module<'static>> {
    Ok(Module::from_bytes(file, dialect.unwrap_or(Dialect::Igc2022))?.into_owned())
}

/// Reads a .isa file.
///
/// `dialect` is the name of the file's dialect; "igc2022" if it is empty. Reading does not decode
/// instructions: if some cannot be decoded, `genvisa_decoder_next` and `genvisa_module_print` return an error,
/// `genvisa_verify` a finding, and `genvisa_module_encode` writes the same bytes. On success, `*module` is a new
/// module, which the caller frees.
#[unsafe(no_mangle)]
pub extern "C" fn genvisa_module_read(
    file: genvisa_bytes,
    dialect: genvisa_bytes,
    module: Option<&mut *mut genvisa_module>,
    error: Option<&mut *mut genvisa_error>,
) -> genvisa_status {
    call(error, || {
        let module = required(module, "module")?;
        // SAFETY: the caller promises that the bytes are readable.
        let read = read(unsafe { file.get() }?, dialect_of(dialect)?)?;
        give(
            module,
            genvisa_module {
                shared: Arc::new(Shared { module: read, text: None, platform: None }),
            },
        );
        Ok(GENVISA_OK)
    })
}

/// Parses a .visaasm text.
///
/// The text states its version in the line `.version`; without it, the version is 3.6. If a text has errors in a version of
/// files, newer versions are tried. If `dialect` is empty, the dialect is "igc2026" for version 4.2, which has text only,
/// and "igc2022" for versions of files. On success, `*module` is a new module, which the caller frees.
#[unsafe(no_mangle)]
pub extern "C" fn genvisa_module_parse(
    text: genvisa_bytes,
    dialect: genvisa_bytes,
    module: Option<&mut *mut genvisa_module>,
    error: Option<&mut *mut genvisa_error>,
) -> genvisa_status {
    call(error, || {
        let module = required(module, "module")?;
        // SAFETY: the caller promises that the bytes are readable.
        let source = unsafe { text.get() }?.to_vec();
        let options = ParseOptions::new().with_dialect(dialect_of(dialect)?);
        let Document { module: parsed, source_map, platform, .. } =
            Document::parse(&source, options).into_result()?;
        let text = Some(Text { source, source_map });
        let shared = Shared { module: parsed, text, platform };
        give(module, genvisa_module { shared: Arc::new(shared) });
        Ok(GENVISA_OK)
    })
}

/// Returns the number of routines of a module, its kernels before its functions. Returns 0 for null.
#[unsafe(no_mangle)]
pub extern "C" fn genvisa_module_routine_count(module: Option<&genvisa_module>) -> usize {
    module.map_or(0, |module| module.shared.module.routines().count())
}

/// Describes the routine with an index. If there is none, the status is `GENVISA_END`.
#[unsafe(no_mangle)]
pub extern "C" fn genvisa_module_routine(
    module: Option<&genvisa_module>,
    index: usize,
    routine: Option<&mut genvisa_routine>,
) -> genvisa_status {
    call(None, || {
        let (module, out) = (required(module, "module")?, required(routine, "routine")?);
        let Some(routine) = module.shared.module.routine(index) else {
            return Ok(genvisa_status::GENVISA_END);
        };
        *out = genvisa_routine {
            name: genvisa_bytes::of(routine.name.as_bytes()),
            is_kernel: routine.kind == visa::error::RoutineKind::Kernel,
            code: genvisa_bytes::of(routine.body.code.bytes()),
        };
        Ok(GENVISA_OK)
    })
}

/// Encodes a module as a .isa file, in the format of the module. A module of version 4.2 has no binary form
/// (`GENVISA_ERROR_BINARY`). On success, `*file` is a new buffer, which the caller frees.
#[unsafe(no_mangle)]
pub extern "C" fn genvisa_module_encode(
    module: Option<&genvisa_module>,
    file: Option<&mut *mut genvisa_buffer>,
    error: Option<&mut *mut genvisa_error>,
) -> genvisa_status {
    call(error, || {
        let (module, file) = (required(module, "module")?, required(file, "file")?);
        give(file, genvisa_buffer::new(module.shared.module.to_bytes()?));
        Ok(GENVISA_OK)
    })
}

/// Prints a module as text.
///
/// With `as_genx_ir`, the text is byte for byte that of GenX_IR, the command-line tool of IGC in 2022. Without it, the
/// text has everything that the file has except machine code, and `genvisa_module_parse` reads it again. On success,
/// `*text` is a new buffer, which the caller frees.
#[unsafe(no_mangle)]
pub extern "C" fn genvisa_module_print(
    module: Option<&genvisa_module>,
    as_genx_ir: bool,
    text: Option<&mut *mut genvisa_buffer>,
    error: Option<&mut *mut genvisa_error>,
) -> genvisa_status {
    call(error, || {
        let (module, text) = (required(module, "module")?, required(text, "text")?);
        give(text, genvisa_buffer::new(print(&module.shared.module, as_genx_ir)?));
        Ok(GENVISA_OK)
    })
}

fn print(module: &Module<'_>, as_genx_ir: bool) -> Fallible<String> {
    let style = if as_genx_ir { Style::GenXIr } else { Style::Complete };
    Ok(FileListing::new(module).with_style(style).to_text()?)
}

/// Reads a .isa file and prints it as text, as `genvisa_module_read` and `genvisa_module_print` without
/// `as_genx_ir` do. On success, `*text` is a new buffer, which the caller frees.
#[unsafe(no_mangle)]
pub extern "C" fn genvisa_disassemble(
    file: genvisa_bytes,
    dialect: genvisa_bytes,
    text: Option<&mut *mut genvisa_buffer>,
    error: Option<&mut *mut genvisa_error>,
) -> genvisa_status {
    call(error, || {
        let text = required(text, "text")?;
        // SAFETY: the caller promises that the bytes are readable.
        let module = read(unsafe { file.get() }?, dialect_of(dialect)?)?;
        give(text, genvisa_buffer::new(print(&module, false)?));
        Ok(GENVISA_OK)
    })
}

/// Frees a module. Does nothing for null.
#[unsafe(no_mangle)]
pub extern "C" fn genvisa_module_free(module: Option<Box<genvisa_module>>) {
    drop(module);
}
