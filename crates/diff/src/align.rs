//! Alignment of two sequences.

use std::hash::Hash;
use std::ops::Range;

use similar::{Algorithm, DiffOp, capture_diff};

/// A part of the alignment of two sequences. Together, the parts cover both.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Segment {
    /// Whether the two ranges are equal. Otherwise the range of B replaces the range of A; one of
    /// them may be empty.
    pub is_equal: bool,
    /// The range in A.
    pub a: Range<usize>,
    /// The range in B.
    pub b: Range<usize>,
}

/// Aligns two sequences.
///
/// The algorithm of `similar` limits the search for the shortest script, so that its time grows
/// with n√n.
pub(super) fn align<K: Hash + Eq>(a: &[K], b: &[K]) -> Vec<Segment> {
    align_ranges(a, 0..a.len(), b, 0..b.len())
}

fn align_ranges<K: Hash + Eq>(
    a: &[K],
    a_range: Range<usize>,
    b: &[K],
    b_range: Range<usize>,
) -> Vec<Segment> {
    let ops = capture_diff(Algorithm::Myers, a, a_range, b, b_range);
    let mut segments: Vec<Segment> = Vec::with_capacity(ops.len());
    for op in ops {
        let is_equal = matches!(op, DiffOp::Equal { .. });
        let (a, b) = (op.old_range(), op.new_range());
        match segments.last_mut() {
            Some(last) if last.is_equal == is_equal => {
                (last.a.end, last.b.end) = (a.end, b.end);
            }
            _ => segments.push(Segment { is_equal, a, b }),
        }
    }
    segments
}

/// Returns pairs of elements with the level at which they are equal, in ascending order of both.
///
/// A level has a key for each element of both sequences. The parts that are not equal at one level
/// are aligned at the next, so the first level should be the strictest.
pub(super) fn align_levels(levels: &[(&[u64], &[u64])]) -> Vec<(usize, usize, usize)> {
    let Some((a, b)) = levels.first() else { return Vec::new() };
    let mut gaps = vec![(0..a.len(), 0..b.len())];
    let mut pairs = Vec::new();
    for (level, (a, b)) in levels.iter().enumerate() {
        let mut left = Vec::new();
        for (a_range, b_range) in gaps {
            for segment in align_ranges(a, a_range, b, b_range) {
                if segment.is_equal {
                    pairs.extend(segment.a.zip(segment.b).map(|(i, j)| (i, j, level)));
                } else if !segment.a.is_empty() && !segment.b.is_empty() {
                    left.push((segment.a, segment.b));
                }
            }
        }
        gaps = left;
    }
    pairs.sort_unstable();
    pairs
}
