//! Texts of one large routine, each with much of one thing.

use std::fmt::Write;

/// What a routine has much of.
#[derive(Clone, Copy, Debug)]
pub enum Much {
    /// Blocks, with few variables.
    Blocks,
    /// Variables that are live in few blocks.
    Variables,
    /// Variables that are live in all blocks.
    LongRanges,
    /// Loops in loops.
    Loops,
    /// Variables that are parts of others.
    Aliases,
    /// Accesses through addresses.
    Indirect,
}

impl Much {
    pub const ALL: [Much; 6] = [
        Much::Blocks,
        Much::Variables,
        Much::LongRanges,
        Much::Loops,
        Much::Aliases,
        Much::Indirect,
    ];

    /// Returns the text of a routine of about so many instructions.
    pub fn text(self, instructions: usize) -> String {
        let mut code = Code::default();
        match self {
            Much::Blocks => {
                let all = code.variables(8);
                code.branches(instructions / 4, |index| all[index % 8].clone());
            }
            Much::Variables => {
                let all = code.variables(instructions / 5);
                code.branches(instructions / 5, |index| all[index].clone());
                for (index, name) in all.iter().enumerate().step_by(2) {
                    code.add(&format!("mov (M1, 16) {name}(0,0)<1> {index}:d"));
                    code.add(&format!("add (M1, 16) a(0,0)<1> a(0,0)<1;1,0> {name}(0,0)<1;1,0>"));
                }
            }
            Much::LongRanges => {
                let all = code.variables(instructions / 6);
                for (index, name) in all.iter().enumerate() {
                    code.add(&format!("mov (M1, 16) {name}(0,0)<1> {index}:d"));
                }
                code.branches(instructions / 6, |index| all[index].clone());
                for name in &all {
                    code.add(&format!("add (M1, 16) a(0,0)<1> a(0,0)<1;1,0> {name}(0,0)<1;1,0>"));
                }
            }
            // No compiler nests loops deeper.
            Much::Loops => {
                for nest in 0..instructions / 40 {
                    for depth in 0..10 {
                        code.label(&format!("L{nest}_{depth}"));
                        code.add("add (M1, 16) a(0,0)<1> a(0,0)<1;1,0> 0x1:d");
                    }
                    for depth in (0..10).rev() {
                        code.add(&format!("cmp.lt (M1, 16) P1 a(0,0)<1;1,0> 0x{depth:x}:d"));
                        code.add(&format!("(P1) goto (M1, 16) L{nest}_{depth}"));
                    }
                }
            }
            Much::Aliases => {
                let all = code.variables(instructions / 40);
                let mut parts = Vec::new();
                for name in &all {
                    for offset in 0..10 {
                        let part = format!("{name}_{offset}");
                        code.declare(&format!(
                            "{part} v_type=G type=b num_elts=4 alias=<{name}, {}>",
                            offset * 4
                        ));
                        parts.push((part, name.clone()));
                    }
                }
                code.branches(instructions / 4, |index| {
                    parts[index % parts.len().max(1)].1.clone()
                });
                for (part, _) in &parts {
                    code.add(&format!("mov (M1_NM, 4) {part}(0,0)<1> 0x1:w"));
                }
            }
            Much::Indirect => {
                let all = code.variables(64);
                code.declare("A v_type=A num_elts=1");
                code.branches(instructions / 6, |index| all[index % 64].clone());
                for index in 0..instructions / 6 {
                    code.add(&format!("addr_add (M1_NM, 1) A(0)<1> &{} 0x0:uw", all[index % 64]));
                    code.add("mov (M1_NM, 1) r[A(0), 0]<1>:d 0x1:d");
                }
            }
        }
        code.text()
    }
}

/// The declarations and instructions of a routine.
#[derive(Default)]
struct Code {
    declarations: String,
    instructions: String,
}

impl Code {
    fn declare(&mut self, declaration: &str) {
        let _ = writeln!(self.declarations, ".decl {declaration}");
    }

    fn add(&mut self, instruction: &str) {
        let _ = writeln!(self.instructions, "    {instruction}");
    }

    fn label(&mut self, name: &str) {
        let _ = writeln!(self.instructions, "{name}:");
    }

    /// Declares general variables, and returns their names.
    fn variables(&mut self, count: usize) -> Vec<String> {
        let names: Vec<String> = (0..count).map(|index| format!("v{index}")).collect();
        for name in &names {
            self.declare(&format!("{name} v_type=G type=d num_elts=16 align=GRF"));
        }
        names
    }

    /// Adds branches over an access to a variable.
    fn branches(&mut self, count: usize, variable: impl Fn(usize) -> String) {
        for index in 0..count {
            let name = variable(index);
            self.add(&format!("cmp.lt (M1, 16) P1 a(0,0)<1;1,0> 0x{index:x}:d"));
            self.add(&format!("(P1) goto (M1, 16) B{index}"));
            self.add(&format!("add (M1, 16) a(0,0)<1> a(0,0)<1;1,0> {name}(0,0)<1;1,0>"));
            self.label(&format!("B{index}"));
        }
    }

    fn text(self) -> String {
        let Code { declarations, instructions } = self;
        format!(
            ".version 4.2\n.kernel \"k\"\n.decl P1 v_type=P num_elts=16\n\
             .decl a v_type=G type=d num_elts=16 align=GRF\n{declarations}.input a offset=64 size=64\n\
             {instructions}    ret (M1, 1)\n"
        )
    }
}
