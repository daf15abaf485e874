//! Quirks of names, declarations and attributes.

use genvisa::isa::{Call, Fcall, Goto, Label, Labels, Subroutine, SwitchJmp};
use genvisa::object::{Align, Attribute, Input, InputKind, Kernel, LabelKind};
use genvisa::operand::{DataType, ExecSize, Imm, Pred, ShortStringId};
use genvisa::text::Quirk;

use super::{Case, line, variable};

/// Adds a `Target`, so that the tool adds none.
fn add_target(kernel: &mut Kernel<'static>, value: i32) {
    let name = kernel.body.intern("Target");
    kernel.body.attributes.push(Attribute::integer(name, value));
}

pub fn cases() -> Vec<Case> {
    let mut cases = header();
    cases.extend(attributes());
    cases.extend(names());
    cases.extend(labels());
    cases
}

fn header() -> Vec<Case> {
    vec![
        Case::new(
            Quirk::JoinedAttributeLine,
            |kernel| {
                add_target(kernel, 0);
                vec![]
            },
            format!(".kernel_attr Target=\"cm\"{}", line("ret (M1, 1)", 0)),
            format!(".kernel_attr AsmName=\"oracle\"\n{}", line("ret (M1, 1)", 0)),
        ),
        Case::new(
            Quirk::SubroutineIndented,
            |kernel| {
                add_target(kernel, 0);
                let start = kernel.body.add_label("start", LabelKind::SUBROUTINE);
                vec![Subroutine { label: start.expect("space for a label") }.into()]
            },
            "Target=\"cm\"    \n.function \"start_",
            "AsmName=\"oracle\"\n\n.function \"start\"",
        ),
        Case::new(
            Quirk::UnnamedAlignment,
            |kernel| {
                let align = Align::from_bits(12).expect("four bits");
                kernel.body.add_variable("x", DataType::UD, 8, align);
                vec![]
            },
            "type=ud num_elts=8 align=\n",
            "type=ud num_elts=8 //@ align=12\n",
        ),
        Case::new(
            Quirk::PredefinedListing,
            |_| vec![],
            ".kernel \"kernel\"\n\
             \n\
             /// VISA Predefined Variables\n\
             // .decl V0 v_type=G v_name=%null\n\
             // .decl V1 v_type=G v_name=%thread_x\n\
             // .decl V2 v_type=G v_name=%thread_y\n\
             // .decl V3 v_type=G v_name=%group_id_x\n\
             // .decl V4 v_type=G v_name=%group_id_y\n\
             // .decl V5 v_type=G v_name=%group_id_z\n\
             // .decl V6 v_type=G v_name=%tsc\n\
             // .decl V7 v_type=G v_name=%r0\n\
             // .decl V8 v_type=G v_name=%arg\n\
             // .decl V9 v_type=G v_name=%retval\n\
             // .decl V10 v_type=G v_name=%sp\n\
             // .decl V11 v_type=G v_name=%fp\n\
             // .decl V12 v_type=G v_name=%hw_id\n\
             // .decl V13 v_type=G v_name=%sr0\n\
             // .decl V14 v_type=G v_name=%cr0\n\
             // .decl V15 v_type=G v_name=%ce0\n\
             // .decl V16 v_type=G v_name=%dbg0\n\
             // .decl V17 v_type=G v_name=%color\n\
             // .decl V18 v_type=G v_name=%impl_arg_buf_ptr\n\
             // .decl V19 v_type=G v_name=%local_id_buf_ptr\n\
             // .decl V20 v_type=G v_name=%msg0\n\
             // .decl T0 v_type=T v_name=%slm\n\
             // .decl T1 v_type=T v_name=T1\n\
             // .decl T2 v_type=T v_name=T2\n\
             // .decl T3 v_type=T v_name=TSS\n\
             // .decl T4 v_type=T v_name=%bss\n\
             // .decl T5 v_type=T v_name=%scratch\n\
             \n\
             .kernel_attr",
            ".kernel \"kernel\"\n\n.kernel_attr",
        ),
        Case::new(
            Quirk::PseudoInputTwice,
            |kernel| {
                let x = variable(kernel, "x");
                let kind = InputKind::from_bits(4 << 3);
                kernel.inputs.push(Input { kind, index: x.0, offset: 32, size: 4 });
                vec![]
            },
            "\n.implicit_PSEUDO_INPUT x offset=32 size=4\n",
            "\n.implicit_UNDEFINED_4 x offset=32 size=4\n",
        ),
        Case::new(
            Quirk::DotInRoutineName,
            |kernel| {
                *kernel = Kernel::new("a.b.c");
                vec![]
            },
            "\n.kernel \"a b c\"\n",
            "\n.kernel \"a.b.c\"\n",
        ),
    ]
}

fn attributes() -> Vec<Case> {
    vec![
        Case::new(
            Quirk::AsmNameOmitted,
            |kernel| {
                add_target(kernel, 0);
                vec![]
            },
            "\n\n.kernel_attr Target=\"cm\"    ret",
            "\n\n.kernel_attr Target=\"cm\"\n.kernel_attr AsmName=\"oracle\"\n",
        ),
        Case::new(
            Quirk::TargetAdded,
            |_| vec![],
            "\n\n.kernel_attr Target=\"3d\"    ret",
            "\n\n.kernel_attr AsmName=\"oracle\"\n    ret",
        ),
        // A boolean with its value.
        Case::new(
            Quirk::AttributeValueOmitted,
            |kernel| {
                let name = kernel.body.intern("NoBarrier");
                kernel.body.attributes.push(Attribute::integer(name, 1));
                vec![]
            },
            "\n.kernel_attr NoBarrier\n",
            "\n.kernel_attr NoBarrier=1\n",
        ),
        // A boolean of a variable.
        Case::new(
            Quirk::AttributeValueOmitted,
            |kernel| {
                let x = variable(kernel, "x");
                let name = kernel.body.intern("Output");
                let index = (x.0 - genvisa::operand::VarId::FIRST_DECLARED.0) as usize;
                kernel.body.variables[index].attributes.push(Attribute::integer(name, 0));
                vec![]
            },
            " align=GRF attrs={Output}\n",
            " align=GRF attrs={Output=0}\n",
        ),
        // An integer of no bytes.
        Case::new(
            Quirk::AttributeValueOmitted,
            |kernel| {
                let name = kernel.body.intern("SpillMemOffset");
                kernel.body.attributes.push(Attribute::flag(name));
                vec![]
            },
            "\n.kernel_attr SpillMemOffset=1\n",
            "\n.kernel_attr SpillMemOffset\n",
        ),
    ]
}

fn names() -> Vec<Case> {
    vec![
        // Only variables without a name are counted.
        Case::new(
            Quirk::AnonymousByCounter,
            |kernel| {
                for name in ["", "named", ""] {
                    kernel.body.add_variable(name, DataType::F, 8, Align::DWORD);
                }
                vec![]
            },
            "\n.decl V0032 v_type=G type=f num_elts=8 align=dword\n\
             .decl named v_type=G type=f num_elts=8 align=dword\n\
             .decl V0033 v_type=G type=f num_elts=8 align=dword\n",
            "\n.decl V32 v_type=G type=f num_elts=8 align=dword\n\
             .decl named v_type=G type=f num_elts=8 align=dword\n\
             .decl V34 v_type=G type=f num_elts=8 align=dword\n",
        ),
        Case::new(
            Quirk::AnonymousByCounter,
            |kernel| {
                super::sampler(kernel);
                super::surface(kernel);
                vec![]
            },
            "\n.decl S0 v_type=S num_elts=1 v_name=S000\n.decl T6 v_type=T num_elts=1 v_name=T006\n",
            "\n.decl S0 v_type=S num_elts=1\n.decl T6 v_type=T num_elts=1\n",
        ),
        // The name `x_0` is in use when the second `x` is declared.
        Case::new(
            Quirk::NamesCleaned,
            |kernel| {
                for name in ["1x", "a.b", "add", "x", "x_0", "x"] {
                    kernel.body.add_variable(name, DataType::F, 8, Align::BYTE);
                }
                vec![]
            },
            "\n.decl _1x v_type=G type=f num_elts=8\n\
             .decl a_b v_type=G type=f num_elts=8\n\
             .decl add_ v_type=G type=f num_elts=8\n\
             .decl x v_type=G type=f num_elts=8\n\
             .decl x_0 v_type=G type=f num_elts=8\n\
             .decl x_1 v_type=G type=f num_elts=8\n",
            "\n.decl V32 v_type=G type=f num_elts=8 //@ name=2\n\
             .decl V33 v_type=G type=f num_elts=8 //@ name=3\n\
             .decl V34 v_type=G type=f num_elts=8 //@ name=4\n\
             .decl x v_type=G type=f num_elts=8\n\
             .decl x_0 v_type=G type=f num_elts=8\n\
             .decl V37 v_type=G type=f num_elts=8 //@ name=7\n",
        ),
        // Names of functions have no quotes.
        Case::new(
            Quirk::NamesCleaned,
            |kernel| {
                let name = kernel.body.intern("f.g$h").0 as u16;
                let (exec, pred, func_id) = (ExecSize::S1.into(), Pred::NONE, ShortStringId(name));
                vec![Fcall { exec, pred, func_id, arg_size: 1, return_size: 2 }.into()]
            },
            line("fcall (M1, 1) f_g_h 1 2", 0),
            line("fcall (M1, 1) \"f.g$h\" 1 2", 0),
        ),
        Case::new(
            Quirk::IndexedNames,
            |kernel| {
                kernel.body.add_address("pointer", 16).expect("space for an address");
                kernel.body.add_predicate("lit", 32).expect("space for a predicate");
                vec![]
            },
            "\n.decl A0 v_type=A num_elts=16\n.decl P1 v_type=P num_elts=32\n",
            "\n.decl pointer v_type=A num_elts=16\n.decl lit v_type=P num_elts=32\n",
        ),
    ]
}

/// The string pool begins with the empty string and the name of the kernel, so the strings of the
/// labels are 2, 3 and so on.
fn labels() -> Vec<Case> {
    vec![
        Case::new(
            Quirk::LabelSuffixes,
            |kernel| {
                let label = kernel.body.add_label("block", LabelKind::BLOCK);
                vec![Label { label: label.expect("space for a label") }.into()]
            },
            "\nblock_2:\n",
            "\nblock:\n",
        ),
        Case::new(
            Quirk::LabelSuffixes,
            |kernel| {
                kernel.body.add_label("block", LabelKind::BLOCK).expect("space for a label");
                let label = kernel.body.add_label("routine", LabelKind::SUBROUTINE);
                let label = label.expect("space for a label");
                let (exec, pred) = (ExecSize::S1.into(), Pred::NONE);
                vec![Call { exec, pred, label }.into(), Subroutine { label }.into()]
            },
            line("call (M1, 1) routine_3_1", 0)
                + "    \n.function \"routine_3_1\"\n\nroutine_3_1:\n",
            line("call (M1, 1) routine", 0) + "\n.function \"routine\"\n\nroutine:\n",
        ),
        Case::new(
            Quirk::RawJumpNames,
            |kernel| {
                let label = kernel.body.add_label("a.b$c", LabelKind::BLOCK);
                let label = label.expect("space for a label");
                let (exec, pred) = (ExecSize::S8.into(), Pred::NONE);
                vec![Label { label }.into(), Goto { exec, pred, label }.into()]
            },
            "\na_b_c_2:\n".to_owned() + &line("goto (M1, 8) a.b$c_2", 1),
            "\nL0:\n".to_owned() + &line("goto (M1, 8) L0", 1),
        ),
        Case::new(
            Quirk::RawJumpNames,
            |kernel| {
                let label = kernel.body.add_label("a.b", LabelKind::BLOCK);
                let label = label.expect("space for a label");
                let labels = Labels::new(&[label, label]).expect("few labels");
                let (exec, index) = (ExecSize::S1.into(), Imm::ud(0).into());
                vec![Label { label }.into(), SwitchJmp { exec, index, labels }.into()]
            },
            "\na_b_2:\n".to_owned() + &line("switchjmp (M1, 1) 0x0:ud (a.b_2, a.b_2)", 1),
            "\nL0:\n".to_owned() + &line("switchjmp (M1, 1) 0x0:ud (L0, L0)", 1),
        ),
    ]
}
