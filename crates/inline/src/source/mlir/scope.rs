//! The attributes of functions and modules.

use alloc::sync::Arc;
use alloc::vec::Vec;

use crate::source::constraints;
use crate::source::evidence::Target;
use crate::source::llvm::is_vc_attribute;
use crate::source::tokens::{Kind, Lexer, Syntax, Token};
use crate::statement::{Lanes, Path};

/// A function or a module.
#[derive(Default)]
pub(super) struct Scope {
    pub name: Option<Arc<str>>,
    pub is_function: bool,
    /// The index of the scope that contains it.
    pub parent: Option<usize>,
    is_vc: bool,
    target: Target,
    /// The number of lanes.
    lanes: Option<u32>,
}

/// What is known about the operations of a scope.
#[derive(Clone, Default)]
pub(super) struct Facts {
    pub function: Option<Arc<str>>,
    pub lanes: Option<Lanes>,
    pub path: Option<Path>,
    pub target: Target,
}

/// Returns whether an operation is a function or a module, and whether it is a function.
pub(super) fn is_scope(operation: &[u8]) -> Option<bool> {
    match last_component(operation) {
        b"func" => Some(true),
        b"module" => Some(false),
        _ => None,
    }
}

/// Returns a name without its dialect.
fn last_component(name: &[u8]) -> &[u8] {
    name.rsplit(|byte| *byte == b'.').next().unwrap_or_default()
}

impl Scope {
    pub fn new(is_function: bool, parent: Option<usize>) -> Scope {
        Scope { is_function, parent, ..Scope::default() }
    }

    /// Reads the attribute that a token begins, if it is known. The lexer is after the token.
    pub fn read_attribute(&mut self, lexer: &Lexer<'_>, token: &Token) {
        match token.kind {
            Kind::Symbol if self.name.is_none() => self.set_name(&lexer.bytes(token)[1..]),
            Kind::Hash if lexer.bytes(token) == b"#xevm.target" => {
                self.target = Target::Visa;
            }
            Kind::String | Kind::Word => {
                self.is_vc |= is_vc_attribute(lexer.bytes(token));
                self.read_named_attribute(lexer.clone(), lexer.text(token));
            }
            _ => {}
        }
    }

    fn read_named_attribute(&mut self, mut lexer: Lexer<'_>, full_name: &[u8]) {
        let name = last_component(full_name);
        // Calling conventions have no value.
        if matches!(name, b"spir_kernelcc" | b"spir_funccc") {
            self.target = Target::Visa;
        }
        if !lexer.skip_punctuation(b'=') {
            return;
        }
        match name {
            b"intel_reqd_sub_group_size" | b"threads-per-warp" => {
                lexer.skip_punctuation(b'[');
                let word = lexer.next().map(|token| lexer.bytes(&token)).unwrap_or_default();
                let number = core::str::from_utf8(word).unwrap_or_default().parse();
                self.lanes = self.lanes.or(number.ok());
            }
            b"target_triple" => {
                let triple = lexer.skip_kind(Kind::String);
                let target = triple.map(|it| Target::of_triple(lexer.text(&it)));
                self.target = target.unwrap_or(self.target);
            }
            // Triton writes `ttg.target = "xpu"`, `"cuda:90"` or `"hip:gfx942"`.
            b"target" if full_name == b"ttg.target" => {
                if let Some(target) = lexer.skip_kind(Kind::String) {
                    let is_xpu = lexer.text(&target).starts_with(b"xpu");
                    self.target = if is_xpu { Target::Visa } else { Target::Other };
                }
            }
            b"sym_name" => {
                if let Some(name) = lexer.skip_kind(Kind::String) {
                    self.set_name(lexer.bytes(&name));
                }
            }
            _ => {}
        }
    }

    /// Sets the name, which may be in quotes.
    fn set_name(&mut self, name: &[u8]) {
        self.name = Some(match name {
            [b'"', quoted @ .., b'"'] => {
                let bytes: Vec<u8> =
                    Syntax::Mlir.unescape(quoted, 0).map(|(byte, _)| byte).collect();
                constraints::text(&bytes).into()
            }
            _ => constraints::text(name).into(),
        });
    }
}

/// Returns what holds in each scope. What it states has precedence over what those around it state.
pub(super) fn facts(scopes: &[Scope]) -> Vec<Facts> {
    let mut all: Vec<Facts> = Vec::with_capacity(scopes.len());
    for scope in scopes {
        let mut facts = scope.parent.map(|parent| all[parent].clone()).unwrap_or_default();
        if scope.is_function {
            facts.function.clone_from(&scope.name);
        }
        if let Some(lanes) = scope.lanes {
            facts.lanes = Lanes::from_count(lanes);
        }
        if scope.is_vc {
            facts.path = Some(Path::Vc);
        }
        facts.target = scope.target.or(facts.target);
        all.push(facts);
    }
    all
}
