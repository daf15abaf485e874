//! Arithmetic, logic, moves and comparisons.

use genvisa::Version;
use genvisa::isa::*;
use genvisa::operand::{AddrWidth, ExecMask, ExecSize, MinMaxOp, RelOp, Vector};

use super::fixture::*;

pub fn rows(_: Version) -> Vec<Row> {
    let mut rows = regular();
    rows.extend(other_layouts());
    rows
}

/// Instructions that differ only in their names.
fn regular() -> Vec<Row> {
    let mut rows = Vec::new();
    let (exec, pred) = (exec(ExecMask::M1, ExecSize::S8), when(P1));
    let dst = dst(32, 0, 1);
    let (src0, src1) = (src(33, 1, 2), src(34, 2, 3));
    let (src2, src3) = (src(35, 3, 4), src(36, 4, 5));
    macro_rules! same_text {
        ($fields:tt $text:literal: $($name:ident $mnemonic:literal)*) => {
            $(rows.push(Row::new($name $fields, format!($text, $mnemonic)));)*
        };
    }
    same_text! {
        { exec, pred, dst, src0 }
        "(P1) {} (M1, 8) V32(0,1)<1> V33(1,2)<8;8,1>":
        Exp "exp" Frc "frc" Log "log" Rndd "rndd" Rndu "rndu" Rnde "rnde" Rndz "rndz" Sin "sin"
        Cos "cos" Sqrt "sqrt" Rsqrt "rsqrt" Inv "inv" Lzd "lzd" Not "not" Cbit "cbit" Mov "mov"
        Fbl "fbl" Fbh "fbh" Bfrev "bfrev" Sqrtm "sqrtm"
    }
    same_text! {
        { exec, pred, dst, src0, src1 }
        "(P1) {} (M1, 8) V32(0,1)<1> V33(1,2)<8;8,1> V34(2,3)<8;8,1>":
        Add "add" Avg "avg" Div "div" Dp2 "dp2" Dp3 "dp3" Dp4 "dp4" Dph "dph" Line "line"
        Mulh "mulh" Mod "mod" Mul "mul" Pow "pow" Sad2 "sad2" And "and" Or "or" Xor "xor" Shl "shl"
        Shr "shr" Asr "asr" Sel "sel" Plane "plane" Divm "divm" Rol "rol" Ror "ror"
    }
    same_text! {
        { exec, pred, dst, src0, src1, src2 }
        "(P1) {} (M1, 8) V32(0,1)<1> V33(1,2)<8;8,1> V34(2,3)<8;8,1> V35(3,4)<8;8,1>":
        Mad "mad" Lrp "lrp" Sad2add "sad2add" Bfe "bfe" Dp4a "dp4a" Add3 "add3" Madw "madw"
        Add3o "add3.o"
    }
    same_text! {
        { exec, pred, dst, src0, src1, src2, src3 }
        "(P1) {} (M1, 8) V32(0,1)<1> V33(1,2)<8;8,1> V34(2,3)<8;8,1> V35(3,4)<8;8,1> \
         V36(4,5)<8;8,1>":
        Bfi "bfi"
    }
    rows
}

/// Instructions with a layout of their own.
fn other_layouts() -> Vec<Row> {
    let exec = exec(ExecMask::M3, ExecSize::S4);
    let pred = when(P2);
    let p3 = Vector::predicate(when(P3));
    let t7 = Vector::surface(T7, 2);
    rows![
        Fcvt { exec, dst: dst(32, 0, 1), src0: src(33, 1, 2) }
            => "fcvt (M3, 4) V32(0,1)<1> V33(1,2)<8;8,1>",
        Srnd { exec, dst: dst(32, 0, 1), src0: src(33, 1, 2), src1: src(34, 2, 3) }
            => "srnd (M3, 4) V32(0,1)<1> V33(1,2)<8;8,1> V34(2,3)<8;8,1>",
        Addc { exec, pred, dst: dst(32, 0, 1), carry: dst(33, 1, 2), src0: src(34, 2, 3),
               src1: src(35, 3, 4) }
            => "(P2) addc (M3, 4) V32(0,1)<1> V33(1,2)<1> V34(2,3)<8;8,1> V35(3,4)<8;8,1>",
        Subb { exec, pred, dst: dst(32, 0, 1), borrow: dst(33, 1, 2), src0: src(34, 2, 3),
               src1: src(35, 3, 4) }
            => "(P2) subb (M3, 4) V32(0,1)<1> V33(1,2)<1> V34(2,3)<8;8,1> V35(3,4)<8;8,1>",
        Bfn { exec, pred, dst: dst(32, 0, 1), src0: src(33, 1, 2), src1: src(34, 2, 3),
              src2: src(35, 3, 4), boolean_func_ctrl: 0xd8 }
            => "(P2) bfn.xd8 (M3, 4) V32(0,1)<1> V33(1,2)<8;8,1> V34(2,3)<8;8,1> V35(3,4)<8;8,1>",
        Fminmax { exec, op: MinMaxOp::MIN, dst: dst(32, 0, 1), src0: src(33, 1, 2),
                  src1: src(34, 2, 3) }
            => "min (M3, 4) V32(0,1)<1> V33(1,2)<8;8,1> V34(2,3)<8;8,1>",
        Fminmax { exec, op: MinMaxOp::MAX, dst: dst(32, 0, 1), src0: src(33, 1, 2),
                  src1: src(34, 2, 3) }
            => "max (M3, 4) V32(0,1)<1> V33(1,2)<8;8,1> V34(2,3)<8;8,1>",
        Cmp { exec, rel_op: RelOp::GT.into(), dst: p3.into(), src0: src(33, 1, 2),
              src1: src(34, 2, 3) }
            => "cmp.gt (M3, 4) P3 V33(1,2)<8;8,1> V34(2,3)<8;8,1>",
        Cmp { exec, rel_op: RelOp::LE.into(), dst: dst(32, 0, 1).0.into(), src0: src(33, 1, 2),
              src1: src(34, 2, 3) }
            => "cmp.le (M3, 4) V32(0,1)<1> V33(1,2)<8;8,1> V34(2,3)<8;8,1>",
        Setp { exec, dst: p3.into(), src0: src(33, 1, 2) }
            => "setp (M3, 4) P3 V33(1,2)<8;8,1>",
        Movs { exec, dst: t7.into(), src0: src(33, 1, 2) }
            => "movs (M3, 4) T7(2) V33(1,2)<8;8,1>",
        AddrAdd { exec, dst: Vector::address(A1, 3, AddrWidth::W4).into(),
                  src0: scalar(33, 1, 2).into(), src1: src(34, 2, 3) }
            => "addr_add (M3, 4) A1(3)<4> &V33[40] V34(2,3)<8;8,1>",
    ]
}
