//! Random operands that name what the tables declare.

use genvisa::object::LabelKind;
use genvisa::operand::*;

use super::code::{Coder, Kind};

impl Coder<'_> {
    pub(super) fn exec_of(&mut self, kind: Kind) -> Exec {
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

    /// One of the sizes, on lanes that there are.
    pub(super) fn exec(&mut self, sizes: &[ExecSize]) -> Exec {
        const LANES: usize = 32;
        let size = self.dice.pick(sizes);
        loop {
            let nibble = self.dice.below(16) as u8;
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
        PredId(PredId::FIRST_DECLARED.0 + self.dice.below(self.body.predicates.len()) as u16)
    }

    pub(super) fn pred(&mut self) -> Pred {
        if self.dice.one_in(2) {
            return Pred::NONE;
        }
        let pred = Pred::new(self.pred_id()).expect("a small id");
        let pred = pred.with_control(self.dice.pick(PredControl::NAMED));
        if self.dice.one_in(2) { pred.inverted() } else { pred }
    }

    pub(super) fn addr(&mut self) -> AddrId {
        AddrId(self.dice.below(self.body.addresses.len()) as u16)
    }

    /// A variable that the routine declares.
    pub(super) fn declared(&mut self) -> VarId {
        VarId(VarId::FIRST_DECLARED.0 + self.dice.below(self.body.variables.len()) as u32)
    }

    pub(super) fn var(&mut self) -> VarId {
        const PREDEFINED: usize = 21;
        if self.dice.one_in(8) {
            VarId(self.dice.below(PREDEFINED) as u32)
        } else {
            self.declared()
        }
    }

    /// Registers that are there: without those that it needs, a message crashes the reference.
    pub(super) fn raw(&mut self) -> Raw {
        let offset = self.dice.pick(&[0, 0, 32, 64, 96, 256, 7]);
        match self.var() {
            VarId::NULL => Raw::new(self.declared(), offset),
            var => Raw::new(var, offset),
        }
    }

    pub(super) fn raw_or_null(&mut self) -> Raw {
        if self.dice.one_in(4) { Raw::NULL } else { self.raw() }
    }

    pub(super) fn surface(&mut self) -> SurfaceId {
        let count = usize::from(SurfaceId::FIRST_DECLARED.0) + self.body.surfaces.len();
        SurfaceId(self.dice.below(count) as u8)
    }

    pub(super) fn sampler(&mut self) -> SamplerId {
        let declared = SamplerId(self.dice.below(self.body.samplers.len()) as u8);
        if self.dice.one_in(8) { SamplerId::BINDLESS } else { declared }
    }

    pub(super) fn string(&mut self) -> StringId {
        StringId(self.dice.below(self.body.strings.len()) as u32)
    }

    /// A label of the kind that an instruction wants.
    pub(super) fn label(&mut self, name: &str) -> LabelId {
        let fits = |kind: LabelKind| match name {
            "Subroutine" => kind == LabelKind::SUBROUTINE,
            "Call" => kind == LabelKind::SUBROUTINE || kind == LabelKind::FC,
            _ => kind == LabelKind::BLOCK,
        };
        let labels = (0..).zip(&self.body.labels).filter(|(_, label)| fits(label.kind));
        let ids: Vec<u16> = labels.map(|(id, _)| id).collect();
        LabelId(self.dice.pick(&ids))
    }

    pub(super) fn channels(&mut self) -> ChannelMask {
        ChannelMask::from_bits_truncate(self.dice.bits() as u8)
    }

    pub(super) fn source_region(&mut self) -> Region {
        const V: [Stride; 7] = {
            use Stride as S;
            [S::S0, S::S1, S::S2, S::S4, S::S8, S::S16, S::S32]
        };
        const W: [Stride; 5] = [Stride::S1, Stride::S2, Stride::S4, Stride::S8, Stride::S16];
        const H: [Stride; 4] = [Stride::S0, Stride::S1, Stride::S2, Stride::S4];
        if self.dice.one_in(3) {
            return Region::SCALAR;
        }
        Region::new(self.dice.pick(&V), self.dice.pick(&W), self.dice.pick(&H))
    }

    /// A source of any class.
    pub(super) fn vector(&mut self) -> Vector {
        const MODIFIERS: [Modifier; 6] = [
            Modifier::NONE,
            Modifier::NONE,
            Modifier::ABS,
            Modifier::NEG,
            Modifier::NEG_ABS,
            Modifier::NOT,
        ];
        let modifier = self.dice.pick(&MODIFIERS);
        match self.dice.below(12) {
            0..=4 => self.general().with_modifier(modifier),
            5 | 6 => {
                let region = match self.source_region() {
                    // Several addresses.
                    region if self.dice.one_in(3) => {
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

    /// Elements of a variable, but never of null, which crashes the reference at times.
    pub(super) fn general(&mut self) -> Vector {
        let (row, col) = (self.dice.below(8) as u8, self.dice.below(32) as u8);
        Vector::general_at(self.raw().var, row, col, self.source_region())
    }

    pub(super) fn indirect(&mut self, region: Region) -> Vector {
        let offset = self.dice.below(1024) as i16 - 512;
        let ty = self.dice.pick(DataType::NAMED);
        Vector::indirect(self.addr(), self.dice.below(16) as u8, offset, ty, region)
    }

    pub(super) fn address(&mut self) -> Vector {
        let width = self.dice.pick(AddrWidth::NAMED);
        Vector::address(self.addr(), self.dice.below(16) as u8, width)
    }

    pub(super) fn state(&mut self) -> Vector {
        let offset = self.dice.below(4) as u8;
        if self.dice.one_in(2) {
            Vector::surface(self.surface(), offset)
        } else {
            Vector::sampler(self.sampler(), offset)
        }
    }

    pub(super) fn imm(&mut self) -> Imm {
        let ty = self.dice.pick(DataType::NAMED);
        let bits = self.dice.bits() >> self.dice.pick(&[0, 16, 32, 48, 60]);
        let bits = if ty.is_wide() { bits } else { bits & 0xffff_ffff };
        let imm = Imm::new(ty, bits).expect("few enough bits");
        // Files of 3.2 set bits beside the type, which are ignored.
        let beside = if self.dice.one_in(8) { 0xf0 } else { 0 };
        imm.with_type_byte(TypeByte::from_bits(ty.bits() | beside)).expect("the same type")
    }

    pub(super) fn dst(&mut self, mnemonic: &str) -> Dst {
        let stride = self.dice.pick(&[Stride::S1, Stride::S1, Stride::S2, Stride::S4]);
        let region = Region::dst(stride);
        let written = match (mnemonic, self.dice.below(6)) {
            ("setp", _) => {
                return Dst(Vector::predicate(Pred::new(self.pred_id()).expect("small")));
            }
            ("addr_add", _) => return Dst(self.address()),
            ("movs", _) => return Dst(self.state()),
            ("mov", 0) => return Dst(self.address()),
            (_, 1) => self.indirect(region),
            _ => {
                let (row, col) = (self.dice.below(8) as u8, self.dice.below(32) as u8);
                Vector::general_at(self.var(), row, col, region)
            }
        };
        let saturates = self.dice.one_in(4);
        Dst(if saturates { written.with_modifier(Modifier::SAT) } else { written })
    }

    pub(super) fn cmp_dst(&mut self) -> Vector {
        if self.dice.one_in(2) {
            return Vector::predicate(Pred::new(self.pred_id()).expect("a small id"));
        }
        Vector::general(self.var(), Region::dst(Stride::S1))
    }

    pub(super) fn address_of(&mut self) -> Vector {
        match self.dice.below(3) {
            0 => self.state(),
            _ => {
                // Columns within their row, whatever the type.
                let (row, col) = (self.dice.below(8) as u8, self.dice.below(4) as u8);
                Vector::general_at(self.var(), row, col, Region::SCALAR)
            }
        }
    }
}
