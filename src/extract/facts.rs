//! What one file says by itself: the value that extraction makes and resolution reads.
//!
//! Facts are syntax, never a guess: no field needs another file. They are the same for the same bytes,
//! language and product version, so that they can be cached by content hash.

use serde::{Deserialize, Serialize};
use smol_str::SmolStr;

pub use crate::lang::{SymbolKind, Visibility};
use crate::text::Span;

/// The index of a definition in its file's `defs`.
pub type DefId = u32;

/// A name as it is written. Most are short enough to need no memory of their own.
pub type Name = SmolStr;

/// Everything that resolution and the lexical index need of one file.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct FileFacts {
    /// Definitions in pre-order: by start, the enclosing one first. `defs[0]` is the file's module.
    pub defs: Vec<Def>,
    /// Parameters and local names, by scope start.
    pub bindings: Vec<Binding>,
    /// Uses of names, by position.
    pub refs: Vec<Ref>,
    /// Imports in order of appearance.
    pub imports: Vec<Import>,
    /// The name of the package that the file declares (Kotlin's `package a.b`), in segments.
    pub package: Vec<Name>,
    /// Names that the file declares as its public surface (`__all__`); `None` where it declares none.
    pub exports: Option<Vec<Name>>,
    /// Branches that hold definitions or imports, outer ones first; of languages whose scopes run in order.
    pub branches: Vec<Branch>,
    /// Names that calls are given as they are, in the order of the uses; of names that are local none.
    pub handed: Vec<Handed>,
    /// The alternatives of statements that choose by a value, where several of them call something.
    pub arms: Vec<Arm>,
    /// Calls of what no name ends: an element of a list.
    pub value_calls: Vec<ValueCall>,
    /// Where what a definition of the file holds by name or by place is asked for by a key that is no constant.
    pub asked: Vec<Asked>,
    /// The functions written in a function that it returns.
    pub returned: Vec<Returned>,
    /// The arguments of macro calls.
    pub macro_bodies: Vec<Span>,
    /// Where each line starts, as in `LineIndex`: resolution places edges without the text.
    #[serde(with = "deltas")]
    pub line_starts: Vec<u32>,
    /// Where the parser gave up; empty for a clean parse.
    pub errors: Vec<Span>,
    /// Comments outside of doc comments are part of the text, not of the facts; their spans are kept
    /// for the lexical index, in order. They are not kept: with the text at hand they are made again.
    #[serde(skip)]
    pub comments: Vec<Span>,
}

impl FileFacts {
    /// Gives back the memory that was taken for more than there is.
    pub fn shrink(&mut self) {
        self.defs.shrink_to_fit();
        self.bindings.shrink_to_fit();
        self.refs.shrink_to_fit();
        self.imports.shrink_to_fit();
        self.line_starts.shrink_to_fit();
        self.branches.shrink_to_fit();
        self.handed.shrink_to_fit();
        self.arms.shrink_to_fit();
        self.value_calls.shrink_to_fit();
        self.asked.shrink_to_fit();
        self.returned.shrink_to_fit();
    }
}

/// Rising numbers as their differences, which are small.
mod deltas {
    use serde::{Deserialize, Deserializer, Serializer};

    pub fn serialize<S: Serializer>(numbers: &[u32], to: S) -> Result<S::Ok, S::Error> {
        let before = std::iter::once(&0).chain(numbers);
        to.collect_seq(numbers.iter().zip(before).map(|(number, before)| number.wrapping_sub(*before)))
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<u32>, D::Error> {
        let mut numbers = Vec::<u32>::deserialize(from)?;
        let mut last = 0u32;
        for number in &mut numbers {
            last = last.wrapping_add(*number);
            *number = last;
        }
        Ok(numbers)
    }
}

/// One definition.
///
/// An attribute that methods assign (`self.x = …`) is a `Field` of the class: one per name, at the
/// assignment that declares a type, else at the first one; its value is `Either` of what is assigned.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Def {
    pub kind: SymbolKind,
    /// The simple name; for an anonymous class or object `<anonymous>`.
    pub name: Name,
    /// Where the name stands; the first token of an anonymous definition.
    pub name_span: Span,
    /// The whole definition, from its first attribute, decorator or modifier to its last byte; the doc
    /// comment is not in it.
    pub full: Span,
    /// From the first modifier or keyword (after attributes and decorators) to before the body.
    pub signature: Span,
    /// The doc comment in front (Rust, Kotlin) or inside (Python's docstring).
    pub doc: Option<Span>,
    /// The definition that lexically holds this one; `None` for the module only.
    pub container: Option<DefId>,
    pub visibility: Visibility,
    pub traits: DefTraits,
    /// Parameters in order, the receiver (`self`) left out.
    pub params: Vec<Param>,
    /// The declared return type of a callable, the declared type of a value, the aliased type of an alias.
    pub ty: Option<TypeExpr>,
    /// The initializer of a field, property, constant or variable, or a single-expression body; for a
    /// callable without a declared return type what its `return`s give (`Either` where they are several).
    pub value: Option<Expr>,
    /// For `Extension`: the type whose members these are; for an extension function: its receiver type.
    pub receiver: Option<TypeExpr>,
    /// Declared supertypes in order: bases, interfaces, supertraits; for a Rust `impl Trait for T` the trait.
    pub supertypes: Vec<Supertype>,
    /// Generic parameters with their bounds.
    pub type_params: Vec<TypeParam>,
    /// The file of a body elsewhere, where the syntax says it: `#[path = "…"] mod name;`.
    pub file: Option<Name>,
    /// The name by which other languages of the family know it, where the text states one: `@JvmName("x")`.
    /// Of a property that of its reader, of a file's module that of the type that stands for the file.
    pub known_as: Option<Name>,
    /// The function literal or the block that holds it inside of its container: its name means it there.
    pub within: Option<Span>,
}

impl Def {
    /// Whether the graph has a symbol for it: a block that extends a type is no definition by itself, and
    /// a module that is declared here is defined by its file.
    pub fn is_symbol(&self) -> bool {
        self.kind != SymbolKind::Extension && !self.traits.elsewhere
    }
}

/// Yes/no properties of a definition, as the syntax states them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct DefTraits {
    /// Marked as a test: `#[test]`, `@Test`, a `test_*` function, or inside a test module.
    pub test: bool,
    /// Declared without a body: abstract, trait method without default, expect declaration.
    pub without_body: bool,
    /// Belongs to the type, not to an instance: Rust associated functions without `self`, `@staticmethod`,
    /// `@classmethod`, members of a companion.
    pub associated: bool,
    /// The instance comes in a box: `self: Pin<&mut Self>`.
    pub boxed_instance: bool,
    /// Marked `override`.
    pub marked_override: bool,
    /// Reading it by name calls it (`@property`, Kotlin property with a getter).
    pub accessor: bool,
    /// A companion object: its members are reached through the enclosing type's name.
    pub companion: bool,
    /// Callable with operator or infix syntax.
    pub operator: bool,
    /// Defined only under a condition (`#[cfg]`, `if TYPE_CHECKING`, expect/actual).
    pub conditional: bool,
    /// An interface with a single method that a lambda may implement (`fun interface`).
    pub functional: bool,
    /// The body is in another file (`mod name;`).
    pub elsewhere: bool,
    /// Exported under its name as a macro to the whole crate.
    pub exported_macro: bool,
    /// Is meant only where nothing else of its name can be.
    pub yields: bool,
    /// Is there for programs that are compiled already: no text can mean it.
    pub hidden: bool,
    /// Declares what other files define, each for a platform (`expect`).
    pub expected: bool,
    /// A macro that takes a call in its arguments apart: what is called is not what stands there.
    pub takes_apart: bool,
    /// Is not to be used any more.
    pub deprecated: bool,
    /// The next definition of its name in the scope goes on with it (`@overload`).
    pub continued: bool,
    /// A member of the value that it stands in, and no name of the scope around it.
    pub part: bool,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Param {
    pub name: Name,
    pub ty: Option<TypeExpr>,
    /// A call may leave it out: it has a default, or takes any number.
    pub optional: bool,
    /// Takes any number of arguments.
    pub many: bool,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TypeParam {
    pub name: Name,
    pub bounds: Vec<TypeExpr>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Supertype {
    pub ty: TypeExpr,
    /// Where the supertype's name stands.
    pub site: Span,
    /// Delegated to a value (`: Source by source`): the type's methods are not written here.
    pub delegated: Option<Expr>,
}

/// A type as written, reduced to what resolution can use.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TypeExpr {
    /// The name's segments: `["std", "fmt", "Display"]`. Empty for tuples, functions and what is not named.
    pub path: Vec<Name>,
    /// Type arguments in order. For a union or an intersection: its members.
    pub args: Vec<TypeExpr>,
    pub form: TypeForm,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TypeForm {
    #[default]
    Named,
    /// `dyn Trait`, `impl Trait`: only the trait is known.
    Bound,
    /// `&T`, `Box<T>` stays `Named`; a reference is peeled by the extractor unless it is all there is.
    Tuple,
    /// A function type: the parameters' types, then the result's as the last argument.
    Function,
    /// A function type with a receiver (`T.(A) -> R`): the receiver's type, the parameters', the result's.
    ReceiverFunction,
    /// Python's `A | B` and `Union[A, B]`, Kotlin intersections.
    Union,
    /// The instance's own type: Rust `Self`, Python `Self`.
    SelfType,
    /// A slice or an array of `args[0]`.
    Sequence,
    /// Members by name: those of `path` with the types of `args`.
    Record,
    /// The type of the member `path[0]` of `args[0]`.
    Member,
    /// The type of the value that `path` names.
    OfValue,
    /// What a call of `args[0]` gives.
    Result,
    /// An instance of `args[0]`.
    Instance,
}

/// An expression, reduced to what decides the type of a receiver.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Expr {
    /// A plain name.
    Name(Name),
    /// `self`, `this`; Python's first parameter of a method. With a label: `this@Outer`.
    This(Option<Name>),
    /// `super`, `super()`, `super<Base>`.
    Super(Option<Name>),
    /// A path of names that syntax marks as such (`a::b::C`); the first may be `crate`, `self`, `super`, `Self`.
    Path(Vec<Name>),
    /// `base.name`.
    Member(Box<Expr>, Name),
    /// A call of `callee`, with what is known of its first arguments: `Opaque` keeps a place.
    Call(Box<Expr>, Vec<Expr>),
    /// A call of a function from outside, and what its arguments say that it gives.
    Passed(Box<Expr>, Box<Expr>),
    /// An element of `base`: indexing, or what a loop over it yields.
    Element(Box<Expr>),
    /// `base` with a wrapper taken off: `await`, `?`, `!!`, `as?`-less unwrap, parentheses are dropped.
    Unwrap(Box<Expr>),
    /// The part at an index of a destructured value: `b` in `let (a, b) = pair` is `Part(pair, 1)`.
    Part(Box<Expr>, u8),
    /// What a pattern that names a constructor sees of a value: `Part(Matched(kind, One), 0)` is `x` in
    /// `match kind { One(x) => … }`.
    Matched(Box<Expr>, Box<TypeExpr>),
    /// Values one after the other: `(a, b)`.
    Tuple(Vec<Expr>),
    /// What the call of this callee hands to its lambda argument as the parameter at an index
    /// (`it` is at 0).
    LambdaParameter(Box<Expr>, u8),
    /// What the call of this callee makes the receiver (`this`) of its lambda argument.
    LambdaReceiver(Box<Expr>),
    /// A value of a type that syntax states: a struct literal, a cast, an object expression.
    Typed(Box<TypeExpr>),
    /// A type as a value: what an alias stands for.
    Class(Box<TypeExpr>),
    /// A literal of a built-in type, by the language's name for it (`str`, `list`, `String`).
    Literal(Name),
    /// A container of a built-in type, by its name, with what its elements are.
    Filled(Name, Box<Expr>),
    /// One of several values: a conditional.
    Either(Vec<Expr>),
    /// A value that is written at another place of the file, where its names mean what they mean there.
    At(u32, Box<Expr>),
    /// Values by name.
    Record(Vec<(Name, Expr)>),
    /// The module that a text names: `require("./a")`.
    Module(Name),
    /// A lambda or closure, with what it gives.
    Lambda(Option<Box<Expr>>),
    /// An expression in an inner scope: its names mean what they mean at this offset.
    Inside(u32, Box<Expr>),
    /// Anything else.
    Opaque,
}

/// A parameter or a local name and where it is visible.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Binding {
    pub name: Name,
    pub name_span: Span,
    /// The bytes in which the name means this binding, unless a narrower one shadows it.
    pub scope: Span,
    pub kind: BindingKind,
    pub ty: Option<TypeExpr>,
    pub value: Option<Expr>,
    /// Where the name begins to have this value: the end of the statement that gives it.
    pub from: u32,
    /// The part of a statement that holds the binding and may not run.
    pub branch: Option<Span>,
    /// Where the name never has this value: in the alternatives to its branch, and after a branch that
    /// leaves the function.
    pub hidden: Vec<Span>,
}

impl Binding {
    /// Whether the name can have this value at an offset.
    pub fn reaches(&self, at: u32) -> bool {
        self.from <= at && !self.hidden.iter().any(|span| span.contains(at))
    }
}

/// A part of a statement that may not run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Branch {
    pub span: Span,
    /// What stands behind the branch and before this offset never sees what the branch defines.
    pub until: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BindingKind {
    Parameter,
    Local,
    /// A type that a test narrowed the name to (`isinstance`, `is`), in the scope where it holds.
    Narrowed,
    /// The receiver of a lambda that may have one (`apply { … }`, `with(x) { … }`): its members are in
    /// scope. The name is empty; the value is what the lambda's call makes of it.
    Receiver,
}

/// A use of a name.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Ref {
    pub name: Name,
    /// The name token itself, without its receiver or path.
    pub span: Span,
    pub role: RefRole,
    /// What stands before the name: `a.b` in `a.b.name`, a path in `a::b::name`.
    pub receiver: Option<Expr>,
    /// The innermost definition that holds the use.
    pub from: DefId,
    /// The number of arguments of a call, where it can be counted.
    pub arguments: Option<u8>,
    /// The arguments themselves, in languages where they decide which of several functions is meant.
    pub given: Vec<Given>,
}

/// An argument of a call.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Given {
    /// The parameter that the call names.
    pub name: Option<Name>,
    pub value: Expr,
    /// A function literal after the list: for the last parameter.
    pub trailing: bool,
}

/// A use that is an argument of a call by itself: `handler` in `register("/", handler)`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Handed {
    /// The use, and that of the called name: indices of `refs`.
    pub at: u32,
    pub to: u32,
    /// Which argument it is, from 0; `None` for one that is given by its name or stands behind any number of others.
    pub nth: Option<u8>,
}

/// A call of a value that has no name of its own: `handlers[at](request)`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ValueCall {
    /// The innermost definition that holds the call.
    pub from: DefId,
    /// Where the callee stands.
    pub span: Span,
    pub callee: Expr,
}

/// An element that is asked for: `table` in `table[kind]`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Asked {
    /// Where it stands.
    pub at: u32,
    pub value: Expr,
}

/// A function that another one returns: a literal, or a definition in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Returned {
    pub by: DefId,
    pub span: Span,
}

/// An alternative of a statement that chooses by a value: an arm of a `match`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Arm {
    /// Where the statement's alternatives begin.
    pub of: u32,
    pub span: Span,
    /// The calls in it that are handed what its pattern takes out of the value, or the value as what the pattern
    /// says that it is: indices of `refs`.
    pub parts: Vec<u32>,
    /// The calls in it that are handed the value, or what the value is a mark of.
    pub wholes: Vec<u32>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RefRole {
    /// `name(…)`, an infix or operator call.
    Call,
    /// A macro call, `name!(…)`.
    MacroCall,
    /// A struct literal or another syntax that can only make an instance.
    Instantiate,
    /// A type position.
    Type,
    /// A decorator or annotation.
    Decorator,
    /// A value position: a read, a function passed by name, a method reference.
    Value,
}

/// One imported name.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Import {
    /// The path as written, without the relative dots: `["a", "b", "C"]`. For a wildcard, of what is opened.
    /// Where files are named by texts the first segment is the text, and empty for the file itself.
    pub path: Vec<Name>,
    /// Python's leading dots; 0 for an absolute import.
    pub level: u8,
    /// The name that it gets here, where it differs from the last segment. `_` imports without a name.
    pub alias: Option<Name>,
    pub wildcard: bool,
    /// `import a.b` binds `a`, not `b` (Python without `from` and without alias).
    pub binds_root: bool,
    /// Other files can import the name from here (`pub use`, any Python import at module level).
    pub reexport: bool,
    /// Only other files see the name: `export { a as b }`.
    pub outward: bool,
    /// Where the last segment, or the wildcard, stands.
    pub span: Span,
    /// The definition that holds the import (the module, an inline module, a function).
    pub scope: DefId,
}
