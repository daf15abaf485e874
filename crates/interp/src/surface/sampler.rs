//! Samplers: how a message computes a sample from texels.

/// The state of a sampler.
///
/// There is one filter for all levels: whether a level is reduced or magnified has no effect.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sampler {
    /// How texels are combined.
    pub filter: Filter,
    /// How the levels of an image are combined: the nearest one, or the two that are nearest.
    pub level_filter: Filter,
    /// What coordinates outside of the image mean, for u, v and r.
    pub address: [AddressMode; 3],
    /// Whether coordinates are from 0 to 1, rather than in texels.
    pub normalized: bool,
    /// The color outside of the image, in RGBA order. It is converted to integers for formats of
    /// integers. Channels that the format of the image does not have are 0, and 1 for alpha.
    pub border: [f32; 4],
    /// What comparing messages do with the reference and a texel; `None` if there are no such messages.
    pub compare: Option<Compare>,
}

/// How texels are combined.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Filter {
    /// The texel that contains the coordinates.
    #[default]
    Nearest,
    /// The texels nearest to the coordinates, 2 in each dimension, weighted by their distances.
    Linear,
}

/// What a coordinate outside of the image means.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum AddressMode {
    /// The nearest texel of the image.
    #[default]
    ClampToEdge,
    /// The border color.
    ClampToBorder,
    /// The image is repeated. Only with normalized coordinates.
    Repeat,
    /// The image is repeated, and every second image is mirrored. Only with normalized coordinates.
    MirroredRepeat,
}

/// A comparison of the reference, on the left, with a texel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compare {
    /// Never true.
    Never,
    /// The reference is less.
    Less,
    /// The reference is less or equal.
    LessEqual,
    /// They are equal.
    Equal,
    /// They are not equal.
    NotEqual,
    /// The reference is greater or equal.
    GreaterEqual,
    /// The reference is greater.
    Greater,
    /// Always true.
    Always,
}

impl Sampler {
    /// Returns a sampler with the same address mode in every dimension, which samples the nearest level, and
    /// whose border has zeros.
    pub fn new(filter: Filter, address: AddressMode, normalized: bool) -> Sampler {
        Sampler {
            filter,
            level_filter: Filter::Nearest,
            address: [address; 3],
            normalized,
            border: [0.0; 4],
            compare: None,
        }
    }
}

impl Filter {
    /// Every filter.
    pub const ALL: [Filter; 2] = [Filter::Nearest, Filter::Linear];

    /// Returns the name, such as `linear`.
    pub fn name(self) -> &'static str {
        match self {
            Filter::Nearest => "nearest",
            Filter::Linear => "linear",
        }
    }
}

impl AddressMode {
    /// Every address mode.
    pub const ALL: [AddressMode; 4] = [
        AddressMode::ClampToEdge,
        AddressMode::ClampToBorder,
        AddressMode::Repeat,
        AddressMode::MirroredRepeat,
    ];

    /// Returns the name, such as `clamp-to-edge`.
    pub fn name(self) -> &'static str {
        match self {
            AddressMode::ClampToEdge => "clamp-to-edge",
            AddressMode::ClampToBorder => "clamp-to-border",
            AddressMode::Repeat => "repeat",
            AddressMode::MirroredRepeat => "mirrored-repeat",
        }
    }

    /// Returns the texel that an index means; `None` for the border.
    pub(crate) fn wrap(self, index: i64, size: u32) -> Option<u32> {
        let size = i64::from(size);
        let texel = match self {
            AddressMode::ClampToEdge => index.clamp(0, size - 1),
            AddressMode::ClampToBorder => index,
            AddressMode::Repeat => index.rem_euclid(size),
            AddressMode::MirroredRepeat => {
                let texel = index.rem_euclid(2 * size);
                texel.min(2 * size - 1 - texel)
            }
        };
        u32::try_from(texel).ok().filter(|texel| i64::from(*texel) < size)
    }
}

impl Compare {
    /// Returns whether the reference compares with a texel; with a number that is not one, only
    /// [`NotEqual`](Self::NotEqual) and [`Always`](Self::Always) are true.
    pub(crate) fn holds(self, reference: f64, texel: f64) -> bool {
        match self {
            Compare::Never => false,
            Compare::Less => reference < texel,
            Compare::LessEqual => reference <= texel,
            Compare::Equal => reference == texel,
            Compare::NotEqual => reference != texel,
            Compare::GreaterEqual => reference >= texel,
            Compare::Greater => reference > texel,
            Compare::Always => true,
        }
    }
}
