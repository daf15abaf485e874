//! Odd values of the types of the library.

use std::fs;
use std::sync::LazyLock;

use genvisa::Platform;
use genvisa::RegisterSize;
use genvisa::analysis::{BlockId, LoopId};
use genvisa::error::{ErrorKind, PathSegment, RoutineKind};
use genvisa::isa::{Id, IdClass, Param, RtWriteFlags, SampleFlags, SampleOp, SamplerOp};
use genvisa::object::{Align, InputClass, LabelKind, Routine};
use genvisa::operand::lsc::{LscDataSize, LscOp, LscSfid};
use genvisa::operand::{
    AddrId, AddrWidth, AddressOf, AtomicOp, ChannelMask, DataType, Dst, Exec, ExecMask, ExecSize,
    Imm, LabelId, MediaModifier, Modifier, OwordNum, Pred, PredControl, PredId, Raw, Region,
    SamplerId, Stride, StringId, SurfaceId, TypeByte, VarId, Vector,
};
use genvisa::strategy::{self, Generate};
use genvisa::text::{self, Style, TokenKind};
use genvisa::verify::{Compiler, Group, Rule, Severity, rules};
use genvisa::{Dialect, Format, Instruction, Module, Version};
use proptest::strategy::{BoxedStrategy, Strategy, ValueTree};

use super::{Draw, Odd};
use crate::rng::Rng;
use crate::{formats, hand_built, repository};

/// Ids that are often not declared.
macro_rules! ids {
    ($($ty:ident)*) => {$(
        impl Odd for $ty {
            fn odd(o: &mut Draw) -> $ty {
                $ty(o.any())
            }
        }
    )*};
}

ids! { AddrId BlockId LabelId LoopId PredId SamplerId StringId SurfaceId VarId }

/// What a format can express.
macro_rules! generated {
    ($($ty:ident)*) => {$(
        impl Odd for $ty {
            fn odd(o: &mut Draw) -> $ty {
                let strategy = $ty::strategy(o.any());
                strategy.new_tree(&mut o.runner).expect("a value").current()
            }
        }
    )*};
}

generated! {
    AddrWidth AddressOf AtomicOp ChannelMask DataType Dst Exec ExecMask Imm LscDataSize LscOp LscSfid MediaModifier
    Modifier OwordNum Pred PredControl Raw Region Stride Vector
}

/// Codes that may have no name.
macro_rules! codes {
    ($($ty:ident)*) => {$(
        impl Odd for $ty {
            fn odd(o: &mut Draw) -> $ty {
                loop {
                    if let Some(code) = $ty::from_bits(o.any()) {
                        return code;
                    }
                }
            }
        }
    )*};
}

codes! { Align InputClass LabelKind SampleOp SamplerOp }

/// Flags, also unknown ones.
macro_rules! flags {
    ($($ty:ident)*) => {$(
        impl Odd for $ty {
            fn odd(o: &mut Draw) -> $ty {
                $ty::from_bits_retain(o.any())
            }
        }
    )*};
}

flags! { RtWriteFlags SampleFlags }

impl Odd for TypeByte {
    fn odd(o: &mut Draw) -> TypeByte {
        TypeByte::from_bits(o.any())
    }
}

/// Picks one of a list.
macro_rules! listed {
    ($($ty:ty: $all:expr;)*) => {$(
        impl Odd for $ty {
            fn odd(o: &mut Draw) -> $ty {
                o.pick(&$all)
            }
        }
    )*};
}

listed! {
    Compiler: [
        Compiler::NEWEST,
        Compiler { major: 0, minor: 0, patch: 0 },
        Compiler { major: u16::MAX, minor: u16::MAX, patch: u16::MAX },
    ];
    Dialect: Dialect::ALL;
    ExecSize: ExecSize::ALL;
    Format: formats::all();
    Group: Group::ALL;
    IdClass: [
        IdClass::Variable, IdClass::Address, IdClass::Predicate, IdClass::Surface, IdClass::Sampler, IdClass::Label,
        IdClass::String,
    ];
    Param: Param::ALL;
    Platform: Platform::ALL;
    RegisterSize: [RegisterSize::Bytes32, RegisterSize::Bytes64];
    Severity: [Severity::Warning, Severity::Error];
    Style: [Style::Complete, Style::GenXIr];
    TokenKind: [TokenKind::Comment, TokenKind::Directive, TokenKind::Mnemonic, TokenKind::Word, TokenKind::Type];
    Version: formats::all().iter().map(|format| format.version).collect::<Vec<_>>();
    &'static Rule: rules().collect::<Vec<_>>();
}

impl Odd for Id {
    fn odd(o: &mut Draw) -> Id {
        Id { class: o.any(), number: o.any() }
    }
}

impl Odd for PathSegment {
    fn odd(o: &mut Draw) -> PathSegment {
        match o.rng.below(4) {
            0 => PathSegment::Field(o.any()),
            1 => PathSegment::Entry { table: o.any(), index: o.any() },
            2 => PathSegment::Instruction { index: o.any(), mnemonic: o.any() },
            _ => PathSegment::Routine { kind: RoutineKind::Kernel, name: o.any::<&str>().into() },
        }
    }
}

impl Odd for ErrorKind {
    fn odd(o: &mut Draw) -> ErrorKind {
        ErrorKind::UnknownOpcode { opcode: o.any() }
    }
}

impl Odd for Instruction {
    fn odd(o: &mut Draw) -> Instruction {
        thread_local! {
            static STRATEGIES: Vec<BoxedStrategy<Instruction>> = formats::all()
                .into_iter()
                .flat_map(|format| strategy::rows(format).into_iter().map(|(_, strategy)| strategy))
                .collect();
        }
        STRATEGIES.with(|all| {
            let strategy = &all[o.rng.below(all.len())];
            strategy.new_tree(&mut o.runner).expect("an instruction").current()
        })
    }
}

/// Modules of texts, and modules whose public fields have been set to anything.
static MODULES: LazyLock<Vec<Module<'static>>> = LazyLock::new(|| {
    let mut modules = Vec::new();
    for name in ["collatz", "dot", "illegal", "plain", "undefined"] {
        let source = fs::read(repository(&format!("tests/data/{name}.visaasm"))).expect("a text");
        modules.push(text::parse(&source, text::format_of(&source)).expect("a correct text"));
    }
    let mut o = Draw::new();
    for number in 0..100 {
        o.rng = Rng::new(number, 1);
        let format = o.any();
        modules.push(hand_built::module(&mut o.rng, &mut o.runner, format));
    }
    modules
});

impl Odd for &'static Module<'static> {
    fn odd(o: &mut Draw) -> &'static Module<'static> {
        let count = if o.rng.one_in(4) { 5 } else { MODULES.len() };
        &MODULES[o.rng.below(count)]
    }
}

impl Odd for Module<'static> {
    fn odd(o: &mut Draw) -> Module<'static> {
        o.any::<&Module<'_>>().clone()
    }
}

impl Odd for Routine<'static, 'static> {
    fn odd(o: &mut Draw) -> Routine<'static, 'static> {
        loop {
            let routines: Vec<_> = o.any::<&Module<'_>>().routines().collect();
            if !routines.is_empty() {
                return routines[o.rng.below(routines.len())];
            }
        }
    }
}
