//! Which builds agree, and what that means.

use std::fmt;

use genvisa_equiv::{Case, Comparison, Difference, Side, Verdict as Compared};

use super::builds::{Build, Builds};

/// The builds of a kernel that compute the same.
pub struct Agreement {
    pub kernel: String,
    /// The indices of builds that agree.
    pub classes: Vec<Vec<usize>>,
    /// Builds that could not be compared, with the reason.
    pub not_compared: Vec<(usize, String)>,
    /// The first difference.
    pub difference: Option<Found>,
}

/// A difference.
pub struct Found {
    /// The indices of both builds.
    pub builds: [usize; 2],
    pub difference: Difference,
    pub case: Case,
}

impl Agreement {
    /// Returns whether no two builds were compared.
    pub fn is_alone(&self) -> bool {
        self.classes.iter().map(Vec::len).sum::<usize>() < 2
    }

    /// Compares each build with one of each class that there is.
    pub fn new(comparison: &Comparison, builds: &Builds, kernel: &str) -> Agreement {
        let sides: Vec<_> =
            builds.all.iter().map(|build| Side::new(&build.binary, kernel, None)).collect();
        let mut agreement = Agreement {
            kernel: kernel.into(),
            classes: Vec::new(),
            not_compared: Vec::new(),
            difference: None,
        };
        for (at, side) in sides.iter().enumerate() {
            let side = match side {
                Ok(side) => side,
                Err(error) => {
                    agreement.not_compared.push((at, error.to_string()));
                    continue;
                }
            };
            let mut reason = None;
            let mut class = None;
            for (number, members) in agreement.classes.iter().enumerate() {
                let Ok(other) = &sides[members[0]] else { continue };
                match comparison.compare(other, side) {
                    Compared::SameCode | Compared::Equal { .. } => {
                        class = Some(number);
                        break;
                    }
                    Compared::Differ { difference, case } => {
                        let (difference, case) = (*difference, *case);
                        let builds = [members[0], at];
                        agreement.difference.get_or_insert(Found { builds, difference, case });
                    }
                    Compared::NotCompared(why) => reason = Some(why),
                    _ => {}
                }
            }
            match (class, reason) {
                (Some(class), _) => agreement.classes[class].push(at),
                (None, Some(reason)) => agreement.not_compared.push((at, reason)),
                (None, None) => agreement.classes.push(vec![at]),
            }
        }
        agreement
    }
}

/// What an agreement means.
pub enum Verdict {
    /// All builds agree.
    Agree(usize),
    /// The builds without optimization agree with each other, and the others differ from them: the names of these.
    Optimizer(Vec<String>),
    /// One build differs from all others.
    One(String),
    /// The builds without optimization differ.
    Source,
    /// Too few were compared, or there is no pattern.
    Unknown,
}

impl Verdict {
    pub fn new(builds: &[Build], agreement: &Agreement) -> Verdict {
        let Agreement { classes, not_compared, .. } = agreement;
        let compared = builds.len() - not_compared.len();
        let is_plain = |at: &usize| builds[*at].is_optimized == Some(false);
        let of_plain: Vec<usize> =
            (0..classes.len()).filter(|class| classes[*class].iter().any(is_plain)).collect();
        match (&classes[..], &of_plain[..]) {
            _ if compared < 2 => Verdict::Unknown,
            ([_], _) => Verdict::Agree(compared),
            (_, [plain]) => {
                let others = classes.iter().enumerate().filter(|(class, _)| class != plain);
                let others = others.flat_map(|(_, members)| members);
                Verdict::Optimizer(others.map(|at| builds[*at].name.clone()).collect())
            }
            (_, [_, _, ..]) => Verdict::Source,
            ([a, b], []) => match (&a[..], &b[..]) {
                ([_, _, ..], [one]) | ([one], [_, _, ..]) => {
                    Verdict::One(builds[*one].name.clone())
                }
                _ => Verdict::Unknown,
            },
            _ => Verdict::Unknown,
        }
    }

    pub fn word(&self) -> &'static str {
        match self {
            Verdict::Agree(_) => "later-or-none",
            Verdict::Optimizer(_) => "optimizer",
            Verdict::One(_) => "one-build",
            Verdict::Source => "source-or-device",
            Verdict::Unknown => "unknown",
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Verdict::Agree(builds) => write!(
                f,
                "{builds} builds compute the same. If a device computes something else, the finalizer, the \
                 driver or the hardware is wrong, or it depends on arguments that were not tried"
            ),
            Verdict::Optimizer(names) => {
                let (builds, verb) =
                    if names.len() == 1 { ("build", "differs") } else { ("builds", "differ") };
                write!(
                    f,
                    "The builds without optimization agree, and the optimized {builds} for {} {verb}. The \
                     optimizer of the compiler's front end is wrong, or the source does what its language \
                     does not define",
                    names.join(" and "),
                )
            }
            Verdict::One(name) => {
                write!(
                    f,
                    "Only {name} differs: it is wrong, or the source does what its language does not define"
                )
            }
            Verdict::Source => write!(
                f,
                "The builds without optimization differ between devices: the result of the source depends \
                 on the device, such as the number of lanes, or is not defined"
            ),
            Verdict::Unknown => {
                write!(f, "The builds differ or stop in a way that says nothing about the cause")
            }
        }
    }
}
