//! Expressions: what decides a receiver's type, by the grammar's table of expression kinds.

use tree_sitter::Node;

use super::{Expr, grammar::named, reader::Reader};
use crate::lang::ExprShape;

/// An expression nested deeper than this is opaque.
const MAX_DEPTH: u32 = 40;

impl Reader<'_> {
    pub(super) fn expr(&self, node: Node<'_>) -> Expr {
        self.expr_below(node, 0)
    }

    /// What stands before a `::`.
    pub(super) fn path_receiver(&self, node: Node<'_>) -> Expr {
        match self.grammar.expressions.get(node) {
            Some(ExprShape::Typed { .. }) => self.expr(node),
            _ => Expr::Path(self.segments(node)),
        }
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
        match shape {
            ExprShape::Name if self.is_instance(node) => Expr::This(None),
            ExprShape::Name => Expr::Name(self.name(node).to_owned()),
            ExprShape::This => Expr::This(named(node).next().map(|label| self.name(label).to_owned())),
            ExprShape::Super => Expr::Super(named(node).next().and_then(|base| self.segments(base).pop())),
            ExprShape::Path { .. } => Expr::Path(self.segments(node)),
            ExprShape::Infix { object, name } => match name.follow(node) {
                Some(name) => {
                    let object = Box::new(inner(object.follow(node)));
                    Expr::Call(Box::new(Expr::Member(object, self.name(name).to_owned())))
                }
                None => Expr::Opaque,
            },
            ExprShape::Member { object, name } => match name.follow(node) {
                Some(name) => Expr::Member(Box::new(inner(object.follow(node))), self.name(name).to_owned()),
                None => Expr::Opaque,
            },
            ExprShape::Call { callee } => match inner(callee.follow(node)) {
                Expr::Name(name) if self.grammar.spec.syntax.super_call == Some(name.as_str()) => {
                    Expr::Super(None)
                }
                callee => Expr::Call(Box::new(callee)),
            },
            ExprShape::Element { base } => Expr::Element(Box::new(inner(base.follow(node)))),
            ExprShape::Unwrap { inner: part } => Expr::Unwrap(Box::new(inner(part.follow(node)))),
            ExprShape::Inner { inner: part } => inner(part.follow(node)),
            ExprShape::Typed { ty } => match ty.follow(node).and_then(|ty| self.ty(ty)) {
                Some(ty) => Expr::Typed(ty),
                None => Expr::Opaque,
            },
            ExprShape::Literal(name) => Expr::Literal((*name).to_owned()),
            ExprShape::Either { first, second } => {
                let mut options = Vec::new();
                for part in [first, second] {
                    let Some(part) = part.follow(node) else { continue };
                    if matches!(self.grammar.expressions.get(part), Some(ExprShape::Never)) {
                        continue;
                    }
                    match self.expr_below(part, depth + 1) {
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
            ExprShape::Tail => inner(named(node).last()),
            ExprShape::Lambda => Expr::Lambda,
            ExprShape::Never => Expr::Opaque,
        }
    }
}
