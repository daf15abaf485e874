//! Random instructions over a routine's tables, field by field as the instruction table has them.

use genvisa::isa::*;
use genvisa::object::Body;
use genvisa::operand::lsc::*;
use genvisa::operand::va::*;
use genvisa::operand::*;
use genvisa::wire::{Wire, Writer};
use genvisa::{Format, Instruction, Result, Version};

use super::irregular::INFO_COMBINATIONS;
use super::rng::Dice;

/// A row of the instruction table; in a family, a layout and a sub-opcode.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kind {
    pub spec: &'static Spec,
    pub layout: Option<(&'static SubSpec, u8)>,
}

impl Kind {
    /// All that the dialect has.
    pub fn all(format: Format) -> impl Iterator<Item = Kind> {
        let exists = move |spec: &&'static Spec| spec.dialects.includes(format);
        SPEC.iter().filter(exists).flat_map(|spec| {
            let whole = spec.family.is_empty().then_some(Kind { spec, layout: None });
            let layouts = spec.family.iter().flat_map(move |layout| {
                let ops = layout.sub_opcodes.iter();
                ops.map(move |op| Kind { spec, layout: Some((layout, *op)) })
            });
            whole.into_iter().chain(layouts)
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

/// Makes instructions that name what the tables declare.
pub struct Coder<'b> {
    pub dice: Dice,
    pub body: &'b Body<'b>,
    pub format: Format,
    /// The width of the media block under way.
    width: u64,
}

impl<'b> Coder<'b> {
    pub fn new(dice: Dice, body: &'b Body<'b>, format: Format) -> Coder<'b> {
        Coder { dice, body, format, width: 0 }
    }
}

impl Coder<'_> {
    /// An instruction of a kind.
    pub fn instruction(&mut self, kind: Kind) -> Instruction {
        match kind.spec.name {
            "Info" => {
                let combination = self.dice.below(INFO_COMBINATIONS);
                self.info(combination).into()
            }
            "RtWrite" => {
                let mode = RtWriteMode::from_bits_truncate(self.dice.bits() as u16);
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

    /// An instruction whose fields stand in the table.
    fn regular(&mut self, kind: Kind) -> Instruction {
        let mut w = Writer::new(self.format);
        w.u8(kind.spec.opcode);
        let mut encode = || -> Result<()> {
            if let Some((_, op)) = kind.layout.filter(|_| !is_lsc_layout(kind)) {
                w.u8(op);
            }
            kind.fields().iter().try_for_each(|field| self.field(kind, field, &mut w))
        };
        encode().expect("encodable fields");
        Instruction::from_bytes(w.bytes(), self.format).expect("legal fields")
    }

    fn field(&mut self, kind: Kind, field: &FieldSpec, w: &mut Writer) -> Result<()> {
        let exists = match field.when {
            None => true,
            Some("igc2026") => false,
            Some("since V3_1") => self.format.since(Version::V3_1),
            Some("since V3_6") => self.format.since(Version::V3_6),
            Some(gate) => panic!("a gate that is not known here: {gate}"),
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
            // A constant is looked up in a table of three.
            ("Scalar", "mmf_mode") if kind.mnemonic() == "minmax" && self.dice.one_in(3) => {
                Vector::imm(Imm::ud(self.dice.below(3) as u32)).encode(w)
            }
            ("Scalar", "mmf_mode") if kind.mnemonic() == "minmax" => self.general().encode(w),
            // Sources of DPAS are registers.
            ("Vector", _) if kind.mnemonic().starts_with("dpas") => self.general().encode(w),
            ("Vector" | "Scalar", _) => self.vector().encode(w),
            // Stores know no modified surface.
            ("MediaModifier", _) if kind.spec.name == "MediaSt" => self
                .dice
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
            // LIFETIME's variable depends on its properties, and is written with them.
            ("VarId", _) => Ok(()),
            ("LifetimeProperties", _) => self.lifetime(w),
            ("ChannelMask", _) => self.channels().encode(w),
            ("u8" | "u16" | "u32" | "i32", _) => {
                self.number(kind, field, w);
                Ok(())
            }
            ("LscOp", _) => {
                w.u8(kind.layout.map_or(0, |(_, op)| op));
                Ok(())
            }
            (ty, _) => self.code(ty, w),
        }
    }

    /// A field of few values.
    fn code(&mut self, ty: &str, w: &mut Writer) -> Result<()> {
        macro_rules! named {
            ($($name:ident)*) => {
                match ty {
                    $(stringify!($name) => return self.dice.pick($name::NAMED).encode(w),)*
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
        let bits = self.dice.bits();
        match ty {
            "Atomic" => {
                let op = self.dice.pick(AtomicOp::NAMED);
                let width = self.dice.pick(&[16, 32, 64]);
                Atomic::new(op, width).expect("a width that exists").encode(w)
            }
            "ChannelsMode" => {
                let mode = self.dice.pick(SampleMode::NAMED);
                ChannelsMode { channels: self.channels(), mode }.encode(w)
            }
            "FenceFlags" => FenceFlags::from_bits_truncate(bits as u8).encode(w),
            "NumElts" => {
                let count = self.dice.pick(NumEltsCount::NAMED);
                NumElts { count, mask: self.exec(&ExecSize::ALL[..4]).mask }.encode(w)
            }
            // The old CMPN bit is ignored.
            "Relation" => {
                let old = if bits % 8 == 0 { 0x80 } else { 0 };
                Relation::from_bits(self.dice.pick(RelOp::NAMED).bits() | old).encode(w)
            }
            "SendFlags" => SendFlags::from_bits_truncate(bits as u8).encode(w),
            "SvmBlock" => SvmBlock::new(self.dice.pick(OwordNum::NAMED), bits & 1 != 0).encode(w),
            _ => panic!("a type that is not known here: {ty}"),
        }
    }

    fn number(&mut self, kind: Kind, field: &FieldSpec, w: &mut Writer) {
        let bits = self.dice.bits();
        let below = |bound: u64| bits % bound;
        let value = match (kind.mnemonic(), field.name) {
            // Text has no place for these.
            (_, "scale" | "block_size") => 0,
            (_, "addr_scale") => self.dice.pick(&[1, 1, 1, 2]),
            (_, "vnni" | "is_modified" | "is_8_connect") => below(2),
            (_, "plane") => below(4),
            (_, "blocks") => 1 + below(4),
            ("media_ld" | "media_st", "block_width") => {
                self.width = 1 + below(64);
                self.width
            }
            // As many rows as fit at the pitch, which is a power of two from 4 on.
            ("media_ld" | "media_st", "block_height") => {
                1 + below(256 / self.width.next_power_of_two().max(4))
            }
            (_, "block_width" | "block_height") => 1 + below(64),
            (_, "systolic_depth") => 8,
            (_, "repeat_count") => 1 + below(8),
            ("convolve", "properties") => self.dice.pick(&[0, 2, 3, 0x10, 0x12, 0x13]),
            (_, "properties") => self.dice.pick(&[0, 1, 0x10, 0x11]),
            (_, "addr_offset") if below(2) == 0 => 0,
            _ => bits,
        };
        match field.ty {
            "u8" => w.u8(value as u8),
            "u16" => w.u16(value as u16),
            _ => w.u32(value as u32),
        }
    }

    /// The properties of LIFETIME, and the variable that they speak of.
    fn lifetime(&mut self, w: &mut Writer) -> Result<()> {
        let class = self.dice.pick(LifetimeClass::NAMED);
        LifetimeProperties { end: self.dice.one_in(2), class }.encode(w)?;
        let id = match class {
            LifetimeClass::ADDRESS => self.addr().0.into(),
            LifetimeClass::PREDICATE => self.pred_id().0.into(),
            _ => self.declared().0,
        };
        VarId(id).encode(w)
    }
}

/// Layouts that begin with the operation, which is their sub-opcode.
fn is_lsc_layout(kind: Kind) -> bool {
    kind.fields().first().is_some_and(|field| field.ty == "LscOp")
}
