//! The device that a binary is for: the notes of section `.note.intelgt.compat`.

use genvisa::Platform;
use object::read::elf::{FileHeader, SectionHeader};

use super::elf::Elf;

/// The device that a binary is for. The members are those of the notes; `None` if there is no such note.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Target {
    /// The number of the product family.
    pub product_family: Option<u32>,
    /// The number of the core family.
    pub gfxcore_family: Option<u32>,
    /// The version of the graphics IP: architecture, release and revision.
    pub ip_version: Option<(u16, u8, u8)>,
    /// The version of `.ze_info` that the notes state.
    pub zebin_version: Option<String>,
}

const OWNER: &[u8] = b"IntelGT";
const PRODUCT_FAMILY: u32 = 1;
const GFXCORE_FAMILY: u32 = 2;
const ZEBIN_VERSION: u32 = 4;
const PRODUCT_CONFIG: u32 = 6;

impl Target {
    /// Returns the platform, and the name of the device for ocloc, of the version of the graphics IP.
    pub fn device(&self) -> Option<(Platform, &'static str)> {
        let (architecture, release, _) = self.ip_version?;
        Platform::of_ip_version(architecture, release)
    }

    pub(super) fn read(elf: &Elf<'_>) -> Target {
        let mut target = Target::default();
        let (endian, data) = (elf.endian(), elf.data());
        let sections = elf.elf_header().section_headers(endian, data).unwrap_or_default();
        for section in sections {
            let Ok(Some(mut notes)) = SectionHeader::notes(section, endian, data) else { continue };
            // What follows a note that cannot be read has no place.
            while let Ok(Some(note)) = notes.next() {
                if note.name() == OWNER {
                    target.add(note.n_type(endian), note.desc());
                }
            }
        }
        target
    }

    fn add(&mut self, kind: u32, bytes: &[u8]) {
        let word = bytes.try_into().ok().map(u32::from_le_bytes);
        match kind {
            PRODUCT_FAMILY => self.product_family = word,
            GFXCORE_FAMILY => self.gfxcore_family = word,
            ZEBIN_VERSION => {
                let text = String::from_utf8_lossy(bytes);
                self.zebin_version = Some(text.trim_end_matches('\0').into());
            }
            PRODUCT_CONFIG => {
                self.ip_version = word.map(|word| {
                    ((word >> 22) as u16, (word >> 14 & 0xff) as u8, (word & 0x3f) as u8)
                });
            }
            _ => {}
        }
    }
}
