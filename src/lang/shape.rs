//! Shapes: what a node is, and the ways from it to its parts.

/// One step from a node to one of its children.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// The child in a field of the grammar.
    Field(&'static str),
    /// The first child of a kind.
    Kind(&'static str),
    /// The first named child after a keyword or a punctuation mark.
    After(&'static str),
    /// The first named child after a token that is not of the second kind.
    Past(&'static str, &'static str),
    /// The node itself, where it is of a kind.
    Is(&'static str),
    /// The named child with this number, from 0.
    Nth(u32),
    /// The last named child.
    Last,
}

/// Steps one after the other; the empty route stays at the node.
pub type Route = &'static [Step];

/// Routes tried in order; the first that arrives counts. Empty: there is no such part.
pub type Routes = &'static [Route];

/// Where the parts of a definition or declaration are, from its node.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shape {
    pub body: Routes,
    pub parameters: Routes,
    pub ty: Routes,
    /// Of a definition that is a function by its value: the type that a call gives, in place of `ty`.
    pub result: Routes,
    pub value: Routes,
    /// The extended type.
    pub receiver: Routes,
    pub type_parameters: Routes,
    /// The arguments of the extended type, where they name parameters of what extends it.
    pub receiver_parameters: Routes,
    /// A list of bounds that is apart from the type parameters.
    pub constraints: Routes,
    /// Nodes that list supertypes in their children, or are one.
    pub supertypes: Routes,
    /// Children of this kind hold a supertype each.
    pub supertype_kind: Option<&'static str>,
    /// From a supertype to the value that it is delegated to.
    pub delegate: Routes,
    /// The presence of this part makes reading the name a call.
    pub accessor: Routes,
    /// A part of a value: its name is none of the scope around it.
    pub part: bool,
}

impl Shape {
    pub const NONE: Shape = Shape {
        body: &[],
        parameters: &[],
        ty: &[],
        result: &[],
        value: &[],
        receiver: &[],
        type_parameters: &[],
        receiver_parameters: &[],
        constraints: &[],
        supertypes: &[],
        supertype_kind: None,
        delegate: &[],
        accessor: &[],
        part: false,
    };
}

/// What an expression is, for the type of a receiver.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ExprShape<R> {
    Name,
    /// `this`; its named child is the label.
    This,
    /// `super`; its named child is the base.
    Super,
    /// Identifiers joined by the path separator; the last is the name.
    Path {
        path: R,
        name: R,
    },
    Member {
        object: R,
        name: R,
    },
    Call {
        callee: R,
    },
    /// A call of the callee, or a value of a type where there is no callee.
    Converted {
        ty: R,
        callee: R,
    },
    /// A call that makes an instance: with type arguments, of the type that they and the callee write.
    Made {
        callee: R,
        arguments: R,
    },
    /// A call with the name in the call itself: of a member, or without an object of a plain name.
    Invoke {
        object: R,
        name: R,
    },
    /// A call of a member between its object and its argument.
    Infix {
        object: R,
        name: R,
    },
    Element {
        base: R,
    },
    /// Like `Element`; as a callee its base, where that is a function with type arguments.
    Applied {
        base: R,
    },
    /// Like `Element`; where the index is a number, the part with that number.
    Index {
        base: R,
        index: R,
    },
    /// Its named children, each with its place.
    Tuple,
    /// Like `Tuple`, except that one alone is itself.
    Row,
    /// A container of a built-in type: of the part that the route leads to, else of its named children.
    Filled {
        name: &'static str,
        element: R,
    },
    /// Values by name: children of a kind, and children of another one that name a value as it is named here.
    Record {
        member: &'static str,
        name: R,
        value: R,
        shorthand: &'static str,
    },
    Unwrap {
        inner: R,
    },
    /// Means what its part means: parentheses, references.
    Inner {
        inner: R,
    },
    /// Like `Inner`; with this operator, an element of its part.
    Prefixed {
        operator: &'static str,
        inner: R,
    },
    /// With this operator, a value that may be a union of types as it is written.
    Union(&'static str),
    Typed {
        ty: R,
    },
    Literal(&'static str),
    /// A number of a type, or of another one by what it ends with.
    Number {
        name: &'static str,
        endings: &'static [(&'static str, &'static str)],
    },
    /// A value of a generic type, by its name, of the type that is written: `Foo.class`.
    OfType {
        name: &'static str,
        ty: R,
    },
    /// An operation: of a type by its operator; else of `text` where a part is that, else of one of the parts'.
    Operation {
        first: R,
        second: R,
        operator: R,
        results: &'static [(&'static str, &'static str)],
        text: &'static str,
    },
    /// One of its parts.
    Either {
        first: R,
        second: R,
    },
    /// One of the values of its branches: the children of a kind.
    Branches {
        body: R,
        branch: &'static str,
        value: R,
    },
    /// The value of its last expression.
    Tail,
    /// A macro's invocation, of which the language says what it gives.
    Macro {
        name: R,
        body: R,
    },
    Lambda,
    /// Has no value: `return`, `throw`.
    Never,
}

/// What a type is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum TypeShape<R> {
    Name,
    /// `path.name`.
    Scoped {
        path: R,
        name: R,
    },
    Generic {
        base: R,
        arguments: R,
    },
    /// Names and argument lists one after the other: Kotlin's `user_type`.
    Segments {
        arguments: &'static str,
    },
    /// Means what its part means: references, nullable types, parentheses.
    Inner {
        inner: R,
    },
    /// `dyn`, `impl`.
    Bound {
        inner: R,
    },
    /// Means what its part means; without it a type that nothing is known of.
    Open {
        inner: R,
    },
    Tuple,
    /// Like `Tuple`, except that one alone is itself.
    Row,
    /// Means what its part means, where another part is not there.
    Unless {
        other: R,
        inner: R,
    },
    Function {
        receiver: R,
        parameters: R,
        result: R,
    },
    /// One of its named children.
    Union,
    Sequence {
        element: R,
    },
    /// Members by name: children of a kind, in a list.
    Record {
        list: R,
        member: &'static str,
        name: R,
        ty: R,
    },
    /// The type of the member that `index` names of `base`.
    Lookup {
        base: R,
        index: R,
    },
    /// The type of a value that is named: `typeof x`.
    OfValue {
        value: R,
    },
    /// A type in a string.
    Text,
    /// No type: `None` in a union.
    Nothing,
}

/// What a pattern binds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PatternShape<R> {
    /// Its own text.
    Name,
    /// Its own text, for the member of that name.
    Shorthand,
    /// Any number of parts; where those after it stand is not known.
    Rest,
    /// What its named children bind; the value passes through.
    Inner,
    /// What its named children bind; each is a part of the value.
    Parts,
    /// Like `Parts`, except for the part that names a constructor.
    Constructor { name: R },
    /// A name with a type of its own.
    Declared { name: R, ty: R },
    /// The member of a type with this name; without a pattern the name itself binds.
    Member { name: R, pattern: R },
}

/// A parameter. Kinds without one of these are no parameters.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ParamShape {
    pub name: Routes,
    /// Children of this kind are a name each, of as many parameters.
    pub names: Option<&'static str>,
    pub ty: Routes,
    /// The instance: `self`.
    pub receiver: bool,
    /// A parameter that is a member of the type, too, where this part is there.
    pub member: Routes,
    /// The value where none is given, which says the type where none is written.
    pub default: Routes,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ImportShape<R> {
    /// The segments of a name.
    Path,
    /// A path, another name for it, and a wildcard, where they are there.
    Renamed { path: R, alias: R, wildcard: R },
    /// `path.*`.
    Wildcard { path: R },
    /// A name that the prefix gives under a fixed name, and that is bound here as it is written.
    Fixed { name: &'static str },
    /// All that the prefix names, as one thing with this name.
    Whole { alias: R },
    /// A path that is loaded and binds nothing.
    Loaded,
    /// A prefix and what hangs below it. With `roots`, a path binds its first segment.
    List { prefix: R, roots: bool },
}
