//! Random operands that the tables declare.

use genvisa::object::LabelKind;
use genvisa::operand::*;

use super::code::{Generator, InstructionKind};

impl Generator<'_> {
    pub(super) fn exec_of(&mut self, kind: InstructionKind) -> Exec {
        use ExecSize::*;
        let sizes: &[ExecSize] = match kind.mnemonic() {
            "lsc_strided" | "lsc_block2d" => &[S1],
            "lsc_untyped" | "lsc_typed" => &[S1, S16, S32],
            "switchjmp" | "jmp" => &[S1],
            "dpas" | "dpasw" => &[S8],
            _ => &ExecSize::ALL,
        };
        self.exec(sizes)
    }

    /// Returns one of the sizes, with a mask of existing lanes.
    pub(super) fn exec(&mut self, sizes: &[ExecSize]) -> Exec {
        const LANES: usize = 32;
        let size = self.rng.pick(sizes);
        loop {
            let nibble = self.rng.below(16) as u8;
            let mask = match ExecMask::legacy(nibble) {
                Some(mask) if self.format.old_masks() => mask,
                _ => ExecMask::from_bits(nibble).expect("four bits"),
            };
            if mask.first_lane() + size.lanes() <= LANES {
                return Exec::new(size, mask);
            }
        }
    }

    pub(super) fn pred_id(&mut self) -> PredId {
        PredId(PredId::FIRST_DECLARED.0 + self.rng.below(self.body.predicates.len()) as u16)
    }

    pub(super) fn pred(&mut self) -> Pred {
        if self.rng.one_in(2) {
            return Pred::NONE;
        }
        let pred = Pred::new(self.pred_id()).expect("a small id");
        let pred = pred.with_control(self.rng.pick(PredControl::NAMED));
        if self.rng.one_in(2) { pred.inverted() } else { pred }
    }

    pub(super) fn addr(&mut self) -> AddrId {
        AddrId(self.rng.below(self.body.addresses.len()) as u16)
    }

    /// Returns a variable that the routine declares.
    pub(super) fn declared(&mut self) -> VarId {
        VarId(VarId::FIRST_DECLARED.0 + self.rng.below(self.body.variables.len()) as u32)
    }

    pub(super) fn var(&mut self) -> VarId {
        const PREDEFINED: usize = 21;
        if self.rng.one_in(8) { VarId(self.rng.below(PREDEFINED) as u32) } else { self.declared() }
    }

    /// Returns a register that is not null: a message with a null register can crash GenX_IR.
    pub(super) fn raw(&mut self) -> Raw {
        let offset = self.rng.pick(&[0, 0, 32, 64, 96, 256, 7]);
        match self.var() {
            VarId::NULL => Raw::new(self.declared(), offset),
            var => Raw::new(var, offset),
        }
    }

    pub(super) fn raw_or_null(&mut self) -> Raw {
        if self.rng.one_in(4) { Raw::NULL } else { self.raw() }
    }

    pub(super) fn surface(&mut self) -> SurfaceId {
        let count = usize::from(SurfaceId::FIRST_DECLARED.0) + self.body.surfaces.len();
        SurfaceId(self.rng.below(count) as u8)
    }

    pub(super) fn sampler(&mut self) -> SamplerId {
        let declared = SamplerId(self.rng.below(self.body.samplers.len()) as u8);
        if self.rng.one_in(8) { SamplerId::BINDLESS } else { declared }
    }

    pub(super) fn string(&mut self) -> StringId {
        StringId(self.rng.below(self.body.strings.len()) as u32)
    }

    /// Returns a label of the kind that an instruction requires.
    pub(super) fn label(&mut self, name: &str) -> LabelId {
        let fits = |kind: LabelKind| match name {
            "Subroutine" => kind == LabelKind::SUBROUTINE,
            "Call" => kind == LabelKind::SUBROUTINE || kind == LabelKind::FC,
            _ => kind == LabelKind::BLOCK,
        };
        let labels = (0..).zip(&self.body.labels).filter(|(_, label)| fits(label.kind));
        let ids: Vec<u16> = labels.map(|(id, _)| id).collect();
        LabelId(self.rng.pick(&ids))
    }

    pub(super) fn channels(&mut self) -> ChannelMask {
        ChannelMask::from_bits_truncate(self.rng.bits() as u8)
    }

    pub(super) fn source_region(&mut self) -> Region {
        const V: [Stride; 7] = {
            use Stride as S;
            [S::S0, S::S1, S::S2, S::S4, S::S8, S::S16, S::S32]
        };
        const W: [Stride; 5] = [Stride::S1, Stride::S2, Stride::S4, Stride::S8, Stride::S16];
        const H: [Stride; 4] = [Stride::S0, Stride::S1, Stride::S2, Stride::S4];
        if self.rng.one_in(3) {
            return Region::SCALAR;
        }
        Region::new(self.rng.pick(&V), self.rng.pick(&W), self.rng.pick(&H))
    }

    /// Returns a source of any class.
    pub(super) fn vector(&mut self) -> Vector {
        const MODIFIERS: [Modifier; 6] = [
            Modifier::NONE,
            Modifier::NONE,
            Modifier::ABS,
            Modifier::NEG,
            Modifier::NEG_ABS,
            Modifier::NOT,
        ];
        let modifier = self.rng.pick(&MODIFIERS);
        match self.rng.below(12) {
            0..=4 => self.general().with_modifier(modifier),
            5 | 6 => {
                let region = match self.source_region() {
                    // Indirect addressing with several addresses.
                    region if self.rng.one_in(3) => {
                        Region::new(Stride::NULL, region.width(), region.horizontal())
                    }
                    region => region,
                };
                self.indirect(region).with_modifier(modifier)
            }
            7 | 8 => self.imm().into(),
            9 => self.address(),
            10 => Vector::predicate(Pred::new(self.pred_id()).expect("a small id")),
            _ => self.state(),
        }
    }

    /// Returns elements of a variable, never of null, which sometimes crashes GenX_IR.
    pub(super) fn general(&mut self) -> Vector {
        let (row, col) = (self.rng.below(8) as u8, self.rng.below(32) as u8);
        Vector::general_at(self.raw().var, row, col, self.source_region())
    }

    pub(super) fn indirect(&mut self, region: Region) -> Vector {
        let offset = self.rng.below(1024) as i16 - 512;
        let ty = self.rng.pick(DataType::NAMED);
        Vector::indirect(self.addr(), self.rng.below(16) as u8, offset, ty, region)
    }

    pub(super) fn address(&mut self) -> Vector {
        let width = self.rng.pick(AddrWidth::NAMED);
        Vector::address(self.addr(), self.rng.below(16) as u8, width)
    }

    pub(super) fn state(&mut self) -> Vector {
        let offset = self.rng.below(4) as u8;
        if self.rng.one_in(2) {
            Vector::surface(self.surface(), offset)
        } else {
            Vector::sampler(self.sampler(), offset)
        }
    }

    pub(super) fn imm(&mut self) -> Imm {
        let ty = self.rng.pick(DataType::NAMED);
        let bits = self.rng.bits() >> self.rng.pick(&[0, 16, 32, 48, 60]);
        let bits = if ty.is_wide() { bits } else { bits & 0xffff_ffff };
        let imm = Imm::new(ty, bits).expect("few enough bits");
        // Files of 3.2 set the high bits of the type, which readers ignore.
        let high_bits = if self.rng.one_in(8) { 0xf0 } else { 0 };
        imm.with_type_byte(TypeByte::from_bits(ty.bits() | high_bits)).expect("the same type")
    }

    pub(super) fn dst(&mut self, mnemonic: &str) -> Dst {
        let stride = self.rng.pick(&[Stride::S1, Stride::S1, Stride::S2, Stride::S4]);
        let region = Region::dst(stride);
        let written = match (mnemonic, self.rng.below(6)) {
            ("setp", _) => {
                return Dst(Vector::predicate(Pred::new(self.pred_id()).expect("small")));
            }
            ("addr_add", _) => return Dst(self.address()),
            ("movs", _) => return Dst(self.state()),
            ("mov", 0) => return Dst(self.address()),
            (_, 1) => self.indirect(region),
            _ => {
                let (row, col) = (self.rng.below(8) as u8, self.rng.below(32) as u8);
                Vector::general_at(self.var(), row, col, region)
            }
        };
        let saturates = self.rng.one_in(4);
        Dst(if saturates { written.with_modifier(Modifier::SAT) } else { written })
    }

    pub(super) fn cmp_dst(&mut self) -> Vector {
        if self.rng.one_in(2) {
            return Vector::predicate(Pred::new(self.pred_id()).expect("a small id"));
        }
        Vector::general(self.var(), Region::dst(Stride::S1))
    }

    pub(super) fn address_of(&mut self) -> Vector {
        match self.rng.below(3) {
            0 => self.state(),
            _ => {
                // The column is within the row for all types.
                let (row, col) = (self.rng.below(8) as u8, self.rng.below(4) as u8);
                Vector::general_at(self.var(), row, col, Region::SCALAR)
            }
        }
    }
}
