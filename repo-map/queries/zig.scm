; `///` documents what is below it, `//!` the file.
((comment) @comment (#match? @comment "^///([^/]|$)"))
((comment) @doc.file (#match? @doc.file "^//!"))

; A container bound to a name: its signature ends before the brace.
(variable_declaration . (identifier) @name (struct_declaration _ @signature . "{")) @item.struct
(variable_declaration . (identifier) @name (opaque_declaration _ @signature . "{")) @item.struct
(variable_declaration . (identifier) @name (union_declaration _ @signature . "{")) @item.union
(variable_declaration . (identifier) @name (enum_declaration _ @signature . "{")) @item.enum
(variable_declaration . (identifier) @name (error_set_declaration)) @item.enum
; A function that returns a type is that type.
(function_declaration type: (builtin_type) @_type (#eq? @_type "type")) @item.struct

; Fields where they are not part of another field.
(source_file (container_field name: (_) @name) @item.field)
(variable_declaration (enum_declaration (container_field name: (_) @name) @item.variant))
(variable_declaration (struct_declaration (container_field name: (_) @name) @item.field))
(variable_declaration (union_declaration (container_field name: (_) @name) @item.field))
(return_expression (_ (container_field name: (_) @name) @item.field))

; Functions.
(struct_declaration (function_declaration) @item.method)
(enum_declaration (function_declaration) @item.method)
(union_declaration (function_declaration) @item.method)
(opaque_declaration (function_declaration) @item.method)
(function_declaration name: (_) @name body: (_) @body) @item.function
(function_declaration name: (_) @name !body) @item.function
(function_declaration ["pub" "export"] @visibility body: (_)) @item.function
(function_declaration ["pub" "export"] @visibility !body) @item.function
(test_declaration [(string) (identifier)] @name (block) @body) @item.test
(test_declaration "test" @name . (block) @body) @item.test

; Constants and variables, not those inside of functions and blocks; imports only when they are handed on.
(variable_declaration "var") @item.variable
(variable_declaration "pub" . (identifier) @name (_) @_import . (#match? @_import "^@import")) @item.constant
(source_file (variable_declaration . (identifier) @name (_) @value .) @item.constant
  (#not-match? @value "^(@import|(packed |extern )?(struct|enum|union|opaque)\\b|error *\\{)"))
(struct_declaration (variable_declaration . (identifier) @name (_) @value .) @item.constant
  (#not-match? @value "^(@import|(packed |extern )?(struct|enum|union|opaque)\\b|error *\\{)"))
(enum_declaration (variable_declaration . (identifier) @name (_) @value .) @item.constant
  (#not-match? @value "^(@import|(packed |extern )?(struct|enum|union|opaque)\\b|error *\\{)"))
(union_declaration (variable_declaration . (identifier) @name (_) @value .) @item.constant
  (#not-match? @value "^(@import|(packed |extern )?(struct|enum|union|opaque)\\b|error *\\{)"))
(opaque_declaration (variable_declaration . (identifier) @name (_) @value .) @item.constant
  (#not-match? @value "^(@import|(packed |extern )?(struct|enum|union|opaque)\\b|error *\\{)"))
(variable_declaration ["pub" "export"] @visibility ";") @item.constant
