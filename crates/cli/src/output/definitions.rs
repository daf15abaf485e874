//! Parts of the JSON of several commands: the definitions of `output.schema.json`.

use serde::Serialize;

/// Defines types with a value, each with the name of its definition.
macro_rules! definitions {
    ($($(#[$attribute:meta])* $definition:literal $name:ident$(<$lifetime:lifetime>)?($value:ty);)*) => {$(
        #[derive(Serialize)]
        #[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = $definition))]
        $(#[$attribute])*
        pub struct $name$(<$lifetime>)?(pub $value);
    )*};
}

definitions! {
    /// The name of a file as the user states it, or found in a folder; `-` is standard input. `FILE!N` is
    /// the `N`th object in a file.
    "file" File<'a>(&'a str);
    /// The offset of a byte in the file.
    "offset" Offset(usize);
    /// A number of bytes.
    "size" Size(u64);
    /// The number of a line, from 1.
    #[cfg_attr(test, schemars(extend("minimum" = 1)))]
    "line" Line(usize);
    /// The number of a character in its line, from 1.
    #[cfg_attr(test, schemars(extend("minimum" = 1)))]
    "column" Column(usize);
    /// A version of vISA.
    #[cfg_attr(test, schemars(extend("pattern" = r"^[0-9]+\.[0-9]+$")))]
    "version" Version(String);
    /// A dialect of the format.
    #[cfg_attr(test, schemars(extend("enum" = ["manual", "igc2022", "igc2026"])))]
    "dialect" Dialect(&'static str);
    /// The name of a platform.
    "platform" Platform(&'static str);
    /// The kind of a routine.
    #[cfg_attr(test, schemars(extend("enum" = ["kernel", "function"])))]
    "routineKind" RoutineKind(String);
    /// The name of a routine.
    "routineName" RoutineName(String);
    /// The severity of a finding.
    #[cfg_attr(test, schemars(extend("enum" = ["error", "warning"])))]
    "severity" Severity(String);
    /// The name of a rule of vISA or of inline assembly, or `syntax`.
    #[cfg_attr(test, schemars(extend("pattern" = "^[a-z0-9-]+$")))]
    "ruleName" RuleName<'a>(&'a str);
    /// The address of the explanation of a rule.
    "ruleUrl" RuleUrl(String);
    /// The index of an instruction in its routine. `dis` prints it after `$`.
    "instructionIndex" InstructionIndex(usize);
    /// The index of a basic block in its routine.
    "block" Block(u32);
    /// The index of a loop in its routine.
    "loop" Loop(u32);
}

/// The number of live registers, in bytes and bits for the other kinds of variables.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "pressure"))]
pub struct Pressure {
    instruction: InstructionIndex,
    registers: u32,
    bytes: Size,
    address_bytes: Size,
    predicate_bits: u32,
}

impl Pressure {
    /// Returns the pressure before an instruction.
    pub fn new(instruction: usize, pressure: &genvisa::analysis::Pressure) -> Pressure {
        Pressure {
            instruction: InstructionIndex(instruction),
            registers: pressure.registers,
            bytes: Size(pressure.bytes.into()),
            address_bytes: Size(pressure.address_bytes.into()),
            predicate_bits: pressure.predicate_bits,
        }
    }
}
