; Of several patterns that name one token the first counts: special before general.

; --- text ---
(comment) @comment
(ERROR) @error
(MISSING) @error
(module . (comment)* . (expression_statement (string) @doc.inner))
(class_definition body: (block . (comment)* . (expression_statement (string) @doc.inner)))
(function_definition body: (block . (comment)* . (expression_statement (string) @doc.inner)))
(decorator) @attribute

; --- definitions ---
(class_definition name: (identifier) @name) @definition.class
(function_definition name: (identifier) @name) @definition.function
(type_alias_statement left: (type (identifier) @name)) @definition.type_alias
(type_alias_statement left: (type (generic_type . (identifier) @name))) @definition.type_alias
(assignment left: (attribute object: (identifier) @instance attribute: (identifier) @name)) @declaration.member
(assignment
  left: (pattern_list (attribute object: (identifier) @instance attribute: (identifier) @name) @part)) @declaration.member
(assignment left: (identifier) @name) @declaration.variable
(assignment left: (pattern_list (identifier) @name @part)) @declaration.variable
(assignment left: (tuple_pattern (identifier) @name @part)) @declaration.variable
(assignment left: (list_pattern (identifier) @name @part)) @declaration.variable

; --- conditions ---
(module (if_statement) @conditional)
(module (try_statement) @conditional)
(class_definition body: (block (if_statement) @conditional))

; --- branches ---
; Parts of statements that may not run.
(if_statement consequence: (block) @branch) @branch.of
(if_statement alternative: (elif_clause consequence: (block) @branch)) @branch.of
(else_clause body: (block) @branch)
(for_statement body: (block) @branch)
(while_statement body: (block) @branch)
(try_statement body: (block) @branch)
(except_clause (block) @branch)
(match_statement body: (block alternative: (case_clause consequence: (block) @branch))) @branch.of
(block [(return_statement) (raise_statement)] .) @branch.closed

; --- bindings ---
(lambda) @lambda
(lambda) @scope
(case_clause) @arm
(match_statement subject: (_) @arm.of)
((subscript value: (_) @asked subscript: (_) @_key) (#not-match? @_key "^[-0-9:\"']"))
(list_comprehension) @scope
(set_comprehension) @scope
(dictionary_comprehension) @scope
(generator_expression) @scope
(for_statement left: (_) @binding right: (_) @binding.element)
(for_in_clause left: (_) @binding right: (_) @binding.element)
(with_item value: (as_pattern . (_) @binding.wrapped alias: (as_pattern_target (_) @binding)))
(except_clause value: (as_pattern . (_) @binding.type alias: (as_pattern_target (identifier) @binding)))
(named_expression name: (identifier) @binding value: (_) @binding.value)
(global_statement (identifier) @outer)
(nonlocal_statement (identifier) @outer)
(case_clause (case_pattern (as_pattern (case_pattern (class_pattern (dotted_name) @binding.type)) (identifier) @binding)))
(case_clause (case_pattern (class_pattern (case_pattern (keyword_pattern (identifier) @ignore)))))
(case_clause (case_pattern (dotted_name . (identifier) @binding .)))

(if_statement
  condition: (call function: (identifier) @_test arguments: (argument_list . (identifier) @narrow.name . (_) @narrow.type .))
  consequence: (_) @narrow.scope (#eq? @_test "isinstance"))
(elif_clause
  condition: (call function: (identifier) @_test arguments: (argument_list . (identifier) @narrow.name . (_) @narrow.type .))
  consequence: (_) @narrow.scope (#eq? @_test "isinstance"))
(if_statement
  condition: (boolean_operator
    left: (call function: (identifier) @_test arguments: (argument_list . (identifier) @narrow.name . (_) @narrow.type .))
    operator: "and")
  consequence: (_) @narrow.scope (#eq? @_test "isinstance"))
(if_statement
  condition: (boolean_operator
    (boolean_operator
      (call function: (identifier) @_test arguments: (argument_list . (identifier) @narrow.name . (_) @narrow.type .))
      operator: "and")
    operator: "and")
  consequence: (_) @narrow.scope (#eq? @_test "isinstance"))
(if_statement
  condition: (boolean_operator
    operator: "and"
    right: (call function: (identifier) @_test arguments: (argument_list . (identifier) @narrow.name . (_) @narrow.type .)))
  consequence: (_) @narrow.scope (#eq? @_test "isinstance"))
(while_statement
  condition: (call function: (identifier) @_test arguments: (argument_list . (identifier) @narrow.name . (_) @narrow.type .))
  body: (_) @narrow.scope (#eq? @_test "isinstance"))
(boolean_operator
  left: (call function: (identifier) @_test arguments: (argument_list . (identifier) @narrow.name . (_) @narrow.type .))
  operator: "and"
  right: (_) @narrow.scope (#eq? @_test "isinstance"))
(boolean_operator
  left: (boolean_operator
    (call function: (identifier) @_test arguments: (argument_list . (identifier) @narrow.name . (_) @narrow.type .))
    operator: "and")
  operator: "and"
  right: (_) @narrow.scope (#eq? @_test "isinstance"))
(boolean_operator
  left: (boolean_operator
    operator: "and"
    right: (call function: (identifier) @_test arguments: (argument_list . (identifier) @narrow.name . (_) @narrow.type .)))
  operator: "and"
  right: (_) @narrow.scope (#eq? @_test "isinstance"))
(boolean_operator
  left: (not_operator
    argument: (call function: (identifier) @_test arguments: (argument_list . (identifier) @narrow.name . (_) @narrow.type .)))
  operator: "or"
  right: (_) @narrow.scope (#eq? @_test "isinstance"))
(conditional_expression
  . (_) @narrow.scope
  . (call function: (identifier) @_test arguments: (argument_list . (identifier) @narrow.name . (_) @narrow.type .))
  (#eq? @_test "isinstance"))
(list_comprehension
  body: (_) @narrow.scope
  (if_clause
    (call function: (identifier) @_test arguments: (argument_list . (identifier) @narrow.name . (_) @narrow.type .)))
  (#eq? @_test "isinstance"))
(set_comprehension
  body: (_) @narrow.scope
  (if_clause
    (call function: (identifier) @_test arguments: (argument_list . (identifier) @narrow.name . (_) @narrow.type .)))
  (#eq? @_test "isinstance"))
(dictionary_comprehension
  body: (_) @narrow.scope
  (if_clause
    (call function: (identifier) @_test arguments: (argument_list . (identifier) @narrow.name . (_) @narrow.type .)))
  (#eq? @_test "isinstance"))
(generator_expression
  body: (_) @narrow.scope
  (if_clause
    (call function: (identifier) @_test arguments: (argument_list . (identifier) @narrow.name . (_) @narrow.type .)))
  (#eq? @_test "isinstance"))
(assert_statement
  . (call function: (identifier) @_test arguments: (argument_list . (identifier) @narrow.name . (_) @narrow.type .))
  (#eq? @_test "isinstance")) @narrow.after
((if_statement
  condition: (not_operator
    argument: (call function: (identifier) @_test arguments: (argument_list . (identifier) @narrow.name . (_) @narrow.type .)))
  consequence: (block [(return_statement) (raise_statement) (continue_statement) (break_statement)] .)
  !alternative) @narrow.after (#eq? @_test "isinstance"))

(if_statement
  condition: (not_operator
    argument: (call function: (identifier) @_test arguments: (argument_list . (identifier) @narrow.name . (_) @narrow.type .)))
  consequence: (block [(return_statement) (raise_statement) (continue_statement)] .)
  (#eq? @_test "isinstance")) @narrow.after

(return_statement . (_) @return)
(yield) @yield

; --- imports and exports ---
(import_statement) @import
(import_from_statement) @import
(future_import_statement) @opaque
((assignment left: (identifier) @_all right: [(list) (tuple)] @exports) (#eq? @_all "__all__"))
((augmented_assignment left: (identifier) @_all right: [(list) (tuple)] @exports) (#eq? @_all "__all__"))
((assignment left: (identifier) @exports.unknown right: (binary_operator)) (#eq? @exports.unknown "__all__"))
((assignment left: (identifier) @exports.unknown right: (list_comprehension)) (#eq? @exports.unknown "__all__"))
((assignment left: (identifier) @exports.unknown right: (call)) (#eq? @exports.unknown "__all__"))
((augmented_assignment left: (identifier) @exports.unknown right: [(attribute) (call) (binary_operator) (identifier)]) (#eq? @exports.unknown "__all__"))
((call function: (attribute object: (identifier) @exports.unknown)) (#eq? @exports.unknown "__all__"))

; --- references ---
(keyword_argument name: (identifier) @ignore)
(case_pattern (keyword_pattern (identifier) @ignore))
(decorator (_) @reference.decorator)
(call) @reference.call @call
(class_definition superclasses: (argument_list (identifier) @reference.type))
(class_definition superclasses: (argument_list (attribute) @reference.type))
(class_definition superclasses: (argument_list (subscript) @region.type))
(type) @region.type
(type (string) @region.text)
(type (subscript (string) @region.text))
(type (binary_operator (string) @region.text))
(class_pattern (dotted_name (identifier) @reference.type .))
(attribute) @reference.value
(identifier) @reference.value
