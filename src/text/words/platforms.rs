//! The comments at the end of a compiler's text, which contain the platform and the options.

/// The option of the compiler for efficient 64-bit addressing.
pub(in crate::text) const EFFICIENT_64BIT: &str = "-enableEfficient64b";

/// The start of the comment with the options, without the slashes.
pub(in crate::text) const BUILD_OPTIONS: &str = "Build option: \"";

/// The platforms that comments state, in the order of their age, with the size of a register in
/// bytes, and whether the option is their default.
const PLATFORMS: [(&str, u32, bool); 18] = [
    ("BDW", 32, false),
    ("CHV", 32, false),
    ("SKL", 32, false),
    ("BXT", 32, false),
    ("CNL", 32, false),
    ("ICLLP", 32, false),
    ("TGLLP", 32, false),
    ("XeHP_SDV", 32, false),
    ("DG2", 32, false),
    ("MTL", 32, false),
    ("ARL", 32, false),
    ("PVC", 64, false),
    ("PVCXT", 64, false),
    ("XE2", 64, false),
    ("XE3", 64, false),
    ("XE3P_CRI", 64, true),
    ("XE3P", 64, true),
    ("NVL", 64, true),
];

/// Returns whether a routine uses efficient 64-bit addressing, if a comment, without the slashes,
/// states the platform or the options.
pub(in crate::text) fn efficient_64bit(comment: &[u8]) -> Option<bool> {
    if !matches!(comment.first(), Some(b'P' | b'B')) {
        return None;
    }
    if let Some(platform) = platform(comment) {
        return Some(find(platform).is_some_and(|(.., is_efficient)| *is_efficient));
    }
    let options = first_line(comment)?.strip_prefix(BUILD_OPTIONS)?;
    let mut options = options.split(|c: char| c == '"' || c.is_ascii_whitespace());
    Some(options.any(|option| option == EFFICIENT_64BIT))
}

/// Returns whether [`efficient_64bit`] may use a comment, without the slashes.
pub(in crate::text) fn is_read(comment: &[u8]) -> bool {
    let options = || first_line(comment).is_some_and(|line| line.starts_with(BUILD_OPTIONS));
    platform(comment).is_some() || options()
}

/// Returns the platform that a comment, without the slashes, states.
pub(in crate::text) fn platform(comment: &[u8]) -> Option<&str> {
    first_line(comment)?.strip_prefix("Platform: ").map(str::trim_end)
}

/// Finds the sizes of registers that the comments of a text state. Remembers the last one, so that many
/// searches in ascending order take linear time.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::text) struct RegisterSizes {
    /// The end of the comment, or of the text.
    end: usize,
    size: Option<u32>,
}

impl RegisterSizes {
    /// Returns the size of a register, in bytes, on the platform of the next `//Platform:` comment after
    /// a position, if it is known.
    pub(in crate::text) fn next_after(&mut self, source: &[u8], at: usize) -> Option<u32> {
        if at >= self.end {
            self.end = at;
            let rest = source.get(at..).unwrap_or_default();
            let mut lines = rest.split_inclusive(|byte| *byte == b'\n');
            let platform = lines.find_map(|line| {
                self.end += line.len();
                line.strip_prefix(b"//").and_then(platform)
            });
            self.size = platform.and_then(find).map(|(_, size, _)| *size);
        }
        self.size
    }
}

fn find(platform: &str) -> Option<&'static (&'static str, u32, bool)> {
    PLATFORMS.iter().find(|(name, ..)| name.eq_ignore_ascii_case(platform))
}

fn first_line(text: &[u8]) -> Option<&str> {
    let end = text.iter().position(|byte| *byte == b'\n').unwrap_or(text.len());
    core::str::from_utf8(&text[..end]).ok()
}
