//! Definitions: from a captured node to a `Draft` with its signature, types, parameters and marks.

use super::{
    Binding, BindingKind, Def, DefTraits, Expr, Name, Param, Supertype, TypeExpr, TypeForm,
    captures::{CapturedDef, Manner},
    grammar::{Grammar, ParamParts, Parts},
    harvest::{Draft, DraftBinding, Harvest},
    reader::{Reader, span},
    tree::{Node, children, named},
};
use crate::{
    lang::{ExprShape, Instance, Mark, PatternShape, SymbolKind, Visibility},
    text::Span,
};

/// A pattern, or a list of parts, nested deeper than this binds nothing.
const MAX_PATTERN_DEPTH: u32 = 16;

impl Harvest {
    /// Adds a draft of one definition, without what depends on the definitions around it.
    pub(super) fn define(&mut self, reader: &Reader<'_>, captured: &CapturedDef<'_>) {
        let CapturedDef { node, mut name, .. } = *captured;
        if captured.kind == SymbolKind::Extension {
            name = reader.type_site(name);
        }
        let syntax = &reader.grammar.spec.syntax;
        let shape = reader.grammar.shapes.get(node);
        let find =
            |pick: fn(&Parts) -> &super::grammar::Ways| shape.and_then(|shape| pick(shape).follow(node));
        let full = span(node);
        let body = find(|parts| &parts.body);
        let value = find(|parts| &parts.value);
        let mut def = Def {
            kind: captured.kind,
            name: captured.fixed_name.unwrap_or(reader.name(name)).into(),
            name_span: span(name),
            full,
            signature: signature(reader, node, body, value),
            doc: None,
            container: None,
            visibility: syntax.visibility.default,
            traits: DefTraits::default(),
            params: Vec::new(),
            ty: None,
            value: None,
            receiver: find(|parts| &parts.receiver).and_then(|receiver| reader.ty(receiver)),
            supertypes: Vec::new(),
            type_params: Vec::new(),
            file: None,
            known_as: None,
            within: None,
        };
        // A type with a body is what the body says.
        let by_body = captured.kind.is_type() && body.is_some();
        if !(captured.part || by_body) {
            let by_value = captured.kind.is_callable() && shape.is_some_and(|shape| !shape.result.is_empty());
            let ty = if by_value { find(|parts| &parts.result) } else { find(|parts| &parts.ty) };
            def.ty = ty.and_then(|ty| reader.ty(ty));
        }
        if let Some(shape) = shape {
            let receiver =
                shape.receiver_parameters.follow(node).filter(|_| captured.kind == SymbolKind::Extension);
            if let Some(list) = receiver.or_else(|| shape.type_parameters.follow(node)) {
                def.type_params = reader.type_params(list);
            }
            if let Some(list) = shape.constraints.follow(node) {
                reader.constrain(&mut def.type_params, list);
            }
            supertypes(reader, shape, node, captured.supertype, &mut def.supertypes);
            def.traits.accessor = shape.accessor.follow(node).is_some();
            def.traits.part = shape.part;
        }
        let mut draft = Draft {
            manner: captured.manner,
            body: body.map(span),
            declared_at: full.end,
            has_instance: false,
            visibility_written: false,
            constant: captured.kind == SymbolKind::Constant,
            bare: false,
            def,
        };
        draft.bare = shape.is_some_and(|shape| shape.parameters.is_empty());
        modifiers(reader, node, name, body, &mut draft);
        let list = find(|parts| &parts.parameters).filter(|_| captured.kind != SymbolKind::Extension);
        if let Some(list) = list {
            self.parameters(reader, list, full, Some(&mut draft));
        }
        // A callable, and a type with a body, may be without; `outline` decides by the container.
        let can_be_without = draft.def.kind.is_callable() && draft.def.kind != SymbolKind::Constructor;
        draft.def.traits.without_body |= can_be_without && body.is_none() && value.is_none();
        // A name that is all there is of its definition is a use, too.
        if captured.manner != Manner::Member && name.id() != node.id() {
            self.claimed.push(draft.def.name_span.start);
        }
        self.drafts.push(draft);
    }

    /// The value of a definition, which may hold the instance.
    pub(super) fn evaluate(&mut self, reader: &Reader<'_>, captured: &CapturedDef<'_>, draft: usize) {
        let value =
            reader.grammar.shapes.get(captured.node).and_then(|shape| shape.value.follow(captured.node));
        let this = |node| matches!(reader.grammar.expressions.get(node), Some(ExprShape::This));
        let of_instance = captured.instance.is_none_or(|at| reader.is_instance(at) || this(at));
        let value = value.map(|value| match captured.part {
            true => self.part_of(reader, captured, value),
            false => reader.expr(value),
        });
        let draft = &mut self.drafts[draft];
        draft.def.value = value.filter(|value| *value != Expr::Opaque);
        if !of_instance {
            // A member of something else is no definition; an empty name drops it in `outline`.
            draft.def.name = Name::default();
        }
    }

    /// Parameters of a definition, or of a lambda, as bindings over `scope`.
    pub(super) fn parameters(
        &mut self,
        reader: &Reader<'_>,
        list: Node<'_>,
        scope: Span,
        mut draft: Option<&mut Draft>,
    ) {
        let variadic = reader.grammar.spec.syntax.variadic;
        let mark = reader.grammar.spec.syntax.default_mark;
        let marked = |node: Node<'_>| children(node).any(|part| part.kind() == mark);
        let mut listed = false;
        let mut default = false;
        for child in children(list) {
            if child.is_extra() {
                continue;
            }
            if !child.is_named() {
                default = child.kind() == mark;
                continue;
            }
            if std::mem::take(&mut default) {
                // The default of the parameter before it.
                if let Some(param) = draft.as_deref_mut().and_then(|draft| draft.def.params.last_mut()) {
                    param.optional = true;
                }
                continue;
            }
            let word = variadic.contains(&reader.slice(child));
            let many = listed
                || variadic.contains(&child.kind())
                || named(child).any(|part| variadic.contains(&part.kind()));
            listed = word;
            let mut default = None;
            let (name, ty, member) = match reader.grammar.parameters.get(child) {
                Some(ParamParts { receiver: true, .. }) => {
                    if let Some(draft) = draft.as_deref_mut() {
                        draft.has_instance = true;
                    }
                    continue;
                }
                Some(parts) => {
                    default = parts.default.follow(child).map(|value| reader.expr(value));
                    (
                        parts.name.follow(child),
                        parts.ty.follow(child).and_then(|ty| reader.ty(ty)).map(|ty| match many {
                            true => TypeExpr { path: Vec::new(), args: vec![ty], form: TypeForm::Sequence },
                            false => ty,
                        }),
                        parts.member.follow(child).is_some(),
                    )
                }
                None if reader.grammar.patterns.get(child).is_some() => (Some(child), None, false),
                None => {
                    // A part without a name has its position for one: `0`.
                    if let (Some(draft), Some(ty)) = (draft.as_deref_mut(), reader.ty(child)) {
                        let name = draft.def.params.len().to_string();
                        draft.def.params.push(Param {
                            name: name.into(),
                            ty: Some(ty),
                            optional: false,
                            many: false,
                        });
                    }
                    continue;
                }
            };
            let all = reader.grammar.parameters.get(child).and_then(|parts| parts.names);
            if let Some(kind) = all {
                let names: Vec<_> = named(child).filter(|part| part.kind_id() == kind).collect();
                for &name in &names {
                    self.pattern(reader, name, None, ty.clone(), &|_| scope, BindingKind::Parameter, false);
                }
                if let Some(draft) = draft.as_deref_mut() {
                    for at in 0..names.len().max(1) {
                        let name = names.get(at).map_or("_", |name| reader.name(*name)).into();
                        draft.def.params.push(Param { name, ty: ty.clone(), optional: many, many });
                    }
                }
                continue;
            }
            let Some(name) = name else { continue };
            if let (Instance::Parameter(this), Some(draft)) =
                (reader.grammar.spec.syntax.instance, draft.as_deref_mut())
                && name.kind() == this
            {
                draft.has_instance = true;
                draft.def.traits.boxed_instance = ty.as_ref().is_some_and(|ty| ty.form != TypeForm::SelfType);
                continue;
            }
            let before = self.bindings.len();
            if !member {
                // A missing value says nothing of those that are given.
                let nothing = reader.grammar.spec.resolution.nothing_types;
                let default = default.filter(|value| match value {
                    Expr::Literal(name) => !nothing.contains(&name.as_str()),
                    _ => true,
                });
                self.pattern(reader, name, default, ty.clone(), &|_| scope, BindingKind::Parameter, false);
            }
            if let Some(draft) = draft.as_deref_mut() {
                let name = match &self.bindings[before..] {
                    [one] => one.binding.name.clone(),
                    _ if member => reader.name(name).into(),
                    _ => "_".into(),
                };
                draft.def.params.push(Param { name, ty, optional: many || marked(child), many });
            }
        }
    }

    /// What a pattern binds. `scope` gives the visibility from the name's end on.
    #[allow(clippy::too_many_arguments)]
    pub(super) fn pattern(
        &mut self,
        reader: &Reader<'_>,
        pattern: Node<'_>,
        value: Option<Expr>,
        ty: Option<TypeExpr>,
        scope: &dyn Fn(Span) -> Span,
        kind: BindingKind,
        open: bool,
    ) {
        use PatternShape::*;
        let syntax = &reader.grammar.spec.syntax;
        let bind = |harvest: &mut Harvest, node: Node<'_>, value: Option<Expr>, ty: Option<TypeExpr>| {
            let name = reader.name(node);
            let refers = syntax.upper_case_patterns_refer && name.starts_with(char::is_uppercase);
            if refers || name.is_empty() {
                return;
            }
            let name_span = span(node);
            harvest.claimed.push(name_span.start);
            if name != "_" {
                harvest.bindings.push(DraftBinding {
                    binding: Binding {
                        name: name.into(),
                        name_span,
                        scope: scope(name_span),
                        kind,
                        ty,
                        value: value.filter(|value| *value != Expr::Opaque),
                        from: scope(name_span).start,
                        branch: None,
                        hidden: Vec::new(),
                    },
                    open,
                });
            }
        };
        let mut waiting = vec![(pattern, value, ty, 0)];
        while let Some((node, value, ty, depth)) = waiting.pop() {
            let Some(shape) = reader.grammar.patterns.get(node) else { continue };
            if depth == MAX_PATTERN_DEPTH {
                continue;
            }
            let mut below =
                |parts: &mut dyn DoubleEndedIterator<Item = _>, value: Option<Expr>, ty: Option<TypeExpr>| {
                    waiting.extend(parts.rev().map(|n| (n, value.clone(), ty.clone(), depth + 1)));
                };
            match shape {
                Name => bind(self, node, value, ty),
                Rest => {}
                Shorthand => {
                    let name = reader.name(node);
                    let whole = value.or_else(|| ty.map(|ty| Expr::Typed(Box::new(ty))));
                    let value = whole.map(|whole| Expr::Member(Box::new(whole), name.into()));
                    bind(self, node, value, None);
                }
                Inner => below(&mut parts(node).into_iter(), value, ty),
                Parts => {
                    for (part, at) in placed(reader, node, parts(node)).into_iter().rev() {
                        let value = value.as_ref().and_then(|value| part_at(value, at?));
                        waiting.push((part, value, None, depth + 1));
                    }
                }
                Constructor { name } => {
                    let constructor = name.follow(node);
                    let mut parts = parts(node);
                    parts.retain(|part| constructor.is_none_or(|c| c.id() != part.id()));
                    let path = constructor.map_or_else(Vec::new, |node| reader.segments(node));
                    let unwraps = path.len() == 1 && syntax.unwrapping_patterns.contains(&path[0].as_str());
                    if unwraps && parts.len() == 1 {
                        let value = value.map(|value| Expr::Unwrap(Box::new(value)));
                        below(&mut parts.into_iter(), value, None);
                        continue;
                    }
                    // The parts are looked up in what the pattern names.
                    let ty = constructor.and_then(|node| reader.ty(node));
                    let matched =
                        ty.map(|ty| Expr::Matched(Box::new(value.unwrap_or(Expr::Opaque)), Box::new(ty)));
                    for (part, at) in placed(reader, node, parts).into_iter().rev() {
                        let member = matches!(reader.grammar.patterns.get(part), Some(Member { .. }));
                        let value = matched.as_ref().and_then(|value| match member {
                            true => Some(value.clone()),
                            false => part_at(value, at?),
                        });
                        waiting.push((part, value, None, depth + 1));
                    }
                }
                Member { name, pattern } => {
                    let Some(name) = name.follow(node) else { continue };
                    let member = reader.name(name).into();
                    let value = value
                        .or_else(|| ty.map(|ty| Expr::Typed(Box::new(ty))))
                        .map(|value| Expr::Member(Box::new(value), member));
                    let pattern = pattern.follow(node).unwrap_or(name);
                    below(&mut std::iter::once(pattern), value, None);
                }
                Declared { name, ty: own } => {
                    let own = own.follow(node).and_then(|ty| reader.ty(ty)).or(ty);
                    if let Some(name) = name.follow(node) {
                        below(&mut std::iter::once(name), value, own);
                    }
                }
            }
        }
    }
}

fn parts(node: Node<'_>) -> Vec<Node<'_>> {
    named(node).collect()
}

/// Parts of a pattern with their places, as far as these are known: `[, second]` leaves one out.
fn placed<'n>(reader: &Reader<'_>, pattern: Node<'n>, parts: Vec<Node<'n>>) -> Vec<(Node<'n>, Option<u8>)> {
    let variadic = reader.grammar.spec.syntax.variadic;
    let rest = |part: &Node<'_>| {
        matches!(reader.grammar.patterns.get(*part), Some(PatternShape::Rest))
            || variadic.contains(&part.kind())
    };
    let known = parts.iter().position(rest).unwrap_or(parts.len());
    let commas: Vec<usize> =
        children(pattern).filter(|child| child.kind() == ",").map(|comma| comma.start_byte()).collect();
    let place = |at: usize, part: &Node<'_>| {
        let place = match commas.is_empty() {
            true => at,
            false => commas.partition_point(|&comma| comma < part.start_byte()),
        };
        u8::try_from(place).ok().filter(|_| at < known)
    };
    parts.into_iter().enumerate().map(|(at, part)| (part, place(at, &part))).collect()
}

/// A part of a value; of a tuple that is written out the element itself.
fn part_at(value: &Expr, at: u8) -> Option<Expr> {
    match value {
        Expr::Tuple(parts) => parts.get(usize::from(at)).cloned(),
        Expr::Opaque => None,
        value => Some(Expr::Part(Box::new(value.clone()), at)),
    }
}

impl Harvest {
    /// What a declaration of several names says of one of them.
    fn part_of(&mut self, reader: &Reader<'_>, captured: &CapturedDef<'_>, value: Node<'_>) -> Expr {
        let list = children(captured.node).find(|child| span(*child).encloses(span(captured.name)));
        let Some(list) =
            list.filter(|list| matches!(reader.grammar.patterns.get(*list), Some(PatternShape::Inner)))
        else {
            return part_of(reader, captured, value);
        };
        // The pattern is read for its one name.
        let (bindings, claimed) = (self.bindings.len(), self.claimed.len());
        let value = Some(reader.expr(value));
        self.pattern(reader, list, value, None, &|name| name, BindingKind::Local, false);
        let read = self.bindings.split_off(bindings);
        self.claimed.truncate(claimed);
        let own = read.into_iter().find(|draft| draft.binding.name_span == span(captured.name));
        own.and_then(|draft| draft.binding.value).unwrap_or(Expr::Opaque)
    }
}

/// Of `a, b = x, y` the value that stands where the name stands; of `a, b = pair` a part.
fn part_of(reader: &Reader<'_>, captured: &CapturedDef<'_>, value: Node<'_>) -> Expr {
    let list = children(captured.node).find(|child| span(*child).encloses(span(captured.name)));
    let at = list.and_then(|list| named(list).position(|part| span(part).encloses(span(captured.name))));
    let (Some(list), Some(at)) = (list, at) else { return Expr::Opaque };
    let variadic = reader.grammar.spec.syntax.variadic;
    if named(list).take(at).any(|part| variadic.contains(&part.kind())) {
        return Expr::Opaque;
    }
    let is_list =
        reader.grammar.expressions.get(value).is_none_or(|shape| {
            matches!(shape, ExprShape::Tuple | ExprShape::Row | ExprShape::Filled { .. })
        });
    let values = named(value);
    if is_list && values.count() == named(list).count() {
        return named(value).nth(at).map_or(Expr::Opaque, |value| reader.expr(value));
    }
    match (reader.expr(value), u8::try_from(at)) {
        (Expr::Opaque, _) | (_, Err(_)) => Expr::Opaque,
        (value, Ok(at)) => Expr::Part(Box::new(value), at),
    }
}

/// From the node's start to before its body, without the white space before that.
fn signature(reader: &Reader<'_>, node: Node<'_>, body: Option<Node<'_>>, value: Option<Node<'_>>) -> Span {
    let full = span(node);
    let mut end = full.end;
    if let Some(body) = body {
        end = span(body).start;
        if let Some(token) = reader.grammar.spec.syntax.signature_end {
            let last = children(node)
                .take_while(|child| child.id() != body.id())
                .filter(|child| !child.is_named() && child.kind() == token)
                .last();
            end = last.map_or(end, |token| span(token).end);
        }
    } else if let Some(value) = value
        && reader.slice(value).contains('\n')
    {
        end = span(value).start;
    }
    let kept = Span::new(full.start, end.max(full.start)).of(reader.text).trim_end().len() as u32;
    Span::new(full.start, full.start + kept)
}

fn supertypes(
    reader: &Reader<'_>,
    parts: &Parts,
    node: Node<'_>,
    outside: Option<Node<'_>>,
    into: &mut Vec<Supertype>,
) {
    let mut add = |written: Node<'_>| {
        // `impl !Send for T` denies it.
        let before = reader.text.get(..written.start_byte()).unwrap_or("");
        if before.trim_end().ends_with('!') {
            return;
        }
        let choices = reader.grammar.spec.resolution.implicit_interfaces;
        let is_named = |ty: &TypeExpr| match ty.form {
            TypeForm::Record => false,
            TypeForm::Union => choices,
            _ => !ty.path.is_empty(),
        };
        if let Some(ty) = reader.ty(written).filter(is_named) {
            let delegated = parts.delegate.follow(written).map(|value| reader.expr(value));
            into.push(Supertype { ty, site: span(reader.type_site(written)), delegated });
        }
    };
    outside.into_iter().for_each(&mut add);
    for way in parts.supertypes.all() {
        if let Some(list) = way.follow(node) {
            reader.type_list(list).into_iter().for_each(&mut add);
        }
    }
    if let Some(kind) = parts.supertype_kind {
        children(node).filter(|child| child.kind_id() == kind).for_each(&mut add);
    }
}

/// Reads the words before a definition's name.
fn modifiers(reader: &Reader<'_>, node: Node<'_>, name: Node<'_>, body: Option<Node<'_>>, draft: &mut Draft) {
    let syntax = &reader.grammar.spec.syntax;
    let end = body.map_or(name.start_byte(), |body| body.start_byte().min(name.start_byte()));
    let mut word = |child: Node<'_>| {
        let text = reader.slice(child);
        if syntax.visibility.node == Some(child.kind()) {
            draft.def.visibility = written_visibility(text);
            draft.visibility_written = true;
        }
        for (_, mark) in syntax.modifiers.iter().filter(|(modifier, _)| *modifier == text) {
            draft.mark(*mark);
        }
    };
    // A word that is the name is no modifier: a method `get`.
    let before = children(node).take_while(|child| child.start_byte() <= end);
    for child in before.filter(|child| !child.is_named() || child.id() != name.id()) {
        if reader.grammar.modifier_groups.get(child).is_some() {
            children(child).for_each(&mut word);
        } else {
            word(child);
        }
    }
}

/// Rust's `pub`, `pub(crate)`, `pub(in path)`, `pub(self)`.
fn written_visibility(text: &str) -> Visibility {
    let text: Name = text.split_whitespace().collect();
    match text.as_str() {
        "pub(self)" => Visibility::Private,
        "pub" => Visibility::Public,
        _ => Visibility::Internal,
    }
}

impl Draft {
    pub(super) fn mark(&mut self, mark: Mark) {
        let traits = &mut self.def.traits;
        match mark {
            Mark::Visibility(visibility) => {
                self.def.visibility = visibility;
                self.visibility_written = true;
            }
            Mark::Test => traits.test = true,
            Mark::WithoutBody => traits.without_body = !self.def.kind.is_type(),
            Mark::Associated => traits.associated = true,
            Mark::Override => traits.marked_override = true,
            Mark::Accessor => traits.accessor = true,
            Mark::Companion => traits.companion = true,
            Mark::Operator => traits.operator = true,
            Mark::Conditional => traits.conditional = true,
            Mark::Functional => traits.functional |= self.def.kind == SymbolKind::Interface,
            Mark::Constant => self.constant = true,
            Mark::ExportedMacro => traits.exported_macro = true,
            Mark::Yields => traits.yields = true,
            Mark::Hidden => traits.hidden = true,
            Mark::Deprecated => traits.deprecated = true,
            Mark::Expected => traits.expected = true,
            Mark::Continued => traits.continued = true,
        }
    }

    /// Reads the attributes, decorators or annotations of a definition.
    pub(super) fn attribute(&mut self, grammar: &Grammar, text: &str) {
        let syntax = &grammar.spec.syntax;
        let name = attribute_name(text);
        for (_, mark) in syntax.decorators.iter().filter(|(decorator, _)| *decorator == name) {
            self.mark(*mark);
        }
        for (decorator, word, mark) in syntax.decorator_words {
            if *decorator == name && text.contains(word) {
                self.mark(*mark);
            }
        }
        if let Some(known) = known_as(grammar, text) {
            self.def.known_as = Some(known);
        }
        if syntax.file_attribute == Some(name) {
            self.def.file = text.split('"').nth(1).map(Name::from);
        }
        if let Some((condition, test)) = syntax.condition_attribute
            && name == condition
        {
            self.def.traits.conditional = true;
            let mut words = text.split(|c: char| !(c.is_alphanumeric() || c == '_'));
            self.def.traits.test |= words.any(|word| word == test) && !text.contains("not(test");
        }
    }
}

/// The name for other languages that an attribute states.
pub(super) fn known_as(grammar: &Grammar, text: &str) -> Option<Name> {
    let (attribute, parts) = grammar.spec.syntax.name_attribute?;
    let (before, _) = text.split_once(attribute)?;
    let part = before.trim_start_matches(['@', ' ']).trim_end_matches([':', ' ']);
    let states = attribute_name(text) == attribute && (part.is_empty() || parts.contains(&part));
    text.split('"').nth(1).filter(|_| states).map(Name::from)
}

/// The last segment of an attribute's name: `test` of `#[tokio::test(flavor = "…")]`.
pub(super) fn attribute_name(text: &str) -> &str {
    let text = text.trim_start_matches(['@', '#', '!', '[', ' ']);
    let end =
        text.find(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '.' | ':'))).unwrap_or(text.len());
    text[..end].rsplit(['.', ':']).next().unwrap_or("")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attribute_names() {
        for (text, name) in [
            ("#[tokio::test(flavor = \"x\")]", "test"),
            ("@functools.cached_property", "cached_property"),
            ("@Test", "Test"),
            ("@get:Rule", "Rule"),
            ("#[cfg(test)]", "cfg"),
            ("@", ""),
        ] {
            assert_eq!(attribute_name(text), name, "{text}");
        }
    }
}
