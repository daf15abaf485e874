//! Editing of a routine: its instructions together with its tables.

use alloc::boxed::Box;
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::vec;
use alloc::vec::Vec;

use super::body::{Body, Code};
use super::module::Module;
use super::name::Name;
use super::references::{Renumbering, Use};
use super::routine::{Function, FunctionDefinition, Kernel};
use super::routines::Routine;
use super::tables::{AliasScope, Input};
use crate::error::{Error, ErrorKind, Result};
use crate::format::Format;
use crate::isa::{Id, IdClass, Instruction};
use crate::operand::{StringId, VarId};

/// A routine that is edited: its instructions, and a copy of its tables and inputs.
///
/// Insert, replace, move and remove [`instructions`](Self::instructions) with the methods of `Vec`, or
/// all in one pass with [`rewrite`](Self::rewrite). Jumps refer to labels, so nothing has to be adjusted.
/// Add entries to the tables with the methods of [`Body`]. With the feature `build`, the method `build` writes
/// instructions with a `Builder` instead. The other methods keep everything that refers to an entry right. The module changes in [`finish`](Self::finish), and is as before without it.
///
/// ```
/// use genvisa::isa::Mov;
/// use genvisa::object::{Align, Use};
/// use genvisa::operand::{DataType, Dst, Imm};
/// use genvisa::{Dialect, Module};
///
/// let file = std::fs::read("tests/data/tour.isa")?;
/// let mut module = Module::from_bytes(&file, Dialect::Igc2022)?;
/// let mut routine = module.edit(0)?;
/// let count = routine.body_mut().add_variable("count", DataType::UD, 1, Align::DWORD);
/// let zero = Mov { dst: Dst::new(count), src0: Imm::ud(0).into(), ..Mov::default() };
/// routine.instructions.insert(0, zero.into());
/// assert_eq!(routine.uses(count), [Use::Instruction(0)]);
/// routine.finish()?;
///
/// let edited = module.routines().next().unwrap();
/// assert_eq!(edited.instructions().next().unwrap()?.1, zero.into());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct RoutineEditor<'m, 'a> {
    /// The instructions.
    pub instructions: Vec<Instruction>,
    module: &'m mut Module<'a>,
    /// The place of the routine in [`Module::routines`].
    index: usize,
    /// A module that contains only a copy of the routine, without its code.
    copy: Module<'static>,
    /// What the routine refers to although it did not declare it at first.
    undeclared: BTreeSet<Id>,
}

impl<'a> Module<'a> {
    /// Starts to edit the routine with an index in [`routines`](Self::routines).
    ///
    /// # Errors
    /// Returns an error if an instruction cannot be decoded.
    ///
    /// # Panics
    /// Panics if there is no such routine.
    pub fn edit(&mut self, routine: usize) -> Result<RoutineEditor<'_, 'a>> {
        let original = self.routine(routine).expect("the index of a routine");
        let instructions = original.instructions().map(|item| item.map(|(_, one)| one));
        let instructions = instructions.collect::<Result<_>>()?;
        let mut copy = Module::new(self.format);
        copy.file_scope_vars.clone_from(&self.file_scope_vars);
        let body = original.body.tables();
        let (name, linkage) = (original.name.clone(), original.linkage);
        let variable_relocs = original.variable_relocs.to_vec();
        let function_relocs = original.function_relocs.to_vec();
        match (original.stack_sizes, linkage) {
            (Some((input_size, return_value_size)), Some(linkage)) => {
                let definition = FunctionDefinition { input_size, return_value_size, body };
                let definition = Some(Box::new(definition));
                let function =
                    Function { linkage, name, variable_relocs, function_relocs, definition };
                copy.functions.push(function);
            }
            _ => {
                let inputs = original.inputs.to_vec();
                let gen_binaries = Vec::new();
                let kernel =
                    Kernel { name, variable_relocs, function_relocs, gen_binaries, inputs, body };
                copy.kernels.push(kernel);
            }
        }
        let undeclared = BTreeSet::new();
        let mut editor =
            RoutineEditor { instructions, module: self, index: routine, copy, undeclared };
        editor.undeclared = editor.undeclared();
        Ok(editor)
    }
}

impl RoutineEditor<'_, '_> {
    /// Returns the format of the instructions.
    pub fn format(&self) -> Format {
        self.copy.format
    }

    /// Returns the routine with its present tables and inputs. It has no code: analyses take
    /// [`instructions`](Self::instructions) beside it.
    pub fn routine(&self) -> Routine<'_, 'static> {
        self.copy.routines().next().expect("the copy has one routine")
    }

    /// Returns the tables. The code is empty.
    pub fn body(&self) -> &Body<'static> {
        self.routine().body
    }

    /// Returns the tables, to which entries can be added. Code in it is ignored.
    pub fn body_mut(&mut self) -> &mut Body<'static> {
        if !self.undeclared.is_empty() {
            let still = self.undeclared();
            self.undeclared.retain(|id| still.contains(id));
        }
        self.tables_mut()
    }

    fn tables_mut(&mut self) -> &mut Body<'static> {
        self.copy.bodies_mut().next().expect("the copy has one routine")
    }

    /// Returns the inputs; `None` for a function.
    pub fn inputs_mut(&mut self) -> Option<&mut Vec<Input>> {
        self.copy.kernels.first_mut().map(|kernel| &mut kernel.inputs)
    }

    /// Returns what the routine refers to although it does not declare it: some files have inputs that
    /// are not declared. A new entry must not get such an id.
    pub fn undeclared(&self) -> BTreeSet<Id> {
        let mut ids = BTreeSet::new();
        let body = self.body();
        let mut add = |id: Id| {
            if !id.is_predefined() && !body.declares(id) {
                ids.insert(id);
            }
        };
        for instruction in &self.instructions {
            instruction.visit_ids(&mut add);
        }
        body.visit_references(|_, id| add(id));
        self.routine().inputs.iter().filter_map(Input::id).for_each(&mut add);
        // The name 0 is no name, also in an empty pool.
        ids.remove(&StringId(0).into());
        ids
    }

    /// Passes each instruction to a function, which appends what replaces it. The time is linear.
    ///
    /// ```
    /// # use genvisa::{Dialect, Instruction, Module};
    /// # let file = std::fs::read("tests/data/tour.isa")?;
    /// # let mut module = Module::from_bytes(&file, Dialect::Igc2022)?;
    /// let mut routine = module.edit(0)?;
    /// // Remove the lines of the source.
    /// routine.rewrite(|instruction, out| {
    ///     if !matches!(instruction, Instruction::Loc(_) | Instruction::File(_)) {
    ///         out.push(instruction);
    ///     }
    /// });
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn rewrite(&mut self, mut replace: impl FnMut(Instruction, &mut Vec<Instruction>)) {
        let old = core::mem::take(&mut self.instructions);
        self.instructions.reserve(old.len());
        old.into_iter().for_each(|instruction| replace(instruction, &mut self.instructions));
    }

    /// Returns the places that refer to an entry: instructions, then tables, then inputs.
    pub fn uses(&self, id: impl Into<Id>) -> Vec<Use> {
        let id = id.into();
        let mut uses = Vec::new();
        for (index, instruction) in self.instructions.iter().enumerate() {
            let mut is_user = false;
            instruction.visit_ids(|other| is_user |= other == id);
            if is_user {
                uses.push(Use::Instruction(index));
            }
        }
        self.body().visit_references(|user, other| {
            if other == id {
                uses.push(user);
            }
        });
        let inputs = self.routine().inputs.iter().enumerate();
        let inputs = inputs.filter(|(_, input)| input.id() == Some(id));
        uses.extend(inputs.map(|(index, _)| Use::Input(index)));
        uses.dedup();
        uses
    }

    /// Removes an entry that nothing refers to. The entries after it get new ids everywhere.
    ///
    /// # Errors
    /// Returns the first use if there is one. Nothing changes in this case.
    ///
    /// # Panics
    /// Panics if the routine does not declare the entry.
    pub fn remove(&mut self, id: impl Into<Id>) -> Result<(), Use> {
        let id = id.into();
        assert!(self.body().declares(id), "{id:?} is not declared");
        match self.uses(id).first() {
            Some(user) => Err(*user),
            None => {
                self.keep(|other| other != id);
                Ok(())
            }
        }
    }

    /// Removes all entries that nothing refers to. The others get new ids everywhere; the result
    /// returns the new id of each.
    pub fn retain_used(&mut self) -> Renumbering {
        let mut used = BTreeSet::new();
        for instruction in &self.instructions {
            instruction.visit_ids(|id| _ = used.insert(id));
        }
        used.extend(self.routine().inputs.iter().filter_map(Input::id));
        // A used alias uses its variable, which may be an alias.
        let mut pending: Vec<Id> = used.iter().copied().collect();
        while let Some(id) = pending.pop() {
            let alias = self.body().alias_of(id).map(Id::from);
            if let Some(alias) = alias.filter(|alias| used.insert(*alias)) {
                pending.push(alias);
            }
        }
        let mut strings = BTreeSet::from([StringId(0).into()]);
        self.body().visit_references(|user, id| {
            let is_kept = match user {
                Use::Name(entry) => used.contains(&entry),
                _ => true,
            };
            if is_kept && id.class == IdClass::String {
                strings.insert(id);
            }
        });
        used.append(&mut strings);
        self.keep(|id| used.contains(&id))
    }

    /// Replaces each id in the instructions, aliases and inputs with the result of a function.
    ///
    /// # Errors
    /// Returns the first new id that is too large for its field. Nothing changes in this case.
    pub fn replace_ids(&mut self, mut replace: impl FnMut(Id) -> u32) -> Result<(), Id> {
        let mut instructions = self.instructions.clone();
        instructions.iter_mut().try_for_each(|one| one.replace_ids(&mut replace))?;
        self.instructions = instructions;
        self.replace_ids_in_tables(replace);
        Ok(())
    }

    /// Sets the name of an entry. If text calls a sampler or surface by its name, it does so afterwards.
    ///
    /// # Panics
    /// Panics if the routine does not declare the entry, or if it is a string.
    pub fn rename(&mut self, id: impl Into<Id>, name: &str) {
        let id = id.into();
        assert!(self.body_mut().rename(id, name), "{id:?} is not declared");
    }

    /// Declares what instructions of another routine refer to, and returns the instructions with the ids
    /// of the new entries. Insert them where they belong.
    ///
    /// Aliases bring the variables whose storage they share. What is an input there is a usual entry
    /// here. Aliases of variables of the file keep their indices. If a name is taken in its table, the new entry has a number after its name.
    ///
    /// # Errors
    /// Returns [`ErrorKind::TableFull`] if a table cannot have more entries,
    /// [`ErrorKind::UndeclaredId`] if the other routine does not declare an id, and
    /// [`ErrorKind::OutOfRange`] if the name of a called function has no id of two bytes.
    pub fn import(
        &mut self,
        from: &Body<'_>,
        instructions: &[Instruction],
    ) -> Result<Vec<Instruction>> {
        let names = self.body_mut().names();
        let mut importer = Importer { from, new: BTreeMap::new(), names, numbers: BTreeMap::new() };
        let mut imported = Vec::with_capacity(instructions.len());
        for instruction in instructions {
            let mut error = None;
            let mut instruction = *instruction;
            let replaced = instruction.replace_ids(|id| match importer.id(self.tables_mut(), id) {
                Ok(new) => new,
                Err(failed) => {
                    error.get_or_insert(failed);
                    id.number
                }
            });
            if let Some(error) = error {
                return Err(error);
            }
            // The names of called functions have small ids.
            replaced.map_err(|id| {
                let (value, max) = (id.number.into(), u16::MAX.into());
                Error::new(ErrorKind::OutOfRange { value, max, format: self.format() }, 0)
            })?;
            imported.push(instruction);
        }
        Ok(imported)
    }

    /// Encodes the instructions, and changes the routine in the module. Instructions that were not
    /// changed keep their bytes.
    ///
    /// If anything changed, the GEN binaries of the kernel are removed: they are the machine code of
    /// the old instructions.
    ///
    /// # Errors
    /// Returns an error if the format cannot express an instruction, or if something that was
    /// [not declared](Self::undeclared) would refer to a new entry
    /// ([`ErrorKind::UndeclaredId`]). The module does not change in this case.
    pub fn finish(mut self) -> Result<()> {
        let segment = self.routine().path_segment();
        if let Some(id) = self.undeclared.iter().find(|id| self.body().declares(**id)) {
            let kind = ErrorKind::UndeclaredId { letter: id.class.letter(), number: id.number };
            return Err(Error::new(kind, 0).within(segment));
        }
        let code = Code::from_instructions(&self.instructions, self.format())
            .map_err(|error| error.within(segment))?;
        let mut body = core::mem::take(self.tables_mut());
        let inputs = self.inputs_mut().map(core::mem::take);
        let old = self.module.bodies_mut().nth(self.index).expect("the routine that is edited");
        let is_same = code.bytes() == old.code.bytes();
        body.code = if is_same { old.code.clone().into_owned() } else { code };
        let mut is_changed = body != *old;
        *old = body;
        if let (Some(kernel), Some(inputs)) = (self.module.kernels.get_mut(self.index), inputs) {
            is_changed |= kernel.inputs != inputs;
            kernel.inputs = inputs;
            if is_changed {
                kernel.gen_binaries.clear();
            }
        }
        Ok(())
    }

    /// Removes the entries for which a function returns `false`. Nothing may refer to them.
    fn keep(&mut self, keep: impl Fn(Id) -> bool) -> Renumbering {
        let renumbering = self.tables_mut().keep(keep);
        for instruction in &mut self.instructions {
            // New ids are not larger, so they fit.
            let _ = instruction.replace_ids(|id| renumbering.number(id));
        }
        self.replace_ids_in_tables(|id| renumbering.number(id));
        renumbering
    }

    fn replace_ids_in_tables(&mut self, mut replace: impl FnMut(Id) -> u32) {
        for variable in &mut self.tables_mut().variables {
            if variable.alias_scope == AliasScope::LOCAL && variable.alias != VarId::NULL {
                variable.alias.0 = replace(variable.alias.into());
            }
        }
        for input in self.inputs_mut().into_iter().flatten() {
            if let Some(id) = input.id() {
                input.index = replace(id);
            }
        }
    }
}

/// Declares entries of another routine.
struct Importer<'f, 'a> {
    from: &'f Body<'a>,
    /// The new number of each entry that has been declared.
    new: BTreeMap<Id, u32>,
    /// The names of each table.
    names: BTreeSet<(IdClass, Name)>,
    /// The number of names that were made of each.
    numbers: BTreeMap<(IdClass, Name), u32>,
}

impl Importer<'_, '_> {
    /// Returns the number of an entry in `to`, and declares it first if necessary.
    fn id(&mut self, to: &mut Body<'static>, id: Id) -> Result<u32> {
        let is_unnamed = id == StringId(0).into();
        if is_unnamed || id.is_predefined() {
            return Ok(id.number);
        }
        if !self.from.declares(id) {
            let (letter, number) = (id.class.letter(), id.number);
            return Err(Error::new(ErrorKind::UndeclaredId { letter, number }, 0));
        }
        if let Some(number) = self.new.get(&id) {
            return Ok(*number);
        }
        if id.class == IdClass::String {
            let string = &self.from.strings[id.number as usize];
            let number = to.strings.intern(string).0;
            self.new.insert(id, number);
            return Ok(number);
        }
        // Readers require that a variable precedes its aliases.
        let mut chain = vec![id];
        let mut alias = self.from.alias_of(id).map(Id::from);
        while let Some(id) = alias.filter(|id| !self.new.contains_key(id)) {
            let (letter, number) = (id.class.letter(), id.number);
            // A chain with more entries than variables is a cycle.
            if !self.from.declares(id) || chain.len() > self.from.variables.len() {
                return Err(Error::new(ErrorKind::UndeclaredId { letter, number }, 0));
            }
            chain.push(id);
            alias = self.from.alias_of(id).map(Id::from);
        }
        let of_alias = alias.and_then(|id| self.new.get(&id).copied());
        let mut number = of_alias.unwrap_or(VarId::NULL.0);
        for id in chain.into_iter().rev() {
            let name = self.unused_name(id);
            number = to.copy_entry(self.from, id, &name, VarId(number))?;
            self.new.insert(id, number);
        }
        Ok(number)
    }

    /// Returns the name of an entry, with a number after it if the name is taken.
    fn unused_name(&mut self, id: Id) -> Name {
        let Some(name) = self.from.name_of(id) else {
            return Name::default();
        };
        let mut unused = name.clone();
        let number = self.numbers.entry((id.class, name.clone())).or_default();
        while !self.names.insert((id.class, unused.clone())) {
            *number += 1;
            let mut bytes = name.as_bytes().to_vec();
            bytes.extend_from_slice(alloc::format!("_{number}").as_bytes());
            unused = Name::from(&bytes[..]);
        }
        unused
    }
}
