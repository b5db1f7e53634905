; Any comment directly above an item documents it.
(comment) @comment
((comment) @doc.file (#match? @doc.file "^/[*/][*/!]?[*\\s]*[@\\\\]file\\b"))
(translation_unit . (comment) @doc.file (#match? @doc.file "^/\\*!"))
(translation_unit (preproc_ifdef . name: (_) . (preproc_def) . (comment) @doc.file (#match? @doc.file "^/\\*!")))

(template_declaration) @wrapper
(friend_declaration) @wrapper
(linkage_specification body: [(declaration) (function_definition)]) @wrapper
(attribute_declaration) @attribute
; A macro call without a semicolon above a declaration.
(translation_unit (expression_statement (call_expression)) @attribute (#not-match? @attribute ";$"))
(declaration_list (expression_statement (call_expression)) @attribute (#not-match? @attribute ";$"))

(namespace_definition name: (_) @name body: (_) @body) @item.namespace
(namespace_alias_definition name: (_) @name) @item.namespace

; Types. `class EXPORT Name : Base { … }` with an unknown macro is read as a function.
(class_specifier name: (_) @name body: (_) @body) @item.class
(struct_specifier name: (_) @name body: (_) @body) @item.struct
(union_specifier name: (_) @name body: (_) @body) @item.union
; Members of a class are private up to the first marker.
(class_specifier "class" @visibility.below body: (_))
(field_declaration_list (access_specifier) @visibility.below)
(enum_specifier name: (_) @name body: (_)) @item.enum
; A nameless enum goes by its first constant.
(enum_specifier !name body: (enumerator_list . (enumerator name: (_) @name))) @item.enum
(enum_specifier !name body: (enumerator_list . (comment)+ . (enumerator name: (_) @name))) @item.enum
(enumerator_list (enumerator name: (_) @name) @item.variant) @detail
(function_definition type: (class_specifier !body) declarator: [(identifier) (template_function)] @name body: (_) @body) @item.class
(function_definition type: (struct_specifier !body) declarator: [(identifier) (template_function)] @name body: (_) @body) @item.struct
; A constructor in such a class; in functions the same text is dropped with all else in them.
(compound_statement (_ type: (type_identifier) @name declarator: (parenthesized_declarator)) @item.constructor)
(labeled_statement (_ type: (type_identifier) @name declarator: (parenthesized_declarator)) @item.constructor)

(alias_declaration name: (_) @name) @item.type
(concept_definition name: (_) @name) @item.trait
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
  ]) @item.type

; What a function in a class is: the pattern that finds a node first says its kind.
(field_declaration_list (_ !type declarator: (function_declarator declarator: (identifier))) @item.constructor)
(field_declaration_list (template_declaration (_ !type declarator: (function_declarator declarator: (identifier))) @item.constructor))
(field_declaration_list (function_definition type: (_)) @item.method)
(field_declaration_list (template_declaration (_ type: (_) declarator: (_)) @item.method))
(field_declaration_list (_ !type declarator: (function_declarator declarator: (destructor_name))) @item.method)
; The initialisers of members are no part of a signature.
(function_definition declarator: (_) @signature (field_initializer_list)) @item.constructor
; `TEST(Suite, name) { … }` is a function without a type, or a call and a block.
(function_definition
  !type
  declarator: (function_declarator declarator: (identifier) @_macro) @name
  body: (_) @body
  (#match? @_macro "^[A-Z0-9_]*TEST[A-Z0-9_]*$")) @item.test
(translation_unit (_ (_ function: (identifier) @_macro) @name @attribute) . (compound_statement) @item.test @body
  (#match? @_macro "^[A-Z0-9_]*(TEST|SCENARIO|BENCHMARK)[A-Z0-9_]*$"))
(declaration_list (_ (_ function: (identifier) @_macro) @name @attribute) . (compound_statement) @item.test @body
  (#match? @_macro "^[A-Z0-9_]*(TEST|SCENARIO|BENCHMARK)[A-Z0-9_]*$"))
(preproc_ifdef (_ (_ function: (identifier) @_macro) @name @attribute) . (compound_statement) @item.test @body
  (#match? @_macro "^[A-Z0-9_]*(TEST|SCENARIO|BENCHMARK)[A-Z0-9_]*$"))

; `static` says "only here" outside classes alone.
(translation_unit (_ (storage_class_specifier "static") @visibility body: (_)) @item.function)
(declaration_list (_ (storage_class_specifier "static") @visibility body: (_)) @item.function)
(translation_unit (declaration (storage_class_specifier "static") @visibility declarator: [
    (function_declarator declarator: (identifier))
    (pointer_declarator (function_declarator declarator: (identifier)))
    (pointer_declarator (pointer_declarator (function_declarator declarator: (identifier))))
  ] ";") @item.function)
(declaration_list (declaration (storage_class_specifier "static") @visibility declarator: [
    (function_declarator declarator: (identifier))
    (pointer_declarator (function_declarator declarator: (identifier)))
    (pointer_declarator (pointer_declarator (function_declarator declarator: (identifier))))
  ] ";") @item.function)
(translation_unit (_ (storage_class_specifier "static") @visibility ";") @item.variable)
(declaration_list (_ (storage_class_specifier "static") @visibility ";") @item.variable)

; Functions; a name in parentheses belongs to a pointer to a function.
(function_definition
  declarator: [
    (function_declarator declarator: (_) @name)
    (_ (function_declarator declarator: (_) @name))
    (_ (_ (function_declarator declarator: (_) @name)))
    (function_declarator declarator: (parenthesized_declarator (_ (function_declarator declarator: (_) @name))))
  ]
  body: (_) @body
  (#not-match? @name "^\\(")) @item.function
; `= default;`, `= delete;`
(function_definition
  declarator: [
    (function_declarator declarator: (_) @name)
    (_ (function_declarator declarator: (_) @name))
  ]
  !body) @item.function
(function_definition declarator: (operator_cast "operator" @name type: (_) @name)) @item.function
(function_definition declarator: (operator_cast) body: (_) @body) @item.function
(function_definition declarator: (qualified_identifier scope: (_) @name name: (operator_cast type: (_) @name)) body: (_) @body) @item.function
(declaration declarator: (operator_cast "operator" @name type: (_) @name)) @item.method
(declaration
  declarator: [
    (function_declarator declarator: (_) @name)
    (pointer_declarator (function_declarator declarator: (_) @name))
    (reference_declarator (function_declarator declarator: (_) @name))
    (init_declarator (function_declarator declarator: (_) @name))
    (_ (_ (function_declarator declarator: (_) @name)))
    (function_declarator declarator: (parenthesized_declarator (_ (function_declarator declarator: (_) @name))))
  ]
  (#not-match? @name "^\\(")) @item.function
(field_declaration
  declarator: [
    (function_declarator declarator: (_) @name)
    (_ (function_declarator declarator: (_) @name))
    (_ (_ (function_declarator declarator: (_) @name)))
    (function_declarator declarator: (parenthesized_declarator (_ (function_declarator declarator: (_) @name))))
  ]
  (#not-match? @name "^\\(")) @item.method
; What is left of what the parser could not read: a prototype with a macro behind it, a definition without its end.
(ERROR . type: (_) . [
  (function_declarator declarator: (_) @name)
  (_ (function_declarator declarator: (_) @name))
] .) @item.function
(translation_unit (ERROR (function_declarator declarator: (_) @name) @item.function))
(declaration_list (ERROR (function_declarator declarator: (_) @name) @item.function))

; Fields and variables. (A capture at the end of a pattern lets it count before those that end later.)
(field_declaration (type_qualifier "constexpr") declarator: (field_identifier) @_constant) @item.constant
; A named type with fields is the item, not the field behind it: `struct Name { … } field;`.
(field_declaration
  type: [
    (type_identifier) (primitive_type) (sized_type_specifier) (qualified_identifier) (template_type)
    (dependent_type) (decltype) (placeholder_type_specifier)
    (class_specifier !body) (struct_specifier !body) (union_specifier !body) (enum_specifier !body)
    (class_specifier !name) (struct_specifier !name) (union_specifier !name) (enum_specifier !name)
  ]
  declarator: [
    (field_identifier) @name
    (_ (field_identifier) @name)
    (_ (_ (field_identifier) @name))
    (_ . (_ . (_ (field_identifier) @name)))
    (_ . (_ . (_ . (_ (field_identifier) @name))))
  ]) @item.field
(field_declaration default_value: (_) @value) @item.field
(declaration
  declarator: [
    (identifier) @name
    (qualified_identifier) @name
    (array_declarator declarator: (identifier) @name)
    (array_declarator declarator: (qualified_identifier) @name)
    (array_declarator declarator: (_ declarator: (identifier) @name))
    (pointer_declarator declarator: (identifier) @name)
    (pointer_declarator declarator: (_ declarator: (identifier) @name))
    (reference_declarator (identifier) @name)
    (function_declarator declarator: (parenthesized_declarator (_ declarator: (identifier) @name)))
    (function_declarator declarator: (parenthesized_declarator (_ declarator: (_ declarator: (identifier) @name))))
  ]) @item.variable
; A lambda with a name is a function.
(declaration declarator: (init_declarator
  declarator: (identifier) @name
  value: (lambda_expression body: (_) @body))) @item.function
(declaration (type_qualifier "constexpr") declarator: (init_declarator value: (_ !captures) @_constant)) @item.constant
(declaration
  declarator: (init_declarator
    declarator: [
      (identifier) @name
      (qualified_identifier) @name
      (template_function) @name
      (_ declarator: (identifier) @name)
      (_ declarator: (_ declarator: (identifier) @name))
      (_ declarator: (_ declarator: (_ declarator: (identifier) @name)))
      (reference_declarator (identifier) @name)
      (_ declarator: (parenthesized_declarator (_ declarator: (identifier) @name)))
      (_ declarator: (parenthesized_declarator (_ declarator: (_ declarator: (identifier) @name))))
    ]
    value: (_ !captures) @value)) @item.variable

; Macros; a macro with comments in it is read as broken; the guard of a header is none.
(preproc_def (ERROR . (identifier) @name . (preproc_params) @signature)) @item.macro
(preproc_def name: (_) @name value: (_) @value) @item.macro
(translation_unit (preproc_def name: (_) @name !value) @item.macro)
(preproc_ifdef name: (_) @_guard (preproc_def name: (_) @name !value) @item.macro (#not-eq? @_guard @name))
(preproc_if (preproc_def name: (_) @name !value) @item.macro)
(preproc_else (preproc_def name: (_) @name !value) @item.macro)
(preproc_function_def name: (_) @name parameters: (_) @signature value: (_)? @body) @item.macro
