//! `Capture`: the vocabulary of the languages' queries, and `Captured`: what a query found in one tree.
//!
//! | capture | the node is |
//! |---|---|
//! | `definition.KIND` | a definition; of several patterns for one node the first counts |
//! | `declaration.variable`, `.property`, `.constant` | a variable: a definition in a module or a type, a binding in a body |
//! | `declaration.member` | an assignment to a member of `instance`: a field of the enclosing type |
//! | `name`, `instance`, `part` | the defined name; the object before it; there when a pattern holds several names |
//! | `supertype` | a supertype of a definition, outside of the definition's node |
//! | `binding` | a pattern that binds names, with `binding.value`, `.element`, `.wrapped` (what is entered), `.type`; visible in `.scope`, from the end of `.declaration` |
//! | `this.own`, `this.member`, `this.kept`, `this.outer` | where the instance is one that nothing tells, that of the type or object around, that of the code around, and that of the code before the node |
//! | `lambda` | a function literal |
//! | `lambda.of` with `lambda.type` or `lambda.place` | a function literal, and the type of its place or the place |
//! | `narrow.name`, `narrow.type`, `narrow.scope`, `narrow.after` | a test of a name's type, and where it holds: in a node, or after one |
//! | `outer` | a name that means an outer variable here |
//! | `reference.ROLE` | a name, or an expression or type that ends with one, in a role; `receiver`, `receiver.path`: what stands before the name, where the node does not say; `receiver.type`: the type whose member it names, though the same token may bind a name, too |
//! | `call` | a call, whose callee is the reference and which hands its arguments to it; an assignment, which hands its value to the value that it sets |
//! | `ignore` | a name that is no use |
//! | `import`, `package`, `exports`, `exports.unknown` | an import; the package's name; a list of public names; one that cannot be read |
//! | `export`, `export.source`, `export.all` | what a file gives to others under its own or another `name`; the module that it comes from, where that is another; all that is in it |
//! | `import.source`, `import.member`, `import.name` | what a declaration takes from another module: the module's text, the name there, the name here |
//! | `branch` | a part of a statement that may not run; with `branch.of`, one of the statement's alternatives |
//! | `arm` | an alternative of a statement or an expression that chooses by a value |
//! | `arm.of` | the value that a statement chooses by, right in it |
//! | `asked` | what is asked for an element by a key that is no constant |
//! | `unblocked` | the name of a definition that is visible beyond its block |
//! | `branch.closed` | a block that ends by leaving the function |
//! | `return`, `yield` | what a function without a declared result returns; the mark of a generator |
//! | `accessor` | a getter or setter that follows its property as a statement of its own |
//! | `doc`, `doc.inner`, `comment`, `attribute` | text and attributes before (or in) a definition |
//! | `attribute.file` | an attribute of the whole file |
//! | `scope` | a block that ends the visibility of its local names |
//! | `conditional` | a statement whose definitions may not be there |
//! | `macro`, `opaque` | a token tree that is parsed again; text without uses |
//! | `region.type`, `region.text` | an expression that means a type; a type in a string |
//! | `error` | what the parser could not read |
//! | names that begin with `_` | used by predicates only |

use super::{
    RefRole,
    grammar::Grammar,
    query::Found,
    tree::{Node, Tree},
};
use crate::lang::SymbolKind;

/// Whose instance the keyword means in a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Whose {
    /// That of the code around.
    Kept,
    /// That of the type or the object around.
    Member,
    /// That of the code before the node: what the node defines has none of its own.
    Outer,
    /// One that nothing here tells.
    Untold,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Capture {
    Definition(SymbolKind),
    Declaration(SymbolKind),
    Supertype,
    Member,
    Name,
    Instance,
    Part,
    Binding,
    BindingValue,
    BindingElement,
    BindingWrapped,
    BindingType,
    BindingScope,
    BindingDeclaration,
    This(Whose),
    Lambda,
    LambdaOf,
    LambdaType,
    LambdaPlace,
    NarrowName,
    NarrowType,
    NarrowScope,
    NarrowAfter,
    Outer,
    Reference(RefRole),
    Receiver,
    ReceiverPath,
    ReceiverType,
    Call,
    Ignore,
    Import,
    Package,
    Exports,
    ExportsUnknown,
    Export,
    ExportSource,
    ExportAll,
    ImportSource,
    ImportMember,
    ImportName,
    Return,
    Yield,
    Accessor,
    Doc,
    DocInner,
    Comment,
    Attribute,
    FileAttribute,
    Scope,
    Conditional,
    Branch,
    BranchOf,
    BranchClosed,
    Arm,
    ArmOf,
    Asked,
    Unblocked,
    Macro,
    Opaque,
    RegionType,
    RegionText,
    Error,
    Predicate,
}

impl Capture {
    /// `None` for a name outside of the vocabulary.
    pub(super) fn named(name: &str) -> Option<Capture> {
        use Capture::*;
        if name.starts_with('_') {
            return Some(Predicate);
        }
        if let Some(kind) = name.strip_prefix("definition.") {
            return SymbolKind::named(kind).map(Definition);
        }
        Some(match name {
            "declaration.variable" => Declaration(SymbolKind::Variable),
            "declaration.constant" => Declaration(SymbolKind::Constant),
            "supertype" => Supertype,
            "declaration.property" => Declaration(SymbolKind::Property),
            "declaration.member" => Member,
            "name" => Name,
            "instance" => Instance,
            "part" => Part,
            "binding" => Binding,
            "binding.value" => BindingValue,
            "binding.element" => BindingElement,
            "binding.wrapped" => BindingWrapped,
            "binding.type" => BindingType,
            "binding.scope" => BindingScope,
            "binding.declaration" => BindingDeclaration,
            "this.own" => This(Whose::Untold),
            "this.member" => This(Whose::Member),
            "this.kept" => This(Whose::Kept),
            "this.outer" => This(Whose::Outer),
            "lambda" => Lambda,
            "lambda.of" => LambdaOf,
            "lambda.type" => LambdaType,
            "lambda.place" => LambdaPlace,
            "narrow.name" => NarrowName,
            "narrow.type" => NarrowType,
            "narrow.scope" => NarrowScope,
            "narrow.after" => NarrowAfter,
            "outer" => Outer,
            "reference.call" => Reference(RefRole::Call),
            "reference.macro" => Reference(RefRole::MacroCall),
            "reference.instantiate" => Reference(RefRole::Instantiate),
            "reference.type" => Reference(RefRole::Type),
            "reference.decorator" => Reference(RefRole::Decorator),
            "reference.value" => Reference(RefRole::Value),
            "receiver" => Receiver,
            "receiver.path" => ReceiverPath,
            "receiver.type" => ReceiverType,
            "call" => Call,
            "ignore" => Ignore,
            "import" => Import,
            "package" => Package,
            "exports" => Exports,
            "exports.unknown" => ExportsUnknown,
            "export" => Export,
            "export.source" => ExportSource,
            "export.all" => ExportAll,
            "import.source" => ImportSource,
            "import.member" => ImportMember,
            "import.name" => ImportName,
            "return" => Return,
            "yield" => Yield,
            "accessor" => Accessor,
            "doc" => Doc,
            "doc.inner" => DocInner,
            "comment" => Comment,
            "attribute" => Attribute,
            "attribute.file" => FileAttribute,
            "scope" => Scope,
            "conditional" => Conditional,
            "branch" => Branch,
            "branch.of" => BranchOf,
            "branch.closed" => BranchClosed,
            "arm" => Arm,
            "arm.of" => ArmOf,
            "asked" => Asked,
            "unblocked" => Unblocked,
            "macro" => Macro,
            "opaque" => Opaque,
            "region.type" => RegionType,
            "region.text" => RegionText,
            "error" => Error,
            _ => return None,
        })
    }
}

/// How a definition came about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Manner {
    Definition,
    /// A variable: a definition or a binding, by where it stands.
    Declaration,
    /// An assignment to a member of the instance.
    Member,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct CapturedDef<'t> {
    pub kind: SymbolKind,
    pub manner: Manner,
    pub node: Node<'t>,
    pub name: Node<'t>,
    pub instance: Option<Node<'t>>,
    /// A supertype that stands outside of the node.
    pub supertype: Option<Node<'t>>,
    /// One of several names of one declaration.
    pub part: bool,
    pattern: usize,
    /// The name that the query sets in place of the node's text.
    pub fixed_name: Option<&'static str>,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct CapturedBinding<'t> {
    pub pattern: Node<'t>,
    pub value: Option<Node<'t>>,
    pub element: Option<Node<'t>>,
    pub wrapped: Option<Node<'t>>,
    pub ty: Option<Node<'t>>,
    pub scope: Option<Node<'t>>,
    pub declaration: Option<Node<'t>>,
    order: usize,
}

/// What stands before a name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Before {
    #[default]
    Value,
    Path,
    /// The type that the name is a member of.
    Type,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct CapturedRef<'t> {
    pub name: Node<'t>,
    pub role: RefRole,
    pub receiver: Option<Node<'t>>,
    pub before: Before,
    /// The rest of a path whose segments are siblings.
    pub receiver_rest: Option<Node<'t>>,
    pub call: Option<Node<'t>>,
    pub order: usize,
    /// The name that the query sets in place of the node's text.
    pub fixed_name: Option<&'static str>,
}

/// What a file gives to others, or takes for itself.
#[derive(Clone, Copy, Debug)]
pub(super) struct CapturedExport<'t> {
    /// The file itself sees the name.
    pub inward: bool,
    /// A name of the file, or of the source.
    pub given: Option<Node<'t>>,
    pub source: Option<Node<'t>>,
    pub all: Option<Node<'t>>,
    /// The name that others see.
    pub name: Option<Node<'t>>,
    pub fixed_name: Option<&'static str>,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct CapturedNarrowing<'t> {
    pub name: Node<'t>,
    pub ty: Node<'t>,
    pub scope: Option<Node<'t>>,
    pub after: Option<Node<'t>>,
}

/// What the query found, in order of position where it matters.
#[derive(Debug, Default)]
pub(super) struct Captured<'t> {
    pub defs: Vec<CapturedDef<'t>>,
    pub bindings: Vec<CapturedBinding<'t>>,
    pub refs: Vec<CapturedRef<'t>>,
    pub narrowings: Vec<CapturedNarrowing<'t>>,
    /// Where the instance is another one than around the node.
    pub instances: Vec<(Node<'t>, Whose)>,
    pub lambdas: Vec<Node<'t>>,
    /// Function literals with the type that their place has as it is written, or with the place.
    pub lambda_places: Vec<(Node<'t>, Node<'t>, bool)>,
    pub outers: Vec<Node<'t>>,
    pub ignored: Vec<Node<'t>>,
    pub imports: Vec<Node<'t>>,
    pub packages: Vec<Node<'t>>,
    pub exports: Vec<Node<'t>>,
    pub exports_unknown: bool,
    pub given: Vec<CapturedExport<'t>>,
    pub returns: Vec<Node<'t>>,
    pub yields: Vec<Node<'t>>,
    pub accessors: Vec<Node<'t>>,
    pub docs: Vec<Node<'t>>,
    pub inner_docs: Vec<Node<'t>>,
    pub comments: Vec<Node<'t>>,
    pub attributes: Vec<Node<'t>>,
    pub file_attributes: Vec<Node<'t>>,
    pub scopes: Vec<Node<'t>>,
    pub conditionals: Vec<Node<'t>>,
    /// Branches, and the statement that each is an alternative of.
    pub branches: Vec<(Node<'t>, Option<Node<'t>>)>,
    pub closed: Vec<Node<'t>>,
    pub arms: Vec<Node<'t>>,
    /// The values that statements choose by.
    pub chosen_by: Vec<Node<'t>>,
    pub asked: Vec<Node<'t>>,
    pub unblocked: Vec<Node<'t>>,
    pub macros: Vec<Node<'t>>,
    pub opaques: Vec<Node<'t>>,
    pub type_regions: Vec<Node<'t>>,
    pub text_regions: Vec<Node<'t>>,
    pub errors: Vec<Node<'t>>,
}

/// The nodes of one match, by what they are.
#[derive(Default)]
struct Match<'t> {
    def: Option<(Node<'t>, SymbolKind, Manner)>,
    name: Option<Node<'t>>,
    instance: Option<Node<'t>>,
    supertype: Option<Node<'t>>,
    part: bool,
    binding: Option<Node<'t>>,
    value: Option<Node<'t>>,
    element: Option<Node<'t>>,
    wrapped: Option<Node<'t>>,
    ty: Option<Node<'t>>,
    scope: Option<Node<'t>>,
    declaration: Option<Node<'t>>,
    lambda: Option<Node<'t>>,
    lambda_place: Option<(Node<'t>, bool)>,
    narrow: Option<Node<'t>>,
    narrow_ty: Option<Node<'t>>,
    narrow_scope: Option<Node<'t>>,
    narrow_after: Option<Node<'t>>,
    reference: Option<(Node<'t>, RefRole)>,
    receiver: Option<(Node<'t>, Before)>,
    receiver_rest: Option<Node<'t>>,
    call: Option<Node<'t>>,
    export: Option<Node<'t>>,
    export_source: Option<Node<'t>>,
    export_all: Option<Node<'t>>,
    import_source: Option<Node<'t>>,
    import_member: Option<Node<'t>>,
    import_name: Option<Node<'t>>,
    branch: Option<Node<'t>>,
    branch_of: Option<Node<'t>>,
}

/// Runs the language's query over a tree.
pub(super) fn run<'t>(grammar: &'static Grammar, tree: &'t Tree, text: &str) -> Captured<'t> {
    // Uses are the most of what is found, about one for so many nodes.
    let refs = Vec::with_capacity(tree.count() / 10);
    let mut found = Captured { refs, ..Captured::default() };
    grammar.query.run(tree, text, &mut |hit| found.take(hit));
    found.settle();
    found
}

impl<'t> Captured<'t> {
    /// Adds one match.
    fn take(&mut self, hit: &Found<'_, 't>) {
        let mut one = Match::default();
        for (capture, node) in hit.captures() {
            use Capture::*;
            match capture {
                Definition(kind) => one.def = Some((node, kind, Manner::Definition)),
                Declaration(kind) => one.def = Some((node, kind, Manner::Declaration)),
                Member => one.def = Some((node, SymbolKind::Field, Manner::Member)),
                Name => one.name = Some(node),
                Instance => one.instance = Some(node),
                Supertype => one.supertype = Some(node),
                Part => one.part = true,
                Binding => one.binding = Some(node),
                BindingValue => one.value = Some(node),
                BindingElement => one.element = Some(node),
                BindingWrapped => one.wrapped = Some(node),
                BindingType => one.ty = Some(node),
                BindingScope => one.scope = Some(node),
                BindingDeclaration => one.declaration = Some(node),
                This(whose) => self.instances.push((node, whose)),
                Lambda => self.lambdas.push(node),
                LambdaOf => one.lambda = Some(node),
                LambdaType => one.lambda_place = Some((node, true)),
                LambdaPlace => one.lambda_place = Some((node, false)),
                NarrowName => one.narrow = Some(node),
                NarrowType => one.narrow_ty = Some(node),
                NarrowScope => one.narrow_scope = Some(node),
                NarrowAfter => one.narrow_after = Some(node),
                Outer => self.outers.push(node),
                Reference(role) => one.reference = Some((node, role)),
                Receiver => one.receiver = Some((node, Before::Value)),
                ReceiverPath if one.receiver.is_some() => one.receiver_rest = Some(node),
                ReceiverPath => one.receiver = Some((node, Before::Path)),
                ReceiverType => one.receiver = Some((node, Before::Type)),
                Call => one.call = Some(node),
                Ignore => self.ignored.push(node),
                Import => self.imports.push(node),
                Package => self.packages.push(node),
                Exports => self.exports.push(node),
                ExportsUnknown => self.exports_unknown = true,
                Export => one.export = Some(node),
                ExportSource => one.export_source = Some(node),
                ExportAll => one.export_all = Some(node),
                ImportSource => one.import_source = Some(node),
                ImportMember => one.import_member = Some(node),
                ImportName => one.import_name = Some(node),
                Return => self.returns.push(node),
                Yield => self.yields.push(node),
                Accessor => self.accessors.push(node),
                Doc => self.docs.push(node),
                DocInner => self.inner_docs.push(node),
                Comment => self.comments.push(node),
                Attribute => self.attributes.push(node),
                FileAttribute => self.file_attributes.push(node),
                Scope => self.scopes.push(node),
                Conditional => self.conditionals.push(node),
                Branch => one.branch = Some(node),
                BranchOf => one.branch_of = Some(node),
                BranchClosed => self.closed.push(node),
                Arm => self.arms.push(node),
                ArmOf => self.chosen_by.push(node),
                Asked => self.asked.push(node),
                Unblocked => self.unblocked.push(node),
                Macro => self.macros.push(node),
                Opaque => self.opaques.push(node),
                RegionType => self.type_regions.push(node),
                RegionText => self.text_regions.push(node),
                Error => self.errors.push(node),
                Predicate => {}
            }
        }
        self.add(hit.pattern, hit.name, one);
    }

    fn add(&mut self, order: usize, fixed_name: Option<&'static str>, one: Match<'t>) {
        if one.export.is_some() || one.export_source.is_some() {
            let Match { export: given, export_source: source, export_all: all, name, .. } = one;
            self.given.push(CapturedExport { inward: false, given, source, all, name, fixed_name });
        }
        if let Match { import_source: Some(source), import_member: given, import_name: name, .. } = one {
            let source = Some(source);
            self.given.push(CapturedExport { inward: true, given, source, all: None, name, fixed_name });
        }
        if let (Some((node, kind, manner)), Some(name)) = (one.def, one.name) {
            self.defs.push(CapturedDef {
                kind,
                manner,
                node,
                name,
                instance: one.instance,
                supertype: one.supertype,
                part: one.part,
                pattern: order,
                fixed_name,
            });
        }
        if let Some(pattern) = one.binding {
            self.bindings.push(CapturedBinding {
                pattern,
                value: one.value,
                element: one.element,
                wrapped: one.wrapped,
                ty: one.ty,
                scope: one.scope,
                declaration: one.declaration,
                order,
            });
        }
        if let Some((name, role)) = one.reference {
            self.refs.push(CapturedRef {
                name,
                role,
                receiver: one.receiver.map(|(node, _)| node),
                before: one.receiver.map(|(_, before)| before).unwrap_or_default(),
                receiver_rest: one.receiver_rest,
                call: one.call,
                order,
                fixed_name,
            });
        }
        if let (Some(lambda), Some((place, is_type))) = (one.lambda, one.lambda_place) {
            self.lambda_places.push((lambda, place, is_type));
        }
        if let Some(branch) = one.branch {
            self.branches.push((branch, one.branch_of));
        }
        if let (Some(name), Some(ty)) = (one.narrow, one.narrow_ty) {
            self.narrowings.push(CapturedNarrowing {
                name,
                ty,
                scope: one.narrow_scope,
                after: one.narrow_after,
            });
        }
    }

    /// Orders what was found and keeps the first pattern's find of each name.
    fn settle(&mut self) {
        self.defs.sort_by_key(|def| {
            (
                def.node.start_byte(),
                std::cmp::Reverse(def.node.end_byte()),
                def.pattern,
                def.name.start_byte(),
            )
        });
        // Declarations of several names share their node; definitions do not.
        self.defs.dedup_by(|next, first| {
            // A block with one member is both.
            let block = (first.kind == SymbolKind::Extension) != (next.kind == SymbolKind::Extension);
            next.node.id() == first.node.id()
                && !block
                && (next.name.id() == first.name.id()
                    || (next.manner == Manner::Definition && first.manner == Manner::Definition))
        });
        self.bindings.sort_by_key(|binding| (binding.pattern.start_byte(), binding.order));
        self.bindings.dedup_by_key(|binding| binding.pattern.id());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_outside_of_the_vocabulary_are_refused() {
        assert_eq!(
            Capture::named("definition.enum_member"),
            Some(Capture::Definition(SymbolKind::EnumMember))
        );
        assert_eq!(Capture::named("_any"), Some(Capture::Predicate));
        for unknown in ["definition.klass", "reference", "local.scope", ""] {
            assert_eq!(Capture::named(unknown), None, "{unknown}");
        }
    }
}
