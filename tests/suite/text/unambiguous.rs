//! A test that text is unambiguous: two instructions have the same text only if an annotation
//! contains their bytes.
//!
//! Instructions of every row are generated and constrained, so that many of them are legal: ids are
//! replaced by those of declared variables and codes by small numbers. Each is printed in the
//! complete style and parsed without the bytes in its annotation.

use genvisa::text::Document;
use std::collections::BTreeMap;

use genvisa::isa::{Label, SPEC, Subroutine};
use genvisa::object::{Align, Code, Kernel, LabelKind};
use genvisa::operand::{DataType, LabelId, Region, Stride, VarId};
use genvisa::text::{LineNames, LinePrinter, Style, parse};
use genvisa::verify::{Group, Verifier};
use genvisa::{Format, Instruction, Module, Version, strategy};
use genvisa_test_support::random::runner;
use proptest::prelude::RngCore;
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::TestRng;
use serde_json::{Value, json};

use super::complete::complete_text::instructions_with_complete_text;
use super::{has_bytes, listing};

const FORMATS: [Format; 6] = [
    Format::MANUAL,
    Format::igc2022(Version::V3_0),
    Format::igc2022(Version::V3_6),
    Format::igc2022(Version::V4_1),
    Format::igc2026(Version::V4_1),
    Format::V4_2,
];

const TYPES: [DataType; 9] = [
    DataType::UD,
    DataType::D,
    DataType::UW,
    DataType::W,
    DataType::UB,
    DataType::F,
    DataType::HF,
    DataType::DF,
    DataType::UQ,
];

/// The number of variables of each type, and of address variables, predicates, samplers and
/// surfaces.
const PER_CLASS: u32 = 4;

/// A reason why a legal instruction needs its bytes in an annotation: readers ignore a field that
/// the text omits, or the verifier does not check it.
///
/// The function tests an object in a serialized instruction, given the name of its field.
type Reason = (&'static str, fn(&str, &serde_json::Map<String, Value>) -> bool);

const NEEDS_BYTES: &[Reason] = &[
    ("readers of 3.0 treat the masks 9 to 15 as M1", |_, fields| {
        fields.get("mask").is_some_and(Value::is_number)
    }),
    ("readers ignore the high nibble of a type", |_, fields| {
        fields.get("ty").is_some_and(Value::is_number)
    }),
    ("readers ignore the bits of an immediate beyond its type", |_, fields| {
        let ty = fields.get("ty").and_then(Value::as_str);
        let ty = DataType::NAMED.iter().find(|known| ty.is_some() && known.name() == ty);
        let bits = fields.get("bits").and_then(Value::as_u64);
        ty.zip(bits).is_some_and(|(ty, bits)| ty.size() < 4 && bits >> (8 * ty.size()) != 0)
    }),
    ("the verifier does not check this operand's modifier", |name, fields| {
        let Some(kind) = fields.get("kind") else { return false };
        let modifier = fields.get("modifier").and_then(Value::as_str).unwrap_or_default();
        let is_element = kind.get("General").is_some() || kind.get("Indirect").is_some();
        match name {
            _ if modifier == "none" => false,
            "dst" | "carry" | "borrow" => true,
            _ => !is_element || modifier == "sat" || modifier.is_empty(),
        }
    }),
    ("the verifier does not check this operand's region", |name, fields| {
        let kind = fields.get("kind").and_then(Value::as_object);
        let kind = kind.and_then(|kind| kind.get("General").or_else(|| kind.get("Indirect")));
        let Some(bits) = kind.and_then(|kind| kind["region"].as_u64()) else { return false };
        let region = Region::from_bits(bits as u16).expect("it was generated");
        let strides = [region.vertical(), region.width(), region.horizontal()];
        match name {
            "dst" | "carry" | "borrow" => region != Region::dst(region.horizontal()),
            _ => strides.iter().any(|stride| stride.elements().is_none()),
        }
    }),
    ("readers ignore the high bits of a relation", |_, fields| {
        fields.get("rel_op").is_some_and(Value::is_number)
    }),
    ("readers use one bit of this byte", |_, fields| {
        fields.get("is_modified").and_then(Value::as_u64).is_some_and(|byte| byte > 1)
    }),
    ("readers ignore the options of a software fence", |name, _| name == "Fence"),
    ("readers ignore these scales and block sizes", |name, fields| {
        let is_set = |field: &str| fields.get(field).is_some_and(|value| *value != 0);
        match name {
            "GatherScaled" | "ScatterScaled" => is_set("scale") || is_set("block_size"),
            "Gather4Scaled" | "Scatter4Scaled" => is_set("scale"),
            _ => false,
        }
    }),
    ("readers ignore operands that WAIT does not need", |name, fields| {
        name == "Nbarrier" && fields["mode"] == "wait"
    }),
    ("readers ignore a channel mask beside a number of elements", |name, fields| {
        let is_quad = |op: &str| op.contains("quad");
        matches!(name, "Access" | "Strided" | "AppendCounter" | "TypedAccess")
            && fields["op"].as_str().is_some_and(|op| !is_quad(op))
            && fields["channels"] != "0000"
    }),
    ("the verifier has no rule about the predicate and lanes of a fence", |name, _| {
        name == "LscFence"
    }),
    ("the verifier has no rule about the end of a thread in RAW_SEND", |name, fields| {
        name == "RawSend" && fields["modifiers"] != "SENDC"
    }),
    ("readers of text do not expect the function id of RAW_SENDSC", |name, fields| {
        let modifiers = fields.get("modifiers").and_then(Value::as_str).unwrap_or_default();
        name == "RawSends" && modifiers.contains("SENDC") && fields["sfid"] != 0
    }),
    ("the verifier has no rule about the class of a lifetime", |name, fields| {
        name == "properties" && fields["class"].is_number()
    }),
    ("the verifier has no rule about the codes of video analytics", |name, fields| {
        let is_unnamed = |field: &str| fields.get(field).is_some_and(Value::is_number);
        ["exec_mode", "cntrl", "pixel_size"].into_iter().any(is_unnamed)
            || name.starts_with("Convolve1d") && is_unnamed("mode")
            || name.ends_with("Convolve") && is_unnamed("properties")
            || name == "FloodFill"
    }),
    ("the verifier has no rule about the size of elements", |_, fields| {
        fields.get("elt_size").is_some_and(Value::is_number)
    }),
    ("the verifier does not check the variable of a lifetime", |name, fields| {
        name == "Lifetime"
            && fields["variable"].as_u64().is_some_and(|id| id < VarId::FIRST_DECLARED.0.into())
    }),
    ("readers ignore operands that an LSC message does not have", |name, fields| {
        let is_null = |field: &str| {
            fields.get(field).is_none_or(|raw| *raw == json!({"var": 0, "offset": 0}))
        };
        let op = fields.get("op").and_then(Value::as_str).unwrap_or_default();
        match name {
            "Access" | "Strided" | "Block2d" | "TypedAccess" | "TypedBlock2d" => {
                op.starts_with("load") && !(is_null("src1") && is_null("src2"))
                    || op.starts_with("store") && !(is_null("dst") && is_null("src2"))
            }
            _ => false,
        }
    }),
    ("the verifier does not check the modifier and region of an address", |name, fields| {
        let scalar = json!(Region::SCALAR.bits());
        let source = fields.get("src0").unwrap_or(&Value::Null);
        name == "AddrAdd"
            && (source["modifier"] != "none"
                || source["kind"].get("General").is_some_and(|g| g["region"] != scalar))
    }),
];

/// Returns whether a reason applies to a part of a serialized instruction.
fn needs_bytes(name: &str, value: &Value) -> bool {
    match value {
        Value::Object(fields) => {
            NEEDS_BYTES.iter().any(|(_, applies)| applies(name, fields))
                || fields.iter().any(|(name, field)| needs_bytes(name, field))
        }
        Value::Array(items) => items.iter().any(|item| needs_bytes("", item)),
        _ => false,
    }
}

fn module(format: Format) -> Module<'static> {
    let mut kernel = Kernel::new("kernel");
    let body = &mut kernel.body;
    for (index, ty) in TYPES.into_iter().enumerate() {
        for i in 0..PER_CLASS {
            body.add_variable(&format!("v{index}_{i}"), ty, 512, Align::WORDX32);
        }
    }
    for i in 0..PER_CLASS {
        body.add_predicate(&format!("p{i}"), 32).expect("few predicates");
        body.add_address(&format!("a{i}"), 16).expect("few addresses");
        body.add_sampler(&format!("s{i}")).expect("few samplers");
        body.add_surface(&format!("t{i}")).expect("few surfaces");
    }
    for (name, kind) in [("block", LabelKind::BLOCK), ("routine", LabelKind::SUBROUTINE)] {
        body.add_label(name, kind).expect("few labels");
    }
    let mut module = Module::new(format);
    module.kernels.push(kernel);
    module
}

/// Sets the code of a module. The labels are defined at its end.
fn with_code(mut module: Module<'static>, instructions: &[Instruction]) -> Module<'static> {
    let labels = [Label { label: LabelId(0) }.into(), Subroutine { label: LabelId(1) }.into()];
    let code: Vec<Instruction> = instructions.iter().copied().chain(labels).collect();
    // Dialect `Manual` has no labels.
    let code = Code::from_instructions(&code, module.format)
        .or_else(|_| Code::from_instructions(instructions, module.format));
    module.kernels[0].body.code = code.expect("encodable");
    module
}

/// Changes fields of generated instructions so that more of them are legal.
struct Constrainer<'r> {
    rng: &'r mut TestRng,
    /// The index in [`TYPES`] of the type that most operands have.
    ty: u32,
}

impl Constrainer<'_> {
    fn below(&mut self, limit: u32) -> u32 {
        self.rng.next_u32() % limit
    }

    /// Returns `true` with a probability.
    fn chance(&mut self, percent: u32) -> bool {
        self.below(100) < percent
    }

    fn var(&mut self) -> u32 {
        let ty = if self.chance(97) { self.ty } else { self.below(TYPES.len() as u32) };
        VarId::FIRST_DECLARED.0 + ty * PER_CLASS + self.below(PER_CLASS)
    }

    fn number(&mut self, value: &mut Value, limit: u64) {
        if let Some(number) = value.as_u64() {
            *value = json!(number % limit);
        }
    }

    fn immediate(&mut self) -> Value {
        let ty = TYPES[self.ty as usize];
        let bits = match ty.size() {
            1 => self.below(128),
            2 => self.below(1 << 15),
            _ => self.below(u32::MAX),
        };
        json!({"ty": ty.name(), "bits": bits})
    }

    fn kind(&mut self, kind: &mut Value, is_dst: bool) {
        let is_kept = self.chance(15);
        let Value::Object(fields) = &mut *kind else { return };
        let Some((class, fields)) = fields.iter_mut().next() else { return };
        let class = if is_kept { class.as_str() } else { "" };
        match class {
            "Address" => {
                self.number(&mut fields["addr"], PER_CLASS.into());
                self.number(&mut fields["offset"], 8);
                self.number(&mut fields["width"], 6);
            }
            "Predicate" => *fields = json!(1 + self.below(PER_CLASS)),
            "Indirect" => {
                self.number(&mut fields["addr"], PER_CLASS.into());
                self.number(&mut fields["addr_offset"], 8);
                fields["ty"] = json!(TYPES[self.ty as usize].name());
                fields["offset"] = json!(0);
                fields["region"] = self.region(is_dst);
            }
            "State" => {
                let is_surface = self.chance(50);
                fields["class"] = json!(if is_surface { "surface" } else { "sampler" });
                let first = if is_surface { 6 } else { 0 };
                fields["index"] = json!(first + self.below(PER_CLASS));
                fields["offset"] = json!(0);
            }
            "Immediate" if self.chance(50) => {}
            _ if !is_dst && self.chance(25) => *kind = json!({"Immediate": self.immediate()}),
            _ => {
                let (row, region) = (self.below(2), self.region(is_dst));
                *kind =
                    json!({"General": {"var": self.var(), "row": row, "col": 0, "region": region}});
            }
        }
    }

    fn region(&mut self, is_dst: bool) -> Value {
        let source = |v, w, h| Region::new(v, w, h);
        let (s0, s1, s8) = (Stride::S0, Stride::S1, Stride::S8);
        let region = match self.below(20) {
            0 => return json!(self.below(1 << 12)),
            _ if is_dst => Region::dst(s1),
            1..8 => source(s8, s8, s1),
            8 => source(s1, s1, s0),
            _ => Region::SCALAR,
        };
        json!(region.bits())
    }

    fn constrain(&mut self, key: &str, value: &mut Value) {
        // Rarely keep a generated value.
        if self.chance(1) && !value.is_object() && !value.is_array() {
            return;
        }
        match key {
            "modifier" if self.chance(85) => *value = json!("none"),
            "pred" | "predicate" if value.is_number() => {
                let is_predicated = self.chance(25);
                *value = json!(if is_predicated { 1 + self.below(PER_CLASS) } else { 0 });
            }
            "exec" if self.chance(90) => {
                let size = [8, 16, 1][self.below(3) as usize];
                let mask = if self.chance(20) { "M1_NM" } else { "M1" };
                *value = json!({"size": size, "mask": mask});
            }
            "var" => {
                *value = json!(if self.chance(8) { 0 } else { self.var() });
            }
            "variable" => *value = json!(self.var()),
            "surface" | "dst_surface" | "src_surface" if value.is_number() => {
                *value = json!(6 + self.below(PER_CLASS));
            }
            "sampler" => self.number(value, PER_CLASS.into()),
            "label" => *value = json!(self.below(2)),
            "labels" => *value = json!([0]),
            "aoffimmi" if self.chance(90) && value.is_object() => {
                *value =
                    json!({"modifier": "none", "kind": {"Immediate": {"ty": "uw", "bits": 0}}});
                return;
            }
            "paired_surface" if value.is_object() => *value = json!({"var": 0, "offset": 0}),
            "params" => {
                let params = value.as_array_mut().map(core::mem::take).unwrap_or_default();
                *value = json!(&params[..params.len().min(4)]);
            }
            "kind" => self.kind(value, false),
            "offset" | "u_offset" | "v_offset" | "r_offset" | "addr_offset" => {
                *value = json!(if self.chance(70) { 0 } else { 4 * self.below(4) });
            }
            "surface_index" if value.is_number() => *value = json!(0),
            "l1" | "l3" | "vnni" | "is_modified" => *value = json!(0),
            "sfid" => self.number(value, 4),
            "addr_type" => *value = json!(if self.chance(60) { 1 } else { 1 + self.below(6) }),
            "addr_size" => *value = json!(2 + self.below(2)),
            "data_size" => *value = json!(3 + self.below(2)),
            "data_order" | "data_elems" => *value = json!(1 + self.below(2)),
            "addr_scale" => *value = json!(1),
            "channel" => self.number(value, 4),
            "systolic_depth" => *value = json!(8),
            "repeat_count" => *value = json!(8),
            "w" | "a" if value.is_number() => *value = json!("s8"),
            "properties" | "is_8_connect" | "elt_size" | "block_size" | "num_blocks" | "size"
            | "count" | "mode" | "cntrl" | "exec_mode" | "pixel_size" | "width" | "modifiers"
            | "scope" | "plane" => self.number(value, 3),
            "op" | "rel_op" => self.number(value, 0x20),
            "block" => self.number(value, 5),
            "scale" | "num_src" | "num_dst" | "num_out" | "num_src0" | "num_src1" | "arg_size"
            | "return_size" | "blocks" | "block_width" | "block_height" | "dst_len"
            | "src0_len" | "src1_len" => self.number(value, 16),
            "file_name" | "func_id" => *value = json!(1),
            "bits" if value.is_number() => {}
            _ => {}
        }
        match value {
            Value::Object(fields) => {
                for (name, field) in fields.iter_mut() {
                    let is_dst = ["dst", "carry", "borrow"].contains(&name.as_str());
                    match field.get_mut("kind") {
                        Some(kind) if name != "kind" => {
                            self.kind(kind, is_dst);
                            self.constrain("modifier", &mut field["modifier"]);
                            if name == "mask" || field["kind"].get("General").is_some() {
                                continue;
                            }
                        }
                        _ if name == "General" || name == "Indirect" => {}
                        _ => self.constrain(name, field),
                    }
                }
            }
            Value::Array(items) => items.iter_mut().for_each(|item| self.constrain("", item)),
            _ => {}
        }
    }
}

/// Generates and constrains instructions of a row.
fn generate(
    row: &impl Strategy<Value = Instruction>,
    format: Format,
    count: usize,
    salt: usize,
) -> Vec<Instruction> {
    let mut runner = runner(1, salt);
    let mut found = Vec::new();
    for _ in 0..count {
        let generated = row.new_tree(&mut runner).expect("filters rarely reject").current();
        let mut value = serde_json::to_value(generated).expect("it is serialized");
        let rng = runner.rng();
        let ty = rng.next_u32() % TYPES.len() as u32;
        Constrainer { rng, ty }.constrain("", &mut value);
        let constrained = serde_json::from_value(value).unwrap_or(generated);
        found
            .extend([constrained].into_iter().filter(|i: &Instruction| i.to_bytes(format).is_ok()));
    }
    found
}

/// Removes the bytes of the instructions from a text.
fn without_bytes(text: &str) -> String {
    let strip = |line: &str| match line.split_once(" //@") {
        Some((instruction, _)) if has_bytes(line) => instruction.to_owned(),
        _ => line.to_owned(),
    };
    text.lines().map(strip).collect::<Vec<_>>().join("\n") + "\n"
}

/// Returns the instruction of a line without comments, with single spaces.
fn instruction_of(line: &str) -> String {
    let instruction = line.split("//").next().unwrap_or_default();
    instruction.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Returns an error if the line of an instruction, without its bytes, is parsed as an instruction
/// with another text. `head` and `tail` are the text before and after the line.
fn misparsed([head, tail]: [&str; 2], line: &str, format: Format) -> Option<String> {
    let source = format!("{head}{}{tail}", without_bytes(line));
    let Ok(Document { module, warnings, .. }) = Document::parse(source, format).into_result()
    else {
        return None;
    };
    // The bytes also state the paired surface of a sampler message.
    if warnings.iter().any(|warning| warning.to_string().contains("paired surface")) {
        return None;
    }
    let body = &module.kernels[0].body;
    let parsed = body.code.instructions(format).next()?.ok()?.1;
    let names = LineNames::new(body, format);
    let other = LinePrinter::new(&names, format).instruction(&parsed, format);
    let (text, other) = (instruction_of(line), instruction_of(&other));
    (text != other).then(|| format!("{text}\nis parsed as\n{other}"))
}

#[test]
fn text_is_unambiguous() {
    let (mut wrong, mut all, mut legal) = (Vec::new(), 0, 0);
    let (mut annotated, mut annotated_legal) = (0, 0);
    let mut unexplained: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    let mut legal_rows: BTreeMap<u8, u32> = BTreeMap::new();
    for (salt, format) in FORMATS.into_iter().enumerate() {
        let tables = module(format);
        let no_code = listing(&with_code(tables.clone(), &[]), Style::Complete).expect("no code");
        // The labels follow the code.
        let end = no_code.find("\nblock:").map_or(no_code.len(), |end| end + 1);
        let around = no_code.split_at(end).into();
        let with_complete_text = instructions_with_complete_text(format);
        for (opcode, row) in strategy::rows(format) {
            // `with_code` adds the labels.
            if matches!(opcode, 0x30 | 0x31) {
                continue;
            }
            let mut code = generate(&row, format, 60, salt);
            let others = with_complete_text.iter().copied();
            code.extend(others.filter(|instruction| instruction.opcode() == opcode));
            let module = with_code(tables.clone(), &code);
            let text = listing(&module, Style::Complete).expect("legal code");
            let routine = module.routines().next().expect("one");
            let verifier = Verifier::new().with_groups(Group::ALL);
            let findings = verifier.check_routine(&routine);
            let mut is_legal = vec![true; code.len()];
            for finding in findings {
                if let Some(slot) = finding.instruction.and_then(|index| is_legal.get_mut(index)) {
                    *slot = false;
                }
            }
            let lines = text.lines().filter(|line| {
                line.contains(" /// $") || line.trim_start().starts_with(['F', 'L'])
            });
            let lines: Vec<&str> = lines.take(code.len()).collect();
            assert_eq!(lines.len(), code.len(), "{opcode:#04x} in {format}: {text}");
            let mut complete = Vec::new();
            for ((instruction, line), is_legal) in code.into_iter().zip(lines).zip(is_legal) {
                (all, legal) = (all + 1, legal + u32::from(is_legal));
                *legal_rows.entry(opcode).or_default() += u32::from(is_legal);
                if !has_bytes(line) {
                    complete.push(instruction);
                    continue;
                }
                // Text of 4.2 truncates numbers that are out of range, and needs bytes more often.
                if format == Format::V4_2 {
                    continue;
                }
                (annotated, annotated_legal) =
                    (annotated + 1, annotated_legal + u32::from(is_legal));
                let value = serde_json::to_value(instruction).expect("it is serialized");
                if is_legal && !needs_bytes("", &value) {
                    let mnemonic = SPEC.iter().find(|spec| spec.opcode == opcode);
                    let mnemonic = mnemonic.map_or("", |spec| spec.mnemonic);
                    let line = format!("{format}: {}", line.trim());
                    unexplained.entry(mnemonic).or_default().push(line);
                }
                wrong.extend(misparsed(around, line, format));
            }
            // Instructions without an annotation are parsed as themselves.
            let module = with_code(tables.clone(), &complete);
            let text = listing(&module, Style::Complete).expect("legal code");
            match parse(&text, format) {
                Ok(again) if again == module => {}
                Ok(again) => {
                    let read = again.kernels[0].body.code.instructions(format);
                    let read: Vec<_> = read.map(|item| item.expect("legal").1).collect();
                    let pair = complete.iter().zip(&read).find(|(a, b)| a != b);
                    wrong.push(format!("{opcode:#04x} in {format}: {pair:?}"));
                }
                Err(found) => {
                    let (line, _) = found[0].line_and_column().expect("the source is attached");
                    let line = text.lines().nth(line - 1).unwrap_or_default();
                    wrong.push(format!("{opcode:#04x} in {format}: {}: {line}", found[0]));
                }
            }
        }
    }
    let share = |part: u32, all: u32| 100.0 * f64::from(part) / f64::from(all.max(1));
    eprintln!(
        "{all} instructions, {annotated} ({:.1} %) with bytes; {legal} legal ones, \
         {annotated_legal} ({:.2} %) with bytes, all for the reasons in NEEDS_BYTES",
        share(annotated, all),
        share(annotated_legal, legal),
    );
    assert!(
        wrong.is_empty(),
        "{} parsed as another instruction:\n{}",
        wrong.len(),
        wrong[..wrong.len().min(20)].join("\n")
    );
    let examples: Vec<String> = unexplained
        .iter()
        .map(|(mnemonic, lines)| {
            format!("{mnemonic} ({}):\n{}", lines.len(), lines[..lines.len().min(3)].join("\n"))
        })
        .collect();
    assert!(examples.is_empty(), "legal, but printed with bytes:\n{}", examples.join("\n"));
    let illegal: Vec<_> = legal_rows.iter().filter(|(_, count)| **count == 0).collect();
    eprintln!("rows without a legal instruction: {illegal:02x?}");
    assert!(legal > 4_000, "only {legal} legal instructions: too few to be useful");
}
