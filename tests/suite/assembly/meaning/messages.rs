//! Messages and barriers print as what they were parsed from.

use genvisa::Dialect;
use genvisa::text::Document;
use genvisa::text::FileListing;

use super::*;

/// Returns the instruction of a line.
fn instruction(line: &str, format: Format) -> Instruction {
    let module = parsed(line, format).unwrap_or_else(|found| panic!("{line}: {}", found[0]));
    let routine = module.routines().next().expect("a routine");
    routine.instructions().next().expect("an instruction").expect("legal code").1
}

/// Returns the line of a file's first instruction, without its number.
fn disassembled(bytes: Vec<u8>, format: Format) -> String {
    let mut module = Module::new(format);
    let mut kernel = Kernel::new("k");
    kernel.body.code = Code::Present { bytes: bytes.into(), offset: 0 };
    module.kernels.push(kernel);
    let text = FileListing::new(&module).with_numbers(false).to_text().expect("legal code");
    text.lines().find(|line| line.starts_with("    ")).expect("an instruction").trim().into()
}

#[test]
fn barriers_with_one_number_have_as_many_consumers_as_producers() {
    let line = "nbarrier.signal 0x1:ub 0x4:ub";
    let Instruction::Nbarrier(barrier) = instruction(line, Format::V4_2) else { panic!("{line}") };
    assert_eq!(barrier.barrier_type, Some(Imm::uw(0).into()));
    assert_eq!(barrier.num_producers, Imm::ub(4).into());
    assert_eq!(barrier.num_consumers, Some(Imm::ub(4).into()));
    let (older, newer) = (Format::igc2022(Version::V3_6), Format::igc2026(Version::V4_1));
    for format in [older, newer, Format::V4_2] {
        for line in [line, "nbarrier.signal X(0,0)<0;1,0> X(0,1)<0;1,0>", "nbarrier.wait 0x1:ub"] {
            assert_eq!(reprint(line, format), line, "{format:?}");
        }
    }
    for format in [newer, Format::V4_2] {
        assert_eq!(reprint("nbarrier.signal 0x1:ub 0x0:uw 0x4:ub 0x4:ub", format), line);
        for line in [
            "nbarrier.signal 0x1:ub 0x0:ud 0x4:ub 0x4:ub",
            "nbarrier.signal 0x1:ub 0x2:uw 0x4:ub 0x4:ub",
            "nbarrier.signal 0x1:ub 0x0:uw 0x4:ub 0x0:ub",
            "nbarrier.signal 0x1:ub 0x0:ud 0x4:ub 0x0:ud",
        ] {
            assert_eq!(reprint(line, format), line, "{format:?}");
        }
    }
}

/// The reader of 2022 tests the lowest bit of the mode, today's reader tests all bits.
#[test]
fn barriers_with_unknown_modes_print_as_readers_treat_them() {
    for (dialect, mode, word) in [
        (Dialect::Igc2022, 2, "nbarrier.wait"),
        (Dialect::Igc2022, 3, "nbarrier.signal"),
        (Dialect::Igc2026, 2, "nbarrier.signal"),
        (Dialect::Igc2026, 3, "nbarrier.signal"),
    ] {
        let format = Format::new(dialect, Version::V4_1);
        let line = "nbarrier.signal 0x1:ub 0x4:ub";
        let mut bytes = instruction(line, format).to_bytes(format).expect("an encodable line");
        bytes[1] = mode;
        let text = disassembled(bytes, format);
        assert!(text.starts_with(word) && text.contains(&format!("//@ 60 0{mode}")), "{text}");
    }
}

#[test]
fn svm_blocks_print_their_alignment() {
    for format in [formats()[0], formats()[1], Format::V4_2] {
        for word in ["ld", "st"] {
            for alignment in ["aligned", "unaligned"] {
                let line = format!("svm_block_{word}.{alignment} (4) U(0,0)<0;1,0> D.0");
                assert_eq!(reprint(&line, format), line, "{format:?}");
                assert_eq!(
                    instruction(&line, format).to_string().split(' ').next(),
                    line.split(' ').next()
                );
            }
        }
    }
}

/// GenX_IR 1.0.12504.6 compiles `svm_block_ld` to an aligned block, IGC to an unaligned
/// one. Compilers that write version 4.1 are of both kinds.
#[test]
fn svm_blocks_without_alignment_are_read_as_the_compiler_of_their_time_reads_them() {
    let today = Format::igc2026(Version::V4_1);
    let old = |version| Format::igc2022(version);
    for (version, format, aligned, is_ambiguous) in [
        ("3.6", old(Version::V3_6), true, true),
        ("4.0", old(Version::V4_0), true, true),
        ("4.1", old(Version::V4_1), false, true),
        ("4.1", old(Version::V3_6), false, true),
        ("3.6", old(Version::V4_1), true, true),
        ("3.6", today, false, false),
        ("4.1", today, false, false),
        ("4.2", old(Version::V3_6), false, false),
        ("4.2", Format::V4_2, false, false),
    ] {
        let text = HEAD.replace("3.6", version) + "svm_block_st (4) U(0,0)<0;1,0> D.0\n";
        let assembly = Document::parse(&text, format).into_result().expect("correct text");
        let kernel = assembly.module.routines().next().expect("a kernel");
        let (_, store) = kernel.instructions().next().expect("a store").expect("legal code");
        let Instruction::Svm(Svm::BlockSt(store)) = store else { panic!("{store}") };
        assert_eq!(store.block.is_unaligned(), !aligned, "{version}, {format:?}");
        let warnings: Vec<_> = assembly.warnings.iter().map(ToString::to_string).collect();
        let read_as = if aligned { "aligned" } else { "unaligned" };
        let warning = format!(
            "`svm_block_st` is read as {read_as}: GenX_IR 1.0.12504.6 aligns such a block, IGC \
             2.40.14 does not; write `svm_block_st.aligned` or `svm_block_st.unaligned`"
        );
        let expected = if is_ambiguous { vec![warning] } else { Vec::new() };
        assert_eq!(warnings, expected, "{version}, {format:?}");
    }
}
