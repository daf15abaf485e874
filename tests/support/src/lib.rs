//! What the tests of several packages share: real files, oracles and random input.
//!
//! Environment variables refer to files and tools outside of the repository:
//!
//! - `GENVISA_CORPUS`: a folder of real `.isa` files. The reference's disassembly of `NAME.isa`, if
//!   it exists, is in `NAME.golden/*.visaasm`. The folder `visaasm` next to it contains texts of
//!   today's compiler. If a folder is missing, the tests that need it are skipped.
//! - `GENVISA_MANUAL`: a folder with the five pages of the vISA manual, `INFO.md` and so on. If it
//!   is missing, the tests that compare the crate with the pages are skipped.
//! - `GENVISA_REQUIRE_CORPUS`: if set, these tests fail instead if a folder is missing.
//! - `GENVISA_REQUIRE_ORACLE`: if set, the oracle tests fail instead of being skipped if `GenX_IR`
//!   (Debian's `libigc-tools`) is not installed.
//! - `GENVISA_DIFFERENTIAL_SEED` and `GENVISA_DIFFERENTIAL_CASES`: the seed and the number of
//!   random modules that are compared with the text of `GenX_IR`. A failure prints its seed.
//! - `GENVISA_GENX_IR_TODAY`: the path of today's `GenX_IR`, with a file `version` next to it. If
//!   it is missing, the tests that compile text are skipped. If its version is not the one that the
//!   tests were written for, differences are only printed.
//! - `GENVISA_OCLOC_TODAY`: the path of today's `ocloc`. If it is missing, it is the file `ocloc` next
//!   to that `GenX_IR`; if there is none, the tests that ask it are skipped.
//! - `GENVISA_REQUIRE_POCL`: if set, the tests that compare the interpreter with pocl fail instead of being
//!   skipped if pocl (Debian's `pocl-opencl-icd` and `ocl-icd-opencl-dev`) is not installed.
//! - `GENVISA_KERNELS`: the files of kernels that the interpreter runs in all builds, such as `matrix,sort`, or
//!   `all`. By default, a part of the builds of all files.
//! - `GENVISA_PROPERTY_SEED` and `GENVISA_PROPERTY_CASES`: the seed of the random edits in
//!   `properties` and of the texts that `GenX_IR` and `ocloc` compile, and their number in percent of
//!   the usual number.
//! - `GENVISA_FAULTS`: if it is `all`, the tests of faults of the tool try every system call and more limits of
//!   memory instead of a sample.
//! - `GENVISA_PACKAGES`: a folder in which Debian's packages `libmfx1`, `libmfx-gen1.2` and
//!   `intel-media-va-driver` have been unpacked. If it is missing, the tests that search these drivers
//!   are skipped.
//! - `GENVISA_DOC`: the folder that `cargo doc --workspace --all-features --no-deps` writes,
//!   `target/doc`. If it is missing, the tests of the public API are skipped.
//! - `GENVISA_BLESS`: if set, that test rewrites its snapshot, the test of the JSON Schema rewrites it, the
//!   test of the catalogue of inline assembly rewrites its findings, and the test of the verdicts on rules
//!   asks the compilers about new cases.

pub mod corpus;
pub mod declarations;
pub mod formats;
pub mod fuzz;
pub mod genx_ir;
pub mod genx_ir_today;
pub mod hand_built;
pub mod ocloc;
pub mod odd;
pub mod parallel;
pub mod public_functions;
pub mod random;
pub mod rng;
pub mod same_code;
pub mod tour;

use std::path::PathBuf;

/// Returns the path of a file or folder of the repository.
pub fn repository(path: &str) -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).join(path)
}
