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
(enum_entry name: (simple_identifier) @name) @item.variant
(typealias_declaration "typealias" . name: (_) @name) @item.type
(associatedtype_declaration "associatedtype" . name: (_) @name) @item.type

; Functions. What stands after the keyword is the name, an operator too; the return type is a field `name` as well.
(class_body (function_declaration "func" . name: _ @name) @item.method)
(enum_class_body (function_declaration "func" . name: _ @name) @item.method)
(protocol_function_declaration "func" . name: _ @name) @item.method
(function_declaration "func" . name: _ @name) @item.function
(function_declaration body: (_) @body) @item.function
(init_declaration name: "init" @name body: (_)? @body) @item.constructor
(deinit_declaration "deinit" @name body: (_) @body) @item.method
(subscript_declaration "subscript" @name (computed_property)? @value) @item.method
(macro_declaration (simple_identifier) @name) @item.macro

; Properties: computed ones and those a protocol asks for stand in an outline, stored ones are fields.
(class_body (property_declaration name: (pattern) @name computed_value: (_) @value) @item.property)
(enum_class_body (property_declaration name: (pattern) @name computed_value: (_) @value) @item.property)
(class_body (property_declaration name: (pattern) @name value: (_)? @value !computed_value) @item.field)
(enum_class_body (property_declaration name: (pattern) @name value: (_)? @value !computed_value) @item.field)
(property_declaration name: (pattern) (willset_didset_block) @value) @item.field
(protocol_property_declaration name: (pattern bound_identifier: (_) @name)) @item.property
(source_file (property_declaration
  (value_binding_pattern mutability: "let") name: (pattern) @name value: (_)? @value) @item.constant)
(source_file (property_declaration
  (value_binding_pattern mutability: "var") name: (pattern) @name value: (_)? @value) @item.variable)
(source_file (property_declaration name: (pattern) computed_value: (_) @value) @item.variable)

; Who can use them. These come after the patterns that say what the items are; `private(set)` leaves reading open.
(class_declaration (modifiers (visibility_modifier) @visibility) name: (_) body: (_)) @item.class
(protocol_declaration (modifiers (visibility_modifier) @visibility) name: (_) body: (_)) @item.interface
(function_declaration (modifiers (visibility_modifier) @visibility) "func" . name: _) @item.function
(init_declaration (modifiers (visibility_modifier) @visibility) name: "init") @item.constructor
(subscript_declaration (modifiers (visibility_modifier) @visibility) "subscript") @item.method
(typealias_declaration (modifiers (visibility_modifier) @visibility) "typealias") @item.type
(property_declaration (modifiers (visibility_modifier) @visibility) name: (pattern (_))
  (#not-match? @visibility "\\(set\\)")) @item.field
