//! Comparisons of the kernels of darktable: of builds, of kernels and mutants, and of kernels and rewritten ones.
//!
//! `GENVISA_DARKTABLE` is the folder of the kernels. A part of the files is compiled by default;
//! `GENVISA_KERNELS=all` compiles all, and with `GENVISA_BLESS` writes the page.

mod mutants;
mod rewrites;

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::PathBuf;
use std::{env, fs};

use genvisa_equiv::interp::binary::DeviceBinary;
use genvisa_equiv::interp::dispatch::Argument;
use genvisa_equiv::{Comparison, Side, Tolerance, Verdict};
use genvisa_test_support::ocloc::Ocloc;
use genvisa_test_support::parallel::parallel;
use genvisa_test_support::repository;
use genvisa_test_support::rng::Rng;

use mutants::{Mutant, mutant};

const PATH: &str = "docs/evidence/equiv.md";

/// The builds, and which of them are compared.
const BUILDS: [(&str, &str, &str); 4] = [
    ("bmg -O0", "bmg", "-cl-opt-disable"),
    ("bmg", "bmg", ""),
    ("dg2", "dg2", ""),
    ("ptl", "ptl", ""),
];
const PAIRS: [(usize, usize); 3] = [(0, 1), (1, 2), (1, 3)];

/// Why builds of a kernel differ with generated arguments: what the source leaves undefined.
const EXPLAINED: &[(&str, &str)] = &[
    ("colorbalancergb", "`mask_type` is the index of an array of four elements, and is 64"),
    (
        "colormapping_mapping",
        "`clusters` is the number of used elements of arrays, and is larger than they are",
    ),
    ("colorreconstruction_blur_line", "work-items write the same elements with these sizes"),
    ("border_interpolate", "a channel of the color is not set"),
    (
        "clip_and_zoom_demosaic_third_size_xtrans",
        "colors in a buffer are indices of an array of three elements",
    ),
    ("rcd_step_5_1", "work-items read what others write with these sizes"),
    ("clip_and_zoom", "a float that is too large is converted to an integer"),
    ("filmic_inpaint_noise", "a channel of the color is not set"),
    ("gauss_expand", "channels of the color are not set"),
    ("gauss_reduce", "channels of the color are not set"),
    ("highlights_1f_lch_xtrans", "colors in a buffer are indices of an array of three elements"),
    ("inpaint_mask", "a channel of the color is not set"),
    ("laplacian_assemble", "channels of the color are not set"),
    ("lowlight", "a channel of the color is not set"),
    ("markesteijn_solitary_green", "colors in a buffer are indices of an array of three elements"),
    ("passthrough_monochrome", "a channel of the color is not set"),
    ("ppg_demosaic_green", "a channel of the color is not set"),
    ("retouch_image_lab2rgb", "a channel of the color is not set"),
    ("retouch_image_rgb2lab", "a channel of the color is not set"),
    (
        "warp_kernel",
        "`size` in a buffer is the number of elements of an array of six elements, and is larger",
    ),
];

type Counts = BTreeMap<String, usize>;

struct Found {
    /// For each pair, the verdict on each kernel.
    builds: Vec<(usize, String, Verdict)>,
    mutants: Vec<(Mutant, Told)>,
    rewrites: Vec<(&'static str, String, Verdict)>,
}

/// What a comparison says about a mutant.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Told {
    Differs,
    /// Only many more runs tell it from the original.
    Late,
    /// Many more runs do not tell it, either.
    Equal,
    NotCompared,
}

fn comparison() -> Comparison {
    let mut comparison = Comparison::new();
    comparison.tolerance = Tolerance { ulp: 8, relative: 0.0 };
    comparison
}

fn compare(a: &DeviceBinary, b: &DeviceBinary, kernel: &str, comparison: &Comparison) -> Verdict {
    // A text that was printed again does not state the platform.
    let platform = b.platform().or(a.platform()).ok();
    let sides = [(a, None), (b, platform)].map(|(it, platform)| Side::new(it, kernel, platform));
    match sides {
        [Ok(a), Ok(b)] => comparison.compare(&a, &b),
        [Err(error), _] | [_, Err(error)] => Verdict::NotCompared(error.to_string()),
    }
}

#[test]
#[ignore = "needs ocloc of IGC 2.40.14 and darktable"]
fn kernels_of_darktable_and_their_mutants() {
    let folder = PathBuf::from(env::var_os("GENVISA_DARKTABLE").expect("GENVISA_DARKTABLE"));
    let ocloc = Ocloc::required();
    let is_all = env::var("GENVISA_KERNELS").is_ok_and(|value| value == "all");
    let entries = fs::read_dir(&folder).expect("the folder of kernels").flatten();
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "cl"));
    files.sort();
    let files: Vec<PathBuf> = files
        .into_iter()
        .enumerate()
        .filter(|(at, _)| is_all || at % 9 == 2)
        .map(|it| it.1)
        .collect();
    let compiled = parallel(&files, |file| {
        let source = fs::read_to_string(file).expect("a file");
        let binaries = BUILDS.map(|(_, device, options)| {
            let options = format!("-I{} {options}", folder.display());
            let compile = || ocloc.binary(&source, device, &options).ok();
            // On a busy machine, a compilation may take too long.
            let bytes = compile().or_else(compile).or_else(compile)?;
            DeviceBinary::from_bytes(&bytes).ok()
        });
        let name = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        assert!(binaries.iter().all(Option::is_some), "{name} is not compiled");
        binaries.map(|binary| binary.expect("a device binary"))
    });
    // Files differ much in the number of their kernels.
    let kernels = compiled.iter().flat_map(|of_file| {
        of_file[0].kernels.iter().map(move |kernel| (of_file, kernel.name.as_str()))
    });
    // For the page, equal mutants run often.
    let runs = if is_all { 300 } else { 30 };
    let kernels: Vec<_> = kernels.step_by(if is_all { 1 } else { 3 }).collect();
    let found = parallel(&kernels, |(binaries, kernel)| examine(binaries, kernel, runs));
    let page = Page::new(found);
    eprintln!("{}", page.text);
    if is_all && env::var_os("GENVISA_BLESS").is_some() {
        fs::write(repository(PATH), &page.text).expect("writing the page");
    }
    assert!(page.problems.is_empty(), "{}", page.problems.join("\n"));
}

fn examine(binaries: &[DeviceBinary; 4], kernel: &str, runs: u32) -> Found {
    let mut found = Found { builds: Vec::new(), mutants: Vec::new(), rewrites: Vec::new() };
    for (pair, (a, b)) in PAIRS.into_iter().enumerate() {
        let verdict = compare(&binaries[a], &binaries[b], kernel, &comparison());
        found.builds.push((pair, kernel.into(), verdict));
    }
    let binary = &binaries[1];
    let Some(text) = binary.text(kernel) else { return found };
    let text = String::from_utf8_lossy(text).into_owned();
    let with = |text: String| {
        let others = binary.functions().map(<[u8]>::to_vec);
        let texts = [text.into_bytes()].into_iter().chain(others).collect();
        DeviceBinary { texts, ..binary.clone() }
    };
    for (name, text) in rewrites::of(&text) {
        let verdict = compare(binary, &with(text), kernel, &comparison());
        found.rewrites.push((name, kernel.into(), verdict));
    }
    if let Some((other, argument)) = rewrites::instrumented(binary, kernel) {
        let mut comparison = comparison();
        comparison.arguments.resize(argument as usize, None);
        comparison.arguments.push(Some(Argument::Buffer(vec![0; 1 << 16])));
        let verdict = compare(binary, &other, kernel, &comparison);
        found.rewrites.push(("example `instrument`", kernel.into(), verdict));
    }
    let seed = kernel.bytes().fold(7, |seed: u64, byte| seed * 31 % 1_000_003 + u64::from(byte));
    let Some(mutant) = mutant(&text, &mut Rng::new(seed, 1)) else { return found };
    let mutated = with(mutant.text.clone());
    let told = match compare(binary, &mutated, kernel, &comparison()) {
        Verdict::Differ { .. } => Told::Differs,
        Verdict::NotCompared(_) => Told::NotCompared,
        _ => {
            let mut many = comparison();
            many.runs = runs;
            many.seed = 1;
            match compare(binary, &mutated, kernel, &many) {
                Verdict::Differ { .. } => Told::Late,
                _ => Told::Equal,
            }
        }
    };
    found.mutants.push((mutant, told));
    found
}

struct Page {
    text: String,
    problems: Vec<String>,
}

impl Page {
    fn new(found: Vec<Found>) -> Page {
        let mut problems = Vec::new();
        let mut text = String::from("\
# Comparisons of the kernels of darktable

`genvisa equiv` with `--ulp 8` on the kernels of darktable 4.2.1, compiled by ocloc 26.27 (IGC 2.40.14). A test writes this
page: `crates/equiv/tests/suite/kernels.rs`.

## Builds

| A | B | Same code | Equal | Different | Not compared |
|---|---|---|---|---|---|
");
        let mut different: BTreeMap<&str, Vec<String>> = BTreeMap::new();
        for (pair, (a, b)) in PAIRS.into_iter().enumerate() {
            let mut counts = [0; 4];
            for (_, kernel, verdict) in
                found.iter().flat_map(|it| &it.builds).filter(|it| it.0 == pair)
            {
                counts[column(verdict)] += 1;
                if let Verdict::Differ { difference, .. } = verdict {
                    let names = format!("{} and {}", BUILDS[a].0, BUILDS[b].0);
                    let builds = different.entry(kernel).or_default();
                    if !builds.contains(&names) {
                        builds.push(names);
                    }
                    if !EXPLAINED.iter().any(|(name, _)| name == kernel) {
                        problems.push(format!("{kernel}: {difference}"));
                    }
                }
            }
            let [same, equal, differ, not] = counts;
            let (a, b) = (BUILDS[a].0, BUILDS[b].0);
            writeln!(text, "| {a} | {b} | {same} | {equal} | {differ} | {not} |")
                .expect("a string");
        }
        text += "\nThose that differ do what OpenCL C does not define:\n\n| Kernel | Builds | Reason |\n|---|---|---|\n";
        for (kernel, builds) in &different {
            let reason = EXPLAINED.iter().find(|(name, _)| name == kernel).map_or("", |it| it.1);
            writeln!(text, "| {kernel} | {} | {reason} |", builds.join("; ")).expect("a string");
        }
        text += "\nNot compared, by the reason:\n\n";
        let mut reasons = Counts::new();
        for (_, _, verdict) in found.iter().flat_map(|it| &it.builds) {
            if let Verdict::NotCompared(reason) = verdict {
                *reasons.entry(class(reason)).or_default() += 1;
            }
        }
        for (reason, count) in &reasons {
            writeln!(text, "- {count}: {reason}").expect("a string");
        }
        add_mutants(&found, &mut text, &mut problems);
        add_rewrites(&found, &mut text, &mut problems);
        Page { text, problems }
    }
}

fn add_mutants(found: &[Found], text: &mut String, problems: &mut Vec<String>) {
    *text += "
## Mutants

One change in the text of each kernel. \"Late\" are those that 96 runs do not tell from the original, but 300 others do;
\"equal\" those that these do not, either: what they change is not used, or not executed with the arguments that the kernel accepts.

| Change | Mutants | Different | Late | Equal | Not compared |
|---|---|---|---|---|---|
";
    let mut by_kind: BTreeMap<&str, BTreeMap<Told, usize>> = BTreeMap::new();
    for (mutant, told) in found.iter().flat_map(|it| &it.mutants) {
        *by_kind.entry(mutant.kind).or_default().entry(*told).or_default() += 1;
        *by_kind.entry("all").or_default().entry(*told).or_default() += 1;
    }
    let row = |kind: &str, counts: &BTreeMap<Told, usize>| {
        let count = |told| counts.get(&told).copied().unwrap_or_default();
        let [differ, late, equal, not] =
            [Told::Differs, Told::Late, Told::Equal, Told::NotCompared].map(count);
        let all = differ + late + equal + not;
        format!("| {kind} | {all} | {differ} | {late} | {equal} | {not} |\n")
    };
    for (kind, counts) in by_kind.iter().filter(|(kind, _)| **kind != "all") {
        *text += &row(kind, counts);
    }
    if let Some(counts) = by_kind.get("all") {
        *text += &row("all", counts);
        let count = |told| counts.get(&told).copied().unwrap_or_default();
        let (told, late) = (count(Told::Differs), count(Told::Late));
        let share = 100 * told / (told + late).max(1);
        writeln!(text, "\nOf the mutants that change a result, `equiv` tells {share} %.")
            .expect("a string");
        // Few mutants are no sample.
        if told + late >= 100 && share < 95 {
            problems.push(format!("{told} of {} mutants are told", told + late));
        }
    }
    for (mutant, told) in found.iter().flat_map(|it| &it.mutants) {
        if matches!(told, Told::Late | Told::Equal) && env::var_os("GENVISA_VERBOSE").is_some() {
            eprintln!("{}: {}", if *told == Told::Late { "late" } else { "equal" }, mutant.change);
        }
    }
}

fn add_rewrites(found: &[Found], text: &mut String, problems: &mut Vec<String>) {
    *text += "
## Rewritten kernels

| Rewriting | Same code | Equal | Different | Not compared |
|---|---|---|---|---|
";
    let mut counts: BTreeMap<&str, [usize; 4]> = BTreeMap::new();
    for (name, kernel, verdict) in found.iter().flat_map(|it| &it.rewrites) {
        counts.entry(name).or_default()[column(verdict)] += 1;
        if let Verdict::Differ { difference, .. } = verdict {
            problems.push(format!("{name}: {kernel}: {difference}"));
        }
    }
    for (name, [same, equal, differ, not]) in counts {
        writeln!(text, "| {name} | {same} | {equal} | {differ} | {not} |").expect("a string");
    }
}

fn column(verdict: &Verdict) -> usize {
    match verdict {
        Verdict::SameCode => 0,
        Verdict::Equal { .. } => 1,
        Verdict::Differ { .. } => 2,
        _ => 3,
    }
}

/// Returns a reason without its numbers and names.
fn class(reason: &str) -> String {
    const CLASSES: &[(&str, &str)] = &[
        (
            "writes another value to",
            "lanes write different values to local memory with the sizes that were tried",
        ),
        ("races", "work-items race with the sizes that were tried"),
        ("active lanes", "the kernel runs for too long"),
        ("ifcall", "the interpreter does not model a form of `ifcall`"),
    ];
    let known = CLASSES.iter().find(|(word, _)| reason.contains(word));
    known.map_or_else(|| reason.lines().next().unwrap_or_default().into(), |it| it.1.into())
}
