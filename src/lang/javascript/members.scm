; What a method assigns to its instance is a field; where types are written, fields are.
(assignment_expression
  left: (member_expression
    object: (this) @instance
    property: [(property_identifier) (private_property_identifier)] @name)) @declaration.member

