//! How the kernels of darktable run: what their names and types suggest, unless a table states it.

use std::fs;

use genvisa_interp::binary::Kernel;
use genvisa_interp::dispatch::Parameter;
use genvisa_interp::{Dimensions, PixelFormat};
use genvisa_test_support::repository;

use super::super::data::{Buffer, Type};
use super::super::manifest::{self, Argument, Image, Run, Tolerance};

/// The width and the height of images, and what integers with such names are.
const SIZE: u32 = 16;
/// More elements than kernels access.
const ELEMENTS: usize = 1 << 14;
const LOCAL_BYTES: u32 = 1 << 14;

/// The rows of `tests/data/darktable.txt`, whose head describes them.
pub struct Table(Vec<Row>);

struct Row {
    /// `FILE/KERNEL`; `*` at the end stands for any end.
    pattern: String,
    options: Vec<String>,
    arguments: Vec<String>,
}

impl Table {
    pub fn read() -> Table {
        let path = repository("crates/interp/tests/data/darktable.txt");
        let text = fs::read_to_string(path).expect("the table");
        let mut rows: Vec<Row> = Vec::new();
        for line in text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
            let mut words = line.split_whitespace().map(str::to_owned);
            if line.starts_with(' ') {
                rows.last_mut().expect("a row").arguments.push(line.into());
            } else {
                let pattern = words.next().expect("a pattern");
                rows.push(Row { pattern, options: words.collect(), arguments: Vec::new() });
            }
        }
        Table(rows)
    }

    /// Returns how a kernel of a file runs: with as many dimensions as its text uses, unless a row has
    /// sizes.
    pub fn run(&self, file: &str, kernel: &Kernel, text: &str) -> Run {
        let body = body(&kernel.name, text);
        let name = format!("{file}/{}", kernel.name);
        let rows = || self.0.iter().filter(|row| row.has(&name));
        let names: Vec<&str> = (0..)
            .zip(Parameter::of_kernel(kernel))
            .map(|(it, _)| kernel.argument_name(it))
            .collect();
        let arguments =
            Parameter::of_kernel(kernel).into_iter().zip(0..).map(|(parameter, index)| {
                let name = names[index as usize];
                let stated =
                    rows().flat_map(|row| &row.arguments).find(|line| parameter_of(line) == name);
                let ty = kernel.argument_type(index);
                let argument = match stated {
                    Some(line) => manifest::argument(&kernel.name, line).1,
                    None => argument(&format!("{}.{name}", kernel.name), name, parameter, ty, body),
                };
                (name.to_owned(), compared(argument))
            });
        let arguments = arguments.collect();
        for row in rows().filter(|row| !row.pattern.ends_with('*')) {
            let unknown = row.arguments.iter().find(|line| !names.contains(&parameter_of(line)));
            assert!(unknown.is_none(), "{name} has no parameter {unknown:?}");
        }
        let options: Vec<&str> = rows().flat_map(|row| &row.options).map(|it| &**it).collect();
        let run = manifest::run(&kernel.name, &options);
        let (global, local) = match run.global.is_empty() {
            true => sizes(kernel, body),
            false => (run.global, run.local),
        };
        let tolerance = Tolerance { ulp: 1 << 13, absolute: 1e-3 };
        Run { global, local, arguments, tolerance, ..run }
    }
}

impl Row {
    fn has(&self, name: &str) -> bool {
        match self.pattern.strip_suffix('*') {
            Some(start) => name.starts_with(start),
            None => self.pattern == name,
        }
    }
}

/// Returns the name of the parameter of a line.
fn parameter_of(line: &str) -> &str {
    line.split_whitespace().next().unwrap_or_default()
}

/// Returns an argument whose contents are compared.
fn compared(mut argument: Argument) -> Argument {
    match &mut argument {
        Argument::Buffer(buffer) => buffer.is_output = true,
        Argument::Image(image) => image.texels.is_output = true,
        _ => {}
    }
    argument
}

/// Returns the global and the local sizes of a kernel that no row states.
fn sizes(kernel: &Kernel, body: &str) -> (Vec<u32>, Vec<u32>) {
    let dimensions =
        (1..3).filter(|it| body.contains(&format!("_id({it})"))).max().unwrap_or(0) + 1;
    let uses = |id: &str| body.contains(&format!("get_local_id({id})"));
    let local = match kernel.execution.required_group_size {
        Some(size) => size[..dimensions].to_vec(),
        None if dimensions == 1 => vec![SIZE],
        // Local memory of a row or a column.
        None if uses("0") && !uses("1") => [&[SIZE, 1][..], &vec![1; dimensions - 2]].concat(),
        None if uses("1") && !uses("0") => [&[1, SIZE][..], &vec![1; dimensions - 2]].concat(),
        None => [&[8, 8][..], &vec![1; dimensions - 2]].concat(),
    };
    let global = (0..dimensions).map(|it| if it < 2 { SIZE } else { 1 }.max(local[it])).collect();
    (global, local)
}

/// Returns the text of a kernel.
fn body<'t>(name: &str, text: &'t str) -> &'t str {
    let is_name = |at: &usize| {
        let rest = text[at + name.len()..].trim_start();
        let before = text[..*at].chars().next_back();
        rest.starts_with('(') && before.is_none_or(|c| !c.is_alphanumeric() && c != '_')
    };
    let start = text.match_indices(name).map(|(at, _)| at).find(is_name).unwrap_or_default();
    let end = text[start..].find("\n}").map_or(text.len(), |length| start + length);
    &text[start..end]
}

fn argument(seed: &str, name: &str, parameter: Parameter, ty: &str, body: &str) -> Argument {
    let buffer = |ty: &str, count: usize, options: &[&str]| {
        Buffer::parse(seed, Type::from_name(ty).expect("a type of numbers"), count, options)
    };
    match parameter {
        Parameter::Buffer => Argument::Buffer(match element(ty).0 {
            float @ ("half" | "float" | "double") => buffer(float, ELEMENTS, &["0..1"]),
            // Often indices, and colors of a pattern.
            other => buffer(other, ELEMENTS, &["0..2"]),
        }),
        Parameter::Image => {
            let image_type = ty;
            let is_integer = ["read_imageui", "write_imageui"]
                .iter()
                .any(|call| body.contains(&format!("{call}({name},")));
            let (format, ty, range) = match is_integer {
                true => (PixelFormat::R16Uint, "ushort", "0..4000"),
                false => (PixelFormat::Rgba32Float, "float", "0..1"),
            };
            let (dimensions, size) = match image_type {
                "image2d_array_t" => (Dimensions::D2Array, [SIZE, SIZE, 2]),
                "image3d_t" => (Dimensions::D3, [SIZE, SIZE, 4]),
                _ => (Dimensions::D2, [SIZE, SIZE, 1]),
            };
            let count = size.iter().product::<u32>() as usize * format.bytes() as usize
                / Type::from_name(ty).expect("a type").size;
            let texels = buffer(ty, count, &[range]);
            Argument::Image(Image { dimensions, format, size, texels })
        }
        Parameter::Local => Argument::Local(LOCAL_BYTES),
        Parameter::Value(size) => Argument::Value(value(name, ty, size as usize)),
        _ => Argument::Value(Vec::new()),
    }
}

/// Returns the name of the type of elements, and the number of elements of a vector.
fn element(ty: &str) -> (&str, usize) {
    // An array has brackets after the name.
    let name = ty.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
    let base = name.trim_end_matches(|c: char| c.is_ascii_digit());
    let count = name[base.len()..].parse().unwrap_or(1);
    (if Type::from_name(base).is_some() { base } else { "int" }, count)
}

/// Returns a value: a size, a pattern of colors, 1 or 0.5.
fn value(name: &str, ty: &str, size: usize) -> Vec<u8> {
    let lower = name.to_lowercase();
    let is_size = ["width", "height", "stride", "wd", "ht"].iter().any(|it| lower.contains(it))
        || matches!(&*lower, "w" | "h" | "iw" | "ih" | "ow" | "oh" | "cw" | "ch" | "pw" | "ph");
    let (element, _) = element(ty);
    let bytes: Vec<u8> = match element {
        "float" | "half" | "double" => 0.5f32.to_le_bytes().to_vec(),
        "int" | "uint" if lower == "filters" => 0x9494_9494u32.to_le_bytes().to_vec(),
        _ => {
            let size = Type::from_name(element).expect("a type").size;
            // Widths and heights are those of the images; other sizes, such as those of grids, are smaller.
            let number = match () {
                () if is_size => SIZE,
                () if lower.contains("blocksize") => 8,
                () if lower.contains("size") || lower == "level" => 4,
                () => 1,
            };
            u64::from(number).to_le_bytes()[..size].to_vec()
        }
    };
    bytes.iter().copied().cycle().take(size).collect()
}
