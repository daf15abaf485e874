//! Images: texels in memory.

use super::format::PixelFormat;

/// Texels with a format, in rows and slices, in the memory of a machine. An image is not tiled.
///
/// ```
/// use genvisa_interp::{Dimensions, Image, PixelFormat};
///
/// let image = Image::new(Dimensions::D2, PixelFormat::Rgba8Unorm, [16, 8, 1], 0x1000);
/// assert_eq!((image.row_pitch, image.bytes()), (64, 512));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Image {
    /// What the coordinates are.
    pub dimensions: Dimensions,
    /// The format of a texel.
    pub format: PixelFormat,
    /// The number of texels in a row.
    pub width: u32,
    /// The number of rows; 1 for 1D images and arrays of them.
    pub height: u32,
    /// The number of slices of a 3D image, of images of an array, or of faces of cubes; 1 for other images.
    pub depth: u32,
    /// The distance of rows in bytes.
    pub row_pitch: u32,
    /// The distance of slices, or of images of an array, in bytes.
    pub slice_pitch: u32,
    /// The address of the first texel.
    pub address: u64,
    /// The planes from plane 1 on, which media messages name; plane 0 is the texels of the image.
    /// Samplers and typed messages refuse images with several planes.
    pub planes: Vec<Plane>,
    /// The number of levels of detail, at most [`Image::MAX_LEVELS`]. Level 0 is described by the other fields.
    /// The size of each further level is half of that before, rounded down, but at least 1; the number of
    /// images of an array is the same. Each level follows the one before, without gaps.
    pub levels: u32,
    /// The number of samples of each texel, at most [`Image::MAX_SAMPLES`]. Those with one index are stored like an
    /// image of an array. Only RT_WRITE and INFO accept an image with more than one.
    pub samples: u32,
}

/// How the texels of an image are stored: in one plane of a format, or in the planes of a video format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// Texels with all their channels.
    Texels(PixelFormat),
    /// [`Image::nv12`].
    Nv12,
    /// [`Image::p010`].
    P010,
}

/// What the coordinates of an image are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dimensions {
    /// u is x.
    D1,
    /// u is x, v is the index in the array.
    D1Array,
    /// u is x, v is y.
    D2,
    /// u is x, v is y, r is the index in the array.
    D2Array,
    /// u is x, v is y, r is z.
    D3,
    /// Samplers: u, v and r are a direction, and ai is the index of a cube. The images of the array are the faces of each
    /// cube: +x, -x, +y, -y, +z and -z. Typed messages access them like those of [`D2Array`](Dimensions::D2Array).
    Cube,
}

/// A further plane of an image: rows of bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Plane {
    /// The address of the first byte.
    pub address: u64,
    /// The number of bytes in a row.
    pub width: u32,
    /// The number of rows.
    pub height: u32,
    /// The distance of rows in bytes.
    pub row_pitch: u32,
}

/// The images that RT_WRITE writes. They are 2D images.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RenderTargets {
    /// The render targets, by index.
    pub colors: Vec<Image>,
    /// The depth buffer: an image of one channel.
    pub depth: Option<Image>,
    /// The stencil buffer: an image of one channel of integers.
    pub stencil: Option<Image>,
}

impl Image {
    /// The number of levels of an image of 16384 texels.
    pub const MAX_LEVELS: u32 = 15;

    /// The number of samples that Direct3D and Vulkan have at most on this hardware.
    pub const MAX_SAMPLES: u32 = 16;

    /// Returns an image with one level, without gaps between rows and slices. The size is the width, the height and the
    /// depth.
    pub fn new(dimensions: Dimensions, format: PixelFormat, size: [u32; 3], address: u64) -> Image {
        let [width, height, depth] = size;
        let row_pitch = width.saturating_mul(format.bytes());
        let slice_pitch = row_pitch.saturating_mul(height);
        Image {
            dimensions,
            format,
            width,
            height,
            depth,
            row_pitch,
            slice_pitch,
            address,
            planes: Vec::new(),
            levels: 1,
            samples: 1,
        }
    }

    /// Returns the image with so many levels.
    #[must_use]
    pub fn with_levels(self, levels: u32) -> Image {
        Image { levels, ..self }
    }

    /// Returns the image with so many samples of each texel.
    ///
    /// ```
    /// use genvisa_interp::{Dimensions, Image, PixelFormat};
    ///
    /// let image = Image::new(Dimensions::D2, PixelFormat::Rgba8Unorm, [16, 8, 1], 0).with_samples(4);
    /// assert_eq!(image.bytes(), 4 * 16 * 8 * 4);
    /// ```
    #[must_use]
    pub fn with_samples(self, samples: u32) -> Image {
        Image { samples, ..self }
    }

    /// Returns a level as an image of its own; `None` if the image does not have it.
    ///
    /// ```
    /// use genvisa_interp::{Dimensions, Image, PixelFormat};
    ///
    /// let image = Image::new(Dimensions::D2, PixelFormat::R8Unorm, [16, 4, 1], 0).with_levels(5);
    /// let level = image.level(3).expect("it has 5 levels");
    /// assert_eq!((level.width, level.height, level.address), (2, 1, 64 + 16 + 4));
    /// assert_eq!(image.bytes(), 64 + 16 + 4 + 2 + 1);
    /// ```
    pub fn level(&self, level: u32) -> Option<Image> {
        if level >= self.levels.min(Image::MAX_LEVELS) {
            return None;
        }
        let first = Image { levels: 1, ..self.clone() };
        Some((1..=level).fold(first, |image, _| {
            let half = |axis: usize, size: u32| match axis < image.dimensions.axes() {
                true => (size / 2).max(1),
                false => size,
            };
            let size = [half(0, image.width), half(1, image.height), half(2, image.depth)];
            let address = image.address.saturating_add(image.bytes());
            Image::new(image.dimensions, image.format, size, address)
        }))
    }

    /// Returns an image in the layout NV12: plane 0 has a byte of luminance per texel, and plane 1, which
    /// follows it, has the chrominance: two bytes per two texels of every second row.
    pub fn nv12(width: u32, height: u32, row_pitch: u32, address: u64) -> Image {
        Image::planar(PixelFormat::R8Unorm, [width, height], row_pitch, address)
    }

    /// Returns an image in the layout P010: that of NV12 with words instead of bytes.
    pub fn p010(width: u32, height: u32, row_pitch: u32, address: u64) -> Image {
        Image::planar(PixelFormat::R16Unorm, [width, height], row_pitch, address)
    }

    fn planar(format: PixelFormat, size: [u32; 2], row_pitch: u32, address: u64) -> Image {
        let [width, height] = size;
        let chrominance = Plane {
            address: address.saturating_add(u64::from(row_pitch) * u64::from(height)),
            width: width.div_ceil(2).saturating_mul(2).saturating_mul(format.bytes()),
            height: height.div_ceil(2),
            row_pitch,
        };
        let slice_pitch = row_pitch.saturating_mul(height);
        let image = Image::new(Dimensions::D2, format, [width, height, 1], address);
        Image { row_pitch, slice_pitch, planes: vec![chrominance], ..image }
    }

    /// Returns the image with its first texel at an address, and its planes at their distances from it.
    #[must_use]
    pub fn at(mut self, address: u64) -> Image {
        for plane in &mut self.planes {
            plane.address = address.wrapping_add(plane.address.wrapping_sub(self.address));
        }
        Image { address, ..self }
    }

    /// Returns the number of bytes from the first texel to the end of the last one, of the last level or plane.
    pub fn bytes(&self) -> u64 {
        let last = self.levels.min(Image::MAX_LEVELS).saturating_sub(1);
        if let Some(level) = self.level(last).filter(|_| last > 0) {
            return level.address.saturating_sub(self.address).saturating_add(level.bytes());
        }
        let slices = self.depth.max(self.samples.min(Image::MAX_SAMPLES));
        let [x, y, z] = [self.width, self.height, slices].map(|size| size.saturating_sub(1));
        let texels = self.offset([x, y, z]).saturating_add(self.format.bytes().into());
        let ends = self.planes.iter().map(|plane| plane.end().saturating_sub(self.address));
        ends.fold(texels, u64::max)
    }

    /// Returns the offset of a texel in bytes.
    fn offset(&self, [x, y, z]: [u32; 3]) -> u64 {
        let row = u64::from(y) * u64::from(self.row_pitch);
        let slice = u64::from(z) * u64::from(self.slice_pitch);
        slice.saturating_add(row).saturating_add(u64::from(x) * u64::from(self.format.bytes()))
    }

    /// Returns the address of a texel.
    pub(crate) fn texel(&self, texel: [u32; 3]) -> u64 {
        self.address.saturating_add(self.offset(texel))
    }

    /// Returns why the image is invalid, or `None`: it has no texels, or it is a cube whose faces are not squares or whose number of
    /// faces is not a multiple of 6.
    ///
    /// ```
    /// use genvisa_interp::{Dimensions, Image, PixelFormat};
    ///
    /// let image = |size| Image::new(Dimensions::Cube, PixelFormat::R8Unorm, size, 0);
    /// assert_eq!(image([16, 16, 6]).problem(), None);
    /// assert_eq!(image([16, 8, 6]).problem(), Some("the faces of the cube are not squares"));
    /// assert_eq!(image([16, 16, 1]).problem(), Some("a cube has 6 faces, and an array of cubes a multiple"));
    /// ```
    pub fn problem(&self) -> Option<&'static str> {
        let is_cube = self.dimensions == Dimensions::Cube;
        if self.size().contains(&0) {
            Some("the image has no texels")
        } else if is_cube && self.width != self.height {
            Some("the faces of the cube are not squares")
        } else if is_cube && self.depth % Dimensions::CUBE_FACES != 0 {
            Some("a cube has 6 faces, and an array of cubes a multiple")
        } else {
            None
        }
    }

    /// Returns the width, the height and the depth.
    pub(crate) fn size(&self) -> [u32; 3] {
        [self.width, self.height, self.depth]
    }

    /// Returns a plane that media messages access.
    pub(crate) fn plane(&self, index: u8) -> Option<Plane> {
        match index.checked_sub(1) {
            None => Some(Plane {
                address: self.address,
                width: self.width.saturating_mul(self.format.bytes()),
                height: self.height,
                row_pitch: self.row_pitch,
            }),
            Some(index) => self.planes.get(usize::from(index)).copied(),
        }
    }
}

impl Plane {
    /// Returns the address after the last byte.
    fn end(&self) -> u64 {
        let rows = u64::from(self.height.saturating_sub(1)) * u64::from(self.row_pitch);
        self.address.saturating_add(rows).saturating_add(self.width.into())
    }

    /// Returns the address of a byte; `None` if it is outside.
    pub(crate) fn byte(&self, x: u64, y: u64) -> Option<u64> {
        (x < self.width.into() && y < self.height.into())
            .then(|| self.address.saturating_add(y * u64::from(self.row_pitch)).saturating_add(x))
    }
}

impl Layout {
    /// Returns all layouts.
    pub fn all() -> impl Iterator<Item = Layout> {
        PixelFormat::ALL.iter().copied().map(Layout::Texels).chain([Layout::Nv12, Layout::P010])
    }

    /// Returns the name, such as `rgba8-unorm` or `nv12`.
    pub fn name(self) -> &'static str {
        match self {
            Layout::Texels(format) => format.name(),
            Layout::Nv12 => "nv12",
            Layout::P010 => "p010",
        }
    }

    /// Returns the layout with a name.
    pub fn from_name(name: &str) -> Option<Layout> {
        Layout::all().find(|layout| layout.name() == name)
    }

    /// Returns an image without gaps between rows, slices and planes. Returns `None` if the layout has planes
    /// and the dimensions are not [`Dimensions::D2`].
    pub fn image(self, dimensions: Dimensions, size: [u32; 3], address: u64) -> Option<Image> {
        let [width, height, _] = size;
        let is_2d = dimensions == Dimensions::D2;
        // A row of chrominance has an even number of texels.
        let pitch = |bytes: u32| width.div_ceil(2).saturating_mul(2).saturating_mul(bytes);
        match self {
            Layout::Texels(format) => Some(Image::new(dimensions, format, size, address)),
            Layout::Nv12 => is_2d.then(|| Image::nv12(width, height, pitch(1), address)),
            Layout::P010 => is_2d.then(|| Image::p010(width, height, pitch(2), address)),
        }
    }
}

impl Dimensions {
    /// All kinds of images.
    pub const ALL: [Dimensions; 6] = [
        Dimensions::D1,
        Dimensions::D1Array,
        Dimensions::D2,
        Dimensions::D2Array,
        Dimensions::D3,
        Dimensions::Cube,
    ];

    /// The number of faces of a cube.
    pub const CUBE_FACES: u32 = 6;

    /// Returns the name, such as `2d-array`.
    pub fn name(self) -> &'static str {
        match self {
            Dimensions::D1 => "1d",
            Dimensions::D1Array => "1d-array",
            Dimensions::D2 => "2d",
            Dimensions::D2Array => "2d-array",
            Dimensions::D3 => "3d",
            Dimensions::Cube => "cube",
        }
    }

    /// Returns the number of coordinates that are in the space of the image.
    pub(crate) fn axes(self) -> usize {
        match self {
            Dimensions::D1 | Dimensions::D1Array => 1,
            Dimensions::D2 | Dimensions::D2Array | Dimensions::Cube => 2,
            Dimensions::D3 => 3,
        }
    }

    /// Returns the number of parameters of a sample, of u, v, r and ai.
    pub(crate) fn sample_params(self) -> usize {
        match self {
            Dimensions::Cube => 4,
            dimensions => dimensions.coordinates(),
        }
    }

    /// Returns the number of coordinates of a sample that may have an offset.
    pub(crate) fn offset_axes(self) -> usize {
        match self {
            Dimensions::Cube => 0,
            dimensions => dimensions.axes(),
        }
    }

    /// Returns whether the coordinate after those in space is the index in an array.
    pub(crate) fn is_array(self) -> bool {
        matches!(self, Dimensions::D1Array | Dimensions::D2Array | Dimensions::Cube)
    }

    /// Returns the number of coordinates.
    pub(crate) fn coordinates(self) -> usize {
        self.axes() + usize::from(self.is_array())
    }
}
