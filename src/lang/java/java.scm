; Of several patterns that name one token the first counts: special before general.

; --- text ---
((block_comment) @doc (#match? @doc "^/[*][*][^/]"))
(block_comment) @comment
(line_comment) @comment
(ERROR) @error
(MISSING) @error
(annotation) @attribute
(marker_annotation) @attribute
(module_declaration) @opaque

; --- definitions ---
(class_declaration name: (identifier) @name) @definition.class
(record_declaration name: (identifier) @name) @definition.class
(interface_declaration name: (identifier) @name) @definition.interface
(annotation_type_declaration name: (identifier) @name) @definition.interface
(enum_declaration name: (identifier) @name) @definition.enum
(enum_constant name: (identifier) @name) @definition.enum_member
(object_creation_expression type: (_) @supertype
  (class_body . "{" @name (#set! name "<anonymous>")) @definition.class)
(method_declaration name: (identifier) @name) @definition.method
(annotation_type_element_declaration name: (identifier) @name) @definition.method
(constructor_declaration name: (identifier) @name (#set! name "constructor")) @definition.constructor
(compact_constructor_declaration name: (identifier) @name (#set! name "constructor")) @definition.constructor
(record_declaration parameters: (formal_parameters (formal_parameter name: (identifier) @name) @definition.field))
((field_declaration (modifiers) @_words declarator: (variable_declarator name: (identifier) @name))
  @declaration.constant (#match? @_words "\\bstatic\\b[^@]*\\bfinal\\b|\\bfinal\\b[^@]*\\bstatic\\b"))
(field_declaration declarator: (variable_declarator name: (identifier) @name)) @declaration.variable
(constant_declaration declarator: (variable_declarator name: (identifier) @name)) @declaration.constant
(local_variable_declaration declarator: (variable_declarator name: (identifier) @name)) @declaration.variable

; --- bindings ---
(block) @scope
(constructor_body) @scope
(for_statement) @scope
(enhanced_for_statement) @scope
(try_with_resources_statement) @scope
(switch_block) @scope
(switch_rule) @scope @arm
(switch_expression condition: (_) @arm.of)
(switch_block_statement_group) @arm
(lambda_expression) @lambda @scope
(cast_expression type: (_) @lambda.type value: (lambda_expression) @lambda.of)
(local_variable_declaration
  type: (_) @lambda.type declarator: (variable_declarator value: (lambda_expression) @lambda.of))
(field_declaration
  type: (_) @lambda.type declarator: (variable_declarator value: (lambda_expression) @lambda.of))
(constant_declaration
  type: (_) @lambda.type declarator: (variable_declarator value: (lambda_expression) @lambda.of))
(assignment_expression left: (_) @lambda.place right: (lambda_expression) @lambda.of)
(method_declaration
  type: (_) @lambda.type body: (block (return_statement (lambda_expression) @lambda.of)))
(enhanced_for_statement
  type: (_) @binding.type name: (identifier) @binding value: (_) @binding.element body: (_) @binding.scope)
(catch_clause
  (catch_formal_parameter (catch_type) @binding.type name: (identifier) @binding) body: (_) @binding.scope)
(resource type: (_) @binding.type name: (identifier) @binding value: (_) @binding.value)
(instanceof_expression right: (_) @binding.type name: (identifier) @binding)
(type_pattern . (_) @binding.type . (identifier) @binding .)
(record_pattern_component . (_) @binding.type . (identifier) @binding .)

; --- package and imports ---
(package_declaration [(identifier) (scoped_identifier)] @package) @opaque
(import_declaration) @import

; --- references ---
(labeled_statement . (identifier) @ignore)
(break_statement (identifier) @ignore)
(continue_statement (identifier) @ignore)
(element_value_pair key: (identifier) @ignore)
(inferred_parameters (identifier) @ignore)
(type_parameter (type_identifier) @ignore)
(receiver_parameter (identifier) @ignore)
(field_access field: (this) @ignore)
((type_identifier) @ignore (#eq? @ignore "var"))
(annotation name: (_) @reference.decorator)
(marker_annotation name: (_) @reference.decorator)
(explicit_constructor_invocation
  constructor: (this) @receiver @reference.call (#set! name "constructor")) @call
(explicit_constructor_invocation
  constructor: (super) @receiver @reference.call (#set! name "constructor")) @call
(enum_constant arguments: (argument_list . "(" @reference.call (#set! name "constructor"))) @call
(method_invocation) @reference.call @call
(object_creation_expression . (_) @receiver . "." type: (type_identifier) @reference.call) @call
(object_creation_expression) @reference.call @call
(method_reference . (_) @reference.value "new" .)
(method_reference . (_) @receiver (identifier) @reference.value .)
(record_pattern . (identifier) @reference.type)
(scoped_type_identifier) @reference.type
(type_identifier) @reference.type
(field_access) @reference.value
(identifier) @reference.value
