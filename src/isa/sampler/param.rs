//! The parameters of 3D_SAMPLE.

use core::str::FromStr;

use crate::error::{ErrorKind, Result};
use crate::isa::Sample3d;
use crate::isa::list::Name;
use crate::operand::Raw;

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
