//! Which builds agree, and what that means.

use std::fmt;

use genvisa_equiv::{Case, Comparison, Difference, Side, Verdict as Compared};

use super::builds::Builds;
use super::cpu::CpuKernel;

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
            match side {
                Ok(side) => agreement.add(at, &sides, |other| comparison.compare(other, side)),
                Err(error) => agreement.not_compared.push((at, error.to_string())),
            }
        }
        if let Some(Ok(cpu)) = &builds.cpu {
            let mut kernel = CpuKernel { cpu, kernel };
            let mut comparison = comparison.clone();
            // If builds differ, the question is which of them computes what the CPU does.
            if let Some(Found { case, .. }) = &agreement.difference {
                comparison.sizes = Some((case.global.clone(), case.local.clone()));
                comparison.arguments = case.arguments.iter().cloned().map(Some).collect();
            }
            agreement.add(sides.len(), &sides, |other| comparison.compare_with(other, &mut kernel));
        }
        agreement
    }

    /// Adds a build to the class that it agrees with. The function compares it with a build.
    fn add<E>(
        &mut self,
        at: usize,
        sides: &[Result<Side<'_>, E>],
        mut compare: impl FnMut(&Side<'_>) -> Compared,
    ) {
        let mut reason = None;
        for members in &mut self.classes {
            let Ok(other) = &sides[members[0]] else { continue };
            match compare(other) {
                Compared::SameCode | Compared::Equal { .. } => {
                    members.push(at);
                    return;
                }
                Compared::Differ { difference, case } => {
                    let builds = [members[0], at];
                    let found = || Found { builds, difference: *difference, case: *case };
                    self.difference.get_or_insert_with(found);
                }
                Compared::NotCompared(why) => reason = Some(why),
                _ => {}
            }
        }
        match reason {
            Some(reason) => self.not_compared.push((at, reason)),
            None => self.classes.push(vec![at]),
        }
    }
}

/// What an agreement means.
pub struct Verdict {
    kind: Kind,
    /// The builds that compute what the CPU does, if it is not part of the kind.
    like_cpu: Option<Vec<String>>,
}

enum Kind {
    /// All builds agree, and the CPU if it ran the kernel.
    Agree { builds: usize, with_cpu: bool },
    /// All builds agree, and the CPU differs.
    Cpu,
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
    pub fn new(builds: &Builds, agreement: &Agreement) -> Verdict {
        let name = |at: &usize| builds.name(*at).to_owned();
        let is_build = |at: &usize| *at < builds.all.len();
        let is_plain = |at: &usize| builds.all[*at].is_optimized == Some(false);
        let (mut classes, mut like_cpu) = (Vec::new(), None);
        for class in &agreement.classes {
            let members: Vec<usize> = class.iter().copied().filter(is_build).collect();
            if members.len() < class.len() {
                like_cpu = Some(members.iter().map(name).collect::<Vec<String>>());
            }
            if !members.is_empty() {
                classes.push(members);
            }
        }
        let compared = classes.iter().map(Vec::len).sum::<usize>();
        let of_plain: Vec<usize> =
            (0..classes.len()).filter(|class| classes[*class].iter().any(is_plain)).collect();
        let kind = match (&classes[..], &of_plain[..]) {
            _ if compared + usize::from(like_cpu.is_some()) < 2 => Kind::Unknown,
            ([_], _) => match like_cpu.take() {
                Some(names) if names.is_empty() => Kind::Cpu,
                names => Kind::Agree { builds: compared, with_cpu: names.is_some() },
            },
            (_, [plain]) => {
                let others = classes.iter().enumerate().filter(|(class, _)| class != plain);
                Kind::Optimizer(others.flat_map(|(_, members)| members).map(name).collect())
            }
            (_, [_, _, ..]) => Kind::Source,
            ([a, b], []) => match (&a[..], &b[..]) {
                ([_, _, ..], [one]) | ([one], [_, _, ..]) => Kind::One(name(one)),
                _ => Kind::Unknown,
            },
            _ => Kind::Unknown,
        };
        Verdict { kind, like_cpu }
    }

    pub fn word(&self) -> &'static str {
        match self.kind {
            Kind::Agree { .. } => "later-or-none",
            Kind::Cpu => "cpu",
            Kind::Optimizer(_) => "optimizer",
            Kind::One(_) => "one-build",
            Kind::Source => "source-or-device",
            Kind::Unknown => "unknown",
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            Kind::Agree { builds, with_cpu } => {
                let cpu = if *with_cpu { " and OpenCL on the CPU" } else { "" };
                write!(
                    f,
                    "{builds} builds{cpu} compute the same. If a device computes something else, the finalizer, \
                     the driver or the hardware is wrong, or it depends on arguments that were not tried"
                )?;
            }
            Kind::Cpu => write!(
                f,
                "All builds compute the same, and OpenCL on the CPU something else: the result of the source \
                 depends on the device, such as the number of lanes, or is not defined, as that of a division by zero, \
                 or the front end of one of the compilers is wrong"
            )?,
            Kind::Optimizer(names) => {
                let (builds, verb) =
                    if names.len() == 1 { ("build", "differs") } else { ("builds", "differ") };
                write!(
                    f,
                    "The builds without optimization agree, and the optimized {builds} for {} {verb}. The \
                     optimizer of the compiler's front end is wrong, or the source does what its language \
                     does not define",
                    names.join(" and "),
                )?;
            }
            Kind::One(name) => write!(
                f,
                "Only {name} differs: it is wrong, or the source does what its language does not define"
            )?,
            Kind::Source => write!(
                f,
                "The builds without optimization differ between devices: the result of the source depends \
                 on the device, such as the number of lanes, or is not defined"
            )?,
            Kind::Unknown => {
                write!(f, "The builds differ or stop in a way that says nothing about the cause")?;
            }
        }
        match &self.like_cpu {
            None => Ok(()),
            Some(names) if names.is_empty() => {
                write!(f, ". OpenCL on the CPU agrees with none of them")
            }
            Some(names) => {
                write!(f, ". OpenCL on the CPU agrees with {}", names.join(" and "))
            }
        }
    }
}
