//! The public functions of a package, derived from its sources, so that a test can require a call of each.
//!
//! These are the functions with parameters, besides `self`, of public modules and of inherent `impl`s of public
//! types. The sources are not expanded: what a macro defines is not in the list, except an `impl` of a type that
//! a macro defines. Implementations and declarations of traits, and functions that documentation hides, are not
//! in it either.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::fs;
use std::path::{Path, PathBuf};

use syn::{
    Attribute, Expr, FnArg, GenericArgument, GenericParam, ImplItem, Item, ItemImpl, Lit, Meta,
    PathArguments, Signature, Type, UseTree, Visibility,
};

use super::repository;

/// A public function.
#[derive(Clone, Debug)]
pub struct Function {
    /// Its shortest path from the root of the package, such as `text::parse` or `Module::edit`.
    pub path: String,
    /// Whether its documentation has a section "Panics".
    pub may_panic: bool,
}

/// Returns the public functions with parameters of the package with these sources, such as `src`, by their paths.
///
/// # Panics
/// Panics if a file cannot be read or parsed.
pub fn public_functions(sources: &str) -> BTreeMap<String, Function> {
    let folder = repository(sources);
    let mut package = Package::default();
    package.read(&folder.join("lib.rs"), &folder, None);
    package.functions()
}

/// The index of a module in its package.
type Id = usize;

/// An item: its module and its name.
type Definition = (Id, String);

#[derive(Default)]
struct Package {
    modules: Vec<Module>,
}

#[derive(Default)]
struct Module {
    parent: Option<Id>,
    children: BTreeMap<String, (Id, bool)>,
    /// The names of the items, and whether they are public.
    items: BTreeMap<String, bool>,
    /// The imported names.
    uses: Vec<Use>,
    /// The functions of the module, and of the inherent `impl`s in it, with the path of their type.
    functions: Vec<(Option<ImplOf>, Function)>,
}

struct Use {
    path: Vec<String>,
    /// The name in this module; `None` for all names.
    name: Option<String>,
    is_public: bool,
}

/// The type of an inherent `impl`.
#[derive(Clone)]
struct ImplOf {
    path: Vec<String>,
    /// The arguments that are not parameters of the `impl`, such as `<Vector>`.
    arguments: String,
}

impl Package {
    /// Reads a file with its modules, whose files are in `folder`.
    fn read(&mut self, file: &Path, folder: &Path, parent: Option<Id>) -> Id {
        let text =
            fs::read_to_string(file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        let parsed =
            syn::parse_file(&text).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        self.add(&parsed.items, folder, parent)
    }

    fn add(&mut self, items: &[Item], folder: &Path, parent: Option<Id>) -> Id {
        let id = self.modules.len();
        self.modules.push(Module { parent, ..Module::default() });
        for item in items {
            self.add_item(id, item, folder);
        }
        id
    }

    fn add_item(&mut self, id: Id, item: &Item, folder: &Path) {
        let (name, visibility) = match item {
            Item::Const(it) => (&it.ident, &it.vis),
            Item::Enum(it) => (&it.ident, &it.vis),
            Item::Fn(it) => (&it.sig.ident, &it.vis),
            Item::Static(it) => (&it.ident, &it.vis),
            Item::Struct(it) => (&it.ident, &it.vis),
            Item::Trait(it) => (&it.ident, &it.vis),
            Item::Type(it) => (&it.ident, &it.vis),
            Item::Union(it) => (&it.ident, &it.vis),
            Item::Mod(it) if !is_test(&it.attrs) => {
                let name = it.ident.to_string();
                let below = folder.join(&name);
                let child = match &it.content {
                    Some((_, items)) => self.add(items, &below, Some(id)),
                    None => self.read(&file_of(folder, &name), &below, Some(id)),
                };
                self.modules[id].children.insert(name, (child, is_public(&it.vis)));
                return;
            }
            Item::Use(it) => {
                let is_public = is_public(&it.vis);
                return self.modules[id].add_uses(&it.tree, &mut Vec::new(), is_public);
            }
            Item::Impl(it) if it.trait_.is_none() && !is_test(&it.attrs) => {
                return self.modules[id].add_impl(it);
            }
            _ => return,
        };
        let module = &mut self.modules[id];
        module.items.insert(name.to_string(), is_public(visibility));
        if let Item::Fn(it) = item {
            let function = function(&it.sig, &it.vis, &it.attrs);
            module.functions.extend(function.map(|function| (None, function)));
        }
    }

    /// Returns the module that a path in a module names.
    fn module(&self, from: Id, path: &[String]) -> Option<Id> {
        let (first, rest) = match path {
            [] => return Some(from),
            [first, rest @ ..] => (first, rest),
        };
        let module = &self.modules[from];
        let next = match first.as_str() {
            "crate" => Some(0),
            "self" => Some(from),
            "super" => module.parent,
            name => module.children.get(name).map(|(child, _)| *child).or_else(|| {
                let mut uses = module.uses.iter().filter(|it| it.path.first() != Some(first));
                self.module(from, &uses.find(|it| it.name.as_deref() == Some(name))?.path)
            }),
        };
        self.module(next?, rest)
    }

    /// Returns the definition of the item that a path in a module names; `None` if it is in another package.
    fn resolve(&self, from: Id, path: &[String]) -> Option<Definition> {
        let (name, prefix) = path.split_last()?;
        if !prefix.is_empty() {
            return self.resolve(self.module(from, prefix)?, std::slice::from_ref(name));
        }
        let module = &self.modules[from];
        if module.items.contains_key(name) {
            return Some((from, name.clone()));
        }
        if let Some(used) = module.uses.iter().find(|it| it.name.as_ref() == Some(name)) {
            return self.resolve(from, &used.path);
        }
        let all = module.uses.iter().filter(|it| it.name.is_none());
        let mut modules = all.filter_map(|it| self.module(from, &it.path));
        match modules.find(|other| self.modules[*other].items.contains_key(name)) {
            Some(other) => Some((other, name.clone())),
            // A macro of the module defines it.
            None => Some((from, name.clone())),
        }
    }

    /// Returns the paths of the public modules, and of the public items in them: the shortest ones.
    fn public_paths(&self) -> (BTreeMap<Id, String>, BTreeMap<Definition, String>) {
        let (mut modules, mut items) = (BTreeMap::new(), BTreeMap::new());
        let mut queue = VecDeque::from([(0, String::new())]);
        while let Some((id, prefix)) = queue.pop_front() {
            if modules.contains_key(&id) {
                continue;
            }
            modules.insert(id, prefix.clone());
            for (name, definition) in self.public_items(id) {
                items.entry(definition).or_insert_with(|| format!("{prefix}{name}"));
            }
            let children = &self.modules[id].children;
            let public = children.iter().filter(|(_, (_, is_public))| *is_public);
            queue.extend(public.map(|(name, (child, _))| (*child, format!("{prefix}{name}::"))));
        }
        (modules, items)
    }

    /// Returns the public items of a module by their names in it.
    fn public_items(&self, id: Id) -> Vec<(String, Definition)> {
        let module = &self.modules[id];
        let own = module.items.iter().filter(|(_, is_public)| **is_public);
        let mut items: Vec<_> = own.map(|(name, _)| (name.clone(), (id, name.clone()))).collect();
        for used in module.uses.iter().filter(|it| it.is_public) {
            match &used.name {
                Some(name) => {
                    items.extend(self.resolve(id, &used.path).map(|found| (name.clone(), found)));
                }
                None => {
                    let other = self.module(id, &used.path);
                    items.extend(other.into_iter().flat_map(|other| self.public_items(other)));
                }
            }
        }
        items
    }

    fn functions(&self) -> BTreeMap<String, Function> {
        let (modules, items) = self.public_paths();
        let mut functions = BTreeMap::new();
        for (id, module) in self.modules.iter().enumerate() {
            for (of, function) in &module.functions {
                let (path, suffix) = match of {
                    Some(ImplOf { path, arguments }) => {
                        (self.resolve(id, path), format!("{arguments}::{}", function.path))
                    }
                    None => (Some((id, function.path.clone())), String::new()),
                };
                let Some(definition) = path else { continue };
                let is_of_macro = !self.modules[definition.0].items.contains_key(&definition.1);
                let path = items.get(&definition).cloned().or_else(|| {
                    let module = modules.get(&definition.0).filter(|_| is_of_macro)?;
                    Some(format!("{module}{}", definition.1))
                });
                let Some(path) = path.map(|path| path + &suffix) else { continue };
                functions.insert(path.clone(), Function { path, ..function.clone() });
            }
        }
        functions
    }
}

impl Module {
    fn add_uses(&mut self, tree: &UseTree, path: &mut Vec<String>, is_public: bool) {
        let depth = path.len();
        let (name, last) = match tree {
            UseTree::Path(it) => {
                path.push(it.ident.to_string());
                self.add_uses(&it.tree, path, is_public);
                path.truncate(depth);
                return;
            }
            UseTree::Group(it) => {
                it.items.iter().for_each(|tree| self.add_uses(tree, path, is_public));
                return;
            }
            UseTree::Name(it) if it.ident == "self" => (path.last().cloned(), None),
            UseTree::Name(it) => (Some(it.ident.to_string()), Some(it.ident.to_string())),
            UseTree::Rename(it) => (Some(it.rename.to_string()), Some(it.ident.to_string())),
            UseTree::Glob(_) => (None, None),
        };
        let path = path.iter().cloned().chain(last).collect();
        self.uses.push(Use { path, name, is_public });
    }

    fn add_impl(&mut self, item: &ItemImpl) {
        let Type::Path(ty) = &*item.self_ty else { return };
        let parameters: BTreeSet<String> = item
            .generics
            .params
            .iter()
            .filter_map(|parameter| match parameter {
                GenericParam::Type(it) => Some(it.ident.to_string()),
                GenericParam::Const(it) => Some(it.ident.to_string()),
                GenericParam::Lifetime(_) => None,
            })
            .collect();
        let path = ty.path.segments.iter().map(|segment| segment.ident.to_string()).collect();
        let arguments = match ty.path.segments.last().map(|segment| &segment.arguments) {
            Some(PathArguments::AngleBracketed(list)) => list.args.iter().collect(),
            _ => Vec::new(),
        };
        let arguments = arguments.into_iter().filter_map(|argument| match argument {
            GenericArgument::Type(Type::Path(ty)) => ty.path.segments.last(),
            _ => None,
        });
        let arguments: Vec<String> = arguments
            .map(|segment| segment.ident.to_string())
            .filter(|name| !parameters.contains(name))
            .collect();
        let arguments = match &arguments[..] {
            [] => String::new(),
            list => format!("<{}>", list.join(", ")),
        };
        let of = ImplOf { path, arguments };
        for item in &item.items {
            if let ImplItem::Fn(it) = item {
                let function = function(&it.sig, &it.vis, &it.attrs);
                self.functions.extend(function.map(|function| (Some(of.clone()), function)));
            }
        }
    }
}

/// Returns a function if it is public, documented and has parameters besides `self`.
fn function(
    signature: &Signature,
    visibility: &Visibility,
    docs: &[Attribute],
) -> Option<Function> {
    let has_parameters = signature.inputs.iter().any(|input| matches!(input, FnArg::Typed(_)));
    let is_hidden = docs.iter().any(|attribute| {
        let Meta::List(list) = &attribute.meta else { return false };
        list.path.is_ident("doc") && list.tokens.to_string() == "hidden"
    });
    if !is_public(visibility) || !has_parameters || is_hidden {
        return None;
    }
    let may_panic = docs.iter().any(|attribute| {
        let Meta::NameValue(pair) = &attribute.meta else { return false };
        let Expr::Lit(literal) = &pair.value else { return false };
        let Lit::Str(line) = &literal.lit else { return false };
        pair.path.is_ident("doc") && line.value().trim() == "# Panics"
    });
    Some(Function { path: signature.ident.to_string(), may_panic })
}

fn is_public(visibility: &Visibility) -> bool {
    matches!(visibility, Visibility::Public(_))
}

fn is_test(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        let Meta::List(list) = &attribute.meta else { return false };
        let is_cfg = list.path.is_ident("cfg");
        is_cfg && ["test", "doctest"].contains(&list.tokens.to_string().as_str())
    })
}

/// Returns the file of a module whose folder would be in `folder`.
fn file_of(folder: &Path, name: &str) -> PathBuf {
    let file = folder.join(format!("{name}.rs"));
    if file.exists() { file } else { folder.join(name).join("mod.rs") }
}
