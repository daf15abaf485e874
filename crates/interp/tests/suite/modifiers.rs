//! Saturation and the modifiers of sources: for every instruction, type and modifier that the verifier
//! accepts, a plain model of the modifier agrees, or the instruction is refused by name.

use std::collections::BTreeSet;

use genvisa::Platform;
use genvisa::isa::SPEC;
use genvisa::operand::{DataType, VarId};
use genvisa::text;
use genvisa::verify::Verifier;
use genvisa_interp::{FaultKind, Machine, Program, ThreadStart};

use crate::support::XE2;

const LANES: usize = 16;
const TYPES: [DataType; 12] = [
    DataType::UD,
    DataType::D,
    DataType::UW,
    DataType::W,
    DataType::UB,
    DataType::B,
    DataType::UQ,
    DataType::Q,
    DataType::F,
    DataType::HF,
    DataType::DF,
    DataType::BF,
];

fn is_float(ty: DataType) -> bool {
    matches!(ty, DataType::F | DataType::HF | DataType::DF | DataType::BF)
}

/// Returns the bounds of an integer type.
fn bounds(ty: DataType) -> (i128, i128) {
    let bits = ty.size() * 8;
    match ty {
        DataType::D | DataType::W | DataType::B | DataType::Q => {
            (-(1 << (bits - 1)), (1 << (bits - 1)) - 1)
        }
        _ => (0, (1 << bits) - 1),
    }
}

fn bounds_or_none(ty: DataType) -> Option<(i128, i128)> {
    (!is_float(ty)).then(|| bounds(ty))
}

/// The values of the lanes of a variable.
#[derive(Clone, Debug, PartialEq)]
enum Values {
    Integers(Vec<i128>),
    Floats(Vec<f64>),
}

impl Values {
    /// Returns values of a type for a source: bounds, and small numbers that are no zero.
    fn of(ty: DataType, source: usize) -> Values {
        if is_float(ty) {
            let values = [0.25, -0.75, 1.5, -2.0, 0.5, 8.0, -0.125, 1.0];
            return Values::Floats((0..LANES).map(|at| values[(at + 3 * source) % 8]).collect());
        }
        // Products of quadwords must not have more than 64 bits.
        let (min, max) = if ty.size() == 8 { bounds(DataType::W) } else { bounds(ty) };
        let (min, max) = if bounds(ty).0 == 0 { (1, max) } else { (min, max) };
        let values = [max, max / 2 + 1, 3, 1, min + 1, max / 4, 2, min / 2 + 1];
        let counts = [1, 3, 2, 4, 1, 2, 3, 1];
        let of = |at: usize| match source {
            0 => values[at % 8],
            // Small numbers in half of the lanes, as counts of shifts.
            _ if at < 8 => counts[at],
            _ => values[(at + 3 * source) % 8],
        };
        Values::Integers((0..LANES).map(of).collect())
    }

    fn bytes(&self, ty: DataType) -> Vec<u8> {
        match self {
            Values::Integers(values) => {
                values.iter().flat_map(|value| value.to_le_bytes()[..ty.size()].to_vec()).collect()
            }
            Values::Floats(values) => {
                let bytes = |value: &f64| match ty {
                    DataType::DF => value.to_le_bytes().to_vec(),
                    DataType::F => (*value as f32).to_le_bytes().to_vec(),
                    DataType::HF => half::f16::from_f64(*value).to_le_bytes().to_vec(),
                    _ => half::bf16::from_f64(*value).to_le_bytes().to_vec(),
                };
                values.iter().flat_map(bytes).collect()
            }
        }
    }

    fn from_bytes(bytes: &[u8], ty: DataType) -> Values {
        let elements = bytes.chunks(ty.size()).map(|element| {
            element.iter().rev().fold(0u64, |bits, byte| bits << 8 | u64::from(*byte))
        });
        if is_float(ty) {
            let float = |bits: u64| match ty {
                DataType::DF => f64::from_bits(bits),
                DataType::F => f32::from_bits(bits as u32).into(),
                DataType::HF => half::f16::from_bits(bits as u16).into(),
                _ => half::bf16::from_bits(bits as u16).into(),
            };
            return Values::Floats(elements.map(float).collect());
        }
        let integer = |bits: u64| {
            let (min, _) = bounds(ty);
            let value = i128::from(bits);
            if min < 0 && value >= -min { value + 2 * min } else { value }
        };
        Values::Integers(elements.map(integer).collect())
    }

    /// Returns what a modifier makes of the values; `None` if a result does not fit in the type.
    fn modified(&self, modifier: &str, is_logic: bool, ty: DataType) -> Option<Values> {
        match self {
            Values::Integers(values) => {
                let modified = values.iter().map(|value| match modifier {
                    "(~)" => !value,
                    "(-)" if is_logic => !value,
                    "(-)" => -value,
                    "(abs)" => value.abs(),
                    _ => -value.abs(),
                });
                let modified: Vec<i128> = modified.collect();
                let (min, max) = bounds(ty);
                let fits = is_logic || modified.iter().all(|value| (min..=max).contains(value));
                fits.then_some(Values::Integers(modified))
            }
            Values::Floats(values) => {
                let modified = values.iter().map(|value| match modifier {
                    "(-)" => -value,
                    "(abs)" => value.abs(),
                    _ => -value.abs(),
                });
                Some(Values::Floats(modified.collect()))
            }
        }
    }
}

/// An instruction with a destination and some sources of the same type.
#[derive(Clone)]
struct Case {
    mnemonic: String,
    sources: usize,
    saturates: bool,
    /// The source with a modifier.
    modifier: Option<(usize, &'static str)>,
    dst: DataType,
    src: DataType,
}

impl Case {
    fn text(&self) -> String {
        let mut text = String::from(".version 4.2\n.kernel \"k\"\n");
        let mut declare = |name: &str, ty: DataType| {
            // MADW writes twice as many elements.
            let count = if name == "dst" { 2 * LANES } else { self.elements() };
            text += &format!(".decl {name} v_type=G type={ty} num_elts={count} align=GRF\n");
        };
        declare("dst", self.dst);
        for source in 0..self.sources {
            declare(&format!("src{source}"), self.src);
        }
        declare("carry", DataType::UD);
        text += ".decl P1 v_type=P num_elts=16\n";
        // SEL has a predicate.
        let pred = if self.mnemonic == "sel" { "(P1) " } else { "" };
        let suffix = if self.saturates { ".sat" } else { "" };
        // BFN has a truth table, and these two have a second result.
        let table = if self.mnemonic == "bfn" { ".xd8" } else { "" };
        let carry = match self.mnemonic.as_str() {
            "addc" | "subb" => " carry(0,0)<1>",
            _ => "",
        };
        if self.mnemonic == "sel" {
            text += "    setp (M1, 16) P1 0x5a5a:ud\n";
        }
        text += &format!("    {pred}{}{table}{suffix} (M1, 16) dst(0,0)<1>{carry}", self.mnemonic);
        for source in 0..self.sources {
            let modifier = match self.modifier {
                Some((modified, modifier)) if modified == source => modifier,
                _ => "",
            };
            text += &format!(" {modifier}src{source}(0,0)<1;1,0>");
        }
        text + "\n    ret (M1, 1)\n"
    }

    /// Returns the number of elements of a source. PLANE reads two for each lane.
    fn elements(&self) -> usize {
        if self.mnemonic == "plane" { 2 * LANES } else { LANES }
    }

    fn is_accepted(&self) -> bool {
        let text = self.text();
        let Ok(module) = text::parse(&text, text::format_of(&text)) else { return false };
        Verifier::new().with_platform(Platform::Xe2).check_module(&module).is_empty()
    }

    /// Returns the values of the destination, and which lanes are undefined.
    fn run(&self, sources: &[Values]) -> Result<(Values, Vec<bool>), FaultKind> {
        let text = self.text();
        let module = text::parse(&text, text::format_of(&text)).expect("text");
        let program = Program::new([&module], XE2).expect("a program");
        let machine = Machine::new(&program);
        let start = ThreadStart { image: vec![0; 64], mask: 0xffff, ..ThreadStart::default() };
        let mut group = machine.group("k", [0; 3], 0, 64, [start]).expect("a group");
        let thread = group.thread_mut(0).expect("a thread");
        for (index, values) in sources.iter().enumerate() {
            let var = VarId(VarId::FIRST_DECLARED.0 + 1 + index as u32);
            let bytes = values.bytes(self.src).repeat(self.elements() / LANES);
            assert!(thread.set_variable(&program, var, 0, &bytes));
        }
        machine.run(&mut group).map_err(|fault| fault.kind)?;
        let dst = group.threads()[0].variable(&program, VarId::FIRST_DECLARED);
        let (bytes, undefined) = dst.expect("a variable");
        let size = self.dst.size();
        let undefined = undefined.chunks(size).take(LANES).map(|lane| lane.iter().any(|b| *b != 0));
        Ok((Values::from_bytes(&bytes[..LANES * size], self.dst), undefined.collect()))
    }
}

/// Checks that an instruction with saturation stores the clamped result of the one without it.
fn check_saturation(case: &Case) -> Result<(), FaultKind> {
    let sources: Vec<Values> = (0..case.sources).map(|at| Values::of(case.src, at)).collect();
    let (actual, undefined) = Case { saturates: true, ..case.clone() }.run(&sources)?;
    let context = || format!("{} {} {}", case.mnemonic, case.dst, case.src);
    // The result in a type that is large enough is exact.
    // BFE extracts fields with a sign if the destination has one.
    let exact_ty = match bounds_or_none(case.dst) {
        None => case.dst,
        Some((0, _)) if case.mnemonic == "bfe" => DataType::UQ,
        Some(_) => DataType::Q,
    };
    match (Case { dst: exact_ty, ..case.clone() }.run(&sources)?.0, actual) {
        (Values::Floats(exact), Values::Floats(actual)) => {
            for (exact, actual) in exact.into_iter().zip(actual) {
                let expected = if exact > 0.0 { exact.min(1.0) } else { 0.0 };
                assert_eq!(actual, expected, "{}: {exact}", context());
            }
        }
        (Values::Integers(exact), Values::Integers(actual)) => {
            let (min, max) = bounds(case.dst);
            for (lane, (exact, actual)) in exact.into_iter().zip(actual).enumerate() {
                // The count of a shift depends on the type of the destination.
                if lane >= 8 && case.mnemonic.starts_with("sh") {
                    continue;
                }
                if undefined[lane] {
                    // SHL.md: the result must have 33 bits.
                    assert!(case.mnemonic == "shl" && exact.abs() > 1 << 32, "{}", context());
                    continue;
                }
                assert_eq!(actual, exact.clamp(min, max), "{}: {exact}", context());
            }
        }
        _ => unreachable!("results of the same kind"),
    }
    Ok(())
}

/// Checks that an instruction with a modifier computes with the modified values. Returns whether the
/// type contains them.
fn check_modifier(case: &Case, index: usize, modifier: &'static str) -> Result<bool, FaultKind> {
    let sources: Vec<Values> = (0..case.sources).map(|at| Values::of(case.src, at)).collect();
    let is_logic = ["and", "or", "xor", "not"].contains(&case.mnemonic.as_str());
    // No page states whether a source is extended before its bits are inverted.
    if is_logic && case.dst.size() > case.src.size() {
        return Ok(false);
    }
    let Some(modified) = sources[index].modified(modifier, is_logic, case.src) else {
        return Ok(false);
    };
    let actual = Case { modifier: Some((index, modifier)), ..case.clone() }.run(&sources)?;
    let mut sources = sources;
    sources[index] = modified;
    let expected = case.run(&sources)?;
    // A comparison of text, because what is not a number differs from itself.
    let context = format!("{} {} {modifier}{}", case.mnemonic, case.dst, case.src);
    assert_eq!(format!("{actual:?}"), format!("{expected:?}"), "{context}");
    Ok(true)
}

#[test]
fn modifiers_change_results_as_in_the_manual() {
    let (mut saturated, mut modified) = (BTreeSet::new(), BTreeSet::new());
    let mut count = 0;
    for spec in SPEC {
        for sources in 1..=4 {
            for (dst, src) in TYPES.iter().flat_map(|dst| TYPES.map(|src| (*dst, src))) {
                let case = Case {
                    mnemonic: spec.mnemonic.to_owned(),
                    sources,
                    saturates: false,
                    modifier: None,
                    dst,
                    src,
                };
                if (dst, src) == (TYPES[0], TYPES[0]) {
                    let text = case.text();
                    if text::parse(&text, text::format_of(&text)).is_err() {
                        break;
                    }
                }
                if !case.is_accepted() {
                    continue;
                }
                let mut record =
                    |list: &mut BTreeSet<_>, result: Result<bool, FaultKind>| match result {
                        Ok(true) => {
                            count += 1;
                            list.insert(spec.mnemonic);
                        }
                        // Some values have no defined result.
                        Ok(false)
                        | Err(
                            FaultKind::InstructionNotModelled(_)
                            | FaultKind::NotModelled(_)
                            | FaultKind::NotDefined(_),
                        ) => {}
                        Err(fault) => panic!("{}: {fault}", case.text()),
                    };
                // The exact result of quadwords fits in no type.
                if (is_float(dst) || dst.size() < 8)
                    && (Case { saturates: true, ..case.clone() }).is_accepted()
                {
                    record(&mut saturated, check_saturation(&case).map(|()| true));
                }
                for modifier in ["(-)", "(abs)", "(-abs)", "(~)"] {
                    for index in 0..sources {
                        if (Case { modifier: Some((index, modifier)), ..case.clone() })
                            .is_accepted()
                        {
                            record(&mut modified, check_modifier(&case, index, modifier));
                        }
                    }
                }
            }
        }
    }
    for mnemonic in ["add", "add3", "avg", "dp4a", "mad", "mov", "mul", "sel", "shl", "shr"] {
        assert!(saturated.contains(mnemonic), "{mnemonic}: {saturated:?}");
    }
    for mnemonic in ["add", "and", "asr", "mad", "mov", "mul", "not", "sel", "shl"] {
        assert!(modified.contains(mnemonic), "{mnemonic}: {modified:?}");
    }
    assert!(count > 500, "{count}");
}
