//! The kernels of darktable: OpenCL C that was not written for this test. Their arguments follow from
//! what `.ze_info` states about them.
//!
//! `GENVISA_DARKTABLE` is the folder of the kernels, `usr/share/darktable/kernels` in the package of Debian. A
//! part of the files runs by default; `GENVISA_KERNELS=all` runs all, and with `GENVISA_BLESS` writes the
//! page.

use std::collections::BTreeMap;
use std::env;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use genvisa_interp::binary::{DeviceBinary, Kernel};
use genvisa_interp::dispatch::Parameter;
use genvisa_interp::{Dimensions, PixelFormat};
use genvisa_test_support::ocloc::Ocloc;
use genvisa_test_support::parallel::parallel;
use genvisa_test_support::repository;

use super::data::{Buffer, Type};
use super::device::run_and_compare;
use super::manifest::{Argument, Image, Run, Tolerance};
use super::reference::Pocl;

const DEVICES: [&str; 2] = ["bmg", "dg2"];
const PATH: &str = "docs/run-darktable.md";

/// The width and the height of images, and what integers with such names are.
const SIZE: u32 = 16;
/// More elements than kernels access.
const ELEMENTS: usize = 1 << 14;
const LOCAL_BYTES: u32 = 1 << 14;

/// A kernel that does not agree, or does not run with the arguments that the test makes up.
struct Exception {
    kernel: &'static str,
    reason: &'static str,
}

const UNSET: &str = "the source leaves channels of a color unset, so that their values are open";
const OUTSIDE: &str =
    "the arguments of the test lead outside of memory, or to coordinates that are no numbers";
const SHARED: &str =
    "with the arguments of the test, work-items write the same elements, in an open order";
const SAME: &str =
    "all work-items of a group write the same value to an element, which is a race of the source";
const POWER: &str = "with the arguments of the test, native_powr gets negative numbers";

const EXCEPTIONS: &[Exception] = &[
    Exception { kernel: "basic/clip_rotate_bicubic", reason: OUTSIDE },
    Exception { kernel: "basic/clip_rotate_bilinear", reason: OUTSIDE },
    Exception { kernel: "basic/clip_rotate_lanczos2", reason: OUTSIDE },
    Exception { kernel: "basic/clip_rotate_lanczos3", reason: OUTSIDE },
    Exception { kernel: "basic/inpaint_mask", reason: UNSET },
    Exception { kernel: "basic/interpolation_resample", reason: SHARED },
    Exception { kernel: "basic/lowlight", reason: UNSET },
    Exception { kernel: "bilateral/blur_line", reason: SHARED },
    Exception { kernel: "bilateral/blur_line_z", reason: SHARED },
    Exception { kernel: "colorreconstruction/colorreconstruction_blur_line", reason: SHARED },
    Exception { kernel: "demosaic_markesteijn/markesteijn_interpolate_green", reason: SHARED },
    Exception { kernel: "demosaic_markesteijn/markesteijn_interpolate_twoxtwo", reason: SHARED },
    Exception { kernel: "demosaic_markesteijn/markesteijn_recalculate_green", reason: SHARED },
    Exception { kernel: "demosaic_markesteijn/markesteijn_red_and_blue", reason: SHARED },
    Exception { kernel: "demosaic_markesteijn/markesteijn_solitary_green", reason: SHARED },
    Exception { kernel: "demosaic_other/passthrough_monochrome", reason: UNSET },
    Exception { kernel: "demosaic_ppg/green_equilibration_favg_reduce_first", reason: SAME },
    Exception { kernel: "demosaic_ppg/ppg_demosaic_green", reason: UNSET },
    Exception { kernel: "demosaic_vng/vng_interpolate", reason: OUTSIDE },
    Exception { kernel: "denoiseprofile/denoiseprofile_reduce_first", reason: SAME },
    Exception { kernel: "diffuse/inpaint_mask", reason: UNSET },
    Exception { kernel: "extended/pixelmax_first", reason: SAME },
    Exception { kernel: "filmic/filmic_inpaint_noise", reason: UNSET },
    Exception { kernel: "filmic/filmic_mask_clipped_pixels", reason: SAME },
    Exception { kernel: "locallaplacian/gauss_expand", reason: UNSET },
    Exception { kernel: "locallaplacian/gauss_reduce", reason: UNSET },
    Exception { kernel: "locallaplacian/laplacian_assemble", reason: UNSET },
    Exception { kernel: "retouch/retouch_copy_buffer_to_buffer_masked", reason: OUTSIDE },
    Exception { kernel: "retouch/retouch_fill", reason: OUTSIDE },
    Exception { kernel: "retouch/retouch_image_lab2rgb", reason: UNSET },
    Exception { kernel: "retouch/retouch_image_rgb2lab", reason: UNSET },
    Exception { kernel: "rgblevels/rgblevels", reason: POWER },
];

/// What became of a kernel.
#[derive(Clone, PartialEq)]
enum Outcome {
    Agrees,
    /// It agrees where it does not store values that nobody wrote.
    Undefined,
    /// It runs, and pocl does not run it.
    Alone,
    Differs(String),
    Stopped(String),
}

#[test]
#[ignore = "needs darktable's kernels, ocloc and pocl"]
fn kernels_of_darktable_compute_what_pocl_does() {
    let folder = PathBuf::from(env::var_os("GENVISA_DARKTABLE").expect("GENVISA_DARKTABLE"));
    let (ocloc, pocl) = (Ocloc::find().expect("ocloc"), Pocl::find().expect("pocl"));
    let choice = env::var("GENVISA_KERNELS").unwrap_or_default();
    let entries = fs::read_dir(&folder).expect("the folder of kernels").flatten();
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "cl"));
    files.sort();
    assert!(files.len() > 30, "{} files", files.len());
    let is_selected = |(index, file): &(usize, &PathBuf)| match &*choice {
        "all" => true,
        "" => index % 6 == 0,
        names => names.split(',').any(|name| file.file_stem().is_some_and(|stem| stem == name)),
    };
    let files: Vec<&PathBuf> =
        files.iter().enumerate().filter(is_selected).map(|(_, file)| file).collect();
    let found = parallel(&files, |file| run_file(&ocloc, &pocl, &folder, file));
    let found: BTreeMap<String, [Outcome; 2]> = found.into_iter().flatten().collect();

    let mut failures = Vec::new();
    for (kernel, outcomes) in &found {
        let exception = EXCEPTIONS.iter().find(|exception| exception.kernel == kernel);
        let is_good = |outcome: &Outcome| {
            matches!(outcome, Outcome::Agrees | Outcome::Undefined | Outcome::Alone)
        };
        for (device, outcome) in DEVICES.iter().zip(outcomes) {
            if let (Outcome::Differs(what) | Outcome::Stopped(what), None) = (outcome, exception) {
                failures.push(format!("{kernel} ({device}): {what}"));
            }
        }
        if exception.is_some() && outcomes.iter().all(is_good) {
            failures.push(format!("{kernel} is an exception, but agrees"));
        }
    }
    let page = page(&found);
    eprintln!("{page}");
    if choice == "all" && env::var_os("GENVISA_BLESS").is_some() {
        fs::write(repository(PATH), page).expect("writing the page");
    }
    assert!(failures.is_empty(), "{}\n{} failures", failures.join("\n"), failures.len());
}

/// Runs the kernels of a file on both devices.
fn run_file(ocloc: &Ocloc, pocl: &Pocl, folder: &Path, file: &Path) -> Vec<(String, [Outcome; 2])> {
    let text = fs::read_to_string(file).expect("a file");
    let stem = file.file_stem().expect("a name").to_string_lossy().into_owned();
    let options = format!("-I{}", folder.display());
    let binaries = DEVICES.map(|device| {
        // On a busy machine, a compilation may take too long.
        let compile = || ocloc.binary(&text, device, &options);
        let bytes = compile().or_else(|_| compile())?;
        DeviceBinary::from_bytes(&bytes).map_err(|error| error.to_string())
    });
    let described = binaries.iter().flatten().next();
    let Some(described) = described else {
        let problem = |binary: &Result<_, String>| binary.as_ref().err().cloned();
        let stopped =
            binaries.each_ref().map(|it| Outcome::Stopped(problem(it).unwrap_or_default()));
        return vec![(stem, stopped)];
    };
    let runs: Vec<Run> = described.kernels.iter().map(|kernel| run(kernel, &text)).collect();
    let pocl_options = format!("-cl-std=CL1.2 -w {options}");
    // If a kernel stops pocl, the others of the file run without it.
    let together = pocl.try_results(&text, &pocl_options, &runs).ok();
    let outcome = |(index, run): (usize, &Run)| {
        let one = || pocl.try_results(&text, &pocl_options, std::slice::from_ref(run));
        let expected = match &together {
            Some(results) => Some(results[index].clone()),
            None => one().ok().and_then(|mut results| results.pop()),
        };
        let outcomes = binaries.each_ref().map(|binary| match binary {
            Ok(binary) => judge(binary, run, expected.as_deref()),
            Err(problem) => Outcome::Stopped(problem.clone()),
        });
        (format!("{stem}/{}", run.kernel), outcomes)
    };
    runs.iter().enumerate().map(outcome).collect()
}

fn judge(binary: &DeviceBinary, run: &Run, expected: Option<&[Vec<u8>]>) -> Outcome {
    let own: Vec<Vec<u8>>;
    let compared = match expected {
        Some(expected) => expected,
        None => {
            let buffers = run.arguments.iter().filter_map(|(_, argument)| argument.buffer());
            own = buffers.map(|buffer| buffer.bytes.clone()).collect();
            &own
        }
    };
    match (run_and_compare(binary, run, compared), expected) {
        (Ok((_, Some(_))), Some(_)) => Outcome::Undefined,
        (Ok(_), Some(_)) => Outcome::Agrees,
        (Ok(_), None) => Outcome::Alone,
        // A difference names an element; everything else stops a kernel.
        (Err(problem), None) if problem.contains("elements differ") => Outcome::Alone,
        (Err(problem), _) if problem.contains("elements differ") => Outcome::Differs(problem),
        (Err(problem), _) => Outcome::Stopped(problem),
    }
}

/// Returns how a kernel runs: with as many dimensions as its text uses.
fn run(kernel: &Kernel, text: &str) -> Run {
    let body = body(&kernel.name, text);
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
    let arguments = kernel.parameters().into_iter().zip(0..).map(|(parameter, index)| {
        let name = kernel.argument_name(index).to_owned();
        let ty = kernel.argument_type(index).to_owned();
        let argument = argument(&format!("{}.{name}", kernel.name), &name, parameter, &ty, body);
        (name, argument)
    });
    let tolerance = Tolerance { ulp: 1 << 13, absolute: 1e-3 };
    Run { kernel: kernel.name.clone(), global, local, arguments: arguments.collect(), tolerance }
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
        let ty = Type::from_name(ty).expect("a type of numbers");
        let mut buffer = Buffer::parse(seed, ty, count, options);
        buffer.is_output = true;
        buffer
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
        || matches!(&*lower, "w" | "h" | "iw" | "ih" | "ow" | "oh" | "cw" | "ch");
    let (element, _) = element(ty);
    let bytes: Vec<u8> = match element {
        "float" | "half" | "double" => 0.5f32.to_le_bytes().to_vec(),
        "uint" if lower == "filters" => 0x9494_9494u32.to_le_bytes().to_vec(),
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

fn page(found: &BTreeMap<String, [Outcome; 2]>) -> String {
    let mut page = String::from("\
# The kernels of darktable

The kernels of darktable 4.2.1, compiled by ocloc 26.27 (IGC 2.40.14). Their arguments are made up: images of 16 x 16
texels, buffers of random numbers, sizes of 16, and 1 or 0.5 for other numbers. Floats may differ by 2^13 ULP or 0.001,
because kernels use native functions. \"Undefined\" are kernels that agree, but also store values that nobody wrote, such
as the last channel of a color, which are not compared. \"Only here\" are kernels that run, but that pocl does not run.

`GENVISA_KERNELS=all GENVISA_BLESS=1 GENVISA_DARKTABLE=FOLDER cargo test -p genvisa-interp --test suite -- --ignored
darktable` writes this page.

| Device | Kernels | Run | Agree | Undefined | Only here | Differ | Stopped |
|---|---|---|---|---|---|---|---|
");
    for (index, device) in DEVICES.iter().enumerate() {
        let count = |is: fn(&Outcome) -> bool| found.values().filter(|it| is(&it[index])).count();
        let agree = count(|it| matches!(it, Outcome::Agrees));
        let undefined = count(|it| matches!(it, Outcome::Undefined));
        let alone = count(|it| matches!(it, Outcome::Alone));
        let differ = count(|it| matches!(it, Outcome::Differs(_)));
        let stopped = count(|it| matches!(it, Outcome::Stopped(_)));
        let (all, run) = (found.len(), agree + undefined + alone + differ);
        // Writing to a string never fails.
        let _ = writeln!(
            page,
            "| {device} | {all} | {run} | {agree} | {undefined} | {alone} | {differ} | {stopped} |"
        );
    }
    page += "\n| Kernel | Device | What happens | Reason |\n|---|---|---|---|\n";
    for (kernel, outcomes) in found {
        let exception = EXCEPTIONS.iter().find(|exception| exception.kernel == kernel);
        let reason = exception.map_or("", |exception| exception.reason);
        for (device, outcome) in DEVICES.iter().zip(outcomes) {
            if let Outcome::Differs(what) | Outcome::Stopped(what) = outcome {
                let what = what.lines().next().unwrap_or_default().replace('|', "\\|");
                let _ = writeln!(page, "| {kernel} | {device} | {what} | {reason} |");
            }
        }
    }
    page
}
