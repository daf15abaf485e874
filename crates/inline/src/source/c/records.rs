//! Structures and classes, and the types of their members.

use alloc::vec::Vec;

use super::declarations::{CType, Record};
use super::reader::{MAX_DECLARATION, MAX_DEPTH, Reader};
use crate::source::cpp::lexer::{Kind, Token};
use crate::ty::{Element, Type};

/// Classes of SYCL and C++ with a subscript that returns their first template argument.
const WITH_SUBSCRIPT: [&str; 13] = [
    "accessor",
    "local_accessor",
    "host_accessor",
    "buffer",
    "multi_ptr",
    "global_ptr",
    "local_ptr",
    "private_ptr",
    "marray",
    "array",
    "span",
    "vec",
    "vector",
];

/// Classes with a number of dimensions after the element type. With more than one, the type of a subscript
/// depends on its own.
const WITH_DIMENSIONS: [&str; 4] = ["accessor", "local_accessor", "host_accessor", "buffer"];

/// Functions of these classes that return an object with the same elements.
const WITH_SAME_ELEMENTS: [&str; 9] = [
    "get_access",
    "get_host_access",
    "get_pointer",
    "get_multi_ptr",
    "get",
    "get_raw",
    "get_decorated",
    "data",
    "begin",
];

/// Returns the type of a function call that does not depend on its arguments, except on the number of a
/// dimension.
fn result(name: &str, has_argument: bool, is_member: bool) -> Option<CType> {
    let element = match name {
        "get_global_id" | "get_local_id" if has_argument => Element::I64,
        // OpenCL C.
        "get_global_size" | "get_local_size" | "get_group_id" | "get_num_groups"
            if has_argument && !is_member =>
        {
            Element::I64
        }
        // SYCL.
        "get_global_range" | "get_local_range" | "get_group" | "get_group_range"
            if has_argument && is_member =>
        {
            Element::I64
        }
        "get_global_linear_id" => Element::I64,
        "get_local_linear_id" if !is_member => Element::I64,
        "get_sub_group_local_id"
        | "get_sub_group_id"
        | "get_sub_group_size"
        | "get_max_sub_group_size"
        | "get_num_sub_groups"
        | "get_enqueued_num_sub_groups"
            if !is_member =>
        {
            Element::I32
        }
        _ => return None,
    };
    Some(CType::scalar(element))
}

impl Reader<'_, '_, '_> {
    /// Returns the type of an instance of a class template that is not of the file.
    pub(super) fn known_class(&self, name: &str, arguments: &[&[Token]]) -> Option<CType> {
        let base = name.rsplit("::").next().unwrap_or(name);
        let is_qualified = name.contains("sycl::") || name.contains("std::");
        // Other libraries have types with common names.
        let is_distinct = base.contains('_') || base == "accessor";
        if !WITH_SUBSCRIPT.contains(&base) || !(is_qualified || is_distinct) {
            return None;
        }
        if WITH_DIMENSIONS.contains(&base) {
            let dimensions =
                arguments.get(1).map(|argument| super::value::evaluate(&self.of(argument)));
            let dimensions = dimensions.map(|value| value.and_then(super::value::Constant::signed));
            if dimensions.is_some_and(|count| count != Some(1)) {
                return None;
            }
        }
        let element = self.of(arguments.first()?).type_name()?;
        Some(CType::Elements(element.into()))
    }

    /// Returns the type of a variable, or of a member of an enclosing class.
    pub(super) fn variable(&self, name: &str) -> Option<CType> {
        if self.declarations.is_variable(name.as_bytes()) {
            return self.declarations.variable(name.as_bytes());
        }
        self.member_of_this(name)
    }

    /// Returns the type of a member of an enclosing class.
    pub(super) fn member_of_this(&self, name: &str) -> Option<CType> {
        let records = self.declarations.records.iter().rev();
        records.into_iter().find_map(|(_, record)| self.member(record, &[], name))
    }

    /// Returns the type of a member of a structure with template arguments.
    pub(super) fn member(
        &self,
        record: &Record,
        arguments: &[Vec<Token>],
        name: &str,
    ) -> Option<CType> {
        if self.depth == MAX_DEPTH || self.declarations.is_incomplete {
            return None;
        }
        if let Some(ty) = self.nested_member(record, name) {
            return Some(ty);
        }
        let is_name = |token: &Token| {
            token.kind == Kind::Identifier && *self.expander.text(token) == *name.as_bytes()
        };
        let mut found = record.members.iter().filter(|tokens| tokens.iter().any(is_name));
        let (declaration, None) = (found.next()?, found.next()) else { return None };
        let values: Vec<&[Token]> = arguments.iter().map(Vec::as_slice).collect();
        let tokens = self.substituted(declaration, &record.parameters, &values)?;
        let declared = Reader { depth: self.depth + 1, ..self.of(&tokens) }.declaration()?;
        let mut names = declared.names.into_iter();
        names.find(|(declared, _)| **declared == *name.as_bytes())?.1
    }

    /// Returns the type of a member that is defined together with its structure, or is a member of a structure
    /// without a name.
    fn nested_member(&self, record: &Record, name: &str) -> Option<CType> {
        let inner = Reader { depth: self.depth + 1, ..self.of(self.tokens) };
        record.nested.iter().find_map(|(of, nested)| match &**of {
            [] => inner.member(nested, &[], name),
            of if *of == *name.as_bytes() => Some(CType::Record(nested.clone(), Vec::new())),
            _ => None,
        })
    }

    /// Returns tokens in which the arguments of a template replace its parameters.
    pub(super) fn substituted(
        &self,
        tokens: &[Token],
        parameters: &[Vec<u8>],
        arguments: &[&[Token]],
    ) -> Option<Vec<Token>> {
        let mut substituted = Vec::new();
        for token in tokens {
            let text = self.expander.text(token);
            let index = parameters.iter().position(|parameter| **parameter == *text);
            match index.and_then(|index| arguments.get(index)) {
                Some(argument) if token.kind == Kind::Identifier => substituted.extend(*argument),
                _ => substituted.push(*token),
            }
            if substituted.len() > MAX_DECLARATION {
                return None;
            }
        }
        Some(substituted)
    }

    /// Returns the type of the member at an index, after `.` or `->`, and the index after it.
    pub(super) fn selected(&self, ty: &CType, at: usize) -> Option<(CType, usize)> {
        let name = self.word(at)?;
        let mut open = at + 1;
        if self.is(open, b'<') {
            open = self.after_angles(open)?;
        }
        let is_call = self.is(open, b'(');
        let end = if is_call { self.after_group(open) } else { at + 1 };
        let selected = match ty {
            CType::Value(Type { element, components }) if !is_call => {
                let components = selection(&name, *components)?;
                CType::Value(Type { element: *element, components })
            }
            CType::Record(record, arguments) if !is_call => {
                self.member(record, arguments, &name)?
            }
            CType::Elements(element) if is_call => match () {
                () if WITH_SAME_ELEMENTS.contains(&&*name) => ty.clone(),
                () if selection(&name, 16) == Some(1) => (**element).clone(),
                () => return None,
            },
            _ => return None,
        };
        Some((selected, end))
    }

    /// Returns the type of a call that is the whole expression.
    pub(super) fn call(&self, name: &str, open: usize) -> Option<CType> {
        let has_argument = open + 2 < self.tokens.len();
        result(name, has_argument, false)
    }

    /// Returns the type of a call of a member function of an object that is not known.
    pub(super) fn call_of_member(&self) -> Option<CType> {
        let [_, point, name, open, .., close] = self.tokens else { return None };
        if !point.is(b'.')
            || !open.is(b'(')
            || !close.is(b')')
            || self.after_group(3) != self.tokens.len()
        {
            return None;
        }
        result(&self.expander.word(name), self.tokens.len() > 5, true)
    }

    /// Returns the type of a call of a function template such as `sycl::malloc_shared<int>(n, queue)`.
    pub(super) fn call_of_template(&self) -> Option<CType> {
        let angle = self.tokens.iter().position(|token| token.is(b'<'))?;
        let name = self.word(angle.checked_sub(1)?)?;
        let end = self.after_angles(angle)?;
        let is_qualified = self.tokens[..angle - 1]
            .iter()
            .all(|token| token.is(b':') || matches!(&*self.expander.text(token), b"sycl" | b"cl"));
        if !is_qualified
            || !matches!(&*name, "malloc_shared" | "malloc_device" | "malloc_host")
            || !self.is(end, b'(')
            || self.after_group(end) != self.tokens.len()
        {
            return None;
        }
        let element = self.of(&self.tokens[angle + 1..end - 1]).type_name()?;
        Some(CType::Pointer(crate::ty::AddressSpace::Generic, Some(element.into())))
    }
}

/// Returns how many components of a vector a selection such as `xy` or `s3` has.
fn selection(text: &str, of: u32) -> Option<u32> {
    if of < 2 {
        return None;
    }
    if matches!(text, "lo" | "hi" | "even" | "odd") {
        return Some(of.div_ceil(2));
    }
    let count = match text.strip_prefix(['s', 'S']) {
        Some(digits) => {
            let is_valid = |c: char| c.to_digit(16).is_some_and(|digit| digit < of);
            digits.chars().all(is_valid).then_some(digits.len())?
        }
        None => {
            let is_valid = |c: char| "xyzw".find(c).is_some_and(|index| (index as u32) < of);
            text.chars().all(is_valid).then_some(text.len())?
        }
    };
    matches!(count, 1 | 2 | 3 | 4 | 8 | 16).then_some(count as u32)
}
