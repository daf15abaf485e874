//! Signals that would end the process while temporary files exist.

#[cfg(unix)]
pub use unix::{Deferred, report_file_size_limit};

#[cfg(unix)]
mod unix {
    use std::io;

    use nix::sys::signal::{SigSet, SigmaskHow, Signal};

    /// Signals that end a process by default and that a user, a terminal or a limit sends.
    const DEFERRED: [Signal; 5] =
        [Signal::SIGHUP, Signal::SIGINT, Signal::SIGQUIT, Signal::SIGTERM, Signal::SIGXCPU];

    /// While it exists, signals do not end the process. Signals that arrived meanwhile do so when it is
    /// dropped, unless the process ignores or handles them.
    ///
    /// It applies to this thread. Commands that write files have no others.
    pub struct Deferred {
        before: SigSet,
    }

    impl Deferred {
        pub fn new() -> io::Result<Deferred> {
            let deferred: SigSet = DEFERRED.into_iter().collect();
            Ok(Deferred { before: deferred.thread_swap_mask(SigmaskHow::SIG_BLOCK)? })
        }
    }

    impl Drop for Deferred {
        fn drop(&mut self) {
            // Fails only for an invalid argument.
            let _ = self.before.thread_set_mask();
        }
    }

    /// Makes writes fail beyond the largest size of files (`ulimit -f`), instead of ending the process.
    pub fn report_file_size_limit() {
        // Fails only for an invalid argument.
        let _ = SigSet::from(Signal::SIGXFSZ).thread_block();
    }
}

#[cfg(not(unix))]
pub struct Deferred;

#[cfg(not(unix))]
impl Deferred {
    pub fn new() -> std::io::Result<Deferred> {
        Ok(Deferred)
    }
}

#[cfg(not(unix))]
pub fn report_file_size_limit() {}
