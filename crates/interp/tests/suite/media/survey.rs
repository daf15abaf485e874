//! Which kernels of the corpus run.

use std::collections::BTreeMap;
use std::{env, fs};

use genvisa::isa::{Id, IdClass};
use genvisa::{Dialect, Instruction, Module, RegisterSize};
use genvisa_interp::{Code, Device, Fault, FaultKind, Program};
use genvisa_test_support::{corpus, repository};

use super::{Input, Picture, run};

/// The kernels that are compared with a model in `models.rs`, by a part of the name of the file.
const MODELS: &[(&str, &[&str])] = &[
    ("fcopy", &["MbCopyFieLd"]),
    ("pgpuinit-kernel-isa-gen9", &["surfaceCopy_set", "surfaceCopy_set_NV12"]),
    ("pgpuinit-kernel-isa-gen11lp", &["surfaceCopy_set", "surfaceCopy_set_NV12"]),
    ("pnv12top010", &["NV12ToP010"]),
    ("simple-me", &["DownSampleMB2X", "DownSampleMB4X"]),
    (
        "hme-downscale",
        &[
            "hme_frame_downscale",
            "hme_field_downscale",
            "hme_frame_downscale2",
            "hme_field_downscale2",
        ],
    ),
    ("scd", &["SubSamplePoint_p", "SubSamplePoint_t", "SubSamplePoint_b", "surfaceCopy_Y"]),
    ("genx-mc", &["MC_MERGE4", "MC_VAR_SC_CALC"]),
];

/// Returns inputs: a buffer for each surface whose bytes are accessed, pictures for the others, and ones.
fn inputs(code: &Code) -> Vec<Input> {
    let is_buffer = |id: Id| {
        code.instructions().iter().any(|instruction| {
            let mut is_accessed = false;
            instruction.visit_accesses(|access| is_accessed |= access.id == id);
            let is_of_texels = matches!(
                instruction,
                Instruction::MediaLd(_) | Instruction::MediaSt(_) | Instruction::TypedAtomic(_)
            );
            is_accessed && instruction.is_message() && !is_of_texels
        })
    };
    let input = |declared: &genvisa::object::Input| match declared.id() {
        Some(id) if id.class == IdClass::Surface && is_buffer(id) => {
            Input::Buffer(vec![0; 1 << 16])
        }
        Some(id) if id.class == IdClass::Surface => {
            Input::Picture(Picture::noise("nv12", [64, 64], id.number))
        }
        _ => Input::Bytes([1, 0].repeat(declared.size.div_ceil(2).into())),
    };
    code.inputs().iter().map(input).collect()
}

fn result(file: &str, code: &Code) -> (bool, String) {
    if code.instructions().is_empty() {
        return (false, "the file has its machine code only".into());
    }
    match run(file, code.name(), [1, 1], &inputs(code)) {
        Ok(_) => (true, "yes".into()),
        Err(Fault {
            kind: FaultKind::InstructionNotModelled(what) | FaultKind::NotModelled(what),
            ..
        }) => (false, what),
        Err(fault) => panic!("{file}, {}: {fault}", code.name()),
    }
}

/// `GENVISA_BLESS=1` writes the table.
#[test]
#[ignore = "needs the corpus, in GENVISA_CORPUS"]
fn the_table_says_which_kernels_of_the_corpus_run() {
    let mut rows = BTreeMap::new();
    let (mut kernels, mut running, mut modelled) = (0, 0, 0);
    for path in corpus::required_files() {
        let file = path.file_stem().expect("a name").to_string_lossy().into_owned();
        let bytes = fs::read(&path).expect("a file");
        let module = Module::from_bytes(&bytes, Dialect::Igc2022).expect("a module");
        let device = Device { registers: RegisterSize::Bytes32 };
        let program = Program::new([&module], device).expect("a program");
        let mut lines = String::new();
        for code in program.routines() {
            let (runs, result) = result(&file, code);
            let has_model = MODELS
                .iter()
                .any(|(part, names)| file.contains(part) && names.contains(&code.name()));
            assert!(runs || !has_model, "{file}, {}: {result}", code.name());
            let model = if has_model { "agrees" } else { "" };
            lines += &format!("| `{file}` | `{}` | {result} | {model} |\n", code.name());
            kernels += 1;
            running += usize::from(runs);
            modelled += usize::from(has_model);
        }
        rows.insert(file, lines);
    }
    let path = repository("docs/evidence/run-media.md");
    let document = fs::read_to_string(&path).expect("a document");
    let (before, rest) = document.split_once("<!-- kernels -->\n").expect("a mark");
    let (_, after) = rest.split_once("<!-- end -->").expect("a mark");
    let rows: String = rows.into_values().collect();
    let table = format!(
        "Of {kernels} kernels, {running} run, and {modelled} are compared with a model.\n\n\
         | File | Kernel | Runs | Model |\n|---|---|---|---|\n{rows}"
    );
    let expected = format!("{before}<!-- kernels -->\n{table}<!-- end -->{after}");
    if env::var_os("GENVISA_BLESS").is_some() {
        fs::write(&path, &expected).expect("a writable file");
    } else {
        assert!(document == expected, "run with GENVISA_BLESS=1 to write {}", path.display());
    }
}
