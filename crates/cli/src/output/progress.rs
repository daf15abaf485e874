//! The progress of a command that reads many files.

use std::path::Path;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::words::{shortened, shown};

/// A line on standard error with the number and the name of the current file. It is shown only on a
/// terminal, and removed when dropped.
pub struct Progress(Option<ProgressBar>);

impl Progress {
    /// Returns a progress that is not shown.
    pub fn none() -> Progress {
        Progress(None)
    }

    /// Returns the progress of a command that reads so many files. A single file has none.
    pub fn new(files: usize) -> Progress {
        let target = ProgressDrawTarget::stderr();
        if files < 2 || target.is_hidden() {
            return Progress::none();
        }
        let bar = ProgressBar::with_draw_target(Some(files as u64), target);
        if let Ok(style) = ProgressStyle::with_template("{pos}/{len} {wide_msg}") {
            bar.set_style(style);
        }
        Progress(Some(bar))
    }

    /// Shows that the next file is read.
    pub fn next(&self, path: &Path) {
        /// Longer names are cut.
        const WIDTH: usize = 200;
        if let Some(bar) = &self.0 {
            bar.set_message(shortened(&shown(path), WIDTH));
            bar.inc(1);
        }
    }

    /// Removes the line while a function prints, which may use the same terminal.
    pub fn hide_while<T>(&self, print: impl FnOnce() -> T) -> T {
        match &self.0 {
            Some(bar) => bar.suspend(print),
            None => print(),
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some(bar) = &self.0 {
            bar.finish_and_clear();
        }
    }
}
