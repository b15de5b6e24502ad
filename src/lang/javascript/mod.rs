//! JavaScript as data. Its files are read by TypeScript's grammar with elements, which reads all of it.

mod names;
mod resolution;

pub(super) use resolution::RULES;

use super::{
    ExprShape as E, Extent, ImportShape as I, Instance, LanguageSpec, Mark, ParamShape, Passing,
    PatternShape as P, Recovery, Reexports, Routes, Shape,
    Step::{Field, Kind, Last, Nth},
    SymbolKind, Syntax, TypeShape as T, Visibility, VisibilityRules,
};

const BODY: Routes = &[&[Field("body")]];
const TYPE: Routes = &[&[Field("type")]];
const VALUE: Routes = &[&[Field("value")]];
const GENERICS: Routes = &[&[Field("type_parameters")]];

const FUNCTION: Shape = Shape {
    body: BODY,
    parameters: &[&[Field("parameters")]],
    ty: &[&[Field("return_type")]],
    type_parameters: GENERICS,
    ..Shape::NONE
};

const LITERAL: Shape = Shape {
    body: BODY,
    parameters: &[&[Field("parameters")], &[Field("parameter")]],
    ty: &[&[Field("return_type")]],
    value: BODY,
    ..Shape::NONE
};

const CLASS: Shape = Shape {
    body: BODY,
    type_parameters: GENERICS,
    supertypes: &[
        &[Kind("class_heritage"), Kind("extends_clause")],
        &[Kind("class_heritage"), Kind("implements_clause")],
        &[Kind("extends_type_clause")],
    ],
    ..Shape::NONE
};

/// A name with a value: a variable, or the function, the class or the object that the value is.
const VALUED: Shape = Shape {
    body: &[
        &[Field("value"), Field("body")],
        &[Field("value"), Field("arguments"), Nth(0), Field("body")],
        &[Field("right"), Field("body")],
    ],
    parameters: &[
        &[Field("value"), Field("parameters")],
        &[Field("value"), Field("parameter")],
        &[Field("value"), Field("arguments"), Nth(0), Field("parameters")],
        &[Field("value"), Field("arguments"), Nth(0), Field("parameter")],
        &[Field("right"), Field("parameters")],
        &[Field("right"), Field("parameter")],
    ],
    ty: TYPE,
    result: &[
        &[Field("value"), Field("return_type")],
        &[Field("value"), Field("arguments"), Nth(0), Field("return_type")],
        &[Field("right"), Field("return_type")],
    ],
    value: &[
        &[Field("value"), Field("body")],
        &[Field("value")],
        &[Field("right"), Field("body")],
        &[Field("right")],
    ],
    type_parameters: &[&[Field("value"), Field("type_parameters")]],
    supertypes: &[
        &[Field("value"), Kind("class_heritage"), Kind("extends_clause")],
        &[Field("value"), Kind("class_heritage"), Kind("implements_clause")],
        &[Field("type")],
    ],
    ..Shape::NONE
};

const PARAMETER: ParamShape = ParamShape {
    name: &[&[Field("pattern")]],
    ty: TYPE,
    names: None,
    receiver: false,
    member: &[],
    default: VALUE,
};

/// Words that begin declarations, found where the parser gave up.
pub(super) const DECLARATIONS: &[(&str, SymbolKind)] = &[
    (
        r"(?m)^[ \t]*(?:export[ \t]+)?(?:default[ \t]+)?(?:declare[ \t]+)?(?P<start>(?:async[ \t]+)?function)[ \t]*\*?[ \t]+(?P<name>[\p{XID_Start}_$][\p{XID_Continue}$]*)[ \t]*[<(]",
        SymbolKind::Function,
    ),
    (
        r"(?m)^[ \t]*(?:export[ \t]+)?(?:default[ \t]+)?(?:declare[ \t]+)?(?P<start>(?:abstract[ \t]+)?class)[ \t]+(?P<name>[\p{XID_Start}_$][\p{XID_Continue}$]*)",
        SymbolKind::Class,
    ),
    (
        r"(?m)^(?:export[ \t]+)?const[ \t]+(?P<start>(?P<name>[\p{XID_Start}_$][\p{XID_Continue}$]*))[ \t]*=[ \t]*(?:async[ \t]*)?\([^()\n]*\)[ \t]*=>",
        SymbolKind::Function,
    ),
];

pub(super) const SYNTAX: Syntax = Syntax {
    shapes: &[
        ("function_declaration", FUNCTION),
        ("generator_function_declaration", FUNCTION),
        ("function_signature", FUNCTION),
        ("method_definition", FUNCTION),
        ("method_signature", FUNCTION),
        ("abstract_method_signature", FUNCTION),
        ("arrow_function", LITERAL),
        ("function_expression", LITERAL),
        ("generator_function", LITERAL),
        ("class_declaration", CLASS),
        ("abstract_class_declaration", CLASS),
        ("interface_declaration", CLASS),
        ("enum_declaration", CLASS),
        ("internal_module", Shape { body: BODY, ..Shape::NONE }),
        ("module", Shape { body: BODY, ..Shape::NONE }),
        ("type_alias_declaration", Shape { ty: VALUE, type_parameters: GENERICS, ..Shape::NONE }),
        ("property_signature", Shape { ty: TYPE, ..Shape::NONE }),
        ("public_field_definition", VALUED),
        ("variable_declarator", VALUED),
        ("pair", VALUED),
        ("assignment_expression", VALUED),
        ("export_statement", VALUED),
        ("enum_assignment", Shape { value: VALUE, ..Shape::NONE }),
        ("shorthand_property_identifier", Shape { value: &[&[]], ..Shape::NONE }),
        ("required_parameter", Shape { ty: TYPE, value: VALUE, ..Shape::NONE }),
        ("optional_parameter", Shape { ty: TYPE, value: VALUE, ..Shape::NONE }),
    ],
    expressions: &[
        ("identifier", E::Name),
        ("shorthand_property_identifier", E::Name),
        ("this", E::This),
        ("super", E::Super),
        ("member_expression", E::Member { object: &[Field("object")], name: &[Field("property")] }),
        ("subscript_expression", E::Index { base: &[Field("object")], index: &[Field("index")] }),
        ("call_expression", E::Call { callee: &[Field("function")] }),
        (
            "new_expression",
            E::Made { callee: &[Field("constructor")], arguments: &[Field("type_arguments")] },
        ),
        ("instantiation_expression", E::Inner { inner: &[Nth(0)] }),
        ("await_expression", E::Unwrap { inner: &[Nth(0)] }),
        ("non_null_expression", E::Inner { inner: &[Nth(0)] }),
        ("parenthesized_expression", E::Inner { inner: &[Nth(0)] }),
        ("satisfies_expression", E::Inner { inner: &[Nth(0)] }),
        ("as_expression", E::Typed { ty: &[Nth(1)] }),
        ("assignment_expression", E::Inner { inner: &[Field("right")] }),
        ("sequence_expression", E::Inner { inner: &[Last] }),
        ("spread_element", E::Element { base: &[Nth(0)] }),
        ("ternary_expression", E::Either { first: &[Field("consequence")], second: &[Field("alternative")] }),
        ("binary_expression", E::Either { first: &[Field("left")], second: &[Field("right")] }),
        ("augmented_assignment_expression", E::Either { first: &[Field("left")], second: &[Field("right")] }),
        ("arrow_function", E::Lambda),
        ("function_expression", E::Lambda),
        (
            "object",
            E::Record {
                member: "pair",
                name: &[Field("key")],
                value: &[Field("value")],
                shorthand: "shorthand_property_identifier",
            },
        ),
        ("array", E::Filled { name: "Array", element: &[] }),
        ("string", E::Literal("string")),
        ("template_string", E::Literal("string")),
        ("number", E::Literal("number")),
        ("true", E::Literal("boolean")),
        ("false", E::Literal("boolean")),
        ("regex", E::Literal("RegExp")),
        ("null", E::Never),
        ("undefined", E::Never),
    ],
    types: &[
        ("type_annotation", T::Inner { inner: &[Nth(0)] }),
        ("identifier", T::Name),
        ("type_identifier", T::Name),
        ("predefined_type", T::Name),
        ("this_type", T::Name),
        ("nested_type_identifier", T::Scoped { path: &[Field("module")], name: &[Field("name")] }),
        ("member_expression", T::Scoped { path: &[Field("object")], name: &[Field("property")] }),
        ("generic_type", T::Generic { base: &[Field("name")], arguments: &[Field("type_arguments")] }),
        ("extends_clause", T::Generic { base: &[Field("value")], arguments: &[Field("type_arguments")] }),
        ("union_type", T::Union),
        ("intersection_type", T::Union),
        ("array_type", T::Sequence { element: &[Nth(0)] }),
        ("readonly_type", T::Inner { inner: &[Last] }),
        ("optional_type", T::Inner { inner: &[Nth(0)] }),
        ("rest_type", T::Inner { inner: &[Nth(0)] }),
        ("parenthesized_type", T::Inner { inner: &[Nth(0)] }),
        ("constraint", T::Inner { inner: &[Nth(0)] }),
        ("default_type", T::Inner { inner: &[Nth(0)] }),
        ("tuple_type", T::Tuple),
        ("required_parameter", T::Inner { inner: &[Field("type")] }),
        ("optional_parameter", T::Inner { inner: &[Field("type")] }),
        (
            "object_type",
            T::Record { member: "property_signature", name: &[Field("name")], ty: &[Field("type")] },
        ),
        ("lookup_type", T::Lookup { base: &[Nth(0)], index: &[Nth(1)] }),
        ("type_query", T::OfValue { value: &[Nth(0)] }),
        (
            "function_type",
            T::Function {
                receiver: &[Kind("comment")],
                parameters: &[Field("parameters")],
                result: &[Field("return_type")],
            },
        ),
        ("literal_type", T::Nothing),
    ],
    patterns: &[
        ("identifier", P::Name),
        ("shorthand_property_identifier_pattern", P::Shorthand),
        ("object_pattern", P::Inner),
        ("array_pattern", P::Parts),
        ("pair_pattern", P::Member { name: &[Field("key")], pattern: &[Field("value")] }),
        ("object_assignment_pattern", P::Declared { name: &[Field("left")], ty: &[Kind("type_annotation")] }),
        ("assignment_pattern", P::Declared { name: &[Field("left")], ty: &[Kind("type_annotation")] }),
        ("rest_pattern", P::Inner),
    ],
    parameters: &[("required_parameter", PARAMETER), ("optional_parameter", PARAMETER)],
    imports: &[
        ("import_statement", I::List { prefix: &[Field("source")], roots: false }),
        ("import_clause", I::List { prefix: &[Kind("comment")], roots: false }),
        ("named_imports", I::List { prefix: &[Kind("comment")], roots: false }),
        ("identifier", I::Fixed { name: "default" }),
        ("namespace_import", I::Whole { alias: &[Kind("identifier")] }),
        ("import_specifier", I::Renamed { path: &[Field("name")], alias: &[Field("alias")], wildcard: &[] }),
        (
            "import_require_clause",
            I::Renamed { path: &[Field("source")], alias: &[Kind("identifier")], wildcard: &[] },
        ),
        ("string", I::Loaded),
    ],
    type_parameters: &[("type_parameter", &[Field("name")], &[Field("constraint")])],
    path_extras: &["type_arguments", "optional_chain"],
    path_heads: &[],
    name_quotes: &["\"", "'"],
    import_dots: None,
    modifier_groups: &[],
    modifiers: &[
        ("public", Mark::Visibility(Visibility::Public)),
        ("protected", Mark::Visibility(Visibility::Protected)),
        ("private", Mark::Visibility(Visibility::Private)),
        ("override", Mark::Override),
        ("abstract", Mark::WithoutBody),
        ("static", Mark::Associated),
        ("get", Mark::Accessor),
        ("set", Mark::Accessor),
    ],
    decorators: &[("export", Mark::Visibility(Visibility::Public)), ("const", Mark::Constant)],
    decorator_words: &[],
    file_attribute: None,
    name_attribute: None,
    condition_attribute: None,
    visibility: VisibilityRules {
        default: Visibility::Private,
        private_prefix: Some("#"),
        node: None,
        upper_case: false,
        members: Some(Visibility::Public),
    },
    constructors: &["constructor"],
    keywords: &[],
    test_prefixes: &[],
    upper_case_constants: false,
    member_variable: SymbolKind::Field,
    variadic: &["rest_pattern"],
    instance: Instance::Keyword,
    extent: Extent::Block,
    upper_case_patterns_refer: false,
    unwrapping_patterns: &[],
    transparent_types: &[
        "Awaited",
        "DeepPartial",
        "DeepReadonly",
        "Exclude",
        "Extract",
        "Mutable",
        "NoInfer",
        "NonNullable",
        "Omit",
        "Partial",
        "Pick",
        "Readonly",
        "Required",
    ],
    union_types: &[],
    function_types: &[],
    inferred_types: &[],
    functional_interfaces: false,
    self_types: &["this"],
    passing: &[
        ("createContext", Passing::Held("Context")),
        ("structuredClone", Passing::Same),
        ("useContext", Passing::Element),
        ("useMemo", Passing::Called),
        ("useRef", Passing::Held("RefObject")),
        ("useState", Passing::HeldFirst),
    ],
    passing_members: &[
        ("assign", Passing::Same),
        ("createContext", Passing::Held("Context")),
        ("createRef", Passing::Held("RefObject")),
        ("freeze", Passing::Same),
        ("from", Passing::Same),
        ("useContext", Passing::Element),
        ("useMemo", Passing::Called),
        ("useRef", Passing::Held("RefObject")),
        ("useState", Passing::HeldFirst),
        ("values", Passing::Same),
    ],
    result_types: &["ReturnType"],
    instance_types: &["InstanceType"],
    module_calls: &["import", "require"],
    joined_signatures: true,
    delegating_yield: Some("*"),
    generator_type: "Generator",
    super_call: None,
    lambda_receivers: false,
    implicit_parameter: None,
    call_arguments: &[&[Field("arguments")]],
    call_types: &[&[Field("type_arguments")]],
    argument_lists: &["arguments"],
    argument_extras: &["comment"],
    argument_splats: &["spread_element"],
    overloads: false,
    argument_name: None,
    default_mark: "=",
    docs_touch: false,
    signature_end: None,
    reexports: Reexports::Never,
    macros: None,
    recovery: Recovery {
        declarations: DECLARATIONS,
        braces: true,
        fatal_template: None,
        prose: &["comment", "string", "template_string", "regex"],
    },
};

pub(super) static SPEC: LanguageSpec = LanguageSpec {
    name: "javascript",
    extensions: &["js", "jsx", "mjs", "cjs"],
    file_names: &[],
    language: || tree_sitter_typescript::LANGUAGE_TSX.into(),
    query: concat!(include_str!("jsx.scm"), include_str!("javascript.scm")),
    syntax: SYNTAX,
    resolution: &RULES,
};
