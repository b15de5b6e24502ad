//! Types as written: named, generic, united, by the grammar's table of type kinds.

use super::{
    Name, TypeExpr, TypeForm, TypeParam,
    grammar::Way,
    reader::Reader,
    tree::{Node, named},
};
use crate::lang::TypeShape;

/// A type nested deeper than this has no name.
const MAX_DEPTH: u32 = 24;

/// Of a type that writes out its members no more than these are read.
const MAX_MEMBERS: usize = 48;

impl Reader<'_> {
    /// The type that a node states; `None` where it states none.
    pub(super) fn ty(&self, node: Node<'_>) -> Option<TypeExpr> {
        self.ty_below(node, 0)
    }

    fn ty_below(&self, node: Node<'_>, depth: u32) -> Option<TypeExpr> {
        if depth == MAX_DEPTH {
            return None;
        }
        let below = |node: Node<'_>| self.ty_below(node, depth + 1);
        match self.grammar.types.get(node)? {
            TypeShape::Name if self.grammar.spec.syntax.inferred_types.contains(&self.name(node)) => None,
            TypeShape::Name => Some(self.named_type(vec![self.name(node).into()], Vec::new())),
            TypeShape::Scoped { .. } => Some(self.named_type(self.segments(node), Vec::new())),
            TypeShape::Generic { base, arguments } => {
                let base = base.follow(node)?;
                let list = arguments.follow(node).into_iter().flat_map(named);
                let args = list.filter(|arg| arg.id() != base.id()).filter_map(below).collect();
                match below(base)? {
                    TypeExpr { path, args: none, form: TypeForm::Named } if none.is_empty() => {
                        Some(self.named_type(path, args))
                    }
                    other => Some(other),
                }
            }
            TypeShape::Segments { arguments } => {
                let mut path = Vec::new();
                let mut args = Vec::new();
                for part in named(node) {
                    if part.kind() == *arguments {
                        args = named(part).filter_map(below).collect();
                    } else {
                        path.push(self.name(part).into());
                    }
                }
                Some(self.named_type(path, args))
            }
            TypeShape::Inner { inner } => below(inner.follow(node)?),
            TypeShape::Bound { inner } => {
                let inner = below(inner.follow(node)?)?;
                let form = if inner.form == TypeForm::Named { TypeForm::Bound } else { inner.form };
                Some(TypeExpr { form, ..inner })
            }
            TypeShape::Open { inner } => {
                Some(inner.follow(node).and_then(below).unwrap_or(formed(TypeForm::Named, Vec::new())))
            }
            TypeShape::Row if named(node).nth(1).is_none() => below(named(node).next()?),
            TypeShape::Unless { other, inner } => match other.follow(node) {
                Some(_) => None,
                None => below(inner.follow(node)?),
            },
            TypeShape::Tuple | TypeShape::Row => {
                Some(formed(TypeForm::Tuple, named(node).filter_map(below).collect()))
            }
            TypeShape::Function { receiver, parameters, result } => {
                let receiver = receiver.follow(node).and_then(below);
                let form = if receiver.is_some() { TypeForm::ReceiverFunction } else { TypeForm::Function };
                let mut args: Vec<TypeExpr> = receiver.into_iter().collect();
                for parameter in parameters.follow(node).into_iter().flat_map(named) {
                    // A parameter that cannot be read keeps its place.
                    args.push(below(parameter).unwrap_or(unnamed()));
                }
                args.push(result.follow(node).and_then(below).unwrap_or(unnamed()));
                Some(formed(form, args))
            }
            TypeShape::Union => union(named(node).filter_map(below)),
            TypeShape::Sequence { element } => {
                Some(formed(TypeForm::Sequence, element.follow(node).and_then(below).into_iter().collect()))
            }
            TypeShape::Record { list, member, name, ty } => {
                let mut record = formed(TypeForm::Record, Vec::new());
                for part in named(list.follow(node)?).filter(|part| part.kind() == *member).take(MAX_MEMBERS)
                {
                    if let (Some(name), Some(ty)) = (name.follow(part), ty.follow(part).and_then(below)) {
                        record.path.push(self.name(name).into());
                        record.args.push(ty);
                    }
                }
                Some(record)
            }
            TypeShape::Lookup { base, index } => {
                let member = self.segments(index.follow(node)?);
                let [_] = member.as_slice() else { return None };
                Some(TypeExpr {
                    path: member,
                    args: vec![below(base.follow(node)?)?],
                    form: TypeForm::Member,
                })
            }
            TypeShape::OfValue { value } => {
                let path = self.segments(value.follow(node)?);
                Some(TypeExpr { path, args: Vec::new(), form: TypeForm::OfValue })
            }
            TypeShape::Text => self.text_type(self.slice(node)),
            TypeShape::Nothing => None,
        }
    }

    /// A named type, after the language's special names: `Self`, `Optional`, `Union`.
    fn named_type(&self, path: Vec<Name>, args: Vec<TypeExpr>) -> TypeExpr {
        let syntax = &self.grammar.spec.syntax;
        let Some(last) = path.last().map(Name::as_str) else {
            return TypeExpr { path, args, form: TypeForm::Named };
        };
        if path.len() == 1 && syntax.self_types.contains(&last) {
            return TypeExpr { path, args, form: TypeForm::SelfType };
        }
        if !args.is_empty() && syntax.transparent_types.contains(&last) {
            return args.into_iter().next().expect("not empty");
        }
        for (names, form) in
            [(syntax.result_types, TypeForm::Result), (syntax.instance_types, TypeForm::Instance)]
        {
            if !args.is_empty() && names.contains(&last) {
                return formed(form, args);
            }
        }
        if !args.is_empty() && syntax.union_types.contains(&last) {
            return union(args.into_iter()).expect("not empty");
        }
        if !args.is_empty() && syntax.function_types.contains(&last) {
            let mut parts = args.into_iter();
            let parameters = match parts.next() {
                Some(TypeExpr { path, args, form: TypeForm::Tuple }) if path.is_empty() => args,
                _ => Vec::new(),
            };
            let result = parts.next().unwrap_or(unnamed());
            return formed(TypeForm::Function, parameters.into_iter().chain([result]).collect());
        }
        TypeExpr { path, args, form: TypeForm::Named }
    }

    /// A type in a string: `"a.B[C] | D"`. `None` where the string is no type.
    fn text_type(&self, text: &str) -> Option<TypeExpr> {
        let text = text.trim_matches(|c| c == '"' || c == '\'');
        let mut rest = text.trim();
        let ty = self.parse_text(&mut rest, 0)?;
        rest.is_empty().then_some(ty)
    }

    fn parse_text(&self, rest: &mut &str, depth: u32) -> Option<TypeExpr> {
        if depth == MAX_DEPTH {
            return None;
        }
        let mut members = Vec::new();
        loop {
            *rest = rest.trim_start();
            let end =
                rest.find(|c: char| !(c.is_alphanumeric() || c == '_' || c == '.')).unwrap_or(rest.len());
            let path: Vec<Name> = rest[..end].split('.').map(Name::from).collect();
            if path.iter().any(Name::is_empty) {
                return None;
            }
            *rest = rest[end..].trim_start();
            let mut args = Vec::new();
            if let Some(inside) = rest.strip_prefix('[') {
                *rest = inside;
                loop {
                    *rest = rest.trim_start();
                    if let Some(list) = rest.strip_prefix('[') {
                        // The parameters of a `Callable`.
                        let end = list.find(']')?;
                        let mut inside = &list[..end];
                        let mut parameters = Vec::new();
                        while !inside.trim().is_empty() {
                            parameters.push(self.parse_text(&mut inside, depth + 1)?);
                            inside = inside.trim_start().trim_start_matches(',');
                        }
                        args.push(formed(TypeForm::Tuple, parameters));
                        *rest = &list[end + 1..];
                    } else {
                        args.push(self.parse_text(rest, depth + 1)?);
                    }
                    *rest = rest.trim_start();
                    if let Some(after) = rest.strip_prefix(',') {
                        *rest = after;
                    } else {
                        *rest = rest.strip_prefix(']')?.trim_start();
                        break;
                    }
                }
            }
            if path != ["None"] {
                members.push(self.named_type(path, args));
            }
            match rest.strip_prefix('|') {
                Some(after) => *rest = after,
                None => break,
            }
        }
        union(members.into_iter())
    }

    /// The node of the name of a written type: `Display` in `std::fmt::Display<T>`.
    pub(super) fn type_site<'n>(&self, mut node: Node<'n>) -> Node<'n> {
        for _ in 0..MAX_DEPTH {
            let next = match self.grammar.types.get(node) {
                Some(TypeShape::Scoped { name, .. }) => name.follow(node),
                Some(TypeShape::Generic { base, .. }) => base.follow(node),
                Some(TypeShape::Inner { inner } | TypeShape::Bound { inner } | TypeShape::Open { inner }) => {
                    inner.follow(node)
                }
                Some(TypeShape::Unless { inner, .. }) => inner.follow(node),
                Some(TypeShape::Segments { arguments }) => {
                    named(node).filter(|part| part.kind() != *arguments).last()
                }
                _ => None,
            };
            match next {
                Some(next) => node = next,
                None => break,
            }
        }
        node
    }

    /// The types that a list of bounds names; a node that is a type by itself is the only one.
    pub(super) fn type_list<'n>(&self, node: Node<'n>) -> Vec<Node<'n>> {
        if self.grammar.types.get(node).is_some() {
            return vec![node];
        }
        named(node).filter(|child| self.grammar.types.get(*child).is_some()).collect()
    }

    /// Generic parameters of a list, with the bounds that the list states.
    pub(super) fn type_params(&self, list: Node<'_>) -> Vec<TypeParam> {
        named(list)
            .filter_map(|child| {
                let (name, bounds) = self.grammar.type_parameters.get(child)?;
                Some(TypeParam {
                    name: self.slice(name.follow(child)?).into(),
                    bounds: self.bounds(child, bounds),
                })
            })
            .collect()
    }

    /// Adds the bounds of a list of constraints (`where`) to the parameters that they are about.
    pub(super) fn constrain(&self, params: &mut [TypeParam], list: Node<'_>) {
        for child in named(list) {
            let Some((name, bounds)) = self.grammar.type_parameters.get(child) else { continue };
            let Some(name) = name.follow(child) else { continue };
            if let Some(param) = params.iter_mut().find(|param| param.name == self.slice(name)) {
                param.bounds.extend(self.bounds(child, bounds));
            }
        }
    }

    fn bounds(&self, node: Node<'_>, way: &Way) -> Vec<TypeExpr> {
        let Some(bounds) = (!way.is_empty()).then(|| way.follow(node)).flatten() else { return Vec::new() };
        self.type_list(bounds).into_iter().filter_map(|bound| self.ty(bound)).collect()
    }
}

/// The type of nothing: the empty tuple.
fn unnamed() -> TypeExpr {
    formed(TypeForm::Tuple, Vec::new())
}

fn formed(form: TypeForm, args: Vec<TypeExpr>) -> TypeExpr {
    TypeExpr { path: Vec::new(), args, form }
}

/// One of several types; nested unions are flat, a single member is itself.
fn union(members: impl Iterator<Item = TypeExpr>) -> Option<TypeExpr> {
    let mut args: Vec<TypeExpr> = Vec::new();
    for member in members {
        match member.form {
            TypeForm::Union => args.extend(member.args),
            _ => args.push(member),
        }
    }
    match args.len() {
        0 => None,
        1 => args.pop(),
        _ => Some(formed(TypeForm::Union, args)),
    }
}
