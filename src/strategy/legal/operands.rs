//! The declarations that generated instructions use, and random operands that refer to them.

use alloc::format;
use alloc::vec::Vec;

use super::random::Choices;
use crate::object::{AliasScope, Align, Body, Variable};
use crate::operand::*;

/// The size of most variables in bytes. No message accesses more.
const SIZE: usize = 1024;

/// The size of aliases in bytes, and the offsets at which they begin.
const ALIAS_SIZE: usize = 512;
const ALIAS_OFFSETS: [u16; 3] = [0, 64, 512];

/// The types that most instructions accept.
const USUAL: [DataType; 5] = [DataType::UD, DataType::D, DataType::F, DataType::UQ, DataType::UW];

const ADDRESSES: u16 = 2;
pub(super) const PREDICATES: u16 = 3;

/// Returns tables with two variables of each type, aliases, scalars, address variables, predicates, a
/// sampler and surfaces. `is_legal` determines the types of the platform.
pub(super) fn declarations(is_legal: impl Fn(Body<'static>) -> bool) -> Body<'static> {
    let mut body = Body::new("kernel_1");
    // The other types are for operands only: text of 4.2 cannot declare them.
    let types: Vec<DataType> =
        DataType::NAMED.iter().copied().filter(|ty| ty.has_binary_form()).collect();
    let mut add = |variable: &dyn Fn(&mut Body<'static>)| {
        let mut with = body.clone();
        variable(&mut with);
        if is_legal(with.clone()) {
            body = with;
        }
    };
    // Operands of the same type may be different variables.
    for number in 0..2 {
        for ty in &types {
            add(&|body| {
                let elements = (SIZE / ty.size()) as u16;
                body.add_variable(&format!("{ty}_{number}"), *ty, elements, Align::WORDX32);
            });
        }
    }
    for (index, ty) in USUAL.iter().enumerate() {
        add(&|body| {
            let offset = ALIAS_OFFSETS[index % ALIAS_OFFSETS.len()];
            let name = body.strings.add(format!("alias_{ty}").as_str());
            body.variables.push(Variable {
                name,
                ty: *ty,
                num_elements: (ALIAS_SIZE / ty.size()) as u32,
                align: Align::WORDX32,
                alias: VarId::FIRST_DECLARED,
                alias_offset: offset,
                alias_scope: AliasScope::LOCAL,
                ..Variable::default()
            });
        });
    }
    for ty in &USUAL {
        add(&|body| _ = body.add_variable(&format!("scalar_{ty}"), *ty, 1, Align::QWORD));
    }
    // The tables are too small to be full.
    for index in 0..ADDRESSES {
        _ = body.add_address(&format!("address_{index}"), 16);
    }
    for index in 0..PREDICATES {
        _ = body.add_predicate(&format!("predicate_{index}"), 32);
    }
    _ = body.add_sampler("sampler");
    _ = body.add_surface("surface_0");
    _ = body.add_surface("surface_1");
    body
}

/// Replaces random operands by random operands that are more often legal.
pub(super) struct Declared<'a> {
    random: &'a mut Choices,
    variables: usize,
    /// The indices of variables of the types that most instructions accept.
    usual: Vec<usize>,
    /// The variable of half of the operands, because most instructions require equal types.
    common: VarId,
}

impl<'a> Declared<'a> {
    pub(super) fn new(random: &'a mut Choices, body: &Body<'_>) -> Declared<'a> {
        let variables = body.variables.len();
        let is_usual = |index: &usize| {
            let variable = &body.variables[*index];
            USUAL.contains(&variable.ty) && variable.num_elements > 1
        };
        let usual = (0..variables).filter(is_usual).collect();
        let common = VarId::FIRST_DECLARED;
        let mut declared = Declared { random, variables, usual, common };
        declared.common = declared.any_var();
        declared
    }

    fn any_var(&mut self) -> VarId {
        let usual = self.random.one_in(2);
        let index =
            if usual { self.random.pick(&self.usual) } else { self.random.below(self.variables) };
        VarId(VarId::FIRST_DECLARED.0 + index as u32)
    }

    fn var(&mut self) -> VarId {
        if self.random.one_in(2) { self.common } else { self.any_var() }
    }

    fn address(&mut self) -> AddrId {
        AddrId(self.random.below(ADDRESSES.into()) as u16)
    }

    fn region(&mut self) -> Region {
        let common = [(1, 1, 0), (0, 1, 0), (0, 1, 0), (2, 1, 0), (8, 8, 1)];
        let rare = [(4, 1, 0), (0, 16, 1), (16, 8, 2), (0, 4, 1)];
        let is_rare = self.random.one_in(3);
        let (v, w, h) = self.random.pick(if is_rare { &rare[..] } else { &common });
        let stride = |elements| Stride::from_elements(elements).unwrap_or(Stride::S1);
        Region::new(stride(v), stride(w), stride(h))
    }

    fn operand(&mut self, operand: &mut Vector, is_scalar: bool) {
        if !self.random.one_in(5) {
            operand.modifier = Modifier::NONE;
        }
        // Most instructions accept general variables and constants only.
        if self.random.one_in(2) {
            let region = self.region();
            operand.kind = VectorKind::General { var: VarId::NULL, row: 0, col: 0, region };
        }
        if self.random.one_in(6) {
            let ty = self.random.pick(DataType::NAMED);
            let bits = self.random.pick(&[0, 1, 2, 3, 8, 0x10, 0xff]);
            operand.kind = Imm::new(ty, bits).map_or(operand.kind, VectorKind::Immediate);
        }
        let region = if is_scalar { Region::SCALAR } else { self.region() };
        match &mut operand.kind {
            VectorKind::General { var, row, col, region: of_operand } => {
                (*var, *row, *col, *of_operand) = (self.var(), 0, 0, region);
                if self.random.one_in(4) {
                    *col = self.random.below(4) as u8;
                }
                if self.random.one_in(8) {
                    *row = self.random.below(4) as u8;
                }
            }
            VectorKind::Address { addr, offset, .. } => {
                (*addr, *offset) = (self.address(), 0);
            }
            VectorKind::Predicate(pred) => *pred = self.predicate(),
            VectorKind::Indirect { addr, addr_offset, offset, region: of_operand, .. } => {
                (*addr, *addr_offset, *offset) = (self.address(), 0, 0);
                *of_operand = region;
            }
            VectorKind::Immediate(imm) => {
                let bits = imm.bits() & self.random.pick(&[1, 3, 0xf, 0x1f, u64::MAX]);
                *imm = Imm::new(imm.ty(), bits).unwrap_or(*imm);
            }
            VectorKind::State { index, offset, .. } => {
                let first = SurfaceId::FIRST_DECLARED.0;
                (*index, *offset) = (self.random.pick(&[0, first.into()]), 0);
            }
        }
    }

    fn destination(&mut self, operand: &mut Vector) {
        self.operand(operand, false);
        let horizontal = self.random.pick(&[Stride::S1, Stride::S1, Stride::S1, Stride::S2]);
        if let VectorKind::General { region, .. } | VectorKind::Indirect { region, .. } =
            &mut operand.kind
        {
            *region = Region::dst(horizontal);
        }
    }

    fn predicate(&mut self) -> Pred {
        let index = self.random.below(PREDICATES.into()) as u16;
        let pred = Pred::new(PredId(PredId::FIRST_DECLARED.0 + index)).unwrap_or(Pred::NONE);
        if self.random.one_in(3) { pred.inverted() } else { pred }
    }
}

impl VisitorMut for Declared<'_> {
    fn exec(&mut self, _: Slot, exec: &mut Exec) {
        use ExecSize::{S1, S8, S16, S32};
        let size = self.random.pick(&[S1, S8, S16, S16, S32]);
        *exec = Exec::new(size, self.random.pick(&[ExecMask::M1, ExecMask::M1, ExecMask::M1_NM]));
    }

    fn pred(&mut self, _: Slot, pred: &mut Pred) {
        *pred = if self.random.one_in(3) { self.predicate() } else { Pred::NONE };
    }

    fn vector(&mut self, slot: Slot, operand: &mut Vector) {
        let is_scalar = slot.is_scalar || self.random.one_in(4);
        self.operand(operand, is_scalar);
    }

    fn dst(&mut self, _: Slot, operand: &mut Vector) {
        self.destination(operand);
    }

    fn cmp_dst(&mut self, _: Slot, operand: &mut Vector) {
        if self.random.one_in(2) {
            operand.kind = VectorKind::Predicate(self.predicate());
        } else {
            self.destination(operand);
        }
    }

    fn address_of(&mut self, _: Slot, operand: &mut Vector) {
        self.operand(operand, false);
    }

    fn raw(&mut self, _: Slot, raw: &mut Raw) {
        let offset = self.random.pick(&[0, 0, 0, 0, 64, 128]);
        *raw = if self.random.one_in(5) { Raw::NULL } else { Raw::new(self.var(), offset) };
    }

    fn aoffimmi(&mut self, _: Slot, offsets: &mut Aoffimmi) {
        *offsets = Aoffimmi::from_bits(self.random.bits() as u16 & !Aoffimmi::RESERVED);
    }

    fn surface(&mut self, _: Slot, id: &mut SurfaceId) {
        let first = SurfaceId::FIRST_DECLARED.0;
        *id = SurfaceId(self.random.pick(&[0, first - 2, first, first + 1]));
    }

    fn sampler(&mut self, _: Slot, id: &mut SamplerId) {
        *id = self.random.pick(&[SamplerId(0), SamplerId(0), SamplerId::BINDLESS]);
    }

    fn state_address(&mut self, _: Slot, var: &mut VarId) {
        *var = self.var();
    }
}
