//! The module: a whole file.

use alloc::vec::Vec;

use super::body::Body;
use super::layout::Section;
use super::routine::{FileScopeVar, Function, Kernel};
use crate::format::Format;
use crate::platform::{Platform, RegisterSize};

/// A vISA object file.
///
/// ```
/// use genvisa::isa::{Mov, Ret};
/// use genvisa::object::{Align, Code, Kernel, Module};
/// use genvisa::operand::{DataType, Dst, ExecSize, Imm, Pred, Vector};
/// use genvisa::{Format, Instruction, Version};
///
/// let mut kernel = Kernel::new("answer");
/// let x = kernel.body.add_variable("x", DataType::D, 8, Align::GRF);
/// let instructions: [Instruction; 2] = [
///     Mov {
///         exec: ExecSize::S8.into(),
///         pred: Pred::NONE,
///         dst: Dst::new(x),
///         src0: Imm::d(42).into(),
///     }
///     .into(),
///     Ret { exec: ExecSize::S1.into(), pred: Pred::NONE }.into(),
/// ];
/// let format = Format::igc2022(Version::V3_6);
/// kernel.body.code = Code::from_instructions(&instructions, format)?;
///
/// let mut module = Module::new(format);
/// module.kernels.push(kernel);
/// let file = module.to_bytes()?;
///
/// # #[cfg(feature = "verify")]
/// # assert_eq!(genvisa::verify::Verifier::new().check_module(&module), []);
/// let read = Module::from_bytes(&file, format.dialect)?;
/// assert_eq!(read.kernels[0].name, "answer");
/// let routine = read.routines().next().unwrap();
/// assert_eq!(routine.instructions().next().unwrap()?.1, instructions[0]);
/// # Ok::<(), genvisa::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Module<'a> {
    /// The version that the file states, and the dialect that it is read in.
    pub format: Format,
    /// The kernels.
    pub kernels: Vec<Kernel<'a>>,
    /// The variables of the file, which only old files have.
    pub file_scope_vars: Vec<FileScopeVar>,
    /// The functions, also those that are defined in other files.
    pub functions: Vec<Function<'a>>,
    /// The order of the sections in the file that was read. Sections that are missing here follow
    /// in the usual order.
    pub(super) sections: Vec<Section<'a>>,
}

/// Equality ignores the order of sections and the padding.
impl PartialEq for Module<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.format == other.format
            && self.kernels == other.kernels
            && self.file_scope_vars == other.file_scope_vars
            && self.functions == other.functions
    }
}

impl Eq for Module<'_> {}

impl<'a> Module<'a> {
    /// Returns an empty module.
    pub fn new(format: Format) -> Module<'static> {
        Module {
            format,
            kernels: Vec::new(),
            file_scope_vars: Vec::new(),
            functions: Vec::new(),
            sections: Vec::new(),
        }
    }

    /// Copies the parts of the file that the module borrows, unless they are owned already.
    ///
    /// ```
    /// use genvisa::object::Module;
    /// use genvisa::{Dialect, Error};
    ///
    /// fn read(file: Vec<u8>) -> Result<Module<'static>, Error> {
    ///     Ok(Module::from_bytes(&file, Dialect::Igc2022)?.into_owned())
    /// }
    ///
    /// # let file = Module::new(genvisa::Format::default()).to_bytes()?;
    /// assert_eq!(read(file.clone())?.to_bytes()?, file);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn into_owned(self) -> Module<'static> {
        Module {
            format: self.format,
            kernels: self.kernels.into_iter().map(Kernel::into_owned).collect(),
            file_scope_vars: self.file_scope_vars,
            functions: self.functions.into_iter().map(Function::into_owned).collect(),
            sections: self.sections.into_iter().map(Section::into_owned).collect(),
        }
    }

    /// Returns the size of a register that is assumed because the platform is not known. Returns `None` if nothing
    /// is assumed: there is a platform, or the format is not 4.2, whose modules are for one platform.
    pub fn assumed_register_size(&self, platform: Option<Platform>) -> Option<RegisterSize> {
        let is_unknown = self.format == Format::V4_2 && platform.is_none();
        let sizes = self.routines().map(|routine| routine.body.register_size(None));
        is_unknown.then(|| sizes.max().unwrap_or_default())
    }

    /// Takes the GEN binaries of each kernel from the kernel of the same name in
    /// another module. If several kernels have the same name, they are matched in order. A kernel
    /// without a match has no GEN binaries afterwards.
    ///
    /// Text contains no machine code; this method adds it to a module that was assembled.
    #[must_use]
    #[cfg(feature = "text")]
    pub fn with_gen_binaries_of(mut self, other: &Module<'a>) -> Module<'a> {
        use alloc::collections::{BTreeMap, VecDeque};

        let mut by_name: BTreeMap<&super::Name, VecDeque<&Kernel<'a>>> = BTreeMap::new();
        for kernel in &other.kernels {
            by_name.entry(&kernel.name).or_default().push_back(kernel);
        }
        for kernel in &mut self.kernels {
            let same = by_name.get_mut(&kernel.name).and_then(VecDeque::pop_front);
            kernel.gen_binaries = same.map(|same| same.gen_binaries.clone()).unwrap_or_default();
        }
        self
    }

    /// Returns the order of sections and padding; nothing if it is the usual order without padding.
    pub(crate) fn unusual_sections(&self) -> Vec<Section<'a>> {
        // Sections may have been removed since the file was read.
        let has_bytes = |section: &Section<'_>| match *section {
            Section::Function(index) => {
                self.functions.get(index).is_some_and(|function| function.definition.is_some())
            }
            Section::GenBinary { kernel, index } => {
                let binaries = self.kernels.get(kernel).map(|kernel| &kernel.gen_binaries);
                let binary = binaries.and_then(|binaries| binaries.get(index));
                binary.is_some_and(|binary| !binary.bytes.is_empty())
            }
            Section::Kernel(index) => index < self.kernels.len(),
            Section::Gap(_) => true,
        };
        let sections: Vec<_> = self.sections.iter().filter(|s| has_bytes(s)).cloned().collect();
        let usual = self.sections_in_usual_order().filter(has_bytes);
        if usual.eq(sections.iter().cloned()) { Vec::new() } else { sections }
    }

    /// Returns whether the file that was read has padding, or sections in another order than the
    /// usual one: functions, then each kernel followed by its GEN binaries.
    pub fn has_unusual_sections(&self) -> bool {
        !self.unusual_sections().is_empty()
    }

    /// Sets the order of sections and padding. Missing sections follow in the usual order.
    #[cfg(feature = "text")]
    pub(crate) fn set_sections(&mut self, sections: Vec<Section<'a>>) {
        self.sections = sections;
    }

    /// Returns the padding of the file that was read: its bytes that belong to no section.
    pub fn padding(&self) -> impl Iterator<Item = &[u8]> {
        self.sections.iter().filter_map(|section| match section {
            Section::Gap(bytes) => Some(&**bytes),
            _ => None,
        })
    }

    /// Returns mutable references to the bodies of [`routines`](Self::routines), in the same order.
    pub fn bodies_mut(&mut self) -> impl Iterator<Item = &mut Body<'a>> {
        let kernels = self.kernels.iter_mut().map(|kernel| &mut kernel.body);
        let definitions = self.functions.iter_mut().filter_map(|f| f.definition.as_mut());
        kernels.chain(definitions.map(|definition| &mut definition.body))
    }

    /// Returns the functions, then each kernel followed by its GEN binaries.
    pub(super) fn sections_in_usual_order(&self) -> impl Iterator<Item = Section<'a>> {
        let functions = (0..self.functions.len()).map(Section::Function);
        let kernels = self.kernels.iter().enumerate().flat_map(|(kernel, k)| {
            let indices = 0..k.gen_binaries.len();
            let binaries = indices.map(move |index| Section::GenBinary { kernel, index });
            core::iter::once(Section::Kernel(kernel)).chain(binaries)
        });
        functions.chain(kernels)
    }
}
