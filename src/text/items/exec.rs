//! The execution size in dialect `Manual`.

use super::Item;
use crate::operand::{Exec, ExecMask};
use crate::text::parse::{Parse, Parsed, Parser};
use crate::text::print::{Print, Printer};

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
