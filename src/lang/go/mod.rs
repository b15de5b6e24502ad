//! Go as data.

mod resolution;

use super::{
    ExprShape as E, Extent, ImportShape as I, Instance, LanguageSpec, ParamShape, Passing, PatternShape as P,
    Recovery, Reexports, Routes, Shape,
    Step::{Field, Is, Kind, Nth},
    SymbolKind, Syntax, TypeShape as T, Visibility, VisibilityRules,
};

const BODY: Routes = &[&[Field("body")]];
const TYPE: Routes = &[&[Field("type")]];
const VALUE: Routes = &[&[Field("value")]];
const GENERICS: Routes = &[&[Field("type_parameters")]];

const FUNCTION: Shape = Shape {
    body: BODY,
    parameters: &[&[Field("parameters")]],
    ty: &[&[Field("result")]],
    type_parameters: GENERICS,
    ..Shape::NONE
};

/// Embedded types stand for what is above a type.
const TYPE_SPEC: Shape = Shape {
    body: &[&[Field("type"), Kind("field_declaration_list")], &[Field("type"), Kind("{")]],
    ty: TYPE,
    type_parameters: GENERICS,
    supertypes: &[&[Field("type"), Kind("field_declaration_list")], &[Field("type"), Is("interface_type")]],
    ..Shape::NONE
};

const PARAMETER: ParamShape = ParamShape {
    name: &[&[Field("name")]],
    names: Some("identifier"),
    ty: TYPE,

    receiver: false,
    member: &[],
    default: &[],
};

pub(super) static SPEC: LanguageSpec = LanguageSpec {
    name: "go",
    extensions: &["go"],
    file_names: &[],
    language: || tree_sitter_go::LANGUAGE.into(),
    query: include_str!("go.scm"),
    syntax: Syntax {
        shapes: &[
            ("function_declaration", FUNCTION),
            (
                "method_declaration",
                Shape {
                    receiver: &[&[Field("receiver"), Kind("parameter_declaration"), Field("type")]],
                    receiver_parameters: &[
                        &[
                            Field("receiver"),
                            Kind("parameter_declaration"),
                            Field("type"),
                            Field("type_arguments"),
                        ],
                        &[
                            Field("receiver"),
                            Kind("parameter_declaration"),
                            Field("type"),
                            Is("pointer_type"),
                            Nth(0),
                            Field("type_arguments"),
                        ],
                    ],
                    ..FUNCTION
                },
            ),
            ("method_elem", FUNCTION),
            ("type_spec", TYPE_SPEC),
            ("type_alias", Shape { ty: TYPE, type_parameters: GENERICS, ..Shape::NONE }),
            ("field_declaration", Shape { ty: TYPE, ..Shape::NONE }),
            ("const_spec", Shape { ty: TYPE, value: VALUE, ..Shape::NONE }),
            ("var_spec", Shape { ty: TYPE, value: VALUE, ..Shape::NONE }),
            ("short_var_declaration", Shape { value: &[&[Field("right")]], ..Shape::NONE }),
            (
                "func_literal",
                Shape {
                    body: BODY,
                    parameters: &[&[Field("parameters")]],
                    ty: &[&[Field("result")]],
                    ..Shape::NONE
                },
            ),
        ],
        expressions: &[
            ("identifier", E::Name),
            ("selector_expression", E::Member { object: &[Field("operand")], name: &[Field("field")] }),
            ("call_expression", E::Call { callee: &[Field("function")] }),
            ("index_expression", E::Applied { base: &[Field("operand")] }),
            ("slice_expression", E::Inner { inner: &[Field("operand")] }),
            ("type_instantiation_expression", E::Inner { inner: &[Field("type")] }),
            ("parenthesized_expression", E::Inner { inner: &[Nth(0)] }),
            ("unary_expression", E::Prefixed { operator: "<-", inner: &[Field("operand")] }),
            ("type_assertion_expression", E::Typed { ty: &[Field("type")] }),
            // With type arguments the grammar takes the call of a function for a conversion.
            (
                "type_conversion_expression",
                E::Converted { ty: &[Field("type")], callee: &[Field("type"), Field("type")] },
            ),
            ("composite_literal", E::Typed { ty: &[Field("type")] }),
            ("expression_list", E::Row),
            ("func_literal", E::Lambda),
            ("interpreted_string_literal", E::Literal("string")),
            ("raw_string_literal", E::Literal("string")),
            ("int_literal", E::Literal("int")),
            ("float_literal", E::Literal("float64")),
            ("rune_literal", E::Literal("rune")),
            ("true", E::Literal("bool")),
            ("false", E::Literal("bool")),
            ("nil", E::Never),
        ],
        types: &[
            ("type_identifier", T::Name),
            ("qualified_type", T::Scoped { path: &[Field("package")], name: &[Field("name")] }),
            ("generic_type", T::Generic { base: &[Field("type")], arguments: &[Field("type_arguments")] }),
            ("pointer_type", T::Inner { inner: &[Nth(0)] }),
            ("parenthesized_type", T::Inner { inner: &[Nth(0)] }),
            ("slice_type", T::Sequence { element: &[Field("element")] }),
            ("array_type", T::Sequence { element: &[Field("element")] }),
            ("channel_type", T::Sequence { element: &[Field("value")] }),
            ("map_type", T::Sequence { element: &[Field("value")] }),
            ("type_elem", T::Union),
            ("negated_type", T::Inner { inner: &[Nth(0)] }),
            ("type_constraint", T::Union),
            ("parameter_declaration", T::Inner { inner: &[Field("type")] }),
            ("variadic_parameter_declaration", T::Sequence { element: &[Field("type")] }),
            ("parameter_list", T::Row),
            (
                "struct_type",
                T::Record {
                    list: &[Kind("field_declaration_list")],
                    member: "field_declaration",
                    name: &[Field("name")],
                    ty: &[Field("type")],
                },
            ),
            ("field_declaration", T::Unless { other: &[Field("name")], inner: &[Field("type")] }),
            (
                "function_type",
                T::Function {
                    receiver: &[Kind("comment")],
                    parameters: &[Field("parameters")],
                    result: &[Field("result")],
                },
            ),
        ],
        patterns: &[("identifier", P::Name), ("expression_list", P::Parts)],
        parameters: &[("parameter_declaration", PARAMETER), ("variadic_parameter_declaration", PARAMETER)],
        imports: &[(
            "import_spec",
            I::Renamed { path: &[Field("path")], alias: &[Field("name")], wildcard: &[Kind("dot")] },
        )],
        type_parameters: &[
            ("type_parameter_declaration", &[Field("name")], &[Field("type")]),
            ("type_elem", &[Nth(0)], &[]),
        ],
        path_extras: &["type_arguments"],
        path_heads: &[],
        name_quotes: &[],
        import_dots: None,
        modifier_groups: &[],
        modifiers: &[],
        decorators: &[],
        decorator_words: &[],
        file_attribute: None,
        name_attribute: None,
        condition_attribute: None,
        visibility: VisibilityRules {
            default: Visibility::Internal,
            private_prefix: None,
            node: None,
            upper_case: true,
            members: None,
        },
        constructors: &[],
        keywords: &[],
        test_prefixes: &["Test", "Benchmark", "Fuzz", "Example"],
        upper_case_constants: false,
        member_variable: SymbolKind::Field,
        variadic: &["variadic_parameter_declaration"],
        instance: Instance::Keyword,
        extent: Extent::FromDeclaration,
        upper_case_patterns_refer: false,
        unwrapping_patterns: &[],
        transparent_types: &[],
        union_types: &[],
        function_types: &[],
        inferred_types: &[],
        functional_interfaces: false,
        self_types: &[],
        passing: &[("append", Passing::Same), ("make", Passing::Typed), ("new", Passing::Typed)],
        passing_members: &[("OnceValue", Passing::Same)],
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
        argument_extras: &["comment"],
        function_references: &[],
        argument_splats: &["variadic_argument"],
        overloads: false,
        argument_name: None,
        default_mark: "=",
        docs_touch: true,
        signature_end: None,
        reexports: Reexports::Never,
        macros: None,
        recovery: Recovery {
            declarations: &[
                (
                    r"(?m)^(?P<start>func)[ \t]+(?:\([^()\n]*\)[ \t]*)?(?P<name>[\p{XID_Start}_]\p{XID_Continue}*)[ \t]*[\[(]",
                    SymbolKind::Function,
                ),
                (
                    r"(?m)^(?:type)[ \t]+(?P<start>(?P<name>[\p{XID_Start}_]\p{XID_Continue}*))[ \t]+struct",
                    SymbolKind::Struct,
                ),
                (
                    r"(?m)^(?:type)[ \t]+(?P<start>(?P<name>[\p{XID_Start}_]\p{XID_Continue}*))[ \t]+interface",
                    SymbolKind::Interface,
                ),
            ],
            braces: true,
            fatal_template: None,
            prose: &["comment", "interpreted_string_literal", "raw_string_literal"],
        },
    },
    resolution: &resolution::RULES,
};
