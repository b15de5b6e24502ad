; Of several patterns that name one token the first counts: special before general.

; --- text ---
(line_comment outer: (_)) @doc
(block_comment outer: (_)) @doc
(line_comment inner: (_)) @doc.inner
(block_comment inner: (_)) @doc.inner
(line_comment) @comment
(block_comment) @comment
(ERROR) @error
(MISSING) @error
(attribute_item) @attribute
(inner_attribute_item) @opaque
(attribute_item (attribute arguments: (token_tree) @opaque))

; --- definitions ---
(mod_item name: (identifier) @name) @definition.module
(struct_item name: (type_identifier) @name) @definition.struct
(union_item name: (type_identifier) @name) @definition.union
(enum_item name: (type_identifier) @name) @definition.enum
(enum_variant name: (identifier) @name) @definition.enum_member
(field_declaration name: (field_identifier) @name) @definition.field
(trait_item name: (type_identifier) @name) @definition.trait
(impl_item type: (_) @name) @definition.extension
(type_item name: (type_identifier) @name) @definition.type_alias
(associated_type name: (type_identifier) @name) @definition.type_alias
(function_item name: (identifier) @name) @definition.function
(function_signature_item name: (identifier) @name) @definition.function
(const_item name: (identifier) @name) @definition.constant
(static_item name: (identifier) @name) @definition.variable
(macro_definition name: (identifier) @name) @definition.macro
(macro_definition) @opaque

; --- bindings ---
(block) @scope
(match_arm) @scope
(if_expression) @scope
(while_expression) @scope
(for_expression) @scope
(closure_expression) @scope
(let_declaration pattern: (_) @binding) @binding.declaration
(let_condition pattern: (_) @binding value: (_) @binding.value)
(match_expression value: (_) @binding.value body: (match_block (match_arm pattern: (match_pattern . (_) @binding))))
(for_expression pattern: (_) @binding value: (_) @binding.element body: (block) @binding.scope)
(closure_expression) @lambda
(call_expression function: (_) @lambda.callee arguments: (arguments (closure_expression) @lambda.argument))

; --- imports ---
(use_declaration) @import
(extern_crate_declaration) @import

; --- macros ---
(macro_invocation (token_tree) @macro)
(macro_invocation macro: (identifier) @reference.macro)
(macro_invocation macro: (scoped_identifier path: (_) @receiver.path name: (identifier) @reference.macro))

; --- references ---
(label (identifier) @ignore)
(lifetime (identifier) @ignore)
(type_parameter name: (type_identifier) @ignore)
(const_parameter name: (identifier) @ignore)
(type_binding name: (type_identifier) @ignore)
(attribute (identifier) @reference.decorator)
(attribute (scoped_identifier path: (_) @receiver.path name: (identifier) @reference.decorator))
(call_expression function: (identifier) @reference.call arguments: (_) @arguments)
(call_expression function: (scoped_identifier path: (_) @receiver.path name: (identifier) @reference.call) arguments: (_) @arguments)
(call_expression function: (field_expression value: (_) @receiver field: (field_identifier) @reference.call) arguments: (_) @arguments)
(call_expression function: (generic_function function: (identifier) @reference.call) arguments: (_) @arguments)
(call_expression function: (generic_function function: (scoped_identifier path: (_) @receiver.path name: (identifier) @reference.call)) arguments: (_) @arguments)
(call_expression function: (generic_function function: (field_expression value: (_) @receiver field: (field_identifier) @reference.call)) arguments: (_) @arguments)
(struct_expression name: (type_identifier) @reference.instantiate)
(struct_expression name: (scoped_type_identifier path: (_) @receiver.path name: (type_identifier) @reference.instantiate))
(struct_expression name: (generic_type_with_turbofish type: (type_identifier) @reference.instantiate))
(scoped_type_identifier path: (_) @receiver.path name: (type_identifier) @reference.type)
(type_identifier) @reference.type
(field_expression value: (_) @receiver field: (field_identifier) @reference.value)
(scoped_identifier path: (_) @receiver.path name: (identifier) @reference.value)
(identifier) @reference.value
