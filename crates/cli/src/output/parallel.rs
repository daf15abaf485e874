//! Work on all cores, with the output in the order of the inputs.

use std::collections::BTreeMap;
use std::panic::{self, AssertUnwindSafe};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError, mpsc};
use std::thread;

use super::{Output, Recording};
use crate::words::is_standard;

/// The stack of a thread: as large as the main thread's usually is.
const STACK_SIZE: usize = 8 << 20;

/// For each thread, the most inputs between the one whose output is printed next and the last that is
/// read. This limits the memory of output that waits for a large input.
const WINDOW: usize = 8;

/// Files of at least so many bytes are worth several threads.
pub const LARGE: usize = 1 << 20;

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
    let threads = if can_read_together(files.iter().map(&path)) { threads(files.len()) } else { 1 };
    in_order(threads, files, out, |file, out| out.next_file(path(file)), work, done)
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
    let threads = if is_large && !out.is_recording() { threads(parts.len()) } else { 1 };
    in_order(threads, parts, out, |_, _| {}, work, done)
}

/// Calls two functions, at the same time if their inputs are large. Prints the output of the first
/// before the output of the second. The error is the error of the first, or else of the second.
pub fn both<A, B: Send>(
    are_large: bool,
    out: &mut Output,
    first: impl FnOnce(&mut Output) -> anyhow::Result<A>,
    second: impl FnOnce(&mut Output) -> anyhow::Result<B> + Send,
) -> anyhow::Result<(A, B)> {
    if !are_large || out.is_recording() || threads(2) == 1 {
        return Ok((first(out)?, second(out)?));
    }
    let settings = out.settings();
    thread::scope(|scope| {
        let second = thread::Builder::new().stack_size(STACK_SIZE).spawn_scoped(scope, || {
            let mut out = Output::recording(settings);
            (second(&mut out), out.into_recording())
        })?;
        let of_first = first(out)?;
        let (of_second, recording) =
            second.join().unwrap_or_else(|payload| panic::resume_unwind(payload));
        out.replay(recording)?;
        Ok((of_first, of_second?))
    })
}

/// Calls `work` for each input in several threads, or in this one.
fn in_order<I: Sync, T: Send>(
    threads: usize,
    inputs: &[I],
    out: &mut Output,
    mut before: impl FnMut(&I, &mut Output),
    work: impl Fn(&I, &mut Output) -> anyhow::Result<T> + Sync,
    mut done: impl FnMut(T),
) -> anyhow::Result<()> {
    if threads < 2 {
        return inputs.iter().try_for_each(|input| {
            before(input, out);
            done(work(input, out)?);
            Ok(())
        });
    }
    let settings = out.settings();
    // Set when the results of inputs that have not been started are not needed.
    let is_stopped = AtomicBool::new(false);
    let (sender, waiting) = mpsc::channel::<usize>();
    let waiting = Mutex::new(waiting);
    let (finish, finished) = mpsc::channel::<(usize, Finished<T>)>();
    let next = || waiting.lock().unwrap_or_else(PoisonError::into_inner).recv();
    let run = |finish: mpsc::Sender<_>| {
        while let Ok(index) = next() {
            if is_stopped.load(Ordering::Relaxed) {
                return;
            }
            let result = panic::catch_unwind(AssertUnwindSafe(|| {
                let mut out = Output::recording(settings);
                (work(&inputs[index], &mut out), out.into_recording())
            }));
            // Fails only if the result is not needed.
            let _ = finish.send((index, result));
        }
    };
    thread::scope(|scope| {
        // The threads end when it is dropped.
        let sender = sender;
        for _ in 0..threads {
            let finish = finish.clone();
            let run = &run;
            thread::Builder::new().stack_size(STACK_SIZE).spawn_scoped(scope, || run(finish))?;
        }
        let mut unsent = 0..inputs.len();
        unsent.by_ref().take(WINDOW * threads).try_for_each(|index| sender.send(index))?;
        // Results of inputs that are not the next.
        let mut early = BTreeMap::new();
        let mut print = |index: usize, input| {
            before(input, out);
            let (result, recording) = loop {
                match early.remove(&index) {
                    Some(Ok(result)) => break result,
                    Some(Err(payload)) => {
                        is_stopped.store(true, Ordering::Relaxed);
                        panic::resume_unwind(payload)
                    }
                    None => early.extend([finished.recv()?]),
                }
            };
            out.replay(recording)?;
            done(result?);
            anyhow::Ok(())
        };
        for (index, input) in inputs.iter().enumerate() {
            let result = print(index, input);
            is_stopped.store(result.is_err(), Ordering::Relaxed);
            result?;
            unsent.next().map_or(Ok(()), |index| sender.send(index))?;
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

/// Returns the number of threads for so many inputs: `GENVISA_THREADS`, or that of the cores.
fn threads(inputs: usize) -> usize {
    let stated = std::env::var("GENVISA_THREADS").ok().and_then(|number| number.parse().ok());
    let all = stated.filter(|number| *number > 0);
    let cores = || thread::available_parallelism().map_or(1, usize::from);
    all.unwrap_or_else(cores).min(inputs)
}
