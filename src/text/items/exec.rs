//! Items of execution sizes and predicates.

use super::Item;
use crate::operand::{Exec, ExecMask, ExecSize, Pred};
use crate::text::context::{Parse, Parser, Print, Printer};
use crate::text::cursor::Parsed;
use crate::text::words::Quirk;

/// `(8)`, or `(M2, 8)` if the mask is not M1. The manual pages have no text for the mask.
pub(in crate::text) struct ManualExec;

impl Item<Exec> for ManualExec {
    fn print(p: &mut Printer<'_>, exec: &Exec) {
        if exec.mask != ExecMask::M1 {
            return exec.operand(p);
        }
        p.line.push(" (");
        p.line.dec(exec.size.lanes() as u64);
        p.line.ch(')');
    }

    fn parse(p: &mut Parser<'_>, exec: &mut Exec) -> Parsed<()> {
        exec.parse(p)
    }
}

/// The execution size of JMP and SWITCHJMP.
pub(in crate::text) struct JumpExec;

impl Item<Exec> for JumpExec {
    fn print(p: &mut Printer<'_>, exec: &Exec) {
        let is_forgotten = p.has(Quirk::JumpExecForgotten);
        let exec = if is_forgotten { ExecSize::S1.into() } else { *exec };
        exec.operand(p);
    }

    fn parse(p: &mut Parser<'_>, exec: &mut Exec) -> Parsed<()> {
        exec.parse(p)
    }
}

/// A predicate that has no text.
pub(in crate::text) struct NoPred;

impl Item<Pred> for NoPred {
    fn print(p: &mut Printer<'_>, pred: &Pred) {
        p.omit_if(*pred != Pred::NONE);
    }

    fn parse(_: &mut Parser<'_>, pred: &mut Pred) -> Parsed<()> {
        *pred = Pred::NONE;
        Ok(())
    }
}

/// An execution size of one lane, which has no text.
pub(in crate::text) struct OneLane;

impl Item<Exec> for OneLane {
    fn print(p: &mut Printer<'_>, exec: &Exec) {
        p.omit_if(*exec != Exec::from(ExecSize::S1));
    }

    fn parse(_: &mut Parser<'_>, exec: &mut Exec) -> Parsed<()> {
        *exec = ExecSize::S1.into();
        Ok(())
    }
}

/// The predicate of GATHER4_TYPED and SCATTER4_TYPED.
pub(in crate::text) struct TypedPred;

impl Item<Pred> for TypedPred {
    fn print(p: &mut Printer<'_>, pred: &Pred) {
        if !p.has(Quirk::TypedPredicateOmitted) {
            p.pred_prefix(pred);
        }
    }

    fn parse(p: &mut Parser<'_>, pred: &mut Pred) -> Parsed<()> {
        *pred = p.take_pred();
        Ok(())
    }
}
