//! Running jobs on all cores.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// Runs jobs on all processors, and returns the results in their order.
pub fn parallel<J: Sync, R: Send>(jobs: &[J], run: impl Fn(&J) -> R + Sync) -> Vec<R> {
    let (next, results) = (AtomicUsize::new(0), Mutex::new(BTreeMap::new()));
    let work = || {
        while let Some((index, job)) = {
            let index = next.fetch_add(1, Ordering::Relaxed);
            jobs.get(index).map(|job| (index, job))
        } {
            let result = run(job);
            results.lock().expect("no panic").insert(index, result);
        }
    };
    let threads = thread::available_parallelism().map_or(1, usize::from).min(8);
    thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(work);
        }
    });
    results.into_inner().expect("no panic").into_values().collect()
}
