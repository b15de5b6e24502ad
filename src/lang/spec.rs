//! `LanguageSpec`: everything the product knows about one language, as data.
//!
//! A spec holds no code but the grammar's own function. The extractor reads `syntax` (which node kinds
//! are what) and the query (which nodes define, bind and refer); resolution reads `resolution`.

use super::{ResolutionRules, SymbolKind, Visibility};

/// One language.
#[derive(Debug)]
pub struct LanguageSpec {
    /// The name in the registry, in `FileNode::language` and in user-facing text.
    pub name: &'static str,
    /// File extensions without the dot, in lower case.
    pub extensions: &'static [&'static str],
    /// Whole file names, for files without one of the extensions.
    pub file_names: &'static [&'static str],
    /// The grammar.
    pub language: fn() -> tree_sitter::Language,
    /// The text of the language's query; its captures are listed in `extract::captures`.
    pub query: &'static str,
    pub syntax: Syntax,
    pub resolution: &'static ResolutionRules,
}

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

/// Which node kinds are what. Kinds that are not listed mean nothing to the extractor.
#[derive(Clone, Copy, Debug)]
pub struct Syntax {
    /// The parts of definitions and declarations, by node kind.
    pub shapes: &'static [(&'static str, Shape)],
    pub expressions: &'static [(&'static str, ExprShape<Route>)],
    pub types: &'static [(&'static str, TypeShape<Route>)],
    pub patterns: &'static [(&'static str, PatternShape<Route>)],
    pub parameters: &'static [(&'static str, ParamShape)],
    pub imports: &'static [(&'static str, ImportShape<Route>)],
    /// Generic parameters and constraints on them: the name's and the bounds' route.
    pub type_parameters: &'static [(&'static str, Route, Route)],
    /// Parts of a path that are not its segments: type arguments.
    pub path_extras: &'static [&'static str],
    /// Parts of a path of which only the first child counts: `T` in `<T as Trait>::f`.
    pub path_heads: &'static [&'static str],
    /// Characters round an identifier that are not of its name: Kotlin's backticks, Rust's `r#`.
    pub name_quotes: &'static [&'static str],
    /// Tokens that count a relative import's level: Python's dots.
    pub import_dots: Option<&'static str>,
    /// Children of a definition whose children are modifiers: `modifiers`.
    pub modifier_groups: &'static [&'static str],
    /// A modifier's text and what it says.
    pub modifiers: &'static [(&'static str, Mark)],
    /// A decorator's, annotation's or attribute's last segment and what it says.
    pub decorators: &'static [(&'static str, Mark)],
    /// A decorator, a word among its arguments, and what the two say.
    pub decorator_words: &'static [(&'static str, &'static str, Mark)],
    /// The attribute that says in which file a module's body is.
    pub file_attribute: Option<&'static str>,
    /// The attribute that states the name for other languages of the family, and the parts of a definition
    /// that it may be for: Kotlin's `@get:JvmName("x")`.
    pub name_attribute: Option<(&'static str, &'static [&'static str])>,
    /// The attribute that makes a definition conditional, and the word in it that marks a test.
    pub condition_attribute: Option<(&'static str, &'static str)>,
    pub visibility: VisibilityRules,
    /// Function names that make a constructor of a type's member.
    pub constructors: &'static [&'static str],
    /// Words that are never names: where one is used as a name, the parser has misread the text.
    pub keywords: &'static [&'static str],
    /// Prefixes of the names of test functions.
    pub test_prefixes: &'static [&'static str],
    /// Upper-case module-level variables are constants.
    pub upper_case_constants: bool,
    /// The kind of a variable declared directly in a type.
    pub member_variable: SymbolKind,
    /// Node kinds, and words before a parameter, that make a list of it.
    pub variadic: &'static [&'static str],
    /// Where a method's own instance comes from.
    pub instance: Instance,
    /// Where a local name is visible.
    pub extent: Extent,
    /// A pattern's identifier that begins in upper case names a constant; it binds nothing.
    pub upper_case_patterns_refer: bool,
    /// Pattern constructors that take a wrapper off: `Some`, `Ok`.
    pub unwrapping_patterns: &'static [&'static str],
    /// Type names that stand for their arguments: `Optional`; and for one of them: `Union`.
    pub transparent_types: &'static [&'static str],
    pub union_types: &'static [&'static str],
    /// Type names whose arguments are parameters and a result: `Callable`.
    pub function_types: &'static [&'static str],
    /// Words in the place of a type that leave it to the value: `var`.
    pub inferred_types: &'static [&'static str],
    /// A lambda may stand for an interface with a single method without a body.
    pub functional_interfaces: bool,
    /// The name of the instance's own type: `Self`.
    pub self_types: &'static [&'static str],
    /// Functions from outside whose calls give what their arguments say: by their names, and by their
    /// names as members.
    pub passing: &'static [(&'static str, Passing)],
    pub passing_members: &'static [(&'static str, Passing)],
    /// Type names that stand for what their argument gives when it is called, and for an instance of it.
    pub result_types: &'static [&'static str],
    pub instance_types: &'static [&'static str],
    /// Calls of these words with a text are the module that the text names.
    pub module_calls: &'static [&'static str],
    /// Functions without a body that stand before one of their name are signatures of it.
    pub joined_signatures: bool,
    /// A token that makes a `yield` give the elements of its value: Python's `from`.
    pub delegating_yield: Option<&'static str>,
    /// The type that a call of a function with a `yield` gives.
    pub generator_type: &'static str,
    /// A call of this name is the super instance: Python's `super`.
    pub super_call: Option<&'static str>,
    /// A lambda may have a receiver: the members of what its call makes `this` are in scope.
    pub lambda_receivers: bool,
    /// The name of a lambda's parameter where it declares none: `it`.
    pub implicit_parameter: Option<&'static str>,
    /// From a call to its arguments.
    pub call_arguments: Routes,
    /// From a call to its type arguments.
    pub call_types: Routes,
    /// Argument lists; their named children are counted, nested lists flattened.
    pub argument_lists: &'static [&'static str],
    /// Children of argument lists that are not arguments.
    pub argument_extras: &'static [&'static str],
    /// Expressions that are a function, whose name comes last: `::name`.
    pub function_references: &'static [&'static str],
    /// Arguments that stand for any number.
    pub argument_splats: &'static [&'static str],
    /// The arguments of a call decide which of several functions of a name is meant.
    pub overloads: bool,
    /// The token between the name of a parameter and its argument in a call.
    pub argument_name: Option<&'static str>,
    /// The token before a parameter's default.
    pub default_mark: &'static str,
    /// A doc comment touches what it is of: no empty line lies between.
    pub docs_touch: bool,
    /// A token after which a signature ends: Python's `:`.
    pub signature_end: Option<&'static str>,
    /// How a file re-exports what it imports.
    pub reexports: Reexports,
    /// Macro invocations whose bodies are token trees.
    pub macros: Option<MacroSyntax>,
    pub recovery: Recovery,
}

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

/// What a call gives of its arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Passing {
    /// The first argument, as far as types go.
    Same,
    /// An element of the first argument.
    Element,
    /// Pairs of a number and an element of the first argument.
    Numbered,
    /// Rows of an element of each argument.
    Rows,
    /// A value of the type that the first argument writes.
    Typed,
    /// A container with this name: of the type that the call's first type argument writes, else of the first
    /// argument.
    Held(&'static str),
    /// The same, as the first of two parts.
    HeldFirst,
    /// What a call of the first argument gives.
    Called,
    /// An instance of the class that the first argument is.
    Instance,
    /// The class that a keyword argument names: a type variable's bound.
    Class(&'static str),
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

/// What a modifier or a decorator says of a definition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    Visibility(Visibility),
    Test,
    WithoutBody,
    Associated,
    Override,
    Accessor,
    Companion,
    Operator,
    Conditional,
    Functional,
    Constant,
    ExportedMacro,
    Yields,
    Hidden,
    Deprecated,
    Expected,
    Continued,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VisibilityRules {
    pub default: Visibility,
    /// Names that begin so, and are not dunder names, are private.
    pub private_prefix: Option<&'static str>,
    /// The node kind of a visibility with an argument; `pub(` texts are internal.
    pub node: Option<&'static str>,
    /// Names that begin in upper case are public, others are not.
    pub upper_case: bool,
    /// What members of a type are where nothing is written; `None`: like everything else.
    pub members: Option<Visibility>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Instance {
    /// A keyword; nothing to find.
    Keyword,
    /// A parameter of this kind; a function without it belongs to the type.
    Parameter(&'static str),
    /// The first parameter, whatever its name.
    First,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// From the end of its declaration to the end of its block.
    FromDeclaration,
    /// The whole function.
    Function,
    /// The whole block.
    Block,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reexports {
    Never,
    /// Imports with a child of this kind.
    Marked(&'static str),
    /// All imports of the module itself.
    ModuleLevel,
}

/// Macro bodies: token trees that are parsed again as code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MacroSyntax {
    pub token_tree: &'static str,
    /// Tokens in a body that begin an item.
    pub item_words: &'static [&'static str],
    pub identifier: &'static str,
    pub this: &'static str,
    /// The field of an invocation that holds the macro's name.
    pub name: &'static str,
    /// What marks a part of a macro's pattern that takes a name.
    pub name_fragment: &'static str,
    /// Macros whose arguments after the first are patterns, up to a guard.
    pub pattern_macros: &'static [&'static str],
    pub guard: &'static str,
    /// Tokens that stand after a pattern.
    pub after_patterns: &'static [&'static str],
    /// The end of a pattern that leaves the rest out.
    pub rest: &'static str,
    /// What macros from outside give, by their names.
    pub values: &'static [(&'static str, MacroValue)],
}

/// What a macro gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MacroValue {
    /// Its first argument.
    Argument,
    /// Its first argument with a wrapper taken off.
    Unwrapped,
    /// An instance of a type, of its first argument: the path of the function that makes one.
    Made(&'static [&'static str]),
    Literal(&'static str),
}

/// How declarations are found in text that the parser gave up on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Recovery {
    /// Regular expressions, each with the groups `start` (where the definition begins) and `name`.
    pub declarations: &'static [(&'static str, SymbolKind)],
    /// Braces hold a body; otherwise indentation does.
    pub braces: bool,
    /// Node kinds whose text is not code.
    pub prose: &'static [&'static str],
    /// What opens an expression in a string, where the grammar's scanner ends the process when too many are
    /// open: Kotlin's `${`.
    pub fatal_template: Option<&'static str>,
}
