//! The functions and lambdas that contain a statement, with their attributes and declarations.

mod declare;

use alloc::borrow::Cow;
use alloc::sync::Arc;
use alloc::vec;
use alloc::vec::Vec;

use super::declarations::{Declarations, Record, Variables};
use super::head::{Head, classify, lanes, record_name, template_parameters};
use super::reader::Reader;
use super::{uniformity, value};
use crate::source::cpp::expansion::Expander;
use crate::source::cpp::lexer::{Kind, Token};
use crate::source::evidence::Target;
use crate::statement::{Lanes, Path};
use declare::Ended;

/// The kind of the contents of a brace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Scope {
    /// The file or a namespace.
    Namespace,
    Type,
    /// The body of a function or a lambda.
    Function,
    Other,
}

/// An open bracket.
#[derive(Clone, Copy, Debug)]
struct Open {
    byte: u8,
    /// The kind of the innermost brace: this one, or the one around a parenthesis.
    scope: Scope,
    /// Whether no function, type or parenthesis contains its contents.
    is_file_scope: bool,
    /// The index of the first token of the current statement in it.
    statement: usize,
    /// Whether it is the parenthesis of `if`, `for` and so on.
    is_control: bool,
    /// The number of names of the namespaces around it.
    namespaces: usize,
    /// Its number in the file.
    index: u32,
}

/// A function or a lambda.
#[derive(Debug)]
struct Function {
    /// The name. A lambda has the name of the function that contains it.
    name: Option<Arc<str>>,
    /// The number of lanes that its attributes, or the attributes of the functions around it, require.
    lanes: Option<Lanes>,
    /// Whether only Intel GPUs have the number of lanes that an attribute requires.
    is_for_visa: bool,
    /// Whether it or a function around it is for the vector compiler.
    is_vc: bool,
    /// Whether it or a function around it is CM.
    is_cm: bool,
    /// Its number in the file.
    index: u32,
}

/// The scopes at a token.
pub(super) struct Scopes {
    open: Vec<Open>,
    functions: Vec<Function>,
    pub(super) declarations: Declarations,
    /// For each open preprocessor conditional, the number of brackets at its start.
    conditionals: Vec<usize>,
    /// The last token.
    previous: Option<Token>,
    /// Whether the last token is `.` or `->`.
    is_member: bool,
    /// Whether the last token is the parenthesis after `if (..`, `for (..` and so on.
    after_control: bool,
    /// The number of tokens of declarations that may still be read. The limit keeps the time
    /// linear.
    budget: usize,
    /// Whether all brackets match, so that the scopes are certain.
    is_balanced: bool,
    /// The number of brackets before the current token.
    bracket_count: u32,
    /// The names of the namespaces around the current token.
    namespaces: Vec<Vec<u8>>,
    /// The number of functions and lambdas before the current token.
    function_count: u32,
    /// Whether one of them is a kernel of OpenCL C.
    pub(super) has_kernel: bool,
    /// The structure whose brace was the last token.
    ended: Option<Ended>,
}

/// The attributes and macros of ESIMD functions.
const ESIMD: [&[u8]; 3] = [b"SYCL_ESIMD_KERNEL", b"SYCL_ESIMD_FUNCTION", b"sycl_explicit_simd"];

/// The macros of CM functions.
const CM: [&[u8]; 2] = [b"_GENX_", b"_GENX_MAIN_"];

/// The maximum number of tokens before a brace that are read.
const MAX_HEAD: usize = 1024;

/// The maximum number of nested functions whose declarations are read.
const MAX_FUNCTIONS: usize = 64;

impl Scopes {
    pub(super) fn new(budget: usize) -> Scopes {
        let file = Open {
            byte: b'{',
            scope: Scope::Namespace,
            is_file_scope: true,
            statement: 0,
            is_control: false,
            namespaces: 0,
            index: 0,
        };
        Scopes {
            open: vec![file],
            functions: Vec::new(),
            declarations: Declarations::default(),
            conditionals: Vec::new(),
            previous: None,
            is_member: false,
            after_control: false,
            budget,
            is_balanced: true,
            bracket_count: 0,
            namespaces: Vec::new(),
            function_count: 0,
            has_kernel: false,
            ended: None,
        }
    }

    /// Returns the name of the function.
    pub(super) fn function(&self) -> Option<Arc<str>> {
        self.functions.last()?.name.clone()
    }

    /// Returns the number of the function in the file.
    pub(super) fn function_index(&self) -> Option<u32> {
        Some(self.functions.last()?.index)
    }

    /// Returns the number of the brace around a statement, unless the statement is a part of another
    /// one, such as `if`.
    pub(super) fn sequence(&self, start: usize) -> Option<u32> {
        let open = self.open.last().filter(|open| open.byte == b'{')?;
        (open.statement == start && !self.after_control).then_some(open.index)
    }

    /// Returns whether the file has functions.
    pub(super) fn has_functions(&self) -> bool {
        self.function_count > 0
    }

    /// Returns the number of lanes that the innermost attribute requires.
    pub(super) fn lanes(&self) -> Option<Lanes> {
        self.functions.last()?.lanes
    }

    /// Returns whether it is certain that no function contains the token.
    pub(super) fn is_file_scope(&self) -> bool {
        self.is_balanced && self.open.last().is_none_or(|open| open.is_file_scope)
    }

    /// Returns the part of the compiler that the attributes of the functions choose.
    pub(super) fn path(&self) -> Option<Path> {
        self.functions.last().is_some_and(|function| function.is_vc).then_some(Path::Vc)
    }

    /// Returns the machine that the attributes of the functions tell.
    pub(super) fn target(&self) -> Target {
        match self.functions.last().is_some_and(|function| function.is_for_visa) {
            true => Target::Visa,
            false => Target::Unknown,
        }
    }

    /// Returns whether the functions are CM.
    pub(super) fn is_cm(&self) -> bool {
        self.functions.last().is_some_and(|function| function.is_cm)
    }

    /// Returns whether the last token can end a declarator, which `asm("name")` may follow.
    pub(super) fn is_after_declarator(&self, expander: &Expander<'_>) -> bool {
        let Some(previous) = &self.previous else { return false };
        match previous.kind {
            Kind::Identifier => {
                let text = expander.text(previous);
                !matches!(&*text, b"else" | b"do" | b"return" | b"__extension__")
            }
            Kind::Punctuation(b')' | b']') => !self.after_control,
            _ => false,
        }
    }

    /// Returns whether the last token is `.` or `->`.
    pub(super) fn is_after_member_operator(&self) -> bool {
        self.is_member
    }

    /// Records the end of an inline assembly statement or another part that was skipped.
    pub(super) fn skip(&mut self, last: Option<Token>) {
        self.previous = last;
        self.after_control = false;
        self.is_member = false;
    }

    pub(super) fn begin_conditional(&mut self) {
        self.conditionals.push(self.open.len());
    }

    /// Closes the brackets that the last branch has opened.
    pub(super) fn next_branch(&mut self) {
        if let Some(&count) = self.conditionals.last() {
            self.is_balanced &= self.open.len() >= count;
            while self.open.len() > count {
                self.pop();
            }
        }
    }

    pub(super) fn end_conditional(&mut self) {
        self.conditionals.pop();
    }

    fn pop(&mut self) {
        if self.open.len() == 1 {
            return;
        }
        let Some(open) = self.open.pop() else { return };
        self.namespaces.truncate(open.namespaces);
        if open.byte == b'{' && open.scope == Scope::Type {
            self.end_record();
        }
        if open.byte == b'{' && open.scope == Scope::Function {
            self.functions.pop();
            self.declarations.functions.truncate(self.functions.len());
        }
    }

    /// Proceeds to a token.
    pub(super) fn step(&mut self, expander: &Expander<'_>, tokens: &[Token], index: usize) {
        let token = tokens[index];
        let Some(&top) = self.open.last() else { return };
        self.declare_ended(expander, &tokens[index..]);
        if index == top.statement && (top.byte == b'{' || top.is_control) {
            self.declare(expander, &tokens[index..]);
        }
        self.after_control = false;
        self.assign(expander, tokens, index);
        match token.kind {
            Kind::Punctuation(b'{') => {
                let namespaces = self.namespaces.len();
                let scope = self.enter(expander, &tokens[top.statement..index]);
                self.push(b'{', scope, index + 1, false);
                if let Some(open) = self.open.last_mut() {
                    open.namespaces = namespaces;
                }
            }
            Kind::Punctuation(byte @ (b'(' | b'[')) => {
                let control = |token: &Token| {
                    let text = expander.text(token);
                    matches!(
                        &*text,
                        b"if" | b"for" | b"while" | b"switch" | b"catch" | b"constexpr"
                    )
                };
                let is_control = byte == b'(' && self.previous.as_ref().is_some_and(control);
                self.push(byte, top.scope, index + 1, is_control);
            }
            Kind::Punctuation(byte @ (b')' | b']')) => {
                let opening = if byte == b')' { b'(' } else { b'[' };
                if top.byte == opening && self.open.len() > 1 {
                    self.pop();
                    if top.is_control {
                        self.after_control = true;
                        self.begin_statement(index + 1);
                    }
                }
            }
            Kind::Punctuation(b'}') => {
                while self.open.last().is_some_and(|open| open.byte != b'{') {
                    self.pop();
                }
                self.is_balanced &= self.open.len() > 1;
                self.pop();
                let in_braces = self.open.last().is_some_and(|open| open.byte == b'{');
                if in_braces {
                    self.begin_statement(index + 1);
                }
            }
            Kind::Punctuation(b';') => self.begin_statement(index + 1),
            Kind::Punctuation(b',') if top.byte == b'(' && !top.is_control => {
                self.begin_statement(index + 1);
            }
            Kind::Punctuation(b':') if top.byte == b'{' => {
                let statement = &tokens[top.statement..index];
                let is_label = match statement {
                    [label] => label.kind == Kind::Identifier,
                    [first, ..] => {
                        expander.is_word(first, "case") || expander.is_word(first, "default")
                    }
                    [] => false,
                };
                if is_label {
                    self.begin_statement(index + 1);
                }
            }
            _ => {}
        }
        let is_arrow = token.is(b'>') && self.previous.is_some_and(|previous| previous.is(b'-'));
        self.is_member = token.is(b'.') || is_arrow;
        self.previous = Some(token);
    }

    /// Records the assignment that a token may be a part of.
    fn assign(&mut self, expander: &Expander<'_>, tokens: &[Token], index: usize) {
        let Some(previous) = self.previous.filter(|_| !self.functions.is_empty()) else { return };
        let token = &tokens[index];
        let is_address = token.kind == Kind::Identifier && previous.is(b'&');
        if is_address {
            self.declarations.assign(&expander.text(token), false);
        }
        if !token.is(b'=') {
            return;
        }
        let assigned =
            Reader::new(expander, &self.declarations, uniformity::expression(&tokens[index + 1..]));
        let target = match previous.kind {
            Kind::Identifier => Some(previous),
            // The sum with a constant differs between lanes if the value does.
            Kind::Punctuation(b'+' | b'-') if value::evaluate(&assigned).is_some() => return,
            // The first token of a compound assignment.
            _ => index.checked_sub(2).and_then(|at| tokens.get(at).copied()),
        };
        let Some(target) = target.filter(|target| target.kind == Kind::Identifier) else { return };
        let is_varying = previous.kind == Kind::Identifier && assigned.is_varying();
        self.declarations.assign(&expander.text(&target), is_varying);
    }

    /// Proceeds past a directive.
    pub(super) fn directive(&mut self, index: usize) {
        if let Some(open) = self.open.last_mut() {
            if open.statement == index {
                open.statement = index + 1;
            }
        }
    }

    fn begin_statement(&mut self, index: usize) {
        if let Some(open) = self.open.last_mut() {
            open.statement = index;
        }
    }

    fn push(&mut self, byte: u8, scope: Scope, statement: usize, is_control: bool) {
        let is_around = self.open.last().is_none_or(|open| open.is_file_scope);
        let is_file_scope = is_around && byte == b'{' && scope == Scope::Namespace;
        let namespaces = self.namespaces.len();
        self.bracket_count += 1;
        self.open.push(Open {
            byte,
            scope,
            is_file_scope,
            statement,
            is_control,
            namespaces,
            index: self.bracket_count,
        });
    }

    /// Reads the text before a brace.
    fn enter(&mut self, expander: &Expander<'_>, head: &[Token]) -> Scope {
        let head = &head[head.len().saturating_sub(MAX_HEAD)..];
        let head = without_directives(head);
        let braces = self.open.last().map(|open| open.scope);
        let in_declarations = matches!(braces, Some(Scope::Namespace | Scope::Type));
        let reader = Reader::new(expander, &self.declarations, &head);
        for name in template_parameters(&reader) {
            // Another declaration may have the same name; it is then unknown, too.
            self.declarations.typedefs.add(&name, None);
            self.declarations.constants.add(&name, None);
        }
        let reader = Reader::new(expander, &self.declarations, &head);
        let (name, parameters) = match classify(expander, &reader, in_declarations) {
            Head::Function { name, parameters } => (name, parameters),
            Head::Namespace(names) => {
                self.namespaces.extend(names);
                return Scope::Namespace;
            }
            Head::Type => {
                let parameters = template_parameters(&reader);
                let record = Record::new(parameters);
                let name = record_name(&reader);
                self.declarations.records.push((name, record));
                return Scope::Type;
            }
            Head::Other => return Scope::Other,
        };
        let around = self.functions.last();
        let lanes = match lanes(expander, &reader).split_first() {
            Some((first, rest)) => first.filter(|_| rest.iter().all(|other| other == first)),
            None => around.and_then(|around| around.lanes),
        };
        let name = name.map(Arc::from).or_else(|| around?.name.clone());
        let mut names = Variables::default();
        for (name, ty) in reader.of(head.get(parameters).unwrap_or_default()).parameters().names {
            names.add(&name, ty);
        }
        let has = |words: &[&[u8]]| {
            let is_one = |token: &Token| words.contains(&&*expander.text(token));
            head.iter().any(|token| token.kind == Kind::Identifier && is_one(token))
        };
        let is_for_visa = has(&[b"intel_reqd_sub_group_size"])
            || matches!(lanes, Some(Lanes::L8 | Lanes::L16))
            || around.is_some_and(|around| around.is_for_visa);
        let is_cm = has(&CM) || around.is_some_and(|around| around.is_cm);
        let is_vc = is_cm || has(&ESIMD) || around.is_some_and(|around| around.is_vc);
        let is_kernel = |token: &Token| matches!(&*expander.text(token), b"kernel" | b"__kernel");
        let is_kernel = head.iter().any(is_kernel);
        self.has_kernel |= is_kernel;
        names.has_any_group_size = is_kernel && !has(&[b"reqd_work_group_size"]);
        let index = self.function_count;
        self.function_count += 1;
        self.functions.push(Function { name, lanes, is_for_visa, is_vc, is_cm, index });
        if self.declarations.functions.len() < MAX_FUNCTIONS {
            self.declarations.functions.push(names);
        }
        Scope::Function
    }
}

/// Returns the tokens that are not directives.
fn without_directives(tokens: &[Token]) -> Cow<'_, [Token]> {
    let is_code = |token: &&Token| !matches!(token.kind, Kind::Directive(_));
    match tokens.iter().all(|token| is_code(&token)) {
        true => tokens.into(),
        false => tokens.iter().filter(is_code).copied().collect(),
    }
}
