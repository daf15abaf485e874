//! Cases of text of version 4.2 with the verdicts of IGC, `tests/data/text-4.2.txt`.
//!
//! The verdicts of this crate are the same, except for the departures in the first table of
//! `docs/text.md`. The compiler, if it is installed, is asked about some of the cases again.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};

use genvisa::Format;
use genvisa::Platform;
use genvisa::text::parse;
use genvisa::verify::{Severity, Verifier};
use genvisa_test_support::ocloc::Ocloc;
use genvisa_test_support::parallel::parallel;
use genvisa_test_support::random::{cases as number_of_cases, seed};
use genvisa_test_support::rng::Rng;

const CASES: &str = include_str!("../../data/text-4.2.txt");
const DOCUMENT: &str = include_str!("../../../docs/text.md");

/// A device of the compiler.
pub struct Device {
    /// Its name for `ocloc -device`.
    pub name: &'static str,
    pub platform: Platform,
    /// Its platform in the comment at the end of a text.
    comment: &'static str,
}

impl Device {
    /// Returns the comments of the compiler at the end of a text.
    pub fn comments(&self) -> String {
        let efficient_64bit = "//Build option: \"-enableEfficient64b\"\n";
        let options = if self.platform.has_efficient_64bit() { efficient_64bit } else { "" };
        format!("\n//Platform: {}\n{options}", self.comment)
    }
}

const fn device(name: &'static str, platform: Platform, comment: &'static str) -> Device {
    Device { name, platform, comment }
}

const DEVICES: [Device; 9] = [
    device("tgllp", Platform::Tgllp, "TGLLP"),
    device("dg2", Platform::Dg2, "DG2"),
    device("mtl", Platform::Mtl, "MTL"),
    device("pvc", Platform::PvcXt, "PVCXT"),
    device("bmg", Platform::Xe2, "XE2"),
    device("lnl", Platform::Xe2, "XE2"),
    device("ptl", Platform::Xe3, "XE3"),
    device("cri", Platform::Xe3pCri, "XE3P_CRI"),
    device("nvl-p", Platform::Xe3p, "NVL"),
];

/// Returns the device that `ocloc -device` calls by a name.
pub fn device_named(name: &str) -> &'static Device {
    let found = DEVICES.iter().find(|device| device.name == name);
    found.unwrap_or_else(|| panic!("unknown device: {name}"))
}

/// Returns a kernel with a text in a scope, after declarations.
pub fn kernel(declarations: &str, text: &str, device: &Device) -> String {
    format!(
        ".version 4.2\n.kernel \"k\"\n.kernel_attr SimdSize=16\n{declarations}\n{{\n{text}\n}}\n\
         ret (M1, 1)\n{}",
        device.comments()
    )
}

/// The first error of this crate in a text, if any.
pub fn first_error(text: &str, device: &Device) -> Option<String> {
    let verdict = catch_unwind(AssertUnwindSafe(|| {
        let module = match parse(text, Format::V4_2) {
            Ok(module) => module,
            Err(errors) => return Some(errors[0].to_string()),
        };
        let findings = Verifier::new().with_platform(device.platform).check_module(&module);
        let error = findings.iter().find(|finding| finding.severity == Severity::Error);
        error.map(|error| error.to_string())
    }));
    verdict.unwrap_or_else(|_| Some("PANIC".into()))
}

/// A text, the compiler's verdict for a device, and its reason.
struct Case {
    device: &'static Device,
    verdict: &'static str,
    declarations: String,
    /// The text in one line, as in the data.
    text: &'static str,
    reason: &'static str,
}

impl Case {
    fn lines(&self) -> String {
        self.text.replace(";;", "\n")
    }
}

fn cases() -> Vec<Case> {
    let (mut cases, mut declarations) = (Vec::new(), String::new());
    for line in CASES.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        if let Some(new) = line.strip_prefix('=') {
            declarations = new.trim().replace(";;", "\n");
            continue;
        }
        let parts: Vec<&str> = line.splitn(3, " | ").collect();
        let &[devices, verdict, text] = &parts[..] else { panic!("not a case: {line}") };
        assert!(["accepted", "refused", "crashed"].contains(&verdict), "unknown verdict: {line}");
        let (text, reason) = text.split_once(" ## ").unwrap_or((text, ""));
        for device in devices.split(',').map(device_named) {
            let declarations = declarations.clone();
            cases.push(Case { device, verdict, declarations, text, reason });
        }
    }
    cases
}

/// A row of the table of departures.
struct Departure {
    row: &'static str,
    /// The text, in which `...` means any text.
    text: &'static str,
    compiler: &'static str,
    genvisa: &'static str,
    /// The devices that it is limited to, or none.
    devices: Vec<&'static str>,
}

impl Departure {
    fn matches(&self, case: &Case) -> bool {
        self.compiler == case.verdict
            && (self.devices.is_empty() || self.devices.contains(&case.device.name))
            && matches(self.text, case.text)
    }
}

/// Returns whether a text matches a pattern, in which `...` means any text.
fn matches(pattern: &str, text: &str) -> bool {
    match pattern.split_once("...") {
        None => pattern == text,
        Some((start, rest)) => text.strip_prefix(start).is_some_and(|text| {
            (text.char_indices().map(|(at, _)| at))
                .chain([text.len()])
                .any(|at| matches(rest, &text[at..]))
        }),
    }
}

/// Returns the rows of the first table of departures in the document.
fn departures() -> Vec<Departure> {
    const HEAD: &str = "| Text | Compiler | genvisa | Reason |";
    let (_, table) = DOCUMENT.split_once(HEAD).expect("a table of departures");
    let rows = table.lines().skip(2).take_while(|line| line.starts_with('|'));
    let departure = |row: &'static str| {
        let cells: Vec<&str> = row.trim_matches('|').split(" | ").map(str::trim).collect();
        let &[text, compiler, genvisa, reason] = &cells[..] else { panic!("not a row: {row}") };
        let text = text.strip_prefix('`').and_then(|text| text.strip_suffix('`'));
        let text = text.unwrap_or_else(|| panic!("the text is not code: {row}"));
        assert!(!reason.is_empty(), "no reason: {row}");
        let (compiler, devices) = compiler.split_once(" on ").unwrap_or((compiler, ""));
        let devices = devices.split(", ").filter(|name| !name.is_empty()).collect();
        let verdict = |word: &str| match word {
            "accepts" => "accepted",
            "refuses" => "refused",
            _ => panic!("not a verdict: {row}"),
        };
        Departure { row, text, compiler: verdict(compiler), genvisa: verdict(genvisa), devices }
    };
    rows.map(departure).collect()
}

#[test]
fn verdicts_equal_those_of_the_compiler_except_for_departures() {
    let (cases, departures) = (cases(), departures());
    let mut used = vec![false; departures.len()];
    // Disagreements, grouped by message or reason.
    let (mut wrong, mut stale) = (BTreeMap::<String, Vec<String>>::new(), Vec::new());
    for case in &cases {
        let text = kernel(&case.declarations, &case.lines(), case.device);
        let error = first_error(&text, case.device);
        let ours = if error.is_some() { "refused" } else { "accepted" };
        let row = departures.iter().position(|departure| departure.matches(case));
        let shown = format!("{}: {}", case.device.name, case.text);
        let is_panic = error.as_deref() == Some("PANIC");
        match row {
            _ if is_panic => wrong.entry("this crate panics".into()).or_default().push(shown),
            _ if case.verdict == "crashed" => {}
            Some(index) if departures[index].genvisa == ours => used[index] = true,
            Some(index) => stale.push(format!("{shown}: {}", departures[index].row)),
            None if ours == case.verdict => {}
            None => {
                let group = match error {
                    Some(error) => format!("only this crate refuses it: {}", without_place(&error)),
                    None => format!("only the compiler refuses it: {}", case.reason),
                };
                wrong.entry(group).or_default().push(shown);
            }
        }
    }
    let unused = departures.iter().zip(&used).filter(|(_, used)| !**used);
    stale.extend(unused.map(|(departure, _)| format!("no such case: {}", departure.row)));
    let count: usize = wrong.values().map(Vec::len).sum();
    let groups =
        wrong.iter().map(|(group, shown)| format!("{group}\n    {}", shown.join("\n    ")));
    let groups = groups.collect::<Vec<_>>().join("\n");
    eprintln!("{} cases, {} departures", cases.len(), departures.len());
    assert!(count == 0, "{count} verdicts differ without a departure:\n{groups}");
    assert!(stale.is_empty(), "departures that are none:\n{}", stale.join("\n"));
}

/// Returns the message of a finding without the kernel and the offset, to group equal ones.
fn without_place(message: &str) -> String {
    let message = message.split(" (offset").next().unwrap_or_default();
    match message.split_once("kernel `k`, ") {
        Some((level, rest)) => {
            let rest = rest.trim_start_matches("instruction ");
            format!("{level}{}", rest.trim_start_matches(|c: char| c.is_ascii_digit()).trim_start())
        }
        None => message.into(),
    }
}

#[test]
#[ignore = "needs ocloc of IGC 2.40.14"]
fn the_compiler_repeats_its_verdicts() {
    let compiler = Ocloc::required();
    let seed = seed();
    let count = number_of_cases(24);
    let mut cases = cases();
    Rng::new(seed, 4).shuffle(&mut cases);
    cases.truncate(count as usize);
    let verdicts = parallel(&cases, |case| {
        compiler.ask(&format!("{}\n{}", case.declarations, case.lines()), case.device.name)
    });
    let differing = cases.iter().zip(verdicts).filter(|(case, new)| new.name() != case.verdict);
    let differing: Vec<String> = differing
        .map(|(case, new)| {
            format!("{}: {}: {}, now {new}", case.device.name, case.text, case.verdict)
        })
        .collect();
    let differing = differing.join("\n");
    eprintln!("{} cases\n{differing}", cases.len());
    assert!(differing.is_empty() || !compiler.is_tested, "seed {seed}:\n{differing}");
}
