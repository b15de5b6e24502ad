; Of several patterns that name one token the first counts: special before general.

; --- text ---
((multiline_comment) @doc (#match? @doc "^/[*][*][^/]"))
(multiline_comment) @comment
(line_comment) @comment
(ERROR) @error
(MISSING) @error
(annotation) @attribute
(file_annotation) @opaque @attribute.file

; --- definitions ---
(class_declaration "enum" (type_identifier) @name) @definition.enum
(class_declaration "interface" (type_identifier) @name) @definition.interface
(class_declaration (type_identifier) @name) @definition.class
(object_declaration (type_identifier) @name) @definition.object
(companion_object (type_identifier) @name) @definition.object
(companion_object "companion" @name (#set! name "Companion")) @definition.object
(object_literal "object" @name (#set! name "<anonymous>")) @definition.object
(enum_entry (simple_identifier) @name) @definition.enum_member
(type_alias (type_identifier) @name) @definition.type_alias
(function_declaration (simple_identifier) @name) @definition.function
(secondary_constructor "constructor" @name) @definition.constructor
(class_parameter (binding_pattern_kind) (simple_identifier) @name) @definition.property
(property_declaration (variable_declaration (simple_identifier) @name)) @declaration.property
(property_declaration (multi_variable_declaration (variable_declaration . (simple_identifier) @name @part))) @declaration.property

(class_body (getter) @accessor)
(class_body (setter) @accessor)
(enum_class_body (getter) @accessor)
(enum_class_body (setter) @accessor)
(source_file (getter) @accessor)
(source_file (setter) @accessor)
(statements (getter) @accessor)

; --- bindings ---
(function_body) @scope
(lambda_literal) @scope
(anonymous_function) @scope
(control_structure_body) @scope
(anonymous_initializer) @scope
(getter) @scope
(setter) @scope
(for_statement) @scope
(when_expression) @scope
(when_entry) @arm
(when_subject) @arm.of
(try_expression) @scope
(catch_block) @scope
(finally_block) @scope
(for_statement (variable_declaration) @binding "in" . (_) @binding.element)
(for_statement (multi_variable_declaration) @binding "in" . (_) @binding.element)
(catch_block (simple_identifier) @binding ":" . (_) @binding.type)
(when_subject (variable_declaration) @binding "=" . (_) @binding.value)
(setter (parameter_with_optional_type (simple_identifier) @binding))
(lambda_literal) @lambda
(anonymous_function) @lambda

((if_expression
  condition: (check_expression . (simple_identifier) @narrow.name "is" . (_) @narrow.type) @_test
  consequence: (_) @narrow.scope) (#not-match? @_test "!\\s*is\\s"))
((if_expression
  condition: (conjunction_expression (check_expression . (simple_identifier) @narrow.name "is" . (_) @narrow.type) @_test)
  consequence: (_) @narrow.scope) (#not-match? @_test "!\\s*is\\s"))
((if_expression
  condition: (conjunction_expression (conjunction_expression (check_expression . (simple_identifier) @narrow.name "is" . (_) @narrow.type) @_test))
  consequence: (_) @narrow.scope) (#not-match? @_test "!\\s*is\\s"))
(if_expression
  condition: (check_expression . (simple_identifier) @narrow.name "!" "is" . (_) @narrow.type)
  alternative: (_) @narrow.scope)
((if_expression
  condition: (check_expression . (simple_identifier) @narrow.name "!" "is" . (_) @narrow.type)
  consequence: (control_structure_body [(jump_expression) (statements (jump_expression) .)] .)
  !alternative) @narrow.after)
((conjunction_expression . (check_expression . (simple_identifier) @narrow.name "is" . (_) @narrow.type) @_test "&&" (_) @narrow.scope) (#not-match? @_test "!\\s*is\\s"))
((conjunction_expression . (conjunction_expression (check_expression . (simple_identifier) @narrow.name "is" . (_) @narrow.type) @_test) "&&" (_) @narrow.scope) (#not-match? @_test "!\\s*is\\s"))
(disjunction_expression . (check_expression . (simple_identifier) @narrow.name "!" "is" . (_) @narrow.type) "||" (_) @narrow.scope)
((call_expression
  (simple_identifier) @_name
  (call_suffix (value_arguments . (value_argument (check_expression . (simple_identifier) @narrow.name "is" . (_) @narrow.type) @_test)))) @narrow.after
  (#not-match? @_test "!\\s*is\\s") (#any-of? @_name "require" "check" "assert" "assertTrue"))
(statements (as_expression . (simple_identifier) @narrow.name "as" . (_) @narrow.type) @narrow.after)
((when_expression
  (when_subject (simple_identifier) @narrow.name)
  (when_entry . (when_condition (type_test "is" . (_) @narrow.type) @_test) . "->" (control_structure_body) @narrow.scope))
  (#not-match? @_test "^!"))
((when_expression
  (when_subject (variable_declaration (simple_identifier) @narrow.name))
  (when_entry . (when_condition (type_test "is" . (_) @narrow.type) @_test) . "->" (control_structure_body) @narrow.scope))
  (#not-match? @_test "^!"))
((when_entry
  . (when_condition (check_expression . (simple_identifier) @narrow.name "is" . (_) @narrow.type) @_test) . "->" (control_structure_body) @narrow.scope) (#not-match? @_test "!\\s*is\\s"))
((when_entry
  . (when_condition (conjunction_expression (check_expression . (simple_identifier) @narrow.name "is" . (_) @narrow.type) @_test)) . "->" (control_structure_body) @narrow.scope) (#not-match? @_test "!\\s*is\\s"))

; --- package and imports ---
(package_header (identifier) @package) @opaque
(import_header) @import

; --- references ---
(value_argument . (simple_identifier) @ignore . "=")
(function_type_parameters (parameter (simple_identifier) @ignore))
(this_expression (type_identifier) @ignore)
(super_expression (type_identifier) @ignore)
(type_parameter (type_identifier) @ignore)
(annotation (user_type (type_identifier) @reference.decorator .))
(annotation (constructor_invocation (user_type (type_identifier) @reference.decorator .)) @call)
(call_expression) @reference.call @call
(infix_expression) @reference.call
(callable_reference (type_identifier) @receiver (simple_identifier) @reference.value)
(user_type
  (type_identifier) @receiver.path . "." . (type_identifier) @receiver.path . "." . (type_identifier) @reference.type)
(user_type (type_identifier) @receiver.path . "." . (type_identifier) @reference.type)
(type_identifier) @reference.type
((assignment
  . (directly_assignable_expression (_) @receiver . (navigation_suffix (simple_identifier) @reference.value)) . "=")
  @call)
(directly_assignable_expression (_) @receiver . (navigation_suffix (simple_identifier) @reference.value))
(navigation_expression) @reference.value
(interpolated_identifier) @reference.value
(simple_identifier) @reference.value
