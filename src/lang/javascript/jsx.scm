; A component is called where it is an element; elements of the platform begin in lower case.
((jsx_opening_element name: (identifier) @reference.call) (#match? @reference.call "^[^a-z]"))
((jsx_self_closing_element name: (identifier) @reference.call) (#match? @reference.call "^[^a-z]"))
(jsx_opening_element name: (member_expression) @reference.call)
(jsx_self_closing_element name: (member_expression) @reference.call)
((jsx_opening_element name: (identifier) @ignore) (#match? @ignore "^[a-z]"))
((jsx_self_closing_element name: (identifier) @ignore) (#match? @ignore "^[a-z]"))
(jsx_closing_element name: (identifier) @ignore)
(jsx_closing_element name: (member_expression object: (identifier) @ignore property: (property_identifier) @ignore))
