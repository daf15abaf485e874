//! Pictures as the texels of images: raw bytes, or PNG.

use std::path::Path;

use anyhow::bail;
use genvisa_interp::Image;

use crate::words::shown;

/// Returns the texels of an image: the bytes of a file, or what a PNG file contains.
pub fn texels(image: &Image, bytes: Vec<u8>) -> anyhow::Result<Vec<u8>> {
    let bytes = match png::is_png(&bytes) {
        true => png::decode(image, &bytes)?,
        false => bytes,
    };
    let (expected, found) = (image.bytes(), bytes.len());
    match expected == found as u64 {
        true => Ok(bytes),
        false => bail!("the image has {expected} bytes, but {found} are given"),
    }
}

/// Returns the bytes of the file of a buffer: those of an image are PNG if the name of the file says so.
pub fn file(path: &Path, image: Option<&Image>, bytes: &[u8]) -> anyhow::Result<Vec<u8>> {
    match image.filter(|_| is_png(path)) {
        Some(image) => png::encode(image, bytes),
        None => Ok(bytes.to_vec()),
    }
}

/// Fails if a file cannot have an image.
pub fn check(path: &Path, image: Option<&Image>) -> anyhow::Result<()> {
    match image {
        Some(image) if is_png(path) => png::check(image),
        None if is_png(path) => bail!("`{}` is for an image, not for a buffer", shown(path)),
        _ => Ok(()),
    }
}

fn is_png(path: &Path) -> bool {
    path.extension().is_some_and(|it| it.eq_ignore_ascii_case("png"))
}

#[cfg(feature = "png")]
mod png {
    use std::io::Cursor;

    use anyhow::{Context, bail};
    use genvisa_interp::{Dimensions, Image};
    use png::{BitDepth, ColorType, Decoder, Encoder};

    pub fn is_png(bytes: &[u8]) -> bool {
        bytes.starts_with(b"\x89PNG\r\n\x1a\n")
    }

    /// Returns how PNG has the texels of an image, and whether red and blue change places.
    fn kind(image: &Image) -> anyhow::Result<(ColorType, BitDepth, bool)> {
        let (format, kind) = (image.format, image.dimensions.name());
        for (count, what) in [(image.levels, "levels"), (image.samples, "samples")] {
            if count > 1 {
                bail!("an image with several {what} is not a PNG file; use raw texels");
            }
        }
        if image.dimensions != Dimensions::D2 {
            bail!("a {kind} image is not a PNG file; use raw texels");
        }
        // The texels of an image with planes are its luminance.
        Ok(match format.name() {
            "r8-unorm" | "r8-uint" => (ColorType::Grayscale, BitDepth::Eight, false),
            "rgba8-unorm" | "rgba8-uint" => (ColorType::Rgba, BitDepth::Eight, false),
            "bgra8-unorm" => (ColorType::Rgba, BitDepth::Eight, true),
            "r16-unorm" | "r16-uint" => (ColorType::Grayscale, BitDepth::Sixteen, false),
            "rgba16-unorm" | "rgba16-uint" => (ColorType::Rgba, BitDepth::Sixteen, false),
            name => bail!("format {name} is not one of PNG; use raw texels"),
        })
    }

    pub fn check(image: &Image) -> anyhow::Result<()> {
        kind(image).map(|_| ())
    }

    /// Changes texels between memory and PNG, whose words begin with their high byte.
    fn convert(texels: &mut [u8], depth: BitDepth, swaps_red_and_blue: bool) {
        if depth == BitDepth::Sixteen {
            texels.chunks_exact_mut(2).for_each(<[u8]>::reverse);
        }
        if swaps_red_and_blue {
            texels.chunks_exact_mut(4).for_each(|texel| texel.swap(0, 2));
        }
    }

    pub fn decode(image: &Image, bytes: &[u8]) -> anyhow::Result<Vec<u8>> {
        let (color, depth, swaps) = kind(image)?;
        if !image.planes.is_empty() {
            bail!("a PNG file has no planes; use raw texels");
        }
        let context = "the PNG file cannot be read";
        let mut reader = Decoder::new(Cursor::new(bytes)).read_info().context(context)?;
        let info = reader.info();
        if (info.width, info.height) != (image.width, image.height) {
            bail!("the PNG file has {} x {} texels", info.width, info.height);
        }
        if reader.output_color_type() != (color, depth) {
            let (color, depth) = reader.output_color_type();
            bail!(
                "the PNG file has texels of type {color:?} with {} bits, not those of {}",
                depth as u8,
                image.format
            );
        }
        let mut texels = vec![0; image.bytes() as usize];
        reader.next_frame(&mut texels).context(context)?;
        convert(&mut texels, depth, swaps);
        Ok(texels)
    }

    pub fn encode(image: &Image, texels: &[u8]) -> anyhow::Result<Vec<u8>> {
        let (color, depth, swaps) = kind(image)?;
        let row = image.width as usize * image.format.bytes() as usize;
        let rows = texels.chunks(image.row_pitch as usize).take(image.height as usize);
        let mut texels = rows.flat_map(|bytes| &bytes[..row]).copied().collect::<Vec<u8>>();
        convert(&mut texels, depth, swaps);
        let mut file = Vec::new();
        let mut encoder = Encoder::new(&mut file, image.width, image.height);
        encoder.set_color(color);
        encoder.set_depth(depth);
        let mut writer = encoder.write_header()?;
        writer.write_image_data(&texels)?;
        writer.finish()?;
        Ok(file)
    }
}

#[cfg(not(feature = "png"))]
mod png {
    use anyhow::bail;
    use genvisa_interp::Image;

    pub fn is_png(_: &[u8]) -> bool {
        false
    }

    pub fn decode(image: &Image, _: &[u8]) -> anyhow::Result<Vec<u8>> {
        check(image).map(|()| Vec::new())
    }

    pub fn check(_: &Image) -> anyhow::Result<()> {
        bail!("this program was built without PNG; write raw texels to a file with another name")
    }

    pub fn encode(image: &Image, _: &[u8]) -> anyhow::Result<Vec<u8>> {
        check(image).map(|()| Vec::new())
    }
}
