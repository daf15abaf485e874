//! Statistics of routines.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use genvisa::RegisterSize;
use genvisa::analysis::{Analysis, Counts, LineStatistics, Section, SourceLine, Statistics};
use genvisa::isa::{IdClass, Kind};
use genvisa::text::{self, FileListing};
use genvisa::{Dialect, Format, Module};
use genvisa_test_support::corpus;
use genvisa_test_support::repository;

/// Returns the statistics of the only routine of a text.
fn statistics_of(text: &str, format: Format) -> Statistics {
    let module = text::parse(text, format).unwrap_or_else(|errors| panic!("{text}{}", errors[0]));
    let routine = module.routines().next().expect("a routine");
    let analysis = Analysis::new(&routine, RegisterSize::Bytes32).expect("legal code");
    Statistics::new(&routine, &analysis)
}

/// Returns the statistics of a kernel of 4.2 with these instructions.
fn kernel(instructions: &str) -> Statistics {
    let declarations = "\
.version 4.2
.kernel \"k\"
.decl D v_type=G type=d num_elts=32 align=wordx32
.decl HALF v_type=G type=d num_elts=16 align=wordx32 alias=<D, 64>
.decl F v_type=G type=f num_elts=16 align=wordx32
.decl Q v_type=G type=uq num_elts=16 align=wordx32
.decl ONE v_type=G type=ud num_elts=1 align=dword
.decl A0 v_type=A num_elts=8
.decl P v_type=P num_elts=16
.decl P2 v_type=P num_elts=1
.decl T6 v_type=T num_elts=1 v_name=image
.decl S0 v_type=S num_elts=1 v_name=sampler
";
    let lines: Vec<&str> = instructions.lines().map(str::trim).collect();
    statistics_of(&format!("{declarations}{}\n", lines.join("\n")), Format::V4_2)
}

/// Returns counts as text, in their order.
fn listed<K: ToString>(counts: &Counts<K>) -> Vec<(String, u32)> {
    counts.iter().map(|(key, count)| (key.to_string(), count)).collect()
}

fn owned(counts: &[(&str, u32)]) -> Vec<(String, u32)> {
    counts.iter().map(|(key, count)| (key.to_string(), *count)).collect()
}

#[test]
fn counts_operations_and_kinds() {
    let statistics = kernel(
        "add (M1, 16) D(0,0)<1> D(0,0)<1;1,0> 0x1:d
         add.sat (M1, 16) F(0,0)<1> F(0,0)<1;1,0> F(0,0)<1;1,0>
         mov (M1, 16) D(0,0)<1> 0x1:d
         cmp.lt (M1, 16) P D(0,0)<1;1,0> 0x1:d
         again:
         (P) sel (M1, 16) D(0,0)<1> D(0,0)<1;1,0> 0x1:d
         (!P) mov.sat (M1_NM, 8) F(0,0)<1> F(0,0)<1;1,0>
         barrier
         ret (M1, 1)",
    );
    assert_eq!((statistics.instructions, statistics.markers), (9, 1));
    // The predicate of SEL is a source.
    assert_eq!((statistics.predicated, statistics.saturating), (1, 2));
    let operations =
        [("add", 2), ("mov", 2), ("barrier", 1), ("cmp", 1), ("label", 1), ("ret", 1), ("sel", 1)];
    assert_eq!(listed(&statistics.operations), owned(&operations));
    let kinds = &statistics.kinds;
    let count = |kind| kinds.get(&kind);
    assert_eq!((count(Kind::Mov), count(Kind::Arith), count(Kind::Flow)), (3, 2, 2));
    assert_eq!((count(Kind::Compare), count(Kind::Sync), count(Kind::Lsc)), (1, 1, 0));
    assert_eq!(kinds.total(), statistics.instructions);
}

#[test]
fn counts_messages_by_operation_and_target() {
    let statistics = kernel(
        "lsc_load.ugm (M1, 16)  D:d32  flat[Q]:a64
         lsc_load.ugm (M1, 16)  D:d32  flat[Q]:a64
         lsc_load.ugm (M1, 16)  %null:d32  flat[Q]:a64
         lsc_load.ugm (M1, 16)  D:d32  bti(0x2)[D]:a32
         lsc_load.ugm (M1, 16)  D:d32  bti(ONE)[D]:a32
         lsc_store.slm (M1, 16)  flat[D]:a32  D:d32
         lsc_store.ugm (M1, 16)  bss(ONE)[D]:a32  D:d32
         lsc_atomic_iadd.ugm (M1, 16)  %null:d32  flat[Q]:a64  D  %null
         lsc_load_quad.tgm (M1, 16)  D:d32.x  bti(0x3)[D]:a32
         lsc_fence.ugm.none.group
         sample_lz.R (M1, 16)  0x0:uw S0 T6 F.0 F.0 F.0
         barrier
         ret (M1, 1)",
    );
    let messages = [
        ("lsc_load ugm.flat", 3),
        ("lsc_atomic_iadd ugm.flat", 1),
        ("lsc_load ugm.bti", 1),
        ("lsc_load ugm.bti(2)", 1),
        ("lsc_load_quad tgm.bti(3)", 1),
        ("lsc_store ugm.bss", 1),
        ("lsc_store slm.flat", 1),
        ("sample_3d T6", 1),
    ];
    let mut found = listed(&statistics.messages);
    let first = found.remove(0);
    let mut expected = owned(&messages);
    assert_eq!(first, expected.remove(0));
    found.sort();
    expected.sort();
    assert_eq!(found, expected);
    assert_eq!((statistics.scratch.reads, statistics.scratch.writes), (0, 0));
}

#[test]
fn counts_accesses_to_scratch_memory() {
    let statistics = kernel(
        ".kernel_attr SpillMemOffset=512
         lsc_load.ugm (M1, 16)  D:d32  ss(ONE)[D]:a32
         lsc_load.ugm (M1, 16)  D:d32  flat[Q]:a64
         lsc_store.ugm (M1, 16)  ss(ONE)[D]:a32  D:d32
         lsc_store.ugm (M1, 16)  ss(ONE)[D]:a32  D:d32
         ret (M1, 1)",
    );
    let scratch = statistics.scratch;
    assert_eq!((scratch.reads, scratch.writes), (1, 2));
    assert_eq!((scratch.spill_offset, scratch.has_spill_surface), (Some(512), false));
    let separate = kernel(".kernel_attr SepSpillPvtSS\nret (M1, 1)").scratch;
    assert_eq!((separate.spill_offset, separate.has_spill_surface), (None, true));
}

#[test]
fn counts_messages_of_older_versions() {
    let statistics = statistics_of(
        ".version 3.6
.kernel \"k\"
.decl D v_type=G type=d num_elts=128 align=GRF
.decl Q v_type=G type=uq num_elts=16 align=GRF
.decl T6 v_type=T num_elts=1 v_name=buffer
.kernel_attr Target=\"cm\"
    oword_ld (4) T6 0x0:ud D.0
    oword_ld (4) %bss 0x0:ud D.0
    oword_st (4) TSS 0x0:ud D.0
    oword_ld (4) TSS 0x0:ud D.0
    oword_ld (4) %scratch 0x0:ud D.0
    gather.4 (M1_NM, 16) %slm 0x0:ud D.0 D.0
    scatter.4 (M1, 8) T6 0x0:ud D.0 D.0
    svm_gather.4.1 (M1, 8) Q.0 D.0
    raw_send (M1, 16) 0xd 8 7 0x0:ud D.0 D.0
    raw_sends.77.4.5.4 (M1, 16) 0x0:ud 0x0:ud D.0 D.0 D.0
    ret (M1, 1)
",
        Format::default(),
    );
    let messages = [
        ("gather T0:slm", 1),
        ("oword_ld T3:scratch", 1),
        ("oword_ld T4:bindless", 1),
        ("oword_ld T5:stateless", 1),
        ("oword_ld T6", 1),
        ("oword_st T3:scratch", 1),
        ("raw_send sfid 0xd", 1),
        // 77 is 0x4d.
        ("raw_sends sfid 0xd", 1),
        ("scatter T6", 1),
        ("svm_gather svm", 1),
    ];
    assert_eq!(listed(&statistics.messages), owned(&messages));
    assert_eq!((statistics.scratch.reads, statistics.scratch.writes), (1, 1));
    // GATHER and SCATTER have a number of elements instead of an execution size.
    let widths = statistics.widths.map(|width| (width.size.lanes(), width.masked, width.no_mask));
    assert_eq!(widths[0], (1, 1, 0));
    assert_eq!(widths[3..], [(8, 2, 0), (16, 2, 1), (32, 0, 0)]);
}

#[test]
fn counts_branches_blocks_and_loops() {
    let statistics = kernel(
        ".function \"main\"
         main:
         cmp.lt (M1, 1) P2 ONE(0,0)<0;1,0> 0x4:ud
         outer:
         inner:
         add (M1_NM, 1) ONE(0,0)<1> ONE(0,0)<0;1,0> 0x1:ud
         (P) goto (M1, 16) inner
         (P2) jmp (M1, 1) outer
         (!P2) jmp (M1, 1) done
         jmp (M1, 1) done
         never:
         goto (M1, 16) done
         done:
         call (M1, 1) sub
         switchjmp (M1, 1) ONE(0,0)<0;1,0> (end, end)
         end:
         ret (M1, 1)
         .function \"sub\"
         sub:
         (P2) ret (M1, 1)
         ret (M1, 1)",
    );
    let flow = statistics.control_flow;
    assert_eq!((flow.jumps, flow.conditional_jumps), (1, 2));
    assert_eq!((flow.gotos, flow.conditional_gotos, flow.switch_jumps), (1, 1, 1));
    assert_eq!(flow.branches(), 6);
    assert_eq!((flow.calls, flow.function_calls, flow.returns), (1, 0, 3));
    assert_eq!((flow.loops, flow.loop_depth, flow.irreducible_loops), (2, 2, 0));
    // main; outer; inner; after each of the three conditional branches; never; done; after the
    // call; end; sub; after its conditional RET.
    assert_eq!((flow.blocks, flow.unreachable_blocks), (12, 1));
}

#[test]
fn counts_declarations() {
    let statistics = kernel("ret (M1, 1)");
    let declared =
        statistics.declarations.map(|class| (class.class, class.count, class.aliases, class.bytes));
    assert_eq!(
        declared,
        [
            // 32 x 4, 16 x 4, 16 x 8 and 4 bytes.
            (IdClass::Variable, 5, 1, 128 + 64 + 128 + 4),
            (IdClass::Address, 1, 0, 16),
            // 16 bits and 1 bit.
            (IdClass::Predicate, 2, 0, 2 + 1),
            (IdClass::Surface, 1, 0, 0),
            (IdClass::Sampler, 1, 0, 0),
        ]
    );
}

#[test]
fn describes_the_peak() {
    let statistics = kernel(
        "mov (M1, 16) D(0,0)<1> 0x1:d
         mov (M1_NM, 1) ONE(0,0)<1> 0x1:ud
         mov (M1, 16) F(0,0)<1> 0x0:f
         mov (M1, 16) D(0,0)<1> ONE(0,0)<0;1,0>
         add (M1, 16) F(0,0)<1> F(0,0)<1;1,0> D(0,0)<1;1,0>
         lsc_store.slm (M1, 16)  flat[F]:a32  F:d32
         ret (M1, 1)",
    );
    let peak = statistics.peak.expect("instructions");
    // Before the ADD: F and D, two registers each. ONE is dead there; before it is read, F and ONE
    // are three.
    assert_eq!((peak.instruction, peak.pressure.registers, peak.pressure.bytes), (4, 4, 128));
    let variables: Vec<(u32, u32, u32)> =
        peak.variables.iter().map(|live| (live.root.number, live.units, live.registers)).collect();
    assert_eq!(variables, [(32, 64, 2), (34, 64, 2)]);
}

#[test]
fn changes_contain_the_numbers_of_both() {
    let before = kernel("mov (M1, 16) D(0,0)<1> 0x1:d\nret (M1, 1)");
    let after = kernel(
        "add (M1, 16) D(0,0)<1> D(0,0)<1;1,0> 0x1:d
         add (M1, 16) D(0,0)<1> D(0,0)<1;1,0> 0x1:d
         ret (M1, 1)",
    );
    let changes = before.changes(&after);
    let of = |section, name: &str| {
        let change =
            changes.iter().find(|change| change.section == section && change.name == *name);
        change.map(|change| (change.before, change.after))
    };
    assert_eq!(of(Section::Totals, "instructions"), Some((2, 3)));
    assert_eq!(of(Section::Operations, "mov"), Some((1, 0)));
    assert_eq!(of(Section::Operations, "add"), Some((0, 2)));
    assert_eq!(of(Section::Operations, "ret"), Some((1, 1)));
    assert_eq!(of(Section::Widths, "SIMD16"), Some((1, 2)));
    assert!(changes.is_sorted_by_key(|change| change.section));
    let differences = |changes: &[genvisa::analysis::Change]| {
        changes.iter().map(|change| change.difference()).collect::<Vec<_>>()
    };
    assert!(differences(&before.changes(&before)).iter().all(|difference| *difference == 0));
    let sum = |changes: &[genvisa::analysis::Change]| differences(changes).iter().sum::<i64>();
    assert_eq!(sum(&changes), -sum(&after.changes(&before)));
}

/// Counts in a text, made from its lines.
#[derive(Debug, Default, PartialEq, Eq)]
struct TextCounts {
    operations: BTreeMap<String, u32>,
    /// By lanes and whether the mask is `NM`.
    widths: BTreeMap<(usize, bool), u32>,
    predicated: u32,
    saturating: u32,
    /// Conditional and other JMP and GOTO.
    branches: [u32; 4],
}

impl TextCounts {
    /// Counts the instructions of a text of one routine.
    fn of_text(text: &str) -> TextCounts {
        let mut counts = TextCounts::default();
        let (mut labels, mut functions) = (0, 0);
        for line in text.lines() {
            if line.trim_start().starts_with("//")
                || line.starts_with('.') && !line.contains("/// $")
            {
                functions += u32::from(line.starts_with(".function "));
                continue;
            }
            let code = line.split("///").next().unwrap_or_default().trim_end();
            if code.ends_with(':') && !code.starts_with(' ') {
                labels += 1;
            } else if code.starts_with("    ") {
                counts.add(code.trim_start());
            }
        }
        for (name, count) in [("label", labels - functions), ("func", functions)] {
            if count > 0 {
                counts.operations.insert(name.into(), count);
            }
        }
        counts
    }

    fn add(&mut self, code: &str) {
        let (predicate, code) = match code.strip_prefix('(').and_then(|code| code.split_once(") "))
        {
            Some((predicate, rest)) => (Some(predicate), rest),
            None => (None, code),
        };
        let word = code.split([' ', '(']).next().unwrap_or_default();
        let mut parts = word.split('.');
        let name = parts.next().unwrap_or_default();
        let operation = match name {
            "resinfo" | "sampleinfo" => "info_3d",
            "min" | "max" => "fminmax",
            name if name.starts_with("fence") => "fence",
            "FILE" => "file",
            "LOC" => "loc",
            "add3" if word.starts_with("add3.o") => "add3.o",
            name if name.starts_with("sample_") => "sample_3d",
            name if name.starts_with("load_") => "load_3d",
            name => name,
        };
        *self.operations.entry(operation.into()).or_default() += 1;
        self.predicated += u32::from(predicate.is_some() && name != "sel");
        self.saturating += u32::from(parts.any(|part| part == "sat"));
        let index = match (name, predicate) {
            ("jmp", Some(_)) => Some(0),
            ("jmp", None) => Some(1),
            ("goto", Some(_)) => Some(2),
            ("goto", None) => Some(3),
            _ => None,
        };
        if let Some(index) = index {
            self.branches[index] += 1;
        }
        let exec = code.split_once("(M").and_then(|(_, rest)| rest.split_once(')'));
        if let Some((mask, lanes)) = exec.and_then(|(exec, _)| exec.split_once(", ")) {
            let lanes = lanes.parse().expect("a number of lanes");
            *self.widths.entry((lanes, mask.ends_with("_NM"))).or_default() += 1;
        }
    }

    fn of_statistics(statistics: &Statistics) -> TextCounts {
        let flow = statistics.control_flow;
        let widths = statistics.widths.iter().flat_map(|width| {
            let lanes = width.size.lanes();
            [((lanes, false), width.masked), ((lanes, true), width.no_mask)]
        });
        TextCounts {
            operations: listed(&statistics.operations).into_iter().collect(),
            widths: widths.filter(|(_, count)| *count > 0).collect(),
            predicated: statistics.predicated,
            saturating: statistics.saturating,
            branches: [flow.conditional_jumps, flow.jumps, flow.conditional_gotos, flow.gotos],
        }
    }
}

/// Returns the paths in a folder and its folders with a suffix.
fn files_with(folder: &Path, suffix: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("a folder").flatten() {
        let path = entry.path();
        if path.is_dir() {
            found.extend(files_with(&path, suffix));
        } else if path.extension().is_some_and(|other| other == suffix) {
            found.push(path);
        }
    }
    found.sort();
    found
}

/// The counts equal the numbers of lines in GenX_IR's disassembly.
#[test]
#[ignore = "needs the corpus"]
fn counts_of_the_corpus_are_those_of_its_lines() {
    let mut routines = 0;
    for file in corpus::required_files() {
        let golden = file.with_extension("golden");
        if !golden.is_dir() {
            continue;
        }
        let bytes = fs::read(&file).expect("a readable file");
        let module = Module::from_bytes(&bytes, Dialect::Igc2022).expect("a legal file");
        let mut expected: Vec<(String, TextCounts)> = files_with(&golden, "visaasm")
            .iter()
            .map(|path| {
                let text = fs::read_to_string(path).expect("a readable text");
                let name = text.split("\nkernel \"").nth(1).or(text.split(".kernel \"").nth(1));
                let name = name.and_then(|rest| rest.split('"').next()).expect("a name");
                (name.to_string(), TextCounts::of_text(&text))
            })
            .collect();
        for routine in module.routines() {
            let name = routine.name.to_string();
            let Some(at) = expected.iter().position(|(other, _)| *other == name) else { continue };
            let (_, expected) = expected.remove(at);
            let analysis = Analysis::new(&routine, RegisterSize::Bytes32).expect("legal code");
            let statistics = Statistics::new(&routine, &analysis);
            let found = TextCounts::of_statistics(&statistics);
            assert_eq!(found, expected, "{}: {name}", file.display());
            routines += 1;
        }
    }
    assert!(routines > 40, "{routines}");
}

/// The counts equal the numbers of lines in today's text.
#[test]
#[ignore = "needs the corpus"]
fn counts_of_todays_texts_are_those_of_their_lines() {
    let folder = corpus::required_visaasm();
    let mut texts = 0;
    for path in files_with(&folder, "visaasm") {
        let text = fs::read_to_string(&path).expect("a readable text");
        let name = path.display();
        let module = text::parse(&text, text::format_of(&text)).expect("legal text");
        for routine in module.routines() {
            let analysis =
                Analysis::new(&routine, routine.body.register_size(None)).expect("legal code");
            let statistics = Statistics::new(&routine, &analysis);
            let found = TextCounts::of_statistics(&statistics);
            assert_eq!(found, TextCounts::of_text(&text), "{name}");
            let peak = statistics.peak.expect("instructions");
            let bytes: u32 = peak.variables.iter().map(|live| live.units).sum();
            assert_eq!(bytes, peak.pressure.bytes, "{name}");
            texts += 1;
        }
    }
    assert!(texts >= 100, "{texts}");
}

/// The margin of a listing changes no instruction.
#[test]
fn text_with_a_margin_is_the_same_module() {
    for (name, format) in [("dot.visaasm", Format::V4_2), ("plain.visaasm", Format::default())] {
        let path = repository("tests/data").join(name);
        let source = fs::read_to_string(path).expect("a file of the repository");
        let module = text::parse(&source, format).expect("legal text");
        let mut text = String::new();
        for listing in FileListing::new(&module).routines() {
            let margin = |index: usize, margin: &mut String| *margin += &format!("/* {index} */ ");
            listing.write_with_margin_to(&mut text, margin).expect("legal code");
        }
        assert!(text.contains("\n/* 2 */") && !text.contains("\n\n/* 0"), "{text}");
        let parsed =
            text::parse(&text, format).unwrap_or_else(|errors| panic!("{text}{}", errors[0]));
        let codes = |module: &Module<'_>| module.kernels[0].body.code.bytes().to_vec();
        assert_eq!(codes(&parsed), codes(&module));
    }
}

/// Every instruction that is not a marker is in one line, with its messages.
#[test]
#[ignore = "needs the corpus"]
fn lines_are_a_partition_of_the_instructions() {
    let mut lines_found = 0;
    let mut check = |module: &Module<'_>, path: &Path| {
        for routine in module.routines() {
            let analysis = Analysis::new(&routine, RegisterSize::Bytes32).expect("legal code");
            let whole = Statistics::new(&routine, &analysis);
            let lines = LineStatistics::new(&analysis);
            let place = path.display();
            let instructions: u32 = lines.iter().map(|line| line.instructions).sum();
            assert_eq!(instructions, whole.instructions - whole.markers, "{place}");
            let mut messages = BTreeMap::new();
            for (message, count) in lines.iter().flat_map(|line| line.messages.iter()) {
                *messages.entry(*message).or_insert(0) += count;
            }
            assert_eq!(messages.len(), whole.messages.len(), "{place}");
            assert!(messages.iter().all(|(it, n)| whole.messages.get(it) == *n), "{place}");
            let peak = whole.peak.map_or(0, |peak| peak.pressure.registers);
            assert!(lines.iter().all(|line| line.pressure.registers <= peak), "{place}");
            assert!(lines.is_sorted_by(|a, b| a.instructions >= b.instructions), "{place}");
            lines_found += lines.len();
        }
    };
    for path in corpus::required_files() {
        let bytes = fs::read(&path).expect("a file");
        check(&Module::from_bytes(&bytes, Dialect::Igc2022).expect("a module"), &path);
    }
    assert!(lines_found > 1000, "{lines_found}");
}

#[test]
fn locations_apply_in_the_order_of_the_text() {
    let source = "\
.version 4.2
.kernel \"k\"
    jmp (M1, 1) second
    LOC 3
first:
    FILE \"a\"
    ret (M1, 1)
second:
    LOC 4
    jmp (M1, 1) first
    FILE \"b\"
    LOC 0
    ret (M1, 1)
";
    let module = text::parse(source, Format::V4_2).expect("legal text");
    let routine = module.routines().next().expect("a kernel");
    let analysis = Analysis::new(&routine, RegisterSize::Bytes32).expect("legal code");
    let name = |line: SourceLine| match line.file {
        Some(file) => format!("{}:{}", routine.body.strings[file.0 as usize], line.line),
        None => format!("?:{}", line.line),
    };
    let lines = SourceLine::of_instructions(&analysis.instructions);
    let names: Vec<String> = lines.iter().map(|it| it.map_or("-".into(), name)).collect();
    assert_eq!(names, ["-", "?:3", "?:3", "a:3", "a:3", "a:3", "a:4", "a:4", "b:4", "-", "-"]);
    let lines = LineStatistics::new(&analysis);
    let found: Vec<_> =
        lines.iter().map(|it| (it.line.map_or("-".into(), name), it.instructions)).collect();
    assert_eq!(found, [("-".into(), 2), ("a:3".into(), 1), ("a:4".into(), 1)]);
}
