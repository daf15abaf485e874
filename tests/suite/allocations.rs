//! Allocations: instructions need none, and files need memory in proportion to their size. (A
//! binary of its own, because it counts all allocations.)

use allocation_counter::measure;
use genvisa::RegisterSize;
use genvisa::analysis::Storage;
use genvisa::object::{
    Attribute, Code, FileScopeVar, Function, GenBinary, Input, Kernel, LabelInfo, Name,
    SimpleVariable, Variable,
};
use genvisa::strategy::Generate;
use genvisa::text::Document;
use genvisa::text::{FileListing, Listing, Style, parse};
use genvisa::verify::Verifier;
use genvisa::wire::{Wire, Writer};
use genvisa::{Boundaries, Dialect, Format, Instruction, Instructions, Module, Version};
use genvisa_test_support::repository;
use proptest::prelude::RngCore;
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::{RngAlgorithm, TestRng, TestRunner};

fn instructions(format: Format) -> Vec<Instruction> {
    let strategy = Instruction::strategy(format);
    let mut runner = TestRunner::deterministic();
    (0..2000).map(|_| strategy.new_tree(&mut runner).expect("a value").current()).collect()
}

#[test]
fn decoding_skipping_and_encoding_do_not_allocate() {
    for format in [Format::igc2022(Version::V3_2), Format::igc2026(Version::V4_1), Format::MANUAL] {
        let instructions = instructions(format);
        let mut w = Writer::append_to(Vec::with_capacity(1 << 20), format);
        let encoded = measure(|| {
            instructions.iter().for_each(|instruction| instruction.encode(&mut w).expect("legal"));
        });
        assert_eq!(encoded.count_total, 0, "encoding in {format}");
        let code = w.into_bytes();

        let mut count = 0;
        let in_place = measure(|| {
            let mut decoder = Instructions::new(&code, format);
            let mut instruction = Instruction::default();
            while decoder.next_into(&mut instruction).expect("legal").is_some() {
                count += 1;
            }
        });
        assert_eq!(count, instructions.len());
        assert_eq!(in_place.count_total, 0, "decoding in place in {format}");
        let by_value = measure(|| {
            assert!(Instructions::new(&code, format).all(|item| item.is_ok()));
        });
        assert_eq!(by_value.count_total, 0, "decoding in {format}");
        let skipped = measure(|| {
            assert!(Boundaries::new(&code, format).all(|item| item.is_ok()));
        });
        assert_eq!(skipped.count_total, 0, "skipping in {format}");
    }
}

/// Returns the modules of the files in `tests/data`.
fn modules() -> Vec<Module<'static>> {
    let folder = repository("tests/data");
    let files = std::fs::read_dir(folder).expect("the folder").flatten();
    let mut modules = Vec::new();
    for path in files.map(|file| file.path()) {
        match path.extension().and_then(|extension| extension.to_str()) {
            Some("isa") => {
                let bytes: &[u8] = std::fs::read(&path).expect("a file").leak();
                let read = |dialect: &Dialect| Module::from_bytes(bytes, *dialect).ok();
                modules.extend(Dialect::ALL.iter().filter_map(read).find(is_valid));
            }
            Some("visaasm") => {
                let text = std::fs::read_to_string(&path).expect("a text");
                let mut formats = [Format::V4_2, Format::default()].into_iter();
                modules.extend(formats.find_map(|format| parse(&text, format).ok()));
            }
            _ => {}
        }
    }
    modules
}

/// Returns whether all instructions of a module exist in its dialect.
fn is_valid(module: &Module<'_>) -> bool {
    module.routines().all(|routine| routine.instructions().all(|item| item.is_ok()))
}

#[test]
fn accesses_do_not_allocate() {
    let (mut instructions, mut accesses) = (0, 0);
    for module in modules() {
        for routine in module.routines() {
            let storage = Storage::new(&routine, RegisterSize::Bytes64);
            let decoded: Vec<_> =
                routine.instructions().map(|item| item.expect("valid").1).collect();
            let visited = measure(|| {
                for instruction in &decoded {
                    storage.visit_accesses(instruction, |_| accesses += 1);
                }
            });
            assert_eq!(visited.count_total, 0);
            instructions += decoded.len();
        }
    }
    assert!(instructions > 30 && accesses > 60, "{instructions} and {accesses}");
}

/// A sink that discards the text.
struct Discard;

impl std::fmt::Write for Discard {
    fn write_str(&mut self, _: &str) -> std::fmt::Result {
        Ok(())
    }
}

/// Names and buffers are allocated once per routine.
#[test]
fn printing_does_not_allocate_per_instruction() {
    let format = Format::igc2022(Version::V3_6);
    let once = instructions(format);
    let allocations = |times: usize, style| {
        let mut kernel = Kernel::new("kernel");
        let many: Vec<Instruction> =
            once.iter().copied().cycle().take(times * once.len()).collect();
        kernel.body.code = Code::from_instructions(&many, format).expect("legal");
        let mut module = Module::new(format);
        module.kernels.push(kernel);
        let routine = module.routines().next().expect("a kernel");
        let listing = Listing::new(routine).with_style(style);
        measure(|| listing.write_to(&mut Discard).expect("legal")).count_total
    };
    for style in [Style::Complete, Style::GenXIr] {
        assert_eq!(allocations(1, style), allocations(10, style), "{style:?}");
    }
}

/// The most allocations that ten times as many lines may add: buffers grow by doubling.
const GROWTH: u64 = 40;

/// Returns the number of allocations of [`parse`]. Returns `None` if the text is not correct.
fn allocations_of_parsing(text: &str, format: Format) -> Option<u64> {
    let mut is_correct = false;
    let used = measure(|| is_correct = parse(text, format).is_ok());
    is_correct.then_some(used.count_total)
}

/// Adds a statement to `found` if parsing allocates for each copy of it. The text has as many
/// copies as the argument of `text`. Returns whether the text is correct.
fn check_copies(
    statement: &str,
    format: Format,
    text: impl Fn(usize) -> String,
    found: &mut Vec<String>,
) -> bool {
    const COPIES: usize = 100;
    let count = |copies| allocations_of_parsing(&text(copies), format);
    let (Some(few), Some(many)) = (count(COPIES), count(10 * COPIES)) else { return false };
    if many > few + GROWTH {
        let each = (many - few) as f64 / (9 * COPIES) as f64;
        found.push(format!("{each:.1} for each `{statement}` in {format}"));
    }
    true
}

/// Each statement of the texts in `tests/data`, repeated in its routine.
#[test]
fn parsing_does_not_allocate_per_instruction() {
    let (mut checked, mut found) = (0, Vec::new());
    for module in modules() {
        let text = FileListing::new(&module).to_text().expect("a text");
        let text = std::str::from_utf8(text.as_ref()).expect("UTF-8");
        // Instructions are indented; labels cannot be repeated.
        for line in text.lines().filter(|line| line.starts_with("    ")) {
            let (before, after) = text.split_once(line).expect("a line");
            let copies = |copies| format!("{before}{}{after}", format!("{line}\n").repeat(copies));
            checked += usize::from(check_copies(line.trim(), module.format, copies, &mut found));
        }
    }
    assert!(checked > 100, "{checked}");
    found.sort();
    found.dedup();
    assert!(found.is_empty(), "{} of {checked}: {found:#?}", found.len());
}

/// The statements that IGC accepts, in [`Format::V4_2`].
#[test]
fn parsing_does_not_allocate_per_instruction_of_version_4_2() {
    let (mut declarations, mut checked, mut found) = (String::new(), 0, Vec::new());
    for line in include_str!("../data/text-4.2.txt").lines() {
        if let Some(line) = line.strip_prefix("= ") {
            declarations = line.replace(";;", "\n");
        }
        let Some((_, statement)) = line.split_once(" | accepted | ") else { continue };
        // A declaration in a scope can be repeated, but needs memory.
        if statement.contains(".decl") {
            continue;
        }
        let text = |copies| {
            let lines = format!("{}\n", statement.replace(";;", "\n")).repeat(copies);
            format!(".version 4.2\n.kernel \"k\"\n{declarations}\n{lines}    ret (M1, 1)\n")
        };
        // Labels cannot be repeated.
        checked += usize::from(check_copies(statement, Format::V4_2, text, &mut found));
    }
    assert!(checked > 150, "{checked}");
    assert!(found.is_empty(), "{} of {checked}: {found:#?}", found.len());
}

/// Returns a kernel with declarations, and instructions that use variables. In each declaration,
/// `{}` is its number.
fn kernel(declaration: &str, count: usize, instructions: usize) -> String {
    const VARIABLES: usize = 50;
    let mut text = String::from(".version 3.6\n.kernel \"k\"\n");
    for index in 0..VARIABLES {
        text += &format!(".decl used_{index} v_type=G type=d num_elts=16 align=GRF\n");
    }
    for index in 0..count {
        text += &declaration.replace("{}", &index.to_string());
        text += "\n";
    }
    for index in 0..instructions {
        let (dst, src) = (index % VARIABLES, index / 2 % VARIABLES);
        text +=
            &format!("    add (M1, 16) used_{dst}(0,0)<1> used_{src}(0,0)<16;16,1> {index:#x}:d\n");
    }
    text + "    ret (M1, 1)\n"
}

/// The functions that read or print text.
const FUNCTIONS: [&str; 4] = ["parse", "assemble", "print complete text", "print reference text"];

/// Returns the number of allocations of each of the [`FUNCTIONS`] on a text.
fn allocations_of_text(text: &str) -> [u64; 4] {
    let format = Format::igc2022(Version::V3_6);
    let module = parse(text, format).expect("correct text");
    let print = |style| {
        let listing = FileListing::new(&module).with_style(style);
        measure(|| listing.write_to(&mut Discard).expect("legal"))
    };
    [
        measure(|| drop(parse(text, format))),
        measure(|| drop(Document::parse(text, format).into_result())),
        print(Style::Complete),
        print(Style::GenXIr),
    ]
    .map(|used| used.count_total)
}

#[test]
fn text_does_not_allocate_per_line() {
    let few = allocations_of_text(&kernel("", 0, 2000));
    let many = allocations_of_text(&kernel("", 0, 20_000));
    for (index, what) in FUNCTIONS.iter().enumerate() {
        let (few, many) = (few[index], many[index]);
        eprintln!("{what}: {few} allocations for 2000 instructions, {many} for 20000");
        assert!(many <= few + GROWTH, "{what}: {few} and {many}");
    }
}

/// Parsing allocates what the module contains. Printing in the style of GenX_IR allocates the name
/// that is derived from each name.
#[test]
fn text_allocates_little_per_declaration() {
    const COUNT: usize = 500;
    // The declaration, and the allocations of parsing and of printing in the style of GenX_IR.
    let declarations = [
        // The name.
        (".decl name_{} v_type=G type=d num_elts=16 align=GRF", 1, 1),
        (".decl name_{} v_type=G type=d num_elts=16 align=GRF alias=<used_1, 0>", 1, 1),
        (".decl name_{} v_type=A num_elts=1", 1, 1),
        (".decl name_{} v_type=P num_elts=16", 1, 1),
        // The name of the variable, the list of attributes twice (before and after the names of
        // attributes have ids), and the value. All variables share the name of the attribute.
        (".decl name_{} v_type=G type=d num_elts=16 align=GRF attrs={Count={}}", 4, 1),
        (".decl name_{} v_type=P num_elts=16 attrs={Text=\"{}\"}", 4, 1),
        // The name and the value.
        (".kernel_attr Name{}={}", 2, 0),
        (".input used_1 offset={} size=4", 0, 0),
        // The name.
        ("label_{}:", 1, 1),
    ];
    let mut found = Vec::new();
    for (declaration, parsing, printing) in declarations {
        let few = allocations_of_text(&kernel(declaration, COUNT, 1));
        let many = allocations_of_text(&kernel(declaration, 10 * COUNT, 1));
        for (index, allowed) in [parsing, parsing, 0, printing].into_iter().enumerate() {
            let more = many[index].saturating_sub(few[index]);
            let each = more as f64 / (9 * COUNT) as f64;
            let line = format!("{}: {each:.2} for each `{declaration}`", FUNCTIONS[index]);
            eprintln!("{line}");
            // A map allocates a node for several entries.
            if each > f64::from(allowed) + 0.25 {
                found.push(format!("{line}, not {allowed}"));
            }
        }
    }
    assert!(found.is_empty(), "{found:#?}");
}

/// The names, variables and labels of a routine with errors are dropped.
#[test]
fn routines_with_errors_take_linear_memory() {
    const COUNT: usize = 200;
    let declarations = (0..20).map(|index| format!(".decl v{index} v_type=G type=d num_elts=8\n"));
    let body = declarations.collect::<String>() + "    jmp (M1, 1) label\nlabel:\n";
    for wrong in ["movv (M1, 1)", "ret /*", "ret \\", "jmp (M1, 1) nowhere"] {
        let used = [COUNT, 10 * COUNT].map(|count| {
            let routine =
                |index| format!(".version 3.6\n.kernel \"k{index}\"\n{body}    {wrong}\n");
            let text: String = (0..count).map(routine).collect::<String>() + "    movv\n";
            let mut errors = 0;
            let used = measure(|| {
                let partial = Document::parse(&text, Format::default());
                errors = partial.errors.len();
            });
            assert!(errors >= count, "{wrong}: {errors}");
            used
        });
        let (few, many) = (&used[0], &used[1]);
        for (few, many) in [(few.count_total, many.count_total), (few.bytes_max, many.bytes_max)] {
            assert!(many < 12 * few, "{wrong}: {few} and {many}");
        }
    }
}

/// The attributes of a declaration are limited, because each needs more memory than its text.
#[test]
fn attributes_take_little_memory() {
    let text = |count| {
        let attributes = ["A"].repeat(count).join(",");
        let declaration = format!(".decl x v_type=G type=d num_elts=8 attrs={{{attributes}}}");
        format!(".version 3.6\n.kernel \"k\"\n{declaration}\n    ret (M1, 1)\n")
    };
    assert!(parse(text(255), Format::default()).is_ok());
    let text = text(1_000_000);
    let mut errors = Vec::new();
    let used = measure(|| {
        let result = parse(&text, Format::default());
        errors = result.expect_err("too many").iter().map(ToString::to_string).collect();
    });
    assert_eq!(errors, ["a declaration has at most 255 attributes"]);
    assert!(used.bytes_max <= text.len() as u64, "{}", used.bytes_max);
}

/// Findings that are visited need no memory.
#[test]
fn visited_findings_take_no_memory() {
    let lines = "    mov (M1, 16) x(0,0)<1> 0x1:d\n".repeat(1000);
    let declaration = ".decl x v_type=G type=d num_elts=8 align=GRF";
    let text = format!(".version 3.6\n.kernel \"k\"\n{declaration}\n{lines}");
    let module = parse(&text, Format::default()).expect("correct text");
    let mut count = 0;
    let used = measure(|| Verifier::new().visit_module(&module, |_| count += 1));
    assert_eq!(count, 1000);
    assert!(used.bytes_max < 10_000, "{}", used.bytes_max);
}

/// Unique names of the style of GenX_IR share the original name and differ by numbers.
#[test]
fn repeated_long_names_take_little_memory() {
    const COUNT: usize = 1000;
    let mut module = Module::new(Format::igc2022(Version::V3_6));
    let mut kernel = Kernel::new("kernel");
    let name = kernel.body.intern(&"name".repeat(10_000));
    kernel.body.variables = vec![Variable { name, ..Variable::default() }; COUNT];
    kernel.body.predicates = vec![SimpleVariable { name, ..SimpleVariable::default() }; COUNT];
    kernel.body.labels = vec![LabelInfo { name, ..LabelInfo::default() }; COUNT];
    module.kernels.push(kernel);
    let file = module.to_bytes().expect("legal");
    for style in [Style::Complete, Style::GenXIr] {
        let routine = module.routines().next().expect("a kernel");
        let listing = Listing::new(routine).with_style(style);
        let used = measure(|| listing.write_to(&mut Discard).expect("legal"));
        assert!(
            used.bytes_max <= MAX_MEMORY.0 * file.len() as u64,
            "{style:?}: {}",
            used.bytes_max
        );
    }
}

/// Decodes a file with all instructions. Returns their number, or `None` if the file is not valid.
fn decode_all(file: &[u8]) -> Option<usize> {
    let module = Module::from_bytes(file, Dialect::Igc2022).ok()?;
    let mut instruction = Instruction::default();
    let mut count = 0;
    for routine in module.routines() {
        let mut instructions = routine.body.code.instructions(routine.format());
        while let Ok(Some(_)) = instructions.next_into(&mut instruction) {
            count += 1;
        }
    }
    Some(count)
}

/// The maximum memory for reading a file: a multiple of its size, plus a number of bytes. Entries
/// of tables are larger in memory than in the file. `docs/limits.md` states the multiple.
const MAX_MEMORY: (u64, u64) = (32, 4096);

/// These entries have the highest ratio of memory to bytes.
#[test]
fn tables_of_small_entries_take_little_memory() {
    for version in Version::BINARY {
        check_smallest_entries(Format::igc2022(*version));
    }
}

fn check_smallest_entries(format: Format) {
    let file = |fill: &dyn Fn(&mut Module<'static>)| {
        let mut module = Module::new(format);
        fill(&mut module);
        module.to_bytes().expect("a valid module")
    };
    let kernel = |fill: &dyn Fn(&mut Kernel<'static>)| {
        file(&|module| {
            let mut kernel = Kernel::new("");
            fill(&mut kernel);
            module.kernels.push(kernel);
        })
    };
    const COUNT: usize = 250; // in older versions, a count has one byte
    let files = [
        ("kernels", file(&|m| m.kernels = vec![Kernel::new(""); 5000])),
        ("functions", file(&|m| m.functions = vec![Function::new(""); 5000])),
        ("declared functions", file(&|m| m.functions = vec![Function::default(); 5000])),
        (
            "variables of the file",
            file(&|m| m.file_scope_vars = vec![FileScopeVar::default(); 5000]),
        ),
        ("strings", kernel(&|k| k.body.strings = vec![Name::default(); COUNT].into())),
        ("names", kernel(&|k| k.body.strings = vec!["a".into(); COUNT].into())),
        ("variables", kernel(&|k| k.body.variables = vec![Variable::default(); COUNT])),
        ("addresses", kernel(&|k| k.body.addresses = vec![SimpleVariable::default(); COUNT])),
        ("labels", kernel(&|k| k.body.labels = vec![LabelInfo::default(); COUNT])),
        ("attributes", kernel(&|k| k.body.attributes = vec![Attribute::default(); COUNT])),
        (
            "values",
            kernel(&|k| {
                let value = vec![0];
                k.body.attributes = vec![Attribute { value, ..Attribute::default() }; COUNT];
            }),
        ),
        ("binaries", kernel(&|k| k.gen_binaries = vec![GenBinary::new(5, Vec::new()); 200])),
        ("inputs", kernel(&|k| k.inputs = vec![Input::default(); COUNT])),
    ];
    for (table, file) in files {
        let used = measure(|| assert!(decode_all(&file).is_some(), "{table}"));
        eprintln!(
            "{table}: {:.1} times {} bytes",
            used.bytes_max as f64 / file.len() as f64,
            file.len()
        );
        assert!(
            used.bytes_max <= MAX_MEMORY.0 * file.len() as u64 + MAX_MEMORY.1,
            "{table}: {}",
            used.bytes_max
        );
    }
}

/// Files with one changed byte do not panic or hang, and take memory in proportion to their size.
#[test]
#[ignore = "needs the corpus"]
fn files_with_one_changed_byte_take_little_memory() {
    const POSITIONS: usize = 2000;
    let folder = std::env::var_os("GENVISA_CORPUS").expect("GENVISA_CORPUS");
    let entries = std::fs::read_dir(folder).expect("GENVISA_CORPUS is a folder").flatten();
    let mut paths: Vec<_> = entries.map(|entry| entry.path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "isa"));
    paths.sort();
    let check = |paths: &[std::path::PathBuf]| {
        let mut rng = TestRng::from_seed(RngAlgorithm::XorShift, &[3; 16]);
        let (mut readable, mut most) = (0, 0.0_f64);
        for path in paths {
            let mut file = std::fs::read(path).expect("a readable file");
            let limit = MAX_MEMORY.0 * file.len() as u64 + MAX_MEMORY.1;
            for _ in 0..POSITIONS {
                let at = rng.next_u64() as usize % file.len();
                let byte = file[at];
                file[at] ^= (rng.next_u32() as u8).max(1);
                let used = measure(|| readable += usize::from(decode_all(&file).is_some()));
                most = most.max(used.bytes_max as f64 / file.len() as f64);
                let place = format!("{}, offset {at:#x}", path.display());
                assert!(used.bytes_max <= limit, "{place}: {} bytes", used.bytes_max);
                file[at] = byte;
            }
        }
        eprintln!(
            "{readable} of {} mutants parse; at most {most:.1} times the file",
            paths.len() * POSITIONS
        );
    };
    let (first, second) = paths.split_at(paths.len() / 2);
    std::thread::scope(|scope| {
        scope.spawn(|| check(first));
        check(second);
    });
}
