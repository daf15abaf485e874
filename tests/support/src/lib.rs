//! What the tests of several packages share: real files, oracles and random input.
//!
//! Environment variables refer to files and tools outside of the repository. A test that needs one is
//! ignored, with what it needs as the reason; `.ci/run` runs it.
//!
//! - `GENVISA_CORPUS`: a folder of real `.isa` files. The disassembly of `NAME.isa` by GenX_IR 12504, if
//!   it exists, is in `NAME.golden/*.visaasm`. The folder `visaasm` next to it contains texts of IGC 2.40.14.
//!   Some other tests use these files, too, if they are there.
//! - `GENVISA_MANUAL`: a folder with the five pages of the vISA manual, `INFO.md` and so on.
//! - `GENVISA_DIFFERENTIAL_SEED` and `GENVISA_DIFFERENTIAL_CASES`: the seed and the number of
//!   random modules that are compared with the text of GenX_IR 12504. A failure prints its seed.
//! - `GENVISA_GENX_IR_TODAY`: the path of the `GenX_IR` of IGC 2.40.14, with a file `version` next to it. If its
//!   version is another one, differences are only printed.
//! - `GENVISA_OCLOC_TODAY`: the path of `ocloc` of IGC 2.40.14. If it is not set, it is the file `ocloc` next to
//!   that `GenX_IR`.
//! - `GENVISA_BOMBS`: `all` runs all commands on all hostile inputs; by default, a third of the pairs.
//! - `GENVISA_KERNELS`: the files of kernels that the interpreter runs in all builds, such as `matrix,sort`, or
//!   `all`. By default, a part of the builds of all files.
//! - `GENVISA_PLATFORMS`: `all` compiles the examples of instructions for four platforms; by default, each for one.
//! - `GENVISA_PROPERTY_SEED` and `GENVISA_PROPERTY_CASES`: the seed of the random edits in
//!   `properties` and of the texts that `GenX_IR` and `ocloc` compile, and their number in percent, 50 if it
//!   is not set.
//! - `GENVISA_PACKAGES`: a folder in which Debian's packages `libmfx1`, `libmfx-gen1.2` and
//!   `intel-media-va-driver` have been unpacked.
//! - `GENVISA_PYOPENCL`: the Python that has pyopencl, `python3` if it is not set.
//! - `GENVISA_BLESS`: if set, the tests of generated files write them instead of failing, and the test of the
//!   verdicts on rules asks the compilers about new cases.

pub mod changes_page;
pub mod corpus;
pub mod declarations;
pub mod formats;
pub mod fuzz;
pub mod genx_ir;
pub mod genx_ir_today;
pub mod hand_built;
pub mod legal_lines;
pub mod ocloc;
pub mod odd;
pub mod parallel;
pub mod public_functions;
pub mod random;
pub mod rng;
pub mod rule_page;
pub mod same_code;
pub mod tokens;
pub mod tour;

use std::path::PathBuf;

/// Returns the path of the Python that has pyopencl, which may not be there.
pub fn python_with_opencl() -> PathBuf {
    std::env::var_os("GENVISA_PYOPENCL").map_or("python3".into(), PathBuf::from)
}

/// Returns the path of a file or folder of the repository.
pub fn repository(path: &str) -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).join(path)
}
