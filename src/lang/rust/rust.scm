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
(match_arm) @scope @arm
(match_expression value: (_) @arm.of)
(if_expression) @scope
(while_expression) @scope
(for_expression) @scope
(closure_expression) @scope
(let_declaration pattern: (_) @binding) @binding.declaration
(let_condition pattern: (_) @binding value: (_) @binding.value)
(match_expression value: (_) @binding.value body: (match_block (match_arm pattern: (match_pattern . (_) @binding))))
(for_expression pattern: (_) @binding value: (_) @binding.element body: (block) @binding.scope)
(closure_expression) @lambda

; --- imports ---
(use_declaration) @import
(extern_crate_declaration) @import

; --- macros ---
(macro_invocation (token_tree) @macro)
(macro_invocation macro: (_) @reference.macro)

; --- references ---
(label (identifier) @ignore)
(lifetime (identifier) @ignore)
(type_parameter name: (type_identifier) @ignore)
(const_parameter name: (identifier) @ignore)
(type_binding name: (type_identifier) @ignore)
(attribute . (_) @reference.decorator)
(call_expression) @reference.call @call
(struct_expression
  name: (_) @receiver.type
  body: (field_initializer_list (field_initializer field: (field_identifier) @reference.value)))
(struct_expression
  name: (_) @receiver.type
  body: (field_initializer_list (shorthand_field_initializer (identifier) @reference.value)))
(struct_pattern type: (_) @receiver.type (field_pattern name: (_) @reference.value))
(struct_expression name: (_) @reference.instantiate)
(struct_pattern type: (_) @reference.value)
(scoped_type_identifier) @reference.type
(type_identifier) @reference.type
(field_expression) @reference.value
(scoped_identifier) @reference.value
(identifier) @reference.value
