; Patterns with a wildcard at the root add to what a pattern with a name found: this grammar is so large that every
; pattern rooted at a function or property costs a tenth of a second to compile.

; Any comment directly above documents.
(comment) @comment
(multiline_comment) @comment

; Types. An extension is titled by what it conforms to.
(class_declaration declaration_kind: "class" name: (_) @name body: (_) @body) @item.class
(class_declaration declaration_kind: "actor" name: (_) @name body: (_) @body) @item.class
(class_declaration declaration_kind: "struct" name: (_) @name body: (_) @body) @item.struct
(class_declaration declaration_kind: "enum" name: (_) @name body: (_) @body) @item.enum
(class_declaration declaration_kind: "extension"
  name: (_) @name . (inheritance_specifier) @trait body: (_) @body) @item.impl
(class_declaration declaration_kind: "extension" name: (_) @name body: (_) @body) @item.impl
(protocol_declaration name: (type_identifier) @name body: (_) @body) @item.interface
(_ (modifiers (visibility_modifier) @visibility) body: [(class_body) (enum_class_body) (protocol_body)]) @item.class
(enum_entry name: (simple_identifier) @name) @item.variant
(typealias_declaration "typealias" . name: (_) @name) @item.type
(associatedtype_declaration "associatedtype" . name: (_) @name) @item.type

; Functions. What stands after the keyword is the name, an operator too; the return type is a field `name` as well.
(class_body (function_declaration "func" . name: _ @name) @item.method)
(enum_class_body (function_declaration "func" . name: _ @name) @item.method)
(protocol_function_declaration "func" . name: _ @name) @item.method
(function_declaration "func" . name: _ @name) @item.function
(init_declaration name: "init" @name) @item.constructor
(deinit_declaration "deinit" @name) @item.method
(_ body: (function_body) @body) @item.function
(_ (modifiers (visibility_modifier) @visibility) body: (function_body)) @item.function
(subscript_declaration "subscript" @name (computed_property)? @value) @item.method
(macro_declaration (simple_identifier) @name) @item.macro

; Properties: computed ones and those a protocol asks for stand in an outline, stored ones are fields. `private(set)`
; leaves reading open.
(class_body (property_declaration name: (pattern) @name computed_value: (_) @value) @item.property)
(enum_class_body (property_declaration name: (pattern) @name computed_value: (_) @value) @item.property)
(class_body (property_declaration name: (pattern) @name !computed_value) @item.field)
(enum_class_body (property_declaration name: (pattern) @name !computed_value) @item.field)
(protocol_property_declaration name: (pattern bound_identifier: (_) @name)) @item.property
(source_file (property_declaration (value_binding_pattern mutability: "let") name: (pattern) @name) @item.constant)
(ERROR (property_declaration (value_binding_pattern mutability: "let") name: (pattern) @name) @item.constant)
(source_file (property_declaration (value_binding_pattern mutability: "var") name: (pattern) @name) @item.variable)
(ERROR (property_declaration (value_binding_pattern mutability: "var") name: (pattern) @name) @item.variable)
(_ name: (pattern) value: (_) @value) @item.field
(_ name: (pattern) (willset_didset_block) @value) @item.field
(source_file (_ name: (pattern) computed_value: (_) @value) @item.variable)
((property_declaration
  (modifiers (visibility_modifier) @visibility) name: (pattern) !computed_value) @item.field
  (#not-match? @visibility "\\(set\\)"))
((property_declaration
  (modifiers (visibility_modifier) @visibility) name: (pattern) computed_value: (_)) @item.property
  (#not-match? @visibility "\\(set\\)"))
