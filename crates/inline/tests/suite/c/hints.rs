//! Hints: comments that state types and lanes.

use super::*;

/// Returns the type of each operand and the number of lanes of a block.
fn facts(block: &Block) -> (Vec<Option<String>>, Option<u32>) {
    let types = statement(block).operands.iter().map(|o| o.ty.map(|ty| ty.to_string())).collect();
    (types, block.lanes.map(|lanes| lanes.count()))
}

fn some(ty: &str) -> Option<String> {
    Some(ty.to_owned())
}

#[test]
fn applies_hints_next_to_a_statement() {
    let statement = "asm(\"(M1\"\n : [d] \"=rw\"(d) : \"rw\"(a))";
    let before = format!("// genvisa: %0=float8, %[d]=half, %1=uint, lanes=16\n{statement};");
    let after = format!("{statement}; // genvisa: %[d]=half,%1 = i32,lanes = 16");
    let inside = statement.replace('\n', " // genvisa: %0=half, lanes=16\n /* genvisa: %1=int */ ");
    let block = String::from(
        "/**\n * genvisa: %0=half,\n *   %1=int\n */\n//! genvisa: lanes=16\nif (x)\n",
    );
    let block = format!("{}{statement}", block.replace("if (x)\n", ""));
    let condition = format!("// genvisa: lanes=16, %0=half, %1=int\n  if (x) {statement};");
    for source in [before, after, inside, block, condition] {
        let found = find_c(&source);
        assert_eq!(found.hint_errors, [], "{source}");
        assert_eq!(
            facts(only_block(&found)),
            (vec![some("half"), some("i32")], Some(16)),
            "{source}"
        );
    }
}

#[test]
fn hints_are_for_the_nearest_statement() {
    let source = "asm(\"(M1 a\" :: \"rw\"(a)); // genvisa: %0=int
asm(\"(M1 b\" :: \"rw\"(a));
// genvisa: %0=half
asm(\"(M1 c\" :: \"rw\"(a));";
    let found = find_c(source);
    let types: Vec<_> = found.blocks.iter().map(|block| facts(block).0).collect();
    assert_eq!(types, [[some("i32")], [None], [some("half")]]);
}

#[test]
fn hints_override_declarations_and_attributes() {
    let source = "__attribute__((intel_reqd_sub_group_size(8))) void f(float x) {
        asm(\"(M1\" :: \"rw\"(x)); // genvisa: lanes=32, %0=<4 x i16>
    }";
    let found = find_c(source);
    assert_eq!(facts(only_block(&found)), (vec![some("<4 x i16>")], Some(32)));
}

#[test]
fn applies_hints_to_macros() {
    let source = "#define M(x) \\\n  asm(\"(M1\" :: \"rw\"(x)) /* genvisa: %0=float */\n\
                  void f() { M(a); // genvisa: lanes=16\n M(b); }";
    let found = find_c(source);
    let facts: Vec<_> = found.blocks.iter().map(facts).collect();
    assert_eq!(facts, [(vec![some("float")], Some(16)), (vec![some("float")], None)]);
    assert_eq!(found.hint_errors, []);
}

#[test]
fn reports_hints_that_cannot_be_applied() {
    let cases = [
        ("%0=flaot", "%0=flaot", "unknown type `flaot`"),
        (
            "%0=int lanes=16",
            "%0=int lanes=16",
            "expected a comma between items, found `int lanes=16`",
        ),
        ("lanes=12, %0=int", "lanes=12", "expected 8, 16 or 32 lanes, found `12`"),
        ("0=int", "0=int", "expected `%0=TYPE`, `%[name]=TYPE` or `lanes=N`, found `0=int`"),
        ("float", "float", "expected `%0=TYPE`, `%[name]=TYPE` or `lanes=N`, found `float`"),
        ("%0=int, %7=int", "%7=int", "the block has no such operand"),
        ("%[x]=int", "%[x]=int", "the block has no such operand"),
        ("", "// genvisa: ", "expected an item such as `%0=float8` or `lanes=16`"),
    ];
    for (hint, part, message) in cases {
        let source = format!("// genvisa: {hint}\nasm(\"(M1\" :: \"rw\"(x));");
        let errors = find_c(&source).hint_errors;
        let [(span, found)] = &errors[..] else { panic!("{hint}: {errors:?}") };
        assert_eq!((&source[span.clone()], &**found), (part, message));
    }
    for source in ["// genvisa: lanes=16\nint x;", "/* genvisa: %0=int */\n\nint x; asm(\"nop;\");"]
    {
        let errors = find_c(source).hint_errors;
        assert_eq!(errors.len(), 1);
        assert_eq!(errors[0].1, "no vISA block is next to this comment");
    }
    assert_eq!(find_c("// see genvisa: lanes\n").hint_errors, []);
}
