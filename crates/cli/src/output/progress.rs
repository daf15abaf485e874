//! The progress of a command that reads many files, or a large one.

use std::path::Path;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::parallel::LARGE;
use crate::words::{shortened, shown};

/// A line on standard error with the name of the current file, and its number or for how long it is
/// read. It is shown only on a terminal, and removed when dropped.
pub struct Progress {
    files: usize,
    bar: Option<ProgressBar>,
}

impl Progress {
    /// Returns a progress that is not shown.
    pub fn none() -> Progress {
        Progress::new(0)
    }

    /// Returns the progress of a command that reads so many files. It is shown after the first call of
    /// [`next`](Self::next).
    pub fn new(files: usize) -> Progress {
        Progress { files, bar: None }
    }

    /// Shows that the next file is read. A single file is shown if it is large.
    pub fn next(&mut self, path: &Path) {
        /// Longer names are cut.
        const WIDTH: usize = 200;
        if self.bar.is_none() {
            let is_large = || path.metadata().is_ok_and(|metadata| metadata.len() >= LARGE as u64);
            let is_shown = self.files > 1 || self.files == 1 && is_large();
            let target = ProgressDrawTarget::stderr();
            if !is_shown || target.is_hidden() {
                return;
            }
            let template =
                if self.files > 1 { "{pos}/{len} {wide_msg}" } else { "{elapsed} {wide_msg}" };
            let bar = ProgressBar::with_draw_target(Some(self.files as u64), target);
            if let Ok(style) = ProgressStyle::with_template(template) {
                bar.set_style(style);
            }
            if self.files == 1 {
                bar.enable_steady_tick(Duration::from_secs(1));
            }
            self.bar = Some(bar);
        }
        if let Some(bar) = &self.bar {
            bar.set_message(shortened(&shown(path), WIDTH));
            bar.inc(1);
        }
    }

    /// Removes the line while a function prints, which may use the same terminal.
    pub fn hide_while<T>(&self, print: impl FnOnce() -> T) -> T {
        match &self.bar {
            Some(bar) => bar.suspend(print),
            None => print(),
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
