//! Memory on all platforms: most kernels run on four devices only.

use genvisa::Platform;
use genvisa_interp::binary::DeviceBinary;
use genvisa_test_support::ocloc::Ocloc;
use genvisa_test_support::parallel::parallel;

use super::device::run_and_compare;
use super::manifest::{Source, sources};
use super::reference::Pocl;

const WIDTH: u32 = 16;

#[test]
#[ignore = "needs ocloc of IGC 2.40.14 and pocl"]
fn kernels_find_their_memory_on_every_platform() {
    let (ocloc, pocl) = (Ocloc::required(), Pocl::required());
    let source = sources().into_iter().find(|source| source.name == "memory").expect("the file");
    let expected = pocl.results(&source, WIDTH);
    // The payload of other platforms is not modelled.
    let modelled = Platform::ALL.iter().filter(|platform| !platform.has_efficient_64bit());
    let devices: Vec<&str> =
        modelled.filter_map(|platform| platform.devices().first().copied()).collect();
    let jobs: Vec<(&str, &str)> =
        devices.iter().flat_map(|device| [(*device, ""), (*device, "-cl-opt-disable")]).collect();
    let failures = parallel(&jobs, |(device, option)| {
        let problems = run(&ocloc, &source, device, option, &expected);
        problems
            .into_iter()
            .map(|problem| format!("{device} {option}: {problem}"))
            .collect::<Vec<_>>()
    });
    let failures = failures.concat();
    assert!(failures.is_empty(), "{}\n{} failed", failures.join("\n"), failures.len());
}

/// Returns the problems of the kernels of a file.
fn run(
    ocloc: &Ocloc,
    source: &Source,
    device: &str,
    option: &str,
    expected: &[Vec<Vec<u8>>],
) -> Vec<String> {
    let text = format!("#define SG {WIDTH}\n{}", source.text);
    let bytes = ocloc.binary(&text, device, &format!("{} {option}", source.options));
    let binary =
        bytes.and_then(|bytes| DeviceBinary::from_bytes(&bytes).map_err(|error| error.to_string()));
    let binary = match binary {
        Ok(binary) => binary,
        Err(problem) => return vec![problem],
    };
    let runs = source.runs.iter().zip(expected);
    let problem =
        |(run, expected): (_, &Vec<Vec<u8>>)| run_and_compare(&binary, run, expected, &[]).err();
    runs.filter_map(problem).collect()
}
