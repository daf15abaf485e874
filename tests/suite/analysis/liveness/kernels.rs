//! Random kernels and functions, as text.

use std::fmt::Write;

use genvisa_test_support::rng::Rng;

/// A generator of one routine.
pub struct Generator<'r> {
    rng: &'r mut Rng,
    text: String,
    variables: Vec<Variable>,
    predicates: Vec<(String, usize)>,
    addresses: Vec<String>,
    /// The usual number of lanes.
    lanes: usize,
    /// The number of lanes of branches.
    branch_lanes: usize,
    /// One in this many operands does not begin at the start of its variable.
    offsets: usize,
    /// Whether all instructions have a meaning in [`super::simulation`].
    is_simple: bool,
    labels: usize,
    subroutines: usize,
    is_in_subroutine: bool,
}

/// A variable or alias.
#[derive(Clone, Debug)]
struct Variable {
    name: String,
    element: usize,
    count: usize,
    /// The bytes from its start to the end of the root.
    bytes: usize,
}

const TYPES: [(&str, usize); 8] =
    [("d", 4), ("ud", 4), ("f", 4), ("w", 2), ("uw", 2), ("ub", 1), ("q", 8), ("hf", 2)];

impl<'r> Generator<'r> {
    /// Returns the text of a random routine.
    pub fn routine(rng: &'r mut Rng) -> String {
        let mut generator = Generator::new(rng, false);
        let is_function = generator.rng.one_in(5);
        generator.declare(is_function);
        match generator.rng.one_in(3) {
            true => generator.unstructured(is_function),
            false => generator.structured(is_function),
        }
        generator.text
    }

    /// Returns the text of a random kernel whose execution can be simulated.
    pub fn simple_kernel(rng: &'r mut Rng) -> String {
        let mut generator = Generator::new(rng, true);
        generator.declare(false);
        generator.structured(false);
        generator.text
    }

    fn new(rng: &'r mut Rng, is_simple: bool) -> Generator<'r> {
        let lanes = rng.pick(&[4, 8, 16, 16, 16, 32]);
        let offsets = rng.pick(&[2, 8, 100]);
        Generator {
            rng,
            text: String::new(),
            variables: Vec::new(),
            predicates: Vec::new(),
            addresses: Vec::new(),
            lanes,
            branch_lanes: if is_simple { 32 } else { lanes },
            offsets,
            is_simple,
            labels: 0,
            subroutines: 0,
            is_in_subroutine: false,
        }
    }

    fn line(&mut self, line: &str) {
        self.text += line;
        self.text.push('\n');
    }

    /// Adds the declarations.
    fn declare(&mut self, is_function: bool) {
        self.line(".version 4.2");
        self.line(if is_function { ".global_function \"f\"" } else { ".kernel \"k\"" });
        let mut inputs = String::new();
        let roots = 1 + self.rng.below(4);
        for number in 0..roots {
            let (ty, element) = self.rng.pick(&TYPES);
            let count = match self.rng.below(4) {
                0 => 1,
                1 => 1 + self.rng.below(600 / element),
                _ => self.lanes * (1 + self.rng.below(2)),
            };
            let count = count.min(600 / element);
            let attribute = match self.rng.below(12) {
                0 => " attrs={Output}",
                1 => " attrs={Input}",
                2 => " attrs={Input_Output}",
                _ => "",
            };
            let name = format!("v{number}");
            self.declaration(&name, ty, count, attribute);
            if !is_function && attribute.is_empty() && self.rng.one_in(4) {
                writeln!(inputs, ".input {name} offset=32 size={}", count * element).expect("text");
            }
            self.variables.push(Variable { name, element, count, bytes: count * element });
        }
        for number in 0..self.rng.below(4) {
            let of = self.variables[self.rng.below(self.variables.len())].clone();
            let (ty, element) = self.rng.pick(&TYPES);
            let bytes = of.bytes;
            let offset = if self.rng.one_in(2) { 0 } else { self.rng.below(bytes) };
            // Some aliases extend over the end.
            let space = if self.rng.one_in(8) { bytes + 8 } else { bytes - offset };
            let most = (space / element).max(1);
            let count = if self.rng.one_in(2) { most } else { 1 + self.rng.below(most) };
            let name = format!("x{number}");
            self.declaration(&name, ty, count, &format!(" alias=<{}, {offset}>", of.name));
            self.variables.push(Variable { name, element, count, bytes: bytes - offset });
        }
        if is_function {
            for of in ["arg", "retval"] {
                let (name, count) = (format!("{of}0"), 8 * (1 + self.rng.below(3)));
                self.declaration(&name, "d", count, &format!(" alias=<%{of}, 0>"));
                self.variables.push(Variable { name, element: 4, count, bytes: 96 });
            }
        }
        for number in 0..1 + self.rng.below(3) {
            let count = match self.rng.one_in(3) {
                true => self.rng.pick(&[1, 8, 16, 32]),
                false => self.branch_lanes,
            };
            let name = format!("p{number}");
            self.line(&format!(".decl {name} v_type=P num_elts={count}"));
            self.predicates.push((name, count));
        }
        if !self.is_simple && self.rng.one_in(2) {
            for number in 0..1 + self.rng.below(2) {
                let count = self.rng.pick(&[1, 2, 8, 16]);
                let name = format!("a{number}");
                self.line(&format!(".decl {name} v_type=A num_elts={count}"));
                self.addresses.push(name);
            }
        }
        self.text += &inputs;
        self.line(".kernel_attr SimdSize=16");
        if is_function {
            let (arg, retval) = (self.rng.below(3), self.rng.below(3));
            self.line(&format!(".kernel_attr ArgSize={arg}\n.kernel_attr RetValSize={retval}"));
        }
        self.line(".function \"main\"\nmain:");
    }

    fn declaration(&mut self, name: &str, ty: &str, count: usize, more: &str) {
        self.line(&format!(".decl {name} v_type=G type={ty} num_elts={count} align=wordx32{more}"));
    }

    /// Adds branches to random labels.
    fn unstructured(&mut self, is_function: bool) {
        let length = 1 + self.rng.below(25);
        let labels = 1 + self.rng.below(5);
        let subroutines = self.rng.below(3);
        let mut lines: Vec<String> = Vec::new();
        let kinds = 6 + self.rng.below(30);
        for _ in 0..length {
            let to = self.rng.below(labels);
            let lanes = if self.rng.one_in(4) { 1 } else { self.lanes };
            let mask = self.mask(lanes);
            let line = match self.rng.below(kinds) {
                0 | 1 => {
                    let guard = self.guard(lanes, 2);
                    format!("{guard}goto ({mask}, {lanes}) L{to}")
                }
                2 => {
                    let guard = self.guard(1, 2);
                    format!("{guard}jmp (M1, 1) L{to}")
                }
                3 if subroutines > 0 => {
                    let guard = self.guard(lanes, 3);
                    let callee = self.rng.below(subroutines);
                    format!("{guard}call ({mask}, {lanes}) s{callee}")
                }
                4 => {
                    let guard = self.guard(lanes, 2);
                    format!("{guard}ret ({mask}, {lanes})")
                }
                5 => {
                    let operand = self.source(true);
                    format!("switchjmp (M1, 1) {operand} (L{to}, L0)")
                }
                _ => self.instruction(),
            };
            lines.push(line);
        }
        for number in 0..labels {
            let at = self.rng.below(lines.len() + 1);
            lines.insert(at, format!("L{number}:"));
        }
        for number in 0..subroutines {
            let at = self.rng.below(lines.len() + 1);
            let ret = if is_function { "fret" } else { "ret" };
            lines.insert(at, format!("{ret} (M1, 1)\n.function \"s{number}\"\ns{number}:"));
        }
        if is_function {
            let at = self.rng.below(lines.len() + 1);
            let lanes = self.lanes;
            let guard = self.guard(lanes, 3);
            lines.insert(at, format!("{guard}fret (M1, {lanes})"));
        }
        self.line(&lines.join("\n"));
    }

    /// Adds nested branches, loops and calls.
    fn structured(&mut self, is_function: bool) {
        self.subroutines = if self.rng.one_in(3) { 1 + self.rng.below(2) } else { 0 };
        let budget = 2 + self.rng.below(5);
        self.statements(budget, 0, None);
        let lanes = self.branch_lanes;
        self.line(&match is_function {
            true => format!("fret (M1, {lanes})"),
            false => "ret (M1, 1)".to_owned(),
        });
        for number in 0..self.subroutines {
            self.line(&format!(".function \"s{number}\"\ns{number}:"));
            self.is_in_subroutine = true;
            let budget = 1 + self.rng.below(3);
            self.statements(budget, 1, None);
            self.line(&format!("ret (M1, {lanes})"));
        }
    }

    fn new_label(&mut self) -> String {
        self.labels += 1;
        format!("L{}", self.labels)
    }

    /// Adds statements. Code in a loop may leave it to the label.
    fn statements(&mut self, count: usize, depth: usize, after: Option<&str>) {
        for _ in 0..count {
            let kinds = if depth < 4 { 15 } else { 8 };
            self.statement(kinds, depth, after);
        }
    }

    fn statement(&mut self, kinds: usize, depth: usize, after: Option<&str>) {
        let lanes = self.branch_lanes;
        let count = 1 + self.rng.below(3);
        match self.rng.below(kinds) {
            0..=5 => {
                let instruction = self.instruction();
                self.line(&instruction);
            }
            6 => {
                // Leave the loop, or return.
                let guard = self.guard(lanes, 100);
                let to = after.map(str::to_owned);
                match to {
                    Some(to) => self.line(&format!("{guard}goto (M1, {lanes}) {to}")),
                    None if self.rng.one_in(4) => self.line(&format!("{guard}ret (M1, {lanes})")),
                    None => {}
                }
            }
            7 => {
                if self.subroutines > 0 && !(self.is_in_subroutine && self.is_simple) {
                    let guard = self.guard(lanes, 3);
                    let callee = self.rng.below(self.subroutines);
                    self.line(&format!("{guard}call (M1, {lanes}) s{callee}"));
                }
            }
            8..=9 => {
                let end = self.new_label();
                let guard = self.guard(lanes, 100);
                self.line(&format!("{guard}goto (M1, {lanes}) {end}"));
                self.statements(count, depth + 2, after);
                self.line(&format!("{end}:"));
            }
            10..=11 => {
                let (other, end) = (self.new_label(), self.new_label());
                let guard = self.guard(lanes, 100);
                self.line(&format!("{guard}goto (M1, {lanes}) {other}"));
                self.statements(count, depth + 2, after);
                let lanes_of_goto = if self.rng.one_in(3) { 1 } else { lanes };
                self.line(&format!("goto (M1, {lanes_of_goto}) {end}\n{other}:"));
                self.statements(count, depth + 2, after);
                self.line(&format!("{end}:"));
            }
            12..=13 => {
                let (head, end) = (self.new_label(), self.new_label());
                self.line(&format!("{head}:"));
                self.statements(count, depth + 2, Some(&end));
                let guard = self.guard(lanes, 100);
                self.line(&format!("{guard}goto (M1, {lanes}) {head}\n{end}:"));
            }
            _ => {
                let head = self.new_label();
                self.line(&format!("{head}:"));
                // A JMP must not skip blocks at which lanes wait, so none of them leaves.
                self.statements(count, depth + 2, None);
                let guard = self.guard(1, 100);
                self.line(&format!("{guard}jmp (M1, 1) {head}"));
            }
        }
    }

    /// Returns a mask for a number of lanes.
    fn mask(&mut self, lanes: usize) -> String {
        let quarter = match lanes {
            32 => 1,
            16 => self.rng.pick(&[1, 1, 1, 5]),
            8 => self.rng.pick(&[1, 1, 3, 5]),
            _ => self.rng.pick(&[1, 1, 1, 2, 4, 8]),
        };
        format!("M{quarter}{}", if self.rng.one_in(5) { "_NM" } else { "" })
    }

    /// Returns a predicate in parentheses; nothing for one in `none` instructions.
    fn guard(&mut self, lanes: usize, none: usize) -> String {
        if none < 100 && !self.rng.one_in(none) {
            return String::new();
        }
        let (name, _) = self.predicate();
        let inverted = if self.rng.one_in(3) { "!" } else { "" };
        let control = if !self.is_simple && lanes > 1 && self.rng.one_in(12) { ".any" } else { "" };
        format!("({inverted}{name}{control}) ")
    }

    fn predicate(&mut self) -> (String, usize) {
        self.predicates[self.rng.below(self.predicates.len())].clone()
    }

    fn variable(&mut self) -> Variable {
        self.variables[self.rng.below(self.variables.len())].clone()
    }

    /// Returns the name of a variable, and a row and column in it.
    fn place(&mut self) -> String {
        let variable = self.variable();
        let element = match self.rng.one_in(self.offsets) {
            true => self.rng.below(variable.count),
            false => 0,
        };
        let byte = element * variable.element;
        format!("{}({},{})", variable.name, byte / 32, byte % 32 / variable.element)
    }

    /// Returns a source operand.
    fn source(&mut self, is_scalar: bool) -> String {
        if self.rng.one_in(6) {
            return "0x1:d".into();
        }
        if !is_scalar && !self.addresses.is_empty() && self.rng.one_in(6) {
            let address = self.address();
            let region = self.rng.pick(&["<1,0>", "<8;8,1>", "<0;1,0>"]);
            return format!("r[{address},{}]{region}:d", self.rng.below(64));
        }
        let place = self.place();
        let region = match self.rng.below(4) {
            _ if is_scalar => "<0;1,0>",
            0 => self.rng.pick(&[
                "<0;1,0>", "<2;1,0>", "<4;4,1>", "<8;4,2>", "<0;8,1>", "<16;8,1>", "<1;4,0>",
                "<4;1,0>", "<2;4,1>", "<1;2,1>", "<16;4,4>",
            ]),
            _ => self.rng.pick(&["<1;1,0>", "<1;1,0>", "<8;8,1>"]),
        };
        format!("{place}{region}")
    }

    fn destination(&mut self) -> String {
        if !self.addresses.is_empty() && self.rng.one_in(8) {
            let address = self.address();
            return format!("r[{address},{}]<1>:d", self.rng.below(64));
        }
        let place = self.place();
        let stride = self.rng.pick(&[1, 1, 1, 1, 2, 4]);
        format!("{place}<{stride}>")
    }

    fn address(&mut self) -> String {
        let name = self.addresses[self.rng.below(self.addresses.len())].clone();
        format!("{name}({})", if self.rng.one_in(4) { 1 } else { 0 })
    }

    /// Returns a random instruction that does not branch.
    fn instruction(&mut self) -> String {
        let lanes = match self.rng.below(6) {
            0 => self.rng.pick(&[1, 2, 4, 8, 16, 32]),
            1 => 1,
            _ => self.lanes,
        };
        let mask = self.mask(lanes);
        let guard = self.guard(lanes, 3);
        let kinds = if self.is_simple { 12 } else { 22 };
        match self.rng.below(kinds) {
            0..=3 => {
                let (dst, src) = (self.destination(), self.source(false));
                format!("{guard}mov ({mask}, {lanes}) {dst} {src}")
            }
            4..=6 => {
                let (dst, a, b) = (self.destination(), self.source(false), self.source(false));
                format!("{guard}add ({mask}, {lanes}) {dst} {a} {b}")
            }
            7 => {
                let (dst, a, b) = (self.destination(), self.source(false), self.source(false));
                let guard = self.guard(lanes, 100);
                format!("{guard}sel ({mask}, {lanes}) {dst} {a} {b}")
            }
            8 => {
                let ((pred, _), a, b) = (self.predicate(), self.source(false), self.source(false));
                let mask = mask.trim_end_matches("_NM");
                format!("cmp.lt ({mask}, {lanes}) {pred} {a} {b}")
            }
            9 => {
                let ((pred, _), a) = (self.predicate(), self.source(false));
                format!("setp ({mask}, {lanes}) {pred} {a}")
            }
            10 => {
                let ((pred, _), (a, _), (b, _)) =
                    (self.predicate(), self.predicate(), self.predicate());
                format!("and ({mask}, {lanes}) {pred} {a} {b}")
            }
            11 => {
                let variable = self.variable().name;
                let end = if self.rng.one_in(2) { "start" } else { "end" };
                // Predefined variables have no life.
                let is_predefined = matches!(&*variable, "arg0" | "retval0");
                if is_predefined || !self.rng.one_in(2) {
                    return self.instruction();
                }
                format!("lifetime.{end} {variable}")
            }
            12 => {
                let dst = self.destination();
                format!("mov (M1, 1) {dst} {}", self.predicate().0)
            }
            13 => {
                let (dst, a) = (self.variable(), self.variable());
                let vector = self.rng.pick(&[1, 2, 4]);
                // Rows after the end of the variable make no sense.
                let vector = if vector * lanes.max(16) * 4 > dst.bytes { 1 } else { vector };
                let offset = if vector > 1 { 0 } else { self.raw_offset(&dst) };
                format!(
                    "{guard}lsc_load.ugm ({mask}, {lanes}) {}.{offset}:d32x{vector} flat[{}]:a64",
                    dst.name, a.name
                )
            }
            14 => {
                let (dst, a) = (self.variable(), self.variable());
                format!("lsc_load.ugm (M1_NM, 1) {}:d32x16t flat[{}]:a64", dst.name, a.name)
            }
            15 => {
                let (data, a) = (self.variable(), self.variable());
                let has_two_rows = 2 * lanes.max(16) * 4 <= data.bytes;
                let (size, offset) = match self.rng.one_in(3) && has_two_rows {
                    true => ("d32x2", 0),
                    false => (self.rng.pick(&["d32", "d16u32", "d64"]), self.raw_offset(&data)),
                };
                format!(
                    "{guard}lsc_store.ugm ({mask}, {lanes}) flat[{}]:a64 {}.{offset}:{size}",
                    a.name, data.name
                )
            }
            16..=17 => {
                let (dst, a, b) = (self.variable(), self.variable(), self.variable());
                let counts = [0; 3].map(|_| self.rng.below(4));
                let offset = self.raw_offset(&dst);
                let eot = if self.rng.one_in(20) { "_eot" } else { "" };
                format!(
                    "{guard}raw_sends{eot}.2.{}.{}.{} ({mask}, {lanes}) 0x0:ud 0x0:ud {}.0 {}.0 \
                     {}.{offset}",
                    counts[0], counts[1], counts[2], a.name, b.name, dst.name
                )
            }
            18 if !self.addresses.is_empty() => {
                let (address, of) = (self.address(), self.variable());
                let lanes = lanes.min(8);
                format!("addr_add (M1, {lanes}) {address}<1> &{} 0x8:uw", of.name)
            }
            19 if !self.addresses.is_empty() => {
                let (to, from) = (self.address(), self.address());
                let lanes = lanes.min(8);
                match self.rng.below(4) {
                    0 => format!("mov (M1, {lanes}) {to}<1> {}", self.source(true)),
                    1 => format!("mov (M1, {lanes}) {to}<1> {from}<1>"),
                    _ => format!("addr_add (M1, {lanes}) {to}<1> {from}<1> {}", self.source(true)),
                }
            }
            20 => {
                let (arg, retval) = (self.rng.below(3), self.rng.below(3));
                format!("{guard}fcall (M1, {lanes}) g {arg} {retval}")
            }
            21 => match (self.rng.one_in(2), self.addresses.first()) {
                (true, Some(address)) => format!("lifetime.end {address}"),
                _ => format!("lifetime.start {}", self.predicate().0),
            },
            _ => self.instruction(),
        }
    }

    /// Returns the offset of a raw operand, in bytes.
    fn raw_offset(&mut self, of: &Variable) -> usize {
        match self.rng.one_in(self.offsets) {
            true => self.rng.below(of.count) * of.element,
            false => 0,
        }
    }
}
