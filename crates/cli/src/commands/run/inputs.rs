//! The inputs of texts and `.isa` files: variables, surfaces and samplers.

use std::collections::BTreeMap;

use anyhow::{Context, anyhow, bail};
use genvisa::isa::{Id, IdClass};
use genvisa::object::{Body, Routine};
use genvisa::operand::{DataType, VarId};
use genvisa_interp::{Image, Machine, RenderTargets, Surface};

use super::arguments::{Contents, InputText};
use super::{Buffer, picture, values};
use crate::modules::names;
use crate::words::printable;

/// The handles of surfaces and samplers that have no index. A binding table has fewer entries.
const FIRST_HANDLE: u32 = 0x1000;

/// What the inputs are for the threads of a kernel.
#[derive(Default)]
pub struct Inputs {
    pub variables: Vec<(VarId, Vec<u8>)>,
    /// The elements of each surface and sampler variable, by index.
    states: BTreeMap<Id, BTreeMap<usize, u32>>,
    /// The images of each surface, by its index or handle.
    images: BTreeMap<u32, RenderTargets>,
    /// The buffers, with their addresses.
    pub buffers: Vec<(u64, Buffer)>,
    handles: u32,
}

/// One of the images that RT_WRITE writes.
#[derive(Clone, Copy)]
enum Part {
    Color(usize),
    Depth,
    Stencil,
}

impl Part {
    /// Returns the name of a surface, and the part that it ends with, such as `T6:rt1` or `T6:depth`.
    fn split(name: &str) -> (&str, Option<Part>) {
        let found = name.rsplit_once(':').and_then(|(name, part)| {
            let part = match part {
                "depth" => Part::Depth,
                "stencil" => Part::Stencil,
                _ => Part::Color(part.strip_prefix("rt")?.parse().ok()?),
            };
            Some((name, Some(part)))
        });
        found.unwrap_or((name, None))
    }

    fn set(self, images: &mut RenderTargets, image: Image) -> anyhow::Result<()> {
        let count = images.colors.len();
        let replaced = match self {
            Part::Color(index) if index > count => bail!("give render target {count} first"),
            Part::Color(index) => {
                images.colors.push(image);
                index < count
            }
            Part::Depth => images.depth.replace(image).is_some(),
            Part::Stencil => images.stencil.replace(image).is_some(),
        };
        if replaced {
            bail!("the image is given twice");
        }
        Ok(())
    }
}

/// What a name on the command line refers to.
enum Target {
    Variable(VarId),
    /// An index of the binding table, or of the table of samplers.
    Index(IdClass, u32),
    /// An element of a surface or sampler variable.
    State(Id, usize),
}

impl Inputs {
    /// Adds an input, and what it refers to in the machine.
    pub fn add(
        &mut self,
        input: &InputText,
        kernel: &Routine<'_, '_>,
        machine: &mut Machine<'_>,
    ) -> anyhow::Result<()> {
        let name = printable(&input.name);
        let (target_name, part) = Part::split(&input.name);
        match target(target_name, kernel)? {
            Target::Variable(_) if part.is_some() => {
                bail!("`{}` is a general variable, not a surface", printable(target_name))
            }
            Target::Variable(variable) => {
                if self.variables.iter().any(|(given, _)| *given == variable) {
                    bail!("`{name}` is given twice");
                }
                let bytes = self.variable(input, kernel, variable, machine)?;
                self.variables.push((variable, bytes));
            }
            Target::Index(class, index) => {
                let is_given = match class {
                    IdClass::Sampler => machine.surfaces().sampler(index).is_some(),
                    _ => machine.surfaces().get(index).is_some(),
                };
                self.check_twice(input, is_given.then_some(index))?;
                if !self.set(input, part, (class, index), machine)? {
                    bail!("`{name}` is {}", expected(class, part));
                }
            }
            Target::State(id, element) => {
                // The images of a surface have one handle.
                let given = self.states.get(&id).and_then(|elements| elements.get(&element));
                let given = given.copied();
                self.check_twice(input, given)?;
                let handle = given.unwrap_or(FIRST_HANDLE + self.handles);
                let value = if self.set(input, part, (id.class, handle), machine)? {
                    self.handles += 1;
                    handle
                } else if let (Contents::Numbers(index), None) = (&input.contents, part) {
                    index.parse().map_err(|_| anyhow!("`{name}`: `{index}` is not an index"))?
                } else {
                    bail!("`{name}` is {}", expected(id.class, part));
                };
                self.states.entry(id).or_default().insert(element, value);
            }
        }
        Ok(())
    }

    /// Fails if a surface or sampler that is given already, with an index or handle, is given again. Several images of
    /// a surface are its render targets.
    fn check_twice(&self, input: &InputText, given: Option<u32>) -> anyhow::Result<()> {
        let is_image = matches!(input.contents, Contents::Image(..));
        if given.is_some_and(|given| !is_image || !self.images.contains_key(&given)) {
            bail!("`{}` is given twice", printable(&input.name));
        }
        Ok(())
    }

    /// Returns the elements of surface and sampler variables. Those before the last one that is given refer
    /// to nothing.
    pub fn states(&self) -> Vec<(Id, Vec<u32>)> {
        let elements = |elements: &BTreeMap<usize, u32>| {
            let count = elements.keys().next_back().map_or(0, |last| last + 1);
            (0..count).map(|index| elements.get(&index).copied().unwrap_or(u32::MAX)).collect()
        };
        self.states.iter().map(|(id, all)| (*id, elements(all))).collect()
    }

    /// Sets a surface or sampler of the machine; returns `false` if the contents are none.
    fn set(
        &mut self,
        input: &InputText,
        part: Option<Part>,
        (class, index): (IdClass, u32),
        machine: &mut Machine<'_>,
    ) -> anyhow::Result<bool> {
        match (class, &input.contents, part) {
            (IdClass::Sampler, Contents::Sampler(sampler), None) => {
                machine.surfaces().set_sampler(index, *sampler);
            }
            (IdClass::Surface, Contents::Image(image, contents), part) => {
                let bytes = contents.buffer()?.unwrap_or_default();
                let name = format!("`{}`", printable(&input.name));
                let texels = picture::texels(image, bytes).with_context(|| name.clone())?;
                let address = machine.memory().allocate(&input.name, texels);
                let image = image.clone().at(address);
                let images = self.images.entry(index).or_default();
                part.unwrap_or(Part::Color(0)).set(images, image.clone()).context(name)?;
                // Other messages access an image that is alone.
                let surface = match images {
                    RenderTargets { colors, depth: None, stencil: None } if colors.len() == 1 => {
                        colors[0].clone().into()
                    }
                    all => Surface::from(all.clone()),
                };
                machine.surfaces().set(index, surface);
                self.push(input, address, Some(image));
            }
            (
                IdClass::Surface,
                Contents::File(_) | Contents::Zeros(_) | Contents::Elements(_),
                None,
            ) => {
                let bytes = input.contents.buffer()?.unwrap_or_default();
                let size = bytes.len() as u64;
                let address = machine.memory().allocate(&input.name, bytes);
                machine.surfaces().set(index, Surface::Buffer { address, size });
                self.push(input, address, None);
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn push(&mut self, input: &InputText, address: u64, image: Option<Image>) {
        let names = vec![input.name.clone()];
        self.buffers.push((address, Buffer { names, image, ..Buffer::default() }));
    }

    /// Returns the bytes of a variable.
    fn variable(
        &mut self,
        input: &InputText,
        kernel: &Routine<'_, '_>,
        variable: VarId,
        machine: &mut Machine<'_>,
    ) -> anyhow::Result<Vec<u8>> {
        let name = printable(&input.name);
        let (ty, elements) = type_of(kernel, variable);
        let mut allocate = |bytes: Vec<u8>| {
            let address = machine.memory().allocate(&input.name, bytes);
            self.push(input, address, None);
            address
        };
        Ok(match &input.contents {
            Contents::Lanes(stride, buffer) => {
                let address = allocate(buffer.buffer()?.unwrap_or_default());
                let lanes = 0..elements as u64;
                lanes.flat_map(|lane| (address + lane * u64::from(*stride)).to_le_bytes()).collect()
            }
            Contents::File(_) | Contents::Zeros(_) | Contents::Elements(_) => {
                allocate(input.contents.buffer()?.unwrap_or_default()).to_le_bytes().to_vec()
            }
            Contents::Numbers(text) => {
                let problem = |problem| anyhow!("`{name}`: {problem}");
                let bytes = values::bytes_of(text, None, ty).map_err(problem)?;
                // One number is for all elements.
                if text.contains(',') { bytes } else { bytes.repeat(elements) }
            }
            Contents::Image(..) | Contents::Sampler(_) => {
                bail!("`{name}` is a general variable, not a surface or a sampler")
            }
            Contents::Null | Contents::Local(_) => vec![0; 8],
        })
    }
}

fn expected(class: IdClass, part: Option<Part>) -> &'static str {
    match (class, part) {
        (_, Some(_)) => "an image of a surface: give image:..",
        (IdClass::Sampler, None) => "a sampler: give sampler:.. or an index",
        _ => "a surface: give image:.., @FILE, zero:BYTES or an index",
    }
}

/// Returns what a name refers to: `bti:N`, `sampler:N`, a variable, or an element of a surface or sampler
/// variable, such as `T6` or `T6[1]`.
fn target(name: &str, kernel: &Routine<'_, '_>) -> anyhow::Result<Target> {
    let index = |class: IdClass, index: &str| {
        let index =
            index.parse().with_context(|| format!("`{}` is not an index", printable(index)));
        Ok(Target::Index(class, index?))
    };
    match name.split_once(':') {
        Some(("bti", number)) => return index(IdClass::Surface, number),
        Some(("sampler", number)) => return index(IdClass::Sampler, number),
        _ => {}
    }
    let body = kernel.body;
    match names::find(name, body) {
        Some(Id { class: IdClass::Variable, number }) => {
            return Ok(Target::Variable(VarId(number)));
        }
        Some(_) => {
            bail!("`{}` is not a general variable, a surface or a sampler", printable(name))
        }
        None => {}
    }
    let unknown = || {
        format!(
            "kernel `{}` has no variable, surface or sampler `{}`",
            kernel.name,
            printable(name)
        )
    };
    let state = |name: &str| names::find_state(name, body);
    if let Some(id) = state(name) {
        let elements = elements(id, body);
        if elements > 1 {
            let name = printable(name);
            bail!("`{name}` has {elements} elements; give one, such as `{name}[0]`");
        }
        return Ok(Target::State(id, 0));
    }
    let (name, element) =
        name.strip_suffix(']').and_then(|it| it.rsplit_once('[')).with_context(unknown)?;
    let id = state(name).with_context(unknown)?;
    let elements = elements(id, body);
    match element.parse() {
        Ok(element) if element < elements => Ok(Target::State(id, element)),
        _ => bail!("`{}` has elements from 0 to {}", printable(name), elements - 1),
    }
}

/// Returns the number of elements of a surface or sampler variable.
fn elements(id: Id, body: &Body<'_>) -> usize {
    let states = match id.class {
        IdClass::Sampler => &body.samplers,
        _ => &body.surfaces,
    };
    let index = body.ids(id.class).position(|declared| declared == id);
    let declared = index.and_then(|index| states.get(index));
    declared.map_or(1, |state| usize::from(state.num_elements).max(1))
}

/// Returns the name of the type of a variable in OpenCL C, as far as numbers have it, and the number of
/// elements.
fn type_of(kernel: &Routine<'_, '_>, variable: VarId) -> (&'static str, usize) {
    let index = variable.0.checked_sub(VarId::FIRST_DECLARED.0);
    let declared = index.and_then(|index| kernel.body.variables.get(index as usize));
    let name = match declared.map(|declared| declared.ty) {
        Some(DataType::HF) => "half",
        Some(DataType::F) => "float",
        Some(DataType::DF) => "double",
        Some(DataType::B | DataType::UB) => "char",
        Some(DataType::W | DataType::UW) => "short",
        Some(DataType::Q | DataType::UQ) => "long",
        _ => "int",
    };
    (name, declared.map_or(1, |declared| declared.num_elements as usize))
}
