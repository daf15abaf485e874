//! Styles of the output: when they are used, and their removal.

use std::env;

use clap::ValueEnum;

/// When the output has colors.
#[derive(Clone, Copy, ValueEnum)]
pub enum Color {
    /// If standard output is a terminal
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

impl Color {
    /// Returns whether a stream has colors. The variables of the environment are those of
    /// <https://bixense.com/clicolors>.
    pub fn is_used_on(self, is_terminal: bool) -> bool {
        let is_set = |name: &str| env::var_os(name).is_some_and(|value| !value.is_empty());
        let is_zero = |name: &str| env::var_os(name).is_some_and(|value| value == "0");
        match self {
            Color::Always => true,
            Color::Never => false,
            Color::Auto if is_set("NO_COLOR") => false,
            Color::Auto if is_set("CLICOLOR_FORCE") && !is_zero("CLICOLOR_FORCE") => true,
            Color::Auto if is_zero("CLICOLOR") => false,
            Color::Auto => {
                let knows_colors = cfg!(windows) || is_set("TERM");
                is_terminal && knows_colors && env::var_os("TERM").is_none_or(|it| it != "dumb")
            }
        }
    }
}

/// Returns a text without styles and other control characters, except tabs and line ends.
pub fn without_styles(text: &str) -> String {
    String::from_utf8_lossy(&bytes_without_styles(text.as_bytes())).into_owned()
}

/// Returns bytes like [`without_styles`].
pub fn bytes_without_styles(bytes: &[u8]) -> Vec<u8> {
    let mut kept = Vec::with_capacity(bytes.len());
    let mut bytes = bytes.iter();
    while let Some(byte) = bytes.next() {
        match byte {
            // A control sequence ends with a byte from `@` to `~`.
            0x1b if bytes.as_slice().first() == Some(&b'[') => {
                bytes.by_ref().skip(1).find(|byte| matches!(byte, b'@'..=b'~'));
            }
            b'\t' | b'\n' | b'\r' => kept.push(*byte),
            0..0x20 | 0x7f => {}
            _ => kept.push(*byte),
        }
    }
    kept
}
