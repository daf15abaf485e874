//! Types of declarations and expressions, where they are certain.

use alloc::borrow::Cow;
use alloc::boxed::Box;
use alloc::vec::Vec;

use super::declarations::{Attribute, CType, Declared};
use super::reader::{MAX_DEPTH, Reader};
use super::value;
use crate::source::cpp::lexer::{Kind, Token};
use crate::ty::{AddressSpace, from_c_words};

/// The part of a declaration before its names.
struct Specifiers {
    ty: Option<CType>,
    /// Whether the type is `void`.
    is_void: bool,
    space: Option<AddressSpace>,
    is_typedef: bool,
    is_auto: bool,
    next: usize,
}

impl<'e> Reader<'_, 'e, '_> {
    /// Reads `__attribute__((..))`, `[[..]]` or `alignas(..)`. Returns the index after it.
    fn attribute(&self, at: usize, vector: &mut Option<Attribute>) -> Option<usize> {
        if self.is(at, b'[') && self.is(at + 1, b'[') {
            return Some(self.after_group(at));
        }
        let word = self.word(at)?;
        if !matches!(&*word, "__attribute__" | "__attribute" | "alignas" | "__declspec")
            || !self.is(at + 1, b'(')
        {
            return None;
        }
        let end = self.after_group(at + 1);
        for index in at + 2..end {
            let number = || {
                let token = self.tokens.get(index + 2)?;
                value::evaluate(&self.of(core::slice::from_ref(token)))?.bits().try_into().ok()
            };
            match self.word(index).as_deref() {
                Some("ext_vector_type" | "__ext_vector_type__") => {
                    *vector = number().map(Attribute::Components);
                }
                Some("vector_size" | "__vector_size__") => {
                    *vector = number().map(Attribute::Bytes);
                }
                _ => {}
            }
        }
        Some(end)
    }

    fn specifiers(&self, start: usize) -> Option<Specifiers> {
        let mut at = start;
        let mut space = None;
        let mut is_typedef = false;
        let mut words: Vec<Cow<'_, str>> = Vec::new();
        // A name that is not a word of the language, and whether its type is unknown.
        let mut name: Option<Cow<'_, str>> = None;
        let mut is_opaque = false;
        // The type that the name denotes with its template arguments.
        let mut instance = None;
        let mut vector = None;
        loop {
            if let Some(next) = self.attribute(at, &mut vector) {
                at = next;
                continue;
            }
            let Some(word) = self.word(at) else {
                let is_global = self.is(at, b':') && self.is(at + 1, b':');
                if is_global && words.is_empty() && name.is_none() && self.word(at + 2).is_some() {
                    at += 2;
                    continue;
                }
                break;
            };
            match &*word {
                "const" | "volatile" | "static" | "register" | "extern" | "inline"
                | "constexpr" | "constinit" | "thread_local" | "mutable" | "restrict"
                | "__restrict" | "typename" | "__inline" | "__inline__" | "__const"
                | "__volatile__" | "kernel" | "__kernel" | "virtual" | "friend" | "explicit"
                | "__extension__" => {}
                "typedef" => is_typedef = true,
                _ if AddressSpace::from_keyword(&word).is_some() => {
                    space = AddressSpace::from_keyword(&word);
                }
                "return" | "else" | "goto" | "break" | "continue" | "case" | "default"
                | "using" | "namespace" | "template" | "delete" | "throw" | "new" | "if"
                | "for" | "while" | "do" | "switch" | "asm" | "public" | "private"
                | "protected" | "sizeof" | "operator" | "static_assert" | "try" | "catch"
                | "this" => return None,
                "unsigned" | "signed" | "long" | "short" | "int" | "char" | "double"
                    if name.is_none() && !is_opaque =>
                {
                    words.push(word);
                }
                _ if !words.is_empty() || name.is_some() => break,
                // The name follows, perhaps with a definition.
                "struct" | "class" | "union" if !is_opaque && !self.is(at + 2, b'{') => {}
                "struct" | "class" | "union" | "enum" if !is_opaque => is_opaque = true,
                "decltype" | "__typeof__" | "typeof" if self.is(at + 1, b'(') => {
                    is_opaque = true;
                    name = Some(word);
                    at = self.after_group(at + 1);
                    continue;
                }
                _ => {
                    let mut full = word;
                    loop {
                        if self.is(at + 1, b'<') {
                            is_opaque = true;
                            let end = self.after_angles(at + 1)?;
                            instance = self.instance(&full, &self.tokens[at + 2..end - 1]);
                            at = end - 1;
                        }
                        let is_qualified = self.is(at + 1, b':') && self.is(at + 2, b':');
                        let Some(next) = self.word(at + 3).filter(|_| is_qualified) else { break };
                        full = full + "::" + next;
                        instance = None;
                        at += 3;
                    }
                    name = Some(full);
                }
            }
            at += 1;
        }
        let mut is_void = false;
        let is_auto = name.as_deref() == Some("auto");
        let mut ty = match &name {
            None if words.is_empty() => return None,
            _ if instance.is_some() => instance,
            _ if is_opaque => None,
            Some(name) => match self.declarations.typedefs.get(name.as_bytes()) {
                Some(known) => known.cloned(),
                None => {
                    is_void = name == "void";
                    from_c_words(&[name]).map(CType::Value)
                }
            },
            None => {
                let words: Vec<&str> = words.iter().map(|word| &**word).collect();
                from_c_words(&words).map(CType::Value)
            }
        };
        if let Some(vector) = vector {
            ty = ty.and_then(|ty| ty.with_components(&vector));
        }
        Some(Specifiers { ty, is_void, space, is_typedef, is_auto, next: at })
    }

    /// Returns the type that a template denotes with its arguments.
    fn instance(&self, name: &str, arguments: &[Token]) -> Option<CType> {
        let mut values: Vec<&[Token]> = Vec::new();
        let mut rest = arguments;
        loop {
            let end = self.of(rest).next_comma();
            values.push(&rest[..end]);
            let Some(next) = rest.get(end + 1..) else { break };
            rest = next;
        }
        if self.depth == MAX_DEPTH {
            return None;
        }
        if let Some(record) = self.declarations.templates.get(name.as_bytes()) {
            let record = record.as_ref()?;
            let values = values.iter().map(|value| value.to_vec()).collect();
            return Some(CType::Record(record.clone(), values));
        }
        let Some(alias) = self.declarations.aliases.get(name.as_bytes()) else {
            return self.known_class(name, &values);
        };
        let alias = alias.as_ref().filter(|alias| values.len() == alias.parameters.len())?;
        let tokens = self.substituted(&alias.tokens, &alias.parameters, &values)?;
        Reader { depth: self.depth + 1, ..self.of(&tokens) }.type_name()
    }

    /// Returns the index of the first comma outside of brackets, or the number of tokens.
    fn next_comma(&self) -> usize {
        let mut at = 0;
        while at < self.tokens.len() {
            at = match self.tokens[at].kind {
                Kind::Punctuation(b',') => return at,
                Kind::Punctuation(b'(' | b'[' | b'{') => self.after_group(at),
                Kind::Punctuation(b'<') => self.after_angles(at).unwrap_or(at + 1),
                _ => at + 1,
            };
        }
        self.tokens.len()
    }

    /// Reads the `*` and `&` before a name. Returns the type with them and the index of the name.
    fn pointers(&self, specifiers: &Specifiers) -> (Option<CType>, usize) {
        let mut at = specifiers.next;
        let mut ty = specifiers.ty.clone();
        let mut space = specifiers.space;
        let mut is_known = ty.is_some() || specifiers.is_void || space.is_some();
        let mut depth = 0;
        loop {
            if self.is(at, b'*') {
                depth += 1;
                let pointee = ty.take().map(Box::new);
                let target = space.take().unwrap_or(AddressSpace::Generic);
                ty = (is_known && depth <= MAX_DEPTH).then_some(CType::Pointer(target, pointee));
                is_known = ty.is_some();
            } else if self.is(at, b'&') {
                // A reference is its value.
            } else {
                match self.word(at).as_deref() {
                    Some("const" | "volatile" | "restrict" | "__restrict" | "__restrict__") => {}
                    Some(word) if AddressSpace::from_keyword(word).is_some() => {
                        space = AddressSpace::from_keyword(word);
                    }
                    _ => return (ty, at),
                }
            }
            at += 1;
        }
    }

    /// Reads a name with its array bounds and initializer.
    fn declarator(&self, specifiers: &Specifiers, declared: &mut Declared) -> Option<usize> {
        let (mut ty, mut at) = self.pointers(specifiers);
        if self.is(at, b'[') {
            if !specifiers.is_auto {
                // An assignment to an element.
                return None;
            }
            // A structured binding.
            let end = self.after_group(at);
            for token in &self.tokens[at..end] {
                if token.kind == Kind::Identifier {
                    declared.names.push((self.expander.text(token).into_owned(), None));
                }
            }
            return None;
        }
        let name = self.tokens.get(at).filter(|token| token.kind == Kind::Identifier)?;
        let name = self.expander.text(name).into_owned();
        at += 1;
        if specifiers.is_auto && self.is(at, b'=') {
            let rest = &self.tokens[at + 1..];
            let value = &rest[..self.of(rest).next_comma()];
            ty = Reader { depth: self.depth + 1, ..self.of(value) }.expression(self.depth + 1);
            // An array becomes a pointer, unless the name is a reference.
            if let (Some(CType::Array(element)), false) = (&ty, self.is(at - 2, b'&')) {
                ty = Some(CType::Pointer(AddressSpace::Generic, Some(element.clone())));
            }
        }
        let mut vector = None;
        let mut arrays = 0;
        loop {
            if let Some(next) = self.attribute(at, &mut vector) {
                at = next;
            } else if self.is(at, b'[') {
                arrays += 1;
                at = self.after_group(at);
            } else {
                break;
            }
        }
        if let Some(vector) = vector {
            ty = ty.and_then(|ty| ty.with_components(&vector));
        }
        for _ in 0..arrays {
            ty = ty.filter(|_| arrays <= MAX_DEPTH).map(|ty| CType::Array(Box::new(ty)));
        }
        let next = self.tokens.get(at).map(|token| token.kind);
        match next {
            None | Some(Kind::Punctuation(b'=' | b';' | b',' | b'(' | b'{' | b':' | b')')) => {}
            _ => return None,
        }
        declared.names.push((name, ty));
        Some(at)
    }

    /// Reads a declaration at the start of a statement. A declared name of unknown type counts.
    pub(super) fn declaration(&self) -> Option<Declared> {
        let first = self.specifiers(0)?;
        let mut declared = Declared { is_typedef: first.is_typedef, ..Declared::default() };
        let mut specifiers = first;
        while let Some(mut at) = self.declarator(&specifiers, &mut declared) {
            let mut has_angle = false;
            loop {
                match self.tokens.get(at).map(|token| token.kind) {
                    Some(Kind::Punctuation(b'(' | b'[' | b'{')) => at = self.after_group(at),
                    Some(Kind::Punctuation(b',')) if !has_angle => break,
                    None | Some(Kind::Punctuation(b';' | b')' | b'}' | b',')) => {
                        return Some(declared);
                    }
                    Some(kind) => {
                        // The comma may be one of template arguments.
                        has_angle |= kind == Kind::Punctuation(b'<');
                        at += 1;
                    }
                }
            }
            specifiers.next = at + 1;
        }
        (!declared.names.is_empty()).then_some(declared)
    }

    /// Reads the parameters of a function.
    pub(super) fn parameters(&self) -> Declared {
        let mut declared = Declared::default();
        let mut at = 0;
        while at < self.tokens.len() {
            if let Some(specifiers) = self.specifiers(at) {
                at = specifiers.next;
                self.declarator(&specifiers, &mut declared);
            }
            while at < self.tokens.len() && !self.is(at, b',') {
                match self.tokens[at].kind {
                    Kind::Punctuation(b'(' | b'[' | b'{') => at = self.after_group(at),
                    _ => at += 1,
                }
            }
            at += 1;
        }
        // An array parameter is a pointer.
        for (_, ty) in &mut declared.names {
            if let Some(CType::Array(element)) = ty {
                *ty = Some(CType::Pointer(AddressSpace::Generic, Some(element.clone())));
            }
        }
        declared
    }

    /// Reads the name of a type, as in a cast, which must take up all tokens.
    pub(super) fn type_name(&self) -> Option<CType> {
        let specifiers = self.specifiers(0)?;
        let (ty, end) = self.pointers(&specifiers);
        if end == self.tokens.len() { ty } else { None }
    }
}
