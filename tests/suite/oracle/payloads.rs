//! The lengths of messages: today's GenX_IR sends and receives the registers that this crate
//! computes.

use std::collections::BTreeMap;
use std::fs;

use genvisa::RegisterSize;
use genvisa::analysis::{Access, AccessKind, Storage};
use genvisa::isa::lsc::LscUntyped;
use genvisa::isa::{SampleFlags, Svm};
use genvisa::operand::lsc::LscDataOrder;
use genvisa::operand::{Raw, Slot, Visitor};
use genvisa::text::parse;
use genvisa::{Format, Instruction};
use genvisa_test_support::corpus;
use genvisa_test_support::corpus::texts_under;
use genvisa_test_support::genx_ir_today::Compiler;
use genvisa_test_support::parallel::parallel;

use crate::analysis::payloads::kernels;

/// The folders of texts, with the platform for the tool.
const DEVICES: [(&str, &str, RegisterSize); 4] = [
    ("tgllp", "TGLLP", RegisterSize::Bytes32),
    ("dg2", "DG2", RegisterSize::Bytes32),
    ("pvc", "PVCXT", RegisterSize::Bytes64),
    ("bmg", "XE2", RegisterSize::Bytes64),
];

/// The registers of a message.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Lengths {
    dst: u32,
    sources: u32,
    /// The number of messages.
    count: u32,
}

/// Returns the messages in a dump, by the index of their instruction.
fn messages(dump: &str) -> BTreeMap<usize, Lengths> {
    let mut messages: BTreeMap<usize, Lengths> = BTreeMap::new();
    for line in dump.lines().filter(|line| !line.starts_with("//")) {
        let Some((_, comment)) = line.split_once("// $") else { continue };
        let number = |name: &str| {
            let (_, rest) = comment.split_once(name)?;
            let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
            rest[..end].parse::<u32>().ok()
        };
        let lengths = (number("dstLen="), number("src0Len="), number("src1Len="));
        let (Some(dst), Some(src0), Some(src1)) = lengths else { continue };
        let index = number("").unwrap_or(0) as usize;
        let message = messages.entry(index).or_default();
        message.dst += dst;
        message.sources += src0 + src1;
        message.count += 1;
    }
    messages
}

/// The raw operands of an instruction.
#[derive(Default)]
struct RawOperands(Vec<Raw>);

impl Visitor for RawOperands {
    fn raw(&mut self, _: Slot, operand: Raw) {
        self.0.push(operand);
    }
}

/// Returns the registers of the raw operands of an instruction.
fn registers_of(instruction: &Instruction, storage: &Storage) -> Lengths {
    let mut raws = RawOperands::default();
    instruction.visit(&mut raws);
    let roots: Vec<_> = raws.0.iter().filter_map(|raw| storage.location(raw.var)).collect();
    let mut lengths = Lengths { count: 1, ..Lengths::default() };
    // The fewest lanes of a message.
    let least = match instruction {
        Instruction::LscUntyped(LscUntyped::Access(access))
            if access.data_order == LscDataOrder::TRANSPOSE =>
        {
            1
        }
        Instruction::LscUntyped(LscUntyped::Access(_))
        | Instruction::Svm(_)
        | Instruction::QwGather(_)
        | Instruction::QwScatter(_) => storage.registers().bytes() / 4,
        _ => 1,
    };
    storage.visit_accesses(instruction, |access: Access| {
        if roots.iter().all(|location| location.root != access.root) {
            return;
        }
        let mut bytes = access.footprint.span().len() as u32;
        if let Some(lanes) = access.lanes {
            bytes += least.saturating_sub(lanes.count.into()) * u32::from(lanes.pitch);
        }
        let registers = bytes.div_ceil(storage.registers().bytes());
        match access.kind {
            AccessKind::Write => lengths.dst += registers,
            _ => lengths.sources += registers,
        }
    });
    lengths
}

/// Compiles a text and compares the lengths of its messages. Returns the number of messages and the
/// differences; `None` if the compiler rejects the text.
fn compare(compiler: &Compiler, job: &Job) -> Option<(usize, Vec<String>)> {
    let folder = tempfile::tempdir().expect("a temporary folder");
    // IGC sets -enableHalfLSC.
    let options = ["-asmOutput", "k", "-dotAll", "-enableHalfLSC"];
    compiler.run(folder.path(), &job.text, job.platform, &options);
    let dump = fs::read_dir(folder.path())
        .expect("its folder")
        .flatten()
        .map(|entry| entry.path())
        .find(|path| path.to_string_lossy().ends_with("000.after.CFGConstruction.g4"))?;
    let messages = messages(&fs::read_to_string(dump).expect("a dump"));
    let module = parse(&job.text, Format::V4_2).expect("legal text");
    let routine = module.routines().next().expect("a kernel");
    let storage = Storage::new(&routine, job.registers);
    let (mut count, mut wrong) = (0, Vec::new());
    for (index, item) in routine.instructions().enumerate() {
        let (_, instruction) = item.expect("valid");
        let Some(message) = messages.get(&index) else { continue };
        if !is_comparable(&instruction, job.registers) {
            continue;
        }
        let ours = registers_of(&instruction, &storage);
        count += 1;
        if let Some(why) = difference(&instruction, ours, *message) {
            wrong.push(format!("{}: {instruction}: {why}", job.name));
        }
    }
    Some((count, wrong))
}

/// Returns how the lengths of a message differ from those that the compiler sends.
fn difference(instruction: &Instruction, ours: Lengths, theirs: Lengths) -> Option<String> {
    use Instruction as I;
    // The registers that the compiler adds: headers, and constant addresses and coordinates.
    let most_added = match instruction {
        I::RtWrite(_) | I::SampleUnorm(_) | I::Avs(_) => 2,
        // A header, and a fourth coordinate.
        I::Sample(_) | I::Load(_) => 6,
        _ => 1,
    };
    let has_sources = match instruction {
        // The references and the cost center are parts of the first registers.
        I::VmeIme(_) => true,
        _ => (ours.sources..=ours.sources + most_added).contains(&theirs.sources),
    };
    let has_dst = match instruction {
        // An upper bound.
        I::Sample3d(sample) if sample.flags.contains(SampleFlags::PIXEL_NULL_MASK) => {
            (1..=ours.dst).contains(&theirs.dst)
        }
        _ => ours.dst == theirs.dst,
    };
    let is_same = has_sources && has_dst && ours.count == theirs.count;
    (!is_same).then(|| format!("{ours:?}, but the compiler has {theirs:?}"))
}

/// Returns whether the lengths of a message say something about its operands.
fn is_comparable(instruction: &Instruction, registers: RegisterSize) -> bool {
    use Instruction as I;
    match instruction {
        // Their messages do not depend on operands.
        I::Fence(_) | I::LscFence(_) | I::Barrier(_) => false,
        // The dump has the lengths of the descriptor, which is 0 in the cases.
        I::RawSend(_) | I::RawSends(_) => false,
        // These do not exist on platforms with registers of 64 bytes, but the compiler sends messages
        // with wrong lengths.
        I::Gather(_)
        | I::Scatter(_)
        | I::QwGather(_)
        | I::Svm(Svm::Gather4Scaled(_))
        | I::Sample(_)
        | I::Load(_)
        | I::VmeIme(_)
        | I::VmeSic(_)
        | I::VmeFbr(_) => registers == RegisterSize::Bytes32,
        _ => true,
    }
}

/// A text to compile.
struct Job {
    name: String,
    text: String,
    platform: &'static str,
    registers: RegisterSize,
}

#[test]
#[ignore = "needs GenX_IR of IGC 2.40.14 and the corpus"]
fn messages_have_the_lengths_that_the_compiler_sends() {
    let (compiler, visaasm) = (Compiler::required(), corpus::required_visaasm());
    let mut jobs = Vec::new();
    for (device, platform, registers) in DEVICES {
        for path in texts_under(&visaasm.join(device)) {
            let text = fs::read_to_string(&path).expect("a readable text");
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            jobs.push(Job { name: format!("{device}/{name}"), text, platform, registers });
        }
        for (index, text) in kernels().enumerate() {
            jobs.push(Job { name: format!("{device}/case {index}"), text, platform, registers });
        }
    }
    let results = parallel(&jobs, |job| compare(&compiler, job));
    let compiled = results.iter().flatten().count();
    let messages: usize = results.iter().flatten().map(|(count, _)| count).sum();
    let wrong: Vec<_> = results.into_iter().flatten().flat_map(|(_, wrong)| wrong).collect();
    eprintln!("{messages} messages in {compiled} of {} texts", jobs.len());
    let wrong = wrong.join("\n");
    assert!(wrong.is_empty() && messages >= 400 || !compiler.is_tested, "{messages}; {wrong}");
}
