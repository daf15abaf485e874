//! The screen: a few compares that let most legal operands pass, and none that a rule is against.

use super::Walk;
use super::vector::FIRST_RESERVED;
use crate::operand::{
    DataType, Exec, ExecSize, Modifier, Pred, PredControl, Raw, Region, VarId, Vector, VectorKind,
};
use crate::verify::context::Cx;
use crate::verify::kind::Kind;

/// A source's region as its rows: what every lane adds to the first element.
#[derive(Clone, Copy)]
struct Shape {
    /// The logarithm of the elements of a row; more than any execution size if the region is not
    /// legal.
    log_width: u8,
    /// From row to row.
    vertical: u8,
    /// From the first element of a row to the last.
    across: u8,
}

const ILLEGAL: u8 = u8::MAX;

/// The shape of every region, by its bits.
static SHAPES: [Shape; 1 << 12] = {
    let mut shapes = [Shape { log_width: ILLEGAL, vertical: 0, across: 0 }; 1 << 12];
    let mut bits = 0;
    while bits < shapes.len() {
        let (v, w, h) = (bits & 15, bits >> 4 & 15, bits >> 8);
        if v >= 1 && v <= 7 && w >= 2 && w <= 6 && h >= 1 && h <= 4 {
            shapes[bits] = Shape {
                log_width: w as u8 - 2,
                vertical: stride(v),
                across: ((1 << (w - 2)) - 1) * stride(h),
            };
        }
        bits += 1;
    }
    shapes
};

/// The stride of a legal code, 1 to 7.
const fn stride(code: usize) -> u8 {
    (1 << code) >> 2
}

/// The last element of a source, counted from the first, unless its region is not legal.
#[inline(always)]
pub(in crate::verify) fn last_of_source(region: Region, size: ExecSize) -> Option<u32> {
    let shape = SHAPES[usize::from(region.bits() & 0xfff)];
    let rows = (size as u8).checked_sub(shape.log_width)?;
    Some(((1 << rows) - 1) * u32::from(shape.vertical) + u32::from(shape.across))
}

/// The last element of a destination, counted from the first, unless its stride is not legal.
#[inline(always)]
pub(in crate::verify) fn last_of_dst(region: Region, size: ExecSize) -> Option<u32> {
    let code = region.horizontal().bits();
    if !(2..=4).contains(&code) {
        return None;
    }
    Some((size.lanes() as u32 - 1) << (code - 2))
}

impl Walk<'_, '_> {
    /// Whether no rule can be against a source.
    #[inline]
    pub(super) fn is_legal_source(&self, operand: &Vector) -> bool {
        let modifier = operand.modifier;
        match operand.kind {
            VectorKind::General { var, row, col, region } => {
                let last = match self.has_region {
                    true => last_of_source(region, self.exec.size),
                    false => Some(0),
                };
                self.is_within(var, row, col, last)
                    && self.is_legal_modifier(modifier)
                    && (var < VarId::FIRST_DECLARED || !self.may_span(last))
            }
            VectorKind::Immediate(imm) => modifier == Modifier::NONE && imm.ty() != DataType::BOOL,
            _ => false,
        }
    }

    /// The same for a destination.
    #[inline]
    pub(super) fn is_legal_dst(&self, operand: &Vector) -> bool {
        let modifier = operand.modifier;
        match operand.kind {
            VectorKind::General { var, row, col, region } => {
                let last = last_of_dst(region, self.exec.size);
                let is_writable = var >= VarId::FIRST_DECLARED || var == VarId::NULL;
                is_writable
                    && self.is_within(var, row, col, last)
                    && self.is_legal_modifier(modifier)
                    && !self.may_span(last)
            }
            VectorKind::Predicate(pred) => {
                modifier == Modifier::NONE && is_legal_operand(pred, self.cx)
            }
            _ => false,
        }
    }

    #[inline(always)]
    pub(super) fn is_legal_raw(&self, raw: Raw) -> bool {
        raw.is_null() || self.is_legal_raw_variable(raw)
    }

    #[inline(never)]
    fn is_legal_raw_variable(&self, raw: Raw) -> bool {
        let Some(index) = raw.var.0.checked_sub(VarId::FIRST_DECLARED.0) else {
            return raw.var < FIRST_RESERVED;
        };
        let Some(storage) = self.cx.storage.get(raw.var.0 as usize) else { return false };
        let base = self.cx.root_of(index as usize).offset;
        let offset = u32::from(raw.offset);
        base.wrapping_add(offset) % self.cx.grf == 0 && offset < storage.bytes()
    }

    #[inline(always)]
    fn is_within(&self, var: VarId, row: u8, col: u8, last: Option<u32>) -> bool {
        let (Some(last), Some(storage)) = (last, self.cx.storage.get(var.0 as usize)) else {
            return false;
        };
        storage.holds(row, col, last, self.cx.grf)
    }

    /// Whether an operand with more than one element must stay within two registers.
    #[inline(always)]
    fn may_span(&self, last: Option<u32>) -> bool {
        use Kind::{Arith, Compare, DataPort, Logic, Mov};
        !matches!(self.kind, Mov | Arith | Logic | Compare | DataPort) && last != Some(0)
    }

    /// Whether a modifier goes with whatever the kind of instruction.
    #[inline(always)]
    fn is_legal_modifier(&self, modifier: Modifier) -> bool {
        modifier == Modifier::NONE
            || match self.kind {
                Kind::Logic => modifier == Modifier::NOT,
                _ => modifier < Modifier::NOT,
            }
    }
}

/// Whether no rule can be against a predicate as an operand.
#[inline(always)]
pub(in crate::verify) fn is_legal_operand(pred: Pred, cx: &Cx<'_>) -> bool {
    let id = usize::from(pred.id().0);
    let declared = cx.body.is_none_or(|body| id <= body.predicates.len());
    id != 0 && declared && pred.control() <= PredControl::ALL
}

/// Whether no rule can be against a predicate that controls lanes.
#[inline(always)]
pub(in crate::verify) fn is_legal_control(pred: Pred, exec: Exec, cx: &Cx<'_>) -> bool {
    let index = usize::from(pred.id().0).wrapping_sub(1);
    let Some(body) = cx.body else { return false };
    let lanes = exec.mask.first_lane() + exec.size.lanes();
    pred.control() <= PredControl::ALL
        && body.predicates.get(index).is_some_and(|p| usize::from(p.num_elements) >= lanes)
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use super::super::{Role, Walk, raw, vector};
    use super::*;
    use crate::format::Format;
    use crate::isa::{And, Cmp, Fence, Instruction, Mov, OwordLd, Shl, SwitchJmp};
    use crate::object::{Align, Body};
    use crate::operand::{Imm, Slot, Stride};
    use crate::verify::context::{Levels, Spot};
    use crate::verify::platform::Platform;
    use crate::verify::storage::{Storage, predefined};

    /// A routine with variables of 32 and 512 bytes and one of five words.
    fn body() -> Body<'static> {
        let mut body = Body::new("k");
        body.variable("a", DataType::UD, 8, Align::GRF);
        body.variable("b", DataType::Q, 64, Align::GRF);
        body.variable("c", DataType::UW, 5, Align::WORD);
        body.predicate("p", 8).expect("there is room");
        body
    }

    fn context<'v>(body: &'v Body<'v>, levels: &'v Levels, platform: Option<Platform>) -> Cx<'v> {
        let mut storage = predefined();
        storage.extend(body.variables.iter().map(Storage::of));
        Cx {
            format: Format::default(),
            platform,
            fast_path: true,
            routine: None,
            index: None,
            body: Some(body),
            grf: platform.map_or(32, Platform::grf),
            storage,
            roots: Vec::new(),
            place: Spot::Routine,
            levels,
            findings: Vec::new(),
        }
    }

    /// One instruction of each kind that the screen tells apart.
    fn instructions() -> [(Instruction, Kind); 7] {
        [
            (Mov::default().into(), Kind::Mov),
            (And::default().into(), Kind::Logic),
            (Shl::default().into(), Kind::Logic),
            (Cmp::default().into(), Kind::Compare),
            (OwordLd::default().into(), Kind::DataPort),
            (SwitchJmp::default().into(), Kind::Flow),
            (Fence::default().into(), Kind::Sync),
        ]
    }

    /// How many operands passed the screen; none that a rule is against may.
    fn screen(operands: &[Vector], platform: Option<Platform>) -> usize {
        let (body, levels) = (body(), Levels::default());
        let mut cx = context(&body, &levels, platform);
        let slot = Slot::new("src0", "Vector");
        let mut passed = 0;
        for (instruction, kind) in &instructions() {
            for size in ExecSize::ALL {
                let has_region = *kind != Kind::DataPort;
                let exec = Exec::from(size);
                let mut walk = Walk { cx: &mut cx, instruction, kind: *kind, exec, has_region };
                for operand in operands {
                    for role in [Role::Source, Role::Dst] {
                        let is_legal = match role {
                            Role::Dst => walk.is_legal_dst(operand),
                            _ => walk.is_legal_source(operand),
                        };
                        if is_legal {
                            passed += 1;
                            walk.suspect(slot, operand, role);
                            let found = walk.cx.findings.first();
                            assert_eq!(found, None, "{operand:?} {size:?} {kind:?} {role:?}");
                        }
                    }
                }
            }
        }
        passed
    }

    #[test]
    fn no_region_is_let_pass_that_a_rule_is_against() {
        let mut operands = Vec::new();
        for bits in 0..1 << 12 {
            let region = Region::from_bits(bits).expect("twelve bits");
            for (var, row, col) in [(0, 0, 0), (32, 0, 0), (32, 0, 4), (33, 14, 0), (34, 0, 1)] {
                operands.push(Vector::general_at(VarId(var), row, col, region));
            }
        }
        for platform in [None, Some(Platform::Skl), Some(Platform::Pvc)] {
            assert!(screen(&operands, platform) > 10_000);
        }
    }

    #[test]
    fn no_other_operand_is_let_pass_that_a_rule_is_against() {
        let row = Region::new(Stride::S1, Stride::S1, Stride::S0);
        let mut operands = Vec::new();
        for var in 0..40 {
            for (row_, col) in [(0, 0), (0, 1), (0, 3), (0, 4), (0, 8), (1, 0), (255, 255)] {
                operands.push(Vector::general_at(VarId(var), row_, col, row));
            }
        }
        for bits in 0..16 {
            let ty = DataType::from_bits(bits).expect("four bits");
            operands.push(Imm::new(ty, 1).expect("it is small").into());
        }
        for bits in [0u16, 1, 2, 0x2001, 0x4001, 0x6001, 0x8000, 0x8001] {
            operands.push(Vector::predicate(Pred::from_bits(bits).expect("no reserved bit")));
        }
        let mut all = Vec::new();
        for bits in 0..8 {
            let modifier = Modifier::from_bits(bits).expect("three bits");
            all.extend(operands.iter().map(|operand| operand.with_modifier(modifier)));
        }
        for platform in [None, Some(Platform::Skl), Some(Platform::Pvc)] {
            assert!(screen(&all, platform) > 1000);
        }
    }

    #[test]
    fn no_raw_operand_is_let_pass_that_a_rule_is_against() {
        let (body, levels) = (body(), Levels::default());
        let (instruction, kind) = (Fence::default().into(), Kind::Sync);
        let mut passed = 0;
        for platform in [None, Some(Platform::Skl), Some(Platform::Pvc)] {
            let mut cx = context(&body, &levels, platform);
            let exec = Exec::default();
            let walk =
                Walk { cx: &mut cx, instruction: &instruction, kind, exec, has_region: true };
            for (var, offset) in (0..40).flat_map(|var| (0..600).map(move |at| (var, at))) {
                let raw = Raw::new(VarId(var), offset);
                if walk.is_legal_raw(raw) {
                    passed += 1;
                    vector::names::check(&vector::Named { field: "", var: raw.var }, walk.cx);
                    raw::raws::check(&raw::RawOperand { field: "", raw }, walk.cx);
                    assert_eq!(walk.cx.findings.first(), None, "{raw:?}");
                }
            }
        }
        assert!(passed > 100);
    }
}
