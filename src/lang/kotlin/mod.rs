//! Kotlin as data.

mod resolution;

use super::{
    ExprShape as E, Extent, ImportShape as I, Instance, LanguageSpec, Mark, ParamShape, PatternShape as P,
    Recovery, Reexports, Routes, Shape,
    Step::{After, Field, Kind, Last, Nth, Past},
    SymbolKind, Syntax, TypeShape as T, Visibility, VisibilityRules,
};

const TYPE: Routes = &[&[Past(":", "type_modifiers")]];
const GENERICS: Routes = &[&[Kind("type_parameters")]];
const WHERE: Routes = &[&[Kind("type_constraints")]];

const CLASS: Shape = Shape {
    body: &[&[Kind("class_body")], &[Kind("enum_class_body")]],
    parameters: &[&[Kind("primary_constructor")]],
    type_parameters: GENERICS,
    constraints: WHERE,
    supertype_kind: Some("delegation_specifier"),
    delegate: &[&[Kind("explicit_delegation"), After("by")]],
    ..Shape::NONE
};

pub(super) static SPEC: LanguageSpec = LanguageSpec {
    name: "kotlin",
    extensions: &["kt", "kts"],
    file_names: &[],
    language: || tree_sitter_kotlin::LANGUAGE.into(),
    query: include_str!("kotlin.scm"),
    syntax: Syntax {
        shapes: &[
            ("class_declaration", CLASS),
            ("object_declaration", CLASS),
            ("companion_object", CLASS),
            ("object_literal", CLASS),
            ("enum_entry", Shape { body: &[&[Kind("class_body")]], ..Shape::NONE }),
            (
                "function_declaration",
                Shape {
                    body: &[&[Kind("function_body")]],
                    parameters: &[&[Kind("function_value_parameters")]],
                    ty: TYPE,
                    value: &[&[Kind("function_body"), After("=")]],
                    receiver: &[&[Field("receiver")]],
                    type_parameters: GENERICS,
                    constraints: WHERE,
                    ..Shape::NONE
                },
            ),
            (
                "secondary_constructor",
                Shape {
                    body: &[&[Kind("{")]],
                    parameters: &[&[Kind("function_value_parameters")]],
                    ..Shape::NONE
                },
            ),
            (
                "property_declaration",
                Shape {
                    body: &[&[Kind("getter")], &[Kind("setter")]],
                    ty: &[&[Kind("variable_declaration"), Past(":", "type_modifiers")]],
                    value: &[&[After("=")], &[Kind("getter"), Kind("function_body"), After("=")]],
                    receiver: &[&[Field("receiver")]],
                    type_parameters: GENERICS,
                    accessor: &[&[Kind("getter")]],
                    ..Shape::NONE
                },
            ),
            (
                "getter",
                Shape { value: &[&[Kind("function_body"), After("=")]], accessor: &[&[]], ..Shape::NONE },
            ),
            ("class_parameter", Shape { ty: TYPE, value: &[&[After("=")]], ..Shape::NONE }),
            (
                "type_alias",
                Shape { ty: &[&[Past("=", "type_modifiers")]], type_parameters: GENERICS, ..Shape::NONE },
            ),
            (
                "lambda_literal",
                Shape {
                    parameters: &[&[Kind("lambda_parameters")]],
                    value: &[&[Kind("statements")]],
                    ..Shape::NONE
                },
            ),
            (
                "anonymous_function",
                Shape { parameters: &[&[Kind("function_value_parameters")]], ..Shape::NONE },
            ),
        ],
        expressions: &[
            ("simple_identifier", E::Name),
            ("interpolated_identifier", E::Name),
            ("type_identifier", E::Name),
            ("this_expression", E::This),
            ("super_expression", E::Super),
            (
                "navigation_expression",
                E::Member {
                    object: &[Nth(0)],
                    name: &[Kind("navigation_suffix"), Kind("simple_identifier")],
                },
            ),
            ("call_expression", E::Call { callee: &[Nth(0)] }),
            ("infix_expression", E::Infix { object: &[Nth(0)], name: &[Nth(1)] }),
            ("value_argument", E::Inner { inner: &[Last] }),
            ("annotated_lambda", E::Inner { inner: &[Last] }),
            ("indexing_expression", E::Element { base: &[Nth(0)] }),
            ("postfix_expression", E::Unwrap { inner: &[Nth(0)] }),
            ("prefix_expression", E::Inner { inner: &[Last] }),
            ("parenthesized_expression", E::Inner { inner: &[Nth(0)] }),
            ("interpolated_expression", E::Inner { inner: &[Nth(0)] }),
            ("as_expression", E::Typed { ty: &[Last] }),
            ("object_literal", E::Typed { ty: &[Kind("delegation_specifier")] }),
            ("elvis_expression", E::Either { first: &[Nth(0)], second: &[Last] }),
            ("if_expression", E::Either { first: &[Field("consequence")], second: &[Field("alternative")] }),
            ("when_expression", E::Branches { body: &[], branch: "when_entry", value: &[Last] }),
            ("try_expression", E::Inner { inner: &[Kind("statements")] }),
            ("control_structure_body", E::Tail),
            ("statements", E::Tail),
            ("lambda_literal", E::Lambda),
            ("anonymous_function", E::Lambda),
            ("jump_expression", E::Never),
            ("null_literal", E::Never),
            ("string_literal", E::Literal("String")),
            ("integer_literal", E::Literal("Int")),
            ("long_literal", E::Literal("Long")),
            ("real_literal", E::Literal("Double")),
            ("boolean_literal", E::Literal("Boolean")),
            ("character_literal", E::Literal("Char")),
        ],
        types: &[
            ("user_type", T::Segments { arguments: "type_arguments" }),
            ("type_identifier", T::Name),
            ("nullable_type", T::Inner { inner: &[Nth(0)] }),
            ("parenthesized_type", T::Inner { inner: &[Last] }),
            ("type_projection", T::Inner { inner: &[Last] }),
            ("not_nullable_type", T::Inner { inner: &[Kind("user_type")] }),
            ("receiver_type", T::Inner { inner: &[Last] }),
            ("parameter", T::Inner { inner: TYPE[0] }),
            ("delegation_specifier", T::Inner { inner: &[Nth(0)] }),
            ("constructor_invocation", T::Inner { inner: &[Kind("user_type")] }),
            ("explicit_delegation", T::Inner { inner: &[Nth(0)] }),
            (
                "function_type",
                T::Function {
                    receiver: &[Field("receiver")],
                    parameters: &[Kind("function_type_parameters")],
                    result: &[Past("->", "type_modifiers")],
                },
            ),
        ],
        patterns: &[
            ("simple_identifier", P::Name),
            ("variable_declaration", P::Declared { name: &[Kind("simple_identifier")], ty: TYPE[0] }),
            ("multi_variable_declaration", P::Parts),
        ],
        parameters: &[
            (
                "parameter",
                ParamShape {
                    name: &[&[Kind("simple_identifier")]],
                    ty: TYPE,
                    receiver: false,
                    member: &[],
                    default: &[],
                },
            ),
            (
                "class_parameter",
                ParamShape {
                    name: &[&[Kind("simple_identifier")]],
                    ty: TYPE,
                    receiver: false,
                    member: &[&[Kind("binding_pattern_kind")]],
                    default: &[],
                },
            ),
        ],
        imports: &[(
            "import_header",
            I::Renamed {
                path: &[Kind("identifier")],
                alias: &[Kind("import_alias"), Kind("type_identifier")],
                wildcard: &[Kind("wildcard_import")],
            },
        )],
        type_parameters: &[
            ("type_parameter", &[Kind("type_identifier")], TYPE[0]),
            ("type_constraint", &[Kind("type_identifier")], TYPE[0]),
        ],
        path_extras: &["type_arguments"],
        path_heads: &[],
        name_quotes: &["`"],
        import_dots: None,
        modifier_groups: &["modifiers"],
        modifiers: &[
            ("public", Mark::Visibility(Visibility::Public)),
            ("internal", Mark::Visibility(Visibility::Internal)),
            ("protected", Mark::Visibility(Visibility::Protected)),
            ("private", Mark::Visibility(Visibility::Private)),
            ("override", Mark::Override),
            ("abstract", Mark::WithoutBody),
            ("operator", Mark::Operator),
            ("infix", Mark::Operator),
            ("expect", Mark::Conditional),
            ("expect", Mark::Expected),
            ("expect", Mark::WithoutBody),
            ("actual", Mark::Conditional),
            ("companion", Mark::Companion),
            ("fun", Mark::Functional),
            ("const", Mark::Constant),
        ],
        decorators: &[
            ("Test", Mark::Test),
            ("ParameterizedTest", Mark::Test),
            ("RepeatedTest", Mark::Test),
            ("TestFactory", Mark::Test),
            ("LowPriorityInOverloadResolution", Mark::Yields),
            ("Deprecated", Mark::Deprecated),
        ],
        decorator_words: &[("Deprecated", "HIDDEN", Mark::Hidden)],
        file_attribute: None,
        condition_attribute: None,
        visibility: VisibilityRules { default: Visibility::Public, private_prefix: None, node: None },
        constructors: &[],
        keywords: &["class", "fun", "interface", "object", "typealias", "val", "var", "when", "while"],
        test_prefixes: &[],
        upper_case_constants: false,
        member_variable: SymbolKind::Property,
        variadic: &["vararg"],
        instance: Instance::Keyword,
        extent: Extent::FromDeclaration,
        upper_case_patterns_refer: false,
        unwrapping_patterns: &[],
        transparent_types: &[],
        union_types: &[],
        function_types: &[],
        self_types: &[],
        passing: &[],
        passing_members: &[],
        delegating_yield: None,
        generator_type: "",
        super_call: None,
        lambda_receivers: true,
        implicit_parameter: Some("it"),
        call_arguments: &[&[Kind("call_suffix")], &[Kind("value_arguments")]],
        argument_lists: &["call_suffix", "value_arguments"],
        argument_extras: &["type_arguments"],
        argument_splats: &[],
        overloads: true,
        argument_name: Some("="),
        default_mark: "=",
        signature_end: None,
        reexports: Reexports::Never,
        macros: None,
        recovery: Recovery {
            declarations: &[
                (
                    r"(?m)^[ \t]*(?P<start>(?:[a-z]+[ \t]+)*interface)[ \t]+(?P<name>[\p{XID_Start}_]\p{XID_Continue}*)",
                    SymbolKind::Interface,
                ),
                (
                    r"(?m)^[ \t]*(?P<start>(?:[a-z]+[ \t]+)*enum[ \t]+class)[ \t]+(?P<name>[\p{XID_Start}_]\p{XID_Continue}*)",
                    SymbolKind::Enum,
                ),
                (
                    r"(?m)^[ \t]*(?P<start>(?:[a-z]+[ \t]+)*class)[ \t]+(?P<name>[\p{XID_Start}_]\p{XID_Continue}*)",
                    SymbolKind::Class,
                ),
                (
                    r"(?m)^[ \t]*(?P<start>(?:[a-z]+[ \t]+)*object)[ \t]+(?P<name>[\p{XID_Start}_]\p{XID_Continue}*)",
                    SymbolKind::Object,
                ),
                (
                    r"(?m)^[ \t]*(?P<start>(?:[a-z]+[ \t]+)*fun)[ \t]+(?:<[^>\n]*>[ \t]*)?(?:[\w.<>?*, ]+\.)?(?P<name>[\p{XID_Start}_]\p{XID_Continue}*|`[^`\n]+`)[ \t]*\(",
                    SymbolKind::Function,
                ),
            ],
            braces: true,
            fatal_template: Some("${"),
            prose: &["line_comment", "multiline_comment", "string_literal"],
        },
    },
    resolution: &resolution::RULES,
};
