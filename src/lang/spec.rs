//! `LanguageSpec`: everything the product knows about one language, as data.
//!
//! A spec holds no code but the grammar's own function. The extractor reads `syntax` (which node kinds
//! are what) and the query (which nodes define, bind and refer); resolution reads `resolution`.

use super::{
    ExprShape, ImportShape, ParamShape, PatternShape, ResolutionRules, Route, Routes, Shape, SymbolKind,
    TypeShape, Visibility,
};

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
