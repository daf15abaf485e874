//! Pages: one HTML file with its style, its script and its data, which loads nothing else.

use std::fmt::Write;
use std::path::Path;

use anyhow::bail;

use crate::output::{Output, write_atomically};
use crate::words::{inert, is_standard, printable, shown};

const STYLE: &str = include_str!("base.css");
/// The part of the file before the body.
const HEAD: &str = include_str!("head.html");
const COMMON: &str = include_str!("common.js");
/// A list of which only the rows in view are elements.
pub const LIST: &str = include_str!("list.js");

/// The files of a page.
///
/// `html` is the body. It and the head contain the placeholders `{{command}}`, `{{title}}`, `{{policy}}`, `{{style}}`,
/// `{{data}}` and `{{script}}`.
/// The style and the script follow those of all pages.
pub struct Template {
    /// The command that writes the page.
    pub command: &'static str,
    pub html: &'static str,
    pub style: &'static str,
    pub scripts: &'static [&'static str],
    /// The SHA-256 of the whole style and of the whole script, in base64.
    pub hashes: [&'static str; 2],
}

impl Template {
    /// Returns the page.
    pub fn print(&self, title: &str, data: &Data) -> String {
        let [style, script] = self.style_and_script();
        let mut document = String::new();
        let html = format!("{HEAD}{}", self.html);
        let mut parts = html.split("{{");
        document.push_str(parts.next().unwrap_or_default());
        // A single pass: the contents may contain the names of placeholders.
        for (placeholder, rest) in parts.filter_map(|part| part.split_once("}}")) {
            match placeholder {
                "command" => document.push_str(self.command),
                "title" => document.push_str(&escaped(&printable(title))),
                "policy" => document.push_str(&self.policy()),
                "style" => document.push_str(&style),
                "script" => document.push_str(&script),
                "data" => document.push_str(&data.0),
                _ => {}
            }
            document.push_str(rest);
        }
        document
    }

    fn style_and_script(&self) -> [String; 2] {
        let style = STYLE.to_owned() + self.style;
        let script = format!("'use strict';\n(() => {{\n{COMMON}{}}})();\n", self.scripts.concat());
        [style, script]
    }

    /// Returns the Content-Security-Policy: nothing is loaded, and only the script and the style of the
    /// template are applied.
    fn policy(&self) -> String {
        let [style, script] = self.hashes;
        format!(
            "default-src 'none'; script-src 'sha256-{script}'; style-src 'sha256-{style}'; img-src data:; \
             base-uri 'none'; form-action 'none'"
        )
    }

    /// Checks the hashes.
    #[cfg(test)]
    pub fn check_hashes(&self) {
        let parts = self.style_and_script();
        let hashes = parts.map(|part| base64(&hmac_sha256::Hash::hash(part.as_bytes())));
        assert_eq!(self.hashes, hashes, "the style or the script has changed");
    }
}

/// The data of a page: elements that contain JSON.
#[derive(Default)]
pub struct Data(String);

impl Data {
    /// Adds an element. The characters that HTML treats differently from JSON, and control characters,
    /// occur only in the strings of the JSON, and are escaped; [`write`] escapes others.
    pub fn push(&mut self, id: &str, json: &str) {
        // Writing to a string never fails.
        let _ = write!(self.0, "<script type=\"application/json\" id=\"{id}\">");
        for c in json.chars() {
            match c {
                c if c.is_control() || matches!(c, '<' | '>' | '&') => {
                    let _ = write!(self.0, "\\u{:04x}", u32::from(c));
                }
                _ => self.0.push(c),
            }
        }
        self.0.push_str("</script>\n");
    }
}

/// Writes a page to a file, or to standard output for `-`.
pub fn write(page: &str, path: &Path, out: &mut Output) -> anyhow::Result<()> {
    if is_standard(path) {
        Ok(out.write_inert(page)?)
    } else if path.is_dir() {
        bail!("cannot write `{}`: it is a folder", shown(path))
    } else {
        write_atomically(path, inert(page).as_bytes())
    }
}

/// Escapes a text for HTML.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// Returns bytes in base64.
pub fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let byte = |i: usize| u32::from(chunk.get(i).copied().unwrap_or_default());
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        for i in 0..4 {
            let digit = DIGITS[(bits >> (18 - 6 * i)) as usize & 63];
            text.push(if i <= chunk.len() { digit.into() } else { '=' });
        }
    }
    text
}
