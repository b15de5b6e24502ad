//! The outline: puts a harvest in order and makes `FileFacts` of it.
//!
//! A use in a decorator, a default, an annotation or a supertype belongs to the definition that it stands
//! in: its range begins with its first attribute. Fields that a method assigns hold no uses; those are
//! the method's.

use std::collections::{BTreeMap, BTreeSet};

use super::{
    Binding, BindingKind, Def, DefId, DefTraits, Expr, FileFacts, Name, Ref, ValueCall,
    branches::Branches,
    captures::Manner,
    grammar::Grammar,
    harvest::{Draft, DraftBinding, Harvest},
    nest::{Nest, pre_order},
    places,
    results::{also, returns},
};
use crate::{
    lang::{Extent, Instance, SymbolKind, Visibility},
    text::{LineIndex, Span},
};

/// The definitions of a container by name, in their order.
#[derive(Default)]
struct Named(BTreeMap<usize, BTreeMap<Name, Vec<usize>>>);

impl Named {
    fn add(&mut self, container: usize, name: &str, def: usize) {
        let names = self.0.entry(container).or_default();
        match names.get_mut(name) {
            Some(defs) => defs.push(def),
            None => drop(names.insert(name.into(), vec![def])),
        }
    }

    fn of(&self, container: usize, name: &str) -> &[usize] {
        self.0.get(&container).and_then(|names| names.get(name)).map_or(&[], Vec::as_slice)
    }
}

pub(super) fn facts(grammar: &'static Grammar, text: &str, mut harvest: Harvest) -> FileFacts {
    harvest.leading.settle();
    harvest.bound_depth();
    harvest.scopes.sort_by_key(|span| pre_order(*span));
    harvest.scopes.dedup();
    let mut drafts = std::mem::take(&mut harvest.drafts);
    drafts.retain(|draft| !draft.def.name.is_empty());
    accessors(text, &mut drafts, &mut harvest);
    for draft in &mut drafts {
        attach(grammar, text, &harvest, draft);
    }
    drafts.sort_by_key(|draft| (pre_order(draft.def.full), draft.def.name_span, draft.def.kind));
    drafts
        .dedup_by(|next, first| next.def.full == first.def.full && next.def.name_span == first.def.name_span);
    harvest.literals.sort_by_key(|span| pre_order(*span));
    let whole = Span::new(0, text.len() as u32);
    let defs = nest(grammar, whole, drafts, &mut harvest);
    let (mut defs, owns): (Vec<Def>, Vec<bool>) = defs.into_iter().unzip();
    if grammar.spec.syntax.functional_interfaces {
        functional(&mut defs);
    }
    inner_docs(text, &mut defs, &harvest.inner_docs);
    let returned = returns(grammar, &mut defs, &mut harvest);
    let bindings = bindings(grammar, &defs, &mut harvest);
    let owners: Vec<usize> = (0..defs.len()).filter(|&at| owns[at]).collect();
    let spans: Vec<Span> = owners.iter().map(|&at| defs[at].full).collect();
    let mut around = Nest::new(&spans);
    harvest.refs.sort_by_key(|reference| (reference.span, reference.role));
    harvest.refs.dedup_by_key(|reference| reference.span);
    let refs: Vec<Ref> = std::mem::take(&mut harvest.refs)
        .into_iter()
        .map(|draft| Ref {
            from: around.innermost(draft.span.start).map_or(0, |at| owners[at]) as DefId,
            name: draft.name,
            span: draft.span,
            role: draft.role,
            receiver: draft.receiver,
            arguments: draft.arguments,
            given: draft.given,
        })
        .collect();
    let mut around = Nest::new(&spans);
    harvest.value_calls.sort_by_key(|(span, _)| *span);
    harvest.value_calls.dedup_by_key(|(span, _)| *span);
    let value_calls = std::mem::take(&mut harvest.value_calls)
        .into_iter()
        .map(|(span, callee)| ValueCall {
            from: around.innermost(span.start).map_or(0, |at| owners[at]) as DefId,
            span,
            callee,
        })
        .collect();
    let mut around = Nest::new(&spans);
    harvest.imports.sort_by_key(|(at, import)| (*at, import.span));
    let imports = std::mem::take(&mut harvest.imports)
        .into_iter()
        .map(|(at, mut import)| {
            let mut scope = around.innermost(at).map_or(0, |at| owners[at]);
            // What gives away a definition by its name stands around it.
            if import.outward && defs[scope].name_span.contains(at) {
                scope = defs[scope].container.unwrap_or(0) as usize;
            }
            import.scope = scope as DefId;
            import.reexport &= !defs[import.scope as usize].kind.is_callable();
            import
        })
        .collect::<Vec<super::Import>>();
    let branches = match grammar.spec.resolution.in_order {
        true => Branches::new(&harvest).holding(&defs, &imports),
        false => Vec::new(),
    };
    let handed = places::handed(&mut harvest, &refs, &bindings);
    let arms = places::arms(grammar, &mut harvest, &refs, &bindings);
    let asked = places::asked(&mut harvest, &defs);
    let mut macro_bodies = harvest.macro_bodies;
    macro_bodies.sort();
    macro_bodies.dedup();
    harvest.errors.sort();
    harvest.errors.dedup();
    harvest.comments.sort();
    harvest.comments.dedup();
    FileFacts {
        line_starts: LineIndex::new(text).into_starts(),
        defs,
        bindings,
        refs,
        imports,
        package: harvest.package,
        exports: if harvest.exports_unknown { None } else { harvest.exports },
        branches,
        handed,
        arms,
        value_calls,
        asked,
        returned,
        macro_bodies,
        errors: harvest.errors,
        comments: harvest.comments,
    }
}

/// Joins accessors to the property that they follow.
fn accessors(text: &str, drafts: &mut [Draft], harvest: &mut Harvest) {
    harvest.accessors.sort_by_key(|(span, ..)| *span);
    let mut ends: BTreeMap<u32, usize> = BTreeMap::new();
    if !harvest.accessors.is_empty() {
        for (at, draft) in drafts.iter().enumerate() {
            if draft.manner == Manner::Declaration && !draft.def.full.is_empty() {
                ends.entry(draft.def.full.end).or_insert(at);
            }
        }
    }
    for (accessor, reads, value) in std::mem::take(&mut harvest.accessors) {
        let head = text.get(..accessor.start as usize).unwrap_or("");
        let end = harvest.leading.before_comments(text, head.len() as u32);
        if let Some(property) = ends.remove(&end) {
            let def = &mut drafts[property].def;
            def.full = Span::new(def.full.start, accessor.end);
            ends.entry(accessor.end).or_insert(property);
            def.traits.accessor |= reads;
            if def.value.is_none() {
                def.value = value.filter(|value| *value != Expr::Opaque);
            }
        }
    }
}

/// Adds what stands before a definition: attributes, their marks, and the doc comment.
fn attach(grammar: &Grammar, text: &str, harvest: &Harvest, draft: &mut Draft) {
    let node = draft.def.full;
    if draft.manner == Manner::Definition || draft.manner == Manner::Declaration {
        let before = harvest.leading.before(text, node.start);
        draft.def.doc = before.doc;
        draft.def.full = Span::new(before.start, node.end);
        let head = Span::new(node.start, draft.def.name_span.start.max(node.start));
        for attribute in before.attributes.into_iter().chain(harvest.leading.attributes_in(head)) {
            draft.attribute(grammar, attribute.of(text));
        }
        let signature = draft.def.signature;
        let start = harvest.leading.after_attributes(text, signature).min(signature.end);
        draft.def.signature = Span::new(start, signature.end);
    }
    if draft.def.kind == SymbolKind::Macro
        && let Some(macros) = &grammar.spec.syntax.macros
    {
        // `$name:ident(`
        let mut names = node.of(text).split(macros.name_fragment).skip(1);
        draft.def.traits.takes_apart = names.any(|rest| rest.trim_start().starts_with('('));
    }
    let prefixes = grammar.spec.syntax.test_prefixes;
    draft.def.traits.test |=
        draft.def.kind.is_callable() && prefixes.iter().any(|prefix| draft.def.name.starts_with(prefix));
}

/// Finds each draft's container, turns local variables into bindings and settles kinds. Returns the
/// definitions with whether they hold uses, the module first.
fn nest(grammar: &Grammar, whole: Span, drafts: Vec<Draft>, harvest: &mut Harvest) -> Vec<(Def, bool)> {
    let syntax = &grammar.spec.syntax;
    let module = Def {
        kind: SymbolKind::Module,
        name: Name::default(),
        name_span: Span::default(),
        full: whole,
        signature: Span::default(),
        doc: None,
        container: None,
        visibility: Visibility::Public,
        traits: DefTraits::default(),
        params: Vec::new(),
        ty: None,
        value: None,
        receiver: None,
        supertypes: Vec::new(),
        type_params: Vec::new(),
        file: None,
        known_as: harvest.known_as.take(),
        within: None,
    };
    let mut defs = vec![(module, true)];
    let mut named = Named::default();
    let mut around: Vec<usize> = vec![0];
    let mut modules: BTreeSet<Span> = BTreeSet::new();
    let scopes = std::mem::take(&mut harvest.scopes);
    harvest.unblocked.sort_unstable();
    let macro_bodies: BTreeSet<Span> = harvest.macro_bodies.iter().copied().collect();
    let mut conditionals = std::mem::take(&mut harvest.conditionals);
    conditionals.sort_by_key(|span| pre_order(*span));
    let mut blocks = Nest::new(&scopes);
    let mut conditions = Nest::new(&conditionals);
    let mut inside = Nest::new(&harvest.literals);
    for draft in drafts {
        let full = draft.def.full;
        // Names of one declaration stand side by side.
        let beside = |outer: Span| draft.manner == Manner::Declaration && outer == full;
        while around.len() > 1
            && around.last().is_some_and(|&top| !defs[top].0.full.encloses(full) || beside(defs[top].0.full))
        {
            around.pop();
        }
        let mut container = around.last().copied().unwrap_or(0);
        // The body of a module is no block: what it declares are members.
        let block = blocks.innermost(full.start).map(|at| scopes[at]);
        let block = block.filter(|block| !modules.contains(block));
        let condition = conditions.innermost(full.start).map(|at| conditionals[at]);
        let literal = inside.innermost(full.start).map(|at| harvest.literals[at]);
        if draft.manner == Manner::Member {
            let Some(&ty) = around.iter().rev().find(|&&at| defs[at].0.kind.is_type()) else { continue };
            container = ty;
            if let Some(&known) = named.of(ty, &draft.def.name).first() {
                merge_member(&mut defs[known].0, &draft);
                continue;
            }
        }
        let outer = &defs[container].0;
        let in_block = block.is_some_and(|block| outer.full.encloses(block) && block.encloses(full))
            && block != Some(outer.full);
        if draft.manner == Manner::Declaration && (in_block || outer.kind.is_callable()) {
            harvest.bindings.push(local(draft));
            continue;
        }
        if draft.manner == Manner::Declaration {
            let known = named.of(container, &draft.def.name).iter().rev().copied().find(|&at| {
                let def = &defs[at].0;
                def.receiver == draft.def.receiver && !def.kind.is_callable()
            });
            if let Some(known) = known {
                let known = &mut defs[known].0;
                // Assigned again.
                if !known.kind.is_type() && known.ty.is_none() {
                    known.ty = draft.def.ty;
                    if let Some(value) = draft.def.value {
                        also(&mut known.value, value);
                    }
                }
                continue;
            }
        }
        let mut draft = draft;
        let outer = &defs[container].0;
        settle(syntax, outer, &mut draft);
        if syntax.joined_signatures
            && let Some(known) = join_signature(&mut defs, container, &draft)
        {
            around.push(known);
            continue;
        }
        let outer = &defs[container].0;
        draft.def.container = Some(container as DefId);
        let beyond = harvest.unblocked.binary_search(&draft.def.name_span.start).is_ok();
        // What a macro is given stands where the macro puts it.
        let own = |block: &Span| outer.kind.is_callable() && !beyond && !macro_bodies.contains(block);
        let held = block.filter(own);
        draft.def.within = [literal, held]
            .into_iter()
            .flatten()
            .filter(|span| *span != full && outer.full.encloses(*span) && span.encloses(full))
            .max_by_key(|span| span.start);
        draft.def.traits.conditional |=
            condition.is_some_and(|condition| outer.full.encloses(condition) && condition.encloses(full));
        if draft.manner != Manner::Member {
            around.push(defs.len());
        }
        if draft.def.kind == SymbolKind::Module {
            modules.extend(draft.body);
        }
        named.add(container, &draft.def.name, defs.len());
        defs.push((draft.def, draft.manner != Manner::Member));
    }
    harvest.scopes = scopes;
    without_assigned(defs)
}

/// Leaves out fields that a method assigns from what the type defines under the name further on:
/// `this.run = this.run.bind(this)`.
fn without_assigned(defs: Vec<(Def, bool)>) -> Vec<(Def, bool)> {
    let members: BTreeSet<(DefId, &str)> = defs
        .iter()
        .filter(|(_, owns)| !owns)
        .filter_map(|(def, _)| Some((def.container?, def.name.as_str())))
        .collect();
    let defined =
        |def: &Def| def.container.is_some_and(|container| members.contains(&(container, def.name.as_str())));
    let twice: BTreeSet<(DefId, Name)> = defs
        .iter()
        .filter(|(def, owns)| *owns && defined(def))
        .filter_map(|(def, _)| Some((def.container?, def.name.clone())))
        .collect();
    let made = |def: &Def| def.value.as_ref().is_some_and(|value| value.has_member(&def.name));
    if twice.is_empty() {
        return defs;
    }
    let mut places: Vec<DefId> = Vec::with_capacity(defs.len());
    let mut kept: Vec<(Def, bool)> = Vec::with_capacity(defs.len());
    for (mut def, owns) in defs {
        places.push(kept.len() as DefId);
        let assigned = !owns
            && made(&def)
            && def.container.is_some_and(|container| twice.contains(&(container, def.name.clone())));
        if !assigned {
            def.container = def.container.map(|container| places[container as usize]);
            kept.push((def, owns));
        }
    }
    kept
}

/// Joins a function with the signature of its name that stands right before it, and says which that is.
fn join_signature(defs: &mut [(Def, bool)], container: usize, draft: &Draft) -> Option<usize> {
    let def = &draft.def;
    // What the function before it holds lies between.
    let held =
        defs[container..].iter().rposition(|(known, _)| known.container == Some(container as DefId))?;
    let at = container + held;
    let known = &mut defs[at].0;
    let joins = def.kind.is_callable()
        && known.kind == def.kind
        && known.name == def.name
        && known.traits.without_body
        && !(known.traits.accessor || def.traits.accessor);
    if !joins {
        return None;
    }
    known.full = Span::new(known.full.start, def.full.end);
    known.signature = Span::new(known.signature.start, def.signature.end);
    known.traits.without_body = def.traits.without_body;
    known.doc = known.doc.or(def.doc);
    let declared = known.ty.is_some() && def.traits.without_body;
    if !declared {
        known.params = def.params.clone();
        known.ty = def.ty.clone().or(known.ty.take());
        known.value = def.value.clone();
        known.type_params = def.type_params.clone();
    }
    Some(at)
}

/// A variable of a body, as a binding.
fn local(draft: Draft) -> DraftBinding {
    let from = draft.declared_at;
    DraftBinding {
        binding: Binding {
            name: draft.def.name,
            name_span: draft.def.name_span,
            scope: Span::new(from, from),
            kind: BindingKind::Local,
            ty: draft.def.ty,
            value: draft.def.value,
            from,
            branch: None,
            hidden: Vec::new(),
        },
        open: true,
    }
}

/// Adds what an assignment to a member says to what has its name already.
fn merge_member(known: &mut Def, draft: &Draft) {
    if known.kind == SymbolKind::Field {
        if let Some(value) = &draft.def.value {
            also(&mut known.value, value.clone().placed(draft.def.name_span.start));
        }
        if known.ty.is_none() {
            known.ty = draft.def.ty.clone();
        }
    }
}

/// The kind, the visibility and the marks that depend on the container.
fn settle(syntax: &crate::lang::Syntax, outer: &Def, draft: &mut Draft) {
    use SymbolKind::*;
    let def = &mut draft.def;
    let member = outer.kind.is_type() || matches!(outer.kind, Extension | EnumMember);
    if member && def.kind == Function {
        def.kind = if syntax.constructors.contains(&def.name.as_str()) { Constructor } else { Method };
    }
    if draft.manner == Manner::Declaration {
        if member && def.kind != Constant {
            def.kind = syntax.member_variable;
        } else if syntax.upper_case_constants
            && def.name.chars().any(char::is_uppercase)
            && !def.name.chars().any(char::is_lowercase)
        {
            def.kind = Constant;
        }
        if draft.constant {
            def.kind = Constant;
        }
    }
    let open = matches!(outer.kind, Trait | Interface | Enum | EnumMember)
        || (outer.kind == Extension && !outer.supertypes.is_empty());
    if !draft.visibility_written && open {
        def.visibility = Visibility::Public;
    }
    if syntax.visibility.upper_case {
        let public = def.name.starts_with(char::is_uppercase);
        def.visibility = if public { Visibility::Public } else { Visibility::Internal };
    }
    if !draft.visibility_written && member {
        def.visibility = syntax.visibility.members.unwrap_or(def.visibility);
    }
    if let Some(prefix) = syntax.visibility.private_prefix
        && def.name.starts_with(prefix)
        && !(def.name.starts_with("__") && def.name.ends_with("__"))
    {
        def.visibility = Visibility::Private;
    }
    def.traits.test |= outer.traits.test;
    if def.kind == Constructor && draft.bare {
        // Of the parameters that the type writes.
        def.params.clone_from(&outer.params);
    }
    if member && matches!(def.kind, Method | Constructor) {
        def.traits.associated |= matches!(syntax.instance, Instance::Parameter(_)) && !draft.has_instance;
    }
    def.traits.associated |= outer.traits.companion;
    if matches!(outer.kind, Trait | Interface) {
        let valued =
            def.value.is_some() || def.traits.accessor || (def.kind == TypeAlias && def.ty.is_some());
        def.traits.without_body |=
            matches!(def.kind, Property | Field | Constant | Variable | TypeAlias) && !valued;
    }
    def.traits.elsewhere = def.kind == Module && draft.body.is_none();
    if def.traits.exported_macro {
        def.visibility = Visibility::Public;
    }
}

/// Marks the interfaces with a single method without a body.
fn functional(defs: &mut [Def]) {
    let mut open: BTreeMap<DefId, usize> = BTreeMap::new();
    for def in defs.iter().filter(|def| def.kind == SymbolKind::Method && def.traits.without_body) {
        *open.entry(def.container.unwrap_or(0)).or_default() += 1;
    }
    for (at, count) in open {
        let def = &mut defs[at as usize];
        def.traits.functional |= count == 1 && def.kind == SymbolKind::Interface;
    }
}

/// Docs inside of what they document: a docstring, `//!`.
fn inner_docs(text: &str, defs: &mut [Def], docs: &[Span]) {
    let spans: Vec<Span> = defs.iter().map(|def| def.full).collect();
    let mut around = Nest::new(&spans);
    let mut docs = docs.to_vec();
    docs.sort();
    let blank = |between: Span| between.of(text).trim().is_empty();
    for doc in docs {
        let def = &mut defs[around.innermost(doc.start).unwrap_or(0)];
        def.doc = match def.doc {
            // What stands in an attribute comes before the comment behind it.
            Some(known) if known.end <= doc.start && blank(Span::new(known.end, doc.start)) => {
                Some(Span::new(known.start, doc.end))
            }
            Some(known) => Some(known),
            None => Some(doc),
        };
    }
}

/// Gives open bindings their scope: the innermost block or definition round them.
fn bindings(grammar: &Grammar, defs: &[Def], harvest: &mut Harvest) -> Vec<Binding> {
    let extent = grammar.spec.syntax.extent;
    let mut spans = harvest.scopes.clone();
    spans.extend(defs.iter().filter(|def| def.kind.is_callable() || def.kind.is_type()).map(|def| def.full));
    spans.push(defs[0].full);
    spans.sort_by_key(|span| pre_order(*span));
    spans.dedup();
    let mut outers = Vec::new();
    let mut around = Nest::new(&spans);
    harvest.outers.sort();
    for (at, name) in &harvest.outers {
        outers.push((around.innermost(*at), name.as_str()));
    }
    let mut drafts = std::mem::take(&mut harvest.bindings);
    drafts.sort_by_key(|draft| draft.binding.name_span);
    let mut around = Nest::new(&spans);
    let branches = Branches::new(harvest);
    let defined: BTreeSet<u32> = defs.iter().map(|def| def.name_span.start).collect();
    // What is a definition is no local name.
    drafts.retain(|draft| {
        draft.binding.kind != BindingKind::Local || !defined.contains(&draft.binding.name_span.start)
    });
    let mut bindings = Vec::with_capacity(drafts.len());
    for draft in drafts {
        let mut binding = draft.binding;
        let block = around.innermost(binding.name_span.start);
        if draft.open {
            let scope = block.map_or(defs[0].full, |at| spans[at]);
            binding.scope = match (extent, binding.kind) {
                (Extent::Function, BindingKind::Local) => {
                    branches.place(&mut binding, scope);
                    scope
                }
                (Extent::Function, BindingKind::Narrowed) => {
                    let end = branches.innermost(binding.name_span.start, scope).unwrap_or(scope).end;
                    Span::new(binding.scope.start.min(end), end)
                }
                (Extent::Block, BindingKind::Local) => scope,
                _ => Span::new(binding.scope.start.min(scope.end), scope.end),
            };
            if outers.contains(&(block, binding.name.as_str())) {
                continue;
            }
        }
        bindings.push(binding);
    }
    bindings.sort_by(|a, b| {
        (a.scope.start, a.name_span, a.kind as u8).cmp(&(b.scope.start, b.name_span, b.kind as u8))
    });
    bindings
}
