//! Groups and threads that run in turns.

use fastrand::Rng;

use super::{Counts, Group, Machine};
use crate::fault::Fault;

/// The most instructions of a turn.
const TURN: u32 = 32;

impl Machine<'_> {
    /// Runs groups with the numbers from 0 on, `places` of them in turns: a thread of one group executes some
    /// instructions, then a thread of another one. The seed determines the order. So threads and groups can wait for
    /// each other. The function returns the group of a number, which runs in the place of a number.
    ///
    /// # Errors
    /// The first fault.
    pub fn run_in_turns(
        &self,
        groups: u32,
        places: u32,
        seed: u64,
        group: impl Fn(u32, u32) -> Result<Group, Fault>,
    ) -> Result<Counts, Fault> {
        let mut rng = Rng::with_seed(seed);
        let first = places.max(1).min(groups);
        let start = |place| Ok((place, group(place, place)?));
        let mut running = (0..first).map(start).collect::<Result<Vec<_>, Fault>>()?;
        let (mut next, mut total) = (first, Counts::default());
        while !running.is_empty() {
            let at = rng.usize(..running.len());
            let (place, current) = &mut running[at];
            let turn = rng.u32(1..=TURN);
            current.set_first_thread(rng.usize(..current.threads().len().max(1)));
            let mut has_ended = false;
            for _ in 0..turn {
                has_ended = !self.step(current)?;
                if has_ended {
                    break;
                }
            }
            if !has_ended {
                continue;
            }
            total += current.counts();
            if next < groups {
                *current = group(next, *place)?;
                next += 1;
            } else {
                running.swap_remove(at);
            }
        }
        Ok(total)
    }
}
