//! The forms in which sources contain statements.

use std::ops::Range;

use genvisa_inline::source::Language;
use genvisa_inline::{AddressSpace, Element, Type};
use genvisa_test_support::rng::Rng;

use super::super::catalogue::Case;

/// A source with a statement.
pub struct Written {
    pub text: String,
    pub language: Language,
    /// For each line of the template, the bytes that it is written as.
    pub places: Vec<Vec<Range<usize>>>,
}

/// A form of statements.
pub struct Form {
    pub name: &'static str,
    pub write: fn(&Case, &mut Rng) -> Written,
}

pub const FORMS: &[Form] = &[
    Form { name: "a literal per line", write: literals },
    Form { name: "literals on one line", write: pieces },
    Form { name: "raw string", write: raw_string },
    Form { name: "macro", write: object_macro },
    Form { name: "macro with parameters", write: function_macro },
    Form { name: "nested macros", write: nested_macros },
    Form { name: "template parameters", write: template_parameters },
    Form { name: "string with a program", write: program },
    Form { name: "LLVM IR", write: llvm },
    Form { name: "MLIR", write: mlir },
    #[cfg(feature = "python")]
    Form { name: "Triton", write: triton },
    #[cfg(feature = "python")]
    Form { name: "string of Python with a program", write: program_in_python },
];

impl Written {
    fn new(case: &Case, language: Language, text: impl Into<String>) -> Written {
        let lines = case.template.lines().count();
        Written { text: text.into(), language, places: vec![Vec::new(); lines] }
    }

    fn push(&mut self, text: &str) {
        self.text += text;
    }

    /// Adds a part of a line of the template.
    fn push_part(&mut self, line: usize, text: &str) {
        let start = self.text.len();
        self.text += text;
        self.places[line].push(start..self.text.len());
    }

    /// Adds the lines as literals, with text after each of them.
    fn push_literals<'l>(&mut self, lines: impl Iterator<Item = &'l str>, after: &str) {
        for (index, line) in lines.enumerate() {
            self.push("  \"");
            self.push_part(index, &format!("{line}\\n"));
            self.push(&format!("\"{after}"));
        }
    }

    /// Adds the operands and the rest of the kernel.
    fn finish(mut self, case: &Case) -> Written {
        self.push(&format!("  : {}){}", case.operands, case.around().1));
        self
    }
}

/// Returns the part of the kernel before the operands of the statement.
fn kernel(case: &Case) -> Written {
    Written::new(case, Language::C, case.around().0 + "__asm__ volatile (")
}

fn literals(case: &Case, _: &mut Rng) -> Written {
    let mut written = kernel(case);
    written.push_literals(case.template.lines(), "\n");
    written.finish(case)
}

/// Divides the lines into literals at random bytes.
fn pieces(case: &Case, rng: &mut Rng) -> Written {
    let mut written = kernel(case);
    for (index, line) in case.template.lines().enumerate() {
        let (first, second) = line.split_at(rng.below(line.len() + 1));
        written.push("\"");
        written.push_part(index, first);
        written.push("\" \"");
        written.push_part(index, &format!("{second}\\n"));
        written.push("\" ");
    }
    written.finish(case)
}

fn raw_string(case: &Case, _: &mut Rng) -> Written {
    let mut written = kernel(case);
    written.push("R\"asm(");
    for (index, line) in case.template.lines().enumerate() {
        written.push_part(index, line);
        written.push("\n");
    }
    written.push(")asm\"");
    written.finish(case)
}

fn object_macro(case: &Case, _: &mut Rng) -> Written {
    let mut written = Written::new(case, Language::C, "#define TEMPLATE \\\n");
    written.push_literals(case.template.lines(), " \\\n");
    let (before, after) = case.around();
    written.push(&format!("\n{before}__asm__(TEMPLATE : {}){after}", case.operands));
    written
}

/// Returns a random line that begins with a mnemonic, and its mnemonic.
fn mnemonic<'c>(case: &'c Case, rng: &mut Rng) -> Option<(usize, &'c str)> {
    let lines = case.template.lines().enumerate();
    let lines = lines.filter(|(_, line)| line.starts_with(|one: char| one.is_ascii_lowercase()));
    let mut lines: Vec<(usize, &str)> = lines.collect();
    rng.shuffle(&mut lines);
    let (index, line) = lines.first()?;
    Some((*index, line.split(' ').next().unwrap_or_default()))
}

/// The mnemonic of a line is an argument.
fn function_macro(case: &Case, rng: &mut Rng) -> Written {
    let parameter = mnemonic(case, rng);
    let mut written = Written::new(case, Language::C, "#define STATEMENT(op) __asm__( \\\n");
    for (index, line) in case.template.lines().enumerate() {
        let rest = match parameter {
            Some((of_parameter, word)) if of_parameter == index => {
                written.push("  #op");
                &line[word.len()..]
            }
            _ => line,
        };
        written.push("  \"");
        written.push_part(index, &format!("{rest}\\n"));
        written.push("\" \\\n");
    }
    let (before, after) = case.around();
    written.push(&format!("  : {})\n{before}STATEMENT(", case.operands));
    if let Some((index, word)) = parameter {
        written.push_part(index, word);
    }
    written.push(&format!("){after}"));
    written
}

/// The end of a line is in a macro with two definitions, which another macro refers to.
fn nested_macros(case: &Case, rng: &mut Rng) -> Written {
    let lines: Vec<&str> = case.template.lines().collect();
    let chosen = rng.below(lines.len());
    let (first, last) = lines[chosen].split_at(rng.below(lines[chosen].len() + 1));
    let mut written = Written::new(case, Language::C, "#if DEVICE\n#define END \"");
    written.push_part(chosen, &format!("{last}\\n"));
    written.push("\"\n#else\n#define END \"");
    written.push_part(chosen, &format!("{last} \\n"));
    written.push("\"\n#endif\n#define NESTED END\n");
    written.push(&format!("{}__asm__ volatile (\n", case.around().0));
    for (index, line) in lines.iter().enumerate() {
        written.push("  \"");
        if index == chosen {
            written.push_part(index, first);
            written.push("\" NESTED\n");
        } else {
            written.push_part(index, &format!("{line}\\n"));
            written.push("\"\n");
        }
    }
    written.finish(case)
}

/// The row of an operand is a template parameter, whose value is unknown.
fn template_parameters(case: &Case, rng: &mut Rng) -> Written {
    let mut lines: Vec<String> = case.template.lines().map(str::to_owned).collect();
    let number = case.operands.matches("rw").count();
    let chosen = rng.below(lines.len());
    lines[chosen] = lines[chosen].replacen("(0,0)<", &format!("(%{number},0)<"), 1);
    let (before, after) = case.around();
    let before = before.replace("kernel void", "template <int ROW> void").replace("global ", "");
    let mut written = Written::new(case, Language::C, before + "__asm__ volatile (\n");
    written.push_literals(lines.iter().map(String::as_str), "\n");
    written.push(&format!("  : {}, \"P\"(ROW)){after}", case.operands));
    written
}

/// The kernel is in a string of another program.
fn program(case: &Case, rng: &mut Rng) -> Written {
    let escape = |one| match one {
        '\n' => "\\n\"\n\"".into(),
        '"' | '\\' => format!("\\{one}"),
        _ => String::from(one),
    };
    let written = Written::new(case, Language::C, "const char *program =\n\"");
    with_kernel(written, &literals(case, rng), escape, "\";\n")
}

/// Adds a kernel as a string.
fn with_kernel(
    mut written: Written,
    kernel: &Written,
    escape: impl Fn(char) -> String,
    end: &str,
) -> Written {
    // The offset of each byte of the kernel.
    let mut offsets = Vec::new();
    for one in kernel.text.chars() {
        offsets.push(written.text.len());
        written.push(&escape(one));
    }
    written.push(end);
    let moved = |place: &Range<usize>| offsets[place.start]..offsets[place.end];
    written.places =
        kernel.places.iter().map(|places| places.iter().map(moved).collect()).collect();
    written
}

/// Adds the template in the form of LLVM IR.
fn push_llvm_template(written: &mut Written, case: &Case) {
    for (index, line) in case.template.lines().enumerate() {
        let line = line.replace('$', "$$").replace('%', "$");
        written.push_part(index, &format!("{line}\\0A"));
    }
}

/// Returns the types of the output and of the inputs, and the constraints.
fn signature(case: &Case, name: impl Fn(Type) -> String) -> (String, Vec<String>, String) {
    let operands = case.statement().operands;
    let (outputs, mut inputs): (Vec<_>, Vec<_>) =
        operands.into_iter().partition(|operand| operand.is_output);
    let [output] = &outputs[..] else { panic!("{}: one output", case.name) };
    let mut constraints: Vec<String> = vec![output.constraint.replace('+', "=")];
    constraints.extend(inputs.iter().map(|input| input.constraint.clone()));
    if output.constraint.starts_with('+') {
        constraints.push("0".into());
        inputs.push(output.clone());
    }
    let ty = |ty: Option<Type>| name(ty.expect("a type"));
    let inputs = inputs.iter().map(|input| ty(input.ty)).collect();
    (ty(output.ty), inputs, constraints.join(","))
}

fn llvm(case: &Case, _: &mut Rng) -> Written {
    let name = |ty: Type| match ty.element {
        Element::Pointer(AddressSpace::Global) => "ptr addrspace(1)".into(),
        _ => ty.to_string(),
    };
    let (output, inputs, constraints) = signature(case, name);
    let named = inputs.iter().enumerate().map(|(index, ty)| format!("{ty} %x{index}"));
    let list = named.collect::<Vec<_>>().join(", ");
    let text = format!("define spir_kernel void @k({list}) {{\n  %y = call {output} asm \"");
    let mut written = Written::new(case, Language::Llvm, text);
    push_llvm_template(&mut written, case);
    written.push(&format!("\", \"{constraints}\"({list})\n  ret void\n}}\n"));
    written
}

fn mlir(case: &Case, _: &mut Rng) -> Written {
    let name = |ty: Type| match ty.element {
        Element::Pointer(_) => "!llvm.ptr<1>".into(),
        Element::Half => "f16".into(),
        Element::Float => "f32".into(),
        Element::Double => "f64".into(),
        _ => ty.to_string(),
    };
    let (output, inputs, constraints) = signature(case, name);
    let names: Vec<String> = (0..inputs.len()).map(|index| format!("%x{index}")).collect();
    let parameters: Vec<String> =
        names.iter().zip(&inputs).map(|(name, ty)| format!("{name}: {ty}")).collect();
    let text = format!("llvm.func @k({}) {{\n  %y = llvm.inline_asm \"", parameters.join(", "));
    let mut written = Written::new(case, Language::Mlir, text);
    push_llvm_template(&mut written, case);
    let (names, types) = (names.join(", "), inputs.join(", "));
    written.push(&format!("\", \"{constraints}\" {names} : ({types}) -> {output}\n}}\n"));
    written
}

/// A kernel of Triton. Other types than those of scalars cannot be written.
#[cfg(feature = "python")]
fn triton(case: &Case, rng: &mut Rng) -> Written {
    let name = |ty: Type| match (ty.components, ty.element) {
        (1, Element::I8) => "int8",
        (1, Element::I16) => "int16",
        (1, Element::I32) => "int32",
        (1, Element::I64) => "int64",
        (1, Element::Half) => "float16",
        (1, Element::Float) => "float32",
        (1, Element::Double) => "float64",
        _ => "",
    };
    let operands = case.statement().operands;
    if operands.iter().any(|operand| operand.ty.is_none_or(|ty| name(ty).is_empty())) {
        return llvm(case, rng);
    }
    let (output, inputs, constraints) = signature(case, |ty| name(ty).into());
    let tensors = inputs.iter().enumerate().map(|(index, ty)| format!("x[{index}].to(tl.{ty})"));
    let tensors = tensors.collect::<Vec<_>>().join(", ");
    let is_formatted = rng.one_in(2);
    let head = "import triton.language as tl\n\ndef k(x):\n    y = tl.inline_asm_elementwise(\n";
    let mut written = Written::new(case, Language::Python, head);
    for (index, line) in case.template.lines().enumerate() {
        let mut line = line.replace('$', "$$").replace('%', "$");
        if is_formatted {
            line = line.replace('{', "{{").replace('}', "}}");
        }
        let (start, end) = match (is_formatted, rng.one_in(2)) {
            (true, _) => ("f'", "\\n'"),
            (false, true) => ("'''", "\n'''"),
            (false, false) => ("\"", "\\n\"  # a comment"),
        };
        written.push(start);
        written.push_part(index, &line);
        written.push(end);
        written.push("\n");
    }
    written.push(&format!(", '{constraints}', [{tensors}], tl.{output}, True, 1)\n"));
    written
}

/// The kernel is in a string of Python.
#[cfg(feature = "python")]
fn program_in_python(case: &Case, rng: &mut Rng) -> Written {
    let written = |start| Written::new(case, Language::Python, start);
    let kernel = literals(case, rng);
    if rng.one_in(2) {
        return with_kernel(written("PROGRAM = r'''"), &kernel, String::from, "'''\n");
    }
    let escape = |one| match one {
        '\\' => "\\\\".into(),
        '{' | '}' => format!("{one}{one}"),
        _ => String::from(one),
    };
    with_kernel(written("build(f'''"), &kernel, escape, "''')\n")
}
