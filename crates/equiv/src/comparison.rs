//! The comparison of two kernels.

use fastrand::Rng;
use genvisa_interp::binary::Kernel;
use genvisa_interp::dispatch::{Argument, Parameter};

use crate::arguments::{Numbers, Setting, case, settings};
use crate::case::Case;
use crate::difference::{Difference, Tolerance, compare};
use crate::elements::Elements;
use crate::other::{Other, Runner, Stop, Unusable};
use crate::reduction::Reduction;
use crate::side::{Limits, Side};

/// How two kernels are compared.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Comparison {
    /// The number of runs of each kernel with different arguments, 96 by default. If all arguments and the
    /// sizes are given, there is one.
    pub runs: u32,
    /// The seed of the arguments.
    pub seed: u64,
    /// By how much floats may differ: not at all, by default.
    pub tolerance: Tolerance,
    /// The tolerances of single arguments, by their index; the others have that of all.
    pub tolerances: Vec<Option<Tolerance>>,
    /// The global and the local sizes; without them, several are tried.
    pub sizes: Option<(Vec<u32>, Vec<u32>)>,
    /// The arguments that are not generated, by their index. Those that only one kernel has must be given.
    pub arguments: Vec<Option<Argument>>,
    /// The maximum work of a thread, in lanes of all instructions that it executes.
    pub limit: u64,
    /// The maximum number of bytes of memory of each kernel.
    pub memory_limit: u64,
}

/// What is known about two kernels.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Verdict {
    /// They have the same code, except for names and numbers, the same data and the same description.
    SameCode,
    /// They wrote the same.
    Equal {
        /// The number of runs of each.
        runs: u32,
        /// The greatest distance of floats that are equal with the tolerance, in ULP.
        ulp: u64,
    },
    /// They differ.
    Differ {
        /// What differs.
        difference: Box<Difference>,
        /// The arguments and sizes, made as small as it was possible.
        case: Box<Case>,
    },
    /// They could not be compared, for a reason.
    NotCompared(String),
}

/// What became of a run of both.
enum Outcome {
    /// The greatest distance of floats in ULP, and whether an argument changes.
    Equal(u64, bool),
    /// What differs, and the lanes of all instructions of both.
    Differ(Box<Difference>, u64),
    Unusable(Unusable),
}

/// The kernels that are compared.
struct Pair<'p> {
    a: &'p Side<'p>,
    b: Other<'p>,
    /// The names of the arguments.
    names: Vec<&'p str>,
}

/// How many different settings are used, if the kernels run with them.
const SETTINGS: usize = 4;
/// The number of settings with which a kernel runs for too long, after which no others are tried.
const MAX_TOO_LONG: u32 = 3;

impl Default for Comparison {
    fn default() -> Comparison {
        Comparison {
            runs: 96,
            seed: 0,
            tolerance: Tolerance::default(),
            tolerances: Vec::new(),
            sizes: None,
            arguments: Vec::new(),
            limit: 1 << 20,
            memory_limit: 1 << 28,
        }
    }
}

impl Comparison {
    /// Returns a comparison with generated arguments, in which floats are equal if their bits are.
    pub fn new() -> Comparison {
        Comparison::default()
    }

    /// Compares two kernels. The first is the reference.
    pub fn compare(&self, a: &Side<'_>, b: &Side<'_>) -> Verdict {
        match a.has_same_code(b) {
            true => Verdict::SameCode,
            false => self.compare_other(a, Other::Side(b), &[a.kernel(), b.kernel()]),
        }
    }

    /// Compares a kernel with one that runs elsewhere. The first is the reference.
    pub fn compare_with(&self, a: &Side<'_>, b: &mut dyn Runner) -> Verdict {
        self.compare_other(a, Other::Runner(b), &[a.kernel()])
    }

    /// The kernels describe the arguments.
    fn compare_other<'p>(&self, a: &'p Side<'p>, b: Other<'p>, kernels: &[&'p Kernel]) -> Verdict {
        let parameters = match b.side() {
            None => Ok(a.parameters()),
            Some(b) => self.common_parameters(a, b),
        };
        let parameters = match parameters {
            Ok(parameters) => parameters,
            Err(problem) => return Verdict::NotCompared(problem),
        };
        let stated = |get: fn(&Kernel, u32) -> &str| -> Vec<&str> {
            let first = |index| kernels.iter().map(|it| get(it, index)).find(|it| !it.is_empty());
            (0..parameters.len() as u32).map(|index| first(index).unwrap_or_default()).collect()
        };
        let types = stated(Kernel::argument_type);
        let mut pair = Pair { a, b, names: stated(Kernel::argument_name) };
        let required = kernels.iter().find_map(|it| it.execution.required_group_size);
        let all = settings(&parameters, required, self.sizes.as_ref());
        let mut rng = Rng::with_seed(self.seed);
        let (mut usable, mut problem, mut too_long) = (Vec::new(), None, 0);
        let (mut runs, mut farthest, mut has_changes) = (0, 0, false);
        // The rounds after the first vary the numbers.
        let is_fixed = self.sizes.is_some() && (0..parameters.len()).all(|at| self.gives(at));
        let mut elements = Elements::stated(&types);
        let make = |setting: &Setting, numbers, elements: &Elements, rng: &mut Rng| {
            case(setting, &parameters, &types, elements, &self.arguments, numbers, rng)
        };
        for setting in &all {
            let case = make(setting, Numbers::Small, &elements, &mut rng);
            match self.try_case(&mut pair, &case, &mut elements) {
                Outcome::Equal(ulp, changes) => {
                    farthest = farthest.max(ulp);
                    has_changes |= changes;
                    runs += 1;
                    usable.push(setting);
                }
                Outcome::Differ(difference, _) => {
                    return self.differ(&mut pair, case, difference, elements);
                }
                Outcome::Unusable(Unusable { why, is_too_long }) => {
                    problem = problem.or(Some(why));
                    too_long += u32::from(is_too_long);
                }
            }
            let is_enough = usable.len() == SETTINGS || runs >= self.runs || is_fixed;
            if is_enough || too_long == MAX_TOO_LONG {
                break;
            }
        }
        if usable.is_empty() {
            return Verdict::NotCompared(problem.unwrap_or_default());
        }
        let rounds = if is_fixed { 0 } else { 2 * self.runs as usize };
        for round in 0..rounds {
            if runs >= self.runs {
                break;
            }
            let numbers = Numbers::ROUNDS[round / usable.len() % Numbers::ROUNDS.len()];
            // Most kernels have modes.
            let varies = rng.u8(0..4) != 0;
            let setting = Setting { varies, ..usable[round % usable.len()].clone() };
            let case = make(&setting, numbers, &elements, &mut rng);
            match self.try_case(&mut pair, &case, &mut elements) {
                Outcome::Equal(ulp, changes) => {
                    farthest = farthest.max(ulp);
                    has_changes |= changes;
                    runs += 1;
                }
                Outcome::Differ(difference, _) => {
                    return self.differ(&mut pair, case, difference, elements);
                }
                Outcome::Unusable(_) => {}
            }
        }
        match has_changes {
            true => Verdict::Equal { runs, ulp: farthest },
            false => {
                Verdict::NotCompared(format!("A changes none of its arguments in {runs} runs"))
            }
        }
    }

    fn differ(
        &self,
        pair: &mut Pair<'_>,
        case: Case,
        difference: Box<Difference>,
        mut elements: Elements,
    ) -> Verdict {
        let arguments = case.arguments.iter().enumerate();
        let types: Vec<_> = arguments.map(|(at, value)| elements.of(at, value)).collect();
        let differ = |case: &Case| match self.try_case(pair, case, &mut elements) {
            Outcome::Differ(difference, lanes) => Some((difference, lanes)),
            _ => None,
        };
        let mut reduction = Reduction::new(case, difference, differ);
        if self.sizes.is_none() {
            reduction.reduce_sizes();
        }
        for (index, ty) in types.into_iter().enumerate() {
            if self.arguments.get(index).is_none_or(Option::is_none) {
                reduction.reduce_argument(index, ty);
            }
        }
        let (case, difference) = reduction.finish();
        Verdict::Differ { difference, case: Box::new(case) }
    }

    /// Runs both kernels, and compares what they wrote.
    fn try_case(&self, pair: &mut Pair<'_>, case: &Case, elements: &mut Elements) -> Outcome {
        let limits = Limits { lanes: self.limit, memory: self.memory_limit };
        let of_a = match pair.a.run(case, limits) {
            Ok(ran) => ran,
            Err(error) => return Outcome::Unusable(Unusable::new("A", &error)),
        };
        let of_b = match pair.b.run(case, limits) {
            Ok(ran) => ran,
            Err(Stop::Fault(fault)) => {
                return Outcome::Differ(Box::new(Difference::Stops(fault)), of_a.lanes());
            }
            Err(Stop::Unusable(why)) => return Outcome::Unusable(why),
        };
        let lanes = of_a.lanes() + of_b.lanes();
        let tolerance = |argument: usize| {
            let own = self.tolerances.get(argument).copied().flatten();
            own.unwrap_or(self.tolerance)
        };
        let results = compare(&pair.names, case, &mut [of_a, of_b], tolerance, elements);
        match results.difference {
            Some(difference) => Outcome::Differ(Box::new(difference), lanes),
            None => Outcome::Equal(results.farthest, results.has_changes),
        }
    }

    /// Returns what both kernels expect as their arguments. A compiler may remove an argument that is not used.
    fn common_parameters(&self, a: &Side<'_>, b: &Side<'_>) -> Result<Vec<Parameter>, String> {
        let (of_a, of_b) = (a.parameters(), b.parameters());
        let common = of_a.len().min(of_b.len());
        let more = if of_a.len() > common { &of_a } else { &of_b };
        if !(common..more.len()).all(|index| self.gives(index)) {
            let (a, b) = (of_a.len(), of_b.len());
            return Err(format!("A has {a} arguments, and B has {b}: give those that one lacks"));
        }
        let pairs = of_a.iter().copied().zip(of_b.iter().copied()).enumerate();
        let both = pairs.map(|(index, pair)| match pair {
            (a, b) if a == b => Ok(a),
            (Parameter::Unused, other) | (other, Parameter::Unused) => Ok(other),
            (a, b) => Err(format!("argument {index} is {a:?} in A and {b:?} in B")),
        });
        both.chain(more[common..].iter().copied().map(Ok)).collect()
    }

    fn gives(&self, argument: usize) -> bool {
        self.arguments.get(argument).is_some_and(Option::is_some)
    }
}
