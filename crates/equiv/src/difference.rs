//! What differs between two results.

use std::fmt;

use genvisa::operand::DataType;
use genvisa_interp::dispatch::Argument;
use genvisa_interp::{Fault, Write, number, to_f64};

use crate::case::Case;
use crate::elements::Elements;
use crate::ran::{Author, Ran};

/// By how much floats may differ. Floats are equal if one of the two allows it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Tolerance {
    /// The distance in units in the last place (ULP): 1 for neighbours.
    pub ulp: u64,
    /// The part of the greater of the two.
    pub relative: f64,
}

/// What differs.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Difference {
    /// An element of an argument: the first that differs.
    Element {
        /// The index of the argument.
        argument: usize,
        /// Its name in the source; empty if it is unknown.
        name: String,
        /// The index of the element.
        index: usize,
        /// The type of the elements.
        ty: DataType,
        /// What the reference wrote, and what the other kernel wrote.
        values: Box<[Written; 2]>,
        /// The number of elements of all arguments that differ.
        count: usize,
    },
    /// The fault that stops the second kernel only.
    Stops(Box<Fault>),
}

/// An element in a result.
#[derive(Clone, Debug, PartialEq)]
pub struct Written {
    /// The bits, as many as the type has.
    pub bits: u64,
    /// The bits that nobody wrote.
    pub undefined: u64,
    /// What wrote its first byte last.
    pub by: Author,
}

/// The comparison of two results.
pub(crate) struct Results {
    pub difference: Option<Difference>,
    /// The greatest distance of floats that are equal, in ULP.
    pub farthest: u64,
    /// Whether the reference changed an argument to something that is defined.
    pub has_changes: bool,
}

/// Compares what two kernels wrote.
pub(crate) fn compare(
    names: &[&str],
    case: &Case,
    ran: &mut [Ran<'_>; 2],
    tolerance: impl Fn(usize) -> Tolerance,
    elements: &mut Elements,
) -> Results {
    let mut first = None;
    let (mut count, mut farthest, mut has_changes) = (0, 0, false);
    for (argument, value) in case.arguments.iter().enumerate() {
        elements.observe(argument, || ran.iter().find_map(|it| it.float_type(argument)));
        let ty = elements.of(argument, value);
        let contents = ran.each_mut().map(|it| it.contents(argument));
        let [Some((bytes_a, undefined_a)), Some((bytes_b, undefined_b))] = contents else {
            continue;
        };
        if let Argument::Buffer(before) | Argument::Image { texels: before, .. } = value {
            let mut bytes = bytes_a.iter().zip(before).zip(&*undefined_a);
            has_changes |=
                bytes.any(|((after, before), undefined)| *undefined == 0 && after != before);
        }
        // Usually, most bytes are equal.
        if bytes_a == bytes_b && undefined_a == undefined_b {
            continue;
        }
        let (size, tolerance) = (ty.size(), tolerance(argument));
        let elements = |bytes: &[u8]| bytes.chunks(size).map(word).collect::<Vec<u64>>();
        let (a, b) = (elements(bytes_a), elements(bytes_b));
        let (of_a, of_b) = (elements(&undefined_a), elements(&undefined_b));
        for index in 0..a.len().min(b.len()) {
            if of_a[index] != 0 && of_b[index] != 0 {
                continue;
            }
            let is_defined = of_a[index] == 0 && of_b[index] == 0;
            if is_defined {
                if let Some(distance) = distance(ty, a[index], b[index], tolerance) {
                    farthest = farthest.max(distance);
                    continue;
                }
            }
            count += 1;
            first.get_or_insert((
                argument,
                index,
                ty,
                [(a[index], of_a[index]), (b[index], of_b[index])],
            ));
        }
    }
    let difference = first.map(|(argument, index, ty, values)| {
        let offset = (index * ty.size()) as u64;
        let written = |side: usize| {
            let (bits, undefined) = values[side];
            Written { bits, undefined, by: ran[side].author(argument, offset) }
        };
        let name = names.get(argument).copied().unwrap_or_default().into();
        let values = Box::new([written(0), written(1)]);
        Difference::Element { argument, name, index, ty, values, count }
    });
    Results { difference, farthest, has_changes }
}

fn word(bytes: &[u8]) -> u64 {
    let mut all = [0; 8];
    all[..bytes.len()].copy_from_slice(bytes);
    u64::from_le_bytes(all)
}

/// Returns the distance of two floats in ULP, if they are equal with a tolerance. Integers have none.
fn distance(ty: DataType, a: u64, b: u64, tolerance: Tolerance) -> Option<u64> {
    if a == b {
        return Some(0);
    }
    let (of_a, of_b) = (to_f64(ty, a)?, to_f64(ty, b)?);
    if of_a.is_nan() || of_b.is_nan() {
        return (of_a.is_nan() && of_b.is_nan()).then_some(0);
    }
    // Ordered as the numbers are, and -0 before 0.
    let top = 1u64 << (ty.size() * 8 - 1);
    let ordered = |bits: u64| match bits & top {
        0 => i128::from(bits),
        _ => -1 - i128::from(bits & !top),
    };
    let ulp = (ordered(a) - ordered(b)).unsigned_abs() as u64;
    // An infinity is near to nothing.
    let error = (of_a - of_b).abs();
    let is_near = error.is_finite()
        && tolerance.relative > 0.0
        && error <= tolerance.relative * of_a.abs().max(of_b.abs());
    (ulp <= tolerance.ulp || is_near).then_some(ulp)
}

impl Difference {
    /// Returns whether both differences are about the same: the same argument, or a fault.
    pub(crate) fn is_like(&self, other: &Difference) -> bool {
        match (self, other) {
            (Difference::Element { argument: a, .. }, Difference::Element { argument: b, .. }) => {
                a == b
            }
            (Difference::Stops(a), Difference::Stops(b)) => a.kind.name() == b.kind.name(),
            _ => false,
        }
    }

    /// Returns the distance of two floats that differ, in ULP; `None` for everything else.
    pub fn ulp(&self) -> Option<u64> {
        let Difference::Element { ty, values, .. } = self else { return None };
        let [a, b] = &**values;
        let any = Tolerance { ulp: u64::MAX, relative: 0.0 };
        match a.undefined | b.undefined {
            0 => distance(*ty, a.bits, b.bits, any),
            _ => None,
        }
    }
}

impl Written {
    /// Returns the instruction that wrote the element.
    pub fn store(&self) -> Option<&Write> {
        match &self.by {
            Author::Store(write) => Some(write),
            _ => None,
        }
    }

    /// Returns the value as a person reads it, if it has a type.
    pub fn value(&self, ty: DataType) -> String {
        match self.undefined {
            0 => number(ty, self.bits),
            _ => "a value that was never written".into(),
        }
    }
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Difference::Element { argument, name, index, ty, values, count } => {
                write!(f, "argument {argument}")?;
                if !name.is_empty() {
                    write!(f, ", `{name}`")?;
                }
                let [a, b] = values.each_ref().map(|written| written.value(*ty));
                write!(f, ": element {index} is {a} in A and {b} in B")?;
                if *count > 1 {
                    write!(f, ", the first of {count} elements that differ")?;
                }
                for (side, written) in ["A", "B"].into_iter().zip(values.iter()) {
                    match &written.by {
                        Author::Store(Write { site, group, thread, lane }) => {
                            write!(f, "\n  {side} --> {site}, group {group}, thread {thread}")?;
                            if let Some(lane) = lane {
                                write!(f, ", lane {lane}")?;
                            }
                            write!(f, "\n  |  {}", site.line)?;
                        }
                        Author::Nobody => write!(f, "\n  {side} --> no store wrote it")?,
                        Author::Unknown => {}
                    }
                }
                Ok(())
            }
            Difference::Stops(fault) => write!(f, "only B stops: {fault}"),
        }
    }
}
