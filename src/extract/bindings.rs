//! Bindings: local names, lambda parameters, narrowed names and lambda receivers, with their scopes.

use std::collections::BTreeMap;

use super::{
    Binding, BindingKind, Expr,
    captures::{Captured, CapturedBinding},
    harvest::{DraftBinding, Harvest},
    reader::{Reader, span},
    tree::{Node, named},
};
use crate::{lang::ExprShape, text::Span};

impl Harvest {
    /// Binds what the query captured. `literals` are the function literals that are no definitions.
    pub(super) fn bind(&mut self, reader: &Reader<'_>, found: &Captured<'_>, literals: &[Node<'_>]) {
        for captured in &found.bindings {
            self.bind_pattern(reader, captured);
        }
        self.bind_lambdas(reader, found, literals);
        for narrowing in &found.narrowings {
            let Some(ty) = reader.ty(narrowing.ty) else { continue };
            let (scope, open) = match (narrowing.scope, narrowing.after) {
                (Some(scope), _) => (span(scope), false),
                (None, Some(after)) => (Span::new(span(after).end, span(after).end), true),
                (None, None) => continue,
            };
            self.bindings.push(DraftBinding {
                binding: Binding {
                    name: reader.name(narrowing.name).into(),
                    name_span: span(narrowing.name),
                    scope,
                    kind: BindingKind::Narrowed,
                    ty: Some(ty),
                    value: None,
                    from: scope.start,
                    branch: None,
                    hidden: Vec::new(),
                },
                open,
            });
        }
        self.claimed.extend(found.outers.iter().map(|node| span(*node).start));
        self.outers.extend(found.outers.iter().map(|node| (span(*node).start, reader.name(*node).into())));
    }

    fn bind_pattern(&mut self, reader: &Reader<'_>, captured: &CapturedBinding<'_>) {
        let shape = captured.declaration.and_then(|node| Some((node, reader.grammar.shapes.get(node)?)));
        let written = [captured.value, captured.element, captured.wrapped];
        let begins = written.into_iter().flatten().map(|node| span(node).end).max();
        let value = captured.value.or_else(|| shape.and_then(|(node, shape)| shape.value.follow(node)));
        let value = match (captured.element, captured.wrapped) {
            (Some(element), _) => Some(Expr::Element(Box::new(reader.expr(element)))),
            (_, Some(wrapped)) => Some(Expr::Unwrap(Box::new(reader.expr(wrapped)))),
            _ => value.map(|value| reader.expr(value)),
        };
        let ty = captured.ty.or_else(|| shape.and_then(|(node, shape)| shape.ty.follow(node)));
        let ty = ty.and_then(|ty| reader.ty(ty));
        let from = captured.declaration.map(|node| span(node).end);
        let stated = captured.scope.map(|scope| {
            let scope = span(scope);
            Span::new(from.unwrap_or(scope.start).min(scope.end), scope.end)
        });
        let visible = move |name: Span| match stated {
            Some(scope) => scope,
            None => {
                let from = from.unwrap_or(name.end);
                Span::new(from, from)
            }
        };
        let open = stated.is_none();
        let first = self.bindings.len();
        self.pattern(reader, captured.pattern, value, ty, &visible, BindingKind::Local, open);
        if open && let Some(begins) = begins {
            for draft in &mut self.bindings[first..] {
                draft.binding.from = draft.binding.from.max(begins);
            }
        }
    }

    /// Parameters of function literals, with what the call around hands to them.
    fn bind_lambdas(&mut self, reader: &Reader<'_>, found: &Captured<'_>, literals: &[Node<'_>]) {
        let syntax = &reader.grammar.spec.syntax;
        let calls = found.refs.iter().filter_map(|reference| reference.call);
        let mut callees: BTreeMap<u32, Node<'_>> = BTreeMap::new();
        let calling = |shape: &ExprShape<_>| {
            matches!(shape, ExprShape::Call { .. } | ExprShape::Made { .. } | ExprShape::Invoke { .. })
        };
        for call in calls {
            if reader.grammar.expressions.get(call).is_some_and(calling) {
                callees.extend(reader.lambda_arguments(call).into_iter().map(|lambda| (lambda.id(), call)));
            }
        }
        let mut places: BTreeMap<u32, Expr> = BTreeMap::new();
        for (lambda, place, is_type) in &found.lambda_places {
            let of = match is_type {
                true => reader.ty(*place).map(|ty| Expr::Typed(Box::new(ty))),
                false => Some(reader.expr(*place)),
            };
            places.extend(of.map(|of| (lambda.id(), of)));
        }
        for lambda in literals {
            let scope = span(*lambda);
            let at = Span::new(scope.start, scope.start);
            let list = reader.grammar.shapes.get(*lambda).and_then(|shape| shape.parameters.follow(*lambda));
            let callee = callees.get(&lambda.id()).and_then(|call| reader.callee(*call, 0));
            let callee = callee.or_else(|| places.remove(&lambda.id()));
            let callee = callee.filter(|callee| *callee != Expr::Opaque).map(Box::new);
            if let Some(list) = list {
                self.lambda_parameters(reader, list, scope, callee.as_deref());
            } else if let Some(name) = syntax.implicit_parameter {
                let value = callee.clone().map(|callee| Expr::LambdaParameter(callee, 0));
                self.push_parameter(name, at, scope, BindingKind::Parameter, value);
            }
            if let Some(callee) = callee.filter(|_| syntax.lambda_receivers) {
                let value = Expr::LambdaReceiver(callee);
                self.push_parameter("", at, scope, BindingKind::Receiver, Some(value));
            }
        }
    }

    fn lambda_parameters(&mut self, reader: &Reader<'_>, list: Node<'_>, scope: Span, callee: Option<&Expr>) {
        // A parameter may be all that there is of the list.
        let alone = reader.grammar.patterns.get(list).map(|_| list).filter(|_| named(list).next().is_none());
        for (child, at) in alone.into_iter().chain(named(list)).zip(0u8..) {
            let (pattern, ty) = match reader.grammar.parameters.get(child) {
                Some(parts) => {
                    (parts.name.follow(child), parts.ty.follow(child).and_then(|ty| reader.ty(ty)))
                }
                None => (Some(child), None),
            };
            let Some(pattern) = pattern else { continue };
            let value = callee.map(|callee| Expr::LambdaParameter(Box::new(callee.clone()), at));
            self.pattern(reader, pattern, value, ty, &|_| scope, BindingKind::Parameter, false);
        }
    }

    fn push_parameter(&mut self, name: &str, at: Span, scope: Span, kind: BindingKind, value: Option<Expr>) {
        let name = name.into();
        let from = scope.start;
        let binding = Binding {
            name,
            name_span: at,
            scope,
            kind,
            ty: None,
            value,
            from,
            branch: None,
            hidden: Vec::new(),
        };
        self.bindings.push(DraftBinding { binding, open: false });
    }
}
