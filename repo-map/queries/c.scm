; Any comment directly above an item documents it.
(comment) @comment
((comment) @doc.file (#match? @doc.file "^/[*/][*/!]?[*\\s]*[@\\\\]file\\b"))
(translation_unit . (comment) @doc.file (#match? @doc.file "^/\\*!"))
(translation_unit (preproc_ifdef . name: (_) . (preproc_def) . (comment) @doc.file (#match? @doc.file "^/\\*!")))

; `extern "C" int f(void);`; the braced form is only a region.
(linkage_specification body: [(declaration) (function_definition)]) @wrapper
(attribute_declaration) @attribute
; A macro call without a semicolon above a declaration: `PRINTF_LIKE(1, 2)`.
(translation_unit (expression_statement (call_expression)) @attribute (#not-match? @attribute ";$"))
(declaration_list (expression_statement (call_expression)) @attribute (#not-match? @attribute ";$"))
(preproc_ifdef (expression_statement (call_expression)) @attribute (#not-match? @attribute ";$"))
; Two macros without a semicolon read as a type and its variable: `FORCE_INLINE`, line break, `OVERFLOW_ATTR`.
((declaration type: (type_identifier) . declarator: (identifier) .) @attribute (#not-match? @attribute ";$"))

; `struct PACKED name { … }` with an unknown macro.
(function_definition type: (struct_specifier !body) declarator: (identifier) @name body: (_) @body) @item.struct
(function_definition type: (union_specifier !body) declarator: (identifier) @name body: (_) @body) @item.union
(function_definition type: [(struct_specifier !body) (union_specifier !body)] declarator: (identifier) body: (compound_statement (declaration) @item.field))
(function_definition type: (enum_specifier !body) declarator: (identifier) @name) @item.enum

; `static` says "only here".
(function_definition (storage_class_specifier "static") @visibility body: (_)) @item.function
(declaration (storage_class_specifier "static") @visibility declarator: [
    (function_declarator declarator: (identifier))
    (pointer_declarator (function_declarator declarator: (identifier)))
    (pointer_declarator (pointer_declarator (function_declarator declarator: (identifier))))
  ] ";") @item.function
(declaration (storage_class_specifier "static") @visibility ";") @item.variable

; Functions; a name in parentheses belongs to a pointer to a function.
(function_definition
  declarator: [
    (function_declarator declarator: (_) @name)
    (_ (function_declarator declarator: (_) @name))
    (_ (_ (function_declarator declarator: (_) @name)))
    (_ (_ (_ (function_declarator declarator: (identifier) @name))))
  ]
  body: (_) @body
  (#not-match? @name "^\\(|\\)$")) @item.function
; `int (name)(void) { … }`, `TEST(name) { … }`
(function_definition declarator: (function_declarator declarator: (parenthesized_declarator (identifier) @name)) body: (_) @body) @item.function
(function_definition declarator: (parenthesized_declarator (identifier) @name) body: (_) @body) @item.function
; `TEST(suite, name) { … }` is a call and a block.
(translation_unit (expression_statement (call_expression) @name @attribute) . (compound_statement) @item.function @body)
(preproc_ifdef (expression_statement (call_expression) @name @attribute) . (compound_statement) @item.function @body)
(preproc_if (expression_statement (call_expression) @name @attribute) . (compound_statement) @item.function @body)

(declaration
  declarator: [
    (function_declarator declarator: (_) @name)
    (pointer_declarator (function_declarator declarator: (_) @name))
    (_ (_ (function_declarator declarator: (_) @name)))
    (function_declarator declarator: (parenthesized_declarator (identifier) @name))
    (function_declarator declarator: (parenthesized_declarator (_ (function_declarator declarator: (_) @name))))
  ]
  (#not-match? @name "^\\(|\\)$")) @item.function
; What is left of what the parser could not read: a prototype with a macro behind it, a definition without its end.
(ERROR . (storage_class_specifier "static")? @visibility . type: (_) . [
  (function_declarator declarator: (identifier) @name)
  (pointer_declarator declarator: (function_declarator declarator: (identifier) @name))
  (pointer_declarator declarator: (pointer_declarator declarator: (function_declarator declarator: (identifier) @name)))
] .) @item.function
(translation_unit (ERROR (function_declarator declarator: (identifier) @name) @item.function))
(translation_unit (ERROR (pointer_declarator declarator: (function_declarator declarator: (identifier) @name)) @item.function))

; `struct name { … } variable;`
(declaration type: (struct_specifier name: (_) @name body: (_)) declarator: (identifier)) @item.struct
(declaration type: (type_identifier) declarator: (identifier) @name (#match? @item.variable ";$")) @item.variable
(declaration type: [(primitive_type) (sized_type_specifier) (struct_specifier) (union_specifier) (enum_specifier) (macro_type_specifier)] declarator: (identifier) @name) @item.variable
(declaration
  declarator: [
    (_ declarator: (identifier) @name)
    (_ declarator: (_ declarator: (identifier) @name))
    (_ declarator: (_ declarator: (_ declarator: (identifier) @name)))
    (_ declarator: (_ declarator: (_ declarator: (_ declarator: (identifier) @name))))
    (_ declarator: (parenthesized_declarator (_ declarator: (identifier) @name)))
    (_ declarator: (parenthesized_declarator (_ declarator: (_ declarator: (identifier) @name))))
    (_ declarator: (_ declarator: (parenthesized_declarator (_ declarator: (identifier) @name))))
    (_ declarator: (_ declarator: (parenthesized_declarator (_ declarator: (_ declarator: (identifier) @name)))))
  ]) @item.variable
(declaration declarator: (init_declarator value: (_) @value)) @item.variable

; Types are shown whole; a typedef goes by its new name.
(type_definition type: (struct_specifier body: (_)) . declarator: (type_identifier) @name) @item.struct
(type_definition type: (union_specifier body: (_)) . declarator: (type_identifier) @name) @item.union
(type_definition type: (enum_specifier body: (_)) . declarator: (type_identifier) @name) @item.enum
(type_definition
  declarator: [
    (type_identifier) @name
    (primitive_type) @name
    (_ (type_identifier) @name)
    (_ (_ (type_identifier) @name))
    (_ . (_ . (_ (type_identifier) @name)))
    (_ . (_ . (_ . (_ (type_identifier) @name))))
    (_ . (_ . (_ . (_ . (_ (type_identifier) @name)))))
  ]) @item.type
; The members of a type that is too long to be shown whole.
(field_declaration_list [
  (field_declaration declarator: [
    (field_identifier) @name
    (_ declarator: (field_identifier) @name)
    (_ declarator: (_ declarator: (field_identifier) @name))
    (_ (_ declarator: (field_identifier) @name))
    (_ declarator: (_ (_ declarator: (field_identifier) @name)))
  ]) @item.field
  (field_declaration !declarator
    type: (_ body: (_ . (field_declaration declarator: (field_identifier) @name)))) @item.field
]) @detail
; Those in a branch of the preprocessor.
(field_declaration_list [
  (_ (field_declaration declarator: (field_identifier) @name) @item.field)
  (_ (field_declaration declarator: (_ declarator: (field_identifier) @name)) @item.field)
  (_ (_ (field_declaration declarator: (field_identifier) @name) @item.field))
  (_ (_ (field_declaration declarator: (_ declarator: (field_identifier) @name)) @item.field))
]) @detail
(enumerator_list (enumerator name: (_) @name) @item.variant) @detail
; Types and macros only where they are declarations of their own: not inside other types, which are shown whole.
; A nameless enum goes by its first constant; a macro with comments in it is read as broken; the guard of a header is none.
(translation_unit [
  (struct_specifier name: (_) @name body: (_)) @item.struct
  (union_specifier name: (_) @name body: (_)) @item.union
  (enum_specifier name: (_) @name body: (_)) @item.enum
  (enum_specifier !name body: (enumerator_list . (enumerator name: (_) @name))) @item.enum
  (enum_specifier !name body: (enumerator_list . (comment)+ . (enumerator name: (_) @name))) @item.enum
  (preproc_def (ERROR . (identifier) @name . (preproc_params) @signature)) @item.macro
  (preproc_def name: (_) @name value: (_) @value) @item.macro
  (preproc_def name: (_) @name !value) @item.macro
  (preproc_function_def name: (_) @name parameters: (_) @signature value: (_)? @body) @item.macro
])
(declaration_list [
  (struct_specifier name: (_) @name body: (_)) @item.struct
  (union_specifier name: (_) @name body: (_)) @item.union
  (enum_specifier name: (_) @name body: (_)) @item.enum
  (enum_specifier !name body: (enumerator_list . (enumerator name: (_) @name))) @item.enum
  (enum_specifier !name body: (enumerator_list . (comment)+ . (enumerator name: (_) @name))) @item.enum
  (preproc_def (ERROR . (identifier) @name . (preproc_params) @signature)) @item.macro
  (preproc_def name: (_) @name value: (_) @value) @item.macro
  (preproc_def name: (_) @name !value) @item.macro
  (preproc_function_def name: (_) @name parameters: (_) @signature value: (_)? @body) @item.macro
])
(preproc_if [
  (struct_specifier name: (_) @name body: (_)) @item.struct
  (union_specifier name: (_) @name body: (_)) @item.union
  (enum_specifier name: (_) @name body: (_)) @item.enum
  (enum_specifier !name body: (enumerator_list . (enumerator name: (_) @name))) @item.enum
  (enum_specifier !name body: (enumerator_list . (comment)+ . (enumerator name: (_) @name))) @item.enum
  (preproc_def (ERROR . (identifier) @name . (preproc_params) @signature)) @item.macro
  (preproc_def name: (_) @name value: (_) @value) @item.macro
  (preproc_def name: (_) @name !value) @item.macro
  (preproc_function_def name: (_) @name parameters: (_) @signature value: (_)? @body) @item.macro
])
(preproc_else [
  (struct_specifier name: (_) @name body: (_)) @item.struct
  (union_specifier name: (_) @name body: (_)) @item.union
  (enum_specifier name: (_) @name body: (_)) @item.enum
  (enum_specifier !name body: (enumerator_list . (enumerator name: (_) @name))) @item.enum
  (enum_specifier !name body: (enumerator_list . (comment)+ . (enumerator name: (_) @name))) @item.enum
  (preproc_def (ERROR . (identifier) @name . (preproc_params) @signature)) @item.macro
  (preproc_def name: (_) @name value: (_) @value) @item.macro
  (preproc_def name: (_) @name !value) @item.macro
  (preproc_function_def name: (_) @name parameters: (_) @signature value: (_)? @body) @item.macro
])
(preproc_elif [
  (struct_specifier name: (_) @name body: (_)) @item.struct
  (union_specifier name: (_) @name body: (_)) @item.union
  (enum_specifier name: (_) @name body: (_)) @item.enum
  (enum_specifier !name body: (enumerator_list . (enumerator name: (_) @name))) @item.enum
  (enum_specifier !name body: (enumerator_list . (comment)+ . (enumerator name: (_) @name))) @item.enum
  (preproc_def (ERROR . (identifier) @name . (preproc_params) @signature)) @item.macro
  (preproc_def name: (_) @name value: (_) @value) @item.macro
  (preproc_def name: (_) @name !value) @item.macro
  (preproc_function_def name: (_) @name parameters: (_) @signature value: (_)? @body) @item.macro
])
(preproc_elifdef [
  (struct_specifier name: (_) @name body: (_)) @item.struct
  (union_specifier name: (_) @name body: (_)) @item.union
  (enum_specifier name: (_) @name body: (_)) @item.enum
  (enum_specifier !name body: (enumerator_list . (enumerator name: (_) @name))) @item.enum
  (enum_specifier !name body: (enumerator_list . (comment)+ . (enumerator name: (_) @name))) @item.enum
  (preproc_def (ERROR . (identifier) @name . (preproc_params) @signature)) @item.macro
  (preproc_def name: (_) @name value: (_) @value) @item.macro
  (preproc_def name: (_) @name !value) @item.macro
  (preproc_function_def name: (_) @name parameters: (_) @signature value: (_)? @body) @item.macro
])
(preproc_ifdef [
  (struct_specifier name: (_) @name body: (_)) @item.struct
  (union_specifier name: (_) @name body: (_)) @item.union
  (enum_specifier name: (_) @name body: (_)) @item.enum
  (enum_specifier !name body: (enumerator_list . (enumerator name: (_) @name))) @item.enum
  (enum_specifier !name body: (enumerator_list . (comment)+ . (enumerator name: (_) @name))) @item.enum
  (preproc_def (ERROR . (identifier) @name . (preproc_params) @signature)) @item.macro
  (preproc_def name: (_) @name value: (_) @value) @item.macro
  (preproc_function_def name: (_) @name parameters: (_) @signature value: (_)? @body) @item.macro
])
(preproc_ifdef name: (_) @_guard (preproc_def name: (_) @name !value) @item.macro (#not-eq? @_guard @name))
(ERROR [
  (struct_specifier name: (_) @name body: (_)) @item.struct
  (union_specifier name: (_) @name body: (_)) @item.union
  (enum_specifier name: (_) @name body: (_)) @item.enum
  (enum_specifier !name body: (enumerator_list . (enumerator name: (_) @name))) @item.enum
  (enum_specifier !name body: (enumerator_list . (comment)+ . (enumerator name: (_) @name))) @item.enum
  (preproc_def (ERROR . (identifier) @name . (preproc_params) @signature)) @item.macro
  (preproc_def name: (_) @name value: (_) @value) @item.macro
  (preproc_def name: (_) @name !value) @item.macro
  (preproc_function_def name: (_) @name parameters: (_) @signature value: (_)? @body) @item.macro
])
