//! The kernels of device binaries with their machine code, which Intel's disassembler `iga64` prints.

use std::io::Write;
use std::path::Path;
use std::process::Command;

use anstyle::Style;
use anyhow::{Context, bail};
use genvisa::Platform;
use genvisa_container::device::{DeviceBinary, Overview, machine_code};
use genvisa_container::{EmbeddedBinaries, FileKind};

use super::Dis;
use crate::input::container::warn_of_damage;
use crate::input::read_kind;
use crate::modules::routines::no_routine;
use crate::output::Output;
use crate::words::{count, printable, shown};

const BOLD: Style = Style::new().bold();

/// Prints the text and the machine code of each kernel.
pub fn print(args: &Dis, iga64: &Path, out: &mut Output) -> anyhow::Result<()> {
    let name = shown(&args.file);
    let bytes = read_kind(&args.file, FileKind::is_container, "a device binary")?;
    let EmbeddedBinaries { binaries, damage, .. } = EmbeddedBinaries::read(&bytes);
    warn_of_damage(&name, &damage, out)?;
    if binaries.is_empty() {
        bail!("`{name}` contains no device binary (zebin)");
    }
    let (mut others, mut is_found) = (Vec::new(), false);
    for binary in binaries {
        let path = printable(&binary.path.join(", "));
        let name = if path.is_empty() { name.clone() } else { format!("{name} ({path})") };
        let stated = Overview::from_bytes(&binary.bytes).ok();
        let device = stated.and_then(|overview| Some(overview.target.device()?.0));
        let Some(platform) = args.registers.platform.or(device) else {
            bail!("{name}: it does not state a known device; state --platform");
        };
        let texts = DeviceBinary::from_bytes(&binary.bytes).unwrap_or_default();
        let code = machine_code(&binary.bytes).with_context(|| format!("`{name}`"))?;
        for (kernel, code) in code {
            if args.routine.as_ref().is_some_and(|wanted| *wanted != kernel) {
                others.push(printable(&kernel));
                continue;
            }
            if is_found {
                writeln!(out)?;
            }
            is_found = true;
            let shown = printable(&kernel);
            if let Some(text) = texts.text(&kernel) {
                writeln!(out, "{BOLD}{name}, {shown}: vISA{BOLD:#}")?;
                let text = String::from_utf8_lossy(text);
                for line in text.trim_end_matches(['\0', '\n']).lines() {
                    writeln!(out, "{}", printable(line))?;
                }
                writeln!(out)?;
            }
            let size = count(code.len(), "byte");
            writeln!(out, "{BOLD}{name}, {shown}: machine code of {platform}, {size}{BOLD:#}")?;
            for line in disassemble(iga64, platform, code)?.lines() {
                writeln!(out, "{}", printable(line))?;
            }
        }
    }
    match &args.routine {
        Some(routine) if !is_found => bail!(no_routine(&name, routine, others.into_iter())),
        _ => Ok(()),
    }
}

/// Returns what `iga64` prints of machine code.
fn disassemble(iga64: &Path, platform: Platform, code: &[u8]) -> anyhow::Result<String> {
    let Some(iga) = platform.iga_name() else {
        bail!("iga64 has no name for {platform}");
    };
    // It reads regular files only.
    let mut input = tempfile::Builder::new().suffix(".krn").tempfile()?;
    input.write_all(code)?;
    let ran = Command::new(iga64)
        .args(["-d", &format!("-p={iga}"), "-Xprint-pc"])
        .arg(input.path())
        .output()
        .with_context(|| {
            format!("cannot run `{}`; state its path: --machine-code=PATH", shown(iga64))
        })?;
    if !ran.status.success() {
        let printed = String::from_utf8_lossy(&ran.stderr);
        bail!("`{}` for {platform}: {}: {}", shown(iga64), ran.status, printable(printed.trim()));
    }
    Ok(String::from_utf8_lossy(&ran.stdout).into_owned())
}
