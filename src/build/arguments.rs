//! The arguments of messages with many operands.

use alloc::vec::Vec;

use super::handle::Operand;
use crate::isa::sampler::param::param_table;
use crate::isa::{Param, RtWriteFlags, SampleFlags};
use crate::operand::{Aoffimmi, ChannelMask, MediaModifier, Raw, Scalar, VarId, Vector};

/// The parameters of a message that accesses texels, in any order, and what else may differ from the usual.
///
/// The operation of the message determines the parameters that it has ([`SampleOp::params`] and
/// [`SamplerOp::params`]). `u`, `reference`, `bias`, the `lod` of a sample or gather, and the gradients of
/// the coordinates are required if the operation has them. Coordinates that the surface does not have are
/// omitted.
///
/// [`SampleOp::params`]: crate::isa::SampleOp::params
/// [`SamplerOp::params`]: crate::isa::SamplerOp::params
///
/// ```
/// use genvisa::build::{Builder, TexelArgs};
/// use genvisa::isa::{SampleOp, SamplerOp};
/// use genvisa::object::Align;
/// use genvisa::operand::{ChannelMask, DataType, ExecSize::*};
/// use genvisa::Format;
///
/// let mut k = Builder::new("k", Format::default());
/// let (linear, image) = (k.add_sampler("linear"), k.add_surface("image"));
/// let [u, v, bias] = ["u", "v", "bias"].map(|name| k.add_variable(name, DataType::F, 8, Align::GRF));
/// let [x, y] = ["x", "y"].map(|name| k.add_variable(name, DataType::UD, 8, Align::GRF));
/// let colour = k.add_variable("colour", DataType::F, 32, Align::GRF);
///
/// let at = TexelArgs::new().u(u).v(v);
/// k.sample_3d(S8, SampleOp::SAMPLE, linear, image, colour, at.clone());
/// k.sample_3d(S8, SampleOp::SAMPLE_B, linear, image, colour, at.clone().bias(bias).offsets(-2, 1, 0));
/// k.gather4_3d(S8, SamplerOp::GATHER4, linear, image, colour, at.channels(ChannelMask::G));
/// let at = TexelArgs::new().u(x).v(y).channels(ChannelMask::R);
/// k.load_3d(S8, SamplerOp::LOAD_LZ, image, colour, at.clone());
/// k.gather4_typed(S8, image, colour, at);
/// # let errors = k.into_kernel().err();
/// # assert_eq!(errors, None);
/// ```
///
/// A parameter that the operation does not have, or the lack of a required one, is an error:
///
/// ```
/// # use genvisa::build::{Builder, TexelArgs};
/// # use genvisa::isa::SampleOp;
/// # use genvisa::object::Align;
/// # use genvisa::operand::{DataType, ExecSize::*};
/// # let mut k = Builder::new("k", genvisa::Format::default());
/// # let (linear, image) = (k.add_sampler("linear"), k.add_surface("image"));
/// # let u = k.add_variable("u", DataType::F, 8, Align::GRF);
/// # let colour = k.add_variable("colour", DataType::F, 32, Align::GRF);
/// k.sample_3d(S8, SampleOp::SAMPLE_L, linear, image, colour, TexelArgs::new().u(u));
/// let errors = k.into_kernel().unwrap_err();
/// assert_eq!(errors[0].kind.to_string(), "`sample_l` requires the parameter `lod`");
/// ```
#[derive(Clone, Debug, Default)]
#[must_use]
pub struct TexelArgs {
    pub(super) params: Vec<(Param, Operand<Raw>)>,
    pub(super) in_order: Vec<Operand<Raw>>,
    pub(super) channels: Option<ChannelMask>,
    pub(super) flags: SampleFlags,
    pub(super) offsets: Option<Operand<Vector>>,
}

macro_rules! setters {
    ($($(#[$doc:meta])* $param:ident $name:literal $setter:ident;)*) => {
        /// The parameters.
        impl TexelArgs {
            $(
                $(#[$doc])*
                pub fn $setter(self, operand: impl Into<Operand<Raw>>) -> Self {
                    self.param(Param::$param, operand)
                }
            )*
        }
    };
}

param_table!(setters);

impl TexelArgs {
    /// Returns no parameters, and the usual options.
    pub fn new() -> TexelArgs {
        TexelArgs::default()
    }

    /// Sets a parameter.
    pub fn param(mut self, param: Param, operand: impl Into<Operand<Raw>>) -> Self {
        self.params.push((param, operand.into()));
        self
    }

    /// Sets all parameters, for an operation whose parameters have no names here: those with offsets per
    /// pixel or a minimum LOD, and `load_2dms_w`.
    pub fn in_order(mut self, operands: impl IntoIterator<Item = Operand<Raw>>) -> Self {
        self.in_order.extend(operands);
        self
    }

    /// Sets the channels. The default is all of them, or R for [`gather4_3d`], which has exactly one.
    ///
    /// [`gather4_3d`]: super::Builder::gather4_3d
    pub fn channels(mut self, channels: ChannelMask) -> Self {
        self.channels = Some(channels);
        self
    }

    /// Sets the flags of a sampler message. The default is none.
    pub fn flags(mut self, flags: SampleFlags) -> Self {
        self.flags = flags;
        self
    }

    /// Sets the texel offsets of a sampler message, -8 to 7 each. The default is zero.
    pub fn offsets(mut self, u: i8, v: i8, r: i8) -> Self {
        let offsets = Aoffimmi::new(u, v, r);
        let operand = Operand::unowned(offsets.unwrap_or(Aoffimmi::ZERO).0);
        let fault = "expected texel offsets from -8 to 7";
        self.offsets = Some(operand.check(offsets.is_some(), fault));
        self
    }

    /// Sets the texel offsets of a sampler message to a scalar operand, in the layout of [`Aoffimmi`].
    pub fn aoffimmi(mut self, operand: impl Into<Operand<Vector>>) -> Self {
        self.offsets = Some(operand.into());
        self
    }
}

/// The operands of [`rt_write_3d`](super::Builder::rt_write_3d), which are all optional. The default has
/// null for the header and the colors, and none of the others.
///
/// ```
/// use genvisa::build::{Builder, RtWriteArgs};
/// use genvisa::isa::RtWriteFlags;
/// use genvisa::object::Align;
/// use genvisa::operand::{DataType, ExecSize::*, Imm};
/// use genvisa::Format;
///
/// let mut k = Builder::new("k", Format::default());
/// let target = k.add_surface("target");
/// let colour = k.add_variable("colour", DataType::F, 32, Align::GRF);
/// let depth = k.add_variable("depth", DataType::F, 8, Align::GRF);
/// let rgba = [0, 32, 64, 96].map(|offset| colour.raw(offset));
/// let args = RtWriteArgs::new().rgba(rgba).depth(depth).rt_index(1u8).flags(RtWriteFlags::LRTW);
/// k.rt_write_3d(S8, target, args).ret(S1);
/// # assert!(k.into_kernel().is_ok());
/// ```
#[derive(Clone, Copy, Debug)]
#[must_use]
pub struct RtWriteArgs {
    pub(super) flags: RtWriteFlags,
    pub(super) header: Operand<Raw>,
    pub(super) sample_index: Option<Operand<Vector>>,
    pub(super) cps_counter: Option<Operand<Vector>>,
    pub(super) rt_index: Option<Operand<Scalar>>,
    pub(super) s0a: Option<Operand<Raw>>,
    pub(super) omask: Option<Operand<Raw>>,
    pub(super) rgba: [Operand<Raw>; 4],
    pub(super) depth: Option<Operand<Raw>>,
    pub(super) stencil: Option<Operand<Raw>>,
}

impl Default for RtWriteArgs {
    fn default() -> Self {
        let null = Operand::from(VarId::NULL);
        RtWriteArgs {
            flags: RtWriteFlags::empty(),
            header: null,
            sample_index: None,
            cps_counter: None,
            rt_index: None,
            s0a: None,
            omask: None,
            rgba: [null; 4],
            depth: None,
            stencil: None,
        }
    }
}

macro_rules! rt_write_setters {
    ($($(#[$doc:meta])* $setter:ident: $ty:ident;)*) => {$(
        $(#[$doc])*
        pub fn $setter(mut self, operand: impl Into<Operand<$ty>>) -> Self {
            self.$setter = Some(operand.into());
            self
        }
    )*};
}

impl RtWriteArgs {
    /// Returns no operands and no flags.
    pub fn new() -> RtWriteArgs {
        RtWriteArgs::default()
    }

    /// Sets the flags.
    pub fn flags(mut self, flags: RtWriteFlags) -> Self {
        self.flags = flags;
        self
    }

    /// Sets the header of the message.
    pub fn header(mut self, header: impl Into<Operand<Raw>>) -> Self {
        self.header = header.into();
        self
    }

    /// Sets red, green, blue and alpha. All have type F, or all have type HF.
    pub fn rgba(mut self, rgba: [impl Into<Operand<Raw>>; 4]) -> Self {
        self.rgba = rgba.map(Into::into);
        self
    }

    rt_write_setters! {
        /// Sets the sample index.
        sample_index: Vector;
        /// Sets the counter of coarse pixel shading.
        cps_counter: Vector;
        /// Sets the index of the render target, 0 to 7. Type UB.
        rt_index: Scalar;
        /// Sets the alpha of source 0.
        s0a: Raw;
        /// Sets the sample mask. Type UW.
        omask: Raw;
        /// Sets the source depth. Type F.
        depth: Raw;
        /// Sets the stencil values. Type UB.
        stencil: Raw;
    }
}

/// A rectangle of a 2D surface, for [`media_ld`](super::Builder::media_ld) and
/// [`media_st`](super::Builder::media_st).
///
/// ```
/// use genvisa::build::{Builder, MediaBlock};
/// use genvisa::object::Align;
/// use genvisa::operand::{DataType, ExecSize::*};
/// use genvisa::Format;
///
/// let mut k = Builder::new("k", Format::default());
/// let image = k.add_surface("image");
/// let x = k.add_variable("x", DataType::UD, 1, Align::DWORD);
/// let block = k.add_variable("block", DataType::UB, 128, Align::GRF);
/// // 16 bytes by 8 rows, at the byte in `x` of row 4.
/// k.media_ld(image, MediaBlock::new(16, 8).at(x, 4u32), block).ret(S1);
/// # assert!(k.into_kernel().is_ok());
/// ```
#[derive(Clone, Copy, Debug)]
#[must_use]
pub struct MediaBlock {
    pub(super) width: u8,
    pub(super) height: u8,
    pub(super) x: Operand<Scalar>,
    pub(super) y: Operand<Scalar>,
    pub(super) plane: u8,
    pub(super) modifier: MediaModifier,
}

impl MediaBlock {
    /// Returns the rectangle of `width` bytes by `height` rows in the upper left corner, in plane 0.
    pub fn new(width: u8, height: u8) -> MediaBlock {
        let (x, y) = (0u32.into(), 0u32.into());
        MediaBlock { width, height, x, y, plane: 0, modifier: MediaModifier::NOMOD }
    }

    /// Sets the left edge in bytes, and the upper edge in rows. Both are scalars of type UD.
    pub fn at(mut self, x: impl Into<Operand<Scalar>>, y: impl Into<Operand<Scalar>>) -> Self {
        (self.x, self.y) = (x.into(), y.into());
        self
    }

    /// Sets the plane of a planar format, 0 to 3.
    pub fn plane(mut self, plane: u8) -> Self {
        self.plane = plane;
        self
    }

    /// Sets the modifier, such as the field of an interlaced surface.
    pub fn modifier(mut self, modifier: MediaModifier) -> Self {
        self.modifier = modifier;
        self
    }
}
