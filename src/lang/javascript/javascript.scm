; Of several patterns that name one token the first counts: special before general.

; --- text ---
((comment) @doc (#match? @doc "^/[*][*][^/]"))
(comment) @comment
(hash_bang_line) @comment
(ERROR) @error
(MISSING) @error
(decorator) @attribute
(export_statement "export" @attribute)
(export_statement "default" @attribute)
(lexical_declaration ["const" "let"] @attribute)
(variable_declaration "var" @attribute)

; --- definitions ---
(class_declaration name: (type_identifier) @name) @definition.class
(variable_declarator name: (identifier) @name value: (class)) @definition.class
(export_statement "default" @name value: (class) (#set! name "default")) @definition.class
; A module that is a class or a function with a name of its own has that name.
((assignment_expression
  left: (member_expression object: (identifier) @_module property: (property_identifier) @_exports)
  right: (class name: (type_identifier) @name)) @definition.class
  (#eq? @_module "module") (#eq? @_exports "exports"))
((assignment_expression
  left: (member_expression object: (identifier) @_module property: (property_identifier) @_exports)
  right: [(function_expression name: (identifier) @name) (generator_function name: (identifier) @name)]) @definition.function
  (#eq? @_module "module") (#eq? @_exports "exports"))
(assignment_expression left: (member_expression property: (property_identifier) @name) right: (class)) @definition.class

(function_declaration name: (identifier) @name) @definition.function
(generator_function_declaration name: (identifier) @name) @definition.function
(variable_declarator
  name: (identifier) @name
  value: [(arrow_function) (function_expression) (generator_function)]) @definition.function
; What these calls give is the function that they are given.
((variable_declarator
  name: (identifier) @name
  value: (call_expression
    function: (_) @_wrapper
    arguments: (arguments . [(arrow_function) (function_expression)]))) @definition.function
  (#match? @_wrapper "^(React\\.)?(forwardRef|memo|useCallback|useEvent|observer|debounce|throttle)$"))
(export_statement
  "default" @name
  value: [(arrow_function) (function_expression) (generator_function)] (#set! name "default")) @definition.function

(class_body
  (method_definition name: [(property_identifier) (private_property_identifier) (string)] @name) @definition.function)
(class_body
  (public_field_definition
    name: [(property_identifier) (private_property_identifier)] @name
    value: [(arrow_function) (function_expression)]) @definition.function)
(class_body
  (public_field_definition
    name: [(property_identifier) (private_property_identifier) (string)] @name) @definition.field)

; Objects with functions; those of a module with names of functions, too.
(variable_declarator
  name: (identifier) @name
  value: (object [(method_definition) (pair value: [(arrow_function) (function_expression)])])) @definition.object
(variable_declarator
  name: (identifier) @name
  value: [
    (as_expression . (object [(method_definition) (pair value: [(arrow_function) (function_expression)])]))
    (satisfies_expression . (object [(method_definition) (pair value: [(arrow_function) (function_expression)])]))
  ]) @definition.object
(program (lexical_declaration (variable_declarator
  name: (identifier) @name
  value: (object [(pair value: [(identifier) (member_expression) (new_expression)]) (shorthand_property_identifier)])) @definition.object))
(program (export_statement declaration: (lexical_declaration (variable_declarator
  name: (identifier) @name
  value: (object [(pair value: [(identifier) (member_expression) (new_expression)]) (shorthand_property_identifier)])) @definition.object)))
(export_statement "default" @name value: (object) (#set! name "default")) @definition.object
(program (expression_statement (assignment_expression
  left: (member_expression property: (property_identifier) @name)
  right: (object)) @definition.object))

(program (lexical_declaration (variable_declarator value: (object
  (pair key: (property_identifier) @name value: [(identifier) (member_expression) (new_expression)]) @definition.field))))
(program (lexical_declaration (variable_declarator value: (object
  (shorthand_property_identifier) @name @definition.field))))
(program (export_statement declaration: (lexical_declaration (variable_declarator value: (object
  (pair key: (property_identifier) @name value: [(identifier) (member_expression) (new_expression)]) @definition.field)))))
(program (export_statement declaration: (lexical_declaration (variable_declarator value: (object
  (shorthand_property_identifier) @name @definition.field)))))
(export_statement value: (object
  (pair key: (property_identifier) @name value: [(identifier) (member_expression) (new_expression)]) @definition.field))
(export_statement value: (object (shorthand_property_identifier) @name @definition.field))
(program (expression_statement (assignment_expression right: (object
  (pair key: (property_identifier) @name value: [(identifier) (member_expression) (new_expression)]) @definition.field))))
(program (expression_statement (assignment_expression right: (object
  (shorthand_property_identifier) @name @definition.field))))

(variable_declarator value: (object [
  (method_definition name: (property_identifier) @name)
  (pair key: [(property_identifier) (string)] @name value: [(arrow_function) (function_expression)])] @definition.method))
(variable_declarator value: (call_expression arguments: (arguments (object [
  (method_definition name: (property_identifier) @name)
  (pair key: [(property_identifier) (string)] @name value: [(arrow_function) (function_expression)])] @definition.method))))
(export_statement value: (object [
  (method_definition name: (property_identifier) @name)
  (pair key: [(property_identifier) (string)] @name value: [(arrow_function) (function_expression)])] @definition.method))
(export_statement value: (call_expression arguments: (arguments (object [
  (method_definition name: (property_identifier) @name)
  (pair key: [(property_identifier) (string)] @name value: [(arrow_function) (function_expression)])] @definition.method))))
(assignment_expression right: (object [
  (method_definition name: (property_identifier) @name)
  (pair key: [(property_identifier) (string)] @name value: [(arrow_function) (function_expression)])] @definition.method))
(return_statement (object [
  (method_definition name: (property_identifier) @name)
  (pair key: [(property_identifier) (string)] @name value: [(arrow_function) (function_expression)])] @definition.method))
(pair
  key: [(property_identifier) (string)] @name
  value: (object [(method_definition) (pair value: [(arrow_function) (function_expression)])])) @definition.object
(pair value: (object [
  (method_definition name: (property_identifier) @name)
  (pair key: [(property_identifier) (string)] @name value: [(arrow_function) (function_expression)])] @definition.method))

(program (expression_statement (assignment_expression
  left: (member_expression property: (property_identifier) @name)
  right: [(arrow_function) (function_expression) (generator_function)]) @definition.function))

; What is taken from a module is an import.
((variable_declarator name: (identifier) @name value: (_) @_value) @declaration.variable
  (#not-match? @_value "^require\\("))
(variable_declarator name: (identifier) @name !value) @declaration.variable
((program (lexical_declaration (variable_declarator
  name: (object_pattern [
    (shorthand_property_identifier_pattern) @name
    (pair_pattern value: (identifier) @name)
    (object_assignment_pattern left: (shorthand_property_identifier_pattern) @name)] @part)
  value: (_) @_value) @declaration.variable))
  (#not-match? @_value "^require\\("))
(program (export_statement declaration: (lexical_declaration (variable_declarator
  name: (object_pattern [
    (shorthand_property_identifier_pattern) @name
    (pair_pattern value: (identifier) @name)
    (object_assignment_pattern left: (shorthand_property_identifier_pattern) @name)] @part)) @declaration.variable)))

; --- bindings ---
(arrow_function) @lambda @scope
(function_expression) @lambda @scope
(generator_function) @lambda @scope
(statement_block) @scope
(for_statement) @scope
(for_in_statement) @scope
(switch_body) @scope
(switch_case) @arm
(switch_statement value: (_) @arm.of)
((subscript_expression object: (_) @asked index: (_) @_key) (#not-match? @_key "^[-0-9\"']"))
; Visible in the whole function.
(variable_declaration (variable_declarator name: (identifier) @unblocked))
(catch_clause) @scope
((variable_declarator name: [(object_pattern) (array_pattern)] @binding value: (_) @_value) @binding.declaration
  (#not-match? @_value "^require\\("))
(for_in_statement left: (_) @binding operator: "of" right: (_) @binding.element)
(for_in_statement left: (_) @binding operator: "in")
(catch_clause parameter: (_) @binding)

; A function has an instance of its own, except where it is a member's, or is handed the one around it. An
; object has none but for its methods.
(function_declaration) @this.own
(generator_function_declaration) @this.own
(function_expression) @this.own
(generator_function) @this.own
(object (method_definition) @this.own)
(class_body) @this.member
(public_field_definition value: [(function_expression) (generator_function)] @this.member)
(assignment_expression left: (member_expression object: (this)) right: [(function_expression) (generator_function)] @this.kept)
(variable_declarator value: (object)) @this.outer
(variable_declarator value: (as_expression . (object))) @this.outer
(variable_declarator value: (satisfies_expression . (object))) @this.outer
(pair value: (object)) @this.outer
(export_statement value: (object)) @this.outer
(assignment_expression right: (object)) @this.outer
(variable_declarator value: (object [
  (method_definition) @this.member
  (pair value: [(function_expression) (generator_function)] @this.member)]))
(variable_declarator value: (as_expression . (object [
  (method_definition) @this.member
  (pair value: [(function_expression) (generator_function)] @this.member)])))
(variable_declarator value: (satisfies_expression . (object [
  (method_definition) @this.member
  (pair value: [(function_expression) (generator_function)] @this.member)])))
(pair value: (object [
  (method_definition) @this.member
  (pair value: [(function_expression) (generator_function)] @this.member)]))
(export_statement value: (object [
  (method_definition) @this.member
  (pair value: [(function_expression) (generator_function)] @this.member)]))
(assignment_expression right: (object [
  (method_definition) @this.member
  (pair value: [(function_expression) (generator_function)] @this.member)]))
(arguments [(function_expression) (generator_function)] @this.kept (this))
((call_expression
  function: (member_expression property: (property_identifier) @_defined)
  arguments: (arguments . (this) (object [
    (method_definition) @this.kept
    (pair value: [(function_expression) (generator_function)] @this.kept)])))
  (#eq? @_defined "defineProperty"))
((call_expression
  function: (member_expression
    object: [
      (function_expression) @this.kept
      (parenthesized_expression (function_expression) @this.kept)]
    property: (property_identifier) @_handed)
  arguments: (arguments . (this)))
  (#match? @_handed "^(apply|bind|call)$"))

(if_statement
  condition: (parenthesized_expression (binary_expression left: (identifier) @narrow.name operator: "instanceof" right: (_) @narrow.type))
  consequence: (_) @narrow.scope)
(if_statement
  condition: (parenthesized_expression (binary_expression
    left: (binary_expression left: (identifier) @narrow.name operator: "instanceof" right: (_) @narrow.type) operator: "&&"))
  consequence: (_) @narrow.scope)
(if_statement
  condition: (parenthesized_expression (binary_expression
    operator: "&&" right: (binary_expression left: (identifier) @narrow.name operator: "instanceof" right: (_) @narrow.type)))
  consequence: (_) @narrow.scope)
(binary_expression
  left: (binary_expression left: (identifier) @narrow.name operator: "instanceof" right: (_) @narrow.type)
  operator: "&&" right: (_) @narrow.scope)
(ternary_expression
  condition: (binary_expression left: (identifier) @narrow.name operator: "instanceof" right: (_) @narrow.type)
  consequence: (_) @narrow.scope)
(if_statement
  condition: (parenthesized_expression (unary_expression argument: (parenthesized_expression
    (binary_expression left: (identifier) @narrow.name operator: "instanceof" right: (_) @narrow.type))))
  consequence: [(return_statement) (throw_statement) (continue_statement)
    (statement_block [(return_statement) (throw_statement) (continue_statement) (break_statement)] .)]
  !alternative) @narrow.after

(return_statement (_) @return)
(yield_expression) @yield

; --- imports and exports ---
(import_statement) @import
(import_statement . source: (string) @import)
((variable_declarator
  name: (identifier) @import.name
  value: (call_expression function: (identifier) @_require arguments: (arguments . (string) @import.source)))
  (#eq? @_require "require"))
((variable_declarator
  name: (object_pattern (shorthand_property_identifier_pattern) @import.member @import.name)
  value: (call_expression function: (identifier) @_require arguments: (arguments . (string) @import.source)))
  (#eq? @_require "require"))
((variable_declarator
  name: (object_pattern (pair_pattern key: (property_identifier) @import.member value: (identifier) @import.name))
  value: (call_expression function: (identifier) @_require arguments: (arguments . (string) @import.source)))
  (#eq? @_require "require"))
((variable_declarator
  name: (identifier) @import.name
  value: (member_expression
    object: (call_expression function: (identifier) @_require arguments: (arguments . (string) @import.source))
    property: (property_identifier) @import.member))
  (#eq? @_require "require"))
((call_expression function: (identifier) @_require arguments: (arguments . (string) @import)) (#eq? @_require "require"))
(call_expression function: (import) arguments: (arguments . (string) @import))

(export_statement "*" @export.all source: (string) @export.source)
(export_statement (namespace_export (_) @name) source: (string) @export.source)
(export_statement
  (export_clause (export_specifier !alias name: (_) @export @ignore))
  source: (string) @export.source)
(export_statement
  (export_clause (export_specifier name: (_) @export @ignore alias: (_) @name @ignore))
  source: (string) @export.source)
(export_statement !source (export_clause (export_specifier !alias name: (identifier) @export)))
(export_statement !source (export_clause (export_specifier name: (identifier) @export alias: (_) @name @ignore)))
(export_statement "default" value: (identifier) @export (#set! name "default"))
(export_statement "default" declaration: (_ name: (_) @export) (#set! name "default"))
((assignment_expression
  left: (member_expression object: (identifier) @_module property: (property_identifier) @_exports)
  right: (identifier) @export)
  (#eq? @_module "module") (#eq? @_exports "exports") (#set! name "exports"))
((assignment_expression
  left: (member_expression object: (identifier) @_module property: (property_identifier) @_exports)
  right: [
    (class name: (type_identifier) @export)
    (function_expression name: (identifier) @export)
    (generator_function name: (identifier) @export)])
  (#eq? @_module "module") (#eq? @_exports "exports") (#set! name "exports"))
; What another module is, given on.
((assignment_expression
  left: (member_expression object: (identifier) @_module property: (property_identifier) @name)
  right: (call_expression function: (identifier) @_require arguments: (arguments . (string) @export.source)))
  (#eq? @_module "module") (#eq? @name "exports") (#eq? @_require "require"))
((assignment_expression
  left: (member_expression object: (identifier) @_exports property: (property_identifier) @name)
  right: (call_expression function: (identifier) @_require arguments: (arguments . (string) @export.source)))
  (#eq? @_exports "exports") (#eq? @_require "require"))
((assignment_expression
  left: (member_expression object: (member_expression) @_exports property: (property_identifier) @name)
  right: (call_expression function: (identifier) @_require arguments: (arguments . (string) @export.source)))
  (#eq? @_exports "module.exports") (#eq? @_require "require"))
((assignment_expression
  left: (member_expression object: (identifier) @_exports property: (property_identifier) @name)
  right: (identifier) @export)
  (#eq? @_exports "exports"))
((assignment_expression
  left: (member_expression object: (member_expression) @_exports property: (property_identifier) @name)
  right: (identifier) @export)
  (#eq? @_exports "module.exports"))

; --- references ---
(function_expression name: (identifier) @ignore)
(generator_function name: (identifier) @ignore)
(decorator (_) @reference.decorator)
(call_expression) @reference.call @call
(new_expression) @reference.call @call
; What is set is called with one argument where it is a setter.
(assignment_expression left: (member_expression) @reference.value) @call
(member_expression) @reference.value
(shorthand_property_identifier) @reference.value
(identifier) @reference.value
