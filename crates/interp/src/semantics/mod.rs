//! The meaning of instructions: a function for each, in a module for each kind.

mod alu;
mod arithmetic;
mod compare;
mod groups;
mod logic;
mod macros;
mod moves;
mod planes;
mod systolic;
mod wide;

use genvisa::Instruction;
use genvisa::analysis::Target;
use genvisa::operand::MinMaxOp;

use crate::context::Context;
use crate::fault::{FaultKind, Result};
use crate::message;
use crate::number::{Mode, Number, Rounding};
use groups::Dot;
use logic::Shift;

use Number::Integer;

/// Executes an instruction that does not change control flow.
pub(crate) fn execute(cx: &mut Context<'_>, instruction: &Instruction) -> Result<()> {
    match instruction {
        Instruction::Add(i) => {
            cx.compute(i.exec, i.pred, &i.dst, [&i.src0, &i.src1], arithmetic::Add)
        }
        Instruction::Add3(i) => {
            let sources = [&i.src0, &i.src1, &i.src2];
            cx.compute(i.exec, i.pred, &i.dst, sources, arithmetic::add3)
        }
        Instruction::Add3o(i) => cx.add3o(i),
        Instruction::Addc(i) => cx.addc(i),
        Instruction::AddrAdd(i) => cx.addr_add(i),
        Instruction::And(i) => {
            cx.bitwise(i.exec, i.pred, &i.dst, [&i.src0, &i.src1], |[a, b, _]| a & b)
        }
        Instruction::Asr(i) => {
            cx.shift(i.exec, i.pred, &i.dst, [&i.src0, &i.src1], Shift::ArithmeticRight)
        }
        Instruction::Avg(i) => {
            cx.compute(i.exec, i.pred, &i.dst, [&i.src0, &i.src1], arithmetic::avg)
        }
        Instruction::Bfe(i) => {
            let sources = [&i.src0, &i.src1, &i.src2];
            let signed = cx.type_of(&i.dst.0)?.is_signed_integer();
            cx.compute(i.exec, i.pred, &i.dst, sources, move |sources: [Number; 3], _: &Mode| {
                let [width, offset, value] = dwords(sources)?;
                Ok(Integer(logic::bfe(width, offset, value, signed).into()))
            })
        }
        Instruction::Bfi(i) => {
            let sources = [&i.src0, &i.src1, &i.src2, &i.src3];
            cx.compute(i.exec, i.pred, &i.dst, sources, |numbers: [Number; 4], _: &Mode| {
                let [width, offset, value, base] = dwords(numbers)?;
                Ok(Integer(logic::bfi(width, offset, value, base).into()))
            })
        }
        Instruction::Bfn(i) => {
            let sources = [&i.src0, &i.src1, &i.src2];
            let function = logic::truth_table(i.boolean_func_ctrl);
            cx.bitwise(i.exec, i.pred, &i.dst, sources, function)
        }
        Instruction::Bfrev(i) => {
            cx.compute(i.exec, i.pred, &i.dst, [&i.src0], |numbers: [Number; 1], _: &Mode| {
                let [value] = dwords(numbers)?;
                Ok(Integer(value.reverse_bits().into()))
            })
        }
        Instruction::Cbit(i) => {
            cx.compute(i.exec, i.pred, &i.dst, [&i.src0], |numbers: [Number; 1], _: &Mode| {
                let [value] = dwords(numbers)?;
                Ok(Integer(value.count_ones().into()))
            })
        }
        Instruction::Cmp(i) => cx.cmp(i),
        Instruction::Cos(i) => {
            cx.compute(i.exec, i.pred, &i.dst, [&i.src0], arithmetic::function(f64::cos))
        }
        Instruction::Div(i) => {
            cx.compute(i.exec, i.pred, &i.dst, [&i.src0, &i.src1], arithmetic::div)
        }
        Instruction::Divm(i) => {
            cx.compute(i.exec, i.pred, &i.dst, [&i.src0, &i.src1], arithmetic::divm)
        }
        Instruction::Dp2(i) => {
            cx.dot_product(i.exec, i.pred, &i.dst, [&i.src0, &i.src1], Dot::First(2))
        }
        Instruction::Dp3(i) => {
            cx.dot_product(i.exec, i.pred, &i.dst, [&i.src0, &i.src1], Dot::First(3))
        }
        Instruction::Dp4(i) => {
            cx.dot_product(i.exec, i.pred, &i.dst, [&i.src0, &i.src1], Dot::First(4))
        }
        Instruction::Dph(i) => {
            cx.dot_product(i.exec, i.pred, &i.dst, [&i.src0, &i.src1], Dot::Homogeneous)
        }
        Instruction::Dp4a(i) => {
            let sources = [&i.src0, &i.src1, &i.src2];
            let signed =
                [cx.type_of(&i.src1)?, cx.type_of(&i.src2)?].map(|ty| ty.is_signed_integer());
            cx.compute(i.exec, i.pred, &i.dst, sources, arithmetic::dp4a(signed))
        }
        Instruction::Dpas(i) => cx.dpas(i),
        Instruction::Exp(i) => {
            cx.compute(i.exec, i.pred, &i.dst, [&i.src0], arithmetic::function(f64::exp2))
        }
        Instruction::Faddr(i) => cx.faddr(i),
        Instruction::Fbh(i) => {
            let signed = cx.type_of(&i.src0)?.is_signed_integer();
            cx.compute(i.exec, i.pred, &i.dst, [&i.src0], move |numbers: [Number; 1], _: &Mode| {
                let [value] = dwords(numbers)?;
                Ok(Integer(logic::fbh(value, signed).into()))
            })
        }
        Instruction::Fbl(i) => {
            cx.compute(i.exec, i.pred, &i.dst, [&i.src0], |numbers: [Number; 1], _: &Mode| {
                let [value] = dwords(numbers)?;
                Ok(Integer(logic::fbl(value).into()))
            })
        }
        Instruction::Fcvt(i) => cx.fcvt(i),
        Instruction::Fminmax(i) => {
            let lanes = cx.unmasked(i.exec);
            let meaning = arithmetic::min_max(i.op == MinMaxOp::MAX);
            cx.compute_lanes(lanes, &i.dst, [&i.src0, &i.src1], meaning)
        }
        Instruction::Frc(i) => cx.compute(i.exec, i.pred, &i.dst, [&i.src0], arithmetic::frc),
        Instruction::Inv(i) => {
            cx.compute(i.exec, i.pred, &i.dst, [&i.src0], arithmetic::function(|x| 1.0 / x))
        }
        Instruction::Invm(i) => cx.invm(i),
        Instruction::Line(i) => cx.line(i),
        Instruction::Log(i) => {
            cx.compute(i.exec, i.pred, &i.dst, [&i.src0], arithmetic::function(f64::log2))
        }
        Instruction::Lrp(i) => {
            let sources = [&i.src0, &i.src1, &i.src2];
            cx.compute(i.exec, i.pred, &i.dst, sources, arithmetic::lrp)
        }
        Instruction::Lzd(i) => cx.compute(i.exec, i.pred, &i.dst, [&i.src0], arithmetic::lzd),
        Instruction::Mad(i) => {
            let sources = [&i.src0, &i.src1, &i.src2];
            cx.compute(i.exec, i.pred, &i.dst, sources, arithmetic::Mad)
        }
        Instruction::Madw(i) => cx.madw(i),
        Instruction::Mod(i) => {
            cx.compute(i.exec, i.pred, &i.dst, [&i.src0, &i.src1], arithmetic::modulo)
        }
        Instruction::Mov(i) => cx.mov(i),
        Instruction::Movs(i) => cx.movs(i),
        Instruction::Mul(i) => {
            cx.compute(i.exec, i.pred, &i.dst, [&i.src0, &i.src1], arithmetic::Mul)
        }
        Instruction::Mulh(i) => {
            cx.compute(i.exec, i.pred, &i.dst, [&i.src0, &i.src1], arithmetic::mulh)
        }
        Instruction::Not(i) => cx.bitwise(i.exec, i.pred, &i.dst, [&i.src0], |[a, ..]| !a),
        Instruction::Or(i) => {
            cx.bitwise(i.exec, i.pred, &i.dst, [&i.src0, &i.src1], |[a, b, _]| a | b)
        }
        Instruction::Plane(i) => cx.plane(i),
        Instruction::Pow(i) => {
            cx.compute(i.exec, i.pred, &i.dst, [&i.src0, &i.src1], arithmetic::pow)
        }
        Instruction::Rndd(i) => round(cx, i.exec, i.pred, &i.dst, &i.src0, Rounding::Down),
        Instruction::Rnde(i) => round(cx, i.exec, i.pred, &i.dst, &i.src0, Rounding::NearestEven),
        Instruction::Rndu(i) => round(cx, i.exec, i.pred, &i.dst, &i.src0, Rounding::Up),
        Instruction::Rndz(i) => round(cx, i.exec, i.pred, &i.dst, &i.src0, Rounding::Zero),
        Instruction::Rol(i) => {
            cx.shift(i.exec, i.pred, &i.dst, [&i.src0, &i.src1], Shift::RotateLeft)
        }
        Instruction::Ror(i) => {
            cx.shift(i.exec, i.pred, &i.dst, [&i.src0, &i.src1], Shift::RotateRight)
        }
        Instruction::Rsqrt(i) => {
            let meaning = arithmetic::function(|x| 1.0 / x.sqrt());
            cx.compute(i.exec, i.pred, &i.dst, [&i.src0], meaning)
        }
        Instruction::Rsqtm(i) => cx.rsqtm(i),
        Instruction::Sad2(i) => {
            cx.absolute_differences(i.exec, i.pred, &i.dst, [&i.src0, &i.src1], None)
        }
        Instruction::Sad2add(i) => {
            let sources = [&i.src0, &i.src1];
            cx.absolute_differences(i.exec, i.pred, &i.dst, sources, Some(&i.src2))
        }
        Instruction::Sel(i) => cx.sel(i),
        Instruction::Setp(i) => cx.setp(i),
        Instruction::Shl(i) => cx.shift(i.exec, i.pred, &i.dst, [&i.src0, &i.src1], Shift::Left),
        Instruction::Shr(i) => cx.shift(i.exec, i.pred, &i.dst, [&i.src0, &i.src1], Shift::Right),
        Instruction::Sigm(i) => {
            let meaning = arithmetic::function(|x| 1.0 / (1.0 + (-x).exp()));
            cx.compute(i.exec, i.pred, &i.dst, [&i.src0], meaning)
        }
        Instruction::Sin(i) => {
            cx.compute(i.exec, i.pred, &i.dst, [&i.src0], arithmetic::function(f64::sin))
        }
        Instruction::Sqrt(i) => {
            cx.compute(i.exec, i.pred, &i.dst, [&i.src0], arithmetic::function(f64::sqrt))
        }
        Instruction::Sqrtm(i) => cx.compute(i.exec, i.pred, &i.dst, [&i.src0], arithmetic::sqrtm),
        Instruction::Srnd(i) => cx.srnd(i),
        Instruction::Subb(i) => cx.subb(i),
        Instruction::Tanh(i) => {
            cx.compute(i.exec, i.pred, &i.dst, [&i.src0], arithmetic::function(f64::tanh))
        }
        Instruction::Xor(i) => {
            cx.bitwise(i.exec, i.pred, &i.dst, [&i.src0, &i.src1], |[a, b, _]| a ^ b)
        }
        _ => match message::execute(cx, instruction)? {
            true => Ok(()),
            false => {
                let name = instruction.mnemonic();
                let what = match Target::of(instruction) {
                    Some(sfid @ Target::SharedFunction(_)) => {
                        format!("instruction {name} to {sfid}")
                    }
                    _ => format!("instruction {name}"),
                };
                Err(FaultKind::InstructionNotModelled(what).into())
            }
        },
    }
}

fn round(
    cx: &mut Context<'_>,
    exec: genvisa::operand::Exec,
    pred: genvisa::operand::Pred,
    dst: &genvisa::operand::Dst,
    source: &genvisa::operand::Vector,
    rounding: Rounding,
) -> Result<()> {
    cx.compute(exec, pred, dst, [source], arithmetic::round(rounding))
}

/// Returns integers as dwords.
fn dwords<const N: usize>(numbers: [Number; N]) -> std::result::Result<[u32; N], FaultKind> {
    let mut dwords = [0; N];
    for (dword, number) in dwords.iter_mut().zip(numbers) {
        *dword = number.integer()? as u32;
    }
    Ok(dwords)
}
