//! The mnemonic of an LSC message and its suffixes, such as `lsc_load.ugm.ca.ca`.

use super::Gated;
use crate::isa::prefix;
use crate::operand::lsc::*;
use crate::operand::{Exec, ExecSize};
use crate::text::context::{Parse, Parser, Print, Printer};
use crate::text::cursor::Parsed;
use crate::text::items::{Item, Word};
use crate::text::words::code_map;

/// Returns the operation with a name.
pub(in crate::text) fn lsc_op(name: &str) -> Option<LscOp> {
    code_map!(OPS: LscOp, 128);
    OPS.get(name)
}

/// The mnemonic, which determines the operation.
pub(in crate::text) struct LscName;

impl Word<LscOp> for LscName {
    const WORDS: &'static [&'static str] = &[];

    fn print(p: &mut Printer<'_>, op: &LscOp) {
        p.is_upper_case = false;
        p.line.push(prefix!(Lsc));
        p.code(op.name(), op.bits());
    }

    fn parse(p: &Parser<'_>, op: &mut LscOp) {
        *op = p.word().strip_prefix(prefix!(Lsc)).and_then(lsc_op).unwrap_or_default();
    }
}

impl Print for LscSfid {
    fn print(&self, p: &mut Printer<'_>) {
        p.lsc_code(p.supported_name(self.name(), *self == LscSfid::URB), self.bits());
    }
}

/// The shared function of an untyped message. The text of `tgm` means a typed message.
pub(in crate::text) struct LscUntypedSfid;

impl Item<LscSfid> for LscUntypedSfid {
    fn print(p: &mut Printer<'_>, sfid: &LscSfid) {
        p.line.ch('.');
        sfid.print(p);
        p.omit_if(*sfid == LscSfid::TGM);
    }

    fn parse(p: &mut Parser<'_>, sfid: &mut LscSfid) -> Parsed<()> {
        if !p.c.eat_here(".") {
            return Err(p.c.expected("a shared function, such as `.ugm`"));
        }
        sfid.parse(p)
    }
}

/// `.ca`
fn print_cache(p: &mut Printer<'_>, cache: LscCache) {
    let name = p.supported_name(cache.name(), cache == LscCache::CONSTCACHED);
    if name.is_some() {
        p.line.ch('.');
    }
    p.lsc_code(name, cache.bits());
}

fn parse_cache(p: &mut Parser<'_>) -> Parsed<LscCache> {
    p.c.skip_blanks();
    p.dot()?;
    const WHAT: &str = "a cache control (`df`, `uc`, `ca`, `wb`, `wt`, `st`, `ri` or `cc`)";
    p.code(p.c.at, WHAT, LscCache::NAMED, LscCache::name, LscCache::meaning)
}

/// Returns whether the next suffix is a cache control, or a mistake in its place.
fn has_cache(p: &mut Parser<'_>) -> bool {
    p.c.skip_blanks();
    let is_other = |text: &&str| p.c.rest().starts_with(text.as_bytes());
    let others = [".ov", ".msaa", ".reset", ".set"];
    p.c.peek() == Some(b'.') && !others.iter().any(is_other)
}

/// `.ca.ca` for L1 and L3, or `.ca.ca.ca` for L1, L2 and L3. Nothing if all are the default.
pub(in crate::text) struct LscCaches;

/// The indices of the levels in [`LscCaches`].
const L1: usize = 0;
const L2: usize = 1;
const L3: usize = 2;

impl<Middle: Gated<LscCache>> Item<(LscCache, Middle, LscCache)> for LscCaches {
    fn print(p: &mut Printer<'_>, &(l1, l2, l3): &(LscCache, Middle, LscCache)) {
        let l2 = l2.get();
        if (l1, l2, l3) == Default::default() {
            return;
        }
        print_cache(p, l1);
        if l2 != LscCache::DEFAULT {
            print_cache(p, l2);
        }
        print_cache(p, l3);
    }

    fn parse(p: &mut Parser<'_>, (l1, l2, l3): &mut (LscCache, Middle, LscCache)) -> Parsed<()> {
        if !has_cache(p) {
            return Ok(());
        }
        let start = p.c.at;
        *l1 = parse_cache(p)?;
        p.c.record_part(L1, start);
        p.c.skip_blanks();
        if p.c.peek() != Some(b'.') {
            let failed = p.c.expected("a cache control of L3");
            return Err(p.with_help(failed, "write the cache controls of all levels, or none"));
        }
        let second = p.c.at;
        *l3 = parse_cache(p)?;
        p.c.record_part(L3, second);
        if has_cache(p) {
            p.c.record_part(L2, second);
            let third = p.c.at;
            let middle = core::mem::replace(l3, parse_cache(p)?);
            p.c.record_part(L3, third);
            if middle == LscCache::DEFAULT && (*l1, *l3) != (middle, middle) {
                let message = "if one of three cache controls is `df`, all must be";
                return Err(p.c.fail(start..p.c.at, message));
            }
            l2.set(middle);
        }
        Ok(())
    }
}

/// `.ov` or `.msaa`
pub(in crate::text) struct LscSuffix;

const SUFFIXES: [(LscFlags, &str, &str); 2] = [
    (
        LscFlags::OVERFETCH,
        ".ov",
        "only `lsc_load`, `lsc_load_quad` and `lsc_load_status` of `ugm` can have the suffix `.ov`",
    ),
    (LscFlags::MSAA, ".msaa", "only typed atomics can have the suffix `.msaa`"),
];

impl Item<(LscOp, LscSfid, Option<LscFlags>)> for LscSuffix {
    fn print(p: &mut Printer<'_>, &(op, sfid, flags): &(LscOp, LscSfid, Option<LscFlags>)) {
        let flags = flags.unwrap_or_default();
        for (_, suffix, _) in SUFFIXES.iter().filter(|(flag, ..)| flags.contains(*flag)) {
            p.line.push(suffix);
        }
        p.omit_if(!LscFlags::of(op, sfid).contains(flags));
    }

    fn parse(
        p: &mut Parser<'_>,
        (op, sfid, flags): &mut (LscOp, LscSfid, Option<LscFlags>),
    ) -> Parsed<()> {
        p.c.skip_blanks();
        let start = p.c.at;
        for (flag, suffix, message) in SUFFIXES {
            if p.c.eat_word_here(suffix) {
                if !LscFlags::of(*op, *sfid).contains(flag) {
                    return Err(p.c.fail(start..p.c.at, message));
                }
                *flags = Some(flag);
            }
        }
        Ok(())
    }
}

impl Item<(LscOp, Option<LscFlags>)> for LscSuffix {
    fn print(p: &mut Printer<'_>, &(op, flags): &(LscOp, Option<LscFlags>)) {
        <Self as Item<(_, _, _)>>::print(p, &(op, LscSfid::TGM, flags));
    }

    fn parse(p: &mut Parser<'_>, (op, flags): &mut (LscOp, Option<LscFlags>)) -> Parsed<()> {
        let mut parts = (*op, LscSfid::TGM, *flags);
        <Self as Item<(_, _, _)>>::parse(p, &mut parts)?;
        *flags = parts.2;
        Ok(())
    }
}

/// The execution size, which READ_STATE_INFO does not have.
pub(in crate::text) struct LscExec;

impl Item<(LscOp, Exec)> for LscExec {
    fn print(p: &mut Printer<'_>, (op, exec): &(LscOp, Exec)) {
        match *op {
            LscOp::READ_STATE_INFO => p.omit_if(*exec != ExecSize::S1.into()),
            _ => exec.operand(p),
        }
    }

    fn parse(p: &mut Parser<'_>, (op, exec): &mut (LscOp, Exec)) -> Parsed<()> {
        if *op == LscOp::READ_STATE_INFO {
            *exec = ExecSize::S1.into();
            return Ok(());
        }
        exec.parse(p)
    }
}

/// A suffix of LSC_FENCE, such as `.ugm`. Blanks may precede it.
pub(in crate::text) struct FenceSuffix;

impl<T: Print + Parse> Item<T> for FenceSuffix {
    fn print(p: &mut Printer<'_>, suffix: &T) {
        p.line.ch('.');
        suffix.print(p);
    }

    fn parse(p: &mut Parser<'_>, suffix: &mut T) -> Parsed<()> {
        p.c.skip_blanks();
        p.dot()?;
        suffix.parse(p)
    }
}
