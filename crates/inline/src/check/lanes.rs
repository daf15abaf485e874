//! The number of lanes of the kernel.

use alloc::format;
use alloc::vec::Vec;
use core::cmp::Reverse;

use genvisa::RegisterSize;

use super::Check;
use crate::checker::Checker;
use crate::constraint::{Kind, Resolved};
use crate::context::Context;
use crate::finding::{Finding, Place};
use crate::report::Report;
use crate::rules;
use crate::standin;
use crate::statement::{Lanes, Path, Statement};

impl Checker {
    /// Replaces the findings that have the number of lanes as their common cause with one: a template with
    /// another number of lanes than the kernel has more than one of them.
    pub(super) fn merge_findings_of_lanes(
        &self,
        statement: &Statement,
        context: &Context,
        report: &mut Report,
    ) {
        let Some(lanes) = self.lanes else { return };
        // About accesses; where a value comes from does not depend on the number of lanes.
        let is_about_access = |one: &Finding| {
            one.rule == rules::LANES.name || genvisa::verify::rule(one.rule).is_some()
        };
        if report.findings.iter().filter(|one| is_about_access(one)).count() < 2 {
            return;
        }
        for others in [Lanes::L16, Lanes::L32, Lanes::L8] {
            if others == lanes {
                continue;
            }
            let checker = self.clone().with_lanes(others);
            let with_others = checker.check_once(statement, context).findings;
            if with_others.iter().any(|one| !report.findings.contains(one)) {
                continue;
            }
            let is_caused = |one: &Finding| is_about_access(one) && !with_others.contains(one);
            let (caused, rest): (Vec<_>, Vec<_>) =
                report.findings.iter().cloned().partition(is_caused);
            if caused.len() < 2 {
                continue;
            }
            let count = caused.len();
            let Some(first) = caused.into_iter().min_by_key(|one| Reverse(one.severity)) else {
                return;
            };
            let message = format!(
                "the template is for {others} lanes, but the kernel has {lanes}, which causes {count} findings"
            );
            let help = format!("the first is: {}", first.message);
            report.findings = rest;
            report.findings.push(Finding { message, help: Some(help), ..first });
            report.finish();
            return;
        }
    }
}

impl Check<'_> {
    pub(super) fn check_lanes(&mut self) {
        let Checker { lanes: Some(lanes), platform, .. } = *self.checker else { return };
        let is_split =
            |resolved: &Resolved| resolved.kind == Kind::Variable && !resolved.is_uniform;
        if self.path == Path::Vc {
            return;
        }
        if lanes == Lanes::L8
            && platform.is_some_and(|platform| platform.register_size() > RegisterSize::Bytes32)
        {
            let message = "the compiler refuses kernels with 8 lanes for this platform";
            let place = Place::Template(0..0);
            self.report.findings.push(Finding::new(&rules::SUBGROUP_SIZE, place, message));
        }
        if !standin::is_half(lanes, platform) {
            return;
        }
        if let Some(number) = self.operands.iter().position(is_split) {
            let message = format!(
                "the compiler splits variables for {lanes} lanes, and the template reaches only the \
                 first {}",
                lanes.count() / 2
            );
            let place = Place::Operand(number);
            self.report.findings.push(Finding::new(&rules::HALF_OF_SIMD32, place, message));
        }
    }
}
