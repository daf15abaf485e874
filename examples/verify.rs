//! Assembles a text and checks it against the rules of vISA.
//!
//! `cargo run --example verify`

use genvisa::Format;
use genvisa::Platform;
use genvisa::text::{self, Diagnostics, Document};
use genvisa::verify::{self, Verifier};

/// The block of 65 bytes is too wide, and `x` is too small for 16 elements.
pub const SOURCE: &str = "\
.version 3.6
.kernel \"k\"
.decl x v_type=G type=d num_elts=8 align=GRF
.decl block v_type=G type=ub num_elts=512 align=GRF
    media_ld.nomod (65, 4) T1 0 0x0:ud 0x0:ud block.0
    mov (M1, 16) x(0,0)<1> 0x1:d
    ret (M1, 1)
";

/// Returns the findings in a text. They print with the lines that they refer to.
pub fn verify(source: &str) -> Result<Diagnostics, text::Errors> {
    let document = Document::parse(source, Format::default()).into_result()?;
    let findings = Verifier::new().with_platform(Platform::Skl).check_module(&document.module);
    Ok(verify::diagnostics(&findings, &document.source_map, source))
}

#[allow(dead_code)]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    println!("{}", verify(SOURCE)?);
    Ok(())
}
