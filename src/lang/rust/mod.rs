//! Rust as data.

mod names;
mod resolution;

use super::{
    ExprShape as E, Extent, ImportShape as I, Instance, LanguageSpec, MacroSyntax, MacroValue, Mark,
    ParamShape, PatternShape as P, Recovery, Reexports, Routes, Shape,
    Step::{Field, Kind, Nth},
    SymbolKind, Syntax, TypeShape as T, Visibility, VisibilityRules,
};

const BODY: Routes = &[&[Field("body")]];
const GENERICS: Routes = &[&[Field("type_parameters")]];
const WHERE: Routes = &[&[Kind("where_clause")]];
const TYPE: Routes = &[&[Field("type")]];
const VALUE: Routes = &[&[Field("value")]];

const FUNCTION: Shape = Shape {
    body: BODY,
    parameters: &[&[Field("parameters")]],
    ty: &[&[Field("return_type")]],
    type_parameters: GENERICS,
    constraints: WHERE,
    ..Shape::NONE
};

const TYPE_ITEM: Shape = Shape { body: BODY, type_parameters: GENERICS, constraints: WHERE, ..Shape::NONE };

pub(super) static SPEC: LanguageSpec = LanguageSpec {
    name: "rust",
    extensions: &["rs"],
    file_names: &[],
    language: || tree_sitter_rust::LANGUAGE.into(),
    query: include_str!("rust.scm"),
    syntax: Syntax {
        shapes: &[
            ("function_item", FUNCTION),
            ("function_signature_item", FUNCTION),
            ("mod_item", TYPE_ITEM),
            // A tuple struct's parts belong to its signature.
            (
                "struct_item",
                Shape {
                    body: &[&[Kind("field_declaration_list")]],
                    parameters: &[&[Kind("ordered_field_declaration_list")]],
                    ..TYPE_ITEM
                },
            ),
            ("union_item", TYPE_ITEM),
            ("enum_item", TYPE_ITEM),
            (
                "enum_variant",
                Shape {
                    body: &[&[Kind("field_declaration_list")]],
                    value: VALUE,
                    parameters: &[&[Kind("ordered_field_declaration_list")]],
                    ..Shape::NONE
                },
            ),
            ("field_declaration", Shape { ty: TYPE, ..Shape::NONE }),
            ("trait_item", Shape { supertypes: &[&[Field("bounds")]], ..TYPE_ITEM }),
            ("impl_item", Shape { receiver: TYPE, supertypes: &[&[Field("trait")]], ..TYPE_ITEM }),
            ("type_item", Shape { ty: TYPE, type_parameters: GENERICS, ..Shape::NONE }),
            ("associated_type", Shape { supertypes: &[&[Field("bounds")]], ..Shape::NONE }),
            ("const_item", Shape { ty: TYPE, value: VALUE, ..Shape::NONE }),
            ("static_item", Shape { ty: TYPE, value: VALUE, ..Shape::NONE }),
            ("macro_definition", Shape { body: &[&[Kind("{")], &[Kind("(")], &[Kind("[")]], ..Shape::NONE }),
            ("let_declaration", Shape { ty: TYPE, value: VALUE, ..Shape::NONE }),
            (
                "closure_expression",
                Shape { parameters: &[&[Field("parameters")]], value: BODY, ..Shape::NONE },
            ),
        ],
        expressions: &[
            ("identifier", E::Name),
            ("self", E::This),
            ("scoped_identifier", E::Path { path: &[Field("path")], name: &[Field("name")] }),
            ("field_expression", E::Member { object: &[Field("value")], name: &[Field("field")] }),
            ("call_expression", E::Call { callee: &[Field("function")] }),
            ("generic_function", E::Inner { inner: &[Field("function")] }),
            ("index_expression", E::Element { base: &[Nth(0)] }),
            ("try_expression", E::Unwrap { inner: &[Nth(0)] }),
            ("await_expression", E::Unwrap { inner: &[Nth(0)] }),
            ("parenthesized_expression", E::Inner { inner: &[Nth(0)] }),
            ("reference_expression", E::Inner { inner: &[Field("value")] }),
            ("unary_expression", E::Inner { inner: &[Nth(0)] }),
            ("type_cast_expression", E::Typed { ty: &[Field("type")] }),
            ("struct_expression", E::Typed { ty: &[Field("name")] }),
            ("bracketed_type", E::Typed { ty: &[Nth(0)] }),
            ("tuple_expression", E::Tuple),
            ("macro_invocation", E::Macro { name: &[Field("macro")], body: &[Kind("token_tree")] }),
            ("closure_expression", E::Lambda),
            ("if_expression", E::Either { first: &[Field("consequence")], second: &[Field("alternative")] }),
            (
                "match_expression",
                E::Branches { body: &[Field("body")], branch: "match_arm", value: &[Field("value")] },
            ),
            ("else_clause", E::Inner { inner: &[Nth(0)] }),
            ("block", E::Tail),
            ("unsafe_block", E::Inner { inner: &[Nth(0)] }),
            ("return_expression", E::Never),
            ("break_expression", E::Never),
            ("continue_expression", E::Never),
            ("string_literal", E::Literal("str")),
            ("raw_string_literal", E::Literal("str")),
            ("char_literal", E::Literal("char")),
            ("boolean_literal", E::Literal("bool")),
            ("integer_literal", E::Literal("i32")),
            ("float_literal", E::Literal("f64")),
            ("range_expression", E::Literal("Range")),
        ],
        types: &[
            ("type_identifier", T::Name),
            ("identifier", T::Name),
            ("primitive_type", T::Name),
            ("scoped_type_identifier", T::Scoped { path: &[Field("path")], name: &[Field("name")] }),
            ("scoped_identifier", T::Scoped { path: &[Field("path")], name: &[Field("name")] }),
            ("generic_type", T::Generic { base: &[Field("type")], arguments: &[Field("type_arguments")] }),
            (
                "generic_type_with_turbofish",
                T::Generic { base: &[Field("type")], arguments: &[Field("type_arguments")] },
            ),
            ("type_binding", T::Inner { inner: &[Field("type")] }),
            ("reference_type", T::Inner { inner: &[Field("type")] }),
            ("pointer_type", T::Inner { inner: &[Field("type")] }),
            ("bounded_type", T::Inner { inner: &[Nth(0)] }),
            ("higher_ranked_trait_bound", T::Inner { inner: &[Field("type")] }),
            ("bracketed_type", T::Inner { inner: &[Nth(0)] }),
            ("qualified_type", T::Inner { inner: &[Field("type")] }),
            ("tuple_type", T::Tuple),
            ("unit_type", T::Tuple),
            ("array_type", T::Sequence { element: &[Field("element")] }),
            (
                "function_type",
                T::Function {
                    receiver: &[Kind("attribute_item")],
                    parameters: &[Field("parameters")],
                    result: &[Field("return_type")],
                },
            ),
            ("parameter", T::Inner { inner: &[Field("type")] }),
            ("dynamic_type", T::Bound { inner: &[Field("trait")] }),
            ("abstract_type", T::Bound { inner: &[Field("trait")] }),
            ("removed_trait_bound", T::Nothing),
            ("never_type", T::Nothing),
        ],
        patterns: &[
            ("identifier", P::Name),
            ("shorthand_field_identifier", P::Name),
            ("tuple_pattern", P::Parts),
            ("slice_pattern", P::Parts),
            ("tuple_struct_pattern", P::Constructor { name: &[Field("type")] }),
            ("struct_pattern", P::Constructor { name: &[Field("type")] }),
            ("field_pattern", P::Member { name: &[Field("name")], pattern: &[Field("pattern")] }),
            ("remaining_field_pattern", P::Rest),
            ("ref_pattern", P::Inner),
            ("mut_pattern", P::Inner),
            ("reference_pattern", P::Inner),
            ("captured_pattern", P::Inner),
            ("or_pattern", P::Inner),
        ],
        parameters: &[
            (
                "parameter",
                ParamShape {
                    name: &[&[Field("pattern")]],
                    ty: TYPE,
                    receiver: false,
                    member: &[],
                    default: &[],
                },
            ),
            ("self_parameter", ParamShape { name: &[], ty: &[], receiver: true, member: &[], default: &[] }),
        ],
        imports: &[
            ("use_declaration", I::List { prefix: &[Kind("attribute_item")], roots: false }),
            ("scoped_use_list", I::List { prefix: &[Field("path")], roots: false }),
            ("use_list", I::List { prefix: &[Kind("attribute_item")], roots: false }),
            (
                "use_as_clause",
                I::Renamed {
                    path: &[Field("path")],
                    alias: &[Field("alias")],
                    wildcard: &[Kind("use_wildcard")],
                },
            ),
            (
                "extern_crate_declaration",
                I::Renamed {
                    path: &[Field("name")],
                    alias: &[Field("alias")],
                    wildcard: &[Kind("use_wildcard")],
                },
            ),
            ("use_wildcard", I::Wildcard { path: &[Nth(0)] }),
            ("identifier", I::Path),
            ("scoped_identifier", I::Path),
            ("self", I::Path),
            ("crate", I::Path),
            ("super", I::Path),
        ],
        type_parameters: &[
            ("type_parameter", &[Field("name")], &[Field("bounds")]),
            ("where_predicate", &[Field("left")], &[Field("bounds")]),
        ],
        path_extras: &["type_arguments", "lifetime"],
        path_heads: &["qualified_type"],
        name_quotes: &["r#"],
        import_dots: None,
        modifier_groups: &[],
        modifiers: &[],
        decorators: &[
            ("test", Mark::Test),
            ("bench", Mark::Test),
            ("rstest", Mark::Test),
            ("test_case", Mark::Test),
            ("proptest", Mark::Test),
            ("wasm_bindgen_test", Mark::Test),
            ("macro_export", Mark::ExportedMacro),
        ],
        file_attribute: Some("path"),
        condition_attribute: Some(("cfg", "test")),
        visibility: VisibilityRules {
            default: Visibility::Private,
            private_prefix: None,
            node: Some("visibility_modifier"),
        },
        constructors: &[],
        keywords: &[
            "as", "const", "dyn", "else", "enum", "fn", "for", "if", "impl", "in", "let", "loop", "match",
            "mod", "move", "mut", "pub", "ref", "return", "static", "struct", "trait", "type", "use",
            "where", "while",
        ],
        test_prefixes: &[],
        upper_case_constants: false,
        member_variable: SymbolKind::Constant,
        variadic: &[],
        instance: Instance::Parameter("self"),
        extent: Extent::FromDeclaration,
        upper_case_patterns_refer: true,
        unwrapping_patterns: &["Some", "Ok", "Ready"],
        transparent_types: &[],
        union_types: &[],
        function_types: &[],
        self_types: &["Self"],
        passing: &[],
        passing_members: &[],
        delegating_yield: None,
        generator_type: "",
        super_call: None,
        lambda_receivers: false,
        implicit_parameter: None,
        call_arguments: &[&[Field("arguments")]],
        argument_lists: &["arguments"],
        argument_extras: &["attribute_item"],
        argument_splats: &[],
        signature_end: None,
        reexports: Reexports::Marked("visibility_modifier"),
        macros: Some(MacroSyntax {
            token_tree: "token_tree",
            item_words: &[
                "fn", "struct", "enum", "union", "trait", "impl", "mod", "static", "const", "type", "use",
                "pub",
            ],
            identifier: "identifier",
            this: "self",
            values: &[
                ("ready", MacroValue::Unwrapped),
                ("try", MacroValue::Unwrapped),
                ("pin", MacroValue::Argument),
                ("dbg", MacroValue::Argument),
                ("vec", MacroValue::Made(&["Vec", "from"])),
                ("format", MacroValue::Literal("String")),
            ],
        }),
        recovery: Recovery {
            declarations: &[
                (
                    r#"(?m)^[ \t]*(?P<start>(?:pub(?:\([^)\n]*\))?[ \t]+)?(?:(?:const|async|unsafe|default|extern(?:[ \t]+"[^"\n]*")?)[ \t]+)*fn)[ \t]+(?P<name>(?:r#)?[\p{XID_Start}_]\p{XID_Continue}*)[ \t]*[<(]"#,
                    SymbolKind::Function,
                ),
                (
                    r"(?m)^[ \t]*(?P<start>(?:pub(?:\([^)\n]*\))?[ \t]+)?struct)[ \t]+(?P<name>[\p{XID_Start}_]\p{XID_Continue}*)",
                    SymbolKind::Struct,
                ),
                (
                    r"(?m)^[ \t]*(?P<start>(?:pub(?:\([^)\n]*\))?[ \t]+)?enum)[ \t]+(?P<name>[\p{XID_Start}_]\p{XID_Continue}*)",
                    SymbolKind::Enum,
                ),
                (
                    r"(?m)^[ \t]*(?P<start>(?:pub(?:\([^)\n]*\))?[ \t]+)?(?:unsafe[ \t]+)?trait)[ \t]+(?P<name>[\p{XID_Start}_]\p{XID_Continue}*)",
                    SymbolKind::Trait,
                ),
                (
                    r"(?m)^[ \t]*(?P<start>(?:pub(?:\([^)\n]*\))?[ \t]+)?mod)[ \t]+(?P<name>[\p{XID_Start}_]\p{XID_Continue}*)[ \t]*\{",
                    SymbolKind::Module,
                ),
                (
                    r"(?m)^(?P<start>(?:unsafe[ \t]+)?impl)(?:<[^>\n]*>)?[ \t]+(?:[^{;\n]*[ \t]for[ \t]+)?&?(?:mut[ \t]+)?(?:\w+::)*(?P<name>[\p{XID_Start}_]\p{XID_Continue}*)[^;{\n]*\{",
                    SymbolKind::Extension,
                ),
            ],
            braces: true,
            prose: &[
                "line_comment",
                "block_comment",
                "string_literal",
                "raw_string_literal",
                "macro_definition",
            ],
        },
    },
    resolution: &resolution::RULES,
};
