//! Smaller arguments and sizes with which two kernels still differ.

use genvisa::operand::DataType;
use genvisa_interp::dispatch::Argument;
use genvisa_interp::nearest;

use crate::case::Case;
use crate::difference::Difference;

/// The maximum number of runs of each kernel.
const RUNS: u32 = 400;
/// The maximum work of runs that differ, in lanes of all instructions.
const LANES: u64 = 1 << 26;

/// A reduction. The function returns how the kernels differ in a case, and the work of the runs.
pub(crate) struct Reduction<F> {
    case: Case,
    difference: Box<Difference>,
    differ: F,
    runs: u32,
    lanes: u64,
}

impl<F: FnMut(&Case) -> Option<(Box<Difference>, u64)>> Reduction<F> {
    /// Starts with a case in which the kernels differ.
    pub(crate) fn new(case: Case, difference: Box<Difference>, differ: F) -> Reduction<F> {
        Reduction { case, difference, differ, runs: 0, lanes: 0 }
    }

    /// Returns the smallest case that was found, and how the kernels differ in it.
    pub(crate) fn finish(self) -> (Case, Box<Difference>) {
        (self.case, self.difference)
    }

    /// Takes a case if the kernels differ with it in the same way.
    fn try_case(&mut self, case: Case) -> bool {
        if self.runs == RUNS || self.lanes > LANES || case == self.case {
            return false;
        }
        self.runs += 1;
        match (self.differ)(&case) {
            Some((difference, lanes)) if difference.is_like(&self.difference) => {
                self.lanes += lanes;
                (self.case, self.difference) = (case, difference);
                true
            }
            _ => false,
        }
    }

    /// Reduces the number of work-items.
    pub(crate) fn reduce_sizes(&mut self) {
        // One group, then smaller ones.
        self.try_case(Case { global: self.case.local.clone(), ..self.case.clone() });
        for dimension in (0..self.case.global.len()).rev() {
            loop {
                let (mut global, mut local) = (self.case.global.clone(), self.case.local.clone());
                global[dimension] = global[dimension].div_ceil(2);
                local[dimension] = local[dimension].min(global[dimension]);
                if !self.try_case(Case { global, local, ..self.case.clone() }) {
                    break;
                }
            }
        }
    }

    /// Reduces an argument, whose elements have a type.
    pub(crate) fn reduce_argument(&mut self, index: usize, ty: DataType) {
        match &self.case.arguments[index] {
            Argument::Value(bytes) => {
                // Not zero, which is often no size and no divisor.
                let candidates = [1, 2].map(|number| value(ty, bytes.len(), number));
                for candidate in candidates.into_iter().flatten() {
                    if self.try_argument(index, Argument::Value(candidate)) {
                        break;
                    }
                }
            }
            Argument::Buffer(_) => {
                while let Argument::Buffer(bytes) = &self.case.arguments[index] {
                    let half = Argument::Buffer(bytes[..bytes.len() / 2].to_vec());
                    if bytes.len() < 8 || !self.try_argument(index, half) {
                        break;
                    }
                }
                self.reduce_bytes(index);
            }
            Argument::Image { .. } => self.reduce_bytes(index),
            _ => {}
        }
    }

    fn try_argument(&mut self, index: usize, argument: Argument) -> bool {
        let mut case = self.case.clone();
        case.arguments[index] = argument;
        self.try_case(case)
    }

    /// Replaces parts of a buffer or an image with zeros: all of it, then halves of what is left.
    fn reduce_bytes(&mut self, index: usize) {
        let size = contents(&mut self.case.arguments[index]).map_or(0, |bytes| bytes.len());
        let mut part = size;
        while part >= 4 {
            let mut start = 0;
            while start < size {
                let end = (start + part).min(size);
                let mut argument = self.case.arguments[index].clone();
                let has_changed = contents(&mut argument).is_some_and(|bytes| {
                    let has_values = bytes[start..end].iter().any(|byte| *byte != 0);
                    bytes[start..end].fill(0);
                    has_values
                });
                if has_changed {
                    self.try_argument(index, argument);
                }
                start = end;
            }
            part /= 2;
        }
    }
}

/// Returns the bytes of a value that consists of numbers.
fn value(ty: DataType, size: usize, number: u64) -> Option<Vec<u8>> {
    let bits = if ty.is_integer() { number } else { nearest(ty, number as f64)? };
    (size % ty.size() == 0).then(|| bits.to_le_bytes()[..ty.size()].repeat(size / ty.size()))
}

fn contents(argument: &mut Argument) -> Option<&mut Vec<u8>> {
    match argument {
        Argument::Buffer(bytes) | Argument::Image { texels: bytes, .. } => Some(bytes),
        _ => None,
    }
}
