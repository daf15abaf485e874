//! Compressed parts of a file: bundles and device images of clang, and members of ZIP files such as Python wheels.

use std::fmt;
use std::ops::Range;

use memchr::memmem;

/// A compressed part of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// What it is, for the user.
    pub label: String,
    /// Whether more than a few bytes tell what it is.
    pub is_certain: bool,
    codec: Codec,
    /// From the first compressed byte to the last, or to the end of the file if the size is not stated.
    data: Range<usize>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Codec {
    Deflate,
    Zlib,
    Zstd,
}

/// Why a part is not unpacked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(not(feature = "compressed"), expect(dead_code, reason = "nothing is unpacked"))]
pub enum Problem {
    /// The data are damaged, or do not begin here.
    Damaged,
    /// It has more bytes than allowed.
    TooLarge(usize),
    /// The library was built without the feature that unpacks.
    #[cfg_attr(
        feature = "compressed",
        expect(dead_code, reason = "for builds without the feature")
    )]
    Unsupported,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Problem::Damaged => f.write_str("the compressed data are damaged"),
            Problem::TooLarge(limit) => write!(f, "unpacked, it has more than {limit} bytes"),
            Problem::Unsupported => f.write_str("this build does not unpack"),
        }
    }
}

/// The letters that begin a bundle that clang compressed.
const BUNDLE_MAGIC: &[u8] = b"CCOB";
/// The letters that begin a member of a ZIP file.
const ZIP_MAGIC: &[u8] = b"PK\x03\x04";
/// The bytes that begin a frame of Zstandard.
const ZSTD_MAGIC: &[u8] = b"\x28\xb5\x2f\xfd";

/// Returns the compressed parts of a file, in their order. Some may only begin like one.
pub fn parts(bytes: &[u8]) -> Vec<Part> {
    let find = |magic: &'static [u8], read: fn(&[u8], usize) -> Option<Part>| {
        memmem::find_iter(bytes, magic).filter_map(move |at| read(bytes, at)).collect::<Vec<_>>()
    };
    let mut parts: Vec<Part> = bundles(bytes).collect();
    parts.extend(find(ZSTD_MAGIC, frame));
    if bytes.starts_with(ZIP_MAGIC) {
        parts.extend(find(ZIP_MAGIC, member));
    }
    // The data of a bundle may be a frame, too.
    parts.sort_by_key(|part| (part.data.start, !part.is_certain));
    parts.dedup_by_key(|part| part.data.start);
    parts
}

/// Returns the bundles that clang has compressed.
pub fn bundles(bytes: &[u8]) -> impl Iterator<Item = Part> {
    memmem::find_iter(bytes, BUNDLE_MAGIC).filter_map(|at| bundle(bytes, at))
}

/// Reads the header of a bundle: the version and the method (0 for zlib, 1 for Zstandard) in 16 bits each, the
/// size of the file from version 2 on and the size without compression in 32 bits, or 64 from version 3 on, and 64
/// bits of a hash.
fn bundle(bytes: &[u8], at: usize) -> Option<Part> {
    let version = number(bytes, at + 4, 2)?;
    let codec = match number(bytes, at + 6, 2)? {
        0 => Codec::Zlib,
        1 => Codec::Zstd,
        _ => return None,
    };
    let (header, end) = match version {
        1 => (8 + 4 + 8, bytes.len()),
        2 => (8 + 4 + 4 + 8, at.checked_add(number(bytes, at + 8, 4)?)?),
        3 => (8 + 8 + 8 + 8, at.checked_add(number(bytes, at + 8, 8)?)?),
        _ => return None,
    };
    let data = at + header..end.min(bytes.len());
    let label = format!("compressed bundle at {at:#x}");
    (!data.is_empty()).then_some(Part { label, is_certain: true, codec, data })
}

/// Returns a frame of Zstandard, as SYCL's compiler stores a device image.
fn frame(bytes: &[u8], at: usize) -> Option<Part> {
    let label = format!("Zstandard data at {at:#x}");
    Some(Part { label, is_certain: false, codec: Codec::Zstd, data: at..bytes.len() })
}

/// Reads the header of a member of a ZIP file, of which only deflated ones are compressed in a known way.
fn member(bytes: &[u8], at: usize) -> Option<Part> {
    const DEFLATE: usize = 8;
    if number(bytes, at + 8, 2)? != DEFLATE {
        return None;
    }
    let name = at + 30..at + 30 + number(bytes, at + 26, 2)?;
    let start = name.end + number(bytes, at + 28, 2)?;
    // The size may follow the data. The data themselves say where they end.
    let end = match number(bytes, at + 18, 4)? {
        0 => bytes.len(),
        size => start.saturating_add(size).min(bytes.len()),
    };
    let name = String::from_utf8_lossy(bytes.get(name)?);
    let label = format!("member {name}");
    (start < end).then_some(Part {
        label,
        is_certain: true,
        codec: Codec::Deflate,
        data: start..end,
    })
}

/// Returns a little-endian number.
fn number(bytes: &[u8], at: usize, size: usize) -> Option<usize> {
    let mut number = [0; 8];
    number[..size].copy_from_slice(bytes.get(at..at.checked_add(size)?)?);
    usize::try_from(u64::from_le_bytes(number)).ok()
}

impl Part {
    /// Returns the bytes, which are at most `limit`.
    #[cfg(feature = "compressed")]
    pub fn unpack(&self, bytes: &[u8], limit: usize) -> Result<Vec<u8>, Problem> {
        use miniz_oxide::inflate::{
            TINFLStatus, decompress_to_vec_with_limit, decompress_to_vec_zlib_with_limit,
        };

        let data = &bytes[self.data.clone()];
        let inflated = match self.codec {
            Codec::Zstd => return unpack_frame(data, limit),
            Codec::Zlib => decompress_to_vec_zlib_with_limit(data, limit),
            Codec::Deflate => decompress_to_vec_with_limit(data, limit),
        };
        inflated.map_err(|error| match error.status {
            TINFLStatus::HasMoreOutput => Problem::TooLarge(limit),
            _ => Problem::Damaged,
        })
    }

    /// Returns that this build does not unpack.
    #[cfg(not(feature = "compressed"))]
    pub fn unpack(&self, _bytes: &[u8], _limit: usize) -> Result<Vec<u8>, Problem> {
        Err(Problem::Unsupported)
    }
}

#[cfg(feature = "compressed")]
fn unpack_frame(data: &[u8], limit: usize) -> Result<Vec<u8>, Problem> {
    use std::io::Read;

    let mut unpacked = Vec::new();
    let decoder = ruzstd::decoding::StreamingDecoder::new(data).map_err(|_| Problem::Damaged)?;
    let most = u64::try_from(limit).unwrap_or(u64::MAX).saturating_add(1);
    decoder.take(most).read_to_end(&mut unpacked).map_err(|_| Problem::Damaged)?;
    if unpacked.len() > limit { Err(Problem::TooLarge(limit)) } else { Ok(unpacked) }
}
