//! Cases for the rules of arithmetic, logic, moves and comparisons.

use genvisa::Platform;
use genvisa::object::Code;
use genvisa::operand::{
    AddrId, AddrWidth, Imm, MinMaxOp, Modifier, Pred, PredId, Region, RelOp, Stride, Vector,
    VectorKind,
};
use genvisa::{Instruction, Module};

use super::{Case, case, case_4_2};

/// Adds the regions to an instruction such as `add (M1, 8) ud_8 ud_8 ud_8`.
fn with_regions(text: &str) -> String {
    let mut words = Vec::new();
    let is_pair = ["addc", "subb"].iter().any(|name| text.starts_with(name));
    let (mut lanes, mut destinations) = (None, if is_pair { 2 } else { 1 });
    for word in text.split_whitespace() {
        let name = word.rsplit(')').next().unwrap_or_default();
        let is_operand = lanes.is_some();
        if !is_operand {
            lanes = word.strip_suffix(')').and_then(|lanes| lanes.parse::<u32>().ok());
        }
        let is_variable = name.split_once('_').is_some_and(|(ty, elements)| {
            !["flag", "addr"].contains(&ty) && elements.parse::<u32>().is_ok()
        });
        let region = match lanes {
            Some(_) if destinations > 0 => "<1>".into(),
            Some(1) => "<0;1,0>".into(),
            Some(lanes) => format!("<{0};{0},1>", lanes.min(16)),
            None => String::new(),
        };
        if is_operand && is_variable && !word.starts_with('&') {
            words.push(format!("{word}(0,0){region}"));
        } else {
            words.push(word.into());
        }
        destinations -= usize::from(is_operand && destinations > 0);
    }
    words.join(" ")
}

/// Returns a case in text without regions.
fn in_text(rule: &'static str, violating: &str, legal: &str) -> Case {
    case(rule, with_regions(violating).as_str(), with_regions(legal).as_str())
}

/// Returns a case in text of 4.2 without regions.
fn in_4_2(rule: &'static str, violating: &str, legal: &str) -> Case {
    case_4_2(rule, with_regions(violating).as_str(), with_regions(legal).as_str())
}

/// Returns a case that text cannot express: a module that satisfies the rule, and the change that
/// breaks it.
fn changed(rule: &'static str, legal: &str, change: fn(&mut Module<'static>)) -> Case {
    case(rule, (with_regions(legal).as_str(), change), with_regions(legal).as_str())
}

/// Changes the only instruction.
fn edit(module: &mut Module<'static>, change: impl Fn(&mut Instruction)) {
    let format = module.format;
    let code = &mut module.kernels[0].body.code;
    let mut instructions = code.instructions(format);
    let mut instruction = Instruction::default();
    instructions.next_into(&mut instruction).expect("an instruction").expect("an instruction");
    change(&mut instruction);
    *code = Code::from_instructions([&instruction], format).expect("encodable");
}

fn edit_dst(module: &mut Module<'static>, change: impl Fn(&mut Vector)) {
    edit(module, |instruction| {
        if let Instruction::Add(i) = instruction {
            change(&mut i.dst.0);
        }
    });
}

pub fn cases() -> Vec<Case> {
    let mut cases = operand_sets();
    cases.extend(types());
    cases.extend(logic());
    cases.extend(moves());
    cases.extend(sad_and_carry());
    cases.extend(compare());
    cases.extend(availability());
    cases.extend(newer());
    cases
}

/// Cases in 4.2.
fn newer() -> Vec<Case> {
    use Platform::{Mtl, PvcSdv, PvcXt, Xe2, Xe3, Xe3p, Xe3pCri};
    vec![
        in_4_2("mov-fp8", "mov (M1, 16) bf8_16 f_16", "mov (M1, 16) bf8_16 hf_16").on(PvcSdv),
        in_4_2("mov-fp8", "mov (M1, 16) hf8_16 bf8_16", "mov (M1, 16) hf8_16 hf8_16"),
        in_4_2("mov-fp8", "mov (M1, 16) tf32_16 bf8_16", "mov.sat (M1, 16) hf8_16 hf_16"),
        in_4_2("mov-fp8", "mov (M1, 16) bf8_16 (-)bf8_16", "(flag_16) mov (M1, 16) bf8_16 bf8_16"),
        in_4_2("mov-tf32", "mov (M1, 16) tf32_16 ud_16", "mov (M1, 16) tf32_16 f_16").on(PvcXt),
        in_4_2("mov-e2m1", "mov (M1, 16) e2m1_16 hf_16", "mov (M1, 16) e2m1_16 e2m1_16"),
        in_4_2("mov-newer-platform", "mov (M1, 16) f_16 tf32_16", "mov (M1, 16) bf8_16 hf_16")
            .on(PvcSdv),
        in_4_2("mov-newer-platform", "mov (M1, 16) hf_16 hf8_16", "mov (M1, 16) hf8_16 hf8_16")
            .on(Xe2),
        in_4_2(
            "mov-newer-modifier",
            "(flag_16) mov (M1, 16) hf8_16 hf_16",
            "mov.sat (M1, 16) hf8_16 hf_16",
        )
        .on(Xe3),
        in_4_2("mov-newer-modifier", "mov (M1, 16) hf_16 (-)bf8_16", "mov (M1, 16) hf_16 bf8_16"),
        in_4_2(
            "mov-newer-modifier",
            "mov.sat (M1, 16) tf32_16 f_16",
            "mov.sat (M1, 16) f_16 (-)tf32_16",
        ),
        in_4_2("float-agree", "dp4 (M1, 16) f_16 f_16 tf32_16", "dp4 (M1, 16) f_16 f_16 f_16"),
        in_4_2("dst-type", "frc (M1, 16) tf32_16 f_16", "frc (M1, 16) f_16 f_16"),
        in_4_2("int-src", "line (M1, 16) ud_16 ud_16 hf8_16", "mul (M1, 16) f_16 f_16 f_16"),
        in_4_2("logic-type", "and (M1, 16) ud_16 ud_16 e2m1_16", "and (M1, 16) ud_16 ud_16 ud_16"),
        in_4_2(
            "cmp-newer-type",
            "cmp.eq (M1, 16) flag_16 tf32_16 tf32_16",
            "mov (M1, 16) f_16 f_16",
        ),
        in_4_2("fcvt-types", "fcvt (M1_NM, 16) bf8_16 hf_16", "fcvt (M1_NM, 16) ub_16 hf_16"),
        in_4_2("fcvt-types", "fcvt (M1, 16) f_16 ud_16", "fcvt (M1, 16) ud_16 f_16").on(PvcXt),
        in_4_2(
            "srnd-types",
            "srnd (M1_NM, 16) hf8_16 hf_16 ub_16",
            "srnd (M1_NM, 16) b_16 bf_16 ub_16",
        )
        .on(Xe3p),
        in_4_2(
            "srnd-types",
            "srnd (M1_NM, 16) b_16 hf_16 ub_16",
            "srnd (M1_NM, 16) ub_16 hf_16 ub_16",
        )
        .on(Xe3),
        in_4_2(
            "srnd-types",
            "srnd (M1_NM, 16) bf_16 f_16 ub_16",
            "srnd.sat (M1_NM, 16) ub_16 bf_16 ub_16",
        ),
        in_4_2(
            "srnd-random-type",
            "srnd (M1_NM, 16) b_16 bf_16 df_16",
            "srnd (M1_NM, 16) b_16 bf_16 ub_16",
        )
        .on(Xe3pCri),
        in_4_2("fcvt-hf8-platform", "fcvt (M1_NM, 16) b_16 hf_16", "fcvt (M1_NM, 16) ub_16 hf_16")
            .on(Xe2),
        in_4_2("fcvt-hf8-platform", "fcvt (M1, 16) hf_16 b_16", "fcvt (M1, 16) hf_16 ub_16")
            .on(PvcSdv),
        in_4_2("bf-platform", "add (M1, 16) bf_16 bf_16 f_16", "mov (M1, 16) bf_16 d_16").on(Mtl),
        in_4_2("bf-math", "cos (M1, 16) bf_16 f_16", "cos (M1, 16) bf_16 bf_16").on(Xe3pCri),
        in_4_2("bf-math", "tanh (M1, 16) f_16 bf_16", "min (M1, 16) f_16 bf_16 bf_16").on(Xe3p),
        in_4_2("bf-instruction", "cos (M1, 16) bf_16 bf_16", "add (M1, 16) bf_16 bf_16 f_16")
            .on(Xe3),
        in_4_2(
            "bf-instruction",
            "add (M1, 16) bf_16 bf_16 hf_16",
            "pow (M1, 16) bf_16 bf_16 bf_16",
        )
        .on(Xe3p),
        in_4_2("opcode-platform", "tanh (M1, 16) f_16 f_16", "cos (M1, 16) f_16 f_16").on(Xe3),
        case_4_2(
            "early-out-class",
            "invm (M1, 8) f_8(0,0)<1> d_8(0,0)<1> f_8(0,0)<8;8,1> f_8(0,0)<8;8,1>",
            "invm (M1, 8) f_8(0,0)<1> flag_8 f_8(0,0)<8;8,1> f_8(0,0)<8;8,1>",
        )
        .on(Xe2),
        case_4_2(
            "early-out-predicate",
            "(flag_8) invm (M1, 8) f_8(0,0)<1> flag_8 f_8(0,0)<8;8,1> f_8(0,0)<8;8,1>",
            "invm (M1, 8) f_8(0,0)<1> flag_8 f_8(0,0)<8;8,1> f_8(0,0)<8;8,1>",
        )
        .on(Xe2),
        case_4_2(
            "early-out-predicate",
            "(flag_8) rsqtm (M1, 8) f_8(0,0)<1> flag_8 f_8(0,0)<8;8,1>",
            "rsqtm (M1, 8) f_8(0,0)<1> flag_8 f_8(0,0)<8;8,1>",
        )
        .on(Xe2),
        case_4_2(
            "ieee-platform",
            "rsqtm (M1, 8) f_8(0,0)<1> flag_8 f_8(0,0)<8;8,1>",
            "sqrt (M1, 8) f_8(0,0)<1> f_8(0,0)<8;8,1>",
        )
        .on(Mtl),
        case_4_2(
            "dst-type",
            "rsqtm (M1, 8) d_8(0,0)<1> flag_8 f_8(0,0)<8;8,1>",
            "rsqtm (M1, 8) df_8(0,0)<1> flag_8 df_8(0,0)<8;8,1>",
        )
        .on(PvcSdv),
        case_4_2(
            "float-agree",
            "rsqtm (M1, 8) df_8(0,0)<1> flag_8 f_8(0,0)<8;8,1>",
            "rsqtm (M1, 8) df_8(0,0)<1> flag_8 (-)df_8(0,0)<8;8,1>",
        )
        .on(PvcSdv),
    ]
}

fn operand_sets() -> Vec<Case> {
    vec![
        changed("dst-class", "add (M1, 8) ud_8 ud_8 ud_8", |m| {
            edit_dst(m, |dst| {
                let pred = Pred::new(PredId(2)).expect("a small id");
                dst.kind = VectorKind::Predicate(pred);
            });
        }),
        in_text("src-class", "add (M1, 8) ud_8 ud_8 flag_8", "add (M1, 8) ud_8 ud_8 0x1:ud"),
        in_text("src-class", "srnd (M1_NM, 8) hf_8 f_8 flag_8", "srnd (M1_NM, 8) hf_8 f_8 0x1:uw"),
        in_text("listed-class", "plane (M1, 8) f_8 f_8 0x3f800000:f", "plane (M1, 8) f_8 f_8 f_8"),
        in_text("listed-class", "mov (M1, 1) addr_1(0)<1> uw_1", "mov (M1_NM, 1) uw_1 flag_8"),
        changed("dst-modifier", "add (M1, 8) ud_8 ud_8 ud_8", |m| {
            edit_dst(m, |dst| dst.modifier = Modifier::NEG);
        }),
        changed("src-modifier", "add (M1, 8) ud_8 ud_8 ud_8", |m| {
            edit(m, |instruction| {
                if let Instruction::Add(i) = instruction {
                    i.src0.modifier = Modifier::SAT;
                }
            });
        }),
        in_text("src-modifier", "fcvt (M1_NM, 8) ub_8 (-)hf_8", "fcvt (M1_NM, 8) ub_8 hf_8"),
        in_text("listed-modifier", "lzd (M1, 8) ud_8 (-)ud_8", "frc (M1, 8) f_8 (-)f_8"),
        in_text("lost-modifier", "rol (M1, 8) ud_8 (-)ud_8 ud_8", "shl (M1, 8) ud_8 (-)ud_8 ud_8"),
        in_text("lost-modifier", "rol (M1, 8) ud_8 ud_8 (~)ud_8", "rol (M1, 8) ud_8 ud_8 ud_8"),
        in_text("lost-modifier", "bfrev (M1, 8) ud_8 (~)ud_8", "not (M1, 8) ud_8 (~)ud_8"),
        in_text(
            "lost-modifier",
            "shl (M1, 8) ud_8 (~)ud_8 ud_8",
            "shl (M1, 8) ud_8 (-abs)ud_8 ud_8",
        ),
        in_text(
            "lost-modifier",
            "dp4a (M1, 8) d_8 d_8 (abs)d_8 d_8",
            "mad (M1, 8) d_8 d_8 (abs)d_8 d_8",
        ),
        in_text(
            "lost-saturation",
            "and.sat (M1, 8) ud_8 ud_8 ud_8",
            "shl.sat (M1, 8) ud_8 ud_8 ud_8",
        ),
        in_text("lost-saturation", "bfrev.sat (M1, 8) ud_8 ud_8", "mov.sat (M1, 8) ud_8 ud_8"),
        in_text("mul-saturation", "mul.sat (M1, 8) d_8 d_8 d_8", "mul.sat (M1, 8) f_8 f_8 f_8")
            .on(Platform::Dg2),
        in_text("mul-saturation", "mul.sat (M1, 8) w_8 d_8 ud_8", "mul.sat (M1, 8) f_8 f_8 f_8")
            .on(Platform::Tgllp),
        in_text(
            "mad-saturation",
            "mad.sat (M1, 8) d_8 d_8 d_8 d_8",
            "mad.sat (M1, 8) f_8 f_8 f_8 f_8",
        ),
        in_text("saturation", "frc.sat (M1, 8) f_8 f_8", "rndd.sat (M1, 8) f_8 f_8"),
        in_text("saturation", "div.sat (M1, 8) d_8 d_8 d_8", "div.sat (M1, 8) df_8 df_8 df_8"),
        in_text("saturation", "div.sat (M1, 8) df_8 df_8 df_8", "div.sat (M1, 8) hf_8 hf_8 hf_8")
            .on(Platform::Skl),
        in_text(
            "saturation",
            "bfn.xd8.sat (M1, 8) ud_8 ud_8 ud_8 ud_8",
            "bfn.xd8 (M1, 8) ud_8 ud_8 ud_8 ud_8",
        ),
        in_text("saturation", "cmp.lt.sat (M1, 8) f_8 f_8 f_8", "cmp.lt (M1, 8) f_8 f_8 f_8"),
        in_text("vf-platform", "add (M1, 8) f_8 f_8 0x1:vf", "mul (M1, 8) f_8 f_8 0x1:f")
            .on(Platform::Xe2),
        in_text("vf-platform", "sqrt (M1, 8) f_8 0x1:vf", "mov (M1, 8) f_8 0x1:vf")
            .on(Platform::Xe2),
        in_text("saturation", "fcvt.sat (M1_NM, 8) ub_8 hf_8", "fcvt (M1_NM, 8) ub_8 hf_8")
            .on(Platform::PvcSdv),
        in_text("listed-saturation", "asr.sat (M1, 8) d_8 d_8 d_8", "shl.sat (M1, 8) d_8 d_8 d_8"),
        in_text("plane-exec-size", "plane (M1, 4) f_8 f_8 f_8", "plane (M1, 16) f_16 f_16 f_32"),
        in_text("listed-exec-size", "bfe (M1, 2) d_8 d_8 d_8 d_8", "bfe (M1, 4) d_8 d_8 d_8 d_8"),
        in_text(
            "listed-exec-size",
            "madw (M1, 32) d_128 d_32 d_32 d_32",
            "madw (M1, 16) d_128 d_32 d_32 d_32",
        ),
        in_text(
            "predicate-needed",
            "sel (M1, 8) ud_8 ud_8 ud_8",
            "(flag_8) sel (M1, 8) ud_8 ud_8 ud_8",
        ),
        in_text(
            "add3o-predicate",
            "add3.o (M1, 8) ud_8 ud_8 ud_8 ud_8",
            "(flag_8) add3.o (M1, 8) ud_8 ud_8 ud_8 ud_8",
        ),
    ]
}

fn types() -> Vec<Case> {
    vec![
        in_text("dst-type", "exp (M1, 8) d_8 f_8", "exp (M1, 8) hf_8 hf_8"),
        in_text("dst-type", "lzd (M1, 8) d_8 ud_8", "lzd (M1, 8) ud_8 ud_8"),
        in_text("dst-type", "avg (M1, 8) q_8 d_8 d_8", "avg (M1, 8) d_8 d_8 d_8"),
        in_text("dst-type", "cbit (M1, 8) uq_8 ud_8", "cbit (M1, 8) ud_8 ub_8"),
        in_text("src-type", "mul (M1, 8) q_8 q_8 d_8", "mul (M1, 8) q_8 d_8 d_8"),
        in_text("src-type", "addc (M1, 8) ud_8 ud_8 uw_8 ud_8", "addc (M1, 8) ud_8 ud_8 ud_8 ud_8"),
        in_text("src-type", "rol (M1, 8) ud_8 ub_8 ud_8", "rol (M1, 8) ud_8 uw_8 ud_8"),
        in_text("src-type", "dp4a (M1, 8) d_8 d_8 d_8 w_8", "dp4a (M1, 8) d_8 d_8 d_8 ud_8"),
        in_text("listed-type", "mulh (M1, 8) d_8 w_8 d_8", "mulh (M1, 8) d_8 d_8 0x1:v"),
        in_text("listed-type", "setp (M1, 8) flag_8 w_8", "setp (M1, 8) flag_8 uw_8"),
        in_text("listed-type", "sqrt (M1, 8) d_8 d_8", "sqrt (M1, 8) f_8 f_8"),
        in_text("listed-type", "fbh (M1, 8) ud_8 w_8", "fbh (M1, 8) ud_8 d_8"),
        in_text("float-agree", "add (M1, 8) f_8 d_8 f_8", "add (M1, 8) f_8 f_8 0x0:vf"),
        in_text("float-agree", "mul (M1, 8) d_8 f_8 d_8", "mul (M1, 8) hf_8 f_8 hf_8"),
        in_text("int-src", "add (M1, 8) ud_8 ud_8 0x0:vf", "add (M1, 8) ud_8 ud_8 0x0:v"),
        in_text("float-mix", "add (M1, 8) f_8 hf_8 f_8", "mul (M1, 8) f_8 hf_8 f_8"),
        in_text(
            "sel-type",
            "(flag_8) sel (M1, 8) f_8 d_8 f_8",
            "(flag_8) sel (M1, 8) hf_8 f_8 hf_8",
        ),
        in_text("same-type", "mulh (M1, 8) d_8 ud_8 d_8", "mulh (M1, 8) d_8 d_8 d_8"),
        in_text("same-type", "bfe (M1, 8) d_8 ud_8 d_8 d_8", "bfe (M1, 8) ud_8 ud_8 ud_8 ud_8"),
        in_text("df-opcode", "rsqrt (M1, 8) df_8 df_8", "inv (M1, 8) df_8 df_8"),
        in_text("ieee-platform", "inv (M1, 8) df_8 df_8", "inv (M1, 8) f_8 f_8")
            .on(Platform::Icllp),
        in_text("ieee-platform", "sqrtm (M1, 8) f_8 f_8", "mul (M1, 8) df_8 df_8 df_8")
            .on(Platform::Dg2),
        in_text("int-div-platform", "div (M1, 8) d_8 d_8 d_8", "div (M1, 8) f_8 f_8 f_8")
            .on(Platform::XeHpSdv),
        in_text("int-div-platform", "mod (M1, 8) d_8 d_8 d_8", "div (M1, 8) f_8 f_8 f_8")
            .on(Platform::Xe2),
        in_text("int64-platform", "shl (M1, 8) q_8 q_8 d_8", "asr (M1, 8) q_8 q_8 d_8")
            .on(Platform::Icllp),
        in_text("int64-platform", "mul (M1, 8) uq_8 d_8 d_8", "add (M1, 8) uq_8 uq_8 d_8")
            .on(Platform::Arl),
        in_text("bf-platform", "mov (M1, 8) bf_8 f_8", "mov (M1, 8) hf_8 f_8").on(Platform::Mtl),
        in_text("bf-platform", "add (M1, 8) f_8 bf_8 f_8", "add (M1, 8) f_8 f_8 f_8")
            .on(Platform::Tgllp),
        in_text("bf-instruction", "frc (M1, 8) bf_8 bf_8", "mul (M1, 8) bf_8 f_8 bf_8")
            .on(Platform::XeHpSdv),
        in_text(
            "bf-instruction",
            "mad (M1, 8) bf_8 bf_8 d_8 f_8",
            "mad (M1, 8) bf_8 bf_8 bf_8 f_8",
        ),
        in_text("bf-instruction", "cos (M1, 8) bf_8 bf_8", "cos (M1, 8) hf_8 hf_8")
            .on(Platform::Xe3),
        in_text("bf-instruction", "mov (M1, 8) bf_8 d_8", "mov (M1, 8) bf_8 f_8")
            .on(Platform::PvcSdv),
    ]
}

fn logic() -> Vec<Case> {
    vec![
        in_text("logic-type", "and (M1, 8) d_8 f_8 d_8", "and (M1, 8) d_8 ub_8 0x1:v"),
        in_text(
            "logic-bool-mix",
            "and (M1, 8) flag_8 flag_8 ud_8",
            "and (M1, 8) flag_8 flag_8 flag_8",
        ),
        in_text(
            "logic-bool-predicate",
            "(flag_8) xor (M1, 8) flag_8 flag_8 flag_8",
            "(flag_8) xor (M1, 8) ud_8 ud_8 ud_8",
        ),
        in_text("shift-type", "shr (M1, 8) ud_8 d_8 ud_8", "shr (M1, 8) ud_8 ud_8 d_8"),
        in_text("shift-int64-platform", "shl (M1, 8) q_8 d_8 ud_8", "shl (M1, 8) d_8 d_8 ud_8")
            .on(Platform::Dg2),
        in_text("shift-int64-platform", "shr (M1, 8) uq_8 uq_8 ud_8", "asr (M1, 8) q_8 q_8 ud_8")
            .on(Platform::Mtl),
        in_text(
            "rotate-int64-platform",
            "rol (M1, 8) uq_8 uq_8 uq_8",
            "ror (M1, 8) ud_8 ud_8 ud_8",
        )
        .on(Platform::Dg2),
    ]
}

fn moves() -> Vec<Case> {
    vec![
        in_text("flag-mov-mask", "mov (M1, 1) uw_1 flag_8", "mov (M1_NM, 1) uw_1 flag_8"),
        in_text("flag-mov-mask", "mov (M5_NM, 1) uw_1 flag_8", "mov (M5_NM, 1) uw_1 uw_1"),
        in_text("flag-mov-exec", "mov (M1_NM, 8) uw_8 flag_8", "mov (M1_NM, 1) uw_1 flag_8"),
        in_text("flag-mov-type", "mov (M1_NM, 1) f_1 flag_8", "mov (M1_NM, 1) ud_1 flag_32"),
        in_text("flag-mov-type", "mov (M1_NM, 1) uq_1 flag_8", "mov (M1_NM, 1) ud_1 flag_8"),
        in_text("flag-mov-dst", "mov (M1_NM, 1) ub_1 flag_16", "mov (M1_NM, 1) uw_1 flag_16"),
        in_text("flag-mov-dst", "mov (M1_NM, 1) w_1 flag_8", "mov (M1_NM, 1) ub_1 flag_8"),
        in_text("flag-mov-sat", "mov.sat (M1_NM, 1) uw_1 flag_8", "mov.sat (M1_NM, 1) uw_1 uw_1"),
        in_text(
            "flag-mov-pred",
            "(flag_1) mov (M1_NM, 1) uw_1 flag_8",
            "(flag_1) mov (M1_NM, 1) uw_1 uw_1",
        ),
        in_text("setp-mask", "setp (M1, 8) flag_8 0x1:uw", "setp (M1_NM, 8) flag_8 0x1:uw"),
        in_text("setp-mask", "setp (M3_NM, 8) flag_16 0x1:uw", "setp (M5_NM, 16) flag_32 0x1:uw"),
        in_text("movs-state", "movs (M1_NM, 1) ud_1 ud_1", "movs (M1_NM, 1) T6(0) ud_1"),
        in_text("movs-storage", "movs (M1_NM, 1) T6(0) S0(0)", "movs (M1_NM, 1) T6(0) T7(0)"),
        changed("min-max-op", "min (M1, 8) ud_8 ud_8 ud_8", |m| {
            edit(m, |instruction| {
                if let Instruction::Fminmax(i) = instruction {
                    i.op = MinMaxOp::from_bits(2).expect("a small code");
                }
            });
        }),
        in_text("fcvt-types", "fcvt (M1_NM, 8) ub_8 f_8", "fcvt (M1, 8) hf_8 ub_8"),
        in_text("fcvt-hf8-platform", "fcvt (M1_NM, 8) b_8 hf_8", "fcvt (M1_NM, 8) ub_8 hf_8")
            .on(Platform::PvcSdv),
        in_text("fcvt-tf32-platform", "fcvt (M1, 8) ud_8 f_8", "fcvt (M1, 8) hf_8 ub_8")
            .on(Platform::PvcSdv),
        in_text("fcvt-no-mask", "fcvt (M1, 8) ub_8 hf_8", "fcvt (M1_NM, 8) ub_8 hf_8"),
    ]
}

fn sad_and_carry() -> Vec<Case> {
    vec![
        in_text("sad-platform", "sad2 (M1, 8) uw_8 ub_8 ub_8", "avg (M1, 8) uw_8 ub_8 ub_8")
            .on(Platform::Tgllp),
        in_text("sad-types", "sad2 (M1, 8) uw_8 uw_8 ub_8", "sad2 (M1, 8) uw_8 b_8 ub_8"),
        in_text("sad-types", "sad2 (M1, 8) ud_8 ub_8 ub_8", "sad2 (M1, 8) w_8 ub_8 ub_8"),
        in_text("sad-types", "sad2 (M1, 8) uw_8 ub_8 0x100:w", "sad2 (M1, 8) uw_8 ub_8 0xff:w"),
        in_text(
            "sad-types",
            "sad2add (M1, 8) uw_8 ub_8 ub_8 ub_8",
            "sad2add (M1, 8) uw_8 ub_8 ub_8 0xffff:ud",
        ),
        changed("carry-class", "addc (M1, 8) ud_8 ud_8 ud_8 ud_8", |m| {
            edit(m, |instruction| {
                if let Instruction::Addc(i) = instruction {
                    i.carry.0.kind =
                        VectorKind::Address { addr: AddrId(1), offset: 0, width: AddrWidth::W8 };
                }
            });
        }),
        in_4_2("carry-bf", "addc (M1, 8) ud_8 bf_8 ud_8 ud_8", "addc (M1, 8) ud_8 ud_8 ud_8 ud_8"),
        in_text(
            "carry-type",
            "subb (M1, 8) ud_8 uw_8 ud_8 ud_8",
            "subb (M1, 8) ud_8 ud_8 ud_8 ud_8",
        ),
        in_text("line-src0", "line (M1, 8) f_8 0x0:f f_8", "line (M1, 8) f_8 f_8 0x0:f"),
        in_text("srnd-types", "srnd (M1_NM, 8) hf_8 hf_8 uw_8", "srnd (M1_NM, 8) hf_8 f_8 uw_8"),
        in_text(
            "srnd-random-type",
            "srnd (M1_NM, 8) hf_8 f_8 d_8",
            "srnd (M1_NM, 8) ub_8 hf_8 ub_8",
        ),
        in_text(
            "srnd-random-listed",
            "srnd (M1_NM, 8) hf_8 f_8 f_8",
            "srnd (M1_NM, 8) hf_8 f_8 uw_8",
        ),
        in_text("srnd-no-mask", "srnd (M1, 8) hf_8 f_8 uw_8", "srnd (M3_NM, 8) hf_8 f_8 uw_8"),
    ]
}

fn compare() -> Vec<Case> {
    vec![
        changed("cmp-relation", "cmp.lt (M1, 8) flag_8 ud_8 ud_8", |m| {
            edit(m, |instruction| {
                if let Instruction::Cmp(i) = instruction {
                    i.rel_op = RelOp::from_bits(6).expect("three bits").into();
                }
            });
        }),
        in_text(
            "cmp-source-types",
            "cmp.lt (M1, 8) flag_8 f_8 d_8",
            "cmp.lt (M1, 8) flag_8 f_8 hf_8",
        ),
        in_text("cmp-float-agree", "cmp.lt (M1, 8) d_8 f_8 f_8", "cmp.lt (M1, 8) f_8 f_8 f_8"),
        in_text(
            "addr-add-predefined",
            "addr_add (M1, 1) addr_1(0)<1> &%tsc 0x4:uw",
            "addr_add (M1, 1) addr_1(0)<1> &ud_8 0x4:uw",
        ),
        in_text(
            "addr-add-predefined",
            "addr_add (M1, 1) addr_1(0)<1> &%bss 0x4:uw",
            "addr_add (M1, 1) addr_1(0)<1> &T6 0x4:uw",
        ),
        changed("addr-add-region", "addr_add (M1, 1) addr_1(0)<1> &ud_8 0x4:uw", |m| {
            edit(m, |instruction| {
                if let Instruction::AddrAdd(i) = instruction {
                    if let VectorKind::General { region, .. } = &mut i.src0.0.kind {
                        *region = Region::new(Stride::S1, Stride::S1, Stride::S1);
                    }
                }
            });
        }),
        in_text(
            "addr-add-offset-type",
            "addr_add (M1, 1) addr_1(0)<1> &ud_8 0x4:ud",
            "addr_add (M1, 1) addr_1(0)<1> &ud_8 uw_1(0,0)<0;1,0>",
        ),
        in_text(
            "addr-add-offset-uw",
            "addr_add (M1, 1) addr_1(0)<1> &ud_8 0x4:w",
            "addr_add (M1, 1) addr_1(0)<1> &ud_8 0x4:uw",
        ),
        changed("addr-add-class", "addr_add (M1, 1) addr_1(0)<1> &ud_8 0x4:uw", |m| {
            edit(m, |instruction| {
                if let Instruction::AddrAdd(i) = instruction {
                    i.src0.0 = Imm::uw(4).into();
                }
            });
        }),
    ]
}

fn availability() -> Vec<Case> {
    vec![
        in_text("opcode-platform", "rol (M1, 8) ud_8 ud_8 ud_8", "shl (M1, 8) ud_8 ud_8 ud_8")
            .on(Platform::Cnl),
        in_text("opcode-platform", "dp4a (M1, 8) d_8 d_8 d_8 d_8", "rol (M1, 8) ud_8 ud_8 ud_8")
            .on(Platform::Icllp),
        in_text("opcode-garbled", "add3 (M1, 8) d_8 d_8 d_8 d_8", "mad (M1, 8) d_8 d_8 d_8 d_8")
            .on(Platform::Tgllp),
        in_text("opcode-garbled", "lrp (M1, 8) f_8 f_8 f_8 f_8", "mad (M1, 8) f_8 f_8 f_8 f_8")
            .on(Platform::Tgllp),
        in_text("opcode-garbled", "dp4 (M1, 8) f_8 f_8 f_8", "mul (M1, 8) f_8 f_8 f_8")
            .on(Platform::Dg2),
        in_text(
            "opcode-early",
            "(flag_8) add3.o (M1, 8) d_8 d_8 d_8 d_8",
            "mad (M1, 8) d_8 d_8 d_8 d_8",
        )
        .on(Platform::Tgllp),
        in_text("opcode-gone", "lrp (M1, 8) f_8 f_8 f_8 f_8", "mad (M1, 8) f_8 f_8 f_8 f_8")
            .on(Platform::Icllp),
    ]
}
