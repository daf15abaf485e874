//! Inputs that repeat one thing.

use std::fmt::Write;
use std::fs;

/// What an input is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// A text of vISA, which may have errors.
    Text,
    /// A text of vISA that can be assembled.
    Assembled,
    /// A `.isa` file.
    Object,
    /// A source with inline assembly, or anything else.
    Source,
}

/// Inputs with so many parts.
pub struct Shape {
    pub name: &'static str,
    pub language: Language,
    /// The smaller number of parts.
    pub count: usize,
    pub contents: fn(usize) -> Vec<u8>,
}

/// Returns a text of all numbers below `count`.
fn repeat(count: usize, part: impl Fn(usize) -> String) -> String {
    (0..count).map(part).collect()
}

/// Returns a kernel with these declarations and code, as a text of version 3.6.
fn kernel(declarations: &str, code: &str) -> Vec<u8> {
    in_version("3.6", declarations, code)
}

fn in_version(version: &str, declarations: &str, code: &str) -> Vec<u8> {
    let text = format!(
        ".version {version}\n.kernel \"k\"\n.decl x v_type=G type=d num_elts=8 align=GRF\n\
         .decl p v_type=P num_elts=8\n{declarations}.kernel_attr Target=\"cm\"\n{code}    ret (M1, 1)\n"
    );
    text.into()
}

fn variable(number: usize) -> String {
    format!(".decl v{number} v_type=G type=d num_elts=8 align=GRF\n")
}

fn bytes(text: String) -> Vec<u8> {
    text.into()
}

fn data(path: &str) -> Vec<u8> {
    fs::read(crate::repository(path)).expect("a file of the repository")
}

/// Returns an array of C with the bytes of a file.
fn array(name: &str, bytes: &[u8]) -> String {
    let mut text = format!("const unsigned char {name}[] = {{\n");
    for byte in bytes {
        write!(text, "0x{byte:02x}, ").expect("memory");
    }
    text + "\n};\n"
}

macro_rules! shapes {
    ($($language:ident $count:literal $name:literal |$n:ident| $contents:expr;)*) => {
        /// All shapes.
        pub const SHAPES: &[Shape] = &[$(Shape {
            name: $name,
            language: Language::$language,
            count: $count,
            contents: |$n| $contents,
        },)*];
    };
}

shapes! {
    // Declarations.
    Assembled 1500 "variables" |n| kernel(&repeat(n, variable), "");
    Assembled 800 "variables that are used" |n| kernel(&repeat(n, variable), &repeat(n, |i| {
        format!("    mov (M1, 8) v{i}(0,0)<1> 0x{i:x}:d\n")
    }));
    Assembled 800 "variables that live at the same time" |n| kernel(&repeat(n, variable), &format!("{}{}",
        repeat(n, |i| format!("    mov (M1, 8) v{i}(0,0)<1> 0x1:d\n")),
        repeat(n, |i| format!("    add (M1, 8) x(0,0)<1> x(0,0)<8;8,1> v{i}(0,0)<8;8,1>\n"))));
    Text 1500 "variables of 4.2" |n| in_version("4.2", &repeat(n, variable), "");
    Text 1500 "variables of one name" |n| kernel(&repeat(n, |_| variable(1)), "");
    Text 1500 "variables of one name in 4.2" |n| in_version("4.2", &repeat(n, |_| variable(1)), "");
    Assembled 1500 "predicates" |n| kernel(&repeat(n, |i| format!(".decl p{i} v_type=P num_elts=8\n")), "");
    Assembled 1500 "addresses" |n| kernel(&repeat(n, |i| format!(".decl a{i} v_type=A num_elts=8\n")), "");
    Assembled 1000 "aliases in a chain" |n| kernel(&(variable(0) + &repeat(n, |i| {
        format!(".decl v{} v_type=G type=d num_elts=8 align=GRF alias=<v{i}, 0>\n", i + 1)
    })), &format!("    mov (M1, 8) v{n}(0,0)<1> v{n}(0,0)<8;8,1>\n").repeat(n));
    Text 1000 "aliases in a chain in 4.2" |n| in_version("4.2", &(variable(0) + &repeat(n, |i| {
        format!(".decl v{} v_type=G type=d num_elts=8 align=GRF alias=<v{i}, 0>\n", i + 1)
    })), &format!("    mov (M1, 8) v{n}(0,0)<1> v{n}(0,0)<8;8,1>\n").repeat(n));
    Assembled 1000 "aliases of one variable" |n| kernel(&(variable(0) + &repeat(n, |i| {
        format!(".decl v{} v_type=G type=d num_elts=8 align=GRF alias=<v0, 0>\n", i + 1)
    })), &repeat(n, |i| format!("    mov (M1, 8) v{}(0,0)<1> v{i}(0,0)<8;8,1>\n", i + 1)));
    Assembled 1000 "inputs" |n| kernel(&(repeat(n, variable) + &repeat(n, |i| {
        format!(".input v{i} offset={} size=32\n", 32 * (i % 200 + 1))
    })), "");
    Text 1000 "inputs of one variable" |n| kernel(&".input x offset=32 size=32\n".repeat(n), "");
    Assembled 100 "inputs with long names" |n| kernel(&repeat(n, |i| {
        let name = format!("v{i}_{}", "n".repeat(200));
        format!(".decl {name} v_type=G type=d num_elts=8 align=GRF\n.input {name} offset=64 size=32\n")
    }), "");
    Assembled 1500 "attributes" |n| kernel(&repeat(n, |i| format!(".kernel_attr A{i}=1\n")), "");
    Text 1500 "attributes of 4.2" |n| in_version("4.2", &repeat(n, |i| format!(".kernel_attr A{i}=1\n")), "");
    Assembled 1500 "attributes of one name" |n| kernel(&".kernel_attr A=\"b\"\n".repeat(n), "");
    // Code.
    Text 1500 "undeclared names" |n| kernel("", &repeat(n, |i| format!("    mov (M1, 8) u{i}(0,0)<1> 0x1:d\n")));
    Text 1500 "undeclared names of 4.2" |n| in_version("4.2", "", &repeat(n, |i| {
        format!("    mov (M1, 8) u{i}(0,0)<1> 0x1:d\n")
    }));
    Text 1500 "unknown mnemonics" |n| kernel("", &repeat(n, |i| format!("    mnemonic{i} (M1, 8) x\n")));
    Text 1500 "unknown directives" |n| kernel("", &repeat(n, |i| format!(".directive{i} x\n")));
    Assembled 1000 "labels" |n| kernel("", &repeat(n, |i| format!("L{i}:\n")));
    Text 1000 "labels of one name" |n| kernel("", &"L:\n".repeat(n));
    Text 1000 "labels of one name in 4.2" |n| in_version("4.2", "", &"L:\n".repeat(n));
    Text 1000 "labels that are not defined" |n| kernel("", &repeat(n, |i| format!("    (p) goto (M1, 8) L{i}\n")));
    Assembled 1000 "jumps to one label" |n| kernel("", &format!("L:\n{}", "    (p) jmp (M1, 1) L\n".repeat(n)));
    Assembled 1000 "jumps to the end" |n| kernel("", &format!("{}L:\n", "    (p) goto (M1, 8) L\n".repeat(n)));
    Assembled 500 "jumps anywhere" |n| kernel("", &repeat(n, |i| format!("L{i}:\n    (p) goto (M1, 8) L{}\n", i * 7919 % n)));
    Assembled 500 "loops in loops" |n| kernel("", &format!("{}{}",
        repeat(n, |i| format!("L{i}:\n    mov (M1, 8) x(0,0)<1> 0x1:d\n")),
        repeat(n, |i| format!("    (p) jmp (M1, 1) L{}\n", n - 1 - i))));
    Assembled 500 "branches" |n| kernel("", &repeat(n, |i| {
        format!("    (p) goto (M1, 8) L{i}\n    add (M1, 8) x(0,0)<1> x(0,0)<8;8,1> 0x1:d\nL{i}:\n")
    }));
    Assembled 1000 "long block" |n| kernel("", &"    add (M1, 8) x(0,0)<1> x(0,0)<8;8,1> 0x1:d\n".repeat(n));
    Assembled 1000 "findings" |n| kernel("", &"    mov (M1, 16) x(0,0)<1> 0x1:d\n".repeat(n));
    Text 1000 "findings of 4.2" |n| in_version("4.2", "", &"    mov (M1, 16) x(0,0)<1> 0x1:d\n".repeat(n));
    Assembled 800 "source lines" |n| kernel("", &format!("FILE \"a.cl\"\n{}", repeat(n, |i| {
        format!("LOC {}\n    mov (M1, 8) x(0,0)<1> 0x1:d\n", i + 1)
    })));
    Assembled 500 "source files" |n| kernel("", &repeat(n, |i| {
        format!("FILE \"tests/data/{i}.cl\"\nLOC 1\n    mov (M1, 8) x(0,0)<1> 0x1:d\n")
    }));
    Text 200 "names of files with many folders" |n| kernel("", &format!("FILE \"{}a.cl\"\nLOC 1\n    mov (M1, 8) x(0,0)<1> 0x1:d\n", "a/".repeat(n * 10)));
    // Routines.
    Assembled 200 "kernels" |n| bytes(format!(".version 3.6\n{}", repeat(n, |i| format!(".kernel \"k{i}\"\n    ret (M1, 1)\n"))));
    Text 200 "kernels of one name" |n| bytes(format!(".version 3.6\n{}", ".kernel \"k\"\n    ret (M1, 1)\n".repeat(n)));
    Text 400 "dump of kernels" |n| bytes(repeat(n, |i| {
        format!(".version 4.2\n.kernel \"k{i}\"\n.decl x v_type=G type=d num_elts=16 align=GRF\n    mov (M1, 16) x(0,0)<1> 0x1:d\n    ret (M1, 1)\n")
    }));
    Text 400 "dump of kernels with errors" |n| bytes(repeat(n, |i| {
        format!(".version 4.2\n.kernel \"k{i}\"\n    mov (M1, 16) x(0,0)<1> 0x1:d\n    ret (M1, 1)\n")
    }));
    Text 400 "dump of versions" |n| bytes(repeat(n, |i| {
        format!(".version 3.{}\n.kernel \"k{i}\"\n    ret (M1, 1)\n", i % 7)
    }));
    Assembled 300 "functions that call the next" |n| bytes(format!(".version 3.6\n.kernel \"k\"\n    ret (M1, 1)\n{}", repeat(n, |i| {
        format!(".global_function \"f{i}\"\n    fcall (M1, 1) \"f{}\" 0 0\n    fret (M1, 1)\n", (i + 1) % n)
    })));
    Text 300 "functions of 4.2 that call the next" |n| in_version("4.2", "", &format!("    ret (M1, 1)\n{}", repeat(n, |i| {
        format!(".function \"f{i}\"\nf{i}:\n    call (M1, 16) f{}\n    ret (M1, 16)\n", (i + 1) % n)
    })));
    Assembled 300 "subroutines that call the next" |n| kernel("", &format!("    ret (M1, 1)\n{}", repeat(n, |i| {
        format!(".function \"f{i}\"\nf{i}:\n    call (M1, 8) f{}\n    ret (M1, 8)\n", (i + 1) % n)
    })));
    Text 300 "functions of one name" |n| bytes(format!(".version 3.6\n.kernel \"k\"\n    ret (M1, 1)\n{}", ".global_function \"f\"\n    fret (M1, 1)\n".repeat(n)));
    Text 200 "output of a compiler" |n| bytes(repeat(n, |i| format!(
        ".version 4.2\n.kernel \"k{i}\"\n.decl x v_type=G type=d num_elts=16 align=GRF\n    mov (M1, 16) x(0,0)<1> 0x1:d\n    ret (M1, 1)\n//Build option: \"-a\"\n")));
    Text 200 "output of a compiler with errors" |n| bytes(repeat(n, |i| format!(
        ".version 4.2\n.kernel \"k{i}\"\n    mov (M1, 16) x(0,0)<1> 0x1:d\n    ret (M1, 1)\n//Build option: \"-a\"\n")));
    // Also a file of machine code.
    Text 300 "functions with machine code" |n| bytes(format!("//.kernel k\n.version 3.6\n.kernel \"k\"\n    ret (M1, 1)\n{}", repeat(n, |i| {
        format!(".global_function \"f{i}\"\n// L_f{i}_f{i}_{i}:\n    fret (M1, 1) // $0\n")
    })));
    // Characters.
    Assembled 30000 "long name" |n| { let name = "n".repeat(n); kernel(&format!(".decl {name} v_type=P num_elts=8\n"), "") };
    Assembled 30000 "long comment" |n| kernel("", &format!("// {}\n", "c".repeat(n)));
    Assembled 1500 "comments" |n| kernel("", &"// c\n".repeat(n));
    Assembled 1500 "comments in one line" |n| kernel("", &format!("    {}ret (M1, 1)\n", "/* c */ ".repeat(n)));
    Text 2000 "annotations of one line" |n| kernel("", &format!("    ret (M1, 1){}\n", " //@ a".repeat(n)));
    Text 2000 "words of an annotation" |n| kernel("", &format!("    ret (M1, 1) //@ {}\n", "a ".repeat(n)));
    Text 5000 "escaped quotes" |n| kernel("", &format!("    FILE \"{}\n", "\\\"".repeat(n)));
    Text 2000 "continued lines" |n| kernel("", &format!("    mov{} (M1, 8) x(0,0)<1> 0x1:d\n", " \\\n".repeat(n)));
    Text 30000 "blanks" |n| kernel("", &format!("    ret{}(M1, 1)\n", " ".repeat(n)));
    Text 2000 "comments that are not ASCII in one line" |n| kernel("", &format!("    {}ret (M1, 1)\n", "/* \u{e4} */ ".repeat(n)));
    Text 3000 "annotations" |n| kernel("", &"    ret (M1, 1) //@ a\n".repeat(n));
    Assembled 30000 "empty lines" |n| kernel("", &"\n".repeat(n));
    Text 3000 "unknown characters" |n| kernel("", &"$ \u{e9} ".repeat(n));
    Text 1500 "open quotes" |n| kernel("", &"    FILE \"a\n".repeat(n));
    Text 1500 "open comments" |n| kernel("", &"/* \n".repeat(n));
    Text 10000 "parentheses" |n| kernel("", &format!("    mov (M1, 8) x{}\n", "(".repeat(n)));
    Text 2000 "operands" |n| kernel("", &format!("    mov (M1, 8) {}\n", "x(0,0)<1> ".repeat(n)));
    Text 2000 "targets of a switch" |n| kernel("", &format!("    switchjmp (M1, 1) x(0,0)<0;1,0> ({})\n", repeat(n, |i| format!("L{i}, "))));
    Text 3000 "platforms" |n| bytes("//Platform: DG2\n".repeat(n));
    Text 3000 "versions" |n| bytes(".version 4.2\n".repeat(n));
    // Sources.
    Source 200 "asm statements" |n| bytes(format!("void f(int x) {{ int y;\n{}}}\n",
        "__asm__(\"mov (M1, 16) %0(0,0)<1> %1(0,0)<1;1,0>\" : \"=rw\"(y) : \"rw\"(x));\n".repeat(n)));
    Source 200 "asm statements with errors" |n| bytes(format!("void f(int x) {{ int y;\n{}}}\n",
        "__asm__(\"mov (M1, 16) %0(0,0)<1> %7(0,0)<1;1,0> /// $14\" : \"=rw\"(y) : \"rw\"(x));\n".repeat(n)));
    Source 200 "asm statements in one line" |n| bytes(format!("void f(int x) {{ int y; {}}}\n",
        "__asm__(\"mov (M1, 16) %0(0,0)<1> %1(1,0)<1;1,0>\" : \"=rw\"(y) : \"rw\"(x)); ".repeat(n)));
    Source 400 "lines of an asm statement" |n| bytes(format!("void f(int x) {{ int y;\n__asm__(\n{}: \"=rw\"(y) : \"rw\"(x)); }}\n",
        "\"mov (M1, 16) %0(0,0)<1> %1(0,0)<1;1,0>\\n\"\n".repeat(n)));
    Source 400 "lines of an asm statement with errors" |n| bytes(format!("void f(int x) {{ int y;\n__asm__(\n{}: \"=rw\"(y) : \"rw\"(x)); }}\n",
        "\"mov (M1, 16) %0(1,0)<1> %9(0,0)<1;1,0>\\n\"\n".repeat(n)));
    Source 400 "operands of an asm statement" |n| bytes(format!("void f(int x) {{ int y;\n__asm__(\"mov (M1, 16) %0(0,0)<1> %1(0,0)<1;1,0>\" : \"=rw\"(y) : {}\"rw\"(x)); }}\n",
        "\"rw\"(x), ".repeat(n)));
    Source 400 "functions of C" |n| bytes(repeat(n, |i| format!(
        "void f{i}(int x) {{ int y; __asm__(\"mov (M1, 16) %0(0,0)<1> %1(0,0)<1;1,0>\" : \"=rw\"(y) : \"rw\"(x)); }}\n")));
    Source 800 "macros" |n| bytes(format!("{}void f(int x) {{ int y; M0(y, x); }}\n", repeat(n, |i| format!(
        "#define M{i}(y, x) M{}(y, x); __asm__(\"mov (M1, 16) %0(0,0)<1> %1(0,0)<1;1,0>\" : \"=rw\"(y) : \"rw\"(x))\n", i + 1))));
    Source 400 "uses of macros" |n| bytes(format!("#define M(y, x) __asm__(\"mov (M1, 16) %0(0,0)<1> %1(0,0)<1;1,0>\" : \"=rw\"(y) : \"rw\"(x))\nvoid f(int x) {{ int y;\n{}}}\n", "M(y, x);\n".repeat(n)));
    Source 20000 "parentheses of C" |n| bytes(format!("void f(int x) {{ __asm__{} }}\n", "(".repeat(n)));
    Source 5000 "braces of C" |n| bytes(format!("void f(int x) {}\n", "{ asm(".repeat(n)));
    Source 3000 "open asm statements" |n| bytes("asm(\"mov (M1, 16) ".repeat(n));
    Source 3000 "open strings of C" |n| bytes("\"a\nasm(\"\n".repeat(n));
    Source 300 "functions of LLVM" |n| bytes(format!("target triple = \"spir64-unknown-unknown\"\n{}", repeat(n, |i| format!(
        "define spir_kernel void @k{i}(i32 %x) {{\n  %y = call i32 asm \"mov (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0>\", \"=rw,rw\"(i32 %x)\n  ret void\n}}\n"))));
    Source 300 "types of LLVM" |n| bytes(format!("target triple = \"spir64-unknown-unknown\"\n%s0 = type {{ i32 }}\n{}define spir_kernel void @k(i32 %x) {{\n{}  ret void\n}}\n",
        repeat(n, |i| format!("%s{} = type {{ %s{i} }}\n", i + 1)),
        repeat(n, |i| format!("  %y{i} = call %s{n} asm \"mov (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0>\", \"=rw,rw\"(i32 %x)\n"))));
    // Containers.
    Source 40 "arrays of C" |n| bytes(repeat(n, |i| array(&format!("k{i}"), &data("tests/data/tour.isa"))));
    Source 400 "arrays of C without objects" |n| bytes(repeat(n, |i| format!("int a{i}[] = {{0x41534943, 0x00010603, {i}}};\n")));
    Source 20000 "numbers of one array" |n| bytes(format!("int a[] = {{ {} }};\n", "0x41534943, ".repeat(n)));
    Source 300 "objects one after another" |n| data("tests/data/tour.isa").repeat(n);
    Source 5000 "magic numbers" |n| bytes("CISA\u{3}\u{6}".repeat(n));
    Source 5000 "magic numbers of ELF" |n| bytes("\u{7f}ELF\u{2}\u{1}\u{1}\0\0\0\0\0".repeat(n));
    // Other inputs.
    Source 1000 "machine code" |n| bytes(format!("//.kernel collatz\n{}", repeat(n, |i| format!("        mov (8|M0) r0 r1 // ${}\n", i % 19))));
    Source 1000 "functions of machine code" |n| bytes(format!("//.kernel collatz\n{}", repeat(n, |i| format!("// L_f{i}_f{i}_{i}:\n        mov (8|M0) r0 r1 // $1\n"))));
}
