//! The rows of the instruction table: opcodes, and the operations of families.

use std::iter;

use genvisa::isa::{FieldSpec, SPEC, Spec, SubSpec};
use genvisa::text::{RowText, row_text, row_texts};
use genvisa::wire::{FieldRecorder, Reader, TracedField, Wire};
use genvisa::{Dialect, Format, Instruction, Version};

/// A row of the instruction table: an instruction, or an operation of a family.
#[derive(Clone, Copy)]
pub struct Row {
    pub(crate) spec: &'static Spec,
    /// The layout of an operation of a family, and its sub-opcode.
    pub(crate) operation: Option<(&'static SubSpec, u8)>,
    /// The format of examples: the default if it has the row, or a newer one.
    pub(crate) format: Format,
}

/// Bytes that are enough for every instruction.
const LONGEST: usize = 320;

/// Returns the names of a row: the mnemonics in text of IGC and in dialect manual, and those of the table and the struct.
fn names_of(row: &Row) -> [String; 4] {
    let [here, manual] = [row.format, Format::MANUAL].map(|format| row.mnemonic(format));
    [here, manual, row.spec.mnemonic.into(), row.name().into()]
}

/// Returns all names that [`find`] finds, in lower case.
pub fn names() -> Vec<String> {
    rows().iter().flat_map(names_of).map(|name| name.to_lowercase()).collect()
}

/// Returns the rows with a name, in any case: a mnemonic in text of IGC or in dialect manual, or the name in the table
/// or of the struct. Several instructions of media processing have one mnemonic. The word of an operation, such as
/// `sample4_c`, finds the row of the instruction.
pub fn find(name: &str) -> Vec<Row> {
    let is_name = |one: &String| one.eq_ignore_ascii_case(name);
    let mut found: Vec<Row> = rows();
    found.retain(|row| names_of(row).iter().any(is_name));
    if found.is_empty() {
        found = rows();
        found.retain(|row| row_texts(name, row.format.dialect).any(|text| text.name == row.name()));
    }
    found
}

/// Returns every format with a binary form, and 4.2.
pub fn formats() -> impl Iterator<Item = Format> {
    let of = |dialect| Version::BINARY.iter().map(move |version| Format::new(dialect, *version));
    let igc = of(Dialect::Igc2022).chain(of(Dialect::Igc2026));
    [Format::MANUAL].into_iter().chain(igc).chain([Format::V4_2])
}

/// Returns the name of a format, such as `igc2026 4.1`.
pub fn format_name(format: Format) -> String {
    match format.dialect {
        Dialect::Manual => "manual".into(),
        dialect => format!("{dialect} {}", format.version),
    }
}

/// Returns all rows, in the order of their opcodes and sub-opcodes.
pub fn rows() -> Vec<Row> {
    let mut rows = Vec::new();
    for spec in SPEC {
        let usual = [Format::default(), Format::igc2026(Version::V4_1), Format::V4_2];
        let has_it = |format: &Format| spec.dialects.includes(*format);
        let format = usual.into_iter().find(has_it).unwrap_or_default();
        if spec.family.is_empty() {
            rows.push(Row { spec, operation: None, format });
            continue;
        }
        let first = rows.len();
        for layout in spec.family {
            let lists = [
                (layout.sub_opcodes, format),
                (layout.newer_sub_opcodes, Format::igc2026(Version::V4_1)),
                (layout.newest_sub_opcodes, Format::V4_2),
            ];
            for (codes, format) in lists {
                let operation = |code: &u8| Row { spec, operation: Some((layout, *code)), format };
                rows.extend(codes.iter().map(operation));
            }
        }
        rows[first..].sort_by_key(|row| row.operation.map(|(_, code)| code));
    }
    rows
}

impl Row {
    /// Returns the format of examples: the default if it has the row, or a newer one.
    pub fn format(&self) -> Format {
        self.format
    }

    /// Returns the formats that have the row.
    pub fn formats(&self) -> impl Iterator<Item = Format> {
        let Row { spec, operation, .. } = *self;
        formats().filter(move |format| match operation {
            Some((layout, code)) => {
                spec.layout(code, *format).is_some_and(|found| found.name == layout.name)
            }
            None => spec.dialects.includes(*format),
        })
    }

    /// Returns the fields after the opcode and the sub-opcode.
    pub fn fields(&self) -> &'static [FieldSpec] {
        self.operation.map_or(self.spec.fields, |(layout, _)| layout.fields)
    }

    /// Returns the name of the struct.
    pub fn name(&self) -> &'static str {
        self.operation.map_or(self.spec.name, |(layout, _)| layout.name)
    }

    /// Returns the opcode and the sub-opcode.
    pub fn start(&self) -> Vec<u8> {
        [self.spec.opcode].into_iter().chain(self.operation.map(|(_, code)| code)).collect()
    }

    /// Returns the bytes of an instruction, in which everything that can be 0 is 0; `None` if the format has none.
    pub fn zeros(&self, format: Format) -> Option<Vec<u8>> {
        self.with_elements(0, format)
    }

    /// Returns the bytes of an instruction like [`zeros`](Self::zeros), with a number of elements in its list, if it
    /// has one.
    pub fn with_elements(&self, count: u8, format: Format) -> Option<Vec<u8>> {
        let mut bytes = self.start();
        let start = bytes.len();
        bytes.resize(LONGEST, 0);
        let counter = self.fields().iter().find_map(|field| When::of(field).times);
        if let Some(counter) = counter.filter(|_| count > 0) {
            let zeros = self.zeros(format)?;
            let (_, traced) = decode(&zeros, format).ok()?;
            bytes[field(&traced, counter)?.offset] = count;
        }
        for _ in 0..=u8::MAX {
            match decode(&bytes, format) {
                Ok((_, traced)) => {
                    let end =
                        traced.iter().filter_map(|field| Some(field.offset + field.len?)).max();
                    bytes.truncate(end?);
                    return Some(bytes);
                }
                // The first byte of a field that cannot be 0.
                Err(at) if at < start => return None,
                Err(at) => {
                    let byte = bytes.get_mut(at)?;
                    *byte = byte.checked_add(1)?;
                }
            }
        }
        None
    }

    /// Returns the mnemonic in a format.
    pub fn mnemonic(&self, format: Format) -> String {
        let is_own = |text: &RowText| text.name == self.name();
        if !format.is_manual() && row_texts(self.spec.mnemonic, format.dialect).any(is_own) {
            return self.spec.mnemonic.into();
        }
        let zeros = self.zeros(format).unwrap_or_default();
        // Another operation, if other rows begin with the word of the first, as 3D_SAMPLE.
        let operations = (0..=u8::MAX).map_while(|operation| {
            let mut bytes = zeros.clone();
            *bytes.get_mut(1)? = operation;
            Some(bytes)
        });
        let words =
            iter::once(zeros.clone()).chain(operations).map(|bytes| self.word(&bytes, format));
        let is_own = |word: &String| {
            self.operation.is_some()
                || row_texts(word, format.dialect).all(|text| text.name == self.name())
        };
        words.flatten().find(is_own).unwrap_or_else(|| self.spec.mnemonic.into())
    }

    /// Returns the word that the text of an instruction begins with.
    fn word(&self, bytes: &[u8], format: Format) -> Option<String> {
        let instruction = Instruction::from_bytes(bytes, format).ok()?;
        let text = instruction.display(format).to_string();
        let mut ends = text.match_indices(['.', ' ']).map(|(at, _)| at).chain([text.len()]);
        let mut end = ends.next().unwrap_or(text.len());
        // The operation may follow a dot.
        if self.operation.is_some() && text[..end] == *self.spec.mnemonic {
            end = ends.next().unwrap_or(text.len());
        }
        Some(text[..end].into()).filter(|word: &String| !word.is_empty() && !word.contains(':'))
    }

    /// Returns the documentation and the parts of the text.
    pub fn text(&self) -> Option<&'static RowText> {
        let layout = self.operation.map(|(layout, _)| layout.name);
        row_text(self.spec.opcode, layout, self.format.dialect)
    }
}

/// Decodes an instruction with the traces of its fields, or returns the offset of an error.
pub fn decode(bytes: &[u8], format: Format) -> Result<(Instruction, Vec<TracedField>), usize> {
    let (mut instruction, mut recorder) = (Instruction::default(), FieldRecorder::default());
    match decode_recorded(&mut instruction, &mut Reader::traced(bytes, 0, format, &mut recorder)) {
        Ok(()) => Ok((instruction, recorder.take())),
        Err(error) => Err(error.offset()),
    }
}

/// Decodes an instruction as [`Wire::decode_into`] does, and records its fields.
///
/// Each package that decodes with a recorder itself contains all decoders of instructions once more.
///
/// # Errors
/// Returns an error if the bytes are not a valid instruction.
pub fn decode_recorded(
    instruction: &mut Instruction,
    r: &mut Reader<'_, &mut FieldRecorder>,
) -> genvisa::Result<()> {
    instruction.decode_into(r)
}

/// Returns the field of an instruction.
pub fn field<'t>(traced: &'t [TracedField], name: &str) -> Option<&'t TracedField> {
    traced.iter().find(|field| field.depth == 0 && field.name == name)
}

/// Returns whether the text of a byte is only its number.
pub fn is_number(field: &TracedField, value: u8) -> bool {
    field.value == value.to_string() || field.value == format!("{value:#x}")
}

/// The parts of the condition of a field that are about other fields.
#[derive(Default)]
pub struct When {
    /// The field, and the flag or value that it has.
    pub condition: Option<(&'static str, &'static str)>,
    /// The field with the number of elements.
    pub times: Option<&'static str>,
}

impl When {
    /// Reads the condition in the syntax of the table.
    pub fn of(spec: &FieldSpec) -> When {
        let words: Vec<&'static str> = spec.when.unwrap_or_default().split(' ').collect();
        match words[..] {
            ["if", field, "has" | "is", word] => {
                When { condition: Some((field, word)), times: None }
            }
            ["times", field, ..] => When { condition: None, times: Some(field) },
            _ => When::default(),
        }
    }
}
