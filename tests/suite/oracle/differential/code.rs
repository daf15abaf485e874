//! Random instructions, generated from the fields in the instruction table.

use genvisa::isa::*;
use genvisa::object::Body;
use genvisa::operand::lsc::*;
use genvisa::operand::va::*;
use genvisa::operand::*;
use genvisa::wire::{Wire, Writer};
use genvisa::{Format, Instruction, Result, Version};
use genvisa_test_support::rng::Rng;

use super::special_layouts::INFO_COMBINATIONS;

/// A row of the instruction table, and in a family a layout and a sub-opcode.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InstructionKind {
    pub spec: &'static Spec,
    pub layout: Option<(&'static SubSpec, u8)>,
}

impl InstructionKind {
    /// Returns all kinds of the dialect.
    pub fn all(format: Format) -> impl Iterator<Item = InstructionKind> {
        let exists = move |spec: &&'static Spec| spec.dialects.includes(format);
        SPEC.iter().filter(exists).flat_map(|spec| {
            let single = spec.family.is_empty().then_some(InstructionKind { spec, layout: None });
            let layouts = spec.family.iter().flat_map(move |layout| {
                let ops = layout.sub_opcodes.iter();
                ops.map(move |op| InstructionKind { spec, layout: Some((layout, *op)) })
            });
            single.into_iter().chain(layouts)
        })
    }

    pub fn is_lsc(&self) -> bool {
        self.spec.mnemonic.starts_with("lsc_")
    }

    fn fields(&self) -> &'static [FieldSpec] {
        self.layout.map_or(self.spec.fields, |(layout, _)| layout.fields)
    }

    pub fn mnemonic(&self) -> &'static str {
        self.layout.map_or(self.spec.mnemonic, |(layout, _)| layout.mnemonic)
    }
}

/// Generates instructions whose operands are declared in the tables.
pub struct Generator<'b> {
    pub rng: Rng,
    pub body: &'b Body<'b>,
    pub format: Format,
    /// The width of the current media block.
    block_width: u64,
}

impl<'b> Generator<'b> {
    pub fn new(rng: Rng, body: &'b Body<'b>, format: Format) -> Generator<'b> {
        Generator { rng, body, format, block_width: 0 }
    }
}

impl Generator<'_> {
    /// Returns an instruction of a kind.
    pub fn instruction(&mut self, kind: InstructionKind) -> Instruction {
        match kind.spec.name {
            "Info" => {
                let combination = self.rng.below(INFO_COMBINATIONS);
                self.info(combination).into()
            }
            "RtWrite" => {
                let mode = RtWriteMode::from_bits_truncate(self.rng.bits() as u16);
                self.rt_write(mode).into()
            }
            "Gather4Typed" => self.typed().into(),
            "Scatter4Typed" => {
                let Gather4Typed { exec, pred, channels, surface, u, v, r, lod, dst: src } =
                    self.typed();
                Scatter4Typed { exec, pred, channels, surface, u, v, r, lod, src }.into()
            }
            "Sample3d" => self.sample(Params::MAX).into(),
            "Load3d" => self.load().into(),
            "Gather4" => self.gather4().into(),
            "SwitchJmp" => self.switch().into(),
            _ => self.regular(kind),
        }
    }

    /// Returns an instruction whose fields are defined in the table.
    fn regular(&mut self, kind: InstructionKind) -> Instruction {
        let mut w = Writer::new(self.format);
        let _ = kind.spec.opcode.encode(&mut w);
        let mut encode = || -> Result<()> {
            if let Some((_, op)) = kind.layout.filter(|_| !is_lsc_layout(kind)) {
                op.encode(&mut w)?;
            }
            kind.fields().iter().try_for_each(|field| self.field(kind, field, &mut w))
        };
        encode().expect("encodable fields");
        Instruction::from_bytes(w.bytes(), self.format).expect("legal fields")
    }

    fn field(&mut self, kind: InstructionKind, field: &FieldSpec, w: &mut Writer) -> Result<()> {
        let exists = match field.when {
            None => true,
            Some("igc2026" | "igc2026 since V4_2") => false,
            Some("since V3_1") => self.format.since(Version::V3_1),
            Some("since V3_6") => self.format.since(Version::V3_6),
            Some(condition) => panic!("unknown condition: {condition}"),
        };
        if !exists {
            return Ok(());
        }
        match (field.ty, field.name) {
            ("Exec", _) => self.exec_of(kind).encode(w),
            ("Pred", _) => self.pred().encode(w),
            ("Dst", _) => self.dst(kind.mnemonic()).encode(w),
            ("CmpDst", _) => CmpDst(self.cmp_dst()).encode(w),
            ("AddressOf", _) => AddressOf(self.address_of()).encode(w),
            // GenX_IR has names for three constants.
            ("Scalar", "mmf_mode") if kind.mnemonic() == "minmax" && self.rng.one_in(3) => {
                Vector::imm(Imm::ud(self.rng.below(3) as u32)).encode(w)
            }
            ("Scalar", "mmf_mode") if kind.mnemonic() == "minmax" => self.general().encode(w),
            // The sources of DPAS are registers.
            ("Vector", _) if kind.mnemonic().starts_with("dpas") => self.general().encode(w),
            ("Vector" | "Scalar", _) => self.vector().encode(w),
            // Stores have no modified surfaces.
            ("MediaModifier", _) if kind.spec.name == "MediaSt" => self
                .rng
                .pick(&[MediaModifier::NOMOD, MediaModifier::TOP, MediaModifier::BOTTOM])
                .encode(w),
            ("Raw", "src1") if kind.mnemonic().starts_with("dpas") => self.raw().encode(w),
            ("Raw", "v" | "r" | "lod" | "src0" | "src1" | "src2" | "per_slot_offset") => {
                self.raw_or_null().encode(w)
            }
            ("Raw" | "RawDst", _) => self.raw().encode(w),
            ("SurfaceId", _) => self.surface().encode(w),
            ("SamplerId", _) => self.sampler().encode(w),
            ("LabelId", _) => self.label(kind.spec.name).encode(w),
            ("StringId", _) => self.string().encode(w),
            ("ShortStringId", _) => ShortStringId(self.string().0 as u16).encode(w),
            // The variable of LIFETIME depends on its properties, and is encoded with them.
            ("VarId", _) => Ok(()),
            ("LifetimeProperties", _) => self.lifetime(w),
            ("ChannelMask", _) => self.channels().encode(w),
            ("u8" | "u16" | "u32" | "i32", _) => self.number(kind, field, w),
            ("LscOp", _) => kind.layout.map_or(0, |(_, op)| op).encode(w),
            (ty, _) => self.code(ty, w),
        }
    }

    /// Encodes a field that is a code.
    fn code(&mut self, ty: &str, w: &mut Writer) -> Result<()> {
        macro_rules! named {
            ($($name:ident)*) => {
                match ty {
                    $(stringify!($name) => return self.rng.pick($name::NAMED).encode(w),)*
                    _ => {}
                }
            };
        }
        named! {
            AvsExecMode BarrierMode BlockNum BlockType ElementSize ErodeDilateMode FilterExecMode
            HdcPixelSize LbpMode LscAddrSize LscAddrType LscCache LscDataElems LscDataOrder
            LscDataSize LscFenceOp LscScope LscSfid MediaModifier MinMaxEnable MinMaxOp OutputFormat
            OwordNum Precision
        }
        let bits = self.rng.bits();
        match ty {
            "Atomic" => {
                let op = self.rng.pick(AtomicOp::NAMED);
                let width = self.rng.pick(&[16, 32, 64]);
                Atomic::new(op, width).expect("a width that exists").encode(w)
            }
            "ChannelsMode" => {
                let mode = self.rng.pick(SampleMode::NAMED);
                ChannelsMode { channels: self.channels(), mode }.encode(w)
            }
            "FenceFlags" => FenceFlags::from_bits_truncate(bits as u8).encode(w),
            "NumElts" => {
                let count = self.rng.pick(NumEltsCount::NAMED);
                NumElts { count, mask: self.exec(&ExecSize::ALL[..4]).mask }.encode(w)
            }
            // Readers ignore the CMPN bit of older versions.
            "Relation" => {
                let cmpn = if bits % 8 == 0 { 0x80 } else { 0 };
                Relation::from_bits(self.rng.pick(RelOp::NAMED).bits() | cmpn).encode(w)
            }
            "SendFlags" => SendFlags::from_bits_truncate(bits as u8).encode(w),
            "SvmBlock" => SvmBlock::new(self.rng.pick(OwordNum::NAMED), bits & 1 != 0).encode(w),
            _ => panic!("unknown type: {ty}"),
        }
    }

    fn number(&mut self, kind: InstructionKind, field: &FieldSpec, w: &mut Writer) -> Result<()> {
        let bits = self.rng.bits();
        let below = |bound: u64| bits % bound;
        let value = match (kind.mnemonic(), field.name) {
            // These have no text.
            (_, "scale" | "block_size") => 0,
            (_, "addr_scale") => self.rng.pick(&[1, 1, 1, 2]),
            (_, "vnni" | "is_modified" | "is_8_connect") => below(2),
            (_, "plane") => below(4),
            (_, "blocks") => 1 + below(4),
            ("media_ld" | "media_st", "block_width") => {
                self.block_width = 1 + below(64);
                self.block_width
            }
            // The rows must fit in 256 bytes. Their pitch is a power of two and at least 4.
            ("media_ld" | "media_st", "block_height") => {
                1 + below(256 / self.block_width.next_power_of_two().max(4))
            }
            (_, "block_width" | "block_height") => 1 + below(64),
            (_, "systolic_depth") => 8,
            (_, "repeat_count") => 1 + below(8),
            ("convolve", "properties") => self.rng.pick(&[0, 2, 3, 0x10, 0x12, 0x13]),
            (_, "properties") => self.rng.pick(&[0, 1, 0x10, 0x11]),
            (_, "addr_offset") if below(2) == 0 => 0,
            _ => bits,
        };
        match field.ty {
            "u8" => (value as u8).encode(w),
            "u16" => (value as u16).encode(w),
            _ => (value as u32).encode(w),
        }
    }

    /// Encodes the properties of LIFETIME and a variable of their class.
    fn lifetime(&mut self, w: &mut Writer) -> Result<()> {
        let class = self.rng.pick(LifetimeClass::NAMED);
        LifetimeProperties { end: self.rng.one_in(2), class }.encode(w)?;
        let id = match class {
            LifetimeClass::ADDRESS => self.addr().0.into(),
            LifetimeClass::PREDICATE => self.pred_id().0.into(),
            _ => self.declared().0,
        };
        VarId(id).encode(w)
    }
}

/// Returns whether a layout begins with an operation, which is the sub-opcode.
fn is_lsc_layout(kind: InstructionKind) -> bool {
    kind.fields().first().is_some_and(|field| field.ty == "LscOp")
}
