//! Arguments and inputs on the command line.

use std::path::{Path, PathBuf};
use std::str::FromStr;

use anyhow::{Context, bail};
use genvisa_interp::{AddressMode, Dimensions, Filter, Image, Layout, Sampler};

use super::values::bytes_of;
use crate::input::read;

/// The sizes of the dimensions.
#[derive(Clone, Debug)]
pub struct Sizes(pub Vec<u32>);

impl Sizes {
    /// Returns three sizes: 1 for those that are not given.
    pub fn all(&self) -> [u32; 3] {
        let mut all = [1; 3];
        for (size, given) in all.iter_mut().zip(&self.0) {
            *size = *given;
        }
        all
    }
}

impl FromStr for Sizes {
    type Err = String;

    fn from_str(text: &str) -> Result<Sizes, String> {
        let sizes: Result<Vec<u32>, _> = text.split(',').map(str::parse).collect();
        match sizes {
            Ok(sizes) if sizes.len() <= 3 => Ok(Sizes(sizes)),
            _ => Err("expected one to three numbers separated by commas, such as 16,16".into()),
        }
    }
}

/// What an argument or input contains.
#[derive(Clone, Debug)]
pub enum Contents {
    /// A buffer with the contents of a file.
    File(PathBuf),
    /// A buffer of zeros.
    Zeros(u64),
    /// Shared local memory.
    Local(u32),
    /// A buffer, with an address for each lane at this distance.
    Lanes(u32, Box<Contents>),
    /// An image, whose address is 0, and its texels.
    Image(Box<Image>, Box<Contents>),
    /// A sampler.
    Sampler(Sampler),
    /// A null pointer.
    Null,
    /// Numbers.
    Numbers(String),
    /// A buffer with numbers.
    Elements(String),
}

impl Contents {
    fn parse(text: &str) -> Result<Contents, String> {
        fn size<N: FromStr>(text: &str) -> Result<N, String> {
            text.parse().map_err(|_| format!("expected a number of bytes, found `{text}`"))
        }
        if let Some(path) = text.strip_prefix('@') {
            return Ok(Contents::File(path.into()));
        }
        match text.split_once(':') {
            Some(("zero", bytes)) => Ok(Contents::Zeros(size(bytes)?)),
            Some(("lanes", rest)) => {
                let (stride, rest) = rest.split_once(':').ok_or("expected lanes:STRIDE:@FILE")?;
                match Contents::parse(rest)? {
                    buffer @ (Contents::File(_) | Contents::Zeros(_)) => {
                        Ok(Contents::Lanes(size(stride)?, Box::new(buffer)))
                    }
                    _ => Err("expected @FILE or zero:BYTES after lanes:STRIDE:".into()),
                }
            }
            Some(("image", rest)) => image(rest),
            Some(("sampler", rest)) => sampler(rest),
            Some(("local", bytes)) => Ok(Contents::Local(size(bytes)?)),
            Some(("buffer", numbers)) => Ok(Contents::Elements(numbers.into())),
            _ if text == "null" => Ok(Contents::Null),
            _ if text.is_empty() => Err("expected a value".into()),
            _ => Ok(Contents::Numbers(text.into())),
        }
    }

    /// Returns the file that is read.
    pub fn file(&self) -> Option<&Path> {
        match self {
            Contents::File(path) => Some(path),
            Contents::Lanes(_, buffer) | Contents::Image(.., buffer) => buffer.file(),
            _ => None,
        }
    }

    /// Returns the number of bytes of a buffer of zeros.
    pub fn zeros(&self) -> u64 {
        match self {
            Contents::Zeros(size) => *size,
            Contents::Lanes(_, buffer) | Contents::Image(.., buffer) => buffer.zeros(),
            _ => 0,
        }
    }

    /// Returns the bytes of a buffer; `None` if it is none.
    pub fn buffer(&self) -> anyhow::Result<Option<Vec<u8>>> {
        match self {
            Contents::File(path) => Ok(Some(read(path)?)),
            Contents::Zeros(size) => Ok(Some(vec![0; *size as usize])),
            Contents::Elements(text) => match bytes_of(text, None, "") {
                Ok(bytes) => Ok(Some(bytes)),
                Err(problem) => bail!(problem),
            },
            Contents::Lanes(_, buffer) | Contents::Image(.., buffer) => buffer.buffer(),
            _ => Ok(None),
        }
    }
}

/// Parses `KIND:FORMAT:SIZE:CONTENTS`; before the contents, there may be `levels=N:` or `samples=N:`.
fn image(text: &str) -> Result<Contents, String> {
    let words: Vec<&str> = text.splitn(4, ':').collect();
    let [kind, format, size, contents] = words[..] else {
        return Err(
            "expected image:KIND:FORMAT:SIZE:@FILE, such as image:2d:rgba8-unorm:16,8:@a".into()
        );
    };
    let kind = one_of(&Dimensions::ALL, Dimensions::name, kind, "a kind of images")?;
    let layouts: Vec<Layout> = Layout::all().collect();
    let layout = one_of(&layouts, Layout::name, format, "a format of images")?;
    let image = layout.image(kind, size.parse::<Sizes>()?.all(), 0);
    let image = image.ok_or_else(|| format!("{format} is a format of 2d images only"))?;
    if let Some(problem) = image.problem() {
        return Err(format!("`{size}` is not a size of an image: {problem}"));
    }
    let (image, contents) = if let Some(rest) = contents.strip_prefix("levels=") {
        let (levels, contents) = number(rest, "levels", Image::MAX_LEVELS)?;
        if !image.planes.is_empty() {
            return Err(format!("an image of format {format} has one level"));
        }
        (image.with_levels(levels), contents)
    } else if let Some(rest) = contents.strip_prefix("samples=") {
        let (samples, contents) = number(rest, "samples", Image::MAX_SAMPLES)?;
        if !image.planes.is_empty() || kind != Dimensions::D2 {
            return Err(format!("a {} image of format {format} has one sample", kind.name()));
        }
        (image.with_samples(samples), contents)
    } else {
        (image, contents)
    };
    let texels = match contents {
        "zero" => Contents::Zeros(image.bytes()),
        _ => Contents::parse(contents)?,
    };
    match texels {
        Contents::File(_) | Contents::Zeros(_) => {
            Ok(Contents::Image(Box::new(image), Box::new(texels)))
        }
        _ => Err("expected @FILE or zero for the texels of an image".into()),
    }
}

/// Parses `N:REST`, where N is at least 1.
fn number<'t>(text: &'t str, what: &str, most: u32) -> Result<(u32, &'t str), String> {
    let (number, rest) = text.split_once(':').unwrap_or((text, ""));
    match number.parse() {
        Ok(number) if (1..=most).contains(&number) => Ok((number, rest)),
        _ => Err(format!("expected 1 to {most} {what}, found `{number}`")),
    }
}

/// Returns the value that has a name. `what` says what the values are.
fn one_of<T: Copy>(
    all: &[T],
    name_of: impl Fn(T) -> &'static str,
    name: &str,
    what: &str,
) -> Result<T, String> {
    all.iter().copied().find(|value| name_of(*value) == name).ok_or_else(|| {
        let names: Vec<&str> = all.iter().copied().map(name_of).collect();
        format!("`{name}` is not {what}; these are: {}", names.join(", "))
    })
}

/// Parses `FILTER:MODE:normalized` or `FILTER:MODE:texels`, which the filter between levels may follow.
fn sampler(text: &str) -> Result<Contents, String> {
    let words: Vec<&str> = text.split(':').collect();
    let (words, level_filter) = match words[..] {
        [ref words @ .., level_filter] if words.len() == 3 => (words, level_filter),
        ref words => (words, Filter::Nearest.name()),
    };
    let [filter, mode, coordinates @ ("normalized" | "texels")] = *words else {
        return Err(
            "expected sampler:FILTER:MODE:normalized or :texels, such as sampler:linear:repeat:normalized"
                .into(),
        );
    };
    let filter_of = |name| one_of(&Filter::ALL, Filter::name, name, "a filter of samplers");
    let (filter, level_filter) = (filter_of(filter)?, filter_of(level_filter)?);
    let mode = one_of(&AddressMode::ALL, AddressMode::name, mode, "an address mode of samplers")?;
    let sampler = Sampler::new(filter, mode, coordinates == "normalized");
    Ok(Contents::Sampler(Sampler { level_filter, ..sampler }))
}

/// An argument: `VALUE` or `NAME=VALUE`.
#[derive(Clone, Debug)]
pub struct ArgumentText {
    pub name: Option<String>,
    pub contents: Contents,
}

impl FromStr for ArgumentText {
    type Err = String;

    fn from_str(text: &str) -> Result<ArgumentText, String> {
        // A path may contain an equals sign.
        let (name, value) = match text.split_once('=') {
            Some((name, value)) if !text.starts_with('@') => (Some(name.to_owned()), value),
            _ => (None, text),
        };
        match Contents::parse(value)? {
            Contents::Lanes(..) => Err("an argument is the same for all lanes; use @FILE".into()),
            contents => Ok(ArgumentText { name, contents }),
        }
    }
}

/// An input: `NAME=VALUE`.
#[derive(Clone, Debug)]
pub struct InputText {
    pub name: String,
    pub contents: Contents,
}

impl FromStr for InputText {
    type Err = String;

    fn from_str(text: &str) -> Result<InputText, String> {
        let (name, value) = text.split_once('=').ok_or("expected NAME=VALUE")?;
        let contents = Contents::parse(value)?;
        match contents {
            Contents::Local(_) => Err("an input is not in shared local memory; use --slm".into()),
            contents => Ok(InputText { name: name.into(), contents }),
        }
    }
}

/// Sorts arguments into their order: those without a name come first, in theirs.
pub fn in_order<'a>(
    arguments: &'a [ArgumentText],
    names: &[&str],
) -> anyhow::Result<Vec<&'a Contents>> {
    let missing = |index: usize| match names[index] {
        "" => format!("argument {index} is missing; give it with --arg"),
        name => format!("argument {index}, `{name}`, is missing; give it with --arg"),
    };
    let slots = slots(arguments, names)?.into_iter().enumerate();
    slots.map(|(index, slot)| slot.with_context(|| missing(index))).collect()
}

/// Returns the index of an argument that the user states by its name or its index.
pub fn index_of(name: &str, names: &[&str]) -> anyhow::Result<usize> {
    let by_index = || name.parse().ok().filter(|index| *index < names.len());
    let found = names.iter().position(|other| *other == name).or_else(by_index);
    found.with_context(|| match names.iter().any(|name| !name.is_empty()) {
        true => format!("no argument is called `{name}`; there is {}", names.join(", ")),
        false => format!("no argument is called `{name}`: the names are unknown"),
    })
}

/// Sorts arguments as [`in_order`] does, with `None` for those that are missing.
pub fn slots<'a>(
    arguments: &'a [ArgumentText],
    names: &[&str],
) -> anyhow::Result<Vec<Option<&'a Contents>>> {
    let mut slots: Vec<Option<&Contents>> = vec![None; names.len()];
    for (position, argument) in arguments.iter().enumerate() {
        let index = match &argument.name {
            None => position,
            Some(name) => index_of(name, names)?,
        };
        let count = names.len();
        let Some(slot) = slots.get_mut(index) else {
            bail!("the kernel has {count} arguments, but {} are given", arguments.len());
        };
        if slot.replace(&argument.contents).is_some() {
            bail!("argument {index} is given twice");
        }
    }
    Ok(slots)
}
