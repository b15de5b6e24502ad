; --- definitions of types ---
(abstract_class_declaration name: (type_identifier) @name) @definition.class
(interface_declaration name: (type_identifier) @name) @definition.interface
(type_alias_declaration name: (type_identifier) @name) @definition.type_alias
(enum_declaration name: (identifier) @name) @definition.enum
(enum_body (property_identifier) @name @definition.enum_member)
(enum_body (enum_assignment name: (_) @name) @definition.enum_member)
(internal_module name: (identifier) @name) @definition.module
(module name: [(identifier) (string)] @name) @definition.module
(ambient_declaration "declare" @attribute)

(function_signature name: (identifier) @name) @definition.function
(method_signature name: [(property_identifier) (private_property_identifier)] @name) @definition.function
(abstract_method_signature name: (property_identifier) @name) @definition.function
(interface_body (property_signature name: [(property_identifier) (string)] @name) @definition.field)
(type_alias_declaration value: (object_type
  (property_signature name: [(property_identifier) (string)] @name) @definition.field))
(type_alias_declaration value: (intersection_type (object_type
  (property_signature name: [(property_identifier) (string)] @name) @definition.field)))
(type_alias_declaration value: (intersection_type (intersection_type (object_type
  (property_signature name: [(property_identifier) (string)] @name) @definition.field))))
(type_alias_declaration value: (generic_type type_arguments: (type_arguments (object_type
  (property_signature name: [(property_identifier) (string)] @name) @definition.field))))

; A parameter of a constructor with a modifier is a field, too.
(required_parameter (accessibility_modifier) pattern: (identifier) @name) @declaration.member
(required_parameter "readonly" pattern: (identifier) @name) @declaration.member
(optional_parameter (accessibility_modifier) pattern: (identifier) @name) @declaration.member

; --- exports ---
(export_statement "=" (identifier) @export (#set! name "exports"))

; --- references ---
(type_parameter name: (type_identifier) @ignore)
(mapped_type_clause name: (type_identifier) @ignore)
(infer_type (type_identifier) @ignore)
(index_signature name: (identifier) @ignore)
(function_type parameters: (formal_parameters (_ pattern: (identifier) @ignore)))
(constructor_type parameters: (formal_parameters (_ pattern: (identifier) @ignore)))
(call_signature parameters: (formal_parameters (_ pattern: (identifier) @ignore)))
(construct_signature parameters: (formal_parameters (_ pattern: (identifier) @ignore)))
(function_type parameters: (formal_parameters (_ pattern: (rest_pattern (identifier) @ignore))))
(call_signature parameters: (formal_parameters (_ pattern: (rest_pattern (identifier) @ignore))))
(tuple_type (_ name: (identifier) @ignore))
(class_heritage (extends_clause value: [(identifier) (member_expression)] @reference.type))
(nested_type_identifier) @reference.type
(type_identifier) @reference.type

