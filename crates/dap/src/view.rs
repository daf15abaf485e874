//! What a stopped thread shows: its variables and memory.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use genvisa::isa::IdClass;
use genvisa::operand::{DataType, VarId};
use genvisa_interp::{Code, Group, Machine, Program, elements};
use serde_json::{Value, json};

/// The most bytes of an answer to `readMemory`.
const MAX_BYTES: usize = 1 << 16;
/// The elements of a variable that its value lists.
const SHOWN_ELEMENTS: usize = 32;
/// What a `variablesReference` of a thread is a multiple of: the rest is 1 plus the number of a variable, or 0 for all.
const PER_THREAD: u64 = 1 << 24;

/// A group that is stopped.
#[derive(Clone, Copy)]
pub(crate) struct View<'v, 'p> {
    pub machine: &'v Machine<'p>,
    pub group: &'v Group,
    /// The thread that executes next.
    pub thread: usize,
}

impl<'p> View<'_, 'p> {
    fn program(&self) -> &'p Program {
        self.machine.program()
    }

    /// Returns the routine that a thread executes, and the index of the next instruction; `None` if it has ended.
    pub fn next(&self, thread: usize) -> Option<(usize, usize)> {
        let (routine, instruction, _) = self.group.threads().get(thread)?.next()?;
        Some((routine, instruction))
    }

    fn code(&self, thread: usize) -> Option<&'p Code> {
        self.program().routines().get(self.next(thread)?.0)
    }

    /// Returns the threads of the group.
    pub fn threads(&self) -> Value {
        let [x, y, z] = self.group.id();
        let thread = |index| json!({ "id": index + 1, "name": format!("group ({x}, {y}, {z}), thread {index}") });
        (0..self.group.threads().len()).map(thread).collect()
    }

    /// Returns the scopes of a thread.
    pub fn scopes(&self, thread: usize) -> Value {
        let reference = (thread as u64 + 1) * PER_THREAD;
        json!([{ "name": "Variables", "variablesReference": reference, "expensive": false }])
    }

    /// Returns what a reference contains: the variables of a thread, or the elements of one.
    pub fn variables(&self, reference: u64) -> Option<Value> {
        let thread = usize::try_from((reference / PER_THREAD).checked_sub(1)?).ok()?;
        let code = self.code(thread)?;
        let Some(number) = (reference % PER_THREAD).checked_sub(1) else {
            let lanes = self.group.threads()[thread].next()?.2;
            let lanes = json!({
                "name": "(lanes)",
                "value": format!("{lanes:#x}"),
                "type": "the lanes that execute the instruction",
                "variablesReference": 0,
            });
            let declared = code.body().variables.len() as u32;
            let variables =
                (VarId::FIRST_DECLARED.0..VarId::FIRST_DECLARED.0 + declared).map(VarId);
            let variables = variables.filter_map(|var| self.variable(thread, code, var));
            return Some([lanes].into_iter().chain(variables).collect());
        };
        let var = VarId(u32::try_from(number).ok()?);
        let elements = self.elements(thread, code, var)?.into_iter().enumerate();
        let element = |(index, value): (usize, String)| json!({ "name": format!("[{index}]"), "value": value, "variablesReference": 0 });
        Some(elements.map(element).collect())
    }

    /// Returns the value of a variable of a name.
    pub fn evaluate(&self, thread: usize, name: &str) -> Option<Value> {
        let code = self.code(thread)?;
        let mut predefined = (0..VarId::FIRST_DECLARED.0).map(VarId);
        let var = match code.body().find(IdClass::Variable, name) {
            Some(id) => VarId(id.number),
            None => predefined.find(|var| var.predefined_name() == Some(name))?,
        };
        let mut value = self.variable(thread, code, var)?;
        value["result"] = value["value"].take();
        Some(value)
    }

    fn variable(&self, thread: usize, code: &Code, var: VarId) -> Option<Value> {
        let elements = self.elements(thread, code, var)?;
        let declared = var.0.checked_sub(VarId::FIRST_DECLARED.0);
        let name = match declared {
            Some(_) => code.name_of_variable(var),
            None => var.predefined_name().unwrap_or_default().into(),
        };
        let end = if elements.len() > SHOWN_ELEMENTS { " ..." } else { "" };
        let shown = elements.iter().take(SHOWN_ELEMENTS).map(String::as_str).collect::<Vec<_>>();
        let mut variable = json!({
            "name": name,
            "value": format!("{}{end}", shown.join(" ")),
            "type": format!("{} x {}", ty(code, var), elements.len()),
            "variablesReference": (thread as u64 + 1) * PER_THREAD + u64::from(var.0) + 1,
        });
        // A qword may be the address of a buffer.
        if let [element] = &elements[..] {
            let address = element.parse().ok().filter(|_| ty(code, var) == DataType::UQ);
            if let Some(address) = address.filter(|it| !self.machine.read_memory(*it, 1).is_empty())
            {
                variable["memoryReference"] = format!("{address:#x}").into();
            }
        }
        Some(variable)
    }

    /// Returns the elements of a variable as text: `?` for those that nobody wrote.
    fn elements(&self, thread: usize, code: &Code, var: VarId) -> Option<Vec<String>> {
        let (bytes, undefined) = self.group.threads()[thread].variable(self.program(), var)?;
        let elements = elements(ty(code, var), &bytes, &undefined).into_iter();
        Some(elements.map(|element| element.unwrap_or_else(|| "?".into())).collect())
    }

    /// Returns bytes of memory, as `readMemory` answers.
    pub fn memory(&self, address: u64, count: usize) -> Value {
        let count = count.min(MAX_BYTES);
        let bytes = self.machine.read_memory(address, count);
        json!({
            "address": format!("{address:#x}"),
            "data": STANDARD.encode(&bytes),
            "unreadableBytes": count - bytes.len(),
        })
    }
}

/// Returns the type of a variable.
fn ty(code: &Code, var: VarId) -> DataType {
    let declared = var.0.checked_sub(VarId::FIRST_DECLARED.0);
    let declared = declared.and_then(|index| code.body().variables.get(index as usize));
    declared.map(|declared| declared.ty).or(var.predefined_type()).unwrap_or_default()
}
