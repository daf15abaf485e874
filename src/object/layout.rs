//! The order of the sections of a file.

use alloc::borrow::Cow;
use alloc::vec::Vec;

use crate::error::{Error, ErrorKind, Result};

/// A part of a file after its header.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Section<'a> {
    Kernel(usize),
    Function(usize),
    GenBinary {
        kernel: usize,
        index: usize,
    },
    /// Padding.
    Gap(Cow<'a, [u8]>),
}

impl Section<'_> {
    /// Returns a key that is unique among the sections of a file; `None` for padding.
    pub(crate) fn key(&self) -> Option<(u8, usize, usize)> {
        match *self {
            Section::Kernel(kernel) => Some((0, kernel, 0)),
            Section::Function(function) => Some((1, function, 0)),
            Section::GenBinary { kernel, index } => Some((2, kernel, index)),
            Section::Gap(_) => None,
        }
    }

    /// Copies the padding.
    pub(super) fn into_owned(self) -> Section<'static> {
        match self {
            Section::Kernel(kernel) => Section::Kernel(kernel),
            Section::Function(function) => Section::Function(function),
            Section::GenBinary { kernel, index } => Section::GenBinary { kernel, index },
            Section::Gap(bytes) => Section::Gap(bytes.into_owned().into()),
        }
    }
}

/// A section with its offset and size.
pub(super) struct Placed<'a> {
    pub(super) offset: usize,
    pub(super) len: usize,
    pub(super) section: Section<'a>,
}

/// Sorts sections by their offsets, and inserts the padding between them, from the end of the
/// header to the end of the file.
///
/// # Errors
/// [`ErrorKind::Overlap`] if two sections overlap.
pub(super) fn sort_sections<'a>(
    file: &'a [u8],
    header_end: usize,
    mut placed: Vec<Placed<'a>>,
) -> Result<Vec<Section<'a>>> {
    placed.sort_by_key(|p| (p.offset, p.len));
    let mut sections = Vec::with_capacity(placed.len() + 1);
    let mut at = header_end;
    let gap_until = |sections: &mut Vec<Section<'a>>, at: usize, to: usize| match file.get(at..to) {
        Some([]) => Ok(()),
        Some(gap) => {
            sections.push(Section::Gap(Cow::Borrowed(gap)));
            Ok(())
        }
        None => Err(Error::new(ErrorKind::Overlap { end: at, start: to }, to)),
    };
    for Placed { offset, len, section } in placed {
        gap_until(&mut sections, at, offset)?;
        sections.push(section);
        at = offset + len;
    }
    gap_until(&mut sections, at, file.len())?;
    Ok(sections)
}
