//! Liveness, compared with its definition applied to every path.

mod by_hand;
mod files;
mod kernels;
mod naive;
mod random;
mod simulation;
mod sizes;

use genvisa::RegisterSize;
use genvisa::analysis::{Analysis, Live};
use genvisa::object::Routine;

/// Compares the liveness of a routine with the definitions, and returns the analysis.
fn check(routine: &Routine<'_, '_>, registers: RegisterSize, context: &str) -> Analysis {
    let analysis = Analysis::new(routine, registers).expect("legal code");
    let found = &analysis.liveness;
    let count = analysis.instructions.len();
    let live = naive::liveness(routine, &analysis);
    for root in &live {
        let id = root.location.root;
        for at in 0..count {
            let ranges: Vec<_> = found.live_units(id, at).collect();
            assert!(ranges.windows(2).all(|pair| pair[0].end < pair[1].start), "{ranges:?}");
            let units: Vec<u32> = ranges.into_iter().flatten().collect();
            assert_eq!(units, root.at[at], "{id:?} before instruction {at}\n{context}");
        }
        let is_live: Vec<usize> = (0..count).filter(|at| !root.at[*at].is_empty()).collect();
        let ranges: Vec<_> = found.ranges(id).collect();
        assert!(ranges.windows(2).all(|pair| pair[0].end < pair[1].start), "{ranges:?}");
        assert_eq!(ranges.into_iter().flatten().collect::<Vec<_>>(), is_live, "{id:?}\n{context}");
    }
    let register = registers.bytes();
    for at in 0..count {
        let expected: Vec<_> = live
            .iter()
            .map(|root| {
                (root.location.root, root.at[at].len() as u32, root.registers(at, register))
            })
            .filter(|(_, units, _)| *units > 0)
            .collect();
        let found_live: Vec<_> =
            found.live_at(at).map(|live: Live| (live.root, live.units, live.registers)).collect();
        assert_eq!(found_live, expected, "before instruction {at}\n{context}");
    }
    let pressure: Vec<_> = (0..count).map(|at| naive::pressure(&live, at, register)).collect();
    assert_eq!(found.pressure(), pressure, "{context}");
    let peak = (0..count).rev().max_by_key(|at| pressure[*at].registers);
    assert_eq!(found.peak(), peak.map(|at| (at, pressure[at])), "{context}");
    analysis
}
