//! References: uses of names with their receivers, what only looks like a use left out.

use super::{
    Expr, Given, Name, RefRole,
    captures::{Before, Captured, CapturedRef},
    grammar::Grammar,
    harvest::{DraftRef, Harvest},
    reader::{Reader, span},
    tree::{Node, children, named},
};
use crate::{
    lang::{ExprShape, TypeShape},
    text::Span,
};

/// A name is not looked for below more wrappers than this.
const MAX_STEPS: usize = 16;

/// Disjoint ranges by start.
struct Regions(Vec<Span>);

impl Regions {
    fn new<'t>(nodes: impl Iterator<Item = &'t Node<'t>>) -> Regions {
        let mut spans: Vec<Span> = nodes.map(|node| span(*node)).collect();
        spans.sort();
        let mut merged: Vec<Span> = Vec::new();
        for span in spans {
            match merged.last_mut() {
                Some(last) if span.start < last.end => last.end = last.end.max(span.end),
                _ => merged.push(span),
            }
        }
        Regions(merged)
    }

    fn contain(&self, at: u32) -> bool {
        let before = self.0.partition_point(|span| span.start <= at);
        before > 0 && self.0[before - 1].contains(at)
    }
}

/// A name that is used, with what stands before it.
#[derive(Clone, Copy)]
struct Target<'t> {
    name: Node<'t>,
    receiver: Option<Node<'t>>,
    before: Before,
    /// The call whose callee ends with the name.
    call: Option<Node<'t>>,
}

impl Reader<'_> {
    /// The name that an expression or a type ends with.
    fn target<'n>(&self, node: Node<'n>) -> Option<Target<'n>> {
        let mut node = node;
        let mut call = None;
        for _ in 0..MAX_STEPS {
            let plain = |name| Target { name, receiver: None, before: Before::Value, call };
            if let Some(shape) = self.grammar.expressions.get(node) {
                match shape {
                    ExprShape::Name => return Some(plain(node)),
                    ExprShape::Member { object, name } | ExprShape::Infix { object, name } => {
                        return Some(Target { receiver: object.follow(node), ..plain(name.follow(node)?) });
                    }
                    ExprShape::Invoke { object, name } => {
                        let (receiver, name) = (object.follow(node), name.follow(node)?);
                        return Some(Target { receiver, call: Some(node), ..plain(name) });
                    }
                    ExprShape::Path { path, name } => {
                        let receiver = path.follow(node);
                        return Some(Target { receiver, before: Before::Path, ..plain(name.follow(node)?) });
                    }
                    ExprShape::Call { callee } | ExprShape::Made { callee, .. } => {
                        call = Some(node);
                        node = callee.follow(node)?;
                        continue;
                    }
                    // The constructor of what is above.
                    ExprShape::Super if call.is_some() => return Some(plain(node)),
                    ExprShape::Applied { base } if call.is_some() => {
                        node = base.follow(node)?;
                        continue;
                    }
                    ExprShape::Converted { callee, .. } => {
                        call = Some(node);
                        node = callee.follow(node)?;
                        continue;
                    }
                    ExprShape::Inner { inner } | ExprShape::Prefixed { inner, .. } => {
                        node = inner.follow(node)?;
                        continue;
                    }
                    _ => {}
                }
            }
            if self.grammar.function_references.get(node).is_some() {
                return named(node).last().map(plain);
            }
            match self.grammar.types.get(node)? {
                TypeShape::Name => return Some(plain(node)),
                TypeShape::Scoped { path, name } => {
                    let receiver = path.follow(node);
                    return Some(Target { receiver, before: Before::Path, ..plain(name.follow(node)?) });
                }
                TypeShape::Generic { base, .. } => node = base.follow(node)?,
                _ => return None,
            }
        }
        None
    }

    /// Whether what is called has arguments of its own in brackets: types, or the key of an element.
    fn calls_applied(&self, call: Node<'_>) -> bool {
        match self.grammar.expressions.get(call) {
            Some(ExprShape::Call { callee }) => self.is_applied(callee.follow(call)),
            Some(ExprShape::Converted { callee, .. }) => callee.follow(call).is_some(),
            _ => false,
        }
    }

    /// The function literals among a call's arguments.
    pub(super) fn lambda_arguments<'n>(&self, call: Node<'n>) -> Vec<Node<'n>> {
        let mut found = Vec::new();
        let mut lists: Vec<Node<'n>> = self.grammar.call_arguments.follow(call).into_iter().collect();
        while let Some(list) = lists.pop() {
            for child in named(list) {
                if self.grammar.argument_lists.get(child).is_some() {
                    lists.push(child);
                    continue;
                }
                let mut node = Some(child);
                for _ in 0..MAX_STEPS {
                    match node.and_then(|node| self.grammar.expressions.get(node)) {
                        Some(ExprShape::Inner { inner } | ExprShape::Prefixed { inner, .. }) => {
                            node = node.and_then(|node| inner.follow(node))
                        }
                        Some(ExprShape::Lambda) => {
                            found.extend(node);
                            break;
                        }
                        _ => break,
                    }
                }
            }
        }
        found
    }
}

impl Harvest {
    pub(super) fn refer(&mut self, reader: &Reader<'_>, found: &Captured<'_>) {
        let silent = Regions::new(found.imports.iter().chain(&found.macros).chain(&found.opaques));
        let types = Regions::new(found.type_regions.iter());
        self.claimed.extend(found.ignored.iter().map(|node| span(*node).start));
        self.claimed.sort_unstable();
        let syntax = &reader.grammar.spec.syntax;
        let mut uses: Vec<(&CapturedRef<'_>, Target<'_>)> = Vec::with_capacity(found.refs.len());
        // Where each use stands, the pattern that found it, and its place among the uses.
        let mut order: Vec<(u32, usize, u32)> = Vec::with_capacity(found.refs.len());
        for captured in &found.refs {
            let stated = captured.receiver.is_some();
            let target = match (stated, captured.role, captured.call) {
                // The callee is in the node itself.
                (false, RefRole::Call, Some(call)) => {
                    let target = reader.target(call);
                    if target.is_none() || reader.calls_applied(call) {
                        self.call_of_value(reader, call);
                    }
                    target
                }
                (false, ..) => reader.target(captured.name),
                _ => None,
            };
            let target = target.unwrap_or(Target {
                name: captured.name,
                receiver: captured.receiver,
                before: captured.before,
                call: None,
            });
            // A callee that ends with no name, a call of a call for one, is no use of a name. A keyword that
            // serves as a name may be a token in the name's node.
            if !children(target.name).any(|part| part.is_named()) || target.name.id() != captured.name.id() {
                let at = target.name.start_byte() as u32;
                let call = target.call.or(captured.call);
                let target = Target { call, ..target };
                order.push((at, captured.order, uses.len() as u32));
                uses.push((captured, target));
            }
        }
        order.sort_unstable();
        order.dedup_by_key(|(at, ..)| *at);
        self.refs.reserve(order.len());
        for (at, _, place) in order {
            let (captured, target) = uses[place as usize];
            let (role, rest) = (captured.role, captured.receiver_rest);
            // A member that is named where it is set or bound is used, whatever else the token does.
            let claimed = target.before != Before::Type && self.claimed.binary_search(&at).is_ok();
            if silent.contain(at) || claimed {
                continue;
            }
            let role = match role {
                RefRole::Value if types.contain(at) => RefRole::Type,
                role => role,
            };
            let above = matches!(reader.grammar.expressions.get(target.name), Some(ExprShape::Super));
            let name = match (captured.fixed_name, above, syntax.constructors) {
                (Some(fixed), ..) => fixed,
                (None, false, _) => reader.name(target.name),
                (None, true, [constructor, ..]) => constructor,
                (None, true, []) => continue,
            };
            if syntax.keywords.contains(&name) {
                self.errors.push(span(target.name));
                continue;
            }
            let own = matches!(role, RefRole::Type | RefRole::Value) && syntax.self_types.contains(&name);
            let instance = target.receiver.is_none() && reader.is_instance(target.name);
            let instance = instance && role != RefRole::Call;
            if own || instance || name.is_empty() || name == "_" {
                continue;
            }
            let call = target.call;
            let list = call.and_then(|call| reader.grammar.call_arguments.follow(call));
            let called = list.filter(|_| role == RefRole::Call);
            let decides = called.filter(|_| syntax.overloads);
            let given = decides.map_or_else(Vec::new, |list| arguments(reader, list));
            if let Some(list) = called {
                self.lists.push((span(target.name).start, span(list)));
                self.hand_over(reader, list, span(target.name).start);
            }
            self.refs.push(DraftRef {
                name: name.into(),
                span: span(target.name),
                role,
                receiver: target.receiver.or(above.then_some(target.name)).map(|node| {
                    match (target.before, rest) {
                        (Before::Value, _) => reader.expr(node),
                        (Before::Type, _) => {
                            reader.ty(node).map_or(Expr::Opaque, |ty| Expr::Typed(Box::new(ty)))
                        }
                        (Before::Path, None) => reader.path_receiver(node),
                        (Before::Path, Some(rest)) => {
                            Expr::Path([node, rest].map(|part| reader.name(part).into()).into())
                        }
                    }
                }),
                arguments: match (list, role, call) {
                    (Some(list), ..) => count_arguments(reader, list),
                    (None, RefRole::Value, Some(_)) => Some(1),
                    _ => None,
                },
                given,
            });
        }
        for node in &found.text_regions {
            self.text_types(reader, *node);
        }
    }

    /// Notes a call of an element of a value.
    fn call_of_value(&mut self, reader: &Reader<'_>, call: Node<'_>) {
        let called = match reader.grammar.expressions.get(call) {
            Some(ExprShape::Call { callee }) => {
                callee.follow(call).map(|callee| (callee, reader.expr(callee)))
            }
            // What may be a type with arguments is an element where it is none.
            Some(ExprShape::Converted { callee, .. }) => callee
                .follow(call)
                .map(|callee| (callee, Expr::Element(Box::new(reader.named_callee(callee))))),
            _ => None,
        };
        if let Some((callee, value @ (Expr::Element(_) | Expr::Part(..)))) = called {
            self.value_calls.push((span(callee), value));
        }
    }

    /// The names among the arguments of a call, each with its place.
    fn hand_over(&mut self, reader: &Reader<'_>, list: Node<'_>, to: u32) {
        let mut nth = Some(0u8);
        each_argument(reader.grammar, list, true, &mut |argument, _| {
            let by_name = is_named(reader.grammar, argument);
            let value = if by_name { named(argument).last() } else { Some(argument) };
            let target = value.and_then(|value| reader.target(value));
            if let Some(target) = target.filter(|target| target.call.is_none()) {
                self.handed.push((span(target.name).start, to, nth.filter(|_| !by_name)));
            }
            // What stands behind one that stands for any number has no place.
            let splat = reader.grammar.argument_splats.get(argument).is_some();
            nth = nth.filter(|_| !splat).map(|nth| nth.saturating_add(1));
        });
    }

    /// The names in a type that is written as a string.
    fn text_types(&mut self, reader: &Reader<'_>, node: Node<'_>) {
        let Some(ty) = reader.ty(node) else { return };
        let here = span(node);
        let text = here.of(reader.text);
        let mut waiting = vec![ty];
        let mut from = 0;
        let mut names = Vec::new();
        while let Some(ty) = waiting.pop() {
            names.push(ty.path);
            waiting.extend(ty.args.into_iter().rev());
        }
        for mut path in names {
            let Some(name) = path.pop() else { continue };
            let written = path.iter().map(|part| part.len() + 1).sum::<usize>();
            let whole =
                if path.is_empty() { name.clone() } else { format!("{}.{name}", path.join(".")).into() };
            let Some(found) = text.get(from..).and_then(|rest| rest.find(whole.as_str())) else { continue };
            let start = here.start + (from + found + written) as u32;
            from += found + whole.len();
            self.refs.push(DraftRef {
                span: Span::new(start, start + name.len() as u32),
                receiver: receiver_of(path),
                name,
                role: RefRole::Type,
                arguments: None,
                given: Vec::new(),
            });
        }
    }
}

/// `a.b` before a name, as an expression.
fn receiver_of(path: Vec<Name>) -> Option<Expr> {
    path.into_iter().fold(None, |base, name| {
        Some(match base {
            None => Expr::Name(name),
            Some(base) => Expr::Member(Box::new(base), name),
        })
    })
}

/// Goes through the arguments of a list and of the lists in it, and says of each whether it stands in the outermost.
/// What stands beside an inner list stands after it.
fn each_argument<'n>(
    grammar: &Grammar,
    list: Node<'n>,
    outermost: bool,
    each: &mut dyn FnMut(Node<'n>, bool),
) {
    for child in named(list) {
        if grammar.argument_lists.get(child).is_some() {
            each_argument(grammar, child, false, each);
        } else if grammar.argument_extras.get(child).is_none() {
            each(child, outermost);
        }
    }
}

fn arguments(reader: &Reader<'_>, list: Node<'_>) -> Vec<Given> {
    let mut given = Vec::new();
    each_argument(reader.grammar, list, true, &mut |argument, outermost| {
        let name = if is_named(reader.grammar, argument) { named(argument).next() } else { None };
        let value = reader.expr(argument);
        given.push(Given {
            name: name.map(|name| reader.name(name).into()),
            trailing: outermost && matches!(value, Expr::Lambda(_)),
            value,
        });
    });
    given
}

/// Whether an argument is given by the name of its parameter.
fn is_named(grammar: &Grammar, argument: Node<'_>) -> bool {
    let token = grammar.spec.syntax.argument_name;
    token.is_some_and(|token| children(argument).any(|part| part.kind() == token))
}

/// The number of arguments; `None` where one stands for any number.
fn count_arguments(reader: &Reader<'_>, list: Node<'_>) -> Option<u8> {
    let grammar = reader.grammar;
    if grammar.argument_lists.get(list).is_none() {
        // A generator expression or a lambda as the only argument.
        return Some(1);
    }
    let (mut count, mut splat) = (0u32, false);
    each_argument(grammar, list, true, &mut |argument, _| {
        splat |= grammar.argument_splats.get(argument).is_some();
        count += 1;
    });
    if splat {
        return None;
    }
    u8::try_from(count).ok()
}
