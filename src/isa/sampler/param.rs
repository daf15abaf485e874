//! The parameters of 3D_SAMPLE.

use core::str::FromStr;

use crate::error::{ErrorKind, Result};
use crate::isa::Sample3d;
use crate::isa::list::Name;
use crate::operand::Raw;

/// Passes the table of parameters to a macro: their documentation, variants, names in the manual, and
/// setters of the builder.
macro_rules! param_table {
    ($callback:ident) => {
        $callback! {
            /// The x coordinate, normalized.
            U "u" u;
            /// The y coordinate, normalized, or the array index of a 1D array.
            V "v" v;
            /// The z coordinate, normalized, or the array index of a 2D array.
            R "r" r;
            /// The array index of a cube array.
            Ai "ai" ai;
            /// The reference value that the red channel is compared with.
            Ref "ref" reference;
            /// The LOD bias, -16.0 to 16.0.
            Bias "bias" bias;
            /// The LOD.
            Lod "lod" lod;
            /// The gradient of u in x direction.
            Dudx "dudx" dudx;
            /// The gradient of u in y direction.
            Dudy "dudy" dudy;
            /// The gradient of v in x direction.
            Dvdx "dvdx" dvdx;
            /// The gradient of v in y direction.
            Dvdy "dvdy" dvdy;
            /// The gradient of r in x direction.
            Drdx "drdx" drdx;
            /// The gradient of r in y direction.
            Drdy "drdy" drdy;
        }
    };
}

macro_rules! params {
    ($($(#[$doc:meta])* $param:ident $name:literal $setter:ident;)*) => {
        /// A parameter of [`Sample3d`], and of other messages that access texels.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
        #[cfg_attr(feature = "serde", serde(rename_all = "lowercase"))]
        pub enum Param {
            $($(#[$doc])* $param,)*
        }

        impl Param {
            /// Every parameter.
            pub const ALL: [Param; [$($name),*].len()] = [$(Param::$param),*];

            /// Returns the name in the table of the manual.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Param::$param => $name,)*
                }
            }
        }
    };
}

param_table!(params);
#[cfg(feature = "build")]
pub(crate) use param_table;

impl Param {
    /// Returns the coordinate that a gradient belongs to; other parameters belong to themselves.
    #[cfg(feature = "build")]
    pub(crate) const fn coordinate(self) -> Param {
        match self {
            Param::Dudx | Param::Dudy => Param::U,
            Param::Dvdx | Param::Dvdy => Param::V,
            Param::Drdx | Param::Drdy => Param::R,
            _ => self,
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

impl Sample3d {
    /// Returns a parameter. Returns `None` if the operation does not have it, or if it is a missing
    /// trailing parameter, which counts as zero.
    ///
    /// ```
    /// use genvisa::isa::{Param, Params, Sample3d, SampleOp};
    /// use genvisa::operand::{Raw, VarId};
    ///
    /// let [lod, u] = [VarId(32), VarId(33)].map(Raw::from);
    /// let params = Params::from([lod, u]);
    /// let sample = Sample3d { op: SampleOp::SAMPLE_L, params, ..Sample3d::default() };
    /// assert_eq!(sample.param(Param::U), Some(u));
    /// assert_eq!(sample.param(Param::V), None);
    /// ```
    pub fn param(&self, name: Param) -> Option<Raw> {
        let position = self.op.params().iter().position(|param| *param == name)?;
        self.params.get(position).copied()
    }
}
