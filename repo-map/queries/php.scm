((comment) @comment (#match? @comment "^/\\*\\*[^*/]"))
; A file's own doc block; licenses are none.
(program . (php_tag) . (comment) @doc.file (#match? @doc.file "^/\\*\\*") (#not-match? @doc.file "[Ll]icen[sc]e|[Cc]opyright"))

(namespace_definition name: (_) @name body: (_)? @body) @item.namespace
(class_declaration name: (_) @name body: (_) @body) @item.class
(interface_declaration name: (_) @name body: (_) @body) @item.interface
(trait_declaration name: (_) @name body: (_) @body) @item.trait
(enum_declaration name: (_) @name body: (_) @body) @item.enum
(enum_case name: (_) @name) @item.variant

(method_declaration (visibility_modifier)? @visibility name: (_) @name (#eq? @name "__construct")) @item.constructor
(method_declaration (visibility_modifier)? @visibility name: (_) @name (#not-eq? @name "__construct")) @item.method
(method_declaration body: (_) @body) @item.method
(function_definition name: (_) @name body: (_) @body) @item.function

(const_declaration (visibility_modifier)? @visibility (const_element . (_) @name (_) @value)) @item.constant
(property_declaration (visibility_modifier)? @visibility (property_element name: (_) @name)) @item.field
(property_declaration (property_element default_value: (_) @value)) @item.field
(property_declaration (property_hook_list) @value) @item.field
(use_declaration . (_) @name) @item.field

(program (expression_statement (function_call_expression
  function: (name) @_define
  arguments: (arguments . (argument (string (string_content) @name)) (argument) @value)) (#eq? @_define "define")) @item.constant)
(program (expression_statement (assignment_expression left: (variable_name) @name right: (anonymous_function body: (_) @body))) @item.function)
(program (expression_statement (assignment_expression left: (variable_name) @name right: (_) @value) ";") @item.variable)
