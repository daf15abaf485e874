//! Long and unusual sources and statements: the time and the memory are linear. Otherwise, each of
//! these would take minutes or exhaust the memory.

use genvisa_inline::source::{Block, Content, Language, Source, find};
use genvisa_inline::{Checker, Lanes, Operand, Path, Statement, Unknown};

const COUNT: usize = 10_000;

fn find_c(source: &str) -> Source {
    find(source.as_bytes(), Language::C)
}

#[test]
fn nested_brackets_take_linear_time() {
    let function = |body: &str| format!("void f() {{ {body}");
    let many = |text: &str| text.repeat(COUNT);
    assert_eq!(find_c(&function(&(many("if(") + "asm(\"barrier\");"))).blocks.len(), 1);
    let namespaces = find_c(&many("namespace { asm(\"barrier\"); "));
    assert!(namespaces.blocks.iter().all(|block| block.is_file_scope));
    let lambdas = find_c(&function(&many("auto g = [] { asm(\"barrier\"); ")));
    assert_eq!(lambdas.blocks.len(), COUNT);
    assert!(lambdas.blocks.iter().all(|block| block.function.as_deref() == Some("f")));
    let semicolons = function(&("asm(".to_owned() + &many("(") + "{" + &many(";")));
    assert_eq!(find_c(&semicolons).blocks.len(), 0);
}

#[test]
fn many_definitions_and_hints_take_linear_time() {
    let definitions = find_c(&"#define BARRIER asm(\"barrier\")\n".repeat(COUNT));
    assert_eq!(definitions.blocks.len(), COUNT);
    let hints = find_c(&"asm(\"barrier\"); // genvisa:\n".repeat(COUNT));
    assert_eq!(hints.hint_errors.len(), COUNT);
    // Each statement of a line has all hints of the line.
    let line = find_c(&"/* genvisa: lanes=8 */ asm(\"barrier\"); ".repeat(COUNT));
    let error = line.error.expect("an error");
    assert_eq!(error.message, "the macros or hints of the file are too complex");
    // The last block whose hints are read has all of them, or is reported.
    let lanes = |block: &Block| block.lanes.map(Lanes::count);
    let (last, others) = line.blocks.split_last().expect("blocks");
    assert!(others.iter().all(|block| lanes(block) == Some(8)));
    assert!(matches!(last.content, Content::Unreadable(_)));
}

#[test]
fn long_names_and_templates_are_not_copied_for_each_statement() {
    let long = "f".repeat(1 << 20);
    let c = format!("void {long}() {{ {} }}", "asm(\"barrier\"); ".repeat(COUNT));
    let call = "  call void asm \"barrier\", \"\"()\n".repeat(COUNT);
    let llvm = format!("define void @{long}() {{\n{call}}}\n");
    let operation = "  llvm.inline_asm \"barrier\", \"\" : () -> ()\n".repeat(COUNT);
    let mlir = format!("llvm.func @{long}() {{\n{operation}}}\n");
    for (source, language) in [(c, Language::C), (llvm, Language::Llvm), (mlir, Language::Mlir)] {
        let found = find(source.as_bytes(), language);
        assert_eq!(found.blocks.len(), COUNT);
        assert!(found.blocks.iter().all(|block| block.function.as_deref() == Some(&long)));
    }
    let template = "barrier\\n".repeat(COUNT);
    let uses = "M; ".repeat(COUNT);
    let found = find_c(&format!("#define M asm(\"{template}\")\nvoid f() {{ {uses} }}"));
    let error = found.error.expect("an error");
    assert_eq!(error.message, "the macros or hints of the file are too complex");
    let (last, others) = found.blocks.split_last().expect("blocks");
    assert!(others.iter().all(|block| matches!(block.content, Content::Visa(_))));
    assert!(matches!(last.content, Content::Unreadable(_)));
}

#[test]
fn unclosed_brackets_of_mlir_take_linear_time() {
    let find = |text: &str| find(text.repeat(COUNT).as_bytes(), Language::Mlir);
    assert_eq!(find("module { llvm.inline_asm \"barrier\", \"\" : () -> () ").blocks.len(), COUNT);
    for unclosed in [
        "llvm.func @f(",
        "%c = arith.constant 1 : a<",
        "llvm.inline_asm {",
        "\"llvm.inline_asm\"(<{",
    ] {
        assert_eq!(find(unclosed).blocks.len(), 0);
    }
}

#[test]
fn long_templates_take_linear_time() {
    let many = |text: &str| text.repeat(COUNT);
    let findings = |statement: &Statement| Checker::new().check(statement).findings.len();
    let dollars = format!("barrier // {}", many("$ "));
    assert_eq!(findings(&Statement::gnu(dollars, [])), COUNT);
    assert_eq!(findings(&Statement::gnu(format!("barrier {}", many("%[")), [])), COUNT);
    assert!(findings(&Statement::gnu(format!("barrier {}", many("\"\"")), [])) > 0);
    let names = Statement::gnu(format!("barrier {}]", many("%c[")), []);
    assert_eq!(Checker::new().with_path(Path::Vc).check(&names).findings.len(), COUNT);
    // Names of operands, and inputs that share the variables of outputs by their names.
    let name = |number| Some(format!("operand{number}"));
    let outputs = (0..COUNT).map(|number| Operand { name: name(number), ..Operand::output("=rw") });
    let inputs = (0..COUNT).map(|number| Operand::input(format!("[operand{number}]")));
    let lines = (0..COUNT).map(|number| format!("barrier // %[operand{number}]\n"));
    let statement = Statement::gnu(lines.collect::<String>(), outputs.chain(inputs));
    let report = Checker::new().check(&statement);
    assert_eq!((report.findings.len(), report.unknown.len()), (0, COUNT));
}

#[test]
fn unknown_parts_take_linear_time() {
    let constant = [Operand::output("=rw"), Operand::input("P")];
    let lines = "mov (M1, %1) %0(0,0)<1> X(0,0)<1;1,0>\n".repeat(3 * COUNT);
    let report = Checker::new().check(&Statement::gnu(lines, constant.clone()));
    // The template is too long to try values.
    assert!(report.findings.is_empty() && report.unknown.contains(&Unknown::Value(1)));
    let line = format!("mov (M1, 16) %0(0,0)<1> X {}", "%1 ".repeat(COUNT));
    let _ = Checker::new().check(&Statement::gnu(line, constant));
    // Many statements that share names.
    let statements =
        "asm(\".decl T v_type=G type=d num_elts=1\\n{\");asm(\"L: T }\");".repeat(COUNT / 16);
    let found = find_c(&format!("kernel void f() {{ {statements} }}"));
    let findings = found.blocks.iter().filter_map(|block| block.check(&Checker::new()));
    assert!(findings.map(|report| report.findings.len()).sum::<usize>() > 0);
}

#[test]
fn a_type_of_four_billion_elements_takes_no_memory() {
    let ir = "define void @k() {\n  %r = call <4294967295 x i64> asm \"mov (M1, 1) $0(0,0)<1> 0x1:uq\", \"=rw\"()\n  ret void\n}\n";
    let source = find(ir.as_bytes(), Language::Llvm);
    let [block] = &source.blocks[..] else { panic!("one block") };
    let Content::Visa(statement) = &block.content else { panic!("a statement") };
    for path in [Path::Simt, Path::Vc] {
        // 34 GB would be needed to record the bytes that are written.
        let _ = Checker::new().with_path(path).with_lanes(Lanes::L16).check(statement);
    }
}
