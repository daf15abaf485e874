//! The command that repeats a comparison.

use std::path::Path;

use genvisa::operand::DataType;
use genvisa_equiv::Case;
use genvisa_interp::binary::Kernel;
use genvisa_interp::dispatch::{Argument, element};
use genvisa_interp::number;
use genvisa_interp::{Sampler, to_f64};

use crate::commands::run::values::{of_size, suffix_of};
use crate::words::shown;

/// Longer commands are not printed.
const MAX_LENGTH: usize = 2000;

/// What a command repeats, besides the kernel and its arguments.
pub struct Repetition<'r> {
    pub files: [&'r Path; 2],
    /// Other options, with their values.
    pub options: Vec<(&'static str, String)>,
}

impl Repetition<'_> {
    /// Returns the command for a shell. Returns `None` if an argument needs a file, or the command is long.
    pub fn command(&self, kernel: &Kernel, case: &Case) -> Option<String> {
        let [a, b] = self.files.map(|path| quoted(&shown(path)));
        let mut words = vec!["genvisa equiv".to_owned(), a, b];
        let mut option = |name: &str, value: &str| words.extend([name.to_owned(), quoted(value)]);
        option("--kernel", &kernel.name);
        let sizes = |sizes: &[u32]| {
            let words: Vec<String> = sizes.iter().map(u32::to_string).collect();
            words.join(",")
        };
        option("--global", &sizes(&case.global));
        option("--local", &sizes(&case.local));
        for (index, argument) in case.arguments.iter().enumerate() {
            // The payload does not contain it.
            if *argument == Argument::Value(Vec::new()) {
                continue;
            }
            let name = match kernel.argument_name(index as u32) {
                "" => index.to_string(),
                name => name.into(),
            };
            let ty = element(kernel.argument_type(index as u32)).map(|(ty, _)| ty);
            option("--arg", &format!("{name}={}", value(argument, ty)?));
        }
        for (name, value) in &self.options {
            option(name, value);
        }
        let command = words.join(" ");
        (command.len() <= MAX_LENGTH).then_some(command)
    }
}

/// Returns an argument as `--arg` has it; `None` if it needs a file.
fn value(argument: &Argument, ty: Option<DataType>) -> Option<String> {
    let is_zero = |bytes: &[u8]| bytes.iter().all(|byte| *byte == 0);
    match argument {
        Argument::Value(bytes) => Some(numbers(bytes, ty)),
        Argument::Buffer(bytes) if is_zero(bytes) => Some(format!("zero:{}", bytes.len())),
        Argument::Buffer(bytes) => Some(format!("buffer:{}", numbers(bytes, ty))),
        Argument::Local(bytes) => Some(format!("local:{bytes}")),
        Argument::Null => Some("null".into()),
        Argument::Image { dimensions, format, size: [x, y, z], texels } if is_zero(texels) => {
            Some(format!("image:{}:{}:{x},{y},{z}:zero", dimensions.name(), format.name()))
        }
        Argument::Sampler(sampler) => {
            let Sampler { filter, address: [mode, ..], normalized, .. } = *sampler;
            let coordinates = if normalized { "normalized" } else { "texels" };
            let is_usual = Sampler::new(filter, mode, normalized) == *sampler;
            is_usual.then(|| format!("sampler:{}:{}:{coordinates}", filter.name(), mode.name()))
        }
        _ => None,
    }
}

/// Returns bytes as numbers with their type, in which `0*16` is 16 zeros.
fn numbers(bytes: &[u8], ty: Option<DataType>) -> String {
    let ty = ty.filter(|ty| bytes.len() % ty.size() == 0);
    let ty = ty.unwrap_or(if bytes.len() % 4 == 0 { DataType::UD } else { DataType::UB });
    let words: Vec<String> = bytes.chunks(ty.size()).map(|bytes| word(ty, bytes)).collect();
    let runs = words.chunk_by(|a, b| a == b).map(|run| match run {
        [word] => word.clone(),
        [word, ..] => format!("{word}*{}", run.len()),
        [] => String::new(),
    });
    runs.collect::<Vec<String>>().join(",")
}

/// Returns a number with the suffix of its type.
fn word(ty: DataType, bytes: &[u8]) -> String {
    let mut all = [0; 8];
    all[..bytes.len()].copy_from_slice(bytes);
    let bits = u64::from_le_bytes(all);
    match to_f64(ty, bits) {
        Some(value) if value.is_finite() => number(ty, bits) + suffix_of(ty),
        // The bits of NaN differ.
        Some(_) => {
            let ty = of_size(ty.size()).unwrap_or(DataType::UD);
            format!("{bits:#x}{}", suffix_of(ty))
        }
        None => number(ty, bits) + suffix_of(ty),
    }
}

/// Quotes a word for a shell, if it needs it.
fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "_-=./:,+@".contains(c);
    match word.chars().all(is_plain) && !word.is_empty() {
        true => word.into(),
        false => format!("'{}'", word.replace('\'', "'\\''")),
    }
}

#[cfg(test)]
mod tests {
    use genvisa_test_support::rng::Rng;

    use super::*;
    use crate::commands::run::values::bytes_of;

    /// The numbers of any bits are read as these bits.
    #[test]
    fn numbers_are_read_as_their_bits() {
        let names = [
            "char",
            "uchar",
            "short",
            "ushort",
            "int",
            "uint",
            "long",
            "ulong",
            "half",
            "float",
            "double",
            "structure",
        ];
        let mut rng = Rng::new(7, 1);
        let infinities = [0x7f80_0000u64, 0xfff0 << 48, 0x7c00, 0xfc01, 1 << 63];
        for name in names {
            let ty = element(name).map(|(ty, _)| ty);
            for round in 0..300 {
                let bits = infinities.get(round).copied().unwrap_or_else(|| rng.bits());
                let bytes = [bits.to_le_bytes(), rng.bits().to_le_bytes(), [0; 8]].concat();
                let text = numbers(&bytes, ty);
                assert_eq!(bytes_of(&text, Some(24), name).as_ref(), Ok(&bytes), "{name}: {text}");
                assert_eq!(bytes_of(&text, None, "").as_ref(), Ok(&bytes), "{name}: {text}");
            }
        }
    }
}
