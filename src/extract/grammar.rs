//! `Grammar`: a language's spec made ready for use: the compiled query, node kinds as numbers.
//!
//! One per language and process, built at first use.

use std::sync::OnceLock;

use regex::Regex;
use tree_sitter::Language;

use super::{
    query::Query,
    tree::{Kinds, Node, children},
};
use crate::lang::{
    self, ExprShape, ImportShape, LanguageSpec, ParamShape, PatternShape, Shape, Step, SymbolKind, TypeShape,
};

/// A compiled step.
#[derive(Clone, Copy, Debug)]
enum Move {
    Field(u16),
    Kind(u16),
    After(u16),
    Past(u16, u16),
    Is(u16),
    Nth(u32),
    Last,
    /// The grammar has no such field or kind; a test of the registry finds it.
    Nowhere,
}

/// A compiled route.
#[derive(Clone, Debug, Default)]
pub(super) struct Way(Box<[Move]>);

/// Compiled routes.
#[derive(Clone, Debug, Default)]
pub(super) struct Ways(Box<[Way]>);

/// Values by node kind.
#[derive(Debug)]
pub(super) struct ByKind<T> {
    index: Vec<u16>,
    items: Vec<T>,
}

impl<T> ByKind<T> {
    fn new(language: &Language, rows: impl Iterator<Item = (&'static str, T)>) -> Self {
        let mut index = vec![0u16; language.node_kind_count()];
        let mut items = Vec::new();
        for (kind, item) in rows {
            items.push(item);
            for id in kind_ids(language, kind) {
                index[id as usize] = items.len() as u16;
            }
        }
        ByKind { index, items }
    }

    pub(super) fn get(&self, node: Node<'_>) -> Option<&T> {
        // An ERROR node's kind is past the table.
        match self.index.get(node.kind_id() as usize) {
            None | Some(0) => None,
            Some(&at) => self.items.get(at as usize - 1),
        }
    }
}

/// Every number of a node kind; named kinds first, tokens where there is no named one.
fn kind_ids(language: &Language, kind: &str) -> Vec<u16> {
    let of = |named: bool| {
        (0..language.node_kind_count() as u16)
            .filter(|&id| {
                language.node_kind_is_named(id) == named && language.node_kind_for_id(id) == Some(kind)
            })
            .collect::<Vec<_>>()
    };
    let named = of(true);
    if named.is_empty() { of(false) } else { named }
}

/// The parts of a definition, compiled; see `lang::Shape`.
#[derive(Debug)]
pub(super) struct Parts {
    pub body: Ways,
    pub parameters: Ways,
    pub ty: Ways,
    pub result: Ways,
    pub value: Ways,
    pub receiver: Ways,
    pub type_parameters: Ways,
    pub receiver_parameters: Ways,
    pub constraints: Ways,
    pub supertypes: Ways,
    pub supertype_kind: Option<u16>,
    pub delegate: Ways,
    pub accessor: Ways,
    pub part: bool,
}

/// A parameter's parts, compiled.
#[derive(Debug)]
pub(super) struct ParamParts {
    pub name: Ways,
    pub names: Option<u16>,
    pub ty: Ways,
    pub receiver: bool,
    pub member: Ways,
    pub default: Ways,
}

#[derive(Debug)]
pub(super) struct Grammar {
    pub spec: &'static LanguageSpec,
    pub language: Language,
    pub query: Query,
    pub kinds: Kinds,
    pub shapes: ByKind<Parts>,
    pub expressions: ByKind<ExprShape<Way>>,
    pub types: ByKind<TypeShape<Way>>,
    pub patterns: ByKind<PatternShape<Way>>,
    pub parameters: ByKind<ParamParts>,
    pub imports: ByKind<ImportShape<Way>>,
    pub type_parameters: ByKind<(Way, Way)>,
    pub modifier_groups: ByKind<()>,
    pub path_extras: ByKind<()>,
    pub path_heads: ByKind<()>,
    pub call_arguments: Ways,
    pub call_types: Ways,
    pub argument_lists: ByKind<()>,
    pub argument_extras: ByKind<()>,
    pub function_references: ByKind<()>,
    pub argument_splats: ByKind<()>,
    pub prose: ByKind<()>,
    pub import_dots: ByKind<()>,
    pub declarations: Vec<(Regex, SymbolKind)>,
}

/// The grammar of a language.
///
/// # Panics
/// When a spec's query or recovery pattern does not compile: a fault of the product that a test of the
/// registry finds.
pub(super) fn of(spec: &'static LanguageSpec) -> &'static Grammar {
    static ALL: OnceLock<Vec<OnceLock<Grammar>>> = OnceLock::new();
    let all = ALL.get_or_init(|| lang::all().iter().map(|_| OnceLock::new()).collect());
    let at = lang::all()
        .iter()
        .position(|known| std::ptr::eq(*known, spec))
        .expect("specs exist in the registry only");
    all[at].get_or_init(|| Grammar::new(spec))
}

impl Grammar {
    fn new(spec: &'static LanguageSpec) -> Grammar {
        let language = (spec.language)();
        let query = Query::new(&language, spec.query).expect("queries compile; the registry's test");
        let syntax = &spec.syntax;
        let l = &language;
        let kinds = |list: &'static [&'static str]| ByKind::new(l, list.iter().map(|kind| (*kind, ())));
        Grammar {
            spec,
            query,
            kinds: Kinds::new(l),
            shapes: ByKind::new(l, syntax.shapes.iter().map(|(kind, shape)| (*kind, parts(l, shape)))),
            expressions: ByKind::new(l, syntax.expressions.iter().map(|(kind, e)| (*kind, expr(l, e)))),
            types: ByKind::new(l, syntax.types.iter().map(|(kind, t)| (*kind, ty(l, t)))),
            patterns: ByKind::new(l, syntax.patterns.iter().map(|(kind, p)| (*kind, pattern(l, p)))),
            parameters: ByKind::new(l, syntax.parameters.iter().map(|(kind, p)| (*kind, param(l, p)))),
            imports: ByKind::new(l, syntax.imports.iter().map(|(kind, i)| (*kind, import(l, i)))),
            type_parameters: ByKind::new(
                l,
                syntax
                    .type_parameters
                    .iter()
                    .map(|(kind, name, bounds)| (*kind, (way(l, name), way(l, bounds)))),
            ),
            modifier_groups: kinds(syntax.modifier_groups),
            path_extras: kinds(syntax.path_extras),
            path_heads: kinds(syntax.path_heads),
            call_arguments: ways(l, syntax.call_arguments),
            call_types: ways(l, syntax.call_types),
            argument_lists: kinds(syntax.argument_lists),
            argument_extras: kinds(syntax.argument_extras),
            function_references: kinds(syntax.function_references),
            argument_splats: kinds(syntax.argument_splats),
            prose: kinds(syntax.recovery.prose),
            import_dots: ByKind::new(l, syntax.import_dots.iter().map(|kind| (*kind, ()))),
            declarations: syntax
                .recovery
                .declarations
                .iter()
                .map(|(text, kind)| (Regex::new(text).expect("patterns compile; the registry's test"), *kind))
                .collect(),
            language,
        }
    }
}

#[cfg(test)]
impl Grammar {
    /// The steps of the spec's routes that name a field or a kind that the grammar lacks.
    pub(super) fn broken(&self) -> Vec<Step> {
        let syntax = &self.spec.syntax;
        let mut routes: Vec<&[Step]> = Vec::new();
        let mut gather = |route: &&'static [Step]| routes.push(route);
        for (_, shape) in syntax.shapes {
            for list in [
                shape.body,
                shape.parameters,
                shape.ty,
                shape.result,
                shape.value,
                shape.receiver,
                shape.type_parameters,
                shape.receiver_parameters,
                shape.constraints,
                shape.supertypes,
                shape.delegate,
                shape.accessor,
            ] {
                list.iter().for_each(&mut gather);
            }
        }
        for (_, shape) in syntax.expressions {
            each_expr(shape, &mut gather);
        }
        for (_, shape) in syntax.parameters {
            shape.name.iter().chain(shape.ty).chain(shape.member).chain(shape.default).for_each(&mut gather);
        }
        for (_, name, bounds) in syntax.type_parameters {
            [name, bounds].into_iter().for_each(&mut gather);
        }
        let steps = routes.into_iter().flatten();
        steps
            .filter(|step| way(&self.language, &[**step]).0.iter().any(|step| matches!(step, Move::Nowhere)))
            .copied()
            .collect()
    }
}

#[cfg(test)]
fn each_expr(shape: &ExprShape<&'static [Step]>, gather: &mut dyn FnMut(&&'static [Step])) {
    use ExprShape::*;
    match shape {
        Member { object, name }
        | Infix { object, name }
        | Invoke { object, name }
        | Record { value: object, name, .. }
        | Path { path: object, name }
        | Macro { name, body: object } => [object, name].into_iter().for_each(gather),
        Either { first, second } | Branches { body: first, value: second, .. } => {
            [first, second].into_iter().for_each(gather)
        }
        Index { base, index }
        | Made { callee: base, arguments: index }
        | Converted { ty: base, callee: index } => [base, index].into_iter().for_each(gather),
        Filled { element, .. } | OfType { ty: element, .. } => gather(element),
        Operation { first, second, operator, .. } => [first, second, operator].into_iter().for_each(gather),
        Call { callee: one }
        | Element { base: one }
        | Applied { base: one }
        | Unwrap { inner: one }
        | Inner { inner: one }
        | Prefixed { inner: one, .. }
        | Typed { ty: one } => gather(one),
        Number { .. } => {}
        Name | This | Super | Literal(_) | Tuple | Row | Union(_) | Tail | Lambda | Never => {}
    }
}

/// The number that nodes of a kind have; aliases share it.
fn public_kind(language: &Language, kind: &str) -> Option<u16> {
    [true, false].into_iter().map(|named| language.id_for_node_kind(kind, named)).find(|&id| id != 0)
}

fn way(language: &Language, route: &[Step]) -> Way {
    let kind = |name: &str| public_kind(language, name);
    Way(route
        .iter()
        .map(|step| match step {
            Step::Field(name) => {
                language.field_id_for_name(name).map_or(Move::Nowhere, |id| Move::Field(id.get()))
            }
            Step::Kind(name) => kind(name).map_or(Move::Nowhere, Move::Kind),
            Step::After(name) => kind(name).map_or(Move::Nowhere, Move::After),
            Step::Past(token, other) => match (kind(token), kind(other)) {
                (Some(token), Some(other)) => Move::Past(token, other),
                _ => Move::Nowhere,
            },
            Step::Is(name) => kind(name).map_or(Move::Nowhere, Move::Is),
            Step::Nth(at) => Move::Nth(*at),
            Step::Last => Move::Last,
        })
        .collect())
}

fn ways(language: &Language, routes: &[&'static [Step]]) -> Ways {
    Ways(routes.iter().map(|route| way(language, route)).collect())
}

fn parts(l: &Language, shape: &Shape) -> Parts {
    Parts {
        body: ways(l, shape.body),
        parameters: ways(l, shape.parameters),
        ty: ways(l, shape.ty),
        result: ways(l, shape.result),
        value: ways(l, shape.value),
        receiver: ways(l, shape.receiver),
        type_parameters: ways(l, shape.type_parameters),
        receiver_parameters: ways(l, shape.receiver_parameters),
        constraints: ways(l, shape.constraints),
        supertypes: ways(l, shape.supertypes),
        supertype_kind: shape.supertype_kind.and_then(|kind| public_kind(l, kind)),
        delegate: ways(l, shape.delegate),
        accessor: ways(l, shape.accessor),
        part: shape.part,
    }
}

fn param(l: &Language, shape: &ParamShape) -> ParamParts {
    ParamParts {
        name: ways(l, shape.name),
        names: shape.names.and_then(|kind| public_kind(l, kind)),
        ty: ways(l, shape.ty),
        receiver: shape.receiver,
        member: ways(l, shape.member),
        default: ways(l, shape.default),
    }
}

fn expr(l: &Language, shape: &ExprShape<&'static [Step]>) -> ExprShape<Way> {
    use ExprShape::*;
    match shape {
        Name => Name,
        This => This,
        Super => Super,
        Path { path, name } => Path { path: way(l, path), name: way(l, name) },
        Infix { object, name } => Infix { object: way(l, object), name: way(l, name) },
        Invoke { object, name } => Invoke { object: way(l, object), name: way(l, name) },
        Number { name, endings } => Number { name, endings },
        OfType { name, ty } => OfType { name, ty: way(l, ty) },
        Operation { first, second, operator, results, text } => {
            let (first, second) = (way(l, first), way(l, second));
            Operation { first, second, operator: way(l, operator), results, text }
        }
        Member { object, name } => Member { object: way(l, object), name: way(l, name) },
        Call { callee } => Call { callee: way(l, callee) },
        Converted { ty, callee } => Converted { ty: way(l, ty), callee: way(l, callee) },
        Made { callee, arguments } => Made { callee: way(l, callee), arguments: way(l, arguments) },
        Element { base } => Element { base: way(l, base) },
        Applied { base } => Applied { base: way(l, base) },
        Row => Row,
        Index { base, index } => Index { base: way(l, base), index: way(l, index) },
        Tuple => Tuple,
        Union(operator) => Union(operator),
        Filled { name, element } => Filled { name, element: way(l, element) },
        Record { member, name, value, shorthand } => {
            Record { member, name: way(l, name), value: way(l, value), shorthand }
        }
        Unwrap { inner } => Unwrap { inner: way(l, inner) },
        Inner { inner } => Inner { inner: way(l, inner) },
        Prefixed { operator, inner } => Prefixed { operator, inner: way(l, inner) },
        Typed { ty } => Typed { ty: way(l, ty) },
        Literal(name) => Literal(name),
        Either { first, second } => Either { first: way(l, first), second: way(l, second) },
        Branches { body, branch, value } => Branches { body: way(l, body), branch, value: way(l, value) },
        Macro { name, body } => Macro { name: way(l, name), body: way(l, body) },
        Tail => Tail,
        Lambda => Lambda,
        Never => Never,
    }
}

fn ty(l: &Language, shape: &TypeShape<&'static [Step]>) -> TypeShape<Way> {
    use TypeShape::*;
    match shape {
        Name => Name,
        Scoped { path, name } => Scoped { path: way(l, path), name: way(l, name) },
        Generic { base, arguments } => Generic { base: way(l, base), arguments: way(l, arguments) },
        Segments { arguments } => Segments { arguments },
        Inner { inner } => Inner { inner: way(l, inner) },
        Bound { inner } => Bound { inner: way(l, inner) },
        Open { inner } => Open { inner: way(l, inner) },
        Tuple => Tuple,
        Row => Row,
        Unless { other, inner } => Unless { other: way(l, other), inner: way(l, inner) },
        Function { receiver, parameters, result } => {
            Function { receiver: way(l, receiver), parameters: way(l, parameters), result: way(l, result) }
        }
        Union => Union,
        Sequence { element } => Sequence { element: way(l, element) },
        Record { list, member, name, ty } => {
            Record { list: way(l, list), member, name: way(l, name), ty: way(l, ty) }
        }
        Lookup { base, index } => Lookup { base: way(l, base), index: way(l, index) },
        OfValue { value } => OfValue { value: way(l, value) },
        Text => Text,
        Nothing => Nothing,
    }
}

fn pattern(l: &Language, shape: &PatternShape<&'static [Step]>) -> PatternShape<Way> {
    use PatternShape::*;
    match shape {
        Name => Name,
        Rest => Rest,
        Shorthand => Shorthand,
        Inner => Inner,
        Parts => Parts,
        Constructor { name } => Constructor { name: way(l, name) },
        Declared { name, ty } => Declared { name: way(l, name), ty: way(l, ty) },
        Member { name, pattern } => Member { name: way(l, name), pattern: way(l, pattern) },
    }
}

fn import(l: &Language, shape: &ImportShape<&'static [Step]>) -> ImportShape<Way> {
    use ImportShape::*;
    match shape {
        Path => Path,
        Renamed { path, alias, wildcard } => {
            Renamed { path: way(l, path), alias: way(l, alias), wildcard: way(l, wildcard) }
        }
        Wildcard { path } => Wildcard { path: way(l, path) },
        Fixed { name } => Fixed { name },
        Whole { alias } => Whole { alias: way(l, alias) },
        Loaded => Loaded,
        List { prefix, roots } => List { prefix: way(l, prefix), roots: *roots },
    }
}

impl Way {
    /// Whether the route has steps at all.
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Where the route leads; the node itself for the empty route.
    pub(super) fn follow<'t>(&self, mut node: Node<'t>) -> Option<Node<'t>> {
        for step in &self.0 {
            node = match *step {
                Move::Field(id) => node.child_by_field_id(id)?,
                Move::Kind(id) => children(node).find(|child| child.kind_id() == id)?,
                Move::After(id) => {
                    let mut rest = children(node).skip_while(|child| child.kind_id() != id);
                    rest.next()?;
                    rest.find(|child| child.is_named() && !child.is_extra())?
                }
                Move::Past(token, other) => {
                    let mut rest = children(node).skip_while(|child| child.kind_id() != token);
                    rest.next()?;
                    rest.find(|child| child.is_named() && !child.is_extra() && child.kind_id() != other)?
                }
                Move::Is(id) => Some(node).filter(|node| node.kind_id() == id)?,
                Move::Nth(at) => children(node).filter(|c| c.is_named() && !c.is_extra()).nth(at as usize)?,
                Move::Last => children(node).filter(|c| c.is_named() && !c.is_extra()).last()?,
                Move::Nowhere => return None,
            };
        }
        Some(node)
    }
}

impl Ways {
    /// Where the first route that arrives leads.
    pub(super) fn follow<'t>(&self, node: Node<'t>) -> Option<Node<'t>> {
        self.0.iter().find_map(|way| way.follow(node))
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn all(&self) -> impl Iterator<Item = &Way> {
        self.0.iter()
    }
}
