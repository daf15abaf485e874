//! `genvisa pack`: puts changed objects and texts back into the file that contains them.

use anyhow::bail;

use crate::args::Pack;
use crate::output::Output;

pub fn run(_args: &Pack, _out: &mut Output) -> anyhow::Result<()> {
    bail!("not yet")
}
