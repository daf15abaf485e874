//! The kernel that is compared with the reference.

use genvisa_interp::Fault;
use genvisa_interp::dispatch::{Argument, DispatchError};

use crate::case::Case;
use crate::ran::Ran;
use crate::side::{Limits, Side, is_too_long, undefined_behaviour};

/// Runs a kernel elsewhere than in the interpreter, such as on a device.
pub trait Runner {
    /// Runs the kernel. Returns the bytes that buffers and images have after it, as many as before, and `None` for other
    /// arguments.
    ///
    /// # Errors
    /// Why the kernel does not run with these arguments.
    fn run(&mut self, case: &Case) -> Result<Vec<Option<Vec<u8>>>, String>;
}

/// The kernel that is compared with the reference.
pub(crate) enum Other<'o> {
    Side(&'o Side<'o>),
    Runner(&'o mut dyn Runner),
}

/// Why a kernel left nothing.
pub(crate) enum Stop {
    /// It does what is not defined.
    Fault(Box<Fault>),
    Unusable(Unusable),
}

/// The arguments are none for a kernel, or the interpreter lacks something.
pub(crate) struct Unusable {
    pub why: String,
    pub is_too_long: bool,
}

impl Unusable {
    /// Returns why the kernel of a name stopped.
    pub(crate) fn new(name: &str, error: &DispatchError) -> Unusable {
        Unusable { why: format!("{name}: {error}"), is_too_long: is_too_long(error) }
    }
}

impl Other<'_> {
    /// Returns the kernel, if a device binary describes it.
    pub(crate) fn side(&self) -> Option<&Side<'_>> {
        match self {
            Other::Side(side) => Some(side),
            Other::Runner(_) => None,
        }
    }

    pub(crate) fn run(&mut self, case: &Case, limits: Limits) -> Result<Ran<'_>, Stop> {
        match self {
            Other::Side(side) => {
                side.run(case, limits).map_err(|error| match undefined_behaviour(&error) {
                    Some(fault) => Stop::Fault(Box::new(fault.clone())),
                    None => Stop::Unusable(Unusable::new("B", &error)),
                })
            }
            Other::Runner(runner) => {
                let result = runner.run(case).and_then(|memory| complete(case, memory));
                result.map(Ran::Bytes).map_err(|why| {
                    let why = format!("B: {why}");
                    Stop::Unusable(Unusable { why, is_too_long: false })
                })
            }
        }
    }
}

/// Checks that there are the bytes of all arguments that are memory: others would not be compared.
fn complete(case: &Case, memory: Vec<Option<Vec<u8>>>) -> Result<Vec<Option<Vec<u8>>>, String> {
    for (index, argument) in case.arguments.iter().enumerate() {
        let (Argument::Buffer(bytes) | Argument::Image { texels: bytes, .. }) = argument else {
            continue;
        };
        let found = memory.get(index).and_then(Option::as_ref).map_or(0, Vec::len);
        if found != bytes.len() {
            let expected = bytes.len();
            return Err(format!(
                "argument {index} has {found} bytes after the run, not {expected}"
            ));
        }
    }
    Ok(memory)
}
