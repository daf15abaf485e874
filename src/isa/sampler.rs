//! Operations, flags and parameter names of 3D_SAMPLE, 3D_LOAD and 3D_GATHER4 (3D_SAMPLE.md;
//! docs/format.md, 4.5).

use alloc::string::String;
use core::fmt;
use core::str::FromStr;

use super::Sample3d;
use super::list::Name;
use crate::error::{ErrorKind, Result};
use crate::format::{Format, Version};
use crate::operand::{Raw, Visit, code};
use crate::wire::{Describe, Reader, Trace, Wire, Writer};

bitflags::bitflags! {
    /// The flags of a sampler message: bits 5 to 7 of the byte that also contains the operation. In
    /// 4.x, they are bits 8 to 10 of a word.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub struct SampleFlags: u8 {
        /// The message returns a pixel null mask after the samples.
        const PIXEL_NULL_MASK = 1 << 5;
        /// The LOD is compensated for coarse pixel shading (CPS).
        const CPS = 1 << 6;
        /// The sampler may differ between lanes.
        const NON_UNIFORM_SAMPLER = 1 << 7;
    }
}

#[cfg(feature = "serde")]
crate::serde_impls::as_flags! {
    SampleFlags: u8;
}

impl Visit for SampleFlags {}

impl Default for SampleFlags {
    fn default() -> Self {
        SampleFlags::empty()
    }
}

code! {
    /// The operation of [`Sample3d`]. Five bits in dialect `Manual` and in 3.x, eight in 4.x.
    ///
    /// The eleven operations of the manual have [parameters](Self::params); dialect `Manual`
    /// rejects others. The Igc dialects accept all values, as readers do. The other names are those
    /// of text of 4.2.
    pub struct SampleOp(max 255) {
        /// Without modification.
        SAMPLE = 0x00 "sample",
        /// With a bias on the LOD.
        SAMPLE_B = 0x01 "sample_b",
        /// With an explicit LOD.
        SAMPLE_L = 0x02 "sample_l",
        /// With comparison.
        SAMPLE_C = 0x03 "sample_c",
        /// With explicit gradients.
        SAMPLE_D = 0x04 "sample_d",
        /// With a bias and comparison.
        SAMPLE_B_C = 0x05 "sample_b_c",
        /// With an explicit LOD and comparison.
        SAMPLE_L_C = 0x06 "sample_l_c",
        /// Returns the LOD instead of a sample.
        LOD = 0x09 "lod",
        /// With explicit gradients, comparison and a minimum LOD.
        SAMPLE_D_C_MLOD = 0x11 "sample_d_c_mlod",
        /// With a minimum LOD.
        SAMPLE_MLOD = 0x12 "sample_mlod",
        /// With comparison and a minimum LOD.
        SAMPLE_C_MLOD = 0x13 "sample_c_mlod",
        /// With explicit gradients and comparison.
        SAMPLE_D_C = 0x14 "sample_d_c",
        /// With a LOD of zero.
        SAMPLE_LZ = 0x18 "sample_lz",
        /// With a LOD of zero and comparison.
        SAMPLE_C_LZ = 0x19 "sample_c_lz",
        /// With offsets per pixel.
        SAMPLE_PO = 0x20 "sample_po",
        /// With offsets per pixel and a bias on the LOD.
        SAMPLE_PO_B = 0x21 "sample_po_b",
        /// With offsets per pixel and an explicit LOD.
        SAMPLE_PO_L = 0x22 "sample_po_l",
        /// With offsets per pixel and comparison.
        SAMPLE_PO_C = 0x23 "sample_po_c",
        /// With offsets per pixel and explicit gradients.
        SAMPLE_PO_D = 0x24 "sample_po_d",
        /// With offsets per pixel, an explicit LOD and comparison.
        SAMPLE_PO_L_C = 0x26 "sample_po_l_c",
        /// With offsets per pixel and a LOD of zero.
        SAMPLE_PO_LZ = 0x38 "sample_po_lz",
        /// With offsets per pixel, a LOD of zero and comparison.
        SAMPLE_PO_C_LZ = 0x39 "sample_po_c_lz",
        /// With offsets per pixel, a bias on the LOD and comparison.
        SAMPLE_PO_B_C = 0x3a "sample_po_b_c",
        /// With offsets per pixel, explicit gradients and comparison.
        SAMPLE_PO_D_C = 0x3b "sample_po_d_c",
    }
}

code! {
    /// The operation of [`Load3d`](super::Load3d) and [`Gather4`](super::Gather4). Five bits in
    /// 3.x, eight in 4.x. All values are accepted, as readers do.
    pub struct SamplerOp(max 255) {
        /// Load.
        LOAD = 0x07 "load_3d",
        /// Gather.
        GATHER4 = 0x08 "sample4",
        /// Gather with an explicit LOD.
        GATHER4_L = 0x0d "sample4_l",
        /// Gather with a bias on the LOD.
        GATHER4_B = 0x0e "sample4_b",
        /// Gather with an implicit LOD.
        GATHER4_I = 0x0f "sample4_i",
        /// Gather with comparison.
        GATHER4_C = 0x10 "sample4_c",
        /// Gather with offsets. From Xe2 on, compilers encode it as 0x28, which text does not
        /// distinguish.
        GATHER4_PO = 0x11 "sample4_po",
        /// Gather with offsets and comparison. From Xe2 on, compilers encode it as 0x30, which text
        /// does not distinguish.
        GATHER4_PO_C = 0x12 "sample4_po_c",
        /// Gather with an implicit LOD and comparison.
        GATHER4_I_C = 0x15 "sample4_i_c",
        /// Gather with an explicit LOD and comparison.
        GATHER4_L_C = 0x17 "sample4_l_c",
        /// Load with a LOD of zero.
        LOAD_LZ = 0x1a "load_lz",
        /// Load with an explicit LOD.
        LOAD_L = 0x1b "load_l",
        /// Load from a multisampled surface.
        LOAD_2DMS_W = 0x1c "load_2dms_w",
        /// Load from the multisample control surface.
        LOAD_MCS = 0x1d "load_mcs",
        /// Gather with offsets and an explicit LOD.
        GATHER4_PO_L = 0x2d "sample4_po_l",
        /// Gather with offsets and a bias on the LOD.
        GATHER4_PO_B = 0x2e "sample4_po_b",
        /// Gather with offsets and an implicit LOD.
        GATHER4_PO_I = 0x2f "sample4_po_i",
        /// Gather with offsets, an implicit LOD and comparison.
        GATHER4_PO_I_C = 0x35 "sample4_po_i_c",
        /// Gather with offsets, an explicit LOD and comparison.
        GATHER4_PO_L_C = 0x37 "sample4_po_l_c",
    }
}

/// A parameter of [`Sample3d`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "lowercase"))]
pub enum Param {
    /// The x coordinate, normalized.
    U,
    /// The y coordinate, normalized, or the array index of a 1D array.
    V,
    /// The z coordinate, normalized, or the array index of a 2D array.
    R,
    /// The array index of a cube array.
    Ai,
    /// The reference value that the red channel is compared with.
    Ref,
    /// The LOD bias, -16.0 to 16.0.
    Bias,
    /// The LOD.
    Lod,
    /// The gradient of u in x direction.
    Dudx,
    /// The gradient of u in y direction.
    Dudy,
    /// The gradient of v in x direction.
    Dvdx,
    /// The gradient of v in y direction.
    Dvdy,
    /// The gradient of r in x direction.
    Drdx,
    /// The gradient of r in y direction.
    Drdy,
}

impl Param {
    /// Every parameter.
    pub const ALL: [Param; 13] = {
        use Param::*;
        [U, V, R, Ai, Ref, Bias, Lod, Dudx, Dudy, Dvdx, Dvdy, Drdx, Drdy]
    };

    /// Returns the name in the table of the manual.
    pub const fn name(self) -> &'static str {
        match self {
            Param::U => "u",
            Param::V => "v",
            Param::R => "r",
            Param::Ai => "ai",
            Param::Ref => "ref",
            Param::Bias => "bias",
            Param::Lod => "lod",
            Param::Dudx => "dudx",
            Param::Dudy => "dudy",
            Param::Dvdx => "dvdx",
            Param::Dvdy => "dvdy",
            Param::Drdx => "drdx",
            Param::Drdy => "drdy",
        }
    }
}

impl Name for Param {
    fn name(self) -> &'static str {
        self.name()
    }
}

impl FromStr for Param {
    type Err = ErrorKind;

    fn from_str(s: &str) -> Result<Param, ErrorKind> {
        let expected = "a sampler parameter, such as u, ref or dudx";
        Param::ALL.into_iter().find(|p| p.name() == s).ok_or(ErrorKind::Unparsable { expected })
    }
}

impl SamplerOp {
    /// Returns whether dialect `Manual` has the operation: it has no message with these operations.
    const fn is_in_manual(self) -> bool {
        false
    }

    /// Returns whether the operation is a load rather than a gather.
    pub const fn is_load(self) -> bool {
        matches!(
            self,
            SamplerOp::LOAD
                | SamplerOp::LOAD_LZ
                | SamplerOp::LOAD_L
                | SamplerOp::LOAD_2DMS_W
                | SamplerOp::LOAD_MCS
        )
    }
}

impl SampleOp {
    /// Returns whether 3D_SAMPLE.md lists the operation.
    pub(crate) const fn is_in_manual(self) -> bool {
        !self.params().is_empty()
    }

    /// Returns the parameters in the order of the table in 3D_SAMPLE.md. The result is empty for
    /// operations that are not in this table.
    pub const fn params(self) -> &'static [Param] {
        use Param::*;
        match self {
            SampleOp::SAMPLE | SampleOp::LOD | SampleOp::SAMPLE_LZ => &[U, V, R, Ai],
            SampleOp::SAMPLE_B => &[Bias, U, V, R, Ai],
            SampleOp::SAMPLE_L => &[Lod, U, V, R, Ai],
            SampleOp::SAMPLE_C | SampleOp::SAMPLE_C_LZ => &[Ref, U, V, R, Ai],
            SampleOp::SAMPLE_D => &[U, Dudx, Dudy, V, Dvdx, Dvdy, R, Drdx, Drdy, Ai],
            SampleOp::SAMPLE_B_C => &[Ref, Bias, U, V, R, Ai],
            SampleOp::SAMPLE_L_C => &[Ref, Lod, U, V, R, Ai],
            SampleOp::SAMPLE_D_C => &[Ref, U, Dudx, Dudy, V, Dvdx, Dvdy, R, Drdx, Drdy, Ai],
            _ => &[],
        }
    }
}

/// A type of sampler operations.
pub(crate) trait Operation: Copy + Default + fmt::Debug + fmt::Display {
    fn from_low_bits(bits: u8) -> Self;
    fn bits(self) -> u8;
    fn is_in_manual(self) -> bool;
}

macro_rules! operations {
    ($($name:ident),*) => {$(
        impl Operation for $name {
            fn from_low_bits(bits: u8) -> $name {
                $name::from_low_bits(bits)
            }

            fn bits(self) -> u8 {
                self.bits()
            }

            fn is_in_manual(self) -> bool {
                $name::is_in_manual(self)
            }
        }

        impl From<($name, SampleFlags)> for OpWord<$name> {
            fn from((op, flags): ($name, SampleFlags)) -> Self {
                OpWord { op, flags }
            }
        }

        impl From<OpWord<$name>> for ($name, SampleFlags) {
            fn from(word: OpWord<$name>) -> Self {
                (word.op, word.flags)
            }
        }
    )*};
}

operations!(SampleOp, SamplerOp);

/// An operation and its flags: a byte with the flags in bits 5 to 7, or, in the Igc dialects since
/// 4.0, a word with the flags in bits 8 to 10.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct OpWord<O> {
    op: O,
    flags: SampleFlags,
}

impl<O: Operation> OpWord<O> {
    const NARROW_OP: u8 = 0x1f;
    /// The distance between the flags in the byte and in the word, in bits.
    const WIDE_SHIFT: u16 = 3;
    const WIDE_RESERVED: u16 = 0xf800;

    fn is_wide(format: Format) -> bool {
        !format.is_manual() && format.version >= Version::V4_0
    }

    /// Returns an error if the dialect is `Manual`, which does not have the operation.
    fn check(self, format: Format) -> Result<(), ErrorKind> {
        if format.is_manual() && !self.op.is_in_manual() {
            let (what, value) = ("sampler operation", self.op.bits().into());
            return Err(ErrorKind::UnknownSubOpcode { what, value });
        }
        Ok(())
    }
}

impl<O: Operation> fmt::Display for OpWord<O> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.op, f)
    }
}

impl<O: Operation> Describe for OpWord<O> {
    fn meaning(&self, _: Format) -> String {
        let mut text = String::new();
        for (flag, _) in self.flags.iter_names() {
            text += if text.is_empty() { "flags: " } else { ", " };
            text += &flag.to_lowercase();
        }
        text
    }
}

impl<O: Operation> Wire for OpWord<O> {
    fn decode_into<T: Trace>(&mut self, r: &mut Reader<'_, T>) -> Result<()> {
        if Self::is_wide(r.format()) {
            let word = r.u16()?;
            let reserved = word & Self::WIDE_RESERVED;
            if reserved != 0 {
                return Err(r.error_back(2, ErrorKind::ReservedBits { bits: reserved.into() }));
            }
            self.op = O::from_low_bits(word as u8);
            let flags = (word & 0xff00) >> Self::WIDE_SHIFT;
            self.flags = SampleFlags::from_bits_truncate(flags as u8);
        } else {
            let byte = r.u8()?;
            self.op = O::from_low_bits(byte & Self::NARROW_OP);
            self.flags = SampleFlags::from_bits_truncate(byte);
        }
        self.check(r.format()).map_err(|kind| r.error_back(1, kind))
    }

    fn encode(&self, w: &mut Writer) -> Result<()> {
        self.check(w.format()).map_err(|kind| w.error(kind))?;
        let op = self.op.bits();
        if Self::is_wide(w.format()) {
            w.u16(u16::from(op) | u16::from(self.flags.bits()) << Self::WIDE_SHIFT);
        } else if op > Self::NARROW_OP {
            return Err(w.out_of_range(op, Self::NARROW_OP));
        } else {
            w.u8(op | self.flags.bits());
        }
        Ok(())
    }
}

#[cfg(feature = "proptest")]
impl<O: Operation + 'static> crate::generate::Generate for OpWord<O> {
    fn strategy(format: Format) -> proptest::strategy::BoxedStrategy<Self> {
        use proptest::prelude::{Strategy, any};
        let bits = if Self::is_wide(format) { u8::MAX } else { Self::NARROW_OP };
        (0..=bits, any::<u8>())
            .prop_map(|(op, flags)| {
                let flags = SampleFlags::from_bits_truncate(flags);
                OpWord { op: O::from_low_bits(op), flags }
            })
            .prop_filter("an operation of the format", move |word| word.check(format).is_ok())
            .boxed()
    }
}

impl Sample3d {
    /// Returns a parameter. Returns `None` if the operation does not have it, or if it is a missing
    /// trailing parameter, which counts as zero.
    ///
    /// ```
    /// use genvisa::isa::{Param, Params, Sample3d, SampleOp};
    /// use genvisa::operand::{Raw, VarId};
    ///
    /// let [lod, u] = [VarId(32), VarId(33)].map(Raw::from);
    /// let params = Params::new(&[lod, u]).expect("at most 15");
    /// let sample = Sample3d { op: SampleOp::SAMPLE_L, params, ..Sample3d::default() };
    /// assert_eq!(sample.param(Param::U), Some(u));
    /// assert_eq!(sample.param(Param::V), None);
    /// ```
    pub fn param(&self, name: Param) -> Option<Raw> {
        let position = self.op.params().iter().position(|param| *param == name)?;
        self.params.get(position).copied()
    }
}
