//! Register pressure, compared with the estimate of the finalizer.
//!
//! Before it allocates registers, the finalizer estimates the pressure at each machine instruction.
//! It differs from that of the analysis: the finalizer has optimized and scheduled the code, counts
//! whole variables, and adds temporary variables. So only the order of kernels is compared.

use std::path::Path;

use genvisa::RegisterSize;
use genvisa::analysis::Analysis;
use genvisa::text::{format_of, parse};
use genvisa_test_support::corpus;
use genvisa_test_support::genx_ir_today::Compiler;
use genvisa_test_support::parallel::parallel;

use super::today::sources;

/// A kernel, and its platform in the finalizer.
struct Job {
    name: String,
    text: String,
    platform: &'static str,
}

/// Returns the platform of a file of the corpus, from its name.
fn platform(name: &str) -> Option<&'static str> {
    const PLATFORMS: [(&str, &str); 7] = [
        ("gen8", "BDW"),
        ("gen9", "SKL"),
        ("gen11", "ICLLP"),
        ("icllp", "ICLLP"),
        ("gen12", "TGLLP"),
        ("xe-hpm", "DG2"),
        ("xe", "TGLLP"),
    ];
    PLATFORMS.iter().find(|(part, _)| name.contains(part)).map(|(_, platform)| *platform)
}

/// Returns the texts of the corpus that the finalizer compiles.
fn corpus_jobs() -> Vec<Job> {
    let mut jobs = Vec::new();
    for file in corpus::files() {
        let name = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let Some(platform) = platform(&name) else { continue };
        let Ok(entries) = std::fs::read_dir(file.with_extension("golden")) else { continue };
        for path in entries.flatten().map(|entry| entry.path()) {
            if path.extension().is_some_and(|extension| extension == "visaasm") {
                let part = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
                let text = std::fs::read_to_string(&path).expect("a readable text");
                jobs.push(Job { name: format!("{name}/{part}"), text, platform });
            }
        }
    }
    jobs
}

/// Returns the maximum of the finalizer's estimate; `None` if it rejects the text.
fn estimate(compiler: &Compiler, folder: &Path, job: &Job) -> Option<u32> {
    let options = ["-dumpRPE", "-nolocalra", "-output", "-asmOutput", "k"];
    compiler.run(folder, &job.text, job.platform, &options);
    let log = std::fs::read_to_string(folder.join("log")).ok()?;
    let line = log.lines().find_map(|line| line.strip_prefix("max pressure: "))?;
    line.split(',').next()?.parse().ok()
}

/// Returns the largest number of registers of the first routine of a text.
fn peak(job: &Job) -> Option<u32> {
    let module = parse(&job.text, format_of(&job.text)).ok()?;
    let registers = match job.platform {
        "PVCXT" | "XE2" => RegisterSize::Bytes64,
        _ => RegisterSize::Bytes32,
    };
    let analysis = Analysis::new(&module.routines().next()?, registers).ok()?;
    analysis.liveness.peak().map(|(_, pressure)| pressure.registers)
}

/// Returns the rank of each value; equal values have the mean of their ranks.
fn ranks(values: &[u32]) -> Vec<f64> {
    let rank = |value: &u32| {
        let smaller = values.iter().filter(|other| *other < value).count() as f64;
        let equal = values.iter().filter(|other| *other == value).count() as f64;
        smaller + (equal + 1.0) / 2.0
    };
    values.iter().map(rank).collect()
}

/// Returns Spearman's rank correlation.
pub fn correlation(a: &[u32], b: &[u32]) -> f64 {
    let (a, b) = (ranks(a), ranks(b));
    let mean = (a.len() as f64 + 1.0) / 2.0;
    let sum = |x: &[f64], y: &[f64]| -> f64 {
        x.iter().zip(y).map(|(x, y)| (x - mean) * (y - mean)).sum()
    };
    sum(&a, &b) / (sum(&a, &a) * sum(&b, &b)).sqrt()
}

#[test]
#[ignore = "needs GenX_IR of IGC 2.40.14 and the corpus"]
fn peaks_have_the_order_of_the_estimate_of_the_finalizer() {
    let (compiler, visaasm) = (Compiler::required(), corpus::required_visaasm());
    let texts = sources(&visaasm).into_iter();
    let texts = texts.map(|s| Job { name: s.name, text: s.text, platform: s.platform });
    for (what, jobs) in [("texts", texts.collect()), ("corpus", corpus_jobs())] {
        let jobs: Vec<Job> = jobs;
        let results = parallel(&jobs, |job| {
            let folder = tempfile::tempdir().expect("a temporary folder");
            estimate(&compiler, folder.path(), job).zip(peak(job))
        });
        let pairs: Vec<(u32, u32)> = results.iter().copied().flatten().collect();
        let (theirs, ours): (Vec<u32>, Vec<u32>) = pairs.into_iter().unzip();
        let correlation = correlation(&theirs, &ours);
        let (count, all) = (ours.len(), jobs.len());
        eprintln!("{what}: rank correlation {correlation:.3} over {count} of {all} kernels");
        for (job, result) in jobs.iter().zip(&results) {
            if let Some((theirs, ours)) = result.filter(|(a, b)| a.abs_diff(*b) * 4 > 20 + *a) {
                eprintln!("  {}: finalizer {theirs}, analysis {ours}", job.name);
            }
        }
        assert!(count > 30, "{count}");
        assert!(correlation > 0.8, "{what}: {correlation}");
    }
}
