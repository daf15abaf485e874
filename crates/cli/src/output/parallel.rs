//! Work on all cores, with the output in the order of the inputs.

use std::collections::BTreeMap;
use std::panic::{self, AssertUnwindSafe};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;
use std::thread;

use anyhow::bail;
use rayon::{ThreadPool, ThreadPoolBuilder};

use super::{Output, Recording};
use crate::words::is_standard;

/// The stack of a thread: as large as the main thread's usually is.
const STACK_SIZE: usize = 8 << 20;

/// For each thread, the most inputs between the one whose output is printed next and the last that is
/// read. This limits the memory of output that waits for a large input.
const WINDOW: usize = 8;

/// The result of the work on an input, or its panic.
type Finished<T> = thread::Result<(anyhow::Result<T>, Recording)>;

/// Calls `work` for each file on all cores, prints its output, and calls `done` with its result.
///
/// The output is printed, and `done` called, in the order of the files, as soon as possible. All is as
/// with one thread, also if `work` fails, which ends it. `path` is the file that the progress shows.
pub fn for_each<I: Sync, T: Send>(
    files: &[I],
    path: impl Fn(&I) -> &Path,
    out: &mut Output,
    work: impl Fn(&I, &mut Output) -> anyhow::Result<T> + Sync,
    done: impl FnMut(T),
) -> anyhow::Result<()> {
    out.start_progress(files.len());
    let pool = if can_read_together(files.iter().map(&path)) { pool(files.len()) } else { None };
    in_order(pool, files, out, |file, out| out.next_file(path(file)), work, done)
}

/// Calls `work` for each part of a file or text as [`for_each`] does, on all cores if it is large.
pub fn for_each_part<I: Sync, T: Send>(
    is_large: bool,
    parts: &[I],
    out: &mut Output,
    work: impl Fn(&I, &mut Output) -> anyhow::Result<T> + Sync,
    done: impl FnMut(T),
) -> anyhow::Result<()> {
    // The cores have other work if there are other files.
    let pool = if is_large && !out.is_recording() { pool(parts.len()) } else { None };
    in_order(pool, parts, out, |_, _| {}, work, done)
}

/// Calls two functions, at the same time if their inputs are large. Prints the output of the first
/// before the output of the second. The error is the error of the first, or else of the second.
pub fn both<A, B: Send>(
    are_large: bool,
    out: &mut Output,
    first: impl FnOnce(&mut Output) -> anyhow::Result<A>,
    second: impl FnOnce(&mut Output) -> anyhow::Result<B> + Send,
) -> anyhow::Result<(A, B)> {
    let pool = if are_large && !out.is_recording() { pool(2) } else { None };
    let Some(pool) = pool else { return Ok((first(out)?, second(out)?)) };
    let settings = out.settings();
    let mut of_second = None;
    let of_first = pool.in_place_scope(|scope| {
        scope.spawn(|_| {
            let mut out = Output::recording(settings);
            of_second = Some((second(&mut out), out.into_recording()));
        });
        first(out)
    })?;
    let Some((of_second, recording)) = of_second else { bail!("a thread has ended") };
    out.replay(recording)?;
    Ok((of_first, of_second?))
}

/// Calls `work` for each input in the threads of a pool, or in this one.
fn in_order<I: Sync, T: Send>(
    pool: Option<ThreadPool>,
    inputs: &[I],
    out: &mut Output,
    mut before: impl FnMut(&I, &mut Output),
    work: impl Fn(&I, &mut Output) -> anyhow::Result<T> + Sync,
    mut done: impl FnMut(T),
) -> anyhow::Result<()> {
    let Some(pool) = pool else {
        return inputs.iter().try_for_each(|input| {
            before(input, out);
            done(work(input, out)?);
            Ok(())
        });
    };
    let settings = out.settings();
    // Set when the results of inputs that have not been started are not needed.
    let is_stopped = AtomicBool::new(false);
    let (sender, finished) = mpsc::channel::<(usize, Finished<T>)>();
    let (is_stopped, work) = (&is_stopped, &work);
    pool.in_place_scope(|scope| {
        let start = |(index, input)| {
            let sender = sender.clone();
            scope.spawn(move |_| {
                if is_stopped.load(Ordering::Relaxed) {
                    return;
                }
                let result = panic::catch_unwind(AssertUnwindSafe(|| {
                    let mut out = Output::recording(settings);
                    (work(input, &mut out), out.into_recording())
                }));
                // Fails only if the result is not needed.
                let _ = sender.send((index, result));
            });
        };
        let mut waiting = inputs.iter().enumerate();
        waiting.by_ref().take(WINDOW * pool.current_num_threads()).for_each(start);
        // Results of inputs that are not the next.
        let mut early = BTreeMap::new();
        let mut print = |index: usize, input| {
            before(input, out);
            let result = loop {
                match early.remove(&index) {
                    Some(result) => break result,
                    None => early.extend(finished.recv()),
                }
            };
            let (result, recording) = result.unwrap_or_else(|payload| {
                is_stopped.store(true, Ordering::Relaxed);
                panic::resume_unwind(payload)
            });
            out.replay(recording)?;
            done(result?);
            Ok(())
        };
        for (index, input) in inputs.iter().enumerate() {
            if let Err(error) = print(index, input) {
                is_stopped.store(true, Ordering::Relaxed);
                return Err(error);
            }
            waiting.next().into_iter().for_each(start);
        }
        Ok(())
    })
}

/// Returns whether files can be read at the same time. Two of them may be the same pipe, which the
/// first reads to its end.
fn can_read_together<'p>(paths: impl Iterator<Item = &'p Path>) -> bool {
    let is_stream = |path: &&Path| {
        is_standard(path) || path.metadata().is_ok_and(|metadata| !metadata.is_file())
    };
    paths.filter(is_stream).nth(1).is_none()
}

/// Returns the threads for so many inputs; `None` if there is only one input or one core.
fn pool(inputs: usize) -> Option<ThreadPool> {
    if inputs < 2 {
        return None;
    }
    let pool = ThreadPoolBuilder::new().stack_size(STACK_SIZE).build().ok()?;
    (pool.current_num_threads() > 1).then_some(pool)
}
