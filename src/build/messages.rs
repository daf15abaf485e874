//! The methods for instructions whose rows have words or lists.

use alloc::string::ToString;
use alloc::vec::Vec;
use core::panic::Location;

use super::arguments::{MediaBlock, RtWriteArgs, TexelArgs};
use super::handle::{Lanes, Operand};
use super::{AddressHandle, Builder, ErrorKind, PredicateHandle, VarHandle};
use crate::isa::{
    Gather4, Gather4Typed, Info, Labels, Layout, Lifetime, Load3d, MediaLd, MediaSt, Param, Params,
    RtWrite, Sample3d, SampleOp, SamplerOp, Scatter4Typed, SwitchJmp,
};
use crate::operand::{
    Aoffimmi, ChannelMask, Exec, LabelId, LifetimeClass, LifetimeProperties, Pred, Raw, Sampler,
    Scalar, Surface, SurfaceId, VarId,
};

/// The parameters of GATHER4_TYPED and SCATTER4_TYPED.
const TYPED_PARAMS: &[Param] = &[Param::U, Param::V, Param::R, Param::Lod];

macro_rules! typed4 {
    ($(#[$doc:meta])* $method:ident $name:ident $data:ident) => {
        $(#[$doc])*
        #[track_caller]
        pub fn $method(
            &mut self,
            lanes: impl Into<Lanes>,
            surface: impl Into<Operand<SurfaceId>>,
            $data: impl Into<Operand<Raw>>,
            args: TexelArgs,
        ) -> &mut Self {
            let (exec, pred) = self.lanes(lanes);
            let surface = self.field("surface", surface.into());
            let params = self.params(stringify!($method), TYPED_PARAMS, &args);
            if !args.flags.is_empty() || args.offsets.is_some() {
                self.push_fault("args", "only messages to the sampler have flags and texel offsets");
            }
            let param = |index: usize| params.get(index).copied().unwrap_or(Raw::NULL);
            let instruction = $name {
                exec,
                pred,
                channels: args.channels.unwrap_or(ChannelMask::RGBA),
                surface,
                u: param(0),
                v: param(1),
                r: param(2),
                lod: param(3),
                $data: self.field(stringify!($data), $data.into()),
            };
            self.push(instruction)
        }
    };
}

macro_rules! media {
    ($(#[$doc:meta])* $method:ident $name:ident $data:ident) => {
        $(#[$doc])*
        #[track_caller]
        pub fn $method(
            &mut self,
            surface: impl Into<Operand<SurfaceId>>,
            block: MediaBlock,
            $data: impl Into<Operand<Raw>>,
        ) -> &mut Self {
            let instruction = $name {
                modifiers: block.modifier,
                surface: self.field("surface", surface.into()),
                plane: block.plane,
                block_width: block.width,
                block_height: block.height,
                x_offset: self.field("x_offset", block.x),
                y_offset: self.field("y_offset", block.y),
                $data: self.field(stringify!($data), $data.into()).into(),
            };
            self.push(instruction)
        }
    };
}

/// Methods that add messages, jumps and lifetimes with several layouts.
impl Builder {
    media! {
        /// Adds a read of a rectangle of a 2D surface.
        media_ld MediaLd dst
    }

    media! {
        /// Adds a write of a rectangle of a 2D surface.
        media_st MediaSt src
    }

    typed4! {
        /// Adds a scattered read of a typed surface, with the parameters u, v, r and lod.
        gather4_typed Gather4Typed dst
    }

    typed4! {
        /// Adds a scattered write of a typed surface, with the parameters u, v, r and lod.
        scatter4_typed Scatter4Typed src
    }

    /// Adds an INFO that returns the dimensions of a surface at a level of detail, and its
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

    /// Adds an INFO that returns the number of samples of a surface, and their palette.
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

    /// Adds a write of colors, depth and stencil to a render target.
    #[track_caller]
    pub fn rt_write_3d(
        &mut self,
        lanes: impl Into<Lanes>,
        surface: impl Into<Operand<Surface>>,
        args: RtWriteArgs,
    ) -> &mut Self {
        let (exec, pred) = self.lanes(lanes);
        let [r, g, b, a] = args.rgba;
        let instruction = RtWrite {
            exec,
            pred,
            flags: args.flags,
            surface: self.field("surface", surface.into()),
            header: self.field("header", args.header),
            sample_index: self.optional("sample_index", args.sample_index),
            cps_counter: self.optional("cps_counter", args.cps_counter),
            rt_index: self.optional("rt_index", args.rt_index),
            s0a: self.optional("s0a", args.s0a),
            omask: self.optional("omask", args.omask),
            r: self.field("r", r),
            g: self.field("g", g),
            b: self.field("b", b),
            a: self.field("a", a),
            depth: self.optional("depth", args.depth),
            stencil: self.optional("stencil", args.stencil),
        };
        self.push(instruction)
    }

    /// Adds a sample of a surface.
    #[track_caller]
    pub fn sample_3d(
        &mut self,
        lanes: impl Into<Lanes>,
        op: SampleOp,
        sampler: impl Into<Operand<Sampler>>,
        surface: impl Into<Operand<Surface>>,
        dst: impl Into<Operand<Raw>>,
        args: TexelArgs,
    ) -> &mut Self {
        let (exec, pred) = self.lanes(lanes);
        let instruction = Sample3d {
            op,
            flags: args.flags,
            exec,
            pred,
            channels: args.channels.unwrap_or(ChannelMask::RGBA),
            aoffimmi: self.offsets(&args),
            sampler: self.field("sampler", sampler.into()),
            surface: self.field("surface", surface.into()),
            dst: self.field("dst", dst.into()),
            params: self.params(op, op.params(), &args),
            ..Sample3d::for_format(self.format())
        };
        self.push(instruction)
    }

    /// Adds a load of texels through the sampler unit, without a sampler.
    #[track_caller]
    pub fn load_3d(
        &mut self,
        lanes: impl Into<Lanes>,
        op: SamplerOp,
        surface: impl Into<Operand<Surface>>,
        dst: impl Into<Operand<Raw>>,
        args: TexelArgs,
    ) -> &mut Self {
        let (exec, pred) = self.lanes(lanes);
        let instruction = Load3d {
            op,
            flags: args.flags,
            exec,
            pred,
            channels: args.channels.unwrap_or(ChannelMask::RGBA),
            aoffimmi: self.offsets(&args),
            surface: self.field("surface", surface.into()),
            dst: self.field("dst", dst.into()),
            params: self.params(op, op.params(), &args),
            ..Load3d::for_format(self.format())
        };
        self.push(instruction)
    }

    /// Adds a gather of one channel of four texels.
    #[track_caller]
    pub fn gather4_3d(
        &mut self,
        lanes: impl Into<Lanes>,
        op: SamplerOp,
        sampler: impl Into<Operand<Sampler>>,
        surface: impl Into<Operand<Surface>>,
        dst: impl Into<Operand<Raw>>,
        args: TexelArgs,
    ) -> &mut Self {
        let (exec, pred) = self.lanes(lanes);
        let channels = args.channels.unwrap_or(ChannelMask::R).bits();
        if channels.count_ones() != 1 {
            self.push_fault("channel", "expected one channel");
        }
        let instruction = Gather4 {
            op,
            flags: args.flags,
            exec,
            pred,
            channel: channels.trailing_zeros() as u8,
            aoffimmi: self.offsets(&args),
            sampler: self.field("sampler", sampler.into()),
            surface: self.field("surface", surface.into()),
            dst: self.field("dst", dst.into()),
            params: self.params(op, op.params(), &args),
            ..Gather4::for_format(self.format())
        };
        self.push(instruction)
    }

    /// Adds a jump to the label with the index `index`, from 0. There must be 1 to 32 labels.
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

    /// Adds the start of the lifetime of a variable.
    #[track_caller]
    pub fn lifetime_start(&mut self, variable: impl Into<LifetimeVariable>) -> &mut Self {
        self.lifetime(false, variable.into())
    }

    /// Adds the end of the lifetime of a variable.
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
    fn offsets(&mut self, args: &TexelArgs) -> Aoffimmi {
        let zero = Operand::unowned(Aoffimmi::ZERO.0);
        Aoffimmi(self.field("aoffimmi", args.offsets.unwrap_or(zero)))
    }

    /// Returns the parameters of an operation, which has parameters with `names` in this order.
    #[track_caller]
    fn params(&mut self, op: impl ToString, names: &[Param], args: &TexelArgs) -> Params {
        let given = &args.params;
        for (index, (param, _)) in given.iter().enumerate() {
            if !names.is_empty() && !names.contains(param) {
                let (operation, parameter) = (op.to_string(), *param);
                let kind = ErrorKind::UnknownParameter { operation, parameter };
                self.pending.push((param.name(), kind, Location::caller()));
            } else if given[..index].iter().any(|(other, _)| other == param) {
                self.push_fault(param.name(), "the parameter is specified twice");
            }
        }
        match (names.is_empty(), given.is_empty(), args.in_order.is_empty()) {
            (false, _, false) => self.push_fault("params", "set the parameters by their names"),
            (true, false, _) => self.push_fault("params", "set the parameters with `in_order`"),
            (true, true, true) => self.push_fault("params", "expected at least one parameter"),
            _ => {}
        }
        let mut raws = Vec::with_capacity(names.len());
        for operand in &args.in_order {
            raws.push(self.field("params", *operand));
        }
        let mut count = raws.len();
        let required = names.iter().position(|name| *name == Param::U).unwrap_or_default();
        for (index, name) in names.iter().enumerate() {
            if let Some((_, operand)) = given.iter().find(|(param, _)| param == name) {
                raws.push(self.field(name.name(), *operand));
                count = raws.len();
                continue;
            }
            // A coordinate and its gradients require each other.
            let is_partner = |(param, _): &(Param, _)| param.coordinate() == name.coordinate();
            if index <= required || given.iter().any(is_partner) {
                let (operation, parameter) = (op.to_string(), *name);
                let kind = ErrorKind::MissingParameter { operation, parameter };
                self.pending.push((name.name(), kind, Location::caller()));
            }
            raws.push(Raw::NULL);
        }
        // Missing parameters at the end are zero.
        raws.truncate(count);
        match Params::new(&raws) {
            Some(params) => params,
            None => {
                self.push_fault("params", "expected at most 15 parameters");
                Params::EMPTY
            }
        }
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
