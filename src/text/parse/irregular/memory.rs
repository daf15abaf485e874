//! Block, scattered and raw messages, RT_WRITE, SVM and DPAS.

use alloc::format;

use super::super::Parser;
use super::super::cursor::Parsed;
use super::super::operands::Parse;
use super::super::rows::Head;
use crate::format::Version;
use crate::isa::*;
use crate::operand::{
    Atomic, Modifier, OwordNum, Pred, Raw, Region, SendFlags, Stride, SvmBlock, Vector,
};

/// `.mod`, before the size of a block or behind the exec size of a gather.
pub(in super::super) fn modified(p: &mut Parser<'_>, byte: &mut u8, _: &mut Head) -> Parsed<()> {
    *byte = p.c.eat(".mod").into();
    Ok(())
}

/// What text does not mention is zero.
pub(in super::super) fn zero<N>(_: &mut Parser<'_>, _: &mut N, _: &mut Head) -> Parsed<()> {
    Ok(())
}

pub(in super::super) fn typed_pred(
    _: &mut Parser<'_>,
    pred: &mut Pred,
    head: &mut Head,
) -> Parsed<()> {
    *pred = head.pred();
    Ok(())
}

pub(in super::super) fn dataport_atomic_op(
    p: &mut Parser<'_>,
    op: &mut Atomic,
    _: &mut Head,
) -> Parsed<()> {
    p.dot()?;
    op.parse(p)
}

pub(in super::super) fn svm_block(
    p: &mut Parser<'_>,
    block: &mut SvmBlock,
    _: &mut Head,
) -> Parsed<()> {
    let unaligned = p.c.eat_here(".unaligned");
    if !unaligned {
        p.c.eat_here(".aligned");
    }
    p.c.expect("(")?;
    let mut size = OwordNum::default();
    size.parse(p)?;
    p.c.expect(")")?;
    *block = SvmBlock::new(size, unaligned);
    Ok(())
}

pub(in super::super) fn ex_msg_desc(
    p: &mut Parser<'_>,
    i: &mut RawSend,
    _: &mut Head,
) -> Parsed<()> {
    i.ex_msg_desc = p.c.number("a descriptor of 32 bits")?;
    Ok(())
}

pub(in super::super) fn send_name(p: &mut Parser<'_>, i: &mut RawSend, _: &mut Head) -> Parsed<()> {
    let conditional = p.word_is("raw_sendc");
    i.modifiers = if conditional { SendFlags::SENDC } else { SendFlags::empty() };
    Ok(())
}

/// `.<sfid>[.eot].<src0>.<src1>.<dst>`, without the function id where the format has none.
pub(in super::super) fn sends_name(
    p: &mut Parser<'_>,
    i: &mut RawSends,
    _: &mut Head,
) -> Parsed<()> {
    i.modifiers.set(SendFlags::SENDC, p.word_is("raw_sendsc") || p.word_is("raw_sendsc_eot"));
    i.modifiers.set(SendFlags::EOT, p.word_is("raw_sends_eot") || p.word_is("raw_sendsc_eot"));
    let start = p.c.at;
    let mut numbers = [0u8; 4];
    let mut count = 0;
    // How many numbers precede `.eot`.
    let mut eot_after = None;
    while p.c.eat_here(".") {
        if !i.modifiers.contains(SendFlags::EOT) && p.c.eat_word_here("eot") {
            i.modifiers |= SendFlags::EOT;
            eot_after = Some(count);
            continue;
        }
        let Some(slot) = numbers.get_mut(count) else {
            return Err(p.c.expected("an execution size after four numbers"));
        };
        *slot = p.c.number("a number")?;
        count += 1;
    }
    let has_sfid = p.format.since(Version::V3_6);
    let misplaced = eot_after.is_some_and(|before| before + 3 != count);
    (i.sfid, i.num_src0, i.num_src1, i.num_dst) = match (count, numbers) {
        _ if misplaced => {
            return Err(p.c.fail(start..p.c.at, "`.eot` must precede the three lengths"));
        }
        // Before 3.6 a zero stands for what is not there.
        (4, [0, a, b, c]) if !has_sfid => (None, a, b, c),
        (4, [sfid, a, b, c]) => (Some(sfid), a, b, c),
        (3, [a, b, c, _]) => (has_sfid.then_some(0), a, b, c),
        _ => {
            let message = "a raw_sends has a function id and the lengths of two sources and of \
                           its result";
            return Err(p.c.fail(start..p.c.at, message));
        }
    };
    Ok(())
}

pub(in super::super) fn sendg(p: &mut Parser<'_>, i: &mut RawSendg, _: &mut Head) -> Parsed<()> {
    i.modifiers.set(SendFlags::SENDC, p.word_is("raw_sendgc") || p.word_is("raw_sendgc_eot"));
    i.modifiers.set(SendFlags::EOT, p.word_is("raw_sendg_eot") || p.word_is("raw_sendgc_eot"));
    p.dot()?;
    i.sfid.parse(p)?;
    i.exec.parse(p)?;
    let payloads = [
        (&mut i.dst, &mut i.dst_len),
        (&mut i.src0, &mut i.src0_len),
        (&mut i.src1, &mut i.src1_len),
    ];
    for (payload, len) in payloads {
        payload.parse(p)?;
        p.c.expect("/")?;
        len.parse(p)?;
    }
    i.ind0.parse(p)?;
    i.ind1.parse(p)?;
    let desc: u64 = p.c.number("a descriptor of 64 bits")?;
    (i.desc_low, i.desc_high) = (desc as u32, (desc >> 32) as u32);
    Ok(())
}

pub(in super::super) fn dpas_src2(
    p: &mut Parser<'_>,
    src2: &mut Vector,
    _: &mut Head,
) -> Parsed<()> {
    let (var, _) = p.var()?;
    let (row, col) = p.place()?;
    let region = Region::new(Stride::S1, Stride::S1, Stride::S0);
    *src2 = Vector::general_at(var, row, col, region).with_modifier(Modifier::NONE);
    Ok(())
}

pub(in super::super) fn truth_table(p: &mut Parser<'_>, i: &mut Bfn, _: &mut Head) -> Parsed<()> {
    p.dot()?;
    let start = p.c.at;
    let word = p.c.word_here();
    let digits = word.strip_prefix('x').and_then(|digits| u8::from_str_radix(digits, 16).ok());
    match digits {
        Some(table) => i.boolean_func_ctrl = table,
        None => {
            p.c.at = start;
            return Err(p.c.expected("a truth table of eight bits, such as `xd8`"));
        }
    }
    Ok(())
}

/// The optional operands follow from the mode.
pub(in super::super) fn rt_write(
    p: &mut Parser<'_>,
    i: &mut RtWrite,
    head: &mut Head,
) -> Parsed<()> {
    i.pred = head.pred();
    let mode = rt_write_mode(p)?;
    i.flags = mode.flags();
    i.exec.parse(p)?;
    i.surface.parse(p)?;
    i.header.parse(p)?;
    optional(p, mode, RtWriteMode::SI, &mut i.sample_index)?;
    optional(p, mode, RtWriteMode::CPS, &mut i.cps_counter)?;
    optional(p, mode, RtWriteMode::RTI, &mut i.rt_index)?;
    optional(p, mode, RtWriteMode::S0A, &mut i.s0a)?;
    optional(p, mode, RtWriteMode::OMASK, &mut i.omask)?;
    let colors: [&mut Raw; 4] = [&mut i.r, &mut i.g, &mut i.b, &mut i.a];
    colors.into_iter().try_for_each(|color| color.parse(p))?;
    optional(p, mode, RtWriteMode::Z, &mut i.depth)?;
    optional(p, mode, RtWriteMode::STENCIL, &mut i.stencil)
}

fn rt_write_mode(p: &mut Parser<'_>) -> Parsed<RtWriteMode> {
    let mut mode = RtWriteMode::empty();
    if !p.c.eat_here(".") {
        return Ok(mode);
    }
    if p.c.peek() != Some(b'<') {
        return Err(p.c.expected("a mode of RT_WRITE, such as `<RTI>`"));
    }
    while p.c.eat_here("<") {
        let start = p.c.at;
        let word = p.c.word_here();
        match crate::text::RT_WRITE_MODES.iter().find(|(_, name)| *name == word) {
            Some((bit, _)) if mode.contains(*bit) => {
                let message = format!("the mode `{word}` is repeated");
                return Err(p.c.fail(start..p.c.at, &message));
            }
            Some((bit, _)) => mode |= *bit,
            None => {
                p.c.at = start;
                let names = crate::text::RT_WRITE_MODES.iter().map(|(_, name)| *name);
                return Err(p.expected_word("a mode of RT_WRITE", names));
            }
        }
        p.c.expect(">")?;
    }
    Ok(mode)
}

fn optional<V: Parse + Default>(
    p: &mut Parser<'_>,
    mode: RtWriteMode,
    bit: RtWriteMode,
    slot: &mut Option<V>,
) -> Parsed<()> {
    if mode.contains(bit) { slot.insert(V::default()).parse(p) } else { Ok(()) }
}
