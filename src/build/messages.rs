//! The methods for instructions whose rows have words or lists.

use alloc::vec::Vec;
use core::panic::Location;

use super::handle::{Lanes, Operand};
use super::{AddressHandle, Builder, ErrorKind, PredicateHandle, VarHandle};
use crate::isa::{
    Gather4, Gather4Typed, Info, Labels, Lifetime, Load3d, Params, RtWrite, RtWriteFlags, Sample3d,
    SampleFlags, SampleOp, SamplerOp, Scatter4Typed, SwitchJmp,
};
use crate::operand::{
    Aoffimmi, ChannelMask, Exec, LabelId, LifetimeClass, LifetimeProperties, Pred, Raw, Sampler,
    Scalar, Surface, SurfaceId, VarId, Vector,
};

/// The operands of [`Builder::rt_write_3d`]. The default has no optional operands, and null for the
/// others.
#[derive(Clone, Copy, Debug)]
pub struct RtWriteOperands {
    /// The header of the message; may be null.
    pub header: Operand<Raw>,
    /// The sample index.
    pub sample_index: Option<Operand<Vector>>,
    /// The counter of coarse pixel shading.
    pub cps_counter: Option<Operand<Vector>>,
    /// The index of the render target, 0 to 7. Type UB.
    pub rt_index: Option<Operand<Scalar>>,
    /// The alpha of source 0.
    pub s0a: Option<Operand<Raw>>,
    /// The sample mask. Type UW.
    pub omask: Option<Operand<Raw>>,
    /// Red, green, blue and alpha. All have type F, or all have type HF.
    pub rgba: [Operand<Raw>; 4],
    /// The source depth. Type F.
    pub depth: Option<Operand<Raw>>,
    /// The stencil values. Type UB.
    pub stencil: Option<Operand<Raw>>,
}

impl Default for RtWriteOperands {
    fn default() -> Self {
        let null = Operand::from(VarId::NULL);
        RtWriteOperands {
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

macro_rules! typed4 {
    ($(#[$doc:meta])* $method:ident $name:ident $data:ident) => {
        $(#[$doc])*
        #[track_caller]
        pub fn $method(
            &mut self,
            lanes: impl Into<Lanes>,
            channels: ChannelMask,
            surface: impl Into<Operand<SurfaceId>>,
            u: impl Into<Operand<Raw>>,
            v: impl Into<Operand<Raw>>,
            r: impl Into<Operand<Raw>>,
            lod: impl Into<Operand<Raw>>,
            $data: impl Into<Operand<Raw>>,
        ) -> &mut Self {
            let (exec, pred) = self.lanes(lanes);
            let instruction = $name {
                exec,
                pred,
                channels,
                surface: self.field("surface", surface.into()),
                u: self.field("u", u.into()),
                v: self.field("v", v.into()),
                r: self.field("r", r.into()),
                lod: self.field("lod", lod.into()),
                $data: self.field(stringify!($data), $data.into()),
            };
            self.push(instruction)
        }
    };
}

/// Methods that append messages, jumps and lifetimes with several layouts.
#[allow(clippy::too_many_arguments)]
impl Builder {
    typed4! {
        /// Appends a scattered read of a typed surface. Coordinates that the surface does not have
        /// are [`VarId::NULL`].
        gather4_typed Gather4Typed dst
    }

    typed4! {
        /// Appends a scattered write of a typed surface. Coordinates that the surface does not have
        /// are [`VarId::NULL`].
        scatter4_typed Scatter4Typed src
    }

    /// Appends an INFO that returns the dimensions of a surface at a level of detail, and its
    /// number of levels.
    #[track_caller]
    pub fn resinfo(
        &mut self,
        exec: impl Into<Exec>,
        channels: ChannelMask,
        surface: impl Into<Operand<Surface>>,
        lod: impl Into<Operand<Raw>>,
        dst: impl Into<Operand<Raw>>,
    ) -> &mut Self {
        let surface = self.field("surface", surface.into());
        let lod = self.field("lod", lod.into());
        let dst = self.field("dst", dst.into());
        self.push(Info { exec: exec.into(), channels, surface, lod: Some(lod), dst })
    }

    /// Appends an INFO that returns the number of samples of a surface, and their palette.
    #[track_caller]
    pub fn sampleinfo(
        &mut self,
        exec: impl Into<Exec>,
        channels: ChannelMask,
        surface: impl Into<Operand<Surface>>,
        dst: impl Into<Operand<Raw>>,
    ) -> &mut Self {
        let surface = self.field("surface", surface.into());
        let dst = self.field("dst", dst.into());
        self.push(Info { exec: exec.into(), channels, surface, lod: None, dst })
    }

    /// Appends a write of colors, depth and stencil to a render target.
    #[track_caller]
    pub fn rt_write_3d(
        &mut self,
        flags: RtWriteFlags,
        lanes: impl Into<Lanes>,
        surface: impl Into<Operand<Surface>>,
        operands: RtWriteOperands,
    ) -> &mut Self {
        let (exec, pred) = self.lanes(lanes);
        let surface = self.field("surface", surface.into());
        let header = self.field("header", operands.header);
        let sample_index = self.optional("sample_index", operands.sample_index);
        let cps_counter = self.optional("cps_counter", operands.cps_counter);
        let rt_index = self.optional("rt_index", operands.rt_index);
        let s0a = self.optional("s0a", operands.s0a);
        let omask = self.optional("omask", operands.omask);
        let [r, g, b, a] = operands.rgba;
        let r = self.field("r", r);
        let g = self.field("g", g);
        let b = self.field("b", b);
        let a = self.field("a", a);
        let depth = self.optional("depth", operands.depth);
        let stencil = self.optional("stencil", operands.stencil);
        self.push(RtWrite {
            exec,
            pred,
            flags,
            surface,
            header,
            sample_index,
            cps_counter,
            rt_index,
            s0a,
            omask,
            r,
            g,
            b,
            a,
            depth,
            stencil,
        })
    }

    /// Appends a sample of a surface. The parameters are in the order of [`SampleOp::params`].
    #[track_caller]
    pub fn sample_3d(
        &mut self,
        op: SampleOp,
        flags: SampleFlags,
        lanes: impl Into<Lanes>,
        channels: ChannelMask,
        aoffimmi: Aoffimmi,
        sampler: impl Into<Operand<Sampler>>,
        surface: impl Into<Operand<Surface>>,
        dst: impl Into<Operand<Raw>>,
        params: &[Operand<Raw>],
    ) -> &mut Self {
        let (exec, pred) = self.lanes(lanes);
        let sampler = self.field("sampler", sampler.into());
        let surface = self.field("surface", surface.into());
        let dst = self.field("dst", dst.into());
        let (params, new) = (self.params(params), Sample3d::for_format(self.format()));
        self.push(Sample3d {
            op,
            flags,
            exec,
            pred,
            channels,
            aoffimmi,
            sampler,
            surface,
            dst,
            params,
            ..new
        })
    }

    /// Appends a load of texels through the sampler unit, without a sampler.
    #[track_caller]
    pub fn load_3d(
        &mut self,
        op: SamplerOp,
        flags: SampleFlags,
        lanes: impl Into<Lanes>,
        channels: ChannelMask,
        aoffimmi: Aoffimmi,
        surface: impl Into<Operand<Surface>>,
        dst: impl Into<Operand<Raw>>,
        params: &[Operand<Raw>],
    ) -> &mut Self {
        let (exec, pred) = self.lanes(lanes);
        let surface = self.field("surface", surface.into());
        let dst = self.field("dst", dst.into());
        let (params, new) = (self.params(params), Load3d::for_format(self.format()));
        self.push(Load3d { op, flags, exec, pred, channels, aoffimmi, surface, dst, params, ..new })
    }

    /// Appends a gather of one channel of four texels.
    #[track_caller]
    pub fn gather4_3d(
        &mut self,
        op: SamplerOp,
        flags: SampleFlags,
        lanes: impl Into<Lanes>,
        channel: u8,
        aoffimmi: Aoffimmi,
        sampler: impl Into<Operand<Sampler>>,
        surface: impl Into<Operand<Surface>>,
        dst: impl Into<Operand<Raw>>,
        params: &[Operand<Raw>],
    ) -> &mut Self {
        let (exec, pred) = self.lanes(lanes);
        let sampler = self.field("sampler", sampler.into());
        let surface = self.field("surface", surface.into());
        let dst = self.field("dst", dst.into());
        let (params, new) = (self.params(params), Gather4::for_format(self.format()));
        self.push(Gather4 {
            op,
            flags,
            exec,
            pred,
            channel,
            aoffimmi,
            sampler,
            surface,
            dst,
            params,
            ..new
        })
    }

    /// Appends a jump to the label with the index `index`, from 0. There must be 1 to 32 labels.
    #[track_caller]
    pub fn switchjmp(
        &mut self,
        exec: impl Into<Exec>,
        index: impl Into<Operand<Scalar>>,
        labels: &[super::LabelHandle],
    ) -> &mut Self {
        let index = self.field("index", index.into());
        let mut ids: Vec<LabelId> = Vec::with_capacity(labels.len());
        for label in labels {
            ids.push(self.field("labels", (*label).into()));
        }
        let labels = match Labels::new(&ids) {
            Some(labels) => labels,
            None => {
                self.push_fault("labels", "expected 1 to 32 labels");
                Labels::default()
            }
        };
        self.push(SwitchJmp { exec: exec.into(), index, labels })
    }

    /// Appends the start of the lifetime of a variable.
    #[track_caller]
    pub fn lifetime_start(&mut self, variable: impl Into<LifetimeVariable>) -> &mut Self {
        self.lifetime(false, variable.into())
    }

    /// Appends the end of the lifetime of a variable.
    #[track_caller]
    pub fn lifetime_end(&mut self, variable: impl Into<LifetimeVariable>) -> &mut Self {
        self.lifetime(true, variable.into())
    }

    #[track_caller]
    fn lifetime(
        &mut self,
        end: bool,
        LifetimeVariable { class, operand }: LifetimeVariable,
    ) -> &mut Self {
        let variable = self.field("variable", operand);
        self.push(Lifetime { properties: LifetimeProperties { end, class }, variable })
    }

    #[track_caller]
    fn optional<T>(&mut self, field: &'static str, operand: Option<Operand<T>>) -> Option<T> {
        // Not a closure, in which the caller would be this line.
        Some(self.field(field, operand?))
    }

    #[track_caller]
    fn lanes(&mut self, lanes: impl Into<Lanes>) -> (Exec, Pred) {
        let lanes = lanes.into();
        (lanes.exec, self.field("pred", lanes.pred))
    }

    #[track_caller]
    fn params(&mut self, params: &[Operand<Raw>]) -> Params {
        let mut raws = Vec::with_capacity(params.len());
        for param in params {
            raws.push(self.field("params", *param));
        }
        let Some(params) = Params::new(&raws) else {
            self.push_fault("params", "expected at most 15 parameters");
            return Params::EMPTY;
        };
        params
    }

    #[track_caller]
    fn push_fault(&mut self, field: &'static str, fault: &'static str) {
        self.pending.push((field, ErrorKind::Operand(fault), Location::caller()));
    }
}

/// A variable of [`Builder::lifetime_start`] and [`Builder::lifetime_end`]: a [`VarHandle`], an
/// [`AddressHandle`] or a [`PredicateHandle`].
#[derive(Clone, Copy, Debug)]
pub struct LifetimeVariable {
    class: LifetimeClass,
    operand: Operand<VarId>,
}

macro_rules! lifetime_variables {
    ($($name:ident $class:ident),*) => {$(
        impl From<$name> for LifetimeVariable {
            fn from(handle: $name) -> LifetimeVariable {
                let id = VarId(handle.id.0.into());
                let operand = Operand { value: id, owner: Some(handle.owner), fault: None };
                LifetimeVariable { class: LifetimeClass::$class, operand }
            }
        }
    )*};
}

lifetime_variables!(VarHandle GENERAL, AddressHandle ADDRESS, PredicateHandle PREDICATE);
