//! Expressions: what decides a receiver's type, by the grammar's table of expression kinds.

use super::{
    Expr, Name, TypeExpr, TypeForm,
    reader::{Meaning, Reader},
    tree::{Node, children, named},
};
use crate::lang::{ExprShape, ImportShape, Passing};

/// An expression nested deeper than this is opaque.
const MAX_DEPTH: u32 = 40;
/// Of more branches the first ones count.
const MAX_BRANCHES: usize = 8;
/// Arguments of calls nested deeper than this are not kept, nor those after the first few.
const ARGUMENT_DEPTH: u32 = 6;
const MAX_ARGUMENTS: usize = 4;

/// Of a row or a container no more parts than these are read.
const MAX_PARTS: usize = 8;
/// Nor of a record.
const MAX_MEMBERS: usize = 24;

impl Reader<'_> {
    pub(super) fn expr(&self, node: Node<'_>) -> Expr {
        self.expr_below(node, 0)
    }

    /// What a `yield` gives.
    pub(super) fn yielded(&self, node: Node<'_>) -> Expr {
        let value = named(node).next().map_or(Expr::Opaque, |value| self.expr(value));
        let word = self.grammar.spec.syntax.delegating_yield;
        let delegates = word.is_some_and(|word| children(node).any(|child| child.kind() == word));
        match (delegates, value) {
            (_, Expr::Opaque) => Expr::Opaque,
            (true, value) => Expr::Element(Box::new(value)),
            (false, value) => value,
        }
    }

    /// What stands before a `::`.
    pub(super) fn path_receiver(&self, node: Node<'_>) -> Expr {
        match self.grammar.expressions.get(node) {
            Some(ExprShape::Typed { .. }) => self.expr(node),
            _ => Expr::Path(self.segments(node)),
        }
    }

    /// What the arguments of a call say that it gives, if its callee is not the repository's.
    fn passed(&self, call: Node<'_>, callee: &Expr, depth: u32) -> Option<Expr> {
        let syntax = &self.grammar.spec.syntax;
        let (name, table) = match callee {
            Expr::Name(name) => (name, syntax.passing),
            Expr::Member(_, name) => (name, syntax.passing_members),
            _ => return None,
        };
        let (_, passing) = table.iter().find(|(known, _)| known == name)?;
        let list = self.grammar.call_arguments.follow(call)?;
        let arguments: Vec<Node<'_>> = match self.grammar.argument_lists.get(list) {
            Some(()) => named(list).take(MAX_PARTS).collect(),
            // A generator expression as the only argument.
            None => vec![list],
        };
        let first = arguments.first().copied();
        if let Passing::Held(name) = passing {
            let held = self.held(call, first, depth)?;
            return Some(Expr::Filled((*name).into(), Box::new(held)));
        }
        if *passing == Passing::HeldFirst {
            return Some(Expr::Tuple(vec![self.held(call, first, depth)?, Expr::Opaque]));
        }
        let first = first?;
        let value = |node: Node<'_>| self.expr_below(node, depth + 1);
        let element = |node: Node<'_>| match value(node) {
            Expr::Opaque => Expr::Opaque,
            known => Expr::Element(Box::new(known)),
        };
        let row = |parts: Vec<Expr>| Expr::Filled((*name).clone(), Box::new(Expr::Tuple(parts)));
        let given = match passing {
            Passing::Same => value(first),
            Passing::Element => element(first),
            Passing::Numbered => row(vec![Expr::Opaque, element(first)]),
            Passing::Rows => row(arguments.into_iter().map(element).collect()),
            Passing::Typed => Expr::Typed(Box::new(self.ty(first)?)),
            Passing::Instance => Expr::Call(Box::new(value(first)), Vec::new()),
            Passing::Called => Expr::Call(Box::new(value(first)), Vec::new()),
            Passing::Held(_) | Passing::HeldFirst => return None,
            Passing::Class(keyword) => {
                let given = arguments.iter().find_map(|argument| {
                    let mut parts = named(*argument);
                    let (name, bound) = (parts.next()?, parts.next()?);
                    (parts.next().is_none() && self.slice(name) == *keyword).then_some(bound)
                });
                Expr::Class(Box::new(self.ty(given?)?))
            }
        };
        (given != Expr::Opaque).then_some(given)
    }

    /// What a call's first type argument writes, else its first argument.
    fn held(&self, call: Node<'_>, argument: Option<Node<'_>>, depth: u32) -> Option<Expr> {
        let written = self.grammar.call_types.follow(call).and_then(|list| named(list).next());
        let value = match written {
            Some(ty) => Expr::Typed(Box::new(self.ty(ty)?)),
            None => self.expr_below(argument?, depth + 1),
        };
        (value != Expr::Opaque).then_some(value)
    }

    fn expr_below(&self, node: Node<'_>, depth: u32) -> Expr {
        if depth == MAX_DEPTH {
            return Expr::Opaque;
        }
        let Some(shape) = self.grammar.expressions.get(node) else { return Expr::Opaque };
        let inner = |node: Option<Node<'_>>| match node {
            Some(node) => self.expr_below(node, depth + 1),
            None => Expr::Opaque,
        };
        let typed = |ty: Option<Node<'_>>| match ty.and_then(|ty| self.ty(ty)) {
            Some(ty) => Expr::Typed(Box::new(ty)),
            None => Expr::Opaque,
        };
        match shape {
            ExprShape::Name if self.is_instance(node) => Expr::This(None),
            ExprShape::Name => Expr::Name(self.name(node).into()),
            ExprShape::This => {
                let this = Expr::This(named(node).next().map(|label| self.name(label).into()));
                match self.meaning(node) {
                    Meaning::Here => this,
                    Meaning::At(place) => Expr::At(place, Box::new(this)),
                    Meaning::Untold => Expr::Opaque,
                }
            }
            ExprShape::Super => Expr::Super(named(node).next().and_then(|base| self.segments(base).pop())),
            ExprShape::Path { .. } => Expr::Path(self.segments(node)),
            ExprShape::Infix { object, name } => match name.follow(node) {
                Some(name) => {
                    let object = Box::new(inner(object.follow(node)));
                    Expr::Call(Box::new(Expr::Member(object, self.name(name).into())), Vec::new())
                }
                None => Expr::Opaque,
            },
            ExprShape::Invoke { .. } => {
                self.call(node, self.callee(node, depth + 1).unwrap_or(Expr::Opaque), depth)
            }
            ExprShape::Member { object, name } => match name.follow(node) {
                // `Outer.this`
                Some(name) if matches!(self.grammar.expressions.get(name), Some(ExprShape::This)) => {
                    Expr::This(object.follow(node).and_then(|object| self.segments(object).pop()))
                }
                Some(name) => Expr::Member(Box::new(inner(object.follow(node))), self.name(name).into()),
                None => Expr::Opaque,
            },
            ExprShape::Converted { ty, callee } => match callee.follow(node) {
                Some(callee) => self.call(node, self.named_callee(callee), depth),
                None => typed(ty.follow(node)),
            },
            ExprShape::Made { callee, arguments } => {
                let callee = callee.follow(node);
                let written = arguments.follow(node).filter(|list| named(*list).next().is_some());
                if let (Some(callee), Some(list)) = (callee, written)
                    && let Some(ty) = self.applied(callee, list)
                {
                    return Expr::Typed(Box::new(ty));
                }
                Expr::Call(Box::new(inner(callee)), self.arguments(node, depth))
            }
            ExprShape::Call { callee } => match self.module_of(node, callee.follow(node)) {
                Some(path) => Expr::Module(path),
                None => match inner(callee.follow(node)) {
                    Expr::Element(base) if self.is_applied(callee.follow(node)) => {
                        let applied = self.call(node, (*base).clone(), depth);
                        Expr::Either(vec![applied, self.call(node, Expr::Element(base), depth)])
                    }
                    callee => self.call(node, callee, depth),
                },
            },
            ExprShape::Element { base } | ExprShape::Applied { base } => {
                Expr::Element(Box::new(inner(base.follow(node))))
            }
            ExprShape::Union(operator) => {
                let ty = children(node).any(|child| child.kind() == *operator).then(|| self.ty(node));
                match ty.flatten() {
                    Some(ty) if ty.form == TypeForm::Union => Expr::Class(Box::new(ty)),
                    _ => Expr::Opaque,
                }
            }
            ExprShape::Index { base, index } => {
                // `Union[A, B]` and `Callable[[A], B]` are no elements of anything.
                if let Some(ty) = self.ty(node)
                    && matches!(ty.form, TypeForm::Union | TypeForm::Function)
                {
                    return Expr::Class(Box::new(ty));
                }
                let base = Box::new(inner(base.follow(node)));
                match index.follow(node).map(|index| self.slice(index).parse()) {
                    Some(Ok(at)) => Expr::Part(base, at),
                    _ => Expr::Element(base),
                }
            }
            ExprShape::Filled { name, element } => {
                let mut options: Vec<Expr> = Vec::new();
                // What a comprehension binds means something inside of it only.
                let place = |part: Node<'_>, one: Expr| match element.is_empty() {
                    true => one,
                    false => one.placed(part.start_byte() as u32),
                };
                let mut add = |part: Node<'_>| match place(part, inner(Some(part))) {
                    Expr::Opaque => {}
                    one if options.contains(&one) => {}
                    one => options.push(one),
                };
                if element.is_empty() {
                    named(node).take(MAX_PARTS).for_each(&mut add);
                } else {
                    element.follow(node).into_iter().for_each(&mut add);
                }
                match options.len() {
                    0 => Expr::Literal((*name).into()),
                    1 => Expr::Filled((*name).into(), Box::new(options.swap_remove(0))),
                    _ => Expr::Filled((*name).into(), Box::new(Expr::Either(options))),
                }
            }
            ExprShape::Record { member, name, value, shorthand } => {
                let mut parts = Vec::new();
                for child in named(node) {
                    let (name, value) = match child.kind() {
                        kind if kind == *member => (name.follow(child), value.follow(child)),
                        kind if kind == *shorthand => (Some(child), Some(child)),
                        _ => continue,
                    };
                    let Some(name) = name.filter(|_| parts.len() < MAX_MEMBERS) else { continue };
                    match inner(value) {
                        Expr::Opaque | Expr::Literal(_) | Expr::Lambda(None) => {}
                        known => parts.push((self.name(name).into(), known)),
                    }
                }
                if parts.is_empty() { Expr::Opaque } else { Expr::Record(parts) }
            }
            ExprShape::Unwrap { inner: part } => Expr::Unwrap(Box::new(inner(part.follow(node)))),
            ExprShape::Inner { inner: part } => inner(part.follow(node)),
            ExprShape::Number { name, endings } => {
                let text = self.slice(node);
                let ending = endings.iter().find(|(ending, _)| text.ends_with(ending));
                Expr::Literal(ending.map_or(*name, |(_, name)| name).into())
            }
            ExprShape::OfType { name, ty } => {
                let args = ty.follow(node).and_then(|ty| self.ty(ty)).into_iter().collect();
                let path = vec![(*name).into()];
                Expr::Typed(Box::new(TypeExpr { path, args, form: TypeForm::Named }))
            }
            ExprShape::Operation { first, second, operator, results, text } => {
                let operator = operator.follow(node).map_or("", |operator| self.slice(operator));
                if let Some((_, result)) = results.iter().find(|(known, _)| *known == operator) {
                    return Expr::Literal((*result).into());
                }
                let parts = [inner(first.follow(node)), inner(second.follow(node))];
                let is_text = |part: &Expr| matches!(part, Expr::Literal(name) if name == *text);
                match parts {
                    _ if parts.iter().any(is_text) => Expr::Literal((*text).into()),
                    _ if parts.contains(&Expr::Opaque) => Expr::Opaque,
                    [one, other] if one == other => one,
                    parts => Expr::Either(parts.into()),
                }
            }
            ExprShape::Prefixed { operator, inner: part } => {
                let value = inner(part.follow(node));
                match children(node).any(|child| child.kind() == *operator) {
                    true if value != Expr::Opaque => Expr::Element(Box::new(value)),
                    _ => value,
                }
            }
            ExprShape::Typed { ty } => typed(ty.follow(node)),
            ExprShape::Literal(name) => Expr::Literal((*name).into()),
            ExprShape::Either { first, second } => {
                self.one_of([first, second].into_iter().filter_map(|part| part.follow(node)), depth)
            }
            ExprShape::Branches { body, branch, value } => match body.follow(node) {
                Some(body) => {
                    let branches = named(body).filter(|child| child.kind() == *branch);
                    self.one_of(branches.filter_map(|branch| value.follow(branch)).take(MAX_BRANCHES), depth)
                }
                None => Expr::Opaque,
            },
            ExprShape::Row if named(node).nth(1).is_none() => inner(named(node).next()),
            ExprShape::Tuple | ExprShape::Row => {
                let parts: Vec<Expr> = named(node).take(MAX_PARTS).map(|part| inner(Some(part))).collect();
                match parts.iter().all(|part| *part == Expr::Opaque) {
                    true => Expr::Opaque,
                    false => Expr::Tuple(parts),
                }
            }
            ExprShape::Tail => named(node).last().map_or(Expr::Opaque, |last| self.inside(last, depth)),
            ExprShape::Macro { name, body } => match (name.follow(node), body.follow(node)) {
                (Some(name), Some(body)) => self.macro_value(name, body),
                _ => Expr::Opaque,
            },
            ExprShape::Lambda => {
                let shape = self.grammar.shapes.get(node);
                let declared = shape.and_then(|shape| shape.ty.follow(node)).and_then(|ty| self.ty(ty));
                let body = || shape.and_then(|shape| shape.value.follow(node));
                let value = match declared {
                    Some(ty) => Some(Expr::Typed(Box::new(ty))),
                    None => body().map(|body| self.inside(body, depth)),
                };
                Expr::Lambda(value.filter(|value| *value != Expr::Opaque).map(Box::new))
            }
            ExprShape::Never => Expr::Opaque,
        }
    }

    /// What a call calls.
    pub(super) fn callee(&self, call: Node<'_>, depth: u32) -> Option<Expr> {
        let inner = |node: Node<'_>| self.expr_below(node, depth);
        match self.grammar.expressions.get(call)? {
            ExprShape::Call { callee } | ExprShape::Made { callee, .. } => callee.follow(call).map(inner),
            ExprShape::Invoke { object, name } => {
                let name = self.name(name.follow(call)?).into();
                Some(match object.follow(call) {
                    Some(object) => Expr::Member(Box::new(inner(object)), name),
                    None => Expr::Name(name),
                })
            }
            _ => None,
        }
    }

    fn call(&self, node: Node<'_>, callee: Expr, depth: u32) -> Expr {
        match callee {
            Expr::Name(name) if self.grammar.spec.syntax.super_call == Some(name.as_str()) => {
                Expr::Super(None)
            }
            callee => match self.passed(node, &callee, depth) {
                Some(given) => Expr::Passed(Box::new(callee), Box::new(given)),
                None => Expr::Call(Box::new(callee), self.arguments(node, depth)),
            },
        }
    }

    /// A callee that is written as a type: `pkg.Make` in `pkg.Make[T](x)`.
    pub(super) fn named_callee(&self, callee: Node<'_>) -> Expr {
        let mut path = self.segments(callee).into_iter();
        let first = path.next().map_or(Expr::Opaque, Expr::Name);
        path.fold(first, |base, name| Expr::Member(Box::new(base), name))
    }

    pub(super) fn is_applied(&self, callee: Option<Node<'_>>) -> bool {
        let shape = callee.and_then(|callee| self.grammar.expressions.get(callee));
        matches!(shape, Some(ExprShape::Applied { .. }))
    }

    /// The text of the module that a call loads.
    fn module_of(&self, call: Node<'_>, callee: Option<Node<'_>>) -> Option<Name> {
        let words = self.grammar.spec.syntax.module_calls;
        if words.is_empty() || !words.contains(&self.slice(callee?)) {
            return None;
        }
        let first = named(self.grammar.call_arguments.follow(call)?).next()?;
        let is_text = matches!(self.grammar.imports.get(first), Some(ImportShape::Loaded));
        is_text.then(|| self.segments(first).concat().into())
    }

    /// A type that is written as a value, with the arguments of a list.
    fn applied(&self, base: Node<'_>, list: Node<'_>) -> Option<TypeExpr> {
        let base = self.ty(base)?;
        let args = named(list).filter_map(|argument| self.ty(argument)).collect();
        Some(TypeExpr { args, ..base })
    }

    /// What is known of a call's first arguments: names, calls, paths.
    fn arguments(&self, call: Node<'_>, depth: u32) -> Vec<Expr> {
        if depth >= ARGUMENT_DEPTH {
            return Vec::new();
        }
        let Some(list) = self.grammar.call_arguments.follow(call) else { return Vec::new() };
        if self.grammar.argument_lists.get(list).is_none() {
            return Vec::new();
        }
        let mut listed = Vec::new();
        self.listed(list, &mut listed);
        let mut known: Vec<Expr> = listed
            .into_iter()
            .take(MAX_ARGUMENTS)
            .map(|argument| match self.expr_below(argument, depth.max(ARGUMENT_DEPTH - 3) + 1) {
                Expr::Literal(_) | Expr::Lambda(None) | Expr::Record(_) => Expr::Opaque,
                value => value,
            })
            .collect();
        while known.last() == Some(&Expr::Opaque) {
            known.pop();
        }
        known
    }

    /// The arguments in a list and the lists in it.
    fn listed<'n>(&self, list: Node<'n>, into: &mut Vec<Node<'n>>) {
        for child in named(list) {
            if self.grammar.argument_lists.get(child).is_some() {
                self.listed(child, into);
            } else if self.grammar.argument_extras.get(child).is_none() && !child.is_extra() {
                into.push(child);
            }
        }
    }

    /// A value whose names may be those of an inner scope.
    fn inside(&self, node: Node<'_>, depth: u32) -> Expr {
        match self.expr_below(node, depth + 1) {
            value @ (Expr::Opaque
            | Expr::Literal(_)
            | Expr::Typed(_)
            | Expr::Path(_)
            | Expr::This(_)
            | Expr::Either(_)
            | Expr::Inside(..)) => value,
            value => Expr::Inside(node.start_byte() as u32, Box::new(value)),
        }
    }

    /// The values of branches, without those that have none.
    fn one_of<'n>(&self, branches: impl Iterator<Item = Node<'n>>, depth: u32) -> Expr {
        let mut options = Vec::new();
        for part in branches {
            if matches!(self.grammar.expressions.get(part), Some(ExprShape::Never)) {
                continue;
            }
            match self.inside(part, depth) {
                Expr::Either(more) => options.extend(more),
                one => options.push(one),
            }
        }
        if options.iter().all(|option| *option == Expr::Opaque) {
            return Expr::Opaque;
        }
        match options.len() {
            1 => options.swap_remove(0),
            _ => Expr::Either(options),
        }
    }
}

impl Expr {
    /// A value for a place where its names may mean something else.
    pub(super) fn placed(self, place: u32) -> Expr {
        match self {
            Expr::Either(options) => Expr::Either(options.into_iter().map(|one| one.placed(place)).collect()),
            one if one.has_names() => Expr::At(place, Box::new(one)),
            one => one,
        }
    }

    /// The names of functions that it may be; `None` for a function literal.
    pub(super) fn function_names(&self) -> Vec<Option<&Name>> {
        match self {
            Expr::Lambda(_) => vec![None],
            Expr::Name(name) => vec![Some(name)],
            Expr::Either(options) => options.iter().flat_map(Expr::function_names).collect(),
            Expr::At(_, value) | Expr::Inside(_, value) => value.function_names(),
            _ => Vec::new(),
        }
    }

    /// Whether it is made from the member of a name of the instance.
    pub(super) fn has_member(&self, name: &str) -> bool {
        match self {
            Expr::Member(base, member) => {
                (member == name && matches!(**base, Expr::This(_))) || base.has_member(name)
            }
            Expr::Call(callee, arguments) => {
                callee.has_member(name) || arguments.iter().any(|argument| argument.has_member(name))
            }
            Expr::Passed(callee, given) => callee.has_member(name) || given.has_member(name),
            Expr::Either(options) => options.iter().any(|option| option.has_member(name)),
            Expr::At(_, value) | Expr::Inside(_, value) => value.has_member(name),
            _ => false,
        }
    }

    fn has_names(&self) -> bool {
        match self {
            Expr::Name(_) | Expr::Path(_) => true,
            Expr::Member(base, _)
            | Expr::Element(base)
            | Expr::Unwrap(base)
            | Expr::Part(base, _)
            | Expr::Matched(base, _)
            | Expr::LambdaParameter(base, _)
            | Expr::Filled(_, base)
            | Expr::LambdaReceiver(base) => base.has_names(),
            Expr::Either(options) | Expr::Tuple(options) => options.iter().any(Expr::has_names),
            Expr::Typed(_) | Expr::Class(_) => true,
            Expr::Record(parts) => parts.iter().any(|(_, value)| value.has_names()),
            Expr::Passed(callee, given) => callee.has_names() || given.has_names(),
            Expr::Call(callee, arguments) => callee.has_names() || arguments.iter().any(Expr::has_names),
            Expr::Inside(..) => true,
            Expr::Lambda(value) => value.as_ref().is_some_and(|value| value.has_names()),
            Expr::This(_)
            | Expr::Super(_)
            | Expr::Literal(_)
            | Expr::Module(_)
            | Expr::At(..)
            | Expr::Opaque => false,
        }
    }
}
