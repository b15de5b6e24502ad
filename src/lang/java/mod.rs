//! Java as data.

mod names;
mod resolution;

use super::{
    ExprShape as E, Extent, ImportShape as I, Instance, LanguageSpec, Mark, ParamShape, PatternShape as P,
    Recovery, Reexports, Route, Routes, Shape,
    Step::{Field, Kind, Last, Nth},
    SymbolKind, Syntax, TypeShape as T, Visibility, VisibilityRules,
};

const BODY: Routes = &[&[Field("body")]];
const TYPE: Routes = &[&[Field("type")]];
const PARAMETERS: Routes = &[&[Field("parameters")]];
const GENERICS: Routes = &[&[Field("type_parameters")]];

const CLASS: Shape = Shape {
    body: BODY,
    parameters: PARAMETERS,
    type_parameters: GENERICS,
    supertypes: &[
        &[Field("superclass")],
        &[Field("interfaces"), Kind("type_list")],
        &[Kind("extends_interfaces"), Kind("type_list")],
    ],
    ..Shape::NONE
};

const FUNCTION: Shape =
    Shape { body: BODY, parameters: PARAMETERS, ty: TYPE, type_parameters: GENERICS, ..Shape::NONE };

const VARIABLE: Shape = Shape { ty: TYPE, value: &[&[Field("declarator"), Field("value")]], ..Shape::NONE };

const PARAMETER: ParamShape = ParamShape {
    name: &[&[Field("name")]],
    ty: TYPE,
    names: None,
    receiver: false,
    member: &[],
    default: &[],
};

const INTEGER: E<Route> = E::Number { name: "int", endings: &[("l", "long"), ("L", "long")] };
const FLOATING: E<Route> = E::Number { name: "double", endings: &[("f", "float"), ("F", "float")] };

pub(super) static SPEC: LanguageSpec = LanguageSpec {
    name: "java",
    extensions: &["java"],
    file_names: &[],
    language: || tree_sitter_java::LANGUAGE.into(),
    query: include_str!("java.scm"),
    syntax: Syntax {
        shapes: &[
            ("class_declaration", CLASS),
            ("interface_declaration", CLASS),
            ("annotation_type_declaration", CLASS),
            ("enum_declaration", CLASS),
            ("record_declaration", CLASS),
            ("class_body", Shape { body: &[&[Kind("{")]], ..Shape::NONE }),
            ("enum_constant", Shape { body: BODY, ..Shape::NONE }),
            ("method_declaration", FUNCTION),
            ("annotation_type_element_declaration", Shape { ty: TYPE, ..Shape::NONE }),
            ("constructor_declaration", FUNCTION),
            ("compact_constructor_declaration", Shape { body: BODY, ..Shape::NONE }),
            ("field_declaration", VARIABLE),
            ("constant_declaration", VARIABLE),
            ("local_variable_declaration", VARIABLE),
            // A component of a record: it is read by a call.
            ("formal_parameter", Shape { ty: TYPE, accessor: &[&[]], ..Shape::NONE }),
            ("lambda_expression", Shape { parameters: PARAMETERS, value: BODY, ..Shape::NONE }),
        ],
        expressions: &[
            ("identifier", E::Name),
            ("type_identifier", E::Name),
            ("scoped_type_identifier", E::Path { path: &[Nth(0)], name: &[Last] }),
            ("generic_type", E::Inner { inner: &[Nth(0)] }),
            ("this", E::This),
            ("super", E::Super),
            ("scoped_identifier", E::Member { object: &[Field("scope")], name: &[Field("name")] }),
            ("field_access", E::Member { object: &[Field("object")], name: &[Field("field")] }),
            ("method_invocation", E::Invoke { object: &[Field("object")], name: &[Field("name")] }),
            (
                "object_creation_expression",
                E::Made { callee: TYPE[0], arguments: &[Field("type"), Kind("type_arguments")] },
            ),
            ("array_access", E::Element { base: &[Field("array")] }),
            ("array_creation_expression", E::OfType { name: "[]", ty: TYPE[0] }),
            ("array_initializer", E::Literal("[]")),
            ("cast_expression", E::Typed { ty: TYPE[0] }),
            ("parenthesized_expression", E::Inner { inner: &[Nth(0)] }),
            ("assignment_expression", E::Inner { inner: &[Field("right")] }),
            ("update_expression", E::Inner { inner: &[Nth(0)] }),
            ("expression_statement", E::Inner { inner: &[Nth(0)] }),
            (
                "ternary_expression",
                E::Either { first: &[Field("consequence")], second: &[Field("alternative")] },
            ),
            ("switch_expression", E::Branches { body: BODY[0], branch: "switch_rule", value: &[Last] }),
            ("throw_statement", E::Never),
            ("lambda_expression", E::Lambda),
            ("method_reference", E::Lambda),
            ("instanceof_expression", E::Literal("boolean")),
            (
                "binary_expression",
                E::Operation {
                    first: &[Field("left")],
                    second: &[Field("right")],
                    operator: &[Field("operator")],
                    results: &[
                        ("==", "boolean"),
                        ("!=", "boolean"),
                        ("<", "boolean"),
                        (">", "boolean"),
                        ("<=", "boolean"),
                        (">=", "boolean"),
                        ("&&", "boolean"),
                        ("||", "boolean"),
                    ],
                    text: "String",
                },
            ),
            ("unary_expression", E::Inner { inner: &[Field("operand")] }),
            ("class_literal", E::OfType { name: "Class", ty: &[Nth(0)] }),
            ("string_literal", E::Literal("String")),
            ("template_expression", E::Literal("String")),
            ("character_literal", E::Literal("char")),
            ("decimal_integer_literal", INTEGER),
            ("hex_integer_literal", INTEGER),
            ("octal_integer_literal", INTEGER),
            ("binary_integer_literal", INTEGER),
            ("decimal_floating_point_literal", FLOATING),
            ("hex_floating_point_literal", FLOATING),
            ("true", E::Literal("boolean")),
            ("false", E::Literal("boolean")),
            ("null_literal", E::Never),
        ],
        types: &[
            ("identifier", T::Name),
            ("type_identifier", T::Name),
            ("void_type", T::Name),
            ("integral_type", T::Name),
            ("floating_point_type", T::Name),
            ("boolean_type", T::Name),
            ("scoped_identifier", T::Scoped { path: &[Field("scope")], name: &[Field("name")] }),
            ("scoped_type_identifier", T::Scoped { path: &[Nth(0)], name: &[Last] }),
            ("generic_type", T::Generic { base: &[Nth(0)], arguments: &[Kind("type_arguments")] }),
            ("annotated_type", T::Inner { inner: &[Last] }),
            ("array_type", T::Sequence { element: &[Field("element")] }),
            ("wildcard", T::Open { inner: &[Last] }),
            ("catch_type", T::Union),
        ],
        patterns: &[("identifier", P::Name)],
        parameters: &[
            ("formal_parameter", PARAMETER),
            (
                "spread_parameter",
                ParamShape {
                    name: &[&[Kind("variable_declarator"), Field("name")]],
                    ty: &[
                        &[Kind("type_identifier")],
                        &[Kind("generic_type")],
                        &[Kind("array_type")],
                        &[Kind("scoped_type_identifier")],
                        &[Kind("integral_type")],
                        &[Kind("floating_point_type")],
                        &[Kind("boolean_type")],
                    ],
                    ..PARAMETER
                },
            ),
        ],
        imports: &[(
            "import_declaration",
            // There is no other name for an import.
            I::Renamed { path: &[Nth(0)], alias: &[Kind("asterisk")], wildcard: &[Kind("asterisk")] },
        )],
        type_parameters: &[("type_parameter", &[Kind("type_identifier")], &[Kind("type_bound")])],
        path_extras: &["type_arguments", "annotation", "marker_annotation"],
        path_heads: &[],
        name_quotes: &[],
        import_dots: None,
        modifier_groups: &["modifiers"],
        modifiers: &[
            ("public", Mark::Visibility(Visibility::Public)),
            ("protected", Mark::Visibility(Visibility::Protected)),
            ("private", Mark::Visibility(Visibility::Private)),
            ("abstract", Mark::WithoutBody),
            ("static", Mark::Associated),
        ],
        decorators: &[
            ("Test", Mark::Test),
            ("ParameterizedTest", Mark::Test),
            ("RepeatedTest", Mark::Test),
            ("TestFactory", Mark::Test),
            ("Deprecated", Mark::Deprecated),
        ],
        decorator_words: &[],
        file_attribute: None,
        name_attribute: None,
        condition_attribute: None,
        visibility: VisibilityRules {
            default: Visibility::Internal,
            private_prefix: None,
            node: None,
            upper_case: false,
            members: None,
        },
        constructors: &[],
        keywords: &[
            "class",
            "interface",
            "enum",
            "extends",
            "implements",
            "void",
            "while",
            "switch",
            "return",
        ],
        test_prefixes: &[],
        upper_case_constants: false,
        member_variable: SymbolKind::Field,
        variadic: &["spread_parameter"],
        instance: Instance::Keyword,
        extent: Extent::FromDeclaration,
        upper_case_patterns_refer: false,
        unwrapping_patterns: &[],
        transparent_types: &[],
        union_types: &[],
        function_types: &[],
        inferred_types: &["var"],
        functional_interfaces: true,
        self_types: &[],
        passing: &[],
        passing_members: &[],
        result_types: &[],
        instance_types: &[],
        module_calls: &[],
        joined_signatures: false,
        delegating_yield: None,
        generator_type: "",
        super_call: None,
        lambda_receivers: false,
        implicit_parameter: None,
        call_arguments: &[&[Field("arguments")]],
        call_types: &[],
        argument_lists: &["argument_list"],
        argument_extras: &["line_comment", "block_comment"],
        function_references: &["method_reference"],
        argument_splats: &[],
        overloads: true,
        argument_name: None,
        default_mark: "=",
        docs_touch: false,
        signature_end: None,
        reexports: Reexports::Never,
        macros: None,
        recovery: Recovery {
            declarations: &[
                (
                    r"(?m)^[ \t]*(?P<start>(?:[a-z-]+[ \t]+)*@?interface)[ \t]+(?P<name>[\p{XID_Start}_$][\p{XID_Continue}$]*)",
                    SymbolKind::Interface,
                ),
                (
                    r"(?m)^[ \t]*(?P<start>(?:[a-z-]+[ \t]+)*enum)[ \t]+(?P<name>[\p{XID_Start}_$][\p{XID_Continue}$]*)[^;=(]*\{",
                    SymbolKind::Enum,
                ),
                (
                    r"(?m)^[ \t]*(?P<start>(?:[a-z-]+[ \t]+)*class)[ \t]+(?P<name>[\p{XID_Start}_$][\p{XID_Continue}$]*)",
                    SymbolKind::Class,
                ),
                (
                    r"(?m)^[ \t]*(?P<start>(?:[a-z-]+[ \t]+)*record)[ \t]+(?P<name>[\p{XID_Start}_$][\p{XID_Continue}$]*)[ \t]*[<(]",
                    SymbolKind::Class,
                ),
                (
                    r"(?m)^[ \t]*(?P<start>(?:(?:public|protected|private|static|abstract|final|default|synchronized)[ \t]+)+)(?:<[^>\n]*>[ \t]+)?[\w.$<>\[\]?, ]+[ \t]+(?P<name>[\p{XID_Start}_$][\p{XID_Continue}$]*)[ \t]*\([^;=\n]*\{",
                    SymbolKind::Function,
                ),
            ],
            braces: true,
            fatal_template: None,
            prose: &["line_comment", "block_comment", "string_literal"],
        },
    },
    resolution: &resolution::RULES,
};
