; Any comment directly above documents. A doc comment that opens the file describes it.
(block_comment) @comment
(line_comment) @comment
(source_file . (block_comment) @doc.file
  (#match? @doc.file "^/\\*\\*") (#not-match? @doc.file "(?i)copyright|licen[sc]e"))

; Types. One without a body is shown whole.
(class_declaration (modifiers (class_modifier "enum")) "class" name: (_) @name) @item.enum
(class_declaration "interface" name: (_) @name) @item.interface
(class_declaration "class" name: (_) @name) @item.class
(class_declaration [(class_body) (enum_class_body)] @body) @item.class
(object_declaration name: (_) @name (class_body)? @body) @item.object
(companion_object name: (_) @name (class_body)? @body) @item.object
(companion_object "companion" @name !name (class_body)? @body) @item.object
(type_alias type: (_) @name) @item.type
(enum_entry . (modifiers)? . (identifier) @name (class_body)? @body) @item.variant
(secondary_constructor "constructor" @name (block)? @body) @item.constructor

; Functions, of files and declared types only: what an anonymous object holds is the business of its expression. An
; extension goes by the name of its receiver: `String.shorten`.
(_ name: (_) (class_body (function_declaration
  [(user_type) (nullable_type) (parenthesized_type)] @name . name: (_) @name) @item.method))
(enum_class_body (function_declaration
  [(user_type) (nullable_type) (parenthesized_type)] @name . name: (_) @name) @item.method)
(companion_object (class_body (function_declaration
  [(user_type) (nullable_type) (parenthesized_type)] @name . name: (_) @name) @item.method))
(_ name: (_) (class_body (function_declaration name: (_) @name) @item.method))
(enum_class_body (function_declaration name: (_) @name) @item.method)
(companion_object (class_body (function_declaration name: (_) @name) @item.method))
(source_file (function_declaration
  [(user_type) (nullable_type) (parenthesized_type)] @name . name: (_) @name) @item.function)
(ERROR (function_declaration
  [(user_type) (nullable_type) (parenthesized_type)] @name . name: (_) @name) @item.function)
(source_file (function_declaration name: (_) @name) @item.function)
(ERROR (function_declaration name: (_) @name) @item.function)
(function_declaration (function_body (block) @body)) @item.function
(function_declaration (function_body "=" (_) @value)) @item.function

; A property that is an object of its own: `val sink = object : Sink { … }`.
(property_declaration (object_literal (class_body (function_declaration name: (_) @name) @item.method)))
(property_declaration (variable_declaration . (identifier) @name) (object_literal (class_body) @body)) @item.object

; Properties, of a type or of the file.
(source_file (property_declaration
  (modifiers (property_modifier "const")) (variable_declaration . (identifier) @name)) @item.constant)
(ERROR (property_declaration
  (modifiers (property_modifier "const")) (variable_declaration . (identifier) @name)) @item.constant)
(_ name: (_) (class_body (property_declaration
  [(user_type) (nullable_type) (parenthesized_type)] @name .
  [(variable_declaration . (identifier) @name) (multi_variable_declaration) @name]) @item.field))
(enum_class_body (property_declaration
  [(user_type) (nullable_type) (parenthesized_type)] @name .
  [(variable_declaration . (identifier) @name) (multi_variable_declaration) @name]) @item.field)
(companion_object (class_body (property_declaration
  [(user_type) (nullable_type) (parenthesized_type)] @name .
  [(variable_declaration . (identifier) @name) (multi_variable_declaration) @name]) @item.field))
(_ name: (_) (class_body (property_declaration
  [(variable_declaration . (identifier) @name) (multi_variable_declaration) @name]) @item.field))
(enum_class_body (property_declaration
  [(variable_declaration . (identifier) @name) (multi_variable_declaration) @name]) @item.field)
(companion_object (class_body (property_declaration
  [(variable_declaration . (identifier) @name) (multi_variable_declaration) @name]) @item.field))
(source_file (property_declaration
  [(user_type) (nullable_type) (parenthesized_type)] @name .
  [(variable_declaration . (identifier) @name) (multi_variable_declaration) @name]) @item.property)
(ERROR (property_declaration
  [(user_type) (nullable_type) (parenthesized_type)] @name .
  [(variable_declaration . (identifier) @name) (multi_variable_declaration) @name]) @item.property)
(source_file (property_declaration
  [(variable_declaration . (identifier) @name) (multi_variable_declaration) @name]) @item.property)
(ERROR (property_declaration
  [(variable_declaration . (identifier) @name) (multi_variable_declaration) @name]) @item.property)
(property_declaration "=" . (_) @value) @item.field
(property_declaration (property_delegate (_) @value)) @item.field
(property_declaration (getter (function_body (block) @value))) @item.field
(property_declaration (getter (function_body "=" (_) @value))) @item.field
(property_declaration (setter (function_body (block) @value))) @item.field
(property_declaration (setter (function_body "=" (_) @value))) @item.field

; Who can use them. These come after the patterns that say what the items are.
(function_declaration (modifiers (visibility_modifier) @visibility)
  name: (_) (function_value_parameters)) @item.function
(property_declaration
  (modifiers (visibility_modifier) @visibility) (variable_declaration . (identifier) @_name)) @item.field
(class_declaration
  (modifiers (visibility_modifier) @visibility) name: (_) [(class_body) (enum_class_body)]? @body) @item.class
(object_declaration (modifiers (visibility_modifier) @visibility) name: (_)) @item.object
(companion_object (modifiers (visibility_modifier) @visibility) "companion") @item.object
(secondary_constructor (modifiers (visibility_modifier) @visibility) "constructor") @item.constructor
(type_alias (modifiers (visibility_modifier) @visibility) type: (_)) @item.type
