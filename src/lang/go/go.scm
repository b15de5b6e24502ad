; Of several patterns that name one token the first counts: special before general.

; --- text ---
(source_file (comment) @doc)
(field_declaration_list (comment) @doc)
(interface_type (comment) @doc)
(const_declaration (comment) @doc)
(var_declaration (comment) @doc)
(comment) @comment
(ERROR) @error
(MISSING) @error
(type_declaration "type" @attribute)
(const_declaration "const" @attribute)
(var_declaration "var" @attribute)

; --- definitions ---
(type_spec name: (type_identifier) @name type: (struct_type)) @definition.struct
(type_spec name: (type_identifier) @name type: (interface_type)) @definition.interface
; Any other type that is declared is one of its own.
(type_spec name: (type_identifier) @name) @definition.class
(type_alias name: (type_identifier) @name) @definition.type_alias
(type_spec type: (struct_type (field_declaration_list
  (field_declaration name: (field_identifier) @name) @definition.field)))
(type_spec type: (interface_type (method_elem name: (field_identifier) @name) @definition.function))
(function_declaration name: (identifier) @name) @definition.function
(method_declaration
  receiver: (parameter_list (parameter_declaration type: (_) @name))) @definition.extension
(method_declaration name: (field_identifier) @name) @definition.function
((const_spec (identifier) @name) @declaration.constant (#not-eq? @name "_"))
((var_spec name: (identifier) @name) @declaration.variable (#not-eq? @name "_"))
((short_var_declaration left: (expression_list (identifier) @name @part)) @declaration.variable
  (#not-eq? @name "_"))

; --- bindings ---
(block) @scope
(if_statement) @scope
(for_statement) @scope
(expression_switch_statement) @scope
(type_switch_statement) @scope
(expression_case) @scope @arm
(expression_switch_statement value: (_) @arm.of)
(type_case) @scope @arm
(default_case) @scope
(communication_case) @scope
(func_literal) @lambda @scope
(method_declaration receiver: (parameter_list
  (parameter_declaration name: (identifier) @binding type: (_) @binding.type)))
(function_declaration result: (parameter_list
  (parameter_declaration name: (identifier) @binding type: (_) @binding.type)))
(method_declaration result: (parameter_list
  (parameter_declaration name: (identifier) @binding type: (_) @binding.type)))
(func_literal result: (parameter_list
  (parameter_declaration name: (identifier) @binding type: (_) @binding.type)))
(range_clause left: (expression_list . (identifier) . (identifier) @binding) right: (_) @binding.element)
(range_clause left: (expression_list . (identifier) @binding .))
(range_clause left: (expression_list . (identifier) @binding . (identifier)))
(type_switch_statement alias: (expression_list (identifier) @narrow.name)
  (type_case . type: (_) @narrow.type . ":") @narrow.scope)
(type_switch_statement alias: (expression_list (identifier) @binding) value: (_) @binding.value)
(receive_statement left: (expression_list . (identifier) @binding) right: (_) @binding.value)

(return_statement (_) @return)

; --- package and imports ---
(package_clause (package_identifier) @package) @opaque
(import_spec) @import

; --- references ---
(label_name) @ignore
(parameter_declaration name: (identifier) @ignore)
(variadic_parameter_declaration name: (identifier) @ignore)
(type_parameter_declaration name: (identifier) @ignore)
(literal_value (keyed_element . (literal_element (identifier) @ignore)))
(composite_literal
  type: (_) @receiver.type
  body: (literal_value (keyed_element . (literal_element (identifier) @reference.value))))
(composite_literal type: (_) @reference.instantiate)
(call_expression) @reference.call @call
(type_conversion_expression) @reference.call @call
(type_conversion_expression type: (_) @reference.type)
(qualified_type) @reference.type
(type_identifier) @reference.type
(selector_expression) @reference.value
(identifier) @reference.value
